"""Mixed derivatives by mpmath's central differences, and comparisons with them."""

from __future__ import annotations

import itertools

import jax
import mpmath
import numpy as np
from identities import along
from mpmath import mp

DIGITS = 130
STEP = mpmath.mpf(10) ** -25
ZERO = mpmath.mpf(10) ** -70  # rounding of the differences


def difference(f, at, orders):
    """A mixed derivative of f, of at most second order in each argument."""
    with mp.workdps(DIGITS):
        at = [mpmath.mpmathify(x) for x in at]
        stencils = [
            {0: ((0, 1),), 1: ((1, 1), (-1, -1)), 2: ((1, 1), (0, -2), (-1, 1))}[k] for k in orders
        ]
        total = mpmath.mpf(0)
        for point in itertools.product(*stencils):
            weight = mpmath.fprod(w for _, w in point)
            total += weight * f(*(x + k * STEP for x, (k, _) in zip(at, point, strict=True)))
        for k in orders:
            total /= (2 * STEP) ** k if k == 1 else STEP**k
        return total


def condition(f, at, orders, truth):
    """By how much relative errors of the arguments grow."""
    size = 0
    for i, x in enumerate(at):
        if x != 0 and orders[i] < 2:
            higher = difference(f, at, [k + (i == j) for j, k in enumerate(orders)])
            size += abs(x * higher / truth)
    return float(size)


def assert_close(found, f, points, orders, tolerance):
    for got, at in zip(np.asarray(found).tolist(), points, strict=True):
        truth = difference(f, at, orders)
        if not np.iscomplexobj(found):
            truth = truth.real
        if abs(truth) < ZERO:
            assert got == 0, (at, orders, got)
            continue
        with mp.workdps(40):
            error = float(abs(got - truth) / abs(truth))
        allowed = max(tolerance, 8 * 2.0**-53 * condition(f, at, orders, truth))
        assert error <= allowed, (at, orders, got, truth, error, allowed)


def mixed(f, orders):
    for i, k in enumerate(orders):
        for _ in range(k):
            f = along(f, i)
    return jax.jit(f)
