"""The summary of searches in tasks: the best tree of each search, and whether it is proven."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import RenderableType

from pipeline.drawing.figures import BLUE, GREY, VERMILLION, label
from pipeline.drawing.frame import Axes, Inches, framed
from pipeline.drawing.marks import entry, point
from pipeline.grammar.columns import Key, Row, Value, grouped, titled
from pipeline.grammar.findings import listing
from pipeline.grammar.notable_trees import row_identity
from pipeline.grammar.summary import Results, Summary
from pipeline.grammar.table import Table
from pipeline.grid import NotableTree
from pipeline.grids.parallel_proof.grid import TIE
from pipeline.words import counted, out_of

FIRST, OTHERS = "task = 0", "task > 0"
PROOF = "task > 0 and not helps"
"""Tasks that have trees. Those that help have only a bound of a branch, which others use."""
SEARCH = ("source", "part", "max_depth")

VIEWS = {
    "tasks": """select *, (parameters ->> 'max_depth')::int as max_depth, (parameters ->> 'task')::int as task,
  optimal is null and bound is not null as helps
from results""",
}
BOUND = f"""least(min(objective), greatest(max(bound) filter (where {FIRST}),
  if(count(bound) = count(*), min(bound) filter (where {PROOF}), 0)))"""
"""A tree is in one of the tasks, so no tree is below the least bound of these."""

PROOFS = Table(
    "proofs",
    "The best tree of each search, and its proof",
    of="tasks",
    columns=[
        *map(Key, SEARCH),
        Value("rows", "max(rows)"),
        Value("train_accuracy", "first(train_accuracy order by objective, task) filter (where objective is not null)"),
        Value("objective", "min(objective)"),
        Value("bound", BOUND),
        Value("proven", f"coalesce({BOUND} >= min(objective) * (1 - {TIE}), false)"),
        Value("tasks", f"count(*) filter (where {OTHERS})"),
        Value("open_tasks", f"count(*) filter (where {PROOF} and not coalesce(optimal, false))"),
        Value("better_trees", f"count(objective) filter (where {OTHERS})"),
        Value("seconds", "sum(build_seconds)"),
        Value("longest_seconds", "max(build_seconds)"),
    ],
    order="_position",
    note="objective: errors / errors of the majority rule + alpha x splits, of the best tree; bound: no tree has a "
    "smaller one. open_tasks: those that reached their limit or failed. better_trees: tasks whose tree is better "
    "than those known before. seconds: the sum over all tasks; longest_seconds: those of the longest task. "
    "Both depend on which tasks ended before, and so does better_trees.",
)


def _finding(results: Results) -> list[str]:
    """State how many searches are proven, and how the time of the tasks compares with the longest."""
    rows = results.rows(PROOFS)
    proven = [row for row in rows if row["proven"]]
    clauses = [f"proven optimal: {out_of(len(proven), len(rows), 'tree')}"]
    if len(rows) == 1 and rows[0]["objective"] is not None:
        (row,) = rows
        known = "is proven optimal" if proven else f"is not proven: no tree is below {row['bound']:.4f}"
        clauses = [f"the objective of {row['objective']:.4f} at depth {row['max_depth']} on {titled(row)} {known}"]
    if left := sum(row["open_tasks"] for row in rows):
        clauses.append(f"{counted(left, 'task')} ended without a proof")
    timed = [row for row in rows if row["seconds"] is not None]  # not those whose tasks all failed
    total, longest = sum(row["seconds"] for row in timed), max(row["longest_seconds"] for row in timed)
    clauses.append(f"all tasks took {total:.1f} s, the longest {longest:.1f} s")
    return clauses


def _screen(results: Results, _: int) -> list[RenderableType]:
    """A line for each search."""
    lines = [
        (
            titled(row),
            row["max_depth"],
            f"{row['objective']:.6f}",
            f"{row['bound']:.6f}",
            "yes" if row["proven"] else "no",
            row["tasks"],
            row["better_trees"],
            f"{row['seconds']:.1f}",
            f"{row['longest_seconds']:.1f}",
        )
        for row in results.rows(PROOFS)
        if row["objective"] is not None
    ]
    headings = ("", "depth", "objective", "bound", "proven", "tasks", "better trees", "seconds", "longest")
    return [listing("The best tree of each search, and its proof", headings, lines)]


def _searches(results: Results) -> list[tuple[Row, Sequence[Row], Row | None]]:
    """Each search with its tasks, and the first task that has the best tree; None if no task has a tree."""
    tasks = grouped(results.query("from tasks order by position"), *SEARCH)
    searches = [(proof, tasks[tuple(proof[name] for name in SEARCH)]) for proof in results.rows(PROOFS)]
    return [(proof, own, min(filter(_has_tree, own), key=_rank, default=None)) for proof, own in searches]


def _has_tree(task: Row) -> bool:
    return task["objective"] is not None


def _rank(task: Row) -> tuple[int, int]:
    return round(task["objective"] / TIE), task["task"]


def _trees(results: Results) -> list[NotableTree]:
    """The best tree of each search."""
    words = {True: "the optimal tree", False: "the best tree found"}
    return [
        NotableTree(
            f"{words[proof['proven']]} of depth {proof['max_depth']} or less on {titled(proof)}", row_identity(best)
        )
        for proof, _, best in _searches(results)
        if best
    ]


PANEL, GAP, ABOVE, BELOW = 1.8, 0.75, 1.55, 0.6
"""In inches: the height of a panel, and the space between, above and below panels."""
BEST, BETTER = "the best tree", "a tree better than those known before"
PROVEN, OPEN = "proven: no better tree", "not proven"
LOOKS: dict[str, dict[str, Any]] = {
    PROVEN: {"marker": "s", "color": GREY},
    OPEN: {"marker": "s", "color": "white", "markeredgecolor": GREY},
    BETTER: {"marker": "o", "color": BLUE},
    BEST: {"marker": "*", "color": VERMILLION, "markersize": 11},
}


def _draw(results: Results, folder: Path) -> tuple[Path, ...]:
    """Draw `parallel_proof.svg` and `.png`, a panel for each search; nothing if first trees are proven at once."""
    searches = [search for search in _searches(results) if search[2] and any(map(_seconds, search[1][1:]))]
    if not searches:
        return ()
    titles = [
        f"{titled(proof)}, depth {proof['max_depth']}: objective {proof['objective']:.4f}, "
        + ("proven optimal" if proof["proven"] else f"at least {proof['bound']:.4f}")
        for proof, _, _ in searches
    ]
    height = ABOVE + (PANEL + GAP) * len(searches) - GAP + BELOW
    inches = Inches(6.5, height, left=0.75, right=0.15, above=ABOVE, below=BELOW)
    caption = "task 0 looks for a first tree; the others share the tests at its root, or just below"
    shape, title = (len(searches), 1), "The time of each task, and the best tree"
    with framed(folder, "parallel_proof", title, caption, inches, shape, lines="y", hspace=GAP / PANEL) as frame:
        panels = frame.titled(titles, "task", "seconds", letters=60).values()
        for axes, (proof, tasks, best) in zip(panels, searches, strict=True):
            for task in tasks:
                _task(axes, proof, task, BEST if task is best else BETTER if _has_tree(task) else "")
            axes.margins(x=0.02)
        frame.key([entry(kind, **({"linestyle": "", "markersize": 7} | look)) for kind, look in LOOKS.items()], 2)
    return frame.files


def _task(axes: Axes, proof: Row, task: Row, tree: str) -> None:
    """Draw the seconds of a task as a bar, with a mark on it if the task has a tree."""
    kind, seconds = PROVEN if task["optimal"] or task["helps"] else OPEN, _seconds(task)
    name = f"task {task['task']}, {titled(proof)}, depth {proof['max_depth']}"
    text = f"{name}: {seconds:.3g} s, {tree or kind}"
    label(axes.bar(task["task"], seconds, color=LOOKS[kind]["color"], edgecolor=GREY), text, proof)
    if tree:
        point(axes, task["task"], seconds, text, proof, clip_on=False, **LOOKS[tree])


def _seconds(task: Row) -> float:
    return task["build_seconds"] or 0.0


SUMMARY = Summary(
    tables=(PROOFS,),
    views=VIEWS,
    finding=_finding,
    screen=_screen,
    figures=(_draw,),
    trees=_trees,
    cell="task",
    failures_in="",
    nothing="No task ended with a result: every {cell} failed.",
)
