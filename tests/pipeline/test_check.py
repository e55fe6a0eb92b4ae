"""`orchard check`: what it shows of a printed table, and mistakes in its arguments."""

from __future__ import annotations

import csv
from pathlib import Path

import duckdb
import pytest

import pipeline.grids

TABLE = """Data set,C4.5,CART
Iris,94.4,94.0
Wine,93.8,91.0
Nonesuch,50,50
Average,94.9,78.3
"""


@pytest.fixture
def table(tmp_path: Path) -> Path:
    file = tmp_path / "table.csv"
    file.write_text(TABLE)
    return file


def test_impossible_figures_are_shown_with_their_proofs(command, table, tmp_path):
    status, out, err = command(
        "check", "table.csv", "--rows", "Iris=sklearn/iris", "--rows", "Wine=sklearn/wine", "--to", "claims.csv"
    )
    assert (status, err) == (0, "")
    output = " ".join(out.split())
    assert "table.csv 8 figures of 3 data sets and 2 builders: C4.5, CART granularity" in output
    assert "line 2, column C4.5: Iris, C4.5, accuracy 94.4 is impossible" in output
    assert "nearest are 141/150 = 94 % and 142/150 = 94.6667 %" in output
    assert "line 5, column C4.5: mean, C4.5, accuracy 94.9 is impossible" in output
    assert (
        "note data set Nonesuch: no data set has this name. Write --rows 'Nonesuch=NAME', or add a column n" in output
    )
    assert "2 figures not tested: Nonesuch, C4.5, accuracy 50; Nonesuch, CART, accuracy 50" in output
    claims = list(csv.DictReader((tmp_path / "claims.csv").read_text().splitlines()))
    assert [claim["verdict"] for claim in claims].count("impossible") == 2
    (granular,) = [claim for claim in claims if claim["test"] == "granularity" and claim["verdict"] == "impossible"]
    assert duckdb.sql(granular["question"]).fetchall() == []
    (honest,) = [claim for claim in claims if claim["figures"] == "Iris, CART, accuracy 94.0"]
    assert duckdb.sql(honest["question"]).fetchall() == [(141, 94.0)]


def test_data_sets_that_need_no_file_are_typed_at_once(command, table, monkeypatch):
    monkeypatch.delenv("ORCHARD_DATA", raising=False)
    _, out, _ = command("check", "table.csv")
    options = out.partition("without files for these data sets, you can use ")[2].strip()
    assert options == "--rows Iris=sklearn/iris --rows Wine=sklearn/wine"
    _, out, _ = command("check", "table.csv", *options.split())
    assert "granularity: 3 possible, 1 impossible" in out
    assert "without files for these data sets, you can use" not in out


def test_more_folds_than_rows_decide_nothing(command, table):
    names = ["--rows", "Iris=sklearn/iris", "--rows", "Wine=sklearn/wine"]
    _, out, _ = command("check", "table.csv", *names, "--folds", "151")
    assert "granularity: 2 possible, 2 undecided\n" in out
    assert "\n  undecided: a data set of 150 rows cannot be tested in this way\n" in out
    _, out, _ = command("check", "table.csv", *names, "--folds", "150")
    assert "granularity: 3 possible, 1 impossible\n" in out
    assert "undecided" not in out


def test_the_settings_of_the_paper_can_be_configured(command, table):
    rows = ("--rows", "Iris=sklearn/iris")
    for protocol, possible in (
        ((), False),
        (("--folds", "10", "--repeats", "2"), False),  # 94.4 of 300 rows is none; 283/300 = 94.33
        (("--folds", "10", "--repeats", "10"), True),
        (("--test-share", "0.3"), False),  # 42/45 = 93.3, 43/45 = 95.6
        (("--test-share", "3/10", "--repeats", "2"), True),
        (("--rounding", "truncated"), False),
    ):
        _, out, _ = command("check", "table.csv", *rows, *protocol)
        assert ("Iris, C4.5, accuracy 94.4 is impossible" not in out) == possible, protocol


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("absent.csv",), "absent.csv: cannot be read: No such file or directory; expected a CSV of printed figures"),
        (("/dev/zero",), "/dev/zero: the file is larger than 1,048,576 bytes: expected a printed table"),
        (("table.csv", "--rows", "Iris"), "--rows 'Iris': expected NAME=VALUE"),
        (("table.csv", "--folds", "1"), "--folds is 1: expected 2 or more"),
        (("table.csv", "--repeats", "0"), "--repeats is 0: expected 1 or more"),
        (("table.csv", "--test-share", "34"), "34 is not a share: expected a number between 0 and 1"),
        (("table.csv", "--test-share", "x"), "argument --test-share"),
        (
            ("table.csv", "--test-share", "0.3", "--folds", "5"),
            "argument --folds: not allowed with argument --test-share",
        ),
        (("table.csv", "--test-share", "1/0"), "1/0 is not a share"),
        (("table.csv", "--rows", "Irsi=sklearn/iris"), "`rows` has 'Irsi', but the rows of the table are Iris"),
        (("table.csv", "--rounding", "up"), "argument --rounding: invalid choice: 'up' (choose from 'nearest', 'half_"),
        (
            ("table.csv", "--columns", "C45=c45"),
            "`columns` has 'C45', which is not a heading of the table; expected one of: C4.5, CART",
        ),
        (("table.csv", "--measure", "acuracy"), "no measure is called 'acuracy', did you mean 'accuracy'?"),
        (("table.csv", "--to", "table.csv"), "--to table.csv already exists"),
    ],
)
def test_mistakes_end_in_a_line(command, table, arguments, message):
    status, out, err = command("check", *arguments)
    assert (status, out) == (2, "")
    assert message in err
    assert "Traceback" not in err


def test_data_sets_that_are_not_here_are_a_line_each(command, table, monkeypatch):
    monkeypatch.delenv("ORCHARD_DATA", raising=False)
    status, out, _ = command("check", "table.csv")
    assert status == 0
    assert "data set Iris: uci/iris is missing: run `python -m pipeline.fetch uci/iris`" in out
    assert "set ORCHARD_DATA to a folder with iris/iris.data, or write --rows 'Iris=sklearn/iris', which needs" in out


def test_a_damaged_file_of_a_data_set_is_not_called_missing(command, table, tmp_path, monkeypatch):
    file = tmp_path / "data" / "iris" / "iris.data"
    file.parent.mkdir(parents=True)
    file.write_text("5.1,3.5,1.4,0.2,Iris-setosa\n4.9,3.0\n")
    monkeypatch.setenv("ORCHARD_DATA", str(tmp_path / "data"))
    status, out, _ = command("check", "table.csv")
    assert status == 0
    assert f"data set Iris: {file}, line 2: the line has 2 fields, but other lines have 5" in out
    assert "uci/iris is missing" not in out


def test_a_table_with_data_sets_in_its_headings_is_to_be_turned(command, tmp_path):
    (tmp_path / "table.csv").write_text("Classifier,Iris,Wine\nC4.5,94.0,93.8\nCART,94.0,91.0\n")
    _, out, _ = command("check", "table.csv")
    assert "note Iris, Wine are data sets in the headings: exchange rows and columns, so that each row is" in out
    _, _, err = command("+grid=printed", "printed=table.csv")
    assert "- Iris, Wine are data sets in the headings: exchange rows and columns" in err


def test_figures_that_cannot_hold_together_are_counted(command, tmp_path):
    (tmp_path / "table.csv").write_text("Data set,A,B,C,D\nIris,1,2,2,7\n")
    _, out, _ = command("check", "table.csv", "--measure", "rank")
    words = "Iris, A, rank 1; Iris, B, rank 2; Iris, C, rank 2 and 1 more are impossible together"
    assert words in " ".join(out.split())


def test_a_mean_is_no_share_of_the_rows_beside_it(command, tmp_path):
    """The mean of 50 and 100 % is 75 %, which is no share of the 7 rows that two sets have on average."""
    (tmp_path / "table.csv").write_text("Data set,n,C4.5\nOne,4,50.0\nOther,10,100.0\nAverage,7,75.0\n")
    status, out, _ = command("check", "table.csv")
    assert status == 0
    assert "granularity: 2 possible" in out
    assert "impossible" not in out


GRIDS = Path(pipeline.grids.__file__).parent
NO_SHARE = [
    "australian, did, accuracy 86.9",
    "heart, j48, accuracy 79.4",
    "heart, did, accuracy 79.5",
    "iris, j48, accuracy 94.4",
    "iris, did, accuracy 95.6",
    "hepatitis, svm, accuracy 83.55",
    "corral, did, accuracy 98.3",
]
"""Of the second table of Ben-Gal et al. 2014: no shares of the rows of their data sets, and no means over folds."""


@pytest.mark.parametrize(
    ("file", "options", "message", "impossible"),
    [
        ("did_vs_svm/printed/did_vs_svm_j48.csv", (), "66 figures of 22 data sets and 3 builders", NO_SHARE),
        (
            "evo_tree/printed/evo_tree.csv",
            ("--folds", "2", "--repeats", "5"),
            "102 figures of 8 data sets and 6 builders",
            [],
        ),
        (
            "oct_vs_cart/printed/oct_vs_cart.csv",
            ("--columns", "region=case"),
            "32 figures of 8 data sets and 2 builders",
            [],
        ),
    ],
)
def test_the_printed_tables_of_the_documents_are_read_as_anybodys(
    command, tmp_path, file, options, message, impossible
):
    status, out, err = command("check", str(GRIDS / file), *options, "--to", "claims.csv")
    assert (status, err) == (0, "")
    assert message in " ".join(out.split())
    assert "left out" not in out
    assert "no data set has this name" not in out
    claims = list(csv.DictReader((tmp_path / "claims.csv").read_text().splitlines()))
    assert [claim["figures"] for claim in claims if claim["verdict"] == "impossible"] == impossible
    for claim in claims:
        if claim["verdict"] == "impossible":
            assert duckdb.sql(claim["question"]).fetchall() == []


def test_the_impossible_figures_of_ben_gal_et_al_are_those_of_a_plain_count():
    rows = list(csv.DictReader((GRIDS / "did_vs_svm/printed/did_vs_svm_j48.csv").read_text().splitlines()))
    collected = set()
    for row in rows:
        n = int(row["rows"])
        for builder in ("svm", "j48", "did"):
            text = row[f"{builder}_accuracy_pct"]
            half = 0.5 * 10.0 ** -len(text.partition(".")[2]) + 1e-9
            if not any(abs(100 * right / n - float(text)) <= half for right in range(n + 1)):
                collected.add(f"{row['case']}, {builder}, accuracy {text}")
    assert set(NO_SHARE) <= collected  # means over folds of unequal sizes make some of the others possible


def test_notes_beyond_those_that_anybody_reads_are_counted(command, tmp_path):
    (tmp_path / "table.csv").write_text("Data set,C4.5\n" + "".join(f"Nowhere {i},94.4\n" for i in range(60)))
    status, out, _ = command("check", "table.csv")
    assert status == 0
    assert out.count("no data set has this name") == 50
    assert "note 10 more notes not shown: first mend the notes above" in out


def test_a_row_alone_is_no_rows(command, tmp_path):
    (tmp_path / "table.csv").write_text("Data set,n,C4.5\nMine,1,50\n")
    _, out, _ = command("check", "table.csv")
    assert "no share of 1 row gives this figure" in out
    assert "1/2: right rows of 2 passes over 1 row\n" in out
