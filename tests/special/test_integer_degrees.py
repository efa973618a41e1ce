"""Degrees of an integer type: the same functions as of a floating type, by shorter programs."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import jaxsci
import jaxsci.special
from jaxsci._verification import reference
from jaxsci.special._catalog.decorators import ElementwiseRow
from jaxsci.special._catalog.types import Kind

_DEGREES = np.array([-1, 0, 1, 2, 3, 5, 8, 13])
ROWS = sorted(
    name
    for name, row in reference.ROWS.items()
    if isinstance(row, ElementwiseRow) and row.host.counts
)
_LONG = [name for name in ROWS if "cheby" not in name and "legendre" not in name]
"""Of the others the same short programs serve all degrees."""


def _place(name: str) -> int:
    (place,) = reference.ROWS[name].host.counts
    return place


def _arguments(name: str, degrees: Any) -> list[Any]:
    """The degrees, among moderate parameters and an argument inside the interval."""
    row = reference.ROWS[name]
    given: dict[str, Any] = {"alpha": 1.5, "beta": 0.75, "k": 1.5, "p": 2.5, "q": 1.25, "x": 0.62}
    given["m"] = 2
    arguments = [jnp.asarray(given.get(spec.name, 0.0)) for spec in row.arrays]
    arguments[_place(name)] = degrees
    return arguments


def _along(name: str) -> list[int]:
    """Where there is a derivative, but for the degree."""
    arrays = reference.ROWS[name].arrays
    return [i for i, s in enumerate(arrays) if i != _place(name) and s.kind is not Kind.INT]


def _argument_x(name: str) -> int:
    return [spec.name for spec in reference.ROWS[name].arrays].index("x")


def _lines(f: Any, *args: Any) -> int:
    return jax.jit(f).lower(*args).as_text().count("\n")


@pytest.mark.rotating(0.25)
@pytest.mark.parametrize("name", ROWS)
def test_derivatives_are_those_of_a_floating_type(name: str) -> None:
    f = getattr(jaxsci.special, name)
    axes = [0 if i == _place(name) else None for i in range(len(_arguments(name, 0)))]
    numbers = _arguments(name, jnp.asarray(_DEGREES * 1.0))
    expected = {i: jax.jit(jax.vmap(jax.grad(f, i), in_axes=axes))(*numbers) for i in _along(name)}
    # Of unsigned integers nothing may be subtracted.
    for dtype, first in (("int64", 0), ("int8", 0), ("uint8", 1)):
        integers = _arguments(name, jnp.asarray(_DEGREES[first:].astype(dtype)))
        for i, slopes in expected.items():
            found = jax.vmap(jax.grad(f, i), in_axes=axes)(*integers)
            np.testing.assert_allclose(found, slopes[first:], rtol=1e-13, atol=1e-13)


@pytest.mark.rotating(0.25)
@pytest.mark.parametrize("name", ROWS)
def test_second_derivatives_are_those_of_a_floating_type(name: str) -> None:
    f = getattr(jaxsci.special, name)
    axes = [0 if i == _place(name) else None for i in range(len(_arguments(name, 0)))]
    for i in _along(name):
        bend = jax.vmap(jax.grad(jax.grad(f, _argument_x(name)), i), in_axes=axes)
        found = bend(*_arguments(name, jnp.asarray(_DEGREES)))
        expected = bend(*_arguments(name, jnp.asarray(_DEGREES * 1.0)))
        np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-11)


@pytest.mark.parametrize("name", ROWS)
def test_kernels_are_those_of_a_floating_type(name: str) -> None:
    f = getattr(jaxsci.special, name)
    with jaxsci.use_backend("device"):
        whole = f(*_arguments(name, jnp.asarray(_DEGREES)))
        np.testing.assert_array_equal(whole, f(*_arguments(name, jnp.asarray(_DEGREES * 1.0))))


@pytest.mark.parametrize("name", _LONG)
def test_nothing_between_integers_is_compiled(name: str) -> None:
    f = getattr(jaxsci.special, name)
    integers = _arguments(name, jnp.asarray(3))
    numbers = _arguments(name, jnp.asarray(3.0))
    for i in _along(name):
        slope = jax.grad(f, i)
        assert _lines(slope, *integers) < 0.6 * _lines(slope, *numbers)
    with jaxsci.use_backend("device"):
        assert _lines(f, *integers) < 0.6 * _lines(f, *numbers)
