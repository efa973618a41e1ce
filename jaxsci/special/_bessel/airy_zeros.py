"""Zeros of the Airy functions (DLMF 9.9): tables."""

from __future__ import annotations

from jaxsci.special._catalog.decorators import (
    Samples,
    table,
)
from jaxsci.special._catalog.types import Array, StaticInt

_FIRST = ({"nt": 1}, {"nt": 7})


@table(
    source="9.9",
    samples=Samples(
        "airyai(x); airyai(x, derivative=1); x - airyai(ap); x - airyai(a, derivative=1)",
        statics=_FIRST,
    ),
    outputs=("a", "ap", "ai", "aip"),
)
def ai_zeros(nt: StaticInt) -> tuple[Array, Array, Array, Array]:
    """The first nt zeros a of Ai and ap of Ai', with ai = Ai(ap) and aip = Ai'(a).

    All are negative, in order of size |a|.

    Args:
        nt: how many zeros, 1 or more; ValueError otherwise

    Example:
        >>> a, ap, ai, aip = ai_zeros(4)
        >>> a  # the levels of a particle that bounces on a floor are -a
        Array([-2.33810741, -4.08794944, -5.52055983, -6.78670809], dtype=float64)
    """
    ...


@table(
    source="9.9",
    samples=Samples(
        "airybi(x); airybi(x, derivative=1); x - airybi(bp); x - airybi(b, derivative=1)",
        statics=_FIRST,
    ),
    outputs=("b", "bp", "bi", "bip"),
)
def bi_zeros(nt: StaticInt) -> tuple[Array, Array, Array, Array]:
    """The first nt negative zeros b of Bi and bp of Bi', with bi = Bi(bp) and bip = Bi'(b).

    Args:
        nt: how many zeros, 1 or more; ValueError otherwise

    Example:
        >>> b, bp, bi, bip = bi_zeros(4)
        >>> b
        Array([-1.17371322, -3.2710933 , -4.83073784, -6.16985213], dtype=float64)
    """
    ...
