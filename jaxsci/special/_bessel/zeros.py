"""Zeros of Bessel and Kelvin functions (DLMF 10.21, 10.70): tables, computed when traced."""

from __future__ import annotations

from jaxsci.special._catalog.decorators import (
    Samples,
    table,
)
from jaxsci.special._catalog.types import Array, StaticBool, StaticInt

_FIRST = ({"nt": 1}, {"nt": 7})
_ORDERS = ({"n": 0, "nt": 3}, {"n": 1, "nt": 1}, {"n": 5, "nt": 6})


def _some(nt: int) -> None:
    # SciPy's jnjnp_zeros writes outside its arrays.
    if nt < 1:
        raise ValueError(f"argument 'nt' must be positive, got {nt}")


@table(
    source="10.21",
    samples=Samples("besselj(n, x)", statics=_ORDERS),
)
def jn_zeros(n: StaticInt, nt: StaticInt) -> Array:
    """The first nt positive zeros of J_n.

    Args:
        n: order, an integer; the zeros of order -n are those of n
        nt: how many zeros, 1 or more; ValueError otherwise

    Example:
        >>> jn_zeros(0, 4)  # the tones of a drum, without nodal lines
        Array([ 2.40482556,  5.52007811,  8.65372791, 11.79153444], dtype=float64)
        >>> jn_zeros(1, 1) / jnp.pi  # the first dark ring of the Airy disk, in units of lambda/D
        Array([1.21966989], dtype=float64)
    """
    ...


@table(
    source="10.21",
    samples=Samples("besselj(n, x, derivative=1)", statics=_ORDERS),
)
def jnp_zeros(n: StaticInt, nt: StaticInt) -> Array:
    """The first nt positive zeros of J_n'.

    Args:
        n: order, an integer; the zeros of order -n are those of n
        nt: how many zeros, 1 or more; ValueError otherwise

    Example:
        >>> jnp_zeros(1, 3)  # cutoffs of the TE modes of a round waveguide
        Array([1.84118378, 5.33144277, 8.53631637], dtype=float64)
    """
    ...


@table(
    source="10.21",
    samples=Samples("bessely(n, x)", statics=_ORDERS),
)
def yn_zeros(n: StaticInt, nt: StaticInt) -> Array:
    """The first nt positive zeros of Y_n.

    Args:
        n: order, an integer; the zeros of order -n are those of n
        nt: how many zeros, 1 or more; ValueError otherwise

    Example:
        >>> yn_zeros(0, 4)
        Array([ 0.89357697,  3.95767842,  7.08605106, 10.22234504], dtype=float64)
    """
    ...


@table(
    source="10.21",
    samples=Samples("bessely(n, x, derivative=1)", statics=_ORDERS),
)
def ynp_zeros(n: StaticInt, nt: StaticInt) -> Array:
    """The first nt positive zeros of Y_n'.

    Args:
        n: order, an integer; the zeros of order -n are those of n
        nt: how many zeros, 1 or more; ValueError otherwise

    Example:
        >>> ynp_zeros(0, 4)  # the zeros of Y_1
        Array([ 2.19714133,  5.42968104,  8.59600587, 11.74915483], dtype=float64)
    """
    ...


@table(
    source="10.21",
    samples=Samples(
        "besselj(n, x); besselj(n, x, derivative=1); bessely(n, x); bessely(n, x, derivative=1)",
        statics=_ORDERS,
    ),
    outputs=("jn", "jnp", "yn", "ynp"),
)
def jnyn_zeros(n: StaticInt, nt: StaticInt) -> tuple[Array, Array, Array, Array]:
    """The first nt positive zeros of J_n, J_n', Y_n and Y_n'.

    Args:
        n: order, an integer; the zeros of order -n are those of n
        nt: how many zeros of each, 1 or more; ValueError otherwise

    Example:
        >>> jn, jnp_, yn, ynp = jnyn_zeros(1, 3)
        >>> jnp_
        Array([1.84118378, 5.33144277, 8.53631637], dtype=float64)
    """
    ...


@table(
    source="10.21",
    samples=Samples("besselj(n, x, derivative=t)", statics=({"nt": 5}, {"nt": 40})),
    outputs=("zo", "n", "m", "t"),
    check=_some,
)
def jnjnp_zeros(nt: StaticInt) -> tuple[Array, Array, Array, Array]:
    """The first nt zeros of all J_n and J_n' together, in order of size; the first is J_0'(0).

    Returns the zeros zo, the orders n, their numbers m among the zeros of that function, and t: 0
    for a zero of J_n, 1 for one of J_n'.

    Args:
        nt: how many zeros, 1 to 1200; ValueError otherwise

    Example:
        >>> zo, n, m, t = jnjnp_zeros(6)
        >>> zo  # cutoffs of a round waveguide, after the 0: TM modes (t = 0), TE modes (t = 1)
        Array([0.        , 1.84118378, 2.40482556, 3.05423693, 3.83170597,
               3.83170597], dtype=float64)
        >>> t
        Array([1, 1, 0, 1, 0, 1], dtype=int64)
    """
    ...


@table(
    source="10.21(ix)",
    samples=Samples(
        "bessely(0, x); x - bessely(1, z0n)",
        statics=({"nt": 3, "complex": False}, {"nt": 3, "complex": True}),
    ),
    outputs=("z0n", "y0pz0n"),
)
def y0_zeros(nt: StaticInt, complex: StaticBool = False) -> tuple[Array, Array]:
    """The first nt zeros of Y_0, and Y_1 = -Y_0' there; complex arrays, also for real zeros.

    Args:
        nt: how many zeros, 1 or more; ValueError otherwise
        complex: True for the zeros above the real axis, False for the positive ones

    Example:
        >>> z, y1_there = y0_zeros(3)
        >>> z
        Array([0.89357697+0.j, 3.95767842+0.j, 7.08605106+0.j], dtype=complex128)
        >>> y0_zeros(2, complex=True)[0]
        Array([-2.40301663+0.53988231j, -5.5198767 +0.54718001j], dtype=complex128)
    """
    ...


@table(
    source="10.21(ix)",
    samples=Samples(
        "bessely(1, x); x - bessely(1, z1n, derivative=1)",
        statics=({"nt": 3, "complex": False}, {"nt": 3, "complex": True}),
    ),
    outputs=("z1n", "y1pz1n"),
)
def y1_zeros(nt: StaticInt, complex: StaticBool = False) -> tuple[Array, Array]:
    """The first nt zeros of Y_1, and Y_1' there; complex arrays, also for real zeros.

    Args:
        nt: how many zeros, 1 or more; ValueError otherwise
        complex: True for the zeros above the real axis, False for the positive ones
    """
    ...


@table(
    source="10.21(ix)",
    samples=Samples(
        "bessely(1, x, derivative=1); x - bessely(1, z1pn)",
        statics=({"nt": 3, "complex": False}, {"nt": 3, "complex": True}),
    ),
    outputs=("z1pn", "y1z1pn"),
)
def y1p_zeros(nt: StaticInt, complex: StaticBool = False) -> tuple[Array, Array]:
    """The first nt zeros of Y_1', and Y_1 there; complex arrays, also for real zeros.

    Args:
        nt: how many zeros, 1 or more; ValueError otherwise
        complex: True for the zeros above the real axis, False for the positive ones
    """
    ...


@table(
    source="10.70",
    samples=Samples("ber(0, x)", statics=_FIRST),
)
def ber_zeros(nt: StaticInt) -> Array:
    """The first nt positive zeros of the Kelvin function ber.

    Args:
        nt: how many zeros, 1 or more; ValueError otherwise

    Example:
        >>> ber_zeros(4)
        Array([ 2.84891782,  7.23882945, 11.67396355, 16.11356383], dtype=float64)
    """
    ...


@table(
    source="10.70",
    samples=Samples("bei(0, x)", statics=_FIRST),
)
def bei_zeros(nt: StaticInt) -> Array:
    """The first nt positive zeros of the Kelvin function bei.

    Args:
        nt: how many zeros, 1 or more; ValueError otherwise
    """
    ...


@table(
    source="10.70",
    samples=Samples("ker(0, x)", statics=_FIRST),
)
def ker_zeros(nt: StaticInt) -> Array:
    """The first nt positive zeros of the Kelvin function ker.

    Args:
        nt: how many zeros, 1 or more; ValueError otherwise
    """
    ...


@table(
    source="10.70",
    samples=Samples("kei(0, x)", statics=_FIRST),
)
def kei_zeros(nt: StaticInt) -> Array:
    """The first nt positive zeros of the Kelvin function kei.

    Args:
        nt: how many zeros, 1 or more; ValueError otherwise

    Example:
        >>> kei_zeros(4)  # where a floating ice sheet with a load at x = 0 is not deflected
        Array([ 3.91466761,  8.34422506, 12.78255715, 17.22314372], dtype=float64)
    """
    ...


@table(
    source="10.70",
    samples=Samples("diff(lambda t: ber(0, t), x)", statics=_FIRST),
)
def berp_zeros(nt: StaticInt) -> Array:
    """The first nt positive zeros of the derivative of the Kelvin function ber.

    Args:
        nt: how many zeros, 1 or more; ValueError otherwise
    """
    ...


@table(
    source="10.70",
    samples=Samples("diff(lambda t: bei(0, t), x)", statics=_FIRST),
)
def beip_zeros(nt: StaticInt) -> Array:
    """The first nt positive zeros of the derivative of the Kelvin function bei.

    Args:
        nt: how many zeros, 1 or more; ValueError otherwise
    """
    ...


@table(
    source="10.70",
    samples=Samples("diff(lambda t: ker(0, t), x)", statics=_FIRST),
)
def kerp_zeros(nt: StaticInt) -> Array:
    """The first nt positive zeros of the derivative of the Kelvin function ker.

    Args:
        nt: how many zeros, 1 or more; ValueError otherwise
    """
    ...


@table(
    source="10.70",
    samples=Samples("diff(lambda t: kei(0, t), x)", statics=_FIRST),
)
def keip_zeros(nt: StaticInt) -> Array:
    """The first nt positive zeros of the derivative of the Kelvin function kei.

    Args:
        nt: how many zeros, 1 or more; ValueError otherwise
    """
    ...


@table(
    source="10.70",
    samples=Samples(
        "ber(0, x); bei(0, x); ker(0, x); kei(0, x); "
        "diff(lambda t: ber(0, t), x); diff(lambda t: bei(0, t), x); "
        "diff(lambda t: ker(0, t), x); diff(lambda t: kei(0, t), x)",
        statics=_FIRST,
    ),
    outputs=("ber", "bei", "ker", "kei", "berp", "beip", "kerp", "keip"),
)
def kelvin_zeros(nt: StaticInt) -> tuple[Array, ...]:
    """The first nt positive zeros of all eight Kelvin functions.

    They are ber, bei, ker, kei, and the derivatives ber', bei', ker', kei'.

    Args:
        nt: how many zeros of each, 1 or more; ValueError otherwise
    """
    ...
