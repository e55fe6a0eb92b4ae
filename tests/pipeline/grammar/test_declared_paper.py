"""A paper of two data sets and three builders, declared: sizes, limits, known differences, ranks, wins and trees."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pipeline.errors import ConfigError
from pipeline.grammar.columns import Row
from pipeline.grammar.comparison.declared import declared_comparison, sections_of
from pipeline.grammar.summary import Summary
from pipeline.summary.verdicts import Verdict
from tests.summaries.builder_rows import published, result_row, summary_rows, written

DECLARED = """sizes:
  title: Data sets (Smith 2020, Table 1)
  values: sets.csv
printed:
  title: Trees (Smith 2020, Table 2)
  values: table2.csv
  builders: {C4.5: c45, CART: cart, SVM: svm}
  folds: 4
  unit: share
  least: 0.02
  standard_errors: 2.5
  differences: known.csv
  also: {leaves: terminal_nodes}
counts:
  title: Wins of C4.5 (Smith 2020, text)
  values: counts.csv
  observations: >-
    (select r.builder as against, l.accuracy - r.accuracy as difference from sets l join sets r using (source, part)
    where l.builder = 'c45' and r.builder <> 'c45' and part = 'all')
  by: [against]
  counts: {better: difference > 0, worse: difference < 0}
  means: {gain: difference}
  columns: {largest: max(difference)}
  rounding: 0.05
  fewest: 2
  note: "gain: in points."
ranks:
  title: Ranks (Smith 2020, Table 3)
  without: svm
  called: SVM
wins:
  title: Trees against others
  of: [cart, c45]
  against: [svm]
  called: tree
curves:
  headline: Curves
trees:
  - [c45, [svm, cart], accuracy]
"""
FILES = {
    "table2.csv": """case,source,classifier,accuracy,rank
monks,rule/monks-1,C4.5,0.90,1
monks,rule/monks-1,CART,0.80,2
monks,rule/monks-1,SVM,0.30,3
corral,rule/corral,C4.5,0.70,2
corral,rule/corral,CART,0.80,1
corral,rule/corral,SVM,0.20,2
average,,C4.5,,1.5
average,,CART,,1.5
average,,SVM,,3
""",
    "sets.csv": """case,source,printed_rows,printed_attributes,printed_classes,attributes,corrected_rows,\
corrected_attributes,remark
monks,rule/monks-1,432,7,2,6,,6,the class is counted
corral,rule/corral,,,,6,,,
""",
    "counts.csv": """against,n,better,worse,gain
cart,2,1,1,-6.8
mlp,2,2,0,
svm,20,20,0,30.0
""",
    "known.csv": """source,builder,corrected,why
,svm,,a broken run
rule/monks-1,svm,0.95,
rule/monks-1 (20 rows),,,too few rows
""",
}
OURS = {
    ("rule/monks-1", "c45"): 0.915,
    ("rule/monks-1", "cart"): 0.8,
    ("rule/monks-1", "svm"): 0.95,
    ("rule/corral", "c45"): 0.55,
    ("rule/corral", "cart"): 0.8,
    ("rule/corral", "svm"): 0.9,
}
NAMES = ["c45", "cart", "svm"]
NOISE = (-0.004, 0.004, 0.004, -0.004)


def declare(folder: Path, was: str = "", becomes: str = "") -> Path:
    """The declared paper, in which one text is another; its `comparison.yaml`."""
    for name, text in {**FILES, "comparison.yaml": DECLARED}.items():
        (folder / name).write_text(text.replace(was, becomes) if was else text)
    return folder / "comparison.yaml"


def rows() -> list[dict[str, Any]]:
    """Four splits of each data set and builder, and of a part of one."""
    result = []
    for (source, builder), mean in OURS.items():
        size = {} if builder == "svm" else {"terminal_nodes": 9, "nodes": 17}
        for fold, noise in enumerate(NOISE, start=1):
            split = {"rows": 300, "test_rows": 100, "train_accuracy": 1.0, "build_seconds": 1.0, **size}
            result.append(result_row(source, builder, fold, test_accuracy=mean + noise, **split))
            if source == "rule/monks-1":
                less = {"part": "20 rows", "rows": 15, "test_rows": 5, "test_accuracy": mean + noise - 0.3}
                result.append(result[-1] | less)
    return result


@pytest.fixture(scope="module")
def summary(tmp_path_factory: pytest.TempPathFactory) -> Summary:
    return declared_comparison("smith", declare(tmp_path_factory.mktemp("declared")))


@pytest.fixture(scope="module")
def tables(summary: Summary) -> dict[str, list[Row]]:
    return summary_rows(summary, rows(), NAMES)


def test_the_tables_are_in_the_order_of_the_sections(tables: dict[str, list[Row]]) -> None:
    shown = ("data_sets", "smith", "counts", "ranks", "tests", "wins", "accuracies", "classes")
    assert tuple(name for name in tables if name != "average_ranks") == shown


def test_values_are_shares_and_differ_beyond_both_limits(tables: dict[str, list[Row]]) -> None:
    of = tables["smith"]
    assert [(row["case"], row["part"], row["builder"], row["printed"]) for row in of] == [
        *(("monks", part, *value) for part in ("all", "20 rows") for value in zip(NAMES, (0.9, 0.8, 0.3), strict=True)),
        *(("corral", "all", *value) for value in zip(NAMES, (0.7, 0.8, 0.2), strict=True)),
    ]  # fmt: skip
    assert [row["verdict"] for row in of] == [
        *(Verdict.AGREES, Verdict.AGREES, Verdict.MISPRINT),
        *(None, None, None),
        *(Verdict.DIFFERS, Verdict.AGREES, Verdict.DIFFERS),
    ]
    error = 0.004 * (4 / 3) ** 0.5 / 4**0.5 * 2**0.5  # of a difference of two means of four splits
    assert 2.5 * error < 0.02
    assert {row["significant_beyond"] for row in of} == {0.02}
    assert [row["corrected"] for row in of] == [None, None, 0.95, *[None] * 6]
    assert [row["tolerance"] for row in of[:3]] == pytest.approx([0.09, 0.08, 0.03])
    assert [row["leaves"] for row in of[:3]] == [9, 9, None]
    assert of[0]["difference"] == pytest.approx(0.015)
    assert [of[0]["difference_low"], of[0]["difference_high"]] == pytest.approx(
        [0.015 - 1.96 * error, 0.015 + 1.96 * error], abs=1e-6
    )


def test_the_limit_is_so_many_standard_errors(tmp_path: Path) -> None:
    summary = declared_comparison("smith", declare(tmp_path, "  least: 0.02\n", ""))
    (row, *_) = summary_rows(summary, rows(), NAMES)["smith"]
    error = 0.004 * (4 / 3) ** 0.5 / 4**0.5 * 2**0.5
    assert row["significant_beyond"] == pytest.approx(2.5 * error)


def test_what_is_known_is_the_reason_where_ours_differs(tables: dict[str, list[Row]]) -> None:
    known = {(row["case"], row["part"], row["builder"]): row["why"] for row in tables["smith"] if row["why"]}
    assert known == {
        ("monks", "all", "svm"): "a broken run",
        ("corral", "all", "svm"): "a broken run",
        ("monks", "20 rows", "svm"): "a broken run",
        ("monks", "20 rows", "c45"): "too few rows",
        ("monks", "20 rows", "cart"): "too few rows",
    }


def test_ranks_are_beside_those_of_the_accuracies(tables: dict[str, list[Row]]) -> None:
    columns = ("printed", "by_printed", "by_printed_without_the_svm", "by_printed_with_our_svm", "by_ours")
    ranks = {(row["case"], row["builder"]): tuple(row[name] for name in columns) for row in tables["ranks"]}
    assert ranks == {
        ("monks", "c45"): (1, 1, 1, 2, 2),
        ("monks", "cart"): (2, 2, 2, 3, 3),
        ("monks", "svm"): (3, 3, None, 1, 1),
        ("corral", "c45"): (2, 2, 2, 3, 3),
        ("corral", "cart"): (1, 1, 1, 2, 2),
        ("corral", "svm"): (2, 3, None, 1, 1),
        ("average", "c45"): (1.5, 1.5, 1.5, 2.5, 2.5),
        ("average", "cart"): (1.5, 1.5, 1.5, 2.5, 2.5),
        ("average", "svm"): (3, 3, None, 1, 1),
    }
    why = {(row["case"], row["builder"]): row["why"] for row in tables["ranks"]}
    assert why["monks", "c45"] == (
        "the paper's accuracies give this rank; with our SVM instead of its own, they give 2; our accuracies give 2"
    )
    assert str(why["corral", "svm"]).startswith("the paper's accuracies give 3, which is not this rank; ")
    rankings = ("printed", "printed, without the SVM", "printed, with our SVM", "ours", "ours, without the SVM")
    assert tuple(dict.fromkeys(row["ranking"] for row in tables["average_ranks"])) == rankings
    friedman = {row["ranking"]: row["n"] for row in tables["tests"] if row["test"] == "Friedman"}
    assert friedman == {"printed": 2, "printed, with our SVM": 2, "ours": 2}
    against = [row["against"] for row in tables["tests"] if (row["ranking"], row["test"]) == ("ours", "Wilcoxon")]
    assert against == ["cart", "svm"]


def test_without_a_wrong_builder_there_are_two_rankings(tmp_path: Path) -> None:
    summary = declared_comparison("smith", declare(tmp_path, "  without: svm\n  called: SVM\n", ""))
    tables = summary_rows(summary, rows(), NAMES)
    assert {row["ranking"] for row in tables["average_ranks"]} == {"printed", "ours"}
    why = next(row["why"] for row in tables["ranks"])
    assert why == "the paper's accuracies give this rank; our accuracies give 2"


def test_a_table_as_printed_may_have_average_ranks_or_none(tmp_path: Path) -> None:
    file = declare(tmp_path)
    printed = "case,source,C4.5,CART,SVM\nmonks,rule/monks-1,.9,.8,.3\ncorral,rule/corral,.7,.8,.2\n"
    for more, cases in (("average rank,,1.5,1.5,3\n", ["average"] * 3), ("", None)):
        (tmp_path / "table2.csv").write_text(printed + more)
        tables = summary_rows(declared_comparison("smith", file), rows(), NAMES)
        assert [row["verdict"] for row in tables["smith"]][:3] == [Verdict.AGREES, Verdict.AGREES, Verdict.MISPRINT]
        assert ([row["case"] for row in tables["ranks"]] if "ranks" in tables else None) == cases
        assert tables["tests"]


def test_a_table_as_printed_may_have_columns_of_ranks(tmp_path: Path) -> None:
    file = declare(tmp_path, "SVM: svm}", "SVM: svm, R: cart rank}")
    (tmp_path / "table2.csv").write_text(
        "case,source,C4.5,CART,R,SVM\nmonks,rule/monks-1,.9,.8,2,.3\ncorral,rule/corral,.7,.8,1,.2\n"
    )
    tables = summary_rows(declared_comparison("smith", file), rows(), NAMES)
    ranks = [(row["case"], row["builder"], row["printed"], row["by_printed"]) for row in tables["ranks"]]
    assert ranks == [("monks", "cart", 2, 2), ("corral", "cart", 1, 1)]
    assert [row["printed"] for row in tables["smith"] if row["builder"] == "cart"] == [0.8, 0.8, 0.8]


def test_a_printed_builder_that_nobody_runs_is_ranked(tmp_path: Path) -> None:
    file = declare(tmp_path, "average,,C4.5,,1.5\n", "monks,rule/monks-1,ZeroR,.95,1\ncorral,rule/corral,ZeroR,.1,4\n")
    tables = summary_rows(declared_comparison("smith", file), rows(), NAMES)
    ranks = {(row["case"], row["builder"]): (row["by_printed"], row["by_ours"]) for row in tables["ranks"]}
    assert [ranks["monks", name] for name in ("ZeroR", *NAMES)] == [(1, None), (2, 2), (3, 3), (4, 1)]
    assert [row["builder"] for row in tables["average_ranks"]][:4] == [*NAMES, "ZeroR"]


def test_wins_are_counted_by_data_set(tables: dict[str, list[Row]]) -> None:
    columns = ("tree", "other", "printed_n", "printed_wins", "printed_losses", "n", "wins", "losses")
    assert [tuple(row[name] for name in columns) for row in tables["wins"]] == [
        ("cart", "svm", 2, 2, 0, 2, 0, 2),
        ("c45", "svm", 2, 2, 0, 2, 0, 2),
    ]


def test_printed_counts_and_means_are_beside_ours(tables: dict[str, list[Row]]) -> None:
    columns = ("against", "measure", "n", "ours", "printed_n", "printed", "verdict", "largest")
    better, worse = 11.5, -3.5  # points above cart and below svm on monks-1; on corral 25 and 35 below
    assert [tuple(row[name] for name in columns) for row in tables["counts"]] == [
        ("cart", "better", 2, 1, 2, 1, Verdict.CONSISTENT, pytest.approx(better)),
        ("cart", "worse", 2, 1, 2, 1, Verdict.CONSISTENT, pytest.approx(better)),
        ("cart", "gain", 2, pytest.approx(-6.75), 2, -6.8, Verdict.CONSISTENT, pytest.approx(better)),
        ("svm", "better", 2, 0, 20, 20, Verdict.DIFFERS, pytest.approx(worse)),
        ("svm", "worse", 2, 2, 20, 0, Verdict.DIFFERS, pytest.approx(worse)),
        ("svm", "gain", 2, pytest.approx(-19.25), 20, 30, Verdict.DIFFERS, pytest.approx(worse)),
    ]


def test_observations_without_a_key_are_a_group(tmp_path: Path) -> None:
    keyed = "select if(r.builder = 'svm', null, r.builder) as against"
    summary = declared_comparison("smith", declare(tmp_path, "select r.builder as against", keyed))
    counts = summary_rows(summary, rows(), NAMES)["counts"]
    assert [(row["measure"], row["n"], row["ours"]) for row in counts if row["against"] is None] == [
        ("better", 2, 0),
        ("worse", 2, 2),
        ("gain", 2, pytest.approx(-19.25)),
    ]


def test_observations_for_which_a_condition_is_null_are_observations(tmp_path: Path) -> None:
    file = declare(tmp_path, "{better: difference > 0,", "{better: 'if(difference > 0, true, null)',")
    counts = summary_rows(declared_comparison("smith", file), rows(), NAMES)["counts"]
    assert [(row["n"], row["verdict"]) for row in counts if row["against"] == "cart"] == [
        (1, Verdict.CONSISTENT),
        (2, Verdict.CONSISTENT),
        (2, Verdict.CONSISTENT),
    ]


def test_counts_of_too_few_observations_have_no_verdict(tmp_path: Path) -> None:
    summary = declared_comparison("smith", declare(tmp_path, "fewest: 2", "fewest: 3"))
    assert {row["verdict"] for row in summary_rows(summary, rows(), NAMES)["counts"]} == {None}
    finding = written(summary, published(rows(), tmp_path), tmp_path / "s", builders=NAMES).finding
    assert "no verdicts: this run has 2 data sets with the same against, but at least 3 are needed" in finding


def test_sizes_are_beside_the_printed_numbers(summary: Summary) -> None:
    classes = [
        {"source": "rule/corral", "part": "all", "class": name, "support": support}
        for name, support in (("a", 30), ("b", 10), ("c", 0))
    ]
    columns = (
        "case",
        "part",
        "printed_rows",
        "rows",
        "printed_attributes",
        "attributes",
        "corrected_attributes",
        "remark",
        "classes",
        "largest_class",
    )
    sizes = summary_rows(summary, rows(), NAMES, classes=classes)["data_sets"]
    assert [tuple(row[name] for name in columns) for row in sizes] == [
        ("monks", "all", 432, 400, 7, 6, 6, "the class is counted", None, None),
        ("corral", "all", None, 400, None, 6, None, None, 2, 0.75),
    ]


def test_a_reader_gets_the_counts_and_the_trees(summary: Summary, tmp_path: Path) -> None:
    result = written(summary, published(rows(), tmp_path), tmp_path / "s", builders=NAMES)
    assert result.finding.startswith(
        "3 of 6 accuracies agree with the paper, 2 differ and 1 is a misprint. By builder, c45 1 of 2, "
    )
    assert result.finding.endswith(
        "our ranks: no significant difference (Friedman, p = 0.22); "
        "trees beat svm in 4 of 4 printed cases and 0 of 4 here."
    )
    assert {path.name for path in result.figures} == {
        f"{n}.{kind}" for n in ("smith", "ranks") for kind in ("svg", "png")
    }
    assert [(tree.row["source"], tree.row["builder"]) for tree in result.trees] == [
        ("rule/corral", "c45"), ("rule/corral", "cart")
    ]  # fmt: skip
    (note,) = (table.note for table in result.documents if table.name == "smith")
    for phrase in (
        "leaves: means over the splits.",
        "the difference exceeds significant_beyond (the larger of 0.02 and 2.5 standard errors, assuming",
        "A part of a printed data set is another reading of it, too. c45: 0 within 1 point of the paper, 0 within",
    ):
        assert phrase in note
    assert "percent" not in note


@pytest.mark.parametrize(
    ("was", "becomes", "message"),
    [
        ("unit: share", "unit: points", "comparison.yaml: printed.unit is 'points': expected one of percent, share"),
        ("least: 0.02", "least: -1", "comparison.yaml: printed.least is -1: expected 0 or more"),
        ("errors: 2.5", "errors: few", "comparison.yaml: printed.standard_errors is 'few': expected a number"),
        ("known.csv", "none.csv", "printed.differences is 'none.csv': expected the name of a CSV in"),
        ("{leaves: terminal_nodes}", "{leaves: leafs}", "printed.also has 'leafs': expected one of train_accuracy,"),
        ("{leaves: terminal_nodes}", "nodes", "printed.also is 'nodes': expected names with values"),
        (
            "{leaves: terminal",
            "{n: terminal",
            "printed.also has the heading 'n', which the table already has: choose",
        ),
        ("source,builder,corrected,why", "source,builder,why,was", "known.csv: no column 'corrected' among source,"),
        (",0.95,", ",.9.5,", "known.csv, line 3, column corrected: '.9.5': expected a number"),
        ("1,432,", "1,432.5,", "sets.csv, line 2, column printed_rows: '432.5': expected a whole number"),
        ("corral,rule/corral,,,", "corral,rule/monks-1,,,", "sets.csv, line 3: the line repeats line 2 (rule/monks-1)"),
        ("remark\n", "remarks\n", "sets.csv: no column 'remark' among case,"),
        ("  without: svm", "  without: smv", "ranks.without has 'smv': expected one of c45, cart, svm"),
        ("[cart, c45]", "[id3]", "wins.of has 'id3': expected one of c45, cart, svm"),
        ("[svm]", "svm", "wins.against is 'svm': expected a list"),
        ("[cart, c45]", "[]", "wins.of is []: expected at least one entry, and each entry once"),
        (
            "[cart, c45]",
            "[cart, cart]",
            "wins.of is ['cart', 'cart']: expected at least one entry, and each entry once",
        ),
        ("{C4.5: c45, CART: cart, SVM: svm}", "{}", "printed.builders is {}: expected COLUMN: BUILDER for each column"),
        ("against: [svm]", "against: [mlp]", "wins.against has 'mlp': expected one of c45, cart, svm"),
        ("  folds: 4", "  folds: 4\n  measure: error", "needs the section `printed`, with `measure: accuracy`"),
        (" headline: Curves", " headlines: Curves", "unknown key 'curves.headlines', did you mean 'curves.headline'?"),
        (
            "[against]",
            "['a.b']",
            "counts.by has 'a.b': expected a column of the observations, named by letters, digits and _",
        ),
        ("[against]", "[]", "counts.by is empty: expected at least one"),
        ("{better: difference > 0, worse: difference < 0}", "{}", "counts.counts is empty: expected at least one"),
        (
            "{gain:",
            "{better:",
            "the name 'better' under `counts` cannot be used: expected a text that is used once, does not begin with _",
        ),
        ("{gain: difference}", "{gain: 1}", "under `counts`, gain is 1: expected SQL, such as difference > 0"),
        ("cart,2,1,1,-6.8", "cart,2,3,1,-6.8", "counts.csv, line 2, column better is 3: expected 0 to 2"),
        ("cart,2,1,1,-6.8", "cart,2,1,-1,-6.8", "counts.csv, line 2, column worse is -1: expected 0 to 2"),
        ("cart,2,1,1,-6.8", "cart,-2,1,1,-6.8", "counts.csv, line 2, column n is -2: expected 0 to 1000000"),
        ("cart,2,1,1,-6.8", "cart,2,1,1,nan", "counts.csv, line 2, column gain: 'nan': expected a number"),
        ("cart,2,1,1,-6.8", "cart,2,1,1,6_8", "counts.csv, line 2, column gain: '6_8': expected a number"),
        ("cart,2,1,1,-6.8", "cart,2,1.5,1,-6.8", "counts.csv, line 2, column better: '1.5': expected a whole number"),
        (", accuracy]", ", depth]", "expected a list of pairs [BUILDER, [OTHERS]], or [BUILDER, [OTHERS], accuracy]"),
    ],
)
def test_a_fault_is_an_error_that_says_what_is_expected(was: str, becomes: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        declared_comparison("smith", declare(tmp_path, was, becomes))
    assert message in str(caught.value)
    assert str(tmp_path) in str(caught.value)


@pytest.mark.parametrize("section", ["ranks", "wins"])
def test_ranks_and_wins_need_printed_accuracies(section: str, tmp_path: Path) -> None:
    whole = sections_of(declare(tmp_path))
    keys = "".join(f"  {key}: {value}\n" for key, value in whole[section].items())
    (tmp_path / "comparison.yaml").write_text(f"{section}:\n{keys}")
    with pytest.raises(
        ConfigError, match=f"the section `{section}` needs the section `printed`, with `measure: accuracy`"
    ):
        declared_comparison("smith", tmp_path / "comparison.yaml")
