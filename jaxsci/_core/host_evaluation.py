"""What a host function does on the host: NumPy arrays in, and out those that were declared."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, Literal

import jax
import jax.numpy as jnp
import numpy as np
import scipy.special
from jax.typing import ArrayLike

from jaxsci._core import failures as host_failures
from jaxsci._core import precision
from jaxsci._core.function import Call, Function
from jaxsci._core.lowering import callback as callback_lowering
from jaxsci._core.lowering import chunks, host_thread

Effects = Literal["none", "unordered", "ordered", "debug"]


class HostEvaluation(Function):
    """The part of a host function that compiled code calls."""

    fn: Callable[..., Any]
    argument_names: Sequence[str] | None
    effects: Effects
    _batched: bool
    """Whether `fn` takes leading dimensions."""
    _double: bool
    """Whether lower precision is widened to double before the call, and rounded after it."""
    _quiet: bool
    """Whether floating-point warnings are off during the call."""
    _failures: tuple[type[Exception], ...]
    """Exceptions that stand for: there is no result here."""
    _vmap_method: str | None

    def host_call(self, call: Call) -> callback_lowering.HostCall:
        """The function of NumPy arrays that compiled code calls."""

        def work(operands: Sequence[np.ndarray]) -> tuple[np.ndarray, ...]:
            loop = call.loop_shape(operands)
            if self._double:
                operands = [precision.widen_on_host(x) for x in operands]
            if self._quiet:
                with np.errstate(all="ignore"), host_thread.quiet_special_functions():
                    return self._evaluate(call, loop, operands)
            return self._evaluate(call, loop, operands)

        def run(*operands: np.ndarray) -> tuple[np.ndarray, ...]:
            arrays = [np.asarray(x) for x in operands]
            return host_thread.run_in_default_environment(lambda: work(arrays))

        return run

    def _evaluate(
        self, call: Call, loop: tuple[int, ...], operands: Sequence[np.ndarray]
    ) -> tuple[np.ndarray, ...]:
        if self._batched or (self._vmap_method == "expand_dims") or not loop:
            return self._one_call(call, loop, operands)
        n = len(loop)
        full = [np.broadcast_to(x, loop + x.shape[n:]) for x in operands]
        if self._vmap_method == "broadcast_all":
            return self._one_call(call, loop, full)
        slices = [self._one_call(call, (), [x[index] for x in full]) for index in np.ndindex(*loop)]
        return tuple(
            np.stack([ys[j] for ys in slices]).reshape(loop + result.core_shape)
            if slices
            else np.empty(loop + result.core_shape, result.dtype)
            for j, result in enumerate(call.results)
        )

    def _one_call(
        self, call: Call, loop: tuple[int, ...], operands: Sequence[np.ndarray]
    ) -> tuple[np.ndarray, ...]:
        static = dict(call.static)
        if call.trees is not None:
            args, kwargs = jax.tree.unflatten(call.trees[0], operands)
        else:
            if not self._batched:
                operands = [x[()] for x in operands]  # scalars rather than arrays of no dimension
            args, kwargs = self.as_called(operands, static)
            static = {}
        try:
            value = self._value(args, kwargs | static)
        except self._failures:
            value = tuple(no_result(loop + r.core_shape, r.dtype) for r in call.results)
        except BaseException as error:  # KeyboardInterrupt too: XLA makes the same of it
            raise RuntimeError(host_failures.described(self.name, error, (__file__,))) from error
        if self.effects == "debug":
            return ()
        if call.trees is not None:
            ys, tree = jax.tree.flatten(value)
            if tree != call.trees[1] and (ys or call.results):
                hint = host_failures.hint_of_list(value) if call.trees[1].num_nodes == 1 else ""
                raise RuntimeError(
                    f"the host function {self.name!r} returned {tree} where {call.trees[1]} was "
                    f"declared{hint}"
                )
        else:
            ys = list(value) if isinstance(value, tuple | list) else [value]
        if len(ys) != len(call.results):
            raise RuntimeError(host_failures.wrong_number(self.name, value, len(call.results)))
        return tuple(
            self._result(self._array(y), loop, r.core_shape, r.dtype)
            for y, r in zip(ys, call.results, strict=True)
        )

    def _array(self, y: ArrayLike) -> np.ndarray:
        """One result as an array; what NumPy would take for one without its meaning is refused."""
        if isinstance(y, np.ma.MaskedArray) and np.ma.is_masked(y):
            raise RuntimeError(
                f"the host function {self.name!r} returned a masked array; fill what is masked"
            )
        array = np.asarray(y)
        if array.dtype == object:  # of np.frompyfunc
            array = np.array(array.tolist()).reshape(array.shape)
        if array.dtype == object:
            raise RuntimeError(
                f"the host function {self.name!r} returned what is no array of numbers: "
                f"{type(y).__name__}"
            )
        return array

    def _value(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        try:
            if isinstance(self.fn, np.ufunc) and self.fn.signature is None and not kwargs:
                return chunks.evaluate(self.fn, args)
            return self.fn(*args, **kwargs)
        except scipy.special.SpecialFunctionError:
            if not isinstance(self.fn, np.ufunc):
                raise
            # Short of memory, the one error that raises by default: only that element is nan.
            with scipy.special.errstate(all="ignore"):
                return self.fn(*args, **kwargs)

    def as_called(
        self, operands: Sequence[ArrayLike], static: dict[str, Any]
    ) -> tuple[Sequence[Any], dict[str, Any]]:
        """The arguments by place and by name: static ones may stand anywhere among the arrays."""
        known = parameters_of(self.fn)
        names = self.argument_names or []
        if known is None or len(names) < len(operands):
            return operands, static
        only_named = inspect.Parameter.KEYWORD_ONLY
        values = dict(zip(names, operands, strict=False)) | static
        args = []
        for parameter in known.parameters.values():
            if parameter.name not in values or parameter.kind is only_named:
                break
            args.append(values.pop(parameter.name))
        return args, values

    def _result(
        self, y: np.ndarray, loop: tuple[int, ...], core: tuple[int, ...], dtype: np.dtype
    ) -> np.ndarray:
        if y.dtype != dtype and _loses_values(y, dtype):
            raise RuntimeError(
                f"the host function {self.name!r} returned values of {y.dtype} that do not fit "
                f"the declared {dtype}; give it dtype="
            )
        if y.shape != loop + core:
            try:
                if y.ndim != len(loop + core) or y.shape[len(loop) :] != core:
                    raise ValueError
                y = np.broadcast_to(y, loop + core)  # it may ignore an argument that was batched
            except ValueError:
                raise RuntimeError(
                    f"the host function {self.name!r} returned shape {y.shape} where "
                    f"{loop + core} was declared; its signature, or result_shape_dtypes, must say "
                    "what it returns"
                ) from None
        with np.errstate(all="ignore"):
            return precision.round_to(y, dtype)


SINGLE = (
    inspect.Parameter.POSITIONAL_ONLY,
    inspect.Parameter.POSITIONAL_OR_KEYWORD,
    inspect.Parameter.KEYWORD_ONLY,
)


@functools.cache
def parameters_of(fn: Callable[..., Any]) -> inspect.Signature | None:
    if isinstance(fn, np.ufunc):
        return None
    try:
        return inspect.signature(fn)
    except (TypeError, ValueError):
        return None


def argument_names(fn: Callable[..., Any], static: Sequence[Hashable]) -> list[str] | None:
    """Names of a function's array arguments, where it says what they are."""
    parameters = parameters_of(fn)
    if parameters is None:
        return None
    return [
        p.name for p in parameters.parameters.values() if p.kind in SINGLE and p.name not in static
    ]


def no_result(shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
    """What stands for results that there are not: NaN, or -1 among integers."""
    if jnp.issubdtype(dtype, jnp.complexfloating):
        return np.full(shape, complex(np.nan, np.nan), dtype)
    if jnp.issubdtype(dtype, jnp.inexact):
        return np.full(shape, np.nan, dtype)
    return np.full(shape, -1 if dtype.kind == "i" else 0, dtype)


def _loses_values(y: np.ndarray, dtype: np.dtype) -> bool:
    """Whether values would lose more than precision: imaginary parts, fractions, high bits."""
    if y.dtype.kind not in "biufcV":  # V: the floats that NumPy does not know
        return True
    if y.dtype.kind == "c":
        return not jnp.issubdtype(dtype, jnp.complexfloating)
    if jnp.issubdtype(dtype, jnp.inexact):
        return False
    if dtype == np.bool_ or y.dtype.kind not in "biu":
        return y.dtype != np.bool_
    limits = jnp.iinfo(dtype)
    return bool(y.size) and (int(y.min()) < int(limits.min) or int(y.max()) > int(limits.max))
