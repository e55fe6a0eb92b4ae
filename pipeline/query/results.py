"""The rows of all runs for programs and notebooks: `pipeline.open_results`."""

from __future__ import annotations

import weakref
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from pipeline.errors import ConfigError
from pipeline.query.database import Database, opened
from pipeline.query.describe import description
from pipeline.record.kept import stored_runs
from pipeline.storage.places import located

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa
    from duckdb import DuckDBPyRelation

__all__ = ["Answer", "Results"]


class Results:
    """The rows of the runs below an output folder, as they are when this is made, to be asked in SQL.

    It is closed by `close`, at the end of a `with` block, or when nothing refers to it or its answers any more; until
    then copies of parts that are in an object store are kept.

    Parameters
    ----------
    output : folder or address of the results
    run : the id of the only run to be asked, or how it begins; None: all runs

    Raises
    ------
    ConfigError
        There are no results, or no such run.
    """

    def __init__(self, output: str | Path = "outputs", run: str | None = None) -> None:
        place = located(str(output))
        runs = stored_runs(place, run)
        stack = ExitStack()
        self._database = stack.enter_context(opened(runs, place))
        self.close = weakref.finalize(self, stack.close)

    def __enter__(self) -> Results:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<results of {', '.join(f'{view.rows:,} {view.name}' for view in self._database.views)}>"

    def sql(self, question: str) -> Answer:
        """The answer to one SELECT, which is worked when it is fetched.

        Raises
        ------
        ConfigError
            The question is anything but one SELECT.
        duckdb.Error
            DuckDB cannot read it, or knows none of the names in it.
        KeyboardInterrupt
            Ctrl-C. Where DuckDB does not end within half a second, it is left to end by itself, and these results
            answer no more questions.
        """
        return Answer(self, self.database.answer(question))

    def describe(self) -> pa.Table:
        """Every view with its rows, runs and columns, their types and meanings; a row a column."""
        return description(self.database)

    @property
    def database(self) -> Database:
        """What is asked; ConfigError once it is closed."""
        if not self.close.alive:
            msg = "these results are closed: ask within the `with` block, or open them again"
            raise ConfigError(msg)
        return self._database


class Answer:
    """What a question selects: as an Arrow table, a pandas frame or a DuckDB relation. It keeps its results open."""

    def __init__(self, results: Results, relation: DuckDBPyRelation) -> None:
        self._results, self._relation = results, relation

    def __repr__(self) -> str:
        return self._results.database.fetched(lambda: repr(self._relation))

    @property
    def columns(self) -> list[str]:
        """The names of its columns."""
        return self._results.database.fetched(lambda: list(self._relation.columns))

    def arrow(self) -> pa.Table:
        """All rows, of exact types: sums of whole numbers are decimals without a point."""
        return self._results.database.fetched(self._relation.to_arrow_table)

    def pandas(self) -> pd.DataFrame:
        """All rows as a frame; ConfigError where pandas is not installed, which Orchard itself does not need."""
        try:
            import pandas  # noqa: F401
        except ImportError as error:
            msg = "pandas is not installed: python -m pip install pandas, or take .arrow()"
            raise ConfigError(msg) from error
        return self._results.database.fetched(self._relation.df)

    def duckdb(self) -> DuckDBPyRelation:
        """The relation itself, to be filtered, joined and grouped further; of use while the results are open."""
        return self._relation
