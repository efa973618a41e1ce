"""Arguments that make no sense are refused by name; those of public functions are drawn from all.

`python tests/support/bad_input.py --minutes 30` tries as many as there is time for.
"""

import inspect
import json
from typing import Any

import jax
import jax.numpy as jnp
import mpmath
import numpy as np
import pytest
from processes import outcome
from public_calls import calls
from rotation import DRAW, drawn

from jaxsci import linalg, special


def flags_and_choices(function):
    """The parameters of a function that are True or False, or the name of something."""
    parameters = inspect.signature(function).parameters.values()
    return {
        p.name: p.default
        for p in parameters
        if isinstance(p.default, bool | str)
        and not p.name.startswith("overwrite")
        and p.name != "check_finite"
    }


NAMES = sorted({call.name for call in calls()})


@pytest.mark.rotating(1)
def test_drawn_functions_stand_bad_arguments():
    few = drawn(NAMES, 3, "bad input")
    done = outcome(
        "support/bad_input.py", "--trials", 6, "--seed", DRAW % 10**6, *few, environment={}
    )
    assert json.loads(done.stdout)["wrong"] == []


@pytest.mark.rotating(1)
def test_no_object_in_the_place_of_an_argument_is_let_through():
    """Each of them in each place of drawn functions; those with tolerances always."""
    few = {*drawn(NAMES, 12, "objects"), "orth", "eigh_tridiagonal", "fractional_matrix_power"}
    done = outcome("support/bad_input.py", "--objects", *sorted(few), environment={})
    assert json.loads(done.stdout)["wrong"] == []


class OfArrays:
    def __array__(self, dtype=None, copy=None):
        return np.ones(2)


class OfJaxArrays:
    def __jax_array__(self):
        return jnp.ones(2)


NO_ARRAYS = {
    "a masked array": np.ma.array([1.0, 2.0], mask=[False, True]),
    "a shape": jax.ShapeDtypeStruct((2,), np.float64),
    "an object of arrays": OfArrays(),
    "an object of JAX's arrays": OfJaxArrays(),
    "long doubles": np.ones(2, np.longdouble),
    "a string": "one",
}


@pytest.mark.parametrize("what", NO_ARRAYS)
def test_what_is_no_array_is_refused_by_name(what):
    x = NO_ARRAYS[what]
    with pytest.raises(TypeError, match=r"^jv: argument 'z' must be an array or a scalar, got"):
        special.jv(1.0, x)
    with pytest.raises(TypeError, match=r"^yvp: argument 'z' must be an array or a scalar, got"):
        special.yvp(1.0, x, 2)
    if "object" not in what:  # functions of matrices take what jnp.asarray takes
        with pytest.raises(TypeError, match=r"^det: argument 'a' must be an array, got"):
            linalg.det(x)


def test_what_sums_of_exponentials_refuse():
    for function in (special.logsumexp, special.softmax, special.log_softmax):
        name = rf"^{function.__name__}: argument '[ax]'"
        with pytest.raises(ValueError, match=name + " is an integer that int64 cannot hold"):
            function(2**63)
        with pytest.raises(TypeError, match=name + " must be an array of numbers, got Masked"):
            function(NO_ARRAYS["a masked array"])
        with pytest.raises(TypeError, match=name + " must have at least 16 bits"):
            function(jnp.ones(2, "float8_e4m3fn"))
    for flag in ("keepdims", "return_sign"):
        wrong: Any = {flag: np.ones(2)}
        with pytest.raises(TypeError, match=rf"^logsumexp: argument '{flag}' must be True or"):
            special.logsumexp(jnp.ones(2), **wrong)
        with pytest.raises(TypeError, match=rf"^logsumexp: argument '{flag}' must be True or"):
            jax.jit(lambda x, f=flag: special.logsumexp(jnp.ones(2), **{f: x}))(True)


def test_tables_that_are_refused_by_scipy_name_the_argument():
    with pytest.raises(ValueError, match=r"^erf_zeros: nt = 0: Argument must be positive"):
        special.erf_zeros(0)
    with pytest.raises(ValueError, match=r"^mathieu_even_coef: m = 1, q = nan: cannot convert"):
        special.mathieu_even_coef(1, float("nan"))


def test_room_for_eigenvalues_is_an_integer():
    band = np.ones((2, 3))
    several: list[Any] = [np.ones(2), jax.random.key(0), 0.5, "all"]
    for wrong in several:
        with pytest.raises(TypeError, match=r"^eig_banded: argument 'max_ev' must be an integer"):
            linalg.eig_banded(band, select="v", select_range=(0.0, 2.0), max_ev=wrong)


def test_sketches_of_sizes_that_no_memory_holds():
    for size in (2**31, 2**63, 10**400):
        with pytest.raises(ValueError, match=r"argument 'sketch_size' must be at most"):
            linalg.clarkson_woodruff_transform(np.ones((3, 2)), size, rng=0)
    with pytest.raises(ValueError, match=r"argument 'seed' must be less than"):
        linalg.clarkson_woodruff_transform(np.ones((3, 2)), 2, seed=2**32)


def test_the_dtype_of_a_refused_array_is_named():
    with pytest.raises(TypeError, match=r"^inv: argument 'a' must be an array, got ndarray of "):
        linalg.inv(np.eye(2).astype(object))


def test_integers_of_more_than_64_bits_are_refused_by_name():
    for n in (2**63, 10**30, -(10**400)):
        with pytest.raises(ValueError, match=r"^jv: argument 'v' is an integer that int64 cannot"):
            special.jv(n, 1.0)
        with pytest.raises(ValueError, match=r"^expm: argument 'A' is an integer that int64"):
            linalg.expm(n)
        with pytest.raises(ValueError, match=r"^riccati_yn: argument 'n' must be smaller than 2\*"):
            special.riccati_yn(n, 1.0)


def test_dtypes_without_promotion_are_refused_with_the_functions_name():
    narrow = jnp.ones((2, 2), jnp.float8_e4m3fn)
    with pytest.raises(ValueError, match=r"^jv: Input dtypes "):
        special.jv(1, narrow)
    with pytest.raises(ValueError, match=r"^round: Input dtypes "):
        special.round(narrow)
    with pytest.raises(TypeError, match=r"^inv: argument 'a' must have at least 16 bits a number"):
        linalg.inv(narrow)


def test_a_static_argument_that_is_an_array_is_refused_by_name():
    for several in (np.eye(2), jnp.ones(3)):
        with pytest.raises(TypeError, match=r"^factorial2: argument 'exact' must be a Python bool"):
            special.factorial2(3, several)  # pyright: ignore[reportArgumentType]


# -- orders of derivatives of Bessel functions -----------------------------------------------------

DERIVATIVES = ("jvp", "yvp", "kvp", "ivp", "h1vp", "h2vp")


@pytest.mark.parametrize("name", DERIVATIVES)
def test_high_derivatives_of_bessel_functions_are_refused_where_scipy_raises(name):
    function = getattr(special, name)
    for n in (1024, 10**9, 2**31, -1):
        with pytest.raises(ValueError, match=f"^{name}: argument 'n' must be from 0 to 1023"):
            function(np.array([1, 2], np.uint8), 1.5, n)


@pytest.mark.rotating(1)
def test_derivatives_of_bessel_functions_beyond_64_bits():
    """2**n and binomials of n are integers of more than 64 bits from n = 64 on."""
    n = 70
    with mpmath.workdps(60):
        orders = [(mpmath.binomial(n, k), 1 - n + 2 * k) for k in range(n + 1)]
        truth = mpmath.fsum(c * mpmath.besselk(v, 700) for c, v in orders) / 2**n
    np.testing.assert_allclose(special.kvp(1.0, 700.0, n), float(truth), 1e-12)


def test_derivatives_of_struve_functions_in_the_order_end_far_out():
    """The modified one's series has terms in proportion to x: at 1e300 the sum never ended."""
    v, x = np.array([1.0, 1.0, 0.1, 150.0]), np.array([2.0, 1e300, 1e9, 720.0])
    found = jax.vmap(jax.grad(special.modstruve))(v, x)
    with mpmath.workdps(40):
        expected = [
            float(mpmath.diff(lambda v, x=x: mpmath.struvel(v, x), v))
            for v, x in ((1.0, 2.0), (150.0, 720.0))
        ]
    np.testing.assert_allclose(np.asarray(found)[[0, 3]], expected, 1e-11)
    assert np.all(np.isnan(np.asarray(found)[1:3]))


def test_sequences_of_orders_that_c_cannot_count():
    for function in (special.pbdv_seq, special.pbvv_seq):
        with pytest.raises(ValueError, match=rf"^{function.__name__}: argument 'v' must be less"):
            function(2**31, 0.5)


def test_derivatives_in_order_of_nothing():
    """A batch of no arguments has a derivative of as many."""
    nothing = jnp.zeros((0, 3))
    _, pull = jax.vjp(lambda v: special.kvp(v, jnp.ones(3), 1), nothing)
    assert pull(nothing)[0].shape == (0, 3)


# -- functions of matrices -----------------------------------------------------------------------


STATIC = [
    (call, name, default)
    for call in calls()
    if call.package == "linalg" and not call.variant
    for name, default in flags_and_choices(call.function).items()
]


@pytest.mark.parametrize("value", ["abc", np.array([None, 1]), np.ma.array([1, 2]), 2])
def test_flags_and_choices_of_matrix_functions_are_refused_by_name(value):
    """Each of them: what is let through decides shapes, or is compared element by element."""
    for call, name, _ in STATIC:
        with pytest.raises(
            (TypeError, ValueError), match=rf"^{call.name}: argument {name!r}|select_range"
        ):
            call(**{name: value})


def test_tolerances_are_numbers():
    for function in (linalg.issymmetric, linalg.ishermitian):
        message = rf"^{function.__name__}: argument 'atol' must be a number, got shape \(2,\)"
        with pytest.raises(ValueError, match=message):
            function(jnp.eye(3), atol=jnp.ones(2))
        with pytest.raises(
            TypeError, match=rf"^{function.__name__}: argument 'rtol' must be an arr"
        ):
            function(jnp.eye(3), rtol="small")  # pyright: ignore[reportArgumentType]
        assert function(jnp.eye(3), atol=jnp.float32(0.5), rtol=1)


def test_companion_matrices_of_constants():
    """Of order 0, as SciPy's are from 1.18 on; before, that of one constant is a vector."""
    for a in (np.ones(1), np.ones((2, 1)), np.ones(2)):
        *batch, n = a.shape
        assert linalg.fiedler_companion(a).shape == (*batch, n - 1, n - 1)


def test_numbers_of_zeros_that_c_cannot_hold():
    for function in (special.jn_zeros, special.jnp_zeros, special.yn_zeros, special.ynp_zeros):
        with pytest.raises(ValueError, match=rf"^{function.__name__}: n = -2147483649, nt = 1: "):
            function(-(2**31) - 1, 1)
        with pytest.raises(
            ValueError, match=rf"^{function.__name__}: argument 'nt' must be at most"
        ):
            function(1, 2**31)


def test_bands_of_no_rows():
    """What SciPy takes for a matrix of order 0."""
    nothing = jnp.zeros((0, 0))
    assert linalg.cholesky_banded(nothing).shape == (0, 0)
    for b in (jnp.zeros(0), jnp.zeros((0, 2))):
        assert linalg.cho_solve_banded((nothing, True), b).shape == b.shape
        assert linalg.solveh_banded(nothing, b).shape == b.shape
    w, v = linalg.eig_banded(nothing)
    assert w.shape == linalg.eigvals_banded(nothing).shape == (0,)
    assert v.shape == (0, 0)
    with pytest.raises(ValueError, match=r"^cholesky_banded: argument 'ab' needs at least one row"):
        linalg.cholesky_banded(jnp.zeros((0, 3)))
    with pytest.raises(ValueError, match=r"^eig_banded: argument 'a_band' has no rows"):
        linalg.eig_banded(jnp.zeros((0, 3)))


def test_what_is_no_name_is_of_a_wrong_type():
    """As in SciPy, which raises ValueError for names that it does not know."""
    a = jnp.eye(2)
    for call in (
        lambda driver: linalg.svd(a, lapack_driver=driver),
        lambda driver: linalg.eigvalsh_tridiagonal(a[0], a[0, 1:], lapack_driver=driver),
    ):
        with pytest.raises(TypeError, match=r"'lapack_driver' must be one of .*, got 1.0"):
            call(1.0)
        with pytest.raises(ValueError, match=r"'lapack_driver' must be one of .*, got 'foo'"):
            call("foo")


def test_pivots_of_nothing():
    """NumPy's empty array is one of floats."""
    x = linalg.lu_solve((jnp.zeros((0, 0)), np.array([])), jnp.zeros(0))
    assert x.shape == (0,)


def test_a_function_of_numpy_is_refused_by_name():
    for a in (jnp.eye(2), jnp.stack([jnp.eye(2)] * 3), jnp.zeros((2, 2, 3, 3))):
        with pytest.raises(
            TypeError, match=r"^funm: argument 'func' must be made of JAX operations"
        ):
            linalg.funm(a, np.sin)  # pyright: ignore[reportArgumentType, reportCallIssue]
        with pytest.raises(
            ValueError, match=r"^funm: argument 'func' must keep the shape, got tuple"
        ):
            linalg.funm(a, lambda x: (x, x))  # pyright: ignore[reportArgumentType, reportCallIssue]
