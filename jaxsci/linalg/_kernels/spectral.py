"""What all eigenvalue problems of Hermitian matrices share: the rule.

With A V = B V W and V^H B V = I, and M = V^H (dA - w dB) V taken column by column:

    dw_i = M_ii,    dV = V C,    C_ji = M_ji / (w_i - w_j),    C_ii = -(V^H dB V)_ii / 2.

Inside a cluster of eigenvalues that are equal to rounding, C is -V^H dB V / 2 too: the vectors do
not turn within the cluster. What then holds, and what cannot:

- smooth symmetric functions of the cluster's eigenvalues, such as sums, have their derivative;
- so have the projector V_c V_c^H onto the cluster, and what depends on V_c through it alone;
- V f(w) V^H has not: its derivative holds the block f'(w) V_c^H dA V_c, of which the tangents of w
  and V hold the diagonal alone. No choice of C mends it, as f(w) V_c V_c^H has the same values and
  another derivative. So where vectors are asked for, the tangents of repeated eigenvalues are NaN,
  rather than V f(w) V^H be silently wrong; projectors do not depend on them. Backwards it is seen
  whether vectors were used at all: if not, the eigenvalues' cotangents pass (see _either).

Second derivatives need more than these tangents. They are NaN where eigenvalues are repeated.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jaxsci.linalg._infra.arguments import adjoint
from jaxsci.linalg._infra.two_rules import either


def pair_dtypes(*dtypes: np.dtype) -> tuple[np.dtype, np.dtype]:
    """The dtypes of (real) eigenvalues and of vectors."""
    common = jnp.result_type(*dtypes)
    return np.dtype(jnp.finfo(common).dtype), np.dtype(common)


def repeated(gap: jax.Array, scale: jax.Array | float, n: int) -> jax.Array:
    """Where a difference of two eigenvalues is none but for rounding.

    They are computed in double precision, and rounded once.
    """
    eps = 2 * float(jnp.finfo(gap.dtype).eps) + (8 + 2 * n) * float(jnp.finfo(jnp.float64).eps)
    return jnp.abs(gap) <= eps * scale


def once(where: jax.Array, w: jax.Array) -> jax.Array:
    """One: a factor for first derivatives that makes second ones NaN, where so marked."""
    return jnp.sqrt(jnp.where(where, 0 * jnp.real(w), 1)) + where


def tangents(
    w: jax.Array,
    v: jax.Array,
    spectrum: jax.Array,
    basis: jax.Array,
    form: Callable[[jax.Array, jax.Array, jax.Array, jax.Array], jax.Array],
    metric: Callable[[jax.Array, jax.Array], jax.Array] | None = None,
    *,
    vectors: bool,
) -> tuple[jax.Array, jax.Array]:
    """The tangents of some eigenvalues w and their vectors v.

    Args:
        w: k eigenvalues; NaN in places that are not filled.
        v: their vectors, shape (n, k).
        spectrum: all n eigenvalues.
        basis: all vectors, shape (n, n).
        form: (x, of x, v, w) -> x^H (dA - w dB) v, for vectors x with eigenvalues `of x`.
        metric: (x, v) -> x^H dB v; None where B is the identity.
        vectors: whether both tangents are wanted, or that of w alone.
    """
    n, k = v.shape
    if n == 0 or k == 0:
        return jnp.zeros_like(w), jnp.zeros_like(v)
    empty = jnp.isnan(w) & ~jnp.isnan(spectrum[0])
    w, v = jnp.where(empty, 0, w), jnp.where(empty, 0, v)
    gap = w - spectrum[:, None]
    same = repeated(gap, jnp.max(jnp.abs(spectrum)), n)
    several = jnp.sum(same, axis=0) > 1
    factor = once(several, w)
    dw = jnp.real(jnp.diagonal(form(v, w, v, w)))
    inside = 0.0 if metric is None else -metric(basis, v) / 2
    c = jnp.where(same, inside, form(basis, spectrum, v, w) / jnp.where(same, 1, gap))
    dw, dv = jnp.where(empty, 0, factor * dw), jnp.where(empty, 0, basis @ (factor * c))
    if vectors:
        dw, (dv,) = either(dw, [dv], several & ~empty)
    return dw, dv


def standard_form(da: Any) -> Callable[..., jax.Array]:
    """The form of A V = V W."""
    return lambda x, _, v, __: adjoint(x) @ (da @ v)


def padded(found: np.ndarray, k: int) -> Any:
    """Eigenvalues (and vectors) in k places: NaN in those that are left; None if they are more."""
    several = found if isinstance(found, tuple) else (found,)
    count = several[0].shape[-1]
    if count > k:
        return None
    filled = [np.full((*x.shape[:-1], k), np.nan, x.dtype) for x in several]
    for place, x in zip(filled, several, strict=True):
        place[..., :count] = x
    return tuple(filled) if isinstance(found, tuple) else filled[0]
