"""What a person sees, on a terminal and in a pipe."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from pipeline import screen
from pipeline.plain_text import note
from pipeline.screen import RunProgress, console, list_grids, output_flag, tool
from tests.pipeline.command_line import FINISHED, ROOT


def test_files_and_pipes_get_100_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    assert console().width == 100


def test_grids_are_listed_with_what_to_type(capsys: pytest.CaptureFixture[str]) -> None:
    list_grids({"bees": "How [bold]bees[/] count", "ants": ""})
    out = capsys.readouterr().out
    assert "How [bold]bees[/] count" in out
    assert "python -m pipeline +grid=NAME" in out
    assert "ants" in out


def test_no_grids_are_a_list_too(capsys: pytest.CaptureFixture[str]) -> None:
    list_grids({})
    assert "+grid=" not in capsys.readouterr().out


def test_what_to_type_is_the_script_that_was_called(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = tmp_path / "a b/orchard"
    script.parent.mkdir()
    script.touch(mode=0o755)
    monkeypatch.setattr(sys, "orig_argv", ["python", str(script), "status"])
    monkeypatch.setenv("PATH", "/usr/bin")
    assert (tool("show"), tool()) == (f"'{script}' show", f"'{script}'")
    monkeypatch.setenv("PATH", str(script.parent))
    assert (tool("show"), tool()) == ("orchard show", "orchard")


def test_a_folder_can_be_named_as_it_is_shown() -> None:
    assert list(map(output_flag, ("outputs", "a b", "-dash"))) == ["", " --output 'a b'", " --output=-dash"]


def test_a_pipe_gets_a_plain_line_now_and_then(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    clock = iter(range(0, 1000, 2))
    monkeypatch.setattr(screen.time, "monotonic", lambda: float(next(clock)))
    with RunProgress("a grid on 2 workers", "tables", 4000, 1000) as progress:
        for _ in range(6):
            progress.advance(500)
    output = capsys.readouterr()
    assert output.out == ""
    lines = output.err.splitlines()
    assert 1 <= len(lines) <= 3
    assert all(line.endswith("/4,000 tables") for line in lines)
    assert "\x1b" not in output.err


def test_notes_go_beside_results(capsys: pytest.CaptureFixture[str]) -> None:
    note("[bold]plain[/]")
    output = capsys.readouterr()
    assert (output.out, output.err) == ("", "[bold]plain[/]\n")


def on_terminal(folder: Path, term: str, *arguments: str) -> str:
    """What the command writes to a terminal of this kind."""
    ours, theirs = pty.openpty()
    environment = {name: value for name, value in os.environ.items() if name not in {"COLUMNS", "NO_COLOR"}}
    process = subprocess.Popen(
        [sys.executable, "-m", "pipeline", *arguments],
        cwd=folder,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env=environment | {"TERM": term, "PYTHONPATH": str(ROOT)},
    )
    os.close(theirs)
    output = b""
    try:
        while chunk := os.read(ours, 65536):
            output += chunk
    except OSError:  # the other side is shut
        pass
    finally:
        os.close(ours)
        process.wait(timeout=60)
    assert process.returncode == 0, output.decode()
    return output.decode()


def test_a_terminal_gets_a_bar_that_is_gone_at_the_end_and_its_cursor_back(tmp_path: Path) -> None:
    output = on_terminal(tmp_path, "xterm-256color", *FINISHED)
    assert "greedy_vs_dp on 1 worker (local)" in output
    assert output.count("\x1b[?25l") == output.count("\x1b[?25h") > 0
    assert "cells agree with the paper" in output
    assert "distributed" not in output


def test_a_dumb_terminal_gets_no_escapes(finished: Path) -> None:
    output = on_terminal(finished, "dumb", *FINISHED)
    assert "\x1b" not in output
    assert "greedy_vs_dp" in output
