"""Values of hyp1f1 and hyp2f1 where SciPy's are wrong.

Where they may be wrong depends on the arguments. There a power series in double precision tells
whether SciPy's value is right, if it does not cancel. Else it is summed in 32 digits, and where
that is not enough the differential equation is solved in as many, which takes a millisecond or two.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci.special._hypergeometric.kernels import (
    by_sums,
    by_taylor,
    confluent_on_device,
    next_to_one,
)
from jaxsci.special._numerics.few import where_wanted
from jaxsci.special._numerics.gamma_factors import is_pole
from jaxsci.special._numerics.hypergeometric_series import better_sum, both, gauss_in_double
from jaxsci.special._numerics.integers import distance_to_integer, is_integer

_LARGEST, _RIGHT_OFTEN = 300.0, 100.0
"""Sizes of parameters; above the second one most of SciPy's values have no digits."""
_FARTHEST, _FARTHEST_COMPLEX, _MOST, _SMALL_FAR_OUT = 300.0, 1e6, 690.0, 30.0
"""Sizes of arguments; where M does not overflow; and of parameters for complex z farther out."""
_EXPANDED = 1e-13
"""What an expansion is off by, as a rule."""
_WRONG, _INEXACT = 1e-9, 1e-12
_UNKNOWN = 1e-5
_BESIDE, _ONE_REAL, _ONE_COMPLEX = 1e-3, 5e-14, 5e-16
"""How far from an integer a difference of parameters is no such thing; how near SciPy takes it for
one."""
_AT_ONCE = 512
"""Elements of which a series is summed until the slowest is done."""


def _largest(*parameters: jax.Array) -> jax.Array:
    return functools.reduce(jnp.maximum, map(jnp.abs, parameters))


def kummer_is_doubtful(
    ys: Sequence[jax.Array], a: jax.Array, b: jax.Array, x: jax.Array
) -> jax.Array:
    """Where SciPy's M may be off by more than 1e-9."""
    size, largest = jnp.abs(x), _largest(a, b)
    if jnp.iscomplexobj(x):
        beside_pole = jnp.minimum(jnp.abs(b), jnp.abs(b + 1)) < 1e-6
        doubtful = (size > 10) | (largest > 20) | beside_pole
    else:
        doubtful = is_integer(a) & (a < 0) | (b < -20)
    if jnp.iscomplexobj(x):
        exponent = x.real + (a - b) * jnp.log(jnp.maximum(size, 1.0))
        far = (size < _FARTHEST_COMPLEX) & (exponent < _MOST) & (largest < _SMALL_FAR_OUT)
    else:
        far = jnp.zeros((), bool)
    near = size <= _FARTHEST
    served = (largest <= _LARGEST) & (near | far) & (size > 0) & ~is_pole(b)
    return doubtful & served


def gauss_is_doubtful(
    ys: Sequence[jax.Array], a: jax.Array, b: jax.Array, c: jax.Array, z: jax.Array
) -> jax.Array:
    """Where SciPy's F may be off by more than 1e-9."""
    largest, size = _largest(a, b, c), jnp.abs(z)
    if jnp.iscomplexobj(z):
        near_circle = (size > 0.88) & (size < 1.3)
        doubtful = (largest > 5) | (c < 0) | near_circle
        served = (z.imag != 0) | (z.real < 1)
    else:
        doubtful, served = (largest > 7.5) | (jnp.abs(c) < 0.01) & (z > 0.5), z < 1
    doubtful = doubtful | _is_confluent(a, b, c, z)
    doubtful = doubtful | ~jnp.isfinite(ys[0])
    served = served & (largest <= _LARGEST) & (size <= 1e6) & (size > 0) & ~is_pole(c)
    return doubtful & served


def _is_confluent(a: jax.Array, b: jax.Array, c: jax.Array, z: jax.Array) -> jax.Array:
    """Where F is a sum of two solutions that are nearly one."""
    if jnp.iscomplexobj(z):
        far = jnp.abs(z) > 1
        return _is_beside_integer(jnp.where(far, a - b, c - a - b), _ONE_COMPLEX)
    far = (z < -0.9) & _is_beside_integer(a - b, _ONE_REAL)
    return far | (z > 0.9) & _is_beside_integer(c - a - b, 0.0)


def _is_beside_integer(difference: jax.Array, one: float) -> jax.Array:
    """Whether a number is next to an integer, and SciPy does not take it for one."""
    apart = distance_to_integer(difference)
    return (apart < _BESIDE) & (apart > one)


def by_kummer(ys: Sequence[jax.Array], a: jax.Array, b: jax.Array, x: jax.Array) -> jax.Array:
    """M, where it is doubtful."""
    a, b, x, y = jnp.broadcast_arrays(a, b, x, ys[0])
    doubtful = kummer_is_doubtful(ys, a, b, x)

    if not jnp.iscomplexobj(x):
        # Where SciPy's real values are wrong, one of the two series hardly cancels.
        return _replaced(doubtful, y, *_settled(doubtful, y, [by_sums.kummer], (a, b, x)))

    def series(a: jax.Array, b: jax.Array, x: jax.Array) -> Any:
        def ratio(k: jax.Array) -> jax.Array:
            return (both(a, b - a) + k) / (both(b, b) + k)

        # DLMF 13.2.39.
        factors = both(jnp.ones_like(x), jnp.exp(x))
        return better_sum(ratio, both(x, -x), factors, by_sums.kummer_falls_off(a, b, x))

    solutions = [_kummer_far_out, by_sums.kummer, by_taylor.kummer]
    lost = _largest(a, b) > _RIGHT_OFTEN
    return _mended(doubtful, y, series, solutions, (a, b, x), lost)


def _kummer_far_out(a: jax.Array, b: jax.Array, x: jax.Array) -> tuple[jax.Array, jax.Array]:
    """M of large |x|, and its error, infinite elsewhere."""
    far = (jnp.abs(x) > _FARTHEST) & confluent_on_device.is_far_out(a, b, x)
    inside = (jnp.where(far, t, other) for t, other in ((a, 1.5), (b, 1.0), (x, 90.0)))
    value = confluent_on_device.far_out(*inside)
    return value, jnp.where(far & jnp.isfinite(value), _EXPANDED, jnp.inf)


def by_gauss(
    ys: Sequence[jax.Array], a: jax.Array, b: jax.Array, c: jax.Array, z: jax.Array
) -> jax.Array:
    """F, where it is doubtful."""
    a, b, c, z, y = jnp.broadcast_arrays(a, b, c, z, ys[0])
    doubtful = gauss_is_doubtful(ys, a, b, c, z)

    solutions = [_gauss_by_sums, by_taylor.gauss]
    lost = (c < 0) | (_largest(a, b, c) > _RIGHT_OFTEN)
    wrong = jnp.where(_is_confluent(a, b, c, z), _INEXACT, _WRONG)
    if not jnp.iscomplexobj(z):
        doubtful, y = _settled_next_to_one(doubtful, y, a, b, c, z)
    return _mended(doubtful, y, gauss_in_double, solutions, (a, b, c, z), lost, wrong)


def _settled_next_to_one(
    doubtful: jax.Array, theirs: jax.Array, *at: jax.Array
) -> tuple[jax.Array, jax.Array]:
    """What is doubtful still, and the values: next to z = 1 a closed form is quick."""
    near = doubtful & next_to_one.is_next_to_one(*at)
    nothing = theirs, jnp.full_like(theirs, jnp.inf)
    ours, error = where_wanted(near, next_to_one.gauss, at, nothing, chunk=_AT_ONCE)
    settled = near & (error < _INEXACT / 3)
    return doubtful & ~settled, _replaced(settled, theirs, ours, jnp.zeros_like(error), _INEXACT)


def _gauss_by_sums(a: jax.Array, b: jax.Array, c: jax.Array, z: jax.Array) -> Any:
    """F, and its error, infinite where it is more than what SciPy's value is to be judged by."""
    value, error = by_sums.gauss(a, b, c, z)
    rough = _is_confluent(a, b, c, z) & (error > _INEXACT / 100)
    return value, jnp.where(rough, jnp.inf, error)


def _mended(
    doubtful: jax.Array,
    theirs: jax.Array,
    series: Callable[..., Any],
    solutions: Sequence[Callable[..., Any]],
    arguments: tuple[jax.Array, ...],
    lost: jax.Array | bool = False,
    wrong: jax.Array | float = _WRONG,
) -> jax.Array:
    """SciPy's values, and better ones where they are wrong.

    Args:
        doubtful: where they may be wrong.
        theirs: SciPy's.
        series: a sum in double precision, and its error.
        solutions: the same with more digits, the first of which that has enough counts.
        arguments: of all these.
        lost: where SciPy's are wrong if none has enough.
        wrong: by how much they are if they are.
    """
    nothing = theirs, jnp.full_like(theirs.real, jnp.inf)
    quick, error = where_wanted(doubtful, series, arguments, nothing, chunk=_AT_ONCE)
    confirmed = (error < wrong) & (jnp.abs(theirs - quick) <= wrong * jnp.abs(quick))
    left = doubtful & ~confirmed
    ours, error = _settled(left, theirs, solutions, arguments)
    replaced = _replaced(left, theirs, ours, error, wrong)
    return jnp.where(left & lost & ~(error < _UNKNOWN), jnp.nan, replaced)


def _settled(
    wanted: jax.Array,
    theirs: jax.Array,
    solutions: Sequence[Callable[..., Any]],
    arguments: Sequence[jax.Array],
) -> tuple[jax.Array, jax.Array]:
    """The first solution that has lost few enough digits, and its error."""

    def best(*arguments: jax.Array) -> tuple[jax.Array, jax.Array]:
        first, *others = solutions
        found = first(*arguments)
        for solution in others:
            found = jax.lax.cond(
                jnp.any(found[1] > _WRONG),
                lambda f=found, g=solution: _better(f, g(*arguments)),
                lambda f=found: f,
            )
        return found

    nothing = theirs, jnp.full_like(theirs.real, jnp.inf)
    return where_wanted(wanted, best, arguments, nothing)


def _better(one: tuple[Any, Any], other: tuple[Any, Any]) -> tuple[Any, Any]:
    """Of two values with their errors that whose error is smaller."""
    better = other[1] < one[1]
    return jnp.where(better, other[0], one[0]), jnp.where(better, other[1], one[1])


def _replaced(
    doubtful: jax.Array,
    theirs: jax.Array,
    ours: jax.Array,
    error: jax.Array,
    wrong: jax.Array | float = _WRONG,
) -> jax.Array:
    off = jnp.abs(theirs - ours) / jnp.abs(ours)
    replaced = doubtful & (error < _UNKNOWN) & ~(off <= jnp.maximum(wrong, 100 * error))
    return jnp.where(replaced, ours, theirs)
