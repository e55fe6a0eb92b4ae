"""The kinds of grid there are, each made from a configuration or from its identity."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipeline.configuration.folders import conf_folder
from pipeline.configuration.settings import (
    CatalogueSettings,
    CompareBuilders,
    DidVsC45,
    EvoVsExact,
    GreedGrows,
    GreedyVsDp,
    InductionGap,
    OctVsCart,
    RemovedFeatures,
    Settings,
    SmallestTree,
    Solvers,
    UciExact,
    WorkedExamples,
)
from pipeline.data.sources import Place
from pipeline.errors import ConfigError
from pipeline.grammar.comparison.grid import CompareBuildersGrid
from pipeline.grid import Grid
from pipeline.grids.catalogue.grid import CatalogueGrid
from pipeline.grids.did_vs_c45.grid import DidVsC45Grid
from pipeline.grids.evo_vs_exact.grid import EvoVsExactGrid
from pipeline.grids.greed_grows.grid import GreedGrowsGrid
from pipeline.grids.greedy_vs_dp.grid import GreedyVsDpGrid
from pipeline.grids.induction_gap.grid import InductionGapGrid
from pipeline.grids.oct_vs_cart.grid import OctVsCartGrid
from pipeline.grids.removed_features.grid import RemovedFeaturesGrid
from pipeline.grids.smallest_tree.grid import SmallestTreeGrid
from pipeline.grids.solvers.grid import SolversGrid
from pipeline.grids.uci_exact.grid import UciExactGrid
from pipeline.grids.worked_examples.grid import WorkedExamplesGrid

__all__ = ["KINDS", "GridKind", "grid_of"]


@dataclass(frozen=True)
class GridKind:
    """A kind of grid.

    settings      : the class of its configuration
    of            : makes it from a configuration and the folders that hold the YAMLs of its builders
    from_identity : makes it from its `identity()` and a place of data sets
    """

    settings: type[Settings]
    of: Callable[[Any, Sequence[Path] | None], Grid]
    from_identity: Callable[[dict[str, Any], Place], Grid]


KINDS = {
    "greedy_vs_dp": GridKind(
        GreedyVsDp, lambda found, _: GreedyVsDpGrid.of(found), lambda found, _: GreedyVsDpGrid.from_identity(found)
    ),
    "greed_grows": GridKind(
        GreedGrows, lambda found, _: GreedGrowsGrid.of(found), lambda found, _: GreedGrowsGrid.from_identity(found)
    ),
    "catalogue": GridKind(CatalogueSettings, lambda found, _: CatalogueGrid.of(found), CatalogueGrid.from_identity),
    "compare_builders": GridKind(CompareBuilders, CompareBuildersGrid.of, CompareBuildersGrid.from_identity),
    "removed_features": GridKind(RemovedFeatures, RemovedFeaturesGrid.of, RemovedFeaturesGrid.from_identity),
    "did_vs_c45": GridKind(DidVsC45, DidVsC45Grid.of, DidVsC45Grid.from_identity),
    "induction_gap": GridKind(InductionGap, InductionGapGrid.of, InductionGapGrid.from_identity),
    "oct_vs_cart": GridKind(OctVsCart, lambda found, _: OctVsCartGrid.of(found), OctVsCartGrid.from_identity),
    "smallest_tree": GridKind(SmallestTree, SmallestTreeGrid.of, SmallestTreeGrid.from_identity),
    "solvers": GridKind(Solvers, SolversGrid.of, SolversGrid.from_identity),
    "evo_vs_exact": GridKind(EvoVsExact, EvoVsExactGrid.of, EvoVsExactGrid.from_identity),
    "uci_exact": GridKind(UciExact, lambda found, _: UciExactGrid.of(found), UciExactGrid.from_identity),
    "worked_examples": GridKind(
        WorkedExamples,
        lambda found, _: WorkedExamplesGrid.of(found),
        lambda found, _: WorkedExamplesGrid.from_identity(found),
    ),
}
"""By the name that a grid's identity has; a grid of a user's own is of one of these kinds under another name."""


def grid_of(settings: Settings, folders: Sequence[Path] | None = None) -> Grid:
    """The grid that a configuration describes; its kind is the class of the configuration.

    Parameters
    ----------
    settings : the configuration
    folders  : of configurations, in which its builders are looked for; the shipped one where None
    """
    for kind in KINDS.values():
        if type(settings) is kind.settings:
            return kind.of(settings, folders)
    msg = f"grid '{settings.grid}' has no schema: begin its defaults with one of those in {conf_folder() / 'grid'}"
    raise ConfigError(msg)
