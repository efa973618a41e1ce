"""A function and the derivatives that a program needs, by one callback."""

from __future__ import annotations

import itertools

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import scipy.special
from calling import bits, bound
from jax.extend.core import jaxpr_as_fun
from jax.sharding import PartitionSpec
from kinds import name_of, one_of_each_kind, points, ruled
from rotation import drawn

import jaxsci
from jaxsci import host_function
from jaxsci import special as sp
from jaxsci._core import callback_staging, dispatch
from jaxsci._core.dispatch import BACKENDS
from jaxsci._core.lowering.host_thread import keeps_subnormals
from jaxsci.callback import missing, real_linear

pytestmark = pytest.mark.rotating(0.03)

CALLBACK = "xla_ffi_python_cpu_callback"


@pytest.fixture(autouse=True)
def on_the_callback_backend():
    with jaxsci.use_backend("callback"):
        yield


def callbacks(f, *xs):
    """Callbacks in the compiled program of f, of equal ones only one."""
    text = jax.jit(f).lower(*xs).compile().as_text()
    assert text is not None
    assert text.count("custom_call_target=") == text.count(f'custom_call_target="{CALLBACK}"')
    return text.count(CALLBACK)


def derivative(f):
    return lambda x: jax.jvp(f, (x,), (jnp.ones_like(x),))[1]


def nth(f, n):
    for _ in range(n):
        f = derivative(f)
    return f


def tower(f, n):
    """The value and all derivatives up to the n-th, in one pass."""
    if n == 0:
        return lambda x: [f(x)]

    def up(x):
        lower, slopes = jax.jvp(tower(f, n - 1), (x,), (jnp.ones_like(x),))
        return [*lower, slopes[-1]]

    return up


def make_counting():
    """J_v(z) with the plain recurrence as its rule, and the record of what the host is asked."""
    seen = []

    def recording(v, z):
        seen.append((float(v), float(z)))
        return scipy.special.jv(v, z)

    f = host_function(recording, "(),()->()", name="jv")
    f.partials(missing("not needed"), lambda y, v, z: (f(v - 1, z) - f(v + 1, z)) / 2)
    return f, seen


# -- how many callbacks ----------------------------------------------------------------------------

ONE = {
    "jv": lambda x: sp.jv(2.5, x),
    "iv": lambda x: sp.iv(2.5, x),
    "kv": lambda x: sp.kv(2.5, x),
    "yv": lambda x: sp.yv(2.5, x),
    "hankel1": lambda x: sp.hankel1(2.5, x).imag,
    "j0": sp.j0,
    "spherical_jn": lambda x: sp.spherical_jn(2, x),
    "airy": lambda x: sp.airy(x)[0],
    "sici": lambda x: sp.sici(x)[0],
    "ellipj": lambda x: sp.ellipj(x, 0.3)[2],
    "hyp2f1": lambda x: sp.hyp2f1(0.5, 1.5, 2.5, x / 9),
    "user's": lambda x: make_counting()[0](2.5, x),
}


@pytest.mark.parametrize("name", ONE)
def test_value_and_derivatives_are_one_callback(name):
    f = ONE[name]
    assert callbacks(jax.value_and_grad(f), 1.5) == 1
    assert callbacks(jax.grad(f), 1.5) == 1
    assert callbacks(jax.grad(jax.grad(f)), 1.5) == 1
    assert callbacks(tower(f, 3), 1.5) == 1


def test_where_jax_lets_no_program_be_taken_apart(monkeypatch):
    """Later versions may; then there are more callbacks, and the same numbers."""
    f = ONE["kv"]
    together = jax.value_and_grad(f)(1.5)
    monkeypatch.setattr(callback_staging, "possible", lambda: False)
    jax.clear_caches()
    assert callbacks(jax.value_and_grad(f), 1.5) == 2
    np.testing.assert_allclose(jax.value_and_grad(f)(1.5), together, rtol=1e-15)
    jax.clear_caches()


def test_a_call_that_waits_for_another_is_a_callback_of_its_own():
    outer = host_function(scipy.special.cosdg, "()->()", name="outer")
    f = host_function(scipy.special.tandg, "()->()", name="f")
    f.partials(lambda y, x: outer(y))
    assert callbacks(jax.value_and_grad(f), 1.5) == 2
    value, slope = jax.value_and_grad(f)(1.5)
    np.testing.assert_allclose(slope, scipy.special.cosdg(value), rtol=1e-15)


def test_what_takes_one_call_anyway_stays_as_it_was():
    def f(x):
        return sp.gammainc(2.5, x)

    assert callbacks(jax.value_and_grad(f), 1.5) == 1
    assert callbacks(jax.grad(f), 1.5) == 0
    assert "jaxsci[call=gammainc] " in str(jax.make_jaxpr(jax.value_and_grad(f))(1.5))


def test_a_gradient_in_several_arguments_is_one_callback():
    seen = []

    def power(x, y):
        seen.append("value")
        return x**y

    def log(x):
        seen.append("log")
        return np.log(x)

    ln = host_function(log, "()->()").partials(lambda out, x: 1 / x)
    f = host_function(power, "(),()->()")
    f.partials(lambda out, x, y: y * f(x, y - 1), lambda out, x, y: out * ln(x))
    hessian = jax.jit(jax.hessian(lambda xy: f(*xy)))
    at = jnp.array([3.0, 2.5])
    a, b, log3 = 3.0, 2.5, np.log(3.0)
    cross = a ** (b - 1) * (1 + b * log3)
    expected = [[b * (b - 1) * a ** (b - 2), cross], [cross, a**b * log3**2]]
    np.testing.assert_allclose(hessian(at), expected, rtol=1e-13)
    assert sorted(seen) == ["log", "value", "value", "value"]
    assert callbacks(jax.value_and_grad(lambda xy: f(*xy)), at) == 1
    assert callbacks(jax.hessian(lambda xy: f(*xy)), at) == 1


def test_a_loop_makes_one_callback_a_step():
    counting, seen = make_counting()

    def f(x):
        return jax.lax.scan(lambda c, _: (1 + counting(0.5, c), None), x, length=3)[0]

    jax.jit(jax.value_and_grad(f))(2.0)
    assert len(seen) == 9  # a value and two neighbours a step
    assert callbacks(jax.value_and_grad(f), 2.0) == 1


def test_calls_inside_a_rules_own_loops_stay_there():
    sin = host_function(np.sin, name="sin")
    cos = host_function(np.cos, name="cos").partials(lambda y, x: -sin(x))

    def rule(y, x):
        return jax.lax.fori_loop(0, 3, lambda _, total: total + cos(x) / 3, jnp.zeros_like(x))

    sin.partials(rule)
    for order, expected in enumerate([np.sin(0.7), np.cos(0.7), -np.sin(0.7)]):
        found = jax.jit(nth(sin, order))(jnp.array([0.7, 0.7]))
        np.testing.assert_allclose(found, [expected] * 2, rtol=1e-14)


def test_a_value_by_itself_is_a_call_of_its_own():
    """A program that asks for the value apart from the derivative gets two callbacks."""
    f = ONE["kv"]
    assert callbacks(lambda x: f(x) / jax.grad(f)(x), 1.5) == 2


@pytest.mark.skipif("ffi" not in BACKENDS, reason="is of the native backend")
def test_the_native_backend_evaluates_as_it_always_did():
    with jaxsci.use_backend("ffi"):
        program = str(jax.make_jaxpr(jax.value_and_grad(ONE["kv"]))(1.5))
        text = jax.jit(jax.value_and_grad(ONE["kv"])).lower(1.5).compile().as_text()
    assert program.count("jaxsci[call=kv]") == program.count("jaxsci[call=slope]") == 1
    assert text is not None
    assert text.count('custom_call_target="jaxsci_ufunc"') == 2


@pytest.mark.skipif("ffi" not in BACKENDS, reason="is of the native backend")
def test_where_there_may_be_an_accelerator_one_call_is_asked_for(monkeypatch):
    """And evaluated natively where the program is for a CPU after all."""

    def calls_of(platforms, accelerator, force=None):
        monkeypatch.setattr(dispatch, "_accelerator_is_installed", lambda: accelerator)
        with jaxsci.use_backend(force):
            jax.config.update("jax_platforms", platforms)
            jax.clear_caches()  # of derivatives that were traced under other settings
            program = jax.make_jaxpr(jax.grad(lambda x: sp.kv(2.5, x)))(1.5)
            text = jax.jit(jaxpr_as_fun(program)).lower(1.5).compile().as_text()
        assert text is not None
        assert text.count('custom_call_target="jaxsci_ufunc"') == 2
        return str(program).count("jaxsci[")

    before = getattr(jax.config, "jax_platforms", None)
    try:
        assert calls_of(None, accelerator=False) == 2
        assert calls_of("cpu", accelerator=True) == 2
        assert calls_of(None, accelerator=True) == 1
        assert calls_of(None, accelerator=True, force="ffi") == 2
        x = jnp.linspace(0.5, 2.0, 3)
        found = jax.jit(tower(lambda x: sp.kv(2.5, x), 2))(x)
        expected = [scipy.special.kvp(2.5, x, n) for n in range(3)]
        np.testing.assert_allclose(found, expected, rtol=1e-13)
    finally:
        jax.config.update("jax_platforms", before)
        jax.clear_caches()


def test_functions_on_a_device_of_their_own_stay_apart():
    device = jax.sharding.SingleDeviceSharding(jax.devices()[0])
    cos = host_function(np.cos, name="cos", sharding=device)
    apart = host_function(np.sin, name="sin", sharding=device).partials(lambda y, x: cos(x))
    assert callbacks(jax.value_and_grad(apart), 0.5) == 2
    # One that stays apart inside the rule of one that does not.
    mixed = host_function(np.sin, name="sin")
    tan = host_function(np.tan, name="tan")
    mixed.partials(lambda y, x: cos(x) + 0 * tan(x))
    assert callbacks(jax.value_and_grad(mixed), 0.5) == 2
    found = jax.jit(jax.value_and_grad(mixed))(0.5)
    np.testing.assert_allclose(found, (np.sin(0.5), np.cos(0.5)), rtol=1e-15)


# -- how many evaluations --------------------------------------------------------------------------


@pytest.mark.parametrize("order", [1, 2, 3, 4])
def test_a_derivative_of_order_k_takes_k_plus_one_evaluations(order):
    f, seen = make_counting()
    found = jax.jit(nth(lambda z: f(1.5, z), order))(2.0)
    np.testing.assert_allclose(found, scipy.special.jvp(1.5, 2.0, order), rtol=1e-12)
    assert sorted(v for v, _ in seen) == [1.5 - order + 2 * i for i in range(order + 1)]
    assert callbacks(nth(lambda z: f(1.5, z), order), 2.0) == 1


def test_orders_known_only_when_the_program_runs_are_compared_then():
    f, seen = make_counting()
    everything = jax.jit(lambda v, z: tower(lambda z: f(v, z), 3)(z))
    found = everything(1.5, 2.0)
    expected = [scipy.special.jvp(1.5, 2.0, n) for n in range(4)]
    np.testing.assert_allclose(found, expected, rtol=1e-12)
    assert sorted(v for v, _ in seen) == [-1.5 + i for i in range(7)]


def test_zeros_of_either_sign_are_different_arguments():
    inverse = host_function(lambda x: np.float64(1) / x, "()->()", name="inverse")
    f = host_function(lambda x: np.float64(x), "()->()", name="f")
    f.partials(lambda y, x: 2 * inverse(x) + inverse(-x))
    with np.errstate(divide="ignore"):
        assert jax.jit(derivative(f))(0.0) != jax.jit(derivative(f))(0.0)  # inf - inf
        assert jax.jit(derivative(f))(4.0) == 0.25


# -- right values ----------------------------------------------------------------------------------

RULED = [case for case in one_of_each_kind(5, "together") if ruled(case[0])]


def close(found, expected, tolerance):
    assert found.dtype == expected.dtype
    assert found.shape == expected.shape
    found, expected = (np.asarray(x) for x in (found, expected))
    if found.dtype.kind == "V":
        found, expected = found.astype(np.float32), expected.astype(np.float32)
    scale = np.max(np.abs(expected), initial=0, where=np.isfinite(expected))
    np.testing.assert_allclose(found, expected, rtol=tolerance, atol=tolerance * scale)


def narrowed(x):
    x = jnp.asarray(x)
    if jnp.iscomplexobj(x):
        return x.astype(jnp.complex64)
    return x.astype(jnp.float32) if jnp.issubdtype(x.dtype, jnp.floating) else x


def in_both_backends(case, order, convert, tolerance):
    row, static, _ = case
    at = [convert(x) for x in points(case, 3)]
    function = bound(row, static)
    for i in ruled(row):

        def alone(x, i=i, at=at):
            return function(*at[:i], x, *at[i + 1 :])

        found = jax.jit(tower(alone, order))(at[i])
        with jaxsci.use_backend("ffi"):
            expected = jax.jit(tower(alone, order))(at[i])
        jax.tree.map(lambda x, y: close(x, y, tolerance), found, expected)


@pytest.mark.skipif("ffi" not in BACKENDS, reason="compares with the native backend")
@pytest.mark.parametrize("case", drawn(RULED, 8, "together"), ids=name_of)
def test_values_and_two_derivatives_are_those_of_the_native_backend(case):
    in_both_backends(case, 2, jnp.asarray, 1e-12)


@pytest.mark.skipif("ffi" not in BACKENDS, reason="compares with the native backend")
@pytest.mark.parametrize("case", drawn(RULED, 8, "together, single"), ids=name_of)
def test_so_they_are_in_single_precision(case):
    in_both_backends(case, 2, narrowed, 3e-7)


@pytest.mark.skipif("ffi" not in BACKENDS, reason="compares with the native backend")
@pytest.mark.parametrize("name", ONE)
def test_three_derivatives_are_those_of_the_native_backend(name):
    x = jnp.linspace(0.3, 2.0, 5)
    found = jax.jit(tower(ONE[name], 3))(x)
    with jaxsci.use_backend("ffi"):
        expected = jax.jit(tower(ONE[name], 3))(x)
    jax.tree.map(lambda x, y: close(x, y, 1e-12), found, expected)


def test_without_64_bit_types():
    x = jnp.linspace(0.3, 2.0, 5, dtype=jnp.float32)
    expected = [scipy.special.kvp(2.5, np.asarray(x, float), n) for n in range(3)]
    with jax.enable_x64(False):
        f = jax.jit(tower(lambda x: sp.kv(2.5, x), 2))
        found = f(x)
        assert callbacks(f, x) == 1
    for y, truth in zip(found, expected, strict=True):
        np.testing.assert_array_equal(y, truth.astype(np.float32))


@pytest.mark.parametrize("dtype", [jnp.float32, jnp.float16, jnp.bfloat16])
def test_the_value_is_the_same_beside_derivatives_as_alone(dtype):
    """Subnormal numbers, and what is rounded once, included."""
    double = host_function(lambda x: 2 * x, "()->()", double=True)
    third = host_function(lambda x: x / 3, "()->()", double=True)
    third.partials(lambda y, x: double(x))
    x = jnp.array([0.7, jnp.finfo(dtype).tiny / 8, 12345.0], dtype)
    alone = jax.jit(third)(x)
    beside = jax.jit(lambda x: jax.jvp(third, (x,), (jnp.ones_like(x),)))(x)
    assert beside[0].dtype == beside[1].dtype == dtype
    np.testing.assert_array_equal(bits(beside[0]), bits(alone))
    np.testing.assert_array_equal(beside[1][::2], (2 * np.asarray(x, float)).astype(dtype)[::2])


def test_each_call_runs_in_the_default_environment():
    seen = []

    def recording(x):
        seen.append(keeps_subnormals())
        return x

    other = host_function(recording, "()->()", name="other")
    f = host_function(recording, "()->()", name="f").partials(lambda y, x: other(x))
    jax.jit(jax.value_and_grad(f))(1.0)
    assert seen == [True, True]


def test_a_function_that_is_not_holomorphic():
    """|z|^2 by way of the host: the derivatives along both axes, and theirs."""
    re = host_function(np.real, "()->()", name="re", dtype=np.float64)
    im = host_function(np.imag, "()->()", name="im", dtype=np.float64)
    re.partials(real_linear("", lambda y, z: (jnp.ones_like(y), jnp.zeros_like(y))))
    im.partials(real_linear("", lambda y, z: (jnp.zeros_like(y), jnp.ones_like(y))))
    f = host_function(lambda z: abs(z) ** 2, "()->()", name="f", dtype=np.float64)
    f.partials(real_linear("", lambda y, z: (2 * re(z), 2 * im(z))))

    def of_parts(xy):
        return f(jax.lax.complex(xy[0], xy[1]))

    at = jnp.array([0.6, -1.7])
    np.testing.assert_allclose(jax.jit(jax.grad(of_parts))(at), 2 * at, rtol=1e-15)
    np.testing.assert_allclose(jax.jit(jax.hessian(of_parts))(at), 2 * np.eye(2), rtol=1e-15)
    assert callbacks(jax.value_and_grad(of_parts), at) == 1


def test_several_results_with_rules_that_are_zero():
    cos = host_function(np.cos, name="cos")
    f = host_function(lambda x, y: (np.sin(x), x * y), "(),()->(),()", name="f")
    f.partials(lambda out, x, y: (cos(x), y), lambda out, x, y: (None, x))
    jacobian = jax.jit(jax.jacfwd(lambda xy: jnp.stack(f(*xy))))(jnp.array([0.5, 2.0]))
    np.testing.assert_allclose(jacobian, [[np.cos(0.5), 0], [2.0, 0.5]], rtol=1e-15)


def test_what_is_zero_by_its_rule_perturbs_nothing():
    unknown = host_function(np.tan, name="unknown").partials(missing("too hard"))
    cos = host_function(np.cos, name="cos")
    f = host_function(lambda x, y: np.sin(x), "(),()->()", name="f")
    f.partials(lambda out, x, y: cos(x), lambda out, x, y: None)
    with pytest.raises(NotImplementedError, match="too hard"):
        jax.eval_shape(lambda xy: jax.grad(lambda xy: unknown(f(*xy)))(xy), (0.5, 2.0))
    gradient = jax.grad(lambda y: unknown(f(0.5, y)) + y)
    assert jax.jit(gradient)(2.0) == 1.0
    # A second derivative that is zero, likewise.
    line = host_function(lambda x: 3 * x, "()->()", name="line")
    three = host_function(lambda: np.float64(3), "->()", name="three", dtype=np.float64)
    line.partials(lambda y, x: three() + 0 * cos(jax.lax.stop_gradient(x)))
    slope = jax.grad(lambda x: unknown(jax.grad(line)(x)) + x)
    assert jax.jit(slope)(2.0) == 1.0


def test_missing_rules_raise_when_traced_and_only_if_asked():
    f, _ = make_counting()
    with pytest.raises(NotImplementedError, match=r"jv: .*'v' is not available: not needed"):
        jax.eval_shape(jax.grad(f, 0), 1.5, 2.0)
    with pytest.raises(NotImplementedError, match=r"jv: .*'v' is not available: not needed"):
        jax.eval_shape(jax.grad(jax.grad(f, 1), 0), 1.5, 2.0)
    found = jax.grad(f, 1)(1, 2.0)  # an integer, which is not perturbed
    np.testing.assert_allclose(found, scipy.special.jvp(1, 2.0), rtol=1e-14)


def test_a_host_function_that_raises_says_so():
    def refuse(x):
        raise ValueError("not today")

    refusing = host_function(refuse, "()->()", name="refusing")
    f = host_function(np.sin, name="f").partials(lambda y, x: refusing(x))
    with pytest.raises(Exception, match="the host function 'refusing' raised ValueError: not"):
        jax.block_until_ready(jax.jit(jax.value_and_grad(f))(1.0))


def test_nan_stays_where_it_is():
    x = jnp.array([0.5, np.nan, -1.0, 2.0])
    value, slope = jax.jit(lambda x: jax.jvp(lambda x: sp.kv(2.5, x), (x,), (jnp.ones(4),)))(x)
    np.testing.assert_array_equal(value, scipy.special.kv(2.5, x))
    np.testing.assert_allclose(slope, scipy.special.kvp(2.5, x), rtol=1e-14)


# -- under transformations -------------------------------------------------------------------------


def test_under_transformations():
    f = ONE["kv"]
    x = jnp.linspace(0.5, 2.0, 4)
    gradient = scipy.special.kvp(2.5, x)
    second = scipy.special.kvp(2.5, x, 2)
    total = lambda x: f(x).sum()  # noqa: E731
    mesh = jax.make_mesh((1,), ("i",), axis_types=(jax.sharding.AxisType.Auto,))
    over_mesh = jax.shard_map(
        lambda x: jax.lax.psum(f(x).sum(), "i"),
        mesh=mesh,
        in_specs=PartitionSpec("i"),
        out_specs=PartitionSpec(),
    )
    scanned = lambda x: jax.lax.scan(lambda c, x: (c + f(x), None), 0.0, x)[0]  # noqa: E731
    for wrapped, loss in itertools.product(
        (lambda loss: loss, jax.jit, jax.checkpoint), (total, over_mesh, scanned)
    ):
        changed = wrapped(loss)
        np.testing.assert_allclose(jax.jit(jax.grad(changed))(x), gradient, rtol=1e-13)
        _, change = jax.jvp(jax.grad(changed), (x,), (jnp.ones(4),))
        np.testing.assert_allclose(change, second, rtol=1e-13)
    np.testing.assert_allclose(jax.jit(jax.vmap(jax.grad(f)))(x), gradient, rtol=1e-13)
    np.testing.assert_allclose(jax.jit(jax.hessian(total))(x), np.diag(second), rtol=1e-13)
    with jax.disable_jit():
        np.testing.assert_allclose(jax.grad(jax.grad(f))(2.0), second[-1], rtol=1e-13)
    each = jax.vmap(jax.value_and_grad(sp.kv, 1), (0, None))(jnp.arange(3) + 0.5, 2.0)
    np.testing.assert_allclose(each[0], scipy.special.kv(np.arange(3) + 0.5, 2.0), rtol=1e-15)
    np.testing.assert_allclose(each[1], scipy.special.kvp(np.arange(3) + 0.5, 2.0), rtol=1e-14)


def test_orders_are_not_broadcast_on_their_way_to_the_host():
    sizes = []

    def recording(v, z):
        sizes.append((np.size(v), np.size(z)))
        return scipy.special.kv(v, z)

    f = host_function(recording, "(),()->()", batched=True, name="kv")
    f.partials(missing(""), lambda y, v, z: -(f(v - 1, z) + f(v + 1, z)) / 2)
    z = jnp.linspace(1.0, 2.0, 7)
    _, slope = jax.jit(lambda z: jax.jvp(lambda z: f(1.5, z), (z,), (jnp.ones(7),)))(z)
    np.testing.assert_allclose(slope, scipy.special.kvp(1.5, z), rtol=1e-14)
    assert sizes == [(1, 7)] * 3
