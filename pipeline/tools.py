"""What the command's tools share: the options that select runs, and the translation of errors to exit statuses."""

from __future__ import annotations

import argparse
import re
import sys
import threading
from collections.abc import Callable
from typing import Any, NoReturn

from pipeline.errors import ConfigError, OrchardError
from pipeline.plain_text import note, output_errors_named, print_out
from pipeline.screen import DEFAULT_OUTPUT, tool
from pipeline.storage.locations import storage_errors_named


class Parser(argparse.ArgumentParser):
    """A parser that explains `output=…` in place of `--output …`, and raises an error if its help cannot be printed."""

    def error(self, message: str) -> NoReturn:
        """Exit with the usage and the message, and say how an option is written."""
        key = re.match(r"unrecognized arguments: (?:.* )?([a-z]+)=", message)
        if key and f"--{key[1]} " in self.format_usage():
            message += f". KEY=VALUE is for runs of grids; here, write --{key[1]} {key[1].upper()}"
        super().error(message)

    def print_help(self, file: Any = None) -> None:  # noqa: ARG002 - as argparse declares it
        """Print the help on standard output."""
        print_out(self.format_help())
        with output_errors_named():
            sys.stdout.flush()


def parser_of(name: str, description: str, epilog: str | None = None) -> Parser:
    """A parser of a tool's arguments, whose help calls the tool as the user has called it."""
    return Parser(prog=tool(name), description=description, epilog=epilog)


def parser_of_runs(name: str, description: str, run: str | None = None, epilog: str | None = None) -> Parser:
    """A parser that has the option `--output`, and `--run` where `run` says what that does."""
    parser = parser_of(name, description, epilog)
    parser.add_argument(
        "--output", default=DEFAULT_OUTPUT, help=f"folder or address of the results (default: {DEFAULT_OUTPUT})"
    )
    if run:
        parser.add_argument("--run", help=run)
    return parser


def check_seconds(option: str, seconds: float | None) -> None:
    """Raise ConfigError if an option is given, but not a number of seconds that Python can wait for."""
    if seconds is not None and not 0 < seconds <= threading.TIMEOUT_MAX:
        raise ConfigError(f"{option} is {seconds:g}: expected more than 0, and at most {threading.TIMEOUT_MAX:.0f}")


def exit_status(name: str, act: Callable[[], int], output: object, *, writes: bool = False) -> int:
    """Run `act` and return its exit status. If it raises, print the error and return the error's status.

    name   : of the tool
    act    : the work of the tool
    output : the folder or address that it uses, named in messages of errors there
    writes : whether it writes there
    """
    try:
        with storage_errors_named(output, writes=writes):
            return act()
    except OrchardError as error:
        note(f"orchard {name}: {error}")
        return error.exit_status
