"""Modified Mathieu functions as sums of products of Bessel functions, for rules to use."""

from __future__ import annotations

import math
from typing import Any

import jax.numpy as jnp

from jaxsci._core.double_precision import native
from jaxsci._core.elementwise_rules import closed, missing
from jaxsci.special._bessel.real_order import jv, yv
from jaxsci.special._mathieu.kernels.series import characteristic_value, family_of
from jaxsci.special._numerics import folded, tridiagonal

_TERMS = 100
_NEGLIGIBLE = 1e-25
_NEAR = 0.5
_POWERS = 8


def _series(m: Any, q: Any, x: Any, even: bool, kind: int, slope: bool) -> Any:
    """DLMF 28.24.2 to 28.24.5: of the many such sums, the one that cancels least."""
    family, index, _ = family_of(m, q, even)
    _, vectors, _ = tridiagonal.expansion(family, q, index, 0)
    a = vectors[0][:_TERMS]
    k = jnp.arange(_TERMS).reshape(-1, *[1] * q.ndim)
    odd = (m % 2).astype(int)
    if even:
        a = jnp.where((k == 0) & (odd == 0), a / jnp.sqrt(2.0), a)
    s = jnp.argmax(jnp.abs(a), axis=0)
    gap, sign = (odd, 1) if even else (2 - odd, -1)
    near, far = jnp.sqrt(q) * jnp.exp(-x), jnp.sqrt(q) * jnp.exp(x)
    orders = jnp.arange(2 * _TERMS + 4.0).reshape(-1, *[1] * q.ndim)
    of_near, of_far = jv(orders, near), (jv if kind == 1 else yv)(orders, far)

    def at(values: Any, n: Any) -> Any:
        found = jnp.take_along_axis(values, jnp.abs(n), axis=0)
        return jnp.where((n < 0) & (n % 2 != 0), -found, found)

    def slope_at(values: Any, n: Any) -> Any:
        return (at(values, n - 1) - at(values, n + 1)) / 2

    def product(n: Any, l: Any) -> Any:
        if not slope:
            return at(of_near, n) * at(of_far, l)
        outer = far * at(of_near, n) * slope_at(of_far, l)
        return outer - near * slope_at(of_near, n) * at(of_far, l)

    denominator = jnp.take_along_axis(a, s[None], axis=0)[0]
    weight = jnp.where(k % 2 == 0, a, -a) / denominator
    terms = weight * (product(k - s, k + s + gap) + sign * product(k + s + gap, k - s))
    total = folded.total(jnp.where(jnp.abs(weight) > _NEGLIGIBLE, terms, 0.0))
    if even:
        total = jnp.where((s == 0) & (odd == 0), total / 2, total)
    return jnp.where(index % 2 == 0, total, -total)


def _about_zero(a: Any, q: Any, x: Any, even: bool, slope: bool) -> Any:
    """The solution of 28.20.1 that starts as 1 (even) or x, or its slope, by its power series."""
    c = [jnp.ones_like(x)]  # of x^(2k), or x^(2k + 1)
    start = 0 if even else 1
    for k in range(_POWERS):
        total = a * c[k]
        for j in range(k + 1):
            total = total - 2 * q * 4.0**j / math.factorial(2 * j) * c[k - j]
        n = 2 * k + start
        c.append(total / ((n + 1) * (n + 2)))
    powers = [(2 * k + start, one) for k, one in enumerate(c)]
    if slope:
        return sum(n * one * x ** (n - 1) for n, one in powers if n)
    return sum(one * x**n for n, one in powers)


@native()
def radial(m: Any, q: Any, x: Any, *, even: bool, kind: int, slope: bool) -> Any:
    """Mc_m or Ms_m of the first or second kind, or its slope."""
    m, q, x = jnp.broadcast_arrays(m, q, x)
    if kind == 2:
        return _series(m, q, x, even, kind, slope)
    # Mc1 is even and Ms1 is odd, which the sums of products do not show.
    a = characteristic_value(m, q, even=even, order=0)
    near = jnp.abs(x) * jnp.sqrt(1 + jnp.abs(a) + 2 * jnp.abs(q)) < _NEAR
    series = _series(m, q, jnp.where(near, 0.0, x), even, kind, slope)
    if slope == even:
        base = _series(m, q, jnp.zeros_like(x), even, kind, not even)
        series = jnp.where(near, base, series)
    return jnp.where(near, series * _about_zero(a, q, jnp.where(near, x, 0), even, slope), series)


def curvature(m: Any, q: Any, x: Any, even: bool, value: Any) -> Any:
    """The second derivative, by DLMF 28.20.1."""
    a = characteristic_value(m, q, even=even, order=0)
    return (a - 2 * q * jnp.cosh(2 * x)) * value


def _in_x(y: Any, m: Any, q: Any, x: Any, *, even: bool, kind: int, slope: bool) -> Any:
    value = radial(m, q, x, even=even, kind=kind, slope=not slope)
    return curvature(m, q, x, even, value) if slope else value


radial.partials(
    m=missing("it is an integer"),
    q=missing("it is not implemented yet"),
    x=closed("DLMF 28.24, 28.20.1", _in_x),
)
