"""What the generic tests of matrix functions know of each function: one `Case` a way of calling it.

Families register their cases in modules named linalg_cases_<family>.py beside this one.
"""

from __future__ import annotations

import importlib
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

Arrays = list[np.ndarray]

CASES: list[Case] = []


def identity(results: Any, arrays: Any) -> Any:
    """All results as they are."""
    return results


@dataclass(frozen=True, eq=False)
class Case:
    """One way of calling a function of jaxsci.linalg, its static arguments fixed."""

    name: str
    """The function's name, and behind a colon what sets this case apart."""
    function: Callable[..., Any]
    """Of arrays; returns an array or a tuple of them."""
    scipy: Callable[..., Any] | None
    """The same of SciPy, of one slice; None where SciPy has another function."""
    sample: Callable[[np.random.Generator, bool], Arrays]
    """Well-conditioned arguments (one slice) of order up to 8, real or complex."""
    kinds: Sequence[str] = ("real", "complex")
    invariant: Callable[[tuple[Any, ...], Arrays], Any] = identity
    """Of (results, arrays): JAX operations that give what does not depend on the choice of phases,
    signs or bases. Values and derivatives are compared of this."""
    ruled: Sequence[int] | None = None
    """Positions of the arguments that it is differentiable in; None: all; (): none."""
    tangent: Callable[[int, np.ndarray, np.random.Generator], np.ndarray] | None = None
    """A direction for argument i, where not every one is allowed (Hermitian matrices, ...)."""
    host: bool = True
    """Whether SciPy computes it on the host: then bad slices are NaN alone."""
    value_rtol: float = 1e-12
    first_rtol: float = 1e-7
    """Of derivatives against fourth-order finite differences."""
    second_rtol: float = 1e-6
    single_rtol: float = 2e-5
    """Of float32 results, against the double ones."""
    batched: bool = True
    """Whether the function takes leading dimensions."""

    def results(self, arrays: Sequence[Any]) -> tuple[Any, ...]:
        """All results, as a tuple."""
        return as_tuple(self.function(*arrays))

    def invariants(self, arrays: Sequence[Any]) -> tuple[Any, ...]:
        """What does not depend on choices that the function is free to make."""
        return as_tuple(self.invariant(self.results(arrays), list(arrays)))

    def arrays(self, kind: str, seed: int = 0) -> Arrays:
        """Arguments: the same for the same seed."""
        rng = self.rng(kind, seed)
        return [np.asarray(x) for x in self.sample(rng, kind == "complex")]

    def rng(self, kind: str, seed: int) -> np.random.Generator:
        """Random numbers of this case's own."""
        return np.random.default_rng([zlib.crc32(f"{self.name} {kind}".encode()), seed])

    def positions(self) -> list[int]:
        """Of the arguments that it is differentiable in."""
        n = len(self.arrays(self.kinds[0]))
        return list(range(n)) if self.ruled is None else list(self.ruled)

    def direction(self, arrays: Arrays, kind: str, seed: int) -> Arrays:
        """A direction in the space of the differentiable arguments; zero in the others."""
        rng = self.rng(f"{kind} direction", seed)
        along = []
        for i, x in enumerate(arrays):
            if i not in self.positions():
                along.append(np.zeros_like(x))
            elif self.tangent is not None:
                along.append(self.tangent(i, x, rng).astype(x.dtype))
            else:
                along.append(normal(rng, x.shape, np.iscomplexobj(x)))
        return along


def as_tuple(value: Any) -> tuple[Any, ...]:
    """One result, or several."""
    return tuple(value) if isinstance(value, tuple | list) else (value,)


def case(name: str, function: Callable[..., Any], scipy: Any, sample: Any, **options: Any) -> None:
    """Register a case."""
    CASES.append(Case(name, function, scipy, sample, **options))


def load() -> list[Case]:
    """All cases of all families."""
    for path in sorted(Path(__file__).parent.glob("linalg_cases_*.py")):
        importlib.import_module(path.stem)
    return CASES


# -- samples ---------------------------------------------------------------------------------------


def normal(rng: np.random.Generator, shape: Sequence[int], is_complex: bool) -> np.ndarray:
    """Normally distributed numbers."""
    x = rng.normal(size=shape)
    return x + 1j * rng.normal(size=shape) if is_complex else x


def hermitian(rng: np.random.Generator, n: int, is_complex: bool) -> np.ndarray:
    """A symmetric or Hermitian matrix."""
    x = normal(rng, (n, n), is_complex)
    return (x + x.conj().T) / 2


def positive(rng: np.random.Generator, n: int, is_complex: bool) -> np.ndarray:
    """A positive definite matrix of small condition number."""
    x = normal(rng, (n, n), is_complex)
    return x @ x.conj().T / n + np.eye(n)


def of_positive_spectrum(rng: np.random.Generator, n: int, is_complex: bool) -> np.ndarray:
    """A matrix, not normal, with eigenvalues off the negative axis."""
    return normal(rng, (n, n), is_complex) / (2 * np.sqrt(n)) + 1.5 * np.eye(n)


def hermitian_tangent(i: int, x: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """For functions of Hermitian matrices."""
    return hermitian(rng, x.shape[-1], np.iscomplexobj(x))


def hermitian_first(i: int, x: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """For functions of a Hermitian matrix and others."""
    return (hermitian_tangent if i == 0 else any_tangent)(i, x, rng)


def symmetric_first(i: int, x: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """For functions of a symmetric matrix, complex or not, and others."""
    along = any_tangent(i, x, rng)
    return (along + along.T) / 2 if i == 0 else along


def any_tangent(i: int, x: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """For functions of matrices of which every element is free."""
    return normal(rng, x.shape, np.iscomplexobj(x))
