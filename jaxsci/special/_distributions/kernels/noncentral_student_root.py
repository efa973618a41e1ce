"""Roots of SciPy's noncentral t distribution function in the noncentrality, in NumPy.

SciPy's own inverse has five digits, and fewer where t is next to 0.
"""

from __future__ import annotations

import numpy as np
import scipy.special

from jaxsci.special._numerics.roots_on_host import flat, root, walk

_MOST = 1e6


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
