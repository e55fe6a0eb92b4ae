"""Reading results imports nothing that a record names, whatever is in the working folder."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

import pipeline
from pipeline.builders import Builder
from pipeline.data.preparation import Preparation
from pipeline.errors import ConfigError
from pipeline.work.plugin_process import facts_of_plugin
from tests.pipeline.command_line import orchard
from tests.pipeline.conftest import Command
from tests.pipeline.record.recorded import IMPORTED, PLUGIN, changed, compared, write_plugin

READERS = {
    "query": ("query", "select builder, count(*) from results group by all order by all", "--format", "csv"),
    "curves": ("query", "select distinct builder from curves", "--format", "csv"),
    "describe": ("query", "--describe"),
    "status": ("status",),
    "report": ("report",),
    "documents": ("documents", "--proof"),
    "show": ("show",),
    "show a tree": ("show", "--builder", "cart"),
}


@pytest.fixture
def plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The module of the plugin, where it could be imported."""
    monkeypatch.syspath_prepend(tmp_path)
    yield write_plugin(tmp_path)
    sys.modules.pop(PLUGIN, None)


def test_a_crate_is_written_without_the_plugin_of_its_run(tmp_path: Path, plugin: Path, command: Command) -> None:
    compared(tmp_path / "outputs")
    assert command("report")[0] == 0  # which summarises the run
    status, out, err = command("crate")
    assert status == 0, err
    assert "ro-crate-metadata.json" in out
    assert not (tmp_path / IMPORTED).exists()


@pytest.mark.parametrize("reader", READERS)
def test_a_reader_imports_no_plugin(tmp_path: Path, plugin: Path, command: Command, reader: str) -> None:
    compared(tmp_path / "outputs")
    status, out, err = command(*READERS[reader])
    assert status == 0, err
    assert not (tmp_path / IMPORTED).exists()
    expected = {"query": "cart,2\ngrower,2", "curves": "grower", "status": "complete", "show a tree": "has the same"}
    assert expected.get(reader, "") in out
    assert plugin.exists()


def test_a_question_beside_a_module_that_a_record_names_does_not_run_it(tmp_path: Path) -> None:
    """As it was reported: the module is below the results themselves, importable from the working folder."""
    run = compared(tmp_path / "outputs")
    write_plugin(tmp_path / "outputs/results")

    def by_results(record: dict[str, Any]) -> None:
        record["identity"]["builders"][0]["class"] = f"outputs.results.{PLUGIN}.Grower"

    changed(run, by_results)
    answer = orchard("select 1 as n", "--format", "csv", cwd=tmp_path, module="pipeline.query")
    assert (answer.returncode, answer.stdout) == (0, "n\n1\n"), answer.stderr
    assert not (tmp_path / IMPORTED).exists()


def test_open_results_needs_no_plugin(tmp_path: Path) -> None:
    compared(tmp_path / "outputs")
    with pipeline.open_results(tmp_path / "outputs") as results:
        assert set(results.sql("select builder from results").arrow()["builder"].to_pylist()) == {"cart", "grower"}


def test_the_tree_of_a_plugin_needs_its_package_named(tmp_path: Path, plugin: Path, command: Command) -> None:
    compared(tmp_path / "outputs")
    status, _, err = command("show", "--builder", "grower")
    assert status == 2
    assert f"{PLUGIN}.Grower" in err
    assert f"add --plugins {PLUGIN}" in err
    assert err.count("\n") == 1
    assert not (tmp_path / IMPORTED).exists()
    status, out, err = command("show", "--builder", "grower", "--plugins", f"other,{PLUGIN}")
    assert status == 0, err
    assert "the stored row has the same" in out
    assert PLUGIN not in sys.modules
    plugin.unlink()
    facts_of_plugin.cache_clear()
    status, _, err = command("show", "--builder", "grower", "--plugins", PLUGIN)
    assert status == 2
    assert f"cannot import the class {PLUGIN}.Grower" in err
    assert err.count("\n") == 1


def test_the_report_says_that_it_lacks_the_tree_of_a_plugin(tmp_path: Path, plugin: Path, command: Command) -> None:
    run = compared(tmp_path / "outputs")
    page = tmp_path / f"outputs/report/compare_builders-{run.id}.html"
    status, _, err = command("report")
    assert status == 0
    (line,) = err.splitlines()
    assert line.startswith(f"{page.name} lacks 1 tree that cannot be built again: ")
    assert line.endswith(f"add --plugins {PLUGIN}")
    assert f"add --plugins {PLUGIN}" in page.read_text()
    status, _, err = command("report", "--plugins", PLUGIN, "--plugins", "other")
    assert (status, err) == (0, "")
    assert "Not drawn here" not in page.read_text()
    assert PLUGIN not in sys.modules
    plugin.unlink()
    facts_of_plugin.cache_clear()
    assert command("report")[::2] == (0, "")  # the tree is in the summary now, and is drawn without its builder
    (run.summaries / "summary.json").unlink()
    status, _, err = command("report", "--plugins", PLUGIN)
    assert status == 0
    assert "cannot import the class" in err


@pytest.mark.parametrize(
    "named",
    [
        "algorithms.data.data_set.np",
        "algorithms.data.data_set.replace",
        "algorithms.trees.decision_tree.DecisionTree",
        "algorithms.no_such_module.C",
        "algorithms.",
        "os.system",
        "",
    ],
)
def test_a_class_that_is_no_builder_is_not_called(tmp_path: Path, command: Command, named: str) -> None:
    identity = {"name": "b", "class": named, "parameters": {}, "preparation": asdict(Preparation())}
    builder = Builder.from_identity(identity)
    with pytest.raises(ConfigError):
        builder.made(0)
    run = compared(tmp_path / "outputs")

    def by_another(record: dict[str, Any]) -> None:
        record["identity"]["builders"][0]["class"] = named

    changed(run, by_another)
    status, out, err = command("show", "--form", "text")  # the first tree that can be built is cart's
    assert status == 0, err
    assert "by cart" in out
