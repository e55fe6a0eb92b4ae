"""Files beside the user are data: none of them is imported by a command or by a process that it starts."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.pipeline.command_line import GRID, ROOT, orchard, ran, rows

MODULES = ("algorithms", "numpy", "dask", "distributed", "json", "typing", "yaml", "hydra", "sitecustomize", "pathlib")
FOLDERS = ("hydra_plugins/x", "omegaconf")
RUN = (*GRID, "tables.count=2", "tables.groups=1")
CONSTANT = '''
from collections import Counter

class Constant:
    """Always the most frequent class."""

    def fit(self, X, y):
        self.class_ = Counter(y).most_common(1)[0][0]
        return self

    def predict(self, X):
        return [self.class_] * len(X)
'''


@pytest.fixture
def script(tmp_path: Path) -> Path:
    """The `orchard` script, as pip makes it, in a folder of its own."""
    (tmp_path / "bin").mkdir()
    result = tmp_path / "bin/orchard"
    result.write_text(
        "import sys\nfrom pipeline.command import main\nif __name__ == '__main__':\n    sys.exit(main())\n"
    )
    return result


@pytest.fixture
def marks(tmp_path: Path) -> Path:
    folder = tmp_path / "marks"
    folder.mkdir()
    return folder


@pytest.fixture
def hostile(finished_once: Path, tmp_path: Path, marks: Path) -> Path:
    """A folder with results, and with modules that leave a mark when they are imported."""
    folder = tmp_path / "hostile"
    shutil.copytree(finished_once, folder)
    for name in MODULES:
        (folder / f"{name}.py").write_text(marking(marks / name))
    for name in FOLDERS:
        (folder / name).mkdir(parents=True)
        (folder / name / "__init__.py").write_text(marking(marks / name.partition("/")[0]))
    return folder


def marking(mark: Path) -> str:
    return f"open({str(mark)!r}, 'w').close()\n"


def test_the_modules_leave_their_marks_where_they_are_imported(hostile: Path, marks: Path) -> None:
    names = (*MODULES, *(name.replace("/", ".") for name in FOLDERS))
    code = "import sys\n" + "\n".join(f"sys.modules.pop({name!r}, None)\nimport {name}" for name in names)
    subprocess.run([sys.executable, "-c", code], cwd=hostile, env={}, check=True)
    assert {mark.name for mark in marks.iterdir()} == {*MODULES, *(name.partition("/")[0] for name in FOLDERS)}


def test_a_run_imports_nothing_that_lies_beside_the_user(hostile: Path, marks: Path) -> None:
    done = orchard(*RUN, "output=a", cwd=hostile)
    assert done.returncode == 0, done.stderr
    assert rows(hostile / "a").num_rows == 2 * 17
    assert list(marks.iterdir()) == []


def test_the_script_runs_even_beside_a_file_of_the_name_of_our_package(
    hostile: Path, marks: Path, script: Path
) -> None:
    (hostile / "pipeline.py").write_text(marking(marks / "pipeline"))
    done = ran(sys.executable, script, *RUN, "output=c", cwd=hostile)
    assert done.returncode == 0, done.stderr
    assert rows(hostile / "c").num_rows == 2 * 17
    dry = ran(sys.executable, script, *RUN, "output=d", "dry_run=true", cwd=hostile)
    assert dry.returncode == 0, dry.stderr
    assert "Sample" in dry.stdout
    assert ran(sys.executable, script, "show", "--table", "3", cwd=hostile).returncode == 0
    assert list(marks.iterdir()) == []


TOOLS = {
    "query": ("select count(*) as n from results",),
    "show": ("--table", "3", "--heuristic", "max/rt"),
    "crate": (),
    "report": (),
    "status": (),
    "documents": ("--proof",),
    "fetch": ("--list",),
}


@pytest.mark.parametrize("tool", TOOLS)
def test_a_tool_imports_nothing_that_lies_beside_the_user(hostile: Path, marks: Path, tool: str) -> None:
    """Called as a module, for which Python itself puts the working folder on its path."""
    done = orchard(*TOOLS[tool], cwd=hostile, module=f"pipeline.{tool}")
    assert done.returncode == 0, done.stderr
    assert list(marks.iterdir()) == []


def test_a_plugin_beside_the_user_is_imported_where_it_is_named_and_nothing_else_is(
    hostile: Path, marks: Path, script: Path
) -> None:
    (hostile / "conf/builder").mkdir(parents=True)
    (hostile / "conf/builder/mine.yaml").write_text("class: my_builders.constant.Constant\n")
    (hostile / "my_builders").mkdir()
    (hostile / "my_builders/__init__.py").touch()
    (hostile / "my_builders/constant.py").write_text(CONSTANT)
    words = (
        *("+grid=compare_builders", "builders=[mine]", "plugins=[my_builders]", "--config-dir", "conf"),
        *("source=[sklearn/iris]", "protocol.folds=2", "cluster.workers=1"),
    )
    refused = ran(sys.executable, script, *words[:2], *words[3:], cwd=hostile)
    assert refused.returncode == 2
    assert "'plugins=[my_builders]'" in refused.stderr
    done = ran(sys.executable, script, *words, "output=a", "chunk=1", cwd=hostile)
    assert done.returncode == 0, done.stderr
    assert set(rows(hostile / "a").column("status").to_pylist()) == {"ok"}
    assert " --plugins my_builders\n" in done.stdout  # the report needs it for the trees of the run
    assert list(marks.iterdir()) == []


def test_packages_that_are_named_are_importable_after_installed_ones(tmp_path: Path) -> None:
    for name in ("mine", "other", "json"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("from_here = True\n")
    code = (
        "import sys, importlib.util\n"
        "from pipeline.import_path import importable\n"
        "importable(['mine.module', 'json'], sys.argv[1])\n"
        "import mine, json\n"
        "print(mine.from_here, hasattr(json, 'from_here'), importlib.util.find_spec('other'))\n"
    )
    done = ran(sys.executable, "-P", "-c", code, tmp_path, cwd=tmp_path)
    assert (done.stdout, done.stderr) == ("True False None\n", "")


@pytest.mark.parametrize("module", ["pipeline", "pipeline.query"])
def test_a_file_that_hides_a_package_of_ours_is_named(tmp_path: Path, module: str) -> None:
    (tmp_path / "algorithms.py").write_text(marking(tmp_path / "mark"))
    done = orchard(*RUN, cwd=tmp_path, module=module, PYTHONPATH=f"{tmp_path}:{ROOT}")
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"orchard: {tmp_path / 'algorithms.py'} hides the package algorithms of Orchard: rename")
    assert [path.name for path in tmp_path.iterdir()] == ["algorithms.py"]


def test_a_package_that_hides_one_of_ours_is_named(tmp_path: Path, script: Path) -> None:
    (tmp_path / "algorithms").mkdir()
    (tmp_path / "algorithms/__init__.py").write_text(marking(tmp_path / "mark"))
    for variable in (str(tmp_path), ""):  # Python takes an empty entry for the working folder
        done = ran(sys.executable, script, "status", cwd=tmp_path, PYTHONPATH=f"{variable}:{ROOT}")
        assert done.returncode == 2
        assert f"{tmp_path / 'algorithms'} hides the package algorithms" in done.stderr
    assert not (tmp_path / "mark").exists()


def test_settings_of_numba_beside_the_user_are_refused(tmp_path: Path) -> None:
    (tmp_path / ".numba_config.yaml").write_text("cache_dir: compiled\n")
    done = orchard(*RUN, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"orchard: numba would read {tmp_path / '.numba_config.yaml'}")
    assert [path.name for path in tmp_path.iterdir()] == [".numba_config.yaml"]


def test_processes_of_a_checkout_that_is_not_installed_import_it(tmp_path: Path) -> None:
    for name in ("pipeline", "algorithms"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("orchard-kernels-*"))
    (tmp_path / "start.py").write_text(
        "import subprocess, sys\n"
        "from pipeline.import_path import protect_children\n"
        "protect_children()\n"
        "code = 'import algorithms, pipeline; print(algorithms.__file__, pipeline.__file__)'\n"
        "subprocess.run([sys.executable, '-S', '-c', code], check=True)\n"
    )
    done = subprocess.run(  # -S: without what is installed
        [sys.executable, "-S", "start.py"], cwd=tmp_path, env={}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == [str(tmp_path / name / "__init__.py") for name in ("algorithms", "pipeline")]


@pytest.mark.parametrize("words", ["", "--help", " ".join(RUN), "status", "query 'select 1'", "fetch --list"])
def test_a_folder_that_is_gone_is_an_error_of_every_command(tmp_path: Path, words: str) -> None:
    script = f"mkdir gone && cd gone && rmdir ../gone && '{sys.executable}' -m pipeline {words}"
    done = ran("bash", "-c", script, cwd=tmp_path)
    message = "cannot use the working folder: No such file or directory; run the command in a folder that you own\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"orchard: {message}")
