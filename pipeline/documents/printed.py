"""What the documents print, and which grid and summary table answers each of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

__all__ = ["DOCUMENTS", "EXPERIMENTS", "Document", "Experiment", "Printed"]


@dataclass(frozen=True)
class Experiment:
    """A grid that documents are held against.

    free  : keys whose value may be another than in `conf/grid/`, and what is compared with print still may be
    fewer : keys whose list may lack entries of that in `conf/grid/`; what lacks is then not compared
    quick : overrides of `size=quick`, of these keys alone
    """

    grid: str
    free: tuple[str, ...] = ()
    fewer: tuple[str, ...] = ()
    quick: tuple[str, ...] = ()


@dataclass(frozen=True)
class Printed:
    """A table of a document, or what it claims in words.

    name    : as the document calls it, or where it stands
    what    : what it tells
    table   : the summary table of the grid's run that stands beside it; None: it prints no figures, and the run's
              finding is all there is to say
    figures : how many figures print has, or claims
    named   : columns of that table that say which figure a row is of
    pairs   : its columns of our figure (several columns are parted by /) and of print's; a row in which the latter is
              empty has no such figure
    rule    : empty: the column `verdict` says how they compare; else they agree where they are equal, which it tells
    against : of such a table, the column of what the document's own other figures make of it: where it is another than
              print's, print contradicts itself
    only    : the rows that are of print, by the values of a column; other rows are other readings of the same
    why     : the column that tells why a figure differs, if there is one
    whole   : keys of which no entry may lack
    claims  : whether it is made of claims rather than of figures
    """

    name: str
    what: str
    grid: str
    table: str | None = None
    figures: int = 0
    named: tuple[str, ...] = ()
    pairs: tuple[tuple[str, str], ...] = ()
    rule: str = ""
    against: str | None = None
    only: Mapping[str, tuple[str | int, ...]] = field(default_factory=dict)
    why: str | None = None
    whole: tuple[str, ...] = ()
    claims: bool = False


@dataclass(frozen=True)
class Document:
    """A document, by the number it goes by here, and what it prints, in its order."""

    number: str
    title: str
    authors: str
    printed: tuple[Printed, ...]


QUICK_T3C = tuple(
    f"{{name: t3c_{key}_{most}, builder: t3c_printed, parameters: {{max_{key}: {most}}}}}"
    for key, most in (("depth", 2), ("depth", 4), ("branches", 2), ("branches", 3), ("branches", 4))
)

EXPERIMENTS = {
    one.grid: one
    for one in (
        Experiment("worked_examples", fewer=("source",)),
        Experiment("greedy_vs_dp", free=("tables.groups", "tables.count"), fewer=("heuristics",)),
        Experiment(
            "did_vs_c45",
            free=("graph_mib",),
            fewer=("folded.source", "published.source", "drawn.source", "builders"),
            quick=(  # all but connect-4, of 67,557 rows
                "folded.source=[uci/house-votes-84/third-answer,uci/balance-scale,uci/car,uci/tic-tac-toe,"
                "uci/soybean-small,uci/lymphography]",
            ),
        ),
        Experiment("did_vs_svm", fewer=("source", "builders")),
        Experiment("removed_features", free=("random_orders",), fewer=("source",), quick=("random_orders=2",)),
        Experiment(
            "t3c_vs_c45",
            fewer=("source", "builders"),
            quick=(f"builders=[c45,t3c_printed,{','.join(QUICK_T3C)}]",),  # no exhaustive search, no depth of 5
        ),
        Experiment("oct_vs_cart", fewer=("source", "depths")),
        Experiment(
            "smallest_tree",
            free=("max_work", "graph_mib"),
            fewer=("source", "builders"),
            quick=("max_work=20000000", "graph_mib=64"),
        ),
        Experiment(
            "evo_tree",
            fewer=("source", "builders"),
            quick=(  # without the MLP, which takes five times as long as all others, and the two largest sets
                "builders=[evo_tree,{name: j48, builder: c45},svm,naive_bayes,random_tree]",
                "source=[uci/breast-tissue,uci/ecoli,uci/seeds,uci/image-segmentation:all,uci/winequality-red,"
                "uci/abalone,uci/abalone:210]",
            ),
        ),
        Experiment(
            "evo_vs_exact",
            free=("repeats", "max_work"),
            fewer=("source", "depths"),
            quick=("depths=[2,3]", "max_work=200000000"),
        ),
        Experiment("pruning", fewer=("source", "builders")),
        Experiment(
            "induction_gap",
            free=("graph_mib",),
            fewer=("source", "heuristics", "builders"),
            quick=(  # all but the two largest tables
                "source=[uci/balloons/adult-stretch,uci/lenses,uci/hayes-roth,uci/balance-scale,uci/car,uci/zoo,"
                "uci/tic-tac-toe,uci/house-votes-84,uci/breast-cancer,uci/lymphography]",
            ),
        ),
    )
}
"""In the order in which they are run: what is soon done comes first."""

CLAIM = {"named": ("claim", "left", "right", "measure", "on"), "pairs": (("difference", "claimed"),), "claims": True}


def _example(name: str, what: str, source: str, figures: int) -> Printed:
    """A worked example; where the document has a picture, an independent program or a count by hand stands for it."""
    return Printed(
        name,
        what,
        "worked_examples",
        "steps",
        figures,
        named=("subject", "quantity"),
        pairs=(("ours", "printed"), ("ours", "reference")),
        only={"source": (source,)},
        why="remark",
    )


DOCUMENTS = (
    Document(
        "000",
        "Decision Tree Construction using Greedy Algorithms and Dynamic Programming – Comparative Study",
        "Alkhalid, Chikalov and Moshkov",
        (
            Printed(
                "Tables 1–4",
                "mean relative difference of 16 greedy heuristics from the exact minimum of five costs, four groups of "
                "10,000 random tables",
                "greedy_vs_dp",
                "cells",
                320,
                named=("group", "impurity_type", "uncertainty", "cost_function"),
                pairs=(("mean_relative_difference", "printed"),),
            ),
            Printed(
                "Table 5",
                "the best two heuristics for each cost",
                "greedy_vs_dp",
                "best_two",
                10,
                named=("cost_function", "position"),
                pairs=(("impurity_type/uncertainty", "printed"),),
            ),
        ),
    ),
    Document(
        "001",
        "Efficient Construction of Decision Trees by the Dual Information Distance Method",
        "Ben-Gal",
        (
            _example("Example of Lee and Olafsson", "25 rows and their partitions", "lee_olafsson_25", 3),
            _example(
                "Orthogonality between restricted partitions",
                "12 rows on which each of two attributes is most orthogonal somewhere",
                "restricted_partitions",
                14,
            ),
            _example("Training data set", "12 rows, and the trees of ID3 and DID for them", "training_12", 13),
            Printed(
                "Summarizing comparison: average depth",
                "average depth of the trees of ID3, C4.5 and DID on eleven data sets",
                "did_vs_c45",
                "did_vs_c45",
                33,
                named=("case", "printed_builder"),
                pairs=(("average_depth", "printed"),),
                only={"reading": ("unpruned", "unpruned gain ratio", "best weight")},
                why="reason",
            ),
            Printed(
                "Summarizing comparison: accuracy",
                "accuracy of ID3, C4.5 and DID on eleven data sets, in percent",
                "did_vs_c45",
                "did_vs_c45_accuracies",
                33,
                named=("case", "printed_builder"),
                pairs=(("accuracy", "printed"),),
                only={"reading": ("unpruned", "unpruned gain ratio", "best weight")},
            ),
            Printed(
                "SVM, J48 and DID",
                "accuracy on 22 data sets, in percent",
                "did_vs_svm",
                "did_vs_svm",
                66,
                named=("case", "builder"),
                pairs=(("accuracy", "printed"),),
                only={"builder": ("svm", "j48", "did")},
                why="remark",
            ),
            Printed(
                "Accuracy against removed features",
                "a picture without figures, of data sets that it does not name",
                "removed_features",
            ),
        ),
    ),
    Document(
        "002",
        "Optimal Decision Tree",
        "Li",
        (
            _example(
                "Pruning algorithm, the example", "cost-complexity pruning of a tree of 16 rows", "cost_complexity", 39
            ),
            Printed("T3C", "what it claims of T3C beside C4.5", "t3c_vs_c45", "claims", 14, **CLAIM),  # type: ignore[arg-type]
            Printed(
                "Comparison with post-prune CART",
                "wins, ties and improvement of OCT at depths 1 to 4, inside and outside the high-performance region",
                "oct_vs_cart",
                "oct_vs_cart",
                32,
                named=("max_depth", "region", "measure"),
                pairs=(("ours", "printed"),),
            ),
            Printed(
                "Optimal decision tree",
                "“ID3, C4.5, CART are … usually generating locally optimal trees”: optimal is the tree of fewest "
                "leaves with the same classification",
                "smallest_tree",
            ),
        ),
    ),
    Document(
        "003",
        "Evolutionary Algorithm for Decision Tree Induction",
        "Jankowski and Jackowski",
        (
            Printed(
                "Table 1",
                "rows, attributes and classes of seven data sets",
                "evo_tree",
                "data_sets",
                21,
                named=("case",),
                pairs=(("rows", "printed_rows"), ("attributes", "printed_attributes"), ("classes", "printed_classes")),
                rule="agrees: the same number; differs: another",
                only={"part": ("all",)},
                why="remark",
            ),
            Printed(
                "Table 2",
                "accuracy of EVO-Tree and five others on eight data sets, 5x2 cross-validation",
                "evo_tree",
                "evo_tree",
                48,
                named=("case", "builder"),
                pairs=(("accuracy", "printed"),),
                only={"part": ("all",)},
                why="why",
            ),
            Printed(
                "Table 3",
                "ranks by these accuracies, and their averages",
                "evo_tree",
                "ranks",
                54,
                named=("case", "builder"),
                pairs=(("by_ours", "printed"),),
                rule="agrees: the same rank, an average to two digits; impossible: print's own Table 2 gives another",
                against="by_printed",
                whole=("source", "builders"),
            ),
            Printed("Conclusions", "what it claims of EVO-Tree", "evo_tree", "claims", 23, **CLAIM),  # type: ignore[arg-type]
            Printed(
                "Local minima",
                "“optimize the tree structure in a manner that allow to avoid falling into local minima”",
                "evo_vs_exact",
            ),
        ),
    ),
    Document(
        "004",
        "Decision Trees, notes on Alpaydın's textbook chapter",
        "",
        (
            Printed(
                "Pruning, multivariate trees, forests",
                "what it claims of them",
                "pruning",
                "claims",
                11,
                **CLAIM,  # type: ignore[arg-type]
            ),
            Printed(
                "Tree induction",
                "“local search procedures based on heuristics that give us reasonable trees in reasonable time”",
                "induction_gap",
            ),
        ),
    ),
)
