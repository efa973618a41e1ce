"""Kernels: a function of numbers in JAX operations, in place of the host's."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import jax


@dataclass(frozen=True, eq=False)
class Kernel:
    """A row's function in JAX operations, and how accurate it is in double precision and single."""

    evaluate: Callable[..., Any]
    """Takes the array arguments, float64 or int64 (or complex128, where it is the row's
    ``complex_kernel``), and the static ones by name. Where there is a `single`, float32 and int32
    as well, with 64-bit types off."""
    ulps: float
    """The largest error in units of 2^-52 times the value: no more was found over the domain. Of a
    complex value it is that of the number, not of its parts."""
    envelope: str = ""
    """An mpmath expression in the arguments: where the value is smaller, the error counts in units
    of 2^-52 times this. Empty: the value alone counts."""

    conditioned: bool = False
    """Whether the error counts in units of 2^-52 times what a relative change of 1 in each argument
    would make, where that is more than the value: results of rounded arguments are no better."""

    single: float | None = None
    """The largest error in units of 2^-23, likewise, where arguments and operations are in single
    precision (float32 and int32). None: the function is no good there."""

    def __call__(self, *arrays: jax.Array, **static: Any) -> jax.Array:
        return self.evaluate(*arrays, **static)

    def __str__(self) -> str:
        near_zeros = f", near zeros of {self.envelope}" if self.envelope else ""
        conditioned = f", {CONDITIONED}" if self.conditioned else ""
        return f"{self.ulps:g} ulp{near_zeros}{conditioned}"


CONDITIONED = "times the condition number"


def device_kernel(
    ulps: float, envelope: str = "", conditioned: bool = False, single: float | None = None
) -> Callable[[Callable[..., Any]], Kernel]:
    """Decorate a function in JAX operations, to be a row's ``kernel=`` or ``complex_kernel=``.

    Args:
        ulps: as in `Kernel`.
        envelope: as in `Kernel`.
        conditioned: as in `Kernel`.
        single: as in `Kernel`.
    """
    return lambda evaluate: Kernel(evaluate, ulps, envelope, conditioned, single)
