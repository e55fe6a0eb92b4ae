"""Accuracies beside printed ones: a panel for each builder, a line for each case, ours in the printed ring."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.drawing.figures import colour_of, fitted
from pipeline.drawing.frame import Inches, framed
from pipeline.drawing.marks import judged, judged_entries, name_lines, names_width
from pipeline.grammar.findings import agreement

if TYPE_CHECKING:
    from pipeline.grammar.columns import Row

__all__ = ["draw"]

LINE = 0.25  # inches


def draw(rows: Sequence[Row], folder: Path, name: str, headline: str) -> tuple[Path, ...]:
    """Draw `<name>.svg` and `.png` and return their paths; nothing where nothing was tested."""
    tested = [row for row in rows if row["accuracy"] is not None]
    if not tested:
        return ()
    cases = list(dict.fromkeys(row["case"] for row in tested))
    builders = list(dict.fromkeys(row["builder"] for row in tested))
    verdicts = [row["verdict"] for row in tested]
    inches = Inches(10.0, 2.15 + LINE * len(cases), left=names_width(cases), right=0.15, above=1.5, below=0.65)
    said = f"mean accuracy over the folds of a cross-validation; {agreement(verdicts, 'value')}"
    shape, title = (1, len(builders)), headline or name
    with framed(folder, name, title, said, inches, shape, sharex=True, sharey=True, wspace=0.08) as frame:
        for panel, builder in zip(frame.panels[0], builders, strict=True):
            panel.set_title(fitted(builder), pad=6)
            for row in tested:
                if row["builder"] == builder:
                    judged(panel, cases.index(row["case"]), row, "accuracy", colour_of(builder))
        name_lines(frame.panels[0][0], cases)
        frame.below("test accuracy, % of test rows")
        frame.key(judged_entries(verdicts))
    return frame.files
