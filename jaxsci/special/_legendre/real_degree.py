"""Associated Legendre function of integer order and real degree on the interval (DLMF 14.3.1)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci._core.double_precision import native, one_order_more, tower
from jaxsci._core.elementwise_rules import closed
from jaxsci._core.types import PyTree
from jaxsci.special._catalog.decorators import (
    Samples,
    Unknown,
    bounded,
    elementwise,
    rule,
)
from jaxsci.special._catalog.domains import Ints, Reals
from jaxsci.special._catalog.mending import by_own
from jaxsci.special._catalog.types import Array, Int, Real
from jaxsci.special._legendre.kernels import ferrers_on_device
from jaxsci.special._legendre.kernels.terms import INTEGER, associated, of_product
from jaxsci.special._numerics.hypergeometric_equations import gauss
from jaxsci.special._numerics.integer_orders import LARGEST
from jaxsci.special._numerics.integers import is_integer, is_of_integer_type
from jaxsci.special._numerics.nth_derivative import derivative
from jaxsci.special._numerics.recurrences import by_recurrence

_TERMS = 30
_MOST_STEPS = 1e4


def _degree(v: jax.Array) -> jax.Array:
    """The degree of the same function that is not below -1/2; exact."""
    return jnp.where(v < -0.5, -1 - v, v)


def _is_doubtful(m: jax.Array, v: jax.Array, x: jax.Array) -> jax.Array:
    """Where SciPy's sums cancel or overflow, and next to zeros of odd functions."""
    degree = _degree(v)
    nearest = jnp.round(degree)
    off = jnp.abs(degree - nearest)
    beside = (off < 1e-3) | (x < -0.9) & (off < 0.1) | (x > 1) | (jnp.abs(m) > 5) | (degree > 100)
    odd = (jnp.mod(nearest - m, 2) != 0) & (jnp.abs(x) < 1e-5)
    return jnp.where(off > 0, beside, odd | (degree + jnp.abs(m) > 150))


@elementwise(
    source="14.3.1",
    samples=Samples(
        "ferrers(m, v, x)",
        (Ints(-5, 5), Reals(-6, 20), Reals(-1, 1)),
        awkward=(
            (0, 3.0, 1.0),
            (2, 4.0, 2.0**-40 - 1),
            (-2, 4.0, 1 - 2.0**-40),
            (0, 2.5, 1.0),
            (2, 0.5, 1 - 2.0**-40),
            (-4, 3.25, 1 - 2.0**-30),
            (1, 3.0, 0.0),
            (-2, 0.5, 0.0),
            (3, 1.0, 0.5),
            (1, 12.0, 0.3),
            (0, 0.5, -0.999),
            (1, -0.5, 0.999999),
            (-1, 1e-20, 0.5),
            (3, -1e-22, -0.25),
            (1, 4.0, 1e-10),
        ),
        unknown=(Unknown("v", "x <= -1 or abs(m) > 1e4 or abs(v) > 1e4"),),
    ),
    note="NaN where v is an integer and m < -v.",
    guard=bounded("m v x", (0, 1.0, 0.5), m=1e7, v=1e7),
    repair=by_own(
        "v is not an integer, and |m| > 5, v > 100, v < -101, or it is within 1e-3 of an integer, "
        "or within 0.1 for x < -0.9, or x > 1; or v is one, and with n = v or -v - 1, whichever is "
        "positive, n + |m| > 150, or n - m is odd and |x| < 1e-5",
        _is_doubtful,
        ferrers_on_device.lpmv,
        few=True,
    ),
    kernel=ferrers_on_device.lpmv,
    counts="v",
)
def lpmv(m: Int, v: Real, x: Real) -> Array:
    """Associated Legendre function P_v^m(x) of integer order and real degree, for |x| <= 1.

    Args:
        m: order, of either sign; odd positive ones bring a factor -1 (Condon's and Shortley's
            phase)
        v: degree, any real number; -v - 1 gives the same function
        x: real number from -1 to 1, infinite at -1 as a rule where v is not an integer; NaN beyond,
            unless m is 0

    Example:
        >>> lpmv(1, 2.5, jnp.array([-0.5, 0.0, 0.5]))
        Array([ 1.1343052 ,  0.98361717, -0.98737818], dtype=float64)
        >>> print(f"{jax.grad(lpmv, 2)(1, 2.5, 0.5):.6f}")
        -4.085388
    """
    ...


rule(
    lpmv,
    v=closed("DLMF 14.3.1, 15.10.1", lambda y, m, v, x: ferrers_in_degree(m, v, x, orders=(1, 0))),
    x=closed(
        "DLMF 14.6.1, 14.9.3",
        lambda y, m, v, x: ferrers_derivative(m, v, x, order=1, counts=is_of_integer_type(v)),
    ),
)


@tower("DLMF 14.6.1, 14.9.3", x="order")
def ferrers_derivative(
    m: Any, v: jax.Array, x: jax.Array, *, order: int, counts: bool = False
) -> jax.Array:
    """A derivative in x of lpmv; with `counts` there are no other degrees than integers."""
    v = _degree(v)
    integer = is_integer(v)
    known = (jnp.abs(m) <= LARGEST) & ~(integer & (m < -v))
    m = jnp.where(known, m, 0)
    n = jnp.where(integer, v, 0.0)
    polynomial = associated(n, m, x, 2, norm=False, order=order)
    if counts:
        return jnp.where(known, polynomial, jnp.nan)
    degree = jnp.where(integer, 0.5, v)
    at = _AtRealDegree(m, degree, x, order)
    beyond = (m == 0) & (x > 1) & (x < jnp.inf)
    outside = jnp.where(beyond, x, 2.0)
    # In one call: its program is long, for some of SciPy's values are mended.
    wanted = [*at.wanted(), (0, degree, outside), (0, degree - 1, outside)]
    *here, first, second = lpmv(
        *(jnp.stack(jnp.broadcast_arrays(*each)) for each in zip(*wanted, strict=True))
    )
    other = at.derivative(here)
    other = jnp.where(beyond, _beyond_one(degree, outside, order, first, second), other)
    return jnp.where(known, jnp.where(integer, polynomial, other), jnp.nan)


def _beyond_one(
    v: jax.Array, x: jax.Array, order: int, value: jax.Array, lower: jax.Array
) -> jax.Array:
    """A derivative of P_v for x > 1, from P_v and P_(v-1).

    The first is DLMF 14.10.5; higher ones are by Legendre's equation.
    """
    squared = (1 - x) * (1 + x)
    values = [value, v * (lower - x * value) / squared]
    for n in range(order - 1):
        last = (n * (n + 1) - v * (v + 1)) * values[n]
        values.append((2 * (n + 1) * x * values[n + 1] + last) / squared)
    near, total = _series_at_one(v, order, x)
    entire = _rising(v, 1 - order, 2 * order * jnp.ones_like(v, int), halves=True)
    return jnp.where(near, entire * total, values[order])


ferrers_derivative.partials(
    m=INTEGER,
    v=closed(
        "DLMF 14.3.1, 15.10.1",
        lambda y, m, v, x, *, order, counts: ferrers_in_degree(m, v, x, orders=(1, order)),
    ),
)


@native()
def ferrers_in_degree(m: Any, v: jax.Array, x: jax.Array, *, orders: tuple[int, int]) -> jax.Array:
    """A derivative of lpmv, of orders given for v (not 0) and for x.

    P_v^m = (-1)^m (1 - x^2)^(m/2) times the m-th derivative of P_v, which is a hypergeometric
    function times a polynomial in v; that of -m lacks the factors of (v - m + 1)_(2m).
    """
    i, k = orders
    m, v, x = jnp.broadcast_arrays(m, v, x)
    size = jnp.abs(m)
    inside = (x > -1) & ((x <= 1) | (m == 0) & (x < jnp.inf))
    beyond = _degree(v)
    known = inside & (size <= _MOST_STEPS) & (beyond <= _MOST_STEPS)
    known = known & ~(is_integer(beyond) & (m < -beyond))
    size, x = jnp.where(known, size, 0), jnp.where(known, x, 0.5)
    root = jnp.sqrt(jnp.where(x < 1, (1 - x) * (1 + x), 0.0))
    below = known & (m < 0)
    from_one = ((1 - x) / 2, (1 + x) / 2)

    def at(v: jax.Array) -> jax.Array:
        factors = []
        for j in range(k + 1):
            n = size + j
            function = gauss(n - v, v + n + 1, n + 1.0, *from_one)
            # (v - n + 1)_(2n)/(2^n n!), of which (v - size + 1)_(2 size) is not in that of -m.
            entire = _rising(v, 1 - n, 2 * n, halves=True)
            part = _between_negative_orders(v, size, j)
            factors.append(function * jnp.where(below, part / _halved_factorial(n), entire))
        return of_product(size, x, root, (1 - x) * (1 + x), 1.0, k, factors)

    slope = derivative(at, i)(jnp.where(known, v, 0.5))
    odd = (m > 0) & (m % 2 != 0)
    return jnp.where(known, jnp.where(odd, -slope, slope), jnp.nan)


_SOURCE = "DLMF 14.6.1, 15.10.1"
ferrers_in_degree.partials(
    m=INTEGER,
    v=one_order_more(ferrers_in_degree, _SOURCE, 0),
    x=one_order_more(ferrers_in_degree, _SOURCE, 1),
)


class _AtRealDegree:
    """A derivative in x for |x| <= 1, from those of P_v of orders from |m| on.

    Near 1 these are hypergeometric series (DLMF 15.2.1 with 14.3.1), for there SciPy's functions
    have the error of 1 - x^2, and the root in them is zero in the end.
    """

    def __init__(self, m: jax.Array, v: jax.Array, x: jax.Array, order: int) -> None:
        self._m, self._v, self._x, self._order = m, v, x, order
        self._orders = [jnp.abs(m) + j for j in range(order + 1)]
        series = [_series_at_one(v, k, x) for k in self._orders]
        self._near = [near & (x <= 1) for near, _ in series]
        self._totals = [total for _, total in series]

    def wanted(self) -> list[tuple[Any, jax.Array, jax.Array]]:
        """Orders, degrees and arguments of functions that the derivative is made of."""
        return [
            (jnp.where(self._m < 0, -k, k), self._v, jnp.where(near, 0.0, self._x))
            for k, near in zip(self._orders, self._near, strict=True)
        ]

    def derivative(self, values: Sequence[jax.Array]) -> jax.Array:
        """From the functions that are wanted."""
        m, size = self._m, self._orders[0]
        squared = (1 - self._x) * (1 + self._x)
        root = jnp.sqrt(squared)
        factors = [
            self._of_legendre(j, value, root)
            * jnp.where(m < 0, _between_negative_orders(self._v, size, j), 1.0)
            for j, value in enumerate(values)
        ]
        total = of_product(size, self._x, root, squared, 1.0, self._order, factors)
        return jnp.where((m > 0) & (m % 2 != 0), -total, total)

    def _of_legendre(self, j: int, value: jax.Array, root: jax.Array) -> jax.Array:
        """The k-th derivative of P_v, over (v-k+1)_(2k) for functions of negative order."""
        k, negative = self._orders[j], self._m < 0
        entire = _rising(self._v, 1 - k, 2 * k, halves=True)
        series = self._totals[j] * jnp.where(negative, 1 / _halved_factorial(k), entire)
        signed = jnp.where(self._near[j], 1.0, jnp.where(negative, root, -root))
        return jnp.where(self._near[j], series, value / signed**k)


def _between_negative_orders(v: jax.Array, m: Any, j: int) -> jax.Array:
    """(v-m-j+1)_(2m+2j) over (v-m+1)_(2m), which may vanish."""
    length = jnp.zeros_like(v + m) + j
    return _rising(v, 1 - m - j, length) * _rising(v, m + 1, length)


def _series_at_one(v: jax.Array, k: Any, x: jax.Array) -> tuple[jax.Array, Any]:
    """Where the k-th derivative of P_v is a power series in x - 1, and that over its first term."""
    half = (1 - x) / 2
    size = jnp.abs(half)
    near = (size < 0.1) & (size * (v + k + 1) ** 2 < 2 * (k + 1))
    total: PyTree = 1.0
    for j in range(_TERMS - 1, -1, -1):
        ratio = (k - v + j) * (v + k + 1 + j) / ((k + 1 + j) * (1 + j))
        total = 1.0 + total * ratio * jnp.where(near, half, 0.0)
    return near, total


def _halved_factorial(n: jax.Array) -> jax.Array:
    """The product 2^n n!."""
    one = jnp.ones_like(n, float)
    return by_recurrence(n + 1, lambda i, product: (product * (2 * i),), (one,), begin=1)[0]


def _rising(v: jax.Array, first: Any, n: jax.Array, halves: bool = False) -> jax.Array:
    """The product of v + k for n integers k from the first on; halves divide by 2^(n/2) (n/2)!."""

    def step(i: jax.Array, product: jax.Array) -> tuple[jax.Array]:
        factor = v + (first + i)  # a small v is a factor as it stands
        if halves:
            factor = factor / jnp.where(2 * i < n, 2 * (i + 1), 1.0)
        return (product * factor,)

    return by_recurrence(n, step, (jnp.ones_like(v + n),))[0]
