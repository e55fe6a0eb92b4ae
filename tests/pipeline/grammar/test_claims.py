"""Claims: how often any of several true bounds is taken for crossed, and remarks beside the verdicts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from pipeline.grammar.comparison.claims import LEVEL, _judge, claims_of
from pipeline.summary.verdicts import Verdict

HEADINGS = "claim,left,right,measure,side,bound,on"


def test_chance_decides_any_of_many_claims_at_the_level_in_few_data_sets() -> None:
    """Normal differences about their bounds: 23 claims over 8 data sets, 400 times.

    By a normal interval with Bonferroni, any of them was decided in about a third of the studies.
    """
    rng = np.random.default_rng(7)
    studies, claimed, sets = 400, 23, 8
    decided = 0
    for _ in range(studies):
        samples = rng.normal(1.0, 2.0, (claimed, sets))
        rows: list[dict[str, Any]] = [
            {
                "n": sets,
                "difference": mean,
                "_difference_mean": mean,
                "_difference_error": error,
                "_bound": 1.0,
                "_above": True,
            }
            for mean, error in zip(samples.mean(axis=1), samples.std(axis=1, ddof=1) / sets**0.5, strict=True)
        ]
        _judge(rows)
        decided += any(row["verdict"] is not Verdict.OPEN for row in rows)
    deviation = (LEVEL * (1 - LEVEL) / studies) ** 0.5
    assert 0 < decided / studies < LEVEL + 3 * deviation


def test_a_claim_may_have_a_remark(tmp_path: Path) -> None:
    file = tmp_path / "claims.csv"
    file.write_text(f"{HEADINGS},remark\nbetter,c45,cart,accuracy,above,0,,no margin\nworse,c45,id3,nodes,above,0,,\n")
    assert [row["remark"] for row in claims_of(file)] == ["no margin", None]
    file.write_text(f"{HEADINGS}\nbetter,c45,cart,accuracy,above,0,\n")
    assert [row["remark"] for row in claims_of(file)] == [None]
