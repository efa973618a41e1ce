"""Arguments that the installed SciPy's functions may lack: there ours lack them too."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from typing import Any

import scipy.linalg


def as_installed(function: Callable[..., Any], newer: Sequence[str]) -> Callable[..., Any]:
    """The function with the arguments that SciPy's function of the same name has.

    Positions count: an argument that SciPy puts between others moves those behind it.

    Args:
        function: with all arguments, in the order of the newest SciPy; each of `newer` has a
            default.
        newer: the arguments that older versions of SciPy lack.
    """
    name = function.__name__
    theirs = inspect.signature(getattr(scipy.linalg, name)).parameters
    lacking = [argument for argument in newer if argument not in theirs]
    if not lacking:
        return function
    whole = inspect.signature(function)
    signature = whole.replace(
        parameters=[p for p in whole.parameters.values() if p.name not in lacking]
    )

    @functools.wraps(function)
    def called(*args: int, **kwargs: Any) -> tuple[float, ...]:
        for argument in lacking:
            if argument in kwargs:
                raise TypeError(
                    f"{name}: argument {argument!r} needs a newer SciPy; that of version "
                    f"{scipy.__version__} does not have it"
                )
        try:
            bound = signature.bind(*args, **kwargs)
        except TypeError as error:
            raise TypeError(f"{name}: {error}") from None
        return function(**bound.arguments)

    called.__signature__ = signature  # type: ignore[attr-defined]
    return called
