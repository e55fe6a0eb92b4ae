"""Exact minima: the least over all trees, counted one by one, and the figures of independent programs."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given

from algorithms.data.table import DecisionTable
from algorithms.exact.graph import GraphTooLargeError, SubtableGraph, exact_costs
from algorithms.trees.costs import COST_FUNCTIONS, COUNTED_COSTS, NODES, TOTAL_PATH_LENGTH, CostFunction
from algorithms.trees.decision_tree import cost_of_tree
from tests.algorithms.data_sets import uci_table
from tests.algorithms.strategies import GivenTable, random_given_table, tables
from tests.algorithms.trees import as_oracle
from tests.oracles import brute_force as bf
from tests.oracles.tree_for_table import check_tree_for_table

MOST_TREES = 1500

OWN_COSTS = [
    CostFunction("weighted", 1, lambda n, parts: 0.5 * n + 3 + sum(parts)),
    CostFunction("squares", 1, lambda n, parts: n + sum(part * part for part in parts)),
    CostFunction("worst_two", 0, lambda n, parts: 1 + sum(sorted(parts)[-2:])),
    CostFunction("product", 2, lambda n, parts: n * np.prod(parts).item() ** 0.5),
    CostFunction("branches", 0, lambda n, parts: len(parts) ** 2 + max(parts), per_row=True),
]


def five(table: DecisionTable) -> tuple[float, ...]:
    costs = exact_costs(table)
    return tuple(costs[name] for name in COUNTED_COSTS)


@given(tables())
def test_minima_are_the_least_over_all_trees(given_table: GivenTable) -> None:
    oracle = given_table.oracle
    assume(bf.count_trees(oracle, MOST_TREES) <= MOST_TREES)
    result = five(given_table.table)
    assert result == bf.least_costs(oracle) == bf.least_by_recursion(oracle)
    assert exact_costs(given_table.table).average_depth == pytest.approx(result[1] / bf.size(oracle))


@pytest.mark.parametrize("cost", OWN_COSTS, ids=lambda c: c.name)
@given(given_table=tables(max_rows=7, max_attributes=4))
def test_any_monotone_cost_function_is_minimised(cost: CostFunction, given_table: GivenTable) -> None:
    table, oracle = given_table.table, given_table.oracle
    assume(bf.count_trees(oracle, 300) <= 300)
    least = bf.least_inductive_cost(oracle, cost.psi_zero, cost.combine) / (table.size if cost.per_row else 1)
    graph = SubtableGraph.of(table)
    assert graph.minimum(cost) == pytest.approx(least, rel=1e-12)
    tree = graph.optimal_tree(cost)
    check_tree_for_table(tree, table)
    assert cost_of_tree(tree, table, cost) == pytest.approx(least, rel=1e-12)


@given(tables())
def test_optimal_trees_are_for_the_table_and_cost_the_minimum(given_table: GivenTable) -> None:
    table = given_table.table
    graph = SubtableGraph.of(table)
    least = graph.costs()
    for name, cost in COST_FUNCTIONS.items():
        tree = graph.optimal_tree(cost)
        check_tree_for_table(tree, table)
        assert graph.minimum(cost) == pytest.approx(least[name])
        assert tree.costs(table)[name] == pytest.approx(least[name])
        assert cost_of_tree(tree, table, cost) == pytest.approx(least[name])
        counted = dict(zip(COUNTED_COSTS, bf.costs(given_table.oracle, as_oracle(tree)), strict=True))
        assert counted.get(name, counted["total_path_length"] / table.size) == pytest.approx(least[name])


def test_optimal_trees_take_the_first_attribute_and_the_most_common_decisions() -> None:
    table = DecisionTable.from_codes([[0, 0], [1, 1], [2, 2]], [0, 1, 1])
    tree = SubtableGraph.of(table).optimal_tree(NODES)
    assert as_oracle(tree) == (0, {0: 0, 1: 1, 2: 1})
    assert tree.decision.tolist() == [1, 0, 1, 1]


@given(tables())
def test_the_graph_is_that_of_the_paper(given_table: GivenTable) -> None:
    table, oracle = given_table.table, given_table.oracle
    expected = bf.graph(oracle)
    graph = SubtableGraph.of(table)
    assert graph.nodes == len(expected)
    assert graph.edges == sum(len(bundle) for bundles in expected.values() for bundle in bundles.values())
    assert set(expected) <= bf.separable_subtables(oracle)
    # the same shape: of every subtable its size, its common decision, its attributes and the sizes its edges lead to
    collected = Counter()
    for node in range(graph.nodes):
        splits = range(graph.splits[node], graph.splits[node + 1])
        bundles = []
        for split in splits:
            edges = slice(graph.split_edges[split], graph.split_edges[split + 1])
            assert (graph.edge_to[edges] < node).all()
            codes, sizes = graph.codes_of(split).tolist(), graph.size[graph.edge_to[edges]].tolist()
            bundles.append((int(graph.split_attribute[split]), tuple(zip(codes, sizes, strict=True))))
        collected[int(graph.size[node]), int(graph.decision[node]), tuple(bundles)] += 1
    assert collected == Counter(
        (
            bf.size(subtable),
            -1 if bundles else subtable[0][1],
            tuple((i, tuple((code, bf.size(part)) for code, part in bundle.items())) for i, bundle in bundles.items()),
        )
        for subtable, bundles in expected.items()
    )


@pytest.mark.parametrize(("codes", "decisions"), [([[4, 0, 2]], [3]), ([[0], [1], [2]], [1, 1, 1]), ([[], []], [1, 0])])
def test_one_row_or_one_decision_is_a_leaf(codes: list, decisions: list) -> None:
    table = DecisionTable.from_codes(codes, decisions)
    graph = SubtableGraph.of(table)
    assert (graph.nodes, graph.edges) == (1, 0)
    assert five(table) == (0, 0, 1, 0, 1)
    tree = graph.optimal_tree(TOTAL_PATH_LENGTH)
    assert (tree.nodes, tree.decision[0]) == (1, table.decisions[0])


@given(tables())
def test_a_graph_is_built_within_its_limit_or_refused(given_table: GivenTable) -> None:
    table = given_table.table
    graph = SubtableGraph.of(table)
    arrays = [value for value in vars(graph).values() if isinstance(value, np.ndarray)]
    kept = sum(array.nbytes for array in arrays)
    with pytest.raises(GraphTooLargeError, match=rf"\({table.rows} rows, {table.attributes} attributes\) outgrew"):
        SubtableGraph.of(table, kept)  # nothing is left for the search
    with pytest.raises(GraphTooLargeError):
        exact_costs(table, 0)


@pytest.mark.parametrize("combine", [lambda n, parts: n - sum(parts), lambda _, parts: -1.0 * max(parts)])
def test_a_cost_that_falls_where_its_parts_rise_is_refused(combine: Callable[[int, Sequence[float]], float]) -> None:
    """Its minimum would be that of no tree."""
    graph = SubtableGraph.of(DecisionTable.from_codes([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 2, 2]))
    cost = CostFunction("mine", 1, combine)
    for minimise in (graph.minimum, graph.optimal_tree):
        with pytest.raises(
            ValueError, match=r"cost 'mine' for a table of size \d falls from .* when the costs of the subtrees"
        ):
            minimise(cost)


@pytest.mark.parametrize("wrong", [np.nan, None, "much", 1j])
def test_a_cost_that_is_no_number_is_named(wrong: Any) -> None:
    table = DecisionTable.from_labels({"f": ["a", "a", "b"], "g": ["x", "y", "x"]}, ["yes", "no", "no"])
    cost = CostFunction("mine", 1, lambda n, _: wrong if n == 2 else 1.0)
    for minimise in (SubtableGraph.of(table).minimum, SubtableGraph.of(table).optimal_tree):
        with pytest.raises(ValueError, match=r"cost 'mine' is .* for a table of size 2: expected a number other"):
            minimise(cost)


def test_minima_take_no_memory_for_terminal_subtables() -> None:
    generator = np.random.default_rng(0)
    table = DecisionTable.from_codes(generator.integers(0, 4, (400, 7)), (generator.random(400) < 0.1).astype(int))
    graph = SubtableGraph.of(table)
    assert (graph.decision >= 0).mean() > 0.6
    nodes_alone = sum(array.nbytes for array in (graph.size, graph.decision, graph.minima, graph.splits))
    assert exact_costs(table, nodes_alone) == graph.costs()


def test_too_large_a_graph_is_named_with_its_table_and_what_it_reached() -> None:
    table = random_given_table(np.random.default_rng(0), 60, 12, 2, 2).table
    with pytest.raises(GraphTooLargeError) as error:
        SubtableGraph.of(table, 300_000)
    match = re.fullmatch(
        r"the graph of the separable subtables of a table \(60 rows, 12 attributes\) outgrew its limit of "
        r"300,000 bytes: its ([\d,]+) nodes and ([\d,]+) edges so far take ([\d,]+) bytes\. "
        r"Raise the limit, or give fewer attributes or rows\.",
        str(error.value),
    )
    assert match is not None
    nodes, edges, held = (int(number.replace(",", "")) for number in match.groups())
    graph = SubtableGraph.of(table)
    assert 500 < nodes < graph.nodes
    assert nodes < edges < graph.edges
    assert 200_000 < held <= 300_000


@pytest.mark.skipif(sys.platform != "linux", reason="the memory of a process is read from Linux's /proc")
@pytest.mark.parametrize(("edges", "limit"), [(True, 64 * 2**20), (False, 52 * 2**20)])
def test_the_limit_is_what_the_process_really_takes(edges: bool, limit: int) -> None:
    """A graph that outgrows its limit: the process takes nearly that, and at most 2 MiB more.

    The limits are such that the last array that does not fit is small: where the slots double, half of it may be left.
    Freed memory is returned at once, as Dask has its workers do: by default, glibc would keep blocks of up to 32 MiB.
    """
    program = f"""
import re
from pathlib import Path
import numpy as np
from algorithms.exact.graph import GraphTooLargeError, SubtableGraph, exact_costs
from algorithms.data.table import DecisionTable
generator = np.random.default_rng(0)
build = {"SubtableGraph.of" if edges else "exact_costs"}
build(DecisionTable.from_codes(generator.integers(0, 2, (60, 20)), generator.integers(0, 2, 60)))
table = DecisionTable.from_codes(generator.integers(0, 2, (400, 24)), generator.integers(0, 2, 400))
def kilobytes(what):
    return int(re.search(what + r":\\s+(\\d+) kB", Path("/proc/self/status").read_text()).group(1))
before = kilobytes("VmRSS")
try:
    build(table, {limit})
except GraphTooLargeError:
    print(kilobytes("VmHWM") - before)
"""
    answer = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"MALLOC_TRIM_THRESHOLD_": "65536"},
    ).stdout
    assert 0.9 * limit < 2**10 * int(answer) < limit + 2**21


@pytest.mark.parametrize(
    ("rows", "attributes", "largest"),
    [(50, 6, 2), (64, 5, 3), (120, 4, 4), (60, 90, 1), (60, 200, 2), (50, 6, 3_000), (300, 5, 2)],
)
def test_minima_of_larger_tables_are_those_of_plain_recursion(rows: int, attributes: int, largest: int) -> None:
    """Also of tables whose codes fill two words and more, because they have many attributes or large codes."""
    generator = np.random.default_rng([rows, attributes, largest])
    splitting = np.linspace(0, attributes - 1, min(attributes, 6)).astype(int)  # the others are constant
    for _ in range(3):
        codes = np.zeros((rows, attributes), int)
        codes[:, splitting] = generator.integers(0, min(largest, 2) + 1, (rows, len(splitting))) * (largest // 2 or 1)
        codes = codes.clip(0, largest)
        decisions = generator.integers(0, 3, rows)
        # the oracle tests only the attributes that split: 200 constant ones would cost it its time
        expected = bf.least_by_recursion(bf.table_of(codes[:, splitting].tolist(), decisions.tolist()))
        assert five(DecisionTable.from_codes(codes, decisions)) == expected


def slow_graph(table: DecisionTable) -> tuple[int, int]:
    """Nodes and edges of the graph, its subtables identified by their rows."""
    columns, decisions = table.codes.T.tolist(), table.decisions.tolist()
    seen: set[frozenset[int]] = set()
    waiting, edges = [frozenset(range(table.rows))], 0
    while waiting:
        rows = waiting.pop()
        if rows in seen:
            continue
        seen.add(rows)
        if len({decisions[row] for row in rows}) > 1:
            for column in columns:
                parts: dict[int, set[int]] = {}
                for row in rows:
                    parts.setdefault(column[row], set()).add(row)
                if len(parts) > 1:
                    edges += len(parts)
                    waiting += [frozenset(part) for part in parts.values()]
    return len(seen), edges


@pytest.mark.parametrize(
    ("rows", "splitting", "constant", "largest", "step"),
    [
        (40, 5, 0, 2, 1),  # one machine word
        (40, 5, 0, 2, 50_000),  # codes with gaps
        (12, 12, 30, 8, 1),  # several machine words
        (10, 40, 0, 1, 1),
        (14, 7, 2, 9, 1),  # two machine words
        (120, 3, 0, 99, 1),  # attributes of many codes, of which small subtables have few
        (120, 3, 0, 299, 3000),
        (1, 3, 0, 3, 1),
        (9, 0, 0, 0, 1),
    ],
)
def test_graphs_of_tables_of_any_shape_are_those_of_sets_of_rows(
    rows: int, splitting: int, constant: int, largest: int, step: int
) -> None:
    generator = np.random.default_rng([rows, splitting, largest, step])
    for _ in range(3 if rows > 30 else 8):
        codes = np.hstack([step * generator.integers(0, largest + 1, (rows, splitting)), np.full((rows, constant), 7)])
        different = DecisionTable.from_codes(codes, generator.integers(0, 3, rows))
        expected = slow_graph(different)
        for heaviest in (1, 5, 2**40):
            weights = generator.integers(1, heaviest, 2 * different.rows, endpoint=True)
            twice = np.tile(different.codes, (2, 1)), np.tile(different.decisions, 2)
            table = DecisionTable.from_codes(*twice, weights=weights)
            graph = SubtableGraph.of(table)
            least = graph.costs()
            assert (graph.nodes, graph.edges) == expected
            assert graph.size[-1] == table.size
            assert exact_costs(table) == least
            assert graph.optimal_tree(TOTAL_PATH_LENGTH).costs(table).total_path_length == least.total_path_length


FIGURES = {
    # rows, attributes, nodes and edges of the graph, depth, total path length, nodes, terminal nodes, nonterminal nodes
    "balloons/adult+stretch.data": (16, 4, 72, 108, 2, 24, 5, 3, 2),
    "lenses/lenses.data": (24, 4, 105, 204, 4, 53, 15, 9, 6),
    "hayes-roth/hayes-roth.data": (69, 4, 236, 572, 4, 181, 52, 36, 16),
    "balance-scale/balance-scale.data": (625, 4, 1212, 3420, 4, 2220, 501, 401, 100),
    "car/car.data": (1728, 6, 7007, 19886, 6, 5093, 396, 290, 104),
    "zoo/zoo.data": (59, 16, 4568, 83043, 4, 135, 17, 10, 7),
    "tic-tac-toe/tic-tac-toe.data": (958, 9, 42532, 294771, 6, 4171, 244, 155, 88),
}


@pytest.mark.parametrize("file", FIGURES)
def test_figures_of_data_sets_are_those_of_an_independent_program(file: str, shared: Path) -> None:
    table = uci_table(shared, file)
    graph = SubtableGraph.of(table)
    least = graph.costs()
    result = (table.rows, table.attributes, graph.nodes, graph.edges, least.depth, least.total_path_length)
    assert (*result, least.nodes, least.terminal_nodes, least.nonterminal_nodes) == FIGURES[file]


@pytest.mark.parametrize(
    ("rows", "attributes", "values", "decisions"),
    [(50, 10, 3, 3), (64, 12, 2, 2), (100, 7, 3, 4), (200, 5, 5, 2), (7, 3, 2, 3)],
)
def test_minima_are_those_of_the_peer(exact_dp: Path, rows: int, attributes: int, values: int, decisions: int) -> None:
    generator = np.random.default_rng([7, rows, attributes])
    for _ in range(2):
        table = random_given_table(generator, rows, attributes, values, decisions).table
        graph = SubtableGraph.of(table)
        words = f"{table.rows} {table.attributes}\n" + "\n".join(
            " ".join(map(str, [*row, decision])) for row, decision in zip(table.codes, table.decisions, strict=True)
        )
        answer = subprocess.run([exact_dp], input=words, capture_output=True, text=True, check=True).stdout
        theirs = {name: int(value) for name, value in re.findall(r"(\w+)=(\d+)(?= )", answer)}
        least = graph.costs()
        assert (least.depth, least.total_path_length, least.nodes) == (theirs["depth"], theirs["tpl"], theirs["nodes"])
        assert (least.nonterminal_nodes, least.terminal_nodes) == (theirs["nonterminal"], theirs["terminal"])
        assert (graph.nodes, graph.edges) == (theirs["subtables"], theirs["edges"])
