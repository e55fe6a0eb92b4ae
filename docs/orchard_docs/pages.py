"""The pages of grids, which lie in their folders, as pages of the documentation: `docs/grids/NAME.md`."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.discovery import SearchPath

if TYPE_CHECKING:
    from sphinx.application import Sphinx

__all__ = ["PAGE", "as_in_docs", "write_pages"]

PAGE = "page.md"
"""The page of a grid, in its folder."""


def write_pages(app: Sphinx) -> None:
    """Copy the page of every grid into the documentation, and remove those of grids that are gone."""
    folder = Path(app.srcdir) / "grids"
    folder.mkdir(exist_ok=True)
    pages = {
        name: folder.path / PAGE for name, folder in SearchPath().folders().items() if (folder.path / PAGE).is_file()
    }
    for copy in folder.glob("*.md"):
        if copy.stem not in pages:
            copy.unlink()
    for name, page in pages.items():
        copy, text = folder / f"{name}.md", as_in_docs(page.read_text(encoding="utf-8"))
        if not copy.is_file() or copy.read_text(encoding="utf-8") != text:
            copy.write_text(text, encoding="utf-8")


def as_in_docs(text: str) -> str:
    """A page of a grid with its links to `docs/` and to other grids as they are from `docs/grids/`."""
    return re.sub(r"\]\(\.\./(\w+)/page\.md", r"](\1.md", text.replace("](../../../docs/", "](../"))
