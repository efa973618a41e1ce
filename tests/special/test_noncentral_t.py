"""The noncentral t distribution's derivatives, for large parameters and in far tails.

The oracle is the definition: with s = chi/sqrt(df) the distribution function is the mean of
Phi(t s - nc), so its derivatives are means of s^k phi^(n)(t s - nc). They are taken by the
trapezoidal rule in ln s, at 60 digits and more, which no cancellation matters to.
"""

from __future__ import annotations

import functools
from typing import Any

import jax
import mpmath
import numpy as np
import pytest
import scipy.special

from jaxsci import special as sp

pytestmark = pytest.mark.rotating(0.03)

mp: Any = mpmath.mp

_DIGITS = 25

LARGE = (
    (5.0, 1e4, 10100.0),
    (1e6, 1e5, 1.0002e5),
    (1e-2, 1e3, 1e8),
    (1e3, 75.0, 75.75),
    (679.0774, -66.287, -69.323),
    (164.34899, 905.3958998, 925.15),
)
TAILS = (
    (800.2, 3782.0, 7247.25),
    (1e4, 50.0, 20.0),
    (2e6, -0.5, 30.0),
    (0.2487438, -28.461929, -0.11631239),
    (3.0, 5.0, -1e60),
    (0.01, 2.0, -1e200),
)
CENTRE = ((7.0, 2.0, 0.0), (7.0, 0.0, 0.0), (1e5, 0.0, 1.5), (1e-6, 1.0, 2.0), (1e30, 1.0, 2.0))


def _mean(df: float, nc: float, t: float, k: int, n: int) -> Any:
    """The mean of s^k phi^(n)(t s - nc)."""
    with mp.workdps(_DIGITS + 35):
        df, nc, t = map(mp.mpf, (df, nc, t))
        norm = mp.log(2) + df / 2 * mp.log(df / 2) - mp.loggamma(df / 2) - mp.log(2 * mp.pi) / 2
        a, c = df + k, df + t * t

        def exponent(w: Any) -> Any:
            s = mp.exp(w)
            return a * w - df * s * s / 2 - (t * s - nc) ** 2 / 2

        s0 = (t * nc + mp.sqrt((t * nc) ** 2 + 4 * c * a)) / (2 * c)
        centre, top = mp.log(s0), exponent(mp.log(s0))
        width = min(mp.mpf(1), 1 / mp.sqrt(2 * c * s0 * s0 - t * nc * s0))

        def stretched(v: Any) -> Any:
            return centre + width * (v + 1 - mp.exp(-v))

        def end(sign: int) -> Any:
            v = mp.mpf(sign)
            while exponent(stretched(v)) > top - (_DIGITS + 5) * mp.log(10) - mp.log(1 + 1 / a):
                v *= mp.mpf(5) / 4
            return v

        def part(v: Any) -> Any:
            w = stretched(v)
            r = t * mp.exp(w) - nc
            factor = (mp.mpf(1), -r, r * r - 1)[n]
            return mp.exp(exponent(w) - top) * width * (1 + mp.exp(-v)) * factor

        low, high = end(-1), end(1)
        step = mp.mpf(1) / 12
        count = int(mp.ceil((high - low) / step))
        total = mp.fsum(part(low + step * j) for j in range(count + 1))
        between = mp.fsum(part(low + step * (j + mp.mpf(1) / 2)) for j in range(count))
        assert abs(total - between) <= mp.mpf(10) ** -16 * (abs(total) + abs(part(0)) / 10**8)
        return (total + between) * step / 2 * mp.exp(norm + top)


@functools.cache
def _derivatives(df: float, nc: float, t: float) -> dict[str, Any]:
    with mp.workdps(_DIGITS + 35):  # a minus rounds too
        return {
            "c": -_mean(df, nc, t, 0, 0),
            "t": _mean(df, nc, t, 1, 0),
            "cc": _mean(df, nc, t, 0, 1),
            "ct": -_mean(df, nc, t, 1, 1),
            "tt": _mean(df, nc, t, 2, 1),
        }


def _assert_near(found: Any, truth: Any, tolerance: float) -> None:
    if abs(truth) < np.finfo(float).tiny:
        assert abs(float(found)) <= np.finfo(float).tiny
    elif truth != 0:
        assert abs(mp.mpf(float(found)) / truth - 1) < tolerance, (float(found), truth)


@pytest.mark.parametrize("point", LARGE + TAILS + CENTRE)
def test_derivatives(point: tuple[float, float, float]) -> None:
    truth = _derivatives(*point)
    slope, density = jax.grad(sp.nctdtr, 1), jax.grad(sp.nctdtr, 2)
    _assert_near(slope(*point), truth["c"], 1e-12)
    _assert_near(density(*point), truth["t"], 1e-12)
    if point[0] < 1e12:  # beyond, 1e-15 of the density is all that is left of some of them
        _assert_near(jax.grad(density, 2)(*point), truth["tt"], 1e-10)
        _assert_near(jax.grad(density, 1)(*point), truth["ct"], 1e-10)
        _assert_near(jax.grad(slope, 1)(*point), truth["cc"], 1e-10)


@pytest.mark.parametrize(
    "point", [(1e3, 75.0, 0.6), (5.0, 1e3, 0.7), (3e4, -0.2, 1e-21), (0.3, 300.0, 0.1)]
)
def test_derivatives_of_the_quantile(point: tuple[float, float, float]) -> None:
    df, nc, _ = point
    f = _derivatives(df, nc, float(scipy.special.nctdtrit(*point)))
    along_nc, along_p = jax.grad(sp.nctdtrit, 1), jax.grad(sp.nctdtrit, 2)
    with mp.workdps(60):
        by_nc, by_p = -f["c"] / f["t"], 1 / f["t"]
        _assert_near(along_nc(*point), by_nc, 1e-12)
        _assert_near(along_p(*point), by_p, 1e-12)
        twice = -(f["cc"] + 2 * f["ct"] * by_nc + f["tt"] * by_nc**2) / f["t"]
        _assert_near(jax.grad(along_nc, 1)(*point), twice, 1e-10)
        both = -(f["ct"] + f["tt"] * by_nc) * by_p / f["t"]
        _assert_near(jax.grad(along_nc, 2)(*point), both, 1e-10)
        _assert_near(jax.grad(along_p, 1)(*point), both, 1e-10)
        _assert_near(jax.grad(along_p, 2)(*point), -f["tt"] * by_p**2 / f["t"], 1e-10)


@pytest.mark.parametrize("point", [(1e3, 75.0, 75.75), (5.0, 300.0, 270.0), (0.4, -40.0, -30.0)])
def test_derivatives_of_the_noncentrality(point: tuple[float, float, float]) -> None:
    df, nc, t = point
    f, at = _derivatives(df, nc, t), (df, float(scipy.special.nctdtr(df, nc, t)), t)
    along_p, along_t = jax.grad(sp.nctdtrinc, 1), jax.grad(sp.nctdtrinc, 2)
    with mp.workdps(60):
        by_p, by_t = 1 / f["c"], -f["t"] / f["c"]
        _assert_near(along_p(*at), by_p, 1e-12)
        _assert_near(along_t(*at), by_t, 1e-12)
        both = -(f["ct"] + f["cc"] * by_t) * by_p / f["c"]
        _assert_near(jax.grad(along_p, 2)(*at), both, 1e-10)
        _assert_near(jax.grad(along_t, 1)(*at), both, 1e-10)
        _assert_near(jax.grad(along_p, 1)(*at), -f["cc"] * by_p**2 / f["c"], 1e-10)
        twice = -(f["tt"] + 2 * f["ct"] * by_t + f["cc"] * by_t**2) / f["c"]
        _assert_near(jax.grad(along_t, 2)(*at), twice, 1e-10)
