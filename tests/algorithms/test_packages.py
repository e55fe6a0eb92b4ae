"""A package imports nothing: import-linter compares the modules in a package with each other, not with the package."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import algorithms

FOLDER = Path(algorithms.__file__).parent


@pytest.mark.parametrize("path", sorted(FOLDER.rglob("__init__.py")), ids=lambda path: path.parent.name)
def test_a_package_holds_only_its_docstring(path: Path) -> None:
    body = ast.parse(path.read_text(encoding="utf-8")).body
    assert [type(statement) for statement in body] == [ast.Expr]
