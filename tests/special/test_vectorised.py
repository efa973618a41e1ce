"""Logarithm, sine and cosine in arithmetic: their digits, special values and derivatives."""

import jax
import jax.numpy as jnp
import mpmath as mp
import numpy as np

from jaxsci.special._numerics.vectorised import (
    cube_root,
    log,
    remainder,
    sine_and_cosine,
    sine_and_cosine_of_small,
)

EPS = 2.0**-52
RNG = np.random.default_rng(31)
TINY = np.array([5e-324, 3e-320, 1e-310, 2.2250738585072014e-308])


def errors(found, truth):
    """In units of EPS times the truth."""
    return max(float(abs(mp.mpf(a) - b) / abs(b)) / EPS for a, b in zip(found, truth, strict=True))


def test_logarithm():
    x = np.concatenate(
        [
            RNG.uniform(0.5, 2, 500),
            10 ** RNG.uniform(-308, 308, 300),
            1 + RNG.choice([-1, 1], 200) * 10 ** RNG.uniform(-15.5, -1, 200),
            np.nextafter(2.0 ** RNG.integers(-1000, 1000, 50), 0),
            TINY,
        ]
    )
    with mp.workdps(40):
        truth = [mp.log(mp.mpf(t)) for t in x.tolist()]
        assert errors(np.asarray(jax.jit(log)(x)).tolist(), truth) < 0.7
    special = np.array([0.0, -0.0, 1.0, np.inf, -1.0, -np.inf, np.nan, -5e-324])
    with np.errstate(divide="ignore", invalid="ignore"):
        truth = np.log(special)
    np.testing.assert_array_equal(jax.jit(log)(special), truth)


def test_cube_root():
    x = np.concatenate([10 ** RNG.uniform(-307, 308, 500), RNG.uniform(0.1, 10, 500)])
    with mp.workdps(40):
        truth = [mp.cbrt(mp.mpf(t)) for t in x.tolist()]
        assert errors(np.asarray(jax.jit(cube_root)(x)).tolist(), truth) < 1
    np.testing.assert_array_equal(cube_root(jnp.array([0.0, 8.0])), [0.0, 2.0])


def test_sine_and_cosine():
    x = np.concatenate(
        [
            RNG.uniform(-10, 10, 400),
            RNG.choice([-1, 1], 300) * 10 ** RNG.uniform(-300, 300, 300),
            np.arange(1, 300) * (np.pi / 2),
            RNG.uniform(-1e6, 1e6, 200),
        ]
    )
    with mp.workdps(700):
        truths = [[f(mp.mpf(t)) for t in x.tolist()] for f in (mp.sin, mp.cos)]
        small = np.abs(x) < 2**20
        for found, truth in zip(jax.jit(sine_and_cosine)(x), truths, strict=True):
            # Of angles that are larger, an angle is reduced that is rounded.
            assert errors(np.asarray(found)[small].tolist(), np.array(truth)[small]) < 0.8
            off = [abs(mp.mpf(a) - b) for a, b in zip(found.tolist(), truth, strict=True)]
            assert max(map(float, off)) < 3 * EPS
    alike = jax.jit(sine_and_cosine_of_small)(x[small])
    for found, other in zip(alike, jax.jit(sine_and_cosine)(x[small]), strict=True):
        np.testing.assert_array_equal(found, other)
    sine, cosine = sine_and_cosine(jnp.array([0.0, -0.0, jnp.inf, jnp.nan]))
    np.testing.assert_array_equal(sine, [0.0, 0.0, np.nan, np.nan])
    np.testing.assert_array_equal(jnp.signbit(sine[:2]), [False, True])
    np.testing.assert_array_equal(cosine, [1.0, 1.0, np.nan, np.nan])


def test_derivatives():
    """Bits have none: those of the functions are said."""
    x = RNG.uniform(0.1, 50, 20)
    np.testing.assert_allclose(jax.vmap(jax.grad(log))(x), 1 / x, rtol=1e-15)
    np.testing.assert_allclose(jax.vmap(jax.grad(jax.grad(log)))(x), -(x**-2), rtol=1e-15)
    for i, slope in enumerate((np.cos, lambda x: -np.sin(x))):
        found = jax.vmap(jax.grad(lambda t, i=i: sine_and_cosine(t)[i]))(x)
        np.testing.assert_allclose(found, slope(x), rtol=1e-13)


def test_single_precision_is_left_to_xla():
    x = jnp.asarray(RNG.uniform(0.1, 50, 20), jnp.float32)
    np.testing.assert_array_equal(log(x), jnp.log(x))
    np.testing.assert_array_equal(sine_and_cosine(x)[0], jnp.sin(x))


def test_remainders():
    x = np.concatenate(
        [RNG.uniform(-20, 20, 50), RNG.integers(-9, 9, 50), 2.0 ** np.arange(50, 70)]
    )
    for power in (2, 4):
        np.testing.assert_array_equal(remainder(jnp.asarray(x), power), np.mod(x, power))
    assert np.isnan(remainder(jnp.asarray(np.inf), 2))
