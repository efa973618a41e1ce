"""Integrals of Bessel, Struve and Airy functions, where SciPy's series cancel or end too early.

Power series in 32 digits, and asymptotic expansions where those would take too many terms.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jaxsci._core.types import PyTree
from jaxsci.special._catalog.row import Repair
from jaxsci.special._numerics.double_double import Doubled, exactly, product
from jaxsci.special._numerics.few import formula_of_few

_TERMS = 110
_EXPANSION = 26
_FAR = 40.0
_LARGEST = 1e8

Weight = Callable[[int], Fraction]


def _sums(
    x: jax.Array, factor: Doubled, ratio: Callable[[int], Fraction], weights: Sequence[Weight]
) -> list[Doubled]:
    """Sums over k of a hypergeometric term, 1 for k = 0, times weights.

    Args:
        x: an array of the terms' shape.
        factor: what the quotient of two terms has in common.
        ratio: of k: the quotient of the terms k + 1 and k, without it.
        weights: of k; one for each sum.
    """
    one = exactly(jnp.ones_like(x))
    zero = one - one

    def add(carry: PyTree, row: Sequence[jax.Array]) -> Any:
        term, totals = carry
        numbers = [Doubled(h[None, None], low[None, None]) for h, low in zip(*row, strict=True)]
        ratio, *by = numbers
        totals = [t + term * w for t, w in zip(totals, by, strict=True)]
        return (term * (factor * ratio), totals), None

    rows = _table(ratio, tuple(weights))
    return jax.lax.scan(add, (one, [zero] * len(weights)), rows)[0][1]


@functools.lru_cache(maxsize=32)
def _table(ratio: Callable[[int], Fraction], weights: tuple[Weight, ...]) -> tuple[Any, Any]:
    """The numbers for each k, in 32 digits: higher and lower parts."""
    exact = [[ratio(k), *(w(k) for w in weights)] for k in range(_TERMS)]
    high = np.array([[float(x) for x in row] for row in exact])
    low = [
        [float(x - Fraction(float(h))) for x, h in zip(row, hs, strict=True)]
        for row, hs in zip(exact, high, strict=True)
    ]
    return high, np.array(low)


@functools.cache
def _harmonic(k: int) -> Fraction:
    return _harmonic(k - 1) + Fraction(1, k) if k else Fraction(0)


def _expansion(coefficients: Sequence[complex], x: jax.Array) -> jax.Array:
    """Their sum over powers of 1/x."""
    numbers = np.array(coefficients[::-1])
    start = jnp.zeros(x.shape, numbers.dtype)
    return jax.lax.scan(lambda total, c: (total / x + c, None), start, numbers)[0]


# -- of J_0 and Y_0 --------------------------------------------------------------------------------


def _of_cylinder(x: jax.Array, power: int) -> tuple[jax.Array, jax.Array]:
    """Sums of (-q)^k/k!^2 over 2k + 1 - power, and times that with 1/(2k + 1 - power) + H_k.

    (DLMF 10.2.2, 10.8.2 integrated term by term.) Without k = 0 where it is divided by 0.
    """
    plain, logarithmic = _sums(x, -product(x, x / 4), _inverse_square, _CYLINDER[power])
    return plain.rounded(), logarithmic.rounded()


def _inverse_square(k: int) -> Fraction:
    return Fraction(1, (k + 1) ** 2)


def _cylinder_weights(power: int) -> tuple[Weight, Weight]:
    def plain(k: int) -> Fraction:
        d = 2 * k + 1 - power
        return Fraction(1, d) if d else Fraction(0)

    return plain, lambda k: plain(k) * (plain(k) + _harmonic(k))


_CYLINDER = [_cylinder_weights(power) for power in (0, 1)]


def _tail_of_hankel(x: jax.Array, power: int) -> jax.Array:
    """The integral of H1_0(t)/t^power from x to infinity (DLMF 10.17.5, term by term)."""
    a, previous, coefficients = 1.0, 0j, []
    for k in range(_EXPANSION):
        previous = 1j * (1j**k * a - (k - 0.5 + power) * previous)
        coefficients.append(previous)
        a *= -((2 * k + 1) ** 2) / (8.0 * (k + 1))
    total = _expansion(coefficients, x)
    return jnp.sqrt(2 / (math.pi * x)) * x**-power * jnp.exp(1j * (x - math.pi / 4)) * total


def _log(x: jax.Array) -> jax.Array:
    return jnp.log(x / 2) + float(jnp.euler_gamma)


def _j0y0(x: jax.Array) -> tuple[jax.Array, jax.Array]:
    near = jnp.where(x > _FAR, 1.0, x)
    far = _tail_of_hankel(jnp.where(x > _FAR, x, _FAR), 0)
    plain, logarithmic = _of_cylinder(near, 0)
    first = jnp.where(x > _FAR, 1 - far.real, near * plain)
    second = 2 / math.pi * near * (_log(near) * plain - logarithmic)
    return first, jnp.where(x > _FAR, -far.imag, second)


def _j0y0_over_t(x: jax.Array) -> tuple[jax.Array, jax.Array]:
    near = jnp.where(x > _FAR, 1.0, x)
    far = _tail_of_hankel(jnp.where(x > _FAR, x, _FAR), 1)
    plain, logarithmic = _of_cylinder(near, 1)
    log = _log(near)
    # At infinity nothing is left: pi/6 is the value of the terms there.
    second = math.pi / 6 - 2 / math.pi * (log * log / 2 + log * plain - logarithmic)
    first = jnp.where(x > _FAR, _log(jnp.maximum(x, _FAR)) + far.real, -plain)
    return first, jnp.where(x > _FAR, far.imag, second)


# -- of Struve functions, and of those that grow ---------------------------------------------------


def _inverse_powers(x: jax.Array, power: int) -> jax.Array:
    """What is left of the integral of H_0 - Y_0 (DLMF 11.6.1), over 2/pi."""
    c, coefficients = 1.0, []
    for k in range(14):
        d = 2 * k + power
        coefficients.append(c / d if d else 0.0)
        c *= -((2 * k + 1) ** 2)
    return _expansion(coefficients, x * x) * x**-power


def _struve_sum(x: jax.Array, sign: int, power: int) -> jax.Array:
    """The sum of (sign x^2)^k/(2k + 1)!!^2 over 2k + 2 - power."""
    square = product(x, x)
    square = square if sign > 0 else -square
    (total,) = _sums(x, square, _inverse_odd_square, (_STRUVE_WEIGHTS[power],))
    return total.rounded()


def _inverse_odd_square(k: int) -> Fraction:
    return Fraction(1, (2 * k + 3) ** 2)


_STRUVE_WEIGHTS: list[Weight] = [
    lambda k: Fraction(1, 2 * k + 2),
    lambda k: Fraction(1, 2 * k + 1),
]


def _struve(x: jax.Array) -> tuple[jax.Array]:
    x = jnp.abs(x)
    near, far = jnp.where(x > _FAR, 1.0, x), jnp.where(x > _FAR, x, _FAR)
    beyond = jnp.log(2 * far) + float(jnp.euler_gamma) - _inverse_powers(far, 0)
    value = 2 / math.pi * near * near * _struve_sum(near, -1, 0)
    return (jnp.where(x > _FAR, 2 / math.pi * beyond - _tail_of_hankel(far, 0).imag, value),)


def _struve_over_t(x: jax.Array) -> tuple[jax.Array]:
    size = jnp.abs(x)
    near, far = jnp.where(size > _FAR, 1.0, size), jnp.where(size > _FAR, size, _FAR)
    beyond = _tail_of_hankel(far, 1).imag + 2 / math.pi * _inverse_powers(far, 1)
    value = math.pi / 2 - 2 / math.pi * near * _struve_sum(near, -1, 1)
    value = jnp.where(size > _FAR, beyond, value)
    # H_0(t)/t is even, and its integral from 0 to infinity pi/2.
    return (jnp.where(x < 0, math.pi - value, value),)


def growing(x: jax.Array, power: int = 0) -> jax.Array:
    """The integral of I_0(t)/t^power, by DLMF 10.40.1 term by term, but for a constant.

    That of L_0 has the same digits there.
    """
    b, previous, coefficients = 1.0, 0.0, []
    for k in range(_EXPANSION):
        previous = b + (k - 0.5 + power) * previous
        coefficients.append(previous)
        b *= (2 * k + 1) ** 2 / (8.0 * (k + 1))
    total = _expansion(coefficients, x)
    half = jnp.exp(x / 2)
    return half * total / (x**power * jnp.sqrt(2 * math.pi * x)) * half


def _i0(x: jax.Array) -> tuple[jax.Array]:
    size = jnp.abs(x)
    near = jnp.where(size > _FAR, 1.0, size)
    q, term, total = near * near / 4, jnp.ones_like(x), jnp.zeros_like(x)
    for_all = jnp.arange(float(_TERMS))

    def add(carry: Sequence[jax.Array], k: jax.Array) -> Any:
        term, total = carry
        return (term * q / (k + 1) ** 2, total + term / (2 * k + 1)), None

    total = jax.lax.scan(add, (term, total), for_all)[0][1]
    far = growing(jnp.maximum(size, _FAR))
    return (jnp.sign(x) * jnp.where(size > _FAR, far, near * total),)


def _modified_struve(x: jax.Array) -> tuple[jax.Array]:
    size = jnp.abs(x)
    near = jnp.where(size > _FAR, 1.0, size)
    value = 2 / math.pi * near * near * _struve_sum(near, 1, 0)
    far = growing(jnp.maximum(size, _FAR))
    return (jnp.where(size > _FAR, far, value),)


# -- of Airy functions -----------------------------------------------------------------------------

_AI, _SLOPE = (  # Ai(0) and -Ai'(0), DLMF 9.2.3 and 9.2.4
    (0.3550280538878172, 2.05233632436212e-17),
    (0.2588194037928068, -2.522243111610832e-17),
)


def _constant(parts: tuple[float, float]) -> Doubled:
    return Doubled(jnp.array([[parts[0]]]), jnp.array([[parts[1]]]))


_AIRY: list[tuple[Callable[[int], Fraction], Weight]] = [
    (lambda k: Fraction(1, (3 * k + 2) * (3 * k + 3)), lambda k: Fraction(1, 3 * k + 1)),
    (lambda k: Fraction(1, (3 * k + 3) * (3 * k + 4)), lambda k: Fraction(1, 3 * k + 2)),
]


def _airy(x: jax.Array) -> tuple[jax.Array, jax.Array, jax.Array, jax.Array]:
    both = jnp.concatenate([x, -x])
    cube = product(both, both) * exactly(both)

    def integrated(j: int) -> Doubled:
        """The integral of the solution that begins with x^j (DLMF 9.4.1)."""
        lead = exactly(both) if j == 0 else product(both, both)
        ratio, weight = _AIRY[j]
        (total,) = _sums(both, cube, ratio, (weight,))
        return total * lead

    first = integrated(0) * _constant(_AI)
    second = integrated(1) * _constant(_SLOPE)
    n = x.shape[0]
    ai, bi = (first - second).rounded(), math.sqrt(3) * (first + second).rounded()
    return ai[:n], bi[:n], -ai[n:], -bi[n:]


# -- repairs ---------------------------------------------------------------------------------------


def _repair(
    words: str,
    where: Callable[..., Any],
    function: Callable[..., tuple[Any, ...]],
    results: tuple[int, ...] = (0,),
) -> Repair:
    formula = formula_of_few(where, function, len(results))
    return Repair(words, where, formula, results=results, costly=True)


def _between(low: float, high: float, signed: bool = True) -> Callable[..., Any]:
    def where(ys: Sequence[jax.Array], x: jax.Array) -> jax.Array:
        size = jnp.abs(x) if signed else x
        return (size > low) & (size <= high)

    return where


J0Y0 = _repair("8 < x <= 1e8", _between(8.0, _LARGEST, False), _j0y0, (0, 1))
J0Y0_OVER_T = _repair("8 < x <= 1e8", _between(8.0, _LARGEST, False), _j0y0_over_t, (0, 1))
I0 = _repair("18 < |x| <= 700, for ii0", _between(18.0, 700.0), _i0, (0,))
STRUVE = _repair("4 < |x| <= 1e8", _between(4.0, _LARGEST), _struve)
STRUVE_OVER_T = _repair("4 < |x| <= 1e8", _between(4.0, _LARGEST), _struve_over_t)
MODIFIED_STRUVE = _repair("15 < |x| <= 700", _between(15.0, 700.0), _modified_struve)
AIRY = _repair("0.01 < |x| <= 14", _between(0.01, 14.0), _airy, (0, 1, 2, 3))
