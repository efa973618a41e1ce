"""SciPy's values, as far as they stand, beside kernels' where no domain of a row reaches.

    python tests/support/far_out.py                             # every function with a kernel
    python tests/support/far_out.py gammainc bdtri --reach 1e9 --seed 7
    python tests/support/far_out.py hyp2f1 --complex --points 500

Arguments are spread over so many orders of magnitude, next to one another, and next to both ends of
what is a probability. Whatever differs by more than a rounding of the arguments makes is printed,
worst first, and so is what one of both has no value for. Two algorithms are compared: which one is
wrong is for mpmath to say.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from typing import Any

import jax
import numpy as np
from public_calls import part
from unseen_points import bounds

import jaxsci
from jaxsci._verification import accuracy, reference
from jaxsci.special._catalog.decorators import ElementwiseRow
from jaxsci.special._catalog.types import Kind

_PROBABILITIES = 1.0
"""An end that nothing goes beyond."""
_LARGEST_INTEGER = 2000
_STEP = 1e-9
"""Relative, for condition numbers."""
_APART = 1e-9
_ROUNDINGS = 100
"""Of the arguments, whose effect is no difference."""
_NO_MORE = 4
_SMALLEST, _LARGEST = 1e-290, 1e300

Columns = list[np.ndarray]


def columns(row: ElementwiseRow, in_plane: bool, n: int, reach: float, rng: Any) -> Columns:
    """N points of all arguments, the later ones near the first at every second one."""
    found = [
        _column(spec, domain, in_plane, n, reach, rng)
        for spec, domain in zip(row.arrays, row.samples.domain, strict=True)
    ]
    alike = [
        i
        for i, (spec, domain) in enumerate(zip(row.arrays, row.samples.domain, strict=True))
        if spec.kind is not Kind.INT and bounds(domain)[1] > _PROBABILITIES
    ]
    for i in alike[1:]:
        off = 10 ** rng.uniform(-6, 0, n) * rng.choice([-1, 1], n)
        near = abs(found[alike[0]]) * (1 + off) * np.sign(found[i])
        found[i] = np.where(rng.random(n) < 0.5, near, found[i])
    return found


def _column(spec: Any, domain: Any, in_plane: bool, n: int, reach: float, rng: Any) -> np.ndarray:
    low, high = bounds(domain, -1.0)
    size = reach ** rng.uniform(-1, 1, n)
    if spec.kind is Kind.INT:
        whole = np.clip(np.round(size), 0, _LARGEST_INTEGER).astype(np.int32)
        return whole * rng.choice([-1, 1], n).astype(np.int32) if low < 0 else whole
    if in_plane and spec.kind is Kind.COMPLEX:
        z = size * np.exp(1j * rng.uniform(-np.pi, np.pi, n))
        beside = z.real + 1j * z.imag * 10 ** rng.uniform(-8, 0, n)
        return np.where(rng.random(n) < 0.3, beside, z)
    if low >= 0 and high <= _PROBABILITIES:
        small = 10 ** rng.uniform(-12, 0, n)
        return np.choose(rng.integers(0, 3, n), [small, 1 - small, rng.random(n)])
    return size * (rng.choice([-1, 1], n) if low < 0 else 1.0)


def differences(
    row: ElementwiseRow, static: dict[str, Any], in_plane: bool, chosen: argparse.Namespace
) -> Iterator[str]:
    """What is wrong with one of both."""
    name = f"{row.name} {reference.static_key(static)}"
    rng = reference.generator("far", name, str(in_plane), str(chosen.seed))
    at = columns(row, in_plane, chosen.points, chosen.reach, rng)
    function = accuracy.bound(row, static)
    with jaxsci.use_backend("device"):
        program = jax.jit(function)
        kernels = _numbers(program(*at))
        conditions = [np.zeros(len(y)) for y in kernels]
        for i, spec in enumerate(row.arrays):
            if spec.kind is Kind.INT:
                continue
            moved = [x * (1 + _STEP) if j == i else x for j, x in enumerate(at)]
            for k, y in enumerate(_numbers(program(*moved))):
                conditions[k] += abs(y - kernels[k]) * (np.finfo(float).eps / _STEP)
    default = _numbers(jax.jit(function)(*at))
    for k, (ours, theirs, moves) in enumerate(zip(kernels, default, conditions, strict=True)):
        off = abs(theirs - ours) / abs(ours)
        known, standing = np.isfinite(ours), np.isfinite(theirs)
        ordinary = (abs(ours) > _SMALLEST) & (abs(ours) < _LARGEST)
        apart = known & standing & ordinary & (off > _APART + _ROUNDINGS * moves / abs(ours))
        kinds = {
            "apart": apart,
            "without a value": known & ordinary & ~standing,
            "without a kernel's": standing & np.isnan(ours),
        }
        counts = ", ".join(f"{np.sum(where)} {what}" for what, where in kinds.items())
        yield f"{name} [{k}]: of {len(off)} points {counts}"
        for what, where in list(kinds.items())[:2]:
            for p in sorted(np.flatnonzero(where), key=lambda p: -np.nan_to_num(off[p]))[:_NO_MORE]:
                point = tuple(x[p].item() for x in at)
                yield f"    {what} at {point}: {theirs[p]}, kernel {ours[p]}"
    jax.clear_caches()


def _numbers(found: Any) -> list[np.ndarray]:
    """The results that have a number a point."""
    arrays = [np.asarray(y) for y in (found if isinstance(found, Sequence) else [found])]
    return [y for y in arrays if y.ndim == 1]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="functions; all with a kernel by default")
    parser.add_argument("--points", type=int, default=20_000)
    parser.add_argument("--reach", type=float, default=1e6, help="from 1/reach to reach")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--complex", action="store_true", help="complex arguments")
    parser.add_argument("--part", help="I/N: the I-th of N parts of the functions")
    chosen = parser.parse_args()
    jax.config.update("jax_enable_x64", True)
    np.seterr(all="ignore")
    for name in part(chosen.names or sorted(reference.ROWS), chosen.part):
        row = reference.ROWS[name]
        if not (row.complex_kernel if chosen.complex else row.kernel):
            continue
        for static in row.samples.statics:
            for line in differences(row, static, chosen.complex, chosen):
                print(line, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
