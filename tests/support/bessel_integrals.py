"""Bessel functions of large order by mpmath's quadrature, for orders or arguments from 1e4 on.

mpmath's own series take as many terms as the order. Schlaefli's integrals (DLMF 10.9.17, 10.9.18,
10.32.9, 10.32.12) are taken along straight lines from their saddle points. In them a derivative in
the order is a factor -t, and one in the argument a factor sinh(t) or cosh(t).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mpmath

mp: Any = mpmath.mp

_DIGITS = 45
_DROP = 60
"""The exponent by which an integrand has fallen where a path ends."""

Function = Callable[[Any], Any]


def _ray(exponent: Function, factor: Function, start: Any, angle: float, most: Any = mp.inf) -> Any:
    """The integral of factor exp(exponent) along a ray, to where nothing is left or to `most`."""
    direction = mp.expjpi(angle)
    top, end = mp.re(exponent(start)), mp.mpf(10) ** -12
    while end < most and mp.re(exponent(start + end * direction)) > top - _DROP:
        end = 2 * end

    def term(s: Any) -> Any:
        t = start + s * direction
        return factor(t) * mp.exp(exponent(t) - top)

    return mp.exp(top) * direction * mp.quad(term, mp.linspace(0, min(end, most), 5))


def hankel(v: Any, z: Any, m: int = 0, n: int = 0) -> Any:
    """d^m/dv^m d^n/dz^n H1_v(z), v > 0 and z > 0: the real part is that of J, the other of Y.

    Or z is next to the real axis, and Re z > v.
    """
    with mp.workdps(_DIGITS):
        v, z = mp.mpf(v), mp.mpmathify(z)

        def exponent(t: Any) -> Any:
            return z * mp.sinh(t) - v * t

        def factor(t: Any) -> Any:
            return (-t) ** m * mp.sinh(t) ** n

        if mp.re(z) > v:
            saddle = 1j * mp.acos(v / z)
            up = _ray(exponent, factor, saddle, 0.25)
            value = (up - _ray(exponent, factor, saddle, 13 / 12)) / (mp.pi * 1j)
            return mp.mpc(value)
        saddle = mp.acosh(v / z)
        up = _ray(exponent, factor, saddle, 0.375)
        ahead = _ray(exponent, factor, -saddle, 0.0, 2 * saddle) if saddle else mp.mpf(0)
        ahead -= _ray(exponent, factor, -saddle, 1.0)
        return mp.mpc(mp.im(up), -mp.re(ahead + up)) / mp.pi


def first_modified(v: Any, z: Any, m: int = 0, n: int = 0) -> Any:
    """d^m/dv^m d^n/dz^n I_v(z), v > 0 and z > 0."""
    with mp.workdps(_DIGITS):
        v, z = mp.mpf(v), mp.mpf(z)
        up = _ray(
            lambda t: z * mp.cosh(t) - v * t,
            lambda t: (-t) ** m * mp.cosh(t) ** n,
            mp.asinh(v / z),
            0.375,
        )
        return mp.im(up) / mp.pi


def second_modified(v: Any, z: Any, m: int = 0, n: int = 0) -> Any:
    """d^m/dv^m d^n/dz^n K_v(z), v > 0 and Re z > 0."""
    with mp.workdps(_DIGITS):
        v, z = mp.mpf(v), mp.mpmathify(z)
        exponent = lambda t: v * t - z * mp.cosh(t)  # noqa: E731
        factor = lambda t: t**m * (-mp.cosh(t)) ** n  # noqa: E731
        saddle = mp.asinh(v / z)
        return (_ray(exponent, factor, saddle, 0.0) - _ray(exponent, factor, saddle, 1.0)) / 2
