"""How far a row's values and derivatives are from mpmath's, and how far they may be."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.typing import ArrayLike

from jaxsci._verification import reference
from jaxsci.special._catalog.decorators import ElementwiseRow, SampledRow
from jaxsci.special._catalog.types import Kind

VALUE, FIRST, SECOND = 1e-12, 1e-12, 1e-10
"""The relative errors that values, first and second derivatives may have."""
CONDITIONED = 64 * np.finfo(np.float64).eps
"""The relative error in an argument that an error may come from, where that is more."""


@dataclass(frozen=True)
class Comparison:
    """One quantity at many points: an array of points by components each."""

    what: str
    order: int
    """0 for the value, 1 and 2 for derivatives."""
    accuracy: float
    found: np.ndarray
    truth: np.ndarray
    error: np.ndarray
    allowed: np.ndarray
    good: np.ndarray
    flawed: np.ndarray
    """Where the row says that SciPy's own value is inaccurate."""
    scale: np.ndarray
    """What the quantity changes by when an argument does by its own size."""
    argument: str = ""
    """That in which derivatives are taken."""

    def worst(self) -> float:
        """The largest relative error of points without a flaw; 1e-12 just passes as a value.

        Where the condition allows for more than the accuracy does, errors are scaled down to it.
        """
        with np.errstate(all="ignore"):
            relative = self.error / self.allowed * self.accuracy
        counted = np.isfinite(relative) & ~self.flawed
        wrong = ~self.good & ~self.flawed & ~np.isfinite(relative)
        return np.inf if wrong.any() else float(np.max(relative, where=counted, initial=0.0))


def bound(
    row: SampledRow, static: dict[str, Any], function: Callable[..., Any] | None = None
) -> Callable[..., tuple[Any, ...]]:
    """The row's function (or another of its signature) of its array arguments alone.

    Static arguments are given in their places; the results are always a tuple, with core
    dimensions last.
    """
    call = row.function if function is None else function

    def evaluate(*arrays: ArrayLike) -> tuple[Any, ...]:
        left = iter(arrays)
        args, keywords = [], {}
        for a in row.arguments:
            value = static[a.name] if a.kind is Kind.STATIC else next(left)
            if a.keyword_only:
                keywords[a.name] = value
            else:
                args.append(value)
        values = call(*args, **keywords)
        if isinstance(row, ElementwiseRow) and row.layout is not None:
            return row.layout.trailing(values, static)
        return tuple(values) if isinstance(values, tuple | list) else (values,)

    return evaluate


def places(row: ElementwiseRow) -> dict[str, int]:
    """Each array argument's position among the array arguments."""
    return {a.name: i for i, a in enumerate(row.arrays)}


def comparisons(
    row: ElementwiseRow,
    static: dict[str, Any],
    variant: str,
    entries: Sequence[reference.Entry],
    highest: int = 2,
    compiler_options: Mapping[str, Any] | None = None,
) -> Iterator[Comparison]:
    """The row's values and derivatives beside the stored or computed ones.

    Args:
        row: the row.
        static: its static arguments.
        variant: which of its arguments are complex.
        entries: points, with the truth there.
        highest: the highest order of derivatives that is looked at, 0 to 2.
        compiler_options: XLA's, by default those of every program.
    """
    at = points_of(row, variant, entries)
    looked_at = directions_of(row, variant, at) if highest else {}
    options = dict(compiler_options) if compiler_options else None
    found = jax.jit(derivatives(row, static, highest), compiler_options=options)(at, looked_at)
    value, slopes = jax.tree.map(np.asarray, found)
    yield from compared(row, static, variant, entries, value, slopes)


def directions_of(
    row: ElementwiseRow, variant: str, at: Sequence[np.ndarray | jax.Array]
) -> dict[str, np.ndarray]:
    """The directions in which each argument is varied, of its own type."""
    return {
        a.name: np.array(d, at[i].dtype)
        for i, a in enumerate(row.arrays)
        if (d := reference.directions(row, a, variant))
    }


def compared(
    row: ElementwiseRow,
    static: dict[str, Any],
    variant: str,
    entries: Sequence[reference.Entry],
    value: Sequence[np.ndarray],
    slopes: Mapping[str, Sequence[np.ndarray]],
) -> Iterator[Comparison]:
    """Values and derivatives, whoever computed them, beside the stored or computed ones.

    Args:
        row: the row.
        static: its static arguments.
        variant: which of its arguments are complex.
        entries: points, with the truth there.
        value: each result there.
        slopes: by argument the first derivatives in its directions, or the first and the second.
    """
    at = points_of(row, variant, entries)
    directions = directions_of(row, variant, at)
    for j in range(len(value)):
        truth = _numbers([e["value"] for e in entries])[j]
        scale = np.zeros(truth.shape)
        shared = _flaws(row, static, j, entries, derivatives=True)[:, None]
        for name, d in directions.items():
            size = np.abs(at[places(row)[name]])[:, None]
            orders = [y[j].reshape(len(entries), len(d), -1) for y in slopes.get(name, ())]
            unknown = _unknown(row, static, name, entries)[:, None]
            for m in range(len(d)):
                one, two, three = (
                    _numbers([e["slopes"][name][m][k] for e in entries])[j] for k in range(3)
                )
                scale = np.maximum(scale, size * abs(one))
                place = f"{name} along {d[m]}, result {j}"
                if len(orders) > 0:
                    first = orders[0][:, m]
                    c = _compared(f"d/d{place}", 1, first, one, size * abs(two), shared)
                    yield replace(_not_a_number_where(unknown, c), argument=name)
                if len(orders) > 1:
                    second = orders[1][:, m]
                    c = _compared(f"d2/d{place}", 2, second, two, size * abs(three), shared)
                    yield replace(_not_a_number_where(unknown, c), argument=name)
        flawed = _flaws(row, static, j, entries)[:, None]
        yield _compared(f"value {j}", 0, value[j].reshape(truth.shape), truth, scale, flawed)


def points_of(
    row: ElementwiseRow, variant: str, entries: Sequence[reference.Entry]
) -> list[np.ndarray]:
    """The points of entries, one array an argument."""
    return [
        reference.as_kind(
            spec,
            [number(e["at"][i]) for e in entries],
            variant == reference.COMPLEX and spec.kind is Kind.COMPLEX,
        )
        for i, spec in enumerate(row.arrays)
    ]


def derivatives(
    row: ElementwiseRow,
    static: dict[str, Any],
    highest: int,
    function: Callable[..., Any] | None = None,
) -> Callable[..., Any]:
    """A function of arrays and of each argument's directions: value, and derivatives in them.

    Args:
        row: the row.
        static: its static arguments.
        highest: the highest order of derivatives.
        function: another function of the row's signature in place of the row's own.
    """
    of_arrays = bound(row, static, function)

    def evaluate(at: Sequence[jax.Array], directions: Any) -> Any:
        n = at[0].shape[0]
        slopes = {}
        for name, d in directions.items():
            i = places(row)[name]
            repeated = [jnp.repeat(x, d.size) for x in at]
            along = jnp.tile(d, n)

            def line(x: jax.Array, i: int = i, repeated: list[jax.Array] = repeated) -> Any:
                return of_arrays(*repeated[:i], x, *repeated[i + 1 :])

            def slope(
                x: jax.Array, line: Callable[..., Any] = line, along: jax.Array = along
            ) -> tuple[jax.Array, ...]:
                return jax.jvp(line, (x,), (along,))[1]

            x = repeated[i]
            slopes[name] = jax.jvp(slope, (x,), (along,)) if highest > 1 else (slope(x),)
        return of_arrays(*at), slopes

    return evaluate


def number(stored: Any) -> complex:
    """A number of the store: None is undefined, a pair complex."""
    return np.nan if stored is None else complex(*stored) if isinstance(stored, list) else stored


def _numbers(parts: Sequence[Any]) -> list[np.ndarray]:
    """One part of each entry: for each result, an array of points by components."""
    return [np.array([[number(y) for y in y_] for y_ in ys]) for ys in zip(*parts, strict=True)]


def _flaws(
    row: ElementwiseRow,
    static: dict[str, Any],
    j: int,
    entries: Sequence[reference.Entry],
    derivatives: bool = False,
) -> np.ndarray:
    """The error at each point that the row declares SciPy's own values, or derivatives, to have."""
    out = np.zeros(len(entries))
    for flaw in row.samples.flaws:
        if flaw.results and row.outputs[j] not in flaw.results.split():
            continue
        if derivatives and not flaw.derivatives:
            continue
        for k, e in enumerate(entries):
            names = _names(row, static, e)
            if eval(flaw.where, names):
                out[k] = max(out[k], eval(flaw.error, names))
    return out


def _names(row: ElementwiseRow, static: dict[str, Any], entry: reference.Entry) -> dict[str, Any]:
    """What a condition on the arguments may name, at a point."""
    at = {a.name: number(x) for a, x in zip(row.arrays, entry["at"], strict=True)}
    return {"inf": np.inf, **static, **at}


def _unknown(
    row: ElementwiseRow, static: dict[str, Any], argument: str, entries: Sequence[reference.Entry]
) -> np.ndarray:
    """The points where the row declares the derivative in an argument unknown."""
    conditions = [u.where for u in row.samples.unknown if argument in u.arguments.split()]
    return np.array([any(eval(c, _names(row, static, e)) for c in conditions) for e in entries])


def _not_a_number_where(unknown: np.ndarray, c: Comparison) -> Comparison:
    """The comparison, where a result that is declared unknown has to be NaN."""
    unknown = np.broadcast_to(unknown, c.good.shape)
    good = np.where(unknown, np.isnan(c.found), c.good)
    return replace(c, good=good, flawed=c.flawed | unknown)


def _compared(
    what: str, order: int, found: np.ndarray, truth: np.ndarray, scale: Any, flawed: Any = 0.0
) -> Comparison:
    """Compare a quantity: it may be off by its accuracy, or by its condition's worth."""
    accuracy = (VALUE, FIRST, SECOND)[order]
    with np.errstate(all="ignore"):
        error = np.abs(found - truth)
        scale = np.where(np.isnan(scale), 0, scale)
        allowed = np.maximum(accuracy * np.abs(truth), CONDITIONED * scale)
        allowed = np.fmax(allowed, flawed * np.maximum(np.abs(truth), scale))
        # Subnormal results have fewer digits.
        allowed = allowed + np.finfo(np.float64).tiny
        good = (error <= allowed) | np.isinf(flawed)
    # Beyond the range of doubles: infinite, or NaN where infinities met, but never finite and
    # never of the wrong sign (SciPy's complex functions know only NaN there).
    right_sign = found != -truth if np.isrealobj(truth) else True
    good = np.where(np.isinf(truth), ~np.isfinite(found) & right_sign, good)
    good = good | np.isnan(truth)
    is_flawed = np.broadcast_to(np.asarray(flawed) > 0, truth.shape)
    scale = np.broadcast_to(scale, truth.shape)
    return Comparison(what, order, accuracy, found, truth, error, allowed, good, is_flawed, scale)
