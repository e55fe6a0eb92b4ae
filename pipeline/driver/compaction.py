"""Merges many small part files: reading a Parquet file of ten rows takes as long as one of thousands."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import chain

from pipeline.plain_text import note
from pipeline.plan import GridRun
from pipeline.storage.parts import Part, Range, not_ok, publish, read, remove

MOST_PARTS = 50
"""Up to this many part files of a table are left as they are."""

MERGED_ROWS = 150_000
"""The most rows of a merged part file; a larger part file is not rewritten."""

LEAST_GAIN = 2
"""The factor by which merging must reduce the number of part files to be worth writing."""


def compacted(
    run: GridRun, parts: Mapping[str, Sequence[Part]], stopped: Callable[[], bool]
) -> dict[str, tuple[Part, ...]]:
    """The part files of every table of a complete run; many small neighbours are merged.

    A merged part file is published like any other. Only then are the files with the same rows removed. So every row
    exists at every moment; if the process is killed in between, the next scan finds the smaller files covered. Part
    files with rows that are not ok are not merged, because `redo=failed` computes their items again. The same holds for
    files of other tables with the same items. One merged part file is in memory at a time.
    """
    result = {table: tuple(of_table) for table, of_table in parts.items()}
    many = [table for table, of_table in result.items() if len(of_table) > MOST_PARTS and _worth_it(of_table, [])]
    excluded = not_ok(chain(*result.values())) if many else []
    for table in many:
        groups = _groups(result[table], excluded)
        if _worth_it(result[table], excluded):
            note(f"merging {len(result[table]):,} small part files of {table} into {len(groups):,} ...")
            kept: list[Part] = []
            for group in groups:
                kept += group if len(group) == 1 or stopped() else [_merged(run, table, group)]
            result[table] = tuple(kept)
    return result


def _worth_it(parts: Sequence[Part], excluded: Sequence[Range]) -> bool:
    return len(parts) >= LEAST_GAIN * len(_groups(parts, excluded))


def _groups(parts: Sequence[Part], excluded: Sequence[Range]) -> list[list[Part]]:
    """Neighbouring part files in groups that are no larger than a merged one may be.

    A part file with items of `excluded`, which are sorted, is a group of its own.
    """
    groups: list[list[Part]] = []
    rows, index, alone_before = 0, 0, True
    for part in parts:
        while index < len(excluded) and excluded[index][1] <= part.first:
            index += 1
        alone = index < len(excluded) and excluded[index][0] < part.stop
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
    """Publish the rows of neighbouring part files as one, then remove these."""
    import pyarrow as pa

    rows = pa.concat_tables([read(part) for part in group]).combine_chunks()
    merged = publish(rows, run.folder(table), run.id, group[0].first, group[-1].stop)
    remove(part.path for part in group if part.path != merged.path)
    return merged
