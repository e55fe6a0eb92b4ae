"""Views that are computed part file by part file and merged, so that any run is summarised in bounded memory."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING

import pyarrow as pa

from pipeline.grid import RESULTS_TABLE, PartialViews
from pipeline.sql import close_to_others, hide_progress, identifier, literal
from pipeline.storage.atomic import in_object_store
from pipeline.storage.parts import Part, read

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

THREADS = 1  # makes sums of floats identical to the last bit, however the rows are cut into part files
MOST_AHEAD = 16  # part files that may be computed before the first of them is merged
MOST_WAITING = 250_000  # rows held before they are merged


@dataclass(frozen=True)
class ByPart:
    """Views of a summary that can be merged: the view of the whole run is the sum of the views of its part files.

    All rows of an item are in one part file, so a view may join the rows of an item.

    Parameters
    ----------
    merged : mapping
        For each view, how each aggregate column merges: `sum`, `min` or `max`. Its other columns are keys. Sums must be
        of whole numbers, so that they do not depend on how the rows are cut into part files.
    rows_of : callable
        Computes the same rows from a part file, keyed by view, where SQL is too slow. By default the views' SQL is
        used. Several threads call it at a time.
    """

    merged: Mapping[str, Mapping[str, str]]
    rows_of: Callable[[Part], Mapping[str, pa.Table]] | None = None

    def create(
        self,
        connection: DuckDBPyConnection,
        parts: Sequence[Part],
        views: Mapping[str, str],
        computed: Sequence[PartialViews] = (),
    ) -> None:
        """Create the merged views as tables, sorted by their keys.

        Parameters
        ----------
        connection : DuckDBPyConnection
            Database to create them in.
        parts : sequence of Part
            The part files of the results.
        views : mapping
            The SQL of the summary's views, keyed by name.
        computed : sequence of PartialViews
            Views of some of the part files. A group with a file that is not among `parts` is computed again.
        """
        left = {part.path.name: part for part in parts}
        reused = []
        for group in computed:
            if group.parts <= left.keys():
                reused.append(group)
                left = {name: part for name, part in left.items() if name not in group.parts}
        cores = len(os.sched_getaffinity(0))
        self._create(connection, chain((group.views for group in reused), self._each([*left.values()], views, cores)))

    def of(
        self, parts: Sequence[Part], views: Mapping[str, str], computed: Sequence[PartialViews] = ()
    ) -> PartialViews:
        """Merge the views of part files with views that are already computed, in one thread."""
        import duckdb

        with duckdb.connect() as connection:
            connection.execute(f"set threads = {THREADS}")
            self._create(connection, chain((group.views for group in computed), self._each(parts, views, 1)))
            merged = {name: connection.sql(f"from {identifier(name)}").to_arrow_table() for name in self.merged}
        names = frozenset(part.path.name for part in parts)
        return PartialViews(names.union(*(group.parts for group in computed)), merged)

    def _create(self, connection: DuckDBPyConnection, groups: Iterable[Mapping[str, pa.Table]]) -> None:
        """Create the merged views as tables, from the views of groups of part files."""
        waiting: dict[str, list[pa.Table]] = {name: [] for name in self.merged}
        for views in groups:
            for name, rows in waiting.items():
                if rows and not rows[0].schema.equals(views[name].schema):  # one from a database, one from a part file
                    self._merge(connection, name, rows)
                rows.append(views[name])
                if sum(map(len, rows)) > MOST_WAITING:
                    self._merge(connection, name, rows)
        for name, rows in waiting.items():
            if rows:
                self._merge(connection, name, rows)

    def _each(self, parts: Sequence[Part], views: Mapping[str, str], threads: int) -> Iterator[Mapping[str, pa.Table]]:
        """Compute the views of each part file."""
        with ThreadPoolExecutor(threads) as pool:
            views_of = partial(_released, self.rows_of or partial(self._queried, views=views))
            for first in range(0, len(parts), MOST_AHEAD):
                yield from pool.map(views_of, parts[first : first + MOST_AHEAD])

    def _merge(self, connection: DuckDBPyConnection, name: str, rows: list[pa.Table]) -> None:
        """Merge rows into a table and clear them."""
        merged = self.merged[name]
        columns = rows[0].column_names
        keys = ", ".join(identifier(column) for column in columns if column not in merged)
        values = ", ".join(
            f"{how}({identifier(column)})::bigint as {identifier(column)}" for column, how in merged.items()
        )
        exists = (name,) in connection.execute("show tables").fetchall()
        connection.register("waiting", pa.concat_tables(rows))
        connection.execute(
            f"create or replace table {identifier(name)} as select {keys}, {values} from "
            + (f"(from {identifier(name)} union all by name from waiting)" if exists else "waiting")
            + f" group by {keys} order by {keys}"
        )
        connection.unregister("waiting")
        rows.clear()

    def _queried(self, part: Part, views: Mapping[str, str]) -> dict[str, pa.Table]:
        """Compute the rows of one part file by the views' SQL."""
        names = list(views)
        needed = names[: max(map(names.index, self.merged)) + 1]
        with opened({RESULTS_TABLE: [part]}) as connection:
            for name in needed:
                connection.execute(f"create view {identifier(name)} as {views[name]}")
            return {name: connection.sql(f"from {identifier(name)}").to_arrow_table() for name in self.merged}


def _released(views_of: Callable[[Part], Mapping[str, pa.Table]], part: Part) -> Mapping[str, pa.Table]:
    """Compute the rows of a part file, then release the memory that Arrow would keep for each thread."""
    result = views_of(part)
    pa.default_memory_pool().release_unused()
    return result


@contextmanager
def opened(parts: Mapping[str, Sequence[Part]]) -> Iterator[DuckDBPyConnection]:
    """Open a database in memory with a view of each table, whose column `position` numbers its rows in order."""
    import duckdb

    from pipeline.storage.part_files import PartFiles

    files = PartFiles()
    with duckdb.connect() as connection:
        connection.execute(f"set threads = {THREADS}")
        hide_progress(connection)
        connection.register_filesystem(files)
        for table, of_table in parts.items():
            if of_table and in_object_store(of_table[0].path):
                connection.register(f"{table} as stored", pa.concat_tables(read(part) for part in of_table))
                rows = identifier(f"{table} as stored")
            elif of_table:
                names = ", ".join(literal(files.name(part)) for part in of_table)
                rows = f"read_parquet([{names}], hive_partitioning = false)"
            else:
                continue
            connection.execute(
                f"create view {identifier(table)} as select *, row_number() over () as position from {rows}"
            )
        connection.execute(
            f"create view sources as select source, part, min(position) as place from {RESULTS_TABLE} group by all"
        )
        close_to_others(connection, files.names)
        yield connection
