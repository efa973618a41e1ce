"""Every function of jaxsci.linalg, with what the tests and the docs' table need to know of it."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeVar, cast

from jaxsci._core import promotion
from jaxsci.linalg._infra.newer import as_installed
from jaxsci.linalg._infra.slices import flag

F = TypeVar("F", bound=Callable[..., Any])

Way = Literal["host", "jax"]


@dataclass(frozen=True)
class Entry:
    """One public function."""

    name: str
    home: str
    """The module in which it stands."""
    function: Callable[..., Any]
    way: Way
    """Whether SciPy computes it on the host, or JAX operations do."""
    source: str
    """Where its derivative rule (or the function itself) is described."""
    differentiable: str
    """In which arguments, and under which conditions; "no" if in none."""


CATALOG: dict[str, Entry] = {}


def _with_flags(function: F) -> F:
    """A function that refuses anything but True and False for what is one of them by default."""
    parameters = inspect.signature(function).parameters.values()
    places = {
        p.name: i
        for i, p in enumerate(parameters)
        if isinstance(p.default, bool)
        and not p.name.startswith("overwrite")  # these have no effect
        and p.name != "check_finite"
    }
    if not places:
        return function

    @functools.wraps(function)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        for name, place in places.items():
            if name in kwargs:
                flag(function.__name__, **{name: kwargs[name]})
            elif len(args) > place:
                flag(function.__name__, **{name: args[place]})
        return function(*args, **kwargs)

    return cast(F, wrapped)


def public(
    way: Way, *, source: str, differentiable: str, newer: Sequence[str] = ()
) -> Callable[[F], F]:
    """Decorate a public function: note it in the catalog, and complete its docstring.

    Args:
        way: ``"host"`` where SciPy computes it on the host (on every platform, through a callback
            from a GPU), ``"jax"`` where it consists of JAX operations and stays on the device.
        source: where the derivative rule (or the function itself) is described.
        differentiable: in which arguments, under which conditions; "no" if in none.
        newer: arguments that older versions of SciPy do not have. The function does not have them
            either, where such a version is installed.
    """

    def decorate(function: F) -> F:
        function = promotion.of_users_arguments(_with_flags(function))
        name = function.__name__
        assert name not in CATALOG, name
        where = {
            "host": "SciPy on the host; from a GPU or TPU through a callback.",
            "jax": "JAX operations, on the device.",
        }[way]
        function.__doc__ = (  # cleaned: Python before 3.13 keeps the indentation
            f"{inspect.cleandoc(function.__doc__ or '')}\n\nDifferentiable: {differentiable}\n"
            f"Computed by: {where}\nSource: {source}"
        )
        home = function.__module__
        function = cast(F, as_installed(function, newer))
        function.__module__ = "jaxsci.linalg"  # for pickles and tracebacks: files may move
        CATALOG[name] = Entry(name, home, function, way, source, differentiable)
        return function

    return decorate
