"""Guided mode of a step-index optical fibre: effective index, dispersion, mode field.

The fibre is a cylinder of GeO2-doped silica, the core, inside pure silica, the cladding. Its
fundamental mode LP01 follows from one equation in Bessel functions, which has no closed-form
solution. Everything else is a derivative of that solution: the group index is the first and the
chromatic dispersion the second derivative in wavelength, the dispersion slope the third. None of
them is worked out by hand here; JAX differentiates through the Bessel functions and through the
root of the equation.

Every function works element by element on scalars or arrays that broadcast together. Arguments
named alike mean the same throughout:

* ``wavelength``: vacuum wavelength in micrometres.
* ``core_radius``: radius of the core in micrometres.
* ``doping``: mole fraction of GeO2 in the core, between 0 and 1.

The results have the precision of the arguments: the dispersion is good to about 1e-11 ps/(nm km)
in double precision, for which JAX needs ``jax_enable_x64``, and to about 1e-3 in single.
"""

import math
from collections.abc import Callable
from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax.typing import ArrayLike

from jaxsci import differentiable_root
from jaxsci.special import jv, kv

#: Core radius (um) and GeO2 mole fraction of a standard single-mode fibre, as a pure step.
STANDARD_CORE_RADIUS = 4.1
STANDARD_DOPING = 0.034

#: Speed of light in vacuum, m/s (exact, by the definition of the metre).
SPEED_OF_LIGHT = 299792458.0

#: First zero of J0: the fundamental mode has its ``u`` below it, whatever the fibre.
FIRST_ZERO_OF_J0 = 2.404825557695773

# Sellmeier amplitudes and resonance wavelengths (um) of the two pure glasses:
# J. W. Fleming, "Dispersion in GeO2-SiO2 glasses", Applied Optics 23, 4486 (1984).
_SILICA = ((0.69616630, 0.068404300), (0.40794260, 0.11624140), (0.89747940, 9.8961610))
_GERMANIA = ((0.80686642, 0.068972606), (0.71815848, 0.15396605), (0.85416831, 11.841931))

# D = -(wavelength/c) n'' comes out in (1/um)/(m/s) = 1e6 s/m^2; 1 ps/(nm km) is 1e-6 s/m^2.
_DISPERSION_UNIT = 1e12 / SPEED_OF_LIGHT


def glass_permittivity(wavelength: ArrayLike, doping: ArrayLike) -> jax.Array:
    """Relative permittivity n^2 of GeO2-doped silica (dimensionless).

    ``n^2 = 1 + sum_i A_i L^2 / (L^2 - l_i^2)``, with amplitudes ``A_i`` and resonance wavelengths
    ``l_i`` interpolated linearly in the mole fraction between pure SiO2 and pure GeO2. Data and
    interpolation: Fleming, Applied Optics 23, 4486 (1984); fitted for 0.36 to 4.3 um.
    """
    wavelength, doping = jnp.asarray(wavelength), jnp.asarray(doping)

    def term(silica: tuple[float, float], germania: tuple[float, float]) -> jax.Array:
        amplitude = silica[0] + doping * (germania[0] - silica[0])
        resonance = silica[1] + doping * (germania[1] - silica[1])
        return amplitude * wavelength**2 / (wavelength**2 - resonance**2)

    first, second, third = map(term, _SILICA, _GERMANIA)
    return 1.0 + first + second + third


def normalised_frequency(
    wavelength: ArrayLike, core_radius: ArrayLike, doping: ArrayLike
) -> jax.Array:
    """Normalised frequency V = k a sqrt(n1^2 - n2^2) of the fibre (dimensionless).

    The fibre carries a single mode while V < 2.405 (Gloge, Applied Optics 10, 2252 (1971)). NaN
    where the core has a lower index than the cladding, since nothing is guided then.
    """
    step = glass_permittivity(wavelength, doping) - glass_permittivity(wavelength, 0.0)
    return _wavenumber(wavelength) * core_radius * jnp.sqrt(step)


def mode_equation(u: ArrayLike, v: ArrayLike) -> jax.Array:
    """Left side minus right side of the LP01 equation; the mode is where it vanishes.

    The field must be smooth at the core's edge, ``u J1(u)/J0(u) = w K1(w)/K0(w)`` with
    ``u^2 + w^2 = V^2`` (Gloge, Applied Optics 10, 2252 (1971)). It is written here multiplied by
    ``J0(u)``, which has a zero in the range of interest, and not by ``K0(w)``, which has none and
    would only spoil the scale: ``u J1(u) - J0(u) w K1(w)/K0(w)``.

    Args:
        u: transverse wavenumber in the core times its radius, from 0 to V.
        v: normalised frequency V.
    """
    u, v = jnp.asarray(u), jnp.asarray(v)
    w_squared = v**2 - u**2
    inside = w_squared > 0.0
    # At u = V, the end of the bracket, w K1(w)/K0(w) has the limit 0 but evaluates to NaN.
    w = jnp.sqrt(jnp.where(inside, w_squared, 1.0))
    cladding = jnp.where(inside, w * kv(1, w) / kv(0, w), 0.0)
    return u * jv(1, u) - jv(0, u) * cladding


def mode_parameters(v: ArrayLike) -> tuple[jax.Array, jax.Array]:
    """Solve the LP01 equation: the parameters (u, w) of the fundamental mode (dimensionless).

    ``u`` is the transverse wavenumber in the core, ``w`` the decay constant in the cladding, both
    times the core radius. Derivatives in V of every order come from the implicit function theorem.
    NaN where V is not positive, and where the guidance is so weak (V below about 0.37 in double
    precision) that w is lost in the rounding of u.
    """
    v = jnp.asarray(v)
    u = differentiable_root(mode_equation, (jnp.zeros_like(v), jnp.minimum(v, FIRST_ZERO_OF_J0)), v)
    w_squared = v**2 - u**2
    resolved = w_squared > 1e4 * jnp.finfo(w_squared.dtype).eps * v**2
    u = jnp.where((v > 0.0) & resolved, u, jnp.nan)
    return u, jnp.sqrt(v**2 - u**2)


def effective_index(wavelength: ArrayLike, core_radius: ArrayLike, doping: ArrayLike) -> jax.Array:
    """Effective index of LP01: vacuum wavelength over the wavelength along the fibre.

    ``n_eff^2 = n1^2 - (u / (k a))^2``. It lies between the indices of cladding and core.
    """
    u, _ = mode_parameters(normalised_frequency(wavelength, core_radius, doping))
    transverse = u / (_wavenumber(wavelength) * core_radius)
    return jnp.sqrt(glass_permittivity(wavelength, doping) - transverse**2)


def group_index(wavelength: ArrayLike, core_radius: ArrayLike, doping: ArrayLike) -> jax.Array:
    """Group index ``n_eff - wavelength d n_eff/d wavelength``: c over the speed of a pulse."""
    wavelength = jnp.asarray(wavelength)

    def index(x: jax.Array) -> jax.Array:
        return effective_index(x, core_radius, doping)

    return index(wavelength) - wavelength * _derivative(index)(wavelength)


def dispersion(wavelength: ArrayLike, core_radius: ArrayLike, doping: ArrayLike) -> jax.Array:
    """Chromatic dispersion ``D = -(wavelength/c) d^2 n_eff/d wavelength^2``, in ps/(nm km).

    The spread in arrival time per kilometre of fibre and per nanometre of spectral width.
    """
    wavelength = jnp.asarray(wavelength)

    def index(x: jax.Array) -> jax.Array:
        return effective_index(x, core_radius, doping)

    return -_DISPERSION_UNIT * wavelength * _derivative(_derivative(index))(wavelength)


def dispersion_slope(wavelength: ArrayLike, core_radius: ArrayLike, doping: ArrayLike) -> jax.Array:
    """Dispersion slope ``dD/d wavelength``, in ps/(nm^2 km)."""
    slope = _derivative(lambda x: dispersion(x, core_radius, doping))
    return slope(jnp.asarray(wavelength)) / 1e3  # per um to per nm


def zero_dispersion_wavelength(core_radius: ArrayLike, doping: ArrayLike) -> jax.Array:
    """Wavelength in um at which the chromatic dispersion vanishes.

    It is looked for between 1.2 and 1.7 um; NaN where the dispersion does not change sign there.
    A root of a second derivative of a root, and differentiable like everything else here.
    """
    shape = jnp.broadcast_shapes(jnp.shape(core_radius), jnp.shape(doping))
    bracket = (jnp.full(shape, 1.2), jnp.full(shape, 1.7))
    return differentiable_root(dispersion, bracket, core_radius, doping)


def mode_field(
    radius: ArrayLike, wavelength: ArrayLike, core_radius: ArrayLike, doping: ArrayLike
) -> jax.Array:
    """Field of LP01 at ``radius`` (um) from the axis, relative to the field on the axis.

    ``J0(u r/a)`` in the core and ``K0(w r/a) J0(u)/K0(w)`` in the cladding (Gloge, Applied Optics
    10, 2252 (1971)).
    """
    u, w = mode_parameters(normalised_frequency(wavelength, core_radius, doping))
    x = jnp.asarray(radius) / core_radius
    # K0 is infinite on the axis, so it gets a harmless argument wherever its value is not used.
    outside = kv(0, w * jnp.maximum(x, 1.0)) * jv(0, u) / kv(0, w)
    return jnp.where(x < 1.0, jv(0, u * x), outside)


def mode_field_diameter(
    wavelength: ArrayLike, core_radius: ArrayLike, doping: ArrayLike
) -> jax.Array:
    """Mode-field diameter of LP01 by the Petermann II definition, in micrometres.

    ``MFD^2 = 8 Int psi^2 r dr / Int (d psi/dr)^2 r dr`` over the mode's field ``psi(r)``
    (K. Petermann, Electronics Letters 19, 712 (1983)). For a Gaussian beam it is the diameter at
    which the intensity has fallen to 1/e^2. Where the field is scaled to 1 at the core's edge, the
    integrals of squared Bessel functions and the mode equation give ``(a V J1(u)/(w J0(u)))^2 / 2``
    for the first integral and ``V^2 / 2`` for the second, which leaves
    ``MFD = 2 sqrt(2) a J1(u) / (w J0(u))``.
    """
    u, w = mode_parameters(normalised_frequency(wavelength, core_radius, doping))
    return jv(1, u) / (w * jv(0, u)) * (2.0 * math.sqrt(2.0)) * core_radius


class ModeSpectrum(NamedTuple):
    """What LP01 does at each wavelength: four arrays of the wavelengths' shape ``(n,)``."""

    effective_index: jax.Array  # dimensionless
    group_index: jax.Array  # dimensionless
    dispersion: jax.Array  # ps/(nm km)
    mode_field_diameter: jax.Array  # um


@jax.jit
def mode_spectrum(
    wavelengths: jax.Array, core_radius: ArrayLike, doping: ArrayLike
) -> ModeSpectrum:
    """All properties of LP01 at ``wavelengths`` (um, shape ``(n,)``) for one fibre."""

    def at_one_wavelength(wavelength: jax.Array) -> ModeSpectrum:
        fibre = (wavelength, core_radius, doping)
        return ModeSpectrum(
            effective_index(*fibre),
            group_index(*fibre),
            dispersion(*fibre),
            mode_field_diameter(*fibre),
        )

    return jax.vmap(at_one_wavelength)(wavelengths)


class ZeroDispersion(NamedTuple):
    """Where the dispersion of a fibre vanishes, and how fast it grows there."""

    wavelength: jax.Array  # um
    slope: jax.Array  # ps/(nm^2 km)


@jax.jit
def zero_dispersion(core_radius: ArrayLike, doping: ArrayLike) -> ZeroDispersion:
    """Zero-dispersion wavelength between 1.2 and 1.7 um and the dispersion slope there."""
    wavelength = zero_dispersion_wavelength(core_radius, doping)
    return ZeroDispersion(wavelength, dispersion_slope(wavelength, core_radius, doping))


def _wavenumber(wavelength: ArrayLike) -> jax.Array:
    """Vacuum wavenumber k = 2 pi / wavelength, in 1/um."""
    return 2.0 * math.pi / jnp.asarray(wavelength)


def _derivative(function: Callable[[jax.Array], jax.Array]) -> Callable[[jax.Array], jax.Array]:
    """Derivative of a function that acts element by element, by forward-mode differentiation.

    Forward mode nests cheaply, which is what second and third derivatives want; and pushing a
    tangent of ones through all elements at once needs no ``vmap``.
    """

    def derivative(x: jax.Array) -> jax.Array:
        return jax.jvp(function, (x,), (jnp.ones_like(x),))[1]

    return derivative
