"""How experiments on decision trees are run: configuration, plan, cluster, Parquet parts, summaries."""

from __future__ import annotations

import os
import sys


def _leave_working_folder() -> None:
    """Take the folder that `python -m` puts first off the import path, unless this package is in it.

    What lies beside the user is data. Until this line has run, Python itself looks there first: nothing but `os` and
    `sys`, which Python has loaded before, may be imported above it.
    """
    try:
        here, put_first, ours = map(os.stat, (os.curdir, sys.path[0], f"{os.path.dirname(__file__)}/.."))  # noqa: PTH120
    except OSError:  # the working folder is gone, and Python has put nothing first
        return
    if os.path.samestat(here, put_first) and not os.path.samestat(here, ours):
        del sys.path[0]


if sys.argv[:1] == ["-m"] and not sys.flags.safe_path:  # so it is while Python looks for the module after -m
    _leave_working_folder()

from typing import TYPE_CHECKING  # noqa: E402

if TYPE_CHECKING:
    from pathlib import Path

    from pipeline.query.comparison import Comparison
    from pipeline.query.results import Results

__all__ = ["compare", "open_results"]


def compare(output: str | Path, a: str, b: str) -> Comparison:
    """How two runs of a grid differ: keys of their configurations, and result rows.

    ```python
    import pipeline
    found = pipeline.compare("outputs", "10ef", "2207")
    print(found.keys, found.differing, found.columns)
    frame = pipeline.open_results("outputs").sql(found.question).pandas()  # every row that differs
    ```

    Rows are joined by the columns that say what they are of. Columns that end in `_seconds` or `_bytes` are not
    compared. Of a run that is not complete, the rows that are there are compared.

    Parameters
    ----------
    output : folder or address of the results
    a, b : the ids of two runs, or how they begin

    Raises
    ------
    ConfigError
        There is no such run, both are one run, or they are of different grids.
    """
    from pipeline.query.comparison import compared, two_runs
    from pipeline.storage.places import located

    return compared(two_runs(located(str(output)), a, b))


def open_results(output: str | Path = "outputs", run: str | None = None) -> Results:
    """The rows of all runs below an output folder, to be asked in SQL from a program or a notebook.

    ```python
    import pipeline
    frame = pipeline.open_results("outputs").sql("select builder, avg(nodes) from results group by 1").pandas()
    ```

    Answers come as Arrow tables (`.arrow()`), pandas frames (`.pandas()`) or DuckDB relations (`.duckdb()`); the views
    are those of `python -m pipeline.query --describe`. Nothing is written.

    Every part is verified when the results are opened: its bytes against the digest in its name, its footer against the
    run, the items and the number of rows. Parts that fail are named on stderr and left out. A part that changes or goes
    afterwards is not read: the question ends with an error, and the results must be opened again.

    Parameters
    ----------
    output : folder or address of the results
    run : the id of the only run to be asked, or how it begins; None: all runs

    Raises
    ------
    ConfigError
        There are no results, or no such run.

    Notes
    -----
    The digests tell of damage, not of intent: who can write to the folder can publish parts of their own.
    """
    from pipeline.query.results import Results

    return Results(output, run)
