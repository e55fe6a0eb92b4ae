"""Exact minima of five data sets: CPU time and peak memory of our search and of a C++ program, in turn."""

from __future__ import annotations

import csv
import json
import re
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import numpy as np
from peer import build

from algorithms.data.table import DecisionTable
from algorithms.exact.graph import SubtableGraph, exact_costs
from algorithms.trees.costs import COUNTED_COSTS

ROUNDS = 5
PEERS_NAMES = ("depth", "tpl", "nodes", "nonterminal", "terminal")  # in the order of COUNTED_COSTS


# a process begins with the peak memory of the one that started it, so a small one starts the peer
LAUNCHER = """
import os, sys
if not (child := os.fork()):
    os.execv(sys.argv[1], sys.argv[1:])
usage = os.wait4(child, 0)[2]
sys.stderr.write(f"{usage.ru_utime + usage.ru_stime} {usage.ru_maxrss}")
"""


class File(NamedTuple):
    """The path of a data set, the column of its decision, and its mark for a missing value."""

    path: str
    target: int
    unknown: str = ""


FILES = {
    "mushroom": File("mushroom/agaricus-lepiota.data", 0, "?"),
    "spect-test": File("spect/SPECT.test", 0),
    "house-votes": File("house-votes-84/house-votes-84.data", 0, "?"),
    "nursery": File("nursery/nursery.data", -1),
    "tic-tac-toe": File("tic-tac-toe/tic-tac-toe.data", -1),
}


def codes_and_decisions(folder: Path, file: File) -> tuple[np.ndarray, np.ndarray]:
    """Codes (rows, attributes) and decisions (rows,) in label order; the mode fills missing values."""
    with (folder / file.path).open(encoding="utf-8") as lines:
        columns = [list(column) for column in zip(*(row for row in csv.reader(lines) if row), strict=True)]
    for index, column in enumerate(columns):
        mode = Counter(value for value in column if value != file.unknown).most_common(1)[0][0]
        filled = [mode if value == file.unknown else value for value in column]
        code = {value: i for i, value in enumerate(sorted(set(filled)))}
        columns[index] = [code[value] for value in filled]
    decisions = np.array(columns.pop(file.target))
    return np.array(columns).T.copy(), decisions


def kilobytes(what: str) -> int:
    """An entry of Linux's memory statistics for this process."""
    match = re.search(rf"{what}:\s+(\d+) kB", Path("/proc/self/status").read_text(encoding="utf-8"))
    assert match is not None
    return int(match.group(1))


def ours(codes: np.ndarray, decisions: np.ndarray, how: str) -> None:
    """Print CPU seconds, growth of peak memory in MB, nodes, edges and minima as JSON; run in its own process."""
    work = {"minima": exact_costs, "graph": SubtableGraph.of}[how]
    generator = np.random.default_rng(0)  # this graph outgrows its first arrays, so that all kernels are loaded
    work(DecisionTable.from_codes(generator.integers(0, 3, (40, 10)), generator.integers(0, 2, 40)))
    work(DecisionTable.from_codes(codes[:4], decisions[:4]))
    memory, began = kilobytes("VmRSS"), time.process_time()
    result = work(DecisionTable.from_codes(codes, decisions))
    cpu = time.process_time() - began
    memory = kilobytes("VmHWM") - memory
    costs = result.costs() if isinstance(result, SubtableGraph) else result
    size = [result.nodes, result.edges] if isinstance(result, SubtableGraph) else []
    print(json.dumps([cpu, memory / 1024, [getattr(costs, name) for name in COUNTED_COSTS], size]))


def peers(program: Path, lines: bytes) -> tuple[float, float, list[int], list[int]]:
    """The same for the C++ program; its memory is the whole of its process."""
    answer = subprocess.run(
        [sys.executable, "-S", "-c", LAUNCHER, program], input=lines, capture_output=True, check=True
    )
    statistics = dict(re.findall(r"(\w+)=(\d+)(?= )", answer.stdout.decode()))
    cpu, memory = (float(number) for number in answer.stderr.split())
    least, size = (
        [int(statistics[name]) for name in PEERS_NAMES],
        [int(statistics["subtables"]), int(statistics["edges"])],
    )
    return cpu, memory / 1024, least, size


def compare(name: str, folder: Path, program: Path) -> None:
    """Print one data set's line for each of the two ways."""
    codes, decisions = codes_and_decisions(folder, FILES[name])
    table = DecisionTable.from_codes(codes, decisions)
    rows = np.column_stack([table.codes, table.decisions])
    lines = f"{table.rows} {table.attributes}\n" + "\n".join(" ".join(map(str, row)) for row in rows.tolist())
    for how in ("minima", "graph"):
        rounds = []
        for _ in range(ROUNDS):
            command = [sys.executable, __file__, *sys.argv[1:3], name, how]
            answer = subprocess.run(command, check=True, capture_output=True, text=True).stdout
            cpu, memory, least, size = json.loads(answer)
            peers_cpu, peers_memory, peers_least, peers_size = peers(program, lines.encode())
            assert least == peers_least
            assert size in ([], peers_size)
            rounds.append((cpu / peers_cpu, cpu, peers_cpu, memory, peers_memory))
        ratio, cpu, peers_cpu, memory, peers_memory = sorted(rounds)[ROUNDS // 2]
        nodes, edges = peers_size
        print(
            f"{name:12} {how:7} {nodes:8,} {edges:11,} {cpu:8.3f} {peers_cpu:8.3f} {ratio:7.3f} "
            f"{cpu / edges * 1e9:8.0f} {memory:8.1f} {peers_memory:8.1f}",
            flush=True,
        )


def main() -> None:
    """Print the median round of each data set."""
    program = build(sys.argv[1])
    print("data set     what       nodes       edges    CPU s   peer's   ratio  ns/edge       MB   peer's")
    for name in FILES:
        compare(name, Path(sys.argv[2]), program)


if __name__ == "__main__":
    if len(sys.argv) > 3:
        ours(*codes_and_decisions(Path(sys.argv[2]), FILES[sys.argv[3]]), sys.argv[4])
    else:
        main()
