"""Roots of SciPy's noncentral t distribution function in its parameters, in NumPy.

SciPy's own inverses have five digits in the noncentrality, fewer where t is next to 0, and seven in
the degrees of freedom.
"""

from __future__ import annotations

import numpy as np
import scipy.special

from jaxsci.special._numerics.roots_on_host import flat, root, root_from_8, walk

_MOST = 1e6
_LARGEST_SQUARE = 1e10
"""Of t over df."""


def df_of(p: np.ndarray, nc: np.ndarray, t: np.ndarray) -> np.ndarray:
    """The df with nctdtr(df, nc, t) = p; of two that at which the function grows."""
    shape, p, nc, t = flat(p, nc, t)

    def off(x: np.ndarray, i: np.ndarray) -> np.ndarray:
        # SciPy does not return for fewer degrees, where the function is near its limit.
        served = t[i] ** 2 < _LARGEST_SQUARE * x
        value = scipy.special.nctdtr(np.where(served, x, 1.0), nc[i], np.where(served, t[i], 0.0))
        return np.where(served, value, scipy.special.ndtr(-nc[i])) - p[i]

    inside = (p > 0) & (p < 1) & np.isfinite(nc) & np.isfinite(t)
    df = root_from_8(off, inside)
    return np.where(t * t < _LARGEST_SQUARE * df, df, np.nan).reshape(shape)


def nc_of(df: np.ndarray, p: np.ndarray, t: np.ndarray) -> np.ndarray:
    """The nc with nctdtr(df, nc, t) = p, which falls as nc grows; NaN beyond 1e6."""
    shape, df, p, t = flat(df, p, t)
    out = np.full(p.shape, np.nan)
    inside = (df > 0) & np.isfinite(t)
    out[inside & (p == 0)], out[inside & (p == 1)] = np.inf, -np.inf
    places = np.flatnonzero(inside & (p > 0) & (p < 1))
    central = scipy.special.nctdtr(df[places], 0.0, t[places]) - p[places]
    out[places[central == 0]] = 0.0
    for sign in (1.0, -1.0):

        def off(x: np.ndarray, i: np.ndarray, sign: float = sign) -> np.ndarray:
            value = scipy.special.nctdtr(df[i], sign * x, t[i])
            # From some noncentrality on SciPy has no value.
            return np.where(np.isnan(value), 1.0, sign * (p[i] - value))

        here = places[sign * central > 0]
        _, after, found = walk(off, np.full(here.shape, 0.5), here, 2.0, True, _MOST)
        here, after = here[found], after[found]
        nc = root(off, np.zeros(here.shape), after, here)
        out[here] = np.where(off(nc, here) < 1, sign * nc, np.nan)
    return out.reshape(shape)
