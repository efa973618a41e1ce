"""K_v and E_v = (I_v + I_{-v})/2 near v = 0 or far from z = 0: derivatives in z and in the order.

Both are even in the order, so a sum over neighbouring orders would lose their derivatives. But
differentiation in z only puts a factor into the integrands of DLMF 10.32.9 and 10.32.4,

    K_v(z) = integral from 0 to infinity of exp(-z cosh t) cosh(v t) dt,
    pi E_v(z) = integral from 0 to pi of exp(z cos t) cos(v t) dt
                + sin(v pi) integral from 0 to infinity of exp(-z cosh t) sinh(v t) dt.

They are taken by Gauss' rule, the infinite ones along the path of `_bessel/kernels/macdonald.py`.
Far from z = 0 there is Hankel's expansion (DLMF 10.40), also of derivatives that are all but zero
because of exponential scaling.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci._core.types import PyTree
from jaxsci.special._bessel.kernels import hankel_expansion as cylinder
from jaxsci.special._bessel.kernels.macdonald import SteepestDescent
from jaxsci.special._bessel.kernels.modified import far_even
from jaxsci.special._numerics import taylor
from jaxsci.special._numerics.blocks import where_any
from jaxsci.special._numerics.compensated import added
from jaxsci.special._numerics.gauss_legendre import gauss_legendre

_NODES = 48
_PANEL = 5.0


def _value(operator: cylinder.Polynomial, d: jax.Array) -> jax.Array | float:
    return functools.reduce(lambda total, c: total * d + c, operator[::-1], 0.0)


def is_regular(v: jax.Array, z: jax.Array) -> jax.Array:
    """Where this module has its functions, in terms of |v| and of any z but 0 and infinity."""
    return (jnp.abs(v) < 0.5) | cylinder.is_far(v, z)


def even_parts(
    v: jax.Array,
    z: jax.Array,
    operators: Sequence[cylinder.Polynomial],
    m: int,
    second_alone: bool = False,
) -> list[tuple[list[Any], list[Any]]]:
    """For each operator, expansions of exp(z) operator(D) K_v(z), exp(-z) operator(D) E_v(z).

    Args:
        v: order, v >= 0.
        z: argument, Re z >= 0, of the same shape.
        operators: polynomials in D = d/dz.
        m: degree of the expansions.
        second_alone: whether that of E is not asked for, and stays 0.
    """
    zero = [jnp.zeros_like(z)] * (m + 1)
    operators = [[cylinder.simplified(c) for c in operator] for operator in operators]
    far = cylinder.is_far(v, z)

    def near() -> list[tuple[list[Any], list[Any]]]:
        order, inside = jnp.where(far, 0.0, v), jnp.where(far, 1.0, z)
        infinite = _infinite(order, inside, operators, m)
        if second_alone:
            return [(second, zero) for second, _ in infinite]
        decay = jnp.exp(-2 * inside)
        out = []
        for (second, odd), finite in zip(
            infinite, _finite(order, inside, operators, m), strict=True
        ):
            beside = taylor.product(taylor.sine(order, m), taylor.times(odd, decay))
            out.append((second, taylor.times(taylor.plus(finite, beside), 1 / math.pi)))
        return out

    def beyond() -> list[tuple[list[Any], list[Any]]]:
        outside = jnp.where(far, z, cylinder.FAR)
        decay = jnp.exp(-2 * outside)
        out = []
        for operator in operators:
            inner = cylinder.shifted_argument(operator, -1)
            second = cylinder.applied(
                lambda orders: cylinder.far_k_jets(v, outside, orders, m), inner
            )
            even = zero
            if not second_alone:
                even = far_even(v, outside, taylor.times(second, decay), operator)
            out.append((second, even))
        return out

    return where_any(far, beyond, where_any(~far, near, [(zero, zero)] * len(operators)))


def _infinite(
    v: jax.Array, z: jax.Array, operators: Sequence[cylinder.Polynomial], m: int
) -> list[tuple[list[Any], list[Any]]]:
    """The integrals with cosh(v t) and sinh(v t), times exp(z)."""
    path = SteepestDescent(z, m + max(map(len, operators)))
    nodes, weights = map(jnp.asarray, gauss_legendre(_NODES))
    panels = jnp.maximum(1, jnp.ceil(path.end / _PANEL))

    def add(k: Any, sums: PyTree) -> Any:
        panel, i = k // _NODES, k % _NODES
        part = jnp.minimum((panel + nodes[i]) / panels, 1.0)
        node = path.at(path.end * part)
        weight = jnp.where(panel < panels, path.end / panels * weights[i] * node.weight, 0.0)
        both = taylor.even_odd(v, node.t, m)
        cosh, _ = node.hyperbolic(jnp.zeros_like(node.s))
        pieces = [
            [taylor.times(row, weight * _value(operator, -cosh)) for row in both]
            for operator in operators
        ]
        return [
            [[added(*pair) for pair in zip(*rows, strict=True)] for rows in zip(*of, strict=True)]
            for of in zip(sums, pieces, strict=True)
        ]

    zero = jnp.zeros_like(z)
    start = [[[(zero, zero)] * (m + 1)] * 2] * len(operators)
    most = jnp.max(panels, initial=1.0).astype(int)
    sums = jax.lax.fori_loop(0, most * _NODES, add, start)
    return [([total for total, _ in even], [total for total, _ in odd]) for even, odd in sums]


def _finite(
    v: jax.Array, z: jax.Array, operators: Sequence[cylinder.Polynomial], m: int
) -> list[list[Any]]:
    """The integral with cos(v t), times exp(-z)."""
    nodes, weights = map(jnp.asarray, gauss_legendre(_NODES))

    def add(i: Any, sums: jax.Array) -> Any:
        u = nodes[i]
        weight = math.pi * weights[i]
        value = weight * jnp.exp(-2 * jnp.sin(math.pi / 2 * u) ** 2 * z)
        cosine = [u**k * c for k, c in enumerate(taylor.cosine(v * u, m))]
        pieces = [
            taylor.times(cosine, value * _value(operator, jnp.cos(math.pi * u)))
            for operator in operators
        ]
        return jax.tree.map(jnp.add, sums, pieces)

    zero = [[jnp.zeros_like(z)] * (m + 1)] * len(operators)
    return jax.lax.fori_loop(0, _NODES, add, zero)
