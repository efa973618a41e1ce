"""Where rows mend SciPy's values by a kernel of theirs: points in those regions.

Of the same kind as those of `mended`.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import mpmath as mp
import scipy.special
from mended import Mended, drawn

from jaxsci._verification.oracles import legendre, spheroidal, student


def precisely(digits: int) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A function with so many digits: where it is a difference, or its argument almost nothing."""

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def more(*args: Any, **static: Any) -> Any:
            with mp.workdps(digits):
                return function(*args, **static)

        return more

    return decorate


_SCALED: dict[str, Any] = {
    "jve": lambda v, z: mp.besselj(v, z) * mp.exp(-abs(mp.im(z))),
    "yve": lambda v, z: mp.bessely(v, z) * mp.exp(-abs(mp.im(z))),
    "hankel1e": lambda v, z: mp.hankel1(v, z) * mp.exp(-1j * z),
    "hankel2e": lambda v, z: mp.hankel2(v, z) * mp.exp(1j * z),
    "kve": lambda v, z: mp.besselk(v, z) * mp.exp(z),
    "ive": lambda v, z: mp.besseli(v, z) * mp.exp(-abs(mp.re(z))),
}


def _beyond_one(x: Any) -> Any:
    """zeta(x) - 1, for large x."""
    return mp.fsum(mp.mpf(n) ** -x for n in range(2, 60))


@precisely(700)
def _divergence(x: Any, y: Any) -> Any:
    return x * mp.log(x / y) - x + y


@precisely(700)
def _inverse_box_cox(y: Any, lmbda: Any) -> Any:
    return mp.expm1(mp.log1p(lmbda * y) / lmbda)


def _kelvin(first: Any, second: Any, sign: int) -> Callable[[Any], Any]:
    """The derivative of ber or bei (DLMF 10.63.3, 10.63.4), or of ker or kei."""
    return lambda x: (sign * first(1, x) + second(1, x)) / mp.sqrt(2)


_KELVIN = {
    "ber": lambda x: mp.ber(0, x),
    "bei": lambda x: mp.bei(0, x),
    "ker": lambda x: mp.ker(0, x),
    "kei": lambda x: mp.kei(0, x),
    "berp": _kelvin(mp.ber, mp.bei, 1),
    "beip": _kelvin(mp.ber, mp.bei, -1),
    "kerp": _kelvin(mp.ker, mp.kei, 1),
    "keip": _kelvin(mp.ker, mp.kei, -1),
}
_GROWING = [(10.0,), (-10.5,), (19.9,), *drawn("Kelvin", 6, (10.0, 20.0))]
_DECAYING = [(3.0,), (9.25,), (19.9,), *drawn("Kelvin", 9, (3.0, 20.0))]


def _all_of_kelvin(x: Any) -> Any:
    pairs = (("ber", "bei"), ("ker", "kei"), ("berp", "beip"), ("kerp", "keip"))
    return tuple(_KELVIN[real](x) + 1j * _KELVIN[imag](x) for real, imag in pairs)


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


@precisely(120)
def _fresnel(z: Any) -> Any:
    return mp.fresnels(z), mp.fresnelc(z)


def _second_modified_fresnel(sign: int) -> Callable[..., Any]:
    @precisely(60)
    def truth(x: Any) -> Any:
        turned = mp.expjpi(mp.mpf(sign) / 4)
        return None, mp.exp(-sign * 1j * x * x) * mp.erfc(x / turned) / 2

    return truth


@precisely(60)
def _polygamma(n: Any, x: Any) -> Any:
    """By the sum, and from where it is long by Euler and Maclaurin's formula (DLMF 25.11.5)."""
    s, count = int(n) + 1, 3 * int(n) + 40
    far = x + count
    total = mp.fsum((x + k) ** -s for k in range(count))
    total += far ** (1 - s) / (s - 1) + far**-s / 2
    for j in range(1, 40):
        factor = mp.bernoulli(2 * j) * mp.rf(s, 2 * j - 1) / mp.factorial(2 * j)
        total += factor / far ** (s + 2 * j - 1)
    return (-1) ** s * mp.factorial(s - 1) * total


def _confluent_limit(v: Any, z: Any) -> Any:
    return mp.hyp0f1(v, z, maxprec=10**5, maxterms=10**6)


def _second_radial(oblate: bool) -> Callable[..., Any]:
    def truth(m: Any, n: Any, c: Any, *rest: Any) -> tuple[Any, Any]:
        value, slope = (
            spheroidal.spheroidal_radial(oblate, 2, m, n, c, rest[-1], k) for k in (0, 1)
        )
        return value, slope

    return truth


Points = list[tuple[Any, ...]]

_PROLATE: Points = [
    *((0, 3, 9.6, 1.02), (2, 10, 7.4, 1.11), (0, 0, 3.5, 1.35), (1, 9, 2.25, 1.8)),
    *((3, 7, 0.5, 2.25), (0, 12, 6.5, 1.5)),
]
_OBLATE: Points = [
    *((0, 0, 1.0, 0.5), (0, 7, 4.5, 0.02), (2, 10, 7.7, 0.125), (0, 13, 9.5, 1.75)),
    *((3, 12, 2.25, 2.5), (1, 14, 5.5, 4.75)),
]


def _with_value(oblate: bool, points: Points) -> Points:
    value = scipy.special.obl_cv if oblate else scipy.special.pro_cv
    return [(m, n, c, float(value(m, n, c)), x) for m, n, c, x in points]


_LARGE_QUOTIENTS: Points = [
    *((19327894.5, 19.8125), (961727.5, 0.125), (12451594.5, 16.875), (2e3, -0.75)),
    *((-941.3125, 3.25), (1e5, 2.5)),
]


_BRANCH_POINT = -0.36787944117144233

CASES = [
    Mended(
        "lambertw",
        lambda z, k, tol: mp.lambertw(z, int(k)),
        [
            *((_BRANCH_POINT + 10.0**-i, -1) for i in (7.5, 8.5, 9.5, 11.0)),
            *((_BRANCH_POINT + 3e-11j, k) for k in (-1, 0)),
            *((_BRANCH_POINT - (2 + 1j) * 1e-10, k) for k in (0, 1)),
            (_BRANCH_POINT + 1e-11, 0),
        ],
        {"tol": 1e-8},
        derivatives=(0,),
        # Of 1 + W fewer digits are known than of W.
        tolerance=1e-9,
    ),
    Mended(
        "lpmv",
        precisely(80)(lambda m, v, x: legendre.ferrers(int(m), v, x)),
        [
            *((-1, 1e-20, 0.5), (-3, -1e-28, 3e-13), (3, -1e-22, -0.25), (0, -2e-22, -0.875)),
            *((-2, -1 - 2e-14, 0.75), (-4, 3 + 2e-12, 0.875), (3, 14 + 2e-11, -0.984375)),
            *((5, 19.015625, -0.96875), (1, 4.0, 1e-12), (0, 9.0, 1e-14), (-2, 3.0, -1e-10)),
            *((32, 58.09375, -0.875), (-20, 0.40625, -0.3125), (-3, 180.75, 0.5625)),
            *((7, -300.25, 0.125), (-63, 196.0, 0.078125), (-15, 295.0, 0.046875)),
        ],
        derivatives=(1, 2),
        tolerance=1e-11,
    ),
    Mended(
        "hyperu",
        lambda a, b, x: mp.hyperu(a, b, x, maxprec=20000),
        [
            *((-97.859375, 20.03125, 1.96875), (-43.890625, 13.453125, 2.125)),
            *((-82.171875, -35.03125, 0.0041015625), (-98.578125, -56.71875, 13.609375)),
            *((-55.015625, -25.0625, 0.0045), (-70.828125, 20.25, 12.96875)),
        ],
        derivatives=(2,),
        tolerance=1e-11,
    ),
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
    *(
        Mended(name, truth, _GROWING if name[0] == "b" else _DECAYING, derivatives=(0,))
        for name, truth in _KELVIN.items()
    ),
    Mended("kelvin", _all_of_kelvin, _DECAYING, results=(0, 1, 2, 3)),
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
        "fresnel",
        _fresnel,
        [
            *((4j,), (-4 + 0j,), (complex(8**0.5),)),
            *((complex(8**0.5 + 1e-9, 1e-9),), (complex(0, 18**0.5),), (-2j * 3**0.5,)),
        ],
        tolerance=1e-11,
        results=(0, 1),
    ),
    *(
        Mended(
            name,
            _second_modified_fresnel(sign),
            [(50.5,), (93.75,), (1e3,), (1e6,), (1e9,)],
            derivatives=(0,),
            results=(1,),
        )
        for name, sign in (("modfresnelp", 1), ("modfresnelm", -1))
    ),
    Mended(
        "polygamma",
        _polygamma,
        [
            (171, 200.0),
            (200, 1000.5),
            (300, 400.0),
            (100, 1e4),
            (50, 1.1e6),
            (40, 1e8),
            (250, 90.5),
        ],
        derivatives=(1,),
        tolerance=1e-11,
    ),
    *(
        Mended(
            f"{'obl' if oblate else 'pro'}_rad2{with_value}",
            _second_radial(oblate),
            _with_value(oblate, points) if with_value else points,
            derivatives=(3,) if not with_value else (),
            tolerance=1e-10,
            results=(0, 1),
        )
        for oblate, points in ((False, _PROLATE), (True, _OBLATE))
        for with_value in ("", "_cv")
    ),
    Mended(
        "hyp0f1",
        _confluent_limit,
        [
            *((180.5, -30.0), (250.0, -1e3), (172.0, -4e3), (1e3, -1e5), (171.0, 5.0)),
            *((300.0, 1e5), (9e3, 1e5)),
        ],
        derivatives=(0, 1),
        tolerance=1e-11,
    ),
    Mended(
        "hyp0f1",
        _confluent_limit,
        [(180.5, -30 + 4j), (250.0, 1e3j), (172.0, -4e3 + 1e-3j), (1e3, 2e4 - 5e4j)],
        derivatives=(1,),
        tolerance=1e-11,
    ),
    Mended(
        "nctdtr",
        student.noncentral_t_cdf,
        [
            *((271.0, 6.7, -45.2), (186.0, 7.03, -16.1), (3.0, 4.0, -2.0), (0.5, 9.0, -1e-3)),
            *drawn("lower tail", 6, (0.2, 60.0), (2.0, 9.0), (-20.0, 0.0)),
        ],
        derivatives=(1, 2),
        tolerance=1e-11,
    ),
    Mended(
        "ive",
        lambda v, z: mp.besseli(v, z) * mp.exp(-z),
        [(-12 + 7e-10, 3e-5), (-3 + 1e-9, 0.01), (-1 - 1e-6, 1e-3), (-20 + 1e-8, 0.5)],
        derivatives=(1,),
    ),
    Mended(
        "ive",
        lambda v, z: mp.besseli(v, z) * mp.exp(-z),
        [(-666.8125, 425.125), (-886.375, 507.625), (-500.25, 650.5), (-1200.75, 690.0)],
        tolerance=1e-11,
    ),
    Mended(
        "ive",
        lambda v, z: mp.besseli(v, z) * mp.exp(-abs(mp.re(z))),
        [(-195 + 1e-9, -117.5 + 17.0j), (-269 + 1e-8, 98.25 + 174.75j), (-30 + 1e-9, 2 - 1j)],
    ),
    Mended(
        "iv",
        mp.besseli,
        [
            (-160 + 2.0**-14, 99.25 - 3.25j),
            (-3 + 1e-9, 0.01 + 0.02j),
            (-1 - 1e-6, -1e-3 + 1e-3j),
            (-20 + 1e-8, 0.5 - 2j),
        ],
        derivatives=(1,),
    ),
    Mended(
        "lpmv",
        lambda m, v, x: mp.re(mp.legenp(v, m, x, type=3)),
        [(0, 0.3, 5.0), (0, 7.25, 100.0), (0, -0.08, 2477.0), (0, 2.5, 1000.0)],
        derivatives=(2,),
    ),
    Mended(
        "hyp2f1",
        mp.hyp2f1,
        [
            (-0.00043, 0.000435, 3.2e-6, 0.99999975),
            (-1.4151, 1.4151, 3.5e-7, 0.9999),
            (4.9e-8, -3.065, 4.9e-8, 0.64),
        ],
        tolerance=1e-9,
    ),
    Mended(
        "hyp1f1",
        mp.hyp1f1,
        [
            *((-1.03, 9.31, 372.75 + 293.5j), (3.6, 0.0019, -117.25 - 770.25j)),
            *((-6.34, 18.34, 695.5 - 401.0j), (0.57, 0.00137, -276.0 - 870.0j)),
            *((2.5, -3.25, 5e3j), (-3.0, 2.5, 500 - 300j), (1.5, 4.5, -2e5 + 1e5j)),
        ],
        derivatives=(2,),
        tolerance=1e-9,
    ),
    Mended(
        "hyp0f1",
        lambda v, z: mp.hyp0f1(v, z),
        [(130.5, -0.012 + 5e-6j), (109.5, 0.00135 + 0.0007j), (160.25, -0.25 - 2e-6j)],
        derivatives=(1,),
    ),
    *(
        Mended(name, function, [(-200.25, 364.0 + 0.009j), (-145.3125, 296.875 + 0.000125j), *more])
        for name, function, more in (
            ("jve", _SCALED["jve"], []),
            ("yve", _SCALED["yve"], []),
            ("hankel1e", _SCALED["hankel1e"], [(300.0, -785.5 - 0.07j)]),
            ("hankel2e", _SCALED["hankel2e"], [(300.0, -785.5 + 0.07j)]),
            ("kve", _SCALED["kve"], [(300.0, -112.75 - 288.875j)]),
            ("ive", _SCALED["ive"], [(-114.9375, -27.0 + 127.375j)]),
        )
    ),
    # Where the functions without the factor overflow, or the factor underflows.
    *(
        Mended(name, _SCALED[name], points, derivatives=())
        for name, points in (
            (
                "yve",
                [(238.75, -1475.0 + 729.0j), (430.0, 413.0 + 713.5j), (-150.5, 900.0 - 800.0j)],
            ),
            ("hankel1e", [(162.25, 2491.75 - 1004.5j), (-120.5, -1500.0 - 900.0j)]),
            ("hankel2e", [(460.25, -514.75 + 761.5j), (100.0, 2000.0 + 800.0j)]),
            ("kve", [(140.5, -1462.5 - 1675.0j), (307.75, -1518.0 + 929.0j), (-99.0, -800.0 + 2j)]),
        )
    ),
    Mended("zetac", _beyond_one, [(127.5,), (200.25,), (1000.0,)], derivatives=(0,)),
    Mended("powm1", lambda x, y: mp.inf, [(0.5, -2000.0), (0.25, -1e6), (-0.5, -2000.0)]),
    Mended(
        "comb",
        lambda N, k, **_: mp.binomial(N, k),
        [(18864733.25, 38.0625), (23093136.5, 23.5), (1e7, 12.25)],
        static={"exact": False, "repetition": False},
        derivatives=(0, 1),
        tolerance=1e-11,
    ),
    Mended(
        "comb",
        lambda N, k, **_: mp.gammaprod([N + k], [k + 1, N]),
        [(1e-8, 12.645), (-3 + 1e-9, 7.25), (-2 - 1e-6, 5.0), (-7 + 3e-5, 9.5), (1e-200, 3.0)],
        static={"exact": False, "repetition": True},
        derivatives=(0, 1),
    ),
    *(
        Mended(
            name,
            truth,
            [*_LARGE_QUOTIENTS, *more],
            derivatives=(0, 1),
            tolerance=1e-11,
        )
        for name, truth, more in (
            ("beta", mp.beta, [(-100.5, -90.25), (-171.5, 9.25)]),
            ("betaln", lambda a, b: mp.log(abs(mp.beta(a, b))), [(1e5, 1e5), (-171.5, -9.25)]),
            ("poch", lambda z, m: mp.gammaprod([z + m], [z]), [(-581343.25, 0.0625)]),
            ("binom", mp.binomial, [(-172.375, 0.0625), (3624518.5, -8.0625), (1e8, 12.0)]),
        )
    ),
]
