"""What all tests share: Hypothesis without chance or deadlines, and the documents and data beside the checkout."""

from __future__ import annotations

import gc
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Generator
from fcntl import LOCK_EX, flock
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.oracles.beside import SHARED, absent

settings.register_profile(
    "long", deadline=None, derandomize=True, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("orchard", settings.get_profile("long"), max_examples=50)
settings.load_profile("orchard")


def pytest_configure(config: pytest.Config) -> None:
    """Compile the kernels of builders before the processes of a whole run start: each would compile them for itself.

    No process of tests that ended is replaced: pytest-xdist 3.8 hands its files out again and then waits for ever
    (pytest-dev/pytest-xdist#1378). The others go on, and the report names the test that ended it.

    A shell starts a command in the background with Ctrl-C ignored. Tests of Ctrl-C would then fail.

    A run that includes the long tests tries twice as many examples where a test does not say how many.
    """
    if config.getoption("markexpr") != "not long":
        settings.load_profile("long")
    signal.signal(signal.SIGINT, signal.default_int_handler)
    config.option.maxworkerrestart = "0"
    alone = hasattr(config, "workerinput") or not config.getoption("numprocesses", None)
    if alone or config.args_source is not pytest.Config.ArgsSource.TESTPATHS:
        return
    from algorithms._numba.caching import FOLDER, is_stale

    if FOLDER and is_stale():
        subprocess.run([sys.executable, "-m", "pipeline.warm"], check=False)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect tests without collecting garbage: what they are made of lives as long as the process."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder with papers, notes, data and peers; tests that want it skip where there is none, and fail in CI."""
    if not SHARED.is_dir():
        absent(f"{SHARED} is not there")
    return SHARED


@pytest.fixture(scope="session")
def made_once(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, Callable[[Path], None]], Path]:
    """Folders by name, each filled by the first test process that needs it and read by all."""
    folders = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folders = folders.parent  # of the folders of all processes

    def made(name: str, fill: Callable[[Path], None]) -> Path:
        folder, filled = folders / name, folders / f"{name}.filled"
        with (folders / f"{name}.lock").open("w") as lock:
            flock(lock, LOCK_EX)
            if not filled.exists():
                shutil.rmtree(folder, ignore_errors=True)
                folder.mkdir()
                fill(folder)
                filled.touch()
        return folder

    return made


@pytest.fixture(scope="session")
def exact_dp(shared: Path, made_once: Callable[[str, Callable[[Path], None]], Path]) -> Path:
    """The C++ program that computes minima, nodes and edges of one table."""
    compiler = shutil.which("g++")
    if compiler is None:
        absent("there is no g++")

    def compiled(folder: Path) -> None:
        command = [compiler, "-O2", "-o", folder / "exact_dp", shared / "peers" / "exact_dp.cpp"]
        subprocess.run(command, check=True, capture_output=True)

    return made_once("peer", compiled) / "exact_dp"
