"""The reproduction of the documents: each printed table with the verdicts of the run that answers it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pipeline.proof.figures import Figure, columns_of, figures_of
from pipeline.summary.tables import SummaryTable, Value
from pipeline.summary.verdicts import CONTRADICTED, Verdict, tally
from pipeline.words import first_of

if TYPE_CHECKING:
    from pipeline.proof.printed import Document, Printed

COUNTED = {
    Verdict.AGREES: "agree",
    Verdict.CONSISTENT: "consistent",
    Verdict.DIFFERS: "differ",
    Verdict.MISPRINT: "misprint",
    Verdict.FOLLOWS: "follows",
    Verdict.IMPOSSIBLE: "impossible",
    Verdict.OPEN: "open",
}
"""The verdicts on compared figures, and their columns in the proof's table."""

MOST_REASONS = 5
"""The most reasons in a row of that table."""

CAUSES = (
    "misprint: the paper or its data prove the printed value wrong, and the value that they give instead agrees; "
    "follows: the printed value follows from other printed values, and at least one of these differs too."
)
"""What these verdicts mean."""

OTHER_READING = "another reading of figures that are counted elsewhere"
"""The note about a printed table that is in no total."""

INFERRED = (
    "inferred: the paper leaves open what the figures measure. A reading is counted if it explains the figures "
    "better than all other readings in nine of ten random halves of the cases; the others are shown beside it."
)
"""The note about a reading that the paper itself does not state."""

KINDS = {"figures": False, "claims": True}
"""The words for figures, and for claims."""


@dataclass(frozen=True)
class Answered:
    """A run that a document can be compared with.

    id        : of the run
    page      : the name of its page in the report
    arguments : arguments of `python -m pipeline` for a run of the paper's size
    finding   : in a sentence
    tables    : its summary tables by name
    fewer     : the keys by which its size differs from the paper's, each with the difference
    quick     : whether these are the keys of `size=quick`
    """

    id: str
    page: str
    arguments: str
    finding: str
    tables: Mapping[str, SummaryTable]
    fewer: Mapping[str, str]
    quick: bool = False

    @property
    def size(self) -> str:
        """The size of the run, as text; empty if it is the paper's."""
        how = ", ".join(f"{key} {how}" for key, how in self.fewer.items())
        return f"run {'at size quick' if self.quick else 'at another size'}: {how}" if how else ""


@dataclass(frozen=True)
class Unanswered:
    """Why a grid has no run that a document can be compared with.

    arguments : arguments of `python -m pipeline` that make one
    why       : the reason; empty if nobody has made one
    lacking   : whether its data are missing
    other     : whether there is a run with other settings than the paper's, which `why` names
    """

    arguments: str
    why: str = ""
    lacking: bool = False
    other: bool = False


@dataclass(frozen=True)
class Reproduction:
    """A printed table, and the outcome for each of its figures.

    answered_by : the run that answers it, or the reason why there is none
    figures     : the compared figures
    rule        : the rule of the comparison
    """

    printed: Printed
    answered_by: Answered | Unanswered
    figures: tuple[Figure, ...]
    rule: str = ""

    @property
    def verdicts(self) -> Counter[Verdict]:
        """The number of figures with each verdict that occurs, in the order of `Verdict`."""
        return Counter(tally(figure.verdict for figure in self.figures))

    @property
    def compared(self) -> int:
        """The number of compared figures, or of tested claims."""
        return sum(self.verdicts[verdict] for verdict in COUNTED)

    @property
    def run(self) -> str | None:
        """The id of the run that answers it; None if none does."""
        return self.answered_by.id if isinstance(self.answered_by, Answered) else None

    @property
    def lacking(self) -> bool:
        """Whether no run answers it because data are missing."""
        return isinstance(self.answered_by, Unanswered) and self.answered_by.lacking

    @property
    def not_compared(self) -> int:
        """The number of printed figures that were not compared."""
        return 0 if self.lacking else self.printed.figures - self.verdicts.total()

    @property
    def no_input(self) -> int:
        """The number of printed figures whose data are not here, or do not exist."""
        return self.printed.figures if self.lacking else self.verdicts[Verdict.NO_INPUT]

    @property
    def differing(self) -> tuple[Figure, ...]:
        """The figures that ours contradict, with or without a known cause."""
        return tuple(figure for figure in self.figures if figure.verdict in CONTRADICTED)

    @property
    def why(self) -> str:
        """The known reasons of these figures, each once, after the first figure that it explains."""
        figures: dict[str, list[str]] = {}
        for figure in self.differing:
            figures.setdefault(figure.why, []).append(figure.named)
        reasons = [f"{first_of(named, 1)}: {why}" for why, named in figures.items() if why]
        return first_of(reasons, MOST_REASONS, " | ")

    @property
    def outcome(self) -> str:
        """The outcome of the whole table: `reproduced` if every compared figure agrees; otherwise the worst verdict.

        It is reproduced in part if figures were left out, are merely consistent or are open claims, or if the size of
        the run differs from the paper's.
        """
        if isinstance(self.answered_by, Unanswered):
            return "no input" if self.answered_by.lacking else "not compared" if self.answered_by.other else "not run"
        if self.printed.table is None:
            return "no figures"
        for verdict in (*CONTRADICTED, Verdict.AGREES, Verdict.CONSISTENT, Verdict.OPEN):
            if self.verdicts[verdict]:
                undecided = self.verdicts[Verdict.OPEN] or self.verdicts[Verdict.CONSISTENT]
                part = " in part" if self.not_compared or undecided or self.answered_by.fewer else ""
                return f"reproduced{part}" if verdict is Verdict.AGREES else str(verdict)
        return "not compared"

    @property
    def sentence(self) -> str:
        """The outcome as a sentence, with the size of the run if it is not the paper's."""
        if isinstance(self.answered_by, Unanswered):
            return self.answered_by.why or "no run has computed it yet"
        if self.printed.table is None:
            result = self.answered_by.finding
        else:
            result = _sentence([self], "claims" if self.printed.claims else "figures")
        inferred = f"inferred: {self.printed.inferred}" if self.printed.inferred else ""
        reading = OTHER_READING if self.printed.again else ""
        remarks = "; ".join(filter(None, [reading, inferred, self.answered_by.size]))
        return f"{result} ({remarks})" if remarks else result


@dataclass(frozen=True)
class Chapter:
    """A document with the outcome for each of its tables."""

    document: Document
    answers: tuple[Reproduction, ...]


@dataclass(frozen=True)
class Proof:
    """The reproduction of all documents."""

    chapters: tuple[Chapter, ...]

    @property
    def answers(self) -> tuple[Reproduction, ...]:
        """The outcomes of all documents."""
        return tuple(answer for chapter in self.chapters for answer in chapter.answers)

    @property
    def sentence(self) -> str:
        """The whole proof as a sentence, with each figure of the paper counted once."""
        counted = [answer for answer in self.answers if not answer.printed.again]
        kinds = {
            noun: [answer for answer in counted if answer.printed.claims is claims] for noun, claims in KINDS.items()
        }
        return " ".join(
            f"{_sentence(own, noun).capitalize()}."
            for noun, own in kinds.items()
            if any(answer.printed.table for answer in own)
        )

    def table(self) -> SummaryTable:
        """A row for each printed table."""
        columns = (
            *("document", "printed", "outcome", "figures", *COUNTED.values()),
            *("no_input", "not_compared", "grid", "run", "finding", "why"),
        )
        rows: list[tuple[Value, ...]] = []
        for chapter in self.chapters:
            for answer in chapter.answers:
                printed, counts = answer.printed, answer.verdicts
                of_verdicts = [counts[verdict] for verdict in COUNTED]
                numbers = (printed.figures, *of_verdicts, answer.no_input, answer.not_compared)
                named = (chapter.document.cited, printed.name, answer.outcome)
                counted = printed.table and not printed.again
                shown = numbers if counted else [None] * len(numbers)
                rows.append((*named, *shown, printed.grid, answer.run, answer.sentence, answer.why or None))
        note = (
            "figures: those of the paper, or its claims. agree, consistent, differ, misprint, follows, impossible: by "
            f"the rule of the run's own table. {CAUSES} open: claims on neither side of their bound beyond "
            "chance; no_input: their data are not on this machine, or do not exist; not_compared: of data sets, "
            "builders or sizes that the run leaves out, or of a run with other settings; why: why figures differ from "
            "ours, at most "
            f"{MOST_REASONS} reasons. For {OTHER_READING}, only `finding` has the numbers. {INFERRED} {self.sentence}"
        )
        return SummaryTable("documents", "What is reproduced of the documents", columns, rows, note)

    def differences(self) -> SummaryTable:
        """A row for each contradicted figure."""
        rows = [
            (
                *(chapter.document.cited, answer.printed.name, figure.named, _text(figure.ours), _text(figure.printed)),
                *(figure.verdict, figure.why or None, answer.run),
            )
            for chapter, answer, figure in self._figures()
            if figure.verdict in CONTRADICTED
        ]
        columns = ("document", "printed_table", "figure", "ours", "printed", "verdict", "why", "run")
        note = f"differs, misprint, follows, impossible: by the rule in the note of the run's own table. {CAUSES}"
        return SummaryTable("documents_differences", "Printed values that differ from ours", columns, rows, note)

    def figures(self) -> SummaryTable:
        """A row for each compared figure, in full; `counted` is false if it is in no total."""
        rows = [
            (
                *(chapter.document.cited, answer.printed.name, figure.named),
                *(figure.ours, figure.printed, figure.verdict, figure.why or None),
                *(answer.printed.claims, not answer.printed.again, answer.printed.grid),
                *(answer.printed.table, answer.run),
            )
            for chapter, answer, figure in self._figures()
        ]
        columns = (
            *("document", "printed_table", "figure", "ours", "printed", "verdict", "why", "claim", "counted"),
            *("grid", "table", "run"),
        )
        return SummaryTable("documents", "Every printed figure beside ours", columns, rows, CAUSES)

    def queries(self) -> str:
        """SQL for each figure that ours contradict: its proof if one is declared, else the query for our value."""
        return "\n".join(
            f"-- {chapter.document.cited}, {answer.printed.name}, {figure.named}: {figure.verdict}\n"
            f"-- run {answer.run} of {answer.printed.grid}\n{figure.question};\n"
            for chapter, answer, figure in self._figures()
            if figure.verdict in CONTRADICTED and figure.question
        )

    def _figures(self) -> Iterator[tuple[Chapter, Reproduction, Figure]]:
        """The figures of all documents, each with its table and document."""
        for chapter in self.chapters:
            for answer in chapter.answers:
                for figure in answer.figures:
                    yield chapter, answer, figure


def proof_of(documents: Sequence[Document], by_grid: Mapping[str, Answered | Unanswered]) -> Proof:
    """The proof, from the run of each grid, or the reason why there is none."""
    return Proof(tuple(Chapter(document, _answers(document, by_grid)) for document in documents))


def _answers(document: Document, by_grid: Mapping[str, Answered | Unanswered]) -> tuple[Reproduction, ...]:
    """The outcome of each printed table, in order: some tables are made from earlier ones."""
    answers: list[Reproduction] = []
    for printed in document.printed:
        wrong = [figure for base in answers if base.printed.name == printed.made_of for figure in base.differing]
        answers.append(_answer(printed, by_grid[printed.grid], wrong))
    return tuple(replace(answer, figures=tuple(_with_other_readings(answer, answers))) for answer in answers)


def _with_other_readings(answer: Reproduction, answers: Sequence[Reproduction]) -> Iterator[Figure]:
    """The figures of an outcome; those that differ also give their results in other readings."""
    readings = [other for other in answers if other.printed.again == answer.printed.name]
    for figure in answer.figures:
        results = [
            f"{reading.printed.name}: {_text(same.ours)}, {same.verdict}"
            for reading in readings
            for same in reading.figures
            if same.named == figure.named and same.verdict
        ]
        differs = figure.verdict is Verdict.DIFFERS
        yield replace(figure, why="; ".join(filter(None, [figure.why, *results]))) if results and differs else figure


def _answer(printed: Printed, answered_by: Answered | Unanswered, wrong: Sequence[Figure]) -> Reproduction:
    """The outcome of a printed table; `wrong` are the contradicted figures that it is made from."""
    if isinstance(answered_by, Unanswered) or printed.table is None:
        return Reproduction(printed, answered_by, ())
    if any(key in answered_by.fewer for key in printed.whole):
        rule = "It is compared only with a run of everything that the paper has."
        return Reproduction(printed, answered_by, (), rule)
    table = answered_by.tables.get(printed.table)
    if table is None or not set(columns_of(printed)) <= set(table.columns):
        return Reproduction(printed, answered_by, ())
    return Reproduction(printed, answered_by, tuple(figures_of(table, printed, wrong)), printed.rule or table.note)


def _sentence(answers: Sequence[Reproduction], noun: str) -> str:
    """The numbers of printed figures that agree, are consistent, differ, and so on."""
    counts = sum((answer.verdicts for answer in answers), Counter[Verdict]())
    total = sum(answer.printed.figures for answer in answers)
    compared = sum(answer.compared for answer in answers)
    whole = "" if compared == total else " compared"
    clauses = [f"{counts[Verdict.AGREES]} of the {compared} {noun}{whole} agree" if compared else f"no {noun} compared"]
    clauses += [
        f"{number} {singular if number == 1 else plural}"
        for number, singular, plural in (
            (counts[Verdict.CONSISTENT], "is consistent", "are consistent"),
            (counts[Verdict.DIFFERS], "differs", "differ"),
            (counts[Verdict.MISPRINT], "is a misprint", "are misprints"),
            (
                counts[Verdict.FOLLOWS],
                "is computed in the paper from a figure that differs",
                "are computed in the paper from figures that differ",
            ),
            (counts[Verdict.IMPOSSIBLE], "is impossible", "are impossible"),
            (counts[Verdict.OPEN], "is open", "are open"),
            (sum(answer.no_input for answer in answers), "lacks its input", "lack their input"),
        )
        if number
    ]
    return ", ".join(clauses) + (f"; {total} are printed" if whole else "")


def _text(value: Value) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)
