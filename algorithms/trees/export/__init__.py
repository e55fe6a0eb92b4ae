"""Decision trees in other languages and formats; each exporter refuses by name what its format cannot express."""

from algorithms.trees.export.c_code import to_c
from algorithms.trees.export.graphviz import to_graphviz
from algorithms.trees.export.onnx_model import to_onnx
from algorithms.trees.export.pmml import to_pmml
from algorithms.trees.export.python_code import to_python
from algorithms.trees.export.questions import ExportError
from algorithms.trees.export.sklearn_tree import to_sklearn
from algorithms.trees.export.sql import to_sql

__all__ = ["ExportError", "to_c", "to_graphviz", "to_onnx", "to_pmml", "to_python", "to_sklearn", "to_sql"]
