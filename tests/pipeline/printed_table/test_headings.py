"""Headings and columns of printed tables: what they name, and which have no figures."""

from __future__ import annotations

import pytest

from pipeline.printed_table.figure import MEAN
from tests.pipeline.printed_table.figures import cells


@pytest.mark.parametrize(
    "text",
    [
        "Data set,C4.5,CART\nIris,90,80\n,70,60\nMean,80,70\n",  # merged cells
        "Data set,C4.5,,CART\n,acc,leaves,acc\nIris,90,5,80\n",  # headings of two lines
        "Data set,C4.5,\nIris,90,80\n",  # a column without a heading
    ],
)
def test_figures_without_a_data_set_or_a_heading_are_reported_as_left_out(read, text):
    """Nothing is claimed of whole columns and tables then, since `unread` counts them."""
    table = read(text)
    assert table.unread
    assert "left out" in " ".join(table.remarks)


def test_a_column_that_is_empty_needs_no_heading(read):
    assert read("Data set,C4.5,\nIris,90,\nWine,80,\n").unread == 0


@pytest.mark.parametrize(
    ("heading", "builder", "measure"),
    [
        ("j48_accuracy_pct", "j48", "accuracy"),
        ("C4.5 leaves", "C4.5", "terminal_nodes"),
        ("Naive Bayes error rate", "Naive Bayes", "error"),
        ("Naive Bayes", "Naive Bayes", "accuracy"),
        ("id3_average_depth", "id3", "average_depth"),
        ("CART size", "CART", "nodes"),
        ("oct_wins", "oct", "wins"),
        ("ties", "", "ties"),
        ("C4.5 %", "C4.5", "accuracy"),
        ("Depth", "Depth", "depth"),
    ],
)
def test_a_heading_names_a_builder_and_a_measure(read, heading, builder, measure):
    (figure,) = read(f"set,{heading}\niris,5\n").figures
    assert (figure.builder, figure.measure.name, figure.column) == (builder, measure, heading)


def test_a_heading_that_is_a_measure_belongs_to_the_builder_before_it(read):
    table = read("set,C4.5,Leaves,ties,CART,size\niris,94,5,1,93,9\n")
    assert cells(table) == [
        ("iris", "C4.5", "accuracy", 94),
        ("iris", "C4.5", "terminal_nodes", 5),
        ("iris", "", "ties", 1),
        ("iris", "CART", "accuracy", 93),
        ("iris", "CART", "nodes", 9),
    ]
    assert table.remarks == (
        "column Leaves is read as a column of C4.5; if the heading is a builder, give --columns Leaves=NAME "
        "(in a run: 'columns={Leaves: NAME}')",
        "column size is read as a column of CART; if the heading is a builder, give --columns size=NAME "
        "(in a run: 'columns={size: NAME}')",
    )
    given = read("set,C4.5,Leaves,CART\niris,94,5,93\n", columns={"C4.5": "c45", "Leaves": "cart"})
    assert [(figure.builder, figure.measure.name) for figure in given.figures] == [
        ("c45", "accuracy"),
        ("cart", "terminal_nodes"),
        ("CART", "accuracy"),
    ]


@pytest.mark.parametrize("heading", ["std", "C4.5 Std. Dev.", "Time (s)", "CART_seconds", "p-value", "±"])
def test_columns_that_no_test_uses_are_left_out(read, heading):
    """As accuracies they would be called impossible."""
    table = read(f"set,C4.5,{heading}\niris,94,1.2\n")
    assert cells(table) == [("iris", "C4.5", "accuracy", 94)]
    (remark,) = table.remarks
    assert remark.startswith(f"column {heading} is left out, because no test uses the column")
    assert len(read(f"set,C4.5,{heading}\niris,94,1.2\n", columns={heading: "cart"}).figures) == 2


def test_facts_of_the_data_sets_are_no_figures(read):
    table = read("case,source,features,instances,classes,c45,remark\nIris,uci/iris,4,150,3,94.4,see text\n")
    (figure,) = table.figures
    assert (figure.source, figure.known, figure.n, figure.classes) == ("Iris", "uci/iris", 150, 3)
    assert (figure.note, table.remarks) == ("see text", ())


def test_measures_may_be_columns_of_a_figure_a_row(read):
    table = read(
        "classifier,dataset,accuracy,rank,remark\nJ48,iris,0.944,2,seen\nCART,iris,0.953,1,\nCART,average,,1.0,\n",
        columns={"J48": "c45"},
    )
    assert cells(table) == [
        ("iris", "c45", "accuracy", 94.4),
        ("iris", "c45", "rank", 2.0),
        ("iris", "CART", "accuracy", 95.3),
        ("iris", "CART", "rank", 1.0),
        (MEAN, "CART", "rank", 1.0),
    ]
    assert [figure.column for figure in table.figures[:2]] == ["accuracy", "rank"]
    assert table.figures[1].note == "seen"
    assert not table.remarks


def test_the_name_of_a_row_may_have_two_columns(read):
    text = "depth,inside,oct_wins\n1,yes,4\n1,no,18\n"
    table = read(text, columns={"inside": "case"})
    assert [figure.source for figure in table.figures] == ["1, yes", "1, no"]
    assert not table.remarks


def test_a_table_without_headings_is_reported(read):
    table = read("Iris,94.7,94.0\nWine,93.8,91.0\n")
    assert [figure.text for figure in table.figures] == ["93.8", "91.0"]
    assert table.remarks == (
        "line 1 is read as headings, but has numbers (94.7, 94.0): write the names of the builders in a line above the "
        "figures",
    )
    assert not read("Data set,C4.5,J48\nIris,94.7,94.0\n").remarks
    assert not read("Data set,2,3\nIris,94.7,94.0\n", columns={"2": "cart", "3": "cart"}).remarks[1:]
