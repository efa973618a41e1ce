"""What a value's type says of its sharding: varying manual axes, and explicit mesh axes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax
from jax.experimental.custom_partitioning import custom_partitioning
from jax.sharding import AxisType, NamedSharding, PartitionSpec

from jaxsci._core.jax_compat import (
    Primitive,
    ShapedArray,
    ad,
    batching,
    let_know_devices,
    mlir,
    varying_axes,
)


def as_varying_together(operands: Sequence[Any]) -> list[Any]:
    """Cast every operand to vary over each manual axis over which any of them varies.

    JAX's own primitives do the same before they are bound. The cast's transpose is the sum over
    the axis: without it the gradient in a replicated argument is one shard's share of it.
    """
    axes = [varying_axes(jax.typeof(x)) for x in operands]
    together = frozenset().union(*axes)
    return [
        jax.lax.pcast(x, tuple(sorted(together - own, key=str)), to="varying")
        if together - own
        else x
        for x, own in zip(operands, axes, strict=True)
    ]


def unvarying(avals: Sequence[ShapedArray]) -> list[Any]:
    """The same abstract values, varying over no manual axis.

    What is computed element by element, without talking to other devices, can be traced so:
    loops in it may start from constants, which vary over no axis.
    """
    return [
        ShapedArray(a.shape, a.dtype, a.weak_type, sharding=a.sharding) if varying_axes(a) else a
        for a in avals
    ]


def check_varying_alike(name: str, avals: Sequence[ShapedArray]) -> None:
    """Refuse operands that vary over different manual axes (see `as_varying_together`)."""
    if len({varying_axes(aval) for aval in avals}) > 1:
        raise ValueError(
            f"{name}: the arguments vary over different manual mesh axes: "
            f"{[sorted(map(str, varying_axes(a))) for a in avals]}"
        )


def _spec(aval: ShapedArray) -> tuple[Any, ...]:
    spec = tuple(aval.sharding.spec)
    return spec + (None,) * (aval.ndim - len(spec))


def explicit_mesh(avals: Sequence[ShapedArray]) -> Any:
    """The mesh of the first operand that has one with explicit axes, or None."""
    for aval in avals:
        mesh = getattr(getattr(aval, "sharding", None), "mesh", None)
        if mesh is not None and AxisType.Explicit in (getattr(mesh, "axis_types", None) or ()):
            return mesh
    return None


def sharded_like(x: Any, other: Any) -> Any:
    """The array, sharded as `other` is where the mesh has explicit axes."""
    if explicit_mesh([jax.typeof(other)]) is None:
        return x
    return jax.sharding.reshard(x, jax.typeof(other).sharding)


def joint_loop_spec(name: str, avals: Sequence[ShapedArray], loop_ndim: int) -> tuple[Any, ...]:
    """How the loop dimensions are sharded, all arguments taken together.

    Raises:
        ValueError: two arguments are sharded differently along the same dimension.
    """
    joint: list[Any] = [None] * loop_ndim
    for aval in avals:
        for i, axes in enumerate(_spec(aval)[:loop_ndim]):
            if axes is None or aval.shape[i] == 1:
                continue
            if joint[i] is not None and joint[i] != axes:
                raise ValueError(
                    f"{name}: arguments are sharded differently along dimension {i}: over "
                    f"{joint[i]!r} and over {axes!r}; reshard one of them with jax.sharding.reshard"
                )
            joint[i] = axes
    used = [
        a
        for axes in joint
        if axes is not None
        for a in (axes if isinstance(axes, tuple) else (axes,))
    ]
    if len(used) != len(set(used)):
        raise ValueError(
            f"{name}: the arguments' shardings use a mesh axis twice: {tuple(joint)}; reshard one "
            "of them with jax.sharding.reshard"
        )
    return tuple(joint)


def result_type(
    name: str,
    avals: Sequence[ShapedArray],
    loop_ndim: int | None,
    shape: tuple[int, ...],
    dtype: Any,
    weak_type: bool,
) -> Any:
    """The abstract value of a result: its sharding and manual axes follow from all arguments.

    Without loop dimensions (None) it is not sharded.
    """
    if not avals:
        return ShapedArray(shape, dtype, weak_type)
    known = loop_ndim is not None and explicit_mesh(avals) is not None
    spec = joint_loop_spec(name, avals, loop_ndim or 0) if known else ()
    mesh = next(
        (a.sharding.mesh for a in avals if not a.sharding.mesh.empty), avals[0].sharding.mesh
    )
    spec = PartitionSpec(*spec, *(None,) * (len(shape) - len(spec)))
    return avals[0].update(
        shape=shape, dtype=dtype, weak_type=weak_type, sharding=NamedSharding(mesh, spec)
    )


def over_explicit_shards(
    function: Any, name: str, avals: Sequence[ShapedArray], loop_ndim: int, out_ndims: Sequence[int]
) -> Any:
    """`function`, run on each device's own shard of the loop dimensions (core ones gathered)."""
    mesh = explicit_mesh(avals)
    joint = joint_loop_spec(name, avals, loop_ndim)

    def spec(aval: ShapedArray) -> PartitionSpec:
        loop = (s if aval.shape[i] != 1 else None for i, s in enumerate(joint))
        return PartitionSpec(*loop, *(None,) * (aval.ndim - loop_ndim))

    in_specs = tuple(spec(aval) for aval in avals)
    out_specs = tuple(PartitionSpec(*joint, *(None,) * (n - loop_ndim)) for n in out_ndims)
    explicit = {
        axis
        for axis, kind in zip(mesh.axis_names, mesh.axis_types, strict=True)
        if kind == AxisType.Explicit
    }

    def sharded(*operands: jax.Array) -> Any:
        placed = [
            jax.sharding.reshard(x, NamedSharding(mesh, s))
            for x, s in zip(operands, in_specs, strict=True)
        ]
        # Every shard computes its own part, and the results' specs say so: nothing to check.
        return jax.shard_map(
            function,
            mesh=mesh,
            in_specs=in_specs,
            out_specs=out_specs,
            axis_names=explicit,
            check_vma=False,
        )(*placed)

    return sharded


def over_known_shards(
    function: Callable[..., Any], name: str, operands: Sequence[jax.Array], loop_ndim: int
) -> Any:
    """``function(*operands)``, for each device's own shard where explicit axes say what that is.

    JAX operations need not say then how their results are sharded.
    """
    avals = [jax.typeof(x) for x in operands]
    if explicit_mesh(avals) is None or not any(joint_loop_spec(name, avals, loop_ndim)):
        return function(*operands)
    plain = [jax.ShapeDtypeStruct(a.shape, a.dtype) for a in avals]
    results, structure = jax.tree.flatten(jax.eval_shape(function, *plain))
    sharded = over_explicit_shards(
        lambda *xs: tuple(jax.tree.leaves(function(*xs))),
        name,
        avals,
        loop_ndim,
        [y.ndim for y in results],
    )
    return jax.tree.unflatten(structure, sharded(*operands))


def over_automatic_shards(
    function: Callable[..., Any], avals: Sequence[ShapedArray], out_ndims: Sequence[int]
) -> Callable[..., Any]:
    """An elementwise `function`, run on each device's own shard, as the compiler shards it."""
    ndim = avals[0].ndim
    # A dimension of size 1 broadcasts: it has a factor of its own, which is not sharded with the
    # others' one.
    factors = " ".join(f"d{i}" for i in range(ndim))
    operands = ", ".join(
        " ".join(f"one{k}_{i}" if n == 1 else f"d{i}" for i, n in enumerate(aval.shape))
        for k, aval in enumerate(avals)
    )
    rule = f"{operands} -> {', '.join([factors] * len(out_ndims))}"

    def partition(mesh: Any, arg_shapes: Any, result_shapes: Any) -> Any:
        spec = tuple(jax.tree.leaves(result_shapes)[0].sharding.spec)
        spec = spec + (None,) * (ndim - len(spec))

        def placed(shape: tuple[int, ...]) -> NamedSharding:
            return NamedSharding(
                mesh,
                PartitionSpec(*(None if n == 1 else s for n, s in zip(shape, spec, strict=True))),
            )

        whole = NamedSharding(mesh, PartitionSpec(*spec))
        return (
            mesh,
            function,
            (whole,) * len(out_ndims),
            tuple(placed(a.shape) for a in arg_shapes),
        )

    sharded = custom_partitioning(function)
    sharded.def_partition(partition=partition, sharding_rule=rule)
    return sharded


# -- programs that must know their devices ---------------------------------------------------------

known_devices_p = Primitive("jaxsci_known_devices")
known_devices_p.def_impl(lambda x: x)
known_devices_p.def_abstract_eval(lambda x: x)
mlir.register_lowering(known_devices_p, lambda ctx, x: [x])
ad.deflinear2(known_devices_p, lambda cotangent, _: [cotangent])
batching.defvectorized(known_devices_p)
let_know_devices(known_devices_p)


def with_known_devices(x: jax.Array) -> jax.Array:
    """The value; a program that it stands in knows its devices when it is lowered."""
    return known_devices_p.bind(x)
