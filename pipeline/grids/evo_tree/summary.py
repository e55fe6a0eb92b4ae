"""The summary of EVO-Tree and its baselines: Tables 1 to 3 of `003_…`, tests, claims and learning curves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.table import Table
from rich.text import Text

from pipeline.grammar.claims import Ruling, claim_table, claims_screen, rulings
from pipeline.grammar.comparison.accuracies import Row, Score, Tested, failures, splits_of
from pipeline.grammar.comparison.accuracies import summarise as summarise_accuracies
from pipeline.grammar.comparison.learning_curves import curve_table, curves_of
from pipeline.grammar.notable_trees import drawable, no_worse_but_smaller, notable, right
from pipeline.grammar.ranks import Accuracies, Ranking, ranking
from pipeline.grid import RESULTS_TABLE, NotableTree
from pipeline.grids.evo_tree.cells import Cell, compare, compared
from pipeline.grids.evo_tree.claims import CLAIMS, EVO_TREE, J48, READING, Wins, wins, won
from pipeline.grids.evo_tree.printed import BUILDERS, CASES, CUT, MLP, printed_accuracies
from pipeline.grids.evo_tree.tables import cell_table, rank_table, size_table, test_table, wins_table
from pipeline.storage.parts import Part, read
from pipeline.summary.verdicts import Verdict

if TYPE_CHECKING:
    from rich.console import RenderableType

__all__ = ["Summary", "our_accuracies", "rankings", "summarise"]

ROOMY_WIDTH = 92  # columns from which on print's figures stand beside ours
LEGEND = "*: differs from the paper; ~: consistent with it, the splits cannot tell; the rule and why: evo_tree.csv, .md"
MARKS = {Verdict.CONSISTENT: "~", Verdict.DIFFERS: "*"}
"""Behind a value on the screen."""


@dataclass(frozen=True)
class Summary(Tested):
    """Print's cells as far as they were run, ranks by print's and by our accuracies, claims, and what was written."""

    cells: tuple[Cell, ...]
    rankings: Mapping[str, Ranking]
    wins: tuple[Wins, ...]
    rulings: tuple[Ruling, ...]

    @property
    def finding(self) -> str:
        """How many cells agree with the paper, how often trees win, and whether our ranks tell any apart."""
        ours = self.rankings.get("ours")
        return self.found(compared(self.cells), won(self.wins), _tested("our accuracies", ours) if ours else "")

    @property
    def trees(self) -> tuple[NotableTree, ...]:
        """EVO-Tree's and J48's of a split: where it saves most leaves at no cost, and where it costs most accuracy."""
        splits = splits_of(self.scores)
        both = [(split[EVO_TREE], split[J48]) for split in splits if {EVO_TREE, J48} <= set(split)]
        behind = [(one, j48) for one, j48 in both if drawable(one) and drawable(j48) and _behind(one, j48) > 0]
        worst = max(behind, key=lambda pair: _behind(*pair), default=())
        return (*no_worse_but_smaller(splits, J48, EVO_TREE), *(notable(row, right(row)) for row in worst))

    def screen(self, width: int) -> list[RenderableType]:
        """Table 2 beside print, average ranks and their tests, then the claims."""
        lines = [
            compared(self.cells),
            *(_tested(name, found) for name, found in self.rankings.items()),
            won(self.wins),
        ]
        return [
            _accuracies_screen(self.cells, roomy=width >= ROOMY_WIDTH),
            Text(LEGEND, style="dim"),
            "",
            _ranks_screen(self.rankings),
            Text("\n".join(lines)),
            *claims_screen(self.rulings),
            *failures(self.scores),
        ]


def summarise(parts: Mapping[str, Sequence[Part]], builders: Sequence[str], folder: Path) -> Summary:
    """Write Tables 1 to 3, tests, claims and curves (.csv and .md) beside `accuracies` and `classes`, and figures."""
    found = summarise_accuracies(parts, builders, folder)
    curves = curves_of(row for part in parts.get("curves", ()) for row in read(part).to_pylist())
    cells, printed, ours = compare(found.scores), printed_accuracies(), our_accuracies(found.scores)
    ranked = rankings(printed, ours)
    counted = wins(printed, ours)
    apart = _apart(found.scores)
    claims = rulings(found.scores, CLAIMS, apart)
    documents = (
        size_table(_rows(parts, "classes"), _rows(parts, RESULTS_TABLE)),
        cell_table(cells),
        rank_table(ranked),
        test_table(ranked, {"printed": printed, "ours": ours}),
        wins_table(counted),
        claim_table("Claims of 003 on EVO-Tree", claims, READING, apart),
        *((curve_table(curves),) if curves else ()),
    )
    for document in documents:
        document.write(folder)
    from pipeline.grammar.comparison.accuracies_figure import draw as draw_accuracies
    from pipeline.grammar.comparison.learning_curves_figure import draw as draw_curves
    from pipeline.grammar.critical_difference_figure import draw as draw_ranks

    figures = (
        *draw_accuracies(
            *(found.scores, builders, folder),
            name="evo_tree",
            headline="Accuracies beside print, and sizes, which print lacks",
            printed={(cell.score.title, cell.score.builder): cell.printed for cell in cells},
        ),
        *draw_ranks(ranked, EVO_TREE, folder),
        *draw_curves(curves, folder),
    )
    return Summary(found.scores, (*documents, *found.documents), figures, cells, ranked, counted, claims)


def our_accuracies(scores: Iterable[Score]) -> Accuracies:
    """Mean test accuracy by print's case and builder, where no split failed."""
    cases = {case.source: name for name, case in CASES.items()}
    return {
        (cases[score.title], score.builder): score.accuracy.mean
        for score in scores
        if score.title in cases and score.builder in BUILDERS.values() and score.accuracy and not score.failed
    }


def rankings(printed: Accuracies, ours: Accuracies) -> dict[str, Ranking]:
    """By what was ranked: print's accuracies and ours, with the MLP and without, and print's with our MLP where it ran.

    Those that leave no data set, or one builder alone, are left out.
    """
    mended = {
        (case, builder): ours[case, builder] if builder == MLP else theirs
        for (case, builder), theirs in printed.items()
        if (case, MLP) in ours
    }
    builders = tuple(BUILDERS.values())
    others = tuple(one for one in builders if one != MLP)
    found = {"printed": ranking(printed, builders), "printed, without the MLP": ranking(printed, others)}
    if mended:
        found["printed, with our MLP"] = ranking(mended, builders)
    found["ours"] = ranking(ours, builders)
    if MLP in found["ours"].builders:
        found["ours, without the MLP"] = ranking(ours, others)
    return {name: one for name, one in found.items() if one.data_sets and len(one.builders) > 1}


def _apart(scores: Iterable[Score]) -> tuple[str, ...]:
    """The data sets that count in claims about them alone: the cut one, and beside the paper's own all others."""
    titles = dict.fromkeys(score.title for score in scores)
    own = {case.source for case in CASES.values()}
    others = [title for title in titles if title not in own] if own & set(titles) else []
    return tuple(dict.fromkeys((CUT, *others)))


def _behind(one: Row, other: Row) -> float:
    """By how much a tree is less accurate than another on test rows."""
    return float(other["test_accuracy"] - one["test_accuracy"])


def _rows(parts: Mapping[str, Sequence[Part]], table: str) -> list[dict[str, Any]]:
    return [row for part in parts[table] for row in read(part).to_pylist()]


def _accuracies_screen(cells: Sequence[Cell], *, roomy: bool) -> Table:
    """A line a data set, a column a builder: ours, and print's where there is room."""
    title = "Test accuracy (print's)" if roomy else "Test accuracy"
    shown = Table(title=title, title_justify="left", box=None, padding=(0, 1, 0, 0))
    shown.add_column("", no_wrap=True)
    by_cell = {(cell.case, cell.cut, cell.score.builder): cell for cell in cells}
    builders = [one for one in BUILDERS.values() if any(cell.score.builder == one for cell in cells)]
    for builder in builders:
        shown.add_column(builder, no_wrap=True)
    for case, cut in dict.fromkeys((cell.case, cell.cut) for cell in cells):
        name = f"{case}, 210 rows" if cut else case
        shown.add_row(name, *(_shown(by_cell.get((case, cut, builder)), roomy=roomy) for builder in builders))
    return shown


def _shown(cell: Cell | None, *, roomy: bool) -> Text:
    if cell is None or cell.estimate is None:
        return Text("" if cell is None else "failed", style="red")
    mark = MARKS.get(cell.verdict, "") if cell.verdict else ""
    theirs = f" ({cell.printed:.3f})" if roomy else ""
    return Text(f"{cell.estimate.mean:.3f}{theirs}{mark}".replace("0.", "."))


def _ranks_screen(found: Mapping[str, Ranking]) -> Table:
    """A line a ranking, a column a builder."""
    shown = Table(title="Average rank", title_justify="left", box=None, padding=(0, 2, 0, 0))
    shown.add_column("")
    for builder in BUILDERS.values():
        shown.add_column(builder, justify="right")
    for name, one in found.items():
        mean = one.mean
        shown.add_row(name, *(f"{mean[builder]:.2f}" if builder in mean else "" for builder in BUILDERS.values()))
    return shown


def _tested(name: str, one: Ranking) -> str:
    friedman = one.friedman()
    said = f"= {friedman.p:.2g} that all are as good" if friedman else "is not to be had"
    return f"{name}: Friedman's p {said}"
