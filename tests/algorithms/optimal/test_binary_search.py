"""The search over attributes of two values: against published optima, and within its limits."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from algorithms.data.data_set import Attribute, AttributeKind, DataSet, Matrix
from algorithms.optimal.binary.row_bits import RowBits
from algorithms.optimal.exact_search import solve
from algorithms.optimal.instance import Instance
from algorithms.optimal.search import OCTClassifier
from algorithms.optimal.solution import Effort, Progress, Status
from algorithms.trees.arrays import NodeKind
from tests.oracles.binary_benchmarks import benchmark_rows

OPTIMA = {  # errors at depth 2, 3 and 4, on which all solvers that ended agree (../shared/notes has who they are)
    "tic-tac-toe": (282, 216, 137),
    "vote": (17, 12, 5),
    "heart-cleveland": (60, 41, 25),
    "anneal": (137, 112, 91),
    "german-credit": (267, 236, 204),
    "kr-vs-kp": (418, 198, 144),
    "hypothyroid": (70, 61, 53),
    "mushroom": (252, 8, 0),
}


def instance_of(bits: np.ndarray, decisions: np.ndarray, **options: object) -> Instance:
    """An instance of bits (rows, attributes), each row weighing 1."""
    attributes = tuple(Attribute(f"f{i}", AttributeKind.NOMINAL, ("0", "1")) for i in range(bits.shape[1]))
    columns = tuple(np.ascontiguousarray(column, np.int32) for column in bits.T)
    classes = tuple(str(label) for label in range(int(decisions.max()) + 1))
    data = DataSet(attributes, columns, classes, decisions.astype(np.int32))
    return Instance(data, np.ones(len(decisions)), **options)  # type: ignore[arg-type]


def noisy(rows: int, attributes: int, classes: int = 2, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Bits, and classes that have little to do with them: hard to search."""
    generator = np.random.default_rng(seed)
    return generator.integers(0, 2, (rows, attributes)), generator.integers(0, classes, rows)


@pytest.mark.parametrize("name", OPTIMA)
def test_published_optima(name: str) -> None:
    decisions, bits = benchmark_rows(name)
    errors = [solve(instance_of(bits, decisions, max_depth=depth)).errors for depth in (2, 3, 4)]
    assert tuple(errors) == OPTIMA[name]


@pytest.mark.parametrize("classes", [2, 3])
def test_counts_of_every_width_find_the_same_tree(classes: int) -> None:
    bits, decisions = noisy(300, 12, classes)
    narrow = instance_of(bits, decisions, max_depth=4)
    halves = Instance(narrow.data, np.where(np.arange(300) % 2, 1.0, 1.0 + 1e-15), max_depth=4)  # floats, two segments
    wide = instance_of(np.repeat(bits, 60, axis=0), np.repeat(decisions, 60), max_depth=4)  # too many for 16 bits
    errors = [solve(each).errors for each in (narrow, halves, wide)]
    assert errors == pytest.approx([errors[0], errors[0], 60 * errors[0]])


def test_more_attributes_than_lanes_of_a_tile() -> None:
    bits, decisions = noisy(200, 70)
    decisions = (bits[:, 0] & bits[:, 33] | bits[:, 69] & ~bits[:, 0] & 1) ^ (np.arange(200) % 25 == 0)
    solution = solve(instance_of(bits, decisions, max_depth=2))
    assert solution.errors == 8
    assert set(solution.tree.attribute.tolist()) == {0, 33, 69, -1}


def test_attributes_that_part_the_rows_alike_are_one() -> None:
    bits, decisions = noisy(60, 5)
    rows = RowBits.of(instance_of(np.hstack([bits, 1 - bits, bits[:, :2], np.ones((60, 1), int)]), decisions))
    assert rows is not None
    assert rows.attributes.tolist() == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("weighted", [False, True])
def test_bits_of_a_matrix_are_those_of_columns(weighted: bool) -> None:
    bits, decisions = noisy(150, 70, classes=3)
    bits[75:] = bits[:75]
    weights = np.random.default_rng(1).integers(1, 4, 150) / 2 if weighted else np.full(150, 0.5)
    columns = instance_of(bits, decisions).data
    numbers = tuple(Attribute(f"f{i}", AttributeKind.NUMERIC) for i in range(70))
    expected = RowBits.of(Instance(columns, weights))
    assert expected is not None
    assert expected.unit == (1 if weighted else 0.5)
    for cells in (bits.astype(np.int32), np.asfortranarray(bits, np.float64)):
        matrix = DataSet(numbers, Matrix(cells, AttributeKind.NUMERIC), columns.classes, columns.decisions)
        rows = RowBits.of(Instance(matrix, weights))
        assert rows is not None
        for name in ("attributes", "values", "columns", "start", "decision", "class_of", "weight", "forced"):
            np.testing.assert_array_equal(getattr(rows, name), getattr(expected, name), name)
    three = DataSet(numbers[:1], (np.arange(3.0),), ("no", "yes"), np.array([0, 1, 1], np.int32))
    assert RowBits.of(Instance(three, np.ones(3))) is None
    assert RowBits.of(instance_of(bits[:3, :0], decisions[:3])) is not None


def test_a_slice_more_or_less_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    bits, decisions = noisy(150, 25)
    whole = solve(instance_of(bits, decisions, max_depth=4))
    monkeypatch.setattr("algorithms.optimal.binary.bit_search.FIRST_SLICE", 1)
    monkeypatch.setattr("algorithms.optimal.driver.SLICE_SECONDS", 1e-9)
    monkeypatch.setattr("algorithms.optimal.driver.SMALLEST_SLICE", 1)
    monkeypatch.setattr("algorithms.optimal.binary.bit_search.SMALLEST_MEMO", 16)
    sliced = solve(instance_of(bits, decisions, max_depth=4))
    assert (whole.errors, whole.tree.attribute.tolist()) == (sliced.errors, sliced.tree.attribute.tolist())


def test_a_memo_that_forgets_finds_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    bits, decisions = noisy(150, 25)
    whole = solve(instance_of(bits, decisions, max_depth=4))
    monkeypatch.setattr("algorithms.optimal.binary.bit_search.SMALLEST_MEMO", 16)
    few = 30_000  # bytes: some hundred sets of rows, of some thousand
    small = solve(instance_of(bits, decisions, max_depth=4), Effort(memory=few))
    assert (small.errors, small.optimal) == (whole.errors, True)
    assert small.work > whole.work


def test_an_unproven_tree_is_not_worse_than_carts() -> None:
    from algorithms.induction.cart import CARTClassifier

    bits, decisions = noisy(500, 60)
    solution = solve(instance_of(bits, decisions, max_depth=6), Effort(work=1))
    cart = CARTClassifier(max_depth=6).fit(bits, decisions)
    assert solution.errors <= (cart.predict(bits) != decisions).sum()


def test_the_frontier_of_a_search_cut_short_is_true_of_its_trees() -> None:
    bits, decisions = noisy(500, 60)
    solution = solve(instance_of(bits, decisions, max_depth=6), Effort(work=1), frontier=True)
    assert solution.errors < solution.frontier[-1].errors  # CART's tree, of which the search knows nothing
    for point in solution.frontier:
        assert int((point.tree.kind != NodeKind.TERMINAL).sum()) == point.splits
        assert (point.tree.predict(bits) != decisions).sum() == point.errors


@pytest.mark.parametrize("frontier", [False, True])
def test_a_level_that_is_not_searched_to_its_end_proves_nothing(*, frontier: bool) -> None:
    generator = np.random.default_rng(133)
    bits = generator.integers(0, 2, (60, 8))
    decisions = bits[:, :3].all(axis=1).astype(int)
    bits[:, 3:] = np.where(generator.random((60, 5)) < 0.8, decisions[:, None], bits[:, 3:])
    instance = instance_of(bits, decisions, max_depth=4, alpha=0.1)
    best = solve(instance).objective
    for work in range(36, 120, 4):
        solution = solve(instance, Effort(work=work), frontier=frontier)
        assert solution.bound <= best <= solution.objective
        assert all(point.bound == 0 for point in solution.frontier if point.splits == 3)


def test_a_point_of_the_frontier_has_fewer_errors_by_more_than_rounding() -> None:
    for seed in range(40):
        bits, decisions = noisy(18, 4, 3, seed)
        weights = np.random.default_rng(seed).random(18)
        solution = solve(replace(instance_of(bits, decisions, max_depth=2), weights=weights), frontier=True)
        for point in solution.frontier:
            assert int((point.tree.kind != NodeKind.TERMINAL).sum()) == point.splits


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_no_split_is_made_for_a_rounding_error(depth: int) -> None:
    for seed in range(60):
        bits, decisions = noisy(20, 4, 3, seed)
        weights = np.random.default_rng(seed).integers(1, 10, 20) / 10
        tree = solve(replace(instance_of(bits, decisions, max_depth=depth), weights=weights)).tree
        for node in np.flatnonzero(tree.kind != NodeKind.TERMINAL):
            below = tree.children(node)
            assert (tree.kind[below] != NodeKind.TERMINAL).any() or len(set(tree.decision[below])) > 1


def test_errors_of_a_rare_class_count_however_many_rows_are_of_another() -> None:
    rows = 100_000
    pairs = np.array([[0, 0], [0, 1], [1, 0]])[np.random.default_rng(0).integers(0, 3, (2, rows))]
    bits, decisions = np.concatenate([pairs[0], pairs[1]], axis=1), np.zeros(rows, int)
    decisions[:6], bits[:6] = 1, [[1, 1, 0, 0]] * 3 + [[0, 0, 1, 1]] * 3  # either pair tells three of them apart
    weights = np.where(decisions, np.where(bits[:, 0], 1, 1 + 1e-6), 1e3)
    solution = solve(replace(instance_of(bits, decisions, max_depth=2), weights=weights))
    assert solution.errors == pytest.approx(3, rel=1e-8)


def test_progress_closes_in() -> None:
    bits, decisions = noisy(1000, 60)
    seen: list[Progress] = []
    solution = solve(instance_of(bits, decisions, max_depth=4), Effort(work=30_000_000), on_progress=seen.append)
    assert len(seen) > 1
    objectives = [progress.objective for progress in seen]
    assert objectives == sorted(objectives, reverse=True)
    assert all(progress.bound <= solution.objective + 1e-12 for progress in seen)


def test_too_many_attributes_are_reported_with_the_memory_they_would_take() -> None:
    bits, decisions = noisy(40, 3000)
    with pytest.warns(RuntimeWarning, match=r"the counts of all pairs of .* attributes take .* bytes"):
        solution = solve(instance_of(bits, decisions, max_depth=3), Effort(memory=1 << 24))
    assert solution.status is Status.MEMORY_LIMIT or solution.errors == 0
    assert solution.splits > 0


def test_no_limit_of_depth_needs_splits_that_cost_something_or_ends_without_errors() -> None:
    bits, decisions = noisy(60, 8)
    free = solve(instance_of(bits, decisions))
    assert (free.errors, free.optimal) == (free.forced, True)
    dear = solve(instance_of(bits, decisions, alpha=0.05))
    assert dear.optimal
    assert dear.splits < free.splits
    with pytest.raises(ValueError, match="max_depth or max_splits"):
        solve(instance_of(bits, decisions), frontier=True)


def test_the_estimator_reports_its_proof() -> None:
    bits, decisions = noisy(100, 10)
    model = OCTClassifier(max_depth=3, frontier=True, min_samples_leaf=0.1).fit(bits, decisions)
    assert model.solution_.optimal
    assert model.solution_.gap == 0
    assert model.solution_.frontier[0].splits == 0
    assert (model.predict(bits) != decisions).sum() == model.solution_.errors
    assert np.bincount(model.tree_.last_nodes(bits)).max() >= 10
