"""Which run is compared with the paper: of those allowed the largest, and of these the newest."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import pytest

from pipeline.configuration.keys import RequestedKey
from pipeline.proof.printed import papers
from pipeline.proof.proof import Answered, Unanswered
from pipeline.report.answers import answers_of, differences

EXPERIMENTS = papers().experiments
GREEDY, SVM = EXPERIMENTS["greedy_vs_dp"], EXPERIMENTS["did_vs_svm"]


def _key(name: str, value: Any, default: Any) -> RequestedKey:
    return RequestedKey(name, json.dumps(value), json.dumps(default))


def _run(name: str, run: str, *keys: RequestedKey, has_results: bool = True, rows: int = 1) -> Any:
    known = keys or (_key("grid", name, name),)
    return SimpleNamespace(
        run=SimpleNamespace(name=name, id=run, record=SimpleNamespace(command=f"orchard +grid={name}")),
        page=f"{name}-{run}.html",
        summary=SimpleNamespace(has_results=has_results, finding=f"Found by {run}.", rows=rows),
        keys=known,
        tables=(),
    )


FULL = _key("tables.count", 10_000, 10_000)
SMALL = _key("tables.count", 40, 10_000)
OTHER = _key("tables.rows", 30, 50)
"""Random tables of another shape than the paper's."""


@pytest.mark.parametrize(
    ("key", "departs", "smaller"),
    [
        (_key("seed", 7, 0), [], {}),
        (_key("cluster.workers", 1, None), [], {}),
        (_key("data.folder", "/d", None), [], {}),
        (_key("protocol.folds", 5, 10), ["protocol.folds"], {}),
        (_key("source", ["a", "c"], ["a", "b", "c"]), [], {"source": "2 of 3"}),
        (_key("source", ["a", "d"], ["a", "b", "c"]), ["source"], {}),
        (_key("source", [], ["a"]), ["source"], {}),
        (RequestedKey("source", "a", '["a", "b"]'), ["source"], {}),
        (
            _key("builders", [{"name": "did", "builder": "did"}], ["svm", {"name": "did", "builder": "did"}]),
            [],
            {"builders": "1 of 2"},
        ),
        (
            _key("builders", [{"name": "did", "builder": "id3"}], ["svm", {"name": "did", "builder": "did"}]),
            ["builders"],
            {},
        ),
        (RequestedKey("mine", "1", None), ["mine"], {}),
    ],
)
def test_keys_decide_whether_a_run_can_be_compared_with_the_paper(
    key: RequestedKey, departs: list[str], smaller: dict[str, str]
) -> None:
    assert differences([key], SVM) == dict.fromkeys(departs, "") | smaller


def test_the_largest_run_answers_and_the_newest_of_several() -> None:
    runs = [_run("greedy_vs_dp", "c", SMALL), _run("greedy_vs_dp", "b", FULL), _run("greedy_vs_dp", "a", FULL)]
    answer = answers_of(EXPERIMENTS, runs)["greedy_vs_dp"]
    assert isinstance(answer, Answered)
    assert (answer.id, answer.page, answer.fewer) == ("b", "greedy_vs_dp-b.html", {})
    larger = _key("tables.count", 9_000, 10_000)
    small = [
        _run("greedy_vs_dp", "d", SMALL, rows=40),
        _run("greedy_vs_dp", "c", larger, rows=9_000),
        _run("greedy_vs_dp", "b", larger, rows=9_000),
    ]
    answer = answers_of(EXPERIMENTS, small)["greedy_vs_dp"]
    assert isinstance(answer, Answered)
    assert answer.id == "c"


@pytest.mark.parametrize(
    ("keys", "command", "quick"),
    [
        ([("random_orders", 2, 10)], "+grid=removed_features random_orders=2 output=x", True),
        ([("random_orders", 3, 10)], "+grid=removed_features random_orders=3", False),
        ([("random_orders", 2, 10), ("source", ["a"], ["a", "b"])], "+grid=… random_orders=2 source=[a]", False),
        ([("random_orders", 2, 10)], "+grid=removed_features 'output=x", False),  # its record is damaged
        ([], "+grid=removed_features", False),
    ],
)
def test_a_run_of_the_quick_size_is_known_as_such(keys: list[tuple[str, Any, Any]], command: str, quick: bool) -> None:
    run = _run("removed_features", "a", *(_key(*key) for key in keys))
    run.run.record.command = command
    answer = answers_of(EXPERIMENTS, [run])["removed_features"]
    assert isinstance(answer, Answered)
    assert answer.quick is quick
    assert answer.size.startswith("run at size quick: " if quick else "run at another size: ") or not keys


def test_a_run_with_other_keys_is_no_answer_and_they_are_named() -> None:
    answer = answers_of(EXPERIMENTS, [_run("greedy_vs_dp", "b", OTHER)])["greedy_vs_dp"]
    why = "run b has different settings from the paper: tables.rows 30 instead of 50"
    assert answer == Unanswered("+grid=greedy_vs_dp", why, other=True)
    failed = _run("greedy_vs_dp", "c", has_results=False)
    assert answers_of(EXPERIMENTS, [failed, _run("greedy_vs_dp", "b", OTHER)])["greedy_vs_dp"] == answer
    assert isinstance(
        answers_of(EXPERIMENTS, [_run("greedy_vs_dp", "b", OTHER), _run("greedy_vs_dp", "a", SMALL)])["greedy_vs_dp"],
        Answered,
    )


def test_a_grid_that_could_not_be_run_says_why_where_no_earlier_run_answers() -> None:
    failed = {"greedy_vs_dp": Unanswered("+grid=greedy_vs_dp", "no data", lacking=True)}
    assert answers_of(EXPERIMENTS, [], failed)["greedy_vs_dp"] == failed["greedy_vs_dp"]
    assert isinstance(answers_of(EXPERIMENTS, [_run("greedy_vs_dp", "a", SMALL)], failed)["greedy_vs_dp"], Answered)


def test_a_grid_that_nobody_has_run_is_to_leave_its_run_beside_the_others() -> None:
    beside = _run("greedy_vs_dp", "a", FULL)
    beside.run.record.command = "orchard +grid=greedy_vs_dp seed=3 output=/my/results cluster.workers=1"
    assert answers_of(EXPERIMENTS, [beside])["pruning"] == Unanswered("+grid=pruning output=/my/results")


def test_nothing_but_failures_is_no_answer() -> None:
    answer = answers_of(EXPERIMENTS, [_run("greedy_vs_dp", "b", has_results=False)])["greedy_vs_dp"]
    assert answer == Unanswered("+grid=greedy_vs_dp", "run b has only failures")


def test_the_command_of_a_run_of_prints_size_keeps_data_output_and_workers() -> None:
    small = _run("greedy_vs_dp", "a", SMALL)
    small.run.record.command = (
        "/env/bin/python -m pipeline +grid=greedy_vs_dp tables.count=40 seed=7 'data.folder=/my data' output=there "
        "cluster=slurm cluster.workers=9 dry_run=false --config-dir '/my conf'"
    )
    answer = answers_of(EXPERIMENTS, [small])["greedy_vs_dp"]
    assert isinstance(answer, Answered)
    assert answer.arguments == (
        "+grid=greedy_vs_dp 'data.folder=/my data' output=there cluster=slurm cluster.workers=9 --config-dir '/my conf'"
    )
