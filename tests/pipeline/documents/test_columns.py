"""The columns that the proof reads are those that the summaries write."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pipeline.documents.printed import Printed, papers
from pipeline.grammar import claims
from pipeline.grids.did_vs_c45 import depth_accuracies
from pipeline.grids.did_vs_c45 import summary as did_vs_c45
from pipeline.grids.did_vs_svm import summary as did_vs_svm
from pipeline.grids.evo_tree import summary as evo_tree
from pipeline.grids.evo_tree import tables as evo_tree_tables
from pipeline.grids.evo_tree.printed import printed_accuracies
from pipeline.grids.greedy_vs_dp import summary as greedy_vs_dp
from pipeline.grids.oct_vs_cart import tables as oct_vs_cart_tables
from pipeline.grids.worked_examples import summary as worked_examples
from pipeline.summary.tables import SummaryTable

EMPTY: dict[tuple[str, str], Callable[[], SummaryTable]] = {
    ("worked_examples", "steps"): lambda: worked_examples._step_table([]),
    ("did_vs_c45", "did_vs_c45"): lambda: did_vs_c45._depth_table([]),
    ("did_vs_c45", "did_vs_c45_accuracies"): lambda: depth_accuracies.accuracy_cell_table([]),
    ("did_vs_svm", "did_vs_svm"): lambda: did_vs_svm._table([]),
    ("oct_vs_cart", "oct_vs_cart"): lambda: oct_vs_cart_tables.FIGURES.written_as([], {}),
    ("evo_tree", "data_sets"): lambda: evo_tree_tables.size_table([], []),
    ("evo_tree", "evo_tree"): lambda: evo_tree_tables.cell_table([]),
    ("evo_tree", "ranks"): lambda: evo_tree_tables.rank_table(
        evo_tree.rankings(printed_accuracies(), printed_accuracies())
    ),
    **{(grid, "claims"): lambda: claims.claim_table("Claims", []) for grid in ("evo_tree", "pruning", "t3c_vs_c45")},
}
"""Each table with as few rows as it can have, by grid and name."""

GREEDY = {"cells": ("group", *greedy_vs_dp.CELL_COLUMNS), "best_two": greedy_vs_dp.BEST_COLUMNS}


def _columns(printed: Printed) -> tuple[str, ...]:
    if printed.grid == "greedy_vs_dp":
        return GREEDY[printed.table or ""]
    table = EMPTY[printed.grid, printed.table or ""]()
    assert table.name == printed.table
    return tuple(table.columns)


@pytest.mark.parametrize(
    "printed",
    [one for document in papers().documents for one in document.printed if one.table],
    ids=lambda one: f"{one.grid}-{one.name}",
)
def test_the_proof_reads_columns_that_there_are(printed: Printed) -> None:
    read = {*printed.named, *printed.only, *(("verdict",) if not printed.rule else ())}
    read |= {part for ours, theirs in printed.pairs for part in (*ours.split("/"), theirs)}
    read |= {column for column in (printed.why, printed.against) if column}
    assert read <= set(_columns(printed))


def test_prints_own_ranks_agree_with_themselves_but_where_print_contradicts_itself() -> None:
    from pipeline.documents.figures import figures_of
    from pipeline.summary.verdicts import Verdict

    printed = next(one for document in papers().documents for one in document.printed if one.table == "ranks")
    table = EMPTY["evo_tree", "ranks"]()
    found = list(figures_of(table, printed))
    assert len(found) == printed.figures
    assert {one.verdict for one in found} <= {Verdict.AGREES, Verdict.IMPOSSIBLE}
    assert sum(one.verdict is Verdict.AGREES for one in found) > 48
