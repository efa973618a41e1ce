"""Values of polynomials, and functions of real degree, where SciPy's hypergeometric sums cancel.

SciPy sums hypergeometric series for degrees of a floating type, and for complex arguments. Here
integer degrees take the recurrence (DLMF 18.9.1), others the differential equation
(`real_degree.py`), and Chebyshev's are cosines.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci.special._catalog.decorators import Repair
from jaxsci.special._numerics.few import formula_of_few
from jaxsci.special._numerics.integers import is_integer
from jaxsci.special._orthogonal.kernels import real_degree, towers
from jaxsci.special._orthogonal.kernels.chebyshev_value import chebyshev_value
from jaxsci.special._orthogonal.kernels.interval import ends
from jaxsci.special._orthogonal.kernels.three_terms import (
    Step,
    by_three_terms,
    gegenbauer_step,
    jacobi_step,
    shifted_jacobi_step,
)

_REAL_FROM, _COMPLEX_FROM = 3.0, 6.0
_ALWAYS_FROM = 30.0
_POLYNOMIALS_FROM = 1e3
_MIDDLE = 1e-3
"""So near to the middle of the interval, where odd polynomials are 0, SciPy's 1 - x has lost x."""
_MOST_STEPS = 1e5
_LEAST_PARAMETER = -20.0
_LARGEST_PARAMETER = 100.0
_LARGEST_ARGUMENT = 1e10


def _on_interval(x: jax.Array, half_width: float, shifted: bool) -> jax.Array:
    """The argument that runs from -1 to 1."""
    return 2 * x - 1 if shifted else x / half_width


# -- Chebyshev's -----------------------------------------------------------------------------------


def chebyshev(second: bool, half_width: float = 1.0, shifted: bool = False) -> Repair:
    """Of T, or U, of an argument that runs over an interval."""
    shift = 1 if second else 0

    def where(ys: Sequence[jax.Array], n: jax.Array, x: jax.Array) -> jax.Array:
        m = jnp.abs(n + shift)
        served = (m > _REAL_FROM) & (m <= _MOST_STEPS) & (jnp.abs(x) <= _LARGEST_ARGUMENT)
        at = _on_interval(x, half_width, shifted)
        if jnp.iscomplexobj(x):
            return served | (at == -1)
        # Real functions of other degrees end at -1.
        above = at > -1
        function = served & ((n < 0) & is_integer(n) | ~is_integer(n) & above)
        polynomial = is_integer(n) & _is_doubtful_polynomial(m - shift, at)
        return function | polynomial & (jnp.abs(x) <= _LARGEST_ARGUMENT)

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


def _repair(
    words: str, where: Callable[..., Any], function: Callable[..., Any], n: int = 0
) -> Repair:
    """Of a function of a degree, which is the n-th argument; computed where it is wanted alone."""
    formula = formula_of_few(where, lambda *xs: (function(*xs),))
    return Repair(words, where, formula, of="all", unless_integer=n, costly=True)


def _by_degree(
    polynomial: Callable[..., Any],
    function: Callable[..., Any],
) -> Callable[..., Any]:
    """The value by the degree, the first argument; what nobody needs is not computed.

    Args:
        polynomial: of the same arguments, where the degree is an integer.
        function: of the same arguments, where it is not.
    """

    def value(n: Any, *at: jax.Array) -> jax.Array:
        *parameters, x = at
        integer = is_integer(n)

        def between() -> Any:
            harmless = jnp.where(integer, 0.5, n), *parameters, jnp.where(integer, 0.25, x)
            return function(*harmless)

        zero = jnp.zeros_like(x)
        first = jax.lax.cond(
            jnp.any(integer), lambda: polynomial(jnp.where(integer, n, 0.0), *at), lambda: zero
        )
        second = jax.lax.cond(jnp.any(~integer), between, lambda: zero)
        return jnp.where(integer, first, second)

    return value


def _by_steps(n: Any, first: jax.Array, step: Step) -> jax.Array:
    """A polynomial of integer degree from those of degrees 0 and 1."""
    return by_three_terms(n, first, jnp.ones_like(first), step)


def _doubtful(n: jax.Array, x: jax.Array, at: jax.Array) -> jax.Array:
    """Where SciPy's sums may cancel, at a point of the interval from -1 to 1."""
    served = jnp.abs(x) <= _LARGEST_ARGUMENT
    if jnp.iscomplexobj(x):
        integer = is_integer(n) & (n <= _MOST_STEPS)
        # Functions of other degrees end at -1.
        above = (at.real != -1) | (x.imag != 0)
        function = above & (n <= real_degree.LARGEST_DEGREE)
        return served & (n > _COMPLEX_FROM) & (integer | function)
    cancels = (n > _REAL_FROM) & (at < 0.5) | (n > _ALWAYS_FROM)
    function = cancels & (at > -1) & (n <= real_degree.LARGEST_DEGREE)
    return served & jnp.where(is_integer(n), _is_doubtful_polynomial(n, at), function)


def _is_doubtful_polynomial(n: jax.Array, at: jax.Array) -> jax.Array:
    """Of an integer degree of a floating type, at a real point."""
    return (n >= 1) & (n <= _MOST_STEPS) & ((n > _POLYNOMIALS_FROM) | (jnp.abs(at) < _MIDDLE))


_WORDS = (
    "the degree is above {complex:g} and x is complex, or it is not an integer, above {real:g} and "
    "{at} is below 1/2, or above {always:g}, or it is an integer of a floating type and above "
    f"{_POLYNOMIALS_FROM:g} or |{{at}}| < {_MIDDLE:g} "
    "(up to 1e4, integers to 1e5, and |x| <= 1e10{limits})"
)


def _words(at: str, limits: str = "") -> str:
    return _WORDS.format(
        complex=_COMPLEX_FROM, real=_REAL_FROM, always=_ALWAYS_FROM, at=at, limits=limits
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
        return _by_steps(n, at, gegenbauer_step(0.5, at))

    value = _by_degree(polynomial, lambda n, x: real_degree.legendre(n, *ends(x, shifted)))
    words = _words("2x - 1" if shifted else "x")
    return _repair(words, where, lambda n, x: value(mirrored(n), x))


def gegenbauer() -> Repair:
    """Of C_n^(c)."""

    def where(ys: Sequence[jax.Array], n: Any, c: jax.Array, x: jax.Array) -> Any:
        served = (jnp.abs(c) <= _LARGEST_PARAMETER) & (c > -0.5) & (c != 0)
        function = ~is_integer(n) & (n <= real_degree.LARGEST_DEGREE) & (n >= 0)
        if not jnp.iscomplexobj(x):
            function = function & (x > -1)
        polynomial = is_integer(n) & (n <= _MOST_STEPS) & (n >= 0)
        overflows = (n + 2 * c > 170) & (jnp.abs(x) <= _LARGEST_ARGUMENT) & (polynomial | function)
        return served & (_doubtful(n, x, x.real) | overflows)

    return _repair(
        _words("x", ", and -1/2 < alpha <= 100, not 0") + ", and where n + 2 alpha > 170",
        where,
        _by_degree(
            lambda n, c, x: _by_steps(n, 2 * c * x, gegenbauer_step(c, x)),
            lambda n, c, x: real_degree.gegenbauer(n, c, *ends(x)),
        ),
    )


def jacobi() -> Repair:
    """Of P_n^(a, b)."""

    def where(
        ys: Sequence[jax.Array], n: jax.Array, a: jax.Array, b: jax.Array, x: jax.Array
    ) -> jax.Array:
        least, most = jnp.minimum(a, b), jnp.maximum(a, b)
        return (least > -1) & (most <= _LARGEST_PARAMETER) & _doubtful(n, x, x.real)

    def polynomial(n: Any, a: jax.Array, b: jax.Array, x: jax.Array) -> jax.Array:
        return _by_steps(n, ((a - b) + (a + b + 2) * x) / 2, jacobi_step(a, b, x))

    return _repair(
        _words("x", ", and both parameters above -1 and up to 100"),
        where,
        _by_degree(polynomial, lambda n, a, b, x: real_degree.jacobi(n, a, b, *ends(x))),
    )


def shifted_jacobi() -> Repair:
    """Of G_n(p, q)."""

    def where(ys: Sequence[jax.Array], n: jax.Array, p: Any, q: jax.Array, x: jax.Array) -> Any:
        a = p - q
        served = (a > -1) | (a > _LEAST_PARAMETER) & (a != jnp.floor(a))
        served = served & (q > 0) & (p <= _LARGEST_PARAMETER)
        return served & _doubtful(n, x, 2 * x.real - 1)

    def polynomial(n: Any, p: jax.Array, q: jax.Array, x: jax.Array) -> jax.Array:
        return _by_steps(n, x - q / (p + 1), shifted_jacobi_step(p, q, x))

    def function(n: jax.Array, p: Any, q: jax.Array, x: jax.Array) -> jax.Array:
        return real_degree.shifted_jacobi(n, p, q, *ends(x, shifted=True))

    return _repair(
        _words("2x - 1", ", and q > 0, p <= 100, p - q > -20 and not -1, -2, ..."),
        where,
        _by_degree(polynomial, function),
    )


# -- Laguerre's ------------------------------------------------------------------------------------


def _laguerre_is_doubtful(n: Any, a: jax.Array, x: jax.Array) -> Any:
    served = (a > -1) & (a <= _LARGEST_PARAMETER) & (n > _COMPLEX_FROM)
    integer = is_integer(n) & (n <= _MOST_STEPS)
    function = (n <= real_degree.LARGEST_DEGREE) & (jnp.abs(x) <= real_degree.LARGEST_ARGUMENT)
    return served & (jnp.abs(x) <= _LARGEST_ARGUMENT) & (integer | function)


_laguerre = _by_degree(
    lambda n, a, x: towers.laguerre_polynomial(n, a, x, x),
    real_degree.laguerre,
)


def laguerre(arranged: Callable[..., tuple[Any, Any, Any]], name: str, n: int) -> Repair:
    """Of L_n^(a).

    Args:
        arranged: degree, parameter and argument, from the arguments.
        name: the parameter's; empty where there is none.
        n: the degree's place.
    """

    def where(ys: Sequence[jax.Array], *xs: Any) -> Any:
        return _laguerre_is_doubtful(*arranged(*xs))

    limits = f", and -1 < {name} <= 100" if name else ""
    return _repair(
        f"the degree is above {_COMPLEX_FROM:g}, of a floating type or x complex (up to 1e5 and "
        f"|x| <= 1e10; between integer degrees 1e4 and 1e3{limits})",
        where,
        lambda *xs: _laguerre(*arranged(*xs)),
        n,
    )
