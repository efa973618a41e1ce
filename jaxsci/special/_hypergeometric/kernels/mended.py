"""Values of hyp1f1 and hyp2f1 where SciPy's are wrong.

Where they may be wrong depends on the arguments. There a power series in double precision tells
whether SciPy's value is right, if it does not cancel. Else the differential equation is solved in
32 digits, which takes most of a millisecond.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci.special._hypergeometric.kernels import by_taylor
from jaxsci.special._numerics.few import where_wanted

_LARGEST = 100.0
_WRONG = 1e-9
_UNKNOWN = 1e-5
_TERMS = 400.0


def kummer_is_doubtful(ys: Any, a: Any, b: Any, x: Any) -> Any:
    """Where SciPy's M may be off by more than 1e-9."""
    size, largest = jnp.abs(x), jnp.maximum(jnp.abs(a), jnp.abs(b))
    if jnp.iscomplexobj(x):
        doubtful = (size > 10) | (largest > 20)
    else:
        doubtful = (a == jnp.floor(a)) & (a < 0) | (b < -20)
    served = (largest <= _LARGEST) & (size <= 300) & (size > 0) & ~_is_pole(b)
    return doubtful & served


def gauss_is_doubtful(ys: Any, a: Any, b: Any, c: Any, z: Any) -> Any:
    """Where SciPy's F may be off by more than 1e-9."""
    largest = jnp.maximum(jnp.maximum(jnp.abs(a), jnp.abs(b)), jnp.abs(c))
    if jnp.iscomplexobj(z):
        size = jnp.abs(z)
        near_circle = (size > 0.88) & (size < 1.12)
        doubtful = (largest > 5) | (c < 0) | near_circle
        served = (z.imag != 0) | (z.real < 1)
    else:
        size = jnp.abs(z)
        doubtful, served = largest > 7.5, z < 1
    doubtful = doubtful | jnp.isnan(ys[0])
    served = served & (largest <= _LARGEST) & (size <= 1e6) & (size > 0) & ~_is_pole(c)
    return doubtful & served


def _is_pole(b: Any) -> Any:
    return (b <= 0) & (b == jnp.floor(b))


def by_kummer(ys: Any, a: Any, b: Any, x: Any) -> Any:
    """M, where it is doubtful."""
    a, b, x, y = _alike(a, b, x, ys[0])
    doubtful = kummer_is_doubtful(ys, a, b, x)

    def series(a: Any, b: Any, x: Any) -> Any:
        kept = _series(lambda k: (a + k) / (b + k), x, jnp.abs(a) + jnp.abs(b))
        turned = _series(lambda k: (b - a + k) / (b + k), -x, jnp.abs(a) + 2 * jnp.abs(b))
        factor = jnp.exp(x)
        return _better(kept, (factor * turned[0], turned[1]))

    return _mended(doubtful, y, series, by_taylor.kummer, (a, b, x))


def by_gauss(ys: Any, a: Any, b: Any, c: Any, z: Any) -> Any:
    """F, where it is doubtful."""
    a, b, c, z, y = _alike(a, b, c, z, ys[0])
    doubtful = gauss_is_doubtful(ys, a, b, c, z)

    def series(a: Any, b: Any, c: Any, z: Any) -> Any:
        sizes = jnp.abs(a) + jnp.abs(b) + 2 * jnp.abs(c)
        w = z / (z - 1)
        power = jnp.exp(-a * jnp.log(1 - z))
        kept = _series(lambda k: (a + k) * (b + k) / (c + k), z, sizes)
        turned = _series(lambda k: (a + k) * (c - b + k) / (c + k), w, sizes)
        return _better(kept, (power * turned[0], turned[1]))

    return _mended(doubtful, y, series, by_taylor.gauss, (a, b, c, z))


def _alike(*args: Any) -> list[Any]:
    shape = jnp.broadcast_shapes(*(jnp.shape(x) for x in args))
    return [jnp.broadcast_to(x, shape) for x in args]


def _series(ratio: Callable[[Any], Any], z: Any, sizes: Any) -> tuple[Any, Any]:
    """The sum of a power series in double precision, and its relative error, about."""

    def add(carry: Any) -> Any:
        k, term, total, absolute = carry
        term = term * (ratio(k) * z / (k + 1))
        return k + 1, term, total + term, absolute + jnp.abs(term)

    def going(carry: Any) -> Any:
        k, term, total, _ = carry
        # Not where it diverges, and not past the first small terms where they may grow again.
        open_ends = (jnp.abs(term) > 1e-17 * jnp.abs(total)) & (jnp.abs(total) < 1e250)
        return jnp.any(open_ends) & (k < _TERMS) | (k < 3)

    one = jnp.ones_like(z)
    k, term, total, absolute = jax.lax.while_loop(going, add, (0.0, one, one, jnp.abs(one)))
    ended = (jnp.abs(term) <= 1e-16 * jnp.abs(total)) & (k > sizes)
    error = 1e-16 * (10 + sizes) * absolute / jnp.abs(total)
    return total, jnp.where(ended, error, jnp.inf)


def _better(one: tuple[Any, Any], other: tuple[Any, Any]) -> tuple[Any, Any]:
    first = one[1] <= other[1]
    return jnp.where(first, one[0], other[0]), jnp.where(first, one[1], other[1])


def _mended(
    doubtful: Any,
    theirs: Any,
    series: Callable[..., Any],
    solution: Callable[..., Any],
    arguments: tuple[Any, ...],
) -> Any:
    """SciPy's values, and better ones where they are wrong by more than 1e-9."""
    safe = [jnp.where(doubtful, x, 0.5) for x in arguments]
    quick, error = series(*safe)
    confirmed = (error < _WRONG) & (jnp.abs(theirs - quick) <= _WRONG * jnp.abs(quick))
    nothing = (theirs, jnp.full_like(theirs.real, jnp.inf))
    ours, error = where_wanted(doubtful & ~confirmed, solution, arguments, nothing)
    off = jnp.abs(theirs - ours) / jnp.abs(ours)
    wrong = (error < _UNKNOWN) & ~(off <= jnp.maximum(_WRONG, 100 * error))
    return jnp.where(wrong, ours, theirs)
