"""Derivatives of the exponentially scaled Airy functions.

By the definition they are differences such as eAi' = eAip + sqrt(z) eAi, whose terms cancel the
more the larger z. Far out the functions are their asymptotic series (DLMF 9.7), and
Ai is an integral (DLMF 9.5.7) from |z| = 1.5 on, whose derivatives lose nothing.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jaxsci._core.double_precision import tower
from jaxsci.special._numerics.plane import over, square_root

MIDDLE = 1.5
"""From here on |z| is in the domain of the integral."""
FAR = 9.0
"""From here on |z| is in the domain of the series: |zeta| is 18."""
STEP = 0.08
NODES = np.arange(100) * STEP
_TERMS = 30
_TURN = np.exp(2j * np.pi / 3)
_SIXTH = np.exp(1j * np.pi / 3)


def _coefficients() -> tuple[np.ndarray, np.ndarray]:
    """DLMF 9.7.2."""
    u = [1.0]
    for k in range(1, _TERMS):
        u.append(u[-1] * (6 * k - 5) * (6 * k - 3) * (6 * k - 1) / ((2 * k - 1) * 216 * k))
    v = [(6 * k + 1) / (1 - 6 * k) * c for k, c in enumerate(u)]
    return np.array(u), np.array(v)


U, V = _coefficients()
"""u_k and v_k for k = 0, 1, ..."""


def _zeta(z: jax.Array, r: jax.Array) -> jax.Array:
    """Of z and its square root."""
    return z * r * (2 / 3)


def _sums(t: jax.Array) -> Any:
    """The two series in powers of t, along a first axis."""

    # A loop, for unrolled the derivatives of complex polynomials take long to compile.
    def step(total: jax.Array, c: jax.Array) -> tuple[Any, None]:
        return total * t + c.reshape(-1, *[1] * t.ndim), None

    coefficients = jnp.asarray(np.stack([U, V], axis=-1)[::-1])
    return jax.lax.scan(step, jnp.stack([jnp.zeros_like(t)] * 2), coefficients)[0]


@tower("differentiated under the integral", r="n")
def airy_moment(r: jax.Array, *, n: int) -> Any:
    """The integral of (-t^2)^n exp(-r t^2) cos(t^3/3) over t > 0, over pi, for Re r >= 0.6.

    It is the n-th derivative in r of Ai(r^2) exp(2/3 r^3).
    """
    weights = (-(NODES**2)) ** n * np.cos(NODES**3 / 3) * STEP / np.pi
    weights[0] /= 2

    def add(total: jax.Array, node: tuple[jax.Array, jax.Array]) -> tuple[Any, None]:
        square, weight = node
        return total + weight * jnp.exp(-r * square), None

    nodes = (jnp.asarray(NODES**2), jnp.asarray(weights))
    return jax.lax.scan(add, jnp.zeros_like(r), nodes)[0]


# A complex square root is dozens of operations: those of z and of its root are taken once.


def _recessive(r: jax.Array, zeta: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Ai and Ai' times exp(zeta) at z = r^2, for |z| >= 1.5 and |arg z| <= 2 pi/3."""
    far = r.real * r.real + r.imag * r.imag >= FAR
    inside = jnp.where(far, math.sqrt(FAR), r)
    value = airy_moment(inside, n=0)
    near = value, over(airy_moment(inside, n=1), 2 * inside) - inside * value
    series = recessive_series(
        jnp.where(far, r, math.sqrt(FAR)), jnp.where(far, zeta, FAR**1.5 * (2 / 3))
    )
    return jnp.where(far, series[0], near[0]), jnp.where(far, series[1], near[1])


def recessive_series(r: jax.Array, zeta: jax.Array) -> tuple[jax.Array, jax.Array]:
    """DLMF 9.7.5 and 9.7.6."""
    root = square_root(r)
    half = 0.5 / math.sqrt(math.pi)
    of_value, of_slope = _sums(over(-1.0, zeta))
    return over(half, root) * of_value, -half * root * of_slope


def _dominant(z: jax.Array, r: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Bi and Bi' times exp(-|Re zeta|), near the positive axis (DLMF 9.7.7, 9.7.8)."""
    zeta, root = _zeta(z, r), square_root(r)
    factor: Any = 1 / math.sqrt(math.pi)
    if jnp.iscomplexobj(z):
        factor = factor * jnp.exp(1j * zeta.imag)
    of_value, of_slope = _sums(over(1.0, zeta))
    return over(factor, root) * of_value, factor * root * of_slope


def _ai_beyond(z: jax.Array, r: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Ai and Ai' times exp(zeta) for |z| >= 1.5, by a connection formula behind the sector."""
    if not jnp.iscomplexobj(z):
        return _recessive(r, _zeta(z, r))
    below = jnp.signbit(z.imag)
    z, r = jnp.where(below, jnp.conj(z), z), jnp.where(r.imag < 0, jnp.conj(r), r)
    ahead = z.real >= -0.5 * jnp.abs(z)
    zeta, nine = _zeta(z, r), FAR**1.5 * (2 / 3)
    behind, behind_zeta = (
        jnp.where(ahead, 1j * math.sqrt(FAR), r),
        jnp.where(ahead, -1j * nine, zeta),
    )
    # DLMF 9.2.12, at z/turn and z turn, whose zeta are -zeta and zeta. All at once compiles once.
    at = jnp.stack([jnp.where(ahead, r, math.sqrt(FAR)), behind * (1 / _SIXTH), -behind * _SIXTH])
    zetas = jnp.stack([jnp.where(ahead, zeta, nine), -behind_zeta, behind_zeta])
    plain, faster, slower = zip(*_recessive(at, zetas), strict=True)
    ratio = jnp.exp(2 * behind_zeta)
    turned = (
        _SIXTH * ratio * faster[0] + slower[0] * (1 / _SIXTH),
        ratio * faster[1] * (1 / _SIXTH) + slower[1] * _SIXTH,
    )
    values = [jnp.where(ahead, p, q) for p, q in zip(plain, turned, strict=True)]
    ai, aip = (jnp.where(below, jnp.conj(v), v) for v in values)
    return ai, aip


def airye_derivative(y: Sequence[jax.Array], z: jax.Array) -> Any:
    """The derivatives of eAi, eAip, eBi, eBip along the real and along the imaginary axis."""
    ai, aip, bi, bip = y
    is_complex = jnp.iscomplexobj(z)
    root = square_root(z if is_complex else jnp.where(z < 0, 0.0, z))
    a, ap = aip + root * ai, z * ai + root * aip
    zeta = z * root * (2 / 3)
    sign = jnp.sign(zeta.real)
    b, bp = bip - sign * root.real * bi, z * bi - sign * root.real * bip

    beyond = (jnp.abs(z) if is_complex else z) >= MIDDLE
    a, ap = _where(beyond, _slopes(_ai_beyond, *_at(z, root, beyond)), (a, ap))
    # Away from the positive axis, the terms do not cancel.
    ahead = beyond & (jnp.abs(z) >= FAR) & (z.real > 0) & (zeta.real > 2 / 3 * FAR**1.5)
    if not is_complex:
        b, bp = _where(ahead, _slopes(_dominant, *_at(z, root, ahead)), (b, bp))
        return (a, ap, b, bp), tuple(jnp.zeros_like(x) for x in y)
    ib, ibp = 1j * bip + sign * root.imag * bi, 1j * z * bi + sign * root.imag * bip
    both = jax.vmap(functools.partial(_slopes, _dominant, *_at(z, root, ahead)))(jnp.array([1, 1j]))
    (along_b, along_ib), (along_bp, along_ibp) = both
    b, bp, ib, ibp = _where(ahead, (along_b, along_bp, along_ib, along_ibp), (b, bp, ib, ibp))
    return (a, ap, b, bp), (1j * a, 1j * ap, ib, ibp)


def _at(z: jax.Array, root: jax.Array, inside: jax.Array) -> tuple[jax.Array, jax.Array]:
    return jnp.where(inside, z, 2 * FAR), jnp.where(inside, root, math.sqrt(2 * FAR))


def _slopes(
    function: Callable[..., Any], z: jax.Array, r: jax.Array, direction: jax.Array | float = 1
) -> tuple[jax.Array, jax.Array]:
    """Of a function of z and its root."""
    return jax.jvp(function, (z, r), (jnp.full_like(z, direction), over(direction, 2 * r)))[1]


def _where(
    condition: jax.Array, values: Sequence[jax.Array], others: Sequence[jax.Array]
) -> list[jax.Array]:
    return [jnp.where(condition, p, q) for p, q in zip(values, others, strict=True)]
