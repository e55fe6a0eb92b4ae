"""Compare the paper's four groups of tables with each other and with many groups of ours, to find an unusual one.

Costs and heuristics are computed on the same tables, so the cells of a group are correlated. No distribution is assumed
for a sum over them. The same sum over each of our groups shows how large it is by chance.
"""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.grammar.columns import Key, Known, Row, Value
from pipeline.grammar.greedy_excess import HEURISTIC, IN_ORDER, MEAN
from pipeline.grammar.table import Table
from pipeline.summary.statistics import critical_z

BLOCK = 4
"""Number of printed groups; as many of ours are compared with each other."""
GROUP_SIZE = 10_000
"""Number of decision tables of a printed group."""
LEAST_GROUPS = 20
"""The tables are made from this many groups of ours: with fewer than 19, no p can be 5 %."""
LIMIT = critical_z(BLOCK * 80)
"""A cell is significant beyond this |z|, as among all printed cells."""

OTHERS, OURS = "other three", "our groups"
"""What a group is compared with."""
AVERAGE, ERROR = (MEAN.aggregates[f"_{MEAN.name}_{which}"] for which in ("mean", "error"))
NAMED = "impurity_type || '/' || uncertainty as heuristic"

VIEWS = {
    "samples": f"""select false as printed, "group", ("group" - 1) // {BLOCK} as block, heuristic, cost_function,
  {AVERAGE} as mean, sum(tables)::double as tables
from excesses group by all
union all by name
select true as printed, "table" as "group", 0 as block, {NAMED}, cost_function, {MEAN.name} as mean,
  {GROUP_SIZE}::double as tables
from comparable""",
    "spreads": f"""select heuristic, cost_function, {AVERAGE} as average, sum(tables)::double as number,
  {ERROR} * sqrt(sum(tables)) as deviation
from excesses group by all""",
    "others": f"""select printed, "group", block, heuristic, cost_function, mean, tables, '{OTHERS}' as against,
  (sum(mean * tables) over block - mean * tables) / (sum(tables) over block - tables) as other_mean,
  sum(tables) over block - tables as other_tables
from samples
window block as (partition by printed, block, heuristic, cost_function)
qualify count(*) over block = {BLOCK}""",
    "departures": f"""select *, (mean - other_mean) / nullif(deviation * sqrt(1 / tables + 1 / other_tables), 0) as z
from (from others union all by name
  select *, (number * average - own * mean) / (number - own) as other_mean, number - own as other_tables
  from (select printed, "group", heuristic, cost_function, mean, tables, '{OURS}' as against, number, average,
      if(printed, 0, tables) as own
    from samples join spreads using (heuristic, cost_function))
  ) join spreads using (heuristic, cost_function)""",
    "scatters": """select printed, "group", against, count(z) as cells, favg(z ** 2) as mean_square,
  max(abs(z)) as largest_z
from departures group by all""",
    "pairs_of_blocks": f"""select printed, block, other, count(*) filter (abs(z) > {LIMIT}) as significant,
  max(abs(z)) as largest_z
from (select one.printed, one.block, other.block as other,
    (other.mean - one.mean) / nullif(deviation * sqrt(1 / one.tables + 1 / other.tables), 0) as z
  from others one join others other using (heuristic, cost_function) join spreads using (heuristic, cost_function)
  where not other.printed and (one.printed or one.block <> other.block) and (one."group" - other."group") % {BLOCK} = 0)
group by all""",
    "many_groups": f"""select count(distinct "group") as groups from excesses
where (select comparable from comparison) having groups >= {LEAST_GROUPS}""",
}
"""Views of the means of groups and their distances.

samples         : mean of each cell of a group, ours or printed; `block`: the four groups that it belongs to
others          : for groups with a complete block, the mean of the other three
spreads         : mean and standard deviation of a table, over all tables of ours
departures      : the mean of a group, that of the groups it is compared with, and their difference in standard errors
scatters        : the departures of a group together
pairs_of_blocks : the differences of a block, ours or printed, from another of ours, group by group
many_groups     : the number of our groups, if there are enough
"""

SPREAD = "The standard error is computed from the spread over all our tables."
GROUPS = Table(
    "groups",
    "The paper's four groups and ours, compared with each other and with all our groups",
    of="excesses",
    columns=[
        Known("of", "if(p.printed, 'the paper', 'ours')"),
        Known("group", 'p."group"'),
        Known("against", "p.against"),
        *(Known(name, f"p.{name}") for name in ("cells", "mean_square", "largest_z")),
        Value("own_groups", 'count(distinct "group")'),
        *(
            Known(
                f"p_{name}",
                f"(select (1 + count(*) filter (s.{name} >= p.{name})) / (1 + count(*)) from scatters s where "
                'not s.printed and s.against = p.against and (p.printed or s."group" <> p."group"))',
            )
            for name in ("mean_square", "largest_z")
        ),
    ],
    beside=f"""ours cross join (from scatters where "group" <= {BLOCK}) p""",
    order='p.against desc, p.printed desc, p."group"',
    note="Each group is compared with a mean of others. against: the other three of its four groups, or all our groups "
    f"but this one. {SPREAD} mean_square: mean of z² over the cells of the group, 1 on average by chance; largest_z: "
    "their largest |z|. p: the share of our groups whose value is at least as large; the group itself counts as one "
    "of them. The cells of a group are correlated, in the paper's groups as in ours, so p assumes only that the tables "
    f"are drawn in the same way. p holds for one group; for the most unusual of {BLOCK} groups, it is up to {BLOCK} "
    "times as large.",
    needs="many_groups",
)
CELLS = Table(
    "printed_cells",
    "Each printed mean beside that of the other three groups and ours",
    of="excesses",
    columns=[
        Known("group", 'o."group"'),
        *HEURISTIC,
        Key("cost_function"),
        Known("printed", "o.mean"),
        Known("other_three", "o.other_mean"),
        Known("z_other_three", "o.z"),
        MEAN,
        Known("z_ours", "o.z_ours"),
    ],
    beside=f"""{IN_ORDER}
join (select o.*, d.z as z_ours
  from departures o join departures d using (printed, "group", heuristic, cost_function)
  where printed and o.against = '{OTHERS}' and d.against = '{OURS}') o
on o.heuristic = h.name and o.cost_function = ours.cost_function""",
    order='o."group", h.place, c.place',
    note=f"z: the printed mean minus that of the other three groups, and minus ours, in standard errors. {SPREAD}",
    needs="many_groups",
)


def _note(rows: Sequence[Row]) -> str:
    """Count how often two cells differ."""
    paper = sum(row["significant"] >= 2 for row in rows)
    pairs, of = (sum(row[name] or 0 for row in rows) // 2 for name in ("blocks_with_two", "other_blocks"))
    return (
        f"Our groups are divided into blocks of {BLOCK}. Each block is compared with the printed groups, in order. "
        f"significant: number of cells with |z| > {LIMIT:.2f}; chance alone makes any of {BLOCK * 80} cells this large "
        f"with a probability of at most 5 %. {SPREAD} other_blocks: number of our other blocks; blocks_with_two: "
        "number of those that differ from this block in two or more cells. Two or more cells are significant in "
        f"{paper} of {len(rows)} blocks against the paper, and in {pairs} of {of} pairs of our blocks."
    )


BLOCKS = Table(
    "blocks",
    "Blocks of four of our groups against the paper's four groups",
    of="excesses",
    columns=[
        Key("block", f'("group" - 1) // {BLOCK}'),
        Value("first_group", 'min("group")'),
        Value("groups", 'count(distinct "group")'),
        Known("significant", "p.significant"),
        Known("largest_z", "p.largest_z"),
        Known("other_blocks", "o.blocks"),
        Known("blocks_with_two", "o.with_two"),
    ],
    beside="""ours join (from pairs_of_blocks where printed) p on p.other = ours.block
left join (select block, count(*) as blocks, count(*) filter (significant >= 2) as with_two
  from pairs_of_blocks where not printed group by all) o on o.block = ours.block""",
    order="ours.block",
    note=_note,
    needs="many_groups",
)

TABLES = (GROUPS, CELLS, BLOCKS)
