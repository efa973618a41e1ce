"""The catalog: one row for each function, and the decorators that make a row a JAX function."""

from __future__ import annotations

import functools
import inspect
import operator
import textwrap
import typing
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import jax
import jax.numpy as jnp
import numpy as np
import scipy.special

from jaxsci import _derive, _emit, callback
from jaxsci._domains import Domain
from jaxsci._signature import Signature, parse_signature
from jaxsci._types import Kind

F = TypeVar("F", bound=Callable[..., Any])
Sizes = Callable[..., Mapping[str, int]]

_ACCEPTED = {
    Kind.INT: "integers",
    Kind.REAL: "real numbers",
    Kind.COMPLEX: "real or complex numbers",
}


@dataclass(frozen=True)
class ArgumentSpec:
    """One argument of a row: its name, kind, and default (static arguments may have one)."""

    name: str
    kind: Kind
    annotation: Any
    default: Any = inspect.Parameter.empty


@dataclass(frozen=True)
class Flaw:
    """Where SciPy's own value has a relative error above 1e-12, which this package repeats."""

    error: str
    """The largest relative error, as an expression in the arguments, such as ``"1e-9"``.

    Near a zero of the function it is the error in the argument that would do the same.
    """
    where: str
    """A condition on the arguments, such as ``"x > 10"``."""
    results: str = ""
    """Which of several results, separated by spaces."""

    def __str__(self) -> str:
        value = f"SciPy's own {' and '.join(self.results.split()) or 'value'}"
        if self.error == "inf":
            return f"Where {self.where}, {value} is wrong."
        return f"Where {self.where}, {value} has a relative error of up to {self.error}."


@dataclass(eq=False)
class Row:
    """All that is known about one function; wrapper, docs, tests and benchmarks come from it."""

    name: str
    function: Callable[..., Any]
    """The public function."""
    summary: str
    arguments: tuple[ArgumentSpec, ...]
    dlmf: str
    """Where the function is defined, in the NIST Digital Library of Mathematical Functions."""
    reference: str
    """The function as an mpmath expression in its arguments; ``;`` between several results."""
    domain: tuple[Domain, ...]
    """Where its array arguments are sampled, argument by argument."""
    awkward: tuple[tuple[Any, ...], ...]
    """Points that a sample does not hit: zeros, removable singularities, integers, endpoints."""
    statics: tuple[dict[str, Any], ...]
    """The combinations of static arguments that tests go through."""
    host: RowFunction | None
    """The host function behind it; None for a table, which is computed when it is traced."""
    scipy: Callable[..., Any]
    outputs: tuple[str, ...]
    note: str = ""
    flaws: tuple[Flaw, ...] = ()
    rules: dict[str, _derive.Rule] = field(default_factory=dict)

    @property
    def arrays(self) -> tuple[ArgumentSpec, ...]:
        """The arguments that are arrays."""
        return tuple(a for a in self.arguments if a.kind is not Kind.STATIC)

    def state(self, argument: ArgumentSpec) -> str:
        """What is known of the derivative in one argument, in words."""
        if argument.kind is Kind.STATIC:
            return "static"
        if argument.kind is Kind.INT:
            return "integer: no derivative"
        rule = self.rules[argument.name]
        if isinstance(rule, _derive.Missing):
            return f"missing: {rule.reason}"
        kind = "real-linear" if isinstance(rule, _derive.RealLinear) else "closed form"
        return f"{kind}, {rule.reference}"

    def dtypes(self) -> str:
        """Which dtypes the results have, in words."""
        if self.host is None:
            return "floating (complex where the docstring says so)"
        return ", ".join(sorted({_RESULT_WORDS[k] for k in self.host.result_kinds}))


_RESULT_WORDS = {
    "follow": "as the arguments",
    "real": "real",
    "complex": "complex",
}

CATALOG: dict[str, Row] = {}


class RowFunction(callback.HostFunction):
    """A row's host function: SciPy's, computed in double, its dtypes checked against the row."""

    def __init__(
        self,
        host: Callable[..., Any],
        name: str,
        specs: Sequence[ArgumentSpec],
        signature: Signature,
        result_kinds: Sequence[str],
        sizes: Sizes | None,
        batched: bool,
    ) -> None:
        self.specs = tuple(s for s in specs if s.kind is not Kind.STATIC)
        self.result_kinds = tuple(result_kinds)
        self._row_sizes = sizes
        super().__init__(
            host if isinstance(host, np.ufunc) else _with_signed_integers(host),
            name=name,
            signature=signature,
            argument_names=[s.name for s in self.specs],
            result_shape_dtypes=None,
            dtype=None,
            batched=batched,
            double=True,
            sizes={},
            static_argnames=tuple(s.name for s in specs if s.kind is Kind.STATIC),
            effects="none",
            vmap_method=None,
            sharding=None,
            quiet=True,
            failures=(scipy.special.SpecialFunctionError,),
        )

    no_array_hint = ""

    def core_sizes(self, static: tuple[tuple[str, Any], ...]) -> Mapping[str, int]:
        """Dimensions of the result that static arguments decide."""
        return self._row_sizes(**dict(static)) if self._row_sizes is not None else {}

    def check(self, arrays: Sequence[Any]) -> None:
        """Refuse what is not numeric, and complex numbers where only real ones are taken."""
        for spec, x in zip(self.specs, arrays, strict=True):
            if not jnp.issubdtype(x.dtype, jnp.number) and x.dtype != np.bool_:
                raise TypeError(
                    f"{self.name}: argument {spec.name!r} must be numeric, got {x.dtype}"
                )
            if jnp.issubdtype(x.dtype, jnp.complexfloating) and spec.kind is not Kind.COMPLEX:
                raise TypeError(
                    f"{self.name}: argument {spec.name!r} takes {_ACCEPTED[spec.kind]}, got "
                    f"{x.dtype}"
                )

    def convert(self, arrays: list[Any], common: np.dtype) -> list[Any]:
        """Bring floats to their common precision."""
        real = np.dtype(jnp.finfo(common).dtype)
        return [_converted(x, common, real) for x in arrays]

    def _result_dtypes(self, arrays: Sequence[Any], common: np.dtype) -> list[np.dtype]:
        kinds = {
            "follow": common,
            "real": np.dtype(jnp.finfo(common).dtype),
            "complex": np.dtype(jnp.result_type(common, jnp.complex64)),
        }
        return [kinds[k] for k in self.result_kinds]

    def rules_from(self, rules: Mapping[str, _derive.Rule]) -> None:
        """Attach the row's rules; integer arguments have none."""
        self._partials = tuple(
            _derive.Argument(s.name, rules.get(s.name), s.kind is Kind.INT) for s in self.specs
        )


def _with_signed_integers(host: Callable[..., Any]) -> Callable[..., Any]:
    """SciPy's Python functions subtract from orders, and unsigned ones would wrap around."""

    def signed(x: Any) -> Any:
        return x.astype(np.int64) if getattr(x, "dtype", None) == np.uint32 else x

    @functools.wraps(host)
    def function(*args: Any, **kwargs: Any) -> Any:
        return host(*map(signed, args), **{name: signed(x) for name, x in kwargs.items()})

    return function


def _converted(x: Any, common: np.dtype, real: np.dtype) -> Any:
    dtype = x.dtype
    if jnp.issubdtype(dtype, jnp.inexact):
        wanted = common if jnp.issubdtype(dtype, jnp.complexfloating) else real
        return x if dtype == wanted else jax.lax.convert_element_type(x, wanted)
    # Integers go to the host as they are: float32 could not hold them all.
    signed = jnp.issubdtype(dtype, jnp.signedinteger)
    if dtype.itemsize >= 4 and (signed or not _emit.x64_here()):
        return x
    return jax.lax.convert_element_type(x, np.int64 if dtype.itemsize >= 4 else np.int32)


# -- the decorators --------------------------------------------------------------------------------


def elementwise(
    *,
    dlmf: str,
    reference: str,
    domain: Sequence[Domain],
    awkward: Sequence[tuple[Any, ...]] = (),
    statics: Sequence[dict[str, Any]] = ({},),
    outputs: Sequence[str] = (),
    results: str | None = None,
    core: str | None = None,
    sizes: Sizes | None = None,
    batched: bool = True,
    check: Callable[..., None] | None = None,
    note: str = "",
    flaws: Sequence[Flaw] = (),
) -> Callable[[F], F]:
    """Make a row of a documented stub whose annotations are the arguments' kinds.

    Args:
        dlmf: where the function is defined.
        reference: the function in mpmath.
        domain: where each array argument is sampled.
        awkward: further points.
        statics: combinations of static arguments to test.
        outputs: the results' names, where there are several.
        results: the kind of every result, where SciPy has no ufunc types to say it: ``"follow"``
            (real or complex as the arguments), ``"real"`` or ``"complex"``.
        core: the results' core dimensions, such as ``"(k),(k)"``.
        sizes: the sizes of core dimensions, from the static arguments.
        batched: whether SciPy's function takes arrays.
        check: called with the static arguments; raises ValueError for bad ones.
        note: limits that a user must know.
        flaws: where SciPy's own values are inaccurate.

    Returns:
        A decorator that keeps the stub's type.
    """

    def decorate(stub: F) -> F:
        name = stub.__name__
        host = getattr(scipy.special, name)
        specs = _argument_specs(stub)
        arrays = [s for s in specs if s.kind is not Kind.STATIC]
        if isinstance(host, np.ufunc):
            _check_against_ufunc(name, host, arrays)
        n_out = len(outputs) or 1
        cores = core or ",".join(["()"] * n_out)
        signature = parse_signature(f"{','.join(['()'] * len(arrays))}->{cores}")
        kinds = [results or _result_kind(host, j) for j in range(n_out)]
        row_host = RowFunction(host, name, specs, signature, kinds, sizes, batched)
        row = Row(
            name=name,
            function=stub,
            summary=inspect.cleandoc(stub.__doc__ or ""),
            arguments=specs,
            dlmf=dlmf,
            reference=reference,
            domain=tuple(domain),
            awkward=tuple(awkward),
            statics=tuple(statics),
            host=row_host,
            scipy=host,
            outputs=tuple(outputs),
            note=note,
            flaws=tuple(flaws),
        )
        row.function = _public_function(stub, specs, _caller(row_host, specs, check))
        _enter(row)
        return typing.cast(F, row.function)

    return decorate


def table(
    *,
    dlmf: str,
    reference: str,
    statics: Sequence[dict[str, Any]],
    outputs: Sequence[str] = (),
    check: Callable[..., None] | None = None,
) -> Callable[[F], F]:
    """Make a row of a function whose arguments are all static: computed when it is traced.

    Args:
        dlmf: where the function is defined.
        reference: the defining equation in mpmath: an expression in a result ``x`` (and the
            arguments, and the other results) that is zero. One for the first result, or with
            ``;`` between them one for each.
        statics: combinations of the arguments to test.
        outputs: the results' names, where there are several.
        check: called with the arguments; raises ValueError for bad ones that SciPy lets through.

    Returns:
        A decorator that keeps the stub's type.
    """

    def decorate(stub: F) -> F:
        name = stub.__name__
        host = getattr(scipy.special, name)
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
            function=stub,
            summary=inspect.cleandoc(stub.__doc__ or ""),
            arguments=specs,
            dlmf=dlmf,
            reference=reference,
            domain=(),
            awkward=(),
            statics=tuple(statics),
            host=None,
            scipy=host,
            outputs=tuple(outputs),
        )
        row.function = _public_function(stub, specs, lambda _, static: compute(static))
        _enter(row)
        row.function.__doc__ = _docstring(row)
        return typing.cast(F, row.function)

    return decorate


def rule(function: Callable[..., Any], **rules: _derive.Rule) -> None:
    """Give a row its derivative rules: one for each array argument that is not an integer.

    Args:
        function: the decorated function.
        **rules: by argument name.
    """
    row = CATALOG[function.__name__]
    wanted = {s.name for s in row.arrays if s.kind is not Kind.INT}
    if set(rules) != wanted:
        raise TypeError(f"{row.name}: rules for {sorted(rules)}, arguments {sorted(wanted)}")
    if not all(
        isinstance(r, _derive.Closed | _derive.RealLinear | _derive.Missing) for r in rules.values()
    ):
        raise TypeError(f"{row.name}: every rule is closed(...), real_linear(...) or missing(...)")
    assert row.host is not None
    row.rules = dict(rules)
    row.host.rules_from(rules)
    row.function.__doc__ = _docstring(row)


def _enter(row: Row) -> None:
    if row.name in CATALOG:
        raise ValueError(f"two rows are called {row.name}")
    if row.host is not None and len(row.domain) != len(row.arrays):
        raise ValueError(f"{row.name}: {len(row.domain)} domains for {len(row.arrays)} arguments")
    CATALOG[row.name] = row


# -- from a stub to a function ---------------------------------------------------------------------


def _argument_specs(stub: Callable[..., Any]) -> tuple[ArgumentSpec, ...]:
    hints = typing.get_type_hints(stub, include_extras=True)
    specs = []
    for parameter in inspect.signature(stub).parameters.values():
        base, kind = typing.get_args(hints[parameter.name])
        specs.append(ArgumentSpec(parameter.name, kind, base, parameter.default))
    return tuple(specs)


def _public_function(
    stub: Callable[..., Any],
    specs: Sequence[ArgumentSpec],
    call: Callable[[list[Any], dict[str, Any]], Any],
) -> Callable[..., Any]:
    """A plain function with the stub's signature: it pickles by name and can be inspected."""
    name = stub.__name__
    signature = inspect.signature(stub)
    all_arrays = all(s.kind is not Kind.STATIC for s in specs)
    n = len(specs)
    statics = [s for s in specs if s.kind is Kind.STATIC]

    @functools.wraps(stub)
    def function(*args: Any, **kwargs: Any) -> Any:
        if all_arrays and not kwargs and len(args) == n:
            return call(list(args), {})
        try:
            bound = signature.bind(*args, **kwargs)
        except TypeError as error:
            raise TypeError(f"{name}() {error}") from None
        bound.apply_defaults()
        values = bound.arguments
        static = {s.name: _static_value(name, s, values.pop(s.name)) for s in statics}
        return call(list(values.values()), static)

    return function


def _static_value(function: str, spec: ArgumentSpec, value: Any) -> Any:
    try:
        if value is None or isinstance(value, str | bytes | list | tuple | dict):
            raise TypeError
        if spec.annotation is bool:
            return bool(value)
        if spec.annotation is int:
            if isinstance(value, float) and value.is_integer():
                value = int(value)
            return operator.index(typing.cast(Any, value))
        return float(value)
    except (TypeError, jax.errors.TracerArrayConversionError, jax.errors.ConcretizationTypeError):
        raise TypeError(
            f"{function}: argument {spec.name!r} must be a Python {spec.annotation.__name__} known "
            f"when the function is traced (it decides shapes or the formula), got "
            f"{type(value).__name__}"
        ) from None


def _caller(
    host: RowFunction, specs: Sequence[ArgumentSpec], check: Callable[..., None] | None
) -> Callable[[list[Any], dict[str, Any]], Any]:
    integers = [(i, s.name) for i, s in enumerate(host.specs) if s.kind is Kind.INT]
    name = host.name

    def call(arrays: list[Any], static: dict[str, Any]) -> Any:
        for i, argument in integers:
            value = arrays[i]
            if isinstance(value, float | np.floating | np.ndarray) and not _is_whole(value):
                raise ValueError(
                    f"{name}: argument {argument!r} must be whole numbers, got {value}"
                )
        if check is not None:
            try:
                check(**static)
            except ValueError as error:
                raise ValueError(f"{name}: {error}") from None
        return host.as_jax_function(*arrays, **static)

    return call


def _is_whole(value: Any) -> bool:
    value = np.asarray(value)
    return value.dtype.kind != "f" or bool(np.all(np.isfinite(value) & (value == np.floor(value))))


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
        if loops <= set("bhilqBHILQ") and spec.kind is not Kind.INT:
            raise TypeError(f"{name}: {spec.name!r} has integer loops only, so it is Int")
        if spec.kind is Kind.COMPLEX and not loops & set("FD"):
            raise TypeError(f"{name}: {spec.name!r} has no complex loop")


# -- documentation ---------------------------------------------------------------------------------


def _docstring(row: Row) -> str:
    """The stub's text, and what the row knows."""
    lines = [row.summary, "", "Args:"]
    for spec in row.arguments:
        if spec.kind is Kind.STATIC:
            default = "" if spec.default is inspect.Parameter.empty else f", default {spec.default}"
            text = f"Python {spec.annotation.__name__}, static{default}."
        else:
            text = f"{_ACCEPTED[spec.kind]}, array of any shape (they broadcast)."
        lines.append(f"    {spec.name}: {text}")
    lines += ["", "Returns:", *_returns(row)]
    if row.arrays:
        lines += ["", "Derivatives:"]
        for spec in row.arrays:
            lines += textwrap.wrap(
                f"{spec.name}: {row.state(spec)}.",
                96,
                initial_indent="    ",
                subsequent_indent="        ",
            )
    lines += ["", "Raises:", *_raises(row)]
    if row.note or row.flaws:
        note = " ".join([*([row.note] if row.note else []), *map(str, row.flaws)])
        lines += [
            "",
            "Note:",
            *textwrap.wrap(note, 96, initial_indent="    ", subsequent_indent="    "),
        ]
    lines += ["", "References:", f"    {_source(row.dlmf)}; scipy.special.{row.name}."]
    return "\n".join(lines)


def _source(dlmf: str) -> str:
    return f"DLMF {dlmf}, https://dlmf.nist.gov/{dlmf}" if dlmf[:1].isdigit() else dlmf


def _returns(row: Row) -> list[str]:
    if row.host is None:
        what = f"A tuple ({', '.join(row.outputs)})" if row.outputs else "An array"
        return textwrap.wrap(
            f"{what}. SciPy's values, as JAX arrays of the default dtypes.",
            96,
            initial_indent="    ",
            subsequent_indent="    ",
        )
    precision = (
        "SciPy's value, computed in double precision and rounded once; the dtype is JAX's "
        "promotion of the arguments to a floating one"
    )
    kinds = set(row.host.result_kinds)
    if kinds == {"complex"}:
        precision += ", made complex"
    names = f"A tuple ({', '.join(row.outputs)}). " if row.outputs else ""
    return textwrap.wrap(
        f"{names}{precision}.", 96, initial_indent="    ", subsequent_indent="    "
    )


def _raises(row: Row) -> list[str]:
    if row.host is None:
        return ["    TypeError, ValueError: an argument that is not a fitting Python number."]
    out = ["    TypeError: an argument of a dtype that the function does not take."]
    out.append("    ValueError: shapes that do not broadcast.")
    missing = [s.name for s in row.arrays if isinstance(row.rules.get(s.name), _derive.Missing)]
    missing += [s.name for s in row.arrays if s.kind is Kind.INT]
    if missing:
        out.append(f"    NotImplementedError: differentiated with respect to {', '.join(missing)}.")
    return out
