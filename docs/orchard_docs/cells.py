"""Cells of a notebook on a page: their code runs when the page is built, and the page shows what it gave."""

from __future__ import annotations

import ast
import contextlib
import io
import os
import subprocess
import sys
import traceback
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

__all__ = ["CellError", "Notebook", "Output"]

ROOT = Path(__file__).resolve().parents[2]
SHELL = "!"
"""What a line begins with that is a command of the shell, as in Jupyter."""
HTML, SVG, TEXT = "text/html", "image/svg+xml", "text/plain"


class CellError(Exception):
    """A cell raised, or a command in it failed."""


@dataclass(frozen=True)
class Output:
    """What a cell gave: text, HTML or a picture, by its media type."""

    kind: str
    content: str


@dataclass
class Notebook:
    """The cells of a page, run one after another in a folder of their own, with a link to the published proof.

    Parameters
    ----------
    names : dict
        What the cells have defined.
    """

    place: TemporaryDirectory[str] = field(default_factory=lambda: TemporaryDirectory(prefix="orchard-notebook-"))
    names: dict[str, Any] = field(default_factory=lambda: {"__name__": "__main__"})

    def __post_init__(self) -> None:
        (Path(self.place.name) / "reproduced").symlink_to(ROOT / "reproduced")

    def run(self, code: str) -> list[Output]:
        """Run a cell; CellError where it fails."""
        printed = io.StringIO()
        with contextlib.chdir(self.place.name), contextlib.redirect_stdout(printed):
            try:
                value = self._shell(code) if code.startswith(SHELL) else self._python(code)
            except Exception as error:
                msg = f"{''.join(traceback.format_exception(error, limit=-2))}in the cell\n{code}"
                raise CellError(msg) from error
            shown = [*_shown(value), *_open_figures()]
        said = [Output(TEXT, printed.getvalue().rstrip())] if printed.getvalue().strip() else []
        return [*said, *shown]

    def _python(self, code: str) -> Any:
        """Run statements; the value of the last one, if that is an expression."""
        body = ast.parse(code).body
        last = body.pop() if body and isinstance(body[-1], ast.Expr) and not code.rstrip().endswith(";") else None
        exec(compile(ast.Module(body, []), "<cell>", "exec"), self.names)  # noqa: S102 - a page of ours
        return eval(compile(ast.Expression(last.value), "<cell>", "eval"), self.names) if last else None  # noqa: S307

    def _shell(self, code: str) -> None:
        """Run commands of the shell, whose `python` is this one, and print what they say."""
        commands = "\n".join(line.removeprefix(SHELL) for line in code.splitlines())
        programs = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        variables = os.environ | {"PATH": programs, "PYTHONPATH": str(ROOT), "COLUMNS": "100", "NO_COLOR": "1"}
        done = subprocess.run(  # noqa: S603 - a page of ours
            ["bash", "-euc", commands],  # noqa: S607
            env=variables,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            check=False,
        )
        print(done.stdout)  # noqa: T201 - into the output of the cell
        if done.returncode:
            msg = f"exit status {done.returncode}: {done.stdout}"
            raise CellError(msg)


def _shown(value: Any) -> Iterator[Output]:
    """The value of a cell, as a notebook shows it; SVG files, by their paths, are pictures."""
    if isinstance(value, tuple | list) and value and all(isinstance(one, Path) for one in value):
        drawn = [path for path in value if path.suffix == ".svg"]
        yield from (Output(SVG, path.read_text(encoding="utf-8")) for path in drawn)
        return
    for kind, name in ((SVG, "_repr_svg_"), (HTML, "_repr_html_")):
        told = getattr(value, name, lambda: None)()
        if told:
            yield Output(kind, told)
            return
    if value is not None and not hasattr(value, "get_figure"):
        yield Output(TEXT, repr(value))


def _open_figures() -> Iterator[Output]:
    """The figures of Matplotlib that a cell has left open, which are then closed."""
    pyplot = sys.modules.get("matplotlib.pyplot")
    for number in pyplot.get_fignums() if pyplot else ():
        vector = io.BytesIO()
        with pyplot.rc_context({"svg.hashsalt": "orchard"}):
            pyplot.figure(number).savefig(
                vector, format="svg", metadata={"Date": None, "Creator": None}, bbox_inches="tight"
            )
        yield Output(SVG, vector.getvalue().decode())
    if pyplot:
        pyplot.close("all")
