"""The runs of an output folder are those that were made: what their identity leaves out is in their configuration."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from pipeline.data.sources import DataLocation, Source
from pipeline.grammar.comparison.grid import CompareBuildersGrid
from pipeline.record.kept import chosen, kept_below
from pipeline.record.runs import kept_runs
from tests.pipeline.record.made_up import made_up_record

IDENTITY = {
    "grid": "compare_builders",
    "sources": [Source("uci/iris", "all", ("f",)).identity()],
    "incomplete_rows": "keep",
    "most_rows": None,
    "protocol": {"method": "k_fold", "folds": 10, "test_share": None, "validation_share": None, "repeats": 1},
    "builders": [],
    "seed": 0,
}


def record_of(run: str) -> str:
    """The record of a comparison."""
    return json.dumps(asdict(made_up_record(run, identity=IDENTITY)))


def _kept(folder: Path, configuration: str) -> CompareBuildersGrid:
    record_folder = folder / "results/grid=pruning/run=abc/_run"
    record_folder.mkdir(parents=True)
    (record_folder / "run.json").write_text(record_of("abc"))
    (record_folder / "config.yaml").write_text(configuration)
    (run,) = kept_runs(folder)
    assert isinstance(run.grid, CompareBuildersGrid)
    return run.grid


@pytest.mark.parametrize(
    ("configuration", "summary", "location"),
    [
        ("summary: pruning\ndata: {folder: /d, own: null}", "pruning", DataLocation("/d")),
        ("summary: evo_tree\ndata: null", "evo_tree", DataLocation()),
        ("summary: nothing of ours", "accuracies", DataLocation()),
        ("summary: [1, 2]", "accuracies", DataLocation()),
        ("data: 7", "accuracies", DataLocation()),
        ("[", "accuracies", DataLocation()),
        ("summary: pruning\nseed: 2020-99-99", "accuracies", DataLocation()),
        ("- a list", "accuracies", DataLocation()),
        ("", "accuracies", DataLocation()),
    ],
)
def test_a_comparison_has_the_summary_of_its_configuration(
    tmp_path: Path, configuration: str, summary: str, location: DataLocation
) -> None:
    grid = _kept(tmp_path, configuration)
    assert grid.summary.name == summary
    assert [source.location for source in grid.sources] == [replace(location, recorded=True)]


def test_of_grids_of_the_same_keys_under_two_names_the_newest_is_meant(tmp_path: Path) -> None:
    for age, name in enumerate(("results", "mine", "select")):
        record = tmp_path / f"results/grid={name}/run=abcdef/_run/run.json"
        record.parent.mkdir(parents=True)
        record.write_text(record_of("abcdef"))
        os.utime(record, (1e9 - abs(age - 1), 1e9 - abs(age - 1)))
    assert chosen(kept_runs(tmp_path), "abc", tmp_path).name == "mine"


def test_rows_without_a_record_are_reported_and_an_empty_folder_is_no_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for run in ("abc", "def"):
        (tmp_path / f"results/grid=pruning/run={run}").mkdir(parents=True)
    (tmp_path / "results/grid=pruning/run=abc/part-000000000-000000001-0123456789abcdef.parquet").touch()
    assert kept_below(tmp_path) == []
    (line,) = capsys.readouterr().err.splitlines()
    assert "run=abc/_run/run.json is damaged, missing or of another run" in line
    assert line.endswith("If the run's folder was renamed or copied, give it its name back or delete the copy")
