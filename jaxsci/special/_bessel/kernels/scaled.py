"""Derivatives of every order of the exponentially scaled Bessel functions, as functions.

They are derivatives in the argument and, m times, in the order v, each made of the function itself.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jaxsci._core.double_precision import NativeFunction, native
from jaxsci._core.elementwise_rules import closed, real_linear
from jaxsci.special._bessel.kernels import cylinder_in_order as cylinders
from jaxsci.special._bessel.kernels import hankel_expansion as cylinder
from jaxsci.special._bessel.kernels import modified_in_order as in_order
from jaxsci.special._bessel.kernels import next_to_integers, slopes
from jaxsci.special._numerics.plane import from_above

_OF_IVE = functools.partial(
    next_to_integers.of_neighbour, sign=1, scale=lambda z: jnp.exp(-jnp.abs(z.real))
)
_OF_JVE = functools.partial(
    next_to_integers.of_neighbour, sign=-1, scale=lambda z: jnp.exp(-jnp.abs(z.imag))
)

polymul = np.polynomial.polynomial.polymul


def of_kve(kve: Callable[..., Any]) -> NativeFunction:
    """The derivatives of kve."""

    @native()
    def kve_derivative(v: jax.Array, z: jax.Array, *, n: int, m: int = 0) -> jax.Array:
        """d^n/dz^n d^m/dv^m exp(z) K_v(z)."""
        if m:
            return in_order.kve_in_order(v, z, [cylinder.power([1, 1], n)], m)[0]
        # K_v e^{v pi i} has I's recurrences: K's own shift is -(S^-1 + S)/2.
        operator = [c * (-1) ** k for k, c in enumerate(cylinder.power([1, 1], n))]
        near = cylinder.shifted_orders(kve, 1, v, z, [operator])[0]
        if not jnp.iscomplexobj(z):
            # Where a neighbour overflows, the one of highest order outweighs the others.
            outermost = jnp.maximum(kve(v + n, z), kve(v + -n, z))
            near = jnp.where(jnp.isposinf(outermost), (-1) ** n * jnp.inf, near)
            far_z = jnp.where(z > 0, z, jnp.nan)
        else:
            far_z = from_above(z)  # SciPy's side of the cut
        return jnp.where(cylinder.is_far(v, z), cylinder.far_k(v, far_z, n), near)

    return _holomorphic(kve_derivative, "DLMF 10.29.5, 10.40.2")


def of_hankel1e(hankel1e: Callable[..., Any]) -> NativeFunction:
    """The derivatives of hankel1e."""

    @native(complex_result=True)
    def hankel1e_derivative(v: jax.Array, z: jax.Array, *, n: int, m: int = 0) -> jax.Array:
        """d^n/dz^n d^m/dv^m exp(-iz) H1_v(z)."""
        operators = [cylinder.power([-1j, 1], n)]
        of_order = cylinders.hankel1e_in_order
        near = _near(hankel1e, of_order, -1, v, z if m else _complex(z), operators, m)[0]
        z = from_above(_complex(z))
        far = jnp.conj(cylinder.far_hankel2(v, jnp.conj(z), n, m))
        return jnp.where(cylinder.is_far(v, z), far, near)

    return _holomorphic(hankel1e_derivative, "DLMF 10.6.7, 10.17.5")


def of_hankel2e(hankel2e: Callable[..., Any]) -> NativeFunction:
    """The derivatives of hankel2e."""

    @native(complex_result=True)
    def hankel2e_derivative(v: jax.Array, z: jax.Array, *, n: int, m: int = 0) -> jax.Array:
        """d^n/dz^n d^m/dv^m exp(iz) H2_v(z)."""
        operators = [cylinder.power([1j, 1], n)]
        of_order = cylinders.hankel2e_in_order
        near = _near(hankel2e, of_order, -1, v, z if m else _complex(z), operators, m)[0]
        z = from_above(_complex(z))
        return jnp.where(cylinder.is_far(v, z), cylinder.far_hankel2(v, z, n, m), near)

    return _holomorphic(hankel2e_derivative, "DLMF 10.6.7, 10.17.6")


def of_ive(ive: Callable[..., Any]) -> NativeFunction:
    """The derivatives of ive."""

    @native()
    def ive_derivative(v: jax.Array, z: jax.Array, *, a: int, b: int, m: int = 0) -> jax.Array:
        """(d/dx)^a (d/dy)^b d^m/dv^m exp(-|x|) I_v(x + iy); sign(0) = 0 where x = 0."""
        x = z.real
        operators = [
            polymul(cylinder.power([-s, 1], a), cylinder.power([0, 1j], b))
            for s in ((1, 0, -1) if a else (0,))
        ]
        near = _by_sign(x, _near(ive, in_order.ive_in_order, 1, v, z, operators, m, _OF_IVE))
        if m:
            return near
        if jnp.iscomplexobj(z):
            return jnp.where(cylinder.is_far(v, z), cylinder.far_partial_i(v, z, a, b), near)
        # I_v(-x) = (-1)^v I_v(x) for integer v, and is not real for others.
        parity = jnp.where(v % 2 == 0, 1.0, jnp.where(v % 1 == 0, -1.0, jnp.nan))
        far = cylinder.far_i(v, jnp.abs(z), a)
        far = jnp.where(x < 0, (-1) ** a * parity * far, far)
        return jnp.where(cylinder.is_far(v, z), far, near)

    return _in_the_plane(ive_derivative, "DLMF 10.29.5, 10.40.1")


def of_jve(jve: Callable[..., Any]) -> NativeFunction:
    """The derivatives of jve."""

    @native()
    def jve_derivative(v: jax.Array, z: jax.Array, *, a: int, b: int, m: int = 0) -> jax.Array:
        """(d/dx)^a (d/dy)^b d^m/dv^m exp(-|y|) J_v(x + iy); sign(0) = 0 where y = 0."""
        return _partial_of_scaled("J", jve, cylinders.jve_in_order, v, z, a, b, m, _OF_JVE)

    return _in_the_plane(jve_derivative, "DLMF 10.6.7, 10.17.5")


def of_yve(yve: Callable[..., Any], yv: Callable[..., Any]) -> NativeFunction:
    """The derivatives of yve, of real arguments by yv."""

    @native()
    def yve_derivative(v: jax.Array, z: jax.Array, *, a: int, b: int, m: int = 0) -> jax.Array:
        """(d/dx)^a (d/dy)^b d^m/dv^m exp(-|y|) Y_v(x + iy); sign(0) = 0 where y = 0."""
        # SciPy's yve of a real argument overflows to the wrong infinity.
        function = yve if jnp.iscomplexobj(z) else yv
        return _partial_of_scaled("Y", function, cylinders.yve_in_order, v, z, a, b, m)

    return _in_the_plane(yve_derivative, "DLMF 10.6.7, 10.17.5")


def _partial_of_scaled(
    kind: str,
    function: Callable[..., Any],
    of_order: Callable[..., Any],
    v: jax.Array,
    z: jax.Array,
    a: int,
    b: int,
    m: int,
    neighbour: slopes.Neighbour = slopes.plain_neighbour,
) -> jax.Array:
    operators = [
        polymul(cylinder.power([0, 1], a), cylinder.power([-s, 1j], b))
        for s in ((1, 0, -1) if b else (0,))
    ]
    near = _by_sign(z.imag, _near(function, of_order, -1, v, z, operators, m, neighbour))
    if not b:
        return near
    # At y = 0 the derivative is the unscaled function's: nothing cancels.
    far = cylinder.is_far(v, z) & (z.imag != 0)
    return jnp.where(far, cylinder.far_partial(kind, v, z, a, b, m), near)


def _near(
    function: Callable[..., Any],
    of_order: Callable[..., Any],
    sign: int,
    v: jax.Array,
    z: jax.Array,
    operators: Sequence[np.ndarray],
    m: int,
    neighbour: slopes.Neighbour = slopes.plain_neighbour,
) -> list[jax.Array]:
    """Each operator applied to a scaled function, or to its m-th derivative in the order."""
    if m:
        return of_order(v, z, operators, m)
    return cylinder.shifted_orders(function, sign, v, z, operators, neighbour=neighbour)


def _by_sign(t: jax.Array, values: Sequence[jax.Array]) -> jax.Array:
    if len(values) == 1:
        return values[0]
    positive, zero, negative = values
    return jnp.where(t > 0, positive, jnp.where(t < 0, negative, zero))


def _complex(z: jax.Array) -> jax.Array:
    return jax.lax.convert_element_type(z, jnp.complex128)


def _again(function: NativeFunction) -> Any:
    def in_order(
        y: jax.Array, v: jax.Array, z: jax.Array, *, m: int = 0, **along: int
    ) -> jax.Array:
        return function(v, z, m=m + 1, **along)

    return closed("differentiated in the order", in_order)


def _holomorphic(function: NativeFunction, reference: str) -> NativeFunction:
    def along(y: jax.Array, v: jax.Array, z: jax.Array, *, n: int, m: int = 0) -> jax.Array:
        return function(v, z, n=n + 1, m=m)

    function.partials(v=_again(function), z=closed(reference, along))
    return function


def _in_the_plane(function: NativeFunction, reference: str) -> NativeFunction:
    def along(
        y: jax.Array, v: jax.Array, z: jax.Array, *, a: int, b: int, m: int = 0
    ) -> tuple[jax.Array, ...]:
        across = function(v, z, a=a, b=b + 1, m=m) if jnp.iscomplexobj(z) else jnp.zeros_like(y)
        return function(v, z, a=a + 1, b=b, m=m), across

    function.partials(v=_again(function), z=real_linear(reference, along))
    return function
