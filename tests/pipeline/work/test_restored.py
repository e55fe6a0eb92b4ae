"""What a process is after code that changed it, and the files that it then publishes."""

from __future__ import annotations

import ctypes
import locale
import os
import resource
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pipeline.plan import Chunk, GridRun
from pipeline.work.publication import publish_chunk
from pipeline.work.restored import restored_process
from tests.drills.misfits import BEHAVIOURS
from tests.pipeline.small_grids import fragile


def umask() -> int:
    mask = os.umask(0o022)
    os.umask(mask)
    return mask


def action_of_sigusr1() -> int:
    """The handler that C has."""
    libc = ctypes.CDLL(None)
    libc.signal.argtypes, libc.signal.restype = (ctypes.c_int, ctypes.c_void_p), ctypes.c_void_p
    handler = libc.signal(signal.SIGUSR1, None)
    libc.signal(signal.SIGUSR1, handler)
    return int(handler or 0)


def ignore_sigusr1() -> None:
    libc = ctypes.CDLL(None)
    libc.signal.argtypes = (ctypes.c_int, ctypes.c_void_p)
    libc.signal(signal.SIGUSR1, 1)


def limit_files() -> None:
    resource.setrlimit(resource.RLIMIT_NOFILE, (64, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))


def change_environment() -> None:
    del os.environ["PATH"]
    os.environ["ORCHARD_TEST"] = "1"


def change_locale() -> None:
    now = locale.setlocale(locale.LC_CTYPE)
    locale.setlocale(locale.LC_CTYPE, "C.UTF-8" if now == "C" else "C")


CHANGES: list[tuple[Callable[[], Any], Callable[[], Any]]] = [
    (lambda: os.chdir("/"), Path.cwd),
    (lambda: os.umask(0o777), umask),
    (limit_files, lambda: resource.getrlimit(resource.RLIMIT_NOFILE)),
    (ignore_sigusr1, action_of_sigusr1),
    (change_environment, lambda: dict(os.environ)),
    (change_locale, lambda: locale.setlocale(locale.LC_ALL)),
]


@pytest.mark.parametrize(("change", "state"), CHANGES)
def test_changes_are_undone_even_where_the_block_raises(change: Callable[[], Any], state: Callable[[], Any]) -> None:
    before = state()
    changed = before

    def disturb() -> None:
        nonlocal changed
        with restored_process():
            change()
            changed = state()
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        disturb()
    assert changed != before
    assert state() == before


def test_a_part_has_the_mode_that_the_umask_implies_whatever_its_work_did(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(BEHAVIOURS, "umask", lambda: os.umask(0o777))
    run = GridRun(fragile(_0="umask"), "small", "0123456789ab", tmp_path)
    (part,) = publish_chunk(run, Chunk(0, 2)).parts
    assert part.path.stat().st_mode & 0o777 == 0o666 & ~umask()
