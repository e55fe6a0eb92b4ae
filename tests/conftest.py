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

LONGEST = (
    "tests/docs/test_code_blocks.py",
    "tests/drills/test_object_store.py",
    "tests/pipeline/test_working_folder.py",
    "tests/drills/test_harms.py",
    "tests/pipeline/record/test_nothing_imported.py",
    "tests/drills/test_slurm.py",
    "tests/pipeline/forecast/test_dry_run.py",
    "tests/drills/test_stops.py",
    "tests/pipeline/work/test_plugin_process.py",
    "pipeline/grids/compare_builders/tests/test_compare_builders.py",
    "pipeline/grids/catalogue/tests/test_catalogue.py",
    "pipeline/grids/evo_vs_exact/tests/test_evo_vs_exact.py",
)
"""Files that take a process of a whole run the better part of a minute: those that wait beside those that compute."""


def pytest_configure(config: pytest.Config) -> None:
    """Compile the kernels of builders before the processes of a whole run start: each would compile them for itself."""
    alone = hasattr(config, "workerinput") or not config.getoption("numprocesses", None)
    if alone or config.args_source is not pytest.Config.ArgsSource.TESTPATHS:
        return
    from algorithms._numba.caching import FOLDER

    if FOLDER and not any(FOLDER.rglob("*.nbi")):
        subprocess.run([sys.executable, "-m", "pipeline.warm"], check=False)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """The longest files first: at the end one of them would keep a single process busy while the others are done."""
    longest = {config.rootpath / name: place for place, name in enumerate(LONGEST)}
    items.sort(key=lambda item: longest.get(item.path, len(longest)))


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
