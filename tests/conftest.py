"""What all tests share: Hypothesis without chance or deadlines, and the documents and data beside the checkout."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.oracles.beside import SHARED, absent

settings.register_profile(
    "orchard", deadline=None, derandomize=True, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("orchard")


def pytest_configure(config: pytest.Config) -> None:
    """Compile the kernels of builders before the processes of a whole run start: each would compile them for itself.

    No process of tests that ended is replaced: pytest-xdist 3.8 hands its files out again and then waits for ever
    (pytest-dev/pytest-xdist#1378). The others go on, and the report names the test that ended it.
    """
    config.option.maxworkerrestart = "0"
    alone = hasattr(config, "workerinput") or not config.getoption("numprocesses", None)
    if alone or config.args_source is not pytest.Config.ArgsSource.TESTPATHS:
        return
    from algorithms._numba.caching import FOLDER

    if FOLDER and not any(FOLDER.rglob("*.nbi")):
        subprocess.run([sys.executable, "-m", "pipeline.warm"], check=False)


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder with papers, notes, data and peers; tests that want it skip where there is none, and fail in CI."""
    if not SHARED.is_dir():
        absent(f"{SHARED} is not there")
    return SHARED


@pytest.fixture(scope="session")
def exact_dp(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The C++ program that computes minima, nodes and edges of one table."""
    compiler = shutil.which("g++")
    if compiler is None:
        absent("there is no g++")
    program = tmp_path_factory.mktemp("peer") / "exact_dp"
    subprocess.run([compiler, "-O2", "-o", program, shared / "peers" / "exact_dp.cpp"], check=True, capture_output=True)
    return program
