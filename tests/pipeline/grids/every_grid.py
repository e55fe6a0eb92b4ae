"""Each grid that is found, made small by the overrides in `tests/small.txt` of its folder, one a line.

`{folder}` in an override is the folder of its tests.
"""

from __future__ import annotations

from functools import cache

from omegaconf import OmegaConf

from pipeline.configuration.composition import composed_of
from pipeline.data.sources import Place
from pipeline.discovery import Places
from pipeline.grid import Grid
from pipeline.kinds import grid_of, kind_named

CORRAL, BALLOONS, IRIS = "rule/corral", "uci/balloons/adult-stretch", "sklearn/iris"
HEURISTICS = "heuristics=[max/rt,w_sum/gini]"

CASES: dict[str, tuple[str, ...]] = {
    name: tuple(
        line.replace("{folder}", str(folder.path / "tests"))
        for line in (folder.path / "tests/small.txt").read_text(encoding="utf-8").splitlines()
    )
    for name, folder in Places().folders().items()
}


def grid_composed(name: str, *overrides: str) -> Grid:
    """The grid of a command, as it is composed."""
    return grid_of(OmegaConf.to_object(composed_of(name, overrides)))


@cache
def grid_named(name: str, *overrides: str) -> Grid:
    """The grid of a command, as it is read again from the record of its run."""
    identity = grid_composed(name, *overrides).identity()
    return kind_named(identity["grid"]).from_identity(identity, Place())
