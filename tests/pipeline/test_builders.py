"""Builders by name: what a YAML may say, what counts as a builder, and that nothing is called before that is known."""

from __future__ import annotations

import json
import pickle
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from algorithms.estimators.former_names import FORMER_CLASSES
from pipeline.builders import Builder, builders_named
from pipeline.data.preparation import Preparation
from pipeline.discovery import conf_folder
from pipeline.errors import ConfigError
from pipeline.work import child_process
from pipeline.work.class_facts import ClassFacts
from pipeline.work.plugin_process import facts_of_plugin

PLUGIN = """
from pathlib import Path

class Good:
    handles_missing = True
    def __init__(self, leaves=3, random_state=None):
        Path(__file__).with_name("called").touch()
        self.leaves, self.random_state = leaves, random_state
    def fit(self, X, y=None): ...
    def predict(self, X): ...

class Deaf:
    def fit(self, X, y=None): ...

def no_class(): ...
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "orchard_plugin.py").write_text(PLUGIN)
    (tmp_path / "builder").mkdir()
    monkeypatch.syspath_prepend(tmp_path)
    facts_of_plugin.cache_clear()
    return tmp_path


def named(folder: Path, yaml: str, entry: object = "mine", plugins: tuple[str, ...] = ("orchard_plugin",)) -> Builder:
    (folder / "builder/mine.yaml").write_text(yaml)
    (builder,) = builders_named([entry], plugins, [folder])
    return builder


def test_a_builder_is_its_name_class_parameters_and_preparation(folder: Path) -> None:
    builder = named(folder, "class: orchard_plugin.Good\nparameters: {leaves: 4}\n")
    assert builder.identity() == {
        "name": "mine",
        "class": "orchard_plugin.Good",
        "parameters": {"leaves": 4},
        "preparation": {"numeric": "keep", "bins": 10, "missing": "keep", "attributes": "all", "encoding": "one_hot"},
    }
    assert not (folder / "called").exists()  # its class was looked at, not called
    assert "orchard_plugin" not in sys.modules
    assert Builder.from_identity(json.loads(json.dumps(builder.identity()))) == builder
    assert pickle.loads(pickle.dumps(builder)) == builder


def test_a_random_state_is_the_seed_unless_it_is_given(folder: Path) -> None:
    made: Any = named(folder, "class: orchard_plugin.Good").made(7)
    assert (made.leaves, made.random_state) == (3, 7)
    made = named(folder, "class: orchard_plugin.Good\nparameters: {random_state: 1}").made(7)
    assert made.random_state == 1


def test_an_entry_lays_its_parameters_over_those_of_the_file(folder: Path) -> None:
    entry = {"name": "other", "builder": "mine", "parameters": {"leaves": 9}, "preparation": {"missing": "fill"}}
    builder = named(folder, "class: orchard_plugin.Good\nparameters: {leaves: 4, random_state: 2}\n", entry)
    assert builder.name == "other"
    assert json.loads(builder.parameters) == {"leaves": 9, "random_state": 2}
    assert builder.preparation.missing == "fill"


NESTED = """class: algorithms.induction.pruned.PessimisticClassifier
parameters: {builder: {class: algorithms.induction.did.DIDClassifier, parameters: {distance: mantaras}}}
"""


def test_a_parameter_that_is_an_estimator_is_made(folder: Path) -> None:
    builder = named(folder, NESTED)
    made: Any = builder.made(7)
    assert (type(made.builder).__name__, made.builder.distance) == ("DIDClassifier", "mantaras")
    assert Builder.from_identity(json.loads(json.dumps(builder.identity()))).made(7).builder.distance == "mantaras"  # type: ignore[attr-defined]
    plain: Any = named(folder, NESTED.replace(", parameters: {distance: mantaras}", "")).made(7)
    assert plain.builder.distance == "conditional_entropy"


def test_a_record_makes_no_parameter_of_a_class_that_is_not_ours(folder: Path) -> None:
    identity = json.loads(json.dumps(named(folder, NESTED).identity()))
    identity["parameters"]["builder"]["class"] = "orchard_plugin.Good"
    with pytest.raises(ConfigError, match=r"the class orchard_plugin.Good is not part of algorithms"):
        Builder.from_identity(identity, ("orchard_plugin",)).made(7)
    assert "orchard_plugin" not in sys.modules


@pytest.mark.parametrize(
    ("yaml", "entry", "message"),
    [
        (
            NESTED.replace("distance", "distanse"),
            "mine",
            ["parameter 'builder': algorithms.induction.did.DIDClassifier has no parameter 'distanse', did you mean"],
        ),
        (NESTED.replace("algorithms.induction.did", "os"), "mine", ["parameter 'builder': the class os.DIDClassifier"]),
        (
            "class: orchard_plugin.Good",
            "mien",
            ["no builder is called 'mien'", "did you mean 'mine'", "builders: mine"],
        ),
        ("class: orchard_plugin.Good", 3, ["`builders` has 3", "a mapping with the key `builder`"]),
        ("class: orchard_plugin.Good", {"name": "x"}, ["`builders` has {'name': 'x'}"]),
        ("class: orchard_plugin.Good", {"builder": "mine", "leaves": 3}, ["expected the name of a builder"]),
        ("class: orchard_plugin.Good\nleaves: 3", "mine", ["mine.yaml", "unknown key 'leaves'"]),
        ("klass: x", "mine", ["mine.yaml: expected `class:`"]),
        ("class: Good", "mine", ["mine.yaml: expected `class:` and the path of a class, such as package.module.Class"]),
        ("class: [", "mine", ["mine.yaml: cannot be read as YAML"]),
        (
            "class: a.B\nclass: a.C",
            "mine",
            ["mine.yaml: cannot be read as YAML: the key 'class' is given twice at line 2"],
        ),
        ("class: orchard_plugin.Good\nparameters: 3", "mine", ["mine.yaml: `parameters` is 3"]),
        (
            "class: orchard_plugin.Good\nparameters: {leafs: 3}",
            "mine",
            ["builder 'mine'", "has no parameter 'leafs', did you mean 'leaves'?", "parameters: leaves, random_state"],
        ),
        ("class: orchard_plugin.Good\nparameters: {leaves: 2020-01-01}", "mine", ["parameter 'leaves' is datetime"]),
        ("class: orchard_plugin.Deaf", "mine", ["is not a builder: it has no predict"]),
        ("class: orchard_plugin.no_class", "mine", ["is not a builder: it has no fit and no predict"]),
        ("class: orchard_plugin.Absent", "mine", ["cannot import the class orchard_plugin.Absent"]),
        ("class: sklearn.svm.SVC", "mine", ["is not part of algorithms", "'plugins=[sklearn]'"]),
        ("class: os.system", "mine", ["is not part of algorithms"]),
        ("class: algorithms.nothing.Here", "mine", ["cannot import the class algorithms.nothing.Here"]),
        ("class: orchard_plugin.Good\npreparation: {numeric: mdl}", "mine", ["preparation.numeric is 'mdl'"]),
        ("class: orchard_plugin.Good\npreparation: {scale: 1}", "mine", ["`preparation` has the key 'scale'"]),
        ("class: orchard_plugin.Good\npreparation: {bins: 0}", "mine", ["preparation.bins is 0"]),
        (
            "class: algorithms.induction.cart.CARTClassifier\nparameters: {max_depth: -1}",
            "mine",
            ["builder 'mine'", "max_depth is -1: expected a whole number of 1 or more"],
        ),
        (
            "class: algorithms.optimal.search.OCTClassifier\nparameters: {conditions: {forbid: [x]}}",
            "mine",
            ["there is no condition 'forbid': did you mean 'forbidden'?"],
        ),
    ],
)
def test_a_class_that_is_no_builder_is_reported(folder: Path, yaml: str, entry: object, message: list[str]) -> None:
    with pytest.raises(ConfigError) as caught:
        named(folder, yaml, entry)
    assert [words for words in message if words not in str(caught.value)] == []
    assert not (folder / "called").exists()
    assert "orchard_plugin" not in sys.modules


@pytest.mark.parametrize(
    ("at_import", "message"),
    [
        ("import sys; sys.exit(3)", "3"),
        ("import os; os._exit(3)", "its process exited with status 3"),
        ("import ctypes; ctypes.string_at(0)", "its process was ended by SIGSEGV"),
        ("import os; os.closerange(0, 4096)", "its process exited with status 1"),
        ("import ctypes; ctypes.PyDLL(None).pause()", "its process was not ready after 2 seconds"),
        ("raise KeyboardInterrupt", "KeyboardInterrupt"),
    ],
)
def test_a_module_that_cannot_be_imported_ends_its_own_process_alone(
    folder: Path, monkeypatch: pytest.MonkeyPatch, at_import: str, message: str
) -> None:
    monkeypatch.setattr(child_process, "START_SECONDS", 2.0 if "pause" in at_import else child_process.START_SECONDS)
    (folder / "orchard_plugin.py").write_text(f"{at_import}\n{PLUGIN}")
    with pytest.raises(ConfigError, match=rf"builder 'mine'.*cannot import the class orchard_plugin\.Good: {message}"):
        named(folder, "class: orchard_plugin.Good")


def test_a_class_that_does_not_count_is_not_even_imported(folder: Path) -> None:
    with pytest.raises(ConfigError, match="'plugins=\\[orchard_plugin\\]'"):
        named(folder, "class: orchard_plugin.Good", plugins=("orchard",))
    assert "orchard_plugin" not in sys.modules


def test_no_builders_and_a_builder_twice_are_errors(folder: Path) -> None:
    (folder / "builder/mine.yaml").write_text("class: orchard_plugin.Good")
    for entries, message in (
        ([], "expected a list of at least one"),
        ("mine", "expected a list"),
        (["mine"] * 2, "has 'mine' twice: give one of the two another name, {name: …, builder: mine}"),
        ([{"name": "a", "builder": "mine"}] * 2, "'a' twice: give one of the two another name, {name: …, builder: m"),
    ):
        with pytest.raises(ConfigError, match=re.escape(message)):
            builders_named(entries, ["orchard_plugin"], [folder])


def test_the_first_folder_that_has_a_name_is_meant(folder: Path, tmp_path: Path) -> None:
    other = tmp_path / "other/builder"
    other.mkdir(parents=True)
    (other / "mine.yaml").write_text("class: orchard_plugin.Deaf")
    (other / "more.yaml").write_text("class: orchard_plugin.Good")
    (folder / "builder/mine.yaml").write_text("class: orchard_plugin.Good")
    result = builders_named(["mine", "more"], ["orchard_plugin"], [folder, tmp_path / "other"])
    assert [builder.class_path for builder in result] == ["orchard_plugin.Good"] * 2


def test_every_builder_that_is_shipped_is_one() -> None:
    names = sorted(file.stem for file in (conf_folder() / "builder").glob("*.yaml"))
    result = builders_named(names, (), [conf_folder()])
    assert [builder.name for builder in result] == names


CART = "class: algorithms.induction.cart.CARTClassifier\nparameters: "


@pytest.mark.parametrize(
    "yaml", ["{min_rows_leaf: 4, nominal: [0]}", "{min_samples_leaf: 4, categorical_features: [0]}"]
)
def test_a_renamed_parameter_is_recorded_by_its_former_name(folder: Path, yaml: str) -> None:
    builder = named(folder, CART + yaml)
    assert builder.identity()["parameters"] == {"min_rows_leaf": 4, "nominal": [0]}
    for each in (builder, Builder.from_identity(builder.identity())):
        assert each.takes("min_rows_leaf")
        assert each.takes("min_samples_leaf")
        made: Any = each.made(0)
        assert (made.min_samples_leaf, made.categorical_features) == (4, [0])


def test_an_entry_lays_a_renamed_parameter_over_the_former_name(folder: Path) -> None:
    entry = {"name": "other", "builder": "mine", "parameters": {"min_samples_leaf": 5}}
    assert json.loads(named(folder, CART + "{min_rows_leaf: 4}", entry).parameters) == {"min_rows_leaf": 5}


def test_the_name_that_was_typed_is_in_the_message(folder: Path) -> None:
    with pytest.raises(
        ConfigError, match="parameter 'min_rows_leaf' is now called 'min_samples_leaf', and both are given: give only"
    ):
        named(folder, CART + "{min_rows_leaf: 4, min_samples_leaf: 4}")
    id3 = "class: algorithms.induction.id3.ID3Classifier\nparameters: "
    with pytest.raises(ConfigError, match=r"has no parameter 'min_rows_leaf' \(now 'min_samples_leaf'\)\n"):
        named(folder, id3 + "{min_rows_leaf: 4}")
    with pytest.raises(ConfigError, match="has no parameter 'min_samples_leaf'"):
        named(folder, id3 + "{min_samples_leaf: 4}")


def test_a_parameter_of_a_plugin_is_recorded_as_it_is_written(folder: Path) -> None:
    plugin = PLUGIN.replace("leaves", "min_samples_leaf")
    (folder / "orchard_plugin.py").write_text(plugin)
    builder = named(folder, "class: orchard_plugin.Good\nparameters: {min_samples_leaf: 4}\n")
    assert builder.identity()["parameters"] == {"min_samples_leaf": 4}


def test_the_shipped_identities_keep_the_recorded_names() -> None:
    (tuned,) = builders_named(["tuned_oct"])
    assert json.loads(tuned.parameters) == {"max_depth": 3, "min_rows_leaf": 0.05}
    assert "min_samples_leaf: 0.05" in (conf_folder() / "builder/tuned_oct.yaml").read_text()


@pytest.mark.parametrize("name", ["OCTClassifier", "OCTSearchClassifier"])
def test_a_renamed_class_is_recorded_by_its_former_path(folder: Path, name: str) -> None:
    builder = named(folder, f"class: algorithms.optimal.search.{name}\n")
    assert builder.identity()["class"] == "algorithms.optimal.search.OCTSearchClassifier"
    assert Builder.from_identity(builder.identity()) == builder
    assert repr(builder.made(0)) == "OCTClassifier()"


def test_every_class_that_moved_is_there_and_is_recorded_by_its_former_path() -> None:
    for former, present in FORMER_CLASSES.items():
        builder = Builder("moved", present, "{}", Preparation())
        assert ClassFacts.of(present)
        assert builder.identity()["class"] == former
        assert Builder.from_identity(builder.identity()) == builder
