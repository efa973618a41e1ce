"""What the polynomials of the kernels are: functions on intervals, in mpmath."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import mpmath

mp: Any = mpmath.mp
DIGITS = 50
"""Of what is interpolated."""


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
class Area:
    """A function of two variables, each of them to be interpolated over its interval."""

    function: Callable[[Any, Any], Any]
    start: float
    end: float
    low: float
    high: float
    points: tuple[int, int] = (30, 20)
    """More coefficients than that are a mistake."""
    size: float | None = None
    """What the polynomial's error is relative to; None: the function's smallest value."""


@dataclass(frozen=True)
class Block:
    """A function of three variables, each of them to be interpolated over its interval."""

    function: Callable[[Any, Any, Any], Any]
    intervals: tuple[tuple[float, float], ...]
    points: tuple[int, int, int]
    """How many are taken along each."""
    size: float
    """What the polynomial's error is relative to."""


@dataclass(frozen=True)
class Table:
    """A file of polynomials."""

    about: str
    polynomials: dict[str, tuple[Interval, ...]]
    surfaces: dict[str, Area] = field(default_factory=dict)
    """Those in two variables."""
    blocks: dict[str, Block] = field(default_factory=dict)
    """Those in three."""


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
        # 1 - x/r, where erfc(x) = exp(-r^2), of t = (r - 3)/(r + 3) for r from 0.8125 to 28.
        "ERFCINV": pieces(
            half_line(lambda r: 1 - erfcinv_of_root(r) / r, 3), -2.1875 / 3.8125, 25 / 31, size=0.44
        ),
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

# -- Bessel functions of orders 0 and 1 ------------------------------------------------------------


def hankel_factor(order: int, x: Any) -> Any:
    """P + iQ = H(x) sqrt(pi x/2) exp(-i (x - order pi/2 - pi/4)) (DLMF 10.18.15)."""
    with mp.workdps(mp.dps + 10):
        angle = x - (2 * order + 1) * mp.pi / 4
        return mp.hankel1(order, x) * mp.sqrt(mp.pi * x / 2) * mp.expj(-angle)


def even_part(order: int) -> Callable[[Any], Any]:
    """P of v = 1/x^2."""
    return lambda v: mp.re(hankel_factor(order, 1 / mp.sqrt(v)))


def odd_part(order: int) -> Callable[[Any], Any]:
    """X Q of v = 1/x^2."""
    return lambda v: mp.im(hankel_factor(order, 1 / mp.sqrt(v))) / mp.sqrt(v)


def i_near(order: int) -> Callable[[Any], Any]:
    """What exp(-x) I_n(x) (2/x)^n is 1 and x times this."""
    return lambda x: (mp.exp(-x) * mp.besseli(order, x) * (2 / x) ** order - 1) / x


def scaled_i(order: int) -> Callable[[Any], Any]:
    """exp(-x) I_n(x)."""
    return lambda x: mp.exp(-x) * mp.besseli(order, x)


def scaled_i_far(order: int) -> Callable[[Any], Any]:
    """sqrt(x) exp(-x) I_n(x) of r = 1/x."""
    return lambda r: mp.exp(-1 / r) * mp.besseli(order, 1 / r) / mp.sqrt(r)


def scaled_k(order: int) -> Callable[[Any], Any]:
    """sqrt(x) exp(x) K_n(x)."""
    return lambda x: mp.sqrt(x) * mp.exp(x) * mp.besselk(order, x)


def scaled_k_far(order: int) -> Callable[[Any], Any]:
    """sqrt(x) exp(x) K_n(x) of r = 1/x."""
    return lambda r: mp.exp(1 / r) * mp.besselk(order, 1 / r) / mp.sqrt(r)


def beside_logarithm(kind: str, order: int) -> Callable[[Any], Any]:
    """What is left of Y_n or K_n beside log(x) times J_n or I_n, and 1/x; over x^n, of u = x^2."""

    def of_y(x: Any) -> Any:
        pole = -1 / x if order else 0
        return 2 / mp.pi * (pole + mp.log(x) * mp.besselj(order, x)), mp.bessely(order, x)

    def of_k(x: Any) -> Any:
        pole = 1 / x if order else 0
        return pole + (-1) ** (order + 1) * mp.log(x) * mp.besseli(order, x), mp.besselk(order, x)

    def rest(u: Any) -> Any:
        with mp.workdps(2 * mp.dps):
            x = mp.sqrt(u)
            known, whole = (of_y if kind == "y" else of_k)(x)
            return (whole - known) / x**order

    return rest


def series_i(order: int) -> Callable[[Any], Any]:
    """I_n(x) (2/x)^n of u = x^2."""
    return lambda u: mp.besseli(order, mp.sqrt(u)) * (2 / mp.sqrt(u)) ** order


def tail_of_j(order: int) -> Callable[[Any], Any]:
    """What J_n(x) (2/x)^n is 1 and u = x^2 times this."""
    return lambda u: (mp.besselj(order, mp.sqrt(u)) * (2 / mp.sqrt(u)) ** order - 1) / u


CYLINDER = Table(
    "Polynomials of the Bessel functions J and Y of orders 0 and 1.",
    {
        "J0_NEAR": pieces(tail_of_j(0), 0.0, 4.0),
        "J1_NEAR": pieces(tail_of_j(1), 0.0, 4.0),
        "Y0_NEAR": pieces(beside_logarithm("y", 0), 0.0, 4.0, size=0.3),
        "Y1_NEAR": pieces(beside_logarithm("y", 1), 0.0, 4.0, size=0.1),
        "J0": pieces(lambda x: mp.besselj(0, x), 2.0, 5.0, 8.0, size=0.28),
        "J1": pieces(lambda x: mp.besselj(1, x), 2.0, 5.0, 8.0, size=0.28),
        "Y0": pieces(lambda x: mp.bessely(0, x), 2.0, 5.0, 8.0, size=0.28),
        "Y1": pieces(lambda x: mp.bessely(1, x), 2.0, 5.0, 8.0, size=0.28),
        "P0": pieces(even_part(0), 0.0, 1 / 64),
        "Q0": pieces(odd_part(0), 0.0, 1 / 64, size=1.0),
        "P1": pieces(even_part(1), 0.0, 1 / 64),
        "Q1": pieces(odd_part(1), 0.0, 1 / 64, size=1.0),
    },
)


def temme(sign: int) -> Callable[[Any], Any]:
    """1/Gamma(1 - mu) plus or minus 1/Gamma(1 + mu), by 2 or 2 mu, of u = mu^2."""

    def of_square(u: Any) -> Any:
        with mp.workdps(2 * DIGITS):
            order = mp.sqrt(u) or mp.mpf(10) ** -DIGITS
            both = mp.rgamma(1 - order) + sign * mp.rgamma(1 + order)
            return both / (2 if sign > 0 else 2 * order)

    return of_square


MODIFIED = Table(
    "Polynomials of the modified Bessel functions of orders 0 and 1.",
    {
        "I0_NEAR": pieces(i_near(0), 0.0, 1.0),
        "I1_NEAR": pieces(i_near(1), 0.0, 1.0),
        "I0": pieces(scaled_i(0), 1.0, 3.0, 8.0),
        "I1": pieces(scaled_i(1), 1.0, 3.0, 8.0),
        "I0_FAR": pieces(scaled_i_far(0), 0.0, 1 / 8),
        "I1_FAR": pieces(scaled_i_far(1), 0.0, 1 / 8),
        "SERIES_0": pieces(series_i(0), 0.0, 0.25),
        "SERIES_1": pieces(series_i(1), 0.0, 0.25),
        "K0_NEAR": pieces(beside_logarithm("k", 0), 0.0, 0.25),
        "K1_NEAR": pieces(beside_logarithm("k", 1), 0.0, 0.25),
        "K0": pieces(scaled_k(0), 0.5, 1.25, 3.0),
        "K1": pieces(scaled_k(1), 0.5, 1.25, 3.0),
        "K0_FAR": pieces(scaled_k_far(0), 0.0, 1 / 3),
        "K1_FAR": pieces(scaled_k_far(1), 0.0, 1 / 3),
    },
)


def hankel_parts(slope: bool, imaginary: bool) -> Callable[[Any, Any], Any]:
    """P and Q of H1 of order mu, R and S of its derivative, of u = 1/x and w = mu^2.

    H1 is sqrt(2/(pi x)) exp(i chi) (P + i Q), its derivative that of i (R + i S), where chi is
    x - (mu/2 + 1/4) pi.
    """

    def part(u: Any, w: Any) -> Any:
        with mp.workdps(2 * DIGITS):
            x, order = 1 / (u or mp.mpf(10) ** -DIGITS), mp.sqrt(w)
            value = mp.hankel1(order, x)
            if slope:
                value = (mp.hankel1(order - 1, x) - order / x * value) / 1j
            value = value * mp.sqrt(mp.pi * x / 2) * mp.expj(-x) * mp.expjpi(order / 2 + 0.25)
            return value.imag if imaginary else value.real

    return part


HANKEL = Table(
    "Polynomials of Hankel functions of orders up to 1/2, beside a wave, and of their derivatives.",
    {},
    surfaces={
        name: Area(hankel_parts(*which), 0.0, 0.5, 0.0, 0.25, points=(34, 16), size=1.0)
        for name, which in zip(
            "PQRS", [(False, False), (False, True), (True, False), (True, True)], strict=True
        )
    },
)


def ratio_of_turning_point(zeta: Any) -> Any:
    """z = x/v of Olver's variable (DLMF 10.20.2, 10.20.3)."""
    target = mp.mpf(2) / 3 * abs(zeta) ** 1.5
    near = 1 - zeta / mp.cbrt(2)

    def left(z: Any) -> Any:
        root = mp.sqrt(1 - z * z)
        return mp.log((1 + root) / z) - root - target

    def right(z: Any) -> Any:
        return mp.sqrt(z * z - 1) - mp.acos(1 / z) - target

    ends = (mp.mpf(10) ** -6, mp.mpf(1)) if zeta > 0 else (mp.mpf(1), near + 4)
    return mp.findroot(left if zeta > 0 else right, ends, solver="anderson", tol=mp.eps)


def olver(kind: str, k: int = 0) -> Callable[[Any], Any]:
    """A_k or B_k (DLMF 10.20.10, 10.20.11), or the factor in front, of zeta."""

    def at(zeta: Any) -> Any:
        with mp.workdps(4 * DIGITS):
            zeta = mp.mpf(zeta)
            z = ratio_of_turning_point(zeta)
            # Roots of both signs of zeta whose quotient is positive.
            root, r = mp.sqrt(mp.mpc(zeta)), mp.sqrt(mp.mpc(1 - z * z))
            if kind == "phi":
                return mp.re(mp.sqrt(2 * root / r))
            n = 2 * k + (kind == "B")
            total = sum(
                (mp.mpf(3) / 2) ** j * airy_coefficient(j, kind) / root ** (3 * j)
                * debye_polynomial(n - j, 1 / r)
                for j in range(n + 1)
            )  # fmt: skip
            return mp.re(-total / root if kind == "B" else total)

    return at


def airy_coefficient(j: int, kind: str) -> Any:
    """u_j, or for A_k v_j (DLMF 9.7.1, 9.7.2)."""
    u = mp.gamma(3 * j + 0.5) / (mp.mpf(54) ** j * mp.factorial(j) * mp.gamma(j + 0.5))
    return u if kind == "B" else u * (6 * j + 1) / (1 - 6 * j)


def debye_polynomial(k: int, p: Any) -> Any:
    """U_k(p) (DLMF 10.41.9)."""
    row = {0: mp.mpf(1)}
    for _ in range(k):
        following: dict[int, Any] = {}
        for e, c in row.items():
            up, down = c * (mp.mpf(e) / 2 + mp.mpf(1) / (8 * (e + 1))), c * e / 2
            following[e + 1] = following.get(e + 1, 0) + up
            following[e + 3] = following.get(e + 3, 0) - down - c * mp.mpf(5) / (8 * (e + 3))
        row = following
    return mp.fsum(c * p**e for e, c in row.items())


OLVER_END = 1.35


def of_olver(kind: str, k: int = 0) -> tuple[Interval, ...]:
    """What is multiplied by 1/v^(2k), of which v is 24 at least."""
    size = 600.0**k if kind != "phi" else None
    return pieces(olver(kind, k), -OLVER_END, OLVER_END, size=size)


OLVER = Table(
    "Polynomials of Olver's expansions about the turning point, in zeta.",
    {
        "PHI": of_olver("phi"),
        **{f"A{k}": of_olver("A", k) for k in (1, 2, 3, 4)},
        **{f"B{k}": of_olver("B", k) for k in range(4)},
    },
)
TEMME = Table(
    "Polynomials of gamma functions in Temme's series.",
    {
        "GAMMA_1": pieces(temme(-1), 0.0, 0.25),
        "GAMMA_2": pieces(temme(1), 0.0, 0.25),
    },
)

# -- the gamma function ----------------------------------------------------------------------------


def digamma_near_root(y: Any) -> Any:
    """The slope of psi(1 + y) between y and the double next to its root (DLMF 5.4.19)."""
    root = mp.mpf(0.46163214496836236)
    return (mp.digamma(1 + y) - mp.digamma(1 + root)) / (y - root)


def digamma_far(v: Any) -> Any:
    """What psi(x) has beside log x - 1/(2x), over v = 1/x^2 (DLMF 5.11.2)."""
    with mp.workdps(3 * mp.dps):
        x = 1 / mp.sqrt(v)
        return (mp.digamma(x) - mp.log(x) + 1 / (2 * x)) / v


def log_gamma_between_roots(x: Any) -> Any:
    """log Gamma(x) over (x - 1)(x - 2)."""
    return mp.loggamma(x) / ((x - 1) * (x - 2))


def log_gamma_far(v: Any) -> Any:
    """x times what log Gamma(x) has beside (x - 1/2) log x - x + log(2 pi)/2; v = 1/x^2."""
    with mp.workdps(3 * mp.dps):
        x = 1 / mp.sqrt(v)
        stirling = (x - 0.5) * mp.log(x) - x + mp.log(2 * mp.pi) / 2
        return (mp.loggamma(x) - stirling) * x


def scaled_gamma(r: Any) -> Any:
    """Gamma(x) exp(x) x^(1/2 - x), of r = 1/x."""
    with mp.workdps(3 * mp.dps):
        x = 1 / r
        return mp.exp(mp.loggamma(x) + x + (0.5 - x) * mp.log(x))


GAMMA = Table(
    "Polynomials of the gamma function, its logarithm and the derivative of that.",
    {
        "DIGAMMA_NEAR": pieces(digamma_near_root, 0.0, 1.0),
        "DIGAMMA_FAR": pieces(digamma_far, 0.0, 1 / 4, size=1.0),
        "LOG_GAMMA_NEAR": pieces(log_gamma_between_roots, 0.5, 1.5, 3.0),
        "LOG_GAMMA_FAR": pieces(log_gamma_far, 0.0, 1 / 9, size=1.0),
        "GAMMA_NEAR": pieces(lambda y: mp.gamma(1 + y), 0.0, 1.0),
        "GAMMA_SCALED": pieces(scaled_gamma, 0.0, 0.5),
    },
)

# -- exponential integrals -------------------------------------------------------------------------

E1_ENDS = 0.5, 1.5, 4.0
EI_ENDS = 1.0, 2.5, 6.0, 12.0, 25.0


def entire_part(x: Any) -> Any:
    """(Ei(x) - log|x| - gamma)/x (DLMF 6.6.1)."""
    with mp.workdps(2 * mp.dps):
        return (mp.ei(x) - mp.log(abs(x)) - mp.euler) / x


def ei_near_root(x: Any) -> Any:
    """(Ei(x) - Ei(x0) - log(x/x0))/(x - x0), where x0 is the double next to the root of Ei."""
    with mp.workdps(2 * mp.dps):
        root = mp.mpf(0.3725074107813666)
        return (mp.ei(x) - mp.ei(root) - mp.log(x / root)) / (x - root)


def scaled_e1(x: Any) -> Any:
    """The product x exp(x) E_1(x)."""
    return x * mp.exp(x) * mp.e1(x)


def scaled_ei(x: Any) -> Any:
    """The product x exp(-x) Ei(x)."""
    with mp.workdps(mp.dps + 20):
        return x * mp.exp(-x) * mp.ei(x)


EXPONENTIAL = Table(
    "Polynomials of the exponential integrals.",
    {
        "ENTIRE": pieces(entire_part, -0.5, 0.25),
        "EI_NEAR_ROOT": pieces(ei_near_root, 0.1875, 1.0),
        "E1": pieces(scaled_e1, *E1_ENDS),
        "E1_FAR": pieces(lambda r: scaled_e1(1 / r), 0.0, 1 / 4),
        "EI": pieces(scaled_ei, *EI_ENDS, points=60),
        "EI_FAR": pieces(lambda r: scaled_ei(1 / r), 0.0, 1 / 25, points=60),
    },
)


def fresnel_auxiliary(first: bool) -> Callable[[Any], Any]:
    """pi z f or pi^2 z^3 g of v = 1/z^4 (DLMF 7.2.10, 7.2.11)."""

    def of(v: Any) -> Any:
        with mp.workdps(2 * mp.dps):
            z = v ** mpmath.mpf(-0.25)
            angle = mp.pi / 2 * z * z
            s, c = 0.5 - mp.fresnels(z), 0.5 - mp.fresnelc(z)
            if first:
                return mp.pi * z * (s * mp.cos(angle) - c * mp.sin(angle))
            return mp.pi**2 * z**3 * (c * mp.cos(angle) + s * mp.sin(angle))

    return of


def trigonometric_auxiliary(first: bool) -> Callable[[Any], Any]:
    """The products x f or x^2 g of v = 1/x^2 (DLMF 6.2.17, 6.2.18)."""

    def of(v: Any) -> Any:
        with mp.workdps(2 * mp.dps):
            x = 1 / mp.sqrt(v)
            s, c = mp.pi / 2 - mp.si(x), mp.ci(x)
            if first:
                return x * (c * mp.sin(x) + s * mp.cos(x))
            return x * x * (s * mp.sin(x) - c * mp.cos(x))

    return of


FRESNEL = Table(
    "Polynomials of Fresnel's integrals.",
    {
        "C_NEAR": pieces(
            lambda u: (
                (mp.fresnelc(mp.root(u, 4)) / mp.root(u, 4) - 1) / u if u else -(mp.pi**2) / 40
            ),
            0.0,
            8.0,
        ),
        "S_NEAR": pieces(lambda u: mp.fresnels(mp.root(u, 4)) / mp.root(u, 4) ** 3, 0.0, 8.0),
        "F": pieces(fresnel_auxiliary(True), 0.0, 1 / 64, 1 / 8),
        "G": pieces(fresnel_auxiliary(False), 0.0, 1 / 64, 1 / 8),
    },
)
TRIGONOMETRIC = Table(
    "Polynomials of the sine and cosine integrals, and the hyperbolic ones.",
    {
        "SI_NEAR": pieces(lambda u: (mp.si(mp.sqrt(u)) / mp.sqrt(u) - 1) / u, 0.0, 16.0),
        "CI_NEAR": pieces(lambda u: (mp.ci(mp.sqrt(u)) - mp.log(u) / 2 - mp.euler) / u, 0.0, 4.0),
        "CI": pieces(mp.ci, 2.0, 4.0, size=0.25),
        "SHI_NEAR": pieces(lambda u: (mp.shi(mp.sqrt(u)) / mp.sqrt(u) - 1) / u, 0.0, 4.0),
        "CHI_NEAR": pieces(lambda u: (mp.chi(mp.sqrt(u)) - mp.log(u) / 2 - mp.euler) / u, 0.0, 4.0),
        "F": pieces(trigonometric_auxiliary(True), 0.0, 1 / 64, 1 / 16),
        "G": pieces(trigonometric_auxiliary(False), 0.0, 1 / 64, 1 / 16),
    },
)
SPENCE = Table(
    "Polynomials of the dilogarithm Li_2(w), over w.",
    {"DILOGARITHM": pieces(lambda w: mp.re(mp.polylog(2, w)) / w, -0.5, 0.5, 0.75)},
)


def atanh_tail(v: Any) -> Any:
    """(2 atanh(s) - 2s)/s^3 of v = s^2."""
    s = mp.sqrt(v)
    return 2 * (mp.atanh(s) - s) / s**3


def excess_of_first(p: Any) -> Any:
    """(K(p) - E(p))/(pi p), which stands beside -p log(p) in E(1 - p) (DLMF 19.12.2)."""
    return (mp.ellipk(p) - mp.ellipe(p)) / (mp.pi * p) if p else mp.mpf(1) / 4


def beside_log(first: bool) -> Callable[[Any], Any]:
    """What is left of K(1 - p) or E(1 - p) beside the logarithm (DLMF 19.12.1, 19.12.2)."""

    def rest(p: Any) -> Any:
        with mp.workdps(3 * mp.dps):
            if first:
                return mp.ellipk(1 - p) + mp.log(p) * mp.ellipk(p) / mp.pi
            return mp.ellipe(1 - p) + mp.log(p) * p * excess_of_first(p)

    return rest


ELLIPTIC = Table(
    "Polynomials of the complete elliptic integrals, and of R_C.",
    {
        "K_NEAR": pieces(mp.ellipk, 0.0, 0.5),
        "K_BESIDE_LOG": pieces(beside_log(True), 0.0, 0.5),
        "E_NEAR": pieces(mp.ellipe, 0.0, 0.5),
        "E_OVER_LOG": pieces(excess_of_first, 0.0, 0.5),
        "E_BESIDE_LOG": pieces(beside_log(False), 0.0, 0.5),
        # R_C(1, 1 + e).
        "RC": pieces(lambda e: mp.elliprc(1, 1 + e), -0.171875, 0.171875),
    },
)
ELEMENTARY = Table(
    "Polynomials of exp(x) - 1 and of atanh(s) less their first terms, and of sin(pi r)/r.",
    {
        "EXPM1": pieces(lambda x: (mp.expm1(x) - x) / x**2, -0.75, 0.75),
        "ATANH": pieces(atanh_tail, 0.0, 1 / 8),
        "SINE_OF_PI": pieces(lambda v: mp.sinpi(mp.sqrt(v)) / mp.sqrt(v), 0.0, 0.25),
    },
)

# -- incomplete gamma functions --------------------------------------------------------------------

LEAST_SHAPE = 12
"""From this shape on everything is smooth in its reciprocal u."""


def lower_over_front(l: Any, u: Any) -> Any:
    """P(a, x) over x^a exp(-x)/Gamma(a+1), of l = x/a < 1 and u = 1/a (DLMF 8.7.1)."""
    term = total = mp.mpf(1)
    k = 0
    while term > total * mp.eps:
        k += 1
        term *= l / (1 + k * u)
        total += term
    return total


def upper_over_front(m: Any, u: Any) -> Any:
    """Q(a, x) over x^(a-1) exp(-x)/Gamma(a), of m = a/x < 1 and u = 1/a (DLMF 8.9.2)."""

    def tail(n: int) -> Any:
        value = mp.mpf(0)
        for k in range(n, 0, -1):
            value = k * (1 - k * u) * m * m * u / (1 + ((2 * k + 1) * u - 1) * m + value)
        return 1 / (1 + (u - 1) * m + value)

    n = 50
    while True:
        value, better = tail(n), tail(2 * n)
        if abs(value - better) < mp.mpf(10) ** (5 - mp.dps) * abs(better):
            return better
        n *= 2


def about_transition(eta: Any, u: Any) -> Any:
    """S, where Q(a, x) is erfc(eta sqrt(a/2))/2 + exp(-a eta^2/2) S/sqrt(2 pi a) (DLMF 8.12.4)."""
    with mp.workdps(mp.dps + 20):
        a = 1 / u
        l = of_eta(eta)
        front = mp.sqrt(2 * mp.pi * a) * mp.exp(a * mp.log(a) - a - mp.loggamma(a + 1))
        y = abs(eta) * mp.sqrt(a / 2)
        of_erfc = mp.sqrt(2 * mp.pi * a) / 2 * mp.exp(y * y) * mp.erfc(y)
        if l > 1:
            return front * upper_over_front(1 / l, u) / l - of_erfc
        return of_erfc - front * lower_over_front(l, u)


def of_eta(eta: Any) -> Any:
    """The l with l - 1 - log l = eta^2/2, on the same side of 1 as eta of 0 (DLMF 8.12.1)."""
    if eta == 0:
        return mp.mpf(1)
    l = 1 + eta + eta * eta / 3
    for _ in range(60):
        step = (l - 1 - mp.log(l) - eta * eta / 2) / (1 - 1 / l)
        l -= step
        if abs(step) < mp.mpf(10) ** (3 - mp.dps):
            break
    return l


def upper_of_small_shape(t: Any, a: Any) -> Any:
    """Gamma(a, x) x^(1-a) exp(x), of t = (x - 2.5)/(x + 2.5)."""
    if t == 1:
        return mp.mpf(1)
    with mp.workdps(mp.dps + 10):
        x = 2.5 * (1 + t) / (1 - t)
        if x > 30:
            return upper_over_front(a / x, 1 / a)
        return mp.gammainc(a, x) * x ** (1 - a) * mp.exp(x)


def lower_of_small_shape(x: Any, a: Any) -> Any:
    """(1 + a)/x (1 - gamma(a, x) a x^(-a)) (DLMF 8.7.1): 1 - x (1 + a)/(2 (2 + a)) + ..."""
    total, term, n = mp.mpf(0), mp.mpf(1), 1
    while abs(term) > mp.eps:
        total += term * (1 + a) / (a + n)
        n += 1
        term *= -x / n
    return total


ENDS_OF_ETA = -0.6225, 0.7840
"""Of l = 1/2 and l = 2, and a little more."""

# Of what they are multiplied by, or added to, a fraction of a unit of the last place is cut off.
TAILS_OF_GAMMA = Table(
    "Polynomials of the incomplete gamma functions.",
    {},
    {
        "TRANSITION": Area(about_transition, *ENDS_OF_ETA, 0.0, 1 / LEAST_SHAPE, size=8.0),
        # From x = 1 on, below which 1 - P has its digits.
        "SMALL_UPPER": Area(upper_of_small_shape, -1.5 / 3.5, 1.0, 0.0, 1.0, (40, 20), 8.0),
        "SMALL_LOWER": Area(lower_of_small_shape, 0.0, 1.0, 0.0, 1.0, size=8.0),
    },
)

# -- Airy functions --------------------------------------------------------------------------------


def airy_of(name: str, x: Any) -> Any:
    """Ai, Aip, Bi or Bip."""
    function = mp.airyai if name.startswith("Ai") else mp.airybi
    return function(x, derivative=1) if name.endswith("p") else function(x)


def scaled_airy(name: str) -> Callable[[Any], Any]:
    """The function times exp(zeta), or for Bi exp(-zeta), and times or over the root of sqrt(x)."""

    def function(x: Any) -> Any:
        root = mp.sqrt(mp.sqrt(x))
        power = (1 if name.startswith("Ai") else -1) * 2 * root**6 / 3
        with mp.extradps(10):
            return mp.exp(power) * airy_of(name, x) * (1 / root if name.endswith("p") else root)

    return function


def scaled_airy_far(name: str) -> Callable[[Any], Any]:
    """The same of s = x^(-3/2)."""
    return lambda s: scaled_airy(name)(1 / mp.cbrt(s) ** 2)


def airy_phase(derivative: bool, odd: bool) -> Callable[[Any], Any]:
    """The even and odd parts of DLMF 9.7.9 to 9.7.12, of v = 1/zeta^2; the odd one times zeta."""

    def function(v: Any) -> Any:
        zeta = 1 / mp.sqrt(v)
        root = mp.cbrt(mp.mpf(3) / 2 * zeta)  # of x
        x, quarter = root * root, mp.sqrt(root)
        with mp.extradps(10):
            angle = zeta - mp.pi / 4
            c, s = mp.cos(angle), mp.sin(angle)
            if derivative:
                a, b = airy_of("Aip", -x) / quarter, airy_of("Bip", -x) / quarter
                parts = a * s + b * c, b * s - a * c
            else:
                a, b = airy_of("Ai", -x) * quarter, airy_of("Bi", -x) * quarter
                parts = a * c - b * s, a * s + b * c
            return parts[1] * zeta if odd else parts[0]

    return function


_LEAST_OF_AIRY = {"Ai": 0.23, "Aip": 0.22, "Bi": 0.3, "Bip": 0.4}

AIRY = Table(
    "Polynomials of the Airy functions.",
    {
        f"{name.upper()}{part}": intervals
        for name, least in _LEAST_OF_AIRY.items()
        for part, intervals in {
            "": pieces(
                lambda x, name=name: airy_of(name, x), -5.25, -3.75, -2.25, -0.75, 0.5, size=least
            ),
            "_SCALED": pieces(scaled_airy(name), 0.5, 1.25, 2.5, 5.25),
            "_FAR": pieces(scaled_airy_far(name), 0.0, 1 / 12),
        }.items()
    }
    | {
        "EVEN": pieces(airy_phase(False, False), 0.0, 1 / 64),
        "ODD": pieces(airy_phase(False, True), 0.0, 1 / 64, size=0.5),
        "EVEN_SLOPE": pieces(airy_phase(True, False), 0.0, 1 / 64),
        "ODD_SLOPE": pieces(airy_phase(True, True), 0.0, 1 / 64, size=0.5),
    },
)

# -- incomplete beta functions ---------------------------------------------------------------------


def beta_over_front(a: Any, b: Any, p: Any, u: Any) -> Any:
    """I_x(a, b) over x^a (1-x)^b/(a B(a, b)), of p = a/(a+b) and x = p (1+u) <= p.

    The even part of the continued fraction of DLMF 8.17.22.
    """
    x, rest = p * (1 + u), (1 - p) - p * u

    def levels(n: int) -> Any:
        value = mp.mpf(0)
        after = 1 / (a + 2 * n + 1)
        for k in range(n, 0, -1):
            here = 1 / (a + 2 * k - 1)
            constant = k + k * (b - k) * x * here + (a + k) * (1 - a * u + k * (1 + rest)) * after
            factor = (a + k - 1) * (a + b + k - 1) * k * (b - k) * (x * here) ** 2
            value = factor / (constant + value)
            after = here
        return a / (a * (1 - a * u) * after + value)

    n, value = 100, levels(50)
    while True:
        before, value = value, levels(n)
        if abs(value - before) < mp.mpf(10) ** -28 * value:
            return value
        n *= 2


def below_mean(eta: Any, p: Any) -> Any:
    """The u at which p log(1/(1+u)) + r log(r/(r-pu)) is p r eta^2/2, of r = 1 - p and eta < 0."""
    r = 1 - p
    u = eta * r
    with mp.extradps(30):  # the logarithms cancel, as eta^2
        for _ in range(60):
            value = -mp.log(1 + u) / r - mp.log(1 - p * u / r) / p - eta * eta / 2
            step = value / (-1 / (r * (1 + u)) + 1 / (r - p * u))
            u -= step
            if abs(step) < mp.mpf(10) ** -36 * abs(u):
                return u
    raise ArithmeticError(f"no argument for {eta}, {p}")


def about_mean(p: Any, eta: Any, h: Any) -> Any:
    """S, where I_x(a, b) is exp(-d) (erfcx(sqrt d)/2 - S sqrt(h/(2 pi))) below the mean p.

    Here d = eta^2/(2h), and h = 1/a + 1/b.
    """
    a, b = 1 / (h * (1 - p)), 1 / (h * p)
    with mp.extradps(20):
        gammas = stirling_series(a + b) - stirling_series(a) - stirling_series(b)
        front = mp.sqrt(b / (2 * mp.pi * a * (a + b))) * mp.exp(gammas)
    d = eta * eta / (2 * h)
    value = front * beta_over_front(a, b, p, below_mean(eta, p))
    return (mp.exp(d) * mp.erfc(mp.sqrt(d)) / 2 - value) * mp.sqrt(2 * mp.pi / h)


def stirling_series(z: Any) -> Any:
    """log Gamma(z) - (z - 1/2) log z + z - log(2 pi)/2."""
    return mp.loggamma(z) - (z - mp.mpf(1) / 2) * mp.log(z) + z - mp.log(2 * mp.pi) / 2


TAILS_OF_BETA = Table(
    "Polynomials of the incomplete beta functions.",
    {},
    blocks={
        "ABOUT_MEAN": Block(
            about_mean, ((0.0, 1.0), (-0.3125, 0.0), (0.0, 1 / 12)), (22, 14, 14), size=16.0
        )
    },
)

# -- Kelvin functions ------------------------------------------------------------------------------

KELVIN_FAR = 8.0
KELVIN_ENDS = 2.0, 3.5, 5.0, 6.5, KELVIN_FAR
KELVIN_DECAYING_ENDS = 1.0, *KELVIN_ENDS


def on_kelvins_ray(x: Any) -> Any:
    """x exp(pi i/4)."""
    return x * mp.expjpi(mp.mpf(1) / 4)


def kelvin_growing(order: int, x: Any) -> Any:
    """Ber x + i bei x, or its derivative (DLMF 10.61.1, 10.29.3)."""
    z = on_kelvins_ray(x)
    return mp.expjpi(mp.mpf(1) / 4) * mp.besseli(1, z) if order else mp.besseli(0, z)


def kelvin_decaying(order: int, x: Any) -> Any:
    """Ker x + i kei x, or its derivative (DLMF 10.61.2, 10.29.3)."""
    z = on_kelvins_ray(x)
    return -mp.expjpi(mp.mpf(1) / 4) * mp.besselk(1, z) if order else mp.besselk(0, z)


def part(f: Callable[[Any], Any], imaginary: bool) -> Callable[[Any], Any]:
    """The real or the imaginary part of a function."""
    return lambda x: mp.im(f(x)) if imaginary else mp.re(f(x))


def kelvin_near(order: int, imaginary: bool) -> Callable[[Any], Any]:
    """What the function is its first term, and u = x^4 times this (DLMF 10.65.1)."""
    leading = ((lambda x: 1, lambda x: x**2 / 4), (lambda x: -(x**3) / 16, lambda x: x / 2))

    def rest(u: Any) -> Any:
        with mp.workdps(2 * mp.dps):
            x = u ** (mp.mpf(1) / 4)
            value = part(lambda x: kelvin_growing(order, x), imaginary)(x)
            return (value / leading[order][imaginary](x) - 1) / u

    return rest


def kelvin_beside_logarithm(order: int, imaginary: bool) -> Callable[[Any], Any]:
    """What the functions that decay have beside logarithm and pole, over x^order; of u = x^2."""

    def rest(u: Any) -> Any:
        with mp.workdps(2 * mp.dps):
            x = mp.sqrt(u)
            pole = 1 / x if order else 0
            value = kelvin_decaying(order, x) + mp.log(x) * kelvin_growing(order, x) + pole
            value /= x**order
            return part(lambda _: value, imaginary)(x)

    return rest


def kelvin_front(order: int, growing: bool, imaginary: bool) -> Callable[[Any], Any]:
    """sqrt(x) exp(-+z) times functions that grow or decay, z = x exp(pi i/4); of r = 1/x.

    Those that grow without their decaying part, (K_0(z exp(-pi i)) - K_0(z))/(pi i) = I_0(z).
    """

    def front(r: Any) -> Any:
        with mp.workdps(2 * mp.dps):
            x = 1 / r
            z = on_kelvins_ray(x)
            value = kelvin_decaying(order, x)
            if growing:
                value = kelvin_growing(order, x) + value / (mp.pi * 1j)
            return mp.sqrt(x) * mp.exp(-z if growing else z) * value

    return lambda r: part(front, imaginary)(r)


def kelvin_pieces(
    function: Callable[[int, Any], Any], order: int, imaginary: bool, ends: Sequence[float]
) -> tuple[Interval, ...]:
    """A part of the function, relative to its modulus."""
    return tuple(
        Interval(
            part(lambda x: function(order, x), imaginary),
            a,
            b,
            size=float(min(abs(function(order, x)) for x in (a, b))),
        )
        for a, b in itertools.pairwise(ends)
    )


KELVIN_NAMES = {"BER": (0, False), "BEI": (0, True), "BERP": (1, False), "BEIP": (1, True)}
KELVIN_DECAYING_NAMES = {name.replace("B", "K", 1): of for name, of in KELVIN_NAMES.items()}
KELVIN = Table(
    "Polynomials of Kelvin functions.",
    {
        **{f"{n}_NEAR": pieces(kelvin_near(*of), 0.0, 16.0) for n, of in KELVIN_NAMES.items()},
        **{n: kelvin_pieces(kelvin_growing, *of, KELVIN_ENDS) for n, of in KELVIN_NAMES.items()},
        **{
            f"{n}_FAR": pieces(kelvin_front(order, True, imaginary), 0.0, 1 / KELVIN_FAR, size=0.4)
            for n, (order, imaginary) in KELVIN_NAMES.items()
        },
        **{
            f"{n}_NEAR": pieces(kelvin_beside_logarithm(*of), 0.0, 1.0, size=0.1)
            for n, of in KELVIN_DECAYING_NAMES.items()
        },
        **{
            n: kelvin_pieces(kelvin_decaying, *of, KELVIN_DECAYING_ENDS)
            for n, of in KELVIN_DECAYING_NAMES.items()
        },
        **{
            f"{n}_FAR": pieces(kelvin_front(order, False, imaginary), 0.0, 1 / KELVIN_FAR, size=1.0)
            for n, (order, imaginary) in KELVIN_DECAYING_NAMES.items()
        },
    },
)

# -- Riemann's zeta function ---------------------------------------------------------------------


def zeta_beside_pole(x: Any) -> Any:
    """(x - 1) (zeta(x) - 1), which is 1 at the pole."""
    return (x - 1) * (mp.zeta(x) - 1)


def zeta_by_powers(x: Any) -> Any:
    """2^x (zeta(x) - 1), which tends to 1."""
    with mp.extradps(20):
        return mp.mpf(2) ** x * (mp.zeta(x) - 1)


ZETA = Table(
    "Polynomials of Riemann's zeta function less one.",
    {
        "BESIDE_POLE": pieces(zeta_beside_pole, 0.0, 2.0),
        "BY_POWERS": pieces(zeta_by_powers, 2.0, 4.0, 8.0, 16.0, 32.0),
    },
)

# -- Kolmogorov's distribution ---------------------------------------------------------------------


def kolmogorov_at_tail(h: Any) -> Any:
    """log(q/h)/h^3 of q = exp(-2 y^2), at the y that is exceeded with probability 2 h."""
    if h == 0:
        return mp.mpf(1)

    def off(q: Any) -> Any:
        return mp.log(mp.fsum((-1) ** k * q ** (k * (k + 2)) for k in range(20)) * q / h)

    return mp.log(mpmath.findroot(off, h * (1 + h**3)) / h) / h**3


def kolmogorov_at_root(w: Any) -> Any:
    """The y that is not exceeded with probability 4 exp(-w^2)/sqrt(pi)."""

    def off(c: Any) -> Any:
        series = mp.fsum(mp.exp(-4 * k * (k + 1) * c) for k in range(20))
        return c - mp.log(c) / 2 - mp.log(series) - w * w

    c = mpmath.findroot(off, w * w + mp.log(w * w) / 2)
    return mp.pi / mp.sqrt(8 * c)


KOLMOGOROV = Table(
    "Polynomials of the inverse of Kolmogorov's distribution.",
    {
        # Beside 2 y^2, which is above 1.28 there, this counts h^3 times.
        "TAIL": pieces(kolmogorov_at_tail, 0.0, 0.2725, size=60.0),
        "OF_ROOT": pieces(kolmogorov_at_root, 1.26, 1.75, 2.75, 6.25),
    },
)

TABLES = {
    "_numerics/elementary_tables": ELEMENTARY,
    "_numerics/error_function_tables": ERROR,
    "_error/kernels/dawson_tables": DAWSON,
    "_error/kernels/exponential_tables": EXPONENTIAL,
    "_error/kernels/fresnel_tables": FRESNEL,
    "_error/kernels/trigonometric_tables": TRIGONOMETRIC,
    "_bessel/kernels/cylinder_tables": CYLINDER,
    "_bessel/kernels/modified_tables": MODIFIED,
    "_bessel/kernels/hankel_tables": HANKEL,
    "_bessel/kernels/olver_tables": OLVER,
    "_bessel/kernels/temme_tables": TEMME,
    "_bessel/kernels/airy_tables": AIRY,
    "_bessel/kernels/kelvin_tables": KELVIN,
    "_elliptic/kernels/elliptic_tables": ELLIPTIC,
    "_distributions/kernels/kolmogorov_tables": KOLMOGOROV,
    "_gamma/kernels/gamma_tables": GAMMA,
    "_gamma/kernels/spence_tables": SPENCE,
    "_gamma/kernels/zeta_tables": ZETA,
    "_incomplete/kernels/gamma_tail_tables": TAILS_OF_GAMMA,
    "_incomplete/kernels/beta_tail_tables": TAILS_OF_BETA,
}
"""By the files that they are written to."""
