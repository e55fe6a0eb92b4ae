"""What figures of printed tables measure."""

from __future__ import annotations

from dataclasses import dataclass

from pipeline.errors import no_choice

ACCURACY, TRAIN_ACCURACY, MEAN_PRECISION, RANK = "accuracy", "train_accuracy", "mean_precision", "rank"
TREE_COSTS = ("nodes", "nonterminal_nodes", "terminal_nodes", "depth", "average_depth")


@dataclass(frozen=True)
class Measure:
    """What a figure measures.

    name    : its column in result rows, if they have it
    meaning : in words
    share   : whether it is a share in percent, which may be printed from 0 to 1
    column  : SQL expression over a result row, shares from 0 to 1; empty if no run has it
    point   : a percentage point in its unit: 1, or 0.01 if its values are from 0 to 1 instead of in percent
    """

    name: str
    meaning: str
    share: bool = False
    column: str = ""
    point: float = 1.0

    @property
    def sql(self) -> str:
        """SQL expression over a result row, in its unit."""
        return f"100 * {self.column}" if self.share else self.column

    @property
    def singular(self) -> str:
        """Its name in words, for one figure."""
        return self.name.replace("_", " ")

    @property
    def plural(self) -> str:
        """Its name in words, for several figures."""
        return f"{self.singular[:-1]}ies" if self.singular.endswith("y") else f"{self.singular.removesuffix('s')}s"


_MEASURES = (
    Measure(ACCURACY, "share of test rows predicted correctly", share=True, column="test_accuracy"),
    Measure("error", "share of test rows predicted wrongly", share=True, column="(1 - test_accuracy)"),
    Measure(TRAIN_ACCURACY, "share of training rows predicted correctly", share=True, column=TRAIN_ACCURACY),
    Measure("train_error", "share of training rows predicted wrongly", share=True, column="(1 - train_accuracy)"),
    Measure(
        MEAN_PRECISION,
        "mean over the declared classes of correct / predicted, 0 for a class that is never predicted",
        share=True,
        column=MEAN_PRECISION,
    ),
    Measure("nodes", "nodes of the tree", column="nodes"),
    Measure("nonterminal_nodes", "nodes that are split", column="nonterminal_nodes"),
    Measure("terminal_nodes", "leaves", column="terminal_nodes"),
    Measure("depth", "edges from the root to the deepest leaf", column="depth"),
    Measure("average_depth", "mean edges from the root to the leaf of a row", column="average_depth"),
    Measure(RANK, "rank by accuracy, 1 the most accurate"),
    *(
        Measure(name, f"data sets on which one builder {what}")
        for name, what in (
            ("wins", "is the more accurate"),
            ("ties", "is as accurate"),
            ("losses", "is the less accurate"),
        )
    ),
    Measure("improvement", "mean difference of accuracies of two builders, in points"),
    Measure("critical_difference", "of average ranks, by Nemenyi's test at 5 %"),
    Measure("friedman", "Friedman's chi-squared over the accuracies"),
    Measure("friedman_p", "the p of Friedman's test"),
    Measure("sign_p", "the two-sided p of the sign test of two builders"),
    Measure("wilcoxon_p", "the two-sided p of Wilcoxon's signed-rank test of two builders"),
)
_OTHER_NAMES = {
    "test_accuracy": ACCURACY,
    "acc": ACCURACY,
    "error_rate": "error",
    "test_error": "error",
    **dict.fromkeys(("mean_improvement", "mean_accuracy_improvement"), "improvement"),
    "size": "nodes",
    "leaves": "terminal_nodes",
    "p_friedman": "friedman_p",
    "p_sign": "sign_p",
    "p_wilcoxon": "wilcoxon_p",
    "cd": "critical_difference",
}
MEASURES = {measure.name: measure for measure in _MEASURES}


def measure_named(name: str) -> Measure | str:
    """Return the measure of a name, or an error message if no measure has it. Blanks and capitals do not matter."""
    plain = "_".join(name.lower().replace("-", " ").replace("_", " ").split())
    return MEASURES.get(_OTHER_NAMES.get(plain, plain)) or no_choice("measure", name, MEASURES)
