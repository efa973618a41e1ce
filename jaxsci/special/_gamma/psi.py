"""The digamma function and polygamma functions (DLMF 5.2, 5.15)."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np
import scipy.special

from jaxsci._core.elementwise_rules import closed
from jaxsci.special._catalog.decorators import (
    Flaw,
    OnHost,
    Samples,
    alias,
    elementwise,
    rule,
)
from jaxsci.special._catalog.domains import Complexes, Ints, Reals
from jaxsci.special._catalog.mending import by_own
from jaxsci.special._catalog.types import Array, Complex, Int, Real
from jaxsci.special._gamma.kernels import on_device, plane_on_device, polygamma_on_device
from jaxsci.special._gamma.kernels.polygamma import polygamma_function

_PLANE = Complexes(0.05, 60, negative=True)
_POINTS = (
    (1.0,),
    (0.5,),
    (1e-8,),
    (1.4616321449683623,),
    (-0.5040830082644554,),
    (-7.25,),
    (-3.0000001,),
    (1e-120,),
    (1e5,),
    (1e17,),
    (0.3 + 250j,),
    (-40.2 + 1e-3j,),
    (-1e4 + 3j,),
)


@elementwise(
    source="5.2.2",
    samples=Samples("digamma(z)", (_PLANE,), awkward=_POINTS),
    kernel=on_device.psi,
    complex_kernel=plane_on_device.psi,
)
def psi(z: Complex) -> Array:
    """The digamma function, the logarithmic derivative of the gamma function.

    Args:
        z: any number; at the poles 0, -1, -2, ... NaN, but for a real zero -inf or inf by its sign

    Example:
        >>> digamma(jnp.array([0.5, 10.0]))
        Array([-1.96351003,  2.25175259], dtype=float64)
        >>> print(f"{jax.grad(psi)(1.0):.6f}")  # pi^2/6
        1.644934
    """
    ...


rule(psi, z=closed("DLMF 5.15.1", lambda y, z: polygamma_function(z, n=1)))
alias("digamma", psi)


# -- of every order --------------------------------------------------------------------------------

_SLOW = -1e5  # SciPy adds up |x| terms for a negative x: here they take 0.2 seconds


def _polygamma_on_host(n: Any, x: Any) -> Any:
    x = np.asarray(x)
    slow = (x < _SLOW) & (x != np.floor(x))
    return scipy.special.polygamma(n, np.where(slow, np.nan, x))


@elementwise(
    source="5.15.1",
    samples=Samples(
        "psi(n, x)",
        (Ints(0, 12), Reals(-20, 60)),
        awkward=(
            (0, 1.0),
            (1, 1.0),
            (0, 1.4616321449683623),
            (3, 1e-8),
            (2, -0.25),
            (5, -7.3),
            (30, 3.0),
            (2, 1e5),
            (60, 20.0),
        ),
        flaws=(Flaw("2e-10", "x < 0 and n % 2 == 0"), Flaw("inf", "x < 0 and n > 169")),
    ),
    host=OnHost(_polygamma_on_host, results="real"),
    kernel=polygamma_on_device.polygamma,
    repair=by_own(
        "x > 0 and n > 169, or x^(n + 1) > 1e290",
        lambda n, x: (n > 0) & (x > 0) & ((n > 169) | ((n + 1) * jnp.log(x) > 667)),
        polygamma_on_device.of_positive,
    ),
    note="NaN for n < 0, and on the host where x < -1e5 is not an integer (SciPy would add up |x| "
    "terms).",
)
def polygamma(n: Int, x: Real) -> Array:
    """Polygamma functions: the n-th derivative of the digamma function, of a real number.

    Args:
        n: how often the digamma function is differentiated; 0 gives the function itself
        x: any real number; for n >= 1 inf or -inf at the poles 0, -1, -2, ...

    Example:
        >>> polygamma(1, jnp.array([0.5, 1.0]))
        Array([4.9348022 , 1.64493407], dtype=float64)
        >>> print(f"{jax.grad(polygamma, argnums=1)(1, 1.0):.6f}")
        -2.404114
    """
    ...


rule(polygamma, x=closed("DLMF 5.15.1", lambda y, n, x: polygamma(n + 1, x)))
