"""I_v(z) and K_v(z) with their derivatives in the order v, for v >= 0 and Re z >= 0.

K is the dominant solution of the recurrence in the order (`_bessel/kernels/macdonald.py`), I the
minimal one. Backward recurrence from where nothing of K is left (DLMF 3.6(iii)) gives I up to a
factor, in Taylor polynomials in v, and the Wronskian I_v K_{v+1} + I_{v+1} K_v = 1/z (DLMF 10.28.2)
gives the factor.

Far from the origin it is I_v = E_v - sin(v pi)/pi K_v (DLMF 10.27.2), where E_v, even in the order,
has Hankel's expansion (DLMF 10.40.5).
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jaxsci._core.types import PyTree
from jaxsci.special._bessel.kernels import hankel_expansion as cylinder
from jaxsci.special._bessel.kernels.large_orders import (
    MOST,
    modified_in_the_plane,
    real_modified,
    where_large,
)
from jaxsci.special._bessel.kernels.macdonald import (
    binary_exponent,
    macdonald,
    parts_of_exponential,
    power_of_two,
    rescaled,
    scaled,
    steps_of_macdonald,
    two_to,
)
from jaxsci.special._numerics import taylor
from jaxsci.special._numerics.blocks import where_any
from jaxsci.special._numerics.plane import over

_LARGE = 400
"""The exponent above which numbers of the second kind are kept apart from a power of two."""
MOST_STEPS = 1e5
"""Of a recurrence; where it would take more, there are the expansions of large orders."""
_MOST_RATIO = 100.0


@dataclass
class Modified:
    """Expansions in the order at v."""

    first: list[Any]
    """Of exp(-z) I_v(z)."""
    second: list[Any]
    """Of exp(z) K_v(z)."""
    scaled: list[Any]
    """Of exp(z) K_v(z), over 2^excess: what is combined of these does not overflow on the way."""
    excess: Any
    """0 where K_v is not large."""


def modified(
    v: jax.Array, z: jax.Array, m: int, far_too: bool = True, unscaled: bool = False
) -> Modified:
    """Expansions to degree m; NaN outside v >= 0, Re z >= 0, and at 0 and infinity.

    By recurrence alone, which loses digits as |z| grows, for callers that have Hankel's expansion
    themselves: `far_too` is False, and the program a third shorter. For them, `first` may be I_v(x)
    itself: of real x its multiple by exp(-x) may underflow where it does not.
    """
    far = cylinder.is_far(v, z) & far_too
    steps = _steps(v, z, m)
    ahead = (z.real >= 0) & (z != 0) & jnp.isfinite(jnp.abs(z))
    inside = (v >= 0) & (v < MOST_STEPS) & ahead & (far | (steps < MOST_STEPS))
    # The argument stays of its own shape, which may be that of one order alone.
    argument = jnp.where(ahead, z, 1.0)

    def by_recurrence() -> tuple[Any, ...]:
        few = inside & ~far
        order = jnp.where(few, v, 0.0)
        k = macdonald(order, argument, m)
        first = _by_wronskian(order, argument, jnp.where(few, steps, 0.0), k, m, unscaled)
        excess = jnp.maximum(k.exponent - _LARGE, 0)
        return first, k.value(), scaled(k.here, k.exponent - excess), excess

    def beyond() -> tuple[Any, ...]:
        order, outside = jnp.where(far, v, 0.0), jnp.where(far, argument, cylinder.FAR)
        (second,) = cylinder.far_k_jets(order, outside, [0], m)
        beside = taylor.times(second, jnp.exp(-2 * outside))
        outer = far_even(order, outside, beside, [1])
        turned = taylor.times(taylor.product(taylor.sine(order, m), beside), -1 / math.pi)
        return taylor.plus(outer, turned), second, second, jnp.zeros_like(steps, int)

    if not far_too:
        first, second, small, excess = by_recurrence()
    else:
        zero = [jnp.zeros_like(v * z)] * (m + 1)
        nothing = (zero, zero, zero, jnp.zeros_like(steps, int))
        near = where_any(~far, by_recurrence, nothing)
        first, second, small, excess = where_any(far, beyond, near)
    first, second, small = (
        [jnp.where(inside, c, jnp.nan) for c in row] for row in (first, second, small)
    )
    return Modified(first, second, small, excess)


def steps_of_modified(v: jax.Array, z: jax.Array) -> jax.Array:
    """What the work of `modified` grows with, nearer than Hankel's expansion serves."""
    backward = jnp.where(cylinder.is_far(v, z), 0.0, _steps(jnp.abs(v), z, 1))
    return steps_of_macdonald(v, z) + backward


def with_large(v: jax.Array, z: jax.Array, m: int, unscaled: bool = False) -> Modified:
    """`modified`, by recurrence or by the expansions of large orders."""
    pair = modified(v, z, m, far_too=False, unscaled=unscaled)
    if jnp.iscomplexobj(z) and m > 0:
        # It would double what a derivative takes to compile.
        return pair
    real = functools.partial(real_modified, unscaled_first=unscaled)
    function = modified_in_the_plane if jnp.iscomplexobj(z) else real
    first, small, excess = where_large(
        is_large(v, z, m), function, (pair.first, pair.scaled, pair.excess), v, z, m
    )
    return Modified(first, scaled(small, excess), small, excess)


def is_large(v: jax.Array, z: jax.Array, m: int) -> jax.Array:
    """Where recurrences would take too many steps, and the expansions of large orders serve."""
    ahead = (z != 0) & jnp.isfinite(jnp.abs(z))
    many = (v >= MOST_STEPS) | ((_steps(v, z, m) >= MOST_STEPS) & ~cylinder.is_far(v, z))
    return ahead & many & (v <= MOST)


def has_digits(
    v: jax.Array, z: jax.Array, operators: Sequence[cylinder.Polynomial], m: int
) -> jax.Array:
    """Where the neighbours of large orders do not cancel in derivatives of scaled functions.

    They are all but equal for |v| << |z|, where Hankel's expansion does not serve yet.
    """
    if all(np.count_nonzero(operator) == 1 for operator in operators):
        return jnp.ones_like(z, dtype=bool)
    order = jnp.abs(v)
    return ~is_large(order, z, m) | (jnp.abs(z) < _MOST_RATIO * order) | cylinder.is_far(v, z)


def _steps(v: jax.Array, z: jax.Array, m: int) -> jax.Array:
    """From how far above v the backward recurrence has lost K."""
    size = jnp.abs(z)
    return jnp.ceil(jnp.maximum(size - v, 0.0) + 8 * jnp.cbrt(size) + 12 + 2 * m)


def _by_wronskian(
    v: jax.Array, z: jax.Array, steps: jax.Array, k: Any, m: int, unscaled: bool
) -> list[jax.Array]:
    """exp(-z) I_v(z), or I_v(z)."""
    q = binary_exponent(z)
    ratio = over(2 * two_to(q), z)
    square = power_of_two(jnp.ones_like(z.real), 2 * q)

    def step(state: PyTree) -> Any:
        j, here, above = state
        by = taylor.times(taylor.line(v + j, 1.0, m), ratio)
        below = taylor.plus(taylor.times(above, square), taylor.product(here, by))
        _, (new_here, new_above) = rescaled(below, here)
        active = j <= steps
        here, above = taylor.where(active, new_here, here), taylor.where(active, new_above, above)
        return j - 1, here, above

    zero = jnp.zeros_like(v * z)
    start = (jnp.max(steps, initial=0.0), [zero + 1.0, *[zero] * m], [zero] * (m + 1))
    _, here, above = jax.lax.while_loop(lambda state: state[0] > 0, step, start)
    # With I_v over q^-v and I_{v+1} over q^-v-1.
    total = taylor.plus(
        taylor.product(here, k.above), taylor.times(taylor.product(above, k.here), square)
    )
    out = taylor.times(taylor.quotient(here, total), over(two_to(q), z))
    if not unscaled:
        return scaled(out, -k.exponent)
    growth, bits = parts_of_exponential(z)
    return scaled(taylor.times(out, growth), bits - k.exponent)


def far_even(
    v: jax.Array, z: jax.Array, second: list[jax.Array], operator: cylinder.Polynomial
) -> list[jax.Array]:
    """exp(-z) operator(D) E_v(z), E_v = (I_v + I_{-v})/2, by Hankel's expansion.

    Args:
        v: order.
        z: argument, far from the origin.
        second: the expansion of exp(-z) operator(D) K_v(z), which E_v has on either side of the
            positive real axis.
        operator: a polynomial in D = d/dz.
    """
    m = len(second) - 1
    inner = cylinder.shifted_argument(operator, 1)  # what D is on the other side of exp(z)
    out = cylinder.applied(lambda orders: cylinder.far_even_jets(v, z, orders, m), inner)
    if not jnp.iscomplexobj(z):
        return out
    side = (1j / math.pi) * jnp.sign(z.imag)
    return taylor.plus(out, taylor.times(taylor.product(taylor.cosine(v, m), second), side))
