"""Legendre functions of the second kind, of integer degree and order (DLMF 14.3.2, 14.3.7)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import scipy.special

from jaxsci._core.double_precision import native
from jaxsci._core.elementwise_rules import closed
from jaxsci._core.types import PyTree
from jaxsci.special._catalog.decorators import (
    Flaw,
    OnHost,
    Samples,
    elementwise,
    leading,
    rule,
)
from jaxsci.special._catalog.domains import Complexes, Reals
from jaxsci.special._catalog.mending import by_own
from jaxsci.special._catalog.types import Array, Complex, StaticInt
from jaxsci.special._legendre.kernels.terms import INTEGER, of_product
from jaxsci.special._numerics.plane import over, square_root
from jaxsci.special._numerics.recurrences import by_recurrence
from jaxsci.special._numerics.static_checks import not_negative

_INSIDE = (
    "For |z| < 1 these are the functions on the interval, for |z| > 1 those beyond it "
    "(cut on the real axis from -1 to 1)"
)


class _BesideTheRing(Complexes):
    """Complex numbers on both sides of the ring next to the unit circle."""

    def sample(self, rng: np.random.Generator, n: int) -> np.ndarray:
        """N random points, complex."""
        z = super().sample(rng, n)
        return np.where(np.abs(z) < 0.995, z, z + 0.11 * z / np.abs(z))


_PLANE = _BesideTheRing(0.02, 4, negative=True)
_TERMS = 24
_FLAWS = (Flaw("1e-11", "0 < abs(z) < 1e-3"),)


def _two(
    y: tuple[np.ndarray, np.ndarray], lost: np.ndarray, core_ndim: int
) -> tuple[np.ndarray, ...]:
    """Both results with core dimensions last, and NaN where SciPy leaves them undefined."""
    front = tuple(range(core_ndim))
    moved = [np.moveaxis(x, front, tuple(range(-core_ndim, 0))).copy() for x in y]
    for x in moved:
        x[lost] = complex(np.nan, np.nan) if np.iscomplexobj(x) else np.nan
    return tuple(moved)


def _lost_of_lqn(z: np.ndarray) -> np.ndarray:
    """Where SciPy's loops do not start, and it scales memory that it never wrote."""
    size = np.abs(z)
    ring = (size >= 1.0001) & (size <= 1.1) & (np.abs(z - 1) > 0.3)
    return np.asarray(ring & np.iscomplexobj(z), bool)


def _lqn(n: int, z: np.ndarray) -> tuple[np.ndarray, ...]:
    return _two(scipy.special.lqn(n, z), _lost_of_lqn(z), 1)


def _is_doubtful(z: jax.Array, *, n: int) -> jax.Array:
    size = jnp.abs(z)
    beyond = (z.real < -1.0001) | (n < 2)
    if jnp.iscomplexobj(z):
        beyond = (size < 1.11) | (z.imag == 0) & beyond | (z.real == 1)
    pole = (z == 1) | (z == -1)
    far = (size > (1e7 if jnp.iscomplexobj(z) else 1e50)) & (size < jnp.inf)
    return (size < 1e-3) | (size > 1) & beyond & (size < jnp.inf) & ~pole | far


@elementwise(
    source="14.7.7",
    samples=Samples(
        "; ".join(f"[second_kind(j, 0, z, {k}) for j in range(n + 1)]" for k in (0, 1)),
        (_PLANE,),
        awkward=((0.0,), (0.5,), (-0.9999,), (1e-8,), (1.01,), (30.0,), (-1.5,), (0.3j,), (-3j,)),
        statics=({"n": 0}, {"n": 1}, {"n": 6}),
        flaws=(*_FLAWS, Flaw("1e-11", "z.imag == 0 and abs(z) > 1 or z.real == 1")),
    ),
    outputs=("qn", "qd"),
    host=OnHost(
        _lqn,
        results="follow",
        core="(n),(n)",
        sizes=lambda n: {"n": n + 1},
        layout=leading(1),
        undefined=_lost_of_lqn,
    ),
    check=not_negative,
    repair=by_own(
        "|z| < 0.001, |z| > 1e50, z < -1.0001, n < 2 and |z| > 1, Re z = 1, or z is complex and "
        "1 < |z| < 1.11 or |z| > 1e7",
        _is_doubtful,
        lambda z, *, n: second_kind(jnp.arange(n + 1.0), 0.0, jnp.expand_dims(z, -1), order=0),
        of="all",
        results=(0, 1),
    ),
    note=f"{_INSIDE}.",
)
def lqn(n: StaticInt, z: Complex) -> tuple[Array, Array]:
    """Legendre functions of the second kind Q_0(z) ... Q_n(z), and their derivatives.

    Both results have a first dimension of size n + 1, before those of z.

    Args:
        n: the highest degree, not negative
        z: any number but 1 and -1, where the functions are infinite and SciPy has 1e300 for real z
    """
    ...


rule(
    lqn,
    z=closed(
        "DLMF 14.10.3, 14.2.1",
        lambda y, z, *, n: second_kind(jnp.arange(n + 1), 0, jnp.expand_dims(z, -1), order=1),
    ),
)


def _is_beside(z: jax.Array) -> jax.Array:
    return (z.real <= -1.0001) & (z.real > -1.11)


def _lost_of_lqmn(z: np.ndarray) -> np.ndarray:
    """Where SciPy's loops do not start, and it scales memory that it never wrote."""
    beside = (np.real(z) >= -1.1) & (np.real(z) <= -1.0001)
    return np.asarray(beside & (not np.iscomplexobj(z)), bool)


def _lqmn(m: int, n: int, z: np.ndarray) -> tuple[np.ndarray, ...]:
    return _two(scipy.special.lqmn(m, n, z), _lost_of_lqmn(z), 2)


@elementwise(
    source="14.7.7",
    samples=Samples(
        "; ".join(
            f"[second_kind(j, i, z, {k}) for i in range(m + 1) for j in range(n + 1)]"
            for k in (0, 1)
        ),
        (_BesideTheRing(0.02, 4, line=Reals(-0.999, 4)),),
        awkward=(
            (0.0,),
            (0.5,),
            (-0.999,),
            (1e-8,),
            (1.01,),
            (30.0,),
            (-1.5,),
            (0.3j,),
            (-3 + 1j,),
        ),
        statics=({"m": 0, "n": 1}, {"m": 3, "n": 2}, {"m": 2, "n": 4}),
        flaws=_FLAWS,
    ),
    outputs=("q", "qd"),
    host=OnHost(
        _lqmn,
        results="follow",
        core="(m,n),(m,n)",
        sizes=lambda m, n: {"m": m + 1, "n": n + 1},
        layout=leading(2),
        undefined=_lost_of_lqmn,
    ),
    check=not_negative,
    repair=by_own(
        "|z| < 0.001, or -1.11 < z <= -1.0001",
        lambda z, *, m, n: (
            (jnp.abs(z) < 1e-3) | (z.real <= -1.0001) & (z.real > -1.11) & (z.imag == 0)
        ),
        lambda z, *, m, n: second_kind(
            jnp.arange(n + 1.0), jnp.arange(m + 1.0)[:, None], jnp.expand_dims(z, (-2, -1)), order=0
        ),
        of="all",
        results=(0, 1),
    ),
    note=f"{_INSIDE}, with (z^2 - 1)^(m/2) by the principal root.",
)
def lqmn(m: StaticInt, n: StaticInt, z: Complex) -> tuple[Array, Array]:
    """Associated Legendre functions of the second kind Q_k^j(z) and their derivatives in z.

    Of all orders j from 0 to m and degrees k from 0 to n. Both results have two first dimensions,
    of sizes m + 1 and n + 1, before those of z.

    Args:
        m: the highest order, not negative
        n: the highest degree, not negative
        z: any number but 1 and -1, where the functions are infinite and SciPy has 1e300
    """
    ...


rule(
    lqmn,
    z=closed(
        "DLMF 14.10.3, 14.2.2",
        lambda y, z, *, m, n: second_kind(
            jnp.arange(n + 1), jnp.arange(m + 1)[:, None], jnp.expand_dims(z, (-2, -1)), order=1
        ),
    ),
)


# -- derivatives -----------------------------------------------------------------------------------


@native(results=2)
def second_kind(n: jax.Array, m: jax.Array, z: jax.Array, *, order: int) -> tuple[jax.Array, ...]:
    """A derivative in z of Q_n^m, and the next one."""
    # The sums below may cancel near the origin, as that for Q_2^2 does, whose z^3 is missing.
    near = jnp.abs(z) * (n + m + 10) < 1
    beyond = jnp.where(near, 0.5, z)
    # At 0 and beyond at once: the recurrences are a large program.
    at = jnp.stack([jnp.zeros_like(beyond), beyond])
    factors = _derivatives(n, m, at, order + 1)
    phase = jnp.where(m % 2 != 0, -1.0, 1.0)
    # At 0 the power of 1 - z^2 is 1, and its slope 0. One of the two vanishes, as parity has it,
    # which rounding must not hide.
    start = [
        jnp.where((n + m + j) % 2 == 0, 0.0, phase * factor[0])
        for j, factor in enumerate(factors[:2])
    ]
    far = [factor[1] for factor in factors]
    z = jnp.where(near, z, 0.0)
    return tuple(
        jnp.where(near, _by_series(n, m, z, start, k), _by_product(m, beyond, far[: k + 1]))
        for k in (order, order + 1)
    )


def _by_product(m: jax.Array, z: jax.Array, factors: list[jax.Array]) -> jax.Array:
    """A derivative of Q_n^m; the factors are Q_n's derivatives of orders m, m + 1, and so on."""
    inside = jnp.abs(z) < 1
    sign = jnp.where(inside, 1.0, -1.0)
    squared = sign * (1 - z) * (1 + z)
    value = of_product(m, z, square_root(squared), squared, sign, len(factors) - 1, factors)
    return value * jnp.where(inside & (m % 2 != 0), -1.0, 1.0)


def _by_series(
    n: jax.Array, m: jax.Array, z: jax.Array, start: list[jax.Array], order: int
) -> jax.Array:
    """A derivative by the power series that the differential equation gives (DLMF 14.2.2)."""
    odd = (n + m) % 2 == 0
    degree = n * (n + 1)
    a = [jnp.where(odd, 0.0, start[0]), jnp.where(odd, start[1], 0.0)]
    for k in range(_TERMS + order - 2):
        above = (2 * k * k - degree + m * m) * a[k]
        if k >= 2:
            above = above - ((k - 2) * (k - 1) - degree) * a[k - 2]
        a.append(above * (1 / ((k + 1) * (k + 2))))
    total: PyTree = 0.0
    for k in range(len(a) - 1, order - 1, -1):
        total = total * z + math.perm(k, order) * a[k]
    return total


second_kind.partials(
    n=INTEGER,
    m=INTEGER,
    z=closed(
        "DLMF 14.6.2, 14.6.4",
        lambda y, n, m, z, *, order: second_kind(n, m, z, order=order + 1),
    ),
)


def _derivatives(n: jax.Array, m: jax.Array, z: jax.Array, order: int) -> list[jax.Array]:
    """The derivatives of Q_n of order m, m + 1, ... m + order, by the differential equation."""
    value, slope = _value_and_slope(n, z, jnp.abs(z) < 1)
    squared = (1 - z) * (1 + z)
    shape = jnp.shape(value + m)
    last = jnp.max(m, initial=0) + order

    def step(state: PyTree) -> Any:
        k, low, high, kept = state
        kept = [jnp.where(k == m + j, low, x) for j, x in enumerate(kept)]
        above = over(2 * (k + 1) * z * high - (n - k) * (n + k + 1) * low, squared)
        return k + 1, high, above, kept

    low, high = jnp.broadcast_to(value, shape), jnp.broadcast_to(slope, shape)
    start = (jnp.asarray(0.0), low, high, [low] * (order + 1))
    return jax.lax.while_loop(lambda state: state[0] <= last, step, start)[3]


def _value_and_slope(n: jax.Array, z: jax.Array, inside: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Q_n and its derivative."""
    zero = jnp.arctanh(jnp.where(inside, z, over(1.0, jnp.where(inside, 2.0, z))))
    # |z + sqrt(z^2 - 1)| > 1 is the ratio of a degree to the next one in Q.
    beyond = jnp.where(inside, 2.0, z) + 0j
    decay = jnp.log(jnp.abs(beyond + square_root(beyond - 1) * square_root(beyond + 1)))
    downward = ~inside & (n * decay > 1)
    up, up_before = _upward(n, z, zero)
    down, down_before = _downward(n, jnp.where(downward, z, 2.0), zero, downward, decay)
    value = jnp.where(downward, down, up)
    before = jnp.where(downward, down_before, up_before)
    slope = over(jnp.where(n == 0, 1.0, n * (before - z * value)), (1 - z) * (1 + z))
    return value, slope


def _upward(n: jax.Array, z: jax.Array, zero: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Q_n and Q_{n-1} by recurrence from Q_0, where Q_n does not decrease with n."""

    def step(k: Any, value: jax.Array, before: jax.Array) -> tuple[Any, Any]:
        return over((2 * k + 1) * z * value - k * before, k + 1), value

    start = jnp.broadcast_to(zero, jnp.shape(n + z))
    first = jnp.where(n >= 1, z * zero - 1, start)
    value, before = by_recurrence(n, step, (first, start), begin=1)
    return value, before


def _downward(
    n: jax.Array, z: jax.Array, zero: jax.Array, used: jax.Array, decay: jax.Array
) -> tuple[jax.Array, jax.Array]:
    """Q_n and Q_{n-1} by Miller's algorithm: the ratio of neighbours, from high degrees down."""
    shape = jnp.shape(n + z)
    first = jnp.ceil(jnp.where(used, n + 20 / decay, 0.0))

    def step(state: Sequence[jax.Array]) -> tuple[jax.Array, ...]:
        k, ratio, value, before = state
        ratio = jnp.where(k <= first, over(k, (2 * k + 1) * z - (k + 1) * ratio), 0.0)
        value = jnp.where(k <= n, value * ratio, value)
        return k - 1, ratio, value, jnp.where(k < n, before * ratio, before)

    start_value = jnp.broadcast_to(zero, shape)
    most = jnp.max(first, initial=0.0)
    start = (most, jnp.zeros(shape, start_value.dtype), start_value, start_value)
    state = jax.lax.while_loop(lambda state: state[0] >= 1, step, start)
    return state[2], state[3]
