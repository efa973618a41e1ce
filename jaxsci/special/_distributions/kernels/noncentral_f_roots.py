"""Roots of SciPy's non-central F distribution function in each of its parameters, in NumPy.

SciPy's own inverses search for roots of another program, which has four digits of the function.
"""

from __future__ import annotations

import numpy as np
import scipy.special

from jaxsci.special._numerics.roots_on_host import LEAST, MOST, flat, root, root_from_8, walk

_MOST_NC = 1e6
"""Beyond these SciPy's sums can take seconds."""


def dfd_of(dfn: np.ndarray, p: np.ndarray, nc: np.ndarray, f: np.ndarray) -> np.ndarray:
    """The dfd with ncfdtr(dfn, dfd, nc, f) = p; of two that at which the function grows."""
    shape, dfn, p, nc, f = flat(dfn, p, nc, f)
    inside = (p > 0) & (p < 1) & _degrees_in(dfn) & (nc >= 0) & (nc <= _MOST_NC) & _within(f)
    roots = root_from_8(lambda x, i: scipy.special.ncfdtr(dfn[i], x, nc[i], f[i]) - p[i], inside)
    return roots.reshape(shape)


def dfn_of(p: np.ndarray, dfd: np.ndarray, nc: np.ndarray, f: np.ndarray) -> np.ndarray:
    """The dfn with ncfdtr(dfn, dfd, nc, f) = p; of two that at which the function grows."""
    shape, p, dfd, nc, f = flat(p, dfd, nc, f)
    inside = (p > 0) & (p < 1) & _degrees_in(dfd) & (nc >= 0) & (nc <= _MOST_NC) & _within(f)
    roots = root_from_8(lambda x, i: scipy.special.ncfdtr(x, dfd[i], nc[i], f[i]) - p[i], inside)
    return roots.reshape(shape)


def nc_of(dfn: np.ndarray, dfd: np.ndarray, p: np.ndarray, f: np.ndarray) -> np.ndarray:
    """The nc with ncfdtr(dfn, dfd, nc, f) = p; 0 where the function is too small for any."""
    shape, dfn, dfd, p, f = flat(dfn, dfd, p, f)
    inside = (p > 0) & (p < 1) & _degrees_in(dfn) & _degrees_in(dfd) & _within(f)

    def off(x: np.ndarray, i: np.ndarray) -> np.ndarray:
        return p[i] - scipy.special.ncfdtr(dfn[i], dfd[i], x, f[i])

    out = np.full(p.shape, np.nan)
    places = np.flatnonzero(inside)
    central = off(np.zeros(places.shape), places)
    out[places[central >= 0]] = 0.0
    places = places[central < 0]
    _, above, found = walk(off, np.ones(places.shape), places, 2.0, True, _MOST_NC)
    places, above = places[found], above[found]
    out[places] = root(off, np.zeros(places.shape), above, places)
    return out.reshape(shape)


def _degrees_in(x: np.ndarray) -> np.ndarray:
    return (x >= LEAST) & (x <= MOST)


def _within(f: np.ndarray) -> np.ndarray:
    return (f >= 1e-30) & (f <= 1e30)
