"""How Sphinx makes the pages: `python -m sphinx -W -n docs docs/_build`."""

from __future__ import annotations

import os
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

from orchard_docs.reproduced import counts  # noqa: E402

from orchard import __version__ as release  # noqa: E402, F401 - Sphinx reads it

project = "Orchard"
author = copyright = "The Orchard developers"  # noqa: A001 - Sphinx's name

extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.autosummary", "sphinx.ext.napoleon", "orchard_docs"]
exclude_patterns = ["_build", "ipython", "jupyter_execute"]
templates_path = ["_templates"]
default_role = "literal"  # what docstrings have between single backticks

html_theme = "furo"
html_title = "Orchard"
html_copy_source = False
html_static_path = ["_static"]
html_css_files = ["pages.css"]

nb_execution_mode = "force"  # every cell runs at each build
nb_execution_in_temp = True
nb_execution_raise_on_error = True
nb_execution_timeout = 300
os.environ |= {  # of the cells, and of the commands in them
    "IPYTHONDIR": str(HERE / "ipython"),
    "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
    "PYTHONPATH": str(HERE.parent),
    "COLUMNS": "100",
    "NO_COLOR": "1",
}
myst_heading_anchors = 3
myst_enable_extensions = ["substitution"]
myst_substitutions = counts(HERE.parent / "reproduced" / "documents.csv")
autosummary_generate = True
autosummary_ignore_module_all = False
autodoc_default_options = {
    "members": True,
    "member-order": "bysource",
    # scikit-learn's own, which each estimator gets
    "exclude-members": "set_fit_request, set_partial_fit_request, set_predict_request, set_score_request",
}
autodoc_typehints = "none"  # spelt out they fill the line; what matters of them is in the docstrings
nitpick_ignore_regex = [(r"py:(exc|class|obj)", r"(?!algorithms|orchard|pipeline).*")]  # what others document
napoleon_google_docstring = False
napoleon_use_ivar = True  # each field is documented once, in `Attributes`
suppress_warnings = ["ref.python"]  # Sphinx takes `rows` in `ndarray of shape (rows,)` for a reference
