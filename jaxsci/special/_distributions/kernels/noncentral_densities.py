"""Densities of the non-central distributions: Poisson mixtures of positive terms.

The sum starts at its largest term, which is exact to rounding, and goes both ways until nothing is
left to add: no term cancels, and none overflows.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci._core.double_precision import native
from jaxsci._core.elementwise_rules import closed, missing
from jaxsci._core.types import PyTree
from jaxsci.special._bessel.kernels import hankel_expansion as cylinder
from jaxsci.special._distributions.kernels.noncentral_chi_square import chi_square_in_shape
from jaxsci.special._incomplete.kernels.densities import beta_power, gamma_power
from jaxsci.special._numerics import folded

# No function asks for it: `noncentral_f_slope` is differentiated in its shapes as a whole.
_OF_THE_WHOLE = missing("it is a contour integral of the whole function's")
_NEGLIGIBLE = 1e-19
_MOST_TERMS = 20_000
_FAR = 500.0


def _poisson(j: jax.Array, mean: jax.Array) -> jax.Array:
    return gamma_power(j + 1, mean, 0)


def _mixture(
    term: Callable[[Any], Any],
    ratio: Callable[[Any], Any],
    peak: jax.Array,
    explicit: int,
    weight: Callable[[Any], Any] | None = None,
) -> jax.Array:
    """Sum of term(j) weight(j) over j >= 0, where terms from j = explicit on are positive.

    Args:
        term: the term itself.
        ratio: term(j + 1)/term(j) for j >= explicit.
        peak: about where the terms are largest.
        explicit: how many terms at the beginning are summed one by one.
        weight: a factor of either sign that grows slowly, if at all.

    Returns:
        The sum; NaN where it has too many terms.
    """

    def weighted(j: jax.Array, t: jax.Array) -> jax.Array:
        return t if weight is None else t * weight(j)

    start = jnp.maximum(jnp.floor(peak), explicit)
    # All at once: the term is a large program, and this compiles it once.
    at = jnp.stack([*(jnp.full_like(peak, j) for j in range(explicit)), start])
    terms = term(at)
    size, total = folded.total(jnp.abs(terms)), folded.total(weighted(at, terms))
    largest = terms[-1]

    def rising(state: PyTree) -> PyTree:
        j, t, size, total, n = state
        # The sum is done where the last term was negligible, while others go on.
        t = jnp.where(left(t, size), t * ratio(j), 0.0)
        return j + 1, t, size + t, total + weighted(j + 1, t), n + 1

    def falling(state: PyTree) -> PyTree:
        j, t, size, total, n = state
        t = jnp.where((j > explicit) & left(t, size), t / ratio(j - 1), 0.0)
        # Where the sum is done others may go on: no weight is asked for below its range.
        j = jnp.maximum(j - 1, explicit)
        return j, t, size + t, total + weighted(j, t), n + 1

    def left(t: jax.Array, size: jax.Array) -> jax.Array:
        return t > _NEGLIGIBLE * size

    def unfinished(state: Sequence[jax.Array]) -> jax.Array:
        _, t, size, _, n = state
        return jnp.any(left(t, size)) & (n < _MOST_TERMS)

    state = (start, largest, size, total, 0)
    _, up, size, total, _ = jax.lax.while_loop(unfinished, rising, state)
    state = (start, largest, size, total, 0)
    _, down, size, total, _ = jax.lax.while_loop(unfinished, falling, state)
    return jnp.where(left(up, size) | left(down, size), jnp.nan, total)


def _larger_root(d: jax.Array, product: jax.Array) -> jax.Array:
    """The positive root of j^2 + d j = product."""
    r = jnp.sqrt(d * d + 4 * product)
    above = jnp.where(d > 0, r + d, 1.0)
    return jnp.where(d > 0, 2 * product / above, (r - d) / 2)


# -- chi-square ------------------------------------------------------------------------------------


@native()
def noncentral_gamma(
    a: jax.Array, t: jax.Array, mu: jax.Array, *, shift: int = 0, difference: bool = False
) -> jax.Array:
    """Poisson mixture, of mean mu, of gamma densities of shapes a + shift + j at t.

    It is exp(-t-mu) (t/mu)^((s-1)/2) I_{s-1}(2 sqrt(t mu)) with s = a + shift. With `difference` it
    is what that grows by from s to s + 1, each term being (t - s - j)/(s + j) of the density.
    """
    a, t, mu = jnp.broadcast_arrays(a, t, mu)
    inside = (a > 0) & (t >= 0) & (mu >= 0) & jnp.isfinite(a) & jnp.isfinite(t) & jnp.isfinite(mu)
    a, t, mu = (jnp.where(inside, z, 1.0) for z in (a, t, mu))
    s = a + shift
    z = 2 * jnp.sqrt(t) * jnp.sqrt(mu)
    is_far = z >= jnp.maximum(_FAR, (s - 1) ** 2 / 8)
    # Near: the sum.
    x, m = jnp.where(is_far, 1.0, t), jnp.where(is_far, 1.0, mu)
    product = x * m
    up, down = max(shift, 0), max(-shift, 0)
    near = _mixture(
        lambda j: _poisson(j, m) * gamma_power(a + up + j, x, down),
        lambda j: product / ((j + 1) * (s + j)),
        _larger_root(s, product),
        down + 1,
        (lambda j: (x - s - j) / (s + j)) if difference else None,
    )
    # Far: Hankel's expansion of the Bessel function (DLMF 10.40.1).
    x, m, z = (jnp.where(is_far, y, _FAR) for y in (t, mu, z))
    distance = (x - m) / (jnp.sqrt(x) + jnp.sqrt(m))
    exponent = (s - 1) / 2 * jnp.log(x / m) - distance**2
    far = cylinder.far_i(s - 1, z, 0)
    if difference:
        far = jnp.sqrt(x / m) * cylinder.far_i(s, z, 0) - far
    far = jnp.exp(exponent) * far
    return jnp.where(inside, jnp.where(is_far, far, near), jnp.nan)


def _grown(
    step: int, a: jax.Array, t: jax.Array, mu: jax.Array, shift: int, difference: bool = False
) -> jax.Array:
    above = noncentral_gamma(a, t, mu, shift=shift + step, difference=difference)
    return above - noncentral_gamma(a, t, mu, shift=shift, difference=difference)


def _along_mu(
    y: jax.Array,
    a: jax.Array,
    t: jax.Array,
    mu: jax.Array,
    *,
    shift: int = 0,
    difference: bool = False,
) -> jax.Array:
    # Near mu = 0 the difference of two mixtures would lose what it has of order mu.
    if shift >= 0 and not difference:
        return noncentral_gamma(a, t, mu, shift=shift, difference=True)
    return _grown(1, a, t, mu, shift, difference)


def _along_t(
    y: jax.Array,
    a: jax.Array,
    t: jax.Array,
    mu: jax.Array,
    *,
    shift: int = 0,
    difference: bool = False,
) -> jax.Array:
    below = _grown(-1, a, t, mu, shift)
    return -y - below if difference else below


def _along_shape(
    y: jax.Array,
    a: jax.Array,
    t: jax.Array,
    mu: jax.Array,
    *,
    shift: int = 0,
    difference: bool = False,
) -> jax.Array:
    return chi_square_in_shape(a, t, mu, n=1, i=1, j=int(difference), shift=shift)


noncentral_gamma.partials(
    a=closed("differentiated under the contour integral", _along_shape),
    t=closed("DLMF 10.29.5", _along_t),
    mu=closed("DLMF 10.29.5", _along_mu),
)


# -- F ---------------------------------------------------------------------------------------------


@native()
def noncentral_beta(
    a: jax.Array,
    b: jax.Array,
    x: jax.Array,
    q: jax.Array,
    mu: jax.Array,
    *,
    slope: bool = False,
    difference: bool = False,
    shift: int = 0,
    i: int = 0,
    j: int = 0,
) -> jax.Array:
    """Poisson mixture, of mean mu, of beta densities of shapes a + shift + m, b, and derivatives.

    It is (d/dx)^i (d/dq)^j of the mixture, where q = 1 - x. With `slope`, in place of each
    density stands I_x(a', b) - I_x(a' + 1, b) = x^a' q^b Gamma(a'+b)/(Gamma(a'+1) Gamma(b)). With
    `difference` it is what the mixture grows by from shift to shift + 1.
    """
    a, b, x, q, mu = jnp.broadcast_arrays(a, b, x, q, mu)
    inside = (a > 0) & (b > 0) & (x >= 0) & (q >= 0) & (mu >= 0)
    inside = inside & jnp.isfinite(a) & jnp.isfinite(b) & jnp.isfinite(mu)
    a, b, mu = (jnp.where(inside, z, 1.0) for z in (a, b, mu))
    x, q = jnp.where(inside, x, 0.5), jnp.where(inside, q, 0.5)
    first, second, both = a + shift + slope, b + slope, a + b + shift

    def fraction(m: Any) -> Any:
        return b / ((both + m) * (both + m + 1)) if slope else 1.0

    def growth(m: Any) -> Any:
        """The next term's part in a difference, less one."""
        return (x * (both + m) - (first + m - i)) / (first + m - i)

    def term(m: Any) -> jax.Array:
        return _poisson(m, mu) * beta_power(first + m, second, x, q, i, j) * fraction(m)

    def ratio(m: Any) -> Any:
        factor = mu * x / (m + 1) * (first + second + m) / (first + m - i)
        return factor * (both + m) / (both + m + 2) if slope else factor

    product = mu * x
    peak = _larger_root(first - product, product * (first + second))
    # From there on no falling factorial is negative, and (d/dq)^j has one sign for all terms.
    explicit = max(i + 1 - shift - slope, 1)
    sign = jnp.sign(_falling_sign(second - 1, j)) if j else 1.0
    weight = growth if difference else None
    total = _mixture(lambda m: sign * term(m), ratio, peak, explicit, weight)
    return jnp.where(inside, sign * total, jnp.nan)


def _falling_sign(z: jax.Array, n: int) -> jax.Array:
    return math.prod((jnp.sign(z - k) for k in range(n)), start=jnp.ones_like(z))


def _along(index: str) -> Callable[..., Any]:
    def derivative(y: jax.Array, *args: jax.Array, **static: Any) -> jax.Array:
        stepped = static | {index: static.get(index, 0) + 1}
        if stepped.get("i", 0) and stepped.get("difference", False):
            # A term of the difference could be zero times infinity.
            return _step(args, stepped | {"difference": False})
        return noncentral_beta(*args, **stepped)

    return derivative


def _along_mean(y: jax.Array, *args: jax.Array, **static: Any) -> jax.Array:
    if not static.get("difference", False) and static.get("i", 0) == 0:
        return noncentral_beta(*args, **(static | {"difference": True}))
    return _step(args, static)


def _step(args: Any, static: dict[str, Any]) -> jax.Array:
    """What the mixture grows by from one shift to the next."""
    above = noncentral_beta(*args, **(static | {"shift": static.get("shift", 0) + 1}))
    return above - noncentral_beta(*args, **static)


noncentral_beta.partials(
    a=_OF_THE_WHOLE,
    b=_OF_THE_WHOLE,
    x=closed("DLMF 8.17.1", _along("i")),
    q=closed("DLMF 8.17.1", _along("j")),
    mu=closed("derivative of a Poisson mixture", _along_mean),
)
