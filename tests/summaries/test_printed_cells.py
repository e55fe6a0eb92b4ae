"""Of every grid with printed values: what else a run holds changes no verdict, and each is counted once."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pipeline.grammar.findings import agreement
from pipeline.grid import GridSummary
from pipeline.grids.did_vs_c45 import depth_cells
from pipeline.grids.did_vs_c45 import summary as did_vs_c45
from pipeline.grids.did_vs_c45.columns import DEPTHS
from pipeline.grids.did_vs_svm import summary as did_vs_svm
from pipeline.grids.evo_tree import summary as evo_tree
from pipeline.grids.evo_tree.printed import printed_accuracies
from pipeline.grids.t3c_vs_c45 import summary as t3c_vs_c45
from pipeline.storage.parts import publish
from pipeline.summary.record import verdicts_in
from pipeline.summary.tables import SummaryTable
from tests.summaries.builder_rows import published, result_row

Rows = list[dict[str, Any]]
BUILDERS = ("evo_tree", "j48", "did", "c45")


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
    cases = {key: (did_vs_svm.CASES[key[0]].source, theirs) for key, theirs in did_vs_svm.printed().items()}
    rows = [
        row
        for (case, name), (source, theirs) in cases.items()
        if case != "pima"
        for row in splits(source, name, theirs / 100 - off(case, name))
    ]
    if extra:
        for (case, name), (source, theirs) in cases.items():
            if name == "did" and case != "pima":
                rows += [row for n in range(9) for row in splits(source, f"did_{n}", theirs / 100)]
        rows += [row | {"part": "40 rows"} for row in rows if row["builder"] == "svm"]
        rows += splits("uci/zoo", "did", 0.5)
    return did_vs_svm.summarise(published(rows, folder), list(dict.fromkeys(row["builder"] for row in rows)), folder)


def of_c45(extra: bool, folder: Path) -> GridSummary:
    """The first table of Ben-Gal et al.; besides, other weights, builders and parts, and a pruned J48."""
    rows: Rows = []
    depths: Rows = []
    builders = {"id3": "id3", "c45": "gain_ratio", "did": "did 0.5"}
    for (case, column), printed in depth_cells.printed().items():
        source, name = depth_cells.CASES[case].source, builders[column]
        depth = float(printed["average_depth"]) + off(case, column, "depth")
        found = {"source": source, "part": "all", "repeat": 1, "rows": 100, "status": "ok", "average_depth": depth}
        ratio = {"orthogonality_weight": 0.5} if column == "did" else {}
        depths.append(found | {"builder": name, "parameters": json.dumps(ratio)})
        rows += splits(source, name, float(printed["accuracy_pct"]) / 100 - off(case, column))
        if extra:
            better = {"orthogonality_weight": 0.51}
            depths.append(found | {"builder": "did 0.51", "average_depth": depth - 1, "parameters": json.dumps(better)})
            depths.append(found | {"builder": "did 1", "average_depth": depth + 1, "parameters": json.dumps(better)})
            depths.append(found | {"builder": "j48", "parameters": "{}"})
            depths.append(found | {"builder": name, "part": "train", "average_depth": 99.0, "parameters": "{}"})
            rows += [row for other in ("did 0.51", "did 1", "j48") for row in splits(source, other, 0.9)]
    parts = published(rows, folder) | {"depths": [publish(_table(depths, DEPTHS), folder / "depths", "x", 0, 1)]}
    return did_vs_c45.summarise(parts, list(BUILDERS), folder)


def of_evo_tree(extra: bool, folder: Path) -> GridSummary:
    """Table 2 and the claims of Jankowski & Jackowski; besides, other builders, data sets and a cut abalone."""
    rows: Rows = []
    for (case, name), theirs in printed_accuracies().items():
        source = evo_tree.CASES[case].source
        leaves = {"terminal_nodes": 9 + len(name), "nodes": 20} if name in {"evo_tree", "j48", "random_tree"} else {}
        own = splits(source, name, theirs - off(case, name), **leaves)
        rows += own
        if extra:
            rows += splits(source, f"{name}_2", theirs, **leaves)
            rows += splits(f"{source}/other", name, 0.2 + 0.7 * (name == "evo_tree"), **leaves)
            rows += [row | {"part": "all but 1"} for row in own]
    return evo_tree.summarise(published(rows, folder), list(dict.fromkeys(row["builder"] for row in rows)), folder)


def of_t3c(extra: bool, folder: Path) -> GridSummary:
    """The claims of Li on T3C; besides, builders that no claim is about."""
    names = list(dict.fromkeys(name for claim in t3c_vs_c45.CLAIMS for name in (claim.left, claim.right)))
    rows = [
        row
        for number in range(8)
        for name in [*names, *(f"{name}_2" for name in names if extra)]
        for row in splits(f"set/{number}", name, 0.9 - off(name), nodes=9 + len(name) + number, objective=1.0)
    ]
    return t3c_vs_c45.summarise(published(rows, folder), ["c45", *names], folder)


def _table(rows: Rows, schema: Any) -> Any:
    import pyarrow as pa

    return pa.Table.from_pylist(rows, schema=schema)


def judged(table: SummaryTable) -> dict[tuple[Any, ...], Any]:
    """The verdicts of a table's rows by what they are of."""
    place = table.columns.index("verdict")
    names = ("case", "claim", "left", "right", "measure", "on", "builder", "printed_builder", "max_depth", "region")
    key = [number for number, name in enumerate(table.columns) if name in names]
    return {tuple(row[number] for number in key): row[place] for row in table.rows if row[place]}


GRIDS = [of_svm, of_c45, of_evo_tree, of_t3c]


@pytest.mark.parametrize("summarised", GRIDS)
def test_what_is_not_printed_changes_no_verdict(
    summarised: Callable[[bool, Path], GridSummary], tmp_path: Path
) -> None:
    plain, extra = (summarised(more, tmp_path / str(more)) for more in (False, True))
    tables = [
        [table for table in summary.documents if "verdict" in table.columns and any(verdicts_in(table))]
        for summary in (plain, extra)
    ]
    assert [table.name for table in tables[0]] == [table.name for table in tables[1]]
    assert tables[0]
    for one, other in zip(*tables, strict=True):
        assert judged(one) == judged(other)
        assert len(set(judged(one).values())) > 1  # or a verdict could hardly change


@pytest.mark.parametrize("summarised", GRIDS[:3])
def test_the_headline_and_the_badges_are_one_count(
    summarised: Callable[[bool, Path], GridSummary], tmp_path: Path
) -> None:
    """The tally of the table that the report names first is in the finding, word for word."""
    summary = summarised(True, tmp_path)
    first, *_ = (table for table in summary.documents if any(verdicts_in(table)))
    nouns = (("average depth", None), ("accuracy", "accuracies"), ("cell", None), ("value", None))
    said = [agreement(verdicts_in(first), noun, nouns) for noun, nouns in nouns]
    assert sum(one.lower() in summary.finding.lower() for one in said) == 1
