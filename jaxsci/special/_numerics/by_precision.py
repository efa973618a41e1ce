"""What depends on whether a kernel's numbers are of single precision or of double."""

from __future__ import annotations

from typing import Any, NamedTuple, TypeVar

import jax.numpy as jnp
import numpy as np

T = TypeVar("T")


def is_single(x: Any) -> bool:
    """Whether numbers are of single precision, real or complex."""
    return jnp.result_type(x) in (np.float32, np.complex64)


def by_precision(x: Any, double: T, single: T) -> T:
    """What belongs to the precision of x: thresholds, or numbers of terms."""
    return single if is_single(x) else double


class Format(NamedTuple):
    """How a floating-point number lies in memory, and what it reaches."""

    float_type: type
    int_type: type
    mantissa_bits: int
    exponent_bits: int
    bias: int
    largest: float
    """The logarithm of the largest number, less a little."""


_DOUBLE = Format(np.float64, np.int64, 52, 11, 1023, 709.0)
_SINGLE = Format(np.float32, np.int32, 23, 8, 127, 88.0)


def format_of(x: Any) -> Format:
    """That of real numbers."""
    return by_precision(x, _DOUBLE, _SINGLE)
