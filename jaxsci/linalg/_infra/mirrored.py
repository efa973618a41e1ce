"""Matrices of which LAPACK reads one triangle: their values, and what derivatives see of them.

The value is the Hermitian (or symmetric) matrix that the triangle defines. Derivatives are JAX's:
those of `jax.numpy.linalg.eigh` and `cholesky` are derivatives along the Hermitian part of a
direction, so that gradients are Hermitian; those of `jax.scipy.linalg.solve` are the derivatives of
a general matrix. Along Hermitian directions all agree with the derivative of the triangle. The
gradient of a triangle is zero in the other one: another direction of descent.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci._core import jet
from jaxsci._core.jax_compat import Primitive, ad, batching, mlir
from jaxsci._core.lowering.sharding import as_varying_together
from jaxsci._core.primitive import batched_alike
from jaxsci.linalg._infra.arguments import adjoint, transposed


def read(a: jax.Array, lower: bool, *, conjugated: bool = True) -> jax.Array:
    """The Hermitian (else symmetric) matrix whose lower (or upper) triangle is that of `a`.

    Nothing else is read; of a Hermitian matrix's diagonal the real part alone.
    """
    i, j = jnp.indices(a.shape[-2:], sparse=True)
    other = adjoint(a) if conjugated else transposed(a)
    whole = jnp.where(i >= j if lower else i <= j, a, other)
    if conjugated and jnp.iscomplexobj(a):
        return jnp.where(i == j, whole.real, whole)
    return whole


@functools.partial(jax.jit, static_argnames=("lower", "conjugated"))
def mirrored(a: jax.Array, *, lower: bool, conjugated: bool = True) -> jax.Array:
    """The matrix as `read`, differentiated through the Hermitian (else symmetric) part of `a`."""
    part = (a + (adjoint(a) if conjugated else transposed(a))) / 2
    return _with_derivative_of(part, read(a, lower, conjugated=conjugated))


@functools.partial(jax.jit, static_argnames=("lower", "conjugated"))
def read_as_general(a: jax.Array, *, lower: bool, conjugated: bool = True) -> jax.Array:
    """The matrix as `read`, differentiated as the general matrix `a`."""
    return _with_derivative_of(a, read(a, lower, conjugated=conjugated))


# -- one array's value with another's derivative ---------------------------------------------------
#
# A primitive, as custom_jvp loses its rule in loops. No arithmetic such as x - stop_gradient(x)
# either: where x is not finite and not read, that is NaN.


def _with_derivative_of(moving: jax.Array, value: jax.Array) -> jax.Array:
    return _value_p.bind(*as_varying_together([moving, value]))


_value_p = Primitive("jaxsci_value")
_value_p.def_impl(lambda moving, value: value)
_value_p.def_abstract_eval(lambda moving, value: value)
mlir.register_lowering(_value_p, mlir.lower_fun(lambda _, value: value, multiple_results=False))


def _jvp(
    primals: Sequence[jax.Array], tangents: Sequence[jax.Array]
) -> tuple[jax.Array, jax.Array]:
    return _value_p.bind(*primals), tangents[0]


def _batch(operands: Sequence[Any], axes: Sequence[Any]) -> tuple[Any, Any]:
    return _value_p.bind(*batched_alike(operands, axes)), 0


ad.primitive_jvps[_value_p] = _jvp
batching.primitive_batchers[_value_p] = _batch
jet.refuse(_value_p, lambda: "a matrix of which one triangle is read")
