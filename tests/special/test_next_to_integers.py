"""J_v and I_v of negative orders next to integers, and their derivatives in the argument."""

import jax
import mpmath as mp
import numpy as np
import pytest
import scipy.special

from jaxsci import special
from jaxsci.special._bessel.kernels import next_to_integers

RNG = np.random.default_rng(1127)
N = 12
FUNCTIONS = {
    "jv": lambda v, z: mp.besselj(v, z),
    "iv": lambda v, z: mp.besseli(v, z),
    "jve": lambda v, z: mp.besselj(v, z) * mp.exp(-abs(mp.im(z))),
    "ive": lambda v, z: mp.besseli(v, z) * mp.exp(-abs(mp.re(z))),
}
TOLERANCES = 1e-12, 1e-12, 1e-10


def points():
    """Orders from 1e-11 to 1e-3 from 0, -1, ... -21; real arguments and complex ones."""
    nearest, side = -RNG.integers(0, 22, N), RNG.choice([-1, 1], N)
    v = nearest + side * 10 ** RNG.uniform(-11, -3, N)
    x = 10 ** RNG.uniform(-3, 1.3, N)
    y = np.where(np.arange(N) % 2, x * RNG.uniform(-1, 1, N), 0.0)
    return [(float(a), complex(b, c) if c else float(b)) for a, b, c in zip(v, x, y, strict=True)]


def derivatives(function, z):
    """The value and two derivatives along the real axis."""
    with mp.workdps(60):
        at = mp.mpmathify(z)
        values = (
            mp.diff(lambda t: function(at + t), mp.mpf(0), k, h=mp.mpf(10) ** -15)
            if k
            else function(at)
            for k in range(3)
        )
        return [complex(value) for value in values]


@pytest.mark.rotating(0.25)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_nothing_is_lost_next_to_integers(name):
    own, truth = getattr(special, name), FUNCTIONS[name]
    first = jax.jit(lambda v, z, t: jax.jvp(lambda t: own(v, z + t), (t,), (1.0,)))

    @jax.jit
    def all_three(v, z):
        (value, slope), (_, curvature) = jax.jvp(lambda t: first(v, z, t), (0.0,), (1.0,))
        return value, slope, curvature

    for v, z in points():
        found = all_three(v, z)
        true = derivatives(lambda s, v=v: truth(mp.mpf(v), s), z)
        for one, other, tolerance in zip(found, true, TOLERANCES, strict=True):
            assert abs(one - other) <= tolerance * abs(other), (v, z)


def test_a_scipy_without_the_flaw_is_left_alone(monkeypatch):
    """The correction is for what SciPy does today; where it does not, its bits stay."""
    v, z = -3 + 1e-9, 0.01
    changed = abs(special.ive(v, z) / scipy.special.ive(v, z) - 1) > 1e-9
    assert changed == next_to_integers._scipy_rounds()
    monkeypatch.setattr(next_to_integers, "_scipy_rounds", lambda: False)
    jax.clear_caches()
    assert special.ive(v, z) == scipy.special.ive(v, z)
    jax.clear_caches()
