"""JAX's switches, and whether every public function works under them: values and gradients.

    python tests/support/switches.py                        # every function under every switch
    python tests/support/switches.py --only checks jv svd   # two functions under one of them

Under each switch the results must be those without it. What a switch asks for may be refused: see
`EXPECTED`.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import sweep
from public_calls import Call

SWITCHES: dict[str, Callable[[], AbstractContextManager[Any]]] = {
    "debug_nans": lambda: jax.debug_nans(True),
    "debug_infs": lambda: jax.debug_infs(True),
    "checks": lambda: jax.enable_checks(True),
    "no jit": lambda: jax.disable_jit(True),
    "ranks": lambda: jax.numpy_rank_promotion("raise"),
    "dtypes": lambda: jax.numpy_dtype_promotion("strict"),
    "leaks": lambda: jax.checking_leaks(),
    "x64 switched": lambda: _switched(),
}
CLOSE = 1e-9
"""Relative difference: without jit the compiler does not join operations."""


@contextlib.contextmanager
def _switched() -> Iterator[None]:
    """Nothing: the call itself goes to and fro."""
    yield


def value(call: Call) -> Any:
    """The results, of the arguments in the types that the setting of 64-bit types gives."""
    return jax.tree.map(np.asarray, call(**_arrays(call)))


def _arrays(call: Call) -> dict[str, Any]:
    return {name: jax.tree.map(_as_jax, call.arguments[name]) for name in call.arrays}


def _as_jax(x: Any) -> Any:
    return jnp.asarray(x) if isinstance(x, np.ndarray) else x


def gradients(call: Call) -> Any:
    """A vector-Jacobian product for each argument that has a derivative."""
    given = _arrays(call)
    found = {}
    for name in _moved(call):

        def alone(x: Any, name: str = name) -> Any:
            return call(**(given | {name: x}))

        out, pull = jax.vjp(alone, given[name])
        found[name] = jax.tree.map(np.asarray, pull(jax.tree.map(_one, out)))
    return found


_KNOWN: dict[str, list[str]] = {}


def _moved(call: Call) -> list[str]:
    """The arguments with a derivative.

    The others raise, under any switch; while one raises, JAX's search for leaks finds the tracers
    of the traceback, and cannot print them.
    """
    if str(call) not in _KNOWN:
        _KNOWN[str(call)] = []  # filled while no switch is on
        given = _arrays(call)
        for name in call.numbers():

            def alone(x: Any, name: str = name) -> Any:
                return call(**(given | {name: x}))

            try:
                jax.eval_shape(lambda x, alone=alone: jax.vjp(alone, x)[1], given[name])
            except NotImplementedError as error:
                if not str(error).startswith(call.name):
                    raise
            else:
                _KNOWN[str(call)].append(name)
    return _KNOWN[str(call)]


def _one(y: Any) -> Any:
    if jnp.issubdtype(jnp.result_type(y), jnp.inexact):
        return jnp.ones_like(y)
    return np.zeros(np.shape(y), jax.dtypes.float0)


def difference(found: Any, expected: Any) -> str | None:
    """Where two results differ."""
    ours, theirs = jax.tree.flatten(found), jax.tree.flatten(expected)
    if ours[1] != theirs[1]:
        return f"gives {ours[1]}, and {theirs[1]} without"
    for y, truth in zip(ours[0], theirs[0], strict=True):
        if y.dtype != truth.dtype or y.shape != truth.shape:
            return f"gives {y.dtype}{y.shape}, and {truth.dtype}{truth.shape} without"
        if y.dtype.kind not in "fc":
            continue
        size = np.max(np.abs(truth), initial=0.0, where=np.isfinite(truth))
        if not np.allclose(y, truth, CLOSE, CLOSE * size, equal_nan=True):
            return f"gives {y}, and {truth} without"
    return None


def _has(numbers: Any, test: Callable[[Any], Any]) -> bool:
    return any(np.any(test(y)) for y in jax.tree.leaves(numbers) if y.dtype.kind in "fc")


EXPECTED: dict[str, Callable[[Any], bool]] = {
    # What these two are for.
    "debug_nans": lambda results: _has(results, np.isnan),
    "debug_infs": lambda results: _has(results, np.isinf),
}
"""Which results may be refused under a switch."""


def complaints(call: Call, names: Sequence[str]) -> Iterator[tuple[str, str]]:
    """What is wrong with a call, under which switch."""
    for what in (value, gradients):
        plain = what(call)
        for name in names:
            if EXPECTED.get(name, lambda _: False)((value(call), plain)):
                continue
            try:
                wrong = _to_and_fro(call, what, plain) if name == "x64 switched" else None
                if name != "x64 switched":
                    with SWITCHES[name]():
                        wrong = difference(what(call), plain)
            except Exception as error:
                wrong = f"raises {type(error).__name__}: {error}"
            if wrong is not None:
                yield f"{name}, {what.__name__}", " ".join(wrong.split())[:500]


def _to_and_fro(call: Call, what: Callable[[Call], Any], plain: Any) -> str | None:
    """In double precision, in single, and in double again."""
    with jax.enable_x64(False):
        single = what(call)
        again = what(call)
    wide = [y for y in jax.tree.leaves(single) if y.dtype.itemsize * 8 == _wide(y)]
    if wide:
        return f"gives {wide[0].dtype} without 64-bit types"
    if difference(again, single) is not None:
        return "gives others the second time"
    return difference(what(call), plain)


def _wide(y: np.ndarray) -> int:
    return 128 if y.dtype.kind == "c" else 64


if __name__ == "__main__":
    sys.exit(sweep.run(__doc__, list(SWITCHES), complaints))
