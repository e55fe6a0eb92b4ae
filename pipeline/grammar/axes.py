"""The axes whose product is the items of a grid, the values that a row names, and methods that run once for items."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import wraps
from itertools import accumulate
from math import prod
from shlex import quote
from typing import Any, TypeVar, cast

from pipeline.builders import Builder
from pipeline.data.sources import index_of_source
from pipeline.errors import ConfigError
from pipeline.words import listed_choices

MOST_COMPARED = 100
"""The values of an axis that are compared when a grid is made."""

Row = Mapping[str, Any]


@dataclass(frozen=True)
class Axis:
    """A dimension of the items of a grid.

    name   : attribute of `Item` that holds the value
    values : gives the values for a grid and, if `varies`, for an index on the first axis
    row    : gives the columns of a row for a value
    title  : gives the text shown for a value; an empty text is left out
    index  : gives the index of a row's value among the values; ConfigError lists them if the row has none of them
    varies : whether the values depend on that of the first axis
    column : the column of the results that holds the value; empty if others identify it
    """

    name: str
    values: Callable[..., Sequence[Any]]
    row: Callable[[Any], Row]
    title: Callable[[Any], str]
    index: Callable[[Row, Sequence[Any]], int]
    varies: bool = False
    column: str = ""

    def values_at(self, grid: Any, first: int) -> Sequence[Any]:
        """The values of this axis, given the index on the first axis."""
        return self.values(grid, first) if self.varies else self.values(grid)


def of_sources() -> Axis:
    """The data sets in the field `sources`."""
    return Axis(
        "source",
        lambda grid: grid.sources,
        lambda source: source.row_identity,
        lambda source: str(source.title),
        lambda row, sources: index_of_source(sources, row),
    )


def numbered(
    name: str, last: Callable[..., int], *, word: str | None = None, first: int = 1, varies: bool = False
) -> Axis:
    """Whole numbers from `first` to `last`, both included, in the column `name` of the results.

    Messages call the axis `word` if that is given.
    """
    return Axis(
        name,
        lambda grid, *index: range(first, last(grid, *index) + 1),
        lambda value: {name: value},
        lambda value: f"{name} {value}",
        lambda row, values: index_of(word or name, row.get(name), values),
        varies,
        column=name,
    )


def of_depths() -> Axis:
    """The depths in the field `depths`. Rows have each as the parameter `max_depth` of what was run."""
    return Axis(
        "max_depth",
        lambda grid: grid.depths,
        lambda depth: {"max_depth": depth},
        lambda depth: f"depth {depth}",
        lambda row, depths: index_of("max_depth", parameter_of(row, "max_depth"), depths),
    )


def of_builders(named: Callable[[Row], Any] = lambda row: row.get("builder")) -> Axis:
    """The builders in the field `builders`; `named` gives the name of the builder in a row."""
    return Axis(
        "builder",
        lambda grid: grid.builders,
        lambda builder: builder.row_identity,
        lambda builder: str(builder.name),
        lambda row, builders: index_of("builder", named(row), [builder.name for builder in builders]),
    )


@dataclass(frozen=True)
class Axes:
    """The axes of a grid. Items are numbered along them; the last axis changes fastest."""

    grid: Any
    axes: tuple[Axis, ...]

    def changing(self) -> str | None:
        """The name of an axis whose values change between calls, judged by their number and the first of them."""
        fixed = (axis for axis in self.axes if not axis.varies)
        return next((axis.name for axis in fixed if _compared(axis, self.grid) != _compared(axis, self.grid)), None)

    @property
    def items(self) -> int:
        """The number of items."""
        return self.items_before(len(self.axes[0].values(self.grid)))

    def indices(self, number: int) -> tuple[int, ...]:
        """The index on each axis of the item with a number."""
        first, within = self._first(number)
        indices = []
        for axis in reversed(self.axes[1:]):
            within, index = divmod(within, len(axis.values_at(self.grid, first)))
            indices.append(index)
        return (first, *reversed(indices))

    def values(self, indices: Sequence[int]) -> list[Any]:
        """The values at an index on each axis."""
        return [axis.values_at(self.grid, indices[0])[index] for axis, index in zip(self.axes, indices, strict=True)]

    def number_of(self, row: Row) -> int:
        """The number of a row's item. A missing column means the first value. ConfigError if no item has such rows."""
        first = self.axes[0].index(row, self.axes[0].values(self.grid))
        within = 0
        for axis in self.axes[1:]:
            values = axis.values_at(self.grid, first)
            within = within * len(values) + axis.index(row, values)
        return self.items_before(first) + within

    def _first(self, number: int) -> tuple[int, int]:
        """The index on the first axis, and the index among the items that share it."""
        if any(axis.varies for axis in self.axes):
            first = bisect_right(self._ends(), number)
            return first, number - self.items_before(first)
        return divmod(number, self.items_at(0))

    def items_before(self, first: int) -> int:
        """The number of items before those with an index on the first axis."""
        if any(axis.varies for axis in self.axes):
            return self._ends()[first - 1] if first else 0
        return first * self.items_at(0)

    def _ends(self) -> list[int]:
        """For each value of the first axis, the number of the item after its last."""
        return list(accumulate(self.items_at(first) for first in range(len(self.axes[0].values(self.grid)))))

    def items_at(self, first: int) -> int:
        """The number of items that share an index on the first axis."""
        return prod(len(axis.values_at(self.grid, first)) for axis in self.axes[1:])


def _compared(axis: Axis, grid: Any) -> tuple[int, list[Row]]:
    """The number of values of an axis, and what rows have for the first of them."""
    values = axis.values(grid)
    return len(values), [axis.row(value) for value in values[:MOST_COMPARED]]


Grid = TypeVar("Grid")
Result = TypeVar("Result")


@dataclass
class Item:
    """An item of a grid. `item.source` is its value on the axis `source`; the other axes work alike.

    number  : of the items, from 0
    axes    : the axes of its grid
    indices : its index on each axis
    values  : its value on each axis
    memo    : the last result of each method marked `once`, keyed by the method's name
    """

    number: int
    axes: Sequence[Axis]
    indices: Sequence[int]
    values: Sequence[Any]
    memo: dict[str, Any]

    def __getattr__(self, name: str) -> Any:
        """The value on the axis with this name."""
        for axis, value in zip(self.axes, self.values, strict=True):
            if axis.name == name:
                return value
        raise AttributeError(name)

    @property
    def row_identity(self) -> dict[str, Any]:
        """The columns that identify the item in rows."""
        return {
            column: cell
            for axis, value in zip(self.axes, self.values, strict=True)
            for column, cell in axis.row(value).items()
        }

    @property
    def title(self) -> str:
        """The title of the item, shown to people."""
        titles = (axis.title(value) for axis, value in zip(self.axes, self.values, strict=True))
        return ", ".join(filter(None, titles))

    @property
    def own(self) -> bool:
        """Whether none of its values is a builder of a plugin."""
        return all(builder.own for builder in map(builder_of, self.values) if builder)

    def index(self, name: str) -> int:
        """Its index on the axis with this name."""
        return next(index for axis, index in zip(self.axes, self.indices, strict=True) if axis.name == name)


def builder_of(value: Any) -> Builder | None:
    """The value itself if it is a builder, or its attribute `builder`; otherwise None."""
    builder = value if isinstance(value, Builder) else getattr(value, "builder", None)
    return builder if isinstance(builder, Builder) else None


def once(*names: str) -> Callable[[Callable[[Grid, Item], Result]], Callable[[Grid, Item], Result]]:
    """Decorate a method of an item to run once for consecutive items that agree on these axes (by default on all).

    An exception is kept, too, and raised again.
    """

    def decorated(method: Callable[[Grid, Item], Result]) -> Callable[[Grid, Item], Result]:
        name = f"{method.__module__}.{method.__qualname__}"

        @wraps(method)
        def memoized(grid: Grid, item: Item) -> Result:
            indices = tuple(map(item.index, names)) if names else tuple(item.indices)
            memo = item.memo.get(name)
            if memo is None or memo[0] != indices:
                item.memo.pop(name, None)  # frees the memory before the next result
                try:
                    memo = (indices, method(grid, item), None)
                except BaseException as error:
                    memo = (indices, None, error.with_traceback(None))  # frames would keep all objects of the method
                item.memo[name] = memo
            _, result, raised = memo
            if raised is not None:
                raise raised.with_traceback(None)
            return cast("Result", result)

        return memoized

    return decorated


def index_of(what: str, requested: object, known: Sequence[object]) -> int:
    """The index of a requested value among the known values; 0 if no value is requested.

    Raises ConfigError, which lists the known values, if it is not among them.
    """
    if requested is None:
        return 0
    if requested not in known:
        raise ConfigError(f"{what} {requested}: expected {listed_choices(known)}")
    return known.index(requested)


def parameter_of(row: Mapping[str, Any], name: str) -> Any:
    """A parameter of a row, read from its JSON; None if the row does not have it."""
    return json.loads(row.get("parameters") or "{}").get(name)


def tree_builder(builders: Sequence[Builder], row: Mapping[str, Any]) -> Builder:
    """The builder that a row names. If it names none, the first builder that grows a tree and may be imported here.

    Raises ConfigError if no builder has that name, it makes no tree, or its class is missing or may not be imported.
    """
    name = row.get("builder")
    if name is None:
        name = next(iter(_growing(builders)), None)
    for builder in builders:
        if builder.name == name:
            if builder.grows_tree:
                return builder
            names = ", ".join(_growing(builders)) or "none"
            raise ConfigError(
                f"builder {name} is {builder.class_path}, which makes no tree; builders that make trees: {names}"
            )
    raise ConfigError(f"builder {name}: expected {listed_choices(_growing(builders))}")


def tree_example(source: str, builders: Sequence[Builder]) -> str:
    """Arguments of `pipeline.show` for the tree that the first tree builder grows from a source."""
    names = [builder.name for builder in builders if builder.own and builder.grows_tree]
    return " ".join([f"--source {quote(source)}", *(f"--builder {quote(name)}" for name in names[:1])])


def _growing(builders: Sequence[Builder]) -> list[str]:
    """The names of the builders that grow a tree and can be imported here."""
    result = []
    for builder in builders:
        with suppress(ConfigError):
            if builder.permitted and builder.grows_tree:
                result.append(builder.name)
    return result
