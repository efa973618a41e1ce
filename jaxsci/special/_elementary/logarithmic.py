"""Products with logarithms that are 0 where a factor is, entropies, and robust losses."""

from __future__ import annotations

import jax
import jax.numpy as jnp

from jaxsci._core.double_precision import native
from jaxsci._core.elementwise_rules import closed, in_single
from jaxsci.special._catalog.decorators import (
    Flaw,
    OnHost,
    Samples,
    elementwise,
    rule,
)
from jaxsci.special._catalog.domains import Complexes, Reals
from jaxsci.special._catalog.mending import by_own
from jaxsci.special._catalog.types import Array, Complex, Real
from jaxsci.special._elementary.kernels import entropies_on_device, plane_on_device
from jaxsci.special._numerics.subnormal import log_of_raised, lowered, raised

_POSITIVE = Reals(0.01, 20)
_COVER = "T. M. Cover, J. A. Thomas, Elements of Information Theory, 2nd ed., 2006, "
_BOYD = "S. Boyd, L. Vandenberghe, Convex Optimization, 2004, "


@elementwise(
    source="4.2",
    samples=Samples(
        "x*log(y)",
        (Complexes(0.1, 20, negative=True), Complexes(0.1, 20)),
        awkward=((0.0, 2.0), (3.0, 1.0), (-2.0, 1e-300), (1.5, 1e300), (2.0, -3 + 1e-9j)),
    ),
    on_device=True,
    single=4,
    note="0 for x = 0, whatever y is but NaN; its derivatives there are log(y) and 0.",
    complex_kernel=plane_on_device.xlogy,
)
def xlogy(x: Complex, y: Complex) -> Array:
    """Product x log(y), which is 0 for x = 0.

    Args:
        x: factor, any number
        y: argument of the logarithm: real and not negative (NaN below 0 unless x is 0), or complex,
            with the cut of the principal branch along the negative real axis

    Example:
        >>> p = jnp.array([0.5, 0.5, 0.0])
        >>> print(f"{-xlogy(p, p).sum():.6f}")  # entropy of a distribution
        0.693147
        >>> jax.grad(lambda q: -xlogy(p, q).sum())(jnp.array([0.4, 0.5, 0.1]))  # of a cross-entropy
        Array([-1.25, -1.  , -0.  ], dtype=float64)
    """
    x, small = raised(x)
    product = lowered(x * log_of_raised(*raised(y)), small)
    return jnp.where((x == 0) & ~jnp.isnan(y), 0.0, product)


@elementwise(
    source="4.2",
    samples=Samples(
        "x*log1p(y)",
        (Complexes(0.1, 20, negative=True), Complexes(0.01, 0.95, negative=True)),
        awkward=((0.0, 2.0), (3.0, 0.0), (-2.0, 1e-20), (1.5, 1e300), (2.0, -3 + 1e-9j)),
    ),
    note="0 for x = 0, whatever y is but NaN; its derivatives there are log1p(y) and 0.",
    kernel=entropies_on_device.xlog1py,
    complex_kernel=plane_on_device.xlog1py,
)
def xlog1py(x: Complex, y: Complex) -> Array:
    """Product x log(1 + y), which is 0 for x = 0.

    Args:
        x: factor, any number
        y: real and at least -1 (NaN below unless x is 0), or complex, with the cut of the principal
            branch along the real axis below -1
    """
    ...


rule(
    xlog1py,
    x=in_single(3, closed("DLMF 4.7.1", lambda v, x, y: jnp.log1p(y))),
    y=in_single(3, closed("DLMF 4.7.1", lambda v, x, y: _over(x, 1 + y))),
)


@elementwise(
    source=_COVER + "section 2.1",
    samples=Samples("-x*log(x)", (_POSITIVE,), awkward=((1e-300,), (1e300,), (1.0,))),
    on_device=True,
    single=4,
    note="0 for x = 0, where the derivative is infinite; minus infinity for x < 0, where it is "
    "NaN.",
)
def entr(x: Real) -> Array:
    """Entropy of one probability, -x log(x).

    Args:
        x: probability or density, not negative

    Example:
        >>> entr(jnp.array([0.0, 0.5, 1.0]))
        Array([ 0.        ,  0.34657359, -0.        ], dtype=float64)
        >>> print(f"{jax.grad(entr)(0.5):.6f}")
        -0.306853
    """
    p, small = raised(x)
    inside = lowered(-p * log_of_raised(p, small), small)
    return jnp.where(p < 0, -jnp.inf, jnp.where(p == 0, 0.0, inside))


@elementwise(
    source=_COVER + "section 2.3",
    samples=Samples(
        "x*log(x/y)",
        (_POSITIVE, _POSITIVE),
        awkward=((1.0, 1.0 + 1e-9), (1e-300, 1e300), (1e300, 1e-300), (3.0, 2.0)),
    ),
    note="0 for x = 0 and y >= 0; infinite elsewhere outside x > 0, y > 0, where the derivatives "
    "are NaN. For x = 0 and y > 0 they are -inf and 0; at (0, 0) the one in y is 0, from above.",
    kernel=entropies_on_device.rel_entr,
)
def rel_entr(x: Real, y: Real) -> Array:
    """Relative entropy of one probability, x log(x/y).

    Args:
        x: probability or density, not negative
        y: probability or density of the other distribution, not negative

    Example:
        >>> p, q = jnp.array([0.5, 0.5, 0.0]), jnp.array([0.4, 0.5, 0.1])
        >>> print(f"{rel_entr(p, q).sum():.6f}")  # Kullback and Leibler's divergence
        0.111572
        >>> jax.grad(lambda q: rel_entr(p, q).sum())(q)
        Array([-1.25, -1.  , -0.  ], dtype=float64)
    """
    ...


rule(
    rel_entr,
    x=closed("DLMF 4.7.1", lambda v, x, y: log_ratio(x, y) + 1),
    y=closed("DLMF 4.7.1", lambda v, x, y: _along_y(x, y, -x / y, 0.0)),
)


@elementwise(
    source=_BOYD + "page 90",
    samples=Samples(
        "x*log(x/y) - x + y",
        (_POSITIVE, _POSITIVE),
        awkward=((1.0, 1.25), (1e-300, 1e300), (1e300, 1e-300), (3.0, 2.0)),
        flaws=(Flaw("1e-15 * (y/(x - y))**2", "y/100 < abs(x - y) < y/10"),),
    ),
    repair=by_own(
        "|x - y| < y/50, or x/y below 1e-290 or above 1e290",
        lambda x, y: (
            (x > 0) & (y > 0) & ((jnp.abs(x - y) < 0.02 * y) | (x < 1e-290 * y) | (y < 1e-290 * x))
        ),
        entropies_on_device.kl_div,
    ),
    note="y for x = 0 and y >= 0; infinite elsewhere outside x > 0, y > 0, where the derivatives "
    "are NaN. For x = 0 and y > 0 they are -inf and 1; at (0, 0) the one in y is 1, from above.",
    kernel=entropies_on_device.kl_div,
)
def kl_div(x: Real, y: Real) -> Array:
    """Kullback-Leibler divergence of one probability, x log(x/y) - x + y.

    Args:
        x: probability or density, not negative; need not be normalised
        y: probability or density of the other distribution, not negative; need not be normalised

    Example:
        >>> kl_div(jnp.array([0.0, 1.0, 3.0]), 2.0)
        Array([2.        , 0.30685282, 0.21639532], dtype=float64)
        >>> print(f"{jax.grad(kl_div)(3.0, 2.0):.6f}")
        0.405465
    """
    ...


rule(
    kl_div,
    x=closed("DLMF 4.7.1", lambda v, x, y: log_ratio(x, y)),
    y=closed("DLMF 4.7.1", lambda v, x, y: _along_y(x, y, lacking(x, y), 1.0)),
)


@elementwise(
    source="P. J. Huber, Robust estimation of a location parameter, Ann. Math. Statist. 35, 1964",
    samples=Samples(
        "r**2/2 if abs(r) <= delta else delta*(abs(r) - delta/2)",
        (Reals(0.1, 5), Reals(-10, 10)),
        awkward=((1.0, 0.0), (0.0, 2.0), (1e200, 1e-200)),
    ),
    on_device=True,
    single=4,
    note="Infinite for delta < 0, where the derivatives are NaN.",
)
def huber(delta: Real, r: Real) -> Array:
    """Huber's loss of a residual r: r^2/2 up to |r| = delta, and linear beyond.

    Args:
        delta: where the loss goes over from square to linear, a size of residuals; not negative
        r: residual, any real number

    Example:
        >>> residuals = jnp.array([-3.0, 0.5, 10.0])
        >>> huber(1.0, residuals)
        Array([2.5  , 0.125, 9.5  ], dtype=float64)
        >>> jax.grad(lambda r: huber(1.0, r).sum())(residuals)  # outliers pull no harder
        Array([-1. ,  0.5,  1. ], dtype=float64)
    """
    size = jnp.abs(r)
    factor, small = raised(delta)
    value = jnp.where(size <= delta, r * r / 2, lowered(factor * (size - delta / 2), small))
    return jnp.where(factor < 0, jnp.inf, value)


@elementwise(
    source="P. Charbonnier et al., Deterministic edge-preserving regularization, IEEE Trans. Image "
    "Process. 6, 1997",
    samples=Samples(
        "delta**2 * (sqrt(1 + (r/delta)**2) - 1) if delta != 0 else mpf(0)",
        (Reals(0.1, 5), Reals(-10, 10)),
        awkward=((1.0, 0.0), (1.0, 1e-9), (1e-4, 2.0)),
    ),
    note="Infinite for delta < 0, where the derivatives are NaN.",
    kernel=entropies_on_device.pseudo_huber,
)
def pseudo_huber(delta: Real, r: Real) -> Array:
    """Smooth form of Huber's loss, delta^2 (sqrt(1 + (r/delta)^2) - 1).

    Args:
        delta: the size of residuals from which on the loss is nearly linear; not negative
        r: residual, any real number
    """
    ...


rule(
    pseudo_huber,
    delta=closed("differentiated", lambda y, d, r: _of_pseudo_huber(d, r)[0]),
    r=closed("differentiated", lambda y, d, r: _of_pseudo_huber(d, r)[1]),
)


@elementwise(
    source="the integral of the logistic function, DLMF 4.37",
    samples=Samples(
        "log1p(exp(x))", (Reals(-30, 30),), awkward=((0.0,), (-700.0,), (1e300,), (-0.5,))
    ),
    host=OnHost(results="follow"),
    on_device=True,
    single=4,
)
def softplus(x: Real) -> Array:
    """Smooth ramp log(1 + exp(x)).

    Args:
        x: any real number

    Example:
        >>> softplus(jnp.array([-40.0, 0.0, 40.0]))
        Array([4.24835426e-18, 6.93147181e-01, 4.00000000e+01], dtype=float64)
        >>> print(f"{jax.grad(softplus)(0.0):.6f}")
        0.500000
    """
    return jnp.logaddexp(0.0, x)


@native()
def logistic(x: jax.Array) -> jax.Array:
    """1/(1 + exp(-x))."""
    return jax.nn.sigmoid(x)


logistic.partials(x=closed("differentiated", lambda y, x: logistic(x) * logistic(-x)))


def _log_of_ratio(x: jax.Array, y: jax.Array) -> jax.Array:
    """log(x/y) for x, y > 0, with its digits where they are nearly equal."""
    close = jnp.abs(x - y) < y / 4
    ratio = x / jnp.where(close, 4 * x, y)
    safe = (ratio > 1e-290) & (ratio < 1e290)
    apart = jnp.where(safe, jnp.log(jnp.where(safe, ratio, 1.0)), jnp.log(x) - jnp.log(y))
    return jnp.where(close, jnp.log1p(jnp.where(close, (x - y) / y, 0.0)), apart)


@native()
def log_ratio(x: jax.Array, y: jax.Array) -> jax.Array:
    """log(x/y) where both are positive; minus infinity for x = 0 < y."""
    inside = (x > 0) & (y > 0)
    value = _log_of_ratio(jnp.where(inside, x, 1.0), jnp.where(inside, y, 1.0))
    return jnp.where(inside, value, jnp.where((x == 0) & (y > 0), -jnp.inf, jnp.nan))


log_ratio.partials(
    x=closed("DLMF 4.7.1", lambda y, p, q: 1 / p),
    y=closed("DLMF 4.7.1", lambda y, p, q: -1 / q),
)


def _along_y(x: jax.Array, y: jax.Array, inside: jax.Array, at_origin: float) -> jax.Array:
    """A derivative in y: for y > 0, and at (0, 0), where that in x has no limit."""
    return jnp.where((x >= 0) & (y > 0), inside, jnp.where((x == 0) & (y == 0), at_origin, jnp.nan))


def _slope_of_entropy(x: jax.Array) -> jax.Array:
    safe = jnp.where(x > 0, x, 1.0)
    return jnp.where(x > 0, -jnp.log(safe) - 1, jnp.where(x == 0, jnp.inf, jnp.nan))


def _over(x: jax.Array, y: jax.Array) -> jax.Array:
    """x/y, and 0 for x = 0."""
    return jnp.where(x == 0, 0.0, x / jnp.where(x == 0, 1.0, y))


def _of_huber_in_delta(delta: jax.Array, r: jax.Array) -> jax.Array:
    size = jnp.abs(r)
    return jnp.where(delta < 0, jnp.nan, jnp.where(size <= delta, 0.0, size - delta))


def _of_huber_in_r(delta: jax.Array, r: jax.Array) -> jax.Array:
    inside = jnp.abs(r) <= delta
    return jnp.where(delta < 0, jnp.nan, jnp.where(inside, r, delta * jnp.sign(r)))


# Polar coordinates of a point (d, r) with d >= 0: no derivative of theirs has a difference in it.


@native()
def radius(d: jax.Array, r: jax.Array) -> jax.Array:
    """The root h of d^2 + r^2."""
    return jnp.hypot(d, r)


@native()
def cosine(d: jax.Array, r: jax.Array) -> jax.Array:
    """d/h."""
    return d / jnp.hypot(d, r)


@native()
def sine(d: jax.Array, r: jax.Array) -> jax.Array:
    """r/h."""
    return r / jnp.hypot(d, r)


@native()
def half_tangent(d: jax.Array, r: jax.Array) -> jax.Array:
    """r/(h + d)."""
    return r / (jnp.hypot(d, r) + d)


radius.partials(
    d=closed("polar coordinates", lambda h, d, r: cosine(d, r)),
    r=closed("polar coordinates", lambda h, d, r: sine(d, r)),
)
cosine.partials(
    d=closed("polar coordinates", lambda c, d, r: sine(d, r) ** 2 / radius(d, r)),
    r=closed("polar coordinates", lambda c, d, r: -c * sine(d, r) / radius(d, r)),
)
sine.partials(
    d=closed("polar coordinates", lambda s, d, r: -s * cosine(d, r) / radius(d, r)),
    r=closed("polar coordinates", lambda s, d, r: cosine(d, r) ** 2 / radius(d, r)),
)
half_tangent.partials(
    d=closed("polar coordinates", lambda t, d, r: -t / radius(d, r)),
    r=closed("polar coordinates", lambda t, d, r: cosine(d, r) / (radius(d, r) + d)),
)


def _of_pseudo_huber(delta: jax.Array, r: jax.Array) -> tuple[jax.Array, jax.Array]:
    """(h - delta)^2/h without its cancellation, and delta r/h, by h = hypot(delta, r)."""
    origin = (delta == 0) & (r == 0)
    d = jnp.where(origin, 1.0, delta)
    in_delta = r * half_tangent(d, r) ** 2 * sine(d, r)
    in_r = d * sine(d, r)
    outside = jnp.where(delta < 0, jnp.nan, 0.0)
    return (
        jnp.where(origin | (delta < 0), outside, in_delta),
        jnp.where(origin | (delta < 0), outside, in_r),
    )


@native()
def lacking(x: jax.Array, y: jax.Array) -> jax.Array:
    """(y - x)/y."""
    return (y - x) / y


lacking.partials(
    x=closed("differentiated", lambda v, x, y: -1 / y),
    y=closed("differentiated", lambda v, x, y: x / y / y),
)

rule(
    xlogy,
    x=in_single(3, closed("DLMF 4.7.1", lambda v, x, y: jnp.log(y))),
    y=in_single(3, closed("DLMF 4.7.1", lambda v, x, y: _over(x, y))),
)

rule(entr, x=in_single(3, closed("DLMF 4.7.1", lambda y, x: _slope_of_entropy(x))))

rule(
    huber,
    delta=in_single(
        3, closed("differentiated piece by piece", lambda y, d, r: _of_huber_in_delta(d, r))
    ),
    r=in_single(3, closed("differentiated piece by piece", lambda y, d, r: _of_huber_in_r(d, r))),
)

rule(softplus, x=closed("the logistic function", lambda y, x: logistic(x)))
