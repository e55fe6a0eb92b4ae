"""The tables of the documentation are those of the configurations, schemas and docstrings, and lack nothing."""

from __future__ import annotations

import re
from pathlib import Path

import pyarrow as pa
import pytest
import yaml
from orchard_docs.comments import choices_of, meanings_in, meanings_of, title_of
from orchard_docs.docstrings import on_docstring, plain, with_definitions
from orchard_docs.keys import base_of, common_keys, grid_keys, keys_of_choice
from orchard_docs.markdown import kind_of, table
from orchard_docs.pages import as_in_docs

import orchard
from pipeline.discovery import conf_folder, grids
from pipeline.grammar.comparison.declared import SECTIONS
from pipeline.schema import MADE_WITH, known_tables
from pipeline.work.class_facts import class_named
from tests.algorithms.estimators import every_estimator
from tests.pipeline.command_line import ROOT

GRIDS = grids([conf_folder()])
CHOICES = [(group, file.stem) for group in ("cluster", "protocol") for file in (conf_folder() / group).glob("*.yaml")]
DOCS = ROOT / "docs"
PUBLIC = {getattr(orchard, name): name for name in orchard.__all__ if isinstance(getattr(orchard, name), type)}


@pytest.mark.parametrize("grid", GRIDS)
def test_every_key_of_a_grid_has_a_meaning_in_its_yaml(grid: str) -> None:
    keys = grid_keys(grid)
    assert keys
    assert [key.name for key in keys if not key.meaning] == []


@pytest.mark.parametrize(("group", "choice"), CHOICES)
def test_every_key_of_a_choice_has_a_meaning_in_its_yaml(group: str, choice: str) -> None:
    keys = keys_of_choice(group, choice)
    assert keys
    assert [key.name for key in keys if not key.meaning] == []


def test_the_keys_of_every_run_are_documented_once() -> None:
    names = [key.name for key in common_keys()]
    assert {"seed", "output", "limits.seconds", "cluster"} <= set(names)
    assert len(names) == len(set(names))
    assert all(key.meaning for key in common_keys())
    assert not set(names) & {key.name for key in grid_keys("greedy_vs_dp")}


def test_every_key_of_a_declared_comparison_is_documented() -> None:
    known = {"trees", *SECTIONS, *(f"{section}.{key}" for section, keys in SECTIONS.items() for key in keys)}
    listed = re.findall(r"^\| `([a-z_.]+)` \|.*\|.*\|$", (DOCS / "extend" / "grid.md").read_text(), re.MULTILINE)
    assert sorted(listed) == sorted(known)


def test_a_key_has_the_default_and_the_type_that_the_command_has() -> None:
    keys = {key.name: key for key in grid_keys("greedy_vs_dp")}
    assert (keys["tables.count"].kind, keys["tables.count"].default) == ("integer", "10000")
    assert keys["tables.value_probabilities"].kind == "list of numbers or `null`"
    assert keys["heuristics"].default.endswith("], 16 in all")


def test_a_grid_made_from_another_documents_what_differs() -> None:
    assert base_of("evo_tree") == "compare_builders"
    assert {key.name for key in grid_keys("evo_tree")} == {"source", "builders", "summary", "protocol"}
    (protocol,) = [key for key in grid_keys("evo_tree") if key.name == "protocol"]
    assert protocol.default == "5x2"


def test_keys_of_a_choice_are_documented_only_where_a_grid_changes_them() -> None:
    names = {key.name for key in grid_keys("did_vs_c45")}
    assert {"drawn.protocol", "drawn.protocol.test_share", "drawn.protocol.repeats"} <= names
    assert "drawn.protocol.method" not in names
    assert choices_of("grid", "did_vs_c45")["drawn.protocol"] == ("protocol", "holdout")


def test_a_comment_is_that_of_its_key_whatever_the_value_holds(tmp_path: Path) -> None:
    file = tmp_path / "some.yaml"
    file.write_text(
        "# @package _global_\n# What it is\nplain: 1  # one\nquoted: 'a # b'  # two\nflow: [1, 2]  # three\n"
        "section:  # four\n  below: null  # five\n  silent: 3\nblock: |\n  # no comment\nlist:\n  - 1  # of an entry\n"
    )
    expected = {"plain": "one", "quoted": "two", "flow": "three", "section": "four", "section.below": "five"}
    assert meanings_in(file) == expected
    assert title_of(file) == "What it is"


def test_a_grid_says_what_its_base_says_of_a_key_that_it_does_not_comment() -> None:
    base, own = meanings_of("grid", "compare_builders"), meanings_of("grid", "pruning")
    assert "source" not in meanings_in(conf_folder() / "grid" / "pruning.yaml")
    assert own["source"] == base["source"]


def test_links_of_a_grid_are_as_they_are_from_where_the_documentation_has_its_page() -> None:
    text = "[q](../../../docs/results.md#x), [g](../uci_exact/page.md), [here](#a), [web](https://a.b/page.md)"
    expected = "[q](../results.md#x), [g](uci_exact.md), [here](#a), [web](https://a.b/page.md)"
    assert as_in_docs(text) == expected


def test_every_grid_has_a_page_and_is_in_the_readme() -> None:
    pages = {folder.parent.name: folder for folder in (ROOT / "pipeline/grids").glob("*/page.md")}
    assert set(pages) == set(GRIDS)
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert [grid for grid in GRIDS if f"pipeline/grids/{grid}/page.md" not in readme] == []
    for grid in GRIDS:
        assert f"```{{grid-keys}} {grid}\n" in pages[grid].read_text(encoding="utf-8")


def test_every_table_of_results_is_documented_column_by_column() -> None:
    listed = set(re.findall(r"```\{columns\} (\w+)", (DOCS / "results.md").read_text(encoding="utf-8")))
    assert listed == set(known_tables())


def test_the_type_of_a_column_is_that_of_its_values() -> None:
    kinds = (MADE_WITH.type, pa.float64(), pa.string())
    assert [kind_of(kind) for kind in kinds] == ["string", "double", "string"]


def test_every_choice_of_cluster_and_protocol_is_documented() -> None:
    listed = re.findall(r"```\{keys-of\} (\w+) (\w+)", (DOCS / "configuration.md").read_text(encoding="utf-8"))
    assert sorted(listed) == sorted(CHOICES)


def test_every_builder_class_is_in_the_reference() -> None:
    reference = (DOCS / "api.md").read_text(encoding="utf-8").split()
    for file in (conf_folder() / "builder").glob("*.yaml"):
        class_path = yaml.safe_load(file.read_text(encoding="utf-8"))["class"]
        assert f"orchard.{PUBLIC[class_named(class_path)]}" in reference, file.name


@pytest.mark.parametrize("kind", every_estimator())
def test_every_estimator_has_a_page(kind: type) -> None:
    reference = (DOCS / "api.md").read_text(encoding="utf-8").split()
    assert f"orchard.{PUBLIC[kind]}" in reference


def test_a_paragraph_of_terms_becomes_a_list_and_others_stay() -> None:
    given = "What it is.\n\nrows, columns : how many\nweight: of a row,\n    in kilograms\n\nNote: this stays,\ntoo."
    listed = "``rows``, ``columns``\n    how many\n``weight``\n    of a row,\n    in kilograms"
    expected = f"What it is.\n\n{listed}\n\nNote: this stays,\ntoo."
    assert with_definitions(given.splitlines()) == expected.splitlines()


def test_a_term_may_have_blanks_where_the_colon_stands_apart() -> None:
    assert with_definitions(["agrees   : it is", "no input : it is not"]) == [
        *("``agrees``", "    it is", "``no input``", "    it is not"),
    ]
    assert with_definitions(["What is left: nothing."]) == ["What is left: nothing."]


def test_a_docstring_holds_no_markup_but_what_stands_between_backticks() -> None:
    assert plain("|S1| of name_ is `a|b_`") == r"\|S1\| of name\_ is `a|b_`"


def test_a_fenced_block_of_a_docstring_is_code() -> None:
    lines = ["Ask |it|:", "", "```python", "a|b = 1", "```", "", "rows : many"]
    on_docstring(None, "", "", None, None, lines)
    expected = [r"Ask \|it\|:", "", ".. code-block:: python", "", "    a|b = 1", "", "", "``rows``", "    many"]
    assert lines == expected


def test_a_cell_cannot_end_its_column() -> None:
    assert table(("a", "b"), [("1|2", "3")]).splitlines()[-1] == r"| 1\|2 | 3 |"
