"""Compiles or loads once, in the fork server of a local cluster, the kernels of a grid of random tables.

Only the fork server imports this module, after all others. As in `fork_server`, nothing here may raise an exception.
"""

from __future__ import annotations

import contextlib
import os
import sys

from pipeline.cluster.fork_server import DRIVER
from pipeline.cluster.local import GRIDS
from pipeline.garbage import search_now
from pipeline.work.dask_log import log_to_file

with contextlib.suppress(Exception):
    if os.getppid() != DRIVER:  # the command has ended, for example with an error: nobody waits for kernels
        sys.exit()
    unknown = not any(name.startswith(GRIDS) for name in sys.modules)  # the grid is of a plugin, or was not guessed
    if unknown or "algorithms.data.random_tables" in sys.modules:  # a grid that draws tables imports it
        from algorithms.batch import costs_of_tables
        from algorithms.data.random_tables import RandomTables

        codes, decisions = RandomTables(rows=6, attributes=3).draw(0, 1, 1, 2)
        costs_of_tables(codes, decisions, values=3, n_decisions=3)
    log_to_file("algorithms")  # kernels that a worker compiles later are not reported on the screen

# Otherwise a collection in a worker would visit all objects loaded here, and so copy their pages.
search_now()
