"""The words of which summaries make their sentence."""

from __future__ import annotations

from operator import itemgetter

import pytest
from rich.console import Console

from pipeline.grammar.findings import above, agreement, listed, pivot, tied_names
from pipeline.summary.verdicts import Verdict

AGREES, CONSISTENT = Verdict.AGREES, Verdict.CONSISTENT
DIFFERS, IMPOSSIBLE = Verdict.DIFFERS, Verdict.IMPOSSIBLE


@pytest.mark.parametrize(
    ("verdicts", "message"),
    [
        ([AGREES, None, AGREES], "2 of 2 figures agree with the paper"),
        ([AGREES], "1 of 1 figure agrees with the paper"),
        ([DIFFERS], "0 of 1 figure agrees with the paper, 1 differs"),
        ([AGREES, DIFFERS], "1 of 2 figures agree with the paper, 1 differs"),
        ([CONSISTENT, AGREES], "1 of 2 figures agree with the paper, 1 is consistent with it"),
        (
            [CONSISTENT, CONSISTENT, DIFFERS],
            "0 of 3 figures agree with the paper, 2 are consistent with it and 1 differs",
        ),
        ([IMPOSSIBLE, DIFFERS, DIFFERS], "0 of 3 figures agree with the paper, 2 differ and 1 is impossible"),
        (
            [Verdict.FOLLOWS, Verdict.MISPRINT, DIFFERS, Verdict.MISPRINT],
            "0 of 4 figures agree with the paper, 1 differs, 2 are misprints and 1 follows from another printed value",
        ),
        ([Verdict.NO_INPUT] * 2, "0 of 2 figures agree with the paper, 2 have no input"),
        ([None], "no figures were compared with the paper"),
        ([], "no figures were compared with the paper"),
    ],
)
def test_agreement_counts_the_compared(verdicts: list[Verdict | None], message: str) -> None:
    assert agreement(verdicts, "figure") == message


def test_words_of_a_sentence() -> None:
    assert [listed(list("abc")[:n]) for n in (1, 2, 3)] == ["a", "a and b", "a, b and c"]
    assert [tied_names(list("abcd")[:n]) for n in (1, 2, 3, 4)] == ["a", "a and b", "a and 2 more", "a and 3 more"]
    assert [above(share) for share in (0.042, 0.0, -0.005)] == ["4.2 % above", "0.0 % above", "0.5 % below"]


def test_a_long_title_is_not_folded_to_the_width_of_its_table() -> None:
    rows = [{"case": "Iris", "builder": "c45"}]
    title = "C4.5 [1] and CART (Smith 2020, Table 3): test accuracy, %"
    shown = pivot(rows, line=itemgetter("case"), column=itemgetter("builder"), cell=lambda _: "95.3", title=title)
    console = Console(width=80)
    with console.capture() as capture:
        console.print(shown)
    assert [line.split() for line in capture.get().splitlines()] == [title.split(), ["c45"], ["Iris", "95.3"]]
