"""Builders side by side: rows that a plain loop finds, whatever the chunks; failures as rows; summaries of them."""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import fmean, stdev
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from sklearn.metrics import precision_recall_fscore_support
from sklearn.model_selection import StratifiedKFold
from sklearn.svm import SVC

from algorithms.data.data_set import MISSING, Attribute, AttributeKind, DataSet
from algorithms.optimal.search import OCTClassifier
from algorithms.optimal.solution import Status
from pipeline.builders import Builder
from pipeline.data.catalogue.catalogue import catalogue
from pipeline.data.catalogue.loading import LoadedSet
from pipeline.data.preparation import Preparation
from pipeline.data.protocols import Protocol, drawn_seed
from pipeline.data.sources import Source
from pipeline.errors import DataError
from pipeline.grammar.axes import Item
from pipeline.grammar.comparison.grid import GENERAL, CompareBuildersGrid
from pipeline.grammar.whole_sources import proof
from tests.pipeline.grids.every_grid import grid_composed
from tests.pipeline.questions import computed_run, summarised

ENCODED = Preparation(missing="fill", encoding="one_hot")
SVM = Builder("svm", "sklearn.svm.SVC", '{"gamma": 0.1}', ENCODED)
FIRST = Builder("first", "tests.pipeline.predictors.FirstAttributeClassifier", "{}", Preparation())
REFUSING = Builder("refusing", "tests.pipeline.failing_builders.RefusingClassifier", '{"most_rows": 70}', ENCODED)
FIVE = Protocol("k_fold", folds=5, repeats=2, stratified=True)
SECONDS = ("build_seconds", "predict_seconds")


def source(name: str, part: str = "all") -> Source:
    return Source(name, part, catalogue().fingerprints(name))


def grid(builders: Sequence[Builder] = (SVM, FIRST), **changes: Any) -> CompareBuildersGrid:
    sources = (source("sklearn/iris"), source("uci/balloons/adult-stretch"))
    curves = any(builder.evolves for builder in builders)
    made = CompareBuildersGrid(
        sources=sources,
        incomplete_rows="keep",
        most_rows=None,
        protocol=FIVE,
        builders=tuple(builders),
        seed=3,
        curves=curves,
    )
    return replace(made, **changes)


@dataclass(frozen=True, kw_only=True)
class ComparisonOfLoadedSet(CompareBuildersGrid):
    """Its only data set is a loaded one."""

    data_set: LoadedSet = field(compare=False)

    def loaded(self, item: Item) -> LoadedSet:
        return self.data_set


def first_rows(made: CompareBuildersGrid, loaded: LoadedSet) -> list[dict[str, Any]]:
    """The results of the first split of a data set."""
    mine = ComparisonOfLoadedSet(**vars(replace(made, sources=(Source("mine", "all", ()),))), data_set=loaded)
    return mine.work(0, 1)["results"].to_pylist()


def mine(rows: int = 12, published: int | None = None) -> LoadedSet:
    """Rows of which one in four lacks a value and the last has no class; colour is new from row 8 on."""
    k = np.arange(rows)
    data = DataSet(
        (
            Attribute("colour", AttributeKind.NOMINAL, ("red", "blue", "green")),
            Attribute("size", AttributeKind.NUMERIC),
        ),
        (np.where(k < 8, k % 2, 2).astype(np.int32), np.where(k % 4 == 3, np.nan, k.astype(np.float64))),
        ("no", "yes"),
        np.where(k == rows - 1, MISSING, k % 2).astype(np.int32),
    )
    parts = (
        {"all": data} if published is None else {"train": data.take(k[:published]), "test": data.take(k[published:])}
    )
    return LoadedSet("mine", parts, "0" * 64)


def test_the_rows_are_those_of_a_plain_loop() -> None:
    made = grid()
    tables = made.work(0, 10)
    results = tables["results"].to_pylist()
    classes = tables["classes"].to_pylist()
    data = catalogue().load("sklearn/iris").whole
    labels = np.array(data.classes)[data.decisions]
    matrix = np.stack(data.columns, axis=1)
    index = 0
    for repeat in (1, 2):
        state = drawn_seed(3, "sklearn/iris", repeat)
        for fold, (train, test) in enumerate(
            StratifiedKFold(5, shuffle=True, random_state=state).split(matrix, labels)
        ):
            svm, first = results[index : index + 2]
            index += 2
            named = {"source": "sklearn/iris", "part": "all", "repeat": repeat, "fold": fold + 1, "status": "ok"}
            assert named.items() <= svm.items()
            assert (svm["builder"], first["builder"]) == ("svm", "first")
            assert (svm["rows"], svm["test_rows"], svm["unseen_values"]) == (120, 30, 0)
            predicted = SVC(gamma=0.1).fit(matrix[train], labels[train]).predict(matrix[test])
            assert svm["test_accuracy"] == pytest.approx(np.mean(predicted == labels[test]))
            assert svm["nodes"] is None
            majority = {
                value: Counter(labels[train][matrix[train, 0] == value].tolist())
                for value in np.unique(matrix[train, 0])
            }
            right = sum(max(counts.values()) for counts in majority.values())
            assert first["train_accuracy"] == pytest.approx(right / 120)
            assert (first["depth"], first["average_depth"], first["total_path_length"]) == (1, 1.0, 120)
            assert first["nodes"] == len(majority) + 1
            mine = [row for row in classes if (row["repeat"], row["fold"], row["builder"]) == (repeat, fold + 1, "svm")]
            expected = precision_recall_fscore_support(labels[test], predicted)
            for label, *measures in zip(np.unique(labels), *expected, strict=True):
                (row,) = (row for row in mine if row["class"] == label)
                assert [row[name] for name in ("precision", "recall", "f1", "support")] == pytest.approx(measures)


def test_a_fit_that_fails_is_a_row_that_says_so() -> None:
    tables = grid([REFUSING, FIRST]).work(0, 1)
    failed, computed = tables["results"].to_pylist()
    assert (failed["status"], failed["error"]) == ("failed", "ValueError: 120 rows are too many")
    assert (failed["rows"], failed["test_rows"], failed["test_accuracy"]) == (120, 30, None)
    assert (computed["status"], computed["error"]) == ("ok", None)
    assert {row["builder"] for row in tables["classes"].to_pylist()} == {"first"}


@pytest.mark.parametrize(
    ("way", "expected"),
    [
        ("exits", "SystemExit: 0"),
        ("interrupts", "KeyboardInterrupt: "),
        ("says what no file can hold", "ValueError: \\udcfflong"),
        ("writes to what it was given", "ValueError: `predict` returned 'no class'; "),
        ("predicts numbers", "ValueError: `predict` returned 0; "),
        ("predicts masked values", "ValueError: `predict` returned None; "),
    ],
)
def test_one_builder_does_not_affect_the_others(way: str, expected: str) -> None:
    hostile = Builder("hostile", "tests.pipeline.failing_builders.HostileClassifier", json.dumps({"way": way}), ENCODED)
    alone = grid((SVM,)).work(0, 2)["results"].to_pylist()
    beside = grid((hostile, SVM)).work(0, 2)["results"].to_pylist()
    for row, other in zip(alone, beside[1::2], strict=True):
        assert {name: value for name, value in row.items() if name not in SECONDS} == {
            name: value for name, value in other.items() if name not in SECONDS
        }
    for row in beside[::2]:
        assert row["status"] == "failed"
        assert row["error"].startswith(expected)
        assert len(row["error"]) < 2_100


def test_a_builder_that_evolves_has_learning_curves() -> None:
    evolving = replace(FIRST, name="evolving", class_path="tests.pipeline.predictors.EvolvingClassifier")
    made = grid((FIRST, evolving, REFUSING))
    assert grid().tables == ("results", "classes")
    assert made.tables == ("results", "classes", "curves")
    curves = made.work(0, 2)["curves"].to_pylist()
    assert [(row["fold"], row["builder"], row["generation"]) for row in curves] == [
        (fold, "evolving", generation) for fold in (1, 2) for generation in range(4)
    ]
    assert [row["best"] for row in curves[4:]] == [1 / 120, 1 / 240, 1 / 480, 1 / 960]
    assert [row["mean"] - row["best"] for row in curves] == pytest.approx([1.0] * 8)
    assert made.failed_item(0, "killed", "gone")["curves"].num_rows == 0


def test_seeds_do_not_depend_on_how_the_path_of_a_file_is_written(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    rows = "".join(f"{row % 7},{row * row % 11},{'ab'[row * row % 5 % 2]}\n" for row in range(40))
    (tmp_path / "mine.csv").write_text(f"x,y,class\n{rows}")
    more = ("builders=[random_tree]", "protocol.folds=2", "protocol.repeats=2", "cluster=threads", "most_rows=30")
    runs = [
        grid_composed("compare_builders", f"source={path}", *more)
        for path in ("mine.csv", "./mine.csv", f"../{tmp_path.name}/mine.csv", tmp_path / "mine.csv")
    ]
    measured = [
        [
            {name: value for name, value in row.items() if not name.endswith(SECONDS) and name != "source"}
            for row in run.work(0, run.items)["results"].to_pylist()
        ]
        for run in runs
    ]
    assert len(measured[0]) == 4
    assert len({(row["nodes"], row["test_accuracy"]) for row in measured[0]}) > 1
    assert measured[1:] == measured[:1] * 3
    (result,) = runs[1].sources
    assert (result.seed_name, replace(result, part="train").seed_name) == ("mine.csv", "mine.csv (train)")
    assert result.identity()["file"] == "mine.csv"
    recorded_before = {key: value for key, value in result.identity().items() if key != "file"}
    assert Source.from_identity(recorded_before, result.location).seed_name == "./mine.csv"


def test_the_seeds_and_the_identity_of_a_set_of_the_catalogue_are_of_its_name() -> None:
    (result,) = grid_composed("compare_builders", "source=sklearn/iris").sources
    assert (result.seed_name, "file" in result.identity()) == ("sklearn/iris", False)


def test_a_source_may_be_rows_drawn_of_a_set() -> None:
    drawn = replace(source("sklearn/iris"), rows=60)
    assert Source.from_identity(drawn.identity(), drawn.location) == drawn
    assert "rows" not in source("sklearn/iris").identity()
    made = grid(sources=(source("sklearn/iris"), drawn), most_rows=90)
    results = made.work(0, made.items)["results"].to_pylist()
    sizes = {(row["source"], row["part"], row["rows"] + row["test_rows"]) for row in results}
    assert sizes == {("sklearn/iris", "all", 90), ("sklearn/iris", "60 rows", 60)}
    expected = np.random.default_rng(drawn_seed(3, "sklearn/iris (60 rows)", "rows")).choice(150, 60, replace=False)
    whole = catalogue().load("sklearn/iris").whole
    assert made.select_rows(drawn, drawn.load()).data.columns[0].tolist() == [
        whole.columns[0][row] for row in sorted(expected)
    ]
    assert made.number_of({"source": "sklearn/iris (60 rows)"}) == 10
    assert made.number_of({"source": "sklearn/iris", "part": "60 rows"}) == 10
    assert replace(drawn, part="train").title == "sklearn/iris (60 rows of train)"
    with pytest.raises(DataError, match="'sklearn/iris:151', but only 150 rows can be used"):
        made.select_rows(replace(drawn, rows=151), drawn.load())


def test_growing_the_tree_that_chooses_attributes_is_part_of_building(monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = iter(range(10_000))

    def tick() -> float:
        return float(next(ticks))

    monkeypatch.setattr("pipeline.grammar.comparison.rows.time", SimpleNamespace(perf_counter=tick))
    monkeypatch.setattr("pipeline.work.plugin_process.perf_counter", tick)
    ours = Builder("id3", "algorithms.induction.id3.ID3Classifier", "{}", Preparation())
    chosen = replace(ours, name="chosen", preparation=replace(ours.preparation, attributes="of_tree"))
    made = grid((ours, chosen))
    item = made.number_of({"source": "uci/balloons/adult-stretch"})
    rows = made.work(item, item + 1)["results"].to_pylist()
    assert [row["build_seconds"] for row in rows] == [1, 2]  # a clock that is one second on at each look


def test_a_search_that_its_time_ended_says_how_far_from_the_best_it_may_be() -> None:
    searched = OCTClassifier().fit([[0], [1], [1]], ["a", "b", "a"])
    search = Builder("oct", "algorithms.optimal.search.OCTClassifier", "{}", Preparation())
    assert proof(search, searched) == {"optimal": True, "objective": 1.0, "bound": 1.0}
    searched.solution_ = replace(searched.solution_, status=Status.TIME_LIMIT, bound=0.75)
    result = proof(search, searched)
    assert (result["status"], result["optimal"], result["bound"]) == ("time_limit", False, 0.75)
    assert result["error"].startswith("a tree with an objective up to 25.0% lower may exist")


def test_the_classes_of_the_rows_to_predict_are_not_given() -> None:
    peeking = replace(FIRST, class_path="tests.pipeline.predictors.PeekingClassifier")
    row = grid((peeking,)).work(0, 1)["results"].to_pylist()[0]
    assert row["status"] == "ok"
    assert row["test_accuracy"] == pytest.approx(1 / 3)  # of iris: as good as always the first class


def test_a_data_set_that_cannot_be_split_has_rows_that_say_so() -> None:
    made = grid(protocol=Protocol("k_fold", folds=30))
    rows = first_rows(made, mine())
    assert {row["status"] for row in rows} == {"failed"}
    assert rows[0]["error"].startswith("protocol.folds is 30, but 'mine' has 11 rows")


def test_which_rows_there_are() -> None:
    source = Source("mine", "all", ())
    assert grid().select_rows(source, mine()).data.rows == 11  # that without a class is left out
    assert grid(incomplete_rows="drop").select_rows(source, mine()).data.rows == 9
    drawn = grid(most_rows=5).select_rows(source, mine()).data
    assert drawn.rows == 5
    assert (np.diff(drawn.columns[1][~np.isnan(drawn.columns[1])]) > 0).all()
    again = grid(most_rows=5).select_rows(source, mine()).data
    assert np.array_equal(again.columns[1], drawn.columns[1], equal_nan=True)
    assert grid().select_rows(source, mine(published=8)).split_source.published == 8
    assert grid(incomplete_rows="drop").select_rows(source, mine(published=8)).split_source.published == 6
    for rows in ("keep", "drop"):
        with pytest.raises(
            DataError, match="'mine' has 1 row, and no row has a class: fill in the column of the class"
        ):
            grid(incomplete_rows=rows).select_rows(source, mine(1))


def test_values_that_no_training_row_has_are_counted_and_stay_at_their_node() -> None:
    made = grid([FIRST], protocol=Protocol("published"))
    (row,) = first_rows(made, mine(published=8))
    assert (row["rows"], row["test_rows"], row["unseen_values"]) == (8, 3, 3)
    assert row["test_accuracy"] == pytest.approx(2 / 3)  # they get the root's "no"


def test_how_rows_are_summarised_makes_no_other_run() -> None:
    made = grid(incomplete_rows="drop", most_rows=9, summary=GENERAL)
    assert replace(made, summary=replace(GENERAL, name="other")).identity() == made.identity()


def test_the_summary_is_that_of_a_plain_loop(tmp_path: Path) -> None:
    made = grid([SVM, FIRST, REFUSING])
    spans = [(first, min(first + 7, made.items)) for first in range(0, made.items, 7)]
    tables = [made.work(*span) for span in spans]
    run = computed_run(made, zip(spans, tables, strict=True), tmp_path)
    summary = summarised(run, tmp_path / "s", drawn=True)
    results = [row for table in tables for row in table["results"].to_pylist()]
    rows = list(csv.DictReader((tmp_path / "s/accuracies.csv").read_text().splitlines()))
    assert [(row["source"], row["builder"]) for row in rows] == [
        (source.name, builder) for source in made.sources for builder in ("svm", "first", "refusing")
    ]
    for row in rows:
        own = [result for result in results if (result["source"], result["builder"]) == (row["source"], row["builder"])]
        values = [each["test_accuracy"] for each in own if each["status"] == "ok"]
        assert (int(row["n"]), int(row["failed"])) == (len(values), 10 - len(values))
        if values:
            assert float(row["test_accuracy"]) == pytest.approx(fmean(values))
            half = 1.959964 * stdev(values) / len(values) ** 0.5
            assert float(row["high"]) - float(row["test_accuracy"]) == pytest.approx(half, abs=1e-7)
        else:
            assert "rows are too many" in row["error"]
    screen = summary.screen(100)
    assert "failed" in str([column._cells for column in screen[0].renderables[1].columns])
    assert "10 of 60 fits failed" in str(screen[-1])
    classes = list(csv.DictReader((tmp_path / "s/classes.csv").read_text().splitlines()))
    iris = [row for row in classes if (row["source"], row["builder"]) == ("sklearn/iris", "svm")]
    assert [int(row["support"]) for row in iris] == [100] * 3  # each row tests once a repeat
    correct = sum(
        result["test_accuracy"] * 30
        for result in results
        if (result["source"], result["builder"]) == ("sklearn/iris", "svm")
    )
    assert sum(int(row["correct"]) for row in iris) == round(correct)
    whole = {row["builder"]: 100 * float(row["test_accuracy"]) for row in rows if row["source"] == made.sources[1].name}
    assert set(whole) == {"svm", "first", "refusing"}  # which refuses iris
    best, second, third = sorted(whole, key=lambda builder: -whole[builder])
    on = made.sources[1].name
    by = [rf"{each} \(by {whole[best] - whole[each]:.1f} ± \d+\.\d points\)" for each in (second, third)]
    assert re.match(
        f"The most accurate of 3 builders is {best}, with {whole[best]:.1f} % of test rows correct on {on}, not "
        f"significantly more accurate than {by[0]} and {by[1]}; always predicting the most common class ",
        summary.finding,
    )
    assert summary.finding.endswith("; 10 of 60 fits failed.")
    assert [tree.row["builder"] for tree in summary.trees] == ["first"]
    assert {path.name for path in summary.figures} == {"accuracies.svg", "accuracies.png"}
