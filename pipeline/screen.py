"""What a person sees: progress while a grid runs, its summary when it has."""

from __future__ import annotations

import shlex
import shutil
import sys
import time
from collections.abc import Mapping
from io import TextIOWrapper
from pathlib import Path
from types import TracebackType

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

__all__ = ["RunProgress", "console", "list_grids", "note", "tool"]

PLAIN_SECONDS = 5.0


def console() -> Console:
    """Where results are shown; files and pipes get 100 columns, and what has no letters for a word gets `?`."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")
    out = Console(highlight=False)
    return out if out.is_terminal else Console(highlight=False, width=100)


def note(words: str) -> None:
    """Say something about the run, beside its results."""
    print(words, file=sys.stderr, flush=True)


def list_grids(grids: Mapping[str, str]) -> None:
    """Show the grids there are, and what to type."""
    out = console()
    out.print("[bold]Grids[/]\n")
    listed = Table.grid(padding=(0, 2))
    for name, meaning in grids.items():
        listed.add_row(f"  [bold]{escape(name)}[/]", escape(meaning))
    out.print(listed)
    if grids:
        example = "greedy_vs_dp" if "greedy_vs_dp" in grids else next(iter(grids))
        out.print(f"\nRun one:             python -m pipeline +grid={example}")
        out.print(f"A smaller one first: python -m pipeline +grid={example} tables.count=500")
    out.print("All keys of one:     add --cfg job")


def tool(name: str) -> str:
    """How to call one of our tools the way this command was called: `orchard show`, `python -m pipeline.show`."""
    if any(Path(word).name == "orchard" for word in sys.orig_argv[:2]):
        return f"orchard {name}"
    python = Path(sys.executable)
    if shutil.which("python") == sys.executable:
        return f"python -m pipeline.{name}"
    shown = python.relative_to(Path.cwd()) if python.is_relative_to(Path.cwd()) else python
    return f"{shlex.quote(str(shown))} -m pipeline.{name}"


class RunProgress:
    """A bar on a terminal; elsewhere a line every few seconds."""

    def __init__(self, noun: str, items: int, done: int) -> None:
        self._noun, self._items, self._done = noun, items, done
        self._said = time.monotonic()
        self._console = Console(stderr=True)
        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn(noun),
            TimeRemainingColumn(),
            console=self._console,
            transient=True,
            disable=not self._console.is_terminal,
        )
        self._task = self._bar.add_task("building trees", total=items, completed=done)

    def __enter__(self) -> RunProgress:
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.stop()

    def advance(self, items: int) -> None:
        """Note that more items are done."""
        self._done += items
        self._bar.update(self._task, completed=self._done)
        if not self._console.is_terminal and time.monotonic() - self._said > PLAIN_SECONDS:
            self._said = time.monotonic()
            note(f"{self._done:,}/{self._items:,} {self._noun}")
