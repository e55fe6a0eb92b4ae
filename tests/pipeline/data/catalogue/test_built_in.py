"""The classification data sets that scikit-learn includes are all in the catalogue, value by value."""

from __future__ import annotations

from inspect import signature

import numpy as np
import pytest
from sklearn import datasets

from pipeline.data.catalogue.built_in import BUILT_IN
from tests.pipeline.command_line import ROOT


def _classification() -> list[str]:
    """The loaders of bundled data sets whose targets are codes of named classes."""
    names = [name for name in dir(datasets) if name.startswith("load_")]
    tabular = [name for name in names if "return_X_y" in signature(getattr(datasets, name)).parameters]
    bunches = {name: getattr(datasets, name)() for name in tabular}
    return [name for name, bunch in bunches.items() if bunch.target.ndim == 1 and bunch.target.dtype.kind == "i"]


@pytest.mark.parametrize("loader", _classification())
def test_a_bundled_classification_set_has_the_name_that_scikit_learn_gives_it(loader: str) -> None:
    bunch, name = getattr(datasets, loader)(), f"sklearn/{loader.removeprefix('load_')}"
    data = BUILT_IN[name]()["all"]
    assert [attribute.name for attribute in data.attributes] == list(map(str, bunch.feature_names))
    assert np.array_equal(np.column_stack(data.columns), bunch.data)
    assert np.array_equal(np.array(data.classes)[data.decisions], bunch.target_names.astype(str)[bunch.target])
    assert f"`{name}`" in (ROOT / "docs/data.md").read_text(encoding="utf-8")
