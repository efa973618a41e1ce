"""The distributions of Kolmogorov and Smirnov, and their inverses."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jaxsci._core.double_precision import native
from jaxsci._core.elementwise_rules import closed, missing
from jaxsci.special._catalog.decorators import (
    Guard,
    Samples,
    elementwise,
    rule,
)
from jaxsci.special._catalog.domains import Ints, Reals
from jaxsci.special._catalog.mending import by_own
from jaxsci.special._catalog.types import Array, Int, Real
from jaxsci.special._distributions.kernels import kolmogorov_on_device
from jaxsci.special._distributions.kernels import smirnov_sums as sums
from jaxsci.special._numerics.nth_derivative import derivative

_KOLMOGOROV = "Kolmogorov (1933), Giorn. Ist. Ital. Attuari 4, 83"
_SMIRNOV = "Birnbaum and Tingey (1951), Ann. Math. Stat. 22, 592"
_IMPLICIT = "implicit function theorem"


@elementwise(
    source=_KOLMOGOROV,
    samples=Samples(
        "kolmogorov_sf(y)",
        (Reals(0.05, 6),),
        awkward=((0.8,), (0.8 - 1e-9,), (0.3,), (-1.0,), (1e-3,), (18.0,), (1.0,)),
    ),
    kernel=kolmogorov_on_device.kolmogorov,
)
def kolmogorov(y: Real) -> Array:
    """Kolmogorov's limiting distribution: the probability that it exceeds y.

    Args:
        y: largest deviation of an empirical distribution function, times sqrt(n); 1 for y <= 0

    Example:
        >>> kolmogorov(jnp.array([0.5, 1.36]))  # p-values of sqrt(n) D_n
        Array([0.96394524, 0.04948588], dtype=float64)
        >>> print(f"{jax.grad(kolmogorov)(1.36):.6f}")
        -0.269191
    """
    ...


rule(kolmogorov, y=closed("theta series, DLMF 20.7(viii)", lambda _, y: -_density(y)))


@elementwise(
    source=_KOLMOGOROV,
    samples=Samples(
        "kolmogorov_quantile(p)",
        (Reals(0, 1),),
        awkward=((0.5,), (0.544,), (1e-10,), (1e-300,), (1 - 2.0**-20,), (0.999,)),
    ),
    kernel=kolmogorov_on_device.kolmogi,
)
def kolmogi(p: Real) -> Array:
    """Inverse of Kolmogorov's limiting distribution: where `kolmogorov` is p.

    Args:
        p: probability of more, in [0, 1], with y = inf at 0; NaN outside of it

    Example:
        >>> kolmogi(jnp.array([0.05, 0.01]))  # critical values of sqrt(n) D_n
        Array([1.35809864, 1.62762361], dtype=float64)
        >>> print(f"{jax.grad(kolmogi)(0.05):.6f}")
        -3.681790
    """
    ...


rule(kolmogi, p=closed(_IMPLICIT, lambda y, p: -_reciprocal_density(y, p)))

_CROSSING = 0.8
_NO_MORE = 0.04
"""Below it 1 - kolmogorov(y), and every derivative, is less than the smallest number."""


def _by_image(y: jax.Array) -> tuple[Any, Any, Any]:
    """With f the density: log f, f/(1 - K) and log(1 - K) by the theta series in 1/y^2."""
    y = jnp.where(y < _CROSSING, jnp.maximum(y, _NO_MORE), _CROSSING)
    c = np.pi**2 / (8 * y * y)
    decays = [(k * k, jnp.exp(-(k * k - 1) * c)) for k in (5, 3, 1)]
    slope = sum((2 * square * c - 1) * decay for square, decay in decays)
    whole = sum(decay for _, decay in decays)
    return jnp.log(np.sqrt(2 * np.pi) * slope) - 2 * jnp.log(y) - c, slope / (whole * y), c


def _directly(y: jax.Array) -> tuple[Any, Any]:
    """With f the density: log f and f/K, by the series in exp(-2 y^2)."""
    y = jnp.where(y < _CROSSING, _CROSSING, jnp.minimum(y, 1e100))
    decays = [(k, -((-1) ** k) * jnp.exp(-2 * (k * k - 1) * y * y)) for k in (6, 5, 4, 3, 2, 1)]
    slope = sum(k * k * decay for k, decay in decays)
    whole = sum(decay for _, decay in decays)
    return jnp.log(8 * y * slope) - 2 * y * y, 4 * y * slope / whole


@native()
def _log_density(y: jax.Array) -> jax.Array:
    return jnp.where(y < _CROSSING, _by_image(y)[0], _directly(y)[0])


def _density(y: jax.Array) -> jax.Array:
    return jnp.where(y < _NO_MORE, 0.0, jnp.exp(_log_density(y)))


@native()
def _reciprocal_density(y: jax.Array, p: jax.Array) -> jax.Array:
    """1/f(y), where the function is p: that does not magnify the error of y."""
    upper = y >= _CROSSING
    inside = (p > 0) & (p < 1)
    tail = jnp.where(upper, p, 1 - p)
    relative = jnp.where(upper, _directly(y)[1], _by_image(y)[1])
    out = jnp.where((p == 0) | (p == 1), jnp.inf, jnp.nan)
    return jnp.where(inside, 1 / (jnp.where(inside, tail, 1.0) * relative), out)


def _slope_of_log(y: jax.Array) -> jax.Array:
    return derivative(_log_density, 1)(y)


_reciprocal_density.partials(
    y=closed("chain rule", lambda r, y, p: -r * _slope_of_log(y)),
    p=closed("held fixed", lambda r, y, p: jnp.zeros_like(r)),
)


# -- finitely many observations --------------------------------------------------------------------


_OBSERVATIONS = Ints(1, 60)
_MANY = 1_000_000
"""Above it SciPy has the leading terms in 1/n, which have six digits."""
_MOST_OF_INVERSE = 20_000
"""Above it SciPy's inverse takes more than ten seconds at points, and from 80,000 on for ever."""


@elementwise(
    source=_SMIRNOV,
    samples=Samples(
        "smirnov_sf(n, d)",
        (_OBSERVATIONS, Reals(0, 1)),
        awkward=(
            (1, 0.3),
            (2, 0.5),
            (2, 0.75),
            (5, 0.1),
            (10, 1e-9),
            (10, 0.3 - 1e-9),
            (400, 0.02),
            (400, 0.03),
            (300, 0.1),
            (50, 0.9),
        ),
    ),
    note="At integer n d, from one polynomial to the next, the derivative that jumps is the mean "
    "of both sides.",
    kernel=sums.smirnov,
    repair=by_own(f"n > {_MANY:,}", lambda n, d: n > _MANY, sums.smirnov, few=True),
)
def smirnov(n: Int, d: Real) -> Array:
    """Smirnov's distribution: the probability that the one-sided deviation D_n+ exceeds d.

    Args:
        n: number of observations, 1 or more; NaN for n < 1
        d: deviation of the empirical distribution function to one side, in [0, 1]; NaN outside of
            it

    Example:
        >>> smirnov(10, jnp.array([0.1, 0.3]))  # p-values
        Array([0.76420523, 0.13546356], dtype=float64)
        >>> print(f"{jax.grad(smirnov, argnums=1)(10, 0.33):.6f}")
        -1.290805
    """
    ...


rule(smirnov, d=closed("differentiated term by term", lambda y, n, d: sums.derivative(n, d, k=1)))


@elementwise(
    source=_SMIRNOV,
    samples=Samples(
        "smirnov_quantile(n, p)",
        (_OBSERVATIONS, Reals(0, 1)),
        awkward=((1, 0.3), (2, 0.1), (2, 1e-30), (10, 1e-12), (10, 1 - 2.0**-20), (400, 0.2)),
    ),
    kernel=sums.smirnovi,
    guard=Guard(f"n <= {_MOST_OF_INVERSE:,}", lambda n, p: n <= _MOST_OF_INVERSE, (1, 0.5)),
    repair=by_own(
        f"n > {_MOST_OF_INVERSE:,}",
        lambda n, p: n > _MOST_OF_INVERSE,
        sums.smirnovi,
        few=True,
    ),
)
def smirnovi(n: Int, p: Real) -> Array:
    """Inverse of Smirnov's distribution in d: where `smirnov` is p.

    Args:
        n: number of observations, 1 or more; NaN for n < 1
        p: probability of more, in [0, 1]; NaN outside of it

    Example:
        >>> smirnovi(10, jnp.array([0.05, 0.01]))  # critical values
        Array([0.36866333, 0.45662378], dtype=float64)
        >>> print(f"{jax.grad(smirnovi, argnums=1)(10, 0.05):.6f}")
        -1.242923
    """
    ...


rule(smirnovi, p=closed(_IMPLICIT, lambda d, n, p: _slope_of_quantile(n, p, d)))


@native()
def _slope_of_quantile(n: Any, p: jax.Array, d: jax.Array) -> jax.Array:
    """dd/dp, where smirnov(n, d) = p."""
    n = jnp.asarray(n, float)
    # There the function is (1 - d)^n, and d, near 1, knows less than p.
    last = (p < jnp.exp(-n * jnp.log(n))) & (p > 0)
    value = jnp.where(last, p, 0.5)
    return jnp.where(last, -(value ** (1 / n - 1)) / n, 1 / sums.derivative(n, d, k=1))


def _curvature(y: jax.Array, n: jax.Array, p: jax.Array, d: jax.Array) -> jax.Array:
    n = jnp.asarray(n, float)
    last = (p < jnp.exp(-n * jnp.log(n))) & (p > 0)
    value = jnp.where(last, p, 0.5)
    return jnp.where(last, y * (1 / n - 1) / value, -sums.derivative(n, d, k=2) * y * y * y)


_slope_of_quantile.partials(
    n=missing("it is a number of observations"),
    p=closed("chain rule", _curvature),
    d=closed("contained in the other", lambda y, n, p, d: jnp.zeros_like(y)),
)
