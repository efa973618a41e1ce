"""What the polynomials of the kernels are: functions on intervals, in mpmath."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import mpmath
from mpmath import mp


@dataclass(frozen=True)
class Interval:
    """A function to be interpolated from `start` to `end`."""

    function: Callable[[Any], Any]
    start: float
    end: float
    points: int = 40
    """More coefficients than that are a mistake."""
    size: float | None = None
    """What the polynomial's error is relative to; None: the function's smallest value."""


@dataclass(frozen=True)
class Table:
    """A file of polynomials."""

    about: str
    polynomials: dict[str, tuple[Interval, ...]]


def pieces(function: Callable[[Any], Any], *ends: float, **options: Any) -> tuple[Interval, ...]:
    """Intervals from each end to the next."""
    return tuple(Interval(function, a, b, **options) for a, b in itertools.pairwise(ends))


# -- error functions -------------------------------------------------------------------------------


def half_line(function: Callable[[Any], Any], k: float) -> Callable[[Any], Any]:
    """A function of x >= 0 as one of t = (x - k)/(x + k)."""
    return lambda t: function(k * (1 + t) / (1 - t))


def erf_near(u: Any) -> Any:
    """erf(x)/x - 1 of u = x^2."""
    x = mp.sqrt(u)
    return mp.erf(x) / x - 1


def erfcx(x: Any) -> Any:
    """exp(x^2) erfc(x), of any positive x."""
    if x < 100:
        return mp.exp(x * x) * mp.erfc(x)
    return mpmath.hyp2f0(1, 0.5, -1 / (x * x)) / (x * mp.sqrt(mp.pi))


def dawson_near(u: Any) -> Any:
    """D(x)/x - 1 of u = x^2."""
    x = mp.sqrt(u)
    return dawson(x) / x - 1


def dawson(x: Any) -> Any:
    """Dawson's integral; 1/(2x) 2F0(1, 1/2; 1/x^2) far out, where exp(x^2) is out of reach."""
    with mp.workdps(mp.dps + 10):
        if x > 30:
            terms, term = mp.mpf(0), 1 / (2 * x)
            for k in range(60):
                terms += term
                term *= (2 * k + 1) / (2 * x * x)
            return terms
        return mp.sqrt(mp.pi) / 2 * mp.exp(-x * x) * mp.erfi(x)


def dawson_far(u: Any) -> Any:
    """2 x D(x) of u = 1/x^2."""
    return 2 * dawson(1 / mp.sqrt(u)) / mp.sqrt(u)


def erfinv_near(u: Any) -> Any:
    """erfinv(y)/y - 1 of u = y^2."""
    y = mp.sqrt(u)
    return mp.erfinv(y) / y - 1


def erfcinv_of_root(r: Any) -> Any:
    """The x with erfc(x) = exp(-r^2)."""
    target = -r * r
    x = r
    for _ in range(60):
        value = mp.log(mp.erfc(x)) - target
        slope = -2 / mp.sqrt(mp.pi) * mp.exp(-x * x) / mp.erfc(x)
        step = value / slope
        x -= step
        if abs(step) < mp.mpf(10) ** (5 - mp.dps) * x:
            return x
    raise ArithmeticError(f"no root for {r}")


ERROR = Table(
    "Polynomials of the error function, its complement and their inverses.",
    {
        "ERF_NEAR": pieces(erf_near, 0.0, 1.0, size=1.0),
        # (1 + 2x) erfcx(x) of t = (x - 3.75)/(x + 3.75): from 1 to 2/sqrt(pi).
        "ERFCX": pieces(half_line(lambda x: (1 + 2 * x) * erfcx(x), 3.75), -1.0, 1.0),
        "ERFINV_NEAR": pieces(erfinv_near, 0.0, 0.25, size=0.9),
        "ERFCINV": pieces(erfcinv_of_root, 0.8125, 1.5, 3.0, 6.25, 12.0, 28.0),
    },
)
DAWSON = Table(
    "Polynomials of Dawson's integral.",
    {
        "NEAR": pieces(dawson_near, 0.0, 1.0, size=0.5),
        "MIDDLE": pieces(dawson, 1.0, 2.5, 4.0, 6.0),
        "FAR": pieces(dawson_far, 0.0, 1 / 32, size=1.0),
    },
)

TABLES = {
    "_numerics/error_function_tables": ERROR,
    "_error/kernels/dawson_tables": DAWSON,
}
"""By the files that they are written to."""
