"""The configuration of a run beside the defaults of its grid."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pipeline.configuration.keys import RequestedKey
from pipeline.discovery import SearchPath
from pipeline.plan import GridRun
from pipeline.record.kept import KeptRun
from pipeline.record.requested_keys import differing_keys, requested_keys
from tests.pipeline.record.made_up import made_up_run
from tests.pipeline.small_grids import grid


def run_with(configuration: str | bytes, output: Path, name: str = "greedy_vs_dp") -> GridRun:
    run = GridRun(grid(), name, "0123456789ab", output)
    run.record_folder.mkdir(parents=True)
    content = configuration.encode() if isinstance(configuration, str) else configuration
    (run.record_folder / "config.yaml").write_bytes(content)
    return run


def test_keys_that_differ_come_first(tmp_path: Path) -> None:
    keys = requested_keys(
        run_with("seed: 3\ntables: {groups: 4, count: 7}\nheuristics: [max/rt]\nredo: null\n", tmp_path), SearchPath()
    )
    assert [(key.name, key.value, key.differs) for key in keys] == [
        ("seed", "3", True),
        ("tables.count", "7", True),
        ("heuristics", "[max/rt]", True),
        ("tables.groups", "4", False),
        ("redo", "null", False),
    ]
    assert (keys[0].default, keys[1].default) == ("0", "10000")


def test_a_grid_of_ones_own_is_held_against_the_one_of_its_kind(tmp_path: Path) -> None:
    keys = {
        key.name: key
        for key in requested_keys(run_with("grid: mine\nseed: 0\nown: x\n", tmp_path, "mine"), SearchPath())
    }
    assert keys["grid"] == RequestedKey("grid", "mine", "mine")
    assert not keys["seed"].differs
    assert keys["own"].default is None


def test_a_grid_of_another_kind_is_held_against_its_own_yaml(tmp_path: Path) -> None:
    (tmp_path / "conf/grid").mkdir(parents=True)
    text = "# @package _global_\n# Mine\ndefaults: [greedy_vs_dp, _self_]\ngrid: mine\nseed: 5\n"
    (tmp_path / "conf/grid/mine.yaml").write_text(text)
    theirs: Any = SimpleNamespace(identity=lambda: {"grid": "of_nobody"})
    run = replace(run_with("grid: mine\nseed: 6\nredo: null\n", tmp_path, "mine"), grid=theirs)
    result = {key.name: key.default for key in requested_keys(run, SearchPath(config_dir=tmp_path / "conf"))}
    assert result == {"grid": "mine", "seed": "5", "redo": "null"}
    assert all(key.default is None for key in requested_keys(run, SearchPath()))


def test_a_yaml_is_held_against_the_grid_that_it_includes(tmp_path: Path) -> None:
    """Also through another YAML, and where the kind of the grid is another: a printed table is a comparison."""
    (tmp_path / "conf/grid").mkdir(parents=True)
    for name, included in {"mine": "theirs", "theirs": "printed", "circle": "circle"}.items():
        text = f"# @package _global_\ndefaults: [{included}, _self_]\nprinted: table.csv\n"
        (tmp_path / f"conf/grid/{name}.yaml").write_text(text)
    comparison: Any = SimpleNamespace(identity=lambda: {"grid": "compare_builders"})
    configuration = "grid: mine\nprinted: table.csv\nmeasure: accuracy\ncolumns: null\nrows: {Iris: sklearn/iris}\n"
    run = replace(run_with(configuration, tmp_path, "mine"), grid=comparison)
    search_path = SearchPath(config_dir=tmp_path / "conf")
    assert [key.name for key in requested_keys(run, search_path) if key.differs] == ["printed", "rows.Iris"]
    circular = replace(run_with(configuration, tmp_path, "circle"), grid=comparison)
    assert {key.default for key in requested_keys(circular, search_path) if key.name == "measure"} == {None}


LAUGHS = "a: &a [x, x]\n" + "".join(
    f"{chr(98 + n)}: &{chr(98 + n)} [*{chr(97 + n)}, *{chr(97 + n)}]\n" for n in range(24)
)
"""A line for each letter, and 2**25 entries once they are spelt out."""


@pytest.mark.parametrize(
    "spoilt",
    [
        "",
        "- a\n- b\n",
        "a: [",
        "a: !!python/object:os.system x",
        b"\xff\xfe\x00",
        "[" * 2_000,
        "a: 2020-99-99",
        LAUGHS,
    ],
)
def test_a_configuration_that_cannot_be_read_is_none(tmp_path: Path, spoilt: str | bytes) -> None:
    assert requested_keys(run_with(spoilt, tmp_path), SearchPath()) == ()


def test_a_run_without_one_has_none(tmp_path: Path) -> None:
    assert requested_keys(GridRun(grid(), "greedy_vs_dp", "0123456789ab", tmp_path), SearchPath()) == ()


def test_runs_of_changed_data_or_of_a_changed_builder_do_not_differ_in_their_seed_alone(tmp_path: Path) -> None:
    def run(name: str, seed: int, fingerprint: str, depth: int) -> KeptRun:
        mine = {"name": "mine.csv", "part": "all", "fingerprints": [fingerprint * 64]}
        builder = {"name": "mine", "class": "c.C", "parameters": {"depth": depth}}
        result = made_up_run(tmp_path, run=name, identity={"seed": seed, "sources": [mine], "builders": [builder]})
        result.record_folder.mkdir(parents=True)
        (result.record_folder / "config.yaml").write_text(f"seed: {seed}\nsource: mine.csv\nbuilders: [mine]\n")
        return result

    first, changed, other = run("a", 0, "1", 2), run("b", 1, "2", 2), run("c", 2, "1", 3)
    assert differing_keys([first, changed]) == {"seed": ("0", "1"), "rows of mine.csv": ("1" * 12, "2" * 12)}
    definitions = differing_keys([first, other])
    assert list(definitions) == ["seed", "builder mine"]
    assert definitions["builder mine"][1] == '{"class": "c.C", "parameters": {"depth": 3}}'
    (other.record_folder / "config.yaml").write_text("seed: 2\nsource: mine.csv\nbuilders: [{name: mine}]\n")
    assert list(differing_keys([first, other])) == ["seed", "builders"]  # which shows the definition
