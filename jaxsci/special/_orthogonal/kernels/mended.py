"""Values of polynomials, and functions of real degree, where SciPy's hypergeometric sums cancel.

SciPy sums hypergeometric series for degrees of a floating type, and for complex arguments. Here
integer degrees take the recurrence (DLMF 18.9.1), others the differential equation
(`real_degree.py`), and Chebyshev's are cosines.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci.special._catalog.decorators import Repair
from jaxsci.special._catalog.mending import by_own
from jaxsci.special._numerics.few import formula_of_few
from jaxsci.special._numerics.hypergeometric_series import gauss_in_double
from jaxsci.special._numerics.integers import distance_to_integer, is_integer
from jaxsci.special._orthogonal.kernels import real_degree
from jaxsci.special._orthogonal.kernels.chebyshev_value import chebyshev_value
from jaxsci.special._orthogonal.kernels.interval import ends
from jaxsci.special._orthogonal.kernels.three_terms import (
    MOST_STEPS,
    gegenbauer_step,
    jacobi_step,
    laguerre_polynomial,
    shifted_jacobi_step,
)
from jaxsci.special._orthogonal.kernels.three_terms import polynomial as by_steps

_REAL_FROM, _COMPLEX_FROM = 3.0, 6.0
_LAGUERRE_FROM = 10.0
_ALWAYS_FROM = 30.0
_EXPONENTS_FROM = 4.0
_CONFLUENT, _NEXT_TO_END = 1e-4, -0.79
_MOST_TERMS = 5000.0
_SUMMED, _ROUGH = 1e-11, 1e-6
_SAME, _ALIKE = 1e-13, 1e-8
"""How near SciPy's value is to one with which it agrees, and to one that is doubted, if both are
right."""
_POLYNOMIALS_FROM = 1e3
_MIDDLE = 1e-3
"""So near to the middle of the interval, where odd polynomials are 0, SciPy's 1 - x has lost x."""
_LEAST_PARAMETER = -20.0
_LARGEST_PARAMETER = 100.0
LARGEST_ARGUMENT = 1e10

Candidates = tuple[jax.Array, jax.Array, jax.Array]
"""A value, NaN where it is doubtful, and two that are doubted there."""


def _on_interval(x: jax.Array, half_width: float, shifted: bool) -> jax.Array:
    """The argument that runs from -1 to 1."""
    return 2 * x - 1 if shifted else x / half_width


# -- Chebyshev's -----------------------------------------------------------------------------------


def chebyshev(second: bool, half_width: float = 1.0, shifted: bool = False) -> Repair:
    """Of T, or U, of an argument that runs over an interval."""
    shift = 1 if second else 0

    def where(ys: Sequence[jax.Array], n: jax.Array, x: jax.Array) -> jax.Array:
        m = jnp.abs(n + shift)
        served = (m > _REAL_FROM) & (m <= MOST_STEPS) & (jnp.abs(x) <= LARGEST_ARGUMENT)
        at = _on_interval(x, half_width, shifted)
        if jnp.iscomplexobj(x):
            return served | (at == -1)
        # Real functions of other degrees end at -1.
        above = at > -1
        function = served & ((n < 0) & is_integer(n) | ~is_integer(n) & above)
        polynomial = is_integer(n) & _is_doubtful_polynomial(m - shift, at)
        return function | polynomial & (jnp.abs(x) <= LARGEST_ARGUMENT)

    def formula(ys: Sequence[jax.Array], n: jax.Array, x: jax.Array) -> jax.Array:
        return scale * chebyshev_value(n, x / half_width, second, shifted)

    scale = 2.0 if half_width != 1 and not second else 1.0
    degree = "|n + 1|" if second else "|n|"
    return Repair(
        f"3 < {degree} <= 1e5 and |x| <= 1e10, of degrees that are negative or not integers, and "
        "of complex x, which may be the lower end for any degree; and for integer degrees of a "
        f"floating type above {_POLYNOMIALS_FROM:g} or within {_MIDDLE:g} of the interval's middle",
        where,
        formula,
        of="all",
        unless_integer=0,
    )


# -- the others ------------------------------------------------------------------------------------


def _repair(words: str, where: Callable[..., Any], function: Callable[..., Any]) -> Repair:
    """Of a function of a degree, the first argument; computed where it is wanted alone."""
    formula = formula_of_few(where, lambda *xs: (function(*xs),))
    return Repair(words, where, formula, of="all", unless_integer=0, costly=True)


def _repair_by_vote(
    words: str,
    where: Callable[..., Any],
    polynomial: Callable[..., jax.Array],
    function: Callable[..., Candidates],
) -> Repair:
    """Of a function of a degree, the first argument, of which some values may be doubted.

    SciPy's stands where it is one with the value, or with a doubted one where there is no other.

    Args:
        words: the condition in words.
        where: the condition.
        polynomial: of integer degrees, which nothing makes doubtful.
        function: of others.
    """
    both = _by_degree(lambda *at: (polynomial(*at),) * 3, function)
    candidates = formula_of_few(where, both, results=3)

    def formula(ys: Sequence[jax.Array], *xs: jax.Array) -> tuple[jax.Array]:
        value, first, last = candidates(ys, *xs)
        return (by_vote(ys[0], (value, first, last)),)

    return Repair(words, where, formula, of="all", unless_integer=0, costly=True)


def by_vote(theirs: jax.Array, candidates: Candidates) -> jax.Array:
    """SciPy's value, or the first of the candidates."""
    value, *doubted = candidates
    kept = jnp.abs(theirs - value) <= _SAME * jnp.abs(value)
    for other in doubted:
        kept = kept | jnp.isnan(value) & (jnp.abs(theirs - other) <= _ALIKE * jnp.abs(other))
    return jnp.where(kept, theirs, value)


def _by_degree(
    polynomial: Callable[..., Any],
    function: Callable[..., Any],
) -> Callable[..., Any]:
    """The value by the degree, the first argument; what nobody needs is not computed.

    Args:
        polynomial: of the same arguments, where the degree is an integer.
        function: of the same arguments, where it is not. Both give an array, or as many.
    """

    def value(n: Any, *at: jax.Array) -> Any:
        *parameters, x = at
        integer = is_integer(n)

        def between() -> Any:
            harmless = jnp.where(integer, 0.5, n), *parameters, jnp.where(integer, 0.25, x)
            return function(*harmless)

        def at_integer() -> Any:
            return polynomial(jnp.where(integer, n, 0.0), *at)

        def nothing() -> Any:
            return jax.tree.map(lambda y: jnp.zeros_like(x), jax.eval_shape(between))

        first = jax.lax.cond(jnp.any(integer), at_integer, nothing)
        second = jax.lax.cond(jnp.any(~integer), between, nothing)
        return jax.tree.map(lambda y, z: jnp.where(integer, y, z), first, second)

    return value


def _doubtful(
    n: jax.Array, x: jax.Array, at: jax.Array, exponents: tuple[Any, Any] | None = None
) -> jax.Array:
    """Where SciPy's sums may cancel, at a point of the interval from -1 to 1.

    Args:
        n: degree.
        x: the argument.
        at: its place on the interval.
        exponents: a and b of the weight (1 - at)^a (1 + at)^b, where there are such.
    """
    a, b = (0.0, 0.0) if exponents is None else exponents
    largest = jnp.maximum(a, b)
    served = jnp.abs(x) <= LARGEST_ARGUMENT
    of_exponents = (n > real_degree.LEAST_DEGREE) & (largest > _EXPONENTS_FROM)
    if jnp.iscomplexobj(x):
        integer = is_integer(n) & (n <= MOST_STEPS)
        # Functions of other degrees end at -1.
        above = (at.real != -1) | (x.imag != 0)
        function = above & (n <= real_degree.LARGEST_DEGREE)
        # Next to -1, or far out, both solutions are one but for a factor.
        confluent = _is_next_to_integer(b) | _is_next_to_integer(2 * n + a + b)
        of_function = function & ~is_integer(n) & (of_exponents | confluent)
        return served & ((n > _COMPLEX_FROM) & (integer | function) | of_function)
    cancels = (n > _REAL_FROM) & (at < 0.5) | (n > _ALWAYS_FROM) | of_exponents
    if exponents is not None:
        # SciPy's sums of parameters, rounded, make of a whole exponent one that is nearly whole.
        cancels = cancels | (at < _NEXT_TO_END) & (distance_to_integer(b) < _CONFLUENT)
    function = cancels & (at > -1) & (n <= real_degree.LARGEST_DEGREE)
    return served & jnp.where(is_integer(n), _is_doubtful_polynomial(n, at), function)


def _is_next_to_integer(t: Any) -> jax.Array:
    apart = distance_to_integer(t)
    return (apart < _CONFLUENT) & (apart > 0)


def _is_doubtful_polynomial(n: jax.Array, at: jax.Array) -> jax.Array:
    """Of an integer degree of a floating type, at a real point."""
    return (n >= 1) & (n <= MOST_STEPS) & ((n > _POLYNOMIALS_FROM) | (jnp.abs(at) < _MIDDLE))


_WORDS = (
    "the degree is above {complex:g} and x is complex, or it is not an integer, above {real:g} and "
    "{at} is below 1/2, or above {always:g}, or x is complex and {confluent} next to an integer, "
    "or it is an integer of a floating type and above "
    f"{_POLYNOMIALS_FROM:g} or |{{at}}| < {_MIDDLE:g}{{exponents}} "
    "(up to 1e4, integers to 1e5, and |x| <= 1e10{limits})"
)


def _words(at: str, limits: str = "") -> str:
    exponents = (
        f", or it is above {real_degree.LEAST_DEGREE:g} and an exponent of the weight function "
        f"above {_EXPONENTS_FROM:g}, or it is not an integer, {at} < {_NEXT_TO_END:g} and the "
        "exponent of 1 + x next to an integer"
    )
    return _WORDS.format(
        complex=_COMPLEX_FROM,
        real=_REAL_FROM,
        always=_ALWAYS_FROM,
        at=at,
        limits=limits,
        exponents=exponents if limits else "",
        confluent="the exponent of 1 + x, or both plus 2n, is" if limits else "2n is",
    )


def legendre(shifted: bool = False) -> Repair:
    """Of P_n."""

    def where(ys: Sequence[jax.Array], n: jax.Array, x: jax.Array) -> jax.Array:
        return _doubtful(mirrored(n), x, _on_interval(x, 1.0, shifted))

    def mirrored(n: Any) -> jax.Array:
        """P_n is P_(-n-1)."""
        return jnp.where(n < -0.5, -n - 1, n)

    def polynomial(n: Any, x: jax.Array) -> jax.Array:
        at = _on_interval(x, 1.0, shifted)
        return by_steps(n, at, gegenbauer_step(0.5, at))

    value = _by_degree(polynomial, lambda n, x: real_degree.legendre(n, *ends(x, shifted)))
    words = _words("2x - 1" if shifted else "x")
    return _repair(words, where, lambda n, x: value(mirrored(n), x))


def gegenbauer() -> Repair:
    """Of C_n^(c)."""

    def where(ys: Sequence[jax.Array], n: Any, c: jax.Array, x: jax.Array) -> Any:
        served = gegenbauer_is_served(c)
        function = ~is_integer(n) & (n <= real_degree.LARGEST_DEGREE) & (n >= 0)
        if not jnp.iscomplexobj(x):
            function = function & (x > -1)
        polynomial = is_integer(n) & (n <= MOST_STEPS) & (n >= 0)
        overflows = (n + 2 * c > 170) & (jnp.abs(x) <= LARGEST_ARGUMENT) & (polynomial | function)
        return served & (_doubtful(n, x, x.real, (c - 0.5, c - 0.5)) | overflows)

    return _repair_by_vote(
        _words("x", ", and -1/2 < alpha <= 100, not 0") + ", and where n + 2 alpha > 170",
        where,
        lambda n, c, x: by_steps(n, 2 * c * x, gegenbauer_step(c, x)),
        gegenbauer_between,
    )


def jacobi() -> Repair:
    """Of P_n^(a, b)."""

    def where(
        ys: Sequence[jax.Array], n: jax.Array, a: jax.Array, b: jax.Array, x: jax.Array
    ) -> jax.Array:
        return jacobi_is_served(a, b) & _doubtful(n, x, x.real, (a, b))

    def polynomial(n: Any, a: jax.Array, b: jax.Array, x: jax.Array) -> jax.Array:
        return by_steps(n, ((a - b) + (a + b + 2) * x) / 2, jacobi_step(a, b, x))

    return _repair_by_vote(
        _words("x", ", and both parameters above -1 and up to 100"),
        where,
        polynomial,
        jacobi_between,
    )


def shifted_jacobi() -> Repair:
    """Of G_n(p, q)."""

    def where(ys: Sequence[jax.Array], n: jax.Array, p: Any, q: jax.Array, x: jax.Array) -> Any:
        at = 2 * x.real - 1
        return shifted_jacobi_is_served(p, q) & _doubtful(n, x, at, (p - q, q - 1))

    def polynomial(n: Any, p: jax.Array, q: jax.Array, x: jax.Array) -> jax.Array:
        return by_steps(n, x - q / (p + 1), shifted_jacobi_step(p, q, x))

    return _repair_by_vote(
        _words("2x - 1", ", and 0 < q <= 100, -20 < p - q <= 100 and not -1, -2, ..."),
        where,
        polynomial,
        shifted_jacobi_between,
    )


def _by_sum(
    n: jax.Array,
    b: jax.Array,
    c: jax.Array,
    low: jax.Array,
    front: Any,
    by_equation: Callable[[Any], jax.Array],
    resolved: float = 0.0,
) -> Candidates:
    """Front times F(-n, b; c; low), where an exponent is large and the power series cancels little.

    There the differential equation has lost digits, as F falls off before it grows. It is solved
    twice, by steps of different lengths: where that makes a difference, nothing is known.

    Args:
        n: degree.
        b: parameter.
        c: parameter.
        low: argument.
        front: factor.
        by_equation: the product by the differential equation, of what its steps are multiplied by.
        resolved: a difference of two solutions that does not matter, over the front: of functions
            that are not small on the interval but next to their zeros.
    """
    wanted = jnp.maximum(c - 1, b + n - c) > _EXPONENTS_FROM
    solutions = by_equation(real_degree.paces(low))
    agree = real_degree.agree(solutions)
    if resolved:
        apart = jnp.abs(solutions[0] - solutions[-1])
        agree = agree | (apart <= resolved * jnp.abs(front)) & (jnp.abs(low) <= 1)
    # Next to a zero of the function two solutions differ by more than they do of its size.
    large = jnp.maximum(c - 1, b - n - c) > _EXPONENTS_FROM
    other = jnp.where(agree | ~large, solutions[0], jnp.nan)
    n, b, c, low = (jnp.where(wanted, t, 0.5) for t in (n, b, c, low))
    value, error = gauss_in_double(-n, b, c, low, _MOST_TERMS)
    value = front * value
    apart = ~(jnp.abs(value - other) <= 10 * error * jnp.abs(value))
    better = (error < _SUMMED) | (error < _ROUGH) & apart
    value = jnp.where(wanted & better & jnp.isfinite(value), value, other)
    return value, solutions[0], solutions[-1]


def jacobi_between(
    n: jax.Array, a: jax.Array, b: jax.Array, x: jax.Array, resolved: float = 0.0
) -> Candidates:
    """Of a degree that is no integer; `resolved` as in `_by_sum`."""
    low, high = ends(x)
    front = real_degree.binomial(n, a)
    other = functools.partial(real_degree.jacobi, n, a, b, low, high)
    return _by_sum(n, n + a + b + 1, a + 1, low, front, other, resolved)


def gegenbauer_between(
    n: jax.Array, c: jax.Array, x: jax.Array, resolved: float = 0.0
) -> Candidates:
    """Of a degree that is no integer; `resolved` as in `_by_sum`."""
    low, high = ends(x)
    front = real_degree.gegenbauer_factor(n, c)
    other = functools.partial(real_degree.gegenbauer, n, c, low, high)
    return _by_sum(n, n + 2 * c, c + 0.5, low, front, other, resolved)


def shifted_jacobi_between(
    n: jax.Array, p: jax.Array, q: jax.Array, x: jax.Array, resolved: float = 0.0
) -> Candidates:
    """Of a degree that is no integer; `resolved` as in `_by_sum`."""
    low, high = ends(x, shifted=True)
    front = real_degree.shifted_factor(n, p, q)
    other = functools.partial(real_degree.shifted_jacobi, n, p, q, low, high)
    return _by_sum(n, n + p, p - q + 1, low, front, other, resolved)


def gegenbauer_is_served(c: jax.Array) -> jax.Array:
    """Whether there are values for the parameter."""
    return (jnp.abs(c) <= _LARGEST_PARAMETER) & (c > -0.5) & (c != 0)


def jacobi_is_served(a: jax.Array, b: jax.Array) -> jax.Array:
    """Whether there are values for the parameters."""
    return (jnp.minimum(a, b) > -1) & (jnp.maximum(a, b) <= _LARGEST_PARAMETER)


def shifted_jacobi_is_served(p: jax.Array, q: jax.Array) -> jax.Array:
    """Whether there are values for the parameters."""
    a = p - q
    served = (a > -1) | (a > _LEAST_PARAMETER) & (a != jnp.floor(a))
    return served & (q > 0) & (jnp.maximum(a, q) <= _LARGEST_PARAMETER)


# -- Laguerre's ------------------------------------------------------------------------------------


def _laguerre_is_doubtful(n: Any, a: jax.Array, x: jax.Array) -> Any:
    size = jnp.abs(x)
    integer = is_integer(n) & (n <= MOST_STEPS)
    function = (n <= real_degree.LARGEST_DEGREE) & (size <= real_degree.LARGEST_ARGUMENT)
    between = ~is_integer(n) & (n > real_degree.LEAST_DEGREE) & (size > _LAGUERRE_FROM)
    doubtful = (n > _COMPLEX_FROM) & (integer | function) | between & function
    return doubtful & (a > -1) & (a <= _LARGEST_PARAMETER) & (size <= LARGEST_ARGUMENT)


_laguerre = _by_degree(
    lambda n, a, x: laguerre_polynomial(n, a, x, x),
    real_degree.laguerre,
)


def laguerre(arranged: Callable[..., tuple[Any, Any, Any]], name: str, n: int) -> Repair:
    """Of L_n^(a).

    Args:
        arranged: degree, parameter and argument, from the arguments.
        name: the parameter's; empty where there is none.
        n: the degree's place.
    """
    limits = f", and -1 < {name} <= 100" if name else ""
    return by_own(
        f"the degree is above {_COMPLEX_FROM:g}, of a floating type or x complex (up to 1e5 and "
        f"|x| <= 1e10; between integer degrees 1e4 and 1e3{limits}), or it is between integers "
        f"above {real_degree.LEAST_DEGREE:g} and |x| > {_LAGUERRE_FROM:g}",
        lambda *xs: _laguerre_is_doubtful(*arranged(*xs)),
        lambda *xs: _laguerre(*arranged(*xs)),
        within=_SAME,
        few=True,
        of="all",
        unless_integer=n,
    )
