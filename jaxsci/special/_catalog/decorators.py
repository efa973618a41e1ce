"""The catalog: the decorators that make a documented stub a row, and a JAX function."""

from __future__ import annotations

import functools
import inspect
import typing
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import jax.numpy as jnp
import numpy as np
import scipy.special

from jaxsci._core import elementwise_rules, promotion
from jaxsci._core.signature import parse_signature
from jaxsci.special._catalog.call import caller, direct_call, public_function
from jaxsci.special._catalog.docs import docstring, references
from jaxsci.special._catalog.domains import Domain
from jaxsci.special._catalog.function import RowFunction, only_integers
from jaxsci.special._catalog.row import (
    ALIASES,
    CATALOG,
    ArgumentSpec,
    Flaw,
    Guard,
    Layout,
    Row,
    Sizes,
    bounded,
    leading,
    named_rows,
)
from jaxsci.special._catalog.types import Kind

__all__ = [
    "ALIASES",
    "CATALOG",
    "ArgumentSpec",
    "Flaw",
    "Guard",
    "Layout",
    "Row",
    "RowFunction",
    "alias",
    "array_function",
    "bounded",
    "elementwise",
    "leading",
    "named_rows",
    "rule",
    "table",
]

F = TypeVar("F", bound=Callable[..., Any])


def elementwise(
    *,
    dlmf: str,
    reference: str,
    domain: Sequence[Domain],
    awkward: Sequence[tuple[Any, ...]] = (),
    statics: Sequence[dict[str, Any]] = ({},),
    outputs: Sequence[str] = (),
    kept: Callable[..., int] | None = None,
    results: str | None = None,
    core: str | None = None,
    sizes: Sizes | None = None,
    batched: bool = True,
    host: Callable[..., Any] | None = None,
    native: bool = False,
    better: Callable[..., Any] | None = None,
    check: Callable[..., None] | None = None,
    layout: Layout | None = None,
    narrow: Callable[..., Mapping[str, Kind]] | None = None,
    without_last: Callable[..., Any] | None = None,
    undefined: Callable[..., Any] | None = None,
    note: str = "",
    flaws: Sequence[Flaw] = (),
    guard: Guard | None = None,
) -> Callable[[F], F]:
    """Make a row of a documented stub whose annotations are the arguments' kinds.

    Args:
        dlmf: where the function is defined.
        reference: the function in mpmath.
        domain: where each array argument is sampled.
        awkward: further points.
        statics: combinations of static arguments to test.
        outputs: the results' names, where there are several.
        kept: how many of the results are returned, from the static arguments.
        results: the kind of every result, where SciPy has no ufunc types to say it: ``"follow"``
            (real or complex as the arguments), ``"real"`` or ``"complex"``.
        core: the results' core dimensions, such as ``"(k),(k)"``.
        sizes: the sizes of core dimensions, from the static arguments.
        batched: whether SciPy's function takes arrays.
        host: what to call in place of the function of SciPy's that has the stub's name: the same
            values, in a form that the core can call.
        native: whether the stub has a body: JAX operations on double precision, which are as
            accurate as SciPy's function. They take the host function's place for real arguments.
        better: what to call instead of SciPy's function, with its arguments, where SciPy's values
            are too inaccurate to keep.
        check: called with the static arguments; raises ValueError for bad ones.
        layout: how SciPy's function arranges its results, where core dimensions are not last.
        narrow: called with the static arguments; the kinds of arguments of which these allow less
            than the annotations say.
        without_last: what is called with the other arguments where the last one is None.
        undefined: of the array arguments, where SciPy's function leaves its results unwritten, or
            complains in place of a value, and the host function gives NaN.
        note: limits that a user must know.
        flaws: where SciPy's own values are inaccurate.
        guard: where SciPy's function may be called at all.

    Returns:
        A decorator that keeps the stub's type.
    """

    def decorate(stub: F) -> F:
        name = stub.__name__
        original = getattr(scipy.special, name)
        oracle = original if better is None else better
        called = oracle if host is None else host
        specs = _argument_specs(stub)
        arrays = [s for s in specs if s.kind is not Kind.STATIC]
        if isinstance(called, np.ufunc):
            _check_against_ufunc(name, called, arrays)
        n_out = len(outputs) or 1
        cores = core or ",".join(["()"] * n_out)
        signature = parse_signature(f"{','.join(['()'] * len(arrays))}->{cores}")
        kinds = [results or _result_kind(called, j) for j in range(n_out)]
        row_host = RowFunction(called, name, specs, signature, kinds, sizes, batched, guard)
        if native:
            row_host.operations = stub
        row = Row(
            name=name,
            home=stub.__module__,
            function=stub,
            summary=inspect.cleandoc(stub.__doc__ or ""),
            arguments=specs,
            dlmf=dlmf,
            reference=reference,
            domain=tuple(domain),
            awkward=tuple(awkward),
            statics=tuple(statics),
            host=row_host,
            scipy=original,
            oracle=oracle,
            outputs=tuple(outputs),
            kept=kept,
            note=note,
            flaws=tuple(flaws),
            layout=layout,
            guard=guard,
            undefined=undefined,
        )
        call = caller(row_host, original, check, narrow, layout, without_last, kept)
        direct = direct_call(row_host, specs, check, narrow, layout, without_last, kept)
        row.function = public_function(stub, specs, call, direct)
        _enter(row)
        return typing.cast(F, row.function)

    return decorate


def table(
    *,
    dlmf: str,
    reference: str,
    statics: Sequence[dict[str, Any]],
    outputs: Sequence[str] = (),
    kept: Callable[..., int] | None = None,
    better: Callable[..., Any] | None = None,
    check: Callable[..., None] | None = None,
    roots: bool = True,
    note: str = "",
) -> Callable[[F], F]:
    """Make a row of a function whose arguments are all static: computed when it is traced.

    Args:
        dlmf: where the function is defined.
        reference: the defining equation in mpmath: an expression in a result ``x`` (and the
            arguments, and the other results) that is zero. One for the first result, or with
            ``;`` between them one for each. ``i`` is the result's place in its array.
        statics: combinations of the arguments to test.
        outputs: the results' names, where there are several.
        kept: how many of them SciPy returns, from the arguments.
        better: as in `elementwise`.
        check: called with the arguments; raises ValueError for bad ones that SciPy lets through.
        roots: False if the reference is the list of the numbers themselves, and not an equation;
            ``size`` is how many they are.
        note: limits that a user must know.

    Returns:
        A decorator that keeps the stub's type.
    """

    def decorate(stub: F) -> F:
        name = stub.__name__
        original = getattr(scipy.special, name)
        host = original if better is None else better
        specs = _argument_specs(stub)

        def compute(arguments: dict[str, Any]) -> Any:
            try:
                if check is not None:
                    check(**arguments)
                values = host(**arguments)
            except (TypeError, ValueError) as error:
                raise ValueError(f"{name}: {error}") from None
            if isinstance(values, tuple | list):
                return tuple(jnp.asarray(v, _default_dtype(v)) for v in values)
            return jnp.asarray(values, _default_dtype(values))

        row = Row(
            name=name,
            home=stub.__module__,
            function=stub,
            summary=inspect.cleandoc(stub.__doc__ or ""),
            arguments=specs,
            dlmf=dlmf,
            reference=reference,
            domain=(),
            awkward=(),
            statics=tuple(statics),
            host=None,
            scipy=original,
            oracle=host,
            outputs=tuple(outputs),
            roots=roots,
            kept=kept,
            note=note,
        )
        row.function = public_function(stub, specs, lambda _, static: compute(static), None)
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
        row = Row(
            name=name,
            home=function.__module__,
            function=public,
            summary=summary,
            arguments=tuple(
                ArgumentSpec(p.name, Kind.STATIC, object, p.default) for p in parameters
            ),
            dlmf=source,
            reference="",
            domain=(),
            awkward=(),
            statics=(),
            host=None,
            scipy=getattr(scipy.special, name),
            oracle=getattr(scipy.special, name),
            outputs=(),
            whole=True,
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
    wanted = {s.name for s in row.arrays if s.kind is not Kind.INT}
    if set(rules) != wanted:
        raise TypeError(f"{row.name}: rules for {sorted(rules)}, arguments {sorted(wanted)}")
    if not all(isinstance(r, elementwise_rules.Rule) for r in rules.values()):
        raise TypeError(f"{row.name}: every rule is closed(...), real_linear(...) or missing(...)")
    assert row.host is not None
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
    if row.host is not None and len(row.domain) != len(row.arrays):
        raise ValueError(f"{row.name}: {len(row.domain)} domains for {len(row.arrays)} arguments")
    row.function.__module__ = "jaxsci.special"  # for pickles and tracebacks: files may move
    CATALOG[row.name] = row


def _argument_specs(stub: Callable[..., Any]) -> tuple[ArgumentSpec, ...]:
    hints = typing.get_type_hints(stub, include_extras=True)
    specs = []
    for parameter in inspect.signature(stub).parameters.values():
        base, kind = typing.get_args(hints[parameter.name])
        keyword_only = parameter.kind is inspect.Parameter.KEYWORD_ONLY
        specs.append(ArgumentSpec(parameter.name, kind, base, parameter.default, keyword_only))
    return tuple(specs)


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
