"""What becomes of a printed table, from the verdicts of a summary table."""

from __future__ import annotations

import dataclasses

import pytest

from pipeline.proof.figures import figures_of
from pipeline.proof.printed import Document, Printed
from pipeline.proof.proof import Answered, Proof, Reproduction, Unanswered, proof_of
from pipeline.summary.tables import Layout, Pair, SummaryTable
from pipeline.summary.verdicts import Verdict

ACCURACY = Printed(
    "Table 2",
    "accuracy",
    "g",
    "accuracies",
    6,
    only={"reading": ("main",)},
    why="reason",
)
SIZES = Printed(
    "Table 1",
    "sizes",
    "g",
    "data_sets",
    4,
    rule="the same",
)
RANKS = dataclasses.replace(SIZES, name="Table 3", table="ranks", against="by_printed")
COLUMNS = ("case", "builder", "reading", "ours", "printed", "verdict", "reason")
ROWS = (
    ("iris", "id3", "main", 0.91, 0.9, Verdict.AGREES, None),
    ("iris", "id3", "other", 0.5, 0.9, Verdict.DIFFERS, None),
    ("iris", "c45", "main", 0.8, 0.9, Verdict.DIFFERS, "other rows"),
    ("zoo", "id3", "main", 2.5, 2.1, "impossible", "the least is 2.4"),
    ("zoo", "c45", "main", None, 0.7, None, "the builder failed"),
    ("zoo", "did", "main", 0.7, None, None, None),
)
QUESTION = "select {ours} where builder = {builder}"
LAYOUT = Layout(("case",), ("builder",), (Pair("ours"),))
TABLE = SummaryTable("accuracies", "Accuracies", COLUMNS, ROWS, "The rule.", QUESTION, LAYOUT)
OF_SIZES = Layout(("case",), (), (Pair("rows", "printed_rows"), Pair("classes", "printed_classes")))
OF_RANKS = Layout(("case",), (), (Pair("ours"),))


def _answered(*tables: SummaryTable, fewer: dict[str, str] | None = None) -> Answered:
    return Answered("abc", "g-abc.html", "+grid=g", "Found.", {table.name: table for table in tables}, fewer or {})


def _proof(expected: Answered | Unanswered, *printed: Printed) -> Proof:
    return proof_of([Document("Bee 1900", "Trees", printed)], {"g": expected})


def _answer(expected: Answered | Unanswered, printed: Printed) -> Reproduction:
    return _proof(expected, printed).answers[0]


def test_a_figure_is_a_printed_row_of_the_judged_reading() -> None:
    result = list(figures_of(TABLE, ACCURACY))
    assert [(each.named, each.verdict) for each in result] == [
        ("iris · id3", Verdict.AGREES),
        ("iris · c45", Verdict.DIFFERS),
        ("zoo · id3", Verdict.IMPOSSIBLE),
        ("zoo · c45", None),
    ]
    assert result[1].question == "select 0.8 where builder = 'c45'"
    assert result[1].why == "other rows"


def test_tables_of_one_summary_table_are_named_unless_one_is_chosen() -> None:
    table = dataclasses.replace(TABLE, layout=Layout(("case",), ("builder",), (Pair("ours"),), tables="reading"))
    assert next(figures_of(table, ACCURACY)).named == "iris · id3"
    assert next(figures_of(table, dataclasses.replace(ACCURACY, only={}))).named == "main · iris · id3"
    assert not list(figures_of(dataclasses.replace(TABLE, layout=None), ACCURACY))


def test_counts_are_of_what_was_compared_and_the_rest_is_named() -> None:
    answer = _answer(_answered(TABLE), ACCURACY)
    assert (answer.compared, answer.not_compared, answer.outcome) == (3, 3, "differs")
    assert answer.sentence == "1 of the 3 figures compared agree, 1 differs, 1 is impossible; 6 are printed"
    assert [each.named for each in answer.differing] == ["iris · c45", "zoo · id3"]
    assert answer.rule == "The rule."


@pytest.mark.parametrize(
    ("verdicts", "outcome"),
    [
        ((Verdict.AGREES, Verdict.AGREES), "reproduced"),
        ((Verdict.AGREES, Verdict.CONSISTENT), "reproduced in part"),
        ((Verdict.CONSISTENT, Verdict.CONSISTENT), "consistent"),
        ((Verdict.CONSISTENT, Verdict.DIFFERS), "differs"),
        ((Verdict.AGREES, Verdict.IMPOSSIBLE), "impossible"),
        ((Verdict.IMPOSSIBLE, Verdict.DIFFERS), "differs"),
        ((Verdict.MISPRINT, Verdict.DIFFERS), "differs"),
        ((Verdict.AGREES, Verdict.MISPRINT, Verdict.FOLLOWS), "misprint"),
        ((Verdict.AGREES, Verdict.FOLLOWS), "follows"),
        ((Verdict.OPEN, Verdict.AGREES), "reproduced in part"),
        ((Verdict.OPEN, Verdict.OPEN), "open"),
        ((None, None), "not compared"),
    ],
)
def test_the_outcome_is_the_worst_of_what_was_compared(verdicts: tuple[Verdict | None, ...], outcome: str) -> None:
    rows = [("iris", "id3", "main", 1.0, 1.0, verdict, None) for verdict in verdicts]
    whole = dataclasses.replace(ACCURACY, figures=2)
    assert _answer(_answered(dataclasses.replace(TABLE, rows=rows)), whole).outcome == outcome


def test_a_table_is_reproduced_whole_by_a_run_of_its_size_alone() -> None:
    rows = [("iris", builder, "main", 1.0, 1.0, Verdict.AGREES, None) for builder in ("id3", "c45")]
    table, printed = dataclasses.replace(TABLE, rows=rows), dataclasses.replace(ACCURACY, figures=2)
    assert _answer(_answered(table), printed).outcome == "reproduced"
    smaller = _answered(table, fewer={"tables.count": "500 for 10000"})
    assert _answer(smaller, printed).outcome == "reproduced in part"
    message = "2 of the 2 figures agree (run at another size: tables.count 500 for 10000)"
    assert _answer(smaller, printed).sentence == message
    quick = dataclasses.replace(smaller, quick=True)
    assert _answer(quick, printed).sentence == message.replace("another size", "size quick")


def test_figures_without_a_verdict_agree_where_they_are_the_same_to_prints_digits() -> None:
    rows = [("a", 2.375, 2.38, 2.375), ("b", 3.0, 2.0, 2.0), ("c", 3.0, 2.0, 4.0), ("d", None, 2.0, 2.0)]
    table = SummaryTable("ranks", "Ranks", ("case", "ours", "printed", "by_printed"), rows, "", "", OF_RANKS)
    assert [figure.verdict for figure in figures_of(table, RANKS)] == [
        Verdict.AGREES,
        Verdict.DIFFERS,
        Verdict.IMPOSSIBLE,
        None,
    ]
    assert _answer(_answered(table), RANKS).rule == "the same"


def _ranks(*rows: tuple[str | None, float, float, float]) -> SummaryTable:
    whole = [(*row, f"the paper's accuracies give {row[-1]}") for row in rows]
    return SummaryTable("ranks", "Ranks", ("case", "ours", "printed", "by_printed", "why"), whole, "", "", OF_RANKS)


def test_a_figure_follows_where_others_give_it_and_one_of_those_of_its_case_differs() -> None:
    ranks = _ranks(
        ("iris", 2.0, 1.0, 1.0),  # one accuracy of iris differs
        ("iris", 2.0, 1.0, 3.0),
        ("iris", 1.0, 1.0, 3.0),
        ("wine", 2.0, 1.0, 1.0),  # none of wine does
        (None, 2.5, 1.5, 1.5),  # made of all cases
    )
    following = dataclasses.replace(RANKS, made_of="Table 2", shared=("case",), why="why")
    proof = _proof(_answered(TABLE, ranks), ACCURACY, following)
    follows, differs = Verdict.FOLLOWS, Verdict.DIFFERS
    results = [figure.verdict for figure in proof.answers[1].figures]
    assert results == [follows, Verdict.IMPOSSIBLE, Verdict.AGREES, differs, follows]
    agreeing = dataclasses.replace(TABLE, rows=[row for row in ROWS if row[5] is Verdict.AGREES])
    results = [figure.verdict for figure in _proof(_answered(agreeing, ranks), ACCURACY, following).answers[1].figures]
    assert results == [
        differs,
        Verdict.IMPOSSIBLE,
        Verdict.AGREES,
        differs,
        differs,
    ]  # nothing that they follow from is wrong
    table = proof.table()
    row = table.records[1]
    assert (row["follows"], row["differ"], row["impossible"]) == (2, 1, 1)
    assert row["why"].startswith("iris and 1 more: the paper's accuracies give 1.0 | ")
    assert "2 are computed in the paper from figures that differ" in proof.sentence
    assert proof.differences().records[2]["why"] == ("the paper's accuracies give 1.0")


def test_a_figure_is_a_misprint_only_where_the_corrected_one_is_ours() -> None:
    sizes = dataclasses.replace(SIZES, figures=5, corrected={"printed_rows": "right_rows"}, why="why")
    rows = [
        ("iris", 150, 210, 150, 3, 3, "the rows of seeds"),
        ("wine", 178, 210, 177, 3, 4, "the rows of seeds"),
        ("zoo", 101, 101, 99, 7, None, "wrong"),
    ]
    columns = ("case", "rows", "printed_rows", "right_rows", "classes", "printed_classes", "why")
    answer = _answer(_answered(SummaryTable("data_sets", "Data sets", columns, rows, "", "", OF_SIZES)), sizes)
    assert [(figure.named, figure.verdict) for figure in answer.figures] == [
        ("iris · rows", Verdict.MISPRINT),
        ("iris · classes", Verdict.AGREES),
        ("wine · rows", Verdict.DIFFERS),
        ("wine · classes", Verdict.DIFFERS),
        ("zoo · rows", Verdict.AGREES),
    ]
    assert answer.sentence == "2 of the 5 figures agree, 2 differ, 1 is a misprint"


def test_several_figures_of_a_row_are_named_apart() -> None:
    table = SummaryTable(
        "data_sets",
        "Data sets",
        ("case", "rows", "printed_rows", "classes", "printed_classes"),
        [("iris", 150, 150, 3, 2), ("segment", 2310, None, 7, None)],
        "",
        layout=OF_SIZES,
    )
    assert [(figure.named, figure.verdict) for figure in figures_of(table, SIZES)] == [
        ("iris · rows", Verdict.AGREES),
        ("iris · classes", Verdict.DIFFERS),
    ]


def test_a_table_that_needs_all_entries_is_not_compared_with_fewer() -> None:
    whole = dataclasses.replace(ACCURACY, whole=("source",))
    answer = _answer(_answered(TABLE, fewer={"source": "3 of 8"}), whole)
    assert (answer.outcome, answer.not_compared) == ("not compared", 6)
    assert _answer(_answered(TABLE, fewer={"seed": "1"}), whole).compared == 3


def test_without_a_run_the_proof_has_the_command_and_the_reason() -> None:
    nobody = _answer(Unanswered("+grid=g"), ACCURACY)
    assert (nobody.outcome, nobody.not_compared, nobody.sentence) == ("not run", 6, "no run has computed it yet")
    other = _answer(Unanswered("+grid=g", "run a has other settings than the paper: b 1 for 2", other=True), ACCURACY)
    assert (other.outcome, other.not_compared) == ("not compared", 6)
    assert other.sentence == "run a has other settings than the paper: b 1 for 2"
    lacking = _answer(Unanswered("+grid=g", "iris is not here", lacking=True), ACCURACY)
    assert (lacking.outcome, lacking.sentence) == ("no input", "iris is not here")
    assert (lacking.not_compared, lacking.no_input) == (0, 6)


def test_a_document_without_figures_has_the_finding_beside_it() -> None:
    words = Printed("Figure 1", "a picture", "g")
    answer = _answer(_answered(TABLE), words)
    assert (answer.outcome, answer.sentence, answer.not_compared) == ("no figures", "Found.", 0)


def test_the_sentence_counts_figures_and_claims_apart() -> None:
    claims = Printed("Claims", "claims", "g", "claims", 3, claims=True)
    rows = [
        ("smaller", "a", "b", "nodes", None, -1.0, "below 0", "agrees"),
        ("better", "a", "b", "accuracy", "iris", 0.1, "above 0", "open"),
    ]
    columns = ("claim", "left", "right", "measure", "on", "difference", "claimed", "verdict")
    table = SummaryTable("claims", "Claims", columns, rows, "")
    proof = _proof(_answered(TABLE, table), ACCURACY, claims)
    assert proof.sentence == (
        "1 of the 3 figures compared agree, 1 differs, 1 is impossible; 6 are printed. "
        "1 of the 2 claims compared agree, 1 is open; 3 are printed."
    )


def test_another_reading_of_the_same_figures_is_shown_and_in_no_total() -> None:
    again = dataclasses.replace(ACCURACY, name="Read otherwise", again=ACCURACY.name)
    answered = _answered(TABLE)
    proof = _proof(answered, ACCURACY, again)
    assert proof.sentence == _proof(answered, ACCURACY).sentence
    counted, shown = proof.table().rows
    first = proof.table().columns.index("figures")
    assert counted[first] == 6
    differing = {row[2]: row for row in proof.differences().rows if row[1] == ACCURACY.name}
    assert {name: row[6] for name, row in differing.items() if row[5] == "differs"} == {
        "iris · c45": "other rows; Read otherwise: 0.8, differs"
    }
    assert shown[first : first + 9] == (None,) * 9
    message = "1 of the 3 figures compared agree, 1 differs, 1 is impossible; 6 are printed"
    assert (
        shown[proof.table().columns.index("finding")]
        == f"{message} (another reading of figures that are counted elsewhere)"
    )


def test_an_inferred_reading_says_why_it_is_counted() -> None:
    inferred = dataclasses.replace(ACCURACY, inferred="it wins most halves")
    proof = _proof(_answered(TABLE), inferred)
    count = proof.table().rows[0][proof.table().columns.index("finding")]
    assert str(count).endswith("(inferred: it wins most halves)")
    assert proof.sentence == _proof(_answered(TABLE), ACCURACY).sentence


def test_the_tables_of_the_proof_add_up() -> None:
    claims = Printed("Claims", "claims", "other", "claims", 3, claims=True)
    document = Document("Bee 1900", "Trees", (ACCURACY, claims))
    proof = proof_of([document], {"g": _answered(TABLE), "other": Unanswered("+grid=other")})
    table = proof.table()
    for of in table.records:
        parts = (
            of[name]
            for name in (
                *("agree", "consistent", "differ", "misprint", "follows", "impossible", "open"),
                *("no_input", "not_compared"),
            )
        )
        assert of["figures"] == sum(int(part or 0) for part in parts)
    assert [row[2] for row in proof.differences().rows] == ["iris · c45", "zoo · id3"]
