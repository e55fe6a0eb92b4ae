"""The summary of any comparison of builders: accuracies, sizes and times of each on each data set, and its classes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.table import Table
from rich.text import Text

from pipeline.grammar.comparison.classes import class_table
from pipeline.grammar.comparison.leading import leading, tested_by_all
from pipeline.grammar.notable_trees import drawable, notable, right
from pipeline.grammar.questions import WHERE_ITS_SOURCE, mean_with_interval
from pipeline.grid import RESULTS_TABLE, NotableTree
from pipeline.screen import out_of
from pipeline.storage.parts import Part, read
from pipeline.summary.statistics import Estimate, PairedMoments
from pipeline.summary.tables import SummaryTable, Value

if TYPE_CHECKING:
    from rich.console import RenderableType

__all__ = [
    "NOTE",
    "Row",
    "Score",
    "Summary",
    "Tested",
    "accuracy_table",
    "failures",
    "lost",
    "scores_of",
    "screen_table",
    "splits_of",
    "summarise",
    "summarise_and_draw",
]

Row = Mapping[str, Any]

MEASURES = (
    *("train_accuracy", "depth", "average_depth", "nodes", "terminal_nodes", "unseen_values"),
    *("build_seconds", "predict_seconds"),
)
"""Measures of which the mean over the splits is shown, where there are any."""

COLUMNS = (
    *("source", "part", "builder", "n", "failed", "test_accuracy", "low", "high"),
    *MEASURES,
    "error",
)
QUESTION = (
    "select source, part, builder, count(*) filter (where status = 'ok') as n, "
    "count(*) filter (where status <> 'ok') as failed, "
    + mean_with_interval("if(status = 'ok', test_accuracy, null)", "test_accuracy")
    + "".join(f", avg({measure}) filter (where status = 'ok') as {measure}" for measure in MEASURES)
    + f" from results {WHERE_ITS_SOURCE} and builder = {{builder}} group by all"
)
ROOM_FOR_A_NAME, ROOM_FOR_A_NUMBER = 30, 8
"""Columns of the screen."""
MOST_TREES = 4

NOTE = (
    "n: splits that were worked; failed: splits that were not. test_accuracy: mean over them, with its 95 % normal "
    "interval low to high; splits share training rows, so that the interval is approximate. Other columns are means "
    "over the splits, of trees alone depth to terminal_nodes. unseen_values: cells of test rows with a nominal value "
    "that no training row has. build_seconds is the time to fit, without the preparation of the rows."
)


@dataclass(frozen=True)
class Score:
    """A builder on a data set.

    accuracy : mean test accuracy over its splits, 0 to 1; None where all failed
    rows     : the result rows of all splits, in order
    """

    source: str
    part: str
    builder: str
    accuracy: Estimate | None
    rows: tuple[Row, ...]

    @property
    def title(self) -> str:
        """The data set, and its part where that is not the whole."""
        return self.source if self.part == "all" else f"{self.source} ({self.part})"

    @property
    def failed(self) -> list[Row]:
        """The rows of splits that could not be worked."""
        return [row for row in self.rows if row["status"] != "ok"]

    def mean(self, measure: str) -> float | None:
        """The mean of a measure over the splits that have it."""
        found = [row[measure] for row in self.rows if row["status"] == "ok" and row[measure] is not None]
        return fmean(found) if found else None


@dataclass(frozen=True)
class Tested:
    """What all summaries of comparisons of builders have: the scores, in the grid's order, and what was written."""

    scores: tuple[Score, ...]
    documents: tuple[SummaryTable, ...]
    figures: tuple[Path, ...]

    @property
    def worked(self) -> bool:
        """Whether any builder was tested."""
        return any(score.accuracy for score in self.scores)

    def found(self, *said: str) -> str:
        """A finding of what is said, with how much failed; without a test, that there was none."""
        if not self.worked:
            return "Nothing was tested: every fit failed."
        text = "; ".join([one for one in (*said, lost(self.scores)) if one])
        return f"{text[0].upper()}{text[1:]}."


@dataclass(frozen=True)
class Summary(Tested):
    """The scores, of these builders."""

    builders: tuple[str, ...]

    @property
    def finding(self) -> str:
        """Which builder is the most accurate, and by how much."""
        return self.found(leading(self.scores, self.builders))

    @property
    def trees(self) -> tuple[NotableTree, ...]:
        """The builders' trees of a split, of the data set on which drawable ones are furthest apart in accuracy."""
        by_title: dict[str, list[Row]] = {}
        for score in self.scores:
            if drawable(score.rows[0]):
                by_title.setdefault(score.title, []).append(score.rows[0])
        chosen = max(by_title.values(), key=lambda rows: (len(rows), _spread(rows)), default=[])
        return tuple(notable(row, right(row)) for row in chosen[:MOST_TREES])

    def screen(self, width: int) -> list[RenderableType]:
        """Accuracies, a line a data set; then what failed."""
        return [screen_table(self.scores, self.builders, width), *failures(self.scores)]


def summarise(parts: Mapping[str, Sequence[Part]], builders: Sequence[str], folder: Path) -> Summary:
    """Write `accuracies` and `classes` (.csv and .md) into folder."""
    scores = scores_of(row for part in parts[RESULTS_TABLE] for row in read(part).to_pylist())
    documents = (
        accuracy_table(scores),
        class_table(row for part in parts["classes"] for row in read(part).to_pylist()),
    )
    for document in documents:
        document.write(folder)
    return Summary(scores, documents, (), tuple(builders))


def summarise_and_draw(parts: Mapping[str, Sequence[Part]], builders: Sequence[str], folder: Path) -> Summary:
    """Write the figure `accuracies` beside what `summarise` writes."""
    found = summarise(parts, builders, folder)
    from pipeline.grammar.comparison.accuracies_figure import draw

    return replace(found, figures=draw(found.scores, builders, folder))


def scores_of(rows: Iterable[Row]) -> tuple[Score, ...]:
    """The scores of result rows, by data set and builder in the order in which these first come."""
    found: dict[tuple[str, str, str], list[Row]] = {}
    for row in rows:
        found.setdefault((row["source"], row["part"], row["builder"]), []).append(row)
    sources = list(dict.fromkeys(key[:2] for key in found))
    ordered = sorted(found, key=lambda key: sources.index(key[:2]))  # a stable sort: builders stay in order
    return tuple(Score(*key, _accuracy(found[key]), tuple(found[key])) for key in ordered)


def splits_of(scores: Iterable[Score]) -> list[dict[str, Row]]:
    """The rows of each split by builder, in their order."""
    found: dict[tuple[Any, ...], dict[str, Row]] = {}
    for row in (row for score in scores for row in score.rows):
        split = tuple(row[name] for name in ("source", "part", "repeat", "fold"))
        found.setdefault(split, {})[row["builder"]] = row
    return list(found.values())


def _accuracy(rows: Sequence[Row]) -> Estimate | None:
    values = [[row["test_accuracy"]] for row in rows if row["status"] == "ok"]
    return PairedMoments.of(np.array(values)).estimate(0) if values else None


def accuracy_table(scores: Sequence[Score]) -> SummaryTable:
    """A row for each data set and builder."""
    rows: list[tuple[Value, ...]] = []
    for score in scores:
        found = score.accuracy
        estimate = (found.mean, found.low, found.high) if found else (None, None, None)
        rows.append(
            (
                *(score.source, score.part, score.builder),
                *(found.n if found else 0, len(score.failed), *estimate),
                *(score.mean(measure) for measure in MEASURES),
                score.failed[0]["error"] if score.failed else None,
            )
        )
    return SummaryTable("accuracies", "Builders on data sets", COLUMNS, rows, NOTE, QUESTION)


def screen_table(scores: Sequence[Score], builders: Sequence[str], width: int) -> Table:
    """Accuracies in percent, a line a data set and a column a builder, as many as there is room for; then the means."""
    room = max(1, (width - ROOM_FOR_A_NAME) // (ROOM_FOR_A_NUMBER + 1))
    shown = list(builders)[:room]
    more = f"; {len(builders) - room} more builders in accuracies.csv" if len(builders) > room else ""
    table = Table(title=f"Test accuracy, %{more}", title_justify="left", box=None, padding=(0, 1, 0, 0), pad_edge=False)
    table.add_column("", overflow="fold", max_width=ROOM_FOR_A_NAME)
    for builder in shown:
        table.add_column(Text(builder), justify="right", overflow="fold", max_width=ROOM_FOR_A_NUMBER + 4)
    by_cell = {(score.title, score.builder): score.accuracy for score in scores}
    titles = list(dict.fromkeys(score.title for score in scores))
    for title in titles:
        found = [by_cell[title, builder] for builder in shown]
        table.add_row(Text(title), *(f"{100 * one.mean:.2f}" if one else Text("failed", style="red") for one in found))
    whole = tested_by_all(scores, builders)
    if len(whole) > 1:
        means = [fmean(accuracies[place] for accuracies in whole.values()) for place in range(len(shown))]
        of = "all" if len(whole) == len(titles) else f"the {len(whole)} that all were tested on"
        table.add_row()
        table.add_row(Text(f"mean of {of}", style="bold"), *(f"{mean:.2f}" for mean in means))
    return table


def _spread(rows: Sequence[Row]) -> float:
    accuracies = [row["test_accuracy"] for row in rows]
    return float(max(accuracies) - min(accuracies))


def lost(scores: Sequence[Score]) -> str:
    """How many fits failed; empty where none did."""
    failed = sum(len(one.failed) for one in scores)
    return f"{out_of(failed, sum(len(one.rows) for one in scores), 'fit')} failed" if failed else ""


def failures(scores: Sequence[Score]) -> list[Text]:
    """What failed, in a line or two."""
    failed = [(score, row) for score in scores for row in score.failed]
    if not failed:
        return []
    score, row = failed[0]
    lines = [f"{lost(scores)}; accuracies.csv and query say which"]
    return [Text("\n".join([*lines, f"the first: {score.builder} on {score.title}: {row['error']}"]), style="red")]
