"""Values, first, second and mixed derivatives against mpmath at points that no test has stored.

    python tests/support/unseen_points.py                      # every function
    python tests/support/unseen_points.py jv betainc --points 40 --seed 7
    python tests/support/unseen_points.py --wider 4 --order 1  # where no test looks
    python tests/support/unseen_points.py --decimals 1         # numbers as people write them
    python tests/support/unseen_points.py --backend device     # kernels, and rules on them

Points are drawn anew for each seed: from a function's domain, spread by orders of magnitude, next
to integers and to the ends, and with one argument at 0, 1, -1, 1/2, 2 or an end. What is off by
more than the tests allow is printed, worst first. Numbers of few decimals have sums that are whole
but for rounding, which no random ones have. A list to read rather than a verdict: next to a
zero, the condition that is looked at is in one argument alone. From wider domains than the rows'
what is NaN is left out: there the question is what is wrong and does not say so.
"""

from __future__ import annotations

import argparse
import dataclasses
import itertools
import sys
import time
from collections.abc import Iterator, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from identities import mixed
from mpmath import mp
from public_calls import part
from quickly import QUICKLY

from jaxsci import set_backend
from jaxsci._verification import accuracy, reference
from jaxsci._verification.atlas.time_limit import OutOfTime, time_limit
from jaxsci.special._catalog.decorators import ElementwiseRow
from jaxsci.special._catalog.domains import Complexes, Ints
from jaxsci.special._catalog.types import Kind

_SPECIAL = (0.0, 1.0, -1.0, 0.5, 2.0)
_AT_A_SPECIAL_VALUE = 0.4
"""The share of points of which one argument is at a special value."""
_NO_MORE = 5
"""Points that are printed of each quantity."""
_CERTAIN = 1e-15
"""Relative error of the reference's second derivatives."""

Point = reference.Point


# -- where -----------------------------------------------------------------------------------------


def drawn(
    row: ElementwiseRow,
    variant: str,
    rng: np.random.Generator,
    n: int,
    wider: float = 1.0,
    decimals: int | None = None,
) -> Iterator[list[Any]]:
    """N points, of domains that reach so many times as far as the row's, rounded to decimals."""
    domains = []
    for spec, domain in zip(row.arrays, row.samples.domain, strict=True):
        is_complex = variant == reference.COMPLEX and spec.kind is Kind.COMPLEX
        if isinstance(domain, Complexes) and not is_complex:
            domain = domain.real()
        domains.append(_wider(domain, wider))
    free = [i for i, a in enumerate(row.arrays) if a.kind is not Kind.INT]
    for _ in range(n):
        point = [_one(domain, rng) for domain in domains]
        if free and rng.random() < _AT_A_SPECIAL_VALUE:
            i = rng.choice(free)
            point[i] = rng.choice(_special_values(domains[i]))
        if decimals is not None:
            point = [np.round(x, decimals) if isinstance(x, float | complex) else x for x in point]
        yield [
            reference.as_kind(a, x, isinstance(x, complex)).item()
            for a, x in zip(row.arrays, point, strict=True)
        ]


def _wider(domain: Any, factor: float) -> Any:
    """The domain, or one that reaches so many times as far; what ends at 1 ends there for good."""
    if factor == 1 or domain.high <= 1:
        return domain
    if isinstance(domain, Ints):
        return Ints(int(domain.low * (factor if domain.low < 0 else 1)), int(domain.high * factor))
    if isinstance(domain, Complexes):
        line = None if domain.line is None else _wider(domain.line, factor)
        return dataclasses.replace(domain, high=domain.high * factor, line=line)
    if not hasattr(domain, "low"):  # degrees from 0 on
        return dataclasses.replace(domain, high=domain.high * factor)
    low = domain.low * (factor if domain.low < 0 else 1 / factor if domain.log else 1)
    return dataclasses.replace(domain, low=low, high=domain.high * factor)


def bounds(domain: Any, least: float = 0.0) -> tuple[float, float]:
    """Between which real numbers a domain lies; from the least on where it does not say."""
    if isinstance(domain, Complexes):
        return -domain.high, domain.high
    return getattr(domain, "low", least), getattr(domain, "high", 20.0)


def _special_values(domain: Any) -> list[float]:
    low, high = bounds(domain)
    ends = {low, high, *(x for x in _SPECIAL if min(low, 0) <= x <= high)}
    return sorted(ends)


def _one(domain: Any, rng: np.random.Generator) -> Any:
    """A point of one domain."""
    if isinstance(domain, Ints):
        return domain.sample(rng, 1)[0]
    if isinstance(domain, Complexes):
        return _one_complex(domain, rng)
    plain = float(domain.sample(rng, 1)[0])
    low, high = bounds(domain)
    small = (high - low) * 10 ** rng.uniform(-10, -1)
    way = rng.choice(5, p=[0.4, 0.25, 0.1, 0.1, 0.15])
    if way == 0:
        return plain
    if way == 1:
        size = max(abs(low), abs(high)) * 10 ** rng.uniform(-10, 0)
        chosen = size if low >= 0 or (high > 0 and rng.random() < 0.5) else -size
    elif way == 2:
        chosen = np.round(2 * plain) / 2
    elif way == 3:
        chosen = rng.choice([low + small, high - small])
    else:
        chosen = np.round(plain) + rng.choice([-1, 1]) * 10 ** rng.uniform(-14, -1)
    return float(np.clip(chosen, low, high))


def _one_complex(domain: Complexes, rng: np.random.Generator) -> complex:
    turn = np.exp(1j * rng.uniform(-np.pi, np.pi))
    way = rng.choice(4, p=[0.45, 0.25, 0.15, 0.15])
    if way == 0:
        return complex(rng.uniform(domain.low, domain.high) * turn)
    if way == 1:
        return complex(domain.high * 10 ** rng.uniform(-8, 0) * turn)
    along = rng.uniform(-domain.high, domain.high)
    off = rng.choice([-1, 1]) * 10 ** rng.uniform(-12, 0)
    return complex(along, off) if way == 2 else complex(off, along)


# -- what ------------------------------------------------------------------------------------------


def _pairs(row: ElementwiseRow, variant: str) -> list[tuple[int, int]]:
    return list(itertools.combinations(reference.varied(row, variant), 2))


def _mixed_truth(
    row: ElementwiseRow, static: dict[str, Any], point: Point, i: int, j: int
) -> list[tuple[Any, Any]]:
    """d2/dx_i dx_j of all results, and what may be off: by second derivatives along diagonals."""
    of = reference.Reference(row, static)
    at = [reference.exact(x) for x in point]
    sizes = [abs(x) or mp.mpf(1) for x in at]
    found = []
    for sign in (1, -1):

        def line(t: Any, sign: int = sign) -> list[Any]:
            moved = list(at)
            moved[i] += (t - 1) * sizes[i]
            moved[j] += (t - 1) * sizes[j] * sign
            return [y for result in of(moved) for y in result]

        found.append(reference._all_along(line, mp.mpf(1), 1))
    both = 4 * sizes[i] * sizes[j]
    out = []
    for (_, _, two, three), (_, _, other_two, other_three) in zip(*found, strict=True):
        if None in (two, other_two):
            out.append((None, None))
            continue
        moves = sum(abs(x) for x in (three, other_three) if x is not None)
        spare = accuracy.CONDITIONED * moves + _CERTAIN * (abs(two) + abs(other_two))
        out.append(((two - other_two) / both, spare / both))
    return out


def looked_at(
    row: ElementwiseRow, static: dict[str, Any], variant: str, chosen: argparse.Namespace
) -> Iterator[str]:
    """What is wrong with one case, and how much of it was looked at."""
    words = ("unseen", row.name, reference.static_key(static), variant, str(chosen.seed))
    rng = reference.generator(*words)
    pairs = _pairs(row, variant) if chosen.order > 1 else []
    entries, truths, without = [], [], 0
    start = time.process_time()
    for point in drawn(row, variant, rng, chosen.points, chosen.wider, chosen.decimals):
        if time.process_time() - start > chosen.seconds:
            break
        try:
            with time_limit(chosen.seconds / 5):
                entry = reference.entry(row, static, variant, tuple(point))
                truth = [_mixed_truth(row, static, tuple(point), *pair) for pair in pairs]
        except (OutOfTime, Exception):
            mp.dps = 15
            without += 1
        else:
            entries.append(reference.stored_form(entry))
            truths.append(truth)
    yield f"{' '.join(words[1:4])}: {len(entries)} points, {without} without a reference"
    if entries:
        for c in accuracy.comparisons(row, static, variant, entries, chosen.order, QUICKLY):
            good = c.good | c.flawed
            if chosen.wider > 1:
                good |= ~np.isfinite(c.found)
            yield from _off(c.what, entries, c.found, c.truth, c.allowed, good)
        yield from _mixed_off(row, static, variant, entries, pairs, truths)
    jax.clear_caches()


def _mixed_off(
    row: ElementwiseRow,
    static: dict[str, Any],
    variant: str,
    entries: Sequence[reference.Entry],
    pairs: Sequence[tuple[int, int]],
    truths: Sequence[Any],
) -> Iterator[str]:
    at = [jnp.asarray(x) for x in accuracy.points_of(row, variant, entries)]
    f = accuracy.bound(row, static)

    def all_pairs(*at: jax.Array) -> Any:
        n = len(at)
        return [mixed(f, [int(k in pair) for k in range(n)])(*at) for pair in pairs]

    found = jax.jit(all_pairs, compiler_options=dict(QUICKLY))(*at)
    for k, (pair, results) in enumerate(zip(pairs, found, strict=True)):
        flat = np.concatenate([np.reshape(y, (len(entries), -1)) for y in results], axis=1)
        truth = np.array([[_number(t) for t, _ in each[k]] for each in truths])
        spare = np.array([[_number(s) for _, s in each[k]] for each in truths])
        with np.errstate(all="ignore"):
            allowed = accuracy.SECOND * abs(truth) + abs(spare) + np.finfo(float).tiny
            good = ~np.isfinite(truth) | (abs(flat - truth) <= allowed)
            if not np.iscomplexobj(flat):  # real at the point alone
                good |= abs(np.imag(truth)) > accuracy.SECOND * abs(truth)
        names = ", ".join(row.arrays[i].name for i in pair)
        yield from _off(f"d2/d({names})", entries, flat, truth, allowed, good)


def _number(y: Any) -> complex:
    return complex("nan") if y is None else complex(y)


def _off(
    what: str,
    entries: Sequence[reference.Entry],
    found: np.ndarray,
    truth: np.ndarray,
    allowed: np.ndarray,
    good: np.ndarray,
) -> Iterator[str]:
    if good.all():
        return
    with np.errstate(all="ignore"):
        worse = np.nan_to_num(abs(found - truth) / allowed, nan=np.inf, posinf=np.inf)
    bad = sorted(np.argwhere(~good).tolist(), key=lambda p: -worse[tuple(p)])
    yield f"  {what}: {len(bad)} of {good.size} off"
    for p, k in bad[:_NO_MORE]:
        with np.errstate(all="ignore"):
            error = abs(found[p, k] - truth[p, k]) / abs(truth[p, k])
        at = tuple(accuracy.number(x) for x in entries[p]["at"])
        yield f"    {at} [{k}]: {found[p, k]}, true {truth[p, k]}: {error:.1e}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="functions; all of them by default")
    parser.add_argument("--points", type=int, default=40, help="of a case")
    parser.add_argument("--order", type=int, choices=(0, 1, 2), default=2)
    parser.add_argument("--seconds", type=float, default=20, help="for the references of a case")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--wider", type=float, default=1.0, help="times the reach of domains")
    parser.add_argument("--decimals", type=int, help="that arguments have")
    parser.add_argument("--part", help="I/N: the I-th of N parts of the functions")
    parser.add_argument("--backend", help="what computes values; of devices, rows with a kernel")
    chosen = parser.parse_args()
    jax.config.update("jax_enable_x64", True)
    if chosen.backend is not None:
        set_backend(chosen.backend)
    names = part(chosen.names or sorted(reference.ROWS), chosen.part)
    for name in names:
        row = reference.ROWS[name]
        if chosen.backend == "device" and row.kernel is None and row.complex_kernel is None:
            continue
        for static in row.samples.statics:
            for variant in reference.variants(row):
                for line in looked_at(row, static, variant, chosen):
                    print(line, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
