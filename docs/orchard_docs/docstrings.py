"""Docstrings as reStructuredText: lists of `name : meaning`, which they hold as plain text, become definition lists."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import groupby
from typing import Any

__all__ = ["on_docstring", "plain", "with_definitions"]

NAMES = r"\*{0,2}[A-Za-z_]\w*(?:, \*{0,2}[A-Za-z_]\w*)*"
TERM = re.compile(rf"(?P<terms>{NAMES}|[a-z]+(?: [a-z]+)+(?= +:)) *: (?P<meaning>\S.*)")
FENCE = re.compile(r"( *)```(\w*)$")
MARKUP = re.compile(r"(`[^`]*`)|(\||(?<=\w)_(?!\w))")


def on_docstring(_app: Any, _what: str, _name: str, _of: Any, _options: Any, lines: list[str]) -> None:
    """Change the lines of a docstring in place, as autodoc wants it."""
    blocks = [list(block) for _, block in groupby(lines, key=_fenced())]
    lines[:] = [line for block in blocks for line in (_code(block) if FENCE.match(block[0]) else _prose(block))]


def _prose(lines: list[str]) -> list[str]:
    return with_definitions([plain(line) for line in lines])


def _code(lines: list[str]) -> list[str]:
    """A fenced block as a directive."""
    margin, language = FENCE.fullmatch(lines[0]).groups()  # type: ignore[union-attr]
    return [f"{margin}.. code-block:: {language or 'text'}", "", *(f"    {line}" for line in lines[1:-1]), ""]


def _fenced() -> Callable[[str], bool]:
    """Whether a line belongs to a fenced block; lines must come in order."""
    inside = False

    def in_fence(line: str) -> bool:
        nonlocal inside
        fence = FENCE.match(line) is not None
        inside, before = inside != fence, inside
        return before or inside

    return in_fence


def plain(line: str) -> str:
    """The line, in which reStructuredText finds neither a substitution in `|S|` nor a reference in `name_`."""
    return MARKUP.sub(lambda match: match[1] or rf"\{match[2]}", line)


def with_definitions(lines: list[str]) -> list[str]:
    """The lines, paragraphs of nothing but terms and their meanings being definition lists."""
    changed: list[str] = []
    for _, paragraph in groupby(lines, key=lambda line: not line.strip()):
        changed += _definitions(list(paragraph))
    return changed


def _definitions(paragraph: list[str]) -> list[str]:
    margin = len(paragraph[0]) - len(paragraph[0].lstrip())
    if not all(TERM.fullmatch(line.strip()) or line[margin:].startswith(" ") for line in paragraph):
        return paragraph
    if not TERM.fullmatch(paragraph[0].strip()):  # blank lines, too
        return paragraph
    return list(_defined(paragraph, margin))


def _defined(paragraph: list[str], margin: int) -> Iterator[str]:
    for line in paragraph:
        match = None if line[margin:].startswith(" ") else TERM.fullmatch(line.strip())
        if match:
            yield " " * margin + ", ".join(f"``{term}``" for term in match["terms"].split(", "))
            yield f"{' ' * margin}    {match['meaning']}"
        else:
            yield f"{' ' * margin}    {line.strip()}"
