r"""Definitions and derivatives of functions, as formulas: what docs/_hooks/definitions/*.txt say.

A block stands for each function, under its name and the symbols of its results, in which ``<z>``
is the argument z::

    jvp: J^{(<n>)}_{<v>}(<z>)
        = nsum(lambda k: ..., [0, n])/2**n
        z: jvp(v, z, n + 1)
        at 0.7, 2.0, 2

``=`` defines it, and an argument's name tells the derivative, by expressions in mpmath's language
that may call functions of the catalog; ``;`` separates several results, and ``;;`` their symbols.
Expressions are typeset for the page, and the tests compare their values with the catalog's
references at the point ``at``.

``solves F = y`` defines an inverse function, whose symbol is the unknown, and ``called`` its
symbol elsewhere; its derivatives follow, unless they are given. ``[z > 0]`` behind an argument
says where a formula holds. ``$`` in front of LaTeX stands for what has no expression, or replaces
the expression on the page.

Functions of matrices (definitions/linalg) have LaTeX alone: ``$`` defines, and ``d $`` tells how
results change with arguments.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import typeset

FOLDER = Path(__file__).resolve().parent / "definitions"


@dataclass
class Derivative:
    """The derivative in one argument."""

    expressions: list[str] = field(default_factory=list)
    """One a result."""
    where: str = ""
    """A condition under which they hold; everywhere if there is none."""
    written: str = ""
    """LaTeX to show, in place of the expressions."""


@dataclass
class Formulas:
    """What is said of one function."""

    name: str
    symbols: list[str]
    """One a result."""
    definition: list[str] = field(default_factory=list)
    """Expressions, one a result."""
    equation: tuple[str, str] | None = None
    """Both sides of an equation for the result."""
    written: str = ""
    """LaTeX to show as the definition, in place of the expressions."""
    derivatives: dict[str, Derivative] = field(default_factory=dict)
    called: str = ""
    """The symbol of an inverse function where others call it."""
    at: tuple[object, ...] = ()
    """Arguments of the expressions' tests, and of the page's example, where it has no other."""

    @property
    def unknown(self) -> str:
        """The name of an inverse function's result in its equation."""
        return re.sub(r"[{}]", "", self.symbols[0])


def parsed(text: str) -> dict[str, Formulas]:
    """The blocks of a file, by function."""
    found = {}
    for block in re.split(r"\n\n+", text.strip()):
        head, *lines = re.sub(r"\n +;", " ;", block).splitlines()
        name, _, symbols = head.partition(": ")
        if name in found:
            raise ValueError(f"{name}: two blocks")
        found[name] = _block(Formulas(name, symbols.split(" ;; ")), lines)
    return found


def _block(formulas: Formulas, lines: list[str]) -> Formulas:
    for line in map(str.strip, lines):
        if line.startswith("= "):
            formulas.definition = _parts(line[2:])
        elif line.startswith("solves "):
            left, _, right = line[7:].rpartition(" = ")
            formulas.equation = (left, right)
        elif line.startswith("$ "):
            formulas.written = line[2:]
        elif line.startswith("called "):
            formulas.called = line[7:]
        elif line.startswith("at "):
            formulas.at = tuple(_number(text) for text in line[3:].split(", "))
        elif match := re.fullmatch(r"(\w+)(?: \[(.*?)\])?: (.*)", line):
            derivative = formulas.derivatives.setdefault(match[1], Derivative())
            derivative.where, derivative.expressions = match[2] or "", _parts(match[3])
        elif match := re.fullmatch(r"(\w+) \$ (.*)", line):
            formulas.derivatives.setdefault(match[1], Derivative()).written = match[2]
        else:
            raise ValueError(f"{formulas.name}: what is {line!r}?")
    return formulas


def _parts(text: str) -> list[str]:
    return [part.strip() for part in text.split(";")]


def _number(text: str) -> object:
    if text in ("True", "False"):
        return text == "True"
    if text.startswith("'"):
        return text.strip("'")
    return float(text) if "." in text else int(text)


def _in(folder: Path) -> dict[str, Formulas]:
    return {
        name: formulas
        for file in sorted(folder.glob("*.txt"))
        for name, formulas in parsed(file.read_text(encoding="utf-8")).items()
    }


KNOWN = _in(FOLDER)
"""Those of special functions."""
LINALG = _in(FOLDER / "linalg")
"""Those of functions of matrices."""


class Page:
    """The formulas of a special function, typeset."""

    def __init__(self, name: str, arguments: Mapping[str, tuple[str, ...]]) -> None:
        """Typeset the formulas of one function.

        Args:
            name: the function.
            arguments: by function, the names of arguments.
        """
        self._formulas = KNOWN[name]
        self._symbols = {
            other: (arguments[other], [formulas.called] if formulas.equation else formulas.symbols)
            for other, formulas in KNOWN.items()
            if other in arguments and (formulas.called or not formulas.equation)
        }
        names = {argument: typeset.name(argument) for argument in arguments[name]}
        self._results = [typeset.symbol(text, names) for text in self._formulas.symbols]

    def _latex(self, expression: str) -> str:
        return typeset.latex(expression, self._symbols)

    def definition(self) -> list[str]:
        """LaTeX of what defines the function, a formula each."""
        formulas = self._formulas
        if formulas.written:
            return [formulas.written]
        if formulas.equation:
            left, right = map(self._latex, formulas.equation)
            return [f"{left} = {right}"]
        pairs = zip(self._results, formulas.definition, strict=True)
        return [
            f"{result} = {self._latex(expression)}"
            for result, expression in pairs
            if result != self._latex(expression)
        ] or [self._latex(formulas.definition[0])]

    def derivative(self, argument: str) -> list[str]:
        """LaTeX of the derivative in an argument, a formula for each result."""
        found = self._formulas.derivatives.get(argument)
        if found is None:
            return self._of_inverse(argument) if self._formulas.equation else []
        if found.written:
            return [found.written]
        where = rf", \qquad {self._latex(found.where)}" if found.where else ""
        return [
            f"{_applied(argument, result)} = {self._latex(expression)}{where}"
            for result, expression in zip(self._results, found.expressions, strict=False)
        ]

    def _of_inverse(self, argument: str) -> list[str]:
        """By the implicit function theorem."""
        assert self._formulas.equation is not None
        left, right = self._formulas.equation
        x, a = typeset.name(self._formulas.unknown), typeset.name(argument)
        above = "1" if argument == right else rf"\partial F/\partial {a}"
        sign = "" if argument == right else "-"
        slope = rf"{sign}\frac{{{above}}}{{\partial F/\partial {x}}}"
        return [rf"\frac{{\partial {x}}}{{\partial {a}}} = {slope}, \qquad F = {self._latex(left)}"]


def _applied(argument: str, result: str) -> str:
    """The derivative of a result in an argument."""
    below = rf"\partial {typeset.name(argument)}"
    if re.fullmatch(r"\\?\w+|\w_\{\w\}", result):
        return rf"\frac{{\partial {result}}}{{{below}}}"
    body = rf"\left({result}\right)" if re.search(r" [-+] |^-|^\w+ ", result) else result
    return rf"\frac{{\partial}}{{{below}}} {body}"
