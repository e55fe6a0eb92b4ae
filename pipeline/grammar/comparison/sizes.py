"""Data sets as a paper describes them and as they are: rows, attributes and classes."""

from __future__ import annotations

from pathlib import Path

from pipeline.csv_text import csv_rows
from pipeline.grammar.columns import TITLE, Key, Known, Value
from pipeline.grammar.summary import Summary
from pipeline.grammar.table import Table
from pipeline.summary.tables import Layout, Pair

FACTS = ("rows", "attributes", "classes")
NUMBERS = (*(f"printed_{name}" for name in FACTS), "attributes", "corrected_rows", "corrected_attributes")
COLUMNS = ("case", "source", *NUMBERS, "remark")
"""The columns of the CSV. It has the number of attributes, because no run has it."""
VIEWS = {
    "sizes": """select source, part, max(rows + test_rows) as rows, null as support
from results group by source, part
union all by name
select source, part, sum(support) as support from classes group by source, part, "class" """
}


def sizes(file: Path, title: str) -> Summary:
    """A row for each data set that the paper describes."""
    rows = csv_rows(file, COLUMNS, ["source"], dict.fromkeys(NUMBERS, int))
    table = Table(
        "data_sets",
        title,
        of="sizes",
        columns=[
            Known("case", "p.case"),
            *(Key(name) for name in ("source", "part")),
            Known("printed_rows", "p.printed_rows"),
            Value("rows", "max(rows)"),
            *(Known(name, f"p.{name}") for name in ("printed_attributes", "attributes", "printed_classes")),
            Value("classes", "nullif(count(*) filter (where support > 0), 0)"),
            Value("largest_class", "max(support) / nullif(sum(support), 0)"),
            *(Known(name, f"p.{name}") for name in ("corrected_rows", "corrected_attributes")),
            Known("remark", "nullif(p.remark, '')"),
            Value("_title", f"any_value({TITLE})"),
        ],
        beside="ours join sources s using (source, part) join printed_sizes p on p.source = ours._title",
        order="s.place",
        note="corrected_rows, corrected_attributes: what the paper's number should be, if the remark proves it wrong. "
        "classes: classes that rows have; largest_class: share of the rows with the most common class, which is the "
        "accuracy of always predicting it.",
        layout=Layout(("case",), (), tuple(Pair(name, f"printed_{name}") for name in FACTS)),
    )
    return Summary(tables=(table,), views=VIEWS, constants={"printed_sizes": [row for _, row in rows]})
