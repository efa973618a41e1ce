"""What benchmarks write into pages of the documentation: the machine, and tables."""

from __future__ import annotations

import os
import platform
from pathlib import Path


def machine() -> str:
    """Processor and cores."""
    cpus = Path("/proc/cpuinfo")
    lines = cpus.read_text(encoding="utf-8").splitlines() if cpus.is_file() else []
    model = next((line.partition(": ")[2] for line in lines if line.startswith("model name")), "")
    return f"{model or platform.processor() or platform.machine()}, {os.cpu_count()} cores"


def into_page(page: str, table: str) -> str:
    """The page with the table between its marks."""
    before, begin, rest = page.partition("<!-- table -->\n")
    _, end, after = rest.partition("<!-- end of table -->")
    if not begin or not end:
        raise ValueError("the page has no marks for the table")
    return f"{before}{begin}\n{table}\n\n{end}{after}"
