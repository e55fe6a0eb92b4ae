"""What a dry run shows, that it writes nothing, and that no builder can block it."""

from __future__ import annotations

import os
import re
import signal
import time
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace

import pytest

from pipeline.cluster.local import start_fork_server
from pipeline.configuration.settings import LimitSettings, Local
from pipeline.forecast import dry_run as module
from pipeline.forecast import sample
from pipeline.plan import Chunks, GridRun
from pipeline.work.limits import Limits
from tests.pipeline.command_line import FINISHED, alive, line_of, parts, run_orchard, until
from tests.pipeline.conftest import Command
from tests.pipeline.small_grids import grid

DATA = ("+grid=compare_builders", "source=[sklearn/iris,sklearn/wine]", "plugins=[stubs]")
FEW = "protocol.folds=2"
PATIENCE = 240  # seconds for the sample, on a machine that others use too
STUBS = """
import ctypes, os, subprocess, sys, time

class Sleeper:
    def __init__(self, seconds=0.02):
        self.seconds = seconds
    def fit(self, X, y=None):
        time.sleep(self.seconds)
        self.label_ = y[0]
        return self
    def predict(self, X):
        return [self.label_] * len(X)

class Crasher(Sleeper):
    def fit(self, X, y=None):
        ctypes.string_at(0)

class Leaver(Sleeper):
    def fit(self, X, y=None):
        os._exit(3)

class Parent(Sleeper):
    def fit(self, X, y=None):
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
        open("child", "w").write(str(child.pid))
        time.sleep(600)

class Daemon(Sleeper):
    def fit(self, X, y=None):
        if os.path.exists("child"):
            os._exit(3)
        child = os.fork()
        if child == 0:
            os.setsid()
            time.sleep(120)
            os._exit(0)
        open("child", "w").write(str(child))
        os._exit(3)
"""


@pytest.fixture
def stubs(tmp_path: Path, command: Command, monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[int, str, str]]:
    """A dry run over builders of a package that lies beside it, with a sample of some seconds."""
    (tmp_path / "stubs").mkdir()
    (tmp_path / "stubs/builders.py").write_text(STUBS)
    (tmp_path / "mine/builder").mkdir(parents=True)
    for name in ("Sleeper", "Crasher", "Leaver", "Parent", "Daemon"):
        (tmp_path / f"mine/builder/{name.lower()}.yaml").write_text(f"class: stubs.builders.{name}\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(module, "LEAST_SECONDS", PATIENCE)
    return lambda builder, *overrides: command(
        *DATA, f"builders=[{builder}]", "--config-dir", "mine", "dry_run=true", *overrides
    )


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Time enough for the sample: this process began long ago, so that it would have the least."""
    monkeypatch.setattr(module, "LEAST_SECONDS", PATIENCE)


@pytest.mark.usefixtures("patient")
def test_a_dry_run_shows_the_plan_and_its_cost_and_writes_nothing(tmp_path: Path) -> None:
    done = run_orchard(*FINISHED, "dry_run=true", "seed=3", cwd=tmp_path, workers=True)
    assert done.returncode == 0, done.stderr
    assert list(tmp_path.iterdir()) == []
    assert line_of(done.stdout, "Items") == "80 (tables) of 17 cells each: 80 left"
    assert line_of(done.stdout, "Cluster") == "local, 1 worker; a dry run starts none"
    assert line_of(done.stdout, "Output").startswith("outputs/results/grid=greedy_vs_dp/run=")
    assert line_of(done.stdout, "Sample").startswith("80 of 80 tables in ")
    assert re.fullmatch(r"[\d.e-]+ \(95 %: [\d.e-]+ to [\d.e-]+\), that is .*", line_of(done.stdout, "Core-hours"))
    assert " KiB in about " in line_of(done.stdout, "Disk")
    assert re.match(r"[\d.,]+ [MG]iB at most", line_of(done.stdout, "Memory"))
    again = line_of(done.stdout, "Next")
    assert again.startswith("python -m pipeline +grid=greedy_vs_dp ") or " -m pipeline +grid=greedy_vs_dp " in again
    assert again.endswith(" seed=3")


def test_a_clock_that_is_set_back_makes_no_sample_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    began = time.time()
    monkeypatch.setattr(module, "LEAST_SECONDS", 8.0)
    for later, seconds in ((-3600.0, 18.5), (10.0**9, 8.0)):
        monkeypatch.setattr(module.time, "time", lambda later=later: began + later)
        assert module.sample_seconds() == seconds


@pytest.mark.usefixtures("patient")
def test_finished_work_is_left_out(finished: Path) -> None:
    gone = parts(finished / "outputs")[0]
    first, stop = (int(word) for word in gone.name.split("-")[1:3])
    gone.unlink()
    before = sorted(path for path in finished.rglob("*"))
    done = run_orchard(*FINISHED, "dry_run=true", cwd=finished)
    assert (
        line_of(done.stdout, "Items") == f"80 (tables) of 17 cells each: {80 - stop + first} done, {stop - first} left"
    )
    assert line_of(done.stdout, "Sample").startswith(f"{stop - first} of {stop - first} tables in ")
    assert sorted(path for path in finished.rglob("*")) == before


@pytest.mark.usefixtures("patient")
def test_a_sample_foretells_what_items_take(stubs: Callable[..., tuple[int, str, str]], tmp_path: Path) -> None:
    began = time.monotonic()
    status, out, _ = stubs("sleeper")
    took = time.monotonic() - began
    assert status == 0
    assert line_of(out, "Sample").startswith("20 of 20 ")  # too few blocks to end before the last, however slow
    seconds = 3600 * float(line_of(out, "Core-hours").split(" ")[0])
    assert 20 * 0.02 < seconds < took
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mine", "stubs"]


@pytest.mark.parametrize(("builder", "why"), [("crasher", "was ended by SIGSEGV"), ("leaver", "exited with status 3")])
def test_a_builder_that_ends_its_process_is_reported(
    stubs: Callable[..., tuple[int, str, str]], builder: str, why: str
) -> None:
    status, out, err = stubs(builder, FEW)
    assert status == 0
    assert why in line_of(out, "Sample")
    assert "Traceback" not in out + err
    assert line_of(out, "Next")


def test_a_builder_that_hangs_is_cut_and_leaves_no_process(
    stubs: Callable[..., tuple[int, str, str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "SECONDS", 0)
    start_fork_server()  # a sample that is cut while it starts ends it, and what Python tracks this process's files by
    for seconds in (5, 10, 20, 40):
        monkeypatch.setattr(module, "LEAST_SECONDS", seconds)
        began = time.monotonic()
        status, out, _ = stubs("parent")
        took = time.monotonic() - began
        if (tmp_path / "child").exists():  # else the builder's own process did not begin in time
            break
    assert took < 3 * seconds + 120  # of the 600 that it would hang
    assert status == 0
    assert f"ended after {seconds} seconds, before item" in line_of(out, "Sample")
    assert line_of(out, "Core-hours").startswith("at least ")
    assert line_of(out, "Disk").startswith("not measured")
    child = int((tmp_path / "child").read_text())
    until(lambda: not alive(child))


def test_a_builder_that_leaves_a_daemon_does_not_hold_it(
    stubs: Callable[..., tuple[int, str, str]], tmp_path: Path
) -> None:
    status, out, _ = stubs("daemon", FEW)
    child = int((tmp_path / "child").read_text())
    assert alive(child)
    os.kill(child, signal.SIGKILL)
    assert status == 0
    assert "exited with status 3" in line_of(out, "Sample")


def test_data_that_are_missing_are_named_after_the_plan(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "LEAST_SECONDS", PATIENCE)
    (tmp_path / "data").mkdir()
    status, out, _ = command("+grid=uci_exact", "source=[uci/zoo]", "data.folder=data", "dry_run=true")
    assert status == 2
    assert line_of(out, "Items") == "1 (tables) of 17 cells each: 1 left"
    assert "'uci/zoo' is missing: data has no zoo/" in line_of(out, "Sample")
    assert line_of(out, "Next").startswith("remove the cause of this error, then ")
    assert [path.name for path in tmp_path.iterdir()] == ["data"]


def test_the_script_for_a_queue_is_shown(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(module, "sampled", lambda *_: sample.Sample(why="no"))
    script = "#!/bin/sh\n#SBATCH -n [1]"
    cluster = SimpleNamespace(wanted=7, on_this_machine=False, job_script=lambda: script)
    settings = SimpleNamespace(
        cluster=Local(), chunk=100, versions="same", limits=LimitSettings(), output=str(tmp_path / "o")
    )
    run = GridRun(grid(), "small", "0123456789ab", tmp_path / "o")
    assert module.dry_run(run, cluster, settings, "orchard +grid=small") == 0
    out = capsys.readouterr().out
    assert script in out
    assert line_of(out, "Chunks") == "10,000 chunks of at most 100 items"
    assert line_of(out, "Cluster") == "local, 7 workers; a dry run starts none"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("compiling", "compiled", "seconds", "why"),
    [
        (True, 0.0, [], "none: kernels, compiled once on this machine, were not ready after 11 seconds"),
        (False, 7.0, [4.0], "ended after 11 seconds, before item"),
        (False, 10.5, [], "none: data and kernels were not ready after 11 seconds"),
    ],
)
def test_a_kernel_that_is_being_compiled_is_not_taken_for_work(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, compiling: bool, compiled: float, seconds: list[float], why: str
) -> None:
    """A sample that ends meanwhile, as on a machine that is new, would else say that the grid is that slow.

    The same holds for the rest of a second in which a worker that has just started loads data.
    """
    clock = [10.0]

    def submit_all(workers: object, run: object, chunks: Chunks, *_: object) -> None:
        chunks.next()
        clock[0] += 11.0
        os.kill(os.getpid(), signal.SIGALRM)

    client = SimpleNamespace(_run=None, sync=lambda *_, **__: {"worker": (compiling, compiled)})
    opened = SimpleNamespace(opened=lambda *_: nullcontext(SimpleNamespace(client=client)))
    monkeypatch.setattr(sample, "LocalProcesses", lambda _: opened)
    monkeypatch.setattr(sample, "submit_all", submit_all)
    monkeypatch.setattr(sample.time, "monotonic", lambda: clock[0])
    result = sample.sampled(GridRun(grid(), "small", "0123456789ab", tmp_path / "o"), [(0, 100)], Limits(60, None), 11)
    assert [(block.seconds, block.cut) for block in result.blocks] == [(each, True) for each in seconds]
    assert result.why.startswith(why)
