"""Gauss's and Kummer's functions F and M by their differential equations, differentiable by JAX.

From the power series about the origin, Taylor steps lead along a line to z. Nothing in them
divides by a difference of parameters, so JAX's derivatives in the parameters, of any order, have
the digits of the steps themselves. Towards a singular point errors grow as the other solution does,
which the derivatives contain.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp

_TERMS = 50
_REACH = 0.4
_ASIDE = 0.02
_TURN = 1.5
"""The longest step, over the length in which solutions turn by one radian."""


def gauss(a: Any, b: Any, c: Any, z: Any, rest: Any) -> Any:
    """F(a, b; c; z) for real parameters (DLMF 15.10.1), not differentiable in z.

    Args:
        a: parameter.
        b: parameter.
        c: parameter, not 0, -1, ...
        z: argument: real and below 1, or complex and not of [1, inf).
        rest: 1 - z, which may have more digits than that has.
    """
    a, b, c, z, rest = jnp.broadcast_arrays(a, b, c, z, rest)
    p, q, r = (jax.lax.stop_gradient(jnp.abs(t)) for t in (a, b, c))
    at_zero = _steepness(r)
    at_one = _steepness(jax.lax.stop_gradient(jnp.abs(c - a - b)))
    turns = 1 + jnp.sqrt(p * q)

    def longest(at: Any, beyond: Any) -> Any:
        there, beyond = jnp.abs(at), jnp.abs(beyond)
        wave = _TURN * jnp.sqrt(there * beyond) / turns
        return jnp.minimum(jnp.minimum(there / at_zero, beyond / at_one), wave)

    def equation(at: Any, beyond: Any, h: Any) -> Any:
        inner, outer = h / at, h / beyond
        both, constant = inner * outer, (c / at - (a + b + 1)) * outer

        def following(k: Any, f: Any, d: Any) -> Any:
            slope = (k + 1) * ((inner - outer) * k + constant)
            return ((k + a) * (k + b) * both * f - slope * d) / ((k + 1) * (k + 2))

        return following

    return _along_line(
        z,
        rest,
        jnp.minimum(_REACH, 2 * (r + 1) / ((p + 1) * (q + 1))),
        lambda k: (a + k) * (b + k) / ((c + k) * (k + 1)),
        equation,
        longest,
    )


def kummer(a: Any, b: Any, z: Any) -> Any:
    """M(a, b, z) for real parameters, real or complex z (DLMF 13.2.1); not differentiable in z."""
    a, b, z = jnp.broadcast_arrays(a, b, z)
    p, r = (jax.lax.stop_gradient(jnp.abs(t)) for t in (a, b))
    at_zero = _steepness(r)

    def longest(at: Any, beyond: Any) -> Any:
        there = jnp.abs(at)
        return jnp.minimum(there / at_zero, _TURN / (1 + jnp.sqrt(p / there)))

    def equation(at: Any, beyond: Any, h: Any) -> Any:
        inner = h / at
        square, constant = inner * h, b * inner - h

        def following(k: Any, f: Any, d: Any) -> Any:
            return ((k + a) * square * f - (k + 1) * (k * inner + constant) * d) / (
                (k + 1) * (k + 2)
            )

        return following

    return _along_line(
        z,
        1 - z,
        jnp.minimum(1.5, 2 * (r + 1) / (p + 1)),
        lambda k: (a + k) / ((b + k) * (k + 1)),
        equation,
        longest,
    )


def _steepness(exponent: Any) -> Any:
    """How many steps the way to a singularity takes: the other solution has this exponent there."""
    return 2.5 + exponent / 4


def _along_line(
    z: Any,
    rest: Any,
    reach: Any,
    ratio: Callable[[Any], Any],
    equation: Callable[[Any, Any, Any], Callable[[Any, Any, Any], Any]],
    longest: Callable[[Any, Any], Any],
) -> Any:
    """A solution's value at z.

    Args:
        z: where to.
        rest: 1 - z.
        reach: how far from the origin the power series serves.
        ratio: of its coefficients k + 1 and k.
        equation: of a point, 1 minus the point and a step: the term k + 2 of the Taylor series,
            from k and the terms k and k + 1.
        longest: the longest step from a point, and 1 minus the point.
    """
    length = jnp.abs(z)
    ray = jnp.where(length == 0, 1.0, z / jnp.where(length == 0, 1.0, length))
    first = jnp.minimum(length, reach) * ray
    way = jnp.maximum(length - reach, 0.0)
    if jnp.iscomplexobj(z):
        # Around 1, if that is on the way.
        close = (z.real > 1) & (jnp.abs(z.imag) < _ASIDE * z.real)
        aside = reach * jax.lax.complex(1.0, jnp.where(z.imag < 0, -_ASIDE, _ASIDE))
        first = jnp.where(close, aside, first)
        ray = jnp.where(close, (z - aside) / jnp.abs(z - aside), ray)
        way = jnp.where(close, jnp.abs(z - aside), way)
    value, slope = _at_origin(ratio, first)

    def step(carry: Any) -> Any:
        at, left, value, slope = carry  # left: of the way
        active = left > 0
        point = jnp.where(active, at, 0.5 * ray)
        beyond = jnp.where(active, rest + left * ray, 1 - point)
        most = longest(point, beyond)
        last = left <= most
        width = jnp.where(last, left, most)
        h = jnp.where(active, width, 1e-3) * ray
        moved, turned = _taylor(equation(point, beyond, h), h, value, slope)
        return (
            jnp.where(active, at + width * ray, at),
            jnp.where(active, jnp.where(last, 0.0, left - width), left),
            jnp.where(active, moved, value),
            jnp.where(active, turned, slope),
        )

    start = (first, way, value, slope)
    return jax.lax.while_loop(lambda carry: jnp.any(carry[1] > 0), step, start)[2]


def _at_origin(ratio: Callable[[Any], Any], z: Any) -> Any:
    """The power series and its derivative."""

    def add(carry: Any, k: Any) -> Any:
        term, value, slope = carry  # term is the k-th
        factor = term * ratio(k)
        return (factor * z, value + term, slope + factor * (k + 1)), None

    start = jnp.ones_like(z), jnp.zeros_like(z), jnp.zeros_like(z)
    (_, value, slope), _ = jax.lax.scan(add, start, jnp.arange(float(_TERMS)))
    return value, slope


def _taylor(following: Callable[[Any, Any, Any], Any], h: Any, value: Any, slope: Any) -> Any:
    """One step: the function and its derivative at at + h."""

    def add(carry: Any, k: Any) -> Any:
        f, d, value, slope = carry  # terms k and k + 1
        return (d, following(k, f, d), value + f, slope + (k + 1) * d), None

    zero = jnp.zeros_like(h)
    start = value, h * slope, zero, zero
    (_, _, moved, turned), _ = jax.lax.scan(add, start, jnp.arange(float(_TERMS)))
    return moved, turned / h
