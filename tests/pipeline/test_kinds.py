"""Grids of several packages: what distinguishes their runs and records."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from omegaconf import OmegaConf

from pipeline.configuration.composition import composed_of, search_path_of
from pipeline.discovery import SearchPath
from pipeline.errors import ConfigError
from pipeline.kinds import grid_of, kept_grid
from pipeline.plan import run_id

GRID = """
from dataclasses import dataclass
from typing import Annotated
from pipeline.grammar.axes import numbered
from pipeline.grammar.cells import CellGrid
from pipeline.grammar.keys import within

@dataclass(frozen=True, kw_only=True)
class DepthsGrid(CellGrid, version=1):
    count: Annotated[int, within(1, 100)]
    axes = (numbered("table_index", lambda grid: grid.count, word="table"),)
    methods = ("exact",)
    noun = "tables"

    def cell(self, item, method):
        raise NotImplementedError

KIND = DepthsGrid.offered()
"""
SUMMARY = "from pipeline.grammar.summary import Summary\nSUMMARY = Summary(tables=())\n"
YAML = "# Depths\ncount: 40\n"


def test_grids_of_two_packages_with_one_name_and_equal_keys_share_no_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    made = {}
    for package in ("hill_lab", "lake_lab"):
        for name, text in (("grids/depths/grid.py", GRID), ("grids/depths/summary.py", SUMMARY)):
            file = tmp_path / package / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        conf = tmp_path / package / "conf/grid"
        conf.mkdir(parents=True)
        (conf / "depths.yaml").write_text(YAML)
        given = f"plugins=[{package}]"
        settings: Any = OmegaConf.to_object(composed_of("depths", [given]))
        made[package] = grid_of(settings, search_path_of([given], None))

    assert len({run_id(grid) for grid in made.values()}) == len(made)
    identity, tables = json.loads(json.dumps(made["hill_lab"].identity())), made["hill_lab"].tables
    assert kept_grid(identity, tables, {}, SearchPath(("hill_lab",))) == made["hill_lab"]
    with pytest.raises(
        ConfigError, match=r"'hill_lab\.grids\.depths', but the grid .* is from lake_lab.* add --plugins hill_lab$"
    ):
        kept_grid(identity, tables, {}, SearchPath(("lake_lab",)))
