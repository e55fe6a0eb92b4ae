"""EVO-Tree and its baselines beside the three tables of Jankowski & Jackowski 2014; tests, claims, learning curves."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rich.console import RenderableType
from rich.text import Text

from pipeline.grammar.columns import TITLE, Computed, Key, Known, Mean, Printed, Row, Value
from pipeline.grammar.comparison import ranks, summary
from pipeline.grammar.comparison.claims import claims
from pipeline.grammar.comparison.learning_curves import curves
from pipeline.grammar.comparison.ranks import AVERAGES, friedman_result, rank_tests, rank_views
from pipeline.grammar.comparison.sections import ACCURACIES, comparison, splits
from pipeline.grammar.findings import agreement, mark, pivot
from pipeline.grammar.notable_trees import furthest_ahead, no_worse_but_smaller
from pipeline.grammar.summary import Results, Summary
from pipeline.grammar.table import Table
from pipeline.grid import NotableTree
from pipeline.printed_table.figure import MEAN, PER_CENT
from pipeline.printed_table.measures import ACCURACY
from pipeline.printed_table.reading import read_printed_table
from pipeline.sql import literal
from pipeline.summary.layout import Layout, Pair
from pipeline.summary.statistics import Estimate
from pipeline.summary.verdicts import MISPRINT, Tolerance, rule

DOCUMENT = "Jankowski & Jackowski 2014"
FOLDER = Path(__file__).with_name("printed")
EVO_TREE, J48, MLP = "evo_tree", "j48", "mlp"
TREES, OTHERS = (EVO_TREE, J48, "random_tree"), ("svm", "naive_bayes", MLP)
CUT = "uci/abalone (210 rows)"
"""Abalone cut to the number of rows that the paper gives. It counts in claims about abalone, but in no rank."""
LEAST, STANDARD_ERRORS, PRINTED_SPLITS = 0.02, 2.5, 10
"""A cell does not differ up to this difference in accuracy, nor up to this many standard errors of the difference."""
HUNDREDTH = 0.005 + 1e-9  # half a unit of the last digit of an average rank
ROOMY_WIDTH = 96  # width from which the paper's values are shown beside ours
MARKS = (
    "no mark: agrees; ~: consistent, no significant difference; *: differs from the paper; !: a misprint; -: no "
    "verdict; rule and reasons: evo_tree.md"
)


BUILDERS = {
    "EVO-Tree": EVO_TREE,
    "J48": J48,
    "LibSVM": "svm",
    "Multilayer Perceptron": MLP,
    "Naive Bayes": "naive_bayes",
    "Random Tree": "random_tree",
}
PRINTED: list[Row] = [
    {
        "case": figure.source,
        "source": figure.known,
        "builder": figure.builder,
        "measure": figure.measure.name,
        "value": float(figure.value / (PER_CENT if figure.measure.share else 1)),
        "place": index,
    }
    for index, figure in enumerate(read_printed_table(FOLDER / "evo_tree.csv", BUILDERS, strict=True).figures)
]
"""The figures of Tables 2 and 3: accuracies from 0 to 1, and ranks."""
PRINTED_ACCURACIES = ", ".join(
    f"({', '.join(literal(row[name]) for name in ('source', 'builder', 'value', 'place'))})"
    for row in PRINTED
    if row["measure"] == ACCURACY
)
RANKINGS = {
    "printed": "printed_accuracies",
    "printed, without the MLP": f"printed_accuracies where builder <> '{MLP}'",
    "printed, with our MLP": f"""(select p.source, p.builder, p.position,
    if(p.builder = '{MLP}', m.accuracy, p.accuracy) as accuracy
  from printed_accuracies p join our_accuracies m on m.source = p.source and m.builder = '{MLP}')""",
    "ours": "our_accuracies",
    "ours, without the MLP": f"our_accuracies where builder <> '{MLP}' "
    f"and exists (from our_accuracies where builder = '{MLP}')",
}
"""What is ranked: the paper's accuracies, ours if no split failed, and the paper's with our MLP."""
OF_PAPER = f"(select title from sets where title in (select col0 from (values {PRINTED_ACCURACIES})))"

VIEWS = {
    "printed_accuracies": "select source, builder, accuracy::double as accuracy, position "
    f"from (values {PRINTED_ACCURACIES}) as printed(source, builder, accuracy, position)",
    "our_accuracies": """select source, builder, avg(r.test_accuracy) as accuracy, any_value(p.position) as position
from results r join printed_accuracies p using (source, builder)
where part = 'all' group by source, builder having bool_and(status = 'ok')""",
    **rank_views(RANKINGS, EVO_TREE, ("printed", "ours")),
    "whole_ranks": """select source, builder, ranking, rank from ranked
union all by name
select null as source, builder, ranking, avg(rank) as rank from ranked group by builder, ranking""",
    "wins": f"""select l.builder as tree, r.builder as other, ranking = 'ours' as ours,
  round(l.accuracy - r.accuracy, 9) as gain
from accuracies_ranked l join accuracies_ranked r using (ranking, source)
where ranking in ('printed', 'ours') and l.builder in {TREES} and r.builder in {OTHERS}""",
    "sizes": """select source, part, max(rows + test_rows) as rows, null as support
from results group by source, part
union all by name
select source, part, sum(support) as support from classes group by source, part, "class" """,
}

SETS = Table(
    "data_sets",
    f"Data sets, as printed and as they are ({DOCUMENT}, Table 1)",
    of="sizes",
    columns=[
        Known("case", "c.case"),
        *(Key(name) for name in ("source", "part")),
        Known("printed_rows", "p.instances"),
        Value("rows", "max(rows)"),
        *(Known(name, sql) for name, sql in (("printed_attributes", "p.attributes"), ("attributes", "c.attributes"))),
        Known("printed_classes", "p.classes"),
        Value("classes", "nullif(count(*) filter (where support > 0), 0)"),
        Value("largest_class", "max(support) / nullif(sum(support), 0)"),
        *(Known(name, f"c.{name}") for name in ("corrected_rows", "corrected_attributes", "remark")),
        Value("_title", f"any_value({TITLE})"),
    ],
    beside="ours join sources s using (source, part) join printed_cases c on c.title = ours._title "
    "left join printed_evo_tree_datasets p on p.dataset = c.case",
    order="s.place",
    note="corrected_rows, corrected_attributes: what the paper's number should be, if the remark proves it wrong. "
    "classes: classes that rows have; largest_class: share of the rows with the most common class, which is the "
    "accuracy of always predicting it.",
    layout=Layout(("case",), (), tuple(Pair(name, f"printed_{name}") for name in ("rows", "attributes", "classes"))),
)


def _limit(difference: Estimate) -> float:
    return max(LEAST, STANDARD_ERRORS * (difference.standard_error or 0.0))


def _why(row: Row) -> str | None:
    """The facts known about a cell that differs."""
    beyond = row["difference"] is not None and abs(row["difference"]) > row["significant_beyond"]
    return row["_known"] if beyond and not row["_failed"] and row["verdict"] != "agrees" else None


KNOWN = (
    "(select arg_min(d.{}, d.place) from printed_differences d "
    "where coalesce(d.title, ours._title) = ours._title and coalesce(d.builder, ours.builder) = ours.builder)"
)
"""The first fact known about a cell: about its builder, its data set, or both."""
RULE = rule(
    f"the difference exceeds significant_beyond (the larger of {LEAST:g} and {STANDARD_ERRORS:g} standard errors, "
    f"assuming that the paper's {PRINTED_SPLITS} splits vary as much as ours)"
)
CELLS = Table(
    "evo_tree",
    f"EVO-Tree and its baselines beside the paper ({DOCUMENT}, Table 2)",
    of="fits",
    columns=[
        Known("case", "c.case"),
        *(Key(name) for name in ("source", "part", "builder")),
        Mean("accuracy", "if(good, test_accuracy, null)"),
        Printed(
            "accuracy",
            "p.value",
            tolerance=Tolerance(rounding=0.0005),
            n=PRINTED_SPLITS,
            compared=lambda row: row["_title"] != CUT and not row["_failed"],
            limit=_limit,
            corrected=KNOWN.format("corrected"),
            headings=("printed", "difference", "tolerance", "significant_beyond", "verdict"),
        ),
        *(
            Value(name, f"avg({measure}) filter (where good)")
            for name, measure in (("depth", "depth"), ("nodes", "nodes"), ("decision_rules", "terminal_nodes"))
        ),
        Value("build_seconds", "avg(build_seconds) filter (where good)"),
        Computed("why", of=_why),
        Value("_title", f"any_value({TITLE})"),
        Value("_failed", "count(*) filter (where not good)"),
        Known("_known", KNOWN.format("why")),
    ],
    beside="""ours join printed_cases c on c.title = ours._title
join printed p on (p.case, p.builder, p.measure) = (c.case, ours.builder, 'accuracy')""",
    order="c.place, p.place",
    note=lambda rows: (
        "n: splits; accuracy: mean over them; low to high: its 95 % normal interval, which is approximate, because "
        f"splits share rows. {RULE} {MISPRINT} {CUT} is another reading of abalone, without a verdict. "
        f"{_compared(rows)}. depth, nodes, decision_rules (leaves), build_seconds: means; nodes are those that "
        "training rows reach."
    ),
    layout=Layout(("case",), ("builder",), (Pair("accuracy"),)),
)


def _column(ranking: str) -> str:
    return f"by_{ranking.lower().replace(',', '').replace(' ', '_')}"


def _rank_why(row: Row) -> str | None:
    """The rank that the paper's accuracies give, with its MLP and with ours, if the printed rank differs from ours."""
    printed, by_printed, with_our_mlp, ours = (
        row[name] for name in ("printed", "by_printed", "by_printed_with_our_mlp", "by_ours")
    )
    if ours is None or abs(ours - printed) <= HUNDREDTH:
        return None
    given = "this rank" if abs(by_printed - printed) <= HUNDREDTH else f"{by_printed:g}, which is not this rank"
    replaced = "" if with_our_mlp is None else f"with our MLP instead of its own, they give {with_our_mlp:g}; "
    return f"the paper's accuracies give {given}; {replaced}our accuracies give {ours:g}"


RANKS = Table(
    "ranks",
    f"Ranks by accuracy ({DOCUMENT}, Table 3)",
    of="whole_ranks",
    columns=[
        Known("case", "coalesce(c.case, 'average')"),
        *(Key(name) for name in ("source", "builder")),
        Known("printed", "p.value"),
        *(Value(_column(name), f"any_value(rank) filter (where ranking = {literal(name)})") for name in RANKINGS),
        Computed("why", of=_rank_why),
    ],
    beside=f"""ours left join printed_cases c on c.title = ours.source
join printed p on (p.case, p.builder, p.measure) = (coalesce(c.case, {literal(MEAN)}), ours.builder, 'rank')""",
    order="coalesce(c.place, 99), p.place",
    note="printed: printed ranks. The others are ranks by accuracy, with the mean rank for ties: by_printed uses the "
    "paper's accuracies, by_printed_with_our_mlp the paper's except that the MLP is ours, by_ours our accuracies. "
    "why: if the printed rank differs from ours, the ranks that each of these gives.",
    layout=Layout(("case",), ("builder",), (Pair("by_ours"),)),
)
TESTS = rank_tests(
    "Tests of the ranks (not in the paper)",
    "Rankings named printed use the paper's own accuracies.",
)
WINS = Table(
    "wins",
    "Trees compared with other classifiers, by data set",
    of="wins",
    columns=[
        *(Key(name) for name in ("tree", "other")),
        *(
            column
            for prefix, ours in (("printed_", "not ours"), ("", "ours"))
            for column in (
                Value(f"{prefix}n", f"count(*) filter (where {ours})"),
                Value(f"{prefix}wins", f"sum((gain > 0)::int) filter (where {ours})::bigint"),
                Value(f"{prefix}losses", f"sum((gain < 0)::int) filter (where {ours})::bigint"),
            )
        ),
    ],
    order=f"list_position({list(TREES)}, tree), list_position({list(OTHERS)}, other)",
    note=(
        "Numbers of data sets on which the tree is more accurate (wins) and less accurate (losses), by the paper's "
        "accuracies and by ours."
    ),
)


def _compared(cells: Sequence[Row]) -> str:
    """Count the cells by verdict, with and without those of the MLP."""
    all_cells = agreement((row["verdict"] for row in cells), "cell")
    others = [row["verdict"] for row in cells if row["builder"] != MLP]
    return all_cells if len(others) == len(cells) else f"{all_cells} (without the MLP: {agreement(others, 'cell')})"


def _won(wins: Sequence[Row]) -> str:
    """Count how often trees are more accurate than the other builders, except the MLP."""
    clauses = []
    for name, rows in (
        ("SVM and naive Bayes", [row for row in wins if row["other"] != MLP]),
        ("the MLP", [row for row in wins if row["other"] == MLP]),
    ):
        ours = [row for row in rows if row["n"]]
        here = f" and {_share(ours, '')} here" if ours else ""
        clauses.append(f"{name} in {_share(rows, 'printed_')} cases in the paper{here}")
    return f"trees beat {', and '.join(clauses)}"


def _share(wins: Sequence[Row], prefix: str) -> str:
    return f"{sum(row[f'{prefix}wins'] for row in wins)} of {sum(row[f'{prefix}n'] for row in wins)}"


def _finding(results: Results) -> list[str]:
    """State how many cells agree, how often trees win, whether our ranks differ, and how many claims agree."""
    ranked = {row["ranking"] for row in results.rows(AVERAGES)}
    ours = f"our ranks: {friedman_result('ours', results.rows(TESTS))}" if "ours" in ranked else ""
    return [_compared(results.rows(CELLS)), _won(results.rows(WINS)), ours]


def _screen(results: Results, width: int) -> list[RenderableType]:
    """Accuracies beside the paper's, average ranks and their tests, then the claims."""
    cells, averages = results.rows(CELLS), results.rows(AVERAGES)
    roomy = width >= ROOMY_WIDTH
    tests = [
        f"{name}: {friedman_result(name, results.rows(TESTS))}"
        for name in dict.fromkeys(r["ranking"] for r in averages)
    ]
    return [
        pivot(
            cells,
            line=lambda row: row["case"] if row["part"] == "all" else f"{row['case']}, {row['part']}",
            column=lambda row: str(row["builder"]),
            cell=lambda row: _shown(row, roomy=roomy),
            title="Test accuracy (the paper's)" if roomy else "Test accuracy",
            apart=1,
        ),
        Text(MARKS, style="dim"),
        "",
        pivot(
            averages,
            line=lambda row: str(row["ranking"]),
            column=lambda row: str(row["builder"]),
            cell=lambda row: f"{row['mean']:.2f}",
            title="Average rank",
            numeric=True,
        ),
        Text("\n".join([_compared(cells), *tests, _won(results.rows(WINS))])),
    ]


def _shown(row: Row, *, roomy: bool) -> str | None:
    if row["accuracy"] is None:
        return None
    printed = f" ({row['printed']:.3f})" if roomy else ""
    return f"{row['accuracy']:.3f}{printed}{mark(row)}".replace("0.", ".")


def _trees(results: Results) -> list[NotableTree]:
    """The trees of EVO-Tree and J48 on the splits with the most leaves saved at no cost and the most accuracy lost."""
    by_split = splits(results)
    worst = furthest_ahead(by_split, J48, EVO_TREE)[::-1]
    return [*no_worse_but_smaller(by_split, J48, EVO_TREE), *worst]


def _draw(results: Results, folder: Path) -> Sequence[Path]:
    printed = {(row["_title"], row["builder"]): row["printed"] for row in results.rows(CELLS)}
    headline = "Accuracies beside the paper's, and sizes (not in the paper)"
    drawn = (results.rows(ACCURACIES), results.context["builders"], folder)
    return (
        *summary.draw(*drawn, name="evo_tree", headline=headline, printed=printed),
        *ranks.draw(results.rows(AVERAGES), EVO_TREE, folder),
    )


SUMMARY = comparison(
    Summary(
        tables=(SETS, CELLS, RANKS, AVERAGES, TESTS, WINS),
        views=VIEWS,
        constants={"printed": PRINTED},
        figures=(_draw,),
        finding=_finding,
        screen=_screen,
        trees=_trees,
    ),
    claims(
        FOLDER.with_name("claims.csv"),
        f"Claims on EVO-Tree ({DOCUMENT})",
        "Decision rules are leaves that training rows reach. The paper gives accuracies only, and no numbers of "
        "rules. wins.csv shows how often each builder wins.",
        among=f"title <> {literal(CUT)} and (title in {OF_PAPER} or not exists {OF_PAPER})",
    ),
    curves("Learning curves of EVO-Tree"),
    printed=FOLDER,
)
