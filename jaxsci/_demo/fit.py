"""Fit the design of a step-index fibre to a wanted dispersion curve.

The steps are those of Levenberg and Marquardt: downhill along the gradient, scaled by the
curvature that the derivatives of the curve themselves tell. Those derivatives, of a second
derivative of the root of an equation in Bessel functions, come from one call of ``jax.jacfwd``.
"""

from collections.abc import Callable
from typing import NamedTuple

import jax
import jax.numpy as jnp

from jaxsci._demo.fibre import dispersion

_FIRST_DAMPING = 1e-2
_MOST_DAMPING = 1e8  # beyond it, steps are too small to change anything
_SMALLEST_STEP = 1e-10  # relative change of the design at which the fit has converged


class FibreFit(NamedTuple):
    """A design and how well it does."""

    core_radius: float  # um
    doping: float  # mole fraction of GeO2
    residual: float  # root mean square mismatch of the dispersion, ps/(nm km)
    steps: int  # steps tried, rejected ones included
    converged: bool


@jax.jit
def _mismatch(
    logs: jax.Array, wavelengths: jax.Array, target: jax.Array
) -> tuple[jax.Array, jax.Array]:
    """Dispersion minus target, shape (n,), and its Jacobian in the logarithms, shape (n, 2)."""

    def mismatch(logs: jax.Array) -> jax.Array:
        core_radius, doping = jnp.exp(logs)
        return dispersion(wavelengths, core_radius, doping) - target

    return mismatch(logs), jax.jacfwd(mismatch)(logs)


def fit_dispersion(
    wavelengths: jax.Array,
    target: jax.Array,
    core_radius: float,
    doping: float,
    steps: int = 30,
    on_step: Callable[[FibreFit], None] | None = None,
) -> FibreFit:
    """Core radius and doping whose dispersion comes closest to `target`, in least squares.

    Args:
        wavelengths: in um, shape (n,).
        target: wanted dispersion there in ps/(nm km), shape (n,).
        core_radius: where the search starts, in um.
        doping: where the search starts, mole fraction of GeO2.
        steps: how many steps to try at most.
        on_step: called with the best design so far after each step.
    """
    # Logarithms keep both parameters positive and give them one scale.
    logs = jnp.log(jnp.array([core_radius, doping]))
    mismatch, jacobian = _mismatch(logs, wavelengths, target)
    damping = _FIRST_DAMPING
    best = FibreFit(core_radius, doping, _root_mean_square(mismatch), 0, False)

    for step in range(1, steps + 1):
        curvature = jacobian.T @ jacobian
        curvature += damping * jnp.diag(jnp.diag(curvature))
        move = -jnp.linalg.solve(curvature, jacobian.T @ mismatch)
        trial = _mismatch(logs + move, wavelengths, target)
        residual = _root_mean_square(trial[0])
        # Not a number is not an improvement either: a design that guides no mode is rejected.
        if residual < best.residual:
            logs += move
            mismatch, jacobian = trial
            damping /= 4
        else:
            residual = best.residual
            damping *= 4
        converged = float(jnp.max(jnp.abs(move))) < _SMALLEST_STEP or damping > _MOST_DAMPING
        fitted_radius, fitted_doping = (float(x) for x in jnp.exp(logs))
        best = FibreFit(fitted_radius, fitted_doping, residual, step, converged)
        if on_step is not None:
            on_step(best)
        if converged:
            break
    return best


def _root_mean_square(values: jax.Array) -> float:
    return float(jnp.sqrt(jnp.mean(values**2)))
