"""An sshd of the tests' own on a free port of 127.0.0.1, with keys of its own, that answers under several names."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.drills.held_back import PRELOAD
from tests.oracles.beside import absent
from tests.pipeline.command_line import descendants, kill, until

__all__ = ["Sshd", "sshd"]

SERVER = """\
Port {port}
ListenAddress 127.0.0.1
HostKey {folder}/host
AuthorizedKeysFile {folder}/user.pub
PasswordAuthentication no
KbdInteractiveAuthentication no
UsePAM no
StrictModes no
PidFile none
SetEnv {preload}
"""
CLIENT = """\
Host stranger
  UserKnownHostsFile none
Host {names} stranger
  HostName 127.0.0.1
  Port {port}
  IdentityFile {folder}/user
  IdentitiesOnly yes
  UserKnownHostsFile {folder}/known_hosts
  GlobalKnownHostsFile none
"""


@dataclass(frozen=True)
class Sshd:
    """The running daemon; `config` is what `ssh -F` takes, and `stranger` a name whose key nobody knows."""

    process: subprocess.Popen[bytes]
    config: Path

    def below(self) -> list[int]:
        """All that was started by way of it."""
        return descendants(self.process.pid)


@contextmanager
def sshd(folder: Path, names: Sequence[str]) -> Iterator[Sshd]:
    """A daemon for the time of the block; skips where there is none, or no right to run it."""
    program = shutil.which("sshd", path=f"{os.environ['PATH']}:/usr/sbin")
    if program is None or shutil.which("ssh") is None:
        absent("there is no sshd: apt-get install openssh-server openssh-client")
    if os.geteuid() == 0:
        Path("/run/sshd").mkdir(mode=0o755, exist_ok=True)  # where the daemon of root locks itself in
    folder.mkdir(parents=True, exist_ok=True)
    for key in ("host", "user"):
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", folder / key], check=True)
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        port = held.getsockname()[1]
    (folder / "server").write_text(SERVER.format(port=port, folder=folder, preload=PRELOAD))
    (folder / "client").write_text(CLIENT.format(port=port, folder=folder, names=" ".join(names)))
    (folder / "known_hosts").write_text(f"[127.0.0.1]:{port} {(folder / 'host.pub').read_text()}")
    (folder / "log").touch()
    process = subprocess.Popen(
        [program, "-D", "-f", folder / "server", "-E", folder / "log"],
        stdin=subprocess.DEVNULL,
        start_new_session=True,
    )
    daemon = Sshd(process, folder / "client")
    try:
        until(lambda: "Server listening" in (folder / "log").read_text(), seconds=20)
        yield daemon
    finally:
        left = daemon.below()
        process.kill()
        process.wait()
        for pid in left:
            try:
                kill(pid)
            except ProcessLookupError:
                continue
