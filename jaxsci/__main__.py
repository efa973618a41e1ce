"""``python -m jaxsci``: the demo, and the catalog of functions."""

from __future__ import annotations

import argparse
import shutil
import sys
import textwrap
from collections.abc import Sequence

from jaxsci import __version__, _demo


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m jaxsci", description="SciPy's special functions and linear algebra for JAX."
    )
    parser.add_argument("--version", action="version", version=f"jaxsci {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    demo = commands.add_parser(
        "demo",
        help="the chromatic dispersion of an optical fibre, by differentiating through jv and kv",
        description=_demo.__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    _demo.add_arguments(demo)
    catalog = commands.add_parser(
        "catalog",
        help="what is wrapped: functions, arguments, dtypes, derivatives, DLMF numbers",
        description="Print the table of functions, one block each: arguments with their kinds and "
        "the rule for the derivative in each of them, or the reason why there is none.",
    )
    catalog.add_argument("names", nargs="*", metavar="NAME", help="only these functions")
    catalog.add_argument("--count", action="store_true", help="print only how many there are")
    commands.add_parser(
        "info",
        help="versions, and which backends there are",
        description="Print the versions that matter, and the backends: which one is used, and why "
        "another is absent.",
    )
    arguments = parser.parse_args(argv)
    if arguments.command == "demo":
        return _demo.main(arguments)
    if arguments.command == "info":
        return _print_info()
    return _print_catalog(arguments.names, arguments.count)


def _print_info() -> int:
    from importlib.metadata import version

    from jaxsci import _dispatch, _native

    print(f"jaxsci    {__version__}")
    for package in ("jax", "numpy", "scipy"):
        print(f"{package:9} {version(package)}")
    print("backends:")
    descriptions = {
        "ffi": "SciPy's inner loops, called from compiled code (CPU)",
        "callback": "SciPy's functions, called through Python (every platform)",
    }
    for name, description in descriptions.items():
        if name in _dispatch.BACKENDS:
            used = ", the default" if name == _dispatch.DEFAULT_BACKEND else ""
            print(f"  {name:9} {description}{used}")
        else:
            print(f"  {name:9} absent: {_native.ABSENT}")
    return 0


def _print_catalog(names: Sequence[str], count: bool) -> int:
    import jaxsci.special  # noqa: F401  (fills the catalog)
    from jaxsci._catalog import CATALOG
    from jaxsci._excluded import NOT_FUNCTIONS, scipy_names

    if count:
        total = len(scipy_names() - set(NOT_FUNCTIONS))
        print(f"{len(CATALOG)} of {total} public functions of scipy.special")
        return 0
    unknown = sorted(set(names) - set(CATALOG))
    if unknown:
        print(f"no such function in the catalog: {', '.join(unknown)}", file=sys.stderr)
        return 2
    width = max(60, shutil.get_terminal_size((100, 24)).columns - 2)
    for name in sorted(names or CATALOG):
        row = CATALOG[name]
        arguments = ", ".join(f"{a.name}: {a.kind.value}" for a in row.arguments)
        print(f"{name}({arguments})")
        print(f"    {row.summary.splitlines()[0]}")
        print(f"    DLMF {row.dlmf}" if row.dlmf[0].isdigit() else f"    {row.dlmf}")
        print(f"    result: {row.dtypes()}")
        for argument in row.arguments:
            line = f"d/d{argument.name}: {row.state(argument)}"
            print(textwrap.fill(line, width, initial_indent="    ", subsequent_indent="        "))
    return 0


if __name__ == "__main__":
    sys.exit(main())
