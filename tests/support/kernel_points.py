"""Where kernels are tested."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from rotation import generator_of_the_draw

from jaxsci._verification import reference
from jaxsci.special._catalog.types import Kind

ANYWHERE = (
    *(np.nan, np.inf, -np.inf, 0.0, -0.0, 0.5, -0.5, 1.0, -1.0, 1.5, 2.0, -2.5, 3.0, -3.0),
    *(1e-20, -1e-20, 1e-30, -1e-30, 20.0, -20.0, 1e4, -1e4, 1e30, -1e30),
    *(1.2e-38, -1.2e-38, 3.4e38, -3.4e38),
)
"""Numbers at which formulas go wrong, of any precision."""

SOME = (np.nan, np.inf, -np.inf, 0.0, 0.5, -0.5, 1.0, 3.0, 1e-20, -1e-20, 1e4, 1e30, -1e30)
"""Those for functions of many arguments."""

Ends = tuple[float, float]

RANGES: dict[str, Ends | tuple[Ends, ...]] = {
    "dawsn": (-20, 6),
    "erfi": (-20, 2),
    "erfc": (-300, 9),
    "erfcx": (-300, 9),
    "erfinv": (-300, 0),
    "erfcinv": (-300, 0.3),
    **dict.fromkeys(["ndtr", "log_ndtr"], (-300, 9)),
    "ndtri": (-300, 0),
    "ndtri_exp": (-300, 20),
    **dict.fromkeys(["exp1", "expi"], (-300, 3)),
    **dict.fromkeys(["exp2", "exp10", "expm1", "exprel", "expit"], (-300, 3)),
    "log_expit": (-300, 9),
    "logit": (-300, 0),
    "cosm1": (-100, 9),
    "spence": (-300, 30),
    "kolmogorov": (-3, 1.25),
    "wrightomega": (-300, 2.8),
    "fresnel": (-90, 6),
    "sici": (-300, 9),
    "shichi": (-300, 2.8),
    **dict.fromkeys(["gamma", "rgamma"], (-300, 2.23)),
    **dict.fromkeys(["gammaln", "psi"], (-300, 9)),
    **dict.fromkeys(["j0", "j1", "y0", "y1"], (-100, 15)),
    **dict.fromkeys(["i0", "i1", "k0", "k1"], (-30, 2.8)),
    **dict.fromkeys(["i0e", "i1e", "k0e", "k1e"], (-30, 9)),
    **dict.fromkeys(["ellipkinc", "ellipeinc"], ((-300, 5), (-300, 300))),
    "ellipj": ((-300, 3), (-300, 0)),
    "elliprj": (-70, 70),
    "kolmogi": (-300, 0),
    "expn": (-300, 2.8),
    "owens_t": ((-300, 1.5), (-300, 8)),
    "voigt_profile": ((-20, 8), (-5, 5), (-20, 8)),
}
"""Decimal exponents of the random arguments, where they are not -300 and 300: the domain, or
what mpmath can compute. Of all arguments, or for each."""

PLANE: dict[str, tuple[float, float]] = {
    **dict.fromkeys(["erf", "erfc", "erfi", "ndtr"], (-100, 1.4)),
    **dict.fromkeys(["wofz", "erfcx", "dawsn"], (-100, 1.4)),
    "log_ndtr": (-100, 4),
}
"""Decimal exponents of the moduli of random complex arguments."""

WITHIN: dict[str, Callable[..., Any]] = {
    **dict.fromkeys(["ellipkinc", "ellipeinc"], lambda phi, m: m <= 1),
}
"""Where functions are defined that mpmath continues beyond; of the arguments."""

DIGITS: dict[str, int] = {"ellipkm1": 350, "elliprj": 350, "voigt_profile": 120}
"""How many digits mpmath needs, where 50 do not do."""

SCIPY_IS_WRONG: dict[str, Callable[..., Any]] = {
    # Values at infinity are NaN, where there is a limit.
    **dict.fromkeys(["i0", "i1"], np.isinf),
    **dict.fromkeys(["ndtr", "log_ndtr"], lambda x: np.abs(x) > 10),
    "ndtri_exp": lambda x: x < -1e3,
    "shichi": np.isinf,
    # Besides, the phase of large arguments is rounded; of order 0 until SciPy 1.17.
    **dict.fromkeys(["j0", "j1", "y0", "y1"], lambda x: np.abs(x) > 1e3),
    # Functions are odd, and their zeros have signs.
    **dict.fromkeys(
        ["ellipkinc", "ellipeinc"],
        lambda phi, m: ((phi == 0) & np.signbit(phi)) | (np.abs(phi) > 1e15),
    ),
    # Hyperbolic functions overflow, and small numbers are lost; large arguments are rounded.
    "ellipj": lambda u, m: (
        ((u == 0) & np.signbit(u))
        | ((m == 1) & ((np.abs(u) < 1e-16) | (np.abs(u) > 700)))
        | (np.abs(u) > 10)
    ),
    # An infinite argument is not looked at beside one that is none.
    "owens_t": lambda h, a: np.abs(h) > 4.8,
    "kolmogi": lambda p: p == 0.5,
    "elliprc": lambda x, y: np.isnan(y) | ((y == -np.inf) & (x < 0)),
    "elliprj": lambda x, y, z, p: np.isnan(p),
    # The value has no meaning, or is that of an infinite number over another one.
    "voigt_profile": lambda x, sigma, gamma: (
        (sigma < 0) | (gamma < 0) | np.isinf(gamma) | (np.isinf(x) & np.isinf(sigma))
    ),
    "elliprg": lambda x, y, z: (x == 0) & (y == 0) & (z == 0),
}
"""Where kernels are right and SciPy is not; of the arguments."""


def _of_each(row: Any) -> list[Ends]:
    """The decimal exponents of each argument."""
    ends: Any = RANGES.get(row.name, (-300, 300))
    return list(ends) if isinstance(ends[0], tuple) else [ends] * len(row.arrays)


def complex_points(row: Any, n: int) -> list[np.ndarray]:
    """Points in the plane: the row's own, near and far, next to an axis, and awkward ones."""
    rng = generator_of_the_draw(f"complex kernel {row.name}")
    own = reference.sample(row, reference.COMPLEX, rng, n)
    low, high = PLANE.get(row.name, (-100, 100))
    columns = []
    for argument, x, few in zip(
        row.arrays, own, reference.awkward(row, reference.COMPLEX), strict=True
    ):
        if argument.kind is not Kind.COMPLEX:
            columns.append(np.concatenate([x, x, x, few]))
            continue
        size = 10 ** np.concatenate([rng.uniform(low, high, n), rng.uniform(-2, high, n)])
        angle = rng.uniform(-np.pi, np.pi, 2 * n)
        beside = rng.integers(-1, 3, 2 * n) * np.pi / 2 + 10 ** rng.uniform(-12, 0, 2 * n)
        columns.append(
            np.concatenate(
                [x, size * np.exp(1j * np.where(rng.random(2 * n) < 0.5, angle, beside)), few]
            )
        )
    return columns


def points(row: Any, n: int) -> list[np.ndarray]:
    """Points of three kinds, one array an argument: the row's own, near and far, and awkward."""
    rng = generator_of_the_draw(f"kernel {row.name}")
    own = reference.sample(row, reference.REAL, rng, n)
    each = _of_each(row)
    far = [_far(a, rng, *e, x) for a, x, e in zip(row.arrays, own, each, strict=True)]
    near = [
        _far(a, rng, -3, min(1.5, e[1]), x) for a, x, e in zip(row.arrays, own, each, strict=True)
    ]
    columns = [
        np.concatenate(xs)
        for xs in zip(own, far, near, reference.awkward(row, reference.REAL), strict=True)
    ]
    within = WITHIN.get(row.name)
    return columns if within is None else [x[within(*columns)] for x in columns]


def _far(argument: Any, rng: np.random.Generator, low: float, high: float, own: Any) -> Any:
    if argument.kind is Kind.INT:
        return own
    size = 10 ** rng.uniform(low, high, own.size)
    if np.all(own >= 0):
        return size
    return -size if np.all(own <= 0) else size * rng.choice([-1, 1], own.size)
