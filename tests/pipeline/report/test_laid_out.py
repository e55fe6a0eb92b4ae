"""Summary tables as the paper prints them: each value at its position, beside ours, with its verdict."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pipeline.report.laid_out import laid_out
from pipeline.summary.tables import Layout, Pair, SummaryTable, Value, same
from pipeline.summary.verdicts import Verdict
from pipeline.words import readable


def table(layout: Layout | None, columns: str, *rows: tuple[Value, ...]) -> SummaryTable:
    return SummaryTable("t", "T", columns.split(), rows, "", layout=layout)


def test_a_table_without_a_layout_is_none_of_the_paper() -> None:
    assert laid_out(table(None, "case ours printed", ("a", 1.0, 2.0))) == []


def test_each_value_is_at_the_position_of_its_row() -> None:
    result = table(
        Layout(("case",), ("builder",), (Pair("accuracy"),)),
        "case builder accuracy printed verdict",
        ("iris", "c45", 94.04, 94.4, "agrees"),
        ("iris", "cart", 93.1, None, None),
        ("zoo", "cart", 90.0, 88.0, "differs"),
        ("zoo", "c45", None, 91.2, None),
    )
    (laid,) = laid_out(result)
    assert (laid.title, laid.names, laid.columns) == ("", ("data set",), ("C4.5", "CART"))
    cells = [
        (line.names, [cell and (cell.row, cell.ours, cell.printed, cell.verdict) for cell in line.cells])
        for line in laid.lines
    ]
    assert cells == [
        (("iris",), [(0, "94.0", "94.4", Verdict.AGREES), None]),
        (("zoo",), [(3, "", "91.2", None), (2, "90", "88", Verdict.DIFFERS)]),
    ]


def test_a_value_that_cannot_be_is_known_beside_its_verdict() -> None:
    result = table(
        Layout(("case",), ("builder",), (Pair("accuracy"),)),
        "case builder accuracy printed verdict can_be",
        ("iris", "c45", 94.04, 94.4, "consistent", "impossible"),
        ("iris", "cart", 93.1, 93.3, None, "possible"),
        ("iris", "id3", 93.1, 99.9, "impossible", "impossible"),
    )
    (laid,) = laid_out(result)
    assert [(cell.verdict, cell.impossible) for cell in laid.lines[0].cells if cell] == [
        *((Verdict.CONSISTENT, True), (None, False), (Verdict.IMPOSSIBLE, False)),
    ]


def test_of_several_readings_of_a_value_the_judged_one_counts() -> None:
    result = table(
        Layout(("case",), ("column",), (Pair("ours"),)),
        "case column ours printed verdict",
        ("a", "x", 1.0, 2.0, None),
        ("a", "x", 2.0, 2.0, "agrees"),
        ("b", "x", 3.0, 2.0, None),
        ("b", "x", 4.0, 2.0, None),
    )
    (laid,) = laid_out(result)
    assert [line.cells[0].row for line in laid.lines if line.cells[0]] == [1, 2]


def test_a_paper_may_have_a_table_for_each_value_of_a_column() -> None:
    result = table(
        Layout(("case",), (), (Pair("ours"),), tables="group"),
        "group case ours printed",
        (1, "a", 1, 1),
        (2, "a", 2, 3),
        (1, "b", 4, 4),
    )
    first, second = laid_out(result)
    assert (first.title, second.title) == ("group 1", "group 2")
    assert [line.names for line in first.lines] == [("a",), ("b",)]
    assert [cell.verdict for line in (*first.lines, *second.lines) for cell in line.cells if cell] == [
        Verdict.AGREES,
        Verdict.AGREES,
        None,
    ]


def test_pairs_have_columns_of_their_own() -> None:
    result = table(
        Layout(("case",), (), (Pair("rows", "printed_rows"), Pair("classes", "printed_classes"))),
        "case rows printed_rows classes printed_classes",
        ("a", 210, 210, 2, None),
        ("b", 150, 151, 3, 3),
    )
    (laid,) = laid_out(result)
    assert laid.columns == ("rows", "classes")
    assert [[cell is not None for cell in line.cells] for line in laid.lines] == [[True, False], [True, True]]


def test_one_value_beside_two_known_ones_is_named_by_these() -> None:
    result = table(
        Layout(("what",), (), (Pair("ours"), Pair("ours", "reference"))),
        "what ours printed reference verdict",
        ("a", "1/2", "1/2", None, "agrees"),
        ("b", "A1", None, "A2", "differs"),
    )
    (laid,) = laid_out(result)
    assert laid.columns == ("printed", "reference")


def test_ours_may_be_of_several_columns() -> None:
    result = table(
        Layout(("cost",), ("position",), (Pair("kind/measure"),)),
        "cost position kind measure printed verdict",
        ("depth", 1, "max", "rt", "max/rt", "agrees"),
    )
    (laid,) = laid_out(result)
    assert laid.lines[0].cells[0] is not None
    assert laid.lines[0].cells[0].ours == "max/rt"
    assert laid.columns == ("position 1",)


def test_whole_numbers_stay_whole_and_others_show_what_they_lack() -> None:
    layout = Layout(("case",), (), (Pair("ours"),))
    (whole,) = laid_out(table(layout, "case ours printed", ("a", 3.0, 3.0), ("b", 4.0, 5.0)))
    (part,) = laid_out(table(layout, "case ours printed", ("a", 2.5, 3.0), ("b", -4.0, 5.0)))
    assert [cell.ours for line in whole.lines for cell in line.cells if cell] == ["3", "4"]
    assert [cell.ours for line in part.lines for cell in line.cells if cell] == ["2.50", "−4.00"]
    (small,) = laid_out(table(layout, "case ours printed", ("a", 0.000012, 0.00001), ("b", -0.000001, 2.0)))
    assert [cell.ours for line in small.lines for cell in line.cells if cell] == ["0.00001", "0.00000"]


def test_printed_values_keep_the_decimals_that_most_of_their_table_have() -> None:
    result = table(
        Layout(("case",), ("builder",), (Pair("ours"),)),
        "case builder ours printed",
        *(("a", "x", 0.5, 0.901), ("b", "x", 0.5, 0.81), ("a", "y", 0.5, 0.324), ("b", "y", 0.5, 0.688)),
    )
    (laid,) = laid_out(result)
    assert [cell.printed for line in laid.lines for cell in line.cells if cell] == ["0.901", "0.324", "0.810", "0.688"]


def test_printed_values_are_shown_as_the_paper_writes_them() -> None:
    rows = [("a", 71.25, 71.0), ("b", 96.5, 96.0), ("c", 82.0, 82.0), ("d", 50.0, None)]
    result = table(Layout(("case",), (), (Pair("ours"),)), "case ours printed", *rows)
    (laid,) = laid_out(replace(result, printed=["71.0", "96.0", "82", None]))
    cells = [line.cells[0] for line in laid.lines]
    assert [cell and (cell.ours, cell.printed) for cell in cells] == [
        *(("71.2", "71.0"), ("96.5", "96.0"), ("82.0", "82")),
    ]
    with pytest.raises(ValueError, match="table t has 1 printed texts for 4 rows"):
        replace(result, printed=["71.0"])


def test_a_layout_names_columns_that_are_there() -> None:
    with pytest.raises(ValueError, match="names column builder: expected one of case, ours, printed"):
        table(Layout(("case",), ("builder",), (Pair("ours"),)), "case ours printed")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("average_depth", "average depth"),
        ("c45", "C4.5"),
        ("evo_tree", "EVO-Tree"),
        ("t3c_printed", "T3C printed"),
        ("w_max", "w_max"),
        ("naive_bayes", "naive Bayes"),
        ("did, w1/w2 = 0.25", "DID, w1/w2 = 0.25"),
        ("uci/car (did)", "uci/car (did)"),
        ("max/rt", "max/rt"),
        ("Monk's-1", "Monk's-1"),
        (2, "2"),
        (2.0, "2"),
        (None, ""),
    ],
)
def test_names_are_as_people_write_them(name: Value, expected: str) -> None:
    assert readable(name) == expected


@pytest.mark.parametrize(
    ("ours", "printed", "expected"),
    [
        (0.944, 0.94, True),
        (0.946, 0.94, False),
        (3.4, 3.0, False),
        ("A1", "A1", True),
        ("A1", "A2", False),
        (0.3, 1e-05, False),
    ],
)
def test_a_value_is_the_printed_one_as_far_as_its_digits_show(ours: Value, printed: Value, expected: bool) -> None:
    assert same(ours, printed) is expected
