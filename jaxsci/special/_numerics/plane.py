"""What kernels of complex arguments have in common."""

from __future__ import annotations

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from jaxsci.special._numerics.shared import shared


class Part(NamedTuple):
    """A complex number; by its parts, for XLA's own operations take long to compile and to run."""

    re: Any
    im: Any

    def as_complex(self) -> jax.Array:
        return jax.lax.complex(self.re, self.im)

    def where(self, condition: jax.Array, other: Part) -> Part:
        return Part(
            jnp.where(condition, self.re, other.re), jnp.where(condition, self.im, other.im)
        )

    def minus(self, other: Part) -> Part:
        return Part(self.re - other.re, self.im - other.im)

    def times(self, other: Part) -> Part:
        return Part(
            self.re * other.re - self.im * other.im, self.re * other.im + self.im * other.re
        )

    def scaled(self, factor: Any) -> Part:
        return Part(self.re * factor, self.im * factor)

    def inverse(self) -> Part:
        """Of a number that is not 0, and whose square may be too large."""
        size = jnp.maximum(jnp.abs(self.re), jnp.abs(self.im))
        over = shared(1 / size)
        a, b = self.re * over, self.im * over
        scale = shared(over / (a * a + b * b))
        return Part(a * scale, -b * scale)

    def log(self) -> Part:
        """Likewise."""
        size = jnp.maximum(jnp.abs(self.re), jnp.abs(self.im))
        over = shared(1 / size)
        a, b = self.re * over, self.im * over
        modulus = jnp.log(size) + 0.5 * jnp.log(a * a + b * b)
        return Part(shared(modulus), shared(jnp.arctan2(self.im, self.re)))


def log_of_size(x: jax.Array, y: jax.Array) -> jax.Array:
    """log|x + iy|, of numbers whose squares over- or underflow too."""
    most = jnp.maximum(jnp.abs(x), jnp.abs(y))
    usual = (most > 0) & (most < jnp.inf)
    scale = jnp.where(usual, most, 1.0)
    s, t = x / scale, y / scale
    return jnp.log(most) + jnp.where(usual, 0.5 * jnp.log(s * s + t * t), 0.0)


def nan_like(z: jax.Array) -> jax.Array:
    """Numbers of which neither part is one."""
    return jax.lax.complex(jnp.full_like(z.real, jnp.nan), jnp.full_like(z.real, jnp.nan))
