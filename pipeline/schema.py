"""The columns of result rows, one schema for every grid, and of the tables beside them; meanings in their metadata."""

from __future__ import annotations

from dataclasses import dataclass

import pyarrow as pa

from pipeline.plan import SCHEMA_VERSION

__all__ = [
    "CLASSES",
    "CURVES",
    "DATA_SETS",
    "DEPTHS",
    "DESCENTS",
    "FRONTIERS",
    "FRONTS",
    "GRAPHS",
    "HELD_RESULTS",
    "MADE_WITH",
    "NAMES",
    "RESULTS",
    "STATUSES",
    "STEPS",
    "TABLES",
    "TREES",
    "TREE_SETS",
    "TUNINGS",
    "UNHARMED",
    "KnownTable",
]

STATUSES = ("ok", "failed", "killed", "time_limit", "memory_limit", "skipped")
"""What became of a cell; every status but `ok` leaves its measures null and tells why in `error`."""

UNHARMED = ("ok", "skipped")
"""The statuses of cells that neither failed nor met a limit."""

NAMES = ("source", "part", "builder", "impurity_type", "uncertainty", "parameters", "removal_order", "status")
"""The columns of few different texts: text in files, held in memory as dictionaries."""


def _field(name: str, kind: pa.DataType, meaning: str) -> pa.Field:
    return pa.field(name, kind, metadata={"meaning": meaning})


SOURCE = _field("source", pa.string(), "where the table or data set comes from: random, or its name in the catalogue")
REPEAT = _field("repeat", pa.int32(), "repetition of the protocol, from 1")
FOLD = _field("fold", pa.int32(), "fold within its repetition, from 1")
PART = _field("part", pa.string(), "which published file: train, test or all; or how many rows drawn of it")
STATUS = _field("status", pa.string(), f"one of {', '.join(STATUSES)}")
ERROR = _field("error", pa.string(), "why the status is not ok")
MADE_WITH = _field(
    "made_with",
    pa.dictionary(pa.int8(), pa.string()),
    "digest of the versions of Python and of the packages that made the row; `_run/environments/` says which",
)
"""The last column of every table, added to what a grid makes when it is published."""

VERSION = {"orchard.schema_version": str(SCHEMA_VERSION)}

RESULTS = pa.schema(
    [
        SOURCE,
        PART,
        _field("group", pa.int32(), "group of random tables, from 1"),
        _field("table_index", pa.int64(), "table within its group, from 1"),
        REPEAT,
        FOLD,
        _field(
            "builder",
            pa.string(),
            "what built the tree: greedy; exact, whose row holds the least value of each cost; or a builder's name",
        ),
        _field("impurity_type", pa.string(), "of a greedy builder: max, sum, w_max or w_sum"),
        _field("uncertainty", pa.string(), "of a greedy builder: ent, gini, me or rt"),
        _field("parameters", pa.string(), "of a builder with a name: its parameters, as JSON"),
        _field("removal_order", pa.string(), "by what attributes were removed: information_gain, or random_1 and on"),
        _field("removed_attributes", pa.int32(), "how many were removed, the first of that order"),
        _field("rows", pa.int32(), "rows of the decision table after equal ones were merged, or rows trained on"),
        _field("test_rows", pa.int32(), "rows tested on"),
        _field("unseen_values", pa.int64(), "nominal values in test rows that no training row has, a cell each"),
        STATUS,
        ERROR,
        _field("depth", pa.int32(), "greatest number of edges from the root to a node that training rows reach"),
        _field("average_depth", pa.float64(), "mean over training rows of the edges from the root to their node"),
        _field(
            "total_path_length",
            pa.int64(),
            "sum over training rows of the edges from the root to their node; null where rows go several ways",
        ),
        _field("nodes", pa.int32(), "nodes that training rows reach"),
        _field("nonterminal_nodes", pa.int32(), "those of them that are split further"),
        _field("terminal_nodes", pa.int32(), "those of them that are not"),
        _field("train_accuracy", pa.float64(), "share of training rows predicted rightly"),
        _field("test_accuracy", pa.float64(), "share of test rows predicted rightly"),
        _field(
            "build_seconds", pa.float64(), "seconds to build the tree, where it is built alone; or to fit what predicts"
        ),
        _field("predict_seconds", pa.float64(), "seconds to predict the test rows"),
        _field("optimal", pa.bool_(), "whether a search proved its result best"),
        _field("objective", pa.float64(), "what a search minimised"),
        _field("bound", pa.float64(), "proven lower bound of the objective"),
    ],
    metadata=VERSION,
)

HELD_RESULTS = pa.schema(
    [f.with_type(pa.dictionary(pa.int8(), f.type)) if f.name in NAMES else f for f in RESULTS],
    metadata=RESULTS.metadata,
)
"""RESULTS as rows are held in memory."""

CLASSES = pa.schema(
    [
        SOURCE,
        PART,
        REPEAT,
        FOLD,
        _field("builder", pa.string(), "by its name"),
        _field("class", pa.string(), "label of the class"),
        _field("support", pa.int64(), "test rows of the class"),
        _field("predicted", pa.int64(), "test rows that are predicted to be of the class"),
        _field("correct", pa.int64(), "test rows of the class that are predicted to be of it"),
        _field("precision", pa.float64(), "correct / predicted; null where nothing is predicted to be of the class"),
        _field("recall", pa.float64(), "correct / support; null where no test row is of the class"),
        _field("f1", pa.float64(), "2 correct / (support + predicted); null where both are 0"),
    ],
    metadata=VERSION,
)
"""What a builder does for each class of its test rows; one row a class, none of a cell that failed."""

CURVES = pa.schema(
    [
        SOURCE,
        PART,
        REPEAT,
        FOLD,
        _field("builder", pa.string(), "by its name"),
        _field("generation", pa.int32(), "generation of the population, from 0, which is the initial one"),
        _field("best", pa.float64(), "fitness of its best individual"),
        _field("mean", pa.float64(), "mean fitness of its individuals"),
    ],
    metadata=VERSION,
)
"""Learning curves of builders whose population evolves; one row a generation, none of a cell that failed."""

DATA_SETS = pa.schema(
    [
        SOURCE,
        PART,
        _field("rows", pa.int64(), "rows"),
        _field("nominal", pa.int32(), "attributes that have one of a list of labels"),
        _field("numeric", pa.int32(), "attributes that are numbers"),
        _field("classes", pa.int32(), "classes that its rows have"),
        _field("missing_cells", pa.int64(), "values of attributes that are not known"),
        _field("missing_classes", pa.int64(), "rows whose class is not known"),
        _field("distinct_rows", pa.int64(), "different rows of attributes; a missing value counts as a value"),
        _field("contradictions", pa.int64(), "those of them that have more than one class"),
        _field("fingerprint", pa.string(), "of the content of all parts, whatever their bytes"),
        STATUS,
        ERROR,
    ],
    metadata=VERSION,
)
"""Data sets as they were read; one row a part."""

GRAPHS = pa.schema(
    [
        SOURCE,
        PART,
        _field("rows", pa.int32(), "rows of the decision table after equal ones were merged"),
        _field("size", pa.int64(), "sum of the row weights"),
        _field("attributes", pa.int32(), "attributes of the decision table"),
        _field("decisions", pa.int32(), "decisions that its rows have"),
        _field("nodes", pa.int64(), "separable subtables, the table itself and terminal ones included"),
        _field("edges", pa.int64(), "edges between them, one per attribute value"),
        _field("graph_bytes", pa.int64(), "memory that the graph takes"),
        _field("build_seconds", pa.float64(), "seconds to build the graph and find the five minima"),
        STATUS,
        ERROR,
    ],
    metadata=VERSION,
)
"""The graph of separable subtables of a table; one row a table."""

TREE_SETS = pa.schema(
    [
        SOURCE,
        PART,
        _field("alpha", pa.float64(), "a subtable is terminal if rt is at most alpha times that of the table"),
        _field("optimal_for", pa.string(), "the costs the trees are optimal for, one after another; empty: all trees"),
        _field("trees", pa.string(), "how many trees the set has, in decimal digits: it outgrows 64 bits"),
        _field("log10_trees", pa.float64(), "decimal logarithm of that, to compare and sort by"),
        _field("depth", pa.int32(), "least depth of a tree of the set"),
        _field("average_depth", pa.float64(), "least average depth of a tree of the set"),
        _field("nodes", pa.int32(), "least number of nodes of a tree of the set"),
        _field("nonterminal_nodes", pa.int32(), "least number of nonterminal nodes of a tree of the set"),
        _field("terminal_nodes", pa.int32(), "least number of terminal nodes of a tree of the set"),
        STATUS,
        ERROR,
    ],
    metadata=VERSION,
)
"""Sets of decision trees: all for a table, the optimal ones, those optimal for one cost after another."""

FRONTS = pa.schema(
    [
        SOURCE,
        PART,
        _field("cost_x", pa.string(), "the first cost of the front"),
        _field("cost_y", pa.string(), "the second cost of the front"),
        _field("x", pa.float64(), "the first cost of a tree that no other betters; null where the front was not found"),
        _field("y", pa.float64(), "the second cost of that tree"),
        STATUS,
        ERROR,
    ],
    metadata=VERSION,
)
"""Pareto fronts of two costs; one row a point, or one that says why there is none."""

STEPS = pa.schema(
    [
        SOURCE,
        _field("step", pa.int32(), "place among the steps of the example, from 1"),
        _field("subject", pa.string(), "what the quantity belongs to: partitions, a builder, a step of pruning"),
        _field("quantity", pa.string(), "its name"),
        _field("found", pa.string(), "the quantity, exactly or to four digits after the point"),
        _field("number", pa.float64(), "the quantity in full, where it is a number"),
    ],
    metadata=VERSION,
)
"""A worked example step by step; one row a quantity, none of an example that failed."""

TREES = pa.schema(
    [
        SOURCE,
        _field("builder", pa.string(), "what the tree was built or pruned by"),
        *(RESULTS.field(name) for name in ("parameters", "depth", "average_depth", "total_path_length", "nodes")),
        *(RESULTS.field(name) for name in ("nonterminal_nodes", "terminal_nodes", "train_accuracy")),
        _field("text", pa.string(), "the tree as indented text"),
        _field("tree", pa.string(), "the tree as JSON"),
    ],
    metadata=VERSION,
)
"""Trees of a worked example; one row a tree."""

DEPTHS = pa.schema(
    [
        SOURCE,
        PART,
        _field("repeat", pa.int32(), "draw of the training rows, from 1"),
        _field("builder", pa.string(), "by its name; exact, whose row holds the least average depth"),
        _field("parameters", pa.string(), "of a builder with a name: its parameters, as JSON"),
        _field("rows", pa.int32(), "training rows"),
        _field("distinct_rows", pa.int32(), "rows of the decision table that they make, equal ones merged"),
        _field("nodes", pa.int32(), "nodes of the tree of the training rows"),
        _field("average_depth", pa.float64(), "mean over training rows of the edges to their node, of that tree"),
        _field(
            "search_depth",
            pa.float64(),
            "that, rows that differ in class alone counting as many edges as there are attributes; null if pruned",
        ),
        _field(
            "least_search_depth", pa.float64(), "least search_depth over orders of the attributes, which settle ties"
        ),
        _field("greatest_search_depth", pa.float64(), "greatest search_depth over these orders"),
        _field(
            "table_average_depth",
            pa.float64(),
            "average depth of the tree of the decision table, its rows counting as many as they stand for; of exact "
            "the least of any tree for it",
        ),
        STATUS,
        ERROR,
    ],
    metadata=VERSION,
)
"""Depths of trees over the very rows they were built from; a row a builder and set of training rows."""

TUNINGS = pa.schema(
    [
        SOURCE,
        PART,
        REPEAT,
        _field("max_depth", pa.int32(), "edges from the root to a leaf at most"),
        _field("builder", pa.string(), "cart or oct"),
        _field("parameters", pa.string(), "its parameters, as JSON, as the result row has them"),
        _field("rows", pa.int64(), "rows of the data set without missing values, which train, tune and test"),
        _field("attributes", pa.int32(), "attributes after dummy coding"),
        _field("classes", pa.int32(), "classes that rows have"),
        _field("validation_rows", pa.int32(), "rows tuned on"),
        _field("validation_accuracy", pa.float64(), "share of them that the chosen tree predicts rightly"),
        _field("candidates", pa.int32(), "trees that are best for some alpha each, one of which was chosen"),
        _field(
            "alpha",
            pa.float64(),
            "middle of alpha_low to alpha_high; of oct what a split costs where the majority rule costs 1, of cart "
            "what a leaf costs in Gini impurity of all rows (scikit-learn's ccp_alpha)",
        ),
        _field("alpha_low", pa.float64(), "least alpha for which the chosen tree is best"),
        _field("alpha_high", pa.float64(), "greatest alpha for which the chosen tree is best"),
        _field("work", pa.int64(), "units of work of the searches"),
        STATUS,
        ERROR,
    ],
    metadata=VERSION,
)
"""How alpha was tuned; a row for each result row of oct_vs_cart."""

FRONTIERS = pa.schema(
    [
        SOURCE,
        PART,
        _field("max_depth", pa.int32(), "edges from the root to a leaf at most"),
        _field("splits", pa.int32(), "nonterminal nodes at most"),
        _field("errors", pa.int64(), "training rows that the best tree that the search found gets wrong"),
        _field("bound", pa.int64(), "no tree of that depth and so many splits gets fewer wrong; errors where proven"),
        STATUS,
        ERROR,
    ],
    metadata=VERSION,
)
"""The fewest errors for every number of splits; a row each, or one that says why there is none."""

DESCENTS = pa.schema(
    [
        SOURCE,
        PART,
        _field("max_depth", pa.int32(), "edges from the root to a leaf at most"),
        REPEAT,
        _field("builder", pa.string(), "by its name"),
        _field("generation", pa.int32(), "generation of the population, from 0, which is the initial one"),
        _field("fitness", pa.float64(), "the least of any tree until then, and until the next row's generation"),
        _field("bound", pa.float64(), "no tree of that depth has less"),
    ],
    metadata=VERSION,
)
"""How the fitness of an evolving builder fell; a row for each generation that bettered it, the first and the last."""


@dataclass(frozen=True)
class KnownTable:
    """A table that grids write.

    meaning : what its rows are
    grids   : the kinds of grid that write it; those of other names are of these kinds
    schema  : its columns, before `made_with`
    """

    meaning: str
    grids: tuple[str, ...]
    schema: pa.Schema


TABLES = {
    "results": KnownTable("result rows, one per cell: a builder on a table, or on a fold of a data set", (), RESULTS),
    "classes": KnownTable("what a builder does for each class of its test rows", ("compare_builders",), CLASSES),
    "curves": KnownTable("learning curves, a row a generation", ("compare_builders",), CURVES),
    "data_sets": KnownTable("data sets as they were read, a row a part", ("catalogue",), DATA_SETS),
    "depths": KnownTable("depths of trees over the rows they were built from", ("did_vs_c45",), DEPTHS),
    "descents": KnownTable("how the fitness of an evolving builder fell", ("evo_vs_exact",), DESCENTS),
    "frontiers": KnownTable("the fewest errors for every number of splits", ("evo_vs_exact",), FRONTIERS),
    "fronts": KnownTable("Pareto fronts of two costs, a row a point", ("uci_exact",), FRONTS),
    "graphs": KnownTable("graphs of separable subtables, a row a table", ("uci_exact",), GRAPHS),
    "steps": KnownTable("worked examples step by step, a row a quantity", ("worked_examples",), STEPS),
    "tree_sets": KnownTable("sets of optimal trees, and of all trees", ("uci_exact",), TREE_SETS),
    "trees": KnownTable("trees of worked examples", ("worked_examples",), TREES),
    "tunings": KnownTable("how alpha was tuned, a row for each result row", ("oct_vs_cart",), TUNINGS),
}
"""All tables by name; every grid writes `results`."""
