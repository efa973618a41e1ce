"""Where the atlas looks: points spread by orders of magnitude over a row's declared domain."""

from __future__ import annotations

import functools
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from jaxsci._verification import reference
from jaxsci.special._catalog.decorators import ElementwiseRow
from jaxsci.special._catalog.domains import Complexes, Ints, Reals
from jaxsci.special._catalog.types import Kind

_NEXT_TO_ZERO = 1e-6
"""Relative to the other bound: how near to 0 a domain is looked at that begins there."""
_GOLDEN = (np.sqrt(5) - 1) / 2


def spread(
    row: ElementwiseRow, static: dict[str, Any], variant: str, n: int
) -> list[reference.Point]:
    """N points over the row's domain; each argument's are shuffled apart from the others'.

    They are numbers of single precision wherever the domain allows, so that one truth serves both
    precisions. They depend on nothing but their number and the row.
    """
    rng = reference.generator("atlas", row.name, reference.static_key(static), variant, str(n))
    columns = []
    for spec, domain in zip(row.arrays, row.samples.domain, strict=True):
        is_complex = variant == reference.COMPLEX and spec.kind is Kind.COMPLEX
        if isinstance(domain, Complexes) and not is_complex:
            domain = domain.real()
        values = rng.permutation(_over(domain, rng, n))
        columns.append(reference.as_kind(spec, _short(values), is_complex))
    return list(zip(*(c.tolist() for c in columns), strict=True))


def _over(domain: Any, rng: np.random.Generator, n: int) -> np.ndarray:
    """N points of one domain, evenly by their logarithm on each side of 0."""
    if type(domain) is Ints:
        return np.round(np.linspace(domain.low, domain.high, n)).astype(np.int64)
    if type(domain) is Complexes:
        turns = np.arange(n) * _GOLDEN
        return _magnitudes(domain.low, domain.high, n) * np.exp(2j * np.pi * turns)
    if type(domain) is not Reals or domain.low == domain.high:
        return domain.sample(rng, n)
    if domain.low >= 0:
        return _magnitudes(domain.low, domain.high, n)
    if domain.high <= 0:
        return -_magnitudes(-domain.high, -domain.low, n)
    below = n // 2
    return np.concatenate(
        [-_magnitudes(0, -domain.low, below), _magnitudes(0, domain.high, n - below)]
    )


def _magnitudes(low: float, high: float, n: int) -> np.ndarray:
    """N positive numbers between two bounds, in the middle of n equal parts by logarithm."""
    low = max(low, high * _NEXT_TO_ZERO)
    return low * (high / low) ** ((np.arange(n) + 0.5) / n)


def _short(x: np.ndarray) -> np.ndarray:
    """Numbers of single precision; those of a single value may belong to another argument."""
    if x.dtype.kind == "i" or np.all(x == x[0]):
        return x
    return x.astype(np.complex64 if x.dtype.kind == "c" else np.float32)


def is_single(point: Sequence[Any]) -> bool:
    """Whether a point is one of single precision too."""
    with np.errstate(over="ignore"):
        return all(isinstance(x, int) or complex(np.complex64(x)) == x for x in point)


def sources() -> Path | None:
    """The project's folder, if this is a part of it, or is run in it."""
    places = Path(__file__).resolve().parents[3], Path.cwd()
    return next((p for p in places if (p / "docs" / "atlas").is_dir()), None)


@functools.cache
def _store() -> dict[str, Any]:
    """The stored references of all rows, where these are the sources; the values cost nothing."""
    found: dict[str, Any] = {}
    project = sources()
    folder = project / "tests" / "data" / "references" if project else Path("no such folder")
    for file in sorted(folder.rglob("*.json")):
        found |= json.loads(file.read_text(encoding="utf-8"))
    return found


def stored(row: ElementwiseRow, static: dict[str, Any], variant: str) -> list[reference.Entry]:
    """Random and awkward points of the case, whose truth the tests have stored."""
    known = _store().get(row.name, {})
    if known.get("expression") != row.samples.reference:
        return []
    return known["entries"].get(f"{reference.static_key(static)} {variant}", [])


def awkward(row: ElementwiseRow, variant: str) -> list[reference.Point]:
    """The row's awkward points."""
    columns = reference.awkward(row, variant)
    return list(zip(*(c.tolist() for c in columns), strict=True))
