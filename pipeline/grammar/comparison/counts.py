"""Printed counts and means by group, such as wins of a builder at each depth, beside those of a run."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import RenderableType
from rich.text import Text

from pipeline.configuration.rules import within
from pipeline.csv_text import csv_rows
from pipeline.errors import ConfigError
from pipeline.grammar.columns import Column, Key, Known, Mean, Row, Value, ends_of, estimate_of, grouped
from pipeline.grammar.findings import agreement, listing, mark
from pipeline.grammar.summary import Summary
from pipeline.grammar.table import Table
from pipeline.sql import identifier, literal, literals
from pipeline.summary.tables import Layout, Pair
from pipeline.summary.verdicts import Comparison, Tolerance, rule, verdicts
from pipeline.words import counted

COMPARED = ("difference", *ends_of("difference"), "p", "tolerance", "verdict")
"""Headings of what a comparison with a printed value gives."""
TAKEN = ("n", "place", "measure", "value", "ours", "low", "high", "printed", "printed_n", *COMPARED)
"""Headings that the table has anyway, and names within its SQL."""
MOST = 1_000_000
"""Most observations behind a printed count."""
LEGEND = (
    "no mark: agrees, or not compared; ≈: consistent, no significant difference; ≠: differs from the paper (Fisher's "
    "exact test of counts, z of means; Bonferroni's correction over all values)"
)


def counts(name: str, folder: Path, declared: Mapping[str, Any]) -> Summary:
    """A row for each group and each count or mean, for groups that the run has and that the paper prints.

    A printed group without observations has a row, with counts of 0, if the run has others with its first key.

    Parameters
    ----------
    name : str
        Of the table.
    folder : Path
        Of the CSV.
    declared : mapping
        The keys of the section, as `docs/extend/grid.md` describes them.
    """
    _check_names(folder, declared)
    by, measures = declared["by"], {**declared["counts"], **declared["means"]}
    measured, means = (", ".join(map(literal, of)) for of in (measures, declared["means"] or [""]))
    printed = _printed(folder / declared["values"], by, declared)
    keys, first = ", ".join(map(identifier, by)), identifier(by[0])
    values = [
        f"({sql})::{'double' if measure in declared['means'] else 'boolean::double'} as {identifier(measure)}"
        for measure, sql in measures.items()
    ]
    names = ", ".join(map(identifier, measures))
    numbers = ", ".join(f"{name}::double as {name}" for name in map(identifier, measures))
    table = Table(
        name,
        declared["title"],
        of="counted",
        columns=[
            *(Key(key, identifier(key)) for key in by),
            Key("measure"),
            Value("n", "count(value)"),
            Value("ours", f"if(measure in ({means}), favg(value), coalesce(sum(value), 0))"),
            Mean("_value", "value", n="", low="_low", high="_high"),
            *(Column(heading) for heading in ("low", "high")),
            Known("printed_n", "p.n"),
            Known("printed"),
            *(Column(heading) for heading in COMPARED),
            *(Value(heading, sql) for heading, sql in declared["columns"].items()),
        ],
        beside=f"ours left join printed_measures p using ({keys}, measure)",
        order=f"min(p.place) over (partition by {keys}) nulls last, {keys}, list_position([{measured}], measure)",
        complete=lambda rows: _compare(rows, declared),
        note=_note(declared),
        layout=Layout(tuple(by), ("measure",), (Pair("ours"),)),
    )
    return Summary(
        tables=(table,),
        views={
            "printed_counts": f"select {keys}, n, place, {numbers} from (values {literals(map(dict.values, printed))}) "
            f"as p({', '.join(printed[0])})",
            "counted_values": f"from (select *, {', '.join(values)} from {declared['observations']}) "
            f"unpivot (value for measure in ({names}))",
            "count_groups": f"select distinct {keys} from {declared['observations']} union "
            f"select {keys} from printed_counts where {first} in (select {first} from {declared['observations']})",
            "counted": f"""from counted_values union all by name (
  select {keys}, measure from count_groups cross join (select unnest([{measured}]) as measure)
  except select {keys}, measure from counted_values)""",
            "printed_measures": f"from printed_counts unpivot (printed for measure in ({names}))",
        },
        finding=lambda results: [_finding(results.rows(table), declared)],
        screen=lambda results, _: _screen(results.rows(table), declared),
    )


def _check_names(folder: Path, declared: Mapping[str, Any]) -> None:
    """Raise ConfigError unless keys, counts, means and further columns have names of their own and texts as SQL."""
    named = [declared[key] for key in ("counts", "means", "columns")]
    names = [*declared["by"], *(name for each in named for name in each)]
    for name in names:
        if not isinstance(name, str) or name.startswith("_") or name in TAKEN or names.count(name) > 1:
            taken = ", ".join(TAKEN)
            why = f"expected a text that is used once, does not begin with _ and is not one of {taken}"
            raise ConfigError(f"{folder}: the name {name!r} under `counts` cannot be used: {why}")
    for name, sql in ((name, sql) for each in named for name, sql in each.items()):
        if not isinstance(sql, str):
            raise ConfigError(f"{folder}: under `counts`, {name} is {sql!r}: expected SQL, such as difference > 0")
    for name in declared["by"]:
        if set("{}[].!:") & set(name):
            raise ConfigError(
                f"{folder}: counts.by has {name!r}: expected a column of the observations, named by letters, digits "
                "and _"
            )
    if not declared["by"] or not declared["counts"]:
        raise ConfigError(
            f"{folder}: counts.{'counts' if declared['by'] else 'by'} is empty: expected at least one entry"
        )


def _printed(file: Path, by: Sequence[str], declared: Mapping[str, Any]) -> list[Row]:
    """The printed groups in the order of the CSV; whole numbers in keys are numbers."""
    numbers = {"n": int, **dict.fromkeys(declared["counts"], int), **dict.fromkeys(declared["means"], float)}
    rows = []
    for where, row in csv_rows(file, [*by, *numbers], by, numbers):
        most = MOST if row["n"] is None else row["n"]
        for name, limit in (("n", MOST), *dict.fromkeys(declared["counts"], most).items()):
            within(0, limit).check(f"{where}, column {name}", 0 if row[name] is None else row[name])
        rows.append(row)
    whole = {key for key in by if all(row[key].isdecimal() for row in rows)}
    return [
        {identifier(key): int(row[key]) if key in whole else row[key] for key in by}
        | {identifier(name): row[name] for name in numbers}
        | {"place": place}
        for place, row in enumerate(rows)
    ]


def _compare(rows: Sequence[Row], declared: Mapping[str, Any]) -> None:
    """Intervals, and each value beside the printed one if there are enough observations with the first key."""
    observations = _observations_by_first_key(rows, declared)
    comparisons: list[Comparison | None] = []
    for row in rows:
        is_mean, printed = row["measure"] in declared["means"], row["printed"]
        comparison, tolerance = None, Tolerance(rounding=(declared["rounding"] or 0.0) if is_mean else 0.5)
        row["tolerance"] = None if printed is None else tolerance.of(printed)
        compared = printed is not None and observations[row[declared["by"][0]]] >= declared["fewest"]
        if not is_mean:
            row["low"], row["high"] = wilson(int(row["ours"]), row["n"]) or (None, None)
            if compared and row["printed_n"]:
                numbers = (int(row["ours"]), row["n"], int(printed), row["printed_n"])
                comparison = counts_compared(*numbers, row["tolerance"])
        elif ours := estimate_of(row, "_value"):
            row["low"], row["high"] = ours.low, ours.high
            if compared and row["printed_n"]:
                comparison = Comparison.of(ours.less(printed, row["printed_n"]), row["tolerance"])
        if comparison:
            row["difference"], row["p"] = comparison.difference, comparison.p
            row["difference_low"], row["difference_high"] = comparison.low, comparison.high
        comparisons.append(comparison)
    for row, verdict in zip(rows, verdicts(comparisons), strict=True):
        row["verdict"] = verdict


def _observations_by_first_key(rows: Sequence[Row], declared: Mapping[str, Any]) -> dict[Any, int]:
    """The number of observations with each value of the first key."""
    result = Counter[Any]()
    for own in grouped(rows, *declared["by"]).values():
        result[own[0][declared["by"][0]]] += _observations(own)
    return result


def _observations(rows: Sequence[Row]) -> int:
    """The number of observations of a group: those of the measure for which the fewest are null."""
    return max(int(row["n"]) for row in rows)


def wilson(count: int, of: int) -> tuple[float, float] | None:
    """Wilson's 95 % interval of a count; None if the total is 0."""
    from scipy.stats import binomtest

    if not of:
        return None
    share = binomtest(count, of).proportion_ci(0.95, method="wilson")
    return of * float(share.low), of * float(share.high)


def counts_compared(count: int, of: int, printed: int, printed_of: int, tolerance: float) -> Comparison | None:
    """Compare two counts as shares, the difference in units of the printed count; None if a total is 0.

    The interval is Newcombe's (1998), built from Wilson's two. p is that of Fisher's exact test. Both assume that the
    paper's counts are independent of ours.
    """
    from scipy.stats import fisher_exact

    ours, published = wilson(count, of), wilson(printed, printed_of)
    if ours is None or published is None:
        return None
    share, printed_share = count / of, printed / printed_of
    (low, high), (printed_low, printed_high) = ours, published
    difference = share - printed_share
    return Comparison(
        difference=printed_of * difference,
        low=printed_of * (difference - math.hypot(share - low / of, printed_high / printed_of - printed_share)),
        high=printed_of * (difference + math.hypot(high / of - share, printed_share - printed_low / printed_of)),
        p=float(fisher_exact([[count, of - count], [printed, printed_of - printed]]).pvalue),
        tolerance=tolerance,
    )


def _note(declared: Mapping[str, Any]) -> str:
    noun, fewest = declared["noun"], declared["fewest"]
    left_out = f" Fewer than {fewest} {noun}s with the same {declared['by'][0]} are not compared."
    return (
        f"n: {noun}s. {declared['note']} low to high: 95 % intervals over the {noun}s, Wilson's of counts, normal of "
        "means. p: of the hypothesis that ours and the printed value come from the same distribution: for counts by "
        f"Fisher's exact test (which is lenient, because it assumes that the {noun}s are not the paper's), for means "
        f"by a z test, assuming that they vary as much over the paper's {noun}s as over ours. "
        + rule("p is below 5 % divided by the number of compared values (Bonferroni)")
        + f" Differences of counts are differences of shares, times the paper's number of {noun}s, with Newcombe's "
        f"(1998) interval.{left_out if fewest > 1 else ''}"
    ).replace("  ", " ")


def _finding(rows: Sequence[Row], declared: Mapping[str, Any]) -> str:
    """State how many values agree with the paper, or how many observations a comparison needs."""
    most, fewest = max(_observations_by_first_key(rows, declared).values(), default=0), declared["fewest"]
    if most >= fewest:
        return agreement((row["verdict"] for row in rows), "value")
    here = f"{counted(most, declared['noun'])} with the same {declared['by'][0].replace('_', ' ')}"
    return f"no verdicts: this run has {here}, but at least {fewest} are needed"


def _screen(rows: Sequence[Row], declared: Mapping[str, Any]) -> list[RenderableType]:
    """A line for each group: ours and the paper's, marked by the verdict."""
    by = declared["by"]
    headings = [*by, f"{declared['noun']}s", *declared["counts"], *declared["means"]]
    lines = []
    for own in grouped(rows, *by).values():
        n, printed = _observations(own), next((row["printed_n"] for row in own if row["printed_n"] is not None), None)
        keys = [own[0][key] for key in by]
        values = [_shown(row, declared) for row in own]
        lines.append([*keys, f"{n}{'' if printed is None else f' ({printed})'}", *values])
    named = [heading.replace("_", " ") for heading in headings]
    shown = listing(f"{declared['title']}: ours (printed)", named, lines, words=named[: len(by)], apart=1)
    return [shown, Text(LEGEND, style="dim")]


def _shown(row: Row, declared: Mapping[str, Any]) -> str:
    """Our value with half its interval if it is a mean, the paper's, and the mark of the verdict."""
    ours, printed, rounding = row["ours"], row["printed"], declared["rounding"]
    if ours is None:
        return ""
    is_mean = row["measure"] in declared["means"]
    form = f".{max(0, -math.floor(math.log10(2 * rounding))) if rounding else 2}f" if is_mean else ".0f"
    half = f" ± {row['high'] - ours:{form}}" if is_mean and row["high"] is not None else ""
    beside = "" if printed is None else f" ({printed:{form}})"
    return f"{ours:{form}}{half}{beside}{mark(row) if row['verdict'] else ''}"
