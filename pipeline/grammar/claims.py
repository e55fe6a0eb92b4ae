"""Claims of documents as differences between two builders, and what runs make of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from pipeline.grammar.comparison.accuracies import Score
from pipeline.grammar.findings import does, listed
from pipeline.grammar.questions import TITLE, literal, mean_with_interval, paired_builders
from pipeline.grammar.standings import SHARES, Measure, difference, split_difference, with_interval
from pipeline.screen import out_of
from pipeline.summary.statistics import Estimate, critical_z
from pipeline.summary.tables import SummaryTable, Value
from pipeline.summary.verdicts import Verdict

__all__ = ["HARDLY", "Claim", "Ruling", "claim_table", "claims_screen", "ruled", "rulings"]

HARDLY = 1.0
"""Points of accuracy below which a gain is hardly worth a more complex tree, and a loss none that matters."""

LEAST = 4
"""Data sets, or splits, from which on there is a verdict: of fewer, chance is not known well enough."""

COLUMNS = ("claim", "left", "right", "measure", "on", "n", "difference", "low", "high", "claimed", "verdict")
MEASURED = {
    "accuracy": "100 * avg(test_accuracy)",
    "train_accuracy": "100 * avg(train_accuracy)",
    "overfitting": "100 * (avg(train_accuracy) - avg(test_accuracy))",
    **{name: f"log10(avg({name}))" for name in ("nodes", "terminal_nodes", "build_seconds")},
}
"""The measures of `standings.Measure` as SQL."""
LEGEND = (
    "±: 95 % interval, paired by data set, or by split where a claim is about one. open: on neither side of the bound "
    "beyond chance, over all claims "
    f"together (Bonferroni); hardly: by less than {HARDLY:g} point. Both are told in claims.csv"
)


@dataclass(frozen=True)
class Claim:
    """A sentence of a document as a difference between two builders that is to be above or below a bound.

    The difference is that of `standings.difference`: accuracies in points, others in decimal logarithms.

    on : the title of the data set that the claim is about, whose splits count; None: it is about all data sets
    """

    words: str
    left: str
    right: str
    measure: Measure
    above: bool
    bound: float = 0.0
    on: str | None = None


@dataclass(frozen=True)
class Ruling:
    """A claim, the difference found over the data sets or the splits of one, and what follows."""

    claim: Claim
    difference: Estimate
    verdict: Verdict


def rulings(scores: Sequence[Score], claims: Sequence[Claim], apart: Sequence[str] = ()) -> tuple[Ruling, ...]:
    """The claims of which both builders were tested on two data sets or more, or two splits where it is about one.

    `apart` are titles of data sets that count in claims about them alone.

    A claim agrees if the interval of the difference lies on the claimed side of the bound, and differs if it lies on
    the other; the interval is two-sided at 5 % with Bonferroni over the claims. Else it is open.
    """
    counted = [score for score in scores if score.title not in apart]
    found = [
        (claim, difference(counted, claim.left, claim.right, claim.measure))
        if claim.on is None
        else (claim, split_difference(scores, claim.left, claim.right, claim.measure, claim.on))
        for claim in claims
    ]
    tested = [(claim, apart) for claim, apart in found if apart is not None and apart.n > 1]
    return tuple(Ruling(claim, apart, _verdict(claim, apart, len(tested))) for claim, apart in tested)


def claim_table(title: str, found: Sequence[Ruling], remark: str = "", apart: Sequence[str] = ()) -> SummaryTable:
    """A row for each claim; the remark joins the note, and `apart` is what `rulings` had."""
    rows: list[tuple[Value, ...]] = []
    for test in found:
        claim, gap = test.claim, test.difference
        claimed = f"{'above' if claim.above else 'below'} {claim.bound:g}"
        estimate = (gap.n, gap.mean, gap.low, gap.high)
        named = (claim.words, claim.left, claim.right, claim.measure, claim.on)
        rows.append((*named, *estimate, claimed, str(test.verdict)))
    note = (
        "n: data sets, or splits of the one that `on` names. difference: left less right, paired by data set or split, "
        "with its 95 % normal interval; of accuracies in points, else in decimal logarithms (-1: a tenth of the time, "
        "or of the nodes). Where splits are paired the interval allows for the rows that they share (Nadeau and Bengio "
        "2003). overfitting: accuracy of the training rows less that of the test rows. agrees, differs: it lies on the "
        "claimed or on the other side of the bound, two-sided at 5 % with Bonferroni over the claims; else, and "
        f"where n is below {LEAST}, open."
    )
    return SummaryTable("claims", title, COLUMNS, rows, f"{note} {remark}".rstrip(), _question(apart))


def _question(apart: Sequence[str]) -> str:
    """The difference behind a claim; `apart` are data sets that count in claims about them alone."""
    cases = " ".join(f"when '{name}' then {value}" for name, value in MEASURED.items())
    all_others = f"{TITLE} not in ({', '.join(map(literal, apart))})" if apart else "true"
    widened = " * sqrt(1 + if({on} is null, 0, count(*) * avg(share)))"
    return paired_builders(
        *("{left}", "{right}"),
        f"case {{measure}} {cases} end as value, avg(test_rows / rows) as share",
        "l.value - r.value as difference, l.share",
        mean_with_interval("difference", "difference", widened=widened),
        by_split="{on} is not null",
        among=f"if({{on}} is null, {all_others}, {TITLE} = {{on}})",
    )


def ruled(found: Sequence[Ruling], document: str) -> str:
    """How many tests of a document's claims agree, differ and stay open, in words, and which claims differ."""
    if not found:
        return f"no claim of {document} was put to the test"
    verdicts = [test.verdict for test in found]
    agreeing, open_ = verdicts.count(Verdict.AGREES), verdicts.count(Verdict.OPEN)
    differing = dict.fromkeys(test.claim.words for test in found if test.verdict is Verdict.DIFFERS)
    others = []
    if differing:
        number = verdicts.count(Verdict.DIFFERS)
        others.append(f"{number} {does('differ', number)} ({'; '.join(differing)})")
    if open_:
        others.append(f"{open_} {does('stay', open_)} open")
    agree = f"{out_of(agreeing, len(found), 'test')} of the claims of {document} {does('agree', len(found))}"
    return ", ".join([agree, listed(others)] if others else [agree])


def claims_screen(found: Sequence[Ruling]) -> list[RenderableType]:
    """A line a claim, and what is meant by its verdict; nothing where none was tested."""
    if not found:
        return []
    claims = Table(title="Claims", title_justify="left", box=None, padding=(0, 2, 0, 0))
    for heading in ("", "", "difference", "verdict"):
        claims.add_column(heading)
    said = ""
    for test in found:
        claim = test.claim
        claims.add_row(
            "" if (words := _words(claim)) == said else words,
            f"{claim.left} - {claim.right}",
            _shown(test),
            Text(test.verdict, style="dim" if test.verdict is Verdict.OPEN else ""),
        )
        said = words
    return ["", claims, Text(LEGEND, style="dim")]


def _words(claim: Claim) -> str:
    return claim.words if claim.on is None else f"{claim.words}: {claim.on}"


def _shown(test: Ruling) -> str:
    apart, measure = test.difference, test.claim.measure
    if measure in SHARES:
        return with_interval(apart) + (" of overfitting" if measure == "overfitting" else "")
    what = {"build_seconds": "as long", "terminal_nodes": "the leaves"}.get(measure, "the nodes")
    return f"{10**apart.mean:.2g} times {what}"


def _verdict(claim: Claim, difference: Estimate, claims: int) -> Verdict:
    z = difference.less(claim.bound).z
    if z is None or difference.n < LEAST or abs(z) <= critical_z(claims):
        return Verdict.OPEN
    return Verdict.AGREES if (z > 0) == claim.above else Verdict.DIFFERS
