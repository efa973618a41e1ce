"""Values and derivatives over eight devices, in every layout; prints what is wrong, as JSON.

Run with XLA_FLAGS=--xla_force_host_platform_device_count=8, in a process of its own, with names of
functions as arguments (none: all of them), and ``--layouts`` before the names of some layouts.

A program takes values, and derivatives in each parameter, at one element for each of them, so
nothing need be moved between devices. The values' bits must be those that one device finds. Those
of derivatives too with ``--bits``; else the last digits may be others, as of values that JAX
operations mend.
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import json
import re
import sys
import time
import traceback
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import linalg_cases
import numpy as np
from calling import bits, bound
from jax.sharding import AxisType, NamedSharding, PartitionSpec
from kinds import points, ruled
from public_calls import part

from jaxsci._verification import reference

P = PartitionSpec
NUMBERS, MATRICES = 128, 16
"""How many of them: 16 numbers for each device, so that all are computed in vectors of numbers."""
MOVES = re.compile(r"\b(all-gather|all-to-all|all-reduce|collective-permute|reduce-scatter)\b")
CLOSE = 1e-10
"""Relative difference of derivatives that may lose digits where terms cancel."""
PYTHON = "xla_ffi_python_cpu_callback"

Results = list[Any]
Function = Callable[..., Results]


# -- what is computed ------------------------------------------------------------------------------


class Case:
    """A function of arrays whose first dimensions are loops."""

    order = 1
    """Of the highest derivatives."""
    mended = False
    """Whether values too are JAX operations, where SciPy's are wrong."""

    def __init__(self, name: str, function: Any, arrays: Sequence[Any], moved: Sequence[int]):
        self.name, self.arrays, self._function, self._moved = name, arrays, function, moved

    def count(self) -> int:
        """How many of the results are values."""
        return len(jax.eval_shape(lambda *xs: tuple(self._function(*xs)), *self.arrays))

    def __call__(self, *arrays: Any) -> Results:
        """The value, and its derivatives along ones in each argument that has one."""
        found = [*self._function(*arrays)]
        for i in self._moved:

            def along(x: Any, i: int = i) -> Any:
                return tuple(self._function(*arrays[:i], x, *arrays[i + 1 :]))

            function: Callable[[Any], Any] = along
            for _ in range(self.order):
                function = _slope(function)
                found += function(arrays[i])
        return [y for y in found if y.dtype != jax.dtypes.float0]


def cases(names: Collection[str] = ()) -> Iterator[Case]:
    """Of the functions of these names, such as ``special.jv``; of all if there are none."""
    yield from _of_special(names)
    yield from _of_linalg(names)


def _of_special(names: Collection[str]) -> Iterator[Case]:
    """Each row, with the last of its static arguments."""
    for row, static, variant in reference.cases():
        if static != row.samples.statics[-1] or (names and f"special.{row.name}" not in names):
            continue
        which = " (complex)" if variant == reference.COMPLEX else ""
        arrays = points((row, static, variant), NUMBERS)
        each = Case(f"special.{row.name}{which}", bound(row, static), arrays, ruled(row))
        each.mended = row.repair is not None
        yield each


VECTORS = {"qr_insert:col", "qr_update"}
"""Cases with an argument that is a vector by itself, and a matrix with one more dimension."""


def _of_linalg(names: Collection[str]) -> Iterator[Case]:
    """Each function of matrices that takes leading dimensions."""
    for case in linalg_cases.load():
        if not case.batched or case.name in VECTORS:
            continue
        if names and f"linalg.{case.name.partition(':')[0]}" not in names:
            continue
        for kind in case.kinds:
            slices = [case.arrays(kind, seed) for seed in range(MATRICES)]
            arrays = [np.stack(xs) for xs in zip(*slices, strict=True)]
            which = " (complex)" if kind == "complex" else ""
            function = functools.partial(_results, case)
            yield Case(f"linalg.{case.name}{which}", function, arrays, case.positions())


def _results(case: linalg_cases.Case, *arrays: Any) -> Sequence[Any]:
    return case.results(arrays)


def _slope(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda x: jax.jvp(function, (x,), (jnp.ones_like(x),))[1]


# -- how the arrays are spread ---------------------------------------------------------------------


def on_mesh(case: Case, shape: tuple[int, ...], kind: AxisType, *, joined: bool = False) -> Any:
    """The program of a mesh, and its arguments: `joined` puts two axes on one dimension."""
    mesh = jax.make_mesh(shape, ("a", "b")[: len(shape)], axis_types=(kind,) * len(shape))
    loops = mesh.axis_names if not joined else (mesh.axis_names,)
    spread = [
        jax.device_put(_looped(x, len(loops)), NamedSharding(mesh, P(*loops))) for x in case.arrays
    ]
    return jax.jit(case), spread, mesh


def _looped(x: np.ndarray, n: int) -> np.ndarray:
    return x if n == 1 else x.reshape(4, -1, *x.shape[1:])


def mapped(case: Case, shape: tuple[int, ...]) -> Any:
    """The program of a shard_map, and its arguments."""
    names = ("a", "b")[: len(shape)]
    mesh = jax.make_mesh(shape, names, axis_types=(AxisType.Auto,) * len(shape))
    program = jax.jit(jax.shard_map(case, mesh=mesh, in_specs=P(*names), out_specs=P(*names)))
    return program, [_looped(x, len(names)) for x in case.arrays], mesh


def by_pmap(case: Case) -> Any:
    """The program of pmap, and its arguments."""
    return jax.pmap(case), [x.reshape(8, -1, *x.shape[1:]) for x in case.arrays], None


LAYOUTS: dict[str, Callable[[Case], Any]] = {
    "auto, a line": lambda case: on_mesh(case, (8,), AxisType.Auto),
    "auto, a table": lambda case: on_mesh(case, (4, 2), AxisType.Auto),
    "auto, two axes on one": lambda case: on_mesh(case, (4, 2), AxisType.Auto, joined=True),
    "explicit, a line": lambda case: on_mesh(case, (8,), AxisType.Explicit),
    "explicit, a table": lambda case: on_mesh(case, (4, 2), AxisType.Explicit),
    "shard_map, a line": lambda case: mapped(case, (8,)),
    "shard_map, a table": lambda case: mapped(case, (4, 2)),
    "pmap": by_pmap,
}


# -- what must hold --------------------------------------------------------------------------------


def complaints(case: Case, layouts: Sequence[str], exact: bool) -> Iterator[tuple[str, str]]:
    """What is wrong with a function, in which layout."""
    expected = [np.asarray(y) for y in jax.jit(case)(*case.arrays)]
    for layout in layouts:
        try:
            wrong = complaint(case, layout, expected, exact)
        except Exception:
            wrong = traceback.format_exc()[-600:]
        if wrong is not None:
            yield layout, wrong


def complaint(case: Case, layout: str, expected: Sequence[np.ndarray], exact: bool) -> str | None:
    """What is wrong with a function in a layout."""
    program, arrays, mesh = LAYOUTS[layout](case)
    with jax.set_mesh(mesh) if layout.startswith("explicit") else contextlib.nullcontext():
        return _compared(case, program, arrays, expected, layout, exact)


def _compared(
    case: Case, program: Any, arrays: Any, expected: Any, layout: str, exact: bool
) -> str | None:
    compiled = program.lower(*arrays).compile()
    text = compiled.as_text() or ""
    moves = set(MOVES.findall(text))
    if case.name.startswith("linalg") and layout.startswith("auto"):
        moves.discard("all-reduce")  # of one number: how often the exponential is squared
    # Callbacks on a mesh with automatic axes are made on one device: docs/guides/devices.md.
    if moves and not (layout.startswith("auto") and PYTHON in text):
        return f"moves: {sorted(moves)}"
    found = compiled(*arrays)
    for k, (y, truth) in enumerate(zip(found, expected, strict=True)):
        words = bits(np.asarray(y)).reshape(-1) == bits(truth).reshape(-1)
        same = words.reshape(truth.size, -1).all(axis=-1)  # a complex number has two
        if (k >= case.count() or case.mended) and not exact:
            size = np.max(np.abs(truth), initial=0.0, where=np.isfinite(truth))
            near = np.isclose(np.asarray(y).reshape(-1), truth.reshape(-1), CLOSE, 1e-15 * size)
            same = same | near
        if not np.all(same):
            ours, theirs = np.asarray(y).reshape(-1)[~same], truth.reshape(-1)[~same]
            return f"result {k} of {len(expected)}: {ours[:3]}, and {theirs[:3]} of one device"
    return None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--layouts", nargs="+", choices=list(LAYOUTS), default=list(LAYOUTS))
    parser.add_argument("--bits", action="store_true", help="of derivatives too")
    parser.add_argument(
        "--one", type=int, metavar="K", help="each function in one layout, by turns"
    )
    parser.add_argument("--part", help="I/N: the I-th of N parts of the functions")
    chosen = parser.parse_args()
    jax.config.update("jax_enable_x64", True)
    assert jax.device_count() == 8
    found, began, tried = [], time.monotonic(), 0
    everything = [*enumerate(cases(chosen.names))]
    for i, case in part(everything, chosen.part):
        tried += 1
        layouts = chosen.layouts
        if chosen.one is not None:
            layouts = [layouts[(i + chosen.one) % len(layouts)]]
        for layout, wrong in complaints(case, layouts, chosen.bits):
            found.append((case.name, layout, wrong))
            print(case.name, layout, wrong, sep=" | ", file=sys.stderr, flush=True)
        if tried % 50 == 0:
            jax.clear_caches()
            print(f"{tried}, {time.monotonic() - began:.0f} s", file=sys.stderr, flush=True)
    print(json.dumps({"calls": tried, "wrong": found}))


if __name__ == "__main__":
    main()
