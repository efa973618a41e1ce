"""Two integrals that carry the derivatives of Box-Cox transformations, without cancellation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci._core.double_precision import native, tower
from jaxsci._core.elementwise_rules import closed

_LEIBNIZ = "Leibniz integral rule"
_FAR = 16.0
_TERMS = 90


@tower(_LEIBNIZ, p="n")
def power_moment(u: jax.Array, p: jax.Array, *, n: int) -> jax.Array:
    """The integral of s^n exp(p s) over s from 0 to u: the n-th derivative in p of (e^(pu)-1)/p."""
    v = p * u
    far = jnp.abs(v) > _FAR + n
    # The power series for v > 0, for v < 0 Kummer's transform of it (DLMF 13.2.39).
    near = jnp.where(far, 0.0, v)
    size = jnp.abs(near)

    def add(k: Any, state: Sequence[jax.Array]) -> Any:
        term, other, total = state
        positive = near > 0
        total = total + jnp.where(positive, term / (n + 1 + k), other)
        return term * size / (k + 1), other * size / (n + 2 + k), total

    start = (jnp.ones_like(near), jnp.full_like(near, 1 / (n + 1)), jnp.zeros_like(near))
    total = jax.lax.fori_loop(0, _TERMS + n, add, start)[2]
    series = total * jnp.where(near > 0, 1.0, jnp.exp(-size))
    # Far out the recurrence by parts loses nothing. It runs in s itself, for u may be -infinity.
    out = jnp.isinf(u)
    end = jnp.where(far & ~out, u, 1.0)
    rate = jnp.where(far, p, 1.0)
    grown = jnp.where(out & (v < 0), 0.0, jnp.exp(jnp.where(far, v, 0.0)))
    total = (grown - 1) / rate
    for k in range(1, n + 1):
        total = (end**k * grown - k * total) / rate
    small = jnp.where(far, 1.0, u)
    return jnp.where(far, total, small ** (n + 1) * series)


power_moment.partials(u=closed(_LEIBNIZ, lambda y, u, p, *, n: u**n * jnp.exp(p * u)))


_NEAR_ONE = 0.7
_GEOMETRIC_TERMS = 110


@native()
def fraction_moment(x: jax.Array, p: jax.Array, *, n: int) -> jax.Array:
    """The integral of s^n/(1 + p s)^(n+1) over s from 0 to x; for n = 0 it is log(1 + px)/p."""
    w = p * x
    end = 1 / (1 + w)
    r = w * end
    near = jnp.abs(r) < _NEAR_ONE
    # With s = t/(1 - wt) it is the integral of t^n/(1 - wt), a series in w times the end point.
    small = jnp.where(near, r, 0.0)

    def add(k: jax.Array, total: jax.Array) -> jax.Array:
        # Horner's scheme, from the last term.
        return total * small + 1 / (n + _GEOMETRIC_TERMS - k)

    series = jax.lax.fori_loop(0, _GEOMETRIC_TERMS, add, jnp.zeros_like(small))
    far = jnp.where(near, 1.0, w)
    total = jnp.log1p(far) / far
    for k in range(1, n + 1):
        total = (total - end**k / k) / far
    return x ** (n + 1) * jnp.where(near, end ** (n + 1) * series, total)


fraction_moment.partials(
    x=closed(_LEIBNIZ, lambda y, x, p, *, n: x**n / (1 + p * x) ** (n + 1)),
    p=closed(_LEIBNIZ, lambda y, x, p, *, n: -(n + 1) * fraction_moment(x, p, n=n + 1)),
)


@native()
def inverse_slope(x: jax.Array, p: jax.Array) -> jax.Array:
    """(1 + px)^(1/p - 1), which is exp(x) for p = 0."""
    w = 1 + p * x
    # At the end of the support the exponent's sign decides, not 0/0.
    inside = w > 0
    x_ = jnp.where(inside, x, 0.0)
    value = jnp.exp((1 - p) * fraction_moment(x_, p, n=0))
    edge = jnp.where(p < 1, 0.0, jnp.where(p == 1, 1.0, jnp.inf))
    return jnp.where(inside, value, jnp.where((w == 0) & (p > 0), edge, jnp.nan))


inverse_slope.partials(
    x=closed("chain rule", lambda y, x, p: y * (1 - p) / (1 + p * x)),
    p=closed(
        "chain rule",
        lambda y, x, p: -y * (fraction_moment(x, p, n=0) + (1 - p) * fraction_moment(x, p, n=1)),
    ),
)
