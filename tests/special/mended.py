"""Where rows mend SciPy's values: points in those regions, and mpmath's values there.

One entry a function: how points are drawn, and the function in multi-precision. ``derivatives``
are the arguments whose first derivative is looked at too.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import mpmath as mp
import numpy as np

from jaxsci._verification.oracles import elliptic, mathieu, student


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
    wrong: float = 1e-9
    """What SciPy's values may be off by to keep their bits."""

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


def _of_j0y0(x: Any) -> Any:
    """DLMF 10.22.2, 11.4.26."""
    first = x * mp.hyp1f2(0.5, 1, 1.5, -(x**2) / 4, maxprec=10**4)
    struve = mp.bessely(0, x) * mp.struveh(-1, x) + mp.bessely(1, x) * mp.struveh(0, x)
    return first, mp.pi * x / 2 * struve


def _of_j0y0_over_t(x: Any) -> Any:
    first = x**2 / 8 * mp.hyp2f3(1, 1, 2, 2, 2, -(x**2) / 4, maxprec=10**4)
    # The stored references, by Meijer's G, take seconds; DLMF 10.8.2 term by term.
    with mp.workdps(60 + int(x)):
        log, term, harmonic = mp.log(x / 2) + mp.euler, mp.mpf(1), mp.mpf(0)
        total = log**2 / 2
        for k in range(1, 60 + 3 * int(x)):
            term, harmonic = -term * (x / (2 * k)) ** 2, harmonic + mp.mpf(1) / k
            total += term / (2 * k) * (log - mp.mpf(1) / (2 * k) - harmonic)
        second = mp.pi / 6 - 2 / mp.pi * total
    return first, second


def _of_struve(x: Any) -> Any:
    return x**2 / mp.pi * mp.hyp2f3(1, 1, 1.5, 1.5, 2, -(x**2) / 4, maxprec=10**4)


def _of_struve_over_t(x: Any) -> Any:
    with mp.workdps(60 + int(abs(x))):
        whole = mp.hyp2f3(0.5, 1, 1.5, 1.5, 1.5, -(x**2) / 4, maxprec=10**4)
        return mp.pi / 2 - 2 * x / mp.pi * whole


def _of_modified_struve(x: Any) -> Any:
    return x**2 / mp.pi * mp.hyp2f3(1, 1, 1.5, 1.5, 2, x**2 / 4)


def _of_airy(x: Any) -> Any:
    return (
        mp.airyai(x, derivative=-1),
        mp.airybi(x, derivative=-1),
        -mp.airyai(-x, derivative=-1),
        -mp.airybi(-x, derivative=-1),
    )


def _besselpoly(a: Any, lmb: Any, nu: Any) -> Any:
    if nu < 0 and nu == int(nu):
        return (-1) ** int(nu) * _besselpoly(a, lmb, -nu)
    b = (lmb + nu + 1) / 2
    front = a**nu / (mp.gamma(nu + 1) * 2 * b)
    return front * mp.hyp1f2(b, b + 1, nu + 1, -(a**2), maxprec=10**4)


_ALL_SIGNS = [(-39.0,), (-33.7,), (39.9,), (40.1,), (75.0,), (-110.5,)]

INTEGRALS = [
    Mended(
        "itj0y0",
        _of_j0y0,
        [*drawn("J and Y", 8, (8.0, 40.0)), (39.9,), (40.1,), (90.0,)],
        derivatives=(0,),
        results=(0, 1),
    ),
    Mended(
        "it2j0y0",
        _of_j0y0_over_t,
        [*drawn("J and Y over t", 8, (8.0, 40.0)), (39.9,), (40.1,), (90.0,)],
        derivatives=(0,),
        tolerance=1e-11,
        results=(0, 1),
    ),
    Mended(
        "iti0k0",
        lambda x: (x * mp.hyp1f2(0.5, 1, 1.5, x**2 / 4), None),
        [(18.5,), (20.3,), (-21.0,), (39.9,), (40.1,), (250.0,), (690.0,)],
        derivatives=(0,),
    ),
    Mended(
        "itstruve0",
        _of_struve,
        [*drawn("Struve", 6, (4.0, 40.0)), *_ALL_SIGNS],
    ),
    Mended(
        "it2struve0",
        _of_struve_over_t,
        [*drawn("Struve over t", 6, (4.0, 40.0)), *_ALL_SIGNS],
        tolerance=1e-11,
    ),
    Mended(
        "itmodstruve0",
        _of_modified_struve,
        [*drawn("modified Struve", 6, (15.0, 40.0)), *_ALL_SIGNS, (600.0,)],
    ),
    Mended(
        "itairy",
        _of_airy,
        [*drawn("Airy", 8, (-14.0, 14.0)), (8.287,), (-8.67,), (0.02,)],
        derivatives=(0,),
        tolerance=1e-11,
        results=(0, 1, 2, 3),
    ),
    Mended(
        "besselpoly",
        _besselpoly,
        [
            *drawn("besselpoly", 8, (3.0, 60.0), (0.0, 5.0), (-0.9, 6.0)),
            (19.5, 0.0, 0.0),
            (450.0, 1.5, 11.0),
            *((30.0, 2.0, -1.0), (30.0, 2.0, -1.5), (12.0, 1.0, -11.0), (55.0, 6.5, -6.0)),
            *((60.0, 4.5, -3.7), (14.0, 10.5, -8.2), (30.0, 1.0, 0.0), (12.0, 9.0, 0.0)),
        ],
        tolerance=1e-11,
    ),
    Mended(
        "it2i0k0",
        lambda x: x**2 / 8 * mp.hyp2f3(1, 1, 2, 2, 2, x**2 / 4),
        [(40.0,), (-49.0,), (64.2,), (100.0,), (300.0,), (690.0,)],
        derivatives=(0,),
    ),
    Mended(
        "it2i0k0",
        _tail_of_k0,
        [(3.01,), (11.9,), (12.1,), (16.19,), (100.0,), *drawn("tail of k0", 8, (3.0, 30.0))],
        derivatives=(0,),
        results=(1,),
    ),
]

_OVERFLOWS = [(-83.5, 0.0015), (-9.5, 1e-109), (-70.25, 1e-110), (-400.75, 20.0)]


def _nth(function: Callable[..., Any], sign: int) -> Callable[..., Any]:
    """The n-th derivative by neighbouring orders (DLMF 10.6.7, 10.29.5): mpmath's takes minutes."""

    def truth(v: Any, z: Any, n: int = 0) -> Any:
        terms = (sign**k * mp.binomial(n, k) * function(v - n + 2 * k, z) for k in range(n + 1))
        return mp.fsum(terms) / 2**n

    return truth


def _beyond(function: Callable[..., Any], sign: int) -> Callable[..., Any]:
    """A function, or its n-th derivative, that has no numbers but infinite ones, and 0."""
    nth = _nth(function, sign)

    def truth(v: Any, z: Any, n: int = 0) -> Any:
        value = nth(v, z, n)
        beyond = abs(value) > mp.mpf(2) ** 1024
        return mp.sign(value) * mp.inf if beyond else value

    return truth


NEXT_TO_ZERO = [
    Mended(
        "iv",
        mp.besseli,
        [(1.5, 1e-146), (0.724, 1.8e-212), (-12.0, 8.4e-24), (2.0, 1e-120), (60.0, 3e-4)],
        derivatives=(0, 1),
    ),
    Mended(
        "ivp",
        _nth(mp.besseli, 1),
        [(2.5, 1e-126), (4.75, 1e-68), (-12.0, 5e-26), (2.0, 1e-230)],
        static={"n": 1},
        tolerance=1e-11,
    ),
    Mended("ivp", _beyond(mp.besseli, 1), [(-83.5, 0.0015), (-9.25, 1e-109)], static={"n": 3}),
    Mended("jv", _beyond(mp.besselj, -1), [*_OVERFLOWS, (-2112602.1, 5608.5)]),
    Mended("jvp", _beyond(mp.besselj, -1), _OVERFLOWS, static={"n": 1}),
    Mended("jvp", _beyond(mp.besselj, -1), _OVERFLOWS, static={"n": 2}),
    Mended("yv", _beyond(mp.bessely, -1), [*_OVERFLOWS, (-70.5, 1e-110), (-4.5, 1e-157)]),
    Mended(
        "yvp",
        _beyond(mp.bessely, -1),
        [*_OVERFLOWS, (-70.5, 1e-110), (2.0, 1e-120), (5.0, 1e-120), (-2.0, 1e-120)],
        static={"n": 3},
    ),
]

LIMITS = [
    Mended("yv", _near_zero(mp.bessely), [(-0.5, 0.0), (-1.5, 0.0), (-8.5, -0.0)]),
    Mended("iv", _near_zero(mp.besseli), [(-1.5, 0.0), (-1.01, 0.0), (-3.99, 0.0), (-7.5, 0.0)]),
    Mended("sici", lambda x: (mp.si(x), mp.ci(-x)), [(-np.inf,)], results=(1,)),
    Mended("zeta", lambda x, q: q**-x, [(1e19, 40.0), (1e14, 1.5), (3e17, 1e5), (np.inf, 2.0)]),
    Mended("pdtri", lambda k, y: mp.mpf(0), [(0, 1.0), (3, 1.0), (100, 1.0)]),
    Mended("nctdtrit", lambda df, nc, p: -mp.inf, [(0.3, -1.0, 0.0), (3.0, 2.5, 0.0)]),
    Mended("stdtrit", lambda df, p: -mp.inf, [(0.3, 0.0), (3.0, 0.0), (500.0, 0.0)]),
]

# -- distributions ---------------------------------------------------------------------------------


def _student_quantile(df: Any, p: Any) -> Any:
    """By repetition in log |t|, of which the tail is nearly a power."""
    if p > 0.5:
        return -_student_quantile(df, 1 - mp.mpf(p))
    log_t, step = -mp.log(p) / df, mp.mpf(1)
    while abs(step) > mp.mpf(10) ** -35:
        step = mp.log(student.student_cdf(df, -mp.exp(log_t)) / p) / df
        log_t += step
    return -mp.exp(log_t)


def _fresnel(sign: int) -> Callable[..., Any]:
    def truth(x: Any) -> Any:
        turned = mp.expjpi(mp.mpf(sign) / 4)
        return mp.sqrt(mp.pi) / 2 * turned * mp.erfc(x / turned), None

    return truth


ELEMENTARY = [
    Mended(
        "tandg",
        lambda x: mp.sinpi(x / 180) / mp.cospi(x / 180),
        [(90 + 1e-12,), (-90 - 1e-6,), (270.001,), (90.9,), (1.8e8 + 90 + 1e-6,), (-450.25,)],
    ),
    Mended(
        "cotdg",
        lambda x: mp.cospi(x / 180) / mp.sinpi(x / 180),
        [(1e-12,), (-1e-200,), (1e-3,), (180 - 1e-6,), (-180.5,), (360.75,), (1.8e8 + 1e-6,)],
    ),
    *(
        Mended(
            f"modfresnel{name}",
            _fresnel(sign),
            [(-0.486682,), (-1e-3,), (-1e-12,), *drawn("Fresnel", 6, (-12.0, 0.0)), (-40.0,)],
            derivatives=(0,),
        )
        for name, sign in (("p", 1), ("m", -1))
    ),
]


def _tukey(x: Any, lmbda: Any) -> Any:
    """By bisection and the secant method for the quantile in the log-odds s of p."""

    def off(s: Any) -> Any:
        p, q = 1 / (1 + mp.exp(-s)), 1 / (1 + mp.exp(s))
        return (p**lmbda - q**lmbda) / lmbda - x

    low, high = mp.mpf(-800), mp.mpf(800)
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if off(middle) < 0 else (low, middle)
    return 1 / (1 + mp.exp(-mp.findroot(off, (low, high), solver="secant")))


def _with_slope(function: Callable[..., Any]) -> Callable[..., Any]:
    def truth(v: Any, x: Any) -> Any:
        return function(v, x), mp.diff(lambda t: function(v, t), x)

    return truth


def _pcfv(v: Any, x: Any) -> Any:  # DLMF 12.2.20
    return mp.sqrt(2 / mp.pi) * mp.re(mp.expjpi((v + 1) / 2) * mp.pcfd(-v - 1, 1j * x))


PARABOLIC = [
    Mended(
        "pbdv",
        _with_slope(mp.pcfd),
        [
            *((9.49, -5.93), (-120.5, 1.0), (40.0, -8.0), (-3.5, 6.6)),
            *((30.25, -14.0), (20.3, -12.0), (200.5, -6.0), (-240.0, 1.5), (3.3, -20.0)),
            *drawn("D left", 6, (0.0, 15.0), (-15.0, -4.0)),
            *drawn("D right", 4, (-10.0, 0.0), (4.0, 10.0)),
            *((10 + 1.5e-9, 0.5), (3 - 1e-6, 1.5), (25.004, 5.3), (1 + 1e-12, -0.1), (1e-9, 0.7)),
            *((-12.4, 1.7), (-90.0, 20.0), (60.5, -33.0)),
            *(
                (-0.08, 42.4),
                (-7.4, 45.9),
                (-20.7, 38.5),
                (5.3, -45.0),
                (-3.3, -50.5),
                (40.2, -38.0),
            ),
        ],
        tolerance=1e-10,
        results=(0, 1),
    ),
    Mended(
        "pbvv",
        _with_slope(_pcfv),
        [
            *((3.5, 1e-3), (-7.25, -5e-3), (2.0, 1e-9), (1.0, -1e-5)),
            *((80.5, 7.0), (0.25, -6.5), (45.5, 14.0), (30.25, 13.0), (200.5, 3.0), (20.0, 25.0)),
            *drawn("V", 5, (0.0, 15.0), (2.0, 15.0)),
            *drawn("V below", 5, (-10.0, 0.0), (-10.0, -2.0)),
            *((3 + 1e-6, 1.5), (-4 + 1e-4, 0.5), (-1 - 1e-9, 1.9), (120 - 1e-12, -1.9)),
            *((-2.5, -10.14), (-54.5, -1.03), (-27.5, -6.0), (51.5, 1.97), (-90.5, 20.0)),
            *((5.3, -45.0), (-9.3, -50.5), (40.2, -38.0), (0.3, 51.0)),
        ],
        tolerance=1e-10,
        results=(0, 1),
    ),
    Mended(
        "pbwa",
        _with_slope(mp.pcfw),
        [(5.0, 4.4), (0.51, 5.0), *drawn("W", 8, (0.5, 5.0), (0.5, 5.0))],
        tolerance=1e-12,
        results=(0, 1),
    ),
]

TUKEY = [
    Mended(
        "tklmbda",
        _tukey,
        [
            *((0.5, 1e-6), (-0.4, 1e-5), (0.3, -1e-5), (3.0, 9e-5), (-25.0, 1e-4), (-9.0, 0.1)),
            *((-1.96, 0.5), (-3.2, 0.3), (-1e9, -0.5), (20.0, -5e-4)),
        ],
        derivatives=(0, 1),
        tolerance=1e-11,
    )
]

STUDENT = [
    Mended(
        "stdtrit",
        _student_quantile,
        [(3.0, 1e-250), (10.0, 1e-300), (20.0, 9e-61), (0.9, 1e-300), (0.5, 1e-30), (2.5, 1e-61)]
        + [(0.0115, 0.9986), (0.02, 0.9999866), (0.01, 0.01)]
        + [(df, 10**q) for df, q in drawn("tail", 12, (1.1, 20.0), (-305.0, -60.0))],
        derivatives=(1,),
    )
]

# -- Jacobi's elliptic functions -------------------------------------------------------------------


def _jacobis_functions(u: Any, m: Any) -> Any:
    found = [mp.re(mp.ellipfun(name, u, m=m)) for name in ("sn", "cn", "dn")]
    return *found, elliptic.amplitude(u, m)


ELLIPTIC = [
    Mended(
        "ellipj",
        _jacobis_functions,
        [(u, m) for u in (1e-9, -1e-4, 0.3, 9.0, -20.0) for m in (1 - 1e-10, 1 - 1e-11)]
        + [(1e-9, 1.0), (-0.2, 1.0)],
        derivatives=(0,),
        results=(0, 1, 2, 3),
    ),
    # An argument of so many turns is known to so many digits.
    Mended("ellipj", _jacobis_functions, [(49292894.0, 3.25e-10)], tolerance=1e-7),
    Mended(
        "ellipj",
        _jacobis_functions,
        [(98100023.75, 0.00213623046875), (89052653.0, 0.0001373291015625)],
        tolerance=1e-9,
        results=(2,),
    ),
]

# -- hypergeometric functions ----------------------------------------------------------------------


def _tricomi(a: Any, b: Any, x: Any) -> Any:
    return mp.rf(b, -a) * (-1) ** -a if x == 0 else mp.hyperu(a, b, x)


def _whole_first(points: Sequence[tuple[float, ...]]) -> list[tuple[float, ...]]:
    return [(float(np.round(a)), *rest) for a, *rest in points]


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
            *((-118.0, 44.9, 56.4), (-59.0, -18.4, 14.4), (74.2, 84.9, 31.8), (3.64, 80.6, 98.6)),
            *((1.3, 1e-12, 0.5), (2.5, 1e-12 - 3, 0.01), (0.5, -0.001, 0.3), (1.3, 1e-6, 0.5)),
            *((-0.00686, -8.0, 0.0443), (-1.3, 1 + 1e-12, 0.5)),
            *_whole_first(drawn("of high degree", 8, (-160, -61), (1.0, 200.0), (0.1, 100.0))),
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


def _gauss(a: Any, b: Any, c: Any, z: Any) -> Any:
    return mp.hyp2f1(a, b, c, z, maxterms=10**6, maxprec=10**5)


def _beside_integers(seed: str, complex_: bool) -> list[tuple[Any, ...]]:
    """Parameters a whole number and a little apart: a and b for z far out, else c and a + b."""
    rng = np.random.default_rng(list(seed.encode()))
    points = []
    for _ in range(12):
        little = float(10 ** rng.uniform(-13, -4) * rng.choice([-1, 1]))
        a, b, c, shift = *map(float, rng.uniform((-3, -3, 0.3), 4)), int(rng.integers(-2, 3))
        far = complex_ or rng.random() < 0.5
        if complex_:
            z = complex(10 ** rng.uniform(0.05, 0.8) * np.exp(1j * rng.uniform(0.3, 3)))
        else:
            z = float(-(10 ** rng.uniform(0, 1)) if far else 1 - 10 ** rng.uniform(-4, -1))
        points.append((a, a + shift + little, c, z) if far else (a, b, a + b + 4 + little, z))
    return points


GAUSS = [
    # What rounding leaves of a whole number: SciPy's are NaN, infinite, or a third of the value.
    Mended(
        "hyp2f1",
        _gauss,
        [
            *((2.7, 0.3, 3.1 - 0.1, 0.9995), (0.5134, 0.8285, 1.3419, 0.99966)),
            *((2.8, 2.4, 5.2, 0.99955), (2.4, 2.7, 7.1, 0.99986), (-0.8, 0.2, 0.4, 0.99979)),
            *((1.3, 2.1, 2.4, 0.99842), (-2.9, 1.4, 1.5, 0.99908), (0.8, 2.3, 1.1, 0.99944)),
            (-2.8, -0.8, 1.4, 0.99935),
            *((4.15, 1.15 + 1e-12, 1.9, -2.5), (2.37467, 3.37467 + 4e-11, 5.749, -2.48)),
            *_beside_integers("beside integers", False),
        ],
        derivatives=(0, 1, 2, 3),
        wrong=1e-12,
    ),
    Mended(
        "hyp2f1",
        _gauss,
        [
            (4.1532, 1.1532 - 2e-13, 1.938, -0.23 - 1.38j),
            (-2.4010538276516824, 0.598946172348303, -3.8021076553003956, 1.476 - 3.21j),
            *_beside_integers("beside integers in the plane", True),
        ],
        derivatives=(3,),
        wrong=1e-12,
    ),
    Mended(
        "hyp1f1",
        mp.hyp1f1,
        [
            *((-4.0, 7.559, -7.772), (-40.0, -28.109, 2.603), (-3.0, 7.5, -7.4)),
            *((-100.0, -50.1, 1.0), (-98.0, -41.9, 8.65), (-60.0, -42.4, 17.0)),
            *_whole_first(drawn("polynomials", 12, (-50, -1), (-50, 50), (-50, 50))),
            *_whole_first(drawn("Laguerre", 8, (-50, -1), (0.1, 50), (-50, 50))),
            # There SciPy's are right, while the first terms of the series hide those that count.
            *((-38.6, -58.1, -37.0), (-13.3, -50.2, 24.2), (-48.0, -62.6, -38.0)),
            *drawn("b far below", 10, (-60, 60), (-60, -20), (-60, 60)),
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
            *((-7.089, 1.728e-10, -0.016 - 0.077j), (2.5, -0.99999997, 2 + 1j)),
            *((3.0, 200.0, -40 + 1j), (40.5, 240.0, -58 + 1e-12j), (-11.98, 218.7, -19.5 - 8.3j)),
            *_at_angle(drawn("large plane", 6, (-300, 300), (0.1, 300), (1, 40), (-1, 1))),
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
            *((-44.6154, 74.4857, -90.7657, -0.7018), (31.1481, 59.5857, -92.8577, -0.2774)),
            *((9.0, 9.0, -100.0 + 0.5, -0.99), (15.5, 47.6, -32.875, -8530.0)),
            *drawn("c far below", 6, (-45, 45), (-45, 45), (-50, -20), (-0.95, 0.9)),
            *drawn("far left", 6, (-45, 45), (-45, 45), (-50, 40), (-1e4, -5.0)),
            *drawn("large", 6, (-300, 300), (-300, 300), (8, 300), (-0.95, 0.9)),
            (178.0, 84.1, -237.9, -0.349),
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
            *((154.3, 96.1, 17.0, 1.09 + 1.42j), (165.8, -38.8, 19.55, -0.31 + 0.26j)),
        ],
        derivatives=(3,),
        tolerance=1e-8,
    ),
]

# -- orthogonal polynomials ------------------------------------------------------------------------


def _jacobi(n: Any, a: Any, b: Any, x: Any) -> Any:
    """DLMF 18.5.7, with as many digits as its terms cancel, and more."""
    with mp.workdps(150):
        return mp.binomial(n + a, n) * mp.hyp2f1(-n, n + a + b + 1, a + 1, (1 - x) / 2)


def _gegenbauer(n: Any, c: Any, x: Any) -> Any:  # DLMF 18.5.9
    with mp.workdps(150):
        front = mp.rf(2 * c, n) / mp.gamma(n + 1)
        return front * mp.hyp2f1(-n, n + 2 * c, c + mp.mpf(1) / 2, (1 - x) / 2)


def _first_kind(n: Any, x: Any) -> Any:
    return mp.conj(mp.cos(n * mp.acos(mp.conj(x))))


def _second_kind(n: Any, x: Any) -> Any:
    t = mp.acos(mp.conj(x))
    return mp.conj(mp.sin((n + 1) * t) / mp.sin(t))


def _shifted_jacobi(n: Any, p: Any, q: Any, x: Any) -> Any:  # DLMF 18.1.2
    return _jacobi(n, p - q, q - 1, 2 * x - 1) / mp.binomial(2 * n + p - 1, n)


def _generalised_laguerre(n: Any, a: Any, x: Any) -> Any:  # DLMF 18.5.12
    with mp.workdps(150):
        return mp.binomial(n + a, n) * mp.hyp1f1(-n, a + 1, x)


def _degrees(
    seed: str, shift: float, scale: float, *parameters: tuple[float, float]
) -> dict[str, list[tuple[Any, ...]]]:
    """Real numbers beside degrees that are not integers; complex ones beside whole ones too."""
    line = drawn(seed, 10, (5, 90), *parameters, (-0.96, 0.4))
    plane = drawn(seed + " plane", 10, (12, 90), *parameters, (0.05, 2.5), (-0.95, 0.95))

    def on_interval(points: Any) -> list[tuple[Any, ...]]:
        return [(*p, (x + shift) * scale) for *p, x in points]

    return {
        "line": on_interval(line),
        "plane": on_interval(_at_angle(plane[:5] + _whole_first(plane[5:]))),
    }


_UNIT, _LONG, _SHIFTED = (0.0, 1.0), (0.0, 2.0), (1.0, 0.5)
_SHAPE = (0.3, 6.0)

ORTHOGONAL = [
    Mended(
        name,
        truth,
        points,
        # No derivatives in the degree of complex functions, nor of large degrees of shifted ones.
        derivatives=(0, len(shapes) + 1)[place == "plane" or name == "eval_sh_jacobi" :],
        tolerance=1e-9,
    )
    for name, truth, interval, shapes in (
        ("eval_legendre", lambda n, x: _jacobi(n, 0, 0, x), _UNIT, ()),
        ("eval_sh_legendre", lambda n, x: _jacobi(n, 0, 0, 2 * x - 1), _SHIFTED, ()),
        ("eval_chebyt", _first_kind, _UNIT, ()),
        ("eval_chebyu", _second_kind, _UNIT, ()),
        ("eval_chebyc", lambda n, x: 2 * _first_kind(n, x / 2), _LONG, ()),
        ("eval_chebys", lambda n, x: _second_kind(n, x / 2), _LONG, ()),
        ("eval_sh_chebyt", lambda n, x: _first_kind(n, 2 * x - 1), _SHIFTED, ()),
        ("eval_sh_chebyu", lambda n, x: _second_kind(n, 2 * x - 1), _SHIFTED, ()),
        ("eval_gegenbauer", _gegenbauer, _UNIT, (_SHAPE,)),
        ("eval_jacobi", _jacobi, _UNIT, (_SHAPE, _SHAPE)),
        ("eval_sh_jacobi", _shifted_jacobi, _SHIFTED, ((3.0, 6.0), (0.3, 3.0))),
    )
    for place, points in _degrees(name, *interval, *shapes).items()
]

_WHOLE_EXPONENTS = [
    *((0.3, 0.4, 1.0, -0.99829), (1.9, 0.8, 1.0, -0.99954), (1.04, 2.36, 3.0, -0.86753)),
    *((0.67, 0.44, 0.0, -0.99576), (2.6, 1.7, 2.0 + 1e-11, -0.98)),
]
_CONFLUENT = [
    *((1.5 + 1e-12, 1.0, 2.0, -3 + 1j), (0.7, 1.0, 2.0 + 3e-12, -0.95 + 0.1j)),
    *((2.5 - 1e-9, 0.5, 0.5, 2 + 3j), (1.9995, 1.0 + 4e-14, 2.0 - 1e-10, -0.96 + 0.2j)),
]

_MIDDLE = ((1.0, 1e-12), (5.0, -1e-8), (4.0, 1e-5), (99.0, 9e-4), (1200.0, -0.5))

_OF_SMALL_DEGREE = [
    *((1e-9, 0.0, 30.0), (1.8e-13, 2.3, 122.57), (-3e-11, 0.5, 30.29), (1 - 1.5e-4, 7.09, -40.4)),
    *((2.021, 6.54, -49.6), (-0.067, 6.14, 94.9), (-2.39, 5.32, 65.0), (3.0002, 2.3, -33.7)),
]

ORTHOGONAL += [
    # Whole degrees below 0, at whole and other x, and an overflow of SciPy's.
    Mended(
        "eval_chebyt",
        _first_kind,
        [(-12.0, -0.7), (-29.0, -0.97), (-25.0, 0.1), (-15.0, -3.5), (-40.0, -1.0), (-9.0, 1.5)],
        derivatives=(1,),
    ),
    Mended(
        "eval_chebyu",
        _second_kind,
        [(-12.0, -0.7), (-29.0, -0.97), (-25.0, 0.1), (-15.0, -3.5), (-40.0, -1 + 1e-9)],
    ),
    Mended("eval_gegenbauer", _gegenbauer, [(40.0, 66.0, 0.9), (31.5, 70.25, 1.25)]),
    # Of small degree, with exponents that are large.
    *(
        Mended(name, truth, [turned(*point) for point in points], tolerance=1e-9)
        for name, truth, turned in (
            ("eval_gegenbauer", _gegenbauer, lambda n, a, b, x: (n, a + 1, x)),
            ("eval_jacobi", _jacobi, lambda n, a, b, x: (n, a, b, x)),
            (
                "eval_sh_jacobi",
                _shifted_jacobi,
                lambda n, a, b, x: (n, a + b + 1, b + 1, (x + 1) / 2),
            ),
        )
        for points in (
            [
                *drawn("large exponents", 8, (0, 6), (15, 60), (15, 60), (-0.9, 0.9)),
                *((0.0026, 33.0, 89.9, -0.859), (0.43, 39.8, 22.9, -0.7), (2.5, 90.0, 90.0, -0.5)),
                *drawn(
                    "large exponents, negative degrees", 5, (-5, 0), (15, 60), (15, 60), (-1, 1)
                ),
            ],
            _at_angle(
                drawn("large exponents' plane", 6, (0, 6), (10, 30), (10, 30), (0.1, 2), (-1, 1))
                + drawn(
                    "the same of negative degrees", 4, (-4, 0), (3, 20), (3, 20), (0.1, 3), (-1, 1)
                )
            ),
        )
    ),
    # Whole exponents of 1 + x: SciPy's are infinite, NaN, or have no digits.
    Mended("eval_jacobi", _jacobi, _WHOLE_EXPONENTS),
    Mended(
        "eval_sh_jacobi",
        _shifted_jacobi,
        [(n, a + b + 1, b + 1, (x + 1) / 2) for n, a, b, x in _WHOLE_EXPONENTS],
    ),
    Mended("eval_gegenbauer", _gegenbauer, [(1.9, 1.5, -0.99954), (1.03, 3.5, -0.83776)]),
    # Complex numbers, where both solutions of the equation are nearly one.
    Mended("eval_jacobi", _jacobi, _CONFLUENT),
    Mended(
        "eval_sh_jacobi",
        _shifted_jacobi,
        [(n, a + b + 1, b + 1, (x + 1) / 2) for n, a, b, x in _CONFLUENT],
    ),
    Mended("eval_gegenbauer", _gegenbauer, [(n, b + 0.5, x) for n, _, b, x in _CONFLUENT]),
    Mended(
        "eval_legendre",
        lambda n, x: _jacobi(n, 0, 0, x),
        [(0.5 + 1e-12, 3 + 2j), (2.5 - 3e-11, -3 + 1j), (1e-18, 0.3 + 0.2j), (-1.5 + 1e-9, 1j)],
    ),
    # Next to the middle of the interval, where odd polynomials vanish, and of large degree.
    *(
        Mended(name, truth, [(n, *shapes, x) for n, x in _MIDDLE])
        for name, truth, shapes in (
            ("eval_legendre", lambda n, x: _jacobi(n, 0, 0, x), ()),
            ("eval_chebyt", _first_kind, ()),
            ("eval_chebys", lambda n, x: _second_kind(n, x / 2), ()),
            ("eval_gegenbauer", _gegenbauer, (0.75,)),
            ("eval_jacobi", _jacobi, (0.75, 0.75)),
        )
    ),
    *(
        Mended(
            name,
            truth,
            [turned(p) for p in points],
            tolerance=1e-9,
        )
        for name, truth, turned in (
            ("eval_laguerre", lambda n, x: _generalised_laguerre(n, 0, x), lambda p: (p[0], p[2])),
            ("eval_genlaguerre", _generalised_laguerre, lambda p: p),
            (
                "assoc_laguerre",
                lambda x, n, k: _generalised_laguerre(n, k, x),
                lambda p: (p[2], p[0], p[1]),
            ),
        )
        for points in (
            drawn("Laguerre line", 6, (7, 90), _SHAPE, (0.1, 60))
            + _whole_first(drawn("Laguerre whole", 6, (7, 90), _SHAPE, (0.1, 60))),
            _at_angle(drawn("Laguerre plane", 6, (7, 90), _SHAPE, (0.1, 30), (-0.95, 0.95)))
            + _at_angle(drawn("few of degree", 6, (-2, 6), (0.3, 20), (11, 60), (-0.95, 0.95))),
        )
    ),
    Mended("eval_genlaguerre", _generalised_laguerre, _OF_SMALL_DEGREE, derivatives=(2,)),
    Mended(
        "eval_laguerre",
        lambda n, x: _generalised_laguerre(n, 0, x),
        [(n, x) for n, _, x in _OF_SMALL_DEGREE],
        derivatives=(1,),
    ),
    Mended(
        "assoc_laguerre",
        lambda x, n, k: _generalised_laguerre(n, k, x),
        [(x, n, k) for n, k, x in _OF_SMALL_DEGREE],
        derivatives=(0,),
    ),
]

# -- Mathieu functions ----------------------------------------------------------------------------

# SciPy's characteristic value is that of another order there, or its series loses digits.
_EIGENVALUES = [(5, 20.99), (9, -42.48), (12, 56.1), (400, 1210.5), (10, 46.22), (9, 40.82)]
_ODD_EIGENVALUES = [(8, 38.09), (11, -51.43), (12, 56.7), (1, 20000.0), (9, -40.76)]
_EVEN_SOLUTIONS = [(5, 21.02, -171.94), (10, -46.33, -49.29), (12, 56.58, 58.4), (56, 3e-7, 121.3)]
_EVEN_SOLUTIONS += [(99, -0.0195, 33.0), (150, 0.05, 21.5)]
_ODD_SOLUTIONS = [(5, 31.37, 19.4), (9, 42.44, 140.8), (6, -31.75, 26.52), (30, 1e-5, 228.0)]
_ODD_SOLUTIONS += [(95, 0.0152, 33.0), (57, -1.3e-7, -109.6), (154, 0.06, 21.5)]
_FIRST_KIND = [(15, 8.31, 0.12), (19, 9.75, 0.69), (27, 0.57, 1.4), (28, 30.85, 0.83)]
_SECOND_KIND = [(15, 83.93, 1.18), (14, 66.66, 1.91), (17, 80.84, 0.03)]


def _solution(even: bool) -> Callable[..., Any]:
    of = mathieu.mathieu_even_value if even else mathieu.mathieu_odd_value
    return lambda m, q, x: (of(m, q, x, 0), of(m, q, x, 1))


def _modified(even: bool, kind: int) -> Callable[..., Any]:
    of = functools.partial(mathieu.mathieu_modified, even)
    return lambda m, q, x: (of(m, q, x, kind, 0), of(m, q, x, kind, 1))


MATHIEU = [
    Mended("mathieu_a", mathieu.mathieu_even, _EIGENVALUES, derivatives=(1,)),
    Mended("mathieu_b", mathieu.mathieu_odd, _ODD_EIGENVALUES, derivatives=(1,)),
    Mended("mathieu_cem", _solution(True), _EVEN_SOLUTIONS, derivatives=(1, 2), results=(0, 1)),
    Mended("mathieu_sem", _solution(False), _ODD_SOLUTIONS, derivatives=(1, 2), results=(0, 1)),
    *(
        Mended(f"mathieu_mod{name}{kind}", _modified(name == "cem", kind), points, results=(0, 1))
        for name in ("cem", "sem")
        for kind, points in ((1, _FIRST_KIND), (2, _SECOND_KIND))
    ),
]

CASES = [
    *ORTHOGONAL,
    *ELEMENTARY,
    *TUKEY,
    *PARABOLIC,
    *GAUSS,
    *BESSEL,
    *INTEGRALS,
    *LIMITS,
    *NEXT_TO_ZERO,
    *STUDENT,
    *ELLIPTIC,
    *HYPERGEOMETRIC,
    *MATHIEU,
]
"""Of functions of numbers."""
