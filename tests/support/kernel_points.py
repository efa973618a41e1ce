"""Where kernels are tested."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.special
from rotation import generator_of_the_draw

from jaxsci._verification import reference
from jaxsci.special._catalog.types import Kind

ANYWHERE = (
    *(np.nan, np.inf, -np.inf, 0.0, -0.0, 0.5, -0.5, 1.0, -1.0, 1.5, 2.0, -2.5, 3.0, -3.0),
    *(1e-20, -1e-20, 1e-30, -1e-30, 20.0, -20.0, 1e4, -1e4, 1e30, -1e30),
    *(1.2e-38, -1.2e-38, 3.4e38, -3.4e38),
)
"""Numbers at which formulas go wrong, of any precision."""

SOME = (np.nan, np.inf, -np.inf, 0.0, 0.5, -0.5, 1.0, 3.0, 1e-20, -1e-20, 1e4, 1e30, -1e30)
"""Those for functions of many arguments."""

GAMMA_TAILS = ("gammainc", "gammaincc", "gdtr", "gdtrc", "chdtr", "chdtrc", "pdtr", "pdtrc")

POLYNOMIALS = (
    *("eval_legendre", "eval_sh_legendre", "eval_gegenbauer", "eval_jacobi", "eval_sh_jacobi"),
    *("eval_chebyt", "eval_chebyu", "eval_chebyc", "eval_chebys"),
    *("eval_sh_chebyt", "eval_sh_chebyu"),
    *("eval_laguerre", "eval_genlaguerre", "assoc_laguerre"),
)
"""Functions of a real degree n, half of whose points have whole ones."""

LEGENDRE = ("lpmv", "legendre_p", "assoc_legendre_p", "legendre_p_all", "assoc_legendre_p_all")
SEARCHED = ("bdtrik", "bdtrin", "nbdtrik", "nbdtrin")
"""Functions that SciPy finds by slow steps."""

HARMONICS = ("sph_legendre_p", "sph_harm_y", "sph_legendre_p_all", "sph_harm_y_all")
UNSIGNED = (*POLYNOMIALS, *LEGENDRE, *HARMONICS, "hyp1f1", "hyp2f1", "hyperu")
"""Functions whose zeros have signs by accident, in SciPy too."""

KELVIN = ("ber", "bei", "ker", "kei", "berp", "beip", "kerp", "keip", "kelvin")

Ends = tuple[float, float]

RANGES: dict[str, Ends | tuple[Ends, ...]] = {
    "dawsn": (-20, 6),
    "erfi": (-20, 2),
    "erfc": (-300, 9),
    "erfcx": (-300, 9),
    "erfinv": (-300, 0),
    "erfcinv": (-300, 0.3),
    **dict.fromkeys(["ndtr", "log_ndtr"], (-300, 9)),
    "ndtri": (-300, 0),
    "ndtri_exp": (-300, 20),
    **dict.fromkeys(["exp1", "expi"], (-300, 3)),
    **dict.fromkeys(["exp2", "exp10", "expm1", "exprel", "expit"], (-300, 3)),
    "log_expit": (-300, 9),
    "logit": (-300, 0),
    "cosm1": (-100, 9),
    "spence": (-300, 30),
    "kolmogorov": (-3, 1.25),
    "wrightomega": (-300, 2.8),
    "fresnel": (-90, 6),
    "sici": (-300, 9),
    "shichi": (-300, 2.8),
    **dict.fromkeys(["gamma", "rgamma"], (-300, 2.23)),
    **dict.fromkeys(["gammaln", "psi"], (-300, 9)),
    "factorial": (-300, 2.23),
    "gammasgn": (-300, 9),
    "zetac": (-300, 2.3),
    **dict.fromkeys(["sindg", "cosdg", "tandg", "cotdg"], (-300, 13.9)),
    "diric": (-300, 4),
    "pseudo_huber": (-150, 150),
    **dict.fromkeys(["boxcox", "boxcox1p", "powm1"], ((-300, 300), (-300, 4))),
    **dict.fromkeys(["inv_boxcox", "inv_boxcox1p"], ((-300, 4), (-300, 300))),
    "multigammaln": (-2, 9),
    **dict.fromkeys(["zeta", "polygamma"], (-300, 3)),
    **dict.fromkeys(["poch", "binom", "comb", "perm"], (-100, 6)),
    **dict.fromkeys(["beta", "betaln"], (-300, 12)),
    **dict.fromkeys(GAMMA_TAILS, (-300, 3)),
    **dict.fromkeys(["betainc", "betaincc", "bdtr", "bdtrc", "nbdtr", "nbdtrc"], (-300, 0)),
    **dict.fromkeys(["fdtr", "fdtrc"], (-150, 2)),
    **dict.fromkeys(["gammaincinv", "gammainccinv", "chdtri", "pdtri"], (-300, 0)),
    **dict.fromkeys(["gdtria", "gdtrix"], (-100, 0)),
    "chdtriv": ((-300, 0), (-300, 4)),
    "gdtrib": ((-150, 2), (-300, 0), (-150, 2)),
    "pdtrik": ((-300, 0), (-300, 4)),
    "stdtridf": ((-50, 0), (-5, 5)),
    "fdtridfd": ((-2, 2.5), (-20, 0), (-3, 3)),
    "btdtria": ((-50, 0), (-5, 2), (-12, 0)),
    "btdtrib": ((-5, 2), (-50, 0), (-12, 0)),
    "bdtrik": ((-20, 0), (-2, 2), (-12, 0)),
    "bdtrin": ((-10, 2), (-50, 0), (-2, 0)),
    "nbdtrik": ((-20, 0), (-2, 2), (-12, 0)),
    "nbdtrin": ((-10, 2), (-50, 0), (-12, 0)),
    **dict.fromkeys(["betaincinv", "betainccinv"], (-12, 0)),
    **dict.fromkeys(["bdtri", "nbdtri"], (-100, 0)),
    **dict.fromkeys(["fdtri", "stdtrit"], (-11, 0)),
    "stdtr": (-100, 2),
    **dict.fromkeys(["gdtr", "gdtrc"], (-150, 3)),  # products of smaller numbers are subnormal
    **dict.fromkeys(["j0", "j1", "y0", "y1"], (-100, 15)),
    **dict.fromkeys(["jv", "yv", "iv", "kv", "jve", "yve", "ive", "kve"], (-100, 2.5)),
    **dict.fromkeys(["jvp", "yvp", "ivp", "kvp"], (-100, 2.5)),
    "airy": (-100, 4),
    "hyp0f1": ((-20, 3.5), (-20, 6)),
    "hyp1f1": ((-20, 1.5), (-20, 1.5), (-20, 12)),
    "hyp2f1": ((-20, 1), (-20, 1), (-20, 1), (-20, 12)),
    "hyperu": ((-20, 1.3), (-20, 1.3), (-20, 12)),
    **dict.fromkeys(["struve", "modstruve"], ((-20, 1.69), (-20, 2.5))),
    **dict.fromkeys(KELVIN, (-100, 3.1)),
    "airye": (-100, 8),
    **dict.fromkeys(["yn", "spherical_jn", "spherical_yn"], (-100, 9)),
    **dict.fromkeys(["kn", "spherical_in", "spherical_kn"], (-100, 2.8)),
    **dict.fromkeys(["i0", "i1", "k0", "k1"], (-30, 2.8)),
    **dict.fromkeys(["i0e", "i1e", "k0e", "k1e"], (-30, 9)),
    **dict.fromkeys(["ellipkinc", "ellipeinc"], ((-300, 5), (-300, 300))),
    "ellipj": ((-300, 3), (-300, 0)),
    "elliprj": (-70, 70),
    "kolmogi": (-300, 0),
    "smirnov": (-20, 0),
    "smirnovi": (-100, 0),
    **dict.fromkeys(["eval_hermite", "eval_hermitenorm"], (-20, 3)),
    **dict.fromkeys(POLYNOMIALS, ((-20, 3), (-20, 10))),
    "eval_gegenbauer": ((-20, 3), (-20, 1.3), (-20, 10)),
    "eval_jacobi": ((-20, 3), (-20, 1.3), (-20, 1.3), (-20, 10)),
    "eval_sh_jacobi": ((-20, 2.5), (0, 1.3), (-2, 1), (-20, 10)),
    **dict.fromkeys(["eval_laguerre"], ((-20, 3), (-20, 3))),
    "eval_genlaguerre": ((-20, 3), (-20, 1.3), (-20, 3)),
    "assoc_laguerre": ((-20, 3), (-20, 3), (-20, 1.3)),
    **dict.fromkeys(["legendre_p", "legendre_p_all"], (-20, 5)),
    **dict.fromkeys(["assoc_legendre_p", "assoc_legendre_p_all"], (-20, 0)),
    **dict.fromkeys(HARMONICS, (-20, 0.49)),
    "lpmv": ((-20, 2), (-20, 2.5), (-100, 0)),
    "expn": (-300, 2.8),
    "owens_t": ((-300, 1.5), (-300, 8)),
    "voigt_profile": ((-20, 8), (-5, 5), (-20, 8)),
}
"""Decimal exponents of the random arguments, where they are not -300 and 300: the domain, or
what mpmath can compute. Of all arguments, or for each."""

PLANE: dict[str, tuple[float, float]] = {
    **dict.fromkeys(["erf", "erfc", "erfi", "ndtr"], (-100, 1.4)),
    **dict.fromkeys(["wofz", "erfcx", "dawsn"], (-100, 1.4)),
    "log_ndtr": (-100, 4),
    "airy": (-100, 2),
    "airye": (-100, 4),
    "fresnel": (-90, 1.2),
    "lambertw": (-100, 100),
    "expm1": (-100, 2.8),
    **dict.fromkeys(["gamma", "rgamma"], (-100, 2.2)),
    **dict.fromkeys(["loggamma", "psi"], (-100, 12)),
    "sinc": (-100, 2.3),
    **dict.fromkeys(POLYNOMIALS, (-20, 2)),
    **dict.fromkeys(["jv", "yv", "iv", "kv", "jve", "yve", "ive", "kve"], (-60, 1.8)),
    **dict.fromkeys(["hankel1", "hankel2", "hankel1e", "hankel2e"], (-60, 1.8)),
    **dict.fromkeys(["jvp", "yvp", "ivp", "kvp", "h1vp", "h2vp"], (-60, 1.8)),
    **dict.fromkeys([f"spherical_{kind}n" for kind in "jyik"], (-60, 2.5)),
    **dict.fromkeys(["hyp1f1", "hyp2f1"], (-20, 5)),
    "hyp0f1": (-20, 6),
    **dict.fromkeys(["exp1", "expi", "sici", "shichi", "wrightomega"], (-100, 2.8)),
}
"""Decimal exponents of the moduli of random complex arguments."""


def _is_whole(n: np.ndarray) -> np.ndarray:
    return n == np.floor(n)


WITHIN: dict[str, Callable[..., Any]] = {
    # The other way round the recurrence would divide by zero, and p = q = 0 has no weight.
    # And between whole degrees large parameters lose digits.
    "eval_sh_jacobi": lambda n, p, q, x: (p > q - 1) & (_is_whole(n) | (p < 6)),
    "eval_sh_legendre": lambda n, x: _is_whole(n) | (x <= 0) | (x > 1e-10),
    "eval_jacobi": lambda n, alpha, beta, x: _is_whole(n) | (np.maximum(alpha, beta) < 6),
    "eval_gegenbauer": lambda n, alpha, x: _is_whole(n) | (alpha < 6),
    "eval_genlaguerre": lambda n, alpha, x: alpha > -1,
    "assoc_laguerre": lambda x, n, k: k > -1,
    **dict.fromkeys(["ellipkinc", "ellipeinc"], lambda phi, m: m <= 1),
    # The expressions divide by 0 there.
    **dict.fromkeys([f"spherical_{kind}n" for kind in "jyik"], lambda n, z: z != 0),
    "zeta": lambda x, q: x > 1,
    # Next to the cut steps pass by the singular point at 1.
    "hyp2f1": lambda a, b, c, z: (np.abs(z) <= 1) | (np.abs(np.angle(z)) > 0.2),
    "elliprj": lambda x, y, z, p: (
        (np.imag(x) == 0) & (np.imag(y) == 0) & (np.imag(z) == 0)
        | (np.minimum(np.real(x), np.real(y)) >= 0) & (np.real(z) >= 0) & (np.real(p) > 0)
        | (x == np.conj(y)) & (np.imag(z) == 0) & (np.real(z) > 0) & (np.imag(p) != 0)
    ),
    "bdtrik": lambda y, n, p: n > 0,
    "nbdtrik": lambda y, n, p: n > 0,
}
"""Where functions are defined that mpmath continues beyond; of the arguments."""

DIGITS: dict[str, int] = {
    "zetac": 150,
    "pseudo_huber": 700,
    "ellipkm1": 350,
    "elliprj": 350,
    "voigt_profile": 120,
}
"""How many digits mpmath needs, where 50 do not do."""


def _between(least: float, most: float, x: np.ndarray) -> np.ndarray:
    return (x > least) & (x < most)


def _beyond_amos(v: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Where SciPy gives up (NaN), rounds the phase, or loses two digits (half-integer orders).

    And where the signs of zeros and poles at 0 are others than those of the limits.
    """
    half = v + 0.5 == np.floor(v + 0.5)
    return (np.abs(v) >= 1e5) | (np.abs(x) > 1e3) | half | (x == 0) & (v != np.floor(v))


def _beyond_scaled_amos(v: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Besides, poles at 0 are NaN, and what overflows has the sign of the other functions."""
    return _beyond_amos(v, x) | (x == 0) | (np.abs(v) > 16) & (x < 1e-19) | (np.abs(v) >= 1e4)


def _beyond_neighbours(v: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Besides, a small order is lost in a sum."""
    return _beyond_amos(v, x) | (v != 0) & (np.abs(v) < 1e-15)


def _beyond_struve(v: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Orders for which there is no kernel, and poles with signs and values of their own."""
    at_pole = (v < -1) & ((x == 0) | (v == np.floor(v) + 0.5))
    return ~(np.abs(v) <= 50) | (np.abs(x) > 1e3) & np.isfinite(x) | at_pole


def _are_huge(*xs: np.ndarray) -> np.ndarray:
    return np.logical_and.reduce([x > 1e20 for x in xs])


def _are_extreme(*shapes: np.ndarray) -> np.ndarray:
    """Tiny and huge shapes, of which kernels have no quantiles."""
    return np.logical_or.reduce([(x < 1e-12) | (x > 1e20) for x in shapes])


def _are_beyond(largest: float, *parameters: np.ndarray) -> np.ndarray:
    return np.logical_or.reduce([np.abs(x) > largest for x in parameters])


def _is_pole(x: np.ndarray) -> np.ndarray:
    return (x <= 0) & (x == np.floor(x))


def _is_none(p: np.ndarray) -> np.ndarray:
    return (p < 0) | (p > 1)


def _beyond_sums(end: float, n: np.ndarray, x: np.ndarray, mirrored: bool = False) -> np.ndarray:
    """Where SciPy's sums and recurrences have signs of infinities, or no value, by accident.

    Between whole degrees next to the lower end of the interval and below, and of degrees below 0;
    of large degrees and arguments, and of degrees that it takes for whole ones; and of what is no
    number, which it may not look at.
    """
    between = n != np.floor(n)
    near = (n < 0) & (not mirrored) | (np.abs(n - np.round(n)) < 1e-10)
    low = between & ((x <= end + 1e-10) | near)
    return low | between & (np.abs(x) > 1e3) | ~(np.abs(n) < 1e4) | ~(np.abs(x) < 1e20)


_HAS_TEN_DIGITS = not np.isnan(scipy.special.nbdtrik(0.0, 0.0, 0.5))
"""SciPy 1.17 searches with a tolerance of 1e-10, and where there is nothing to find it says where
its search ended: its bdtrik, bdtrin, nbdtrik and nbdtrin say no more than where they are NaN."""
_MEDIAN_IS_OFF = scipy.special.nrdtrimn(0.5, 1.0, 0.0) != 0
"""Its normal distribution has the median 3e-17, and what is divided by that is finite."""
_HAS_ONE_ZERO = not np.signbit(scipy.special.sindg(-0.0))
"""In SciPy 1.17 sine and tangent of -0 degrees are 0."""
_HAS_ONE_AT_DEGREE_0 = scipy.special.eval_gegenbauer(0, 0.0, 0.5) == 1
"""Of degree and parameter 0 SciPy 1.17 has 1, later ones 0."""


SCIPY_IS_WRONG: dict[str, Callable[..., Any]] = {
    # Values at infinity are NaN, where there is a limit.
    **dict.fromkeys(["i0", "i1"], np.isinf),
    **dict.fromkeys(["ndtr", "log_ndtr"], lambda x: np.abs(x) > 10),
    "ndtri_exp": lambda x: x < -1e3,
    "shichi": np.isinf,
    # It loses digits to large logarithms.
    "betaln": lambda a, b: _between(25, np.inf, np.maximum(abs(a), abs(b))),
    # And where both arguments are poles the sign of infinity depends on their order.
    "beta": lambda a, b: (
        _between(25, np.inf, np.maximum(abs(a), abs(b))) | (_is_pole(a) & _is_pole(b))
    ),
    # It has numbers for what is no probability, and for tiny shapes not all it might have.
    "gammaincinv": lambda a, y: _is_none(y) | (abs(a) < 1e-15),
    "gammainccinv": lambda a, y: _is_none(y) | (abs(a) < 1e-15),
    "gdtria": lambda p, b, x: _is_none(p) | (abs(b) < 1e-15),
    "gdtrix": lambda a, b, p: _is_none(p) | (abs(b) < 1e-15),
    "pdtri": lambda k, y: y == 1,
    "chdtri": lambda v, p: v == 0,
    # Nor has it large shapes.
    "chdtriv": lambda p, x: x >= 1e30,
    "pdtrik": lambda p, m: m >= 1e30,
    # Of small probabilities it is far off.
    "gdtrib": lambda a, p, x: (a * x >= 1e30) | (a * x >= 1e8) & (p < 1e-15),
    # What it need not look at may be anything.
    # Its search ends somewhere where there is no solution, and has ten digits of far tails.
    "stdtridf": lambda p, t: (
        ~(
            (t < 0) & _between(1e-15, 0.5, p) & (p > scipy.special.ndtr(t))
            | (t > 0) & (p > 0.5) & (p < scipy.special.ndtr(t))
        )
    ),
    "btdtria": lambda p, b, x: ~(b < 1e20) | ~((x > 0) & (x < 1)),
    "btdtrib": lambda a, p, x: ~(a < 1e20) | ~((x > 0) & (x < 1)),
    "bdtrik": lambda y, n, p: ~(n < 1e20) | _HAS_TEN_DIGITS & np.isfinite(y + n + p),
    "bdtrin": lambda k, y, p: ~(k < 1e20) | _HAS_TEN_DIGITS & np.isfinite(k + y + p),
    "nbdtrik": lambda y, n, p: ~(n < 1e20) | _HAS_TEN_DIGITS & np.isfinite(y + n + p),
    "nbdtrin": lambda k, y, p: (
        ~(k < 1e20) | (k >= 20) & (p < 1e-15) | _HAS_TEN_DIGITS & np.isfinite(k + y + p)
    ),
    "nrdtrimn": lambda p, std, x: _MEDIAN_IS_OFF & (p == 0.5),
    "nrdtrisd": lambda mn, p, x: _MEDIAN_IS_OFF & (p == 0.5),
    **dict.fromkeys(["sindg", "tandg"], lambda x: _HAS_ONE_ZERO & (x == 0)),
    "betaincinv": lambda a, b, y: _are_extreme(a, b),
    "betainccinv": lambda a, b, y: _are_extreme(a, b),
    "nbdtri": lambda k, n, y: n < 1,
    "fdtri": lambda m, n, p: _are_extreme(m, n),
    "stdtrit": lambda v, p: (p == 0) | (v < 1e-12),
    # It takes 1 where there is more to say, and a quotient of large numbers is rounded.
    "betaincc": lambda a, b, x: abs(x) < 1e-15,
    "fdtr": lambda m, n, x: _are_huge(m, n),
    "fdtrc": lambda m, n, x: (abs(x) < 1e-15) | _are_huge(m, n),
    # Besides, the phase of large arguments is rounded; of order 0 until SciPy 1.17.
    **dict.fromkeys(["j0", "j1", "y0", "y1"], lambda x: np.abs(x) > 1e3),
    **dict.fromkeys(["jv", "yv", "iv", "kv", "kve"], _beyond_amos),
    **dict.fromkeys(["jve", "yve", "ive"], _beyond_scaled_amos),
    **dict.fromkeys(["jvp", "ivp"], _beyond_neighbours),
    "kvp": _beyond_amos,
    # And an infinity less another one is none.
    "yvp": lambda v, x: _beyond_amos(v, x) | (x == 0),
    "yn": lambda n, x: np.abs(x) > 1e3,
    # It loses a digit or two, gives up beyond 1e6, and Bi has no values from 103.3 on.
    **dict.fromkeys(["airy", "airye"], lambda x: np.abs(x) > 1),
    # It loses digits, and rounds the phase.
    **dict.fromkeys(KELVIN, lambda x: _between(2.9, 100, np.abs(x)) | (np.abs(x) > 1e5)),
    # What underflows on the way is 0, and what overflows NaN.
    "spherical_in": lambda n, x: (n > 5) & (np.abs(x) < 1e-20),
    "spherical_kn": lambda n, x: (x < -600) & np.isfinite(x) | (x < 0) & (x > -1e-20),
    # Functions are odd, and their zeros have signs.
    **dict.fromkeys(
        ["ellipkinc", "ellipeinc"],
        lambda phi, m: ((phi == 0) & np.signbit(phi)) | (np.abs(phi) > 1e15),
    ),
    # Hyperbolic functions overflow, and small numbers are lost; large arguments are rounded.
    "ellipj": lambda u, m: (
        ((u == 0) & np.signbit(u))
        | ((m == 1) & ((np.abs(u) < 1e-16) | (np.abs(u) > 700)))
        | (np.abs(u) > 10)
    ),
    **dict.fromkeys(["struve", "modstruve"], _beyond_struve),
    # It loses digits for z < 0; and there is no kernel.
    "hyp0f1": lambda v, z: (z < -10) | (z > 1e4) | ~(np.abs(v) <= 150),
    # There is no kernel; or SciPy loses digits, or has 0 where rounding decides.
    "hyp1f1": lambda a, b, x: (
        _are_beyond(100, a, b)
        | (np.abs(x) > 1e3)
        | (a < -10)
        | (x == a) & (b == -a)
        | (np.abs(a) == 1) & (x == -a * b)
    ),
    # And numbers that are all but 0 are taken for it, and what is none is not looked at.
    "hyp2f1": lambda a, b, c, z: (
        _are_beyond(100, a, b, c)
        | ~(np.abs(z) <= 1e4)
        | np.isnan(a + b + c)
        | (np.minimum(np.abs(a), np.abs(b)) == 1e-20) & ((z >= 1) | (c == 0))
        | (np.abs(c) == 1e-20)
        | (c == 0) & (z > 1)
        | (c == -0.5) & (z == 0.5)
    ),
    # It loses digits, or all of them.
    "hyperu": lambda a, b, x: (
        _are_beyond(100, a, b)
        | (np.abs(x) > 1e3)
        | (x > 0)
        | (x == 0) & ((b > 1) | (np.abs(b) < 1e-10) & (b != 0))
    ),
    # An infinite argument is not looked at beside one that is none.
    "owens_t": lambda h, a: np.abs(h) > 4.8,
    "kolmogi": lambda p: p == 0.5,
    # Its search has eleven digits, eight of small degrees, and ends at 1e100 or 1e-100 where there
    # is no number: `_of_f` has such points, and mpmath's are what they are compared with.
    "fdtridfd": lambda dfn, p, x: (dfn > 0) & (p >= 0) & (p < 1) & (x >= 0),
    "elliprc": lambda x, y: np.isnan(y) | ((y == -np.inf) & (x < 0)),
    "elliprj": lambda x, y, z, p: np.isnan(p),
    # The value has no meaning, or is that of an infinite number over another one.
    "voigt_profile": lambda x, sigma, gamma: (
        (sigma < 0) | (gamma < 0) | np.isinf(gamma) | (np.isinf(x) & np.isinf(sigma))
    ),
    "powm1": lambda x, y: (abs(x) < 1) & (y < -10),
    "cotdg": lambda x: abs(x) < 5,
    "diric": lambda x, n: abs(x) > 1e10,
    "pseudo_huber": lambda delta, r: delta == np.inf,
    **dict.fromkeys(
        ["boxcox", "boxcox1p"], lambda x, lmbda: np.isinf(lmbda) | (abs(lmbda) < 1e-18)
    ),
    # What is none makes infinities, ones and zeros of what is not known.
    "zeta": lambda x, q: np.isnan(x + q) | (x >= 1e30) & ((q > 1) | (q < 0)),
    "poch": lambda z, m: (
        np.isnan(z + m)
        | np.isinf(z)
        | _between(100, np.inf, abs(z))
        | _is_pole(z) & ~(abs(m) >= 1)
        | (m < -1e3) & (z + m <= 0)
    ),
    # Zeros have signs of their own.
    "binom": lambda x, y: (
        _between(100, np.inf, np.maximum(abs(x), abs(y)))
        | _is_pole(y + 1)
        | _is_pole(x - y + 1)
        | (abs(x) < 1e-15)
        | (x <= -1) & np.isinf(y)
        | (y == np.inf)
        | (x == np.inf)
    ),
    **dict.fromkeys(
        ["comb", "perm"], lambda N, k: np.isnan(N + k) | np.isinf(N) | _between(100, np.inf, N)
    ),
    **dict.fromkeys(
        ["eval_legendre", "eval_chebyt", "eval_chebyu"],
        lambda n, x: _beyond_sums(-1, n, x, mirrored=True),
    ),
    **dict.fromkeys(
        ["eval_chebyc", "eval_chebys"], lambda n, x: _beyond_sums(-2, n, x, mirrored=True)
    ),
    **dict.fromkeys(
        ["eval_sh_legendre", "eval_sh_chebyt", "eval_sh_chebyu"],
        lambda n, x: _beyond_sums(0, n, x, mirrored=True),
    ),
    "eval_gegenbauer": lambda n, alpha, x: (
        _beyond_sums(-1, n, x)
        | ~_between(-0.5, 20, alpha)
        | _HAS_ONE_AT_DEGREE_0 & (n == 0) & (alpha == 0)
    ),
    "eval_jacobi": lambda n, alpha, beta, x: (
        _beyond_sums(-1, n, x) | ~_between(-1, 20, alpha) | ~_between(-1, 20, beta)
    ),
    "eval_sh_jacobi": lambda n, p, q, x: (
        _beyond_sums(0, n, x) | ~_between(-1, 20, p - q) | ~_between(1e-15, 20, q) | (p < 1e-15)
    ),
    "eval_laguerre": lambda n, x: _beyond_sums(-np.inf, n, x),
    "eval_genlaguerre": lambda n, alpha, x: _beyond_sums(-np.inf, n, x) | ~(alpha < 1e2),
    "assoc_laguerre": lambda x, n, k: _beyond_sums(-np.inf, n, x) | ~(k < 1e2),
    # They are NaN where infinities meet.
    "legendre_p": lambda n, z: ~(np.abs(z) < 1e20),
    "legendre_p_all": lambda z: ~(np.abs(z) < 1e20),
    "assoc_legendre_p": lambda n, m, z, branch_cut: ~(np.abs(z) < 1e20),
    "assoc_legendre_p_all": lambda z, branch_cut: ~(np.abs(z) < 1e20),
    **dict.fromkeys(HARMONICS, lambda *xs: ~np.isfinite(sum(xs))),
    "elliprg": lambda x, y, z: (x == 0) & (y == 0) & (z == 0),
    # It loses small x and v, and has no value of order below 0 for v = 1e4; it sums a series that
    # diverges beyond 3, and its infinity at -1 has no sign.
    "lpmv": lambda m, v, x: (
        ~((np.abs(v) < 1e4) & (np.abs(x) < 1e20))
        | _between(0, 1e-15, np.abs(x))
        | _between(0, 1e-15, np.abs(v))
        | (v != np.floor(v)) & ((x == -1) | (x > 1.5))
    ),
}
"""Where kernels are right and SciPy is not; of the arguments."""


def _about_transition(rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Shapes and arguments of incomplete gamma functions, of which neither tail is small."""
    a = 10 ** rng.uniform(0, 4.5, n)
    return a, np.abs(a + 3 * rng.normal(size=n) * np.sqrt(a)) + 1e-3


def _of_gamma(arguments: Callable[..., Any]) -> Callable[..., Any]:
    return lambda rng, n: arguments(10 ** rng.uniform(-3, 3, n), *_about_transition(rng, n))


def _quantiles(rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Shapes, and probabilities of which half are small."""
    small = 10 ** rng.uniform(-300, 0, n)
    return 10 ** rng.uniform(-2, 4, n), np.where(rng.random(n) < 0.5, small, rng.uniform(0, 1, n))


def _about_mean(rng: np.random.Generator, n: int) -> tuple[np.ndarray, ...]:
    """Shapes and arguments of incomplete beta functions, likewise."""
    a, b = 10 ** rng.uniform(-2, 4, (2, n))
    mean = a / (a + b)
    spread = np.sqrt(mean * (1 - mean) / (a + b + 1))
    return a, b, np.clip(mean + 3 * rng.normal(size=n) * spread, 0.01 * mean, 1 - 2.0**-40)


def _of_beta(arguments: Callable[..., Any]) -> Callable[..., Any]:
    return lambda rng, n: arguments(*_about_mean(rng, n))


def _as_quotient(a: np.ndarray, b: np.ndarray, x: np.ndarray) -> tuple[np.ndarray, ...]:
    return 2 * a, 2 * b, b * x / (a * (1 - x))


def _whole(x: np.ndarray) -> np.ndarray:
    return x.astype(np.int64)


def _small_integers(rng: np.random.Generator, n: int) -> tuple[np.ndarray, ...]:
    y = rng.integers(0, 40, n)
    return (y + rng.integers(1, 40, n)).astype(float), y.astype(float)


def _harmonics(rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Degrees and orders of some hundreds."""
    degrees = rng.integers(0, 300, n)
    return degrees, rng.integers(-degrees, degrees + 1)


def _degrees(rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Probabilities and quantiles of Student's t distribution."""
    t = rng.normal(size=n) * 10 ** rng.uniform(-1, 1, n)
    return scipy.special.stdtr(10 ** rng.uniform(-2, 3, n), t), t


def _of_f(rng: np.random.Generator, n: int) -> tuple[np.ndarray, ...]:
    """Degrees of freedom, probabilities and quantiles of F's distribution, small ones too."""
    dfn, dfd, x = (
        10 ** rng.uniform(-1, 2, n),
        10 ** rng.uniform(-2, 4, n),
        10 ** rng.normal(0, 1, n),
    )
    small = (0.5, 0.5, 2.0), (1e-20, 1e-30, 1.0), (0.5, 1.2e-38, 1e30), (1.2e-38, 1e-20, 1.0)
    drawn = dfn, scipy.special.fdtr(dfn, dfd, x), x
    return tuple(np.append(few, y) for few, y in zip(zip(*small, strict=True), drawn, strict=True))


def _observations(rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Numbers of observations, and deviations of all probabilities."""
    count = np.round(10 ** rng.uniform(0, 3.5, n)).astype(int)
    return count, np.minimum(np.sqrt(10 ** rng.uniform(-4, 2.4, n) / count), 1 - 1e-9)


MORE: dict[str, Callable[..., Any]] = {
    "smirnov": _observations,
    "smirnovi": lambda rng, n: (_observations(rng, n)[0], 10 ** -(10 ** rng.uniform(-3, 2, n))),
    "fdtridfd": _of_f,
    **dict.fromkeys(["poch", "binom", "comb", "perm"], _small_integers),
    "zeta": lambda rng, n: (rng.integers(2, 40, n).astype(float), rng.uniform(-30, 0, n)),
    "polygamma": lambda rng, n: (rng.integers(0, 300, n), 10 ** rng.uniform(0, 3, n)),
    "assoc_legendre_p": lambda rng, n: (
        *(rng.integers(0, 200, n), rng.integers(-20, 20, n)),
        *(1 + 10 ** rng.uniform(-12, 1, n), np.full(n, 3)),
    ),
    "bdtrik": lambda rng, n: (
        *(rng.uniform(0, 1, n), 10 ** rng.uniform(0, 2.5, n)),
        rng.uniform(0.02, 0.98, n),
    ),
    "nbdtrik": lambda rng, n: (
        *(rng.uniform(0, 1, n), 10 ** rng.uniform(-1, 2, n)),
        rng.uniform(0.05, 0.98, n),
    ),
    "stdtridf": _degrees,
    "lpmv": lambda rng, n: (
        *(rng.integers(-80, 80, n), 10 ** rng.uniform(0, 2.5, n)),
        rng.uniform(-1, 1, n),
    ),
    "sph_legendre_p": lambda rng, n: (*_harmonics(rng, n), 10 ** rng.uniform(-6, 0.49, n)),
    "sph_harm_y": lambda rng, n: (
        *(*_harmonics(rng, n), 10 ** rng.uniform(-6, 0.49, n)),
        rng.uniform(-7, 7, n),
    ),
    **dict.fromkeys(["gammainc", "gammaincc"], _of_gamma(lambda _, a, x: (a, x))),
    **dict.fromkeys(["chdtr", "chdtrc"], _of_gamma(lambda _, a, x: (2 * a, 2 * x))),
    **dict.fromkeys(["pdtr", "pdtrc"], _of_gamma(lambda _, a, x: (a.astype(np.int64), x))),
    **dict.fromkeys(["gdtr", "gdtrc"], _of_gamma(lambda r, a, x: (r, a, x / r))),
    **dict.fromkeys(["gammaincinv", "gammainccinv", "chdtri"], _quantiles),
    "pdtri": lambda rng, n: (_whole(_quantiles(rng, n)[0]), rng.uniform(0, 1, n)),
    **dict.fromkeys(["betainc", "betaincc"], _of_beta(lambda a, b, x: (a, b, x))),
    **dict.fromkeys(
        ["fdtr", "fdtrc"], _of_beta(lambda a, b, x: (2 * a, 2 * b, b * x / (a * (1 - x))))
    ),
    **dict.fromkeys(["bdtr", "bdtrc"], _of_beta(lambda a, b, x: (_whole(a), _whole(a + b) + 1, x))),
    **dict.fromkeys(["nbdtr", "nbdtrc"], _of_beta(lambda a, b, x: (_whole(b), _whole(a) + 1, x))),
}
"""Points of which independent arguments would miss most."""


FOUND: dict[str, tuple[tuple[float, ...], ...]] = {
    # Between two polynomials.
    "ndtri_exp": ((-0.288,), (-0.2881,), (-0.28769,)),
    # Next to the ends of the numbers.
    "comb": ((1.6e-35, 7.5e-94), (6.4e-85, -3.8e-57), (-1.5e-20, 7.2e-99)),
    "chdtr": ((1.25e-300, 1.9e-8), (2e-290, 1e-5)),
    "gammaincinv": ((3075.2, 1.73e-299), (20.5, 1e-297)),
    "chdtri": ((8.9e-298, 1.087e-297), (2.47, 4.7e-299), (8.8e-111, 3.06e-108)),
    "pdtri": ((0, 3.8e-293), (2, 7.6e-298)),
    "gdtrix": ((0.00166, 0.0074, 0.005315), (6.3e-82, 0.030433652, 7.9e-12)),
    "gdtria": ((4.3e-92, 0.26328, 8.8e-73), (9e-76, 0.21266, 8.2e-90)),
    "betaincinv": ((0.015894663, 3.849347e-9, 3.316e-12),),
    "fdtri": ((0.5066, 1.91967e-7, 6.5474e-5),),
    "fdtr": ((3.5e-40, 3.5e-149, 8e-53), (1.6e-41, 5.9e-120, 1.1e-26)),
    "elliprd": ((9e213, 1e-133, 9e188), (3e-227, 2e-194, 2e126), (7e-274, 5e-233, 9e198)),
    "sph_legendre_p": ((107, -107, 0.0011365), (226, 129, 0.001769)),
    "sph_harm_y": ((179, -147, 0.0052324, 5.08), (209, -68, 7.55e-6, 2.26), (135, -90, 2e-4, -1)),
    # Where much cancels.
    "eval_jacobi": ((799, 2.2e-12, 1.2e-8, -1.7e-20), (799, 0.3, 0.4, 1e-20)),
    "zeta": ((26, -2.4998932), (26, -0.4998932)),
}
"""Points at which kernels, or what they are compared with, once were wrong."""


def _found(row: Any) -> list[list[np.ndarray]]:
    """Arrays of one number each, of the arguments' kinds."""
    kinds = [np.int64 if a.kind is Kind.INT else np.float64 for a in row.arrays]
    return [
        [np.array([x], kind) for x, kind in zip(point, kinds, strict=True)]
        for point in FOUND.get(row.name, ())
    ]


def _of_each(row: Any) -> list[Ends]:
    """The decimal exponents of each argument."""
    ends: Any = RANGES.get(row.name, (-300, 300))
    return list(ends) if isinstance(ends[0], tuple) else [ends] * len(row.arrays)


def complex_points(row: Any, n: int) -> list[np.ndarray]:
    """Points in the plane: the row's own, near and far, next to an axis, and awkward ones."""
    rng = generator_of_the_draw(f"complex kernel {row.name}")
    own = reference.sample(row, reference.COMPLEX, rng, n)
    low, high = PLANE.get(row.name, (-100, 100))
    columns = []
    for argument, x, few in zip(
        row.arrays, own, reference.awkward(row, reference.COMPLEX), strict=True
    ):
        if argument.kind is not Kind.COMPLEX:
            columns.append(np.concatenate([x, x, x, few]))
            continue
        size = 10 ** np.concatenate([rng.uniform(low, high, n), rng.uniform(-2, high, n)])
        angle = rng.uniform(-np.pi, np.pi, 2 * n)
        beside = rng.integers(-1, 3, 2 * n) * np.pi / 2 + 10 ** rng.uniform(-12, 0, 2 * n)
        columns.append(
            np.concatenate(
                [x, size * np.exp(1j * np.where(rng.random(2 * n) < 0.5, angle, beside)), few]
            )
        )
    return _within(row, columns)


def _within(row: Any, columns: list[np.ndarray]) -> list[np.ndarray]:
    within = WITHIN.get(row.name)
    return columns if within is None else [x[within(*columns)] for x in columns]


def points(row: Any, n: int) -> list[np.ndarray]:
    """Points, one array an argument: the row's own, near and far, awkward, and found before."""
    rng = generator_of_the_draw(f"kernel {row.name}")
    own = reference.sample(row, reference.REAL, rng, n)
    each = _of_each(row)
    far = [_far(a, rng, *e, x) for a, x, e in zip(row.arrays, own, each, strict=True)]
    near = [
        _far(a, rng, -3, min(1.5, e[1]), x) for a, x, e in zip(row.arrays, own, each, strict=True)
    ]
    more = [MORE[row.name](rng, n)] if row.name in MORE else []
    columns = [
        np.concatenate(xs)
        for xs in zip(
            *(own, far, near, *more, reference.awkward(row, reference.REAL), *_found(row)),
            strict=True,
        )
    ]
    return _within(row, columns)


def _far(argument: Any, rng: np.random.Generator, low: float, high: float, own: Any) -> Any:
    if argument.kind is Kind.INT:
        return own
    size = 10 ** rng.uniform(low, high, own.size)
    if argument.name == "n":
        size[::2] = np.floor(size[::2])
    if np.all(own >= 0):
        return size
    return -size if np.all(own <= 0) else size * rng.choice([-1, 1], own.size)


# -- single precision ------------------------------------------------------------------------------

SINGLE: dict[str, tuple[float, float]] = {
    # Products of smaller numbers are subnormal, and of larger ones infinite.
    **dict.fromkeys(["gdtr", "gdtrc", "fdtr", "fdtrc", "pseudo_huber"], (1e-15, 1e15)),
    "elliprj": (1e-7, 1e7),
}
"""Sizes of arguments, where they are not 1e-30 and 1e30."""


def single_complex_points(row: Any, n: int) -> list[np.ndarray]:
    """Points in the plane in single precision, of sizes between 1e-15 and 1e15."""
    kinds = {"c": np.complex64, "f": np.float32, "i": np.int32}
    with np.errstate(over="ignore"):
        columns = [x.astype(kinds[x.dtype.kind]) for x in complex_points(row, n)]
    inside = np.logical_and.reduce(
        [
            (x.dtype.kind == "i") | (x == 0) | (np.abs(x) >= 1e-15) & (np.abs(x) <= 1e15)
            for x in columns
        ]
    )
    return [x[inside] for x in columns]


def single_points(row: Any, n: int) -> list[np.ndarray]:
    """The same points in single precision, and integers of 32 bits; half of them not so far out."""
    least, most = SINGLE.get(row.name, (1e-30, 1e30))
    columns = points(row, n)
    if len(columns) == 1 and columns[0].dtype.kind == "f":
        rng = generator_of_the_draw(f"single kernel {row.name}")
        low, high = _of_each(row)[0]
        high = min(high, 38.0)
        size = 10 ** np.concatenate([rng.uniform(max(low, -30), high, n), rng.uniform(-2, 2, n)])
        size = size[size < 10**high]
        own = columns[0]
        sign = 1 if np.all(own >= 0) else rng.choice([-1, 1], size.size)
        columns, most = [np.concatenate([own, sign * size])], np.inf
    with np.errstate(over="ignore"):
        columns = [x.astype(np.float32 if x.dtype.kind == "f" else np.int32) for x in columns]
    inside = np.logical_and.reduce(
        [
            (x.dtype.kind == "i") | (x == 0) | (np.abs(x) >= least) & (np.abs(x) <= most)
            for x in columns
        ]
    )
    return [x[inside] for x in columns]
