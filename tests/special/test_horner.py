"""Horner's scheme, of whatever numbers and arrays its callers have."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jaxsci.special._numerics.polynomials import horner

_COEFFICIENTS = [0.5, -1.25, 3.0, 0.125]
_AT: dict[str, Any] = {
    "a number": 0.75,
    "of numpy's": np.float64(0.75),
    "complex": 0.75 - 0.5j,
    "an array": jnp.array([0.75, -2.0]),
    "in single precision": jnp.array([0.75, -2.0], jnp.float32),
    "of complex numbers": jnp.array([0.75 - 0.5j, 2.0j]),
}


@pytest.mark.parametrize("numbers", [float, np.float64, jnp.asarray])
@pytest.mark.parametrize("at", _AT)
def test_polynomial_is_numpys(at: str, numbers: Any) -> None:
    t = _AT[at]
    found = horner([numbers(c) for c in _COEFFICIENTS], t)
    np.testing.assert_allclose(
        found,
        np.polynomial.polynomial.polyval(np.asarray(t), _COEFFICIENTS),
        rtol=8 * np.finfo(np.asarray(found).dtype).eps,
    )
    if isinstance(t, jax.Array) and numbers is float:
        assert found.dtype == t.dtype


@pytest.mark.parametrize("count", [1, 2, 3])
def test_short_ones(count: int) -> None:
    t = jnp.array([0.75, -2.0])
    expected = np.polynomial.polynomial.polyval(np.asarray(t), _COEFFICIENTS[:count])
    np.testing.assert_array_equal(horner(_COEFFICIENTS[:count], t) + 0 * t, expected)


def test_numbers_need_no_trace() -> None:
    """Tables may be made of them while a program is traced."""

    def f(x: jax.Array) -> jax.Array:
        return x * float(horner(_COEFFICIENTS, 0.75))  # type: ignore[arg-type]

    assert jax.jit(f)(2.0) == 2 * horner(_COEFFICIENTS, jnp.asarray(0.75))


def test_programs_are_the_same_whether_promoted_or_not() -> None:
    t = jnp.array([0.75, -2.0])
    plain = jax.jit(lambda t: horner(_COEFFICIENTS, t)).lower(t).as_text()
    promoted = jax.jit(lambda t: horner([*_COEFFICIENTS[:-1], np.float64(0.125)], t)).lower(t)
    assert plain.count("stablehlo") == promoted.as_text().count("stablehlo")
