"""Where a function is sampled: by tests, docs and benchmarks alike."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

Point = int | float | complex


class Domain(Protocol):
    """One argument's domain."""

    def sample(self, rng: np.random.Generator, n: int) -> np.ndarray:
        """N random points."""
        ...


@dataclass(frozen=True)
class Reals:
    """Real numbers between two bounds; with `log`, spread evenly over the orders of magnitude."""

    low: float
    high: float
    log: bool = False

    def sample(self, rng: np.random.Generator, n: int) -> np.ndarray:
        """N random points."""
        if self.log:
            return np.exp(rng.uniform(np.log(self.low), np.log(self.high), n))
        return rng.uniform(self.low, self.high, n)


@dataclass(frozen=True)
class Ints:
    """Integers between two bounds, both included."""

    low: int
    high: int

    def sample(self, rng: np.random.Generator, n: int) -> np.ndarray:
        """N random points."""
        return rng.integers(self.low, self.high + 1, n)


@dataclass(frozen=True)
class Complexes:
    """Complex numbers of a modulus between two bounds, in all directions.

    Every other point of the sample is `real`: a positive real number (or of either sign, where
    the function is real on the negative axis too); `line` where that is another interval.
    """

    low: float
    high: float
    negative: bool = False
    line: Reals | None = None

    def sample(self, rng: np.random.Generator, n: int) -> np.ndarray:
        """N random points, complex."""
        modulus = rng.uniform(self.low, self.high, n)
        return modulus * np.exp(1j * rng.uniform(-np.pi, np.pi, n))

    def real(self) -> Reals:
        """The real part of the domain."""
        if self.line is not None:
            return self.line
        return Reals(-self.high if self.negative else self.low, self.high)
