"""SciPy's values mended by those of this package, where both are there to be compared."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

import jax
import jax.numpy as jnp

from jaxsci._core.double_precision import as_sequence
from jaxsci.special._catalog.row import Repair
from jaxsci.special._numerics.few import where_wanted

WRONG = 1e-11
"""What SciPy's values may be off by, relatively, to keep their bits."""
_TINY = 1e-307
"""Nothing is said of smaller values: subnormal numbers are zeros to XLA."""


def by_own(
    words: str,
    doubtful: Callable[..., Any],
    own: Callable[..., Any],
    own_in_plane: Callable[..., Any] | None = None,
    *,
    within: float = WRONG,
    together: bool = False,
    few: bool = False,
    of: Literal["real", "complex", "all"] = "real",
    results: Sequence[int] = (0,),
    unless_integer: int | None = None,
) -> Repair:
    """A `Repair` that keeps SciPy's bits where they agree with another value.

    Args:
        words: which arguments are looked at, for the docstring.
        doubtful: the same as a condition on the arguments.
        own: the function, or a row's kernel: of real arguments, or of all where it stands alone.
            It may be NaN where it has no value.
        own_in_plane: the same where an argument is complex.
        within: how far SciPy's values may be off.
        together: whether the results are parts of one number, whose size their errors count by.
        few: whether the function is so costly that no other element of an array is looked at.
        of: which arguments are looked at.
        results: which of the function's results are mended; ``own`` gives all.
        unless_integer: as `Repair` has it.
    """
    results = tuple(results)

    def where(ys: Sequence[jax.Array], *xs: jax.Array, **static: Any) -> Any:
        return doubtful(*xs, **static)

    def formula(ys: Sequence[jax.Array], *xs: jax.Array, **static: Any) -> tuple[jax.Array, ...]:
        in_plane = own_in_plane is not None and any(map(jnp.iscomplexobj, xs))
        function = own_in_plane if in_plane and own_in_plane is not None else own
        theirs = [ys[j] for j in results]

        def found(*xs: jax.Array) -> tuple[jax.Array, ...]:
            values = as_sequence(function(*xs, **static))
            kinds = (y.dtype for y in theirs)
            return tuple(values[j].astype(kind) for j, kind in zip(results, kinds, strict=True))

        if few:
            *xs_alike, wanted = jnp.broadcast_arrays(*xs, where(ys, *xs, **static))
            ours = where_wanted(wanted, found, xs_alike, theirs)
        else:
            ours = found(*xs)
        off = [jnp.abs(y - truth) for y, truth in zip(theirs, ours, strict=True)]
        sizes = [jnp.abs(truth) for truth in ours]
        if together:
            sizes = [sum(sizes)] * len(sizes)
        return tuple(
            jnp.where((y == truth) | (error <= within * size + _TINY) | jnp.isnan(truth), y, truth)
            for y, truth, error, size in zip(theirs, ours, off, sizes, strict=True)
        )

    return Repair(
        f"{words}, as far as SciPy's are off by more than {within:g}",
        where,
        formula,
        results,
        of,
        costly=True,
        unless_integer=unless_integer,
    )
