"""The examples that the documents compute by hand, computed step by step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from algorithms.data.tables_from_data import decision_table
from pipeline.errors import ConfigError
from pipeline.grammar.axes import Axis, Item, index_of
from pipeline.grammar.cells import CellGrid, Made
from pipeline.grammar.keys import Key
from pipeline.grid import RESULTS_TABLE, RebuiltTree

if TYPE_CHECKING:
    from algorithms.data.table import DecisionTable
    from pipeline.discovery import SearchPath
    from pipeline.grids.worked_examples.example import WorkedExample

EXAMPLES = ("restricted_partitions", "training_12", "lee_olafsson_25", "cost_complexity")
"""The examples by name: three tables of Ben-Gal et al. 2014 and a tree of Li. The other documents have none."""


def worked_example(name: str) -> WorkedExample:
    """A worked example: its rows, its steps and its trees."""
    from pipeline.grids.worked_examples import cost_complexity, dual_information

    return cost_complexity.worked_example() if name == "cost_complexity" else dual_information.worked_example(name)


def _names(config: Any, _: SearchPath) -> tuple[str, ...]:
    names = tuple(config.source)
    if not names or len(set(names)) < len(names) or not set(names) <= set(EXAMPLES):
        raise ConfigError(f"`source` is {list(names)}: expected some of {', '.join(EXAMPLES)}, each once")
    return names


NAMES = Key({"source": list[str]}, _names, lambda kept, _: tuple(kept), list, kept="examples")
EXAMPLE = Axis(
    "name",
    lambda grid: grid.names,
    lambda name: {"source": name, "part": "all"},
    str,
    lambda row, names: index_of("source", row.get("source"), names),
)


@dataclass(frozen=True, kw_only=True)
class WorkedExamplesGrid(CellGrid, version=1):
    """Examples by name; item i is the i-th."""

    names: Annotated[tuple[str, ...], NAMES]

    axes = (EXAMPLE,)
    methods = (None,)
    noun = "examples"
    tables = (RESULTS_TABLE, "steps", "trees")
    first_items = 4
    tree_table = "trees"
    question = '"select source, builder, terminal_nodes, average_depth, text from trees"'

    @property
    def example(self) -> str:
        """The first tree of the first example."""
        return f"--source {self.names[0]} --form text"

    def cell(self, item: Item, _: None) -> Made:
        """The steps of an example, and its trees."""
        from pipeline.grids.worked_examples.example import made

        return made(worked_example(item.name))

    def table(self, number: int) -> DecisionTable:
        """The rows of an example, with equal rows merged into one weighted row."""
        from pipeline.grids.worked_examples.example import printed_table

        data = printed_table(self.names[number])
        return decision_table(data, row_weights="multiplicity", distinct_attributes="keep")

    def _rebuilt(self, row: Mapping[str, Any]) -> RebuiltTree:
        """The tree of a builder with these parameters; if the row does not give them, its first tree."""
        from pipeline.grids.worked_examples.example import rebuilt_tree

        return rebuilt_tree(worked_example(self.names[self.number_of(row)]), row)


KIND = WorkedExamplesGrid.offered()
