"""Large arrays on the callback backend: the same bits, whatever the threads do."""

import threading

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import scipy.special

import jaxsci
from jaxsci import special
from jaxsci._core.lowering import chunks

pytestmark = pytest.mark.rotating(0.03)

LARGE = 50_000
SHAPES = [
    ((LARGE,), ()),
    ((LARGE,), (LARGE,)),
    ((200, 300), (200, 1)),
    ((3, LARGE), (LARGE,)),
    ((LARGE, 2), (1, 2)),
    ((1, LARGE), (1, 1)),
    ((40, 1, 50), (1, 30, 1)),
    ((), ()),
    ((0,), (3, 1)),
    ((1,) * 33, ()),
]


@pytest.fixture(params=[1, 2, 5])
def workers(request, monkeypatch):
    pool = chunks.ThreadPoolExecutor(request.param)
    monkeypatch.setattr(chunks, "workers", lambda: request.param)
    monkeypatch.setattr(chunks, "_pool", lambda: pool)
    monkeypatch.setattr(chunks, "_WORTH_SHARING", 0.0)
    monkeypatch.setattr(chunks, "_CHUNK", 20e-6)
    yield request.param
    pool.shutdown()


@pytest.mark.parametrize(("first", "second"), SHAPES)
@pytest.mark.parametrize("ufunc", [scipy.special.ellipkinc, scipy.special.ellipj, np.hypot])
def test_same_bits_as_one_call(workers, ufunc, first, second):
    rng = np.random.default_rng(1)
    arrays = [rng.uniform(0.1, 0.9, first), rng.uniform(0.1, 0.9, second)]
    found, expected = chunks.evaluate(ufunc, arrays), ufunc(*arrays)
    assert isinstance(found, tuple) == isinstance(expected, tuple)
    for y, z in zip(np.atleast_2d(found), np.atleast_2d(expected), strict=True):
        np.testing.assert_array_equal(y, z)


def test_threads_of_an_interpreter_that_is_ending_do_their_work_alone(workers):
    """Programs that end while threads are at work: see `stress.py shutdown`."""
    chunks._pool().shutdown()
    z = np.linspace(1.0, 20.0, LARGE)
    np.testing.assert_array_equal(
        chunks.evaluate(scipy.special.kv, [0.3, z]), scipy.special.kv(0.3, z)
    )


def test_loops_of_python_objects_stay_in_one_thread(workers):
    seen = set()

    def square(x):
        seen.add(threading.get_ident())
        return x * x

    ufunc = np.frompyfunc(square, 1, 1)
    np.testing.assert_array_equal(chunks.evaluate(ufunc, [np.arange(LARGE)])[-1], (LARGE - 1) ** 2)
    assert seen == {threading.get_ident()}


def test_errors_of_the_loops_stay_inside(workers):
    x = jnp.tile(jnp.array([-1.0, 0.0, 1.0]), LARGE)
    with scipy.special.errstate(all="ignore"):
        expected = scipy.special.yv(0.5, np.asarray(x))
    before = scipy.special.seterr(all="raise")
    try:
        with jaxsci.use_backend("callback"):
            y = jax.jit(special.yv)(0.5, x)
    finally:
        scipy.special.seterr(**before)
    np.testing.assert_array_equal(y, expected)


def test_subnormals_survive_in_every_thread(workers):
    x = jnp.full(LARGE, 3e-310)
    with jaxsci.use_backend("callback"):
        y = jax.jit(special.erf)(x)
    np.testing.assert_array_equal(
        np.asarray(y).view(np.int64), scipy.special.erf(3e-310).view(np.int64)
    )
