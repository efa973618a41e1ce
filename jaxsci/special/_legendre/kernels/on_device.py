"""Legendre functions of integer degree and order in JAX operations (DLMF 14.7, 18.7.9).

P_n^m is w^m times a Gegenbauer polynomial of degree n - m and parameter m + 1/2, with w a root of
plus or minus 1 - z^2. The recurrence in the degree is that of functions which are normalised as
they go, so that their factorials do not overflow: for differences of neighbours, which keep their
digits next to z = 1, and by three terms next to z = 0, where half of the functions are zero.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.typing import ArrayLike

from jaxsci.special._legendre.kernels.terms import integer_power
from jaxsci.special._numerics.recurrences import by_pairs
from jaxsci.special._numerics.vectorised import is_odd, sine_and_cosine

MOST_STEPS = 1e5
"""NaN for degrees and orders above: no program should take for ever."""
_MIDDLE = 0.5


def _steps(
    m: Any, z: jax.Array, low: jax.Array, high: jax.Array, norm: bool
) -> tuple[Callable[..., tuple[jax.Array, jax.Array]], jax.Array]:
    """The step from degree |m| + k to the next, and where z is -z and the parity is to be seen to.

    It takes the function without w^m and a second number, which is 0 of degree |m|.
    """
    size = jnp.abs(m)
    left = z < 0
    gap, x = 2 * jnp.where(left, high, low), jnp.abs(z)
    middle = x < _MIDDLE
    factor = 2 * jnp.where(middle, x, -gap)
    c = size + 0.5

    def growth(k: jax.Array) -> jax.Array:
        """What the norm of degree m + k + 1 is over that of m + k."""
        if norm:
            return jnp.sqrt((k + c + 1) * (k + 1) / ((k + c) * (2 * size + k + 1)))
        return jnp.where(m < 0, (k + 1) / (2 * size + k + 1), 1.0)

    def step(k: jax.Array, value: jax.Array, second: jax.Array) -> tuple[jax.Array, jax.Array]:
        by = growth(k) / (k + 1)
        new = by * (jnp.where(middle, 2 * size + k, k) * second + (k + c) * factor * value)
        ahead = by * (2 * size + k + 1) * value
        following = jnp.where(middle, -(k + 1) * by * value, new)
        return jnp.where(middle, new, ahead + new), following

    return step, left


def without_root(
    n: jax.Array, m: jax.Array, z: jax.Array, low: jax.Array, high: jax.Array, norm: bool
) -> jax.Array:
    """P_n^m(z) without w^m, where 0 <= |m| <= n.

    Args:
        n: degree.
        m: order; of normalised functions the sign does not matter.
        z: argument.
        low: (1 - z)/2.
        high: (1 + z)/2.
        norm: whether the integral of the square over the interval is 1.
    """
    size, c = jnp.abs(m), jnp.abs(m) + 0.5
    step, left = _steps(m, z, low, high, norm)

    def first(k: jax.Array, value: jax.Array, second: jax.Array) -> tuple[jax.Array, jax.Array]:
        i = k + 1
        if norm:
            return value * jnp.sqrt((2 * i + 1) / (2 * i)), second
        return value * jnp.where(m < 0, 1 / (2 * i), 2 * i - 1), second

    one = jnp.ones_like(z * c + 0 * n)
    start = by_pairs(size, first, (one * (math.sqrt(0.5) if norm else 1.0), one))
    value = by_pairs(n - size, step, (start, jnp.zeros_like(one)))
    return jnp.where(left & is_odd(n - size), -value, value)


def legendre_function(
    n: ArrayLike,
    m: ArrayLike,
    z: jax.Array,
    ends: tuple[jax.Array, jax.Array],
    root: jax.Array,
    norm: bool,
    signed: Any = True,
    by: float = 1.0,
) -> jax.Array:
    """P_n^m(z): zero where |m| > n, and NaN for large orders.

    Args:
        n: degree.
        m: order.
        z: argument.
        ends: (1 - z)/2 and (1 + z)/2.
        root: w.
        norm: as above.
        signed: whether odd positive orders have a factor -1.
        by: a number to multiply with before anything underflows.
    """
    degree, order = jnp.asarray(n, z.dtype), jnp.asarray(m, z.dtype)
    size = jnp.abs(order)
    fits = (jnp.abs(degree) <= MOST_STEPS) & (size <= MOST_STEPS)
    known = fits & (size <= degree)
    degree, order = jnp.where(known, degree, 0.0), jnp.where(known, order, 0.0)
    size = jnp.abs(order)
    value = by * without_root(degree, order, z, *ends, norm)
    # In halves: the power alone may underflow.
    half = jnp.floor(size / 2)
    value = value * integer_power(root, half) * integer_power(root, size - half)
    value = _with_sign(jnp.where((size > 0) & jnp.isnan(root), jnp.nan, value), order, signed)
    value = jnp.where(jnp.isnan(z) & (degree > 0), jnp.nan, value)
    return jnp.where(known, value, jnp.where(fits, 0.0, jnp.nan))


def _with_sign(value: jax.Array, order: jax.Array, signed: Any) -> jax.Array:
    value = jnp.where(signed & (order > 0) & is_odd(order), -value, value)
    return jnp.where(value == 0, 0.0, value)  # zeros have no sign


def orders_to(m: int) -> np.ndarray:
    """The orders 0, 1, ... |m|, -|m|, ... -1, as they lie in SciPy's results."""
    return np.r_[: abs(m) + 1, -abs(m) : 0]


def legendre_functions(
    n: int,
    m: int,
    z: jax.Array,
    ends: tuple[jax.Array, jax.Array],
    root: jax.Array,
    norm: bool,
    signed: Any = True,
    by: float = 1.0,
) -> jax.Array:
    """P_j^i(z) of all degrees j up to n and `orders_to` m, on two last dimensions; as above.

    Each degree is a step from the one before, for all orders together.
    """
    # Of normalised functions the sign of the order is only a sign.
    orders = orders_to(m)
    rows = np.arange(abs(m) + 1) if norm else orders
    sizes = np.abs(rows)
    i = np.arange(1.0, abs(m) + 1)
    with np.errstate(over="ignore", under="ignore"):
        first = np.cumprod(np.r_[math.sqrt(0.5), np.sqrt((2 * i + 1) / (2 * i))])
        if not norm:
            above, below = np.cumprod(np.r_[1.0, 2 * i - 1]), np.cumprod(np.r_[1.0, 1 / (2 * i)])
            first = np.r_[above, below[:0:-1]]

    def row(x: np.ndarray) -> jax.Array:
        """Along a first dimension."""
        return jnp.asarray(x, float).reshape(-1, *(1,) * z.ndim)

    order, size, start = row(rows), row(sizes), row(by * first)
    step, left = _steps(order, z, *ends, norm)

    def next_degree(state: tuple[jax.Array, ...], degree: jax.Array) -> Any:
        value, second = state
        k = degree - 1 - size
        value, second = step(jnp.maximum(k, 0.0), value, second)
        second = jnp.where(k >= 0, second, 0.0)
        value = jnp.where(k >= 0, value, jnp.where(degree == size, start, 0.0))
        turned = left & is_odd(degree - size)
        value_here = jnp.where(jnp.isnan(z) & (degree > 0) & (k >= -1), jnp.nan, value)
        return (value, second), jnp.where(turned, -value_here, value_here)

    nothing = jnp.zeros(jnp.broadcast_shapes(order.shape, z.shape), z.dtype)
    _, found = jax.lax.scan(next_degree, (nothing, nothing), jnp.arange(n + 1.0))
    _, powers = jax.lax.scan(
        lambda power, _: (power * root, power), jnp.ones_like(root), length=abs(m) // 2 + 2
    )
    found = found * powers[sizes // 2] * powers[sizes - sizes // 2]
    if norm:
        order = row(orders)
        found = found[:, np.abs(orders)]
    value = _with_sign(found, order, signed)
    fits = jnp.arange(n + 1.0).reshape(-1, *(1,) * order.ndim) >= jnp.abs(order)
    return jnp.moveaxis(jnp.where(fits, value, 0.0), (0, 1), (-2, -1))


RAISED = 2.0**60
"""What is so many times as large does not underflow before a derivative of it does."""


Functions = Callable[..., jax.Array]
"""`legendre_function`, or `legendre_functions`."""


def of_angle(
    n: ArrayLike, m: ArrayLike, theta: jax.Array, functions: Functions = legendre_function
) -> jax.Array:
    """The spherical harmonic Y_n^m(theta, 0), of |sin theta|, times RAISED."""
    sine, cosine = sine_and_cosine(theta / 2)
    ends = sine * sine, cosine * cosine
    by = RAISED / math.sqrt(2 * math.pi)
    whole_sine, whole_cosine = sine_and_cosine(theta)
    return functions(n, m, whole_cosine, ends, jnp.abs(whole_sine), norm=True, by=by)


def of_line(
    n: ArrayLike,
    m: ArrayLike,
    z: jax.Array,
    branch_cut: Any,
    norm: bool,
    functions: Functions = legendre_function,
) -> jax.Array:
    """The function on the interval, or, where the cut is 3, that beyond it."""
    turned = branch_cut == 3
    squared = (1 - z) * (1 + z)
    root = jnp.sqrt(jnp.where(turned, -squared, squared))
    root = jnp.where(turned & (z < 0) & (z != -1), jnp.nan, root)
    ends = (1 - z) / 2, (1 + z) / 2
    return functions(n, m, z, ends, root, norm, signed=jnp.logical_not(turned))
