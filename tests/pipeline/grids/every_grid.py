"""A grid of every kind, of few items."""

from __future__ import annotations

from functools import cache

from omegaconf import OmegaConf

from pipeline.configuration.composition import composed_of
from pipeline.data.sources import Place
from pipeline.grid import Grid
from pipeline.kinds import grid_of, kind_named

CORRAL, BALLOONS, IRIS = "rule/corral", "uci/balloons/adult-stretch", "sklearn/iris"
HEURISTICS = "heuristics=[max/rt,w_sum/gini]"
FOLDS = ("protocol.folds=3", "seed=3")
EVOLVED = "{name: evo_tree, builder: evo_tree, parameters: {individuals: 20, generations: 10}}"

CASES: dict[str, tuple[str, ...]] = {
    "greedy_vs_dp": ("tables.count=3", "tables.groups=2", HEURISTICS),
    "greed_grows": ("tables.count=2", "steps.rows=[10,20]", "steps.attributes=[5]", "steps.values=[2]", HEURISTICS),
    "uci_exact": (f"source=[{CORRAL},{BALLOONS}]", HEURISTICS, "alphas=[]", "orders=[]"),
    "induction_gap": (f"source=[{CORRAL},{BALLOONS}]", HEURISTICS, "builders=[id3,cart,random_tree]"),
    "compare_builders": (
        f"source=[{CORRAL},{IRIS},'{IRIS}:60']",
        f"builders=[c45,cart,{EVOLVED},t2_printed,random_tree,pessimistic]",
        *FOLDS,
    ),
    "evo_tree": (f"source=['{IRIS}:60']", f"builders=[c45,{EVOLVED}]"),
    "pruning": (f"source=[{CORRAL}]", *FOLDS),
    "t3c_vs_c45": (f"source=[{BALLOONS}]", "protocol.folds=2"),
    "did_vs_svm": (f"source=[{CORRAL}]", "builders=[did,{name: j48, builder: c45}]", *FOLDS),
    "removed_features": (f"source=[{BALLOONS},'{IRIS}:60']", "random_orders=1", "protocol.folds=2"),
    "did_vs_c45": (
        f"folded.source=[{CORRAL},{BALLOONS}]",
        "folded.protocol.folds=2",
        "published.source=[]",
        "drawn.source=[rule/monks-3]",
        "drawn.protocol.repeats=2",
        "ratios=[1]",
        "orders=0",
    ),
    "oct_vs_cart": (f"source=[{CORRAL},{IRIS}]", "depths=[1,2]", "protocol.repeats=2"),
    "smallest_tree": (f"source=[{CORRAL},{BALLOONS}]",),
    "evo_vs_exact": (f"source=[{CORRAL},{IRIS}]", "depths=[1,2]", "repeats=2", f"builders=[{EVOLVED},cart]"),
    "solvers": (f"source=[{CORRAL},{IRIS}]", f"numeric=[{IRIS}]", "depths=[1,2]", "builders=[oct]", "peers=[]"),
    "worked_examples": (),
    "catalogue": (f"source=[{CORRAL},{IRIS}]",),
}


def grid_composed(name: str, *overrides: str) -> Grid:
    """The grid of a command, as it is composed."""
    return grid_of(OmegaConf.to_object(composed_of(name, overrides)))


@cache
def grid_named(name: str, *overrides: str) -> Grid:
    """The grid of a command, as it is read again from the record of its run."""
    identity = grid_composed(name, *overrides).identity()
    return kind_named(identity["grid"]).from_identity(identity, Place())
