"""Derivatives of scaled cylinder functions, without loss at large arguments.

With D = d/dz, a scaled function has derivatives such as (D + sigma)^n K_v, in which the two parts
of (D + sigma) cancel where the function is nearly exp(-sigma z). Near the origin the sum over
shifted orders serves (DLMF 10.6.7, 10.29.5); far from it Hankel's expansion does, in which the
exponential is gone and only powers of 1/z are differentiated (DLMF 10.17, 10.40).

Everything here is in double precision and exact to rounding for every order of derivative, so a
derivative rule only passes on to the next order: f_n' = f_{n+1}.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import jax.numpy as jnp
import numpy as np

Polynomial = Sequence[complex] | np.ndarray
"""Coefficients of an operator polynomial in D, lowest power first."""

# At |z| = 20 the smallest term of Hankel's expansion is e^-40, its 40th.
_TERMS = 40
_FAR = 20.0


def is_far(v: Any, z: Any) -> Any:
    """Where Hankel's expansion has converged to double precision within its terms."""
    return jnp.abs(z) >= jnp.maximum(_FAR, v * v / 8)


# -- near: sums over shifted orders ----------------------------------------------------------------


def power(factor: Polynomial, n: int) -> np.ndarray:
    """factor(D)^n."""
    out = np.ones(1, complex)
    for _ in range(n):
        out = np.polynomial.polynomial.polymul(out, np.asarray(factor, complex))
    return out


def _simplified(coefficient: complex) -> complex | float:
    return coefficient.real if coefficient.imag == 0 else complex(coefficient)


def shifted_orders(
    function: Callable[[Any, Any], Any], sign: int, v: Any, z: Any, operator: Polynomial
) -> Any:
    """operator(D) applied to a cylinder function, as a sum over its (scaled) neighbours in order.

    Args:
        function: the scaled function; scaling is the same for all orders.
        sign: D shifts orders by (S^-1 + sign S)/2: -1 for J, Y, H; +1 for I, exp(v pi i) K.
        v: order.
        z: argument.
        operator: a polynomial in D.
    """
    step = [0.5 * sign, 0, 0.5]  # shifts +1, 0, -1
    n = len(operator) - 1
    shifts = np.zeros(2 * n + 1, complex)
    for k, coefficient in enumerate(operator):
        term = np.ones(1)
        for _ in range(k):
            term = np.convolve(term, step)
        shifts[n - k : n + k + 1] += coefficient * term
    total = 0
    for i, coefficient in enumerate(shifts):
        if coefficient != 0:
            total = total + _simplified(coefficient) * function(v + (n - i), z)
    return total


# -- far: Hankel's expansion -----------------------------------------------------------------------


def hankel_series(v: Any, z: Any, n: int, direction: complex) -> Any:
    """d^n/dz^n of z^(-1/2) sum_k direction^k a_k(v) z^-k, with a_k of DLMF 10.17.1."""
    mu = 4 * v * v
    scale = _simplified(complex(direction)) / (8 * z)
    total = 1.0
    for k in range(_TERMS, 0, -1):
        weight = (k + n - 0.5) / (k * (k - 0.5))
        total = 1.0 + total * ((mu - (2 * k - 1) ** 2) * weight) * scale
    leading = (-1) ** n * math.prod(0.5 + j for j in range(n))
    return leading * total / (jnp.sqrt(z) * z**n)


def _applied(series: Callable[[int], Any], operator: Polynomial) -> Any:
    total = 0
    for n, coefficient in enumerate(operator):
        if coefficient != 0:
            total = total + _simplified(complex(coefficient)) * series(n)
    return total


def far_k(v: Any, z: Any, n: int) -> Any:
    """d^n/dz^n exp(z) K_v(z), |ph z| <= pi (DLMF 10.40.2)."""
    return math.sqrt(math.pi / 2) * hankel_series(v, z, n, 1)


def far_i(v: Any, x: Any, n: int) -> Any:
    """d^n/dx^n exp(-x) I_v(x), real x > 0 (DLMF 10.40.1)."""
    return hankel_series(v, x, n, -1) / math.sqrt(2 * math.pi)


def _far_hankel(kind: int, v: Any, z: Any, n: int) -> Any:
    """d^n/dz^n of exp(-iz) H1_v(z) or exp(iz) H2_v(z) for |ph z| <= pi/2 (DLMF 10.17.5, 6)."""
    i = 1j if kind == 1 else -1j
    phase = jnp.exp(-i * (v * (math.pi / 2) + math.pi / 4))
    return math.sqrt(2 / math.pi) * phase * hankel_series(v, z, n, i)


def far_hankel2(v: Any, z: Any, n: int) -> Any:
    """d^n/dz^n exp(iz) H2_v(z) on the whole cut plane."""
    # In the second quadrant both exponentials are present (DLMF 10.11.4 with m = 1).
    w = -z
    second = jnp.exp(1j * math.pi * v) * (-1) ** n * _far_hankel(1, v, w, n)
    inner = _applied(lambda j: (-1) ** j * _far_hankel(2, v, w, j), power([2j, 1], n))
    second = second + 2 * jnp.cos(math.pi * v) * jnp.exp(2j * z) * inner
    crosses = (z.real < 0) & ~jnp.signbit(z.imag)  # -0 is the lower side of the cut
    return jnp.where(crosses, second, _far_hankel(2, v, z, n))


def _far_first_quadrant(kind: str, v: Any, z: Any, a: int, b: int) -> Any:
    """(d/dx)^a (d/dy)^b exp(-y) C_v(x + iy), C = J or Y, x >= 0, y >= 0."""
    first, second = (0.5, 0.5) if kind == "J" else (-0.5j, 0.5j)
    x, y = z.real, z.imag
    # On exp(-iz) u2 the operators are D - i and iD; on exp(iz) u1 they are D + i and iD - 2.
    of_two = np.polynomial.polynomial.polymul(power([-1j, 1], a), power([0, 1j], b))
    of_one = np.polynomial.polynomial.polymul(power([1j, 1], a), power([-2, 1j], b))
    two = jnp.exp(-1j * x) * _applied(lambda n: _far_hankel(2, v, z, n), of_two)
    one = jnp.exp(1j * x - 2 * y) * _applied(lambda n: _far_hankel(1, v, z, n), of_one)
    return first * one + second * two


def _far_right_half(kind: str, v: Any, z: Any, a: int, b: int) -> Any:
    mirrored = z.imag < 0
    upper = jnp.where(mirrored, jnp.conj(z), z)
    value = _far_first_quadrant(kind, v, upper, a, b)
    return jnp.where(mirrored, (-1) ** b * jnp.conj(value), value)


def far_partial(kind: str, v: Any, z: Any, a: int, b: int) -> Any:
    """(d/dx)^a (d/dy)^b exp(-|y|) C_v(x + iy) with C = J or Y, off the real axis or on it."""
    left = z.real < 0
    w = jnp.where(left, -z, z)
    above = jnp.where(z.imag >= 0, 1.0, -1.0)
    turned = (-1) ** (a + b) * _far_right_half("J", v, w, a, b)
    turn = jnp.exp(1j * math.pi * above * v)
    if kind == "J":  # DLMF 10.11.1
        return jnp.where(left, turn * turned, _far_right_half("J", v, w, a, b))
    value = _far_right_half("Y", v, w, a, b)  # DLMF 10.11.2
    across = (-1) ** (a + b) * value / turn + 2j * above * jnp.cos(math.pi * v) * turned
    return jnp.where(left, across, value)


def far_partial_i(v: Any, z: Any, a: int, b: int) -> Any:
    """(d/dx)^a (d/dy)^b exp(-|x|) I_v(x + iy), by I_v(z) = exp(-v pi i/2) J_v(iz) (10.27.6)."""
    mirrored = z.imag > 0
    lower = jnp.where(mirrored, jnp.conj(z), z)
    turned = far_partial("J", v, 1j * lower, b, a)
    value = (-1) ** b * jnp.exp(-0.5j * math.pi * v) * turned
    return jnp.where(mirrored, (-1) ** b * jnp.conj(value), value)
