"""Modified Mathieu functions as sums of products of Bessel functions, for rules to use.

Everything is carried along as a Taylor polynomial in the change of q: the Fourier coefficients by
perturbation theory, the Bessel functions by their derivatives in the argument (DLMF 10.6.7).
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci._core.double_precision import native
from jaxsci._core.elementwise_rules import closed, missing
from jaxsci.special._bessel.kernels.orders_from_zero import j_of_orders, y_of_orders
from jaxsci.special._mathieu.kernels.series import characteristic_value, family_of
from jaxsci.special._numerics import folded, taylor, tridiagonal
from jaxsci.special._numerics.taylor import Taylor

_TERMS = 100
_COUNT = 2 * _TERMS + 4
"""Of Bessel functions; each derivative takes one more."""
_NEGLIGIBLE = 1e-25
_NEAR = 0.5
_POWERS = 8


def _of_root(z: jax.Array, q: jax.Array, n: int) -> list[jax.Array]:
    """The expansion of z sqrt((q + e)/q)."""
    out = [z]
    for j in range(n):
        out.append(out[-1] * (0.5 - j) / (j + 1) / q)
    return out


def _of_all_orders(values: jax.Array, z: Taylor) -> list[jax.Array]:
    """Expansions of Bessel functions of orders 0, 1, ... from their values at z_0 (DLMF 10.6.1)."""
    n = len(z) - 1
    derivative, power = values, [jnp.ones_like(z[0])] + [jnp.zeros_like(z[0])] * n
    change = [jnp.zeros_like(z[0]), *z[1:]]
    size = values.shape[0] - n
    out = [jnp.zeros_like(values[:size])] * (n + 1)
    for k in range(n + 1):
        out = [total + derivative[:size] * part for total, part in zip(out, power, strict=True)]
        if k < n:
            # One of order -1 is minus that of order 1.
            lower = jnp.concatenate([-derivative[1:2], derivative[:-2]])
            derivative = (lower - derivative[1:]) / 2
            power = taylor.times(taylor.product(power, change), 1 / (k + 1))
    return out


def _slopes(values: Taylor) -> list[jax.Array]:
    """Their derivatives, of all orders but the last (DLMF 10.6.1)."""
    return [jnp.concatenate([-one[1:2], (one[:-2] - one[2:]) / 2]) for one in values]


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class _Coefficients:
    """Of the Fourier series of an order, as expansions in q."""

    a: list[jax.Array]
    """The coefficients, along the first axis."""
    largest: jax.Array
    """The place of the largest."""
    value: list[jax.Array]
    """The characteristic value."""
    index: jax.Array
    """The order's number among those of its kind."""


def _coefficients(m: Any, q: jax.Array, even: bool, in_q: int) -> _Coefficients:
    family, index, frequency = family_of(m, q, even)
    values, vectors, _ = tridiagonal.expansion(family, q, index, in_q)
    if even:
        constant = frequency == 0
        vectors = [jnp.where(constant, one / jnp.sqrt(2.0), one) for one in vectors]
    s = jnp.argmax(jnp.abs(vectors[0]), axis=0)
    # Those that are left out do not matter.
    last, most = jnp.abs(vectors[0][_TERMS - 1]), jnp.max(jnp.abs(vectors[0]), axis=0)
    known = (last < _NEGLIGIBLE * most) & (s < _TERMS)
    a = [jnp.where(known, vector[:_TERMS], jnp.nan) for vector in vectors]
    return _Coefficients(a, jnp.minimum(s, _TERMS - 1), values, index)


@dataclass(frozen=True)
class _Cylinders:
    """Bessel functions of all orders from 0 on, as expansions in q, and their derivatives in x."""

    near: Taylor
    """Of sqrt(q) exp(-x)."""
    far: Taylor
    """Of sqrt(q) exp(x)."""
    near_slope: Taylor
    far_slope: Taylor


def _cylinders(near: Taylor, far: Taylor, of_near: Taylor, of_far: Taylor) -> _Cylinders:
    """From the arguments, and what there is of all orders there."""
    return _Cylinders(
        of_near,
        of_far,
        taylor.times(taylor.product(_slopes(of_near), near), -1.0),
        taylor.product(_slopes(of_far), far),
    )


def _of_first_kind(q: jax.Array, x: jax.Array, in_q: int) -> _Cylinders:
    near, far = (_of_root(jnp.sqrt(q) * jnp.exp(t), q, in_q) for t in (-x, x))
    both = j_of_orders(jnp.stack([near[0], far[0]]), _COUNT + in_q)  # one loop
    return _cylinders(near, far, _of_all_orders(both[:, 0], near), _of_all_orders(both[:, 1], far))


def _of_both_kinds(q: jax.Array, x: jax.Array, in_q: int) -> _Cylinders:
    """Along a new axis, those of the second kind at x and at 0, and of the first kind there."""
    near, far, root = (_of_root(jnp.sqrt(q) * jnp.exp(t), q, in_q) for t in (-x, x, 0 * x))
    every = [jnp.stack(zs) for zs in zip(near, far, root, strict=True)]
    j = _of_all_orders(j_of_orders(every[0], _COUNT + in_q), every)
    outer = [z[1:] for z in every]
    y = _of_all_orders(y_of_orders(outer[0], _COUNT + in_q), outer)
    inside, outside = jnp.array([0, 2, 0, 2]), jnp.array([1, 2, 1, 2])
    return _cylinders(
        [z[inside] for z in every],
        [z[outside] for z in every],
        [one[:, inside] for one in j],
        [jnp.concatenate([one, two[:, 1:]], 1) for one, two in zip(y, j, strict=True)],
    )


def _taken(bessel: _Cylinders, n: jax.Array) -> _Cylinders:
    """Those of orders n, which may be negative, along the first axis."""
    kinds = bessel.near, bessel.far, bessel.near_slope, bessel.far_slope
    last = bessel.near_slope[0].shape[0]
    # Each look-up is a program of its own.
    all_of_them = jnp.stack([one[:last] for kind in kinds for one in kind])
    found = jnp.take_along_axis(all_of_them, jnp.abs(n)[None], axis=1)
    found = jnp.where((n < 0) & (n % 2 != 0), -found, found)
    rows = iter(found)
    return _Cylinders(*([next(rows) for _ in kind] for kind in kinds))


def _series(
    found: _Coefficients, bessel: _Cylinders, m: Any, even: bool, slopes: set[bool]
) -> dict[bool, list[jax.Array]]:
    """DLMF 28.24.2 to 28.24.5: of the many such sums, the one that cancels least."""
    a, s = found.a, found.largest
    k = jnp.arange(_TERMS).reshape(-1, *[1] * s.ndim)
    odd = (m % 2).astype(int)
    gap, sign = (odd, 1) if even else (2 - odd, -1)
    below, above = _taken(bessel, k - s), _taken(bessel, k + s + gap)

    def product(of_near: _Cylinders, of_far: _Cylinders, slope: bool) -> list[jax.Array]:
        if not slope:
            return taylor.product(of_near.near, of_far.far)
        outer = taylor.product(of_near.near, of_far.far_slope)
        return taylor.plus(outer, taylor.product(of_near.near_slope, of_far.far))

    divisor = [jnp.take_along_axis(one, s[None], axis=0) for one in a]
    weight = taylor.quotient([jnp.where(k % 2 == 0, one, -one) for one in a], divisor)
    counts = sum(jnp.abs(one) for one in weight) > _NEGLIGIBLE

    def total(slope: bool) -> list[jax.Array]:
        others = taylor.times(product(above, below, slope), sign)
        pairs = taylor.plus(product(below, above, slope), others)
        sums = [folded.total(jnp.where(counts, one, 0.0)) for one in taylor.product(weight, pairs)]
        if even:
            sums = [jnp.where((s == 0) & (odd == 0), one / 2, one) for one in sums]
        return [jnp.where(found.index % 2 == 0, one, -one) for one in sums]

    return {slope: total(slope) for slope in slopes}


def _about_zero(a: Taylor, q: Taylor, x: jax.Array, even: bool, slope: bool) -> list[jax.Array]:
    """The solution of 28.20.1 that starts as 1 (even) or x, or its slope, by its power series."""
    zero = jnp.zeros_like(x)
    c: list[Sequence[jax.Array]] = [[zero + 1] + [zero] * (len(a) - 1)]  # of x^(2k), or x^(2k + 1)
    start = 0 if even else 1
    for k in range(_POWERS):
        total = taylor.product(a, c[k])
        for j in range(k + 1):
            factor = -2 * 4.0**j / math.factorial(2 * j)
            total = taylor.plus(total, taylor.times(taylor.product(q, c[k - j]), factor))
        n = 2 * k + start
        c.append(taylor.times(total, 1 / ((n + 1) * (n + 2))))
    powers = [(2 * k + start, one) for k, one in enumerate(c)]
    if slope:
        terms = [taylor.times(one, n * x ** (n - 1)) for n, one in powers if n]
    else:
        terms = [taylor.times(one, x**n) for n, one in powers]
    return functools.reduce(taylor.plus, terms)


def _expansions(
    m: Any, q: jax.Array, x: jax.Array, even: bool, kind: int, slopes: Sequence[bool], in_q: int
) -> list[Sequence[jax.Array]]:
    """Those of the function (not a slope) and of its slope, or of one of them."""
    m, q, x = jnp.broadcast_arrays(m, q, x)
    of_order = _coefficients(m, q, even, in_q)
    if kind == 2:
        return _of_second_kind(of_order, m, q, x, even, slopes, in_q)
    # Mc1 is even and Ms1 is odd, which the sums of products do not show.
    a = of_order.value
    near = jnp.abs(x) * jnp.sqrt(1 + jnp.abs(a[0]) + 2 * jnp.abs(q)) < _NEAR
    bessel = _of_first_kind(q, jnp.where(near, 0.0, x), in_q)
    series = _series(of_order, bessel, m, even, {not even, *slopes})
    base = series[not even]
    change = taylor.line(q, 1.0, in_q)
    found = []
    for slope in slopes:
        about_zero = _about_zero(a, change, jnp.where(near, x, 0), even, slope)
        found.append(taylor.where(near, taylor.product(base, about_zero), series[slope]))
    return found


def _of_second_kind(
    of_order: _Coefficients,
    m: jax.Array,
    q: jax.Array,
    x: jax.Array,
    even: bool,
    slopes: Sequence[bool],
    in_q: int,
) -> list[Sequence[jax.Array]]:
    """For x < 0, where the sums cancel, from the solution at -x and its even or odd part there.

    That part is a multiple of the function of the first kind, which the values at 0 tell.
    """
    four = jax.tree.map(lambda one: jnp.stack([one] * 4, one.ndim - m.ndim), of_order)
    bessel = _of_both_kinds(q, jnp.abs(x), in_q)
    orders = jnp.stack([m] * 4)
    series = _series(four, bessel, orders, even, {not even, *slopes})
    at_zero = series[not even]
    ratio = taylor.quotient([one[1] for one in at_zero], [one[3] for one in at_zero])
    found = []
    for slope in slopes:
        second, first = ([one[i] for one in series[slope]] for i in (0, 2))
        part = taylor.times(taylor.product(ratio, first), 2.0)
        turned = taylor.plus(part, taylor.times(second, -1.0))
        turned = taylor.times(turned, 1.0 if even != slope else -1.0)
        found.append(taylor.where(x < 0, turned, second))
    return found


@native(results=2)
def radial(
    m: Any, q: jax.Array, x: jax.Array, *, even: bool, kind: int, in_q: int
) -> tuple[jax.Array, jax.Array]:
    """Mc_m or Ms_m of the first or second kind, and its slope; or a derivative in q of both."""
    value, slope = _expansions(m, q, x, even, kind, (False, True), in_q)
    scale = math.factorial(in_q)
    return scale * value[in_q], scale * slope[in_q]


def radial_in_x(
    m: jax.Array, q: jax.Array, x: jax.Array, *, even: bool, kind: int, in_q: int = 0
) -> tuple[jax.Array, jax.Array]:
    """The derivatives of `radial` in x: the slope's is 28.20.1, differentiated in q."""
    terms = []
    for j in range(in_q + 1):
        factor = characteristic_value(m, q, even=even, order=j)
        if j < 2:
            factor = factor - 2 * (q if j == 0 else 1.0) * jnp.cosh(2 * x)
        value, slope = radial(m, q, x, even=even, kind=kind, in_q=in_q - j)
        terms.append((math.comb(in_q, j) * factor * value, slope))
    return terms[0][1], sum(term for term, _ in terms[1:]) + terms[0][0]


radial.partials(
    m=missing("it is an integer"),
    q=closed(
        "perturbation theory",
        lambda y, *at, in_q, **kind: radial(*at, in_q=in_q + 1, **kind),
    ),
    x=closed("DLMF 28.20.1", lambda y, *at, **static: radial_in_x(*at, **static)),
)
