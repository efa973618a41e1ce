"""Roots of equations, with derivatives of every order by the implicit function theorem.

The solver sees its arguments without tangents. Its result passes through a primitive that does
nothing to the value and carries the derivative as a rule, as host functions do: before JAX 0.12 a
rule kept by `jax.custom_jvp` (before 0.11.2, one by `jax.lax.custom_root`) gave wrong second
derivatives inside scan.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci._core import jet, promotion
from jaxsci._core.jax_compat import Primitive, ad, batching, eval_jaxpr, mlir
from jaxsci._core.lowering import sharding
from jaxsci._core.primitive import is_zero
from jaxsci._core.types import Arrays, PyTree, Tangent

Residual = Callable[..., Any]


class _Equation:
    """F(u, *operands) = 0, closed over nothing, and how it is solved for a step in u."""

    def __init__(self, residual: Residual, coupled: bool) -> None:
        self.residual = residual
        self.coupled = coupled

    def __repr__(self) -> str:
        return getattr(self.residual, "__name__", "F")

    def newton_step(
        self, u: jax.Array, operands: Sequence[jax.Array], value: jax.Array
    ) -> jax.Array:
        """(dF/du)^-1 value."""

        def of_u(x: jax.Array) -> jax.Array:
            return self.residual(x, *operands)

        if not self.coupled:
            return value / jax.jvp(of_u, (u,), (jnp.ones_like(u),))[1]
        n = u.size
        jacobian = jax.jacfwd(of_u, holomorphic=jnp.iscomplexobj(u))(u).reshape(n, n)
        return jnp.linalg.solve(jacobian, value.reshape(n)).reshape(u.shape)

    def batched(self, u_axis: Any, axes: Sequence[Any]) -> _Equation:
        """The equations of a batch, u's batch axis in front."""
        if self.coupled:
            return _BatchedSystem(self, tuple(axes))
        mapped = jax.vmap(self.residual, in_axes=(0, *axes))
        return _Equation(mapped, coupled=False)


class _BatchedSystem(_Equation):
    """A batch of coupled systems: the linear solves stay separate."""

    def __init__(self, one: _Equation, axes: tuple[Any, ...]) -> None:
        self._one, self._axes = one, axes
        super().__init__(jax.vmap(one.residual, in_axes=(0, *axes)), coupled=True)

    def newton_step(self, u: Any, operands: Sequence[Any], value: Any) -> jax.Array:
        def step(u: Any, value: Any, *operands: jax.Array) -> jax.Array:
            return self._one.newton_step(u, operands, value)

        return jax.vmap(step, in_axes=(0, 0, *self._axes))(u, value, *operands)

    def batched(self, u_axis: Any, axes: Sequence[Any]) -> _Equation:
        return _BatchedSystem(self, tuple(axes))


implicit_p = Primitive("jaxsci_root")


@implicit_p.def_impl
def _value(u: Any, *operands: jax.Array, equation: _Equation) -> Any:
    return u


@implicit_p.def_abstract_eval
def _type(u: Any, *operands: jax.Array, equation: _Equation) -> Any:
    return u.update(weak_type=False)


mlir.register_lowering(implicit_p, lambda ctx, u, *operands, equation: [u])


@promotion.by_our_rules
def _jvp(primals: Arrays, tangents: Sequence[Tangent], *, equation: _Equation) -> Any:
    root = implicit_p.bind(*primals, equation=equation)
    _, *operands = primals
    moved = [i for i, t in enumerate(tangents[1:]) if not is_zero(t)]
    if not moved:
        return root, ad.Zero(jax.typeof(root).to_tangent_aval())

    def of_moved(*values: Any) -> Any:
        mixed = list(operands)
        for i, value in zip(moved, values, strict=True):
            mixed[i] = value
        return equation.residual(root, *mixed)

    _, change = jax.jvp(
        of_moved, tuple(operands[i] for i in moved), tuple(tangents[1 + i] for i in moved)
    )
    return root, -equation.newton_step(root, operands, change)


ad.primitive_jvps[implicit_p] = _jvp


@promotion.by_our_rules
def _batch(values: Sequence[Any], axes: Sequence[Any], *, equation: _Equation) -> Any:
    u, *operands = values
    size = next(x.shape[a] for x, a in zip(values, axes, strict=True) if a is not None)
    unbatched = axes[0] is None
    u = jnp.broadcast_to(u, (size, *u.shape)) if unbatched else jnp.moveaxis(u, axes[0], 0)
    out = implicit_p.bind(u, *operands, equation=equation.batched(0, axes[1:]))
    return out, 0


batching.primitive_batchers[implicit_p] = _batch
jet.refuse(implicit_p, lambda equation: f"differentiable_root of {equation!r}")

_MOST_STEPS = 2500  # halving takes 2150 from the largest double to the smallest


@promotion.by_our_rules
def _bracketed_root(residual: Callable[[Any], Any], bracket: tuple[Any, Any]) -> jax.Array:
    """Chandrupatla's method (1997, Adv. Eng. Software 28, 145), elementwise.

    Inverse quadratic interpolation where it is safe, bisection otherwise. NaN where the residual
    does not change sign over the bracket, changes it at a pole, or is not a number.
    """
    a, b = bracket
    fa, fb = at_ends = residual(a), residual(b)
    tiny = jnp.finfo(b.dtype).tiny
    eps = jnp.finfo(b.dtype).eps

    def unfinished(state: PyTree) -> Any:
        step, a, b, _, fa, fb, _, _ = state
        return (step < _MOST_STEPS) & jnp.any(_open(a, b, fa, fb))

    def _open(a: Any, b: Any, fa: Any, fb: Any) -> Any:
        wide = jnp.abs(b - a) > 2 * eps * jnp.maximum(jnp.abs(a), jnp.abs(b)) + 4 * tiny
        return (fa * jnp.sign(fb) < 0) & wide & (fa != 0) & (fb != 0)

    def advance(state: PyTree) -> Any:
        step, a, b, c, fa, fb, fc, t = state
        live = _open(a, b, fa, fb)
        x = a + t * (b - a)
        # A step that is lost in rounding, or flushed to zero, would be tried for ever.
        x = jnp.where((x == a) | (x == b), a + 0.5 * (b - a), x)
        fx = residual(x)
        same = jnp.sign(fx) == jnp.sign(fa)
        c, fc = jnp.where(same, a, b), jnp.where(same, fa, fb)
        b, fb = jnp.where(same, b, a), jnp.where(same, fb, fa)
        a, fa = x, fx
        xi, phi = (a - b) / (c - b), (fa - fb) / (fc - fb)
        interpolate = (phi**2 < xi) & ((1 - phi) ** 2 < 1 - xi)
        t = fa / (fb - fa) * fc / (fb - fc) + (c - a) / (b - a) * fa / (fc - fa) * fb / (fc - fb)
        t = jnp.where(interpolate & jnp.isfinite(t), t, 0.5)
        nearest = eps * jnp.abs(jnp.where(jnp.abs(fa) < jnp.abs(fb), a, b)) / jnp.abs(b - a)
        nearest = jnp.where(jnp.isfinite(nearest), jnp.minimum(nearest, 0.5), 0.5)
        t = jnp.clip(t, nearest, 1 - nearest)
        new = (a, b, c, fa, fb, fc, t)
        old = state[1:]
        return (step + 1, *(jnp.where(live, n, o) for n, o in zip(new, old, strict=True)))

    half = jnp.full_like(fa, 0.5)
    state = (0, a, b, a, fa, fb, fa, half)
    _, a, b, _, fa, fb, _, _ = jax.lax.while_loop(unfinished, advance, state)
    best = jnp.where(jnp.abs(fa) <= jnp.abs(fb), a, b)
    found = (jnp.sign(fa) * jnp.sign(fb) <= 0) & jnp.isfinite(fa) & jnp.isfinite(fb)
    # A sign also changes at a pole. There the residual is larger than at the bracket's ends, and
    # than a little to the left and to the right.
    size = jnp.minimum(jnp.abs(fa), jnp.abs(fb))
    aside = 64 * (jnp.abs(b - a) + eps * jnp.abs(best) + tiny)
    pole = (
        (size > jnp.maximum(jnp.abs(at_ends[0]), jnp.abs(at_ends[1])))
        & (jnp.abs(residual(best - aside)) < size)
        & (jnp.abs(residual(best + aside)) < size)
    )
    return jnp.where(found & ~pole & ~_open(a, b, fa, fb), best, jnp.nan)


def differentiable_root(
    F: Residual,
    u0: Any,
    *args: Any,
    solver: Callable[..., Any] | None = None,
    coupled: bool = False,
) -> jax.Array:
    """A root u of F(u, *args) = 0, differentiable in `args` as often as F is.

    Derivatives follow from the implicit function theorem, du = -(dF/du)^-1 dF/dargs . dargs, at
    the root itself; the solver is never differentiated. They are right to every order, in
    forward and reverse mode, under vmap and inside scan, where `jax.lax.custom_root` before JAX
    0.11.2 is not.

    Outside of `jit` every call compiles the built-in solver's loop anew, which takes about a third
    of a second. So jit the function that calls this one, once, if it is called often.

    Args:
        F: the residual, of JAX operations. Elementwise in u: one equation for each element,
            whose other elements do not enter (unless `coupled`). It may close over JAX values;
            they are differentiated like `args`.
        u0: for the built-in solver a bracket ``(lo, hi)`` of floats or arrays, at whose ends F
            differs in sign; for a solver of one's own whatever it takes.
        *args: arrays, or pytrees of them, passed on to F.
        solver: ``solver(f, u0) -> u`` for f(u) = F(u, *args); any JAX operations, host functions
            included. Default: Chandrupatla's bracketing method, elementwise.
        coupled: whether the elements of u are coupled: F maps an array to one of its shape, and
            the derivative solves a linear system with the Jacobian dF/du.

    Returns:
        The root, an array. NaN where there is no convergence: no change of sign over the bracket,
        one at a pole, a residual that is not a number, or a solver that returns NaN. (Of several
        roots in a bracket it is one; a jump of F through zero counts as a root.)

    Raises:
        TypeError: u0 is not a pair, for the built-in solver; the solver returns no array.
        ValueError: F's result does not have u's shape.
    """
    if solver is None and (not isinstance(u0, tuple | list) or len(u0) != 2):
        raise TypeError(
            "differentiable_root: u0 must be a bracket (lo, hi) for the built-in solver"
        )
    leaves, tree = jax.tree.flatten(args)
    leaves = [jnp.asarray(x) for x in leaves]

    users = promotion.settings()

    def flat(u: jax.Array, *leaves: jax.Array) -> jax.Array:
        with promotion.under(users):
            return F(u, *jax.tree.unflatten(tree, leaves))

    def solve(*leaves: jax.Array) -> jax.Array:
        def f(u: jax.Array) -> jax.Array:
            return flat(u, *leaves)

        u = _solve_bracket(f, tuple(u0)) if solver is None else solver(f, u0)
        if not jax.tree_util.all_leaves([u]):
            raise TypeError(
                "differentiable_root: the solver must return one array, the root, got "
                f"{type(u).__name__}"
            )
        return u if jnp.issubdtype(jnp.result_type(u), jnp.inexact) else jnp.asarray(u, float)

    # Whatever F and the solver close over becomes an argument of the traced program, and has its
    # tangents taken off with the rest, before the solver sees it.
    program = jax.make_jaxpr(solve)(*leaves)
    still = jax.lax.stop_gradient
    u = jnp.asarray(eval_jaxpr(program.jaxpr, still(program.consts), *still(leaves))[0])

    closed = jax.make_jaxpr(flat)(u, *leaves)
    together = sharding.as_varying_together([u, *closed.consts, *leaves])[0]
    if together is not u:  # the root varies over all manual axes that anything in F varies over
        u = together
        closed = jax.make_jaxpr(flat)(u, *leaves)
    results: PyTree = closed.out_avals
    if [tuple(v.shape) for v in results] != [tuple(u.shape)]:
        raise ValueError(
            f"differentiable_root: F must return an array of u's shape {tuple(u.shape)}, got "
            f"{[tuple(v.shape) for v in results]}"
        )
    jaxpr, n = closed.jaxpr, len(closed.consts)

    def residual(u: jax.Array, *operands: jax.Array) -> jax.Array:
        return eval_jaxpr(jaxpr, operands[:n], u, *operands[n:])[0]

    return implicit_p.bind(u, *closed.consts, *leaves, equation=_Equation(residual, coupled))


@promotion.by_our_rules
def _solve_bracket(residual: Callable[[Any], Any], bracket: tuple[Any, Any]) -> jax.Array:
    lo, hi = (jnp.asarray(x) for x in bracket)
    dtype = jnp.result_type(lo, hi, float)
    lo, hi = lo.astype(dtype), hi.astype(dtype)
    out = jax.eval_shape(residual, lo)
    shape = jnp.broadcast_shapes(lo.shape, hi.shape, out.shape)
    dtype = jnp.result_type(dtype, out.dtype)
    lo, hi = (jnp.broadcast_to(x, shape).astype(dtype) for x in (lo, hi))
    probe = residual(lo)
    # Elements that vary over a manual axis, or are sharded, through F's arguments, must do so from
    # the start.
    lo, hi, _ = sharding.as_varying_together([lo, hi, probe])
    lo, hi = (sharding.sharded_like(x, probe) for x in (lo, hi))
    return _bracketed_root(lambda u: residual(u).astype(dtype), (lo, hi))
