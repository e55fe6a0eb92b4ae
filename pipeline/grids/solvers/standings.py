"""Exact solvers by their result rows: instance by instance whether their proofs agree, and each over all of them."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from pipeline.summary.verdicts import Verdict

__all__ = ["SAME", "Fit", "Problem", "Standing", "problems_of", "standings_of"]

Row = Mapping[str, Any]

SAME = 1e-9
"""Difference of objectives that is rounding."""


@dataclass(frozen=True)
class Fit:
    """What a solver made of an instance: its row, and the objective where it left a tree."""

    solver: str
    row: Row

    @property
    def asked(self) -> bool:
        """Whether it was asked at all."""
        return bool(self.row["status"] != "skipped")

    @property
    def objective(self) -> float | None:
        """That of its tree, counted here; None where it left none."""
        return self.row["objective"]  # type: ignore[no-any-return]

    @property
    def proven(self) -> bool:
        """Whether it says that no tree is better."""
        return bool(self.row["optimal"])

    @property
    def seconds(self) -> float:
        """That it took."""
        return float(self.row["build_seconds"])

    @property
    def errors(self) -> int | None:
        """Rows that its tree gets wrong."""
        accuracy = self.row["train_accuracy"]
        return None if accuracy is None else round((1 - accuracy) * self.row["rows"])


@dataclass(frozen=True)
class Problem:
    """An instance, and what each solver made of it."""

    source: str
    part: str
    attributes: str
    max_depth: int
    fits: tuple[Fit, ...]

    @property
    def title(self) -> str:
        """What it is called."""
        part = "" if self.part == "all" else f" ({self.part})"
        return f"{self.source}{part}, {self.attributes}, depth {self.max_depth}"

    @property
    def least(self) -> float | None:
        """The least objective of a tree that anyone found; None where there is none."""
        return min((fit.objective for fit in self.fits if fit.objective is not None), default=None)

    def contradicted(self, fit: Fit) -> bool:
        """Whether a tree was found that is better than a solver says a tree can be."""
        bound, least = fit.row["bound"], self.least
        return bound is not None and least is not None and bound > least + SAME

    @property
    def verdict(self) -> Verdict | None:
        """Whether all bounds leave room for the best tree found; None where fewer than two trees are proven best."""
        if any(self.contradicted(fit) for fit in self.fits):
            return Verdict.DIFFERS
        return Verdict.AGREES if sum(fit.proven for fit in self.fits) > 1 else None


@dataclass(frozen=True)
class Standing:
    """A solver over all instances.

    proven          : fits that it proved best; not_proven : that it ended without; skipped, failed : others
    ratios          : its seconds over those of the first solver, on the instances that both proved
    contradicted    : instances on which a tree is better than its bound
    """

    solver: str
    proven: tuple[Fit, ...]
    not_proven: int
    skipped: int
    failed: int
    ratios: tuple[float, ...]
    contradicted: int

    @property
    def asked(self) -> int:
        """Instances that it was asked to solve."""
        return len(self.proven) + self.not_proven + self.failed

    @property
    def ratio(self) -> float | None:
        """The geometric mean of the ratios."""
        return math.exp(fmean(map(math.log, self.ratios))) if self.ratios else None


def problems_of(rows: Iterable[Row], solvers: int) -> tuple[Problem, ...]:
    """The instances of result rows, each of so many one after another."""
    fits = [Fit(row["builder"], row) for row in rows]
    found = []
    for first in range(0, len(fits), solvers):
        of_instance = tuple(fits[first : first + solvers])
        row = of_instance[0].row
        asked = json.loads(row["parameters"])
        found.append(Problem(row["source"], row["part"], asked["attributes"], asked["max_depth"], of_instance))
    return tuple(found)


def standings_of(problems: Sequence[Problem]) -> tuple[Standing, ...]:
    """Each solver over all instances, in their order."""
    found = []
    for place, first in enumerate(problems[0].fits):
        fits = [(problem, problem.fits[place]) for problem in problems]
        states = [fit.row["status"] for _, fit in fits]
        proven = tuple(fit for _, fit in fits if fit.proven)
        skipped, failed = states.count("skipped"), states.count("failed") + states.count("killed")
        ratios = tuple(
            fit.seconds / problem.fits[0].seconds for problem, fit in fits if fit.proven and problem.fits[0].proven
        )
        not_proven = len(fits) - len(proven) - skipped - failed
        contradicted = sum(problem.contradicted(fit) for problem, fit in fits)
        found.append(Standing(first.solver, proven, not_proven, skipped, failed, ratios, contradicted))
    return tuple(found)
