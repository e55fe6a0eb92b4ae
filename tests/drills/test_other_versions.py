"""D9: a run resumed with other versions, another grid or other data: refused, or its rows are kept apart."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pyarrow.compute as pc
import pytest

from pipeline.driver.progress import SessionTotals
from pipeline.record.sessions import record_session, sessions
from pipeline.work.plugin_process import facts_of_plugin
from tests.pipeline.command_line import (
    GRID,
    ROOT,
    items,
    kill,
    orchard,
    parts,
    rows,
    run_folder,
    run_orchard,
    started,
    until,
)

MANY = (*GRID, "tables.groups=1", "tables.count=1000", "chunk=20", "heuristics=[max/rt,w_sum/gini]")


@pytest.fixture
def begun(tmp_path: Path) -> Path:
    """The folder of a run that was killed in its midst."""
    with started(*MANY, cwd=tmp_path) as process:
        until(lambda: len(parts(tmp_path / "outputs")) >= 3, process)
        kill(process.pid)
        process.wait()
    return tmp_path


def with_another(package: str, version: str, folder: Path) -> str:
    """A PYTHONPATH under which a package says that it has another version, in every process that has it."""
    metadata = folder / "other" / f"{package.replace('-', '_')}-{version}.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: {version}\n")
    return f"{metadata.parent}:{ROOT}"


def made_with(output: Path) -> dict[str, int]:
    return {each["values"]: each["counts"] for each in pc.value_counts(rows(output)["made_with"]).to_pylist()}


@pytest.mark.long
def test_other_versions_are_refused_with_the_difference_and_mixed_only_on_request(
    begun: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    output, other = begun / "outputs", tmp_path_factory.mktemp("versions")
    path = with_another("numpy", "9.8.7", other)
    folder, done = run_folder(output), items(output)
    before = {part: part.read_bytes() for part in parts(output)}
    refused = orchard(*MANY, cwd=begun, PYTHONPATH=path)
    assert (refused.returncode, refused.stdout) == (2, "")
    (line,) = refused.stderr.splitlines()
    assert line.startswith("orchard: the existing rows of this run were made with numpy ")
    assert ", now 9.8.7: install the earlier versions again, or add versions=any to continue" in line
    assert {part: part.read_bytes() for part in parts(output)} == before
    planned = orchard(*MANY, "dry_run=true", cwd=begun, PYTHONPATH=path)
    assert "this run would be refused: its rows were made with numpy" in planned.stdout
    (ours,) = made_with(output)

    mixed = orchard(*MANY, "versions=any", cwd=begun, PYTHONPATH=path)
    assert mixed.returncode == 0, mixed.stderr
    assert run_folder(output) == folder
    reported = made_with(output)
    assert len(reported) == 2
    assert reported[ours] == 3 * done
    assert sum(reported.values()) == 3 * 1000
    spelt = {
        file.stem: json.loads(file.read_text())["versions"]["numpy"]
        for file in (run_folder(output) / "_run/environments").iterdir()
    }
    assert set(spelt) == set(reported)
    (theirs,) = set(reported) - {ours}
    assert spelt[theirs] == "9.8.7" != spelt[ours]
    shown = orchard(cwd=begun, module="pipeline.status")
    assert f"Made with  {theirs}, {reported[theirs]:,} cells: python " in shown.stdout
    undisturbed = orchard(*MANY, "output=whole", cwd=begun)
    assert undisturbed.returncode == 0
    assert rows(output).drop_columns(["made_with"]).equals(rows(begun / "whole").drop_columns(["made_with"]))

    again = orchard(*MANY, cwd=begun)  # finished: summarised with whatever versions
    assert again.returncode == 0, again.stderr
    assert again.stderr == ""


def test_versions_that_change_no_number_and_our_own_code_are_noted_at_most(
    begun: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = with_another("hydra-core", "9.8.7", tmp_path_factory.mktemp("versions"))
    record_folder = run_folder(begun / "outputs") / "_run"
    record_session(record_folder, replace(SessionTotals().session(1, "complete"), code="0" * 16))
    done = orchard(*MANY, cwd=begun, PYTHONPATH=path)
    assert done.returncode == 0, done.stderr
    assert "the code of Orchard has changed since the last session" in done.stderr
    assert len(made_with(begun / "outputs")) == 1
    assert [session.code == "0" * 16 for session in sessions(record_folder)] == [True, False]


@pytest.mark.long
def test_failed_items_are_not_tried_again_with_other_versions_unasked(tmp_path: Path) -> None:
    refusing = (*GRID, "tables.groups=1", "tables.count=20", "tables.rows=6", "tables.attributes=4", "chunk=5")
    assert orchard(*refusing, "tables.equal_rows=refuse", cwd=tmp_path).returncode == 0
    before = {part: part.stat().st_mtime_ns for part in parts(tmp_path / "outputs")}
    path = with_another("numba", "9.8.7", tmp_path)
    refused = orchard(*refusing, "tables.equal_rows=refuse", "redo=failed", cwd=tmp_path, PYTHONPATH=path)
    assert refused.returncode == 2
    assert "now 9.8.7" in refused.stderr
    assert {part: part.stat().st_mtime_ns for part in parts(tmp_path / "outputs")} == before


@pytest.mark.long
def test_another_byte_of_the_data_is_another_run(tmp_path: Path) -> None:
    lines = ["colour,size,class", "red,big,yes", "blue,big,no", "red,small,no", "blue,small,yes"]
    (tmp_path / "mine.csv").write_text("\n".join(lines) + "\n")
    arguments = ("+grid=uci_exact", "source=./mine.csv", "cluster.workers=1")
    assert orchard(*arguments, cwd=tmp_path).returncode == 0
    first = run_folder(tmp_path / "outputs")
    before = {part: part.read_bytes() for part in parts(tmp_path / "outputs")}
    (tmp_path / "mine.csv").write_text("\n".join([*lines[:-1], "blue,small,no"]) + "\n")
    assert orchard(*arguments, cwd=tmp_path).returncode == 0
    runs = list((tmp_path / "outputs").glob("results/grid=*/run=*"))
    assert len(runs) == 2
    assert first in runs
    assert {part: part.read_bytes() for part in before} == before


PLUGIN = """
import numpy as np

class Constant:
    def fit(self, rows, labels):
        self.label = np.unique(labels)[{index}]
        return self

    def predict(self, rows):
        return np.full(len(rows), self.label)
"""


def test_a_plugin_that_has_changed_since_its_rows_were_computed_is_named(tmp_path: Path) -> None:
    (tmp_path / "conf/builder").mkdir(parents=True)
    (tmp_path / "conf/builder/constant.yaml").write_text("class: mine_of_this_drill.Constant\n")
    plugin = tmp_path / "mine_of_this_drill.py"
    arguments = (
        "+grid=compare_builders", "source=sklearn/breast_cancer", "builders=[constant]", "plugins=[mine_of_this_drill]",
        "protocol.folds=2", "cluster=threads", "--config-dir", "conf",
    )  # fmt: skip
    plugin.write_text(PLUGIN.format(index=0))
    assert "changed" not in run_orchard(*arguments, cwd=tmp_path).stderr
    before, run = rows(tmp_path / "outputs"), run_folder(tmp_path / "outputs").name.removeprefix("run=")
    plugin.write_text(PLUGIN.format(index=1))
    facts_of_plugin.cache_clear()  # as in a new process
    done = run_orchard(*arguments, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "code of mine_of_this_drill changed after this run began: existing rows are kept" in done.stderr
    assert f"-m pipeline.trash {run}, and then this command\n" in done.stderr
    assert rows(tmp_path / "outputs").equals(before)
    assert run_orchard(run, cwd=tmp_path, module="pipeline.trash").returncode == 0
    facts_of_plugin.cache_clear()  # as in a new process
    done = run_orchard(*arguments, cwd=tmp_path)
    assert (done.returncode, "changed" in done.stderr) == (0, False)
    assert not rows(tmp_path / "outputs").equals(before)
