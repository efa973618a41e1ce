"""Kelvin functions (DLMF 10.61 to 10.66)."""

from __future__ import annotations

from collections.abc import Sequence

import jax
import jax.numpy as jnp

from jaxsci._core.elementwise_rules import closed
from jaxsci.special._bessel.kernels import kelvin_derivatives as derivatives
from jaxsci.special._bessel.kernels import kelvin_on_device
from jaxsci.special._catalog.decorators import (
    Samples,
    elementwise,
    rule,
)
from jaxsci.special._catalog.domains import Reals
from jaxsci.special._catalog.kernel import Kernel
from jaxsci.special._catalog.mending import by_own
from jaxsci.special._catalog.row import Repair
from jaxsci.special._catalog.types import Array, Real

_LINE = Reals(-20, 20)
_HALF_LINE = Reals(0.05, 20)
_ENTIRE = ((0.0,), (1e-6,), (-3.0,), (0.5,))
_POSITIVE = ((1e-3,), (0.5,), (40.0,))

# SciPy's series of ker and kei cancels, and its expansions for large x begin too early.
_OUTER = 20.0
_GROWING, _DECAYING = 10.0, 3.0
_WITHIN = 1e-15


def _mended(kernel: Kernel, inner: float, results: Sequence[int] = (0,)) -> Repair:
    return by_own(
        f"{inner:g} <= |x| < {_OUTER:g}",
        lambda x: (jnp.abs(x) >= inner) & (jnp.abs(x) < _OUTER),
        kernel,
        within=_WITHIN,
        results=results,
    )


@elementwise(
    source="10.61.1",
    samples=Samples("ber(0, x)", (_LINE,), awkward=_ENTIRE),
    repair=_mended(kelvin_on_device.ber, _GROWING),
    kernel=kelvin_on_device.ber,
)
def ber(x: Real) -> Array:
    """Kelvin function ber x, the real part of J_0(x exp(3 pi i/4)).

    Args:
        x: argument, any real number

    Example:
        >>> ber(jnp.array([0.0, 1.0, 2.0]))
        Array([1.        , 0.98438178, 0.75173418], dtype=float64)
        >>> def resistance(x):  # of a round wire, in units of that for direct current (skin effect)
        ...     loss = ber(x) * beip(x) - bei(x) * berp(x)
        ...     return x / 2 * loss / (berp(x) ** 2 + beip(x) ** 2)
        >>> print(f"{resistance(3.0):.6f}")
        1.318095
        >>> print(f"{jax.grad(resistance)(3.0):.6f}")
        0.323177
    """
    ...


rule(ber, x=closed("DLMF 10.61.3", lambda y, x: derivatives.growing(x, n=1).real))


@elementwise(
    source="10.61.1",
    samples=Samples("bei(0, x)", (_LINE,), awkward=_ENTIRE),
    repair=_mended(kelvin_on_device.bei, _GROWING),
    kernel=kelvin_on_device.bei,
)
def bei(x: Real) -> Array:
    """Kelvin function bei x, the imaginary part of J_0(x exp(3 pi i/4)).

    Args:
        x: argument, any real number

    Example:
        >>> bei(jnp.array([0.0, 1.0, 2.0]))
        Array([0.        , 0.24956604, 0.97229163], dtype=float64)
        >>> print(f"{jax.grad(bei)(1.0):.6f}")  # bei'
        0.497397
    """
    ...


rule(bei, x=closed("DLMF 10.61.3", lambda y, x: derivatives.growing(x, n=1).imag))


@elementwise(
    source="10.61.2",
    samples=Samples("ker(0, x)", (_HALF_LINE,), awkward=_POSITIVE),
    note="NaN for x < 0.",
    repair=_mended(kelvin_on_device.ker, _DECAYING),
    kernel=kelvin_on_device.ker,
)
def ker(x: Real) -> Array:
    """Kelvin function ker x, the real part of K_0(x exp(pi i/4)).

    Args:
        x: argument, x > 0; inf at 0

    Example:
        >>> ker(jnp.array([0.0, 1.0, 2.0]))
        Array([        inf,  0.28670621, -0.04166451], dtype=float64)
        >>> print(f"{jax.grad(ker)(1.0):.6f}")  # ker'
        -0.694604
    """
    ...


rule(ker, x=closed("DLMF 10.61.3", lambda y, x: derivatives.decaying(x, n=1).real))


@elementwise(
    source="10.61.2",
    samples=Samples("kei(0, x)", (_HALF_LINE,), awkward=_POSITIVE),
    note="NaN for x < 0.",
    repair=_mended(kelvin_on_device.kei, _DECAYING),
    kernel=kelvin_on_device.kei,
)
def kei(x: Real) -> Array:
    """Kelvin function kei x, the imaginary part of K_0(x exp(pi i/4)).

    Args:
        x: argument, x >= 0; -pi/4 at 0

    Example:
        >>> kei(jnp.array([0.0, 1.0, 2.0]))
        Array([-0.78539816, -0.49499464, -0.20240007], dtype=float64)
        >>> print(f"{jax.grad(kei)(1.0):.6f}")  # kei'
        0.352370
    """
    ...


rule(kei, x=closed("DLMF 10.61.3", lambda y, x: derivatives.decaying(x, n=1).imag))


@elementwise(
    source="10.61.1",
    samples=Samples("diff(lambda t: ber(0, t), x)", (_LINE,), awkward=_ENTIRE),
    repair=_mended(kelvin_on_device.berp, _GROWING),
    kernel=kelvin_on_device.berp,
)
def berp(x: Real) -> Array:
    """Derivative of the Kelvin function ber x.

    Args:
        x: argument, any real number

    Example:
        >>> berp(jnp.array([0.0, 1.0, 2.0]))
        Array([ 0.        , -0.06244575, -0.49306712], dtype=float64)
    """
    ...


rule(berp, x=closed("DLMF 10.61.3", lambda y, x: derivatives.growing(x, n=2).real))


@elementwise(
    source="10.61.1",
    samples=Samples("diff(lambda t: bei(0, t), x)", (_LINE,), awkward=_ENTIRE),
    repair=_mended(kelvin_on_device.beip, _GROWING),
    kernel=kelvin_on_device.beip,
)
def beip(x: Real) -> Array:
    """Derivative of the Kelvin function bei x.

    Args:
        x: argument, any real number

    Example:
        >>> beip(jnp.array([0.0, 1.0, 2.0]))
        Array([0.        , 0.49739651, 0.91701361], dtype=float64)
    """
    ...


rule(beip, x=closed("DLMF 10.61.3", lambda y, x: derivatives.growing(x, n=2).imag))


@elementwise(
    source="10.61.2",
    samples=Samples("diff(lambda t: ker(0, t), x)", (_HALF_LINE,), awkward=_POSITIVE),
    note="NaN for x < 0.",
    repair=_mended(kelvin_on_device.kerp, _DECAYING),
    kernel=kelvin_on_device.kerp,
)
def kerp(x: Real) -> Array:
    """Derivative of the Kelvin function ker x.

    Args:
        x: argument, x > 0; -inf at 0

    Example:
        >>> kerp(jnp.array([0.5, 1.0, 2.0]))
        Array([-1.81979975, -0.69460389, -0.10660097], dtype=float64)
    """
    ...


rule(kerp, x=closed("DLMF 10.61.3", lambda y, x: derivatives.decaying(x, n=2).real))


@elementwise(
    source="10.61.2",
    samples=Samples("diff(lambda t: kei(0, t), x)", (_HALF_LINE,), awkward=_POSITIVE),
    note="NaN for x < 0.",
    repair=_mended(kelvin_on_device.keip, _DECAYING),
    kernel=kelvin_on_device.keip,
)
def keip(x: Real) -> Array:
    """Derivative of the Kelvin function kei x.

    Args:
        x: argument, x >= 0; 0 at 0

    Example:
        >>> keip(jnp.array([0.0, 1.0, 2.0]))
        Array([0.        , 0.35236991, 0.21980791], dtype=float64)
    """
    ...


rule(keip, x=closed("DLMF 10.61.3", lambda y, x: derivatives.decaying(x, n=2).imag))


def _of_kelvin(y: Sequence[jax.Array], x: jax.Array) -> tuple[jax.Array, ...]:
    families = derivatives.growing, derivatives.decaying
    return tuple(function(x, n=n) for n in (1, 2) for function in families)


@elementwise(
    source="10.61.1",
    samples=Samples(
        "ber(0, x) + 1j*bei(0, x); ker(0, x) + 1j*kei(0, x); "
        "diff(lambda t: ber(0, t) + 1j*bei(0, t), x); diff(lambda t: ker(0, t) + 1j*kei(0, t), x)",
        (_HALF_LINE,),
        awkward=_POSITIVE,
    ),
    outputs=("Be", "Ke", "Bep", "Kep"),
    note="Ke and Kep are NaN for x < 0.",
    repair=_mended(kelvin_on_device.kelvin, _DECAYING, (0, 1, 2, 3)),
    kernel=kelvin_on_device.kelvin,
)
def kelvin(x: Real) -> tuple[Array, Array, Array, Array]:
    """Kelvin functions as complex numbers: ber + i bei, ker + i kei, and their derivatives.

    Args:
        x: argument, x > 0; at 0 the real part of Ke is inf, that of Kep -inf

    Example:
        >>> Be, Ke, Bep, Kep = kelvin(jnp.array([1.0, 2.0]))
        >>> Be
        Array([0.98438178+0.24956604j, 0.75173418+0.97229163j], dtype=complex128)
        >>> print(f"{jax.jvp(kelvin, (1.0,), (1.0,))[1][0]:.6f}")  # Bep
        -0.062446+0.497397j
    """
    ...


rule(kelvin, x=closed("DLMF 10.61.3", _of_kelvin))
