"""What is known of a function: a row of the catalog, and its parts."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import jax.numpy as jnp
import numpy as np

from jaxsci._core import elementwise_rules
from jaxsci.special._catalog.domains import Domain
from jaxsci.special._catalog.types import Kind

if TYPE_CHECKING:
    from jaxsci.special._catalog.function import RowFunction

Sizes = Callable[..., Mapping[str, int]]

ACCEPTED = {
    Kind.INT: "integers",
    Kind.REAL: "real numbers",
    Kind.COMPLEX: "real or complex numbers",
}
"""What arguments of a kind may be, in words."""


@dataclass(frozen=True)
class ArgumentSpec:
    """One argument of a row: its name, kind, and default (static arguments may have one)."""

    name: str
    kind: Kind
    annotation: Any
    default: Any = inspect.Parameter.empty
    keyword_only: bool = False


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
    derivatives: bool = False
    """Whether derivatives are off by as much: those that are taken from SciPy's own values."""

    def __str__(self) -> str:
        value = f"SciPy's own {' and '.join(self.results.split()) or 'value'}"
        also = ", and so have its derivatives" if self.derivatives else ""
        if self.error == "inf":
            also = also.replace("have", "are")
            return f"Where {self.where}, {value} is wrong{also}."
        return f"Where {self.where}, {value} has a relative error of up to {self.error}{also}."


@dataclass(frozen=True)
class Guard:
    """Where SciPy's function is called: elsewhere it hangs, crashes, or reads foreign memory.

    At other arguments it is called at a harmless point instead, and the result is NaN.
    """

    where: str
    """The condition in words, for the docstring."""
    allows: Callable[..., Any]
    """The condition as a function of the array arguments (and the static ones, by name)."""
    harmless: tuple[float, ...]
    """Array arguments that SciPy can be called with."""
    complex_only: bool = False
    """Whether SciPy's loop of real numbers needs no guard."""
    through: int | None = None
    """Position of a real argument that the condition is about, and for which SciPy turns NaN into
    NaN: it alone is replaced, and no array of results is copied to be masked."""

    def __str__(self) -> str:
        kind = " for complex arguments" if self.complex_only else ""
        return f"NaN{kind} unless {self.where}: elsewhere SciPy's function may crash or not return."

    def replaced(
        self, arrays: Sequence[Any], static: dict[str, Any], where: Callable[..., Any]
    ) -> tuple[Any, list[Any]]:
        """What is allowed, and the arguments with harmless ones where they are not.

        None stands for what is allowed where SciPy's results need no masking.

        Args:
            arrays: the array arguments.
            static: the static ones.
            where: NumPy's or JAX's.
        """
        if self.complex_only and not any(map(jnp.iscomplexobj, arrays)):
            return None, list(arrays)
        # Half precision does not reach the limits, and integers would wrap around.
        wide = any(x.dtype.itemsize >= (16 if x.dtype.kind == "c" else 8) for x in arrays)
        real, plane = (np.float64, np.complex128) if wide else (np.float32, np.complex64)
        kinds = [plane if jnp.iscomplexobj(x) else real for x in arrays]
        numbers = [x.astype(kind) for x, kind in zip(arrays, kinds, strict=True)]
        allowed = self.allows(*numbers, **static)
        if self.through is not None:
            safe = list(arrays)
            safe[self.through] = where(allowed, safe[self.through], np.nan)
            return None, safe
        pairs = zip(arrays, self.harmless, strict=True)
        return allowed, [where(allowed, x, np.asarray(h, x.dtype)) for x, h in pairs]


def bounded(
    arguments: str, harmless: tuple[float, ...], through: int | None = None, **limits: float
) -> Guard:
    """A guard against finite arguments that are larger than their limits.

    Args:
        arguments: the names of the array arguments, in order.
        harmless: arguments that SciPy can be called with.
        through: as in `Guard`; the only argument with a limit then.
        limits: the largest absolute value of an argument, by name.
    """

    def allows(*values: Any, **static: Any) -> Any:
        allowed: Any = True
        for name, value in zip(arguments.split(), values, strict=True):
            if name in limits:
                size = abs(value)
                allowed = allowed & ~((size > limits[name]) & (size < np.inf))
        return allowed

    where = " and ".join(f"|{name}| <= {limit:g}" for name, limit in limits.items())
    return Guard(where, allows, harmless, through=through)


@dataclass(frozen=True)
class Layout:
    """How SciPy arranges results whose core dimensions do not simply come last."""

    arranged: Callable[[tuple[Any, ...], dict[str, Any]], Any]
    """What SciPy returns, from results with core dimensions last and the static arguments."""
    trailing: Callable[[Any, dict[str, Any]], tuple[Any, ...]]
    """The inverse, of JAX's arrays or NumPy's."""


def leading(n: int) -> Layout:
    """A layout with all n core dimensions of each result in front."""

    def arranged(results: tuple[Any, ...], _: dict[str, Any]) -> Any:
        moved = [_rotated(y, y.ndim - n) for y in results]
        return tuple(moved) if len(moved) > 1 else moved[0]

    def trailing(values: Any, _: dict[str, Any]) -> tuple[Any, ...]:
        return tuple(_rotated(y, n) for y in (values if isinstance(values, tuple) else (values,)))

    return Layout(arranged, trailing)


def _rotated(y: Any, n: int) -> Any:
    """An array with its first n dimensions last."""
    return y.transpose((*range(n, y.ndim), *range(n)))


@dataclass(eq=False)
class Row:
    """All that is known about one function; wrapper, docs, tests and benchmarks come from it."""

    name: str
    home: str
    """The module in which it stands."""
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
    oracle: Callable[..., Any]
    """What the values are, bit for bit: SciPy's function, or one of this package's own."""
    outputs: tuple[str, ...]
    kept: Callable[..., int] | None = None
    """How many of the results there are, from the static arguments, where they decide that."""
    note: str = ""
    flaws: tuple[Flaw, ...] = ()
    whole: bool = False
    """A function of whole arrays, in JAX operations, that documents itself."""
    layout: Layout | None = None
    """How the public function arranges its results; by itself core dimensions come last."""
    guard: Guard | None = None
    roots: bool = True
    """Of a table: whether the reference is an equation that the numbers solve, or their list."""
    undefined: Callable[..., Any] | None = None
    """Where SciPy returns memory that it never wrote, or no value; the host gives NaN there."""
    rules: dict[str, elementwise_rules.Rule] = field(default_factory=dict)

    @property
    def native(self) -> bool:
        """Whether the values are computed by JAX operations, and never leave the device."""
        return self.host is not None and self.host.operations is not None

    @property
    def arrays(self) -> tuple[ArgumentSpec, ...]:
        """The arguments that are arrays."""
        return tuple(a for a in self.arguments if a.kind is not Kind.STATIC)

    def results(self, static: Mapping[str, Any]) -> int:
        """How many results there are, with these static arguments."""
        return len(self.outputs) or 1 if self.kept is None else self.kept(**static)

    def state(self, argument: ArgumentSpec) -> str:
        """What is known of the derivative in one argument, in words."""
        if argument.kind is Kind.STATIC:
            return "static"
        if argument.kind is Kind.INT:
            return "integer: no derivative"
        rule = self.rules[argument.name]
        if isinstance(rule, elementwise_rules.Missing):
            return f"missing: {rule.reason}"
        kind = "real-linear" if isinstance(rule, elementwise_rules.RealLinear) else "closed form"
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
ALIASES: dict[str, str] = {}
"""SciPy's second names of functions, and the first ones."""


def named_rows() -> dict[str, Row]:
    """The rows by all names of their functions."""
    return CATALOG | {second: CATALOG[first] for second, first in ALIASES.items()}
