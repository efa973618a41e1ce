"""`differentiable_root`: values, and derivatives of every order wherever it stands."""

import jax
import jax.numpy as jnp
import mpmath
import numpy as np
import pytest
import scipy.special
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from jaxsci import differentiable_root, host_function
from jaxsci.special import j0

BRACKET = (0.0, 10.0)


def cubic(u, a):
    return u**3 - a


def root(a):
    """The cube root, which is known in closed form."""
    return differentiable_root(cubic, BRACKET, a)


def cbrt(a, order=0):
    """A derivative of the cube root."""
    factors = (1 / 3 - k for k in range(order))
    return float(np.prod(list(factors)) * a ** (1 / 3 - order))


def nth_grad(f, n):
    for _ in range(n):
        f = jax.grad(f)
    return f


def nth_jvp(f, n):
    for _ in range(n):
        f = (lambda g: lambda x: jax.jvp(g, (x,), (jnp.ones_like(x),))[1])(f)
    return f


def close(found, expected, rtol=1e-12):
    np.testing.assert_allclose(found, expected, rtol=rtol)


# -- values ----------------------------------------------------------------------------------------

coefficient = st.floats(-10.0, 10.0)


@jax.jit
def wave_crosses(lo, hi, c):
    """A root of a cubic polynomial plus a sine."""
    return differentiable_root(lambda u, c: jnp.polyval(c, u) + jnp.sin(3 * u), (lo, hi), c)


@given(st.lists(coefficient, min_size=4, max_size=4), st.floats(-5.0, 0.0), st.floats(0.0, 5.0))
@settings(max_examples=200, deadline=None)
def test_the_residual_changes_sign_at_the_root(coefficients, lo, hi):
    def f(u):
        return np.polyval(coefficients, u) + np.sin(3 * u)

    assume(f(lo) * f(hi) < -1e-6)
    found = float(wave_crosses(lo, hi, np.array(coefficients)))
    assert lo <= found <= hi
    around = [np.clip(found + s * 1e-12 * max(1, abs(found)), lo, hi) for s in (-1, 1)]
    assert f(around[0]) * f(around[1]) <= 0 or abs(f(found)) < 1e-12


def test_a_root_among_subnormal_numbers_is_zero_to_rounding():
    cubic = np.array([0.0, 0.0, 0.0, 2.2250738585072014e-308])
    assert abs(wave_crosses(-1.0, 1.0, cubic)) < 1e-307


def test_the_root_is_as_close_as_doubles_are():
    for a in (1e-12, 0.3, 2.0, 999.0):
        assert abs(root(a) - np.cbrt(a)) <= 2 * np.spacing(np.cbrt(a))


def test_elementwise_with_brackets_that_broadcast():
    lo, a = jnp.array([[0.0], [0.5]]), jnp.array([1.0, 2.0, 3.0])
    close(differentiable_root(cubic, (lo, 10.0), a), np.broadcast_to(np.cbrt(a), (2, 3)))


def test_brackets_of_integers_and_in_reverse_and_roots_at_their_ends():
    close(differentiable_root(cubic, (0, 10), 2), np.cbrt(2.0))
    close(differentiable_root(cubic, (10.0, 0.0), 2.0), np.cbrt(2.0))
    assert differentiable_root(cubic, (1.0, 10.0), 1.0) == 1.0
    assert differentiable_root(cubic, (0.0, 1.0), 1.0) == 1.0


def test_a_root_of_any_size():
    assert differentiable_root(lambda u: u - 1e-300, (-1.0, 1.0)) == 1e-300
    assert differentiable_root(lambda u: u, (-1.0, 3.0)) == 0.0
    close(differentiable_root(lambda u: u / 1e200 - 1, (0.0, 1e250)), 1e200)


@pytest.mark.parametrize("power", [3, 5, 9])
def test_multiple_roots(power):
    close(differentiable_root(lambda u: (u - 1) ** power, (0.0, 5.0)), 1.0, rtol=1e-14)


def test_float32():
    found = differentiable_root(cubic, (np.float32(0), np.float32(10)), np.float32(2))
    assert found.dtype == np.float32
    close(found, np.cbrt(2.0), rtol=1e-7)


@pytest.mark.parametrize(
    ("residual", "bracket"),
    [
        (lambda u: u**2 + 1, (-1.0, 2.0)),  # no root
        (lambda u: u**2 - 1, (-2.0, 2.0)),  # two: no change of sign
        (lambda u: u - 5, (0.0, 1.0)),
        (lambda u: u * jnp.nan, (-1.0, 1.0)),
        (lambda u: jnp.log(u), (-1.0, 2.0)),  # not a number at one end
        (lambda u: 1 / (u - 0.5), (0.0, 1.0)),  # poles, where the sign changes too
        (lambda u: 1 / (u - 1.2345), (0.0, 3.0)),
        (jnp.tan, (1.0, 2.0)),
    ],
)
def test_where_there_is_no_root_it_is_nan(residual, bracket):
    assert jnp.isnan(differentiable_root(residual, bracket))


def test_a_root_beside_a_pole_and_between_tiny_residuals_is_found():
    close(differentiable_root(lambda u: 1 / (u - 1.25) - 1, (1.26, 3.0)), 2.25)
    close(differentiable_root(lambda u: (u - 1) * jnp.exp(-(u**2)), (-25.0, 25.0)), 1.0)


def test_no_root_in_one_element_does_not_spoil_the_others():
    lo = jnp.array([0.0, 2.0])
    found = differentiable_root(cubic, (lo, 10.0), 2.0)
    np.testing.assert_array_equal(jnp.isnan(found), [False, True])
    slopes = jax.vmap(jax.grad(lambda lo, a: differentiable_root(cubic, (lo, 10.0), a), 1))
    close(jax.jit(slopes)(lo, jnp.array([2.0, 2.0])), [cbrt(2.0, 1), np.nan])


# -- derivatives -----------------------------------------------------------------------------------


@pytest.mark.rotating(0.3)
@pytest.mark.parametrize("order", [1, 2, 3, 4])
def test_orders_by_reverse_mode(order):
    close(jax.jit(nth_grad(root, order))(2.0), cbrt(2.0, order))


@pytest.mark.rotating(0.3)
@pytest.mark.parametrize("order", [1, 2, 3, 4])
def test_orders_by_forward_mode(order):
    close(jax.jit(nth_jvp(root, order))(2.0), cbrt(2.0, order))


def test_modes_mixed():
    close(jax.jit(jax.hessian(root))(2.0), cbrt(2.0, 2))
    close(jax.jit(jax.jacrev(jax.jacfwd(jax.hessian(root))))(2.0), cbrt(2.0, 4))


def recurse(root, loop):
    """c -> root(c) + a - 1, twice."""

    def run(a):
        def step(_, c):
            return root(c) + a - 1

        if loop == "scan":
            return jax.lax.scan(lambda c, _: (step(None, c), None), a, length=2)[0]
        if loop == "fori_loop":
            return jax.lax.fori_loop(0, 2, step, a)
        return step(None, step(None, a))

    return run


@pytest.mark.rotating(0.3)
@pytest.mark.parametrize("loop", ["scan", "fori_loop"])
@pytest.mark.parametrize("order", [1, 2, 3, 4])
def test_orders_of_a_loop_over_roots(loop, order):
    derivative = nth_grad if loop == "scan" or order < 3 else nth_jvp
    found = jax.jit(derivative(recurse(root, loop), order))(2.0)
    close(found, jax.jit(nth_grad(recurse(jnp.cbrt, "python"), order))(2.0))


@pytest.mark.rotating(0.3)
@pytest.mark.parametrize("loop", ["scan", "fori_loop"])
@pytest.mark.parametrize("order", [1, 2, 3])
def test_orders_inside_a_loop(loop, order):
    found = jax.jit(recurse(nth_grad(root, order), loop))(2.0)
    c = 2.0
    for _ in range(2):
        c = cbrt(c, order) + 1.0
    close(found, c)


def test_vmap_over_arguments_and_brackets():
    a = jnp.array([1.0, 2.0, 3.0])
    close(jax.jit(jax.vmap(nth_grad(root, 2)))(a), [cbrt(x, 2) for x in a])

    def with_bracket(lo, hi, a):
        return differentiable_root(cubic, (lo, hi), a)

    slopes = jax.jit(jax.vmap(jax.grad(with_bracket, 2), (0, None, None)))(a / 9, 5.0, 2.0)
    close(slopes, [cbrt(2.0, 1)] * 3)
    both = jax.jit(jax.vmap(jax.vmap(nth_grad(root, 2))))(jnp.stack([a, 2 * a]))
    close(both, [[cbrt(x, 2) for x in a], [cbrt(2 * x, 2) for x in a]])
    close(jax.vmap(lambda a: differentiable_root(lambda u: u**2 - 2, BRACKET) * a)(a), a * 2**0.5)


def test_derivatives_in_an_array_of_arguments():
    a = jnp.array([1.0, 2.0])
    close(jax.jit(jax.jacrev(root))(a), np.diag([cbrt(x, 1) for x in a]))
    close(jax.jit(jax.hessian(lambda a: root(a).sum()))(a), np.diag([cbrt(x, 2) for x in a]))


def test_brackets_have_no_derivative():
    f = jax.grad(lambda lo, hi: differentiable_root(cubic, (lo, hi), 2.0), (0, 1))
    assert f(0.0, 10.0) == (0.0, 0.0)


@pytest.mark.rotating(0.3)
@pytest.mark.parametrize("order", [1, 2, 3])
def test_closing_over_traced_values(order):
    def closed(a):
        return differentiable_root(lambda u: u**3 - a, BRACKET)

    close(jax.jit(nth_grad(closed, order))(2.0), cbrt(2.0, order))
    close(
        jax.jit(jax.vmap(nth_grad(closed, order)))(jnp.array([2.0, 3.0])),
        [cbrt(2.0, order), cbrt(3.0, order)],
    )

    def in_scan(a):
        def step(c, _):
            return c * differentiable_root(lambda u: u**3 - a * c, BRACKET), None

        return jax.lax.scan(step, 1.0, length=2)[0]

    # c_1 = a^(1/3), c_2 = c_1 (a c_1)^(1/3) = a^(7/9)
    close(
        jax.jit(nth_grad(in_scan, order))(2.0), float(mpmath.diff(lambda a: a ** (7 / 9), 2, order))
    )


def test_pytrees_of_arguments_and_integers_among_them():
    def power(p):
        return differentiable_root(lambda u, p: u ** p["n"][0] - p["a"], BRACKET, p)

    found = jax.grad(power)({"n": (3.0,), "a": 2.0})
    close(found["a"], cbrt(2.0, 1))
    close(found["n"][0], -np.log(2) * 2 ** (1 / 3) / 9)
    close(jax.grad(lambda a: power({"n": (3,), "a": a}))(2.0), cbrt(2.0, 1))


@pytest.mark.rotating(0.3)
@pytest.mark.parametrize("order", [0, 1, 2, 3])
def test_a_host_function_in_the_residual(order):
    def inverse(a):
        return differentiable_root(lambda u, a: j0(u) - a, (1.0, 3.0), a)

    exact = mpmath.diff(
        lambda a: mpmath.findroot(lambda u: mpmath.besselj(0, u) - a, 2.2), 0.1, order
    )
    close(jax.jit(nth_grad(inverse, order))(0.1), float(exact), rtol=1e-10)

    def in_scan(a):
        return jax.lax.scan(lambda c, _: (inverse(c), None), a, length=1)[0]

    close(jax.jit(nth_grad(in_scan, order))(0.1), float(exact), rtol=1e-10)


def test_the_solver_is_not_differentiated():
    """Its host function has no rule, and none is asked for."""
    f = host_function(scipy.special.cbrt)

    def found(a):
        return differentiable_root(cubic, None, a, solver=lambda _, __: f(a))

    for order in range(4):
        close(jax.jit(nth_grad(found, order))(2.0), cbrt(2.0, order))


@pytest.mark.rotating(0.3)
@pytest.mark.parametrize(
    "wrap",
    [jax.checkpoint, lambda f: lambda a: jax.lax.cond(a > 0, f, lambda a: a, a), jax.jit],
    ids=["checkpoint", "cond", "jit"],
)
def test_under_other_transforms(wrap):
    close(nth_grad(wrap(root), 2)(2.0), cbrt(2.0, 2))
    close(jax.linearize(wrap(root), 2.0)[1](1.0), cbrt(2.0, 1))


def test_without_jit():
    with jax.disable_jit():
        close(jax.grad(root)(2.0), cbrt(2.0, 1))


# -- a solver of one's own -------------------------------------------------------------------------


def newton(f, u0):
    """Newton's method, by the solver's own derivative of f."""

    def step(_, u):
        jacobian = jnp.atleast_2d(jax.jacfwd(f, holomorphic=jnp.iscomplexobj(u))(u))
        return u - jnp.linalg.solve(jacobian, jnp.atleast_1d(f(u))).reshape(jnp.shape(u))

    return jax.lax.fori_loop(0, 30, step, u0)


@pytest.mark.rotating(0.3)
@pytest.mark.parametrize("order", [0, 1, 2, 3])
def test_own_solver(order):
    def found(a):
        return differentiable_root(cubic, 1.0, a, solver=newton)

    close(jax.jit(nth_grad(found, order))(2.0), cbrt(2.0, order))


def test_complex_roots():
    def found(a):
        return differentiable_root(lambda u, a: u**2 + a, 1.5j, a, solver=newton)

    close(found(2.0), 1j * 2**0.5)
    close(jax.grad(lambda a: found(a).imag)(2.0), 2**-1.5)
    close(jax.grad(found, holomorphic=True)(2.0 + 1j), 0.5j / np.sqrt(2 + 1j))


def test_a_solver_that_fails_gives_nan():
    assert jnp.isnan(differentiable_root(cubic, 1.0, 2.0, solver=lambda f, u: u * jnp.nan))


# -- coupled systems -------------------------------------------------------------------------------


def line_and_parabola(u, a, b):
    """u_0^2 + u_1 = a and u_0 - u_1 = b."""
    return jnp.stack([u[0] ** 2 + u[1] - a, u[0] - u[1] - b])


def system(a, b):
    return differentiable_root(line_and_parabola, jnp.ones(2), a, b, solver=newton, coupled=True)


def exact_system(a, b):
    u = (jnp.sqrt(1 + 4 * (a + b)) - 1) / 2
    return jnp.stack([u, u - b])


def compare(transform, *args):
    found, wanted = (jax.jit(transform(f))(*args) for f in (system, exact_system))
    for x, y in zip(jax.tree.leaves(found), jax.tree.leaves(wanted), strict=True):
        np.testing.assert_allclose(x, y, rtol=1e-11, atol=1e-15)


@pytest.mark.rotating(0.3)
def test_coupled_system():
    compare(lambda f: f, 3.0, 1.0)
    compare(lambda f: jax.jacrev(f, (0, 1)), 3.0, 1.0)
    compare(lambda f: jax.hessian(f, (0, 1)), 3.0, 1.0)
    compare(lambda f: jax.jacrev(jax.jacrev(jax.jacfwd(f))), 3.0, 1.0)


@pytest.mark.rotating(0.3)
def test_coupled_systems_under_vmap():
    a, b = jnp.array([3.0, 4.0, 5.0]), jnp.array([0.5, 1.0])
    compare(lambda f: jax.vmap(jax.hessian(f, (0, 1)), (0, None)), a, 1.0)
    compare(lambda f: jax.vmap(jax.vmap(jax.hessian(f), (None, 0)), (0, None)), a, b)
    compare(lambda f: jax.jacrev(lambda a: jax.vmap(f, (0, None))(a, 1.0)), a)


@pytest.mark.rotating(0.3)
def test_coupled_system_inside_scan():
    def through(f):
        def run(a):
            return jax.lax.scan(lambda c, _: (f(c, 1.0).sum(), None), a, length=2)[0]

        return nth_grad(run, 2)

    compare(through, 3.0)


@pytest.mark.rotating(0.3)
def test_system_in_a_matrix():
    def square_root(u, m):
        return u @ u - m

    m = jnp.array([[4.0, 1.0], [0.5, 3.0]])
    start = jnp.eye(2) * 2

    def solver(f, u):
        return jax.lax.fori_loop(0, 30, lambda _, u: 0.5 * (u + jnp.linalg.solve(u, m)), u)

    def f(m):
        return differentiable_root(square_root, start, m, solver=solver, coupled=True)

    direction = jnp.array([[1.0, 2.0], [3.0, 4.0]])
    u, du = jax.jvp(f, (m,), (direction,))
    np.testing.assert_allclose(u @ u, m, rtol=1e-13)
    np.testing.assert_allclose(u @ du + du @ u, direction, rtol=1e-12)


# -- what is refused -------------------------------------------------------------------------------


def test_the_built_in_solver_needs_a_bracket():
    for u0 in (1.0, jnp.zeros(2), (1.0,), None):
        with pytest.raises(
            TypeError, match=r"differentiable_root: u0 must be a bracket \(lo, hi\)"
        ):
            differentiable_root(cubic, u0, 2.0)


def test_the_residual_must_have_the_shape_of_the_root():
    with pytest.raises(
        ValueError, match=r"F must return an array of u's shape \(2,\), got \[\(3,\)\]"
    ):
        differentiable_root(lambda u: jnp.ones(3) * u[0], jnp.ones(2), solver=lambda f, u: u)


def test_the_solver_must_return_an_array():
    with pytest.raises(TypeError, match="the solver must return one array, the root"):
        differentiable_root(cubic, 1.0, 2.0, solver=lambda f, u: (u, {"steps": 3}))
