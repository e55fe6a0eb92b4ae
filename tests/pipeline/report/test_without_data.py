"""The report where the data of a run are not: it draws what the summary recorded, without a network."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from pipeline.builders import Builder
from pipeline.data.preparation import Preparation
from tests.pipeline.conftest import Command
from tests.pipeline.record.recorded import CART, compared

ZOO = "uci/zoo"
C45 = Builder("c45", "algorithms.induction.c45.C45Classifier", "{}", Preparation())


@pytest.fixture
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine with neither data sets nor a network."""

    def refuse_network(*arguments: object) -> None:
        raise AssertionError(arguments)

    monkeypatch.delenv("ORCHARD_DATA", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(socket, "getaddrinfo", refuse_network)
    monkeypatch.setattr(socket.socket, "connect", refuse_network)


@pytest.mark.usefixtures("alone")
def test_each_tree_that_lacks_its_data_is_named_with_what_to_give(
    shared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: Command
) -> None:
    moved = tmp_path / "data"
    moved.symlink_to(shared / "data")
    run = compared(tmp_path / "outputs", (CART, C45), ZOO, str(moved))
    page = tmp_path / f"outputs/report/compare_builders-{run.id}.html"
    assert command("report")[::2] == (0, "")
    whole = page.read_text()
    trees = whole.count("Tree: ")
    assert trees
    moved.unlink()
    page.unlink()
    assert command("report")[::2] == (0, "")
    assert page.read_text() == whole  # the trees are drawn from what the summary recorded of them
    (run.summaries / "summary.json").unlink()
    status, _, err = command("report")
    assert status == 0
    mend = (
        f"'{ZOO}' is missing: no local folder is set. A command that only reads does not download it: set "
        f"ORCHARD_DATA to a folder with zoo/zoo.data, or run `python -m pipeline.fetch {ZOO}`"
    )
    assert page.read_text().count("Not drawn here: ") == trees
    assert err == f"{page.name} lacks {trees} trees that cannot be built again: {mend}\n"
    status, _, err = command("show", "--builder", "cart")
    assert (status, err) == (2, f"orchard show: {mend}\n")
    monkeypatch.setenv("ORCHARD_DATA", str(shared / "data"))  # though the record names another folder
    assert command("report")[::2] == (0, "")
    assert page.read_text() == whole
