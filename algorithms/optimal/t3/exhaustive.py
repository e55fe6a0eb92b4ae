"""The trees of the form of T2, T3 and T3C with the fewest errors on the training rows."""

from __future__ import annotations

from algorithms.optimal.t3.coded_rows import CodedRows
from algorithms.optimal.t3.cuts import best_cuts
from algorithms.optimal.t3.one_level import LEAF
from algorithms.optimal.t3.tree_search import Found, TreeSearch

__all__ = ["Exhaustive"]


class Exhaustive(TreeSearch):
    """The search among all trees of a form.

    Ties in errors go to fewer levels, then to the first attribute, then to fewer intervals, then to the first cut. If
    no tree has fewer errors than the limit, the search returns the limit, a lower bound.
    """

    def _least(self, rows: CodedRows, levels: int, limit: float) -> Found:
        leaf = rows.leaf_errors()
        best = Found(leaf)
        if levels == 0 or leaf <= self._form.acceptable * rows.weight + rows.tie:
            return best
        self._spent.add(len(rows.places) * rows.asked)
        errors, asked = rows.one_level(self._form.leaf_intervals)
        if asked != LEAF:
            best = Found(errors, 1, asked)
        for number in range(2, levels + 1):
            for asked in range(rows.asked):
                wanted = min(best.errors, limit)
                if wanted <= rows.tie:
                    break
                found = self._split(rows, asked, number, wanted)
                best = found if found.errors < wanted - rows.tie else best
        return best if best.errors < limit else Found(limit)

    def _by_number(self, rows: CodedRows, asked: int, levels: int, limit: float) -> Found:
        values, nobody = int(rows.width[asked]), rows.unknown(asked)
        if not values or (values == 1 and not len(nobody)):
            return Found(limit)
        unknown = self._errors(rows, nobody, levels - 1, limit) if len(nobody) else 0.0
        fewest = 1 if len(nobody) else 2
        if levels == 2 and self._form.monotone:
            found = self._last.cuts(rows, asked, fewest, limit - unknown)
            return Found(unknown + found.errors, levels, asked, found.places)
        ordered = rows.ordered(asked)
        found = best_cuts(
            rows.weight_before(ordered),
            lambda first, stop, most: self._errors(rows, ordered.between(first, stop), levels - 1, most),
            fewest=fewest,
            most=self._form.inner_intervals,
            limit=limit - unknown,
            tie=rows.tie,
            monotone=self._form.monotone,
        )
        return Found(unknown + found.errors, levels, asked, found.places)
