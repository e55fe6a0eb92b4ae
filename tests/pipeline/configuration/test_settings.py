"""The shape of configurations, and their faults."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from pathlib import Path

import pytest
from omegaconf import MISSING, DictConfig, OmegaConf

from pipeline.configuration import settings as schemas
from pipeline.configuration.check import check, keys_under
from pipeline.configuration.settings import Local, Settings, Tables
from pipeline.discovery import SearchPath, conf_folder, grids, schema_of
from pipeline.errors import ConfigError
from pipeline.grids.greedy_vs_dp.grid import KIND
from tests.pipeline.command_line import ROOT


@pytest.fixture
def config() -> DictConfig:
    node = OmegaConf.merge(OmegaConf.structured(KIND.settings), _values("config"), _values("grid/greedy_vs_dp"))
    node.cluster = OmegaConf.merge(OmegaConf.structured(Local), _values("cluster/local"))
    return node


def _values(name: str) -> DictConfig:
    """The keys and values of a file as shipped, but for those that are Hydra's."""
    node = OmegaConf.load(conf_folder() / f"{name}.yaml")
    return OmegaConf.masked_copy(node, [key for key in node if key != "defaults"])


def test_schemas_hold_no_values() -> None:
    """A value in a schema would silently replace the one in config.yaml or on the command line."""
    folders = [folder for folder in SearchPath().folders().values() if folder.has("grid")]
    kinds = [kind for kind in vars(schemas).values() if is_dataclass(kind)] + [schema_of(folder) for folder in folders]
    assert {KIND.settings, Local, Settings, Tables} <= set(kinds)
    kinds += [each.default_factory for kind in kinds for each in fields(kind) if is_dataclass(each.default_factory)]
    valued = [each for kind in kinds for each in fields(kind) if each.default != MISSING]
    assert [each.name for each in valued if each.default_factory not in kinds] == []  # others have keys below them


def test_the_grid_as_shipped_has_nothing_wrong(config: DictConfig) -> None:
    check(config)


@pytest.mark.parametrize(
    ("key", "named"),
    [
        ("foo", ["'foo'", "seed, output, chunk, redo, versions, dry_run, plugins, limits"]),
        ("tables.cuont", ["'tables.cuont'", "'tables.count'", "groups, count, rows"]),
        ("cluster.worker", ["'cluster.worker'", "'cluster.workers'"]),
    ],
)
def test_an_unknown_key_is_named_with_the_choices(config: DictConfig, key: str, named: list[str]) -> None:
    OmegaConf.update(config, key, 3, force_add=True)
    with pytest.raises(ConfigError) as caught:
        check(config)
    assert [word for word in named if word not in str(caught.value)] == []


@pytest.mark.parametrize("key", ["chunk", "tables.rows", "cluster.workers", "tables"])
def test_a_deleted_key_is_named(config: DictConfig, key: str) -> None:
    parent, _, name = key.rpartition(".")
    OmegaConf.set_struct(config, value=False)
    del (OmegaConf.select(config, parent) if parent else config)._content[name]
    with pytest.raises(ConfigError, match=f"'{key}' cannot be deleted"):
        check(config)


def test_a_key_without_a_value_is_named(config: DictConfig) -> None:
    OmegaConf.update(config, "tables.rows", MISSING)
    with pytest.raises(ConfigError, match=r"no value for tables\.rows: .* as in tables\.rows=…, or in the YAML file"):
        check(config)


def test_grids_are_found_with_the_first_words_of_their_files(tmp_path: Path) -> None:
    (tmp_path / "grid").mkdir()
    (tmp_path / "grid/b.yaml").write_text("# @package _global_\n# Bees\n# and more\ngrid: b\n")
    (tmp_path / "grid/a.yaml").write_text("grid: a\n")
    (tmp_path / "grid/notes.txt").write_text("# no grid\n")
    assert grids([tmp_path]) == {"a": "", "b": "Bees"}
    assert list(grids([conf_folder(), tmp_path])) == [*grids([conf_folder()]), "a", "b"]


def test_conf_is_beside_the_package_in_a_checkout() -> None:
    assert conf_folder() == ROOT / "conf"
    assert (conf_folder() / "config.yaml").is_file()


def test_every_grid_file_says_what_it_is() -> None:
    meanings = grids([conf_folder()])
    assert "greedy_vs_dp" in meanings
    assert [name for name, meaning in meanings.items() if len(meaning) < 10] == []


def test_keys_under_a_schema_are_its_fields() -> None:
    assert keys_under(Local) == ["workers", "dashboard"]
    assert keys_under(None) == []
