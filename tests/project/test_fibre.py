"""The fibre model against mpmath, and the demo that shows it."""

import functools
import os
import re
import subprocess
import sys
from pathlib import Path

import jax
import jax.numpy as jnp
import mpmath as mp
import numpy as np
import pytest

import jaxsci
from jaxsci._demo import fibre as model
from jaxsci._demo import fit as fibre_fit

pytestmark = pytest.mark.rotating(0.015)

RADIUS, DOPING = model.STANDARD_CORE_RADIUS, model.STANDARD_DOPING
# In um: one at which the fibre has a second mode, one near zero dispersion, one far above it.
WAVELENGTHS = (1.21, 1.31, 1.55)
SHIFTED = (2.15, 0.095)  # a dispersion-shifted design: radius in um, doping

# --- the model once more, in mpmath, with data and equations written down anew

DIGITS = 20
SILICA = "0.69616630 0.068404300 0.40794260 0.11624140 0.89747940 9.8961610"
GERMANIA = "0.80686642 0.068972606 0.71815848 0.15396605 0.85416831 11.841931"
UNIT = mp.mpf(10**12) / 299792458  # 1/um over m/s, in ps/(nm km)


@pytest.fixture(autouse=True)
def many_digits():
    with mp.workdps(DIGITS):
        yield


def permittivity(wavelength, doping):
    with mp.workdps(DIGITS):
        silica, germania = ([mp.mpf(x) for x in values.split()] for values in (SILICA, GERMANIA))
    mixed = [s * (1 - doping) + g * doping for s, g in zip(silica, germania, strict=True)]
    poles = zip(mixed[::2], mixed[1::2], strict=True)
    return 1 + sum(a / (1 - (pole / wavelength) ** 2) for a, pole in poles)


def parameters(wavelength, radius, doping):
    """Parameters u and w of LP01."""
    step = permittivity(wavelength, doping) - permittivity(wavelength, 0)
    v = 2 * mp.pi * radius / wavelength * mp.sqrt(step)

    def equation(u):
        w = mp.sqrt(v**2 - u**2)
        core, cladding = u * mp.besselj(1, u), w * mp.besselk(1, w)
        return core * mp.besselk(0, w) - cladding * mp.besselj(0, u)

    with mp.workdps(15):  # few digits first, from a bracket good for V between 1.5 and 2.7
        near = mp.findroot(equation, (0.62 * v, 0.8 * v), solver="anderson", tol=1e-12)
    u = mp.findroot(equation, (near, near * (1 + mp.mpf("1e-12"))))
    return u, mp.sqrt(v**2 - u**2)


def index(wavelength, radius, doping):
    u, _ = parameters(wavelength, radius, doping)
    return mp.sqrt(permittivity(wavelength, doping) - (u * wavelength / (2 * mp.pi * radius)) ** 2)


def dispersion(wavelength, radius, doping):
    return -UNIT * wavelength * mp.diff(lambda x: index(x, radius, doping), wavelength, 2)


def dispersion_derivative(fibre, which):
    """In wavelength (0), radius (1) or doping (2).

    By a central difference, right to 13 of the 20 digits: `mpmath.diff` of an `mpmath.diff`
    raises the precision twice over, and takes ten times as long.
    """
    step = fibre[which] * mp.mpf("1e-7")
    up, down = ([*fibre[:which], fibre[which] + s, *fibre[which + 1 :]] for s in (step, -step))
    return (dispersion(*up) - dispersion(*down)) / (2 * step)


def exactly(*values):
    """The doubles that JAX gets, as they are."""
    return tuple(mp.mpf(float(x)) for x in values)


def assert_close(value, exact, relative=0.0, absolute=0.0):
    np.testing.assert_allclose(float(value), float(exact), rtol=relative, atol=absolute)


# --- values


@pytest.mark.parametrize("doping", [0.0, DOPING, 1.0])
@pytest.mark.parametrize("wavelength", WAVELENGTHS)
def test_glass(wavelength, doping):
    exact = permittivity(*exactly(wavelength, doping))
    assert_close(model.glass_permittivity(wavelength, doping), exact, relative=1e-15)


def test_silica_has_the_index_found_in_tables():
    assert_close(jnp.sqrt(model.glass_permittivity(1.55, 0.0)), 1.4440, absolute=5e-5)


@pytest.fixture(scope="module")
def spectrum():
    return model.mode_spectrum(jnp.array(WAVELENGTHS), RADIUS, DOPING)


@pytest.mark.parametrize("i", range(len(WAVELENGTHS)))
def test_spectrum(spectrum, i):
    wavelength, radius, doping = exactly(WAVELENGTHS[i], RADIUS, DOPING)
    n = index(wavelength, radius, doping)
    slope = mp.diff(lambda x: index(x, radius, doping), wavelength)
    assert_close(spectrum.effective_index[i], n, relative=4e-16)
    assert_close(spectrum.group_index[i], n - wavelength * slope, relative=2e-15)
    exact = dispersion(wavelength, radius, doping)
    assert_close(spectrum.dispersion[i], exact, absolute=1e-10)


def field(r, u, w):
    """The mode's field at r core radii, and 1 at the core's edge."""
    if r < 1:
        return mp.besselj(0, u * r) / mp.besselj(0, u)
    return mp.besselk(0, w * r) / mp.besselk(0, w)


@pytest.mark.parametrize("i", range(len(WAVELENGTHS)))
def test_mode_field_diameter_is_the_ratio_of_integrals(spectrum, i):
    u, w = parameters(*exactly(WAVELENGTHS[i], RADIUS, DOPING))
    with mp.workdps(15):
        edges = [0, 1, 4, 20]  # beyond, the square of the field is below exp(-36)

        def height(r):
            return field(r, u, w)

        def slope(r):
            if r < 1:
                return u * mp.besselj(1, u * r) / mp.besselj(0, u)
            return w * mp.besselk(1, w * r) / mp.besselk(0, w)

        integrals = [mp.quad(lambda r, f=f: f(r) ** 2 * r, edges) for f in (height, slope)]
    exact = mp.mpf(RADIUS) * mp.sqrt(8 * mp.fdiv(*integrals))
    assert_close(spectrum.mode_field_diameter[i], exact, relative=1e-12)


def test_mode_field():
    radii = (0.0, 1.3, RADIUS, 9.7)
    u, w = parameters(*exactly(1.31, RADIUS, DOPING))
    values = model.mode_field(jnp.array(radii), 1.31, RADIUS, DOPING)
    for radius, value in zip(radii, values, strict=True):
        exact = field(mp.mpf(radius) / RADIUS, u, w) * mp.besselj(0, u)
        assert_close(value, exact, relative=1e-13)


def test_elementwise_and_vectorised_are_one_model(spectrum):
    curvature = jax.jit(jax.grad(jax.grad(model.effective_index)))
    for i, wavelength in enumerate(WAVELENGTHS):
        nested = -1e12 / model.SPEED_OF_LIGHT * wavelength * curvature(wavelength, RADIUS, DOPING)
        assert_close(nested, spectrum.dispersion[i], absolute=1e-10)
    at_once = jax.jit(model.dispersion)(jnp.array(WAVELENGTHS), RADIUS, DOPING)
    np.testing.assert_allclose(at_once, spectrum.dispersion, rtol=0, atol=1e-10)


def test_single_precision():
    wavelengths = jnp.array([1.31, 1.55], jnp.float32)
    spectrum = model.mode_spectrum(wavelengths, RADIUS, DOPING)
    assert all(values.dtype == jnp.float32 for values in spectrum)
    exact = [float(dispersion(*exactly(x, RADIUS, DOPING))) for x in wavelengths]
    np.testing.assert_allclose(spectrum.dispersion, exact, rtol=0, atol=5e-3)


def test_weak_guidance_is_exact_down_to_where_it_is_not_resolved():
    """For small V the field reaches far: w = 2 exp(-gamma - J0(V)/(V J1(V)))."""
    v = jnp.array([0.3, 0.36, 0.38, 0.5])
    u, w = model.mode_parameters(v)
    x = [mp.mpf(float(x)) for x in v]
    far = [2 * mp.exp(-mp.euler - mp.besselj(0, x) / (x * mp.besselj(1, x))) for x in x]
    np.testing.assert_allclose(w[2:], [float(x) for x in far[2:]], rtol=1e-4)
    np.testing.assert_allclose(u[2:], v[2:], rtol=1e-5)
    assert jnp.all(jnp.isnan(u[:2]) & jnp.isnan(w[:2]))


# --- zero dispersion, and derivatives in the design


@functools.cache
def exact_zero():
    """Zero-dispersion wavelength in um, and slope in ps/(nm km um)."""
    radius, doping = exactly(RADIUS, DOPING)
    wavelength = mp.mpf("1.3091")
    slope = dispersion_derivative((wavelength, radius, doping), 0)
    for _ in range(2):  # from seven digits to as many as there are
        wavelength -= dispersion(wavelength, radius, doping) / slope
    return wavelength, dispersion_derivative((wavelength, radius, doping), 0)


def test_zero_dispersion():
    zero = model.zero_dispersion(RADIUS, DOPING)
    wavelength, slope = exact_zero()
    assert_close(zero.wavelength, wavelength, relative=1e-13)
    assert_close(zero.slope, slope / 1000, relative=1e-11)
    # The figures of an independent computation, with finite differences.
    assert_close(zero.wavelength, 1.3091, absolute=1e-4)
    assert_close(zero.slope, 0.0856, absolute=1e-4)


@pytest.mark.parametrize("wavelength", [1.31, 1.55])
def test_gradient_of_dispersion_in_the_design(wavelength):
    gradient = jax.jit(jax.grad(model.dispersion, argnums=(1, 2)))(wavelength, RADIUS, DOPING)
    fibre = exactly(wavelength, RADIUS, DOPING)
    assert_close(gradient[0], dispersion_derivative(fibre, 1), relative=1e-11)
    assert_close(gradient[1], dispersion_derivative(fibre, 2), relative=1e-11)


def test_gradient_of_the_zero_dispersion_wavelength():
    gradient = jax.jit(jax.grad(model.zero_dispersion_wavelength, argnums=(0, 1)))(RADIUS, DOPING)
    wavelength, slope = exact_zero()
    fibre = (wavelength, *exactly(RADIUS, DOPING))
    assert_close(gradient[0], -dispersion_derivative(fibre, 1) / slope, relative=1e-11)
    assert_close(gradient[1], -dispersion_derivative(fibre, 2) / slope, relative=1e-11)


# --- where there is no answer


@pytest.mark.parametrize(
    ("radius", "doping"),
    [(4.1, 0.0), (4.1, -0.01), (0.0, 0.034), (-4.1, 0.034), (0.5, 0.034), (np.nan, 0.034)],
)
def test_nothing_guided_is_not_a_number(radius, doping):
    """Neither for the fibre that guides nothing, nor at the cost of its neighbours."""
    radii, dopings = jnp.array([radius, RADIUS]), jnp.array([doping, DOPING])
    spectra = jax.vmap(model.mode_spectrum, in_axes=(None, 0, 0))(jnp.array([1.31]), radii, dopings)
    alone = model.mode_spectrum(jnp.array([1.31]), RADIUS, DOPING)
    for both, one in zip(spectra, alone, strict=True):
        assert jnp.isnan(both[0, 0])
        np.testing.assert_allclose(both[1], one, rtol=1e-13, atol=1e-11)


def test_gradient_where_nothing_is_guided_is_not_a_number():
    for doping in (0.0, -0.01):
        gradient = jax.grad(model.effective_index, argnums=(0, 1, 2))(1.31, RADIUS, doping)
        assert all(jnp.isnan(x) for x in gradient)


@pytest.mark.rotating(0.3)
def test_no_zero_of_dispersion_is_not_a_number():
    zero = model.zero_dispersion(1.5, 0.09)  # from -25 to -22 ps/(nm km), with no zero between
    assert jnp.isnan(zero.wavelength)
    assert jnp.isnan(zero.slope)


# --- the fit


WANTED_AT = np.linspace(1.25, 1.7, 16)


def fit(target, **options):
    return fibre_fit.fit_dispersion(jnp.array(WANTED_AT), target, RADIUS, DOPING, **options)


def test_fit_finds_the_design_behind_a_curve():
    seen = []
    result = fit(model.dispersion(jnp.array(WANTED_AT), *SHIFTED), on_step=seen.append)
    assert result.converged
    assert result.residual < 1e-10
    np.testing.assert_allclose((result.core_radius, result.doping), SHIFTED, rtol=1e-10)
    assert [best.steps for best in seen] == list(range(1, result.steps + 1))
    residuals = [best.residual for best in seen]
    assert residuals == sorted(residuals, reverse=True)


def test_fit_stops_when_told():
    result = fit(model.dispersion(jnp.array(WANTED_AT), *SHIFTED), steps=2)
    assert (result.steps, result.converged) == (2, False)


def test_fit_of_what_no_fibre_does_is_the_best_there_is():
    """At the end the mismatch is orthogonal to what a change of the design can do."""
    target = model.dispersion(jnp.array(WANTED_AT), *SHIFTED) + jnp.cos(20 * WANTED_AT)
    result = fit(target, steps=60)
    assert result.converged
    mismatch, jacobian = fibre_fit._mismatch(
        jnp.log(jnp.array([result.core_radius, result.doping])), jnp.array(WANTED_AT), target
    )
    gradient = jacobian.T @ mismatch
    assert jnp.max(jnp.abs(gradient)) < 1e-6 * jnp.linalg.norm(jacobian) * result.residual


# --- the demo


def run_demo(folder, *arguments, hidden=()):
    """Run the demo in `folder`, as if the modules in `hidden` were not installed."""
    blocks = folder / "blocks"
    blocks.mkdir()
    for name in hidden:
        missing = f"raise ModuleNotFoundError('not installed', name={name!r})"
        (blocks / f"{name}.py").write_text(missing)
    package = Path(jaxsci.__file__).parents[1]
    path = os.pathsep.join(filter(None, [str(blocks), str(package), os.environ.get("PYTHONPATH")]))
    return subprocess.run(
        [sys.executable, "-m", "jaxsci", "demo", *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=300,
        check=False,
    )


def row(output, name):
    return re.search(rf"^{re.escape(name)} .*", output, re.M)


def test_demo_help(tmp_path):
    done = run_demo(tmp_path, "--help")
    assert done.returncode == 0
    for option in ("--plot", "--no-fit", "--steps", "--core-radius", "--doping", "--points"):
        assert option in done.stdout


@pytest.mark.parametrize(
    "arguments",
    [
        ("--steps", "0"),
        ("--doping", "-1"),
        ("--doping", "101"),
        ("--core-radius", "0"),
        ("--core-radius", "nan"),
        ("--plot", os.path.join("nowhere", "figure.png")),
    ],
)
def test_demo_refuses_nonsense_at_once(tmp_path, arguments):
    done = run_demo(tmp_path, *arguments)
    assert done.returncode == 2
    assert not done.stdout
    assert "Traceback" not in done.stderr


def test_demo_without_fit(tmp_path):
    done = run_demo(tmp_path, "--no-fit", "--points", "6", "--plot", "figure.png")
    assert done.returncode == 0, done.stderr
    table = re.findall(r"^ +1[2-7]\d\d\.0(?: +-?\d+\.\d+){5}$", done.stdout, re.M)
    assert len(table) == 6
    expected = {
        "zero-dispersion wavelength": "1309.1",
        "dispersion slope there": "0.0856",
        "dispersion at 1550 nm": "16.68",
        "mode-field diameter at 1310 nm": "8.90",
    }
    for name, value in expected.items():
        found = row(done.stdout, name)
        assert found
        assert value in found[0].split()
        assert found[0].endswith(" yes")
    assert (tmp_path / "figure.png").read_bytes().startswith(b"\x89PNG")
    assert "Fitted" not in done.stdout


def test_demo_with_fit_needs_neither_matplotlib_nor_tqdm(tmp_path):
    done = run_demo(tmp_path, "--points", "2", hidden=("matplotlib", "tqdm"))
    assert done.returncode == 0, done.stderr
    assert "core radius 2.1500 um, 9.5000 mol% GeO2; converged" in done.stdout
    assert "matplotlib is not installed" in done.stdout
    assert 'pip install "jaxsci[notebooks]"' in done.stdout
    assert "fit: [" in done.stderr
    assert not list(tmp_path.glob("*.png"))


def test_demo_of_a_fibre_without_zero_dispersion_and_without_its_plot(tmp_path):
    fibre = ("--core-radius", "1.5", "--doping", "9", "--points", "2")
    done = run_demo(tmp_path, *fibre, "--no-fit", "--plot", "figure.png", hidden=("matplotlib",))
    assert done.returncode == 1  # the plot was asked for
    assert "matplotlib is not installed" in done.stdout
    assert "has no zero between 1200 and 1700 nm" in done.stdout
    found = row(done.stdout, "zero-dispersion wavelength")
    assert found
    assert found[0].split()[-1] == "no"
