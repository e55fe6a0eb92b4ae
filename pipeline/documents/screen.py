"""The proof on a terminal: a line for each printed table, then what is to be done about those without an answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from pipeline.proof.proof import Proof, Reproduction, Unanswered
from pipeline.screen import tool
from pipeline.summary.verdicts import CONTRADICTED, Verdict

if TYPE_CHECKING:
    from rich.console import RenderableType

__all__ = ["proof_screen"]

STYLES: dict[str, str] = {
    **dict.fromkeys(("reproduced", "reproduced in part"), "green"),
    **dict.fromkeys(CONTRADICTED, "magenta"),
    Verdict.DIFFERS: "red",
}
DIM = {Verdict.CONSISTENT, Verdict.OPEN, "not run", "no input", "not compared", "no figures"}


def proof_screen(proof: Proof, command: str) -> list[RenderableType]:
    """What a person wants to read of it first; `command` runs all that has not been run."""
    shown = Table(title="What of the documents is reproduced", title_justify="left", box=None, padding=(0, 2, 0, 0))
    for heading in ("", "printed", "outcome", ""):
        shown.add_column(heading, overflow="fold")
    for chapter in proof.chapters:
        for answer in chapter.answers:
            shown.add_row(chapter.document.cited, answer.printed.name, _outcome(answer), answer.sentence)
    return [shown, "", Text(proof.sentence), *_to_do(proof, command)]


def _outcome(answer: Reproduction) -> Text:
    style = STYLES.get(answer.outcome, "dim" if answer.outcome in DIM else "")
    return Text(answer.outcome, style=style)


def _to_do(proof: Proof, command: str) -> list[RenderableType]:
    """What to type for what is not answered: the command for all that nobody has run, and those that did not run."""
    lacking = [one.told for one in proof.answers if isinstance(one.told, Unanswered)]
    commands = dict.fromkeys(f"{tool()} {told.arguments}" for told in lacking if told.why)
    if any(not told.why for told in lacking):
        commands[command] = None
    return [Text("\n".join(["For the others:", *(f"  {command}" for command in commands)]))] if commands else []
