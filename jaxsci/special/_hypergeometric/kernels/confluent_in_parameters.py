"""Kummer's M(a, b, x) and Tricomi's U(a, b, x) differentiated in a, b and x, to every order.

By Taylor steps of their differential equation (`_numerics/hypergeometric_equations.py`), and far
out by the expansions for large x (DLMF 13.7.2, 13.7.3). JAX differentiates either in a and b as it
stands.

Where M and U are polynomials, and are not differentiated in a, their derivatives are polynomials
too, much smaller than other solutions. They are by the recurrence in the degree (DLMF 13.3.1),
written for differences.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci._core.double_precision import tower
from jaxsci.special._hypergeometric.kernels.integer_parameters import is_degree
from jaxsci.special._numerics.blocks import by_blocks
from jaxsci.special._numerics.gamma_factors import gamma_quotient, is_pole, reciprocal_gamma, rising
from jaxsci.special._numerics.half_turns import cosine_and_sine_of_pi
from jaxsci.special._numerics.hypergeometric_equations import (
    kummer,
    steps_of_kummer,
    steps_of_tricomi,
    tricomi,
)
from jaxsci.special._numerics.nth_derivative import mixed_derivative
from jaxsci.special._numerics.plane import over
from jaxsci.special._numerics.recurrences import by_recurrence

_LARGEST = 1e4
_LEAST = -20.0
_FARTHEST = 1e3
_LARGEST_OF_TRICOMI = 100.0
_MOST_DEGREE = 1e3
_FAR = 40.0
_TERMS = 60
_LEAST_QUOTIENT = -5.0


@tower("DLMF 13.3.16", a="i", b="j", x="n")
def kummer_in_parameters(
    a: jax.Array, b: jax.Array, x: jax.Array, *, i: int, j: int, n: int
) -> jax.Array:
    """The i-th derivative in a, the j-th in b and the n-th in x of M(a, b, x)."""

    def differentiated(a: jax.Array, b: jax.Array, x: jax.Array) -> jax.Array:
        p, q = (1 + jnp.abs(a)), (1 + jnp.abs(b - a))
        size = jnp.abs(x)
        far = (size >= _FAR + 2 * (p + q) + p * q) & (size < jnp.inf)
        pole = is_pole(b)
        served = (jnp.abs(a) <= _LARGEST) & (b >= _LEAST) & (b <= _LARGEST)
        known = served & (far | (size <= _FARTHEST)) & ~pole
        near, far = known & ~far, known & far

        def function(a: jax.Array, b: jax.Array) -> jax.Array:
            up, on = a + n, b + n
            inner = kummer(
                jnp.where(near, up, 1.0), jnp.where(near, on, 1.0), jnp.where(near, x, 0.0)
            )
            outer = _far_out(
                jnp.where(far, up, 1.0), jnp.where(far, on, 1.0), jnp.where(far, x, 90.0)
            )
            return jnp.where(far, outer, inner) * (rising(a, n) / rising(b, n))

        at = jnp.where(known, a, 1.0), jnp.where(known, b, 1.0)
        value = jnp.where(known, mixed_derivative(function, at, (i, j)), jnp.nan)
        if i:
            return value
        good = pole & (a >= b) if not jnp.iscomplexobj(x) else False
        integer = is_degree(a, _MOST_DEGREE) & (~pole | good)

        def polynomial(b: jax.Array) -> jax.Array:
            value = _kummers_polynomial(jnp.where(integer, -a - n, 0.0), b + n, x)
            return value * (rising(a, n) / rising(b, n))

        b = jnp.where(integer, b, 1.0)
        return jnp.where(integer, mixed_derivative(polynomial, (b,), (j,)), value)

    return by_blocks(differentiated, a, b, x, steps=steps_of_kummer(a, b, x))


@tower("DLMF 13.3.23", a="i", b="j", x="n")
def tricomi_in_parameters(
    a: jax.Array, b: jax.Array, x: jax.Array, *, i: int, j: int, n: int
) -> jax.Array:
    """The i-th derivative in a, the j-th in b and the n-th in x of U(a, b, x)."""

    def differentiated(a: jax.Array, b: jax.Array, x: jax.Array) -> jax.Array:
        moderate = (jnp.abs(a) <= _LARGEST_OF_TRICOMI) & (jnp.abs(b) <= _LARGEST_OF_TRICOMI)
        known = moderate & (x > 0) & (x < jnp.inf)
        sign = (-1.0) ** n

        def function(a: jax.Array, b: jax.Array) -> jax.Array:
            return sign * rising(a, n) * tricomi(a + n, b + n, jnp.where(known, x, 50.0))

        at = jnp.where(known, a, 1.0), jnp.where(known, b, 1.0)
        value = jnp.where(known, mixed_derivative(function, at, (i, j)), jnp.nan)
        finite = moderate & (x == 0) & (b + n < 1)
        at = jnp.where(finite, a, 1.0), jnp.where(finite, b, -1.0 - n)
        at_zero = mixed_derivative(lambda a, b: _tricomi_at_zero(a, b, n), at, (i, j))
        value = jnp.where(finite, at_zero, value)
        if i:
            return value
        integer = is_degree(a, _MOST_DEGREE) & (x >= 0)

        def polynomial(b: jax.Array) -> jax.Array:
            degree = jnp.where(integer, -a - n, 0.0)
            return sign * rising(a, n) * _tricomis_polynomial(degree, b + n, x)

        return jnp.where(integer, mixed_derivative(polynomial, (b,), (j,)), value)

    return by_blocks(differentiated, a, b, x, steps=steps_of_tricomi(a, b, x))


def _tricomi_at_zero(a: jax.Array, b: jax.Array, n: int) -> jax.Array:
    """The n-th derivative of U(a, b, x) at x = 0, for b + n < 1 (DLMF 13.2.20 to 13.2.22)."""
    factors, logarithms = reciprocal_gamma(jnp.stack([a - b + 1, 1 - b - n]))
    front = (-1.0) ** n * rising(a, n)
    return front * factors[0] / factors[1] * jnp.exp(logarithms[0] - logarithms[1])


def _kummers_polynomial(n: jax.Array, b: jax.Array, x: jax.Array) -> jax.Array:
    """M(-n, b, x)."""

    def step(k: jax.Array, value: jax.Array, d: jax.Array) -> tuple[jax.Array, jax.Array]:
        d = (k * d - x * value) * (1 / (b + jnp.where(k < n, k, 0.0)))
        return value + d, d

    one = jnp.ones_like(b * x)
    return by_recurrence(n, step, (one, jnp.zeros_like(one)))[0]


def _tricomis_polynomial(n: jax.Array, b: jax.Array, x: jax.Array) -> jax.Array:
    """U(-n, b, x)."""

    def step(k: jax.Array, value: jax.Array, e: jax.Array) -> tuple[jax.Array, jax.Array]:
        e = -k * e + x * value
        return e - (b + k) * value, e

    one = jnp.ones_like(b * x)
    return by_recurrence(n, step, (one, jnp.zeros_like(one)))[0]


def sums_far_out(a: jax.Array, b: jax.Array, x: jax.Array) -> tuple[jax.Array, jax.Array]:
    """The sums in the expansion of M for large |x|: of what grows, and of the other part."""
    inverse = over(1.0, x)

    def add(k: Any, sums: Sequence[jax.Array]) -> Any:
        k = k.astype(float)
        growing, other, total, of_other = sums
        growing = growing * inverse * ((1 - a + k) * (b - a + k) / (k + 1))
        other = other * inverse * (-(a + k) * (a - b + 1 + k) / (k + 1))
        return growing, other, total + growing, of_other + other

    one = jnp.ones_like(a * b * x)
    _, _, total, of_other = jax.lax.fori_loop(0, _TERMS, add, (one,) * 4)
    return total, of_other


def _far_out(a: jax.Array, b: jax.Array, x: jax.Array) -> jax.Array:
    """M by the expansions for large |x|."""
    total, of_other = sums_far_out(a, b, x)
    factors, logarithms = reciprocal_gamma(jnp.stack([a, b, b - a]))
    of_a, of_b, of_rest = zip(factors, logarithms, strict=True)
    is_complex = jnp.iscomplexobj(x)
    size = jnp.log(x if is_complex else jnp.abs(x))
    # By halves: what is infinite may have another factor that makes it a number.
    half = jnp.exp((of_a[1] - of_b[1] + x + (a - b) * size) / 2)
    growing = half * (of_a[0] / of_b[0] * total) * half
    root = jnp.exp(-a * size / 2)
    algebraic = root * (gamma_quotient_at(a, b, of_b, of_rest) * of_other) * root
    if not is_complex:
        return jnp.where(x > 0, growing, algebraic)
    c, s = cosine_and_sine_of_pi(a)
    return growing + jax.lax.complex(c, jnp.where(x.imag < 0, -s, s)) * algebraic


def gamma_quotient_at(a: jax.Array, b: jax.Array, of_b: Any, of_rest: Any) -> jax.Array:
    """Gamma(b)/Gamma(b - a); for small a its derivative in b is as small."""
    close = (b > _LEAST_QUOTIENT) & (b - a > _LEAST_QUOTIENT) & (jnp.abs(a) <= jnp.abs(b) / 2)
    quotient = gamma_quotient(jnp.where(close, b - a, 1.0), jnp.where(close, a, 0.0))
    general = jnp.exp(of_rest[1] - of_b[1]) * (of_rest[0] / of_b[0])
    return jnp.where(close, quotient, general)
