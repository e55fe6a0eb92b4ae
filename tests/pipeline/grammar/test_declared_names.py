"""The names in a declared comparison: one that no run can have is an error before any work, any other is none."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.data.sources import DataLocation
from pipeline.discovery import SearchPath
from pipeline.errors import ConfigError
from pipeline.grammar.comparison.claims import COLUMNS
from pipeline.grammar.comparison.declared import KnownNames, check_csv, check_names
from pipeline.grammar.comparison.grid import CompareBuildersGrid, summaries
from tests.pipeline.command_line import run_orchard
from tests.pipeline.grids.every_grid import grid_composed

PRINTED = """sizes:
  title: Data sets (Smith 2020)
  values: sets.csv
printed:
  title: Trees (Smith 2020)
  values: table2.csv
  builders: {C4.5: c45, CART: cart}
  folds: 10
  rounding: 0.05
  differences: known.csv
claims:
  title: Claims (Smith 2020)
  document: Smith 2020
  values: claims.csv
counts:
  title: Sets with errors
  values: counts.csv
  observations: sets
  by: [builder]
  counts: {perfect: accuracy = 100, others: accuracy < 100}
trees:
  - [c45, [cart]]
"""
TABLE = "case,source,C4.5,CART\nmonks,rule/monks-1,80,90\ncorral,rule/corral,70,\n"
CLAIMED = "claim,left,right,measure,side,bound,on\nbetter,c45,cart,accuracy,above,0,rule/corral\n"
SIZES = (
    "case,source,printed_rows,printed_attributes,printed_classes,attributes,corrected_rows,corrected_attributes,"
    "remark\nmonks,rule/monks-1,432,6,2,6,,,\n"
)
KNOWN = "source,builder,corrected,why\nrule/corral,cart,,rounded\n"
GRID = """# @package _global_
# Trees
defaults: [compare_builders, _self_]
grid: smith
summary: smith
source: [rule/monks-1, rule/corral, ./far.csv]
builders: [cart, {name: c45_deep, builder: c45}]
"""


def declare(folder: Path, *, was: str = "", becomes: str = "", grid: str = GRID) -> Path:
    """A folder for --config-dir with a declared comparison, in which one text is another; its `comparison.yaml`."""
    conf = folder / "conf"
    (conf / "grids" / "smith").mkdir(parents=True, exist_ok=True)
    (conf / "grid").mkdir(exist_ok=True)
    (conf / "grid" / "smith.yaml").write_text(grid)
    files = {
        "comparison.yaml": PRINTED,
        "table2.csv": TABLE,
        "claims.csv": CLAIMED,
        "sets.csv": SIZES,
        "known.csv": KNOWN,
        "counts.csv": "builder,n,perfect,others\nc45,2,0,2\n",
    }
    for name, text in files.items():
        (conf / "grids" / "smith" / name).write_text(text.replace(was, becomes) if was else text)
    return conf / "grids" / "smith" / "comparison.yaml"


def known(folder: Path, *builders: str) -> KnownNames:
    """The names of a run without data sets."""
    return KnownNames((), builders, DataLocation(), SearchPath(config_dir=folder / "conf"))


@pytest.mark.parametrize(
    ("was", "becomes", "message"),
    [
        (
            "monks,rule/monks-1",
            "monks,rule/monk-1",
            "table2.csv, line 2, column source: no data set is called 'rule/monk-1': did you mean rule/monks-1",
        ),
        (
            "corral,rule/corral",
            "corral,rule/corral (train)",
            "table2.csv, line 3, column source: 'rule/corral' has no part 'train'",
        ),
        ("corral,rule/corral", "corral,uci/ecoli:all", "line 3, column source: no data set is called 'uci/ecoli:all'"),
        ("corral,rule/corral", "corral,./no.csv", "table2.csv, line 3, column source: there is no file ./no.csv"),
        (
            "C4.5: c45",
            "C4.5: c54",
            "comparison.yaml: printed.builders, column C4.5: no builder is called 'c54', did you mean 'c45'?",
        ),
        (
            "r,c45,cart",
            "r,c45,carte",
            "claims.csv, line 2, column right: no builder is called 'carte', did you mean",
        ),
        ("r,c45,cart", "r,id4,cart", "claims.csv, line 2, column left: no builder is called 'id4', did you mean 'id3'"),
        ("r,c45,cart", "r,tuned,cart", "claims.csv, line 2, column left: no builder is called 'tuned', did you mean"),
        (
            "0,rule/corral",
            "0,rule/coral",
            "claims.csv, line 2, column on: no data set is called 'rule/coral': did you mean rule/corral",
        ),
        ("[cart]", "[crat]", "comparison.yaml: trees: no builder is called 'crat', did you mean 'cart'?"),
        (
            "monks-1,432",
            "monk-1,432",
            "sets.csv, line 2, column source: no data set is called 'rule/monk-1': did you mean",
        ),
        (
            "l,cart,,",
            "l,catr,,",
            "known.csv, line 2, column builder: no builder is called 'catr', did you mean 'cart'?",
        ),
        ("corral,cart,,", "coral,cart,,", "known.csv, line 2, column source: no data set is called 'rule/coral': did"),
        (
            "accuracy = 100",
            "accurate = 100",
            "view 'counted_values': Binder Error: Referenced column \"accurate\" not found",
        ),
    ],
)
def test_a_name_that_exists_nowhere_is_an_error(was: str, becomes: str, message: str, tmp_path: Path) -> None:
    file = declare(tmp_path, was=was, becomes=becomes)
    with pytest.raises(ConfigError) as caught:
        check_names(file, known(tmp_path))
    assert str(caught.value).startswith(str(file.parent))
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("was", "becomes"),
    [
        ("corral,rule/corral", "corral,uci/ecoli"),
        ("corral,rule/corral", "corral,uci/abalone (210 rows)"),
        ("corral,rule/corral", "corral,uci/image-segmentation (train)"),
        ("corral,rule/corral", "corral,uci/image-segmentation (210 rows of test)"),
        ("corral,rule/corral", "corral,./far.csv"),
        ("C4.5: c45", "C4.5: tuned"),
        ("C4.5: c45", "C4.5: c45_deep"),
        ("r,c45,cart", "r,c45_deep,cart"),
        ("r,c45,cart", "r,ours,cart"),
        ("r,c45,cart", "r,given,cart"),
    ],
    ids=lambda text: text.rpartition(",")[2],
)
def test_a_name_that_another_run_can_have_is_none(was: str, becomes: str, tmp_path: Path) -> None:
    file = declare(tmp_path, was=was, becomes=becomes)
    (tmp_path / "conf" / "builder").mkdir()
    (tmp_path / "conf" / "builder" / "ours.yaml").write_text("class: ours.Trees\n")
    (tmp_path / "conf" / "grid" / "broken.yaml").write_text("builders: [")
    check_names(file, known(tmp_path, "given"))


def test_a_data_set_of_the_run_is_known_by_its_title(tmp_path: Path) -> None:
    (tmp_path / "mine.csv").write_text("a,class\n" + "1,yes\n2,no\n" * 10)
    mine = str(tmp_path / "mine.csv")
    grid = grid_composed("compare_builders", f"source=['{mine}:12']")
    assert isinstance(grid, CompareBuildersGrid)
    file = declare(tmp_path, was="corral,rule/corral", becomes=f"corral,{mine} (12 rows)")
    check_names(file, KnownNames(grid.sources, [], DataLocation(), SearchPath()))


@pytest.mark.parametrize("more", [(), ("dry_run=true",)])
def test_a_name_that_exists_nowhere_ends_a_command_before_any_work(more: tuple[str, ...], tmp_path: Path) -> None:
    declare(tmp_path, was="r,c45,cart", becomes="r,c54,cart", grid=GRID.replace(", ./far.csv", ""))
    output = tmp_path / "outputs"
    finished = run_orchard("+grid=smith", "--config-dir", "conf", f"output={output}", *more, cwd=tmp_path)
    assert finished.returncode == 2
    assert "smith/claims.csv, line 2, column left: no builder is called 'c54', did you mean 'c45'?" in finished.stderr
    assert not output.exists()


@pytest.mark.parametrize("name", [name for name, summary in summaries(SearchPath()).items() if summary.folder])
def test_the_names_of_our_declarations_are_known(name: str) -> None:
    """Of the whole grid, and of one that a command makes smaller."""
    for overrides in ((), ("source=[rule/corral]", "builders=[id3]")):
        grid = grid_composed(name, *overrides)
        assert isinstance(grid, CompareBuildersGrid)
        folder = grid.summary.folder
        assert folder is not None
        claims = folder.path / "claims.csv"
        if claims.is_file():
            builders = [builder.name for builder in grid.builders]
            check_csv(claims, COLUMNS, KnownNames(grid.sources, builders, DataLocation(), SearchPath()))
