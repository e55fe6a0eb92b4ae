"""Loads once, in the fork server of a local cluster, what all workers inherit, whatever their grid.

Only the fork server imports this module, before those of the grid. It must not fail: the driver would only know that
its workers did not start. What fails here fails again in a worker, where it is reported.
"""

from __future__ import annotations

import contextlib
import gc
import os
import signal

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
