"""The columns that the proof reads are those that the summaries write."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.grammar.summary import Summary
from pipeline.grammar.table import Table
from pipeline.grids.did_vs_c45 import summary as did_vs_c45
from pipeline.grids.greedy_vs_dp.summary import SUMMARY as greedy_vs_dp
from pipeline.grids.oct_vs_cart.summary import SUMMARY as oct_vs_cart
from pipeline.grids.worked_examples.summary import SUMMARY as worked_examples
from pipeline.proof.figures import CLAIMS, figures_of
from pipeline.proof.printed import Printed, papers
from pipeline.summary.verdicts import Verdict
from tests.summaries.builder_rows import declared, published, result_row, written

SUMMARIES = {
    "did_vs_c45": did_vs_c45.SUMMARY,
    "greedy_vs_dp": greedy_vs_dp,
    "oct_vs_cart": oct_vs_cart,
    "worked_examples": worked_examples,
}
COMPARISONS = ("did_mean_precision", "did_vs_svm", "evo_tree", "pruning", "t3c_vs_c45")


def _declared(grid: str) -> Summary | None:
    """The summary that declares a grid's tables."""
    if grid in COMPARISONS:
        return declared(grid)
    return SUMMARIES.get(grid)


def _table(printed: Printed) -> Table:
    summary = _declared(printed.grid)
    assert summary is not None
    (result,) = (table for table in summary.tables if table.name == printed.table)
    return result


def _columns(printed: Printed) -> tuple[str, ...]:
    return tuple(_table(printed).headings)


@pytest.mark.parametrize(
    "printed",
    [each for document in papers().documents for each in document.printed if each.table],
    ids=lambda printed: f"{printed.grid}-{printed.name}",
)
def test_the_proof_reads_existing_columns(printed: Printed) -> None:
    layout = CLAIMS if printed.claims else _table(printed).layout
    assert layout is not None
    read = {*layout.named, *printed.only, *(("verdict",) if not printed.rule else ())}
    read |= {column for column in (printed.why, printed.against) if column}
    read |= {*printed.shared, *printed.corrected.values()}
    assert read <= set(_columns(printed))
    assert set(printed.corrected) <= {pair.printed for pair in layout.pairs}


def test_a_table_that_is_made_of_another_has_its_columns_and_a_rule() -> None:
    made = [(document, each) for document in papers().documents for each in document.printed if each.made_of]
    assert made
    for document, each in made:
        (base,) = (other for other in document.printed if other.name == each.made_of)
        assert set(each.shared) <= set(_columns(base))
        assert each.against
        assert each.rule


def test_the_papers_own_ranks_agree_with_themselves_but_where_it_contradicts_itself(tmp_path: Path) -> None:
    printed = next(each for document in papers().documents for each in document.printed if each.table == "ranks")
    summary = declared("evo_tree")
    rows = [
        result_row(row["source"], row["builder"], 1, test_accuracy=row["value"]) for row in summary.constants["printed"]
    ]
    result = written(
        summary, published(rows, tmp_path), tmp_path / "s", builders=list({row["builder"] for row in rows})
    )
    (table,) = (document for document in result.documents if document.name == "ranks")
    figures = list(figures_of(table, printed))
    assert len(figures) == printed.figures
    assert {figure.verdict for figure in figures} <= {Verdict.AGREES, Verdict.IMPOSSIBLE}
    assert sum(figure.verdict is Verdict.AGREES for figure in figures) > 48
