"""The examples that the documents work by hand, worked step by step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline.errors import ConfigError
from pipeline.grammar.choices import place_of
from pipeline.grid import RESULTS_TABLE, GridKind, RebuildsTrees, RebuiltTree
from pipeline.grids.worked_examples.settings import WorkedExamples
from pipeline.storage.parts import Part

if TYPE_CHECKING:
    import pyarrow as pa

    from algorithms.table import DecisionTable
    from pipeline.grid import GridSummary

__all__ = ["KIND", "WorkedExamplesGrid"]

RESULTS_VERSION = 1  # raise it when the numbers of an unchanged configuration change


@dataclass(frozen=True)
class WorkedExamplesGrid(RebuildsTrees):
    """Examples by name; item i is the i-th."""

    names: tuple[str, ...]

    noun = "examples"
    tables = (RESULTS_TABLE, "steps", "trees")
    first_items = 4
    cells_per_item = 1
    tree_table = "trees"
    question = '"select source, builder, terminal_nodes, average_depth, text from trees"'

    @staticmethod
    def of(config: WorkedExamples) -> WorkedExamplesGrid:
        """The grid of a composed configuration; ConfigError names an example that there is not."""
        from pipeline.grids.worked_examples.examples import EXAMPLES

        names = tuple(config.source)
        if not names or len(set(names)) < len(names) or not set(names) <= set(EXAMPLES):
            msg = f"source is {list(names)}: expected some of {', '.join(EXAMPLES)}, each once"
            raise ConfigError(msg)
        return WorkedExamplesGrid(names)

    @staticmethod
    def from_identity(identity: dict[str, Any]) -> WorkedExamplesGrid:
        """The grid of which `identity()` is this."""
        return WorkedExamplesGrid(tuple(identity["examples"]))

    @property
    def items(self) -> int:
        """Examples."""
        return len(self.names)

    @property
    def example(self) -> str:
        """The first tree of the first of them."""
        return f"--source {self.names[0]} --form text"

    def identity(self) -> dict[str, Any]:
        """All that can change a number."""
        return {"grid": "worked_examples", "results_version": RESULTS_VERSION, "examples": list(self.names)}

    def prepare(self) -> None:
        """Nothing: the examples are part of the project."""

    def work(self, first: int, stop: int) -> dict[str, pa.Table]:
        """The rows of some examples."""
        import pyarrow as pa

        from pipeline.grids.worked_examples.rows import rows_of_example

        found = [rows_of_example(name) for name in self.names[first:stop]]
        return {table: pa.concat_tables([tables[table] for tables in found]) for table in self.tables}

    def failure(self, item: int, status: str, error: str) -> dict[str, pa.Table]:
        """The row of an example that took down its worker."""
        from pipeline.grids.worked_examples.rows import failure_rows

        return failure_rows(self.names[item], status, error)

    def item(self, row: Mapping[str, Any]) -> int:
        """The item that an example is; ConfigError where there is none."""
        return place_of("source", row.get("source"), self.names)

    def title(self, item: int) -> str:
        """Its name."""
        return self.names[item]

    def table(self, item: int) -> DecisionTable:
        """The rows of an example, equal ones merged to one of as much weight."""
        from algorithms.tables_from_data import decision_table
        from pipeline.grids.worked_examples.examples import EXAMPLES

        data = EXAMPLES[self.names[item]].data()
        return decision_table(data, row_weights="multiplicity", distinct_attributes="keep")

    def _rebuilt(self, row: Mapping[str, Any]) -> RebuiltTree:
        """The tree of a builder with these parameters; the first of its trees where the row does not tell them."""
        from pipeline.grids.worked_examples.rows import rebuilt_tree

        return rebuilt_tree(self.names[self.item(row)], row)

    def load_summary(self) -> None:
        """Import what the summary needs."""
        import pipeline.grids.worked_examples.summary  # noqa: F401

    def summarise(self, parts: Mapping[str, Sequence[Part]], folder: Path) -> GridSummary:
        """Each step beside print, and a figure of the trees of each example."""
        from pipeline.grids.worked_examples.summary import SUMMARY

        return SUMMARY.of(parts, folder)


KIND = GridKind(
    WorkedExamples,
    lambda found, _: WorkedExamplesGrid.of(found),
    lambda found, _: WorkedExamplesGrid.from_identity(found),
)
