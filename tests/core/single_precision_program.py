"""Checks with 64-bit types off; prints {check: traceback} of those that fail, as JSON.

Run in a process of its own.
"""

import warnings

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import scipy.special
from checks import run_checks

from jaxsci import differentiable_root, host_function
from jaxsci.special import hankel1, ive, jv, kv

X = np.linspace(0.3, 9.7, 41)


def equal(found, expected):
    """The exact double result, rounded once."""
    found = np.asarray(found)
    expected = np.asarray(expected).astype(found.dtype)
    assert found.tobytes() == expected.tobytes(), (found, expected)


def check_results_are_float32_and_rounded_once():
    x = X.astype(np.float32)
    wide = x.astype(np.float64)
    for f, reference in ((jv, scipy.special.jv), (kv, scipy.special.kv), (ive, scipy.special.ive)):
        for v in (0, 1.5, np.int32(2), np.float32(0.1)):
            result = f(v, x)
            assert result.dtype == np.float32
            equal(result, reference(np.float64(np.float32(v)), wide))
            equal(jax.jit(f)(v, x), reference(np.float64(np.float32(v)), wide))
    result = hankel1(1, x)
    assert result.dtype == np.complex64
    equal(result, scipy.special.hankel1(1, wide))
    z = (X + 1j).astype(np.complex64)
    equal(jv(1, z), scipy.special.jv(1, z.astype(np.complex128)))


def check_half_precision_stays_half():
    for dtype in (np.float16, jnp.bfloat16):
        x = X.astype(dtype)
        result = jv(1, x)
        assert result.dtype == dtype
        equal(result, np.asarray(jv(1, x)))
        exact = scipy.special.jv(1, x.astype(np.float64))
        spacing = np.spacing(np.abs(exact).astype(dtype)).astype(np.float64)
        assert np.all(np.abs(np.asarray(result, np.float64) - exact) <= spacing / 2 * (1 + 1e-12))


def check_dtypes_and_weak_types():
    assert jv(1, 2).dtype == np.float32
    plus = host_function(lambda x, y: x + y, "(),()->()")
    assert plus(1.0, 2).weak_type
    assert plus(1.0, 2).dtype == np.float32
    assert not plus(1.0, np.float32(2.0)).weak_type
    assert jv(1.0, np.float64(2.0)).dtype == np.float32
    assert host_function(np.sin, dtype=float)(1.0).dtype == np.float32
    assert host_function(np.frexp, dtype=(float, int))(1.0)[1].dtype == np.int32


def check_derivatives_are_computed_in_double():
    x = np.linspace(1.8, 1.9, 50, dtype=np.float32)  # J_1' has a zero at 1.8412
    wide = x.astype(np.float64)
    first = jax.vmap(jax.grad(jv, 1), (None, 0))
    second = jax.vmap(jax.grad(jax.grad(jv, 1), 1), (None, 0))
    for f, order in ((first, 1), (second, 2)):
        found = np.asarray(jax.jit(f)(1, x), np.float64)
        exact = scipy.special.jvp(1, wide, order)
        assert np.all(
            np.abs(found - exact) <= np.spacing(np.abs(exact).astype(np.float32)) * 0.5001
        )


def check_second_derivatives_inside_scan():
    def run(z):
        return jax.lax.scan(lambda c, _: (jv(1, c) + c, None), z, length=2)[0]

    found = jax.jit(jax.grad(jax.grad(run)))(1.5)
    assert found.dtype == np.float32

    def slopes(z):
        return scipy.special.jvp(1, z), scipy.special.jvp(1, z, 2)

    (a, aa), (b, bb) = slopes(1.5), slopes(1.5 + scipy.special.jv(1, 1.5))
    np.testing.assert_allclose(found, bb * (1 + a) ** 2 + (b + 1) * aa, rtol=1e-6)


def check_roots():
    def root(a):
        return differentiable_root(lambda u, a: u**3 - a, (0.0, 10.0), a)

    for order, f in enumerate((root, jax.grad(root), jax.grad(jax.grad(root)))):
        value = f(np.float32(2))
        assert value.dtype == np.float32
        exact = [1, 1 / 3, -2 / 9][order] * 2.0 ** (1 / 3 - order)
        np.testing.assert_allclose(value, exact, rtol=1e-6)


def check_double_results_are_refused():
    for f in (
        host_function(lambda x: x, "()->()", dtype=np.float64, name="wide"),
        host_function(lambda x: x, result_shape_dtypes=np.zeros(()), name="wide"),
    ):
        with pytest.raises(ValueError, match="wide: float64 results need 64-bit types"):
            f(1.0)


def check_double_inside_a_context():
    """JAX narrows what callbacks return by the setting of the thread that they run on."""
    twice = host_function(lambda n: n * 2, "()->()", dtype=np.int64)
    with jax.enable_x64(True):
        equal(jv(1, X), scipy.special.jv(1, X))
        equal(jax.jit(jv)(1, X + 1j), scipy.special.jv(1, X + 1j))
        assert twice(np.int64(2**40)) == 2**41
        for effects in ("unordered", "ordered"):
            f = host_function(scipy.special.j0, effects=effects)
            equal(jax.jit(f)(X), scipy.special.j0(X))
    assert jv(1, X).dtype == np.float32


def check_effects_and_pytrees():
    f = host_function(
        lambda d: {"y": d["x"] + 1}, result_shape_dtypes=lambda d: {"y": d["x"]}, effects="ordered"
    )
    assert jax.jit(f)({"x": np.float32(1)})["y"] == 2.0


def check_reverse_rules():
    f = host_function(np.sin, "()->()").vjp(lambda y, x, c: (c * jnp.cos(x[0]),))
    assert jax.grad(f)(0.5).dtype == np.float32


def main():
    warnings.simplefilter("error")
    run_checks(globals())


if __name__ == "__main__":
    main()
