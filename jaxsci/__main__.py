"""The command ``jaxsci`` (and ``python -m jaxsci``): the demo, and the catalog of functions."""

from __future__ import annotations

import argparse
import inspect
import os
import platform
import sys
import textwrap
from collections.abc import Callable, Mapping, Sequence
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jaxsci import __version__
from jaxsci._demo import report
from jaxsci._docstring_lines import filled, refilled
from jaxsci._terminal import bad, faint, good, offer_similar_names, strong, width
from jaxsci._verification import check as checking

if TYPE_CHECKING:
    from jaxsci.linalg._infra.catalog import Entry
    from jaxsci.special._catalog.row import ArgumentSpec, Row


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit status."""
    try:
        status = _run(argv)
        sys.stdout.flush()
    except BrokenPipeError:
        return _stop_quietly()
    return status


_FIRST_STEPS = {
    "info": "is everything there?",
    "demo": "what it is good for",
    "catalog jv": "what is known of a function",
    "catalog elliptic": "functions with a word in their names or summaries",
    "check jv": "its values and derivatives beside mpmath's",
}


def _to_begin_with() -> str:
    command, widest = _command(), max(map(len, _FIRST_STEPS))
    lines = (f"  {command} {step:{widest}}  {what}" for step, what in _FIRST_STEPS.items())
    return "\n".join(["to begin with:", *lines])


def _run(argv: Sequence[str] | None) -> int:
    parser = argparse.ArgumentParser(
        prog=_command(),
        description="SciPy's special functions and linear algebra for JAX.",
        epilog=_to_begin_with(),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"jaxsci {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
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
        "the rule for the derivative in each of them, or the reason why there is none. A word that "
        "is no function's name is looked for in names and summaries.",
    )
    catalog.add_argument(
        "names",
        nargs="*",
        metavar="NAME",
        help="only these functions, of jaxsci.special or jaxsci.linalg, or those that a word finds",
    )
    catalog.add_argument(
        "--linalg", action="store_true", help="all of jaxsci.linalg rather than jaxsci.special"
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
        description="Print the versions that matter, the settings, and the backends: which one is "
        "used, and why another is absent. The block goes into a report of a defect as it is.",
    )
    arguments = parser.parse_args(argv)
    if arguments.command is None:
        parser.print_help(sys.stderr)
        return 2
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


# Others, such as folders and tokens, are nobody's business.
_SETTINGS = ("JAX_PLATFORM", "JAX_ENABLE_X64", "XLA_FLAGS")


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
    # An editable installation has the compiled extension there, and no sources.
    return folder if (folder / "__init__.py").is_file() and folder != _HERE else None


def _print_info() -> int:
    import jax

    from jaxsci import _native
    from jaxsci._core import dispatch
    from jaxsci.special._catalog import coverage

    print("```text")  # as issues and mail show it unchanged
    print(f"jaxsci    {__version__}, in {_HERE}")
    print(f"python    {platform.python_version()}, {platform.platform()}")
    for package in ("jax", "jaxlib", "numpy", "scipy"):
        print(f"{package:9} {metadata.version(package)}")
    config: Any = jax.config
    print(f"settings  64-bit types {'on' if config.jax_enable_x64 else 'off'}")
    for name in sorted(name for name in os.environ if name.startswith(_SETTINGS)):
        print(f"          {name}={os.environ[name]}")
    print(f"devices   {', '.join(sorted({d.device_kind for d in jax.devices()}))}")
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
    print("```")
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
    if not arguments.names:
        for name in sorted(entries):
            _print_entry(name, entries[name])
        return 0
    others = special_coverage.entries() if arguments.linalg else linalg_coverage.entries()
    return _print_found(sorted(arguments.names), [entries, others])


def _print_found(names: Sequence[str], catalogs: Sequence[Mapping[str, Row | Entry]]) -> int:
    """Print functions of these names, or the lines of those that a word finds."""
    unknown = []
    for name in names:
        named = [catalog[name] for catalog in catalogs if name in catalog]
        for entry in named:
            _print_entry(name, entry)
        if named:
            continue
        found = _search(name, catalogs)
        if not found:
            unknown.append(name)
            continue
        print(f"{len(found)} functions with {name!r} in their names or summaries:")
        for function, module, summary in found:
            line = f"{strong(function)} ({module}): {summary}"
            print(textwrap.fill(line, width(), initial_indent="  ", subsequent_indent="      "))
    if unknown:
        known = sorted({name for catalog in catalogs for name in catalog})
        print(f"no such function in the catalog: {', '.join(unknown)}", file=sys.stderr)
        offer_similar_names(unknown, known)
        return 2
    return 0


def _search(word: str, catalogs: Sequence[Mapping[str, Row | Entry]]) -> list[tuple[str, str, str]]:
    """Functions with the word in their name or summary: name, module, summary."""
    found = []
    for catalog in catalogs:
        for name, entry in catalog.items():
            module = entry.function.__module__
            summary = (inspect.getdoc(entry.function) or "").partition("\n")[0]
            if word.lower() in f"{name} {summary}".lower():
                found.append((name, module, summary))
    return sorted(found)


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
        signature = inspect.signature(entry.function)
        plain = [p.replace(annotation=p.empty) for p in signature.parameters.values()]
        print(f"{strong(entry.name)}{inspect.Signature(plain)}")
        print(textwrap.indent(_within_width(inspect.getdoc(entry.function) or ""), "    "))
        return
    row = entry
    print(f"{strong(name)}({', '.join(f'{a.name}: {a.kind.value}' for a in row.arguments)})")
    if name != row.name:
        print(f"    SciPy's other name of {row.name}")
    print(_indented(row.summary.splitlines()[0]))
    print(_indented(f"DLMF {row.source}" if dlmf_pages(row.source) else row.source))
    print(_indented(f"result: {row.dtypes()}"))
    if isinstance(row, ElementwiseRow):
        print(_indented(f"on devices: {row.on_devices()}"))
    for argument in row.arguments:
        text = _indented(f"d/d{argument.name}: {row.state(argument)}")
        print(_colour(row, argument)(text))


def _indented(line: str) -> str:
    """A line of an entry, on several if the terminal is narrow."""
    return filled(line, width() - 2, indent=4)


def _within_width(text: str) -> str:
    """A docstring that fits the terminal, between the margins that it is printed with."""
    return refilled(text, width() - 6)


def _colour(row: Row, argument: ArgumentSpec) -> Callable[[str], str]:
    """Red where a derivative is missing, pale where there is none by nature."""
    from jaxsci._core.elementwise_rules import Missing
    from jaxsci.special._catalog.row import ElementwiseRow

    rule = row.rules.get(argument.name) if isinstance(row, ElementwiseRow) else None
    if rule is None:
        return faint
    return bad if isinstance(rule, Missing) else good


def _stop_quietly() -> int:
    """The status of a program whose reader has gone, as `jaxsci catalog | head` has it."""
    # What is left in the buffer is written when Python ends, and would raise once more.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 128 + 13  # as if the signal SIGPIPE had ended it


if __name__ == "__main__":
    sys.exit(main())
