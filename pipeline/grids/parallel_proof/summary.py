"""The summary of searches in tasks: the best tree of each search, and whether it is proven."""

from __future__ import annotations

from rich.console import RenderableType

from pipeline.grammar.columns import Key, Value, titled
from pipeline.grammar.findings import listing
from pipeline.grammar.notable_trees import called
from pipeline.grammar.summary import Results, Summary
from pipeline.grammar.table import POSITION, Table
from pipeline.grid import NotableTree
from pipeline.words import counted, out_of

__all__ = ["SUMMARY"]

SAME = 1e-9
"""Objectives that differ by this share are equal."""
FIRST, OTHERS = "task = 0", "task > 0"

VIEWS = {
    "tasks": """select *, (parameters ->> 'max_depth')::int as max_depth, (parameters ->> 'task')::int as task
from results""",
}
BOUND = f"""least(min(objective), greatest(max(bound) filter (where {FIRST}),
  if(count(bound) = count(*), min(bound) filter (where {OTHERS}), 0)))"""
"""A tree has its root test in one of the tasks, so no tree is below the least bound of these."""

PROOFS = Table(
    "proofs",
    "The best tree of each search, and its proof",
    of="tasks",
    columns=[
        *(Key(name) for name in ("source", "part", "max_depth")),
        Value("rows", "max(rows)"),
        Value("train_accuracy", "first(train_accuracy order by objective, task) filter (where objective is not null)"),
        Value("objective", "min(objective)"),
        Value("bound", BOUND),
        Value("proven", f"coalesce({BOUND} >= min(objective) * (1 - {SAME}), false)"),
        Value("tasks", f"count(*) filter (where {OTHERS})"),
        Value("open_tasks", f"count(*) filter (where {OTHERS} and not coalesce(optimal, false))"),
        Value("better_trees", f"count(objective) filter (where {OTHERS})"),
        Value("seconds", "sum(build_seconds)"),
        Value("longest_seconds", "max(build_seconds)"),
        POSITION,
    ],
    order="_position",
    note="objective: errors / errors of the majority rule + alpha x splits, of the best tree; bound: no tree has a "
    "smaller one. open_tasks: those that reached their limit or failed. better_trees: tasks whose tree is better "
    "than those known before. seconds: of all tasks together, and of the longest; they depend on which tasks ended "
    "before, as better_trees does.",
)


def _finding(results: Results) -> list[str]:
    """State how many searches are proven, and how the time of the tasks compares with the longest."""
    rows = results.rows(PROOFS)
    proven = [row for row in rows if row["proven"]]
    clauses = [f"{out_of(len(proven), len(rows), 'tree')} are proven optimal"]
    if len(rows) == 1 and rows[0]["objective"] is not None:
        (row,) = rows
        known = "is proven optimal" if proven else f"is not proven: no tree is below {row['bound']:.4f}"
        clauses = [f"the objective of {row['objective']:.4f} at depth {row['max_depth']} on {titled(row)} {known}"]
    if left := sum(row["open_tasks"] for row in rows):
        clauses.append(f"{counted(left, 'task')} ended without a proof")
    total, longest = sum(row["seconds"] for row in rows), max(row["longest_seconds"] for row in rows)
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


def _trees(results: Results) -> list[NotableTree]:
    """The best tree of each search, from the first task that has it."""
    best = results.query(
        f"""select * from tasks where objective is not null qualify row_number() over
        (partition by source, part, max_depth order by round(objective / {SAME}), task) = 1 order by position"""
    )
    proven = {(row["source"], row["part"], row["max_depth"]): row["proven"] for row in results.rows(PROOFS)}
    words = {True: "the optimal tree", False: "the best tree found"}
    return [
        NotableTree(
            f"{words[proven[row['source'], row['part'], row['max_depth']]]} of depth {row['max_depth']} or less "
            f"on {titled(row)}",
            called(row),
        )
        for row in best
    ]


SUMMARY = Summary(
    tables=(PROOFS,),
    views=VIEWS,
    finding=_finding,
    screen=_screen,
    trees=_trees,
    cell="task",
    failures_in="proofs",
    nothing="No task ended with a result: every {cell} failed.",
)
