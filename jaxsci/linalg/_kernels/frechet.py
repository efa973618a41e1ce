"""Primary matrix functions on the host, with one derivative rule for all of them.

Let f be such a function, such as log. Its derivative at A along E, the Fréchet derivative L(A; E),
is a block of f of a larger matrix (R. Mathias, SIAM J. Matrix Anal. Appl. 17 (1996) 610):

    f([[A, E], [0, A]]) = [[f(A), L(A; E)], [0, f(A)]].

So it is computed as f is, and is linear in E. It is differentiated by the same identity, with
everything twice as large:

    dL(A; E) = L(A; dE) + [L([[A, E], [0, A]]; [[dA, 0], [0, dA]])]_12,

and transposed (not conjugated) it is L(A^T; .). Derivatives of any order follow.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jaxsci._core.host_function import HostFunction
from jaxsci._core.types import Arrays, Tangents
from jaxsci.linalg._infra.blas import one_thread_for
from jaxsci.linalg._infra.host import stack_host
from jaxsci.linalg._infra.lapack import Stack
from jaxsci.linalg._kernels.to_triangular import schur


def through_schur(
    kernel: Callable[[Stack], Stack], has_cut: bool
) -> tuple[Callable[[Stack], Stack], Callable[[Stack, Stack], Stack]]:
    """F and L as functions of stacks, from f of complex upper triangular matrices.

    Real matrices have real results, NaN where the eigenvalues do not allow it.

    Args:
        kernel: f of a stack of complex upper triangular matrices.
        has_cut: whether f(x) is complex for negative x.
    """

    def back(x: Stack, t: Stack, q: Stack, real: bool) -> Stack:
        y = q @ x @ q.conj().swapaxes(-1, -2)
        if not real:
            return y
        if has_cut:
            eigenvalues = np.diagonal(t, axis1=-2, axis2=-1)
            on_cut = ((np.real(eigenvalues) < 0) & (np.imag(eigenvalues) == 0)).any(axis=-1)
            y[np.broadcast_to(on_cut, len(y))] = np.nan
        return np.real(y)

    def of_triangular(t: Stack) -> Stack:
        with one_thread_for(
            t.shape[-1]
        ):  # it works in small blocks, for which BLAS's threads only wait
            return kernel(t)

    def function(a: Stack) -> Stack:
        t, q = schur(a)
        return back(of_triangular(t), t, q, not np.iscomplexobj(a))

    def differential(a: Stack, e: Stack) -> Stack:
        # With a in Schur form, the matrix of blocks is triangular as it stands.
        t, q = schur(a)
        n = a.shape[-1]
        g = q.conj().swapaxes(-1, -2) @ e @ q
        scale = _power_of_two(_size(g), _size(t))
        blocks = np.zeros((max(len(a), len(e)), 2 * n, 2 * n), complex)
        blocks[:, :n, :n] = blocks[:, n:, n:] = t
        blocks[:, :n, n:] = g / scale
        real = not (np.iscomplexobj(a) or np.iscomplexobj(e))
        return back(of_triangular(blocks)[:, :n, n:] * scale, t, q, real)

    return function, differential


def _size(x: Stack) -> np.ndarray:
    return np.max(np.abs(x), axis=(-2, -1), keepdims=True, initial=0.0)


def _power_of_two(e: Any, a: Any, xp: Any = np) -> Any:
    """What to divide E by, so that it does not matter in [[A, E], [0, A]] how large E is."""
    ratio = xp.where((e > 0) & (a > 0), e, 1.0) / xp.where((e > 0) & (a > 0), a, 1.0)
    return xp.exp2(xp.round(xp.log2(ratio)))


def block(a: Any, e: Any) -> jax.Array:
    """The matrix [[a, e], [0, a]]."""
    return jnp.block([[a, e], [jnp.zeros_like(a), a]])


def differentiate(function: HostFunction, differential: HostFunction) -> HostFunction:
    """Attach the rules: `differential(a, e)` is the derivative of `function` at a along e."""

    def second(_: Any, primals: Arrays, tangents: Tangents) -> Any:
        a, e = primals
        da, de = tangents
        n = a.shape[-1]
        sizes = [jnp.max(jnp.abs(x), initial=0.0) for x in (e, a)]
        scale = jax.lax.stop_gradient(_power_of_two(*sizes, xp=jnp)).astype(a.dtype)
        along_a = differential(block(a, e / scale), block(da, jnp.zeros_like(da)))
        return differential(a, de) + scale * along_a[:n, n:]

    differential.jvp(second)
    differential.linear_in("e", lambda ct, a: differential(a.T, ct))
    return function.jvp(lambda _, primals, tangents: differential(primals[0], tangents[0]))


def primary(name: str, kernel: Callable[[Stack], Stack], *, has_cut: bool) -> HostFunction:
    """The primary matrix function of matrices, shape (..., n, n), from that of triangular ones.

    See `through_schur`.
    """
    f, derivative = through_schur(kernel, has_cut)
    return differentiate(
        stack_host("(n,n)->(n,n)", name=name)(f),
        stack_host("(n,n),(n,n)->(n,n)", name=f"{name}'s derivative")(derivative),
    )
