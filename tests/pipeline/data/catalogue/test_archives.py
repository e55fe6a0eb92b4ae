"""Unix `compress` read back from an encoder of the tests' own, which gzip, too, can read; and D18: hostile archives."""

from __future__ import annotations

import io
import shutil
import stat
import struct
import subprocess
import tarfile
import tracemalloc
import zipfile
import zlib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.data.catalogue.archives import unpacked
from pipeline.errors import DataError
from tests.oracles.beside import absent
from tests.pipeline.data.catalogue.catalogues import zipped

LIMIT = 2**24


def compressed(content: bytes, most: int = 16, clear_at: int | None = None) -> bytes:
    """The content as `compress -b most` writes it; the table is cleared once it has `clear_at` entries."""
    out = bytearray([0x1F, 0x9D, 0x80 | most])
    codes = {bytes([byte]): byte for byte in range(256)}
    free, width, group = 257, 9, []

    def flush() -> None:
        """Write a whole group of eight codes, the rest of it padding."""
        if group:
            bits = sum(code << (width * index) for index, code in enumerate(group))
            out.extend(bits.to_bytes(width, "little"))
            group.clear()

    def emit(code: int) -> None:
        group.append(code)
        if len(group) == 8:
            flush()

    current = b""
    for byte in content:
        longer = current + bytes([byte])
        if longer in codes:
            current = longer
            continue
        emit(codes[current])
        if free < 1 << most:
            codes[longer] = free
            free += 1
        # the reader adds an entry one code later than the writer
        if free > 1 << width and width < most:
            flush()
            width += 1
        if clear_at is not None and free >= clear_at:
            emit(256)
            flush()
            codes = {bytes([value]): value for value in range(256)}
            free, width = 257, 9
        current = bytes([byte])
    if current:
        emit(codes[current])
    bits = sum(code << (width * index) for index, code in enumerate(group))
    out.extend(bits.to_bytes(-(-len(group) * width // 8), "little"))
    return bytes(out)


def samples() -> list[bytes]:
    draw = np.random.default_rng(7)
    return [
        b"",
        b"a",
        b"a" * 5000,
        b"ab" * 3000,
        b"5.1,3.5,1.4,0.2,Iris-setosa\n" * 400,
        draw.integers(0, 256, 90_000, dtype=np.uint8).tobytes(),
        draw.integers(48, 58, 200_000, dtype=np.uint8).tobytes(),
    ]


@pytest.mark.parametrize("most", [10, 12, 16])  # gzip itself fails with 9
@pytest.mark.parametrize("clear_at", [None, 300, 5000])
def test_what_was_compressed_comes_back_as_gzip_reads_it(most: int, clear_at: int | None, tmp_path: Path) -> None:
    if shutil.which("gzip") is None:
        absent("there is no gzip")
    for content in samples():
        packed = compressed(content, most, clear_at)
        path = tmp_path / "packed.Z"
        path.write_bytes(packed)
        assert subprocess.run(["gzip", "-dc", str(path)], capture_output=True, check=True).stdout == content
        assert unpacked(packed, "packed.Z", limit=LIMIT) == content


@given(st.binary(max_size=600), st.sampled_from([9, 11, 16]), st.sampled_from([None, 280]))
def test_any_content_comes_back(content: bytes, most: int, clear_at: int | None) -> None:
    assert unpacked(compressed(content, most, clear_at), "packed.Z", limit=LIMIT) == content


@given(st.binary(max_size=300))
def test_any_bytes_are_unpacked_or_refused(content: bytes) -> None:
    for start in (b"\x1f\x9d", b"\x1f\x9d\x90", b"\x1f\x8b", b"\x1f\x8b\x08\x00", b"PK\x03\x04"):
        try:
            assert len(unpacked(start + content, "x", limit=10_000)) <= 10_000
        except DataError as error:
            assert str(error).startswith("x: ")  # noqa: PT017 - some of these are archives


def test_a_small_file_that_unpacks_to_much_is_refused() -> None:
    packed = compressed(b"a" * 2_000_000)
    assert len(packed) < 5000
    with pytest.raises(DataError, match="x: the file unpacks to more than 1,000,000 bytes"):
        unpacked(packed, "x", limit=1_000_000)


def test_a_file_that_is_no_archive_is_unchanged() -> None:
    assert unpacked(b"1,2\n", "x", limit=1) == b"1,2\n"


@pytest.mark.parametrize("name", ["../../escaped", "/tmp/escaped", "C:\\escaped", "a/../../escaped", "..", "x" * 5000])
@pytest.mark.parametrize("kind", [stat.S_IFREG, stat.S_IFLNK, stat.S_IFCHR, stat.S_IFBLK, stat.S_IFIFO])
def test_a_member_of_any_name_and_kind_is_read_and_written_nowhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, kind: int
) -> None:
    below = tmp_path / "below"
    below.mkdir()
    monkeypatch.chdir(below)
    assert unpacked(zipped((name, b"/etc/passwd"), kind=kind), "x.zip", limit=100) == b"/etc/passwd"
    assert [path.name for path in tmp_path.rglob("*")] == ["below"]
    assert not Path("/tmp/escaped").exists()


def test_a_tar_archive_is_refused_unread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    held = io.BytesIO()
    with tarfile.open(fileobj=held, mode="w") as archive:
        archive.addfile(tarfile.TarInfo("../../escaped"))
    with pytest.raises(DataError, match="x: the file is a tar archive"):
        unpacked(held.getvalue(), "x", limit=LIMIT)
    assert list(tmp_path.iterdir()) == []


def ten_gigabytes() -> bytes:
    """A raw deflate stream of ten gigabytes of noughts: blocks that depend on nothing before them, repeated."""
    squeezer = zlib.compressobj(9, zlib.DEFLATED, -15)
    block = squeezer.compress(bytes(10_000_000)) + squeezer.flush(zlib.Z_FULL_FLUSH)
    return block * 1000 + b"\x03\x00"


def test_ten_gigabytes_in_ten_megabytes_are_refused_in_little_memory() -> None:
    stream = ten_gigabytes()
    assert len(stream) < 20_000_000
    gzip = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff" + stream + struct.pack("<II", 0, 10**10 & 0xFFFFFFFF)
    local = struct.pack("<4s5H3L2H", b"PK\x03\x04", 20, 0, 8, 0, 0, 0, len(stream), 10, 1, 0) + b"x"
    central = struct.pack(
        "<4s6H3L5H2L", b"PK\x01\x02", 20, 20, 0, 8, 0, 0, 0, len(stream), 2**32 - 2, 1, 0, 0, 0, 0, 0, 0
    )
    at = len(local) + len(stream)
    end = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 1, 1, len(central) + 1, at, 0)
    for content in (gzip, local + stream + central + b"x" + end):
        tracemalloc.start()
        with pytest.raises(DataError, match="x: the file unpacks to more than 16,777,216 bytes"):
            unpacked(content, "x", limit=LIMIT)
        assert tracemalloc.get_traced_memory()[1] < 8 * LIMIT
        tracemalloc.stop()


def test_a_million_members_are_refused_before_they_are_listed() -> None:
    entry = struct.pack("<4s6H3L5H2L", b"PK\x01\x02", 20, 20, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0) + b"x"
    central = entry * 1_000_000
    end = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 0xFFFF, 0xFFFF, len(central), 4, 0)
    content = b"PK\x03\x04" + central + end
    tracemalloc.start()
    with pytest.raises(DataError, match="x: the zip archive has more than 10,000 members"):
        unpacked(content, "x", limit=LIMIT)
    assert tracemalloc.get_traced_memory()[1] < 10_000_000
    tracemalloc.stop()


def test_a_name_that_stands_twice_is_refused_and_a_zip_within_a_zip_stays_one() -> None:
    with pytest.raises(DataError, match="expected one file a in the archive, found a, a"):
        unpacked(zipped(("a", b"1"), ("a", b"2")), "x", limit=LIMIT, member="a")
    with pytest.raises(DataError, match="expected a single file in the archive, found a, a"):
        unpacked(zipped(("a", b"1"), ("a", b"2")), "x", limit=LIMIT)
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("a", b"1")
    with pytest.raises(DataError, match="a has a compression that Orchard cannot read"):
        unpacked(held.getvalue(), "x", limit=LIMIT)
    inner = zipped(("../../escaped", b"1"))
    assert unpacked(zipped(("inner.zip", inner)), "x", limit=LIMIT) == inner


@pytest.mark.parametrize("members", [("[Content_Types].xml", "xl/workbook.xml"), ("mimetype", "content.xml")])
def test_a_sheet_of_an_office_program_is_no_archive_to_unpack(members: tuple[str, ...]) -> None:
    with pytest.raises(DataError, match=r"x: the file is a sheet of Excel or another .*: save it as CSV"):
        unpacked(zipped(*((member, b"") for member in members)), "x", limit=LIMIT)


def test_an_archive_with_false_sizes_is_refused_or_read_within_the_limit() -> None:
    whole = zipped(("a", b"5.1,3.5\n" * 100))
    draw = np.random.default_rng(3)
    for _ in range(2000):
        spoilt = bytearray(whole)
        for index in draw.integers(4, len(whole), 3):
            spoilt[index] = draw.integers(0, 256)
        try:
            assert len(unpacked(bytes(spoilt), "x", limit=2000)) <= 2000
        except DataError as error:
            assert str(error).startswith("x: ")  # noqa: PT017 - some of these can be read
