"""The code blocks of the README and of `docs/`, and what the comments right above each say of how it is tested.

A block of Python or shell is run unchanged, in the order of its page, in a folder of the page's own. Comments of
HTML say what else is to be done; those that change or skip a block give a reason:

file: PATH          the block is this file
into: FILE after: LINE, into: FILE before: LINE
                    the block goes into a file of a copy of the project, beside a line of it
shrunk: KEY=VALUE … the commands that run a grid get these overrides, too
long: REASON        run by `-m long` alone; else commands that run a grid are only composed
composed: REASON    commands that run a grid are composed, not run
not run: REASON     nothing is done
screen of: COMMAND  the block's lines are on the screen of a command; `…` means any words (long)
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tests.pipeline.command_line import ROOT

MARKS = ("file", "into", "shrunk", "long", "composed", "not run", "screen of")
RUN = ("python", "sh")
FENCE = re.compile(r"^(?P<fence>`{3,})(?P<language>\S*)[^\n]*\n(?P<text>.*?)^(?P=fence)$", re.M | re.S)
MARK = re.compile(r"<!-- (?P<name>[a-z ]+): (?P<words>.+) -->")
BUILT = {"_build", "grids"}
"""The folders below `docs/` that its build writes; `grids` has copies of the grids' own pages."""
TESTED_ELSEWHERE = {"docs/questions.md"}  # its answers are compared: tests/pipeline/query/test_worked_questions.py


@dataclass(frozen=True)
class Block:
    """A fenced block, at a line of a page, with its marks."""

    page: str
    line: int
    language: str
    text: str
    marks: dict[str, str]

    @property
    def runs(self) -> bool:
        """Whether it is code that is run, in the suite or by `-m long`."""
        return self.language in RUN and not {"file", "into", "not run"} & set(self.marks)

    @property
    def takes_long(self) -> bool:
        """Whether it is left to `-m long`."""
        return "long" in self.marks or "screen of" in self.marks

    def commands(self) -> list[str]:
        """The lines of a block of shell, continued ones joined, without their comments; shrunk where it says so."""
        joined = self.text.replace("\\\n", " ")
        lines = [re.sub(r"(^|\s+)#\s.*$", "", line).strip() for line in joined.splitlines()]
        shrunk = self.marks.get("shrunk", "")
        return [f"{line} {shrunk}".strip() if "+grid=" in line else line for line in lines if line]


def pages() -> list[str]:
    """The pages whose blocks are tested, by their paths below the project's folder."""
    results = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "SECURITY.md"]
    results += sorted((ROOT / "pipeline/grids").glob("*/page.md"))
    results += [
        page for page in sorted((ROOT / "docs").rglob("*.md")) if BUILT.isdisjoint(page.relative_to(ROOT).parts)
    ]
    return [name for page in results if (name := page.relative_to(ROOT).as_posix()) not in TESTED_ELSEWHERE]


def blocks(page: str) -> list[Block]:
    """The blocks of a page in order, but for the directives of Sphinx."""
    return list(_blocks(page, (ROOT / page).read_text(encoding="utf-8")))


def _blocks(page: str, text: str) -> Iterator[Block]:
    for match in FENCE.finditer(text):
        if not match["language"].startswith("{"):
            above = text[: match.start()]
            yield Block(page, above.count("\n") + 1, match["language"], match["text"], dict(_marks(above)))


def _marks(above: str) -> Iterator[tuple[str, str]]:
    for line in reversed(above.splitlines()):
        mark = MARK.fullmatch(line)
        if mark is None:
            return
        yield mark["name"], mark["words"]
