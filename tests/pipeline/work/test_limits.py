"""Limits of time and memory, as they act on a process."""

from __future__ import annotations

import resource
import sys
from pathlib import Path

import dask
import pytest
from distributed import Client, LocalCluster
from distributed.system import MEMORY_LIMIT

from pipeline.configuration.settings import LimitSettings
from pipeline.errors import ConfigError
from pipeline.work.limits import MIB, Limits, check_limits
from tests.pipeline.command_line import python, ran

needs_linux = pytest.mark.skipif(sys.platform != "linux", reason="limits of memory are those of Linux")


BEYOND = """
import resource
import numpy as np
import dask
import pytest
from pipeline.work.limits import MIB, Limits

before = resource.getrlimit(resource.RLIMIT_DATA)
with Limits(1, 64 * MIB).limiting_memory():
    assert np.ones(32 * MIB // 8).any()
    with pytest.raises(MemoryError):
        np.ones(128 * MIB // 8)
    with Limits(1, 1024 * MIB).limiting_memory(), pytest.raises(MemoryError):
        np.ones(128 * MIB // 8)  # a limit within a limit does not lift it
assert np.ones(128 * MIB // 8).any()
assert resource.getrlimit(resource.RLIMIT_DATA) == before
"""


@needs_linux
def test_an_allocation_beyond_the_limit_fails_and_one_after_it_does_not() -> None:
    """In a process of its own: memory that other tests have not freed yet would be available."""
    python(BEYOND)


def test_no_limit_is_none() -> None:
    before = resource.getrlimit(resource.RLIMIT_DATA)
    with Limits(1, None).on_this_worker().limiting_memory():  # outside any worker
        assert resource.getrlimit(resource.RLIMIT_DATA) == before


def test_a_worker_without_a_limit_of_ours_has_dasks() -> None:
    options = {"n_workers": 1, "threads_per_worker": 1, "processes": False, "dashboard_address": None}
    scheduler = {"dashboard_address": "127.0.0.1:0"}
    with (
        dask.config.set({"distributed.worker.memory.pause": False}),  # the worker is in the process of all tests
        LocalCluster(**options, memory_limit="1 GiB", scheduler_kwargs=scheduler) as cluster,
        Client(cluster) as client,
    ):
        assert client.submit(lambda: Limits(1, None).on_this_worker()).result() == Limits(1, 1024 * MIB)
        assert client.submit(lambda: Limits(1, 5).on_this_worker()).result() == Limits(1, 5)


@pytest.mark.parametrize("waiting", ["time.sleep(600)", "ctypes.PyDLL(None).pause()"])
def test_a_question_beyond_its_time_ends_the_process_whoever_holds_the_lock(tmp_path: Path, waiting: str) -> None:
    program = (
        "import ctypes, time\nfrom pipeline.work.limits import Limits\n"
        f"with Limits(600, None).ending_worker(): pass\nwith Limits(0.3, None).ending_worker(): {waiting}"
    )
    log = tmp_path / "log.txt"
    assert ran(sys.executable, "-c", program, ORCHARD_LOG=str(log)).returncode == 1
    assert "Timeout" in log.read_text()
    assert 'File "<string>", line 4' in log.read_text()


COMPILES = """
import sys, time
import numba.extending  # which takes a second, where it is not compiling
from pipeline.work.limits import Limits
from tests.drills.misfits import compile_slowly

with Limits(1.5, None).ending_worker():
    compile_slowly()
    time.sleep(float(sys.argv[1]))
print("ended in time")
"""


@pytest.mark.parametrize(("runs", "status", "message"), [(0.0, 0, "ended in time\n"), (600.0, 1, "")])
def test_compiling_takes_no_time_that_counts(tmp_path: Path, runs: float, status: int, message: str) -> None:
    done = ran(sys.executable, "-c", COMPILES, runs, ORCHARD_LOG=str(tmp_path / "log.txt"))
    assert (done.returncode, done.stdout) == (status, message), done.stderr


def test_memory_is_shared_among_the_workers_of_this_machine_alone() -> None:
    assert Limits.of(LimitSettings(5.0, None), 4) == Limits(5.0, MEMORY_LIMIT // 4)
    assert Limits.of(LimitSettings(5.0, None), None) == Limits(5.0, None)
    assert Limits.of(LimitSettings(5.0, 7), 4) == Limits(5.0, 7 * MIB)


@pytest.mark.parametrize(
    ("settings", "named"),
    [
        (LimitSettings(0.0, None), r"limits\.seconds is 0"),
        (LimitSettings(float("nan"), None), r"limits\.seconds is nan"),
        (LimitSettings(float("inf"), None), r"limits\.seconds is inf"),
        (LimitSettings(1.0, 0), r"limits\.memory_mib is 0"),
        (LimitSettings(1.0, 255), r"limits\.memory_mib is 255: expected 256 to 1099511627776, or null"),
        (LimitSettings(1.0, 2**43 - 1), r"limits\.memory_mib is 8796093022207: expected 256 to"),
    ],
)
def test_impossible_settings_are_named(settings: LimitSettings, named: str) -> None:
    with pytest.raises(ConfigError, match=named):
        check_limits(settings)


def test_cells_that_share_a_limit_name_their_number() -> None:
    one = "took more than the 2 s of limits.seconds"
    several = "took more than 6 s for 3 cells together: limits.seconds is 2 per cell"
    assert [Limits(2.0, None).exceeded(cells).error for cells in (1, 3)] == [one, several]
