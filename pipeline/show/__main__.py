"""`python -m pipeline.show`: a word of the command `orchard`."""

from __future__ import annotations

import sys

from pipeline.command import main

__all__: list[str] = []

if __name__ == "__main__":
    sys.exit(main(["show", *sys.argv[1:]]))
