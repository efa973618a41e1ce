"""A random sketch of a matrix."""

from __future__ import annotations

import functools
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import scipy.linalg
import scipy.sparse
from jax.typing import ArrayLike

from jaxsci.linalg._infra.arguments import arrays, at_least
from jaxsci.linalg._infra.catalog import public
from jaxsci.linalg._infra.slices import over_slices, whole

_NAME = "clarkson_woodruff_transform"
_MOST_ROWS = 2**26
"""SciPy's drawing takes memory in proportion to them, whatever the matrix is."""


@functools.lru_cache(maxsize=64)
def _drawn_by_scipy(size: int, rows: int, how: str, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """For each row of the matrix, the sketch's row that it goes to, and its sign."""
    draw: Any = scipy.linalg.clarkson_woodruff_transform
    hashed = draw(scipy.sparse.eye_array(rows, format="csc"), size, **{how: seed}).tocsc()
    return np.asarray(hashed.indices), np.asarray(hashed.data)


def _drawn(size: int, rows: int, key: jax.Array) -> tuple[jax.Array, jax.Array]:
    places, signs = jax.random.split(key)
    return jax.random.randint(places, (rows,), 0, size), jax.random.rademacher(signs, (rows,))


@public(
    "jax",
    source="K. L. Clarkson and D. P. Woodruff, J. ACM 63 (2017)",
    differentiable="in input_matrix; linear.",
)
def clarkson_woodruff_transform(
    input_matrix: ArrayLike,
    sketch_size: int,
    rng: jax.Array | int | None = None,
    *,
    seed: int | None = None,
) -> jax.Array:
    """A sketch of a matrix: its rows, with random signs, are summed into few, at random.

    Args:
        input_matrix: matrices, shape (..., m, n). All slices are summed alike.
        sketch_size: static; the sketch's number of rows.
        rng: a key of jax.random, for numbers of JAX; or an integer, static, for the very numbers
            that SciPy draws with ``rng=`` that integer. One of rng and seed must be given: JAX
            functions have no hidden state to draw from.
        seed: an integer, static, for the numbers that SciPy draws with ``seed=`` that integer.

    Returns:
        Sketches (..., sketch_size, n).

    Raises:
        TypeError: input_matrix is not an array of numbers, sketch_size is not an integer, or
            neither (or both) of rng and seed are given, or they are of another type.
        ValueError: the shape does not fit, sketch_size is not positive or above 2^26, or a seed has
            more than 32 bits.

    Example:
        >>> a = jnp.ones((1000, 2)) * jnp.array([1.0, 3.0])
        >>> sketch = clarkson_woodruff_transform(a, 50, jax.random.key(0))
        >>> sketch.shape
        (50, 2)
        >>> bool(jnp.allclose(sketch[:, 1], 3 * sketch[:, 0]))  # linear relations are kept
        True
    """
    (a,) = arrays(_NAME, input_matrix=input_matrix)
    at_least(_NAME, 2, input_matrix=a)
    size = whole(_NAME, "sketch_size", sketch_size, 1)
    if size > _MOST_ROWS:
        raise ValueError(f"{_NAME}: argument 'sketch_size' must be at most 2**26, got {size}")
    rows = a.shape[-2]
    if (rng is None) == (seed is None):
        raise TypeError(
            f"{_NAME}: give one of 'rng' (a key such as jax.random.key(0), or an integer) and "
            "'seed' (an integer)"
        )
    if seed is None and isinstance(rng, jax.Array) and _is_key(rng):
        key = (
            rng if jnp.issubdtype(rng.dtype, jax.dtypes.prng_key) else jax.random.wrap_key_data(rng)
        )
        places, signs = _drawn(size, rows, key)
    else:
        how, given = ("rng", rng) if seed is None else ("seed", seed)
        if isinstance(given, np.random.Generator | np.random.RandomState):
            raise TypeError(
                f"{_NAME}: argument {how!r} must be a key such as jax.random.key(0), or an "
                "integer; NumPy's generators have a state, which compiled code does not advance"
            )
        number = whole(_NAME, how, given, 0)
        if how == "seed" and number >= 2**32:
            raise ValueError(f"{_NAME}: argument 'seed' must be less than 2**32, as NumPy's are")
        if rows == 0:
            return jnp.zeros((*a.shape[:-2], size, a.shape[-1]), a.dtype)
        places, signs = map(jnp.asarray, _drawn_by_scipy(size, rows, how, number))
    signs = signs.astype(a.dtype)
    return over_slices(_NAME, "(m,n),(m),(m)->(k,n)", _summed, a, places, signs, size=size)


def _summed(a: jax.Array, places: jax.Array, signs: jax.Array, size: int) -> jax.Array:
    return jnp.zeros((size, a.shape[1]), a.dtype).at[places].add(signs[:, None] * a)


def _is_key(x: jax.Array) -> bool:
    """A typed key, or the two 32-bit words of an old one."""
    return bool(
        (jnp.issubdtype(x.dtype, jax.dtypes.prng_key) and x.ndim == 0)
        or (x.dtype == jnp.uint32 and x.ndim == 1)
    )
