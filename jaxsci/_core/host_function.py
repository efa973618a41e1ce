"""Host functions: how they are called from JAX, and how derivative rules are attached to them."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jaxsci import _native
from jaxsci._core import (
    array_rules,
    choice,
    dispatch,
    double_precision,
    elementwise_rules,
    fused_derivatives,
)
from jaxsci._core import effects as side_effects
from jaxsci._core import promotion as promotions
from jaxsci._core.function import Call, Result
from jaxsci._core.host_evaluation import Effects, HostEvaluation, parameters_of
from jaxsci._core.jax_compat import shaped
from jaxsci._core.lowering import callback as callback_lowering
from jaxsci._core.lowering import sharding as shardings
from jaxsci._core.primitive import bind
from jaxsci._core.signature import Signature
from jaxsci._core.types import Arrays, IrValue, LoweringContext, Tangent

VMAP_METHODS = ("sequential", "sequential_unrolled", "expand_dims", "broadcast_all")
_COMPILED = ("_jitted", "_jitted_positional")


class HostFunction(HostEvaluation):
    """A function of arrays that runs on the host, callable from JAX. Made by `host_function`."""

    rules_are_trusted = False
    no_array_hint = "; an argument that is not one goes into static_argnames"

    def __init__(
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
        self.name = name
        self.__name__: str = name
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
        except (TypeError, ValueError, OverflowError) as error:
            self._complain(error, args, kwargs)
            raise

    def of_positional(self, *args: Any) -> Any:
        """Call a function that has no static arguments, its arrays in their places."""
        try:
            return self._jitted_positional(*args)
        except (TypeError, ValueError, OverflowError) as error:
            self._complain(error, args, {})
            raise

    def _complain(self, error: Exception, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """Say of which function and argument JAX's complaint is, if it is of an argument."""
        if str(error).startswith(self.name):
            return
        if self.argument_names is not None:
            named = dict(zip(self._names(len(args)), args, strict=True)) | kwargs
        else:
            named = {str(i): x for i, x in enumerate(args)} | kwargs
        for argument, value in named.items():
            for leaf in jax.tree.leaves(value):
                promotions.check_size(self.name, argument, leaf)
                if not promotions.is_array(leaf):
                    raise self._not_an_array(argument, leaf) from None
        if isinstance(error, jax.dtypes.TypePromotionError):
            raise type(error)(f"{self.name}: {error}") from None

    def _not_an_array(self, argument: str, value: Any) -> TypeError:
        kind = getattr(value, "dtype", None)
        found = type(value).__name__ if kind is None else f"an array of {kind}"
        hint = (
            f"; pass jnp.asarray({argument})"
            if isinstance(value, list | tuple)
            else self.no_array_hint
        )
        return TypeError(
            f"{self.name}: argument {argument!r} must be an array or a scalar, got {found}{hint}"
        )

    def split_static(
        self, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> tuple[tuple[Any, ...], dict[str, Any], tuple[tuple[str, Any], ...]]:
        """Static arguments apart, and keyword arrays in their places where a signature has any."""
        if not self._static_argnames and not kwargs:
            return args, kwargs, ()
        known = parameters_of(self.fn)
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
            choice=choice.current(),
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

        def result(declared: Any) -> Result:
            return Result(tuple(declared.shape), promotions.canonical(self.name, declared.dtype))

        call = Call(
            function=self,
            static=static,
            core_ndims=tuple(x.ndim for x in operands),
            results=tuple(result(s) for s in shapes),
            weak_type=False,
            choice=choice.current(),
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
            return promotions.to_floating(arrays)
        except ValueError as error:  # JAX's TypePromotionError is one
            groups = self.promoted_together(arrays)
            if groups is None:
                raise type(error)(f"{self.name}: {error}") from None
        for group in groups:
            promotions.named(self.name, promotions.to_floating, group)
        with promotions.ours():
            return promotions.to_floating(arrays)

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
        return [promotions.canonical(self.name, d) for d in several]

    # -- as the primitive's function -------------------------------------------------------------

    def lower(
        self, ctx: LoweringContext, operands: Sequence[IrValue], call: Call
    ) -> Sequence[IrValue]:
        """Lower to a call of the host function, or of the ufunc's own inner loop."""
        loop = self._native_loop(ctx, call)
        if loop is not None:
            assert isinstance(self.fn, np.ufunc)
            return _native.emit(ctx, operands, self.fn, loop, call)
        if call.choice.backend == dispatch.AUTOMATIC and isinstance(self.fn, np.ufunc):
            dispatch.tell_of_absence(tuple(ctx.module_context.platforms))
        return callback_lowering.emit(ctx, operands, self.host_call(call), self.name, self.sharding)

    def is_native(self, ctx: LoweringContext, call: Call) -> bool:
        """Whether there is an inner loop that compiled code can call."""
        return self._native_loop(ctx, call) is not None

    @property
    def shares_callbacks(self) -> bool:
        """Whether it is left to JAX which device makes the call."""
        return self.sharding is None

    @property
    def is_batchable(self) -> bool:
        """Whether it is known how the function is called under vmap."""
        return self.signature is not None or self._vmap_method is not None

    def _native_loop(self, ctx: LoweringContext, call: Call) -> str | None:
        """The type codes of the ufunc's loop, where compiled code can call it by itself."""
        possible = (
            dispatch.runs_natively(call.choice.backend, ctx.module_context.platforms)
            and isinstance(self.fn, np.ufunc)
            and self.signature is not None
            and self.signature.elementwise
            and self.sharding is None
            and all(_native.takes_shapes(a.ndim) for a in shaped(ctx.avals_in))
        )
        if not possible:
            return None
        assert isinstance(self.fn, np.ufunc)
        return _native.loop_for(
            self.fn,
            self._double,
            tuple(np.dtype(a.dtype) for a in shaped(ctx.avals_in)),
            tuple(np.dtype(a.dtype) for a in shaped(ctx.avals_out)),
        )

    def check_vmap(self) -> None:
        """A function of whole arrays must say how it is batched."""
        if not self.is_batchable:
            raise NotImplementedError(
                f"{self.name}: vmap of a host function with result_shape_dtypes needs "
                f"vmap_method, one of {', '.join(map(repr, VMAP_METHODS))}; or describe it by a "
                "signature"
            )

    @property
    def rules(self) -> tuple[elementwise_rules.Argument, ...]:
        """The rules of an elementwise function, one for each argument."""
        assert self._partials is not None
        return self._partials

    def evaluate_with_tangents(
        self, call: Call, primals: Arrays, tangents: Sequence[Tangent]
    ) -> tuple[Sequence[Any], Sequence[Any]] | None:
        """The results and their tangents by one call, where that saves callbacks."""
        if self._partials is None or self.sharding is not None:
            return None
        return fused_derivatives.evaluate_with_tangents(call, primals, tangents)

    def differentiate(
        self, call: Call, primals: Arrays, tangents: Sequence[Tangent], results: Arrays
    ) -> Sequence[Any]:
        """The results' tangents, by whichever rule was attached."""
        if self._partials is not None:
            integers = frozenset(i for i, a in enumerate(self._partials) if a.keeps_integers)
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
        self, call: Call, cotangents: Sequence[Tangent], operands: Sequence[Any]
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
