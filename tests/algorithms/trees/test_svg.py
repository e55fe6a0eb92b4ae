"""One tree as SVG: all of it is there or counted, nothing overlaps, and names are text whatever they hold."""

from __future__ import annotations

import re
from itertools import combinations
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from algorithms.data.table import Labels
from algorithms.pictures.svg_elements import shortened, text_width
from algorithms.trees.decision_tree import DecisionTree
from algorithms.trees.svg import tree_svg
from tests.algorithms.trees import BOUNDS, CODES, TERMINAL, every_kind, stump, tree_of

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = [
    "<script>alert(1)</script>",
    '" onload="x',
    "]]>",
    "&amp;",
    "\x1b[2J\u202e",
    "\ud800\uffff",
    "a\n\nb",
    "漢字" * 99,
]


def elements(svg: str, tag: str) -> list[ElementTree.Element]:
    return [each for each in ElementTree.fromstring(svg).iter() if each.tag == SVG + tag]


def words_of(svg: str) -> list[str]:
    return [element.text or "" for element in elements(svg, "text")]


def titles_of(svg: str) -> list[str]:
    return [element.text or "" for element in elements(svg, "title")]


def grown(widths: list[int]) -> DecisionTree:
    """A tree whose node i has widths[i] children, each node one code of attribute 0."""
    kind, edges, to, code = [], [0], [], []
    made, node = 1, 0
    while node < made:
        children = widths[node] if node < len(widths) else 0
        kind.append(CODES if children else TERMINAL)
        to += range(made, made + children)
        code += range(children)
        made += children
        edges.append(len(to))
        node += 1
    attribute = [0 if each == CODES else -1 for each in kind]
    return tree_of(kind, attribute, [node % 3 for node in range(made)], edges, code, to)


def chain(length: int) -> DecisionTree:
    """A tree of so many tests below one another, each with a leaf on its left."""
    nodes = 2 * length + 1
    kind = [BOUNDS if node % 2 == 0 and node < nodes - 1 else TERMINAL for node in range(nodes)]
    edges = np.cumsum([0, *(2 if each == BOUNDS else 0 for each in kind)]).tolist()
    to = [child for node in range(0, nodes - 1, 2) for child in (node + 1, node + 2)]
    attribute = [0 if each == BOUNDS else -1 for each in kind]
    return tree_of(kind, attribute, [0] * nodes, edges, [0] * len(to), to, edge_bound=[0, np.inf] * length)


def test_every_kind_of_node_with_its_words_its_rows_and_its_branches() -> None:
    labels = Labels(("a", "b", "c"), (("u", "v", "w"),) * 3, ("no", "yes", "perhaps"))
    svg = tree_svg(every_kind(), labels, "A tree")
    result = words_of(svg)
    assert {"a", "b", "2 b + -1 c", "in {u, w}", "v", "unknown", "≤ 0.5", "in (0.5, 2]", "> 2"} <= set(result)
    assert [result.count(decision) for decision in labels.decisions] == [2, 3, 2]
    assert result.count("0.33 of 2.33 rows") == 2
    assert "a — 7.75 rows: 4.5 no, 3 yes, 0.25 perhaps" in titles_of(svg)
    assert ElementTree.fromstring(svg).get("aria-label") == "A tree"


def test_a_leaf_alone_and_numbers_without_labels() -> None:
    leaf = tree_of([TERMINAL], [-1], [1], [0, 0], [], [])
    assert words_of(tree_svg(leaf, None, "")) == ["1"]
    assert words_of(tree_svg(leaf, Labels((), (), ("no", "yes")), "")) == ["yes"]


def test_a_branch_that_unknown_values_join_says_so() -> None:
    svg = tree_svg(stump(BOUNDS, edge_bound=[1, np.inf], unknown_to=[2, -1, -1]), None, "")
    assert sorted(words_of(svg)) == ["0", "1", "> 1, ?", "?: unknown values go there", "f1", "≤ 1"]
    assert "> 1 or unknown" in titles_of(svg)


@given(widths=st.lists(st.integers(0, 40), min_size=1, max_size=60))
def test_all_nodes_are_drawn_or_counted_and_none_overlaps(widths: list[int]) -> None:
    tree = grown(widths)
    labels = Labels(("attribute",), (tuple(map(str, range(40))),), ("x", "y", "z"))
    svg = tree_svg(tree, labels, "")
    boxes = [element for element in elements(svg, "rect") if element.get("width") != "4"]
    hidden = [int(words.replace(",", "").split()[1]) for words in words_of(svg) if words.startswith("… ")]
    assert len(boxes) - len(hidden) + sum(hidden) == tree.nodes
    notes = [words for words in words_of(svg) if words.endswith("folded")]
    assert notes == ([f"{sum(hidden):,} of {tree.nodes:,} nodes are folded"] if hidden else [])
    positions = [[float(box.get(name, 0)) for name in ("x", "y", "width", "height")] for box in boxes]
    across, down = (float(ElementTree.fromstring(svg).get(name, 0)) for name in ("width", "height"))
    for x, y, wide, high in positions:
        assert 0 <= x <= across - wide
        assert 0 <= y <= down - high
    for each, other in combinations(positions, 2):
        assert any(each[k] + each[k + 2] <= other[k] or other[k] + other[k + 2] <= each[k] for k in (0, 1))


def test_a_tree_of_sixty_leaves_is_drawn_whole_and_one_more_is_folded() -> None:
    whole = tree_svg(grown([3, 20, 20, 20]), None, "")
    assert "more node" not in whole
    folded = tree_svg(grown([3, 20, 20, 21]), None, "")
    assert "22 of 65 nodes are folded" in folded


def test_levels_beyond_the_twelfth_are_folded() -> None:
    assert "folded" not in tree_svg(chain(12), None, "")
    assert "3 of 27 nodes are folded" in tree_svg(chain(13), None, "")


def test_hostile_names_are_text_and_the_picture_stays_small() -> None:
    for name in HOSTILE:
        labels = Labels((name * 200,) * 3, ((name * 200,) * 60,) * 3, (name * 200,) * 3)
        svg = tree_svg(grown([20, 3, 3, 3, 3, 3, 3, 3]), labels, name)
        assert {each.tag for each in ElementTree.fromstring(svg).iter()} == {
            SVG + tag for tag in ("svg", "g", "title", "text", "rect", "path")
        }
        assert not [each for each in ElementTree.fromstring(svg).iter() for key in each.attrib if key.startswith("on")]
        assert len(svg.encode()) < 300_000
        assert [sign for sign in "\x1b\u202e\ud800\uffff" if sign in svg] == []


def test_nothing_has_a_colour_of_its_own_but_the_edges_of_leaves() -> None:
    svg = tree_svg(every_kind(), Labels(("a", "b", "c"), (("u", "v", "w"),) * 3, ("x", "y", "z")), "")
    edges = [element.get("fill") for element in elements(svg, "rect") if element.get("width") == "4"]
    assert len(edges) == 7
    assert set(re.findall(r"#[0-9A-Fa-f]{3,6}", svg)) == set(edges)


@pytest.mark.parametrize("words", ["short", "a word that is too long for it", "W" * 400, "i" * 400, "", "漢" * 50])
def test_words_are_cut_to_fit(words: str) -> None:
    shown = shortened(words, 100, 12)
    assert text_width(shown, 12) <= 100
    assert shown == words or (shown.endswith("…") and words.startswith(shown[:-1]))


def test_words_are_no_wider_than_they_are_taken_for() -> None:
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import TextPath

    font = FontProperties(family="DejaVu Sans")
    for words in ["petal length (cm)", "WINDOW", "w_sum/gini", "≤ 1234.56", "in {red, green}", "MMMM", "illicit fjord"]:
        drawn = TextPath((0, 0), words, size=12, prop=font).get_extents().width
        assert drawn <= text_width(words, 12) <= 1.6 * drawn
