"""The index over all runs of an output folder: those with a page, incomplete ones, and what could not be read."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.markup import escape

from pipeline.discovery import SearchPath
from pipeline.errors import OrchardError
from pipeline.report.rendering import environment
from pipeline.report.runs import ReportedRun
from pipeline.report.several import INDEX, GridRuns, write_grids, write_sweeps
from pipeline.screen import console
from pipeline.status.state import Status, resume_command
from pipeline.storage.atomic import write_changed


class UnreadableRunError(OrchardError):
    """Something that could not be read as a run, and why."""

    def __init__(self, name: str, why: str) -> None:
        super().__init__(f"{name} {why}")
        self.name, self.why = name, why


def write_index(
    folder: Path,
    pages: Sequence[ReportedRun],
    waiting: Sequence[Status],
    rejected: Sequence[UnreadableRunError],
    output: Path,
    search_path: SearchPath,
) -> None:
    """Write the index, the pages over several runs and, if a run belongs to a document, the page over all documents."""
    documents = _documents_page(folder, pages, search_path)
    compared, sweeps = write_grids(folder, pages), write_sweeps(folder, output, pages)
    for page in [*(grid.page for grid in compared), *(sweep.page for sweep in sweeps), *filter(None, [documents])]:
        console().print(escape(page), soft_wrap=True)
    shown: dict[str, Any] = {"runs": pages, "waiting": waiting, "rejected": rejected, "documents": documents}
    shown |= {"sweeps": sweeps, "compared": compared, "output": str(output)}
    write_changed(folder / INDEX, index_page(**shown).encode("utf-8", "replace"))


def index_page(*, compared: Sequence[GridRuns], **shown: Any) -> str:
    """Render the index.

    compared : the pages that compare the runs of a grid, linked from its runs
    """
    page_of = {(grid.grid, run): grid.page for grid in compared for run in grid.runs}
    return (
        environment()
        .get_template(INDEX)
        .render(shown, compared=compared, page_of=page_of, resume_command=resume_command)
    )


def _documents_page(folder: Path, runs: Sequence[ReportedRun], search_path: SearchPath) -> str | None:
    """Write the page over all documents from the runs that have a page; return its name, or None."""
    from pipeline.proof.printed import papers
    from pipeline.report.answers import PAGE, answers_of, write_proof

    compared = papers(search_path)
    if not any(run.run.name in compared.experiments for run in runs):
        return None
    write_proof(compared.documents, answers_of(compared.experiments, runs), runs[0].run.output, folder, INDEX)
    return PAGE
