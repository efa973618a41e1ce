"""The traps of host callbacks in JAX, one section each: what goes wrong, and that it does not here.

Where it is cheap, a test shows the failure of the naive recipe too, so that the record stays true.
"""

import contextlib
import itertools
import json
from pathlib import Path

import jax
import jax.numpy as jnp
import mpmath
import numpy as np
import pytest
import scipy.special
from processes import FOUR_DEVICES, TESTS, outcome
from rotation import one_by_the_draw

from jaxsci import differentiable_root, host_function, use_backend
from jaxsci._core.dispatch import BACKENDS
from jaxsci._core.lowering import host_thread
from jaxsci._core.signature import parse_signature
from jaxsci.callback import HostFunction, closed, missing
from jaxsci.special import iv, ive, jv, jve, kv, kve, yve

pytestmark = pytest.mark.smoke


@jax.custom_jvp
def naive_jv(v, z):
    """J_v(z) by the usual recipe: jax.custom_jvp around jax.pure_callback."""
    v, z = jnp.asarray(v), jnp.asarray(z)
    result = jax.ShapeDtypeStruct(jnp.broadcast_shapes(v.shape, z.shape), z.dtype)
    return jax.pure_callback(
        lambda v, z: scipy.special.jv(v, z), result, v, z, vmap_method="broadcast_all"
    )


naive_jv.defjvps(None, lambda dz, y, v, z: (naive_jv(v - 1, z) - naive_jv(v + 1, z)) / 2 * dz)


def nth_grad(f, n):
    for _ in range(n):
        f = jax.grad(f)
    return f


def iterated(f, loop):
    """z -> f(f(z))."""
    if loop == "scan":
        return lambda z: jax.lax.scan(lambda c, _: (f(c), None), z, length=2)[0]
    if loop == "fori_loop":
        return lambda z: jax.lax.fori_loop(0, 2, lambda _, c: f(c), z)
    return lambda z: f(f(z))


def same_bits(found, expected):
    # As integers: comparing subnormal numbers may flush them as well.
    found = np.ascontiguousarray(found)
    expected = np.ascontiguousarray(expected)
    assert found.dtype == expected.dtype
    np.testing.assert_array_equal(found.view(np.uint8), expected.view(np.uint8))


def run_program(name, *arguments, **environment):
    """The checks that fail in a program that needs a process of its own, and why."""
    result = outcome(name, *arguments, environment=environment)
    checks = result.stderr.count(" ok\n") + result.stderr.count(" failed\n")
    named = [a for a in arguments if a.startswith("check_")]
    assert checks == (len(named) or Path(TESTS / name).read_text().count("\ndef check_"))
    return json.loads(result.stdout)


# -- 1. ranks under vmap ---------------------------------------------------------------------------


def test_1_ranks_are_aligned_under_vmap():
    """Without it the host sees (B,) beside (B, n), and NumPy broadcasts them wrongly."""
    z = np.linspace(1.0, 2.0, 3)
    for size in (2, 3, 4):
        v = np.arange(float(size))
        same_bits(jax.vmap(jv, (0, None))(v, z), scipy.special.jv(v[:, None], z))
        same_bits(jax.vmap(jv, (None, 0))(v, z), scipy.special.jv(v, z[:, None]))


def test_1_naive_recipe_is_silently_wrong_where_sizes_agree():
    v, z = np.arange(3.0), np.linspace(1.0, 2.0, 3)
    wrong = jax.vmap(naive_jv, (0, None))(v, z)
    np.testing.assert_array_equal(wrong, np.broadcast_to(scipy.special.jv(v, z), (3, 3)))
    assert np.max(np.abs(wrong - scipy.special.jv(v[:, None], z))) > 0.5


# -- 2. rules inside control flow ------------------------------------------------------------------


@jax.custom_jvp
def by_a_rule(z):
    """exp(z), known as its own derivative by the rule alone."""
    return jax.lax.stop_gradient(jnp.exp(z))


by_a_rule.defjvps(lambda dz, y, z: by_a_rule(z) * dz)


def jax_keeps_rules(loop):
    """Whether rules of jax.custom_jvp survive in differentiated loops: from JAX 0.12 on they do."""
    return bool(nth_grad(iterated(by_a_rule, loop), 2)(0.0))


@pytest.mark.parametrize("loop", ["scan", "fori_loop"])
@pytest.mark.parametrize("order", [1, 2, 3])
def test_2_rules_survive_in_loops(loop, order):
    """They travel with a primitive, in every version of JAX."""

    def f(z):
        return jv(1.0, z)

    found = jax.jit(nth_grad(iterated(f, loop), order))(2.0)
    exact = mpmath.diff(lambda z: mpmath.besselj(1, mpmath.besselj(1, z)), 2, order)
    np.testing.assert_allclose(found, float(exact), rtol=1e-12)


@pytest.mark.parametrize("loop", ["scan", "fori_loop"])
def test_2_naive_recipe_loses_its_rule_in_loops_where_jax_does(loop):
    def f(z):
        return naive_jv(1.0, z)

    np.testing.assert_allclose(nth_grad(f, 2)(2.0), scipy.special.jvp(1, 2.0, 2), rtol=1e-12)
    assert jnp.isfinite(nth_grad(iterated(f, loop), 1)(2.0))
    if jax_keeps_rules(loop):
        exact = mpmath.diff(lambda z: mpmath.besselj(1, mpmath.besselj(1, z)), 2, 2)
        np.testing.assert_allclose(nth_grad(iterated(f, loop), 2)(2.0), float(exact), rtol=1e-12)
        return
    with pytest.raises(ValueError, match="Pure callbacks do not support JVP"):
        nth_grad(iterated(f, loop), 2)(2.0)


def test_2_no_derivative_is_an_error_not_a_zero():
    assert jax.grad(naive_jv)(1.0, 2.0) == 0.0  # dJ_v/dv is -0.056 there
    without = host_function(scipy.special.jv, "(),()->()").partials(
        missing("not known"), lambda y, v, z: (jv(v - 1, z) - jv(v + 1, z)) / 2
    )
    with pytest.raises(NotImplementedError, match="jv: the derivative with respect to '0' is not"):
        jax.grad(without)(1.0, 2.0)
    np.testing.assert_allclose(jax.grad(jv)(1.0, 2.0), -0.0561807607418131, rtol=1e-12)


def test_2_no_rule_is_asked_for_where_nothing_is_perturbed():
    """Rules see symbolic zeros: with materialised ones, a rule that raises would always raise."""
    f = host_function(lambda x, y: x * y, "(),()->()").partials(
        lambda out, x, y: y, missing("a rule that raises")
    )
    wrapped = (f, jax.jit(f), jax.checkpoint(f), lambda x, y: jax.vmap(f, (0, None))(x[None], y)[0])
    assert [float(jax.grad(g)(jnp.array(2.0), 3.0)) for g in wrapped] == [3.0] * 4


# -- 3. subnormal numbers --------------------------------------------------------------------------

TINY = np.array([5e-324, 1e-310, -2.5e-312, 2.3e-308, -0.0])


@contextlib.contextmanager
def server_thread(monkeypatch):
    """As where the C library's floating-point environment cannot be reached."""
    with monkeypatch.context() as patch:
        patch.setattr(host_thread, "_calls", None)
        patch.setattr(host_thread, "_server", host_thread._ServerThread())
        yield


@pytest.fixture(params=[*BACKENDS, "server thread"])
def every_way(request, monkeypatch):
    """All ways in which a host function can be run."""
    if request.param in BACKENDS:
        with use_backend(request.param):
            yield
    else:
        with server_thread(monkeypatch), use_backend("callback"):
            yield


@pytest.mark.usefixtures("every_way")
def test_3_subnormal_numbers_survive():
    """XLA's threads flush them to zero, and a callback inherits that."""
    half = host_function(lambda x: x * 0.5, "()->()", batched=True)
    same_bits(half(TINY), TINY * 0.5)
    same_bits(jax.jit(half)(TINY), TINY * 0.5)
    same_bits(jax.jit(jax.vmap(half))(TINY), TINY * 0.5)


@pytest.mark.usefixtures("every_way")
@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("ellipeinc", (1e-149, -1e305)),  # the 15th digit: a subnormal inside
        ("jv", (1.0, TINY)),
        ("expm1", (TINY,)),
        ("gammainc", (1.5, TINY)),
        ("kv", (3.0, 720.0)),  # a subnormal result
    ],
)
def test_3_values_are_scipys_to_the_last_bit(name, arguments):
    ufunc = getattr(scipy.special, name)
    same_bits(jax.jit(host_function(ufunc))(*arguments), ufunc(*arguments))


def test_3_float32_subnormals_are_widened_on_the_host():
    x = np.array([1e-40, -3e-45, 1e-38], np.float32)
    seen = []
    host_function(lambda x: seen.append(x) or x, "(n)->(n)", double=True)(x)
    same_bits(seen[0], x.astype(np.float64))


def test_3_other_effects_see_them_too():
    for effects in ("unordered", "ordered"):
        f = host_function(lambda x: x * 0.5, "()->()", batched=True, effects=effects)
        same_bits(jax.jit(f)(TINY), TINY * 0.5)


def test_3_naive_recipe_flushes_them():
    result = jax.ShapeDtypeStruct((), np.float64)
    f = jax.jit(lambda x: jax.pure_callback(lambda x: np.asarray(x) * 1e-10, result, x))
    assert np.asarray(f(1e-300)).view(np.int64) == 0


def test_3_the_environment_is_given_back():
    """XLA's own code goes on as it was: what it flushed before a call, it flushes after."""
    around = []

    def note(x):
        around.append(host_thread.keeps_subnormals())
        host_thread.run_in_default_environment(
            lambda: around.append(host_thread.keeps_subnormals())
        )
        around.append(host_thread.keeps_subnormals())
        return np.asarray(x)

    result = jax.ShapeDtypeStruct((), np.float64)
    jax.jit(lambda x: jax.pure_callback(note, result, x))(1.0).block_until_ready()
    assert around == [False, True, False]


def test_3_exceptions_cross_the_server_thread(monkeypatch):
    def fail(x):
        raise KeyError("lost")

    with server_thread(monkeypatch):
        f = host_function(fail, "()->()", name="finder")
        with pytest.raises(jax.errors.JaxRuntimeError, match="'finder' raised KeyError: 'lost'"):
            f(1.0)


# -- 4. exceptions ---------------------------------------------------------------------------------


def make_row(fn, signature, **options):
    """A host function as the catalog makes them: documented failures give NaN."""
    return HostFunction(
        fn,
        name="row",
        signature=parse_signature(signature),
        argument_names=["a"],
        result_shape_dtypes=None,
        dtype=None,
        batched=False,
        double=True,
        sizes={},
        static_argnames=(),
        effects="none",
        vmap_method=None,
        sharding=None,
        quiet=True,
        **options,
    )


def test_4_documented_failures_of_rows_are_nan_slice_by_slice():
    """An exception inside a callback is undefined behaviour by JAX's contract."""
    inverse = make_row(np.linalg.inv, "(n,n)->(n,n)", failures=(np.linalg.LinAlgError,))
    found = np.asarray(inverse(np.stack([np.eye(2), np.zeros((2, 2))])))
    np.testing.assert_array_equal(found[0], np.eye(2))
    assert np.isnan(found[1]).all()


def test_4_other_exceptions_are_not_swallowed():
    inverse = make_row(lambda a: 1 / 0, "(n,n)->(n,n)", failures=(np.linalg.LinAlgError,))
    with pytest.raises(jax.errors.JaxRuntimeError, match="'row' raised ZeroDivisionError"):
        inverse(np.eye(2))


@pytest.mark.usefixtures("every_way")
@pytest.mark.parametrize("action", ["raise", "warn"])
def test_4_scipys_error_state_does_not_reach_the_loops(action):
    """With "raise" they would leave an exception pending in the middle of compiled code."""
    with scipy.special.errstate(all=action), np.errstate(all=action):
        assert jnp.isinf(kv(1.0, 0.0))
        assert jnp.isinf(jax.jit(host_function(scipy.special.gamma))(0.0))
        assert jnp.isnan(host_function(scipy.special.jv)(jnp.nan, 1.0))
        assert set(scipy.special.geterr().values()) == {action}
        assert np.geterr()["divide"] == action


# -- 5. no JAX inside a callback -------------------------------------------------------------------


@pytest.mark.parametrize("effects", ["none", "unordered", "ordered", "debug"])
def test_5_host_functions_see_numpy_arrays(effects):
    """jax.pure_callback hands over JAX arrays, by a transfer that can wait for itself.

    That deadlock, of several large callbacks in one program, is among the checks on four devices.
    """
    seen = []
    result = None if effects == "debug" else jax.ShapeDtypeStruct((3,), np.float64)
    f = host_function(
        lambda x: seen.append(type(x)) or x, result_shape_dtypes=result, effects=effects
    )
    jax.block_until_ready(jax.jit(f)(np.ones(3)))
    jax.effects_barrier()
    assert seen == [np.ndarray]


def test_5_naive_recipe_hands_over_jax_arrays():
    seen = []
    result = jax.ShapeDtypeStruct((3,), np.float64)
    f = jax.jit(lambda x: jax.pure_callback(lambda x: seen.append(x) or np.asarray(x), result, x))
    jax.block_until_ready(f(np.ones(3)))
    assert isinstance(seen[0], jax.Array)


# -- 6. sharded arrays -----------------------------------------------------------------------------


@pytest.mark.parametrize("backend", one_by_the_draw(BACKENDS, "backend of sharded arrays", 1))
def test_6_sharded_arrays_on_four_devices(backend):
    """Gathered and right on automatic axes, sharded on explicit ones and in shard_map; no hang.

    Among the checks: without casting arguments to vary together, the gradient in a replicated
    argument is one shard's share; without sending bits, -0.0 and subnormals arrive as 0.0; without
    a constraint on the result, all devices but one have zeros.
    """
    assert run_program("core/sharded_program.py", backend, **FOUR_DEVICES) == {}


def test_6_gradient_in_a_replicated_argument_of_shard_map():
    name = "check_shard_map_gradient_in_a_replicated_argument"
    assert run_program("core/sharded_program.py", BACKENDS[0], name, **FOUR_DEVICES) == {}


# -- 7. one callable, one callback -----------------------------------------------------------------


def make_counting_jv():
    calls = []

    def host(v, z):
        calls.append(float(v))
        return scipy.special.jv(v, z)

    f = host_function(host, "(),()->()", name="jv")
    f.partials(missing("not needed"), lambda y, v, z: (f(v - 1, z) - f(v + 1, z)) / 2)
    return f, calls


@pytest.mark.parametrize("order", [1, 2, 3, 4, 5])
def test_7_repeated_calls_are_merged(order):
    """The k-th derivative by the recurrence needs k + 1 values; unmerged, it takes 2**k calls."""
    f, calls = make_counting_jv()
    found = jax.jit(nth_grad(lambda z: f(1.5, z), order))(2.0)
    np.testing.assert_allclose(found, scipy.special.jvp(1.5, 2.0, order), rtol=1e-12)
    assert sorted(calls) == [1.5 - order + 2 * i for i in range(order + 1)]


def test_7_naive_recipe_with_a_callable_of_its_own_for_every_call():
    count = itertools.count()

    def fresh(v, z):
        result = jax.ShapeDtypeStruct((), np.float64)
        return jax.pure_callback(
            lambda v, z: next(count) * 0 + scipy.special.jv(v, z), result, v, z
        )

    def second(v, z):
        def first(v):
            return (fresh(v - 1, z) - fresh(v + 1, z)) / 2

        return (first(v - 1) - first(v + 1)) / 2

    jax.block_until_ready(jax.jit(second)(1.5, 2.0))
    assert next(count) == 4  # where three values are needed


# -- 8. dtypes -------------------------------------------------------------------------------------


@pytest.mark.usefixtures("every_way")
@pytest.mark.parametrize("dtype", [np.float32, np.float16, jnp.bfloat16])
@pytest.mark.parametrize(
    ("name", "rest"), [("betainc", (2.5, 3.5)), ("gammainc", (2.5,)), ("ndtri", ()), ("j0", ())]
)
def test_8_low_precision_is_computed_in_double_and_rounded_once(dtype, name, rest):
    """SciPy's float32 loops lose digits, and NumPy's cast to bfloat16 rounds twice."""
    ufunc = getattr(scipy.special, name)
    x = np.linspace(0.01, 0.99, 97).astype(dtype)
    found = host_function(ufunc)(*(np.asarray(r, dtype) for r in rest), x)
    assert found.dtype == dtype
    exact = ufunc(*rest, x.astype(np.float64))
    spacing = np.spacing(np.abs(exact).astype(dtype)).astype(np.float64)
    error = np.abs(np.asarray(found).astype(np.float64) - exact)
    assert np.all(error <= spacing / 2)


def test_8_scipys_own_float32_loops_lose_digits():
    x = np.linspace(0.01, 0.99, 97, dtype=np.float32)
    exact = scipy.special.betainc(2.5, 3.5, x.astype(np.float64))
    single = scipy.special.betainc(np.float32(2.5), np.float32(3.5), x)
    ulps = np.abs(single - exact) / np.spacing(exact.astype(np.float32))
    assert np.median(ulps) > 1  # where one rounding costs half of one at most


@pytest.mark.rotating(0.5)
def test_8_without_64_bit_types():
    assert run_program("core/single_precision_program.py", JAX_ENABLE_X64="0") == {}


# -- 9. functions that are not holomorphic ---------------------------------------------------------

SCALED = {
    "jve": (jve, lambda v, z: mpmath.besselj(v, z) * mpmath.exp(-abs(z.imag))),
    "yve": (yve, lambda v, z: mpmath.bessely(v, z) * mpmath.exp(-abs(z.imag))),
    "ive": (ive, lambda v, z: mpmath.besseli(v, z) * mpmath.exp(-abs(z.real))),
}


@pytest.mark.rotating(0.4)
@pytest.mark.parametrize("name", SCALED)
@pytest.mark.parametrize("z", [1.5 + 0.7j, -1.5 + 0.7j, 0.6 - 2.1j, -0.4 - 0.3j])
def test_9_scaled_functions_of_complex_arguments(name, z):
    """Each scale factor holds |Re z| or |Im z|: one complex derivative can't be right both ways."""
    f, exact = SCALED[name]
    along = {}
    for direction in (1.0, 1j):
        found = jax.jvp(lambda z: f(1.5, z), (z,), (jnp.asarray(direction + 0j),))[1]
        along[direction] = complex(
            mpmath.diff(lambda t, d=direction: exact(1.5, mpmath.mpc(z) + d * t), 0)
        )
        np.testing.assert_allclose(found, along[direction], rtol=1e-11)
    # The gradient of a real loss, by JAX's convention d/dx - i d/dy.
    value = complex(exact(1.5, mpmath.mpc(z)))
    by_x, by_y = (2 * (np.conj(value) * along[d]).real for d in (1.0, 1j))
    loss = jax.grad(lambda z: jnp.abs(f(1.5, z)) ** 2)(z)
    np.testing.assert_allclose(loss, by_x - 1j * by_y, rtol=1e-10)


def test_9_a_complex_linear_rule_is_wrong_along_one_axis():
    def rule(y, v, z):
        scale = jnp.exp(-jnp.abs(z.imag))
        return (jv(v - 1, z) - jv(v + 1, z)) / 2 * scale

    naive = host_function(scipy.special.jve).partials(missing(""), closed("", rule))
    z = 1.5 + 0.7j
    for direction, right in ((1.0, True), (1j, False)):
        tangents = [
            jax.jvp(lambda z, f=f: f(1.5, z), (z,), (jnp.asarray(direction + 0j),))[1]
            for f in (naive, jve)
        ]
        assert np.isclose(*tangents, rtol=1e-10) == right


# -- 10. removable singularities -------------------------------------------------------------------


def taylor(function, order):
    """A derivative at 0, from the power series."""
    return float(mpmath.taylor(function, 0, order)[order] * mpmath.factorial(order))


@pytest.mark.rotating(1)
@pytest.mark.parametrize(("f", "exact"), [(jv, mpmath.besselj), (iv, mpmath.besseli)])
@pytest.mark.parametrize("v", [0, 1, 2, -1, -3])
@pytest.mark.parametrize("order", [1, 2, 3])
def test_10_derivatives_at_zero_are_finite(f, exact, v, order):
    """v/z J_v - J_{v+1} is 0/0 there, and NaN."""
    with jax.debug_nans(True):
        found = jax.jit(nth_grad(lambda z: f(float(v), z), order))(0.0)
    np.testing.assert_allclose(found, taylor(lambda z: exact(v, z), order), atol=1e-15)


def test_10_a_naive_rule_is_nan():
    naive = host_function(scipy.special.jv, name="jv")
    naive.partials(missing(""), lambda y, v, z: v / z * y - jv(v + 1, z))
    assert jnp.isnan(jax.grad(naive, 1)(1.0, 0.0))
    assert jax.grad(jv, 1)(1.0, 0.0) == 0.5


def test_10_scaled_functions_neither_overflow_nor_lose_digits():
    exact = mpmath.diff(lambda z: mpmath.exp(z) * mpmath.besselk(2, z), mpmath.mpf(10) ** 6)
    np.testing.assert_allclose(jax.grad(kve, 1)(2.0, 1e6), float(exact), rtol=1e-13)


# -- 11. roots inside scan -------------------------------------------------------------------------


def bisect(f, bracket):
    def halve(_, b):
        middle = (b[0] + b[1]) / 2
        low = f(middle) < 0
        return jnp.where(low, middle, b[0]), jnp.where(low, b[1], middle)

    return jax.lax.fori_loop(0, 60, halve, bracket)[0]


def by_custom_root(a):
    return jax.lax.custom_root(
        lambda u: u**3 - a, 1.0, lambda f, _: bisect(f, (0.0, 10.0)), lambda g, y: y / g(1.0)
    )


@jax.custom_jvp
def by_custom_jvp(a):
    return bisect(lambda u: u**3 - a, (0.0, 10.0))


@by_custom_jvp.defjvp
def _by_custom_jvp_rule(primals, tangents):
    u = by_custom_jvp(*primals)
    return u, tangents[0] / (3 * u**2)


def by_jaxsci(a):
    return differentiable_root(lambda u, a: u**3 - a, (0.0, 10.0), a, solver=bisect)


def once(f, loop):
    if loop == "scan":
        return lambda a: jax.lax.scan(lambda c, _: (f(c), None), a, length=1)[0]
    return lambda a: jax.lax.fori_loop(0, 1, lambda _, c: f(c), a)


SECOND = -2 / 9 * 2.0 ** (-5 / 3)


@pytest.mark.parametrize("loop", ["scan", "fori_loop"])
def test_11_second_derivatives_of_roots_in_loops(loop):
    """Where rules are lost, JAX differentiates the solver, whose derivative is no root's."""
    np.testing.assert_allclose(nth_grad(once(by_jaxsci, loop), 2)(2.0), SECOND, rtol=1e-13)


@pytest.mark.parametrize("loop", ["scan", "fori_loop"])
def test_11_custom_jvp_is_silently_wrong_where_jax_loses_rules(loop):
    np.testing.assert_allclose(nth_grad(by_custom_jvp, 2)(2.0), SECOND, rtol=1e-13)
    found = nth_grad(once(by_custom_jvp, loop), 2)(2.0)
    np.testing.assert_allclose(found, SECOND if jax_keeps_rules(loop) else 0.0, rtol=1e-13)


@pytest.mark.parametrize("loop", ["scan", "fori_loop"])
def test_11_custom_root_is_right_or_silently_zero(loop):
    """Zero up to JAX 0.11.1; right from 0.11.2 on, which still loses the rules of custom_jvp."""
    np.testing.assert_allclose(nth_grad(by_custom_root, 2)(2.0), SECOND, rtol=1e-13)
    found = nth_grad(once(by_custom_root, loop), 2)(2.0)
    if found or jax_keeps_rules(loop):
        np.testing.assert_allclose(found, SECOND, rtol=1e-13)
