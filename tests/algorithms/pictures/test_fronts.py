"""Fronts that show themselves: as lines, as SVG and on axes."""

from __future__ import annotations

import pickle
from itertools import pairwise
from xml.etree import ElementTree

import numpy as np
import pytest

from algorithms.evolutionary.front import EVOTreeFrontClassifier
from algorithms.exact.pareto import ParetoFront
from algorithms.induction.cart import CARTClassifier
from algorithms.optimal.search import OCTClassifier
from algorithms.optimal.solution import Frontier
from algorithms.pictures.fronts import DrawnFront, front_svg
from algorithms.pruning.cost_complexity import cost_complexity
from algorithms.trees.costs import AVERAGE_DEPTH, NODES, TOTAL_PATH_LENGTH, CostFunction


def front_of(
    *points: tuple[float, float], costs: tuple[CostFunction, CostFunction] = (NODES, AVERAGE_DEPTH)
) -> ParetoFront:
    return ParetoFront(
        costs, points, [(0, 0)] * len(points), lambda point: pytest.fail(f"the tree of {point} was built")
    )


def drawn(svg: str | None) -> ElementTree.Element:
    assert svg is not None
    return ElementTree.fromstring(svg)


def words(picture: ElementTree.Element) -> list[str]:
    return [result.text or "" for result in picture.findall(".//{*}text")]


def test_a_front_is_a_table_of_its_points() -> None:
    text = repr(front_of((3, 1.75), (1005, 1.5)))
    assert text == "<ParetoFront: 2 points>\nnodes  average depth\n    3           1.75\n1,005            1.5"
    long = repr(front_of(*((index, 100 - index) for index in range(100)))).splitlines()
    assert long[0] == "<ParetoFront: 100 points>"
    assert long[-2].split() == ["…", "…"]
    assert long[-1].split() == ["99", "1"]
    assert len(long) == 10


def test_a_picture_names_its_axes_and_every_point() -> None:
    picture = drawn(front_of((3, 1.75), (5, 1.5), (9, 1.25))._repr_svg_())
    assert {"nodes", "average depth"} <= set(words(picture))
    assert [result.text for result in picture.findall(".//{*}title")] == [
        "nodes 3, average depth 1.75",
        "nodes 5, average depth 1.5",
        "nodes 9, average depth 1.25",
    ]
    marks = [(float(mark.attrib["cx"]), float(mark.attrib["cy"])) for mark in picture.findall(".//{*}circle")]
    assert marks == sorted(marks)
    assert [height for _, height in marks] == sorted(height for _, height in marks)  # downwards
    (line,) = picture.findall(".//{*}path")
    for x, y in marks:
        assert f"{x:.1f}" in line.attrib["d"]
        assert f"V{y:.1f}" in line.attrib["d"]


@pytest.mark.parametrize(
    ("points", "ticks"),
    [
        ([(3, 2)], ["2", "3", "4", "1", "2", "3"]),  # whole numbers only
        ([(0, 212), (3, 43)], ["0", "1", "2", "3", "50", "100", "150", "200"]),
        ([(1.61234, 8), (1.613, 7)], ["1.6124", "1.6126", "1.6128", "1.6130", "7", "8"]),
        (
            [(1e9, 12), (1.00003e9, 10)],
            ["1,000,000,000", "1,000,010,000", "1,000,020,000", "1,000,030,000", "10", "11", "12"],
        ),
    ],
)
def test_ticks_are_round_numbers(points: list[tuple[float, float]], ticks: list[str]) -> None:
    named = words(drawn(front_svg(points, ("x", "y"), "a front")))
    assert sorted(named) == sorted([*ticks, "x", "y"])


@pytest.mark.parametrize("number", [1, 2, 200, 100_000])
def test_pictures_stay_small_and_within_their_edges(number: int) -> None:
    points = tuple((7.0 * index + 1e6, 3.0 * (number - index)) for index in range(number))
    svg = front_of(*points, costs=(TOTAL_PATH_LENGTH, NODES))._repr_svg_()
    picture = drawn(svg)
    assert len(svg or "") < 150_000
    width, height = float(picture.attrib["width"]), float(picture.attrib["height"])
    for mark in picture.findall(".//{*}circle"):
        assert 0 < float(mark.attrib["cx"]) < width
        assert 0 < float(mark.attrib["cy"]) < height


def test_a_point_may_be_so_large_that_one_more_is_the_same_number() -> None:
    picture = drawn(front_svg([(1, 1e20)], ("leaves", "errors"), "a front"))
    (mark,) = picture.findall(".//{*}circle")
    assert 0 < float(mark.attrib["cy"]) < float(picture.attrib["height"])
    assert "leaves 1, errors 100,000,000,000,000,000,000" in [title.text for title in picture.findall(".//{*}title")]


def fronts() -> list[tuple[DrawnFront, tuple[str, str]]]:
    generator = np.random.default_rng(0)
    X = generator.integers(0, 2, (60, 5)).astype(float)
    y = (X[:, 0] * X[:, 1] + (generator.random(60) < 0.2)).astype(int)
    return [
        (front_of((3, 1.75), (5, 1.5)), ("nodes", "average depth")),
        (cost_complexity(CARTClassifier().fit(X, y).tree_), ("leaves", "errors")),
        (OCTClassifier(max_depth=2, frontier=True).fit(X, y).solution_.frontier, ("splits", "errors")),
        (EVOTreeFrontClassifier(individuals=10, generations=2).fit(X, y).front_, ("leaves", "errors")),
    ]


def test_all_fronts_show_and_plot_themselves() -> None:
    mpl = pytest.importorskip("matplotlib")
    with mpl.rc_context({"backend": "agg"}):
        from matplotlib import pyplot as plt

        for front, (x, y) in fronts():
            points = front._points().coordinates
            assert len(points) > 1
            assert all(a < b and c >= d for (a, c), (b, d) in pairwise(points))
            assert {x, y} <= set(words(drawn(front._repr_svg_())))
            _, own = plt.subplots()
            assert front.plot(ax=own) is own
            for axes in (own, front.plot()):
                assert (axes.get_xlabel(), axes.get_ylabel()) == (x, y)
                assert np.array_equal(axes.lines[-1].get_xydata(), points)
            axes.figure.draw_without_rendering()
            assert axes.get_tightbbox().min.min() >= 0, "the labels are inside the figure"
        plt.close("all")


def test_a_frontier_is_a_tuple_and_may_be_empty() -> None:
    frontier = fronts()[2][0]
    assert isinstance(frontier, tuple)
    assert type(pickle.loads(pickle.dumps(frontier))) is Frontier
    assert repr(Frontier()) == "<Frontier: 0 points>"
    assert Frontier()._repr_svg_() is None
