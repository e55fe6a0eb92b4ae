"""Data sets made by rule: equal to the real files, row for row where those count up, and what the rules say besides."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from algorithms.data.data_set import AttributeKind
from algorithms.data.rule_sets import LINES, RULE_SETS
from tests.oracles.uci_files import rows_of, rows_of_file

ROW_FOR_ROW = {
    "monks-1": "monks-1/monks-1.test",
    "monks-2": "monks-2/monks-2.test",
    "monks-3": "monks-3/monks-3.test",
    "balance-scale": "balance-scale/balance-scale.data",
    "tic-tac-toe": "tic-tac-toe/tic-tac-toe.data",
    "balloons/adult-stretch": "balloons/adult-stretch.data",
    "balloons/adult+stretch": "balloons/adult+stretch.data",
    "balloons/yellow-small": "balloons/yellow-small.data",
    "balloons/yellow-small+adult-stretch": "balloons/yellow-small+adult-stretch.data",
}
AS_DISTINCT_ROWS = {
    "corral": "corral/corral.tsv",
    "mofn-3-7-10": "mofn-3-7-10/mofn-3-7-10.tsv",
    "parity5+5": "parity5+5/parity5+5.tsv",
}


def test_every_set_is_compared_with_its_file() -> None:
    assert set(RULE_SETS) == {*ROW_FOR_ROW, *AS_DISTINCT_ROWS}


@pytest.mark.parametrize("name", ROW_FOR_ROW)
def test_the_rows_are_those_of_the_file_in_its_order(name: str, shared: Path) -> None:
    _, rows = rows_of_file(shared, ROW_FOR_ROW[name])
    if name == "balance-scale":  # its attributes are numbers
        rows = [[*map(float, values), decision] for *values, decision in rows]
    assert rows_of(RULE_SETS[name]()) == rows


@pytest.mark.parametrize("name", AS_DISTINCT_ROWS)
def test_the_rows_are_the_distinct_ones_of_the_file_each_once(name: str, shared: Path) -> None:
    names, rows = rows_of_file(shared, AS_DISTINCT_ROWS[name])
    data = RULE_SETS[name]()
    assert [attribute.name for attribute in data.attributes] == names
    assert Counter(map(tuple, rows_of(data))) == Counter(set(map(tuple, rows)))


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("monks-1", {"0": 216, "1": 216}),
        ("monks-2", {"0": 290, "1": 142}),
        ("monks-3", {"0": 204, "1": 228}),
        ("balance-scale", {"L": 288, "B": 49, "R": 288}),
        ("tic-tac-toe", {"negative": 332, "positive": 626}),
        ("balloons/adult-stretch", {"T": 12, "F": 8}),
        ("balloons/adult+stretch", {"T": 8, "F": 12}),
        ("balloons/yellow-small", {"T": 8, "F": 12}),
        ("balloons/yellow-small+adult-stretch", {"T": 7, "F": 9}),
        ("corral", {"0": 36, "1": 28}),
        ("mofn-3-7-10", {"0": 232, "1": 792}),
        ("parity5+5", {"0": 512, "1": 512}),
    ],
)
def test_class_counts(name: str, counts: dict[str, int]) -> None:
    """Printed in the sets' descriptions; of the last three counted: 28 = 16 + 16 - 4, 232 = 8 (1 + 7 + 21), half."""
    data = RULE_SETS[name]()
    assert Counter(data.classes[code] for code in data.decisions) == counts
    assert not data.missing.any()


def test_the_description_names_the_attributes(shared: Path) -> None:
    """Where the file has no header: the names occur in the set's .names file."""
    for name in ROW_FOR_ROW:
        folder = name.split("/")[0]
        (described,) = (shared / "data" / folder).glob("*.names")
        words = described.read_text()
        for attribute in RULE_SETS[name]().attributes:
            assert attribute.name in words, (name, attribute.name)


def test_tic_tac_toe_ends_where_play_ends() -> None:
    """The boards reached by playing every game to its end, and who has won."""
    ends: dict[str, str] = {}

    def play(board: str, mover: str) -> None:
        winner = next((board[i] for i, j, k in LINES if board[i] == board[j] == board[k] != "b"), None)
        if winner or "b" not in board:
            ends[board] = "positive" if winner == "x" else "negative"
            return
        for square in range(9):
            if board[square] == "b" and (after := board[:square] + mover + board[square + 1 :]) not in seen:
                seen.add(after)
                play(after, "o" if mover == "x" else "x")

    seen: set[str] = set()
    play("b" * 9, "x")
    data = RULE_SETS["tic-tac-toe"]()
    assert {"".join(map(str, row[:9])): row[9] for row in rows_of(data)} == ends
    assert data.rows == len(ends)


def test_balance_scale_is_numeric_and_the_others_have_sorted_labels() -> None:
    for name, make in RULE_SETS.items():
        for attribute in make().attributes:
            assert (attribute.kind is AttributeKind.NUMERIC) == (name == "balance-scale")
            assert list(attribute.labels) == sorted(attribute.labels)
