"""What tells compared runs from each other, and what their values have together."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from pipeline.report.rendering import clipped
from pipeline.storage.run_folders import RunFolders
from pipeline.summary.tables import Value

__all__ = ["BAND", "labels_of", "lanes_of", "number_of", "summary_of"]

BAND = 3
"""Runs of the same settings but for the seed, from which on they are drawn as a band with their mean."""
LONGEST_LABEL = 30


def lanes_of(keys: Sequence[str], by_run: Sequence[Sequence[str | None]]) -> tuple[list[tuple[int, str]], bool]:
    """The lane of each run with its name, and whether runs share one: all that differ in the seed alone."""
    others = [place for place, key in enumerate(keys) if key.rpartition(".")[2] != "seed"]
    settings = [tuple(values[place] for place in others) for values in by_run]
    bands = max(Counter(settings).values(), default=0) >= BAND
    if not bands:
        return [(lane, "") for lane in range(len(by_run))], False
    numbers = {own: lane for lane, own in enumerate(dict.fromkeys(settings))}
    return [(numbers[own], ", ".join(str(value) for value in own)[:LONGEST_LABEL]) for own in settings], True


def labels_of(runs: Sequence[RunFolders], keys: Sequence[str], by_run: Sequence[Sequence[str | None]]) -> list[str]:
    """What tells each run from the others: its value of the only key that differs, else its id."""
    if len(keys) == 1 and len(set(by_run)) == len(by_run):
        name = keys[0].rpartition(".")[2]
        found = [f"{name} {values[0]}" for values in by_run]
        if max(map(len, found)) <= LONGEST_LABEL:
            return found
    return [run.id[:7] for run in runs]


def number_of(value: Value) -> float | None:
    """The value as a number; None where it is none."""
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def summary_of(values: Sequence[Value], of_run: Sequence[int], lanes: Sequence[str]) -> str:
    """The difference of two runs, the range of several, the mean of those of a lane; of texts, how many have each."""
    present = [(lane, value) for lane, value in zip(of_run, values, strict=True) if value is not None]
    numbers = [(lane, number) for lane, value in present if (number := number_of(value)) is not None]
    if len(numbers) < len(present):
        counts = Counter(str(value) for _, value in present)
        return "" if len(values) == 2 else ", ".join(f"{clipped(text, 40)} {count}" for text, count in counts.items())
    if len(lanes) == len(of_run):
        every = [value for _, value in numbers]
        if len(values) == 2:
            return _figure(every[1] - every[0], signed=True) if len(every) == 2 else ""
        return f"{_figure(min(every))} to {_figure(max(every))}"
    said = []
    for lane, name in enumerate(lanes):
        own = [value for of, value in numbers if of == lane]
        if own:
            before = f"{name}: " if len(lanes) > 1 else ""
            after = f" ({_figure(min(own))} to {_figure(max(own))})" if own[1:] else ""
            said.append(f"{before}{_figure(sum(own) / len(own))}{after}")
    return "\n".join(said)


def _figure(value: float, *, signed: bool = False) -> str:
    """A number to four digits, as the script of the page writes it."""
    if not math.isfinite(value):
        return "NaN"
    rounded = float(f"{value:.4g}")
    text = f"{abs(rounded):.0f}" if rounded.is_integer() else repr(abs(rounded))
    return f"{'−' if rounded < 0 else '+' if signed and rounded else ''}{text}"
