"""Parts are whole or absent, known for what they are, and nothing else is ever read as one."""

from __future__ import annotations

import errno
import hashlib
import os
from itertools import chain, combinations, pairwise
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest

from pipeline.schema import DICTIONARY_COLUMNS, RESULTS
from pipeline.storage import atomic
from pipeline.storage.parts import (
    SET_ASIDE,
    Scan,
    missing,
    missing_by_names,
    publish,
    read,
    read_first,
    remove,
    remove_unfinished,
    scan,
    set_aside,
    sizes,
)
from tests.pipeline.small_grids import grid

RUN = "0123456789ab"
GRID = grid()
CELLS = GRID.cells_per_item


def published(folder: Path, first: int, stop: int, run: str = RUN) -> Path:
    return publish(GRID.work(first, stop)["results"], folder, run, first, stop).path


def honestly_named(folder: Path, content: bytes, first: int, stop: int) -> Path:
    """A file whose name fits its bytes, whatever they are."""
    path = folder / f"part-{first:09}-{stop:09}-{hashlib.blake2b(content, digest_size=8).hexdigest()}.parquet"
    path.write_bytes(content)
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "run=x"


def test_a_dense_part_has_the_same_rows_in_fewer_bytes(folder: Path) -> None:
    rows = pa.concat_tables([GRID.work(0, 40)["results"]] * 50).unify_dictionaries().combine_chunks()
    seconds = pa.array([1 / (index + 3) for index in range(rows.num_rows)])
    rows = rows.set_column(rows.schema.get_field_index("build_seconds"), RESULTS.field("build_seconds"), seconds)
    usual, dense = (publish(rows, folder / kind, RUN, 0, 2000, dense=kind == "dense") for kind in ("usual", "dense"))
    assert read(usual).equals(read(dense), check_metadata=True)
    assert duckdb.sql(f"from '{dense.path}'").fetchall() == duckdb.sql(f"from '{usual.path}'").fetchall()
    assert dense.path.stat().st_size < 0.9 * usual.path.stat().st_size
    assert scan(folder / "dense", RUN, CELLS).parts == (dense,)


def test_a_published_part_file_is_listed_and_read_unchanged(folder: Path) -> None:
    path = published(folder, 3, 8)
    match = scan(folder, RUN, CELLS)
    assert [(part.first, part.stop, part.path) for part in match.parts] == [(3, 8, path)]
    assert match.rejected == {}
    rows = GRID.work(3, 8)["results"]
    # in the file texts are plain text, which every reader can sort and compare, and fields keep their meanings
    plain = pq.read_table(path, partitioning=None)
    assert plain.equals(rows.cast(RESULTS))
    assert all(plain.schema.field(f.name).equals(f, check_metadata=True) for f in RESULTS)
    assert read(match.parts[0]).to_pylist() == rows.to_pylist()
    held = read(match.parts[0], dictionaries=DICTIONARY_COLUMNS)
    assert held.to_pylist() == rows.to_pylist()
    assert {f.name for f in held.schema if pa.types.is_dictionary(f.type)} == set(DICTIONARY_COLUMNS)
    assert read_first(match.parts[0], 5, ["builder", "depth"]).equals(read(match.parts[0], ["builder", "depth"])[:5])
    assert read(match.parts[0], ["depth"]).column_names == ["depth"]
    assert [path.name for path in folder.iterdir()] == [path.name]


def test_the_same_rows_are_the_same_file(folder: Path) -> None:
    assert published(folder, 0, 4) == published(folder, 0, 4)
    assert len(list(folder.iterdir())) == 1


def test_an_empty_or_absent_folder_holds_nothing(folder: Path) -> None:
    assert scan(folder, RUN, CELLS).parts == ()
    assert missing((), 7) == [(0, 7)]
    assert missing_by_names([folder], 7)


def test_what_is_missing_is_what_no_part_covers(folder: Path) -> None:
    published(folder, 2, 4)
    published(folder, 6, 9)
    assert missing(scan(folder, RUN, CELLS).parts, 10) == [(0, 2), (4, 6), (9, 10)]
    published(folder, 0, 2)
    published(folder, 4, 6)
    assert missing_by_names([folder], 10)
    published(folder, 9, 10)
    assert not missing_by_names([folder], 10)
    assert missing(scan(folder, RUN, CELLS).parts, 10) == []


def test_a_flipped_bit_anywhere_is_noticed(folder: Path) -> None:
    path = published(folder, 0, 4)
    content = path.read_bytes()
    for index in range(0, len(content), max(1, len(content) // 300)):
        spoilt = bytearray(content)
        spoilt[index] ^= 1 << (index % 8)
        path.write_bytes(spoilt)
        match = scan(folder, RUN, CELLS)
        assert (match.parts, "changed since" in match.rejected[path]) == ((), True), f"byte {index}"
    path.write_bytes(content)
    assert len(scan(folder, RUN, CELLS).parts) == 1


@pytest.mark.parametrize(("kept", "more"), [(0, b""), (1, b""), (100, b""), (-1, b""), (None, b"\0")])
def test_a_part_file_that_is_shorter_or_longer_is_rejected(folder: Path, kept: int | None, more: bytes) -> None:
    path = published(folder, 0, 4)
    path.write_bytes(path.read_bytes()[:kept] + more)
    assert scan(folder, RUN, CELLS).parts == ()
    assert "changed since" in scan(folder, RUN, CELLS).rejected[path]


def test_a_part_of_another_run_is_none_of_ours(folder: Path) -> None:
    path = published(folder, 0, 4, run="ba9876543210")
    assert scan(folder, RUN, CELLS).rejected == {path: "belongs to another run"}


@pytest.mark.parametrize(("first", "stop"), [(4, 8), (1, 5), (0, 8)])
def test_a_part_file_named_after_other_items_is_rejected(folder: Path, first: int, stop: int) -> None:
    path = published(folder, 0, 4)
    shifted = honestly_named(folder, path.read_bytes(), first, stop)
    path.unlink()
    match = scan(folder, RUN, CELLS)
    assert match.parts == ()
    assert "items" in match.rejected[shifted]


def test_a_part_file_with_missing_rows_is_rejected(folder: Path) -> None:
    path = publish(GRID.work(0, 3)["results"], folder, RUN, 0, 4).path
    assert scan(folder, RUN, CELLS).rejected == {path: f"has {3 * CELLS} rows, but {4 * CELLS} are expected"}


def test_a_foreign_parquet_file_is_rejected(folder: Path) -> None:
    folder.mkdir()
    foreign = folder / "data.parquet"
    pq.write_table(pa.table({"a": [1]}), foreign)
    named = honestly_named(folder, foreign.read_bytes(), 0, 1)
    nonsense = honestly_named(folder, b"no Parquet at all", 1, 2)
    assert scan(folder, RUN, CELLS).parts == ()
    rejected = scan(folder, RUN, CELLS).rejected
    assert rejected[foreign] == "does not have the name of a part file"
    assert rejected[named] == "belongs to another run"
    assert rejected[nonsense].startswith("cannot be read")


def test_a_pipe_in_place_of_a_part_is_not_waited_for(folder: Path) -> None:
    path = published(folder, 0, 2)
    path.unlink()
    os.mkfifo(path)
    assert scan(folder, RUN, CELLS).rejected == {path: "is not a file"}


@pytest.mark.parametrize(
    ("target", "why"),
    [("nowhere", "is a link to a file that does not exist"), ("itself", "cannot be read: ")],
)
def test_a_link_to_no_file_in_place_of_a_part_is_named_and_set_aside(folder: Path, target: str, why: str) -> None:
    path = published(folder, 0, 2)
    path.unlink()
    path.symlink_to(path.name if target == "itself" else target)
    rejected = scan(folder, RUN, CELLS).rejected
    assert list(rejected) == [path]
    assert rejected[path].startswith(why)
    set_aside(rejected)
    assert scan(folder, RUN, CELLS) == Scan((), {})


def test_a_part_larger_than_memory_is_named(folder: Path) -> None:
    path = published(folder, 0, 2)
    os.truncate(path, 1 << 42)  # a sparse file, which takes no space on the disk
    assert scan(folder, RUN, CELLS).rejected == {path: "cannot be read: it is larger than the memory of this process"}


def test_of_overlapping_parts_those_with_the_most_items_count(folder: Path) -> None:
    published(folder, 0, 5)
    inside = published(folder, 2, 4)
    across = published(folder, 4, 6)
    published(folder, 8, 9)
    shorter = published(folder, 0, 3)
    match = scan(folder, RUN, CELLS)
    assert [(part.first, part.stop) for part in match.parts] == [(0, 5), (8, 9)]
    assert set(match.rejected) == {across}
    assert "covers items that part-000000000-000000005" in match.rejected[across]
    assert set(match.doubled) == {inside, shorter}
    assert missing(match.parts, 9) == [(5, 8)]


def test_a_part_file_that_appears_late_loses_no_item(folder: Path) -> None:
    """A worker of a killed driver may publish a chunk that the next driver has cut in another way."""
    published(folder, 0, 4)
    published(folder, 4, 10)
    late = published(folder, 0, 6)
    match = scan(folder, RUN, CELLS)
    assert [(part.first, part.stop) for part in match.parts] == [(0, 4), (4, 10)]
    assert match.rejected == {late: f"covers items that {match.parts[0].path.name} has"}
    assert list(sizes(folder)) == [part.path.name for part in match.parts]


def test_the_part_files_that_count_hold_as_many_items_as_any_without_overlaps(folder: Path) -> None:
    rng = np.random.default_rng(5)
    for _ in range(300):
        ends = [sorted(rng.choice(13, 2, replace=False).tolist()) for _ in range(rng.integers(1, 8))]
        paths = [folder / f"part-{first:09}-{stop:09}-{index:016x}.parquet" for index, (first, stop) in enumerate(ends)]
        folder.mkdir(exist_ok=True)
        for path in paths:
            path.touch()
        spans = [tuple(map(int, name.split("-")[1:3])) for name in sizes(folder)]
        assert all(before[1] <= after[0] for before, after in pairwise(spans))
        choices = chain.from_iterable(combinations(sorted(ends), count) for count in range(len(ends) + 1))
        apart = [choice for choice in choices if all(before[1] <= after[0] for before, after in pairwise(choice))]
        assert sum(b - a for a, b in spans) == max(sum(b - a for a, b in choice) for choice in apart)
        for path in paths:
            path.unlink()


def test_parts_that_are_merged_while_they_are_looked_at_are_not_lost(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = [published(folder, first, first + 1) for first in range(4)]
    read_bytes = Path.read_bytes

    def merge_first(self: Path) -> bytes:
        if small:
            published(folder, 0, 4)
            remove(small)
            small.clear()
        return read_bytes(self)

    monkeypatch.setattr(Path, "read_bytes", merge_first)
    assert [(part.first, part.stop) for part in scan(folder, RUN, CELLS).parts] == [(0, 4)]


def test_part_files_set_aside_are_kept_and_no_reader_sees_them(folder: Path) -> None:
    good = published(folder, 0, 2)
    bad = published(folder, 2, 4)
    bad.write_bytes(b"spoilt")
    for _ in range(2):  # the same name twice
        set_aside(scan(folder, RUN, CELLS).rejected)
        bad.write_bytes(b"spoilt")
    set_aside(scan(folder, RUN, CELLS).rejected)
    kept = list((folder / SET_ASIDE).iterdir())
    assert [path.read_bytes() for path in kept] == [b"spoilt"] * 3
    assert list(folder.rglob("*.parquet")) == [good]
    assert ds.dataset(folder).count_rows() == 2 * CELLS


def test_readers_pass_over_what_a_dead_writer_left(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    published(folder, 0, 2)
    seen: list[Path] = []

    def stop_here(self: Path, target: Path) -> None:
        seen.append(self)
        os.link(self, self.with_name(self.name.replace(str(os.getpid()), "1")))  # as if it had died here
        raise OSError(errno.EIO, "died")

    with monkeypatch.context() as patched:
        patched.setattr(Path, "replace", stop_here)
        with pytest.raises(OSError, match="died"):
            published(folder, 2, 4)
    (left,) = [path for path in folder.iterdir() if path.name.startswith(".")]
    assert left.name.endswith(".tmp")
    assert not seen[0].exists()
    assert [(part.first, part.stop) for part in scan(folder, RUN, CELLS).parts] == [(0, 2)]
    assert scan(folder, RUN, CELLS).rejected == {}
    assert ds.dataset(folder).count_rows() == 2 * CELLS
    remove_unfinished(folder)
    assert left.exists()  # its writer may live yet
    os.utime(left, (0, 0))
    remove_unfinished(folder)
    assert not left.exists()


@pytest.mark.parametrize("failing", ["write", "fsync", "replace"])
def test_a_part_that_cannot_be_written_leaves_nothing(
    folder: Path, monkeypatch: pytest.MonkeyPatch, failing: str
) -> None:
    def fail(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    folder.mkdir()
    if failing == "replace":
        monkeypatch.setattr(Path, "replace", fail)
    elif failing == "fsync":
        monkeypatch.setattr(atomic.os, "fsync", fail)
    else:
        monkeypatch.setattr(Path, "open", fail)
    with pytest.raises(OSError, match="No space left"):
        published(folder, 0, 2)
    assert list(folder.iterdir()) == []
