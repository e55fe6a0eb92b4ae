"""A decision tree as C."""

from __future__ import annotations

import math
import re
from collections.abc import Hashable, Sequence
from typing import Any

from algorithms.data.table import Labels
from algorithms.rounding import EQUAL_RATIO
from algorithms.trees.arrays import NodeKind
from algorithms.trees.export.questions import Case, Question, exported, exporter
from algorithms.trees.export.statements import Program

FORM = "C"

KEYWORDS = re.compile(
    "auto|break|case|char|const|continue|default|do|double|else|enum|extern|float|for|goto|if|inline|int|long|register|"
    "restrict|return|short|signed|sizeof|static|struct|switch|typedef|union|unsigned|void|volatile|while|_[A-Z].*|main"
)
"""Names that C reserves, and that of its first function."""

IN_MATH_H = re.compile(
    "(acosh?|asinh?|atan[2h]?|cbrt|ceil|copysign|cosh?|drem|erfc?|exp(2|10|m1)?|fabs|fdim|finite|floor|fma|fmax|fmin|"
    "fmod|frexp|gamma|hypot|ilogb|j[01n]|l?lrint|l?lround|ldexp|lgamma|log(10|1p|2|b)?|modf|nan|nearbyint|nextafter|"
    "nexttoward|pow|remainder|remquo|rint|round|scalb|scalbl?n|significand|sincos|sinh?|sqrt|tanh?|tgamma|trunc|y[01n])"
    "(f|l|[fl]?_r)?|fpclassify|is(finite|inf|nan|normal|greater|greaterequal|less|lessequal|lessgreater|unordered)[fl]?|"
    "signbit|signgam|math_errhandling|(float|double)_t|HUGE_VAL[FL]?|INFINITY|NAN|(FP|M|MATH)_.*"
)
"""Names that the header `math.h`, which the source includes, may declare: those of C99 and of POSIX."""


@exporter
def to_c(
    tree: Any, labels: Labels | Sequence[str] | None = None, *, complete: bool = False, name: str = "predict"
) -> str:
    """The tree as C source (C99) with one function, `int predict(const double values[])`.

    `values[i]` is the number or the code of attribute i, as in a row of `DataSet.values()`. NaN is a missing value. The
    function returns the code of the decision. If there are labels, the array `predict_attributes` has the names of the
    attributes, and `predict_decisions` has the labels of the decisions. `predict_values_0` has the labels of attribute
    0, if this attribute is nominal and the tree tests it.

    Parameters
    ----------
    tree, labels, complete
    name : str, default="predict"
        The name of the function, and the prefix of the names of the arrays.

    Returns
    -------
    str
        The source. Link it with the mathematical library (`-lm`) where the compiler needs it.

    Raises
    ------
    ExportError
        A coefficient is infinite.
    ValueError
        C does not allow `name` as the name of a function, or the included header `math.h` declares it.

    Examples
    --------
    >>> from orchard import ID3Classifier, to_c
    >>> fitted = ID3Classifier().fit([["red"], ["red"], ["blue"]], ["stop", "stop", "go"])
    >>> print(to_c(fitted))
    #include <math.h>
    <BLANKLINE>
    const char *const predict_attributes[] = {"f1"};
    const char *const predict_values_0[] = {"blue", "red"};
    const char *const predict_decisions[] = {"go", "stop"};
    <BLANKLINE>
    /* The index in predict_decisions for a row. values[i] is of predict_attributes[i]:
       a number, or an index in predict_values_i where that exists. */
    <BLANKLINE>
    int predict(const double values[])
    {
        if (values[0] == 0) {
            return 0;
        } else if (values[0] == 1) {
            return 1;
        } else {
            return 1;
        }
    }
    """
    if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name) or KEYWORDS.fullmatch(name):
        raise ValueError(
            f"name is {name!r}: expected a name that C allows: ASCII letters, digits and `_`, not a digit first, "
            "and not a word that C reserves, such as double or main"
        )
    if IN_MATH_H.fullmatch(name):
        raise ValueError(f"name is {name!r}: expected a name that C's header math.h does not declare")
    read = exported(tree, labels, FORM, complete=complete)
    read.refuse_infinite()
    return _C(read, name).text()


class _C(Program):
    row, end, private, closing = "values", ";", "", ("}",)

    def text(self) -> str:
        """The whole source."""
        functions = [_with_use_of_values(function) for function in self.functions()]
        prototypes = [f"static {self._signature(node, adds=adds)};" for node, adds in self._waiting[1:]]
        helpers = []
        if any(f"= {self._product}(" in function for function in functions):
            helpers.append(  # a separate product: a compiler that fuses it with a sum would round in another way
                f"static double {self._product}(double factor, double value)\n{{\n"
                "    volatile double rounded = factor * value;\n    return rounded;\n}"
            )
        if self.read.shares:
            number = len(self.read.decisions)
            helpers.append(
                f"static int {self.name}_most(const double shares[])\n{{\n"
                "    double most = shares[0];\n"
                f"    for (int code = 1; code < {number}; code++)\n"
                "        if (shares[code] > most) most = shares[code];\n"
                "    int first = 0;\n"
                f"    while (shares[first] < most * {EQUAL_RATIO!r}) first++;\n"
                "    return first;\n}"
            )
        declared = "\n".join(self._arrays())
        parts = ["#include <math.h>", declared, "\n".join(prototypes), *helpers, *functions]
        return "\n\n".join(part for part in parts if part)

    def opened(self, node: int, *, adds: bool) -> list[str]:
        return [f"{'static ' if node or adds else ''}{self._signature(node, adds=adds)}", "{"]

    def value(self, question: Question) -> list[str]:
        if question.kind != NodeKind.LINEAR:
            return []
        terms = [f"{self._product}({factor!r}, values[{attribute}])" for factor, attribute in question.terms]
        return [f"const double {self._tested(question)} = {' + '.join(terms)};"]

    def condition(self, question: Question, case: Case) -> str:
        tested, alternatives = self._tested(question), []
        if case.missing:
            alternatives = [f"isnan({tested})"] + ([f"{tested} < 0"] if question.kind == NodeKind.CODES else [])
        alternatives += [f"{tested} == {code}" for code in case.codes]
        for above, bound in case.intervals:
            upper = f"{tested} <= {bound!r}"
            alternatives.append(upper if math.isinf(above) else f"({tested} > {above!r} && {upper})")
        return " || ".join(alternatives)

    def head(self, condition: str, *, first: bool) -> str:
        word = f"if ({condition}) {{" if condition else "{"
        return word if first else f"}} else {word}"

    def decision(self, code: int) -> str:
        return str(code)

    def zeros(self, decisions: int) -> str:
        return f"double shares[{decisions}] = {{0}}"

    @property
    def _product(self) -> str:
        return f"{self.name}_product"

    def _signature(self, node: int, *, adds: bool) -> str:
        more = ", double share, double shares[]" if adds else ""
        return f"{'void' if adds else 'int'} {self.function(node, adds=adds)}(const double values[]{more})"

    def _tested(self, question: Question) -> str:
        return f"sum_{question.node}" if question.kind == NodeKind.LINEAR else f"values[{question.attribute}]"

    def _arrays(self) -> list[str]:
        if self.read.labels is None:
            return []
        labels = self.read.labels
        arrays: list[tuple[str, Sequence[Hashable]]] = [("attributes", labels.attributes)]
        arrays += [(f"values_{attribute}", self.read.values(attribute) or ()) for attribute in self.read.attributes]
        arrays.append(("decisions", labels.decisions))
        name, missing = self.name, "" if self.read.complete else " NaN: missing."
        meaning = (
            f"/* The index in {name}_decisions for a row. values[i] is of {name}_attributes[i]:\n"
            f"   a number, or an index in {name}_values_i where that exists.{missing} */"
        )
        declared = [
            f"const char *const {self.name}_{what}[] = {{{', '.join(map(_text, values))}}};"
            for what, values in arrays
            if len(values)
        ]
        return [*declared, "", meaning]


def _with_use_of_values(function: str) -> str:
    """The function; without a test, it gets a statement that uses its parameter, so that compilers do not warn."""
    return function if function.count("values[") > 1 else function.replace("\n{\n", "\n{\n    (void)values;\n")


def _text(value: Hashable) -> str:
    """A string of C, with octal escapes for the UTF-8 bytes of characters other than plain ASCII."""
    plain = {byte: chr(byte) for byte in range(32, 127)} | {34: '\\"', 92: "\\\\", 63: "\\?"}
    encoded = str(value).encode("utf-8", "surrogatepass")
    return '"' + "".join(plain.get(byte, f"\\{byte:03o}") for byte in encoded) + '"'
