"""What the tools of the command share: the options that name runs, and errors that become a line and an exit status."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from pipeline.errors import OrchardError
from pipeline.plain_text import note
from pipeline.storage.places import storage_errors_named

__all__ = ["exit_status", "parser_of_runs"]


def parser_of_runs(name: str, description: str, run: str, epilog: str | None = None) -> argparse.ArgumentParser:
    """A parser of a tool's arguments that has the options `--output` and `--run`; `run` says what the latter does."""
    parser = argparse.ArgumentParser(prog=f"python -m pipeline.{name}", description=description, epilog=epilog)
    parser.add_argument("--output", default="outputs", help="folder or address of the results (outputs)")
    parser.add_argument("--run", help=run)
    return parser


def exit_status(name: str, act: Callable[[], int], output: object, *, writes: bool = False) -> int:
    """The exit status of a tool: what `act` returns, or that of the error that ends it, which is printed.

    Parameters
    ----------
    name   : of the tool
    act    : does what the tool is for
    output : the folder or address that it uses, for the message of an error that the place raises
    writes : whether it writes there
    """
    try:
        with storage_errors_named(output, writes=writes):
            return act()
    except OrchardError as error:
        note(f"orchard {name}: {error}")
        return error.exit_status
