"""The demo, ``jaxsci demo``: a single-mode fibre, and a fit of its design.

It prints what the model in `jaxsci/_demo/fibre.py` says of a fibre, beside what manufacturers
publish for the standard one, then searches for the core that has a wanted dispersion curve, and
draws both.
"""

import argparse
import math
import sys
import time
from pathlib import Path
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from jaxsci._demo import fibre as model
from jaxsci._demo.fit import FibreFit, fit_dispersion
from jaxsci._progress import progress_bar
from jaxsci._terminal import bad, good

_DEFAULT_PLOT = Path("fibre_dispersion.png")

_DESCRIPTION = """\
Follow the fundamental mode of a step-index optical fibre. The mode solves an equation in Bessel
functions; group index, chromatic dispersion and dispersion slope are its first, second and third
derivatives in wavelength, taken by JAX through the Bessel functions and through the root.

The demo prints these for a fibre, compares them with what is published for standard single-mode
fibre, and then fits core radius and doping to the dispersion curve of another fibre, whose design
the fit does not know. It ends with a plot. It takes about 20 seconds, most of it compilation.
"""


class _Range(NamedTuple):
    """What manufacturers publish for one property of standard single-mode fibre."""

    name: str
    unit: str
    lowest: float
    highest: float
    published: str
    decimals: int


# Recommendation ITU-T G.652 for the zero-dispersion wavelength and slope, and common data sheets
# of fibres made to it for the rest.
_PUBLISHED = (
    _Range("zero-dispersion wavelength", "nm", 1300.0, 1324.0, "1300 to 1324", 1),
    _Range("dispersion slope there", "ps/(nm^2 km)", -math.inf, 0.092, "at most 0.092", 4),
    _Range("dispersion at 1550 nm", "ps/(nm km)", -math.inf, 18.0, "at most 18", 2),
    _Range("mode-field diameter at 1310 nm", "um", 8.8, 9.6, "9.2 +- 0.4", 2),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the demo's options and their description to `parser`."""
    parser.description = _DESCRIPTION
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    fibre = parser.add_argument_group("the fibre: doped core in a cladding of pure silica")
    fibre.add_argument(
        "--core-radius",
        type=_positive,
        default=model.STANDARD_CORE_RADIUS,
        metavar="UM",
        help="core radius in micrometres (default: %(default)s)",
    )
    fibre.add_argument(
        "--doping",
        type=_mole_percent,
        default=100 * model.STANDARD_DOPING,
        metavar="PERCENT",
        help="GeO2 in the core in mole per cent (default: %(default).3g)",
    )
    fibre.add_argument(
        "--points",
        type=_at_least(2),
        default=11,
        metavar="N",
        help="wavelengths in the table, from 1.2 to 1.7 micrometres (default: %(default)s)",
    )
    fit = parser.add_argument_group("the fit, which starts from that fibre")
    fit.add_argument("--no-fit", action="store_true", help="leave out the fit")
    fit.add_argument(
        "--steps",
        type=_at_least(1),
        default=30,
        metavar="N",
        help="most steps to try; the fit ends earlier once converged (default: %(default)s)",
    )
    fit.add_argument(
        "--target-core-radius",
        type=_positive,
        default=2.15,
        metavar="UM",
        help="core radius of the fibre whose dispersion is wanted (default: %(default)s)",
    )
    fit.add_argument(
        "--target-doping",
        type=_mole_percent,
        default=9.5,
        metavar="PERCENT",
        help="GeO2 in its core in mole per cent (default: %(default)s)",
    )
    plot = parser.add_argument_group(
        "the plot, which needs matplotlib"
    ).add_mutually_exclusive_group()
    plot.add_argument(
        "--plot",
        type=Path,
        metavar="FILE",
        help=f"where to save it; the ending tells the format (default: {_DEFAULT_PLOT})",
    )
    plot.add_argument("--no-plot", action="store_true", help="leave out the plot")


def main(args: argparse.Namespace) -> int:
    """Run the demo with parsed `args`; returns the exit status.

    Turns on ``jax_enable_x64`` for the process.
    """
    start = time.perf_counter()
    path: Path = args.plot or _DEFAULT_PLOT
    if not args.no_plot and not path.parent.is_dir():  # sooner than after the work
        print(f"There is no folder {path.parent} to save the plot in.", file=sys.stderr)
        return 2
    jax.config.update("jax_enable_x64", True)

    core_radius, doping = args.core_radius, args.doping / 100
    print(f"Step-index fibre: {_design(core_radius, doping)}, cladding of pure silica.")
    print("Derivatives by JAX through Bessel functions and a root; no finite differences.\n")
    _print_table(core_radius, doping, args.points)
    _print_comparison(core_radius, doping)

    designs, target = [("this fibre", core_radius, doping)], None
    if not args.no_fit:
        wavelengths = jnp.linspace(1.25, 1.7, 16)
        wanted = _dispersion(wavelengths, args.target_core_radius, args.target_doping / 100)
        if not bool(jnp.all(jnp.isfinite(wanted))):
            print(
                "The target fibre guides no mode, so its dispersion can't be fitted.",
                file=sys.stderr,
            )
            return 1
        fit = _run_fit(args, wavelengths, wanted)
        designs = [("before", core_radius, doping), ("after", fit.core_radius, fit.doping)]
        target = (np.asarray(wavelengths), np.asarray(wanted))

    status = 0 if args.no_plot else _plot(path, args.plot is not None, designs, target)
    print(f"Done in {time.perf_counter() - start:.0f} s.")
    return status


_dispersion = jax.jit(model.dispersion)


def _design(core_radius: float, doping: float) -> str:
    return f"core radius {core_radius:.4f} um, {100 * doping:.4f} mol% GeO2"


def _print_table(core_radius: float, doping: float, points: int) -> None:
    wavelengths = jnp.linspace(1.2, 1.7, points)
    frequencies = model.normalised_frequency(wavelengths, core_radius, doping)
    spectrum = model.mode_spectrum(wavelengths, core_radius, doping)
    print("  wavelength        V       n_eff   group index             D        MFD")
    print("          nm                                     ps/(nm km)         um")
    for wavelength, v, index, group, dispersion, diameter in zip(
        wavelengths, frequencies, *spectrum, strict=True
    ):
        print(
            f"{1e3 * wavelength:12.1f} {v:8.4f} {index:11.7f} {group:13.7f}"
            f" {dispersion:13.4f} {diameter:10.4f}"
        )
    print("\nAll of it is for the fundamental mode, LP01; the fibre has others where V > 2.405.\n")


def _print_comparison(core_radius: float, doping: float) -> None:
    zero = model.zero_dispersion(core_radius, doping)
    at_1310, at_1550 = jnp.array([1.31]), jnp.array([1.55])
    values = (
        1e3 * float(zero.wavelength),
        float(zero.slope),
        float(model.mode_spectrum(at_1550, core_radius, doping).dispersion[0]),
        float(model.mode_spectrum(at_1310, core_radius, doping).mode_field_diameter[0]),
    )
    print(f"{'':47}{'computed':>9}   published       within")
    for row, value in zip(_PUBLISHED, values, strict=True):
        computed = f"{value:9.{row.decimals}f}" if math.isfinite(value) else f"{'none':>9}"
        within = good("yes") if row.lowest <= value <= row.highest else bad("no")
        print(f"{row.name:<32} {row.unit:<13} {computed}   {row.published:<15} {within}")
    print("\nPublished for standard single-mode fibre: ITU-T G.652 (first two rows), data sheets.")
    if not math.isfinite(values[0]):
        print("The dispersion of this fibre has no zero between 1200 and 1700 nm.")
    print()


def _run_fit(args: argparse.Namespace, wavelengths: jax.Array, wanted: jax.Array) -> FibreFit:
    target_radius, target_doping = args.target_core_radius, args.target_doping / 100
    print(f"Fit to the dispersion at {len(wavelengths)} wavelengths of a fibre that the fit does")
    print(f"not know: {_design(target_radius, target_doping)}.", flush=True)

    with progress_bar("fit", args.steps) as advance:
        fit = fit_dispersion(
            wavelengths,
            wanted,
            args.core_radius,
            args.doping / 100,
            args.steps,
            lambda best: advance(best.steps, f"mismatch {best.residual:.1e} ps/(nm km)"),
        )

    zero = 1e3 * float(model.zero_dispersion(fit.core_radius, fit.doping).wavelength)
    ending = "converged" if fit.converged else "not converged"
    print(f"Fitted:   {_design(fit.core_radius, fit.doping)}; {ending} after {fit.steps} steps.")
    print(f"Mismatch: {fit.residual:.1e} ps/(nm km), root mean square.")
    print(
        f"Off by:   {abs(fit.core_radius / target_radius - 1):.1e} of the core radius,"
        f" {abs(fit.doping / target_doping - 1):.1e} of the doping."
    )
    if math.isfinite(zero):
        print(f"Its zero-dispersion wavelength is {zero:.1f} nm.")
    print()
    return fit


def _plot(
    path: Path,
    asked_for: bool,
    designs: list[tuple[str, float, float]],
    target: tuple[np.ndarray, np.ndarray] | None,
) -> int:
    try:
        from jaxsci._demo.plot import Design, Target, save_figure
    except ModuleNotFoundError as missing:
        print(f"No plot: {missing.name} is not installed. To get it:")
        print('    pip install "jaxsci[notebooks]"')
        return 1 if asked_for else 0
    try:
        save_figure(path, [Design(*d) for d in designs], Target(*target) if target else None)
    except (OSError, ValueError) as problem:  # ValueError: an ending that names no format
        print(f"The plot could not be saved: {problem}", file=sys.stderr)
        return 1
    print(f"Plot saved as {path}.")
    return 0


def _positive(text: str) -> float:
    value = float(text)
    if not 0.0 < value < math.inf:
        raise argparse.ArgumentTypeError(f"{text} is not a positive number")
    return value


def _mole_percent(text: str) -> float:
    value = float(text)
    if not 0.0 < value <= 100.0:
        raise argparse.ArgumentTypeError(f"{text} is not between 0 and 100")
    return value


def _at_least(least: int):
    def integer(text: str) -> int:
        value = int(text)
        if value < least:
            raise argparse.ArgumentTypeError(f"{text} is less than {least}")
        return value

    return integer
