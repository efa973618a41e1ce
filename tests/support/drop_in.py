"""SciPy's own tests of special and linalg, on this package's functions.

    python tests/support/drop_in.py                       # all that are listed as looked at
    python tests/support/drop_in.py special/test_ndtr.py  # a module
    python tests/support/drop_in.py --as-is               # nothing converted at the boundary
    python tests/support/drop_in.py --earlier *.json      # what runs with --json found, together

The tests are those of the installed SciPy. Where a test module names a function of SciPy, it gets
this package's. Nothing else of it changes, but for what stands at the boundary between NumPy and
JAX (`Replaced`): lists and long doubles become arrays of doubles, and results become NumPy's. Tests
that never come to one of these functions are counted apart: they say nothing.

What fails must be listed, with the reason, in `tests/data/drop_in.toml`, and what is listed must
fail; but what fails in the last bits (`rounding`: what the error then says) may pass on another
processor.
"""

from __future__ import annotations

import argparse
import contextlib
import fnmatch
import importlib
import json
import os
import re
import signal
import sys
import tomllib
import types
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import jax
import numpy as np
import pytest
import scipy
import scipy.linalg
import scipy.special

import jaxsci.linalg
import jaxsci.special

REASONS = Path(__file__).resolve().parents[1] / "data" / "drop_in.toml"
PACKAGES = {"special": jaxsci.special, "linalg": jaxsci.linalg}
LIMIT = 300
"""Seconds that one test may take."""

# What test modules import besides: had it been imported while SciPy's names are ours, it would keep
# ours for itself.
BEFORE = ["integrate", "interpolate", "optimize", "signal", "sparse.linalg", "stats", "conftest"]
BEFORE += [
    "special._testutils",
    "special._mptestutils",
    "linalg._testutils",
    "linalg.interpolative",
]
BEFORE += ["special._ufuncs", "special._basic", "special._orthogonal", "special.cython_special"]
BEFORE += ["_lib._array_api", "_lib._testutils"]


class Replaced:
    """One of this package's functions under SciPy's name.

    It is equal to SciPy's function, for the tables in which SciPy's tests look functions up.
    """

    calls = 0
    converts = True

    def __init__(self, ours: Any, theirs: Any) -> None:
        self.__wrapped__ = ours
        self.__name__ = ours.__name__
        self.__doc__ = ours.__doc__
        self._theirs = theirs

    def __hash__(self) -> int:
        return hash(self._theirs)

    def __eq__(self, other: object) -> bool:
        return other is self or other is self._theirs

    def __repr__(self) -> str:
        return f"<{self.__name__} of jaxsci>"

    def __call__(self, *args: Any, **named: Any) -> Any:
        Replaced.calls += 1
        if not Replaced.converts:
            return self.__wrapped__(*args, **named)
        args = tuple(map(_as_array, args))
        return _as_numpys(
            self.__wrapped__(*args, **{name: _as_array(x) for name, x in named.items()})
        )


def _as_array(x: Any) -> Any:
    """What JAX's functions refuse as the array that it stands for: lists, and long doubles."""
    if isinstance(x, range):
        x = list(x)
    if isinstance(x, tuple) and type(x) is tuple:
        return tuple(map(_as_array, x))
    if isinstance(x, list) and not any(isinstance(each, np.ndarray) for each in x):
        x = np.asarray(x)
    if isinstance(x, np.ndarray | np.generic) and x.dtype.char in "gG":
        return x.astype(np.float64 if x.dtype.char == "g" else np.complex128)
    return x


def _as_numpys(y: Any) -> Any:
    """Results as SciPy has them: arrays that can be written to, and NumPy's numbers."""
    return jax.tree.map(lambda x: np.array(x)[()] if isinstance(x, jax.Array) else x, y)


def _replacements() -> dict[int, Replaced]:
    """This package's functions, by the identity of SciPy's."""
    found = {}
    for name, package in PACKAGES.items():
        theirs = getattr(scipy, name)
        for each in package.__all__:
            function = getattr(theirs, each, None)
            if callable(function):
                found[id(function)] = Replaced(getattr(package, each), function)
    return found


class Module(types.ModuleType):
    """One of SciPy's modules, with our functions in it."""

    def __init__(self, module: types.ModuleType, plugin: DropIn) -> None:
        super().__init__(module.__name__)
        self._module, self._plugin = module, plugin

    def __getattr__(self, name: str) -> Any:
        return self._plugin.replaced(getattr(self._module, name))


@dataclass
class Outcome:
    """What became of one test."""

    how: str
    """"passed", "failed" or "skipped"; "elsewhere" where it passed and calls none of ours."""
    seconds: float
    error: str


class DropIn:
    """The plugin: puts our functions in the place of SciPy's, and keeps what came of it."""

    def __init__(self) -> None:
        os.environ["SCIPY_AVAILABLE_MEM"] = "1G"  # so that matrices of many gigabytes are left out
        for name in BEFORE:
            with contextlib.suppress(ImportError):
                importlib.import_module(f"scipy.{name}")
        self._ours = _replacements()
        self.outcomes: dict[str, Outcome] = {}

    def replaced(self, value: Any) -> Any:
        if isinstance(value, types.ModuleType) and value.__name__.startswith(
            ("scipy.special", "scipy.linalg")
        ):
            return Module(value, self)
        if value is scipy:
            return Module(value, self)
        return self._ours.get(id(value), value)

    @pytest.hookimpl(wrapper=True)
    def pytest_make_collect_report(self, collector: pytest.Collector) -> Any:
        if not isinstance(collector, pytest.Module):
            return (yield)
        # While the module is imported: parameters and class attributes are looked up then.
        with self._in_place():
            report = yield
        namespace = vars(collector.obj) if report.passed else {}
        for name, value in list(namespace.items()):
            if not name.startswith("__"):
                namespace[name] = self.replaced(value)
        return report

    @contextlib.contextmanager
    def _in_place(self) -> Iterator[None]:
        changed = []
        for module in (scipy.special, scipy.special._ufuncs, scipy.linalg):
            for name, value in list(vars(module).items()):
                if id(value) in self._ours:
                    changed.append((module, name, value))
                    setattr(module, name, self._ours[id(value)])
        try:
            yield
        finally:
            for module, name, value in changed:
                setattr(module, name, value)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Any:
        def too_long(*_: Any) -> None:
            raise TimeoutError(f"more than {LIMIT} s")

        Replaced.calls = 0
        before = signal.signal(signal.SIGALRM, too_long)
        signal.alarm(LIMIT)
        try:
            return (yield)
        finally:
            signal.alarm(0)
            signal.signal(signal.SIGALRM, before)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo[None]) -> Any:
        report = yield
        if report.when == "call" or not report.passed:
            how = str(report.outcome)
            if report.passed and not Replaced.calls:
                how = "elsewhere"
            error = "" if call.excinfo is None else call.excinfo.exconly()
            self.outcomes[name_of(item.nodeid)] = Outcome(how, report.duration, error)
        return report

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.outcomes[name_of(report.nodeid)] = Outcome("failed", 0.0, report.longreprtext)


def name_of(nodeid: str) -> str:
    """A test's name in the list: `special/test_ndtr.py::test_zero`."""
    path, colons, rest = nodeid.partition("::")
    package, *_, module = Path(path).parts
    return f"{package}/{module}{colons}{rest}"


@dataclass(frozen=True)
class Reason:
    """Why some tests fail."""

    why: str
    tests: tuple[str, ...]
    rounding: str = ""
    """What the error says (a regular expression) where it is the last bits that fail: another
    processor has others."""

    def covers(self, name: str, error: str) -> bool:
        return re.search(self.rounding, error) is not None and any(
            name == test or fnmatch.fnmatchcase(name, _literal(test)) for test in self.tests
        )


def _literal(pattern: str) -> str:
    """Only * is special: brackets and question marks are in names of parametrised tests."""
    return pattern.replace("[", "[[]").replace("?", "[?]")


def _listed() -> dict[str, Any]:
    return tomllib.loads(REASONS.read_text(encoding="utf-8"))


def reasons() -> tuple[Reason, ...]:
    """The list."""
    return tuple(
        Reason(each["why"], tuple(each["tests"]), each.get("rounding", ""))
        for each in _listed()["reason"]
    )


def looked_at() -> list[str]:
    """The modules of which each failing test is listed."""
    return _listed()["modules"]["looked_at"]


def waiting() -> list[str]:
    """The modules that nobody has looked at yet."""
    return _listed()["modules"]["waiting"]


def elsewhere() -> list[str]:
    """The modules that come to none of our functions."""
    return _listed()["modules"]["elsewhere"]


def judged(
    outcomes: dict[str, Outcome], listed: Sequence[Reason]
) -> tuple[Counter[str], list[str], list[str]]:
    """How many tests end how, what fails without a reason, and what is listed and passes."""
    counts: Counter[str] = Counter()
    unexplained, stale = [], []
    for name, outcome in outcomes.items():
        covering = (reason.why for reason in listed if reason.covers(name, outcome.error))
        why = next(covering, None)
        if outcome.how == "failed":
            counts[f"fails: {why}"] += 1
            if why is None:
                unexplained.append(f"{name} | {outcome.error}")
        else:
            counts[outcome.how] += 1
            if why is not None and outcome.how == "passed":
                stale.append(name)
    return counts, unexplained, stale


def all_modules() -> list[str]:
    """SciPy's test modules, as `special/test_ndtr.py`."""
    return [
        f"{package}/{path.name}"
        for package in PACKAGES
        for path in sorted(_folder(package).glob("test_*.py"))
    ]


def _folder(package: str) -> Path:
    return Path(scipy.__file__).parent / package / "tests"


def run(names: Sequence[str]) -> dict[str, Outcome]:
    """What comes of the tests of some modules, or of single tests."""
    plugin = DropIn()
    paths = []
    for name in names:
        package, _, rest = name.partition("/")
        paths.append(f"{_folder(package)}/{rest}")
    options = ["-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-c", os.devnull, "--tb=no"]
    options += ["--disable-warnings", "--no-header", "--no-summary"]
    options += ["--rootdir", str(Path(scipy.__file__).parent)]
    with contextlib.redirect_stdout(sys.stderr):
        ended = pytest.main([*options, *paths], plugins=[plugin])
    if ended not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
        raise RuntimeError(f"pytest ended with {ended!r}")
    return plugin.outcomes


def read(path: Path) -> dict[str, Outcome]:
    """What an earlier run found."""
    return {name: Outcome(**found) for name, found in json.loads(path.read_text()).items()}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="modules or tests")
    parser.add_argument("--as-is", action="store_true", help="convert nothing at the boundary")
    parser.add_argument("--json", type=Path, help="where to write what came of each test")
    parser.add_argument(
        "--earlier", type=Path, nargs="+", default=(), help="what such files say, and no test runs"
    )
    chosen = parser.parse_args()
    jax.config.update("jax_enable_x64", True)
    Replaced.converts = not chosen.as_is
    there = set(all_modules())
    if chosen.earlier:
        outcomes = {k: v for path in chosen.earlier for k, v in read(path).items()}
    else:
        outcomes = run(chosen.names or [name for name in looked_at() if name in there])
    if chosen.json:
        chosen.json.write_text(json.dumps({k: asdict(v) for k, v in outcomes.items()}, indent=1))
    counts, unexplained, stale = judged(outcomes, reasons())
    for how, n in counts.most_common():
        print(f"{n:6d}  {how}")
    for line in unexplained:
        print("FAILS:", line)
    for name in stale:
        print("LISTED, AND PASSES:", name)
    return 0 if chosen.as_is else int(bool(unexplained or stale))


if __name__ == "__main__":
    sys.exit(main())
