"""`orchard warm` compiles the kernels of builders, and says which."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from pipeline.command import main
from pipeline.discovery import conf_folder
from pipeline.warm import command as warm


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The builders that are fitted, in this process instead of others."""
    fitted: list[str] = []

    def ended(names: Sequence[str], _workers: int, _folders: Sequence[Path]) -> Iterator[warm.Compiled]:
        for name in names:
            fitted.append(name)
            yield (name, 3, "") if name != "oct_mio" else (name, 1, "failed: ImportError: no solver")

    monkeypatch.setattr(warm, "_compiled", ended)
    return fitted


def test_all_builders_with_kernels_are_compiled_and_counted(
    here: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["warm"]) == 1
    assert {"c45", "oct", "t3_printed", "batch", "exact"} <= set(here)
    assert not {"mlp", "svm", "random_forest"} & set(here)
    output = capsys.readouterr().out
    assert "c45: 3 kernels compiled\n" in output
    assert "oct_mio: failed: ImportError: no solver\n" in output
    assert re.search(
        rf"^{3 * len(here) - 2} kernels compiled for {len(here) - 1} of {len(here)} names in [\d.]+ m?s$",
        output,
        re.M,
    )


def test_a_builder_that_nobody_knows_is_answered_with_the_nearest(
    here: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["warm", "c54"]) == 2
    assert "orchard warm: no builder is called 'c54', did you mean 'c45'?\n" in capsys.readouterr().err
    assert here == []


def test_a_process_of_the_pool_fits_the_builder_and_counts_its_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("logging.Logger.setLevel", lambda *_: None)
    name, _, error = warm._compile("naive_bayes", [conf_folder()])
    assert (name, error) == ("naive_bayes", "")
    monkeypatch.setattr(warm, "SOURCES", ("rule/no-such-set",))
    name, kernels, error = warm._compile("naive_bayes", [conf_folder()])
    assert (name, kernels) == ("naive_bayes", 0)
    assert error.startswith("failed: ")


@pytest.mark.parametrize("name", ["batch", "exact"])
def test_kernels_of_tables_are_compiled_by_name(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("logging.Logger.setLevel", lambda *_: None)
    result, _, error = warm._compile(name, [conf_folder()])
    assert (result, error) == (name, "")


def test_builders_of_a_folder_of_ones_own_are_compiled(
    here: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "builder").mkdir()
    (tmp_path / "builder/mine.yaml").write_text("class: algorithms.baselines.naive_bayes.NaiveBayesClassifier\n")
    assert main(["warm", "mine", "exact", "--config-dir", str(tmp_path)]) == 0
    assert here == ["mine", "exact"]
    monkeypatch.setattr("logging.Logger.setLevel", lambda *_: None)
    assert warm._compile("mine", [conf_folder(), tmp_path])[2] == ""
    assert main(["warm", "mine"]) == 2
    assert main(["warm", "--config-dir", str(tmp_path / "none")]) == 2
    assert "--config-dir: there is no folder" in capsys.readouterr().err
