"""Trees and figures of a summary are made in processes of the fork server, which leaves the driver small."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from contextlib import nullcontext
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from pipeline.cluster.local import forked, start_fork_server
from pipeline.discovery import SearchPath
from pipeline.driver.rebuilt_trees import ENDED, _send_built, rebuilt_trees
from pipeline.grid import NotableTree
from pipeline.plan import GridRun
from tests.pipeline.command_line import until
from tests.pipeline.small_grids import grid

RUN = """
import sys
from pipeline.command import main
if __name__ == "__main__":
    few = ["tables.count=5", "tables.groups=1", "heuristics=[max/rt,w_sum/gini]"]
    assert main(["+grid=greedy_vs_dp", *few, "cluster.workers=1", f"output={sys.argv[1]}"]) == 0
    sys.exit("numba" in sys.modules or "matplotlib" in sys.modules)
"""


def _add(pipe: Connection, first: int) -> None:
    pipe.send((first + pipe.recv(), os.getpid()))


def _end(_: Connection, status: int) -> None:
    os._exit(status)


def _for_ever(_: Connection, folder: Path) -> None:
    (folder / str(os.getpid())).touch()
    time.sleep(600)


def test_a_function_is_called_in_another_process() -> None:
    start_fork_server()
    with forked(_add, 1) as pipe:
        pipe.send(2)
        total, process = pipe.recv()
    assert total == 3
    assert process != os.getpid()


def test_trees_that_a_killed_driver_no_longer_wants_are_no_error(tmp_path: Path) -> None:
    driver, process = Pipe()
    driver.close()
    _send_built(process, GridRun(grid(), "greedy_vs_dp", "0123456789ab", tmp_path), [])


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_process_that_ends_without_an_answer_is_an_error() -> None:
    start_fork_server()
    with forked(_end, 3) as pipe, pytest.raises(EOFError):
        pipe.recv()


def test_a_process_ends_with_the_block_that_began_it(tmp_path: Path) -> None:
    start_fork_server()
    with forked(_for_ever, tmp_path):
        until(lambda: any(tmp_path.iterdir()), seconds=30)
        (process,) = tmp_path.iterdir()
    assert not Path("/proc", process.name).exists()


@pytest.mark.parametrize("answer", [b"", b"\0\0\1\0half"])
def test_trees_whose_process_ended_say_so(answer: bytes) -> None:
    ours, theirs = Pipe()
    os.write(theirs.fileno(), answer)
    theirs.close()
    wanted = [NotableTree("the first", {"builder": "c45", "fold": 1})]
    with rebuilt_trees(None, wanted, None, SearchPath(), lambda *_: nullcontext(ours)) as trees:
        (result,) = trees()
    assert (result.title, result.row, result.tree, result.why) == ("the first", wanted[0].row, None, ENDED)


def test_the_driver_of_a_local_run_loads_neither_kernels_nor_what_draws(tmp_path: Path) -> None:
    (tmp_path / "run.py").write_text(RUN)
    subprocess.run([sys.executable, tmp_path / "run.py", tmp_path / "outputs"], check=True, stdout=subprocess.DEVNULL)
    (summary,) = tmp_path.rglob("summary.json")
    trees = json.loads(summary.read_text())["trees"]
    assert trees
    assert all(tree["tree"] for tree in trees)
