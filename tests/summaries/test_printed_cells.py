"""Of every grid with printed values: what else a run holds changes no verdict, and each is counted once."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from pipeline.grammar.findings import agreement
from pipeline.grid import GridSummary
from pipeline.grids.did_vs_c45.summary import SUMMARY as C45
from pipeline.grids.t3c_vs_c45.comparison import SUMMARY as T3C
from pipeline.summary.tables import SummaryTable
from tests.summaries.builder_rows import declared, published, result_row, written

Rows = list[dict[str, Any]]
SVM, EVO_TREE = declared("did_vs_svm"), declared("evo_tree")


def splits(source: str, builder: str, mean: float, count: int = 10, **others: Any) -> Rows:
    """Splits whose accuracies spread by three hundredths."""
    noise = random.Random(f"{source} {builder}")
    named = {"rows": 90, "test_rows": 10, "train_accuracy": 0.99, "build_seconds": 0.1, "parameters": "{}"} | others
    return [
        result_row(source, builder, fold, test_accuracy=min(1.0, mean + noise.gauss(0, 0.03)), **named)
        for fold in range(1, count + 1)
    ]


def off(*key: str) -> float:
    """How far a value is from the printed one: of some far, of others not."""
    return random.Random(str(key)).choice([0.0, 0.01, 0.03, 0.045, 0.06, 0.3])


def of_svm(extra: bool, folder: Path) -> GridSummary:
    """The second table of Ben-Gal et al.; besides, many builders of names like DID's, another part and source."""
    cells = [row for row in SVM.constants["printed"] if row["case"] != "pima"]
    rows = [
        row
        for cell in cells
        for row in splits(cell["source"], cell["builder"], cell["value"] / 100 - off(cell["case"], cell["builder"]))
    ]
    if extra:
        for cell in cells:
            if cell["builder"] == "did":
                rows += [row for n in range(9) for row in splits(cell["source"], f"did_{n}", cell["value"] / 100)]
        rows += [row | {"part": "40 rows"} for row in rows if row["builder"] == "svm"]
        rows += splits("uci/zoo", "did", 0.5)
    return written(SVM, published(rows, folder), folder, drawn=False, builders=builders_of(rows))


def of_c45(extra: bool, folder: Path) -> GridSummary:
    """The first table of Ben-Gal et al.; besides, other weights, builders and parts, and a pruned J48."""
    rows: Rows = []
    depths: Rows = []
    builders = {"id3": "id3", "c45": "gain_ratio", "did": "did 0.5"}
    for cell in C45.constants["printed_cells"]:
        case, column, source = cell["case"], cell["printed_builder"], cell["source"]
        name = builders[column]
        result = {"source": source, "part": "all", "repeat": 1, "rows": 100, "status": "ok"}
        result["average_depth"] = cell["depth"] + off(case, column, "depth")
        ratio = {"orthogonality_weight": 0.5} if column == "did" else {}
        depths.append(result | {"builder": name, "parameters": json.dumps(ratio)})
        rows += splits(source, name, cell["accuracy"] / 100 - off(case, column))
        if extra:
            better = {"orthogonality_weight": 0.51}
            less, more = (result["average_depth"] + each for each in (-1, 1))
            depths.append(result | {"builder": "did 0.51", "average_depth": less, "parameters": json.dumps(better)})
            depths.append(result | {"builder": "did 1", "average_depth": more, "parameters": json.dumps(better)})
            depths.append(result | {"builder": "j48", "parameters": "{}"})
            depths.append(result | {"builder": name, "part": "train", "average_depth": 99.0, "parameters": "{}"})
            rows += [row for other in ("did 0.51", "did 1", "j48") for row in splits(source, other, 0.9)]
    return written(C45, published(rows, folder, depths=depths), folder, drawn=False)


def of_evo_tree(extra: bool, folder: Path) -> GridSummary:
    """Table 2 and the claims of Jankowski & Jackowski; besides, other builders, data sets and a cut abalone."""
    rows: Rows = []
    for cell in EVO_TREE.constants["printed"]:
        source, name, theirs = cell["source"], cell["builder"], cell["value"]
        leaves = {"terminal_nodes": 9 + len(name), "nodes": 20} if name in {"evo_tree", "j48", "random_tree"} else {}
        own = splits(source, name, theirs - off(source, name), **leaves)
        rows += own
        if extra:
            rows += splits(source, f"{name}_2", theirs, **leaves)
            rows += splits(f"{source}/other", name, 0.2 + 0.7 * (name == "evo_tree"), **leaves)
            rows += [row | {"part": "all but 1"} for row in own]
    return written(EVO_TREE, published(rows, folder), folder, drawn=False, builders=builders_of(rows))


def of_t3c(extra: bool, folder: Path) -> GridSummary:
    """The claims of Li on T3C; besides, builders that no claim is about."""
    names = list(dict.fromkeys(row[side] for row in T3C.constants["claims"] for side in ("left", "right")))
    rows = [
        row
        for number in range(8)
        for name in [*names, *(f"{name}_2" for name in names if extra)]
        for row in splits(f"set/{number}", name, 0.9 - off(name), nodes=9 + len(name) + number, objective=1.0)
    ]
    builders = ["c45", *(name for name in names if name != "c45")]
    return written(T3C, published(rows, folder), folder, drawn=False, builders=builders)


def builders_of(rows: Rows) -> list[str]:
    return list(dict.fromkeys(row["builder"] for row in rows))


def judged(table: SummaryTable) -> dict[tuple[Any, ...], Any]:
    """The verdicts of a table's rows by what they are of."""
    index = table.columns.index("verdict")
    names = ("case", "claim", "left", "right", "measure", "on", "builder", "printed_builder", "max_depth", "region")
    key = [number for number, name in enumerate(table.columns) if name in names]
    return {tuple(row[number] for number in key): row[index] for row in table.rows if row[index]}


GRIDS = [of_svm, of_c45, of_evo_tree, of_t3c]
Of = Callable[[bool, Path], GridSummary]


@pytest.fixture(scope="module")
def summarised(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Of, bool], GridSummary]:
    """Makes the summary of a grid, once for all tests."""
    return cache(lambda of, extra: of(extra, tmp_path_factory.mktemp("summary")))


@pytest.mark.parametrize("of", GRIDS)
def test_rows_that_are_not_printed_change_no_verdict(of: Of, summarised: Callable[[Of, bool], GridSummary]) -> None:
    plain, extra = (summarised(of, more) for more in (False, True))
    tables = [[table for table in summary.documents if table.verdicts] for summary in (plain, extra)]
    assert [table.name for table in tables[0]] == [table.name for table in tables[1]]
    assert tables[0]
    for each, other in zip(*tables, strict=True):
        assert judged(each) == judged(other)
        assert len(set(judged(each).values())) > 1  # or a verdict could hardly change


@pytest.mark.parametrize("of", GRIDS[:3])
def test_the_headline_and_the_badges_are_one_count(of: Of, summarised: Callable[[Of, bool], GridSummary]) -> None:
    """The tally of the table that the report names first is in the finding, word for word."""
    summary = summarised(of, True)
    first, *_ = (table for table in summary.documents if table.verdicts)
    nouns = (("average depth", None), ("accuracy", "accuracies"), ("cell", None), ("value", None))
    lines = [agreement(Counter(first.verdicts).elements(), noun, nouns) for noun, nouns in nouns]
    assert sum(each.lower() in summary.finding.lower() for each in lines) == 1
