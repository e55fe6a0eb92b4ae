"""A run made up for its page: every name in it as hostile as names get."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from pipeline.configuration.keys import RequestedKey
from pipeline.record.remarks import Note, Remarks
from pipeline.report.drawings import Picture, inlined
from pipeline.report.index import UnreadableRunError, index_page
from pipeline.report.page import page
from pipeline.report.runs import ReportedRun, RunProvenance
from pipeline.report.several import GridRuns, SweepPage
from pipeline.status.state import Status
from pipeline.summary.failures import FailureGroup, Failures
from pipeline.summary.record import MadeFrom, SummaryRecord
from pipeline.summary.sweep import sweep_record
from pipeline.summary.tables import SummaryTable
from tests.pipeline.record.made_up import made_up_run

HOSTILE = (
    "<script>window.obeyed = 1</script>",
    '"><img src=x onerror="window.obeyed = 1">',
    "{{7*7}}{% raw %}",
    "</script></style><script>window.obeyed = 1</script>",
    "\u202egnp.exe\u202c \x1b[2J \x00 &lt;b&gt;",
    "x" * 10_000,
    "'; drop table results; -- `rm -rf` $(id) !!",
    "=cmd()|' /C calc'!A0",
    "\ud800",
)
SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="72pt" height="36pt" '
    'viewBox="0 0 72 36" onload="window.obeyed = 1"><style>*{stroke-linejoin: round}</style><script>window.obeyed = 1'
    '</script><foreignObject><img src="x"/></foreignObject><defs><path id="a" d="M0 0h1"/></defs>'
    '<g style="fill: #222222; clip-path: url(#a)"><use xlink:href="#a"/></g><a href="javascript:1"><path d="M0 0"/></a>'
    '<image href="https://example.org/x.png"/><rect fill="url(https://example.org)" width="9" height="9"/></svg>'
)


def table(rows: int = 12, name: str = "hostile") -> SummaryTable:
    """A wide table of hostile labels, each number of it another."""
    verdicts = ("agrees", "differs", "impossible", "no input", None, "consistent", "misprint", "follows")
    return SummaryTable(
        name,
        f"{HOSTILE[0]} {name}",
        ("source", *(f"a_rather_long_measure_{index}" for index in range(12)), "ours", "printed", "verdict"),
        [
            (
                HOSTILE[index % len(HOSTILE)],
                *(index * 10.0**power for power in range(12)),
                index / 7 - 1,
                round(index / 7 - 1, 2) if index % 3 else None,
                verdicts[index % len(verdicts)],
            )
            for index in range(rows)
        ],
        f"n = 4 tables of {HOSTILE[1]}. Verdict: agrees where |z| <= 3, else differs.",
        "select avg(depth) as ours from results where source = {source}",
    )


def reported_run(output: Path = Path("outputs"), **changes: object) -> ReportedRun:
    """All parts of a run, hostile; what is given instead of it, of the run or of its summary."""
    labels = " ".join(HOSTILE)
    record = SummaryRecord(
        run="0123456789ab",
        grid="mine",
        meaning=labels,
        finding=f"2 of 5 cells agree with the paper, of {labels}",
        has_results=True,
        items=41_152,
        rows=123_456,
        tables=(table(), table(name="second")),
        figures={},
        trees=(),
        failures=Failures(
            {"ok": 99, "failed": 2}, tuple(FailureGroup("failed", name, 1, f"source {name}") for name in HOSTILE), 3
        ),
        requested=(
            RequestedKey("seed", "7", "0"),
            RequestedKey("source", labels, None),
            *(RequestedKey(f"key.{index}", name, name) for index, name in enumerate(HOSTILE)),
        ),
        made_from=MadeFrom({}, "0.1.0", ""),
    )
    summary = ReportedRun(
        run=made_up_run(
            output,
            noun="tables",
            command=f"python -m pipeline +grid=mine 'source=[{labels}]'",
            folder=labels,
            versions={"python": labels},
            notices=(labels, "mine.csv: every row has a different value of 'id'"),
        ),
        summary=record,
        provenance=RunProvenance(
            {"host": labels, "cores": "2"},
            {labels: {"python": labels}},
            (labels,),
            (labels,),
            datetime(2026, 1, 2, 3, 4, tzinfo=UTC),
        ),
        files=("hostile.csv", "hostile.md", "second.csv"),
    )
    of_record = {name: changes.pop(name) for name in list(changes) if hasattr(record, name)}
    return replace(summary, summary=replace(record, **of_record), **changes)  # type: ignore[arg-type]


def made_up_page(run: ReportedRun | None = None, index: str | None = None) -> str:
    """The page of a run with a hostile figure and hostile trees."""
    labels = " ".join(HOSTILE)
    figures = (Picture("plot", inlined(SVG, "plot-", labels), files=("plot.svg", "plot.png")),)
    trees = (
        Picture(labels, inlined(SVG, "tree-1-", labels), text=labels),
        Picture(labels, None, f"it cannot be built again: {labels}"),
    )
    return page(run or reported_run(), figures, trees, index=index)


def made_up_index(run: ReportedRun) -> str:
    """An index of a run and of further runs, sweeps and comparisons with hostile names."""
    notes = tuple(Note("", datetime(2026, 1, 2, tzinfo=UTC), name) for name in HOSTILE)
    records = ({"items": 9, "noun": name, "command": name, "folder": name} for name in HOSTILE)
    waiting = [made_up_run(run.run.output, about["noun"], "0123", **about) for about in records]
    return index_page(
        runs=[replace(run, remarks=Remarks(HOSTILE[:-1], notes))],
        waiting=[Status(stopped, 0, None, None) for stopped in waiting],
        rejected=[UnreadableRunError(name, name) for name in HOSTILE],
        documents="documents.html",
        sweeps=[SweepPage("index.html", sweep_record(name, name, [name], [])) for name in HOSTILE],
        compared=[GridRuns(name, "index.html", (run.run.id,)) for name in (*HOSTILE, run.run.name)],
        output=HOSTILE[0],
    )
