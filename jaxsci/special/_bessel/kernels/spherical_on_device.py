"""Spherical Bessel functions and their derivatives, by JAX operations.

The dominant solution of the recurrence in the order n (y and k) grows from elementary functions
(DLMF 10.49),

    g_{n+1} = (2n + 1)/z g_n + s g_{n-1},

with s = -1 for j and y of real z, and s = 1 for k, and for i times (-1)^n, of Re z >= 0. The
minimal one (j and i) starts there too where |z| is large beside the order. Elsewhere its quotient
r = f_{n+1}/f_n comes by backward recurrence, and the function by DLMF 10.50.1 and 10.50.2. Complex
j and y are those of -iz (DLMF 10.47.12, 10.47.13), k of Re z < 0 is by DLMF 10.47.11 and 10.47.17.

Near z = 0 every order has a factor of q = 2^-b, |z| rounded to a power of two, more.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jaxsci.special._bessel.kernels.macdonald import binary_exponent, scaled, two_to
from jaxsci.special._bessel.kernels.modified import MOST_STEPS
from jaxsci.special._catalog.kernel import Kernel, device_kernel
from jaxsci.special._numerics.blocks import by_blocks
from jaxsci.special._numerics.vectorised import sine_and_cosine

_BITS = 400


@dataclass
class _Pair:
    """Functions of order n and their derivatives, over powers of two."""

    dominant: Any
    dominant_slope: Any
    exponent: Any
    """Of the dominant function; of its derivative less `shift`."""
    minimal: Any
    minimal_slope: Any
    less: Any
    """Of the minimal function; of its derivative less `shift`."""
    shift: Any


def _start(z: jax.Array, sign: int) -> tuple[Any, Any, Any, Any]:
    """Times z, the dominant function of orders -1 and 0 and the minimal one.

    Of k and i without the factors exp(-z) and exp(z).
    """
    if sign < 0:
        sine, cosine = sine_and_cosine(z)
        return sine, -cosine, cosine, sine
    even = jnp.full_like(z, math.pi / 2)
    decay = jnp.exp(-2 * z)
    return even, even, -(1 + decay) / 2, (1 - decay) / 2


def _size(z: jax.Array) -> jax.Array:
    return jnp.maximum(jnp.abs(z.real), jnp.abs(z.imag)) if jnp.iscomplexobj(z) else jnp.abs(z)


def _functions(n: jax.Array, z: jax.Array, sign: int) -> _Pair:
    """For orders n >= 0, and z > 0 (sign -1) or Re z >= 0 (sign 1)."""
    size = jnp.abs(z)
    b = binary_exponent(z)
    ratio, square = two_to(b) / z, two_to(2 * b)
    far = size >= (n + 1 if sign < 0 else (n + 1) ** 2 + 8)

    def up(state: tuple[Any, ...]) -> tuple[Any, ...]:
        m, below, here, exponent, far_below, far_here = state
        active = m <= n
        above = (2 * m + 1) * ratio * here + sign * square * below
        grown = _size(above) > 2.0**_BITS
        by = jnp.where(grown, 2.0**-_BITS, 1.0)
        far_above = (2 * m + 1) / z * far_here + sign * far_below
        return (
            m + 1,
            jnp.where(active, here * by, below),
            jnp.where(active, above * by, here),
            jnp.where(active & grown, exponent + _BITS, exponent),
            jnp.where(active, far_here, far_below),
            jnp.where(active, far_above, far_here),
        )

    below, here, far_below, far_here = _start(z, sign)
    last = jnp.max(n, initial=0.0)
    # Of order -1 there is a factor q less.
    state = (
        0.0 * last,
        below / two_to(b) * ratio,
        here * ratio,
        0 * b,
        far_below / z,
        far_here / z,
    )
    _, here, above, exponent, far_here, far_above = jax.lax.while_loop(
        lambda state: state[0] <= last, up, state
    )

    if sign < 0:
        steps = jnp.ceil(8 * jnp.cbrt(size) + 12)
    else:
        steps = jnp.maximum(size - n, 0.0) + 8 * jnp.cbrt(size) + 12
        if not jnp.iscomplexobj(z):
            steps = jnp.minimum(steps, jnp.sqrt(n * n + 40 * size) - n + 12)
        steps = jnp.ceil(steps)
    steps = jnp.max(jnp.where(far, 0.0, steps), initial=0.0)

    def down(state: tuple[Any, ...]) -> tuple[Any, ...]:
        k, r = state
        return k - 1, 1 / ((2 * (n + k) + 1) * ratio + sign * square * r)

    _, r = jax.lax.while_loop(lambda state: state[0] > 0, down, (steps, jnp.zeros_like(ratio * n)))
    r = sign * square * r
    constant = math.pi / 2 if sign > 0 else -1.0
    minimal = constant * ratio * ratio / (above + r * here)
    slope = minimal * (n * ratio + r)
    turn = 1.0 if sign < 0 else jnp.where(n % 2 == 0, 1.0, -1.0)
    # Far out q is 1.
    far_slope = n / z * far_here - far_above
    less = -exponent + n * b
    return _Pair(
        here,
        n * ratio * here - above,
        exponent - (n + 1).astype(b.dtype) * b,
        jnp.where(far, turn * far_here, minimal),
        jnp.where(far, turn * far_slope, slope),
        jnp.where(far, 0, less),
        b,
    )


def _power(x: jax.Array, exponent: jax.Array) -> jax.Array:
    """The product with a power of two, of a complex number by parts."""
    if jnp.iscomplexobj(x):
        return jax.lax.complex(*scaled([x.real, x.imag], exponent))
    return scaled([x], exponent)[0]


def _kernel(evaluate: Callable[..., Any], ulps: float) -> Kernel:
    """Of orders 0 and more, up to where recurrences end."""

    def of_orders(n: jax.Array, z: jax.Array, *, derivative: bool) -> jax.Array:
        def of_block(n: jax.Array, z: jax.Array) -> jax.Array:
            return jnp.where(n >= 0, evaluate(jnp.maximum(n, 0.0), z, derivative), jnp.nan)

        return by_blocks(of_block, n.astype(np.float64), z)

    return device_kernel(ulps, conditioned=True)(of_orders)


def _inside(n: jax.Array, z: jax.Array) -> tuple[jax.Array, jax.Array, jax.Array]:
    """Whether there is a value, and where that is not so other arguments."""
    ahead = jnp.isfinite(jnp.abs(z)) & (z != 0)
    inside = ahead & (n < MOST_STEPS)
    return inside, jnp.where(inside, n, 0.0), jnp.where(ahead, z, 1.0)


def _vanishes(n: jax.Array, z: jax.Array) -> jax.Array:
    """Whether the order is so large that the functions are 0 and infinite."""
    return (n >= MOST_STEPS) & (jnp.abs(z) <= n / 2)


def _parity(n: jax.Array) -> jax.Array:
    return jnp.where(n % 2 == 0, 1.0, -1.0)


def _of_minimal(pair: _Pair, derivative: bool) -> jax.Array:
    if derivative:
        return _power(pair.minimal_slope, pair.less - pair.shift)
    return _power(pair.minimal, pair.less)


def _of_dominant(pair: _Pair, derivative: bool) -> jax.Array:
    if derivative:
        return _power(pair.dominant_slope, pair.exponent - pair.shift)
    return _power(pair.dominant, pair.exponent)


def _at_zero(n: jax.Array, derivative: bool) -> jax.Array:
    """Of j and i (DLMF 10.52.1)."""
    return jnp.where(n == 1, 1 / 3, 0.0) if derivative else jnp.where(n == 0, 1.0, 0.0)


def _grown(value: jax.Array, w: jax.Array) -> jax.Array:
    """The product with exp(w), which may overflow or vanish where this does not."""
    half = jnp.exp(w / 2)
    return value * half * half


# -- real arguments --------------------------------------------------------------------------------


def _jn(n: jax.Array, x: jax.Array, derivative: bool) -> jax.Array:
    inside, order, size = _inside(n, jnp.abs(x))
    value = _of_minimal(_functions(order, size, -1), derivative)
    beyond = jnp.where(jnp.isinf(x) | _vanishes(n, x), 0.0, jnp.nan)
    value = jnp.where(x == 0, _at_zero(n, derivative), jnp.where(inside, value, beyond))
    turn = _parity(n + 1 if derivative else n)
    return jnp.where(x < 0, turn * value, value)


def _yn(n: jax.Array, x: jax.Array, derivative: bool) -> jax.Array:
    inside, order, size = _inside(n, jnp.abs(x))
    value = _of_dominant(_functions(order, size, -1), derivative)
    pole = jnp.inf if derivative else -jnp.inf
    beyond = jnp.where((x == 0) | _vanishes(n, x), pole, jnp.where(jnp.isinf(x), 0.0, jnp.nan))
    value = jnp.where(inside, value, beyond)
    turn = _parity(n if derivative else n + 1)
    return jnp.where(x < 0, turn * value, value)


def _in(n: jax.Array, x: jax.Array, derivative: bool) -> jax.Array:
    inside, order, size = _inside(n, jnp.abs(x))
    value = _grown(_of_minimal(_functions(order, size, 1), derivative), size)
    beyond = jnp.where(jnp.isinf(x), jnp.inf, jnp.where(_vanishes(n, x), 0.0, jnp.nan))
    value = jnp.where(x == 0, _at_zero(n, derivative), jnp.where(inside, value, beyond))
    turn = _parity(n + 1 if derivative else n)
    return jnp.where(x < 0, turn * value, value)


def _turned(n: jax.Array, value: jax.Array, other: jax.Array, derivative: bool) -> jax.Array:
    """The function k of -w, or its derivative there, from k and pi i of w."""
    return _parity(n) * value + other if derivative else -_parity(n) * value - other


def _kn(n: jax.Array, x: jax.Array, derivative: bool) -> jax.Array:
    inside, order, size = _inside(n, jnp.abs(x))
    pair = _functions(order, size, 1)
    value = _grown(_of_dominant(pair, derivative), -size)
    other = math.pi * _grown(_of_minimal(pair, derivative), size)
    turned = _turned(n, value, other, derivative)
    pole = -jnp.inf if derivative else jnp.inf
    beyond = jnp.where((x == 0) | _vanishes(n, x), pole, jnp.where(jnp.isposinf(x), 0.0, jnp.nan))
    beyond = jnp.where(jnp.isneginf(x), -pole, beyond)
    return jnp.where(inside, jnp.where(x < 0, turned, value), beyond)


# -- complex arguments -----------------------------------------------------------------------------


def _to_the_right(z: jax.Array) -> jax.Array:
    return jnp.where(z.real < 0, -z, z)


def _quarters(n: jax.Array) -> jax.Array:
    """i^n."""
    return jnp.array([1, 1j, -1, -1j])[(n % 4).astype(int)]


def _known(value: jax.Array, n: jax.Array, z: jax.Array, derivative: bool) -> jax.Array:
    """Of j and i, which have values at 0 too."""
    inside = jnp.where(z == 0, _at_zero(n, derivative).astype(value.dtype), jnp.nan)
    inside = jnp.where(_vanishes(n, z) & (z != 0), 0.0, inside)
    return jnp.where(_inside(n, z)[0], value, inside)


def _both_cylinders(n: jax.Array, z: jax.Array, derivative: bool) -> tuple[Any, Any]:
    """Those of the first and of the second kind."""
    inside, order, zeta = _inside(n, z)
    below = zeta.imag < 0
    w = -1j * jnp.where(below, jnp.conj(zeta), zeta)
    pair = _functions(order, w, 1)
    # d/dz is -i d/dw.
    first = _quarters(order) * (-1j if derivative else 1)
    second = jnp.conj(_quarters(order)) * (-1j if derivative else 1) * (-2 / math.pi)
    j = first * _grown(_of_minimal(pair, derivative), w)
    hankel = second * _grown(_of_dominant(pair, derivative), -w)
    y = 1j * (j - hankel)
    values = (jnp.where(below, jnp.conj(value), value) for value in (j, y))
    j, y = (jnp.where(inside, value, jnp.nan) for value in values)
    return j, y


def _jn_in_plane(n: jax.Array, z: jax.Array, derivative: bool) -> jax.Array:
    return _known(_both_cylinders(n, z, derivative)[0], n, z, derivative)


def _yn_in_plane(n: jax.Array, z: jax.Array, derivative: bool) -> Any:
    return _both_cylinders(n, z, derivative)[1]


def _in_in_plane(n: jax.Array, z: jax.Array, derivative: bool) -> jax.Array:
    _, order, zeta = _inside(n, z)
    w = _to_the_right(zeta)
    value = _grown(_of_minimal(_functions(order, w, 1), derivative), w)
    turn = _parity(n + 1 if derivative else n)
    return _known(jnp.where(zeta.real < 0, turn * value, value), n, z, derivative)


def _kn_in_plane(n: jax.Array, z: jax.Array, derivative: bool) -> jax.Array:
    inside, order, zeta = _inside(n, z)
    w = _to_the_right(zeta)
    pair = _functions(order, w, 1)
    value = _grown(_of_dominant(pair, derivative), -w)
    other = math.pi * _grown(_of_minimal(pair, derivative), w)
    turned = _turned(n, value, other, derivative)
    return jnp.where(inside, jnp.where(zeta.real < 0, turned, value), jnp.nan)


spherical_jn, spherical_yn = _kernel(_jn, 40), _kernel(_yn, 40)
spherical_in, spherical_kn = _kernel(_in, 40), _kernel(_kn, 40)
spherical_jn_in_plane = _kernel(_jn_in_plane, 80)
spherical_yn_in_plane = _kernel(_yn_in_plane, 80)
spherical_in_in_plane = _kernel(_in_in_plane, 80)
spherical_kn_in_plane = _kernel(_kn_in_plane, 80)
