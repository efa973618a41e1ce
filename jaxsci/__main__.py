"""The command ``jaxsci`` (and ``python -m jaxsci``): the demo, and the catalog of functions."""

from __future__ import annotations

import argparse
import inspect
import platform
import shutil
import sys
import textwrap
from collections.abc import Mapping, Sequence
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING

from jaxsci import __version__
from jaxsci._demo import report
from jaxsci._verification import check as checking

if TYPE_CHECKING:
    from jaxsci.linalg._infra.catalog import Entry
    from jaxsci.special._catalog.row import Row


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit status."""
    parser = argparse.ArgumentParser(
        prog=_command(), description="SciPy's special functions and linear algebra for JAX."
    )
    parser.add_argument("--version", action="version", version=f"jaxsci {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    demo = commands.add_parser(
        "demo",
        help="the chromatic dispersion of an optical fibre, by differentiating through jv and kv",
        description=report.__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    report.add_arguments(demo)
    catalog = commands.add_parser(
        "catalog",
        help="what is wrapped: functions, arguments, dtypes, derivatives, DLMF numbers",
        description="Print the table of functions, one block each: arguments with their kinds and "
        "the rule for the derivative in each of them, or the reason why there is none.",
    )
    catalog.add_argument("names", nargs="*", metavar="NAME", help="only these functions")
    catalog.add_argument(
        "--linalg", action="store_true", help="of jaxsci.linalg rather than jaxsci.special"
    )
    ways = catalog.add_mutually_exclusive_group()
    ways.add_argument("--count", action="store_true", help="print only how many there are")
    ways.add_argument("--markdown", action="store_true", help="print a table for the docs")
    ways.add_argument(
        "--kernels", action="store_true", help="print the functions that devices compute"
    )
    ways.add_argument(
        "--check", action="store_true", help="fail on functions of SciPy's that lack a row"
    )
    ways.add_argument(
        "--draft",
        action="store_true",
        help="print rows to be completed: of the functions named, or of all that lack one",
    )
    check = commands.add_parser(
        "check",
        help="how accurate values and derivatives are, by mpmath, at random points",
        description=checking.__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    checking.add_arguments(check)
    commands.add_parser(
        "info",
        help="versions, and which backends there are",
        description="Print the versions that matter, and the backends: which one is used, and why "
        "another is absent.",
    )
    arguments = parser.parse_args(argv)
    shadowed = _shadowed_installation()
    if shadowed is not None:
        print(
            f"note: this runs the sources in {_HERE}, not jaxsci as installed in {shadowed}; the "
            "command `jaxsci` runs that",
            file=sys.stderr,
        )
    if arguments.command == "demo":
        return report.main(arguments)
    if arguments.command == "info":
        return _print_info()
    if arguments.command == "check":
        return checking.main(arguments)
    return _catalog(arguments)


_HERE = Path(__file__).resolve().parent


def _command() -> str:
    return "jaxsci" if Path(sys.argv[0]).stem == "jaxsci" else "python -m jaxsci"


def _shadowed_installation() -> Path | None:
    """Where jaxsci is installed, if the files that run are others."""
    try:
        # Its own metadata lie in another folder than these sources: `python -m` puts the current
        # directory first.
        installed = metadata.distribution("jaxsci").locate_file("jaxsci")
    except metadata.PackageNotFoundError:
        return None
    folder = Path(str(installed)).resolve()
    return folder if folder.is_dir() and folder != _HERE else None


def _print_info() -> int:
    from jaxsci import _native
    from jaxsci._core import dispatch
    from jaxsci.special._catalog import coverage

    print(f"jaxsci    {__version__}, in {_HERE}")
    print(f"python    {platform.python_version()}, {platform.platform()}")
    for package in ("jax", "jaxlib", "numpy", "scipy"):
        print(f"{package:9} {metadata.version(package)}")
    print("backends:")
    descriptions = {
        "ffi": "SciPy's inner loops, called from compiled code (CPU)",
        "callback": "SciPy's functions, called through Python (every platform)",
    }
    kernels = coverage.kernel_count()
    print(f"  {'device':9} {kernels}; on accelerators where nothing is chosen")
    for name, description in descriptions.items():
        if name in dispatch.BACKENDS:
            used = ", the default on CPUs" if name == dispatch.DEFAULT_BACKEND else ""
            print(f"  {name:9} {description}{used}")
        else:
            print(f"  {name:9} absent: {_native.ABSENT}")
    return 0


def _catalog(arguments: argparse.Namespace) -> int:
    import jaxsci.linalg
    import jaxsci.special  # noqa: F401  (fills the catalog)
    from jaxsci.linalg._infra import coverage as linalg_coverage
    from jaxsci.special._catalog import coverage as special_coverage

    coverage = linalg_coverage if arguments.linalg else special_coverage
    if arguments.count:
        print(coverage.count())
        return 0
    if arguments.markdown:
        print(coverage.markdown())
        return 0
    if arguments.kernels:
        print(special_coverage.kernels())
        return 0
    if arguments.check:
        problems = special_coverage.problems() + linalg_coverage.problems()
        print("\n".join(problems) or "complete", file=sys.stderr if problems else sys.stdout)
        return 1 if problems else 0
    if arguments.draft:
        return _print_drafts(arguments.names or sorted(special_coverage.lacking()))
    entries: Mapping[str, Row | Entry] = coverage.entries()
    unknown = sorted(set(arguments.names) - entries.keys())
    if unknown:
        print(f"no such function in the catalog: {', '.join(unknown)}", file=sys.stderr)
        return 2
    for name in sorted(arguments.names or entries):
        _print_entry(name, entries[name])
    return 0


def _print_drafts(names: Sequence[str]) -> int:
    from jaxsci.special._catalog import draft
    from jaxsci.special._catalog.excluded import scipy_names

    unknown = sorted(set(names) - scipy_names())
    if unknown:
        print(f"scipy.special has no {', '.join(unknown)}", file=sys.stderr)
        return 2
    print("\n\n\n".join(map(draft.draft, names)))
    return 0


def _print_entry(name: str, entry: Row | Entry) -> None:
    from jaxsci.special._catalog.docs import dlmf_pages
    from jaxsci.special._catalog.row import ElementwiseRow, TableRow

    if not isinstance(entry, ElementwiseRow | TableRow):
        print(f"{entry.name}{inspect.signature(entry.function)}")
        print(textwrap.indent(inspect.getdoc(entry.function) or "", "    "))
        return
    row = entry
    print(f"{name}({', '.join(f'{a.name}: {a.kind.value}' for a in row.arguments)})")
    if name != row.name:
        print(f"    SciPy's other name of {row.name}")
    print(f"    {row.summary.splitlines()[0]}")
    print(f"    DLMF {row.source}" if dlmf_pages(row.source) else f"    {row.source}")
    print(f"    result: {row.dtypes()}")
    if isinstance(row, ElementwiseRow):
        print(f"    on devices: {row.on_devices()}")
    width = max(60, shutil.get_terminal_size((100, 24)).columns - 2)
    for argument in row.arguments:
        line = f"d/d{argument.name}: {row.state(argument)}"
        print(textwrap.fill(line, width, initial_indent="    ", subsequent_indent="        "))


if __name__ == "__main__":
    sys.exit(main())
