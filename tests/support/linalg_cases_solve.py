"""Linear equations, factorisations, pseudoinverses, norms, banded and Toeplitz matrices.

Complex numbers take the real path too, so most cases are complex; test_linalg_solve.py has the
values of the others, and derivatives by defining equations.
"""

import numpy as np
import scipy.linalg
from linalg_cases import (
    case,
    hermitian_first,
    hermitian_tangent,
    normal,
    of_positive_spectrum,
    positive,
    symmetric_first,
)

from jaxsci.linalg._banded import (
    cho_solve_banded,
    cholesky_banded,
    solve_banded,
    solveh_banded,
)
from jaxsci.linalg._cholesky import cho_factor, cho_solve, cholesky
from jaxsci.linalg._companion import companion, fiedler, fiedler_companion
from jaxsci.linalg._construct import (
    block_diag,
    circulant,
    convolution_matrix,
    diagsvd,
    hankel,
    leslie,
    toeplitz,
)
from jaxsci.linalg._determinant import det
from jaxsci.linalg._lstsq import lstsq, pinv, pinvh
from jaxsci.linalg._lu import lu, lu_factor, lu_solve
from jaxsci.linalg._norm import norm
from jaxsci.linalg._sketch import clarkson_woodruff_transform
from jaxsci.linalg._solve import inv, solve, solve_triangular
from jaxsci.linalg._toeplitz import matmul_toeplitz, solve_circulant, solve_toeplitz

_COMPLEX = {"host": False, "kinds": ("complex",)}
_REAL = {"host": False, "kinds": ("real",)}
_VALUES = {"host": False, "kinds": ("real",), "ruled": ()}
_HOST = {"kinds": ("complex",)}


def _both(name, ours, theirs, sample, options, **more):
    """A case whose static arguments are ours and SciPy's."""

    def with_options(function):
        return lambda *xs: function(*xs, **options)

    case(name, with_options(ours), with_options(theirs), sample, **more)


# -- full matrices ---------------------------------------------------------------------------------


def _square(rng, is_complex):
    return [of_positive_spectrum(rng, 3, is_complex)]


def _with_columns(sample, rows=None):
    def both(rng, is_complex):
        a = sample(rng, is_complex)[0]
        return [a, normal(rng, (rows or len(a), 2), is_complex)]

    return both


def _positive(rng, is_complex):
    return [positive(rng, 3, is_complex)]


def _self_adjoint(rng, is_complex):
    a = of_positive_spectrum(rng, 3, is_complex)
    return [a + a.conj().T]


def _symmetric(rng, is_complex):
    a = of_positive_spectrum(rng, 3, is_complex)
    return [a + a.T]


_columns = _with_columns(_square)

for assumed, sample, options in [
    (None, _columns, _COMPLEX),
    ("pos", _with_columns(_positive), _COMPLEX | {"tangent": hermitian_first}),
    ("sym", _with_columns(_symmetric), _COMPLEX | {"tangent": symmetric_first}),
    ("tridiagonal", _columns, _COMPLEX),
    ("diagonal", _columns, _VALUES),
    ("lower triangular", _columns, _VALUES),
]:
    _both(f"solve:{assumed}", solve, scipy.linalg.solve, sample, {"assume_a": assumed}, **options)
_both(
    "solve_triangular",
    solve_triangular,
    scipy.linalg.solve_triangular,
    _columns,
    {"trans": "C", "lower": True, "unit_diagonal": True},
    **_COMPLEX,
)
case("inv", inv, scipy.linalg.inv, _square, **_COMPLEX)
case("det", det, scipy.linalg.det, lambda *k: [of_positive_spectrum(k[0], 4, k[1])], **_COMPLEX)


# -- factors ---------------------------------------------------------------------------------------


def _wide(rng, is_complex):
    return [normal(rng, (3, 4), is_complex)]


def _tall(rng, is_complex):
    return [normal(rng, (4, 3), is_complex)]


_PIVOTS = np.array([1, 2, 2], np.int32)

case("lu", lu, scipy.linalg.lu, _wide, **_COMPLEX)
_both("lu:permute_l", lu, scipy.linalg.lu, _tall, {"permute_l": True}, **_REAL)
case(
    "lu_factor",
    lambda a: lu_factor(a)[0],
    lambda a: scipy.linalg.lu_factor(a)[0],
    _tall,
    **_REAL,
)
case(
    "lu_solve",
    lambda packed, b: lu_solve((packed, _PIVOTS), b, 2),
    lambda packed, b: scipy.linalg.lu_solve((packed, _PIVOTS), b, 2),
    _columns,
    **_COMPLEX,
)
_hermitian = _COMPLEX | {"tangent": hermitian_tangent}
case("cholesky", cholesky, scipy.linalg.cholesky, _positive, **_hermitian)
case(
    "cho_factor",
    lambda a: cho_factor(a, lower=True)[0],
    lambda a: np.tril(scipy.linalg.cho_factor(a, lower=True)[0]),
    _positive,
    **_hermitian,
)
case(
    "cho_solve",
    lambda c, b: cho_solve((c, False), b),
    lambda c, b: scipy.linalg.cho_solve((c, False), b),
    _columns,
    **_COMPLEX,
)


# -- least squares and norms -----------------------------------------------------------------------


def _apart(rng, is_complex):
    """Of well-separated singular values."""
    u, v = (np.linalg.qr(normal(rng, (n, 3), is_complex))[0] for n in (5, 3))
    return [u @ np.diag(np.array([3, 2, 1]) + rng.uniform(0, 0.5, 3)) @ v]


def _not_small(rng, is_complex):
    """Without elements near zero, where absolute values bend."""
    x = normal(rng, (3, 4), is_complex)
    return [x + 2 * x / np.abs(x)]


def _without_rank(function):
    """The sum with the singular values: by themselves they do not depend on b."""

    def found(a, b):
        x, residues, _, values = function(a, b)
        return x + values[..., None], residues

    return found


case(
    "lstsq",
    _without_rank(lstsq),
    _without_rank(scipy.linalg.lstsq),
    _with_columns(_apart),
    **_COMPLEX,
)
case("pinv", pinv, scipy.linalg.pinv, _apart, **_COMPLEX)
case("pinvh", pinvh, scipy.linalg.pinvh, _self_adjoint, **_hermitian)
for order in (None, "nuc", 1, 2, -2, -np.inf):
    static = {"ord": order, "axis": (-2, -1)}
    _both(f"norm:{order}", norm, scipy.linalg.norm, _apart, static, **_COMPLEX)
for order in (1, 3, -0.5, np.inf, -np.inf):
    static = {"ord": order, "axis": -1}
    _both(f"norm:vectors,{order}", norm, scipy.linalg.norm, _not_small, static, **_COMPLEX)


# -- banded matrices -------------------------------------------------------------------------------


def _band(l, u, n=4):
    def sample(rng, is_complex):
        ab = normal(rng, (l + u + 1, n), is_complex) / 3
        ab[u] += 2
        return [ab, normal(rng, (n, 2), is_complex)]

    return sample


def _positive_band(rng, is_complex):
    """Upper form, zero where nothing is read."""
    ab = normal(rng, (3, 4), is_complex) / 4
    ab[2] = rng.uniform(2, 3, 4)
    ab[0, :2] = ab[1, 0] = 0
    return [ab]


def _positive_band_below(rng, is_complex):
    """Lower form, of two rows."""
    ab = normal(rng, (2, 4), is_complex) / 4
    ab[0] = rng.uniform(2, 3, 4)
    ab[1, 3] = 0
    return [ab]


for l, u, options in [(2, 1, _HOST), (1, 1, {"kinds": ("real",)})]:
    case(
        f"solve_banded:{l},{u}",
        lambda ab, b, l=l, u=u: solve_banded((l, u), ab, b),
        lambda ab, b, l=l, u=u: scipy.linalg.solve_banded((l, u), ab, b),
        _band(l, u),
        **options,
    )
for lower, sample in [(False, _positive_band), (True, _positive_band_below)]:
    static = {"lower": lower}
    _both(
        f"solveh_banded:{lower}",
        solveh_banded,
        scipy.linalg.solveh_banded,
        _with_columns(sample, 4),
        static,
        **_HOST,
    )
    _both(
        f"cholesky_banded:{lower}",
        cholesky_banded,
        scipy.linalg.cholesky_banded,
        sample,
        static,
        **_HOST,
    )
case(
    "cho_solve_banded",
    lambda cb, b: cho_solve_banded((cb, False), b),
    lambda cb, b: scipy.linalg.cho_solve_banded((cb, False), b),
    _with_columns(_positive_band, 4),
    **_HOST,
)


# -- Toeplitz and circulant matrices ---------------------------------------------------------------


def _first(rng, is_complex):
    c = normal(rng, (3,), is_complex) / 2
    c[0] += 3
    return [c]


def _diagonals(rng, is_complex):
    c, b = _with_columns(_first)(rng, is_complex)
    return [c, normal(rng, (3,), is_complex) / 2, b]


def _of_sizes(*shapes):
    return lambda rng, is_complex: [normal(rng, shape, is_complex) for shape in shapes]


case(
    "solve_toeplitz",
    lambda c, r, b: solve_toeplitz((c, r), b),
    lambda c, r, b: scipy.linalg.solve_toeplitz((c, r), b),
    _diagonals,
    **_HOST,
)
case(
    "solve_toeplitz:c", solve_toeplitz, scipy.linalg.solve_toeplitz, _with_columns(_first), **_HOST
)
case(
    "matmul_toeplitz",
    lambda c, r, x: matmul_toeplitz((c, r), x),
    lambda c, r, x: scipy.linalg.matmul_toeplitz((c, r), x),
    _of_sizes((2,), (4,), (4, 2)),
    **_REAL,
)
_both(
    "solve_circulant",
    solve_circulant,
    scipy.linalg.solve_circulant,
    lambda *k: [*_first(*k), normal(k[0], (3,), k[1])],
    {"baxis": -1, "outaxis": -1},
    **_COMPLEX,
)


# -- constructors: gathers of elements, linear but for three ---------------------------------------

for function, sample in [
    (toeplitz, _of_sizes((3,), (4,))),
    (hankel, _of_sizes((3,), (4,))),
    (circulant, _of_sizes((4,))),
    (leslie, _of_sizes((4,), (3,))),
    (block_diag, _of_sizes((2,), (2, 3))),
]:
    theirs = getattr(scipy.linalg, function.__name__)
    blocks = function is block_diag
    case(function.__name__, function, theirs, sample, **_VALUES, batched=not blocks)
for function, sample in [
    (companion, _of_sizes((4,))),
    (fiedler_companion, _of_sizes((6,))),
    (fiedler, _of_sizes((3,))),
]:
    case(function.__name__, function, getattr(scipy.linalg, function.__name__), sample, **_COMPLEX)
for function, sample, options in [
    (convolution_matrix, _of_sizes((4,)), {"n": 3, "mode": "same"}),
    (diagsvd, _of_sizes((3,)), {"M": 3, "N": 5}),
    (clarkson_woodruff_transform, _of_sizes((6, 2)), {"sketch_size": 3, "rng": 5}),
]:
    name = function.__name__
    _both(name, function, getattr(scipy.linalg, name), sample, options, **_VALUES)
