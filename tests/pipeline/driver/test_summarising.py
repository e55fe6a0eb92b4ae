"""A finished run again: its tables are computed again, its figures drawn again only where something has changed."""

from __future__ import annotations

import json
import re
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from pipeline.discovery import GridFolder
from pipeline.driver.summarising import faults_named
from pipeline.errors import OrchardError
from pipeline.grammar.comparison.grid import CompareBuildersGrid, NamedSummary
from pipeline.grammar.summary import Summary
from pipeline.grids.greedy_vs_dp.grid import GreedyVsDpGrid as OURS
from pipeline.plan import GridRun
from tests.pipeline.command_line import FINISHED, python, run_orchard

LOADED = """
import sys
from pipeline.command import main
status = main(sys.argv[1:])
from multiprocessing.forkserver import _forkserver
print(*sorted({"matplotlib", "dask", "distributed"} & set(sys.modules)), _forkserver._forkserver_pid, status)
"""


def again(finished: Path) -> dict[str, tuple[int, bytes]]:
    """When each file of the summary was written, and what is in it, after the run is finished again."""
    done = run_orchard(*FINISHED, cwd=finished, figures=True)
    assert done.returncode == 0, done.stderr
    assert "greedy_vs_dp.svg, greedy_vs_dp.png" in done.stdout
    return {path.name: (path.stat().st_mtime_ns, path.read_bytes()) for path in summaries(finished).iterdir()}


def summaries(finished: Path) -> Path:
    (folder,) = (finished / "outputs").glob("summaries/grid=*/run=*")
    return folder


def test_a_finished_run_loads_nothing_that_draws_or_works(finished: Path) -> None:
    assert python(LOADED, *FINISHED, cwd=finished).splitlines()[-1] == "None 0"


def test_figures_are_drawn_again_only_where_anything_has_changed(
    finished: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, drawn = summaries(finished), {"greedy_vs_dp.svg", "greedy_vs_dp.png"}
    figures = {name: (folder / name).read_bytes() for name in drawn}

    def draw(_: Summary, parts: object, rows: object, folder: Path, **__: object) -> tuple[Path, ...]:
        """Write what was drawn before, which takes no second each time."""
        for name, content in figures.items():
            (folder / name).write_bytes(content)
        return tuple(folder / f"greedy_vs_dp.{form}" for form in ("svg", "png"))

    monkeypatch.setattr(Summary, "draw", draw)
    before = again(finished)
    for changed in ("nothing", "made_from", "tables", "requested", "a figure gone", "a figure damaged"):
        record = json.loads(before["summary.json"][1])
        del record["digest"]
        if changed == "made_from":
            record["made_from"]["code"] = "0" * 16
        elif changed == "tables":
            record["tables"][0]["note"] += " Another note."
        elif changed == "requested":
            record["requested"] = record["requested"][1:]
        elif changed == "a figure gone":
            (folder / "greedy_vs_dp.png").unlink()
        elif changed == "a figure damaged":
            (folder / "greedy_vs_dp.svg").write_bytes(before["greedy_vs_dp.svg"][1][:20_000] + b"\xff")
        (folder / "summary.json").write_text(json.dumps(record))
        after = again(finished)
        kept = {name for name in before if before[name][0] == after[name][0]}
        assert kept == (drawn if changed == "nothing" else set()), changed
        assert {name: content for name, (_, content) in before.items()} == {n: text for n, (_, text) in after.items()}
        before = after


class Theirs(OURS, version=1):
    """A grid of somebody's own, in this file."""


def test_a_fault_in_a_declared_summary_names_its_folder(tmp_path: Path) -> None:
    """The file is right for tables without rows, so it is refused only when there are rows."""
    grid = CompareBuildersGrid.__new__(CompareBuildersGrid)
    declared = NamedSummary("smith", GridFolder("smith", tmp_path, None))
    object.__setattr__(grid, "summary", declared)
    named = f"the summary of grid 'smith' failed in {tmp_path}: ValueError: the SQL of table 'counts'"
    with (
        pytest.raises(OrchardError, match=re.escape(named)),
        faults_named(cast("GridRun", SimpleNamespace(name="smith", grid=grid))),
    ):
        raise ValueError("the SQL of table 'counts'")


@pytest.mark.parametrize("error", [ValueError("odd"), SystemExit("odd"), OrchardError("told"), OSError("full")])
def test_a_fault_in_the_summary_of_somebodys_own_grid_is_named_with_its_line(error: BaseException) -> None:
    theirs, ours = (cast("GridRun", SimpleNamespace(name="mine", grid=kind.__new__(kind))) for kind in (Theirs, OURS))
    with pytest.raises(type(error)), faults_named(ours):
        raise error
    with pytest.raises((OrchardError, OSError)) as caught, faults_named(theirs):
        raise error
    if isinstance(error, ValueError | SystemExit):
        line = rf"grid 'mine' failed in {__file__}, line \d+: {type(error).__name__}: odd\nthe rows are kept"
        assert re.search(line, str(caught.value))
    else:
        assert caught.value is error
