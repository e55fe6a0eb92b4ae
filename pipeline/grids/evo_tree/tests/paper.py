"""The printed tables of the paper, and the summary that compares with them."""

from __future__ import annotations

from pathlib import Path

from pipeline.grammar.comparison.declared import sections_of
from pipeline.grammar.summary import printed_values
from tests.summaries.builder_rows import declared

SUMMARY = declared("evo_tree")
FOLDER = Path(__file__).parents[1] / "printed"
BUILDERS = sections_of(FOLDER.with_name("comparison.yaml"))["printed"]["builders"]
MLP, CUT = "mlp", "uci/abalone (210 rows)"
ABALONE = ("uci/abalone", "210 rows")
TABLES = {name.removeprefix("printed_"): table.to_pylist() for name, table in printed_values(FOLDER).items()}
NAMES = list(BUILDERS.values())
CASES = {row["case"]: row for row in TABLES["evo_tree_datasets"] if row["source"] != CUT}
FIGURES = TABLES["evo_tree"]
ACCURACIES = {(row["case"], BUILDERS[row["classifier"]]): row["accuracy"] for row in FIGURES if row["accuracy"]}
"""Table 2: accuracy by case and builder."""
