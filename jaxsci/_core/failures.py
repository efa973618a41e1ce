"""What is said of a host function that fails while a compiled program runs.

XLA makes an error of its own of an exception in a callback. Of the exception it keeps the message,
and where it was raised without the lines of source; causes are lost. So the message says it all.
"""

from __future__ import annotations

import traceback
from collections.abc import Sequence
from typing import Any


def described(function: str, error: BaseException, callers: Sequence[str]) -> str:
    """The exception and where it was raised, with the host function's own frames and lines.

    Args:
        function: the host function's name.
        error: what it raised.
        callers: the files through which it was called: their frames in front are left out.
    """
    frames = error.__traceback__
    while frames is not None and frames.tb_frame.f_code.co_filename in callers:
        frames = frames.tb_next
    try:
        text = str(error)
    except Exception:  # an exception may have any __str__
        text = "(its message cannot be written)"
    kind = type(error).__name__
    message = (
        f"the host function {function!r} raised {kind}: {text}"
        if text
        else (f"the host function {function!r} raised {kind}")
    )
    if frames is None:  # a compiled function has no frames
        return message
    report = traceback.TracebackException(type(error), error, frames)
    return f"{message}\n\nIn the host function:\n{''.join(report.format()).rstrip()}"


def wrong_number(function: str, value: Any, n_results: int) -> str:
    """What to say of a host function that returned as many values as it has no results."""
    several = isinstance(value, tuple | list)
    found = f"a {type(value).__name__} of {len(value)}" if several else "one array"
    wanted = "one result" if n_results == 1 else f"{n_results} results"
    hint = hint_of_list(value) if n_results == 1 else ""
    return f"the host function {function!r} returned {found} for its {wanted}{hint}"


def hint_of_list(value: Any) -> str:
    """How to return many numbers as one result."""
    if not isinstance(value, tuple | list):
        return ""
    return f": a {type(value).__name__} stands for several results; return np.asarray of it"
