"""In which precision what is computed: in double, and rounded once, where nothing else is chosen.

Values: the host widens its arguments, and rounds its results. Rules: they are traced in double
precision, whatever the setting outside; where values are double already, as they stand.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jaxsci._core.function import Call


def is_double(call: Call) -> bool:
    """Whether a call's results already are as wide as what the host computes in."""
    return all(is_wide(r.dtype) for r in call.results)


# -- the setting -----------------------------------------------------------------------------------


def x64_here() -> bool:
    """Whether 64-bit types are on in this thread."""
    return jax.dtypes.canonicalize_dtype(np.float64) == np.float64


def x64_everywhere() -> bool:
    """Whether 64-bit types are on in a thread that has entered no context manager of its own."""
    seen: list[bool] = []
    thread = threading.Thread(target=lambda: seen.append(x64_here()))
    thread.start()
    thread.join()
    return seen[0]


_outside = threading.local()


@contextlib.contextmanager
def lowered_in_double() -> Iterator[None]:
    """Lower with 64-bit types on, for a program that is run with the setting found outside."""
    before = getattr(_outside, "x64", None)
    _outside.x64 = x64_when_called()
    try:
        with jax.enable_x64(True):
            yield
    finally:
        _outside.x64 = before


def x64_when_called() -> bool:
    """Whether 64-bit types are on in the thread that runs the program."""
    outside = getattr(_outside, "x64", None)
    return x64_here() if outside is None else outside


# -- numbers that are traced -----------------------------------------------------------------------


def is_wide(dtype: np.dtype) -> bool:
    """Whether numbers of a type have more digits than single precision."""
    return np.dtype(dtype) in (np.float64, np.complex128)


def widen(x: Any) -> jax.Array:
    """The value in double precision (integers and booleans become floats)."""
    wide = np.complex128 if jnp.issubdtype(x.dtype, np.complexfloating) else np.float64
    return jax.lax.convert_element_type(x, wide)


def in_double(operands: Sequence[jax.Array], integers: frozenset[int]) -> list[jax.Array]:
    """The operands in double precision; integer arguments stay integers."""
    return [
        # Rules subtract from integer orders too: unsigned ones would wrap around.
        x.astype(np.int64)
        if i in integers and not jnp.issubdtype(x.dtype, jnp.inexact)
        else _widened(x)
        for i, x in enumerate(operands)
    ]


def _widened(x: jax.Array) -> jax.Array:
    """The number in double precision, where single precision's subnormal numbers are normal ones.

    XLA would convert them to zero; their bits count multiples of 2^-149.
    """
    if x.dtype == jnp.bfloat16:
        bits = jax.lax.bitcast_convert_type(x, np.int16).astype(np.int32) << 16
    elif x.dtype == np.float32:
        bits = jax.lax.bitcast_convert_type(x, np.int32)
    else:
        return widen(x)
    size = bits & np.int32(2**31 - 1)
    multiple = size.astype(np.float64) * 2.0**-149
    exact = jnp.where(bits < 0, -multiple, multiple)
    return jnp.where((size > 0) & (size < 2**23), exact, widen(x))


def in_single(operands: Sequence[jax.Array], integers: frozenset[int]) -> list[jax.Array]:
    """The operands in single precision; integer arguments stay integers, of 32 bits."""
    return [
        # Kernels of larger ones have what they have for the largest.
        jnp.clip(x, -_LARGEST_INT, _LARGEST_INT).astype(np.int32)
        if i in integers and not jnp.issubdtype(x.dtype, jnp.inexact)
        else _narrowed(x)
        for i, x in enumerate(operands)
    ]


_LARGEST_INT = 2**31 - 1


def _narrowed(x: jax.Array) -> jax.Array:
    is_complex = jnp.issubdtype(x.dtype, np.complexfloating)
    return jax.lax.convert_element_type(x, np.complex64 if is_complex else np.float32)


# -- numbers on the host ---------------------------------------------------------------------------


def widened(dtype: np.dtype) -> np.dtype:
    """What the host computes in for arguments of a dtype."""
    if jnp.issubdtype(dtype, np.complexfloating):
        return np.dtype(np.complex128)
    if jnp.issubdtype(dtype, np.floating):
        return np.dtype(np.float64)
    # NumPy would choose a ufunc's float32 loop for integers of 8 and 16 bits.
    return np.dtype(np.int32) if dtype.itemsize < 4 else dtype


def widen_on_host(x: np.ndarray) -> np.ndarray:
    """The values in double precision; integers stay, but none so small as to ask for less."""
    return x.astype(widened(x.dtype), copy=False)


def round_to(y: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """The values, rounded once to `dtype`."""
    if _is_extension_float(dtype) and y.dtype.kind in "fiu" and y.dtype.itemsize > 2:
        # NumPy's cast goes through float32 and would round twice; a float32 that is rounded to
        # odd keeps what the second rounding needs to know.
        return _round_to_odd(y.astype(np.float64)).astype(dtype)
    return y.astype(dtype, copy=False)


def _is_extension_float(dtype: np.dtype) -> bool:
    """Whether this is bfloat16 or narrower: a float that NumPy itself does not know."""
    return dtype.isbuiltin == 2 and jnp.issubdtype(dtype, jnp.floating)


def _round_to_odd(y: np.ndarray) -> np.ndarray:
    """float32 with the last bit set wherever the double is not representable."""
    narrow = np.atleast_1d(y.astype(np.float32))
    exact = narrow.astype(np.float64) == y
    away = np.abs(narrow.astype(np.float64)) > np.abs(y)
    bits = narrow.view(np.int32)
    finite = np.isfinite(narrow)
    truncated = np.where(away & ~exact & (finite | np.isfinite(y)), bits - 1, bits)
    odd = np.where(exact | ~np.isfinite(y), truncated, truncated | 1)
    return odd.astype(np.int32).view(np.float32).reshape(y.shape)
