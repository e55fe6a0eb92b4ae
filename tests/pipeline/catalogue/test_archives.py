"""Unix `compress` read back from an encoder of the tests' own, which gzip, too, can read."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.catalogue.archives import unpacked
from pipeline.errors import DataError
from tests.oracles.beside import absent

LIMIT = 2**24


def compressed(content: bytes, most: int = 16, clear_at: int | None = None) -> bytes:
    """The content as `compress -b most` writes it; the table is cleared once it has `clear_at` entries."""
    out = bytearray([0x1F, 0x9D, 0x80 | most])
    codes = {bytes([byte]): byte for byte in range(256)}
    free, width, group = 257, 9, []

    def flush() -> None:
        """Write a whole group of eight codes, the rest of it padding."""
        if group:
            bits = sum(code << (width * place) for place, code in enumerate(group))
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
    bits = sum(code << (width * place) for place, code in enumerate(group))
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
    with pytest.raises(DataError, match="x: holds more than 1,000,000 bytes"):
        unpacked(packed, "x", limit=1_000_000)


def test_what_is_no_archive_stays_as_it_is() -> None:
    assert unpacked(b"1,2\n", "x", limit=1) == b"1,2\n"
