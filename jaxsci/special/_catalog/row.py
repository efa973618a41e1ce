"""What is known of a function: a row of the catalog, and its parts."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import jax
import jax.numpy as jnp
import numpy as np

from jaxsci._core import elementwise_rules
from jaxsci.special._catalog.domains import Domain
from jaxsci.special._catalog.kernel import Kernel
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
    meaning: str = ""
    """What it is, and its domain."""
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
            what = f"{value} is wrong{also.replace('have', 'are')}."
        else:
            what = f"{value} has a relative error of up to {self.error}{also}."
        return what if self.where == "True" else f"Where {self.where}, {what}"


@dataclass(frozen=True)
class Unknown:
    """Where derivatives that exist are not known: they are NaN there."""

    arguments: str
    """Those in these arguments, separated by spaces."""
    where: str
    """A condition on the arguments, such as ``"n % 1 > 0"``."""

    def __str__(self) -> str:
        names = " and ".join(self.arguments.split())
        return f"Where {self.where}, derivatives in {names} are not known, and NaN."


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
        self,
        arrays: Sequence[jax.Array | np.ndarray],
        static: dict[str, Any],
        where: Callable[..., Any],
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


@dataclass(frozen=True)
class Repair:
    """Where SciPy's values are wrong, and what stands in their place: JAX operations.

    Both functions are given a tuple of SciPy's results, and the arguments, all in double precision,
    and the static arguments by name. They are also evaluated at arguments where SciPy is right, or
    that are NaN, where the formula may be anything. They call no function of the host.
    """

    words: str
    """The condition in words, for the docstring."""
    where: Callable[..., Any]
    """The condition."""
    formula: Callable[..., Any]
    """The results, a tuple where there are several."""
    results: tuple[int, ...] = (0,)
    """Which of the function's results the formula gives."""
    of: Literal["real", "complex", "all"] = "real"
    """Which arguments it serves: complex are those of which one is."""
    costly: bool = False
    """Whether the formula is left out where no value is wrong."""
    unless_integer: int | None = None
    """Place of an argument for whose integers, beside real numbers, SciPy has a loop of its own,
    which is right."""

    def __str__(self) -> str:
        which = "" if self.of == "all" else f" {self.of}"
        return (
            f"This package's own{which} values stand where {self.words}: SciPy's are wrong there."
        )

    def parts(self, dtypes: Sequence[np.dtype]) -> tuple[int, ...]:
        """Which results may need mending, for arguments of these types."""
        if any(jnp.issubdtype(dtype, jnp.complexfloating) for dtype in dtypes):
            return () if self.of == "real" else self.results
        if self.of == "complex":
            return ()
        i = self.unless_integer
        return self.results if i is None or jnp.issubdtype(dtypes[i], jnp.inexact) else ()

    def mends(
        self, ys: Sequence[jax.Array], xs: Sequence[jax.Array], static: Mapping[str, Any]
    ) -> list[jax.Array]:
        """Where results are wrong, and what they are there."""
        xs = [x if jnp.issubdtype(x.dtype, jnp.inexact) else x.astype(float) for x in xs]
        wrong = jnp.asarray(self.where(tuple(ys), *xs, **static))

        def formula() -> list[jax.Array]:
            found = self.formula(tuple(ys), *xs, **static)
            return list(found) if isinstance(found, tuple) else [found]

        if not self.costly:
            return [wrong, *formula()]
        nothing = [jnp.zeros(y.shape, y.dtype) for y in jax.eval_shape(formula)]
        return [wrong, *jax.lax.cond(jnp.any(wrong), formula, lambda: nothing)]


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

    def allows(*values: jax.Array | np.ndarray, **static: Any) -> jax.Array | np.ndarray:
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

    def arranged(results: tuple[jax.Array, ...], _: dict[str, Any]) -> Any:
        moved = [_rotated(y, y.ndim - n) for y in results]
        return tuple(moved) if len(moved) > 1 else moved[0]

    def trailing(values: Any, _: dict[str, Any]) -> tuple[jax.Array | np.ndarray, ...]:
        return tuple(_rotated(y, n) for y in (values if isinstance(values, tuple) else (values,)))

    return Layout(arranged, trailing)


def _rotated(y: jax.Array | np.ndarray, n: int) -> jax.Array | np.ndarray:
    """An array with its first n dimensions last."""
    return y.transpose((*range(n, y.ndim), *range(n)))


@dataclass(frozen=True)
class Samples:
    """What a function is tested with: where it is called, and what is expected there."""

    reference: str
    """The function as an mpmath expression in its arguments; ``;`` between several results.

    Of a table the defining equation: an expression in a result ``x`` (and the arguments, and the
    other results) that is zero. One for the first result, or with ``;`` between them one for each.
    ``i`` is the result's place in its array.
    """
    domain: Sequence[Domain] = ()
    """Where each array argument is sampled."""
    awkward: Sequence[tuple[Any, ...]] = ()
    """Points that a sample does not hit: zeros, removable singularities, integers, endpoints."""
    statics: Sequence[dict[str, Any]] = ({},)
    """The combinations of static arguments that tests go through."""
    flaws: Sequence[Flaw] = ()
    """Where SciPy's own values are inaccurate."""
    unknown: Sequence[Unknown] = ()
    """Where derivatives are not known."""
    listed: bool = False
    """Of a table: whether the reference is the list of the numbers themselves, and no equation;
    ``size`` is how many they are."""


@dataclass(frozen=True)
class OnHost:
    """How the values are computed on the host, where SciPy's ufunc of the row's name does not."""

    function: Callable[..., Any] | None = None
    """What to call: the same values as those of SciPy's function, in a form that the core can
    call. None: SciPy's function."""
    results: str | None = None
    """The kind of every result, where no ufunc types say it: ``"follow"`` (real or complex as the
    arguments), ``"real"`` or ``"complex"``."""
    core: str | None = None
    """The results' core dimensions, such as ``"(k),(k)"``."""
    sizes: Sizes | None = None
    """The sizes of core dimensions, from the static arguments."""
    batched: bool = True
    """Whether the function takes arrays."""
    layout: Layout | None = None
    """How SciPy's function arranges its results, where core dimensions are not last."""
    kept: Callable[..., int] | None = None
    """How many of the results there are, from the static arguments, where they decide that."""
    undefined: Callable[..., Any] | None = None
    """Of the array arguments, where SciPy's function leaves its results unwritten, or complains in
    place of a value: the host gives NaN there."""
    without_last: Callable[..., Any] | None = None
    """What is called with the other arguments where the last one is None."""


@dataclass(eq=False, kw_only=True)
class Row:
    """All that is known about one function; wrapper, docs, tests and benchmarks come from it."""

    name: str
    home: str
    """The module in which it stands."""
    function: Callable[..., Any]
    """The public function."""
    summary: str
    example: str = ""
    """Lines of a Python session, as a docstring has them."""
    arguments: tuple[ArgumentSpec, ...]
    source: str
    """Where the function is defined: sections or equations of the NIST Digital Library of
    Mathematical Functions, or a book or paper."""
    scipy: Callable[..., Any]
    oracle: Callable[..., Any]
    """What the values are, bit for bit: SciPy's function, or one of this package's own."""
    note: str = ""

    @property
    def arrays(self) -> tuple[ArgumentSpec, ...]:
        """The arguments that are arrays."""
        return tuple(a for a in self.arguments if a.kind is not Kind.STATIC)


@dataclass(eq=False, kw_only=True)
class ArrayRow(Row):
    """A function of whole arrays, in JAX operations, that documents itself."""


@dataclass(eq=False, kw_only=True)
class SampledRow(Row):
    """A row that the generic tests sample."""

    samples: Samples
    outputs: tuple[str, ...]
    """The results' names, where there are several."""
    kept: Callable[..., int] | None = None

    def results(self, static: Mapping[str, Any]) -> int:
        """How many results there are, with these static arguments."""
        return len(self.outputs) or 1 if self.kept is None else self.kept(**static)

    def state(self, argument: ArgumentSpec) -> str:
        """What is known of the derivative in one argument, in words."""
        raise NotImplementedError

    def dtypes(self) -> str:
        """Which dtypes the results have, in words."""
        raise NotImplementedError


@dataclass(eq=False, kw_only=True)
class TableRow(SampledRow):
    """A function whose arguments are all static: numbers, computed when it is traced."""

    derivatives: Mapping[str, str] = field(default_factory=dict)
    """In words, in arguments that may be arrays where a length is given."""

    def state(self, argument: ArgumentSpec) -> str:
        return self.derivatives.get(argument.name, "static")

    def dtypes(self) -> str:
        return "floating (complex where the docstring says so)"


@dataclass(eq=False, kw_only=True)
class ElementwiseRow(SampledRow):
    """A function of numbers, or of numbers into small arrays, that runs over whole arrays."""

    host: RowFunction
    """The host function behind it."""
    layout: Layout | None = None
    guard: Guard | None = None
    repair: Repair | None = None
    undefined: Callable[..., Any] | None = None
    rules: dict[str, elementwise_rules.Rule] = field(default_factory=dict)

    @property
    def on_device(self) -> bool:
        """Whether the values are computed by JAX operations, and never leave the device."""
        return self.host.operations is not None

    @property
    def kernel(self) -> Kernel | None:
        """What computes real values on accelerators, and on the backend ``"device"``."""
        return self.host.kernel

    @property
    def single(self) -> float | None:
        """The largest error of real values in single precision, in units of its last place.

        None where they are computed in double.
        """
        return self.kernel.single if self.kernel is not None else self.host.single

    @property
    def single_slopes(self) -> dict[str, float]:
        """By argument, the same for derivatives whose rules are evaluated in single precision."""
        return {
            name: rule.single
            for name, rule in self.rules.items()
            if isinstance(rule, elementwise_rules.Closed) and rule.single is not None
        }

    @property
    def complex_kernel(self) -> Kernel | None:
        """What computes complex values there."""
        return self.host.complex_kernel

    def on_devices(self) -> str:
        """What accelerators compute themselves, in words."""
        any_kernel = self.kernel or (None if self.on_device else self.complex_kernel)
        if any_kernel is None and not self.on_device:
            return "no kernel, SciPy's function on the host"
        accuracy = f"kernel, {any_kernel}" if any_kernel else "JAX operations, as on CPUs"
        if any(a.kind is Kind.COMPLEX for a in self.arrays):
            if self.complex_kernel is None:
                accuracy += "; complex arguments go to the host"
            else:
                accuracy += f"; of complex arguments {self.complex_kernel}"
        if self.single is not None:
            accuracy += f"; in single precision {self.single:g} ulp of that"
        return accuracy

    def state(self, argument: ArgumentSpec) -> str:
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
