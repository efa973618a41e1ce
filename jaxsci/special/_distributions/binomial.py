"""Binomial and negative binomial distribution functions and their inverses (DLMF 8.17)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci._core.elementwise_rules import closed
from jaxsci.special._catalog.decorators import (
    Flaw,
    Repair,
    Samples,
    elementwise,
    rule,
)
from jaxsci.special._catalog.domains import Ints, Reals
from jaxsci.special._catalog.mending import by_own
from jaxsci.special._catalog.types import Array, Int, Real
from jaxsci.special._distributions.beta import fdtr
from jaxsci.special._distributions.kernels import beta_on_device, shapes_on_device
from jaxsci.special._distributions.kernels.inverse_rules import inverse_rules
from jaxsci.special._incomplete.incomplete import betainc, betaincc, betainccinv, betaincinv
from jaxsci.special._incomplete.kernels.beta_shape import incomplete_beta_slopes
from jaxsci.special._incomplete.kernels.densities import beta_density
from jaxsci.special._numerics.quotients import quotient

_MANY = Flaw("1e-14*n", "n > 200")
_MANY_NEGATIVE = Flaw("1e-14*(n + k)", "n + k > 200")
# SciPy's search stops at this change of its result.
_SEARCHED = Flaw("1e-10", "0 < y < 1")
_PROBABILITY = Reals(0.01, 0.99)
_VERY_MANY, _SMALL = 1e6, 1e-5
"""From so many trials on SciPy's functions may be off by 1e-8, and so may inverses at smaller
probabilities, of which SciPy takes the complement."""
_BINOMIAL = (Ints(0, 20), Ints(20, 60), _PROBABILITY)
_BINOMIAL_POINTS = (
    (0, 5, 0.0),
    (2, 5, 0.0),
    (0, 1, 0.5),
    (5, 5, 0.25),
    (1, 7, 1e-8),
    (500, 1000, 0.5),
    (3, 2000, 0.01),
)
_BELOW = "binomial(n, j) * {p}**j * (1 - {p})**(n - j) for j in range({first}, {end})"


def _binomial(p: str, first: str, end: str) -> str:
    return f"fsum({_BELOW.format(p=p, first=first, end=end)})"


def _is_count(k: jax.Array, n: jax.Array) -> jax.Array:
    return (k >= 0) & (k < n)


def _mended_binomial(function: Callable[..., jax.Array]) -> Repair:
    return by_own(
        "n > 1e6",
        lambda k, n, p: (n > _VERY_MANY) & _is_count(k, n) & (p > 0) & (p < 1),
        lambda k, n, p: function(jnp.floor(k) + 1, jnp.trunc(n) - jnp.floor(k), p),
    )


def _mended_negative(function: Callable[..., jax.Array]) -> Repair:
    return by_own(
        "n + k > 1e6",
        lambda k, n, p: (n + k > _VERY_MANY) & (k >= 0) & (n >= 1) & (p > 0) & (p < 1),
        lambda k, n, p: function(jnp.trunc(n), jnp.floor(k) + 1, p),
    )


@elementwise(
    source="8.17.5",
    samples=Samples(
        _binomial("p", "0", "k + 1"),
        _BINOMIAL,
        awkward=(*_BINOMIAL_POINTS, (5000, 10000, 0.51)),
        flaws=(_MANY,),
    ),
    repair=_mended_binomial(betaincc),
    kernel=beta_on_device.bdtr,
)
def bdtr(k: Int, n: Int, p: Real) -> Array:
    """Binomial distribution function: the probability of at most k successes among n.

    Args:
        k: number of successes, from 0 to n; NaN elsewhere
        n: number of trials
        p: probability of a success, in [0, 1]; NaN outside of it

    Example:
        >>> bdtr(2, 10, jnp.array([0.3, 0.5]))
        Array([0.38278279, 0.0546875 ], dtype=float64)
        >>> print(f"{jax.grad(bdtr, argnums=2)(2, 10, 0.3):.6f}")
        -2.668279
    """
    ...


rule(bdtr, p=closed("DLMF 8.17.1, 8.17.5", lambda y, k, n, p: -_of_binomial(k, n, p)))


@elementwise(
    source="8.17.5",
    samples=Samples(
        _binomial("p", "k + 1", "n + 1"), _BINOMIAL, awkward=_BINOMIAL_POINTS, flaws=(_MANY,)
    ),
    repair=_mended_binomial(betainc),
    kernel=beta_on_device.bdtrc,
)
def bdtrc(k: Int, n: Int, p: Real) -> Array:
    """Complement of the binomial distribution function: more than k successes among n.

    Args:
        k: number of successes, up to n; 1 for k < 0, and NaN for k > n
        n: number of trials
        p: probability of a success, in [0, 1]; NaN outside of it

    Example:
        >>> bdtrc(5, 10, jnp.array([0.3, 0.5]))  # p-values of 6 successes or more
        Array([0.04734899, 0.37695313], dtype=float64)
        >>> print(f"{jax.grad(bdtrc, argnums=2)(5, 10, 0.3):.6f}")
        0.735138
    """
    ...


rule(bdtrc, p=closed("DLMF 8.17.1, 8.17.5", lambda y, k, n, p: _of_binomial(k, n, p)))


def _of_binomial(k: jax.Array, n: jax.Array, p: jax.Array) -> jax.Array:
    """-d/dp bdtr(k, n, p)."""
    k, n = _rounded(k, jnp.floor), _rounded(n, jnp.trunc)
    return beta_density(k + 1, n - k, p, 1 - p)


def _refined(p: jax.Array, value: jax.Array, y: jax.Array, slope: jax.Array) -> jax.Array:
    """SciPy's inverse after a step of Newton's, which to a derivative is a constant.

    Where n is large SciPy's bdtri and nbdtri lose the digits that its bdtr and nbdtr lose; its F
    distribution is the same incomplete beta function and loses none.
    """
    step = jax.lax.stop_gradient((y - value) / slope)
    return p + jnp.where(jnp.abs(step) < 1e-6 * p, step, 0.0)


def _of_bdtri(p: jax.Array, k: jax.Array, n: jax.Array, y: jax.Array) -> jax.Array:
    successes, failures = (
        _rounded(k, jnp.floor) + 1,
        _rounded(n, jnp.trunc) - _rounded(k, jnp.floor),
    )
    at = jax.lax.stop_gradient(p)
    value = fdtr(2 * failures, 2 * successes, (1 - at) / at * successes / failures)
    p = _refined(p, value, jax.lax.stop_gradient(y), -_of_binomial(k, n, at))
    return -quotient(1.0, _of_binomial(k, n, p))


def _rounded(k: jax.Array, rounded: Callable[..., Any]) -> jax.Array:
    """SciPy's own rounding of what should be an integer, as double."""
    return rounded(jnp.asarray(k, jnp.float64))


@elementwise(
    source="8.17.5",
    samples=Samples(
        "root_in_unit_interval(lambda p: lower_beta(n - k, k + 1, 1 - p)/y - 1)",
        (Ints(0, 20), Ints(21, 60), _PROBABILITY),
        awkward=((0, 5, 0.25), (2, 5, 1e-6), (0, 1, 0.5), (4, 5, 0.999), (50, 100, 0.5)),
        flaws=(_MANY,),
    ),
    repair=by_own(
        "y < 1e-5 or n > 1e6",
        lambda k, n, y: _is_count(k, n) & ((y < _SMALL) | (n > _VERY_MANY)) & (y > 0) & (y < 1),
        lambda k, n, y: betainccinv(jnp.floor(k) + 1, jnp.trunc(n) - jnp.floor(k), y),
    ),
    kernel=beta_on_device.bdtri,
)
def bdtri(k: Int, n: Int, y: Real) -> Array:
    """Inverse of the binomial distribution function: the p with bdtr(k, n, p) = y.

    Args:
        k: number of successes, from 0 to n - 1; NaN elsewhere
        n: number of trials
        y: probability of at most k successes, in [0, 1]; NaN outside of it

    Example:
        >>> bdtri(3, 10, jnp.array([0.05, 0.025]))  # upper 95 and 97.5 % confidence limits of p
        Array([0.60662422, 0.65245285], dtype=float64)
        >>> print(f"{jax.grad(bdtri, argnums=2)(3, 10, 0.025):.6f}")
        -2.432153
    """
    ...


rule(bdtri, y=closed("implicit function theorem, DLMF 8.17.1", _of_bdtri))


def _between(k: jax.Array, n: jax.Array, p: jax.Array) -> jax.Array:
    """The binomial distribution function between integers."""
    return betaincc(k + 1, n - k, p)


def _slopes_between(
    places: Sequence[int], k: jax.Array, n: jax.Array, p: jax.Array
) -> list[jax.Array]:
    needed = sorted({j for place in places for j in ((0, 1), (0,), (2,))[place]})
    slopes = incomplete_beta_slopes(needed, n - k, k + 1, 1 - p, p)
    of = dict(zip(needed, slopes, strict=True))
    in_each = (lambda: of[1] - of[0], lambda: of[0], lambda: -of[2])
    return [in_each[place]() for place in places]


@elementwise(
    source="8.17.5",
    samples=Samples(
        "n * root_in_unit_interval(lambda u: lower_beta(n - n*u, n*u + 1, 1 - p)/y - 1)",
        (Reals(0.3, 0.7), Reals(10, 40), Reals(0.3, 0.6)),
        awkward=((0.5, 10.0, 0.5),),
        flaws=(_SEARCHED,),
    ),
    kernel=shapes_on_device.bdtrik,
)
def bdtrik(y: Real, n: Real, p: Real) -> Array:
    """Inverse of the binomial distribution function: the k with bdtr(k, n, p) = y.

    Between integers k stands in the incomplete beta function that bdtr is.

    Args:
        y: probability of at most k successes, in (0, 1): below that of none the value is 0, outside
            of [0, 1] NaN
        n: number of trials, any positive number; NaN for n < 0
        p: probability of a success, in (0, 1); NaN outside of [0, 1]

    Example:
        >>> bdtrik(jnp.array([0.5, 0.95]), 20.0, 0.3)
        Array([5.43128256, 8.95570072], dtype=float64)
    """
    ...


rule(bdtrik, **inverse_rules(("y", "n", "p"), 0, _slopes_between, _between))


@elementwise(
    source="8.17.5",
    samples=Samples(
        "k + positive_root(lambda m: lower_beta(m, k + 1, 1 - p)/y - 1)",
        (Reals(1, 20), Reals(0.1, 0.9), Reals(0.1, 0.9)),
        awkward=((3.0, 0.5, 0.5),),
        flaws=(_SEARCHED,),
    ),
    kernel=shapes_on_device.bdtrin,
)
def bdtrin(k: Real, y: Real, p: Real) -> Array:
    """Inverse of the binomial distribution function: the n with bdtr(k, n, p) = y.

    Between integers n stands in the incomplete beta function that bdtr is.

    Args:
        k: number of successes, not negative; NaN for k < 0
        y: probability of at most k successes, in (0, 1); NaN outside of [0, 1]
        p: probability of a success, in (0, 1); NaN outside of [0, 1]

    Example:
        >>> bdtrin(3.0, 0.05, jnp.array([0.3, 0.5]))  # for 4 successes with 95 % certainty
        Array([23.31191938, 12.82769509], dtype=float64)
    """
    ...


rule(bdtrin, **inverse_rules(("k", "y", "p"), 1, _slopes_between, _between))


def _of_nbdtri(p: jax.Array, k: jax.Array, n: jax.Array, y: jax.Array) -> jax.Array:
    failures, successes = _rounded(k, jnp.floor) + 1, _rounded(n, jnp.trunc)
    at = jax.lax.stop_gradient(p)
    value = fdtr(2 * successes, 2 * failures, at / (1 - at) * failures / successes)
    p = _refined(p, value, jax.lax.stop_gradient(y), _of_negative(k, n, at))
    return quotient(1.0, _of_negative(k, n, p))


# -- negative binomial -----------------------------------------------------------------------------


_NEGATIVE = (Ints(0, 30), Ints(1, 20), _PROBABILITY)
_NEGATIVE_POINTS = (
    (0, 1, 0.0),
    (2, 1, 0.0),
    (2, 5, 0.0),
    (0, 1, 1.0),
    (1, 7, 1e-8),
    (500, 600, 0.5),
    (5, 2000, 0.995),
)


def _failures(k: str, n: str, p: str) -> str:
    """The probability of fewer than n events, at which the k-th of the other kind has come."""
    return f"{p}**({k}) * fsum(binomial({k} + j - 1, j) * (1 - {p})**j for j in range({n}))"


@elementwise(
    source="8.17.24",
    samples=Samples(
        _failures("n", "k + 1", "p"), _NEGATIVE, awkward=_NEGATIVE_POINTS, flaws=(_MANY_NEGATIVE,)
    ),
    repair=_mended_negative(betainc),
    kernel=beta_on_device.nbdtr,
)
def nbdtr(k: Int, n: Int, p: Real) -> Array:
    """Negative binomial distribution function: at most k failures before the n-th success.

    Args:
        k: number of failures, 0 or more; NaN for k < 0
        n: number of successes to wait for, 1 or more; NaN for n < 1
        p: probability of a success, in [0, 1]; NaN outside of it

    Example:
        >>> nbdtr(8, 5, jnp.array([0.3, 0.5]))
        Array([0.34568644, 0.86657715], dtype=float64)
        >>> print(f"{jax.grad(nbdtr, argnums=2)(8, 5, 0.5):.6f}")
        1.571045
    """
    ...


rule(nbdtr, p=closed("DLMF 8.17.1", lambda y, k, n, p: _of_negative(k, n, p)))


@elementwise(
    source="8.17.24",
    samples=Samples(
        _failures("k + 1", "n", "(1 - p)"),
        _NEGATIVE,
        awkward=_NEGATIVE_POINTS,
        flaws=(_MANY_NEGATIVE,),
    ),
    repair=_mended_negative(betaincc),
    kernel=beta_on_device.nbdtrc,
)
def nbdtrc(k: Int, n: Int, p: Real) -> Array:
    """Complement of the negative binomial distribution function: more than k failures first.

    Args:
        k: number of failures, 0 or more; NaN for k < 0
        n: number of successes to wait for, 1 or more; NaN for n < 1
        p: probability of a success, in [0, 1]; NaN outside of it

    Example:
        >>> nbdtrc(8, 5, jnp.array([0.3, 0.5]))
        Array([0.65431356, 0.13342285], dtype=float64)
        >>> print(f"{jax.grad(nbdtrc, argnums=2)(8, 5, 0.5):.6f}")
        -1.571045
    """
    ...


rule(nbdtrc, p=closed("DLMF 8.17.1", lambda y, k, n, p: -_of_negative(k, n, p)))


def _of_negative(k: jax.Array, n: jax.Array, p: jax.Array) -> jax.Array:
    """d/dp nbdtr(k, n, p)."""
    k, n = _rounded(k, jnp.floor), _rounded(n, jnp.trunc)
    return beta_density(n, k + 1, p, 1 - p)


@elementwise(
    source="8.17.24",
    samples=Samples(
        "root_in_unit_interval(lambda p: lower_beta(n, k + 1, p)/y - 1)",
        _NEGATIVE,
        awkward=((0, 5, 0.25), (2, 5, 1e-6), (0, 1, 0.5), (4, 5, 0.999), (50, 60, 0.5)),
        flaws=(_MANY_NEGATIVE,),
    ),
    repair=by_own(
        "y < 1e-5, y > 1 - 1e-5 or n + k > 1e6",
        lambda k, n, y: (
            (k >= 0)
            & (n >= 1)
            & ((y < _SMALL) | (1 - y < _SMALL) | (n + k > _VERY_MANY))
            & (y > 0)
            & (y < 1)
        ),
        lambda k, n, y: betaincinv(jnp.trunc(n), jnp.floor(k) + 1, y),
    ),
    kernel=beta_on_device.nbdtri,
)
def nbdtri(k: Int, n: Int, y: Real) -> Array:
    """Inverse of the negative binomial distribution function: the p with nbdtr(k, n, p) = y.

    Args:
        k: number of failures, 0 or more; NaN for k < 0
        n: number of successes to wait for, 1 or more; NaN for n < 1
        y: probability of at most k failures, in [0, 1]; NaN outside of it

    Example:
        >>> nbdtri(8, 5, jnp.array([0.5, 0.95]))
        Array([0.35016339, 0.57261934], dtype=float64)
    """
    ...


rule(nbdtri, y=closed("implicit function theorem, DLMF 8.17.1", _of_nbdtri))


def _negative_between(k: jax.Array, n: jax.Array, p: jax.Array) -> jax.Array:
    """The negative binomial distribution function between integers."""
    return betainc(n, k + 1, p)


def _negative_slopes_between(
    places: Sequence[int], k: jax.Array, n: jax.Array, p: jax.Array
) -> list[jax.Array]:
    return incomplete_beta_slopes([(1, 0, 2)[place] for place in places], n, k + 1, p, 1 - p)


@elementwise(
    source="8.17.24",
    samples=Samples(
        "positive_root(lambda k: lower_beta(n, k + 1, p)/y - 1)",
        (Reals(0.6, 0.95), Reals(1, 15), Reals(0.1, 0.5)),
        awkward=((0.75, 5.0, 0.5),),
        flaws=(_SEARCHED,),
    ),
    kernel=shapes_on_device.nbdtrik,
)
def nbdtrik(y: Real, n: Real, p: Real) -> Array:
    """Inverse of the negative binomial distribution function: the k with nbdtr(k, n, p) = y.

    Between integers k stands in the incomplete beta function that nbdtr is.

    Args:
        y: probability of at most k failures, in (0, 1): below that of none the value is 0, outside
            of [0, 1] NaN
        n: number of successes to wait for, any positive number; NaN for n < 0
        p: probability of a success, in (0, 1); NaN outside of [0, 1]

    Example:
        >>> nbdtrik(jnp.array([0.5, 0.95]), 5.0, 0.5)
        Array([ 4.        , 10.39568917], dtype=float64)
    """
    ...


rule(nbdtrik, **inverse_rules(("y", "n", "p"), 0, _negative_slopes_between, _negative_between))


@elementwise(
    source="8.17.24",
    samples=Samples(
        "positive_root(lambda n: lower_beta(n, k + 1, p)/y - 1)",
        (Reals(0, 30), Reals(0.1, 0.9), Reals(0.1, 0.9)),
        awkward=((0.0, 0.5, 0.5), (5.0, 0.25, 0.5)),
        flaws=(_SEARCHED,),
    ),
    kernel=shapes_on_device.nbdtrin,
)
def nbdtrin(k: Real, y: Real, p: Real) -> Array:
    """Inverse of the negative binomial distribution function: the n with nbdtr(k, n, p) = y.

    Between integers n stands in the incomplete beta function that nbdtr is.

    Args:
        k: number of failures, not negative; NaN for k < 0
        y: probability of at most k failures, in (0, 1); NaN outside of [0, 1]
        p: probability of a success, in (0, 1); NaN outside of [0, 1]

    Example:
        >>> nbdtrin(8.0, jnp.array([0.5, 0.95]), 0.5)
        Array([9.        , 3.49098804], dtype=float64)
    """
    ...


rule(nbdtrin, **inverse_rules(("k", "y", "p"), 1, _negative_slopes_between, _negative_between))
