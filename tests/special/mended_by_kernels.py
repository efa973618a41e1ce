"""Where rows mend SciPy's values by a kernel of theirs: points in those regions.

Of the same kind as those of `mended`.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import mpmath as mp
from mended import Mended, drawn

from jaxsci._verification.oracles import student


def precisely(digits: int) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A function with so many digits: where it is a difference, or its argument almost nothing."""

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def more(*args: Any, **static: Any) -> Any:
            with mp.workdps(digits):
                return function(*args, **static)

        return more

    return decorate


@precisely(700)
def _divergence(x: Any, y: Any) -> Any:
    return x * mp.log(x / y) - x + y


@precisely(700)
def _inverse_box_cox(y: Any, lmbda: Any) -> Any:
    return mp.expm1(mp.log1p(lmbda * y) / lmbda)


@precisely(150)
def _owen(h: Any, a: Any) -> Any:
    """The series of 1/(1 + s^2) term by term, for |a| < 1 (DLMF 8.2.1)."""
    total, x = mp.mpf(0), h * h / 2
    for k in range(2000):
        term = mp.gammainc(k + mp.mpf(1) / 2, 0, x * a * a) / x ** (k + mp.mpf(1) / 2) / 2
        total += (-1) ** k * term
        if term < 1e-80 * total:
            break
    return mp.sign(a) * mp.exp(-x) / (2 * mp.pi) * total


@precisely(150)
def _log_of_normal(x: Any) -> Any:
    return mp.log(mp.erfc(-x / mp.sqrt(2)) / 2)


CASES = [
    Mended(
        "kl_div",
        _divergence,
        [
            *((1.0, 1.0 + 1e-15), (3.0, 3.0 - 1e-8), (0.2, 0.2 + 1e-5), (7.0, 7.013)),
            *((1e-300, 1e300), (1e300, 1e-300), (1e200, 1e-200), (1e-100, 1e-100 + 1e-110)),
        ],
        derivatives=(0, 1),
        tolerance=1e-11,
    ),
    Mended(
        "inv_boxcox1p",
        _inverse_box_cox,
        [(0.27, 1e-300), (-3.0, 1e-200), (50.0, 1e-160), (0.27, -1e-300), (300.0, -1e-155)],
        derivatives=(0, 1),
    ),
    Mended(
        "stdtr",
        student.student_cdf,
        [
            *((1.0, -1e200), (0.5, -1e160), (1.9, -1e158), (2.0, -1e153), (0.01, -1e200)),
            *((1e-3, 1e300), (0.01, 1e200)),
        ],
        derivatives=(0,),
    ),
    Mended(
        "owens_t",
        _owen,
        [
            *((6.0, 1e-9), (20.0, 1e-9), (5.0, -1e-9), (-8.0, 1e-10)),
            *((h, 10**a) for h, a in drawn("Owen", 8, (4.8, 30.0), (-30.0, -5.0))),
        ],
        derivatives=(0, 1),
        tolerance=1e-11,
    ),
    Mended(
        "log_ndtr",
        _log_of_normal,
        [
            *((5 + 1j,), (6 + 1e-10j,), (6 + 0j,), (10 + 9j,), (10 - 11j,), (30 + 31j,)),
            *((complex(x, 10**y),) for x, y in drawn("normal", 8, (3.0, 9.0), (-9.0, 1.0))),
        ],
        derivatives=(0,),
        tolerance=1e-11,
    ),
    Mended(
        "beta",
        mp.beta,
        [
            *((-171.2, -0.3), (-300.2, -3.3), (-100.5, -90.25), (-200.25, -12.5)),
            *drawn("beta", 8, (-300.0, -100.0), (-150.0, -70.0)),
        ],
        derivatives=(0, 1),
        tolerance=1e-11,
    ),
]
