"""What kernels of several arguments are compared with, where the rows' expressions take too long.

Series of positive terms and continued fractions in mpmath. What is 1 less something else has the
digits more that this takes away.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mpmath
import scipy.special
from mpmath import mp

_GUARD = 15
_DIGITS_OF_SMALLEST = 330


def gamma_tails(a: Any, x: Any) -> tuple[Any, Any]:
    """P(a, x) and Q(a, x) of positive numbers (DLMF 8.7.1, 8.9.2)."""
    # In 20 digits and a few terms: how small the smaller one is.
    digits = mp.dps + _GUARD
    if x > mpmath.mpf(max(a, 20)):
        with mp.workdps(digits):
            q = _front(a, x) * _fraction(a, x)
        with mp.workdps(digits):
            return 1 - q, +q
    small = a < 1e-3 or x < 1e-3
    with mp.workdps(digits + (_DIGITS_OF_SMALLEST if small else 60)):
        term = total = mpmath.mpf(1)
        k = 0
        while term > total * mp.eps:
            k += 1
            term *= x / (a + k)
            total += term
        p = _front(a, x) * total
        q = 1 - p
    with mp.workdps(digits):
        return +p, +q


def _front(a: Any, x: Any) -> Any:
    """x^a exp(-x)/Gamma(a+1)."""
    with mp.extradps(_GUARD + max(0, int(mpmath.log10(a + x)))):
        return mpmath.exp(a * mpmath.log(x) - x - mpmath.loggamma(a + 1))


def _fraction(a: Any, x: Any) -> Any:
    """Q over that, for x above a and 20."""

    def levels(n: int) -> Any:
        value = mpmath.mpf(0)
        for k in range(n, 0, -1):
            value = k * (a - k) / (x + 2 * k + 1 - a + value)
        return a / (x + 1 - a + value)

    n, value = 40, levels(20)
    while True:
        before, value = value, levels(n)
        if abs(value - before) < mpmath.mpf(10) ** -25 * value:
            return value
        n *= 2


def beta_tails(a: Any, b: Any, x: Any) -> tuple[Any, Any]:
    """I_x(a, b) and 1 less that, of positive numbers and 0 < x < 1 (DLMF 8.17.8)."""
    digits = mp.dps + _GUARD
    least = min(a, b, x, 1 - x)
    swapped = x > mpmath.mpf(0.05) and (x > 0.95 or x * (a + b) > a)
    with mp.workdps(digits + (_DIGITS_OF_SMALLEST if least < 1e-3 else 60)):
        rest = 1 - x  # with all its digits
        c, d, y, z = (b, a, rest, x) if swapped else (a, b, x, rest)
        log_beta = mpmath.loggamma(c) + mpmath.loggamma(d) - mpmath.loggamma(c + d)
        term = total = mpmath.mpf(1)
        k = 0
        while term > total * mp.eps:
            term *= y * (c + d + k) / (c + 1 + k)
            total += term
            k += 1
        tail = mpmath.exp(c * mpmath.log(y) + d * mpmath.log(z) - log_beta) / c * total
        rest = 1 - tail
    with mp.workdps(digits):
        return (+rest, +tail) if swapped else (+tail, +rest)


def f_tails(m: Any, n: Any, x: Any) -> tuple[Any, Any]:
    """Those of F's distribution, of m and n degrees of freedom (DLMF 8.17.1)."""
    with mp.extradps(_DIGITS_OF_SMALLEST):
        proportion = m * x / (n + m * x)  # all but 1 where n is tiny
    return beta_tails(m / 2, n / 2, proportion)


def gamma_quantile(a: Any, p: Any, upper: bool = False) -> Any:
    """The x with P(a, x) = p or Q(a, x) = p, by Newton's method from SciPy's."""
    first = scipy.special.gammainccinv if upper else scipy.special.gammaincinv
    with mp.workdps(mp.dps + _DIGITS_OF_SMALLEST if min(a, p) < 1e-3 else mp.dps):
        rest = 1 - p
        lower, other = (rest, p) if upper else (p, rest)
        # A small shape's lower tail is a power alone, where SciPy's value is 0.
        power = mpmath.exp((mpmath.log(lower) + mpmath.loggamma(a + 1)) / a)
    if power < 1e-290:
        return power
    x = mpmath.mpf(float(first(float(a), float(p)))) or power
    for _ in range(60):
        tails = gamma_tails(a, x)
        is_lower = lower < other
        tail, goal = (tails[0], lower) if is_lower else (tails[1], other)
        slope = a * _front(a, x) / tail
        step = mpmath.log(tail / goal) / (slope if is_lower else -slope)
        x *= mpmath.exp(-max(-1, min(1, step)))
        if abs(step) < mpmath.mpf(10) ** -30:
            return x
    raise ArithmeticError(f"no quantile for {a}, {p}")


def beta_odds(a: Any, b: Any, p: Any, q: Any) -> Any:
    """x/(1-x) where I_x(a, b) = p = 1 - q, by bisection and Newton's method in its logarithm."""
    is_lower = p < q

    def off(u: Any) -> tuple[Any, Any]:
        odds = mpmath.exp(u)
        with mp.workdps(mp.dps + _DIGITS_OF_SMALLEST):
            x = odds / (1 + odds)
        tail = beta_tails(a, b, x)[0 if is_lower else 1]
        density = a * mpmath.log(x) + b * mpmath.log(1 - x) - mpmath.log(mpmath.beta(a, b))
        return mpmath.log(tail / (p if is_lower else q)), mpmath.exp(density) / tail

    with mp.workdps(25):
        low, high = mpmath.mpf(-720), mpmath.mpf(720)
        while high - low > mpmath.mpf(0.1):
            middle = (low + high) / 2
            low, high = (low, middle) if (off(middle)[0] > 0) == is_lower else (middle, high)
    if low == -720 or high == 720:
        return mpmath.exp(2 * (low if low == -720 else high))  # beyond the numbers
    u = (low + high) / 2
    for _ in range(60):
        value, slope = off(u)
        step = value / (slope if is_lower else -slope)
        u -= max(-1, min(1, step))
        if abs(step) < mpmath.mpf(10) ** -28:
            return mpmath.exp(u)
    raise ArithmeticError(f"no quantile for {a}, {b}, {p}")


def beta_quantile(a: Any, b: Any, p: Any, upper: bool = False) -> Any:
    """The x with I_x(a, b) = p, or that of the complement."""
    with mp.workdps(mp.dps + _DIGITS_OF_SMALLEST):
        rest = 1 - p
    odds = beta_odds(a, b, rest, p) if upper else beta_odds(a, b, p, rest)
    return odds / (1 + odds)


def student_quantile(v: Any, p: Any) -> Any:
    """Student's t of v degrees of freedom, where its distribution function is p."""
    if p > 0.5:
        return -student_quantile(v, 1 - p)
    if p == 0.5:
        return mpmath.mpf(0)
    with mp.workdps(mp.dps + _DIGITS_OF_SMALLEST):
        rest = 1 - 2 * p
    half = mpmath.mpf(1) / 2
    # The leading term of a small quantile; its root is a number where that underflows.
    logarithm = mpmath.log(v * p * mpmath.beta(v / 2, half)) * 2 / v
    if logarithm < -600:
        return -mpmath.sqrt(v) * mpmath.exp(-logarithm / 2)
    return -mpmath.sqrt(v / beta_odds(v / 2, half, 2 * p, rest))


# -- shapes of distributions -----------------------------------------------------------------------


def _rest(p: Any) -> Any:
    """1 - p, with all its digits."""
    with mp.workdps(mp.dps + _DIGITS_OF_SMALLEST):
        return 1 - p


def shape(
    tails: Callable[[Any], tuple[Any, Any]], p: Any, q: Any, falls: bool, first: float
) -> Any:
    """The positive number at which the first tail is p and the other one q, by Ridders' method.

    Args:
        tails: of the number.
        p: what the first tail shall be.
        q: 1 less that.
        falls: whether the first tail does.
        first: where to look first: SciPy's value, if it has one.
    """
    place, goal = (0, p) if p < q else (1, q)
    sign = -1 if falls == (p < q) else 1

    def off(u: Any) -> Any:
        tail = tails(mpmath.exp(u))[place]
        # A tail of 0 is one that is less than the digits of the other one.
        return sign * mpmath.log(tail / goal) if tail > 0 else -sign * mpmath.mpf(10) ** 6

    with mp.workdps(20):
        start = mpmath.log(first) if 1e-300 < first < 1e300 else mpmath.mpf(0)
        low, high, step = start, start, mpmath.mpf(10) ** -6
        while off(low) > 0:
            low, step = low - step, 8 * step
        step = mpmath.mpf(10) ** -6
        while off(high) <= 0:
            high, step = high + step, 8 * step
        while high - low > mpmath.mpf(1) / 64:
            middle = (low + high) / 2
            low, high = (middle, high) if off(middle) < 0 else (low, middle)
    below, above, last = off(low), off(high), low
    for _ in range(30):
        middle = (low + high) / 2
        there = off(middle)
        u = middle - (middle - low) * there / mpmath.sqrt(there * there - below * above)
        here = off(u)
        if here == 0 or abs(u - last) < mpmath.mpf(10) ** -28 * max(1, abs(u)):
            return mpmath.exp(u)
        ends = sorted([(low, below), (middle, there), (u, here), (high, above)])
        low, below = max(end for end in ends if end[1] <= 0)
        high, above = min(end for end in ends if end[1] >= 0)
        last = u
    raise ArithmeticError(f"no shape for {p}")


def gamma_shape(p: Any, q: Any, x: Any) -> Any:
    """The a with P(a, x) = p = 1 - q."""
    first = scipy.special.gdtrib(1.0, float(p), float(x))
    return shape(lambda a: gamma_tails(a, x), p, q, falls=True, first=first)


def beta_shape(p: Any, b: Any, x: Any) -> Any:
    """The a with I_x(a, b) = p."""
    first = scipy.special.btdtria(float(p), float(b), float(x))
    return shape(lambda a: beta_tails(a, b, x), p, _rest(p), falls=True, first=first)


def second_beta_shape(a: Any, p: Any, x: Any) -> Any:
    """The b with I_x(a, b) = p."""
    first = scipy.special.btdtrib(float(a), float(p), float(x))
    return shape(lambda b: beta_tails(a, b, x), p, _rest(p), falls=False, first=first)


def successes(y: Any, n: Any, p: Any) -> Any:
    """The k at which the binomial distribution function is y, or 0; by k/(n - k)."""
    rest = _rest(p)
    if rest**n >= y:
        return mpmath.mpf(0)
    first = scipy.special.bdtrik(float(y), float(n), float(p))

    def tails(odds: Any) -> tuple[Any, Any]:
        return beta_tails(n / (1 + odds), n * odds / (1 + odds) + 1, rest)

    odds = shape(tails, y, _rest(y), falls=False, first=first / max(float(n) - first, 1e-300))
    return n * odds / (1 + odds)


def student_degrees(p: Any, t: Any) -> Any:
    """The degrees of freedom at which Student's t distribution has the probability p below t."""
    tail, size = (_rest(p), t) if t > 0 else (p, -t)
    if t == 0 or not mpmath.ncdf(-size) < tail < 0.5 or not 0 <= p <= 1:
        return mpmath.nan

    def tails(v: Any) -> tuple[Any, Any]:
        with mp.extradps(_DIGITS_OF_SMALLEST):
            part = v / (v + size * size)
        return beta_tails(v / 2, mpmath.mpf(1) / 2, part)

    first = scipy.special.stdtridf(float(p), float(t))
    return shape(tails, 2 * tail, _rest(2 * tail), falls=True, first=first)


def f_degrees(m: Any, p: Any, x: Any) -> Any:
    """The second degrees of freedom at which the F distribution has the probability p below x."""
    if not (m > 0 and 0 < p < 1 and x > 0) or p >= gamma_tails(m / 2, m * x / 2)[0]:
        return mpmath.nan
    first = scipy.special.fdtridfd(float(m), float(p), float(x))
    return shape(lambda n: f_tails(m, n, x), p, _rest(p), falls=False, first=first)


# -- orthogonal polynomials ------------------------------------------------------------------------


def _is_whole(n: Any) -> bool:
    return n == mpmath.floor(n)


def gauss(n: Any, b: Any, c: Any, z: Any) -> Any:
    """F(-n, b; c; z): the sum of its terms where it ends, whose values mpmath may not find."""
    if not (n >= 0 and _is_whole(n)):
        return mpmath.hyp2f1(-n, b, c, z)
    return _ending_sum(n, lambda k: (b + k) / (c + k) * z)


def kummer(n: Any, b: Any, z: Any) -> Any:
    """M(-n, b, z), likewise."""
    if not (n >= 0 and _is_whole(n)):
        return mpmath.hyp1f1(-n, b, z)
    return _ending_sum(n, lambda k: z / (b + k))


def _ending_sum(n: Any, ratio: Callable[[int], Any]) -> Any:
    """Of terms with the ratios ratio(k) (k - n)/(k + 1), in as many digits as cancel."""
    digits = mp.dps
    spare = 20
    while True:
        with mp.workdps(digits + spare):
            term = total = largest = mpmath.mpf(1)
            for k in range(int(n)):
                term = term * ratio(k) * (k - n) / (k + 1)
                total += term
                largest = max(largest, abs(term))
            lost = mpmath.log10(largest / abs(total)) if total else mpmath.inf
        if lost < spare - 5 or spare > 5000:
            return +total
        spare = int(min(2 * lost + 20, 5001))


def _digits_of(x: Any) -> int:
    """How many more 1 - x needs for small x."""
    return _GUARD + (max(0, int(-mpmath.log10(abs(x)))) if x else 0)


def jacobi(n: Any, a: Any, b: Any, x: Any) -> Any:
    """P_n^(a,b)(x) (DLMF 18.5.7)."""
    with mp.extradps(_GUARD):
        return mpmath.binomial(n + a, n) * gauss(n, n + a + b + 1, a + 1, (1 - x) / 2)


def gegenbauer(n: Any, c: Any, x: Any) -> Any:
    """C_n^(c)(x) (DLMF 18.5.9)."""
    with mp.extradps(_GUARD):
        if c == 0:
            return mpmath.mpf(n == 0)
        return (
            mpmath.rf(2 * c, n)
            / mpmath.gamma(n + 1)
            * gauss(n, n + 2 * c, c + mpmath.mpf(0.5), (1 - x) / 2)
        )


def legendre(n: Any, x: Any) -> Any:
    """P_n(x), which is P_(-n-1)(x)."""
    n = -n - 1 if n < -0.5 else n
    with mp.extradps(_GUARD):
        return gauss(n, n + 1, 1, (1 - x) / 2)


def shifted_legendre(n: Any, x: Any) -> Any:
    """P_n(2x - 1)."""
    with mp.extradps(_digits_of(x)):
        return legendre(n, 2 * x - 1)


def shifted_jacobi(n: Any, p: Any, q: Any, x: Any) -> Any:
    """G_n(p, q; x) (DLMF 18.1.2)."""
    with mp.extradps(_digits_of(x)):
        factor = mpmath.gamma(n + 1) * mpmath.gamma(n + p) / mpmath.gamma(2 * n + p)
        return factor * jacobi(n, p - q, q - 1, 2 * x - 1)


def laguerre(n: Any, a: Any, x: Any) -> Any:
    """L_n^(a)(x) (DLMF 18.5.12)."""
    with mp.extradps(_GUARD):
        return mpmath.binomial(n + a, n) * kummer(n, a + 1, x)


def chebyshev(second: bool) -> Callable[..., Any]:
    """T_n(x) or U_n(x) (DLMF 18.5.1, 18.5.2)."""

    def value(n: Any, x: Any) -> Any:
        with mp.extradps(_DIGITS_OF_SMALLEST):
            # On the cut SciPy's values are those from below.
            angle = mpmath.conj(mpmath.acos(mpmath.conj(x)))
            if not second:
                return mpmath.cos(n * angle)
            if x == 1:
                return n + 1
            if x == -1:
                return (n + 1) * mpmath.cos(mpmath.pi * n) if _is_whole(n) else mpmath.inf
            return mpmath.sin((n + 1) * angle) / mpmath.sin(angle)

    return value


CHEBYSHEV_T, CHEBYSHEV_U = chebyshev(second=False), chebyshev(second=True)

POLYNOMIALS: dict[str, Callable[..., Any]] = {
    "eval_legendre": legendre,
    "eval_sh_legendre": shifted_legendre,
    "eval_chebyt": CHEBYSHEV_T,
    "eval_chebyu": CHEBYSHEV_U,
    "eval_chebyc": lambda n, x: 2 * CHEBYSHEV_T(n, x / 2),
    "eval_chebys": lambda n, x: CHEBYSHEV_U(n, x / 2),
    "eval_sh_chebyt": lambda n, x: CHEBYSHEV_T(n, 2 * x - 1),
    "eval_sh_chebyu": lambda n, x: CHEBYSHEV_U(n, 2 * x - 1),
    "eval_gegenbauer": gegenbauer,
    "eval_jacobi": jacobi,
    "eval_sh_jacobi": shifted_jacobi,
    "eval_laguerre": lambda n, x: laguerre(n, mpmath.mpf(0), x),
    "eval_genlaguerre": laguerre,
    "assoc_laguerre": lambda x, n, k: laguerre(n, k, x),
}
"""By row: of all numbers."""

TRUTHS: dict[str, Callable[..., Any]] = {
    "gammainc": lambda a, x: gamma_tails(a, x)[0],
    "gammaincc": lambda a, x: gamma_tails(a, x)[1],
    "gdtr": lambda a, b, x: gamma_tails(b, a * x)[0],
    "gdtrc": lambda a, b, x: gamma_tails(b, a * x)[1],
    "chdtr": lambda v, x: gamma_tails(v / 2, x / 2)[0],
    "chdtrc": lambda v, x: gamma_tails(v / 2, x / 2)[1],
    "pdtr": lambda k, m: gamma_tails(mpmath.mpf(k) + 1, m)[1],
    "pdtrc": lambda k, m: gamma_tails(mpmath.mpf(k) + 1, m)[0],
    "betainc": lambda a, b, x: beta_tails(a, b, x)[0],
    "betaincc": lambda a, b, x: beta_tails(a, b, x)[1],
    "fdtr": lambda m, n, x: f_tails(m, n, x)[0],
    "fdtrc": lambda m, n, x: f_tails(m, n, x)[1],
    "bdtr": lambda k, n, p: beta_tails(mpmath.mpf(k + 1), mpmath.mpf(n - k), p)[1] if k < n else 1,
    "bdtrc": lambda k, n, p: beta_tails(mpmath.mpf(k + 1), mpmath.mpf(n - k), p)[0] if k < n else 0,
    "nbdtr": lambda k, n, p: beta_tails(mpmath.mpf(n), mpmath.mpf(k + 1), p)[0],
    "nbdtrc": lambda k, n, p: beta_tails(mpmath.mpf(n), mpmath.mpf(k + 1), p)[1],
    "gammaincinv": gamma_quantile,
    "gammainccinv": lambda a, y: gamma_quantile(a, y, upper=True),
    "chdtri": lambda v, p: 2 * gamma_quantile(v / 2, p, upper=True),
    "gdtria": lambda p, b, x: gamma_quantile(b, p) / x,
    "gdtrix": lambda a, b, p: gamma_quantile(b, p) / a,
    "pdtri": lambda k, y: gamma_quantile(mpmath.mpf(k) + 1, y, upper=True),
    "betaincinv": beta_quantile,
    "betainccinv": lambda a, b, y: beta_quantile(a, b, y, upper=True),
    "bdtri": lambda k, n, y: beta_quantile(mpmath.mpf(k + 1), mpmath.mpf(n - k), y, upper=True),
    "fdtri": lambda m, n, p: n / m * beta_odds(m / 2, n / 2, p, 1 - p),
    "stdtrit": lambda v, p: student_quantile(v, p),
    "nbdtri": lambda k, n, y: beta_quantile(mpmath.mpf(n), mpmath.mpf(k + 1), y),
}
"""By row: of positive numbers, and of proportions below 1."""

SHAPES: dict[str, tuple[Callable[..., Any], tuple[int, ...]]] = {
    "chdtriv": (lambda p, x: 2 * gamma_shape(p, _rest(p), x / 2), (0,)),
    "gdtrib": (lambda a, p, x: gamma_shape(p, _rest(p), a * x), (1,)),
    "btdtria": (beta_shape, (0, 2)),
    "btdtrib": (second_beta_shape, (1, 2)),
    "bdtrik": (successes, (0, 2)),
    "bdtrin": (lambda k, y, p: k + beta_shape(y, k + 1, _rest(p)), (1, 2)),
    "nbdtrik": (lambda y, n, p: second_beta_shape(n, y, p) - 1 if p**n < y else 0, (0, 2)),
    "nbdtrin": (lambda k, y, p: beta_shape(y, k + 1, p), (1, 2)),
    "pdtrik": (
        lambda p, m: gamma_shape(_rest(p), p, m) - 1 if p > mpmath.exp(-m) else mpmath.mpf(0),
        (0,),
    ),
}
"""By row: of positive numbers, of which those at these places are below 1."""

PROPORTIONS = ("betainc", "betaincc", "bdtr", "bdtrc", "nbdtr", "nbdtrc")
PROPORTIONS += ("gammaincinv", "gammainccinv", "chdtri", "pdtri", "gdtrix")
PROPORTIONS += ("betaincinv", "betainccinv", "bdtri", "nbdtri", "fdtri", "stdtrit")

COUNTS = ("pdtr", "pdtrc", "pdtri")
"""By row: of a first argument that may be 0."""

NEIGHBOURS = ("jvp", "yvp", "ivp", "kvp", "h1vp", "h2vp")
"""Sums over neighbouring orders, in which a small one needs more digits."""


SPHERICAL: dict[str, tuple[Any, int]] = {
    "spherical_jn": (mpmath.besselj, -1),
    "spherical_yn": (mpmath.bessely, -1),
    "spherical_in": (mpmath.besseli, 1),
    "spherical_kn": (mpmath.besselk, -1),
}
"""The function, and the sign of the next order in its derivative (DLMF 10.51.2, 10.51.5)."""


def _kelvin(order: int, decaying: bool) -> Callable[[Any], Any]:
    """Ber + i bei or ker + i kei, or its derivative in x (DLMF 10.61.1, 10.61.2, 10.29.3)."""

    def function(x: Any) -> Any:
        with mp.extradps(_GUARD + abs(int(mpmath.log10(abs(x)))) * 2 if x else _GUARD):
            ray = mpmath.expjpi(mpmath.mpf(1) / 4)
            z = ray * x
            if decaying:
                return -ray * mpmath.besselk(1, z) if order else mpmath.besselk(0, z)
            return ray * mpmath.besseli(1, z) if order else mpmath.besseli(0, z)

    return function


_KELVIN = {"be": (0, False), "bep": (1, False), "ke": (0, True), "kep": (1, True)}
KELVIN: dict[str, Callable[[Any], Any]] = {
    name.replace("e", letter): lambda x, of=of, part=part: part(_kelvin(*of)(x))
    for name, of in _KELVIN.items()
    for letter, part in (("er", mpmath.re), ("ei", mpmath.im))
}
"""Numerical derivatives, of which mpmath's are, cross the pole at 0."""


def truth_of(row: Any, reference: Callable[..., Any], static: dict[str, Any]) -> Callable[..., Any]:
    """What a row's function is of, as `reference.Reference` gives it."""
    if row.name in NEIGHBOURS:
        return _of_small_orders(reference)
    if row.name in SPHERICAL:
        return _spherical(*SPHERICAL[row.name], static["derivative"])
    if row.name in POLYNOMIALS:
        polynomial = POLYNOMIALS[row.name]
        return lambda at: [[mpmath.mpmathify(polynomial(*at))]]
    if row.name == "factorial":
        return lambda at: [[mpmath.nan]] if _is_pole(at[0] + 1) else reference(at)
    if row.name in KELVIN:
        return lambda at: [[KELVIN[row.name](*at)]]
    if row.name == "kelvin":
        each = [_kelvin(*_KELVIN[name]) for name in ("be", "ke", "bep", "kep")]
        return lambda at: [[function(*at)] for function in each]
    if row.name == "stdtridf":
        return lambda at: [[student_degrees(*at)]]
    if row.name == "fdtridfd":
        return lambda at: [[f_degrees(*at)]]
    if row.name in SHAPES:
        return _of_shapes(*SHAPES[row.name], reference)
    known = TRUTHS.get(row.name)
    if known is None:
        return reference
    most = 1 if row.name in PROPORTIONS else mpmath.inf

    def truth(at: Any) -> Any:
        inside = all(x > 0 for x in at[-2:]) and at[-1] < most
        inside |= row.name in COUNTS and at[0] == 0 and 0 < at[-1] < most
        return [[mpmath.mpf(known(*at))]] if inside else reference(at)

    return truth


def _of_shapes(
    known: Callable[..., Any], proportions: tuple[int, ...], reference: Callable[..., Any]
) -> Callable[..., Any]:
    def truth(at: Any) -> Any:
        inside = all(x > 0 for x in at) and all(at[i] < 1 for i in proportions)
        return [[mpmath.mpf(known(*at))]] if inside else reference(at)

    return truth


def _is_pole(x: Any) -> bool:
    return x <= 0 and _is_whole(x)


def _of_small_orders(reference: Callable[..., Any]) -> Callable[..., Any]:
    def truth(at: Any) -> Any:
        more = max(0, -int(mpmath.log10(abs(at[0])))) if at[0] else 0
        with mp.extradps(more):
            return reference(at)

    return truth


def _spherical(bessel: Any, sign: int, derivative: bool) -> Callable[..., Any]:
    def function(n: int, z: Any) -> Any:
        return mpmath.sqrt(mpmath.pi / 2) / mpmath.sqrt(z) * bessel(n + mpmath.mpf(1) / 2, z)

    def truth(at: Any) -> Any:
        n, z = at
        with mp.extradps(_GUARD):
            if not derivative:
                return [[function(n, z)]]
            below = mpmath.mpf(n) / z * function(n, z) if n else mpmath.mpf(0)
            return [[below + sign * function(n + 1, z)]]

    return truth
