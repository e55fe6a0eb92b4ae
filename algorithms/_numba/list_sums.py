"""The rows of a list summed by class, before many cuts and without a cut, for `list_sweeps`."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any

from llvmlite import ir

from algorithms._numba.lanes import LANES, constant

__all__ = ["ClassSums", "TwoClassSums", "index_of"]


class ClassSums:
    """Rows summed by class, in two vectors a class: before each cut; and in all, as the first number."""

    def __init__(self, code: Any, classes: Any, data: Any) -> None:
        self.code, self.classes, self.data = code, classes, data

    def sum(self, rows: Any, each: AbstractContextManager[Any]) -> None:
        """Sum rows in a loop over them."""
        with self.code.loop(constant(0), self.classes) as loop:
            for side in range(2):
                self.code.store(self.code.zeros, self.data, index_of(self.code, loop.index, side))
        code, builder = self.code, self.code.builder
        with each:
            at = index_of(code, rows.class_index, 0)
            code.store(builder.add(code.load(self.data, at), rows.on_sides()[0]), self.data, at)
            code.add_to(builder.gep(self.data, [builder.add(at, constant(LANES))]), rows.weight)

    def of(self, class_index: Any) -> tuple[Any, Any]:
        """The weight of a class before each cut, and after it."""
        code = self.code
        before = code.load(self.data, index_of(code, class_index, 0))
        everything = code.load_number(self.data, index_of(code, class_index, 1))
        return before, code.builder.sub(code.broadcast(everything), before)


class TwoClassSums:
    """Rows of two classes, summed in registers: all before each cut, those of the second class; and without a cut."""

    def __init__(self, code: Any) -> None:
        self.code = code
        self.before = [code.buffer() for _ in range(2)]
        self.everything = [code.single_buffer() for _ in range(2)]

    def sum(self, rows: Any, each: AbstractContextManager[Any]) -> None:
        """Sum rows in a loop over them."""
        code, builder = self.code, self.code.builder
        for before, everything in zip(self.before, self.everything, strict=True):
            code.clear(before)
            builder.store(ir.Constant(code.lane, 0), everything)
        with each:
            second = builder.select(rows.is_second(), rows.weight, ir.Constant(code.lane, 0))
            for before, everything, weight in zip(self.before, self.everything, (rows.weight, second), strict=True):
                code.add_to(before, builder.select(rows.before, code.broadcast(weight), code.zeros))
                code.add_to(everything, weight)

    def of_both(self) -> tuple[tuple[Any, Any], tuple[Any, Any]]:
        """The weight of each class before each cut, and after it."""
        code, builder = self.code, self.code.builder
        both, second = (builder.load(buffer) for buffer in self.before)
        all_both, all_second = (code.broadcast(builder.load(buffer)) for buffer in self.everything)
        first, all_first = builder.sub(both, second), builder.sub(all_both, all_second)
        return (first, builder.sub(all_first, first)), (second, builder.sub(all_second, second))


def index_of(code: Any, class_index: Any, side: int) -> Any:
    """The index of the vector of a class for a side."""
    return code.builder.add(code.builder.mul(class_index, constant(2 * LANES)), constant(side * LANES))
