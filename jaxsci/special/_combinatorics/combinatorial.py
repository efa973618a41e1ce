"""Numbers of choices: combinations, permutations, partitions (DLMF 26)."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import scipy.special

from jaxsci._core.elementwise_rules import closed
from jaxsci.special._catalog.decorators import (
    Flaw,
    OnHost,
    Samples,
    elementwise,
    rule,
)
from jaxsci.special._catalog.domains import Ints, Reals
from jaxsci.special._catalog.mending import by_own
from jaxsci.special._catalog.types import Array, Int, Real, StaticBool
from jaxsci.special._gamma.beta import polygamma_difference, slopes_of_binom, slopes_of_poch
from jaxsci.special._gamma.kernels import quotients_on_device

EXACT = (
    "With exact=True the arguments are integers that are known when the function is traced, and "
    "the result is an array of JAX's default integer type; OverflowError where it does not fit."
)
_EDGES = "At the edges of 0 <= k <= N, where the value jumps to 0, the derivative is the inner one."


def _comb_on_host(N: jax.Array, k: Any, *, exact: bool, repetition: bool) -> Any:
    # In double: N + k may be beyond the integers' range.
    return scipy.special.comb(np.asarray(N, float), np.asarray(k, float), repetition=repetition)


def _perm_on_host(N: jax.Array, k: Any, *, exact: bool) -> Any:
    return scipy.special.perm(np.asarray(N, float), np.asarray(k, float))


_NEXT_TO_INTEGER, _MANY = 1e-4, 1e5


def _loses_things(N: jax.Array, k: jax.Array, *, exact: bool, repetition: bool) -> jax.Array:
    """Where N + k - 1 has lost what N differs by from a zero of the value, or N is large."""
    off = jnp.abs(N - jnp.round(N))
    beside = repetition & (N < 0.5) & (off > 0) & (off < _NEXT_TO_INTEGER)
    return beside | (k > 0) & (k < N) & (N > _MANY)


_CHOICES = "gamma(N + 1) * rgamma(k + 1) * rgamma(N - k + 1)"


@elementwise(
    source="26.3.1",
    samples=Samples(
        "gamma(N + k) * rgamma(k + 1) * rgamma(N) if repetition else "
        f"({_CHOICES} if 0 <= k <= N else mpf(0))",
        (Reals(-3, 40), Reals(-3, 40)),
        awkward=((5.0, 2.0), (5.0, 7.5), (30.0, 15.0), (4.5, 1.25), (6.25, 6.0), (0.5, 1e-6)),
        statics=({"exact": False, "repetition": False}, {"exact": False, "repetition": True}),
        flaws=(Flaw("3e-14 * (abs(N) + abs(k))", "abs(N) + abs(k) > 100"),),
    ),
    host=OnHost(_comb_on_host),
    repair=by_own(
        "N > 1e5, or, with repetition, N is less than 1e-4 from 0 or a negative integer",
        _loses_things,
        quotients_on_device.comb,
    ),
    kernel=quotients_on_device.comb,
    note=f"0 outside 0 <= k <= N, without repetition. {_EDGES} {EXACT}",
)
def comb(N: Real, k: Real, *, exact: StaticBool = False, repetition: StaticBool = False) -> Array:
    """Number of combinations of N things taken k at a time, or with repetition.

    Args:
        N: number of things, integer or not
        k: number of those taken, integer or not
        exact: whether to count with integers, not in double precision
        repetition: whether a thing may be taken again: binom(N + k - 1, k) in place of binom(N, k)

    Example:
        >>> comb(jnp.array([5.0, 52.0]), jnp.array([2.0, 5.0]))
        Array([1.00000e+01, 2.59896e+06], dtype=float64)
        >>> comb(3, 2, exact=True, repetition=True)
        Array(6, dtype=int64)
        >>> print(f"{jax.grad(comb)(5.0, 2.0):.6f}")
        4.500000
    """
    ...


rule(
    comb,
    N=closed("DLMF 5.2.2, 26.3.1", lambda *args, **static: _slopes_of_comb(*args, **static)[0]),
    k=closed("DLMF 5.2.2, 26.3.1", lambda *args, **static: _slopes_of_comb(*args, **static)[1]),
)


@elementwise(
    source="26.3.1, 5.2.5",
    samples=Samples(
        "gamma(N + 1) * rgamma(N - k + 1) if 0 <= k <= N else mpf(0)",
        (Reals(-3, 40), Reals(-3, 40)),
        awkward=((5.0, 2.0), (5.0, 7.5), (30.0, 15.0), (4.5, 1.25), (6.25, 6.0), (0.5, 1e-6)),
        statics=({"exact": False},),
        flaws=(Flaw("3e-14 * (abs(N) + abs(k))", "abs(N) + abs(k) > 100"),),
    ),
    host=OnHost(_perm_on_host),
    kernel=quotients_on_device.perm,
    note=f"0 outside 0 <= k <= N. {_EDGES} {EXACT}",
)
def perm(N: Real, k: Real, exact: StaticBool = False) -> Array:
    """Number of permutations of N things taken k at a time.

    Args:
        N: number of things, integer or not
        k: number of those taken, integer or not
        exact: whether to count with integers, not in double precision

    Example:
        >>> perm(5.0, jnp.array([2.0, 3.0]))
        Array([20., 60.], dtype=float64)
        >>> print(f"{jax.grad(perm)(5.0, 2.0):.6f}")
        9.000000
    """
    ...


rule(
    perm,
    N=closed("DLMF 5.2.2, 5.2.5", lambda *args, **static: _slopes_of_perm(*args, **static)[0]),
    k=closed("DLMF 5.2.2, 5.2.5", lambda *args, **static: _slopes_of_perm(*args, **static)[1]),
)


def _inside(N: jax.Array, k: jax.Array) -> jax.Array:
    return (k <= N) & (N >= 0) & (k >= 0)


def _slopes_of_comb(
    y: jax.Array, N: jax.Array, k: jax.Array, *, exact: bool, repetition: bool
) -> tuple[jax.Array, jax.Array]:
    if repetition:
        # Nothing of N things: 1 for N = 0 too.
        nothing = k == 0
        top = jnp.where(nothing & (N == 0), 1.0, N) + k - 1
        along_x, along_y = slopes_of_binom(y, top, k)
        # In k the two would cancel next to zeros of the value.
        usual = (k > -0.5) & (N + k > 0)
        more, fewer = jnp.where(usual, N + k, 1.0), jnp.where(usual, 1 - N, 1.0)
        direct = -y * polygamma_difference(more, fewer, n=0)
        return along_x, jnp.where(usual, direct, along_x + along_y)
    inside = _inside(N, k)
    slopes = slopes_of_binom(y, jnp.where(inside, N, 1.0), jnp.where(inside, k, 0.5))
    return jnp.where(inside, slopes[0], 0.0), jnp.where(inside, slopes[1], 0.0)


def _slopes_of_perm(
    y: jax.Array, N: jax.Array, k: jax.Array, *, exact: bool
) -> tuple[jax.Array, jax.Array]:
    inside = _inside(N, k)
    N, k = jnp.where(inside, N, 1.0), jnp.where(inside, k, 0.5)
    along_z, along_m = slopes_of_poch(y, N - k + 1, k)
    return jnp.where(inside, along_z, 0.0), jnp.where(inside, along_m - along_z, 0.0)


# -- partitions ------------------------------------------------------------------------------------


def _stirling2_on_host(N: Any, K: Any, *, exact: bool) -> np.ndarray:
    """SciPy's function refuses floating-point numbers, also integers."""
    N, K = np.asarray(N), np.asarray(K)
    integer = np.ones(np.broadcast_shapes(N.shape, K.shape), bool)
    for x in (N, K):
        if x.dtype.kind == "f":
            integer = integer & (x == np.floor(x)) & (np.abs(x) < 2.0**62)
    N, K = (x if x.dtype.kind != "f" else np.where(integer, x, 0).astype(int) for x in (N, K))
    return np.where(integer, scipy.special.stirling2(N, K, exact=exact), np.nan)


@elementwise(
    source="26.8.6",
    samples=Samples(
        "stirling2(N, K)",
        (Ints(0, 70), Ints(0, 40)),
        awkward=((0, 0), (3, 0), (0, 3), (5, 5), (7, 2), (51, 6), (50, 25)),
        statics=({"exact": False},),
        flaws=(Flaw("3e-5", "N > 50"),),
    ),
    host=OnHost(_stirling2_on_host, results="real"),
    note=f"0 for negative arguments. {EXACT}",
)
def stirling2(N: Int, K: Int, *, exact: StaticBool = False) -> Array:
    """Stirling numbers of the second kind: partitions of N things into K non-empty sets.

    Args:
        N: number of things
        K: number of sets; 0 for K > N
        exact: whether to count with integers, not in double precision

    Example:
        >>> stirling2(5, jnp.array([1, 2, 3, 4, 5]))
        Array([ 1., 15., 25., 10.,  1.], dtype=float64)
    """
    ...


rule(stirling2)
