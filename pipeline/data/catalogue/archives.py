"""Unpack compressed files in memory, up to a limit. Nothing is ever written to a path that an archive names."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib

from pipeline.errors import DataError

GZIP, COMPRESS, ZIP = b"\x1f\x8b", b"\x1f\x9d", b"PK\x03\x04"
REPACK = "unpack it, or pack the file by gzip or zip"
OTHERS = {
    b"BZh": ("bzip2", REPACK),
    b"\xfd7zXZ": ("xz", REPACK),
    b"7z\xbc\xaf": ("7z", REPACK),
    b"Rar!": ("rar", REPACK),
    b"ARROW1": ("Feather", "save it as Parquet"),
    b"\xd0\xcf\x11\xe0": ("an old Excel sheet", "save it as CSV"),
}
"""By their first bytes, kinds of files that are not read, and how to make one that is."""
OFFICE = {"[Content_Types].xml", "mimetype"}
"""Members of zip archives that are sheets of Excel or OpenDocument."""
TAR = slice(257, 262)
DAMAGE = (zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError, OverflowError, RuntimeError, ValueError)
"""The errors of zipfile for damaged archives; NotImplementedError is a RuntimeError."""
MOST_MEMBERS = 10_000
MEMBER = b"PK\x01\x02"  # the beginning of each member's entry in the directory of a zip archive


def unpacked(content: bytes, name: str, *, limit: int, member: str | None = None) -> bytes:
    """Unpack a .gz, .Z or .zip file, recognised by its first bytes; return any other content unchanged.

    member : the file within a zip archive; None if the archive must contain exactly one

    Raises DataError: the archive is damaged or of another kind, has no such member, or contains more than `limit`
    bytes.
    """
    if content.startswith(GZIP):
        return _gunzipped(content, name, limit)
    if content.startswith(COMPRESS):
        return _uncompressed(content, name, limit)
    if content.startswith(ZIP):
        return _unzipped(content, name, limit, member)
    for start, (kind, mend) in OTHERS.items():
        if content.startswith(start):
            raise DataError(f"{name}: the file is {kind}, which Orchard does not read: {mend}")
    if content[TAR] == b"ustar":
        raise DataError(f"{name}: the file is a tar archive, which Orchard does not read: unpack it")
    return content


def _gunzipped(content: bytes, name: str, limit: int) -> bytes:
    result = bytearray()
    try:
        while content.startswith(GZIP):  # a gzip file may be several, end to end
            stream = zlib.decompressobj(wbits=31)
            result += stream.decompress(content, limit + 1 - len(result))
            if len(result) > limit:
                raise DataError(_too_large(name, limit))
            if not stream.eof:
                raise DataError(f"{name}: the gzip file is cut short: get it again")
            content = stream.unused_data
    except zlib.error as error:
        raise DataError(f"{name}: the gzip file is damaged ({error}): get it again") from error
    return bytes(result)


def _unzipped(content: bytes, name: str, limit: int, member: str | None) -> bytes:
    if content.count(MEMBER) > MOST_MEMBERS:
        raise DataError(
            f"{name}: the zip archive has more than {MOST_MEMBERS:,} members: unpack it, and keep only the file that "
            "you need"
        )
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            files = [entry.filename for entry in archive.infolist() if not entry.is_dir()]
            if OFFICE.intersection(files):
                raise DataError(
                    f"{name}: the file is a sheet of Excel or another office program, which Orchard does not read: "
                    "save it as CSV"
                )
            chosen = member or (files[0] if len(files) == 1 else None)
            if chosen is None or files.count(chosen) != 1:
                expected = f"expected {f'one file {member}' if member else 'a single file'} in the archive"
                found = ", ".join(files)[:200] or "none"
                raise DataError(f"{name}: {expected}, found {found}: unpack it, and give the path of a file")
            if archive.getinfo(chosen).compress_type not in {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}:
                raise DataError(f"{name}: {chosen} has a compression that Orchard cannot read: use plain zip (deflate)")
            with archive.open(chosen) as file:
                result = file.read(limit + 1)
    except DAMAGE as error:
        raise DataError(
            f"{name}: the zip archive is damaged, or of a kind that cannot be read ({error}): get it again"
        ) from error
    if len(result) > limit:
        raise DataError(_too_large(name, limit))
    return result


def _uncompressed(content: bytes, name: str, limit: int) -> bytes:
    """Unpack a file of Unix `compress`: LZW, codes of 9 to 16 bits from the lowest bit up (Welch, 1984).

    Codes come in groups of eight. When their width changes, or the table is cleared, the rest of a group is padding.
    """
    flags = content[2] if len(content) > 2 else 0
    most, clears = flags & 0x1F, bool(flags & 0x80)
    if not 9 <= most <= 16:
        raise DataError(
            f"{name}: the .Z file is damaged (it declares codes of {most} bits, expected 9 to 16): get it again"
        )
    fresh = [bytes([byte]) for byte in range(256)] + ([b""] if clears else [])
    table, width, last, position = list(fresh), 9, b"", 3
    result = bytearray()
    while position < len(content):
        group = content[position : position + width]
        position += width
        bits = int.from_bytes(group, "little")
        for _ in range(len(group) * 8 // width):
            code = bits & ((1 << width) - 1)
            bits >>= width
            if clears and code == 256:
                table, width, last = list(fresh), 9, b""
                break
            if code > len(table) or (code == len(table) and not last) or (not last and code > 255):
                raise DataError(f"{name}: the .Z file is damaged near byte {position}: get it again")
            entry = table[code] if code < len(table) else last + last[:1]
            if last and len(table) < 1 << most:
                table.append(last + entry[:1])
            result += entry
            if len(result) > limit:
                raise DataError(_too_large(name, limit))
            last = entry
            if len(table) >= 1 << width and width < most:
                width += 1
                break
    return bytes(result)


def _too_large(name: str, limit: int) -> str:
    return f"{name}: the file unpacks to more than {limit:,} bytes, which is the limit"
