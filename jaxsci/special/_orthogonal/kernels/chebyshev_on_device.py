"""Chebyshev polynomials in JAX operations.

Of integer degrees up to some dozens by recurrence (DLMF 18.9.1), in differences of neighbours next
to the ends of the interval; all others are cosines and hyperbolic functions.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci.special._catalog.kernel import Kernel, device_kernel
from jaxsci.special._numerics.half_turns import cosine_of_pi, sine_of_pi
from jaxsci.special._numerics.integers import is_integer
from jaxsci.special._numerics.recurrences import by_pairs
from jaxsci.special._orthogonal.kernels.chebyshev_value import chebyshev_value
from jaxsci.special._orthogonal.kernels.interval import ends, on_long_interval

_MOST_STEPS = 64
_LARGEST_DEGREE = 1e8
_MIDDLE = 0.5


def _by_steps(m: jax.Array, x: jax.Array, second: bool, shifted: bool) -> jax.Array:
    """T_m(x), or U_(m-1)(x), of integer m."""
    low, high = ends(x, shifted)
    x = on_long_interval(x, shifted)
    left = x < 0
    gap = 2 * jnp.where(left, high, low)
    x = jnp.abs(x)
    middle = x < _MIDDLE
    factor = 2 * jnp.where(middle, x, -gap)
    degree = jnp.abs(m) - int(second)

    # Next to the ends values are 1 and what differences add up to, which would be lost beside it.
    start = jnp.where(middle, 0.0, 1.0)

    def step(k: jax.Array, rest: jax.Array, other: jax.Array) -> tuple[jax.Array, jax.Array]:
        # The other number is less the one before, or the difference.
        value = start + rest
        new = other + factor * value
        return jnp.where(middle, new, rest + new), jnp.where(middle, -value, new)

    nothing = 0 * factor + 0 * degree
    other = start if second else jnp.where(middle, -x, gap)
    value = start + by_pairs(degree, step, (nothing + (1 - start), nothing + other))
    value = jnp.where(left & (jnp.mod(degree, 2) == 1), -value, value)
    return jnp.where(degree < 0, 0.0, jnp.where(m < 0, -value, value) if second else value)


def _of_line(second: bool, scale: float, half_width: float, shifted: bool) -> Callable[..., Any]:
    def function(n: jax.Array, x: jax.Array) -> jax.Array:
        n = n.astype(x.dtype)
        m = n + int(second)
        at = x / half_width
        _, high = ends(at, shifted)
        integer = is_integer(n)
        known = (jnp.abs(m) <= _LARGEST_DEGREE) & ~jnp.isnan(x)
        few = integer & (jnp.abs(m) <= _MOST_STEPS)
        # Real functions of other degrees end at -1, where SciPy has infinity.
        below = ~integer & (high <= 0)
        finite = known & ~few & ~below
        shape = jnp.broadcast_shapes(n.shape, x.shape)

        def polynomial() -> jax.Array:
            steps = jnp.where(few & known, m, 0.0)
            return jnp.broadcast_to(_by_steps(steps, at, second, shifted), shape)

        def function() -> jax.Array:
            argument = jnp.where(finite, at, 0.25)
            return chebyshev_value(jnp.where(finite, n, 0.5), argument, second, shifted)

        nothing = jnp.zeros(shape)
        first = jax.lax.cond(jnp.any(few), polynomial, lambda: nothing)
        other = jax.lax.cond(jnp.any(finite), function, lambda: nothing)
        if second:
            turns = jnp.where(high == 0, -sine_of_pi(n), m)
            end = jnp.where(turns < 0, -jnp.inf, jnp.inf)
        else:
            end = jnp.where(high == 0, cosine_of_pi(n), jnp.inf)
        value = jnp.where(few, first, jnp.where(below, end, other))
        value = jnp.where(value == 0, 0.0, value)  # a zero without sign
        return jnp.where(known, scale * value, jnp.nan)

    return function


def _of_plane(second: bool, scale: float, half_width: float, shifted: bool) -> Callable[..., Any]:
    def function(n: jax.Array, x: jax.Array) -> jax.Array:
        n = n.astype(x.real.dtype)
        m = n + int(second)
        known = (jnp.abs(m) <= _LARGEST_DEGREE) & jnp.isfinite(x)
        at = jnp.where(known, x, 0.25) / half_width
        value = scale * chebyshev_value(jnp.where(known, n, 0.5), at, second, shifted)
        return jnp.where(known, value, jnp.nan)

    return function


def _kernels(
    second: bool, scale: float = 1.0, half_width: float = 1.0, shifted: bool = False
) -> tuple[Kernel, Kernel]:
    kind = second, scale, half_width, shifted
    return (
        device_kernel(ulps=40, conditioned=True, single=5)(_of_line(*kind)),
        device_kernel(ulps=40, conditioned=True)(_of_plane(*kind)),
    )


eval_chebyt = _kernels(second=False)
eval_chebyu = _kernels(second=True)
eval_chebyc = _kernels(second=False, scale=2.0, half_width=2.0)
eval_chebys = _kernels(second=True, half_width=2.0)
eval_sh_chebyt = _kernels(second=False, shifted=True)
eval_sh_chebyu = _kernels(second=True, shifted=True)
"""Of real arguments, and of complex ones."""
