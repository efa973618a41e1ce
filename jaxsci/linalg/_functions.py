"""Logarithm, square root, powers and sign of matrices."""

from __future__ import annotations

import functools
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.typing import ArrayLike

from jaxsci._core.host_function import HostFunction
from jaxsci._core.types import Tangents
from jaxsci.linalg._exponential import exponential
from jaxsci.linalg._infra.arguments import arrays, one_of, square
from jaxsci.linalg._infra.catalog import public
from jaxsci.linalg._infra.host import stack_host
from jaxsci.linalg._infra.or_nan import or_nan
from jaxsci.linalg._infra.slices import over_slices
from jaxsci.linalg._kernels import triangular
from jaxsci.linalg._kernels.frechet import primary, through_schur
from jaxsci.linalg._sylvester import sylvester

logarithm = primary("logm", triangular.logarithm, has_cut=True)
sign = primary("signm", triangular.sign, has_cut=False)
square_root = stack_host("(n,n)->(n,n)", name="sqrtm")(
    through_schur(triangular.square_root, has_cut=True)[0]
)


@square_root.jvp
def _along(x: Any, _: Any, tangents: Tangents) -> Any:
    return sylvester(x, x, tangents[0])  # X dX + dX X = dA


@functools.cache
def power(t: float) -> HostFunction:
    """A**t for one t that is no integer."""
    return primary(
        "fractional_matrix_power",
        lambda a: triangular.exponential(t * triangular.logarithm(a)),
        has_cut=True,
    )


def matrix(function: str, A: Any, output: str | None) -> jax.Array:
    """The argument, complex where the result shall be."""
    (a,) = arrays(function, A=A)
    square(function, A=a)
    one_of(function, "output", output, (None, "real", "complex"))
    if output == "real" and jnp.iscomplexobj(a):
        raise ValueError(f"{function}: argument 'output' is 'real', but the matrix is complex")
    return a.astype(jnp.result_type(a, jnp.complex64)) if output == "complex" else a


_MATHIAS = (
    "R. Mathias, SIAM J. Matrix Anal. Appl. 17 (1996) 610; N. J. Higham, Functions of Matrices "
    "(2008)"
)


@public(
    "host",
    source=f"{_MATHIAS}, chapter 11; inverse scaling and squaring: A. H. Al-Mohy and N. J. Higham, "
    "SIAM J. Sci. Comput. 34 (2012) C153",
    differentiable="in A.",
)
def logm(A: ArrayLike, *, output: str | None = None) -> jax.Array:
    """Compute the principal logarithm of matrices: exp(X) = A.

    Args:
        A: matrices, shape (..., n, n), real or complex.
        output: "real" or "complex", a static argument. None: real for a real A. (SciPy decides by
            the values.)

    Returns:
        X, shape (..., n, n), whose eigenvalues have imaginary parts in (-pi, pi]. NaN where A is
        singular to rounding or not finite, and in a real result where A has a negative eigenvalue:
        there the logarithm is complex, see `output`.

    Raises:
        TypeError: A is not an array of numbers.
        ValueError: A is not square, or the output is none of the above or real for a complex A.

    At a negative eigenvalue the complex logarithm jumps; its derivative there is that of the branch
    on which the value is.

    Example:
        >>> a = jnp.array([[2.0, 1.0], [1.0, 3.0]])
        >>> logm(a)
        Array([[0.58951449, 0.43040894],
               [0.43040894, 1.01992343]], dtype=float64)
        >>> bool(jnp.allclose(linalg.expm(logm(a)), a))
        True
        >>> jax.grad(lambda a: jnp.trace(logm(a)))(a)  # the inverse's transpose
        Array([[ 0.6, -0.2],
               [-0.2,  0.4]], dtype=float64)
    """
    return logarithm(matrix("logm", A, output))


@public(
    "host",
    source="the differential X dX + dX X = dA; Å. Björck and S. Hammarling, Linear Algebra Appl. "
    "52/53 (1983) 127; N. J. Higham, Functions of Matrices (2008), chapter 6",
    differentiable="in A, where A is not singular.",
)
def sqrtm(A: ArrayLike, *, output: str | None = None) -> jax.Array:
    """Compute the principal square root of matrices: X X = A.

    Args:
        A: matrices, shape (..., n, n), real or complex.
        output: "real" or "complex", a static argument. None: real for a real A. (SciPy decides by
            the values.)

    Returns:
        X, shape (..., n, n), whose eigenvalues have no negative real parts. NaN where A is not
        finite, where a singular A has no square root, and in a real result where A has a negative
        eigenvalue: there the root is complex, see `output`. An eigenvalue that is zero to rounding
        counts as zero.

    Raises:
        TypeError: A is not an array of numbers.
        ValueError: A is not square, or the output is none of the above or real for a complex A.

    Example:
        >>> a = jnp.array([[2.0, 1.0], [1.0, 3.0]])
        >>> x = sqrtm(a)
        >>> x
        Array([[1.37638192, 0.3249197 ],
               [0.3249197 , 1.70130162]], dtype=float64)
        >>> bool(jnp.allclose(x @ x, a))
        True
        >>> jax.grad(lambda a: jnp.trace(sqrtm(a)))(a)  # half of the root's inverse
        Array([[ 0.38042261, -0.07265425],
               [-0.07265425,  0.30776835]], dtype=float64)
    """
    return square_root(matrix("sqrtm", A, output))


@public(
    "host",
    source=f"{_MATHIAS}, chapter 5",
    differentiable="in A, where it is locally constant in the eigenvalues but not in the vectors.",
)
def signm(A: ArrayLike, *, output: str | None = None) -> jax.Array:
    """Compute the sign of matrices: S S = I, S A = A S.

    Each eigenvalue is replaced by the sign of its real part.

    Args:
        A: matrices, shape (..., n, n), real or complex.
        output: "real" or "complex", a static argument. None: real for a real A, whose sign is real.

    Returns:
        S, shape (..., n, n). NaN where A is not finite or an eigenvalue is on the imaginary axis,
        zero included: there is no sign, though SciPy puts zero for it.

    Raises:
        TypeError: A is not an array of numbers.
        ValueError: A is not square, or the output is none of the above or real for a complex A.

    Example:
        >>> a = jnp.array([[2.0, 3.0], [1.0, -2.0]])  # eigenvalues of both signs
        >>> s = signm(a)
        >>> s
        Array([[ 0.75592895,  1.13389342],
               [ 0.37796447, -0.75592895]], dtype=float64)
        >>> bool(jnp.allclose(s @ s, jnp.eye(2)))
        True
    """
    return sign(matrix("signm", A, output))


@public(
    "host",
    source=f"{_MATHIAS}, chapter 7; for a traced t, exp(t log A)",
    differentiable="in A, and in t where it is an array.",
)
def fractional_matrix_power(A: ArrayLike, t: ArrayLike, *, output: str | None = None) -> jax.Array:
    """Compute powers of matrices, A**t, on the principal branch.

    Args:
        A: matrices, shape (..., n, n), real or complex.
        t: the exponent. A Python number is static: whole ones become products of matrices (of
            inverses, if negative), which exist for every A that is not singular. A real array,
            traced or not, shape (...), is differentiated too; it goes through the logarithm, whole
            or not.
        output: "real" or "complex", a static argument. None: real for a real A. (SciPy decides by
            the values.)

    Returns:
        The powers, shape (..., n, n). NaN where A is not finite. Where t is no Python integer,
        NaN also where A is singular to rounding (SciPy gives digits where the power exists), and in
        a real result where A has a negative eigenvalue: there it is complex, see `output`.

    Raises:
        TypeError: A is not an array of numbers; t is not real.
        ValueError: A is not square, t is infinite or NaN or an integer of more than 64 bits, or the
            output is none of the above or real for a complex A.

    Example:
        >>> a = jnp.array([[2.0, 1.0], [1.0, 3.0]])
        >>> fractional_matrix_power(a, 1 / 3)
        Array([[1.23031169, 0.18841514],
               [0.18841514, 1.41872683]], dtype=float64)
        >>> slope = jax.grad(lambda t: fractional_matrix_power(a, t)[0, 0])(0.5)  # in the exponent
        >>> print(f"{slope:.6f}")
        0.951245
    """
    name = "fractional_matrix_power"
    a = matrix(name, A, output)
    if isinstance(t, bool | complex | np.complexfloating | str) or t is None:
        raise TypeError(f"{name}: argument 't' must be a real number, got {t!r}")
    if isinstance(t, int | float | np.integer | np.floating):
        if isinstance(t, int) and abs(t) >= 2**63:
            raise ValueError(f"{name}: argument 't' must be smaller than 2**63 in size")
        if not np.isfinite(t):
            raise ValueError(f"{name}: argument 't' must be finite, got {t!r}")
        if t != int(t):
            return power(float(t))(a)
        return over_slices(name, "(n,n)->(n,n)", _integer_power, a, t=int(t))
    (exponent,) = arrays(name, t=t)
    if jnp.iscomplexobj(exponent):
        raise TypeError(f"{name}: argument 't' must be real, got {exponent.dtype}")
    return exponential(exponent[..., None, None] * logarithm(a))


def _integer_power(a: jax.Array, t: int) -> jax.Array:
    """A product of matrices, NaN where an inverse does not exist."""
    y = jnp.linalg.matrix_power(a, t)
    return y if t >= 0 else or_nan(jnp.isfinite(y).all(), y)
