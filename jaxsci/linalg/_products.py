"""Products of matrices that are none of the usual ones."""

from __future__ import annotations

import jax
import jax.numpy as jnp
from jax.typing import ArrayLike

from jaxsci.linalg._infra.arguments import arrays, at_least
from jaxsci.linalg._infra.catalog import public


@public(
    "jax",
    source="C. G. Khatri and C. R. Rao, Sankhyā A 30 (1968) 167",
    differentiable="in a and b.",
)
def khatri_rao(a: ArrayLike, b: ArrayLike) -> jax.Array:
    """Compute the Khatri-Rao product: the Kronecker products of corresponding columns.

    Args:
        a: matrices, shape (..., n, k).
        b: matrices, shape (..., m, k).

    Returns:
        The products, shape (..., n m, k), of the dtype that the arguments promote to, integers
        included.

    Raises:
        TypeError: an argument is not an array of numbers.
        ValueError: the shapes do not fit.

    Example:
        >>> a = jnp.array([[1.0, 2.0], [3.0, 4.0]])
        >>> b = jnp.array([[1.0, 10.0], [0.0, 1.0]])
        >>> khatri_rao(a, b)
        Array([[ 1., 20.],
               [ 0.,  2.],
               [ 3., 40.],
               [ 0.,  4.]], dtype=float64)
        >>> bool(jnp.all(khatri_rao(a, b)[:, 1] == jnp.kron(a[:, 1], b[:, 1])))
        True
    """
    checked = dict(zip("ab", arrays("khatri_rao", a=a, b=b), strict=True))
    at_least("khatri_rao", 2, **checked)
    a, b = jnp.asarray(a), jnp.asarray(b)
    if a.shape[-1] != b.shape[-1]:
        raise ValueError(
            f"khatri_rao: a and b must have as many columns as each other, got {a.shape}, {b.shape}"
        )
    try:
        product = a[..., :, None, :] * b[..., None, :, :]
    except ValueError:
        raise ValueError(f"khatri_rao: shapes do not broadcast: {a.shape}, {b.shape}") from None
    return product.reshape(*product.shape[:-3], a.shape[-2] * b.shape[-2], a.shape[-1])
