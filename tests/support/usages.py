"""How other people's programs and tests call functions of JAX, and whether these can be called so.

    python tests/support/usages.py                           # every function in every way
    python tests/support/usages.py --only numbers jv svd     # two functions in one of them
    python tests/support/usages.py --part 3/40               # one of forty parts of all

Each function starts from a call that works. Most of the ways must give that call's own bits; those
that compile a program of their own may differ in the last digits where the function consists of
JAX operations. The oracle of mixed dtypes is SciPy's value, rounded once.
"""

from __future__ import annotations

import copy
import functools
import inspect
import operator
import pickle
import pydoc
import sys
import traceback
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import jax.scipy.linalg
import jax.scipy.special
import numpy as np
import sweep
from calling import bits, bound, by_scipy
from public_calls import Call, generator

from jaxsci._core import precision
from jaxsci.special._catalog.decorators import CATALOG, ElementwiseRow
from jaxsci.special._catalog.types import Kind

CLOSE = 1e-12
"""Relative difference of what is compiled for other shapes."""
Check = Callable[[Call], str | None]

# -- what is compared ------------------------------------------------------------------------------


def arrays_of(call: Call) -> dict[str, Any]:
    """The arguments that are arrays, or tuples of nothing else."""
    return {
        name: x
        for name, x in call.arguments.items()
        if name in call.arrays and all(isinstance(y, np.ndarray) for y in jax.tree.leaves(x))
    }


def statics_of(call: Call) -> dict[str, Any]:
    """The others."""
    return {name: x for name, x in call.arguments.items() if name not in arrays_of(call)}


def leaves(found: Any) -> list[np.ndarray]:
    return [np.asarray(y) for y in jax.tree.leaves(found)]


def other(found: Any, expected: Any, close: float = 0.0) -> str | None:
    """Where one result is not the other, bit for bit or as near as that."""
    ours, theirs = leaves(found), leaves(expected)
    if len(ours) != len(theirs):
        return f"{len(ours)} results, not {len(theirs)}"
    for y, truth in zip(ours, theirs, strict=True):
        if (y.dtype, y.shape) != (truth.dtype, truth.shape):
            return f"{y.dtype}{y.shape}, not {truth.dtype}{truth.shape}"
        if np.array_equal(bits(y), bits(truth)):
            continue
        size = np.max(np.abs(truth), initial=0.0, where=np.isfinite(truth))
        if not close or not np.allclose(y, truth, close, close * size, equal_nan=True):
            return f"{y!r}, not {truth!r}"
    return None


def types(found: Any) -> list[tuple[Any, ...]]:
    """Shape, dtype and weak type of each result."""
    return [(y.shape, y.dtype, getattr(y, "weak_type", False)) for y in jax.tree.leaves(found)]


def row_of(call: Call) -> ElementwiseRow | None:
    """The row of an elementwise function."""
    row = CATALOG.get(call.name) if call.package == "special" else None
    return row if isinstance(row, ElementwiseRow) else None


def columns(call: Call) -> list[np.ndarray]:
    return [*arrays_of(call).values()]


# -- as an object ----------------------------------------------------------------------------------


def objects(call: Call) -> str | None:
    """Names, signatures, help, pickles, copies, and JAX's and Python's partial functions."""
    f = call.function
    place = f"jaxsci.{call.package}"
    if (f.__name__, f.__qualname__, f.__module__) != (call.name, call.name, place):
        return f"is called {f.__module__}.{f.__qualname__}"
    text = pydoc.plain(pydoc.render_doc(f))
    if f"{call.name}(" not in text or (f.__doc__ or "").splitlines()[0] not in text:
        return f"help() is {text[:200]}"
    if call.name != "block_diag":
        inspect.signature(f).bind(**call.arguments)
    for each in (f, functools.partial(f), jax.tree_util.Partial(f)):
        again = pickle.loads(pickle.dumps(each))
        if getattr(again, "func", again) is not f or copy.deepcopy(f) is not f:
            return f"a copy of {each} is another function"
    leaf, tree = jax.tree.flatten(jax.tree_util.Partial(f, *columns(call)))
    if not isinstance(jax.tree.unflatten(tree, leaf), jax.tree_util.Partial):
        return "is no leaf of a Partial"
    return None


def namesakes(call: Call) -> str | None:
    """Arguments of the function of that name in jax.scipy, by position and by name."""
    theirs = getattr(getattr(jax.scipy, call.package), call.name, None)
    if theirs is None:
        return None
    wanted = [*inspect.signature(theirs).parameters]
    ours = [*inspect.signature(call.function).parameters]
    unknown = {p for p in wanted if p not in ours} - JAX_ONLY.get(call.name, set())
    return f"{sorted(unknown)} of jax.scipy's arguments are unknown" if unknown else None


JAX_ONLY: dict[str, set[str]] = {
    # How jax.scipy's algorithms are steered, or arguments that SciPy has no more.
    "eigh": {"turbo", "eigvals"},
    "eigh_tridiagonal": {"key"},
    "expm": {"upper_triangular", "max_squarings"},
    "log_ndtr": {"series_order"},
    "polar": {"method", "eps", "max_iterations"},
    "solve": {"debug"},
    "solve_sylvester": {"A", "B", "C", "method", "tol"},
    "solve_triangular": {"debug"},
    "sph_harm_y": {"n_max"},
    "sqrtm": {"blocksize"},
    # More than SciPy has.
    "dft": {"dtype"},
    "logsumexp": {"where"},
    # Other names than SciPy's.
    "ndtri": {"p"},
    "kl_div": {"p", "q"},
    "rel_entr": {"p", "q"},
}
for _name in (
    "digamma",
    "erf",
    "erfinv",
    "exp1",
    "fresnel",
    "gamma",
    "hyp2f1",
    "loggamma",
    "spence",
):
    JAX_ONLY[_name] = {"x"}
"""Arguments of jax.scipy's that SciPy does not have: docs/guides/migrating.md."""


# -- traced ----------------------------------------------------------------------------------------


def traces(call: Call) -> str | None:
    """eval_shape, make_jaxpr, static_argnames, Partial and lower agree on types and shapes."""
    given, statics = arrays_of(call), statics_of(call)
    if call.name == "block_diag":
        return None  # it takes no names
    expected = types(jax.eval_shape(lambda some: call(**some), given))
    shaped = jax.tree.map(lambda x: jax.ShapeDtypeStruct(np.shape(x), np.asarray(x).dtype), given)
    jitted = jax.jit(call.function, static_argnames=tuple(statics))
    hashable = all(map(_hashes, statics.values()))
    ways = {
        "shapes": lambda: jax.eval_shape(lambda some: call(**some), shaped),
        "partial": lambda: jax.eval_shape(functools.partial(call.function, **statics), **given),
        "Partial": lambda: (
            jax.eval_shape(
                lambda f, some: f(**some), jax.tree_util.Partial(call.function), given | statics
            )
            if not statics
            else jax.eval_shape(lambda some: call(**some), given)
        ),
        "make_jaxpr": lambda: jax.make_jaxpr(lambda some: call(**some))(given).out_avals,
        "static_argnames": lambda: (
            jitted.eval_shape(**given, **statics)
            if hashable
            else jax.eval_shape(lambda some: call(**some), given)
        ),
    }
    for name, way in ways.items():
        found = types(way())
        if found != expected:
            return f"{name}: {found}, not {expected}"
    return None


def _hashes(x: Any) -> bool:
    try:
        hash(x)
    except TypeError:
        return False
    return True


def moved(call: Call) -> list[str]:
    """The arguments with a derivative: of the others NotImplementedError is raised."""
    names = []
    for name in call.numbers():
        if name not in arrays_of(call):
            continue
        try:
            jax.eval_shape(lambda x, name=name: _pulled(call, name, x), call.arguments[name])
        except NotImplementedError as error:
            if not str(error).startswith(call.name):
                raise
        else:
            names.append(name)
    return names


def _pulled(call: Call, name: str, x: Any, others: dict[str, Any] | None = None) -> Any:
    """A vector-Jacobian product in one argument."""
    out, pull = jax.vjp(lambda x: call(**((others or {}) | {name: x})), x)
    return pull(jax.tree.map(_one, out))[0]


def _one(y: Any) -> Any:
    if jnp.issubdtype(jnp.result_type(y), jnp.inexact):
        return jnp.ones_like(y)
    return np.zeros(np.shape(y), jax.dtypes.float0)


def tangents(call: Call) -> str | None:
    """Cotangents have their arguments' types; jvp, linearize and linear_transpose compose."""
    for name in moved(call):

        def alone(x: Any, name: str = name) -> Any:
            return jax.tree.leaves(call(**{name: x}))

        def transposed(x: Any, alone: Callable[[Any], Any] = alone) -> Any:
            out, forward = jax.linearize(alone, x)
            (back,) = jax.linear_transpose(forward, x)([_one(y) for y in out])
            return jax.jvp(alone, (x,), (x,)), back

        for wide in (True, False):
            with jax.enable_x64(wide):
                given = jnp.asarray(call.arguments[name])
                out, back = jax.eval_shape(transposed, given)
                found = [back, jax.eval_shape(lambda x, n=name: _pulled(call, n, x), given)]
                for y in found:
                    if (y.shape, y.dtype) != (given.shape, given.dtype):
                        return f"a cotangent of {name} is {y}, and {name} {given.dtype}"
                for y, dy in zip(*out, strict=True):
                    whole = not jnp.issubdtype(y.dtype, jnp.inexact)
                    if dy.shape != y.shape or dy.dtype != (jax.dtypes.float0 if whole else y.dtype):
                        return f"the tangent of {y} is {dy}"
    return None


def no_tangents(call: Call) -> str | None:
    """Integers have tangents of float0, and gradients of it under allow_int."""
    given = arrays_of(call)
    whole = [n for n, x in given.items() if isinstance(x, np.ndarray) and x.dtype.kind in "iu"]
    numbers = moved(call)
    if not whole or not numbers:
        return None
    names = [*whole, *numbers[:1]]

    def total(*xs: Any) -> Any:
        results = jax.tree.leaves(call(**dict(zip(names, xs, strict=True))))
        return sum(jnp.sum(jnp.real(y)) for y in results)

    xs = [jnp.asarray(given[n]) for n in names]
    zeros = [np.zeros(x.shape, jax.dtypes.float0) for x in xs[:-1]]
    jax.eval_shape(lambda x: jax.jvp(total, (*xs[:-1], x), (*zeros, jnp.ones_like(x))), xs[-1])
    places = tuple(range(len(names)))
    # float0 is no result of a trace: their dtypes are looked at inside.
    found: list[Any] = []

    def traced(*xs: Any) -> Any:
        slopes = jax.grad(total, places, allow_int=True)(*xs)
        found.extend(y.dtype for y in slopes)
        return slopes[-1]

    jax.eval_shape(traced, *xs)
    if any(d != jax.dtypes.float0 for d in found[:-1]):
        return f"gradients have {found}"
    return None


WHOLE = ("int8", "uint32", "float16", "float32")


def narrow(call: Call) -> str | None:
    """Without 64-bit types programs have none, whatever the arguments' types are.

    Integers come as other integers, and as floats, derivatives included.
    """
    given = arrays_of(call)
    has_whole = any(x.dtype.kind in "iu" for x in leaves(given))
    with jax.enable_x64(False):
        for dtype in (None, *(WHOLE if has_whole else WHOLE[-1:])):
            changed = jax.tree.map(lambda x: _narrowed(x, dtype) if dtype else x, given)  # noqa: B023
            traced = jax.jit(lambda some: call(**some)).trace(changed)
            for y in jax.tree.leaves(traced.out_info):
                if y.dtype.itemsize > (8 if y.dtype.kind == "c" else 4):
                    return f"{y.dtype} without 64-bit types"
            traced.lower()
        for name in moved(call)[-1:]:
            fixed = jax.tree.map(lambda x: _narrowed(x, "float32"), given)
            slope = jax.jit(lambda x: _pulled(call, name, x, fixed))  # noqa: B023
            slope.lower(fixed[name])
    return None


def _narrowed(x: np.ndarray, whole: str) -> np.ndarray:
    if x.dtype.kind in "iu":
        return x.astype(whole)
    return x.astype({"f": np.float32, "c": np.complex64}.get(x.dtype.kind, x.dtype))


def kinds_of_matrices(call: Call) -> str | None:
    """Results are of the arguments' precision, and those of integers of the default one."""
    if call.package == "special" or not call.numbers():
        return None
    names = ["int8", "uint8", "int32", "int64", "bool", "float16", "bfloat16", "float32"]
    for name in (n for n in names if n not in EXCEPT.get(call.name, ())):
        dtype = jnp.dtype(name)

        def converted(x: Any, dtype: Any = dtype) -> Any:
            inexact = isinstance(x, np.ndarray) and x.dtype.kind in "fc"
            return np.abs(x).astype(dtype) if inexact else x

        given = {n: jax.tree.map(converted, call.arguments[n]) for n in call.arrays}
        wanted = jnp.finfo(dtype if jnp.issubdtype(dtype, np.floating) else float).bits
        for y in jax.tree.leaves(jax.eval_shape(lambda given=given: call(**given))):
            if not jnp.issubdtype(y.dtype, np.inexact):
                continue
            least = 32 if y.dtype.kind == "c" else 0  # of each part
            same = wanted != 16 or least or y.dtype == dtype
            if jnp.finfo(y.dtype).bits != max(wanted, least) or not same:
                return f"of {name}: {y.dtype}"
    return None


EXCEPT = {
    "cdf2rdf": ("float16", "bfloat16"),  # the parts of complex numbers, of 32 bits
    "fiedler": ("bool",),  # differences of booleans: SciPy refuses them too
}
"""Dtypes that are not taken, or have results of other ones."""


# -- other arguments -------------------------------------------------------------------------------


def layouts(call: Call) -> str | None:
    """Strided, reversed, Fortran-ordered and read-only arrays, and JAX's own."""
    expected = call()

    def changed(how: Callable[[np.ndarray], Any]) -> Any:
        return jax.tree.map(lambda x: how(x) if isinstance(x, np.ndarray) else x, arrays_of(call))

    ways: dict[str, Callable[[np.ndarray], Any]] = {
        "strided": lambda x: np.repeat(x, 2, -1)[..., ::2] if x.ndim else x,
        "backwards": lambda x: np.ascontiguousarray(x[::-1])[::-1] if x.ndim else x,
        "Fortran": np.asfortranarray,
        "broadcast": lambda x: np.broadcast_to(x, x.shape),
        "JAX's": jnp.asarray,
        "a subclass": lambda x: x.view(_Subclass),
    }
    for name, how in ways.items():
        if (wrong := other(call(**changed(how)), expected)) is not None:
            return f"{name}: {wrong}"
    return None


class _Subclass(np.ndarray):
    """As other libraries make them."""


def numbers(call: Call) -> str | None:
    """Python's numbers, NumPy's, and arrays of no dimensions."""
    row = row_of(call)
    if row is None:
        return None
    given = arrays_of(call)
    points = {name: x.reshape(-1)[0] for name, x in given.items()}
    expected = call(**{name: np.asarray(x) for name, x in points.items()})
    ways = {
        "NumPy's": points,
        "JAX's": {name: jnp.asarray(x) for name, x in points.items()},
        "Python's": {name: x.item() for name, x in points.items()},
    }
    for name, changed in ways.items():
        if (wrong := other(call(**changed), expected)) is not None:
            return f"{name}: {wrong}"
    return None


def empties(call: Call) -> str | None:
    """No elements, with their derivatives."""
    row = row_of(call)
    if row is None:
        return None
    given = arrays_of(call)
    shapes = [(2, 0), (1, 1), (0,), ()]
    changed = {
        name: np.resize(x, shapes[i % 4]) if shapes[i % 4] != () else x.reshape(-1)[0]
        for i, (name, x) in enumerate(given.items())
    }
    shape = np.broadcast_shapes(*map(np.shape, changed.values()))
    plain = jax.eval_shape(lambda some: call(**some), {n: x.ravel()[:1] for n, x in given.items()})
    trailing = row.layout is None
    for y, like in zip(leaves(call(**changed)), jax.tree.leaves(plain), strict=True):
        if trailing and (y.shape != (*shape, *like.shape[1:]) or y.dtype != like.dtype):
            return f"{y.dtype}{y.shape} of no elements, not {like.dtype}{shape}"
    for name in moved(call)[:1]:
        x = jnp.asarray(changed[name])
        _, pull = jax.vjp(lambda x, name=name: call(**(changed | {name: x})), x)
        (back,) = pull(jax.tree.map(_one, call(**changed)))
        if back.shape != x.shape or not np.all(np.asarray(back) == 0):
            return f"a cotangent of no elements is {back}"
    return None


def broadcasts(call: Call) -> str | None:
    """Shapes that NumPy would broadcast, and mixtures of dtypes: SciPy's values, rounded once."""
    row = row_of(call)
    if row is None:
        return None
    rng = generator("usages", str(call))
    static = statics_of(call)
    narrow_, wide = [], []
    for spec, x in zip(row.arrays, columns(call), strict=True):
        y = _of_some_dtype(np.resize(x, _some_shape(rng)), spec.kind is Kind.INT, rng)
        narrow_.append(y)
        kind = {"i": np.int64, "u": np.int64, "b": np.int64, "c": complex}
        wide.append(y.astype(kind.get(y.dtype.kind, float)))
    if row.layout is not None:
        return None  # trailing dimensions are arranged: tests of layouts
    with np.errstate(all="ignore"):
        truths = by_scipy(row, static, np.broadcast_arrays(*wide))
    found = bound(row, static)(*narrow_)
    aval = jax.eval_shape(lambda *xs: jnp.sin(functools.reduce(operator.add, xs)), *narrow_)
    given = ", ".join(f"{x.dtype}{x.shape}" for x in narrow_)
    for y, truth, kind in zip(found, truths, row.host.result_kinds, strict=True):
        dtype = jnp.result_type(aval.dtype, jnp.complex64) if kind == "complex" else aval.dtype
        y = np.asarray(y)
        if (y.dtype, y.shape) != (dtype, truth.shape):
            return f"of {given}: {y.dtype}{y.shape}, not {dtype}{truth.shape}"
        close = max(1e-11, 4 * float(jnp.finfo(dtype).eps))
        with np.errstate(all="ignore"):
            once = precision.round_to(np.ma.getdata(truth), np.dtype(dtype))
        exact = row.repair is None and not row.on_device
        if exact and not np.array_equal(bits(y), bits(once)):
            return f"of {given}: {y!r}, not {once!r}"
        ours, theirs = (_wide(x) for x in (y, once))
        tiny = float(jnp.finfo(dtype).tiny)
        if not np.allclose(ours, theirs, close, tiny, equal_nan=True):
            return f"of {given}: {y!r}, not {once!r}"
    return None


def _wide(x: np.ndarray) -> np.ndarray:
    return x.astype(complex if x.dtype.kind == "c" else float)


def _some_shape(rng: np.random.Generator) -> tuple[int, ...]:
    full = (2, 1, 3)
    shape = tuple(n if rng.uniform() < 0.5 else 1 for n in full)
    return shape[int(rng.integers(3)) :]


def _of_some_dtype(x: np.ndarray, whole: bool, rng: np.random.Generator) -> np.ndarray:
    names = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
    if not whole:
        names += ["bool", "float16", "bfloat16", "float32", "float64", "float32", "float64"]
    if np.iscomplexobj(x):
        names = ["complex64", "complex128"]
    dtype = jnp.dtype(names[int(rng.integers(len(names)))])
    if dtype.kind in "iub":
        x = np.abs(np.nan_to_num(x)).clip(0, 1 if dtype.kind == "b" else 100)
    with np.errstate(all="ignore"):
        return x.astype(dtype)


# -- transformed -----------------------------------------------------------------------------------


def vectorized(call: Call) -> str | None:
    """jnp.vectorize, and vmap over last axes, named, one within the other."""
    row = row_of(call)
    if row is None or row.layout is not None:
        return None
    given, static = arrays_of(call), statics_of(call)
    names = [*given]
    xs = [np.resize(x, (2, 3)) if i % 2 == 0 else x for i, x in enumerate(given.values())]
    function = bound(row, static)
    expected = function(*xs)

    def whole(*xs: Any) -> Any:
        return tuple(y if y.ndim == 0 else y.reshape(-1) for y in function(*xs))

    core = [y.shape[len(np.broadcast_shapes(*map(np.shape, xs))) :] for y in expected]
    if not any(core):
        found = jnp.vectorize(lambda *xs: tuple(function(*xs)))(*xs)
        if (wrong := other(found, expected, CLOSE)) is not None:
            return f"jnp.vectorize: {wrong}"
    inner = jax.vmap(lambda *xs: tuple(function(*xs)), axis_name="i", out_axes=0)
    axes = tuple(-1 if np.ndim(x) == 2 else None for x in xs)
    lines = [x if np.ndim(x) == 2 else x[0] for x in xs]
    del names, whole
    fixed = [np.broadcast_to(x, (2,)) if np.ndim(x) == 0 else x for x in lines]
    found = jax.vmap(inner, in_axes=axes, out_axes=1, axis_name="j")(*fixed)
    expected = function(*(x if np.ndim(x) == 2 else x[:, None] for x in fixed))
    if (wrong := other(found, expected, CLOSE)) is not None:
        return f"vmap: {wrong}"
    return None


def donated(call: Call) -> str | None:
    """Buffers that the caller gives away."""
    names = [n for n, x in arrays_of(call).items() if isinstance(x, np.ndarray)]
    if not names:
        return None
    program = jax.jit(lambda some: call(**some), donate_argnums=0)
    expected = jax.jit(lambda some: call(**some))({n: call.arguments[n] for n in names})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of buffers that no result could use
        found = program({n: jnp.array(call.arguments[n]) for n in names})
    return other(found, expected, CLOSE)


CHECKS: dict[str, Check] = {
    each.__name__: each
    for each in (
        objects,
        namesakes,
        traces,
        tangents,
        no_tangents,
        narrow,
        kinds_of_matrices,
        layouts,
        numbers,
        empties,
        broadcasts,
        vectorized,
        donated,
    )
}


def complaints(call: Call, names: Sequence[str]) -> Iterator[tuple[str, str]]:
    """What is wrong with a call, in which way."""
    for name in names:
        try:
            wrong = CHECKS[name](call)
        except Exception as error:
            where = traceback.extract_tb(error.__traceback__)[-1]
            wrong = f"raises {type(error).__name__}: {error} ({where.filename}:{where.lineno})"
        if wrong is not None:
            yield name, " ".join(wrong.split())[:600]


if __name__ == "__main__":
    sys.exit(sweep.run(__doc__, list(CHECKS), complaints))
