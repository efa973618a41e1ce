"""The classical orthogonal polynomials of any degree, with all their derivatives, for rules.

SciPy computes them by recurrence where the degree is an integer and the argument real, and by
hypergeometric functions, which cancel, everywhere else. Here it is always the recurrence in the
degree (DLMF 18.9.1), which holds for degrees that are not integers too: hypergeometric functions
are only needed of degrees below 2, where nothing cancels (`between_integers.py`). Laguerre's
functions of such degrees are those of their differential equation. With `counts` there are no other
degrees than integers, and what serves others, which takes most of the time to compile, is left out.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci._core.double_precision import native
from jaxsci._core.elementwise_rules import closed
from jaxsci.special._numerics.falling_factorial import falling
from jaxsci.special._numerics.integers import is_integer, is_of_integer_type
from jaxsci.special._orthogonal.kernels import between_integers, real_degree
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
    MOST_STEPS,
    Step,
    by_three_terms,
    gegenbauer_step,
    jacobi_step,
    laguerre_polynomial,
    polynomial,
    shifted_jacobi_step,
)


def _by_recurrence(
    n: Any, base: Callable[[Any], Any] | None, first: jax.Array, step: Step, shape: Any
) -> jax.Array:
    """The function of degree n, from those of degrees between 0 and 2.

    Args:
        n: the degree, real.
        base: the function of such a degree, no integer; None where all are integers.
        first: the polynomial of degree 1.
        step: ``step(k, f_k, f_{k-1})`` is f_{k+1}.
        shape: the result's shape and dtype.

    Returns:
        The function's values. Those of negative integer degrees are zero.
    """
    n, first = jnp.broadcast_to(n, shape.shape), jnp.broadcast_to(first, shape.shape)
    first = first.astype(shape.dtype)
    if base is None:
        few = n <= MOST_STEPS
        return jnp.where(few, polynomial(jnp.where(few, n, 0.0), first, step), jnp.nan)
    steps = jnp.where((n >= 1) & (n <= MOST_STEPS), jnp.floor(n), 0.0)
    start = n - steps
    integer = start == 0
    countable = integer | is_integer(n) & (n < 0)
    # Of degree 1/2 instead: any that has a value.
    degrees = (
        jnp.where(countable, 0.5, start),
        jnp.where(countable | (steps == 0), 0.5, start) + 1,
    )
    below, above = base(jnp.stack(degrees))  # in one call, for its program is long
    f0 = jnp.where(countable, jnp.where(integer, 1.0, 0.0), below).astype(shape.dtype)
    f1 = jnp.where(countable, first, above).astype(shape.dtype)

    def upward(k: Any, f: Any, previous: jax.Array) -> jax.Array:
        # A degree of zero would divide by it, were it to go on.
        return step(jnp.where(k < steps, start + k, 1.0), f, previous)

    f = by_three_terms(steps, f1, f0, upward)
    return jnp.where(steps == 0, f0, f)


def _result(*arguments: jax.Array) -> jax.ShapeDtypeStruct:
    shape = jnp.broadcast_shapes(*(jnp.shape(x) for x in arguments))
    return jax.ShapeDtypeStruct(shape, jnp.result_type(*arguments))


@native()
def gegenbauer(n: Any, c: Any, x: Any, *, counts: bool = False) -> jax.Array:
    """Gegenbauer function C_n^(c)(x) of real degree, c > 0."""
    return _by_recurrence(
        n,
        None if counts else lambda degree: between_integers.gegenbauer(degree, c, x),
        2 * c * x,
        gegenbauer_step(c, x),
        _result(n, c, x),
    )


gegenbauer.partials(
    n=GEGENBAUER_IN_DEGREE,
    c=GEGENBAUER_IN_ALPHA,
    x=closed(
        "DLMF 18.9.19",
        lambda y, n, c, x, **static: gegenbauer_slope(n, c, x, **static),
    ),
)


def gegenbauer_slope(n: Any, c: Any, x: jax.Array, counts: bool = False) -> jax.Array:
    """d/dx C_n^(c)(x)."""
    counts = counts or is_of_integer_type(n)
    return 2 * c * of_lowered_degree(lambda d: gegenbauer(d, c + 1, x, counts=counts), n, 1)


@native()
def jacobi(n: Any, a: Any, b: Any, x: Any, *, counts: bool = False) -> jax.Array:
    """Jacobi function P_n^(a,b)(x) of real degree."""
    first = ((a - b) + (a + b + 2) * x) / 2
    return _by_recurrence(
        n,
        None if counts else lambda degree: between_integers.jacobi(degree, a, b, x),
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
        lambda y, n, a, b, x, **static: jacobi_slope(n, a, b, x, **static),
    ),
)


def jacobi_slope(n: Any, a: Any, b: Any, x: jax.Array, counts: bool = False) -> jax.Array:
    """d/dx P_n^(a,b)(x)."""
    counts = counts or is_of_integer_type(n)
    lower = of_lowered_degree(lambda d: jacobi(d, a + 1, b + 1, x, counts=counts), n, 1)
    return (n + a + b + 1) / 2 * lower


@native()
def shifted_jacobi(n: Any, p: Any, q: Any, x: Any, *, m: int = 0, counts: bool = False) -> Any:
    """The m-th derivative of the shifted Jacobi function G_n(p, q; x) of real degree in x.

    The function is monic where it is a polynomial.
    """
    p, q = p + 2 * m, q + m

    value = _by_recurrence(
        n - m,
        None if counts else lambda degree: between_integers.shifted_jacobi(degree, p, q, x),
        x - q / (p + 1),
        shifted_jacobi_step(p, q, x),
        _result(n, p, q, x),
    )
    return falling(n, m) * value


shifted_jacobi.partials(
    n=SHIFTED_JACOBI_IN_DEGREE,
    p=SHIFTED_JACOBI_IN_P,
    q=SHIFTED_JACOBI_IN_Q,
    x=closed("DLMF 18.9.15", lambda y, *at, m, counts: shifted_jacobi(*at, m=m + 1, counts=counts)),
)


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
