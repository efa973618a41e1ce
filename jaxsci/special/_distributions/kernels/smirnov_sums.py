"""Smirnov's distribution, its derivatives of every order, and its inverse, by finite sums.

The probability that D_n+ is at least d is the sum of T_m(d) = C(n, m) d (d + j/n)^(j-1) q^m over
m = n - j, as long as q = m/n - d is positive (Birnbaum and Tingey 1951). All terms together add up
to 1, so that the few terms with q < 0 give the complement. T_m without its last two powers is a
binomial probability, which the saddle-point form of Loader (2000) keeps to full precision.
"""

from __future__ import annotations

import math
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import scipy.special

from jaxsci._core.double_precision import native
from jaxsci._core.elementwise_rules import closed, missing
from jaxsci.special._catalog.kernel import device_kernel
from jaxsci.special._numerics.bell_polynomials import complete_bell
from jaxsci.special._numerics.bracketed_root import increasing_root
from jaxsci.special._numerics.double_double import product
from jaxsci.special._numerics.elementary import less_log1p_near, log1p
from jaxsci.special._numerics.falling_factorial import falling
from jaxsci.special._numerics.nth_derivative import derivative as nth_derivative
from jaxsci.special._numerics.stirling import stirling
from jaxsci.special._numerics.sums_by_few_nodes import smooth_sum

_TABLED = 16
_LIMITING = 5e4
"""From so many observations on the limiting distribution brackets the inverse."""
_NEAR_BOUND = 0.9
"""Of a bound on the inverse, where it is about."""
_VANISHING = 1600.0
"""Exponents of sums that are 0, and their derivatives too."""
_MOST_LIFT = 700.0
"""By how much the logarithms of terms are raised, so that none of them is below all numbers."""
_VERY_MANY = 1e14
"""From so many observations on three terms of an expansion are all digits."""


@device_kernel(ulps=40, conditioned=True)
def smirnov(n: jax.Array, d: jax.Array) -> jax.Array:
    """The probability that D_n+ is at least d."""
    n = n.astype(d.dtype)
    inside = (n >= 1) & (d > 0) & (d < 1)
    limit = inside & (n > _VERY_MANY)
    n_in, d_in = jnp.where(inside & ~limit, n, 1.0), jnp.where(inside, d, 0.5)
    value = jnp.where(inside, jnp.minimum(_upper_tail(n_in, d_in, 0), 1.0), 1.0 - d)
    value = jnp.where(limit, _of_very_many(n, d), value)
    return jnp.where((n >= 1) & (d >= 0) & (d <= 1), value, jnp.nan)


@device_kernel(ulps=40, conditioned=True)
def smirnovi(n: jax.Array, p: jax.Array) -> jax.Array:
    """The d that D_n+ reaches with probability p."""
    n = n.astype(p.dtype)
    inside = (n >= 1) & (p > 0) & (p < 1)
    limit = inside & (n > _VERY_MANY)
    n_in, p_in = jnp.where(inside & ~limit, n, 1.0), jnp.where(inside, p, 0.5)
    # Massart (1990): p <= exp(-2 n d^2), where that is at most 1/2.
    log = jnp.log(p_in)
    most = jnp.sqrt(jnp.maximum(-log, math.log(2.0)) / (2 * n_in)) * (1 + 1e-14)

    def off(d: jax.Array, n: jax.Array, p: jax.Array) -> jax.Array:
        return jnp.log(p) - jnp.log(_upper_tail(n, d, 0))

    # Of many observations log p is -(6nd + 1)^2/(18n), to less than a hundredth.
    about = (jnp.sqrt(-18 * n_in * log) - 1) / (6 * n_in)
    least = jnp.where((n_in > _LIMITING) & (p_in < 0.9), 0.97 * about, 0.0)
    root = increasing_root(off, least, jnp.minimum(most, 1.0), (n_in, p_in), _NEAR_BOUND * most)
    value = jnp.where(inside, root, 1.0 - p)
    # By the first two of the terms, and what the third one adds.
    of_limit = -3 * log / (1 + jnp.sqrt(n) * jnp.sqrt(1 / n - 18 * log))
    value = jnp.where(limit, of_limit * (1 - of_limit * of_limit / 9), value)
    return jnp.where((n >= 1) & (p >= 0) & (p <= 1), value, jnp.nan)


def _of_very_many(n: jax.Array, d: jax.Array) -> jax.Array:
    """The probability by its exponent's first terms in 1/n, n d^2 being of ordinary size."""
    square = n * d * d
    return jnp.exp(-2 * (square + d / 3 + 2 / 9 * square * (d * d)))


@native()
def derivative(n: Any, d: jax.Array, *, k: int) -> jax.Array:
    """The k-th derivative in d (k > 0) of the probability that D_n+ is at least d."""
    n = jnp.asarray(n, float)
    inside = (n >= 1) & (n == jnp.floor(n)) & (d >= 0) & (d <= 1)
    limit = inside & (n > _VERY_MANY) & (n < jnp.inf)
    of_limit = nth_derivative(lambda d: _of_very_many(n, d), k)(d)
    n, d = jnp.where(inside & ~limit, n, 1.0), jnp.where(inside, d, 0.5)
    shift = n * d
    # The terms of the complement cancel as nd exp(1.1 nd)/25, all others as n/(4 (nd)^2).
    few = (shift <= 1) | ((shift * d < 0.5) & (0.16 * shift**3 * jnp.exp(1.1 * shift) < n))
    last = jnp.max(jnp.where(few, jnp.floor(shift), 0.0), initial=0.0)
    below = -_singles(n, jnp.where(few, d, 0.0), last + 2, k, above=False)
    apart = jnp.where(few, 0.5, d)
    above = _singles(n, apart, k + 4, k, above=True) + _upper_tail(n, apart, k)
    value = jnp.where(limit, of_limit, jnp.where(few, below, above))
    return jnp.where(inside, value, jnp.nan)


derivative.partials(
    n=missing("it is a number of observations"),
    d=closed("differentiated term by term", lambda y, n, d, *, k: derivative(n, d, k=k + 1)),
)


def _singles(
    n: jax.Array, d: jax.Array, count: jax.Array | float, k: int, *, above: bool
) -> jax.Array:
    """The sum of the k-th derivatives of those T_m, m < count, with q >= 0 (or q <= 0).

    At a zero of q, where a term begins, it counts half: the derivative that jumps there is the mean
    of both sides.
    """
    shift = product(n, d)

    def add(state: tuple[Any, ...]) -> tuple[Any, ...]:
        m, binomial, total = state
        q = ((m - shift.hi[0]) - shift.lo[0]) / n
        begins = q == 0
        wanted = (m <= n) & (begins | ((q > 0) == above))
        share = jnp.where(begins & (m > 0), 0.5, 1.0) * binomial
        total = total + jnp.where(wanted, share * _without_binomial(n, d, m, q, k), 0.0)
        return m + 1, binomial * (n - m) / (m + 1), total

    start = jnp.zeros(()), jnp.ones_like(d), jnp.zeros_like(d)
    return jax.lax.while_loop(lambda state: state[0] < count, add, start)[2]


def _without_binomial(n: jax.Array, d: jax.Array, m: jax.Array, q: jax.Array, k: int) -> jax.Array:
    """The k-th derivative of T_m/C(n, m) of small m, factor by factor."""
    j = n - m
    logarithm = log1p(-q)
    total: Any = 0.0
    for i in range(k + 1):
        r = k - i
        power = (-1) ** i * falling(m, i) * jnp.where(i <= m, q ** jnp.maximum(m - i, 0.0), 0.0)
        rest = d * falling(j - 1, r) * jnp.exp((j - 1 - r) * logarithm)
        if r:
            rest += r * falling(j - 1, r - 1) * jnp.exp((j - r) * logarithm)
        # Without j, d and the power of d + j/n are one.
        rest = jnp.where(j == 0, float(r == 0), rest)
        total += math.comb(k, i) * rest * power
    return total


def _upper_tail(n: jax.Array, d: jax.Array, k: int) -> jax.Array:
    """The sum of the k-th derivatives of T_m with q > 0; those of m < k + 4 only if k is 0."""
    shift = product(n, d)
    whole = jnp.floor(shift.hi[0])
    whole = jnp.where((whole == shift.hi[0]) & (shift.lo[0] < 0), whole - 1, whole)
    first = jnp.maximum(whole + 1, k + 4) if k else whole + 1
    width = 1.5 * jnp.sqrt(n) / d
    # The sum is at most exp(-2 n d^2) (Massart 1990): where that is nothing, nothing is added up.
    exponent = 2 * shift.hi[0] * d
    count = jnp.where(exponent > _VANISHING, 0.0, n - first)
    lift = jnp.minimum(exponent, _MOST_LIFT)
    parameters = n, d, shift.hi[0], shift.lo[0], lift

    def term(i: jax.Array, *parameters: jax.Array) -> jax.Array:
        value, slopes = _term(i + 1, *parameters, k=k)
        return value * complete_bell(slopes)[-1] if k else value

    # Of j = 0: (1 - d)^n.
    zeroth = (-1) ** k * falling(n, k) * jnp.exp((n - k) * log1p(-d))
    total = smooth_sum(term, count, width, parameters) * jnp.exp(-lift)
    return total + jnp.where(first <= n, zeroth, 0.0)


def _term(
    j: jax.Array,
    n: jax.Array,
    d: jax.Array,
    shift: jax.Array,
    rest: jax.Array,
    lift: jax.Array,
    *,
    k: int,
) -> tuple[jax.Array, list[jax.Array]]:
    """T_m for q > 0 and j > 0, times exp(lift), and k derivatives of its logarithm."""
    m = n - j
    nq = (m - shift) - rest
    log = _remainder(n) - _remainder(j) - _remainder(m)
    log -= j * _excess(shift / j) + m * _excess_below(shift / m, nq / m)
    probability = jnp.sqrt(n / (2 * jnp.pi * j * m)) * jnp.exp(log + lift)
    x = j / n
    base, q = d + x, nq / n
    slopes = [x / (d * base) - shift / (base * q)]
    for order in range(1, k):
        sign, size = (-1) ** order, math.factorial(order)
        power = order + 1
        slopes.append(
            sign * size * (d**-power - base**-power)
            + n * size * (sign * x * base**-power - (1 - x) * q**-power)
        )
    return d / base * probability, slopes[:k]


def _table_of_remainders() -> np.ndarray:
    x = np.arange(1.0, _TABLED)
    from_zero = scipy.special.gammaln(x + 1) - ((x + 0.5) * np.log(x) - x + math.log(2 * np.pi) / 2)
    return np.concatenate([[0.0], from_zero])


_REMAINDERS = _table_of_remainders()


def _remainder(x: jax.Array) -> jax.Array:
    """log(x!) without its leading terms (DLMF 5.11.1), of x above 16 or an integer above 0."""
    near = jnp.asarray(_REMAINDERS)[jnp.minimum(x, _TABLED - 1.0).astype(jnp.int32)]
    return jnp.where(x < _TABLED, near, stirling(jnp.maximum(x, _TABLED), terms=6))


def _excess(e: jax.Array) -> jax.Array:
    """The difference e - log(1 + e) of e >= 0."""
    near = e < 0.3
    return jnp.where(near, less_log1p_near(jnp.where(near, e, 0.0)), e - log1p(e))


def _excess_below(e: jax.Array, left: jax.Array) -> jax.Array:
    """-e - log(1 - e) of 0 <= e < 1, where left = 1 - e."""
    near = e < 0.2
    return jnp.where(near, less_log1p_near(jnp.where(near, -e, 0.0)), -e - jnp.log(left))
