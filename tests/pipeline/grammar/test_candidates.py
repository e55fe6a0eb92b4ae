"""What printed values may measure: the draws are pooled repeats, and the true measure wins the cross-check."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import norm
from sklearn.metrics import accuracy_score, precision_score

from pipeline.grammar.comparison.candidates import HALVES, halves_of
from pipeline.grammar.comparison.declared import declared_comparison
from tests.summaries.builder_rows import result_row, summary_rows

DECLARED = """candidates:
  title: What Smith may have measured
  values: table2.csv
  builders: {C4.5: c45}
"""
CASES, REPEATS, CLASSES, ROWS = 12, 20, 4, 300


def drawn(generator: np.random.Generator, skill: float, shares: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Labels and predictions of some rows, of classes of these shares; the last class is never predicted."""
    labels = generator.choice(CLASSES - 1, ROWS, p=shares)
    predicted = np.where(generator.random(ROWS) < skill, labels, generator.choice(CLASSES - 1, ROWS, p=shares))
    predicted[predicted == CLASSES - 2] = 0
    return labels, predicted


def measured(labels: np.ndarray, predicted: np.ndarray) -> dict[str, float]:
    """Scikit-learn's measures, in percent."""
    mean = precision_score(labels, predicted, labels=range(CLASSES), average="macro", zero_division=0)
    return {"accuracy": 100 * accuracy_score(labels, predicted), "mean_precision": 100 * mean}


@pytest.fixture(scope="module")
def drawn_run() -> dict[str, Any]:
    """A run of two folds a repeat, its draws by scikit-learn, and one more draw of each case to print."""
    generator = np.random.default_rng(5)
    results, classes, draws, printed = [], [], {}, {}
    for case in range(CASES):
        skill, shares = generator.uniform(0.5, 0.95), generator.dirichlet([3] * (CLASSES - 1))
        for builder, less in (("c45", 0.0), ("c45_stump", 0.45)):
            for repeat in range(1, REPEATS + 1):
                labels, predicted = drawn(generator, skill - less, shares)
                draws.setdefault((case, builder), []).append(measured(labels, predicted))
                for fold, rows in enumerate(np.array_split(np.arange(ROWS), 2), start=1):
                    row = result_row(f"uci/{case}", builder, fold, repeat=repeat)
                    results.append(row | {"test_accuracy": np.mean(labels[rows] == predicted[rows])})
                    classes += [
                        row | {
                            "class": str(each),
                            "support": int(np.sum(labels[rows] == each)),
                            "predicted": int(np.sum(predicted[rows] == each)),
                            "correct": int(np.sum((labels[rows] == each) & (predicted[rows] == each))),
                        }
                        for each in np.union1d(labels[rows], predicted[rows])
                    ]  # fmt: skip
        printed[case] = measured(*drawn(generator, skill, shares))
    return {"results": results, "classes": classes, "draws": draws, "printed": printed}


@pytest.fixture(scope="module", params=["accuracy", "mean_precision"])
def run(drawn_run: dict[str, Any], request: pytest.FixtureRequest) -> dict[str, Any]:
    """The run, with printed values of one measure."""
    printed = {case: round(values[request.param], 1) for case, values in drawn_run["printed"].items()}
    return drawn_run | {"measure": request.param, "printed": printed}


@pytest.fixture(scope="module")
def table(run: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], dict[str, Any]]:
    folder: Path = tmp_path_factory.mktemp("declared")
    lines = [f"{case},uci/{case},{CLASSES},{value}" for case, value in run["printed"].items()]
    (folder / "table2.csv").write_text("\n".join(["case,source,classes,C4.5", *lines]) + "\n")
    (folder / "comparison.yaml").write_text(DECLARED)
    summary = declared_comparison("smith", folder / "comparison.yaml")
    result = summary_rows(summary, run["results"], classes=run["classes"])["candidates"]
    return {(row["builder"], row["measure"]): row for row in result}


def test_the_likelihood_is_of_one_draw_among_the_pooled_repeats(run: dict[str, Any], table: Any) -> None:
    assert set(table) == {(each, name) for each in ("c45", "c45_stump") for name in ("accuracy", "mean_precision")}
    likelihoods: dict[tuple[str, str], np.ndarray] = {}
    for (builder, measure), row in table.items():
        apart, errors = [], []
        for case, value in run["printed"].items():
            own = [draw[measure] for draw in run["draws"][case, builder]]
            apart.append(np.mean(own) - value)
            errors.append(np.sqrt(np.var(own, ddof=1) * (1 + 1 / REPEATS) + 0.1**2 / 12))  # rounded to a tenth
        z = np.array(apart) / errors
        assert row["cases"] == CASES
        assert row["within"] == np.count_nonzero(np.abs(z) <= 2)
        assert row["deviation"] == pytest.approx(np.mean(np.abs(apart)))
        assert row["z2"] == pytest.approx(np.mean(z**2))
        likelihoods[builder, measure] = norm.logpdf(apart, 0, errors)
        assert row["log_likelihood"] == pytest.approx(likelihoods[builder, measure].sum())
    for builder in ("c45", "c45_stump"):
        by_accuracy, by_precision = (likelihoods[builder, measure] for measure in ("accuracy", "mean_precision"))
        assert table[builder, "accuracy"]["likelier"] == np.count_nonzero(by_accuracy > by_precision)
        assert table[builder, "mean_precision"]["likelier"] == np.count_nonzero(by_precision > by_accuracy)


def test_the_measure_and_builder_that_were_printed_are_chosen_and_win(run: dict[str, Any], table: Any) -> None:
    assert sum(row["chosen"] for row in table.values()) == sum(row["won"] for row in table.values()) == HALVES
    best = table["c45", run["measure"]]
    assert min(best["chosen"], best["won"]) > 0.9 * HALVES


def test_a_candidate_that_is_likelier_on_every_case_always_wins() -> None:
    likelihoods = np.array([[-1.0] * 6, [-2.0] * 6, [-3.0] * 6])
    assert halves_of(likelihoods, ["a", "a", "b"]) == ([HALVES, 0, 0], [HALVES, 0, 0])
    assert halves_of(likelihoods[[0, 0]] + [[0.0], [1e-12]], ["a", "b"]) == ([HALVES, 0], [HALVES, 0])  # equal ones
    assert halves_of(likelihoods[::-1], ["a", "a", "b"]) == ([0, 0, HALVES], [0, 0, HALVES])


def test_a_reading_that_fits_one_case_alone_does_not_win() -> None:
    """A candidate that is best by one case, and worst on all others, loses wherever that case chose it."""
    likelihoods = np.array([[100.0, -9.0, -9.0, -9.0], [-1.0] * 4])
    chosen, won = halves_of(likelihoods, ["a", "b"])
    assert chosen[0] == pytest.approx(HALVES / 2, abs=60)
    assert won[0] == HALVES - chosen[0]  # where it was chosen the case is spent, and where not it counts
