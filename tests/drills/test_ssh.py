"""Workers on machines reached by ssh: whatever becomes of them, the run ends with the rows of an undisturbed one."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.drills.oracle import settled, undisturbed_run
from tests.drills.ssh_daemon import Sshd, sshd
from tests.pipeline.command_line import alive, ended, kill, orchard, parts, started, until

WORK = ("+grid=greedy_vs_dp", "tables.groups=1", "tables.count=2500", "chunk=25")
HERE = (*WORK, "cluster.workers=2")


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sshd]:
    """An sshd of this file's own, which is two machines."""
    with sshd(tmp_path_factory.mktemp("sshd"), ["node1", "node2"]) as running:
        yield running


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The output folder of a run that nothing disturbed, on processes of this machine."""
    return undisturbed_run(tmp_path_factory.mktemp("undisturbed"), *HERE)


def on(daemon: Sshd, *hosts: str, processes: int = 1) -> tuple[str, ...]:
    """The command, with workers on machines that are this one."""
    where = (f"cluster.hosts=[{','.join(hosts)}]", f"cluster.processes={processes}", f"cluster.config={daemon.config}")
    return (*WORK, "cluster=ssh", "cluster.interface=lo", *where)


def registered(cwd: Path, host: str) -> int:
    """How often a worker on a host has come to the scheduler."""
    logs = cwd.glob(f"outputs/results/*/*/_run/ssh/{host}.log")
    return sum(log.read_text().count("Registered to") for log in logs)


def at_work(cwd: Path, process: subprocess.Popen[str], more: int = 2) -> None:
    """Wait for parts."""
    before = len(parts(cwd / "outputs"))
    until(lambda: len(parts(cwd / "outputs")) >= before + more, process)


def words(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ")
    except OSError:
        return ""


@pytest.mark.long
def test_a_host_that_dies_comes_back(tmp_path: Path, daemon: Sshd, slow: Path, undisturbed: Path) -> None:
    """The run goes on with the others, says so, and has the host again when it can."""
    with started(*on(daemon, "node1", "node2"), cwd=tmp_path) as process:
        until(lambda: registered(tmp_path, "node1") == registered(tmp_path, "node2") == 1, process)
        at_work(tmp_path, process)
        servers = [pid for pid in daemon.below() if "pipeline.cluster.ssh_host" in words(pid)]
        assert len(servers) == 2
        kill(servers[0])
        until(lambda: registered(tmp_path, "node1") + registered(tmp_path, "node2") == 3, process)
        at_work(tmp_path, process)
        slow.unlink()
        status, errors = ended(process)
    assert status == 0, errors
    assert "; the next try is in 2 s" in errors
    until(lambda: not daemon.below(), seconds=30)
    settled(HERE, tmp_path, undisturbed)


@pytest.mark.long
def test_a_killed_driver_leaves_no_worker_behind(tmp_path: Path, daemon: Sshd, slow: Path, undisturbed: Path) -> None:
    with started(*on(daemon, "node1", processes=2), cwd=tmp_path) as process:
        until(lambda: registered(tmp_path, "node1") == 2, process)
        at_work(tmp_path, process)
        below = daemon.below()
        assert len(below) >= 4
        kill(process.pid)
        process.wait()
    until(lambda: not any(map(alive, below)), seconds=60)
    slow.unlink()
    settled(HERE, tmp_path, undisturbed)


def test_no_secret_is_seen_in_the_list_of_processes(tmp_path: Path, daemon: Sshd, slow: Path) -> None:
    """Credentials pass by standard input, and lie in no file; Ctrl-C ends workers too."""
    with started(*on(daemon, "node1"), cwd=tmp_path) as process:
        until(lambda: registered(tmp_path, "node1") == 1, process)
        seen = [words(pid) for pid in daemon.below()]
        assert any("pipeline.cluster.ssh_host" in line for line in seen)
        assert not any("PRIVATE" in line or "KEY" in line for line in seen)
        files = [file for file in tmp_path.rglob("*") if file.is_file()]
        assert files
        assert not any(b"PRIVATE KEY" in file.read_bytes() for file in files)
        os.killpg(process.pid, signal.SIGINT)
        status, errors = ended(process)
    assert status == 128 + signal.SIGINT, errors
    assert "Traceback" not in errors
    until(lambda: not daemon.below(), seconds=30)


def test_a_host_whose_key_is_not_known_is_not_spoken_to(tmp_path: Path, daemon: Sshd) -> None:
    done = orchard(*on(daemon, "stranger"), cwd=tmp_path)
    assert done.returncode == 5, done.stderr
    assert "no machine can be used: stranger: Host key verification failed." in done.stderr.splitlines()[-1]
    assert not daemon.below()


@pytest.mark.long
@pytest.mark.parametrize(
    ("override", "message"),
    [
        ("cluster.python=/no/such/python", "/no/such/python"),
        ("cluster.hosts=[nowhere.invalid]", "Could not resolve hostname nowhere.invalid"),
    ],
)
def test_impossible_requests_are_reported(tmp_path: Path, daemon: Sshd, override: str, message: str) -> None:
    done = orchard(*on(daemon, "node1"), override, cwd=tmp_path)
    assert done.returncode == 5, done.stderr
    assert message in done.stderr.splitlines()[-1]


@pytest.mark.long
def test_one_host_that_cannot_be_reached_is_done_without(tmp_path: Path, daemon: Sshd, undisturbed: Path) -> None:
    done = orchard(*on(daemon, "node1", "stranger"), cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "stranger: Host key verification failed." in done.stderr
    settled(HERE, tmp_path, undisturbed)


@pytest.mark.long
def test_a_folder_of_any_name(tmp_path: Path, daemon: Sshd) -> None:
    """Its name passes through the shell of the host."""
    folder = tmp_path / 'it\'s my "$HOME" ; exit 3'
    folder.mkdir()
    done = orchard(*on(daemon, "node1"), cwd=folder)
    assert done.returncode == 0, done.stderr
