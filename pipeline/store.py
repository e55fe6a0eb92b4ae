"""Parquet parts: each absent or complete, and known for what it is by its name alone.

A part is called `part-<first>-<stop>-<digest>.parquet`: the items it covers, numbered from 0 in the order of the plan,
and the digest of its bytes. So a folder listing tells what is done, whatever size the chunks had, and a file that was
cut short, altered or brought from elsewhere does not fit its name or its run.
"""

from __future__ import annotations

import base64
import fcntl
import hashlib
import json
import os
import re
import socket
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import IO, TYPE_CHECKING

from pipeline.atomic import write_atomically
from pipeline.errors import OutputError, RunHeldError

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq

__all__ = [
    "SET_ASIDE",
    "Part",
    "Range",
    "Scan",
    "held",
    "missing",
    "missing_from_any",
    "named_parts",
    "publish",
    "read",
    "read_first",
    "scan",
    "seems_complete",
    "set_aside",
    "sweep",
]

NAME = re.compile(r"part-(\d{9,})-(\d{9,})-([0-9a-f]{16})\.parquet")
SET_ASIDE = "_set_aside"
UNFINISHED_SECONDS = 60  # after which no worker of a dead driver can still be writing
RUN_KEY = b"orchard.run"
ITEMS_KEY = b"orchard.items"
STATISTICS = ["source", "group", "table_index", "builder"]  # of what a reader looks rows up by


Range = tuple[int, int]
"""Items from the first up to, not including, the second."""


@dataclass(frozen=True, order=True)
class Part:
    """A published file: it covers the items from `first` up to, not including, `stop`."""

    first: int
    stop: int
    path: Path


@dataclass(frozen=True)
class Scan:
    """What a run's folder holds: parts in order, none overlapping another, and why other files are none."""

    parts: tuple[Part, ...]
    rejected: dict[Path, str]


def publish(table: pa.Table, folder: Path, run_id: str, first: int, stop: int) -> Part:
    """Write the rows of items `first` to `stop` as a part: beside its place, flushed, then renamed.

    Raises OSError (disk full, folder not writable) with nothing left behind.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    whole = [field.name for field in table.schema if pa.types.is_integer(field.type)]
    sink = pa.BufferOutputStream()
    with pq.ParquetWriter(
        sink,
        table.schema,
        compression="snappy",  # zstd saves no bytes after these encodings, and costs a quarter more
        use_dictionary=[name for name in table.schema.names if name not in whole],
        column_encoding=dict.fromkeys(whole, "DELTA_BINARY_PACKED"),
        write_batch_size=table.num_rows or 1,
        write_statistics=STATISTICS,
        write_page_checksum=True,
        store_schema=False,  # which would make every reader hold texts as we do; see _arrow_schema
    ) as writer:
        writer.write_table(table, row_group_size=table.num_rows or 1)
        writer.add_key_value_metadata(_arrow_schema(table.schema, _stamp(run_id, first, stop)))
    content = sink.getvalue()
    path = folder / f"part-{first:09}-{stop:09}-{_digest(content)}.parquet"
    write_atomically(path, content)
    return Part(first, stop, path)


def _arrow_schema(schema: pa.Schema, stamp: dict[bytes, bytes]) -> dict[bytes, bytes]:
    """The file's metadata: the stamp, and the schema as Arrow readers shall have it, dictionaries as plain text."""
    import pyarrow as pa

    fields = [f.with_type(f.type.value_type) if pa.types.is_dictionary(f.type) else f for f in schema]
    plain = pa.schema(fields, metadata={**(schema.metadata or {}), **stamp})
    return {**plain.metadata, b"ARROW:schema": base64.b64encode(plain.serialize().to_pybytes())}


def scan(folder: Path, run_id: str, rows_per_item: int | None) -> Scan:
    """Verify every Parquet file of a run's folder, byte by byte; of overlapping parts the first counts.

    `rows_per_item` is None where the items of a table give each their own number of rows.
    """
    good, rejected = [], {}
    for path in sorted(folder.glob("*.parquet")):
        found = _verified(path, run_id, rows_per_item)
        if isinstance(found, Part):
            good.append(found)
        elif found:
            rejected[path] = found
    parts: list[Part] = []
    for part in sorted(good, key=lambda part: (part.first, -part.stop, part.path)):
        if parts and part.first < parts[-1].stop:
            rejected[part.path] = f"covers items that {parts[-1].path.name} has"
        else:
            parts.append(part)
    return Scan(tuple(parts), rejected)


def seems_complete(folder: Path, items: int) -> bool:
    """Whether the names of a run's parts leave no item out; quick, and proof of nothing."""
    return not missing(named_parts(folder), items)


def named_parts(folder: Path) -> list[Part]:
    """The parts of a folder by their names alone, in order; quick, and proof of nothing."""
    return sorted(filter(None, map(_named, folder.glob("*.parquet"))))


def set_aside(rejected: dict[Path, str]) -> None:
    """Move files that are no parts to the folder's `_set_aside`, under names that no reader takes for data."""
    for path in rejected:
        place = path.parent / SET_ASIDE
        place.mkdir(exist_ok=True)
        path.rename(place / f"{path.name}.{time.time_ns()}")


def sweep(folder: Path) -> None:
    """Remove what writers that died left unfinished; it was never published."""
    for path in folder.glob(".part-*.tmp"):
        with suppress(OSError):
            if time.time() - path.stat().st_mtime > UNFINISHED_SECONDS:
                path.unlink()


def missing(parts: Sequence[Part], items: int) -> list[Range]:
    """The ranges of the items 0 to `items` that no part covers, in order."""
    return _between([(part.first, part.stop) for part in parts], items)


def missing_from_any(tables: Iterable[Sequence[Part]], items: int) -> list[Range]:
    """The ranges of the items 0 to `items` that the parts of one table or another do not cover, in order."""
    absent = sorted(chain.from_iterable(missing(parts, items) for parts in tables))
    return _between(_between(absent, items), items)


def _between(ranges: Iterable[Range], items: int) -> list[Range]:
    """What sorted ranges, which may overlap, leave out of 0 to `items`."""
    left, at = [], 0
    for first, stop in ranges:
        if first > at:
            left.append((at, first))
        at = max(at, stop)
    if at < items:
        left.append((at, items))
    return left


def read(part: Part, columns: Sequence[str] | None = None, dictionaries: Sequence[str] = ()) -> pa.Table:
    """The rows of a verified part, or some of its columns; texts named in `dictionaries` are held as such."""
    file = _opened(part, dictionaries)
    return file.read(columns=columns, use_threads=False)  # threads wait for each other longer than they save


def read_first(part: Part, rows: int, columns: Sequence[str]) -> pa.Table:
    """So many of the first rows of a verified part, some of its columns."""
    import pyarrow as pa

    return pa.Table.from_batches([next(_opened(part).iter_batches(rows, columns=columns, use_threads=False))])


def _opened(part: Part, dictionaries: Sequence[str] = ()) -> pq.ParquetFile:
    import pyarrow.parquet as pq

    return pq.ParquetFile(part.path, read_dictionary=list(dictionaries))


@contextmanager
def held(folder: Path) -> Iterator[None]:
    """Hold a run's folder against other drivers; it is free again when this process ends, however it ends.

    Raises
    ------
    RunHeldError
        Another driver holds it.
    """
    with _open_lock(folder / "_run" / "lock") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            holder = json.loads(os.pread(lock.fileno(), 1000, 0) or b"{}")
            who = f"process {holder.get('pid', '?')} on {holder.get('host', '?')} since {holder.get('since', '?')}"
            msg = f"{folder} is held by another driver, {who}: wait for it, or stop it and run the same command again"
            raise RunHeldError(msg) from error
        since = time.strftime("%Y-%m-%d %H:%M:%S")
        os.ftruncate(lock.fileno(), 0)
        os.pwrite(
            lock.fileno(), json.dumps({"pid": os.getpid(), "host": socket.gethostname(), "since": since}).encode(), 0
        )
        yield


def _open_lock(path: Path) -> IO[bytes]:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return path.open("a+b")
    except OSError as error:
        msg = f"cannot write to {path.parent}: {error.strerror}; give a folder of yours with output=…"
        raise OutputError(msg) from error


def _stamp(run_id: str, first: int, stop: int) -> dict[bytes, bytes]:
    """What a part says of itself in its footer, so that a file under another's name is found out."""
    return {RUN_KEY: run_id.encode(), ITEMS_KEY: f"{first}-{stop}".encode()}


def _named(path: Path) -> Part | None:
    name = NAME.fullmatch(path.name)
    return Part(int(name[1]), int(name[2]), path) if name else None


def _digest(content: bytes | pa.Buffer) -> str:
    return hashlib.blake2b(content, digest_size=8).hexdigest()


def _verified(path: Path, run_id: str, rows_per_item: int | None) -> Part | str:
    """The part that a file is, why it is none, or nothing where it is gone by now."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    named = _named(path)
    if not named:
        return "is not named as a part"
    first, stop, digest = named.first, named.stop, path.stem.rpartition("-")[2]
    try:
        content = path.read_bytes()
        if _digest(content) != digest:
            return f"has other bytes than it was published with ({len(content)} of them)"
        footer = pq.read_metadata(pa.BufferReader(content))
    except FileNotFoundError:
        return ""
    except (OSError, pa.ArrowException) as error:
        return f"cannot be read: {error}"
    expected = footer.num_rows if rows_per_item is None else (stop - first) * rows_per_item
    found, stamp = footer.metadata or {}, _stamp(run_id, first, stop)
    if found.get(RUN_KEY) != stamp[RUN_KEY]:
        why = "belongs to another run"
    elif found.get(ITEMS_KEY) != stamp[ITEMS_KEY]:
        why = "holds other items than its name says"
    elif footer.num_rows != expected:
        why = f"has {footer.num_rows} rows where {expected} were expected"
    else:
        return Part(first, stop, path)
    return why
