"""The non-central F distribution's derivatives in f and mu = nc/2, which have others in the shapes.

They are the Poisson mixtures of `noncentral_densities`, taken along a and b by the contour of
`noncentral_f_shapes`.
"""

from __future__ import annotations

import jax

from jaxsci._core.double_precision import tower
from jaxsci._core.elementwise_rules import Closed, closed
from jaxsci.special._distributions.kernels.noncentral_densities import noncentral_beta
from jaxsci.special._distributions.kernels.noncentral_f_shapes import noncentral_f_in_shapes
from jaxsci.special._incomplete.kernels.densities import complement, proportion
from jaxsci.special._numerics.nth_derivative import derivative


@tower("derivative of a Poisson mixture", f="i", mu="j")
def noncentral_f_slope(
    a: jax.Array, b: jax.Array, mu: jax.Array, f: jax.Array, *, i: int, j: int
) -> jax.Array:
    """(d/df)^i (d/dmu)^j of the distribution function of shapes a and b, for i + j >= 1."""
    ratio = a / b

    def slope(mu: jax.Array, f: jax.Array) -> jax.Array:
        x, q = proportion(ratio * f), complement(ratio * f)
        if i:
            return ratio * q**2 * noncentral_beta(a, b, x, q, mu)
        return -noncentral_beta(a, b, x, q, mu, slope=True)

    along_f, along_mu = (i - 1, j) if i else (0, j - 1)

    def along(mu: jax.Array) -> jax.Array:
        return derivative(lambda f: slope(mu, f), along_f)(f) if along_f else slope(mu, f)

    return derivative(along, along_mu)(mu) if along_mu else along(mu)


def _along_shape(m: int, n: int) -> Closed:
    def expression(
        y: jax.Array, a: jax.Array, b: jax.Array, mu: jax.Array, f: jax.Array, *, i: int, j: int
    ) -> jax.Array:
        return noncentral_f_in_shapes(a, b, mu, f, m=m, n=n, i=i, j=j)

    return closed("differentiated under the contour integral", expression)


noncentral_f_slope.partials(a=_along_shape(1, 0), b=_along_shape(0, 1))


def noncentral_f_derivative(
    place: int, dfn: jax.Array, dfd: jax.Array, nc: jax.Array, f: jax.Array
) -> jax.Array:
    """The distribution function's derivative in dfn, dfd, nc or f, by its place."""
    at = dfn / 2, dfd / 2, nc / 2, f
    if place == 3:
        return noncentral_f_slope(*at, i=1, j=0)
    if place == 2:
        return noncentral_f_slope(*at, i=0, j=1) / 2
    return noncentral_f_in_shapes(*at, m=1 - place, n=place) / 2
