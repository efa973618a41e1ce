"""Arguments of matrix functions: what they may be, checked when a function is traced."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jaxsci._core import promotion


def arrays(function: str, **given: Any) -> list[jax.Array]:
    """The arguments as JAX arrays of one floating or complex dtype, in order.

    Raises:
        TypeError: an argument is not an array, by name.
    """
    found = [array(function, name, value) for name, value in given.items()]
    promotion.check(function, [*found, *_default(found)])
    dtype = promotion.named(function, jnp.result_type, *found, *_default(found))
    return [x.astype(dtype) for x in found]


def _default(found: Sequence[jax.Array]) -> list[Any]:
    """What makes integers floating: JAX's default float, which takes no part otherwise."""
    return [] if any(jnp.issubdtype(x.dtype, jnp.inexact) for x in found) else [float]


def array(function: str, name: str, value: jax.Array | np.ndarray) -> jax.Array:
    """The argument as a JAX array of its own dtype.

    Raises:
        TypeError: it is not an array, by name.
    """
    promotion.check_size(function, name, value)
    try:
        if isinstance(value, list | tuple | dict | str) or value is None:
            raise TypeError
        found = jnp.asarray(value)
    except (TypeError, ValueError):  # the latter of masked arrays
        kind = getattr(value, "dtype", None)
        got = type(value).__name__ if kind is None else f"{type(value).__name__} of {kind}"
        hint = f"; pass jnp.asarray({name})" if isinstance(value, list | tuple) else ""
        raise TypeError(
            f"{function}: argument {name!r} must be an array, got {got}{hint}"
        ) from None
    if jnp.issubdtype(found.dtype, jnp.floating) and found.dtype.itemsize < 2:
        raise TypeError(  # JAX promotes them to nothing, and its own routines make NaN of them
            f"{function}: argument {name!r} must have at least 16 bits a number, got {found.dtype}"
        )
    if jnp.issubdtype(found.dtype, jax.dtypes.extended):
        raise TypeError(f"{function}: argument {name!r} must be an array of numbers")
    return found


def at_least(function: str, ndim: int, **given: jax.Array) -> None:
    """Refuse arrays of fewer dimensions."""
    for name, x in given.items():
        if x.ndim < ndim:
            raise ValueError(
                f"{function}: argument {name!r} needs at least {ndim} dimensions, got shape "
                f"{x.shape}"
            )


def square(function: str, **given: jax.Array) -> None:
    """Refuse what is not a square matrix, or a stack of them."""
    at_least(function, 2, **given)
    for name, x in given.items():
        if x.shape[-1] != x.shape[-2]:
            raise ValueError(
                f"{function}: argument {name!r} must be a square matrix, got shape {x.shape}"
            )


def one_of(function: str, name: str, value: Hashable, allowed: Sequence[Hashable]) -> None:
    """Refuse a static argument that is none of these."""
    # An array would be compared element by element.
    if isinstance(value, jax.Array | np.ndarray) or value not in allowed:
        named = all(isinstance(each, str) for each in allowed)
        raise (TypeError if named and not isinstance(value, str) else ValueError)(
            f"{function}: argument {name!r} must be one of {', '.join(map(repr, allowed))}, got "
            f"{value!r}"
        )


def transposed(x: jax.Array) -> jax.Array:
    """The transposed matrix (or stack of them), not conjugated."""
    return jnp.swapaxes(x, -1, -2)


def adjoint(x: jax.Array) -> jax.Array:
    """The conjugate transposed matrix, or stack of them."""
    return jnp.swapaxes(x, -1, -2).conj()
