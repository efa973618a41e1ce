"""Where rows mend SciPy's distribution functions: points in those regions.

Of the same kind as those of `mended`.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import mpmath as mp
from kernel_truths import gamma_tails
from mended import Mended

from jaxsci._verification.oracles.distributions import root_in_unit_interval

# -- gamma distribution of large shapes ------------------------------------------------------------


@functools.cache
def lower_gamma(a: Any, x: Any) -> Any:
    """P(a, x), of tens of thousands of terms."""
    return gamma_tails(a, x)[0]


def _root(function: Callable[[Any], Any], goal: Any, near: Any) -> Any:
    """Where a function has a value, by the secants of its logarithm."""
    with mp.workdps(25):
        off = lambda x: mp.log(function(x)) - mp.log(goal)  # noqa: E731
        return mp.findroot(off, (near, near * (1 + mp.mpf("1e-5"))), tol=1e-40)


def _place(a: Any, p: Any) -> Any:
    return _root(lambda x: lower_gamma(a, x), p, a - 5 * mp.sqrt(a))


def _shape(p: Any, x: Any) -> Any:
    return _root(lambda a: lower_gamma(a, x), p, x + 5 * mp.sqrt(x))


_SHAPES = [(1e6, 995000.0), (3e6, 2990000.0), (2.5e6, 2.46e6)]
_PROBABILITIES = [(1e6, 1e-7), (3e6, 2.0**-40)]
_COUNTS = [(1_000_000, 995000.0), (3_000_000, 2990000.0)]
_OF_GAMMA = [
    Mended("gammainc", lower_gamma, _SHAPES, tolerance=1e-11),
    Mended("gammaincc", lambda a, x: 1 - lower_gamma(a, x), [(3e6, 2992000.0)]),
    Mended("gdtr", lambda a, b, x: lower_gamma(b, a * x), [(2.0, 1e6, 497500.0)], tolerance=1e-11),
    Mended("gdtrc", lambda a, b, x: 1 - lower_gamma(b, a * x), [(2.0, 3e6, 1496000.0)]),
    Mended("chdtr", lambda v, x: lower_gamma(v / 2, x / 2), [(2e6, 1990000.0)], tolerance=1e-11),
    Mended("chdtrc", lambda v, x: 1 - lower_gamma(v / 2, x / 2), [(6e6, 5984000.0)]),
    Mended("pdtr", lambda k, m: 1 - lower_gamma(k + 1, m), [(3_000_000, 2992000.0)]),
    Mended("pdtrc", lambda k, m: lower_gamma(k + 1, m), _COUNTS, tolerance=1e-11),
    Mended("gammaincinv", _place, _PROBABILITIES),
    Mended("gammainccinv", lambda a, y: _place(a, 1 - y), [(1e6, 1 - 1e-7)]),
    Mended("gdtria", lambda p, b, x: _place(b, p) / x, [(1e-7, 1e6, 3.0)]),
    Mended("gdtrix", lambda a, b, p: _place(b, p) / a, [(3.0, 1e6, 1e-7)]),
    Mended("gdtrib", lambda a, p, x: _shape(p, a * x), [(2.0, 1e-7, 5e5)]),
    Mended("chdtri", lambda v, p: 2 * _place(v / 2, 1 - p), [(2e6, 1 - 1e-7)]),
    Mended("pdtri", lambda k, y: _place(k + 1, 1 - y), [(1_000_000, 1 - 1e-7)]),
]

# -- binomial distributions ------------------------------------------------------------------------


def lower_beta(a: Any, b: Any, x: Any) -> Any:
    """I_x(a, b) of large shapes: the density's integral over thirty deviations."""
    log_beta = mp.loggamma(a) + mp.loggamma(b) - mp.loggamma(a + b)

    def density(t: Any) -> Any:
        return mp.exp((a - 1) * mp.log(t) + (b - 1) * mp.log1p(-t) - log_beta)

    deviation = mp.sqrt(a * b / (a + b)) / (a + b)
    low = min(x, a / (a + b)) - 30 * deviation
    pieces = [low + (x - low) * j / 16 for j in range(17)]
    return mp.quad(density, pieces)


def _at_most(k: Any, n: Any, p: Any) -> Any:
    """The probability of k successes of n, or fewer."""
    k, n = int(k), int(n)
    return mp.fsum(mp.binomial(n, j) * p**j * (1 - p) ** (n - j) for j in range(k + 1))


def _failures(k: Any, n: Any, p: Any) -> Any:
    """At most k failures before n successes: n successes of n + k trials, or more."""
    k, n = int(k), int(n)
    q = 1 - p
    if n <= k:
        return 1 - mp.fsum(mp.binomial(n + k, j) * p**j * q ** (n + k - j) for j in range(n))
    return mp.fsum(mp.binomial(n + j - 1, j) * p**n * q**j for j in range(k + 1))


_OF_COUNTS = [
    Mended("bdtr", lambda k, n, p: lower_beta(n - k, k + 1, 1 - p), [(10**9, 2 * 10**9, 0.50001)]),
    Mended("bdtrc", lambda k, n, p: lower_beta(k + 1, n - k, p), [(10**9, 2 * 10**9, 0.50001)]),
    Mended("nbdtr", lambda k, n, p: lower_beta(n, k + 1, p), [(2 * 10**9, 10**6, 4.985e-4)]),
    Mended("nbdtrc", lambda k, n, p: lower_beta(k + 1, n, 1 - p), [(2 * 10**9, 10**6, 5.01e-4)]),
    Mended(
        "bdtri",
        lambda k, n, y: root_in_unit_interval(lambda p: _at_most(k, n, p) / y - 1),
        [(0, 10, 1e-12), (3, 40, 1e-13), (20, 300, 1e-14), (72, 200, 3e-12)],
    ),
    Mended(
        "nbdtri",
        lambda k, n, y: root_in_unit_interval(lambda p: _failures(k, n, p) / y - 1),
        [(11, 200, 2.88e-11), (5, 240, 6e-14), (2000, 1, 0.99999912)],
    ),
]

CASES = [*_OF_GAMMA, *_OF_COUNTS]
