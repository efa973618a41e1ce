"""Exponential, sine and cosine integrals (DLMF 6.2, 8.19)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci._core.double_precision import native
from jaxsci._core.elementwise_rules import closed, in_single, missing
from jaxsci.special._catalog.decorators import (
    Repair,
    Samples,
    elementwise,
    rule,
)
from jaxsci.special._catalog.domains import Complexes, Ints, Reals
from jaxsci.special._catalog.types import Array, Complex, Int, Real
from jaxsci.special._error.kernels import (
    exponential_on_device,
    integrals_in_plane,
    trigonometric_on_device,
)
from jaxsci.special._error.kernels.quotient_of_sine import quotient_of_sine

_SMALL = ((1e-8,), (1e-3,), (0.5,), (1.0,))
_OFF_THE_CUT = ((0.3 - 0.4j,), (2.5 - 3j,), (-5 + 1e-3j,), (-30 - 2j,), (1e-4j,))


def _of_exp1(y: jax.Array, z: jax.Array) -> jax.Array:
    if not jnp.iscomplexobj(z):
        z = jnp.where(z < 0, jnp.nan, z)
    return -jnp.exp(-z) / z


@elementwise(
    source="6.2.1",
    samples=Samples(
        "e1(z)", (Complexes(0.02, 40),), awkward=(*_SMALL, (1e-120,), (300.0,), *_OFF_THE_CUT)
    ),
    kernel=exponential_on_device.exp1,
    complex_kernel=integrals_in_plane.exp1,
)
def exp1(z: Complex) -> Array:
    """Exponential integral E_1(z), of exp(-t)/t from z to infinity; NaN for real z < 0.

    Args:
        z: any number; infinite at 0. The cut of the complex function is the negative real axis

    Example:
        >>> exp1(jnp.array([0.01, 0.1, 1.0]))  # Theis's well function
        Array([4.03792958, 1.82292396, 0.21938393], dtype=float64)
        >>> print(f"{jax.grad(exp1)(1.0):.6f}")
        -0.367879
    """
    ...


rule(exp1, z=in_single(3, closed("DLMF 6.2.1", _of_exp1)))


@elementwise(
    source="6.2.5",
    samples=Samples(
        "ei(x)",
        (Complexes(0.02, 40, negative=True),),
        awkward=(*_SMALL[:-1], (1.25,), (1e-120,), (0.3725074107813666,), (300.0,), *_OFF_THE_CUT),
    ),
    kernel=exponential_on_device.expi,
    complex_kernel=integrals_in_plane.expi,
)
def expi(x: Complex) -> Array:
    """Exponential integral Ei(x), the principal value of exp(t)/t from -infinity to x.

    Args:
        x: any number; minus infinity at 0. The cut of the complex function is the negative real
            axis, and on it the value is the real one

    Example:
        >>> expi(jnp.log(jnp.array([100.0, 1000.0])))  # about the number of primes
        Array([ 30.12614158, 177.60965799], dtype=float64)
        >>> print(f"{jax.grad(expi)(2.0):.6f}")
        3.694528
    """
    ...


rule(expi, x=closed("DLMF 6.2.5", lambda y, x: jnp.exp(x) / x))


@elementwise(
    source="8.19.3",
    samples=Samples(
        "expint(n, x)",
        (Ints(0, 60), Reals(0.02, 60)),
        awkward=(
            (0, 1e-3),
            (0, 2.0),
            (1, 1e-8),
            (1, 1.0),
            (2, 1e-3),
            (3, 1e-8),
            (5, 300.0),
            (2, 1.0),
        ),
    ),
    note="SciPy has no values for n < 0 and for x < 0.",
    kernel=exponential_on_device.expn,
)
def expn(n: Int, x: Real) -> Array:
    """Generalized exponential integral E_n(x), of exp(-x t)/t^n over t from 1 to infinity.

    Args:
        n: order, not negative
        x: real and not negative; at 0 the value is 1/(n - 1), infinite for n = 0 and 1

    Example:
        >>> expn(3, jnp.array([0.0, 0.5, 2.0]))  # half the flux that passes a layer of gas
        Array([0.5       , 0.22160436, 0.03013338], dtype=float64)
        >>> print(f"{jax.grad(expn, 1)(3, 0.5):.6f}")
        -0.326644
    """
    ...


rule(expn, x=closed("DLMF 8.19.13", lambda y, n, x: -lowered_expn(n, x, k=1)))


def _of_sici(y: Sequence[jax.Array], x: jax.Array) -> tuple[jax.Array, ...]:
    return quotient_of_sine(x, n=0, sign=-1), jnp.cos(x) / x


@elementwise(
    source="6.2.9",
    samples=Samples(
        "si(x); ci(x)",
        (Complexes(0.02, 40),),
        awkward=(*_SMALL, (300.0,), (1e4,), (1e-120,), *_OFF_THE_CUT),
    ),
    outputs=("si", "ci"),
    note="For real x < 0 the second value is Ci(|x|).",
    kernel=trigonometric_on_device.sici,
    complex_kernel=integrals_in_plane.sici,
    repair=Repair(
        "x is -inf", lambda ys, x: x == -jnp.inf, lambda ys, x: jnp.zeros_like(x), results=(1,)
    ),
)
def sici(x: Complex) -> tuple[Array, Array]:
    """Sine and cosine integrals Si(x) and Ci(x).

    Args:
        x: any number; Ci is minus infinity at 0. The cut of the complex Ci is the negative real
            axis, and on it the value is that from above

    Example:
        >>> si, ci = sici(jnp.array([1.0, jnp.pi, 10.0]))
        >>> 2 / jnp.pi * si  # at pi the overshoot of a Fourier series (Gibbs)
        Array([0.60229519, 1.17897974, 1.05573687], dtype=float64)
        >>> print(f"{jax.grad(lambda x: sici(x)[1])(1.0):.6f}")
        0.540302
    """
    ...


rule(sici, x=closed("DLMF 6.2.9, 6.2.11", _of_sici))


def _of_shichi(y: Sequence[jax.Array], x: jax.Array) -> tuple[jax.Array, ...]:
    return quotient_of_sine(x, n=0, sign=1), jnp.cosh(x) / x


@elementwise(
    source="6.2.15",
    samples=Samples(
        "shi(x); chi(x)",
        (Complexes(0.02, 40),),
        awkward=(*_SMALL, (300.0,), (1e-120,), *_OFF_THE_CUT),
    ),
    outputs=("shi", "chi"),
    note="For real x < 0 the second value is Chi(|x|).",
    kernel=trigonometric_on_device.shichi,
    complex_kernel=integrals_in_plane.shichi,
)
def shichi(x: Complex) -> tuple[Array, Array]:
    """Hyperbolic sine and cosine integrals Shi(x) and Chi(x).

    Args:
        x: any number; Chi is minus infinity at 0. The cut of the complex Chi is the negative real
            axis, and on it the value is that from above

    Example:
        >>> shi, chi = shichi(jnp.array([0.5, 1.0, 2.0]))
        >>> shi
        Array([0.50699675, 1.05725088, 2.50156743], dtype=float64)
        >>> print(f"{jax.grad(lambda x: shichi(x)[1])(1.0):.6f}")
        1.543081
    """
    ...


rule(shichi, x=closed("DLMF 6.2.15, 6.2.16", _of_shichi))


@native()
def lowered_expn(n: Any, x: jax.Array, *, k: int) -> jax.Array:
    """E_{n-k}(x), by a recurrence without cancellation where n - k < 1 (DLMF 8.19.12)."""
    order = n - k
    value = expn(jnp.maximum(order, 0).astype(int), x)
    below = jnp.exp(-x) / x
    for j in range(k):
        value = jnp.where(order == -j, below, value)
        below = (jnp.exp(-x) + (j + 1) * below) / x
    value = jnp.where(order == -k, below, value)
    return jnp.where((n < 0) | (x < 0), jnp.nan, value)


lowered_expn.partials(
    n=missing("it is an integer"),
    x=closed("DLMF 8.19.13", lambda y, n, x, *, k: -lowered_expn(n, x, k=k + 1)),
)
