"""`host_function`: the options of a host function, and which of them contradict each other."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from jaxsci._core.host_evaluation import SINGLE, Effects, argument_names, parameters_of
from jaxsci._core.host_function import VMAP_METHODS, HostFunction
from jaxsci._core.signature import parse_signature

_EFFECTS = ("none", "unordered", "ordered", "debug")


def host_function(
    fn: Callable[..., Any],
    signature: str | None = None,
    *,
    result_shape_dtypes: Any = None,
    dtype: Any = None,
    batched: bool | None = None,
    double: bool | None = None,
    sizes: Mapping[str, int] | None = None,
    static_argnames: str | Sequence[str] = (),
    effects: Effects = "none",
    vmap_method: str | None = None,
    sharding: Any = None,
    name: str | None = None,
) -> HostFunction:
    """Make a host function (NumPy in, NumPy out) callable from JAX, under every transformation.

    Args:
        fn: the function: a NumPy ufunc (also numba's and Cython's), or a Python function.
        signature: its shapes, as a NumPy generalised-ufunc signature: ``"(),()->()"`` for an
            elementwise function of two arguments, ``"(n,n),(n)->(n)"`` for a linear solve. A
            ufunc brings its own. Leading dimensions broadcast and are batched over.
        result_shape_dtypes: for functions that no signature describes: a pytree of
            `jax.ShapeDtypeStruct`, as in `jax.pure_callback`, or a function that returns one for
            arguments whose leaves are `jax.ShapeDtypeStruct`; arguments are then pytrees too.
        dtype: the results' dtype (or a tuple of them), or a function of the arguments' dtypes
            that returns it. Default: JAX's promotion of the arguments to a floating dtype.
        batched: whether `fn` itself takes leading dimensions, which broadcast (some of size 1).
            Default: True for a ufunc; otherwise False, and `fn` is called in a loop on the host,
            within one callback.
        double: whether float32 and half precision are widened to double before the call; the
            result is rounded once. Default: True for a ufunc that has a loop for doubles.
        sizes: sizes of dimensions of the result that no argument has; a static integer argument
            of the same name also gives one.
        static_argnames: arguments that are not arrays: hashable, passed on as they are.
        effects: ``"none"``: pure; calls may be dropped, repeated or merged. ``"unordered"`` and
            ``"ordered"``: as `jax.experimental.io_callback`; without a signature and
            result_shape_dtypes, `fn` returns nothing. ``"debug"``: as `jax.debug.callback`;
            returns nothing.
        vmap_method: with `result_shape_dtypes`, how vmap calls `fn`; the names and meanings of
            `jax.pure_callback`. The sequential ones loop on the host within one callback.
        sharding: the device that makes the call, as in `jax.pure_callback`.
        name: for messages and jaxprs. Default: the function's own.

    Returns:
        A `HostFunction`; attach derivative rules with its ``partials``, ``jvp`` or ``vjp``.

    Raises:
        ValueError: contradictory or unknown options; a signature of more or fewer arguments than
            `fn` takes; a function of numba's that has not been compiled for any dtypes yet.
    """
    if not callable(fn):
        raise TypeError(f"host_function: needs a callable, got {type(fn).__name__}")
    name = str(name or getattr(fn, "__name__", None) or type(fn).__name__)
    fn = _ufunc_inside(fn, name)
    ufunc = isinstance(fn, np.ufunc)
    if effects not in _EFFECTS:
        raise ValueError(f"{name}: effects must be one of {_EFFECTS}, got {effects!r}")
    if vmap_method is not None and vmap_method not in VMAP_METHODS:
        raise ValueError(f"{name}: vmap_method must be one of {VMAP_METHODS}, got {vmap_method!r}")
    undescribed = signature is None and result_shape_dtypes is None
    if undescribed and (effects == "none" or (ufunc and effects != "debug")):
        if not ufunc:
            raise ValueError(f"{name}: give a signature or result_shape_dtypes")
        plain = f"{','.join(['()'] * fn.nin)}->{','.join(['()'] * fn.nout)}"
        signature = fn.signature or plain
    if signature is not None and result_shape_dtypes is not None:
        raise ValueError(f"{name}: give a signature or result_shape_dtypes, not both")
    if vmap_method is not None and signature is not None:
        raise ValueError(f"{name}: a signature says how to batch; vmap_method goes without one")
    if batched and result_shape_dtypes is not None:
        raise ValueError(f"{name}: batched goes with a signature; use vmap_method")
    if effects == "debug" and (signature is not None or result_shape_dtypes is not None):
        raise ValueError(f"{name}: a debug function returns nothing; it takes no signature")
    static = (static_argnames,) if isinstance(static_argnames, str) else tuple(static_argnames)
    known = parameters_of(fn)
    if known is not None:
        kinds = {p.kind for p in known.parameters.values()}
        for key in static:
            if key not in known.parameters and inspect.Parameter.VAR_KEYWORD not in kinds:
                raise ValueError(f"{name}: has no argument {key!r} to be static")
    try:
        parsed = None if signature is None else parse_signature(signature)
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None
    if ufunc and parsed is not None and len(parsed.inputs) != fn.nin:
        raise ValueError(f"{name}: the ufunc takes {fn.nin} arguments, not {len(parsed.inputs)}")
    if parsed is not None and known is not None:
        _check_arity(name, known, static, signature or "", len(parsed.inputs))
    if double is None:
        double = ufunc and any("d" in loop.split("->")[0] for loop in fn.types)
    for key, value in (sizes or {}).items():
        if not isinstance(value, int | np.integer) or value < 0:
            raise ValueError(f"{name}: sizes[{key!r}] must be a non-negative int, got {value!r}")
    return HostFunction(
        fn,
        name=name,
        signature=parsed,
        argument_names=argument_names(fn, static),
        result_shape_dtypes=result_shape_dtypes,
        dtype=dtype,
        batched=ufunc if batched is None else batched,
        double=double,
        sizes=sizes or {},
        static_argnames=static,
        effects=effects,
        vmap_method=vmap_method,
        sharding=sharding,
        quiet=ufunc,
    )


def _check_arity(
    name: str, known: inspect.Signature, static: Sequence[str], text: str, n_inputs: int
) -> None:
    """Refuse a signature of more or fewer arguments than the function takes arrays."""
    parameters = [p for p in known.parameters.values() if p.name not in static]
    taken = [p for p in parameters if p.kind in SINGLE]
    needed = [p for p in taken if p.default is inspect.Parameter.empty]
    any_number = any(p.kind is inspect.Parameter.VAR_POSITIONAL for p in parameters)
    if len(needed) <= n_inputs and (any_number or n_inputs <= len(taken)):
        return
    least, most = len(needed), len(taken)
    number = f"at least {least}" if any_number else f"{least} to {most}"
    number = str(most) if least == most and not any_number else number
    names = ", ".join(p.name for p in taken)
    hint = "" if static or n_inputs > most else "; arguments that are no arrays are static_argnames"
    raise ValueError(
        f"{name}: the function takes {number} array argument{'s' * (number != '1')} ({names}), and "
        f"the signature {text!r} describes {n_inputs}{hint}"
    )


def _ufunc_inside(fn: Callable[..., Any], name: str) -> Callable[..., Any]:
    """The ufunc that numba's functions carry, which compiles for more dtypes in Python."""
    ufunc = getattr(fn, "ufunc", None)
    if not isinstance(ufunc, np.ufunc):
        return fn
    if not ufunc.types:
        raise ValueError(
            f"{name}: is not compiled for any dtypes yet; give its decorator signatures, such as "
            f"float64({', '.join(['float64'] * ufunc.nin)}), or call it once"
        )
    return ufunc
