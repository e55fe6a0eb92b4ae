"""Parquet part files: each absent or complete, and identified by its name.

A part file is called `part-<first>-<stop>-<digest>.parquet`: the items that it covers, numbered from 0 in the order of
the plan, and the digest of its bytes. So a folder listing shows what is done, for any chunk size. A file that was
truncated, altered or brought from elsewhere does not match its name or its run.
"""

from __future__ import annotations

import base64
import hashlib
import os
import re
import time
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.storage.atomic import in_object_store, write_atomically
from pipeline.storage.encodings import encodings_of
from pipeline.storage.locations import listed_with_sizes, matching, move
from pipeline.storage.overlaps import with_most_items
from pipeline.words import counted

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq

NAME = re.compile(r"part-(\d{9,})-(\d{9,})-([0-9a-f]{16})\.parquet")
SET_ASIDE = "_set_aside"
FETCHES = 16  # fetches from an object store at a time
BATCH = 1000  # paths that are given to threads at a time, so that memory does not grow with their number
UNFINISHED_SECONDS = 60  # after which no worker of a dead driver can still be writing
RUN_KEY = b"orchard.run"
ITEMS_KEY = b"orchard.items"
STATISTICS = ["source", "group", "table_index", "builder", "status", "made_with"]
"""Columns by which readers look up and count rows."""


Range = tuple[int, int]
"""The items from the first up to, not including, the second."""


State = tuple[int, ...]
"""Identifies the state of a file: device, number, size, and times of writing and of any change, in nanoseconds."""


@dataclass(frozen=True, order=True)
class Part:
    """A published file: it covers the items from `first` up to, not including, `stop`.

    state : of the file just before it was verified; empty if it was not verified
    """

    first: int
    stop: int
    path: Path
    rows: int = field(default=0, compare=False)
    state: State = field(default=(), compare=False)


def state_of(status: os.stat_result) -> State:
    """The state of a file, from its system status."""
    return (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)


@dataclass(frozen=True)
class Scan:
    """The content of a run's folder: part files in order, without overlaps, and other files.

    rejected : the reason for each file that is not a part file
    doubled  : part files whose items a larger one covers, left by an interrupted merge
    """

    parts: tuple[Part, ...]
    rejected: dict[Path, str]
    doubled: tuple[Path, ...] = ()


def publish(table: pa.Table, folder: Path, run_id: str, first: int, stop: int, *, dense: bool = False) -> Part:
    """Write the rows of items `first` to `stop` as a part file: written under another name, flushed, then renamed.

    A `dense` file is the smallest possible, and takes several times longer to write.
    Raises OSError (disk full, folder not writable) with nothing left behind.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    encodings = encodings_of(table, dense=dense)
    sink = pa.BufferOutputStream()
    with pq.ParquetWriter(
        sink,
        table.schema,
        compression="zstd" if dense else "snappy",  # fast zstd saves nothing after these encodings
        compression_level=19 if dense else None,
        use_dictionary=[name for name in table.schema.names if name not in encodings],
        column_encoding=encodings,
        write_batch_size=table.num_rows or 1,
        write_statistics=STATISTICS,
        write_page_checksum=True,
        store_schema=False,  # it would make every reader hold texts as we do; see _arrow_schema
    ) as writer:
        writer.write_table(table, row_group_size=table.num_rows or 1)
        writer.add_key_value_metadata(_arrow_schema(table.schema, _stamp(run_id, first, stop)))
    content = sink.getvalue()
    path = folder / f"part-{first:09}-{stop:09}-{_digest(content)}.parquet"
    write_atomically(path, content)
    return Part(first, stop, path, table.num_rows)


def _arrow_schema(schema: pa.Schema, stamp: dict[bytes, bytes]) -> dict[bytes, bytes]:
    """The file's metadata: the stamp, and the schema for Arrow readers, with dictionaries as plain text."""
    import pyarrow as pa

    fields = [f.with_type(f.type.value_type) if pa.types.is_dictionary(f.type) else f for f in schema]
    plain = pa.schema(fields, metadata={**(schema.metadata or {}), **stamp})
    return {**plain.metadata, b"ARROW:schema": base64.b64encode(plain.serialize().to_pybytes())}


def scan(folder: Path, run_id: str, rows_per_item: int | None, copies: Path | None = None) -> Scan:
    """Verify every Parquet file of a run's folder, byte by byte.

    `rows_per_item` is None if items have different numbers of rows. With a folder for `copies`, the verified bytes are
    kept there, and the part files are these copies.
    """
    good, rejected = [], {}
    if copies is not None:
        copies.mkdir(parents=True, exist_ok=True)
    verify = partial(_verified, run_id=run_id, rows_per_item=rows_per_item, copies=copies)
    seen: set[Path] = set()
    while paths := [path for path in matching(folder, "*.parquet") if path not in seen]:
        for path, result in zip(paths, _in_threads(verify, paths), strict=True):
            if isinstance(result, Part):
                good.append(result)
            elif result:
                rejected[path] = result
        seen.update(paths)  # a file that has gone may have been merged into a new one
    parts, doubled, overlapping = _without_overlaps(good)
    return Scan(tuple(parts), rejected | overlapping, tuple(doubled))


def verified(paths: Iterable[Path], run_id: str, rows_per_item: int | None) -> tuple[Part, ...]:
    """The part files among files of a run's folder, each verified byte by byte; OSError if one is not a part file."""
    parts = []
    for path in paths:
        result = _verified(path, run_id, rows_per_item, None)
        if isinstance(result, str):
            raise OSError(f"{path} {result or 'is gone'}")
        parts.append(result)
    return tuple(parts)


def _without_overlaps(good: Iterable[Part]) -> tuple[list[Part], list[Path], dict[Path, str]]:
    """Part files in order without overlaps; those covered by a larger one; and the reasons why others do not count.

    Those count that hold the most items together. So a file that appears late, from a worker of a killed driver, takes
    no item away.
    """
    ordered = sorted(good, key=lambda part: (part.stop, part.path))
    chosen = with_most_items([(part.first, part.stop) for part in ordered])
    parts = [ordered[index] for index in chosen]
    ends = [part.stop for part in parts]
    covered: list[Path] = []
    overlapping: dict[Path, str] = {}
    for index in sorted({*range(len(ordered))} - {*chosen}):
        part = ordered[index]
        other = parts[bisect_right(ends, part.first)]  # the first with common items
        larger = other.stop - other.first > part.stop - part.first
        if larger and other.first <= part.first and part.stop <= other.stop:
            covered.append(part.path)
        else:
            overlapping[part.path] = f"covers items that {other.path.name} has"
    return parts, covered, overlapping


def named_parts(folder: Path) -> list[Part]:
    """The part files of a folder by their names only; fast, and without verification."""
    return sorted(filter(None, map(_from_name, matching(folder, "*.parquet"))))


def set_aside(paths: Iterable[Path]) -> None:
    """Move files to `_set_aside` in their folder, under names that no reader takes for data."""
    for path in paths:
        move(path, path.parent / SET_ASIDE / f"{path.name}.{time.time_ns()}")


def remove(paths: Iterable[Path]) -> None:
    """Remove files whose rows another part file has."""
    for path in paths:
        path.unlink(missing_ok=True)


def remove_unfinished(folder: Path) -> None:
    """Remove unfinished files of dead writers, which were never published. Object stores have none."""
    if in_object_store(folder):
        return
    for path in folder.glob(".*.[0-9]*-[0-9]*.tmp"):
        with suppress(OSError):
            if time.time() - path.stat().st_mtime > UNFINISHED_SECONDS:
                path.unlink()


def missing(parts: Sequence[Part], items: int) -> list[Range]:
    """The ranges of the items 0 to `items` that no part file covers, in order."""
    return without([(0, items)], [(part.first, part.stop) for part in parts])


def missing_from_any(tables: Iterable[Sequence[Part]], items: int) -> list[Range]:
    """The ranges of the items 0 to `items` that the part files of some table do not cover, in order."""
    return union(chain.from_iterable(missing(parts, items) for parts in tables))


def missing_by_names(folders: Iterable[Path], items: int) -> list[Range]:
    """The ranges of the items 0 to `items` that the names of part files in some folder leave out; not verified."""
    return missing_from_any(map(named_parts, folders), items)


def items_in(ranges: Iterable[Range]) -> int:
    """The number of items in ranges that do not overlap."""
    return sum(stop - first for first, stop in ranges)


def union(ranges: Iterable[Range]) -> list[Range]:
    """The same items in as few ranges as possible, in order."""
    result: list[Range] = []
    for first, stop in sorted(ranges):
        if result and first <= result[-1][1]:
            result[-1] = (result[-1][0], max(result[-1][1], stop))
        else:
            result.append((first, stop))
    return result


def without(ranges: Sequence[Range], taken: Sequence[Range]) -> list[Range]:
    """Sorted ranges without overlaps, minus others, which are sorted and may overlap."""
    result: list[Range] = []
    for first, stop in ranges:
        end = first
        for begin, following in taken:
            if begin >= stop:
                break
            if begin > end:
                result.append((end, begin))
            end = max(end, following)
        if end < stop:
            result.append((end, stop))
    return result


def inside(parts: Iterable[Part], ranges: Sequence[Range]) -> list[Part]:
    """The part files whose items are all in one of the ranges, which are sorted and do not overlap."""
    firsts = [first for first, _ in ranges]
    return [part for part in parts if (at := bisect_right(firsts, part.first)) and part.stop <= ranges[at - 1][1]]


def opened(part: Part, dictionaries: Sequence[str] = ()) -> pq.ParquetFile:
    """A verified part file for several reads; texts named in `dictionaries` are kept as dictionaries."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    source = pa.BufferReader(part.path.read_bytes()) if in_object_store(part.path) else part.path
    return pq.ParquetFile(source, read_dictionary=list(dictionaries))


def read(part: Part, columns: Sequence[str] | None = None, dictionaries: Sequence[str] = ()) -> pa.Table:
    """The rows of a verified part file, or some columns; texts named in `dictionaries` are kept as dictionaries."""
    return opened(part, dictionaries).read(columns, use_threads=False)  # more threads cost more than they save


def read_first(part: Part, rows: int, columns: Sequence[str]) -> pa.Table:
    """The first rows of a verified part file, some columns."""
    import pyarrow as pa

    return pa.Table.from_batches([next(opened(part).iter_batches(rows, columns=columns, use_threads=False))])


def not_ok(parts: Iterable[Part]) -> list[Range]:
    """The items of verified part files, sorted, that have a row whose status is not ok; a table may have no status."""
    return sorted({(part.first, part.stop) for part in parts if not set(_statuses(part)) <= {"ok"}})


def metadata(part: Part) -> pq.FileMetaData:
    """The footer of a verified part file; no data is read."""
    import pyarrow.parquet as pq

    with part.path.open("rb") as file:
        return pq.read_metadata(file)


def sizes(folder: Path) -> dict[str, int]:
    """The names and sizes in bytes of the part files of a folder, in order, without overlaps; nothing is verified."""
    by_name = dict(listed_with_sizes(folder))
    parts, _, _ = _without_overlaps(filter(None, (_from_name(folder / name) for name in by_name)))
    return {part.path.name: by_name[part.path.name] for part in parts}


def _statuses(part: Part) -> list[str]:
    file = opened(part)
    return file.read(["status"])["status"].unique().to_pylist() if "status" in file.schema_arrow.names else []


def _stamp(run_id: str, first: int, stop: int) -> dict[bytes, bytes]:
    """The run and items of a part file for its footer; they reveal a file under the name of another."""
    return {RUN_KEY: run_id.encode(), ITEMS_KEY: f"{first}-{stop}".encode()}


def _from_name(path: Path) -> Part | None:
    name = NAME.fullmatch(path.name)
    return Part(int(name[1]), int(name[2]), path) if name and int(name[1]) < int(name[2]) else None


def _digest(content: bytes | pa.Buffer) -> str:
    return hashlib.blake2b(content, digest_size=8).hexdigest()


def _in_threads(verify: Callable[[Path], Part | str], paths: Sequence[Path]) -> Iterator[Part | str]:
    """The result for each path, in order; several are read at a time."""
    if len(paths) < 2:
        yield from map(verify, paths)
        return
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(FETCHES if in_object_store(paths[0]) else len(os.sched_getaffinity(0))) as threads:
        for first in range(0, len(paths), BATCH):
            yield from threads.map(verify, paths[first : first + BATCH])


def _verified(path: Path, run_id: str, rows_per_item: int | None, copies: Path | None) -> Part | str:
    """The part file or its copy, the reason why a file is not one, or an empty text if it is gone."""
    named = _from_name(path)
    if not named:
        return "does not have the name of a part file"
    try:
        if not in_object_store(path) and path.exists() and not path.is_file():  # a pipe or a device may never end
            return "is not a file"
        state = () if in_object_store(path) else state_of(path.stat())  # before reading
        content = path.read_bytes()
    except FileNotFoundError:
        dangling = not in_object_store(path) and path.is_symlink()
        return "is a link to a file that does not exist" if dangling else ""
    except MemoryError:
        return "cannot be read: it is larger than the memory of this process"
    except OSError as error:
        if in_object_store(path):  # the fault may be in the connection
            raise
        return f"cannot be read: {error}"
    result = _checked(content, replace(named, state=state), run_id, rows_per_item)
    return result if copies is None or isinstance(result, str) else _copied(result, content, copies)


def _copied(part: Part, content: bytes, copies: Path) -> Part:
    path = copies / part.path.name
    with path.open("xb") as file:
        file.write(content)
        file.flush()
        return replace(part, path=path, state=state_of(os.fstat(file.fileno())))


def _checked(content: bytes, named: Part, run_id: str, rows_per_item: int | None) -> Part | str:
    """The part file with its rows if the content matches the name, else the reason why not."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    if _digest(content) != named.path.stem.rpartition("-")[2]:
        return f"has changed since it was published (its size is now {len(content)} bytes)"
    try:
        footer = pq.read_metadata(pa.BufferReader(content))
    except (OSError, pa.ArrowException) as error:
        return f"cannot be read: {error}"
    expected = footer.num_rows if rows_per_item is None else (named.stop - named.first) * rows_per_item
    recorded, stamp = footer.metadata or {}, _stamp(run_id, named.first, named.stop)
    if recorded.get(RUN_KEY) != stamp[RUN_KEY]:
        why = "belongs to another run"
    elif recorded.get(ITEMS_KEY) != stamp[ITEMS_KEY]:
        why = "holds other items than its name says"
    elif footer.num_rows != expected:
        why = f"has {counted(footer.num_rows, 'row')}, but {expected} are expected"
    else:
        return replace(named, rows=footer.num_rows)
    return why
