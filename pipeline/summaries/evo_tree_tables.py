"""The tables of EVO-Tree and its baselines: print's three, tests of the ranks, and who wins how often."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pipeline.summaries.evo_tree_cells import RULE, Cell, agreement
from pipeline.summaries.evo_tree_claims import EVO_TREE, Wins
from pipeline.summaries.evo_tree_printed import AVERAGE, BUILDERS, CASES, CUT, CUT_CASE, printed_ranks, printed_sizes
from pipeline.summaries.ranks import Accuracies, Ranking, against
from pipeline.summaries.tables import SummaryTable, Value

__all__ = ["cell_table", "rank_table", "size_table", "test_table", "wins_table"]

Row = Mapping[str, Any]

SIZE_COLUMNS = (
    *("case", "source", "part", "printed_rows", "rows", "printed_attributes", "attributes"),
    *("printed_classes", "classes", "largest_class", "remark"),
)
CELL_COLUMNS = (
    *("case", "source", "part", "builder", "n", "accuracy", "low", "high", "printed", "difference", "tolerance"),
    *("verdict", "depth", "nodes", "decision_rules", "build_seconds", "why"),
)
WIN_COLUMNS = ("tree", "other", "printed_n", "printed_wins", "printed_losses", "n", "wins", "losses")
TEST_COLUMNS = ("ranking", "test", "against", "builders", "n", "wins", "losses", "statistic", "p", "p_holm")


def size_table(classes: Sequence[Row], results: Sequence[Row]) -> SummaryTable:
    """Table 1: each data set of print and the cut one, as printed and as it is."""
    cases = {case.source: (name, case) for name, case in CASES.items()}
    cases[CUT] = (CUT_CASE, CASES[CUT_CASE])
    rows: list[tuple[Value, ...]] = []
    for source, part in dict.fromkeys((row["source"], row["part"]) for row in results):
        title = source if part == "all" else f"{source} ({part})"
        if title not in cases:
            continue
        name, case = cases[title]
        size = next((row["rows"] + row["test_rows"] for row in results if _is(row, source, part) and row["rows"]), None)
        support = _support(row for row in classes if _is(row, source, part))
        largest = max(support.values()) / sum(support.values()) if support else None
        printed = printed_sizes().get(name)
        theirs = (printed.rows, printed.attributes, printed.classes) if printed else (None, None, None)
        remark = "drawn of abalone" if title == CUT else case.remark
        rows.append(
            (
                *(name, source, part, theirs[0], size, theirs[1], case.attributes, theirs[2], len(support) or None),
                *(largest, remark or None),
            )
        )
    note = (
        "classes: those that rows have; largest_class: share of the rows that are of the most common class, which is "
        "the accuracy of always naming it."
    )
    return SummaryTable(
        "data_sets", "Data sets as print has them and as they are (003, Table 1)", SIZE_COLUMNS, rows, note
    )


def cell_table(cells: Sequence[Cell]) -> SummaryTable:
    """Table 2, and what print has no table of: depth, size and time."""
    rows: list[tuple[Value, ...]] = []
    for cell in cells:
        score, found = cell.score, cell.estimate
        estimate = (found.n, found.mean, found.low, found.high) if found else (0, None, None, None)
        rows.append(
            (
                *(cell.case, score.source, score.part, score.builder, *estimate),
                *(cell.printed, cell.difference, cell.tolerance, cell.verdict),
                *(score.mean(measure) for measure in ("depth", "nodes", "terminal_nodes", "build_seconds")),
                cell.why,
            )
        )
    note = (
        f"n: splits; accuracy: mean over them, low to high its 95 % normal interval, approximate, for splits share "
        f"rows. {RULE}. {agreement(cells)}. depth, nodes, decision_rules (leaves), build_seconds: means; nodes are "
        "those that training rows reach."
    )
    return SummaryTable("evo_tree", "EVO-Tree and its baselines beside print (003, Table 2)", CELL_COLUMNS, rows, note)


def rank_table(rankings: Mapping[str, Ranking]) -> SummaryTable:
    """Table 3: ranks as printed, and as each ranking has them; then their averages."""
    rows: list[tuple[Value, ...]] = []
    for name in (*CASES, AVERAGE):
        for builder in BUILDERS.values():
            found: list[Value] = [printed_ranks()[name, builder]]
            for one in rankings.values():
                if builder not in one.builders or name not in {*one.data_sets, AVERAGE}:
                    found.append(None)
                else:
                    found.append(one.mean[builder] if name == AVERAGE else one.of(name, builder))
            rows.append((name, builder, *found))
    columns = ("case", "builder", "table_3", *(_column(name) for name in rankings))
    note = (
        "table_3: ranks as printed. The others are made of accuracies, tied ones sharing the mean of their ranks: "
        "printed of print's, printed_with_our_mlp of print's with the MLP's column replaced by ours, ours of ours."
    )
    return SummaryTable("ranks", "Ranks by accuracy (003, Table 3)", columns, rows, note)


def test_table(rankings: Mapping[str, Ranking], accuracies: Mapping[str, Accuracies]) -> SummaryTable:
    """Friedman's test and Nemenyi's critical difference of each ranking, and Wilcoxon's tests of EVO-Tree."""
    rows: list[tuple[Value, ...]] = []
    for name, one in rankings.items():
        k, n = len(one.builders), len(one.data_sets)
        friedman = one.friedman()
        if friedman:
            rows.append((name, "Friedman", None, k, n, None, None, friedman.statistic, friedman.p, None))
        rows.append((name, "Nemenyi", None, k, n, None, None, one.critical_difference(), None, None))
        if name in accuracies:
            for other in against(accuracies[name], EVO_TREE, one.builders):
                tested = (other.wins, other.losses, other.statistic, other.p, other.adjusted)
                rows.append((name, "Wilcoxon", other.other, k, other.n, *tested))
    note = (
        "Friedman: that all builders are as good, chi-squared. Nemenyi: the difference in average ranks from which on "
        "two builders are apart at 5 %. Wilcoxon: EVO-Tree against another, signed ranks, exact and two-sided; p_holm: "
        "after Holm's correction over the builders. n: data sets; wins, losses: of EVO-Tree."
    )
    return SummaryTable("tests", "Tests of the ranks, which print lacks", TEST_COLUMNS, rows, note)


def wins_table(found: Sequence[Wins]) -> SummaryTable:
    """On how many data sets each builder of trees is more accurate than each other builder."""
    rows: list[tuple[Value, ...]] = []
    for one in found:
        ours = (one.ours.n, one.ours.wins, one.ours.losses) if one.ours else (0, None, None)
        rows.append((one.tree, one.other, one.printed.n, one.printed.wins, one.printed.losses, *ours))
    note = "Data sets on which the tree is more accurate, and less, by print's accuracies and by ours."
    return SummaryTable("wins", "Trees against others, data set by data set", WIN_COLUMNS, rows, note)


def _is(row: Row, source: str, part: str) -> bool:
    return bool(row["source"] == source and row["part"] == part)


def _support(rows: Iterable[Row]) -> dict[str, int]:
    """Test rows of each class that has any, of all splits."""
    found: dict[str, int] = {}
    for row in rows:
        if row["support"]:
            found[row["class"]] = found.get(row["class"], 0) + row["support"]
    return found


def _column(name: str) -> str:
    return name.lower().replace(",", "").replace(" ", "_")
