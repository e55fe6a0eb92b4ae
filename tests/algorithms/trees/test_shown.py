"""How trees and estimators show themselves: in a notebook, as text, on axes."""

from __future__ import annotations

import subprocess
import sys
from xml.etree import ElementTree

import pytest
from sklearn.exceptions import NotFittedError

from algorithms.induction.c45 import C45Classifier
from algorithms.trees.text import export_text

ROWS = [["sunny", 85.0], ["sunny", 70.0], ["rain", 96.0], ["rain", 80.0], ["overcast", 78.0], [None, 75.0]] * 4
PLAY = ["no", "yes", "no", "no", "yes", "yes"] * 4


def fitted() -> C45Classifier:
    return C45Classifier().fit(ROWS, PLAY)


def test_a_tree_says_its_size_and_draws_itself() -> None:
    tree = fitted().tree_
    leaves = int((tree.kind == 0).sum())
    assert repr(tree) == f"<DecisionTree: {tree.nodes} nodes, {leaves} leaves, depth {int(tree.depths().max())}>"
    assert len(ElementTree.fromstring(tree._repr_svg_()).findall(".//{*}g")) >= tree.nodes


def test_an_estimator_shows_its_parameters_and_then_its_tree() -> None:
    assert "<svg" not in C45Classifier(min_rows=7)._repr_html_()
    shown = fitted()._repr_mimebundle_()["text/html"]
    assert shown.index("min_rows") < shown.index("<svg")
    for words in ("yes", "no"):
        assert f">{words}</text>" in shown


def test_text_is_that_of_the_tree_with_its_names() -> None:
    estimator = fitted()
    assert estimator.export_text() == export_text(estimator.tree_, estimator.labels_)
    assert ": yes" in estimator.export_text()


def test_a_plot_has_a_word_for_each_node_and_may_be_anywhere() -> None:
    mpl = pytest.importorskip("matplotlib")
    with mpl.rc_context({"backend": "agg"}):
        from matplotlib import pyplot as plt

        estimator = fitted()
        new = estimator.plot()
        _, own = plt.subplots()
        assert estimator.plot(ax=own) is own
        for axes in (new, own):
            lines = [word.get_text() for word in axes.texts]
            assert len(lines) >= estimator.tree_.nodes
            assert {"yes", "no"} <= set(lines)
        plt.close("all")


@pytest.mark.parametrize("show", ["plot", "export_text"])
def test_without_a_tree_there_is_nothing_to_show(show: str) -> None:
    with pytest.raises(NotFittedError):
        getattr(C45Classifier(), show)()


def test_matplotlib_is_imported_only_for_figures() -> None:
    program = "import sys, algorithms.induction.c45; print('matplotlib' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
