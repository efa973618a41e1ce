"""Chebyshev polynomials of real degree, with all their derivatives in the degree and in x.

With x = cos t, and m the degree of T or the degree of U plus one,

    T = cos(m t),    U = sin(m t)/sin(t)    (DLMF 18.5.1, 18.5.2)

are Taylor polynomials in m in closed form; their derivatives in x are those of ultraspherical
functions (`ultraspherical.py`). Next to x = -1 both are the sum of a function that is regular
there, the same one of -x, and of one with the singularity of sqrt(1 + x), which the differential
equation serves (for integer m it has the factor sin(pi m) = 0, but that has a derivative in m).
"""

from __future__ import annotations

import math
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci._core.double_precision import native, one_order_more
from jaxsci.special._numerics import taylor
from jaxsci.special._numerics.integers import is_integer
from jaxsci.special._numerics.plane import over, square_root
from jaxsci.special._orthogonal.kernels.chebyshev_value import cosine_and_sine
from jaxsci.special._orthogonal.kernels.interval import ends, on_long_interval
from jaxsci.special._orthogonal.kernels.three_terms import MOST_STEPS, gegenbauer_polynomial
from jaxsci.special._orthogonal.kernels.ultraspherical import Ultraspherical


@native()
def chebyshev(
    n: Any, x: jax.Array, *, second: bool, shifted: bool, orders: tuple[int, int]
) -> jax.Array:
    """A derivative of T_n(x), or U_n(x), of orders given for n and for x.

    Args:
        n: the degree.
        x: the argument; real numbers below -1 have NaN with an order in n, and where n is no
            integer, for the function is complex there.
        second: whether it is U.
        shifted: whether the functions are those of 2x - 1.
        orders: those of the derivatives, not both 0.
    """
    n, x = jnp.broadcast_arrays(n, x)
    i, k = orders
    scale = 2**k if shifted else 1
    if i == 0:
        return scale * _in_x_alone(n, x, int(second), shifted, k)
    return scale * _in_both(n + int(second), x, int(second), shifted, i, (k,))[0]


_SOURCE = "DLMF 18.5.1, 18.5.2"
chebyshev.partials(
    n=one_order_more(chebyshev, _SOURCE, 0),
    x=one_order_more(chebyshev, _SOURCE, 1),
)


def _in_x_alone(n: jax.Array, x: jax.Array, s: int, shifted: bool, k: int) -> jax.Array:
    """Polynomials of integer degree by DLMF 18.9.19 and 18.9.21, for every x."""
    # T_{-n} = T_n, and U_{-n-2} = -U_n
    below = n < -s
    n = jnp.where(below, -n - 2 * s, n)
    polynomial = is_integer(n) & (n <= MOST_STEPS)
    degree = jnp.where(polynomial, n - k, 0.0)
    factor = 2**k * math.factorial(k) if s else 2 ** (k - 1) * math.factorial(k - 1) * n
    integer = factor * gegenbauer_polynomial(degree, float(k + s), on_long_interval(x, shifted))
    if s == 0:
        return jnp.where(polynomial, integer, _in_both(n, x, 0, shifted, 0, (k,))[0])
    # U_n is T_(n+1)'/(n + 1) and T_n + x T_n'/n: the one has the digits of n next to -1, the other
    # next to 0.
    small = jnp.abs(n) < 0.5
    m = jnp.where(small, jnp.where(n == 0, 0.5, n), n + 1)
    value, slope = _in_both(m, x, 0, shifted, 0, (k, k + 1))
    along = on_long_interval(x, shifted) * slope
    other = over(jnp.where(small, (m + k) * value + along, slope), m)
    other = jnp.where(m == 0, 0.0, other)
    value = jnp.where(polynomial, integer, other)
    return jnp.where(below, -value, value)


def _in_both(
    m: Any, x: jax.Array, s: int, shifted: bool, i: int, orders: tuple[int, ...]
) -> list[jax.Array]:
    """Derivatives in the argument that runs from -1 to 1, of these orders, and of order i in m."""
    low, high = ends(x, shifted)
    cut = jnp.zeros(x.shape, bool)
    if jnp.iscomplexobj(x):
        # Roots of a zero's sign would depend on the compiler.
        cut = (high.imag == 0) & (high.real < 0)
        high = jax.lax.complex(high.real, jnp.where(cut, 0.0, high.imag))
    else:
        known = (high >= 0) | (is_integer(m) if i == 0 else False)
        low = jnp.where(known, low, jnp.nan)
    left = low.real > high.real
    half, other = jnp.where(left, high, low), jnp.where(left, low, high)
    at = _At(m, half, other, i)
    values = []
    for k in orders:
        regular = at.regular(s, k)
        cosine, sine = _like(regular, taylor.cosine(m, i)), _like(regular, taylor.sine(m, i))
        around = taylor.product(sine, at.singular(s, k))
        turned = taylor.times(taylor.product(cosine, regular), (-1) ** s)
        both = taylor.times(taylor.plus(turned, around), (-1) ** k)
        value = jnp.where(left, taylor.derivative(both), taylor.derivative(regular))
        # SciPy's values on the cut are those from below.
        values.append(jnp.where(cut, jnp.conj(value), value))
    return values


def _like(jet: list[Any], other: list[Any]) -> list[Any]:
    return [b.astype(a.dtype) for a, b in zip(jet, other, strict=True)]


class _At:
    """The functions at x = 1 - 2 half = 2 other - 1, to a degree in the expansion in m."""

    def __init__(self, m: Any, half: jax.Array, other: jax.Array, degree: int) -> None:
        self._m, self._degree = m, degree
        self._half, self._other = half, other
        self._x = other - half
        self._square = 4 * half * other  # sin(t)^2
        if jnp.iscomplexobj(half):
            roots = square_root(half), square_root(other)
            self._root = 2 * roots[0] * roots[1]
            # Kahan (1987), Branch cuts for complex elementary functions.
            turn = 2 * jnp.arctan2(roots[0].real, roots[1].real)
            growth = jnp.arcsinh(2 * (jnp.conj(roots[1]) * roots[0]).imag)
            base = self._at_degree(roots[0].real, roots[1].real)
            even, odd = _cosine_sine(m, turn, degree, base, growth)
        else:
            beyond = half < 0
            root, other_root = jnp.sqrt(jnp.abs(half)), jnp.sqrt(jnp.abs(other))
            self._root = jnp.sqrt(jnp.abs(self._square))
            turn = 2 * jnp.arctan2(root, other_root)
            growth = 2 * jnp.arcsinh(jnp.where(beyond, root, 0.0))
            base = self._at_degree(root, other_root)
            even, odd = _cosine_sine(m, turn, degree, base)
            cosh, sinh = taylor.even_odd(m, growth, degree)
            even, odd = taylor.where(beyond, cosh, even), taylor.where(beyond, sinh, odd)
        # XLA would write the cosines into every kernel that uses them.
        even, odd, self._root = taylor.once(even, odd, self._root)
        zero = self._root == 0
        root = jnp.where(zero, 1.0, self._root)
        self._cosine = even
        self._over_sine = taylor.times(odd, over(1.0, root))
        # sin((m + e) t)/sin(t) is m + e at t = 0.
        limit = taylor.line(m + 0 * half, jnp.ones_like(half), degree)
        self._over_sine = taylor.where(zero, limit, self._over_sine)

    def _at_degree(self, low: jax.Array, high: jax.Array) -> tuple[jax.Array, jax.Array]:
        """cos(m t) and sin(m t) of the real part of t, by those of the roots of half and other."""
        return cosine_and_sine(self._m, self._x.real, low, high, False, self._root.real)

    def _functions(self, s: int) -> Ultraspherical:
        return Ultraspherical(self._m, self._half, self._other, self._degree, s)

    def regular(self, s: int, k: int) -> list[Any]:
        """The k-th derivative in x of T (s = 0) or U (s = 1)."""
        by_m = taylor.line(self._m + 0 * self._half, jnp.ones_like(self._half), self._degree)
        by_cosine = taylor.product(by_m, self._cosine)
        if s == 0:
            rows = [self._cosine, taylor.product(by_m, self._over_sine)]
        else:
            difference = taylor.plus(
                taylor.times(self._over_sine, self._x), taylor.times(by_cosine, -1.0)
            )
            rows = [self._over_sine, taylor.times(difference, over(1.0, self._square))]
        if k + s < 2:
            return rows[k]
        functions = self._functions(s)
        near = functions.is_near_one()
        series = functions.series(near, k)
        if s:
            series = taylor.product(by_m, series)
        return taylor.where(near, series, functions.derivatives(rows, k))

    def singular(self, s: int, k: int) -> list[Any]:
        """The k-th derivative in x of sin(m t) (s = 0) or cos(m t)/sin(t) (s = 1)."""
        by_m = taylor.line(self._m + 0 * self._half, jnp.ones_like(self._half), self._degree)
        if s == 0:
            first = taylor.times(self._over_sine, self._root)
            second = taylor.times(taylor.product(by_m, self._cosine), over(-1.0, self._root))
        else:
            first = taylor.times(self._cosine, over(1.0, self._root))
            one = taylor.times(taylor.product(by_m, self._over_sine), over(1.0, self._root))
            other = taylor.times(self._cosine, over(over(self._x, self._root), self._square))
            second = taylor.plus(one, other)
        return self._functions(s).derivatives([first, second], k)


def _cosine_sine(
    m: Any, turn: Any, degree: int, base: tuple[jax.Array, jax.Array], growth: Any = None
) -> tuple[list[Any], list[Any]]:
    """cos((m + e) t) and sin((m + e) t) for t = turn + i growth, from those of m turn."""
    c, s = taylor.once(*base)
    angle = turn
    if growth is not None:
        cosh, sinh = jnp.cosh(m * growth), jnp.sinh(m * growth)
        c, s = jax.lax.complex(c * cosh, -s * sinh), jax.lax.complex(s * cosh, c * sinh)
        angle = jax.lax.complex(turn, growth)
    turns = (c, -s, -c, s)
    powers = [angle**k / math.factorial(k) for k in range(degree + 1)]
    even = [p * turns[k % 4] for k, p in enumerate(powers)]
    odd = [p * turns[(k + 3) % 4] for k, p in enumerate(powers)]
    return even, odd
