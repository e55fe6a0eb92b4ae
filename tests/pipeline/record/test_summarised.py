"""`pipeline.summarise`: the files that the command of a run writes, from its rows alone."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path

import pytest

import pipeline
from pipeline.errors import ConfigError
from tests.pipeline.command_line import parts, run_folder, undrawn


def test_the_files_are_those_that_the_command_wrote(finished_once: Path, tmp_path: Path) -> None:
    output = finished_once / "outputs"
    run = run_folder(output).name.removeprefix("run=")
    (written,) = output.glob("summaries/*/run=*")
    figures = {"greedy_vs_dp.svg", "greedy_vs_dp.png"}
    for name in ("greedy_vs_dp", run, run[:5]):
        drawn = name == run
        with nullcontext() if drawn else undrawn():
            summary = pipeline.summarise(output, name, tmp_path / name)
        ours = {path.name: path.read_bytes() for path in (tmp_path / name).iterdir()}
        assert {path.name for path in summary.figures} == (figures if drawn else set())
        assert ours == {name: (written / name).read_bytes() for name in ours}
        assert {path.name for path in written.iterdir()} - set(ours) == {"summary.json"} | (set() if drawn else figures)


def test_a_run_that_is_not_there_or_not_complete_is_refused(finished: Path, tmp_path: Path) -> None:
    output = finished / "outputs"
    with pytest.raises(ConfigError, match="run 'zz' is not among the runs"):
        pipeline.summarise(output, "zz", tmp_path / "s")
    parts(output)[0].unlink()
    with pytest.raises(ConfigError, match="is not complete; to compute the rest, run the command of the run again"):
        pipeline.summarise(output, "greedy_vs_dp", tmp_path / "s")
    assert not (tmp_path / "s").exists()
