"""One exact search in many tasks. Each has some of the tests that a tree may make at its root or just below it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, NamedTuple, Self

from pipeline.errors import ConfigError
from pipeline.grammar.axes import Axis, Item, index_of, of_depths, of_sources, parameter_of
from pipeline.grammar.keys import DISTINCT, at_least, each
from pipeline.grammar.sources import SourceGrid
from pipeline.grid import RebuiltTree
from pipeline.storage.parts import Part, read

START = 0
"""The task that searches for a first tree with any test at its root. Each other task has a part of these tests."""
TIE = 1e-9
"""Objectives that differ by this share are equal."""

TASKS = Axis(
    "task",
    lambda grid: range(grid.tasks + 1),
    lambda _: {},
    lambda task: f"task {task}" if task else "first tree",
    lambda row, tasks: index_of("task", parameter_of(row, "task"), tasks),
)


class Incumbent(NamedTuple):
    """The best tree so far of a search, and the task that found it."""

    objective: float
    task: int

    def below(self, task: int) -> float:
        """The objective below which a task's tree is better. Of equal trees, that of the first task is the best."""
        return self.objective if self.task < task else self.objective * (1 + TIE) + TIE


class First(NamedTuple):
    """The result of the task START of a search."""

    objective: float
    optimal: bool


@dataclass(frozen=True, kw_only=True)
class ParallelProofGrid(SourceGrid, version=3):
    """The optimal tree of each source at each depth, searched for and proven in tasks.

    sources       : their rows with a class are trained on; a split sends missing values to its better side
    depths        : most edges from the root to a leaf
    min_rows_leaf : fewest rows in a leaf
    alpha         : cost of a split, where the cost of the majority rule is 1
    tasks         : number of parts of the tests that a tree may make at its root and, if there are many parts, below it
    max_work      : limit of a task in units of work; None: no limit
    incumbents    : for each search, by index, the best tree of the tasks that have ended. A task looks for better trees
                    only, so its row depends on them
    firsts        : for each search whose task START has ended, by index, the result of that task
    bounds        : for each task of a HARDEST branch that has ended, by the number of its item, its bound
    """

    depths: Annotated[tuple[int, ...], DISTINCT, each(at_least(0))]
    min_rows_leaf: Annotated[int, at_least(1)]
    alpha: Annotated[float, at_least(0)]
    tasks: Annotated[int, at_least(1)]
    max_work: Annotated[int | None, at_least(1)]
    incumbents: Mapping[int, Incumbent] = field(default_factory=dict, compare=False)
    firsts: Mapping[int, First] = field(default_factory=dict, compare=False)
    bounds: Mapping[int, float] = field(default_factory=dict, compare=False)

    axes = (of_sources(), of_depths(), TASKS)
    methods = ("search",)
    noun = "tasks"
    informed = True
    question = '"select source, min(objective), bool_and(optimal), sum(build_seconds) from results group by all"'

    def parameters(self, item: Item) -> dict[str, Any]:
        """The options of the search, and the task."""
        options = {"alpha": self.alpha, "max_depth": item.max_depth, "min_rows_leaf": self.min_rows_leaf}
        return options | {"task": item.task}

    def incumbent(self, item: Item) -> Incumbent | None:
        """The best tree of the tasks that have ended, of the search of an item."""
        return self.incumbents.get(item.number // (self.tasks + 1))

    def first(self, item: Item) -> First | None:
        """The result of the task START of the search of an item; None if that has not ended."""
        return self.firsts.get(item.number // (self.tasks + 1))

    def knowing(self, parts: Sequence[Part]) -> Self:
        """A copy whose tasks look for better trees than those of these part files."""
        incumbents, firsts, bounds = dict(self.incumbents), dict(self.firsts), dict(self.bounds)
        for part in parts:
            with suppress(OSError):  # a part file that is not visible yet can be missed
                rows = read(part, ["objective", "optimal", "bound"]).to_pylist()
                for number, row in enumerate(rows, part.first):
                    search, task = divmod(number, self.tasks + 1)
                    if (objective := row["objective"]) is None:
                        if row["optimal"] is None and row["bound"] is not None:
                            bounds[number] = row["bound"]
                        continue
                    if task == START:
                        firsts[search] = First(objective, bool(row["optimal"]))
                    best = incumbents.get(search)
                    if best is None or objective < best.below(task):
                        incumbents[search] = Incumbent(objective, task)
        return replace(self, incumbents=incumbents, firsts=firsts, bounds=bounds)

    def _rebuilt(self, row: Mapping[str, Any]) -> RebuiltTree:
        """The best tree of a task. Raises ConfigError if the row says that its task has none that is better."""
        if row.get("bound") is not None and row.get("objective") is None:
            raise ConfigError("this task has no tree of its own: choose the row with the least objective")
        return super()._rebuilt(row)


KIND = ParallelProofGrid.offered()
