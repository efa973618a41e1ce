"""Legendre polynomials and associated Legendre functions, integer degree and order (DLMF 14)."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import scipy.special
from jax.typing import ArrayLike

from jaxsci._core.elementwise_rules import closed
from jaxsci.special._catalog.decorators import (
    OnHost,
    Samples,
    elementwise,
    leading,
    rule,
)
from jaxsci.special._catalog.domains import Complexes, Ints, Reals
from jaxsci.special._catalog.kernel import device_kernel
from jaxsci.special._catalog.mending import by_own
from jaxsci.special._catalog.types import Array, Complex, Int, Real, StaticBool, StaticInt
from jaxsci.special._legendre.kernels.on_device import legendre_functions, of_line, orders_to
from jaxsci.special._legendre.kernels.terms import associated
from jaxsci.special._numerics.integer_orders import of_integers
from jaxsci.special._numerics.static_checks import derivatives_to_two, not_negative

_TO_TWO = ({"diff_n": 0}, {"diff_n": 2})
_PLANE = Complexes(0.02, 3, negative=True, line=Reals(-1, 1))


# -- Legendre polynomials --------------------------------------------------------------------------


def _legendre_p(n: Any, z: jax.Array, *, diff_n: int) -> np.ndarray:
    def values(n: np.ndarray) -> np.ndarray:
        return np.moveaxis(scipy.special.legendre_p(n, z, diff_n=diff_n), 0, -1)

    return of_integers(values, 1, n)


@elementwise(
    source="18.5.8",
    samples=Samples(
        "[legendre_polynomial(n, z, k) for k in range(diff_n + 1)]",
        (Ints(0, 40), Reals(-2, 2)),
        awkward=((0, 0.3), (1, 0.0), (2, 0.0), (7, 1.0), (6, -1.0), (20, 1e-8), (5, 100.0)),
        statics=_TO_TWO,
    ),
    host=OnHost(_legendre_p, core="(d)", sizes=lambda diff_n: {"d": diff_n + 1}, layout=leading(1)),
    check=derivatives_to_two,
    kernel=device_kernel(ulps=90, conditioned=True)(
        lambda n, z, *, diff_n: _on_device(jnp.where(n < 0, 1, n), 0, z, 2, False, diff_n, -1)
    ),
    note="For a negative n the result is SciPy's, that of n = 1. NaN for n beyond 10^8.",
)
def legendre_p(n: Int, z: Real, *, diff_n: StaticInt = 0) -> Array:
    """Legendre polynomial P_n(z), and its derivatives up to the order diff_n (at most 2).

    The result has a first dimension of size diff_n + 1, before those of n and z.

    Args:
        n: degree, not negative
        z: any real number
        diff_n: the highest order of a derivative in z that the result has: 0, 1 or 2

    Example:
        >>> legendre_p(2, jnp.array([0.0, 0.5, 1.0]))[0]
        Array([-0.5  , -0.125,  1.   ], dtype=float64)
        >>> print(f"{jax.grad(lambda z: legendre_p(3, z)[0])(0.5):.6f}")
        0.375000
    """
    ...


rule(
    legendre_p,
    z=closed(
        "DLMF 18.9.19, 18.7.9",
        lambda y, n, z, *, diff_n: _higher(jnp.where(n < 0, 1, n), 0, z, 2, False, diff_n, axis=-1),
    ),
)


def _legendre_p_all(n: int, z: np.ndarray, *, diff_n: int) -> np.ndarray:
    values = scipy.special.legendre_p_all(n, z, diff_n=diff_n)
    return np.moveaxis(values, (0, 1), (-2, -1))


def _check_legendre_p_all(n: int, diff_n: int) -> None:
    not_negative(n=n)
    derivatives_to_two(diff_n)


@elementwise(
    source="18.5.8",
    samples=Samples(
        "[legendre_polynomial(j, z, k) for k in range(diff_n + 1) for j in range(n + 1)]",
        (Complexes(0.02, 2, negative=True),),
        awkward=((0.0,), (1.0,), (-1.0,), (1e-8,), (0.5j,), (1 + 0j,)),
        statics=({"n": 0, "diff_n": 1}, {"n": 6, "diff_n": 2}),
    ),
    host=OnHost(
        _legendre_p_all,
        results="follow",
        core="(d,n)",
        sizes=lambda n, diff_n: {"d": diff_n + 1, "n": n + 1},
        layout=leading(2),
    ),
    check=_check_legendre_p_all,
    kernel=device_kernel(ulps=90, conditioned=True)(
        lambda z, *, n, diff_n: _all_on_device(n, 0, z, 2, False, diff_n)[..., 0]
    ),
)
def legendre_p_all(n: StaticInt, z: Complex, *, diff_n: StaticInt = 0) -> Array:
    """Legendre polynomials P_0(z) ... P_n(z), and derivatives up to the order diff_n (at most 2).

    The result has two first dimensions, of sizes diff_n + 1 and n + 1, before those of z.

    Args:
        n: the highest degree, not negative
        z: any number
        diff_n: the highest order of a derivative in z that the result has: 0, 1 or 2
    """
    ...


rule(
    legendre_p_all,
    z=closed(
        "DLMF 18.9.19, 18.7.9",
        lambda y, z, *, n, diff_n: _higher(
            jnp.arange(n + 1), 0, jnp.expand_dims(z, -1), 2, False, diff_n, axis=-2
        ),
    ),
)


def _on_device(
    n: jax.Array,
    m: ArrayLike,
    z: jax.Array,
    branch_cut: jax.Array | float,
    norm: bool,
    diff_n: int,
    axis: int,
) -> jax.Array:
    """The function and its derivatives up to an order in JAX operations, along an axis."""
    value = of_line(n, m, z, branch_cut, norm)
    later = (associated(n, m, z, branch_cut, norm=norm, order=k + 1) for k in range(diff_n))
    return jnp.stack(jnp.broadcast_arrays(value, *later), axis)


def _all_on_device(
    n: int, m: int, z: jax.Array, branch_cut: jax.Array | float, norm: bool, diff_n: int
) -> jax.Array:
    """The functions of all degrees and orders and their derivatives, on three last dimensions."""
    value = of_line(n, m, z, branch_cut, norm, legendre_functions)
    z, branch_cut = (jnp.expand_dims(x, (-2, -1)) for x in (z, branch_cut))
    at = np.arange(n + 1)[:, None], orders_to(m), z, branch_cut
    later = (associated(*at, norm=norm, order=k + 1) for k in range(diff_n))
    return jnp.stack(jnp.broadcast_arrays(value, *later), -3)


def _higher(
    n: jax.Array,
    m: ArrayLike,
    z: jax.Array,
    branch_cut: jax.Array | float,
    norm: bool,
    diff_n: int,
    axis: int,
) -> jax.Array:
    """Derivatives of the orders 1 ... diff_n + 1, along an axis."""
    each = [associated(n, m, z, branch_cut, norm=norm, order=k + 1) for k in range(diff_n + 1)]
    return jnp.stack(each, axis)


# -- associated Legendre functions -----------------------------------------------------------------


def _assoc_legendre_p(
    n: np.ndarray, m: np.ndarray, z: np.ndarray, *, branch_cut: np.ndarray, norm: bool, diff_n: int
) -> np.ndarray:
    def values(n: np.ndarray, m: np.ndarray, branch_cut: np.ndarray) -> np.ndarray:
        found = scipy.special.assoc_legendre_p(
            n, m, z, branch_cut=branch_cut, norm=norm, diff_n=diff_n
        )
        return np.moveaxis(found, 0, -1)

    return of_integers(values, 1, n, m, branch_cut)


def _check_assoc_legendre_p(norm: bool, diff_n: int) -> None:
    derivatives_to_two(diff_n)


def _at_ends(
    n: jax.Array,
    m: ArrayLike,
    z: jax.Array,
    branch_cut: jax.Array,
    norm: bool,
    diff_n: int,
    axis: int,
) -> jax.Array:
    """The function and its derivatives; some are NaN that are zero."""
    each = [associated(n, m, z, branch_cut, norm=norm, order=k) for k in range(diff_n + 1)]
    return jnp.stack(jnp.broadcast_arrays(*each), axis)


_ENDS = "z is 1 or -1"
_CUTS = (
    "branch_cut is 2 for the functions on the interval -1 < z < 1 (cut where z is real and "
    "|z| > 1), and 3 for those beyond it (cut on the real axis up to 1)."
)


@elementwise(
    source="14.3.1",
    samples=Samples(
        "[associated_legendre(n, m, z, branch_cut, norm, k) for k in range(diff_n + 1)]",
        (Ints(0, 25), Ints(-9, 9), _PLANE, Ints(2, 2)),
        awkward=(
            (3, 0, 1.0, 2),
            (4, 2, 1 - 2.0**-40, 2),
            (4, -2, 2.0**-30 - 1, 2),
            (5, 4, 2.0**-40 - 1, 2),
            (5, 6, 0.5, 2),
            (2, -4, 0.5, 2),
            (3, 1, 0.0, 2),
            (40, 3, 1e-8, 2),
            (12, 11, -0.999999, 2),
            (3, 1, 1.5, 3),
            (4, -2, 2.5, 3),
            (7, 5, 1.0001, 3),
            (8, -3, 4.0, 3),
            (4, 2, 1 + 2.0**-40, 3),
            (6, 0, 0.5, 3),
            (3, 1, 0.3 + 0.4j, 3),
            (5, -3, -1.5 + 0.5j, 3),
            (6, 2, 1.2 - 2j, 3),
            (4, 3, -0.3 - 0.01j, 3),
        ),
        statics=(
            {"norm": False, "diff_n": 0},
            {"norm": True, "diff_n": 1},
            {"norm": False, "diff_n": 2},
        ),
    ),
    host=OnHost(
        _assoc_legendre_p,
        results="follow",
        core="(d)",
        sizes=lambda norm, diff_n: {"d": diff_n + 1},
        layout=leading(1),
    ),
    check=_check_assoc_legendre_p,
    repair=by_own(
        _ENDS,
        lambda n, m, z, branch_cut, *, norm, diff_n: (z == 1) | (z == -1),
        lambda n, m, z, branch_cut, *, norm, diff_n: _at_ends(
            n, m, z, branch_cut, norm, diff_n, -1
        ),
        of="all",
    ),
    kernel=device_kernel(ulps=90, conditioned=True)(
        lambda n, m, z, branch_cut, *, norm, diff_n: _on_device(
            n, m, z, branch_cut, norm, diff_n, -1
        )
    ),
    note=f"{_CUTS} Zero where |m| > n, and where n < 0. NaN for n and m beyond 10^8.",
)
def assoc_legendre_p(
    n: Int,
    m: Int,
    z: Complex,
    *,
    branch_cut: Int = 2,
    norm: StaticBool = False,
    diff_n: StaticInt = 0,
) -> Array:
    """Associated Legendre function P_n^m(z), and derivatives up to the order diff_n (at most 2).

    With norm, times sqrt((2n+1)/2 (n-m)!/(n+m)!). The result has a first dimension of size
    diff_n + 1, before those of n, m, z and branch_cut.

    Args:
        n: degree, not negative
        m: order, of either sign; odd positive ones bring a factor -1 on the interval (Condon's and
            Shortley's phase)
        z: any number; unless m is 0, real z give NaN where |z| > 1 for branch_cut 2, and below 1
            for 3
        branch_cut: 2 or 3, as below; any other integer counts as 2
        norm: whether the functions are normalised as above
        diff_n: the highest order of a derivative in z that the result has: 0, 1 or 2

    Example:
        >>> assoc_legendre_p(3, 2, jnp.array([0.0, 0.5]))[0]
        Array([0.   , 5.625], dtype=float64)
        >>> assoc_legendre_p(3, 2, jnp.array([1.5, 2.0]), branch_cut=3)[0]  # beyond the interval
        Array([28.125, 90.   ], dtype=float64)
        >>> print(f"{jax.grad(lambda z: assoc_legendre_p(3, 2, z)[0])(0.5):.6f}")
        3.750000
    """
    ...


rule(
    assoc_legendre_p,
    z=closed(
        "DLMF 14.6.1, 14.6.3",
        lambda y, n, m, z, branch_cut, *, norm, diff_n: _higher(
            n, m, z, branch_cut, norm, diff_n, axis=-1
        ),
    ),
)


def _assoc_legendre_p_all(
    n: int, m: int, z: jax.Array, *, branch_cut: jax.Array, norm: bool, diff_n: int
) -> np.ndarray:
    def values(branch_cut: np.ndarray) -> np.ndarray:
        found = scipy.special.assoc_legendre_p_all(
            n, m, z, branch_cut=branch_cut, norm=norm, diff_n=diff_n
        )
        return np.moveaxis(found, (0, 1, 2), (-3, -2, -1))

    return of_integers(values, 3, branch_cut)


def _check_assoc_legendre_p_all(n: int, m: int, norm: bool, diff_n: int) -> None:
    not_negative(n=n, m=m)
    derivatives_to_two(diff_n)


def _of_assoc_legendre_p_all(
    y: jax.Array, z: jax.Array, branch_cut: jax.Array, *, n: int, m: int, norm: bool, diff_n: int
) -> jax.Array:
    z, branch_cut = (jnp.expand_dims(x, (-2, -1)) for x in (z, branch_cut))
    return _higher(jnp.arange(n + 1)[:, None], orders_to(m), z, branch_cut, norm, diff_n, axis=-3)


@elementwise(
    source="14.3.1",
    samples=Samples(
        "[associated_legendre(j, i, z, branch_cut, norm, k) for k in range(diff_n + 1) "
        "for j in range(n + 1) for i in [*range(m + 1), *range(-m, 0)]]",
        (_PLANE, Ints(2, 2)),
        awkward=(
            (0.0, 2),
            (1e-8, 2),
            (-0.9999, 2),
            (1.5, 3),
            (3.0, 3),
            (0.3 - 0.4j, 3),
            (-2 + 1j, 3),
        ),
        statics=(
            {"n": 2, "m": 3, "norm": False, "diff_n": 0},
            {"n": 3, "m": 1, "norm": True, "diff_n": 2},
        ),
    ),
    host=OnHost(
        _assoc_legendre_p_all,
        results="follow",
        core="(d,n,m)",
        sizes=lambda n, m, norm, diff_n: {"d": diff_n + 1, "n": n + 1, "m": 2 * m + 1},
        layout=leading(3),
    ),
    check=_check_assoc_legendre_p_all,
    repair=by_own(
        _ENDS,
        lambda z, branch_cut, *, n, m, norm, diff_n: (z == 1) | (z == -1),
        lambda z, branch_cut, *, n, m, norm, diff_n: _at_ends(
            jnp.arange(n + 1.0)[:, None],
            orders_to(m),
            jnp.expand_dims(z, (-2, -1)),
            jnp.expand_dims(branch_cut, (-2, -1)),
            norm,
            diff_n,
            -3,
        ),
        of="all",
    ),
    kernel=device_kernel(ulps=90, conditioned=True)(
        lambda z, branch_cut, *, n, m, norm, diff_n: _all_on_device(
            n, m, z, branch_cut, norm, diff_n
        )
    ),
    note=_CUTS,
)
def assoc_legendre_p_all(
    n: StaticInt,
    m: StaticInt,
    z: Complex,
    *,
    branch_cut: Int = 2,
    norm: StaticBool = False,
    diff_n: StaticInt = 0,
) -> Array:
    """Associated Legendre functions of all degrees up to n and orders up to m of both signs.

    And their derivatives up to the order diff_n (at most 2). The result has three first dimensions,
    of sizes diff_n + 1, n + 1 and 2m + 1, before those of z and branch_cut; the last of these runs
    over the orders 0, 1, ... m, -m, ... -1.

    Args:
        n: the highest degree, not negative
        m: the highest order, not negative
        z: any number; but for the order 0, real z give NaN where |z| > 1 for branch_cut 2, and
            below 1 for 3
        branch_cut: 2 or 3, as below; any other integer counts as 2
        norm: whether the functions are normalised, as in `assoc_legendre_p`
        diff_n: the highest order of a derivative in z that the result has: 0, 1 or 2
    """
    ...


rule(assoc_legendre_p_all, z=closed("DLMF 14.6.1, 14.6.3", _of_assoc_legendre_p_all))
