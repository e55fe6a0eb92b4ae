"""Exact solvers side by side: peers against trying every tree, rows counted by us, and a summary that a loop gives."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from algorithms.data.data_set import AttributeKind
from algorithms.optimal.instance import Instance
from algorithms.optimal.solution import Progress
from algorithms.optimal.trace import Trace
from pipeline.builders import Builder
from pipeline.configuration.settings import Data
from pipeline.data.preparation import Preparation
from pipeline.data.sources import sources_named
from pipeline.errors import ConfigError
from pipeline.grids.solvers import peers as external
from pipeline.grids.solvers.grid import BINARY, NUMERIC, PeerVersion, SolversGrid
from pipeline.grids.solvers.peers import Peer, PeerFit
from pipeline.grids.solvers.rows import solved
from pipeline.grids.solvers.summary import SUMMARY, agreeing
from pipeline.storage.parts import Part
from tests.oracles.optimal_trees import best_objective
from tests.pipeline.questions import computed_run
from tests.pipeline.questions import summarised as run_summarised
from tests.summaries.builder_rows import published, written

TRYING = Builder("trying", "tests.pipeline.exhaustive.ExhaustiveClassifier", "{}", Preparation())
LYING = Builder("lying", "tests.pipeline.exhaustive.LyingClassifier", "{}", Preparation())
CORRAL, IRIS, ADULT = "rule/corral", "sklearn/iris", "uci/balloons/adult-stretch"
NOWHERE = Data(None, None)


def boasting(values: NDArray[Any], classes: NDArray[Any], instance: Instance, seconds: float) -> PeerFit:
    """Predicts the first class, and says that it cannot be done better."""
    return PeerFit(np.zeros(len(classes), np.int32), 0, True, 0.5)


def raising(error: Exception) -> Callable[..., PeerFit]:
    def solve(*_: object) -> PeerFit:
        raise error

    return solve


OF_TEST = {
    "boasting": Peer("numpy", boasting),
    "crashing": Peer("numpy", raising(TypeError("got an unexpected keyword argument 'force_all_finite'"))),
    "slow": Peer("numpy", raising(TimeoutError("it found no tree in its time"))),
    "absent": Peer("no-such-package-anywhere", boasting),
}


def grid(
    sources: Sequence[str] = (ADULT, CORRAL), peers: Sequence[str] = (), numeric: Sequence[str] = (), **changes: Any
) -> SolversGrid:
    made = SolversGrid(
        sources=sources_named(list(sources), None, NOWHERE) if sources else (),
        numeric=sources_named(list(numeric), None, NOWHERE) if numeric else (),
        bins=3,
        depths=(1, 2),
        min_rows_leaf=1,
        alpha=0.0,
        seconds=5.0,
        builders=(TRYING,),
        peers=tuple(PeerVersion(name, "1") for name in peers),
        seed=0,
    )
    return replace(made, **changes)


def test_instances_are_of_two_valued_attributes_or_of_numbers() -> None:
    made = grid([ADULT], numeric=[IRIS])
    binary = made.instance_of(made.item(0)).data
    assert {len(attribute.labels) for attribute in binary.attributes} == {2}
    assert binary.rows == 20
    numeric = made.instance_of(made.item(made.items - 1)).data
    assert {attribute.kind for attribute in numeric.attributes} == {AttributeKind.NUMERIC}
    iris = grid([IRIS])
    assert len(iris.instance_of(iris.item(0)).data.attributes) == 4 * 2


def test_items_are_solvers_within_depths_within_sources() -> None:
    made = grid([ADULT], peers=("pystreed", "gosdt"), numeric=[IRIS])
    items = map(made.item, range(made.items))
    seen = [(item.instance.source.name, item.instance.attributes, item.max_depth, item.solver.name) for item in items]
    assert seen == [
        (source, attributes, depth, solver)
        for source, attributes in ((ADULT, BINARY), (IRIS, NUMERIC))
        for depth in (1, 2)
        for solver in ("trying", "pystreed", "gosdt")
    ]
    assert made.title(4) == f"{ADULT}, binary, depth 2, pystreed"
    assert made.number_of({"source": IRIS}) == 6
    assert made.number_of({"builder": "pystreed", "parameters": '{"max_depth": 2}'}) == 4
    assert made.table(0).rows == 16


def test_objectives_are_counted_from_predictions() -> None:
    made = grid([CORRAL], alpha=0.02)
    for item, row in enumerate(made.work(0, made.items)["results"].to_pylist()):
        instance = made.instance_of(made.item(item))
        assert row["status"] == "ok"
        assert row["optimal"]
        assert row["objective"] == pytest.approx(best_objective(instance))
        assert row["bound"] == pytest.approx(row["objective"])
        assert row["terminal_nodes"] == row["nonterminal_nodes"] + 1
        assert json.loads(row["parameters"])["max_depth"] == made.item(item).max_depth


def test_a_builder_whose_tree_differs_from_its_claim_is_noticed() -> None:
    made = grid([CORRAL], builders=(LYING,))
    row, _ = made.work(0, made.items)["results"].to_pylist()
    assert (row["status"], row["objective"]) == ("failed", None)
    assert "but the builder reports -1" in row["error"]


@pytest.fixture
def peers(monkeypatch: pytest.MonkeyPatch) -> tuple[str, ...]:
    monkeypatch.setattr("pipeline.grids.solvers.rows.PEERS", OF_TEST)
    return tuple(OF_TEST)


def summarised(made: SolversGrid, folder: Path) -> Any:
    run = computed_run(made, [((0, made.items), made.work(0, made.items))], folder)
    return run_summarised(run, folder / "s", drawn=True)


def test_a_proof_that_a_better_tree_contradicts_is_the_finding(peers: tuple[str, ...], tmp_path: Path) -> None:
    made = grid([CORRAL], peers=peers)
    summary = summarised(made, tmp_path)
    assert summary.has_results
    assert {path.name for path in summary.figures} == {"solvers.svg", "solvers.png"}
    lines = [str(line) for line in summary.screen(120)[1:]]
    assert sum(line.startswith("DIFFERS: rule/corral, binary, depth") for line in lines) == 2
    assert any("crashing" in line and "force_all_finite" in line for line in lines)
    by_name = {row["solver"]: row for row in read_csv(tmp_path / "s/solvers.csv")}
    assert [by_name[name]["contradicted"] for name in ("boasting", "trying")] == ["2", "0"]
    assert by_name["crashing"]["failed"] == by_name["absent"]["skipped"] == by_name["slow"]["not_proven"] == "2"
    assert [row["version"] for row in by_name.values()] == ["ours", "1", "1", "1", "1"]
    fits = read_csv(tmp_path / "s/fits.csv")
    assert {(row["solver"], row["status"]) for row in fits} == {
        *(("trying", "ok"), ("boasting", "ok"), ("crashing", "failed"), ("slow", "time_limit"), ("absent", "skipped")),
    }
    assert {row["solver"] for row in fits if row["verdict"]} == {"trying", "boasting"}  # no other has a proof
    assert {row["verdict"] for row in fits} == {"differs", ""}
    assert summary.finding.startswith(
        "The proofs agree on 0 of 2 instances with two or more proofs; trying proves 2 of 2, "
    )


def test_one_instance_is_reported_in_the_singular() -> None:
    assert agreeing([{"verdict": "agrees"}]) == "The proofs agree on 1 of 1 instance with two or more proofs"
    assert agreeing([{"verdict": None}]) == "No instance has two proofs"


def read_csv(file: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(file.read_text().splitlines()))


LIMIT = 20.0


def parts_of(rows: Sequence[dict[str, Any]], folder: Path, **steps: Sequence[Any]) -> dict[str, list[Part]]:
    """The part files of result rows with their traces: the steps of a solver, or a step at the end of each fit."""
    traces = [
        {
            "status": "ok",
            **row,
            "trace_seconds": json.dumps(
                steps.get(f"{row['builder']}{row['source'][4:]}", [[row["build_seconds"], row["objective"], None]])
            ),
        }
        for row in rows
        if row.get("objective") is not None
    ]
    return published(rows, folder, traces=traces)


def fit(solver: str, instance: int, objective: float | None = None, **changes: Any) -> dict[str, Any]:
    """A made-up result row: proven optimal by default."""
    parameters = json.dumps({"attributes": BINARY, "max_depth": 1, "time_limit": LIMIT})
    named = {"source": f"set/{instance}", "part": "all", "builder": solver, "parameters": parameters}
    if objective is None:
        return named | {"status": "failed", "error": "why"} | changes
    result = {"status": "ok", "objective": objective, "bound": objective, "optimal": True, "build_seconds": 1.0}
    return named | result | {"rows": 100, "train_accuracy": 0.9, "nodes": 3, "terminal_nodes": 2} | changes


def test_solvers_and_instances_are_what_one_computes_by_hand(tmp_path: Path) -> None:
    stopped = {"optimal": False, "bound": 0.0, "status": "time_limit", "build_seconds": 12.345}
    rows = [
        *(fit("a", 1, 4.0, build_seconds=2.0), fit("b", 1, 4.0, build_seconds=0.5), fit("c", 1, 5.0, **stopped)),
        *(fit("a", 2, 4.0, build_seconds=2.0), fit("b", 2, 4.0, build_seconds=8.0), fit("c", 2)),
        *(fit("a", 3, 4.0), fit("b", 3, 5.0), fit("c", 3, 3.0, **stopped)),
        *(fit("a", 4, status="skipped"), fit("b", 4, 0.0), fit("c", 4, 0.5, **stopped)),
    ]
    versions = {"a": "ours", "b": "ours", "c": "2.1"}
    competitors = [{"name": name, "version": own, "place": index} for index, (name, own) in enumerate(versions.items())]
    parts = parts_of(rows, tmp_path / "parts", a1=[[1.0, 8.0, 0.0], [2.0, 4.0, 4.0]], b4=[[0.5, 0.0, 0.0]])
    tables = SUMMARY.rows_of(parts, competitors=competitors)
    counts = ("version", "asked", "proven", "not_proven", "skipped", "failed", "common", "contradicted")
    assert [[row[name] for name in counts] for row in tables["solvers"]] == [
        ["ours", 3, 3, 0, 1, 0, 3, 1],
        ["ours", 4, 4, 0, 0, 0, 3, 1],
        ["2.1", 4, 0, 3, 0, 1, 0, 0],
    ]
    integrals = [row["primal_integral"] for row in tables["fits"]]
    assert integrals == pytest.approx(
        [
            *(1 + 0.5 * 1, 0.5, 12.345 + 7.655 / 5),  # the least of instance 1 is 4
            *(2, 8, None),
            *(1 + 19 / 4, 1 + 19 * 2 / 5, 12.345),  # the least of instance 3 is 3, which no proof allows
            *(None, 0.5, 20),  # where the least is 0, the gap of any other is 1
        ]
    )
    assert [row["primal_integral"] for row in tables["solvers"]] == pytest.approx(
        [(1.5 + 2 + 5.75) / 3, (0.5 + 8 + 8.6 + 0.5) / 4, (13.876 + 12.345 + 20) / 3]
    )
    text = SUMMARY.tables[0].note
    assert callable(text)
    assert "over the instances asked on which the solver did not fail" in text(tables["solvers"])
    assert [row["least_integral"] for row in tables["solvers"]] == [2, 2, 0]
    quick = tables["solvers"][1]
    assert (quick["times_the_first"], quick["quicker_than_the_first"]) == (pytest.approx(1.0), 1)  # 1/4, 4 and 1
    assert [[row[name] for name in ("a", "b", "c", "verdict")] for row in tables["instances"]] == [
        ["2.0000", "0.5000", "> 12.3 (+25.0 %)", "agrees"],
        ["2.0000", "8.0000", "failed", "agrees"],
        ["1.0000", "1.0000", "> 12.3 (+0.0 %)", "differs"],
        ["skipped", "1.0000", "> 12.3", None],
    ]
    assert [row["verdict"] for row in tables["fits"]][6:9] == ["differs", "differs", None]
    (tmp_path / "s").mkdir()
    summary = written(SUMMARY, parts, tmp_path / "s", competitors=competitors)
    assert [tree.row["source"] for tree in summary.trees] == ["set/1", "set/3"]
    assert "DIFFERS: set/3, binary, depth 1: a 4 proven, b 5 proven, c 3" in map(str, summary.screen(120))


def test_primal_integrals_are_those_of_the_traces(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    rows, steps = [], {}
    for instance in range(1, 6):
        for solver in "abc":
            result = rng.integers(1, 7)
            times, costs = np.sort(rng.random(result) * 30), -np.sort(-rng.integers(0, 5, result) / 4)
            steps[f"{solver}{instance}"] = [[*step, None] for step in zip(times.tolist(), costs.tolist(), strict=True)]
            rows.append(fit(solver, instance, float(costs[-1])))
    competitors = [{"name": name, "version": "ours", "place": index} for index, name in enumerate("abc")]
    fits = SUMMARY.rows_of(parts_of(rows, tmp_path, **steps), competitors=competitors)["fits"]
    assert len(fits) == len(rows)
    for row in fits:
        least = min(each["objective"] for each in rows if each["source"] == row["source"])
        trace = Trace(Progress(s, x, 0.0) for s, x, _ in steps[f"{row['solver']}{row['source'][4:]}"])
        assert row["primal_integral"] == pytest.approx(trace.primal_integral(least, LIMIT))


@pytest.mark.parametrize(
    ("lasting", "calls", "ends"),
    [(1.0, [5.0, 0.05, 0.5], [0.05, 0.5, 5.0]), (0.02, [5.0, 0.05], [0.05, 0.1]), (0.005, [5.0], [0.025])],
)
def test_a_peer_that_takes_long_is_called_with_shorter_limits(
    lasting: float, calls: list[float], ends: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    requests: list[float] = []

    def slow(values: NDArray[Any], classes: NDArray[Any], instance: Instance, seconds: float) -> PeerFit:
        """Takes a share of five seconds, and no more than it may."""
        requests.append(seconds)
        took = min(seconds, 5.0 * lasting)
        return PeerFit(np.zeros(len(classes), np.int32), 0, took < seconds, took)

    monkeypatch.setitem(OF_TEST, "slow", Peer("numpy", slow))
    monkeypatch.setattr("pipeline.grids.solvers.rows.PEERS", OF_TEST)
    instance = grid().instance_of(grid().item(0))
    made = solved(PeerVersion("slow", "1"), instance, {"time_limit": 5.0}, 0)
    (row,) = made.more["traces"]
    assert requests == calls
    assert [step[0] for step in json.loads(row["trace_seconds"])] == pytest.approx(ends)
    assert made.measures["build_seconds"] == ends[-1]


def test_our_trace_ends_with_the_objective_of_the_row() -> None:
    oct_builder = Builder("oct", "algorithms.optimal.search.OCTClassifier", "{}", Preparation())
    made = grid([CORRAL], builders=(oct_builder,))
    tables = made.work(0, made.items)
    for row, traced in zip(tables["results"].to_pylist(), tables["traces"].to_pylist(), strict=True):
        assert {name: traced[name] for name in ("source", "builder", "parameters")} == {
            name: row[name] for name in ("source", "builder", "parameters")
        }
        steps = json.loads(traced["trace_seconds"])
        assert steps[0][1] == 1.0
        assert steps[-1][1:] == pytest.approx([row["objective"], row["bound"]])


def test_a_peer_that_is_installed_later_makes_another_run() -> None:
    assert grid(peers=("gosdt",)).identity() != replace(grid(), peers=(PeerVersion("gosdt", None),)).identity()


def test_a_folder_of_binary_sets(tmp_path: Path) -> None:
    """As the published binary benchmarks are written: blanks, no header, the class first."""
    rng = np.random.default_rng(0)
    cells = rng.integers(0, 2, (40, 5))
    np.savetxt(tmp_path / "mine.txt", cells, fmt="%d")
    (tmp_path / "SOURCES.txt").write_text("where they are from\n")
    from pipeline.grids.solvers.grid import in_folder

    class Config:
        folder, data = str(tmp_path), NOWHERE

    (source,) = in_folder(Config)
    made = replace(grid(), sources=(source,))
    data = made.instance_of(made.item(0)).data
    assert len(data.attributes) == 4
    assert np.bincount(data.decisions).tolist() == np.bincount(cells[:, 0]).tolist()
    Config.folder = str(tmp_path / "none")
    with pytest.raises(ConfigError, match=r"has no \.txt files"):
        in_folder(Config)


def test_a_short_call_is_repeated_and_the_quickest_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    times = iter([0.0, 0.03, 1.0, 1.01, 2.0, 2.02])
    monkeypatch.setattr(external, "clock", lambda: next(times))
    results = iter("abc")
    assert external.timed(lambda: next(results)) == ("b", pytest.approx(0.01))
