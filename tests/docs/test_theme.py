"""What the template of all pages of the documentation adds to its theme."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.pipeline.command_line import ROOT

CONF = f"""
extensions = ["myst_parser"]
html_theme = "furo"
templates_path = ["{ROOT / "docs/_templates"}"]
"""
INDEX = """# Index

```{toctree}
:caption: Start

page
```
"""
PAGE = """# Page

## Part

```python
print(1)
```

| | |
|---|---|
| a | b |
"""


def test_asides_have_names_and_headings_levels_and_the_keyboard_scrolls_code(tmp_path: Path) -> None:
    pytest.importorskip("furo")
    from sphinx.application import Sphinx

    for name, text in (("conf.py", CONF), ("index.md", INDEX), ("page.md", PAGE)):
        (tmp_path / name).write_text(text, encoding="utf-8")
    build = tmp_path / "build"
    Sphinx(tmp_path, tmp_path, build, build / "doctrees", "html", status=None, warning=None).build()
    page = (build / "page.html").read_text(encoding="utf-8")
    for tag, needed in (("aside", "aria-label"), ('p class="caption"', "aria-level"), ("pre", "tabindex")):
        opened = re.findall(f"<{tag}[^>]*>", page)
        assert opened
        assert [each for each in opened if needed not in each] == []
    assert "<th class" not in page
