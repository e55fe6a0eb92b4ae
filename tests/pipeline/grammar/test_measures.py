"""Measures beside printed values: the mean precision is scikit-learn's, over the declared classes."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from sklearn.metrics import precision_score

from pipeline.errors import ConfigError
from pipeline.grammar.comparison import printed
from pipeline.grammar.comparison.declared import declared_comparison
from pipeline.grammar.comparison.printed_values import MEASURES
from pipeline.grammar.summary import Summary
from tests.summaries.builder_rows import result_row, summary_rows

DECLARED = """printed:
  title: Trees (Smith 2020)
  values: table2.csv
  builders: {C4.5: c45}
  folds: 1
  measure: mean_precision
"""
TABLE = "case,source,classes,C4.5\nkinds,uci/it's,5,60\n"


def summary(folder: Path, table: str = TABLE) -> Summary:
    (folder / "table2.csv").write_text(table)
    (folder / "comparison.yaml").write_text(DECLARED)
    return declared_comparison("smith", folder / "comparison.yaml")


def class_rows(labels: np.ndarray, predicted: np.ndarray, repeat: int) -> list[dict[str, Any]]:
    """The rows that a run has of the classes of a split: those that test rows have or are predicted to have."""
    return [
        result_row("uci/it's", "c45", 1, repeat=repeat) | {
            "class": str(each),
            "support": int(np.sum(labels == each)),
            "predicted": int(np.sum(predicted == each)),
            "correct": int(np.sum((labels == each) & (predicted == each))),
        }
        for each in np.union1d(labels, predicted)
    ]  # fmt: skip


def splits(number: int) -> tuple[list[dict[str, Any]], list[dict[str, Any]], list[float]]:
    """Result rows, rows of classes and scikit-learn's mean precisions of random predictions."""
    generator = np.random.default_rng(7)
    results, classes, expected = [], [], []
    for repeat in range(1, number + 1):
        labels = generator.integers(0, 4, 30)  # the fifth class has no row at all
        predicted = np.where(generator.random(30) < 0.6, labels, generator.integers(0, 3, 30))
        predicted[predicted == repeat % 3] = 3 - repeat % 3  # one class is never predicted
        results.append(result_row("uci/it's", "c45", 1, repeat=repeat, test_accuracy=0.5))
        classes += class_rows(labels, predicted, repeat)
        expected.append(100 * precision_score(labels, predicted, labels=range(5), average="macro", zero_division=0))
    return results, classes, expected


def test_the_mean_precision_is_that_of_scikit_learn_over_the_declared_classes(tmp_path: Path) -> None:
    results, classes, expected = splits(40)
    assert min(expected) < max(expected)
    (row,) = summary_rows(summary(tmp_path), results, classes=classes)["smith"]
    assert (row["n"], row["printed"]) == (40, 60)
    assert row["mean_precision"] == pytest.approx(np.mean(expected))
    assert row["high"] - row["low"] == pytest.approx(2 * 1.959964 * np.std(expected, ddof=1) / 40**0.5)
    # one split behind the printed value: the sd of the draws, widened by the error of our mean
    assert row["_error"] == pytest.approx(np.std(expected, ddof=1) * (1 + 1 / 40) ** 0.5)


def test_a_fit_that_fails_has_no_mean_precision(tmp_path: Path) -> None:
    results, classes, expected = splits(3)
    lost = result_row("uci/it's", "c45", 1, repeat=4, status="failed", error="no")
    (row,) = summary_rows(summary(tmp_path), [*results, lost], classes=classes)["smith"]
    assert (row["n"], row["_failed"], row["verdict"]) == (3, 1, None)
    assert row["mean_precision"] == pytest.approx(np.mean(expected))


def test_more_classes_than_are_declared_are_an_error(tmp_path: Path) -> None:
    results, classes, _ = splits(3)
    with pytest.raises(ValueError, match="uci/it's declares 3 classes, and a split has rows of 4"):
        summary_rows(summary(tmp_path, TABLE.replace(",5,", ",3,")), results, classes=classes)


@pytest.mark.parametrize("number", ["", "two", "0", "-1"])
def test_a_number_of_classes_that_cannot_be_is_named(number: str, tmp_path: Path) -> None:
    message = "table2.csv, line 2, column classes: .*: expected (the|a whole) number of classes"
    with pytest.raises(ConfigError, match=message):
        summary(tmp_path, TABLE.replace(",5,", f",{number},"))


def test_without_the_column_of_classes_the_error_names_it(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"line 2, column classes: the cell is empty: expected the number of"):
        summary(tmp_path, TABLE.replace("classes,", "").replace(",5,", ","))


def test_an_unknown_measure_is_named(tmp_path: Path) -> None:
    (tmp_path / "table2.csv").write_text(TABLE)
    file = tmp_path / "comparison.yaml"
    file.write_text(DECLARED.replace("mean_precision", "recall"))
    with pytest.raises(ConfigError, match=f"printed.measure is 'recall': expected one of {', '.join(MEASURES)}"):
        declared_comparison("smith", file)


def test_a_difference_that_rounds_to_nothing_has_no_minus(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [{"source": "a", "part": "all", "builder": "c45", "case": "A", "difference": -0.017}]
    monkeypatch.setattr(printed, "first_fits", lambda _: {("a", "all", "c45"): {}})
    monkeypatch.setattr(printed, "drawable", lambda _: True)
    monkeypatch.setattr(printed, "notable", lambda _, why: why)
    measure: Any = SimpleNamespace(point=1.0, singular="accuracy")
    results: Any = None
    (why,) = printed._trees(results, measure, rows)
    assert str(why) == "A, whose accuracy is nearest to the printed one: +0.0 points"
