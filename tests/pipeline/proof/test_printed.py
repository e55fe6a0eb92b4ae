"""The declared tables are those that the documents print; quick sizes change nothing that invalidates a comparison."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import pipeline
from pipeline.configuration.keys import RequestedKey
from pipeline.discovery import conf_folder, grids
from pipeline.grammar.comparison.claims import claims_of
from pipeline.proof.printed import Printed, papers
from pipeline.record.requested_keys import composed
from pipeline.report.answers import differences

GRIDS = Path(pipeline.__file__).with_name("grids")
DOCUMENTS, EXPERIMENTS = papers().documents, papers().experiments
PRINTED = [(document.cited, printed) for document in DOCUMENTS for printed in document.printed]


def _rows(name: str) -> list[dict[str, str]]:
    (file,) = GRIDS.glob(f"*/printed/{name}")
    text = file.read_text(encoding="utf-8")
    return list(csv.DictReader(text.splitlines()))


def _claims(grid: str) -> int:
    return len(claims_of(GRIDS / grid / "claims.csv"))


def _steps(source: str) -> int:
    return sum(claim["source"] == source for claim in _rows("worked_examples.csv"))


FIGURES: dict[tuple[str, str], Callable[[], int]] = {
    ("Alkhalid et al. 2013", "Tables 1–4"): lambda: len(_rows("greedy_vs_dp_tables_1_to_4.csv")),
    ("Alkhalid et al. 2013", "Table 5"): lambda: len(_rows("greedy_vs_dp_table_5.csv")),
    ("Ben-Gal et al. 2014", "Example of Lee and Olafsson"): lambda: _steps("lee_olafsson_25"),
    ("Ben-Gal et al. 2014", "Orthogonality between restricted partitions"): lambda: _steps("restricted_partitions"),
    ("Ben-Gal et al. 2014", "Training data set"): lambda: _steps("training_12"),
    ("Ben-Gal et al. 2014", "Summarizing comparison: average depth"): lambda: 3 * len(_rows("did_vs_id3_c45.csv")),
    ("Ben-Gal et al. 2014", "Summarizing comparison: accuracy"): lambda: 3 * len(_rows("did_vs_id3_c45.csv")),
    ("Ben-Gal et al. 2014", "SVM"): lambda: len(_rows("did_vs_svm_j48.csv")),
    ("Ben-Gal et al. 2014", "J48 and DID"): lambda: 2 * len(_rows("did_vs_svm_j48.csv")),
    ("Ben-Gal et al. 2014", "J48 and DID, read as accuracy"): lambda: 2 * len(_rows("did_vs_svm_j48.csv")),
    ("Ben-Gal et al. 2014", "Accuracy against removed features"): lambda: 0,
    ("Li (slides)", "Pruning algorithm, the example"): lambda: _steps("cost_complexity"),
    ("Li (slides)", "T3C"): lambda: _claims("t3c_vs_c45"),
    ("Li (slides)", "Comparison with post-prune CART"): lambda: 4 * len(_rows("oct_vs_cart.csv")),
    ("Li (slides)", "Optimal decision tree"): lambda: 0,
    ("Jankowski & Jackowski 2014", "Table 1"): lambda: (
        3 * len({row["case"] for row in _rows("evo_tree_datasets.csv") if row["printed_rows"]})
    ),
    ("Jankowski & Jackowski 2014", "Table 2"): lambda: sum(bool(row["accuracy"]) for row in _rows("evo_tree.csv")),
    ("Jankowski & Jackowski 2014", "Table 3"): lambda: len(_rows("evo_tree.csv")),
    ("Jankowski & Jackowski 2014", "Conclusions"): lambda: _claims("evo_tree"),
    ("Jankowski & Jackowski 2014", "Local minima"): lambda: 0,
    ("Alpaydin, ch. 9", "Pruning, multivariate trees, forests"): lambda: _claims("pruning"),
    ("Alpaydin, ch. 9", "Tree induction"): lambda: 0,
}


@pytest.mark.parametrize(
    ("cited", "printed"), PRINTED, ids=lambda printed: printed.name if isinstance(printed, Printed) else printed
)
def test_printed_tables_have_as_many_figures_as_declared(cited: str, printed: Printed) -> None:
    assert printed.figures == FIGURES[cited, printed.name]()
    assert bool(printed.figures) == (printed.table is not None)


def test_every_grid_that_answers_is_run_and_every_one_that_is_run_answers() -> None:
    assert {printed.grid for _, printed in PRINTED} == set(EXPERIMENTS)
    assert set(EXPERIMENTS) <= set(grids([conf_folder()]))


def test_every_printed_table_beside_the_project_is_in_it() -> None:
    from tests.oracles.beside import SHARED, absent

    folder = SHARED / "papers" / "tables"
    if not folder.is_dir():
        absent(f"the printed tables are not in {folder}")
    examples = {"did_restricted_partitions", "did_training_12", "did_lee_olafsson_25", "cost_complexity_example"}
    columns_of_one = {"evo_tree_accuracy", "evo_tree_ranks"}
    known = {path.stem for path in GRIDS.glob("*/printed/*.csv")}
    assert {path.stem for path in folder.glob("*.csv")} <= known | examples | columns_of_one


@pytest.mark.parametrize("grid", [grid for grid, experiment in EXPERIMENTS.items() if experiment.quick])
def test_quick_departs_only_in_keys_that_leave_the_comparison_valid(grid: str) -> None:
    experiment = EXPERIMENTS[grid]
    ours, shipped = dict(_leaves(composed(grid, *experiment.quick))), dict(_leaves(composed(grid)))
    keys = [RequestedKey(name, json.dumps(value), json.dumps(shipped.get(name))) for name, value in ours.items()]
    found = differences(keys, experiment)
    assert all(found.values())
    assert set(found) == {word.partition("=")[0] for word in experiment.quick}


def _leaves(node: Any, above: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in node.items():
        if isinstance(value, dict):
            yield from _leaves(value, f"{above}{name}.")
        else:
            yield f"{above}{name}", value
