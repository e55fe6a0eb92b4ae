"""Printed ranks beside those by printed and by our accuracies, their tests, and how often some builders win."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from rich.console import RenderableType
from rich.text import Text

from pipeline.grammar.columns import Computed, Key, Known, Row, Value, grouped
from pipeline.grammar.comparison.printed_values import printed_values_of
from pipeline.grammar.comparison.ranks import AVERAGES, DIGITS, draw, friedman_result, rank_tests, rank_views
from pipeline.grammar.findings import pivot
from pipeline.grammar.summary import Summary
from pipeline.grammar.table import Table
from pipeline.sql import identifier, literal, literals
from pipeline.summary.rounding import TEXT
from pipeline.summary.tables import Layout, Pair

WHOLE_RANKS = """select source, builder, ranking, rank from ranked
union all by name
select null as source, builder, ranking, avg(rank) as rank from ranked group by builder, ranking"""


def _accuracies(file: Path, builders: Mapping[str, str]) -> dict[str, str]:
    """Views: printed accuracies, and ours beside them where no split failed, in percent."""
    values = {(row["source"], row["builder"]): row["value"] for row in printed_values_of(file, builders)}
    order = [*dict.fromkeys((*builders.values(), *(builder for _, builder in values)))]
    listed = literals((*key, value, order.index(key[1])) for key, value in values.items())
    return {
        "printed_accuracies": "select source, builder, accuracy::double as accuracy, position "
        f"from (values {listed}) as printed(source, builder, accuracy, position)",
        "our_accuracies": """select p.source, p.builder, s.accuracy, p.position
from printed_accuracies p join sets s on s.title = p.source and s.builder = p.builder where s.good""",
    }


def ranks(file: Path, builders: Mapping[str, str], title: str, tests: str, without: str, called: str) -> Summary:
    """The printed ranks beside those of the printed and of our accuracies, and tests of the first builder.

    builders : the builder of each printed column
    without  : a builder whose printed accuracies are wrong: there are also rankings without it, and with our accuracies
               of it; empty: no such rankings
    called   : the name of that builder in the rankings; by default its own
    """
    called, wrong = called or without, literal(without)
    replaced = f"printed, with our {called}"
    rankings = {
        "printed": "printed_accuracies",
        f"printed, without the {called}": f"printed_accuracies where builder <> {wrong}",
        replaced: f"""(select p.source, p.builder, p.position,
    if(p.builder = {wrong}, m.accuracy, p.accuracy) as accuracy
  from printed_accuracies p join our_accuracies m on m.source = p.source and m.builder = {wrong})""",
        "ours": "our_accuracies",
        f"ours, without the {called}": f"our_accuracies where builder <> {wrong} "
        f"and exists (from our_accuracies where builder = {wrong})",
    }
    if not without:
        rankings = {name: rankings[name] for name in ("printed", "ours")}
    first, tested = next(iter(builders.values())), rank_tests(tests)
    printed = printed_values_of(file, builders, ranks=True)
    table = Table(
        "ranks",
        title,
        of="whole_ranks",
        columns=[
            Known("case", "p.case"),
            *(Key(name) for name in ("source", "builder")),
            Known("printed", "p.value"),
            *(Value(_column(name), f"any_value(rank) filter (where ranking = {literal(name)})") for name in rankings),
            Computed("why", of=lambda row: _why(row, row.get(_column(replaced)), called)),
            Known(TEXT, "p.text"),
            Known("_near", "if(p.source is null, p.rounding, 0) + 1e-9"),
        ],
        beside="printed_ranks p join ours on p.source is not distinct from ours.source and p.builder = ours.builder",
        order="p.place",
        note="printed: printed ranks. The others are ranks by accuracy, with the mean rank for ties: by_printed uses "
        "the paper's accuracies, by_ours ours; without: of all builders but one; with_our: by the paper's accuracies, "
        "with our accuracy for this builder. why: if the printed rank differs from ours, the ranks that each of these "
        "gives.",
        layout=Layout(("case",), ("builder",), (Pair("by_ours"),)),
    )
    return Summary(
        tables=(*([table] if printed else []), AVERAGES, tested),
        views={
            **_accuracies(file, builders),
            **rank_views(rankings, first, ("printed", "ours")),
            "whole_ranks": WHOLE_RANKS,
        },
        constants={"printed_ranks": printed},
        figures=(lambda results, folder: draw(results.rows(AVERAGES), first, folder),),
        finding=lambda results: [f"our ranks: {friedman_result('ours', results.rows(tested))}"],
        screen=lambda results, _: _screen(results.rows(AVERAGES), results.rows(tested)),
    )


def _column(ranking: str) -> str:
    return f"by_{ranking.lower().replace(',', '').replace(' ', '_')}"


def _why(row: Row, with_our: float | None, called: str) -> str | None:
    """If the printed rank differs from ours: what the printed accuracies give, also with ours of a builder."""
    printed, by_printed, ours = (row[name] for name in ("printed", "by_printed", "by_ours"))
    if by_printed is None or ours is None or abs(ours - printed) <= row["_near"]:
        return None
    given = "this rank" if abs(by_printed - printed) <= row["_near"] else f"{by_printed:g}, which is not this rank"
    replaced = "" if with_our is None else f"with our {called} instead of its own, they give {with_our:g}; "
    return f"the paper's accuracies give {given}; {replaced}our accuracies give {ours:g}"


def _screen(averages: Sequence[Row], tests: Sequence[Row]) -> list[RenderableType]:
    """The average ranks, and Friedman's test of each ranking."""
    shown = pivot(
        averages,
        line=lambda row: str(row["ranking"]),
        column=lambda row: str(row["builder"]),
        cell=lambda row: f"{row['mean']:.2f}",
        title="Average rank",
        numeric=True,
    )
    lines = [f"{name}: {friedman_result(name, tests)}" for name in grouped(averages, "ranking")]
    return ["", shown, Text("\n".join(lines))]


def wins(
    file: Path, builders: Mapping[str, str], title: str, of: Sequence[str], against: Sequence[str], called: str
) -> Summary:
    """How often each builder of `of`, which are `called` so, is more accurate than each of `against`.

    builders : the builder of each printed column
    """
    called = called or "builder"
    left, right = (f"[{', '.join(map(literal, names))}]" for names in (of, against))
    table = Table(
        "wins",
        title,
        of="wins",
        columns=[
            Key(called, identifier(called)),
            Key("other"),
            *(
                Value(f"{prefix}{name}", f"count(*) filter (where {which}{condition})")
                for prefix, which in (("printed_", "not ours"), ("", "ours"))
                for name, condition in (("n", ""), ("wins", " and gain > 0"), ("losses", " and gain < 0"))
            ),
        ],
        order=f"list_position({left}, {identifier(called)}), list_position({right}, other)",
        note=f"Numbers of data sets on which the {called} is more accurate (wins) and less accurate (losses), by the "
        "paper's accuracies and by ours.",
    )
    views = {
        "wins": f"""with accuracies as (from printed_accuracies select *, false as ours
  union all from our_accuracies select *, true as ours)
select l.builder as {identifier(called)}, r.builder as other, ours, round(l.accuracy - r.accuracy, {DIGITS}) as gain
from accuracies l join accuracies r using (source, ours)
where l.builder in {left} and r.builder in {right}"""
    }
    return Summary(
        tables=(table,),
        views=_accuracies(file, builders) | views,
        finding=lambda results: [_won(results.rows(table), called)],
        screen=lambda results, _: [Text(_won(results.rows(table), called))],
    )


def _won(rows: Sequence[Row], called: str) -> str:
    """How often the builders are more accurate than each of the others, in words."""
    clauses = []
    for other, beside in grouped(rows, "other").items():
        names = ("printed_wins", "printed_n", "wins", "n")
        ahead, cases, ours, n = (sum(row[name] for row in beside) for name in names)
        clauses.append(f"{other} in {ahead} of {cases} printed cases" + (f" and {ours} of {n} here" if n else ""))
    return f"{called}s beat {', '.join(clauses)}"
