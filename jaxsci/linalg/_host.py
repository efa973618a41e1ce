"""Matrix functions that run on the host: what they all do before and after SciPy is called.

A function is written for one slice, in NumPy. Leading dimensions are looped over within one
callback. A slice that is not finite, or for which SciPy has no result, gives NaN and leaves the
others alone.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import jax.numpy as jnp
import numpy as np
from scipy.linalg import LinAlgError

from jaxsci._signature import parse_signature
from jaxsci.callback import HostFunction, argument_names
from jaxsci.linalg._blas import SMALL, one_thread


class NoResult(LinAlgError):
    """What a host function raises where it has no result: that slice is NaN."""


def complex_of(*dtypes: np.dtype) -> np.dtype:
    """The complex dtype of results, for arguments of these dtypes."""
    return np.dtype(jnp.result_type(*dtypes, jnp.complex64))


def real_of(*dtypes: np.dtype) -> np.dtype:
    """The real dtype of results, for arguments of these dtypes."""
    return np.dtype(jnp.finfo(jnp.result_type(*dtypes, jnp.float32)).dtype)


def _guarded(fn: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(fn)
    def guarded(*args: Any, **static: Any) -> Any:
        arrays = [x for x in args if isinstance(x, np.ndarray | np.generic)]
        if not all(np.isfinite(x).all() for x in arrays):
            raise NoResult
        with np.errstate(all="ignore"):
            if max((n for x in arrays for n in x.shape), default=0) > SMALL:
                return fn(*args, **static)
            with one_thread():
                return fn(*args, **static)

    return guarded


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
        return HostFunction(
            _guarded(fn),
            name=name or fn.__name__.lstrip("_"),
            signature=parse_signature(signature),
            argument_names=argument_names(fn, static),
            result_shape_dtypes=None,
            dtype=dtype,
            batched=False,
            double=True,
            sizes=sizes or {},
            static_argnames=tuple(static),
            effects="none",
            vmap_method=None,
            sharding=None,
            quiet=False,
            failures=(LinAlgError,),
        )

    return decorate
