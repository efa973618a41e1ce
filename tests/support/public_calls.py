"""One good call of every public function: the small arguments from which other tests start."""

from __future__ import annotations

import functools
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import jax.numpy as jnp
import linalg_cases
import numpy as np
import scipy.linalg
import scipy.special

import jaxsci.linalg
import jaxsci.special
from jaxsci._verification import reference
from jaxsci.linalg._infra.catalog import CATALOG as OF_MATRICES
from jaxsci.special._catalog.decorators import CATALOG, ArrayRow, ElementwiseRow, SampledRow
from jaxsci.special._catalog.types import Kind

T = TypeVar("T")


@dataclass(frozen=True)
class Call:
    """A call that works."""

    package: str
    name: str
    variant: str
    """What sets it apart from the function's other calls."""
    arguments: dict[str, Any]
    """By the parameters' names; arrays are NumPy's."""
    arrays: frozenset[str]
    """Which arguments are arrays, or pairs of arrays; the others are static."""

    @property
    def function(self) -> Callable[..., Any]:
        return getattr(PACKAGES[self.package][0], self.name)

    @property
    def scipys(self) -> Callable[..., Any]:
        return getattr(PACKAGES[self.package][1], self.name)

    def __call__(self, **changed: Any) -> Any:
        """The function called, with other values for some of the arguments."""
        return self.of(self.function, **changed)

    def of(self, function: Callable[..., Any], **changed: Any) -> Any:
        """The same call of another function: SciPy's."""
        given = self.arguments | changed
        if self.name == "block_diag" or isinstance(function, np.ufunc):  # without names
            return function(*given.values())
        return function(**given)

    def __str__(self) -> str:
        return f"{self.package}.{self.name}{f' ({self.variant})' if self.variant else ''}"

    def numbers(self) -> list[str]:
        """The arguments that are arrays of floating numbers: those with derivatives, if any are."""
        return [
            name
            for name, x in self.arguments.items()
            if isinstance(x, np.ndarray) and np.issubdtype(x.dtype, np.inexact)
        ]


PACKAGES = {
    "special": (jaxsci.special, scipy.special),
    "linalg": (jaxsci.linalg, scipy.linalg),
}

# -- special ---------------------------------------------------------------------------------------

_OF_WHOLE_ARRAYS = {"logsumexp": ("a",), "softmax": ("x",), "log_softmax": ("x",)}
POINTS = 3


def of_special() -> Iterator[Call]:
    """Each row, with the last of its static arguments, real and complex."""
    for name, row in CATALOG.items():
        if isinstance(row, ArrayRow):
            (argument,) = _OF_WHOLE_ARRAYS[name]
            yield Call("special", name, "", {argument: np.arange(3.0)}, frozenset([argument]))
            continue
        static = row.samples.statics[-1] if isinstance(row, SampledRow) else {}
        variants = reference.variants(row) if isinstance(row, ElementwiseRow) else [""]
        for variant in variants:
            arguments: dict[str, Any] = {}
            if isinstance(row, ElementwiseRow):
                rng = reference.generator("public calls", name, variant)
                columns = reference.sample(row, variant, rng, POINTS)
                arguments = dict(zip((a.name for a in row.arrays), columns, strict=True))
            ordered = {
                a.name: (static if a.kind is Kind.STATIC else arguments)[a.name]
                for a in row.arguments
            }
            which = "complex" if variant == reference.COMPLEX else ""
            yield Call("special", name, which, ordered, frozenset(arguments))


# -- linalg ----------------------------------------------------------------------------------------


def _square(n: int = 3, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng([seed, n])
    return rng.normal(size=(n, n)) + 3 * np.eye(n)


def _positive(n: int = 3) -> np.ndarray:
    a = _square(n)
    return a @ a.T


@functools.cache
def _by_hand() -> dict[str, dict[str, Any]]:
    """Where the arrays of a case are not the function's first arguments."""
    b = np.arange(3.0)
    factors = np.linalg.cholesky(_positive())
    q, r = np.linalg.qr(_square())
    band = np.array([[0.0, 1.0, 1.0], [4.0, 5.0, 6.0], [1.0, 2.0, 0.0]])
    return {
        "bandwidth": {"a": np.triu(_square())},
        "block_diag": {"arrs[0]": _square(), "arrs[1]": b[None]},
        "cho_solve": {"c_and_lower": (factors, True), "b": b},
        "cho_solve_banded": {
            "cb_and_lower": (np.array([[0.0, 0.5, 0.5], [2.0, 2.0, 2.0]]), False),
            "b": b,
        },
        "clarkson_woodruff_transform": {
            "input_matrix": np.arange(12.0).reshape(6, 2),
            "sketch_size": 3,
            "rng": 0,
        },
        "convolution_matrix": {"a": b, "n": 4},
        "cossin": {"X": np.linalg.qr(_square(4))[0], "p": 2, "q": 2},
        "dft": {"n": 3},
        "diagsvd": {"s": np.arange(1.0, 3.0), "M": 3, "N": 2},
        "fractional_matrix_power": {"A": _positive(), "t": 0.5},
        "funm": {"A": _positive(), "func": jnp.exp},
        "hadamard": {"n": 4},
        "helmert": {"n": 3},
        "hilbert": {"n": 3},
        "invhilbert": {"n": 3},
        "invpascal": {"n": 3},
        "ishermitian": {"a": _positive()},
        "issymmetric": {"a": _positive()},
        "lu_solve": {"lu_and_piv": (_square(), np.array([0, 1, 2], np.int32)), "b": b},
        "matmul_toeplitz": {"c_or_cr": np.arange(1.0, 4.0), "x": b},
        "pascal": {"n": 3},
        "qr_multiply": {"a": _square(), "c": b},
        "qr_delete": {"Q": q, "R": r, "k": 1},
        "qr_insert": {"Q": q, "R": r, "u": b, "k": 1},
        "solve_banded": {"l_and_u": (1, 1), "ab": band, "b": b},
    }


_STATIC = {"k", "p", "q", "n", "M", "N", "sketch_size", "rng", "func", "l_and_u"}


def of_linalg() -> Iterator[Call]:
    """Each function of matrices, real and where there is a case of them, complex."""
    import inspect

    seen: set[str] = set()
    for name, arguments in _by_hand().items():
        arrays = {
            k
            for k, x in arguments.items()
            if isinstance(x, np.ndarray | tuple) and k not in _STATIC
        }
        yield Call("linalg", name, "", arguments, frozenset(arrays))
        seen.add(name)
    for case in linalg_cases.load():
        name = case.name.split(":")[0]
        if name in seen:
            continue
        seen.add(name)
        function = OF_MATRICES[name].function
        names = list(inspect.signature(function).parameters)
        for kind in case.kinds:
            given = dict(zip(names, case.arrays(kind), strict=False))
            yield Call("linalg", name, kind if kind == "complex" else "", given, frozenset(given))
    assert seen == set(OF_MATRICES), seen ^ set(OF_MATRICES)


@functools.cache
def calls() -> tuple[Call, ...]:
    """All of them."""
    return (*of_special(), *of_linalg())


def part(items: Sequence[T], which: str | None) -> Sequence[T]:
    """The I-th of N parts of what a long program goes through, by "I/N"; all of it by None."""
    if which is None:
        return items
    i, n = map(int, which.split("/"))
    return items[i::n]


def generator(*words: object) -> np.random.Generator:
    """Random numbers that depend on words alone."""
    return np.random.default_rng(zlib.crc32(" ".join(map(str, words)).encode()))
