"""A finished run again: its tables are computed again, its figures drawn again only where something has changed."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.pipeline.command_line import FINISHED, called, environment

LOADED = """
import sys
from pipeline.command import main
status = main(sys.argv[1:])
from multiprocessing.forkserver import _forkserver
print(*sorted({"matplotlib", "dask", "distributed"} & set(sys.modules)), _forkserver._forkserver_pid, status)
"""


@pytest.fixture(scope="module")
def cwd(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a finished run."""
    folder = tmp_path_factory.mktemp("finished")
    done = called(*FINISHED, cwd=folder)
    assert done.returncode == 0, done.stderr
    return folder


def again(cwd: Path) -> dict[str, tuple[int, bytes]]:
    """When each file of the summary was written, and what is in it, after the run is finished again."""
    done = called(*FINISHED, cwd=cwd)
    assert done.returncode == 0, done.stderr
    assert "greedy_vs_dp.svg, greedy_vs_dp.png" in done.stdout
    return {path.name: (path.stat().st_mtime_ns, path.read_bytes()) for path in summaries(cwd).iterdir()}


def summaries(cwd: Path) -> Path:
    (folder,) = (cwd / "outputs").glob("summaries/grid=*/run=*")
    return folder


def test_figures_of_the_same_rows_stay_as_they_are(cwd: Path) -> None:
    before, after = again(cwd), again(cwd)
    assert {name for name in before if before[name][0] == after[name][0]} == {"greedy_vs_dp.svg", "greedy_vs_dp.png"}
    assert {name: content for name, (_, content) in before.items()} == {n: content for n, (_, content) in after.items()}


def test_a_finished_run_loads_nothing_that_draws_or_works(cwd: Path) -> None:
    again(cwd)
    command = [sys.executable, "-c", LOADED, *FINISHED]
    done = subprocess.run(command, cwd=cwd, env=environment(), capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "None 0"


@pytest.mark.parametrize("changed", ["made_from", "tables", "asked", "a figure"])
def test_figures_are_drawn_again_where_anything_has_changed(cwd: Path, changed: str) -> None:
    before = again(cwd)
    if changed == "a figure":
        (summaries(cwd) / "greedy_vs_dp.png").unlink()
    else:
        record = json.loads(before["summary.json"][1])
        if changed == "made_from":
            record["made_from"]["code"] = "0" * 16
        elif changed == "tables":
            record["tables"][0]["table"]["note"] += " Another note."
        else:
            record["asked"] = record["asked"][1:]
        (summaries(cwd) / "summary.json").write_text(json.dumps(record))
    after = again(cwd)
    assert before["greedy_vs_dp.svg"][0] != after["greedy_vs_dp.svg"][0]
    assert {name: content for name, (_, content) in before.items()} == {n: content for n, (_, content) in after.items()}
