"""Jacobi's functions and their kin of degrees that are no integers and below 2, for rules.

The recurrence in the degree starts from them. SciPy's values stand where those agree that mend
values of higher degrees (`mended.py`), or where there are none; of complex arguments, which are the
more accurate ones on the real line too. On devices there is no SciPy.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import scipy.special
from jax.typing import ArrayLike

from jaxsci._core.signature import parse_signature
from jaxsci.special._catalog.function import RowFunction
from jaxsci.special._catalog.kernel import Kernel
from jaxsci.special._catalog.row import ArgumentSpec
from jaxsci.special._catalog.types import Kind
from jaxsci.special._numerics.few import where_wanted
from jaxsci.special._orthogonal.kernels import mended

_RESOLVED = 1e-13

Function = Callable[..., jax.Array]
"""Of a degree below 2 that is no integer, parameters, and x: real or complex."""


def _between(
    name: str,
    parameters: str,
    is_served: Callable[..., jax.Array],
    candidates: Callable[..., mended.Candidates],
    end: float,
) -> Function:
    """The function.

    Args:
        name: SciPy's.
        parameters: their names, a letter or word each.
        is_served: whether there are candidates for parameters.
        candidates: for the value, of the function's arguments.
        end: the lower end of the interval. Real x below have no real value: NaN.
    """
    arguments = (
        ArgumentSpec("n", Kind.REAL, ArrayLike),
        *(ArgumentSpec(p, Kind.REAL, ArrayLike) for p in parameters.split()),
        ArgumentSpec("x", Kind.COMPLEX, ArrayLike),
    )
    signature = parse_signature(",".join(["()"] * len(arguments)) + "->()")
    scipys = RowFunction(
        getattr(scipy.special, name), name, arguments, signature, ["follow"], None, True
    )
    scipys.complex_kernel = Kernel(_nothing, 0)

    def value(n: jax.Array, *at: jax.Array) -> jax.Array:
        n, *rest = jnp.broadcast_arrays(n, *at)
        *values, x = rest
        real = not jnp.iscomplexobj(x)
        inside = x > end if real else (x.real != end) | (x.imag != 0)
        theirs = scipys.as_jax_function(n, *values, x.astype(complex))
        theirs = jnp.where(x < end, jnp.nan, theirs.real) if real else theirs
        wanted = is_served(*values) & inside & (jnp.abs(x) <= mended.LARGEST_ARGUMENT)
        nothing = (jnp.zeros_like(x),) * 3
        function = functools.partial(candidates, resolved=_RESOLVED)
        found = where_wanted(wanted, function, (n, *values, x), nothing)
        return jnp.where(wanted, mended.by_vote(theirs, found), theirs)

    return value


def _nothing(*at: Any) -> jax.Array:
    *_, x = jnp.broadcast_arrays(*at)
    return jnp.full_like(x, jnp.nan)


jacobi = _between(
    "eval_jacobi",
    "alpha beta",
    mended.jacobi_is_served,
    mended.jacobi_between,
    end=-1.0,
)
gegenbauer = _between(
    "eval_gegenbauer",
    "alpha",
    mended.gegenbauer_is_served,
    mended.gegenbauer_between,
    end=-1.0,
)
shifted_jacobi = _between(
    "eval_sh_jacobi",
    "p q",
    mended.shifted_jacobi_is_served,
    mended.shifted_jacobi_between,
    end=0.0,
)
