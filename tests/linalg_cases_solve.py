"""Linear equations, factorisations, pseudoinverses, norms, banded and Toeplitz matrices."""

import numpy as np
import scipy.linalg
from linalg_cases import case, normal, of_positive_spectrum, positive

from jaxsci.linalg._banded import (
    cho_solve_banded,
    cholesky_banded,
    solve_banded,
    solveh_banded,
)
from jaxsci.linalg._construct import (
    block_diag,
    circulant,
    companion,
    convolution_matrix,
    diagsvd,
    fiedler,
    fiedler_companion,
    hankel,
    leslie,
    toeplitz,
)
from jaxsci.linalg._determinant import det
from jaxsci.linalg._factor import cho_factor, cho_solve, cholesky, lu, lu_factor, lu_solve
from jaxsci.linalg._lstsq import lstsq, pinv, pinvh
from jaxsci.linalg._norm import norm
from jaxsci.linalg._sketch import clarkson_woodruff_transform
from jaxsci.linalg._solve import inv, solve, solve_triangular
from jaxsci.linalg._toeplitz import matmul_toeplitz, solve_circulant, solve_toeplitz

_NATIVE = {"host": False}
_REAL = {"kinds": ("real",)}


def _with(function, **options):
    return lambda *xs: function(*xs, **options)


def _both(name, ours, theirs, sample, options, **more):
    """A case whose static arguments are ours and SciPy's."""
    case(name, _with(ours, **options), _with(theirs, **options), sample, **more)


# -- full matrices ---------------------------------------------------------------------------------


def _square(rng, is_complex):
    return [of_positive_spectrum(rng, 4, is_complex)]


def _square_and_columns(rng, is_complex):
    return [*_square(rng, is_complex), normal(rng, (4, 2), is_complex)]


def _positive(rng, is_complex):
    return [positive(rng, 4, is_complex)]


def _positive_and_columns(rng, is_complex):
    return [*_positive(rng, is_complex), normal(rng, (4, 2), is_complex)]


def _self_adjoint(rng, is_complex):
    a = of_positive_spectrum(rng, 4, is_complex)
    return [a + a.conj().T]


def _self_adjoint_and_columns(rng, is_complex):
    return [*_self_adjoint(rng, is_complex), normal(rng, (4, 2), is_complex)]


def _symmetric_and_columns(rng, is_complex):
    a = of_positive_spectrum(rng, 4, is_complex)
    return [a + a.T, normal(rng, (4, 2), is_complex)]


for assumed, sample, options in [
    (None, _square_and_columns, {}),
    ("pos", _positive_and_columns, {}),
    ("her", _self_adjoint_and_columns, {"kinds": ("complex",)}),
    ("sym", _symmetric_and_columns, {"kinds": ("complex",)}),
    ("tridiagonal", _square_and_columns, {}),
    ("diagonal", _square_and_columns, _REAL),
    ("lower triangular", _square_and_columns, {"kinds": ("complex",)}),
]:
    static = {"assume_a": assumed, "lower": assumed == "her"}
    _both(f"solve:{assumed}", solve, scipy.linalg.solve, sample, static, **_NATIVE, **options)
case(
    "solve:transposed",
    _with(solve, transposed=True),
    lambda a, b: scipy.linalg.solve(a.T, b),
    _square_and_columns,
    **_NATIVE,
)
_both(
    "solve_triangular",
    solve_triangular,
    scipy.linalg.solve_triangular,
    _square_and_columns,
    {},
    **_NATIVE,
    kinds=("real",),
)
_both(
    "solve_triangular:C",
    solve_triangular,
    scipy.linalg.solve_triangular,
    _square_and_columns,
    {"trans": "C", "lower": True, "unit_diagonal": True},
    **_NATIVE,
    kinds=("complex",),
)
case("inv", inv, scipy.linalg.inv, _square, **_NATIVE)
_both("inv:pos", inv, scipy.linalg.inv, _positive, {"assume_a": "pos"}, **_NATIVE)
case("det", det, scipy.linalg.det, _square, **_NATIVE)


# -- factors ---------------------------------------------------------------------------------------


def _wide(rng, is_complex):
    return [normal(rng, (3, 5), is_complex)]


def _tall(rng, is_complex):
    return [normal(rng, (5, 3), is_complex)]


def _packed(rng, is_complex):
    packed, pivots = scipy.linalg.lu_factor(of_positive_spectrum(rng, 4, is_complex))
    return [packed, normal(rng, (4, 2), is_complex), np.roll(pivots, 0)]


case("lu", lu, scipy.linalg.lu, _wide, **_NATIVE)
_both("lu:permute_l", lu, scipy.linalg.lu, _tall, {"permute_l": True}, **_NATIVE)
case(
    "lu_factor",
    lambda a: lu_factor(a)[0],
    lambda a: scipy.linalg.lu_factor(a)[0],
    _square,
    **_NATIVE,
)
for trans in (0, 2):
    case(
        f"lu_solve:{trans}",
        lambda packed, b, pivots, trans=trans: lu_solve((packed, pivots), b, trans),
        lambda packed, b, pivots, trans=trans: scipy.linalg.lu_solve((packed, pivots), b, trans),
        _packed,
        **_NATIVE,
        ruled=(0, 1),
        kinds=("real", "complex") if trans == 0 else ("complex",),
    )
case("cholesky", cholesky, scipy.linalg.cholesky, _positive, **_NATIVE)
case(
    "cho_factor",
    lambda a: cho_factor(a, lower=True)[0],
    lambda a: np.tril(scipy.linalg.cho_factor(a, lower=True)[0]),
    _positive,
    **_NATIVE,
    kinds=("complex",),
)
for lower in (False, True):
    case(
        f"cho_solve:{lower}",
        lambda c, b, lower=lower: cho_solve((c, lower), b),
        lambda c, b, lower=lower: scipy.linalg.cho_solve((c, lower), b),
        _square_and_columns,
        **_NATIVE,
        kinds=("complex",),
    )


# -- least squares and norms -----------------------------------------------------------------------


def _tall_and_columns(rng, is_complex):
    return [normal(rng, (6, 3), is_complex), normal(rng, (6, 2), is_complex)]


def _low_rank(rng, is_complex):
    """Of rank 2; its differentials keep the rank (see _within_rank)."""
    return [normal(rng, (5, 2), is_complex) @ normal(rng, (2, 4), is_complex)]


def _both_without_rank(function):
    def found(a, b):
        x, residues, _, values = function(a, b)
        return x, residues, values

    return found


def _of_factors(x, y):
    return pinv(x @ y)


case(
    "lstsq",
    _both_without_rank(lstsq),
    _both_without_rank(scipy.linalg.lstsq),
    _tall_and_columns,
    **_NATIVE,
)
case("pinv:tall", pinv, scipy.linalg.pinv, _tall, **_NATIVE)
case("pinv:wide", pinv, scipy.linalg.pinv, _wide, **_NATIVE, kinds=("real",))
# A product of factors keeps its rank when they move.
case(
    "pinv:of rank 2",
    lambda x, y: pinv(np.asarray(x) @ y if isinstance(x, np.ndarray) else x @ y)
    if getattr(x, "ndim", 0) > 1
    else pinv(x),
    lambda x, y: scipy.linalg.pinv(x @ y),
    lambda rng, is_complex: [normal(rng, (5, 2), is_complex), normal(rng, (2, 4), is_complex)],
    **_NATIVE,
    single_rtol=1e-4,
)
case("pinvh", pinvh, scipy.linalg.pinvh, _self_adjoint, **_NATIVE)
for order in (None, "nuc", 2, -2, 1, np.inf):
    _both(
        f"norm:{order}",
        norm,
        scipy.linalg.norm,
        _tall,
        {"ord": order, "axis": (-2, -1)},
        **_NATIVE,
        kinds=("complex",) if order in (None, "nuc") else ("real",),
    )
_both(
    "norm:vectors",
    norm,
    scipy.linalg.norm,
    _tall,
    {"ord": 3, "axis": -1, "keepdims": True},
    **_NATIVE,
    kinds=("complex",),
)


# -- banded matrices -------------------------------------------------------------------------------


def _band(l, u, n=5):
    def sample(rng, is_complex):
        ab = normal(rng, (l + u + 1, n), is_complex) / 3
        ab[u] += 2
        return [ab, normal(rng, (n, 2), is_complex)]

    return sample


def _positive_band(width, lower, n=5):
    def sample(rng, is_complex):
        ab = normal(rng, (width + 1, n), is_complex) / 4
        ab[0 if lower else -1] = rng.uniform(2, 3, n)
        for k in range(1, width + 1):  # zero where nothing is read
            ab[k if lower else width - k, slice(n - k, n) if lower else slice(k)] = 0
        return [ab, normal(rng, (n, 2), is_complex)]

    return sample


for l, u in [(1, 1), (2, 1), (0, 2)]:
    case(
        f"solve_banded:{l},{u}",
        lambda ab, b, l=l, u=u: solve_banded((l, u), ab, b),
        lambda ab, b, l=l, u=u: scipy.linalg.solve_banded((l, u), ab, b),
        _band(l, u),
        kinds=("real", "complex") if l == 2 else ("real",),
    )
for width, lower in [(1, False), (2, True), (2, False)]:
    kinds = ("real", "complex") if width == 2 and not lower else ("complex",)
    sample = _positive_band(width, lower)
    _both(
        f"solveh_banded:{width},{lower}",
        solveh_banded,
        scipy.linalg.solveh_banded,
        sample,
        {"lower": lower},
        kinds=kinds,
    )
    _both(
        f"cholesky_banded:{width},{lower}",
        cholesky_banded,
        scipy.linalg.cholesky_banded,
        lambda rng, is_complex, sample=sample: sample(rng, is_complex)[:1],
        {"lower": lower},
        kinds=kinds,
    )
for lower in (False, True):
    case(
        f"cho_solve_banded:{lower}",
        lambda cb, b, lower=lower: cho_solve_banded((cb, lower), b),
        lambda cb, b, lower=lower: scipy.linalg.cho_solve_banded((cb, lower), b),
        _positive_band(2, lower),
        kinds=("complex",) if lower else ("real", "complex"),
    )


# -- Toeplitz and circulant matrices ---------------------------------------------------------------


def _diagonals(rng, is_complex):
    c, r = normal(rng, (4,), is_complex) / 2, normal(rng, (4,), is_complex) / 2
    c[0] += 3
    return [c, r, normal(rng, (4, 2), is_complex)]


def _first_and_columns(rng, is_complex):
    c, _, b = _diagonals(rng, is_complex)
    return [c, b]


def _rectangle(rng, is_complex):
    shapes = [(3,), (5,), (5, 2)]
    return [normal(rng, shape, is_complex) for shape in shapes]


def _first_and_right(rng, is_complex):
    c, _, b = _diagonals(rng, is_complex)
    return [c, b[:, 0]]


case(
    "solve_toeplitz",
    lambda c, r, b: solve_toeplitz((c, r), b),
    lambda c, r, b: scipy.linalg.solve_toeplitz((c, r), b),
    _diagonals,
)
case(
    "solve_toeplitz:c",
    solve_toeplitz,
    scipy.linalg.solve_toeplitz,
    _first_and_columns,
    kinds=("complex",),
)
case(
    "matmul_toeplitz",
    lambda c, r, x: matmul_toeplitz((c, r), x),
    lambda c, r, x: scipy.linalg.matmul_toeplitz((c, r), x),
    _rectangle,
    **_NATIVE,
)
_both(
    "solve_circulant",
    solve_circulant,
    scipy.linalg.solve_circulant,
    _first_and_right,
    {"baxis": -1, "outaxis": -1},
    **_NATIVE,
)


# -- constructors ----------------------------------------------------------------------------------


def _vector(n):
    return lambda rng, is_complex: [normal(rng, (n,), is_complex)]


def _vectors(*sizes):
    return lambda rng, is_complex: [normal(rng, (n,), is_complex) for n in sizes]


case("toeplitz", toeplitz, scipy.linalg.toeplitz, _vectors(3, 4), **_NATIVE, kinds=("real",))
case("toeplitz:c", toeplitz, scipy.linalg.toeplitz, _vector(3), **_NATIVE, kinds=("complex",))
case("hankel", hankel, scipy.linalg.hankel, _vectors(3, 4), **_NATIVE, kinds=("real",))
case("circulant", circulant, scipy.linalg.circulant, _vector(4), **_NATIVE, kinds=("real",))
_both(
    "convolution_matrix",
    convolution_matrix,
    scipy.linalg.convolution_matrix,
    _vector(4),
    {"n": 3, "mode": "same"},
    **_NATIVE,
    kinds=("real",),
)
case(
    "block_diag",
    block_diag,
    scipy.linalg.block_diag,
    lambda rng, is_complex: [normal(rng, (1, 2), is_complex), normal(rng, (2, 3), is_complex)],
    **_NATIVE,
    kinds=("real",),
)
_both(
    "diagsvd",
    diagsvd,
    scipy.linalg.diagsvd,
    _vector(3),
    {"M": 3, "N": 5},
    **_NATIVE,
    kinds=("real",),
)
case("leslie", leslie, scipy.linalg.leslie, _vectors(4, 3), **_NATIVE, kinds=("real",))
case("companion", companion, scipy.linalg.companion, _vector(4), **_NATIVE, kinds=("complex",))
case(
    "fiedler_companion",
    fiedler_companion,
    scipy.linalg.fiedler_companion,
    _vector(6),
    **_NATIVE,
    kinds=("complex",),
)
case("fiedler", fiedler, scipy.linalg.fiedler, _vector(4), **_NATIVE)
_both(
    "clarkson_woodruff_transform",
    clarkson_woodruff_transform,
    scipy.linalg.clarkson_woodruff_transform,
    lambda rng, is_complex: [normal(rng, (6, 2), is_complex)],
    {"sketch_size": 3, "rng": 5},
    **_NATIVE,
    kinds=("complex",),
)
