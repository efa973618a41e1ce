"""Derivatives of I and K in the order v, of every order and at every argument.

`_bessel/kernels/modified.py` has I and K for v >= 0 in the right half plane,
`_bessel/kernels/even_in_order.py` what is even in the order where neighbouring orders cancel; the
connection formulas of DLMF 10.27 and 10.34 lead to all others. Their factors depend on the order as
well, so what is combined are Taylor polynomials in v (`_numerics/taylor.py`).

Each function takes polynomials in D = d/dz, and returns for each what it makes of the m-th
derivative in the order, m >= 1.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jaxsci.special._bessel.kernels.even_in_order import even_parts, is_regular
from jaxsci.special._bessel.kernels.hankel_expansion import (
    Polynomial,
    is_far,
    power,
    shifted_orders,
)
from jaxsci.special._bessel.kernels.large_orders import real_modified, where_large
from jaxsci.special._bessel.kernels.macdonald import (
    macdonald,
    parts_of_exponential,
    scaled,
    steps_of_macdonald,
)
from jaxsci.special._bessel.kernels.modified import (
    MOST_STEPS,
    Modified,
    has_digits,
    is_large,
    steps_of_modified,
    with_large,
)
from jaxsci.special._numerics import taylor
from jaxsci.special._numerics.blocks import by_blocks, where_any
from jaxsci.special._numerics.integers import is_integer


def k_in_order(v: jax.Array, z: jax.Array, n: int, m: int) -> Any:
    """d^n/dz^n d^m/dv^m K_v(z)."""
    if jnp.iscomplexobj(z):
        return jnp.exp(-z) * kve_in_order(v, z, [power([0, 1], n)], m)[0]
    return _k_in_order(v, z, [power([0, 1], n)], m, unscaled=True)[0]


def i_in_order(v: jax.Array, z: jax.Array, n: int, m: int) -> jax.Array:
    """d^n/dz^n d^m/dv^m I_v(z)."""
    if not jnp.iscomplexobj(z):
        return _i_in_order(v, z, [power([0, 1], n)], m, unscaled=True)[0]
    value = _i_in_order(v, z, [power([0, 1], n)], m)[0]
    return _grown(value, z)


def _grown(value: jax.Array, z: jax.Array) -> jax.Array:
    # The exponential may overflow where the product does not, and at v = 0 the value may be 0.
    half = jnp.exp(_to_the_right(z) / 2)
    return jnp.where(value == 0, 0.0, half * value * half)


def kve_in_order(v: jax.Array, z: jax.Array, operators: Sequence[Polynomial], m: int) -> list[Any]:
    """exp(z) operator(D) d^m/dv^m K_v(z)."""
    return _k_in_order(v, z, operators, m)


def _k_in_order(
    v: jax.Array, z: jax.Array, operators: Sequence[Polynomial], m: int, unscaled: bool = False
) -> list[Any]:
    return by_blocks(
        lambda v, z: _k_of_block(v, z, operators, m, unscaled),
        v,
        z,
        steps=steps_of_macdonald(v, z),
        kinds=_kinds(v, z, jnp.abs(v) < 0.5),
    )


def _kinds(v: jax.Array, z: jax.Array, even: jax.Array) -> jax.Array:
    """Elements far out, those which `even_parts` has nearer, and others."""
    return jnp.where(is_far(v, z), 0, jnp.where(even, 1, 2))


def _k_of_block(
    v: jax.Array, z: jax.Array, operators: Sequence[Polynomial], m: int, unscaled: bool
) -> list[Any]:
    def even(v: jax.Array, z: jax.Array) -> list[Any]:
        values = _even_kve(v, z, operators, m)
        return taylor.times(values, jnp.exp(-z)) if unscaled else values

    # exp(v pi i) K_v has the recurrences of I.
    signed = [_turned(operator) for operator in operators]
    function = functools.partial(_kve, m=m, unscaled=unscaled)
    return _by_kinds(is_regular(v, z) & _inside(z), even, function, v, z, signed, m)


def _by_kinds(
    regular: jax.Array,
    even: Callable[[Any, Any], list[Any]],
    function: Callable[[Any, Any], Any],
    v: jax.Array,
    z: jax.Array,
    operators: Sequence[Polynomial],
    m: int,
) -> list[Any]:
    """What `even` has where it is regular, elsewhere sums over a function's neighbouring orders."""

    def by_neighbours() -> list[Any]:
        u, w = jnp.where(regular, 1.0, v), jnp.where(regular, 1.0, z)
        values = shifted_orders(function, 1, u, w, operators, at_once=True)
        kept = has_digits(v, z, operators, m)
        return [jnp.where(kept, value, jnp.nan) for value in values]

    def directly() -> list[Any]:
        return even(jnp.where(regular, v, 0.0), jnp.where(regular, z, 1.0))

    nothing = [jnp.zeros_like(z)] * len(operators)
    return where_any(regular, directly, where_any(~regular, by_neighbours, nothing))


def ive_in_order(v: jax.Array, z: jax.Array, operators: Sequence[Polynomial], m: int) -> list[Any]:
    """exp(-|Re z|) operator(D) d^m/dv^m I_v(z)."""
    values = _i_in_order(v, z, operators, m)
    if not jnp.iscomplexobj(z):
        return values
    phase = jnp.exp(1j * _to_the_right(z).imag)
    return [phase * value for value in values]


def _turned(operator: Polynomial) -> list[Any]:
    """The operator with -D for D."""
    return [(-1) ** k * c for k, c in enumerate(operator)]


def _to_the_right(z: jax.Array) -> jax.Array:
    """Whichever of z and -z is in the right half plane."""
    return jnp.where(z.real < 0, -z, z)


def _side(z: jax.Array) -> jax.Array:
    """1 above the cut on the negative real axis and on it, -1 below."""
    return jnp.where(z.imag < 0, -1, 1)


# -- K ---------------------------------------------------------------------------------------------


def _kve(v: jax.Array, z: jax.Array, m: int, unscaled: bool = False) -> jax.Array:
    """exp(z) d^m/dv^m K_v(z), or of real z without the factor."""
    order = jnp.abs(v)
    if jnp.iscomplexobj(z):
        left, side = z.real < 0, _side(z)
        w = _to_the_right(z)
        pair = with_large(order, w, m)
        # DLMF 10.34.2
        turned = taylor.product(taylor.turn(order, -side, m), pair.second)
        turned = taylor.times(turned, jnp.exp(-2 * w))
        turned = taylor.plus(turned, taylor.times(pair.first, -1j * math.pi * side))
        out = taylor.where(left, turned, pair.second)
    else:
        ahead, few = (z > 0) & jnp.isfinite(z), order < MOST_STEPS
        inside = ahead & few
        k = macdonald(jnp.where(few, order, 0.0), jnp.where(ahead, z, 1.0), m)
        pole = jnp.where((v == 0) & (m % 2 == 1), jnp.nan, jnp.inf)
        beyond = jnp.where(z == 0, pole, jnp.where(jnp.isposinf(z), 0.0, jnp.nan))
        value = k.unscaled(jnp.where(ahead, z, 1.0)) if unscaled else k.value()
        out = taylor.where(inside, value, [beyond] * (m + 1))
        large = is_large(order, z, m) & ahead & ~few
        function = functools.partial(_second_of_real, unscaled=unscaled)
        out = where_large(large, function, out, order, z, m)
    return _even(v, out)


def _second_of_real(v: jax.Array, x: jax.Array, m: int, unscaled: bool) -> list[Any]:
    _, second, excess = real_modified(v, x, m, unscaled_second=unscaled)
    return scaled(second, excess)


def _even_kve(v: jax.Array, z: jax.Array, operators: Sequence[Polynomial], m: int) -> list[Any]:
    """exp(z) operator(D) d^m/dv^m K_v(z), where `even_parts` has it."""
    order = jnp.abs(v)
    if not jnp.iscomplexobj(z):
        parts = even_parts(order, z, operators, m, second_alone=True)
        return [_even(v, second) for second, _ in parts]
    left, w = z.real < 0, _to_the_right(z)
    right, across = _both_sides(order, w, operators, m)
    out = []
    for (second, _), (turned, even) in zip(right, across, strict=True):
        # DLMF 10.34.2, of which cos(v pi) K_v(w) -+ pi i E_v(w) is left.
        turned = taylor.product(taylor.cosine(order, m), taylor.times(turned, jnp.exp(-2 * w)))
        turned = taylor.plus(turned, taylor.times(even, -1j * math.pi * _side(z)))
        out.append(_even(v, taylor.where(left, turned, second)))
    return out


def _both_sides(
    v: jax.Array, w: jax.Array, operators: Sequence[Polynomial], m: int
) -> tuple[Any, Any]:
    """`even_parts` for d/dw, and for d/dz with z = -w."""
    if all(np.count_nonzero(operator) == 1 for operator in operators):  # of powers of D, a sign
        right = even_parts(v, w, operators, m)
        signs = [(-1.0) ** np.flatnonzero(operator)[0] for operator in operators]
        across = [
            (taylor.times(second, sign), taylor.times(even, sign))
            for sign, (second, even) in zip(signs, right, strict=True)
        ]
        return right, across
    both = even_parts(v, w, [*operators, *map(_turned, operators)], m)
    return both[: len(operators)], both[len(operators) :]


def _inside(z: jax.Array) -> jax.Array:
    """Where z is a number of the function's domain, apart from 0."""
    finite = jnp.isfinite(jnp.abs(z)) & (z != 0)
    return finite if jnp.iscomplexobj(z) else finite & (z > 0)


def _even(v: jax.Array, jet: list[Any]) -> jax.Array:
    """The derivative at v of an even function, from its expansion at |v| (DLMF 10.27.3)."""
    return jnp.where(v < 0, (-1) ** (len(jet) - 1), 1) * taylor.derivative(jet)


# -- I ---------------------------------------------------------------------------------------------


def _i_in_order(
    v: jax.Array, z: jax.Array, operators: Sequence[Polynomial], m: int, unscaled: bool = False
) -> list[Any]:
    """exp(-w) operator(D) d^m/dv^m I_v(z), with w = z or -z in the right half plane.

    Of real z, also without the exponential.
    """
    return by_blocks(
        lambda v, z: _i_of_block(v, z, operators, m, unscaled),
        v,
        z,
        steps=steps_of_modified(v, z),
        kinds=_kinds(v, z, (jnp.abs(v) < 0.5) & (jnp.abs(z) >= 1)),
    )


def _i_of_block(
    v: jax.Array, z: jax.Array, operators: Sequence[Polynomial], m: int, unscaled: bool
) -> list[Any]:
    def even(v: jax.Array, z: jax.Array) -> list[Any]:
        values = _even_i(v, z, operators, m)
        return [_grown(value, z) for value in values] if unscaled else values

    # Nearer to the origin E_v and K_v outweigh I_v.
    regular = is_regular(v, z) & _inside(z) & (jnp.abs(z) >= 1)
    function = functools.partial(_i, m=m, unscaled=unscaled)
    return _by_kinds(regular, even, function, v, z, operators, m)


def _i(v: jax.Array, z: jax.Array, m: int, unscaled: bool) -> jax.Array:
    """exp(-w) d^m/dv^m I_v(z), or of real z without the factor."""
    order, w = jnp.abs(v), _to_the_right(z)
    pair = with_large(order, w, m, unscaled)
    # Of K times exp(w) to what I is given as.
    negative = _i_of_negative_order(order, -w if unscaled else -2 * w, pair, m)
    value = _continued(v, z, taylor.where(v < 0, negative, pair.first))
    return jnp.where(z == 0, at_zero(v, z, m), value)


def _i_of_negative_order(order: Any, decay: jax.Array, pair: Modified, m: int) -> list[Any]:
    """The expansion at -order, by DLMF 10.27.2; K is multiplied by the exponential of decay."""
    sine = taylor.times(taylor.sine(order, m), 2 / math.pi)
    if jnp.iscomplexobj(decay):
        beside = taylor.times(taylor.product(sine, pair.second), jnp.exp(decay))
    else:
        # K may overflow, and the exponential vanish, where the product does not.
        factor, bits = parts_of_exponential(decay)
        beside = taylor.times(taylor.product(sine, pair.scaled), factor)
        beside = scaled(beside, pair.excess + bits)
    return taylor.reflected(taylor.plus(pair.first, beside))


def _even_i(v: jax.Array, z: jax.Array, operators: Sequence[Polynomial], m: int) -> list[Any]:
    """exp(-w) operator(D) d^m/dv^m I_v(z), where `even_parts` has it, and |z| >= 1."""
    order, w = jnp.abs(v), _to_the_right(z)
    out = []
    for right, left in zip(*_both_sides(order, w, operators, m), strict=True):
        pairs = zip(left, right, strict=True)
        second, even = (taylor.where(z.real < 0, a, b) for a, b in pairs)
        beside = taylor.product(
            taylor.sine(order, m), taylor.times(second, jnp.exp(-2 * w) * (1 / math.pi))
        )
        positive = taylor.plus(even, taylor.times(beside, -1.0))
        negative = taylor.reflected(taylor.plus(even, beside))
        out.append(_continued(v, z, taylor.where(v < 0, negative, positive)))
    return out


def _continued(v: jax.Array, z: jax.Array, jet: list[Any]) -> jax.Array:
    """The derivative in the order of I at z, from its expansion in the right half plane."""
    if not jnp.iscomplexobj(z):
        # I is real at integer orders only.
        return jnp.where(z < 0, jnp.nan, taylor.derivative(jet))
    turned = taylor.product(taylor.turn(v, _side(z), len(jet) - 1), jet)  # DLMF 10.34.1
    return taylor.derivative(taylor.where(z.real < 0, turned, jet))


def at_zero(v: jax.Array, z: jax.Array, m: int) -> jax.Array:
    """d^m/dv^m of J_v or I_v at z = 0: that of (z/2)^v/Gamma(v + 1)."""
    if jnp.iscomplexobj(z):
        return jnp.where(v > 0, 0.0, jnp.nan)
    # 1/Gamma(v + 1) is zero at integer orders below 0, and the power of the logarithm lower by one.
    integer = is_integer(v)
    parity = jnp.where(jnp.floor(v) % 2 == 0, -1.0, 1.0)
    sign = jnp.where(v == 0, (-1) ** m, parity * jnp.where(integer, (-1) ** (m - 1), (-1) ** m))
    return jnp.where(v > 0, 0.0, jnp.inf * sign + 0 * v)
