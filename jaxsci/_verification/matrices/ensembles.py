"""Random matrices of a wanted condition, in double precision."""

from __future__ import annotations

import numpy as np

N = 4
"""The order of matrices."""
WELL, ILL = "well-conditioned", "ill-conditioned"
CONDITION = {WELL: 10.0, ILL: 1e8}
"""Of matrices: the ratio of the largest and the smallest singular value."""
OF_VECTORS = {WELL: 10.0, ILL: 1e4}
"""Of the eigenvectors, where eigenvalues are given."""

_ALWAYS = ", well"


def _orthogonal(rng: np.random.Generator, n: int) -> np.ndarray:
    return np.linalg.qr(rng.standard_normal((n, n)))[0]


def _between(rng: np.random.Generator, m: int, n: int, condition: float) -> np.ndarray:
    k = min(m, n)
    s = np.geomspace(1.0, 1 / condition, k)
    return (_orthogonal(rng, m)[:, :k] * s) @ _orthogonal(rng, n)[:k]


def _similar(rng: np.random.Generator, eigenvalues: np.ndarray, condition: float) -> np.ndarray:
    v = _between(rng, N, N, condition)
    return v @ np.diag(eigenvalues) @ np.linalg.inv(v)


def drawn(kind: str, quality: str, rng: np.random.Generator) -> np.ndarray:
    """A matrix (or a vector) of some kind; one that ends with "well" is so, whatever the others."""
    if kind.endswith(_ALWAYS):
        return drawn(kind.removesuffix(_ALWAYS), WELL, rng)
    condition = CONDITION[quality]
    spread = np.linspace(0.4, 2.0, N) * rng.uniform(0.9, 1.1, N)
    if kind == "general":
        return _between(rng, N, N, condition)
    if kind == "tall":
        return _between(rng, N + 2, N, condition)
    if kind == "wide":
        return _between(rng, N - 2, N, condition)
    if kind == "symmetric":  # positive definite
        q = _orthogonal(rng, N)
        a = (q * np.geomspace(1.0, 1 / condition, N)) @ q.T
        return (a + a.T) / 2
    if kind == "positive":  # eigenvalues, real
        return _similar(rng, spread, OF_VECTORS[quality])
    if kind == "signs":
        return _similar(rng, spread * np.array([1, -1, 1, -1]), OF_VECTORS[quality])
    if kind == "stable":
        return _similar(rng, -spread, OF_VECTORS[quality])
    if kind == "contracting":
        return _similar(rng, spread / 2.5, OF_VECTORS[quality])
    if kind == "bands":  # of a symmetric, positive definite matrix; the first is not read
        lowest = {WELL: 0.5, ILL: 1e-4}[quality]
        factor = rng.uniform(0.5, 1.0, N) * np.append(np.ones(N - 1), lowest)
        beside = rng.uniform(-0.5, 0.5, N - 1)
        diagonal = factor**2 + np.append(0.0, beside**2)
        return np.array([np.append(0.0, beside * factor[:-1]), diagonal])
    shapes = {
        "vector": (N,), "long vector": (N + 2,), "columns": (N, 2), "pair": (N + 2, 2),
        "small": (2, 2),
    }  # fmt: skip
    return rng.standard_normal(shapes[kind])


SYMMETRIC = frozenset({"symmetric", "symmetric" + _ALWAYS})
"""Kinds whose directions are symmetric too."""
