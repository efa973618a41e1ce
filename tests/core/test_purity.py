"""`check_pure` finds each kind of impurity, and says so."""

import itertools

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jaxsci import host_function
from jaxsci.callback import PurityReport, check_pure

X = np.linspace(0.1, 0.9, 5)
Struct = jax.ShapeDtypeStruct


def problems(fn, *args, **kwargs):
    report = check_pure(fn, *args, **kwargs)
    assert isinstance(report, PurityReport)
    assert bool(report) is not bool(report.problems)
    return report.problems


# -- pure ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "fn",
    [
        np.sin,
        host_function(np.sin),
        host_function(np.modf),
        host_function(np.frexp, dtype=(np.float64, np.int32)),
        host_function(np.sort, "(n)->(n)", batched=True),
        host_function(np.sum, "(n)->()"),
        host_function(lambda x: x.astype(complex), "(n)->(n)", dtype=np.complex64),
        host_function(lambda x: x * np.nan, "()->()"),
    ],
    ids=lambda f: getattr(f, "name", str(f)),
)
def test_pure_functions_pass(fn):
    assert problems(fn, X) == []


def test_scalars_static_and_keyword_arguments():
    def power(x, k, *, scale):
        return scale * x**k

    assert problems(power, 2.0, 3, scale=0.5) == []
    f = host_function(power, "(),()->()", static_argnames="k")
    assert problems(f, 2.0, 3, scale=0.5) == problems(f, 2.0, k=3, scale=0.5) == []


def test_pytrees():
    f = host_function(
        lambda d, *, s: {"y": d["x"] * s[..., None]},
        result_shape_dtypes=lambda d, *, s: {"y": d["x"]},
        vmap_method="expand_dims",
    )
    assert problems(f, {"x": X}, s=np.array(2.0)) == []


def test_functions_outside_whose_domain_the_neighbours_are():
    def inside(x):
        if x > 1:
            raise ValueError("outside")
        return np.sqrt(1 - x)

    assert problems(host_function(inside, "()->()"), 1.0) == []


# -- impure ----------------------------------------------------------------------------------------


def test_state_is_found():
    counter = itertools.count()
    (problem,) = problems(lambda x: x + next(counter), X)
    assert "different results: it depends on some state" in problem


def test_randomness_is_found():
    rng = np.random.default_rng(0)
    assert any("depends on some state" in p for p in problems(lambda x: rng.normal(size=5), X))


@pytest.mark.parametrize("keyword", [False, True])
def test_changed_arguments_are_found(keyword):
    def sort(x):
        x.sort()
        return x

    given = X[::-1].copy()
    (problem,) = problems(sort, x=given) if keyword else problems(sort, given)
    assert problem == "it changed its arguments in place: copy them first"
    np.testing.assert_array_equal(given, X[::-1])


def test_jax_inside_is_found():
    (problem,) = problems(lambda x: jnp.sin(x), X)
    assert "it returned JAX arrays" in problem


def test_wrong_shapes_are_found():
    (problem,) = problems(host_function(lambda x: x[:-1], "(n)->(n)"), X)
    assert problem == "declared shapes [(5,)], returned [(4,)]"


@pytest.mark.parametrize(
    ("value", "dtype"), [(1j, np.float64), (0.5, np.int32), (1j, np.int32), (2, np.bool_)]
)
def test_wrong_dtypes_are_found(value, dtype):
    f = host_function(lambda x: np.asarray(value), "()->()", dtype=dtype)
    assert any("declared dtypes" in p for p in problems(f, 0.5))


def test_wrong_number_of_results_is_found():
    f = host_function(lambda x: (x, x), "(n)->(n)")
    assert any("declared shapes" in p for p in problems(f, X))


@pytest.mark.parametrize(
    ("fn", "options"),
    [
        (lambda x: x / x.max(), {"signature": "(n)->(n)", "batched": True}),
        (lambda x: x.sum(), {"signature": "(n)->()", "batched": True}),
        (lambda x: x[..., ::-1].sum(0), {"signature": "(n)->()", "batched": True}),
        (
            lambda x: x - x.mean(),
            {"result_shape_dtypes": Struct((5,), np.float64), "vmap_method": "expand_dims"},
        ),
    ],
)
def test_dependence_on_the_batch_is_found(fn, options):
    assert any("batch" in p for p in problems(host_function(fn, name="f", **options), X))


def test_arguments_that_do_not_fit_the_signature_are_found():
    (problem,) = problems(host_function(lambda x: x.sum(), "(n,n)->()", name="f"), X)
    assert problem.startswith("the declaration does not fit the arguments: f: argument 'x' needs")


def test_exceptions_are_reported():
    def fail(x):
        raise KeyError("lost")

    assert problems(fail, X) == ["raised KeyError: 'lost'"]


def test_functions_with_effects_are_not_called_in_batches():
    calls = []
    f = host_function(lambda x: calls.append(None) or x, "()->()", effects="unordered")
    assert problems(f, 1.0) == []
    assert len(calls) == 2


# -- the report ------------------------------------------------------------------------------------


def test_report_of_a_pure_function():
    assert str(check_pure(host_function(np.sin), 0.5)).splitlines() == [
        "sin: nothing speaks against purity",
        "  ok       two calls with the same arguments gave the same result",
        "  ok       the arguments were left untouched",
        "  ok       the results have the declared shapes [()]",
        "  ok       the results' dtypes fit the declared ones ['float64']",
        "  ok       a batch gives what its slices give alone",
    ]


def test_report_of_an_impure_function():
    counter = itertools.count()

    def count(x):
        return x + next(counter)

    assert str(check_pure(count, 0.5)).splitlines() == [
        "count: NOT pure",
        "  ok       the arguments were left untouched",
        "  problem  two calls with the same arguments gave different results: it depends on some "
        "state",
    ]
