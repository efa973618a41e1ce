"""Taylor polynomials in one small parameter: lists of coefficients c_0, c_1, ..., c_m (arrays).

A function of the order v is carried along as its expansion in e at v + e. Arithmetic of such
expansions differentiates an algorithm with respect to v to any order, with the rounding errors of
the algorithm itself: coefficient k is the k-th derivative over k!.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, TypeAlias

import jax
import jax.numpy as jnp
import numpy as np

from jaxsci.special._numerics.half_turns import cosine_and_sine_of_pi

Taylor: TypeAlias = Sequence[jax.Array]
"""Coefficients of a Taylor polynomial, the constant one first."""


def product(a: Taylor, b: Taylor) -> list[Any]:
    """The product a b, to the length of a."""
    terms = ([a[i] * b[k - i] for i in range(k + 1)] for k in range(len(a)))
    return [sum(t[1:], t[0]) for t in terms]


def quotient(a: Taylor, b: Taylor) -> list[Any]:
    """The quotient a/b, to the length of a."""
    out: list[Any] = []
    for k in range(len(a)):
        known = sum((out[i] * b[k - i] for i in range(k)), start=jnp.zeros_like(a[k]))
        out.append((a[k] - known) / b[0])
    return out


def exponential(a: Taylor) -> list[Any]:
    """The exponential of an expansion."""
    out: list[Any] = [jnp.exp(a[0])]
    for k in range(1, len(a)):
        terms = [j / k * a[j] * out[k - j] for j in range(1, k + 1)]
        out.append(sum(terms[1:], terms[0]))
    return out


def power(a: Taylor, exponent: float) -> list[Any]:
    """The power of an expansion whose first coefficient is 1."""
    out: list[Any] = [jnp.ones_like(a[0])]
    for k in range(1, len(a)):
        terms = [(exponent * i - (k - i)) / k * a[i] * out[k - i] for i in range(1, k + 1)]
        out.append(sum(terms[1:], terms[0]))
    return out


def cosine_and_sine_of(a: Taylor) -> tuple[list[Any], list[Any]]:
    """The cosine and the sine of an expansion."""
    c: list[Any] = [jnp.cos(a[0])]
    s: list[Any] = [jnp.sin(a[0])]
    for k in range(1, len(a)):
        slopes = [j / k * a[j] for j in range(1, k + 1)]
        of_c = [-slope * s[k - j] for j, slope in enumerate(slopes, 1)]
        of_s = [slope * c[k - j] for j, slope in enumerate(slopes, 1)]
        c.append(sum(of_c[1:], of_c[0]))
        s.append(sum(of_s[1:], of_s[0]))
    return c, s


def polynomial(coefficients: Sequence[Any], x: Taylor) -> list[Any]:
    """A polynomial of an expansion, the constant coefficient first."""
    total: list[Any] = [coefficients[-1] + 0 * x[0], *[0 * c for c in x[1:]]]
    for c in coefficients[-2::-1]:
        total = product(total, x)
        total[0] = total[0] + c
    return total


def polynomials(tables: Sequence[Sequence[float]], x: Taylor) -> list[list[Any]]:
    """Long polynomials of one expansion, by a loop: it compiles sooner than expressions do."""
    longest = max(len(table) for table in tables)
    rows = np.zeros((longest, len(tables)))
    for i, table in enumerate(tables):
        rows[: len(table), i] = table
    rows = jnp.asarray(rows)

    def inwards(k: jax.Array, totals: list[list[Any]]) -> list[list[Any]]:
        row = rows[longest - 1 - k]
        totals = [product(total, x) for total in totals]
        return [[total[0] + row[i], *total[1:]] for i, total in enumerate(totals)]

    start = [[jnp.zeros_like(c) for c in x] for _ in tables]
    return jax.lax.fori_loop(0, longest, inwards, start)


def times(a: Taylor, factor: jax.Array | complex) -> list[Any]:
    """A multiple of a, by a factor that does not depend on the parameter."""
    return [factor * c for c in a]


def plus(a: Taylor, b: Taylor) -> list[Any]:
    """The sum a + b."""
    return [x + y for x, y in zip(a, b, strict=True)]


def where(condition: jax.Array, a: Taylor, b: Taylor) -> list[Any]:
    """Where the condition holds a, elsewhere b."""
    return [jnp.where(condition, x, y) for x, y in zip(a, b, strict=True)]


def conjugate(a: Taylor) -> list[jax.Array]:
    """The conjugate of a function of a real parameter."""
    return [jnp.conj(c) for c in a]


def derivative(a: Taylor) -> jax.Array:
    """The derivative of highest order that the expansion knows."""
    return math.factorial(len(a) - 1) * a[-1]


def line(value: jax.Array, slope: Any, m: int) -> list[Any]:
    """The polynomial value + slope e, of degree m."""
    return [value, slope, *[jnp.zeros_like(value)] * (m - 1)][: m + 1]


def reflected(a: Taylor) -> list[jax.Array]:
    """The expansion at -v of a function whose expansion at v is a, turned around: a(-e)."""
    return [(-1) ** k * c for k, c in enumerate(a)]


def cosine(v: jax.Array, m: int) -> list[jax.Array]:
    """cos(pi (v + e))."""
    c, s = cosine_and_sine_of_pi(v)
    values = (c, -s, -c, s)
    return [math.pi**k / math.factorial(k) * values[k % 4] for k in range(m + 1)]


def sine(v: jax.Array, m: int) -> list[jax.Array]:
    """sin(pi (v + e))."""
    c, s = cosine_and_sine_of_pi(v)
    values = (s, c, -s, -c)
    return [math.pi**k / math.factorial(k) * values[k % 4] for k in range(m + 1)]


def turn(v: jax.Array, sign: jax.Array | float, m: int, part: float = 1.0) -> list[jax.Array]:
    """exp(sign part pi i (v + e)), with sign = 1 or -1."""
    c, s = cosine_and_sine_of_pi(part * v)
    value = c + 1j * sign * s
    return [value * (1j * sign * math.pi * part) ** k / math.factorial(k) for k in range(m + 1)]


def once(*values: Any) -> Any:
    """The values, each computed once.

    XLA puts the expression of a value into all the kernels that use it, and compiles it as often.
    """
    return jax.lax.optimization_barrier(values)


def even_odd(v: jax.Array, t: jax.Array, m: int) -> tuple[list[Any], list[Any]]:
    """cosh((v + e) t) and sinh((v + e) t)."""
    x = v * t
    if jnp.iscomplexobj(x):
        a, b = x.real, x.imag
        cosh = jax.lax.complex(jnp.cosh(a) * jnp.cos(b), jnp.sinh(a) * jnp.sin(b))
        sinh = jax.lax.complex(jnp.sinh(a) * jnp.cos(b), jnp.cosh(a) * jnp.sin(b))
    else:
        cosh, sinh = jnp.cosh(x), jnp.sinh(x)
    cosh, sinh = once(cosh, sinh)
    even, odd, power = [], [], jnp.ones_like(x)
    for k in range(m + 1):
        pair = (cosh, sinh) if k % 2 == 0 else (sinh, cosh)
        even.append(power * pair[0])
        odd.append(power * pair[1])
        power = power * t * (1 / (k + 1))
    return even, odd
