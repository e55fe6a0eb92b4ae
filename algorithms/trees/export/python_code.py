"""A decision tree as a Python function."""

from __future__ import annotations

import builtins
import math
from collections.abc import Hashable, Sequence
from keyword import iskeyword
from typing import Any
from unicodedata import normalize

from algorithms.data.table import Labels
from algorithms.rounding import EQUAL_RATIO
from algorithms.trees.arrays import NodeKind
from algorithms.trees.export.questions import Case, Exported, Question, exported, exporter
from algorithms.trees.export.statements import Program

FORM = "Python"

LITERALS = (str, bool, int, float, bytes, type(None))


@exporter
def to_python(
    tree: Any, labels: Labels | Sequence[str] | None = None, *, complete: bool = False, name: str = "predict"
) -> str:
    """The tree as the source of a Python function that needs no packages.

    The function takes a row, which is a mapping from names of attributes to values, and returns the decision. None and
    NaN are missing values.

    Parameters
    ----------
    tree, labels, complete
    name : str, default="predict"
        The name of the function.

    Returns
    -------
    str
        The source.

    Raises
    ------
    ExportError
        A value or a decision has no literal in Python, two attributes have the same name, or a coefficient is infinite.
    ValueError
        Python does not allow `name` as the name of a function.

    Examples
    --------
    >>> from orchard import ID3Classifier, to_python
    >>> fitted = ID3Classifier().fit([["red"], ["red"], ["blue"]], ["stop", "stop", "go"])
    >>> print(to_python(fitted))
    def predict(row):
        value = row['f1']
        if value == 'blue':
            return 'go'
        elif value == 'red':
            return 'stop'
        else:
            return 'stop'
    >>> scope = {}
    >>> exec(to_python(fitted), scope)
    >>> scope["predict"]({"f1": "blue"})
    'go'
    """
    if not name.isidentifier() or iskeyword(name) or hasattr(builtins, normalize("NFKC", name)):  # as Python reads it
        raise ValueError(f"name is {name!r}: expected a name that Python allows, neither a keyword nor a built-in name")
    read = exported(tree, labels, FORM, complete=complete)
    read.refuse_infinite()
    read.refuse_equal_names()
    return _Python(read, name).text()


class _Python(Program):
    def __init__(self, read: Exported, name: str) -> None:
        super().__init__(read, name)
        self._decisions = [self._literal(decision, 0) for decision in read.decisions]

    def text(self) -> str:
        """The whole source."""
        functions = self.functions()
        helpers = []
        if self.read.shares:
            helpers.append(
                f"def _{self.name}_most(shares):\n"
                f"    least = max(shares) * {EQUAL_RATIO!r}\n"
                f"    return [{', '.join(self._decisions)}]"
                "[next(code for code, share in enumerate(shares) if share >= least)]"
            )
        return "\n\n\n".join(functions + helpers)

    def opened(self, node: int, *, adds: bool) -> list[str]:
        arguments = "row, share, shares" if adds else "row"
        return [f"def {self.function(node, adds=adds)}({arguments}):"]

    def value(self, question: Question) -> list[str]:
        columns = [f"row[{self.read.attribute_name(attribute)!r}]" for _, attribute in question.terms]
        joins_last = question.kind != NodeKind.CODES and question.cases[-1].missing
        as_number = ["value = float('nan') if value is None else value"] if joins_last else []
        if question.kind != NodeKind.LINEAR:
            return [f"value = {columns[0]}", *as_number]
        terms = [f"{factor!r} * {column}" for (factor, _), column in zip(question.terms, columns, strict=True)]
        total = " + ".join(terms)
        if self.read.complete:
            return [f"value = {total}"]
        return [f"value = None if None in ({', '.join(columns)},) else {total}", *as_number]

    def condition(self, question: Question, case: Case) -> str:
        alternatives = ["value is None", "value != value"] if case.missing else []
        codes = [self._literal(self.read.value(question.attribute, code), question.node) for code in case.codes]
        if case.missing and question.kind == NodeKind.CODES and self.read.values(question.attribute) is None:
            alternatives.append("value < 0")
        if codes:
            alternatives.append(f"value == {codes[0]}" if len(codes) == 1 else f"value in ({', '.join(codes)})")
        for above, bound in case.intervals:
            alternatives.append(f"value <= {bound!r}" if math.isinf(above) else f"{above!r} < value <= {bound!r}")
        return " or ".join(alternatives)

    def head(self, condition: str, *, first: bool) -> str:
        return f"{'if' if first else 'elif'} {condition}:" if condition else "else:"

    def decision(self, code: int) -> str:
        return self._decisions[code]

    def zeros(self, decisions: int) -> str:
        return f"shares = [0.0] * {decisions}"

    def _literal(self, value: Hashable, node: int) -> str:
        if type(value) in LITERALS and not (isinstance(value, float) and not math.isfinite(value)):
            return repr(value)
        reason = f"the label {value!r} of type {type(value).__name__} has no literal; give labels of text or numbers"
        raise self.read.error(None if value in self.read.decisions else node, reason)
