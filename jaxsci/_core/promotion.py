"""The user's settings for promotion, and our own while rules and conversions are traced.

`jax_numpy_dtype_promotion="strict"` and `jax_numpy_rank_promotion="raise"` are wishes about the
user's own code: they hold for the arguments that a function is called with. Rules inside mix
integers with floats, and vectors with matrices, and know what they do.
"""

from __future__ import annotations

import functools
import operator
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any, TypeVar

import jax
import jax.numpy as jnp
import numpy as np

F = TypeVar("F", bound=Callable[..., Any])
Settings = tuple[str, str]

_DEFAULTS: Settings = ("standard", "allow")
_outside = threading.local()


def settings() -> Settings:
    """What is in force here: for dtypes, and for ranks."""
    config: Any = jax.config
    return config.jax_numpy_dtype_promotion, config.jax_numpy_rank_promotion


@contextmanager
def under(wanted: Settings) -> Iterator[None]:
    """Trace under these settings, within a ``with`` block."""
    with jax.numpy_dtype_promotion(wanted[0]), jax.numpy_rank_promotion(wanted[1]):
        yield


def ours() -> AbstractContextManager[None]:
    """Trace under JAX's defaults, within a ``with`` block."""
    # Entered where it makes a difference only: what is jitted inside is traced once the less.
    return nullcontext() if settings() == _DEFAULTS else under(_DEFAULTS)


def by_our_rules(function: F) -> F:
    """Decorate a function that promotes by JAX's defaults, whatever the user's settings are."""

    @functools.wraps(function)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        with ours():
            return function(*args, **kwargs)

    return wrapped  # pyright: ignore[reportReturnType]


def of_users_arguments(function: F) -> F:
    """Decorate a public function that promotes its arguments itself (see `check`)."""

    @functools.wraps(function)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        before, here = getattr(_outside, "settings", None), settings()
        if here == _DEFAULTS and before is None:
            return function(*args, **kwargs)
        _outside.settings = None if here == _DEFAULTS else here
        try:
            with ours():
                return function(*args, **kwargs)
        finally:
            _outside.settings = before

    return wrapped  # pyright: ignore[reportReturnType]


def is_array(value: Any) -> bool:
    """Whether JAX takes a value for an array or a number.

    Things with a protocol of arrays are none: jitted functions take no object that has to be asked
    for its numbers, nor masked arrays.
    """
    if not isinstance(value, jax.Array | np.ndarray | np.generic | bool | int | float | complex):
        return False
    try:
        jax.typeof(value)
    except (TypeError, ValueError):
        return False
    return True


def check_size(function: str, argument: str, value: Any) -> None:
    """Refuse a Python integer that has more digits than JAX's integers.

    Raises:
        ValueError: the integer does not fit, by function and argument.
    """
    if isinstance(value, int) and not isinstance(value, bool):
        limits = jnp.iinfo(jnp.result_type(int))
        if not int(limits.min) <= value <= int(limits.max):
            raise ValueError(
                f"{function}: argument {argument!r} is an integer that {limits.dtype} cannot hold; "
                "pass a float"
            )


def check(function: str, values: Sequence[Any]) -> None:
    """Refuse arguments whose dtypes the user's settings do not let be promoted to one.

    Args:
        function: a public function's name, for the message.
        values: its arguments, those that are brought to one dtype.

    Raises:
        ValueError: JAX's own error, `jax.dtypes.TypePromotionError`, with the function's name.
    """
    outside = getattr(_outside, "settings", None)
    if outside is None:
        return
    with under(outside):
        named(function, jnp.result_type, *values)


def named(function: str, promote: Callable[..., Any], *args: Any) -> np.dtype:
    """``promote(*args)``; JAX's complaint about promotion names the function."""
    try:
        return promote(*args)
    except ValueError as error:  # a TypePromotionError is one
        raise type(error)(f"{function}: {error}") from None


def check_ranks(function: str, shapes: Sequence[tuple[int, ...]]) -> None:
    """Refuse shapes, or warn of them, that the user's settings do not let broadcast."""
    if settings()[1] == "allow" or len(shapes) < 2:
        return

    def added(*xs: Any) -> jax.Array:
        return functools.reduce(jnp.add, xs)

    same = [jax.ShapeDtypeStruct(shape, jnp.float32) for shape in shapes]
    named(function, jax.eval_shape, added, *same)


def canonical(name: str, dtype: Any) -> np.dtype:
    """The dtype of a result as JAX has it; raises where that needs 64-bit types, naming who."""
    if any(dtype is kind for kind in (bool, int, float, complex)):  # JAX's default of that kind
        return np.dtype(jnp.result_type(dtype))
    dtype = np.dtype(dtype)
    if jax.dtypes.canonicalize_dtype(dtype) != dtype:
        raise ValueError(
            f"{name}: {dtype} results need 64-bit types: jax.config.update('jax_enable_x64', True)"
        )
    return dtype


def to_floating(arrays: Sequence[jax.Array]) -> tuple[np.dtype, bool]:
    """JAX's promotion of the arguments to a floating or complex dtype, and whether it is weak."""
    if not arrays:
        return np.dtype(jnp.result_type(float)), False
    scalars = [jax.ShapeDtypeStruct((), x.dtype, weak_type=jax.typeof(x).weak_type) for x in arrays]

    # Which float an integer becomes is JAX's to say, and what is weak: its own operations know.
    def like_a_float(*xs: jax.Array) -> jax.Array:
        return jnp.sin(functools.reduce(operator.add, xs))

    out = jax.eval_shape(like_a_float, *scalars)
    return np.dtype(out.dtype), bool(out.weak_type)
