"""The rows of all runs for programs and notebooks: `pipeline.open_results`."""

from __future__ import annotations

import weakref
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.errors import ConfigError
from pipeline.query.database import Database, opened
from pipeline.query.describe import description
from pipeline.query.views import RunsView
from pipeline.record.kept import stored_runs
from pipeline.storage.locations import located

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa
    from duckdb import DuckDBPyRelation


class Results:
    """The rows of the runs in an output folder, as they are when it is opened, to be queried in SQL.

    It is closed by `close`, at the end of a `with` block, or when no reference to it or its answers is left. If the
    folder is in an object store, copies of the part files are kept until it is closed.

    Parameters
    ----------
    output : folder or address of the results
    run : the id of the run to read, or its first characters; None: all runs

    Raises
    ------
    ConfigError
        There are no results, or no such run.
    """

    def __init__(self, output: str | Path = "outputs", run: str | None = None) -> None:
        location = located(str(output))
        runs = stored_runs(location, run)
        stack = ExitStack()
        self._database = stack.enter_context(opened(runs, location))
        self.close = weakref.finalize(self, stack.close)

    def __enter__(self) -> Results:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        views = [view for view in self._database.views if not isinstance(view, RunsView)]
        return f"<results of {', '.join(f'{view.rows:,} {view.name}' for view in views)}>"

    def sql(self, question: str) -> Answer:
        """The answer to one SELECT, which is computed when it is fetched.

        Raises
        ------
        ConfigError
            The query is not a single SELECT.
        duckdb.Error
            DuckDB cannot parse the query, or does not know a name in it.
        KeyboardInterrupt
            Ctrl-C was pressed. If DuckDB does not end within half a second, the query is abandoned, and these results
            run no further queries.
        """
        return Answer(self, self.database.answer(question))

    def describe(self) -> pa.Table:
        """A table with a row for each column of each view: its type and meaning, and the view's rows and runs."""
        return description(self.database)

    @property
    def database(self) -> Database:
        """The database; ConfigError if it is closed."""
        if not self.close.alive:
            raise ConfigError("these results are closed: query them within the `with` block, or open them again")
        return self._database


class Answer:
    """The result of a query, as an Arrow table, a pandas frame or a DuckDB relation. It keeps the `Results` open."""

    def __init__(self, results: Results, relation: DuckDBPyRelation) -> None:
        self._results, self._relation = results, relation

    def __repr__(self) -> str:
        return self._results.database.fetched(lambda: repr(self._relation))

    @property
    def columns(self) -> list[str]:
        """The names of its columns."""
        return self._results.database.fetched(lambda: list(self._relation.columns))

    def arrow(self) -> pa.Table:
        """All rows, with exact types: sums of integers are decimals without a fraction."""
        return self._results.database.fetched(self._relation.to_arrow_table)

    def pandas(self) -> pd.DataFrame:
        """All rows as a pandas frame; ConfigError if pandas is not installed (Orchard does not require it)."""
        try:
            import pandas  # noqa: F401
        except ImportError as error:
            raise ConfigError("pandas is not installed: type python -m pip install pandas, or call .arrow()") from error
        return self._results.database.fetched(self._relation.df)

    def duckdb(self) -> DuckDBPyRelation:
        """The relation itself, for further filters, joins and groups; valid while the results are open."""
        return self._relation
