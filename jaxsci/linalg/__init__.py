"""SciPy's linear algebra for JAX: SciPy's names and arguments, batched, and differentiable."""

from jaxsci.linalg._balance import (
    matrix_balance,
)
from jaxsci.linalg._banded import (
    cho_solve_banded,
    cholesky_banded,
    solve_banded,
    solveh_banded,
)
from jaxsci.linalg._cholesky import (
    cho_factor,
    cho_solve,
    cholesky,
)
from jaxsci.linalg._companion import (
    companion,
    fiedler,
    fiedler_companion,
)
from jaxsci.linalg._constants import (
    dft,
    hadamard,
    helmert,
    hilbert,
    invhilbert,
    invpascal,
    pascal,
)
from jaxsci.linalg._construct import (
    block_diag,
    circulant,
    convolution_matrix,
    diagsvd,
    hankel,
    leslie,
    toeplitz,
)
from jaxsci.linalg._cossin import (
    cossin,
)
from jaxsci.linalg._determinant import (
    det,
)
from jaxsci.linalg._eig import (
    eig,
    eigvals,
)
from jaxsci.linalg._eig_banded import (
    eig_banded,
    eigvals_banded,
)
from jaxsci.linalg._eigh import (
    eigh,
    eigvalsh,
)
from jaxsci.linalg._eigh_tridiagonal import (
    eigh_tridiagonal,
    eigvalsh_tridiagonal,
)
from jaxsci.linalg._exponential import (
    expm,
    expm_cond,
    expm_frechet,
)
from jaxsci.linalg._functions import (
    fractional_matrix_power,
    logm,
    signm,
    sqrtm,
)
from jaxsci.linalg._funm import (
    funm,
)
from jaxsci.linalg._hessenberg import (
    hessenberg,
)
from jaxsci.linalg._ldl import (
    ldl,
)
from jaxsci.linalg._lstsq import (
    lstsq,
    pinv,
    pinvh,
)
from jaxsci.linalg._lu import (
    lu,
    lu_factor,
    lu_solve,
)
from jaxsci.linalg._lyapunov import (
    solve_continuous_lyapunov,
    solve_discrete_lyapunov,
    solve_lyapunov,
)
from jaxsci.linalg._norm import (
    norm,
)
from jaxsci.linalg._polar import (
    orthogonal_procrustes,
    polar,
)
from jaxsci.linalg._predicates import (
    bandwidth,
    ishermitian,
    issymmetric,
)
from jaxsci.linalg._products import (
    khatri_rao,
)
from jaxsci.linalg._qr import (
    qr,
    qr_multiply,
    rq,
)
from jaxsci.linalg._qr_updates import (
    qr_delete,
    qr_insert,
    qr_update,
)
from jaxsci.linalg._qz import (
    ordqz,
    qz,
)
from jaxsci.linalg._riccati import (
    solve_continuous_are,
    solve_discrete_are,
)
from jaxsci.linalg._schur import (
    cdf2rdf,
    rsf2csf,
    schur,
)
from jaxsci.linalg._sketch import (
    clarkson_woodruff_transform,
)
from jaxsci.linalg._solve import (
    inv,
    solve,
    solve_triangular,
)
from jaxsci.linalg._subspaces import (
    null_space,
    orth,
    subspace_angles,
)
from jaxsci.linalg._svd import (
    svd,
    svdvals,
)
from jaxsci.linalg._sylvester import (
    solve_sylvester,
)
from jaxsci.linalg._toeplitz import (
    matmul_toeplitz,
    solve_circulant,
    solve_toeplitz,
)
from jaxsci.linalg._trigonometric import (
    coshm,
    cosm,
    sinhm,
    sinm,
    tanhm,
    tanm,
)

__all__ = [
    "bandwidth",
    "block_diag",
    "cdf2rdf",
    "cho_factor",
    "cho_solve",
    "cho_solve_banded",
    "cholesky",
    "cholesky_banded",
    "circulant",
    "clarkson_woodruff_transform",
    "companion",
    "convolution_matrix",
    "coshm",
    "cosm",
    "cossin",
    "det",
    "dft",
    "diagsvd",
    "eig",
    "eig_banded",
    "eigh",
    "eigh_tridiagonal",
    "eigvals",
    "eigvals_banded",
    "eigvalsh",
    "eigvalsh_tridiagonal",
    "expm",
    "expm_cond",
    "expm_frechet",
    "fiedler",
    "fiedler_companion",
    "fractional_matrix_power",
    "funm",
    "hadamard",
    "hankel",
    "helmert",
    "hessenberg",
    "hilbert",
    "inv",
    "invhilbert",
    "invpascal",
    "ishermitian",
    "issymmetric",
    "khatri_rao",
    "ldl",
    "leslie",
    "logm",
    "lstsq",
    "lu",
    "lu_factor",
    "lu_solve",
    "matmul_toeplitz",
    "matrix_balance",
    "norm",
    "null_space",
    "ordqz",
    "orth",
    "orthogonal_procrustes",
    "pascal",
    "pinv",
    "pinvh",
    "polar",
    "qr",
    "qr_delete",
    "qr_insert",
    "qr_multiply",
    "qr_update",
    "qz",
    "rq",
    "rsf2csf",
    "schur",
    "signm",
    "sinhm",
    "sinm",
    "solve",
    "solve_banded",
    "solve_circulant",
    "solve_continuous_are",
    "solve_continuous_lyapunov",
    "solve_discrete_are",
    "solve_discrete_lyapunov",
    "solve_lyapunov",
    "solve_sylvester",
    "solve_toeplitz",
    "solve_triangular",
    "solveh_banded",
    "sqrtm",
    "subspace_angles",
    "svd",
    "svdvals",
    "tanhm",
    "tanm",
    "toeplitz",
]
