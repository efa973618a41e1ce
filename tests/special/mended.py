"""Where rows mend SciPy's values: points in those regions, and mpmath's values there.

One entry a function: how points are drawn, and the function in multi-precision. ``derivatives``
are the arguments whose first derivative is looked at too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import mpmath as mp
import numpy as np

from jaxsci._verification.oracles import student


@dataclass(frozen=True)
class Mended:
    name: str
    truth: Callable[..., Any]
    """Of mpmath's numbers; a tuple where the function has several results."""
    points: Sequence[tuple[Any, ...]]
    static: dict[str, Any] = field(default_factory=dict)
    derivatives: Sequence[int] = ()
    tolerance: float = 1e-12
    results: Sequence[int] = (0,)
    """Which results are looked at."""

    def __str__(self) -> str:
        return "-".join([self.name, *(f"{k}={v}" for k, v in self.static.items())])


def drawn(seed: str, n: int, *ranges: tuple[float, float]) -> list[tuple[float, ...]]:
    rng = np.random.default_rng(list(seed.encode()))
    columns = [rng.uniform(low, high, n) for low, high in ranges]
    return [tuple(map(float, point)) for point in zip(*columns, strict=True)]


# -- decaying Bessel functions, where they underflow -----------------------------------------------

_FAR = [(0.0, 698.0), (0.3, 700.6), (-2.0, 707.0), (30.0, 703.0), (90.0, 704.5), (400.0, 799.0)]
_FAR += drawn("far", 8, (-15.0, 30.0), (698.5, 704.0))
_WHOLE_FAR = [(0, 700.0), (-3, 703.5), (12, 700.6), (90, 704.5)]


def macdonald(v: Any, z: Any) -> Any:
    """K_v(z) for large Re z: the trapezoidal rule for DLMF 10.32.9, which converges geometrically.

    mpmath's besselk takes seconds there.
    """
    step = mp.mpf(1) / 128
    terms = (mp.exp(-z * mp.cosh(k * step)) * mp.cosh(v * k * step) for k in range(1, 200))
    return step * (mp.exp(-z) / 2 + mp.fsum(terms))


def _nth_of_macdonald(v: Any, z: Any, n: int) -> Any:  # DLMF 10.29.5
    terms = (mp.binomial(n, k) * macdonald(v - n + 2 * k, z) for k in range(n + 1))
    return mp.mpf(-1) ** n * mp.fsum(terms) / 2**n


def _spherical(n: Any, z: Any, derivative: bool) -> Any:
    front = mp.sqrt(mp.pi / (2 * z))
    value = front * macdonald(n + mp.mpf(1) / 2, z)
    if not derivative:
        return value
    return n / z * value - front * macdonald(n + mp.mpf(3) / 2, z)


BESSEL = [
    Mended("kv", macdonald, _FAR, derivatives=(1,)),
    Mended("kn", macdonald, _WHOLE_FAR, derivatives=(1,)),
    *(Mended("kvp", _nth_of_macdonald, _FAR, {"n": n}, (1,)) for n in (1, 2)),
    *(
        Mended(
            "spherical_kn",
            _spherical,
            _WHOLE_FAR[:1] + _WHOLE_FAR[2:3],
            {"derivative": derivative},
            (1,),
        )
        for derivative in (False, True)
    ),
]

# -- limits at 0 -----------------------------------------------------------------------------------


def _near_zero(function: Callable[..., Any]) -> Callable[..., Any]:
    """Infinite with the sign of the function beside 0, or 0 where that is small."""

    def truth(v: Any, z: Any) -> Any:
        beside = function(v, z + mp.mpf("1e-60"))
        return mp.sign(beside) * mp.inf if abs(beside) > 1 else mp.mpf(0)

    return truth


def _tail_of_k0(x: Any) -> Any:
    return None, mp.meijerg([[], [1]], [[0, 0, 0], []], x**2 / 4) / 4


INTEGRALS = [
    Mended(
        "it2i0k0",
        _tail_of_k0,
        [(3.01,), (11.9,), (12.1,), (16.19,), (100.0,), *drawn("tail of k0", 8, (3.0, 30.0))],
        derivatives=(0,),
        results=(1,),
    )
]

LIMITS = [
    Mended("yv", _near_zero(mp.bessely), [(-0.5, 0.0), (-1.5, 0.0), (-8.5, -0.0)]),
    Mended("iv", _near_zero(mp.besseli), [(-1.5, 0.0), (-1.01, 0.0), (-3.99, 0.0), (-7.5, 0.0)]),
    Mended("sici", lambda x: (mp.si(x), mp.ci(-x)), [(-np.inf,)], results=(1,)),
    Mended("pdtri", lambda k, y: mp.mpf(0), [(0, 1.0), (3, 1.0), (100, 1.0)]),
    Mended("nctdtrit", lambda df, nc, p: -mp.inf, [(0.3, -1.0, 0.0), (3.0, 2.5, 0.0)]),
    Mended("stdtrit", lambda df, p: -mp.inf, [(0.3, 0.0), (3.0, 0.0), (500.0, 0.0)]),
]

# -- distributions ---------------------------------------------------------------------------------


def _student_quantile(df: Any, p: Any) -> Any:
    """By a search in log |t|, with the incomplete beta function."""

    def off(log_t: Any) -> Any:
        return mp.log(student.student_cdf(df, -mp.exp(log_t)) / p)

    start = -mp.log(p) / df
    return -mp.exp(mp.findroot(off, (start, start + 1), solver="secant", tol=1e-40))


STUDENT = [
    Mended(
        "stdtrit",
        _student_quantile,
        [(3.0, 1e-250), (10.0, 1e-300), (20.0, 9e-61), (0.9, 1e-300), (0.5, 1e-30), (2.5, 1e-61)]
        + [(df, 10**q) for df, q in drawn("tail", 12, (1.1, 20.0), (-305.0, -60.0))],
        derivatives=(1,),
    )
]

# -- hypergeometric functions ----------------------------------------------------------------------


def _tricomi(a: Any, b: Any, x: Any) -> Any:
    return mp.rf(b, -a) * (-1) ** -a if x == 0 else mp.hyperu(a, b, x)


HYPERGEOMETRIC = [
    Mended(
        "hyperu",
        _tricomi,
        [
            *((9.844, 10.0, 0.208), (-9.707, 6.46, 7.089), (-50.0, 1.0, 10.0), (4.0, 5.0, 0.013)),
            *((-48.0, 9.87, 79.687), (8.39, -3.0, 4.933), (41.0, -12.0, 9.3), (1.11, -4.8, 6.429)),
            *((-2.0, 1.5, 0.0), (-5.0, 3.25, 0.0), (-2.0, 2.0, 0.0)),
            *((-10.48, 38.81, 31.15), (-12.91, 16.01, 179.25), (-49.0, 10.89, 22.76)),
            *((-37.0, 15.34, 26.02), (-18.0, 10.48, 38.92), (1.24, -56.45, 55.14)),
            *drawn("a > 0", 8, (0.1, 10.0), (-5.0, 10.0), (1.0, 30.0)),
            *drawn("a < 0", 8, (-10.0, 0.0), (-5.0, 9.0), (3.0, 30.0)),
        ],
        tolerance=1e-12,
    )
]


def _at_angle(points: Sequence[tuple[float, ...]]) -> list[tuple[Any, ...]]:
    """The last two of each are the absolute value and the angle over pi."""
    return [
        (*p, float(r * np.cos(np.pi * t)) + 1j * float(r * np.sin(np.pi * t)))
        for *p, r, t in points
    ]


def _whole_first(points: Sequence[tuple[float, ...]]) -> list[tuple[float, ...]]:
    return [(float(np.round(a)), *rest) for a, *rest in points]


def _gauss(a: Any, b: Any, c: Any, z: Any) -> Any:
    return mp.hyp2f1(a, b, c, z, maxterms=10**6)


GAUSS = [
    Mended(
        "hyp1f1",
        mp.hyp1f1,
        [
            *((-4.0, 7.559, -7.772), (-40.0, -28.109, 2.603), (-3.0, 7.5, -7.4)),
            *_whole_first(drawn("polynomials", 12, (-50, -1), (-50, 50), (-50, 50))),
            *_whole_first(drawn("Laguerre", 8, (-50, -1), (0.1, 50), (-50, 50))),
        ],
        derivatives=(2,),
        tolerance=1e-8,
    ),
    Mended(
        "hyp1f1",
        mp.hyp1f1,
        [
            *_at_angle(drawn("plane", 10, (-10, 15), (0.1, 15), (10, 30), (-1, 1))),
            *_at_angle(drawn("wide plane", 10, (-50, 50), (-50, 50), (10, 50), (-1, 1))),
        ],
        derivatives=(2,),
        tolerance=1e-8,
    ),
    Mended(
        "hyp2f1",
        _gauss,
        [
            *((0.358, 44.195, 30.155, 0.818), (0.5, 12.25, -9.5, 0.3), (0.3, 30.2, -0.25, -2.2)),
            *drawn("moderate", 8, (-20, 20), (-20, 20), (8, 20), (-3.0, 0.97)),
            *drawn("wide", 8, (-40, 40), (-40, 40), (8, 50), (-3.0, 0.97)),
            *drawn("negative c", 8, (-20, 20), (-20, 20), (-20, -8), (-0.95, 0.95)),
        ],
        derivatives=(3,),
        tolerance=1e-8,
    ),
    Mended(
        "hyp2f1",
        _gauss,
        [
            *(
                (0.5, 0.5, 1.0, 0.54 + 0.81j),
                (2.5, 2.5, 2.5, 1.6 - 1.3j),
                (0.3, 1.0, 2.0, 1j**0.67),
            ),
            *((-0.7, -0.7, -0.7, -2.2 + 0.1j), (1.25, 3.0, 6.0, 0.45 - 0.91j)),
            *_at_angle(drawn("circle", 8, (-5, 5), (-5, 5), (0.2, 8), (0.9, 1.1), (0.25, 0.4))),
            *_at_angle(drawn("plane", 8, (-20, 20), (-20, 20), (8, 20), (0.1, 3), (-1, 1))),
        ],
        derivatives=(3,),
        tolerance=1e-8,
    ),
]

CASES = [*GAUSS, *BESSEL, *INTEGRALS, *LIMITS, *STUDENT, *HYPERGEOMETRIC]
"""Of functions of numbers."""
