"""Eigenvalues, eigenvectors, Schur forms."""

import functools

import jax.numpy as jnp
import numpy as np
import scipy.linalg
from linalg_cases import case, hermitian, normal, positive

from jaxsci.linalg._eig import eig, eigvals
from jaxsci.linalg._eig_banded import (
    eig_banded,
    eigh_tridiagonal,
    eigvals_banded,
    eigvalsh_tridiagonal,
)
from jaxsci.linalg._eigh import eigh, eigvalsh
from jaxsci.linalg._qz import ordqz, qz
from jaxsci.linalg._schur import cdf2rdf, hessenberg, rsf2csf, schur

N = 4


def weighted(v):
    """Projectors onto the vectors, each with a weight of its own."""
    return (v * (1 + np.arange(v.shape[-1]))) @ jnp.swapaxes(v, -1, -2).conj()


def vectors(results, _):
    """Eigenvalues, and what does not depend on the phases of the vectors."""
    w, v = results
    return w, weighted(v)


def fixed(v):
    """Vectors whose largest component is positive."""
    top = jnp.take_along_axis(v, jnp.argmax(jnp.abs(v), axis=-2)[..., None, :], axis=-2)
    return v * top.conj() / jnp.abs(top)


def all_fixed(results, _):
    """Eigenvalues, and vectors with the phase that LAPACK gives them but for the sign."""
    return (results[0], *map(fixed, results[1:]))


def both(function, theirs, **options):
    """One of ours and one of SciPy's, with the same options."""
    return functools.partial(function, **options), functools.partial(theirs, **options)


def matrix(rng, is_complex):
    """A general matrix whose eigenvalues are well apart."""
    apart = np.diag([3.0, 1.0, -1.5, -4.0])
    x = normal(rng, (N, N), is_complex) / 3
    if not is_complex:  # a pair of complex eigenvalues in the middle
        apart[1:3, 1:3] = [[0.5, 2.0], [-1.0, 0.5]]
    return apart + x


def one(rng, is_complex):
    return [matrix(rng, is_complex)]


def two(rng, is_complex):
    return [matrix(rng, is_complex), np.eye(N) + normal(rng, (N, N), is_complex) / 8]


def symmetric(rng, is_complex):
    return [hermitian(rng, N, is_complex) / 2 + np.diag([3.0, 1.0, -1.0, -4.0])]


def definite(rng, is_complex):
    return [*symmetric(rng, is_complex), positive(rng, N, is_complex)]


# -- general ---------------------------------------------------------------------------------------

case("eig", *both(eig, scipy.linalg.eig), one, invariant=all_fixed)
for _name, _options in {
    "eig: left and right": {"left": True},
    "eig: left": {"left": True, "right": False},
}.items():
    case(_name, *both(eig, scipy.linalg.eig, **_options), one, invariant=all_fixed)
    case(f"{_name}, b", *both(eig, scipy.linalg.eig, **_options), two, invariant=all_fixed)
case("eig: no vectors", *both(eig, scipy.linalg.eig, right=False), one)
case("eigvals", eigvals, scipy.linalg.eigvals, one)
case("eigvals: b", eigvals, scipy.linalg.eigvals, two)
_pairs = both(eig, scipy.linalg.eig, homogeneous_eigvals=True)
_ratio = lambda r, _: (r[0][..., 0, :] / r[0][..., 1, :], fixed(r[1]))  # noqa: E731
case("eig: homogeneous", *_pairs, two, invariant=_ratio)
case("eig: homogeneous, no b", *_pairs, one, invariant=_ratio)
case("eigvals: homogeneous", *both(eigvals, scipy.linalg.eigvals, homogeneous_eigvals=True), one)

# -- Hermitian -------------------------------------------------------------------------------------

case("eigh", eigh, scipy.linalg.eigh, symmetric, invariant=vectors)
for _name, _options in {
    "eigh: upper, evd": {"lower": False, "driver": "evd"},
    "eigh: by index": {"subset_by_index": [1, 2]},
    "eigh: by index, evx": {"subset_by_index": [0, 0], "driver": "evx"},
}.items():
    case(_name, *both(eigh, scipy.linalg.eigh, **_options), symmetric, invariant=vectors)
for _name, _options in {
    "eigh: b": {},
    "eigh: type 2": {"type": 2, "lower": False},
    "eigh: type 3": {"type": 3, "driver": "gv"},
    "eigh: b, by index": {"subset_by_index": [2, 3], "lower": False},
}.items():
    case(_name, *both(eigh, scipy.linalg.eigh, **_options), definite, invariant=vectors)
case(
    "eigh: by value",
    functools.partial(eigh, subset_by_value=(-2.5, 2.0), size=2),
    functools.partial(scipy.linalg.eigh, subset_by_value=(-2.5, 2.0)),
    symmetric,
    invariant=vectors,
)
case("eigvalsh", eigvalsh, scipy.linalg.eigvalsh, symmetric)
case("eigvalsh: b", eigvalsh, scipy.linalg.eigvalsh, definite)
_index = both(eigvalsh, scipy.linalg.eigvalsh, type=3, subset_by_index=[1, 2])
case("eigvalsh: type 3, by index", *_index, definite)
case("eigh: no vectors", *both(eigh, scipy.linalg.eigh, eigvals_only=True), symmetric)

# -- bands -----------------------------------------------------------------------------------------


def bands(lower):
    def sample(rng, is_complex):
        x = normal(rng, (3, 5), is_complex) / 2
        x[0 if lower else 2] = [-6, -3, 0, 3, 6] + rng.normal(size=5) / 2
        return [x]

    return sample


for _lower in (False, True):
    _ours, _theirs = both(eig_banded, scipy.linalg.eig_banded, lower=_lower)
    case(f"eig_banded: lower {_lower}", _ours, _theirs, bands(_lower), invariant=vectors)
_index = {"lower": True, "select": "i", "select_range": (1, 3)}
_ours, _theirs = both(eig_banded, scipy.linalg.eig_banded, **_index)
case("eig_banded: by index", _ours, _theirs, bands(True), invariant=vectors)
case("eigvals_banded", eigvals_banded, scipy.linalg.eigvals_banded, bands(False))
_ours, _theirs = both(eigvals_banded, scipy.linalg.eigvals_banded, **_index)
case("eigvals_banded: by index", _ours, _theirs, bands(True))
case(
    "eig_banded: by value",
    functools.partial(eig_banded, select="v", select_range=(-4.5, 4.5), max_ev=3),
    functools.partial(scipy.linalg.eig_banded, select="v", select_range=(-4.5, 4.5)),
    bands(False),
    invariant=vectors,
)


def diagonals(rng, is_complex):
    return [np.array([-6, -3, 0, 3, 6]) + rng.normal(size=5) / 2, normal(rng, 4, is_complex)]


_real = {"kinds": ("real",)}
for _name, _options in {
    "eigh_tridiagonal": {},
    "eigh_tridiagonal: stemr, by index": {
        "select": "i",
        "select_range": (0, 2),
        "lapack_driver": "stemr",
    },
    "eigh_tridiagonal: stebz": {"lapack_driver": "stebz"},
}.items():
    _ours, _theirs = both(eigh_tridiagonal, scipy.linalg.eigh_tridiagonal, **_options)
    case(_name, _ours, _theirs, diagonals, invariant=vectors, **_real)
for _name, _options in {
    "eigvalsh_tridiagonal": {},
    "eigvalsh_tridiagonal: sterf": {"lapack_driver": "sterf"},
}.items():
    _ours, _theirs = both(eigvalsh_tridiagonal, scipy.linalg.eigvalsh_tridiagonal, **_options)
    case(_name, _ours, _theirs, diagonals, **_real)
case(
    "eigvalsh_tridiagonal: by value",
    functools.partial(eigvalsh_tridiagonal, select="v", select_range=(-4.5, 4.5), size=3),
    functools.partial(scipy.linalg.eigvalsh_tridiagonal, select="v", select_range=(-4.5, 4.5)),
    diagonals,
    **_real,
)

# -- Schur -----------------------------------------------------------------------------------------


def form(results, _):
    """What does not depend on phases: the projectors, moduli, and the diagonal blocks' sums."""
    t, z = results[:2]
    return jnp.abs(t) ** 2, weighted(z), jnp.diagonal(t, axis1=-2, axis2=-1)


def right_half(*w):
    """Of an eigenvalue, or its two parts."""
    return w[0].real > 0


case("schur", schur, scipy.linalg.schur, one, invariant=form)
for _name, _options in {
    "schur: complex": {"output": "complex"},
    "schur: sort": {"sort": right_half},
    "schur: complex, sort": {"output": "complex", "sort": "lhp"},
}.items():
    case(_name, *both(schur, scipy.linalg.schur, **_options), one, invariant=form)


def real_form(rng, is_complex):
    t, z = scipy.linalg.schur(matrix(rng, False))
    return [t, z + 0.1 * normal(rng, z.shape, is_complex)]


def quasi_tangent(i, x, rng):
    """Along which T stays quasi-triangular."""
    along = normal(rng, x.shape, np.iscomplexobj(x))
    return np.triu(along) + np.diag(np.diag(along, -1) * (np.diag(x, -1) != 0), -1) if i == 0 else along


case("rsf2csf", rsf2csf, scipy.linalg.rsf2csf, real_form, host=False, tangent=quasi_tangent)

case(
    "hessenberg",
    *both(hessenberg, scipy.linalg.hessenberg, calc_q=True),
    lambda rng, is_complex: [normal(rng, (5, 5), is_complex)],
)
case("hessenberg: no q", hessenberg, scipy.linalg.hessenberg, one)
case("hessenberg: order 2", hessenberg, scipy.linalg.hessenberg, lambda rng, c: [normal(rng, (2, 2), c)])


def conjugate_pairs(rng, is_complex):
    return [np.array([2.0 + 0j, 1 + 2j, 3.0, 1 - 2j]), normal(rng, (4, 4), True)]


def pairs_tangent(i, x, rng):
    """Along which the eigenvalues that are real stay so."""
    along = normal(rng, x.shape, True)
    return np.where(x.imag == 0, along.real, along) if i == 0 else along


case("cdf2rdf", cdf2rdf, scipy.linalg.cdf2rdf, conjugate_pairs, kinds=("complex",), host=False,
     tangent=pairs_tangent)  # fmt: skip


def pencil_form(results, _):
    """What does not depend on phases of (S, T, Q, Z)."""
    s, t, q, z = results
    return jnp.abs(s) ** 2, jnp.abs(t) ** 2, weighted(q), weighted(z)


def ordered_form(results, _):
    """The same, and the eigenvalues."""
    s, t, alpha, beta, q, z = results
    return *pencil_form((s, t, q, z), _), alpha / beta


case("qz", qz, scipy.linalg.qz, two, invariant=pencil_form)
case("qz: complex", *both(qz, scipy.linalg.qz, output="complex"), two, invariant=pencil_form)
case("ordqz", ordqz, scipy.linalg.ordqz, two, invariant=ordered_form)
_unstable = both(ordqz, scipy.linalg.ordqz, output="complex", sort="ouc")
case("ordqz: complex, ouc", *_unstable, two, invariant=ordered_form)
