"""The classical orthogonal polynomials of any degree, with all their derivatives, for rules.

SciPy computes them by recurrence where the degree is an integer and the argument real, and by
hypergeometric functions, which cancel, everywhere else. Here it is always the recurrence in the
degree (DLMF 18.9.1), which holds for degrees that are not integers too: SciPy's values are only
taken of degrees below 2, where nothing cancels. Laguerre's functions of such degrees are those of
their differential equation. With `counts` there are no other degrees than integers, and what serves
others, which takes most of the time to compile, is left out.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci._core.double_precision import NativeFunction, native
from jaxsci._core.elementwise_rules import closed
from jaxsci.special._numerics.falling_factorial import falling
from jaxsci.special._numerics.integers import is_integer, is_of_integer_type
from jaxsci.special._numerics.recurrences import by_recurrence
from jaxsci.special._orthogonal.kernels import real_degree
from jaxsci.special._orthogonal.kernels.integer_degree import (
    GEGENBAUER_IN_ALPHA,
    GEGENBAUER_IN_DEGREE,
    JACOBI_IN_ALPHA,
    JACOBI_IN_BETA,
    JACOBI_IN_DEGREE,
    LAGUERRE_IN_ALPHA,
    LAGUERRE_IN_DEGREE,
    SHIFTED_JACOBI_IN_DEGREE,
    SHIFTED_JACOBI_IN_P,
    SHIFTED_JACOBI_IN_Q,
)
from jaxsci.special._orthogonal.kernels.lowered_degree import of_lowered_degree
from jaxsci.special._orthogonal.kernels.three_terms import (
    Step,
    by_three_terms,
    gegenbauer_step,
    jacobi_step,
    polynomial,
    shifted_jacobi_step,
)

_MOST_STEPS = 1e5
"""Degrees above are left to SciPy: no program should take for ever."""


def _by_recurrence(
    n: Any, base: Callable[[Any], Any] | None, first: jax.Array, step: Step, shape: Any
) -> jax.Array:
    """The function of degree n, from those of degrees between 0 and 2.

    Args:
        n: the degree, real.
        base: the function by SciPy, of a degree, complex; None where all are integers.
        first: the polynomial of degree 1.
        step: ``step(k, f_k, f_{k-1})`` is f_{k+1}.
        shape: the result's shape and dtype.

    Returns:
        The function's values. Those of negative integer degrees are zero.
    """
    n, first = jnp.broadcast_to(n, shape.shape), jnp.broadcast_to(first, shape.shape)
    first = first.astype(shape.dtype)
    if base is None:
        few = n <= _MOST_STEPS
        return jnp.where(few, polynomial(jnp.where(few, n, 0.0), first, step), jnp.nan)
    steps = jnp.where((n >= 1) & (n <= _MOST_STEPS), jnp.floor(n), 0.0)
    start = n - steps
    integer = start == 0
    countable = integer | is_integer(n) & (n < 0)
    # Of degree 1/2 instead: any that SciPy has a value of.
    degrees = (
        jnp.where(countable, 0.5, start),
        jnp.where(countable | (steps == 0), 0.5, start) + 1,
    )
    # In one call: the programs of SciPy's values are long where they are mended.
    both = base(jnp.stack(degrees))
    below, above = both if jnp.issubdtype(shape.dtype, jnp.complexfloating) else both.real
    f0 = jnp.where(countable, jnp.where(integer, 1.0, 0.0), below).astype(shape.dtype)
    f1 = jnp.where(countable, first, above).astype(shape.dtype)

    def upward(k: Any, f: Any, previous: jax.Array) -> jax.Array:
        # A degree of zero would divide by it, were it to go on.
        return step(jnp.where(k < steps, start + k, 1.0), f, previous)

    f = by_three_terms(steps, f1, f0, upward)
    return jnp.where(steps == 0, f0, f)


def _off_the_cut(x: jax.Array, end: float) -> jax.Array:
    """The argument as a complex number; NaN where a non-integer degree has no real value.

    SciPy's function of complex arguments is the more accurate one on the real line too.
    """
    if jnp.issubdtype(jnp.result_type(x), jnp.complexfloating):
        return x
    return jax.lax.complex(jnp.where(x < end, jnp.nan, x), jnp.zeros_like(x))


def _result(*arguments: jax.Array) -> jax.ShapeDtypeStruct:
    shape = jnp.broadcast_shapes(*(jnp.shape(x) for x in arguments))
    return jax.ShapeDtypeStruct(shape, jnp.result_type(*arguments))


def gegenbauer_by(eval_gegenbauer: Any) -> NativeFunction:
    """The function of real degree, from SciPy's of degrees below 2."""

    @native()
    def gegenbauer(n: Any, c: Any, x: Any, *, counts: bool = False) -> jax.Array:
        """Gegenbauer function C_n^(c)(x) of real degree, c > 0."""

        def base(m: Any) -> Any:
            return eval_gegenbauer(m, c, _off_the_cut(x, -1.0))

        return _by_recurrence(
            n,
            None if counts else base,
            2 * c * x,
            gegenbauer_step(c, x),
            _result(n, c, x),
        )

    gegenbauer.partials(
        n=GEGENBAUER_IN_DEGREE,
        c=GEGENBAUER_IN_ALPHA,
        x=closed(
            "DLMF 18.9.19",
            lambda y, n, c, x, **static: gegenbauer_slope(gegenbauer, n, c, x, **static),
        ),
    )
    return gegenbauer


def gegenbauer_slope(
    gegenbauer: NativeFunction, n: Any, c: Any, x: jax.Array, counts: bool = False
) -> jax.Array:
    """d/dx C_n^(c)(x)."""
    counts = counts or is_of_integer_type(n)
    return 2 * c * of_lowered_degree(lambda d: gegenbauer(d, c + 1, x, counts=counts), n, 1)


def jacobi_by(eval_jacobi: Any) -> NativeFunction:
    """The function of real degree, from SciPy's of degrees below 2."""

    @native()
    def jacobi(n: Any, a: Any, b: Any, x: Any, *, counts: bool = False) -> jax.Array:
        """Jacobi function P_n^(a,b)(x) of real degree."""

        def base(m: Any) -> Any:
            return eval_jacobi(m, a, b, _off_the_cut(x, -1.0))

        first = ((a - b) + (a + b + 2) * x) / 2
        return _by_recurrence(
            n,
            None if counts else base,
            first,
            jacobi_step(a, b, x),
            _result(n, a, b, x),
        )

    jacobi.partials(
        n=JACOBI_IN_DEGREE,
        a=JACOBI_IN_ALPHA,
        b=JACOBI_IN_BETA,
        x=closed(
            "DLMF 18.9.15",
            lambda y, n, a, b, x, **static: jacobi_slope(jacobi, n, a, b, x, **static),
        ),
    )
    return jacobi


def jacobi_slope(
    jacobi: NativeFunction, n: Any, a: Any, b: Any, x: jax.Array, counts: bool = False
) -> jax.Array:
    """d/dx P_n^(a,b)(x)."""
    counts = counts or is_of_integer_type(n)
    lower = of_lowered_degree(lambda d: jacobi(d, a + 1, b + 1, x, counts=counts), n, 1)
    return (n + a + b + 1) / 2 * lower


def shifted_jacobi_by(eval_sh_jacobi: Any) -> NativeFunction:
    """The function of real degree, from SciPy's of degrees below 2."""

    @native()
    def shifted_jacobi(n: Any, p: Any, q: Any, x: Any, *, m: int = 0, counts: bool = False) -> Any:
        """The m-th derivative of the shifted Jacobi function G_n(p, q; x) of real degree in x.

        The function is monic where it is a polynomial.
        """
        p, q = p + 2 * m, q + m

        def base(degree: Any) -> Any:
            return eval_sh_jacobi(degree, p, q, _off_the_cut(x, 0.0))

        value = _by_recurrence(
            n - m,
            None if counts else base,
            x - q / (p + 1),
            shifted_jacobi_step(p, q, x),
            _result(n, p, q, x),
        )
        return falling(n, m) * value

    shifted_jacobi.partials(
        n=SHIFTED_JACOBI_IN_DEGREE,
        p=SHIFTED_JACOBI_IN_P,
        q=SHIFTED_JACOBI_IN_Q,
        x=closed(
            "DLMF 18.9.15", lambda y, *at, m, counts: shifted_jacobi(*at, m=m + 1, counts=counts)
        ),
    )
    return shifted_jacobi


def laguerre_polynomial(n: Any, a: jax.Array, x: jax.Array, result: Any) -> jax.Array:
    """By differences of successive L_k/L_k(0), which keep their digits near x = 0."""

    def step(
        k: Any, ratio: jax.Array, difference: jax.Array, at_zero: jax.Array
    ) -> tuple[Any, Any, Any]:
        following = (k * difference - x * ratio) / (k + a + 1)
        return ratio + following, following, at_zero * (k + a + 1) / (k + 1)

    one, zero = jnp.ones(result.shape, result.dtype), jnp.zeros(result.shape, result.dtype)
    steps = jnp.where(n <= _MOST_STEPS, n, 0.0)
    ratio, _, at_zero = by_recurrence(steps, step, (one, zero, jnp.ones(result.shape)))
    known = at_zero * ratio
    return jnp.where(n < 0, 0.0, jnp.where(n <= _MOST_STEPS, known, jnp.nan))


@native()
def laguerre(n: Any, a: jax.Array, x: jax.Array, *, counts: bool = False) -> Any:
    """Laguerre function L_n^(a)(x) of real degree."""
    result = _result(n, a, x)
    n, a, x = (jnp.broadcast_to(t, result.shape) for t in (n, a, x))
    integer = is_integer(n)

    polynomial = laguerre_polynomial(jnp.where(integer, n, 0.0), a, x, result)
    if counts:
        return polynomial

    def function() -> jax.Array:
        known = ~integer & (jnp.abs(x) <= real_degree.LARGEST_ARGUMENT)
        known = known & (n <= real_degree.LARGEST_DEGREE) & (n > real_degree.LEAST_DEGREE)
        at = jnp.where(known, n, 0.5), jnp.where(known, a, 0.0), jnp.where(known, x, 0.0)
        value = jnp.where(known, real_degree.laguerre(*at), jnp.nan)
        return jnp.where(integer, polynomial, value)

    return jax.lax.cond(jnp.all(integer), lambda: polynomial, function)


laguerre.partials(
    n=LAGUERRE_IN_DEGREE,
    a=LAGUERRE_IN_ALPHA,
    x=closed("DLMF 18.9.23", lambda y, n, a, x, counts: laguerre_slope(n, a, x, counts)),
)


def laguerre_slope(n: Any, a: Any, x: jax.Array, counts: bool = False) -> jax.Array:
    """d/dx L_n^(a)(x)."""
    counts = counts or is_of_integer_type(n)
    return -of_lowered_degree(lambda d: laguerre(d, a + 1, x, counts=counts), n, 1)
