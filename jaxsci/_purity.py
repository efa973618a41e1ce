"""A check that a host function may be treated as pure."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import jax
import numpy as np

# A vectorised loop may end differently from its remainder by the last bits.
_BATCHING_TOLERANCE = 8 * np.finfo(np.float64).eps


@dataclass
class PurityReport:
    """What `check_pure` found: true when nothing speaks against purity."""

    name: str
    passed: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    def __bool__(self) -> bool:
        return not self.problems

    def __str__(self) -> str:
        verdict = "nothing speaks against purity" if self else "NOT pure"
        lines = [f"{self.name}: {verdict}"]
        lines += [f"  ok       {text}" for text in self.passed]
        lines += [f"  problem  {text}" for text in self.problems]
        return "\n".join(lines)

    def _note(self, good: bool, text: str, problem: str) -> None:
        (self.passed if good else self.problems).append(text if good else problem)


def check_pure(fn: Callable[..., Any], *args: Any, **kwargs: Any) -> PurityReport:
    """Look for signs that a function is not pure, by calling it a few times.

    Checked: the same result twice, arguments left untouched, and, for a `host_function`, the
    declared shapes and dtypes, and results that do not depend on what else is in a batch. A check
    by examples: it can show that a function is not pure, never that it is.

    Args:
        fn: a `host_function`, or the host function itself.
        *args: example arguments (NumPy arrays or scalars; pytrees of them where `fn` takes them).
        **kwargs: keyword arguments.

    Returns:
        A report: true if no problem was found; printing it tells what was checked.
    """
    host = fn if hasattr(fn, "host_call") else None
    plain: Callable[..., Any] = host.fn if host is not None else fn  # type: ignore[attr-defined]
    report = PurityReport(getattr(fn, "name", None) or getattr(fn, "__name__", repr(fn)))
    args = jax.tree.map(np.array, args)
    kwargs = dict(kwargs)
    before = copy.deepcopy(args)
    try:
        first = _copies(plain(*args, **kwargs))
        second = _copies(plain(*args, **kwargs))
    except Exception as error:
        report.problems.append(f"raised {type(error).__name__}: {error}")
        return report
    report._note(
        _same(first, second),
        "two calls with the same arguments gave the same result",
        "two calls with the same arguments gave different results: it depends on some state",
    )
    report._note(
        _same(jax.tree.leaves(before), jax.tree.leaves(args)),
        "the arguments were left untouched",
        "it changed its arguments in place: copy them first",
    )
    if host is not None:
        _check_declaration(report, host, args, kwargs, first)
    return report


def _check_declaration(
    report: PurityReport, host: Any, args: tuple[Any, ...], kwargs: dict[str, Any], first: Any
) -> None:
    try:
        types = jax.tree.leaves(jax.eval_shape(host, *args, **kwargs))
    except Exception as error:
        report.problems.append(f"the declaration does not fit the arguments: {error}")
        return
    shapes = [tuple(t.shape) for t in types]
    found = [np.shape(y) for y in first]
    report._note(
        shapes == found,
        f"the results have the declared shapes {shapes}",
        f"declared shapes {shapes}, returned {found}",
    )
    kinds = [np.dtype(t.dtype).kind for t in types]
    returned = [np.asarray(y).dtype.kind for y in first]
    fits = all(
        np.can_cast(r, k, "same_kind")
        for r, k in zip(
            [np.asarray(y).dtype for y in first],
            [
                np.result_type(np.dtype(t.dtype), np.float64)
                if np.dtype(t.dtype).kind == "f"
                else np.dtype(t.dtype)
                for t in types
            ],
            strict=False,
        )
    )
    report._note(
        fits and len(kinds) == len(returned),
        f"the results' dtypes fit the declared ones {[str(t.dtype) for t in types]}",
        f"declared dtypes {[str(t.dtype) for t in types]}, returned "
        f"{[str(np.asarray(y).dtype) for y in first]}",
    )
    if (
        host.signature is not None
        and shapes == found
        and all(isinstance(a, np.ndarray) for a in args)
    ):
        _check_batching(report, host, args, kwargs)


def _check_batching(
    report: PurityReport, host: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> None:
    """Every slice of a batch must give what it gives alone."""
    others = [[a, _nudged(a, 1), _nudged(a, 2)] for a in args]
    batch = jax.vmap(lambda *xs: host(*xs, **kwargs))(*(np.stack(o) for o in others))
    alone = [jax.tree.leaves(host(*(o[i] for o in others), **kwargs)) for i in range(3)]
    together = [np.asarray(y) for y in jax.tree.leaves(batch)]
    agree = all(
        np.allclose(together[j][i], np.asarray(y), rtol=_BATCHING_TOLERANCE, atol=0, equal_nan=True)
        for i, ys in enumerate(alone)
        for j, y in enumerate(ys)
    )
    report._note(
        agree,
        "a batch gives what its slices give alone",
        "a batch gives other results than its slices alone: leading dimensions are not handled "
        "as the signature says (batched=False loops over them)",
    )


def _nudged(x: np.ndarray, step: int) -> np.ndarray:
    return (x * (1 + step / 16)).astype(x.dtype) if x.dtype.kind in "fc" else x


def _copies(value: Any) -> Sequence[np.ndarray]:
    return [np.array(y) for y in jax.tree.leaves(value)]


def _same(a: Sequence[Any], b: Sequence[Any]) -> bool:
    return len(a) == len(b) and all(
        np.shape(x) == np.shape(y)
        and np.array_equal(np.asarray(x), np.asarray(y), equal_nan=np.asarray(x).dtype.kind in "fc")
        for x, y in zip(a, b, strict=True)
    )
