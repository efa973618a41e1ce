"""Functions whose ``exact=True`` computes with Python's integers, of any size, when traced."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jaxsci._core.jax_compat import Tracer


def exact_integers(
    name: str, function: Callable[..., Any], arrays: Mapping[str, Any], static: dict[str, Any]
) -> jax.Array:
    """SciPy's exact results as an array of JAX's default integer type.

    Args:
        name: the function's name.
        function: SciPy's function, of Python integers.
        arrays: the array arguments, by name.
        static: the static arguments, ``exact`` among them.

    Returns:
        The results, of the shape that the arguments broadcast to.
    """
    # A static real number that is an integer is one of SciPy's integers.
    static = {
        key: int(x) if isinstance(x, float) and x.is_integer() else x for key, x in static.items()
    }
    values = [_concrete(name, argument, x) for argument, x in arrays.items()]

    def one(*numbers: Any) -> int:
        try:
            return int(function(**dict(zip(arrays, map(int, numbers), strict=True)), **static))
        except ValueError as error:
            raise ValueError(f"{name}: {error}") from None

    results = np.frompyfunc(one, len(values), 1)(*values)
    dtype = np.dtype(jnp.result_type(int))
    for result in np.ravel(np.asarray(results, object)):
        if not np.iinfo(dtype).min <= result <= np.iinfo(dtype).max:
            raise OverflowError(
                f"{name}: the exact result {_shown(result)} does not fit {dtype}: use exact=False"
                + (", or switch on jax_enable_x64" if dtype.itemsize < 8 else "")
            )
    return jnp.asarray(np.asarray(results).astype(dtype))


def _shown(number: int) -> str:
    """The number, or of a long one its length: Python does not print every integer."""
    bits = number.bit_length()
    return str(number) if bits <= 512 else f"of {bits} bits"


def _concrete(name: str, argument: str, x: Any) -> np.ndarray:
    if isinstance(x, Tracer):
        raise TypeError(
            f"{name}: with exact=True, argument {argument!r} must be integers that are known when "
            f"the function is traced (SciPy computes with Python's), got {x.aval}"
        )
    if not isinstance(x, int | float | np.ndarray | np.generic | jax.Array):
        raise TypeError(f"{name}: argument {argument!r} must be integers, got {type(x).__name__}")
    value = np.asarray(x)
    if value.dtype.kind not in "iub":
        raise ValueError(
            f"{name}: with exact=True, argument {argument!r} must be integers, got {value.dtype}"
        )
    return value
