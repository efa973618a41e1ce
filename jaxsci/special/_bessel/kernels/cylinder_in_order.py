"""Derivatives of J, Y and the Hankel functions in the order v, of every order.

In the first quadrant w = -iz lies in the right half plane, and DLMF 10.27.6 and 10.27.8 give

    J_v(z) = exp(v pi i/2) I_v(w),   H1_v(z) = 2/(pi i) exp(-v pi i/2) K_v(w)

of `_bessel/kernels/modified.py`. All else follows: Y = i (J - H1) and H2 = 2 J - H1, negative
orders by DLMF 10.2.3 and 10.4.6, the other quadrants by conjugation (DLMF 10.11.9) and continuation
across the imaginary axis (DLMF 10.11.1 to 10.11.5). What is combined are Taylor polynomials in v.
Each public function returns the m-th derivative in the order, m >= 1, and derivatives in z of it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci.special._bessel.kernels.cylinder_on_device import j1
from jaxsci.special._bessel.kernels.hankel_expansion import (
    Polynomial,
    is_far,
    power,
    shifted_orders,
)
from jaxsci.special._bessel.kernels.large_orders import (
    cylinders_in_the_plane,
    hankel_on_axis,
    real_cylinders,
    where_large,
)
from jaxsci.special._bessel.kernels.macdonald import scaled
from jaxsci.special._bessel.kernels.modified import (
    has_digits,
    is_large,
    modified,
    steps_of_modified,
)
from jaxsci.special._bessel.kernels.modified_in_order import at_zero
from jaxsci.special._numerics import taylor
from jaxsci.special._numerics.blocks import by_blocks


@dataclass
class _Cylinders:
    """At zeta = |Re z| + i |Im z|, expansions in the order at v, times exp(-|Im z|)."""

    j: list[Any]
    h1: list[Any]
    h1_decaying: list[Any]
    """exp(-i zeta) H1_v(zeta)."""


def _quadrant(z: jax.Array) -> jax.Array:
    return jax.lax.complex(jnp.abs(z.real), jnp.abs(z.imag))


def _first_quadrant(v: jax.Array, zeta: jax.Array, m: int, on_axis: bool = False) -> _Cylinders:
    order = jnp.abs(v)
    pair = modified(order, -1j * zeta, m)
    found = _from_modified(order, zeta, pair.first, pair.second)
    j, h1 = found
    if on_axis or m == 0:
        # Of derivatives in the plane, large orders would double what they take to compile.
        function = hankel_on_axis if on_axis else cylinders_in_the_plane
        j, h1 = where_large(is_large(order, zeta, m), function, found, order, zeta, m)
    grown = jnp.exp(1j * zeta.real - 2 * zeta.imag)
    # DLMF 10.4.6, and 10.2.3 with Y = i (J - H1)
    turned = taylor.product(taylor.turn(order, 1, m), h1)
    below = taylor.product(taylor.turn(order, -1, m), j)
    mixed = taylor.product(taylor.sine(order, m), taylor.times(h1, 1j * grown))
    negative = v < 0
    j = taylor.where(negative, taylor.reflected(taylor.plus(below, mixed)), j)
    h1 = taylor.where(negative, taylor.reflected(turned), h1)
    return _Cylinders(j, taylor.times(h1, grown), h1)


def _from_modified(
    v: jax.Array, zeta: jax.Array, first: list[Any], second: list[Any]
) -> tuple[list[Any], list[Any]]:
    """exp(-Im zeta) J_v(zeta) and exp(-i zeta) H1_v(zeta), v >= 0."""
    m = len(first) - 1
    j = taylor.product(taylor.turn(v, 1, m, 0.5), first)
    h1 = taylor.product(taylor.turn(v, -1, m, 0.5), taylor.times(second, -2j / math.pi))
    return taylor.times(j, jnp.exp(-1j * zeta.real)), h1


def _real_first_second(v: jax.Array, x: jax.Array, m: int) -> tuple[list[Any], list[Any]]:
    """J_v(x) and Y_v(x), x > 0; where x < 0 they are not real, but for J at integer orders."""
    order, x = jnp.abs(v), jnp.where(x < 0, jnp.nan, x)
    zeta = jax.lax.complex(x, jnp.zeros_like(x))
    pair = modified(order, -1j * zeta, m)
    first, second = _from_modified(order, zeta, pair.first, pair.scaled)
    second = taylor.times(second, jnp.exp(1j * x))
    found = ([c.real for c in first], [c.imag for c in second], pair.excess)
    j, y, excess = where_large(is_large(order, x, m), real_cylinders, found, order, x, m)
    # Y is over 2^excess, and so are their combinations.
    small_j = scaled(j, -excess)
    c, s = taylor.cosine(order, m), taylor.sine(order, m)
    below_j = taylor.plus(taylor.product(c, small_j), taylor.times(taylor.product(s, y), -1.0))
    below_y = taylor.plus(taylor.product(s, small_j), taylor.product(c, y))
    negative = v < 0
    below_j = scaled(below_j, excess)
    y = scaled(taylor.where(negative, taylor.reflected(below_y), y), excess)
    return taylor.where(negative, taylor.reflected(below_j), j), y


def _in_the_plane(v: jax.Array, z: jax.Array, m: int, second_kind: bool) -> jax.Array:
    """exp(-|Im z|) times the derivative of J_v, or of Y_v."""
    at = _first_quadrant(v, _quadrant(z), m)
    right = at.j
    if second_kind:
        right = taylor.times(taylor.plus(at.j, taylor.times(at.h1, -1.0)), 1j)
        # At -zeta = zeta exp(-i pi).
        across = taylor.times(taylor.product(taylor.cosine(v, m), at.j), -2j)
        left = taylor.plus(taylor.product(taylor.turn(v, 1, m), right), across)
    else:
        left = taylor.product(taylor.turn(v, -1, m), at.j)
    value = taylor.derivative(taylor.where(z.real < 0, left, right))
    return jnp.where((z.real < 0) == (z.imag < 0), value, jnp.conj(value))


def _jve(v: jax.Array, z: jax.Array, m: int) -> jax.Array:
    if jnp.iscomplexobj(z):
        value = _in_the_plane(v, z, m, second_kind=False)
    else:
        value = taylor.derivative(_real_first_second(v, z, m)[0])
    return jnp.where(z == 0, at_zero(v, z, m), value)


def _yve(v: jax.Array, z: jax.Array, m: int) -> jax.Array:
    if jnp.iscomplexobj(z):
        return _in_the_plane(v, z, m, second_kind=True)
    return taylor.derivative(_real_first_second(v, z, m)[1])


def _hankel1e(v: jax.Array, z: jax.Array, m: int) -> jax.Array:
    return _either_hankel(v, z, m, z.imag < 0)


def _hankel2e(v: jax.Array, z: jax.Array, m: int) -> jax.Array:
    return jnp.conj(_either_hankel(v, jnp.conj(z), m, z.imag >= 0))


def _either_hankel(v: jax.Array, z: jax.Array, m: int, below_cut: jax.Array) -> jax.Array:
    """exp(-iz) d^m/dv^m H1_v(z)."""
    on_axis = not jnp.iscomplexobj(z)
    z = jax.lax.convert_element_type(z, jnp.complex128)
    zeta = _quadrant(z)
    at = _first_quadrant(v, zeta, m, on_axis)
    phase = jnp.exp(1j * zeta.real)
    # Of the conjugate of z below the real axis: exp(i zeta) H2(zeta).
    second = taylor.times(taylor.plus(taylor.times(at.j, 2.0), taylor.times(at.h1, -1.0)), phase)
    # At -zeta = zeta exp(-i pi), and H2 there for the point above it.
    turn, back = taylor.turn(v, 1, m), taylor.turn(v, -1, m)
    below = taylor.plus(taylor.product(turn, at.h1), taylor.times(taylor.product(back, at.j), 2.0))
    below = taylor.times(below, phase)
    above = taylor.times(taylor.product(turn, at.h1_decaying), -1.0)
    right = taylor.where(z.imag < 0, taylor.conjugate(second), at.h1_decaying)
    left = taylor.where(below_cut, below, taylor.conjugate(above))
    return taylor.derivative(taylor.where(z.real < 0, left, right))


# -- with derivatives in z -------------------------------------------------------------------------

Scaled = Callable[[Any, Any, Sequence[Polynomial], int], list[Any]]


def _with_shifts(function: Callable[[Any, Any, int], Any]) -> Scaled:
    """operator(D) of the m-th derivative in the order, for each of several polynomials in D."""

    def in_order(
        v: jax.Array, z: jax.Array, operators: Sequence[Polynomial], m: int
    ) -> list[jax.Array]:
        def of_block(v: jax.Array, z: jax.Array) -> list[jax.Array]:
            orders = lambda u, z: function(u, z, m)  # noqa: E731
            values = shifted_orders(orders, -1, v, z, operators, at_once=True)
            kept = has_digits(v, z, operators, m)
            return [jnp.where(kept, value, jnp.nan) for value in values]

        return by_blocks(of_block, v, z, steps=steps_of_modified(v, z), kinds=is_far(v, z))

    return in_order


jve_in_order = _with_shifts(_jve)
yve_in_order = _with_shifts(_yve)
hankel1e_in_order = _with_shifts(_hankel1e)
hankel2e_in_order = _with_shifts(_hankel2e)


def _growth(z: jax.Array) -> jax.Array | float:
    return jnp.exp(jnp.abs(z.imag)) if jnp.iscomplexobj(z) else 1.0


def j_in_order(v: jax.Array, z: jax.Array, n: int, m: int) -> jax.Array:
    """d^n/dz^n d^m/dv^m J_v(z)."""
    return _growth(z) * jve_in_order(v, z, [power([0, 1], n)], m)[0]


def y_in_order(v: jax.Array, z: jax.Array, n: int, m: int) -> jax.Array:
    """d^n/dz^n d^m/dv^m Y_v(z)."""
    value = _growth(z) * yve_in_order(v, z, [power([0, 1], n)], m)[0]
    if n == m == 1 and not jnp.iscomplexobj(z):
        # Orders -1 and 1 cancel at small z: it is d/dz of -pi/2 J_0 (DLMF 10.15.5).
        at_zero = math.pi / 2 * j1(jnp.where(z > 0, z, 1.0))
        value = jnp.where((v == 0) & (z > 0), at_zero, value)
    return value


def hankel1_in_order(v: jax.Array, z: jax.Array, n: int, m: int) -> jax.Array:
    """d^n/dz^n d^m/dv^m H1_v(z)."""
    return jnp.exp(1j * z) * hankel1e_in_order(v, z, [power([0, 1], n)], m)[0]


def hankel2_in_order(v: jax.Array, z: jax.Array, n: int, m: int) -> jax.Array:
    """d^n/dz^n d^m/dv^m H2_v(z)."""
    return jnp.exp(-1j * z) * hankel2e_in_order(v, z, [power([0, 1], n)], m)[0]
