"""Where `orchard` and `python -m pipeline…` begin, before anything is imported that takes long."""

from __future__ import annotations

import signal
import sys
from collections.abc import Sequence
from typing import NoReturn

from pipeline.garbage import search_later


def main(arguments: Sequence[str] | None = None) -> int:
    """Run `orchard`, that is `python -m pipeline`, and return its exit status."""
    search_later()
    before = signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C during the import ends the process in silence
    from pipeline import command

    signal.signal(signal.SIGINT, before)
    return command.main(arguments)


def tool_main(package: str) -> NoReturn:
    """Run `python -m PACKAGE`, the tool of a package such as `pipeline.query`, and exit with its status."""
    sys.exit(main([package.rpartition(".")[2], *sys.argv[1:]]))
