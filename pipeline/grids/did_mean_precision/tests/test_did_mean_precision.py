"""The second table read as mean precision: the same printed figures, single draws, and a fit of its own builders."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from omegaconf import OmegaConf

from pipeline.builders import builders_named
from pipeline.discovery import conf_folder
from pipeline.proof.printed import papers
from tests.pipeline.grids.every_grid import grid_composed
from tests.summaries.builder_rows import declared

PRINTED = Path(__file__).parents[2] / "did_vs_svm/printed/did_vs_svm_j48.csv"
SUMMARY, OTHER = declared("did_mean_precision"), declared("did_vs_svm")


def test_the_printed_figures_are_those_of_the_other_reading_and_counted_here() -> None:
    ours = {(row["case"], row["builder"]): row["value"] for row in SUMMARY.constants["printed"]}
    theirs = {(row["case"], row["builder"]): row["value"] for row in OTHER.constants["printed"]}
    assert ours == {key: value for key, value in theirs.items() if key[1] != "svm"}
    printed = {(each.grid, each.name): each for document in papers().documents for each in document.printed}
    here, there = (
        printed["did_mean_precision", "J48 and DID"],
        printed["did_vs_svm", "J48 and DID, read as accuracy"],
    )
    assert (here.again, there.again) == ("", here.name)
    assert (here.figures, here.only["builder"]) == (there.figures, there.only["builder"])
    assert here.inferred
    assert not there.inferred


def test_did_is_the_selection_of_de_mantaras_pruned() -> None:
    entries = OmegaConf.to_container(OmegaConf.load(conf_folder() / "grid/did_mean_precision.yaml"))["builders"]
    builders = {each.name: each for each in builders_named(entries, (), [conf_folder()])}
    grown = builders["did"].made(0).builder  # type: ignore[attr-defined]
    assert (grown.orthogonality_weight, grown.distance) == (0, "mantaras")
    assert {builder.preparation.missing for builder in builders.values()} == {"value"}


def test_two_thirds_of_the_rows_train_and_no_row_is_dropped() -> None:
    grid = grid_composed("did_mean_precision", "source=[rule/corral]", "protocol.repeats=2")
    assert grid.protocol.test_share == pytest.approx(0.34)
    rows = grid.work(0, 2)["results"].to_pylist()
    assert [row["rows"] / (row["rows"] + row["test_rows"]) for row in rows] == pytest.approx([0.66] * 8, abs=0.01)


ROWS = {
    "australian": (690,),
    "breast": (699, 683),
    "diabetes": (768,),
    "glass": (214,),
    "glass2": (163,),
    "heart": (270,),
    "iris": (150,),
    "pima": (768,),
    "segment": (2310,),
    "Shuttle- small": (5800,),
    "vehicle": (846,),
    "waveform-21": (5000, 4700),
    "cleve": (303, 297, 296),
    "crx": (690, 653),
    "german": (1000,),
    "hepatitis": (155, 80),
    "chess": (3196,),
    "corral": (160, 128),
    "flare": (1066,),
    "mofn-3-7-10": (1324,),
    "soybean- large": (683, 562),
    "vote": (435,),
}
"""Rows of each data set, with and without those that lack a value, or as the literature has them."""


def test_the_printed_table_says_how_many_rows_are_tested() -> None:
    rows = csv.DictReader(PRINTED.read_text().splitlines())
    assert all(int(row["rows"]) in ROWS[row["case"]] for row in rows)


def test_sixteen_printed_figures_are_no_share_of_the_rows() -> None:
    """Each row tests once in a cross-validation, so that its pooled accuracy is a number of rows out of all rows."""
    strange = [
        (row["case"], row["builder"])
        for row in SUMMARY.constants["printed"]
        if not any(
            abs(100 * correct / rows - row["value"]) <= row["rounding"] + 1e-9
            for rows in ROWS[row["case"]]
            for correct in range(rows + 1)
        )
    ]
    assert len(strange) == 16
    assert {("iris", "j48"), ("iris", "did"), ("heart", "j48"), ("heart", "did")} <= set(strange)
