"""Which backend runs a function."""

from __future__ import annotations

import functools
import importlib.metadata
import importlib.util
import logging
import warnings
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any

import jax

from jaxsci import _native
from jaxsci._core.choice import (
    AUTOMATIC,
    DOUBLE,
    PRECISIONS,
    Choice,
    chosen,
    in_force,
)
from jaxsci._core.jax_compat import set_for_all_threads

_logger = logging.getLogger("jaxsci")

_apart = jax.make_user_context(False)

__all__ = [
    "AUTOMATIC",
    "BACKENDS",
    "DEFAULT_BACKEND",
    "DEVICE",
    "apart",
    "merges_calls",
    "runs_natively",
    "set_backend",
    "use_backend",
    "uses_kernels",
]

BACKENDS = ("callback", "ffi") if _native.ABSENT is None else ("callback",)
"""Those that run SciPy on the host."""
DEFAULT_BACKEND = BACKENDS[-1]
"""What runs SciPy on the host where nothing is said."""
DEVICE = "device"
"""The backend of kernels: rows that have none go to the host as by default."""


def use_backend(name: str | None, *, precision: str = DOUBLE) -> AbstractContextManager[None]:
    """Choose how functions are computed, within a ``with`` block.

    Where nothing is chosen, programs for CPUs have SciPy's values, and programs for accelerators
    compute a function on the device where it has a kernel.

    Args:
        name: ``"device"``: a function's kernel, JAX operations inside the program, on every
            platform; functions without one go to the host as they do by default. ``"callback"``:
            SciPy's function called on the host through a callback: every platform, and the
            reference for the others. ``"ffi"``: a ufunc's inner loop called from compiled code,
            without Python, on CPUs; where it cannot be (other platforms, functions that are not
            ufuncs) the callback serves. None: what is done where nothing is chosen.
        precision: what kernels compute in where the result is of single precision or less.
            ``"double"``: double precision, rounded once. ``"single"``: single precision, for
            devices on which the other is slow or absent, of the functions that have such kernels:
            ``jaxsci catalog --kernels`` shows them with their errors, and those of their first
            derivatives. All others, and results in double precision, are computed in double.

    Returns:
        A context manager. It does nothing until it is entered, and warns if it never is.

    Raises:
        ValueError: there is no backend or precision of that name here, or SciPy's functions are
            chosen beside single precision, which they do not have.
    """
    return _Within(_known("use_backend", name, precision))


class _Within(AbstractContextManager[None]):
    """A choice for `with` blocks."""

    def __init__(self, choice: Choice) -> None:
        self._choice = choice
        self._entered: list[AbstractContextManager[None]] = []
        self._is_used = False

    def __enter__(self) -> None:
        self._is_used = True
        self._entered.append(in_force(self._choice))
        self._entered[-1].__enter__()

    def __exit__(self, *error: Any) -> bool | None:
        return self._entered.pop().__exit__(*error)

    def __del__(self) -> None:
        if not self._is_used:
            warnings.warn(
                "use_backend: nothing was chosen, for no `with` block was entered; "
                "set_backend chooses for the whole program",
                RuntimeWarning,
                stacklevel=2,
            )


def set_backend(name: str | None, *, precision: str = DOUBLE) -> None:
    """Choose how functions are computed, in all threads and outside of `use_backend` blocks.

    Args:
        name: as in `use_backend`; None for the default.
        precision: as in `use_backend`.

    Raises:
        ValueError: as in `use_backend`.
        NotImplementedError: this JAX has no way to.
    """
    choice = _known("set_backend", name, precision)
    set_for_all_threads(chosen, choice)


def _known(function: str, name: str | None, precision: str) -> Choice:
    available = (*BACKENDS, DEVICE)
    if name is not None and name not in available:
        reason = f" ({_native.ABSENT})" if name == "ffi" else ""
        raise ValueError(
            f"{function}: no backend {name!r} here; available: "
            f"{', '.join(map(repr, available))}{reason}"
        )
    if precision not in PRECISIONS:
        raise ValueError(
            f"{function}: no precision {precision!r}; available: {', '.join(map(repr, PRECISIONS))}"
        )
    if precision != DOUBLE and name in BACKENDS:
        raise ValueError(
            f"{function}: precision {precision!r} is one of kernels, and {name!r} calls SciPy's "
            f"functions, which compute in double; choose it with {DEVICE!r} or None"
        )
    return Choice(AUTOMATIC if name is None else name, precision)


def runs_natively(backend: str, platforms: Sequence[str]) -> bool:
    """Whether ufuncs that are left to the host are called from compiled code."""
    wanted = backend == "ffi" or (backend != "callback" and DEFAULT_BACKEND == "ffi")
    return wanted and tuple(platforms) == ("cpu",)


@functools.cache
def tell_of_absence(platforms: tuple[str, ...]) -> None:
    """Log, once, that what compiled code could call by itself goes through Python here."""
    if _native.ABSENT is not None and platforms == ("cpu",):
        _logger.warning(
            "jaxsci has no native backend here: %s. Values are the same; calls go through Python, "
            "take longer, and are not kept in JAX's cache. `jaxsci info` tells more, and "
            'jaxsci.set_backend("callback") says that this is wanted.',
            _native.ABSENT,
        )


def uses_kernels(backend: str, platforms: Sequence[str]) -> bool:
    """Whether functions with a kernel are computed by it in programs for these platforms."""
    return backend == DEVICE or (backend == AUTOMATIC and "cpu" not in platforms)


def merges_calls(backend: str) -> bool:
    """Whether a function and its derivatives are to be evaluated by one call."""
    if _apart.value:
        return False
    return backend == "callback" or (backend in (AUTOMATIC, DEVICE) and _may_run_elsewhere())


def _may_run_elsewhere() -> bool:
    """Whether programs may be for another platform than CPUs, without starting any to find out."""
    platforms: str | None = getattr(jax.config, "jax_platforms", None)
    if platforms:
        return platforms.split(",")[0] != "cpu"
    return _accelerator_is_installed()


@functools.cache
def _accelerator_is_installed() -> bool:
    """Whether JAX would find a platform besides CPUs to look for."""
    return (
        bool(importlib.metadata.entry_points(group="jax_plugins"))
        or importlib.util.find_spec("jax_plugins") is not None
        or importlib.util.find_spec("libtpu") is not None
    )


@contextmanager
def apart(choice: Choice) -> Iterator[None]:
    """Trace functions and derivatives call by call, as chosen, within a ``with`` block."""
    with in_force(choice), _apart(True):
        yield
