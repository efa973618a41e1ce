"""Eigenvalues, eigenvectors, Schur forms."""

import functools

import jax.numpy as jnp
import numpy as np
import scipy.linalg
from linalg_cases import case, hermitian, hermitian_tangent, normal, positive

from jaxsci.linalg._eig import eig, eigvals
from jaxsci.linalg._eig_banded import eig_banded, eigvals_banded
from jaxsci.linalg._eigh import eigh, eigvalsh
from jaxsci.linalg._eigh_tridiagonal import eigh_tridiagonal, eigvalsh_tridiagonal
from jaxsci.linalg._hessenberg import hessenberg
from jaxsci.linalg._qz import ordqz, qz
from jaxsci.linalg._schur import cdf2rdf, rsf2csf, schur

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

REAL = {"kinds": ("real",)}
COMPLEX = {"kinds": ("complex",)}

_both_sides = both(eig, scipy.linalg.eig, left=True)
case("eig: left and right", *_both_sides, one, invariant=all_fixed)
case("eig: b, left and right", *_both_sides, two, invariant=all_fixed, **COMPLEX)
case("eigvals", eigvals, scipy.linalg.eigvals, one, **REAL)
case("eigvals: b", eigvals, scipy.linalg.eigvals, two, **REAL)

# -- Hermitian -------------------------------------------------------------------------------------

_free = {"tangent": hermitian_tangent}
case("eigh", eigh, scipy.linalg.eigh, symmetric, invariant=vectors, **_free)
_type2 = both(eigh, scipy.linalg.eigh, type=2, lower=False, subset_by_index=[1, 3])
case("eigh: type 2, upper, by index", *_type2, definite, invariant=vectors, **_free, **COMPLEX)
_type3 = both(eigh, scipy.linalg.eigh, type=3)
case("eigh: type 3", *_type3, definite, invariant=vectors, **_free, **REAL)
_index = both(eigvalsh, scipy.linalg.eigvalsh, subset_by_index=[1, 2])
case("eigvalsh: by index", *_index, symmetric, **_free, **COMPLEX)
case("eigvalsh: b", eigvalsh, scipy.linalg.eigvalsh, definite, **_free, **REAL)

# -- bands -----------------------------------------------------------------------------------------


def bands(lower):
    """Bands of a matrix of order 5."""

    def sample(rng, is_complex):
        x = normal(rng, (3, 5), is_complex) / 2
        x[0 if lower else 2] = [-6, -3, 0, 3, 6] + rng.normal(size=5) / 2
        return [x]

    return sample


case("eig_banded", eig_banded, scipy.linalg.eig_banded, bands(False), invariant=vectors, **COMPLEX)
_value = {"lower": True, "select": "v", "select_range": (-4.5, 4.5)}
case(
    "eig_banded: lower, by value",
    functools.partial(eig_banded, max_ev=3, **_value),
    functools.partial(scipy.linalg.eig_banded, **_value),
    bands(True),
    invariant=vectors,
    **REAL,
)
_index = both(eigvals_banded, scipy.linalg.eigvals_banded, select="i", select_range=(1, 3))
case("eigvals_banded: by index", *_index, bands(False), **REAL)


def diagonals(rng, is_complex):
    """Diagonal and off-diagonal of a matrix of order 5."""
    return [np.array([-6, -3, 0, 3, 6]) + rng.normal(size=5) / 2, normal(rng, (4,), is_complex)]


_ours, _theirs = both(eigh_tridiagonal, scipy.linalg.eigh_tridiagonal)
case("eigh_tridiagonal", _ours, _theirs, diagonals, invariant=vectors, **REAL)
_sterf = both(eigvalsh_tridiagonal, scipy.linalg.eigvalsh_tridiagonal, lapack_driver="sterf")
case("eigvalsh_tridiagonal: sterf", *_sterf, diagonals, **REAL)

# -- Schur -----------------------------------------------------------------------------------------


def form(results, _):
    """What does not depend on the phases of Schur vectors."""
    t, z = results[:2]
    return jnp.abs(t) ** 2, weighted(z), jnp.diagonal(t, axis1=-2, axis2=-1)


case("schur", schur, scipy.linalg.schur, one, invariant=form)


def real_form(rng, is_complex):
    """A quasi-triangular matrix, and one more."""
    t, z = scipy.linalg.schur(matrix(rng, False))[:2]
    return [t, z + 0.1 * normal(rng, z.shape, is_complex)]


def quasi_tangent(i, x, rng):
    """Along which the matrix stays quasi-triangular."""
    along = normal(rng, x.shape, np.iscomplexobj(x))
    if i == 1:
        return along
    return np.triu(along) + np.diag(np.diag(along, -1) * (np.diag(x, -1) != 0), -1)


def together(results, _):
    """Sums and products: of each argument something depends on both."""
    first, second = results
    return first + second, second @ first


_options = {"host": False, "tangent": quasi_tangent, "invariant": together}
case("rsf2csf", rsf2csf, scipy.linalg.rsf2csf, real_form, **_options, **REAL)


def any_matrix(rng, is_complex):
    """Of order 5."""
    return [normal(rng, (5, 5), is_complex)]


case("hessenberg", *both(hessenberg, scipy.linalg.hessenberg, calc_q=True), any_matrix)


def conjugate_pairs(rng, is_complex):
    """Eigenvalues of a real matrix, and vectors."""
    return [np.array([2.0 + 0j, 1 + 2j, 3.0, 1 - 2j]), normal(rng, (4, 4), True)]


def pairs_tangent(i, x, rng):
    """Along which the eigenvalues that are real stay so."""
    along = normal(rng, x.shape, True)
    return np.where(x.imag == 0, np.real(along), along) if i == 0 else along


_options = {"host": False, "tangent": pairs_tangent, "invariant": together}
case("cdf2rdf", cdf2rdf, scipy.linalg.cdf2rdf, conjugate_pairs, **_options, **COMPLEX)


def pencil_form(results, _):
    """What does not depend on the phases of Q and Z."""
    s, t, q, z = results
    return jnp.abs(s) ** 2, jnp.abs(t) ** 2, weighted(q), weighted(z)


def ordered_form(results, _):
    """The same, and the eigenvalues."""
    s, t, alpha, beta, q, z = results
    return *pencil_form((s, t, q, z), _), alpha / beta


case("qz", qz, scipy.linalg.qz, two, invariant=pencil_form, **COMPLEX)
case("ordqz", ordqz, scipy.linalg.ordqz, two, invariant=ordered_form, **REAL)
