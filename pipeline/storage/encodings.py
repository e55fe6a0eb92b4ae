"""The encodings of a part file's columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pyarrow as pa

LEAST_REPEATS = 8
"""A column of floats has a dictionary if each different value occurs at least this often, on average."""


def encodings_of(table: pa.Table, *, dense: bool) -> dict[str, str]:
    """The encodings of columns without a dictionary; with `dense`, encodings that zstd compresses well."""
    import pyarrow as pa
    import pyarrow.compute as pc

    integers = [field.name for field in table.schema if pa.types.is_integer(field.type)]
    if not dense:
        return dict.fromkeys(integers, "DELTA_BINARY_PACKED")
    floats = [field.name for field in table.schema if pa.types.is_floating(field.type)]
    varied = [name for name in floats if pc.count_distinct(table[name]).as_py() > table.num_rows / LEAST_REPEATS]
    split = {name for name in varied if name.endswith("_seconds")}
    return dict.fromkeys((*integers, *split), "BYTE_STREAM_SPLIT") | dict.fromkeys({*varied} - split, "PLAIN")
