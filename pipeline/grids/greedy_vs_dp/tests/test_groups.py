"""The paper's groups and ours held against each other, by NumPy."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from pipeline.grammar.columns import COSTS, Row
from pipeline.grids.greedy_vs_dp.tests.made_up_rows import (
    FEW,
    TABLE_ROWS,
    Rows,
    grid_rows,
    part,
    read,
    summarise,
    summary_rows,
)
from pipeline.summary.statistics import critical_z
from tests.oracles.greedy_excess import PRINTED, excess

GROUPS, TABLES, PAPER_TABLES = 22, 30, 10_000
NAMES = ("groups", "printed_cells", "blocks")
Floats = NDArray[np.float64]


@pytest.fixture(scope="module")
def rows() -> Rows:
    """Rows of five complete blocks of groups and half of one; the greedy trees of group 7 are bad."""
    made = grid_rows(GROUPS, TABLES, FEW)
    for row in made:
        if row["group"] == 7 and row["builder"] == "greedy" and row["nodes"] != 1:
            row |= {cost: 5 * int(str(row[cost])) for cost in (*COSTS[1:], "total_path_length")}
            row["average_depth"] = int(str(row["total_path_length"])) / TABLE_ROWS
    return made


@pytest.fixture(scope="module")
def tables(rows: Rows, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Sequence[Row]]:
    return summary_rows([part(rows)], FEW, True, tmp_path_factory.mktemp("groups"))


@pytest.fixture(scope="module")
def means(rows: Rows) -> Floats:
    """Our mean of each group (groups, cells), a heuristic's costs together."""
    values = excess(rows, FEW).reshape(len(COSTS), GROUPS, TABLES, len(FEW))
    return values.mean(axis=2).transpose(1, 2, 0).reshape(GROUPS, -1)


@pytest.fixture(scope="module")
def spread(rows: Rows) -> Floats:
    """Standard deviation of each cell over all our tables."""
    return excess(rows, FEW).std(axis=1, ddof=1).T.ravel()


PAPER = np.array([[PRINTED[group, name, cost] for name in FEW for cost in COSTS] for group in (1, 2, 3, 4)])


def z(mean: Floats, tables: int, others: Floats, other_tables: int, spread: Floats) -> Floats:
    """The difference from the mean of other groups (groups, cells) in standard errors."""
    return (mean - others.mean(axis=0)) / (spread * np.sqrt(1 / tables + 1 / other_tables))


def departures(means: Floats, spread: Floats, against: str) -> tuple[list[Floats], list[Floats]]:
    """The z of the cells of each printed group, and of each of ours."""
    paper, ours = [], []
    for group in range(4):
        if against == "other three":
            rest = np.delete(PAPER, group, axis=0)
            paper.append(z(PAPER[group], PAPER_TABLES, rest, 3 * PAPER_TABLES, spread))
        else:
            paper.append(z(PAPER[group], PAPER_TABLES, means, GROUPS * TABLES, spread))
    for group in range(20 if against == "other three" else GROUPS):
        first = group - group % 4
        among = means[first : first + 4] if against == "other three" else means
        rest = np.delete(among, group - first if against == "other three" else group, axis=0)
        ours.append(z(means[group], TABLES, rest, len(rest) * TABLES, spread))
    return paper, ours


@pytest.mark.parametrize("against", ["other three", "our groups"])
def test_groups_are_as_unusual_as_counting_says(
    against: str, tables: dict[str, Sequence[Row]], means: Floats, spread: Floats
) -> None:
    paper, ours = departures(means, spread, against)
    shown = [row for row in tables["groups"] if row["against"] == against]
    assert [(row["of"], row["group"]) for row in shown] == [
        (of, g) for of in ("the paper", "ours") for g in (1, 2, 3, 4)
    ]
    for row, own in zip(shown, [*paper, *ours[:4]], strict=True):
        assert (row["cells"], row["own_groups"]) == (len(FEW) * len(COSTS), GROUPS)
        measures = {"mean_square": lambda cells: (cells**2).mean(), "largest_z": lambda cells: np.abs(cells).max()}
        for name, measure in measures.items():
            assert row[name] == pytest.approx(measure(own))
            every = [measure(each) for each in ours] + ([measure(own)] if row["of"] == "the paper" else [])
            assert row[f"p_{name}"] == pytest.approx(np.mean([each >= measure(own) - 1e-9 for each in every]))


def test_printed_cells_are_beside_the_other_three_and_ours(
    tables: dict[str, Sequence[Row]], means: Floats, spread: Floats
) -> None:
    cells = tables["printed_cells"]
    names = [(row["group"], f"{row['impurity_type']}/{row['uncertainty']}", row["cost_function"]) for row in cells]
    assert names == [(group, name, cost) for group in (1, 2, 3, 4) for name in FEW for cost in COSTS]
    assert [row["printed"] for row in cells] == PAPER.ravel().tolist()
    others = [np.delete(PAPER, group, axis=0).mean(axis=0) for group in range(4)]
    np.testing.assert_allclose([row["other_three"] for row in cells], np.concatenate(others))
    for column, against in (("z_other_three", "other three"), ("z_ours", "our groups")):
        paper, _ = departures(means, spread, against)
        np.testing.assert_allclose([row[column] for row in cells], np.concatenate(paper))
    np.testing.assert_allclose([row["mean_relative_difference"] for row in cells], np.tile(means.mean(axis=0), 4))


def test_blocks_are_counted_against_the_paper_and_each_other(
    tables: dict[str, Sequence[Row]], means: Floats, spread: Floats
) -> None:
    blocks = means[:20].reshape(5, 4, -1)
    limit = critical_z(320)
    between = np.abs(blocks[:, None] - blocks[None]) / (spread * np.sqrt(2 / TABLES))
    pairs = (between > limit).sum(axis=(2, 3)) >= 2
    assert pairs.sum() == 8  # the block of group 7 and each of the four others
    for index, row in enumerate(tables["blocks"]):
        apart = np.abs(blocks[index] - PAPER) / (spread * np.sqrt(1 / TABLES + 1 / PAPER_TABLES))
        assert (row["first_group"], row["groups"], row["other_blocks"]) == (4 * index + 1, 4, 4)
        assert row["significant"] == (apart > limit).sum()
        assert row["largest_z"] == pytest.approx(apart.max())
        assert row["blocks_with_two"] == pairs[index].sum()
    assert len(tables["blocks"]) == 5


def test_the_note_counts_the_blocks(rows: Rows, tmp_path: Path) -> None:
    summarise([part(rows)], FEW, True, tmp_path)
    two = sum(int(row["significant"]) >= 2 for row in read(tmp_path / "blocks.csv"))
    note = (tmp_path / "blocks.md").read_text()
    assert (
        f"Two or more cells are significant in {two} of 5 blocks against the paper, and in 4 of 10 pairs of our blocks."
        in note
    )


@pytest.mark.parametrize(("groups", "comparable", "made"), [(19, True, False), (20, True, True), (20, False, False)])
def test_few_groups_and_other_tables_are_not_calibrated(
    groups: int, comparable: bool, made: bool, tmp_path: Path
) -> None:
    summary = summarise([part(grid_rows(groups, 3, FEW))], FEW, comparable, tmp_path)
    assert [document.name for document in summary.documents if document.name in NAMES] == (list(NAMES) if made else [])
