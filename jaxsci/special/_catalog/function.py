"""The host function of a row."""

from __future__ import annotations

import functools
import importlib
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import scipy.special
from jax.typing import ArrayLike

from jaxsci._core import (
    dispatch,
    double_precision,
    elementwise_rules,
    precision,
    single_precision,
)
from jaxsci._core.function import Call, Function, Result
from jaxsci._core.host_function import HostFunction
from jaxsci._core.lowering import callback as callback_lowering
from jaxsci._core.lowering import platforms
from jaxsci._core.primitive import bind
from jaxsci._core.signature import Signature
from jaxsci.special._catalog.kernel import Kernel
from jaxsci.special._catalog.row import (
    ACCEPTED,
    CATALOG,
    ArgumentSpec,
    ElementwiseRow,
    Guard,
    Repair,
    Sizes,
)
from jaxsci.special._catalog.types import Kind


class RowFunction(HostFunction):
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
        guard: Guard | None = None,
    ) -> None:
        self.specs = tuple(s for s in specs if s.kind is not Kind.STATIC)
        self.result_kinds = tuple(result_kinds)
        self._row_sizes = sizes
        self._unguarded = _Unguarded(self, name)
        self._guard = guard
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

    def __reduce__(self) -> tuple[Any, ...]:
        return _of_row, (self.name,)

    no_array_hint = ""
    operations: Callable[..., Any] | None = None
    """The function in JAX operations on real doubles, where those are as good as SciPy."""
    single: float | None = None
    """The largest error of these in single precision, as a `Kernel` has it."""
    kernel: Kernel | None = None
    """The function in JAX operations on real doubles, for accelerators or where it is chosen."""
    complex_kernel: Kernel | None = None
    """The same for complex numbers."""
    repair: Repair | None = None
    reflected_from: float = math.inf
    """From which x on values at a complex -x - 0i are conjugates, for SciPy's there are wrong."""
    counts: frozenset[int] = frozenset()
    """Arguments of which integers, of an integer type, are computed otherwise, in shorter programs,
    though any number may be given."""

    def core_sizes(self, static: tuple[tuple[str, Any], ...]) -> Mapping[str, int]:
        """Dimensions of the result that static arguments decide."""
        return self._row_sizes(**dict(static)) if self._row_sizes is not None else {}

    def check(self, arrays: Sequence[jax.Array]) -> None:
        """Refuse what is not numeric, and complex numbers where only real ones are taken."""
        for spec, x in zip(self.specs, arrays, strict=True):
            if not jnp.issubdtype(x.dtype, jnp.number) and x.dtype != np.bool_:
                raise TypeError(
                    f"{self.name}: argument {spec.name!r} must be numeric, got {x.dtype}"
                )
            if jnp.issubdtype(x.dtype, jnp.complexfloating) and spec.kind is not Kind.COMPLEX:
                raise TypeError(
                    f"{self.name}: argument {spec.name!r} takes {ACCEPTED[spec.kind]}, got "
                    f"{x.dtype}"
                )

    def promoted_together(self, arrays: Sequence[Any]) -> Sequence[Sequence[Any]]:
        """Numbers of the same kind; of real ones and complex ones the precision.

        Integers in their own places are not promoted, nor are parameters that can only be real.
        """
        pairs = list(zip(self.specs, arrays, strict=True))
        numbers = [
            (spec.kind, x)
            for spec, x in pairs
            if spec.kind is not Kind.INT or not jnp.issubdtype(x.dtype, jnp.integer)
        ]
        return [
            [x for kind, x in numbers if kind is Kind.COMPLEX],
            [jnp.real(x) for _, x in numbers],
        ]

    def convert(self, arrays: list[jax.Array], common: np.dtype) -> list[jax.Array]:
        """Bring floats to their common precision."""
        real = np.dtype(jnp.finfo(common).dtype)
        converted = [_converted(x, common, real) for x in arrays]
        return [
            _or_nan(x) if spec.kind is Kind.INT else x
            for spec, x in zip(self.specs, converted, strict=True)
        ]

    def _result_dtypes(self, arrays: Sequence[jax.Array], common: np.dtype) -> list[np.dtype]:
        kinds = {
            "follow": common,
            "real": np.dtype(jnp.finfo(common).dtype),
            "complex": np.dtype(jnp.result_type(common, jnp.complex64)),
        }
        return [kinds[k] for k in self.result_kinds]

    def lower(self, ctx: Any, operands: Sequence[Any], call: Call) -> Sequence[Any]:
        """Lower to JAX operations where the row has them, else to SciPy's function.

        That is never called with arguments that the guard forbids, nor with orders that are NaN,
        and its results are mended where they are wrong.
        """
        with_kernels = dispatch.uses_kernels(call.choice.backend, ctx.module_context.platforms)
        narrow = self._in_single(call, ctx.avals_in) if with_kernels else None
        if narrow is not None:
            return single_precision.lower_in_single(
                ctx, operands, call, narrow, self._kept_integers
            )
        operations = self._operations(ctx.avals_in, with_kernels)
        if operations is not None:
            return double_precision.lower_in_double(
                ctx, operands, call, operations, self._kept_integers
            )
        guarded = self._guarded(call, ctx.avals_in)
        if guarded is None:
            return super().lower(ctx, operands, call)
        return platforms.lower_operations(ctx, operands, guarded)

    def as_operations(
        self, call: Call, operands: Sequence[Any]
    ) -> Callable[..., Sequence[Any]] | None:
        """What the call is lowered to where that is not the host's function alone."""
        # For which platform is not known here: on those that may have kernels the backend says so.
        with_kernels = call.choice.backend == dispatch.DEVICE
        narrow = self._in_single(call, operands) if with_kernels else None
        if narrow is not None:
            return single_precision.in_single(call, narrow, self._kept_integers)
        operations = self._operations(operands, with_kernels)
        if operations is not None:
            return double_precision.rounded_once(call, operations, self._kept_integers)
        return self._guarded(call, operands)

    def _operations(
        self, operands: Sequence[Any], with_kernels: bool
    ) -> Callable[..., Sequence[Any]] | None:
        """The JAX operations that give the results for such operands, if there are any."""
        is_complex = any(jnp.issubdtype(x.dtype, jnp.complexfloating) for x in operands)
        in_plane = is_complex or (self.kernel is None and self.operations is None)
        kernel = (self.complex_kernel if in_plane else self.kernel) if with_kernels else None
        operations = kernel if is_complex else self.operations or kernel
        if operations is None:
            return None

        def evaluate(*xs: jax.Array, **static: Any) -> Sequence[jax.Array]:
            if in_plane:
                xs = tuple(
                    x.astype(np.complex128) if s.kind is Kind.COMPLEX else x
                    for s, x in zip(self.specs, xs, strict=True)
                )
            return double_precision.as_sequence(operations(*xs, **static))

        return evaluate

    def _in_single(
        self, call: Call, operands: Sequence[Any]
    ) -> Callable[..., Sequence[Any]] | None:
        """The operations that give the results in single precision, if that is chosen and can be.

        They are of those platforms that use kernels.
        """
        if not single_precision.is_wanted(call):
            return None
        is_complex = any(jnp.issubdtype(x.dtype, jnp.complexfloating) for x in operands)
        kernel = self.complex_kernel if is_complex else self.kernel
        operations: Callable[..., Any]
        if kernel is not None and kernel.single is not None:
            operations = kernel
        elif self.operations is not None and self.single is not None and not is_complex:
            operations = self.operations
        else:
            return None

        def evaluate(*xs: jax.Array, **static: Any) -> Sequence[jax.Array]:
            return double_precision.as_sequence(operations(*xs, **static))

        return evaluate

    def evaluate_with_tangents(
        self, call: Call, primals: Sequence[Any], tangents: Sequence[Any]
    ) -> tuple[Sequence[Any], Sequence[Any]] | None:
        """As of any function of the host, but for what is not computed there in any case."""
        if self._in_single(call, primals) is not None:
            return None
        return super().evaluate_with_tangents(call, primals, tangents)

    @property
    def _integer_arguments(self) -> frozenset[int]:
        return frozenset(i for i, s in enumerate(self.specs) if s.kind is Kind.INT)

    @property
    def _kept_integers(self) -> frozenset[int]:
        """Arguments of which integers are no floating numbers, for kernels."""
        return self._integer_arguments | self.counts

    def _guarded(self, call: Call, operands: Sequence[Any]) -> Callable[..., list[Any]] | None:
        guard = self._guard
        orders = [
            i for i in self._integer_arguments if jnp.issubdtype(operands[i].dtype, jnp.inexact)
        ]
        wide = [i for i in self._integer_arguments if self._may_be_cut(i, operands[i].dtype)]
        turned = self._reflected(operands)
        if guard is None and self.repair is None and not orders and not wide and not turned:
            return None
        inner = replace(call, function=self._unguarded)

        def guarded(*xs: jax.Array) -> list[jax.Array]:
            safe, masks = list(xs), []
            for i in orders:
                masks.append(~jnp.isnan(xs[i]))
                safe[i] = jnp.where(masks[-1], xs[i], 1)
            for i in wide:
                masks.append(_held_by_int(xs[i]))
                safe[i] = jnp.where(masks[-1], safe[i], 1)
            if guard is not None:
                allowed, safe = guard.replaced(safe, dict(call.static), jnp.where)
                masks += [] if allowed is None else [jnp.asarray(allowed)]
            below = [_is_below_axis(xs[i], self.reflected_from) for i in turned]
            for i, mask in zip(turned, below, strict=True):
                safe[i] = jnp.where(mask, jnp.conj(safe[i]), safe[i])
            ys = bind(inner, safe)
            for mask in below:
                ys = [jnp.where(mask, jnp.conj(y), y) for y in ys]
            for mask in masks:
                ys = [
                    jnp.where(jnp.expand_dims(mask, range(mask.ndim, y.ndim)), y, jnp.nan)
                    for y in ys
                ]
            return ys if self.repair is None else self._mended(call, xs, ys)

        return guarded

    def _reflected(self, operands: Sequence[Any]) -> list[int]:
        """The arguments that SciPy gets from above the negative axis alone."""
        if self.reflected_from == math.inf:
            return []
        return [i for i, x in enumerate(operands) if jnp.issubdtype(x.dtype, jnp.complexfloating)]

    def _may_be_cut(self, i: int, dtype: Any) -> bool:
        """Whether SciPy would take the order modulo 2^32, or, of floats, warn and take another."""
        return takes_integers(self.fn, i) and np.dtype(dtype) not in _SHORT

    def _mended(
        self, call: Call, xs: Sequence[jax.Array], ys: Sequence[jax.Array]
    ) -> list[jax.Array]:
        """Results, with the row's own where SciPy's are wrong: those alone are JAX operations."""
        assert self.repair is not None
        repair = self.repair
        parts = repair.parts([x.dtype for x in xs])
        if not parts:
            return list(ys)
        cores = [len(r.core_shape) for r in call.results]
        own = replace(
            call,
            function=_mends(repair, len(ys), self.name, self._integer_arguments),
            core_ndims=(*cores, *call.core_ndims),
            weak_type=False,
            results=(Result((), np.dtype(bool)), *(call.results[j] for j in parts)),
        )
        wrong, *mends = bind(own, [*ys, *xs])
        mended = list(ys)
        for j, mend in zip(parts, mends, strict=True):
            mask = jnp.expand_dims(wrong, range(wrong.ndim, ys[j].ndim))
            mended[j] = jnp.where(mask, mend, ys[j])
        return mended

    def _value(self, args: Sequence[ArrayLike], kwargs: Mapping[str, Any]) -> Any:
        # Of integer arguments alone: where fractions have values, every number takes the same loop.
        args = [
            _as_integers(x) if i in self._integer_arguments and takes_integers(self.fn, i) else x
            for i, x in enumerate(args)
        ]
        floats = [i for i in _integers_only(self.fn) if np.asarray(args[i]).dtype.kind == "f"]
        if not floats:
            return super()._value(args, kwargs)
        # Integers of a floating type; those that no integer holds have no value.
        args, held = list(args), np.bool_(True)
        for i in floats:
            fits = np.abs(args[i]) < 2**62
            held = held & fits
            args[i] = np.where(fits, args[i], 0).astype(np.int64)
        return np.where(held, super()._value(args, kwargs), np.nan)

    def rules_from(self, rules: Mapping[str, elementwise_rules.Rule]) -> None:
        """Attach the row's rules; integer arguments have none."""
        self._partials = tuple(
            elementwise_rules.Argument(
                s.name, rules.get(s.name), s.kind is Kind.INT, i in self.counts
            )
            for i, s in enumerate(self.specs)
        )


def _is_below_axis(z: jax.Array, start: float) -> jax.Array:
    """Whether z is -x - 0i with x beyond the start."""
    return (z.real < -start) & (z.imag == 0) & jnp.signbit(z.imag)


_END_OF_INT = 2**31
"""SciPy's loops over orders and counts go through C's int."""


def _held_by_int(x: jax.Array) -> jax.Array:
    """Whether C's int holds a number."""
    # In the number's own type: without 64-bit types a Python integer of 2^31 fits nowhere.
    with np.errstate(over="ignore"):  # in half precision it is infinite, and so are larger numbers
        end = np.asarray(_END_OF_INT).astype(x.dtype)
    unsigned = jnp.issubdtype(x.dtype, jnp.unsignedinteger)
    return x < end if unsigned else (x > -end) & (x < end)


_SHORT = {np.dtype(t) for t in ("bool", "int8", "uint8", "int16", "uint16", "int32")}


@functools.lru_cache(maxsize=1024)
def _mends(
    repair: Repair, n_results: int, name: str, orders: frozenset[int]
) -> double_precision.Composed:
    """A function of results and arguments, in double: where results are wrong, and the mends."""

    def evaluate(*operands: jax.Array, **static: Any) -> list[jax.Array]:
        ys, xs = operands[:n_results], operands[n_results:]
        return repair.mends(ys, xs, static)

    shifted = frozenset(n_results + i for i in orders)
    return double_precision.Composed(
        f"mended_{name}", evaluate, holomorphic=False, integers=shifted
    )


def _of_row(name: str) -> RowFunction:
    """The host function of the row of this name, in this process."""
    importlib.import_module("jaxsci.special")  # the rows
    row = CATALOG[name]
    assert isinstance(row, ElementwiseRow)
    return row.host


@dataclass(frozen=True, eq=False)
class _Unguarded(Function):
    """A row's host function by itself; it only exists inside that one's lowering."""

    row: RowFunction
    name: str

    def lower(self, ctx: Any, operands: Sequence[Any], call: Call) -> Sequence[Any]:
        return HostFunction.lower(self.row, ctx, operands, call)

    def is_native(self, ctx: Any, call: Call) -> bool:
        return self.row.is_native(ctx, call)

    @property
    def shares_callbacks(self) -> bool:
        return self.row.shares_callbacks

    def host_call(self, call: Call) -> callback_lowering.HostCall:
        return self.row.host_call(call)

    def differentiate(
        self, call: Call, primals: Sequence[Any], tangents: Sequence[Any], results: Sequence[Any]
    ) -> Sequence[Any]:
        return self.row.differentiate(call, primals, tangents, results)

    def check_vmap(self) -> None:
        self.row.check_vmap()


@functools.cache
def _integers_only(host: Callable[..., Any]) -> tuple[int, ...]:
    """The arguments for which a ufunc (of one result) has loops of integers alone."""
    if not isinstance(host, np.ufunc) or host.nout != 1:
        return ()
    return tuple(i for i in range(host.nin) if only_integers(host, i))


@functools.cache
def takes_integers(host: Callable[..., Any], i: int) -> bool:
    """Whether a ufunc has loops of integers in one argument; those of floats warn, and truncate."""
    return isinstance(host, np.ufunc) and any(loop[i] in "lq" for loop in host.types)


def _as_integers(x: Any) -> np.ndarray:
    """Integers as integers, where integers hold them all."""
    x = np.asarray(x)
    if x.dtype.kind != "f" or not np.all((x == np.floor(x)) & (np.abs(x) < 2.0**62)):
        return x
    return x.astype(np.int64)


def only_integers(host: np.ufunc, i: int) -> bool:
    """Whether a ufunc's loops take nothing but integers in one argument."""
    return {loop[i] for loop in host.types} <= set("bhilqBHILQ")


def _with_signed_integers(host: Callable[..., Any]) -> Callable[..., Any]:
    """SciPy's Python functions subtract from orders, and unsigned ones would wrap around."""

    def signed(x: Any) -> Any:
        return x.astype(np.int64) if getattr(x, "dtype", None) == np.uint32 else x

    @functools.wraps(host)
    def function(*args: ArrayLike, **kwargs: Any) -> Any:
        return host(*map(signed, args), **{name: signed(x) for name, x in kwargs.items()})

    return function


def _or_nan(x: jax.Array) -> jax.Array:
    """An order, NaN where it is a float that is not an integer."""
    if not jnp.issubdtype(x.dtype, jnp.inexact):
        return x
    return jnp.where((x == jnp.floor(x)) & (jnp.abs(x) < jnp.inf), x, jnp.nan)


def _converted(x: jax.Array, common: np.dtype, real: np.dtype) -> jax.Array:
    dtype = x.dtype
    if jnp.issubdtype(dtype, jnp.inexact):
        wanted = common if jnp.issubdtype(dtype, jnp.complexfloating) else real
        return x if dtype == wanted else jax.lax.convert_element_type(x, wanted)
    if dtype == np.uint64:  # int64 does not hold them all
        return jax.lax.convert_element_type(x, np.float64)
    # Integers go to the host as they are: float32 could not hold them all.
    signed = jnp.issubdtype(dtype, jnp.signedinteger)
    if dtype.itemsize >= 4 and (signed or not precision.x64_here()):
        return x
    return jax.lax.convert_element_type(x, np.int64 if dtype.itemsize >= 4 else np.int32)
