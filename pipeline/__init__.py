"""How experiments on decision trees are run: configuration, plan, cluster, Parquet parts, summaries."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from pipeline.query.results import Results

__all__ = ["open_results"]


def open_results(output: str | Path = "outputs", run: str | None = None) -> Results:
    """The rows of all runs below an output folder, to be asked in SQL from a program or a notebook.

    ```python
    import pipeline
    frame = pipeline.open_results("outputs").sql("select builder, avg(nodes) from results group by 1").pandas()
    ```

    Answers come as Arrow tables (`.arrow()`), pandas frames (`.pandas()`) or DuckDB relations (`.duckdb()`); the views
    are those of `python -m pipeline.query --describe`. Nothing but verified parts is read, and nothing is written.

    Parameters
    ----------
    output : folder or address of the results
    run : the id of the only run to be asked, or how it begins; None: all runs

    Raises
    ------
    ConfigError
        There are no results, or no such run.
    """
    from pipeline.query.results import Results

    return Results(output, run)
