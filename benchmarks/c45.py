"""C4.5 against Weka's J48, on one core in turn; and how the time of C4.5 grows with the rows.

Both times are CPU time. J48 runs inside its own warm JVM, and the JVM's garbage collection is not counted. J48 is left
out if java, javac or weka.jar is missing.
"""

from __future__ import annotations

import argparse
import resource
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np

from algorithms.data.data_set import MISSING, Attribute, AttributeKind, DataSet
from algorithms.induction.c45 import C45Classifier, weka_size
from pipeline.data.catalogue.catalogue import catalogue

SETS = ("adult:train", "connect-4", "letter", "shuttle:train", "nursery")
REPEATS = 5
TIMER = Path(__file__).with_name("J48Timer.java")


def main() -> None:
    """Run the benchmark that the arguments ask for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="?", type=Path, help="folder of UCI data sets, with a subfolder for each")
    parser.add_argument("--weka", type=Path, default=Path("/usr/share/java/weka.jar"), help="weka.jar")
    parser.add_argument("--rows", type=int, help="rows of the largest synthetic table")
    given = parser.parse_args()
    C45Classifier().fit(synthetic(1000))  # compiles
    C45Classifier().fit(synthetic(1000, labels=300))
    if given.data:
        against_weka(given.data, given.weka)
    if given.rows:
        growth_of_time(given.rows)


def against_weka(folder: Path, weka: Path) -> None:
    """Print both times on five data sets, and their ratios."""
    known = catalogue(folder, offline=True)
    loaded = {}
    for name in SETS:
        base, _, part = name.partition(":")
        loaded[name] = known.load(f"uci/{base}").part(part or "all")
    theirs = times_of_j48(list(loaded.values()), weka)
    print(f"{'data set':16}{'rows':>8}{'attributes':>12}{'size':>8}{'ours s':>9}{'J48 s':>9}{'ratio':>8}")
    ratios = []
    for (name, data), peer in zip(loaded.items(), theirs, strict=True):
        least, size = np.inf, 0
        for _ in range(REPEATS):
            start = time.process_time()
            tree = C45Classifier().fit(data).tree_
            least = min(least, time.process_time() - start)
            size = weka_size(tree, data)
        line = f"{name:16}{data.rows:8}{len(data.attributes):12}{size:8}{least:9.3f}"
        if peer is not None:
            if peer[0] != size:
                line += f"  J48's size is {peer[0]}"
            ratios.append(peer[1] / least)
            line += f"{peer[1]:9.3f}{ratios[-1]:8.2f}"
        print(line)
    if ratios:
        print(f"geometric mean of the ratios: {np.exp(np.mean(np.log(ratios))):.2f}; least: {min(ratios):.2f}")


def times_of_j48(sets: list[DataSet], weka: Path) -> list[tuple[int, float] | None]:
    """(size, seconds) of each data set; None without Weka, or without Java to compile the timer."""
    if not (shutil.which("java") and shutil.which("javac") and weka.exists()):
        print(f"J48 is left out: it needs java, javac and {weka}")
        return [None] * len(sets)
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / f"{index}.arff" for index in range(len(sets))]
        for data, file in zip(sets, files, strict=True):
            write_arff(data, file)
        subprocess.run(["javac", "-nowarn", "-cp", weka, "-d", folder, TIMER], check=True, capture_output=True)
        command = ["java", "-XX:ActiveProcessorCount=1", "-Xmx4g", "-cp", f"{weka}:{folder}", "J48Timer", str(REPEATS)]
        finished = subprocess.run([*command, *files], check=True, capture_output=True, text=True).stdout.split()
    return [(int(size), float(seconds)) for size, seconds in zip(finished[::2], finished[1::2], strict=True)]


def write_arff(data: DataSet, file: Path) -> None:
    """Write a data set as ARFF; labels are written as codes, because labels can contain any character."""
    with file.open("w") as lines:
        lines.write("@relation set\n")
        for index, attribute in enumerate(data.attributes):
            nominal = attribute.kind is AttributeKind.NOMINAL
            codes = ",".join(map(str, range(len(attribute.labels))))
            lines.write(f"@attribute a{index} {'{' + codes + '}' if nominal else 'numeric'}\n")
        lines.write(f"@attribute class {{{','.join(map(str, range(len(data.classes))))}}}\n@data\n")
        columns = [
            ["?" if value == MISSING else str(value) for value in column.tolist()]
            if attribute.kind is AttributeKind.NOMINAL
            else ["?" if value != value else repr(value) for value in column.tolist()]  # noqa: PLR0124 - NaN
            for attribute, column in zip(data.attributes, data.columns, strict=True)
        ]
        lines.writelines(",".join(row) + "\n" for row in zip(*columns, map(str, data.decisions.tolist()), strict=True))


def synthetic(rows: int, labels: int = 8) -> DataSet:
    """Ten attributes, half of them numeric; five decide the class, with noise; 1 % of the values are missing."""
    generator = np.random.default_rng(0)
    numbers = generator.random((5, rows))
    codes = generator.integers(0, labels, (5, rows), dtype=np.int32)
    votes = (numbers[0] > 0.5).astype(int) + (numbers[1] + numbers[2] > 1.0) + (codes[0] % 2 == 0) + (codes[1] % 4 == 0)
    decisions = ((votes > 1) ^ (generator.random(rows) < 0.1)).astype(np.int32)
    numbers[generator.random((5, rows)) < 0.01] = np.nan
    codes[generator.random((5, rows)) < 0.01] = MISSING
    numeric = [Attribute(f"x{index}", AttributeKind.NUMERIC) for index in range(5)]
    label = tuple(map(str, range(labels)))
    nominal = [Attribute(f"c{index}", AttributeKind.NOMINAL, label) for index in range(5)]
    return DataSet((*numeric, *nominal), (*numbers, *codes), ("0", "1"), decisions)


def growth_of_time(most: int) -> None:
    """Print CPU time per row for growing tables; a branch has the same least share of the rows in all of them."""
    print(f"{'rows':>10}{'nodes':>9}{'seconds':>9}{'µs a row':>10}{'peak GiB':>10}")
    for rows in (most // 100, most // 10, most):
        data = synthetic(rows)
        start = time.process_time()
        tree = C45Classifier(min_rows=max(2, rows // 1000)).fit(data).tree_
        seconds = time.process_time() - start
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
        print(f"{rows:10}{tree.nodes:9}{seconds:9.2f}{seconds / rows * 1e6:10.2f}{peak:10.2f}", flush=True)


if __name__ == "__main__":
    main()
