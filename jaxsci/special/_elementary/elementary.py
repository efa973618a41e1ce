"""Elementary functions in forms that keep their digits (DLMF 4)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci._core.double_precision import tower
from jaxsci._core.elementwise_rules import closed, in_single
from jaxsci.special._catalog.decorators import (
    Repair,
    Samples,
    elementwise,
    rule,
)
from jaxsci.special._catalog.domains import Complexes, Reals
from jaxsci.special._catalog.types import Array, Complex, Real
from jaxsci.special._elementary.kernels import degrees_on_device, on_device, plane_on_device
from jaxsci.special._numerics.subnormal import raised

_LINE = Reals(-30, 30)
_TINY = ((0.0,), (1e-8,), (-1e-12,), (1e-200,))
_DEGREE = math.pi / 180


@elementwise(
    source="4.2",
    samples=Samples("sign(x) * cbrt(abs(x))", (_LINE,), awkward=((1e-300,), (-1e300,), (8.0,))),
    note="The derivative at 0 is infinite.",
    kernel=on_device.cbrt,
)
def cbrt(x: Real) -> Array:
    """Real cube root of x.

    Args:
        x: any real number; the root has its sign

    Example:
        >>> cbrt(jnp.array([27.0, -8.0, 2.0]))
        Array([ 3.        , -2.        ,  1.25992105], dtype=float64)
        >>> print(f"{jax.grad(cbrt)(-8.0):.6f}")
        0.083333
    """
    ...


rule(cbrt, x=in_single(4, closed("the inverse function theorem", lambda y, x: 1 / (3 * y * y))))


@elementwise(
    source="4.2.19",
    samples=Samples("mpf(2)**x", (_LINE,), awkward=(*_TINY, (1000.0,), (-1000.0,))),
    kernel=on_device.exp2,
)
def exp2(x: Real) -> Array:
    """Power 2^x.

    Args:
        x: exponent, any real number; the power overflows to infinity from 1024 on
    """
    ...


rule(exp2, x=in_single(3, closed("DLMF 4.7.7", lambda y, x: math.log(2) * y)))


@elementwise(
    source="4.2.19",
    samples=Samples("mpf(10)**x", (_LINE,), awkward=(*_TINY, (300.0,), (-290.0,))),
    kernel=on_device.exp10,
)
def exp10(x: Real) -> Array:
    """Power 10^x.

    Args:
        x: exponent, any real number; the power overflows to infinity from 308.26 on
    """
    ...


rule(exp10, x=in_single(3, closed("DLMF 4.7.7", lambda y, x: math.log(10) * y)))


@elementwise(
    source="4.2.19",
    samples=Samples(
        "expm1(x)", (Complexes(0.01, 30, negative=True),), awkward=(*_TINY, (700.0,), (-700.0,))
    ),
    kernel=on_device.expm1,
    complex_kernel=plane_on_device.expm1,
)
def expm1(x: Complex) -> Array:
    """Exponential less one, exp(x) - 1, with all digits where x is small.

    Args:
        x: any number

    Example:
        >>> expm1(jnp.array([1e-20, 1e-5, 1.0]))
        Array([1.00000000e-20, 1.00000500e-05, 1.71828183e+00], dtype=float64)
        >>> print(f"{jax.grad(expm1)(1.0):.6f}")
        2.718282
    """
    ...


rule(expm1, x=in_single(3, closed("DLMF 4.7.7", lambda y, x: jnp.exp(x))))


@elementwise(
    source="4.6.1",
    samples=Samples(
        "log1p(x)",
        (Complexes(0.01, 0.95, negative=True),),
        awkward=(*_TINY, (-0.999,), (1e10,), (1e200,), (20 + 30j,), (-2 + 1e-3j,)),
    ),
    note="NaN for real x < -1; the cut of the complex function lies there.",
    kernel=on_device.log1p,
    complex_kernel=plane_on_device.log1p,
)
def log1p(x: Complex) -> Array:
    """Logarithm of one more, log(1 + x), with all digits where x is small.

    Args:
        x: real and at least -1, where the value is minus infinity; or complex, for the principal
            branch

    Example:
        >>> log1p(jnp.array([1e-20, 1e-5, 1.0]))
        Array([1.00000000e-20, 9.99995000e-06, 6.93147181e-01], dtype=float64)
        >>> print(f"{jax.grad(log1p)(1.0):.6f}")
        0.500000
    """
    ...


rule(log1p, x=in_single(3, closed("DLMF 4.7.1", lambda y, x: 1 / (1 + x))))


@elementwise(
    source="4.2.19",
    samples=Samples(
        "expm1(x)/x",
        (_LINE,),
        awkward=((1e-8,), (-1e-12,), (1e-200,), (700.0,), (-700.0,), (0.9999,), (12.0,), (-12.0,)),
    ),
    kernel=on_device.exprel,
)
def exprel(x: Real) -> Array:
    """Relative error exponential, (exp(x) - 1)/x.

    Args:
        x: any real number; the value at 0 is the limit, 1

    Example:
        >>> exprel(jnp.array([0.0, 1e-9, 1.0]))
        Array([1.        , 1.        , 1.71828183], dtype=float64)
        >>> print(f"{jax.grad(exprel)(0.0):.6f}")
        0.500000
    """
    ...


rule(
    exprel,
    x=closed("differentiated under the integral", lambda y, x: exprel_derivative(x, n=1)),
)


@elementwise(
    source="4.2.26",
    samples=Samples(
        "expm1(y * log(x))",
        (Reals(0.05, 8), Reals(-10, 10)),
        awkward=((1.0, 3.0), (1.0 + 1e-9, 2.0), (2.0, 0.0), (2.0, 1e-9), (1e10, 1e-8)),
    ),
    note="For x < 0, y must be an integer, and the derivative in y is NaN.",
    repair=Repair(
        "the power overflows",
        lambda ys, x, y: (ys[0] == 0) & (jnp.abs(y * jnp.log(jnp.abs(x))) > 1),
        lambda ys, x, y: jnp.power(x, y) - 1,
    ),
    kernel=on_device.powm1,
)
def powm1(x: Real, y: Real) -> Array:
    """Power less one, x^y - 1, with all digits where x^y is near 1.

    Args:
        x: base, any real number; at 0 the value is -1, 0 or infinite for a positive, zero or
            negative y
        y: exponent, any real number

    Example:
        >>> powm1(2.0, jnp.array([1e-10, 0.5]))
        Array([6.93147181e-11, 4.14213562e-01], dtype=float64)
        >>> print(f"{jax.grad(powm1, 1)(2.0, 0.5):.6f}")
        0.980258
    """
    ...


rule(
    powm1,
    x=in_single(4, closed("DLMF 4.7.10", lambda value, x, y: _slope_of_power(x, y, 0))),
    y=in_single(4, closed("DLMF 4.7.7", lambda value, x, y: _power_with_logarithm(x, y, k=1))),
)


@elementwise(
    source="4.14.2",
    samples=Samples("-2*sin(x/2)**2", (_LINE,), awkward=(*_TINY, (0.78,), (1e5,))),
    kernel=on_device.cosm1,
)
def cosm1(x: Real) -> Array:
    """Cosine less one, cos(x) - 1, with all digits where x is small.

    Args:
        x: angle in radians, any finite number; NaN for infinities

    Example:
        >>> cosm1(jnp.array([1e-8, 0.5, 2.0]))
        Array([-5.00000000e-17, -1.22417438e-01, -1.41614684e+00], dtype=float64)
        >>> print(f"{jax.grad(cosm1)(0.5):.6f}")
        -0.479426
    """
    ...


rule(cosm1, x=in_single(3, closed("DLMF 4.20.2", lambda y, x: -jnp.sin(x))))


def _degree_times(f: Callable[..., Any]) -> Callable[..., Any]:
    return lambda y, x: _DEGREE * f(y, x)


_NEAR_POLE = 1.0
_LARGEST_ANGLE = 1e14


def _from_pole(x: jax.Array, pole: float) -> jax.Array:
    """The angle less the nearest pole, which is 0 or 90, or 180 from there: exact beside it."""
    size = jnp.abs(jnp.fmod(x, 180.0))
    return jnp.sign(x) * jnp.where(size > 90 + pole, size - 180, size - pole)


def _beside_poles(pole: float, sign: int) -> Repair:
    """Of a tangent or cotangent, whose angle SciPy rounds before it knows the distance to 90."""

    def where(ys: Sequence[jax.Array], x: jax.Array) -> jax.Array:
        r = _from_pole(x, pole)
        return (jnp.abs(r) < _NEAR_POLE) & (r != 0) & (jnp.abs(x) <= _LARGEST_ANGLE)

    def formula(ys: Sequence[jax.Array], x: jax.Array) -> jax.Array:
        r = _from_pole(x, pole)
        near = (jnp.abs(r) < _NEAR_POLE) & (r != 0)
        return sign / jnp.tan(_DEGREE * jnp.where(near, r, 1.0))

    return Repair("x is within one degree of a pole", where, formula, costly=True)


@elementwise(
    source="4.14.1",
    samples=Samples(
        "sinpi(x/180)", (Reals(-720, 720),), awkward=(*_TINY, (90.0,), (45.0,), (1e6 + 1,))
    ),
    note="0 for |x| > 1e14.",
    kernel=degrees_on_device.sindg,
)
def sindg(x: Real) -> Array:
    """Sine of an angle of x degrees.

    Args:
        x: angle in degrees

    Example:
        >>> sindg(jnp.array([30.0, 90.0, 210.0]))
        Array([ 0.5,  1. , -0.5], dtype=float64)
        >>> print(f"{jax.grad(sindg)(60.0):.6f}")  # for each degree
        0.008727
    """
    ...


rule(sindg, x=in_single(4, closed("DLMF 4.20.1", _degree_times(lambda y, x: cosdg(x)))))


@elementwise(
    source="4.14.2",
    samples=Samples(
        "cospi(x/180)", (Reals(-720, 720),), awkward=(*_TINY, (180.0,), (45.0,), (1e6 + 1,))
    ),
    note="0 for |x| > 1e14.",
    kernel=degrees_on_device.cosdg,
)
def cosdg(x: Real) -> Array:
    """Cosine of an angle of x degrees.

    Args:
        x: angle in degrees
    """
    ...


rule(cosdg, x=in_single(4, closed("DLMF 4.20.2", _degree_times(lambda y, x: -sindg(x)))))


@elementwise(
    source="4.14.4",
    samples=Samples(
        "sinpi(x/180)/cospi(x/180)",
        (Reals(-85, 85),),
        awkward=(*_TINY, (45.0,), (180.0,), (1000.0,)),
    ),
    note="0 for |x| > 1e14.",
    repair=_beside_poles(90.0, -1),
    kernel=degrees_on_device.tandg,
)
def tandg(x: Real) -> Array:
    """Tangent of an angle of x degrees.

    Args:
        x: angle in degrees; the value is infinite at odd multiples of 90
    """
    ...


rule(tandg, x=in_single(6, closed("DLMF 4.20.3", _degree_times(lambda y, x: cosdg(x) ** -2))))


@elementwise(
    source="4.14.7",
    samples=Samples(
        "cospi(x/180)/sinpi(x/180)",
        (Reals(5, 175),),
        awkward=((1e-3,), (45.0,), (-200.0,)),
    ),
    note="0 for |x| > 1e14.",
    repair=_beside_poles(0.0, 1),
    kernel=degrees_on_device.cotdg,
)
def cotdg(x: Real) -> Array:
    """Cotangent of an angle of x degrees.

    Args:
        x: angle in degrees; the value is infinite at multiples of 180
    """
    ...


rule(cotdg, x=closed("DLMF 4.20.6", _degree_times(lambda y, x: -(sindg(x) ** -2))))


@elementwise(
    source="degrees, minutes and seconds of arc: 60 of one in the next",
    samples=Samples(
        "(d + m/60 + s/3600) * pi/180",
        (Reals(-360, 360), Reals(0, 60), Reals(0, 60)),
        awkward=((0.0, 0.0, 0.0), (90.0, 0.0, 0.0)),
    ),
    kernel=degrees_on_device.radian,
)
def radian(d: Real, m: Real, s: Real) -> Array:
    """Angle in radians of d degrees, m minutes and s seconds of arc.

    Args:
        d: degrees, any real number
        m: minutes of arc, any real number, with a sign of their own
        s: seconds of arc, any real number, with a sign of their own

    Example:
        >>> radian(jnp.array([51.0, -33.0]), jnp.array([28.0, -52.0]), jnp.array([40.0, -4.0]))
        Array([ 0.89845671, -0.59110423], dtype=float64)
    """
    ...


rule(
    radian,
    d=closed("linear", lambda y, d, m, s: _DEGREE * jnp.ones_like(y)),
    m=closed("linear", lambda y, d, m, s: _DEGREE / 60 * jnp.ones_like(y)),
    s=closed("linear", lambda y, d, m, s: _DEGREE / 3600 * jnp.ones_like(y)),
)


@elementwise(
    source="rounding half to even (IEEE 754, roundTiesToEven)",
    samples=Samples("nint(x)", (_LINE,), awkward=((0.25,), (-7.75,), (1e10 + 0.25,))),
    on_device=True,
    single=4,
    note="The derivative is 0, as jnp.round's is, also at the steps, where the function jumps.",
)
def round(x: Real) -> Array:
    """Nearest integer; halves go to the even one.

    Args:
        x: any real number
    """
    y = jnp.round(x)
    # SciPy's zeros are positive, but for x = -0.
    return jnp.where((y == 0) & (raised(x)[0] != 0), 0.0, y)


# -- derivatives -----------------------------------------------------------------------------------


_EDGE = 12.0
_TERMS = 70


@tower("differentiated under the integral", x="n")
def exprel_derivative(x: jax.Array, *, n: int) -> jax.Array:
    """The n-th derivative of (e^x - 1)/x: the integral of t^n e^{xt} over t from 0 to 1."""
    near = jnp.abs(x) < _EDGE
    q = jnp.where(near, x, 0.0)
    # For x > 0 the power series, for x < 0 that of e^{-x} times it (DLMF 13.2.39): all terms
    # are positive.
    rising: Any = 1.0 / (n + _TERMS + 1)
    falling: Any = 1.0
    for k in range(_TERMS, 0, -1):
        rising = 1.0 / (n + k) + rising * q / k
        falling = 1.0 - falling * q / (n + 1 + k)
    series = jnp.where(q > 0, rising, jnp.exp(q) * falling / (n + 1))
    # Integrated by parts n times.
    far = jnp.where(near, _EDGE, x)
    parts: Any = 0.0
    for j in range(n, -1, -1):
        parts = parts + (-1) ** j * math.perm(n, j) / far ** (j + 1)
    constant = (-1) ** (n + 1) * math.factorial(n) / far ** (n + 1)
    return jnp.where(near, series, jnp.exp(far) * parts + constant)


@tower("DLMF 4.7.7", y="k")
def _power_with_logarithm(x: jax.Array, y: jax.Array, *, k: int) -> jax.Array:
    """The product x^y log(x)^k, and its limit at x = 0; NaN for k > 0 at x < 0."""
    if k == 0:
        return jnp.power(x, y)
    inside = x > 0
    safe = jnp.where(inside, x, 1.0)
    at_zero = jnp.where(y > 0, 0.0, (-1.0) ** k * jnp.inf)
    value = jnp.power(safe, y) * jnp.log(safe) ** k
    return jnp.where(inside, value, jnp.where(x == 0, at_zero, jnp.nan))


def _slope_of_power(x: jax.Array, y: jax.Array, k: int) -> jax.Array:
    # At x = 0 a power of exponent 0 is a constant, which further derivatives come to.
    constant = (x == 0) & (y == 0)
    exponent = jnp.where(constant, 1.0, y)
    of_power = jnp.where(constant, 0.0, exponent * _power_with_logarithm(x, exponent - 1, k=k))
    return of_power + k * _power_with_logarithm(x, y - 1, k=k - 1) if k else of_power


_power_with_logarithm.partials(
    x=closed("DLMF 4.7.10", lambda value, x, y, *, k: _slope_of_power(x, y, k))
)


rule(round, x=closed("piecewise constant", lambda y, x: jnp.zeros_like(y)))
