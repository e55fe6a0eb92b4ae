"""Which workers of a cluster of somebody else's are given tasks: real processes, some of which differ from this one."""

from __future__ import annotations

import os
import shutil
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from distributed import Client, get_worker

from pipeline.cluster.admission import ANSWER_SECONDS, Admission
from pipeline.cluster.inspection import expression_for, inspected, module_digests
from pipeline.errors import WorkersLostError
from tests.drills.dask_processes import DaskProcesses, dask_processes
from tests.pipeline.command_line import ROOT, until

PLUGIN = "orchard_plugin_of_a_test"


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[DaskProcesses]:
    """A scheduler without workers, to which this process' own path is given."""
    with dask_processes(tmp_path / "cluster") as processes:
        yield processes


@pytest.fixture
def client(cluster: DaskProcesses) -> Iterator[Client]:
    with Client(cluster.address, set_as_default=False) as made:
        yield made


def clock() -> str:
    """What times the messages of the worker that calls it."""
    from distributed import batched

    name: str = batched.time.__name__
    return name


def where(_: int) -> str:
    """The address of the worker, after a moment."""
    time.sleep(0.02)
    return str(get_worker().address)


def pretended(folder: Path, package: str, version: str) -> dict[str, str]:
    """Variables that make a process believe that another version of a package is installed."""
    metadata = folder / f"{package}-{version}.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: {version}\n")
    return {"PYTHONPATH": f"{folder}:{ROOT}"}


def copy_of_our_code(folder: Path) -> Path:
    for package in ("algorithms", "pipeline"):
        shutil.copytree(ROOT / package, folder / package, ignore=shutil.ignore_patterns("orchard-kernels-*"))
    return folder


def hidden(folder: Path) -> dict[str, str]:
    """Variables of a process that has none of our code, wherever it is installed."""
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(
        "import sys\n"
        "class Hidden:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name.partition('.')[0] in {'pipeline', 'algorithms'}:\n"
        "            raise ModuleNotFoundError(name)\n"
        "sys.meta_path.insert(0, Hidden())\n"
    )
    return {"PYTHONPATH": str(folder)}


def test_only_workers_that_are_like_the_driver_get_tasks(
    cluster: DaskProcesses, client: Client, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cluster.add_worker("--name", "fit")
    with Admission(client) as admission:
        until(lambda: admission.present() == 1)
        other = copy_of_our_code(tmp_path / "other")
        with (other / "pipeline/work/publication.py").open("a") as module:
            module.write(f"\nPath({str(tmp_path / 'worked')!r}).touch()\n")
        cluster.add_worker(variables={"PYTHONPATH": str(other)})
        cluster.add_worker(variables=pretended(tmp_path / "numba", "numba", "0.1.2"))
        cluster.add_worker(variables=hidden(tmp_path / "hidden"), threads=2)
        message = ""

        def all_named() -> bool:
            nonlocal message
            message += capsys.readouterr().err
            return message.count("is refused") == 3

        until(all_named)
        assert "is refused: package pipeline differs in work/publication.py\n" in message
        assert "a worker has 2 threads, but computes one chunk at a time: " in message
        assert f"numba is 0.1.2 there, but {inspected(['numba'], [])['numba']} here" in message
        assert "is refused: package algorithms is missing there; package pipeline is missing there\n" in message
        workers = admission.workers(None, None)
        answers = {future.result() for future in [workers.submit(where, number) for number in range(40)]}
        assert len(answers) == workers.width() == 1
        assert workers.submit(clock).result() == "steady_time"
        assert len(client.nthreads()) == 4
    assert not (tmp_path / "worked").exists()


def test_tasks_that_wait_are_taken_by_a_fit_worker_that_comes_later(cluster: DaskProcesses, client: Client) -> None:
    with Admission(client) as admission:
        workers = admission.workers(None, None)
        waiting = [workers.submit(where, number) for number in range(4)]
        assert workers.width() == 0
        first = cluster.add_worker()
        addresses = {future.result(timeout=30) for future in waiting}
        assert workers.width() == 1
        cluster.kill_worker(first)
        until(lambda: admission.present() == 0)
        waiting = [workers.submit(where, number) for number in range(4)]
        cluster.add_worker()
        assert {future.result(timeout=30) for future in waiting}.isdisjoint(addresses)


def test_a_worker_that_hangs_keeps_nobody_waiting(cluster: DaskProcesses, client: Client) -> None:
    cluster.add_workers(1)
    os.kill(cluster.workers[0].pid, signal.SIGSTOP)
    began = time.monotonic()
    with Admission(client) as admission:
        cluster.add_worker()
        until(lambda: admission.present() == 1)
        assert "1 worker not checked yet" in admission.why_none()
    assert time.monotonic() - began < ANSWER_SECONDS


def test_where_all_are_refused_the_run_ends_with_the_difference(
    cluster: DaskProcesses, client: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pipeline.cluster.admission.REFUSED_SECONDS", 0.5)
    cluster.add_worker(variables=pretended(tmp_path / "scipy", "scipy", "9.9"))

    with Admission(client) as admission:
        until(lambda: "was refused" in admission.why_none())
        assert admission.present() == 0
        with pytest.raises(
            WorkersLostError, match=r"was refused: scipy is 9\.9 there, but [0-9.]+ here; start the workers"
        ):
            until(lambda: admission.present() > 0)


def test_a_scheduler_that_differs_is_refused(tmp_path: Path) -> None:
    other = copy_of_our_code(tmp_path / "other")
    (other / "algorithms/new.py").touch()
    with (
        dask_processes(tmp_path / "cluster", variables={"PYTHONPATH": str(other)}) as processes,
        Client(processes.address, set_as_default=False) as client,
        pytest.raises(WorkersLostError, match=r"cannot be used: package algorithms differs in new\.py$"),
        Admission(client),
    ):
        pass


def test_a_worker_that_has_loaded_what_was_changed_since_is_refused(
    cluster: DaskProcesses, client: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "plugins"
    folder.mkdir()
    (folder / f"{PLUGIN}.py").write_text("A = 1\n")
    monkeypatch.syspath_prepend(str(folder))
    cluster.add_worker(variables={"PYTHONPATH": f"{folder}:{ROOT}"})
    path = f"sys.path.insert(0, {str(folder)!r})"
    client.run_on_scheduler(exec, f"import sys; {path}")
    with Admission(client, [PLUGIN]) as admission:
        until(lambda: admission.present() == 1)
    (folder / f"{PLUGIN}.py").write_text("A = 2\n")
    with Admission(client, [PLUGIN]) as admission:
        until(lambda: bool(admission.why_none()) and "checked" not in admission.why_none())
        assert f"code of {PLUGIN} changed after the worker began to work: restart the worker" in admission.why_none()
    with Admission(client) as admission:  # what does not need it may have the worker
        until(lambda: admission.present() == 1)


def test_any_process_can_report_what_it_computes_with() -> None:
    packages, code = ["numpy", "no-such-package"], ["pipeline", "no_such_package"]
    inspected_here = eval(expression_for("inspected", packages, code))
    assert inspected_here == inspected(packages, code)
    assert inspected_here["python"] == sys.version.partition(" ")[0]
    assert inspected_here["no-such-package"] == inspected_here["code of no_such_package"] == "not installed"
    assert eval(expression_for("module_digests", "pipeline")) == module_digests("pipeline")
    assert {"work/publication.py", "cluster/admission.py"} <= module_digests("pipeline").keys()
