"""Builders by name. A YAML file gives a class, its parameters, and the preparation of its data.

The choices are the files in `conf/builder/`, and in `builder/` of a folder given by --config-dir. A class outside
`algorithms` is allowed only if `plugins` names its package. Before any code of the class is called, the class is
checked for what a builder must have.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol, cast

from algorithms.estimators.former_names import FORMER_CLASSES, FORMER_PARAMETERS
from pipeline.data.preparation import Preparation
from pipeline.discovery import conf_folder
from pipeline.errors import ConfigError, did_you_mean, no_choice
from pipeline.printed_table.names import BUILDER_NAMES, NameMatcher
from pipeline.work.class_facts import OWN_PACKAGE, ClassFacts, UnfitClassError, class_named, path_of
from pipeline.work.plugin_process import PluginClassifier, facts_of_plugin
from pipeline.yaml_files import read_plain_yaml

__all__ = ["Builder", "Classifier", "builder_files", "builders_named"]

KEYS = ("class", "parameters", "preparation")
ENTRY_KEYS = ("name", "builder", "parameters", "preparation")
DATA_SETS = "algorithms.estimators.data_set_classifier.DataSetClassifier"
"""A class that extends this takes a DataSet."""
LONGEST_NAME = 60
Node = Mapping[str, Any]
RECORDED = {present: former for former, present in FORMER_PARAMETERS.items()}
"""The name under which runs record a renamed parameter of ours. It is part of run ids, so it never changes."""
RECORDED_CLASSES = {present: former for former, present in FORMER_CLASSES.items()}
"""The same for the path of a class."""


class Classifier(Protocol):
    """The interface of a builder's class: scikit-learn's `fit` and `predict`; after `fit`, `tree_` if it grows a tree.

    A DataSetClassifier of `algorithms` takes a DataSet. Any other class takes a matrix and labels, encoded by its
    preparation.
    """

    def fit(self, X: Any, y: Any = None) -> Any:  # noqa: N803 - scikit-learn's name
        """Learn from training rows."""
        ...

    def predict(self, X: Any) -> Any:  # noqa: N803
        """The predicted class label of each row, shape (rows,)."""
        ...


@dataclass(frozen=True)
class Builder:
    """A fully configured builder.

    name        : its name in result rows
    class_path  : its class, with package and module
    parameters  : arguments of its class, as JSON. `random_state` is drawn for each fold if it is left out. Renamed
                  parameters of ours have their former names: see RECORDED
    preparation : what is done to the data first
    folder      : where its package is found if it is not installed; None for classes of `algorithms`
    facts       : facts about its class, if already known; for a class of a plugin, finding them starts a process
    plugins     : for a builder from the record of a run, the packages besides `algorithms` whose classes may be
                  imported; None if a configuration names it, whose class has been checked
    """

    name: str
    class_path: str
    parameters: str
    preparation: Preparation
    folder: str | None = field(default=None, compare=False)
    facts: ClassFacts | None = field(default=None, compare=False, repr=False)
    plugins: tuple[str, ...] | None = field(default=None, compare=False)

    def identity(self) -> dict[str, Any]:
        """Everything about the builder that can change a result."""
        return {
            "name": self.name,
            "class": RECORDED_CLASSES.get(self.class_path, self.class_path),
            "parameters": json.loads(self.parameters),
            "preparation": asdict(self.preparation),
        }

    @staticmethod
    def from_identity(identity: Mapping[str, Any], plugins: Sequence[str] = ()) -> Builder:
        """Make the builder that a record names. Nothing is imported. Later, only `algorithms` and `plugins` may be.

        Raises TypeError if a value has another type than `identity()` gives it.
        """
        name, class_path, parameters = identity["name"], identity["class"], identity["parameters"]
        if not (isinstance(name, str) and isinstance(class_path, str) and isinstance(parameters, dict)):
            raise TypeError("a builder in the record has a name, class or parameters of the wrong type")
        class_path = FORMER_CLASSES.get(class_path, class_path)
        preparation = Preparation(**identity["preparation"])
        folder = _folder_of(class_path)
        return Builder(name, class_path, _json(parameters), preparation, folder, plugins=tuple(plugins))

    @property
    def row_identity(self) -> dict[str, str]:
        """The columns that name the builder in result rows."""
        return {"builder": self.name, "parameters": self.parameters}

    def made(self, seed: int) -> Classifier:
        """A new classifier. `seed` becomes its `random_state`, if the class has this parameter and no value is set.

        A classifier of a plugin runs in a process of its own.
        """
        accepted = self._facts.parameters
        parameters = {_present(name, accepted): value for name, value in json.loads(self.parameters).items()}
        if self.takes("random_state"):
            parameters.setdefault("random_state", seed)
        if not self.own:
            return PluginClassifier(self.name, self.class_path, self.folder, parameters)
        return cast("Classifier", _made(self.class_path, parameters))

    def given(self, **parameters: Any) -> Builder:
        """A copy with these parameters replaced."""
        return replace(self, parameters=_json(json.loads(self.parameters) | parameters))

    def takes(self, parameter: str) -> bool:
        """Whether its class takes a parameter with this name."""
        return _present(parameter, self._facts.parameters) in self._facts.parameters

    def extends(self, *classes: type[Any]) -> bool:
        """Whether its class is, or extends, one of these classes of `algorithms`; it is not called."""
        return not set(self._facts.ours).isdisjoint(map(path_of, classes))

    @property
    def grows_tree(self) -> bool:
        """Whether its class grows a tree; the class is not called."""
        from algorithms.estimators.tree_classifier import TreeClassifier

        return self.extends(TreeClassifier)

    @property
    def own(self) -> bool:
        """Whether its class is Orchard's. A class of a plugin is imported and run only in separate processes."""
        return _is_of(self.class_path)

    @property
    def compiles(self) -> bool:
        """Whether its class has kernels of Orchard, which should be compiled or loaded before timing."""
        from algorithms.baselines.one_hot_classifiers import OneHotClassifier
        from algorithms.estimators.data_set_classifier import DataSetClassifier

        return self.extends(DataSetClassifier) and not self.extends(OneHotClassifier)

    @property
    def evolves(self) -> bool:
        """Whether its class declares `history_`, the fitness by generation, so that learning curves can be drawn."""
        return self._facts.evolves

    @property
    def permitted(self) -> bool:
        """Whether its class may be imported here: it is Orchard's, or of a package that the command names."""
        return _is_of(self.class_path, self.plugins or ())

    @property
    def _facts(self) -> ClassFacts:
        """The facts about its class. If a record names the builder, the class is imported only if that is permitted."""
        if self.facts is not None:
            return self.facts
        if self.plugins is None:
            return _facts_of(self.class_path, self.folder)
        if not self.permitted:
            package = self.class_path.partition(".")[0]
            raise ConfigError(
                f"the builder '{self.name}' of the run is the class {self.class_path}. Commands that read results "
                f"import plugins only on request: if you trust the package, add --plugins {shlex.quote(package)}"
            )
        where = f"builder '{self.name}'"
        return _checked(self.class_path, json.loads(self.parameters), where, self.plugins, self.folder)


def builders_named(
    entries: object, plugins: Sequence[str] = (), folders: Sequence[Path] | None = None
) -> tuple[Builder, ...]:
    """The builders of a configuration.

    Parameters
    ----------
    entries : each the name of a YAML, or {name, builder: name of a YAML, parameters, preparation}, whose parameters and
        preparation override those of the YAML
    plugins : packages besides `algorithms` whose classes are allowed
    folders : searched in order for `builder/<name>.yaml`; None: only the shipped folder

    Raises
    ------
    ConfigError
        There is no such YAML; its class is not allowed, is not a builder or lacks a parameter. The file is named.
    """
    if not isinstance(entries, list) or not entries:
        raise ConfigError(f"`builders` is {entries!r}: expected a list of at least one builder, such as builders=[c45]")
    files = builder_files([conf_folder()] if folders is None else folders)
    builders = tuple(_builder(entry, files, plugins) for entry in entries)
    names = [builder.name for builder in builders]
    for index, name in enumerate(names):
        if name in names[:index]:
            chosen = entries[index]["builder"] if isinstance(entries[index], dict) else name
            raise ConfigError(
                f"`builders` has '{name}' twice: give one of the two another name, {{name: …, builder: {chosen}}}"
            )
    return builders


def builder_files(folders: Sequence[Path]) -> dict[str, Path]:
    """The YAMLs of builders in some configuration folders, keyed by name. If two have the same name, the first."""
    result: dict[str, Path] = {}
    for folder in folders:
        for file in sorted((folder / "builder").glob("*.yaml")):
            result.setdefault(file.stem, file)
    return result


def _builder(entry: object, files: Mapping[str, Path], plugins: Sequence[str]) -> Builder:
    keys = {"name": entry, "builder": entry} if isinstance(entry, str) else entry
    if not isinstance(keys, dict) or not isinstance(keys.get("builder"), str) or not set(keys) <= set(ENTRY_KEYS):
        raise ConfigError(
            f"`builders` has {entry!r}: expected the name of a builder, or a mapping with the key `builder` and, "
            "optionally, `name`, `parameters` and `preparation`"
        )
    chosen = keys["builder"]
    name = keys.get("name", chosen)
    if not isinstance(name, str) or not name.isprintable() or not 0 < len(name) <= LONGEST_NAME:
        raise ConfigError(
            f"the name {name!r} in `builders` cannot be used: expected 1 to {LONGEST_NAME} printable characters"
        )
    if chosen not in files:
        like = NameMatcher(sorted(files), {}, BUILDER_NAMES).find(chosen).name
        raise ConfigError(no_choice("builder", chosen, sorted(files), like))
    file = files[chosen]
    node = _read(file)
    class_path: str = node["class"]
    class_path = FORMER_CLASSES.get(class_path, class_path)
    defaults, overrides = _section(file, node, "parameters"), _section(None, keys, "parameters")
    preparation = _section(file, node, "preparation") | _section(None, keys, "preparation")
    where = f"builder '{name}' ({file})"
    folder = _folder_of(class_path)
    facts = _checked(class_path, defaults | overrides, where, plugins, folder)
    if _is_of(class_path):
        _check_values(class_path, defaults | overrides, where, facts.parameters)
        defaults, overrides = _recorded(defaults, where), _recorded(overrides, where)
    prepared = Preparation.of(
        preparation, where, encoded=DATA_SETS not in facts.ours, handles_missing=facts.handles_missing
    )
    return Builder(name, class_path, _json(defaults | overrides), prepared, folder, facts=facts)


def _read(file: Path) -> Node:
    node = read_plain_yaml(file)
    if not isinstance(node, dict) or not isinstance(node.get("class"), str) or "." not in node["class"]:
        raise ConfigError(f"{file}: expected `class:` and the path of a class, such as package.module.Class")
    unknown = [str(key) for key in node if key not in KEYS]
    if unknown:
        raise ConfigError(f"{file}: unknown key '{unknown[0]}': expected {', '.join(KEYS)}")
    return node


def _section(file: Path | None, node: Node, key: str) -> dict[str, Any]:
    result = node.get(key) or {}
    if not isinstance(result, dict) or not all(isinstance(name, str) for name in result):
        raise ConfigError(f"{file or 'builders'}: `{key}` is {result!r}: expected a mapping of names to values")
    return result


def _recorded(parameters: Node, where: str) -> dict[str, Any]:
    """The parameters of a class of ours, under the names that runs record."""
    for present, former in RECORDED.items():
        if present in parameters and former in parameters:
            raise ConfigError(
                f"{where}: parameter '{former}' is now called '{present}', and both are given: give only '{present}'"
            )
    return {RECORDED.get(name, name): value for name, value in parameters.items()}


def _present(name: str, accepted: Collection[str]) -> str:
    """The name under which a class takes a parameter, which may be given by its former name."""
    present = FORMER_PARAMETERS.get(name, name)
    return present if name not in accepted and present in accepted else name


def _json(parameters: Mapping[str, Any]) -> str:
    return json.dumps(parameters, sort_keys=True)


def _folder_of(class_path: str) -> str | None:
    """The folder of a class's package if it is not installed; None for classes of `algorithms`."""
    return None if _is_of(class_path) else str(Path.cwd())


def _is_of(class_path: str, plugins: Sequence[str] = ()) -> bool:
    """Whether a class is of `algorithms`, or of one of these packages."""
    return any(class_path.startswith(f"{package}.") for package in (OWN_PACKAGE, *plugins))


def _checked(class_path: str, parameters: Node, where: str, plugins: Sequence[str], folder: str | None) -> ClassFacts:
    """The facts about a class, after checking that it is a builder that takes the parameters. It is not called."""
    if not _is_of(class_path, plugins):
        package = class_path.partition(".")[0]
        raise ConfigError(
            f"{where}: the class {class_path} is not part of {OWN_PACKAGE}, so it is not imported: if you trust the "
            f"class, add 'plugins=[{package}]'"
        )
    try:
        facts = _facts_of(class_path, folder)
    except UnfitClassError as error:
        raise ConfigError(f"{where}: {error}") from error
    accepted = facts.parameters
    for name, value in parameters.items():
        if _is_of(class_path) and _is_made(value):
            _checked(value["class"], value.get("parameters") or {}, f"{where}, parameter '{name}'", (), None)
        if _present(name, accepted) not in accepted:
            present = FORMER_PARAMETERS.get(name)
            hint = f" (now '{present}')" if present else did_you_mean(name, accepted)
            raise ConfigError(
                f"{where}: {class_path} has no parameter '{name}'{hint}\nparameters: {', '.join(accepted) or 'none'}"
            )
        try:
            _json({name: value})
        except TypeError as error:
            raise ConfigError(
                f"{where}: parameter '{name}' is {value!r}: expected a number, a text, true, false, null or a list"
            ) from error
    return facts


def _check_values(class_path: str, parameters: Node, where: str, accepted: Collection[str]) -> None:
    """Raise ConfigError for a parameter of a class of ours that its `fit` refuses, whatever the data."""
    present = {_present(name, accepted): value for name, value in parameters.items()}
    try:
        _made(class_path, present)._check_parameters()
    except (TypeError, ValueError) as error:
        raise ConfigError(f"{where}: {error}") from error


def _is_made(value: object) -> bool:
    """Whether a parameter's value describes an object of ours: `{class: PATH, parameters: {NAME: VALUE}}`."""
    return isinstance(value, dict) and set(value) <= {"class", "parameters"} and isinstance(value.get("class"), str)


def _made(class_path: str, parameters: Node) -> Any:
    """Make an object of a class of `algorithms`, including any parameters that describe objects."""
    if not _is_of(class_path):
        raise ValueError(f"{class_path} is not of {OWN_PACKAGE}")
    arguments = {
        name: _made(value["class"], value.get("parameters") or {}) if _is_made(value) else value
        for name, value in parameters.items()
    }
    return class_named(class_path)(**arguments)


def _facts_of(class_path: str, folder: str | None) -> ClassFacts:
    return ClassFacts.of(class_path) if _is_of(class_path) else facts_of_plugin(class_path, folder)
