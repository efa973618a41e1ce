"""The error functions of complex numbers in JAX operations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax

from jaxsci.special._catalog.kernel import device_kernel
from jaxsci.special._numerics import faddeeva_function
from jaxsci.special._numerics.faddeeva_function import gaussian
from jaxsci.special._numerics.plane import Part


def _of_parts(function: Callable[..., Part]) -> Callable[[jax.Array], Any]:
    return lambda z: function(z.real, z.imag).as_complex()


def _erfi(x: jax.Array, y: jax.Array) -> Part:
    """-i erf(iz)."""
    found = faddeeva_function.erf(-y, x, gaussian(-y, x))
    return Part(found.im, -found.re)


_NEAR_ZEROS = "min(1, abs(z))"
"""Of the functions that vanish at 0, and elsewhere next to where they are 1 in size."""

wofz = device_kernel(ulps=10, envelope="1 if im(z) < 0 else 0")(_of_parts(faddeeva_function.w))
dawsn = device_kernel(ulps=30, envelope="min(1, abs(x)) if abs(x) < 9 else 0")(
    _of_parts(faddeeva_function.dawson)
)
erf = device_kernel(ulps=30, envelope=_NEAR_ZEROS)(
    _of_parts(lambda x, y: faddeeva_function.erf(x, y, gaussian(x, y)))
)
erfi = device_kernel(ulps=30, envelope=_NEAR_ZEROS)(_of_parts(_erfi))
erfc = device_kernel(ulps=10, envelope="1 if re(x) < 0 else 0")(
    _of_parts(lambda x, y: faddeeva_function.erfc(x, y, gaussian(x, y)))
)
erfcx = device_kernel(ulps=10, envelope="1 if re(x) < 0 else 0")(
    _of_parts(lambda x, y: faddeeva_function.w(-y, x))
)
