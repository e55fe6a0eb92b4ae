"""Rebuilds the trees that a summary names: in a separate process if one can start quickly."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from multiprocessing.connection import Connection
from threading import Timer

from pipeline.discovery import SearchPath
from pipeline.errors import OrchardError
from pipeline.grid import Grid, NotableTree
from pipeline.plain_text import note
from pipeline.plan import GridRun
from pipeline.record.kept import kept_at
from pipeline.storage.locations import storage_errors
from pipeline.summary.record import RecordedTree, SummaryRecord, missed, plain_values

InOtherProcess = Callable[..., AbstractContextManager[Connection]]
"""Calls a function with one end of a pipe and arguments in another process, and returns the other end."""

QUIET_SECONDS = 2.0
BUILDING = "building the trees of the summary; kernels that are not compiled yet on this machine are compiled first ..."
"""The message if that takes long."""
ENDED = "the process that was building the tree again ended early"


@contextmanager
def rebuilt_trees(
    run: GridRun,
    wanted: Sequence[NotableTree],
    former: SummaryRecord | None,
    search_path: SearchPath,
    in_other_process: InOtherProcess | None = None,
) -> Iterator[Callable[[], tuple[RecordedTree, ...]]]:
    """Build the trees that a summary names, except those of the former summary; the block gets a function that waits.

    Another process builds them during the block, so that builders and compiled kernels stay out of this process's
    memory.
    """
    existing = {(tree.title, tuple(tree.row.items())): tree for tree in former.trees if tree.tree} if former else {}
    keys = [(tree.title, tuple(plain_values(tree.row).items())) for tree in wanted]
    left = [tree for tree, key in zip(wanted, keys, strict=True) if key not in existing]
    with in_other_process(_send_built, run, left) if in_other_process and left else nullcontext() as pipe:

        def trees() -> tuple[RecordedTree, ...]:
            built = iter(_waited(pipe, left) if pipe else _build(_grid_of(run, search_path), left) if left else ())
            return tuple(existing[key] if key in existing else next(built) for key in keys)

        yield trees


def _waited(pipe: Connection, wanted: Sequence[NotableTree]) -> Sequence[RecordedTree]:
    message = Timer(QUIET_SECONDS, note, [BUILDING])
    message.daemon = True
    message.start()
    try:
        built: Sequence[RecordedTree] = pipe.recv()
    except (EOFError, OSError):  # it ended, perhaps within its answer
        return [missed(tree.title, tree.row, ENDED) for tree in wanted]
    finally:
        message.cancel()
    return built


def _send_built(pipe: Connection, run: GridRun, wanted: Sequence[NotableTree]) -> None:
    built = _build(run.grid, wanted)
    with suppress(BrokenPipeError):  # the driver has been killed
        pipe.send(built)


def _build(grid: Grid, wanted: Sequence[NotableTree]) -> list[RecordedTree]:
    """Each tree, or the reason why it cannot be built."""
    from pipeline.summary.trees import recorded

    result = []
    for tree in wanted:
        try:
            result.append(recorded(tree.title, tree.row, *grid.tree(tree.row)))
        except Exception as error:  # a builder, perhaps a plugin's, failed: the tables remain
            expected = isinstance(error, (OrchardError, ValueError, *storage_errors()))
            why = " ".join((str(error) if expected else f"{type(error).__name__}: {error}").split())
            result.append(missed(tree.title, tree.row, why))
    return result


def _grid_of(run: GridRun, search_path: SearchPath) -> Grid:
    """The grid of a run by its record, which downloads no data set; the run's own grid if that fails."""
    from pipeline.record.runs import grid_run

    try:
        kept = kept_at(run.record_folder)
        return run.grid if kept is None else grid_run(kept, search_path).grid
    except Exception:  # the record does not lead to a grid
        return run.grid
