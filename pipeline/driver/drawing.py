"""Draws the figures of a summary in a separate process, which imports Matplotlib while the run computes."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection
from pathlib import Path
from tempfile import TemporaryDirectory

from pipeline.driver.rebuilt_trees import InOtherProcess
from pipeline.garbage import search_now
from pipeline.grid import TableRows
from pipeline.plan import GridRun
from pipeline.storage.atomic import write_atomically
from pipeline.storage.parts import Part

Parts = Mapping[str, Sequence[Part]]

Figures = Callable[[], tuple[Path, ...] | None]
"""Waits for the figures of a summary, and returns their files; None if they must be drawn in this process."""

Draw = Callable[[Parts, TableRows, Path], Figures]
"""Begins to draw the figures of a summary of these parts and rows, which are written into a folder."""


@contextmanager
def drawing(run: GridRun, in_other_process: InOtherProcess) -> Iterator[Draw]:
    """A process that draws the figures of a summary of a run, during the block.

    The files themselves are written here, by the process that holds the run.
    """
    with in_other_process(_draw, run) as pipe:

        def draw(parts: Parts, rows: TableRows, folder: Path) -> Figures:
            with suppress(OSError):  # the process has ended
                pipe.send((parts, rows))

            def figures() -> tuple[Path, ...] | None:
                try:
                    files = pipe.recv()
                except (EOFError, OSError):
                    return None
                return tuple(write_atomically(folder / name, file) for name, file in files)

            return figures

        yield draw


def _draw(pipe: Connection, run: GridRun) -> None:
    """Receive parts and rows, and send the name and content of each file of the figures.

    If that raises, nothing is sent: the summary then draws the figures itself, and reports the error.
    """
    with suppress(Exception), ThreadPoolExecutor(1) as thread:
        received = thread.submit(pipe.recv)  # at once, so that sending does not wait for what is loaded
        gc.disable()
        run.grid.load_summary(figures=True)
        search_now()
        parts, rows = received.result()
        with TemporaryDirectory() as folder:
            pipe.send([(path.name, path.read_bytes()) for path in run.grid.draw(parts, rows, Path(folder))])
