"""The grid of the catalogue: sizes against a plain count, and data sets that are absent."""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from algorithms.data.data_set import Attribute, AttributeKind, DataSet
from pipeline.grids.catalogue.grid import counts
from tests.pipeline.command_line import run_orchard
from tests.pipeline.grids.every_grid import grid_named
from tests.pipeline.questions import computed_run, summarised

SETS = "source=[rule/corral,uci/balance-scale,uci/zoo]"
CELLS = st.sampled_from([None, 0, 1, 2])
ROWS = st.lists(
    st.tuples(CELLS, st.sampled_from([None, 0.5, 2.0]), st.sampled_from([None, 0, 1])), min_size=1, max_size=12
)


@given(ROWS)
def test_counts_are_those_of_a_plain_count(rows: list[tuple[int | None, float | None, int | None]]) -> None:
    data = DataSet(
        (Attribute("colour", AttributeKind.NOMINAL, ("r", "g", "b")), Attribute("size", AttributeKind.NUMERIC)),
        (
            np.array([-1 if colour is None else colour for colour, _, _ in rows], np.int32),
            np.array([np.nan if size is None else size for _, size, _ in rows]),
        ),
        ("no", "yes"),
        np.array([-1 if decision is None else decision for *_, decision in rows], np.int32),
    )
    classes_of: dict[tuple[int | None, float | None], set[int]] = {}
    for colour, size, decision in rows:
        classes_of.setdefault((colour, size), set()).update([] if decision is None else [decision])
    missing = Counter(value is None for colour, size, _ in rows for value in (colour, size))
    assert counts(data) == {
        "rows": len(rows),
        "nominal": 1,
        "numeric": 1,
        "classes": len(set().union(*classes_of.values())),
        "missing_cells": missing[True],
        "missing_classes": sum(decision is None for *_, decision in rows),
        "distinct_rows": len(classes_of),
        "contradictions": sum(len(classes) > 1 for classes in classes_of.values()),
    }


def test_an_absent_set_is_a_failed_row_and_is_tried_again(
    tmp_path: Path, shared: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ORCHARD_DATA", "")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("https_proxy", "http://127.0.0.1:9")
    done = run_orchard("+grid=catalogue", SETS, "cluster=threads", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "2 of 3 data sets agree" in done.stdout
    assert "'uci/zoo' is missing" in done.stdout
    assert "run the same command to try them again" in done.stdout
    (table,) = tmp_path.glob("outputs/summaries/grid=catalogue/run=*/data_sets.csv")
    rows = {row["source"]: row for row in csv.DictReader(table.read_text().splitlines())}
    assert (rows["rule/corral"]["rows"], rows["rule/corral"]["contradictions"]) == ("64", "0")
    assert (rows["uci/zoo"]["status"], rows["uci/zoo"]["rows"]) == ("failed", "")
    kept = run_orchard("+grid=catalogue", SETS, "cluster=threads", "redo=null", cwd=tmp_path)
    assert "3 of 3 data sets by earlier commands" in kept.stdout
    data = f"data.folder={shared / 'data'}"
    mended = run_orchard("+grid=catalogue", SETS, "cluster=threads", data, cwd=tmp_path)
    assert mended.returncode == 0, mended.stderr
    assert "3 of 3 data sets agree" in mended.stdout
    assert len(list(table.parent.parent.iterdir())) == 1  # the same run: where data is found changes no number


def test_every_set_is_here_and_holds_what_the_catalogue_says(tmp_path: Path, shared: Path) -> None:
    done = run_orchard("+grid=catalogue", f"data.folder={shared / 'data'}", "cluster=threads", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "123 of 123 data sets agree" in done.stdout
    (table,) = tmp_path.glob("outputs/summaries/grid=catalogue/run=*/data_sets.csv")
    rows = {(row["source"], row["part"]): row for row in csv.DictReader(table.read_text().splitlines())}
    # the distinct rows that papers on decision tables count
    for name, part, distinct, contradictions in (
        ("uci/zoo", "all", "59", "0"),
        ("uci/hayes-roth", "train", "69", None),
        ("uci/spect", "test", "169", "2"),
        ("uci/primary-tumor", "all", "282", None),
        ("uci/balloons/adult-stretch", "all", "16", "0"),
        ("uci/teeth", "all", "23", None),
    ):
        row = rows[name, part]
        assert row["distinct_rows"] == distinct
        assert contradictions in {None, row["contradictions"]}


def test_a_set_without_a_fingerprint_is_reported(tmp_path: Path) -> None:
    file = tmp_path / "mine.csv"
    file.write_text("height,sky,play\n1,sun,yes\n2,rain,no\n")
    grid = grid_named("catalogue", f"source=[rule/corral,{file}]")
    assert [grid.title(item) for item in range(grid.items)] == ["rule/corral", str(file)]
    run = computed_run(grid, [((0, 2), grid.work(0, 2))], tmp_path)
    assert summarised(run, tmp_path / "summary").finding == (
        "1 of 1 data set agrees with its description in the catalogue; 1 of 1 data set without a fingerprint could be "
        "read; the catalogue has nothing to compare it with."
    )
    assert f"except for {file}, for which the catalogue has none." in (tmp_path / "summary/data_sets.md").read_text()
