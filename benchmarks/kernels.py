"""CPU time per table for all 16 greedy algorithms and five exact minima: our kernels against a C++ program, in turn."""

from __future__ import annotations

import sys
import time

from peer import build, spread, timed

from algorithms.batch import costs_of_tables
from algorithms.data.random_tables import RandomTables

TABLES, ROUNDS = 3000, 9


def main() -> None:
    """Print the ratio."""
    program = build(sys.argv[1])
    shape = RandomTables()
    ours, drawn, peers, ratios = [], [], [], []
    for turn in range(ROUNDS + 1):
        began = time.process_time()
        codes, decisions = shape.draw(0, 1, 1, TABLES)
        middle = time.process_time()
        costs_of_tables(codes, decisions, values=3, n_decisions=3)
        ended = time.process_time()
        _, cpu = timed([str(program), str(TABLES // 3), str(turn)])
        if turn:  # the first loads the kernels
            drawn.append((middle - began) / TABLES * 1e6)
            ours.append((ended - began) / TABLES * 1e6)
            peers.append(cpu / (TABLES // 3) * 1e6)
            ratios.append(ours[-1] / peers[-1])
    print(f"ours, drawing included  {spread(ours)} microseconds a table")
    print(f"  of that drawing        {spread(drawn)}")
    print(f"the peer                 {spread(peers)}")
    print(f"ratio                    {spread(ratios)}")


if __name__ == "__main__":
    main()
