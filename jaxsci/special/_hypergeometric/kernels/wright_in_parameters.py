"""Wright's generalised Bessel function differentiated in its parameters, to every order.

By the power series (DLMF 10.46.1): with the m-th derivative of 1/Gamma,

    S_(p,m)(a, b, x) = sum over k of x^k/k! k^p (1/Gamma)^(m)(a k + b),

d/da is S_(p+1,m+1), d/db is S_(p,m+1), and d/dx is the sum of binomial(p, l) S_(l,m)(a, a + b, x).
The terms are taken around the largest one, each from the one before. 1/Gamma(z) is the polynomial
z (z + 1) ... (z + 11) over Gamma(z + 12), so that its zeros need no care.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci._core.double_precision import NativeFunction, native
from jaxsci._core.elementwise_rules import closed
from jaxsci.special._numerics import taylor
from jaxsci.special._numerics.gamma_factors import log_gamma, log_gamma_quotient
from jaxsci.special._numerics.nth_derivative import derivative

_SHIFT = 12
_WIDTH = 9.5
_LEAST = 40.0
_FARTHEST = 1e8
"""NaN where the largest term is beyond this one: the sum would not end."""
_HALVINGS = 64
_REFERENCE = "DLMF 10.46.1"


def _reciprocal_gamma(z: jax.Array, m: int) -> list[Any]:
    """The expansion of Gamma(z + 12)/Gamma(z + e), to degree m."""
    end = z + _SHIFT
    slopes = [jnp.zeros_like(z)]
    for i in range(1, m + 1):
        slopes.append(-derivative(log_gamma, i)(end) / math.factorial(i))
    out = taylor.exponential(slopes)
    for j in range(_SHIFT):
        out = taylor.product(out, taylor.line(z + j, jnp.ones_like(z), m))
    return out


def _peak(a: jax.Array, b: jax.Array, x: jax.Array) -> Any:
    """Where the terms are largest: k (a k + b + 1)^a = x."""

    def halve(_: jax.Array, ends: Sequence[jax.Array]) -> tuple[jax.Array, jax.Array]:
        low, high = ends
        middle = (low + high) / 2
        below = jnp.log(middle) + a * jnp.log(a * middle + b + 1) < jnp.log(x)
        return jnp.where(below, middle, low), jnp.where(below, high, middle)

    return jax.lax.fori_loop(0, _HALVINGS, halve, (jnp.zeros_like(x), x + 1))[1]


def _sums(
    a: jax.Array, b: jax.Array, x: jax.Array, orders: list[tuple[int, int]]
) -> tuple[list[Any], Any, Any]:
    """Sums S_(p,m) for pairs (p, m), over a common factor.

    Returns:
        The sums, the logarithm of the factor where they start at k = 0, and whether they do.
    """
    peak = _peak(a, b, x)
    width = _WIDTH * jnp.sqrt(peak)
    low = jnp.floor(jnp.maximum(peak - width - _LEAST / 2, 0.0))
    count = jnp.ceil(peak + width + _LEAST) - low
    highest = max(m for _, m in orders)

    def add(state: Sequence[jax.Array]) -> Any:
        i, weight, sums = state
        k = low + i
        z = a * k + b
        jet = _reciprocal_gamma(z, highest)
        sums = [
            total + weight * (k**p if p else 1.0) * (math.factorial(m) * jet[m])
            for total, (p, m) in zip(sums, orders, strict=True)
        ]
        # Of Gamma(z + 12)/Gamma(z + a + 12).
        ratio = jnp.exp(-log_gamma_quotient(z, a, _SHIFT)) * x / (k + 1)
        return i + 1, jnp.where(i < count, weight * ratio, 0.0), sums

    start = (jnp.zeros(()), jnp.ones_like(x), [jnp.zeros_like(x)] * len(orders))
    last = jnp.max(count, initial=0.0)
    sums = jax.lax.while_loop(lambda state: state[0] <= last, add, start)[2]
    return sums, -log_gamma(b, _SHIFT), low == 0


def _known(a: jax.Array, b: jax.Array, x: jax.Array) -> tuple[Any, Any, Any, Any]:
    """Where the sums are known; and harmless arguments elsewhere."""
    a, b, x = jnp.broadcast_arrays(a, b, x)
    reach = math.log(_FARTHEST) + a * jnp.log(_FARTHEST * a + b + 1)
    known = (a >= 0) & (b >= 0) & (x >= 0) & (jnp.log(x) <= reach)
    known = known & (a < jnp.inf) & (b < jnp.inf)
    a, b, x = (jnp.where(known, t, 1.0) for t in (a, b, x))
    return known, a, b, x


def wright_by(wright_bessel: Callable[..., Any]) -> NativeFunction:
    """The sums S_(p,m), from the function's own values where these have all digits."""

    @native()
    def wright_in_parameters(
        a: jax.Array, b: jax.Array, x: jax.Array, *, p: int, m: int
    ) -> jax.Array:
        """S_(p,m)(a, b, x)."""
        known, a, b, x = _known(a, b, x)
        (total, plain), logarithm, absolute = _sums(a, b, x, [(p, m), (0, 0)])
        far = wright_bessel(a, b, x) * (total / plain)
        near = jnp.exp(jnp.where(absolute, logarithm, 0.0)) * total
        return jnp.where(known, jnp.where(absolute, near, far), jnp.nan)

    def in_x(
        y: jax.Array, a: jax.Array, b: jax.Array, x: jax.Array, *, p: int, m: int
    ) -> jax.Array | int:
        return sum(
            math.comb(p, j) * wright_in_parameters(a, a + b, x, p=j, m=m) for j in range(p + 1)
        )

    wright_in_parameters.partials(
        a=closed(
            _REFERENCE,
            lambda y, a, b, x, *, p, m: wright_in_parameters(a, b, x, p=p + 1, m=m + 1),
        ),
        b=closed(
            _REFERENCE, lambda y, a, b, x, *, p, m: wright_in_parameters(a, b, x, p=p, m=m + 1)
        ),
        x=closed(_REFERENCE, in_x),
    )
    return wright_in_parameters


def log_wright_by(log_wright_bessel: Callable[..., Any]) -> NativeFunction:
    """The quotients S_(p,m)/S_(0,0), which neither overflow nor underflow."""

    @native()
    def mean(a: jax.Array, b: jax.Array, x: jax.Array, *, p: int, m: int) -> jax.Array:
        """S_(p,m)/S_(0,0)."""
        known, a, b, x = _known(a, b, x)
        (total, plain), _, _ = _sums(a, b, x, [(p, m), (0, 0)])
        return jnp.where(known, total / plain, jnp.nan)

    def in_x(
        y: jax.Array, a: jax.Array, b: jax.Array, x: jax.Array, *, p: int, m: int
    ) -> jax.Array:
        growth = jnp.exp(log_wright_bessel(a, a + b, x) - log_wright_bessel(a, b, x))
        following = sum(math.comb(p, j) * mean(a, a + b, x, p=j, m=m) for j in range(p + 1))
        return growth * (following - y)

    mean.partials(
        a=closed(
            _REFERENCE,
            lambda y, a, b, x, *, p, m: (
                mean(a, b, x, p=p + 1, m=m + 1) - y * mean(a, b, x, p=1, m=1)
            ),
        ),
        b=closed(
            _REFERENCE,
            lambda y, a, b, x, *, p, m: mean(a, b, x, p=p, m=m + 1) - y * mean(a, b, x, p=0, m=1),
        ),
        x=closed(_REFERENCE, in_x),
    )
    return mean
