"""The folder that a proof is published as: of whole runs of the paper's size alone, the same bytes each time."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pyarrow.parquet as pq
import pytest
import yaml

from pipeline.discovery import SearchPath
from pipeline.errors import ConfigError, OrchardError
from pipeline.proof.printed import papers
from pipeline.proof.proof import Proof, Unanswered, proof_of
from pipeline.record.environment import OWN_PACKAGES, code
from pipeline.record.kept import kept_below
from pipeline.report.answers import answers_of
from pipeline.report.command import current
from pipeline.report.runs import ReportedRun, reported
from pipeline.reproduced.folder import SPARE, STAMP, check_folder, check_whole, publish_proof, size_of
from pipeline.reproduced.stamp import commit_of, stamp
from tests.pipeline.command_line import ROOT, parts, rows
from tests.pipeline.conftest import Command
from tests.pipeline.reproduced.published import unlike

GREEDY = {"greedy_vs_dp": papers().experiments["greedy_vs_dp"]}


@pytest.fixture
def proof(finished: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Proof, list[ReportedRun]]:
    """Of the small run, whatever its size."""
    monkeypatch.setattr("pipeline.reproduced.stamp.MOST_COMMITS", 1)
    return _proof_of(finished / "outputs")


def _proof_of(output: Path) -> tuple[Proof, list[ReportedRun]]:
    runs = [reported(run, current(run, SearchPath())) for run in kept_below(output)]
    answers = dict.fromkeys(papers().experiments, Unanswered("")) | answers_of(GREEDY, runs)
    return proof_of(papers().documents, answers), runs


def _files(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_the_same_runs_give_the_same_bytes_and_all_their_rows(
    proof: tuple[Proof, list[ReportedRun]], finished: Path, tmp_path: Path
) -> None:
    for name in ("a", "b"):
        publish_proof(tmp_path / name, *proof)
    publish_proof(tmp_path / "b", *_proof_of(tmp_path / "b/rows"))  # of its own rows, instead of what is there
    a, b = _files(tmp_path / "a"), _files(tmp_path / "b")
    assert yaml.safe_load(a.pop(STAMP))["runs"].keys() == yaml.safe_load(b.pop(STAMP))["runs"].keys() == GREEDY.keys()
    assert a == b
    assert rows(tmp_path / "a/rows").equals(rows(finished / "outputs"))
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".")]
    assert b"`rows/` has all rows of the runs." in a["README.md"]
    (run,) = proof[1]
    for table in run.tables:
        assert a[f"tables/greedy_vs_dp/{table.name}.csv"] == (run.run.summaries / f"{table.name}.csv").read_bytes()
    held = b"".join(content for name, content in a.items() if name.endswith((".json", ".yaml", ".md")))
    assert [
        word for word in (str(finished), str(tmp_path), run.provenance.machine["host"] + '"') if word.encode() in held
    ] == []


def test_rows_that_are_too_many_are_cut_and_the_readme_says_so(
    proof: tuple[Proof, list[ReportedRun]], finished: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish_proof(tmp_path / "whole", *proof)
    limit = size_of(tmp_path / "whole") + SPARE - 8_000
    monkeypatch.setattr("pipeline.reproduced.folder.LIMIT", limit)
    publish_proof(tmp_path / "cut", *proof)
    assert size_of(tmp_path / "cut") <= limit
    (part,) = parts(tmp_path / "cut/rows")
    (whole,) = parts(tmp_path / "whole/rows")
    cut, all_rows = pq.read_table(part), pq.read_table(whole)
    assert 0 < cut.num_rows < all_rows.num_rows
    assert cut.num_rows % 17 == 0
    assert cut.equals(all_rows.slice(0, cut.num_rows))
    items = cut.num_rows // 17
    text = (tmp_path / "cut/README.md").read_text(encoding="utf-8")
    assert f"{cut.num_rows:,} of 1,360 rows, those of the first {items} of 80 tables" in text
    monkeypatch.setattr("pipeline.reproduced.folder.LIMIT", limit - size_of(whole.parents[4]))
    with pytest.raises(OrchardError, match=r"the rows to publish would have [\d,]+ bytes: expected"):
        publish_proof(tmp_path / "none", *proof)
    assert not (tmp_path / "none").exists()


def test_an_interruption_between_two_renames_loses_no_published_proof(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, rename = tmp_path / "proof", Path.rename
    folder.mkdir()
    (folder / STAMP).write_text("before")

    def interrupted(self: Path, target: Path) -> Path:
        if self.name == "new":
            raise KeyboardInterrupt
        return rename(self, target)

    monkeypatch.setattr("pipeline.reproduced.folder._write", lambda new, *_: new.mkdir())
    monkeypatch.setattr(Path, "rename", interrupted)
    with pytest.raises(KeyboardInterrupt):
        publish_proof(folder, proof_of((), {}), [])
    assert _files(tmp_path) == {f"proof/{STAMP}": b"before"}


def test_a_folder_with_other_things_is_left_alone(tmp_path: Path) -> None:
    check_folder(tmp_path / "new")
    check_folder(tmp_path)
    (tmp_path / "documents.csv").touch()
    with pytest.raises(ConfigError, match=r"contains other files: documents\.csv; give a new folder"):
        check_folder(tmp_path)
    (tmp_path / STAMP).touch()
    check_folder(tmp_path)
    (tmp_path / "thesis.tex").touch()
    with pytest.raises(ConfigError, match=r"contains other files: thesis\.tex; give a new folder"):
        check_folder(tmp_path)
    with pytest.raises(ConfigError, match="is not a folder"):
        check_folder(tmp_path / "thesis.tex")


def test_only_whole_runs_of_the_papers_size_are_published(
    proof: tuple[Proof, list[ReportedRun]], finished: Path
) -> None:
    (run,) = proof[1]
    answers = answers_of({**GREEDY, "evo_tree": papers().experiments["evo_tree"]}, [run])
    with pytest.raises(ConfigError) as raised:
        check_whole(answers, kept_below(finished / "outputs"), "python -m pipeline.documents size=paper")
    first, *others = str(raised.value).splitlines()
    assert first.startswith("nothing is published, because 2 of 2 grids lack a complete run of the paper's size")
    assert re.fullmatch(rf"  greedy_vs_dp: run {run.run.id} has another size: .*tables.count 40 for 10000.*", others[0])
    assert others[1:] == ["  evo_tree: there is no run"]
    (part, *_) = run.run.scan().parts
    part.path.unlink()
    with pytest.raises(ConfigError, match=rf"run {run.run.id} is stopped with \d+ of 80 tables done"):
        check_whole({"greedy_vs_dp": Unanswered("")}, kept_below(finished / "outputs"), "it")


def test_the_command_refuses_before_it_runs_anything(command: Command, finished: Path, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/notes.txt").touch()
    for words, message in (
        (
            ["--publish", "new"],
            "--publish new needs runs of the paper's size: add size=paper to make such runs, or --proof",
        ),
        (["--publish", "mine", "size=paper"], "--publish mine contains other files: notes.txt"),
    ):
        status, out, errors = command("documents", *words)
        assert (status, out) == (2, "")
        assert message in errors
    status, _, errors = command("documents", "--proof", f"output={finished / 'outputs'}", "--publish", "new")
    assert status == 2
    assert "nothing is published, because 13 of 13 grids lack a complete run of the paper's size" in errors
    assert not (tmp_path / "new").exists()


@pytest.mark.long
def test_the_command_runs_and_publishes(command: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("pipeline.documents.command._experiments", lambda _: GREEDY)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    status, out, errors = command("documents", "size=paper", "cluster.workers=1", "--publish", "new")
    assert (status, out.splitlines()[-1]) == (0, "Published  new"), errors
    published, ours = _files(ROOT / "reproduced/tables"), _files(tmp_path / "new/tables")
    assert len(ours) == 3
    for name, content in ours.items():
        assert unlike(content.decode(), published[name].decode()) == []


def test_the_commit_of_a_run_is_identified_by_the_digest_of_its_code(monkeypatch: pytest.MonkeyPatch) -> None:
    changes = subprocess.run(
        ["git", "status", "--porcelain", "algorithms", "pipeline"], cwd=ROOT, capture_output=True, check=False
    )
    if changes.returncode or changes.stdout.strip():
        pytest.skip("the code is not that of a commit")
    commit = commit_of(code())
    assert commit is not None
    changed = subprocess.run(
        ["git", "diff", "--name-only", commit, "--", *OWN_PACKAGES], cwd=ROOT, capture_output=True, check=True
    )
    modules = [file for file in changed.stdout.decode().split() if file.endswith(".py") and "/tests/" not in file]
    assert modules == []
    monkeypatch.setattr("pipeline.reproduced.stamp.MOST_COMMITS", 2)
    assert commit_of("0" * 16) is None


def test_code_installed_in_another_project_has_not_its_commit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    installed = tmp_path / "venv"
    (installed / "algorithms").mkdir(parents=True)
    (tmp_path / ".gitignore").write_text("venv")
    git = ["git", "-C", str(tmp_path), "-c", "user.name=a", "-c", "user.email=a@example.org"]
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "theirs"]):
        subprocess.run([*git, *words], check=True)
    monkeypatch.setattr("pipeline.reproduced.stamp.PROJECT", installed)
    assert {name: stamp([])[name] for name in ("commit", "clean")} == {"commit": None, "clean": None}


def test_a_record_without_its_machine_still_gives_the_run(
    proof: tuple[Proof, list[ReportedRun]], tmp_path: Path
) -> None:
    publish_proof(tmp_path / "new", *proof)
    (record,) = (tmp_path / "new").glob("rows/results/*/*/_run/run.json")
    assert {"folder", "output"} & json.loads(record.read_text()).keys() == set()
    assert [run.id for run in kept_below(tmp_path / "new/rows")] == [proof[1][0].run.id]
