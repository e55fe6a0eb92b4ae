"""Text that a terminal displays without obeying any control sequence in it, and an output that cannot take it."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import TextIOWrapper

from pipeline.errors import OutputError
from pipeline.masking import masked

CONTROLS = (*range(0x09), 0x0B, 0x0C, *range(0x0E, 0x20), *range(0x7F, 0xA0), *range(0x202A, 0x202F))
CONTROLS += tuple(range(0x2066, 0x206A))
HARMLESS = dict.fromkeys(CONTROLS, "\N{REPLACEMENT CHARACTER}")
"""Characters that a terminal would obey or that change the direction of writing, each with a visible replacement."""


def plain(words: str) -> str:
    """Make text harmless for a terminal, whatever its origin."""
    return words.translate(HARMLESS).replace("\r", "")


def note(words: str) -> None:
    """Print a remark about the run on stderr, secrets masked."""
    print(plain(masked(words)), file=sys.stderr, flush=True)


@contextmanager
def output_errors_named() -> Iterator[None]:
    """Turn an error of standard output in the block into OutputError; BrokenPipeError, if nobody reads it, stays."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        discard_output()
        raise OutputError(f"cannot write to standard output: {error.strerror or error}") from error


def print_out(text: str, *, data: bool = False) -> None:
    """Print text on standard output as it is. Raises what `output_errors_named` raises.

    data : whether it is the content of a file, which files and pipes get in UTF-8 whatever the locale
    """
    with output_errors_named():
        if data and isinstance(sys.stdout, TextIOWrapper) and not sys.stdout.isatty():
            sys.stdout.reconfigure(encoding="utf-8", errors="replace")
        print(text, end="")


def discard_output() -> None:
    """Discard what is still to be written to standard output: writing it at the exit would fail once more."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
