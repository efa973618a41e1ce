"""How tests call a row: this package's function, and SciPy's as the oracle of its bits."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import scipy.integrate
import scipy.special
from quickly import QUICKLY

from jaxsci._verification.accuracy import bound as bound
from jaxsci.special._catalog.decorators import ElementwiseRow


def by_scipy(
    row: ElementwiseRow, static: dict[str, Any], arrays: Sequence[Any], mends: bool = True
) -> tuple[np.ndarray, ...]:
    """SciPy's own values; point by point where its function takes no arrays, or refuses one.

    A single point that SciPy refuses is NaN. Where the row mends them, the values are its own, and
    masked: there they have another oracle. Without `mends` they are masked only, for the program
    that has them may be a large one.
    """
    theirs = _by_guarded_scipy(row, static, arrays)
    parts = row.repair.parts([np.asarray(x).dtype for x in arrays]) if row.repair else ()
    if row.repair is None or not parts:
        return theirs
    with jax.enable_x64(True):
        # Compiled as one program, and quickly: operation by operation takes several times as long.
        # What is not asked for is no part of the program.
        mends_of = functools.partial(row.repair.mends, static=static)
        program = jax.jit(
            mends_of if mends else lambda *at: mends_of(*at)[0], compiler_options=QUICKLY
        )
        found = program(list(theirs), [_in_double(x) for x in arrays])
        wrong, *mended_values = found if mends else [found, *(None for _ in parts)]
    mended = list(theirs)
    for j, mend in zip(parts, mended_values, strict=True):
        if j >= len(theirs):  # a result that was not asked for
            continue
        y = theirs[j]
        mend = y if mend is None else mend
        mask = np.broadcast_to(_over_core(wrong, y), y.shape)
        mended[j] = np.ma.array(np.where(mask, np.asarray(mend, y.dtype), y), mask=mask)
    return tuple(mended)


_WIDE = {"f": np.float64, "V": np.float64, "c": np.complex128}


def _in_double(x: Any) -> np.ndarray:
    x = np.asarray(x)
    return x.astype(_WIDE[x.dtype.kind]) if x.dtype.kind in _WIDE else x


def _over_core(mask: Any, y: np.ndarray) -> np.ndarray:
    mask = np.asarray(mask)
    return mask[(...,) + (None,) * (y.ndim - mask.ndim)]


def _by_guarded_scipy(
    row: ElementwiseRow, static: dict[str, Any], arrays: Sequence[Any]
) -> tuple[np.ndarray, ...]:
    if row.guard is None:
        return _by_scipy(row, static, arrays)
    with np.errstate(all="ignore"):
        allowed, safe = row.guard.replaced([np.asarray(x) for x in arrays], static, np.where)
    if allowed is None:
        return _by_scipy(row, static, safe)
    return tuple(np.where(_over_core(allowed, y), y, np.nan) for y in _by_scipy(row, static, safe))


def _by_scipy(
    row: ElementwiseRow, static: dict[str, Any], arrays: Sequence[Any]
) -> tuple[np.ndarray, ...]:
    call = bound(row, static, row.oracle)
    with (
        np.errstate(all="ignore"),
        scipy.special.errstate(all="ignore"),
        warnings.catch_warnings(action="ignore", category=scipy.integrate.IntegrationWarning),
    ):
        if takes_arrays(row):
            try:
                return tuple(_written(row, np.asarray(y), arrays) for y in call(*arrays))
            except ValueError:
                if np.broadcast_shapes(*map(np.shape, arrays)) == ():
                    return tuple(np.asarray(np.nan) for _ in row.outputs or ("",))
        full = np.broadcast_arrays(*arrays)
        points = list(zip(*(x.ravel() for x in full), strict=True))
        if takes_arrays(row):
            each = [_by_scipy(row, static, point) for point in points]
        else:
            each = _one_by_one(row, call, points)
        return tuple(
            np.stack(ys).reshape(full[0].shape + np.shape(ys[0])) for ys in zip(*each, strict=True)
        )


def _one_by_one(row: ElementwiseRow, call: Any, points: Sequence[Any]) -> list[tuple[Any, ...]]:
    """Results at each point; NaNs like the others' where the function refuses one."""

    def value(point: Any) -> Any:
        if row.undefined is not None and row.undefined(*point):
            return None
        try:
            return call(*point)
        except (ArithmeticError, ValueError):
            return None

    each = [value(point) for point in points]
    like = next((ys for ys in each if ys is not None), (np.nan,) * (len(row.outputs) or 1))
    nothing = tuple(np.full_like(y, np.nan) for y in like)
    return [nothing if ys is None else ys for ys in each]


def _written(row: ElementwiseRow, y: np.ndarray, arrays: Sequence[Any]) -> np.ndarray:
    """SciPy's result, with NaN where it returns memory that it never wrote."""
    if row.undefined is None:
        return y
    y = y.copy()
    y[row.undefined(*map(np.asarray, arrays))] = (
        complex(np.nan, np.nan) if y.dtype.kind == "c" else np.nan
    )
    return y


def takes_arrays(row: ElementwiseRow) -> bool:
    """Whether SciPy's function is elementwise on arrays."""
    return row.host._batched


def bits(x: Any) -> np.ndarray:
    """An array's bits, with one pattern for all NaNs."""
    x = np.ascontiguousarray(x)
    if x.dtype.kind == "c":
        x = x.view(x.real.dtype)
    if x.dtype.kind not in "fV":
        return x
    whole = x.view(f"i{x.dtype.itemsize}").copy()
    whole[np.isnan(x)] = -1
    return whole


MENDED = 1e-11
"""How far a mended value may be from the same formula under other transformations, relatively:
what compilers make of it. Its digits are compared with mpmath's."""

ULPS = 4
"""How far the values of a native row may be from SciPy's, in units of the last place."""


def assert_scipys(
    row: ElementwiseRow, found: Any, expected: Any, why: str = "", mends: bool = True
) -> None:
    """Results are SciPy's: bit for bit, or as near as a row of JAX operations comes.

    Where the row mends SciPy's, they are the row's, however they were transformed, if `expected`
    has these.
    """
    assert len(found) == len(expected)
    for y, truth in zip(found, expected, strict=True):
        mended = np.ma.getmaskarray(truth)
        y, truth = np.asarray(y), np.ma.getdata(truth)
        assert y.dtype == truth.dtype
        if np.any(mended):
            kind = jnp.finfo(y.dtype)
            ours, again = (x[mended].astype(_WIDE[x.dtype.kind]) for x in (y, truth))
            tolerance = max(MENDED, float(kind.eps))
            if mends:
                np.testing.assert_allclose(ours, again, tolerance, float(kind.tiny), err_msg=why)
            y, truth = y[~mended], truth[~mended]
        if not row.on_device or y.dtype.kind == "c":
            np.testing.assert_array_equal(bits(y), bits(truth), why)
            continue
        kind = jnp.finfo(y.dtype)
        # XLA flushes subnormal results to zero.
        tiny = float(kind.tiny)
        y, truth = (x.astype(np.float64) for x in (y, truth))
        np.testing.assert_allclose(y, truth, ULPS * float(kind.eps), tiny, err_msg=why)
