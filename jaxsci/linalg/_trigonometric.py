"""Trigonometric and hyperbolic functions of matrices, from the exponential."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
from jax.typing import ArrayLike

from jaxsci.linalg._exponential import exponential, in_single
from jaxsci.linalg._infra.arguments import arrays, square
from jaxsci.linalg._infra.catalog import public

_SOURCE = "N. J. Higham, Functions of Matrices (2008), chapter 12"


def _matrix(function: str, A: Any) -> jax.Array:
    (a,) = arrays(function, A=A)
    square(function, A=a)
    return a


def _blocks(upper: jax.Array, lower: jax.Array) -> tuple[jax.Array, jax.Array]:
    """The blocks on the left of exp([[0, upper], [lower, 0]])."""
    n = upper.shape[-1]
    zero = jnp.zeros_like(upper)
    rows = [jnp.concatenate(row, axis=-1) for row in ((zero, upper), (lower, zero))]
    e = exponential(jnp.concatenate(rows, axis=-2))
    return e[..., :n, :n], e[..., n:, :n]


def _cos_sin(a: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Both at once: exp(i A) of a real matrix; of a complex one, which has no such parts, blocks.

    A difference of exponentials would lose the digits of a small sine.
    """
    if jnp.iscomplexobj(a):
        return _blocks(-a, a)
    e = exponential(1j * a)
    return e.real, e.imag


def _cosh_sinh(a: jax.Array) -> tuple[jax.Array, jax.Array]:
    return _blocks(a, a)


@public("jax", source=_SOURCE, differentiable="in A.")
def cosm(A: ArrayLike) -> jax.Array:
    """Compute the cosine of matrices.

    Args:
        A: matrices, shape (..., n, n), real or complex.

    Returns:
        cos(A), shape (..., n, n), real for a real A. NaN where A is not finite or it overflows.

    Raises:
        TypeError: A is not an array of numbers.
        ValueError: A is not square.

    Example:
        >>> a = jnp.array([[1.0, 0.5], [0.5, 2.0]])
        >>> cosm(a)
        Array([[ 0.51198955, -0.45821198],
               [-0.45821198, -0.4044344 ]], dtype=float64)
    """
    return in_single(lambda a: _cos_sin(a)[0])(_matrix("cosm", A))


@public("jax", source=_SOURCE, differentiable="in A.")
def sinm(A: ArrayLike) -> jax.Array:
    """Compute the sine of matrices.

    Args:
        A: matrices, shape (..., n, n), real or complex.

    Returns:
        sin(A), shape (..., n, n), real for a real A. NaN where A is not finite or it overflows.

    Raises:
        TypeError: A is not an array of numbers.
        ValueError: A is not square.

    Example:
        >>> a = jnp.array([[1.0, 0.5], [0.5, 2.0]])
        >>> sinm(a)
        Array([[0.72584614, 0.03249403],
               [0.03249403, 0.79083421]], dtype=float64)
        >>> bool(jnp.allclose(sinm(a) @ sinm(a) + linalg.cosm(a) @ linalg.cosm(a), jnp.eye(2)))
        True
        >>> print(f"{jax.grad(lambda t: jnp.trace(sinm(t * a)))(0.0):.6f}")  # the trace of a
        3.000000
    """
    return in_single(lambda a: _cos_sin(a)[1])(_matrix("sinm", A))


@public("jax", source=_SOURCE, differentiable="in A.")
def tanm(A: ArrayLike) -> jax.Array:
    """Compute the tangent of matrices, the solution X of cos(A) X = sin(A).

    Args:
        A: matrices, shape (..., n, n), real or complex.

    Returns:
        tan(A), shape (..., n, n), real for a real A. NaN where A is not finite, or sine and cosine
        overflow.

    Raises:
        TypeError: A is not an array of numbers.
        ValueError: A is not square.

    Example:
        >>> a = jnp.array([[1.0, 0.5], [0.5, 2.0]])
        >>> tanm(a)
        Array([[ 0.66822947, -0.83742821],
               [-0.83742821, -1.00662696]], dtype=float64)
        >>> bool(jnp.allclose(linalg.cosm(a) @ tanm(a), linalg.sinm(a)))
        True
    """
    return in_single(lambda a: jnp.linalg.solve(*_cos_sin(a)))(_matrix("tanm", A))


@public("jax", source=_SOURCE, differentiable="in A.")
def coshm(A: ArrayLike) -> jax.Array:
    """Compute the hyperbolic cosine of matrices.

    Args:
        A: matrices, shape (..., n, n), real or complex.

    Returns:
        cosh(A), shape (..., n, n), real for a real A. NaN where A is not finite or it overflows.

    Raises:
        TypeError: A is not an array of numbers.
        ValueError: A is not square.

    Example:
        >>> a = jnp.array([[1.0, 0.5], [0.5, 2.0]])
        >>> coshm(a)
        Array([[1.80982406, 1.15560429],
               [1.15560429, 4.12103265]], dtype=float64)
        >>> bool(jnp.allclose(coshm(a) @ coshm(a) - linalg.sinhm(a) @ linalg.sinhm(a), jnp.eye(2)))
        True
    """
    return in_single(lambda a: _cosh_sinh(a)[0])(_matrix("coshm", A))


@public("jax", source=_SOURCE, differentiable="in A.")
def sinhm(A: ArrayLike) -> jax.Array:
    """Compute the hyperbolic sine of matrices.

    Args:
        A: matrices, shape (..., n, n), real or complex.

    Returns:
        sinh(A), shape (..., n, n), real for a real A. NaN where A is not finite or it overflows.

    Raises:
        TypeError: A is not an array of numbers.
        ValueError: A is not square.

    Example:
        >>> a = jnp.array([[1.0, 0.5], [0.5, 2.0]])
        >>> sinhm(a)
        Array([[1.40745062, 1.27670168],
               [1.27670168, 3.96085398]], dtype=float64)
        >>> bool(jnp.allclose(linalg.coshm(a) + sinhm(a), linalg.expm(a)))
        True
    """
    return in_single(lambda a: _cosh_sinh(a)[1])(_matrix("sinhm", A))


@public("jax", source=_SOURCE, differentiable="in A.")
def tanhm(A: ArrayLike) -> jax.Array:
    """Compute the hyperbolic tangent of matrices, the solution X of cosh(A) X = sinh(A).

    Args:
        A: matrices, shape (..., n, n), real or complex.

    Returns:
        tanh(A), shape (..., n, n), real for a real A. NaN where A is not finite, or the hyperbolic
        sine and cosine overflow.

    Raises:
        TypeError: A is not an array of numbers.
        ValueError: A is not square.

    Example:
        >>> a = jnp.array([[1.0, 0.5], [0.5, 2.0]])
        >>> tanhm(a)
        Array([[0.70632738, 0.11173576],
               [0.11173576, 0.92979891]], dtype=float64)
        >>> bool(jnp.allclose(linalg.coshm(a) @ tanhm(a), linalg.sinhm(a)))
        True
    """
    return in_single(lambda a: jnp.linalg.solve(*_cosh_sinh(a)))(_matrix("tanhm", A))
