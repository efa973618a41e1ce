"""Drafts of rows, from what SciPy itself says of a function: to be completed by hand."""

from __future__ import annotations

import inspect
import re
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
import scipy.special

from jaxsci.special._catalog.types import Kind

_ANNOTATIONS = {Kind.INT: "Int", Kind.REAL: "Real", Kind.COMPLEX: "Complex"}
_STATIC = {bool: "StaticBool", int: "StaticInt", float: "StaticReal", str: "StaticStr"}
_INTEGER_CODES = set("bhilqBHILQ")
_COMPLEX_CODES = set("FDG")
_PROBES = 60
_PROBED = (0.0, 1.0, 2.0, 3.0, 6.0, 0.05, 0.3, 0.7, 1.4, 2.3)
_BETWEEN = ((2.25, 2.75), (3.125, 3.5), (0.25, 0.75), (-0.75, -0.25))


def draft(name: str) -> str:
    """The row of one of SciPy's functions, as far as its metadata goes."""
    function = getattr(scipy.special, name)
    if isinstance(function, np.ufunc):
        arguments = dict(zip(_names(function), argument_kinds(function), strict=True))
        annotated = [f"{argument}: {_ANNOTATIONS[k]}" for argument, k in arguments.items()]
        n_out = function.nout
    else:
        annotated = [_parameter(p) for p in inspect.signature(function).parameters.values()]
        arguments, n_out = {}, 1
    result = "Array" if n_out == 1 else f"tuple[{', '.join(['Array'] * n_out)}]"
    domain = "".join(f"{_domain(k)}, " for k in arguments.values())
    lines = ["@elementwise(", '    source="",', f'    samples=Samples("", ({domain})),']
    if n_out > 1:
        names = ", ".join(['""'] * n_out)
        lines.append(f"    outputs=({names}),")
    lines += [
        ")",
        f"def {name}({', '.join(annotated)}) -> {result}:",
        f'    """{_first_line(function)}',
        "",
        "    Args:",
        *(f"        {re.split('[:=]', argument)[0]}: ." for argument in annotated),
        '    """',
        "    ...",
        "",
        "",
        f"rule({name}, "
        + ", ".join(f'{a}=missing("")' for a, k in arguments.items() if k is not Kind.INT)
        + ")",
    ]
    return "\n".join(lines)


def _names(function: np.ufunc) -> list[str]:
    """Argument names of a ufunc, by the signature that heads SciPy's own docstring."""
    found = re.findall(rf"^ *{function.__name__}\((.*), out=None\)$", function.__doc__ or "", re.M)
    names = [re.split(r"\W", part)[0] for part in found[0].split(", ")] if found else []
    return names if len(names) == function.nin else [f"x{i}" for i in range(function.nin)]


def argument_kinds(function: np.ufunc) -> list[Kind]:
    """The arguments' kinds: by the ufunc's loops, and by what it does between integers."""
    kinds = []
    for i in range(function.nin):
        codes = {loop[i] for loop in function.types}
        if codes <= _INTEGER_CODES or (codes & _INTEGER_CODES and not _depends(function, i)):
            kinds.append(Kind.INT)
        elif codes & _COMPLEX_CODES:
            kinds.append(Kind.COMPLEX)
        else:
            kinds.append(Kind.REAL if _depends(function, i) else Kind.INT)
    return kinds


def _depends(function: np.ufunc, i: int) -> bool:
    """Whether there are values between integers that differ."""
    with (
        np.errstate(all="ignore"),
        scipy.special.errstate(all="ignore"),
        warnings.catch_warnings(action="ignore"),
    ):
        rng = np.random.default_rng(0)
        for _ in range(_PROBES):
            probe = rng.choice(_PROBED, function.nin).tolist()
            for pair in _BETWEEN:
                one, other = (_call(function, probe, i, x) for x in pair)
                if np.any(np.isfinite(one) & np.isfinite(other) & (one != other)):
                    return True
    return False


def _call(function: np.ufunc, probe: Sequence[float], i: int, x: float) -> np.ndarray:
    at: list[Any] = [*probe[:i], x, *probe[i + 1 :]]
    for j in range(function.nin):
        if j != i and {loop[j] for loop in function.types} <= _INTEGER_CODES:
            at[j] = int(at[j])
    return np.atleast_1d(np.asarray(function(*at), complex))


def _parameter(p: inspect.Parameter) -> str:
    if p.kind in (inspect.Parameter.VAR_KEYWORD, inspect.Parameter.VAR_POSITIONAL):
        return str(p)
    annotation = _STATIC.get(type(p.default), "StaticInt" if p.name in ("n", "nt", "m") else "Real")
    default = "" if p.default is inspect.Parameter.empty else f" = {p.default!r}"
    return f"{p.name}: {annotation}{default}"


def _domain(kind: Kind) -> str:
    return {
        Kind.INT: "Ints(0, 10)",
        Kind.REAL: "Reals(-10, 10)",
        Kind.COMPLEX: "Complexes(0.1, 10)",
    }[kind]


def _first_line(function: Any) -> str:
    """The first sentence of SciPy's docstring, past the signature."""
    for line in (inspect.getdoc(function) or "").splitlines():
        text = line.strip()
        if text and not re.match(rf"{re.escape(function.__name__)}\(", text):
            return text if text.endswith(".") else f"{text}."
    return ""
