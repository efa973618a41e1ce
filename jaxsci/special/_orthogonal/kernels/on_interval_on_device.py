"""Polynomials on an interval in JAX operations: Jacobi's, Gegenbauer's and Legendre's.

Of integer degree by recurrence (DLMF 18.9.1) for P_k and d_k = P_k - P_(k-1) P_k(1)/P_(k-1)(1),
which is small next to x = 1: on the other half with the sign of the parity, and the parameters
exchanged (DLMF 18.6.1). Nothing cancels beyond the interval, and nothing that is infinite is
subtracted.
Between integers the functions are hypergeometric (`real_degree.py`); at and below the lower end of
the interval they are infinite, or else complex, where SciPy has infinity.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci.special._catalog.kernel import Kernel, device_kernel
from jaxsci.special._numerics.half_turns import sine_of_pi
from jaxsci.special._numerics.recurrences import by_pairs
from jaxsci.special._numerics.vectorised import is_odd
from jaxsci.special._orthogonal.kernels import real_degree
from jaxsci.special._orthogonal.kernels.by_degree import by_degree
from jaxsci.special._orthogonal.kernels.interval import ends, on_long_interval

_MIDDLE = 0.5
_LEGENDRES = 0.5
"""The parameter of Gegenbauer polynomials that are Legendre's."""
_LARGEST_PARAMETER = 20.0
_LARGEST_ARGUMENT = 1e10
"""Of functions between integer degrees, which lose digits to the one: NaN beyond."""
_LEAST_FACTOR = 1e-290
"""NaN of monic functions that are smaller at x = 1: their digits would be lost."""


def _with_parity(odd: jax.Array, left: jax.Array, value: jax.Array) -> jax.Array:
    return jnp.where(left & odd, -value, value)


def _gegenbauer_polynomial(n: jax.Array, c: Any, x: jax.Array, shifted: bool = False) -> jax.Array:
    """C_n^(c)(x); zero for negative n.

    Next to x = 0 by three terms, for half of the polynomials are zero there.
    """
    low, high = ends(x, shifted)
    x = on_long_interval(x, shifted)
    left = x.real < 0
    gap = 2 * jnp.where(left, high, low)
    x = jnp.where(left, -x, x)
    middle = jnp.abs(x) < _MIDDLE
    factor = 2 * jnp.where(middle, x, -gap)

    # Of Legendre's polynomials what they are more than 1, which is not added to 1 in small parts.
    offset = jnp.where(middle, 0.0, 1.0) if c is _LEGENDRES else 0.0

    def step(k: jax.Array, more: jax.Array, second: jax.Array) -> tuple[jax.Array, jax.Array]:
        # The second number is -C_(k-1), or the difference.
        value = offset + more
        back = jnp.where(middle, 2 * c + (k - 1), k)
        new = (back * second + (k + c) * factor * value) / (k + 1)
        ahead = ((k + 2 * c) / (k + 1)) * value if c is not _LEGENDRES else more
        ahead = jnp.where(middle, 0.0, ahead)
        return ahead + new, jnp.where(middle, -value, new)

    one = jnp.ones_like(factor * c + 0 * n)
    value = by_pairs(n, step, (one - offset, jnp.zeros_like(one))) + offset
    value = _with_parity(is_odd(n), left, value)
    return jnp.where(n < 0, 0.0, value)


def _jacobi_polynomial(n: jax.Array, a: jax.Array, b: jax.Array, x: jax.Array) -> jax.Array:
    """P_n^(a,b)(x); zero for negative n. Next to x = 0 by three terms."""
    low, high = ends(x)
    left = x.real < 0
    a, b = jnp.where(left, b, a), jnp.where(left, a, b)
    s = a + b
    middle = jnp.abs(x) < _MIDDLE
    # x, or half of x - 1.
    factor = jnp.where(middle, jnp.where(left, -x, x), -jnp.where(left, high, low))
    unequal = jnp.where(middle, (a - b) * s, 0.0)
    first = jnp.where(middle, 0.5 * (a - b) + factor * (0.5 * s + 1), factor * (s + 2))
    weight = jnp.where(middle, 0.5, 1.0)

    def step(k: jax.Array, value: jax.Array, second: jax.Array) -> tuple[jax.Array, jax.Array]:
        # The second number is P_(k-1), or the difference.
        t = 2 * k + s
        back = jnp.where(middle, -(k + a), k) * (k + b) * (t + 2) * second
        along = back + weight * (t + 1) * (factor * t * (t + 2) + unequal) * value
        new = jnp.where(k == 0, first, along / ((k + 1) * (k + s + 1) * t))
        ahead = jnp.where(middle, 0.0, value * ((k + 1 + a) / (k + 1)))
        return ahead + new, jnp.where(middle, value, new)

    one = jnp.ones_like(factor * s + 0 * n)
    value = by_pairs(n, step, (one, jnp.zeros_like(one)))
    value = _with_parity(is_odd(n), left, value)
    return jnp.where(n < 0, 0.0, value)


def _monic_jacobi_polynomial(n: jax.Array, p: jax.Array, q: jax.Array, x: jax.Array) -> jax.Array:
    """G_n(p, q; x): the same recurrence for the polynomials divided by their first coefficients."""
    left = x.real < 0.5
    half = jnp.where(left, x, 1 - x)
    # The exponents plus 1, which q may be small beside.
    right, other = p - q + 1, q
    a, b = jnp.where(left, other, right), jnp.where(left, right, other)
    s = p - 1

    def step(k: jax.Array, value: jax.Array, second: jax.Array) -> tuple[jax.Array, jax.Array]:
        t = 2 * k + s
        first = k == 0
        back = jnp.where(first, 0.0, k * (k - 1 + b) / jnp.where(first, 1.0, t * (t + 1)))
        ahead = (k + a) / (t + 2) * jnp.where(first, 1.0, (k + p) / (t + 1))
        new = back * second - half * value
        return ahead * value + new, new

    one = jnp.ones_like(half * p * q + 0 * n)
    value = by_pairs(n, step, (one, jnp.zeros_like(one)))
    value = _with_parity(is_odd(n), left, value)
    return jnp.where(n < 0, jnp.nan, value)


def _between(n: jax.Array, x: jax.Array) -> jax.Array:
    """Where functions of degrees that are no integers are computed."""
    near = (jnp.abs(x) <= _LARGEST_ARGUMENT) | jnp.isinf(x)
    return near & (n > real_degree.LEAST_DEGREE) & (n <= real_degree.LARGEST_DEGREE)


def _off_the_cut(n: jax.Array, b: Any, value: Any, high: jax.Array, at_end: Any) -> jax.Array:
    """Values between integer degrees, with those on the real axis up to the lower end.

    Args:
        n: the degree.
        b: the exponent of 1 + x in the weight.
        value: above.
        high: (1 + x)/2.
        at_end: the value at the end where b < 0.
    """
    end = jnp.where(b < 0, at_end, -jnp.sign(sine_of_pi(n)) * jnp.inf)
    far = jnp.where(n > 0, jnp.inf, jnp.nan)
    value = jnp.where(high < jnp.inf, value, far)
    return jnp.where(high > 0, value, jnp.where(high == 0, end, jnp.inf))


def _inside(low: jax.Array, high: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Both ends, of a harmless argument where the real one is at or below the lower end."""
    if jnp.iscomplexobj(low):
        return low, high
    good = (high > 0) & (high < jnp.inf)
    return jnp.where(good, low, 0.75), jnp.where(good, high, 0.25)


def _at_end(n: jax.Array, b: jax.Array) -> jax.Array:
    """P_n^(a,b)(-1) for b < 0, by Gauss's theorem (DLMF 15.4.20)."""
    inner = jnp.where(b < 0, b, -0.5)
    return sine_of_pi(n + inner) / sine_of_pi(inner) * real_degree.binomial(n, inner)


def _legendre(shifted: bool) -> Callable[..., Any]:
    def mirrored(n: jax.Array) -> jax.Array:
        """P_n is P_(-n-1)."""
        return jnp.where(n < -0.5, -n - 1, n)

    def polynomial(n: jax.Array, x: jax.Array) -> jax.Array:
        return _gegenbauer_polynomial(n, _LEGENDRES, x, shifted)

    def function(n: jax.Array, x: jax.Array) -> jax.Array:
        low, high = ends(x, shifted)
        value = real_degree.legendre(n, *_inside(low, high))
        if jnp.iscomplexobj(x):
            return value
        return _off_the_cut(n, 0.0, value, high, 0.0)

    def legendre(n: jax.Array, x: jax.Array) -> jax.Array:
        n = mirrored(n)
        return by_degree(polynomial, function, _between(n, x), n, x)

    return legendre


def _gegenbauer(n: jax.Array, c: jax.Array, x: jax.Array) -> jax.Array:
    def function(n: jax.Array, c: jax.Array, x: jax.Array) -> jax.Array:
        low, high = ends(x)
        value = real_degree.gegenbauer(n, c, *_inside(low, high))
        if jnp.iscomplexobj(x):
            return value
        # Half the exponents of Jacobi's, and another factor.
        b = c - 0.5
        scale = real_degree.gegenbauer_factor(n, c) / real_degree.binomial(n, b)
        return _off_the_cut(n, b, value, high, scale * _at_end(n, b))

    between = _between(n, x) & _are_moderate(c)
    value = by_degree(_gegenbauer_polynomial, function, between, n, c, x)
    return jnp.where(c == 0, 0.0 * value, value)


def _jacobi(n: jax.Array, a: jax.Array, b: jax.Array, x: jax.Array) -> jax.Array:
    def function(n: jax.Array, a: jax.Array, b: jax.Array, x: jax.Array) -> jax.Array:
        low, high = ends(x)
        value = real_degree.jacobi(n, a, b, *_inside(low, high))
        if jnp.iscomplexobj(x):
            return value
        return _off_the_cut(n, b, value, high, _at_end(n, b))

    between = _between(n, x) & _are_moderate(a, b)
    return by_degree(_jacobi_polynomial, function, between, n, a, b, x)


def _shifted_jacobi(n: jax.Array, p: jax.Array, q: jax.Array, x: jax.Array) -> jax.Array:
    def function(n: jax.Array, p: jax.Array, q: jax.Array, x: jax.Array) -> jax.Array:
        low, high = ends(x, shifted=True)
        value = real_degree.shifted_jacobi(n, p, q, *_inside(low, high))
        if jnp.iscomplexobj(x):
            return value
        b = q - 1
        factor = real_degree.shifted_factor(n, p, q)
        value = jnp.where(factor > _LEAST_FACTOR, value, jnp.nan)
        scale = factor / real_degree.binomial(n, p - q)
        return _off_the_cut(n, b, value, high, scale * _at_end(n, b))

    between = _between(n, x) & _are_moderate(p, q)
    return by_degree(_monic_jacobi_polynomial, function, between, n, p, q, x)


def _are_moderate(*parameters: jax.Array) -> Any:
    allowed: Any = True
    for p in parameters:
        allowed = allowed & (jnp.abs(p) <= _LARGEST_PARAMETER)
    return allowed


def _kernels(
    function: Callable[..., Any], envelope: str = "", ulps: float = 80
) -> tuple[Kernel, Kernel]:
    return (
        device_kernel(ulps=ulps, envelope=envelope, conditioned=True)(function),
        device_kernel(ulps=80, conditioned=True)(function),
    )


eval_legendre = _kernels(_legendre(shifted=False))
eval_sh_legendre = _kernels(_legendre(shifted=True))
eval_gegenbauer = _kernels(_gegenbauer)
eval_jacobi = _kernels(
    _jacobi,
    "sqrt(max(0, 1 - x*x)*(n + alpha + beta + 1)/n)/2"
    "*abs(jacobi(n - 1, alpha + 1, beta + 1, x)) if n >= 1 else 0",
)
eval_sh_jacobi = _kernels(
    _shifted_jacobi,
    "sqrt(max(0, x*(1 - x))*n/(n + p))*abs(gamma(n)*gamma(n + p + 1)/gamma(2*n + p)"
    "*jacobi(n - 1, p - q + 1, q, 2*x - 1)) if n >= 1 else 0",
    ulps=90,  # between integer degrees, far out, of the many Taylor steps that lead there
)
"""Of real arguments, and of complex ones; up to what derivatives are at zeros, in the envelope."""
