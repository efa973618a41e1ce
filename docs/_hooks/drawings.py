"""What is drawn of a function: value and derivative, where its samples say it is defined."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from typing import Any

import curves
import jax
import jax.numpy as jnp
import numpy as np

from jaxsci._core import elementwise_rules
from jaxsci.special._catalog.domains import Complexes, Ints, Reals
from jaxsci.special._catalog.row import ArgumentSpec, ElementwiseRow
from jaxsci.special._catalog.types import Kind

POINTS = 240
PIXELS = 160
USUAL = (2.5, 1.5, 0.5)
"""What the other arguments are, if their domains have it."""
TRIALS = 8
STYLES = ("first", "second", "third", "fourth")


def drawing(row: ElementwiseRow) -> str:
    """A plot over the last continuous argument, a phase portrait, or nothing."""
    return _drawn(row, _plot, _portrait)


def portrait(row: ElementwiseRow) -> str:
    """The phase portrait alone."""
    return _drawn(row, _portrait)


def _drawn(row: ElementwiseRow, *parts: Callable[[ElementwiseRow, ArgumentSpec], str]) -> str:
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        argument = _variable(row)
        return "" if argument is None else "".join(part(row, argument) for part in parts)


def _variable(row: ElementwiseRow) -> ArgumentSpec | None:
    elementwise = row.host.signature is not None and row.host.signature.elementwise
    continuous = [a for a in row.arrays if a.kind in (Kind.REAL, Kind.COMPLEX)]
    return continuous[-1] if elementwise and continuous and row.samples.domain else None


def _plot(row: ElementwiseRow, argument: ArgumentSpec) -> str:
    window = _window(row, argument)
    if window is None:
        return ""
    x = np.linspace(*window, POINTS)
    for others in _others(row, argument):
        values = _values(row, argument, others, x)
        if values is None:
            return ""
        if all(np.isfinite(y).mean() > 0.6 and np.ptp(y[np.isfinite(y)]) > 0 for y in values):
            break
    else:
        return ""
    names = row.outputs or (row.name,)
    values, names = _parts(values, names)
    if len(values) > len(STYLES):
        return ""
    drawn = [
        curves.Curve(name, y, style) for name, y, style in zip(names, values, STYLES, strict=False)
    ]
    slope = _slope(row, argument, others, x) if len(values) == 1 else None
    if slope is not None:
        drawn.append(curves.Curve(f"its derivative in {argument.name}", slope, "slope"))
    at = _where(others)
    return curves.plot(x, drawn, argument.name + at, f"{row.name} over {argument.name}{at}")


def _parts(values: list[np.ndarray], names: tuple[str, ...]) -> tuple[list[np.ndarray], list[str]]:
    """Real and imaginary parts of what is complex."""
    out, labels = [], []
    for y, name in zip(values, names, strict=False):
        if np.iscomplexobj(y) and np.any(np.imag(y) != 0):
            out += [np.real(y), np.imag(y)]
            labels += [f"real part of {name}", f"imaginary part of {name}"]
        else:
            out.append(np.real(y))
            labels.append(name)
    return out, labels


def _portrait(row: ElementwiseRow, argument: ArgumentSpec) -> str:
    domain = _domains(row)[argument.name]
    if argument.kind is not Kind.COMPLEX or not isinstance(domain, Complexes):
        return ""
    extent = min(domain.high, 6.0)
    side = np.linspace(-extent, extent, PIXELS)
    z = side + 1j * side[::-1, None]
    for others in _others(row, argument):
        values = _values(row, argument, others, z)
        if values is None:
            return ""
        if np.isfinite(values[0]).mean() > 0.6:
            name = row.outputs[0] if row.outputs else row.name
            at = _where(others)
            text = f"Phase portrait of {name} over complex {argument.name}{at}"
            return curves.phase_portrait(values[0], extent, text)
    return ""


def _domains(row: ElementwiseRow) -> dict[str, Any]:
    return dict(zip((a.name for a in row.arrays), row.samples.domain, strict=False))


def _window(row: ElementwiseRow, argument: ArgumentSpec) -> tuple[float, float] | None:
    """The part of the argument's domain that is near 0."""
    domain = _domains(row)[argument.name]
    line = domain.real() if isinstance(domain, Complexes) else domain
    if not isinstance(line, Reals):
        return None
    far = 10.0 if line.low >= 0 else 6.0
    low, high = max(line.low, -far), min(line.high, far)
    return (low, high) if low < high else (line.low, line.high)


def _others(row: ElementwiseRow, argument: ArgumentSpec) -> Iterator[dict[str, Any]]:
    """Values for the other arguments: the usual ones, then some of the row's samples."""
    rest = {name: d for name, d in _domains(row).items() if name != argument.name}
    static = dict(row.samples.statics[0])
    usual = dict(zip(rest, (_usual(d, i) for i, d in enumerate(rest.values())), strict=True))
    yield usual | static
    rng = np.random.default_rng(0)
    for _ in range(TRIALS if rest else 0):
        points = {name: _short(d.sample(rng, 1)[0]) for name, d in rest.items()}
        yield points | static


def _short(value: Any) -> float | int:
    """A number of two digits."""
    if isinstance(value, np.integer):
        return int(value)
    return float(f"{np.abs(value):.2g}") if np.iscomplexobj(value) else float(f"{value:.2g}")


def _usual(domain: Any, place: int) -> float | int:
    if isinstance(domain, Ints):
        return min(max(2, domain.low), domain.high)
    line = domain.real() if isinstance(domain, Complexes) else domain
    if not isinstance(line, Reals):
        high = getattr(domain, "high", None)  # of degrees, integer or not
        if high is not None:
            return min(3, int(high))
        return _short(domain.sample(np.random.default_rng(0), 1)[0])
    value = USUAL[min(place, len(USUAL) - 1)]
    if line.low <= value <= line.high:
        return value
    middle = np.sqrt(line.low * line.high) if line.log else (line.low + line.high) / 2
    return float(f"{middle:.2g}")


def _values(
    row: ElementwiseRow, argument: ArgumentSpec, others: dict[str, Any], x: np.ndarray
) -> list[np.ndarray] | None:
    values = jax.jit(lambda x: row.function(**others, **{argument.name: x}))(x)
    parts = values if isinstance(values, tuple | list) else (values,)
    arrays = [np.asarray(y) for y in parts]
    return arrays if all(y.shape == x.shape for y in arrays) else None


def _slope(
    row: ElementwiseRow, argument: ArgumentSpec, others: dict[str, Any], x: np.ndarray
) -> np.ndarray | None:
    if isinstance(row.rules[argument.name], elementwise_rules.Missing):
        return None

    def along(x: jax.Array) -> jax.Array:
        f = lambda x: row.function(**others, **{argument.name: x})  # noqa: E731
        return jax.jvp(f, (x,), (jnp.ones_like(x),))[1]

    y = np.asarray(jax.jit(along)(x))
    return None if np.iscomplexobj(y) or np.isfinite(y).mean() < 0.6 else y


def _where(others: dict[str, Any]) -> str:
    at = ", ".join(f"{name} = {value}" for name, value in others.items())
    return f", at {at}" if at else ""
