"""The order of the field: families of special functions, and tasks of linear algebra."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

SPECIAL: dict[str, tuple[str, ...]] = {
    "Elementary functions": (
        "_elementary.elementary",
        "_elementary.sinc",
        "_elementary.lambert",
    ),
    "Logarithms, entropies and losses": (
        "_elementary.logarithmic",
        "_elementary.log_sum",
    ),
    "Gamma, beta and zeta": (
        "_gamma.gamma",
        "_gamma.psi",
        "_gamma.beta",
        "_gamma.multigamma",
        "_gamma.zeta",
    ),
    "Exponential integrals": ("_error.exponential",),
    "Error functions and Fresnel integrals": (
        "_error.error",
        "_error.voigt",
        "_error.fresnel",
        "_error.zeros",
    ),
    "Incomplete gamma and beta": ("_incomplete.incomplete",),
    "Airy functions": ("_bessel.airy", "_bessel.airy_zeros"),
    "Bessel functions": (
        "_bessel.real_order",
        "_bessel.integer_order",
        "_bessel.spherical",
        "_bessel.integrals",
    ),
    "Kelvin functions": ("_bessel.kelvin",),
    "Zeros of Bessel and Kelvin functions": ("_bessel.zeros",),
    "Struve functions": ("_bessel.struve",),
    "Parabolic cylinder functions": ("_parabolic.parabolic",),
    "Hypergeometric functions": (
        "_hypergeometric.hypergeometric",
        "_hypergeometric.wright",
    ),
    "Legendre functions and spherical harmonics": (
        "_legendre.integer_degree",
        "_legendre.real_degree",
        "_legendre.second_kind",
        "_legendre.spherical_harmonics",
    ),
    "Orthogonal polynomials: values": (
        "_orthogonal.polynomials",
        "_orthogonal.laguerre",
    ),
    "Orthogonal polynomials: coefficients": (
        "_orthogonal.coefficients",
        "_orthogonal.coefficients_of_parameters",
    ),
    "Orthogonal polynomials: quadrature": (
        "_orthogonal.quadrature",
        "_orthogonal.quadrature_parameters",
    ),
    "Elliptic integrals and functions": (
        "_elliptic.legendre_forms",
        "_elliptic.carlson",
        "_elliptic.ellipsoidal",
    ),
    "Combinatorics and numbers": (
        "_combinatorics.combinatorial",
        "_combinatorics.factorial",
        "_combinatorics.number_sequences",
    ),
    "Mathieu functions": ("_mathieu.mathieu", "_mathieu.coefficients"),
    "Spheroidal wave functions": ("_spheroidal.angular", "_spheroidal.waves"),
    "Distributions: normal and logistic": (
        "_distributions.normal",
        "_distributions.logistic",
        "_distributions.box_cox",
        "_distributions.tukey",
    ),
    "Distributions: gamma, chi-square, Poisson": ("_distributions.gamma",),
    "Distributions: beta, F, Student's t": (
        "_distributions.beta",
        "_distributions.student",
    ),
    "Distributions: binomial": ("_distributions.binomial",),
    "Distributions: noncentral": ("_distributions.noncentral",),
    "Distributions: Kolmogorov and Smirnov": ("_distributions.kolmogorov",),
}
"""The modules of `jaxsci.special` by family: the DLMF's chapters in its order, then statistics."""

LINALG: dict[str, tuple[str, ...]] = {
    "Linear systems and inverses": (
        "_solve",
        "_banded",
        "_toeplitz",
        "_lstsq",
        "_determinant",
        "_norm",
    ),
    "Decompositions": (
        "_lu",
        "_ldl",
        "_cholesky",
        "_qr",
        "_qr_updates",
        "_svd",
        "_polar",
        "_schur",
        "_qz",
        "_hessenberg",
        "_cossin",
        "_balance",
    ),
    "Eigenvalues": (
        "_eig",
        "_eigh",
        "_eig_banded",
        "_eigh_tridiagonal",
    ),
    "Subspaces": ("_subspaces",),
    "Functions of matrices": (
        "_exponential",
        "_functions",
        "_trigonometric",
        "_funm",
    ),
    "Matrix equations": ("_sylvester", "_lyapunov", "_riccati"),
    "Special matrices": ("_construct", "_companion", "_constants", "_products"),
    "Properties and sketches": ("_predicates", "_sketch"),
}
"""The modules of `jaxsci.linalg` by task."""


def members(
    families: Mapping[str, tuple[str, ...]], homes: Mapping[str, str]
) -> dict[str, list[str]]:
    """The functions of each family, in the order of the modules and then of the names' places.

    Args:
        families: modules by family.
        homes: the module of each function, within its package.

    Raises:
        ValueError: a function's module is in no family, a module is in two, or has no function.
    """
    listed = [module for modules in families.values() for module in modules]
    _refuse("in two families", {module for module in listed if listed.count(module) > 1})
    _refuse("in no family", set(homes.values()) - set(listed))
    _refuse("without functions", set(listed) - set(homes.values()))
    return {
        family: [name for module in modules for name, home in homes.items() if home == module]
        for family, modules in families.items()
    }


def _refuse(what: str, modules: Iterable[str]) -> None:
    if modules := sorted(modules):
        raise ValueError(f"field_order.py: modules {what}: {', '.join(modules)}")
