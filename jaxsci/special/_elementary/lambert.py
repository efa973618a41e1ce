"""Lambert's W function and Wright's omega (DLMF 4.13)."""

from __future__ import annotations

import jax
import jax.numpy as jnp

from jaxsci._core.elementwise_rules import closed, in_single
from jaxsci.special._catalog.decorators import (
    OnHost,
    Samples,
    elementwise,
    rule,
)
from jaxsci.special._catalog.domains import Complexes, Ints
from jaxsci.special._catalog.mending import by_own
from jaxsci.special._catalog.types import Array, Complex, Int, StaticReal
from jaxsci.special._elementary.kernels import (
    lambert_on_device,
    omega_in_plane,
    omega_on_device,
)


def _of_lambertw(w: jax.Array, z: jax.Array, k: jax.Array, *, tol: float) -> jax.Array:
    return jnp.exp(-w) / (1 + w)


@elementwise(
    source="4.13.1",
    samples=Samples(
        "lambertw(z, k)",
        (Complexes(0.01, 30, negative=True), Ints(-3, 3)),
        awkward=(
            (0.0, 0),
            (1e-9, 0),
            (-1e-9, 0),
            (-0.3, 0),
            (-0.3 + 1e-3j, -1),
            (-1e-9 + 1e-12j, -1),
            (-0.367879, 0),
            (-0.367 - 1e-3j, -1),
            (1e200, 0),
            (1e-200, 2),
            (1e-8j, 0),
            (-0.37 + 1e-3j, 0),
            (-0.37 - 1e-3j, -1),
            (-0.37 + 1e-3j, 1),
        ),
        statics=({"tol": 1e-8},),
    ),
    host=OnHost(results="complex"),
    note="The derivative is infinite in the branch point -1/e of k = 0, 1 and -1.",
    repair=by_own(
        "|z + 1/e| < 1e-7 and it is the branch point of k",
        lambert_on_device.is_beside_branch_point,
        lambert_on_device.beside_branch_point,
        # The derivative depends on 1 + W, which is small.
        within=1e-15,
        of="all",
    ),
    complex_kernel=lambert_on_device.lambertw,
)
def lambertw(z: Complex, k: Int = 0, tol: StaticReal = 1e-8) -> Array:
    """Branch k of Lambert's function: the W with W exp(W) = z.

    Args:
        z: any number; the cut is the real axis below -1/e for k = 0, and below 0 for the others.
            -1/e as rounded to double precision lies on the cut, W is complex there
        k: branch; the values are real for k = 0 and z >= -1/e, and for k = -1 and -1/e < z < 0
        tol: relative change of the value at which Halley's iteration stops

    Example:
        >>> lambertw(jnp.array([1.0, jnp.e, 10.0])).real
        Array([0.56714329, 1.        , 1.745528  ], dtype=float64)
        >>> print(f"{5 + lambertw(-5 * jnp.exp(-5.0)).real:.6f}")  # in Wien's displacement law
        4.965114
        >>> print(f"{jax.grad(lambda z: lambertw(z, -1).real)(-0.2):.6f}")
        -8.241194
    """
    ...


rule(lambertw, z=closed("DLMF 4.13.4", _of_lambertw))


def _of_wrightomega(w: jax.Array, z: jax.Array) -> jax.Array:
    """w/(1 + w), in a form of which no derivative cancels."""
    small = jnp.abs(w) < 1
    near, far = jnp.where(small, w, 0.0), jnp.where(small, 1.0, w)
    return jnp.where(small, near / (1 + near), 1 / (1 + 1 / far))


@elementwise(
    source="Corless & Jeffrey (2002), The Wright omega function",
    samples=Samples(
        "lambertw(exp(z), ceil((im(z) - pi) / (2*pi)))",
        (Complexes(0.05, 30, negative=True),),
        awkward=(
            (0.0,),
            (1.0,),
            (-40.0,),
            (-700.0,),
            (1e6,),
            (1e18,),
            (-1 + 3.1j,),
            (-1 - 3.1j,),
            (-1.001 + 3.14j,),
            (2 + 3.2j,),
            (-20 + 3.2j,),
            (-20 + 3.0j,),
            (1e5j,),
        ),
    ),
    note="The derivative is infinite in -1 + pi i and -1 - pi i.",
    kernel=omega_on_device.wrightomega,
    complex_kernel=omega_in_plane.wrightomega,
)
def wrightomega(z: Complex) -> Array:
    """Wright's omega function: the w with w + log(w) = z, which is W(exp(z)) for real z.

    Args:
        z: any number; the cuts are the half-lines where Im z is pi or -pi and Re z <= -1

    Example:
        >>> wrightomega(jnp.array([-5.0, 1.0, 1000.0]))
        Array([6.69300050e-03, 1.00000000e+00, 9.93099169e+02], dtype=float64)
        >>> print(f"{jax.grad(wrightomega)(1.0):.6f}")
        0.500000
    """
    ...


rule(wrightomega, z=in_single(3, closed("Corless & Jeffrey (2002)", _of_wrightomega)))
