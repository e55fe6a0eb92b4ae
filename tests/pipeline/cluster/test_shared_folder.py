"""Whether a worker shares the run's folder; the workers are functions of this process."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from pipeline.cluster import shared_folder
from pipeline.cluster.shared_folder import SharedFolder

CallWorker = Callable[..., Awaitable[Any]]


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared_folder, "SIGHT_SECONDS", 0.2)
    monkeypatch.setattr(shared_folder, "LOOK_SECONDS", 0.05)


def worker_in(folder: Path | None, *, loses: bool = False) -> CallWorker:
    """A worker that has another folder under the name of the run's, or loses what it writes."""

    async def call(function: Callable[..., Awaitable[Any]], record_folder: Path, *names: str) -> Any:
        answer = await function(folder / "_run" if folder else record_folder, *names)
        if loses:
            (record_folder / names[1]).unlink()
        return answer

    return call


def objection(folder: Path, call: CallWorker) -> str:
    with SharedFolder(folder) as shared:
        return asyncio.run(shared.objection(call))


def test_nothing_speaks_against_a_worker_in_the_same_folder(tmp_path: Path) -> None:
    assert objection(tmp_path, worker_in(None)) == ""
    assert list((tmp_path / "_run").iterdir()) == []


def test_a_worker_with_a_folder_of_its_own_does_not_see_what_the_driver_writes(tmp_path: Path) -> None:
    assert "it does not see the files that " in objection(tmp_path, worker_in(tmp_path / "own"))


def test_a_worker_whose_files_do_not_come_up_here_writes_elsewhere(tmp_path: Path) -> None:
    assert f"it writes files to {tmp_path} that " in objection(tmp_path, worker_in(None, loses=True))


def test_a_worker_that_cannot_write_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with SharedFolder(tmp_path) as shared:

        def refuse(path: Path, content: bytes) -> None:
            raise PermissionError(13, "Permission denied", str(path))

        monkeypatch.setattr(shared_folder, "write_atomically", refuse)
        assert f"it cannot write to {tmp_path} (Permission denied)" in asyncio.run(shared.objection(worker_in(None)))


def test_the_next_command_names_the_output() -> None:
    assert "set output=… to a folder" in SharedFolder(Path("outputs")).mend
