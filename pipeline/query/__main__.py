"""`python -m pipeline.query`: a word of the command `orchard`."""

from __future__ import annotations

import sys

from pipeline.command import main

__all__: list[str] = []

if __name__ == "__main__":
    sys.exit(main(["query", *sys.argv[1:]]))
