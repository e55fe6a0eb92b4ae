"""An item of a grid as its cells see it, and what is computed of it once for all of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import wraps
from typing import Any, TypeVar, cast

from pipeline.builders import Builder
from pipeline.grammar.axes import Axis

__all__ = ["At", "builder_of", "once"]

Grid = TypeVar("Grid")
Found = TypeVar("Found")


@dataclass
class At:
    """An item: `at.source` is its value on the axis `source`, and so of each axis.

    item   : its number
    places : on each axis
    memo   : what `once` has computed last, by the name of the function
    """

    item: int
    axes: Sequence[Axis]
    places: Sequence[int]
    values: Sequence[Any]
    memo: dict[str, Any]

    def __getattr__(self, name: str) -> Any:
        """The value on the axis of this name."""
        for axis, value in zip(self.axes, self.values, strict=True):
            if axis.name == name:
                return value
        raise AttributeError(name)

    @property
    def called(self) -> dict[str, Any]:
        """What rows say of the item."""
        return {
            key: said
            for axis, value in zip(self.axes, self.values, strict=True)
            for key, said in axis.row(value).items()
        }

    @property
    def title(self) -> str:
        """What it is called on the screen."""
        titles = (axis.title(value) for axis, value in zip(self.axes, self.values, strict=True))
        return ", ".join(filter(None, titles))

    @property
    def own(self) -> bool:
        """Whether no builder of a plugin is among its values."""
        return all(builder.own for builder in map(builder_of, self.values) if builder)

    def place(self, name: str) -> int:
        """Its place on the axis of this name."""
        return next(place for axis, place in zip(self.axes, self.places, strict=True) if axis.name == name)


def builder_of(value: Any) -> Builder | None:
    """The builder that a value is, or has."""
    found = value if isinstance(value, Builder) else getattr(value, "builder", None)
    return found if isinstance(found, Builder) else None


def once(*names: str) -> Callable[[Callable[[Grid, At], Found]], Callable[[Grid, At], Found]]:
    """Have a method of an item called once for all items in a row that are the same on these axes; on all if none.

    What it raises it raises again.
    """

    def made(method: Callable[[Grid, At], Found]) -> Callable[[Grid, At], Found]:
        name = f"{method.__module__}.{method.__qualname__}"

        @wraps(method)
        def found(grid: Grid, at: At) -> Found:
            same = tuple(map(at.place, names)) if names else tuple(at.places)
            kept = at.memo.get(name)
            if kept is None or kept[0] != same:
                at.memo.pop(name, None)  # before its successor takes as much memory
                try:
                    kept = (same, method(grid, at), None)
                except BaseException as error:
                    kept = (same, None, error.with_traceback(None))  # whose frames hold all that the method held
                at.memo[name] = kept
            _, made_once, raised = kept
            if raised is not None:
                raise raised.with_traceback(None)
            return cast("Found", made_once)

        return found

    return made
