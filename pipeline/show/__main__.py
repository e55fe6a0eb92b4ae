"""`python -m pipeline.show`."""

import sys

from pipeline.command import main

if __name__ == "__main__":
    sys.exit(main(["show", *sys.argv[1:]]))
