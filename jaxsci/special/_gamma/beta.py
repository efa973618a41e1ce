"""The beta function, its logarithm, and quotients of gamma functions (DLMF 5.2(iii), 5.12)."""

from __future__ import annotations

import jax
import jax.numpy as jnp

from jaxsci._core.double_precision import native
from jaxsci._core.elementwise_rules import closed
from jaxsci.special._catalog.decorators import (
    Flaw,
    Repair,
    Samples,
    elementwise,
    rule,
)
from jaxsci.special._catalog.domains import Reals
from jaxsci.special._catalog.kernel import Kernel
from jaxsci.special._catalog.mending import by_own
from jaxsci.special._catalog.types import Array, Real
from jaxsci.special._gamma.gamma import gamma, rgamma, rgamma_derivative
from jaxsci.special._gamma.kernels import beta_on_device, quotients_on_device
from jaxsci.special._gamma.kernels.beta_near_poles import mixed_by
from jaxsci.special._gamma.kernels.polygamma_difference import polygamma_difference_by
from jaxsci.special._gamma.kernels.scaled_gamma import beta_by, poch_by
from jaxsci.special._gamma.psi import psi
from jaxsci.special._numerics.half_turns import cosine_and_sine_of_pi, sine_of_pi
from jaxsci.special._numerics.nth_derivative import derivative
from jaxsci.special._numerics.shared import at_once
from jaxsci.special._numerics.taylor import once

_LARGE = 50.0  # from this sum of arguments on SciPy's values are not what rules are built on

polygamma_difference = polygamma_difference_by(psi)
beta_function = beta_by(gamma, polygamma_difference)
poch_function = poch_by(gamma, psi, polygamma_difference)

_SUM = 150.0
_DEEP = -100.0
"""Below that gamma functions are nearly out of range."""


def _mended(one: str, other: str, kernel: Kernel) -> Repair:
    """Where SciPy takes the exponential of a logarithm that is rounded, or overflows."""
    words = f"|{one}| + |{other}| > {_SUM:g}"
    return by_own(words, lambda x, y: jnp.abs(x) + jnp.abs(y) > _SUM, kernel)


_POSITIVE = ((1.0, 1.0), (0.5, 0.5), (1e-8, 3.0), (2.0, 1e-5), (1e-3, 40.0), (50.0, 1e-6))


@elementwise(
    source="5.12.1",
    samples=Samples(
        "gamma(a) * gamma(b) * rgamma(a + b)",
        (Reals(-10, 40), Reals(-10, 40)),
        awkward=(
            *_POSITIVE,
            (-1.5, 0.5),
            (-2.25, -3.5),
            (-2.75, 0.75),
            (80.0, 60.0),
            (1e4, 0.5),
            (1.3, 9928.9),
            (-200.5, 0.5),
            (300.25, -400.25),
        ),
        flaws=(Flaw("1e-11", "abs(a) + abs(b) > 100"),),
    ),
    repair=_mended("a", "b", beta_on_device.beta),
    kernel=beta_on_device.beta,
)
def beta(a: Real, b: Real) -> Array:
    """The beta function, Gamma(a) Gamma(b) / Gamma(a + b).

    Args:
        a: any real number; inf or -inf at 0, -1, -2, ..., unless b is an integer, above 0 and
            at most -a
        b: any real number, as a: the function is symmetric

    Example:
        >>> beta(jnp.array([0.5, 2.0]), 3.0)
        Array([1.06666667, 0.08333333], dtype=float64)
        >>> print(f"{jax.grad(beta)(0.5, 3.0):.6f}")
        -3.271111
    """
    ...


rule(
    beta,
    a=closed("DLMF 5.2.2, 5.12.1", lambda y, a, b: _beta_in_one(a, b)),
    b=closed("DLMF 5.2.2, 5.12.1", lambda y, a, b: _beta_in_one(b, a)),
)


@elementwise(
    source="5.12.1",
    samples=Samples(
        "log(abs(gamma(a) * gamma(b) * rgamma(a + b)))",
        (Reals(-10, 40), Reals(-10, 40)),
        awkward=(
            *_POSITIVE[1:],
            (-2.25, -3.5),
            (300.0, 0.01),
            (1e4, 1e4),
            (2.7e5, 0.14),
            (-2.5, 7.25),
        ),
        flaws=(Flaw("1e-11", "abs(a) + abs(b) > 100"),),
    ),
    repair=_mended("a", "b", beta_on_device.betaln),
    kernel=beta_on_device.betaln,
)
def betaln(a: Real, b: Real) -> Array:
    """The logarithm of the absolute value of the beta function, which does not underflow.

    Args:
        a: any real number; inf at 0, -1, -2, ..., unless b is an integer, above 0 and
            at most -a
        b: any real number, as a: the function is symmetric

    Example:
        >>> betaln(jnp.array([0.5, 600.0]), 700.0)
        Array([  -2.70299665, -899.21119168], dtype=float64)
        >>> print(f"{jax.grad(betaln)(600.0, 700.0):.6f}")
        -0.773639
    """
    ...


rule(
    betaln,
    a=closed("DLMF 5.2.2, 5.12.1", lambda y, a, b: -polygamma_difference(a, b, n=0)),
    b=closed("DLMF 5.2.2, 5.12.1", lambda y, a, b: -polygamma_difference(b, a, n=0)),
)

_NEAR = 0.1
_NEARER = 0.5
"""Where two distances agree to rounding, as those of integer differences, zero and pole cancel."""


def _from_zero(z: jax.Array) -> jax.Array:
    """The distance from the next zero of 1/Gamma(z); near one, differences cancel."""
    return jnp.where(z < 0.5, abs(z - jnp.round(z)), jnp.inf)


def _reflected(z: jax.Array, factor: jax.Array) -> tuple[jax.Array, jax.Array]:
    """A factor over Gamma(z) Gamma(1 - z), and times cos(pi z).

    With this 1/Gamma(z) and its derivative are written where both are beyond the range of numbers.
    """
    cosine, sine = cosine_and_sine_of_pi(z)
    return factor * sine / jnp.pi, factor * cosine


def _accurate_beta(y: jax.Array, a: jax.Array, b: jax.Array) -> jax.Array:
    """The beta function without SciPy's error, which grows with the arguments."""
    large = abs(a) + abs(b) > _LARGE
    own = beta_function(jnp.where(large, a, _LARGE), jnp.where(large, b, _LARGE))
    return jnp.where(large & jnp.isfinite(own), own, y)


def _slope_of_beta(y: jax.Array, a: jax.Array, b: jax.Array) -> jax.Array:
    y = _accurate_beta(y, a, b)
    # Where 1/Gamma(a + b) vanishes, psi(a + b) has a pole.
    distance = _from_zero(a + b)
    others = jnp.minimum(_from_zero(a), _from_zero(b))
    at_zero = (distance < _NEAR) & (distance < _NEARER * others)
    deep = at_zero & (jnp.abs(a) + jnp.abs(b) > -_DEEP)
    shallow = at_zero & ~deep
    # Elsewhere whatever is quick: next to its zeros SciPy's psi takes a hundred times as long.
    c, d = jnp.where(shallow, a, -1.75), jnp.where(shallow, b, -0.25)
    e, f = jnp.where(deep, a, -1.75), jnp.where(deep, b, -0.5)
    at_shallow, at_deep, at_rest = at_once(psi, c, e, 1 - (e + f))
    of_c, of_d = at_once(gamma, c, d)
    scale, total = of_c * of_d, c + d
    product = scale * (at_shallow * rgamma(total) + rgamma_derivative(total, n=1))
    # Gamma(a) Gamma(b) Gamma(1 - a - b) by the reflection of the smaller one.
    less, more, total = jnp.minimum(e, f), jnp.maximum(e, f), e + f
    scaled = jnp.pi * beta_function(more, 1 - total) / sine_of_pi(less)
    sine, cosine = _reflected(total, scaled)
    product = jnp.where(deep, cosine + sine * (at_deep - at_rest), product)
    at_zero = at_zero & jnp.isfinite(product) & (deep | (scale != 0))
    a, b = (jnp.where(at_zero, 1.0, t) for t in (a, b))  # no derivative is of the pole
    return jnp.where(at_zero, product, -y * polygamma_difference(a, b, n=0))


_mixed_beta = mixed_by(beta, polygamma_difference)


def _plain(a: jax.Array, b: jax.Array) -> jax.Array:
    return _slope_of_beta(beta(a, b), a, b)


def _beta_in_both(a: jax.Array, b: jax.Array) -> jax.Array:
    return _mixed_beta(a, b, derivative(lambda b: _plain(a, b), 1)(b))


@native()
def _beta_in_one(a: jax.Array, b: jax.Array) -> jax.Array:
    """d/da B(a, b), whose derivatives keep their digits for small shapes."""
    return _plain(a, b)


@native()
def _beta_in_one_twice(a: jax.Array, b: jax.Array) -> jax.Array:
    """d^2/da^2 B(a, b), likewise."""
    return derivative(lambda a: _plain(a, b), 1)(a)


_MIXED = "DLMF 5.2.2, 5.7.3, 5.12.1"
_beta_in_one.partials(
    a=closed("DLMF 5.2.2, 5.12.1", lambda y, a, b: _beta_in_one_twice(a, b)),
    b=closed(_MIXED, lambda y, a, b: _beta_in_both(a, b)),
)
_beta_in_one_twice.partials(
    a=closed(
        "DLMF 5.2.2, 5.12.1",
        lambda y, a, b: derivative(lambda a: _plain(a, b), 2)(a),
    ),
    b=closed(_MIXED, lambda y, a, b: derivative(lambda a: _beta_in_both(a, b), 1)(a)),
)


# -- Pochhammer's symbol -----------------------------------------------------------------------


@elementwise(
    source="5.2.5",
    samples=Samples(
        "gamma(z + m) * rgamma(z)",
        (Reals(-20, 40), Reals(-20, 40)),
        awkward=(
            (1.0, 1.0),
            (3.0, 0.0),
            (0.5, 1e-6),
            (40.0, -3.0),
            (0.0, 2.5),
            (-3.0, 5.5),
            (-3.0, 1.5),
            (-3.0, 5.0),
            (-2.5, -1.25),
            (1e-8, 0.25),
            (100.0, 60.5),
            (9158.3, 0.0711),
            (9158.3, -2.25),
            (-1000.25, 12.5),
            (-300.0, 2.5),
            (-300.0, -2.5),
        ),
        flaws=(Flaw("1e-11", "abs(z) + abs(m) > 100"),),
    ),
    repair=_mended("z", "m", quotients_on_device.poch),
    kernel=quotients_on_device.poch,
)
def poch(z: Real, m: Real) -> Array:
    """Pochhammer's symbol, the rising factorial Gamma(z + m) / Gamma(z).

    Args:
        z: where the product z (z + 1) ... (z + m - 1) starts, any real number
        m: number of factors, any real number; inf where z + m is 0, -1, -2, ... and z is not

    Example:
        >>> poch(3.0, jnp.array([2.0, 2.5]))
        Array([12.        , 26.17138889], dtype=float64)
        >>> print(f"{jax.grad(poch, argnums=1)(3.0, 2.0):.6f}")  # in the number of factors
        18.073412
    """
    ...


rule(
    poch,
    z=closed("DLMF 5.2.2, 5.2.5", lambda y, z, m: slopes_of_poch(y, z, m)[0]),
    m=closed("DLMF 5.2.2, 5.2.5", lambda y, z, m: slopes_of_poch(y, z, m)[1]),
)


def _accurate_poch(y: jax.Array, z: jax.Array, m: jax.Array) -> jax.Array:
    """Pochhammer's symbol without SciPy's error, which grows with the arguments."""
    large = (abs(z) + abs(m) > _LARGE) & ((z > 0) == (z + m > 0)) & (_from_zero(z) > 0)
    own = poch_function(jnp.where(large, z, _LARGE), jnp.where(large, m, 1.0))
    return jnp.where(large & jnp.isfinite(own), own, y)


def _slope_of_poch(y: jax.Array, z: jax.Array, m: jax.Array) -> jax.Array:
    distance = _from_zero(z)
    at_zero = (distance < _NEAR) & (distance < _NEARER * _from_zero(z + m))
    deep = at_zero & ((z < _DEEP) | (z + m < _DEEP))
    shallow = at_zero & ~deep
    start, end = jnp.where(shallow, z, 1.0), jnp.where(shallow, z + m, 1.0)
    deep_start, deep_end = jnp.where(deep, z, 0.25), jnp.where(deep, z + m, 0.5)
    at_end, at_deep_end, at_deep_start = at_once(psi, end, deep_end, 1 - deep_start)
    scale, of_m = at_once(gamma, end, jnp.where(deep, m, 0.25) + 1)
    product = scale * (at_end * rgamma(start) + rgamma_derivative(start, n=1))
    # Gamma(z + m) Gamma(1 - z) by the beta function, for both may be out of range.
    scaled = beta_function(deep_end, 1 - deep_start) * of_m
    sine, cosine = _reflected(deep_start, scaled)
    product = jnp.where(deep, cosine + sine * (at_deep_end - at_deep_start), product)
    at_zero = at_zero & jnp.isfinite(product) & (deep | (scale != 0))
    z, m = (jnp.where(at_zero, 1.0, t) for t in (z, m))
    return jnp.where(at_zero, product, y * polygamma_difference(z, m, n=0))


def slopes_of_poch(y: jax.Array, z: jax.Array, m: jax.Array) -> tuple[jax.Array, jax.Array]:
    """The derivatives of Pochhammer's symbol in z and m, from its value."""
    y = _accurate_poch(y, z, m)
    return _slope_of_poch(y, z, m), y * psi(z + m)


# -- binomial coefficients ---------------------------------------------------------------------


@elementwise(
    source="1.2.6",
    samples=Samples(
        "gamma(x + 1) * rgamma(y + 1) * rgamma(x - y + 1)",
        (Reals(-10, 40), Reals(-20, 40)),
        awkward=(
            (5.0, 2.0),
            (5.0, 0.0),
            (5.0, 7.0),
            (5.0, -2.0),
            (4.5, -3.0),
            (4.5, 6.5),
            (-2.5, 3.0),
            (-2.5, -2.0),
            (60.0, 30.0),
            (0.5, 1e-8),
            (1e4, 2.5),
            (783.0, 23.0),
            (1e4, -2.25),
            (4.5, -300.0),
            (-1.25e-18, -254.0),
            (200.0, 500.0),
        ),
        flaws=(Flaw("1e-11", "abs(x) + abs(y) > 100"),),
    ),
    repair=_mended("x", "y", quotients_on_device.binom),
    kernel=quotients_on_device.binom,
    note="NaN where x is a negative integer.",
)
def binom(x: Real, y: Real) -> Array:
    """Binomial coefficient of real numbers, Gamma(x + 1) / (Gamma(y + 1) Gamma(x - y + 1)).

    Args:
        x: number of things, any real number
        y: number of those taken, any real number; 0 at integer y outside of 0, ..., x for an
            integer x

    Example:
        >>> binom(5.0, jnp.array([2.0, 2.5]))
        Array([10.        , 10.86497745], dtype=float64)
        >>> print(f"{jax.grad(binom)(5.0, 2.0):.6f}")
        4.500000
    """
    ...


rule(
    binom,
    x=closed("DLMF 5.2.2, 1.2.6", lambda y_, x, y: slopes_of_binom(y_, x, y)[0]),
    y=closed("DLMF 5.2.2, 1.2.6", lambda y_, x, y: slopes_of_binom(y_, x, y)[1]),
)


def _accurate_binom(value: jax.Array, x: jax.Array, y: jax.Array) -> jax.Array:
    """The binomial coefficient without SciPy's error, which grows with the arguments."""
    less, more = jnp.minimum(y, x - y), jnp.maximum(y, x - y)
    large = (abs(x) + abs(y) > _LARGE) & (x > -1) & (more > -1)
    usual = large & (less > -1)
    outside = large & ~usual
    # By reflection where 1/Gamma(step + 1) is a large number, or its derivative.
    deep = outside & (less < _DEEP)
    high = outside & ~deep
    one = jnp.where(usual, less + 1, jnp.where(deep, x + 1, 2.0))
    other = jnp.where(usual, more + 1, jnp.where(deep, -less, 2.0))
    by_either = beta_function(one, other)
    top, step = jnp.where(high, more, 1.0) + 1, jnp.where(high, less, 1.0)
    own = poch_function(top, step) * rgamma(step + 1)
    own = jnp.where(usual, 1 / ((x + 1) * by_either), own)
    own = jnp.where(deep, by_either * sine_of_pi(-jnp.where(deep, less, -0.5)) / jnp.pi, own)
    return jnp.where(large & jnp.isfinite(own), own, value)


def _quotient_of_gammas(end: jax.Array, start: jax.Array) -> jax.Array:
    """Gamma(end)/Gamma(start), where numbers of different signs are of moderate size."""
    alike = (end > 0) == (start > 0)
    by_poch = poch_function(jnp.where(alike, start, 1.0), jnp.where(alike, end - start, 1.0))
    apart = gamma(jnp.where(alike, 1.0, end)) * rgamma(jnp.where(alike, 1.0, start))
    return jnp.where(alike, by_poch, apart)


def slopes_of_binom(value: jax.Array, x: jax.Array, y: jax.Array) -> tuple[jax.Array, jax.Array]:
    """The derivatives of the binomial coefficient in x and y, from its value."""
    rest = x - y
    value = _accurate_binom(value, x, y)
    # 1/Gamma(y + 1) or 1/Gamma(x - y + 1) vanishes where the digamma function has a pole.
    from_y, from_rest = _from_zero(y + 1), _from_zero(rest + 1)
    y_zero = (from_y < _NEAR) & (from_y < from_rest)
    rest_zero = (from_rest < _NEAR) & (from_rest < from_y)
    # With x next to -1, -2, ... and a whole y the pole of Gamma(x + 1) takes the zero away.
    rest_zero = rest_zero & (from_rest < _NEARER * _from_zero(x + 1))
    either = y_zero | rest_zero
    small = jnp.where(either, jnp.where(y_zero, y, rest), 0.0) + 1
    other = jnp.where(either, jnp.where(y_zero, rest, y), 0.0) + 1
    top = jnp.where(either, x, 0.0) + 1
    deep = small < _DEEP
    shallow, base = jnp.where(deep, 1.0, small), jnp.where(deep, 1.0, other)
    quotient = _quotient_of_gammas(jnp.where(deep, 1.0, top), base)
    reflected = jnp.where(deep, small, 0.25)
    factor = beta_function(jnp.where(deep, top, 0.25), 1 - reflected)
    sine, cosine = _reflected(reflected, factor)
    at_reflected, at_top, at_other = at_once(psi, 1 - reflected, top, other)
    to_small = jnp.where(
        deep, cosine - sine * at_reflected, quotient * rgamma_derivative(shallow, n=1)
    )
    flat = jnp.where(deep, sine, quotient * rgamma(shallow))
    of_zero = flat * at_top + to_small
    across = flat * at_other + to_small
    usable = either & jnp.isfinite(to_small) & (deep | (quotient != 0))
    # No derivative is of the poles in the other formulas.
    start_x, step_x = (jnp.where(usable & rest_zero, 1.0, t) for t in (rest, y))
    start_y, end_y = (jnp.where(usable, 1.0, t) for t in (y, rest))
    starts, steps = jnp.stack([start_x, start_y]) + 1, jnp.stack([step_x, end_y - start_y])
    along_x, along_y = (value * y for y in once(*polygamma_difference(starts, steps, n=0)))
    return (
        jnp.where(usable & rest_zero, of_zero, along_x),
        jnp.where(usable, jnp.where(y_zero, across, -across), along_y),
    )
