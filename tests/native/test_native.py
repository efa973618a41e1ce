"""The native backend: a ufunc's own inner loop, called from compiled code without Python."""

import concurrent.futures
import functools
import warnings
from pathlib import Path

import hypothesis.extra.numpy as arrays
import jax
import jax.export
import jax.numpy as jnp
import numpy as np
import pytest
import scipy.special
from calling import bits, bound
from hypothesis import given, settings
from hypothesis import strategies as st
from native_samples import UFUNCS, arguments, as_tuple, by_numpy, loops, narrowed, sample
from processes import FOUR_DEVICES, outcome

import jaxsci
import jaxsci.special
from jaxsci import _native, host_function
from jaxsci.special._catalog.decorators import CATALOG, ElementwiseRow

if _native.ABSENT is not None:
    # tests/test_native_presence.py fails where that ought not to be.
    pytest.skip(f"no native backend: {_native.ABSENT}", allow_module_level=True)

HERE = Path(__file__).parent
PUBLIC_HOST = {name: row for name, row in CATALOG.items() if isinstance(row, ElementwiseRow)}


@pytest.fixture(autouse=True)
def _by_ffi():
    with jaxsci.use_backend("ffi"):
        yield


def assert_same(found, expected):
    for y, z in zip(found, expected, strict=True):
        y = np.asarray(y)
        assert (y.dtype, y.shape) == (z.dtype, z.shape)
        np.testing.assert_array_equal(bits(y), bits(z))


def compiled(f, *xs):
    """The function's program; whether it calls the ufunc's loop, and whether it calls Python."""
    lowered = jax.jit(f).lower(*xs)
    text = lowered.as_text()
    return lowered.compile(), "@jaxsci_ufunc" in text, "callback" in text


def native(f, *xs):
    """The values, of a program that is seen not to call Python."""
    program, calls_loop, calls_python = compiled(f, *xs)
    assert calls_loop
    assert not calls_python
    return program(*xs)


def by_callback(f, *xs):
    """The values, of a program that is seen to call Python."""
    program, calls_loop, calls_python = compiled(f, *xs)
    assert calls_python
    assert not calls_loop
    return program(*xs)


def result_types(loop, narrow=None):
    types = {"d": "float64", "D": "complex128", "l": "int64"}
    if narrow is not None:
        types |= {"d": narrow, "D": "complex64"}
    return [np.dtype(getattr(jnp, types[c])) for c in loop.split("->")[1]]


# -- values ----------------------------------------------------------------------------------------


def test_there_are_the_ufuncs_that_there_should_be():
    assert len(UFUNCS) >= 230
    without = {name for name, ufunc in UFUNCS.items() if not loops(ufunc)}
    assert without <= {"log1p_g"}  # every public one has a loop over doubles


@pytest.mark.rotating(0.4)
@pytest.mark.parametrize("name", UFUNCS)
def test_every_ufunc_of_scipy_special_has_scipys_bits(name):
    """All its loops over doubles, and narrower types rounded once: one program for them all."""
    ufunc = UFUNCS[name]
    functions, argument_lists, expected = [], [], []
    for loop in loops(ufunc):
        xs = arguments(name, loop, 400)
        cases = [(xs, result_types(loop))]
        for real in ("float32", "float16", "bfloat16"):
            few = [narrowed(x[:100], real) for x in xs]
            if real == "float32" or "D" not in loop:  # there is no complex half precision
                cases.append((few, result_types(loop, real)))
        for integer in (np.int32, np.int64):
            whole = [np.arange(1, 9).astype(integer) for _ in xs]
            if "D" not in loop and not name.startswith(("mathieu_", "pro_", "obl_")):
                cases.append((whole, result_types(loop)))
        for case, dtypes in cases:
            functions.append(as_tuple(ufunc, dtypes))
            argument_lists.append(case)
            expected.append(by_numpy(ufunc, case, dtypes))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # see below
        found = native(
            lambda lists: [f(*xs) for f, xs in zip(functions, lists, strict=True)], argument_lists
        )
    for ys, zs in zip(found, expected, strict=True):
        assert_same(ys, zs)


@pytest.mark.rotating(0.4)
@pytest.mark.parametrize(
    "name", ["jv", "kv", "gammainc", "hyp2f1", "ellipkinc", "wofz", "sici", "pbdv", "eval_jacobi"]
)
def test_large_arrays_are_shared_among_threads(name):
    ufunc = UFUNCS[name]
    for loop in loops(ufunc):
        if "l" in loop:
            continue
        xs = arguments(name, loop, 200_000 if name != "hyp2f1" else 20_000)
        dtypes = result_types(loop)
        assert_same(native(as_tuple(ufunc, dtypes), *xs), by_numpy(ufunc, xs, dtypes))
        few = [narrowed(x, "float32") for x in xs]
        dtypes = result_types(loop, "float32")
        assert_same(native(as_tuple(ufunc, dtypes), *few), by_numpy(ufunc, few, dtypes))


NUMPY_UFUNCS = "sin cos exp log log1p expm1 tanh arctan2 hypot logaddexp power fmod cbrt spacing"
NUMPY_UFUNCS += " nextafter copysign fmax add divide multiply reciprocal sqrt absolute sign"


@pytest.mark.parametrize("name", NUMPY_UFUNCS.split())
def test_ufuncs_of_numpy(name):
    ufunc = getattr(np, name)
    xs = [sample("d", 3001, np.random.default_rng(i)) for i in range(ufunc.nin)]
    assert_same(native(as_tuple(ufunc, ["float64"]), *xs), by_numpy(ufunc, xs, ["float64"]))
    assert_same(
        native(as_tuple(ufunc, ["float64"]), *(x[::2] for x in xs)),
        by_numpy(ufunc, [x[::2] for x in xs], ["float64"]),
    )


def test_results_that_are_not_floating():
    x = sample("d", 500, np.random.default_rng(0))
    for ufunc, dtypes in [
        (np.isfinite, [np.bool_]),
        (np.signbit, [np.bool_]),
        (np.frexp, [np.float64, np.int32]),
        (np.modf, [np.float64, np.float64]),
    ]:
        assert_same(native(as_tuple(ufunc, dtypes), x), by_numpy(ufunc, [x], dtypes))


def test_single_precision_without_widening():
    x = np.linspace(-3, 3, 1001, dtype=np.float32)
    f = host_function(scipy.special.gamma, double=False)
    with np.errstate(all="ignore"):
        expected = scipy.special.gamma(x)
    assert_same([native(f, x)], [expected])


@pytest.mark.rotating(0.015)
@pytest.mark.parametrize("name", PUBLIC_HOST)
def test_a_row_of_the_catalog_has_the_same_bits_on_both_backends(name, quick_compiler_options):
    row = PUBLIC_HOST[name]
    codes = {"INT": "l", "REAL": "d", "COMPLEX": "d"}
    rng = np.random.default_rng(5)
    xs = [sample(codes[a.kind.name], 60, rng) for a in row.arrays]
    if not isinstance(row.host.fn, np.ufunc):  # SciPy's Python code is for good arguments only
        xs = [np.linspace(1.5, 3, 4) if x.dtype.kind == "f" else np.arange(4) for x in xs]
    for static in row.samples.statics:
        found = {}
        for backend in ("ffi", "callback"):
            f = bound(row, static)
            with jaxsci.use_backend(backend):
                found[backend] = jax.jit(f, compiler_options=quick_compiler_options)(*xs)
        assert_same(found["ffi"], [np.asarray(y) for y in found["callback"]])


# -- shapes ----------------------------------------------------------------------------------------

SHAPES = arrays.mutually_broadcastable_shapes(num_shapes=3, max_dims=5, min_side=0, max_side=4)


@settings(max_examples=60, deadline=None)
@given(SHAPES, st.sampled_from(["float64", "float32", "float16"]), st.integers(0, 2**32 - 1))
def test_arguments_broadcast(shapes, dtype, seed):
    rng = np.random.default_rng(seed)
    xs = [rng.uniform(0, 1, shape).astype(dtype) for shape in shapes.input_shapes]
    found = native(as_tuple(scipy.special.betainc, [dtype]), *xs)
    assert found[0].shape == shapes.result_shape
    assert_same(found, by_numpy(scipy.special.betainc, xs, [dtype]))


@settings(max_examples=25, deadline=None)
@given(SHAPES, st.integers(0, 2**32 - 1))
def test_arguments_broadcast_to_several_results(shapes, seed):
    rng = np.random.default_rng(seed)
    xs = [rng.uniform(0, 1, shape) for shape in shapes.input_shapes[:2]]
    dtypes = ["float64"] * 4
    found = native(as_tuple(scipy.special.ellipj, dtypes), *xs)
    assert_same(found, by_numpy(scipy.special.ellipj, xs, dtypes))


@pytest.mark.rotating(0.4)
@pytest.mark.parametrize(
    "shapes",
    [
        ((300, 1), (1, 500)),
        ((1, 500), (300, 1)),
        ((300, 500), ()),
        ((300, 500), (1, 1)),
        ((40, 1, 50, 1), (1, 60, 1, 2)),
        ((200_000, 1), ()),
        ((), (1, 200_000, 1)),
        ((100_000, 2), (2,)),
    ],
)
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_large_arguments_broadcast(shapes, dtype):
    rng = np.random.default_rng(1)
    xs = [rng.uniform(0, 9, shape).astype(dtype) for shape in shapes]
    found = native(as_tuple(scipy.special.jv, [dtype]), *xs)
    assert_same(found, by_numpy(scipy.special.jv, xs, [dtype]))


def test_a_constant_among_converted_arguments():
    xs = [np.float32(0.5), np.arange(1000)[:, None], np.linspace(0, 1, 7)]
    found = native(as_tuple(scipy.special.betainc, ["float64"]), *xs)
    assert_same(found, by_numpy(scipy.special.betainc, xs, ["float64"]))


@pytest.mark.parametrize("ndim", [31, 32, 33, 64])
def test_more_dimensions_than_the_handler_takes(ndim):
    # XLA itself is slow with so many dimensions.
    x = np.linspace(0, 3, 8).reshape((2, 2, 2) + (1,) * (ndim - 3))
    run = native if ndim <= 32 else by_callback
    assert_same([run(host_function(scipy.special.j0), x)], [scipy.special.j0(x)])


def test_what_jax_does_around_it():
    f = host_function(scipy.special.jv)
    v, x = np.arange(5.0), np.linspace(0, 9, 7)
    expected = scipy.special.jv(v[:, None], x)
    assert_same([native(jax.vmap(jax.vmap(f, (None, 0)), (0, None)), v, x)], [expected])
    assert_same([native(jax.vmap(jax.vmap(f, (0, None)), (None, 0)), v, x)], [expected.T.copy()])

    def scanned(v, x):
        return jax.lax.scan(lambda c, vi: (c + 1, jax.vmap(lambda xi: f(vi, xi))(x)), 0, v)[1]

    assert_same([native(scanned, v, x)], [expected])
    assert_same([native(lambda v, x: jax.lax.map(lambda vi: f(vi, x), v), v, x)], [expected])
    donated = jax.jit(f, donate_argnums=1)
    assert_same([donated(2.0, jnp.asarray(x))], [scipy.special.jv(2.0, x)])


# -- what goes to the callback ---------------------------------------------------------------------


def test_what_has_no_such_loop_goes_to_the_callback():
    x = np.linspace(0.5, 3, 7)
    of_objects = np.frompyfunc(lambda t: t * 2.0, 1, 1)
    assert host_function(of_objects)(np.ones((0, 3))).shape == (0, 3)
    assert_same([by_callback(host_function(of_objects), x)], [x * 2])
    plain = host_function(lambda t: t * 3.0, "()->()")
    assert_same([by_callback(plain, x)], [x * 3])
    of_arrays = host_function(np.linalg._umath_linalg.det)
    assert_same([by_callback(of_arrays, np.eye(3)[None])], [np.ones(1)])
    # No loop of its own for half precision here, nor for integers of 8 bits as doubles.
    in_half = host_function(np.add, double=False)
    h = x.astype(np.float16)
    assert_same([by_callback(in_half, h, h)], [h + h])
    small = np.arange(1, 5, dtype=np.int8)
    assert_same(
        [by_callback(host_function(scipy.special.gamma), small)],
        [scipy.special.gamma(small.astype(float)).astype(np.float32)],
    )
    with jaxsci.use_backend("callback"):
        assert_same([by_callback(host_function(scipy.special.j0), x)], [scipy.special.j0(x)])


def test_loops_that_may_raise_go_to_the_callback():
    power = host_function(np.power, dtype=np.int64, double=False)
    two, minus = np.array([2, 3]), np.array([1, -1])
    assert_same([by_callback(power, two, np.array([3, 2]))], [np.array([8, 9])])
    with pytest.raises(Exception, match="negative integer powers"):
        jax.block_until_ready(jax.jit(power)(two, minus))


def test_ufuncs_that_no_import_leads_to():
    # Cython's and numba's are such; NumPy's own tests have one in C.
    from numpy._core import _umath_tests

    ufunc = _umath_tests.always_error
    assert isinstance(ufunc, np.ufunc)
    assert _native._name(_umath_tests.always_error).endswith(":always_error")
    hidden = scipy.special._ufuncs._cosine_cdf
    assert not hasattr(scipy.special, "_cosine_cdf")
    assert _native._name(hidden) == "scipy.special._ufuncs:_cosine_cdf"
    x = np.linspace(-4, 4, 301)
    assert_same([native(host_function(hidden), x)], [hidden(x)])


class Carrier:
    """A ufunc in an object of another class, as numba.vectorize has it."""

    def __init__(self, ufunc):
        self.ufunc = ufunc
        self.__name__ = "carried"

    def __call__(self, *args):
        return self.ufunc(*args)


def test_ufuncs_that_numba_carries():
    from numpy._core import umath

    x = np.linspace(-4, 4, 301)
    f = host_function(Carrier(scipy.special.ndtr))
    assert f.name == "carried"
    assert_same([native(f, x)], [scipy.special.ndtr(x)])
    not_compiled = vars(umath)["str_len"]  # has loops for texts alone
    assert not not_compiled.types
    with pytest.raises(ValueError, match=r"carried: is not compiled.*float64\(float64\)"):
        host_function(Carrier(not_compiled))


def test_names_are_never_shared(monkeypatch):
    """A name that an import led to, and leads to another ufunc now."""
    from scipy.special import _ufuncs

    first, second = _ufuncs._cosine_cdf, _ufuncs._cosine_invcdf
    assert _native._name(first) == "scipy.special._ufuncs:_cosine_cdf"
    monkeypatch.setattr(_native, "_importable_name", lambda ufunc: _native._name(first))
    name = _native._name.__wrapped__(second)
    assert name.startswith("registered ")
    assert name.endswith(":_cosine_invcdf")
    _native._make_known(name, second, len(second.types))
    x = np.linspace(0.1, 0.9, 5)
    call = jax.ffi.ffi_call(_native.TARGET, jax.ShapeDtypeStruct(x.shape, x.dtype))
    assert_same([call(x, ufunc=name, types="d->d")], [second(x)])


def test_an_exception_that_a_loop_leaves_is_an_error_of_the_call():
    from numpy._core import _umath_tests

    f = host_function(_umath_tests.always_error)
    for n in (1, 10):
        with pytest.raises(Exception, match=r"always_error.*raised RuntimeError: How unexpected"):
            jax.block_until_ready(jax.jit(f)(np.ones(n), np.ones(n)))
    assert float(host_function(scipy.special.j0)(0.0)) == 1.0


# -- errors of scipy.special -----------------------------------------------------------------------


@pytest.mark.parametrize("action", ["warn", "raise"])
@pytest.mark.parametrize("n", [1, 100, 200_000])
def test_seterr_has_no_say(action, n):
    """Singularities and lost precision, on the calling thread and on XLA's."""
    x = np.resize([0.0, -1.0, -2.0, 0.5, 1e300, -1e300, np.nan], n)
    f, g = host_function(scipy.special.gamma), host_function(scipy.special.hyp2f1)
    expected = [scipy.special.gamma(x), scipy.special.hyp2f1(-0.5, x, -x, 1.0)]
    before = scipy.special.geterr()
    try:
        scipy.special.seterr(all=action)
        changed = scipy.special.geterr()
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            found = [jax.jit(f)(x), jax.jit(g)(-0.5, x, -x, 1.0)]
            assert_same(found, expected)
            assert_same([f(x)], expected[:1])
        assert scipy.special.geterr() == changed
    finally:
        scipy.special.seterr(**before)


@pytest.mark.parametrize("backend", ["ffi", "callback"])
@pytest.mark.parametrize("n", [1, 3, 200_000])
def test_a_failed_allocation_concerns_one_element(n, backend):
    """By default scipy.special raises for it, from inside the loop."""
    order, x = np.full(n, 1.0), np.full(n, 0.5)
    order[0] = 1e300
    with jaxsci.use_backend(backend):
        value, _ = host_function(scipy.special.pbdv)(order, x)
    expected = np.full(n, scipy.special.pbdv(1.0, 0.5)[0])
    expected[0] = np.nan
    assert_same([value], [expected])


@pytest.mark.parametrize("n", [1, 3, 200_000])
def test_warnings_that_are_errors_leave_nothing_behind(n):
    """SciPy's functions of integers warn of fractions, from inside their loops."""
    order, x = np.full(n, 1.5), np.linspace(0.5, 2, n)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = scipy.special.expn(order, x)
    f = jax.jit(host_function(scipy.special.expn))
    for action in ("error", "ignore"):
        with warnings.catch_warnings():
            warnings.simplefilter(action)
            assert_same([f(order, x)], [expected])


# -- attributes ------------------------------------------------------------------------------------

DOUBLE = jax.ShapeDtypeStruct((3,), np.float64)
ATTRIBUTES = {
    "unknown ufunc": ({"ufunc": "scipy.special:nothing", "types": "d->d"}, "no such NumPy ufunc"),
    "unknown module": ({"ufunc": "no.such.module:f", "types": "d->d"}, "no such NumPy ufunc"),
    "no ufunc": ({"ufunc": "scipy.special:lambertw", "types": "d->d"}, "no such NumPy ufunc"),
    "no colon": ({"ufunc": "j0", "types": "d->d"}, "no such NumPy ufunc"),
    "nothing": ({"ufunc": "", "types": ""}, "no such NumPy ufunc"),
    "colons": ({"ufunc": ":::", "types": "d->d"}, "no such NumPy ufunc"),
    "not text": ({"ufunc": "\0\x01ü\ud7ff:j0", "types": "d->d"}, "no such NumPy ufunc"),
    "long": ({"ufunc": "a" * 100_000 + ":b", "types": "d->d"}, "no such NumPy ufunc"),
    "generalised": ({"ufunc": "numpy:matmul", "types": "dd->d"}, "no such NumPy ufunc"),
    "unknown loop": ({"ufunc": "scipy.special:j0", "types": "dd->d"}, "has no loop dd->d"),
    "absurd loop": ({"ufunc": "scipy.special:j0", "types": "->" * 9999}, "has no loop"),
    "objects": ({"ufunc": "numpy:add", "types": "OO->O"}, "has no loop OO->O"),
    "arity": ({"ufunc": "scipy.special:jv", "types": "dd->d"}, "wrong number of operands"),
    "results": ({"ufunc": "scipy.special:sici", "types": "d->dd"}, "wrong number of operands"),
    "types": ({"ufunc": "numpy:conjugate", "types": "D->D"}, "does not fit the loop"),
    "long double": ({"ufunc": "numpy:sin", "types": "g->g"}, "does not fit the loop"),
    "number": ({"ufunc": np.int32(3), "types": "d->d"}, "Wrong attribute type"),
    "missing": ({"ufunc": "scipy.special:j0"}, "(?i)attribute"),
    "surplus": ({"ufunc": "scipy.special:j0", "types": "d->d", "x": 1}, "(?i)attribute"),
}


@pytest.mark.parametrize("case", ATTRIBUTES)
def test_wrong_attributes_are_errors(case):
    attributes, message = ATTRIBUTES[case]
    call = jax.ffi.ffi_call(_native.TARGET, DOUBLE)
    with pytest.raises(Exception, match=message):
        jax.block_until_ready(jax.jit(functools.partial(call, **attributes))(np.ones(3)))


def raw(out, *xs, ufunc="scipy.special:jv", types="dd->d"):
    call = jax.ffi.ffi_call(_native.TARGET, out)
    return jax.block_until_ready(jax.jit(functools.partial(call, ufunc=ufunc, types=types))(*xs))


@pytest.mark.parametrize(
    ("out", "shapes", "message"),
    [
        ((3,), ((3,), (2,)), "do not broadcast"),
        ((3,), ((3,), ()), "different ranks"),
        ((), ((3,), (3,)), "different ranks"),
        ((1,), ((3,), (1,)), "do not broadcast"),
        ((3, 1), ((3, 2), (3, 1)), "do not broadcast"),
        ((1,) * 33, ((1,) * 33, (1,) * 33), "too many dimensions"),
    ],
)
def test_wrong_shapes_are_errors(out, shapes, message):
    with pytest.raises(Exception, match=message):
        raw(jax.ShapeDtypeStruct(out, np.float64), *(np.ones(s) for s in shapes))


def test_results_of_different_shapes_are_errors():
    outs = (jax.ShapeDtypeStruct((3,), np.float64), jax.ShapeDtypeStruct((1,), np.float64))
    with pytest.raises(Exception, match="results of different shapes"):
        raw(outs, np.ones(3), ufunc="scipy.special:sici", types="d->dd")


def test_empty_arrays_of_any_size():
    out = jax.ShapeDtypeStruct((0, 2**31 - 1, 2**31 - 1), np.float64)
    found = raw(out, np.ones((0, 1, 1)), np.ones((1, 1, 1)))
    assert found.shape == out.shape


NAMES = st.one_of(
    st.sampled_from(["scipy.special:jv", "scipy.special:sici", "numpy:add", "numpy:sin"]), st.text()
)
TYPES = st.one_of(
    st.sampled_from(["dd->d", "d->d", "DD->D", "ff->f", "ll->l", "d->dd", "ld->d"]), st.text()
)
KINDS = st.sampled_from(
    [np.float64, np.float32, np.float16, jnp.bfloat16, np.int64, np.int8, np.bool_, np.complex64]
)
SMALL = st.lists(st.integers(0, 3), max_size=3).map(tuple)


@settings(max_examples=80, deadline=None)
@given(
    NAMES,
    TYPES,
    st.lists(st.tuples(SMALL, KINDS), max_size=3),
    st.lists(st.tuples(SMALL, KINDS), min_size=1, max_size=3),
)
def test_any_call_ends_in_values_or_in_an_error(ufunc, types, inputs, outputs):
    xs = [np.ones(shape, np.dtype(kind)) for shape, kind in inputs]
    outs = tuple(jax.ShapeDtypeStruct(shape, np.dtype(kind)) for shape, kind in outputs)
    try:
        found = raw(outs, *xs, ufunc=ufunc, types=types)
    except (jax.errors.JaxRuntimeError, ValueError, UnicodeError):
        return
    assert [y.shape for y in found] == [o.shape for o in outs]


def test_only_ufuncs_can_be_registered():
    for other in (len, 3, np.matmul):
        with pytest.raises(TypeError, match="elementwise NumPy ufunc"):
            _native._ufunc_call.register_ufunc("registered:other", other)


# -- many threads ----------------------------------------------------------------------------------


def test_many_threads_call_at_once():
    names = ["jv", "kv", "gammainc", "hyp2f1", "ellipkinc", "sici"]
    cases = []
    for name in names:
        xs = arguments(name, loops(UFUNCS[name])[-1 if name == "sici" else 0], 5000)
        xs = [np.where(np.isfinite(x), np.minimum(np.abs(x), 5), 0.5) for x in xs]
        dtypes = ["complex128" if np.iscomplexobj(xs[0]) else "float64"] * UFUNCS[name].nout
        cases.append((as_tuple(UFUNCS[name], dtypes), xs, by_numpy(UFUNCS[name], xs, dtypes)))

    def work(k):
        for i in range(12):
            f, xs, expected = cases[(k + i) % len(cases)]
            with jaxsci.use_backend("ffi"):
                assert_same(jax.jit(f)(*xs), expected)
        return True

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, range(16)))


# -- other processes -------------------------------------------------------------------------------


def run(program, *arguments_, **environment):
    return outcome(
        f"native/{program}",
        *arguments_,
        options=("-W", "error"),
        environment={"JAX_ENABLE_X64": "1"} | environment,
    ).stdout


@pytest.mark.rotating(0.4)
def test_the_cache_on_disk_serves_another_process(tmp_path):
    assert "hits 0" in run("cached.py", tmp_path)
    files = {path.name: path.read_bytes() for path in tmp_path.rglob("*-cache")}
    assert files
    second = run("cached.py", tmp_path)
    assert "misses 0" in second
    assert "hits 0" not in second
    assert {path.name: path.read_bytes() for path in tmp_path.rglob("*-cache")} == files


@pytest.mark.rotating(0.4)
def test_an_exported_program_runs_in_another_process(tmp_path):
    run("exported.py", "write", tmp_path / "program")
    assert "right" in run("exported.py", "read", tmp_path / "program")


def test_export_needs_to_be_told():
    f = jax.jit(jaxsci.special.jv)
    x = jax.ShapeDtypeStruct((3,), np.float64)
    with pytest.raises(ValueError, match="jaxsci_ufunc"):
        jax.export.export(f, platforms=["cpu"])(x, x)
    jax.export.export(f, platforms=["cpu"], disabled_checks=jaxsci.export_checks())(x, x)


NAMED_INSTEAD = {
    # Names of the length of "scipy.special:jv", or filled up with what ends a string.
    "a function": b"subprocess:Popen",
    "what is not there": b"posixpath:joined",
    "a builtin": b"builtins:eval\0\0\0",
    "the end of the process": b"sys:exit" + bytes(8),
}


@pytest.mark.parametrize("name", NAMED_INSTEAD)
def test_an_exported_program_calls_nothing_but_ufuncs(name):
    """Artefacts are files: someone may have written another name into one."""
    x = np.linspace(0.5, 9, 6)
    with jaxsci.use_backend("ffi"):
        exported = jax.export.export(
            jax.jit(jaxsci.special.jv), platforms=["cpu"], disabled_checks=jaxsci.export_checks()
        )(x, x)
    artefact = bytes(exported.serialize())
    assert artefact.count(b"scipy.special:jv") == 1

    def with_name(other):
        edited = artefact.replace(b"scipy.special:jv", other)
        # A program with branches runs beside this thread: errors come when it is waited for.
        return jax.block_until_ready(jax.export.deserialize(bytearray(edited)).call(x, x))

    np.testing.assert_array_equal(with_name(b"scipy.special:yv"), scipy.special.yv(x, x))
    with pytest.raises(jax.errors.JaxRuntimeError, match="no such NumPy ufunc"):
        with_name(NAMED_INSTEAD[name])
    np.testing.assert_array_equal(with_name(b"scipy.special:jv"), scipy.special.jv(x, x))


@pytest.mark.rotating(0.4)
def test_sharded_arrays_stay_sharded():
    out = run("sharded.py", **FOUR_DEVICES)
    assert out.splitlines()[-1] == "all right"
