"""The terminal output: progress while a grid runs, then its summary."""

from __future__ import annotations

import shlex
import shutil
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TextIO, cast

from rich.console import Console, ConsoleOptions, RenderableType
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.segment import Segment
from rich.table import Table

from pipeline.masking import masked
from pipeline.plain_text import note, output_errors_named, plain
from pipeline.words import counted, out_of

DEFAULT_OUTPUT = "outputs"
FINDING = "Finding"
"""The label of a run's finding, at the end of its output."""
PLAIN_SECONDS = 5.0


class _Output:
    """Standard output, whose errors are not taken for those of the output folder."""

    def __getattr__(self, name: str) -> Any:
        return getattr(sys.stdout, name)

    def write(self, text: str) -> int:
        """Write text and return its length. Raises what `output_errors_named` raises."""
        with output_errors_named():
            return sys.stdout.write(text)

    def flush(self) -> None:
        """Write what is buffered. Raises what `output_errors_named` raises."""
        with output_errors_named():
            sys.stdout.flush()


class _Screen(Console):
    """A console that displays names and labels without obeying control sequences in them."""

    def on_broken_pipe(self) -> None:
        """Raise the BrokenPipeError that is being handled. Rich would exit with a status of its own."""
        raise  # noqa: PLE0704

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """The segments of the output, with all control characters except the console's own made harmless."""
        for segment in super().render(renderable, options):
            yield segment if segment.control else segment._replace(text=plain(segment.text))


def console(*, markup: bool = True) -> Console:
    """Make the console for results. Files and pipes get plain text, 100 columns wide.

    markup : whether texts in brackets, such as [bold], are styles; otherwise they are shown as they are

    Jupyter sets FORCE_COLOR for the commands of a notebook, by which Rich would take their pipes for terminals.
    """
    terminal = sys.stdout.isatty()
    output = cast(TextIO, _Output())
    width = None if terminal else 100
    return _Screen(file=output, highlight=False, emoji=False, markup=markup, force_terminal=terminal, width=width)


def labelled(lines: Iterable[tuple[str, str]]) -> None:
    """Print labelled lines with secrets masked."""
    out = console()
    for label, words in lines:
        out.print(f"[bold]{label:10}[/] {escape(masked(words))}", soft_wrap=True)


def list_grids(grids: Mapping[str, str]) -> None:
    """Print the available grids, and what to type."""
    out = console()
    out.print("[bold]Grids[/]\n")
    listed = Table.grid(padding=(0, 2))
    for name, meaning in grids.items():
        listed.add_row(f"  [bold]{escape(name)}[/]", escape(meaning))
    out.print(listed)
    if grids:
        out.print(f"\nRun a grid:      {escape(tool())} +grid=NAME")
        out.print("Time it takes:   add dry_run=true")
    out.print("Keys of a grid:  add --cfg job")


def list_sweep(rows: Sequence[tuple[str, str, str, str]], outputs: Sequence[str]) -> None:
    """Print the runs of a sweep, and what to type to see them.

    rows    : for each run its values, its id, how it ended and its finding
    outputs : the folders or addresses of their results
    """
    listed = Table(box=None, padding=(0, 2), pad_edge=False)
    for heading in ("Values", "Run", "Ended", FINDING):
        listed.add_column(heading)
    for row in rows:
        listed.add_row(*map(escape, row))
    out = console()
    out.print("\n[bold]All runs of the sweep[/]\n", listed, sep="")
    for output in outputs:
        for name, what in (("status", "progress of the runs"), ("report", "pages of all runs for a browser")):
            out.print(f"{what}: {tool(name)}{output_flag(output)}", soft_wrap=True, markup=False)
        out.print(f"a table of one run: {tool('show')} --run ID{output_flag(output)}", soft_wrap=True, markup=False)


def output_flag(output: object) -> str:
    """The arguments that a tool needs to read an output folder; empty for the default folder."""
    joined = "=" if str(output).startswith("-") else " "  # a word that begins with - is taken for a flag
    return "" if str(output) == DEFAULT_OUTPUT else f" --output{joined}{shlex.quote(str(output))}"


def tool(name: str = "") -> str:
    """How to call this command or one of its tools, as it was called: `orchard show`, `python -m pipeline.show`."""
    if script := next((word for word in sys.orig_argv[:2] if Path(word).name == "orchard"), None):
        called = "orchard" if shutil.which("orchard") == script else shlex.quote(script)
        return f"{called} {name}".rstrip()
    module = f"pipeline.{name}".rstrip(".")
    python = Path(sys.executable)
    if shutil.which("python") == sys.executable:
        return f"python -m {module}"
    shown = python.relative_to(Path.cwd()) if python.is_relative_to(Path.cwd()) else python
    return f"{shlex.quote(str(shown))} -m {module}"


class RunProgress:
    """A progress bar on a terminal; elsewhere a line every few seconds.

    what : what runs, and on what
    noun : plural noun for items
    """

    def __init__(self, what: str, noun: str, items: int, done: int) -> None:
        self._noun, self._items, self._done, self._failed = noun, items, done, 0
        self._workers: int | None = None
        self._noted = time.monotonic()
        self._console = Console(stderr=True, force_terminal=sys.stderr.isatty())
        self._bar = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[noun]}", markup=False),
            TimeRemainingColumn(),
            console=self._console,
            transient=True,
            disable=not self._console.is_terminal,
        )
        self._task = self._bar.add_task(what, total=items, completed=done, noun=noun)

    def __enter__(self) -> RunProgress:
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.stop()

    def advance(self, items: int, failed: int = 0) -> None:
        """Record that more items are done, and how many of their cells failed or met a limit."""
        self._done += items
        self._failed += failed
        words = f", {counted(self._failed, 'cell')} failed" if self._failed else ""
        self._bar.update(self._task, completed=self._done, noun=self._noun + words)
        if not self._console.is_terminal and time.monotonic() - self._noted > PLAIN_SECONDS:
            self._noted = time.monotonic()
            note(f"{self._done:,}/{self._items:,} {self._noun}{words}")

    def workers(self, present: int, wanted: int | None) -> None:
        """Record the number of workers; a line reports a change."""
        before, self._workers = self._workers, present
        if before is not None and present != before:
            there = counted(present, "worker") if wanted is None else out_of(present, wanted, "worker")
            note(f"{there} connected, {'up' if present > before else 'down'} from {before}")
