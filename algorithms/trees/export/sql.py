"""A decision tree as one SQL expression."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any

from algorithms.data.table import Labels
from algorithms.rounding import EQUAL_RATIO
from algorithms.trees.arrays import ALL_BRANCHES, NO_NODE, NodeKind
from algorithms.trees.export.questions import Case, Exported, Question, exported, exporter, several_types

FORM = "SQL"

LINE = "\0"
"""The end of a line until the whole is written: the only character that no name and no text may have."""

OF_RESULT, OF_TERM, OF_FIRST_TERM = 5, 3, 1
"""Entries on a parser's stack while it reads a result of a CASE, a term of a sum in parentheses or its first term."""
DEEP = 8 * OF_RESULT
"""A result that needs more entries is written last, where it is not nested. SQLite up to 3.45 has at most 100."""
JOINED = 100
"""Most conditions that are joined without parentheses. SQLite joins at most 1000."""

OF_SESSION = {
    *(f"current_{what}" for what in ("catalog", "date", "role", "schema", "time", "timestamp", "user")),
    *("localtime", "localtimestamp", "session_user", "user"),
}
"""Names that DuckDB (up to 2.0, at least) reads as values of the session where a column of an outer query is meant."""

Conditions = list[tuple[str | None, str]]


@dataclass(frozen=True)
class Written:
    """An expression."""

    cases: Conditions  # conditions and results of a CASE; the last, perhaps the only one, has no condition
    depth: int = 0  # the most entries on a parser's stack while it reads the results

    @property
    def text(self) -> str:
        """The expression in SQL."""
        return _case(self.cases)


@exporter
def to_sql(tree: Any, labels: Labels | Sequence[str] | None = None, *, complete: bool = False) -> str:
    """The tree as one SQL expression, whose value for a row is the row's decision.

    The columns have the names of the attributes, and a missing value is NULL. The tree may have any depth. Bounds are
    written in full, with an exponent, so that they are compared as double precision numbers. If the tree
    sends a share of a row with a missing value down each branch, a scalar subquery sums the shares of each decision.

    Parameters
    ----------
    tree, labels, complete

    Returns
    -------
    str
        The expression, in standard SQL. It runs in DuckDB, PostgreSQL and SQLite 3.23 or newer. SQLite has two
        limits: at most 60 levels of nodes that send missing values down all branches, and at most 1000 attributes in
        the sum of a test. It may read a bound as the next smaller or larger number: SQLite 3.40 does so with 1 bound in
        10,000.

    Raises
    ------
    ExportError
        Two columns have the same name (ignoring upper and lower case); a column has no name; a column is called
        `true` or `false`, and values or decisions are booleans; the expression has a subquery, and a column has a name
        such as `user`, which DuckDB would read as a value of the session; the values of a column or the decisions are
        of several types; text has a NUL or a surrogate character; or a number is infinite.

    Examples
    --------
    >>> from orchard import ID3Classifier, to_sql
    >>> fitted = ID3Classifier().fit([["red"], ["red"], ["blue"]], ["stop", "stop", "go"])
    >>> print(to_sql(fitted))
    CASE
      WHEN "f1" = 'blue' THEN 'go'
      WHEN "f1" = 'red' THEN 'stop'
      ELSE 'stop'
    END
    """
    read = exported(tree, labels, FORM, complete=complete)
    _check(read)
    decisions = [_literal(decision) for decision in read.decisions]
    whole = _expression(read, lambda node: decisions[int(read.tree.decision[node])])
    if read.shares:
        whole = f"COALESCE({LINE}  {_indented(whole)},{LINE}  {_indented(_of_shares(read, decisions))}{LINE})"
    return whole.replace(LINE, "\n")


def _expression(read: Exported, answer: Callable[[int], str]) -> str:
    """A CASE expression with `answer(node)` for each node; NULL for rows that go down all branches."""
    null = Written([(None, "NULL")])
    written: dict[int, Written] = {}
    for node in reversed(range(read.tree.nodes)):
        question, leaf = read.question(node), Written([(None, answer(node))])
        if question is None:
            written[node] = leaf
            continue
        results = {case.to: written.pop(case.to, null) for case in question.cases} | {NO_NODE: leaf}
        written[node] = _asking(read, question, results)
    return written[0].text


def _asking(read: Exported, question: Question, results: dict[int, Written]) -> Written:
    """The CASE expression of a question, from the expression of each node that it leads to.

    The last expression is not nested: its conditions are appended to the same CASE, because they are read by rows that
    meet none of the earlier conditions. NULL matches in neither form. A condition that occurs already is left out.
    """
    cases = [(_condition(read, question, case), results[case.to]) for case in question.cases]
    *nested, (_, last) = _deepest_last(cases)
    depth = max([last.depth, *(OF_RESULT + result.depth for _, result in nested)])
    tried = {condition for condition, _ in nested}
    further = (case for case in last.cases if case[0] not in tried)
    return Written([*((condition, result.text) for condition, result in nested), *further], depth)


def _deepest_last(cases: list[tuple[str | None, Written]]) -> list[tuple[str | None, Written]]:
    """The cases in the order in which they are tried; the deepest is last if it is too deep to be nested."""
    deepest = max(range(len(cases)), key=lambda index: (cases[index][1].depth, index))
    condition, result = cases[deepest]
    if condition is None or result.depth < DEEP:
        return cases
    not_this = f"({condition}) IS NOT TRUE"
    after = [(f"{not_this} AND ({later})" if later else not_this, outcome) for later, outcome in cases[deepest + 1 :]]
    return [*cases[:deepest], *after, (None, result)]


def _case(conditions: Conditions) -> str:
    """A CASE expression; the last condition is None."""
    if len(conditions) == 1:
        return conditions[0][1]
    lines = ["CASE"]
    for condition, result in conditions:
        opened = f"  WHEN {condition} THEN" if condition else "  ELSE"
        lines.append(f"{opened}{LINE}    {_indented(result, 4)}" if LINE in result else f"{opened} {result}")
    return LINE.join([*lines, "END"])


def _condition(read: Exported, question: Question, case: Case) -> str | None:
    """The condition of a case for rows that no earlier case has; None for the last case."""
    if case.otherwise:
        return None
    tested = _tested(read, question)
    alternatives = [f"{tested} IS NULL"] if case.missing else []
    values = [_literal(read.value(question.attribute, code)) for code in case.codes]
    if values:
        alternatives.append(f"{tested} = {values[0]}" if len(values) == 1 else f"{tested} IN ({', '.join(values)})")
    for above, bound in case.intervals:
        upper = f"{tested} <= {_literal(bound)}"
        alternatives.append(upper if above == -float("inf") else f"({tested} > {_literal(above)} AND {upper})")
    return _joined(alternatives, " OR ")


def _joined(conditions: list[str], word: str) -> str:
    """The conditions joined by AND or OR; if there are many, in groups in parentheses."""
    while len(conditions) > JOINED:
        groups = [conditions[first : first + JOINED] for first in range(0, len(conditions), JOINED)]
        conditions = [f"({word.join(group)})" for group in groups]
    return word.join(conditions)


def _tested(read: Exported, question: Question) -> str:
    names = [(factor, _name(read.attribute_name(attribute))) for factor, attribute in question.terms]
    if len(names) == 1 and names[0][0] == 1:
        return names[0][1]
    return "(" + " + ".join(f"{_literal(factor)} * {name}" for factor, name in names) + ")"


def _of_shares(read: Exported, decisions: list[str]) -> str:
    """The decision with the largest sum of shares, up to rounding; of several the first."""
    taken = {read.attribute_name(attribute).casefold() for attribute in read.attributes}
    prefix = "share"
    while any(name.startswith(prefix) for name in taken):
        prefix += "_"
    shares = [f"{prefix}{code}" for code in range(len(decisions))]
    sums = [_sum(read, code) for code in range(len(decisions))]
    chosen = []
    for code, decision in enumerate(decisions):
        comparisons = [
            f"{shares[code]} >= {_literal(EQUAL_RATIO)} * {share}"
            for index, share in enumerate(shares)
            if index != code
        ]
        chosen.append((_joined(comparisons, " AND ") if code < len(decisions) - 1 else None, decision))
    columns = f",{LINE}".join(f"{total} AS {share}" for total, share in zip(sums, shares, strict=True))
    lines = ["(", f"  SELECT {_indented(_case(chosen))}", "  FROM (", "    SELECT", f"      {_indented(columns, 6)}"]
    return LINE.join([*lines, f"  ) AS {prefix}s", ")"])


def _sum(read: Exported, decision: int) -> str:
    """The share of a decision at the node where a row ends; if it goes down all branches, the sum of their shares."""
    written: dict[int, Written] = {}
    for node in reversed(range(read.tree.nodes)):
        question, answer = read.question(node), Written([(None, _literal(float(read.answers[node, decision])))])
        if question is None:
            written[node] = answer
        elif question.shares:
            written[node] = _weighted(read, question, written, answer)
        else:
            written[node] = _asking(read, question, {case.to: written.get(case.to, answer) for case in question.cases})
    return written[0].text


def _weighted(read: Exported, question: Question, written: dict[int, Written], answer: Written) -> Written:
    """The sum over the children, each times its share of a row; 0 or 1 if the value is known.

    The deepest term comes first: there it takes the fewest entries on a parser's stack.
    """
    shares, terms = dict(question.shares), []
    for index, case in enumerate(question.cases):
        if case.to == ALL_BRANCHES:
            continue
        result = written.get(case.to, answer)
        share = result.text
        if share == _literal(0.0):
            continue
        apart = question.kind == NodeKind.CODES and not case.otherwise  # no row of the case meets an earlier condition
        conditions: Conditions = [
            (_condition(read, question, before), _literal(shares.get(case.to, 0.0) if before.missing else 0.0))
            for before in question.cases[:index]
            if before.missing or not apart
        ]
        condition = _condition(read, question, case)
        conditions.append((condition, _literal(1.0)))
        if condition:
            conditions.append((None, _literal(0.0)))
        terms.append((result.depth, f"{share} * {_case(conditions)}"))
    if not terms:
        return Written([(None, _literal(0.0))])
    (deepest, first), *rest = sorted(terms, key=lambda term: -term[0])
    depth = max([OF_FIRST_TERM + deepest, *(OF_TERM + depth for depth, _ in rest)])
    total = f"{LINE}+ ".join(_indented(term) for term in (first, *(term for _, term in rest)))
    return Written([(None, f"({total})")], depth)


def _check(read: Exported) -> None:
    """Raise ExportError for the first node whose test SQL cannot express."""
    read.refuse_infinite()
    read.refuse_surrogates()
    read.refuse_equal_names()
    spelled: dict[str, str] = {}
    for question in read.questions:
        for _, attribute in question.terms:
            name = read.attribute_name(attribute)
            if not name or "\0" in name:
                reason = "the name of an attribute is empty or has a NUL character; rename the attribute"
                raise read.error(question.node, reason)
            if read.shares and name.casefold() in OF_SESSION:
                reason = f"DuckDB would read {name!r} as a value of the session in a subquery; rename the attribute"
                raise read.error(question.node, reason)
            first = spelled.setdefault(name.casefold(), name)
            if first != name:
                reason = f"{first!r} and {name!r} are the same name in SQL; rename one of these attributes"
                raise read.error(question.node, reason)
        codes = [code for case in question.cases for code in case.codes]
        reason = _why_no_literals(read, [read.value(question.attribute, code) for code in codes])
        if reason:
            raise read.error(question.node, reason)
    reason = _why_no_literals(read, read.decisions)
    if reason:
        raise read.error(None, reason)


def _why_no_literals(read: Exported, values: list[Hashable]) -> str:
    """The reason why values cannot be literals of one column; empty if they can."""
    named = [name for name in (read.labels.attributes if read.labels else ()) if name.casefold() in {"true", "false"}]
    if named and any(isinstance(value, bool) for value in values):
        return f"SQLite would read the values True and False as the column {named[0]!r}; rename this attribute"
    if any(isinstance(value, float) and not math.isfinite(value) for value in values):
        return "a value is infinite or NaN"
    return "a value has a NUL character" if any("\0" in str(value) for value in values) else several_types(values)


def _literal(value: Hashable) -> str:
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        digits, _, exponent = repr(value).partition("e")
        return f"{digits}E{int(exponent or 0)}"
    return "'" + str(value).replace("'", "''") + "'"


def _name(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _indented(text: str, by: int = 2) -> str:
    """The text with its lines after the first indented further."""
    return text.replace(LINE, LINE + " " * by)
