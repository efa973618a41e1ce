"""A host function as a call from compiled code.

`jax.pure_callback` and `jax.experimental.io_callback` put their arguments on a device, inside the
callback, before they hand them over: JAX inside a callback, which deadlocks when the threads that
would do the transfer all wait for callbacks. The lowering that they use is public by itself, and
gives the host function NumPy arrays (copies, read-only). docs/design.md has the measurements.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jaxsci._core import precision
from jaxsci._core.jax_compat import (
    ShapedArray,
    device_assignment,
    devices_of_program,
    in_shard_map,
    mlir,
    partitioned_by_shardy,
    shaped,
)
from jaxsci._core.types import IrValue, LoweringContext

_WIDE = {np.dtype(t) for t in ("float64", "complex128", "int64", "uint64")}

HostCall = Callable[..., tuple[np.ndarray, ...]]


# -- bits instead of numbers -----------------------------------------------------------------------


def _word(dtype: np.dtype) -> np.dtype:
    """The unsigned integer that carries the bits of a number of this dtype, or a part of it."""
    return np.dtype(f"uint{min(8 * dtype.itemsize, 32)}")


def _as_words(call: HostCall, travels_as_words: Sequence[bool]) -> HostCall:
    """`call`, with the bits of some of its results in unsigned words of at most 32."""

    def words(y: np.ndarray) -> np.ndarray:
        flat = np.ascontiguousarray(y).reshape(*y.shape, 1).view(_word(y.dtype))
        return flat if y.dtype.itemsize > 4 else flat[..., 0]

    def run(*operands: np.ndarray) -> tuple[np.ndarray, ...]:
        results = call(*operands)
        return tuple(
            words(y) if yes else y for y, yes in zip(results, travels_as_words, strict=True)
        )

    return run


def _with_a_result(call: HostCall) -> HostCall:
    def run(*operands: np.ndarray) -> tuple[np.ndarray, ...]:
        call(*operands)
        return (np.zeros((), np.uint32),)

    return run


def _words_type(aval: ShapedArray) -> Any:
    """The abstract value of `aval`'s bits (parts of a number along a new last dimension)."""
    dtype = np.dtype(aval.dtype)
    parts = (dtype.itemsize // 4,) if dtype.itemsize > 4 else ()
    spec = tuple(aval.sharding.spec)
    spec = jax.sharding.PartitionSpec(*spec, *(None,) * (aval.ndim + len(parts) - len(spec)))
    return aval.update(
        shape=(*aval.shape, *parts),
        dtype=_word(dtype),
        weak_type=False,
        sharding=jax.sharding.NamedSharding(aval.sharding.mesh, spec),
    )


def _from_words(words: Any, dtype: np.dtype) -> jax.Array:
    """The numbers whose bits these are."""
    if not jnp.issubdtype(dtype, jnp.complexfloating):
        return jax.lax.bitcast_convert_type(words, dtype)
    real = np.dtype(f"float{4 * dtype.itemsize}")
    pairs = words.reshape(*words.shape[:-1], 2, 2) if dtype.itemsize == 16 else words
    halves = jax.lax.bitcast_convert_type(pairs, real)
    return jax.lax.complex(halves[..., 0], halves[..., 1])


# -- one call for a program over several devices ---------------------------------------------------


def _position(ctx: LoweringContext, name: str, sharding: Any) -> int:
    """The place, among the program's devices, of the one that makes the call."""
    if sharding is None:
        return 0
    (device,) = sharding.device_set
    if in_shard_map(ctx):
        raise NotImplementedError(f"{name}: sharding= has no meaning inside shard_map")
    devices = device_assignment(ctx)
    if devices is None:
        raise NotImplementedError(f"{name}: this version of JAX cannot honour sharding=")
    if device not in devices:
        raise ValueError(
            f"{name}: sharding= names {device}, which is not among the program's devices {devices}"
        )
    return devices.index(device)


def _on_one_device(operation: Any, position: int) -> bool:
    """Let one device make the call; False where there is no way to say so."""
    if not partitioned_by_shardy():
        return False
    one = f"<mesh<[], device_ids=[{position}]>, []>"
    text = f"#sdy.sharding_per_value<[{', '.join([one] * len(operation.results))}]>"
    try:
        operation.attributes["sdy.sharding"] = mlir.ir.Attribute.parse(
            text, context=operation.context
        )
    except (ValueError, AttributeError, mlir.ir.MLIRError):
        return False
    return True


def _on_every_device(value: Any, devices: int) -> Any:
    """The value, copied from the device that has it to all of them."""
    dimensions = ", ".join(["{}"] * mlir.ir.RankedTensorType(value.type).rank)
    return mlir.ir.Operation.create(
        "sdy.sharding_constraint",
        results=[value.type],
        operands=[value],
        attributes={
            "sharding": mlir.ir.Attribute.parse(
                f'#sdy.sharding<mesh<["all"={devices}]>, [{dimensions}]>', context=value.context
            )
        },
    ).result


# -- the call --------------------------------------------------------------------------------------


def _refuse_symbolic(ctx: LoweringContext, name: str) -> None:
    """Callbacks have buffers of sizes that the program knows; JAX's own end in std::bad_cast."""
    for aval in (*shaped(ctx.avals_in), *shaped(ctx.avals_out)):
        if not all(isinstance(n, int) for n in aval.shape):
            raise NotImplementedError(
                f"{name}: it is called through Python, which programs of symbolic shapes (here "
                f"{aval.shape}) cannot do. Export it for shapes that are numbers, or on a backend "
                "that needs no Python: jaxsci catalog --kernels has the functions of 'device'"
            )


def emit(
    ctx: LoweringContext, operands: Sequence[IrValue], call: HostCall, name: str, sharding: Any
) -> Any:
    """Lower a call of `call` on NumPy arrays; it returns arrays of ctx.avals_out's types.

    Args:
        ctx: the lowering's context.
        operands: MLIR values.
        call: the function of NumPy arrays.
        name: its name, for messages.
        sharding: the device that makes the call, or None.

    Returns:
        The MLIR values of the results.
    """
    results, _ = _emit(ctx, operands, call, name, sharding, None, has_effect=False)
    return results


def emit_effect(
    ctx: LoweringContext,
    operands: Sequence[IrValue],
    call: HostCall,
    name: str,
    sharding: Any,
    token: Any,
) -> tuple[Any, Any]:
    """As `emit`, for a call that must not be dropped, repeated or merged.

    Args:
        ctx: as in `emit`, like the next four.
        operands: see there.
        call: see there.
        name: see there.
        sharding: see there.
        token: what orders the call after others, or None.

    Returns:
        The results, and the token that later calls wait for.
    """
    return _emit(ctx, operands, call, name, sharding, token, has_effect=True)


def _emit(
    ctx: LoweringContext,
    operands: Sequence[IrValue],
    call: HostCall,
    name: str,
    sharding: Any,
    token: Any,
    *,
    has_effect: bool,
) -> tuple[Any, Any]:
    _refuse_symbolic(ctx, name)
    types = [np.dtype(a.dtype) for a in shaped(ctx.avals_out)]
    devices = devices_of_program(ctx)
    position = _position(ctx, name, sharding)
    # Two reasons why bits travel in place of numbers. JAX narrows what a callback returns to 32
    # bits by the setting of the thread it runs on, which need not be the one that this program is
    # lowered under. And a result goes from one device to all by adding zeros, which makes 0.0 of
    # -0.0 and of subnormal numbers.
    wide = not _WIDE.isdisjoint(types)
    narrowed = wide and not (precision.x64_when_called() and precision.x64_everywhere())
    as_words = [
        (narrowed and t in _WIDE) or (devices > 1 and jnp.issubdtype(t, jnp.inexact)) for t in types
    ]
    avals = [
        _words_type(a) if w else a for a, w in zip(shaped(ctx.avals_out), as_words, strict=True)
    ]
    if not avals:  # so that there is an operation to be placed
        avals, call = [ShapedArray((), np.dtype(np.uint32))], _with_a_result(call)
    results, token, _ = mlir.emit_python_callback(
        dataclasses.replace(ctx, avals_out=avals),
        _as_words(call, as_words) if any(as_words) else call,
        token,
        list(operands),
        shaped(ctx.avals_in),
        avals,
        has_side_effect=has_effect,
        returns_token=token is not None,
    )
    # Where the one device cannot be said, every device makes the call and gets the same values:
    # slower, and right.
    values: list[Any] = list(results)
    if devices > 1 and _on_one_device(values[0].owner, position):
        values = [_on_every_device(y, devices) for y in values]
    values, avals = values[: len(types)], avals[: len(types)]
    if not any(as_words):
        return values, token
    rebuild = mlir.lower_fun(
        lambda *words: [
            _from_words(w, t) if yes else w
            for w, t, yes in zip(words, types, as_words, strict=True)
        ],
        multiple_results=True,
    )
    return rebuild(dataclasses.replace(ctx, avals_in=avals), *values), token
