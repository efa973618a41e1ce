"""What users see when a host function, or a rule of theirs, goes wrong."""

import inspect
import os

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from processes import outcome

from jaxsci import host_function, use_backend
from jaxsci._core.dispatch import BACKENDS
from jaxsci.callback import real_linear

LINE = "    return table[int(x)]"


def looked_up(x):
    table = [1.0]
    return table[int(x)]


def fragile(x):
    return looked_up(x) * 2


def elementwise(**options):
    return host_function(fragile, "()->()", **options)


def with_rules():
    f = elementwise()
    return f.partials(lambda y, x: 3 * f(x))


def of_pytrees():
    number = jax.ShapeDtypeStruct((), np.float64)
    return host_function(fragile, result_shape_dtypes=number, vmap_method="sequential")


def as_written_there(message):
    """The message names the function, the exception, and the lines where it was raised."""
    assert "the host function 'fragile' raised IndexError: list index out of range" in message
    assert f'File "{__file__}"' in message
    assert f"line {inspect.getsourcelines(looked_up)[1] + 2}, in looked_up\n{LINE}" in message
    assert "in fragile\n    return looked_up(x) * 2" in message
    # Our own frames do not stand between the headline and the user's.
    assert "jaxsci" not in message.partition("In the host function:")[2].replace(__file__, "")


def run(f, *args):
    def to_the_end():
        jax.block_until_ready(f(*args))
        jax.effects_barrier()

    with pytest.raises(jax.errors.JaxRuntimeError) as caught:
        to_the_end()
    return str(caught.value)


USES = {
    "eager": lambda f: f(5.0),
    "jit": lambda f: jax.jit(f)(5.0),
    "vmap": lambda f: jax.vmap(f)(jnp.array([0.0, 5.0])),
    "scan": lambda f: jax.lax.scan(lambda c, _: (f(c), None), 5.0, length=2)[0],
}


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("make", [elementwise, of_pytrees])
def test_an_exception_shows_the_lines_of_the_host_function(make, use, backend):
    with use_backend(backend):
        as_written_there(run(USES[use], make()))
        assert elementwise()(0.0) == 2.0  # and the next call is fine


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("order", [1, 2])
def test_an_exception_in_a_derivative_shows_the_lines_of_the_host_function(order, backend):
    f = with_rules()
    for _ in range(order):
        f = jax.grad(f)
    with use_backend(backend):
        as_written_there(run(f, 5.0))
        assert f(0.0) == 2.0 * 3**order


@pytest.mark.parametrize("effects", ["unordered", "ordered", "debug"])
def test_an_exception_of_a_function_with_effects_shows_its_lines(effects):
    signature = None if effects == "debug" else "()->()"
    f = host_function(fragile, signature, effects=effects)
    as_written_there(run(jax.jit(f), 5.0))
    jax.block_until_ready(f(0.0))
    jax.effects_barrier()


def test_an_exception_shows_what_caused_it():
    def converted(x):
        try:
            return looked_up(x)
        except IndexError as error:
            raise ArithmeticError("no value") from error

    message = run(host_function(converted, "()->()"), 5.0)
    assert "'converted' raised ArithmeticError: no value" in message
    assert LINE in message


def test_an_exception_that_cannot_be_written_is_reported_all_the_same():
    class Odd(Exception):
        def __str__(self):
            raise ValueError

    def odd(x):
        raise Odd

    assert "the host function 'odd' raised Odd" in run(host_function(odd, "()->()"), 1.0)


@pytest.mark.parametrize(
    ("returned", "signature", "message"),
    [
        ([1.0, 2.0], "()->()", "returned a list of 2 for its one result: .* np.asarray of it"),
        ((1.0, 2.0), "(n)->(n)", "returned a tuple of 2 for its one result: .* np.asarray of it"),
        ([], "()->()", "returned a list of 0 for its one result: .* np.asarray of it"),
        (1.0, "()->(),()", "returned one array for its 2 results"),
        ([1.0], "()->(),()", "returned a list of 1 for its 2 results"),
        ([1.0], "(n)->(n)", r"returned shape \(\) where \(2,\) was declared"),
        ([1.0, [2.0, 3.0]], None, "returned PyTreeDef.* was declared: .* np.asarray of it"),
    ],
)
def test_a_list_for_one_result_is_refused_in_plain_words(returned, signature, message):
    declared = None if signature else jax.ShapeDtypeStruct((2,), np.float64)
    f = host_function(lambda x: returned, signature, result_shape_dtypes=declared, name="lists")
    with pytest.raises(jax.errors.JaxRuntimeError, match=f"'lists' {message}"):
        f(np.ones(2) if signature == "(n)->(n)" else 1.0)


# -- rules -----------------------------------------------------------------------------------------


def square_with(rule):
    return host_function(lambda x: x * x, "()->()", name="square", batched=True).partials(x=rule)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(
    ("rule", "kind", "message"),
    [
        (lambda y, x: jnp.ones(5), ValueError, r"returned shape \(5,\), where the result has"),
        (lambda y, x: 2j * x, TypeError, "returned complex numbers, where the result is real"),
        (lambda y, x: "slope", TypeError, "must return numbers of the result's shape .*, got str"),
        (lambda y, x: x > 0, TypeError, "must return numbers of the result's shape .*, got bool"),
        (lambda y, x: [[x, x]], TypeError, "must return numbers of the result's shape .*, got lis"),
        (real_linear("none", lambda y, x: x), ValueError, "must return a pair, the derivatives"),
    ],
)
def test_a_partial_that_does_not_fit_names_function_and_argument(
    rule, kind, message, backend, dtype
):
    f = square_with(rule)
    with use_backend(backend), pytest.raises(kind, match=f"square: the .*rule for 'x' {message}"):
        jax.grad(lambda x: f(x).sum())(jnp.arange(3, dtype=dtype))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("backend", BACKENDS)
def test_a_partial_may_be_a_python_number(backend, dtype):
    f = square_with(lambda y, x: 2.0)
    with use_backend(backend):
        slope = jax.grad(lambda x: f(x).sum())(jnp.arange(3, dtype=dtype))
    np.testing.assert_array_equal(slope, np.full(3, 2, dtype))


def product_with(rule):
    return host_function(lambda a, b: a * b, "(n),(n)->(n)", name="product").jvp(rule)


A = jnp.arange(3.0)
NOT_LINEAR = {
    "sine": (lambda y, p, t: jnp.sin(t[0]), "'a'"),
    "absolute": (lambda y, p, t: jnp.where(t[0] > 0, t[0], -t[0]), "'a'"),
    "one of two": (lambda y, p, t: t[0] * p[1] + p[0] * t[1] * t[1], "'b'"),
    "of both": (lambda y, p, t: t[0] * t[1], "'a', 'b'"),
}


@pytest.mark.parametrize("use", ["eager", "jit", "vmap"])
@pytest.mark.parametrize("which", NOT_LINEAR)
def test_a_rule_that_is_not_linear_names_function_and_arguments(which, use):
    rule, arguments = NOT_LINEAR[which]
    f = product_with(rule)

    def total(a):
        return jax.lax.scan(lambda c, _: (f(c, c), None), a, length=2)[0].sum()

    gradient = {"eager": jax.grad(total), "jit": jax.jit(jax.grad(total))}.get(use)
    if gradient is None:
        gradient = jax.jit(jax.vmap(jax.grad(total), axis_size=2, in_axes=None))
    message = f"product: reverse mode cannot transpose the jvp rule in the tangents of {arguments}:"
    with pytest.raises(NotImplementedError, match=message):
        gradient(A)


def test_a_rule_that_is_linear_is_left_alone():
    f = product_with(lambda y, p, t: t[0] * p[1] + p[0] * t[1])
    np.testing.assert_array_equal(jax.hessian(lambda a: f(a, a).sum())(A), 2 * np.eye(3))
    batch = jax.jit(jax.vmap(jax.grad(lambda a: f(a, a).sum())))(jnp.stack([A, 2 * A]))
    np.testing.assert_array_equal(batch, [2 * A, 4 * A])


def test_a_rule_of_pytrees_that_is_not_linear_says_where():
    f = host_function(
        lambda data, *, weight: data["x"] * weight,
        result_shape_dtypes=lambda data, *, weight: data["x"],
        name="weighted",
    ).jvp(lambda y, p, t: jnp.sin(t[0]["x"]) * p[1]["weight"])
    with pytest.raises(NotImplementedError, match=r"weighted: .* in the tangents of .data\['x'\]"):
        jax.grad(lambda x: f({"x": x}, weight=2.0).sum())(A)


@pytest.mark.parametrize("returned", ["sum", True])
def test_a_jvp_rule_that_returns_no_numbers_is_refused_by_name(returned):
    f = product_with(lambda y, p, t: returned)
    with pytest.raises(TypeError, match="product: the jvp rule must return numbers in place 0"):
        jax.jvp(f, (A, A), (A, A))


@pytest.mark.parametrize(
    ("transpose", "message"),
    [
        (lambda c, b: c.sum(), r"linear_in rule returned shape \(\) in place 0, where \(3,\)"),
        (lambda c, b: "c", "linear_in rule must return numbers in place 0"),
        (lambda c, b: 1j * c, "linear_in rule returned complex values in place 0, not real"),
    ],
)
def test_a_transpose_that_does_not_fit_is_refused_by_name(transpose, message):
    f = product_with(lambda y, p, t: f(t[0], p[1]))
    f.linear_in("a", transpose)
    with pytest.raises(Exception, match=f"product: the {message}"):
        jax.grad(lambda a: f(a, A).sum())(A)


# -- what else a host function may do --------------------------------------------------------------


def returning(value):
    return host_function(lambda x: value, "(n)->(n)", name="odd", batched=True)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(
    ("value", "message"),
    [
        (None, "returned what is no array of numbers: NoneType"),
        ((i for i in (1.0, 2.0)), "returned what is no array of numbers: generator"),
        (np.array([1.0, None]), "returned what is no array of numbers: ndarray"),
        (10**400, "returned what is no array of numbers: int"),
        ("12", "returned values of <U2 that do not fit the declared float64"),
        (np.zeros(2, "M8[s]"), "returned values of datetime64.s. that do not fit"),
        (np.ones(2) * 1j, "returned values of complex128 that do not fit the declared float64"),
        (np.ma.array([1.0, 2.0], mask=[False, True]), "returned a masked array; fill what is"),
        (np.ones(3), r"returned shape \(3,\) where \(2,\) was declared"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_is_no_result_is_refused_by_name(value, message, backend):
    with use_backend(backend):
        with pytest.raises(jax.errors.JaxRuntimeError, match=f"the host function 'odd' {message}"):
            returning(value)(jnp.ones(2))
        np.testing.assert_array_equal(returning(np.ones(2))(jnp.ones(2)), 1.0)


@pytest.mark.parametrize(
    "value", [np.array([1, 2], kind) for kind in (np.float32, int, np.longdouble)]
)
def test_numbers_of_another_kind_become_the_declared_one(value):
    y = returning(value)(jnp.ones(2))
    assert y.dtype == np.float64
    np.testing.assert_array_equal(y, [1.0, 2.0])
    np.testing.assert_array_equal(
        returning(np.array([np.nan, np.inf]))(jnp.ones(2)), [np.nan, np.inf]
    )
    unmasked = np.ma.array([1.0, 2.0], mask=[False, False])
    np.testing.assert_array_equal(returning(unmasked)(jnp.ones(2)), [1.0, 2.0])


@pytest.mark.parametrize("jitted", [False, True])
def test_arguments_cannot_be_written_to(jitted):
    def doubled(x):
        x *= 2
        return x

    f = host_function(doubled, "(n)->(n)", batched=True)
    x = jnp.arange(3.0)
    with pytest.raises(
        jax.errors.JaxRuntimeError, match=r"'doubled' raised ValueError: .*read-only"
    ):
        (jax.jit(f) if jitted else f)(x)
    np.testing.assert_array_equal(x, np.arange(3.0))


def test_arguments_may_be_kept():
    kept = []

    def keeping(x):
        kept.append(x)
        return x

    f = host_function(keeping, "(n)->(n)", batched=True)
    x = jnp.arange(1e4)
    y = jax.jit(lambda x: f(3 * x))(x)
    for i in range(20):  # whose memory would be where the argument was
        jax.block_until_ready(jax.jit(lambda x, i=i: jnp.sin(x) + i)(x))
    np.testing.assert_array_equal(kept[0], 3 * np.arange(1e4))
    np.testing.assert_array_equal(y, 3 * np.arange(1e4))


def test_what_is_printed_comes_out(capfd):
    def chatty(x):
        print("a line", flush=True)
        return x

    jax.block_until_ready(jax.jit(host_function(chatty, "()->()"))(1.0))
    assert capfd.readouterr().out == "a line\n"


@pytest.mark.parametrize("kind", [KeyboardInterrupt, SystemExit, GeneratorExit, StopIteration])
def test_exceptions_that_end_programs_are_errors_like_others(kind):
    def ending(x):
        raise kind("now")

    message = run(host_function(ending, "()->()"), 1.0)
    assert f"the host function 'ending' raised {kind.__name__}: now" in message


@pytest.mark.rotating(0.3)
@pytest.mark.skipif(os.name == "nt", reason="SIGINT cannot be sent to a process alone")
@pytest.mark.parametrize("use", ["eager", "jit", "scan"])
def test_an_interrupt_ends_the_host_function_and_not_the_process(use):
    done = outcome("core/interrupted_program.py", use, environment={})
    raised, when, *after = done.stdout.splitlines()
    assert raised.endswith(" True"), done.stdout
    assert when == "at once"
    assert after == ["[0. 0.] [2. 2.]"]


def test_small_computations_of_jax_inside():
    """They are not recommended: see docs/callbacks.md. Small ones work all the same."""
    inner = host_function(lambda x: 2 * x, "(n)->(n)", batched=True)
    outer = host_function(lambda x: np.asarray(jax.jit(inner)(x) + 1), "(n)->(n)", batched=True)
    np.testing.assert_array_equal(jax.jit(outer)(jnp.arange(3.0)), [1.0, 3.0, 5.0])
