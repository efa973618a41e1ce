"""A platform that is not there: the package is imported, and its calls say what JAX's own say."""

import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_platforms", "absent")

from jaxsci import linalg  # noqa: E402
from jaxsci.special import jv  # noqa: E402


def complaint(f, *args):
    try:
        f(*args)
    except RuntimeError as error:
        return str(error)
    raise AssertionError("there is no such platform")


expected = complaint(jnp.sin, 1.0)
assert "absent" in expected
for f, args in ((jv, (1.0, 2.0)), (linalg.expm, (np.eye(2),)), (jax.grad(jv, 1), (1.0, 2.0))):
    assert complaint(f, *args) == expected

jax.config.update("jax_platforms", "cpu")
assert abs(float(jv(1.0, 2.0)) - 0.5767248) < 1e-6
print("all right")
