"""How heavy the leaves of the splits are that `list_sweeps` seeks: any weight, or at least a given one."""

from __future__ import annotations

from typing import Any

from numba import types

from algorithms._numba.lanes import LANES, constant
from algorithms._numba.list_sums import index_of

__all__ = ["Leaves", "leaves_of"]


class Leaves:
    """The leaves of splits, which may have any weight."""

    splits = 1
    """How many splits are sought on each side of each cut."""

    def sum(self, side: int, *classes: Any) -> None:
        """Add the weights of classes in a batch to a side."""

    def begin_batch(self) -> None:
        """Begin to sum a batch."""

    def keep(self) -> None:
        """Take the sums as the current state."""

    def move(self, side: int, more: Any) -> None:
        """Add to the current weight of a side."""

    def allow(self, flags: Any, _split: int, _side: int) -> Any:
        """The flags of the cuts at which a leaf before a split here, and one behind it, have their weight."""
        return flags

    def may_allow(self, flags: Any, _split: int, _side: int) -> Any:
        """The flags of the cuts at which a split inside the batch may be allowed."""
        return flags


class _WeightyLeaves(Leaves):
    """Leaves that have a least weight, `fewest`, and the weight of each side: in all, so far, and with a batch."""

    splits = 2

    def __init__(self, code: Any, fewest: Any, totals: Any, classes: Any) -> None:
        self.code, self.builder = code, code.builder
        self.all, self.so_far, self.summed = ([code.buffer() for _ in range(2)] for _ in range(3))
        self.fewest = [[code.buffer() for _ in range(2)] for _ in range(self.splits)]
        for k, buffer in enumerate(buffer for sides in self.fewest for buffer in sides):
            self.builder.store(code.load_narrowed(fewest, constant(k * LANES)), buffer)
        with code.loop(constant(0), classes) as loop:
            for side in range(2):
                code.add_to(self.all[side], code.load_narrowed(totals, index_of(code, loop.index, side)))

    def sum(self, side: int, *classes: Any) -> None:
        for weight in classes:
            self.code.add_to(self.summed[side], weight)

    def keep(self) -> None:
        for summed, so_far in zip(self.summed, self.so_far, strict=True):
            self.builder.store(self.builder.load(summed), so_far)

    def begin_batch(self) -> None:
        for summed, so_far in zip(self.summed, self.so_far, strict=True):
            self.builder.store(self.builder.load(so_far), summed)

    def move(self, side: int, more: Any) -> None:
        self.code.add_to(self.so_far[side], more)

    def allow(self, flags: Any, split: int, side: int) -> Any:
        return self._allowed(flags, split, side, self.so_far[side])

    def may_allow(self, flags: Any, split: int, side: int) -> Any:
        return self._allowed(flags, split, side, self.summed[side])

    def _allowed(self, flags: Any, split: int, side: int, before: Any) -> Any:
        builder = self.builder
        fewest = builder.load(self.fewest[split][side])
        rest = builder.sub(builder.load(self.all[side]), builder.load(self.so_far[side]))
        for weight in (builder.load(before), rest):
            flags = builder.and_(flags, builder.icmp_signed(">=", weight, fewest))
        return flags


def leaves_of(code: Any, kind: Any, fewest: Any, totals: Any, classes: Any) -> Leaves:
    """The leaves of splits; `fewest` is None if they may have any weight."""
    if isinstance(kind, types.NoneType):
        return Leaves()
    return _WeightyLeaves(code, code.data(kind, fewest), totals, classes)
