"""Matrix functions that run on the host: what they all do before and after SciPy is called.

A function is written for one slice, in NumPy. Leading dimensions are looped over within one
callback. A slice that is not finite, or for which SciPy has no result, gives NaN and leaves the
others alone.
"""

from __future__ import annotations

import contextlib
import functools
import inspect
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import jax.numpy as jnp
import numpy as np
from scipy.linalg import LinAlgError

from jaxsci._core.host_evaluation import argument_names, no_result
from jaxsci._core.host_function import HostFunction
from jaxsci._core.signature import parse_signature
from jaxsci.linalg._infra.blas import SMALL, one_thread_for


class NoResult(LinAlgError):
    """What a host function raises where it has no result: that slice is NaN."""


def complex_of(*dtypes: np.dtype) -> np.dtype:
    """The complex dtype of results, for arguments of these dtypes."""
    return np.dtype(jnp.result_type(*dtypes, jnp.complex64))


def real_of(*dtypes: np.dtype) -> np.dtype:
    """The real dtype of results, for arguments of these dtypes."""
    return np.dtype(jnp.finfo(jnp.result_type(*dtypes, jnp.float32)).dtype)


@contextlib.contextmanager
def lapack_at_work(size: int) -> Iterator[None]:
    """The surroundings that LAPACK is called in, for matrices of this order."""
    with np.errstate(all="ignore"), one_thread_for(size, SMALL):
        yield


class _OverSlices:
    """A function of one slice, as a function of arrays with leading dimensions that broadcast."""

    def __init__(self, fn: Callable[..., Any], cores: Sequence[int], static: Sequence[str]) -> None:
        functools.update_wrapper(self, fn)  # what inspect.signature sees
        self._fn = fn
        self._cores = cores
        parameters = inspect.signature(fn).parameters
        self._names = list(parameters)
        self._placed = [n for n, p in parameters.items() if p.kind is not p.KEYWORD_ONLY]
        self._named = [n for n, p in parameters.items() if p.kind is p.KEYWORD_ONLY]
        self._arrays = [name for name in self._names if name not in static]

    def __call__(self, *args: Any, **named: Any) -> tuple[np.ndarray, ...]:
        values = dict(zip(self._names, args, strict=False)) | named
        loop, stacks, finite = _in_stacks([values[name] for name in self._arrays], self._cores)
        for name, stack in zip(self._arrays, stacks, strict=True):
            if len(stack) == 1:
                values[name] = stack[0]
        with lapack_at_work(_order(stacks)):
            results = self._all(values, stacks, finite)
        return _stacked(results, loop)

    def _all(
        self, values: dict[str, Any], stacks: Sequence[np.ndarray], finite: np.ndarray
    ) -> list[Any]:
        changing = [(n, s) for n, s in zip(self._arrays, stacks, strict=True) if len(s) != 1]
        results: list[Any] = []
        for i, good in enumerate(finite):
            try:
                if not good:
                    raise NoResult
                for name, stack in changing:
                    values[name] = stack[i]
                value = self._fn(
                    *(values[name] for name in self._placed),
                    **{name: values[name] for name in self._named},
                )
                results.append(value if isinstance(value, tuple | list) else (value,))
            except LinAlgError:
                results.append(None)
        return results


def _in_stacks(
    given: Sequence[np.ndarray], cores: Sequence[int]
) -> tuple[tuple[int, ...], list[np.ndarray], np.ndarray]:
    """The loop's shape, the arguments as stacks of slices, and which slices are finite in all.

    A slice that all have in common is a stack of one, and is not copied out.
    """
    arrays = [np.asarray(x) for x in given]
    loops = [x.shape[: x.ndim - n] for x, n in zip(arrays, cores, strict=True)]
    loop = np.broadcast_shapes(*loops)
    stacks = [
        x.reshape(1, *x.shape[len(own) :]) if math.prod(own) == 1 else _flat(x, loop, len(own))
        for x, own in zip(arrays, loops, strict=True)
    ]
    finite = np.ones(math.prod(loop), bool)
    for x in stacks:
        finite &= np.isfinite(x).all(axis=tuple(range(1, x.ndim)))
    return loop, stacks, finite


def _order(stacks: Sequence[np.ndarray]) -> int:
    """The largest dimension of the slices."""
    return max((n for x in stacks for n in x.shape[1:]), default=0)


def _flat(x: np.ndarray, loop: tuple[int, ...], own_ndim: int) -> np.ndarray:
    """All slices in one leading dimension."""
    core = x.shape[own_ndim:]
    return np.broadcast_to(x, loop + core).reshape(math.prod(loop), *core)


def _stacked(results: Sequence[Any], loop: tuple[int, ...]) -> tuple[np.ndarray, ...]:
    """The results of all slices, with NaN (or -1) where there is none."""
    found = next((r for r in results if r is not None), None)
    if found is None:
        raise NoResult
    out = []
    for j in range(len(found)):
        parts = [None if r is None else np.asarray(r[j]) for r in results]
        there = [p for p in parts if p is not None]
        dtype = np.result_type(*{p.dtype for p in there})
        y = no_result((len(parts), *there[0].shape), dtype)
        for i, part in enumerate(parts):
            if part is not None:
                y[i] = part
        out.append(y.reshape(loop + there[0].shape))
    return tuple(out)


def host(
    signature: str,
    *,
    static: Sequence[str] = (),
    dtype: Any = None,
    sizes: Mapping[str, int] | None = None,
    name: str | None = None,
) -> Callable[[Callable[..., Any]], HostFunction]:
    """Decorate a NumPy function of one slice: the result is a function of JAX arrays.

    It is called with double (or double complex) arrays, contiguous and read-only, all finite. It
    raises LinAlgError (`NoResult`) where there is no result. Derivative rules are attached with
    ``jvp`` and ``linear_in``.

    Args:
        signature: shapes, as NumPy writes generalised ufuncs: ``"(m,m),(n,n),(m,n)->(m,n)"``.
        static: names of the arguments that are no arrays.
        dtype: the results' dtype, if it is not the one that the arguments promote to: a tuple for
            several results, or a function of the arguments' dtypes (`complex_of`, `real_of`).
        sizes: sizes of dimensions of the result that no argument has; a static integer argument of
            the same name gives one too.
        name: for messages. Default: the function's own, without leading underscores.
    """

    def decorate(fn: Callable[..., Any]) -> HostFunction:
        cores = [len(core) for core in parse_signature(signature).inputs]
        return of_batches(
            _OverSlices(fn, cores, static),
            signature,
            name=name or fn.__name__.lstrip("_"),
            static=static,
            dtype=dtype,
            sizes=sizes,
        )

    return decorate


class _OverStacks:
    """A function of stacks of slices, as one of arrays with leading dimensions that broadcast."""

    def __init__(self, fn: Callable[..., Any], cores: Sequence[int]) -> None:
        functools.update_wrapper(self, fn)
        self._fn = fn
        self._cores = cores

    def __call__(self, *arrays: np.ndarray) -> tuple[np.ndarray, ...]:
        loop, stacks, fine = _in_stacks(arrays, self._cores)
        if not fine.any():
            raise NoResult
        whole = fine.all()
        if not whole:
            stacks = [x if len(x) == 1 else x[fine] for x in stacks]
        with lapack_at_work(_order(stacks)):
            results = self._fn(*stacks)
        out = []
        for y in results if isinstance(results, tuple) else (results,):
            if not whole:
                part, y = y, no_result((len(fine), *y.shape[1:]), y.dtype)
                y[fine] = part
            out.append(y.reshape(loop + y.shape[1:]))
        return tuple(out)


def stack_host(
    signature: str, *, dtype: Any = None, name: str | None = None
) -> Callable[[Callable[..., Any]], HostFunction]:
    """Decorate a NumPy function of stacks of slices: the result is a function of JAX arrays.

    The function gets stacks of one length, or of length one where all slices have that one in
    common: what depends on such a stack alone is computed once. All are double, and finite
    throughout. NaN in a slice means that it has no result.

    Args:
        signature: a gufunc signature of a slice.
        dtype: as in `host`.
        name: what messages call the function; its own name by default.
    """

    def decorate(fn: Callable[..., Any]) -> HostFunction:
        cores = [len(core) for core in parse_signature(signature).inputs]
        name_ = name or fn.__name__.lstrip("_")
        return of_batches(_OverStacks(fn, cores), signature, name=name_, dtype=dtype)

    return decorate


def of_batches(
    fn: Callable[..., Any],
    signature: str,
    *,
    name: str,
    static: Sequence[str] = (),
    dtype: Any = None,
    sizes: Mapping[str, int] | None = None,
) -> HostFunction:
    """A JAX function of a NumPy function that takes leading dimensions itself.

    The arguments are those of `host`.
    """
    function = HostFunction(
        fn,
        name=name,
        signature=parse_signature(signature),
        argument_names=argument_names(fn, static),
        result_shape_dtypes=None,
        dtype=dtype,
        batched=True,
        double=True,
        sizes=sizes or {},
        static_argnames=tuple(static),
        effects="none",
        vmap_method=None,
        sharding=None,
        quiet=False,
        failures=(LinAlgError,),
    )
    function.rules_are_trusted = True
    return function
