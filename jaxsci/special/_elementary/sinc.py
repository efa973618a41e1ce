"""The cardinal sine and its periodic kin (DLMF 3.3(vi))."""

from __future__ import annotations

import math

import jax
import jax.numpy as jnp

from jaxsci._core.double_precision import tower
from jaxsci._core.elementwise_rules import closed
from jaxsci._core.types import PyTree
from jaxsci.special._catalog.decorators import (
    OnHost,
    Samples,
    elementwise,
    rule,
)
from jaxsci.special._catalog.domains import Complexes, Ints, Reals
from jaxsci.special._catalog.types import Array, Complex, Int, Real
from jaxsci.special._elementary.kernels import dirichlet_on_device, plane_on_device
from jaxsci.special._numerics.nth_derivative import derivative


@elementwise(
    source="3.3",
    samples=Samples(
        "sinpi(x)/(pi*x) if x else mpf(1)",
        (Complexes(0.01, 20, negative=True),),
        awkward=((0.0,), (1e-3,), (1.0,), (-2.5,), (0.95,), (1e-160,)),
    ),
    host=OnHost(results="follow"),
    on_device=True,
    complex_kernel=plane_on_device.sinc,
)
def sinc(x: Complex) -> Array:
    """Cardinal sine, sin(pi x)/(pi x).

    Args:
        x: any number; the value at 0 is the limit, 1

    Example:
        >>> sinc(jnp.array([0.0, 0.5, 1.5]))
        Array([ 1.        ,  0.63661977, -0.21220659], dtype=float64)
        >>> print(f"{jax.grad(sinc)(0.5):.6f}")
        -1.273240
    """
    # Not jnp.sinc: by JAX's version it is 0 at integers, or as SciPy's value is, up to 4e-17.
    angle = math.pi * x
    return jnp.where(angle == 0, 1.0, jnp.sin(angle) / angle)


@elementwise(
    source="the Dirichlet kernel; A. Zygmund, Trigonometric Series, 3rd ed., 2003, section II.5",
    samples=Samples(
        "sin(n*x/2) / (n*sin(x/2))",
        (Reals(-12, 12), Ints(1, 20)),
        awkward=((1e-4, 7), (math.pi, 3), (6.0, 6), (25.0, 100)),
    ),
    host=OnHost(results="follow"),
    note="NaN for n <= 0.",
    kernel=dirichlet_on_device.diric,
)
def diric(x: Real, n: Int) -> Array:
    """Periodic sinc (Dirichlet) function, sin(n x/2)/(n sin(x/2)).

    Args:
        x: angle in radians, any real number; the period is 2 pi for odd n, and 4 pi for even n
        n: number of terms, positive
    """
    ...


rule(
    diric,
    x=closed("as a ratio of cardinal sines", lambda y, x, n: _slope_of_kernel(x, n)),
)

_SERIES_TERMS = 25


@tower("differentiated again", u="n")
def sine_over(u: jax.Array, *, n: int) -> jax.Array:
    """The n-th derivative of sin(u)/u."""
    near = jnp.abs(u) < max(3, n)
    small = jnp.where(near, u, 0.0)
    q = small * small
    total: PyTree = 0.0
    first = (n + 1) // 2
    for k in range(first + _SERIES_TERMS, first - 1, -1):
        total = total * q + (-1) ** k * math.perm(2 * k, n) / math.factorial(2 * k + 1)
    if n % 2:
        total = total * small
    far = jnp.where(near, 3.0, u)
    recurrence = jnp.sin(far) / far
    for k in range(1, n + 1):
        sine = (jnp.sin, jnp.cos)[k % 2](far) * (-1) ** (k // 2)
        recurrence = (sine - k * recurrence) / far
    return jnp.where(near, total, recurrence)


def _kernel(x: jax.Array, n: jax.Array) -> jax.Array:
    """The Dirichlet kernel by sin(u)/u, which is smooth at the multiples of 2 pi."""
    half, sign = dirichlet_on_device.half_angle(x, n)
    return sign * sine_over(n * half, n=0) / sine_over(half, n=0)


def _slope_of_kernel(x: jax.Array, n: jax.Array) -> jax.Array:
    n = n * jnp.ones_like(x)
    slope = derivative(lambda x: _kernel(x, n), 1)(x)
    return jnp.where(n < 1, jnp.nan, jnp.where(n == 1, 0.0, slope))


rule(sinc, x=closed("differentiated", lambda y, x: math.pi * sine_over(math.pi * x, n=1)))
