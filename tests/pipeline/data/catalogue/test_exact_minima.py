"""Exact minima of every categorical set of the catalogue whose graph fits in 64 MiB, against a C++ program."""

from __future__ import annotations

import re
import subprocess
from math import inf
from pathlib import Path

import pytest

from algorithms.data.data_set import AttributeKind, DataSet, DataSetError
from algorithms.data.table import DecisionTable
from algorithms.data.tables_from_data import decision_table
from algorithms.exact.graph import GraphTooLargeError, SubtableGraph
from pipeline.data.catalogue.catalogue import catalogue

MANY_ROWS, MANY_ATTRIBUTES = 100, 22
"""A graph of more rows and more attributes would fill its 64 MiB in vain."""
MANY_EDGES = 2_000_000
"""With more, the peer takes seconds, and the set is compared in a long run."""
NAMES = ("depth", "tpl", "nodes", "terminal", "nonterminal", "subtables", "edges")


def ours(table: DecisionTable) -> list[int] | None:
    """The five minima, nodes and edges of the graph; None where it does not fit."""
    if table.rows > MANY_ROWS and table.attributes > MANY_ATTRIBUTES:
        return None
    try:
        graph = SubtableGraph.of(table, 2**26)
    except GraphTooLargeError:
        return None
    least = graph.costs()
    minima = [least.depth, least.total_path_length, least.nodes, least.terminal_nodes, least.nonterminal_nodes]
    return [*minima, graph.nodes, graph.edges]


def theirs(program: Path, table: DecisionTable) -> list[int]:
    rows = [
        " ".join(map(str, [*codes, decision])) for codes, decision in zip(table.codes, table.decisions, strict=True)
    ]
    given = "\n".join([f"{table.rows} {table.attributes}", *rows])
    answer = subprocess.run([program], input=given, capture_output=True, text=True, check=True).stdout
    listed = dict(re.findall(r"(\w+)=(\d+)(?= )", answer))
    return [int(listed[name]) for name in NAMES]


def categorical_table(data: DataSet) -> DecisionTable | None:
    if any(attribute.kind is AttributeKind.NUMERIC for attribute in data.attributes):
        return None
    try:
        return decision_table(data)
    except DataSetError:  # an attribute without a known value
        return None


@pytest.mark.parametrize(("most_edges", "sets"), [(MANY_EDGES, 39), pytest.param(inf, 42, marks=pytest.mark.long)])
def test_every_categorical_set_that_fits_has_the_minima_of_the_peer(
    exact_dp: Path, shared: Path, most_edges: float, sets: int
) -> None:
    known = catalogue(shared / "data")
    compared = 0
    for name in known.names():
        for part, data in known.load(name).parts.items():
            table = categorical_table(data)
            if table is not None and (result := ours(table)) is not None and result[-1] <= most_edges:
                assert result == theirs(exact_dp, table), (name, part)
                compared += 1
    assert compared == sets
