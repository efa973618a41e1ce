"""Python sessions in docstrings: their numbers are compared as far as they are written out."""

from __future__ import annotations

import doctest
import re
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

import jaxsci
from jaxsci import linalg, special

_NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d*)?(?:e[+-]?\d+)?(?![\w.])")


class _Numbers(doctest.OutputChecker):
    """Takes numbers for equal that differ by less than one and a half of the last digit written."""

    def check_output(self, want: str, got: str, optionflags: int) -> bool:
        if super().check_output(want, got, optionflags):
            return True
        wanted, found = _NUMBER.findall(want), _NUMBER.findall(got)
        same_words = "".join(_NUMBER.sub("#", want).split()) == "".join(
            _NUMBER.sub("#", got).split()
        )
        return (
            same_words
            and len(wanted) == len(found)
            and all(
                abs(float(w) - float(g)) <= 1.5 * _last_digit(w)
                for w, g in zip(wanted, found, strict=True)
            )
        )


def _last_digit(number: str) -> float:
    digits, _, exponent = number.partition("e")
    places = len(digits.partition(".")[2])
    return 0.0 if "." not in digits else 10.0 ** (int(exponent or 0) - places)


def run(docstring: str, name: str) -> doctest.TestResults:
    """Run the session in a docstring, with the names that documentation takes for granted."""
    names: dict[str, Any] = {"jax": jax, "jnp": jnp, "np": np, "jaxsci": jaxsci}
    names |= {k: getattr(special, k) for k in special.__all__} | {"linalg": linalg}
    names |= {name: getattr(linalg, name)} if not hasattr(special, name) else {}
    test = doctest.DocTestParser().get_doctest(docstring, names, name, None, None)
    report: list[str] = []
    runner = doctest.DocTestRunner(_Numbers(), optionflags=doctest.NORMALIZE_WHITESPACE)
    results = runner.run(test, out=report.append)
    assert not results.failed, "".join(report)
    return results
