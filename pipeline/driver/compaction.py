"""Merges many small part files: reading a Parquet file of ten rows takes as long as one of thousands."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING

from pipeline.plain_text import note
from pipeline.plan import GridRun
from pipeline.storage.parts import Part, Range, not_ok, publish, read, remove

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["compacted"]

MOST_PARTS = 50
"""Up to this many part files of a table are left as they are."""

MERGED_ROWS = 150_000
"""The most rows of a merged part file; a larger part file is not rewritten."""

LEAST_GAIN = 2
"""The factor by which merging must reduce the number of part files to be worth writing."""


def compacted(
    run: GridRun, parts: Mapping[str, Sequence[Part]], stopped: Callable[[], bool]
) -> dict[str, tuple[Part, ...]]:
    """The parts of every table of a complete run, small neighbours merged where there are many.

    A merged part is published like any, and only then are those removed whose rows it has, so that every row is there
    at every moment; what a kill leaves twice, the next scan finds covered. Parts with rows that are not ok stay as they
    are, and so do those of other tables with any of the same items, for `redo=failed` works these again. One merged
    part is in memory at a time.
    """
    found = {table: tuple(theirs) for table, theirs in parts.items()}
    many = [table for table, theirs in found.items() if len(theirs) > MOST_PARTS and _worth_it(theirs, [])]
    apart = not_ok(chain(*found.values())) if many else []
    for table in many:
        groups = _groups(found[table], apart)
        if _worth_it(found[table], apart):
            note(f"merging {len(found[table]):,} small parts of {table} into {len(groups):,} ...")
            kept: list[Part] = []
            for group in groups:
                kept += group if len(group) == 1 or stopped() else [_merged(run, table, group)]
            found[table] = tuple(kept)
    return found


def _worth_it(parts: Sequence[Part], apart: Sequence[Range]) -> bool:
    return len(parts) >= LEAST_GAIN * len(_groups(parts, apart))


def _groups(parts: Sequence[Part], apart: Sequence[Range]) -> list[list[Part]]:
    """Neighbouring part files in groups that are no larger than a merged one may be."""
    groups: list[list[Part]] = []
    rows, at, alone_before = 0, 0, True
    for part in parts:
        while at < len(apart) and apart[at][1] <= part.first:
            at += 1
        alone = at < len(apart) and apart[at][0] < part.stop
        joins = not (alone or alone_before) and groups[-1][-1].stop == part.first and rows + part.rows <= MERGED_ROWS
        if joins:
            groups[-1].append(part)
            rows += part.rows
        else:
            groups.append([part])
            rows = part.rows
        alone_before = alone
    return groups


def _merged(run: GridRun, table: str, group: Sequence[Part]) -> Part:
    """The part file with the rows of neighbours, which are removed."""
    merged = publish(_rows(group), run.folder(table), run.id, group[0].first, group[-1].stop)
    remove(part.path for part in group if part.path != merged.path)
    return merged


def _rows(group: Sequence[Part]) -> pa.Table:
    import pyarrow as pa

    return pa.concat_tables([read(part) for part in group]).combine_chunks()
