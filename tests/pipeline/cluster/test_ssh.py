"""The commands for machines reached by ssh, and impossible configurations."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from pipeline.cluster import ssh
from pipeline.cluster.ssh import SshHosts
from pipeline.configuration.settings import Ssh
from pipeline.errors import ConfigError
from tests.pipeline.command_line import until

USUAL: dict[str, Any] = {
    "hosts": ["node1", "me@node2"],
    "processes": 2,
    "python": None,
    "config": None,
    "interface": None,
    "patience": 300.0,
    "dashboard": False,
}


def hosts(**changed: Any) -> SshHosts:
    return SshHosts(Ssh(**USUAL | changed))


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("hosts", []),
        ("hosts", ["node1", "node1"]),
        *(("hosts", [name]) for name in ("-oProxyCommand=id", "a b", "a;b", "$(id)", "", "a\nb", "a/b", "../a")),
        ("processes", 0),
        ("patience", 0.0),
        ("python", " "),
        ("python", "py\nthon"),
        ("config", "/no/such/file"),
    ],
)
def test_impossible_settings_are_refused_by_their_key(key: str, value: Any) -> None:
    with pytest.raises(ConfigError, match=rf"^cluster\.{key} "):
        hosts(**{key: value})


def test_there_are_as_many_workers_as_hosts_times_processes() -> None:
    assert hosts().wanted == 4
    assert hosts().job_script() is None


def test_the_shell_of_a_host_reads_the_words_that_were_meant(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / 'it\'s "mine" $HOME `id`'
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setenv("PYTHONPATH", "/a b:/c'd")
    log = tmp_path / "told it"
    log.write_text('#!/bin/sh\npwd\necho "$PYTHONPATH $PYTHONSAFEPATH"\necho "$@"\n')
    log.chmod(0o755)
    command = hosts(python=str(log))._command("node1")
    assert command[-2] == "node1"
    assert command[-3] == "--"
    output = subprocess.run(["/bin/sh", "-c", command[-1]], capture_output=True, text=True, check=True).stdout
    assert output.splitlines() == [str(folder), "/a b:/c'd 1", "-m pipeline.cluster.ssh_host"]


def test_keys_of_hosts_are_always_checked() -> None:
    command = hosts()._command("node1")
    assert "StrictHostKeyChecking=yes" in command
    assert "BatchMode=yes" in command


class Over(Event):
    """Nobody waits for a pause; after so many of them all is over."""

    def __init__(self, pauses: int) -> None:
        super().__init__()
        self.most, self.pauses = pauses, list[float]()

    def wait(self, timeout: float | None = None) -> bool:
        if timeout is None or timeout < ssh.FIRST_PAUSE:
            return super().wait(timeout)
        self.pauses.append(timeout)
        if len(self.pauses) == self.most:
            self.set()
        return self.is_set()


def host(log: Path, program: str, workers: Callable[[], set[str]] = set) -> ssh._Host:
    return ssh._Host("node1", [sys.executable, "-c", program], {}, log, workers)


def test_a_connection_that_ends_is_tried_again_after_a_growing_pause(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(ssh, "LOOK_SECONDS", 0.02)
    log, over = tmp_path / "node1.log", Over(7)
    failing = host(log, "import sys; sys.exit('no route to host')")
    failing.serve(over)
    assert over.pauses == [2, 4, 8, 16, 32, 60, 60]
    assert failing.unusable
    assert capsys.readouterr().err.count(f"node1: no route to host ({log}); the next try is in") == 7


def test_a_host_from_which_workers_came_is_tried_again_soon(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ssh, "LOOK_SECONDS", 0.02)
    over = Over(3)
    losing = host(tmp_path / "log", "import time; time.sleep(0.3)", lambda: {"node1/0", "node10/0"})
    losing.serve(over)
    assert over.pauses == [2, 2, 2]
    assert losing.served
    assert not losing.unusable


def test_workers_of_another_host_are_not_taken_for_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ssh, "LOOK_SECONDS", 0.02)
    over = Over(2)
    losing = host(tmp_path / "log", "import time; time.sleep(0.3)", lambda: {"node10/0"})
    losing.serve(over)
    assert over.pauses == [2, 4]
    assert losing.unusable


def test_a_host_that_does_not_end_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ssh, "CLOSE_SECONDS", 0.5)
    ended = []
    monkeypatch.setattr(
        ssh, "_leave", lambda connection, leave=ssh._leave: ended.append((leave(connection), connection))
    )
    stubborn = host(tmp_path / "node1.log", "import time; print('here', flush=True); time.sleep(600)")
    began = time.monotonic()
    with ssh._serving([stubborn]):
        until(lambda: stubborn.log.exists() and "here" in stubborn.log.read_text())
    ((_, connection),) = ended
    assert connection.returncode == -signal.SIGKILL
    assert time.monotonic() - began < 120  # of its 600 seconds
