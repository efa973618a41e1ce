"""Airy functions and their integrals (DLMF 9.2, 9.10)."""

from __future__ import annotations

from collections.abc import Sequence

import jax

from jaxsci._core.elementwise_rules import closed, real_linear
from jaxsci.special._bessel.kernels import airy_far, airy_in_plane, airy_on_device, long_integrals
from jaxsci.special._bessel.kernels.airy_scaled import airye_derivative
from jaxsci.special._catalog.decorators import (
    Samples,
    elementwise,
    rule,
)
from jaxsci.special._catalog.domains import Complexes, Reals
from jaxsci.special._catalog.types import Array, Complex, Real

_POINTS = ((1e-8,), (0.5,), (1.0,), (8.5,), (1 + 2j,), (-3 + 1e-3j,), (-20 - 9j,))

_BELOW = (
    "At z = -x - 0i, x > 1, where SciPy's are wrong, values are the conjugates of those at -x + 0i."
)


def _of_airy(y: Sequence[jax.Array], z: jax.Array) -> tuple[jax.Array, ...]:
    ai, aip, bi, bip = y
    return aip, z * ai, bip, z * bi


@elementwise(
    source="9.2.1",
    samples=Samples(
        "airyai(z); airyai(z, derivative=1); airybi(z); airybi(z, derivative=1)",
        (Complexes(0.02, 22, negative=True),),
        awkward=(
            (0.0,),
            (-1e-3,),
            (-2.338107410459767,),
            (-300.0,),
            (40.0,),
            (90.0,),
            (-40 + 3j,),
            *_POINTS,
        ),
    ),
    outputs=("Ai", "Aip", "Bi", "Bip"),
    note=_BELOW,
    reflected_from=1.0,
    repair=airy_far.repair(scaled=False),
    kernel=airy_on_device.airy,
    complex_kernel=airy_in_plane.airy,
)
def airy(z: Complex) -> tuple[Array, Array, Array, Array]:
    """Airy functions and their derivatives, Ai(z), Ai'(z), Bi(z), Bi'(z).

    Args:
        z: argument; all four are entire. From about z = 104 on Ai and Ai' have underflowed to 0,
            and Bi and Bi' overflowed; `airye` goes on

    Example:
        >>> Ai, Aip, Bi, Bip = airy(jnp.array([-2.0, 0.0, 1.0]))
        >>> Ai
        Array([0.22740743, 0.35502805, 0.13529242], dtype=float64)
        >>> print(f"{jax.grad(lambda x: airy(x)[0])(1.0):.6f}")  # Ai'
        -0.159147
    """
    ...


rule(airy, z=closed("DLMF 9.2.1", _of_airy))


@elementwise(
    source="9.2.1",
    samples=Samples(
        "exp(2*z*sqrt(z)/3) * airyai(z); exp(2*z*sqrt(z)/3) * airyai(z, derivative=1); "
        "exp(-abs(re(2*z*sqrt(z)/3))) * airybi(z); "
        "exp(-abs(re(2*z*sqrt(z)/3))) * airybi(z, derivative=1)",
        (Complexes(0.02, 60),),
        awkward=(*_POINTS, (300.0,), (1e4,), (50 + 1e-3j,), (-300 + 20j,), (-300 + 500j,)),
    ),
    outputs=("eAi", "eAip", "eBi", "eBip"),
    note="For real z < 0 the first two are NaN and the others are not scaled. The last two are not "
    "holomorphic, for their scaling factor is not; where it has a kink, at arg z = +-pi/3 and on "
    "the negative axis, the derivative is that of the unscaled function (sign(0) = 0). " + _BELOW,
    reflected_from=1.0,
    repair=airy_far.repair(scaled=True),
    kernel=airy_on_device.airye,
    complex_kernel=airy_in_plane.airye,
)
def airye(z: Complex) -> tuple[Array, Array, Array, Array]:
    """Exponentially scaled Airy functions and their derivatives.

    With zeta = 2/3 z sqrt(z), eAi and eAip are Ai(z) and Ai'(z) times exp(zeta), and eBi and eBip
    are Bi(z) and Bi'(z) times exp(-|Re zeta|).

    Args:
        z: argument; its cut is z < 0, that of sqrt(z), where a complex z gives the value from
            above

    Example:
        >>> eAi, eAip, eBi, eBip = airye(jnp.array([1.0, 100.0, 1e4]))
        >>> eAi
        Array([0.26351364, 0.08919692, 0.02820948], dtype=float64)
        >>> log_ai = lambda x: jnp.log(airye(x)[0]) - 2 * x**1.5 / 3
        >>> print(f"{jax.grad(log_ai)(1e4):.6f}")  # Ai itself has underflowed there
        -100.000025
    """
    ...


rule(airye, z=real_linear("DLMF 9.2.1, 9.7.5 to 9.7.8", airye_derivative))


def _of_itairy(y: Sequence[jax.Array], x: jax.Array) -> tuple[jax.Array, ...]:
    right, left = airy(x), airy(-x)
    return right[0], right[2], left[0], left[2]


@elementwise(
    source="9.10",
    samples=Samples(
        "airyai(x, derivative=-1); airybi(x, derivative=-1); "
        "-airyai(-x, derivative=-1); -airybi(-x, derivative=-1)",
        (Reals(-20, 20),),
        awkward=((0.0,), (1e-8,), (0.5,), (-1.0,), (3.5,)),
    ),
    outputs=("Apt", "Bpt", "Ant", "Bnt"),
    repair=long_integrals.AIRY,
)
def itairy(x: Real) -> tuple[Array, Array, Array, Array]:
    """Integrals from 0 to x of Ai(t), Bi(t), Ai(-t) and Bi(-t).

    Args:
        x: upper limit, any real number

    Example:
        >>> Apt, Bpt, Ant, Bnt = itairy(jnp.array([-1.0, 0.0, 1.0]))
        >>> Apt
        Array([-0.46567398,  0.        ,  0.23631734], dtype=float64)
        >>> print(f"{jax.grad(lambda x: itairy(x)[0])(1.0):.6f}")  # Ai
        0.135292
    """
    ...


rule(itairy, x=closed("fundamental theorem of calculus", _of_itairy))
