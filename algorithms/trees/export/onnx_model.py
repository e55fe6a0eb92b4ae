"""A decision tree as an ONNX model."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from algorithms.data.table import Labels
from algorithms.trees.arrays import NO_NODE, NodeKind
from algorithms.trees.export.questions import Case, Exported, Question, exported, exporter

FORM = "ONNX"

OUTPUTS = {"decision", "scores", "features"}

UNSEEN = -1.0
"""The code of text that is not a value of its attribute."""

JOINED_WRONGLY = range(1, 53)
"""Values of equality branches that onnxruntime (up to 1.32, at least) joins wrongly."""

APART = 0.5
"""Added to the codes of text, so that none is one of these values."""

LARGE = 2.0**64
"""Multiplies numbers that are tested for equality, for the same reason. Each product is exact or infinite."""

OPSETS = {"": 13, "ai.onnx.ml": 4}
IR_VERSION = 8


@exporter
def to_onnx(tree: Any, labels: Labels | Sequence[str] | None = None, *, complete: bool = False) -> Any:
    """The tree as an ONNX model, a tree ensemble with one tree, in double precision.

    Each attribute that the tree tests is an input of shape (rows, 1) with the name of the attribute. It holds text if
    the labels of the attribute are text, otherwise double precision numbers. A missing number is NaN. Missing text is
    any text that is not a label, such as the empty text. The output `decision` has the decision of each row, as text or
    as whole numbers.

    Parameters
    ----------
    tree, labels, complete

    Returns
    -------
    onnx.ModelProto
        The model. `onnx.save(model, path)` writes it to a file; onnxruntime reads `model.SerializeToString()`. If the
        tree has no test, its only input is called `row` and may hold any numbers.

    Raises
    ------
    ExportError
        A missing value goes down all branches by shares; an attribute has an empty name, labels of several types, the
        name of an output or another attribute, or numbers that are too large, too near zero or equal in double
        precision; two decisions have the same text; a decision is a whole number of more than 64 bits; text has
        surrogate characters; or a coefficient is infinite.
    ImportError
        The package onnx is not installed.

    Notes
    -----
    Each label is an equality branch (BRANCH_EQ); labels that lead to the same node share that node. A linear test is
    computed by Mul and Add nodes, in the order in which the tree sums.

    Examples
    --------
    >>> from orchard import ID3Classifier, to_onnx
    >>> fitted = ID3Classifier().fit([["red"], ["red"], ["blue"]], ["stop", "stop", "go"])
    >>> to_onnx(fitted).graph.node[-1].op_type
    'TreeEnsembleClassifier'
    """
    try:
        import onnx
    except ImportError as error:
        raise ImportError("to_onnx needs the package onnx: run `pip install onnx`") from error
    read = exported(tree, labels, FORM, complete=complete)
    read.refuse_shares()
    _check(read)
    return _Model(read, onnx).model()


class _Model:
    def __init__(self, read: Exported, onnx: Any) -> None:
        self._read, self._onnx = read, onnx
        self._nodes: list[Any] = []
        self._inputs: list[Any] = []
        self._constants: list[Any] = []
        self._features: list[str] = []
        self._feature: dict[int, int] = {}  # by attribute
        self._equal_to: dict[int, int] = {}  # by attribute, for equality tests
        self._sums: dict[int, int] = {}  # by node with a linear test
        self._tests: list[tuple[str, int, float, int, int]] = []
        """(mode, feature, value, node if the test is true, node if it is false) of each node of the ensemble."""
        self._leaves: dict[int, int] = {}  # the decision of each leaf of the ensemble

    def model(self) -> Any:
        """The whole model."""
        helper, read = self._onnx.helper, self._read
        for attribute in read.attributes:
            self._add_input(attribute)
        if not read.attributes:
            self._inputs.append(self._input("row", text=False))
            self._features.append("row")
        for question in read.questions:
            if question.kind == NodeKind.LINEAR and question.terms:
                self._add_sum(question)
        self._add("Concat", self._features, "features", axis=1)
        text = not all(isinstance(decision, int) and not isinstance(decision, bool) for decision in read.decisions)
        self._nodes.append(self._ensemble(text=text))
        kind = self._onnx.TensorProto.STRING if text else self._onnx.TensorProto.INT64
        outputs = [helper.make_tensor_value_info("decision", kind, [None])]
        graph = helper.make_graph(self._nodes, "tree", self._inputs, outputs, self._constants)
        opsets = [helper.make_opsetid(domain, version) for domain, version in OPSETS.items()]
        model = helper.make_model(graph, opset_imports=opsets, ir_version=IR_VERSION, producer_name="Orchard")
        self._onnx.checker.check_model(model)
        return model

    def _input(self, name: str, *, text: bool) -> Any:
        kind = self._onnx.TensorProto.STRING if text else self._onnx.TensorProto.DOUBLE
        return self._onnx.helper.make_tensor_value_info(name, kind, [None, 1])

    def _add_input(self, attribute: int) -> None:
        """An input for an attribute and, if it is text, its codes."""
        read = self._read
        name, values = read.attribute_name(attribute), read.values(attribute)
        text = values is not None and _is_text(values)
        self._inputs.append(self._input(name, text=text))
        self._feature[attribute] = len(self._features)
        if values is None or not text:
            self._features.append(name)
            if any(question.kind == NodeKind.CODES and question.attribute == attribute for question in read.questions):
                self._equal_to[attribute] = len(self._features)
                self._features.append(self._product(name, LARGE, read.free_name(f"large_{attribute}")))
            return
        self._equal_to[attribute] = self._feature[attribute]
        encoded = read.free_name(f"codes_{attribute}")
        self._add(
            "LabelEncoder",
            [name],
            encoded,
            domain="ai.onnx.ml",
            keys_tensor=self._onnx.helper.make_tensor(
                "keys", self._onnx.TensorProto.STRING, [len(values)], [str(value).encode() for value in values]
            ),
            values_tensor=self._doubles("values", [code + APART for code in range(len(values))]),
            default_tensor=self._doubles("default", [UNSEEN]),
        )
        self._features.append(encoded)

    def _add_sum(self, question: Question) -> None:
        """The sum that a linear test compares, as a feature."""
        total, read = "", self._read
        for index, (factor, attribute) in enumerate(question.terms):
            feature = self._features[self._feature[attribute]]
            term = self._product(feature, factor, read.free_name(f"term_{index}_{question.node}"))
            if index:
                before, total = total, read.free_name(f"sum_{index}_{question.node}")
                self._add("Add", [before, term], total)
            else:
                total = term
        self._sums[question.node] = len(self._features)
        self._features.append(total)

    def _product(self, feature: str, factor: float, name: str) -> str:
        """A feature times a factor; returns its name."""
        constant = self._read.free_name(f"factor of {name}")
        self._constants.append(self._doubles(constant, [factor], 1))
        self._add("Mul", [constant, feature], name)
        return name

    def _doubles(self, name: str, numbers: Sequence[float], *more: int) -> Any:
        """A tensor of these numbers, whose shape is their number, then `more`."""
        kind = self._onnx.TensorProto.DOUBLE
        return self._onnx.helper.make_tensor(name, kind, [len(numbers), *more], numbers)

    def _add(self, operator: str, inputs: list[str], output: str, **attributes: Any) -> None:
        self._nodes.append(self._onnx.helper.make_node(operator, inputs, [output], **attributes))

    def _ensemble(self, *, text: bool) -> Any:
        read = self._read
        waiting = [(0, self._added_leaf())]
        while waiting:
            node, row = waiting.pop()
            question = read.question(node)
            if question is None:
                self._leaves[row] = int(read.tree.decision[node])
                continue
            self._add_question(row, question, waiting)
        leaves = sorted(self._leaves.items())
        labels = read.decisions + read.decisions[:1] * (3 - len(read.decisions))  # onnxruntime takes two for 0 and 1
        classes, rows = len(labels), len(self._tests)
        modes, features, values, true, false = zip(*self._tests, strict=True)
        attributes = {
            "nodes_treeids": [0] * rows,
            "nodes_nodeids": list(range(rows)),
            "nodes_featureids": features,
            "nodes_modes": modes,
            "nodes_values_as_tensor": self._doubles("values", values),
            "nodes_truenodeids": true,
            "nodes_falsenodeids": false,
            "class_treeids": [0] * (len(leaves) * classes),
            "class_nodeids": [row for row, _ in leaves for _ in range(classes)],
            "class_ids": list(range(classes)) * len(leaves),
            "class_weights_as_tensor": self._doubles(
                "weights", [float(code == decision) for _, decision in leaves for code in range(classes)]
            ),
            "post_transform": "NONE",
        }
        if text:
            attributes["classlabels_strings"] = [str(decision) for decision in labels]
        else:
            attributes["classlabels_int64s"] = labels
        return self._onnx.helper.make_node(
            "TreeEnsembleClassifier", ["features"], ["decision", "scores"], domain="ai.onnx.ml", **attributes
        )

    def _added_leaf(self) -> int:
        """Add a node to the ensemble and return its index; it is a leaf until it gets a test."""
        self._tests.append(("LEAF", 0, 0.0, 0, 0))
        return len(self._tests) - 1

    def _add_question(self, index: int, question: Question, waiting: list[tuple[int, int]]) -> None:
        """Write the tests of a node one after another, beginning at a node of the ensemble.

        Several true tests may lead to the same node of the ensemble. onnxruntime refuses this for false tests.
        """
        if not question.terms:
            waiting.append((question.cases[0].to, index))
            return
        features = {NodeKind.CODES: self._equal_to, NodeKind.BOUNDS: self._feature, NodeKind.LINEAR: self._sums}
        feature = features[question.kind][question.node if question.kind == NodeKind.LINEAR else question.attribute]
        rows: dict[int, int] = {}

        def row(case: Case) -> int:
            if case.to not in rows:
                rows[case.to] = self._added_leaf()
            return rows[case.to]

        first, final = question.cases[0], question.cases[-1]
        if first.missing and not first.otherwise and question.kind != NodeKind.CODES:
            following = self._added_leaf()
            self._tests[index] = ("BRANCH_LEQ", feature, math.inf, following, row(first))
            index = following
        tests = self._known_tests(question)
        for mode, value, case in tests[:-1]:
            following = self._added_leaf()
            self._tests[index] = (mode, feature, value, row(case), following)
            index = following
        if tests:
            mode, value, case = tests[-1]
            self._tests[index] = (mode, feature, value, row(case), row(final))
        else:
            rows[final.to] = index
        for to, target in rows.items():
            if to == NO_NODE:
                self._leaves[target] = int(self._read.tree.decision[question.node])
            else:
                waiting.append((to, target))

    def _known_tests(self, question: Question) -> list[tuple[str, float, Case]]:
        """The tests of known values in order, with the case that each leads to if it is true."""
        if question.kind == NodeKind.CODES:
            value_of = self._values_of_codes(question.attribute)
            return [("BRANCH_EQ", value_of(code), case) for case in question.cases[:-1] for code in case.codes]
        bounds = [(bound, case) for case in question.cases for _, bound in case.intervals]
        return [("BRANCH_LEQ", bound, case) for bound, case in sorted(bounds, key=lambda pair: pair[0])[:-1]]

    def _values_of_codes(self, attribute: int) -> Callable[[int], float]:
        """What the feature of an attribute holds for each code."""
        values = self._read.values(attribute)
        if values is None:
            return lambda code: code * LARGE
        if _is_text(values):
            return lambda code: code + APART
        return lambda code: float(values[code]) * LARGE  # type: ignore[arg-type]


def _is_text(values: list[Any]) -> bool:
    return any(isinstance(value, str) for value in values)


def _check(read: Exported) -> None:
    """Raise ExportError for the first node whose question ONNX cannot express."""
    read.refuse_infinite()
    read.refuse_surrogates()
    read.refuse_equal_names()
    read.refuse_equal_numbers()
    for node, attribute in read.tested:
        name, values = read.attribute_name(attribute), read.values(attribute) or []
        if name in OUTPUTS:
            raise read.error(node, "an output has the name of the attribute; rename the attribute")
        if not name:
            raise read.error(node, "the name of the attribute is empty; rename the attribute")
        numbers = [float(value) for value in values if isinstance(value, int | float)]
        if len(numbers) < len(values) and not all(isinstance(value, str) for value in values):
            reason = "the values of the attribute are of several types, or neither text nor numbers"
            raise read.error(node, reason)
        unfit = [number for number in numbers if math.isinf(number * LARGE) or number * LARGE in JOINED_WRONGLY]
        if unfit and read.tree.kind[node] == NodeKind.CODES:
            fault = "too large" if math.isinf(unfit[0] * LARGE) else "too near zero"
            reason = f"the attribute has the number {unfit[0]}, which is {fault}; turn its numbers into text"
            raise read.error(node, reason)
    texts = [str(decision) for decision in read.decisions]
    if len(set(texts)) < len(texts):
        raise read.error(None, "some decisions have the same text")
    if not all(-(2**63) <= decision < 2**63 for decision in read.decisions if isinstance(decision, int)):
        raise read.error(None, "some decisions do not fit into integers of 64 bits; turn the decisions into text")
