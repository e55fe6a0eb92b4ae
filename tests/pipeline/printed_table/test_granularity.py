"""The granularity of accuracies against all counts of right rows, one by one, and against simulated honest tables."""

from __future__ import annotations

from dataclasses import replace
from decimal import ROUND_DOWN, ROUND_HALF_DOWN, ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal, localcontext
from fractions import Fraction

import duckdb
import numpy as np
import pytest

from pipeline.printed_table.figure import PrintedFigure, Rounding, rounded_from
from pipeline.printed_table.measures import MEASURES
from pipeline.printed_table.shares import Evaluation, HoldOut, MeanOfFolds, Pooled, question, share_claims

MODES = {
    Rounding.HALF_UP: [ROUND_HALF_UP],
    Rounding.HALF_EVEN: [ROUND_HALF_EVEN],
    Rounding.TRUNCATED: [ROUND_DOWN],
    Rounding.NEAREST: [ROUND_HALF_UP, ROUND_HALF_DOWN],
    Rounding.ANY: [ROUND_HALF_UP, ROUND_HALF_DOWN, ROUND_DOWN],
}


def printed_as(share: Fraction, digits: int, mode: str) -> Decimal:
    """A share in percent as it is printed, in exact arithmetic."""
    scaled = share * 100 * 10**digits
    with localcontext() as context:
        context.prec = 60
        whole, rest = divmod(scaled.numerator, scaled.denominator)
        # a fraction that is below, at or above a half, however long its digits are
        tail = Decimal(0) if not rest else Decimal((2 * rest > scaled.denominator) - (2 * rest < scaled.denominator))
        nearby = Decimal(whole) + (Decimal("0.5") + tail * Decimal("0.25") if rest else 0)
        return (nearby.quantize(Decimal(1), mode)).scaleb(-digits)


def shares(way: Pooled | MeanOfFolds) -> set[Fraction]:
    """All shares that a way gives, each fold's right rows counted one by one."""
    if isinstance(way, Pooled):
        whole = way.rows * way.passes
        return {Fraction(right, whole) for right in range(whole + 1)}
    result = {Fraction(0)}
    sizes = [way.rows // way.folds + (fold < way.rows % way.folds) for fold in range(way.folds)] * way.passes
    for size in sizes:
        result = {before + Fraction(right, size) for before in result for right in range(size + 1)}
    return {share / len(sizes) for share in result}


EVALUATIONS = [
    *(Pooled(rows, passes) for rows in (1, 2, 3, 7, 11, 16, 24, 29, 40, 41, 60) for passes in (1, 2, 3)),
    HoldOut(13, 1, 40),
    *(
        MeanOfFolds(rows, folds)
        for rows, folds in ((5, 2), (7, 3), (10, 3), (11, 5), (13, 4), (17, 3), (23, 5), (9, 9))
    ),
    MeanOfFolds(7, 2, 2),
    MeanOfFolds(11, 3, 2),
]


@pytest.mark.parametrize("way", EVALUATIONS, ids=str)
def test_possible_figures_are_those_of_all_counts(way):
    every = shares(way)
    for digits in (0, 1, 2):
        for rounding, modes in MODES.items():
            honest = {printed_as(share, digits, mode) for share in every for mode in modes}
            step = max(1, 10**digits // 10)  # of two digits each tenth figure, and all honest ones
            candidates = {Decimal(unit).scaleb(-digits) for unit in range(0, 100 * 10**digits + 1, step)} | honest
            for value in candidates:
                numbers = rounded_from(Fraction(value), digits, rounding)
                witness = way.witness(numbers.times(Fraction(1, 100)))
                assert (witness is not None) == (value in honest), (value, rounding)


def test_witness_is_one():
    share = rounded_from(Fraction("83.55"), 2).times(Fraction(1, 100))
    assert MeanOfFolds(155, 10).witness(share) is None
    witness = MeanOfFolds(155, 10).witness(rounded_from(Fraction("83.6"), 1).times(Fraction(1, 100)))
    assert 83.55 <= 100 * eval(witness) <= 83.65


def test_large_data_sets_take_no_long_search():
    share = rounded_from(Fraction("99.9"), 1).times(Fraction(1, 100))
    assert MeanOfFolds(1_000_003, 10, 10).witness(share) is not None
    assert MeanOfFolds(1_000_003, 10).witness(rounded_from(Fraction("0.0001"), 4).times(Fraction(1, 100))) is not None
    nothing = rounded_from(Fraction("0.000001"), 6).times(Fraction(1, 100))
    assert MeanOfFolds(1_000_003, 10).witness(nothing) is None


def figure(value: float | str, digits: int) -> PrintedFigure:
    text = f"{value:.{digits}f}" if isinstance(value, float) else value
    return PrintedFigure(2, "c45", "iris", "c45", MEASURES["accuracy"], text, Fraction(text), digits)


def test_no_honest_table_is_called_impossible():
    """25,000 figures of simulated accuracies, rounded as Python, NumPy and Decimal do."""
    draws, judged = np.random.default_rng(0), 0
    for _ in range(500):
        rows, folds = int(draws.integers(20, 3000)), int(draws.choice([2, 3, 5, 10]))
        sizes = np.full(folds, rows // folds) + (np.arange(folds) < rows % folds)
        right = draws.binomial(sizes, draws.uniform(0.3, 1), size=(25, folds))
        pooled, means = right.sum(axis=1) / rows, (right / sizes).mean(axis=1)
        digits = int(draws.integers(0, 4))
        figures = [figure(float(100 * value), digits) for value in (*pooled, *means)]
        claims = list(share_claims(figures, lambda _, rows=rows: rows, Evaluation(folds)))
        judged += len(claims)
        assert all(claim.verdict == "possible" for claim in claims)
    assert judged == 25_000


def test_false_figures_are_noticed():
    """Of made-up figures of one decimal on 60 rows, about 1 in 16 is a share of them: of 1,001, 61 are."""
    figures = [figure(f"{unit // 10}.{unit % 10}", 1) for unit in range(1_001)]
    claims = list(share_claims(figures, lambda _: 60, Evaluation(10)))
    assert sum(claim.verdict == "possible" for claim in claims) == 61


@pytest.mark.parametrize("way", [Pooled(150), Pooled(37, 3), MeanOfFolds(37, 5), MeanOfFolds(23, 4, 2)], ids=str)
def test_questions_answer_as_the_search_does(way):
    for text, digits in (("94.4", 1), ("94.00", 2), ("93.3", 1), ("100", 0), ("0.1", 1), ("83.55", 2), ("81", 0)):
        for rounding in Rounding:
            share = rounded_from(Fraction(text), digits, rounding).times(Fraction(1, 100))
            answer = duckdb.sql(question(way, share)).fetchall()
            assert bool(answer) == (way.witness(share) is not None), (text, rounding)


def test_the_test_rows_of_a_hold_out():
    claims = [
        next(share_claims([figure("95.6", 1)], lambda _: 150, tested))
        for tested in (Evaluation(), Evaluation(test_share=Fraction(3, 10)), Evaluation(folds=10, repeats=10))
    ]
    assert [str(claim.verdict) for claim in claims] == ["impossible", "possible", "possible"]
    assert "43/45: right rows of 45 test rows out of 150" in claims[0].proof


def test_a_figure_that_is_possible_with_digits_cut_off_says_so():
    """142 of 150 rows are 94.667 %, which is 94.6 with the further digits cut off."""
    cut, no = (next(share_claims([figure(text, 1)], lambda _: 150, Evaluation())) for text in ("94.6", "94.4"))
    assert (str(cut.verdict), str(no.verdict)) == ("impossible", "impossible")
    assert "; if digits are cut off, it may be 142/150" in cut.proof
    assert "cut off" not in no.proof


def test_errors_are_counts_of_wrong_rows():
    errors = [replace(figure(text, len(text) - 2), measure=MEASURES["error"]) for text in ("5.3", "5.6", "5.17")]
    proofs = [claim.proof for claim in share_claims(errors, lambda _: 150, Evaluation())]
    assert proofs[0] == "8/150: wrong rows of 150 rows"
    assert all("wrong rows " in proof and "right" not in proof for proof in proofs)
    (mean,) = share_claims(errors[2:], lambda _: 155, Evaluation(10))
    assert "mean error of 10 folds of 15 or 16 rows" in mean.proof
    assert "share of wrong rows" in mean.assumes


@pytest.mark.parametrize(("text", "digits", "found"), [("100.0", 1, 0), ("100.1", 1, 1), ("103.2", 1, 1)])
def test_a_share_above_100_percent_is_impossible_on_any_data_set(text: str, digits: int, found: int) -> None:
    claims = list(share_claims([figure(text, digits)], lambda _: None, Evaluation()))
    assert [claim.verdict for claim in claims] == ["impossible"] * found
    assert all(claim.proof == "a share is at most 100 %" for claim in claims)


def test_a_claim_states_that_it_assumes_all_rows():
    """Papers leave rows out, such as the 16 incomplete ones of 699; the claim says what it takes for granted."""
    row = figure("94.4", 150)
    (claim,) = share_claims([row], lambda _: 150, Evaluation())
    assert "all rows of the data set are used" in claim.assumes
