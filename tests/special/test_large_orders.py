"""Derivatives in the order of Bessel functions from order 1e5 on, against integrals."""

from __future__ import annotations

import functools
from typing import Any

import bessel_integrals as integrals
import jax
import mpmath
import numpy as np
import pytest
from identities import along

import jaxsci
from jaxsci import special as sp
from jaxsci.special._bessel.kernels.debye import polynomials

mp: Any = mpmath.mp
pytestmark = pytest.mark.rotating(0.075)

EPS = 2.0**-52
# Below, at and beyond the turning point, where J is small, and orders below 1e5 of large arguments.
AT = [
    (v, v + k * np.cbrt(v))
    for v, k in [(100003.0, -60.0), (1e6, -1.5), (1e9, 0.0), (1e15, 1.0), (3e5, 200.0)]
]
AT += [(2.5e5, 1e9), (1e3, 1.2e5)]


_hankel = functools.cache(integrals.hankel)


def _cylinder(part, v, z, m, n):
    """A derivative, the size of the oscillation, and what rounding of arguments makes of it."""
    value, in_order, in_z = (_hankel(v, z, *orders) for orders in ((m, n), (m + 1, n), (m, n + 1)))
    oscillates = z > v
    size = abs if oscillates else lambda h: abs(part(h))
    return part(value), size(value), EPS * (v * size(in_order) + z * size(in_z))


def _holds(found, truth, size, rounding, factor=10):
    error = abs(mpmath.mpmathify(complex(found)) - truth)
    assert error <= factor * (EPS * size + rounding), (found, truth, error / (size + rounding))


FUNCTIONS = {"jv": lambda h: h.real, "yv": lambda h: h.imag, "hankel1": lambda h: h}


def _all(m):
    orders, z = np.array(AT).T
    functions = [along(getattr(sp, name), 0) if m else getattr(sp, name) for name in FUNCTIONS]
    found = jax.jit(lambda v, z: [f(v, z) for f in functions])(orders, z)
    for at, *values in zip(AT, *found, strict=True):
        for value, part in zip(values, FUNCTIONS.values(), strict=True):
            v, z = at
            _holds(value, *_cylinder(part, v, z, m, 0))


def test_first_derivatives_are_those_of_schlaeflis_integrals():
    _all(1)


def test_second_and_mixed_derivatives():
    at = [AT[0], AT[3]]
    orders, z = np.array(at).T
    both = jax.jit(lambda v, z: (along(along(sp.jv, 0), 0)(v, z), along(along(sp.jv, 0), 1)(v, z)))
    for n, found in enumerate(both(orders, z)):
        for value, (v, x) in zip(found, at, strict=True):
            # Neighbouring orders are all but equal next to the turning point.
            _holds(
                value,
                *_cylinder(lambda h: h.real, v, x, 2 - n, n),
                factor=10 * (np.cbrt(v) if n else 1),
            )


@pytest.mark.parametrize("name", ["ive", "kve"])
def test_modified_functions(name):
    first = name == "ive"
    f = integrals.first_modified if first else integrals.second_modified
    at = [(1e5, 2e7), (1e9, 1e16), (1e15, 1e28)]
    orders, z = np.array(at).T
    found = jax.jit(along(getattr(sp, name), 0))(orders, z)
    for value, (v, x) in zip(found, at, strict=True):
        with mp.workdps(45):
            exponential = mp.exp(-mp.mpf(x) if first else mp.mpf(x))
            truth = f(v, x, 1) * exponential
            # ln of the scaled function is about v^2/(2 x).
            rounding = EPS * abs(truth) * v * v / x
        _holds(value, truth, abs(truth), rounding)


PLANE = [(1e5, 1.5e5 + 100j), (1e9, 1.2e9 + 200j)]


def _in_the_plane(name, v, z):
    """Jve and hankel1e at z, and ive at -iz (DLMF 10.27.6)."""
    h = integrals.hankel(v, z)
    if name == "hankel1e":
        return h * mp.exp(-1j * mpmath.mpmathify(z))
    other = mp.conj(integrals.hankel(v, z.conjugate()))
    j = mp.exp(-mp.mpf(z.imag)) / 2 * (h + other)
    return j if name == "jve" else mp.expjpi(-mp.mpf(v) / 2) * j


@pytest.mark.parametrize("name", ["jve", "hankel1e", "ive"])
def test_kernels_at_complex_arguments(name):
    orders, z = (np.array(x) for x in zip(*PLANE, strict=True))
    with jaxsci.use_backend("device"):
        found = jax.jit(getattr(sp, name))(orders, -1j * z if name == "ive" else z)
    for value, (v, at) in zip(found, PLANE, strict=True):
        with mp.workdps(45):
            truth = _in_the_plane(name, v, at)
            _holds(value, truth, abs(truth), EPS * abs(at) * abs(truth))


def test_kernel_of_complex_macdonald_functions():
    at = [(1e5, 2e7 - 1e7j), (1e9, 1e16 + 5e15j)]
    orders, z = (np.array(x) for x in zip(*at, strict=True))
    with jaxsci.use_backend("device"):
        found = jax.jit(sp.kve)(orders, z)
    for value, (v, x) in zip(found, at, strict=True):
        with mp.workdps(45):
            truth = integrals.second_modified(v, x) * mp.exp(mpmath.mpmathify(x))
            _holds(value, truth, abs(truth), EPS * abs(truth) * v * v / abs(x))


def test_where_scaled_functions_overflow():
    """The functions themselves are normal numbers there."""
    functions = integrals.first_modified, integrals.second_modified
    at = [(1500.0, 1000.0), (60000.0, 39800.0), (1e6, 662700.0), (1e9, 662743419.0)]
    both = jax.jit(lambda v, z: (along(sp.iv, 0)(v, z), along(sp.kv, 0)(v, z)))
    for (v, x), *found in zip(at, *both(*np.array(at).T), strict=True):
        for value, f in zip(found, functions, strict=True):
            truth = f(v, x, 1)
            _holds(value, truth, abs(truth), EPS * 2 * (v + x) * abs(truth))


def test_edges():
    """Where values overflow and underflow, and where there are no expansions."""
    slope = jax.jit(jax.grad(sp.jv))
    assert slope(1e6, 1e5) == 0
    assert np.isneginf(jax.grad(sp.yv)(1e6, 1e5))
    assert np.isposinf(jax.grad(sp.kv)(1e6, 1e3))
    assert jax.grad(sp.kv)(1e6, 1e6) == 0
    assert np.isneginf(jax.grad(sp.iv)(1e6, 1e6))
    for f in (sp.jv, sp.iv, sp.kv):
        assert np.isnan(jax.grad(f)(1e17, 1e17)), f
        assert np.isnan(jax.grad(f)(1e6, -1e6)), f
    off_the_axis = jax.jvp(lambda v: sp.jv(v, 2e6 + 1j), (1e6,), (1.0,))[1]
    assert np.isnan(off_the_axis)
    # Neighbours are all but equal.
    assert np.isnan(jax.grad(jax.grad(sp.kve, 0), 1)(1e6, 1e10))


def test_negative_orders():
    """J of -v is a combination of J and Y (DLMF 10.2.3)."""
    v, x = 123456.7, 123500.0
    h, h_in_order = (integrals.hankel(v, x, m) for m in (0, 1))
    with mp.workdps(45):
        phase = mp.expjpi(mp.mpf(v))
        truth = -mp.re(phase * h_in_order) + mp.pi * mp.im(phase * h)
    _holds(jax.grad(sp.jv)(-v, x), truth, abs(truth), EPS * 10 * v)


def test_kernels_have_values():
    with jaxsci.use_backend("device"):
        _all(0)


def test_debyes_polynomials_are_those_of_the_handbook():
    """DLMF 10.41.10."""
    assert polynomials(4) == (
        (1.0,),
        (3 / 24, -5 / 24),
        (81 / 1152, -462 / 1152, 385 / 1152),
        (30375 / 414720, -369603 / 414720, 765765 / 414720, -425425 / 414720),
    )
