"""JAX operations written for one slice: over leading dimensions, and right-hand sides as columns.

Besides, the checks of static arguments that the linear solvers and constructors share.
"""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Callable, Hashable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jaxsci._core.jax_compat import Tracer
from jaxsci._core.lowering import sharding
from jaxsci.linalg._infra.arguments import arrays, at_least


def over_slices(
    function: str,
    signature: str,
    core: Callable[..., Any],
    *operands: jax.Array,
    **static: Hashable,
) -> Any:
    """Apply `core`, a function of one slice, to all slices of operands of one dtype.

    Half precision is computed in single, and rounded at the end. It is compiled once for each core,
    which is to be a function of a module, with static keyword arguments.

    Raises:
        ValueError: leading dimensions do not broadcast.
    """
    inputs = signature.split("->")[0].split("),")
    loops = [x.shape[: x.ndim - len(_names(s))] for x, s in zip(operands, inputs, strict=True)]
    try:
        jnp.broadcast_shapes(*loops)
    except ValueError:
        shapes = ", ".join(str(x.shape) for x in operands)
        raise ValueError(
            f"{function}: leading dimensions do not broadcast: shapes {shapes}"
        ) from None
    # A linear solve asks that its right-hand side varies over the mesh as its matrix does.
    together = sharding.as_varying_together(operands)
    compiled = functools.partial(_compiled, core, signature, tuple(static.items()))
    loop_ndim = max(map(len, loops))
    aligned = [
        jax.lax.expand_dims(x, range(loop_ndim - len(own)))
        for x, own in zip(together, loops, strict=True)
    ]
    return sharding.over_known_shards(compiled, function, aligned, loop_ndim)


@functools.partial(jax.jit, static_argnums=(0, 1, 2))
def _compiled(
    core: Callable[..., Any],
    signature: str,
    static: tuple[tuple[str, Any], ...],
    *operands: jax.Array,
) -> Any:
    half = [x.dtype for x in operands if _floating(x) and x.dtype.itemsize < 4]
    wide = [x.astype(jnp.float32) if half and _floating(x) else x for x in operands]
    one = functools.partial(core, **dict(static))
    results = jnp.vectorize(one, signature=signature)(*wide)
    if not half:
        return results
    return jax.tree.map(lambda y: y.astype(half[0]) if _floating(y) else y, results)


def _names(core: str) -> list[str]:
    return [name for name in core.strip("()").split(",") if name]


def _floating(x: jax.Array) -> bool:
    return bool(jnp.issubdtype(x.dtype, jnp.inexact))


def of_columns(
    function: str,
    rows: int,
    b: jax.Array,
    solver: Callable[[jax.Array], jax.Array],
    name: str = "b",
) -> jax.Array:
    """What `solver` makes of the right-hand side's columns: a vector if `b` is one."""
    at_least(function, 1, **{name: b})
    columns = b[:, None] if b.ndim == 1 else b
    if columns.shape[-2] != rows:
        raise ValueError(
            f"{function}: argument {name!r} must have {rows} rows, as the matrix asks for, got "
            f"shape {b.shape}"
        )
    x = solver(columns)
    return x[..., 0] if b.ndim == 1 else x


def nan_where(bad: jax.Array, x: jax.Array) -> jax.Array:
    """NaN everywhere where it is bad: what is computed of it, and its derivatives, are NaN too."""
    return x + jnp.where(bad, jnp.nan, 0).astype(x.dtype)


def matmul(a: jax.Array, b: jax.Array) -> jax.Array:
    """The product in the full precision of its dtype, on accelerators too."""
    return jnp.matmul(a, b, precision=jax.lax.Precision.HIGHEST)


def numbers(function: str, **given: Any) -> list[jax.Array]:
    """The arguments as JAX arrays; integers stay integers."""
    arrays(function, **given)
    return [jnp.asarray(x) for x in given.values()]


# -- static arguments ------------------------------------------------------------------------------


def flag(function: str, **given: Any) -> None:
    """Refuse what is not True or False (0 and 1 are, too)."""
    for name, value in given.items():
        if not isinstance(value, bool | np.bool_ | int | np.integer) or value not in (0, 1):
            raise TypeError(
                f"{function}: argument {name!r} must be True or False, got "
                f"{type(value).__name__}; it is static"
            )


def whole(function: str, name: str, value: Any, least: int) -> int:
    """A static integer.

    Raises:
        TypeError: it is not an integer, or traced.
        ValueError: it is less than `least`.
    """
    try:
        if isinstance(value, Tracer):
            raise TypeError
        number = operator.index(value)
    except TypeError:
        raise TypeError(
            f"{function}: argument {name!r} must be an integer, got {type(value).__name__}; it is "
            "static"
        ) from None
    if number < least:
        raise ValueError(f"{function}: argument {name!r} must be at least {least}, got {number}")
    return number


_MOST_ENTRIES = 2**40
"""What no machine has memory for."""


def in_memory(function: str, names: str, rows: int, columns: int) -> None:
    """Refuse static sizes of a matrix that no machine can hold.

    Raises:
        ValueError: it has more than 2^40 entries.
    """
    if rows * columns > _MOST_ENTRIES:
        raise ValueError(
            f"{function}: argument {names} is too large: {rows} x {columns} numbers fit no memory"
        )


def number_type(function: str, name: str, value: Any) -> np.dtype:
    """A static dtype of numbers, as JAX has it.

    Raises:
        TypeError: it is not one.
    """
    try:
        dtype = None if value is None else jnp.empty(0, value).dtype
    except (TypeError, ValueError):
        dtype = None
    if dtype is not None and (dtype.kind == "b" or jnp.issubdtype(dtype, np.number)):
        return np.dtype(dtype)
    raise TypeError(f"{function}: argument {name!r} must be a dtype of numbers, got {value!r}")


def threshold(function: str, name: str, value: Any, default: float) -> float:
    """A static tolerance, not negative; `default` for None.

    Raises:
        TypeError: it is not a number, or traced.
        ValueError: it is negative, or NaN.
    """
    if value is None:
        return default
    tolerance = number(function, name, value)
    if not tolerance >= 0:
        raise ValueError(f"{function}: argument {name!r} must not be negative, got {value}")
    return tolerance


def number(function: str, name: str, value: Any) -> float:
    """A static number; integers beyond the doubles are infinite.

    Raises:
        TypeError: it is not a real number, or traced.
    """
    try:
        if isinstance(value, Tracer | str | bytes):
            raise TypeError
        return float(value)
    except OverflowError:
        return math.inf if operator.gt(value, 0) else -math.inf
    except (TypeError, ValueError):
        raise TypeError(
            f"{function}: argument {name!r} must be a number, got {type(value).__name__}; it is "
            "static"
        ) from None
