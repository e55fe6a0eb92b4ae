"""A decision tree as PMML 4.4."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator, Sequence
from typing import Any
from unicodedata import category
from xml.etree.ElementTree import Element, SubElement
from xml.sax.saxutils import escape

from algorithms.data.table import Labels
from algorithms.trees.arrays import NO_NODE, NodeKind
from algorithms.trees.export.questions import Case, Exported, Question, exported, exporter, several_types

FORM = "PMML"

IN_ATTRIBUTES = {'"': "&quot;", "\r": "&#13;", "\n": "&#10;", "\t": "&#09;"}
"""Escapes of attribute values beside those of XML in general."""


@exporter
def to_pmml(tree: Any, labels: Labels | Sequence[str] | None = None, *, complete: bool = False) -> str:
    """The tree as a PMML 4.4 document with one TreeModel.

    The predicates of a node's branches also cover missing values and values without a branch. So the result does not
    depend on an evaluator's strategy for missing values. A linear test is a derived field. If the tree has counts of
    rows, each node has a ScoreDistribution with the weight and the share of each decision.

    Parameters
    ----------
    tree, labels, complete

    Returns
    -------
    str
        The document. Its target field is `decision`, followed by underscores if an attribute has this name.

    Raises
    ------
    ExportError
        A missing value goes down all branches by shares; an attribute has an empty name, the name of another attribute,
        values of several types, or numbers that are equal in double precision or too large for it; two decisions have
        the same text; a name or a value has characters that XML does not allow; or a coefficient is infinite.

    Notes
    -----
    Trees that send missing values down all branches are refused. PMML's strategy `weightedConfidence` could express
    them, but it takes the largest sum without a tolerance, so that rounding decides between equal sums. Export such
    trees with `complete=True`.

    Examples
    --------
    >>> from orchard import ID3Classifier, to_pmml
    >>> fitted = ID3Classifier().fit([["red"], ["red"], ["blue"]], ["stop", "stop", "go"])
    >>> print(to_pmml(fitted).splitlines()[23])
          <Node id="1" score="go" recordCount="1.0">
    """
    read = exported(tree, labels, FORM, complete=complete)
    read.refuse_shares()
    _check(read)
    document = Element("PMML", xmlns="http://www.dmg.org/PMML-4_4", version="4.4")
    SubElement(SubElement(document, "Header"), "Application", name="Orchard")
    target = read.free_name("decision")
    fields = SubElement(document, "DataDictionary")
    for attribute in read.attributes:
        _field(fields, read.attribute_name(attribute), read.values(attribute))
    _field(fields, target, [_text(decision) for decision in read.decisions])
    model = SubElement(
        document, "TreeModel", functionName="classification", splitCharacteristic="multiSplit", modelName="tree"
    )
    schema = SubElement(model, "MiningSchema")
    for attribute in read.attributes:
        SubElement(schema, "MiningField", name=read.attribute_name(attribute), invalidValueTreatment="asIs")
    SubElement(schema, "MiningField", name=target, usageType="target")
    _derived(model, read)
    _nodes(model, read)
    return "\n".join(_lines(document))


def _lines(document: Element) -> Iterator[str]:
    """The lines of a document; without recursion, which Python limits, because trees may be deep."""
    waiting = [(document, 0, False)]
    while waiting:
        element, level, closes = waiting.pop()
        indent, name = "  " * level, element.tag
        if closes:
            yield f"{indent}</{name}>"
            continue
        opened = " ".join([name, *(f'{key}="{escape(value, IN_ATTRIBUTES)}"' for key, value in element.items())])
        if len(element):
            yield f"{indent}<{opened}>"
            waiting += [(element, level, True), *((child, level + 1, False) for child in reversed(element))]
        else:
            yield f"{indent}<{opened}>{escape(element.text)}</{name}>" if element.text else f"{indent}<{opened} />"


def _field(fields: Element, name: str, values: list[Hashable] | list[str] | None) -> None:
    """Declare a field; numbers are never categories, because PMML4S compares such categories wrongly."""
    kind = {bool: "boolean", int: "double", float: "double"}.get(type(values[0]), "string") if values else "double"
    optype = "continuous" if kind == "double" else "categorical"
    field = SubElement(fields, "DataField", name=name, optype=optype, dataType=kind)
    for value in (values or ()) if optype == "categorical" else ():
        SubElement(field, "Value", value=_text(value))


def _derived(model: Element, read: Exported) -> None:
    """The sums of linear tests, each a derived field."""
    linear = [question for question in read.questions if question.kind == NodeKind.LINEAR and question.terms]
    if not linear:
        return
    transformations = SubElement(model, "LocalTransformations")
    for question in linear:
        field = SubElement(
            transformations, "DerivedField", name=_tested(read, question), optype="continuous", dataType="double"
        )
        terms = []
        for factor, attribute in question.terms:
            term = Element("Apply", function="*")
            SubElement(term, "Constant", dataType="double").text = repr(factor)
            SubElement(term, "FieldRef", field=read.attribute_name(attribute))
            terms.append(term)
        total = terms[0]
        for term in terms[1:]:
            above = Element("Apply", function="+")
            above.extend([total, term])
            total = above
        field.append(total)


def _nodes(model: Element, read: Exported) -> None:
    root = SubElement(model, "Node", id="0")
    SubElement(root, "True")
    waiting = [(0, root)]
    while waiting:
        node, element = waiting.pop()
        _scored(element, read, node)
        question = read.question(node)
        for case in question.cases if question else ():
            if case.to == NO_NODE:
                staying = SubElement(element, "Node", id=f"{node}-stays")
                staying.append(_predicate(read, question, case))
                _scored(staying, read, node)
                continue
            child = SubElement(element, "Node", id=str(case.to))
            child.append(_predicate(read, question, case))
            waiting.append((case.to, child))


def _scored(element: Element, read: Exported, node: int) -> None:
    """Give a node its decision and, if rows were counted, the weight of each decision."""
    element.set("score", _text(read.decision(node)))
    counts = read.tree.counts
    if not counts.size:
        return
    element.set("recordCount", repr(float(counts[node].sum())))
    for decision, weight, share in zip(
        read.decisions, counts[node].tolist(), read.answers[node].tolist(), strict=False
    ):
        SubElement(
            element, "ScoreDistribution", value=_text(decision), recordCount=repr(weight), probability=repr(share)
        )


def _predicate(read: Exported, question: Question | None, case: Case) -> Element:
    """The predicate of the rows of a case that match no earlier case."""
    if case.otherwise or question is None:
        return Element("True")
    tested = _tested(read, question)
    alternatives = [Element("SimplePredicate", field=tested, operator="isMissing")] if case.missing else []
    alternatives += [_compared(tested, "equal", read.value(question.attribute, code)) for code in case.codes]
    for above, bound in case.intervals:
        upper = _compared(tested, "lessOrEqual", bound)
        alternatives.append(
            upper if math.isinf(above) else _compound("and", [_compared(tested, "greaterThan", above), upper])
        )
    return alternatives[0] if len(alternatives) == 1 else _compound("or", alternatives)


def _compared(tested: str, operator: str, value: Hashable) -> Element:
    return Element("SimplePredicate", field=tested, operator=operator, value=_text(value))


def _compound(operator: str, predicates: list[Element]) -> Element:
    compound = Element("CompoundPredicate", booleanOperator=operator)
    compound.extend(predicates)
    return compound


def _tested(read: Exported, question: Question) -> str:
    """The field that a node tests: an attribute, or a sum with a name that no attribute has."""
    if question.kind != NodeKind.LINEAR:
        return read.attribute_name(question.attribute)
    return read.free_name(f"sum {question.node}")


def _text(value: Hashable) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(value) if isinstance(value, float) else str(value)


def _check(read: Exported) -> None:
    """Raise ExportError for the first node whose test PMML cannot express."""
    read.refuse_infinite()
    read.refuse_equal_names()
    read.refuse_equal_numbers()
    for attribute, node in {attribute: node for node, attribute in reversed(read.tested)}.items():
        name, values = read.attribute_name(attribute), read.values(attribute) or []
        if not name:
            raise read.error(node, "the name of the attribute is empty; rename the attribute")
        if reason := several_types(values):
            raise read.error(node, reason)
        for text in (name, *map(_text, values)):
            if not _is_allowed_in_xml(text):
                raise read.error(node, f"{text!r} has characters that XML does not allow")
    texts = [_text(decision) for decision in read.decisions]
    if len(set(texts)) < len(texts) or not all(map(_is_allowed_in_xml, texts)):
        raise read.error(None, "some decisions have the same text, or characters that XML does not allow")


def _is_allowed_in_xml(text: str) -> bool:
    return not any(category(character) in {"Cc", "Cs", "Cn"} and character not in "\n\t\r" for character in text)
