"""The tables of EVO-Tree and its baselines: print's three, tests of the ranks, and who wins how often."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pipeline.grammar.questions import WHERE_ITS_SOURCE, literal, mean_with_interval
from pipeline.grammar.ranks import Accuracies, Ranking, against
from pipeline.grids.evo_tree.cells import RULE, Cell, compared
from pipeline.grids.evo_tree.claims import EVO_TREE, Wins
from pipeline.grids.evo_tree.printed import AVERAGE, BUILDERS, CASES, CUT, CUT_CASE, printed_ranks, printed_sizes
from pipeline.summary.tables import SummaryTable, Value

__all__ = ["cell_table", "rank_table", "size_table", "test_table", "wins_table"]

Row = Mapping[str, Any]

SIZE_COLUMNS = (
    *("case", "source", "part", "printed_rows", "rows", "printed_attributes", "attributes"),
    *("printed_classes", "classes", "largest_class", "remark"),
)
CELL_COLUMNS = (
    *("case", "source", "part", "builder", "n", "accuracy", "low", "high", "printed", "difference", "tolerance"),
    *("significant_beyond", "verdict", "depth", "nodes", "decision_rules", "build_seconds", "why"),
)
SIZE_QUESTION = (
    f"select (select max(rows + test_rows) from results {WHERE_ITS_SOURCE}) as rows, "
    "nullif(count(*), 0) as classes, max(support) / sum(support) as largest_class\n"
    f'from (select sum(support) as support from classes {WHERE_ITS_SOURCE} group by "class" having sum(support) > 0)'
)
CELL_QUESTION = (
    f"select builder, count(*) as n, {mean_with_interval('test_accuracy', 'accuracy')}, avg(depth) as depth, "
    "avg(nodes) as nodes, avg(terminal_nodes) as decision_rules, avg(build_seconds) as build_seconds\n"
    f"from results {WHERE_ITS_SOURCE} and builder = {{builder}} and status = 'ok' group by all"
)
OF_PRINT = (
    "of_set as (\n  select source, builder, round(avg(test_accuracy), 9) as accuracy from results\n"
    f"  where part = 'all' and source in ({', '.join(literal(case.source) for case in CASES.values())})\n"
    f"    and builder in ({', '.join(map(literal, BUILDERS.values()))})\n"
    "  group by all having bool_and(status = 'ok'))"
)
"""Our accuracies on print's data sets, where no split failed."""
RANK_QUESTION = (
    f"with {OF_PRINT},\n"
    "ranked as (\n  select *, rank() over (partition by source order by accuracy desc) "
    "+ (count(*) over (partition by source, accuracy) - 1) / 2 as rank, "
    "count(*) over (partition by source) as builders from of_set)\n"
    "select count(*) as data_sets, avg(rank) as by_ours from ranked\n"
    "where builders = (select count(distinct builder) from of_set) and builder = {builder} "
    "and ({source} is null or source = {source})"
)
TEST_QUESTION = (
    f"with {OF_PRINT}\nselect source as data_set, builder as of_builder, accuracy as our_accuracy from of_set\n"
    "where {against} is null or builder in ({against}, " + literal(EVO_TREE) + ")\norder by all"
)
WIN_QUESTION = (
    f"with {OF_PRINT}\nselect count(*) as n, sum((t.accuracy > o.accuracy)::int) as wins, "
    "sum((t.accuracy < o.accuracy)::int) as losses\nfrom of_set t join of_set o using (source) "
    "where t.builder = {tree} and o.builder = {other}"
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
        "data_sets",
        "Data sets as print has them and as they are (003, Table 1)",
        SIZE_COLUMNS,
        rows,
        note,
        SIZE_QUESTION,
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
                *(cell.printed, cell.difference.mean if cell.difference else None, cell.tolerance),
                *(cell.significant_beyond, cell.verdict),
                *(score.mean(measure) for measure in ("depth", "nodes", "terminal_nodes", "build_seconds")),
                cell.why,
            )
        )
    note = (
        f"n: splits; accuracy: mean over them, low to high its 95 % normal interval, approximate, for splits share "
        f"rows. {RULE} {CUT} is another reading of abalone, without a verdict. {compared(cells)}. "
        "depth, nodes, decision_rules (leaves), build_seconds: means; nodes are "
        "those that training rows reach."
    )
    title = "EVO-Tree and its baselines beside the paper (003, Table 2)"
    return SummaryTable("evo_tree", title, CELL_COLUMNS, rows, note, CELL_QUESTION)


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
            rows.append((name, CASES[name].source if name in CASES else None, builder, *found))
    columns = ("case", "source", "builder", "printed", *(_column(name) for name in rankings))
    note = (
        "printed: ranks as printed. The others are made of accuracies, tied ones sharing the mean of their ranks: "
        "by_printed of print's, by_printed_with_our_mlp of print's with the MLP's column replaced by ours, by_ours of "
        "ours."
    )
    return SummaryTable("ranks", "Ranks by accuracy (003, Table 3)", columns, rows, note, RANK_QUESTION)


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
        "after Holm's correction over the builders. n: data sets; wins, losses: of EVO-Tree. Rankings called printed "
        "are made of print's own accuracies, which no row of a run has."
    )
    return SummaryTable("tests", "Tests of the ranks, which print lacks", TEST_COLUMNS, rows, note, TEST_QUESTION)


def wins_table(found: Sequence[Wins]) -> SummaryTable:
    """On how many data sets each builder of trees is more accurate than each other builder."""
    rows: list[tuple[Value, ...]] = []
    for one in found:
        ours = (one.ours.n, one.ours.wins, one.ours.losses) if one.ours else (0, None, None)
        rows.append((one.tree, one.other, one.printed.n, one.printed.wins, one.printed.losses, *ours))
    note = "Data sets on which the tree is more accurate, and less, by print's accuracies and by ours."
    return SummaryTable("wins", "Trees against others, data set by data set", WIN_COLUMNS, rows, note, WIN_QUESTION)


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
    return "by_" + name.lower().replace(",", "").replace(" ", "_")
