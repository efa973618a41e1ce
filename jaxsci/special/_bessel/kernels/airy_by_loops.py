"""Ai, Ai', Bi and Bi' of modest real arguments, by loops instead of long expressions.

`_bessel/kernels/airy_on_device.py` takes a second to compile. Here Taylor's series lead from a grid
of points to all arguments up to 5.25, and the same expansions serve beyond (DLMF 9.7).
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jaxsci.special._bessel.kernels import airy_tables as tables
from jaxsci.special._numerics import taylor
from jaxsci.special._numerics.polynomials import Piece, horner

_NEAR, _FAR = 0.5, 5.25
_SPACING, _TERMS = 0.75, 20
_TINY = 1e-100


def airy(x: jax.Array) -> list[Any]:
    """Ai, Ai', Bi and Bi' for |x| < 100, where exp(2/3 |x|^(3/2)) does not overflow."""
    size = jnp.maximum(jnp.abs(x), _FAR)
    root = jnp.sqrt(size)
    quarter = jnp.sqrt(root)
    zeta, quarter = taylor.once(2 / 3 * size * root, quarter)
    pieces = (tables.AI_FAR, tables.AIP_FAR, tables.BI_FAR, tables.BIP_FAR)
    decay, growth = jnp.exp(-zeta), jnp.exp(zeta)
    exponentials = (decay / quarter, decay * quarter, growth / quarter, growth * quarter)
    values = _together(pieces, 1 / (size * root))
    right = [value * e for value, e in zip(values, exponentials, strict=True)]
    r = 1 / zeta
    p, q, t, u = _together((tables.EVEN, tables.ODD, tables.EVEN_SLOPE, tables.ODD_SLOPE), r * r)
    c, s = taylor.once(jnp.cos(zeta), jnp.sin(zeta))
    c, s, q, u = c + s, s - c, q * r, u * r
    front, slope = math.sqrt(0.5) / quarter, math.sqrt(0.5) * quarter
    left = [
        front * (p * c + q * s),
        slope * (t * s - u * c),
        front * (q * c - p * s),
        slope * (t * c + u * s),
    ]
    near = _from_the_grid(jnp.clip(x, -_FAR, _FAR))
    return [
        jnp.where(x > _FAR, a, jnp.where(x < -_FAR, b, c))
        for a, b, c in zip(right, left, near, strict=True)
    ]


def _together(pieces: Sequence[Piece], u: jax.Array) -> list[Any]:
    """Polynomials at one argument."""
    longest = max(len(piece.coefficients) for piece in pieces)
    rows = np.zeros((longest, len(pieces)))
    for i, piece in enumerate(pieces):
        rows[: len(piece.coefficients), i] = piece.coefficients
    table = jnp.asarray(rows[::-1])
    scaled = [
        (u - (piece.start + piece.end) / 2) * (2 / (piece.end - piece.start)) for piece in pieces
    ]

    def inwards(k: jax.Array, values: jax.Array) -> Any:
        row = table[k]
        return [value * t + row[i] for i, (value, t) in enumerate(zip(values, scaled, strict=True))]

    return jax.lax.fori_loop(0, longest, inwards, [jnp.zeros_like(u)] * len(pieces))


@functools.cache
def _grid() -> np.ndarray:
    """The points from -5.25 to 5.25, and the four functions there."""
    points = np.arange(-_FAR, _FAR + _SPACING / 2, _SPACING)
    return np.array([(x, *_at(float(x))) for x in points]).T


def _at(x: float) -> list[float]:
    near = (tables.AI, tables.AIP, tables.BI, tables.BIP)
    scaled = (tables.AI_SCALED, tables.AIP_SCALED, tables.BI_SCALED, tables.BIP_SCALED)
    if x <= _NEAR:
        return [_piecewise(pieces, x) for pieces in near]
    zeta, quarter = 2 / 3 * x**1.5, x**0.25
    decay, growth = math.exp(-zeta), math.exp(zeta)
    factors = (decay / quarter, decay * quarter, growth / quarter, growth * quarter)
    return [_piecewise(pieces, x) * f for pieces, f in zip(scaled, factors, strict=True)]


def _piecewise(pieces: Sequence[Piece], x: float) -> float:
    piece = next(piece for piece in pieces if x <= piece.end or piece is pieces[-1])
    middle, half = (piece.start + piece.end) / 2, (piece.end - piece.start) / 2
    return horner(piece.coefficients, (x - middle) / half)  # type: ignore[arg-type]


def _from_the_grid(x: jax.Array) -> list[Any]:
    """By Taylor's series of solutions of y'' = x y."""
    nearest = jnp.round((x + _FAR) / _SPACING).astype(int)
    start, ai, aip, bi, bip = (jnp.asarray(row)[nearest] for row in _grid())
    h = x - start
    h = jnp.where(jnp.abs(h) < _TINY, _TINY, h)
    by, cube = start * h * h, h * h * h

    def further(n: jax.Array, state: Any) -> Any:
        out = []
        for before, here, following, value, slope in state:
            last = (by * here + cube * before) / ((n + 1.0) * (n + 2.0))
            # Of powers n, n + 1, n + 2.
            out.append((here, following, last, value + last, slope + (n + 2.0) * last))
        return out

    zero = jnp.zeros_like(h)
    state = [(zero, y, h * slope, y + h * slope, h * slope) for y, slope in ((ai, aip), (bi, bip))]
    (*_, ai, aip), (*_, bi, bip) = jax.lax.fori_loop(0, _TERMS, further, state)
    return [ai, aip / h, bi, bip / h]
