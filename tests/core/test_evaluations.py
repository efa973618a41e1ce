"""How often compiled code calls SciPy's functions for values and derivatives of each order."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import pytest

from jaxsci import special as sp
from jaxsci._core.dispatch import BACKENDS

pytestmark = pytest.mark.rotating(0.045)

OF_ORDER = [sp.jv, sp.yv, sp.hankel1, sp.hankel2, sp.iv, sp.kv]
OF_WHOLE_ORDER = [sp.yn, sp.kn]
OF_ARGUMENT = [sp.j0, sp.j1, sp.y0, sp.y1, sp.i0, sp.i1, sp.k0, sp.k1]
CASES = (
    [(f.__name__, lambda x, f=f: f(2.5, x)) for f in OF_ORDER]
    + [(f.__name__, lambda x, f=f: f(2, x)) for f in OF_WHOLE_ORDER]
    + [(f.__name__, f) for f in OF_ARGUMENT]
)


def calls(f):
    """Calls of the host in the compiled program of f, of equal ones only one."""
    text = jax.jit(f).lower(1.5).compile().as_text()
    assert text is not None
    return text.count("custom_call_target=")


def derivative(f):
    return lambda x: jax.jvp(f, (x,), (jnp.ones_like(x),))[1]


@pytest.mark.skipif("ffi" not in BACKENDS, reason="counts the native backend's calls")
@pytest.mark.parametrize(("name", "f"), CASES, ids=[name for name, _ in CASES])
def test_a_derivative_of_order_k_takes_k_plus_one_evaluations(name, f):
    for order in range(4):
        assert calls(f) <= order + 1, f"{name}, derivative of order {order}"
        f = derivative(f)


@pytest.mark.skipif("ffi" not in BACKENDS, reason="counts the native backend's calls")
@pytest.mark.parametrize(("name", "f"), CASES, ids=[name for name, _ in CASES])
def test_value_and_derivative_take_two_evaluations(name, f):
    assert calls(lambda x: jax.jvp(f, (x,), (jnp.ones_like(x),))) == 2, name
    real = jax.value_and_grad(lambda x: f(x).real)
    assert calls(real) == 2, name
