"""From a stub to a plain function: arguments bound, static ones apart, wrong ones refused."""

from __future__ import annotations

import functools
import inspect
import operator
import typing
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jaxsci._core.jax_compat import Tracer
from jaxsci.special._catalog.exact import exact_integers
from jaxsci.special._catalog.function import RowFunction
from jaxsci.special._catalog.row import ACCEPTED, ArgumentSpec, Layout
from jaxsci.special._catalog.types import Kind


def public_function(
    stub: Callable[..., Any],
    specs: Sequence[ArgumentSpec],
    call: Callable[[list[Any], dict[str, Any]], Any],
    direct: Callable[..., Any] | None,
) -> Callable[..., Any]:
    """A plain function with the stub's signature: it pickles by name and can be inspected.

    Args:
        stub: the function as it is documented.
        specs: its arguments.
        call: takes the arrays and the static arguments.
        direct: takes the arrays, where nothing has to be done before.
    """
    name = stub.__name__
    signature = inspect.signature(stub)
    n = len(specs)
    parameters = [p.replace(annotation=p.empty) for p in signature.parameters.values()]
    called_as = f"{name}{inspect.Signature(parameters)}"
    statics = [s for s in specs if s.kind is Kind.STATIC]

    @functools.wraps(stub)
    def function(*args: Any, **kwargs: Any) -> Any:
        if direct is not None and not kwargs and len(args) == n:
            return direct(*args)
        try:
            bound = signature.bind(*args, **kwargs)
        except TypeError as error:
            raise TypeError(f"{name}() {error}; it is called as {called_as}") from None
        bound.apply_defaults()
        values = bound.arguments
        static = {s.name: _static_value(name, s, values.pop(s.name)) for s in statics}
        return call(list(values.values()), static)

    return function


def _static_value(function: str, spec: ArgumentSpec, value: Any) -> Any:
    try:
        if spec.annotation is str:
            if isinstance(value, str):
                return value
            raise TypeError
        if value is None or isinstance(value, str | bytes | list | tuple | dict):
            raise TypeError
        if spec.annotation is bool:
            return bool(value)
        if spec.annotation is int:
            if isinstance(value, float) and value.is_integer():
                value = int(value)
            integer = operator.index(typing.cast(Any, value))
            if abs(integer) >= 2**63:
                raise OverflowError
            return integer
        if spec.annotation is complex and isinstance(value, complex | np.complexfloating):
            return complex(value)
        return float(value)
    except OverflowError:
        raise ValueError(
            f"{function}: argument {spec.name!r} must be smaller than 2**63 in size"
        ) from None
    except (
        TypeError,
        ValueError,
        jax.errors.TracerArrayConversionError,
        jax.errors.ConcretizationTypeError,
    ):
        raise TypeError(
            f"{function}: argument {spec.name!r} must be a Python {spec.annotation.__name__} known "
            f"when the function is traced (it decides shapes or the formula), got {_kind(value)}"
        ) from None


def _kind(value: Any) -> str:
    """What a value that is not static is, and what to do about it."""
    if isinstance(value, Tracer):
        return "a traced value; make it static, as jax.jit does by static_argnames"
    return type(value).__name__


_LONGEST_TABLE = 2**26
"""Of longer ones the computation might end the process for want of memory."""


def refuse_huge(function: str, static: Mapping[str, Any]) -> None:
    """Refuse numbers that decide how long a table is, where it would be too long."""
    for name, value in static.items():
        if isinstance(value, int) and value > _LONGEST_TABLE:
            raise ValueError(
                f"{function}: argument {name!r} must be at most 2**26, got {value}: "
                "the table would be too long"
            )


def direct_call(
    host: RowFunction, specs: Sequence[ArgumentSpec], *extras: object
) -> Callable[..., Any] | None:
    """The host function itself, where calls have nothing to check, nor results to arrange."""
    plain = all(s.kind is not Kind.STATIC for s in specs)
    return host.of_positional if plain and all(e is None for e in extras) else None


def _as_complex(value: Any) -> Any:
    """Numbers with an imaginary part of zero, in their precision; anything else stays as it is."""
    if isinstance(value, bool | int | float):
        return value + 0j if abs(value) < 2**63 or isinstance(value, float) else value
    if not isinstance(value, jax.Array | np.ndarray | np.generic):
        return value
    if not (jnp.issubdtype(value.dtype, jnp.number) or value.dtype == np.bool_):
        return value
    floating = jnp.issubdtype(value.dtype, jnp.inexact)
    wide = jnp.finfo(value.dtype if floating else jnp.result_type(float)).bits > 32
    return jnp.asarray(value).astype(np.complex128 if wide else np.complex64)


def caller(
    host: RowFunction,
    original: Callable[..., Any],
    check: Callable[..., Mapping[str, Kind] | None] | None,
    layout: Layout | None,
    without_last: Callable[..., Any] | None,
    kept: Callable[..., int] | None,
) -> Callable[[list[Any], dict[str, Any]], Any]:
    names = [s.name for s in host.specs]
    name = host.name

    def call(arrays: list[jax.Array | float], static: dict[str, Any]) -> Any:
        if without_last is not None and arrays[-1] is None:
            return without_last(*arrays[:-1], **static)
        if host.signature is not None and any(host.signature.outputs):
            refuse_huge(name, static)
        try:
            narrowed = None if check is None else check(**static)
        except ValueError as error:
            raise ValueError(f"{name}: {error}") from None
        if static.get("exact"):
            return exact_integers(name, original, dict(zip(names, arrays, strict=True)), static)
        for argument, kind in (narrowed or {}).items():
            place = names.index(argument)
            value = arrays[place]
            if kind is Kind.COMPLEX:
                arrays[place] = _as_complex(value)
            elif jnp.iscomplexobj(value):
                raise TypeError(
                    f"{name}: argument {argument!r} takes {ACCEPTED[kind]} with these static "
                    f"arguments, got {jnp.result_type(value)}"
                )
        values = host.as_jax_function(*arrays, **static)
        if kept is not None:
            return values[: kept(**static)]
        if layout is None:
            return values
        return layout.arranged(values if isinstance(values, tuple) else (values,), static)

    return call
