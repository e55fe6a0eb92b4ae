"""Render pages from templates: each in one file that loads nothing, with every name shown as text."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Container
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from pipeline.masking import masked
from pipeline.plain_text import plain
from pipeline.screen import output_flag
from pipeline.summary.rounding import with_minus
from pipeline.summary.tables import Value
from pipeline.summary.verdicts import Verdict
from pipeline.words import counted, readable

if TYPE_CHECKING:
    from jinja2 import Environment

LONGEST_TEXT = 600
"""Longest text of a cell or a name on a page; beyond it, the number of omitted characters is given."""

STYLES, SCRIPTS = ("report.css", "compared.css"), ("report.js", "figures.js", "compared.js")
"""The contents of the one style and the one script of every page."""

DEFINED = re.compile(r"(?:^|(?<=[.;] ))([^\s.;:,()]+(?:,? [^\s.;:,()]+){0,4})(?=: )")
"""The words that a note defines: `low to high` in `n: splits; low to high: 95 % interval.`"""

MARKS = {
    Verdict.AGREES: "✓",
    Verdict.CONSISTENT: "≈",
    Verdict.DIFFERS: "≠",
    Verdict.MISPRINT: "✎",
    Verdict.FOLLOWS: "↳",
    Verdict.IMPOSSIBLE: "⊘",
    Verdict.NO_INPUT: "–",
    Verdict.OPEN: "○",
}
"""A sign beside each word, so that nothing is said by colour alone."""


@cache
def environment() -> Environment:
    """The environment that renders the templates in this package, each page with its style and script.

    The page's policy names both by their digests, so that a browser obeys nothing else that a page may contain.
    """
    from jinja2 import Environment, PackageLoader, StrictUndefined

    folder = resources.files("pipeline.report").joinpath("templates")
    style, script = (
        "\n".join(folder.joinpath(name).read_text(encoding="utf-8") for name in names) for names in (STYLES, SCRIPTS)
    )
    result = Environment(
        loader=PackageLoader("pipeline.report"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_shown,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    result.filters |= {"breakable": _breakable, "capitalised": lambda text: text[:1].upper() + text[1:]}
    result.filters |= {"clipped": clipped, "counted": counted, "readable": readable, "rounded": _rounded}
    result.filters |= {"explained": _explained, "unbroken": _unbroken}
    result.globals |= {
        "impossible": Verdict.IMPOSSIBLE,
        "marks": MARKS,
        "query_command": query_command,
        "style": Markup(style),  # noqa: S704 - all are files of this package
        "script": Markup(script),  # noqa: S704
        "policy": (
            f"default-src 'none'; style-src {_digest(style)}; script-src {_digest(script)}; img-src data:; "
            "base-uri 'none'; form-action 'none'"
        ),
    }
    return result


@cache
def assets() -> str:
    """The digest of the templates, the style and the script, which do not change within a process."""
    folder = resources.files("pipeline.report").joinpath("templates")
    digest = hashlib.blake2b(digest_size=16)
    for file in sorted(folder.iterdir(), key=lambda file: file.name):
        digest.update(file.read_bytes() + b"\0")
    return digest.hexdigest()


def clipped(text: str, longest: int = LONGEST_TEXT) -> str:
    """A text; if it is very long, and would be shorter so, its beginning and the number of omitted characters."""
    if len(text) <= longest:
        return text
    return min(text, f"{text[:longest]}… ({len(text) - longest:,} more characters)", key=len)


def _unbroken(text: str) -> str:
    """A text without line breaks between a number and its percent sign."""
    return re.sub(r"(?<=\d) %", "\N{NO-BREAK SPACE}%", text)


def query_command(question: str, run: str, output: str) -> str:
    """The command that answers a query from one run; `output` is the folder as it is typed."""
    return f'python -m pipeline.query "{in_double_quotes(question)}" --run {run}{output_flag(output)}'


def in_double_quotes(text: str) -> str:
    """A text between the double quotes of a shell, in which SQL is easiest to read; `!` is put between single quotes.

    An interactive shell would take it for a reference to its history otherwise.
    """
    for sign in '\\"$`':
        text = text.replace(sign, f"\\{sign}")
    return text.replace("!", "\"'!'\"")


def _rounded(value: Value) -> str:
    """A figure with four digits."""
    text = f"{value:.4g}" if isinstance(value, float) else str(value)
    return text if isinstance(value, str) else with_minus(text)


def _breakable(name: str) -> Markup:
    """A name that may be broken after its underscores and dots."""
    parts = re.split(r"(?<=[_.])(?=.)", plain(name))
    return Markup("<wbr>").join(parts)


def _explained(note: str, columns: Container[str]) -> Markup:
    """The note of a table with the words that it defines in bold, and with columns named as in their headings."""
    parts = [
        re.sub(r"\w+_\w+", lambda word: readable(word[0]) if word[0] in columns else word[0], part)
        for part in DEFINED.split(_unbroken(_shown(note)))
    ]
    return Markup().join(Markup("<b>{}</b>").format(part) if index % 2 else part for index, part in enumerate(parts))


def _shown(value: Any) -> Any:
    """A text without secrets, and without characters that a browser or a terminal it is pasted into would obey."""
    return plain(masked(value)) if isinstance(value, str) and not isinstance(value, Markup) else value


def _digest(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
