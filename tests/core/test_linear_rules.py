"""Rules of whole arrays: `.jvp`, and `.vjp` with the linear primitive that carries it."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jaxsci import host_function

pytestmark = pytest.mark.rotating(0.022)

Struct = jax.ShapeDtypeStruct
A = jnp.array([[4.0, 1.0], [2.0, 3.0]])
B = jnp.array([1.0, -2.0])


def solve_forwards(y, primals, tangents):
    (a, _), (da, db) = primals, tangents
    return jnp.linalg.solve(a, db - da @ y)


def solve_backwards(y, primals, cotangent):
    w = jnp.linalg.solve(primals[0].T, cotangent)
    return -jnp.outer(w, y), w


def make_solve(kind):
    f = host_function(np.linalg.solve, "(n,n),(n)->(n)", name="solve")
    return f.jvp(solve_forwards) if kind == "jvp" else f.vjp(solve_backwards)


def make_cube():
    """x**3 by reverse-mode rules alone, down to the third derivative."""
    square = host_function(lambda x: x**2, "()->()", name="square")
    square.vjp(lambda y, primals, c: (2 * c * primals[0],))
    cube = host_function(lambda x: x**3, "()->()", name="cube")
    return cube.vjp(lambda y, primals, c: (3 * c * square(primals[0]),))


def squared_norm(solve):
    return lambda a, b: jnp.sum(solve(a, b) ** 2)


expected = squared_norm(jnp.linalg.solve)
KINDS = ("jvp", "vjp")


def agree(found, wanted, rtol=1e-12):
    for x, y in zip(jax.tree.leaves(found), jax.tree.leaves(wanted), strict=True):
        assert x.dtype == y.dtype
        np.testing.assert_allclose(x, y, rtol=rtol, atol=1e-13)


def nth_grad(f, n):
    for _ in range(n):
        f = jax.grad(f)
    return f


# -- both kinds ------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("argnums", [0, 1, (0, 1)])
def test_gradient(kind, argnums):
    f = squared_norm(make_solve(kind))
    agree(jax.grad(f, argnums)(A, B), jax.grad(expected, argnums)(A, B))


@pytest.mark.parametrize("kind", KINDS)
def test_second_derivatives_by_reverse_mode_twice(kind):
    f = squared_norm(make_solve(kind))
    found = jax.jacrev(jax.jacrev(f, (0, 1)), (0, 1))(A, B)
    agree(found, jax.jacrev(jax.jacrev(expected, (0, 1)), (0, 1))(A, B))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("axes", [(0, None), (None, 0), (0, 0)])
def test_gradient_under_vmap(kind, axes):
    args = [
        jnp.stack([x, 2 * x + 1]) if axis == 0 else x for x, axis in zip((A, B), axes, strict=True)
    ]
    found = jax.jit(jax.vmap(jax.grad(squared_norm(make_solve(kind)), (0, 1)), axes))(*args)
    agree(found, jax.vmap(jax.grad(expected, (0, 1)), axes)(*args))


@pytest.mark.parametrize("kind", KINDS)
def test_gradient_in_an_argument_that_is_broadcast(kind):
    rights = jnp.stack([B, 2 * B, B**2])
    found = jax.grad(squared_norm(make_solve(kind)), (0, 1))(A, rights)

    def loop(a, rights):
        return sum(expected(a, b) for b in rights)

    agree(found, jax.grad(loop, (0, 1))(A, rights))


@pytest.mark.parametrize("kind", KINDS)
def test_empty_batches(kind):
    f = squared_norm(make_solve(kind))
    agree(jax.grad(f, (0, 1))(jnp.zeros((0, 2, 2)), B), (jnp.zeros((0, 2, 2)), jnp.zeros(2)))


@pytest.mark.parametrize("kind", KINDS)
def test_second_derivatives_inside_scan(kind):
    solve = make_solve(kind)

    def through(solve):
        def f(b):
            return jnp.sum(jax.lax.scan(lambda c, _: (solve(A, c) + c**2, c), b, length=3)[0] ** 2)

        return jax.jit(jax.jacrev(jax.jacrev(f)))

    agree(through(solve)(B), through(jnp.linalg.solve)(B))


@pytest.mark.parametrize("kind", KINDS)
def test_checkpoint(kind):
    f = jax.checkpoint(lambda b: squared_norm(make_solve(kind))(A, jnp.sin(b)))
    wanted = jax.jacrev(jax.jacrev(lambda b: expected(A, jnp.sin(b))))(B)
    agree(jax.jacrev(jax.jacrev(f))(B), wanted)


@pytest.mark.parametrize("kind", KINDS)
def test_derivative_in_an_integer_argument_is_not_asked_for(kind):
    f = host_function(lambda x, k: x * k, "(),()->()", name="times")
    if kind == "jvp":
        f.jvp(lambda y, primals, tangents: tangents[0] * primals[1])
    else:
        f.vjp(lambda y, primals, c: (c * primals[1], None))
    assert jax.grad(f)(2.0, 3) == 3.0


@pytest.mark.parametrize("kind", KINDS)
def test_integer_results_have_no_tangent(kind):
    f = host_function(lambda x: (2 * x, int(x)), "()->(),()", dtype=(np.float64, np.int32))
    if kind == "jvp":
        f.jvp(lambda y, primals, tangents: (2 * tangents[0], None))
    else:
        f.vjp(lambda y, primals, c: (2 * c[0],))

    def loss(x):
        y, count = f(x)
        return y * count

    assert jax.grad(loss)(3.5) == 6.0
    assert jax.lax.scan(lambda c, _: (jax.grad(loss)(c), None), 3.5, length=1)[0] == 6.0


@pytest.mark.parametrize("kind", KINDS)
def test_complex_functions(kind):
    f = host_function(lambda z: z**2, "()->()")
    if kind == "jvp":
        f.jvp(lambda y, primals, tangents: 2 * primals[0] * tangents[0])
    else:
        f.vjp(lambda y, primals, c: (2 * primals[0] * c,))

    def loss(f):
        return lambda z: jnp.abs(f(z)) ** 2

    z = 1.0 + 2.0j
    agree(jax.grad(f, holomorphic=True)(z), jnp.array(2 * z))
    agree(jax.grad(loss(f))(z), jax.grad(loss(lambda z: z**2))(z))


# -- forward rules ---------------------------------------------------------------------------------


def test_forward_rule_in_forward_mode():
    f = squared_norm(make_solve("jvp"))
    agree(jax.jacfwd(f, (0, 1))(A, B), jax.jacfwd(expected, (0, 1))(A, B))
    agree(jax.hessian(f, 1)(A, B), jax.hessian(expected, 1)(A, B))
    agree(jax.jacfwd(jax.jacfwd(f))(A, B), jax.jacfwd(jax.jacfwd(expected))(A, B))


def test_forward_rule_of_several_results():
    f = host_function(lambda x: (np.sin(x), x.sum()), "(n)->(n),()")
    f.jvp(lambda y, primals, tangents: (jnp.cos(primals[0]) * tangents[0], tangents[0].sum()))
    x = jnp.array([0.1, 0.2])
    agree(jax.jvp(f, (x,), (jnp.ones(2),))[1], (jnp.cos(x), jnp.array(2.0)))
    agree(jax.jacrev(f)(x), (jnp.diag(jnp.cos(x)), jnp.ones(2)))


def test_forward_rule_may_call_its_own_function():
    exp = host_function(np.exp, "()->()", name="exp")
    exp.jvp(lambda y, primals, tangents: exp(primals[0]) * tangents[0])
    np.testing.assert_allclose(nth_grad(exp, 4)(0.3), np.exp(0.3), rtol=1e-15)


def test_forward_rule_gives_zero_as_none():
    f = host_function(np.floor, "()->()").jvp(lambda y, primals, tangents: None)
    assert jax.grad(lambda x: f(x) * x)(2.5) == 2.0


# -- reverse rules ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("order", "value"), [(1, 12.0), (2, 12.0), (3, 6.0)])
@pytest.mark.parametrize("wrap", [lambda f: f, jax.jit, jax.checkpoint], ids=["-", "jit", "ckpt"])
def test_grad_of_grad(order, value, wrap):
    assert nth_grad(wrap(make_cube()), order)(2.0) == value


def test_grad_of_grad_under_vmap_and_vmap_under_grad():
    cube, x = make_cube(), jnp.arange(4.0)
    agree(jax.vmap(nth_grad(cube, 2))(x), 6 * x)
    agree(jax.jacrev(jax.grad(lambda x: jnp.sum(jax.vmap(cube)(x))))(x), jnp.diag(6 * x))


def iterate(f, loop):
    """x -> f(x)/4 + x/3, three times."""

    def step(_, c):
        return f(c) / 4 + c / 3

    def run(x):
        if loop == "scan":
            return jax.lax.scan(lambda c, _: (step(None, c), None), x, length=3)[0]
        if loop == "fori_loop":
            return jax.lax.fori_loop(0, 3, step, x)
        for _ in range(3):
            x = step(None, x)
        return x

    return run


@pytest.mark.parametrize("loop", ["scan", "fori_loop"])
@pytest.mark.parametrize("order", [1, 2])
def test_grad_of_a_loop(loop, order):
    found = jax.jit(nth_grad(iterate(make_cube(), loop), order))(1.3)
    agree(found, nth_grad(iterate(lambda x: x**3, "python"), order)(1.3))


@pytest.mark.parametrize("loop", ["scan", "fori_loop"])
def test_grad_of_grad_inside_a_loop(loop):
    """Where a rule kept by jax.custom_jvp around a callback is lost."""
    found = jax.jit(iterate(nth_grad(make_cube(), 2), loop))(0.7)
    agree(found, iterate(lambda x: 6 * x, "python")(jnp.array(0.7)))


def test_cond_and_pytrees_of_branches():
    cube = make_cube()
    f = nth_grad(lambda x: jax.lax.cond(x > 0, cube, lambda x: x**2, x), 2)
    assert (f(2.0), f(-2.0)) == (12.0, 2.0)


@pytest.mark.parametrize(
    "forwards",
    [
        lambda f: jax.jvp(f, (2.0,), (1.0,)),
        lambda f: jax.jit(lambda x: jax.jvp(f, (x,), (1.0,)))(2.0),
        lambda f: jax.jacfwd(f)(2.0),
        lambda f: jax.hessian(f)(2.0),
        lambda f: jax.jacfwd(jax.grad(f))(2.0),
        lambda f: jax.linearize(f, 2.0)[1](1.0),
        lambda f: jax.vmap(jax.jacfwd(f))(jnp.ones(3)),
    ],
)
def test_forward_mode_is_refused_by_name(forwards):
    message = r"(cube|square) has a reverse-mode rule \(vjp\) only, .* jacrev\(jacrev\(f\)\)"
    with pytest.raises(NotImplementedError, match=message):
        forwards(make_cube())


def test_second_derivative_needs_a_rule_of_the_function_in_the_rule():
    f = host_function(np.sin).vjp(lambda y, primals, c: (c * host_function(np.cos)(primals[0]),))
    np.testing.assert_allclose(jax.grad(f)(0.3), np.cos(0.3), rtol=1e-15)
    with pytest.raises(NotImplementedError, match="cos: no derivative rule"):
        nth_grad(f, 2)(0.3)


def test_reverse_rule_of_several_results_sees_zeros_for_the_unused():
    seen = []

    def rule(y, primals, cotangents):
        seen.append(jax.tree.map(jnp.shape, cotangents))
        return jnp.cos(primals[0]) * cotangents[0] + cotangents[1]

    f = host_function(lambda x: (np.sin(x), x.sum()), "(n)->(n),()").vjp(rule)
    x = jnp.array([0.1, 0.2])
    agree(jax.grad(lambda x: f(x)[0].sum())(x), jnp.cos(x))
    agree(jax.grad(lambda x: f(x)[1])(x), jnp.ones(2))
    assert seen == [((2,), ())] * 2


def test_reverse_rule_runs_once_a_gradient():
    calls = []
    f = host_function(np.sin, "()->()", name="sin")
    cos = host_function(lambda x: calls.append(None) or np.cos(x), "()->()")
    f.vjp(lambda y, primals, c: (c * cos(primals[0]),))
    jax.jit(jax.grad(f))(0.3)
    assert len(calls) == 1


# -- pytrees ---------------------------------------------------------------------------------------


def affine(p, x, *, offset):
    return {"y": p["slope"] * x + offset, "n": x.size}


def make_affine(kind):
    f = host_function(
        affine,
        result_shape_dtypes=lambda p, x, *, offset: {
            "y": Struct(x.shape, x.dtype),
            "n": Struct((), np.int32),
        },
        vmap_method="sequential",
    )

    def forwards(result, primals, tangents):
        (p, x, _), (dp, dx, dk) = primals, tangents
        return {"y": dp["slope"] * x + p["slope"] * dx + dk["offset"], "n": None}

    def backwards(result, primals, cotangent):
        p, x, _ = primals
        c = cotangent["y"]
        return {"slope": jnp.vdot(c, x), "unused": None}, p["slope"] * c, {"offset": c.sum()}

    return f.jvp(forwards) if kind == "jvp" else f.vjp(backwards)


@pytest.mark.parametrize("kind", KINDS)
def test_rules_of_functions_of_pytrees(kind):
    f = make_affine(kind)

    def loss(f):
        def of(p, x, offset):
            result = f(p, x, offset=offset)
            return jnp.sum(result["y"] ** 2) * result["n"]

        return jax.grad(of, (0, 1, 2))

    args = {"slope": 2.0, "unused": 5.0}, jnp.arange(3.0), 0.5
    wanted = loss(affine)(*args)
    agree(loss(f)(*args), wanted)
    found = jax.jit(jax.vmap(loss(f), (None, 0, None)))(args[0], jnp.stack([args[1]] * 2), 0.5)
    agree(found, jax.tree.map(lambda x: jnp.stack([x] * 2), wanted))


# -- what is refused -------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_gradient_of_a_rule_that_returns_complex_values_for_real_ones(kind):
    f = host_function(np.sin, "()->()", name="sine")
    rule = {"jvp": lambda y, x, t: 1j * t[0], "vjp": lambda y, x, c: (1j * c,)}[kind]
    getattr(f, kind)(rule)
    with pytest.raises(TypeError, match=f"sine: the {kind} rule returned complex values"):
        jax.grad(f)(0.3)


@pytest.mark.parametrize(
    ("kind", "rule", "message"),
    [
        ("jvp", lambda y, x, t: jnp.ones(3), r"returned shape \(3,\) in place 0, where \(2,\)"),
        ("jvp", lambda y, x, t: (t[1], t[1]), r"shape \(2, 2\) in place 0, where \(2,\)"),
        ("vjp", lambda y, x, c: (jnp.ones(3), c), r"shape \(3,\) in place 0, where \(2, 2\)"),
        ("vjp", lambda y, x, c: (None, jnp.ones(())), r"shape \(\) in place 1, where \(2,\)"),
        ("vjp", lambda y, x, c: (c,), "returned 1 values where 2 are expected"),
        ("vjp", lambda y, x, c: c, "returned 1 values where 2 are expected"),
    ],
)
def test_rules_that_return_what_does_not_fit(kind, rule, message):
    f = host_function(np.linalg.solve, "(n,n),(n)->(n)", name="solve")
    getattr(f, kind)(rule)
    with pytest.raises(ValueError, match=f"solve: the {kind} rule.*{message}"):
        jax.grad(squared_norm(f), (0, 1))(A, B)


def linear_solver():
    f = host_function(np.linalg.solve, "(n,n),(n)->(n)", name="solve")
    f.jvp(lambda y, xs, ts: f(xs[0], ts[1] - ts[0] @ y))
    return f.linear_in("b", lambda c, a: f(a.T, c))


def test_a_linear_host_function_transposes():
    solve = linear_solver()
    loss = squared_norm(solve)
    plain = squared_norm(jnp.linalg.solve)
    for transform in (jax.grad, jax.hessian, lambda f: jax.jacrev(jax.jacrev(f))):
        for i in (0, 1):
            found = jax.jit(transform(lambda x, i=i: loss(*(x, B) if i == 0 else (A, x))))
            expected = transform(lambda x, i=i: plain(*(x, B) if i == 0 else (A, x)))
            at = (A, B)[i]
            np.testing.assert_allclose(found(at), expected(at), rtol=1e-12)


def test_a_linear_host_function_transposes_over_batches_that_broadcast():
    solve = linear_solver()
    many = jnp.stack([A, 2 * A, A.T])
    found = jax.grad(lambda b: jnp.sum(solve(many, b) ** 2))(B)
    expected = sum(jax.grad(lambda b, a=a: jnp.sum(jnp.linalg.solve(a, b) ** 2))(B) for a in many)
    np.testing.assert_allclose(found, expected, rtol=1e-12)
    mapped = jax.vmap(lambda a: jax.grad(lambda b: jnp.sum(solve(a, b) ** 2))(B))(many)
    np.testing.assert_allclose(jnp.sum(mapped, 0), expected, rtol=1e-12)


def test_what_is_not_declared_linear_does_not_transpose():
    solve = host_function(np.linalg.solve, "(n,n),(n)->(n)", name="solve")
    solve.jvp(lambda y, xs, ts: solve(xs[0], ts[1] - ts[0] @ y))
    with pytest.raises(NotImplementedError, match="linear_in"):
        jax.grad(squared_norm(solve), 1)(A, B)


def test_linear_in_names_what_is_wrong():
    with pytest.raises(TypeError, match=r"square.*no array argument 'z'"):
        host_function(lambda x: x**2, "()->()", name="square").linear_in("z", lambda c: c)
    with pytest.raises(ValueError, match=r"noisy.*linear_in"):
        host_function(lambda x: x, "()->()", name="noisy", effects="ordered").linear_in(
            "x", lambda c: c
        )
