"""Kummer's and Gauss's functions in 32 digits, by their power series.

For the values of `hyp1f1` and `hyp2f1` where SciPy's are wrong. With a lower parameter far below 0
the differential equation cannot be solved from the origin: its other solution grows faster. The
series has two humps there; of its transformed forms one or the other hardly cancels.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci._core.types import PyTree
from jaxsci.special._numerics.double_double import Doubled, exactly, unpacked
from jaxsci.special._numerics.gamma_factors import distance_to_pole, sign_and_log_gamma
from jaxsci.special._numerics.plane import one_minus

_MOST_TERMS = 2500.0
_LARGEST = 1e250
_SMALL = 1e-33
_PRECISION = 1e-32
"""Of products and sums in 32 digits; errors of terms are about as random as they are many."""
_FARTHEST = 0.9
"""Beyond, the series of `gauss` converge slowly."""
_CONNECTED, _ROUNDING = 1e-12, 2.0**-52
"""The relative error of products of gamma functions, and of sums that these are of."""


def kummer(a: jax.Array, b: jax.Array, x: jax.Array) -> tuple[Any, Any]:
    """M(a, b, x) for real a and b (DLMF 13.2.2, 13.2.39), and the relative error, about."""
    upper = _combined([[1, 0], [-1, 1]], (a, b))
    at = _combined([[1], [-1]], (x,))
    sums, errors = summed((upper,), exactly(b), at, kummer_falls_off(a, b, x))
    return _best(jnp.stack([sums[0], jnp.exp(x) * sums[1]]), errors)


def kummer_falls_off(a: jax.Array, b: jax.Array, x: jax.Array) -> jax.Array:
    """From which term on both series fall off: with b < 0 small ones may grow once more."""
    return jnp.where(b > 0, jnp.abs(x), jnp.abs(a) + 2 * jnp.abs(b) + jnp.abs(x))


# Of the six series the parameters as sums of a, b, c and 1, and the argument as a quotient of sums
# of z and 1.
_FIRST = [[1, 0, 0, 0], [1, 0, 0, 0], [-1, 0, 1, 0], [-1, 0, 1, 0], [1, 0, 0, 0], [0, 1, 0, 0]]
_SECOND = [[0, 1, 0, 0], [0, -1, 1, 0], [0, 1, 0, 0], [0, -1, 1, 0], [1, 0, -1, 1], [0, 1, -1, 1]]
_LOWER = [*[[0, 0, 1, 0]] * 4, [1, -1, 0, 1], [-1, 1, 0, 1]]
_ABOVE, _BELOW = (
    [[1, 0], [1, 0], [1, 0], [1, 0], [0, 1], [0, 1]],
    [[0, 1], [1, -1], [1, -1], [0, 1], [1, 0], [1, 0]],
)


def gauss(a: jax.Array, b: jax.Array, c: jax.Array, z: jax.Array) -> tuple[Any, Any]:
    """F(a, b; c; z) for real a, b and c, and the relative error, about.

    From the series in z and z/(z - 1) (DLMF 15.2.1, 15.8.1), and those in 1/z (DLMF 15.8.2).
    """
    one, unit = jnp.ones_like(a), jnp.ones_like(z)
    first, second, lower = (_combined(of, (a, b, c, one)) for of in (_FIRST, _SECOND, _LOWER))
    at = _combined(_ABOVE, (z, unit)) / _combined(_BELOW, (z, unit))
    sizes = jnp.abs(a) + jnp.abs(b) + 2 * jnp.abs(c)
    sums, errors = summed((first, second), lower, at, sizes, at.size() < _FARTHEST)
    # Where z is real, those in 1/z serve below -1.
    log, far = jnp.log(one_minus(z)), jnp.log(-z if jnp.iscomplexobj(z) else jnp.abs(z))
    none = jnp.zeros_like(a)
    exponent = jnp.stack([none, -a, -b, c - a - b, none, none]) * log
    exponent = exponent - jnp.stack([none, none, none, none, a, b]) * far
    sign, logarithm, connected = _connections(a, b, c)
    front = jnp.exp(exponent + jnp.concatenate([jnp.stack([none] * 4), logarithm]))
    front = front * jnp.concatenate([jnp.ones_like(sums[:4].real), sign])
    size = jnp.abs(front)
    errors = jnp.where((size > 1e-300) & (size < 1e300), errors, jnp.inf)
    values = front * sums
    # The last two are parts of one.
    whole = values[4] + values[5]
    lost = (connected + errors[4:]) * jnp.abs(values[4:])
    error = (lost[0] + lost[1]) / jnp.abs(whole)
    return _best(
        jnp.concatenate([values[:4], whole[None]]), jnp.concatenate([errors[:4], error[None]])
    )


def _combined(coefficients: Sequence[Sequence[int]], numbers: Sequence[Any]) -> Doubled:
    """Sums of numbers, one for each row of coefficients, which are -1, 0 or 1."""
    total = None
    for i, number in enumerate(numbers):
        column = jnp.array([float(row[i]) for row in coefficients])[:, None]
        part = exactly(column * number)
        total = part if total is None else total + part
    assert total is not None
    return total


def _best(values: jax.Array, errors: jax.Array) -> tuple[Any, Any]:
    """Of several values of the same that which has lost least."""
    errors = jnp.where(errors >= 0, errors, jnp.inf)
    best = jnp.argmin(errors, 0)[None]
    return jnp.take_along_axis(values, best, 0)[0], jnp.take_along_axis(errors, best, 0)[0]


def _connections(a: jax.Array, b: jax.Array, c: jax.Array) -> tuple[Any, Any, Any]:
    """Gamma(c) Gamma(q - p) / (Gamma(q) Gamma(c - p)) for p, q = a, b and b, a.

    Their signs, logarithms, and errors.
    """
    p, q = jnp.stack([a, b]), jnp.stack([b, a])
    numbers = jnp.stack([c + 0 * p, q - p, q, c - p])
    signs, log = sign_and_log_gamma(numbers)
    sign = jnp.prod(signs, 0)
    # Next to a pole the rounding of a difference shows.
    to_pole = distance_to_pole(numbers)
    rounding = _ROUNDING * (jnp.abs(p) + jnp.abs(q) + jnp.abs(c))
    error = _CONNECTED + rounding / jnp.min(to_pole[jnp.array([1, 3])], 0)
    return sign, log[0] + log[1] - log[2] - log[3], error


def summed(
    upper: Sequence[Doubled], lower: Doubled, at: Doubled, sizes: Any, wanted: Any = True
) -> tuple[Any, Any]:
    """Sums of hypergeometric series, rounded, and their relative errors.

    Args:
        upper: parameters, one or two.
        lower: the parameter below.
        at: the argument.
        sizes: from which term on they fall off.
        wanted: which are summed.
    """

    def factor(k: Any) -> Any:
        """What a term is multiplied by for the next."""
        product = at / (lower + k).by(k.hi + 1)
        for parameter in upper:
            product = product * (parameter + k)
        return product.packed()

    def add(carry: PyTree) -> Any:
        # The sums are those before this term: each part of this is one kernel.
        k, term, ratio, total, absolute = carry
        here = unpacked(term)
        # A sum that is done stays as it is while others go on.
        following = (here * unpacked(ratio)).packed()
        return (
            k + 1,
            jnp.where(k < 0, one, jnp.where(active(carry), following, 0 * following)),
            factor(exactly(k + 1 + 0 * absolute)),
            (unpacked(total) + here).packed(),
            absolute + here.size(),
        )

    def active(carry: PyTree) -> jax.Array:
        k, term, _, total, absolute = carry
        falling = unpacked(term).size() > _SMALL * unpacked(total).size()
        return wanted & (falling | (k <= sizes)) & (absolute < _LARGEST)

    def going(carry: PyTree) -> jax.Array:
        return jnp.any(active(carry)) & (carry[0] < _MOST_TERMS)

    nothing = jnp.zeros(at.hi.shape[1:])
    unit = exactly(nothing + 1)
    one = (unit.as_complex() if at.is_complex else unit).packed()
    start = (-1.0, 0 * one, 0 * one, 0 * one, nothing)
    carry = jax.lax.while_loop(going, add, start)
    *_, total, absolute = carry
    error = _PRECISION * (10 + sizes) * absolute / unpacked(total).size()
    done = wanted & ~active(carry) & (absolute < _LARGEST)
    return unpacked(total).rounded(), jnp.where(done, error, jnp.inf)
