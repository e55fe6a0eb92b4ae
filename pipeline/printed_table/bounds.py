"""Printed figures of trees that no tree on their data can have: fewer errors, nodes or edges than the exact minimum."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

import numpy as np

from algorithms.data.data_set import AttributeKind, DataSet
from algorithms.data.table import DecisionTable, Labels
from algorithms.data.tables_from_data import decision_table
from algorithms.exact.graph import GraphTooLargeError, SubtableGraph, exact_costs
from algorithms.measures.partitions import join
from algorithms.optimal.exact_search import solve
from algorithms.optimal.instance import Instance
from algorithms.optimal.mixed.ranked_rows import MOST_CODES
from algorithms.optimal.solution import Effort
from algorithms.trees.costs import COST_FUNCTIONS
from algorithms.trees.text import export_text
from pipeline.printed_table.arithmetic import by_cell
from pipeline.printed_table.claim import Claim, Possibility
from pipeline.printed_table.figure import ALL, MEAN, PER_CENT, PrintedFigure
from pipeline.printed_table.measures import TRAIN_ACCURACY, TREE_COSTS
from pipeline.printed_table.shares import decimal
from pipeline.words import counted

MOST_DEPTH = 4
"""The depth up to which the fewest errors are searched for."""
MOST_WORK = 20_000_000
"""Units of work of that search, which take some seconds. Its lower bound at their end is used."""
GRAPH_BYTES = 1 << 28
"""Memory of the search for the least costs."""
ALL_ROWS = "the tree is grown from all {rows} rows of {name}"

DataOf = Callable[[PrintedFigure], tuple[str, DataSet] | None]
"""Gives the name and the rows of a figure's data set; None if they are not available."""


def bound_claims(figures: Sequence[PrintedFigure], data_of: DataOf, *, error_free: bool = False) -> Iterator[Claim]:
    """Claims on training accuracies, and on the sizes and depths of trees.

    error_free : whether the paper says that its trees make no error on their data: then no tree costs less than the
                 cheapest tree without errors
    """
    cells = by_cell(figures)
    for figure in figures:
        name = figure.measure.name
        if figure.source in (MEAN, ALL) or figure.below:
            continue
        if name == TRAIN_ACCURACY and (named_data := data_of(figure)):
            yield _against_any_function(figure, *named_data)
            depth = cells.get((figure.source, figure.builder, "depth"))
            if depth is not None and depth.numbers().high < MOST_DEPTH + 1:
                yield _against_depth(figure, depth, *named_data)
        elif error_free and name in TREE_COSTS and (named_data := data_of(figure)):
            yield _against_least(figure, *named_data)


def _against_any_function(figure: PrintedFigure, name: str, data: DataSet) -> Claim:
    """A claim on a training accuracy, from the most rows that any function of the attributes gets right."""
    right, question = _most_right(data)
    most = Fraction(right * PER_CENT, data.rows)
    possible = figure.numbers().at_most(most)
    wrong = counted(data.rows - right, "row")
    proof = (
        "a function of the attributes gives rows with the same values the same class, so it is wrong on at least "
        f"{wrong} of {data.rows}, and right on at most {decimal(most, 4)} % of the rows"
    )
    assumes = ALL_ROWS.format(rows=data.rows, name=name)
    return Claim("bounds", [figure], Possibility.of(possible), proof, assumes, question)


def _most_right(data: DataSet) -> tuple[int, str]:
    """The rows on which the best function of the attributes is right, and SQL for their share in percent.

    Of rows with the same values, at most the largest class is right. A missing value counts as a value.
    """
    sizes: Counter[tuple[int, int]] = Counter()  # by the rows of a group and those of its largest class
    if data.rows:
        coded = (np.unique(column, return_inverse=True)[1] for column in data.columns)
        groups = join(np.zeros(data.rows, np.int64), *coded)
        counts = np.zeros((int(groups.max()) + 1, len(data.classes)), np.int64)
        np.add.at(counts, (groups, data.decisions), 1)
        sizes.update(zip(counts.sum(axis=1).tolist(), counts.max(axis=1).tolist(), strict=True))
    kinds = ", ".join(f"({rows}, {largest}, {alike})" for (rows, largest), alike in sorted(sizes.items()))
    question = (
        "select sum(groups * size) as rows_in_all, sum(groups * largest) as rows_right, "
        f"{PER_CENT} * rows_right / rows_in_all as most from (values {kinds}) alike(size, largest, groups)"
    )
    return sum(alike * largest for (_, largest), alike in sizes.items()), question


def _against_depth(figure: PrintedFigure, depth: PrintedFigure, name: str, data: DataSet) -> Claim:
    """A claim on a training accuracy, from the fewest errors of trees of the printed depth.

    If the search for them ends early, the claim uses the bound that it has proven.
    """
    least, edges = depth.numbers().integers
    most_edges = counted(edges, "edge")
    assumes = (
        f"{ALL_ROWS.format(rows=data.rows, name=name)}; its depth is {most_edges} or less; numbers are split at "
        "thresholds; labels have one branch each, or are divided between two branches"
    )
    why = ""
    if data.incomplete or data.unlabelled:
        why = "some rows lack a value or a class; builders treat these differently, so no bound holds for all builders"
    wide = [
        about.name
        for about, column in zip(data.attributes, data.columns, strict=True)
        if about.kind is AttributeKind.NOMINAL and len(np.unique(column)) > MOST_CODES
    ]
    if wide:
        why = f"attribute {wide[0]!r} has more than {MOST_CODES} labels, too many to try all sets of these labels"
    if least > edges:
        why = f"the depth {depth.text} is a mean over several trees, some of which are deeper than {most_edges}"
    if why:
        return Claim("bounds", [figure, depth], Possibility.UNDECIDED, why, assumes)
    instance = Instance(data, np.ones(data.rows, np.int64), max_depth=edges)
    best = solve(instance, Effort(work=MOST_WORK), subsets=True)
    fewest = math.ceil(best.bound * instance.baseline - 1e-6)
    most = Fraction((data.rows - fewest) * PER_CENT, data.rows)
    possible = figure.numbers().at_most(most)
    proof = (
        f"each tree of depth {edges} is wrong on at least {counted(fewest, 'row')}, so it is right on at most "
        f"{decimal(most, 4)} % of the rows; the best tree found is wrong on {best.errors:g}"
    )
    reached = figure.numbers().at_most(Fraction((data.rows - round(best.errors)) * PER_CENT, data.rows))
    verdict = Possibility.UNDECIDED if possible and not reached else Possibility.of(possible)
    tree = export_text(best.tree, Labels.of(data.attributes, data.classes)) if best.tree is not None else ""
    return Claim("bounds", [figure, depth], verdict, proof, assumes, tree=tree)


def _against_least(figure: PrintedFigure, name: str, data: DataSet) -> Claim:
    """A claim on a cost, from the least cost of error-free trees with a branch for each value of an attribute."""
    assumes = (
        f"{ALL_ROWS.format(rows=data.rows, name=name)}, has a branch for each value of an attribute, and makes no "
        "error; a missing value counts as a value"
    )

    def claim(verdict: Possibility, proof: str, question: str = "", tree: str = "") -> Claim:
        return Claim("bounds", [figure], verdict, proof, assumes, question, tree=tree)

    if any(attribute.kind is AttributeKind.NUMERIC for attribute in data.attributes):
        return claim(
            Possibility.UNDECIDED,
            "the data set has numeric attributes; no minimum is computed for these",
        )
    right, question = _most_right(data)
    if right < data.rows:
        errs = "rows with the same values differ in class, so every tree errs"
        return claim(Possibility.IMPOSSIBLE, errs, question)
    table = decision_table(data, missing="value", distinct_attributes="keep", row_weights="multiplicity")
    try:
        least = getattr(exact_costs(table, GRAPH_BYTES), figure.measure.name)
    except GraphTooLargeError:
        return claim(Possibility.UNDECIDED, f"the search for the minimum takes more than {GRAPH_BYTES >> 20} MiB")
    possible = figure.numbers().at_least(Fraction(round(least * data.rows), data.rows))
    cost = figure.measure.name.replace("_", " ")
    proof = f"the minimum of {cost} over such trees is {least:.10g}, by an exact search"
    return claim(Possibility.of(possible), proof, tree=_least_tree(table, figure.measure.name))


def _least_tree(table: DecisionTable, cost: str) -> str:
    """A tree of the least cost, as text; empty if its search takes too much memory."""
    try:
        tree = SubtableGraph.of(table, GRAPH_BYTES).optimal_tree(COST_FUNCTIONS[cost])
    except GraphTooLargeError:
        return ""
    return export_text(tree, table.labels)
