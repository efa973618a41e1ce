"""Derivatives of J, Y and the Hankel functions in the order v, of every order.

In the first quadrant w = -iz lies in the right half plane, and DLMF 10.27.6 and 10.27.8 give

    J_v(z) = exp(v pi i/2) I_v(w),   H1_v(z) = 2/(pi i) exp(-v pi i/2) K_v(w)

of `_order_modified`. All else follows: Y = i (J - H1) and H2 = 2 J - H1, negative orders by DLMF
10.2.3 and 10.4.6, the other quadrants by conjugation (DLMF 10.11.9) and continuation across the
imaginary axis (DLMF 10.11.1 to 10.11.5). What is combined are Taylor polynomials in v.
Each public function returns the m-th derivative in the order, m >= 1, and derivatives in z of it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci.special import _jets as jets
from jaxsci.special._cylinder import Polynomial, power, shifted_orders
from jaxsci.special._order_derivatives import at_zero
from jaxsci.special._order_macdonald import scaled
from jaxsci.special._order_modified import Modified, modified


@dataclass
class _Cylinders:
    """At zeta = |Re z| + i |Im z|, expansions in the order at v, times exp(-|Im z|)."""

    j: list[Any]
    h1: list[Any]
    h1_decaying: list[Any]
    """exp(-i zeta) H1_v(zeta)."""


def _quadrant(z: Any) -> Any:
    return jax.lax.complex(jnp.abs(z.real), jnp.abs(z.imag))


def _first_quadrant(v: Any, zeta: Any, m: int) -> _Cylinders:
    return _from_modified(v, zeta, modified(jnp.abs(v), -1j * zeta, m), m)


def _from_modified(v: Any, zeta: Any, pair: Modified, m: int) -> _Cylinders:
    order = jnp.abs(v)
    j = jets.product(jets.turn(order, 1, m, 0.5), pair.first)
    h1 = jets.product(jets.turn(order, -1, m, 0.5), jets.times(pair.second, -2j / math.pi))
    j = jets.times(j, jnp.exp(-1j * zeta.real))
    grown = jnp.exp(1j * zeta.real - 2 * zeta.imag)
    # DLMF 10.4.6, and 10.2.3 with Y = i (J - H1)
    turned = jets.product(jets.turn(order, 1, m), h1)
    below = jets.product(jets.turn(order, -1, m), j)
    mixed = jets.product(jets.sine(order, m), jets.times(h1, 1j * grown))
    negative = v < 0
    j = jets.where(negative, jets.reflected(jets.plus(below, mixed)), j)
    h1 = jets.where(negative, jets.reflected(turned), h1)
    return _Cylinders(j, jets.times(h1, grown), h1)


def _real_first_second(v: Any, x: Any, m: int) -> tuple[list[Any], list[Any]]:
    """J_v(x) and Y_v(x), x > 0; where x < 0 they are not real, but for J at whole orders."""
    order, x = jnp.abs(v), jnp.where(x < 0, jnp.nan, x)
    zeta = jax.lax.complex(x, jnp.zeros_like(x))
    pair = modified(order, -1j * zeta, m)
    plus = _from_modified(order, zeta, replace(pair, second=pair.scaled), m)
    j = [c.real for c in plus.j]
    # Y is over 2^excess, and so are their combinations.
    small_j = scaled(j, -pair.excess)
    y = [c.imag for c in plus.h1]
    c, s = jets.cosine(order, m), jets.sine(order, m)
    below_j = jets.plus(jets.product(c, small_j), jets.times(jets.product(s, y), -1.0))
    below_y = jets.plus(jets.product(s, small_j), jets.product(c, y))
    negative = v < 0
    below_j = scaled(below_j, pair.excess)
    y = scaled(jets.where(negative, jets.reflected(below_y), y), pair.excess)
    return jets.where(negative, jets.reflected(below_j), j), y


def _in_the_plane(v: Any, z: Any, m: int, second_kind: bool) -> Any:
    """exp(-|Im z|) times the derivative of J_v, or of Y_v."""
    at = _first_quadrant(v, _quadrant(z), m)
    right = at.j
    if second_kind:
        right = jets.times(jets.plus(at.j, jets.times(at.h1, -1.0)), 1j)
        # At -zeta = zeta exp(-i pi).
        across = jets.times(jets.product(jets.cosine(v, m), at.j), -2j)
        left = jets.plus(jets.product(jets.turn(v, 1, m), right), across)
    else:
        left = jets.product(jets.turn(v, -1, m), at.j)
    value = jets.derivative(jets.where(z.real < 0, left, right))
    return jnp.where((z.real < 0) == (z.imag < 0), value, jnp.conj(value))


def _jve(v: Any, z: Any, m: int) -> Any:
    v, z = jnp.broadcast_arrays(v, z)
    if jnp.iscomplexobj(z):
        value = _in_the_plane(v, z, m, second_kind=False)
    else:
        value = jets.derivative(_real_first_second(v, z, m)[0])
    return jnp.where(z == 0, at_zero(v, z, m), value)


def _yve(v: Any, z: Any, m: int) -> Any:
    v, z = jnp.broadcast_arrays(v, z)
    if jnp.iscomplexobj(z):
        return _in_the_plane(v, z, m, second_kind=True)
    return jets.derivative(_real_first_second(v, z, m)[1])


def _hankel1e(v: Any, z: Any, m: int) -> Any:
    return _either_hankel(v, z, m, z.imag < 0)


def _hankel2e(v: Any, z: Any, m: int) -> Any:
    return jnp.conj(_either_hankel(v, jnp.conj(z), m, z.imag >= 0))


def _either_hankel(v: Any, z: Any, m: int, below_cut: Any) -> Any:
    """exp(-iz) d^m/dv^m H1_v(z)."""
    v, z, below_cut = jnp.broadcast_arrays(v, z, below_cut)
    zeta = _quadrant(z)
    at = _first_quadrant(v, zeta, m)
    phase = jnp.exp(1j * zeta.real)
    # Of the conjugate of z below the real axis: exp(i zeta) H2(zeta).
    second = jets.times(jets.plus(jets.times(at.j, 2.0), jets.times(at.h1, -1.0)), phase)
    # At -zeta = zeta exp(-i pi), and H2 there for the point above it.
    turn, back = jets.turn(v, 1, m), jets.turn(v, -1, m)
    below = jets.plus(jets.product(turn, at.h1), jets.times(jets.product(back, at.j), 2.0))
    below = jets.times(below, phase)
    above = jets.times(jets.product(turn, at.h1_decaying), -1.0)
    right = jets.where(z.imag < 0, jets.conjugate(second), at.h1_decaying)
    left = jets.where(below_cut, below, jets.conjugate(above))
    return jets.derivative(jets.where(z.real < 0, left, right))


# -- with derivatives in z -------------------------------------------------------------------------

Scaled = Callable[[Any, Any, Sequence[Polynomial], int], list[Any]]


def _with_shifts(function: Callable[[Any, Any, int], Any], complex_result: bool) -> Scaled:
    """operator(D) of the m-th derivative in the order, for each of several polynomials in D."""

    def in_order(v: Any, z: Any, operators: Sequence[Polynomial], m: int) -> list[Any]:
        z = jax.lax.convert_element_type(z, jnp.complex128) if complex_result else z
        return shifted_orders(lambda u, z: function(u, z, m), -1, v, z, operators, at_once=True)

    return in_order


jve_in_order = _with_shifts(_jve, complex_result=False)
yve_in_order = _with_shifts(_yve, complex_result=False)
hankel1e_in_order = _with_shifts(_hankel1e, complex_result=True)
hankel2e_in_order = _with_shifts(_hankel2e, complex_result=True)


def _growth(z: Any) -> Any:
    return jnp.exp(jnp.abs(z.imag)) if jnp.iscomplexobj(z) else 1.0


def j_in_order(v: Any, z: Any, n: int, m: int) -> Any:
    """d^n/dz^n d^m/dv^m J_v(z)."""
    return _growth(z) * jve_in_order(v, z, [power([0, 1], n)], m)[0]


def y_in_order(v: Any, z: Any, n: int, m: int) -> Any:
    """d^n/dz^n d^m/dv^m Y_v(z)."""
    return _growth(z) * yve_in_order(v, z, [power([0, 1], n)], m)[0]


def hankel1_in_order(v: Any, z: Any, n: int, m: int) -> Any:
    """d^n/dz^n d^m/dv^m H1_v(z)."""
    return jnp.exp(1j * z) * hankel1e_in_order(v, z, [power([0, 1], n)], m)[0]


def hankel2_in_order(v: Any, z: Any, n: int, m: int) -> Any:
    """d^n/dz^n d^m/dv^m H2_v(z)."""
    return jnp.exp(-1j * z) * hankel2e_in_order(v, z, [power([0, 1], n)], m)[0]
