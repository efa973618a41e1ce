"""Parabolic cylinder functions (DLMF 12.2, 12.14)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci._core.elementwise_rules import closed
from jaxsci.special._catalog.decorators import (
    Flaw,
    OnHost,
    Repair,
    Samples,
    bounded,
    elementwise,
    rule,
)
from jaxsci.special._catalog.domains import Complexes, Reals
from jaxsci.special._catalog.types import Array, Complex, Real, StaticInt, StaticReal
from jaxsci.special._numerics.static_checks import orders_to
from jaxsci.special._parabolic.kernels import mended
from jaxsci.special._parabolic.kernels.contour import curvature, parabolic
from jaxsci.special._parabolic.kernels.w_functions import RECESSIVE, w_function

_POINTS = (
    (0.0, 1.0),
    (0.0, -2.0),
    (1.0, 0.5),
    (2.0, -3.0),
    (3.0, 4.5),
    (-1.0, 2.0),
    (-0.5, -1.0),
    (-2.0, 1e-3),
    (0.5, 20.0),
    (10.5, 3.0),
    (-7.25, 0.25),
    (4.0, -7.0),
    (-3.5, -15.0),
    (2.5, 9.0),
)
_SLOPE = "diff(lambda t: {}, x)"


def _with_slope(value: str) -> str:
    return f"{value}; {_SLOPE.format(value.replace('x', 't'))}"


def _of(kind: str) -> Any:
    return closed(
        "DLMF 12.2.2, 12.5.6",
        lambda y, v, x: (parabolic(v, x, kind=kind, n=1), curvature(v, x, kind=kind)),
    )


def _in_order(kind: str) -> Any:
    return closed(
        "DLMF 12.5.6",
        lambda y, v, x: tuple(parabolic(v, x, kind=kind, n=n, order=1) for n in (0, 1)),
    )


@elementwise(
    source="12.2",
    samples=Samples(
        "pcfd(v, x); x/2*pcfd(v, x) - pcfd(v + 1, x)",
        (Reals(-10, 15), Reals(-10, 15)),
        awkward=_POINTS,
        flaws=(Flaw("1e-11", "-5 <= v < 0 and 0 < x <= 4"),),
    ),
    outputs=("d", "dp"),
    guard=bounded("v x", (1.0, 1.0), v=1e6),
    repair=mended.D,
)
def pbdv(v: Real, x: Real) -> tuple[Array, Array]:
    """Parabolic cylinder function D_v(x) and its derivative, d and dp.

    Args:
        v: order, any real number; for 0 < x <= 2 SciPy has 0 below v = -250
        x: argument, any real number

    Example:
        >>> d, dp = pbdv(jnp.array([0.0, 0.5, 1.0]), 1.5)
        >>> d
        Array([0.56978282, 0.72789465, 0.85467424], dtype=float64)
        >>> print(f"{jax.grad(lambda x: pbdv(0.5, x)[0])(1.5):.6f}")  # dp
        -0.336285
    """
    ...


rule(pbdv, v=_in_order("D"), x=_of("D"))


@elementwise(
    source="12.2",
    samples=Samples(
        # V by D of an imaginary argument (DLMF 12.2.20): mpmath's own is slow at integer v.
        "sqrt(2/pi) * re(expjpi((v + 1)/2) * pcfd(-v - 1, j*x));"
        " diff(lambda t: sqrt(2/pi) * re(expjpi((v + 1)/2) * pcfd(-v - 1, j*t)), x)",
        (Reals(-10, 15), Reals(-10, 15)),
        # mpmath's derivatives in the order do not end at (-3.5, -15).
        awkward=(*(p for p in _POINTS if p[1] != -15), (-3.25, -15.0)),
        flaws=(Flaw("1e-11", "-30 <= v < 0 and 0 < x <= 2"),),
    ),
    outputs=("v", "vp"),
    guard=bounded("v x", (1.0, 1.0), v=1e6),
    repair=mended.V,
)
def pbvv(v: Real, x: Real) -> tuple[Array, Array]:
    """Parabolic cylinder function V(-v-1/2, x) and its derivative, v and vp.

    Args:
        v: order, any real number; for v > 250 and x > 1 SciPy loses digits
        x: argument, any real number

    Example:
        >>> v, vp = pbvv(jnp.array([0.0, 0.5, 1.0]), 1.5)
        >>> v
        Array([1.05323966, 0.65198383, 0.17952848], dtype=float64)
    """
    ...


rule(pbvv, v=_in_order("V"), x=_of("V"))


# -- sequences of orders ---------------------------------------------------------------------------


# Negative orders are refused: SciPy has the values of other orders there.


def _count(v: float) -> int:
    """SciPy's functions give two orders at least."""
    return max(int(v), 1) + 1


_ORDERS = "[v - int(v) + k for k in range(max(int(v), 1) + 1)]"


def _of_sequence(kind: str) -> Any:
    def both(y: Sequence[jax.Array], x: jax.Array, *, v: float) -> tuple[jax.Array, ...]:
        orders, x = v - int(v) + jnp.arange(_count(v)), jnp.expand_dims(x, -1)
        return parabolic(orders, x, kind=kind, n=1), curvature(orders, x, kind=kind)

    return closed("DLMF 12.2.2, 12.5.6", both)


@elementwise(
    source="12.2",
    samples=Samples(
        f"[pcfd(u, x) for u in {_ORDERS}]; [x/2*pcfd(u, x) - pcfd(u + 1, x) for u in {_ORDERS}]",
        (Reals(-4, 8),),
        awkward=((0.0,), (1e-3,), (2.25,)),
        statics=({"v": 0.5}, {"v": 3.0}),
        flaws=(Flaw("inf", "x < -54 or v > 250 and x < 0"),),
    ),
    outputs=("dv", "dp"),
    host=OnHost(core="(k),(k)", sizes=lambda v: {"k": _count(v)}, batched=False),
    check=orders_to,
    repair=mended.D_IN_SEQUENCE,
)
def pbdv_seq(v: StaticReal, x: Real) -> tuple[Array, Array]:
    """Parabolic cylinder functions D_u(x) for u = v0, v0 + 1, ... v, and derivatives, dv and dp.

    v0 is the fractional part of v. Both results have a last dimension, after x's own, that runs
    over the orders: int(v) + 1 of them, and two at least.

    Args:
        v: largest order, 0 or more; ValueError if negative
        x: argument, any real number

    Example:
        >>> dv, dp = pbdv_seq(2.5, jnp.array([0.5, 1.5]))
        >>> dv  # of orders 0.5, 1.5 and 2.5
        Array([[ 0.80270178, -0.06212563, -1.23511549],
               [ 0.72789465,  0.88220603,  0.23146707]], dtype=float64)
    """
    ...


rule(pbdv_seq, x=_of_sequence("D"))


@elementwise(
    source="12.2",
    samples=Samples(
        f"[pcfv(-u - mpf(1)/2, x) for u in {_ORDERS}]; "
        f"[diff(lambda t: pcfv(-u - mpf(1)/2, t), x) for u in {_ORDERS}]",
        (Reals(-4, 8),),
        awkward=((0.0,), (1e-3,), (2.25,)),
        statics=({"v": 0.5}, {"v": 3.0}),
        flaws=(Flaw("inf", "x < -54 or v > 250 and x*x > 4*v"),),
    ),
    outputs=("dv", "dp"),
    host=OnHost(core="(k),(k)", sizes=lambda v: {"k": _count(v)}, batched=False),
    check=orders_to,
    repair=mended.V_IN_SEQUENCE,
)
def pbvv_seq(v: StaticReal, x: Real) -> tuple[Array, Array]:
    """Parabolic cylinder functions V(-u-1/2, x) for u = v0 ... v, and derivatives, dv and dp.

    v0 is the fractional part of v. Both results have a last dimension, after x's own, that runs
    over the orders: int(v) + 1 of them, and two at least.

    Args:
        v: largest order, 0 or more; ValueError if negative
        x: argument, any real number

    Example:
        >>> dv, dp = pbvv_seq(2.5, jnp.array([0.5, 1.5]))
        >>> dv  # of orders 0.5, 1.5 and 2.5
        Array([[-0.24725373, -0.64990825, -0.03108016],
               [ 0.65198383, -0.2039677 , -0.38317415]], dtype=float64)
    """
    ...


rule(pbvv_seq, x=_of_sequence("V"))


def _integer_orders(z: jax.Array, n: int) -> tuple[jax.Array, jax.Array]:
    """D_k = exp(-z^2/4) He_k(z) (DLMF 12.7.2), and derivatives."""
    polynomials = [jnp.zeros_like(z), jnp.ones_like(z)]
    for k in range(max(n, 1)):
        polynomials.append(z * polynomials[-1] - k * polynomials[-2])
    below, value = jnp.stack(polynomials[:-1], -1), jnp.stack(polynomials[1:], -1)
    k, z = jnp.arange(max(n, 1) + 1), jnp.expand_dims(z, -1)
    gaussian = jnp.exp(-z * z / 4)
    return gaussian * value, gaussian * (k * below - z / 2 * value)


def _of_integer_orders(y: Sequence[jax.Array], z: jax.Array, *, n: int) -> tuple[jax.Array, ...]:
    value, slope = _integer_orders(z, n)
    k, z = jnp.arange(max(n, 1) + 1), jnp.expand_dims(z, -1)
    return slope, (z * z / 4 - k - 0.5) * value


_MOST_ORDERS = 100

_OFF_THE_LINE = Repair(
    f"z is not real, up to n = {_MOST_ORDERS}",
    lambda ys, z, n: (z.imag != 0) & (n <= _MOST_ORDERS),
    lambda ys, z, n: _integer_orders(z, n if n <= _MOST_ORDERS else 0),
    results=(0, 1),
    of="all",
)


@elementwise(
    source="12.7.2",
    samples=Samples(
        "[exp(-z**2/4) * 2**(-mpf(k)/2) * hermite(k, z/sqrt(2)) for k in range(max(n, 1)+1)];"
        " [exp(-z**2/4) * 2**(-mpf(k)/2) * (k*sqrt(2)*hermite(k - 1, z/sqrt(2)) "
        "- z/2*hermite(k, z/sqrt(2))) if k else -z/2*exp(-z**2/4) for k in range(max(n, 1)+1)]",
        (Complexes(0.05, 6, negative=True),),
        awkward=((0.0,), (1e-3,), (2.0,), (1 - 2j,)),
        statics=({"n": 0}, {"n": 4}),
    ),
    outputs=("dv", "dp"),
    host=OnHost(
        results="complex", core="(k),(k)", sizes=lambda n: {"k": max(n, 1) + 1}, batched=False
    ),
    check=orders_to,
    repair=_OFF_THE_LINE,
    note="For complex z, SciPy 1.17 has exp(-|z|^2/4) for exp(-z^2/4).",
)
def pbdn_seq(n: StaticInt, z: Complex) -> tuple[Array, Array]:
    """Parabolic cylinder functions D_k(z) for k = 0, ... n, and derivatives, dv and dp; complex.

    Both results have a last dimension, after z's own: n + 1 orders, and two at least.

    Args:
        n: largest order, 0 or more; ValueError if negative
        z: argument; all D_k are entire

    Example:
        >>> dv, dp = pbdn_seq(2, jnp.array([0.0, 1.0]))
        >>> dv
        Array([[ 1.        +0.j,  0.        +0.j, -1.        +0.j],
               [ 0.77880078+0.j,  0.77880078+0.j,  0.        +0.j]],      dtype=complex128)
    """
    ...


rule(pbdn_seq, z=closed("DLMF 12.7.2, 12.2.2", _of_integer_orders))


# -- the other equation ----------------------------------------------------------------------------


@elementwise(
    source="12.14",
    samples=Samples(
        "pcfw(a, x); diff(lambda t: pcfw(a, t), x)",
        (Reals(-5, 5), Reals(-5, 5)),
        awkward=((0.0, 1.0), (0.0, -2.0), (1.0, 0.5), (-3.0, 4.0), (4.5, -3.5), (0.5, 1e-3)),
        flaws=(Flaw("1e-8", "a > 0.5 and x > 0.5"),),
    ),
    outputs=("w", "wp"),
    repair=RECESSIVE,
    note="NaN where |a| > 5 or |x| > 5.",
)
def pbwa(a: Real, x: Real) -> tuple[Array, Array]:
    """Parabolic cylinder function W(a, x) and its derivative, w and wp.

    Args:
        a: parameter of w'' + (x^2/4 - a) w = 0, |a| <= 5
        x: argument, |x| <= 5

    Example:
        >>> w, wp = pbwa(jnp.array([0.0, 0.5, 1.0]), 1.5)
        >>> w
        Array([0.2296001 , 0.33771491, 0.22450703], dtype=float64)
    """
    ...


rule(
    pbwa,
    a=closed("DLMF 12.14.4", lambda y, a, x: w_function(a, x, order=1)),
    x=closed("DLMF 12.2.3", lambda y, a, x: (y[1], (a - x * x / 4) * y[0])),
)
