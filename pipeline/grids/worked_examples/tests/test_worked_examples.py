"""The worked examples: their tables are the printed ones, every claim holds, and another method agrees."""

from __future__ import annotations

import csv
import re
from collections import Counter
from fractions import Fraction
from math import log2
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from algorithms.trees.arrays import NO_ATTRIBUTE, NodeKind
from algorithms.trees.json_text import from_json
from algorithms.trees.text import export_text
from pipeline.grammar.whole_sources import labels_of
from pipeline.grids.worked_examples.cost_complexity import example_tree
from pipeline.grids.worked_examples.example import printed_table
from pipeline.grids.worked_examples.grid import EXAMPLES, WorkedExamplesGrid
from pipeline.grids.worked_examples.grid import worked_example as example
from pipeline.grids.worked_examples.summary import SUMMARY, exact_verdict
from pipeline.summary.verdicts import Verdict
from tests.algorithms.grown_trees import did_tree
from tests.pipeline.questions import computed_run, summarised

ALL = WorkedExamplesGrid(names=EXAMPLES)
PRINTED = Path(__file__).parents[1] / "printed/worked_examples.csv"
CLAIMS = list(csv.DictReader(PRINTED.read_text(encoding="utf-8").splitlines()))
TABLES = tuple(name for name in EXAMPLES if name != "cost_complexity")


@pytest.fixture(scope="module")
def computed() -> dict[str, list[dict[str, Any]]]:
    """The rows of all examples, by table."""
    return {name: table.to_pylist() for name, table in ALL.work(0, ALL.items).items()}


def quantities(computed: dict[str, list[dict[str, Any]]], source: str, subject: str) -> dict[str, Any]:
    rows = [row for row in computed["steps"] if (row["source"], row["subject"]) == (source, subject)]
    return {row["quantity"]: row["found"] if row["number"] is None else row["number"] for row in rows}


@pytest.mark.parametrize("name", TABLES)
def test_tables_are_those_of_the_deck(name: str, shared: Path) -> None:
    with (shared / f"papers/tables/did_{name}.csv").open(newline="") as lines:
        printed = [{key: value for key, value in row.items() if key != "row"} for row in csv.DictReader(lines)]
    data = example(name).data
    for index, row in enumerate(printed):
        labels = {
            attribute.name: attribute.labels[column[index]]
            for attribute, column in zip(data.attributes, data.columns, strict=True)
        }
        assert labels | {"Y": data.classes[data.decisions[index]]} == row
    assert data.rows == len(printed)


def test_the_claims_about_pruning_are_printed_ones(shared: Path) -> None:
    known = {
        (claim["subject"], claim["quantity"]): claim["printed"]
        for claim in CLAIMS
        if claim["source"] == "cost_complexity"
    }
    with (shared / "papers/tables/cost_complexity_example.csv").open(newline="") as lines:
        printed = list(csv.DictReader(lines))
    assert len(printed) == 6
    for row in printed:
        step, node = f"step {row['step']}", row["node"]
        for quantity, column in ((f"R({node})", "R_node"), (f"R(T_{node})", "R_subtree"), (f"g({node})", "g")):
            assert known.pop((step, quantity)) == row[column]
        assert known.pop((step, f"leaves of T_{node}")) == row["leaves"]
        assert known[step, "alpha"] == row["alpha"]
    assert {subject for subject, _ in known} == {"sequence", "step 1", "step 2", "step 3", "choice"}
    assert [known["sequence", f"alpha {number}"] for number in range(4)] == ["0", "1/8", "1/8", "1/4"]


def test_every_claim_is_of_a_step_and_holds_but_for_the_misprint(tmp_path: Path) -> None:
    run = computed_run(ALL, [((0, ALL.items), ALL.work(0, ALL.items))], tmp_path)
    parts = {name: run.scan(name).parts for name in ALL.tables}
    judged = [row for row in SUMMARY.rows_of(parts)["steps"] if row["_claimed"]]
    named = ("source", "subject", "quantity")
    assert Counter(tuple(row[name] for name in named) for row in judged) == Counter(
        tuple(claim[name] for name in named) for claim in CLAIMS
    )
    assert all(bool(claim["printed"]) != bool(claim["reference"]) for claim in CLAIMS)
    others = [(row["quantity"], row["verdict"]) for row in judged if row["verdict"] is not Verdict.AGREES]
    assert others == [("T3 is best for alpha >= 1/8", Verdict.IMPOSSIBLE)]


@pytest.mark.parametrize(
    ("result", "printed", "reference", "impossible", "expected"),
    [
        ("18/12", "3/2", "", "", Verdict.AGREES),
        ("1.7317", "", "1.7317", "", Verdict.AGREES),
        ("1.7318", "", "1.7317", "", Verdict.DIFFERS),
        ("A1", "", "A2", "", Verdict.DIFFERS),
        ("no", "yes", "", "it says otherwise elsewhere", Verdict.IMPOSSIBLE),
        ("yes", "yes", "", "it says otherwise elsewhere", Verdict.AGREES),
    ],
)
def test_verdicts_of_what_is_exact(
    result: str, printed: str, reference: str, impossible: str, expected: Verdict
) -> None:
    assert exact_verdict(result, printed, reference, impossible) is expected


@pytest.mark.parametrize("source", TABLES)
@pytest.mark.parametrize(
    ("builder", "ratio"), [("id3", 0.0), ("gain_ratio", None), ("did", 1.0), ("did, w1/w2 = 0.25", 0.25)]
)
def test_builders_test_what_a_plain_count_says(
    source: str, builder: str, ratio: float | None, computed: dict[str, list[dict[str, Any]]]
) -> None:
    """At each node the first attribute of the least w2 H(Y | A) - w1 H(A), or of the greatest gain ratio."""
    data = example(source).data
    rows = [
        {a.name: a.labels[c[index]] for a, c in zip(data.attributes, data.columns, strict=True)}
        | {"Y": data.classes[data.decisions[index]]}
        for index in range(data.rows)
    ]

    def bits(part: list[dict[str, str]], *names: str) -> float:
        counts = Counter(tuple(row[name] for name in names) for row in part)
        return -sum(count / len(part) * log2(count / len(part)) for count in counts.values())

    by_quantity = quantities(computed, source, builder)
    choices = {quantity: request for quantity, request in by_quantity.items() if quantity.startswith("asks, ")}
    (tree,) = (
        from_json(row["tree"]) for row in computed["trees"] if (row["source"], row["builder"]) == (source, builder)
    )
    assert len(choices) == int((tree.kind != NodeKind.TERMINAL).sum())
    for quantity, request in choices.items():
        path = re.findall(r"(A\d) = (\w+)", quantity)
        part = [row for row in rows if all(row[name] == value for name, value in path)]
        measures = {}
        for name in (attribute.name for attribute in data.attributes):
            own, joint, decision = bits(part, name), bits(part, name, "Y"), bits(part, "Y")
            if own > 0:
                gain = own + decision - joint
                measures[name] = gain / own if ratio is None else ratio * own - (joint - own)
        best = next(name for name, value in measures.items() if value > max(measures.values()) - 1e-9)
        assert request == best
        where = quantity.removeprefix("asks, ")
        reported = {q: v for q, v in by_quantity.items() if q.endswith(f", {where}") and not q.startswith("asks")}
        shift = bits(part, "Y") if builder == "id3" else 0.0  # I(A; Y) is H(Y) - H(Y | A)
        expected = [value + shift for value in measures.values()]
        assert list(reported.values()) == pytest.approx(expected, abs=1e-9)


def test_the_chain_rule_adds_up(computed: dict[str, list[dict[str, Any]]]) -> None:
    for source in TABLES:
        by_quantity = quantities(computed, source, "chain rule")
        (information,) = (value for name, value in by_quantity.items() if name.startswith("I("))
        assert by_quantity["sum of the first less sum of the second"] == pytest.approx(information, abs=1e-9)
        assert information == pytest.approx(
            quantities(computed, source, "partition")["H(Y)"]
        )  # all three are consistent


def test_the_unrestricted_variant_goes_by_its_order(computed: dict[str, list[dict[str, Any]]]) -> None:
    """On every path attributes come in the order of the turns, those constant there left out."""
    for source in TABLES:
        names = [attribute.name for attribute in example(source).data.attributes]
        for builder in ("preprocess, w1/w2 = 1", "preprocess, w1/w2 = 2"):
            by_quantity = quantities(computed, source, builder)
            order = [request for quantity, request in by_quantity.items() if quantity.startswith("next, ")]
            order += [name for name in names if name not in order]
            (tree,) = (
                from_json(row["tree"])
                for row in computed["trees"]
                if (row["source"], row["builder"]) == (source, builder)
            )
            for node, parent in enumerate(tree.parents().tolist()):
                if parent >= 0 and tree.attribute[node] != NO_ATTRIBUTE:
                    assert order.index(names[tree.attribute[parent]]) < order.index(names[tree.attribute[node]])
    assert quantities(computed, "restricted_partitions", "preprocess, w1/w2 = 2")["next, after A1"] == "A3"


def test_did_differs_from_id3_on_training_12(computed: dict[str, list[dict[str, Any]]]) -> None:
    """On training_12, as the remark says."""
    data = example("training_12").data
    text_of = {row["builder"]: row["text"] for row in computed["trees"] if row["source"] == "training_12"}
    for ratio, same in ((0.2425, "id3"), (0.2426, "did")):
        assert export_text(did_tree(data, orthogonality_weight=ratio), labels_of(data)) == text_of[same]


def test_the_rows_of_the_pruning_example_make_its_tree() -> None:
    data, tree = printed_table("cost_complexity"), example_tree()
    for node, rows in tree.rows_of_nodes(data.values()):
        assert np.bincount(data.decisions[rows], minlength=2).tolist() == tree.counts[node].tolist()
    assert tree.counts[tree.attribute != NO_ATTRIBUTE].tolist() == [[8, 8], [4, 8], [4, 2]]


def test_alpha_chooses_as_the_printed_figures_say(computed: dict[str, list[dict[str, Any]]]) -> None:
    """R and leaves of the four trees as printed, over a grid of alphas."""
    printed = {"T1": (0, 4), "T2": (2, 3), "T3": (4, 2), "T4": (8, 1)}
    by_quantity = quantities(computed, "cost_complexity", "choice")
    alphas = [Fraction(k, 64) for k in range(129)]
    best = {}
    for alpha in alphas:
        costs = {tree: Fraction(wrong, 16) + alpha * leaves for tree, (wrong, leaves) in printed.items()}
        best[alpha] = [tree for tree, cost in costs.items() if cost == min(costs.values())]
    eighth, quarter = Fraction(1, 8), Fraction(1, 4)
    for quantity, inside in (
        ("T1 is best for 0 <= alpha < 1/8", lambda alpha: alpha < eighth),
        ("T2 is best for alpha = 1/8", lambda alpha: alpha == eighth),
        ("T3 is best for 1/8 < alpha < 1/4", lambda alpha: eighth < alpha < quarter),
        ("T3 is best for alpha >= 1/8", lambda alpha: alpha >= eighth),
        ("T4 is best for alpha >= 1/4", lambda alpha: alpha >= quarter),
    ):
        expected = all(quantity[:2] in best[alpha] for alpha in alphas if inside(alpha))
        assert by_quantity[quantity] == ("yes" if expected else "no")
    for alpha in (Fraction(0), eighth, Fraction(3, 16), quarter, Fraction(1)):
        assert by_quantity[f"best at alpha = {alpha}"] == ", ".join(best[alpha])


def test_equal_rows_of_an_example_are_one_row_of_its_table(computed: dict[str, list[dict[str, Any]]]) -> None:
    assert [row["rows"] for row in computed["results"]] == [12, 12, 25, 16]
    assert (ALL.table(1).rows, ALL.table(1).size) == (11, 12)


def test_an_example_that_fails_is_a_row_and_a_line(tmp_path: Path) -> None:
    grid = WorkedExamplesGrid(names=("training_12", "cost_complexity"))
    run = computed_run(grid, [((0, 1), grid.failed_item(0, "killed", "gone")), ((1, 2), grid.work(1, 2))], tmp_path)
    summary = summarised(run, tmp_path / "s", drawn=True)
    assert [path.name for path in summary.figures] == ["cost_complexity.svg", "cost_complexity.png"]
    assert "training_12 failed: gone" in str(summary.screen(100)[-1])
    assert summary.has_results
