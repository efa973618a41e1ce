"""Norms of vectors and matrices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
from jax.typing import ArrayLike

from jaxsci._core.jax_compat import Tracer
from jaxsci.linalg._infra.arguments import arrays, one_of
from jaxsci.linalg._infra.catalog import public
from jaxsci.linalg._infra.slices import flag, whole

_INF = float("inf")
_OF_MATRICES = (None, "fro", "nuc", 1, -1, 2, -2, _INF, -_INF)


def _euclidean(a: jax.Array, axes: tuple[int, ...], keepdims: bool) -> jax.Array:
    """The root of the sum of squares, scaled so that no square overflows or vanishes."""
    size = jnp.abs(jax.lax.stop_gradient(a))
    scale = jnp.max(size, axis=axes, keepdims=True, initial=0.0)
    scale = jnp.where((scale > 0) & (scale < _INF), scale, 1)
    scaled = a / scale
    total = jnp.sum(scaled.real**2 + scaled.imag**2, axis=axes, keepdims=True)
    root = jnp.sqrt(total) * scale
    return root if keepdims else jnp.squeeze(root, axes)


@public(
    "jax",
    source="its definition; matrix norms of orders 2, -2 and 'nuc' by singular values",
    differentiable="in a, where the norm is: not where a (or an element, for orders up to 1) is "
    "zero, nor at ties of the maximum. The norms of orders 2, -2 and 'nuc' of matrices: to second "
    "order where the singular values are distinct and not zero.",
)
def norm(
    a: ArrayLike,
    ord: float | str | None = None,
    axis: int | Sequence[int] | None = None,
    keepdims: bool = False,
    check_finite: bool = True,
) -> jax.Array:
    """The norm of a matrix or a vector. It is of the whole array unless an axis is given.

    Args:
        a: vectors or matrices. Leading dimensions batch only if an axis is given, as in SciPy.
        ord: static; for vectors a number (inf, -inf and 0 too), for matrices "fro", "nuc", 1, -1,
            2, -2, inf or -inf. Default: the root of the sum of all squares.
        axis: static; an axis for norms of vectors, a pair of them for norms of matrices. Default:
            the whole array, of one or two dimensions (of any number if ord is None).
        keepdims: static; keep the axes of the norm with size 1.
        check_finite: has no effect.

    Returns:
        The norms, real. Squares do not overflow: the norm of (3e200, 4e200) is 5e200.

    Raises:
        TypeError: a is not an array of numbers, or a static argument is none.
        ValueError: the order or the axis does not fit the array.

    Example:
        >>> a = jnp.array([[3.0, 4.0], [0.0, 5.0]])
        >>> print(f"{norm(a):.6f} {norm(a, 2):.6f}")  # of Frobenius, and the spectral one
        7.071068 6.708204
        >>> norm(a, axis=1)  # of each row
        Array([5., 5.], dtype=float64)
        >>> jax.grad(norm)(a)
        Array([[0.42426407, 0.56568542],
               [0.        , 0.70710678]], dtype=float64)
    """
    (a,) = arrays("norm", a=a)
    flag("norm", keepdims=keepdims)
    if isinstance(ord, Tracer):
        raise TypeError("norm: argument 'ord' must be a number or a string; it is static")
    axes = _axes(a, ord, axis)
    if ord is None:
        return _euclidean(a, axes, bool(keepdims))
    if len(axes) == 2:
        one_of("norm", "ord", ord, _OF_MATRICES)
        if ord == "fro":
            return _euclidean(a, axes, bool(keepdims))
    elif not isinstance(ord, int | float):
        raise ValueError(f"norm: argument 'ord' must be a number for norms of vectors, got {ord!r}")
    elif ord == 2:
        return _euclidean(a, axes, bool(keepdims))
    half = a.dtype.itemsize < 4
    wide = a.astype(jnp.float32) if half else a
    found = jnp.linalg.norm(
        wide, ord=ord, axis=axes if len(axes) == 2 else axes[0], keepdims=bool(keepdims)
    )
    return found.astype(a.dtype) if half else found


def _axes(a: jax.Array, ord: Any, axis: Any) -> tuple[int, ...]:
    """The axes of which the norm is, from the front."""
    if axis is None:
        if ord is not None and a.ndim not in (1, 2):
            raise ValueError(
                f"norm: argument 'ord' needs 'axis' for an array of {a.ndim} dimensions"
            )
        return tuple(range(a.ndim))
    several = axis if isinstance(axis, tuple | list) else (axis,)
    if len(several) not in (1, 2):
        raise ValueError(f"norm: argument 'axis' must be one axis or two, got {axis!r}")
    given = [whole("norm", "axis", i, -a.ndim) for i in several]
    if any(i >= a.ndim for i in given):
        raise ValueError(f"norm: argument 'axis' {axis!r} does not fit the shape {a.shape}")
    axes = tuple(i % a.ndim for i in given)
    if len(set(axes)) < len(axes):
        raise ValueError(f"norm: argument 'axis' names one axis twice: {axis!r}")
    return axes
