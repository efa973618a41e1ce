"""A host function as a call from compiled code.

`jax.pure_callback` puts its arguments on a device, inside the callback, before it hands them
over: JAX inside a callback, which deadlocks when the threads that would do the transfer all wait
for callbacks. The lowering that it uses is public by itself, and gives the host function NumPy
arrays that look at XLA's own buffers. docs/design.md has the measurements.
"""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Callable, Sequence
from typing import Any

import jax
import numpy as np
from jax.interpreters import mlir

_WIDE = {np.dtype(t) for t in ("float64", "complex128", "int64", "uint64")}

HostCall = Callable[..., tuple[np.ndarray, ...]]


def _x64_here() -> bool:
    return jax.dtypes.canonicalize_dtype(np.float64) == np.float64


def _x64_everywhere() -> bool:
    """Whether 64-bit types are on in a thread that has entered no context manager of its own."""
    seen: list[bool] = []
    thread = threading.Thread(target=lambda: seen.append(_x64_here()))
    thread.start()
    thread.join()
    return seen[0]


def _as_words(call: HostCall) -> HostCall:
    """`call`, with its 64-bit results handed over as 32-bit words."""

    def words(*operands: np.ndarray) -> tuple[np.ndarray, ...]:
        return tuple(
            np.ascontiguousarray(y).reshape(*y.shape, 1).view(np.uint32) if y.dtype in _WIDE else y
            for y in call(*operands)
        )

    return words


def _words_type(aval: Any) -> Any:
    """The abstract value of `aval`'s bits as 32-bit words along a new last dimension."""
    spec = tuple(aval.sharding.spec)
    spec = jax.sharding.PartitionSpec(*spec, *(None,) * (aval.ndim + 1 - len(spec)))
    return aval.update(
        shape=(*aval.shape, np.dtype(aval.dtype).itemsize // 4),
        dtype=np.dtype(np.uint32),
        weak_type=False,
        sharding=jax.sharding.NamedSharding(aval.sharding.mesh, spec),
    )


def _from_words(words: Any, dtype: np.dtype) -> Any:
    """The values behind 32-bit words along the last dimension (others as they are)."""
    if dtype not in _WIDE:
        return words
    if dtype == np.complex128:
        halves = jax.lax.bitcast_convert_type(
            words.reshape(*words.shape[:-1], 2, 2), np.dtype(np.float64)
        )
        return jax.lax.complex(halves[..., 0], halves[..., 1])
    return jax.lax.bitcast_convert_type(words, dtype)


def _run_once_on_the_first_device(ctx: Any, results: Sequence[Any]) -> None:
    """Keep a program over several devices from making the same call on each of them."""
    axis_context = ctx.module_context.axis_context
    if not results or not isinstance(axis_context, mlir.ShardingContext):
        return
    if getattr(axis_context, "num_devices", 1) == 1:
        return
    operation = results[0].owner
    one = "<mesh<[], device_ids=[0]>, []>"
    try:
        if getattr(jax.config, "jax_use_shardy_partitioner", True):
            name = "sdy.sharding"
            text = f"#sdy.sharding_per_value<[{', '.join([one] * len(results))}]>"
        else:
            name, text = "mhlo.sharding", '"{maximal device=0}"'
        operation.attributes[name] = mlir.ir.Attribute.parse(text, context=operation.context)
    except (ValueError, AttributeError, mlir.ir.MLIRError):
        pass  # every device makes the call and gets the same values: slower, and right


def emit(ctx: Any, operands: Sequence[Any], call: HostCall) -> Sequence[Any]:
    """Lower a call of `call` on NumPy arrays; it returns arrays of ctx.avals_out's types."""
    # JAX narrows what a callback returns to 32 bits by the setting of the thread it runs on.
    # Where that setting is not the one that this program is lowered under, the bits travel as
    # 32-bit words.
    types = [np.dtype(a.dtype) for a in ctx.avals_out]
    as_words = not _WIDE.isdisjoint(types) and not _x64_everywhere()
    avals_out = [
        _words_type(a) if as_words and t in _WIDE else a
        for a, t in zip(ctx.avals_out, types, strict=True)
    ]
    results, _, _ = mlir.emit_python_callback(
        dataclasses.replace(ctx, avals_out=avals_out),
        _as_words(call) if as_words else call,
        None,
        list(operands),
        ctx.avals_in,
        avals_out,
        has_side_effect=False,
        returns_token=False,
    )
    _run_once_on_the_first_device(ctx, results)
    if not as_words:
        return results
    rebuild = mlir.lower_fun(
        lambda *words: [_from_words(w, t) for w, t in zip(words, types, strict=True)],
        multiple_results=True,
    )
    return rebuild(dataclasses.replace(ctx, avals_in=avals_out), *results)
