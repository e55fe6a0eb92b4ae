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

    async def call(function: Callable[..., Awaitable[Any]], notes: Path, *names: str) -> Any:
        answer = await function(folder / "_run" if folder else notes, *names)
        if loses:
            (notes / names[1]).unlink()
        return answer

    return call


def objection(folder: Path, call: CallWorker) -> str:
    with SharedFolder(folder) as shared:
        return asyncio.run(shared.objection(call))


def test_nothing_speaks_against_a_worker_in_the_same_folder(tmp_path: Path) -> None:
    assert objection(tmp_path, worker_in(None)) == ""
    assert list((tmp_path / "_run").iterdir()) == []


def test_a_worker_with_a_folder_of_its_own_does_not_see_what_the_driver_writes(tmp_path: Path) -> None:
    assert f"it does not see in {tmp_path / 'own'} what " in objection(tmp_path, worker_in(tmp_path / "own"))


def test_a_worker_whose_files_do_not_come_up_here_writes_elsewhere(tmp_path: Path) -> None:
    assert f"it writes to a {tmp_path} that " in objection(tmp_path, worker_in(None, loses=True))


def test_a_worker_that_cannot_write_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with SharedFolder(tmp_path) as shared:

        def refuse(path: Path, content: bytes) -> None:
            raise PermissionError(13, "Permission denied", str(path))

        monkeypatch.setattr(shared_folder, "write_atomically", refuse)
        assert f"it cannot write to {tmp_path} (Permission denied)" in asyncio.run(shared.objection(worker_in(None)))


def test_the_next_command_names_the_output() -> None:
    assert "name a folder with output=…" in SharedFolder(Path("outputs")).mend
