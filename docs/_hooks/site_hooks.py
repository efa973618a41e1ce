"""What mkdocs calls while it builds the site: pages of functions, links to them, formulas.

No page of a function is written by hand: each is made from the function's row or docstring.
"""

from __future__ import annotations

import importlib.util
import logging
import os
import re
import sys
from pathlib import Path
from typing import Any

if importlib.util.find_spec("jaxsci") is None:
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # the sources
os.environ.setdefault("JAX_PLATFORMS", "cpu")

import atlas_page
import drawings
import gallery
import jax
import pages
from latex2mathml.converter import convert
from mkdocs.structure.files import File, Files

jax.config.update("jax_enable_x64", True)
jax.config.update("jax_disable_most_optimizations", True)  # of plots; compiling is what takes time

log = logging.getLogger("mkdocs.hooks.functions")
ROOT = pages.DOCS.parent


def on_config(config: Any) -> Any:
    """Put families and tasks, with their functions, into the navigation."""
    special = [
        {family: [{name: f"special/{name}.md"} for name in names + _second_names(names)]}
        for family, names in pages.special_families().items()
    ]
    linalg = [
        {task: [{name: f"linalg/{name}.md"} for name in names]}
        for task, names in pages.linalg_tasks().items()
    ]
    for section in config["nav"]:
        section.get("Special functions", []).extend(special)
        section.get("Linear algebra", []).extend(linalg)
    return config


def _second_names(names: list[str]) -> list[str]:
    return [second for second, first in pages.ALIASES.items() if first in names]


def on_files(files: Files, config: Any) -> Files:
    """Add the pages of functions, and the changelog; complain where there are too few or many."""
    for gap in pages.gaps():
        log.warning(gap)
    texts = pages.generated(drawings.drawing, pages.session_of)
    texts["changelog.md"] = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    expected = set(pages.paths().values())
    made = {
        path for path in texts if re.fullmatch(r"(special|linalg)/(?!index|tasks)\w+\.md", path)
    }
    for path in sorted(expected ^ made):
        log.warning("%s: a function without its page, or a page without its function", path)
    for path, text in texts.items():
        if files.get_file_from_path(path) is not None:
            log.warning("%s: written by hand, and made from the catalog", path)
        files.append(File.generated(config, path, content=text))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Lead from the tables of functions to their pages."""
    path = page.file.src_uri
    # Blocks that the tests do not run; the word means nothing to the reader.
    markdown = markdown.replace("```python notest\n", "```python\n")
    if path == "functions.md":
        return pages.linked_table(markdown, "special")
    if path == "linalg.md":
        return pages.linked_table(markdown, "linalg")
    if path == "atlas.md":
        return atlas_page.with_extent(markdown)
    return pages.linked_accuracy(markdown) if path == "accuracy.md" else markdown


def on_page_content(html: str, page: Any, **_: Any) -> str:
    """Write formulas as MathML, which browsers show by themselves; the atlas from its data."""
    if page.file.src_uri == "atlas.md":
        return atlas_page.with_data(html)
    if page.file.src_uri == "index.md":
        html = html.replace("<!-- gallery -->", gallery.pictures())
    html = re.sub(
        r'<span class="arithmatex">\\\((.*?)\\\)</span>',
        lambda m: convert(_plain(m[1])),
        html,
        flags=re.S,
    )
    return re.sub(
        r'<div class="arithmatex">\\\[(.*?)\\\]</div>',
        lambda m: f'<div class="formula">{convert(_plain(m[1]), display="block")}</div>',
        html,
        flags=re.S,
    )


def _plain(tex: str) -> str:
    return tex.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&").strip()
