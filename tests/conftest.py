"""How the suite runs: in double precision, with JAX's cache on disk, and how much of it.

`pytest` runs every test that is not marked as rotating, and of those the share that this commit
draws. `pytest --thorough` runs all; `pytest --changed COMMIT` all that belongs to the families of
functions that changed since that commit, or with `--at-most N` so many of those, drawn by the
commit; `pytest --smoke` what tells whether an installation works.
Those that do not compute with 64-bit types are processes of their own.
"""

from __future__ import annotations

import gc
import itertools
import os
from pathlib import Path

import hypothesis
import jax
import platformdirs
import pytest
from quickly import QUICKLY
from rotation import is_drawn

jax.config.update("jax_enable_x64", os.environ.get("JAXSCI_TEST_X64", "1") == "1")

# Most of the suite's time goes into compiling. Programs that call Python are never kept. A folder
# of our own, for each version of JAX: with other settings it takes files for damaged.
for name, value in {
    "jax_compilation_cache_dir": platformdirs.user_cache_dir(
        f"jaxsci-tests-{jax.__version__}", False
    ),
    "jax_persistent_cache_min_compile_time_secs": 0.1,
    "jax_compilation_cache_max_size": 2**31,
}.items():
    os.environ[name.upper()] = str(value)
    jax.config.update(name, value)

# SciPy has weak spots that nobody has written down. Where a change is judged, property tests go
# through the same examples every time; elsewhere they look for new ones.
hypothesis.settings.register_profile("ci", derandomize=True)
if os.environ.get("CI"):
    hypothesis.settings.load_profile("ci")


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("how much")
    group.addoption("--thorough", action="store_true", help="all tests, the rotating ones too")
    group.addoption(
        "--changed",
        metavar="COMMIT",
        help="only rotating tests of what changed since COMMIT, all of them",
    )
    group.addoption(
        "--at-most", metavar="N", type=int, help="of the tests that --changed selects, about N"
    )
    group.addoption(
        "--smoke", action="store_true", help="a few tests of everything: does it work at all?"
    )


@pytest.fixture(scope="session")
def quick_compiler_options(request: pytest.FixtureRequest) -> dict[str, int] | None:
    """XLA's options for first derivatives: the default run compiles them in two thirds of the time.

    The mathematics is the same. Where more is asked for, programs are compiled as users' are.
    """
    config = request.config
    more = any(config.getoption(name) for name in ("--thorough", "--changed", "--smoke"))
    return None if more else QUICKLY


_count = itertools.count()


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item: pytest.Item) -> None:
    """Forget compiled programs before the system has no more room for them.

    Each takes some thirty of the 65,530 mappings that Linux grants a process. The next one after
    the last aborts it, which a run of all tests would come to.
    """
    if next(_count) % 25 == 0 and _mappings() > 40_000:
        jax.clear_caches()
        gc.collect()


def _mappings() -> int:
    """How many pieces of memory this process has mapped; 0 where nothing tells."""
    maps = Path("/proc/self/maps")
    return maps.read_bytes().count(b"\n") if maps.exists() else 0


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    chosen = _choice(config)
    kept = [item for item in items if chosen(item)]
    at_most = config.getoption("--at-most")
    if at_most is not None and len(kept) > at_most:
        share = at_most / len(kept)
        kept = [item for item in kept if is_drawn(f"changed {item.nodeid}", share)]
    if len(kept) < len(items):
        keep = set(kept)
        config.hook.pytest_deselected(items=[item for item in items if item not in keep])
        items[:] = kept


def _choice(config: pytest.Config):
    """Whether a test is to be run."""
    if config.getoption("--thorough"):
        return lambda item: True
    if config.getoption("--smoke"):
        return lambda item: _is_drawn_by("smoke", item, without_mark=False)
    commit = config.getoption("--changed")
    if commit is None:
        return lambda item: _is_drawn_by("rotating", item, without_mark=True)

    from families import changed_since, modules_of

    changed = changed_since(commit)

    def belongs(item: pytest.Item) -> bool:
        if item.get_closest_marker("rotating") is None:
            return False
        parameters = getattr(getattr(item, "callspec", None), "params", {})
        return not changed.isdisjoint(modules_of(item.path.stem, parameters))

    return belongs


_DIAL = {"rotating": 0.07, "smoke": 0.5}
"""What the marks' shares are multiplied with: ten minutes leave room for slow processors."""


def _is_drawn_by(name: str, item: pytest.Item, *, without_mark: bool) -> bool:
    mark = item.get_closest_marker(name)
    if mark is None:
        return without_mark
    return not mark.args or is_drawn(item.nodeid, _DIAL[name] * mark.args[0])
