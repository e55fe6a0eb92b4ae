"""Trees of a summary are built again in a process of the fork server, which leaves the driver small."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from pipeline.cluster.local import forked, start_fork_server
from pipeline.discovery import Places
from pipeline.driver.rebuilt_trees import ENDED, rebuilt_trees
from pipeline.grid import NotableTree

RUN = """
import sys
from pipeline.command import main
if __name__ == "__main__":
    assert main(["+grid=greedy_vs_dp", "tables.count=5", "cluster.workers=1", f"output={sys.argv[1]}"]) == 0
    sys.exit("numba" in sys.modules)
"""


def test_a_function_is_called_in_another_process() -> None:
    start_fork_server()
    assert forked(os.getpid) != os.getpid()
    assert forked(sorted, [2, 1]) == [1, 2]


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_process_that_ends_without_an_answer_is_an_error() -> None:
    start_fork_server()
    with pytest.raises(EOFError):
        forked(os._exit, 3)


def test_trees_whose_process_ended_say_so() -> None:
    def ended(*_: object) -> None:
        raise EOFError

    wanted = [NotableTree("the first", {"builder": "c45", "fold": 1})]
    (found,) = rebuilt_trees(None, wanted, None, Places(), ended)
    assert (found.title, found.row, found.tree, found.why) == ("the first", wanted[0].row, None, ENDED)


def test_the_driver_of_a_local_run_loads_no_kernels(tmp_path: Path) -> None:
    (tmp_path / "run.py").write_text(RUN)
    subprocess.run([sys.executable, tmp_path / "run.py", tmp_path / "outputs"], check=True, stdout=subprocess.DEVNULL)
    (summary,) = tmp_path.rglob("summary.json")
    trees = json.loads(summary.read_text())["trees"]
    assert trees
    assert all(one["tree"] for one in trees)
