"""A small run that has ended, and the command inside this process for what needs no workers."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.pipeline.command_line import FINISHED, orchard, run_orchard, undrawn

Command = Callable[..., tuple[int, str, str]]


@pytest.fixture(scope="session")
def finished_once(made_once: Callable[[str, Callable[[Path], None]], Path]) -> Path:
    """The folder a run of two groups of 40 tables was made in, with its `outputs`; read it only."""

    def run(folder: Path) -> None:
        done = orchard(*FINISHED, cwd=folder)
        assert done.returncode == 0, done.stderr

    return made_once("finished", run)


@pytest.fixture(scope="session")
def small_run(made_once: Callable[[str, Callable[[Path], None]], Path]) -> Callable[[str], Path]:
    """What gives the folder of a grid's small run, with its `outputs`, `screen` and `notes` on stderr; read it only."""
    from tests.pipeline.grids.every_grid import CASES

    def of(name: str) -> Path:
        def run(folder: Path) -> None:
            done = run_orchard(f"+grid={name}", *CASES[name], "cluster=threads", cwd=folder, figures=True)
            assert done.returncode == 0, done.stderr
            (folder / "screen").write_text(done.stdout, encoding="utf-8")
            (folder / "notes").write_text(done.stderr, encoding="utf-8")

        return made_once(f"small_{name}", run)

    return of


@pytest.fixture(scope="session")
def summarised_again(made_once: Callable[[str, Callable[[Path], None]], Path]) -> Path:
    """The folder with what the code makes of the published rows, for `summaries_in`."""
    from tests.pipeline.reproduced.published import write_summaries

    return made_once("summarised_again", write_summaries)


@pytest.fixture
def finished(finished_once: Path, tmp_path: Path) -> Path:
    """A copy of the finished run's folder, to spoil."""
    copy = tmp_path / "copy"
    shutil.copytree(finished_once, copy)
    return copy


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Command:
    """`orchard` in an empty folder, inside this process and without figures: exit status, stdout and stderr."""
    from pipeline.command import main

    monkeypatch.chdir(tmp_path)

    def run(*arguments: str) -> tuple[int, str, str]:
        with undrawn(), monkeypatch.context() as patched:
            patched.setenv("HYDRA_FULL_ERROR", "0")
            patched.setattr(sys, "argv", ["orchard", *arguments])
            try:
                status = main(list(arguments))
            except SystemExit as leaving:
                status = leaving.code if isinstance(leaving.code, int) else 1
        output = capsys.readouterr()
        return status, output.out, output.err

    return run
