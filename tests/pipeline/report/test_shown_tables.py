"""Tables as pages show them: values as they are read, commands that can be typed, and no more rows than fit."""

from __future__ import annotations

import re
import shlex
import subprocess
from itertools import chain, zip_longest

import pytest

from pipeline.report.rendering import MARKS, query_command
from pipeline.report.shown_tables import MOST_ROWS, Cell, drawn_trees, rebuildable_trees, shown_table
from pipeline.summary.tables import SummaryTable, Value
from pipeline.summary.verdicts import Verdict
from tests.pipeline.report.made_up import HOSTILE, reported_run


def shown(*values: Value, column: str = "ours", question: str = "") -> list[Cell]:
    table = SummaryTable("t", "T", [column], [[value] for value in values], "", question)
    result, _ = shown_table(table, "0123", "outputs", [], 10**6)
    return [row.cells[0] for row in result.rows]


def texts(*values: Value, column: str = "ours") -> list[str]:
    return [cell.text for cell in shown(*values, column=column)]


def test_numbers_of_a_column_have_the_decimals_that_suit_the_largest() -> None:
    assert texts(0.0592, 0.1, -0.25, None, 0.0) == ["0.0592", "0.1000", "−0.2500", "", "0.0000"]
    assert texts(12.5, 1.25) == ["12.50", "1.25"]
    assert texts(41.0, 2.0, 320.0) == ["41", "2", "320"]
    assert texts(41, 2.6666, 320) == ["41", "2.667", "320"]
    assert texts(123456.0, 99999.5) == ["123456", "100000"]
    assert texts(0.9, 1e-9) == ["0.9", "1e-09"]
    assert texts(-1.5, -1e-15, -0.0002) == ["−1.500", "0.000", "−0.0002"]  # the second is a rounding error
    assert texts(float("nan"), float("inf"), -float("inf"), 0.5) == ["nan", "inf", "−inf", "0.5000"]


def test_printed_figures_keep_their_digits() -> None:
    assert texts(0.04, 5.9, 12.0, column="printed") == ["0.04", "5.9", "12"]
    assert texts(0.04, 5.9, column="printed_accuracy") == ["0.04", "5.9"]
    assert texts(94.0, 71.3, 88.5, column="printed") == ["94.0", "71.3", "88.5"]
    assert texts(94.0, 71.3, 200 / 3, column="printed") == ["94", "71.3", "66.666667"]


def test_printed_figures_are_as_the_paper_writes_them_and_sorted_by_their_numbers() -> None:
    table = SummaryTable("t", "T", ["printed"], [[71.0], [0.074800], [None]], "", printed=["71.0", "0.074800", None])
    cells = [row.cells[0] for row in shown_table(table, "0123", "outputs", [], 10**6)[0].rows]
    assert [cell.text for cell in cells] == ["71.0", "0.074800", ""]
    assert [float(cell.exact) for cell in cells if cell.exact] == [71.0, 0.0748]


def test_cells_are_sorted_by_what_they_are() -> None:
    cells = shown(1 / 3, 0.25, -1.0)
    assert [cell.exact for cell in cells] == ["0.3333333333333333", "0.25", "-1.0"]
    assert [cell.exact for cell in shown(3, -4, "text")] == ["", "-4", ""]
    assert float(cells[0].exact) == 1 / 3


def test_only_words_of_the_closed_list_are_badges() -> None:
    cells = shown(*Verdict, "perhaps", None, column="verdict")
    assert [cell.verdict for cell in cells] == [*Verdict, None, None]
    assert [cell.verdict for cell in shown("agrees", column="other")] == [None]
    assert set(MARKS) == set(Verdict)
    assert len(set(MARKS.values())) == len(Verdict)


def test_verdicts_are_counted_in_the_order_of_the_list() -> None:
    differing = SummaryTable("t", "T", ["verdict"], [["differs"], ["agrees"], ["agrees"], [None]], "")
    without_input = SummaryTable("t", "T", ["x", "verdict"], [["agrees", "no input"]], "")
    none = SummaryTable("t", "T", ["x", "verdict"], [["agrees", None]], "")
    assert list(differing.verdicts.items()) == [(Verdict.AGREES, 2), (Verdict.DIFFERS, 1)]
    assert list(without_input.verdicts.items()) == [(Verdict.NO_INPUT, 1)]
    assert none.verdicts == {}
    first = reported_run(tables=(none, without_input, differing)).summary.judged
    assert first == without_input
    assert reported_run(tables=(none,)).summary.judged is None


@pytest.mark.parametrize("name", [name.replace("\0", "") for name in HOSTILE if name.isprintable()] + ['it\'s \\ "x"'])
def test_a_command_gives_the_question_as_one_word_of_a_shell(name: str) -> None:
    question = f"""select "group" from results where source = '{name}'"""
    command = query_command(question, "0123", "a folder")
    assert not re.search("!(?!'\")", command)  # a shell that is typed at takes it for a word of its history
    typed = command.replace("python -m pipeline.query", "printf '%s\\0'")
    output = subprocess.run(["bash", "-c", typed], capture_output=True, check=True, text=True).stdout
    assert output.split("\0") == [question, "--run", "0123", "--output", "a folder", ""]


def test_a_command_of_the_usual_folder_does_not_name_it() -> None:
    assert query_command("select 1", "0123", "outputs") == 'python -m pipeline.query "select 1" --run 0123'


def test_each_row_has_the_command_of_its_own_values() -> None:
    table = SummaryTable("t", "T", ["source"], [["a"], ["it's"]], "", "select 1 where source = {source}")
    result, _ = shown_table(table, "0123", "outputs", [], 10**6)
    assert result.query is not None
    commands = ("".join(chain(*zip_longest(result.query.pieces, row.slots, fillvalue=""))) for row in result.rows)
    sources = [shlex.split(command)[3] for command in commands]
    assert (
        sources
        == ["select 1 where source = 'a'", "select 1 where source = 'it''s'"]
        == list(map(table.question_of, table.records))
    )
    bare, _ = shown_table(SummaryTable("t", "T", ["source"], [["a"]], ""), "0123", "outputs", [], 10**6)
    assert bare.query is None


def test_a_row_has_the_command_of_its_tree() -> None:
    """If it is of one data set and a builder that grew trees for it."""
    columns = ["source", "part", "builder", "max_depth", "nodes"]
    rows = [
        ["uci/iris", "all", "c45", None, 9.0],
        ["my table", None, "cart", 2, 7.0],
        ["uci/iris", "60 rows", "c45", None, 5.0],
        ["uci/iris", "all", "svm", None, None],
        [None, None, "c45", None, 3.0],
        ["uci/wine", "all", "c45", None, None],
    ]
    table = SummaryTable("t", "T", columns, rows, "")
    assert rebuildable_trees([table]) == {("uci/iris", "c45"), ("my table", "cart")}
    result, _ = shown_table(table, "0123", "a folder", [], 10**6, rebuildable_trees([table]))
    assert result.show == "python -m pipeline.show --run 0123 --output 'a folder'"
    assert [row.tree for row in result.rows] == [
        *("--source uci/iris --builder c45", "--source 'my table' --builder cart --parameters max_depth=2"),
        *("", "", "", ""),
    ]
    assert {row.tree for row in shown_table(table, "0123", "outputs", [], 10**6)[0].rows} == {""}


def test_a_row_has_the_trees_of_the_page_that_are_its_own() -> None:
    """Those of its builder or heuristic on its data set, unless another column says otherwise."""
    columns = ["source", "group", "builder", "impurity_type", "uncertainty", "max_depth", "removed", "nodes"]
    rows = [
        ["uci/iris", None, "oct", None, None, 2, None, 5.0],
        ["uci/iris", None, "oct", None, None, 3, None, 7.0],
        ["uci/iris", None, "cart", None, None, None, None, 7.0],
        ["uci/wine", None, "cart", None, None, None, None, 7.0],
        [None, 1, None, "sum", "ent", None, None, 9.0],
        [None, 2, None, "sum", "ent", None, None, 9.0],
        [None, None, "cart", None, None, None, None, 7.0],
        ["uci/seeds", None, "j48", None, None, None, 0, 7.0],
        ["uci/seeds", None, "j48", None, None, None, 1, 7.0],
    ]
    trees = {
        1: {"source": "uci/iris", "fold": 1, "builder": "oct", "parameters": '{"max_depth": 3}'},
        3: {"source": "uci/iris", "fold": 2, "builder": "cart", "parameters": "no object"},
        4: {"group": 1, "builder": "greedy", "impurity_type": "sum", "uncertainty": "ent"},
        5: {"source": "uci/iris", "part": "all", "fold": 3, "builder": "cart"},
        6: {"source": "uci/iris", "part": "60 rows", "fold": 3, "builder": "cart"},
        7: {"source": "uci/seeds", "part": "all", "builder": "j48", "removed_attributes": 1},
    }
    table = SummaryTable("t", "T", columns, rows, "")
    assert drawn_trees(table, trees) == {1: (1,), 2: (3, 5), 4: (4,), 8: (7,)}
    means = SummaryTable("t", "T", ["builder", "accuracy"], [["cart", 1.0]], "")
    assert drawn_trees(means, trees) == {}


def test_a_row_of_a_heuristic_has_the_command_of_its_first_tree() -> None:
    columns = ["group", "source", "part", "impurity_type", "uncertainty", "cost"]
    rows = [
        [2, None, None, "w_sum", "gini", 1.5],
        [None, "uci/iris", "all", "max", "rt", 2.0],
        [None, "uci/iris", "60 rows", "max", "rt", 2.0],
        [1, None, None, None, None, 3.0],
    ]
    result, _ = shown_table(SummaryTable("t", "T", columns, rows, ""), "0123", "outputs", [], 10**6)
    assert [row.tree for row in result.rows] == [
        *("--group 2 --heuristic w_sum/gini", "--source uci/iris --heuristic max/rt", "", ""),
    ]


@pytest.mark.parametrize(("rows", "expected"), [(3, 3), (MOST_ROWS, MOST_ROWS), (10_000, MOST_ROWS)])
def test_of_long_tables_the_first_rows_are_shown(rows: int, expected: int) -> None:
    table = SummaryTable("t", "T", ["number"], [[index] for index in range(rows)], "")
    result, taken = shown_table(table, "0123", "outputs", ["t.csv"], 10**7)
    assert [row.cells[0].text for row in result.rows] == [str(index) for index in range(expected)]
    assert result.total == rows
    assert taken <= 10**7


def test_the_size_limit_cuts_rows_with_long_names() -> None:
    table = SummaryTable("t", "T", ["source"], [["<" * 10_000]] * 400, "", "select 1 where source = {source}")
    result, taken = shown_table(table, "0123", "outputs", [], 200_000)
    assert 1 <= len(result.rows) < 10
    assert taken <= 200_000
    assert result.total == 400


def test_a_column_is_numeric_if_all_its_values_are() -> None:
    table = SummaryTable("t", "T", ["a", "b"], [[1, "x"], [None, 2]], "")
    result, _ = shown_table(table, "0123", "outputs", [], 10**6)
    assert result.numeric == (True, False)


def test_columns_without_a_value_or_with_the_same_text_are_named_and_left_out() -> None:
    rows = [["x", None, 1, None, 0.0, "same", "tie", "agrees"], ["y", None, None, None, None, "same", "tie", "agrees"]]
    table = SummaryTable("t", "T", [*"abcdef", "outcome", "verdict"], rows, "", "select 1 where b is {b}")
    result, _ = shown_table(table, "0123", "outputs", [], 10**6)
    shown = ("a", "c", "e", "outcome", "verdict")
    assert (result.columns, result.empty, result.same) == (shown, ("b", "d"), {"f": "same"})
    assert result.kinds == ("named", "n", "n", "", "judged")
    assert [[cell.text for cell in row.cells[:3]] for row in result.rows] == [["x", "1", "0"], ["y", "", ""]]
    assert result.rows[0].slots == ("null",)
