"""Summary tables on paper: what pdfTeX makes of them."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from pipeline.summary.tables import SummaryTable
from tests.oracles.beside import absent

PDFLATEX = shutil.which("pdflatex")


def check_fits(message: str) -> None:
    """No box is more than a hair too wide or too high for the page."""
    assert not [points for points in re.findall(r"Overfull .*\(([0-9.]+)pt too", message) if float(points) > 2]
    assert "too large" not in message


def set_by_latex(tables: Sequence[SummaryTable], folder: Path) -> str:
    """What pdfTeX says of a document that has some tables, and no packages but those that they say they need."""
    if PDFLATEX is None:
        absent("there is no pdflatex (apt-get install texlive-latex-recommended)")
    files = [table.write(folder)[2] for table in tables]
    packages = "".join(dict.fromkeys(file.read_text().splitlines()[0].removeprefix("% ") for file in files))
    inputs = "".join(rf"\input{{{file.stem}}}" for file in files)
    (folder / "document.tex").write_text(
        rf"\documentclass{{article}}{packages}\begin{{document}}{inputs}\end{{document}}"
    )
    done = subprocess.run(
        [PDFLATEX, "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", "document.tex"],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-2000:]
    assert "root:" not in done.stdout
    assert (folder / "document.pdf").stat().st_size > 5_000
    return done.stdout
