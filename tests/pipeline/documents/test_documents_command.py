"""All documents by one command: each grid a run of its own, and what could not be run is reported."""

from __future__ import annotations

import csv
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from pipeline.command import run_grid
from pipeline.driver.outcome import Outcome
from pipeline.errors import SIGNALLED
from pipeline.proof.printed import papers
from tests.pipeline.command_line import ROOT, environment, orchard, until
from tests.pipeline.conftest import Command

NOWHERE = {
    "https_proxy": "http://127.0.0.1:9",
    "HTTPS_PROXY": "http://127.0.0.1:9",
    "http_proxy": "http://127.0.0.1:9",
    "ORCHARD_DATA": "",
}
"""No network, and no data sets of this machine's."""


@pytest.fixture
def documents(command: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Command:
    """The command over one grid that needs no data and one whose data are not to be had."""
    monkeypatch.setattr(
        "pipeline.documents.command._experiments",
        lambda _: {grid: papers().experiments[grid] for grid in ("did_vs_svm", "greedy_vs_dp")},
    )
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for name, value in NOWHERE.items():
        monkeypatch.setenv(name, value)
    return command


def _proof(folder: Path) -> dict[str, dict[str, str]]:
    """The rows of the proof's table by what is printed."""
    with (folder / "outputs/report/documents.csv").open(encoding="utf-8") as file:
        return {row["printed"]: row for row in csv.DictReader(file)}


@pytest.mark.long
def test_the_proof_covers_what_can_run_and_says_how_to_run_the_rest(documents: Command, tmp_path: Path) -> None:
    status, out, errors = documents("documents", "tables.count=40", "cluster.workers=1")
    assert status == 2
    assert "1/2 did_vs_svm" in out
    assert "2/2 greedy_vs_dp" in out
    assert "of 320 cells agree with the paper" in out.partition("What is reproduced of")[0]
    assert "set data.folder" in errors
    proof = _proof(tmp_path)
    cells = proof["Tables 1–4"]
    assert int(cells["agree"]) + int(cells["consistent"]) == 320
    assert int(cells["agree"]) < 40  # 40 tables a group prove little
    assert cells["outcome"] == "reproduced in part"
    assert "run at another size: tables.count 40 for 10000" in cells["finding"]
    assert proof["SVM"]["outcome"] == "no input"
    assert proof["SVM"]["no_input"] == "22"
    assert "set data.folder" in proof["SVM"]["finding"]
    assert proof["Table 3"]["outcome"] == "not run"
    page = (tmp_path / "outputs/report/documents.html").read_text(encoding="utf-8")
    assert "set data.folder" in page
    assert "tables.count 40 for 10000" in page
    assert 'href="documents.html"' in (tmp_path / "outputs/report/index.html").read_text(encoding="utf-8")

    status, out, _ = documents(
        "documents", "--proof", "output=outputs"
    )  # of the runs alone: why others lack is not known
    assert status == 0
    assert "1/2" not in out
    assert _proof(tmp_path)["SVM"]["outcome"] == "not run"
    assert _proof(tmp_path)["Tables 1–4"] == cells


def test_commands_for_the_others_name_the_same_output(documents: Command, finished: Path) -> None:
    output = f"output={finished / 'outputs'}"
    status, out, _ = documents("documents", "--proof", output, "seed=3")
    assert status == 0
    assert f"documents {output} seed=3" in " ".join(out.partition("To compute the missing tables:")[2].split())


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (["size=huge"], "size is 'huge': expected one of quick, paper"),
        (["tabels.count=4"], "no grid here has the key 'tabels.count'"),
        (["--proof"], "no results in outputs"),
        (["cluster.workers=abc"], "cluster.workers is 'abc': expected a whole number or null"),
        (["cluster.workers=0"], "cluster.workers is 0: expected 1 or more"),
        (["data.folder=nowhere"], "data.folder is nowhere, which is not a folder"),
        (["tables.count=ten"], "tables.count is 'ten': expected a whole number"),
        (["limits.seconds=-1"], "limits.seconds is -1"),
        (["output=''"], "`output` is empty"),
    ],
)
def test_impossible_settings_are_refused_before_anything_is_run(
    documents: Command, given: list[str], message: str
) -> None:
    status, out, errors = documents("documents", *given)
    assert (status, out) == (2, "")
    assert message in errors
    assert len(errors.splitlines()) == 1


def test_sizes_and_overrides_make_the_commands_and_a_stop_ends_them_all(
    documents: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for folder in ("d", "mine"):
        (tmp_path / folder).mkdir()
    requests: list[list[str]] = []

    def run_grid(arguments: list[str], *, folded: bool) -> Outcome:
        assert folded
        requests.append(arguments)
        return Outcome(3 if len(requests) % 2 else 130, finding="disk full")

    monkeypatch.setattr("pipeline.documents.command.run_grid", run_grid)
    monkeypatch.setattr(
        "pipeline.documents.command._experiments",
        lambda _: {grid: papers().experiments[grid] for grid in ("removed_features", "did_vs_svm", "greedy_vs_dp")},
    )
    for size, quick in (("quick", ["random_orders=2"]), ("paper", [])):
        requests.clear()
        status, _, errors = documents("documents", f"size={size}", "data.folder=d", "seed=3", "--config-dir", "mine")
        assert status == 130
        assert "stopped in did_vs_svm, after 1 of 3 grids" in errors
        assert requests == [
            ["+grid=removed_features", *quick, "data.folder=d", "seed=3", "--config-dir", "mine"],
            ["+grid=did_vs_svm", "data.folder=d", "seed=3", "--config-dir", "mine"],
        ]


@pytest.mark.long
def test_a_dry_run_works_for_every_grid_and_writes_nothing(documents: Command, tmp_path: Path) -> None:
    done = orchard("tables.count=40", "dry_run=true", module="pipeline.documents", cwd=tmp_path, seconds=500, **NOWHERE)
    assert "of grid greedy_vs_dp" in done.stdout
    assert done.returncode == 2
    assert {path.name for path in tmp_path.iterdir()} <= {"cache"}


@pytest.mark.long
def test_the_quick_size_without_data_or_network(tmp_path: Path) -> None:
    cache = {"XDG_CACHE_HOME": str(tmp_path / "cache")}
    done = orchard("tables.count=100", module="pipeline.documents", cwd=tmp_path, seconds=500, **NOWHERE, **cache)
    assert done.returncode == 2, done.stderr
    proof = _proof(tmp_path)
    needless = {"greedy_vs_dp", "worked_examples"}
    for row in proof.values():
        assert row["outcome"] != "not run", row
        assert (row["outcome"] == "no input") == (row["grid"] not in needless), row
    assert proof["Pruning algorithm, the example"]["impossible"] == "1"
    assert proof["Training data set"]["agree"] == "13"


def test_how_a_grid_ended_is_told_and_its_screen_hidden(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HYDRA_FULL_ERROR", "0")
    for arguments, status, finding in (
        (["+grid=greedy_vs_dp", "tables.count=0"], 2, "tables.count is 0: expected 1 to 1000000000000"),
        (["+grid=greedy_vs_dp", "--cfg", "job"], 0, ""),
    ):
        ended = run_grid(arguments, folded=True)
        assert (ended.status, ended.finding) == (status, finding or ended.finding)
        shown = capsys.readouterr()
        assert shown.out == ""
        assert finding in shown.err
    monkeypatch.setattr("pipeline.command._run_single", lambda *_: 1 / 0)
    assert run_grid(["+grid=greedy_vs_dp"], folded=True).finding == "ZeroDivisionError: division by zero"


COMMAND = """
import sys
from pipeline.command import run_grid
from pipeline.driver.signals import interrupting
with interrupting():
    print("ended", run_grid(sys.argv[1:], folded=True).status, flush=True)
"""


def test_a_request_to_stop_ends_the_run_in_order(tmp_path: Path) -> None:
    size = ("+grid=greedy_vs_dp", "cluster.workers=1", "tables.groups=1", "tables.count=2000000")
    process = subprocess.Popen(
        [sys.executable, "-c", COMMAND, *size],
        cwd=tmp_path,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )
    try:
        until(lambda: bool(list(tmp_path.glob("outputs/results/grid=*/run=*/part-*.parquet"))), process)
        process.send_signal(signal.SIGINT)
        out, errors = process.communicate(timeout=60)
    finally:
        process.kill()
    assert out == f"ended {SIGNALLED + signal.SIGINT}\n", errors
    assert "; done: " in errors
