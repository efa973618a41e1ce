"""Elliptic functions and integrals in the conventions of SciPy."""

from __future__ import annotations

import mpmath

from jaxsci._verification.oracles._types import Number

__all__ = ["amplitude", "principal_rc", "principal_rj"]


def amplitude(u: Number, m: Number) -> Number:
    """Jacobi's amplitude of real u, 0 <= m <= 1: from sn and cn, and whole turns by the period."""
    turns = mpmath.nint(mpmath.re(u / (4 * mpmath.ellipk(m)))) if m != 1 else 0
    sn, cn = mpmath.ellipfun("sn", u, m=m), mpmath.ellipfun("cn", u, m=m)
    return 2 * mpmath.pi * turns + mpmath.atan2(mpmath.re(sn), mpmath.re(cn))


def principal_rc(x: Number, y: Number) -> Number:
    """R_C(x, y), or its principal value where y is negative: the mean of both sides of the cut."""
    value = mpmath.elliprc(x, y, pv=False)
    if mpmath.im(y) == 0 and mpmath.re(y) < 0:
        other = mpmath.conj(mpmath.elliprc(mpmath.conj(x), y, pv=False))
        return (value + other) / 2
    return value


def principal_rj(x: Number, y: Number, z: Number, p: Number) -> Number:
    """R_J(x, y, z, p), or for negative p and real x, y, z its principal value."""
    # Carlson's conditions hold for x, y, z on the positive axis or next to it, all p off the
    # negative one, and on it the value is the limit from above: mpmath would integrate, slowly.
    near = all(abs(mpmath.im(t)) <= mpmath.re(t) / 1000 for t in (x, y, z))
    value = mpmath.elliprj(x, y, z, p, integration=0 if near else 1)
    return mpmath.re(value) if mpmath.im(p) == 0 and mpmath.re(p) < 0 else value
