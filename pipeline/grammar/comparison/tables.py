"""The tables of any comparison of builders: accuracies, classes and learning curves of each on each data set."""

from __future__ import annotations

from pipeline.grammar.columns import TITLE, Key, Mean, Value
from pipeline.grammar.table import POSITION, Table

__all__ = ["ACCURACIES", "CLASSES", "IN_ORDER", "MEASURES", "VIEWS"]

MEASURES = (
    *("train_accuracy", "depth", "average_depth", "nodes", "terminal_nodes", "unseen_values"),
    *("build_seconds", "predict_seconds"),
)
"""Measures whose mean over the splits is shown."""

IN_ORDER = "min(_position) over (partition by source, part), _position"
"""The order of the grid: its data sets, and on each the builders."""

VIEWS = {
    "fits": "select *, status = 'ok' as good, 100 * if(status = 'ok', test_accuracy, null) as accuracy from results",
    "sets": f"""select source, part, {TITLE} as title, builder, bool_and(good) as good, count(*) as splits,
  avg(accuracy) as accuracy, 100 * avg(train_accuracy) as train_accuracy, 100 * avg(train_accuracy - test_accuracy)
  as overfitting, avg(nodes) as nodes, avg(terminal_nodes) as terminal_nodes, avg(build_seconds) as build_seconds,
  avg(depth) as depth
from fits group by source, part, builder""",
}
"""Fits with their accuracy in percent, and means of each builder over the splits of each data set."""

ACCURACIES = Table(
    "accuracies",
    "Builders on data sets",
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
        POSITION,
    ],
    order=IN_ORDER,
    note="n: splits on which the fit ended; failed: splits on which it did not. test_accuracy: mean over the former, "
    "with its 95 % normal interval low to high; splits share training rows, so that the interval is approximate. Other "
    "columns are means over the splits; depth to terminal_nodes are of trees alone. unseen_values: cells of test rows "
    "with a nominal value that no training row has. build_seconds is the time to fit, without the preparation of the "
    "rows.",
)

CLASSES = Table(
    "classes",
    "Builders on the classes of data sets",
    of="classes",
    columns=[
        *(Key(name) for name in ("source", "part", "builder")),
        Key("class", '"class"'),
        *(Value(name, f"sum({name})::bigint") for name in ("support", "predicted", "correct")),
        Value("precision", "sum(correct) / nullif(sum(predicted), 0)"),
        Value("recall", "sum(correct) / nullif(sum(support), 0)"),
        Value("f1", "2 * sum(correct) / nullif(sum(support) + sum(predicted), 0)"),
        POSITION,
    ],
    order="_position",
    note="Counts are of test rows, over all splits; precision, recall and f1 are those of the counts. precision: "
    "correct / predicted; recall: correct / support; f1: 2 correct / (support + predicted); empty where there is "
    "nothing to divide by.",
)
