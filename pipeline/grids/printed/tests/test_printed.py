"""A printed table, rerun: what its names mean, its verdicts, and impossible figures."""

from __future__ import annotations

import csv
import json
import re
import shlex
from pathlib import Path

import pytest
import yaml

from pipeline.errors import ConfigError
from pipeline.grids.printed.summary import summary_of
from pipeline.summary.verdicts import Verdict
from tests.pipeline.command_line import run_orchard
from tests.pipeline.grids.every_grid import grid_composed
from tests.summaries.builder_rows import published, result_row, written

VERDICTS = ["impossible", "consistent", "agrees", "consistent", "consistent"]
"""The first is no share of the rows, so that no run can give it."""


def composed(tmp_path: Path, text: str, *overrides: str):
    (tmp_path / "table.csv").write_text(text, encoding="utf-8")
    return grid_composed("printed", f"printed={tmp_path}/table.csv", *overrides)


@pytest.fixture
def ran(small_run):
    """The folder of the small run."""
    return small_run("printed")


def test_a_table_is_rerun_with_a_verdict_for_each_figure(ran):
    (file,) = ran.glob("outputs/summaries/grid=printed/run=*/printed_table.csv")
    rows = list(csv.DictReader(file.read_text().splitlines()))
    assert [(row["row"], row["heading"], row["builder"], row["measure"], row["printed"]) for row in rows] == [
        ("Corral", "CART", "cart", "accuracy", "98.1"),
        ("Corral", "Naive Bayes", "naive_bayes", "accuracy", "85.9"),
        ("Corral", "CART leaves", "cart", "terminal_nodes", "7.0"),
        ("Monks 1", "CART", "cart", "accuracy", "83.1"),
        ("Monks 1", "CART leaves", "cart", "terminal_nodes", "30.0"),
    ]
    assert [row["verdict"] for row in rows] == VERDICTS
    assert {row["n"] for row in rows} == {"3"}
    by_measure = {row["measure"]: float(row["tolerance"]) for row in rows if row["row"] == "Monks 1"}
    assert by_measure == {"accuracy": 0.05, "terminal_nodes": 3.0}
    assert "Ours (printed)" in (ran / "screen").read_text()
    assert "line 3, column CART: 83.1* is read as 83.1, without *" in (ran / "notes").read_text()


def test_impossible_figures_are_listed_beside_the_verdicts(ran):
    (file,) = ran.glob("outputs/summaries/grid=printed/run=*/claims.csv")
    claims = list(csv.DictReader(file.read_text().splitlines()))
    verdicts = {(row["test"], row["figures"]): row["verdict"] for row in claims}
    assert verdicts == {  # rule/corral has 64 rows: 98.1 % is no share of them, and no mean over 3 folds
        ("granularity", "Corral, CART, accuracy 98.1"): "impossible",
        ("granularity", "Corral, Naive Bayes, accuracy 85.9"): "possible",
        ("granularity", "Monks 1, CART, accuracy 83.1"): "possible",
        ("arithmetic", "mean, CART, accuracy 90.6"): "possible",
    }
    output = " ".join((ran / "screen").read_text().split())
    assert "1 of 4 claims proves a figure impossible" in output
    assert "!: impossible, see claims.csv" in output
    assert "-: no verdict" not in output  # no cell has this mark
    assert "not in this run" not in output  # the mean is only tested


def test_mean_precisions_are_those_of_the_classes_of_the_run(tmp_path):
    """The table says that corral has four classes: two have no rows, and their precisions are 0."""
    (tmp_path / "table.csv").write_text(
        "case,source,classes,CART mean precision,CART\nA,rule/monks-1,,90,80\nB,rule/corral,4,40,80\n"
    )
    words = ("+grid=printed", "printed=table.csv", "protocol.folds=2", "cluster=threads")
    run = run_orchard(*words, cwd=tmp_path, figures=True)
    assert run.returncode == 0, run.stderr
    (folder,) = tmp_path.glob("outputs/summaries/grid=printed/run=*")
    rows = list(csv.DictReader((folder / "printed_table.csv").read_text().splitlines()))
    by_key = {row["source"]: float(row["value"]) for row in rows if row["measure"] == "mean_precision"}
    answer = run_orchard(
        "--format",
        "json",
        "select source, fold, sum(if(predicted > 0, correct / predicted, 0)) as total from classes group by all",
        cwd=tmp_path,
        module="pipeline.query",
    )
    totals = {}
    for row in json.loads(answer.stdout):
        totals.setdefault(row["source"], []).append(row["total"])
    assert by_key == {
        "rule/monks-1": pytest.approx(100 * sum(totals["rule/monks-1"]) / 2 / 2),
        "rule/corral": pytest.approx(100 * sum(totals["rule/corral"]) / 2 / 4),
    }
    assert {row["heading"] for row in rows} == {"CART", "CART mean precision"}
    assert (folder / "printed_table.svg").is_file()


def test_a_figure_is_a_misprint_if_the_corrected_one_agrees(tmp_path):
    text = "set,cart,cart_corrected,note\nrule/corral,27,72,digits swapped\nrule/monks-1,27,27.5,swapped\n"
    context = composed(tmp_path, text, "protocol.folds=10").summary.context
    rows = [
        result_row(source, "cart", fold, test_accuracy=0.72 + 0.001 * (-1) ** fold)
        for source in ("rule/corral", "rule/monks-1")
        for fold in range(1, 11)
    ]
    results = summary_of({}).rows_of(published(rows, tmp_path), builders=["cart"], **context)["printed_table"]
    assert [(row["printed"], row["corrected"], row["verdict"], row["remark"]) for row in results] == [
        (27, 72, Verdict.MISPRINT, "digits swapped"),
        (27, 27.5, Verdict.DIFFERS, "swapped"),
    ]


def test_a_figure_that_no_run_can_give_is_impossible_however_near_ours_is(tmp_path):
    """99.9 % is no share of 64 rows. On monks-1, only the accuracy and the error are impossible together."""
    text = "set,cart,cart error\nrule/corral,99.9,\nrule/monks-1,75.0,25.9\n"
    context = composed(tmp_path, text).summary.context
    rows = [
        result_row(source, "cart", fold, test_accuracy=near + 0.1 * (-1) ** fold)
        for source, near in (("rule/corral", 0.9), ("rule/monks-1", 0.75))
        for fold in range(1, 11)
    ]
    summary = written(summary_of({}), published(rows, tmp_path), tmp_path / "s", builders=["cart"], **context)
    (judged,) = (table for table in summary.documents if table.name == "printed_table")
    found = judged.records
    assert [(row["printed"], row["verdict"], row["can_be"]) for row in found] == [
        (99.9, Verdict.IMPOSSIBLE, "impossible"),
        (75, Verdict.CONSISTENT, "impossible"),
        (25.9, Verdict.CONSISTENT, "impossible"),
    ]
    assert "2 are consistent with it and 1 is impossible" in summary.finding


def test_the_note_names_no_share_of_nothing(ran):
    (file,) = ran.glob("outputs/summaries/grid=printed/run=*/printed_table.md")
    note = " ".join(file.read_text().split())
    assert "within the tolerance, the rounding of the printed value, even if" in note


@pytest.mark.parametrize(
    ("text", "overrides", "message"),
    [
        (
            "set,c45\nirs,94\n",
            (),
            r"none of the data sets of its rows is available\.\n- .*is it.*\nOr type rows=\{NAME: uci/…\} or source=",
        ),
        (
            "set,c54\nrule/corral,94\n",
            (),
            r"none of the builders of its columns is available.*\n- builder c54.*is it .*c45",
        ),
        ("set,c45\nrule/corral,94\n", ("rows=[1]",), r"rows is \[1\]: expected a mapping, such as"),
        (
            "set,c45\nrule/corral,94\n",
            ("columns={C45: c45}",),
            r"`columns` has 'C45', which is not a heading of the table; expected one of: c45",
        ),
        *(
            (
                "set,Foo,c45\nrule/corral,94,95\n",
                (f"columns={{Foo: {given}}}",),
                rf"columns.Foo is '{given}': no builder is called 'forest', did you mean 'random_forest'\?",
            )
            for given in ("forest", "forest accuracy")
        ),
        ("set,c45\nrule/corral,94\n", ("builders=[1]",), r"builders"),
        ("set,c45\nrule/corral,94\n", ("rows={coral: rule/corral}",), r"`rows` has 'coral'"),
        ("set,c45\nrule/corral,94\n", ("measure=acc uracy",), r"no measure is called 'acc uracy', did you mean"),
        ("set,c45\nrule/corral,94\n", ("rows={rule/corral: rule/coral}",), r"no data set is called 'rule/coral'"),
    ],
)
def test_mistakes_are_named_before_any_work(tmp_path, text, overrides, message):
    with pytest.raises(ConfigError, match=message):
        composed(tmp_path, text, *overrides)


def test_a_table_of_which_nothing_is_here_says_what_to_type_for_each_row(tmp_path, monkeypatch):
    monkeypatch.delenv("ORCHARD_DATA", raising=False)
    with pytest.raises(ConfigError) as caught:
        composed(tmp_path, "set,c45\nIris,94\nWine (1991),93\n")
    lines, iris, wine, remedies = str(caught.value).splitlines()
    assert lines.endswith("none of the data sets of its rows is available.")
    assert remedies == "Or type rows={NAME: uci/…} or source=[…]"
    assert iris.endswith("or write 'rows={Iris: sklearn/iris}', which needs no file")
    assert wine.endswith("or add a column n with its number of rows")
    assert r"Write 'rows={Wine \(1991\): NAME}'" in wine


def test_data_sets_that_need_no_file_are_typed_at_once(tmp_path, monkeypatch):
    monkeypatch.delenv("ORCHARD_DATA", raising=False)
    text = "set,c45\nIris,94\nWine,93\nMonk's 1,93\nNonesuch,1\n"
    with pytest.raises(ConfigError) as caught:
        composed(tmp_path, text)
    (lines,) = [line for line in str(caught.value).splitlines() if line.startswith("Without a file, you can use ")]
    (option,) = shlex.split(lines.partition("you can use ")[2])
    assert option == "rows={Iris: sklearn/iris, Wine: sklearn/wine}"
    assert [source.name for source in composed(tmp_path, text, option).sources] == ["sklearn/iris", "sklearn/wine"]


def test_an_impossible_figure_has_the_proof_beside_it(tmp_path):
    grid = composed(tmp_path, "set,c45,note\nrule/corral,98.1,\nrule/monks-1,97.2,table 2\nrule/monks-2,1.99,of old\n")
    remarks = [row["note"] for row in grid.summary.context["printed"]]
    assert remarks[0].startswith("granularity: no share of 64 rows gives this figure: nearest are 62/64")
    assert remarks[1] == "table 2"
    assert remarks[2].startswith("of old; granularity: no share of 432 rows")


def test_the_tests_of_printed_figures_have_no_query():
    """They are not computed from rows of a run."""
    (table,) = [table for table in summary_of({}).tables if getattr(table, "name", "") == "claims"]
    assert table.question({}) == ""
    assert table.headings == ["test", "verdict", "at", "figures", "proof", "assumes", "show"]


def test_the_rest_runs_where_a_name_is_not_known(tmp_path):
    grid = composed(tmp_path, "set,c45,c54\nrule/corral,94,95\nIrs,1,2\n")
    assert ([source.name for source in grid.sources], [builder.name for builder in grid.builders]) == (
        ["rule/corral"],
        ["c45"],
    )
    assert len(grid.summary.configured.sets.remarks) == len(grid.summary.configured.remarks) == 1


def test_a_builder_with_several_columns_is_named_as_its_remark_says(tmp_path):
    text = "set,Foo accuracy,Foo leaves,c45\nrule/corral,94,5,90\n"
    (remark,) = composed(tmp_path, text).summary.configured.remarks
    (option,) = shlex.split(remark.partition("Write ")[2])
    assert option == "columns={Foo accuracy: NAME accuracy, Foo leaves: NAME terminal_nodes}"
    named = composed(tmp_path, text, option.replace("NAME", "cart"))
    assert [builder.name for builder in named.builders] == ["cart", "c45"]
    of_foo = composed(tmp_path, text, option.replace("NAME", "Foo"))  # says which measures a builder elsewhere has
    assert [builder.name for builder in of_foo.builders] == ["c45"]


def test_figures_that_the_run_does_not_have_are_named(tmp_path):
    reported = composed(tmp_path, "set,cart,c54\nrule/corral,72,95\nIrs,1,2\n").summary.context
    rows = [result_row("rule/corral", "cart", fold, test_accuracy=0.7 + 0.01 * fold) for fold in (1, 2)]
    summary = written(summary_of({}), published(rows, tmp_path), tmp_path / "s", builders=["cart"], **reported)
    assert "3 figures not in this run (rule/corral · c54, Irs · cart, Irs · c54)" in summary.finding


def test_a_table_of_sizes_alone_has_no_claims(tmp_path):
    """No test needs only leaves, so there is no table of claims."""
    reported = composed(tmp_path, "set,cart leaves\nrule/corral,7\n").summary.context
    rows = [result_row("rule/corral", "cart", fold, terminal_nodes=6 + fold, test_accuracy=1.0) for fold in (1, 2)]
    summary = written(summary_of({}), published(rows, tmp_path), tmp_path / "s", builders=["cart"], **reported)
    assert "claims" not in [table.name for table in summary.documents]
    assert summary.finding.startswith("0 of 1 printed figure agrees with our run, 1 is consistent with it")


def test_an_upper_bound_has_no_verdict(tmp_path):
    reported = composed(tmp_path, "set,cart\nrule/corral,<90.0\nrule/monks-1,90.0\n").summary.context
    rows = [
        result_row(source, "cart", fold, test_accuracy=0.7 + 0.01 * fold)
        for source in ("rule/corral", "rule/monks-1")
        for fold in (1, 2, 3)
    ]
    summary = written(summary_of({}), published(rows, tmp_path), tmp_path / "s", builders=["cart"], **reported)
    (judged,) = (table for table in summary.documents if table.name == "printed_table")
    at = judged.columns.index("verdict")
    assert [row[at] for row in judged.rows] == [None, Verdict.DIFFERS]
    assert summary.finding.startswith("0 of 1 printed figure agrees with our run, 1 differs")


@pytest.mark.parametrize(
    ("printed", "rows"),
    [("breast-w", 699), ("credit-a", 690), ("credit-g", 1000), ("diabetes", 768), ("segment", 2310), ("vote", 435)],
)
def test_names_of_weka_are_the_sets_with_the_rows_that_weka_lists(shared, tmp_path, printed, rows):
    held = composed(tmp_path, f"set,c45\n{printed},94\n", f"data.folder={shared / 'data'}").summary.configured
    assert held.sets.rows(held.table.figures[0]) == rows


@pytest.mark.parametrize(("overrides", "rows"), [((), 7), (("incomplete_rows=drop",), 5)])
def test_rows_that_no_run_tests_do_not_count(tmp_path, overrides, rows):
    (tmp_path / "own.csv").write_text("x,y\n1,a\n2,b\n3,a\n4,b\n5,a\n,b\n,a\n8,\n")
    text = f"set,c45\n{tmp_path}/own.csv,{100 / rows:.3f}\n"
    held = composed(tmp_path, text, "protocol.folds=2", *overrides).summary.configured
    assert held.sets.rows(held.table.figures[0]) == held.sets.data(held.table.figures[0])[1].rows == rows
    assert held.claims[0].proof.startswith(f"1/{rows}")


def test_with_a_published_split_the_test_part_is_tested(shared, tmp_path):
    overrides = ("protocol=published", f"data.folder={shared / 'data'}")
    held = composed(tmp_path, "set,n,c45\nhayes-roth,160,78.571\n", *overrides).summary.configured
    assert [claim.proof for claim in held.claims] == ["22/28: right rows of 28 rows"]
    name, trained = held.sets.data(held.table.figures[0])
    assert (name, trained.rows) == ("uci/hayes-roth (train)", 132)
    (claim,) = composed(tmp_path, "set,c45\nhayes-roth,78.58\n", *overrides).summary.configured.claims
    assert (claim.verdict, "published test part" in claim.assumes) == ("impossible", True)


def test_shares_are_shown_in_percent_as_ours_are(tmp_path):
    reported = composed(
        tmp_path, "set,cart,cart leaves\nrule/corral,.980 ± 0.012,7\nrule/monks-1,<0.9,30.50\n"
    ).summary.context
    assert [row["text"] for row in reported["printed"]] == ["98.0 ± 1.2", "7", "<90", "30.50"]
    reported = composed(tmp_path, "set,cart\nrule/corral,98.0 (1.2)\nrule/monks-1,90\n").summary.context
    assert [row["text"] for row in reported["printed"]] == ["98.0 (1.2)", "90"]


def test_a_data_set_that_is_left_out_is_no_remark(tmp_path):
    grid = composed(tmp_path, "set,c45\nrule/corral,94\nIrs,1\n", "rows={Irs: '-'}")
    assert [source.name for source in grid.sources] == ["rule/corral"]
    assert not grid.summary.remarks


@pytest.mark.parametrize(
    "name",
    [
        "breast cancer (wdbc)",
        "Shuttle- small",
        "mofn-4-7-10",
        "a,b",
        "C4.5 [x]",
        "a: b",
        "a=b",
        "a\\b",
        "4.5 %",
        "Müller's",
    ],
)
def test_the_option_in_a_remark_works(tmp_path, name):
    text = f'set,c45\n"{name}",94\nrule/corral,95\n'
    (remark,) = composed(tmp_path, text).summary.configured.sets.remarks
    option = remark.partition(" Write ")[2].rpartition(", or add")[0].replace("NAME", "rule/monks-1")
    if option.startswith("'"):
        assert shlex.split(option) == [option.strip("'")]
        grid = composed(tmp_path, text, option.strip("'"))
        assert [source.name for source in grid.sources] == ["rule/monks-1", "rule/corral"]
    else:
        assert yaml.safe_load(option.removesuffix(" in the YAML of a grid")) == {"rows": {name: "rule/monks-1"}}


@pytest.mark.parametrize(
    ("printed", "nearest"), [("breast", "breast-"), ("german", "german-credit"), ("segmentation", "segmentation")]
)
def test_a_name_that_has_all_letters_is_nearest(tmp_path, printed, nearest):
    (remark,) = composed(tmp_path, f"set,c45\n{printed},94\nrule/corral,95\n").summary.configured.sets.remarks
    assert nearest in remark.partition("is it ")[2].partition(" or ")[0]


def test_builders_with_parameters_stand_for_columns(tmp_path):
    grid = composed(
        tmp_path,
        "set,C4.5,C4.5 leaves\nrule/corral,94,9\n",
        "columns={C4.5: mine, C4.5 leaves: mine leaves}",
        "builders=[{name: mine, builder: c45, parameters: {pruned: false}}]",
    )
    assert grid.summary.configured.builder_names == {"mine": "mine"}
    assert [builder.name for builder in grid.builders] == ["mine"]


@pytest.mark.parametrize("name", ["WDBC (1995)", "'WDBC'"])
def test_a_name_that_hydra_cannot_read_is_answered_with_how_to_type_it(tmp_path, name):
    run = run_orchard("+grid=printed", "printed=x.csv", f"rows={{{name}: sklearn/wdbc}}", cwd=tmp_path)
    assert run.returncode == 2
    assert "write 'key={NAME: VALUE}', without quotes around NAME. Write a backslash before each bracket" in run.stderr


def test_a_table_of_a_figure_a_row_has_its_builders_as_headings(tmp_path):
    text = "classifier,dataset,accuracy,rank\nC4.5,rule/corral,94,1\nCART,rule/corral,93,2\n"
    printed = composed(tmp_path, text).summary.context["printed"]
    headings = ["C4.5 accuracy", "C4.5 rank", "CART accuracy", "CART rank"]
    assert [(row["row"], row["heading"]) for row in printed] == [("rule/corral", heading) for heading in headings]
    wide = composed(tmp_path, "set,C4.5,CART nodes\nrule/corral,94,7\n").summary.context["printed"]
    assert [row["heading"] for row in wide] == ["C4.5", "CART nodes"]


def test_a_data_set_is_what_the_table_says_of_it_unless_a_person_says_otherwise(tmp_path):
    text = "case,source,c45\nA,rule/corral,94\nB,rule/monks-1,93\n"
    assert [source.name for source in composed(tmp_path, text).sources] == ["rule/corral", "rule/monks-1"]
    given = composed(tmp_path, text, "rows={B: rule/monks-3}")
    assert [source.name for source in given.sources] == ["rule/corral", "rule/monks-3"]


def test_a_name_is_added_to_those_of_a_yaml(tmp_path):
    (tmp_path / "conf/grid").mkdir(parents=True)
    (tmp_path / "table.csv").write_text("set,c45\nCorral,94\nM1,80\n")
    (tmp_path / "conf/grid/rerun.yaml").write_text(
        "# A rerun\ndefaults: [printed, _self_]\nprinted: table.csv\nrows: {Corral: rule/corral}\n"
    )
    arguments = ("+grid=rerun", "--config-dir", "conf", "--cfg", "job")
    refused = run_orchard(*arguments, "rows={M1: rule/monks-1}", cwd=tmp_path)
    assert refused.returncode == 2
    (option,) = re.findall(r"to add it, write '(.+): VALUE}'", refused.stderr)
    run = run_orchard(*arguments, f"{option}: rule/monks-1}}", cwd=tmp_path)
    assert yaml.safe_load(run.stdout)["rows"] == {"Corral": "rule/corral", "M1": "rule/monks-1"}


def test_without_a_table_it_says_what_to_give():
    with pytest.raises(ConfigError, match=r"printed"):
        grid_composed("printed")
