"""Kummer's and Gauss's functions in 32 digits, by Taylor steps along the ray from the origin.

For the values of `hyp1f1` and `hyp2f1` where SciPy's are wrong, and on devices. Series cancel, and
so do connection formulas; solving the differential equation loses digits where another solution
grows faster, and 32 digits last. A second solution with other steps shows how many were lost.

The ray is sz for 0 <= s <= 1, and the equation one in s, whose steps are real.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci._core.types import PyTree
from jaxsci.special._numerics.double_double import (
    Doubled,
    exactly,
    product,
    stacked,
    taken_apart,
    unpacked,
)
from jaxsci.special._numerics.vectorised import root_as_divisor

_MOST_TERMS = 500.0
_MOST_STEPS = 300
_SMALL = 1e-33
_SHORTER = 0.77


@dataclass(frozen=True)
class Equation:
    """The recurrence of Taylor coefficients about sz, times powers of the step.

    (k + 1)(k + 2) u_{k+2} = factor (P - first(k) Q) - (with_upper P + second(k) Q), where P is
    d^2 upper(k) u_k and Q is d (k + 1) u_{k+1}, for steps of d s. About the origin it is
    (k + 1)(k + lower) u_{k+1} = d z upper(k) u_k.
    """

    upper: Callable[[Any], Doubled]
    lower: Doubled
    factor: Callable[[Doubled], Doubled]
    """Of sz."""
    first: Callable[[Any], Doubled]
    second: Callable[[Any], Doubled]
    with_upper: bool
    longest: Callable[[Any], Any]
    """The longest step from sz, as a part of s."""
    reach: Any
    """How far from the origin the power series goes."""
    settled: Any
    """From which term on those of the power series fall off, or rise, all the way."""


def kummer(
    a: jax.Array | Doubled,
    b: jax.Array,
    z: jax.Array,
    whole: jax.Array | bool = False,
    conditioned: bool = False,
) -> tuple[jax.Array, jax.Array]:
    """M(a, b, z) for real a and b (DLMF 13.2.1), and the relative error, about.

    Args:
        a: parameter, which may have 32 digits.
        b: parameter; 0, -1, -2, ... if the series ends before its terms divide by zero.
        z: argument.
        whole: where the power series goes all the way, for it ends.
        conditioned: whether the error is relative to what a change of z by a part of it makes, too.
    """
    da, b, z, whole, pace = _twice(_doubled(a), b, z, jnp.broadcast_to(whole, b.shape))
    size_of_a, db = jnp.abs(da.hi[0]), exactly(b)

    size = jnp.abs(z)
    steepest, waves = 1 / (3 + jnp.abs(b) / 8), 12 / root_as_divisor((1 + size_of_a) * size)

    def longest(s: jax.Array) -> jax.Array:
        return jnp.minimum(jnp.minimum(steepest, 12 / (s * size)), waves / root_as_divisor(s))

    equation = Equation(
        upper=lambda k: da + _integer(k, b),
        lower=db,
        factor=lambda y: y,
        first=lambda k: _integer(-1.0, b),
        second=lambda k: db + _integer(k, b),
        with_upper=False,
        longest=longest,
        reach=jnp.where(
            whole, jnp.inf, jnp.minimum(8.0, 100 * (1 + jnp.abs(b) / 4) / (1e-300 + size_of_a))
        ),
        settled=jnp.maximum(-da.hi[0], -b),
    )
    return _judged(_solve(equation, z, pace, size), conditioned)


def gauss(
    a: jax.Array | Doubled,
    b: jax.Array | Doubled,
    c: jax.Array,
    z: jax.Array,
    whole: jax.Array | bool = False,
    conditioned: bool = False,
) -> tuple[jax.Array, jax.Array]:
    """F(a, b; c; z) for real a, b and c (DLMF 15.10.1), and the relative error, about.

    Args:
        a: parameter, which may have 32 digits.
        b: parameter, which may have 32 digits.
        c: parameter; 0, -1, -2, ... if the series ends before its terms divide by zero.
        z: argument.
        whole: where the power series goes all the way, for it ends.
        conditioned: whether the error is relative to what a change of z by a part of it makes, too.
    """
    da, db, c, z, whole, pace = _twice(
        _doubled(a), _doubled(b), c, z, jnp.broadcast_to(whole, c.shape)
    )
    upper, other, dc = da.hi[0], db.hi[0], exactly(c)
    total = da + db + _integer(1.0, c)
    rest = dc - total

    def factor(y: Doubled) -> Doubled:
        one = _integer(1.0, c)
        return one / ((one.as_complex() if y.is_complex else one) - y)

    size = jnp.abs(z)
    steepest = 1 / (3 + jnp.abs(c) / 8)
    steepest_at_one = 1 / (size * (3 + jnp.abs(c - upper - other) / 8))
    waves = 12 / root_as_divisor(size * (1 + jnp.abs(upper * other)))

    def longest(s: jax.Array) -> jax.Array:
        # No farther than 1 is, at most.
        one = jnp.maximum(jnp.abs(1 - s * z.real), jnp.abs(s * z.imag))
        by_singularities = jnp.minimum(steepest, one * steepest_at_one / s)
        return jnp.minimum(by_singularities, waves * jnp.sqrt(one / s))

    equation = Equation(
        upper=lambda k: (da + _integer(k, c)) * (db + _integer(k, c)),
        lower=dc,
        factor=factor,
        first=lambda k: rest - _integer(k, c),
        second=lambda k: total + _integer(2 * k, c),
        with_upper=True,
        longest=longest,
        reach=jnp.where(
            whole,
            jnp.inf,
            jnp.minimum(0.35, 30 * (1 + jnp.abs(c) / 4) / (1e-300 + jnp.abs(upper * other))),
        ),
        settled=jnp.maximum(jnp.maximum(-upper, -other), -c),
    )
    return _judged(_solve(equation, z, pace, size), conditioned)


def _integer(k: jax.Array | float, like: jax.Array) -> Doubled:
    return exactly(k + 0 * like)


def _doubled(x: jax.Array | Doubled) -> Doubled:
    return x if isinstance(x, Doubled) else exactly(x)


def _twice(*args: Any) -> list[Any]:
    """The arguments, and once more, with the pace of each: the second steps are shorter."""
    n = args[-1].size

    def twice(x: jax.Array) -> jax.Array:
        # A broadcast is no program of its own, as a concatenation of each would be.
        return jnp.broadcast_to(x[..., None, :], (*x.shape[:-1], 2, n)).reshape(
            *x.shape[:-1], 2 * n
        )

    return [*jax.tree.map(twice, list(args)), jnp.where(jnp.arange(2 * n) < n, 1.0, _SHORTER)]


def _judged(found: Sequence[jax.Array], conditioned: bool) -> tuple[jax.Array, jax.Array]:
    """One of two values of the same, and how far they are apart."""
    value, slope, lost = found
    one, other = jnp.split(value, 2)
    unit = jnp.abs(one)
    if conditioned:
        unit = unit + jnp.abs(jnp.split(slope, 2)[0])
    return one, (jnp.abs(one - other) + jnp.maximum(*jnp.split(lost, 2))) / unit


def _solve(
    equation: Equation, z: jax.Array, pace: jax.Array, size: jax.Array
) -> tuple[Any, Any, jax.Array]:
    """The solution at z and z times its derivative, rounded, and what the last series has lost."""

    def unfinished(carry: Sequence[jax.Array]) -> jax.Array:
        n, s, *_ = carry
        return jnp.any(s < 1) & (n < _MOST_STEPS)

    reach = pace * equation.reach / size

    def step(carry: Sequence[jax.Array]) -> Any:
        n, s, value, slope, loss = carry
        to = jnp.where(s == 0, reach, s + s * pace * equation.longest(s))
        to = jnp.where(to < 1, to, 1.0)
        moved, turned, lost = _series(equation, z, s, to, value, slope)
        active = s < 1
        return n + 1, to, moved, jnp.where(active, turned, slope), jnp.where(active, lost, loss)

    one, none = exactly(jnp.ones_like(z)).packed(), exactly(jnp.zeros_like(z)).packed()
    zero = jnp.zeros_like(size)
    _, s, value, slope, loss = jax.lax.while_loop(unfinished, step, (0, zero, one, none, zero))
    loss = jnp.where(s == 1, loss, jnp.inf)
    return unpacked(value).rounded(), unpacked(slope).rounded(), loss


def _series(
    equation: Equation,
    z: jax.Array,
    s: jax.Array,
    to: jax.Array,
    value: jax.Array,
    slope: jax.Array,
) -> tuple[Any, Any, Any]:
    """One step: the solution and its derivative in s, and the error of its sum."""
    origin = s == 0
    d = jnp.where(to > s, to - s, 1.0)  # exact
    way = product(z, jnp.where(origin, to, s))
    factor = jnp.where(origin, way.packed(), equation.factor(way).packed())
    quotient = exactly(d) / exactly(jnp.where(origin, 1.0, s))
    part = jnp.where(origin, 0, quotient.packed())
    square = jnp.where(origin, 1, (quotient * quotient).packed())

    powers = jnp.stack([square, part, part], 1)

    def numbers(k: jax.Array) -> jax.Array:
        """What u_k and u_{k+1} are multiplied by."""
        lower, following = equation.lower + _integer(k, s), _integer(k + 2, s)
        # Where that is zero, terms are too.
        lower = lower.where(lower.hi != 0, _integer(1.0, s))
        below = stacked([lower.where(origin, following).by(k + 1), following, following])
        # Together, for a compiler has a third of the operations to think about then.
        above = stacked([equation.upper(k), equation.first(k), equation.second(k)])
        return (above * unpacked(powers) / below).packed()

    def add(carry: PyTree) -> Any:
        # The sums are up to k; u and v are terms k and k + 1, about the origin k - 1 and k.
        k, u, v, coefficients, total, turned, biggest = carry
        v = unpacked(v)
        terms = stacked([v.where(origin, unpacked(u)), v, v])
        p, first, second = taken_apart(unpacked(coefficients) * terms)
        w = unpacked(factor) * (p - first) - second
        if equation.with_upper:
            w = w - exactly(jnp.zeros_like(z)).where(origin, p)
        return (
            k + 1,
            v.packed(),
            jnp.where(k < 0, next_one, w.packed()),
            numbers(k + 1),
            (unpacked(total) + v).packed(),
            (unpacked(turned) + v.by(jnp.where(origin, k, k + 1))).packed(),
            jnp.maximum(biggest, v.size()),
        )

    def going(carry: PyTree) -> jax.Array:
        k, u, v, _, total, _, _ = carry
        small = unpacked(u).size() + unpacked(v).size() <= _SMALL * unpacked(total).size()
        settled = (k > 0) & (~origin | (k > equation.settled + 2))
        return jnp.any(~(small & settled) & (to > s)) & (k < _MOST_TERMS)

    none = jnp.zeros_like(value)
    next_one = jnp.where(origin, value, (unpacked(slope) * exactly(d)).packed())
    start = (
        -1.0,
        none,
        jnp.where(origin, none, value),
        jnp.zeros_like(powers),
        none,
        none,
        jnp.zeros_like(s),
    )
    _, _, _, _, total, turned, biggest = jax.lax.while_loop(going, add, start)
    lost = 1e-31 * biggest
    return jnp.where(to > s, total, value), (unpacked(turned) / exactly(d)).packed(), lost
