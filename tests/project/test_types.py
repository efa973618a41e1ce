"""What editors and type checkers are told of results: pyright reads it, and it is so."""

from typing import assert_type

import jax
import jax.numpy as jnp

from jaxsci import linalg, special

Array = jax.Array
A = jnp.array([[2.0, 1.0], [1.0, 3.0]])
V = jnp.ones(2)


def arrays(result):
    """How many arrays a result consists of, nested or not."""
    leaves = jax.tree.leaves(result)
    assert all(isinstance(leaf, Array) for leaf in leaves)
    return len(leaves)


def test_flags_choose_the_type_of_a_result():
    assert arrays(assert_type(linalg.svd(A), tuple[Array, Array, Array])) == 3
    assert arrays(assert_type(linalg.svd(A, compute_uv=False), Array)) == 1
    assert arrays(assert_type(linalg.eigh(A), tuple[Array, Array])) == 2
    assert arrays(assert_type(linalg.eigh(A, eigvals_only=True), Array)) == 1
    assert arrays(assert_type(linalg.eig(A), tuple[Array, Array])) == 2
    assert arrays(assert_type(linalg.eig(A, left=True), tuple[Array, Array, Array])) == 3
    assert arrays(assert_type(linalg.eig(A, right=False), Array)) == 1
    assert arrays(assert_type(linalg.lu(A), tuple[Array, Array, Array])) == 3
    assert arrays(assert_type(linalg.lu(A, permute_l=True), tuple[Array, Array])) == 2
    assert arrays(assert_type(linalg.hessenberg(A), Array)) == 1
    assert arrays(assert_type(linalg.hessenberg(A, calc_q=True), tuple[Array, Array])) == 2
    assert arrays(assert_type(linalg.pinv(A), Array)) == 1
    assert arrays(assert_type(linalg.pinvh(A, return_rank=True), tuple[Array, Array])) == 2
    assert arrays(assert_type(linalg.expm_frechet(A, A), tuple[Array, Array])) == 2
    assert arrays(assert_type(linalg.expm_frechet(A, A, compute_expm=False), Array)) == 1
    assert arrays(assert_type(linalg.schur(A), tuple[Array, Array])) == 2
    assert arrays(assert_type(linalg.schur(A, sort="lhp"), tuple[Array, Array, Array])) == 3


def test_modes_choose_the_type_of_a_result():
    assert arrays(assert_type(linalg.qr(A), tuple[Array, Array])) == 2
    assert arrays(assert_type(linalg.qr(A, mode="r"), tuple[Array])) == 1
    assert arrays(assert_type(linalg.qr(A, pivoting=True), tuple[Array, Array, Array])) == 3
    assert arrays(assert_type(linalg.qr(A, mode="raw"), tuple[tuple[Array, Array], Array])) == 3
    assert arrays(assert_type(linalg.rq(A), tuple[Array, Array])) == 2
    assert arrays(assert_type(linalg.rq(A, mode="r"), Array)) == 1
    assert arrays(assert_type(linalg.qr_multiply(A, V), tuple[Array, Array])) == 2
    assert arrays(assert_type(linalg.lstsq(A, V), tuple[Array, Array, Array, Array])) == 4
    *_, values = linalg.lstsq(A, V, lapack_driver="gelsy")
    assert values is None
    balanced = linalg.matrix_balance(A, separate=True)
    assert arrays(assert_type(balanced, tuple[Array, tuple[Array, Array]])) == 3
    assert arrays(assert_type(linalg.matrix_balance(A), tuple[Array, Array])) == 2


def test_second_names_have_the_types_of_the_first():
    assert_type(special.digamma(1.5), Array)
    assert_type(special.jn(1, 1.5), Array)
    assert special.digamma is special.psi
    assert special.jn is special.jv
    assert special.la_roots is special.roots_genlaguerre
