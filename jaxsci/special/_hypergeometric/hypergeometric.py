"""Hypergeometric functions 0F1, 1F1, 2F1 and Tricomi's U (DLMF 13, 15, 16)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci._core.double_precision import NativeFunction, native, tower
from jaxsci._core.elementwise_rules import Closed, closed
from jaxsci.special._catalog.decorators import (
    Flaw,
    Guard,
    Repair,
    Samples,
    Unknown,
    elementwise,
    rule,
)
from jaxsci.special._catalog.domains import Complexes, Reals
from jaxsci.special._catalog.mending import by_own
from jaxsci.special._catalog.types import Array, Complex, Real
from jaxsci.special._hypergeometric.kernels import (
    confluent_on_device,
    gauss_on_device,
    limit_of_large_parameter,
    limit_on_device,
    mended,
    tricomi_on_device,
)
from jaxsci.special._hypergeometric.kernels.confluent_in_parameters import (
    kummer_in_parameters,
    tricomi_in_parameters,
)
from jaxsci.special._hypergeometric.kernels.continuation import gauss, kummer
from jaxsci.special._hypergeometric.kernels.gauss_in_parameters import gauss_in_parameters
from jaxsci.special._hypergeometric.kernels.integer_parameters import is_degree
from jaxsci.special._hypergeometric.kernels.limit_in_parameter import limit_in_parameter
from jaxsci.special._hypergeometric.kernels.tricomi import MOST_DEGREE, polynomial, tricomi
from jaxsci.special._numerics.gamma_factors import rising
from jaxsci.special._numerics.integers import distance_to_integer, is_integer

_HUGE = 1e6


def _kummer_ends(a: jax.Array, b: jax.Array, x: jax.Array) -> jax.Array:
    largest = 1e5 if jnp.iscomplexobj(x) else 1e7
    return (abs(a) <= largest) & (abs(b) <= max(largest, _HUGE)) & (abs(x) <= 1e10)


_KUMMER = Guard(
    "|a|, |b| <= 1e7 (for complex x |a| <= 1e5, |b| <= 1e6) and |x| <= 1e10",
    _kummer_ends,
    (1.0, 1.0, 1.0),
)
_MOST_TERMS = 1e5


def _gauss_ends(a: jax.Array, b: jax.Array, c: jax.Array, z: jax.Array) -> jax.Array:
    small = (abs(a) <= 1e5) & (abs(b) <= 1e5) & (abs(c) <= 1e5) & (abs(z) <= 1e10)
    return small | _is_short_sum(a) | _is_short_sum(b)


def _is_short_sum(a: jax.Array) -> jax.Array:
    """Whether the series ends by itself, so that SciPy adds as many terms as there are."""
    return (a < 0) & (a >= -_MOST_TERMS) & (a == a.round())


_GAUSS = Guard(
    "|a|, |b|, |c| <= 1e5 and |z| <= 1e10, or a or b is one of -1, -2, ..., -100000",
    _gauss_ends,
    (1.0, 1.0, 1.0, 0.5),
    complex_only=True,
)
_TRICOMI = Guard(
    "|a| <= 1e7 and |b| <= 1e6",
    lambda a, b, x: (abs(a) <= 1e7) & (abs(b) <= _HUGE),
    (1.0, 1.0, 1.0),
)
# There it overflows, and SciPy divides by zero in its stead.
_LIMIT = Guard("v != 1 or z <= 127400", lambda v, z: ~((v == 1) & (z.real > 127400)), (2.0, 1.0))
_OF_DEGREE = "(-1e3 <= a <= 0 and a % 1 == 0)"
_KUMMERS_UNKNOWN = (
    "abs(a) > 1e4 or b < -20 or b > 1e4 or 1000 < abs(x) < 36 + (abs(a) + 3)*(abs(b - a) + 3)"
)
_OF_OTHER_DEGREE = "(-1e3 <= b <= 0 and b % 1 == 0)"
_GAUSSES_UNKNOWN = (
    "(max(abs(a), abs(b), abs(c)) > 1e3 or c < -20 or abs(z) > 1e30 or z == 1 and c <= a + b)"
)
_TRICOMIS_UNKNOWN = "abs(a) > 100 or abs(b) > 100 or x == 0 and b >= 1"


def _in_parameter(source: str, function: NativeFunction, **orders: int) -> Closed:
    """The derivative in a parameter of a function, or of its n-th derivative in the argument."""
    return closed(source, lambda y, *at, n=0: function(*at, **orders, n=n))


@elementwise(
    source="16.2.1",
    samples=Samples(
        "hyp0f1(v, z)",
        (Reals(0.1, 30), Complexes(0.05, 50, negative=True)),
        awkward=((1.0, 0.0), (0.5, 1e-9), (1.0, 1e-3), (-0.5, 2.0), (-3.5, -2.0), (2.0, -1e-12)),
        flaws=(
            Flaw("1e-10", "complex(z).imag == 0 and complex(z).real < -20"),
            Flaw("inf", "v < -170 or v > 170 and -4*z.real > 0.64*(v - 1)**2"),
        ),
        unknown=(
            Unknown(
                "v",
                "abs(v) > 1e4 or abs(z) > 4e6 and 4*abs(z)**0.5 < (v - 1)**2"
                " or v < -20 and (complex(z)**0.5).real > 0.25"
                " and ((1 + 4*complex(z)/(1 - v)**2)**0.5).real < 0.3",
            ),
        ),
    ),
    guard=_LIMIT,
    repair=limit_of_large_parameter.REPAIR,
    kernel=limit_on_device.hyp0f1,
    complex_kernel=limit_on_device.hyp0f1_in_plane,
)
def hyp0f1(v: Real, z: Complex) -> Array:
    """Confluent hypergeometric limit function 0F1(; v; z).

    It is the sum of z^k / ((v)_k k!) over k from 0 on.

    Args:
        v: parameter, any real number but 0, -1, -2, ... (NaN there)
        z: any finite number

    Example:
        >>> x = jnp.array([0.5, 1.0, 2.0])
        >>> hyp0f1(1.0, -(x**2) / 4)  # J_0(x)
        Array([0.93846981, 0.76519769, 0.22389078], dtype=float64)
        >>> print(f"{jax.grad(hyp0f1, 1)(1.5, 2.0):.6f} {jax.grad(hyp0f1, 0)(1.5, 2.0):.6f}")
        1.377140 -1.614461
    """
    ...


@native()
def confluent_limit(v: jax.Array, z: jax.Array) -> jax.Array:
    """0F1(; v; z): SciPy's, by its complex loop, for the real one loses digits for z < 0."""
    value = hyp0f1(v, z.astype(jnp.complex128))
    return value if jnp.iscomplexobj(z) else value.real


@tower("DLMF 16.3.1", z="n")
def limit_slope(v: jax.Array, z: jax.Array, *, n: int) -> jax.Array:
    """The n-th derivative of 0F1(; v; z) in z."""
    return confluent_limit(v + n, z) / rising(v, n)


_LIMIT_IN_V = _in_parameter("DLMF 16.3.1", limit_in_parameter, m=1)
limit_slope.partials(v=_LIMIT_IN_V)
rule(hyp0f1, v=_LIMIT_IN_V, z=closed("DLMF 16.3.1", lambda y, *at: limit_slope(*at, n=1)))


_KUMMERS = Repair(
    "SciPy's are off by more than 1e-9, as far as |a|, |b| <= 300 and |x| <= 300 (complex x: also "
    "|a|, |b| < 30 and |x| < 1e6), and, for real x, a = -1, -2, ... or b < -20, for complex x, "
    "|x| > 10, |a| > 20 or |b| > 20, or b is within 1e-6 of 0 or -1; they are NaN if |a| or |b| is "
    "above 100 and 32 digits are lost",
    mended.kummer_is_doubtful,
    mended.by_kummer,
    of="all",
    costly=True,
)
_GAUSSES = Repair(
    "SciPy's are off by more than 1e-9, as far as |a|, |b|, |c| <= 300 and |z| <= 1e6, and, for "
    "real z < 1, the largest of |a|, |b| and |c| is above 7.5, or |c| < 0.01 and z > 0.5, for "
    "complex z, the largest is above 5, c < 0, or 0.88 < |z| < 1.3; or SciPy's are NaN or "
    "infinite; or they are off by more than 1e-12 and c - a - b (z > 0.9, complex |z| < 1) or "
    "a - b (z < -0.9, |z| > 1) is within 1e-3 of an integer; with c < 0, or a parameter "
    "above 100 in size, they are NaN if 32 digits are lost",
    mended.gauss_is_doubtful,
    mended.by_gauss,
    of="all",
    costly=True,
)


@elementwise(
    source="13.2.2",
    samples=Samples(
        "hyp1f1(a, b, x)",
        (Reals(-8, 15), Reals(0.2, 15), Complexes(0.05, 20, negative=True)),
        awkward=((1.0, 2.0, 0.0), (0.0, 1.5, 2.0), (-3.0, 0.5, 1.5), (2.0, 2.0, -1.0)),
        flaws=(
            Flaw("1e-9", "complex(x).imag != 0 and abs(x) > 10"),
            Flaw("inf", "complex(x).imag != 0 and abs(x) > 300"),
        ),
        unknown=(
            Unknown("a", _KUMMERS_UNKNOWN),
            Unknown("b", f"({_KUMMERS_UNKNOWN}) and not {_OF_DEGREE}"),
        ),
    ),
    guard=_KUMMER,
    repair=_KUMMERS,
    note="Kernels have values for |a|, |b| <= 100 where 32 digits in the course of the solution "
    "leave 14, and NaN else: always for real x, |a|, |b| <= 30; for complex x, -8 <= a <= 15 and "
    "0.2 <= b <= 15, but where the value overflows.",
    kernel=confluent_on_device.hyp1f1,
    complex_kernel=confluent_on_device.hyp1f1_in_plane,
)
def hyp1f1(a: Real, b: Real, x: Complex) -> Array:
    """Kummer's confluent hypergeometric function 1F1(a; b; x) = M(a, b, x).

    It is the sum of (a)_k x^k / ((b)_k k!) over k from 0 on.

    Args:
        a: parameter, any real number
        b: parameter, any real number; infinite at 0, -1, -2, ..., except for real x if a is an
            integer from b to -1
        x: any number

    Example:
        >>> x = jnp.array([0.5, 1.0, 2.0])
        >>> 2 * x / jnp.sqrt(jnp.pi) * hyp1f1(0.5, 1.5, -(x**2))  # erf(x)
        Array([0.52049988, 0.84270079, 0.99532227], dtype=float64)
        >>> print(f"{jax.grad(hyp1f1, 2)(0.5, 1.5, -1.0):.6f}")
        0.189472
    """
    ...


@native()
def kummer_m(a: jax.Array, b: jax.Array, z: jax.Array) -> jax.Array:
    """M(a, b, z): the row's, and for complex z closer than that where steps lose no digits."""
    if not jnp.iscomplexobj(z):
        return hyp1f1(a, b, z)
    within = (jnp.abs(z) <= 50) & (jnp.abs(a) <= 20) & (jnp.abs(b) <= 20)
    ours = kummer(jnp.where(within, a, 1.0), jnp.where(within, b, 1.0), jnp.where(within, z, 0.0))
    return jnp.where(within, ours, hyp1f1(a, b, z))


@tower("DLMF 13.3.16", x="n")
def kummer_slope(a: jax.Array, b: jax.Array, x: jax.Array, *, n: int) -> jax.Array:
    """The n-th derivative of M(a, b, x) in x."""
    return rising(a, n) / rising(b, n) * kummer_m(a + n, b + n, x)


_KUMMER_IN_A = _in_parameter("DLMF 13.2.2", kummer_in_parameters, i=1, j=0)
_KUMMER_IN_B = _in_parameter("DLMF 13.2.2", kummer_in_parameters, i=0, j=1)
kummer_slope.partials(a=_KUMMER_IN_A, b=_KUMMER_IN_B)
rule(
    hyp1f1,
    a=_KUMMER_IN_A,
    b=_KUMMER_IN_B,
    x=closed("DLMF 13.3.15", lambda y, *at: kummer_slope(*at, n=1)),
)


_SMALL_A = 1e-2
_BESIDE_INTEGER = 1e-2
"""So far from an integer b SciPy's U loses digits."""


def _is_tricomis(ys: Sequence[jax.Array], a: jax.Array, b: jax.Array, x: jax.Array) -> jax.Array:
    """Where SciPy's U is NaN or may be off by more than 1e-8, and the integral serves."""
    size = jnp.abs(b)
    beside_integer = distance_to_integer(b) < _BESIDE_INTEGER
    # The integral is nearly 1 for small a, and what it lacks is all that is left for b > 2.
    lost = (a < _SMALL_A) & (b > 2) & ~jnp.isnan(ys[0])
    positive = (a > 0) & (a <= 100) & (size <= 300) & (x > 0) & ~lost
    negative = (a <= 0) & (a >= -60) & (size <= 10) & (x > 3)
    # To the left of it the recurrence loses digits.
    short = (a < 0) & (a >= -10) & (b >= -60) & (b <= 10) & (x > 0) & beside_integer
    doubtful = jnp.isnan(ys[0]) | beside_integer | is_integer(a) & (a < 0)
    far = jnp.where(a > 0, (x > 1) & (x <= 300), (x > 3) & (x <= 50))
    doubtful = doubtful | far
    # Farther left the recurrence loses digits, and SciPy has values.
    missing = (a <= 0) & (a >= -60) & (size <= 60) & (x > jnp.maximum(1.0, 0.6 * size - 5))
    found = (positive | negative) & doubtful | short | missing & jnp.isnan(ys[0])
    return found | _is_polynomial(a, b, x) | _is_polynomial_at_zero(a, b, x)


def _is_polynomial(a: jax.Array, b: jax.Array, x: jax.Array) -> jax.Array:
    """Where the recurrence from a = 0 serves."""
    return is_degree(a, MOST_DEGREE) & (a < 0) & (x > 0) & (jnp.abs(b) <= 300)


def _is_polynomial_at_zero(a: jax.Array, b: jax.Array, x: jax.Array) -> jax.Array:
    return (x == 0) & is_degree(a, MOST_DEGREE) & (b > 1) & (b <= _HUGE)


def _by_tricomi(ys: Sequence[jax.Array], a: jax.Array, b: jax.Array, x: jax.Array) -> jax.Array:
    integer = _is_polynomial(a, b, x)
    wanted = _is_tricomis(ys, a, b, x) & (x > 0)
    ours = tricomi(*(jnp.where(wanted & ~integer, t, 1.0) for t in (a, b, x)))
    of_degree, error = polynomial(*(jnp.where(integer, t, 1.0) for t in (-a, b, x)))
    off = jnp.abs(ys[0] - of_degree) / jnp.abs(of_degree)
    # Where even 32 digits are lost, SciPy's are most often right: there b < 0 and x is small.
    theirs = (off <= 1e-9) | ~(error < 1e-10)
    ours = jnp.where(integer, jnp.where(theirs, ys[0], of_degree), ours)
    # (-1)^n (b)_n, DLMF 13.2.7.
    n = jnp.where(_is_polynomial_at_zero(a, b, x), -a, 0.0)
    front = jnp.where(n % 2 == 0, 1.0, -1.0)
    at_zero = jax.lax.fori_loop(
        0, MOST_DEGREE, lambda k, y: y * jnp.where(k < n, b + k, 1.0), front + 0 * (b + x)
    )
    return jnp.where(x == 0, at_zero, ours)


def _is_far_left(a: jax.Array, b: jax.Array, x: jax.Array) -> jax.Array:
    between = (a < -10) & (a >= -100) & ~is_integer(a)
    return between & (jnp.abs(b) <= 100) & (x > 0) & (x <= 100)


_FAR_LEFT = by_own("", _is_far_left, tricomi_on_device.hyperu, few=True)


def _is_doubtful(ys: Sequence[jax.Array], a: jax.Array, b: jax.Array, x: jax.Array) -> jax.Array:
    return _is_tricomis(ys, a, b, x) | _is_far_left(a, b, x)


def _mended(ys: Sequence[jax.Array], a: jax.Array, b: jax.Array, x: jax.Array) -> jax.Array:
    by_integral = _is_tricomis(ys, a, b, x)
    return jnp.where(by_integral, _by_tricomi(ys, a, b, x), _FAR_LEFT.formula(ys, a, b, x)[0])


_TRICOMIS = Repair(
    "U is a polynomial, -300 <= a < 0, |b| <= 300, x >= 0, and SciPy's value is off by more than "
    "1e-9; 0 < a <= 100, |b| <= 300 (but not a < 0.01 with b > 2), and SciPy's is NaN, b is within "
    "0.01 of an integer or 1 < x <= 300; a <= 0, |b| <= 10, x > 3 and b is so or x <= 50; "
    "-10 <= a < 0, -60 <= b <= 10 and b is so; a <= 0, SciPy's is NaN and x > max(1, 0.6 |b| - 5); "
    "or -100 <= a < -10, a is not an integer, |b| <= 100, x <= 100 and SciPy's is NaN or off by "
    "more than 1e-11",
    _is_doubtful,
    _mended,
    costly=True,
)


@elementwise(
    source="13.2.6",
    samples=Samples(
        "hyperu(a, b, x)",
        (Reals(0.1, 6), Reals(-3, 6), Reals(0.1, 20)),
        awkward=((1.0, 1.0, 1.0), (0.0, 0.5, 2.0), (-2.0, 1.5, 0.7), (0.5, 2.0, 1e-3)),
        flaws=(
            Flaw("1e-5", "b == int(b) and a < -100 and x <= 3"),
            Flaw("2e-8", "a <= 0 and x <= 3"),
            Flaw("2e-9", "b != int(b) and x <= 1"),
        ),
        unknown=(
            Unknown("a", _TRICOMIS_UNKNOWN),
            Unknown("b", f"({_TRICOMIS_UNKNOWN}) and not {_OF_DEGREE}"),
        ),
    ),
    guard=_TRICOMI,
    repair=_TRICOMIS,
    note="Kernels have values for |a|, |b| <= 100, and NaN beyond.",
    kernel=tricomi_on_device.hyperu,
)
def hyperu(a: Real, b: Real, x: Real) -> Array:
    """Tricomi's confluent hypergeometric function U(a, b, x).

    It is the solution of Kummer's equation that goes like x^(-a) for large x.

    Args:
        a: parameter, any real number
        b: parameter, any real number
        x: real number, not negative (NaN below 0)

    Example:
        >>> hyperu(0.5, 1.5, jnp.array([0.25, 1.0, 4.0]))  # x^(-1/2)
        Array([2. , 1. , 0.5], dtype=float64)
        >>> print(f"{jax.grad(hyperu, 2)(1.0, 1.0, 2.0):.6f}")
        -0.138671
    """
    ...


@native()
def tricomi_u(a: jax.Array, b: jax.Array, x: jax.Array) -> jax.Array:
    """U(a, b, x) for x >= 0: ours, and SciPy's where the recurrence of ours is not stable."""
    unstable = (a < 0) & ((b > 3) & (x < 3) | (jnp.abs(b) > 10))
    theirs = unstable | (jnp.abs(a) > 500) | (jnp.abs(b) > 500) | (x == 0)
    ours = tricomi(*(jnp.where(theirs | ~(x > 0), 1.0, t) for t in (a, b, x)))
    return jnp.where(theirs, hyperu(a, b, x), jnp.where(x > 0, ours, jnp.nan))


@tower("DLMF 13.3.23", x="n")
def tricomi_slope(a: jax.Array, b: jax.Array, x: jax.Array, *, n: int) -> Any:
    """The n-th derivative of U(a, b, x) in x."""
    return (-1) ** n * rising(a, n) * tricomi_u(a + n, b + n, x)


_TRICOMI_IN_A = _in_parameter("DLMF 13.7.3", tricomi_in_parameters, i=1, j=0)
_TRICOMI_IN_B = _in_parameter("DLMF 13.7.3", tricomi_in_parameters, i=0, j=1)
tricomi_slope.partials(a=_TRICOMI_IN_A, b=_TRICOMI_IN_B)
rule(
    hyperu,
    a=_TRICOMI_IN_A,
    b=_TRICOMI_IN_B,
    x=closed("DLMF 13.3.22", lambda y, *at: tricomi_slope(*at, n=1)),
)


@elementwise(
    source="15.2.1",
    samples=Samples(
        "hyp2f1(a, b, c, z)",
        (Reals(-4, 4), Reals(-4, 4), Reals(0.2, 8), Complexes(0.02, 0.95, negative=True)),
        awkward=(
            (1.0, 1.0, 2.0, 0.0),
            (0.0, 1.5, 2.0, 0.5),
            (-2.0, 1.5, 0.5, 0.7),
            (0.5, 0.5, 1.0, 0.9),
            (1.5, 2.5, 1.5, -0.3),
            (0.5, 1.0, 1.5, -4.0),
            (1.5, 2.5, 3.5, 0.5 + 0.87j),
            (1.5, 0.3, 2.2, 1.2 + 0.9j),
            (3.2, -1.4, 0.6, -1.1 + 0.4j),
            (0.7, 2.1, 4.4, 3 + 4j),
        ),
        flaws=(
            Flaw("1e-9", "complex(z).imag != 0 and abs(z) > 0.85"),
            Flaw("1e-10", "c < 0"),
        ),
        unknown=(
            Unknown("a", f"{_GAUSSES_UNKNOWN} and not {_OF_OTHER_DEGREE}"),
            Unknown("b", f"{_GAUSSES_UNKNOWN} and not {_OF_DEGREE}"),
            Unknown("c", f"{_GAUSSES_UNKNOWN} and not {_OF_DEGREE} and not {_OF_OTHER_DEGREE}"),
        ),
    ),
    guard=_GAUSS,
    repair=_GAUSSES,
    note="Kernels have values for |a|, |b|, |c| <= 100 and |z| <= 1e12 where 32 digits in the "
    "course of the solution leave 14, and NaN else: always for real z, |a|, |b| <= 10 and "
    "0 < c <= 10; for complex z, |a|, |b| <= 4 and 0.2 <= c <= 8, but for one in forty beyond "
    "|z| = 1 within 0.2 of the cut in angle.",
    kernel=gauss_on_device.hyp2f1,
    complex_kernel=gauss_on_device.hyp2f1_in_plane,
)
def hyp2f1(a: Real, b: Real, c: Real, z: Complex) -> Array:
    """Gauss's hypergeometric function 2F1(a, b; c; z).

    It is the sum of (a)_k (b)_k z^k / ((c)_k k!) over k from 0 on, continued beyond |z| < 1.

    Args:
        a: parameter, any real number
        b: parameter, any real number
        c: parameter, any real number; infinite at 0, -1, -2, ..., unless a or b is an integer
            from c to 0. Derivatives in parameters are solved for twice, and NaN where the two are
            apart by more than 1e-11: for parameters of opposite signs beyond 10, say.
        z: any number; the cut is the real axis beyond 1, where real z give infinity unless F is a
            rational function, and complex z the value from above, or from below where the imaginary
            part is -0

    Example:
        >>> m = jnp.array([0.0, 0.5, 0.9])
        >>> jnp.pi / 2 * hyp2f1(0.5, 0.5, 1.0, m)  # K(m), as ellipk has it
        Array([1.57079633, 1.85407468, 2.57809211], dtype=float64)
        >>> print(f"{jax.grad(hyp2f1, 3)(0.5, 0.5, 1.0, 0.5):.6f}")
        0.539353
    """
    ...


@native()
def gauss_f(a: jax.Array, b: jax.Array, c: jax.Array, z: jax.Array) -> jax.Array:
    """F(a, b; c; z): the row's, and for complex z closer than that where steps lose no digits."""
    if not jnp.iscomplexobj(z):
        return hyp2f1(a, b, c, z)
    small = (jnp.abs(a) <= 10) & (jnp.abs(b) <= 10) & (jnp.abs(c) <= 10) & (jnp.abs(z) < 1e6)
    size, angle = jnp.abs(z), jnp.abs(jnp.angle(z))
    # To the right SciPy's is good but near the unit circle, and ours is not past z = 1.
    near_circle = ((size > 0.85) & (size < 1.6) & (angle > 0.3)) | (
        (size >= 1.6) & (size < 2.2) & (angle > 0.7)
    )
    within = small & ((z.real < 0) | (near_circle & (c > 0)))
    ours = gauss(*(jnp.where(within, t, 0.5) for t in (a, b, c, z)))
    return jnp.where(within, ours, hyp2f1(a, b, c, z))


@tower("DLMF 15.5.2", z="n")
def gauss_slope(a: jax.Array, b: jax.Array, c: jax.Array, z: jax.Array, *, n: int) -> jax.Array:
    """The n-th derivative of F(a, b; c; z) in z."""
    return rising(a, n) * rising(b, n) / rising(c, n) * gauss_f(a + n, b + n, c + n, z)


_GAUSS_IN_A = _in_parameter("DLMF 15.2.1", gauss_in_parameters, i=1, j=0, k=0)
_GAUSS_IN_B = _in_parameter("DLMF 15.2.1", gauss_in_parameters, i=0, j=1, k=0)
_GAUSS_IN_C = _in_parameter("DLMF 15.2.1", gauss_in_parameters, i=0, j=0, k=1)
gauss_slope.partials(a=_GAUSS_IN_A, b=_GAUSS_IN_B, c=_GAUSS_IN_C)
rule(
    hyp2f1,
    a=_GAUSS_IN_A,
    b=_GAUSS_IN_B,
    c=_GAUSS_IN_C,
    z=closed("DLMF 15.5.1", lambda y, *at: gauss_slope(*at, n=1)),
)
