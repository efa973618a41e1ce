"""What users see when a host function, or a rule of theirs, goes wrong."""

import inspect

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jaxsci import host_function, use_backend
from jaxsci._dispatch import BACKENDS

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
    with pytest.raises(jax.errors.JaxRuntimeError) as caught:
        jax.block_until_ready(f(*args))
        jax.effects_barrier()
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
    options = {} if signature else {"result_shape_dtypes": jax.ShapeDtypeStruct((2,), np.float64)}
    f = host_function(lambda x: returned, signature, name="lists", **options)
    with pytest.raises(jax.errors.JaxRuntimeError, match=f"'lists' {message}"):
        f(np.ones(2) if signature == "(n)->(n)" else 1.0)
