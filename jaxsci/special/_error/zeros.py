"""Zeros of the error function and of Fresnel's integrals (DLMF 7.13): tables."""

from __future__ import annotations

from jaxsci.special._catalog.decorators import (
    Samples,
    table,
)
from jaxsci.special._catalog.types import Array, StaticInt

_FIRST = ({"nt": 1}, {"nt": 7})


@table(
    source="7.13",
    samples=Samples("erf(x)", statics=_FIRST),
)
def erf_zeros(nt: StaticInt) -> Array:
    """The first nt zeros of erf z in the first quadrant, in order of size; complex.

    Args:
        nt: number of zeros, at least 1
    """
    ...


@table(
    source="7.13",
    samples=Samples("fresnels(x)", statics=_FIRST),
)
def fresnels_zeros(nt: StaticInt) -> Array:
    """The first nt zeros of Fresnel's integral S(z) in the first quadrant, by size; complex.

    Args:
        nt: number of zeros, at least 1
    """
    ...


@table(
    source="7.13",
    samples=Samples("fresnelc(x)", statics=_FIRST),
)
def fresnelc_zeros(nt: StaticInt) -> Array:
    """The first nt zeros of Fresnel's integral C(z) in the first quadrant, by size; complex.

    Args:
        nt: number of zeros, at least 1
    """
    ...


@table(
    source="7.13",
    samples=Samples("fresnels(x); fresnelc(x)", statics=_FIRST),
    outputs=("zeros_sine", "zeros_cosine"),
)
def fresnel_zeros(nt: StaticInt) -> tuple[Array, Array]:
    """The first nt zeros of Fresnel's integrals S(z) and C(z) in the first quadrant; complex.

    Args:
        nt: number of zeros of each, at least 1
    """
    ...
