"""Identities that hold everywhere, at points that hypothesis looks for.

Each identity is a function that returns a list of terms whose sum is zero. Derivatives in them are
JAX's own, so Wronskians and differential equations test rules against values.
"""

from __future__ import annotations

import functools

import hypothesis.extra.numpy as arrays
import jax
import jax.numpy as jnp
import numpy as np
from hypothesis import settings
from hypothesis import strategies as st

N = 8
TOLERANCE = 1e-11
PROFILE = settings(deadline=None, max_examples=10, database=None)


def reals(low, high):
    """N numbers between two bounds: always of one shape, so that each function compiles once."""
    return arrays.arrays(np.float64, N, elements=st.floats(low, high), fill=st.nothing())


def integers(low, high):
    """N integers between two bounds, both included."""
    return arrays.arrays(np.int64, N, elements=st.integers(low, high), fill=st.nothing())


def in_the_plane(low, high):
    """N complex numbers of a modulus between two bounds, off the cut."""
    angle = reals(-3.1, 3.1)
    return st.tuples(reals(low, high), angle).map(lambda p: p[0] * np.exp(1j * p[1]))


def slope(f, *fixed):
    """d/dz of f(*fixed, z), elementwise."""
    return lambda z: jax.jvp(lambda z: f(*fixed, z), (z,), (jnp.ones_like(z),))[1]


def along(f, i):
    """The derivative of f in argument i (along the real axis), elementwise."""

    def derivative(*at):
        def of_one(x):
            return f(*at[:i], x, *at[i + 1 :])

        return jax.jvp(of_one, (at[i],), (jnp.ones_like(at[i]),))[1]

    return derivative


def mixed(f, orders):
    """The mixed derivative of these orders in the arguments."""
    for i, order in enumerate(orders):
        for _ in range(order):
            f = along(f, i)
    return f


def curvature(f, *fixed):
    """d2/dz2 of f(*fixed, z), elementwise."""
    return slope(slope(f, *fixed))


@functools.cache
def compiled(identity):
    return jax.jit(lambda *at: jnp.stack([t + 0j for t in identity(*at)]))


def assert_zero_sum(identity, *at, tolerance=TOLERANCE):
    """The terms cancel, up to rounding of the largest; terms out of range do not count."""
    terms = np.asarray(compiled(identity)(*at))
    scale = np.max(np.abs(terms), axis=0)
    inside = np.isfinite(scale) & (scale > 1e-290) & (scale < 1e290)
    residual = np.where(inside, np.abs(terms.sum(axis=0)), 0)
    allowed = tolerance * np.where(inside, scale, 1)
    for i in np.flatnonzero(residual > allowed):
        raise AssertionError(f"at {[x[i] for x in at]}: {terms[:, i]} add up to {residual[i]}")
