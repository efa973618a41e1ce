"""Derivatives of zeta functions in the exponent, of every order.

By the sum of Euler and Maclaurin (DLMF 25.11.7), in Taylor polynomials in the exponent, as F.
Johansson does (2015, Numerical Algorithms 69:253):

    zeta(s, q) = sum over k < n of (k + q)^-s
                 + w^(1-s) (1/(s - 1) + 1/(2w) + sum over j of B_2j/(2j)! (s)_(2j-1) w^(-2j)),

with w = n + q. The pole stands alone in 1/(s - 1), and for large s the sum has the digits of its
largest term: that of k = 1 for Riemann's function, since log(1) is zero. With w beyond 12 and
beyond 0.8 |Im s|, twelve terms of the last sum are enough for every s to the right of -1/2. To the
left of that, and of 0 off the real axis, Riemann's function follows by its functional equation
(DLMF 25.4.2), in Taylor polynomials as well: the sine is one of pi x/2, whose zeros are exact.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci._core.double_precision import NativeFunction, native
from jaxsci._core.elementwise_rules import closed
from jaxsci._core.types import PyTree
from jaxsci.special._gamma.kernels.polygamma import polygamma_function
from jaxsci.special._numerics import taylor
from jaxsci.special._numerics.bernoulli import BERNOULLI

_LEAST_TERMS = 12
_TERMS_BY_HEIGHT = 0.8
_LARGEST_HEIGHT = 1e5
"""NaN beyond: the sum has as many terms as |Im s| is high."""
_LEFT = -0.5
_NO_TAIL = 400.0  # from here on 12^(1-s) is zero
_NO_OVERFLOW = 600.0


@native()
def hurwitz_in_exponent(x: jax.Array, q: jax.Array, *, order: int) -> jax.Array:
    """A derivative of zeta(x, q) in x, for x >= 1 and q >= 0."""
    # At a negative q the powers are real numbers for integer x alone.
    known = (x >= 1) & (q >= 0)
    sums = _euler_maclaurin(jnp.where(known, x, 2.0), jnp.where(known, q, 1.0), order)
    return jnp.where(known, taylor.derivative(sums), jnp.nan)


def _in_q(y: jax.Array, x: jax.Array, q: jax.Array, *, order: int) -> jax.Array:
    """The product rule for -x zeta(x + 1, q)."""
    slope = -x * hurwitz_in_exponent(x + 1, q, order=order)
    if order:
        slope = slope - order * hurwitz_in_exponent(x + 1, q, order=order - 1)
    return jnp.where(x < 1, y, slope)  # x + 1 has not the digits of a small x


hurwitz_in_exponent.partials(
    x=closed("DLMF 25.11.1", lambda y, x, q, *, order: hurwitz_in_exponent(x, q, order=order + 1)),
    q=closed("DLMF 25.11.17", _in_q),
)


def riemann_by(
    gammaln: Callable[..., Any], loggamma: Callable[..., Any], psi: Callable[..., Any]
) -> NativeFunction:
    """Derivatives of Riemann's function, of real and of complex x."""

    @native()
    def riemann_in_exponent(x: jax.Array, *, order: int) -> jax.Array:
        """A derivative of zeta(x)."""
        if jnp.iscomplexobj(x):
            known = jnp.abs(x.imag) <= _LARGEST_HEIGHT
            x = jnp.where(known, x, jnp.nan)
        left = x.real < _LEFT
        if jnp.iscomplexobj(x):
            left = left | ((x.real < 0) & (jnp.abs(x.imag) > -_LEFT))
        right = jnp.where(left, 1 - x, x)
        sums = _euler_maclaurin(right, 1.0, order)
        z = jnp.where(left, right, 2.0)  # 1 - x
        logarithm = (loggamma if jnp.iscomplexobj(x) else gammaln)(z) - z * math.log(2 * math.pi)
        slopes = [math.log(2 * math.pi) - psi(z)]
        for k in range(2, order + 1):
            slopes.append((-1) ** k / math.factorial(k) * polygamma_function(z, n=k - 1))
        sine, height = _scaled_sine(jnp.where(left, x, -1.0), order)
        logarithm = logarithm + height
        # Neither sine nor factor is zero then where the derivative overflows.
        excess = jnp.maximum(logarithm.real - _NO_OVERFLOW, 0.0)
        factor = taylor.exponential([logarithm - excess, *slopes][: order + 1])
        reflected = taylor.product(taylor.product(factor, sine), taylor.reflected(sums))
        turned = taylor.derivative(reflected)
        # Not by a complex infinity, which would make NaN of a zero.
        scale = jnp.exp(excess)
        if jnp.iscomplexobj(x):
            turned = jax.lax.complex(2 * scale * turned.real, 2 * scale * turned.imag)
        else:
            turned = 2 * scale * turned
        return jnp.where(left, turned, taylor.derivative(sums))

    riemann_in_exponent.partials(
        x=closed("DLMF 25.2.1", lambda y, x, *, order: riemann_in_exponent(x, order=order + 1))
    )
    return riemann_in_exponent


def _scaled_sine(x: jax.Array, m: int) -> tuple[list[Any], Any]:
    """The sine of pi (x + e)/2 over exp(height), and the height pi |Im x|/2."""
    s, c = taylor.sine(x.real / 2, 1), taylor.cosine(x.real / 2, 1)
    sine, cosine, height = s[0], c[0], jnp.zeros_like(x.real)
    if jnp.iscomplexobj(x):
        height = jnp.pi / 2 * jnp.abs(x.imag)
        cosh, sinh = (1 + jnp.exp(-2 * height)) / 2, -jnp.expm1(-2 * height) / 2
        sinh = jnp.where(x.imag < 0, -sinh, sinh)
        sine, cosine = (
            jax.lax.complex(sine * cosh, cosine * sinh),
            jax.lax.complex(cosine * cosh, -sine * sinh),
        )
    values = (sine, cosine, -sine, -cosine)
    half = math.pi / 2
    return [half**k / math.factorial(k) * values[k % 4] for k in range(m + 1)], height


def _euler_maclaurin(s: Any, q: Any, m: int) -> list[Any]:
    """The expansion of zeta(s + e, q) to degree m, for Re s >= -1/2."""
    terms: Any = float(_LEAST_TERMS)
    if jnp.iscomplexobj(s):
        high = jnp.where(jnp.isfinite(s.imag), jnp.abs(s.imag), 0.0)
        terms = jnp.ceil(_LEAST_TERMS + _TERMS_BY_HEIGHT * high)

    def add(k: Any, sums: PyTree) -> Any:
        base = k + q
        power = jnp.where(k < terms, _power(base, -s), 0.0)
        return taylor.plus(sums, _times_powers_of(-jnp.log(base), power, m))

    zero = jnp.zeros_like(s + q)
    count = jnp.max(jnp.asarray(terms), initial=0.0).astype(int)
    sums = jax.lax.fori_loop(0, count, add, [zero] * (m + 1))
    w = q + terms
    near = jnp.where(s.real < _NO_TAIL, s, _NO_TAIL)
    tail = taylor.line(zero, 0.0, m)
    for j in range(len(BERNOULLI), 0, -1):
        tail[0] = tail[0] + BERNOULLI[j - 1] / math.factorial(2 * j)
        if j > 1:
            up = taylor.product(_shifted(near, 2 * j - 3, m), _shifted(near, 2 * j - 2, m))
            tail = taylor.times(taylor.product(tail, up), 1 / w / w)
    tail = taylor.times(taylor.product(tail, _shifted(near, 0, m)), 1 / w / w)
    tail[0] = tail[0] + 0.5 / w
    pole = [(-1) ** k / (s - 1) ** (k + 1) for k in range(m + 1)]
    power = _times_powers_of(-jnp.log(w), _power(w, 1 - s), m)
    return taylor.plus(sums, taylor.product(taylor.plus(pole, tail), power))


def _shifted(s: jax.Array, by: int, m: int) -> list[Any]:
    """The expansion of s + by."""
    return taylor.line(s + by, jnp.ones_like(s), m)


def _times_powers_of(t: jax.Array, factor: jax.Array, m: int) -> list[Any]:
    """The expansion of factor exp(t e)."""
    out = [factor]
    for k in range(1, m + 1):
        out.append(out[-1] * t / k)
    return out


def _power(base: jax.Array, exponent: jax.Array) -> jax.Array:
    """A power of a positive number."""
    if not jnp.iscomplexobj(exponent):
        return jnp.power(base, exponent)
    size, turn = jnp.power(base, exponent.real), exponent.imag * jnp.log(base)
    return jax.lax.complex(size * jnp.cos(turn), size * jnp.sin(turn))
