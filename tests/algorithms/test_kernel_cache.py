"""Compiled kernels that are kept: never those of other sources, for other processors, or of other users."""

from __future__ import annotations

import ast
import importlib
import os
import shutil
import time
from pathlib import Path

import numba
import pytest
from numba.core.dispatcher import Dispatcher

import algorithms._numba
from algorithms._numba import caching as cache
from tests.algorithms.programs import run

SOURCES = Path(algorithms._numba.__file__).parent
COMPILING = "Compiling kernels"

KERNELS = {
    "constants": "STEP = 1\n",
    "called": """
from algorithms.loops.constants import STEP
from algorithms._numba.decorators import inner, inlined

@inner
def add(number):
    return number + STEP

@inlined
def twice(number):
    return 2 * number
""",
    "calling": """
from algorithms.loops.called import add, twice
from algorithms._numba.decorators import kernel

@kernel
def calling(number):
    return twice(add(number))
""",
}
"""A kernel, what it calls, and a constant of that, each in a file."""

CALL = "from algorithms.loops.calling import calling\nprint(calling(10))\n"


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A folder with what keeps kernels, and three small files of kernels."""
    folder = tmp_path / "package"
    kernels = folder / "algorithms" / "loops"
    kernels.mkdir(parents=True)
    for package in (kernels, kernels.parent):
        (package / "__init__.py").touch()
    shutil.copytree(SOURCES, kernels.parent / "_numba")
    announcement = kernels.parent / "_numba" / "announcement.py"
    reported = announcement.read_text()
    assert "AFTER_SECONDS = 2.0" in reported
    announcement.write_text(reported.replace("AFTER_SECONDS = 2.0", "AFTER_SECONDS = 0.0"))
    for name, source in KERNELS.items():
        (kernels / f"{name}.py").write_text(source)
    return folder


def edit(package: Path, name: str, before: str, after: str) -> None:
    path = package / "algorithms" / "loops" / f"{name}.py"
    assert before in path.read_text()
    path.write_text(path.read_text().replace(before, after))


def states(package: Path, name: str) -> list[Path]:
    """The folders of kernels that are kept for a file."""
    return list((package / "algorithms" / "__pycache__").glob(f"orchard-kernels-*/loops/{name}/*"))


def test_a_change_of_what_a_kernel_calls_or_reads_is_compiled(package: Path) -> None:
    first = run(CALL, package)
    assert (first.stdout, COMPILING in first.stderr) == ("22\n", True)
    edit(package, "called", "return number + STEP", "return number - STEP")
    assert run(CALL, package).stdout == "18\n"
    edit(package, "constants", "STEP = 1", "STEP = 5")
    assert run(CALL, package).stdout == "10\n"
    edit(package, "called", "return 2 * number", "return 3 * number")
    assert run(CALL, package).stdout == "15\n"
    edit(package, "called", "return 3 * number", "return 2 * number")
    edit(package, "constants", "STEP = 5", "STEP = 1")
    back = run(CALL, package)
    assert (back.stdout, COMPILING in back.stderr) == ("18\n", False)
    assert len(states(package, "calling")) == cache.KEPT


def test_a_change_leaves_kernels_that_do_not_depend_on_it(package: Path) -> None:
    other = package / "algorithms" / "loops" / "other.py"
    other.write_text(KERNELS["calling"].replace("return twice(add(number))", "return number"))
    call = "from algorithms.loops.other import calling\nprint(calling(10))\n"
    for program in (CALL, call):
        assert COMPILING in run(program, package).stderr
    edit(package, "calling", "twice(add(number))", "add(twice(number))")
    assert run(CALL, package).stdout == "21\n"
    assert [len(states(package, name)) for name in ("calling", "called", "other")] == [2, 1, 1]
    done = run(call, package)
    assert (done.stdout, done.stderr) == ("10\n", "")


def test_kernels_are_stale_until_those_of_the_present_sources_are_kept(package: Path) -> None:
    ask = "from algorithms._numba.caching import is_stale\nprint(is_stale())"
    answers = [run(ask, package).stdout]
    run(CALL, package)
    answers.append(run(ask, package).stdout)
    edit(package, "constants", "STEP = 1", "STEP = 2")
    answers.append(run(ask, package).stdout)
    assert answers == ["True\n", "False\n", "True\n"]


def test_a_named_tuple_with_other_fields_is_compiled_again(package: Path) -> None:
    """Where its class is in a file that the kernel does not import."""
    loops = package / "algorithms" / "loops"
    (loops / "pair.py").write_text("from typing import NamedTuple\n\nclass Pair(NamedTuple):\n    a: int\n    b: int\n")
    first = "from algorithms._numba.decorators import kernel\n\n@kernel\ndef first(pair):\n    return pair.a\n"
    (loops / "first.py").write_text(first)
    call = (
        "from algorithms.loops.pair import Pair\nfrom algorithms.loops.first import first\nprint(first(Pair(a=1, b=2)))"
    )
    assert run(call, package).stdout == "1\n"
    edit(package, "pair", "    a: int\n    b: int\n", "    b: int\n    a: int\n")
    assert run(call, package).stdout == "1\n"


def test_modules_that_a_kernel_does_not_need_are_left_to_code_that_does(package: Path) -> None:
    """SciPy's linear algebra, which numba calls for products of matrices, and what only the compiler needs."""
    program = (
        CALL
        + "import sys\nimport numba, numpy as np\n"
        + "print([name in sys.modules for name in ('scipy.linalg', 'numba.np.arraymath')])\n"
        + "product = numba.njit(lambda a, b: np.dot(a, b))(np.eye(2), np.array([[1.0, 2.0], [3.0, 4.0]]))\n"
        + "print(product.tolist(), 'scipy.linalg' in sys.modules)\n"
    )
    for compiles in (True, False):  # or loads what the first has compiled
        assert run(program, package).stdout == f"22\n[False, {compiles}]\n[[1.0, 2.0], [3.0, 4.0]] True\n"


def test_compiled_kernels_serve_a_copy_elsewhere(package: Path, tmp_path: Path) -> None:
    """Of the same sources with the folder beside them, whatever their path and times."""
    assert run(CALL, package).stdout == "22\n"
    copy = tmp_path / "elsewhere" / "copy"
    shutil.copytree(package, copy, copy_function=shutil.copyfile)  # with times of their own
    done = run(CALL, copy)
    assert (done.stdout, done.stderr) == ("22\n", "")
    done = run(CALL, copy, NUMBA_CACHE_LOCATOR_CLASSES="UserWideCacheLocator")
    assert (done.stdout, done.stderr) == ("22\n", "")


def test_kernels_compiled_while_sources_change_are_not_kept(package: Path) -> None:
    program = (
        "from pathlib import Path\nfrom algorithms.loops import constants\n"
        "Path(constants.__file__).write_text('STEP = 3')\n" + CALL
    )
    assert run(program, package).stdout == "22\n"
    edit(package, "constants", "STEP = 3", "STEP = 1\n")
    back = run(CALL, package)
    assert (back.stdout, COMPILING in back.stderr) == ("22\n", True)


def empty(path: Path) -> None:
    path.write_bytes(b"")


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-20])


def overwritten(path: Path) -> None:
    path.write_bytes(bytes(len(path.read_bytes())))


def not_a_file(path: Path) -> None:
    path.unlink()
    path.mkdir()


def test_damaged_files_are_compiled_again_and_replaced(package: Path) -> None:
    damages = [(how, suffix) for suffix in ("nbc", "nbi") for how in (empty, cut, overwritten, Path.unlink)]
    damages.append((not_a_file, "nbc"))
    functions = "".join(f"\n@kernel\ndef f{index}(n):\n    return n + {index}\n" for index in range(len(damages)))
    (package / "algorithms" / "loops" / "many.py").write_text(
        "from algorithms._numba.decorators import kernel\n" + functions
    )
    program = (
        "from algorithms.loops import many\n"
        f"print([getattr(many, f'f{{index}}')(100) for index in range({len(damages)})])\n"
    )
    expected = f"{[100 + index for index in range(len(damages))]}\n"
    assert run(program, package).stdout == expected
    (folder,) = states(package, "many")
    for index, (damage, suffix) in enumerate(damages):
        (path,) = folder.rglob(f"many.f{index}-*.{suffix}")
        damage(path)
    damaged = run(program, package)
    assert (damaged.stdout, COMPILING in damaged.stderr) == (expected, True)
    for path in folder.rglob("many.f8-*.nbc"):
        path.rmdir()
    assert run(program, package).stdout == expected
    mended = run(program, package)
    assert (mended.stdout, mended.stderr) == (expected, "")


def test_each_processor_and_each_setting_of_numba_has_a_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    result = {cache._digest_of_environment()}
    assert result == {cache._digest_of_environment()}
    for name, value in (("CPU_NAME", "generic"), ("CPU_FEATURES", "+sse2"), ("BOUNDSCHECK", 1), ("OPT", 0)):
        with monkeypatch.context() as patch:
            patch.setattr(numba.config, name, value)
            result.add(cache._digest_of_environment())
    for module in (numba, cache.llvmlite):
        with monkeypatch.context() as patch:
            patch.setattr(module, "__version__", "0.1.2")
            result.add(cache._digest_of_environment())
    with monkeypatch.context() as patch:
        patch.setattr(cache.llvm, "get_host_cpu_name", lambda: "another")
        result.add(cache._digest_of_environment())
    assert len(result) == 8


def test_the_folder_is_the_owners_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path / "chosen"))
    folder = cache._folder()
    assert folder is not None
    assert folder.parent == tmp_path / "chosen"
    assert folder.stat().st_mode & 0o777 == 0o700
    assert cache._folder() == folder

    beside = tmp_path / "beside"
    monkeypatch.setattr(cache, "_parents", lambda: iter([tmp_path / "chosen", beside]))
    folder.chmod(0o770)
    assert cache._folder() == beside / folder.name
    folder.chmod(0o700)
    with monkeypatch.context() as patch:
        patch.setattr(os, "geteuid", lambda: 12345)
        assert cache._folder() is None
    folder.rmdir()
    folder.symlink_to(beside / folder.name)
    assert cache._folder() == beside / folder.name


@pytest.mark.parametrize(("mode", "used"), [(0o777, False), (0o1777, True), (0o775, True)])
def test_a_folder_that_anyone_may_replace_is_not_used(
    mode: int, used: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shared, own = tmp_path / "shared", tmp_path / "own"
    shared.mkdir()
    shared.chmod(mode)
    monkeypatch.setattr(cache, "_parents", lambda: iter([shared, own]))
    folder = cache._folder()
    assert folder is not None
    assert folder.parent == (shared if used else own)


def test_the_folder_is_beside_the_package_or_in_the_users_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(numba.config, "CACHE_DIR", "")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    beside, home = cache._parents()
    assert (beside, home) == (cache.PACKAGE / "__pycache__", tmp_path / "cache" / "orchard-kernels")
    (tmp_path / "file").touch()
    monkeypatch.setattr(cache, "_parents", lambda: iter([tmp_path / "file", home]))
    folder = cache._folder()
    assert folder is not None
    assert folder.parent == home
    assert not caplog.records
    monkeypatch.setattr(cache, "_parents", lambda: iter([tmp_path / "file"]))
    assert cache._folder() is None
    assert "Set NUMBA_CACHE_DIR to a folder that only you can write to" in caplog.text


def test_kernels_are_compiled_where_no_folder_can_be_written(package: Path, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (package / "algorithms" / "__pycache__").touch()
    program = CALL + "print(calling.stats.cache_path)"
    done = run(program, package, XDG_CACHE_HOME=str(tmp_path / "file"))
    assert done.stdout == "22\nNone\n"
    assert "Each process compiles the kernels again" in done.stderr


def test_old_folders_are_removed_and_nothing_else(tmp_path: Path) -> None:
    now = time.time()

    def made(name: str, days: float) -> Path:
        folder = tmp_path / name
        folder.mkdir(mode=0o700, parents=True)
        (folder / "kernel.nbi").touch()
        os.utime(folder, (now - 86_400 * days,) * 2)
        return folder

    environments = [made(f"all/orchard-kernels-{days:016x}", days) for days in (0, 10, 40)]
    made(f"all/orchard-kernels-{0:016x}-{0:016x}", 40)  # of an earlier version
    strange = [made(f"all/{name}", 99) for name in ("orchard-main", "kernels", "orchard-kernels-0")]
    cache._remove_unused(tmp_path / "all")
    assert {*(tmp_path / "all").iterdir()} == {*environments[:2], *strange}
    known = [made(f"all/file/{days:016x}", days) for days in range(5)]
    other = made("all/file/package", 99)
    cache._remove_old(tmp_path / "all" / "file")
    assert {*(tmp_path / "all" / "file").iterdir()} == {*known[:3], other}


def test_numba_is_left_as_it_was_for_kernels_of_others(package: Path, tmp_path: Path) -> None:
    program = (
        f"{CALL}import numba, sys\nsys.path.append({str(tmp_path)!r})\nimport theirs\ntheirs.f(1)\n"
        "print(repr(numba.config.CACHE_DIR), theirs.f.stats.cache_path)"
    )
    (tmp_path / "theirs.py").write_text("from numba import njit\n@njit(cache=True)\ndef f(n):\n    return n\n")
    done = run(program, package)
    assert done.stdout.splitlines()[1] == f"'' {tmp_path / '__pycache__'}"
    chosen = tmp_path / "chosen"
    done = run(program, package, NUMBA_CACHE_DIR=str(chosen))
    assert done.stdout.splitlines()[1].startswith(f"'{chosen}' {chosen}")
    assert {path.name.rpartition("-")[0] for path in chosen.iterdir()} == {"orchard-kernels", ""}


def modules_of_kernels() -> list[str]:
    return ["algorithms." + name.removesuffix(".py").replace("/", ".") for name in cache.SOURCES]


def test_all_kernels_are_kept_in_the_folder_of_the_digest() -> None:
    kept = 0
    for name in modules_of_kernels():
        for kernel in vars(importlib.import_module(name)).values():
            if isinstance(kernel, Dispatcher):
                path = kernel.stats.cache_path
                assert path is None or Path(path).is_relative_to(cache.FOLDER), kernel
                assert path is None or isinstance(kernel._cache, cache.KernelCache)
                kept += path is not None
    assert kept > 100


def test_the_digest_covers_all_that_kernels_are_compiled_from() -> None:
    """Nothing else uses numba, and what kernels import of ours are modules of the digest, with no module of Python."""
    for path in cache.PACKAGE.rglob("*.py"):
        inside = str(path.relative_to(cache.PACKAGE)) in cache.SOURCES
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                assert not node.level, path
                names = [str(node.module)]
            else:
                continue
            for name in names:
                package, _, module = name.partition(".")
                if inside and package == "algorithms":
                    assert f"{module.replace('.', '/')}.py" in cache.SOURCES, f"{path} imports {name}"
                assert inside or package != "numba" or path.parent == SOURCES, f"{path} imports {name}"
    others = ("data_set", "trees/arrays", "trees/decision_tree", "trees/export", "optimal/instance")
    assert not [name for name in cache.SOURCES if name.startswith(others)]


def test_the_digest_depends_on_names_and_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "PACKAGE", tmp_path)

    def digest() -> str:
        return cache.digest_of_sources(cache.sources_of_kernels())

    results = [digest()]
    (tmp_path / "inside").mkdir()
    (tmp_path / "_numba").mkdir()
    a = "from algorithms._numba.decorators import kernel\nfrom algorithms.inside.b import (\n    ONE,\n)\n"
    for name, source in (("_numba/decorators.py", ""), ("a.py", a), ("a.py", a + "2"), ("inside/b.py", "ONE = 1")):
        (tmp_path / name).write_text(source)
        results.append(digest())
    (tmp_path / "a.py").rename(tmp_path / "c.py")
    results.append(digest())
    assert len(set(results)) == len(results) - 1  # the decorators alone are no kernel
    (tmp_path / ".#a.py").symlink_to(tmp_path / "gone")
    (tmp_path / "notes.txt").touch()
    (tmp_path / "caller.py").write_text("from algorithms.c import called\n")
    assert digest() == results[-1]
