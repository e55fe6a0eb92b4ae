"""The directive `code-cell`, and the Jupyter notebook of a page that has cells."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from docutils import nodes
from docutils.parsers.rst.directives import unchanged_required
from sphinx.util.docutils import SphinxDirective

from orchard_docs.cells import HTML, SVG, CellError, Notebook, Output

if TYPE_CHECKING:
    from sphinx.application import Sphinx

__all__ = ["PICTURES", "CodeCell", "ipynb", "write_notebook"]

PICTURES = "pictures"
"""The folder below the sources that has the pictures of cells."""
STATE = "orchard_cells"
CELL = re.compile(r"^```\{code-cell\}[^\n]*\n.*?^```\n", re.MULTILINE | re.DOTALL)


class CodeCell(SphinxDirective):
    """A cell of a notebook: its code, and what the code gave when the page was built.

    alt : what its pictures show, for readers who do not see them
    tags : `remove-input` leaves out the code
    """

    optional_arguments = 1
    has_content = True
    option_spec = {"alt": unchanged_required, "tags": unchanged_required}  # noqa: RUF012 - as Sphinx has it

    def run(self) -> list[nodes.Node]:
        """Code and outputs."""
        state = self.env.temp_data.setdefault(STATE, {"notebook": Notebook(), "cells": []})
        code = "\n".join(self.content)
        try:
            outputs = state["notebook"].run(code)
        except CellError as error:
            raise self.error(str(error)) from error
        state["cells"].append((code, outputs))
        language = "sh" if code.startswith("!") else "python"
        shown = nodes.literal_block(code.replace("!", "", 1) if language == "sh" else code, code, language=language)
        hidden = "remove-input" in self.options.get("tags", "")
        number = len(state["cells"])
        return [
            *([] if hidden else [shown]),
            *(self._node(output, f"{number}-{place}") for place, output in enumerate(outputs, 1)),
        ]

    def _node(self, output: Output, number: str) -> nodes.Node:
        if output.kind == SVG:
            return self._picture(output.content, f"{self.env.docname.replace('/', '-')}-{number}.svg")
        if output.kind == HTML:
            return nodes.raw("", f'<div class="cell-output">{output.content}</div>', format="html")
        text = nodes.literal_block(output.content, output.content, language="text")
        text["classes"].append("cell-output")
        return text

    def _picture(self, svg: str, name: str) -> nodes.Node:
        file = Path(self.env.srcdir) / PICTURES / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(svg, encoding="utf-8")
        image = nodes.image("", uri=f"/{PICTURES}/{name}", alt=self.options.get("alt", ""))
        return nodes.container("", image, classes=["picture"])


def write_notebook(app: Sphinx, _doctree: nodes.document) -> None:
    """Write the Jupyter notebook of a page with cells beside the page, `NAME.ipynb`."""
    env = app.env
    if STATE not in env.temp_data:
        return
    text = Path(env.doc2path(env.docname)).read_text(encoding="utf-8")
    file = Path(app.outdir) / f"{env.docname}.ipynb"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(ipynb(text, env.temp_data[STATE]["cells"]), encoding="utf-8")


def ipynb(text: str, cells: list[tuple[str, list[Output]]]) -> str:
    """A page of Markdown with its executed cells as a Jupyter notebook, version 4.5 of the format."""
    said = [*CELL.split(text)]
    found: list[dict[str, Any]] = []
    for number, words in enumerate(said):
        if words.strip():
            found.append({"cell_type": "markdown", "metadata": {}, "source": words.strip()})
        if number < len(cells):
            code, outputs = cells[number]
            shown = [
                {"output_type": "display_data", "metadata": {}, "data": {one.kind: one.content}} for one in outputs
            ]
            found.append(
                {"cell_type": "code", "metadata": {}, "source": code, "execution_count": number + 1, "outputs": shown}
            )
    numbered = [{"id": f"cell-{number}", **cell} for number, cell in enumerate(found, 1)]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    whole = {"cells": numbered, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(whole, indent=1, ensure_ascii=False) + "\n"
