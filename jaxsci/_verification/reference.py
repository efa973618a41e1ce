"""What each row's function is worth, by its mpmath expression: values and derivatives.

Only the tests and ``jaxsci check`` need this module, and mpmath with it.
"""

from __future__ import annotations

import builtins
import zlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import mpmath
import numpy as np
from mpmath import mp

import jaxsci.special  # noqa: F401  (fills the catalog)
from jaxsci._core.elementwise_rules import Missing, RealLinear
from jaxsci._verification import oracles
from jaxsci.special._catalog.decorators import CATALOG, ArgumentSpec, ElementwiseRow
from jaxsci.special._catalog.domains import Complexes
from jaxsci.special._catalog.types import Kind

REAL, COMPLEX = "real", "complex"

Point = tuple[Any, ...]
Entry = dict[str, Any]

ROWS = {name: row for name, row in CATALOG.items() if isinstance(row, ElementwiseRow)}
"""The rows whose functions take arrays."""


# -- where -----------------------------------------------------------------------------------------


def static_key(static: dict[str, Any]) -> str:
    """Static arguments as text, for a test's name and the store."""
    return ",".join(f"{name}={value}" for name, value in static.items()) or "-"


def variants(row: ElementwiseRow) -> list[str]:
    """Real arguments, and complex ones where the function takes them."""
    return [REAL, COMPLEX] if any(a.kind is Kind.COMPLEX for a in row.arrays) else [REAL]


def generator(*words: str) -> np.random.Generator:
    """Random numbers that depend on words alone."""
    return np.random.default_rng(zlib.crc32(" ".join(words).encode()))


def sample(row: ElementwiseRow, variant: str, rng: np.random.Generator, n: int) -> list[np.ndarray]:
    """Random points of a row's domain, one array an argument."""
    columns = []
    for spec, domain in zip(row.arrays, row.samples.domain, strict=True):
        is_complex = variant == COMPLEX and spec.kind is Kind.COMPLEX
        if isinstance(domain, Complexes) and not is_complex:
            domain = domain.real()
        columns.append(as_kind(spec, domain.sample(rng, n), is_complex))
    return columns


def as_kind(spec: ArgumentSpec, values: Any, is_complex: bool) -> np.ndarray:
    """Values as an argument of this kind takes them."""
    if spec.kind is Kind.INT:
        return np.asarray(values, np.int64)
    return np.asarray(values, np.complex128 if is_complex else np.float64)


def awkward(row: ElementwiseRow, variant: str) -> list[np.ndarray]:
    """The row's awkward points that are of this variant, one array an argument."""
    points = [
        p
        for p in row.samples.awkward
        if variant == COMPLEX or not any(isinstance(x, builtins.complex) for x in p)
    ]
    return [
        as_kind(spec, [p[i] for p in points], variant == COMPLEX and spec.kind is Kind.COMPLEX)
        for i, spec in enumerate(row.arrays)
    ]


def cases() -> Iterator[tuple[ElementwiseRow, dict[str, Any], str]]:
    """All that is stored: each row, with each combination of static arguments, each variant."""
    for row in ROWS.values():
        for static in row.samples.statics:
            for variant in variants(row):
                yield row, static, variant


# -- what ------------------------------------------------------------------------------------------

NAMES = {name: getattr(mpmath, name) for name in dir(mpmath) if not name.startswith("_")}
NAMES |= {name: getattr(builtins, name) for name in ("abs", "int", "len", "max", "min", "range")}
NAMES |= oracles.functions()
"""What an expression may name."""


class Reference:
    """A row's expression as a function of mpmath numbers; its results lie one after another."""

    def __init__(self, row: ElementwiseRow, static: dict[str, Any]) -> None:
        self._names = NAMES | static
        self._arguments = [a.name for a in row.arrays]
        texts = row.samples.reference.split("; ")[: row.results(static)]
        self._codes = [compile(text, row.name, "eval") for text in texts]

    def __call__(self, point: Sequence[Any]) -> list[list[Any]]:
        names = self._names | dict(zip(self._arguments, point, strict=True))
        # One dictionary of globals: lambdas and comprehensions see nothing else.
        results = [eval(code, names) for code in self._codes]
        return [list(r) if isinstance(r, list | tuple) else [r] for r in results]


def exact(x: Any) -> Any:
    """A Python number as mpmath's."""
    return x if isinstance(x, int) else mp.mpmathify(x)


# Digits, and the step relative to the argument: the second derivative keeps digits - 2 log(1/step).
_LADDER = ((50, 12), (100, 20), (200, 20), (400, 20), (800, 40))
_SAME = mpmath.mpf(10) ** -16  # up to here two steps agree, or rounding does not matter
_GRID = mpmath.mpf(10) ** -20
_SPARE_DIGITS = 6
_NEGLIGIBLE = mpmath.mpf(10) ** -300


class NotConverged(ArithmeticError):
    """No step and no number of digits gave a derivative."""


def along(f: Callable[[Any], Any], x: Any, direction: complex) -> list[Any]:
    """Value of f at x and its first three derivatives in a direction, by central differences.

    They never evaluate at x itself, where there may be a removable singularity. At a kink the
    first derivative is the mean of both sides, and the higher ones are None. The third is an
    estimate, for it only weighs the second one's condition. All are None where f is infinite on a
    side of x.
    """
    for digits, zeros in _LADDER:
        with mp.workdps(digits):
            size = abs(x) if x != 0 else mpmath.mpf(1)
            h = size / mpmath.mpf(10) ** zeros
            one, two, four = (
                (f(x + k * h * direction), f(x - k * h * direction)) for k in (1, 2, 4)
            )
            if not all(map(mpmath.isfinite, one)):
                return [None] * 4
            found = _differences(one, two, h)
            again = _differences(two, four, 2 * h)
            noise = max(map(abs, one)) / mpmath.mpf(10) ** (digits - _SPARE_DIGITS)
            last = (digits, zeros) == _LADDER[-1]
            out = [
                _settled(found[k], again[k], noise / h**k, _nothing(x, h, found[k + 1]), last)
                for k in range(3)
            ]
            kink = abs(found[2]) > 1000 * noise / h**2 and abs(again[2] / found[2] - 0.5) < 1e-6
            if out[0] is not None and out[1] is not None and (out[2] is not None or kink):
                return [out[0], out[1], None, None] if kink else [*out, found[3]]
    raise NotConverged(f"no derivative at {x} in the direction {direction}")


def _differences(one: Any, two: Any, h: Any) -> list[Any]:
    (above, below), (far_above, far_below) = one, two
    return [
        (above + below) / 2,
        (above - below) / (2 * h),
        (far_above - above - below + far_below) / (3 * h**2),
        (far_above - 2 * above + 2 * below - far_below) / (2 * h**3),
    ]


def _nothing(x: Any, h: Any, slope: Any) -> Any:
    """Below which a quantity is 0: no double is nearer to its zero than that."""
    return h if x == 0 else h * abs(slope) if h <= abs(x) * _GRID else 0


def _settled(found: Any, again: Any, noise: Any, zero: Any, last: bool) -> Any:
    # Too few digits make a zero of any difference.
    if abs(found) < zero and abs(again) < zero * 10 and noise < zero:
        return mpmath.mpf(0)
    if noise <= _SAME * abs(found) and abs(found - again) <= 10 * _SAME * abs(found):
        return found
    return mpmath.mpf(0) if last and abs(found) < max(noise, _NEGLIGIBLE) * 10 else None


def directions(row: ElementwiseRow, argument: ArgumentSpec, variant: str) -> list[complex]:
    """The directions in which an argument is varied; none where there is no derivative."""
    rule = row.rules.get(argument.name)
    if argument.kind is Kind.INT or isinstance(rule, Missing):
        return []
    if variant == REAL or argument.kind is not Kind.COMPLEX:
        return [1]
    # A mixed second derivative counts where the function is not holomorphic.
    return [1, 1j, 1 + 1j] if isinstance(rule, RealLinear) else [1, 1j]


def varied(row: ElementwiseRow, variant: str) -> list[int]:
    """The arguments in which there are derivatives."""
    return [i for i, a in enumerate(row.arrays) if directions(row, a, variant)]


def result_is_complex(row: ElementwiseRow, variant: str) -> list[bool]:
    """Which of the results are complex."""
    return [k == "complex" or (k == "follow" and variant == COMPLEX) for k in row.host.result_kinds]


def entry(row: ElementwiseRow, static: dict[str, Any], variant: str, point: Point) -> Entry:
    """Value and derivatives at one point, as they are stored.

    Returns:
        ``at``, the point; ``value``, one list of numbers a result; and ``slopes``, by argument
        and direction: ``[first, second, third]``, each like ``value`` (None where there is none).
    """
    reference = Reference(row, static)
    at = [exact(x) for x in point]
    is_complex = result_is_complex(row, variant)[: row.results(static)]
    shape: list[int] = []

    def flat(i: int, x: Any) -> list[Any]:
        results = reference([*at[:i], x, *at[i + 1 :]])
        shape[:] = [len(r) for r in results]
        return [y for r in results for y in r]

    def stored(numbers: Sequence[Any], digits: int = 17) -> Any:
        parts = iter(numbers)
        return [
            [_stored(next(parts), c, digits) for _ in range(n)]
            for n, c in zip(shape, is_complex, strict=True)
        ]

    def along_argument(i: int, direction: complex) -> Any:
        return zip(*_all_along(lambda x: flat(i, x), at[i], direction), strict=True)

    def of_numbers() -> list[bool]:
        return [c for n, c in zip(shape, is_complex, strict=True) for _ in range(n)]

    out: Entry = {"at": list(point)}
    for i, argument in enumerate(row.arrays):
        for direction in directions(row, argument, variant):
            value, *orders = along_argument(i, direction)
            if None not in value:
                out.setdefault("value", stored(value))
            # A function that is real at the point alone has no derivative there.
            not_real = [
                not c and _is_complex(y) for c, y in zip(of_numbers(), orders[0], strict=True)
            ]
            first, second, third = (
                [None if n else y for n, y in zip(not_real, each, strict=True)] for each in orders
            )
            out.setdefault("slopes", {}).setdefault(argument.name, []).append(
                [stored(first), stored(second), stored(third, 3)]
            )
    if "value" not in out:  # no argument has a derivative
        continuous = [i for i, a in enumerate(row.arrays) if a.kind is not Kind.INT]
        if continuous:
            value = next(along_argument(continuous[-1], 1))
        else:
            with mp.workdps(_LADDER[1][0]):
                value = flat(0, at[0])
        out["value"] = stored(value)
    return out


def stored_form(x: Any) -> Any:
    """An entry with complex numbers as pairs, as `_verification/accuracy.py` reads them."""
    if isinstance(x, dict):
        return {k: stored_form(v) for k, v in x.items()}
    if isinstance(x, list | tuple):
        return [stored_form(v) for v in x]
    return [x.real, x.imag] if isinstance(x, complex) else x


def _all_along(f: Callable[[Any], list[Any]], x: Any, direction: complex) -> list[list[Any]]:
    """`along` for each of several results, which are computed together."""
    known: dict[Any, list[Any]] = {}

    def part(j: int) -> Callable[[Any], Any]:
        def evaluate(t: Any) -> Any:
            key = (mp.prec, t)
            if key not in known:
                known[key] = f(t)
            return known[key][j]

        return evaluate

    n = len(f(x + (abs(x) or 1) * direction / 1024))
    return [along(part(j), x, direction) for j in range(n)]


def _stored(y: Any, is_complex: bool, digits: int) -> Any:
    if y is None:
        return None
    y = mpmath.mpmathify(y)
    if is_complex:
        return complex(_rounded(y.real, digits), _rounded(y.imag, digits))
    if digits >= 17 and _is_complex(y):
        raise ArithmeticError(f"the reference is {y} where the function is real")
    return _rounded(y.real, digits)


def _is_complex(y: Any) -> bool:
    y = mpmath.mpmathify(0 if y is None else y)
    return abs(y.imag) > 1e-18 * abs(y)


def _rounded(y: Any, digits: int) -> float:
    return float(y) if digits >= 17 else float(f"{float(y):.{digits}g}")
