"""A summary of somebody's own: what follows where it says nothing, and the name of what it does wrong."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pipeline.grammar.columns import Key, Value
from pipeline.grammar.summary import Summary
from pipeline.grammar.table import Table
from pipeline.grid import GridSummary
from tests.summaries.builder_rows import published, result_row, written

SIZES = Table("sizes", "Sizes", of="results", columns=[Key("builder"), Value("splits", "count(*)")])
ALONE = Summary(tables=(SIZES,), cell="tree")


def summarised(summary: Summary, folder: Path, *statuses: str) -> GridSummary:
    """The summary of a row of each status."""
    rows = [result_row("s", "c45", fold, status=status) for fold, status in enumerate(statuses or ("ok",), start=1)]
    return written(summary, published(rows, folder), folder)


def test_a_summary_of_tables_alone_counts_its_cells(tmp_path: Path) -> None:
    summary = summarised(ALONE, tmp_path / "some", "ok", "failed", "ok")
    assert summary.finding == "2 of 3 trees computed; 1 of 3 trees failed."
    assert "says which" in str(summary.screen(80)[1])
    assert summarised(ALONE, tmp_path / "none", "failed").finding == "Nothing was tested: every tree failed."


@pytest.mark.parametrize(
    ("message", "finding"), [("deep trees", "Deep trees."), (["a", "b"], "A; b."), ([], "1 of 1 tree computed.")]
)
def test_a_finding_is_a_text_or_clauses(tmp_path: Path, message: Any, finding: str) -> None:
    assert summarised(replace(ALONE, finding=lambda _: message), tmp_path).finding == finding


@pytest.mark.parametrize(("columns", "given"), [([], "no columns"), (["builder"], "'builder'")])
def test_what_is_no_column_of_a_table_is_named(columns: Any, given: str) -> None:
    with pytest.raises(ValueError, match=f"table 'sizes' has {given}: expected columns such as Key"):
        replace(SIZES, columns=columns)


def _written(name: str) -> Callable[[Path], list[Path]]:
    def files(folder: Path) -> list[Path]:
        (folder / name).touch()
        return [folder / name]

    return files


def _draws(files: Callable[[Path], Any]) -> tuple[Callable[..., Any], ...]:
    def draw(_: object, folder: Path) -> Any:
        return files(folder)

    return (draw,)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"finding": lambda _: None}, "finding returned None: expected a text or a list of texts"),
        ({"trees": lambda _: None}, "trees returned None: expected a list"),
        ({"trees": lambda _: ["deep"]}, r"trees returned \['deep'\]: expected a list of NotableTree"),
        ({"figures": _draws(lambda _: None)}, "draw returned None: expected the paths of the files that it wrote"),
        ({"figures": _draws(lambda _: ["a.svg"])}, r"draw returned \['a.svg'\]: expected the paths of the files"),
        ({"figures": _draws(lambda folder: [folder / "a.svg"])}, r"a.svg'\)\]: expected the paths of the files"),
        ({"views": {"odd": "select colour from results"}}, "the SQL of view 'odd': Binder Error: .*colour"),
        ({"tables": (replace(SIZES, order="colour"),)}, "the SQL of table 'sizes': Binder Error: .*colour"),
        ({"tables": (replace(SIZES, of="results where ("),)}, "the SQL of table 'sizes': Parser Error"),
        ({"tables": (SIZES, replace(SIZES, title="Again"))}, "two tables of the summary have the name 'sizes'"),
        (
            {"figures": _draws(_written("a.svg")) + _draws(_written("a.svg"))},
            "draw wrote a.svg, as draw did: rename one",
        ),
        ({"figures": _draws(_written("../a.svg"))}, r"draw wrote '.*/../a.svg': expected a figure in .* without /"),
        ({"figures": _draws(_written(".svg"))}, r"draw wrote '.*/\.svg': expected a figure in .* such as tables\.svg"),
        ({"figures": _draws(_written("sizes.csv"))}, r"draw wrote '.*/sizes\.csv': expected a figure in .*"),
        ({"figures": _draws(_written("summary.json"))}, r"draw wrote '.*/summary\.json': expected a figure in .*"),
        ({"tables": SIZES}, r"`tables` is a Table: expected a tuple, such as \(TABLE,\)"),
        ({"figures": print}, r"`figures` is a \w+: expected a tuple, such as \(draw,\)"),
    ],
)
def test_a_fault_of_a_summary_is_named(tmp_path: Path, changes: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        summarised(replace(ALONE, **changes), tmp_path)


@pytest.mark.parametrize(
    "sql",
    [
        "from read_text('secret.txt')",
        "from 'secret.txt'",
        "from results; copy (select 1) to 'stolen.csv'",
        "from results; attach 'stolen.db'",
        "from results; set enable_external_access = true",
    ],
)
def test_sql_reads_and_writes_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sql: str) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "secret.txt").write_text("a\nhunter2\n")
    with pytest.raises(ValueError, match="the SQL of view 'odd': ") as caught:
        summarised(replace(ALONE, views={"odd": sql}), tmp_path / "summary")
    assert "hunter2" not in str(caught.value)
    assert not list(tmp_path.glob("stolen*"))
