"""What holds of a matrix: its bandwidth, whether it is symmetric or Hermitian. All of it traced."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.typing import ArrayLike

from jaxsci.linalg._infra.arguments import at_least, square
from jaxsci.linalg._infra.arguments import transposed as transpose
from jaxsci.linalg._infra.catalog import public
from jaxsci.linalg._infra.slices import numbers

_DEFINITION = "its definition"


@public("jax", source=_DEFINITION, differentiable="no")
def bandwidth(a: ArrayLike) -> tuple[jax.Array, jax.Array]:
    """How far a matrix reaches from its diagonal.

    Args:
        a: matrices, shape (..., m, n).

    Returns:
        The numbers of diagonals below and above the main one up to the last that is not zero,
        integers (...). NaN is not zero.

    Raises:
        TypeError: a is not an array of numbers.
        ValueError: a has fewer than two dimensions.

    Example:
        >>> a = jnp.array([[1, 0, 0, 0], [2, 3, 0, 0], [4, 5, 6, 7]])
        >>> lower, upper = bandwidth(a)
        >>> int(lower), int(upper)
        (2, 1)
    """
    (a,) = numbers("bandwidth", a=a)
    at_least("bandwidth", 2, a=a)
    below = np.subtract.outer(np.arange(a.shape[-2]), np.arange(a.shape[-1]))

    def reach(distance: np.ndarray) -> jax.Array:
        return jnp.max(jnp.where(a != 0, np.maximum(distance, 0), 0), axis=(-2, -1), initial=0)

    return reach(below), reach(-below)


def _alike(function: str, a: jax.Array, b: jax.Array, atol: Any, rtol: Any) -> jax.Array:
    """Whether all elements agree; without tolerances, exactly."""
    for name, tolerance in (("atol", atol), ("rtol", rtol)):
        if tolerance is not None:
            (number,) = numbers(function, **{name: tolerance})
            if number.ndim:
                raise ValueError(
                    f"{function}: argument {name!r} must be a number, got shape {number.shape}"
                )
    if atol is None and rtol is None:
        return jnp.all(a == b, axis=(-2, -1))
    a, b = (x.astype(int) if x.dtype == bool else x for x in (a, b))
    limits = [0.0 if x is None else x for x in (atol, rtol)]
    near = _distance(a, b) <= limits[0] + limits[1] * _distance(b, jnp.zeros_like(b))
    finite = jnp.isfinite(a) & jnp.isfinite(b)
    return jnp.all(jnp.where(finite, near, a == b), axis=(-2, -1))


def _distance(a: jax.Array, b: jax.Array) -> jax.Array:
    """The size of the difference: of integers in unsigned ones, which hold it."""
    if not jnp.issubdtype(a.dtype, jnp.integer):
        return jnp.abs(a - b)
    unsigned = f"uint{8 * a.dtype.itemsize}"
    return jnp.maximum(a, b).astype(unsigned) - jnp.minimum(a, b).astype(unsigned)


@public("jax", source=_DEFINITION, differentiable="no")
def issymmetric(
    a: ArrayLike, atol: ArrayLike | None = None, rtol: ArrayLike | None = None
) -> jax.Array:
    """Whether a matrix equals its transpose, not conjugated.

    Args:
        a: matrices, shape (..., n, n).
        atol: absolute tolerance.
        rtol: relative tolerance. With neither, elements must be equal; with one, the other is 0.

    Returns:
        Booleans (...). True of an empty matrix. Infinities equal themselves, NaN does not, on the
        diagonal neither (where SciPy does not look, if there are no tolerances).

    Raises:
        TypeError: an argument is not an array of numbers.
        ValueError: a is not square, or a tolerance not one number.

    Example:
        >>> a = jnp.array([[1.0, 2.0], [2.0, 3.0]])
        >>> bool(issymmetric(a))
        True
        >>> b = a + jnp.array([[0.0, 1e-12], [0.0, 0.0]])
        >>> bool(issymmetric(b)), bool(issymmetric(b, rtol=1e-10))
        (False, True)
    """
    (a,) = numbers("issymmetric", a=a)
    square("issymmetric", a=a)
    return _alike("issymmetric", a, transpose(a), atol, rtol)


@public("jax", source=_DEFINITION, differentiable="no")
def ishermitian(
    a: ArrayLike, atol: ArrayLike | None = None, rtol: ArrayLike | None = None
) -> jax.Array:
    """Whether a matrix equals its conjugate transpose.

    Args:
        a: matrices, shape (..., n, n).
        atol: absolute tolerance.
        rtol: relative tolerance. With neither, elements must be equal; with one, the other is 0.

    Returns:
        Booleans (...). True of an empty matrix. Infinities equal themselves, NaN does not, on the
        diagonal neither (where SciPy does not look, if there are no tolerances).

    Raises:
        TypeError: an argument is not an array of numbers.
        ValueError: a is not square, or a tolerance not one number.

    Example:
        >>> a = jnp.array([[1.0, 2.0 + 1.0j], [2.0 - 1.0j, 3.0]])
        >>> bool(ishermitian(a)), bool(ishermitian(1j * a))
        (True, False)
        >>> bool(ishermitian(a + 1e-12j)), bool(ishermitian(a + 1e-12j, atol=1e-10))
        (False, True)
    """
    (a,) = numbers("ishermitian", a=a)
    square("ishermitian", a=a)
    return _alike("ishermitian", a, jnp.conj(transpose(a)), atol, rtol)
