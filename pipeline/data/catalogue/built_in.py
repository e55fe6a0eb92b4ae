"""Data sets that need no file, by name. A catalogue searches these first."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np

from algorithms.data.data_set import Attribute, AttributeKind, DataSet
from algorithms.data.rule_sets import RULE_SETS


def _of_scikit_learn(loader: str) -> dict[str, DataSet]:
    """A numeric data set that scikit-learn includes."""
    from sklearn import datasets

    bunch: Any = getattr(datasets, loader)()
    values = np.asarray(bunch.data, np.float64)
    return {
        "all": DataSet(
            attributes=tuple(Attribute(str(name), AttributeKind.NUMERIC) for name in bunch.feature_names),
            columns=tuple(np.ascontiguousarray(column) for column in values.T),
            classes=tuple(str(name) for name in bunch.target_names),
            decisions=np.asarray(bunch.target, np.int32),
        )
    }


def _by_rule(name: str) -> dict[str, DataSet]:
    """A data set that a rule generates exactly."""
    return {"all": RULE_SETS[name]()}


OF_SCIKIT_LEARN = {
    "breast_cancer": "load_breast_cancer",
    "digits": "load_digits",
    "iris": "load_iris",
    "wdbc": "load_breast_cancer",  # by its name at UCI
    "wine": "load_wine",
}
"""The loader of each classification data set that scikit-learn includes."""

WHOLE_BY_RULE = ("balance-scale", "tic-tac-toe", *(name for name in RULE_SETS if name.startswith("balloons/")))
"""The rule-generated sets that equal the published file row by row."""

BUILT_IN: Mapping[str, Callable[[], Mapping[str, DataSet]]] = {
    **{f"uci/{name}": partial(_by_rule, name) for name in WHOLE_BY_RULE},
    **{f"rule/{name}": partial(_by_rule, name) for name in RULE_SETS if name not in WHOLE_BY_RULE},
    **{f"sklearn/{name}": partial(_of_scikit_learn, loader) for name, loader in OF_SCIKIT_LEARN.items()},
}
"""For each name, the functions that make the parts of a data set: `all`, or `train` and `test`.

If a rule gives exactly the rows of a published file, the name is the catalogue's, and neither file nor network is
needed. The sets of `rule/` are whole cubes, from which the published files are samples or repetitions.
"""
