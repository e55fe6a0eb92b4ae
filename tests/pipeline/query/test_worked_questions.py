"""The page of worked questions: its runs are made, its questions run, and its answers compared with the results."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from pipeline.query.command import main as query
from tests.pipeline.command_line import ROOT, run_orchard

PAGE = (ROOT / "docs" / "questions.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"^python -m pipeline (.+)$", PAGE, re.MULTILINE)
QUESTIONS = re.findall(
    r"^## (\d+\. .+?)\n.*?```sql\n(.+?)```\n\n```text\n(.+?)```\n\n\S", PAGE, re.DOTALL | re.MULTILINE
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the runs of the page were made, in this process."""
    folder = tmp_path_factory.mktemp("worked")
    for command in COMMANDS:
        assert run_orchard(*shlex.split(command), "cluster=threads", cwd=folder).returncode == 0
    return folder


def test_there_are_ten_questions_to_five_runs() -> None:
    assert len(COMMANDS) == 5
    assert [title.partition(".")[0] for title, _, _ in QUESTIONS] == [str(number) for number in range(1, 11)]
    assert len(QUESTIONS) == PAGE.count("```sql") == PAGE.count("```text")


@pytest.mark.parametrize(("title", "question", "answer"), QUESTIONS, ids=[title for title, _, _ in QUESTIONS])
def test_the_page_has_the_answer_of_the_query(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    title: str,
    question: str,
    answer: str,
) -> None:
    monkeypatch.chdir(folder)
    assert query([question]) == 0
    output = capsys.readouterr()
    assert [line.rstrip() for line in output.out.splitlines()] == answer.splitlines()
    assert output.err.startswith("read from 5 runs: 2 of greedy_vs_dp, ")
    assert len(output.err.splitlines()) == 1  # nothing of the answer is left out


def test_the_two_lines_of_python_give_a_frame(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    (program,) = re.findall(r"```python\n(.+?)```", PAGE, re.DOTALL)
    assert len(list(filter(None, program.splitlines()))) == 2
    collected: dict[str, object] = {}
    exec(program, collected)
    assert list(collected["frame"].columns) == ["builder", "nodes"]  # type: ignore[attr-defined]
    assert len(collected["frame"]) >= 5  # type: ignore[arg-type]
