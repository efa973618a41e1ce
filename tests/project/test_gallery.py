"""The front page's pictures."""

import re

import gallery
import pages


def test_each_picture_leads_to_its_function():
    html = gallery.pictures()
    assert re.findall(r'<a href="special/(\w+)/"><img ', html) == list(gallery.SHOWN)
    assert html.count('alt="Phase portrait of ') == len(gallery.SHOWN)
    assert "<!-- gallery -->" in (pages.DOCS / "index.md").read_text(encoding="utf-8")
