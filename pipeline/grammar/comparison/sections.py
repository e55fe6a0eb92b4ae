"""The tables of every comparison of builders, and the summary that its sections make together."""

from __future__ import annotations

from typing import Any

from pipeline.grammar.columns import TITLE, Key, Mean, Row, Value
from pipeline.grammar.summary import Results, Summary
from pipeline.grammar.table import Table

MEASURES = (
    *("train_accuracy", "depth", "average_depth", "nodes", "terminal_nodes", "unseen_values"),
    *("build_seconds", "predict_seconds"),
)
"""Measures whose mean over the splits is shown."""
DRAWN = ("nodes", "build_seconds")
"""The measures that figures show with intervals, beside the accuracies."""

IN_ORDER = "min(_position) over (partition by source, part), _position"
"""SQL for the order of the grid: its data sets, and on each the builders."""

VIEWS = {
    "fits": "select *, status = 'ok' as good, 100 * if(status = 'ok', test_accuracy, null) as accuracy from results",
    "sets": f"""select source, part, {TITLE} as title, builder, bool_and(good) as good, count(*) as splits,
  avg(accuracy) as accuracy, 100 * avg(train_accuracy) as train_accuracy, 100 * avg(train_accuracy - test_accuracy)
  as overfitting, avg(nodes) as nodes, avg(terminal_nodes) as terminal_nodes, avg(build_seconds) as build_seconds,
  avg(depth) as depth
from fits group by source, part, builder""",
}
"""Views: fits with their accuracy in percent, and means of each builder over the splits of each data set."""

ACCURACIES = Table(
    "accuracies",
    "Accuracy and size of each builder, by data set",
    of="fits",
    columns=[
        *(Key(name) for name in ("source", "part", "builder")),
        Value("n", "count(*) filter (where good)"),
        Value("failed", "count(*) filter (where not good)"),
        Mean("test_accuracy", "if(good, test_accuracy, null)", n=""),
        *(Value(name, f"avg({name}) filter (where good)") for name in MEASURES),
        Value("error", "first(error order by position) filter (where not good)", of_rows=True),
        Value("_title", f"any_value({TITLE})"),
        Value("_smallest", "min(nodes) filter (where good)"),
        *(
            Mean(f"_{name}", f"if(good, {name}, null)", n="", low=f"_{name}_low", high=f"_{name}_high")
            for name in DRAWN
        ),
    ],
    order=IN_ORDER,
    note="n: splits with a finished fit; failed: splits without one. test_accuracy: mean over the n splits, with its "
    "95 % normal interval from low to high; splits share training rows, so the interval is approximate. Other "
    "columns are means over the n splits; only trees have depth to terminal_nodes. unseen_values: cells of test "
    "rows with a nominal value that no training row has. build_seconds: time to fit, without the preparation of "
    "the rows.",
)

CLASSES = Table(
    "classes",
    "Precision and recall of each builder, by class",
    of="classes",
    columns=[
        *(Key(name) for name in ("source", "part", "builder")),
        Key("class", '"class"'),
        *(Value(name, f"sum({name})::bigint") for name in ("support", "predicted", "correct")),
        Value("precision", "sum(correct) / nullif(sum(predicted), 0)"),
        Value("recall", "sum(correct) / nullif(sum(support), 0)"),
        Value("f1", "2 * sum(correct) / nullif(sum(support) + sum(predicted), 0)"),
    ],
    order="_position",
    note="Counts are of test rows, over all splits; precision, recall and f1 are computed from these counts. "
    "precision: correct / predicted; recall: correct / support; f1: 2 correct / (support + predicted); empty if "
    "the divisor is 0.",
)


def comparison(*sections: Summary) -> Summary:
    """The summary of a comparison of builders: its sections, then the tables of accuracies and classes.

    Parameters
    ----------
    sections : Summary
        Their tables take observations from the views `fits` and `sets`, from their own and from the tables of the run.
    """
    return joined_sections(Summary(views=VIEWS), *sections, Summary(tables=(ACCURACIES, CLASSES)))


def joined_sections(*sections: Summary) -> Summary:
    """A summary with the tables, views, figures, findings, screens and trees of all sections, in order."""

    def of_all(name: str, *arguments: Any) -> list[Any]:
        functions = filter(None, (getattr(section, name) for section in sections))
        return [result for function in functions for result in function(*arguments)]

    return Summary(
        tables=[table for section in sections for table in section.tables],
        views={name: sql for section in sections for name, sql in section.views.items()},
        constants={name: rows for section in sections for name, rows in section.constants.items()},
        figures=[draw for section in sections for draw in section.figures],
        finding=lambda results: of_all("finding", results),
        closing=lambda results: of_all("closing", results),
        screen=lambda results, width: of_all("screen", results, width),
        trees=lambda results: of_all("trees", results),
    )


def splits(results: Results, *also: str) -> list[dict[str, Row]]:
    """The result rows of each split, keyed by builder. Splits that differ in a column of `also` are separate."""
    by_split: dict[tuple[Any, ...], dict[str, Row]] = {}
    for row in results.query("from results order by position"):
        split = tuple(row[name] for name in ("source", "part", "repeat", "fold", *also))
        by_split.setdefault(split, {})[row["builder"]] = row
    return list(by_split.values())


def first_fits(results: Results) -> dict[tuple[str, str, str], Row]:
    """The first result row of each builder on each data set, keyed by source, part and builder."""
    rows = results.query(
        "from results qualify row_number() over (partition by source, part, builder order by position) = 1 "
        "order by position"
    )
    return {(row["source"], row["part"], row["builder"]): row for row in rows}
