"""Spheroidal radial functions in JAX, with all derivatives in x and c, for rules to use."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci._core.double_precision import native
from jaxsci._core.elementwise_rules import closed, missing
from jaxsci.special._bessel.spherical import spherical_jn, spherical_yn
from jaxsci.special._numerics import folded, taylor, tridiagonal
from jaxsci.special._numerics.nth_derivative import derivative
from jaxsci.special._spheroidal.kernels import first_kind, outgoing
from jaxsci.special._spheroidal.kernels.equation import with_front
from jaxsci.special._spheroidal.kernels.series import (
    eigenvalue,
    family_of,
    in_reach,
    index_of,
    rows,
    weights,
)

_TERMS = 100
# The expansion of the second kind is summed from here on; inwards leads the equation.
_FAR = 3.0
_STEPS = 96
_ORDER = 22
_NEAR = 0.4
_POWERS = 12

Pair = tuple[Any, Any]
Bessel = Callable[[jax.Array, jax.Array, int], Any]


def _square(c: jax.Array, oblate: bool) -> jax.Array:
    """The parameter of the eigenvalue problem, written in one way, so it is solved once."""
    return -c * c if oblate else c * c


def _derivatives(m: Any, n: Any, square: jax.Array, highest: int) -> list[Pair]:
    """Of the terms i^(r+m-n) d_r (2m+r)!/r!, and of the eigenvalue, in c^2, up to an order.

    The terms are over their sum without the powers of i. By perturbation theory.
    """
    r = rows(m, n)
    excess, u, _ = tridiagonal.expansion(family_of(m, n), square, index_of(m, n), highest)
    values = [n * (n + 1) + excess[0], *excess[1:]]
    ratio = (2 * m + r + 1) * (2 * m + r + 2) / ((r + 1) * (r + 2))
    factors = jnp.cumprod(jnp.concatenate([jnp.ones_like(ratio[:1]), ratio[:-1]]), axis=0)
    signs = jnp.where(jnp.floor((r + m - n) / 2) % 2 == 0, 1.0, -1.0)
    terms = [one * weights(m, n) * factors for one in u]
    terms = taylor.quotient(terms, [folded.total(one) for one in terms])
    known = in_reach(square, m, n, values[0])
    return [
        (
            math.factorial(k) * (signs * one)[:_TERMS],
            jnp.where(known, math.factorial(k) * value, jnp.nan),
        )
        for k, (one, value) in enumerate(zip(terms, values, strict=True))
    ]


@functools.partial(jax.custom_jvp, nondiff_argnums=(3,))
def _solved(m: Any, n: Any, square: jax.Array, highest: int = 0) -> list[Pair]:
    """As `_derivatives`, and differentiable: by the next derivative, not through the solver."""
    return _derivatives(m, n, square, highest)


@_solved.defjvp
def _solved_along(
    highest: int, at: Sequence[jax.Array], tangents: Sequence[jax.Array]
) -> tuple[list[Pair], list[Pair]]:
    m, n, square = at
    found = _solved(m, n, square, highest + 1)
    along = [(terms * tangents[2], value * tangents[2]) for terms, value in found[1:]]
    return found[:-1], along


@functools.partial(jax.custom_jvp, nondiff_argnums=(2,))
def _bessel(order: jax.Array, z: jax.Array, kind: int) -> jax.Array:
    """The spherical Bessel function j or y."""
    return (spherical_jn if kind == 1 else spherical_yn)(order, z)


@_bessel.defjvp
def _bessel_along(
    kind: int, at: Sequence[jax.Array], tangents: Sequence[jax.Array]
) -> tuple[jax.Array, jax.Array]:
    # DLMF 10.51.1: all orders are taken without the care that one by itself needs near zero.
    order, z = at
    below, above = _bessel(jnp.maximum(order - 1, 0), z, kind), _bessel(order + 1, z, kind)
    slope = (order * below - (order + 1) * above) / (2 * order + 1)
    return _bessel(order, z, kind), slope * tangents[1]


def _total(terms: Any, values: jax.Array) -> jax.Array:
    product = terms * values
    return folded.total(jnp.where((terms != 0) & jnp.isfinite(product), product, 0.0))


def _sum(
    terms: jax.Array,
    m: Any,
    n: Any,
    c: jax.Array,
    x: jax.Array,
    oblate: bool,
    kind: int,
    bessel: Bessel,
) -> Pair:
    """Value and slope by DLMF 30.11.3."""
    sign = -1 if oblate else 1
    r = rows(m, n)[:_TERMS]
    order, z = (m + r).astype(int), c * x
    here, next_one = bessel(jnp.stack([order, order + 1]), z, kind)
    value = _total(terms, here)
    slope = _total(terms, order / z * here - next_one)
    inside = 1 - sign / (x * x)
    front = inside ** (m / 2)
    return front * value, front * (c * slope + sign * m / (x**3 * inside) * value)


def prolate(
    m: jax.Array, n: jax.Array, c: jax.Array, x: jax.Array, in_c: int
) -> tuple[jax.Array, jax.Array, jax.Array]:
    """The prolate function of the first kind, or a derivative in c; and two derivatives in x."""
    m, n, c, x = jnp.broadcast_arrays(m, n, c, x)
    by_steps = c * x <= first_kind.FARTHEST
    near, far = jnp.where(by_steps, x, 1.5), jnp.where(by_steps, 1e3, x)
    g = first_kind.regular_part(m, n, c, near, in_x=0, in_c=in_c)
    h = outgoing.regular_part(m, n, c, far, kind=1, in_x=0, in_c=in_c)
    return where_each(by_steps, with_front(m, near, g), outgoing.with_front(m, far, h))


def prolate_second(
    m: jax.Array, n: jax.Array, c: jax.Array, x: jax.Array, in_c: int
) -> tuple[jax.Array, jax.Array, jax.Array]:
    """The prolate function of the second kind, or a derivative in c; and two derivatives in x."""
    m, n, c, x = jnp.broadcast_arrays(m, n, c, x)
    large = c > outgoing.LEAST
    at = m, n, jnp.where(large, 1.0, c), x
    pair = radial(*at, oblate=False, kind=2, in_c=in_c)
    inner = *pair, radial_in_x(pair, *at, oblate=False, kind=2, in_c=in_c)[1]
    outside = jnp.where(large, x, 1e3)
    h = outgoing.regular_part(m, n, c, outside, kind=2, in_x=0, in_c=in_c)
    return where_each(large, outgoing.with_front(m, outside, h), inner)


def _start(terms: jax.Array, m: Any, n: Any, c: jax.Array) -> jax.Array:
    """The oblate function of the first kind at 0, or its slope there if it is odd.

    j_k(z) is z^k/(2k+1)!! near 0: all terms but the first vanish.
    """
    odd = (n - m) % 2
    j = jnp.arange(1.0, 2 * _TERMS).reshape(-1, *[1] * m.ndim)
    return terms[0] * folded.product(jnp.where(j <= m + odd, c / (2 * j + 1), 1.0))


def _taylor(
    m: Any, c: jax.Array, a: jax.Array, at: jax.Array, f: Pair, sign: int, count: int
) -> list[Any]:
    """Taylor coefficients at a point of the solution of DLMF 30.2.1 with this value and slope.

    With w = x^2 - sign the equation is w (w f')' = (w (a - c^2 x^2) + sign m^2) f.
    """
    w = [at * at - sign, 2 * at, 1.0]
    w2 = _times(w, w)
    wd = _times(w, [2 * at, 2.0])
    right = _times(w, [a - c * c * at * at, -2 * c * c * at, -c * c])
    right[0] = right[0] + sign * m * m
    out = [f[0], f[1]]
    inverse = -1 / w2[0]  # a quotient for each coefficient would be a kernel for each
    for k in range(count - 2):
        total = 0.0
        for j in range(1, 5):
            if k - j >= 0:
                total = total + w2[j] * out[k - j + 2] * ((k - j + 2) * (k - j + 1))
        for j in range(4):
            if k - j >= 0:
                total = total + wd[j] * out[k - j + 1] * (k - j + 1)
        for j in range(5):
            if k - j >= 0:
                total = total - right[j] * out[k - j]
        out.append(total * inverse * (1 / ((k + 2) * (k + 1))))
    return out


def _times(p: list[Any], q: list[Any]) -> list[Any]:
    out: list[Any] = [0.0] * (len(p) + len(q) - 1)
    for i, x in enumerate(p):
        for j, y in enumerate(q):
            out[i + j] = out[i + j] + x * y
    return out


def _at(series: list[Any], h: jax.Array) -> Pair:
    value = slope = jnp.zeros_like(h)
    for k in range(len(series) - 1, 0, -1):
        value = value * h + series[k]
        slope = slope * h + k * series[k]
    return value * h + series[0], slope


def _led_in(start: Pair, m: Any, c: jax.Array, a: jax.Array, x: jax.Array, oblate: bool) -> Pair:
    """The second kind from _FAR inwards, where it grows: the equation is stable in this sense."""
    sign = -1 if oblate else 1

    def place(k: Any) -> Any:
        part = k / _STEPS
        if oblate:
            return _FAR + (x - _FAR) * part
        # Steps shorten towards the singular point 1.
        return 1 + (_FAR - 1) * ((x - 1) / (_FAR - 1)) ** part

    def step(k: Any, f: Pair) -> Pair:
        at = place(k)
        return _at(_taylor(m, c, a, at, f, sign, _ORDER), place(k + 1) - at)

    return jax.lax.fori_loop(0, _STEPS, step, start)


def _about_zero(m: Any, c: jax.Array, a: jax.Array, odd: jax.Array, x: jax.Array) -> Pair:
    """The oblate solution that starts as 1, or as x if it is odd, and its slope."""
    f = [jnp.zeros_like(x), jnp.zeros_like(x), jnp.ones_like(x)]  # from x^(odd - 4) on, by x^2
    for j in range(_POWERS):
        k = 2 * j + odd
        total = ((a - m * m) - 2 * k * k) * f[-1] + ((a - c * c) - (k - 2) * (k - 1)) * f[-2]
        f.append((total - c * c * f[-3]) / ((k + 2) * (k + 1)))
    value = slope = jnp.zeros_like(x)
    square = x * x
    for j in range(_POWERS, 0, -1):
        value = value * square + f[j + 2]
        slope = slope * square + (2 * j + odd) * f[j + 2]
    value, slope = value * square + 1, slope * jnp.where(odd, square, x) + odd
    return jnp.where(odd, x, 1.0) * value, slope


@native(results=2)
def radial(
    m: Any, n: Any, c: jax.Array, x: jax.Array, *, oblate: bool, kind: int, in_c: int
) -> Pair:
    """The radial function and its slope, or a derivative in c: of the kinds that `both_at` has."""
    return derivative(lambda c: both_at(m, n, c, x, oblate, kind, _bessel), in_c)(c)


def both_at(
    m: Any, n: Any, c: jax.Array, x: jax.Array, oblate: bool, kind: int, bessel: Bessel
) -> Pair:
    """The function and its slope, by spherical Bessel functions j or y (kind 1 or 2).

    Oblate, of either kind, or prolate of the second; `prolate` has those of the first.
    """
    m, n, c, x = jnp.broadcast_arrays(m, n, c, x)
    [(terms, a)] = _solved(m, n, _square(c, oblate))
    if kind == 2:
        far = x >= _FAR
        inside = (x >= 0) if oblate else (x > 1)
        outer = _sum(terms, m, n, c, jnp.where(far, x, _FAR), oblate, kind, bessel)
        near = _led_in(outer, m, c, a, jnp.where(far | ~inside, _FAR - 1, x), oblate)
        found = where_each(far, outer, near)
        return where_each(inside, found, (jnp.nan, jnp.nan))
    # Even or odd, which the sum does not show near 0.
    near, inner = _about_zero_of_first_kind(terms, a, m, n, c, x)
    beyond = _sum(terms, m, n, c, jnp.where(near, 1.0, x), oblate, kind, bessel)
    return where_each(near, inner, beyond)


def oblate_at_ends(
    m: Any, n: Any, c: jax.Array, x: jax.Array, far: jax.Array, bessel: Bessel
) -> Pair:
    """The oblate function of the first kind and its slope, NaN where x is neither small nor far."""
    m, n, c, x = jnp.broadcast_arrays(m, n, c, x)
    [(terms, a)] = _solved(m, n, _square(c, oblate=True))
    near, inner = _about_zero_of_first_kind(terms, a, m, n, c, x)
    out_there = jnp.where(far, c, 1.0), jnp.where(far, x, 1e3)
    outer = _sum(terms, m, n, *out_there, oblate=True, kind=1, bessel=bessel)
    return where_each(near, inner, where_each(far, outer, (jnp.nan, jnp.nan)))


def _about_zero_of_first_kind(
    terms: Any, a: jax.Array, m: jax.Array, n: jax.Array, c: jax.Array, x: jax.Array
) -> tuple[jax.Array, Pair]:
    """Where the power series of the oblate function serves, and the function and its slope."""
    size = jnp.abs(a) + c * c + m * m + 1
    near = jnp.abs(x) * jnp.sqrt(size) < _NEAR
    start, odd = _start(terms, m, n, c), (n - m) % 2 != 0
    value, slope = _about_zero(m, c, a, odd.astype(int), jnp.where(near, x, 0.0))
    return near, (start * value, start * slope)


def where_each(condition: jax.Array, f: Sequence[Any], g: Sequence[Any]) -> Any:
    """A function and its derivatives, from one tuple or another."""
    return tuple(jnp.where(condition, a, b) for a, b in zip(f, g, strict=True))


def radial_in_x(
    y: Pair,
    m: jax.Array,
    n: jax.Array,
    c: jax.Array,
    x: jax.Array,
    given: jax.Array | None = None,
    *,
    oblate: bool,
    kind: int,
    in_c: int = 0,
) -> Pair:
    """The derivatives of both, y, in x: of the slope by DLMF 30.2.1, differentiated in c.

    The eigenvalue may be given where c is not differentiated in.
    """
    sign = -1 if oblate else 1
    w = x * x - sign
    pairs = [radial(m, n, c, x, oblate=oblate, kind=kind, in_c=k) for k in range(in_c)] + [y]
    total = -2 * x * y[1]
    for k in range(in_c + 1):
        if given is None:
            factor = derivative(lambda c: eigenvalue(m, n, _square(c, oblate), order=0), k)(c)
        else:
            factor = given
        square = (c * c, 2 * c, 2.0)
        if k < 3:
            factor = factor - square[k] * x * x
        if k == 0:
            factor = factor + sign * m * m / w
        total = total + math.comb(in_c, k) * factor * pairs[in_c - k][0]
    return y[1], total / w


radial.partials(
    m=missing("it is an integer"),
    n=missing("it is an integer"),
    c=closed(
        "perturbation theory, variational equation",
        lambda y, *at, oblate, kind, in_c: radial(*at, oblate=oblate, kind=kind, in_c=in_c + 1),
    ),
    x=closed("DLMF 30.2.1, 30.11.3", radial_in_x),
)
