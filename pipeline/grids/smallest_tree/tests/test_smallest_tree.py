"""Grown trees beside the smallest that classify the same: rows by the definition, and a summary that a loop gives."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from statistics import NormalDist, stdev
from typing import Any

import pytest

from algorithms.induction.cart import CARTClassifier
from algorithms.induction.id3 import ID3Classifier
from pipeline.builders import builders_named
from pipeline.configuration.settings import Data
from pipeline.data.protocols import drawn_seed
from pipeline.data.sources import sources_named
from pipeline.discovery import conf_folder
from pipeline.grammar.whole_sources import complete
from pipeline.grids.smallest_tree.grid import FEWEST, SmallestTreeGrid
from pipeline.grids.smallest_tree.summary import SUMMARY
from tests.summaries.builder_rows import published, summary_rows, written

Row = dict[str, Any]
SETS = ("rule/monks-1", "uci/balloons/adult-stretch", "rule/corral")
UNPRUNED = {"name": "c45 unpruned", "builder": "c45", "parameters": {"pruned": False}}
BUILDERS = builders_named(["id3", "c45", UNPRUNED, "cart"], (), [conf_folder()])


def grid(names: Sequence[str] = SETS, **changes: Any) -> SmallestTreeGrid:
    sources = sources_named(list(names), None, Data(None, None))
    made = SmallestTreeGrid(
        sources=sources, builders=BUILDERS, two_branches=("cart",), max_work=1_000_000, graph_bytes=2**28, seed=0
    )
    return replace(made, **changes)


def rows_of(made: SmallestTreeGrid, item: int) -> list[dict[str, Any]]:
    return made.work(item, item + 1)["results"].to_pylist()


def test_a_grown_tree_is_never_smaller_and_the_smallest_is_known_where_the_concept_is() -> None:
    """Monks 1 (head = body or jacket = red) takes 27 leaves with a branch for each label, and 7 with two branches."""
    made = grid()
    rows = made.work(0, made.items)["results"].to_pylist()
    assert len(rows) == 2 * made.items
    leaves = {}
    for grown, fewest in zip(rows[::2], rows[1::2], strict=True):
        assert grown["status"] == fewest["status"] == "ok"
        assert fewest["optimal"]
        assert fewest["terminal_nodes"] == fewest["bound"] <= grown["terminal_nodes"]
        assert fewest["builder"] == FEWEST
        assert json.loads(fewest["parameters"]) == {"classification_of": grown["builder"]}
        leaves[grown["source"], grown["builder"]] = grown["terminal_nodes"], fewest["terminal_nodes"]
    assert leaves["rule/monks-1", "id3"] == (28, 27)
    assert leaves["rule/monks-1", "cart"][1] == 7


def test_trees_are_those_of_the_builders_themselves() -> None:
    made = grid()
    source = made.sources[0]
    data = complete(source)
    cart = CARTClassifier(random_state=drawn_seed(made.seed, source.seed_name))
    for item, classifier in ((0, ID3Classifier()), (len(BUILDERS) - 1, cart)):
        assert rows_of(made, item)[0]["terminal_nodes"] == classifier.fit(data).costs(data).terminal_nodes


def test_a_wrong_number_of_branches_is_noticed() -> None:
    made = grid(two_branches=())
    grown, fewest = rows_of(made, len(BUILDERS) - 1)
    assert (grown["status"], fewest["status"], fewest["terminal_nodes"]) == ("ok", "failed", None)
    assert "add the builder to two_branches" in fewest["error"]


def pair(source: str, builder: str, leaves: int | None, fewest: int | None, **of_search: Any) -> list[Row]:
    """The two rows of a builder on a data set, made up; None: it failed."""
    message = {"status": "failed", "error": "why"}
    named = {"source": source, "part": "all", "status": "ok", "rows": 100}
    search = {"terminal_nodes": fewest, "bound": fewest, "optimal": True, "build_seconds": 0.5} | of_search
    parameters = json.dumps({"classification_of": builder})
    return [
        named | {"builder": builder} | ({"terminal_nodes": leaves, "nodes": 2 * leaves - 1} if leaves else message),
        named | {"builder": FEWEST, "parameters": parameters} | (search if fewest else message),
    ]


def test_what_is_not_proven_or_failed_is_left_out_of_the_means() -> None:
    made = [
        *pair("a", "id3", 6, 4),
        *pair("a", "cart", 9, None),
        *pair("b", "id3", 9, 6),
        *pair("b", "cart", None, None),
        *pair("c", "id3", 7, 7),
        *pair("d", "id3", 8, 2, optimal=False, bound=1.0, status="time_limit", error="too long"),
        *pair("d", "cart", 5, 5),
    ]
    tables = summary_rows(SUMMARY, made)
    id3, cart = tables["smallest_tree"]
    expected = {"builder": "id3", "n": 3, "already_smallest": 1, "mean_excess": 1 / 3, "worst": 0.5, "not_proven": 1}
    expected["worst_on"] = "a"  # the first of two
    assert {name: id3[name] for name in expected} == pytest.approx(expected)
    half = NormalDist().inv_cdf(0.975) * stdev([0.5, 0.5, 0]) / math.sqrt(3)
    assert (id3["low"], id3["high"]) == (pytest.approx(1 / 3 - half), pytest.approx(1 / 3 + half))
    assert [cart[name] for name in ("n", "mean_excess", "low", "worst", "not_proven")] == [1, 0, None, 0, 0]
    sets = tables["smallest_tree_sets"]
    assert [(row["_title"], row["builder"], row["excess"], row["proven"], row["bound"]) for row in sets] == [
        ("a", "id3", 0.5, "true", 4),
        ("a", "cart", None, None, None),
        ("b", "id3", 0.5, "true", 6),
        ("b", "cart", None, None, None),
        ("c", "id3", 0, "true", 7),
        ("d", "id3", 3, "false", 1),
        ("d", "cart", 0, "true", 5),
    ]


def test_those_of_most_data_sets_come_nearest(tmp_path: Path) -> None:
    named = [("c45", "a"), ("cart", "a"), ("cart", "b"), ("cart", "c")]
    made = [row for builder, source in named for row in pair(source, builder, 3, 3)]
    assert written(SUMMARY, published(made, tmp_path / "parts"), tmp_path / "s").finding.endswith(
        "; cart comes closest to the minimum, 0.0 % above on average over 3 data sets."
    )


def test_the_screen_and_the_finding_say_what_failed(tmp_path: Path) -> None:
    """A search that ended by a limit has a tree, and did not fail."""
    made = [
        *pair("a", "id3", 6, 4),
        *pair("b", "id3", None, None),
        *pair("c", "id3", 9, None),
        *pair("d", "id3", 8, 2, optimal=False, bound=1.0, status="time_limit", error="too long"),
    ]
    summary = written(SmallestTreeGrid.declared_summary(), published(made, tmp_path / "parts"), tmp_path)
    query = "select * from results where status <> 'ok' and terminal_nodes is null"
    listing = f'the query "{query}" of this run'
    which = f"smallest_tree_sets.csv says which, and so does {listing}"
    lost = f"3 of 8 fits failed; {which}\nthe first: id3 on b: why"
    assert [str(line) for line in summary.screen(100)[1:]] == [lost]
    assert summary.finding == (
        "0 of 1 tree has the fewest leaves of all trees that classify the training rows in the same way; for 1 "
        "further tree, this minimum is not proven; id3 comes closest to the minimum, 50.0 % above on average over 1 "
        "data set; 3 of 8 fits failed."
    )
