"""Matrix functions: logarithm, roots, powers, sign, exponential, trigonometric ones."""

import jax
import jax.numpy as jnp
import numpy as np
import scipy.linalg
from linalg_cases import case, normal, of_positive_spectrum

from jaxsci.linalg import _exponential, _functions, _funm, _products, _trigonometric


def _near_one(rng, is_complex):
    return [of_positive_spectrum(rng, 4, is_complex)]


def _indefinite(rng, is_complex):
    """Eigenvalues in both half-planes, and for a real matrix negative ones too."""
    v = normal(rng, (4, 4), is_complex) / 4 + np.eye(4)
    return [v @ np.diag([-1.5, 0.8, 2.0, -0.6]) @ np.linalg.inv(v)]


def _small(rng, is_complex):
    return [normal(rng, (3, 3), is_complex) / 4]


def _three(rng, is_complex):
    return [normal(rng, (3, 3), is_complex)]


def _any(rng, is_complex):
    return [normal(rng, (4, 4), is_complex)]


def _power_arguments(rng, is_complex):
    return [of_positive_spectrum(rng, 4, is_complex), np.float64(rng.uniform(0.5, 1.5))]


def _pair(rng, is_complex):
    return [normal(rng, (4, 4), is_complex), normal(rng, (4, 4), is_complex)]


def _as_theirs(a, t):
    """Of a real matrix too, SciPy's result may be complex, with zeros."""
    y = scipy.linalg.fractional_matrix_power(a, t)
    return y if np.iscomplexobj(a) else np.real(y)


def _power(a, t, **options):
    return _functions.fractional_matrix_power(a, t, **options)


case("logm", _functions.logm, scipy.linalg.logm, _near_one)
case(
    "logm:complex",
    lambda a: _functions.logm(a, output="complex"),
    scipy.linalg.logm,
    _indefinite,
    kinds=("real",),
)
case("sqrtm", _functions.sqrtm, scipy.linalg.sqrtm, _near_one)
case(
    "sqrtm:complex",
    lambda a: _functions.sqrtm(a, output="complex"),
    scipy.linalg.sqrtm,
    _indefinite,
    kinds=("real",),
)
case("signm", _functions.signm, scipy.linalg.signm, _indefinite)
case(
    "fractional_matrix_power",
    lambda a: _power(a, -1.7),
    lambda a: _as_theirs(a, -1.7),
    _near_one,
)
case(
    "fractional_matrix_power:complex",
    lambda a: _power(a, 0.3, output="complex"),
    lambda a: scipy.linalg.fractional_matrix_power(a, 0.3),
    _indefinite,
    kinds=("real",),
)
case(
    "fractional_matrix_power:whole",
    lambda a: _power(a, -3),
    lambda a: scipy.linalg.fractional_matrix_power(a, -3),
    _near_one,
    kinds=("real",),
    host=False,
)
case(
    "fractional_matrix_power:exponent",
    jax.jit(lambda a, t: _power(a, jnp.asarray(t))),
    _as_theirs,
    _power_arguments,
    kinds=("real",),
)


def _native(name, function, scipy, sample, **options):
    """Compiled, as one by one the operations of a loop take seconds."""
    case(name, jax.jit(function), scipy, sample, host=False, **options)


_native("expm", _exponential.expm, scipy.linalg.expm, _any)
_native(
    "expm_frechet",
    lambda a, e: _exponential.expm_frechet(a, e, compute_expm=False),
    lambda a, e: scipy.linalg.expm_frechet(a, e, compute_expm=False),
    _pair,
    kinds=("complex",),
)
_native("expm_cond", _exponential.expm_cond, scipy.linalg.expm_cond, _three, kinds=("real",))
# One kind each: compiling derivatives takes long. Both are compared with mpmath.
for _name, _kinds in {
    "cosm": ("real",),
    "sinm": ("complex",),
    "tanm": ("complex",),
    "coshm": ("complex",),
    "sinhm": ("real",),
    "tanhm": ("real",),
}.items():
    _native(
        _name,
        getattr(_trigonometric, _name),
        getattr(scipy.linalg, _name),
        _small,
        kinds=_kinds,
    )
case(
    "khatri_rao",
    _products.khatri_rao,
    scipy.linalg.khatri_rao,
    lambda rng, is_complex: [normal(rng, (3, 2), is_complex), normal(rng, (4, 2), is_complex)],
    host=False,
)


def _clustered(rng, is_complex):
    """A double eigenvalue that is defective, and a single one."""
    v = normal(rng, (3, 3), is_complex) / 4 + np.eye(3)
    return [v @ np.array([[1.0, 0.5, 0.2], [0, 1.0, 0.7], [0, 0, 2.0]]) @ np.linalg.inv(v)]


for _name, _function, _theirs, _sample, _kind in (
    ("funm", jnp.exp, scipy.linalg.expm, _any, "complex"),
    ("funm:clusters", jnp.sqrt, scipy.linalg.sqrtm, _clustered, "real"),
):
    case(
        _name,
        jax.jit(lambda a, f=_function: _funm.funm(a, f)),
        _theirs,
        _sample,
        kinds=(_kind,),
        value_rtol=1e-11,
    )
