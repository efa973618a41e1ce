"""What kernels of complex arguments have in common."""

from __future__ import annotations

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from jaxsci.special._numerics.by_precision import by_precision
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


def from_above(z: jax.Array) -> jax.Array:
    """z, with 0 for an imaginary part of -0: on the real line of one side."""
    return jax.lax.complex(z.real, jnp.where(z.imag == 0, 0.0, z.imag))


def one_minus(z: jax.Array) -> jax.Array:
    """1 - z. For z beyond 1 on the real axis the sign of the imaginary part, 0 or -0, is kept.

    It is the side of a cut. XLA takes 1 for 1 + 0i, and the difference from above.
    """
    return jax.lax.complex(1 - z.real, -z.imag) if jnp.iscomplexobj(z) else 1 - z


_NEXT_TO_LARGEST, _SHIFT = (2.0**500, 2.0**62), (2.0**520, 2.0**66)


def over(z: Any, w: Any) -> Any:
    """z/w, of real or complex numbers.

    XLA's own division of complex numbers has 140 operations, also where the divisor is real. Here
    a divisor that is 0 makes NaN, and an infinite one 0.
    """
    if jnp.iscomplexobj(w):
        # An integer has no tangent that the rule could take a multiple from.
        return _over_complex(z if jnp.issubdtype(jnp.result_type(z), jnp.inexact) else 1.0 * z, w)
    return jax.lax.complex(z.real / w, z.imag / w) if jnp.iscomplexobj(z) else z / w


def _scale(z: jax.Array) -> tuple[jax.Array, jax.Array]:
    """A power of two, times which squares of a number's parts are numbers; the larger part."""
    size = jnp.maximum(jnp.abs(z.real), jnp.abs(z.imag))
    large, shift = by_precision(size, *_NEXT_TO_LARGEST), by_precision(size, *_SHIFT)
    scale = jnp.where(size > large, 1 / shift, jnp.where(size < 1 / large, shift, 1.0))
    return scale.astype(size.dtype), size


@jax.custom_jvp
def _over_complex(z: Any, w: jax.Array) -> jax.Array:
    scale, size = _scale(w)
    a, b = w.real * scale, w.imag * scale
    inverse = shared(1 / (a * a + b * b))
    infinite = size == jnp.inf
    a, b = (jnp.where(infinite, 0.0, part * inverse) for part in (a, b))
    if not jnp.iscomplexobj(z):
        return jax.lax.complex(z * a * scale, z * -b * scale)
    x, y = z.real, z.imag
    return jax.lax.complex((x * a + y * b) * scale, (y * a - x * b) * scale)


@_over_complex.defjvp
def _slope_of_quotient(primals: tuple[Any, Any], tangents: tuple[Any, Any]) -> Any:
    (z, w), (t, u) = primals, tangents
    value = _over_complex(z, w)
    return value, _over_complex(t - value * u, w)


@jax.custom_jvp
def square_root(z: jax.Array) -> jax.Array:
    """The square root of real or finite complex numbers; XLA's own of these is many programs."""
    if not jnp.iscomplexobj(z):
        return jnp.sqrt(z)
    scale, _ = _scale(z)
    x, y = jnp.abs(z.real) * scale, z.imag * scale
    larger = shared(jnp.sqrt(0.5 * (x + shared(jnp.sqrt(x * x + y * y)))))
    smaller = jnp.where(larger == 0, y, shared(0.5 * y / jnp.where(larger == 0, 1.0, larger)))
    right = z.real >= 0
    re, im = jnp.where(right, larger, jnp.abs(smaller)), jnp.where(right, smaller, larger)
    half = by_precision(scale, *_SHIFT) ** 0.5
    back = jnp.where(scale > 1, 1 / half, jnp.where(scale < 1, half, 1.0))
    return jax.lax.complex(re * back, jnp.copysign(im, z.imag) * back)


@square_root.defjvp
def _slope_of_root(primals: tuple[jax.Array], tangents: tuple[jax.Array]) -> Any:
    value = square_root(primals[0])
    return value, over(tangents[0], 2 * value)


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
