"""Gauss quadrature, and coefficients, of orthogonal polynomials.

The monic polynomials obey p_{k+1} = (x - a_k) p_k - b_k p_{k-1}; a quadrature rule is told by n,
the weights' sum, and the functions a and b of k.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mpmath
from mpmath import mp

from jaxsci._verification.oracles._types import Number

__all__ = ["gauss_nodes", "gauss_weight", "gauss_weights", "power_coefficients"]

Coefficient = Callable[[int], Any]


def gauss_weight(n: int, near: Number, total: Number, a: Coefficient, b: Coefficient) -> Number:
    """The weight of the node that is nearest to a number, by the Christoffel function."""
    x = mp.mpmathify(near)
    for _ in range(2 + len(bin(mp.dps))):
        value, slope, _ = _of_degree_n(n, x, a, b)
        x -= value / slope
    return total / _of_degree_n(n, x, a, b)[2]


def _of_degree_n(n: int, x: Number, a: Coefficient, b: Coefficient) -> tuple[Number, Any, Any]:
    """p_n, its derivative, and the sum of p_k^2/h_k over k < n, where h_0 = 1."""
    before, p, slope_before, slope = mp.zero, mp.one, mp.zero, mp.zero
    norm, total = mp.one, mp.zero
    for k in range(n):
        norm *= b(k) if k else 1
        total += p**2 / norm
        square = b(k) if k else 0
        before, p, slope_before, slope = (
            p,
            (x - a(k)) * p - square * before,
            slope,
            p + (x - a(k)) * slope - square * slope_before,
        )
    return p, slope, total


def _eigensystem(n: int, a: Coefficient, b: Coefficient) -> tuple[Number, Number]:
    matrix = mp.zeros(n)
    for k in range(n):
        matrix[k, k] = a(k)
        if k:
            matrix[k, k - 1] = matrix[k - 1, k] = mp.sqrt(b(k))
    return mpmath.eigsy(matrix)


def gauss_nodes(n: int, a: Coefficient, b: Coefficient) -> list[Number]:
    """The nodes in ascending order: the Jacobi matrix's eigenvalues."""
    return list(_eigensystem(n, a, b)[0])


def gauss_weights(n: int, total: Number, a: Coefficient, b: Coefficient) -> list[Number]:
    """The weights, in the nodes' order: from the first components of the eigenvectors."""
    vectors = _eigensystem(n, a, b)[1]
    return [total * vectors[0, i] ** 2 for i in range(n)]


def power_coefficients(f: Callable[[Number], Number], n: int, monic: bool) -> list[Number]:
    """Coefficients of a polynomial of degree n that is real, the highest power first."""
    roots = mpmath.unitroots(n + 1)
    values = [f(r) for r in roots]
    coefficients = [
        mp.fsum(v * mpmath.conj(r) ** k for v, r in zip(values, roots, strict=True)).real / (n + 1)
        for k in range(n, -1, -1)
    ]
    return [c / coefficients[0] for c in coefficients] if monic else coefficients
