"""Long arrays: what is computed by blocks, or where it is wanted, is as of short ones."""

import re

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from processes import FOUR_DEVICES, outcome

import jaxsci
from jaxsci import special
from jaxsci.special._numerics.blocks import by_blocks
from jaxsci.special._numerics.bracketed_root import increasing_root
from jaxsci.special._numerics.few import where_wanted

N = 10_007
RNG = np.random.default_rng(5)


def counted(x, n):
    """n times x by as many additions."""
    _, total = jax.lax.while_loop(
        lambda state: jnp.any(state[0] < n),
        lambda state: (state[0] + 1, state[1] + jnp.where(state[0] < n, x, 0.0)),
        (0.0, jnp.zeros_like(x)),
    )
    return total


@pytest.mark.parametrize("odd", [(), (np.nan, np.inf, -np.inf, -5.0)], ids=["finite", "any"])
def test_each_element_keeps_its_place(odd):
    x, n = RNG.uniform(1, 2, N), RNG.integers(0, 30, N).astype(float)
    steps = n.copy()
    steps[: len(odd)] = odd  # nothing but the order depends on them
    x, n = x.reshape(1, N), n.reshape(1, N)
    for order in (None, jnp.asarray(steps)):
        result = jax.jit(lambda x, n, order=order: by_blocks(counted, x, n, steps=order))(x, n)
        np.testing.assert_allclose(result, n * x, rtol=1e-14)


def test_several_results_and_their_derivatives():
    x, n = RNG.uniform(1, 2, N), RNG.integers(0, 9, N).astype(float)

    def function(x):
        numbers = jnp.asarray(n)
        pair = by_blocks(lambda x, n: (x * x * n, x - n), x, numbers, steps=numbers)
        return pair[0], pair[1]

    values, slopes = jax.jit(lambda x: jax.jvp(function, (x,), (jnp.ones_like(x),)))(x)
    for found, truth in zip(
        (*values, *slopes), (x * x * n, x - n, 2 * x * n, 1 + 0 * x), strict=True
    ):
        np.testing.assert_allclose(found, truth, rtol=1e-15)


def test_what_is_wanted_in_order_of_steps():
    x, n = RNG.uniform(1, 2, N), RNG.integers(0, 30, N).astype(float)
    wanted = RNG.random(N) < 0.1

    def of_some(some, x, n, steps):
        return where_wanted(some, lambda x, n: (counted(x, n),), (x, n), (-x,), 100, steps)

    unknown = np.where(RNG.random(N) < 0.1, np.nan, n)
    for some in (wanted, np.zeros(N, bool), np.ones(N, bool)):
        (found,) = jax.jit(of_some)(some, x, n, unknown)
        np.testing.assert_allclose(found, np.where(some, n * x, -x), rtol=1e-14)


@pytest.mark.parametrize("guess", [None, 0.5, 1e5, -1.0], ids=str)
def test_roots_of_long_vectors(guess):
    root = 10 ** RNG.uniform(-30, 30, N)
    root[:3] = 1.0, 2e-280, 4.0
    ends = jnp.full(N, 1e-308), jnp.full(N, 1e300)
    at = None if guess is None else jnp.full(N, guess)

    def off(x, r):
        t = jnp.log(x / r)
        return t + t**3 / 4

    @jax.jit
    def found(root):
        return increasing_root(off, *ends, (root,), at)

    np.testing.assert_allclose(found(root), root, rtol=1e-13)


LONG = {
    "hyp1f1": ((-8, 15), (0.2, 15), (-30, 30)),
    "hyp2f1": ((-4, 4), (-4, 4), (0.2, 8), (-3, 0.999)),
    "eval_legendre": ((-3, 40), (-0.99, 2)),
    "eval_jacobi": ((0, 30), (0.5, 4), (0.5, 4), (-0.9, 2)),
    "eval_genlaguerre": ((0, 30), (-0.5, 4), (0.1, 30)),
    "chdtriv": ((0.01, 0.99), (0.1, 40)),
    "btdtria": ((0.01, 0.99), (0.2, 20), (0.05, 0.95)),
}


@pytest.mark.parametrize("name", LONG)
def test_kernels_of_long_arrays(name):
    function = getattr(special, name)
    xs = [RNG.uniform(low, high, N) for low, high in LONG[name]]
    with jaxsci.use_backend("device"):
        together = jax.jit(lambda *xs: function(*xs))(*xs)
        few = RNG.choice(N, 200, replace=False)
        alone = jax.jit(lambda *xs: function(*xs))(*(x[few] for x in xs))
    # Compilers contract other operations in other programs.
    np.testing.assert_allclose(together[few], alone, rtol=1e-13)
    assert np.mean(np.isnan(together)) < 0.01


@pytest.mark.parametrize("name", ["hyp2f1", "eval_legendre", "chdtriv"])
def test_accelerators_take_more_at_once(name):
    xs = [jax.ShapeDtypeStruct((1_000_000,), jnp.float64) for _ in LONG[name]]

    def sizes(platform):
        function = getattr(special, name)
        with jaxsci.use_backend("device"):
            program = jax.jit(lambda *xs: function(*xs)).trace(*xs)
            text = program.lower(lowering_platforms=(platform,)).as_text()
        return {int(size) for size in re.findall(r"tensor<(\d{3,})x", text)}

    assert min(sizes("cuda")) > 40_000
    assert min(sizes("cpu")) <= 125_000


@pytest.mark.rotating(0.25)
def test_devices_do_not_wait_for_each_other():
    done = outcome("special/sharded_blocks.py", environment=FOUR_DEVICES)
    assert done.stdout.split() == ["hyp2f1", "eval_legendre", "chdtriv"]
