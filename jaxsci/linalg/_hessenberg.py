"""Hessenberg form.

Of A = Q H Q^H, with dQ = Q W, W skew and zero in its first column, and P = Q^H dA Q:
dH = P + H W - W H. That it is zero below the subdiagonal is a linear system for W.
"""

from __future__ import annotations

from typing import Any, Literal, overload

import jax
import jax.numpy as jnp
import numpy as np
import scipy.linalg
from jax.typing import ArrayLike

from jaxsci._core.types import PyTree, Tangents
from jaxsci.linalg._infra.arguments import adjoint, arrays, square
from jaxsci.linalg._infra.catalog import public
from jaxsci.linalg._infra.host import host
from jaxsci.linalg._kernels.generators import hessenberg_generator
from jaxsci.linalg._schur import skew, subdiagonal


@host("(n,n)->(n,n),(n,n)", name="hessenberg")
def _hessenberg(a: np.ndarray) -> Any:
    return scipy.linalg.hessenberg(a, calc_q=True, check_finite=False)


def _hessenberg_along(results: PyTree, _: Any, tangents: Tangents) -> Any:
    (h, q), (da,) = results, tangents
    n = len(h)
    if n <= 2:  # a itself
        return da, None
    p = adjoint(q) @ da @ q
    w = skew(hessenberg_generator(h, p))
    dh = p + h @ w - w @ h
    if jnp.iscomplexobj(h):
        # LAPACK's subdiagonal is real; the first vector is fixed.
        turn = jnp.cumsum(subdiagonal(dh).imag / subdiagonal(h).real)
        phases = jnp.diag(1j * jnp.concatenate([jnp.zeros(1, turn.dtype), turn]))
        w, dh = w + phases, dh + h @ phases - phases @ h
    return jnp.triu(dh, -1), q @ w


_hessenberg.jvp(_hessenberg_along)


@overload
def hessenberg(
    a: ArrayLike,
    calc_q: Literal[False] = False,
    overwrite_a: bool = False,
    check_finite: bool = True,
) -> jax.Array: ...


@overload
def hessenberg(
    a: ArrayLike,
    *,
    calc_q: Literal[True],
    overwrite_a: bool = False,
    check_finite: bool = True,
) -> tuple[jax.Array, jax.Array]: ...


@overload
def hessenberg(
    a: ArrayLike,
    calc_q: bool = False,
    overwrite_a: bool = False,
    check_finite: bool = True,
) -> jax.Array | tuple[jax.Array, jax.Array]: ...


@public(
    "host",
    source="the differential of A = Q H Q^H with a fixed first vector; G. H. Golub and C. F. Van "
    "Loan, Matrix Computations, section 7.4",
    differentiable="in a, where no element of H's subdiagonal, but for the last, is zero.",
)
def hessenberg(
    a: ArrayLike, calc_q: bool = False, overwrite_a: bool = False, check_finite: bool = True
) -> jax.Array | tuple[jax.Array, jax.Array]:
    """Hessenberg form A = Q H Q^H: Q unitary, H zero below its first subdiagonal.

    The first column of Q is the first unit vector. Of complex matrices, H's subdiagonal is real;
    the derivative keeps both. Where an element of the subdiagonal is zero to rounding, the
    derivative is NaN. Matrices of order 2 are returned as they are.

    Args:
        a: matrices, shape (..., n, n), real or complex.
        calc_q: static: whether Q is wanted.
        overwrite_a: no effect.
        check_finite: no effect; what is not finite gives NaN.

    Returns:
        H, shape (..., n, n), and Q if calc_q.

    Raises:
        TypeError: an argument is not an array of numbers.
        ValueError: the matrices are not square.

    Example:
        >>> a = jnp.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [3.0, 8.0, 10.0]])
        >>> h, q = hessenberg(a, calc_q=True)
        >>> h
        Array([[ 1.  , -3.4 ,  1.2 ],
               [-5.  , 13.52, -3.36],
               [ 0.  , -5.36,  1.48]], dtype=float64)
        >>> bool(jnp.allclose(q @ h @ q.T, a))
        True
    """
    (a,) = arrays("hessenberg", a=a)
    square("hessenberg", a=a)
    h, q = _hessenberg(a)
    return (h, q) if calc_q else h
