"""Functions of matrices given by a function of numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, overload

import jax
import jax.numpy as jnp
import numpy as np
from jax.typing import ArrayLike

from jaxsci._core.types import Arrays, PyTree, Tangents
from jaxsci.linalg._functions import matrix
from jaxsci.linalg._infra.arguments import one_of
from jaxsci.linalg._infra.catalog import public
from jaxsci.linalg._infra.host import complex_of, host
from jaxsci.linalg._infra.or_nan import or_nan
from jaxsci.linalg._kernels.frobenius import frobenius
from jaxsci.linalg._kernels.to_triangular import schur
from jaxsci.linalg._kernels.triangular import involution
from jaxsci.linalg._sylvester import sylvester

_APART = 0.02
"""Eigenvalues that differ by less than this, relative to their size, form a cluster."""
_LARGEST_PROJECTOR = 10.0
"""Clusters whose projectors are larger than this in norm are joined to others."""
_POINTS = 64
_TERMS = 32
_RADII = 8
_NOISE = 1e-14


# -- the spectrum, in clusters ---------------------------------------------------------------------


@host("(n,n)->(n,n,n),(n),(n),(n)", dtype=lambda a: (complex_of(a),) * 4, name="funm")
def clusters(a: np.ndarray) -> tuple[np.ndarray, ...]:
    """Projectors onto the invariant subspaces of clusters of eigenvalues, and where those are.

    Returns:
        projectors (as many as there are clusters, the others zero), the clusters' centres, and the
        smallest and largest radii of circles around them to be tried.
    """
    n = len(a)
    t, q = (x[0] for x in schur(a[None]))
    eigenvalues = np.diag(t)
    sizes = np.abs(eigenvalues)
    gaps = np.abs(eigenvalues[:, None] - eigenvalues)
    close = gaps <= _APART * np.maximum(sizes[:, None], sizes)
    labels = np.arange(n)
    for i, j in zip(*np.nonzero(close), strict=True):
        labels[labels == labels[j]] = labels[i]
    while True:
        found = [labels == label for label in np.unique(labels)]
        projectors = [_projector(t, members) for members in found]
        norms = [
            float(np.linalg.norm(p, 2)) if np.isfinite(p).all() else np.inf for p in projectors
        ]
        worst = int(np.argmax(norms)) if norms else 0
        if len(found) <= 1 or norms[worst] <= _LARGEST_PROJECTOR:
            break
        inside = found[worst]
        apart = np.where(inside[:, None] & ~inside, gaps, np.inf)
        i, j = np.unravel_index(np.argmin(apart), apart.shape)
        labels[labels == labels[j]] = labels[i]
    scale = float(frobenius(a[None])[0]) or 1.0
    result = np.zeros((n, n, n), complex)
    centres = np.full(n, np.mean(eigenvalues[found[0]]) if n else 0.0)
    smallest, largest = np.full(n, 1.0), np.full(n, 1.0)
    for slot, (members, p) in enumerate(zip(found, projectors, strict=True)):
        result[slot] = q @ p @ q.conj().T
        centres[slot] = centre = np.mean(eigenvalues[members])
        spread = np.max(np.abs(eigenvalues[members] - centre))
        size = max(abs(centre), 1e-3 * scale)
        smallest[slot] = max(4 * spread, min(0.3, 0.1 * np.sum(members)) * size)
        largest[slot] = max(smallest[slot], scale)
    unused = np.arange(n) >= len(found)
    if n:
        smallest[unused], largest[unused] = smallest[0], largest[0]
    return result, centres, smallest, largest


def _projector(t: np.ndarray, members: np.ndarray) -> np.ndarray:
    if members.all():
        return np.eye(len(t), dtype=complex)
    signs = np.where(members, 1.0, -1.0).astype(complex)
    return (involution(t[None], signs[None])[0] + np.eye(len(t))) / 2


@clusters.jvp
def _along(
    result: PyTree, primals: Arrays, tangents: Tangents
) -> tuple[jax.Array, None, None, None]:
    """Projectors move; the circles stay where they are, as it does not matter where they are."""
    projectors = result[0]
    a, da = primals[0].astype(projectors.dtype), tangents[0].astype(projectors.dtype)
    one = jnp.eye(a.shape[-1], dtype=a.dtype)
    # At least twice any norm, of numbers whose squares over- or underflow too.
    size = jax.lax.stop_gradient(len(a) * jnp.max(jnp.abs(a), initial=0.0))
    far = jnp.where(size > 0, 2 * size, 1.0)

    def move(p: jax.Array) -> jax.Array:
        # P dP (1-P) and (1-P) dP P solve a x - x a = P da (1-P), and the like. What does not matter
        # for them is shifted out of the way, so that the equations have one solution.
        rest = one - p
        inner, outer = p @ a + far * rest, rest @ a - far * p
        right = sylvester(inner, -outer, p @ da @ rest)
        left = sylvester(outer, -inner, -rest @ da @ p)
        return p @ right @ rest + rest @ left @ p

    return jax.vmap(move)(projectors), None, None, None


# -- the function on circles -----------------------------------------------------------------------


def _coefficients(
    func: Callable[[jax.Array], jax.Array],
    centres: jax.Array,
    smallest: jax.Array,
    largest: jax.Array,
) -> tuple[jax.Array, jax.Array, jax.Array]:
    """Taylor coefficients about the centres, in units of radii; the radii; what the rest may be.

    They are Fourier coefficients of func on circles. The circle is the one that gives the best
    second derivative, among those on which the coefficients fall off to rounding.
    """
    turn = jnp.exp(2j * jnp.pi * jnp.arange(_POINTS) / _POINTS).astype(centres.dtype)
    share = jnp.linspace(0, 1, _RADII)[:, None]
    radii = smallest.real ** (1 - share) * largest.real**share

    def on_circles(radius: jax.Array) -> tuple[jax.Array, jax.Array]:
        values = func(centres[..., None] + radius[..., None] * turn).astype(centres.dtype)
        return values, jnp.fft.fft(values) / _POINTS

    values, series = jax.lax.stop_gradient(on_circles(radii))
    height = jnp.max(jnp.abs(values), axis=-1)
    rest = jnp.max(jnp.abs(series[..., _TERMS:]), axis=-1)
    eps = jnp.finfo(centres.dtype).eps
    noise = max(_NOISE, 64 * float(eps))
    smooth = rest <= noise * height
    badness = jnp.where(smooth, height / radii**2, jnp.inf)
    best = jnp.argmin(badness, axis=0)[None]
    radius = jnp.take_along_axis(radii, best, 0)[0]
    fine = jnp.take_along_axis(smooth, best, 0)[0]
    series = on_circles(radius)[1][..., :_TERMS]
    series = series.at[..., 0].set(func(centres).astype(centres.dtype))
    return jnp.where(fine[..., None], series, jnp.nan), radius, fine


def _assemble(
    a: jax.Array, projectors: jax.Array, centres: jax.Array, radii: jax.Array, series: jax.Array
) -> jax.Array:
    """The sum of func's series in A on each cluster's subspace."""
    one = jnp.eye(a.shape[-1], dtype=projectors.dtype)

    def of_cluster(p: Any, centre: Any, radius: Any, c: Any) -> jax.Array:
        z = p @ (a - centre * one) @ p / radius

        def step(y: jax.Array, c: jax.Array) -> Any:
            return z @ y + c * p, None

        return jax.lax.scan(step, jnp.zeros_like(p), c[::-1])[0]

    parts = jax.vmap(of_cluster)(projectors, centres, radii, series)
    used = jnp.any(projectors != 0, axis=(-2, -1), keepdims=True)
    return jnp.sum(jnp.where(used, parts, 0), axis=0)


def _check(func: Callable[..., Any], points: jax.ShapeDtypeStruct) -> None:
    """Refuse what is no function of arrays that keeps their shape."""

    # A function of Python's own: JAX does not take ufuncs of NumPy, and may crash on one.
    def of_points(x: jax.Array) -> jax.Array:
        return func(x)

    try:
        found = jax.eval_shape(of_points, points)
    except jax.errors.TracerArrayConversionError:
        raise TypeError(
            "funm: argument 'func' must be made of JAX operations, as jnp.sin is, and np.sin not"
        ) from None
    shape = getattr(found, "shape", None)
    if shape != points.shape:
        got = type(found).__name__ if shape is None else shape
        raise ValueError(f"funm: argument 'func' must keep the shape, got {got}")


@overload
def funm(
    A: ArrayLike,
    func: Callable[[jax.Array], jax.Array],
    disp: Literal[True] = True,
    *,
    output: str | None = None,
) -> jax.Array: ...


@overload
def funm(
    A: ArrayLike,
    func: Callable[[jax.Array], jax.Array],
    *,
    disp: Literal[False],
    output: str | None = None,
) -> tuple[jax.Array, jax.Array]: ...


@overload
def funm(
    A: ArrayLike,
    func: Callable[[jax.Array], jax.Array],
    disp: bool = True,
    *,
    output: str | None = None,
) -> jax.Array | tuple[jax.Array, jax.Array]: ...


@public(
    "host",
    source="local Taylor series, as in P. I. Davies and N. J. Higham, SIAM J. Matrix Anal. Appl. "
    "25 (2003) 464, on spectral projectors, whose differentials solve Sylvester equations",
    differentiable="in A, and in what func depends on.",
)
def funm(
    A: ArrayLike,
    func: Callable[[jax.Array], jax.Array],
    disp: bool = True,
    *,
    output: str | None = None,
) -> jax.Array | tuple[jax.Array, jax.Array]:
    """Evaluate the function of matrices that a function of numbers defines.

    Eigenvalues that are equal or close form clusters. On each cluster's invariant subspace the
    Taylor series of func about the cluster's centre is summed, with coefficients from values of
    func on a circle around it. The spectrum is found on the host; func is run by JAX.

    Args:
        A: matrices, shape (..., n, n), real or complex.
        func: a function of a complex array, element by element, made of JAX operations; holomorphic
            near the eigenvalues. It may close over traced values, and is differentiated in them.
        disp: False: an estimate of the relative error is returned too.
        output: "real" or "complex", a static argument. None: real for a real A. (SciPy decides by
            the values.)

    Returns:
        func(A), shape (..., n, n); with ``disp=False`` also the estimate, shape (...). NaN where A
        is not finite, where func is not holomorphic within a tenth of an eigenvalue's size around
        it (three tenths, for clusters of three and more), or is too steep for a series there, and
        in a real result where the function's imaginary part is not zero to rounding.

    Raises:
        TypeError: A is not an array of numbers; func is not callable, or a function of NumPy.
        ValueError: A is not square, or the output is none of the above or real for a complex A;
            func does not keep the shape.

    Eigenvalues of A that are closer than 2% of their size, and clusters whose projectors have norms
    above 10, are taken together. Errors grow with the square of the projectors' norms.

    Example:
        >>> a = jnp.array([[2.0, 1.0], [1.0, 3.0]])
        >>> x = funm(a, lambda z: 1 / (1 + z * z))
        >>> x
        Array([[ 0.26829268, -0.12195122],
               [-0.12195122,  0.14634146]], dtype=float64)
        >>> bool(jnp.allclose(x @ (jnp.eye(2) + a @ a), jnp.eye(2)))
        True
        >>> power = lambda t: jnp.trace(funm(a, lambda z: z**t))
        >>> slope = jax.grad(power)(2.0)  # in what func depends on: the trace of a a log(a)
        >>> print(f"{slope:.6f}")
        17.450896
    """
    a = matrix("funm", A, output)
    one_of("funm", "disp", disp, (True, False))
    if not callable(func):
        raise TypeError(f"funm: argument 'func' must be callable, got {type(func).__name__}")
    real = not jnp.iscomplexobj(a)

    def of_one(a: jax.Array) -> tuple[jax.Array, jax.Array]:
        projectors, centres, smallest, largest = clusters(a)
        dtype = projectors.dtype
        _check(func, jax.ShapeDtypeStruct((a.shape[-1], 3), dtype))
        series, radii, _ = _coefficients(
            func, *map(jax.lax.stop_gradient, (centres, smallest, largest))
        )
        y = _assemble(a.astype(dtype), projectors, centres, radii.astype(dtype), series)
        eps = jnp.finfo(dtype).eps
        squares = jnp.sum(jnp.abs(jax.lax.stop_gradient(projectors)) ** 2, axis=(-2, -1))
        error = jnp.minimum(1.0, eps * jnp.max(squares, initial=1.0))
        error = jnp.where(jnp.isfinite(y).all(), error, jnp.inf)
        if not real:
            return y, error
        size = jnp.max(jnp.abs(y), initial=0.0)
        exists = jnp.max(jnp.abs(y.imag), initial=0.0) <= jnp.sqrt(eps) * size
        return or_nan(exists, y.real), error

    wide = a.astype(jnp.promote_types(a.dtype, jnp.float32))
    y, error = jnp.vectorize(of_one, signature="(n,n)->(n,n),()")(wide)
    return y.astype(a.dtype) if disp else (y.astype(a.dtype), error.astype(a.real.dtype))
