"""Docstrings of estimators: every parameter and attribute in numpydoc's form, and examples that run."""

from __future__ import annotations

import doctest
import inspect
import re

import pytest

from algorithms.estimators.data_set_classifier import DataSetClassifier
from algorithms.estimators.estimator import estimator
from algorithms.options import RANDOM_STATE, Choice, Number, Whole
from tests.algorithms.estimators import every_estimator

ESTIMATORS = every_estimator()
ENTRY = re.compile(r"^(\w+) : \S", re.MULTILINE)

SOURCE = re.compile(r"([^*]+ \((\d{4}|slides)\)|Alpaydin), \*[^*]+\*(, .+)?\.")
"""An entry of References: author, year and title. Two documents of the project have no year."""
SECTION = re.compile(r"\*, .*\b(sections?|chapters?|ch\.) ")


def sections(kind: type[DataSetClassifier]) -> dict[str, str]:
    parts = re.split(r"^(\w+)\n-+$", inspect.getdoc(kind) or "", flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


@pytest.mark.parametrize("kind", ESTIMATORS)
def test_every_parameter_is_documented_in_the_order_of_the_signature(kind: type[DataSetClassifier]) -> None:
    assert ENTRY.findall(sections(kind)["Parameters"]) == [*inspect.signature(kind).parameters]


@pytest.mark.parametrize("kind", ESTIMATORS)
def test_ranges_are_documented_as_they_are_checked(kind: type[DataSetClassifier]) -> None:
    parts = re.split(r"^(\w+) : .*$", sections(kind)["Parameters"], flags=re.MULTILINE)
    texts = {name: " ".join(text.split()) for name, text in zip(parts[1::2], parts[2::2], strict=True)}
    for name, words in texts.items():
        if (constraints := kind._parameter_constraints[name]) is RANDOM_STATE:
            continue
        ranges = [str(constraint) for constraint in constraints if isinstance(constraint, Whole | Number)]
        assert not ranges or words.endswith(f"Allowed: {', or '.join(ranges)}.")


@pytest.mark.parametrize("kind", ESTIMATORS)
def test_choices_and_none_are_documented_as_they_are_checked(kind: type[DataSetClassifier]) -> None:
    for name, types in re.findall(r"^(\w+) : (.*)$", sections(kind)["Parameters"], flags=re.MULTILINE):
        constraints = kind._parameter_constraints[name]
        choices = [text for constraint in constraints if isinstance(constraint, Choice) for text in constraint.texts]
        assert re.findall(r'"(\w+)"', types.partition(", default=")[0]) == choices
        assert ("or None" in types) == (None in constraints)


@pytest.mark.parametrize("kind", ESTIMATORS)
def test_defaults_are_documented_as_they_are(kind: type[DataSetClassifier]) -> None:
    message = dict(re.findall(r"^(\w+) : .*, default=(.+)$", sections(kind)["Parameters"], flags=re.MULTILINE))
    defaults = {name: parameter.default for name, parameter in inspect.signature(kind).parameters.items()}
    assert {name: eval(text) for name, text in message.items()} == defaults


def test_an_estimator_documents_what_its_bases_do_and_has_the_last_word() -> None:
    class Base(DataSetClassifier):
        """A base.

        Parameters
        ----------
        first : int
            Of the base.
        unused : int
            Of no subclass.
        second : int
            Of the base,
            in two lines.

            And a paragraph.

        Attributes
        ----------
        found_ : int
            Of the base.
        """

    @estimator
    class Own(Base):
        """An estimator.

        Parameters
        ----------
        first : str
            Its own.

        Notes
        -----
        None.
        """

        def __init__(self, *, second: int = 2, first: str = "") -> None: ...

    result = sections(Own)
    assert list(result) == ["Parameters", "Attributes", "Notes"]
    second = "second : int\n    Of the base,\n    in two lines.\n\n    And a paragraph."
    assert result["Parameters"].strip() == f"{second}\nfirst : str\n    Its own."
    assert ENTRY.findall(result["Attributes"])[-1] == "found_"


@pytest.mark.parametrize("kind", ESTIMATORS)
def test_a_signature_has_names_and_defaults_alone(kind: type[DataSetClassifier]) -> None:
    parameters = inspect.signature(kind).parameters.values()
    assert {parameter.annotation for parameter in parameters} <= {inspect.Parameter.empty}


@pytest.mark.parametrize("kind", ESTIMATORS)
def test_attributes_and_the_source_are_documented(kind: type[DataSetClassifier]) -> None:
    result = sections(kind)
    assert [name for name in result if name != "Raises"] == [
        "Parameters",
        "Attributes",
        "Notes",
        "References",
        "Examples",
    ]
    assert {"classes_", "attributes_", "n_features_in_"} <= set(ENTRY.findall(result["Attributes"]))


@pytest.mark.parametrize("kind", ESTIMATORS)
def test_sources_have_an_author_a_year_a_title_and_a_section(kind: type[DataSetClassifier]) -> None:
    entries = [" ".join(entry.split()) for entry in re.split(r"^- ", sections(kind)["References"], flags=re.M)[1:]]
    assert [entry for entry in entries if not SOURCE.fullmatch(entry)] == []
    assert any(SECTION.search(entry) for entry in entries)


@pytest.mark.parametrize("kind", ESTIMATORS)
def test_examples_run(kind: type[DataSetClassifier]) -> None:
    examples = doctest.DocTestFinder(recurse=False).find(kind, kind.__name__)
    assert sum(len(example.examples) for example in examples) >= 5
    if ".mio." in kind.__module__:
        pytest.importorskip("highspy")
    for example in examples:
        assert doctest.DocTestRunner(optionflags=doctest.FAIL_FAST).run(example).failed == 0
