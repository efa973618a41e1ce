"""Scores of the F distribution: its density's logarithm in the degrees of freedom.

Here a = dfn/2, b = dfd/2 and n = a + b; p = ax/(b + ax) and q = 1 - p are beta variables. With
phi(r) = r - 1 - ln r, lambda(z) = ln z - psi(z) and kappa(b) = psi(n) - psi(b) - a/b, the density f
of x has the score

    d(ln f)/db = lambda(b) - lambda(n) - phi(nq/b) = kappa(b) + pa/b - phi(q),

and d(ln f)/da is the same with a and b, p and q exchanged. It is of order 1/b. The incomplete beta
function's own derivatives, at an argument that does not move, are larger, and with those of its
argument they would cancel.

The first form cancels nothing where a and b are large. The second does so for smaller a: there
kappa(b) is small, and 0 for a = 1, when f(0) does not depend on b.
"""

from __future__ import annotations

import functools
import math
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci._core.double_precision import native
from jaxsci._core.elementwise_rules import closed
from jaxsci.special._gamma.kernels.log_minus_digamma import log_less_psi_difference
from jaxsci.special._gamma.kernels.psi_remainder import psi_remainder
from jaxsci.special._incomplete.kernels.densities import complement, proportion
from jaxsci.special._numerics.expm1_minus_x import expm1_minus_x
from jaxsci.special._numerics.stirling import LARGE

_SMALL = 0.15
"""Of larger shapes no digits are lost."""


@native()
def log_ratio(a: jax.Array, b: jax.Array, x: jax.Array) -> jax.Array:
    """Ln(np/a), with its digits near x = 1 too."""
    d = b * (x - 1) / (b + a * x)
    return log_of_one_more(d, jnp.log((1 + b / a) * proportion(a / b * x)))


@native()
def log_rest_ratio(a: jax.Array, b: jax.Array, x: jax.Array) -> jax.Array:
    """Ln(nq/b), with its digits near x = 1 too."""
    d = a * (1 - x) / (b + a * x)
    return log_of_one_more(d, jnp.log((1 + a / b) * complement(a / b * x)))


def log_of_one_more(d: jax.Array, far: jax.Array) -> jax.Array:
    """Ln(1 + d), which is `far` unless d is small."""
    near = jnp.abs(d) < 0.25
    return jnp.where(near, jnp.log1p(jnp.where(near, d, 0.0)), far)


log_ratio.partials(
    a=closed("r = nx/(b + ax)", lambda y, a, b, x: -jnp.expm1(y) / (a + b)),
    b=closed("r = nx/(b + ax)", lambda y, a, b, x: a / b * jnp.expm1(y) / (a + b)),
    x=closed("r = nx/(b + ax)", lambda y, a, b, x: complement(a / b * x) / x),
)
log_rest_ratio.partials(
    a=closed("s = n/(b + ax)", lambda y, a, b, x: b / a * jnp.expm1(y) / (a + b)),
    b=closed("s = n/(b + ax)", lambda y, a, b, x: -jnp.expm1(y) / (a + b)),
    x=closed("s = n/(b + ax)", lambda y, a, b, x: -a / b * complement(a / b * x)),
)


def score_constant(shape: jax.Array, other: jax.Array | float, k: int) -> jax.Array:
    """The k-th derivative of that part of the score that depends on the shapes alone."""
    large = other >= LARGE
    many = log_less_psi_difference(shape, other, k=k)
    return jnp.where(large, many, psi_remainder(shape, other, k=k))


def turns_far_out(shape: jax.Array, share: jax.Array) -> jax.Array:
    """Whether the score in b changes its sign well beyond x, which it does at about q^b = 1/e.

    Up to there it is some 1/b, so the integral of beyond x is a difference of two such.

    Args:
        shape: b, or a with p and q exchanged.
        share: ln q.
    """
    return (shape < _SMALL) & (shape * share > -0.5)


def pure_derivative(
    k: int,
    constant: jax.Array,
    shape: jax.Array,
    other: jax.Array | float,
    ratio: jax.Array,
    share: jax.Array,
    rest: jax.Array,
) -> jax.Array:
    """(d/db)^k ln f for k >= 1, or (d/da)^k ln f with a and b, p and q exchanged.

    Args:
        k: the order.
        constant: `score_constant` of k - 1.
        shape: b.
        other: a.
        ratio: ln(nq/b).
        share: ln q.
        rest: p.
    """
    large = other >= LARGE
    if k == 1:
        linear = jnp.where(large, 0.0, other / shape * rest)
        return constant + linear - expm1_minus_x(jnp.where(large, ratio, share))
    d, q = jnp.expm1(ratio), jnp.exp(share)
    few = rest * rest * _beside_double_zero(k, q)
    few = few - other / shape * (k - 1) * rest * sum(q**i for i in range(k))
    scale = jnp.where(large, shape + other, shape) ** (1 - k)
    moving = jnp.where(large, d * d * _beside_double_zero(k, 1 + d), few)
    return constant + (-1) ** k * math.factorial(k - 2) * scale * moving


def _beside_double_zero(k: int, r: jax.Array) -> jax.Array | int:
    """((k-1) r^k - k r^(k-1) + 1) / (r-1)^2."""
    return sum((i + 1) * r**i for i in range(k - 1))


def mixed_derivative(
    i: int, j: int, constant: jax.Array, n: Any, y: jax.Array, z: jax.Array
) -> Any:
    """(d/da)^i (d/db)^j ln f for i, j >= 1.

    Args:
        i: the order in a.
        j: the order in b.
        constant: the (i+j-1)-th derivative of lambda at n.
        n: a + b.
        y: ln(np/a).
        z: ln(nq/b).
    """
    d, e, k = jnp.expm1(y), jnp.expm1(z), i + j
    # The terms of order 0 and 1 add up to -1.
    terms = _mixed_polynomial(i, j).items()
    total = sum(c * d**r * e**s for (r, s), c in terms if c and r + s > 1)
    return (-1) ** k * math.factorial(k - 2) * n ** (1 - k) * total - constant


@functools.cache
def _mixed_polynomial(i: int, j: int) -> dict[tuple[int, int], int]:
    """(1+d)^(i-1) (1+e)^(j-1) ((i-1)d + (j-1)e + (i+j-1)de - 1), by powers of d and e."""
    last = {(0, 0): -1, (1, 0): i - 1, (0, 1): j - 1, (1, 1): i + j - 1}
    out: dict[tuple[int, int], int] = {}
    for r in range(i):
        for s in range(j):
            for (p, q), c in last.items():
                binomials = math.comb(i - 1, r) * math.comb(j - 1, s)
                out[r + p, s + q] = out.get((r + p, s + q), 0) + c * binomials
    return out
