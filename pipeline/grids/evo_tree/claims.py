"""What `003_…` claims of EVO-Tree, and how often each kind of builder wins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pipeline.grammar.claims import Claim
from pipeline.grammar.ranks import Accuracies, Against, against
from pipeline.grammar.standings import Measure
from pipeline.grids.evo_tree.printed import CASES, CUT, CUT_CASE, MLP

__all__ = ["CLAIMS", "EVO_TREE", "J48", "READING", "Wins", "wins", "won"]

EVO_TREE, J48 = "evo_tree", "j48"
GREEDY = (J48, "random_tree")
TREES = (EVO_TREE, *GREEDY)
OTHERS = ("svm", "naive_bayes", MLP)
ABALONE = CASES[CUT_CASE].source

OVERFITTING = "EVO-Tree counteracts overfitting"
SMALLER = "EVO-Tree reduces the number of decision rules"
LESS_ERROR = "and the classification error at the same time"
BEAT = "trees outperform the others in almost all cases"


def _of_greedy(words: str, measure: Measure, *, above: bool, on: str | None = None) -> tuple[Claim, ...]:
    return tuple(Claim(words, EVO_TREE, other, measure, above, on=on) for other in GREEDY)


CLAIMS = (
    *(
        claim
        for title in (ABALONE, CUT)
        for claim in (
            *_of_greedy(OVERFITTING, "overfitting", above=False, on=title),
            *_of_greedy(OVERFITTING, "accuracy", above=True, on=title),
        )
    ),
    *_of_greedy(SMALLER, "terminal_nodes", above=False),
    *_of_greedy(SMALLER, "terminal_nodes", above=False, on=CUT),
    *_of_greedy(LESS_ERROR, "accuracy", above=True),
    *(Claim(BEAT, tree, other, "accuracy", above=True) for other in OTHERS for tree in TREES),
)
"""What `003_…` says, tested on the eight data sets, on abalone, and on abalone cut to as many rows as print says."""

READING = (
    "Decision rules are leaves that training rows reach. Print gives accuracies alone, and no number of rules. How "
    "often which builder wins is in wins.csv."
)


@dataclass(frozen=True)
class Wins:
    """A builder of trees held against another builder: data sets on which either is more accurate, print's and ours."""

    tree: str
    other: str
    printed: Against
    ours: Against | None


def wins(printed: Accuracies, ours: Accuracies) -> tuple[Wins, ...]:
    """Each builder of trees against each other builder."""
    found = []
    for tree in TREES:
        here = {one.other: one for one in against(ours, tree, OTHERS)}
        found += [Wins(tree, one.other, one, here.get(one.other)) for one in against(printed, tree, OTHERS)]
    return tuple(found)


def won(found: Sequence[Wins]) -> str:
    """How often trees are more accurate than the others, the MLP apart, in words."""
    said = []
    for name, mine in (
        ("SVM and naive Bayes", [one for one in found if one.other != MLP]),
        ("the MLP", [one for one in found if one.other == MLP]),
    ):
        ours = [one.ours for one in mine if one.ours]
        here = f", here in {_won(ours)}" if ours else ""
        said.append(f"{name} in {_won([one.printed for one in mine])} cases of print{here}")
    return f"trees beat {'; '.join(said)}"


def _won(found: Sequence[Against]) -> str:
    return f"{sum(one.wins for one in found)} of {sum(one.n for one in found)}"
