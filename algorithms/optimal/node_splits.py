"""The splits of a node that partition its rows differently: by codes, by sets of codes, or at a threshold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from algorithms.attributes.thresholds import midway
from algorithms.data_set import AttributeKind, DataSet
from algorithms.optimal.plan import ByBounds, ByCodes, Plan

__all__ = ["NodeSplit", "node_splits"]

Rows = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class NodeSplit:
    """An attribute, and the rows of each branch: of each group of codes, or at most and above a bound."""

    attribute: int
    parts: tuple[Rows, ...]
    groups: tuple[tuple[int, ...], ...] = ()
    bound: float = np.nan

    def plan(self, children: Sequence[Plan]) -> Plan:
        """The plan of a node with this split and these branches."""
        if self.groups:
            return ByCodes(self.attribute, self.groups, tuple(children))
        return ByBounds(self.attribute, (self.bound,), tuple(children))


def node_splits(data: DataSet, rows: Rows, least_rows: int, *, subsets: bool) -> Iterator[NodeSplit]:
    """The splits of rows into two or more subsets of at least `least_rows` rows each: by attribute, then by cut.

    A nominal attribute has a branch for each code; with `subsets` also two branches, for every division of its codes in
    two.
    """
    for attribute, (about, column) in enumerate(zip(data.attributes, data.columns, strict=True)):
        values, place = np.unique(column[rows], return_inverse=True)
        count = np.bincount(place, minlength=len(values))
        if len(values) < 2:
            continue
        if about.kind is AttributeKind.NUMERIC:
            below = count.cumsum()
            allowed = np.flatnonzero((below >= least_rows) & (len(rows) - below >= least_rows))
            bounds = midway(values[:-1].astype(np.float64), values[1:].astype(np.float64)).tolist()
            for cut in allowed[allowed < len(bounds)].tolist():
                yield NodeSplit(attribute, (rows[place <= cut], rows[place > cut]), bound=bounds[cut])
            continue
        codes = values.tolist()
        if count.min() >= least_rows:
            parts = tuple(rows[place == code] for code in range(len(codes)))
            yield NodeSplit(attribute, parts, groups=tuple((code,) for code in codes))
        for chosen in range(1, 1 << (len(codes) - 1)) if subsets and len(codes) > 2 else ():
            inside = (chosen >> np.arange(len(codes)) & 1).astype(bool)  # the last code is never inside
            if least_rows <= count[inside].sum() <= len(rows) - least_rows:
                groups = tuple(tuple(values[side].tolist()) for side in (inside, ~inside))
                yield NodeSplit(attribute, (rows[inside[place]], rows[~inside[place]]), groups=groups)
