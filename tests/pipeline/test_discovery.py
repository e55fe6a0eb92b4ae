"""Grids are discovered: adding or deleting a folder and its YAML is enough, wherever they are."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Sequence
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from omegaconf import OmegaConf

from pipeline.configuration.composition import composed_of, search_path_of
from pipeline.discovery import SearchPath, conf_folder, schema_of
from pipeline.errors import ConfigError
from pipeline.kinds import grid_of, kept_grid
from pipeline.proof.printed import papers
from pipeline.schema import known_tables
from tests.pipeline.command_line import ROOT, python
from tests.pipeline.conftest import Command

SETTINGS = """
from dataclasses import dataclass
from omegaconf import MISSING
from pipeline.configuration.settings import Settings

@dataclass
class Bees(Settings):
    hives: int = MISSING

SCHEMA = Bees
"""
GRID = """
from dataclasses import dataclass
from pipeline.grid import GridKind
from {package}.grids.bees.settings import Bees

@dataclass(frozen=True)
class BeesGrid:
    hives: int
    tables = ("results", "honey")
    items = merges = 1
    methods = ("honey",)

    def identity(self):
        return {{"grid": "bees", "hives": self.hives}}

KIND = GridKind(Bees, lambda found, _: BeesGrid(found.hives), lambda found, _: BeesGrid(found["hives"]))
"""
COLUMNS = "table,column,type,meaning\nhoney,,,honey by hive\nhoney,source,,\nhoney,grams,int64,what it weighs\n"
YAML = "# @package _global_\n# How much honey there is\ndefaults:\n  - /schema/bees\n  - _self_\ngrid: bees\nhives: 3\n"
DOCUMENTS = """
run: {position: 5, free: [hives]}
documents:
  - {cited: "Bee 1900", title: Honey, printed: [{name: Table 1, what: grams, table: honey, figures: 2}]}
"""
PROGRAM = """
import json
from pipeline.configuration.composition import composed_of
from pipeline.discovery import SearchPath
from pipeline.proof.printed import papers
from pipeline.query.describe import description
from pipeline.schema import known_tables
print(json.dumps({
    "file": __import__("pipeline").__file__,
    "grids": list(SearchPath().grids()),
    "composed": [str(composed_of(name).grid) for name in SearchPath().grids()],
    "tables": sorted(known_tables()),
    "views": sorted(set(description(None)["view"].to_pylist())),
    "compared": list(papers().experiments),
}))
"""
"""A program that lists grids, tables and views."""


def _package(folder: Path, name: str, *, conf: Path | None = None) -> Path:
    """A package of somebody's with one grid of a kind of its own."""
    package = folder / name
    grid = package / "grids/bees"
    grid.mkdir(parents=True)
    for file, text in (
        (grid / "settings.py", SETTINGS),
        (grid / "grid.py", GRID.format(package=name)),
        (grid / "columns.csv", COLUMNS),
        (grid / "documents.yaml", DOCUMENTS),
        ((conf or package / "conf") / "grid/bees.yaml", YAML),
    ):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return package


def _program_output(folder: Path, *paths: Path) -> dict[str, Any]:
    """The output of the program in a folder, with these on Python's path."""
    result: dict[str, Any] = json.loads(python(PROGRAM, cwd=folder, PYTHONPATH=os.pathsep.join(map(str, paths))))
    return result


def _checked(given: Sequence[str], config_dir: Path | None, file: Path) -> None:
    """Check that the grid of `_package` is found, composed, made, compared and read from a record."""
    search_path = search_path_of(given, config_dir)
    folder = search_path.folder("bees")
    assert folder is not None
    assert folder.path.samefile(file)
    assert search_path.grids()["bees"] == "How much honey there is"
    settings: Any = OmegaConf.to_object(composed_of("bees", ["hives=4", *given], config_dir))
    assert settings.hives == 4
    made: Any = grid_of(settings, search_path)
    assert made.hives == 4
    assert kept_grid(made.identity(), made.tables, {}, search_path) == made
    assert known_tables(search_path)["honey"].grids == ("bees",)
    assert papers(search_path).experiments["bees"].free == ("hives",)
    assert next(iter(papers(search_path).experiments)) == "bees"
    assert "Honey" in [document.title for document in papers(search_path).documents]


@pytest.fixture(scope="module")
def shipped() -> dict[str, Any]:
    """The output of the program where nothing is added and nothing deleted."""
    with redirect_stdout(StringIO()) as reported:
        exec(PROGRAM, {})
    result: dict[str, Any] = json.loads(reported.getvalue())
    return result


def test_a_deleted_grid_is_gone_from_everything_and_one_of_an_installed_package_is_found(
    tmp_path: Path, shipped: dict[str, Any]
) -> None:
    """The package is found by its entry point."""
    for name in ("pipeline", "algorithms", "conf"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("orchard-kernels-*"))
    shutil.rmtree(tmp_path / "pipeline/grids/oct_vs_cart")
    (tmp_path / "conf/grid/oct_vs_cart.yaml").unlink()
    site = tmp_path / "site-packages"
    _package(site, "apiary")
    (site / "apiary-1.dist-info").mkdir()
    (site / "apiary-1.dist-info/METADATA").write_text("Metadata-Version: 2.1\nName: apiary\nVersion: 1\n")
    (site / "apiary-1.dist-info/entry_points.txt").write_text("[orchard.grids]\napiary = apiary\n")
    after = _program_output(tmp_path, tmp_path, site)
    assert Path(after["file"]).is_relative_to(tmp_path)
    gone = {key: [name for name in names if name not in after[key]] for key, names in shipped.items() if key != "file"}
    assert gone == {
        "grids": ["oct_vs_cart"],
        "composed": ["oct_vs_cart"],
        "tables": ["tunings"],
        "views": ["tunings"],
        "compared": ["oct_vs_cart"],
    }
    assert after["grids"][-1] == after["composed"][-1] == after["compared"][0] == "bees"
    assert "honey" in after["tables"]
    assert "honey" in after["views"]
    assert "bees" not in shipped["grids"]


def test_a_grid_of_a_package_in_the_working_folder_needs_its_name_in_plugins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    package = _package(tmp_path, "hives_of_mine")
    assert SearchPath().folder("bees") is None
    _checked(["plugins=[hives_of_mine]"], None, package / "grids/bees")


def test_an_entry_point_without_a_package_is_named(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pipeline.discovery._installed", lambda: ("hives_not_installed",))
    status, _, err = command("+grid=bees", "--cfg", "job")
    assert status == 2
    assert "orchard.grids has 'hives_not_installed': expected the import name of an installed package" in err


def test_a_kind_that_is_none_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    folder = _package(tmp_path, "hives_without_kind") / "grids/bees"
    (folder / "settings.py").unlink()
    (folder / "grid.py").write_text("KIND = 5\n")
    with pytest.raises(
        ConfigError, match=r"grid\.py: expected the file to define KIND, as docs/extend/grid\.md describes"
    ):
        composed_of("bees", ["plugins=[hives_without_kind]"], None)


def test_a_grid_in_the_folder_of_config_dir_runs_only_if_plugins_names_the_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmp_path / "elsewhere/my_conf"
    package = _package(own.parent, "my_conf", conf=own)
    monkeypatch.chdir(tmp_path)
    assert search_path_of([], own).grids()["bees"] == "How much honey there is"
    assert "bees" in papers(search_path_of([], own)).experiments
    with pytest.raises(ConfigError, match=r"add 'plugins=\[my_conf\]'"):
        composed_of("bees", [], own)
    assert known_tables(search_path_of([], own))["honey"].schema.names == [
        "source",
        "grams",
    ]  # data, which is only read
    _checked(["plugins=[my_conf]"], own, package / "grids/bees")


def test_a_name_that_exists_twice_is_an_error_that_names_both_folders(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("left_hives", "right_hives"):
        _package(tmp_path, name)
    search_path = SearchPath(("left_hives", "right_hives"))
    for search in (search_path.folders, search_path.grids, lambda: search_path.check_once("bees")):
        with pytest.raises(ConfigError, match="two grids are called 'bees'") as caught:
            search()
        assert all(str(tmp_path / name) in str(caught.value) for name in ("left_hives", "right_hives"))


@pytest.mark.parametrize("name", ["builder/c45", "cluster/local", "protocol/k_fold"])
def test_a_yaml_with_the_name_of_a_shipped_one_is_an_error_that_names_both(
    tmp_path: Path, name: str, command: Command
) -> None:
    """It would never be read."""
    file = tmp_path / f"mine/{name}.yaml"
    file.parent.mkdir(parents=True)
    file.write_text((conf_folder() / f"{name}.yaml").read_text())
    status, _, err = command("+grid=compare_builders", "--config-dir", str(tmp_path / "mine"), "source=sklearn/iris")
    assert status == 2
    assert f"{file} has the same name as {conf_folder() / name}.yaml, which would be used instead" in err


@pytest.mark.parametrize(
    ("name", "file", "expected"),
    [
        ("my-bees", "grid.py", "a name of letters, digits and _"),
        ("bees", "comparison.yml", "one of the files settings.py, grid.py, comparison.py, comparison.yaml"),
    ],
)
def test_a_folder_without_a_grid_is_named(tmp_path: Path, name: str, file: str, expected: str) -> None:
    folder = tmp_path / "grids" / name
    folder.mkdir(parents=True)
    (folder / file).write_text("")
    with pytest.raises(ConfigError, match=f"{re.escape(str(folder))} is not the folder of a grid: .* {expected}"):
        SearchPath(config_dir=tmp_path).check_once(name)


def test_a_yaml_beside_a_folder_without_a_grid_names_the_folder(tmp_path: Path) -> None:
    (tmp_path / "grids/my-bees").mkdir(parents=True)
    (tmp_path / "grid").mkdir()
    (tmp_path / "grid/my-bees.yaml").write_text("hives: 3\n")
    with pytest.raises(ConfigError, match="grids/my-bees is not the folder of a grid"):
        composed_of("my-bees", [], tmp_path)


def test_a_yaml_beside_the_folder_of_a_grid_needs_its_own_keys_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (_package(tmp_path, tmp_path.name) / "conf/grid/bees.yaml").write_text("hives: 3\n")
    result: Any = composed_of("bees", [f"plugins=[{tmp_path.name}]"])
    assert (result.grid, result.hives) == ("bees", 3)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("import nothing_there", "ModuleNotFoundError: No module named 'nothing_there'"),
        ("raise SystemExit(3)", "SystemExit: 3"),
        ("def", "SyntaxError: "),
    ],
)
def test_a_grid_that_cannot_be_imported_names_the_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    package = _package(tmp_path, tmp_path.name)
    (package / "grids/bees/settings.py").write_text(f"\n{text}\n")
    folder = SearchPath((tmp_path.name,)).folder("bees")
    assert folder is not None
    with pytest.raises(ConfigError, match="grid 'bees' cannot be imported: ") as caught:
        schema_of(folder)
    assert f"{folder.path}/settings.py" in str(caught.value)
    assert message in str(caught.value)


def test_two_grids_have_no_class_of_configuration_in_common(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    grid = _package(tmp_path, "shared_hives") / "grids"
    (grid / "wasps").mkdir()
    (grid / "wasps/settings.py").write_text("from shared_hives.grids.bees.settings import SCHEMA\n")
    folders = SearchPath(("shared_hives",)).folders()
    schema_of(folders["bees"])
    with pytest.raises(ConfigError, match="the grids 'wasps' and 'bees' have the same configuration class"):
        schema_of(folders["wasps"])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "run: {fre: [hives]}\ndocuments: []\n",
            "run is {'fre': ['hives']}: expected an object with the keys grid, position, free, fewer, quick; "
            "unknown key 'fre'",
        ),
        ("run: {free: hives}\ndocuments: []\n", "run.free is 'hives': expected a list"),
        ("run: {position: soon}\ndocuments: []\n", "run.position is 'soon': expected a whole number"),
        ("documents: {}\n", "documents is {}: expected a list"),
        ("documents: [{cited: 900, title: Honey, printed: []}]\n", "documents[0].cited is 900: expected a text"),
        (
            'documents: [{cited: "900", printed: []}]\n',
            "an object with the keys cited, title, printed; missing key 'title'",
        ),
        (
            'documents: [{cited: "900", title: H, printed: [{nme: T}]}]\n',
            "documents[0].printed[0] is {'nme': 'T'}: expected an object with the keys name, what, grid, table",
        ),
        (
            'documents: [{cited: "900", title: H, printed: [{name: T, what: w, only: {case: a}}]}]\n',
            "documents[0].printed[0].only.case is 'a': expected a list",
        ),
        (
            "documents: [{cited: Alkhalid et al. 2013, title: Honey, printed: []}]\n",
            "Alkhalid et al. 2013 has a different title",
        ),
        (
            DOCUMENTS.replace("figures: 2}", "figures: 2, made_of: Table 2}"),
            "'Table 1' of document Bee 1900 has `made_of: Table 2`: expected an earlier table: this table is the first",
        ),
        (
            DOCUMENTS.replace("figures: 2}", "figures: 2, again: Table 2}"),
            "'Table 1' of document Bee 1900 has `again: Table 2`: expected a table of the document without `again`: "
            "it has no such table",
        ),
        (
            DOCUMENTS.replace("figures: 2}", "figures: 2, proofs: {wrong: select 1}}"),
            "'Table 1' of document Bee 1900 has `proofs` of the verdict 'wrong': expected one of agrees, consistent,",
        ),
        (
            DOCUMENTS.replace("figures: 2}", "figures: 2, proofs: {misprint: 'select {printed'}}"),
            "'Table 1' of document Bee 1900 has a proof of 'misprint' with a wrong slot: expected '}'",
        ),
        ("[", "cannot be read as YAML"),
        ("- bees\n", "expected an object with the keys documents, run"),
    ],
)
def test_an_invalid_file_of_documents_says_where_and_what_was_expected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    file = _package(tmp_path, tmp_path.name) / "grids/bees/documents.yaml"
    file.write_text(text)
    papers.cache_clear()
    with pytest.raises(ConfigError) as caught:
        papers(SearchPath((tmp_path.name,)))
    assert str(file) in str(caught.value)
    assert message in str(caught.value)


def test_workers_need_neither_hydra_nor_what_shows_results() -> None:
    """A worker loads the module of its grid while all cores wait for the first rows."""
    heavy = {"hydra", "omegaconf", "rich", "matplotlib", "duckdb", "sklearn"}
    modules = [f"pipeline.grids.{file.parent.name}.grid" for file in (ROOT / "pipeline/grids").glob("*/grid.py")]
    program = f"import sys\nfor name in {modules}: __import__(name)\nprint(*{heavy} & sys.modules.keys())"
    assert python(program).split() == []
