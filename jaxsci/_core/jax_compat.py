"""JAX's extension interface, and what else of JAX may change with any of its releases.

Primitives, their rules and their lowering come from `jax.extend` and `jax.interpreters`, for which
JAX makes no promises. Nothing else in this package imports from there. What one version has and
another lacks is looked for here, by itself and not by the version's number, and where it is missing
the functions below say what happens instead.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import jax
import jax.ffi


def _unsupported(missing: ImportError) -> ImportError:
    try:
        wanted = next(r for r in metadata.requires("jaxsci") or () if re.match(r"jax\b", r))
    except (metadata.PackageNotFoundError, StopIteration):
        wanted = "another version"
    return ImportError(f"jaxsci needs {wanted}, and found JAX {jax.__version__}: {missing}")


try:
    from jax.core import ShapedArray, Tracer, eval_jaxpr
    from jax.extend.core import Jaxpr, Literal, Primitive
    from jax.interpreters import ad, batching, mlir
except ImportError as error:
    raise _unsupported(error) from error

if TYPE_CHECKING:  # what only annotations name
    from jax.core import AbstractValue
    from jax.extend.core import JaxprEqn as JaxprEqn
    from jax.extend.mlir.ir import Value as IrValue  # noqa: F401

__all__ = [
    "Jaxpr",
    "Literal",
    "Primitive",
    "ShapedArray",
    "Tracer",
    "ad",
    "automatic_axes",
    "batching",
    "device_assignment",
    "devices_of_program",
    "eval_jaxpr",
    "ffi_api_version",
    "in_shard_map",
    "let_know_devices",
    "manual_axes",
    "mlir",
    "partitioned_by_shardy",
    "set_checkpoint_rule",
    "set_dead_code_rule",
    "set_for_all_threads",
    "set_jet_rule",
    "set_nan_check",
    "shaped",
    "varying_axes",
]


# -- what is chosen --------------------------------------------------------------------------------


def set_for_all_threads(context: Any, value: Any) -> None:
    """Change the value that a context of `jax.make_user_context` has outside of `with` blocks.

    Args:
        context: it.
        value: the new one.

    Raises:
        NotImplementedError: this JAX has no way to.
    """
    of_context = getattr(context, "set_global", None)
    if of_context is None:  # JAX 0.10.0 has it below
        of_context = getattr(getattr(context, "_obj", None), "set_global", None)
    if of_context is None:
        raise NotImplementedError(
            f"JAX {jax.__version__} cannot set a backend for all threads: "
            "choose it by `with jaxsci.use_backend(...)`"
        )
    of_context(value)


# -- rules that JAX may not ask for ----------------------------------------------------------------

try:
    from jax.interpreters.partial_eval import dce_rules as _dead_code_rules
except ImportError:
    _dead_code_rules: dict[Primitive, Any] = {}

try:
    from jax.interpreters.partial_eval import partial_eval_jaxpr_custom_rules as _checkpoint_rules
except ImportError:
    _checkpoint_rules: dict[Primitive, Any] = {}

try:
    from jax.experimental.jet import jet_rules as _jet_rules
except ImportError:  # experimental: it may go, and then there is nothing to be told
    _jet_rules: dict[Primitive, Any] = {}


try:
    # Private, and the only way to be told of by `jax.experimental.checkify`.
    from jax._src.checkify import error_checks as _error_checks
    from jax._src.checkify import nan_error_check as _nan_error_check
except ImportError:
    _error_checks: dict[Primitive, Any] = {}
    _nan_error_check: Any = None


class _Named:
    """A primitive by the name of the function that it stands for."""

    def __init__(self, primitive: Primitive, name: str):
        self.bind, self.multiple_results = primitive.bind, primitive.multiple_results
        self.name = name


def set_nan_check(primitive: Primitive, name: Callable[..., str]) -> None:
    """Let `checkify` with ``nan_checks`` look at the results of an equation.

    Where JAX does not ask, a NaN that the equation makes is not found there.

    Args:
        primitive: the equation's.
        name: takes its parameters; what to call the function in the message.
    """

    def rule(*given: Any, **params: Any) -> Any:
        return _nan_error_check(_Named(primitive, name(**params)), *given, **params)

    _error_checks[primitive] = rule


def set_dead_code_rule(
    primitive: Primitive, rule: Callable[[Sequence[bool], Any], tuple[list[bool], Any]]
) -> None:
    """Say what is left of an equation of which only some results are used.

    Where JAX does not ask, results that nobody uses are evaluated.

    Args:
        primitive: the equation's.
        rule: ``rule(used, equation)``: which operands are needed, and the equation to keep.
    """

    # JAX 0.12 says between the two which operands are live.
    def among_others(used: Sequence[bool], *others: Any) -> tuple[list[bool], Any]:
        return rule(used, others[-1])

    _dead_code_rules[primitive] = among_others


def set_jet_rule(primitive: Primitive, rule: Callable[..., Any]) -> None:
    """Say what `jax.experimental.jet` makes of an equation.

    Args:
        primitive: the equation's.
        rule: ``rule(primals, series, **parameters)``.
    """
    _jet_rules[primitive] = rule


def set_checkpoint_rule(primitive: Primitive, rule: Callable[..., Any]) -> None:
    """Say what becomes of an equation under `jax.checkpoint`.

    Where JAX does not ask, its own default serves: the equation is kept as any other is.

    Args:
        primitive: the equation's.
        rule: ``rule(saveable, unknown, kept, equation)``, with five results.
    """

    def among_others(
        saveable: Callable[..., Any], unknown: Sequence[bool], kept: Sequence[bool], *others: Any
    ) -> Any:
        return rule(saveable, unknown, kept, others[-1])

    _checkpoint_rules[primitive] = among_others


# -- devices, and mesh axes ------------------------------------------------------------------------

try:
    # The one private name.
    from jax._src.dispatch import prim_requires_devices_during_lowering as _know_their_devices
except ImportError:
    _know_their_devices: set[Primitive] = set()


def let_know_devices(primitive: Primitive) -> None:
    """Let programs that this primitive stands in know their devices when they are lowered.

    Where that cannot be, `device_assignment` is None: ``sharding=`` is refused, and arrays on
    automatic meshes are gathered for a call.
    """
    _know_their_devices.add(primitive)


def shaped(types: Sequence[AbstractValue]) -> Sequence[ShapedArray]:
    """Abstract values of arrays, as a type checker cannot know them to be."""
    return cast("Sequence[ShapedArray]", types)


def device_assignment(ctx: mlir.LoweringRuleContext) -> Sequence[Any] | None:
    """The devices of the program that is lowered, in order; None where they are not known."""
    return getattr(ctx.module_context.axis_context, "device_assignment", None)


def devices_of_program(ctx: mlir.LoweringRuleContext) -> int:
    """How many devices a program is partitioned over automatically (1: nothing to decide)."""
    if in_shard_map(ctx):
        return 1
    return getattr(ctx.module_context.axis_context, "num_devices", 1)


def in_shard_map(ctx: mlir.LoweringRuleContext) -> bool:
    """Whether what is lowered stands in a shard_map (or pmap), so is one device's part."""
    return not hasattr(ctx.module_context.axis_context, "num_devices")


def automatic_axes(ctx: mlir.LoweringRuleContext) -> tuple[Any, ...]:
    """The mesh axes that a partly manual shard_map leaves to the compiler."""
    axis_context: Any = ctx.module_context.axis_context
    manual = getattr(axis_context, "manual_axes", None)
    if manual is None:
        return ()
    # In a shard_map within another one JAX 0.10.0 names the inner one's axes alone; the arguments'
    # types know of all.
    known = set(manual).union(*map(manual_axes, shaped(ctx.avals_in)))
    return tuple(a for a in axis_context.mesh.axis_names if a not in known)


def partitioned_by_shardy() -> bool:
    """Whether Shardy partitions programs, and not its predecessor, which cannot be told how."""
    return getattr(jax.config, "jax_use_shardy_partitioner", True)


def manual_axes(aval: ShapedArray) -> frozenset[Any]:
    """The axes of a value's mesh that are manual where it stands, as its type has it."""
    mesh = getattr(getattr(aval, "sharding", None), "mesh", None)
    return frozenset(getattr(mesh, "manual_axes", None) or ())


def varying_axes(aval: ShapedArray) -> frozenset[Any]:
    """The manual mesh axes (inside shard_map) over which a value is known to vary."""
    for attribute in ("manual_axis_type", "mat"):
        if hasattr(aval, attribute):
            return frozenset(getattr(aval, attribute).varying)
    return frozenset(getattr(aval, "vma", ()))


# -- calls from compiled code ----------------------------------------------------------------------


def ffi_api_version() -> tuple[int, int] | None:
    """The version, (major, minor), of the interface by which XLA calls handlers of this process.

    None where JAX's installation does not tell.
    """
    header = Path(jax.ffi.include_dir()) / "xla" / "ffi" / "api" / "c_api.h"
    try:
        text = header.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    found = [
        re.search(rf"^#define XLA_FFI_API_{part}\s+(\d+)\s*$", text, re.MULTILINE)
        for part in ("MAJOR", "MINOR")
    ]
    major, minor = (int(match[1]) if match else None for match in found)
    return None if major is None or minor is None else (major, minor)
