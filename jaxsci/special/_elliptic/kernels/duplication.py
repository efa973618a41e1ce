"""Carlson's elliptic integrals by duplication, for the derivatives of R_D and R_J.

Each step of Carlson's duplication theorem (DLMF 19.26) is exact, and made of square roots, products
and quotients of sums alone. Differentiated step by step it therefore needs no difference of two
integrals, and coincident arguments are ordinary points.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci.special._numerics.blocks import by_blocks
from jaxsci.special._numerics.nth_derivative import derivative
from jaxsci.special._numerics.plane import over, square_root
from jaxsci.special._numerics.shared import at_once

# Arguments that differ by any factor in double precision are alike after some ten steps; from then
# on each step brings them closer by a factor of four, and what is left is their spread squared.
_STEPS = 27
# R_J's last argument, where it is the largest by far, comes closer by no more than that from the
# start: this is enough for factors of 1e27.
_STEPS_OF_RJ = 60
_ALIKE = 1e-10
_INNER_STEPS = 14
_INNER_TERMS = 9
_NEAR_ONE = 1e-4
"""How far from 1 the inner series reaches, and high derivatives of it."""


_Roots = Callable[..., Sequence[jax.Array]]
"""Square roots of some numbers."""


def _one_by_one(*args: jax.Array) -> list[jax.Array]:
    return [square_root(x) for x in args]


def _together(*args: jax.Array) -> list[jax.Array]:
    return at_once(square_root, *args)


def _repeat(
    step: Callable[..., Any], carry: Sequence[jax.Array], steps: int, arguments: int
) -> tuple[jax.Array, ...]:
    """Up to that many steps: as many as it takes until the first so many numbers are alike."""
    # The first step stands apart: it moves an argument away from 0, where the square root has no
    # derivative, before that argument becomes part of a carry that is differentiated as a whole.
    # By itself, for beside others a constant 0 would be a number with a derivative of 0.
    carry = step(carry, _one_by_one)

    def differ(carry: Sequence[jax.Array]) -> jax.Array:
        first, *others = carry[:arguments]
        return functools.reduce(
            jnp.logical_or, (jnp.abs(t - first) > _ALIKE * jnp.abs(first) for t in others)
        )

    return _while_any(differ, lambda carry: step(carry, _together), tuple(carry), steps)


def _while_any(
    going: Callable[[Any], jax.Array], step: Callable[[Any], Any], carry: Any, most: int
) -> Any:
    """At most so many steps, as long as any element asks for them; JAX may differentiate it."""

    def one(carry: Any, _: Any) -> Any:
        wanted = jnp.any(going(jax.lax.stop_gradient(carry)))
        return jax.lax.cond(wanted, step, lambda c: c, carry), None

    return jax.lax.scan(one, carry, None, length=most)[0]


def _alike(*args: jax.Array) -> list[jax.Array]:
    dtype = jnp.result_type(*args, jnp.float64)
    return list(jnp.broadcast_arrays(*(jnp.asarray(x, dtype) for x in args)))


def rf(x: jax.Array, y: jax.Array, z: jax.Array) -> jax.Array:
    """R_F(x, y, z), DLMF 19.16.1."""

    def step(carry: Sequence[jax.Array], roots: _Roots) -> tuple[jax.Array, jax.Array, jax.Array]:
        x, y, z = carry
        rx, ry, rz = roots(x, y, z)
        shift = rx * ry + rx * rz + ry * rz
        return (x + shift) * 0.25, (y + shift) * 0.25, (z + shift) * 0.25

    x, y, z = _repeat(step, _alike(x, y, z), _STEPS, 3)
    return square_root(over(3.0, x + y + z))


def rd(x: jax.Array, y: jax.Array, z: jax.Array) -> jax.Array:
    """R_D(x, y, z), DLMF 19.16.5."""

    def step(carry: Sequence[jax.Array], roots: _Roots) -> tuple[jax.Array, ...]:
        x, y, z, total, weight = carry
        rx, ry, rz = roots(x, y, z)
        shift = rx * ry + rx * rz + ry * rz
        total = total + over(weight, rz * (z + shift))
        moved = ((t + shift) * 0.25 for t in (x, y, z))
        return (*moved, total, weight * 0.25)

    x, y, z = _alike(x, y, z)
    start = (x, y, z, jnp.zeros_like(x), jnp.ones_like(x))
    x, y, z, total, weight = _repeat(step, start, _STEPS, 3)
    mean = (x + y + 3 * z) * 0.2
    return 3 * total + over(weight, mean * square_root(mean))


def rj(x: jax.Array, y: jax.Array, z: jax.Array, p: jax.Array) -> jax.Array:
    """R_J(x, y, z, p), DLMF 19.16.2, for p off the negative axis."""
    return by_blocks(_rj, *_alike(x, y, z, p))


def _rj(x: jax.Array, y: jax.Array, z: jax.Array, p: jax.Array) -> jax.Array:
    def step(carry: Sequence[jax.Array], roots: _Roots) -> Any:
        x, y, z, p, total, weight = carry
        rx, ry, rz, rp = roots(x, y, z, p)
        shift = rx * ry + rx * rz + ry * rz
        d = (rp + rx) * (rp + ry) * (rp + rz)
        total = total + over(weight, d) * _rc_from_one(over(2 * rp * (p + shift), d))
        moved = ((t + shift) * 0.25 for t in (x, y, z, p))
        return (*moved, total, weight * 0.25)

    start = (x, y, z, p, jnp.zeros_like(x), jnp.ones_like(x))
    x, y, z, p, total, weight = _repeat(step, start, _STEPS_OF_RJ, 4)
    mean = (x + y + z + 2 * p) * 0.2
    return 6 * total + over(weight, mean * square_root(mean))


def rc(x: jax.Array, y: jax.Array) -> jax.Array:
    """R_C(x, y), DLMF 19.2.17, for y off the negative axis."""
    x, y = _alike(x, y)
    rx, ry = _one_by_one(x, y)
    inverse = over(2.0, rx + ry)
    return inverse * _rc_from_one(ry * inverse)


def _rc_from_one(w: jax.Array) -> jax.Array:
    """R_C(1, w): duplication, then the series of DLMF 19.2.18 in powers of 1 - w."""

    def step(carry: Sequence[jax.Array]) -> tuple[jax.Array, jax.Array]:
        w, scale = carry
        root_of_w = square_root(w)
        inverse = over(2.0, 1 + root_of_w)
        return root_of_w * inverse, scale * inverse

    def far(carry: Sequence[jax.Array]) -> jax.Array:
        return jnp.abs(carry[0] - 1) > _NEAR_ONE

    w, scale = _while_any(far, step, (w, jnp.ones_like(w)), _INNER_STEPS)
    total = jnp.zeros_like(w)
    for k in range(_INNER_TERMS, -1, -1):
        total = total * (1 - w) + 1 / (2 * k + 1)
    return scale * total


def rj_of_either_sign(x: jax.Array, y: jax.Array, z: jax.Array, p: jax.Array) -> jax.Array:
    """R_J(x, y, z, p) of real arguments, Cauchy's principal value for p < 0 (DLMF 19.20.14)."""
    low, middle, high = _in_order(x, y, z)
    cut = p < 0
    q = jnp.where(cut, -p, 1.0)
    # The middle one in the part that DLMF gives z: this difference is then not negative.
    excess = (middle - low) * (high - middle) / (middle + q)
    across = middle + excess
    inner = low * high + across * q
    # Unsorted: of an argument that is 0, and does not vary, square roots would be differentiated.
    plain = rj(x, y, z, jnp.where(cut, across, p))
    gone = low == 0
    last = jnp.where(gone, 0.0, jnp.sqrt(jnp.where(gone, 1.0, low * middle * high / inner)))
    value = (excess * plain + 3 * (last * rc(inner, across * q) - rf(x, y, z))) / (middle + q)
    return jnp.where(cut, value, plain)


def _in_order(x: jax.Array, y: jax.Array, z: jax.Array) -> list[jax.Array]:
    ordered = jnp.sort(jnp.stack(jnp.broadcast_arrays(x, y, z)), axis=0)
    return [ordered[0], ordered[1], ordered[2]]


def slope(
    function: Callable[..., Any], args: Sequence[jax.Array], i: int, order: int = 1
) -> jax.Array:
    """Derivative of an order in argument i of one of the functions here."""
    args = _alike(*args)
    return derivative(functools.partial(_along, function, args, i), order)(args[i])


def _along(
    function: Callable[..., Any], args: Sequence[jax.Array], i: int, t: jax.Array
) -> jax.Array:
    return function(*args[:i], t, *args[i + 1 :])
