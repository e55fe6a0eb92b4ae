"""A package exports no names but those of its own modules, which do not import the package: there are no circles.

import-linter compares the modules in a package with each other, not with the package.
"""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import algorithms

FOLDER = Path(algorithms.__file__).parent


def module_of(folder: Path) -> str:
    return ".".join(folder.relative_to(FOLDER.parent).parts)


def imported(path: Path) -> set[str]:
    nodes = [node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.ImportFrom)]
    return {str(node.module) for node in nodes} - {"__future__"}


@pytest.mark.parametrize("path", sorted(FOLDER.rglob("__init__.py")), ids=lambda path: path.parent.name)
def test_a_package_holds_its_docstring_and_exports_at_most(path: Path) -> None:
    body = ast.parse(path.read_text(encoding="utf-8")).body
    if [type(statement) for statement in body] == [ast.Expr]:
        return
    assert {type(statement) for statement in body} == {ast.Expr, ast.ImportFrom, ast.Assign}
    package = module_of(path.parent)
    assert {module.rpartition(".")[0] for module in imported(path)} == {package}
    for module in path.parent.rglob("*.py"):
        assert package not in imported(module), f"{module} imports {package}"


def test_no_two_modules_have_one_name() -> None:
    names = [path.stem for path in FOLDER.rglob("*.py") if path.stem != "__init__"]
    assert sorted(set(names)) == sorted(names)
