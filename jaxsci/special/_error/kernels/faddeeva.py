"""Derivatives of every order of Faddeeva's, Dawson's and the scaled error function, as functions.

All are w^(n)(z) = k g^(n)(z) + (2i/sqrt(pi)) D^(n)(z), with g = exp(-z^2) and k = 0, 1 or 2, and a
part D^(n) that decreases like 1/z^(n+1) (DLMF 7.5.1). Where |z| < 1 the recurrence (DLMF 7.10.2)
keeps all digits; further out its terms cancel, and D^(n) is the integral of exp(-t^2)/(z-t)^(n+1)
over a line beside the real one, which the trapezoidal rule gives to double precision, or its
asymptotic series.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jaxsci._core.double_precision import NativeFunction, native
from jaxsci._core.elementwise_rules import closed
from jaxsci._core.types import PyTree

NEAR = 1.0
FAR = 8.0
"""From here on |z| is in the domain of the asymptotic series."""
BESIDE = 0.25
"""How far from the real line the principal value is taken."""
TERMS = 24
_GAUSSIAN_IS_ZERO = 750.0

_DEPTH = 1.25
_LAST_NODE = 6.3


def _nodes(distance: float, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Nodes s - i _DEPTH with s > 0, and their weights, for z at least so far above that line.

    The error is exp(-2 pi distance / step), and grows by 2 pi / step with each derivative.
    """
    step = 2 * math.pi * distance / (40 + 5 * n)
    s = np.arange(step / 2, _LAST_NODE, step)
    return s, np.exp(-((s - 1j * _DEPTH) ** 2)) * step / math.sqrt(math.pi)


def dawson_part(z: jax.Array, n: int) -> tuple[jax.Array, jax.Array]:
    """The part D^(n) for |z| >= 1, and k."""
    if not jnp.iscomplexobj(z):
        far = jnp.abs(z) >= FAR
        middle = _principal_value(jnp.where(far, FAR, z), n)
        return jnp.where(far, _series(z, n), middle), jnp.ones_like(z)
    far = jnp.abs(z) >= FAR
    beside = jnp.abs(z.imag) < BESIDE
    below = z.imag < 0
    k = jnp.where(beside, 1.0, jnp.where(below, 2.0, 0.0))
    on_line = _principal_value(jnp.where(far | ~beside, 1.0 + 0j, z), n)
    upper = jnp.where(far | beside, 1j, jnp.where(below, -z, z))
    above = _above(upper, n)
    above = jnp.where(below, (-1) ** (n + 1) * above, above)
    middle = jnp.where(beside, on_line, above)
    return jnp.where(far, _series(jnp.where(far, z, FAR + 0j), n), middle), k


def _powers(x: jax.Array, n: int) -> list[jax.Array]:
    out = [jnp.ones_like(x)]
    for _ in range(n):
        out.append(out[-1] * x)
    return out


def _ratio(x: Any, y: jax.Array) -> jax.Array:
    """The quotient of numbers of moderate size; XLA's complex one takes care of all sizes."""
    if not jnp.iscomplexobj(y):
        return x / y
    return x * jnp.conj(y) * (1 / (jnp.real(y) ** 2 + jnp.imag(y) ** 2))


def _series(z: jax.Array, n: int) -> Any:
    """DLMF 7.12.1, differentiated term by term."""
    r = 1 / z
    return (-1) ** n / 2 * _sum_of_series(r * r, n) * _powers(r, n + 1)[-1]


def _sum_of_series(q: jax.Array, n: int) -> Any:
    coefficients = [1.0]
    for k in range(TERMS):
        coefficients.append(coefficients[-1] * (k + 0.5))
    total: PyTree = 0.0
    for k in range(TERMS, -1, -1):
        rising = math.factorial(2 * k + n) / math.factorial(2 * k)
        total = total * q + coefficients[k] * rising
    return total


def _principal_value(z: jax.Array, n: int) -> jax.Array:
    """The mean of the integrals over a line below and one above z: real for real z.

    Nodes in conjugate pairs, so that the imaginary part is proportional to that of z.
    """
    m = n + 1
    nodes, weights = _nodes(_DEPTH - (BESIDE if jnp.iscomplexobj(z) else 0), n)
    s = np.concatenate([nodes, -nodes])
    c = np.concatenate([weights, weights.conj()])
    pairs = np.stack(
        [math.comb(m, j) * _DEPTH**j * (c * (-1j) ** j).real for j in range(m + 1)], -1
    )

    def add(total: jax.Array, node: Sequence[jax.Array]) -> tuple[Any, None]:
        at, weights = node
        v = z - at
        up = _powers(v, m)
        numerator = sum(weights[j] * up[m - j] for j in range(m + 1))
        return total + _ratio(numerator, _powers(v * v + _DEPTH**2, m)[-1]), None

    total, _ = jax.lax.scan(add, jnp.zeros_like(z), (jnp.asarray(s), jnp.asarray(pairs)))
    return (-1) ** n * math.factorial(n) / 2 * total


def _above(z: jax.Array, n: int) -> jax.Array:
    """The integral over a line below z, for Im z >= BESIDE.

    Nodes in pairs s, -s, so that the parts are proportional to what they vanish with.
    """
    m = n + 1
    s, c = _nodes(_DEPTH + BESIDE, n)
    pairs = np.stack(
        [
            math.comb(m, j) * s**j * (2 * np.real(c) if j % 2 == 0 else 2 * np.imag(c))
            for j in range(m + 1)
        ],
        -1,
    )
    u = z + 1j * _DEPTH
    up = _powers(u, m)

    def add(total: jax.Array, node: Sequence[jax.Array]) -> tuple[Any, None]:
        at, weights = node
        even = sum(weights[j] * up[m - j] for j in range(0, m + 1, 2))
        odd = sum(weights[j] * up[m - j] for j in range(1, m + 1, 2))
        return total + _ratio(even + 1j * odd, _powers(u * u - at * at, m)[-1]), None

    total, _ = jax.lax.scan(add, jnp.zeros_like(z), (jnp.asarray(s), jnp.asarray(pairs)))
    return (-1) ** n * math.factorial(n) / 2 * total


def _on_imaginary_axis(x: jax.Array, n: int) -> jax.Array:
    """d^n/dx^n exp(x^2) erfc(x) for x >= 1: `dawson_part` at ix, in real numbers.

    Of `_above` a power of i is left, for u = i (x + _DEPTH).
    """
    m, far = n + 1, x >= FAR
    s, c = _nodes(_DEPTH + NEAR, n)
    weights = np.stack(
        [
            (-1) ** (j // 2) * math.comb(m, j) * s**j * 2 * (np.imag(c) if j % 2 else np.real(c))
            for j in range(m + 1)
        ],
        -1,
    )
    u = jnp.where(far, FAR, x) + _DEPTH
    up = _powers(u, m)

    def add(total: jax.Array, node: Sequence[jax.Array]) -> tuple[Any, None]:
        at, weights = node
        numerator = sum(weights[j] * up[m - j] for j in range(m + 1))
        return total + numerator / _powers(u * u + at * at, m)[-1], None

    total, _ = jax.lax.scan(add, jnp.zeros_like(u), (jnp.asarray(s), jnp.asarray(weights)))
    r = 1 / jnp.where(far, x, FAR)
    series = _sum_of_series(-r * r, n) * _powers(r, m)[-1]
    value = jnp.where(far, series, math.factorial(n) * total)
    return (-1) ** n / math.sqrt(math.pi) * value


def gaussian(z: jax.Array, n: int) -> jax.Array:
    """d^n/dz^n exp(-z^2) = (-1)^n H_n(z) exp(-z^2) (DLMF 18.5.5)."""
    square = z * z
    # An infinite polynomial times zero is no number.
    zero = ~(square.real <= _GAUSSIAN_IS_ZERO)
    z = jnp.where(zero, 0.0, z)
    previous, current = jnp.zeros_like(z), jnp.ones_like(z)
    for j in range(n):
        previous, current = current, -2 * z * current - 2 * j * previous
    return jnp.where(zero, 0.0, current * jnp.exp(-z * z))


def raised(first: jax.Array, value: jax.Array, z: jax.Array, n: int, sign: int = -1) -> jax.Array:
    """The n-th of derivatives with f_{j+1} = sign 2 (z f_j + j f_{j-1})."""
    previous, current = value, first
    for j in range(1, n):
        previous, current = current, sign * 2 * (z * current + j * previous)
    return current if n else value


def split(z: jax.Array) -> tuple[jax.Array, jax.Array, jax.Array]:
    """Where |z| < 1; z there and 0 elsewhere; z elsewhere and 1 there."""
    near = jnp.abs(z) < NEAR
    return near, jnp.where(near, z, 0.0), jnp.where(near, 1.0, z)


def of_dawsn(dawsn: Callable[..., Any]) -> NativeFunction:
    """The derivatives of dawsn."""

    @native()
    def dawsn_derivative(x: jax.Array, *, n: int) -> jax.Array:
        """d^n/dx^n D(x)."""
        near, inside, outside = split(x)
        value = dawsn(inside)
        recurrence = raised(1 - 2 * inside * value, value, inside, n)
        part, k = dawson_part(outside, n)
        if jnp.iscomplexobj(x):
            # k = 1 - sign Im z off the line.
            off = jnp.where(k == 1, 0.0, outside)
            part = part + jnp.where(
                k == 1, 0.0, 0.5j * math.sqrt(math.pi) * (1 - k) * gaussian(off, n)
            )
        return jnp.where(near, recurrence, part)

    return _with_next(dawsn_derivative, "x")


def of_wofz(wofz: Callable[..., Any], dawsn_derivative: NativeFunction) -> NativeFunction:
    """The derivatives of wofz."""

    @native(complex_result=True)
    def wofz_derivative(z: jax.Array, *, n: int) -> jax.Array:
        """d^n/dz^n w(z)."""
        if not jnp.iscomplexobj(z):  # DLMF 7.5.1
            return jax.lax.complex(
                gaussian(z, n), 2 / math.sqrt(math.pi) * dawsn_derivative(z, n=n)
            )
        near, inside, outside = split(z)
        value = wofz(inside)
        recurrence = raised(2j / math.sqrt(math.pi) - 2 * inside * value, value, inside, n)
        part, k = dawson_part(outside, n)
        beyond = 2j / math.sqrt(math.pi) * part
        beyond = jnp.where(k == 0, beyond, beyond + k * gaussian(jnp.where(k == 0, 0, outside), n))
        return jnp.where(near, recurrence, beyond)

    return _with_next(wofz_derivative, "z")


def of_erfcx(erfcx: Callable[..., Any], wofz_derivative: NativeFunction) -> NativeFunction:
    """The derivatives of erfcx."""

    @native()
    def erfcx_derivative(x: jax.Array, *, n: int) -> jax.Array:
        """d^n/dx^n exp(x^2) erfc(x)."""
        if jnp.iscomplexobj(x):
            return (1j) ** n * wofz_derivative(1j * x, n=n)
        # For x < 0 no terms of the recurrence cancel.
        near = x < NEAR
        inside = jnp.where(near, x, 0.0)
        value = erfcx(inside)
        recurrence = raised(2 * inside * value - 2 / math.sqrt(math.pi), value, inside, n, sign=1)
        beyond = _on_imaginary_axis(jnp.where(near, NEAR, x), n)
        return jnp.where(near, recurrence, beyond)

    return _with_next(erfcx_derivative, "x")


def _with_next(function: NativeFunction, argument: str) -> NativeFunction:
    next_one = closed("DLMF 7.10.2, 7.7.2", lambda y, x, *, n: function(x, n=n + 1))
    function.partials(**{argument: next_one})
    return function
