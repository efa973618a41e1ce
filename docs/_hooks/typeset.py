"""Expressions of mpmath's language as LaTeX."""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Mapping, Sequence

ANY, SUM, PRODUCT, POWER, ATOM = range(5)
"""How tightly an expression holds together: what is looser than its place gets parentheses."""

Typeset = tuple[str, int]
Symbols = Mapping[str, tuple[tuple[str, ...], Sequence[str]]]
"""Of each function of the catalog the names of its arguments, and a symbol for each result, in
which ``<v>`` stands for the argument v."""

GREEK = {"alpha", "beta", "gamma", "delta", "mu", "nu", "phi", "sigma", "theta"}
NAMES = {
    "pi": r"\pi",
    "inf": r"\infty",
    "j": r"\mathrm{i}",
    "euler": r"\gamma",
    "lmbda": r"\lambda",
    "lmb": r"\lambda",
    "h2": "h^{2}",
    "k2": "k^{2}",
    "d_1": "d_{1}",
    "d_2": "d_{2}",
}
"""Names that are no words. Others are Greek letters, single letters, letters with a number, or
words."""
OPERATORS = {
    "log": r"\ln",
    "gamma": r"\Gamma",
    "acos": r"\arccos",
    "re": r"\operatorname{Re}",
    "im": r"\operatorname{Im}",
    "sign": r"\operatorname{sgn}",
    "nint": r"\operatorname{round}",
} | {name: rf"\{name}" for name in ("sin", "cos", "tan", "cot", "csc", "sinh", "cosh")}
FENCES = {"abs": (r"\left|", r"\right|"), "floor": (r"\lfloor ", r" \rfloor")}
RELATIONS = {ast.Lt: "<", ast.LtE: r"\le", ast.Gt: ">", ast.GtE: r"\ge", ast.Eq: "="}


def latex(expression: str, symbols: Symbols) -> str:
    """An expression as LaTeX.

    Args:
        expression: in the language of the catalog's references, which may call its functions.
        symbols: how those are written.
    """
    return _Typesetter(symbols).of(ast.parse(expression.strip(), mode="eval").body)


def name(text: str) -> str:
    """A name as LaTeX: of one letter, of a Greek one, of a letter with a number, or a word."""
    if text in NAMES:
        return NAMES[text]
    if text in GREEK:
        return "\\" + text
    if len(text) == 1:
        return text
    if re.fullmatch(r"[a-z]\d", text):
        return f"{text[0]}_{{{text[1]}}}"
    return rf"\mathrm{{{text}}}"


def symbol(template: str, arguments: Mapping[str, str]) -> str:
    """A function's symbol with its arguments in their places."""
    text = re.sub(r"<(\w+)>", lambda match: arguments[match[1]], template)
    return _stretched(text)


def _stretched(text: str) -> str:
    """Parentheses that grow with what they hold."""
    text = re.sub(r"(?<!\\left)\(", r"\\left(", text)
    return re.sub(r"(?<!\\right)\)", r"\\right)", text)


class _Typesetter:
    def __init__(self, symbols: Symbols) -> None:
        self._symbols = symbols
        self._bound: dict[str, ast.expr] = {}
        """What stands in the place of a variable that only a derivative needs."""
        self._within_line = 0
        """How deep in exponents, where quotients have no bar."""

    def of(self, node: ast.expr, least: int = ANY) -> str:
        """A node's LaTeX, in parentheses if it holds together less than it must."""
        text, tightness = self._typeset(node)
        return text if tightness >= least else rf"\left({text}\right)"

    def _typeset(self, node: ast.expr) -> Typeset:
        match node:
            case ast.Constant(value):
                return str(value), ATOM
            case ast.Name(id):
                if id in self._bound:
                    return self._typeset(self._bound[id])
                return name(id), ATOM
            case ast.UnaryOp(ast.USub(), operand):
                return f"-{self.of(operand, PRODUCT)}", SUM
            case ast.BinOp(left, op, right):
                return self._binary(left, op, right)
            case ast.Subscript(ast.Call() as call, ast.Constant(int(place))):
                return self._function(call, place)
            case ast.Call():
                return self._call(node)
            case ast.IfExp(test, body, orelse):
                cases = (
                    rf"{self.of(body)} & {self.of(test)} \\ {self.of(orelse)} & \text{{otherwise}}"
                )
                return rf"\begin{{cases}} {cases} \end{{cases}}", ATOM
            case ast.Compare(left, [op], [right]):
                return f"{self.of(left)} {RELATIONS[type(op)]} {self.of(right)}", ANY
            case ast.ListComp(element, [ast.comprehension(target, ast.Call(args=[first, end]))]):
                span = f"{self.of(target)} = {self.of(first)}, \\dots, {self._less_one(end)}"
                return rf"{self.of(element)}, \qquad {span}", ANY
        raise ValueError(f"no way to write {ast.unparse(node)}")

    def _less_one(self, end: ast.expr) -> str:
        """The last of a range that ends before a number."""
        match end:
            case ast.BinOp(left, ast.Add(), ast.Constant(1)):
                return self.of(left)
        return f"{self.of(end)} - 1"

    def _binary(self, left: ast.expr, op: ast.operator, right: ast.expr) -> Typeset:
        match op:
            case ast.Add():
                return f"{self.of(left, SUM)} + {self.of(right, PRODUCT)}", SUM
            case ast.Sub():
                return f"{self.of(left, SUM)} - {self.of(right, PRODUCT)}", SUM
            case ast.Mult():
                return self._product(left, right)
            case ast.Div():
                return self._quotient(left, right)
            case ast.Pow():
                return self._power(left, right)
        raise ValueError(f"no way to write {op}")

    def _product(self, left: ast.expr, right: ast.expr) -> Typeset:
        sign, first, *others = _factors(ast.BinOp(left, ast.Mult(), right))
        text = self.of(first, PRODUCT)
        for before, factor in itertools.pairwise([first, *others]):
            if _is_big(before):
                text = rf"\left({text}\right)"
            after = self.of(factor, PRODUCT)
            text += (r" \cdot " if after[:1].isdigit() else r" \, ") + after
        return (f"-{text}", SUM) if sign else (text, PRODUCT)

    def _quotient(self, left: ast.expr, right: ast.expr) -> Typeset:
        sign, first, *others = _factors(left)
        for factor in others:
            first = ast.BinOp(first, ast.Mult(), factor)
        minus, tightness = ("-", SUM) if sign else ("", PRODUCT)
        if self._within_line:
            return f"{minus}{self.of(first, PRODUCT)}/{self.of(right, POWER)}", tightness
        return rf"{minus}\frac{{{self.of(first)}}}{{{self.of(right)}}}", tightness

    def _power(self, base: ast.expr, exponent: ast.expr) -> Typeset:
        self._within_line += 1
        raised = self.of(exponent)
        self._within_line -= 1
        match base:
            case ast.Call(ast.Name(id), [argument]) if id in OPERATORS and id not in self._symbols:
                if OPERATORS[id][1:].isalpha():  # as sin^2 x
                    return rf"{OPERATORS[id]}^{{{raised}}}\left({self.of(argument)}\right)", POWER
        return f"{{{self.of(base, ATOM)}}}^{{{raised}}}", POWER

    def _call(self, node: ast.Call) -> Typeset:
        if not isinstance(node.func, ast.Name):
            raise ValueError(f"no way to write {ast.unparse(node)}")
        function, arguments = node.func.id, node.args
        if function in self._symbols:
            return self._function(node, 0)
        if function in OPERATORS:
            return rf"{OPERATORS[function]}\left({self.of(arguments[0])}\right)", POWER
        if function in FENCES:
            before, after = FENCES[function]
            return before + self.of(arguments[0]) + after, ATOM
        special = getattr(self, f"_{function}", None)
        if special is None:
            raise ValueError(f"no way to write {ast.unparse(node)}")
        return special(*arguments)

    def _function(self, node: ast.Call, place: int) -> Typeset:
        """A function of the catalog, by its symbol."""
        assert isinstance(node.func, ast.Name)
        names, templates = self._symbols[node.func.id]
        template = templates[place]
        small = set(re.findall(r"<(\w+)>", " ".join(re.findall(r"[_^]\{([^{}]*)\}", template))))
        arguments = {}
        for argument, value in zip(names, node.args, strict=False):
            self._within_line += argument in small
            arguments[argument] = self.of(value)
            self._within_line -= argument in small
        return symbol(template, arguments), POWER

    # Of other functions, each by its name:

    def _exp(self, exponent: ast.expr) -> Typeset:
        self._within_line += 1
        text = self.of(exponent)
        self._within_line -= 1
        return f"e^{{{text}}}", POWER

    def _sqrt(self, radicand: ast.expr) -> Typeset:
        return rf"\sqrt{{{self.of(radicand)}}}", ATOM

    def _factorial(self, number: ast.expr) -> Typeset:
        return f"{self.of(number, ATOM)}!", POWER

    def _binomial(self, above: ast.expr, below: ast.expr) -> Typeset:
        return rf"\binom{{{self.of(above)}}}{{{self.of(below)}}}", ATOM

    def _rf(self, base: ast.expr, number: ast.expr) -> Typeset:
        return rf"\left({self.of(base)}\right)_{{{self.of(number)}}}", POWER

    def _harmonic(self, number: ast.expr) -> Typeset:
        return rf"\sum_{{i=1}}^{{{self.of(number)}}} \frac{{1}}{{i}}", PRODUCT

    def _nsum(self, term: ast.expr, span: ast.expr) -> Typeset:
        variable, body, (first, last) = self._over(term, span)
        limits = rf"\sum_{{{variable}={self.of(first)}}}^{{{self.of(last)}}}"
        return f"{limits} {self.of(body, PRODUCT)}", PRODUCT

    def _quad(self, integrand: ast.expr, span: ast.expr) -> Typeset:
        variable, body, ends = self._over(integrand, span)
        limits = rf"\int_{{{self.of(ends[0])}}}^{{{self.of(ends[-1])}}}"
        return rf"{limits} {self.of(body, PRODUCT)} \, d{variable}", PRODUCT

    _quadosc = _quad

    def _over(self, function: ast.expr, span: ast.expr) -> tuple[str, ast.expr, list[ast.expr]]:
        match function, span:
            case ast.Lambda(ast.arguments(args=[ast.arg(variable)]), body), ast.List(ends):
                return name(variable), body, ends
        raise ValueError(f"no way to write {ast.unparse(function)} over {ast.unparse(span)}")

    def _diff(self, function: ast.expr, at: ast.expr, order: ast.expr | None = None) -> Typeset:
        match function:
            case ast.Lambda(ast.arguments(args=[ast.arg(variable)]), body):
                pass
            case _:
                raise ValueError(f"no derivative of {ast.unparse(function)}")
        power = "" if order is None else f"^{{{self.of(order)}}}"
        if isinstance(at, ast.Name):  # the variable is the argument itself
            outer, self._bound = self._bound, {**self._bound, variable: at}
            text = self.of(body, POWER)
            self._bound = outer
            d = rf"\frac{{\partial{power}}}{{\partial {{{name(at.id)}}}{power}}}"
            return f"{d} {text}", PRODUCT
        t = name(variable)
        d = rf"\frac{{\partial{power}}}{{\partial {{{t}}}{power}}}"
        return rf"\left. {d} {self.of(body, POWER)} \right|_{{{t}={self.of(at)}}}", PRODUCT


def _factors(node: ast.expr) -> tuple[bool, *tuple[ast.expr, ...]]:
    """The factors of a product, behind whether a minus sign stands before them."""
    factors: list[ast.expr] = []
    while isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        factors.append(node.right)
        node = node.left
    negative = isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub)
    if isinstance(node, ast.UnaryOp) and negative:
        node = node.operand
    return negative, node, *reversed(factors)


def _is_big(node: ast.expr) -> bool:
    """Whether what follows would seem to belong to a sum, or a derivative."""
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in ("nsum", "harmonic", "diff")
    )
