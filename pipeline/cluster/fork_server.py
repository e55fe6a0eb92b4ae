"""Loads once, in the fork server of a local cluster, what all workers inherit.

Only the fork server imports this module. It must not fail: the driver would only know that its workers did not start.
What fails here fails again in a worker, where it is reported.
"""

from __future__ import annotations

import contextlib
import gc
import os
import signal
import sys

from pipeline.garbage import search_now

DRIVER = os.getppid()
gc.disable()  # most objects that are loaded here stay

# Ctrl-C goes to every process of the terminal; the driver alone acts on it.
signal.signal(signal.SIGINT, signal.SIG_IGN)

with contextlib.suppress(Exception):
    import distributed.nanny  # noqa: F401
    import pyarrow.compute
    import pyarrow.parquet  # noqa: F401

    import pipeline.builders
    import pipeline.cluster.without_http
    import pipeline.work.publication  # noqa: F401
    from pipeline.record.environment import made_with
    from pipeline.work.dask_log import log_to_file

    log_to_file()
    made_with()
    if os.getppid() != DRIVER:  # the command has ended, for example with an error: nobody waits for kernels
        sys.exit()
    from algorithms.batch import costs_of_tables  # compiles or loads the batch kernels
    from algorithms.random_tables import RandomTables

    codes, decisions = RandomTables(rows=6, attributes=3).draw(0, 1, 1, 2)
    costs_of_tables(codes, decisions, values=3, n_decisions=3)
    log_to_file("algorithms")  # kernels that a worker compiles later are not reported on the screen

# Otherwise a collection in a worker would visit all objects loaded here, and so copy their pages.
search_now()
