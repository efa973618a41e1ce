"""Zeta functions and the dilogarithm (DLMF 25)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
import scipy.special
from jax.typing import ArrayLike

from jaxsci._core.double_precision import tower
from jaxsci._core.elementwise_rules import closed
from jaxsci._core.signature import parse_signature
from jaxsci.special._catalog.decorators import (
    ArgumentSpec,
    Guard,
    OnHost,
    Repair,
    RowFunction,
    Samples,
    elementwise,
    rule,
)
from jaxsci.special._catalog.domains import Complexes, Reals
from jaxsci.special._catalog.types import Array, Complex, Kind, OptionalReal, Real
from jaxsci.special._gamma.gamma import gammaln, loggamma
from jaxsci.special._gamma.kernels import spence_in_plane, spence_on_device, zeta_on_device
from jaxsci.special._gamma.kernels.zeta_in_exponent import hurwitz_in_exponent, riemann_by
from jaxsci.special._gamma.psi import psi

_riemann_in_exponent = riemann_by(gammaln, loggamma, psi)
_RIEMANN = closed("DLMF 25.2.1, 25.4.2", lambda y, x: _riemann_in_exponent(x, order=1))


def _riemann(x: jax.Array) -> Any:
    return scipy.special.zeta(x)


_riemann_zeta = RowFunction(
    _riemann,
    "zeta",
    [ArgumentSpec("x", Kind.COMPLEX, ArrayLike)],
    parse_signature("()->()"),
    ["follow"],
    None,
    True,
)
_riemann_zeta.kernel = zeta_on_device.riemann
_riemann_zeta.rules_from({"x": _RIEMANN})


_HUGE = 1e12
_FAR_LEFT = -1e7
"""SciPy adds up as many terms as there are negative ones."""


def _underflows(ys: Sequence[jax.Array], x: jax.Array, q: jax.Array) -> jax.Array:
    return jnp.isnan(ys[0]) & (x > _HUGE) & (q > 1)


@elementwise(
    source="25.11.1",
    samples=Samples(
        "zeta(x, q)",
        (Reals(1.05, 20), Reals(0.1, 30)),
        awkward=(
            (2.0, 1.0),
            (1.001, 0.5),
            (3.0, 1e-3),
            (2.5, 1e4),
            (4.0, -1.5),
            (3.0, -0.25),
            (60.0, 1.0),
        ),
    ),
    repair=Repair(
        f"x > {_HUGE:g} and q > 1, as far as SciPy's are NaN",
        _underflows,
        lambda ys, x, q: jnp.exp(-x * jnp.log1p(q - 1)),
    ),
    guard=Guard(
        f"q >= {_FAR_LEFT:g} or q is an integer",
        lambda x, q: (q >= _FAR_LEFT) | (q == q.round()),
        (2.0, 1.0),
    ),
    kernel=zeta_on_device.zeta,
    host=OnHost(scipy.special.zeta, without_last=_riemann_zeta.as_jax_function),
    note="Without q this is Riemann's zeta function (DLMF 25.2.1), x real or complex. With q, x is "
    "real, and the value is SciPy's NaN for x < 1, as are the derivatives. SciPy takes very long "
    "where |Im x| is beyond 1e8. The derivative in x is NaN where |Im x| is beyond 1e5, and for "
    "q < 0, where the value is real for integer x alone.",
)
def zeta(x: Real, q: OptionalReal = None) -> Array:
    """Hurwitz's zeta function, the sum of (k + q)^-x over k = 0, 1, ...; Riemann's without q.

    Args:
        x: exponent; inf at the pole 1
        q: where the sum starts, usually positive; inf at 0, -1, -2, ..., and between them NaN
            unless x is an integer

    Example:
        >>> zeta(jnp.array([2.0, 4.0]))  # pi^2/6, pi^4/90
        Array([1.64493407, 1.08232323], dtype=float64)
        >>> zeta(2.0, jnp.array([0.5, 3.0]))
        Array([4.9348022 , 0.39493407], dtype=float64)
        >>> print(f"{jax.grad(zeta, argnums=1)(2.0, 3.0):.6f}")
        -0.154114
    """
    ...


def _hurwitz_in_q(y: jax.Array, x: jax.Array, q: jax.Array) -> jax.Array:
    # As the value, NaN for x < 1: x + 1 has not the digits of a small x.
    return jnp.where(x < 1, y, -x * zeta(x + 1, q))


rule(
    zeta,
    x=closed("DLMF 25.11.1", lambda y, x, q: hurwitz_in_exponent(x, q, order=1)),
    q=closed("DLMF 25.11.17", _hurwitz_in_q),
)


@elementwise(
    source="25.2.1",
    samples=Samples(
        "zeta(x) - 1",
        (Reals(-20, 30),),
        awkward=(
            (0.0,),
            (-2.0,),
            (-0.5,),
            (0.5,),
            (1.001,),
            (0.999,),
            (2.0,),
            (-60.5,),
            (80.0,),
            (-2.7172628292045746,),
        ),
    ),
    repair=Repair(
        "x >= 127",
        lambda ys, x: (x >= 127) & (x < jnp.inf),
        # The second term, 3^-x, is 1e-22 of the first.
        lambda ys, x: jnp.exp2(-x),
    ),
    kernel=zeta_on_device.zetac,
)
def zetac(x: Real) -> Array:
    """Riemann's zeta function minus one, which keeps its digits for large x.

    Args:
        x: exponent, any real number; inf at the pole 1

    Example:
        >>> zetac(jnp.array([2.0, 50.0]))
        Array([6.44934067e-01, 8.88178421e-16], dtype=float64)
    """
    ...


rule(zetac, x=_RIEMANN)


@elementwise(
    source="25.12.1",
    samples=Samples(
        "polylog(2, 1 - z)",
        (Complexes(0.01, 20),),
        awkward=(
            (1 + 1e-9,),
            (1 - 1e-4,),
            (2.0,),
            (1e-12,),
            (0.5,),
            (1.5,),
            (1e6,),
            (1 + 1e-6j,),
            (1.3 + 0.4j,),
            (-1 + 1e-3j,),
        ),
    ),
    kernel=spence_on_device.spence,
    complex_kernel=spence_in_plane.spence,
)
def spence(z: Complex) -> Array:
    """Spence's function, the dilogarithm Li_2(1 - z).

    Args:
        z: any number; the cut is the negative real axis, where the function of real arguments is
            NaN

    Example:
        >>> spence(jnp.array([0.0, 0.5, 2.0]))
        Array([ 1.64493407,  0.58224053, -0.82246703], dtype=float64)
        >>> print(f"{jax.grad(spence)(0.5):.6f}")
        -1.386294
    """
    ...


rule(spence, z=closed("DLMF 25.12.2", lambda y, z: log_quotient(z, n=0)))

_NEAR_ONE = 0.5
_TERMS = 60


@tower("DLMF 4.6.3", z="n")
def log_quotient(z: jax.Array, *, n: int) -> jax.Array:
    """The n-th derivative of log(z)/(1 - z)."""
    near = jnp.abs(1 - z) < _NEAR_ONE
    t = jnp.where(near, 1 - z, 0.0)
    series = jnp.zeros_like(t)
    for k in range(_TERMS, n - 1, -1):
        series = series * t + math.perm(k, n) / (k + 1)
    # (1 - z) f = log z, differentiated n times.
    far = jnp.where(near, 2.0, z)
    value = jnp.log(far) / (1 - far)
    for k in range(1, n + 1):
        value = (k * value + (-1) ** (k - 1) * math.factorial(k - 1) / far**k) / (1 - far)
    return jnp.where(near, -((-1) ** n) * series, value)
