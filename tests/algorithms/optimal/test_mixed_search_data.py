"""The search over mixed attributes on real data: optima that others published or find, and what a limit leaves."""

from __future__ import annotations

import warnings
from functools import partial

import numpy as np
import pytest

from algorithms.data.data_set import DataSet
from algorithms.optimal.cart_start import cart_within
from algorithms.optimal.instance import Instance, fewest_rows
from algorithms.optimal.mixed.solve_ranks import solve_mixed
from algorithms.optimal.plan import Leaf, tree_of_plan
from algorithms.optimal.solution import Effort, Progress, Status
from tests.algorithms.timed import timed
from tests.oracles.beside import SHARED, absent
from tests.oracles.uci_files import nominal_data_set, rows_of_file


def data_of(file: str, *, numeric: bool) -> DataSet:
    if not (SHARED / "data" / file).exists():
        absent(f"{file} is not beside the checkout")
    names, rows = rows_of_file(SHARED, file)
    return nominal_data_set(names, rows, numeric=names if numeric else ())


def instance_of(file: str, *, numeric: bool = True, **options: float) -> Instance:
    data = data_of(file, numeric=numeric)
    return Instance(data, np.ones(data.rows), **options)  # type: ignore[arg-type]


BRANCHES = [
    ("monks-1/monks-1.train", 0.01, 0.9, 10),
    ("monks-2/monks-2.train", 0.001, 0.955, 45),
    ("monks-3/monks-3.train", 0.001, 0.987, 13),
    ("tic-tac-toe/tic-tac-toe.data", 0.005, 0.7730375782881003, 17),
    ("car/car.data", 0.005, 0.8125231481481481, 14),
    ("nursery/nursery.data", 0.01, 0.8221296296296297, 7),
    ("mushroom/agaricus-lepiota.data", 0.01, 0.9752289512555391, 1),
    ("zoo/zoo.data", 0.001, 0.993, 7),
    ("lymphography/lymphography.data", 0.01, 0.8527027027027027, 10),
    ("balance-scale/balance-scale.data", 0.005, 0.7132, 10),
]
"""Data, lambda, the most that accuracy - lambda x splits can be, splits: the runs of Branches (arXiv 2406.02175) with a
branch for each value of an attribute, from results/experiments.csv of its repository."""


@pytest.mark.parametrize(("file", "price", "objective", "splits"), BRANCHES, ids=lambda value: str(value).split("/")[0])
def test_multiway_optima_published_for_branches(file: str, price: float, objective: float, splits: int) -> None:
    data = data_of(file, numeric=False)
    baseline = Instance(data, np.ones(data.rows)).baseline
    solution = solve_mixed(Instance(data, np.ones(data.rows), alpha=price * data.rows / baseline), Effort())
    assert solution.status is Status.OPTIMAL
    assert solution.splits == splits
    assert 1 - solution.errors / data.rows - price * solution.splits == pytest.approx(objective, abs=1e-9)


CONTREE = [
    ("iris/iris.data", 2, 6),
    ("iris/iris.data", 3, 1),
    ("wine/wine.data", 2, 6),
    ("wine/wine.data", 3, 0),
    ("seeds/seeds_dataset.txt", 2, 11),
    ("seeds/seeds_dataset.txt", 3, 3),
    ("banknote/data_banknote_authentication.txt", 2, 100),
    ("banknote/data_banknote_authentication.txt", 3, 23),
    ("banknote/data_banknote_authentication.txt", 4, 0),
    ("wdbc/wdbc.data", 2, 22),
    ("ionosphere/ionosphere.data", 2, 29),
]


@pytest.mark.parametrize(("file", "depth", "errors"), CONTREE)
def test_optima_that_contree_finds(file: str, depth: int, errors: int) -> None:
    solution = solve_mixed(instance_of(file, max_depth=depth), Effort())
    assert (solution.status, solution.errors) == (Status.OPTIMAL, errors)


@pytest.mark.parametrize("file", ["vertebral-column/column_3C.dat", "glass/glass.data", "haberman/haberman.data"])
def test_contree_itself_finds_no_better_tree(file: str) -> None:
    contree = pytest.importorskip("pycontree", reason="pycontree is not installed")
    instance = instance_of(file, max_depth=3)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        peer = contree.ConTree(max_depth=3).fit(instance.data.values(), instance.data.decisions)
    wrong = int((peer.predict(instance.data.values()) != instance.data.decisions).sum())
    assert solve_mixed(instance, Effort()).errors == wrong


def test_a_second_is_kept_and_the_tree_is_no_worse_than_carts() -> None:
    instance = instance_of("wdbc/wdbc.data", max_depth=4, min_samples_leaf=5)
    solve_mixed(instance_of("iris/iris.data", max_depth=2), Effort())  # which compiles
    for seconds in (0.5, 2, 8):  # more than the first where others use the machine
        seen: list[Progress] = []
        search = partial(solve_mixed, instance, Effort(seconds=seconds), on_progress=seen.append)
        solution, taken = timed(search)
        if len(seen) > 3:
            break
    assert taken < seconds + 4.5
    assert solution.status is Status.TIME_LIMIT
    assert 0 <= solution.bound < solution.objective
    cart = cart_within(instance, tree_of_plan(Leaf(), instance.data, instance.weights))
    wrong = (cart.predict(instance.data.values()) != instance.data.decisions).sum()
    assert solution.errors <= wrong
    assert len(seen) > 3
    assert [point.objective for point in seen] == sorted((point.objective for point in seen), reverse=True)


@pytest.mark.parametrize("work", [1, 20_000_000, 200_000_000])
def test_wide_data_whatever_the_effort_get_a_tree_no_worse_than_carts(work: int) -> None:
    instance = instance_of("spambase/spambase.data", max_depth=4)
    solution = solve_mixed(instance, Effort(work=work))
    assert solution.status is Status.WORK_LIMIT
    cart = cart_within(instance, tree_of_plan(Leaf(), instance.data, instance.weights))
    wrong = (cart.predict(instance.data.values()) != instance.data.decisions).sum()
    assert solution.errors == (solution.tree.predict(instance.data.values()) != instance.data.decisions).sum() <= wrong


def test_a_limit_of_work_gives_the_same_tree_each_time() -> None:
    instance = instance_of("wdbc/wdbc.data", max_depth=3)
    first, second = (solve_mixed(instance, Effort(work=5_000_000)) for _ in range(2))
    assert first.status is second.status is Status.WORK_LIMIT
    assert first.work == second.work >= 5_000_000
    assert first.tree.attribute.tolist() == second.tree.attribute.tolist()
    assert first.tree.edge_bound.tolist() == second.tree.edge_bound.tolist()


@pytest.mark.parametrize(
    ("file", "errors", "work"),
    [
        ("wine/wine.data", 1, 20_000_000),
        ("seeds/seeds_dataset.txt", 6, 20_000_000),
        ("banknote/data_banknote_authentication.txt", 33, 70_000_000),
    ],
)
def test_leaves_of_a_twentieth_of_the_rows_are_proven_within_their_work(file: str, errors: int, work: int) -> None:
    rows = instance_of(file).data.rows
    instance = instance_of(file, max_depth=3, min_samples_leaf=fewest_rows(0.05, rows))
    solution = solve_mixed(instance, Effort(work=work))
    assert (solution.status, solution.errors) == (Status.OPTIMAL, errors)


@pytest.mark.parametrize(
    ("file", "depth", "errors", "work"),
    [
        ("haberman/haberman.data", 4, 48, 15_000_000),
        ("blood-transfusion/transfusion.data", 4, 129, 60_000_000),
    ],
)
def test_many_cuts_at_once_take_less_work(file: str, depth: int, errors: int, work: int) -> None:
    solution = solve_mixed(instance_of(file, max_depth=depth), Effort(work=work))
    assert (solution.status, solution.errors) == (Status.OPTIMAL, errors)


def test_a_long_search_that_is_stopped_has_a_bound_above_the_errors_forced() -> None:
    rows = instance_of("ecoli/ecoli.data").data.rows
    instance = instance_of("ecoli/ecoli.data", max_depth=4, min_samples_leaf=fewest_rows(0.05, rows))
    solution = solve_mixed(instance, Effort(work=100_000_000))
    assert solution.status is Status.WORK_LIMIT
    assert solution.forced == 0
    assert 8 < solution.bound * instance.baseline < 44


def test_little_memory_makes_no_difference_but_to_the_time() -> None:
    instance = instance_of("seeds/seeds_dataset.txt", max_depth=4)
    solution = solve_mixed(instance, Effort(memory=1000))
    assert (solution.status, solution.errors) == (Status.OPTIMAL, 0)


def test_ctrl_c_leaves_the_best_tree_so_far() -> None:
    def interrupt(_: Progress) -> None:
        raise KeyboardInterrupt

    solution = solve_mixed(instance_of("wdbc/wdbc.data", max_depth=4), Effort(), on_progress=interrupt)
    assert solution.status is Status.INTERRUPTED
    assert solution.errors < 40
