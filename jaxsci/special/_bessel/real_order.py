"""Bessel functions of real order and complex argument (DLMF 10.2 to 10.6, 10.25 to 10.29)."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jaxsci._core.elementwise_rules import closed, real_linear
from jaxsci.special._bessel.kernels import cylinder_in_order as cylinder
from jaxsci.special._bessel.kernels import (
    derivatives_on_device,
    ends_of_range,
    next_to_integers,
    real_order_in_plane,
    real_order_on_device,
    scaled,
    scaled_in_plane,
    slopes,
    vanishing,
)
from jaxsci.special._bessel.kernels import modified_in_order as modified
from jaxsci.special._catalog.decorators import (
    Guard,
    OnHost,
    Samples,
    alias,
    elementwise,
    rule,
)
from jaxsci.special._catalog.domains import Complexes, Reals
from jaxsci.special._catalog.types import Array, Complex, Real, StaticInt
from jaxsci.special._numerics.static_checks import derivatives_of_bessel

_ORDERS = Reals(-15, 30)
_DISC = Complexes(0.05, 60)
_AT_ZERO = ((0.0, 0.0), (1.0, 0.0), (-1.0, 0.0), (2.0, 0.0), (-2.0, 0.0), (3.0, 0.0))
_AT_INTEGERS = (
    (0.0, 1.0),
    (1.0, 2.5),
    (-1.0, 2.5),
    (-4.0, 0.3),
    (5.0, 1e-3),
    (2.0, 1e-8),
    (1.0, 1e-120),
)
_NEGATIVE = ((0.0, -1.5), (3.0, -7.25), (-2.0, -0.5))
_LARGE = ((0.5, 1e3), (2.0, 1e4), (30.0, 250.0))


# -- unscaled --------------------------------------------------------------------------------------


def _steps_end(v: jax.Array | np.ndarray, z: jax.Array | np.ndarray, **static: Any) -> jax.Array:
    """Whether SciPy's recurrence of integer orders ends: after |v| steps, or where it overflows."""
    return _few_steps(v, z) | (abs(z) <= 1e8)


def _few_steps(v: jax.Array | np.ndarray, z: jax.Array | np.ndarray) -> jax.Array:
    # Of NumPy's arrays without JAX, whose threads a process that forks must not have.
    whole = v == v.round()
    return jnp.iscomplexobj(z) | ~(whole & (abs(v) > 1e8))


# Of the order alone, for no array is copied then.
_STEPS = Guard("|v| <= 1e8, for integer v and real z", _few_steps, (0.5, 1.0), through=0)
_STEPS_OF_DERIVATIVES = Guard(
    "|v| <= 1e8 or |z| <= 1e8, for integer v and real z", _steps_end, (0.5, 1.0)
)
INTEGER_STEPS = Guard("|n| <= 1e8 or |x| <= 1e8", _steps_end, (0, 1.0))


def _in_order(reference: str, tower: Any) -> Any:
    """The derivative in v of the function itself, or of its n-th derivative in z."""
    return closed(reference, lambda y, v, z, *, n=0: tower(v, z, n=n, m=1))


@elementwise(
    source="10.2.2",
    samples=Samples(
        "besselj(v, z)", (_ORDERS, _DISC), awkward=(*_AT_ZERO, *_AT_INTEGERS, *_NEGATIVE, *_LARGE)
    ),
    repair=ends_of_range.of_j(),
    kernel=real_order_on_device.jv,
    complex_kernel=real_order_in_plane.jv,
)
def jv(v: Real, z: Complex) -> Array:
    """Bessel function of the first kind of real order, J_v(z).

    Args:
        v: order, any real number
        z: argument; unless v is an integer its cut is z < 0, where a real z gives NaN, and a
            complex one the value from above

    Example:
        >>> jv(0.5, jnp.array([1.0, 2.0]))
        Array([0.67139671, 0.51301614], dtype=float64)
        >>> print(f"{jax.grad(jv)(0.5, 2.0):.6f}")  # in the order
        0.340475
    """
    ...


j_higher = slopes.higher_derivatives(
    jv,
    cylinder.j_in_order,
    slopes.alternating,
    neighbour=functools.partial(next_to_integers.of_neighbour, sign=-1),
)
j_slope = slopes.first_derivative(slopes.regular(jv, -1), j_higher)

rule(jv, v=_in_order("DLMF 10.27.6", j_higher), z=closed("DLMF 10.6.2", j_slope))
alias("jn", jv)


@elementwise(
    source="10.2.3",
    samples=Samples("bessely(v, z)", (_ORDERS, _DISC), awkward=(*_AT_INTEGERS, *_LARGE)),
    guard=_STEPS,
    repair=ends_of_range.of_y(),
    kernel=real_order_on_device.yv,
    complex_kernel=real_order_in_plane.yv,
)
def yv(v: Real, z: Complex) -> Array:
    """Bessel function of the second kind of real order, Y_v(z).

    Args:
        v: order, any real number
        z: argument; its cut is z < 0, where a real z gives NaN, and a complex one the value
            from above; infinite at a real 0, but for v = -1/2, -3/2, ..., where it is 0

    Example:
        >>> yv(0.5, jnp.array([1.0, 2.0]))
        Array([-0.43109887,  0.23478571], dtype=float64)
        >>> print(f"{jax.grad(yv)(0.5, 2.0):.6f}")  # in the order
        -0.676601
    """
    ...


y_higher = slopes.higher_derivatives(yv, cylinder.y_in_order, slopes.alternating)
y_slope = slopes.first_derivative(slopes.singular(yv), y_higher)

rule(yv, v=_in_order("DLMF 10.27.8", y_higher), z=closed("DLMF 10.6.2", y_slope))


@elementwise(
    source="10.4.3",
    samples=Samples("hankel1(v, z)", (_ORDERS, _DISC), awkward=(*_AT_INTEGERS, *_LARGE)),
    complex_kernel=real_order_in_plane.hankel1,
)
def hankel1(v: Real, z: Complex) -> Array:
    """Hankel function of the first kind, H1_v(z) = J_v(z) + i Y_v(z).

    Args:
        v: order, any real number
        z: argument, not 0; on the cut z < 0 a real or complex z gives the value from above

    Example:
        >>> hankel1(0.5, jnp.array([1.0, 2.0]))
        Array([0.67139671-0.43109887j, 0.51301614+0.23478571j], dtype=complex128)
        >>> print(f"{jax.jvp(lambda v: hankel1(v, 2.0), (0.5,), (1.0,))[1]:.6f}")  # in the order
        0.340475-0.676601j
    """
    ...


_h1_higher = slopes.higher_derivatives(
    hankel1, cylinder.hankel1_in_order, slopes.alternating, complex_result=True
)
_h1_slope = slopes.first_derivative(slopes.singular(hankel1), _h1_higher)

rule(hankel1, v=_in_order("DLMF 10.27.8", _h1_higher), z=closed("DLMF 10.6.2", _h1_slope))


@elementwise(
    source="10.4.3",
    samples=Samples("hankel2(v, z)", (_ORDERS, _DISC), awkward=(*_AT_INTEGERS, *_LARGE)),
    complex_kernel=real_order_in_plane.hankel2,
)
def hankel2(v: Real, z: Complex) -> Array:
    """Hankel function of the second kind, H2_v(z) = J_v(z) - i Y_v(z).

    Args:
        v: order, any real number
        z: argument, not 0; on the cut z < 0 a real or complex z gives the value from above

    Example:
        >>> hankel2(0.5, jnp.array([1.0, 2.0]))
        Array([0.67139671+0.43109887j, 0.51301614-0.23478571j], dtype=complex128)
    """
    ...


_h2_higher = slopes.higher_derivatives(
    hankel2, cylinder.hankel2_in_order, slopes.alternating, complex_result=True
)
_h2_slope = slopes.first_derivative(slopes.singular(hankel2), _h2_higher)

rule(hankel2, v=_in_order("DLMF 10.27.8", _h2_higher), z=closed("DLMF 10.6.2", _h2_slope))


@elementwise(
    source="10.25.2",
    samples=Samples(
        "besseli(v, z)",
        (_ORDERS, _DISC),
        awkward=(*_AT_ZERO, *_AT_INTEGERS, *_NEGATIVE, (30.0, 250.0)),
    ),
    repair=next_to_integers.of_i(jv, other=ends_of_range.of_i()),
    kernel=real_order_on_device.iv,
    complex_kernel=real_order_in_plane.iv,
)
def iv(v: Real, z: Complex) -> Array:
    """Modified Bessel function of the first kind of real order, I_v(z).

    Args:
        v: order, any real number
        z: argument; unless v is an integer its cut is z < 0, where a real z gives NaN, and a
            complex one the value from above; overflows near z = 714, where `ive` goes on

    Example:
        >>> iv(0.5, jnp.array([1.0, 2.0]))
        Array([0.93767489, 2.04623686], dtype=float64)
        >>> print(f"{jax.grad(iv)(0.5, 2.0):.6f}")  # in the order
        -0.757333
    """
    ...


i_higher = slopes.higher_derivatives(
    iv,
    modified.i_in_order,
    slopes.positive,
    neighbour=functools.partial(next_to_integers.of_neighbour, sign=1),
)
i_slope = slopes.first_derivative(slopes.regular(iv, 1), i_higher)

rule(iv, v=_in_order("DLMF 10.28.2, 10.32.4", i_higher), z=closed("DLMF 10.29.2", i_slope))


@elementwise(
    source="10.25.3",
    samples=Samples("besselk(v, z)", (_ORDERS, _DISC), awkward=(*_AT_INTEGERS, (30.0, 250.0))),
    note="For complex z SciPy's value is 0 from Re z = 698 or so on, ten before it underflows.",
    repair=ends_of_range.of_k(vanishing.repair(vanishing.macdonald)),
    kernel=real_order_on_device.kv,
    complex_kernel=real_order_in_plane.kv,
)
def kv(v: Real, z: Complex) -> Array:
    """Modified Bessel function of the second kind of real order, K_v(z).

    Args:
        v: order, any real number
        z: argument; its cut is z < 0, where a real z gives NaN, and a complex one the value
            from above; underflows to 0 near z = 708, where `kve` goes on

    Example:
        >>> kv(1.5, jnp.array([1.0, 2.0]))
        Array([0.92213701, 0.17990666], dtype=float64)
        >>> def matern(smoothness, r):
        ...     x = jnp.sqrt(2 * smoothness) * r
        ...     front = 2 ** (1 - smoothness) * rgamma(smoothness)
        ...     return front * x**smoothness * kv(smoothness, x)
        >>> print(f"{jax.grad(matern)(2.5, 0.7):.6f}")  # in the smoothness of a Matern kernel
        0.030912
    """
    ...


k_higher = slopes.higher_derivatives(kv, modified.k_in_order, slopes.of_order)
k_slope = slopes.first_derivative(slopes.decaying(kv), k_higher)

rule(kv, v=_in_order("DLMF 10.32.9", k_higher), z=closed("DLMF 10.29.2", k_slope))


# -- exponentially scaled --------------------------------------------------------------------------


def _along_the_axes(function: Any) -> Callable[..., Any]:
    def derivative(y: jax.Array, v: jax.Array, z: jax.Array) -> tuple[jax.Array, ...]:
        across = function(v, z, a=0, b=1) if jnp.iscomplexobj(z) else jnp.zeros_like(y)
        return function(v, z, a=1, b=0), across

    return derivative


def _scaled_in_order(reference: str, function: Any) -> Any:
    return closed(reference, lambda y, v, z: function(v, z, a=0, b=0, m=1))


@elementwise(
    source="10.2.2",
    samples=Samples(
        "exp(-abs(im(z))) * besselj(v, z)",
        (_ORDERS, _DISC),
        awkward=(
            *_AT_ZERO,
            *_AT_INTEGERS,
            *_NEGATIVE,
            *_LARGE,
            (0.5, 3e3 + 2e3j),
            (2.0, -4e3 + 30j),
        ),
    ),
    note="Not holomorphic in z, for the scaling factor is not; at Im z = 0 the derivative is that "
    "of J_v (sign(0) = 0).",
    repair=scaled_in_plane.of_scaled(jv, scaled_in_plane.by_imaginary_part, negative=True),
    kernel=real_order_on_device.jv,
    complex_kernel=real_order_in_plane.jve,
)
def jve(v: Real, z: Complex) -> Array:
    """Exponentially scaled Bessel function of the first kind, J_v(z) exp(-|Im z|).

    Args:
        v: order, any real number
        z: argument; unless v is an integer its cut is z < 0, where a real z gives NaN, and a
            complex one the value from above

    Example:
        >>> z = jnp.array([3.0 + 4.0j, 3.0 + 1000.0j])
        >>> jve(1.0, z)
        Array([0.06692736-0.15390822j, 0.00179836-0.01248202j], dtype=complex128)
    """
    ...


jve_derivative = scaled.of_jve(jve)

rule(
    jve,
    v=_scaled_in_order("DLMF 10.27.6", jve_derivative),
    z=real_linear("DLMF 10.6.7, 10.17.5", _along_the_axes(jve_derivative)),
)


_as_vast_as_j = functools.partial(scaled_in_plane.of_vast, jve, scaled_in_plane.by_imaginary_part)


@elementwise(
    source="10.2.3",
    samples=Samples(
        "exp(-abs(im(z))) * bessely(v, z)",
        (_ORDERS, _DISC),
        awkward=(*_AT_INTEGERS, *_LARGE, (0.5, 3e3 + 2e3j), (2.0, -4e3 + 30j)),
    ),
    note="Not holomorphic in z, for the scaling factor is not; at Im z = 0 the derivative is that "
    "of Y_v (sign(0) = 0).",
    repair=scaled_in_plane.of_scaled(
        yv, scaled_in_plane.by_imaginary_part, _as_vast_as_j(scaled_in_plane.y_over_j)
    ),
    kernel=real_order_on_device.yv,
    complex_kernel=real_order_in_plane.yve,
)
def yve(v: Real, z: Complex) -> Array:
    """Exponentially scaled Bessel function of the second kind, Y_v(z) exp(-|Im z|).

    Args:
        v: order, any real number
        z: argument; its cut is z < 0, where a real z gives NaN, and a complex one the value
            from above; NaN at 0

    Example:
        >>> z = jnp.array([3.0 + 4.0j, 3.0 + 1000.0j])
        >>> yve(1.0, z)
        Array([0.15393577+0.06680359j, 0.01248202+0.00179836j], dtype=complex128)
    """
    ...


yve_derivative = scaled.of_yve(yve, yv)

rule(
    yve,
    v=_scaled_in_order("DLMF 10.27.8", yve_derivative),
    z=real_linear("DLMF 10.6.7, 10.17.5", _along_the_axes(yve_derivative)),
)


@elementwise(
    source="10.4.3",
    samples=Samples(
        "exp(-1j*z) * hankel1(v, z)", (_ORDERS, _DISC), awkward=(*_AT_INTEGERS, *_LARGE, (1.0, 1e6))
    ),
    repair=scaled_in_plane.of_scaled(
        hankel1, lambda z: -1j * z, _as_vast_as_j(scaled_in_plane.hankel_over_j(1))
    ),
    complex_kernel=real_order_in_plane.hankel1e,
)
def hankel1e(v: Real, z: Complex) -> Array:
    """Exponentially scaled Hankel function of the first kind, H1_v(z) exp(-iz).

    Args:
        v: order, any real number
        z: argument, not 0; on the cut z < 0 a real or complex z gives the value from above

    Example:
        >>> hankel1e(0.0, jnp.array([1.0, 1000.0j]))
        Array([0.48770375-0.59620621j, 0.        -0.02522817j], dtype=complex128)
    """
    ...


hankel1e_derivative = scaled.of_hankel1e(hankel1e)

rule(
    hankel1e,
    v=_in_order("DLMF 10.27.8", hankel1e_derivative),
    z=closed("DLMF 10.6.7, 10.17.5", lambda y, v, z: hankel1e_derivative(v, z, n=1)),
)


@elementwise(
    source="10.4.3",
    samples=Samples(
        "exp(1j*z) * hankel2(v, z)", (_ORDERS, _DISC), awkward=(*_AT_INTEGERS, *_LARGE, (1.0, 1e6))
    ),
    repair=scaled_in_plane.of_scaled(
        hankel2, lambda z: 1j * z, _as_vast_as_j(scaled_in_plane.hankel_over_j(2))
    ),
    complex_kernel=real_order_in_plane.hankel2e,
)
def hankel2e(v: Real, z: Complex) -> Array:
    """Exponentially scaled Hankel function of the second kind, H2_v(z) exp(iz).

    Args:
        v: order, any real number
        z: argument, not 0; on the cut z < 0 a real or complex z gives the value from above

    Example:
        >>> hankel2e(0.0, jnp.array([1.0, -1000.0j]))
        Array([ 0.48770375+0.59620621j, -0.        +0.02522817j], dtype=complex128)
    """
    ...


hankel2e_derivative = scaled.of_hankel2e(hankel2e)

rule(
    hankel2e,
    v=_in_order("DLMF 10.27.8", hankel2e_derivative),
    z=closed("DLMF 10.6.7, 10.17.6", lambda y, v, z: hankel2e_derivative(v, z, n=1)),
)


_scaled_i = scaled_in_plane.times_factor(iv, scaled_in_plane.by_real_part)


@elementwise(
    source="10.25.2",
    samples=Samples(
        "exp(-abs(re(z))) * besseli(v, z)",
        (_ORDERS, _DISC),
        awkward=(*_AT_ZERO, *_AT_INTEGERS, *_NEGATIVE, *_LARGE, (1.0, 1e6), (0.5, 2e3 - 3e3j)),
    ),
    note="Not holomorphic in z, for the scaling factor is not; at Re z = 0 the derivative is that "
    "of I_v (sign(0) = 0).",
    repair=next_to_integers.of_i(jve, far=_scaled_i),
    kernel=real_order_on_device.ive,
    complex_kernel=real_order_in_plane.ive,
)
def ive(v: Real, z: Complex) -> Array:
    """Exponentially scaled modified Bessel function of the first kind, I_v(z) exp(-|Re z|).

    Args:
        v: order, any real number
        z: argument; unless v is an integer its cut is z < 0, where a real z gives NaN, and a
            complex one the value from above

    Example:
        >>> ive(0.5, jnp.array([1.0, 1000.0]))
        Array([0.34495131, 0.01261566], dtype=float64)
    """
    ...


ive_derivative = scaled.of_ive(ive)

rule(
    ive,
    v=_scaled_in_order("DLMF 10.28.2, 10.32.4", ive_derivative),
    z=real_linear("DLMF 10.29.5, 10.40.1", _along_the_axes(ive_derivative)),
)


@elementwise(
    source="10.25.3",
    samples=Samples(
        "exp(z) * besselk(v, z)",
        (_ORDERS, _DISC),
        awkward=(*_AT_INTEGERS, *_LARGE, (1.0, 1e6), (0.25, 1e9)),
    ),
    repair=scaled_in_plane.of_scaled(
        kv,
        lambda z: z,
        scaled_in_plane.of_vast(
            lambda v, z: ive(jnp.abs(v), -z), scaled_in_plane.by_real_part, scaled_in_plane.k_over_i
        ),
    ),
    kernel=real_order_on_device.kve,
    complex_kernel=real_order_in_plane.kve,
)
def kve(v: Real, z: Complex) -> Array:
    """Exponentially scaled modified Bessel function of the second kind, K_v(z) exp(z).

    Args:
        v: order, any real number
        z: argument; its cut is z < 0, where a real z gives NaN, and a complex one the value
            from above

    Example:
        >>> kve(0.5, jnp.array([1.0, 1000.0]))
        Array([1.25331414, 0.03963327], dtype=float64)
        >>> print(f"{jax.grad(kve)(0.5, 10.0):.6f}")  # in the order
        0.018912
    """
    ...


kve_derivative = scaled.of_kve(kve)

rule(
    kve,
    v=_in_order("DLMF 10.32.9", kve_derivative),
    z=closed("DLMF 10.29.5, 10.40.2", lambda y, v, z: kve_derivative(v, z, n=1)),
)


# -- derivatives as functions ----------------------------------------------------------------------


_DERIVATIVES = ({"n": 0}, {"n": 1}, {"n": 3})


def _neighbours(function: str, sign: str) -> str:
    term = f"{sign} * binomial(n, k) * {function}(v - n + 2*k, z)"
    return f"fsum({term} for k in range(n + 1)) / 2**n"


@elementwise(
    source="10.6.7",
    samples=Samples(
        "besselj(v, z, derivative=n)",
        (_ORDERS, _DISC),
        awkward=(*_AT_ZERO, *_AT_INTEGERS, *_NEGATIVE),
        statics=_DERIVATIVES,
    ),
    check=derivatives_of_bessel,
    repair=ends_of_range.of_j(),
    kernel=derivatives_on_device.jvp,
    complex_kernel=derivatives_on_device.jvp_in_plane,
)
def jvp(v: Real, z: Complex, n: StaticInt = 1) -> Array:
    """The n-th derivative of J_v(z) with respect to z.

    Args:
        v: order, any real number
        z: argument; unless v is an integer its cut is z < 0, where a real z gives NaN, and a
            complex one the value from above
        n: how many derivatives are taken, 0 to 1023; ValueError otherwise

    Example:
        >>> jvp(0.5, jnp.array([1.0, 2.0]))
        Array([ 0.09540051, -0.36303974], dtype=float64)
        >>> jvp(0.5, jnp.array([1.0, 2.0]), n=2)
        Array([-0.59894804, -0.29943276], dtype=float64)
        >>> print(f"{jax.grad(jvp)(0.5, 2.0):.6f}")  # in the order
        0.593460
    """
    ...


@elementwise(
    source="10.6.7",
    samples=Samples(
        "bessely(v, z, derivative=n)", (_ORDERS, _DISC), awkward=_AT_INTEGERS, statics=_DERIVATIVES
    ),
    check=derivatives_of_bessel,
    guard=_STEPS_OF_DERIVATIVES,
    repair=ends_of_range.of_y(),
    kernel=derivatives_on_device.yvp,
    complex_kernel=derivatives_on_device.yvp_in_plane,
)
def yvp(v: Real, z: Complex, n: StaticInt = 1) -> Array:
    """The n-th derivative of Y_v(z) with respect to z.

    Args:
        v: order, any real number
        z: argument; its cut is z < 0, where a real z gives NaN, and a complex one the value
            from above
        n: how many derivatives are taken, 0 to 1023; ValueError otherwise

    Example:
        >>> yvp(0.5, jnp.array([1.0, 2.0]))
        Array([0.88694614, 0.45431971], dtype=float64)
        >>> yvp(0.5, jnp.array([1.0, 2.0]), n=2)
        Array([-0.56362199, -0.44727146], dtype=float64)
    """
    ...


@elementwise(
    source="10.29.5",
    samples=Samples(
        _neighbours("besselk", "(-1)**n"),
        (_ORDERS, _DISC),
        awkward=_AT_INTEGERS,
        statics=_DERIVATIVES,
    ),
    check=derivatives_of_bessel,
    repair=ends_of_range.of_k(vanishing.repair(vanishing.derivative(vanishing.macdonald))),
    kernel=derivatives_on_device.kvp,
    complex_kernel=derivatives_on_device.kvp_in_plane,
)
def kvp(v: Real, z: Complex, n: StaticInt = 1) -> Array:
    """The n-th derivative of K_v(z) with respect to z.

    Args:
        v: order, any real number
        z: argument; its cut is z < 0, where a real z gives NaN, and a complex one the value
            from above
        n: how many derivatives are taken, 0 to 1023; ValueError otherwise

    Example:
        >>> kvp(0.5, jnp.array([1.0, 2.0]))
        Array([-0.69160276, -0.14992221], dtype=float64)
        >>> kvp(0.5, jnp.array([1.0, 2.0]), n=2)
        Array([1.26793839, 0.20239499], dtype=float64)
    """
    ...


@elementwise(
    source="10.29.5",
    samples=Samples(
        _neighbours("besseli", "1"),
        (_ORDERS, _DISC),
        awkward=(*_AT_ZERO, *_AT_INTEGERS, *_NEGATIVE),
        statics=_DERIVATIVES,
    ),
    check=derivatives_of_bessel,
    repair=ends_of_range.of_i(),
    kernel=derivatives_on_device.ivp,
    complex_kernel=derivatives_on_device.ivp_in_plane,
)
def ivp(v: Real, z: Complex, n: StaticInt = 1) -> Array:
    """The n-th derivative of I_v(z) with respect to z.

    Args:
        v: order, any real number
        z: argument; unless v is an integer its cut is z < 0, where a real z gives NaN, and a
            complex one the value from above
        n: how many derivatives are taken, 0 to 1023; ValueError otherwise

    Example:
        >>> ivp(0.5, jnp.array([1.0, 2.0]))
        Array([0.76236277, 1.6110324 ], dtype=float64)
        >>> ivp(0.5, jnp.array([1.0, 2.0]), n=2)
        Array([0.40973084, 1.36861046], dtype=float64)
    """
    ...


@elementwise(
    source="10.6.7",
    samples=Samples(
        _neighbours("hankel1", "(-1)**k"),
        (_ORDERS, _DISC),
        awkward=_AT_INTEGERS,
        statics=_DERIVATIVES,
    ),
    host=OnHost(results="complex"),
    check=derivatives_of_bessel,
    complex_kernel=derivatives_on_device.h1vp_in_plane,
)
def h1vp(v: Real, z: Complex, n: StaticInt = 1) -> Array:
    """The n-th derivative of H1_v(z) with respect to z.

    Args:
        v: order, any real number
        z: argument, not 0; on the cut z < 0 a real or complex z gives the value from above
        n: how many derivatives are taken, 0 to 1023; ValueError otherwise

    Example:
        >>> h1vp(0.5, jnp.array([1.0, 2.0]))
        Array([ 0.09540051+0.88694614j, -0.36303974+0.45431971j], dtype=complex128)
    """
    ...


@elementwise(
    source="10.6.7",
    samples=Samples(
        _neighbours("hankel2", "(-1)**k"),
        (_ORDERS, _DISC),
        awkward=_AT_INTEGERS,
        statics=_DERIVATIVES,
    ),
    host=OnHost(results="complex"),
    check=derivatives_of_bessel,
    complex_kernel=derivatives_on_device.h2vp_in_plane,
)
def h2vp(v: Real, z: Complex, n: StaticInt = 1) -> Array:
    """The n-th derivative of H2_v(z) with respect to z.

    Args:
        v: order, any real number
        z: argument, not 0; on the cut z < 0 a real or complex z gives the value from above
        n: how many derivatives are taken, 0 to 1023; ValueError otherwise

    Example:
        >>> h2vp(0.5, jnp.array([1.0, 2.0]))
        Array([ 0.09540051-0.88694614j, -0.36303974-0.45431971j], dtype=complex128)
    """
    ...


def _rules_of_derivative(
    function: Callable[..., Any], tower: Any, in_order: str, in_z: str
) -> None:
    rule(
        function,
        v=_in_order(f"DLMF {in_order}, {in_z}", tower),
        z=closed(f"DLMF {in_z}", lambda y, v, z, *, n: function(v, z, n + 1)),
    )


_rules_of_derivative(jvp, j_higher, "10.27.6", "10.6.7")
_rules_of_derivative(yvp, y_higher, "10.27.8", "10.6.7")
_rules_of_derivative(kvp, k_higher, "10.32.9", "10.29.5")
_rules_of_derivative(ivp, i_higher, "10.28.2", "10.29.5")
_rules_of_derivative(h1vp, _h1_higher, "10.27.8", "10.6.7")
_rules_of_derivative(h2vp, _h2_higher, "10.27.8", "10.6.7")
