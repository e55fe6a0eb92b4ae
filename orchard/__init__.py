"""Decision trees: scikit-learn estimators, exact minima and Pareto fronts over decision tables, exporters.

Start with `C45Classifier().fit(X, y)` or `OCTClassifier().fit(X, y)`. Each name is imported when it is first used.
"""

from __future__ import annotations

import ast
from importlib import import_module
from pathlib import Path
from typing import Any

__version__ = "0.1.0"

_MODULES = {
    name.asname: (line.module, name.name)
    for line in ast.parse(Path(__file__).with_suffix(".pyi").read_text(encoding="utf-8")).body
    if isinstance(line, ast.ImportFrom)
    for name in line.names
}
__all__ = sorted(_MODULES)  # noqa: PLE0605 - of the stub, which mypy and editors read


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        from difflib import get_close_matches

        longer = [known for known in __all__ if len(name) > 2 and known.lower().startswith(name.lower())]
        near = longer or get_close_matches(name, __all__, 1, 0.7)
        raise AttributeError(
            f"module 'orchard' has no attribute {name!r}" + (f"; did you mean {near[0]}?" if near else "")
        )
    module, defined = _MODULES[name]
    globals()[name] = value = getattr(import_module(module), defined)
    return value


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
