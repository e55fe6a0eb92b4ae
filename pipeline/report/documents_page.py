"""The proof as a page of the report, and as tables beside it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pipeline.proof.printed import Document
from pipeline.proof.proof import Proof, proof_of
from pipeline.report.answers import Answers
from pipeline.storage.atomic import write_changed

__all__ = ["PAGE", "write_proof"]

PAGE = "documents.html"
"""Its name, beside that of the index."""


def write_proof(documents: Sequence[Document], answers: Answers, output: Path, folder: Path, index: str) -> Proof:
    """Write the page over all documents, and its tables as files beside it; return the proof that they show.

    output : the folder of results in the page's commands
    folder : of the report
    index  : name of the page over all runs
    """
    from pipeline.report.rendering import environment

    proof = proof_of(documents, answers)
    files = proof.table().files() | proof.differences().files()
    content = environment().get_template(PAGE).render(proof=proof, index=index, files=list(files), output=str(output))
    for name, written in (files | {PAGE: content.encode("utf-8", "replace")}).items():
        write_changed(folder / name, written)
    return proof
