"""A check that a host function may be treated as pure."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import jax
import jax.numpy as jnp
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

    Checked: the same result twice, of NumPy arrays; arguments left untouched; and, for a
    `host_function`, the declared shapes and dtypes, and results that do not depend on what else
    is in a batch. A check by examples: it can show that a function is not pure, never that it is.

    Args:
        fn: a `host_function`, or the host function itself.
        *args: example arguments (NumPy arrays or scalars; pytrees of them where `fn` takes them).
        **kwargs: keyword arguments.

    Returns:
        A report: true if no problem was found; printing it tells what was checked.
    """
    host = fn if hasattr(fn, "host_call") else None
    report = PurityReport(str(getattr(fn, "name", None) or getattr(fn, "__name__", repr(fn))))
    call = fn if host is None else _as_it_is_called(host)
    examples = copy.deepcopy((args, kwargs))
    given: list[Any] = [_of_its_own(examples), _of_its_own(examples)]
    try:
        raw = [call(*a, **k) for a, k in given]
    except Exception as error:
        report.problems.append(f"raised {type(error).__name__}: {error}")
        return report
    first, second = ([np.array(y) for y in jax.tree.leaves(r)] for r in raw)
    report._note(
        _same(first, second),
        "two calls with the same arguments gave the same result",
        "two calls with the same arguments gave different results: it depends on some state",
    )
    report._note(
        _same(*(jax.tree.leaves(_of_its_own(x)) for x in (examples, given[0]))),
        "the arguments were left untouched",
        "it changed its arguments in place: copy them first",
    )
    if any(isinstance(y, jax.Array) for y in jax.tree.leaves(raw)):
        report.problems.append(
            "it returned JAX arrays: a host function computes with NumPy; JAX inside a callback "
            "can wait for itself"
        )
    if host is not None:
        _check_declaration(report, host, *examples, first)
    return report


def _as_it_is_called(host: Any) -> Callable[..., Any]:
    """The function of NumPy arrays behind a `host_function`."""

    def call(*args: Any, **kwargs: Any) -> Any:
        arrays, named, static = host.split_static(args, kwargs)
        if host.signature is None:
            return host.fn(*arrays, **named, **dict(static))
        by_place, by_name = host.as_called(arrays, dict(static))
        return host.fn(*by_place, **by_name)

    return call


def _of_its_own(tree: Any) -> Any:
    """The tree, with copies of its arrays as NumPy arrays."""
    return jax.tree.map(lambda x: np.array(x) if isinstance(x, np.ndarray | jax.Array) else x, tree)


def _check_declaration(
    report: PurityReport,
    host: Any,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    first: Sequence[np.ndarray],
) -> None:
    arrays, named, static = host.split_static(args, kwargs)

    def of_arrays(arrays: Any, named: Any) -> Any:
        return host.of_arrays(static, arrays, named)

    try:
        types = jax.tree.leaves(jax.eval_shape(of_arrays, arrays, named))
    except Exception as error:
        report.problems.append(f"the declaration does not fit the arguments: {error}")
        return
    declared = [tuple(t.shape) for t in types]
    returned = [y.shape for y in first]
    report._note(
        declared == returned,
        f"the results have the declared shapes {declared}",
        f"declared shapes {declared}, returned {returned}",
    )
    kinds = [str(t.dtype) for t in types]
    fits = len(types) == len(first) and all(
        _fits(y.dtype, t.dtype) for y, t in zip(first, types, strict=True)
    )
    report._note(
        fits,
        f"the results' dtypes fit the declared ones {kinds}",
        f"declared dtypes {kinds}, returned {[str(y.dtype) for y in first]}",
    )
    if host.effects == "none" and host.is_batchable and fits and declared == returned:
        _check_batching(report, of_arrays, arrays, named)


def _fits(returned: np.dtype, declared: Any) -> bool:
    """Whether rounding to the declared dtype keeps the kind of number."""
    kinds = (jnp.bool_, jnp.integer, jnp.floating, jnp.complexfloating)
    rank = [
        next(i for i, k in enumerate(kinds) if jnp.issubdtype(d, k)) for d in (returned, declared)
    ]
    return rank[0] <= rank[1]


def _check_batching(
    report: PurityReport, of_arrays: Callable[..., Any], arrays: Any, named: Any
) -> None:
    """Every slice of a batch must give what it gives alone."""
    batch = [(arrays, named), _nudged((arrays, named), 1), _nudged((arrays, named), 2)]
    try:
        alone = [jax.tree.leaves(of_arrays(*one)) for one in batch]
    except Exception:  # the neighbouring points need not be in the function's domain
        batch = [(arrays, named)] * 3
        alone = [jax.tree.leaves(of_arrays(*one)) for one in batch]
    stacked = jax.tree.map(lambda *xs: np.stack(xs), *batch)
    problem = "a batch gives other results than its slices alone"
    try:
        together = [np.asarray(y) for y in jax.tree.leaves(jax.vmap(of_arrays)(*stacked))]
        agree = all(
            np.allclose(ys[j], y[i], rtol=_BATCHING_TOLERANCE, atol=0, equal_nan=True)
            for i, ys in enumerate(alone)
            for j, y in enumerate(together)
        )
    except Exception as error:
        agree, problem = False, f"a batch raises {_last_line(error)}"
    report._note(
        agree,
        "a batch gives what its slices give alone",
        f"{problem}: leading dimensions are not handled as declared (batched=False, or "
        "vmap_method='sequential', loops over them)",
    )


def _last_line(error: Exception) -> str:
    lines = str(error).strip().splitlines()
    return lines[-1] if lines else type(error).__name__


def _nudged(tree: Any, step: int) -> Any:
    def nudge(x: Any) -> Any:
        x = np.asarray(x)
        return (x * (1 + step / 16)).astype(x.dtype) if x.dtype.kind in "fc" else x

    return jax.tree.map(nudge, tree)


def _same(a: Sequence[Any], b: Sequence[Any]) -> bool:
    return len(a) == len(b) and all(
        np.shape(x) == np.shape(y)
        and np.array_equal(np.asarray(x), np.asarray(y), equal_nan=np.asarray(x).dtype.kind in "fc")
        for x, y in zip(a, b, strict=True)
    )
