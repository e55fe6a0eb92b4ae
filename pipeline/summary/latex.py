"""Tables for LaTeX: with booktabs, escaped text, and no wider than a page of `article`."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterable, Sequence
from itertools import zip_longest

WRITTEN = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\symbol{34}",
    "`": r"\symbol{96}",
    "[": "{[}",  # after a row it would start an argument of \\
    "]": "{]}",
    "*": "{*}",
    "…": r"\ldots{}",
    "–": r"\textendash{}",
    "—": r"\textemdash{}",
    "−": "$-$",
    "±": r"$\pm$",
    "×": r"$\times$",
    "≤": r"$\le$",
    "≥": r"$\ge$",
    "≠": r"$\ne$",
    "\N{NO-BREAK SPACE}": "~",
}
TRANSLATED = str.maketrans(WRITTEN)
LETTERS = ("L", "M", "N")
"""Categories of Unicode that are left unchanged: letters and marks, for any engine that knows the script."""

WORD = re.compile(r"[^_]*_+|[^_]+")
PIECE = re.compile(r"[^_/-]{1,9}[_/-]{0,3}|[_/-]{1,12}")
"""Characters that stay on the line when a word is broken after them."""
SAMPLES, GAP = 4, 2  # sampled texts that determine the width of a column; characters between two columns
HEADING, TEXT = 13, 20  # characters that fit a line of a heading on a narrow table, and of a long text
LINE_WIDTHS = (52, 100, 160)  # characters of a line: in the usual font size, in smaller ones, and on a landscape page
MOST_LINES, NOTE_LINE = 36, 80  # lines of a float, beyond which a table spans several pages; characters of a line
SHRINK = r"""
\makeatletter\dimen8=\f@size pt\makeatother \setlength{\tabcolsep}{3pt}
\loop \sbox0{\begin{tabular}{KINDS} SAMPLE \end{tabular}}
\ifdim \ifdim\dimen8<2pt 0pt\else\wd0\fi>\linewidth
  \dimen8=.97\dimen8 \fontsize{\dimen8}{1.2\dimen8}\selectfont \setlength{\tabcolsep}{.97\tabcolsep}
\repeat""".lstrip()
"""LaTeX that chooses the largest font size in which the widest cells of each column fit the line."""

LIGATURE = re.compile(r"([-',])(?=\1)")
NO_LABEL = re.compile(r"[\\{}$&#%^~]")
"""Characters that a label cannot have."""
NUMBER = re.compile(r"(-?)([0-9.]+)(?:e([+-])0*([0-9]+))?")


def escaped(text: str) -> str:
    """A text in LaTeX, in one line. Commands, comments and formulas in it are escaped, so that they print as written.

    Characters that are neither letters nor known here, such as controls and emoji, are written as Unicode numbers.
    """
    line = " ".join(text.split())
    plain = line.isascii() and line.isprintable()  # true of nearly all texts, and quicker
    return LIGATURE.sub(r"\1{}", line.translate(TRANSLATED) if plain else "".join(map(_written, line)))


def cell(text: str, numeric: bool) -> str:
    """The text of a cell; numbers get a minus sign and a power of ten as in print."""
    match = NUMBER.fullmatch(text) if numeric else None
    if match is None:
        return escaped(text)
    minus, digits, below, power = match.groups()
    if power:
        return rf"${minus}{digits} \cdot 10^{{{below.strip('+')}{power}}}$"
    return f"$-${digits}" if minus else digits


def table(
    name: str, title: str, columns: Sequence[str], numeric: Sequence[bool], rows: Sequence[Sequence[str]], note: str
) -> str:
    """A table with its caption above and its note below, numbers right-aligned, that fits a page of `article`.

    The first line names the packages that it needs. The table is a float; one that is longer than a page continues on
    the next. For a wide table, LaTeX itself finds the font size, long texts are broken into lines, and the widest
    tables are on landscape pages.

    rows : texts of the cells; all texts are escaped here
    """
    samples = [sorted({row[index] for row in rows}, key=_by_length)[-SAMPLES:] or [""] for index in range(len(columns))]
    longest = [len(texts[-1]) for texts in samples]
    for line_width in LINE_WIDTHS:
        narrow = line_width == LINE_WIDTHS[0]
        headings = [_broken(name, max(most, HEADING * narrow)) for name, most in zip(columns, longest, strict=True)]
        widths = [max(most, *map(len, lines)) + GAP for most, lines in zip(longest, headings, strict=True)]
        long = [width for width, right in zip(widths, numeric, strict=True) if width > TEXT and not right]
        left = line_width - sum(widths) + sum(long)
        if left >= TEXT * len(long):
            break
    share = max(left / max(len(long), 1), TEXT)
    broken = [width > share and not right for width, right in zip(widths, numeric, strict=True)]
    kinds = "".join(
        rf">{{\raggedright\arraybackslash}}p{{{share / 2:.1f}em}}" if breaks else "r" if right else "l"
        for right, breaks in zip(numeric, broken, strict=True)
    )
    heading = _row(map(_heading, headings, numeric, broken))
    head = [r"\toprule", heading, r"\midrule"]
    body = [_row(map(_cell, row, numeric, broken)) for row in rows]
    widest = (_row(map(_cell, row, numeric, broken)) for row in zip_longest(*samples, fillvalue=""))
    size = [] if narrow else [SHRINK.replace("KINDS", kinds).replace("SAMPLE", " ".join([heading, *widest]))]
    caption, label = rf"\caption{{{escaped(title)}}}", rf"\label{{tab:{NO_LABEL.sub('', name)}}}"
    below = rf"\parbox{{\linewidth}}{{\footnotesize\raggedright {escaped(note)}}}"
    packages = [*["array"] * any(broken), "booktabs", *["fix-cm"] * bool(size)]
    landscape = line_width == LINE_WIDTHS[-1]
    lines = sum(math.ceil(max(map(len, row), default=0) / share) if any(broken) else 1 for row in rows)
    if not landscape and lines + len(note) // NOTE_LINE <= MOST_LINES:
        text = [
            *(r"\begin{table}", r"\centering", caption, label, r"\par\smallskip", *size),
            *(rf"\begin{{tabular}}{{{kinds}}}", *head, *body, r"\bottomrule", r"\end{tabular}"),
            *(rf"\par\smallskip{below}", r"\end{table}"),
        ]
    else:
        packages += ["longtable", *["pdflscape"] * landscape]
        begin, end = (r"\begin{landscape}", r"\end{landscape}") if landscape else (r"\begingroup", r"\endgroup")
        text = [
            *(begin, *size, rf"\begin{{longtable}}{{{kinds}}}"),
            *(caption, rf"{label} \\", *head, r"\endhead", r"\bottomrule", r"\endfoot", *body),
            *(r"\end{longtable}", rf"\noindent{below}", rf"\par{end}"),
        ]
    return "\n".join([f"% \\usepackage{{{','.join(packages)}}}", *text, ""])


def _by_length(text: str) -> tuple[int, str]:
    return len(text), text


def _cell(text: str, numeric: bool, broken: bool) -> str:
    return _in_pieces(text) if broken else cell(text, numeric)


def _in_pieces(text: str) -> str:
    """A text that may also be broken within words."""
    return " ".join(r"\allowbreak{}".join(map(escaped, PIECE.findall(word))) for word in text.split())


def _broken(column: str, longest: int) -> list[str]:
    """The lines of a heading, each with some words of a name."""
    lines = [""]
    for word in WORD.findall(column):
        if lines[-1] and len(lines[-1]) + len(word) > longest:
            lines.append("")
        lines[-1] += word
    return lines


def _heading(lines: Sequence[str], numeric: bool, broken: bool) -> str:
    """A heading aligned like the cells of its column."""
    if broken:
        return _in_pieces("".join(lines))
    first, *others = map(escaped, lines)
    return rf"\shortstack[{'r' if numeric else 'l'}]{{" + r" \\ ".join([first, *others]) + "}" if others else first


def _row(cells: Iterable[str]) -> str:
    return " & ".join(cells) + r" \\"


def _written(character: str) -> str:
    if character in WRITTEN:
        return WRITTEN[character]
    if (character.isascii() and character.isprintable()) or unicodedata.category(character)[0] in LETTERS:
        return character
    return f"{{[}}U+{ord(character):04X}{{]}}"
