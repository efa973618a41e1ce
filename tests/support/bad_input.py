"""Arguments that nobody should give, fed to every public function: values, derivatives, under jit.

    python tests/support/bad_input.py --minutes 30        # every function, again and again
    python tests/support/bad_input.py --trials 100 jv svd # two of them, a hundred trials each
    python tests/support/bad_input.py --trials 9 --part 2/40  # one of forty parts of all
    python tests/support/bad_input.py --objects           # each object in each place, traced only

What comes back must be an array, as SciPy's is where SciPy takes the arguments too; or a TypeError
or ValueError that begins with the function's name and names the argument. Everything else is
printed: another exception, a message without names, the end of the process, more than ten seconds.

The trials run in a process of their own, which is started again behind what ended it. With
``--state FILE`` a program that was ended goes on where it was.
"""

from __future__ import annotations

import argparse
import collections
import dataclasses
import fractions
import inspect
import json
import re
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import scipy.linalg
from public_calls import Call, calls, part

from jaxsci.special._catalog.decorators import CATALOG, ElementwiseRow
from jaxsci.special._catalog.types import Kind

LIMIT = 10.0
"""Seconds of a processor that one call may take, once compiled."""
STANDSTILL = 240.0
"""Seconds by the clock, compiling included, after which the process is ended."""

# -- what is given ---------------------------------------------------------------------------------

TINY, SUBNORMAL, HUGE = np.finfo(float).tiny, 5e-324, np.finfo(float).max
SPECIAL = (np.nan, np.inf, -np.inf, 0.0, -0.0, SUBNORMAL, -SUBNORMAL, TINY, HUGE, -HUGE, 1e-300)
SPECIAL += (1e300, 1e155, -1e155, 1e17, 2.0**53 + 2, 1.0, -1.0, 0.5)
LIMITS = (-128, 127, 255, 2**15, 2**31 - 1, -(2**31), 2**31, 2**53 + 1, 2**63 - 1, -(2**63))
DTYPES = ("bool", "int8", "uint8", "int16", "int64", "uint64", "float16", "float32", "complex64")
DTYPES += (
    ">f8",
    ">i4",
    ">c16",
    "longdouble",
    "clongdouble",
    "object",
    "U3",
    "S3",
    "M8[s]",
    "m8[s]",
)
DTYPES += ("float,int", "bfloat16", "float8_e4m3fn", "int4")


class OfArrays:
    """Has NumPy's protocol, and nothing else."""

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        return np.array([0.5, 1.5])


class OfJaxArrays:
    """Has JAX's protocol, and nothing else."""

    def __jax_array__(self) -> jax.Array:
        return jnp.array([0.5, 1.5])


OBJECTS: dict[str, Callable[[], Any]] = {
    "None": lambda: None,
    "a string": lambda: "abc",
    "an empty string": lambda: "",
    "bytes": lambda: b"abc",
    "a list": lambda: [1.0, 2.0],
    "a list of strings": lambda: ["a", "b"],
    "a ragged list": lambda: [[1.0], [2.0, 3.0]],
    "a tuple": lambda: (1.0, 2.0),
    "an empty tuple": lambda: (),
    "a dictionary": lambda: {"a": 1.0},
    "a set": lambda: {1.0},
    "an object": object,
    "a type": lambda: float,
    "a function": lambda: np.sin,
    "ellipsis": lambda: ...,
    "a slice": lambda: slice(3),
    "a generator": lambda: (x for x in (1.0, 2.0)),
    "a fraction": lambda: fractions.Fraction(1, 3),
    "a large integer": lambda: 10**30,
    "a huge integer": lambda: 10**400,
    "minus one": lambda: -1,
    "zero": lambda: 0,
    "a bool": lambda: True,
    "a float": lambda: 0.5,
    "a complex number": lambda: 1 + 1j,
    "NaN": lambda: float("nan"),
    "infinity": lambda: float("inf"),
    "2**63": lambda: 2**63,
    "2**31": lambda: 2**31,
    "a key": lambda: jax.random.key(0),
    "a shape": lambda: jax.ShapeDtypeStruct((3,), np.float64),
    "an object of arrays": OfArrays,
    "an object of JAX's arrays": OfJaxArrays,
    "a masked array": lambda: np.ma.array([1.0, 2.0, 3.0], mask=[False, True, False]),
    "a matrix": lambda: np.asmatrix(np.eye(3)),
    "a NumPy number": lambda: np.float32(0.5),
    "an array of objects": lambda: np.array([1.0, None, "x"], object),
}


def elements(x: np.ndarray, rng: np.random.Generator) -> tuple[str, Any]:
    """Some of the elements are special."""
    y = x.copy()
    if y.size == 0:
        return "as it is", y
    if np.issubdtype(y.dtype, np.integer):
        value: Any = LIMITS[int(rng.integers(len(LIMITS)))]
        if not np.iinfo(y.dtype).min <= value <= np.iinfo(y.dtype).max:
            y = y.astype(np.int64)
    else:
        value = SPECIAL[int(rng.integers(len(SPECIAL)))]
        if np.iscomplexobj(y) and rng.uniform() < 0.7:
            value = complex(value, SPECIAL[int(rng.integers(len(SPECIAL)))])
    if rng.uniform() < 0.4:
        y = np.full_like(y, value)
        return f"all {value}", y
    places = rng.integers(y.size, size=int(rng.integers(1, 3)))
    y.reshape(-1)[places] = value
    return f"{value} at {sorted(set(places.tolist()))}", y


def shapes(x: np.ndarray, rng: np.random.Generator) -> tuple[str, Any]:
    """Another shape, or another layout in memory."""
    changes: dict[str, Callable[[], Any]] = {
        "0-d": lambda: x.reshape(-1)[:1].reshape(()) if x.size else np.array(1.0),
        "empty": lambda: np.zeros((0,), x.dtype),
        "empty rows": lambda: np.zeros((*x.shape[:-1], 0), x.dtype),
        "empty columns": lambda: np.zeros((0, *x.shape[1:]), x.dtype),
        "0 x 0": lambda: np.zeros((0, 0), x.dtype),
        "a batch of none": lambda: np.zeros((0, *x.shape), x.dtype),
        "rank 8": lambda: x.reshape((1,) * (8 - x.ndim) + x.shape),
        "a batch": lambda: np.stack([x, x]),
        "a row more": lambda: np.concatenate([x, x[:1]]) if x.ndim else np.stack([x, x]),
        "a row less": lambda: x[:-1] if x.ndim else x,
        "a column less": lambda: x[..., :-1] if x.ndim else x,
        "7 elements": lambda: np.ones(7, x.dtype),
        "1 x 1": lambda: np.ones((1, 1), x.dtype),
        "a vector of one": lambda: np.ones((1,), x.dtype),
        "transposed": lambda: x.T,
        "backwards": lambda: np.ascontiguousarray(x[::-1])[::-1] if x.ndim else x,
        "strided": lambda: np.repeat(x, 2, -1)[..., ::2] if x.ndim else x,
        "read only": lambda: np.broadcast_to(x, x.shape),
        "broadcast": lambda: np.broadcast_to(x.reshape(-1)[:1], x.shape) if x.size else x,
    }
    name = list(changes)[int(rng.integers(len(changes)))]
    return name, changes[name]()


def dtypes(x: np.ndarray, rng: np.random.Generator) -> tuple[str, Any]:
    """Another dtype."""
    name = DTYPES[int(rng.integers(len(DTYPES)))]
    y = np.real(x) if not name.startswith(("c", ">c")) else x
    dtype = np.dtype(getattr(jnp, name)) if name in ("bfloat16", "float8_e4m3fn", "int4") else name
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if name == "float,int":
            return name, np.zeros(x.shape, name)
        if name.startswith(("M", "m")):
            y = np.nan_to_num(y).astype(np.int64)
        return name, y.astype(dtype)


def mutated(x: Any, is_array: bool, rng: np.random.Generator) -> tuple[str, Any]:
    """Something bad in the place of one argument."""
    choice = rng.uniform()
    if is_array and isinstance(x, np.ndarray) and choice < 0.8:
        how = elements if choice < 0.35 else shapes if choice < 0.65 else dtypes
        return how(x, rng)
    if is_array and isinstance(x, tuple) and choice < 0.6:
        i = int(rng.integers(len(x)))
        where, part = mutated(x[i], isinstance(x[i], np.ndarray), rng)
        return f"[{i}]: {where}", (*x[:i], part, *x[i + 1 :])
    name = list(OBJECTS)[int(rng.integers(len(OBJECTS)))]
    return name, OBJECTS[name]()


# -- how it is called ------------------------------------------------------------------------------

MODES = ("eagerly", "under jit", "derivative", "traced")


@dataclasses.dataclass(frozen=True)
class Trial:
    """One call with bad arguments."""

    call: Call
    mode: str
    changed: dict[str, Any]
    words: str

    def __str__(self) -> str:
        return f"{self.call} | {self.mode} | {self.words}"

    def result(self) -> Any:
        """What comes back, computed to the end."""
        return jax.block_until_ready(self._called())

    def _called(self) -> Any:
        given = self.call.arguments | self.changed
        if self.mode == "shapes":
            return jax.eval_shape(lambda: self.call(**self.changed))
        if self.mode == "traced":
            numbers = {k: x for k, x in given.items() if _may_be_traced(x)}
            return jax.jit(lambda some: self.call(**(self.changed | some)))(numbers)
        traced = {k: x for k, x in given.items() if k in self.call.arrays and _may_be_traced(x)}
        if self.mode == "under jit":
            return jax.jit(lambda some: self.call(**(self.changed | some)))(traced)
        if self.mode == "derivative":
            moved = {k: jnp.asarray(x) for k, x in traced.items() if _is_floating(x)}
            out, pull = jax.vjp(lambda some: self.call(**(self.changed | some)), moved)
            return out, pull(jax.tree.map(_one, out))
        return self.call(**self.changed)


def _may_be_traced(x: Any) -> bool:
    if isinstance(x, tuple):  # flags beside arrays are static
        return bool(x) and all(_may_be_traced(y) and not isinstance(y, bool) for y in x)
    return isinstance(x, np.ndarray | int | float | complex) and not (
        (
            isinstance(x, np.ndarray)
            and ((x.dtype.kind in "OUSMmV" and x.dtype != jnp.bfloat16) or x.dtype.char in "gG")
        )
        or (isinstance(x, np.ndarray) and not x.dtype.isnative)
        or (isinstance(x, int) and abs(x) >= 2**63)
        or isinstance(x, np.ma.MaskedArray)
    )


def _is_floating(x: Any) -> bool:
    return isinstance(x, np.ndarray) and x.dtype.kind in "fc" and x.dtype.itemsize <= 16


def _one(y: Any) -> Any:
    if jnp.issubdtype(y.dtype, jnp.inexact):
        return jnp.ones_like(y)
    return np.zeros(y.shape, jax.dtypes.float0)


def trial(call: Call, rng: np.random.Generator) -> Trial:
    """A call of which one argument, or two, are bad."""
    mode = MODES[int(rng.choice(len(MODES), p=(0.4, 0.2, 0.3, 0.1)))]
    names = list(call.arguments) + _optional(call)
    names = [name for name in names if name]
    count = min(len(names), 1 + int(rng.uniform() < 0.25))
    changed: dict[str, Any] = {}
    words = []
    for name in rng.choice(names, count, replace=False):
        before = call.arguments.get(str(name))
        where, changed[str(name)] = mutated(before, name in call.arrays, rng)
        words.append(f"{name}: {where}")
    return Trial(call, mode, changed, ", ".join(words))


def _optional(call: Call) -> list[str]:
    """The parameters that the good call leaves to their defaults."""
    parameters = inspect.signature(call.function).parameters.values()
    return [
        p.name
        for p in parameters
        if p.name not in call.arguments and p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)
    ]


def objects(names: Sequence[str], which: str | None) -> Iterator[Trial]:
    """Every object in the place of every argument, traced only."""
    for call in part([c for c in calls() if not names or c.name in names], which):
        for name in filter(None, [*call.arguments, *_optional(call)]):
            for words, make in OBJECTS.items():
                yield Trial(call, "shapes", {name: make()}, f"{name}: {words}")


NAN_BY_DOCSTRING = {"rsf2csf", "signm", "solve_sylvester"}
NAN_BY_DOCSTRING |= {"solve_continuous_lyapunov", "solve_discrete_lyapunov"}
"""Matrix functions that say where their results are NaN, and SciPy has some number: where T is not
quasi-triangular, and where a matrix or an equation is singular for all that rounding leaves."""

OF_FULL_RANK = {"subspace_angles", "orth", "null_space"}
"""Their shapes are SciPy's for a matrix of full rank; of another one all results are NaN here."""

ONE_TRIANGLE = {"eigh", "eigvalsh"}
"""They do not read the other one, in which SciPy looks for what is not finite."""

NO_EFFECT = {"check_finite", "overwrite_a", "overwrite_b", "overwrite_ab", "lwork"}
"""Arguments that SciPy looks at, and are nothing to these functions."""


# -- how it is judged ------------------------------------------------------------------------------


def complaint(each: Trial) -> str | None:
    """What is wrong with the outcome of a trial; None if nothing is."""
    try:
        found = each.result()
    except NotImplementedError as error:
        # Of derivatives that nobody knows.
        fine = each.mode == "derivative" and str(error).startswith(each.call.name)
        return None if fine else f"raises {type(error).__name__}: {error}"
    except (TypeError, ValueError) as error:
        return _unnamed(each, error)
    except MemoryError:  # a result that is larger than memory
        return None
    except OverflowError as error:  # an exact one that int64 does not hold
        fine = str(error).startswith(f"{each.call.name}: the exact result")
        return None if fine else f"raises {type(error).__name__}: {error}"
    except BaseException as error:
        return f"raises {type(error).__name__}: {error}"
    if each.mode == "shapes":
        return None
    if each.mode == "derivative":
        found = found[0]
    return _unlike_scipys(each, found)


def _unnamed(each: Trial, error: Exception) -> str | None:
    text = str(error)
    if each.call.name == "funm" and "func" in each.changed:
        return None  # what a user's own function raises is the user's
    if text.startswith("A ShapeDtypeStruct does not have a value"):
        return None  # inside jit: JAX's own, once the program around the call is complete
    if not text.startswith(f"{each.call.name}:"):
        return f"does not name the function: {type(error).__name__}: {text}"
    if isinstance(error, jax.dtypes.TypePromotionError):
        return None
    # Of several tracers the first is refused, and an array may fit where another does not.
    arrays = any(isinstance(x, OfArrays | OfJaxArrays | np.matrix) for x in each.changed.values())
    is_any = each.mode == "traced" or arrays
    names = each.call.arguments | each.changed if is_any else each.changed
    bases = [part for name in names for part in re.split(r"\[|_and_|_", name)[:2] if part]
    if not any(re.search(rf"\b{re.escape(b)}", text) for b in (*names, *bases)):
        return f"does not name the argument: {type(error).__name__}: {text}"
    return None


def _is_double(x: Any) -> bool:
    if isinstance(x, tuple):
        return all(map(_is_double, x))
    if isinstance(x, np.ndarray):
        return x.dtype in (np.float64, np.complex128, np.int64, np.int32) and type(x) is np.ndarray
    return isinstance(x, bool | int | float | complex | str | None) or callable(x)


def _lacks_rank(given: dict[str, Any]) -> bool:
    """Whether SciPy finds a matrix among the arguments to have fewer than all dimensions."""
    matrices = [x for x in given.values() if isinstance(x, np.ndarray) and x.ndim == 2]
    return any(
        scipy.linalg.orth(x).shape[1] < min(x.shape)
        for x in matrices
        if x.size and np.all(np.isfinite(x))
    )


def _unlike_scipys(each: Trial, found: Any) -> str | None:
    """Another shape than SciPy's, or numbers where SciPy has none, or none where it has some."""
    given = each.call.arguments | each.changed
    row = CATALOG.get(each.call.name) if each.call.package == "special" else None
    if isinstance(row, ElementwiseRow) and (
        row.guard is not None
        or row.repair is not None
        or row.oracle is not row.scipy  # a better one
        or any(a.kind is Kind.INT for a in row.arrays)  # SciPy truncates
    ):
        return None
    if not all(_is_double(x) for x in given.values()) or any(
        each.call.package == "linalg" and getattr(x, "ndim", 0) > 2 for x in given.values()
    ):
        return None
    with warnings.catch_warnings(record=True) as warned, np.errstate(all="ignore"):
        warnings.simplefilter("always")
        try:
            theirs = each.call.of(each.call.scipys, **each.changed)
        except Exception as error:
            return _refused_by_scipy(each, found, error)
    ours, theirs = ([np.asarray(y) for y in jax.tree.leaves(t)] for t in (found, theirs))
    if len(ours) != len(theirs):
        return f"has {len(ours)} results, SciPy {len(theirs)}"
    for y, truth in zip(ours, theirs, strict=True):
        if (
            each.call.name in OF_FULL_RANK
            and np.all(np.isnan(y))
            and (y.shape != truth.shape or _lacks_rank(given))
        ):
            continue
        if y.shape != truth.shape and not (each.call.package == "linalg" and y.size == 0):
            return f"has shape {y.shape}, SciPy {truth.shape}"
        if truth.dtype.kind not in "fciub":
            continue
        here, there = np.isnan(y), np.isnan(truth)
        if each.call.package == "linalg":
            here, there = ~np.all(np.isfinite(y)), ~np.all(np.isfinite(truth))
        # Where a matrix has no logarithm SciPy warns, and returns what rounding made of it.
        unsure = each.call.package == "linalg" and (
            warned
            or each.call.name in NAN_BY_DOCSTRING
            or truth.dtype.kind == "c" != y.dtype.kind  # complex by its values: NaN here
        )
        if np.any(here & ~there) and not unsure:
            return f"is {_short(y)}, where SciPy has {_short(truth)}"
        if np.any(there & ~here):
            return f"is {_short(y)}, where SciPy has only {_short(truth)}"
    return None


def _refused_by_scipy(each: Trial, found: Any, error: Exception) -> str | None:
    """What SciPy refuses by its values is NaN here; what it refuses by its form is refused here.

    Not so stacks and arrays of parameters, which SciPy does not take everywhere, nor arguments that
    have no effect here.
    """
    if each.call.package == "special" or isinstance(error, TypeError | IndexError | OverflowError):
        return None
    if each.changed.keys() <= NO_EFFECT:
        return None
    if each.call.name in ONE_TRIANGLE and "must not contain infs or NaNs" in str(error):
        return None
    leaves = [np.asarray(y) for y in jax.tree.leaves(found)]
    sizes = sum(y.size for y in leaves)
    if not sizes or any(np.any(~np.isfinite(y)) for y in leaves if y.dtype.kind in "fc"):
        return None
    return f"is {_short(leaves[0])}, where SciPy raises {type(error).__name__}: {error}"


def _short(y: np.ndarray) -> str:
    return " ".join(np.array2string(y, threshold=6, edgeitems=2, precision=6).split())


# -- processes -------------------------------------------------------------------------------------


def trials(
    names: Sequence[str], n: int, seed: int, which: str | None = None
) -> list[tuple[Call, int]]:
    """Which calls are tried, and by which numbers; in another order for another seed."""
    wanted = [*part([c for c in calls() if not names or c.name in names], which)]
    np.random.default_rng(seed).shuffle(wanted)  # pyright: ignore[reportArgumentType]
    return [(call, seed * 10**6 + i) for i in range(n) for call in wanted]


def made(call: Call, number: int) -> Trial:
    """The trial of that number."""
    return trial(call, np.random.default_rng([number, *str(call).encode()]))


def work(tried: Sequence[tuple[Call, int]], start: int, until: float) -> None:
    """In a process of its own: one line of JSON before each trial, and one for what is wrong."""
    jax.config.update("jax_enable_x64", True)
    warnings.simplefilter("ignore")
    for i, (call, number) in enumerate(tried):
        if i < start:
            continue
        if time.time() > until:
            return
        each = made(call, number)
        print(json.dumps(["at", i, str(each)]), flush=True)
        began = time.process_time()
        wrong = complaint(each)
        if wrong is None and time.process_time() - began > LIMIT:
            began = time.process_time()  # compiled by now
            complaint(each)
            took = time.process_time() - began
            wrong = f"takes {took:.0f} s" if took > LIMIT else None
        if wrong is not None:
            print(json.dumps(["wrong", i, str(each), wrong[:600]]), flush=True)
        if i % 400 == 399:
            jax.clear_caches()  # or memory fills with programs


def scan(chosen: argparse.Namespace, seed: int, until: float) -> tuple[int, list[list[str]]]:
    """How many trials there were, and what is wrong with which of them."""
    start, found, ended = 0, [], False
    if chosen.state and chosen.state.exists():
        start, found = json.loads(chosen.state.read_text(encoding="utf-8"))
    while not ended:
        options = ["--work", str(start), "--trials", str(chosen.trials), "--seed", str(seed)]
        options += ["--until", str(until), *chosen.names]
        options += ["--part", chosen.part] if chosen.part else []
        child = subprocess.Popen(
            [sys.executable, __file__, *options], stdout=subprocess.PIPE, text=True
        )
        last, words = start - 1, ""
        watch = _Watch(child)
        assert child.stdout is not None
        for line in child.stdout:
            try:
                what, last, words, *wrong = json.loads(line)
            except ValueError:
                continue
            watch.touch()
            if chosen.state:
                chosen.state.write_text(json.dumps([last, found]), encoding="utf-8")
            if what == "wrong":
                found.append([words, *wrong])
                print(words, *wrong, sep=" | ", file=sys.stderr, flush=True)
        code = child.wait()
        watch.stop()
        ended = code == 0
        if not ended:
            how = f"ends the process, or stands still: {code}"
            found.append([words, how])
            print(words, how, sep=" | ", file=sys.stderr, flush=True)
        start = last + 1
    return start, found


class _Watch:
    """Ends a process that stands still."""

    def __init__(self, child: subprocess.Popen[str]) -> None:
        self._child, self._since, self._ended = child, time.monotonic(), threading.Event()
        threading.Thread(target=self._look, daemon=True).start()

    def touch(self) -> None:
        self._since = time.monotonic()

    def stop(self) -> None:
        self._ended.set()

    def _look(self) -> None:
        while not self._ended.wait(1):
            if time.monotonic() - self._since > STANDSTILL:
                self._child.kill()


def _objects(names: Sequence[str], which: str | None) -> int:
    jax.config.update("jax_enable_x64", True)
    warnings.simplefilter("ignore")
    tried, found = 0, []
    for each in objects(names, which):
        tried += 1
        if (wrong := complaint(each)) is not None:
            found.append([str(each), wrong[:600]])
            print(each, wrong, sep=" | ", file=sys.stderr, flush=True)
    print(json.dumps({"trials": tried, "wrong": found}))
    return int(bool(found))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="functions; all of them by default")
    parser.add_argument("--trials", type=int, default=20, help="of each function's calls")
    parser.add_argument("--minutes", type=float, help="go on with other seeds for so long")
    parser.add_argument("--objects", action="store_true", help="each object in each place")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--part", help="I/N: the I-th of N parts of the functions")
    parser.add_argument("--state", type=Path, help="a file to go on from, of one seed")
    parser.add_argument("--work", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--until", type=float, default=float("inf"), help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.work is not None:
        tried = trials(chosen.names, chosen.trials, chosen.seed, chosen.part)
        work(tried, chosen.work, chosen.until)
        return 0
    if chosen.objects:
        return _objects(chosen.names, chosen.part)
    until = time.time() + 60 * chosen.minutes if chosen.minutes else float("inf")
    tried, found, seed = 0, [], chosen.seed
    while True:
        count, wrong = scan(chosen, seed, until)
        tried, found, seed = tried + count, found + wrong, seed + 1
        if not chosen.minutes or time.time() > until or chosen.state:
            break
    kinds = collections.Counter(words.split(" ")[0] for words, _ in found)
    print(json.dumps({"trials": tried, "wrong": found, "functions": dict(kinds)}))
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
