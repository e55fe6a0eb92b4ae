"""Replace secrets, such as passwords and tokens, by `***` in whatever is recorded, printed, reported or raised."""

from __future__ import annotations

import json
import re
from typing import Any

MASK = "***"

NAMES = (
    r"(?>[\w.-]*(?:token|passw(?:or)?d|passphrase|secret|credential|signature|authorization"
    r"|(?:api|access|account|private|encryption|ssh|signing)[_-]?key|_pwd|_(?:pass|auth)(?![a-z]))[\w.-]*)"
)
"""Names of keys, variables, options and parameters whose values are secret."""

SECRET_NAME = re.compile(rf"{NAMES}|sig", re.IGNORECASE)

QUOTED = r"""(?:\\?"[^"]*(?:"|$)|\\?'[^']*(?:'|$))"""
WORD = r"""(?:\\.|[^\s'";&|\\])+"""
VALUE = rf"(?:(?:Bearer|Basic)\s+)?(?:{QUOTED}(?:{WORD})?|{WORD})"
ASSIGNMENT = re.compile(
    rf"""(?P<before>(?<![\w.-])(?:{NAMES}|(?<=[?&])sig)\\?["']?\s*(?:\+?=|:(?!//))\s*)(?P<value>{VALUE})""",
    re.IGNORECASE,
)
OPTION = re.compile(rf"(?P<before>(?<!\S)--?{NAMES}\s+)(?P<value>(?!-){VALUE})", re.IGNORECASE)
HEADER = re.compile(r"(?P<before>\b(?:Bearer|Basic)\s+)(?P<value>[\w.~+/=-]{8,})", re.IGNORECASE)
USER = re.compile(r"(?P<before>(?<!\S)(?:-u|--user)[ =]?[^\s:]+:)(?P<value>\S+)")
# A path made of an address has one slash where the address has two. Matching the last character of the scheme is
# enough: a search for the first takes quadratic time in a long word.
URL = re.compile(r"(?P<before>[a-z0-9+.-]:/{1,2}[^\s:/@'\"]*:)(?P<value>[^\s'\"/]+)(?=@)", re.IGNORECASE)
URL_WITH_TOKEN = re.compile(r"(?P<before>https?:/{1,2})(?P<value>[^\s:/@'\"?#]+)(?=@)", re.IGNORECASE)
PATTERNS = (URL, URL_WITH_TOKEN, ASSIGNMENT, OPTION, HEADER, USER)


def masked(text: str) -> str:
    """Replace the secrets in a text by `***`: values of secret names, and credentials in addresses.

    A text that looks like a secret is masked, too.

    Examples
    --------
    >>> masked("export API_TOKEN=abc; pip install --index-url https://me:pw@example.org/simple")
    'export API_TOKEN=***; pip install --index-url https://me:***@example.org/simple'
    """
    for pattern in PATTERNS:
        text = pattern.sub(lambda match: f"{match['before']}{MASK}", text)
    return text


def masked_values(node: Any) -> Any:
    """A configuration (mappings, lists and values) with its secrets masked. Values of secret keys are masked whole."""
    if isinstance(node, dict):
        return {
            key: MASK if _is_secret(key) and below not in (None, "", MASK) else masked_values(below)
            for key, below in node.items()
        }
    if isinstance(node, list):
        return [masked_values(below) for below in node]
    return masked(node) if isinstance(node, str) else node


def masked_yaml(text: str) -> str:
    """The YAML of a configuration with its secrets masked; the identical text if there are none."""
    import yaml

    values = yaml.safe_load(text)
    hidden = masked_values(values)
    return text if hidden == values else yaml.safe_dump(hidden, allow_unicode=True, sort_keys=False)


def masked_override(override: str) -> str:
    """An override of the command line with its secrets masked."""
    from hydra.core.override_parser.overrides_parser import OverridesParser
    from hydra.errors import HydraException

    name, equals, value = override.partition("=")
    if not equals:
        return masked(override)
    if _is_secret(name.rpartition(".")[2]):
        return f"{name}={MASK}"
    if masked(value) == value:
        return override
    try:
        values = OverridesParser.create().parse_override(override).value()
    except HydraException:
        values = None
    if isinstance(values, list) and all(isinstance(item, str) for item in values):
        return f"{name}={json.dumps(masked_values(values), ensure_ascii=False)}"
    return f"{name}={masked(value)}"


def key_with_mask(node: Any) -> str | None:
    """The dotted key of the first value in a configuration that contains `***`; None if there is none."""
    items = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for key, below in items:
        if _is_secret(key) and below == MASK:
            return str(key)
        if isinstance(below, str) and any(
            match["value"].strip("\\'\"") == MASK for pattern in PATTERNS for match in pattern.finditer(below)
        ):
            return str(key)
        if (further := key_with_mask(below)) is not None:
            return f"{key}.{further}"
    return None


def _is_secret(key: Any) -> bool:
    return isinstance(key, str) and SECRET_NAME.fullmatch(key) is not None
