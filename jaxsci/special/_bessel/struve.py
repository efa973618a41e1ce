"""Struve functions and their integrals (DLMF 11.2, 11.4)."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jaxsci._core.double_precision import NativeFunction, native
from jaxsci._core.elementwise_rules import closed
from jaxsci.special._bessel.kernels import long_integrals, struve_on_device
from jaxsci.special._bessel.kernels.struve_in_order import (
    HIGHEST,
    LOWEST,
    OVERFLOW,
    is_nearly_even,
    modstruve_by,
    nearly_even,
    struve_of_order,
)
from jaxsci.special._bessel.real_order import yv
from jaxsci.special._catalog.decorators import (
    Flaw,
    Samples,
    Unknown,
    bounded,
    elementwise,
    rule,
)
from jaxsci.special._catalog.domains import Reals
from jaxsci.special._catalog.types import Array, Real
from jaxsci.special._gamma.gamma import rgamma
from jaxsci.special._numerics.falling_factorial import falling
from jaxsci.special._numerics.nth_derivative import derivative

_UNKNOWN = (Unknown("v", "x < 0 or v < -50 or v > 200"),)
_POINTS = (
    (0.0, 0.0),
    (1.0, 0.0),
    (2.0, 0.0),
    (-1.0, 0.0),
    (0.0, 1e-8),
    (0.0, -2.0),
    (1.0, 1e-3),
    (3.0, -0.5),
    (-1.0, 0.25),
    (-1.5, 2.0),
    (-2.0, 0.125),
    (0.5, 1e-3),
    (25.0, 0.75),
    (0.0, 2.5),
)


@elementwise(
    source="11.2.1",
    samples=Samples(
        "struveh(v, x)",
        (Reals(-10, 30), Reals(0.05, 60)),
        awkward=(*_POINTS, (0.0, 1e3), (1.5, 1e4), (0.0, 26.0)),
        flaws=(Flaw("2e-11", "20 < abs(x) < 35"),),
        unknown=_UNKNOWN,
    ),
    guard=bounded("v x", (1.0, 1.0), v=1e7),
    kernel=struve_on_device.struve,
)
def struve(v: Real, x: Real) -> Array:
    """Struve function H_v(x).

    Args:
        v: order, any real number
        x: argument; NaN for x < 0 unless v is an integer, for elsewhere the function is complex

    Example:
        >>> struve(1.0, jnp.array([1.0, 2.0, 4.0]))
        Array([0.19845734, 0.64676373, 1.06972666], dtype=float64)
        >>> reactance = lambda x: 2 * struve(1.0, x) / x  # of the air before a piston, x = 2ka
        >>> print(f"{reactance(2.0):.6f}")
        0.646764
        >>> print(f"{jax.grad(reactance)(2.0):.6f}")
        0.144095
    """
    ...


@elementwise(
    source="11.2.2",
    samples=Samples(
        "struvel(v, x)",
        (Reals(-10, 30), Reals(0.05, 60)),
        awkward=(*_POINTS, (0.0, 300.0)),
        unknown=_UNKNOWN,
    ),
    kernel=struve_on_device.modstruve,
)
def modstruve(v: Real, x: Real) -> Array:
    """Modified Struve function L_v(x).

    Args:
        v: order, any real number
        x: argument; NaN for x < 0 unless v is an integer, for elsewhere the function is complex;
            overflows near |x| = 714

    Example:
        >>> modstruve(1.0, jnp.array([1.0, 2.0, 4.0]))
        Array([0.22676438, 1.10275979, 9.16927781], dtype=float64)
        >>> print(f"{jax.grad(modstruve, argnums=1)(1.0, 2.0):.6f}")
        1.386054
    """
    ...


_LINE = Reals(-40, 40)
_AWKWARD = ((0.0,), (1e-8,), (-1e-3,), (0.5,), (1.0,))


@elementwise(
    source="11.7(i)",
    samples=Samples(
        "x**2/pi * hyp2f3(1, 1, mpf(3)/2, mpf(3)/2, 2, -x**2/4)",
        (_LINE,),
        awkward=_AWKWARD,
    ),
    repair=long_integrals.STRUVE,
)
def itstruve0(x: Real) -> Array:
    """Integral of the Struve function H_0(t) over t from 0 to x.

    Args:
        x: upper limit, any real number; the integral is even in x
    """
    ...


_FUNDAMENTAL = "fundamental theorem of calculus"

rule(itstruve0, x=closed(_FUNDAMENTAL, lambda y, x: struve_derivative(0.0, x, n=0)))


@elementwise(
    source="11.7(i)",
    samples=Samples(
        "pi/2 - 2*x/pi * hyp2f3(mpf(1)/2, 1, mpf(3)/2, mpf(3)/2, mpf(3)/2, -x**2/4)",
        (_LINE,),
        awkward=_AWKWARD,
    ),
    repair=long_integrals.STRUVE_OVER_T,
)
def it2struve0(x: Real) -> Array:
    """Integral of H_0(t)/t, with the Struve function H_0, over t from x to infinity.

    Args:
        x: lower limit, any real number; pi/2 at 0
    """
    ...


rule(it2struve0, x=closed(_FUNDAMENTAL, lambda y, x: -struve_derivative(0.0, x, n=0, p=1)))


@elementwise(
    source="11.7(iii)",
    samples=Samples(
        "x**2/pi * hyp2f3(1, 1, mpf(3)/2, mpf(3)/2, 2, x**2/4)",
        (_LINE,),
        awkward=_AWKWARD,
    ),
    repair=long_integrals.MODIFIED_STRUVE,
)
def itmodstruve0(x: Real) -> Array:
    """Integral of the modified Struve function L_0(t) over t from 0 to x.

    Args:
        x: upper limit, any real number; the integral is even in x
    """
    ...


rule(itmodstruve0, x=closed(_FUNDAMENTAL, lambda y, x: modstruve_derivative(0.0, x, n=0)))

_NEAR = 1.0
"""Up to here the power series is taken, for the recurrence's terms may cancel."""
_TERMS = 12


def _near(function: Any, sign: int, v: jax.Array, x: jax.Array, n: int, p: int) -> Any:
    """The power series, differentiated term by term, for v >= -1 and 0 < |x| < 1.

    Relative to the function's own value, so that no gamma function is needed.
    """
    q = sign * x * x / 4
    power: Any = 1.0
    plain = slopes = jnp.zeros_like(q)
    for k in range(_TERMS):
        plain = plain + power
        slopes = slopes + power * falling(v + 1 - p + 2 * k, n)
        power = power * q / ((k + 1.5) * (k + 1.5 + v))
    return function(v, x) * slopes / plain / x ** (n + p)


def _at_zero(sign: int, v: jax.Array, n: int, p: int) -> jax.Array:
    """The only power that is left at x = 0, of the series in x^(v+1-p+2k)."""
    lead = v + 1 - p
    value = jnp.where(lead > n, 0.0, jnp.inf * jnp.sign(falling(lead, n)))
    for k in range((n + p) // 2 + 1):
        order = n - 2 * k - 1 + p
        value = jnp.where(v == order, _coefficient(sign, order, k) * math.factorial(n), value)
    for order in range(p - 1, n + p):
        if (n - 1 + p - order) % 2:
            value = jnp.where(v == order, 0.0, value)
    return jnp.where(v >= -1, value, jnp.nan)


def _coefficient(sign: int, v: int, k: int) -> float:
    """Of x^(v+1+2k) (DLMF 11.2.1, 11.2.2)."""
    if v < -1:
        return math.nan
    return sign**k / (2.0 ** (v + 1 + 2 * k) * math.gamma(k + 1.5) * math.gamma(k + v + 1.5))


def _far(function: Any, v: jax.Array, x: jax.Array, n: int, p: int) -> int:
    accurate = _struve_far if function is struve else function
    return _recurrence([accurate(v - i, x) for i in range(n + 1)], v, x, n, p)


def _recurrence(values: list[Any], v: jax.Array, x: jax.Array, n: int, p: int) -> int:
    """By f_v' = f_{v-1} - (v/x) f_v (DLMF 11.4.27, 11.4.29), n times."""
    # The terms c f_{v-i}/x^m, by (i, m).
    terms: dict[tuple[int, int], Any] = {(0, p): 1.0}
    for _ in range(n):
        new: dict[tuple[int, int], Any] = {}
        for (i, m), c in terms.items():
            new[i + 1, m] = new.get((i + 1, m), 0.0) + c
            new[i, m + 1] = new.get((i, m + 1), 0.0) - c * (m + v - i)
        terms = new
    return sum(c * values[i] / x**m for (i, m), c in terms.items())


_BEYOND = 15.0
_SMALL_ORDER = 10.0
_NODES, _WEIGHTS = np.polynomial.laguerre.laggauss(60)


def struve_by_quadrature(v: jax.Array, x: jax.Array) -> jax.Array:
    """H_v(x) for x > 15 and |v| < 10, from Y_v (DLMF 11.5.2, 11.2.5)."""
    tail = sum(w * (1 + (s / x) ** 2) ** (v - 0.5) for s, w in zip(_NODES, _WEIGHTS, strict=True))
    factor = (x / 2) ** (v - 1) / math.sqrt(math.pi) * rgamma(v + 0.5)
    return yv(v, x) + factor * tail


def _struve_far(v: jax.Array, x: jax.Array) -> jax.Array:
    """H_v(x), where SciPy's own values have lost digits for 15 < x < 35 and small orders."""
    size = jnp.abs(x)
    # H_v(-x) = (-1)^(v+1) H_v(x), for integer v alone.
    real = (x > 0) | (v % 1 == 0)
    lost = real & (size > _BEYOND) & (size < 3 * _BEYOND) & (jnp.abs(v) < _SMALL_ORDER)
    better = struve_by_quadrature(jnp.where(lost, v, 0.0), jnp.where(lost, size, 2 * _BEYOND))
    better = jnp.where((x < 0) & (v % 2 == 0), -better, better)
    return jnp.where(lost, better, struve(v, x))


def _tower(function: Any, sign: int, v: jax.Array, x: jax.Array, n: int, p: int) -> jax.Array:
    v, x = jnp.broadcast_arrays(v, x)
    near = (jnp.abs(x) < _NEAR) & (v >= -1) & (x != 0)
    series = _near(function, sign, jnp.where(near, v, 0.0), jnp.where(near, x, 0.5), n, p)
    far = _far(function, v, jnp.where(near | (x == 0), 2 * _NEAR, x), n, p)
    return jnp.where(near, series, jnp.where(x == 0, _at_zero(sign, v, n, p), far))


@native()
def struve_derivative(v: jax.Array, x: jax.Array, *, n: int, p: int = 0) -> jax.Array:
    """d^n/dx^n x^(-p) H_v(x)."""
    return _tower(struve, -1, v, x, n, p)


@native()
def modstruve_derivative(v: jax.Array, x: jax.Array, *, n: int, p: int = 0) -> jax.Array:
    """d^n/dx^n x^(-p) L_v(x)."""
    return _tower(modstruve, 1, v, x, n, p)


def _in_order(
    function: Any, sign: int, v: jax.Array, x: jax.Array, order: int, n: int, p: int
) -> jax.Array:
    """A derivative in the order, of x-derivatives by series near 0 and by recurrence elsewhere."""
    v, x = jnp.broadcast_arrays(v, x)
    nothing = (x == 0) & (v + 1 - p > n)
    known = (x > 0) & (x < (OVERFLOW if sign > 0 else jnp.inf)) & (v >= LOWEST) & (v <= HIGHEST)
    x = jnp.where(known, x, 1.0)
    at = jnp.where(known, v, 0.0)
    near = (x < _NEAR) & (v >= -1)
    even = is_nearly_even(v, x) & (sign > 0)

    def derived(v: jax.Array) -> jax.Array:
        values = [function(v - i, x) for i in range(n + 1)]
        near_v, near_x = jnp.where(near, v, 0.0), jnp.where(near, x, 0.5)
        series = _near(lambda v, x: values[0], sign, near_v, near_x, n, p)
        far = _recurrence(values, v, jnp.where(near, 2 * _NEAR, x), n, p)
        value = jnp.where(near, series, far)
        if sign < 0:
            return value
        # Recurrence in the order would lose what is odd in it.
        order, at = jnp.where(even, v, 0.0), jnp.where(even, x, 10.0)
        whole = derivative(lambda x: nearly_even(order, x) / x**p, n)
        return jnp.where(even, whole(at), value)

    slope = jnp.where(known, derivative(derived, order)(at), jnp.nan)
    # Of x^(v + 1 - p - n) log(x)^order.
    return jnp.where(nothing, 0.0, slope)


@native()
def struve_in_order(v: jax.Array, x: jax.Array, *, order: int, n: int = 0, p: int = 0) -> jax.Array:
    """A derivative in v of `struve_derivative`."""
    return _in_order(struve_of_order, -1, v, x, order, n, p)


@native()
def modstruve_in_order(
    v: jax.Array, x: jax.Array, *, order: int, n: int = 0, p: int = 0
) -> jax.Array:
    """A derivative in v of `modstruve_derivative`."""
    return _in_order(_modstruve_of_order, 1, v, x, order, n, p)


_modstruve_of_order = modstruve_by(modstruve)


def _attach(
    function: Callable[..., Any],
    derivative: NativeFunction,
    in_order: NativeFunction,
    reference: str,
) -> None:
    source = f"{reference}, 11.5.2"
    in_order.partials(
        v=closed(
            source,
            lambda y, v, x, *, order, n=0, p=0: in_order(v, x, order=order + 1, n=n, p=p),
        ),
        x=closed(
            source, lambda y, v, x, *, order, n=0, p=0: in_order(v, x, order=order, n=n + 1, p=p)
        ),
    )
    derivative.partials(
        v=closed(source, lambda y, v, x, *, n, p=0: in_order(v, x, order=1, n=n, p=p)),
        x=closed(reference, lambda y, v, x, *, n, p=0: derivative(v, x, n=n + 1, p=p)),
    )
    rule(
        function,
        v=closed(source, lambda y, v, x: in_order(v, x, order=1)),
        x=closed(reference, lambda y, v, x: derivative(v, x, n=1)),
    )


_attach(struve, struve_derivative, struve_in_order, "DLMF 11.4.27")
_attach(modstruve, modstruve_derivative, modstruve_in_order, "DLMF 11.4.29")
