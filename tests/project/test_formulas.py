"""Formulas on the pages of functions: their values are the catalog's, and so are their slopes."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

import formulas
import mpmath
import pages
import pytest
from mpmath import mp

from jaxsci._verification import reference
from jaxsci.special._catalog.row import ElementwiseRow

DIGITS = 30
NEAR = 1e-12
"""Sums and integrals of formulas are mpmath's, at `DIGITS` digits."""

TESTED = sorted(
    name
    for name, known in formulas.KNOWN.items()
    if known.definition
    or known.equation
    or any(derivative.expressions for derivative in known.derivatives.values())
)
SPACE: dict[str, Any] = dict(reference.NAMES)


class _Exact(ast.NodeTransformer):
    """Quotients of integers are not rounded to 53 bits."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.op, ast.Div):
            mpf = ast.Call(ast.Name("mpmathify", ast.Load()), [node.left], [])
            node.left = ast.fix_missing_locations(ast.copy_location(mpf, node))
        return node


def _compiled(expression: str) -> Any:
    tree = ast.fix_missing_locations(_Exact().visit(ast.parse(expression.strip(), mode="eval")))
    return compile(tree, expression, "eval")


def _function(row: ElementwiseRow) -> Callable[..., Any]:
    """A row's reference as a function of all its arguments; several results as a list."""

    def call(*arguments: Any) -> Any:
        names = [a.name for a in row.arguments]
        given = {a.name: a.default for a in row.arguments} | dict(
            zip(names, arguments, strict=False)
        )
        static = {a.name: given[a.name] for a in row.arguments if a not in row.arrays}
        results = reference.Reference(row, static)([_exact(given[a.name]) for a in row.arrays])
        values = [r[0] if len(r) == 1 else r for r in results]
        return values[0] if len(values) == 1 else values

    return call


def _quad(f: Callable[[Any], Any], ends: list[Any], cut: float | None = None) -> Any:
    """An integral to infinity, which mpmath takes up to where nothing is left of the integrand.

    It is slow at numbers such as exp(-exp(1e9)).
    """
    return mpmath.quad(f, ends if cut is None else [*ends[:-1], cut])


SPACE |= {name: _function(row) for name, row in reference.ROWS.items()} | {"quad": _quad}


def _exact(x: Any) -> Any:
    if x is not x or isinstance(x, bool | str | type):
        return 2  # a default that no formula sets: assoc_legendre_p's branch cut
    return mp.mpmathify(x) if isinstance(x, float) else x


def _arguments(name: str) -> dict[str, Any]:
    row, known = reference.ROWS[name], formulas.KNOWN[name]
    given = dict(zip((a.name for a in row.arguments), known.at, strict=False))
    return {k: mpmath.mpf(repr(v)) if isinstance(v, float) else v for k, v in given.items()}


def _values(name: str, arguments: dict[str, Any]) -> list[Any]:
    """The catalog's values, of all results."""
    found = SPACE[name](*arguments.values())
    return found if len(reference.ROWS[name].outputs) > 1 else [found]


def _close(a: Any, b: Any, near: float = NEAR) -> bool:
    if isinstance(b, list):
        return len(a) == len(b) and all(_close(x, y, near) for x, y in zip(a, b, strict=True))
    return abs(a - b) <= near * max(abs(b), mpmath.mpf(10) ** -3)


@pytest.mark.rotating(0.4)
@pytest.mark.parametrize("name", TESTED)
def test_definition_gives_the_catalogs_value(name):
    known = formulas.KNOWN[name]
    with mp.workdps(DIGITS):
        arguments = _arguments(name)
        values = _values(name, arguments)
        if known.equation:
            space = SPACE | arguments | {known.unknown: values[0]}
            left, right = (eval(_compiled(side), space) for side in known.equation)
            assert _close(left, right)
        for expression, value in zip(known.definition, values, strict=False):
            assert _close(eval(_compiled(expression), SPACE | arguments), value), expression


def _slopes(name: str, argument: str) -> list[Any]:
    arguments = _arguments(name)
    x, h = arguments[argument], mpmath.mpf(10) ** -10

    def along(value: Any) -> Any:
        if isinstance(value[0], list):
            return [along(list(each)) for each in zip(*value, strict=True)]
        far_below, below, above, far_above = value
        return (8 * (above - below) - (far_above - far_below)) / (12 * h)

    at = [_values(name, arguments | {argument: x + k * h}) for k in (-2, -1, 1, 2)]
    return [along([values[i] for values in at]) for i in range(len(at[0]))]


EXPRESSED = [
    (name, argument.name)
    for name in TESTED
    for argument in reference.ROWS[name].arrays
    if argument.name in pages.derivatives_of(name)
    and (
        formulas.KNOWN[name].equation or formulas.KNOWN[name].derivatives[argument.name].expressions
    )
]
"""Derivatives that an expression tells; a few are told by an equation, or in words."""


@pytest.mark.rotating(0.15)
@pytest.mark.parametrize(("name", "argument"), EXPRESSED)
def test_derivative_is_the_slope_of_the_catalogs_value(name, argument):
    known = formulas.KNOWN[name]
    found = known.derivatives.get(argument)
    with mp.workdps(50):
        slopes = _slopes(name, argument)
    with mp.workdps(DIGITS):
        arguments = _arguments(name)
        if found is not None:
            value = {known.unknown: _values(name, arguments)[0]} if known.equation else {}
            for expression, slope in zip(found.expressions, slopes, strict=True):
                assert _close(eval(_compiled(expression), SPACE | arguments | value), slope)
        else:
            assert _close(_by_the_implicit_function_theorem(name, argument), slopes[0])


def _by_the_implicit_function_theorem(name: str, argument: str) -> Any:
    known = formulas.KNOWN[name]
    assert known.equation is not None
    left, right = known.equation
    arguments, code = _arguments(name), _compiled(left)
    at = arguments | {known.unknown: _values(name, arguments)[0]}

    def slope(variable: str) -> Any:
        x = at[variable]
        return mpmath.diff(lambda t: eval(code, SPACE | at | {variable: t}), x)

    return (1 if argument == right else -slope(argument)) / slope(known.unknown)
