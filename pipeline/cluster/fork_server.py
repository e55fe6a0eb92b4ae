"""What the fork server of a local cluster loads once, for all workers to inherit.

Imported by the fork server alone, which must not fail: an exception here would leave the driver with nothing to say but
that its workers did not start. What fails here fails again in a worker, where it is reported.
"""

from __future__ import annotations

import contextlib
import gc
import os
import signal
import sys

DRIVER = os.getppid()
gc.disable()  # most of what is loaded here stays

# Ctrl-C goes to every process of the terminal; the driver alone decides what it means.
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
    if os.getppid() != DRIVER:  # the command has ended, such as by a mistake in it: nobody waits for kernels
        sys.exit()
    from algorithms.batch import costs_of_tables  # the batch kernels: compiled here, or loaded
    from algorithms.random_tables import RandomTables

    codes, decisions = RandomTables(rows=6, attributes=3).draw(0, 1, 1, 2)
    costs_of_tables(codes, decisions, values=3, n_decisions=3)
    log_to_file("algorithms")  # what workers compile later, each for itself, is no news on the screen

# A collection in a worker would else look through all that is loaded here, and copy its pages by doing so.
gc.freeze()
gc.enable()
