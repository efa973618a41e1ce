"""Where the orthogonal polynomials are sampled, and where SciPy's values are inaccurate."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jaxsci.special._catalog.decorators import Flaw, Guard, Unknown
from jaxsci.special._catalog.domains import Complexes, Reals


@dataclass(frozen=True)
class Degrees:
    """Degrees from 0 up to a bound; every other one is an integer."""

    high: float

    def sample(self, rng: np.random.Generator, n: int) -> np.ndarray:
        """N random points."""
        degrees = rng.uniform(0, self.high, n)
        degrees[::2] = np.floor(degrees[::2])
        return degrees


@dataclass(frozen=True)
class Around(Complexes):
    """Complex numbers of a modulus between two bounds; the real ones between two others."""

    real_low: float = -1.0
    real_high: float = 1.0

    def real(self) -> Reals:
        """The real part of the domain."""
        return Reals(self.real_low, self.real_high)


DEGREES = Degrees(30)
PARAMETERS = Reals(0.5, 4)
INTERVAL = Around(0.05, 3, real_low=-0.97, real_high=2)
LONG_INTERVAL = Around(0.05, 6, real_low=-1.94, real_high=4)
SHIFTED_INTERVAL = Around(0.05, 2, real_low=0.02, real_high=1.5)

NOTE = (
    "SciPy computes degrees of an integer type by recurrence, for real x; degrees of a floating "
    "type, and complex x, go through hypergeometric functions, which cancel."
)

DEGREE_NOTE = (
    " Derivatives in x are NaN for degrees beyond 1e5 (1e4 between integers), and "
    "the one in the degree for those beyond 1e5 (1e4 for complex x), and at and "
    "below the lower end of the interval, where it is infinite, or the function not real between "
    "integer degrees. "
    "Next to that end its third derivatives lose as many digits as the distance has zeros."
)
PARAMETERS_NOTE = (
    " Derivatives in parameters are NaN for integer degrees beyond 1e5, and for Jacobi polynomials "
    "where the recurrence in the degree divides by zero (alpha + beta, or p - 1, is a negative "
    "integer)."
)


def guard(parameters: int) -> Guard:
    """Where SciPy's hypergeometric functions and recurrences return.

    Complex arguments always go through hypergeometric functions.
    """

    def allows(*arguments: jax.Array | np.ndarray) -> Any:
        *numbers, x = arguments
        plane = jnp.iscomplexobj(x)
        allowed = ~(abs(x) > 1e10) if plane else True
        for number in numbers:
            allowed = allowed & (abs(number) <= (1e5 if plane else 1e8))
        return allowed

    return Guard(
        "the degree and parameters are within 1e8 (for complex x 1e5, and |x| <= 1e10)",
        allows,
        (1.0,) * (parameters + 1) + (0.5,),
    )


def flaws(x: str) -> tuple[Flaw, ...]:
    """What is left on an interval, in terms of the argument that would run from -1 to 1."""
    between = f"n % 1 > 0 and not isinstance({x}, complex)"
    return (
        Flaw("4**n * 1e-15", f"3 < n <= 6 and isinstance({x}, complex)"),
        Flaw("1e-10", f"{between} and n <= 3 and {x} <= -0.5"),
    )


FLAWS = flaws("x")
SHIFTED_FLAWS = flaws("2*x - 1")


def beyond(parameters: str, end: int) -> tuple[Unknown, ...]:
    """Where derivatives in the degree, and in parameters between integers, are not known."""
    outside = f"n > 1e4 or x == {end} or isinstance(x, float) and x < {end}"
    return (Unknown("n", outside), Unknown(parameters, f"n % 1 > 0 and ({outside})"))


def at(points: Iterable[float], *parameters: float) -> list[tuple[float, ...]]:
    """Each point with a degree: the first one with all of them, the second with integers."""
    degrees = (0.0, 1.0, 2.0, 6.0, 3.5)
    return [
        (degree, *parameters, x)
        for i, x in enumerate(points)
        for j, degree in enumerate(degrees)
        if i == 0 or i % 5 == j or (i == 1 and degree != 3.5)
    ]
