"""The native path: a ufunc's own inner loop, called from compiled code without Python.

The extension is optional: without it everything runs on the callback backend.
"""

from __future__ import annotations

import functools
import importlib
import itertools
from collections.abc import Sequence
from typing import Any

import jax
import jax.ffi
import numpy as np
import scipy.special
from jax.interpreters import mlir

from jaxsci import _sharding
from jaxsci._primitive import Call, bind, call_p

TARGET = "jaxsci_ufunc"

try:
    _ufunc_call: Any = importlib.import_module("jaxsci._native._ufunc_call")
except ImportError as error:
    _ufunc_call = None
    ABSENT: str | None = (
        f"the compiled extension is not installed ({error}); a C++17 compiler builds it when "
        "jaxsci is installed from source"
    )
else:
    ABSENT = None
    jax.ffi.register_ffi_target(TARGET, _ufunc_call.handler(), platform="cpu")
    _sharding.let_know_devices(call_p)

# What the handler converts between: an argument's dtype and a loop's, a loop's and a result's.
_TO_LOOP = {
    "d": {"float64", "float32", "float16", "bfloat16", "int32", "int64"},
    "D": {"complex128", "complex64", "float64", "float32", "int32", "int64"},
    "l": {"int64", "int32"} if np.dtype("l").itemsize == 8 else {"int32"},
    "q": {"int64", "int32"},
}
_FROM_LOOP = {
    "d": {"float64", "float32", "float16", "bfloat16"},
    "D": {"complex128", "complex64"},
    "l": {"int64", "int32"} if np.dtype("l").itemsize == 8 else {"int32"},
    "q": {"int64", "int32"},
}
_numbers = itertools.count()


@functools.cache
def _name(ufunc: np.ufunc) -> str:
    """A name that leads to the ufunc: in any process where an import does, else in this one."""
    for module in (scipy.special, np):
        if getattr(module, ufunc.__name__, None) is ufunc:
            return f"{module.__name__}:{ufunc.__name__}"
    name = f"registered {next(_numbers)}:{ufunc.__name__}"
    _ufunc_call.register_ufunc(name, ufunc)
    return name


@functools.lru_cache(maxsize=4096)
def loop_for(
    ufunc: np.ufunc, double: bool, arguments: tuple[np.dtype, ...], results: tuple[np.dtype, ...]
) -> str | None:
    """The type codes of the loop that NumPy would choose, if the handler can call it."""
    if ufunc.signature is not None:
        return None
    wide = tuple(_widened(t) if double else t for t in arguments)
    try:
        types = ufunc.resolve_dtypes((*wide, *(None,) * ufunc.nout))
    except TypeError:
        return None
    codes = [t.char for t in types]
    if not all(
        t.name in _TO_LOOP.get(c, {np.dtype(c).name})
        for t, c in zip(arguments, codes, strict=False)
    ):
        return None
    if not all(
        t.name in _FROM_LOOP.get(c, {np.dtype(c).name})
        for t, c in zip(results, codes[ufunc.nin :], strict=True)
    ):
        return None
    text = f"{''.join(codes[: ufunc.nin])}->{''.join(codes[ufunc.nin :])}"
    return text if text in ufunc.types else None


def _widened(dtype: np.dtype) -> np.dtype:
    if jax.numpy.issubdtype(dtype, np.complexfloating):
        return np.dtype(np.complex128)
    if jax.numpy.issubdtype(dtype, np.floating):
        return np.dtype(np.float64)
    return dtype


def emit(
    ctx: Any, operands: Sequence[Any], ufunc: np.ufunc, loop: str, call: Call
) -> Sequence[Any]:
    """Lower to a call of the ufunc's inner loop, on each device's own shard."""
    if _sharding.devices_of_program(ctx) > 1 and _sharding.knows_devices(ctx):
        sharded = _sharding.over_automatic_shards(
            lambda *xs: tuple(bind(call, xs)), ctx.avals_in, [a.ndim for a in ctx.avals_out]
        )
        return mlir.lower_fun(sharded, multiple_results=True)(ctx, *operands)
    lowering = jax.ffi.ffi_lowering(TARGET)
    return lowering(ctx, *operands, ufunc=_name(ufunc), types=loop)
