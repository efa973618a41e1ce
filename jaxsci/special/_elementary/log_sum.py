"""Logarithms of sums of exponentials, and softmax: JAX operations, in the arguments' precision."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any, TypeAlias

import jax
import jax.numpy as jnp
from jax.typing import ArrayLike

from jaxsci._core import promotion
from jaxsci.special._catalog.decorators import array_function
from jaxsci.special._catalog.types import Array

Axis: TypeAlias = int | tuple[int, ...] | None


@array_function(
    source="P. Blanchard, D. J. Higham, N. J. Higham, Accurately computing the log-sum-exp and "
    "softmax functions, IMA J. Numer. Anal. 41, 2021",
)
def logsumexp(
    a: ArrayLike,
    axis: Axis = None,
    b: ArrayLike | None = None,
    keepdims: bool = False,
    return_sign: bool = False,
) -> Any:
    """Logarithm of a sum of exponentials, log(sum(b exp(a))), without overflow.

    Args:
        a: real or complex numbers, array of any shape.
        axis: an int, a tuple of them, or None: the axes to sum over, static; None is all.
        b: weights, real (also negative) or complex numbers that broadcast with `a`. An element of
            weight 0 adds nothing, even if it is infinite or NaN; nor does one of a weight below the
            smallest normal number, which JAX's operations take for 0.
        keepdims: whether summed axes stay, with size 1; static.
        return_sign: whether the sign of the sum comes as a second result; static.

    Returns:
        The logarithm: NaN where a real sum is negative, unless its sign is asked for. With
        `return_sign` a tuple (logarithm of the modulus, sign); the sign of a complex sum is a
        complex number of modulus 1. The dtype is JAX's promotion to a floating one.

    Derivatives:
        a, b: closed form, the weights b exp(a)/sum, to every order. NaN where the result is
            infinite.

    Raises:
        TypeError: an argument that is no array.
        ValueError: shapes that do not broadcast, or an axis that is not there.

    Example:
        >>> logsumexp(jnp.array([-1000.0, -1001.0, -1002.0]))
        Array(-999.59239404, dtype=float64)
        >>> energies = jnp.array([0.0, 1.0, 1.0])
        >>> free_energy = lambda beta: -logsumexp(-beta * energies) / beta
        >>> print(f"{free_energy(2.0):.6f} {4 * jax.grad(free_energy)(2.0):.6f}")  # and entropy
        -0.119772 0.665573
    """
    a, b = _operands(a, b)
    keepdims, return_sign = _flag("keepdims", keepdims), _flag("return_sign", return_sign)
    axes = _axes("logsumexp", a, axis)
    size, sign = _log_sum(a, jnp.ones_like(a) if b is None else b, axes)
    if not keepdims:
        size, sign = jnp.squeeze(size, axes), jnp.squeeze(sign, axes)
    if return_sign:
        return size, sign
    if jnp.iscomplexobj(sign):
        # Not size + 1j * ..., which is NaN where one of them is infinite.
        return jax.lax.complex(size, jnp.angle(sign))
    # NaN where the sign is negative, without a constant that `jax.debug_nans` would refuse.
    return size + jnp.log(jax.lax.stop_gradient(sign))


@array_function(source="C. M. Bishop, Pattern Recognition and Machine Learning, 2006, eq. 4.62")
def softmax(x: ArrayLike, axis: Axis = None) -> Array:
    """Softmax function, exp(x)/sum(exp(x)).

    Args:
        x: real numbers, array of any shape.
        axis: an int, a tuple of them, or None: the axes to sum over, static; None is all.

    Returns:
        An array of the shape of `x` and of its dtype promoted to a floating one.

    Derivatives:
        x: closed form, to every order.

    Raises:
        TypeError: an argument that is no array of real numbers.
        ValueError: an axis that is not there.

    Example:
        >>> softmax(jnp.array([1.0, 2.0, 3.0]))
        Array([0.09003057, 0.24472847, 0.66524096], dtype=float64)
        >>> jax.grad(lambda x: softmax(x)[2])(jnp.array([1.0, 2.0, 3.0]))
        Array([-0.05989202, -0.1628034 ,  0.22269543], dtype=float64)
    """
    numbers = _real("softmax", x)
    # jax.nn knows no scalars.
    axes = _axes("softmax", numbers, axis)
    return jax.nn.softmax(numbers[None], tuple(i + 1 for i in axes) or 0)[0]


@array_function(source="C. M. Bishop, Pattern Recognition and Machine Learning, 2006, eq. 4.62")
def log_softmax(x: ArrayLike, axis: Axis = None) -> Array:
    """Logarithm of the softmax function, x - log(sum(exp(x))).

    Args:
        x: real numbers, array of any shape.
        axis: an int, a tuple of them, or None: the axes to sum over, static; None is all.

    Returns:
        An array of the shape of `x` and of its dtype promoted to a floating one.

    Derivatives:
        x: closed form, to every order.

    Raises:
        TypeError: an argument that is no array of real numbers.
        ValueError: an axis that is not there.

    Example:
        >>> log_softmax(jnp.array([1.0, 2.0, 3000.0]))
        Array([-2999., -2998.,     0.], dtype=float64)
        >>> jax.grad(lambda x: -log_softmax(x)[2])(jnp.array([1.0, 2.0, 3.0]))  # of a cross-entropy
        Array([ 0.09003057,  0.24472847, -0.33475904], dtype=float64)
    """
    numbers = _real("log_softmax", x)
    axes = _axes("log_softmax", numbers, axis)
    values = jax.nn.log_softmax(numbers[None], tuple(i + 1 for i in axes) or 0)[0]
    # jax.nn has NaN for all of a slice then; of those that are finite it is the limit.
    top = jnp.max(numbers, axes, keepdims=True, initial=-jnp.inf)
    return jnp.where(top == jnp.inf, numbers - top, values)


def _operands(a: Any, b: Any) -> tuple[Any, Any]:
    names = ("a",) if b is None else ("a", "b")
    arrays = [_array("logsumexp", name, x) for name, x in zip(names, (a, b), strict=False)]
    promotion.check("logsumexp", arrays)
    dtype = jnp.result_type(*(x.dtype for x in arrays))
    if not jnp.issubdtype(dtype, jnp.inexact):
        dtype = jnp.result_type(float)
    try:
        arrays = jnp.broadcast_arrays(*(x.astype(dtype) for x in arrays))
    except ValueError:
        shapes = ", ".join(f"{n} {x.shape}" for n, x in zip(names, arrays, strict=True))
        raise ValueError(f"logsumexp: shapes do not broadcast: {shapes}") from None
    return arrays[0], None if b is None else arrays[1]


def _array(function: str, argument: str, x: Any) -> jax.Array:
    promotion.check_size(function, argument, x)
    try:
        if isinstance(x, list | tuple | dict | str) or x is None:
            raise TypeError
        array = jnp.asarray(x)
        if not jnp.issubdtype(array.dtype, jnp.number) and array.dtype != jnp.bool_:
            raise TypeError
    except (TypeError, ValueError):  # the latter of masked arrays
        raise TypeError(
            f"{function}: argument {argument!r} must be an array of numbers, got {type(x).__name__}"
        ) from None
    if jnp.issubdtype(array.dtype, jnp.floating) and array.dtype.itemsize < 2:
        raise TypeError(  # JAX's own softmax of them is NaN
            f"{function}: argument {argument!r} must have at least 16 bits a number, got "
            f"{array.dtype}"
        )
    return array


def _flag(argument: str, value: Any) -> bool:
    try:
        return bool(value)
    except (TypeError, ValueError):  # of tracers, and of arrays of several elements
        raise TypeError(
            f"logsumexp: argument {argument!r} must be True or False, got {type(value).__name__}; "
            "it is static"
        ) from None


def _real(function: str, x: Any) -> Any:
    x = _array(function, "x", x)
    if jnp.iscomplexobj(x):
        raise TypeError(f"{function}: argument 'x' takes real numbers, got {x.dtype}")
    return x if jnp.issubdtype(x.dtype, jnp.floating) else x.astype(jnp.result_type(float))


def _axes(function: str, x: Any, axis: Any) -> tuple[int, ...]:
    if axis is None:
        return tuple(range(x.ndim))
    try:
        axes = [operator.index(i) for i in (axis if isinstance(axis, tuple | list) else (axis,))]
    except TypeError:
        raise TypeError(
            f"{function}: argument 'axis' must be an int, a tuple of them, or None, known when the "
            f"function is traced, got {axis!r}"
        ) from None
    for i in axes:
        if not -x.ndim <= i < x.ndim:
            raise ValueError(
                f"{function}: argument 'axis' is {i}, for an array of {x.ndim} dimensions"
            )
    places = tuple(i % x.ndim for i in axes)
    if len(set(places)) < len(places):
        raise ValueError(f"{function}: argument 'axis' names an axis twice: {axis}")
    return places


def _sum(x: jax.Array, axes: tuple[int, ...]) -> jax.Array:
    return jnp.sum(x, axes, keepdims=True)


def _log1p(x: jax.Array) -> jax.Array:
    """log(1 + x), by whichever of XLA's two logarithms has the digits."""
    near = jnp.abs(x) < 0.25
    return jnp.where(near, jnp.log1p(jnp.where(near, x, 0.0)), jnp.log(1 + x))


def _largest(a: jax.Array, axes: tuple[int, ...]) -> jax.Array:
    """An element of largest real part, 0 where it is infinite."""
    if jnp.iscomplexobj(a):
        top = jnp.max(a.real, axes, keepdims=True, initial=-jnp.inf)
        # Of several, the one of largest imaginary part.
        height = jnp.where(a.real == top, a.imag, -jnp.inf)
        largest = jax.lax.complex(top, jnp.max(height, axes, keepdims=True, initial=-jnp.inf))
    else:
        largest = jnp.max(a, axes, keepdims=True, initial=-jnp.inf)
    return jnp.where(jnp.isfinite(largest), largest, 0)


def _log_sum_value(a: jax.Array, b: jax.Array, axes: tuple[int, ...]) -> tuple[Any, Any]:
    """Logarithm of the modulus of sum(b exp(a)), and the sum's sign."""
    a = jnp.where(b == 0, -jnp.inf, a)
    largest = _largest(a, axes)
    is_largest = (a == largest) & (b != 0)
    # The largest terms apart: log1p keeps the digits of what the others add.
    main = _sum(jnp.where(is_largest, b, 0), axes)
    # Infinite weights outweigh whatever underflows beside them.
    factor = jnp.where(jnp.isinf(b) & (jnp.real(a) > -jnp.inf), 1, _exp(a - largest))
    rest = _sum(jnp.where(is_largest | (b == 0), 0, b * factor), axes)
    total = main + rest
    small = jnp.abs(rest) < jnp.abs(main) / 4
    ratio = jnp.where(small, rest / jnp.where(small, main, 1), 0)
    if jnp.iscomplexobj(total):
        # |1 + ratio|^2 = 1 + (2 Re + |ratio|^2)
        extra = _log1p(2 * ratio.real + jnp.abs(ratio) ** 2) / 2
    else:
        extra = _log1p(ratio)
    size = jnp.where(small, jnp.log(jnp.abs(main)) + extra, jnp.log(jnp.abs(total)))
    sign = jnp.sign(total)
    if not jnp.iscomplexobj(sign):
        return size + largest, sign
    sign = sign * jnp.exp(1j * largest.imag)
    unknown = (jnp.isnan(a.real) | (jnp.isnan(a.imag) & jnp.isfinite(a.real)) | jnp.isnan(b)) & (
        b != 0
    )
    infinite = jnp.any((a.real == jnp.inf) & (b != 0), axes, keepdims=True) & ~jnp.any(
        unknown, axes, keepdims=True
    )
    at_infinity = _direction_of_infinity(_sum(jnp.where(b == 0, 0, _times(b, _exp(a))), axes))
    return (
        jnp.where(infinite, jnp.inf, size + largest.real),
        jnp.where(infinite, at_infinity, sign),
    )


def _exp(z: jax.Array) -> jax.Array:
    """exp(z) as C has it where the real part is infinite, whatever the imaginary part is."""
    if not jnp.iscomplexobj(z):
        return jnp.exp(z)
    x, y = z.real, z.imag
    far = jax.lax.complex(
        jnp.where(jnp.isfinite(y), jnp.inf * jnp.cos(y), jnp.inf),
        jnp.where(y == 0, y, jnp.inf * jnp.sin(y)),
    )
    plain = jnp.exp(jnp.where(jnp.isinf(x), 0, z))
    return jnp.where(x == -jnp.inf, 0, jnp.where(x == jnp.inf, far, plain))


def _times(b: jax.Array, z: jax.Array) -> jax.Array:
    """The product of weights and numbers, whose parts may be infinite; of real weights by parts."""
    by_parts = jax.lax.complex(b.real * z.real, b.real * z.imag)
    return jnp.where(b.imag == 0, by_parts, b * z)


def _direction_of_infinity(z: jax.Array) -> jax.Array:
    """The sign of a complex number of infinite modulus: the limit of its direction."""

    def part(x: jax.Array) -> jax.Array:
        return jnp.where(jnp.isinf(x), jnp.sign(x), jnp.where(jnp.isnan(x), x, 0))

    x, y = part(z.real), part(z.imag)
    size = jnp.hypot(x, y)
    return jax.lax.complex(x / size, y / size)


def _log_sum(a: Any, b: Any, axes: tuple[int, ...]) -> tuple[Any, Any]:
    @jax.custom_jvp
    def value(a: jax.Array, b: jax.Array) -> tuple[Any, Any]:
        return _log_sum_value(a, b, axes)

    @value.defjvp
    @promotion.by_our_rules
    def tangent(primals: Sequence[jax.Array], tangents: Sequence[jax.Array]) -> Any:
        a, b = primals
        size, sign = value(a, b)
        share = jnp.exp(a - size) * jnp.conj(sign)
        nothing = b == 0
        in_a = jnp.where(nothing, 0, b * jnp.where(nothing, 0, share)) * tangents[0]
        in_b = jnp.where(nothing & ~jnp.isfinite(share), 0, share) * tangents[1]
        change = _sum(in_a + in_b, axes)
        if jnp.iscomplexobj(change):
            return (size, sign), (change.real, 1j * change.imag * sign)
        return (size, sign), (change, jnp.zeros_like(sign))

    # A constant is taken away first, so that shares of large numbers keep their digits.
    shift = jax.lax.stop_gradient(_largest(jnp.where(b == 0, -jnp.inf, a), axes))
    size, sign = value(a - shift, b)
    if jnp.iscomplexobj(sign):
        return size + shift.real, sign * jnp.exp(1j * shift.imag)
    return size + shift, sign
