"""What of the documents' print is reproduced: each printed table, and the verdicts of the run that answers it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pipeline.documents.figures import Figure, figures_of
from pipeline.summaries.tables import SummaryTable, Value
from pipeline.summaries.verdicts import Verdict

if TYPE_CHECKING:
    from pipeline.documents.printed import Document, Printed

__all__ = ["Answer", "Answered", "Chapter", "Proof", "Unanswered", "proof_of"]


RULED = (Verdict.AGREES, Verdict.DIFFERS, Verdict.IMPOSSIBLE, Verdict.OPEN)
"""The verdicts of figures that a run has beside print."""

KINDS = {"figures": False, "claims": True}
"""What print has, and whether it is claims."""


@dataclass(frozen=True)
class Answered:
    """What a run has to say of print.

    id      : of the run
    page    : the name of its page in the report
    whole   : arguments of `python -m pipeline` for a run of print's own size
    finding : in a sentence
    tables  : its summary tables by name
    fewer   : the keys by which it is of another size than print, each with how
    """

    id: str
    page: str
    whole: str
    finding: str
    tables: Mapping[str, SummaryTable]
    fewer: Mapping[str, str]


@dataclass(frozen=True)
class Unanswered:
    """Why a grid has no run that print can be held against.

    arguments : of `python -m pipeline`, which make one
    why       : there is none; empty: nobody has made one
    lacking   : whether data are lacking that it needs
    """

    arguments: str
    why: str = ""
    lacking: bool = False


@dataclass(frozen=True)
class Answer:
    """A printed table, and what became of each of its figures.

    told    : the run that answers it, or why there is none
    figures : that the run has beside print
    rule    : by which they were compared
    """

    printed: Printed
    told: Answered | Unanswered
    figures: tuple[Figure, ...]
    rule: str = ""

    @property
    def counts(self) -> Counter[str]:
        """How many figures have each verdict; those without one are not counted."""
        return Counter(one.verdict for one in self.figures if one.verdict is not None)

    @property
    def answered(self) -> bool:
        """Whether a run answers it."""
        return isinstance(self.told, Answered)

    @property
    def verdicts(self) -> dict[Verdict, int]:
        """How many figures have each verdict that any has."""
        return {verdict: self.counts[verdict] for verdict in Verdict if self.counts[verdict]}

    @property
    def compared(self) -> int:
        """Figures that a run has beside print, and claims that it tested."""
        return sum(self.counts[verdict] for verdict in RULED)

    @property
    def left(self) -> int:
        """Figures of print that no run has been held against."""
        if isinstance(self.told, Unanswered) and self.told.lacking:
            return 0
        return self.printed.figures - self.counts.total()

    @property
    def no_input(self) -> int:
        """Figures of print that need data which are not here, or that no one has."""
        lacking = isinstance(self.told, Unanswered) and self.told.lacking
        return self.printed.figures if lacking else self.counts[Verdict.NO_INPUT]

    @property
    def differing(self) -> tuple[Figure, ...]:
        """The figures that differ or that cannot be."""
        return tuple(one for one in self.figures if one.verdict in (Verdict.DIFFERS, Verdict.IMPOSSIBLE))

    @property
    def outcome(self) -> str:
        """The whole table in some words: `reproduced` where all that was compared agrees; else what is worst.

        It is reproduced in part where figures were left out or claims stay open, or where the run is of another size
        than print.
        """
        if isinstance(self.told, Unanswered):
            return "no input" if self.told.lacking else "not run"
        if self.printed.table is None:
            return "no figures"
        for verdict in (Verdict.DIFFERS, Verdict.IMPOSSIBLE, Verdict.AGREES, Verdict.OPEN):
            if self.counts[verdict]:
                part = " in part" if self.left or self.counts[Verdict.OPEN] or self.told.fewer else ""
                return f"reproduced{part}" if verdict is Verdict.AGREES else str(verdict)
        return "not compared"

    @property
    def sentence(self) -> str:
        """What became of it, in words."""
        if isinstance(self.told, Unanswered):
            return self.told.why or "no run answers it yet"
        if self.printed.table is None:
            return self.told.finding
        return _said([self], "claims" if self.printed.claims else "figures")


@dataclass(frozen=True)
class Chapter:
    """A document with what became of each table of it."""

    document: Document
    answers: tuple[Answer, ...]


@dataclass(frozen=True)
class Proof:
    """What of all documents' print is reproduced."""

    chapters: tuple[Chapter, ...]

    @property
    def answers(self) -> tuple[Answer, ...]:
        """Those of all documents."""
        return tuple(answer for chapter in self.chapters for answer in chapter.answers)

    @property
    def sentence(self) -> str:
        """All of it in a sentence."""
        kinds = {noun: [one for one in self.answers if one.printed.claims is claims] for noun, claims in KINDS.items()}
        return " ".join(
            f"{_said(own, noun).capitalize()}." for noun, own in kinds.items() if any(one.printed.table for one in own)
        )

    def table(self) -> SummaryTable:
        """A row for each printed table."""
        columns = (
            *("document", "printed", "outcome", "figures", "agree", "differ", "impossible", "open", "no_input"),
            *("not_compared", "grid", "run", "told"),
        )
        rows: list[tuple[Value, ...]] = []
        for chapter in self.chapters:
            for one in chapter.answers:
                counts, run = one.counts, one.told.id if isinstance(one.told, Answered) else None
                numbers = (one.printed.figures, *(counts[each] for each in RULED), one.no_input, one.left)
                named = (chapter.document.number, one.printed.name, one.outcome)
                rows.append(
                    (*named, *(numbers if one.printed.table else [None] * 7), one.printed.grid, run, one.sentence)
                )
        note = (
            "figures: that print has, or claims. agree, differ, impossible: by the rule of the run's own table; "
            "open: claims on neither side of their bound beyond chance; no_input: data that cannot be had; "
            f"not_compared: of data sets, builders or sizes that the run leaves out. {self.sentence}"
        )
        return SummaryTable("documents", "What of the documents is reproduced", columns, rows, note)

    def differences(self) -> SummaryTable:
        """A row for each figure that differs from print or cannot be."""
        rows = [
            (
                *(chapter.document.number, answer.printed.name, one.named, _text(one.ours), _text(one.printed)),
                *(one.verdict, one.why or None, answer.told.id if isinstance(answer.told, Answered) else None),
            )
            for chapter in self.chapters
            for answer in chapter.answers
            for one in answer.differing
        ]
        columns = ("document", "printed_table", "figure", "ours", "printed", "verdict", "why", "run")
        note = "differs, impossible: by the rule that the run's own table tells."
        return SummaryTable("documents_differences", "Where print is another", columns, rows, note)


def proof_of(documents: Sequence[Document], told: Mapping[str, Answered | Unanswered]) -> Proof:
    """The proof, from what there is by grid."""
    return Proof(
        tuple(
            Chapter(document, tuple(_answer(one, told[one.grid]) for one in document.printed)) for document in documents
        )
    )


def _answer(printed: Printed, told: Answered | Unanswered) -> Answer:
    if isinstance(told, Unanswered) or printed.table is None:
        return Answer(printed, told, ())
    if any(key in told.fewer for key in printed.whole):
        return Answer(printed, told, (), "It is compared where the run leaves out nothing of print.")
    table = told.tables.get(printed.table)
    if table is None:
        return Answer(printed, told, ())
    return Answer(printed, told, tuple(figures_of(table, printed)), printed.rule or table.note)


def _said(answers: Sequence[Answer], noun: str) -> str:
    """How many of print's figures agree, differ, and so on."""
    counts = sum((one.counts for one in answers), Counter[str]())
    total, compared = sum(one.printed.figures for one in answers), sum(one.compared for one in answers)
    whole = "" if compared == total else " compared"
    said = [f"{counts[Verdict.AGREES]} of the {compared} {noun}{whole} agree" if compared else f"no {noun} compared"]
    said += [
        f"{number} {one if number == 1 else several}"
        for number, one, several in (
            (counts[Verdict.DIFFERS], "differs", "differ"),
            (counts[Verdict.IMPOSSIBLE], "is impossible", "are impossible"),
            (counts[Verdict.OPEN], "is open", "are open"),
            (sum(one.no_input for one in answers), "lacks its input", "lack their input"),
        )
        if number
    ]
    return ", ".join(said) + (f"; print has {total}" if whole else "")


def _text(value: Value) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)
