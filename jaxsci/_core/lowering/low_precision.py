"""Between NumPy arrays of low precision and double, on the host."""

from __future__ import annotations

import jax.numpy as jnp
import numpy as np


def widen(x: np.ndarray) -> np.ndarray:
    """The values in double precision; integers stay, but none so small as to ask for less."""
    if x.dtype.kind == "c":
        return x.astype(np.complex128, copy=False)
    if x.dtype.kind in "biu":
        # NumPy would choose a ufunc's float32 loop for integers of 8 and 16 bits.
        return x.astype(np.int32) if x.dtype.itemsize < 4 else x
    return x.astype(np.float64, copy=False)


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
