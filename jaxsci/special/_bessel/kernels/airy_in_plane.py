"""Airy functions of complex argument, by JAX operations.

In the upper half plane the functions are combinations of two solutions that neither vanish nor
cancel,

    P = exp(-zeta) p,   Q = exp(zeta) q,   zeta = 2/3 z sqrt(z):

Q is Ai(z exp(-2 pi i/3)), and P is Ai(z) up to the phase 2 pi/3 of z and Ai(z exp(2 pi i/3)) from
there on (DLMF 9.2.10 to 9.2.12). Their factors p and q are integrals or asymptotic series
(`_bessel/kernels/airy_scaled.py`). Near 0 is Maclaurin's series (DLMF 9.4), below the real axis the
conjugate.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from jaxsci.special._bessel.kernels.airy_scaled import (
    FAR,
    MIDDLE,
    NODES,
    STEP,
    recessive_series,
)
from jaxsci.special._catalog.kernel import device_kernel
from jaxsci.special._numerics import taylor
from jaxsci.special._numerics.double_double import Doubled, exactly
from jaxsci.special._numerics.elementary import two_thirds
from jaxsci.special._numerics.plane import over, square_root

_TERMS = 13
_AI, _AIP = 0.355028053887817239, 0.258819403792806798
"""Ai(0) and -Ai'(0) (DLMF 9.2.3, 9.2.4)."""
_THIRD, _SIXTH, _FIVE_SIXTHS = (np.exp(1j * math.pi * k / 6) for k in (2, 1, 5))
"""Of pi."""
_AHEAD = np.array([(1.0, 0.0), (1.0, 0.0), (1j, 2 / _SIXTH), (1j, 2 / _FIVE_SIXTHS)])
"""What Ai, Ai', Bi and Bi' are of P and Q, and of their derivatives."""
_BEHIND = np.array(
    [
        (1 / _THIRD, _THIRD),
        (_THIRD, 1 / _THIRD),
        (_SIXTH, 1 / _SIXTH),
        (_FIVE_SIXTHS, 1 / _FIVE_SIXTHS),
    ]
)


class _Solutions(NamedTuple):
    """The factors p and q of the two solutions, and those of their derivatives."""

    zeta: jax.Array
    rest: jax.Array
    """What rounding has left of zeta."""
    ahead: jax.Array
    """Whether the phase of z is at most 2 pi/3."""
    first: jax.Array
    second: jax.Array

    def combined(self, growth_of_first: Any, growth_of_second: Any) -> jax.Array:
        """Ai, Ai', Bi and Bi' with exponentials in place of exp(-zeta) and exp(zeta)."""
        p, q = taylor.once(growth_of_first * self.first, growth_of_second * self.second)
        of_p, of_q = (
            jnp.where(self.ahead, _along(_AHEAD[:, k], p), _along(_BEHIND[:, k], p))
            for k in range(2)
        )
        return of_p * jnp.concatenate([p, p]) + of_q * jnp.concatenate([q, q])


def _along(column: np.ndarray, like: jax.Array) -> jax.Array:
    """Numbers along the first axis."""
    return jnp.reshape(jnp.asarray(column), (-1,) + (1,) * (like.ndim - 1))


def _recessive(r: jax.Array, zeta: jax.Array) -> tuple[jax.Array, ...]:
    """Ai and Ai' times exp(zeta) at r^2, by the integral of `airy_moment` and the series."""
    far = r.real * r.real + r.imag * r.imag >= FAR
    inside = jnp.where(far, math.sqrt(FAR), r)
    squares = NODES**2
    weights = np.cos(NODES**3 / 3) * STEP / math.pi
    weights[0] /= 2

    def add(sums: tuple[Any, Any], node: tuple[jax.Array, jax.Array]) -> tuple[Any, None]:
        square, weight = node
        term = weight * jnp.exp(-inside * square)
        return (sums[0] + term, sums[1] - square * term), None

    zero = jnp.zeros_like(inside)
    moments, _ = jax.lax.scan(add, (zero, zero), (jnp.asarray(squares), jnp.asarray(weights)))
    near = moments[0], over(moments[1], 2 * inside) - inside * moments[0]
    outside = jnp.where(far, r, math.sqrt(FAR)), jnp.where(far, zeta, FAR**1.5 * (2 / 3))
    beyond = recessive_series(*outside)
    return taylor.once(*(jnp.where(far, a, b) for a, b in zip(beyond, near, strict=True)))


def _zeta(z: jax.Array, root: jax.Array) -> tuple[jax.Array, jax.Array]:
    """2/3 z^(3/2) and what its rounding leaves: where it is large, its smaller part has digits."""
    doubled = exactly(root)
    left = (exactly(z) - doubled * doubled).rounded()
    product = exactly(z) * doubled
    whole, third = two_thirds(product.hi)
    rest = Doubled(third, product.lo * (2 / 3)).rounded() + root * left / 3
    return jax.lax.complex(whole[0], whole[1]), rest


def _solutions(z: jax.Array) -> _Solutions:
    """Of Im z >= 0, |z| >= 3/2."""
    (root,) = taylor.once(square_root(z))
    zeta, rest = taylor.once(*_zeta(z, root))
    ahead = z.real >= -0.5 * jnp.abs(z)
    roots = jnp.stack([jnp.where(ahead, root, root * _THIRD**-2), root * _THIRD**-1])
    values, slopes = _recessive(*taylor.once(roots, jnp.stack([zeta, -zeta])))
    first, second = (jnp.stack([values[k], slopes[k]]) for k in range(2))
    return _Solutions(zeta, rest, ahead, first, second)


def _coefficients() -> list[list[float]]:
    """Those of f, g and of their derivatives, in powers of z^3."""
    f, g = [1.0], [1.0]
    for k in range(1, _TERMS):
        f.append(f[-1] / ((3 * k - 1) * 3 * k))
        g.append(g[-1] / ((3 * k + 1) * 3 * k))
    slope_of_f = [*(3 * k * c for k, c in enumerate(f) if k), 0.0]
    return [f, g, slope_of_f, [(3 * k + 1) * c for k, c in enumerate(g)]]


def _near(z: jax.Array) -> jax.Array:
    """Maclaurin's series."""
    square = z * z
    t = square * z
    sums: Any = 0.0
    for column in np.array(_coefficients()).T[::-1]:
        sums = sums * t + _along(column, t[None])
    f, g, fp, gp = sums
    even, odd = (_AI * f, _AI * (square * fp)), (_AIP * (z * g), _AIP * gp)
    ai, aip = (a - b for a, b in zip(even, odd, strict=True))
    bi, bip = (math.sqrt(3) * (a + b) for a, b in zip(even, odd, strict=True))
    return jnp.stack([ai, aip, bi, bip])


def _finished(z: jax.Array, near: jax.Array, far: jax.Array) -> tuple[jax.Array, ...]:
    """One of them, and its conjugate below the axis."""
    value = jnp.where(jnp.abs(z) < MIDDLE, near, far)
    (value,) = taylor.once(jnp.where(jnp.signbit(z.imag), jnp.conj(value), value))
    return tuple(value)


def _upper(z: jax.Array) -> jax.Array:
    return jax.lax.complex(z.real, jnp.abs(z.imag))


def _inside(z: jax.Array) -> jax.Array:
    return jnp.where(jnp.abs(z) < MIDDLE, z, 0.0)


def _outside(z: jax.Array) -> jax.Array:
    return jnp.where(jnp.abs(z) < MIDDLE, 2 * MIDDLE, z)


@device_kernel(ulps=12, conditioned=True)
def airy(z: jax.Array) -> tuple[jax.Array, ...]:
    """Ai, Ai', Bi and Bi'."""
    upper = _upper(z)
    at = _solutions(_outside(upper))
    # The exponential may overflow or vanish where the product does not.
    half, inverse = taylor.once(
        jnp.exp(at.zeta / 2) * (1 + at.rest / 2), jnp.exp(at.zeta / -2) * (1 - at.rest / 2)
    )
    # In two steps, for neither is the value itself.
    scaled = at._replace(first=inverse * at.first, second=half * at.second)
    return _finished(z, _near(_inside(upper)), scaled.combined(inverse, half))


@device_kernel(ulps=12, conditioned=True)
def airye(z: jax.Array) -> tuple[jax.Array, ...]:
    """exp(zeta) Ai and Ai', exp(-|Re zeta|) Bi and Bi'."""
    upper = _upper(z)
    at = _solutions(_outside(upper))
    # For one exponential where Ai is the other solution, and for what Bi has of the smaller one.
    (behind,) = taylor.once(jnp.exp(2 * jnp.where(at.ahead, 0.0, at.zeta)) * (1 + 2 * at.rest))
    of_ai = at.combined(1.0, jnp.where(at.ahead, 0.0, behind))
    (phase,) = taylor.once(jnp.exp(1j * at.zeta.imag) * (1 + 1j * at.rest.imag))
    right = at.zeta.real > 0
    side = jnp.where(right, -2.0, 2.0)
    smaller = jnp.exp(side * at.zeta.real) * (1 + side * at.rest.real)
    growing, decaying = jnp.where(right, 1.0, smaller), jnp.where(right, smaller, 1.0)
    of_bi = at.combined(decaying * jnp.conj(phase), growing * phase)
    inside = _inside(upper)
    zeta = inside * square_root(inside) * (2 / 3)
    growth, decay = taylor.once(jnp.exp(zeta), jnp.exp(-jnp.abs(zeta.real)).astype(zeta.dtype))
    near = _near(inside) * jnp.stack([growth, growth, decay, decay])
    return _finished(z, near, jnp.concatenate([of_ai[:2], of_bi[2:]]))
