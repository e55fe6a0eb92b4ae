"""Words that the findings of summaries share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pipeline.screen import out_of
from pipeline.summary.statistics import Estimate
from pipeline.summary.verdicts import Verdict, tally

__all__ = ["above", "agreement", "does", "level", "listed", "points"]

OTHERS = {
    Verdict.CONSISTENT: ("is consistent with it", "are consistent with it"),
    Verdict.DIFFERS: ("differs", "differ"),
    Verdict.IMPOSSIBLE: ("is impossible", "are impossible"),
    Verdict.NO_INPUT: ("has no input", "have no input"),
    Verdict.OPEN: ("is open", "are open"),
}
"""The verdicts besides `agrees`, of one value and of several."""


def agreement(
    verdicts: Iterable[Verdict | None],
    noun: str,
    nouns: str | None = None,
    *,
    known: str = "the paper",
    exact: bool = False,
) -> str:
    """How many values have each verdict: "3 of 8 cells agree with the paper, 4 are consistent with it and 1 differs".

    Parameters
    ----------
    verdicts : those of all values; None of what was not compared
    noun, nouns : what a value is, and several, where an s does not do
    known : what they were compared with
    exact : whether the values have no sampling error, so that none can be merely consistent; else that count is given
        even where it is 0
    """
    counts = tally(verdicts)
    compared = sum(counts.values())
    if not compared:
        return f"no {nouns or noun + 's'} were compared with {known}"
    always = () if exact else (Verdict.CONSISTENT,)
    shown = {each: counts.get(each, 0) for each in OTHERS if each in counts or each in always}
    others = [f"{count} {OTHERS[each][count != 1]}" for each, count in shown.items()]
    agree = f"{out_of(counts.get(Verdict.AGREES, 0), compared, noun, nouns)} {does('agree', compared)} with {known}"
    return f"{agree}, {listed(others)}" if others else agree


def does(verb: str, number: int) -> str:
    """A verb as so many do it: "agrees" of one, "agree" of others."""
    return f"{verb}s" if number == 1 else verb


def listed(words: Sequence[str]) -> str:
    """Words as a sentence has them: "a", "a and b", "a, b and c"."""
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def level(names: Sequence[str]) -> str:
    """Names that are level, of many the first and how many more: "a", "a and b", "a and 2 more"."""
    return listed(names) if len(names) < 3 else f"{names[0]} and {len(names) - 1} more"


def above(share: float) -> str:
    """How far something is from a minimum, as a share of it: "4.2 % above" or "0.5 % below"."""
    return f"{abs(100 * share):.1f} % {'below' if share < 0 else 'above'}"


def points(estimate: Estimate) -> str:
    """A mean in points, with half its 95 % interval where it has one: "1.2 ± 0.3 points"."""
    half = "" if estimate.high is None else f" ± {estimate.high - estimate.mean:.1f}"
    return f"{estimate.mean:.1f}{half} points"
