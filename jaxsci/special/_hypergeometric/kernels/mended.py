"""Values of hyp1f1 and hyp2f1 where SciPy's are wrong.

Where they may be wrong depends on the arguments. There a power series in double precision tells
whether SciPy's value is right, if it does not cancel. Else the differential equation is solved in
32 digits, which takes up to a millisecond or two.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci.special._hypergeometric.kernels import by_taylor
from jaxsci.special._numerics.few import where_wanted
from jaxsci.special._numerics.gamma_factors import is_pole

_LARGEST = 100.0
_WRONG = 1e-9
_UNKNOWN = 1e-5
_TERMS = 400.0


def kummer_is_doubtful(
    ys: Sequence[jax.Array], a: jax.Array, b: jax.Array, x: jax.Array
) -> jax.Array:
    """Where SciPy's M may be off by more than 1e-9."""
    size, largest = jnp.abs(x), jnp.maximum(jnp.abs(a), jnp.abs(b))
    if jnp.iscomplexobj(x):
        doubtful = (size > 10) | (largest > 20)
    else:
        doubtful = (a == jnp.floor(a)) & (a < 0) | (b < -20)
    served = (largest <= _LARGEST) & (size <= 300) & (size > 0) & ~is_pole(b)
    return doubtful & served


def gauss_is_doubtful(
    ys: Sequence[jax.Array], a: jax.Array, b: jax.Array, c: jax.Array, z: jax.Array
) -> jax.Array:
    """Where SciPy's F may be off by more than 1e-9."""
    largest = jnp.maximum(jnp.maximum(jnp.abs(a), jnp.abs(b)), jnp.abs(c))
    if jnp.iscomplexobj(z):
        size = jnp.abs(z)
        near_circle = (size > 0.88) & (size < 1.3)
        doubtful = (largest > 5) | (c < 0) | near_circle
        served = (z.imag != 0) | (z.real < 1)
    else:
        size = jnp.abs(z)
        doubtful, served = largest > 7.5, z < 1
    doubtful = doubtful | jnp.isnan(ys[0])
    served = served & (largest <= _LARGEST) & (size <= 1e6) & (size > 0) & ~is_pole(c)
    return doubtful & served


def by_kummer(ys: Sequence[jax.Array], a: jax.Array, b: jax.Array, x: jax.Array) -> jax.Array:
    """M, where it is doubtful."""
    a, b, x, y = jnp.broadcast_arrays(a, b, x, ys[0])
    doubtful = kummer_is_doubtful(ys, a, b, x)

    def series(a: jax.Array, b: jax.Array, x: jax.Array) -> Any:
        def ratio(k: jax.Array) -> Any:
            return (_both(a, b - a) + k) / (_both(b, b) + k)

        # DLMF 13.2.39.
        factors = _both(jnp.ones_like(x), jnp.exp(x))
        return _series(ratio, _both(x, -x), factors, jnp.abs(a) + 2 * jnp.abs(b))

    if not jnp.iscomplexobj(x):
        # Where SciPy's real values are wrong, one of the two series hardly cancels.
        ours, error = series(*(jnp.where(doubtful, t, 0.5) for t in (a, b, x)))
        wrong = doubtful & (error < _WRONG / 3) & ~_near(y, ours)
        return jnp.where(wrong, ours, y)
    return _mended(doubtful, y, series, by_taylor.kummer, (a, b, x))


def by_gauss(
    ys: Sequence[jax.Array], a: jax.Array, b: jax.Array, c: jax.Array, z: jax.Array
) -> jax.Array:
    """F, where it is doubtful."""
    a, b, c, z, y = jnp.broadcast_arrays(a, b, c, z, ys[0])
    doubtful = gauss_is_doubtful(ys, a, b, c, z)

    def series(a: jax.Array, b: jax.Array, c: jax.Array, z: jax.Array) -> Any:
        def ratio(k: jax.Array) -> Any:
            return (_both(a, a) + k) * (_both(b, c - b) + k) / (_both(c, c) + k)

        # DLMF 15.8.1.
        factors = _both(jnp.ones_like(z), jnp.exp(-a * jnp.log(1 - z)))
        sizes = jnp.abs(a) + jnp.abs(b) + 2 * jnp.abs(c)
        return _series(ratio, _both(z, z / (z - 1)), factors, sizes)

    return _mended(doubtful, y, series, by_taylor.gauss, (a, b, c, z))


def _near(theirs: jax.Array, ours: jax.Array) -> jax.Array:
    return jnp.abs(theirs - ours) <= _WRONG * jnp.abs(ours)


def _both(x: jax.Array, y: jax.Array) -> jax.Array:
    return jnp.stack([x, y])


def _series(ratio: Callable[[Any], Any], z: Any, factors: Any, sizes: Any) -> tuple[Any, Any]:
    """The better of two sums in double precision, and its relative error, about.

    Args:
        ratio: of coefficients k + 1 and k, times k + 1.
        z: the argument.
        factors: of the sums.
        sizes: from which term on they fall off.
    """

    def add(carry: Sequence[jax.Array]) -> Any:
        k, term, total, absolute = carry
        # An element that is done stays as it is while others go on.
        active = unfinished(carry)
        term = jnp.where(active, term * (ratio(k) * z / (k + 1)), term)
        part = jnp.where(active, term, 0.0)
        return k + 1, term, total + part, absolute + _size(part)

    def unfinished(carry: Sequence[jax.Array]) -> jax.Array:
        k, term, total, _ = carry
        size = _size(total)
        return (_size(term) > 1e-17 * size) & (size < 1e250) | (k < 3)

    def going(carry: Any) -> Any:
        k, *_ = carry
        return jnp.any(unfinished(carry)) & (k < _TERMS) | (k < 3)

    one = jnp.ones_like(z)
    k, term, total, absolute = jax.lax.while_loop(going, add, (0.0, one, one, _size(one)))
    size = _size(total)
    error = 1e-16 * (10 + sizes) * absolute / size
    error = jnp.where((_size(term) <= 1e-16 * size) & (k > sizes), error, jnp.inf)
    first = error[0] <= error[1]
    values = factors * total
    return jnp.where(first, values[0], values[1]), jnp.minimum(error[0], error[1])


def _size(x: jax.Array) -> Any:
    return jnp.abs(x.real) + jnp.abs(x.imag) if jnp.iscomplexobj(x) else jnp.abs(x)


def _mended(
    doubtful: jax.Array,
    theirs: jax.Array,
    series: Callable[..., Any],
    solution: Callable[..., Any],
    arguments: tuple[jax.Array, ...],
) -> jax.Array:
    """SciPy's values, and better ones where they are wrong by more than 1e-9."""
    safe = [jnp.where(doubtful, x, 0.5) for x in arguments]
    quick, error = series(*safe)
    confirmed = (error < _WRONG) & _near(theirs, quick)
    nothing = (theirs, jnp.full_like(theirs.real, jnp.inf))
    ours, error = where_wanted(doubtful & ~confirmed, solution, arguments, nothing)
    off = jnp.abs(theirs - ours) / jnp.abs(ours)
    wrong = (error < _UNKNOWN) & ~(off <= jnp.maximum(_WRONG, 100 * error))
    return jnp.where(wrong, ours, theirs)
