"""Programs that go through public functions, in one way or several, and print what is wrong."""

from __future__ import annotations

import argparse
import json
import sys
import time
import warnings
from collections.abc import Callable, Iterable, Sequence

import jax
from public_calls import Call, calls, part

Complaints = Callable[[Call, Sequence[str]], Iterable[tuple[str, str]]]


def run(description: str | None, ways: Sequence[str], complaints: Complaints) -> int:
    """What a program's `main` does; the exit status.

    Args:
        description: the program's docstring.
        ways: names of what there is to be looked at.
        complaints: for a call and the chosen ways, which of them goes wrong and how.
    """
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("names", nargs="*", help="functions; all of them by default")
    parser.add_argument("--only", choices=ways, action="append")
    parser.add_argument("--part", help="I/N: the I-th of N parts of the functions")
    chosen = parser.parse_args()
    jax.config.update("jax_enable_x64", True)
    warnings.simplefilter("ignore")
    wanted = [c for c in calls() if not chosen.names or c.name in chosen.names]
    wanted = part(wanted, chosen.part)
    found, looked_at, began = [], chosen.only or list(ways), time.monotonic()
    for i, call in enumerate(wanted):
        for where, wrong in complaints(call, looked_at):
            found.append((str(call), where, wrong))
            print(call, where, wrong, sep=" | ", file=sys.stderr, flush=True)
        if i % 50 == 49:
            jax.clear_caches()
            print(f"{i + 1} calls, {time.monotonic() - began:.0f} s", file=sys.stderr, flush=True)
    print(json.dumps({"calls": len(wanted), "ways": looked_at, "wrong": found}))
    return int(bool(found))
