"""Each grid, run by the command in its small form: what a person gets, and the next command that is shown."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

from pipeline.grammar.notable_trees import IDENTITY
from pipeline.storage.parts import named_parts, read
from pipeline.summary.record import read_summary
from pipeline.words import readable
from tests.pipeline.command_line import rows, run_orchard
from tests.pipeline.grids.every_grid import CASES, grid_of_case
from tests.pipeline.questions import check_answers, finished_run

FILES_BESIDE = {"summary.json"}


def typed_next(screen: str) -> dict[str, list[str]]:
    """The words after the name of each tool that the end of a run names."""
    lines = [line.strip().removeprefix("Next").split("-m pipeline.", 1) for line in screen.splitlines()]
    words = [shlex.split(line[1]) for line in lines if len(line) == 2]
    return {tool: rest for tool, *rest in words if tool in {"show", "query", "report"}}


@pytest.mark.parametrize("name", CASES)
def test_a_small_run_leaves_what_its_readers_need(name: str, small_run: Callable[[str], Path]) -> None:
    made = small_run(name)
    screen = (made / "screen").read_text(encoding="utf-8")
    (folder,) = made.glob(f"outputs/summaries/grid={name}/run=*")
    run = folder.name.removeprefix("run=")
    grid, summary = grid_of_case(name), read_summary(folder, run, name)

    assert summary.has_results
    assert summary.items == grid.items
    assert set(summary.made_from.parts) >= set(grid.tables)
    for table in grid.tables:
        assert named_parts(made / f"outputs/{table}/grid={name}/run={run}")
    assert rows(made / "outputs").num_rows == summary.rows == grid.items * grid.cells_per_item

    files = {file for table in summary.tables for file in table.file_names} | summary.figures.keys()
    assert {path.name for path in folder.iterdir()} == files | FILES_BESIDE
    assert all((folder / file).stat().st_size for file in files)
    assert " ".join(summary.finding.split()) in " ".join(screen.split())
    assert not summary.lacks_trees
    entries = {entry for path in folder.glob("*.svg") for entry in re.findall('data-entry="(.*?)"', path.read_text())}
    made_by = set(rows(made / "outputs").to_pydict().get("builder", ())) - {None}
    assert not entries & {builder for builder in made_by if builder != readable(builder)}
    for tree in summary.trees:
        assert set(tree.row) & set(IDENTITY)

    command = typed_next(screen)
    assert set(command) == {"show", "query", "report"}
    shown = run_orchard(*command["show"], cwd=made, module="pipeline.show")
    assert shown.returncode == 0, shown.stderr
    answer = run_orchard(*command["query"], "--format", "csv", cwd=made, module="pipeline.query")
    assert answer.returncode == 0, answer.stderr
    assert answer.stdout.count("\n") > 1


@pytest.mark.parametrize("name", CASES)
def test_the_tables_and_trees_of_a_small_run_are_of_its_rows(name: str, small_run: Callable[[str], Path]) -> None:
    """Each query answers its row, and each tree is of one row with as many leaves."""
    run = finished_run(small_run(name) / "outputs")
    summary = read_summary(run.summaries, run.id, name)
    assert "\n" not in summary.finding
    assert summary.finding.endswith(".")
    for table in summary.tables:
        if table.question:
            check_answers(run, table)
    with_trees = [row for part in run.scan(run.grid.tree_table).parts for row in read(part).to_pylist()]
    for tree in summary.trees:
        identity = {column: value for column, value in tree.row.items() if column != "cost"}
        (row,) = (row for row in with_trees if identity.items() <= row.items())
        assert all(int(leaves) == row["terminal_nodes"] for leaves in re.findall(r"(\d+) lea", tree.title))
    assert len({tree.title for tree in summary.trees}) == len(summary.trees) <= 4
