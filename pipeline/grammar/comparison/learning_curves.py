"""Learning curves: the best and mean fitness by generation of each fit, and what they come to."""

from __future__ import annotations

from pipeline.grammar.columns import Key, Row, Value
from pipeline.grammar.comparison.learning_curves_figure import draw
from pipeline.grammar.comparison.sections import Section
from pipeline.grammar.summary import Found
from pipeline.grammar.table import Table

__all__ = ["curves", "points_of"]

NEGLIGIBLE = 1e-12
"""Difference in fitness that is rounding, and no improvement."""

EVOLUTIONS = f"""(select source, part, builder, repeat, fold, max(generation) as last,
  arg_min(best, generation) as first_best, arg_max(best, generation) as last_best,
  arg_min(mean, generation) as first_mean, arg_max(mean, generation) as last_mean,
  max(if(gain is null or gain > {NEGLIGIBLE}, generation, 0)) as improved
from (select *, lag(best) over (partition by source, part, builder, repeat, fold order by generation) - best as gain
  from curves)
group by source, part, builder, repeat, fold)"""
"""What each fit came to."""

CURVES = Table(
    "curves",
    "Learning curves",
    of=EVOLUTIONS,
    columns=[
        *(Key(name) for name in ("source", "part", "builder")),
        Value("n", "count(*)"),
        *(
            Value(name, f"{function}(last)")
            for name, function in (("generations", "avg"), ("fewest", "min"), ("most", "max"))
        ),
        *(Value(name, f"avg({name})") for name in ("first_best", "last_best", "first_mean", "last_mean")),
        Value("last_improvement", "avg(improved)"),
    ],
    beside="ours join (select source, part, builder, min(position) as position from curves group by all) "
    "using (source, part, builder)",
    order="position",
    note="n: fits; generations, fewest, most: that they ran, mean, least and greatest; first_best to last_mean: "
    "fitness of the best individual and of the mean one, of the initial and of the last population; last_improvement: "
    "the generation in which the best one last improved. Means over the fits.",
    needs="curves",
)

POINTS = f"""select source, part, builder, generation, count(*) as n,
  avg(best) as best, min(best) as best_low, max(best) as best_high,
  avg(mean) as mean, min(mean) as mean_low, max(mean) as mean_high
from (select *, unnest(range(longest + 1)) as generation
    from (select *, max(last) over (partition by source, part, builder) as longest from {EVOLUTIONS})) e
  join (select source, part, builder, repeat, fold, generation as reached, best, mean, position from curves) c
  using (source, part, builder, repeat, fold)
where reached = least(generation, last)
group by source, part, builder, generation
order by min(min(position)) over (partition by source, part, builder), generation"""


def points_of(found: Found) -> list[Row]:
    """Of each builder on each data set and each generation: mean, least and greatest of the best and mean fitness.

    A fit that ended stays where it was.
    """
    return found.ask(POINTS) if found.rows(CURVES) else []


def curves(headline: str) -> Section:
    """The learning curves of builders that have some, drawn under a headline."""
    return Section(tables=(CURVES,), figures=(lambda found, folder: draw(points_of(found), folder, headline),))
