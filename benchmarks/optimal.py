"""Optimal trees by our search against the fastest exact programs: CPU time of `fit`, in turn, on one core.

`binary FOLDER`     : binary attributes, against pystreed; a file per data set: 0 and 1 separated by blanks, class first
`continuous FOLDER` : numeric attributes at every threshold, against pycontree; a folder of UCI data sets
`anytime FOLDER`    : our search after one second, against CART and the optimum; files as for `binary`

The objective is the fewest errors at a given depth: alpha 0, leaves of at least one row. pystreed runs its task
"accuracy" with its other parameters at their defaults (its binariser changes nothing in columns of 0 and 1). pycontree
runs with `complexity_cost` and `max_gap` 0. Both sides get the same arrays. The time is CPU time of this process, the
least of several fits, after compilation. There is no ratio if one side reaches the time limit.
"""

from __future__ import annotations

import argparse
import os
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.tree import DecisionTreeClassifier

from algorithms.data.data_set import AttributeKind
from algorithms.optimal.instance import Instance
from algorithms.optimal.search import OCTClassifier
from algorithms.optimal.solution import OnProgress, Solution
from pipeline.data.catalogue.catalogue import catalogue

CONTINUOUS = (
    *("sklearn/iris", "sklearn/wine", "sklearn/wdbc", "uci/seeds", "uci/haberman", "uci/banknote", "uci/new-thyroid"),
    *(
        "uci/blood-transfusion",
        "uci/vertebral-column/three-classes",
        "uci/pima",
        "uci/page-blocks",
        "uci/image-segmentation",
    ),
)
ENOUGH = 5.0
"""CPU seconds after which an instance is not fitted again."""


@dataclass(frozen=True)
class Rows:
    """A data set as given to both sides: attributes (rows, columns), classes (rows,) from 0."""

    name: str
    attributes: np.ndarray
    classes: np.ndarray


@dataclass(frozen=True)
class Fit:
    """The result of one side on an instance.

    seconds : CPU seconds; errors : of its predictions; proven : whether it proved them to be the fewest
    search  : for our search, the seconds without reading the arrays and building the estimator's tree
    """

    seconds: float
    errors: int
    proven: bool
    search: float = 0.0

    def __str__(self) -> str:
        """The seconds, or "> limit" if nothing was proven."""
        return f"{self.seconds:10.4f}" if self.proven else f"{'> ' + format(self.seconds, '.4g'):>10}"


Solver = Callable[[Rows, int, float], Fit]
"""Fits rows at a depth within seconds of wall time."""


def main() -> None:
    """Run the part that the arguments name."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", choices=["binary", "continuous", "anytime"])
    parser.add_argument("folder", type=Path, help="folder of the data sets")
    parser.add_argument("--depths", type=int, nargs="+", help="default: 2-5 (binary), 2-4 (continuous), 4 (anytime)")
    parser.add_argument(
        "--sets", nargs="+", help="data sets (default: all of the folder; `continuous`: the list of this file)"
    )
    parser.add_argument("--rounds", type=int, default=7, help="fits of each program, fewer for slow instances")
    parser.add_argument("--limit", type=float, default=60.0, help="seconds for one fit")
    parser.add_argument("--seconds", type=float, default=1.0, help="wall seconds of the search in `anytime`")
    given = parser.parse_args()
    if hasattr(os, "sched_setaffinity"):  # on Linux
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    if given.part == "continuous":
        sets = uci_sets(given.folder, given.sets or CONTINUOUS)
        against(sets, given.depths or [2, 3, 4], "pycontree", contree, given.rounds, given.limit)
        return
    sets = text_files(given.folder, given.sets)
    if given.part == "binary":
        against(sets, given.depths or [2, 3, 4, 5], "pystreed", streed, given.rounds, given.limit)
    else:
        for depth in given.depths or [4]:
            anytime(sets, depth, given.seconds, given.limit)


def text_files(folder: Path, names: list[str] | None) -> list[Rows]:
    """The data sets of a folder, one per `.txt` file."""
    files = [folder / f"{name}.txt" for name in names] if names else sorted(folder.glob("[!A-Z]*.txt"))
    cells = [np.loadtxt(file, dtype=np.int32) for file in files]
    return [
        Rows(file.stem, np.ascontiguousarray(of_file[:, 1:]), np.unique(of_file[:, 0], return_inverse=True)[1])
        for file, of_file in zip(files, cells, strict=True)
    ]


def uci_sets(folder: Path, names: tuple[str, ...] | list[str]) -> list[Rows]:
    """The numeric attributes of data sets of the catalogue; rows with missing values are left out."""
    known = catalogue(folder, offline=True)
    sets = []
    for name in names:
        data = known.load(name).part("all")
        numeric = [index for index, a in enumerate(data.attributes) if a.kind is AttributeKind.NUMERIC]
        values = np.ascontiguousarray(data.select(numeric).values())
        kept = ~np.isnan(values).any(axis=1) & (data.decisions >= 0)
        sets.append(Rows(name, values[kept], np.unique(data.decisions[kept], return_inverse=True)[1]))
    return sets


class TimedSearch(OCTClassifier):
    """Our search, with its own time."""

    def _solution(self, instance: Instance, on_progress: OnProgress | None) -> Solution:
        began = time.process_time()
        result = super()._solution(instance, on_progress)
        self.search_seconds_ = time.process_time() - began
        return result


def ours(rows: Rows, depth: int, limit: float) -> Fit:
    """Our search."""
    model = TimedSearch(max_depth=depth, time_limit=limit)
    seconds, errors = fitted(model, rows)
    if model.solution_.errors != errors:
        print(f"{rows.name} depth {depth}: our tree has {errors} errors, and says {model.solution_.errors}")
    return Fit(seconds, errors, model.solution_.optimal, model.search_seconds_)


def streed(rows: Rows, depth: int, limit: float) -> Fit:
    """STreeD, by pystreed."""
    from pystreed import STreeDClassifier

    model = STreeDClassifier(optimization_task="accuracy", max_depth=depth, time_limit=limit)
    seconds, errors = fitted(model, rows)
    return Fit(seconds, errors, model.fit_result.is_optimal())


def contree(rows: Rows, depth: int, limit: float) -> Fit:
    """ConTree, by pycontree."""
    from pycontree import ConTree

    model = ConTree(max_depth=depth, time_limit=limit)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that the limit was reached
        seconds, errors = fitted(model, rows)
    return Fit(seconds, errors, model._config.is_within_time_limit())


def fitted(model: Any, rows: Rows) -> tuple[float, int]:
    """(CPU seconds of `fit`, errors of the predictions of the same rows)."""
    began = time.process_time()
    model.fit(rows.attributes, rows.classes)
    seconds = time.process_time() - began
    return seconds, int((model.predict(rows.attributes) != rows.classes).sum())


def against(sets: list[Rows], depths: list[int], name: str, peer: Solver, rounds: int, limit: float) -> None:
    """Print the times of both sides on each instance, their ratios, and the geometric mean for each depth."""
    for rows in sets:
        compile_for(rows, depths)
    heads = ("data set", "depth", "rows", "columns", "errors", "ours s", "in search", f"{name} s", "ratio")
    print("{:22}{:>6}{:>7}{:>9}{:>8}{:>11}{:>11}{:>13}{:>8}".format(*heads))
    differing = []
    for depth in depths:
        ratios: dict[str, float] = {}
        for rows in sets:
            us, them = in_turn(rows, depth, peer, rounds, limit)
            line = f"{rows.name:22}{depth:6}{len(rows.classes):7}{rows.attributes.shape[1]:9}"
            line += f"{us.errors:8} {us}{us.search:11.4f}   {them}"
            if us.proven and them.proven:
                ratios[rows.name] = them.seconds / us.seconds
                line += f"{ratios[rows.name]:8.2f}"
                if us.errors != them.errors:
                    differing.append(f"{rows.name} depth {depth}: {us.errors} ours, {them.errors} {name}")
                    line += f"  DIFFERS: {name} {them.errors}"
            print(line, flush=True)
        if ratios:
            mean = np.exp(np.mean(np.log(list(ratios.values()))))
            slower = [f"{each} ({ratio:.2f})" for each, ratio in ratios.items() if ratio < 1]
            print(f"depth {depth}: geometric mean of {len(ratios)} ratios {mean:.2f}, least {min(ratios.values()):.2f}")
            print(f"depth {depth}: slower on {', '.join(slower) or 'none'}\n", flush=True)
    print(f"different optima: {'; '.join(differing) or 'none'}")


def compile_for(rows: Rows, depths: list[int]) -> None:
    """Fit some of the rows, so that all kernels are compiled."""
    some = slice(None, None, max(1, len(rows.classes) // 100))
    for depth in depths:
        ours(Rows(rows.name, rows.attributes[some], rows.classes[some]), depth, ENOUGH)


def in_turn(rows: Rows, depth: int, peer: Solver, rounds: int, limit: float) -> tuple[Fit, Fit]:
    """The fastest of several fits of each side, run in turn."""
    us, them = ours(rows, depth, limit), peer(rows, depth, limit)
    spent = us.seconds + them.seconds
    for _ in range(rounds - 1):
        if spent > ENOUGH:
            break
        again, theirs = ours(rows, depth, limit), peer(rows, depth, limit)
        spent += again.seconds + theirs.seconds
        us, them = min(us, again, key=_seconds), min(them, theirs, key=_seconds)
    return us, them


def anytime(sets: list[Rows], depth: int, seconds: float, limit: float) -> None:
    """Print the errors of our search after some seconds of wall time, beside CART, STreeD and the optimum."""
    compile_for(sets[0], [depth])
    print(f"depth {depth}, {seconds:g} s")
    print(f"{'data set':22}{'wall s':>8}{'errors':>8}{'bound':>8}{'CART':>7}{'pystreed':>10}{'optimum':>9}{'above':>8}")
    within = late = worse = 0
    for rows in sets:
        model = OCTClassifier(max_depth=depth, time_limit=seconds)
        began = time.perf_counter()
        model.fit(rows.attributes, rows.classes)
        wall = time.perf_counter() - began
        errors = int((model.predict(rows.attributes) != rows.classes).sum())
        _, of_cart = fitted(DecisionTreeClassifier(max_depth=depth, random_state=0), rows)
        best = OCTClassifier(max_depth=depth, time_limit=limit).fit(rows.attributes, rows.classes).solution_
        least = round(best.errors) if best.optimal else round(best.bound * majority_errors(rows))
        above = errors / least - 1 if least else float(errors > 0)
        bound = round(model.solution_.bound * majority_errors(rows))
        print(
            f"{rows.name:22}{wall:8.3f}{errors:8}{bound:8}{of_cart:7}{streed(rows, depth, seconds).errors:10}"
            f"{'' if best.optimal else '>= ':>3}{least:6}{above:8.1%}",
            flush=True,
        )
        within += above <= 0.05
        late += wall > 1.1 * seconds
        worse += errors > of_cart
    print(f"within 5 % of the optimum: {within} of {len(sets)}; worse than CART: {worse}")
    print(f"later than 1.1 x the limit: {late}")


def majority_errors(rows: Rows) -> int:
    """L_hat: the errors of the majority rule."""
    return len(rows.classes) - int(np.bincount(rows.classes).max())


def _seconds(fit: Fit) -> float:
    return fit.seconds


if __name__ == "__main__":
    main()
