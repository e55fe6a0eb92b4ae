"""The questions behind the tables of OCT beside CART."""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.grammar.questions import TITLE, WHERE_ITS_SOURCE, literal, mean_with_interval
from pipeline.grids.oct_vs_cart.printed import MEASURES
from pipeline.grids.oct_vs_cart.region import CALIBRATED
from pipeline.grids.oct_vs_cart.sets import SAME

__all__ = ["LISTED_QUESTION", "REGION_QUESTION", "SET_QUESTION", "TIES_QUESTION", "printed_question"]

SETS = (
    "with splits as (\n  select t.source, t.part, t.max_depth, t.repeat, "
    "max(t.rows) filter (where t.builder = 'oct') as n, max(t.attributes) filter (where t.builder = 'oct') as p, "
    "max(t.classes) filter (where t.builder = 'oct') as k,\n"
    "    100 * max(r.test_accuracy) filter (where r.builder = 'cart') as cart, "
    "100 * max(r.test_accuracy) filter (where r.builder = 'oct') as oct,\n"
    "    max(r.nonterminal_nodes) filter (where r.builder = 'cart') as cart_splits, "
    "max(r.nonterminal_nodes) filter (where r.builder = 'oct') as oct_splits,\n"
    "    max(t.alpha) filter (where t.builder = 'oct') as alpha, "
    "coalesce(bool_or(r.optimal) filter (where r.builder = 'oct'), false) as proven\n"
    "  from results r join tunings t using (source, part, repeat, builder, parameters) group by all),\n"
    "sets as (\n  select source, part, max_depth, max(n) as n, max(p) as p, max(k) as k, "
    "if(max(p) * ln(max(k)) > 0, max(n) / (max(p) * ln(max(k))), 'infinity') as n_per_p_ln_k,\n"
    "    count(*) as splits, avg(cart) as cart_accuracy, avg(oct) as oct_accuracy, "
    f"{mean_with_interval('oct - cart', 'difference')},\n    avg(cart_splits) as cart_tree_splits, "
    "avg(oct_splits) as oct_tree_splits, avg(alpha) as oct_alpha, count(*) filter (where proven) as proven\n"
    "  from splits where cart is not null and oct is not null group by all)\n"
)
"""Both methods on each data set at each depth, over the splits that neither failed on, as `SetResult` has them."""
SET_QUESTION = (
    f"{SETS}select *, if(abs(difference) <= {SAME}, 'tie', if(difference > 0, 'oct', 'cart')) as winner\n"
    f"from sets {WHERE_ITS_SOURCE} and max_depth = {{max_depth}}"
)


def _standing(
    inside: str, *, accuracy: str = f"{CALIBRATED.accuracy}", ratio: str = f"{CALIBRATED.ratio}", tie: str = f"{SAME}"
) -> str:
    """How both stand on the data sets inside the region, or outside; the arguments are SQL."""
    return (
        f"{SETS}select count(*) as sets, count(*) filter (where difference < -{tie}) as cart_wins, "
        f"count(*) filter (where difference > {tie}) as oct_wins, "
        f"count(*) filter (where abs(difference) <= {tie}) as ties,\n  "
        f"{mean_with_interval('difference', 'mean_improvement', 'low', 'high')}, "
        "coalesce(sum(proven), 0) as proven, coalesce(sum(splits), 0) as searches\n"
        f"from sets where max_depth = {{max_depth}} and (cart_accuracy >= {accuracy} and n_per_p_ln_k >= {ratio}) "
        f"= {inside}"
    )


OF_MEASURE = " ".join(f"when '{one}' then {one}" for one in MEASURES)
IN_REGION = "({region} = 'inside')"
LISTED_QUESTION = (
    "select max(rows) as n, max(attributes) as p, max(classes) as k from tunings "
    "where source = {source} and part = {part}"
)
REGION_QUESTION = _standing("true", accuracy="{least_cart_accuracy}", ratio="{least_ratio}")
TIES_QUESTION = _standing(IN_REGION, tie=f"greatest({{tolerance}}, {SAME})")


def printed_question(others: Sequence[str]) -> str:
    """The question behind a value beside the paper's; `others` are titles of data sets that do not count."""
    left_out = f"\n  and {TITLE} not in ({', '.join(map(literal, others))})" if others else ""
    standing = f"{_standing(IN_REGION)}{left_out}"
    return f"select sets as n, proven, searches, case {{measure}} {OF_MEASURE} end as ours\nfrom ({standing})"
