"""Figure of the fibre demo: dispersion curves and the effective index. Needs matplotlib."""

from pathlib import Path
from typing import NamedTuple

import jax.numpy as jnp
import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from jaxsci._demo.fibre import glass_permittivity, mode_spectrum, zero_dispersion

_SHORTEST, _LONGEST, _POINTS = 1.2, 1.7, 101  # um, um, points on a curve
_COLOURS = ("tab:blue", "tab:red")


class Design(NamedTuple):
    """A fibre to draw."""

    label: str
    core_radius: float  # um
    doping: float  # mole fraction of GeO2


class Target(NamedTuple):
    """A wanted dispersion curve: wavelengths in um and dispersion in ps/(nm km), shape (n,)."""

    wavelengths: np.ndarray
    dispersion: np.ndarray


def save_figure(path: Path, designs: list[Design], target: Target | None) -> None:
    """Draw one or two designs, and the target if there is one, and write the figure to `path`."""
    # Not pyplot: it would keep the figure, and pick a backend for the whole process.
    figure = Figure(figsize=(11.0, 4.6), layout="constrained")
    FigureCanvasAgg(figure)
    left, right = figure.subplots(1, 2)
    wavelengths = jnp.linspace(_SHORTEST, _LONGEST, _POINTS)

    left.axhline(0.0, color="0.6", linewidth=0.8)
    if target is not None:
        left.plot(
            1e3 * target.wavelengths,
            target.dispersion,
            "o",
            markersize=4,
            markerfacecolor="none",
            color="black",
            label="wanted",
            zorder=3,
        )
    for design, colour in zip(designs, _COLOURS, strict=False):
        spectrum = mode_spectrum(wavelengths, design.core_radius, design.doping)
        left.plot(1e3 * wavelengths, spectrum.dispersion, color=colour, label=_caption(design))
        zero = 1e3 * float(zero_dispersion(design.core_radius, design.doping).wavelength)
        if np.isfinite(zero):
            left.plot(zero, 0.0, "D", color=colour, markersize=6, zorder=4)
            left.annotate(
                f"{zero:.1f} nm",
                (zero, 0.0),
                xytext=(6, -14),
                textcoords="offset points",
                color=colour,
            )
        right.plot(1e3 * wavelengths, spectrum.effective_index, color=colour, label=design.label)
        core = jnp.sqrt(glass_permittivity(wavelengths, design.doping))
        right.plot(1e3 * wavelengths, core, ":", color=colour, label=f"{design.label}: core glass")
    cladding = jnp.sqrt(glass_permittivity(wavelengths, 0.0))
    right.plot(1e3 * wavelengths, cladding, ":", color="0.4", label="cladding: silica")

    left.set_title("Chromatic dispersion of LP01 (diamonds: zero dispersion)", fontsize="medium")
    left.set_ylabel("dispersion D / ps nm$^{-1}$ km$^{-1}$")
    right.set_title("Effective index of LP01", fontsize="medium")
    right.set_ylabel("refractive index")
    for axes in (left, right):
        axes.set_xlabel("vacuum wavelength / nm")
        axes.set_xlim(1e3 * _SHORTEST, 1e3 * _LONGEST)
        axes.grid(alpha=0.3)
        axes.legend(fontsize="small")
    figure.savefig(path, dpi=150)


def _caption(design: Design) -> str:
    return (
        f"{design.label}: a = {design.core_radius:.3f} µm, {100 * design.doping:.2f} mol% GeO$_2$"
    )
