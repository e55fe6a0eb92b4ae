"""How experiments on decision trees are run: configuration, plan, cluster, Parquet part files, summaries."""

from __future__ import annotations

import os
import sys


def _leave_working_folder() -> None:
    """Remove the folder that `python -m` puts first on the import path, unless it contains this package.

    Files beside the user are data, not code. Until this line has run, Python itself looks there first, so nothing but
    `os` and `sys`, which are already loaded, may be imported above it.
    """
    try:
        here, put_first, ours = map(os.stat, (os.curdir, sys.path[0], f"{os.path.dirname(__file__)}/.."))  # noqa: PTH120
    except OSError:  # the working folder is gone, and Python has put nothing first
        return
    if os.path.samestat(here, put_first) and not os.path.samestat(here, ours):
        del sys.path[0]


if sys.argv[:1] == ["-m"] and not sys.flags.safe_path:  # the case while Python looks for the module after -m
    _leave_working_folder()

from typing import TYPE_CHECKING  # noqa: E402

if TYPE_CHECKING:
    from pathlib import Path

    from pipeline.grid import GridSummary
    from pipeline.query.comparison import Comparison
    from pipeline.query.results import Results

__all__ = ["compare", "open_results", "summarise"]


def compare(output: str | Path, a: str, b: str) -> Comparison:
    """Compare two runs of a grid: keys of their configurations, and result rows.

    ```python
    import pipeline
    comparison = pipeline.compare("outputs", "10ef", "2207")
    print(comparison.keys, comparison.differing, comparison.columns)
    frame = pipeline.open_results("outputs").sql(comparison.question).pandas()  # every row that differs
    ```

    Rows are joined by the columns that identify them. Columns that end in `_seconds` or `_bytes` are not compared. Of
    an incomplete run, the existing rows are compared.

    Parameters
    ----------
    output : folder or address of the results
    a, b : the ids of two runs, or the first characters of their ids

    Raises
    ------
    ConfigError
        There is no such run, `a` and `b` are the same run, or the runs are of different grids.
    """
    from pipeline.query.comparison import compared, runs_to_compare
    from pipeline.storage.locations import located

    return compared(runs_to_compare(located(str(output)), [a, b]))


def open_results(output: str | Path = "outputs", run: str | None = None) -> Results:
    """Open the rows of all runs in an output folder, to be queried in SQL from a program or a notebook.

    ```python
    import pipeline
    frame = pipeline.open_results("outputs").sql("select builder, avg(nodes) from results group by 1").pandas()
    ```

    Answers are Arrow tables (`.arrow()`), pandas frames (`.pandas()`) or DuckDB relations (`.duckdb()`). The views are
    those that `python -m pipeline.query --describe` lists. Nothing is written.

    Opening verifies every part file: the bytes must match the digest in the file's name, and the footer must match the
    run, the items and the number of rows. Part files that fail are reported on stderr and left out. If a part file
    changes or disappears afterwards, the query ends with an error, and the results must be opened again.

    Parameters
    ----------
    output : folder or address of the results
    run : the id of the only run to query, or its first characters; None: all runs

    Raises
    ------
    ConfigError
        There are no results, or no such run.

    Notes
    -----
    The digests detect damage, not forgery: whoever can write to the folder can add forged part files.
    """
    from pipeline.query.results import Results

    return Results(output, run)


def summarise(output: str | Path, run: str, folder: str | Path) -> GridSummary:
    """Write the tables and figures of a complete run into a folder, from its rows.

    ```python
    import pipeline
    summary = pipeline.summarise("reproduced/rows", "greedy_vs_dp", "pictures")
    print(summary.finding, summary.figures)
    ```

    Only the summary is computed, from the stored rows; no data set is read. The command that runs the grid writes the
    same files when the run ends.

    Parameters
    ----------
    output : folder or address of the results
    run : the id of a run, the first characters of an id, or the name of a grid, which means the grid's newest run
    folder : where the files go; created if it does not exist

    Returns
    -------
    GridSummary
        `finding`, a sentence; `documents`, the tables; `figures`, the paths of the SVG and PNG files.

    Raises
    ------
    ConfigError
        There is no such run, or it is not complete.
    """
    from pathlib import Path

    from pipeline.driver.summarising import summarised
    from pipeline.storage.locations import located

    return summarised(located(str(output)), run, Path(folder))
