"""Norms of stacks on the host."""

from __future__ import annotations

import numpy as np

from jaxsci.linalg._infra.lapack import Stack


def frobenius(x: Stack) -> np.ndarray:
    """Frobenius norms of a stack: of numbers whose squares under- or overflow too."""
    size = np.max(np.abs(x), axis=(-2, -1), initial=0.0)
    scale = np.where((size > 0) & np.isfinite(size), size, 1.0)
    return scale * np.linalg.norm(x / scale[..., None, None], axis=(-2, -1))
