"""A grid of somebody's own that leaves out what every grid has."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from pipeline.discovery import Places
from pipeline.errors import ConfigError
from pipeline.grammar.cells import CellGrid


@dataclass(frozen=True, kw_only=True)
class UnfinishedGrid(CellGrid):
    noun = "trees"


def test_what_a_grid_lacks_is_named_with_its_file() -> None:
    with pytest.raises(ConfigError, match="expected UnfinishedGrid to define asks, axes, version, as") as told:
        UnfinishedGrid.of(None, Places())
    assert str(told.value).startswith(__file__)
