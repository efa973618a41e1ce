"""The native path: a ufunc's own inner loop, called from compiled code without Python.

The extension is optional: without it everything runs on the callback backend.
"""

from __future__ import annotations

import functools
import importlib
import sys
import uuid
from collections.abc import Sequence
from typing import Any

import jax
import jax.export
import jax.ffi
import numpy as np
import scipy.special

from jaxsci._core import jax_compat, precision
from jaxsci._core.function import Call
from jaxsci._core.jax_compat import mlir
from jaxsci._core.lowering import sharding
from jaxsci._core.primitive import bind, call_p

TARGET = "jaxsci_ufunc"


def _load() -> tuple[Any, str | None]:
    """The extension, its handler registered; or why it does not serve."""
    try:
        extension: Any = importlib.import_module("jaxsci._native._ufunc_call")
    except ImportError as error:
        return None, (
            f"the compiled extension is not installed ({error}); a C++17 compiler builds it when "
            "jaxsci is installed from source"
        )
    # A handler that XLA refuses keeps JAX itself from starting, so it is not offered one.
    problem = refusal(extension.FFI_API_VERSION, jax_compat.ffi_api_version())
    if problem is not None:
        return None, problem
    jax.ffi.register_ffi_target(TARGET, extension.handler(), platform="cpu")
    jax_compat.let_know_devices(call_p)
    return extension, None


def refusal(built: tuple[int, int], here: tuple[int, int] | None) -> str | None:
    """Why XLA would not take a handler, going by versions of its FFI; None if it takes it.

    XLA takes handlers of its own version and of older ones of the same major number.

    Args:
        built: the version that the handler was built with.
        here: XLA's own; None if it is not known.
    """
    if here is None:
        return "the installed jaxlib does not say which version of XLA's FFI it has"
    if built[0] != here[0] or built[1] > here[1]:
        return (
            f"the compiled extension was built for version {built[0]}.{built[1]} of XLA's FFI, and "
            f"the installed jaxlib has version {here[0]}.{here[1]}; install jaxsci again, with "
            "pip's build isolation, which takes the oldest headers"
        )
    return None


_ufunc_call, ABSENT = _load()

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
# Of the loops themselves; no half precision and no long doubles, which XLA or the handler lack.
_KNOWN_CODES = frozenset("?bBhHiIlLqQfdFD")
_INEXACT_CODES = frozenset("fdFD")
# The handler's limits on dimensions and operands; NumPy's are 64.
_MOST_DIMENSIONS = 32
_MOST_OPERANDS = 32

_named: dict[str, np.ufunc] = {}


@functools.cache
def _name(ufunc: np.ufunc) -> str:
    """A name that leads to the ufunc: in any process where an import does, else in this one."""
    # Kept for as long as the process lives: compiled programs know no more than the name.
    name = _importable_name(ufunc)
    if name is None or _named.setdefault(name, ufunc) is not ufunc:
        # No other process may take it for one of its own: the name can be in an exported program.
        name = f"registered {uuid.uuid4().hex}:{ufunc.__name__}"
        _named[name] = ufunc
    return name


@functools.cache
def _make_known(name: str, ufunc: np.ufunc, loops: int) -> None:
    """Register the ufunc, and again where it has more loops by now: numba's ones grow."""
    _ufunc_call.register_ufunc(name, ufunc)


def _importable_name(ufunc: np.ufunc) -> str | None:
    attribute = ufunc.__name__
    for module in (scipy.special, np):
        if getattr(module, attribute, None) is ufunc:
            return f"{module.__name__}:{attribute}"
    for name, module in list(sys.modules.items()):
        if name == "__main__" or getattr(module, "__spec__", None) is None:
            continue
        if getattr(module, "__dict__", {}).get(attribute) is ufunc:
            return f"{name}:{attribute}"
    return None


def export_checks() -> list[jax.export.DisabledSafetyCheck]:
    """What `jax.export.export` must be told for a program with functions of this package.

    JAX exports custom calls only where it is told that their meaning does not change::

        exported = jax.export.export(f, disabled_checks=jaxsci.export_checks())(x)

    A process that deserialises and calls the program must import jaxsci first, and must have the
    compiled extension and the ufuncs that the program calls. That is for programs on one CPU, by
    backend ``"ffi"``: JAX exports none that calls Python back.

    Returns:
        The checks to disable, one for each custom call of this package.
    """
    return [jax.export.DisabledSafetyCheck.custom_call(TARGET)]


def takes_shapes(ndim: int) -> bool:
    """Whether the handler takes operands of so many dimensions."""
    return ndim <= _MOST_DIMENSIONS


@functools.lru_cache(maxsize=4096)
def loop_for(
    ufunc: np.ufunc, double: bool, arguments: tuple[np.dtype, ...], results: tuple[np.dtype, ...]
) -> str | None:
    """The type codes of the loop that NumPy would choose, if the handler can call it.

    Args:
        ufunc: the ufunc.
        double: whether its floating and complex arguments are widened to double.
        arguments: their dtypes.
        results: the dtypes of the results.

    Returns:
        Codes such as ``"dd->d"``, or None.
    """
    if ufunc.signature is not None or ufunc.nargs > _MOST_OPERANDS:
        return None
    wide = tuple(precision.widened(t) if double else t for t in arguments)
    try:
        types = ufunc.resolve_dtypes((*wide, *(None,) * ufunc.nout))
    except TypeError:
        return None
    codes = [t.char for t in types]
    if not _KNOWN_CODES.issuperset(codes):
        return None
    if _INEXACT_CODES.isdisjoint(codes):
        # Loops over integers may raise (a negative power does), which a callback reports.
        return None
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


def emit(
    ctx: Any, operands: Sequence[Any], ufunc: np.ufunc, loop: str, call: Call
) -> Sequence[Any]:
    """Lower to a call of the ufunc's inner loop, on each device's own shard."""
    # Otherwise the call is not partitioned: the arguments are gathered, and every device makes it.
    partitioned = (
        jax_compat.devices_of_program(ctx) > 1
        and jax_compat.device_assignment(ctx) is not None
        and jax_compat.partitioned_by_shardy()
    )
    if partitioned:
        sharded = sharding.over_automatic_shards(
            lambda *xs: tuple(bind(call, xs)), ctx.avals_in, [a.ndim for a in ctx.avals_out]
        )
        return mlir.lower_fun(sharded, multiple_results=True)(ctx, *operands)
    name = _name(ufunc)
    _make_known(name, ufunc, len(ufunc.types))
    lowering = jax.ffi.ffi_lowering(TARGET)
    return lowering(ctx, *operands, ufunc=name, types=loop)
