"""What the tables of OCT beside CART must hold, computed by NumPy and SciPy from made-up rows."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy import stats

Row = dict[str, Any]


def data_sets(results: Sequence[Row], tunings: Sequence[Row]) -> list[Row]:
    """Each data set at each depth, in the order of the rows, over the splits that neither method failed on."""
    cells: dict[tuple[str, str, int], dict[int, dict[str, tuple[Row, Row]]]] = {}
    for row, tuning in zip(results, tunings, strict=True):
        cell = cells.setdefault((row["source"], row["part"], tuning["max_depth"]), {})
        cell.setdefault(row["repeat"], {})[row["builder"]] = row, tuning
    result = [data_set for key, cell in cells.items() if (data_set := _data_set(key, cell))]
    for depth in {row["max_depth"] for row in result}:
        tested = [row for row in result if row["max_depth"] == depth and row["p_value"] is not None]
        ranked = sorted(tested, key=lambda row: row["p_value"])
        least = 0.0
        for index, row in enumerate(ranked):
            least = row["p_holm"] = max(least, min(1.0, (len(ranked) - index) * row["p_value"]))
    return result


def _data_set(key: tuple[str, str, int], cell: dict[int, dict[str, tuple[Row, Row]]]) -> Row | None:
    pairs = [each for each in cell.values() if all(row["test_accuracy"] is not None for row, _ in each.values())]
    if not pairs:
        return None
    cart, oct_ = (np.array([100 * pair[who][0]["test_accuracy"] for pair in pairs]) for who in ("cart", "oct"))
    tuning = pairs[0]["oct"][1]
    size = tuning["attributes"] * math.log(tuning["classes"])
    ratio = tuning["rows"] / size if size else math.inf
    mean = float((oct_ - cart).mean())
    share = float(np.mean([pair["oct"][0]["test_rows"] / pair["oct"][0]["rows"] for pair in pairs]))
    return {
        **dict(zip(("source", "part", "max_depth"), key, strict=True)),
        "n_per_p_ln_k": ratio,
        "region": "inside" if cart.mean() >= 82 and ratio >= 10.25 else "outside",
        "splits": len(pairs),
        "failed": len(cell) - len(pairs),
        "cart_accuracy": cart.mean(),
        "oct_accuracy": oct_.mean(),
        "difference": mean,
        "winner": "tie" if abs(mean) < 1e-9 else "oct" if mean > 0 else "cart",
        "p_value": _p(oct_ - cart, share),
        "p_holm": None,
        "proven": sum(bool(pair["oct"][0]["optimal"]) for pair in pairs),
    }


def _p(apart: np.ndarray, share: float) -> float | None:
    """The corrected resampled t test of Nadeau and Bengio (2003): t = mean / sqrt((1/J + test/train) var)."""
    if len(apart) < 2 or np.ptp(apart) < 1e-9:
        return 1.0 if len(apart) > 1 and abs(apart.mean()) < 1e-9 else None
    t = apart.mean() / math.sqrt((1 / len(apart) + share) * apart.var(ddof=1))
    return float(2 * stats.t.sf(abs(t), len(apart) - 1))


def standing(sets: Sequence[Row], accuracy: float = 82, ratio: float = 10.25, tie: float = 1e-9) -> Row:
    """Who wins on the data sets inside a region."""
    inside = [row for row in sets if row["cart_accuracy"] >= accuracy and row["n_per_p_ln_k"] >= ratio]
    apart = np.array([row["difference"] for row in inside])
    return {
        "sets": len(inside),
        "cart_wins": int((apart < -tie).sum()),
        "oct_wins": int((apart > tie).sum()),
        "ties": int((abs(apart) <= tie).sum()),
        "mean_improvement": apart.mean() if len(apart) else None,
    }


def counts_apart(count: int, of: int, printed: int, printed_of: int) -> tuple[float, float, float]:
    """The interval of the difference of two counts in units of the printed one, and p, as Newcombe and Fisher have."""
    z = stats.norm.ppf(0.975)

    def shares(count: int, of: int) -> tuple[float, float]:
        low, high = np.roots([1 + z**2 / of, -(2 * count + z**2) / of, (count / of) ** 2])[::-1].real
        return float(low), float(high)

    (low, high), (their_low, their_high) = shares(count, of), shares(printed, printed_of)
    ours, theirs = count / of, printed / printed_of
    apart = ours - theirs
    p = stats.fisher_exact([[count, of - count], [printed, printed_of - printed]]).pvalue
    below, above = math.hypot(ours - low, their_high - theirs), math.hypot(high - ours, theirs - their_low)
    return printed_of * (apart - below), printed_of * (apart + above), p
