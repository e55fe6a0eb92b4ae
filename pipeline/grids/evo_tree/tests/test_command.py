"""The grid of EVO-Tree, small but real, from the command to its tables."""

from __future__ import annotations

import csv
from pathlib import Path

import pyarrow.parquet as pq

from tests.pipeline.command_line import run_orchard

SMALL = "{name: evo_tree, builder: evo_tree, parameters: {generations: 4, individuals: 20, max_depth: 4}}"
BUILDERS = f"builders=[{SMALL},{{name: j48, builder: c45}}]"


def test_a_small_grid_from_the_command_to_its_tables(shared: Path, tmp_path: Path) -> None:
    command = (
        *("+grid=evo_tree", "source=[uci/breast-tissue,uci/seeds]", BUILDERS),
        *(f"data.folder={shared / 'data'}", "cluster=threads"),
    )
    done = run_orchard(*command, cwd=tmp_path, figures=True)
    assert done.returncode == 0, done.stderr
    results = pq.read_table(tmp_path / "outputs/results").to_pylist()
    assert len(results) == 2 * 10 * 2
    assert {row["status"] for row in results} == {"ok"}
    curves = {
        (row["source"], row["part"], row["repeat"], row["fold"], row["generation"]): row
        for row in pq.read_table(tmp_path / "outputs/curves").to_pylist()
    }
    assert len(curves) == 2 * 10 * 5
    for row in results:
        last = curves.get((row["source"], row["part"], row["repeat"], row["fold"], 4))
        assert last is not None
        if row["builder"] == "evo_tree":  # the tree that went on is the best of the last generation
            assert last["best"] >= 0.99 * (1 - row["train_accuracy"])
            assert last["best"] <= 0.99 * (1 - row["train_accuracy"]) + 0.01 * 4 / 21 + 1e-12
            assert row["terminal_nodes"] >= 2
    (summary,) = tmp_path.glob("outputs/summaries/grid=evo_tree/run=*")
    cells = list(csv.DictReader((summary / "evo_tree.csv").read_text().splitlines()))
    assert [(row["case"], row["builder"], row["n"]) for row in cells] == [
        (case, builder, "10") for case in ("breast-tissue", "seeds") for builder in ("evo_tree", "j48")
    ]
    assert {path.name for path in summary.glob("*.png")} == {"curves.png", "evo_tree.png", "ranks.png"}
