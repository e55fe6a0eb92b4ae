"""Every code block of the README and of the documentation does what it says, as a reader would do it."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pipeline.command import main
from tests.docs.code_blocks import MARKS, RUN, Block, blocks, pages
from tests.pipeline.command_line import ROOT, SETTINGS, run_orchard

SECONDS = 300.0
BEFORE_GRIDS = (["python", "-m", "pipeline"], ["orchard"])
SHOWN = ("text", "yaml", "csv")
SHOWS = {"file", "into", "screen of", "not run"}
PAGES = {page: blocks(page) for page in pages()}
QUICK = [page for page, result in PAGES.items() if any(each.runs for each in result)]
LONG = [page for page, result in PAGES.items() if any(each.takes_long for each in result)]


@pytest.mark.parametrize("page", PAGES)
def test_every_block_says_what_becomes_of_it(page: str) -> None:
    for block in PAGES[page]:
        where = f"{page}:{block.line}"
        assert block.language in (*RUN, *SHOWN), f"{where}: a block of {block.language or 'nothing'}"
        assert set(block.marks) <= set(MARKS), f"{where}: {sorted(block.marks)}"
        if block.language not in RUN:
            assert block.marks.keys() & SHOWS, f"{where}: neither a file nor a screen"


@pytest.mark.parametrize("page", QUICK)
def test_the_blocks_of_a_page_do_what_they_say(page: str, reader: Reader) -> None:
    for block in PAGES[page]:
        if not block.takes_long:
            reader.follows(block)
        elif block.language == "sh":
            reader.composes(block)


@pytest.mark.long
@pytest.mark.parametrize("page", LONG)
def test_all_blocks_of_a_page_do_what_they_say(page: str, reader: Reader) -> None:
    for block in PAGES[page]:
        reader.follows(block, apart=True)


@pytest.fixture
def reader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Reader]:
    """Somebody who follows a page in an empty folder, whose modules are forgotten afterwards."""
    folder = tmp_path / "reader"
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.delenv("ORCHARD_DATA", raising=False)
    known = set(sys.modules)
    yield Reader(folder, monkeypatch)
    for name in set(sys.modules) - known:
        if str(getattr(sys.modules[name], "__file__", "")).startswith(str(folder)):
            del sys.modules[name]


class Reader:
    """Follows the blocks of one page in a folder, which holds a file of their own, `mine.csv`."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self._folder, self._monkeypatch = folder, monkeypatch
        self._names: dict[str, Any] = {"__name__": "__main__"}
        self._programs = folder.parent / "bin"
        self._programs.mkdir()
        for name, command in {"python": "", "orchard": " -m pipeline"}.items():
            program = self._programs / name
            program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)}{command} "$@"\n')
            program.chmod(0o755)
        (folder / "mine.csv").write_text(_diagnoses())

    def follows(self, block: Block, *, apart: bool = False) -> None:
        """Do what a block says; all commands in processes of their own if `apart`, else those that need one."""
        where = f"{block.page}:{block.line}"
        if "file" in block.marks:
            self._writes(block)
        elif "into" in block.marks:
            self._inserts(block.marks["into"], block.text)
        elif "screen of" in block.marks:
            self._sees(block.text, block.marks["screen of"], where)
        elif "composed" in block.marks:
            self.composes(block)
        elif block.runs and block.language == "sh":
            commands = block.commands()
            if apart or not all(map(_plain, commands)):
                self._runs("\n".join(commands), where)
            else:
                for command in commands:
                    self._calls(command, where)
        elif block.runs:
            exec(compile(block.text, where, "exec"), self._names)

    def composes(self, block: Block) -> None:
        """Have the commands of a block that run a grid composed, so that their keys and values are looked at."""
        for command in block.commands():
            if "+grid=" in command:
                self._composes(command, f"{block.page}:{block.line}")

    def _writes(self, block: Block) -> None:
        file = Path(block.marks["file"])
        if (ROOT / file.parts[0]).is_dir():
            self._copies_the_project()
        (self._folder / file).parent.mkdir(parents=True, exist_ok=True)
        (self._folder / file).write_text(block.text, encoding="utf-8")

    def _inserts(self, where: str, text: str) -> None:
        name, side, line = re.fullmatch(r"(\S+) (before|after): (.*)", where).groups()  # type: ignore[union-attr]
        self._copies_the_project()
        file = self._folder / name
        lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
        (results,) = [number for number, each in enumerate(lines) if each.rstrip("\n").strip() == line.strip()]
        lines.insert(results + (side == "after"), text)
        file.write_text("".join(lines), encoding="utf-8")

    def _copies_the_project(self) -> None:
        if not (self._folder / "pipeline").exists():
            for name in ("pipeline", "conf"):
                shutil.copytree(ROOT / name, self._folder / name, ignore=shutil.ignore_patterns("orchard-kernels-*"))

    def _runs(self, commands: str, where: str) -> str:
        variables = {name: value for name, value in os.environ.items() if name not in SETTINGS}
        variables |= {"PATH": f"{self._programs}:{variables['PATH']}", "PYTHONPATH": str(ROOT), "MPLBACKEND": "agg"}
        done = subprocess.run(
            ["bash", "-euc", commands],
            cwd=self._folder,
            env=variables,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            timeout=SECONDS,
            check=False,
        )
        assert done.returncode == 0, f"{where}: {commands}\n{done.stdout}\n{done.stderr}"
        return done.stdout

    def _calls(self, command: str, where: str) -> None:
        """Run a plain command in this process."""
        _, _, module, *words = shlex.split(command)
        done = run_orchard(*words, cwd=self._folder, module=module)
        assert done.returncode == 0, f"{where}: {command}\n{done.stdout}\n{done.stderr}"

    def _sees(self, text: str, command: str, where: str) -> None:
        screen = self._runs(command, where)
        for line in text.splitlines():
            pattern = r"\s+".join(map(re.escape, line.split())).replace("…", ".*")
            assert re.search(pattern, screen), f"{where}: not on the screen of {command}: {line}\n{screen}"

    def _composes(self, command: str, where: str) -> None:
        words = shlex.split(command)
        before = next((begin for begin in BEFORE_GRIDS if words[: len(begin)] == begin), None)
        assert before, f"{where}: {command} runs no grid"
        first = "--multirun" in words  # of the values of a sweep
        given = [word.split(",")[0] if first and "[" not in word else word for word in words[len(before) :]]
        given = [word for word in given if word != "--multirun" and not word.startswith("data.folder=")]
        with self._monkeypatch.context() as patched:
            patched.setenv("HYDRA_FULL_ERROR", "0")
            patched.setattr(sys, "argv", ["orchard"])
            try:
                status = main([*given, "--cfg", "job"])
            except SystemExit as leaving:
                status = leaving.code if isinstance(leaving.code, int) else 1
        assert not status, f"{where}: {command}"


def _plain(command: str) -> bool:
    """Whether it is a command of ours alone, without the syntax of a shell."""
    words = list(shlex.shlex(command, posix=True, punctuation_chars=True))
    ours = command.startswith("python -m pipeline")
    return ours and not any(set(word) & set("$`;<>|&") for word in words)


def _diagnoses() -> str:
    """A table of 90 rows with text, numbers, a missing value and the class `diagnosis`."""
    rows = [
        (20 + number % 50, ("red", "pale", "grey")[number % 3], f"{1 + number % 7 / 10:.1f}" if number else "?")
        for number in range(90)
    ]
    expected = ["ill" if age > 45 or colour == "grey" else "well" for age, colour, _ in rows]
    lines = [f"{age},{colour},{level},{what}" for (age, colour, level), what in zip(rows, expected, strict=True)]
    return "\n".join(["age,colour,level,diagnosis", *lines, ""])
