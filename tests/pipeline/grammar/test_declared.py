"""A comparison that a YAML and a CSV declare: faults are reported by file, and no printed value is lost silently."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from pipeline.conformance import SmallGrid
from pipeline.csv_text import csv_rows
from pipeline.discovery import SearchPath
from pipeline.errors import ConfigError
from pipeline.grammar.comparison.declared import declared_comparison
from pipeline.grammar.table import Table
from pipeline.grid import GridSummary
from pipeline.summary.verdicts import Verdict
from tests.pipeline.command_line import run_orchard
from tests.summaries.builder_rows import published, result_row, written

PRINTED = """printed:
  title: Trees (Smith 2020)
  values: table2.csv
  builders: {C4.5: c45_old, CART: cart}
  folds: 10
  rounding: 0.05
"""
CLAIMS = """claims:
  title: Claims (Smith 2020)
  document: Smith 2020
  values: table2.csv
"""
SECTIONS = "sizes, printed, counts, candidates, ranks, wins, standings, claims, curves, trees"
CLAIMED = (
    "claim,left,right,measure,side,bound,on\nbetter,c45,cart,accuracy,above,0,\nsmaller,c45,carte,nodes,below,0,\n"
)
TABLE = "case,source,C4.5,CART\nmonks,rule/monks-1,80,90\ncorral,rule/corral,70,\n"
GRID = """# @package _global_
# Trees
defaults: [compare_builders, _self_]
grid: smith
summary: smith
source: [rule/monks-1]
builders: [cart]
"""


def declare(folder: Path, declaration: str = PRINTED, table: str = TABLE) -> Path:
    """A `comparison.yaml` in the folder, with its CSV beside it."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "table2.csv").write_text(table)
    file = folder / "comparison.yaml"
    file.write_text(declaration)
    return file


def summarised(folder: Path, *fits: tuple[str, str]) -> GridSummary:
    """The summary of two folds of each of these data sets and builders, each a builder's own accuracies."""
    rows = [
        result_row(source, builder, fold, test_accuracy=0.7 + fold / 20) for source, builder in fits for fold in (1, 2)
    ]
    builders = list(dict.fromkeys(builder for _, builder in fits))
    return written(declared_comparison("smith", declare(folder)), published(rows, folder), folder, builders=builders)


@pytest.mark.parametrize(
    ("declaration", "table", "message"),
    [
        ("", TABLE, f"expected one or more of the sections {SECTIONS}"),
        ("printing: {}", TABLE, f"expected one or more of the sections {SECTIONS}"),
        (
            PRINTED.replace("title", "titel"),
            TABLE,
            "unknown key 'printed.titel', did you mean 'printed.title'?\nkeys under printed: title, headline",
        ),
        (PRINTED.replace("folds: 10", "folds: ten"), TABLE, "printed.folds is 'ten': expected a whole number"),
        (PRINTED.replace("  folds: 10\n", ""), TABLE, "no value for printed.folds: add these keys"),
        (
            PRINTED,
            "case,C4.5,CART\nm,90,80\n",
            "line 2, column source: the cell is empty: expected the catalogue's name of the data set, such as",
        ),
        (
            PRINTED,
            "case,source,C4.5,CART\nm,rule/monks-1,<90,80\n",
            "line 2, column C4.5: <90 is an upper bound: expected a number, or an empty cell",
        ),
        (PRINTED.replace("folds: 10", "folds: true"), TABLE, "printed.folds is True: expected a whole number"),
        (PRINTED.replace("folds: 10", "folds: 10\n  folds: 5"), TABLE, "the key 'folds' is given twice"),
        (PRINTED.replace("folds: 10", "folds: 0"), TABLE, "comparison.yaml: printed.folds is 0: expected 1 or more"),
        (PRINTED.replace("0.05", "a"), TABLE, "comparison.yaml: printed.rounding is 'a': expected a number"),
        (PRINTED.replace("0.05", "-1"), TABLE, "comparison.yaml: printed.rounding is -1: expected 0 to 100"),
        (
            PRINTED.replace("{C4.5: c45_old, CART: cart}", "[c45]"),
            TABLE,
            "printed.builders is ['c45']: expected names with",
        ),
        (PRINTED.replace("Trees (Smith 2020)", ""), TABLE, "printed.title is null: expected text"),
        (PRINTED.replace("cart}", "45}"), TABLE, "for each column; write a name of digits in quotes"),
        (PRINTED.replace("table2", "table3"), TABLE, "printed.values is 'table3.csv': expected the name of a CSV in"),
        (PRINTED.replace("table2", "table3"), TABLE, ", which has table2.csv"),
        (PRINTED.replace("table2.csv", "/etc/hosts"), TABLE, "printed.values is '/etc/hosts': expected the name of a"),
        (PRINTED.replace("table2.csv", f"{'../' * 20}etc/hosts"), TABLE, "etc/hosts': expected the name of a CSV in"),
        ("printed: [", TABLE, "cannot be read as YAML"),
        ("trees: [c45, cart]", TABLE, "`trees` is ['c45', 'cart']: expected a list of pairs [BUILDER, [OTHERS]]"),
        ("trees: [[c45, cart]]", TABLE, "`trees` is [['c45', 'cart']]: expected a list of pairs [BUILDER, [OTHERS]]"),
        (PRINTED, TABLE.replace("90", "90*"), "line 2, column CART: '90*' is not a number of 0 or more: expected"),
        (
            PRINTED,
            "case,source,C4.5,CART\nm,rule/monks-1,90\n",
            "line 2: the line has 3 cells, but the header has 4: write commas for empty",
        ),
        (
            PRINTED,
            TABLE.replace("CART", "CARD"),
            "`builders` has 'CART', which is not a heading of the table; expected one of: source,",
        ),
        (CLAIMS, CLAIMED.splitlines()[0], "the file has only the names of the columns: expected at least one row"),
        (
            CLAIMS,
            CLAIMED + CLAIMED.splitlines()[1].replace("better", "nicer"),
            "line 4: the line repeats line 2 (c45, cart, accuracy, above, 0): remove one of the two",
        ),
        (
            CLAIMS,
            CLAIMED.replace("carte", ""),
            "line 3: left is 'c45' and right '': expected the names of two different builders",
        ),
        (CLAIMS, CLAIMED.replace("carte", "c45"), "line 3: left is 'c45' and right 'c45': expected"),
    ],
)
def test_a_fault_is_reported_with_its_file_and_what_was_expected(
    declaration: str, table: str, message: str, tmp_path: Path
) -> None:
    with pytest.raises(ConfigError) as caught:
        declared_comparison("smith", declare(tmp_path, declaration, table))
    assert message in str(caught.value)
    assert str(tmp_path) in str(caught.value)


def test_a_misprint_is_declared_in_the_csv_and_has_its_proof_beside_it(tmp_path: Path) -> None:
    table = (
        "case,source,C4.5,CART,CART_corrected,remark\n"
        "monks,rule/monks-1,72,27,72,digits swapped\ncorral,rule/corral,72,27,27.5,swapped\n"
    )
    rows = [
        result_row(f"rule/{source}", "cart", fold, test_accuracy=0.72 + 0.001 * (-1) ** fold)
        for source in ("monks-1", "corral")
        for fold in range(1, 11)
    ]
    summary = declared_comparison("smith", declare(tmp_path, table=table))
    result = written(summary, published(rows, tmp_path), tmp_path, builders=["cart"])
    (values,) = (document for document in result.documents if document.name == "smith")
    of = values.records
    known = [(row["case"], row["printed"], row["corrected"], row["verdict"], row["remark"]) for row in of]
    assert known == [
        ("monks", 27, 72, Verdict.MISPRINT, "digits swapped"),
        ("corral", 27, 27.5, Verdict.DIFFERS, "swapped"),
    ]
    assert "misprint: the printed value differs, but the document or its data prove it wrong" in values.note
    assert "1 differs and 1 is a misprint" in result.finding
    assert "72.00 (27)!" in _screen(result)
    assert "!: a misprint" in _screen(result)


def test_without_misprints_a_table_is_as_it_was(tmp_path: Path) -> None:
    summary = summarised(tmp_path, ("rule/monks-1", "cart"))
    (values,) = (document for document in summary.documents if document.name == "smith")
    assert "corrected" not in values.columns
    assert "misprint" not in values.note + _screen(summary)


def _screen(summary: GridSummary) -> str:
    shown = StringIO()
    Console(file=shown, width=200).print(*summary.screen(200))
    return shown.getvalue()


def test_a_csv_of_a_spreadsheet_is_read_and_another_encoding_is_named(tmp_path: Path) -> None:
    file = declare(tmp_path).with_name("table2.csv")
    plain = list(csv_rows(file, ["case"], ["case"]))
    file.write_text(TABLE.replace(",", ", "), encoding="utf-8-sig")
    assert list(csv_rows(file, ["case"], ["case"])) == plain
    file.write_text(TABLE, encoding="utf-16")
    with pytest.raises(ConfigError, match=r"table2.csv: byte 1 is not UTF-8: save the file as CSV in UTF-8"):
        list(csv_rows(file, ["case"], ["case"]))


def test_a_summary_without_its_file_names_the_file(tmp_path: Path) -> None:
    (tmp_path / "conf" / "grid").mkdir(parents=True)
    (tmp_path / "conf" / "grid" / "smith.yaml").write_text(GRID)
    finished = run_orchard("+grid=smith", "--config-dir", "conf", cwd=tmp_path)
    assert finished.returncode == 2
    assert "summary is 'smith': expected one of accuracies" in finished.stderr
    assert f"needs the file {tmp_path.resolve()}/conf/grids/smith/comparison.yaml" in finished.stderr


def test_sections_have_tables_of_different_names(tmp_path: Path) -> None:
    file = declare(tmp_path, f"{PRINTED}standings:\n  title: Standings\n")
    names = [table.name for table in declared_comparison("smith", file).tables if isinstance(table, Table)]
    assert names == ["smith", "standings", "accuracies", "classes"]
    with pytest.raises(
        ConfigError,
        match=r"yaml: a table of this file is called 'classes', but another table has that name already, because",
    ):
        declared_comparison("classes", file)


def test_a_folder_whose_name_is_misspelt_is_named(tmp_path: Path) -> None:
    folder = declare(tmp_path / "grids" / "smiht").parent
    (tmp_path / "grid").mkdir()
    (tmp_path / "grid" / "smith.yaml").write_text(GRID.replace("summary: smith", ""))
    with pytest.raises(ConfigError) as caught:
        _ = SmallGrid("+grid=smith", config_dir=tmp_path).made
    message = f"no grid has the name of the folder {folder}, did you mean 'smith'? Rename the folder"
    assert message in str(caught.value)
    assert SmallGrid("+grid=smith", "summary=accuracies", config_dir=tmp_path).made.items


def test_a_comparison_beside_the_yaml_of_its_grid_is_refused(tmp_path: Path) -> None:
    folder = declare(tmp_path / "grid" / "smith").parent
    (tmp_path / "grid" / "smith.yaml").write_text(GRID.replace("summary: smith", ""))
    with pytest.raises(ConfigError) as caught:
        _ = SmallGrid("+grid=smith", config_dir=tmp_path).made
    assert f"move the folder {folder} to {tmp_path / 'grids' / 'smith'}" in str(caught.value)


def test_a_fault_is_reported_before_any_work(tmp_path: Path) -> None:
    file = declare(tmp_path / "conf" / "grids" / "smith", table=TABLE.replace("90", "9o"))
    (tmp_path / "conf" / "grid").mkdir()
    (tmp_path / "conf" / "grid" / "smith.yaml").write_text(GRID)
    output = tmp_path / "outputs"
    finished = run_orchard("+grid=smith", "--config-dir", "conf", f"output={output}", cwd=tmp_path)
    assert finished.returncode == 2
    assert f"{file.parent.name}/table2.csv, line 2, column CART: '9o' is not a number of 0 or more" in finished.stderr
    assert not output.exists()


def test_what_is_printed_and_was_not_run_is_named(tmp_path: Path) -> None:
    summary = summarised(tmp_path, ("rule/monks-1", "c45_old"))
    message = "printed but not in this run: 1 of 2 data sets (corral); 1 of 2 builders (cart)"
    assert str(summary.screen(100)[1]).endswith(f"\n{message}")
    assert message in summary.documents[0].note
    whole = summarised(tmp_path, *((s, b) for s in ("rule/monks-1", "rule/corral") for b in ("c45_old", "cart")))
    assert "not in this run" not in str(whole.screen(100)[1]) + whole.documents[0].note


def test_a_printed_value_that_alone_was_not_run_is_named(tmp_path: Path) -> None:
    summary = summarised(tmp_path, ("rule/monks-1", "cart"), ("rule/corral", "c45_old"))
    assert "printed but not in this run: 1 of 3 values (monks by c45_old)" in summary.documents[0].note


def test_what_was_run_and_is_not_printed_is_named(tmp_path: Path) -> None:
    summary = summarised(tmp_path, *((s, b) for s in ("rule/monks-1", "rule/corral") for b in ("c45_old", "cart")))
    assert str(summary.screen(100)[1]).endswith("\nin the run but not printed: 1 of 4 cells (rule/corral by cart)")
    readings = summarised(tmp_path, ("rule/monks-1", "c45_old"), ("rule/monks-1", "c45_old_pruned"))
    assert "not printed" not in str(readings.screen(100)[1])


@pytest.mark.parametrize(
    ("text", "declared", "tolerance"),
    [("4", "", 0.5), ("4.00", "", 0.4), ("4 ± 1", "", 0.5), ("0", "", 0.5), ("4", "  rounding: 3\n", 3)],
)
def test_a_printed_value_is_as_exact_as_it_is_written(
    tmp_path: Path, text: str, declared: str, tolerance: float
) -> None:
    declaration = PRINTED.replace("  rounding: 0.05\n", declared)
    file = declare(tmp_path, declaration, TABLE.replace("90", "94.0").replace("80", text))
    rows = [
        result_row("rule/monks-1", name, fold, test_accuracy=0.7 + fold / 20)
        for name in ("c45_old", "cart")
        for fold in (1, 2)
    ]
    summary = written(
        declared_comparison("smith", file), published(rows, tmp_path), tmp_path, builders=["c45_old", "cart"]
    )
    table = summary.documents[0]
    assert table.rows[0][table.columns.index("tolerance")] == pytest.approx(tolerance)
    shown = StringIO()
    Console(file=shown, width=200).print(summary.screen(200)[0])
    assert f"({text})" in shown.getvalue()
    assert "(94.0)" in shown.getvalue()


@pytest.mark.parametrize("table", [TABLE.replace(",", ";"), TABLE.replace("80,90", "0.80,0.9").replace("70", ".7")])
def test_semicolons_and_shares_are_read_as_anybodys_printed_table(tmp_path: Path, table: str) -> None:
    values = declared_comparison("smith", declare(tmp_path, table=table)).constants["printed"]
    assert [(row["case"], row["builder"], row["value"]) for row in values] == [
        ("monks", "c45_old", 80), ("monks", "cart", 90), ("corral", "c45_old", 70)
    ]  # fmt: skip


def test_a_claim_that_is_not_tested_is_named(tmp_path: Path) -> None:
    rows = [
        result_row(source, builder, fold, test_accuracy=0.7 + fold / 20)
        for source in ("rule/monks-1", "rule/corral")
        for builder in ("c45", "cart")
        for fold in (1, 2)
    ]
    declared = declared_comparison("smith", declare(tmp_path, CLAIMS, CLAIMED))
    table = written(declared, published(rows, tmp_path), tmp_path, builders=["c45", "cart"]).documents[0]
    assert [row[table.columns.index("claim")] for row in table.rows] == ["better"]
    assert table.note.endswith("data sets have finished fits: 1 of 2 claims (nodes of c45 - carte).")


def test_a_builder_whose_name_goes_on_is_another_reading_of_the_column(tmp_path: Path) -> None:
    fits = [("rule/monks-1", name) for name in ("c45_old", "c45_old_pruned", "c45", "cart")]
    table = summarised(tmp_path, *fits).documents[0]
    columns = {name: table.columns.index(name) for name in ("builder", "printed", "verdict")}
    by_key = {row[columns["builder"]]: (row[columns["printed"]], bool(row[columns["verdict"]])) for row in table.rows}
    assert by_key == {"c45_old": (80, True), "c45_old_pruned": (80, False), "cart": (90, True)}


def test_our_declarations_hold() -> None:
    declared = [folder.path / "comparison.yaml" for folder in SearchPath().folders().values()]
    own = [file for file in declared if file.is_file()]
    assert own
    for file in own:
        declared_comparison(file.parent.name, file)
