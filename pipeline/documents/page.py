"""The proof as a page of the report, and as tables beside it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from pipeline.documents.answers import Answers
from pipeline.documents.printed import Document
from pipeline.documents.proof import Proof, proof_of
from pipeline.storage.atomic import write_changed
from pipeline.summary.tables import Value

__all__ = ["PAGE", "write_proof"]

PAGE = "documents.html"
"""Its name, beside that of the index."""


def write_proof(documents: Sequence[Document], answers: Answers, output: Path, folder: Path, index: str) -> Proof:
    """Write the page over all documents, and its tables as files beside it; the proof that they hold.

    output : the folder of results that the commands of the page ask
    folder : of the report
    index  : name of the page over all runs
    """
    from pipeline.report.rendering import environment
    from pipeline.report.shown_tables import MARKS, query_command

    proof = proof_of(documents, answers)
    templates = environment().overlay()
    templates.filters = templates.filters | {"capitalised": _capitalised, "rounded": _rounded}
    files = proof.table().files() | proof.differences().files()
    content = templates.get_template(PAGE).render(
        proof=proof, index=index, files=list(files), marks=MARKS, query=partial(query_command, output=str(output))
    )
    for name, written in (files | {PAGE: content.encode("utf-8", "replace")}).items():
        write_changed(folder / name, written)
    return proof


def _capitalised(text: str) -> str:
    return text[:1].upper() + text[1:]


def _rounded(value: Value) -> str:
    """A figure as it is read beside another."""
    text = f"{value:.4g}" if isinstance(value, float) else str(value)
    return f"−{text[1:]}" if text.startswith("-") and isinstance(value, int | float) else text
