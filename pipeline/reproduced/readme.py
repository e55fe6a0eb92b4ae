"""The README of a published proof: what is reproduced, the files, how to query them and how to make them again."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence

from pipeline.proof.proof import COUNTED, KINDS, Proof
from pipeline.reproduced.rows import PublishedRows, command_of
from pipeline.summary.tables import SummaryTable, Value
from pipeline.summary.verdicts import Verdict

__all__ = ["readme"]

TEXT = """\
# What is reproduced

{sentence}

Here is every printed figure of these documents beside the value of a rerun at the paper's size, with the rows behind
it. The tests of the project compute some of the cells again, drawn at random, and all tables from the rows.

{counts}

## Files

| | |
|---|---|
| `documents.csv` | every printed figure: ours, the printed value, the verdict, and the reason where it differs |
| `outcomes.csv` | every printed table: its outcome, and how many figures have each verdict |
| `tables/GRID/TABLE.csv` | every summary table of the runs; `tables.csv` has their titles and rules |
| `rows/` | the result rows as Parquet, in the layout of `outputs/`, with the configuration of each run |
| `stamp.yaml` | commit, versions, machine, and the time that each run took |

## Ask

A query over any of these files, and the tools of Orchard for the rows:

```sh
duckdb -c "select document, verdict, count(*) from 'reproduced/documents.csv' where counted group by all order by all"
python -m pipeline.query --output reproduced/rows "select grid, count(*) from results group by all"
python -m pipeline.show --output reproduced/rows --run {run}
```

## Make it again

```sh
python -m pipeline.documents data.folder=/my/data size=paper --publish reproduced
```

The same runs give the same files, except `stamp.yaml`. Figures and trees are left out; the runs make them.
{left_out}

With `output=` and a copy of `rows/`, the command computes only the rows that are left out, and the tables again,
whose last digits may differ: they depend on the order in which rows are added up.

## Every printed table

{outcomes}
"""


def readme(proof: Proof, rows: Sequence[PublishedRows]) -> str:
    """The README in Markdown.

    rows : the published rows, of each table of each run
    """
    outcomes = [
        (chapter.document.cited, one.printed.name, one.outcome, one.sentence)
        for chapter in proof.chapters
        for one in chapter.answers
    ]
    return TEXT.format(
        sentence=proof.sentence,
        counts=_markdown(("document", "kind", "printed", *COUNTED.values(), "not compared"), _counts(proof)),
        run=next((one.run.run.id for one in rows if _needs_no_data(one)), "ID"),
        left_out=_left_out(rows),
        outcomes=_markdown(("document", "printed", "outcome", "in words"), outcomes),
    )


def _needs_no_data(rows: PublishedRows) -> bool:
    """Whether a reader without data sets can rebuild the trees of these rows."""
    return "fingerprints" not in json.dumps(rows.run.run.record["identity"])


def _counts(proof: Proof) -> Iterator[tuple[Value, ...]]:
    """The figures, or claims, of each document by verdict, each counted once."""
    for chapter in proof.chapters:
        paper = chapter.document
        for noun, claims in KINDS.items():
            own = [one for one in chapter.answers if one.printed.claims is claims and not one.printed.again]
            printed = sum(one.printed.figures for one in own)
            if printed:
                counts = sum((one.counts for one in own), Counter[Verdict]())
                left = printed - sum(counts[verdict] for verdict in COUNTED)
                numbers = (printed, *(counts[verdict] for verdict in COUNTED), left)
                yield (paper.cited, noun, *numbers)


def _left_out(rows: Sequence[PublishedRows]) -> str:
    """Describe the rows that are not published."""
    cut = [one for one in rows if not one.whole]
    if not cut:
        return "No row is left out."
    said = [
        f"- `{one.table}` of `{one.run.run.name}` has {one.rows:,} of {one.all_rows:,} rows, those of the first "
        f"{one.items:,} of {one.all_items:,} {one.run.run.noun}. `{command_of(one.run)}` makes all of them."
        for one in cut
    ]
    return "\n".join(["For the size of the folder, rows are left out:", "", *said])


def _markdown(columns: Sequence[str], rows: Iterator[tuple[Value, ...]] | Sequence[tuple[Value, ...]]) -> str:
    """The lines of a table without its title and note."""
    text = SummaryTable("table", "", columns, list(rows), "").as_markdown()
    return "\n".join(line for line in text.splitlines() if line.startswith("|"))
