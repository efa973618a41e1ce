"""QR and its updates, SVD, subspaces, polar, LDL, cosine-sine decomposition, balancing."""

from typing import Any

import jax.numpy as jnp
import numpy as np
import scipy.linalg
from linalg_cases import case, hermitian, hermitian_tangent, normal, symmetric_first

from jaxsci.linalg._balance import matrix_balance
from jaxsci.linalg._cossin import cossin
from jaxsci.linalg._ldl import ldl
from jaxsci.linalg._polar import orthogonal_procrustes, polar
from jaxsci.linalg._qr import qr, qr_multiply, rq
from jaxsci.linalg._qr_updates import qr_delete, qr_insert, qr_update
from jaxsci.linalg._subspaces import null_space, orth, subspace_angles
from jaxsci.linalg._svd import svd, svdvals

reference: Any = scipy.linalg


def spread(rng, m, n, is_complex):
    """Of singular values 1, 1.5, 2, ..."""
    u, v = (reference.qr(normal(rng, (k, k), is_complex))[0] for k in (m, n))
    k = min(m, n)
    return u[:, :k] * (1 + np.arange(k) / 2) @ v[:k]


def of_shape(*shapes):
    return lambda rng, is_complex: [spread(rng, m, n, is_complex) for m, n in shapes]


def rank_two(rng, is_complex):
    return [spread(rng, 5, 2, is_complex) @ spread(rng, 2, 4, is_complex)]


def first_two(results, arrays):
    """Without the permutation."""
    return results[:2]


def outer(u, v):
    return jnp.einsum("ik,jk->ijk", u, v.conj())


# -- QR --------------------------------------------------------------------------------------------

VALUES = {"ruled": ()}
REAL, COMPLEX = {"kinds": ("real",)}, {"kinds": ("complex",)}


def together(results, arrays):
    """One array of Q and R: either may not depend on an argument. Without the permutation."""
    q, r = results[:2]
    return jnp.concatenate([jnp.ravel(q), jnp.ravel(r)])


qr_cases: list[Any] = [
    ("tall", 5, 3, {}, COMPLEX),
    ("wide", 3, 4, {}, REAL),
    ("pivoting", 4, 4, {"pivoting": True}, VALUES),
    ("pivoting wide", 3, 5, {"pivoting": True}, COMPLEX),
    ("economic", 5, 3, {"mode": "economic"}, VALUES),
    ("r", 3, 3, {"mode": "r"}, VALUES),
]
for name, m, n, statics, options in qr_cases:
    case(
        f"qr:{name}",
        lambda a, statics=statics: qr(a, **statics),
        lambda a, statics=statics: reference.qr(a, **statics),
        of_shape((m, n)),
        host=False,
        **({"invariant": together} if "pivoting" in statics else {}),
        **options,
    )

rq_cases: list[Any] = [
    ("full", 3, 5, COMPLEX),
    ("economic", 4, 3, VALUES),
    ("r", 3, 3, VALUES),
]
for mode, m, n, options in rq_cases:
    case(
        f"rq:{mode}",
        lambda a, mode=mode: rq(a, mode=mode),
        lambda a, mode=mode: reference.rq(a, mode=mode),
        of_shape((m, n)),
        host=False,
        **options,
    )

multiply_cases: list[Any] = [("left", False, (3, 2), COMPLEX), ("right", True, (2, 4), VALUES)]
for mode, pivoting, c, options in multiply_cases:
    case(
        f"qr_multiply:{mode}",
        lambda a, c, statics=(mode, pivoting, True): qr_multiply(a, c, *statics),
        lambda a, c, statics=(mode, pivoting, True): reference.qr_multiply(a, c, *statics),
        of_shape((4, 3), c),
        host=False,
        invariant=together,
        **options,
    )


# -- updates ---------------------------------------------------------------------------------------


def factored(mode, *shapes):
    def sample(rng, is_complex):
        q, r = reference.qr(spread(rng, 5, 3, is_complex), mode=mode)
        return [q, r, *(normal(rng, shape, is_complex) for shape in shapes)]

    return sample


def along_factors(i, x, rng):
    """Directions that leave Q unitary and R triangular."""
    t = normal(rng, x.shape, np.iscomplexobj(x))
    if i == 0:
        inside = x.conj().T @ t
        return t - x @ (inside + inside.conj().T) / 2
    return np.triu(t) if i == 1 else t


def up_to_phases(results, arrays):
    """SciPy's phases are not those that a derivative has; nor is the basis of a complement."""
    q, r = results
    q = q[:, : min(r.shape)]
    return together((outer(q, q), jnp.real(r * r.conj())), arrays)


for name, ours, theirs, mode, shapes, statics in (
    ("qr_insert:row", qr_insert, reference.qr_insert, "economic", [(2, 3)], (1, "row")),
    ("qr_insert:col", qr_insert, reference.qr_insert, "full", [(5,)], (-1, "col")),
    ("qr_delete:row", qr_delete, reference.qr_delete, "full", [], (1, 1, "row")),
    ("qr_delete:col", qr_delete, reference.qr_delete, "economic", [], (0, 2, "col")),
    ("qr_update", qr_update, reference.qr_update, "full", [(5,), (3,)], ()),
    ("qr_update:rank 2", qr_update, reference.qr_update, "economic", [(5, 2), (3, 2)], ()),
):
    case(
        name,
        lambda *xs, ours=ours, statics=statics: ours(*xs, *statics),
        lambda *xs, theirs=theirs, statics=statics: theirs(*xs, *statics),
        factored(mode, *shapes),
        invariant=up_to_phases,
        tangent=along_factors,
        kinds=("real",) if name == "qr_delete:row" else ("complex",),
    )


# -- SVD and subspaces -----------------------------------------------------------------------------


def vectors(results, arrays):
    """What does not depend on phases, nor on the choice of further vectors."""
    u, s, vh = results
    k = len(s)
    left, right = u[:, :k], vh[:k].conj().T
    rest = [x[:, k:] @ x[:, k:].conj().T for x in (u, vh.conj().T)]
    return s, outer(left, left), outer(left, right), outer(right, right), *rest


def projector(results, arrays):
    return results[0] @ results[0].conj().T


svd_cases: list[Any] = [
    ("full", 5, 3, {}, COMPLEX),
    ("wide", 2, 4, {"lapack_driver": "gesvd"}, REAL),
    ("thin", 4, 3, {"full_matrices": False}, VALUES),
]
for name, m, n, statics, options in svd_cases:
    case(
        f"svd:{name}",
        lambda a, statics=statics: svd(a, **statics),
        lambda a, statics=statics: reference.svd(a, **statics),
        of_shape((m, n)),
        invariant=vectors,
        host=False,
        **options,
    )
case("svdvals", svdvals, reference.svdvals, of_shape((4, 3)), host=False, kinds=("complex",))
case("orth", orth, reference.orth, of_shape((4, 3)), invariant=projector, ruled=())
case(
    "orth:rank",
    lambda A: orth(A, rank=2),
    lambda A: reference.svd(A, full_matrices=False)[0][:, :2],
    of_shape((5, 4)),
    invariant=projector,
    kinds=("complex",),
)
case(
    "null_space",
    null_space,
    reference.null_space,
    of_shape((2, 4)),
    invariant=projector,
    kinds=("complex",),
)
case(
    "null_space:rank",
    lambda A: null_space(A, rank=2),
    lambda A: reference.null_space(A, rcond=1e-6),
    rank_two,
    invariant=projector,
    kinds=("real",),
)
case(
    "subspace_angles",
    subspace_angles,
    reference.subspace_angles,
    of_shape((5, 2), (5, 3)),
    host=False,
    kinds=("complex",),
)


# -- polar -----------------------------------------------------------------------------------------

for name, m, n, side in (
    ("square", 4, 4, "left"),
    ("tall", 4, 3, "right"),
    ("wide", 2, 4, "right"),
):
    case(
        f"polar:{name}",
        lambda a, side=side: polar(a, side),
        lambda a, side=side: reference.polar(a, side),
        of_shape((m, n)),
        kinds=("real",) if m == n else ("complex",),
    )
case(
    "orthogonal_procrustes",
    orthogonal_procrustes,
    reference.orthogonal_procrustes,
    of_shape((5, 3), (5, 3)),
    kinds=("real",),
)


# -- the others ------------------------------------------------------------------------------------


def indefinite(is_hermitian):
    """With small diagonals, so that some pivots are of order 2."""

    def sample(rng, is_complex):
        a = hermitian(rng, 5, is_complex)
        if not is_hermitian:
            a = normal(rng, (5, 5), is_complex)
            a = a + a.T
        return [a - np.diag(np.diag(a)) * 0.9]

    return sample


for lower, is_hermitian in ((True, True), (False, True), (True, False)):
    case(
        f"ldl:{'lower' if lower else 'upper'}{'' if is_hermitian else ' symmetric'}",
        lambda A, options=(lower, is_hermitian): ldl(A, *options),
        lambda A, options=(lower, is_hermitian): reference.ldl(A, *options),
        indefinite(is_hermitian),
        invariant=first_two,
        tangent=hermitian_tangent if is_hermitian else symmetric_first,
        kinds=("complex",) if lower else ("real",),
        single_rtol=1e-4,
    )


def unitary(rng, is_complex):
    return [reference.qr(normal(rng, (5, 5), is_complex))[0]]


def along_unitary(i, x, rng):
    t = normal(rng, x.shape, np.iscomplexobj(x))
    return x @ (t - t.conj().T)


case(
    "cossin",
    lambda X: cossin(X, 2, 3),
    lambda X: reference.cossin(X, 2, 3),
    unitary,
    ruled=(),
)
case(
    "cossin:swap_sign",
    lambda X: cossin(X, 3, 1, swap_sign=True),
    lambda X: reference.cossin(X, 3, 1, swap_sign=True),
    unitary,
    ruled=(),
)
for p, q in ((2, 3), (4, 2)):
    case(
        f"cossin:angles {p} {q}",
        lambda X, p=p, q=q: cossin(X, p, q, compute_u=False, compute_vh=False)[1],
        lambda X, p=p, q=q: reference.cossin(X, p, q)[1],
        unitary,
        tangent=along_unitary,
        kinds=("real",) if p == 2 else ("complex",),
    )


def graded(rng, is_complex):
    """Rows and columns of very different norms."""
    a = normal(rng, (4, 4), is_complex)
    scales = 10.0 ** np.array([0, 3, -2, 1])
    return [a * scales / scales[:, None]]


def squared(results, arrays):
    """Not linear in the matrix, so that second derivatives are not zero."""
    b, t = results
    return b**2, t


def along_graded(i, x, rng):
    """No change of any element that would call for other powers of two."""
    return x * normal(rng, x.shape, np.iscomplexobj(x))


case(
    "matrix_balance",
    matrix_balance,
    reference.matrix_balance,
    graded,
    invariant=squared,
    tangent=along_graded,
    kinds=("complex",),
)
