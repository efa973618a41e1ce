"""Lyapunov's and Riccati's equations."""

import numpy as np
import scipy.linalg
from linalg_cases import case, normal, of_positive_spectrum, positive

from jaxsci.linalg._lyapunov import (
    solve_continuous_lyapunov,
    solve_discrete_lyapunov,
    solve_lyapunov,
)
from jaxsci.linalg._riccati import solve_continuous_are, solve_discrete_are


def _lyapunov(rng, is_complex):
    return [of_positive_spectrum(rng, 4, is_complex), normal(rng, (4, 4), is_complex)]


def _contraction(rng, is_complex):
    return [normal(rng, (4, 4), is_complex) / 5, normal(rng, (4, 4), is_complex)]


case(
    "solve_continuous_lyapunov",
    solve_continuous_lyapunov,
    scipy.linalg.solve_continuous_lyapunov,
    _lyapunov,
)
case("solve_lyapunov", solve_lyapunov, scipy.linalg.solve_lyapunov, _lyapunov, kinds=("real",))
case(
    "solve_discrete_lyapunov",
    solve_discrete_lyapunov,
    scipy.linalg.solve_discrete_lyapunov,
    _contraction,
)
case(
    "solve_discrete_lyapunov:bilinear",
    lambda a, q: solve_discrete_lyapunov(a, q, method="bilinear"),
    lambda a, q: scipy.linalg.solve_discrete_lyapunov(a, q, method="bilinear"),
    _contraction,
    kinds=("complex",),
)


def _regulator(rng, is_complex):
    """A plant of three states and two inputs, with weights that are positive definite together."""
    weights = positive(rng, 5, is_complex)
    return [
        normal(rng, (3, 3), is_complex) / 2,
        normal(rng, (3, 2), is_complex),
        weights[:3, :3],
        weights[3:, 3:],
        np.eye(3) + normal(rng, (3, 3), is_complex) / 6,
        weights[:3, 3:],
    ]


def _without_e(rng, is_complex):
    a, b, q, r, _, s = _regulator(rng, is_complex)
    return [a, b, q, r, s]


_EQUATIONS = (
    ("solve_continuous_are", solve_continuous_are, scipy.linalg.solve_continuous_are),
    ("solve_discrete_are", solve_discrete_are, scipy.linalg.solve_discrete_are),
)


def _register(name, ours, scipys):
    case(name, ours, scipys, lambda *given: _regulator(*given)[:4], kinds=("real",))
    case(
        f"{name}:s",
        lambda a, b, q, r, s: ours(a, b, q, r, s=s, balanced=False),
        lambda a, b, q, r, s: scipys(a, b, q, r, s=s, balanced=False),
        _without_e,
        kinds=("complex",),
    )
    # SciPy's own balancing goes wrong with e (see the tests of these equations).
    case(f"{name}:e,s", ours, lambda *given: scipys(*given, balanced=False), _regulator)


for _row in _EQUATIONS:
    _register(*_row)
