"""Inverses of the error functions, as roots: mpmath's own fails near the ends of its domain."""

from __future__ import annotations

from collections.abc import Callable

import mpmath
from mpmath import mp

from jaxsci._verification.oracles._types import Number

__all__ = ["inverse_erf", "inverse_erfc"]

_MOST_STEPS = 200


def inverse_erf(y: Number) -> Number:
    """The x with erf x = y."""
    if abs(y) > 0.5:
        return mpmath.sign(y) * inverse_erfc(1 - abs(y))
    return _newton(lambda x: (mpmath.erf(x) - y) * mpmath.exp(x * x) * mpmath.sqrt(mp.pi) / 2, y)


def inverse_erfc(y: Number) -> Number:
    """The x with erfc x = y."""
    if y > 1:
        return -inverse_erfc(2 - y)
    if y > 0.5:
        return inverse_erf(1 - y)

    # The logarithm of erfc is concave, so that no step can go astray.
    def step(x: Number) -> Number:
        value = mpmath.erfc(x)
        return mpmath.log(y / value) * value * mpmath.exp(x * x) * mpmath.sqrt(mp.pi) / 2

    return _newton(step, mpmath.mpf(1) / 2)


def _newton(step: Callable[[Number], Number], x: Number) -> Number:
    with mp.extradps(15):
        for _ in range(_MOST_STEPS):
            change = step(x)
            x -= change
            if abs(change) <= abs(x) * mpmath.mpf(10) ** -(mp.dps // 2):
                return x - step(x)
    raise ArithmeticError(f"no root near {x}")
