"""Printed tables as people type them: both forms, and what cannot be read."""

from __future__ import annotations

from fractions import Fraction

import pytest

from pipeline.errors import ConfigError
from pipeline.printed_table.cells import CellError, read_cell
from pipeline.printed_table.figure import ALL, MEAN
from pipeline.printed_table.reading import read_printed_table
from tests.pipeline.printed_table.figures import cells


@pytest.mark.parametrize(
    ("written", "value", "digits", "beside"),
    [
        ("94.4", "94.4", 1, None),
        (" 94.40 ", "94.4", 2, None),
        ("**94.4**", "94.4", 1, None),
        ("94.4*", "94.4", 1, None),
        ("94.4†", "94.4", 1, None),
        ("94.4•", "94.4", 1, None),
        ("94.4^{a}", "94.4", 1, None),
        ("94.4^{*}", "94.4", 1, None),
        ("94.4\\%", "94.4", 1, None),
        ("\\textbf{94.4}", "94.4", 1, None),
        ("$\\mathbf{94.4 \\pm 1.2}$", "94.4", 1, "1.2"),
        ("94.4 a", "94.4", 1, None),
        ("94.4[1]", "94.4", 1, None),
        ("94.4²", "94.4", 1, None),
        ("**94.4** ± 1.2", "94.4", 1, "1.2"),
        ("\\textbf{94.4} $\\pm$ 1.2", "94.4", 1, "1.2"),
        ("{\\bf 94.4}{\\scriptsize $\\pm$1.2}", "94.4", 1, "1.2"),
        ("<b>94.4</b> (1.2)", "94.4", 1, "1.2"),
        ("94.4 %", "94.4", 1, None),
        ("94.4 ± 1.2", "94.4", 1, "1.2"),
        ("94.4±1.2*", "94.4", 1, "1.2"),
        ("94.4 (1.2)", "94.4", 1, "1.2"),
        ("94.4+-1.2", "94.4", 1, "1.2"),
        ("$94.4 \\pm 1.2$", "94.4", 1, "1.2"),
        (".944", "0.944", 3, None),
        ("94.", "94", 0, None),
    ],
)
def test_cells(written, value, digits, beside):
    result = read_cell(written)
    assert (result.value, result.digits) == (Fraction(value), digits)
    assert result.standard_deviation == (None if beside is None else Fraction(beside))


def test_the_text_of_a_cell_from_latex_has_no_command():
    assert read_cell("\\textbf{94.4} $\\pm$ 1.2").text == "94.4 ± 1.2"


@pytest.mark.parametrize("written", ["", " ", "-", "–", "n/a", "NA", "?", "nan", "\\textbf{--}"])
def test_cells_without_a_figure(written):
    assert read_cell(written) is None


@pytest.mark.parametrize(
    "written", ["abc", "-3", "1e3", "94.4.1", "94 4", "94_4", "94**4", "(94.4)", "∞", "94.4 ± x", "1" * 40, "٣"]
)
def test_cells_that_are_no_figure(written):
    with pytest.raises(CellError, match=r"expected"):
        read_cell(written)


def test_decimal_commas_are_named_and_are_read_where_they_separate_nothing(read):
    with pytest.raises(CellError, match=r"'94,4' has a decimal comma: write 94\.4"):
        read_cell("94,4")
    with pytest.raises(
        CellError, match=r"'1,234' has a decimal comma: write 1\.234, or 1234 if it separates thousands"
    ):
        read_cell("1,234")
    table = read("set;c45;cart\niris;94,4;95,3\nwine;93;90,5\n")
    assert [float(figure.value) for figure in table.figures] == [94.4, 95.3, 93.0, 90.5]
    assert not table.remarks


def test_a_table_as_it_is_printed(read):
    table = read(
        "Data set,#rows,C4.5,CART,C4.5 size,remark\nIris,150,94.4,95.3,8.2,\n"
        "Wine,178,93.8,-,9,see text\nAverage,,94.1,,,",
        columns={"#rows": "n", "C4.5": "c45", "CART": "cart", "C4.5 size": "c45 nodes", "remark": "note"},
    )
    assert cells(table) == [
        ("Iris", "c45", "accuracy", 94.4),
        ("Iris", "cart", "accuracy", 95.3),
        ("Iris", "c45", "nodes", 8.2),
        ("Wine", "c45", "accuracy", 93.8),
        ("Wine", "c45", "nodes", 9.0),
        (MEAN, "c45", "accuracy", 94.1),
    ]
    assert [figure.n for figure in table.figures] == [150, 150, 150, 178, 178, None]
    assert table.figures[3].note == "see text"
    assert table.figures[3].where == "line 3, column C4.5"
    assert table.remarks == ("there is no figure in line 3, column CART",)
    assert not table.unread


def test_average_ranks_below_accuracies_are_ranks(read):
    table = read("set,C4.5,C4.5 leaves,CART\niris,0.94,4.5,0.95\nAverage rank,1.5,1,2.5\n")
    assert cells(table) == [
        ("iris", "C4.5", "accuracy", 94.0),
        ("iris", "C4.5", "terminal_nodes", 4.5),
        ("iris", "CART", "accuracy", 95.0),
        (MEAN, "C4.5", "rank", 1.5),
        (MEAN, "CART", "rank", 2.5),
    ]


def test_a_figure_a_row(read):
    table = read(
        "source,builder,measure,value,standard_deviation,n,note\n"
        "iris,J48,accuracy,94.4,1.2,150,\niris,J48,Leaves,4.6,,,\nall,J48 vs CART,wilcoxon p,<0.05,,,two-sided\n",
        columns={"J48": "c45"},
    )
    assert cells(table)[:2] == [("iris", "c45", "accuracy", 94.4), ("iris", "c45", "terminal_nodes", 4.6)]
    first, _, last = table.figures
    assert (first.standard_deviation, first.n) == (Fraction("1.2"), 150)
    assert (last.source, last.measure.name, last.below, last.note) == (ALL, "wilcoxon_p", True, "two-sided")


def test_zeros_that_a_spreadsheet_has_lost(read):
    table = read("set,c45,c45 nodes\niris,94,9\nwine,93.85,1\n", decimals=1)
    assert [figure.digits for figure in table.figures] == [1, 0, 2, 0]
    table = read("source,builder,value,decimals\niris,c45,94,2\nwine,c45,93,\nglass,c45,68,x\n")
    assert [figure.digits for figure in table.figures] == [2, 0, 0]
    assert table.remarks == ("line 4, column decimals: 'x' is left out: expected 0 to 10",)
    assert [figure.digits for figure in read("set,c45\niris,0.9\n", decimals=3).figures] == [1]


def test_shares_are_read_as_percent(read):
    table = read("set,c45,c45 nodes\niris,0.944 ± 0.01,9\nwine,1.000,1\n")
    assert [(float(figure.value), figure.digits) for figure in table.figures] == [
        (94.4, 1),
        (9.0, 0),
        (100.0, 1),
        (1.0, 0),
    ]
    assert table.figures[0].standard_deviation == 1


@pytest.mark.parametrize(
    ("text", "remark", "left"),
    [
        ("set,c45\niris,94.4x9\nwine,93", r"line 2, column c45: '94.4x9' is not a number", 1),
        ('set,c45\niris,"94,4"\nwine,93', r"line 2, column c45: '94,4' has a decimal comma: write 94\.4", 1),
        (
            "set,c45\niris,94,4\nwine,93",
            r"line 2: the line has 3 cells, but the header has 2: write a heading .* \(in a cell, write 94.4, not",
            1,
        ),
        (
            "set;c45\niris;94,4;3\nwine;93",
            r"line 2: the line has 3 cells, but the header has 2: write a heading for each cell; the line is left out",
            1,
        ),
        ("set,c45\niris,-3\nwine,93", r"line 2, column c45: '-3' is not a number of 0 or more: expected", 1),
        (
            "set,c45\niris,0.94\nwine,93",
            r"line 2, column c45: iris, c45, accuracy 0.94 is a share .* figures in percent, such as 93 in line 3",
            1,
        ),
        (
            "set,c45\niris,0.9\nwine,93.1",
            r"line 2, column c45: iris, c45, accuracy 0.9 is a share .* figures in percent, such as 93.1 in line 3",
            1,
        ),
        (
            "set,c45 error\niris,0.053\nwine,6.2",
            r"line 2, column c45 error: iris, c45, error 0.053 is a share from 0 to 1, .*; the cell is left out",
            1,
        ),
        (
            'set,c45\n"iris,94\nwine,93',
            r'line 2: a quotation mark is not closed, or is not around the whole cell \("iris,94\); the',
            1,
        ),
        ("set,c45\niris,94\nMedian,94\nwine,93", r"line 3: Median summarises columns, and is left out; if it is", 2),
        ("set,c45\niris,94\nStd. dev.:,1.2\nwine,93", r"line 3: Std. dev.: summarises columns, and is left out", 2),
        (
            "Table 3, of trees\nset,c45,cart\niris,94,93",
            r"line 1 is not a row of the table, and is left out: Table 3",
            2,
        ),
        ("set,c45\niris,94\nwine,-\nglass,93", r"there is no figure in line 3, column c45$", 2),
        ("set,c45\niris,120\nwine,93", r"line 2, column c45: iris, c45, accuracy 120 is above 100 %: check", 2),
        ("set,c45\niris,94\niris,93", r"line 3, .* accuracy 93 has the same .* as line 2, column c45: rename", 1),
        ("set,c45\niris,94*\nwine,93", r"line 2, column c45: 94\* is read as 94, without \*", 2),
        ("Table 3\n\nset,c45\niris,94\nwine,93", r"line 1 is not a row of the table, and is left out: Table 3", 2),
        (
            "set,c45\niris,94\n\nset,size\niris,9",
            "line 4 begins a second table, with the columns set, size: lines 4 to 5 are left out",
            1,
        ),
        ("set,c45,cart\niris,94,95\nset,id3,oct\niris,9,8", r"line 3 begins a second table", 2),
        (
            "source,builder,measure,value\niris,c45,acuracy,94\nwine,c45,,93",
            r"line 2, column measure: no measure is called",
            1,
        ),
        ("set,c45\niris,94\n,93", r"line 3: there is no data set in the first cell \(93\); the line is left out", 1),
        ("set,c45,\niris,94,3", r"line 1: column 3 has no heading, and is left out", 1),
        ("set,rows,c45\niris,1.5,94", r"line 2, column rows: '1\.5' cannot be read: expected a whole number", 1),
    ],
)
def test_an_unreadable_part_of_the_table_is_a_remark_and_the_rest_is_read(read, text, remark, left):
    table = read(text, columns={"rows": "n"} if "rows" in text else None)
    assert len(table.remarks) == 1
    import re

    assert re.match(remark, table.remarks[0]), table.remarks
    assert len(table.figures) == left
    assert table.unread == (0 if left == 2 or "second" in remark else 1)


@pytest.mark.parametrize(
    ("text", "more", "message"),
    [
        ("", {}, r"table\.csv: the file is empty"),
        ("\n\n", {}, r"table\.csv: the file is empty"),
        ("set,c45\n", {}, r"no figure can be read\. Orchard expects numbers below the headings"),
        ("set,c45\niris,abc", {}, r"no figure can be read: line 2, column c45: 'abc' is not a number"),
        ("set,c45\niris,94", {"measure": "acuracy"}, r"no measure is called 'acuracy', did you mean 'accuracy'"),
        (
            "set,c45\niris,94",
            {"columns": {"C45": "c45"}},
            r"`columns` has 'C45', which is not a heading of the table; expected one of: c45",
        ),
        (
            "set,c45\niris,94",
            {"columns": {"c45": "c45 sze"}},
            r"under `columns`, 'c45' is 'c45 sze': no measure is called 'sze'",
        ),
    ],
)
def test_tables_that_cannot_be_read(read, text, more, message):
    with pytest.raises(ConfigError, match=message):
        read(text, **more)


def test_files_that_are_no_tables(tmp_path):
    with pytest.raises(ConfigError, match=r"absent\.csv: cannot be read: No such file or directory; expected a CSV"):
        read_printed_table(tmp_path / "absent.csv")
    with pytest.raises(ConfigError, match=r"Is a directory"):
        read_printed_table(tmp_path)
    (tmp_path / "bytes.csv").write_bytes(b"set,c45\niris,\xff94\n")
    with pytest.raises(ConfigError, match=r"bytes\.csv, line 2: byte 14 of the file is not UTF-8"):
        read_printed_table(tmp_path / "bytes.csv")


MARKDOWN = """
| Data set | C4.5 | CART |
|---|---:|:---:|
| Iris | **94.7** | 95.3 |
| Wine | 93.8 | __91.0__ |
"""
LATEX = r"""
\begin{tabular}{lrr}
\toprule
Data set & C4.5 & CART \\ \cmidrule(lr){2-3}
Iris & \textbf{94.7} & $95.3$ \\
\hline
Wine & \textbf{93.8} & $\mathbf{91.0}$ \\[1ex]
\bottomrule
\end{tabular}
"""
SPACES = "\u200bData\u2028set;C4.5;CART\nIris\u00a0\f;94.7\u00a0%;95.3\u200b\nWine;93.8;\u202f91.0\n"


@pytest.mark.parametrize("text", [MARKDOWN, LATEX, SPACES, ",Data set,C4.5,CART\n,Iris,94.7,95.3\n,Wine,93.8,91.0\n"])
def test_tables_that_are_pasted(read, text):
    table = read(text, columns={"C4.5": "c45"})
    assert cells(table) == [
        ("Iris", "c45", "accuracy", 94.7),
        ("Iris", "CART", "accuracy", 95.3),
        ("Wine", "c45", "accuracy", 93.8),
        ("Wine", "CART", "accuracy", 91.0),
    ]
    assert table.remarks == ()


def test_errors_below_one_percent_are_no_shares(read):
    table = read("set,c45 error,cart error\niris,5.33,0.67\nwine,0.5,7\n")
    assert [float(figure.value) for figure in table.figures] == [5.33, 0.67, 0.5, 7]
    assert not table.remarks


def test_numbers_of_rows_may_separate_thousands(read):
    for delimiter, written in ((",", '"58,000"'), (",", "58 000"), (";", "58.000"), (";", "58,000")):
        (figure,) = read(f"set{delimiter}n{delimiter}c45\nshuttle{delimiter}{written}{delimiter}99\n").figures
        assert figure.n == 58_000


def test_a_row_with_the_name_of_a_summary_is_a_data_set_if_it_has_rows(read):
    table = read("set,n,c45\nBest,150,94\nTotal,,94\n")
    assert [figure.source for figure in table.figures] == ["Best"]


def test_a_data_set_without_figures_begins_no_second_table(read):
    table = read("set,source,c45,remark\niris,uci/iris,94,\nwine,uci/wine,-,not run\nglass,uci/glass,-,nor this\n")
    assert [figure.source for figure in table.figures] == ["iris"]
    assert table.remarks == ("there is no figure in line 3, column c45; line 4, column c45",)


def test_the_corrected_value_is_beside_the_figure(read):
    table = read("set,c45,c45_corrected,note\niris,0.27,0.72,digits swapped\nwine,0.8,,\n")
    assert [(float(figure.value), figure.corrected) for figure in table.figures] == [(27, 72), (80, None)]
    for row, why in (
        ("iris,27,72,", "line 2, column c45_corrected: 72 needs a note"),
        ("iris,,72,x", "72 needs a fig"),
    ):
        (remark,) = read(f"set,c45,c45_corrected,note\n{row}\nwine,80,,\n").remarks
        assert why in remark


@pytest.mark.parametrize(
    "text",
    [
        "set,c45\niris,94*\n",
        "Table 3\nset,c45\niris,94\n",
        "set,c45,n\niris,94,1.5\n",
        "set,c45,n\niris,94,\nwine,93\n",
    ],
)
def test_every_remark_is_an_error_where_a_table_is_read_strictly(read, text):
    assert len(read(text).remarks) <= 1
    with pytest.raises(ConfigError, match=r"table\.csv, line [123]"):
        read(text, columns={"c45": "c45"}, strict=True)


def test_read_strictly_only_the_given_columns_have_figures(read):
    table = read("set,c45,year,cart\niris,94,none yet,95\n", columns={"cart": "cart"}, strict=True)
    assert cells(table) == [("iris", "cart", "accuracy", 95.0)]


def test_a_cell_of_several_lines_is_that_of_its_first(read):
    table = read('Data set,C4.5,CART\n"Iris,\nplants",94.7,94.O\nWine,93.8,9l.0\n')
    assert [remark.partition(":")[0] for remark in table.remarks] == ["line 2, column CART", "line 4, column CART"]
