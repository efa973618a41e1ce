"""Legendre's elliptic integrals, Jacobi's functions and the arithmetic-geometric mean."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci._core.double_precision import native, tower
from jaxsci._core.elementwise_rules import closed, in_single
from jaxsci.special._catalog.decorators import (
    Samples,
    elementwise,
    rule,
)
from jaxsci.special._catalog.domains import Reals
from jaxsci.special._catalog.mending import by_own
from jaxsci.special._catalog.types import Array, Real
from jaxsci.special._elliptic.carlson import elliprd
from jaxsci.special._elliptic.kernels import duplication, legendre_on_device
from jaxsci.special._numerics.taylor import once

_PARAMETER = Reals(-20, 1)
_AMPLITUDE = Reals(-8, 8)
_SMALL_PARAMETER = ((1e-12,), (-1e-8,), (0.0,), (0.5,), (1 - 1e-9,), (-1e6,))
_AMPLITUDES = (
    (0.0, 0.5),
    (1e-3, 1e-8),
    (1e-9, 0.5),
    (1.0, 0.0),
    (1.0, 1e-12),
    (1.5, -1e-9),
    (math.pi / 2, 0.7),
    (1.57, 0.999999),
    (-30.0, 0.3),
    (1.2, -1e4),
    (0.5, 1 - 1e-10),
)


@elementwise(
    source="19.8",
    samples=Samples(
        "sign(a) * agm(abs(a), abs(b))",
        (Reals(1e-4, 1e4, log=True), Reals(1e-4, 1e4, log=True)),
        awkward=((1.0, 1.0), (3.0, 3.0 + 1e-9), (1.0, 1e-15), (1e100, 1e-3), (-2.0, -5.0)),
    ),
    note="NaN where the arguments differ in sign.",
    kernel=legendre_on_device.agm,
)
def agm(a: Real, b: Real) -> Array:
    """Arithmetic-geometric mean of a and b.

    It is the common limit of the arithmetic and the geometric mean of a and b, when they take the
    place of a and b again and again.

    Args:
        a: any real number; the mean of two negative numbers is negative, and that with 0 is 0
        b: as a, with which it may be exchanged

    Example:
        >>> swing = jnp.radians(jnp.array([10.0, 60.0, 120.0]))  # amplitudes of a pendulum
        >>> 1 / agm(1.0, jnp.cos(swing / 2))  # its period, over that of small swings
        Array([1.00190719, 1.07318201, 1.3728805 ], dtype=float64)
        >>> print(f"{jax.grad(agm)(1.0, 2.0):.6f}")
        0.605209
    """
    ...


rule(
    agm,
    a=closed("DLMF 19.22.8, 19.18.1", lambda y, a, b: _of_agm(y, a, b)),
    b=closed("DLMF 19.22.8, 19.18.1", lambda y, a, b: _of_agm(y, b, a)),
)


@elementwise(
    source="19.2.8",
    samples=Samples("ellipk(m)", (_PARAMETER,), awkward=_SMALL_PARAMETER),
    kernel=legendre_on_device.ellipk,
)
def ellipk(m: Real) -> Array:
    """Complete elliptic integral of the first kind, K, in terms of the parameter m = k^2.

    It is the integral of (1 - m sin^2 t)^(-1/2) over t from 0 to pi/2.

    Args:
        m: parameter k^2, not the modulus k, any real number up to 1, where the value is infinite;
            NaN beyond

    Example:
        >>> swing = jnp.radians(jnp.array([10.0, 60.0, 120.0]))  # amplitudes of a pendulum
        >>> 2 / jnp.pi * ellipk(jnp.sin(swing / 2) ** 2)  # its period, over that of small swings
        Array([1.00190719, 1.07318201, 1.3728805 ], dtype=float64)
        >>> print(f"{jax.grad(ellipk)(0.5):.6f}")
        0.847213
    """
    ...


# As DLMF 19.4.1 would have it they are differences, which vanish with m (DLMF 19.25.1).
rule(
    ellipk,
    m=in_single(6, closed("DLMF 19.25.1, 19.18.1", lambda y, m: elliprd(0.0, 1.0, 1 - m) / 6)),
)


@elementwise(
    source="19.2.8",
    samples=Samples(
        "ellipk(1 - p)",
        (Reals(1e-10, 30, log=True),),
        awkward=((1.0,), (1 + 1e-9,), (1e-300,), (1e6,)),
    ),
    kernel=legendre_on_device.ellipkm1,
)
def ellipkm1(p: Real) -> Array:
    """Complete elliptic integral of the first kind at m = 1 - p, accurate near m = 1.

    Args:
        p: complementary parameter 1 - m, not negative; infinite at 0, and NaN below

    Example:
        >>> ellipkm1(jnp.array([1e-300, 1e-20, 0.5]))
        Array([346.77405831,  24.41214529,   1.85407468], dtype=float64)
        >>> print(f"{jax.grad(ellipkm1)(0.5):.6f}")
        -0.847213
    """
    ...


rule(ellipkm1, p=closed("DLMF 19.25.1, 19.18.1", lambda y, p: -elliprd(0.0, 1.0, p) / 6))


@elementwise(
    source="19.2.8",
    samples=Samples("ellipe(m)", (_PARAMETER,), awkward=_SMALL_PARAMETER),
    kernel=legendre_on_device.ellipe,
)
def ellipe(m: Real) -> Array:
    """Complete elliptic integral of the second kind, E, in terms of the parameter m = k^2.

    It is the integral of (1 - m sin^2 t)^(1/2) over t from 0 to pi/2.

    Args:
        m: parameter k^2, not the modulus k, any real number up to 1; NaN beyond

    Example:
        >>> a, b = 3.0, jnp.array([1.0, 2.0, 3.0])
        >>> 4 * a * ellipe(1 - (b / a) ** 2)  # perimeters of ellipses with semi-axes a and b
        Array([13.36489322, 15.86543959, 18.84955592], dtype=float64)
        >>> print(f"{jax.grad(ellipe)(0.5):.6f}")
        -0.503431
    """
    ...


rule(
    ellipe,
    m=in_single(6, closed("DLMF 19.25.1, 19.18.1", lambda y, m: -elliprd(0.0, 1 - m, 1.0) / 6)),
)


def _rising(a: float, n: int) -> float:
    return math.prod(a + j for j in range(n))


def _of_integrand(a: float) -> Callable[..., Any]:
    """The n-th derivative in m of (1 - m sin^2 phi)^-a."""

    def derivative(y: jax.Array, phi: jax.Array, m: jax.Array, *, n: int = 0) -> jax.Array:
        return _rising(a, n) * jnp.sin(phi) ** (2 * n) * power_of_delta(phi, m, a=a + n)

    return derivative


@elementwise(
    source="19.2.4",
    samples=Samples("ellipf(phi, m)", (_AMPLITUDE, _PARAMETER), awkward=_AMPLITUDES),
    kernel=legendre_on_device.ellipkinc,
)
def ellipkinc(phi: Real, m: Real) -> Array:
    """Incomplete elliptic integral of the first kind, F(phi | m), with m = k^2.

    It is the integral of (1 - m sin^2 t)^(-1/2) over t from 0 to phi.

    Args:
        phi: amplitude in radians, any real number
        m: parameter k^2, not the modulus k, any real number up to 1, where the value is infinite
            for |phi| >= pi/2; NaN beyond

    Example:
        >>> ellipkinc(jnp.array([0.5, 1.0, 2.0]), 0.7)
        Array([0.51500147, 1.12916737, 2.81292508], dtype=float64)
        >>> print(f"{jax.grad(ellipkinc, 1)(1.0, 0.7):.6f}")  # in the parameter
        0.257580
    """
    ...


@native()
def power_of_delta(phi: jax.Array, m: jax.Array, *, a: float) -> jax.Array:
    """(1 - m sin^2 phi)^-a."""
    return _square_of_delta(phi, m) ** -a


rule(
    ellipkinc,
    phi=closed("DLMF 19.2.4", _of_integrand(0.5)),
    m=closed("DLMF 19.25.5, 19.18.1", lambda y, phi, m: ellipkinc_in_m(phi, m, n=1)),
)


@elementwise(
    source="19.2.5",
    samples=Samples("ellipe(phi, m)", (_AMPLITUDE, _PARAMETER), awkward=_AMPLITUDES),
    kernel=legendre_on_device.ellipeinc,
)
def ellipeinc(phi: Real, m: Real) -> Array:
    """Incomplete elliptic integral of the second kind, E(phi | m), with m = k^2.

    It is the integral of (1 - m sin^2 t)^(1/2) over t from 0 to phi.

    Args:
        phi: amplitude in radians, any real number
        m: parameter k^2, not the modulus k, any real number up to 1; NaN beyond

    Example:
        >>> ellipeinc(jnp.array([0.5, 1.0, 2.0]), 0.7)
        Array([0.48576751, 0.89506849, 1.49211335], dtype=float64)
        >>> print(f"{jax.grad(ellipeinc, 1)(1.0, 0.7):.6f}")  # in the parameter
        -0.167213
    """
    ...


rule(
    ellipeinc,
    phi=closed("DLMF 19.2.5", _of_integrand(-0.5)),
    m=closed("DLMF 19.25.9, 19.18.1", lambda y, phi, m: ellipeinc_in_m(phi, m, n=1)),
)


def _amplitude_in_m(y: Sequence[jax.Array], m: jax.Array) -> jax.Array:
    """D ph/dm at constant u: F(ph | m) = u, so it is -dn dF/dm, F by sn, cn and dn."""
    sn, cn, dn, ph = y
    turns = jnp.round(jax.lax.stop_gradient(ph) / math.pi)
    s = jnp.where(turns % 2 == 0, sn, -sn)
    part = s**3 * elliprd(cn * cn, 1.0, dn * dn)
    complete = elliprd(0.0, 1.0, jnp.where(turns == 0, 1.0, 1 - m))
    return -dn * (part + 2 * turns * complete) / 6


# SciPy expands in 1 - m there (DLMF 22.10.7 to 22.10.9): the amplitude is a difference from pi/2,
# and the terms grow with cosh(u).
def _expanded(u: jax.Array, m: jax.Array) -> jax.Array:
    size = jnp.abs(u)
    return (m >= 0.9999999999) & (m <= 1) & ((size < 0.5) | (size > 5) & (m < 1))


def _is_long(u: jax.Array, m: jax.Array) -> jax.Array:
    """Where SciPy's dn loses half its digits, and its expansion in small m too."""
    long = (jnp.abs(u) > 1e6) | (m < 1e-9) & (jnp.abs(u) * m > 1e-5)
    return (m > 0) & (m < 1) & (jnp.abs(u) < jnp.inf) & long


_MENDED = by_own(
    "1 - m <= 1e-10 and |u| < 0.5, or 0 < 1 - m <= 1e-10 and |u| > 5, or |u| > 1e6, or m < 1e-9 "
    "and |u| m > 1e-5",
    lambda u, m: _expanded(u, m) | _is_long(u, m),
    legendre_on_device.ellipj,
    within=1e-15,
    results=(0, 1, 2, 3),
)


def _ellipj_in_m(y: Sequence[jax.Array], u: jax.Array, m: jax.Array) -> tuple[jax.Array, ...]:
    y = once(*y)
    sn, cn, dn, _ = y
    (slope,) = once(_amplitude_in_m(y, m))
    return cn * slope, -sn * slope, -sn * (sn + 2 * m * cn * slope) / (2 * dn), slope


def _ellipj_in_u(y: Sequence[jax.Array], u: jax.Array, m: jax.Array) -> tuple[jax.Array, ...]:
    sn, cn, dn, _ = y
    return cn * dn, -sn * dn, -m * sn * cn, dn


@elementwise(
    source="22.2",
    samples=Samples(
        "0 if u == 0 else re(ellipfun('sn', u, m=m)); re(ellipfun('cn', u, m=m)); "
        "re(ellipfun('dn', u, m=m)); 0 if u == 0 else amplitude(u, m)",
        (Reals(-10, 10), Reals(0, 1)),
        awkward=(
            (0.0, 0.5),
            (1e-6, 0.3),
            (1.0, 1e-12),
            (1.0, 1e-5),
            (2.0, 1 - 1e-6),
            (2.0, 1 - 1e-12),
            (30.0, 0.7),
        ),
    ),
    outputs=("sn", "cn", "dn", "ph"),
    note="NaN unless 0 <= m <= 1.",
    repair=_MENDED,
    kernel=legendre_on_device.ellipj,
)
def ellipj(u: Real, m: Real) -> tuple[Array, Array, Array, Array]:
    """Jacobi's elliptic functions sn(u | m), cn and dn, and the amplitude, with m = k^2.

    Args:
        u: argument, any real number: the elliptic integral F(ph | m) of the amplitude ph
        m: parameter k^2, not the modulus k

    Example:
        >>> sn, cn, dn, ph = ellipj(jnp.array([0.5, 1.0, 2.0]), 0.7)
        >>> sn
        Array([0.46729201, 0.78676235, 0.99914705], dtype=float64)
        >>> ph
        Array([0.4862253 , 0.90554608, 1.52949089], dtype=float64)
        >>> print(f"{jax.grad(lambda m: ellipj(1.0, m)[0])(0.7):.6f}")  # of sn in the parameter
        -0.082318
    """
    ...


rule(
    ellipj,
    u=closed("DLMF 22.13", _ellipj_in_u),
    m=closed("DLMF 22.16, 19.25.5", _ellipj_in_m),
)


# -- complete integrals ----------------------------------------------------------------------------


def _of_agm(mean: jax.Array, a: jax.Array, b: jax.Array) -> jax.Array:
    """dM/da, of degree zero: M = pi / (2 R_F(0, a^2, b^2)) (DLMF 19.22.8)."""
    a, b, mean = jnp.abs(a), jnp.abs(b), jnp.abs(mean)
    size = jax.lax.stop_gradient(jnp.maximum(a, b))
    at_zero = (a == 0) | (b == 0)
    limit = _of_agm_at_zero(*(jnp.where(at_zero, x, 1.0) for x in (a, b)))
    a, b, mean = (jnp.where(at_zero, 1.0, x / size) for x in (a, b, mean))
    # One step of the mean first: the squares are then in range for all arguments that are.
    ra, rb = jnp.sqrt(a), jnp.sqrt(b)
    below, above = (ra * rb) ** 2, ((a + b) / 2) ** 2
    of_above = (a + b) / 2 * elliprd(0.0, below, above)
    of_below = ra * rb * elliprd(0.0, above, below)
    slope = mean**2 / (3 * math.pi) * (of_above + rb / ra * of_below)
    return jnp.where(at_zero, limit, slope)


def _of_agm_at_zero(a: jax.Array, b: jax.Array) -> jax.Array:
    """Infinite at a = 0, and 0 at b = 0, where M is 0 for all a: M is about b/ln(4b/a) near a = 0.

    Of these expressions further derivatives are infinite as they should be, or NaN.
    """
    limit = jnp.where(b == 0, 0 * jnp.sqrt(b), b * jax.lax.rsqrt(jnp.where(b == 0, 1.0, a)))
    return jnp.where((a == 0) & (b == 0), jnp.nan, limit)


# -- incomplete integrals --------------------------------------------------------------------------


def _square_of_delta(phi: jax.Array, m: jax.Array) -> jax.Array:
    """1 - m sin^2(phi), without its cancellation near m = 1."""
    return jnp.cos(phi) ** 2 + (1 - m) * jnp.sin(phi) ** 2


def _in_parameter(phi: jax.Array, m: jax.Array, n: int, i: int) -> jax.Array:
    """The n-th derivative in m of F (i = 2, the place of 1 - m among R_D's) or -E (i = 1)."""

    def carlson(c: jax.Array | float, delta: jax.Array) -> jax.Array:
        args = [c, delta, 1.0] if i == 1 else [c, 1.0, delta]
        if n == 1:
            return elliprd(*args)
        return duplication.slope(duplication.rd, args, i, n - 1)

    turns = jnp.round(phi / math.pi)
    rest = phi - turns * math.pi
    s, c = jnp.sin(rest), jnp.cos(rest)
    part = s**3 * (-s * s) ** (n - 1) * carlson(c * c, _square_of_delta(rest, m))
    # In m = 1 the complete integral's derivative is infinite.
    complete = carlson(0.0, jnp.where(turns == 0, 1.0, 1 - m)) * (-1) ** (n - 1)
    return (part + 2 * turns * complete) / 6


@tower("DLMF 19.18.1", m="n")
def ellipkinc_in_m(phi: jax.Array, m: jax.Array, *, n: int) -> jax.Array:
    """The n-th derivative of F(phi | m) in m, n > 0 (DLMF 19.25.5)."""
    return _in_parameter(phi, m, n, 2)


@tower("DLMF 19.18.1", m="n")
def ellipeinc_in_m(phi: jax.Array, m: Any, *, n: int) -> jax.Array:
    """The n-th derivative of E(phi | m) in m, n > 0 (DLMF 19.25.9)."""
    return -_in_parameter(phi, m, n, 1)


power_of_delta.partials(
    phi=closed(
        "chain rule",
        lambda y, phi, m, *, a: a * m * jnp.sin(2 * phi) * power_of_delta(phi, m, a=a + 1),
    ),
    m=closed(
        "chain rule",
        lambda y, phi, m, *, a: a * jnp.sin(phi) ** 2 * power_of_delta(phi, m, a=a + 1),
    ),
)


ellipkinc_in_m.partials(phi=closed("DLMF 19.2.4", _of_integrand(0.5)))
ellipeinc_in_m.partials(phi=closed("DLMF 19.2.5", _of_integrand(-0.5)))


# -- Jacobi's functions ----------------------------------------------------------------------------
