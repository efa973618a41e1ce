"""Functions that run on the host, with derivatives: pure, with effects, or for debugging.

`host_function` is the one door. A pure function becomes a JAX primitive with derivative rules of
its own; functions with effects have the semantics of JAX's own callbacks.
"""

from __future__ import annotations

import functools
import inspect
import operator
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, Literal

import jax
import jax.numpy as jnp
import numpy as np
import scipy.special

from jaxsci import _native
from jaxsci._core import (
    array_rules,
    dispatch,
    double_precision,
    elementwise_rules,
    fused_derivatives,
)
from jaxsci._core import effects as side_effects
from jaxsci._core import failures as host_failures
from jaxsci._core import promotion as promotions
from jaxsci._core.elementwise_rules import closed, missing, real_linear
from jaxsci._core.function import Call, Function, Result
from jaxsci._core.lowering import callback as callback_lowering
from jaxsci._core.lowering import chunks, host_thread, low_precision
from jaxsci._core.lowering import sharding as shardings
from jaxsci._core.primitive import bind
from jaxsci._core.purity import PurityReport, check_pure
from jaxsci._core.signature import Signature, parse_signature

__all__ = [
    "HostFunction",
    "PurityReport",
    "check_pure",
    "closed",
    "host_function",
    "missing",
    "real_linear",
]

Effects = Literal["none", "unordered", "ordered", "debug"]
_EFFECTS = ("none", "unordered", "ordered", "debug")
_COMPILED = ("_jitted", "_jitted_positional")
_VMAP_METHODS = ("sequential", "sequential_unrolled", "expand_dims", "broadcast_all")


class HostFunction(Function):
    """A function of arrays that runs on the host, callable from JAX. Made by `host_function`."""

    rules_are_trusted = False
    no_array_hint = "; an argument that is not one goes into static_argnames"

    def __init__(  # noqa: D107  (host_function documents the options)
        self,
        fn: Callable[..., Any],
        *,
        name: str,
        signature: Signature | None,
        argument_names: Sequence[str] | None,
        result_shape_dtypes: Any,
        dtype: Any,
        batched: bool,
        double: bool,
        sizes: Mapping[str, int],
        static_argnames: tuple[str, ...],
        effects: Effects,
        vmap_method: str | None,
        sharding: Any,
        quiet: bool = False,
        failures: tuple[type[Exception], ...] = (),
    ) -> None:
        self.__doc__ = fn.__doc__
        self.name = self.__name__ = name
        self.fn = fn
        self.signature = signature
        self.argument_names = argument_names
        self.effects: Effects = effects
        self._result_shape_dtypes = result_shape_dtypes
        self._dtype = dtype
        self._batched = batched
        self._double = double
        self._sizes = dict(sizes)
        self._static_argnames = static_argnames
        self._vmap_method = vmap_method
        self.sharding = sharding
        self._quiet = quiet
        self._failures = failures
        self._partials: tuple[elementwise_rules.Argument, ...] | None = None
        self._array_rule: array_rules.ForwardRule | array_rules.ReverseRule | None = None
        self._linear_rule: array_rules.LinearRule | None = None
        self._make_callable()

    def _make_callable(self) -> None:
        def traced(static: Any, types: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
            call, operands, unflatten = self._plan(static, args, kwargs)
            if self.effects == "none":
                results = bind(call, operands)
            else:
                results = side_effects.bind(call, operands, self.effects)
            if self.sharding is not None:
                results = [shardings.with_known_devices(y) for y in results]
            return unflatten(results)

        def of_positional(*args: Any) -> Any:
            return traced((), (), args, {})

        for function in (traced, of_positional):  # jaxprs and profiles show it
            function.__name__ = function.__qualname__ = self.name
        self._jitted = jax.jit(traced, static_argnums=(0, 1))
        # JAX is quickest with arguments that are arrays and nothing else.
        self._jitted_positional = jax.jit(of_positional)

    def __repr__(self) -> str:
        return f"<jaxsci host function {self.name}>"

    # Pickled, it is as many functions as it has rules: those that can be imported travel by name.

    def __getstate__(self) -> dict[str, Any]:
        return {k: v for k, v in self.__dict__.items() if k not in _COMPILED}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._make_callable()

    # -- calling ---------------------------------------------------------------------------------

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the function on JAX arrays; the results are JAX arrays."""
        args, kwargs, static = self.split_static(args, kwargs)
        try:
            hash(static)
        except TypeError as error:
            raise TypeError(f"{self.name}: static arguments must be hashable: {error}") from None
        return self.of_arrays(static, args, kwargs)

    def of_arrays(
        self, static: tuple[tuple[str, Any], ...], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any:
        """Call the function, its static arguments apart."""
        if not static and not kwargs:
            return self.of_positional(*args)
        types = tuple(type(value) for _, value in static)  # 1 == 1.0 == True
        try:
            return self._jitted(static, types, args, kwargs)
        except TypeError:
            self._refuse_what_is_no_array(args, kwargs)
            raise

    def of_positional(self, *args: Any) -> Any:
        """Call a function that has no static arguments, its arrays in their places."""
        try:
            return self._jitted_positional(*args)
        except TypeError:
            self._refuse_what_is_no_array(args, {})
            raise

    def _refuse_what_is_no_array(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """Say of which function and argument JAX's complaint is, if it is of an argument."""
        if self.argument_names is not None:
            named = dict(zip(self._names(len(args)), args, strict=True)) | kwargs
        else:
            named = {str(i): x for i, x in enumerate(args)} | kwargs
        for argument, value in named.items():
            for leaf in jax.tree.leaves(value):
                try:
                    jax.typeof(leaf)
                except TypeError:
                    raise self._not_an_array(argument, leaf) from None

    def _not_an_array(self, argument: str, value: Any) -> TypeError:
        kind = getattr(value, "dtype", None)
        found = type(value).__name__ if kind is None else f"an array of {kind}"
        hint = "; use jnp.asarray" if isinstance(value, list | tuple) else self.no_array_hint
        return TypeError(
            f"{self.name}: argument {argument!r} must be an array or a scalar, got {found}{hint}"
        )

    def split_static(
        self, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> tuple[tuple[Any, ...], dict[str, Any], tuple[tuple[str, Any], ...]]:
        """Static arguments apart, and keyword arrays in their places where a signature has any."""
        if not self._static_argnames and not kwargs:
            return args, kwargs, ()
        known = _parameters(self.fn)
        order = list(known.parameters) if known is not None else []
        static: dict[str, Any] = {}
        for name in self._static_argnames:
            if name in kwargs:
                static[name] = kwargs[name]
            elif name in order and order.index(name) < len(args):
                static[name] = args[order.index(name)]
            elif name in order:
                assert known is not None
                static[name] = known.parameters[name].default
                if static[name] is inspect.Parameter.empty:
                    raise TypeError(f"{self.name}() misses the static argument {name!r}")
        arrays = tuple(x for i, x in enumerate(args) if i >= len(order) or order[i] not in static)
        named = {k: v for k, v in kwargs.items() if k not in static}
        if self.signature is not None and named:
            arrays, named = self._in_order(arrays, named), {}
        return arrays, named, tuple(static.items())

    def _in_order(self, arrays: tuple[Any, ...], named: dict[str, Any]) -> tuple[Any, ...]:
        names = self.argument_names
        if names is None:
            raise TypeError(f"{self.name}: takes no keyword arguments, got {sorted(named)}")
        for key in named:
            if key not in names[len(arrays) :]:
                problem = "got several values for" if key in names else "has no"
                raise TypeError(f"{self.name}() {problem} argument {key!r}")
        return arrays + tuple(named[k] for k in names[len(arrays) :] if k in named)

    def _plan(
        self, static: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> tuple[Call, list[Any], Callable[[Sequence[Any]], Any]]:
        """The primitive's parameter and operands, and how to put the results together."""
        if self.signature is None:
            return self._plan_by_results(static, args, kwargs)
        arrays = self._arrays((*args, *kwargs.values()))
        arguments = self._names(len(arrays))
        cores = self.signature.inputs
        core_shapes = self.signature.core_shapes(
            [x.shape for x in arrays], self.core_sizes(static), self.name, arguments
        )
        common, weak_type = self._promoted(arrays)
        with promotions.ours():
            dtypes = self._result_dtypes(arrays, common)
        arrays = self.convert(arrays, common)
        results = tuple(Result(s, d) for s, d in zip(core_shapes, dtypes, strict=True))
        loop_shapes = [x.shape[: x.ndim - len(core)] for x, core in zip(arrays, cores, strict=True)]
        try:
            loop_ndim = len(jnp.broadcast_shapes(*loop_shapes))
        except ValueError:
            shapes = ", ".join(f"{a} {x.shape}" for a, x in zip(arguments, arrays, strict=True))
            raise ValueError(f"{self.name}: shapes do not broadcast: {shapes}") from None
        promotions.check_ranks(self.name, loop_shapes)
        operands = [
            jax.lax.expand_dims(x, range(loop_ndim - len(loop)))
            for x, loop in zip(arrays, loop_shapes, strict=True)
        ]
        call = Call(
            function=self,
            static=static,
            core_ndims=tuple(len(core) for core in cores),
            results=results,
            weak_type=self._dtype is None and weak_type,
            backend=dispatch.current_backend(),
            static_types=tuple(type(value) for _, value in static),
        )
        return call, operands, lambda ys: ys[0] if len(ys) == 1 else tuple(ys)

    def _plan_by_results(
        self, static: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> tuple[Call, list[Any], Callable[[Sequence[Any]], Any]]:
        leaves, in_tree = jax.tree.flatten((args, kwargs))
        operands = self._arrays(leaves)
        wanted = self._result_shape_dtypes
        if callable(wanted):
            types = [jax.ShapeDtypeStruct(x.shape, x.dtype) for x in operands]
            args, kwargs = jax.tree.unflatten(in_tree, types)
            wanted = wanted(*args, **kwargs, **dict(static))
        shapes, out_tree = jax.tree.flatten(wanted)
        call = Call(
            function=self,
            static=static,
            core_ndims=tuple(x.ndim for x in operands),
            results=tuple(Result(tuple(s.shape), _canonical(self.name, s.dtype)) for s in shapes),
            weak_type=False,
            backend=dispatch.current_backend(),
            static_types=tuple(type(value) for _, value in static),
            trees=(in_tree, out_tree),
        )
        return call, operands, lambda ys: jax.tree.unflatten(out_tree, ys)

    def _arrays(self, values: Sequence[Any]) -> list[Any]:
        if self.signature is not None and len(values) != len(self.signature.inputs):
            raise TypeError(
                f"{self.name}: takes {len(self.signature.inputs)} array arguments, got "
                f"{len(values)}"
            )
        arrays = []
        for argument, value in zip(self._names(len(values)), values, strict=True):
            if isinstance(value, list | tuple | dict) or value is None:
                raise self._not_an_array(argument, value)
            # A Python scalar keeps its weak type.
            array = value if isinstance(value, jax.Array) else jnp.asarray(value)
            if jnp.issubdtype(array.dtype, jax.dtypes.extended):  # the keys of jax.random
                raise self._not_an_array(argument, array)
            arrays.append(array)
        self.check(arrays)
        return arrays

    def _promoted(self, arrays: Sequence[Any]) -> tuple[np.dtype, bool]:
        """The dtype that results follow from, as the user lets arguments be promoted to one."""
        if self._dtype is not None:  # nothing follows from it
            return np.dtype(jnp.result_type(float)), False
        try:
            return promotion(arrays)
        except ValueError as error:  # JAX's TypePromotionError is one
            groups = self.promoted_together(arrays)
            if groups is None:
                raise type(error)(f"{self.name}: {error}") from None
        for group in groups:
            promotions.named(self.name, promotion, group)
        with promotions.ours():
            return promotion(arrays)

    def promoted_together(self, arrays: Sequence[Any]) -> Sequence[Sequence[Any]] | None:
        """The groups of arguments that the user's settings must let be promoted to one dtype.

        None stands for all of them in one group.
        """
        return None

    def core_sizes(self, static: tuple[tuple[str, Any], ...]) -> Mapping[str, int]:
        """Sizes of core dimensions that no argument has; static integers can name some."""
        whole = {
            k: int(v)
            for k, v in static
            if isinstance(v, int | np.integer) and not isinstance(v, bool)
        }
        return self._sizes | whole

    def check(self, arrays: Sequence[Any]) -> None:
        """Refuse dtypes that the arguments cannot have (catalog rows do)."""

    def convert(self, arrays: list[Any], common: np.dtype) -> list[Any]:
        """Bring the arguments to the dtypes that the host is given (catalog rows do)."""
        return arrays

    def _names(self, n: int) -> list[str]:
        names = list(self.argument_names or [])[:n]
        return names + [str(i) for i in range(len(names), n)]

    def names_of_leaves(self, call: Call) -> list[str]:
        """The names of a call's operands: of pytrees, where in them they stand."""
        if call.trees is None:
            return self._names(len(call.core_ndims))
        places = list(range(len(call.core_ndims)))
        args, kwargs = jax.tree.unflatten(call.trees[0], places)
        named = dict(zip(self._names(len(args)), args, strict=True)) | kwargs
        paths = {i: (*path,) for path, i in jax.tree_util.tree_leaves_with_path(named)}
        return [paths[i][0].key + jax.tree_util.keystr(paths[i][1:]) for i in places]

    def _result_dtypes(self, arrays: Sequence[Any], common: np.dtype) -> list[np.dtype]:
        assert self.signature is not None
        n = len(self.signature.outputs)
        wanted = self._dtype
        if wanted is None:
            wanted = common
        elif callable(wanted) and not isinstance(wanted, type):
            wanted = wanted(*(x.dtype for x in arrays))
        several = list(wanted) if isinstance(wanted, tuple | list) else [wanted] * n
        if len(several) != n:
            raise ValueError(f"{self.name}: {len(several)} dtypes for {n} results")
        return [_canonical(self.name, d) for d in several]

    # -- on the host -----------------------------------------------------------------------------

    def host_call(self, call: Call) -> callback_lowering.HostCall:
        """The function of NumPy arrays that compiled code calls."""

        def work(operands: Sequence[np.ndarray]) -> tuple[np.ndarray, ...]:
            loop = call.loop_shape(operands)
            if self._double:
                operands = [low_precision.widen(x) for x in operands]
            if self._quiet:
                with np.errstate(all="ignore"), host_thread.quiet_special_functions():
                    return self._evaluate(call, loop, operands)
            return self._evaluate(call, loop, operands)

        def run(*operands: np.ndarray) -> tuple[np.ndarray, ...]:
            arrays = [np.asarray(x) for x in operands]
            return host_thread.run_in_default_environment(lambda: work(arrays))

        return run

    def _evaluate(
        self, call: Call, loop: tuple[int, ...], operands: Sequence[np.ndarray]
    ) -> tuple[np.ndarray, ...]:
        if self._batched or (self._vmap_method == "expand_dims") or not loop:
            return self._one_call(call, loop, operands)
        n = len(loop)
        full = [np.broadcast_to(x, loop + x.shape[n:]) for x in operands]
        if self._vmap_method == "broadcast_all":
            return self._one_call(call, loop, full)
        slices = [self._one_call(call, (), [x[index] for x in full]) for index in np.ndindex(*loop)]
        return tuple(
            np.stack([ys[j] for ys in slices]).reshape(loop + result.core_shape)
            if slices
            else np.empty(loop + result.core_shape, result.dtype)
            for j, result in enumerate(call.results)
        )

    def _one_call(
        self, call: Call, loop: tuple[int, ...], operands: Sequence[np.ndarray]
    ) -> tuple[np.ndarray, ...]:
        static = dict(call.static)
        if call.trees is not None:
            args, kwargs = jax.tree.unflatten(call.trees[0], operands)
        else:
            if not self._batched:
                operands = [x[()] for x in operands]  # scalars rather than arrays of no dimension
            args, kwargs = self.as_called(operands, static)
            static = {}
        try:
            value = self._value(args, kwargs | static)
        except self._failures:
            value = tuple(no_result(loop + r.core_shape, r.dtype) for r in call.results)
        except Exception as error:
            raise RuntimeError(host_failures.described(self.name, error, (__file__,))) from error
        if self.effects == "debug":
            return ()
        if call.trees is not None:
            ys, tree = jax.tree.flatten(value)
            if tree != call.trees[1] and (ys or call.results):
                hint = host_failures.hint_of_list(value) if call.trees[1].num_nodes == 1 else ""
                raise RuntimeError(
                    f"the host function {self.name!r} returned {tree} where {call.trees[1]} was "
                    f"declared{hint}"
                )
        else:
            ys = list(value) if isinstance(value, tuple | list) else [value]
        if len(ys) != len(call.results):
            raise RuntimeError(host_failures.wrong_number(self.name, value, len(call.results)))
        return tuple(
            self._result(np.asarray(y), loop, r.core_shape, r.dtype)
            for y, r in zip(ys, call.results, strict=True)
        )

    def _value(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        try:
            if isinstance(self.fn, np.ufunc) and self.fn.signature is None and not kwargs:
                return chunks.evaluate(self.fn, args)
            return self.fn(*args, **kwargs)
        except scipy.special.SpecialFunctionError:
            if not isinstance(self.fn, np.ufunc):
                raise
            # Short of memory, the one error that raises by default: only that element is nan.
            with scipy.special.errstate(all="ignore"):
                return self.fn(*args, **kwargs)

    def as_called(
        self, operands: Sequence[Any], static: dict[str, Any]
    ) -> tuple[Sequence[Any], dict[str, Any]]:
        """The arguments by place and by name: static ones may stand anywhere among the arrays."""
        known = _parameters(self.fn)
        names = self.argument_names or []
        if known is None or len(names) < len(operands):
            return operands, static
        only_named = inspect.Parameter.KEYWORD_ONLY
        values = dict(zip(names, operands, strict=False)) | static
        args = []
        for parameter in known.parameters.values():
            if parameter.name not in values or parameter.kind is only_named:
                break
            args.append(values.pop(parameter.name))
        return args, values

    def _result(
        self, y: np.ndarray, loop: tuple[int, ...], core: tuple[int, ...], dtype: np.dtype
    ) -> np.ndarray:
        if y.dtype == object:  # of np.frompyfunc
            y = np.array(y.tolist()).reshape(y.shape)
        if y.dtype != dtype and _loses_values(y, dtype):
            raise RuntimeError(
                f"the host function {self.name!r} returned values of {y.dtype} that do not fit "
                f"the declared {dtype}; give it dtype="
            )
        if y.shape != loop + core:
            try:
                if y.ndim != len(loop + core) or y.shape[len(loop) :] != core:
                    raise ValueError
                y = np.broadcast_to(y, loop + core)  # it may ignore an argument that was batched
            except ValueError:
                raise RuntimeError(
                    f"the host function {self.name!r} returned shape {y.shape} where "
                    f"{loop + core} was declared"
                ) from None
        with np.errstate(all="ignore"):
            return low_precision.round_to(y, dtype)

    # -- as the primitive's function -------------------------------------------------------------

    def lower(self, ctx: Any, operands: Sequence[Any], call: Call) -> Sequence[Any]:
        """Lower to a call of the host function, or of the ufunc's own inner loop."""
        loop = self._native_loop(ctx, call)
        if loop is not None:
            assert isinstance(self.fn, np.ufunc)
            return _native.emit(ctx, operands, self.fn, loop, call)
        return callback_lowering.emit(ctx, operands, self.host_call(call), self.name, self.sharding)

    @property
    def shares_callbacks(self) -> bool:
        """Whether it is left to JAX which device makes the call."""
        return self.sharding is None

    @property
    def is_batchable(self) -> bool:
        """Whether it is known how the function is called under vmap."""
        return self.signature is not None or self._vmap_method is not None

    def _native_loop(self, ctx: Any, call: Call) -> str | None:
        """The type codes of the ufunc's loop, where compiled code can call it by itself."""
        possible = (
            call.backend == "ffi"
            and isinstance(self.fn, np.ufunc)
            and self.signature is not None
            and self.signature.elementwise
            and self.sharding is None
            and tuple(ctx.module_context.platforms) == ("cpu",)
            and all(_native.takes_shapes(a.ndim) for a in ctx.avals_in)
        )
        if not possible:
            return None
        assert isinstance(self.fn, np.ufunc)
        return _native.loop_for(
            self.fn,
            self._double,
            tuple(np.dtype(a.dtype) for a in ctx.avals_in),
            tuple(np.dtype(a.dtype) for a in ctx.avals_out),
        )

    def check_vmap(self) -> None:
        """A function of whole arrays must say how it is batched."""
        if not self.is_batchable:
            raise NotImplementedError(
                f"{self.name}: vmap of a host function with result_shape_dtypes needs "
                f"vmap_method, one of {', '.join(map(repr, _VMAP_METHODS))}; or describe it by a "
                "signature"
            )

    @property
    def rules(self) -> tuple[elementwise_rules.Argument, ...]:
        """The rules of an elementwise function, one for each argument."""
        assert self._partials is not None
        return self._partials

    def evaluate_with_tangents(
        self, call: Call, primals: Sequence[Any], tangents: Sequence[Any]
    ) -> tuple[Sequence[Any], Sequence[Any]] | None:
        """The results and their tangents by one call, where that saves callbacks."""
        if self._partials is None or self.sharding is not None:
            return None
        return fused_derivatives.evaluate_with_tangents(call, primals, tangents)

    def differentiate(
        self, call: Call, primals: Sequence[Any], tangents: Sequence[Any], results: Sequence[Any]
    ) -> Sequence[Any]:
        """The results' tangents, by whichever rule was attached."""
        if self._partials is not None:
            integers = frozenset(i for i, a in enumerate(self._partials) if a.integer)
            return elementwise_rules.elementwise_tangents(
                call,
                self._partials,
                functools.partial(
                    double_precision.partials_in_double, call, self.as_jax_function, integers
                ),
                primals,
                tangents,
                results,
            )
        if self._array_rule is not None:
            return self._array_rule.differentiate(call, primals, tangents, results)
        raise NotImplementedError(
            f"{self.name}: no derivative rule; attach one with .partials(...), .jvp(...) or "
            ".vjp(...), or stop the gradient with jax.lax.stop_gradient"
        )

    def as_jax_function(self, *args: Any, **static: Any) -> Any:
        """The function on arrays as they stand, whatever the Python signature is."""
        return self.of_arrays(tuple(static.items()), args, {})

    # -- derivative rules ------------------------------------------------------------------------

    def partials(
        self,
        *rules: Callable[..., Any] | elementwise_rules.Rule,
        **named: Callable[..., Any] | elementwise_rules.Rule,
    ) -> HostFunction:
        """Attach one derivative rule for each argument of an elementwise function.

        Args:
            *rules: a rule an argument, in order. A plain function is called as
                ``rule(y, *args, **static)`` with the value and the arguments, and returns the
                partial derivative (a tuple, one for each result); or see `closed`,
                `real_linear`, `missing`.
            **named: the same by argument name.

        Returns:
            This function.

        Raises:
            ValueError: the function has effects or is not elementwise, or has rules already.
            TypeError: the rules do not match the arguments.
        """
        self._refuse_rules_where_they_cannot_be("partials")
        if self.signature is None or any(self.signature.inputs):
            raise ValueError(
                f"{self.name}: partials are for functions of scalar arguments; use jvp or vjp"
            )
        names = self._names(len(self.signature.inputs))
        given = dict(zip(names, rules, strict=False)) | named
        if len(rules) + len(named) != len(names) or set(given) != set(names):
            raise TypeError(
                f"{self.name}: partials need one rule for each argument ({', '.join(names)}), "
                f"got {len(rules)} and {sorted(named)}"
            )
        self._partials = tuple(
            elementwise_rules.Argument(name, _as_rule(self.name, name, given[name]))
            for name in names
        )
        return self

    def jvp(self, rule: Callable[..., Any]) -> HostFunction:
        """Attach a forward-mode rule; reverse mode follows by transposing it.

        Args:
            rule: ``rule(result, primals, tangents)``, JAX operations on arrays of the signature's
                core shapes, linear in the tangents; returns the result's tangent (a tuple of them
                for several results; None for zero). Arguments that are not perturbed have zero
                tangents. Without a signature, ``result`` is a pytree as it was declared, and
                ``primals`` and ``tangents`` are tuples of pytrees, one for each argument, with
                a dict of the keyword arguments last if there are any.

        Returns:
            This function.
        """
        self._refuse_rules_where_they_cannot_be("jvp")
        self._array_rule = array_rules.ForwardRule(rule, self.rules_are_trusted)
        return self

    def vjp(self, rule: Callable[..., Any]) -> HostFunction:
        """Attach a reverse-mode rule, for a function that comes with its own.

        Args:
            rule: ``rule(result, primals, cotangent)``; returns a tuple of cotangents, one for each
                argument (None for zero), shaped as in `jvp`. Its operations are differentiated
                for second derivatives, so a host function in it needs a rule of its own.

        Returns:
            This function: grad, vjp and jacrev work; jvp, jacfwd and hessian raise.
        """
        self._refuse_rules_where_they_cannot_be("vjp")
        self._array_rule = array_rules.ReverseRule(rule)
        return self

    def linear_in(self, argument: str, transpose: Callable[..., Any]) -> HostFunction:
        """Say that the function is linear in one argument, and what its transpose is.

        Rules can then apply it to tangents. Its own rule (`jvp`) is needed besides.

        Args:
            argument: the argument's name.
            transpose: ``transpose(cotangent, *others)``, JAX operations on arrays of the
                signature's core shapes: the cotangent of the argument, from that of the result
                (a tuple of them for several results) and the other arguments, in order. As
                everywhere in JAX, it transposes without conjugation.

        Returns:
            This function.
        """
        if self.signature is None or self.effects != "none":
            raise ValueError(f"{self.name}: linear_in is for pure functions with a signature")
        names = self._names(len(self.signature.inputs))
        if argument not in names:
            raise TypeError(f"{self.name}: has no array argument {argument!r}")
        self._linear_rule = array_rules.LinearRule(names.index(argument), transpose)
        return self

    def transpose(
        self, call: Call, cotangents: Sequence[Any], operands: Sequence[Any]
    ) -> Sequence[Any]:
        """Cotangents of the argument in which the function is linear."""
        if self._linear_rule is None:
            raise NotImplementedError(
                f"{self.name}: applied to a tangent and differentiated in reverse, but not "
                "declared linear; see linear_in"
            )
        return self._linear_rule.transpose(call, cotangents, operands)

    def _refuse_rules_where_they_cannot_be(self, kind: str) -> None:
        if self.effects != "none":
            raise ValueError(
                f"{self.name}: a function with effects={self.effects!r} cannot have derivative "
                f"rules ({kind}); differentiate around it, or declare it effects='none'"
            )
        if self._partials is not None or self._array_rule is not None:
            raise ValueError(f"{self.name}: has derivative rules already")


def _as_rule(function: str, argument: str, rule: Any) -> elementwise_rules.Rule:
    if isinstance(rule, elementwise_rules.Rule):
        return rule
    if not callable(rule):
        raise TypeError(
            f"{function}: the rule for {argument!r} must be a function or missing('why'), "
            f"got {rule!r}"
        )
    return elementwise_rules.Closed("given by the user", rule)


_SINGLE = (
    inspect.Parameter.POSITIONAL_ONLY,
    inspect.Parameter.POSITIONAL_OR_KEYWORD,
    inspect.Parameter.KEYWORD_ONLY,
)


@functools.cache
def _parameters(fn: Callable[..., Any]) -> inspect.Signature | None:
    if isinstance(fn, np.ufunc):
        return None
    try:
        return inspect.signature(fn)
    except (TypeError, ValueError):
        return None


def no_result(shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
    """What stands for results that there are not: NaN, or -1 among integers."""
    if jnp.issubdtype(dtype, jnp.complexfloating):
        return np.full(shape, complex(np.nan, np.nan), dtype)
    if jnp.issubdtype(dtype, jnp.inexact):
        return np.full(shape, np.nan, dtype)
    return np.full(shape, -1 if dtype.kind == "i" else 0, dtype)


def _loses_values(y: np.ndarray, dtype: np.dtype) -> bool:
    """Whether values would lose more than precision: imaginary parts, fractions, high bits."""
    if y.dtype.kind not in "biufcV":  # V: the floats that NumPy does not know
        return True
    if y.dtype.kind == "c":
        return not jnp.issubdtype(dtype, jnp.complexfloating)
    if jnp.issubdtype(dtype, jnp.inexact):
        return False
    if dtype == np.bool_ or y.dtype.kind not in "biu":
        return y.dtype != np.bool_
    limits = jnp.iinfo(dtype)
    return bool(y.size) and (int(y.min()) < int(limits.min) or int(y.max()) > int(limits.max))


def _canonical(name: str, dtype: Any) -> np.dtype:
    if any(dtype is kind for kind in (bool, int, float, complex)):  # JAX's default of that kind
        return np.dtype(jnp.result_type(dtype))
    dtype = np.dtype(dtype)
    if jax.dtypes.canonicalize_dtype(dtype) != dtype:
        raise ValueError(
            f"{name}: {dtype} results need 64-bit types: jax.config.update('jax_enable_x64', True)"
        )
    return dtype


def promotion(arrays: Sequence[Any]) -> tuple[np.dtype, bool]:
    """JAX's promotion of the arguments to a floating or complex dtype, and whether it is weak."""
    if not arrays:
        return np.dtype(jnp.result_type(float)), False
    scalars = [jax.ShapeDtypeStruct((), x.dtype, weak_type=jax.typeof(x).weak_type) for x in arrays]

    # Which float an integer becomes is JAX's to say, and what is weak: its own operations know.
    def like_a_float(*xs: Any) -> Any:
        return jnp.sin(functools.reduce(operator.add, xs))

    out = jax.eval_shape(like_a_float, *scalars)
    return np.dtype(out.dtype), bool(out.weak_type)


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
    if vmap_method is not None and vmap_method not in _VMAP_METHODS:
        raise ValueError(f"{name}: vmap_method must be one of {_VMAP_METHODS}, got {vmap_method!r}")
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
    known = _parameters(fn)
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
    taken = [p for p in parameters if p.kind in _SINGLE]
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


def argument_names(fn: Callable[..., Any], static: Sequence[Hashable]) -> list[str] | None:
    """Names of a function's array arguments, where it says what they are."""
    parameters = _parameters(fn)
    if parameters is None:
        return None
    return [
        p.name for p in parameters.parameters.values() if p.kind in _SINGLE and p.name not in static
    ]
