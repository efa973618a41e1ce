"""The catalog: the decorators that make a documented stub a row, and a JAX function."""

from __future__ import annotations

import functools
import inspect
import math
import re
import typing
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import jax.numpy as jnp
import numpy as np
import scipy.special

from jaxsci._core import elementwise_rules, promotion
from jaxsci._core.signature import parse_signature
from jaxsci.special._catalog.call import caller, direct_call, public_function, refuse_huge
from jaxsci.special._catalog.docs import StubText, docstring, references, stub_text
from jaxsci.special._catalog.function import RowFunction, only_integers
from jaxsci.special._catalog.kernel import Kernel, device_kernel
from jaxsci.special._catalog.row import (
    ALIASES,
    CATALOG,
    ArgumentSpec,
    ArrayRow,
    ElementwiseRow,
    Flaw,
    Guard,
    Layout,
    OnHost,
    Repair,
    Row,
    SampledRow,
    Samples,
    TableRow,
    Unknown,
    bounded,
    leading,
    named_rows,
)
from jaxsci.special._catalog.types import Kind

__all__ = [
    "ALIASES",
    "CATALOG",
    "ArgumentSpec",
    "ArrayRow",
    "ElementwiseRow",
    "Flaw",
    "Guard",
    "Kernel",
    "Layout",
    "OnHost",
    "Repair",
    "Row",
    "RowFunction",
    "SampledRow",
    "Samples",
    "TableRow",
    "Unknown",
    "alias",
    "array_function",
    "bounded",
    "device_kernel",
    "elementwise",
    "leading",
    "named_rows",
    "rule",
    "table",
]

F = TypeVar("F", bound=Callable[..., Any])


def elementwise(
    *,
    source: str,
    samples: Samples,
    outputs: Sequence[str] = (),
    host: OnHost | None = None,
    on_device: bool = False,
    single: float | None = None,
    kernel: Kernel | None = None,
    complex_kernel: Kernel | None = None,
    better: Callable[..., Any] | None = None,
    check: Callable[..., Mapping[str, Kind] | None] | None = None,
    note: str = "",
    guard: Guard | None = None,
    repair: Repair | None = None,
    reflected_from: float = math.inf,
    counts: str = "",
) -> Callable[[F], F]:
    """Make a row of a documented stub whose annotations are the arguments' kinds.

    The stub's docstring says what the function is, what each argument is (under ``Args:``), and may
    show how it is used (under ``Example:``).

    Args:
        source: where the function is defined.
        samples: what it is tested with.
        outputs: the results' names, where there are several.
        host: how the values are computed on the host, where not by SciPy's ufunc of this name.
        on_device: whether the stub has a body: JAX operations on double precision, which are as
            accurate as SciPy's function. They take the host function's place for real arguments.
        single: the largest error of these operations in single precision, as in `Kernel`.
        kernel: JAX operations on double precision that take the host function's place for real
            arguments on accelerators, and where the backend ``"device"`` is chosen.
        complex_kernel: the same for complex arguments; for real ones too, as complex numbers, where
            there is no other and the value is complex for them too.
        better: what to call instead of SciPy's function, with its arguments, where SciPy's values
            are too inaccurate to keep.
        check: called with the static arguments; raises ValueError for bad ones. It may return the
            kinds of those arguments of which these allow less than the annotations say, or complex
            for those that are taken as complex numbers, for the results are.
        note: limits that a user must know.
        guard: where SciPy's function may be called at all.
        repair: where SciPy's values are wrong, and what is returned in their place (`mending`
            makes it of a kernel).
        reflected_from: from which x on SciPy is not called below the negative axis: of -x - 0i the
            values are the conjugates of those of -x + 0i.
        counts: an argument that any real number may be, and whose integers, of an integer type,
            rules and kernels are given as such, for they may do with less; the one that the repair
            names in any case.

    Returns:
        A decorator that keeps the stub's type.
    """
    way = host or OnHost()

    def decorate(stub: F) -> F:
        name = stub.__name__
        original = getattr(scipy.special, name)
        oracle = original if better is None else better
        called = oracle if way.function is None else way.function
        text, specs = _described(stub)
        arrays = [s for s in specs if s.kind is not Kind.STATIC]
        if len(samples.domain) != len(arrays):
            raise ValueError(f"{name}: {len(samples.domain)} domains for {len(arrays)} arguments")
        if isinstance(called, np.ufunc):
            _check_against_ufunc(name, called, arrays)
        n_out = len(outputs) or 1
        cores = way.core or ",".join(["()"] * n_out)
        signature = parse_signature(f"{','.join(['()'] * len(arrays))}->{cores}")
        kinds = [way.results or _result_kind(called, j) for j in range(n_out)]
        row_host = RowFunction(called, name, specs, signature, kinds, way.sizes, way.batched, guard)
        row_host.repair, row_host.reflected_from = repair, reflected_from
        row_host.counts = frozenset(
            i
            for i, spec in enumerate(arrays)
            if spec.name == counts or (repair is not None and repair.unless_integer == i)
        )
        if on_device:
            row_host.operations, row_host.single = stub, single
        row_host.kernel = kernel
        row_host.complex_kernel = complex_kernel
        extras = (check, way.layout, way.without_last, way.kept)
        row = ElementwiseRow(
            name=name,
            home=stub.__module__,
            function=public_function(
                stub,
                specs,
                caller(row_host, original, *extras),
                direct_call(row_host, specs, *extras),
            ),
            summary=text.summary,
            example=text.example,
            arguments=specs,
            source=source,
            samples=samples,
            host=row_host,
            scipy=original,
            oracle=oracle,
            outputs=tuple(outputs),
            kept=way.kept,
            note=note,
            layout=way.layout,
            guard=guard,
            repair=repair,
            undefined=way.undefined,
        )
        _enter(row)
        return typing.cast(F, row.function)

    return decorate


def table(
    *,
    source: str,
    samples: Samples,
    outputs: Sequence[str] = (),
    kept: Callable[..., int] | None = None,
    better: Callable[..., Any] | None = None,
    check: Callable[..., None] | None = None,
    note: str = "",
    derivatives: Mapping[str, str] | None = None,
) -> Callable[[F], F]:
    """Make a row of a function whose arguments are all static: computed when it is traced.

    Args:
        source: where the function is defined.
        samples: the defining equation of the numbers, and the arguments to test it with.
        outputs: the results' names, where there are several.
        kept: how many of them SciPy returns, from the arguments.
        better: as in `elementwise`.
        check: called with the arguments; raises ValueError for bad ones that SciPy lets through.
        note: limits that a user must know.
        derivatives: those of arguments that may be arrays where a length is given.

    Returns:
        A decorator that keeps the stub's type.
    """

    def decorate(stub: F) -> F:
        name = stub.__name__
        original = getattr(scipy.special, name)
        host = original if better is None else better
        text, specs = _described(stub)

        def compute(arguments: dict[str, Any]) -> Any:
            refuse_huge(name, arguments)
            try:
                if check is not None:
                    check(**arguments)
                values = host(**arguments)
            except (TypeError, ValueError, OverflowError) as error:  # C's integers are short
                given = ", ".join(f"{key} = {value}" for key, value in arguments.items())
                is_named = any(re.search(rf"\b{key}\b", str(error)) for key in arguments)
                raise ValueError(f"{name}: {'' if is_named else given + ': '}{error}") from None
            if isinstance(values, tuple | list):
                return tuple(jnp.asarray(v, _default_dtype(v)) for v in values)
            return jnp.asarray(values, _default_dtype(values))

        row = TableRow(
            name=name,
            home=stub.__module__,
            function=public_function(stub, specs, lambda _, static: compute(static), None),
            summary=text.summary,
            example=text.example,
            arguments=specs,
            source=source,
            samples=samples,
            scipy=original,
            oracle=host,
            outputs=tuple(outputs),
            kept=kept,
            note=note,
            derivatives=derivatives or {},
        )
        _enter(row)
        row.function.__doc__ = docstring(row)
        return typing.cast(F, row.function)

    return decorate


def array_function(*, source: str) -> Callable[[F], F]:
    """Make a row of a function of whole arrays, written in JAX operations.

    Args:
        source: where the function is defined.

    Returns:
        A decorator that keeps the function, and adds its source to its docstring.
    """

    def decorate(function: F) -> F:
        name = function.__name__
        summary = inspect.cleandoc(function.__doc__ or "")
        parameters = inspect.signature(function).parameters.values()

        by_us = promotion.of_users_arguments(function)

        @functools.wraps(function)
        def public(*args: Any, **kwargs: Any) -> Any:
            try:
                return by_us(*args, **kwargs)
            except (TypeError, ValueError) as error:
                if str(error).startswith(name):
                    raise
                raise (TypeError if isinstance(error, TypeError) else ValueError)(
                    f"{name}: {error}"
                ) from None

        public.__doc__ = "\n".join([summary, "", *references(source, name)])
        scipys = getattr(scipy.special, name)
        row = ArrayRow(
            name=name,
            home=function.__module__,
            function=public,
            summary=summary,
            arguments=tuple(
                ArgumentSpec(p.name, Kind.STATIC, object, default=p.default) for p in parameters
            ),
            source=source,
            scipy=scipys,
            oracle=scipys,
        )
        _enter(row)
        return typing.cast(F, public)

    return decorate


def rule(function: Callable[..., Any], **rules: elementwise_rules.Rule) -> None:
    """Give a row its derivative rules: one for each array argument that is not an integer.

    Args:
        function: the decorated function.
        **rules: by argument name.
    """
    row = CATALOG[function.__name__]
    if not isinstance(row, ElementwiseRow):
        raise TypeError(f"{row.name}: no function of numbers, so it has no rules")
    wanted = {s.name for s in row.arrays if s.kind is not Kind.INT}
    if set(rules) != wanted:
        raise TypeError(f"{row.name}: rules for {sorted(rules)}, arguments {sorted(wanted)}")
    if not all(isinstance(r, elementwise_rules.Rule) for r in rules.values()):
        raise TypeError(f"{row.name}: every rule is closed(...), real_linear(...) or missing(...)")
    row.rules = dict(rules)
    row.host.rules_from(rules)
    row.function.__doc__ = docstring(row)


def alias(name: str, function: F) -> F:
    """The function itself, which SciPy has under a second name too."""
    _refuse_second(name)
    ALIASES[name] = function.__name__
    return function


def _refuse_second(name: str) -> None:
    if name in CATALOG or name in ALIASES:
        raise ValueError(f"two rows are called {name}")


def _enter(row: Row) -> None:
    _refuse_second(row.name)
    row.function.__module__ = "jaxsci.special"  # for pickles and tracebacks: files may move
    CATALOG[row.name] = row


def _described(stub: Callable[..., Any]) -> tuple[StubText, tuple[ArgumentSpec, ...]]:
    """What a stub's docstring says, and its arguments."""
    text = stub_text(stub)
    hints = typing.get_type_hints(stub, include_extras=True)
    parameters = inspect.signature(stub).parameters
    unknown = text.arguments.keys() - parameters.keys()
    if unknown:
        raise TypeError(f"{stub.__name__}: no arguments {sorted(unknown)}, which it documents")
    specs = []
    for parameter in parameters.values():
        base, kind = typing.get_args(hints[parameter.name])
        meaning = text.arguments.get(parameter.name, "")
        keyword_only = parameter.kind is inspect.Parameter.KEYWORD_ONLY
        specs.append(
            ArgumentSpec(parameter.name, kind, base, meaning, parameter.default, keyword_only)
        )
    return text, tuple(specs)


def _default_dtype(values: Any) -> Any:
    kind = np.asarray(values).dtype.kind
    if kind == "c":
        return jnp.result_type(complex)
    return jnp.result_type(float) if kind == "f" else jnp.result_type(int)


def _result_kind(host: Any, output: int) -> str:
    """Whether a ufunc's result is real, complex, or follows the arguments."""
    if not isinstance(host, np.ufunc):
        return "follow"
    outcomes = set()
    for loop in host.types:
        inputs, results = loop.split("->")
        outcomes.add((bool(set(inputs) & set("FDG")), results[output] in "FDG"))
    if (False, True) in outcomes or outcomes == {(True, True)}:
        return "complex"
    return "follow" if (True, True) in outcomes else "real"


def _check_against_ufunc(name: str, host: np.ufunc, arrays: Sequence[ArgumentSpec]) -> None:
    if host.nin != len(arrays):
        raise TypeError(f"{name}: the ufunc has {host.nin} arguments, the row {len(arrays)}")
    for i, spec in enumerate(arrays):
        loops = {loop[i] for loop in host.types}
        if only_integers(host, i) and spec.kind is not Kind.INT:
            raise TypeError(f"{name}: {spec.name!r} has integer loops only, so it is Int")
        if spec.kind is Kind.COMPLEX and not loops & set("FD"):
            raise TypeError(f"{name}: {spec.name!r} has no complex loop")
