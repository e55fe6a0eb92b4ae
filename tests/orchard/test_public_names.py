"""`orchard` holds the public names and nothing else: as they are listed, documented and defined."""

from __future__ import annotations

import doctest
import inspect
import re
import subprocess
import sys
import textwrap
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import pytest

import algorithms
import orchard
from algorithms.estimators.data_set_classifier import DataSetClassifier
from algorithms.trees.arrays import TreeArrays
from algorithms.trees.decision_tree import DecisionTree

ROOT = Path(orchard.__file__).resolve().parents[1]
MODULES = [
    result.name
    for result in walk_packages(algorithms.__path__, "algorithms.")
    if "mio" not in result.name  # whose solvers may be missing
]


def estimators(base: type) -> set[type]:
    """The classes of ours that extend a class and can be called."""
    below = {each for kind in base.__subclasses__() for each in (kind, *estimators(kind))}
    own = {each for each in below if each.__module__.startswith("algorithms.")}
    return {each for each in own if not each.__abstractmethods__ and not each.__name__.startswith("_")}  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", orchard.__all__)
def test_a_public_name_is_what_its_module_offers(name: str) -> None:
    value = getattr(orchard, name)
    module, own = orchard._MODULES[name]  # type: ignore[attr-defined]
    assert own in import_module(module).__all__
    assert getattr(import_module(module), own) is value
    assert own == name
    assert not isinstance(value, type) or value.__name__ == name
    if isinstance(value, type) or callable(value):
        assert value.__doc__


@pytest.mark.parametrize("name", [name for name in orchard.__all__ if not name.endswith("Classifier")])
def test_the_example_of_a_public_name_runs_with_public_names_alone(name: str) -> None:
    for example in doctest.DocTestFinder(recurse=False).find(getattr(orchard, name), name, globs={}):
        assert "algorithms" not in example.docstring or not example.examples
        if name == "to_onnx":
            pytest.importorskip("onnx")
        assert doctest.DocTestRunner(optionflags=doctest.FAIL_FAST).run(example).failed == 0


def documented(name: str) -> list[str]:
    """What must be documented of a public name: parameters of a function, fields of a record."""
    value = getattr(orchard, name)
    if not callable(value) or name.endswith("Classifier"):  # estimators have tests of their own
        return []
    if not isinstance(value, type):
        return [*inspect.signature(value).parameters]
    value = TreeArrays if value is DecisionTree else value  # whose fields it documents
    return [field for field in getattr(value, "__annotations__", {}) if not field.startswith("_")]


@pytest.mark.parametrize("name", [name for name in orchard.__all__ if documented(name)])
def test_parameters_and_fields_of_a_public_name_are_documented_with_an_example(name: str) -> None:
    value = getattr(orchard, name)
    sections = re.split(r"^(\w+)\n-+$", inspect.getdoc(value) or "", flags=re.MULTILINE)
    entries = re.findall(r"^([\w, ]+) : \S", "".join(sections[2::2]), re.MULTILINE)
    plain = re.findall(r"^(\w+)$", "".join(sections[2::2]), re.MULTILINE)  # the name of a field implies its type
    assert set(documented(name)) <= {each for entry in entries for each in entry.split(", ")} | {*plain}
    if isinstance(value, type):
        assert "Examples" in sections or issubclass(value, tuple | Exception) or name == "FrontierPoint"
    else:
        assert {"Parameters", "Returns", "Examples"} <= {*sections}


def test_every_estimator_is_public() -> None:
    for module in MODULES:
        import_module(module)
    import_module("algorithms.optimal.mio.mio_classifiers")
    public = {getattr(orchard, name) for name in orchard.__all__ if name.endswith("Classifier")}
    assert public >= estimators(DataSetClassifier)


def test_the_reference_has_a_page_for_each_name_and_for_no_other() -> None:
    listed = re.findall(r"^   orchard\.(\w+)$", (ROOT / "docs/api.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(listed) == orchard.__all__


def test_completion_shows_the_public_names() -> None:
    assert [name for name in dir(orchard) if not name.startswith("_")] == orchard.__all__
    assert "__version__" in dir(orchard)
    assert re.fullmatch(r"\d+\.\d+\.\d+\w*", orchard.__version__)


def test_a_name_that_is_misspelt_is_answered_with_the_nearest() -> None:
    with pytest.raises(AttributeError, match=r"no attribute 'C45Clasifier'; did you mean C45Classifier\?"):
        orchard.C45Clasifier  # noqa: B018
    with pytest.raises(AttributeError, match=r"no attribute 'c45'; did you mean C45Classifier\?"):
        orchard.c45  # noqa: B018
    with pytest.raises(ImportError, match="nothing_like_it"):
        from orchard import nothing_like_it  # type: ignore[attr-defined] # noqa: F401


def run(program: str) -> str:
    done = subprocess.run(
        [sys.executable, "-P", "-c", textwrap.dedent(program)],
        env={"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def test_importing_it_imports_nothing_of_ours_and_takes_no_time() -> None:
    program = """
        import sys, time
        began = time.process_time()
        import orchard
        spent = time.process_time() - began
        assert spent < 0.1, spent
        print(sorted({"algorithms", "pipeline", "numpy", "numba", "sklearn", "dask", "matplotlib"} & set(sys.modules)))
    """
    assert run(program) == "[]\n"


def test_using_all_of_it_imports_neither_the_pipeline_nor_what_it_needs() -> None:
    program = """
        import sys
        from orchard import *
        print(C45Classifier.__name__)
        print(sorted({"pipeline", "dask", "distributed", "hydra", "duckdb", "matplotlib"} & set(sys.modules)))
    """
    assert run(program) == "C45Classifier\n[]\n"


def test_types_are_known_to_those_who_use_it(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    program = tmp_path / "user.py"
    program.write_text(
        "from orchard import C45Classifier, DEPTH\nreveal_type(C45Classifier)\nreveal_type(DEPTH.name)\n"
    )
    options = ["--strict", "--no-incremental", "--follow-imports=skip", "--config-file="]  # else numpy's for 10 s
    read = ["orchard/__init__.pyi", "algorithms/trees/costs.py"]
    read += [f"algorithms/induction/c45/{name}.py" for name in ("__init__", "c45_classifier")]
    done = subprocess.run(
        [sys.executable, "-m", "mypy", *options, str(program), *read],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert '.C45Classifier"' in done.stdout, done.stdout
    assert 'Revealed type is "str"' in done.stdout or 'Revealed type is "builtins.str"' in done.stdout, done.stdout
