"""What is shipped, and what may import what."""

from __future__ import annotations

import ast
import re
import shutil
import sys
import tomllib
import zipfile
from importlib.util import find_spec
from pathlib import Path

import pytest
from omegaconf import OmegaConf

from pipeline import import_path
from pipeline.command import TOOLS, main
from tests.oracles.beside import absent
from tests.pipeline.command_line import ROOT, ran

TESTED = (ROOT / "pipeline/grids").glob("*/tests/*.py")
PIPELINE = sorted({*(ROOT / "pipeline").rglob("*.py")} - {ROOT / "pipeline/grids/conftest.py", *TESTED})
LIBRARY = sorted(
    [*(ROOT / "algorithms").rglob("*.py"), *(ROOT / "orchard").glob("*.py*"), ROOT / "algorithms/py.typed"]
)


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported(path: Path) -> set[str]:
    """The packages that a file imports anywhere in it."""
    result = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            result |= {name.name.partition(".")[0] for name in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            result.add((node.module or "").partition(".")[0])
    return result


def test_one_module_submits_to_workers() -> None:
    users = {module_name(path) for path in PIPELINE if {"dask", "distributed"} & imported(path)}
    reading = {"pipeline.work.limits"}  # how much memory a worker may take
    assert {user for user in users if not user.startswith("pipeline.cluster.")} <= {
        "pipeline.driver.submission"
    } | reading


@pytest.mark.parametrize("file", sorted((ROOT / "conf").rglob("*.yaml")), ids=lambda file: file.stem)
def test_every_configuration_says_what_it_is(file: Path) -> None:
    comments = [line for line in file.read_text(encoding="utf-8").splitlines() if line.startswith("# ")]
    assert [line for line in comments if not line.startswith("# @package")]
    OmegaConf.load(file)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    """The wheel, built from a copy of what is shipped."""
    folder = tmp_path_factory.mktemp("wheel")
    source = folder / "source"
    for name in ("orchard", "algorithms", "pipeline", "conf"):
        shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    alone = ["--no-build-isolation"] if find_spec("hatchling") else []
    built = ran(sys.executable, "-m", "pip", "wheel", ".", "--no-deps", "-q", "-w", folder, *alone, cwd=source)
    if built.returncode and not alone and "hatchling" in built.stderr:
        absent("hatchling is neither installed nor to be had")
    assert built.returncode == 0, built.stderr
    (path,) = folder.glob("*.whl")
    return zipfile.ZipFile(path)


def test_the_wheel_holds_all_packages_configurations_and_printed_values(wheel: zipfile.ZipFile) -> None:
    held = set(wheel.namelist())
    sources = {path.relative_to(ROOT).as_posix() for path in (*PIPELINE, *LIBRARY)}
    configurations = {"pipeline/" + path.relative_to(ROOT).as_posix() for path in (ROOT / "conf").rglob("*.yaml")}
    folders = [path for path in (ROOT / "pipeline/grids").rglob("*") if path.suffix in {".csv", ".yaml", ".md"}]
    printed = {path.relative_to(ROOT).as_posix() for path in folders if "tests" not in path.parts}
    templates = {path.relative_to(ROOT).as_posix() for path in (ROOT / "pipeline/report/templates").iterdir()}
    assert (sources | configurations | printed | templates) - held == set()
    assert printed
    assert len(templates) >= 6
    assert len(configurations) >= 3
    assert [name for name in held if name.startswith(("tests", "benchmarks", "outputs", "conf/"))] == []
    assert [name for name in held if "/tests/" in name or "conftest" in name] == []


def test_the_wheel_says_its_licence_and_commands(wheel: zipfile.ZipFile) -> None:
    (metadata,) = [name for name in wheel.namelist() if name.endswith(".dist-info/METADATA")]
    assert "License-Expression: MIT" in wheel.read(metadata).decode()
    assert [name for name in wheel.namelist() if name.endswith("licenses/LICENSE")]
    (entries,) = [name for name in wheel.namelist() if name.endswith("entry_points.txt")]
    assert "orchard = pipeline.entry:main" in wheel.read(entries).decode()


def test_an_installed_wheel_finds_its_grids_from_anywhere(wheel: zipfile.ZipFile, tmp_path: Path) -> None:
    wheel.extractall(tmp_path / "site")
    (tmp_path / "work").mkdir()
    words = ("+grid=greedy_vs_dp", "--cfg", "job")
    done = ran(
        *(sys.executable, "-P", "-m", "pipeline", *words), cwd=tmp_path / "work", PYTHONPATH=str(tmp_path / "site")
    )
    assert done.returncode == 0, done.stderr
    assert "grid: greedy_vs_dp" in done.stdout


def test_a_command_without_its_packages_says_what_to_type(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    result = import_path.find_spec
    monkeypatch.setattr(import_path, "find_spec", lambda name: None if name in {"dask", "jinja2"} else result(name))
    assert main(["+grid=greedy_vs_dp"]) == 2
    assert capsys.readouterr().err == (
        "orchard: this command needs dask, which cannot be imported: pip install 'orchard-trees[pipeline]'\n"
    )
    assert main(["report"]) == 2
    assert "pip install 'orchard-trees[pipeline,report]'" in capsys.readouterr().err.replace("\n", " ")


@pytest.mark.parametrize("tool", ["pipeline", *(f"pipeline.{name}" for name in TOOLS)])
def test_without_the_extra_each_command_says_what_to_type(tool: str) -> None:
    code = (
        "import runpy, sys\n"
        f"sys.modules.update(dict.fromkeys({import_path.MODULES['pipeline']}))\n"
        f"sys.argv = ['orchard', '--help']\nrunpy.run_module({tool!r}, run_name='__main__')"
    )
    done = ran(sys.executable, "-c", code)
    assert done.returncode == 2
    assert done.stderr.startswith("orchard: this command needs cryptography, dask")
    assert done.stderr.count("\n") == 1


def test_the_check_of_an_extra_covers_what_it_installs() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    import_names = {"hydra": "hydra-core", "yaml": "pyyaml"}
    for extra, modules in import_path.MODULES.items():
        installs = {re.match(r"[a-z0-9-]+", each)[0] for each in extras[extra]} - {"orchard-trees"}  # type: ignore[index]
        assert {import_names.get(module, module) for module in modules} == installs


LIBRARY_ALONE = """
import importlib, os, pkgutil, sys
os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # Hydra has one
sys.path.insert(0, {root!r})

class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {absent!r}:
            raise ModuleNotFoundError(name, name=name)

sys.meta_path.insert(0, Absent())
import algorithms, orchard
for name in orchard.__all__:
    getattr(orchard, name)
for found in pkgutil.walk_packages(algorithms.__path__, "algorithms."):
    if not found.name.startswith("algorithms.optimal.mio.") or found.name.endswith(".classifiers"):
        importlib.import_module(found.name)
import pytest
options = ["-o", "addopts=--import-mode=importlib", "-p", "no:cacheprovider", "-p", "pytest_timeout"]
sys.exit(pytest.main(["--collect-only", "-q", *options, "tests/algorithms", "tests/orchard"]))
"""


def test_the_library_and_its_tests_need_nothing_of_the_pipeline() -> None:
    absent = {"pipeline", "highspy", "pyscipopt", "pandas", "onnx", *sum(import_path.MODULES.values(), ())}
    program = LIBRARY_ALONE.format(root=str(ROOT), absent=absent)
    done = ran(sys.executable, "-P", "-c", program, cwd=ROOT, seconds=240)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
