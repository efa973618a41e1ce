"""The matrix exponential, its derivative and its condition number."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Literal, overload

import jax
import jax.numpy as jnp
from jax.typing import ArrayLike

from jaxsci.linalg._infra.arguments import arrays, at_least, one_of, square
from jaxsci.linalg._infra.catalog import public
from jaxsci.linalg._infra.or_nan import or_nan
from jaxsci.linalg._kernels.frechet import block

_SQUARINGS = 32
"""At most, which is enough for norms up to 1e10. A result whose argument is larger is NaN."""

_THETA = 4.25
"""Up to this size of its powers the Padé approximant of degree 13 has a backward error below
rounding."""

_LOG2_OF_FIRST_ERROR = -math.log2(math.comb(26, 13) * math.factorial(27))
"""Of the coefficient of A^27 in the approximant's backward error."""

_SMALL = 16
"""Up to this order matrix products cost less than a loop of products with a vector."""

_PADE = [math.comb(13, j) * math.factorial(26 - j) / math.factorial(26) for j in range(14)]

_SOURCE = (
    "N. J. Higham, Functions of Matrices (2008), chapter 10, scaled by the norms of powers: "
    "A. H. Al-Mohy and N. J. Higham, SIAM J. Matrix Anal. Appl. 31 (2009) 970; derivatives are "
    "those of scaling, approximation and squaring: ibid. 30 (2009) 1639"
)

_product = functools.partial(jnp.matmul, precision="highest")


def exponential(a: jax.Array) -> jax.Array:
    """The exponential of matrices, shape (..., n, n), of a floating dtype.

    JAX's own one ends at a norm of 3.5e5, loses digits far from normal, and takes longer to
    compile: it holds approximants of five degrees, and here one will do.
    """
    return in_single(_exponential)(a)


def in_single(function: Callable[[jax.Array], jax.Array]) -> Callable[[jax.Array], jax.Array]:
    """The function in single precision, where an argument has half: LAPACK has no more."""

    def widened(a: jax.Array) -> jax.Array:
        return function(a.astype(jnp.promote_types(a.dtype, jnp.float32))).astype(a.dtype)

    return widened


# Compiled: called eagerly, the loop inside would be traced and compiled anew each time.
@jax.jit
def _exponential(a: jax.Array) -> jax.Array:
    if a.size == 0:
        return a
    squarings = _squarings(jax.lax.stop_gradient(a))
    possible = squarings <= _SQUARINGS  # neither infinite nor NaN
    squarings = jnp.where(possible, squarings, 0.0)[..., None, None]
    y = _near_zero(a * jnp.exp2(-squarings))
    most = jnp.max(squarings)

    def step(y: jax.Array, i: jax.Array) -> tuple[jax.Array, None]:
        # Compared before: mapped within shard_map, a branch may not meet what is the same on all
        # devices with what is not.
        goes_on = i < squarings

        def square(y: jax.Array) -> jax.Array:
            return jnp.where(goes_on, _product(y, y), y)

        return jax.lax.cond(i < most, square, lambda y: y, y), None

    y, _ = jax.lax.scan(step, y, jnp.arange(_SQUARINGS, dtype=most.dtype))
    return or_nan(possible[..., None, None], y)


def _squarings(a: jax.Array) -> jax.Array:
    """How often a matrix has to be halved: by the norms of its powers, not by its own alone.

    That of a matrix far from normal may be larger by many orders, and squaring as often as it asks
    for would lose as many digits.
    """
    norm = _norm(a)
    # Subnormal numbers have no logarithm where they are flushed to 0.
    nothing = norm < jnp.finfo(norm.dtype).tiny
    finite = jnp.isfinite(norm) & ~nothing
    exponent = jnp.ceil(jnp.log2(jnp.where(finite, norm, 1.0)))
    b = jnp.where(finite[..., None, None], a, 0.0) * jnp.exp2(-exponent)[..., None, None]
    b2 = _product(b, b)
    b4 = _product(b2, b2)
    b6 = _product(b4, b2)
    sixth, eighth, tenth = (
        _norm(power) ** (1 / k)
        for k, power in ((6, b6), (8, _product(b4, b4)), (10, _product(b6, b4)))
    )
    size = jnp.minimum(jnp.maximum(sixth, eighth), jnp.maximum(eighth, tenth))
    least = jnp.finfo(size.dtype).tiny
    halvings = jnp.ceil(jnp.log2(jnp.maximum(size, least)) + exponent - math.log2(_THETA))
    halvings = jnp.maximum(halvings, 0.0)
    # Where powers cancel, rounding errors follow those of the absolute values.
    ratio = _norm_of_power_of_27(jnp.abs(b)) / jnp.maximum(_norm(b), least)
    lost = jnp.log2(jnp.maximum(ratio, least)) - jnp.log2(jnp.finfo(size.dtype).eps / 2)
    lost = lost + 26 * (exponent - halvings) + _LOG2_OF_FIRST_ERROR
    found = halvings + jnp.maximum(jnp.ceil(lost / 26), 0.0)
    return jnp.where(finite, found, jnp.where(nothing, 0.0, jnp.inf))


def _norm(a: jax.Array) -> jax.Array:
    return jnp.max(jnp.sum(jnp.abs(a), axis=-2), axis=-1)


def _norm_of_power_of_27(a: jax.Array) -> jax.Array:
    """Of matrices that are not negative: the largest of the sums of columns."""
    ones = jnp.ones_like(a[..., :1, :])  # spread over devices as the matrices are
    if a.shape[-1] > _SMALL:
        return jnp.max(jax.lax.fori_loop(0, 27, lambda _, v: _product(v, a), ones), axis=(-2, -1))
    a3 = _product(_product(a, a), a)
    a6 = _product(a3, a3)
    a12 = _product(a6, a6)
    return jnp.max(_product(_product(_product(ones, a12), a12), a3), axis=(-2, -1))


def _near_zero(x: jax.Array) -> jax.Array:
    """Of matrices whose powers are of sizes up to `_THETA`."""
    one = jnp.eye(x.shape[-1], dtype=x.dtype)
    x2 = _product(x, x)
    x4 = _product(x2, x2)
    x6 = _product(x4, x2)

    def series(first: int) -> jax.Array:
        """Every second term of the numerator, as a polynomial in x2."""
        low = [_PADE[first + 2 * j] for j in range(4)]
        high = [_PADE[first + 2 * j] for j in range(4, 7)]
        upper = high[0] * x2 + high[1] * x4 + high[2] * x6
        return _product(x6, upper) + low[0] * one + low[1] * x2 + low[2] * x4 + low[3] * x6

    even, odd = series(0), _product(x, series(1))
    return jnp.linalg.solve(even - odd, even + odd)


@public("jax", source=_SOURCE, differentiable="in A.")
def expm(A: ArrayLike) -> jax.Array:
    """Compute the exponential of matrices.

    Args:
        A: matrices, shape (..., n, n), real or complex.

    Returns:
        exp(A), shape (..., n, n). NaN where A is not finite, the exponential overflows, or it
        would take more than 32 squarings: of a normal matrix, where its 1-norm is above 1e10.

    Raises:
        TypeError: A is not an array of numbers.
        ValueError: A is not square.

    Example:
        >>> a = jnp.array([[0.0, -1.0], [1.0, 0.0]])
        >>> expm(jnp.pi / 3 * a)  # a rotation by 60 degrees
        Array([[ 0.5      , -0.8660254],
               [ 0.8660254,  0.5      ]], dtype=float64)
        >>> print(f"{jax.grad(lambda t: expm(t * a)[1, 0])(jnp.pi / 3):.6f}")
        0.500000
    """
    (a,) = arrays("expm", A=A)
    square("expm", A=a)
    return exponential(a)


@overload
def expm_frechet(
    A: ArrayLike,
    E: ArrayLike,
    method: str | None = None,
    compute_expm: Literal[True] = True,
    check_finite: bool = True,
) -> tuple[jax.Array, jax.Array]: ...


@overload
def expm_frechet(
    A: ArrayLike,
    E: ArrayLike,
    method: str | None = None,
    *,
    compute_expm: Literal[False],
    check_finite: bool = True,
) -> jax.Array: ...


@overload
def expm_frechet(
    A: ArrayLike,
    E: ArrayLike,
    method: str | None = None,
    compute_expm: bool = True,
    check_finite: bool = True,
) -> tuple[jax.Array, jax.Array] | jax.Array: ...


@public("jax", source=_SOURCE, differentiable="in A and E.")
def expm_frechet(
    A: ArrayLike,
    E: ArrayLike,
    method: str | None = None,
    compute_expm: bool = True,
    check_finite: bool = True,
) -> tuple[jax.Array, jax.Array] | jax.Array:
    """Compute the derivative of the matrix exponential at A along E.

    Args:
        A: matrices, shape (..., n, n), real or complex.
        E: directions, shape (..., n, n).
        method: "SPS" (also None): the derivative of scaling, Padé approximation and squaring;
            "blockEnlarge": a block of the exponential of [[A, E], [0, A]].
        compute_expm: whether the exponential itself is returned too.
        check_finite: has no effect: what is not finite gives NaN.

    Returns:
        exp(A), if it is asked for, and the derivative L, shape (..., n, n):
        exp(A + h E) = exp(A) + h L + O(h^2).

    Raises:
        TypeError: an argument is not an array of numbers.
        ValueError: the matrices are not square or their shapes do not fit; an unknown method.

    Example:
        >>> A = jnp.array([[0.0, 1.0], [-1.0, 0.5]])
        >>> E = jnp.array([[0.0, 0.0], [0.0, 1.0]])
        >>> exponential, along_E = expm_frechet(A, E)
        >>> along_E
        Array([[-0.19460155,  0.59494725],
               [-0.59494725,  1.19546579]], dtype=float64)
    """
    a, e = arrays("expm_frechet", A=A, E=E)
    square("expm_frechet", A=a, E=e)
    one_of("expm_frechet", "method", method, (None, "SPS", "blockEnlarge"))
    if a.shape[-1] != e.shape[-1]:
        raise ValueError(f"expm_frechet: shapes of A and E do not fit: {a.shape}, {e.shape}")
    a, e = jnp.broadcast_arrays(a, e)
    if method == "blockEnlarge":
        n = a.shape[-1]
        whole = exponential(jnp.vectorize(block, signature="(n,n),(n,n)->(m,m)")(a, e))
        exp, along = whole[..., :n, :n], whole[..., :n, n:]
    else:
        exp, along = jax.jvp(exponential, (a,), (e,))
    return (exp, along) if compute_expm else along


@public(
    "jax",
    source="N. J. Higham, Functions of Matrices (2008), section 10.2",
    differentiable="in A, where the largest singular value of the derivative is a simple one.",
)
def expm_cond(A: ArrayLike, check_finite: bool = True) -> jax.Array:
    """Compute the relative condition number of the matrix exponential in the Frobenius norm.

    Args:
        A: matrices, shape (..., n, n), real or complex. The derivative is a matrix of order n^2,
            whose norm is taken: n is to be small.
        check_finite: has no effect: what is not finite gives NaN.

    Returns:
        Condition numbers, shape (...), real.

    Raises:
        TypeError: A is not an array of numbers.
        ValueError: A is not square.

    Example:
        >>> a = jnp.array([[1.0, 2.0], [0.0, 3.0]])
        >>> print(f"{expm_cond(a):.6f}")
        3.841118
        >>> print(f"{expm_cond(jnp.eye(2)):.6f}")
        1.000000
    """
    (a,) = arrays("expm_cond", A=A)
    at_least("expm_cond", 2, A=a)
    square("expm_cond", A=a)
    return in_single(jnp.vectorize(_condition, signature="(n,n)->()"))(a)


@jax.jit
def _condition(a: jax.Array) -> jax.Array:
    n = a.shape[-1]
    if n == 0:
        return jnp.zeros((), a.real.dtype)
    x, along = jax.linearize(exponential, a)
    # Added, for inside shard_map they have to vary over devices as the matrices do.
    units = jnp.eye(n * n, dtype=a.dtype).reshape(n * n, n, n) + jnp.zeros_like(a)
    kronecker = jax.vmap(along)(units).reshape(n * n, n * n)
    largest = jnp.linalg.svd(kronecker, compute_uv=False)[0]
    return largest * jnp.linalg.norm(a) / jnp.linalg.norm(x)
