"""What is said to machines reached by ssh, and what of a configuration cannot be."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from pipeline.cluster import ssh
from pipeline.cluster.ssh import SshHosts
from pipeline.configuration.settings import Ssh
from pipeline.errors import ConfigError

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
    return SshHosts.of(Ssh(**USUAL | changed))


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
def test_what_cannot_be_is_refused_by_its_key(key: str, value: Any) -> None:
    with pytest.raises(ConfigError, match=rf"^cluster\.{key} "):
        hosts(**{key: value})


def test_there_are_as_many_workers_as_hosts_times_processes() -> None:
    assert hosts().wanted == 4
    assert hosts().job_script() is None


def test_the_shell_of_a_host_reads_the_words_that_were_meant(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / 'it\'s "mine" $HOME `id`'
    place.mkdir()
    monkeypatch.chdir(place)
    monkeypatch.setenv("PYTHONPATH", "/a b:/c'd")
    told = tmp_path / "told it"
    told.write_text('#!/bin/sh\npwd\necho "$PYTHONPATH $PYTHONSAFEPATH"\necho "$@"\n')
    told.chmod(0o755)
    command = hosts(python=str(told))._command("node1")
    assert command[-2] == "node1"
    assert command[-3] == "--"
    said = subprocess.run(["/bin/sh", "-c", command[-1]], capture_output=True, text=True, check=True).stdout
    assert said.splitlines() == [str(place), "/a b:/c'd 1", "-m pipeline.cluster.ssh_host"]


def test_keys_of_hosts_are_always_checked() -> None:
    command = hosts()._command("node1")
    assert "StrictHostKeyChecking=yes" in command
    assert "BatchMode=yes" in command


def test_what_ends_is_tried_again_after_a_pause_that_grows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    clock = [1000.0]
    monkeypatch.setattr(ssh.time, "monotonic", lambda: clock[0])
    log = tmp_path / "node1.log"
    host = ssh._Host("node1", [sys.executable, "-c", "import sys; sys.exit('no route to host')"], "{}", log)
    pauses = []
    for _ in range(7):
        host.tend(has_workers=False)
        assert host._process is not None
        host._process.wait(30)
        host.tend(has_workers=False)
        assert host._process is None
        pauses.append(host._due - clock[0])
        clock[0] = host._due - 0.01
        host.tend(has_workers=False)
        assert host._process is None
        clock[0] = host._due
    assert pauses == [2, 4, 8, 16, 32, 60, 60]
    assert host.unusable
    assert capsys.readouterr().err.count(f"node1: no route to host ({log}); tried again in") == 7


def test_a_host_that_does_not_end_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ssh, "CLOSE_SECONDS", 0.5)
    stubborn = [sys.executable, "-c", "import time; time.sleep(600)"]
    host = ssh._Host("node1", stubborn, "{}", tmp_path / "node1.log")
    began = time.monotonic()
    with ssh._served([host], set):
        waited = Event()
        while host._process is None:
            waited.wait(0.05)
    assert host._process.poll() is not None
    assert time.monotonic() - began < 20
