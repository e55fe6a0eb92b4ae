"""The command line: what it accepts, what it says of the rest, and that it leaves nothing behind."""

from __future__ import annotations

import errno
import os
import pickle
import shlex
from pathlib import Path

import pytest
from omegaconf import OmegaConf

from pipeline.command import main
from pipeline.errors import OutputError
from tests.pipeline.command_line import (
    GRID,
    orchard,
    parts,
    python,
    rows,
    run_folder,
    run_orchard,
)
from tests.pipeline.conftest import Command

BAD = {
    "tables.cuont=50": ["'tables.cuont'", "'tables.count'", "groups, count, rows"],
    "sede=1": ["'sede'", "'seed'", "grid, seed, output"],
    "+foo=3": ["'foo'", "grid, seed, output"],
    "+cluster.wrokers=2": ["'cluster.wrokers'", "'cluster.workers'"],
    "~tables": ["'tables'", "deleted"],
    "~tables.rows": ["key 'tables.rows' cannot be deleted"],
    "tables.count=abc": ["tables.count is 'abc': expected a whole number"],
    "tables.count=5.5": ["tables.count is 5.5: expected a whole number"],
    "tables.count=0": ["tables.count", "expected 1 to"],
    "tables.groups=-1": ["tables.groups", "expected 1 to"],
    "tables.rows=0": ["tables.rows", "1 to"],
    "tables.attributes=0": ["tables.attributes", "1 to"],
    "tables.values=0": ["tables.values", "1 to"],
    "tables.values=257": ["tables.values", "256"],
    "tables.decisions=0": ["tables.decisions", "1 to"],
    "tables.value_probabilities=[0.5,0.2,0.1]": ["tables.value_probabilities", "0.8", "the sum 1"],
    "tables.value_probabilities=[0.5,0.5]": ["tables.value_probabilities", "2 entries", "expected 3"],
    "tables.value_probabilities=[nan,0.5,0.5]": ["tables.value_probabilities"],
    "tables.decision_probabilities=[1.5,-0.5,0]": ["tables.decision_probabilities", "0 or more"],
    "tables.equal_rows=merge": ["tables.equal_rows", "majority", "refuse"],
    "heuristics=[]": ["heuristics", "w_sum/gini"],
    "heuristics=[w_sum/gni]": ["'w_sum/gni'", "w_sum/gini", "max/rt"],
    "heuristics=max/rt": ["heuristics"],
    "seed=-1": ["seed", "expected 0 to"],
    "seed=x": ["seed", "'x'"],
    "seed=1,2": ["seed=1,2", "--multirun"],
    "chunk=0": ["chunk", "1 or more"],
    "output=": ["output"],
    "output=naïf": ["cannot read 'output=naïf'", "with quotes around", "letters such as ä"],
    "versions=old": ["versions", "'same' or 'any'"],
    "dry_run=perhaps": ["dry_run is 'perhaps': expected true or false"],
    "limits=5": ["limits is 5: expected keys with values, such as limits.seconds=…"],
    "limits=[1]": ["limits: expected keys with values, such as limits.seconds=…"],
    "limits.seconds=[1]": ["limits.seconds is [1]: expected a number"],
    "chunk=ten": ["chunk is 'ten': expected a whole number or null"],
    "seed=null": ["seed is null: expected a whole number"],
    "plugins=5": ["plugins is 5: expected a list, written 'plugins=[…]'"],
    "plugins=mine": ["plugins is 'mine': expected a list, written 'plugins=[mine]'"],
    "cluster=null": ["no cluster is called 'null'", "local"],
    "cluster=slrum": ["orchard: no cluster is called 'slrum', did you mean 'slurm'?", "local"],
    "cluster=[local]": ["orchard: no cluster is called '[local]', did you mean 'local'"],
    "++cluster=local": ["write cluster=local, without +"],
    "+builder=c45": ["unknown key 'builder'"],
    "count=3": ["unknown key 'count', did you mean 'tables.count'?"],
    "uci_exact": ["cannot read 'uci_exact': write +grid=uci_exact"],
    "protocol=holdout": ["unknown key 'protocol'", "grid, seed, output"],
    "heuristic=max/rt": ["unknown key 'heuristic', did you mean 'heuristics'?"],
    "heuristics.first=max/rt": ["'heuristics.first=max/rt' does not fit the configuration"],
    "heuristics=[null]": ["heuristics[0]", "expected text"],
    "plugins=[missing]": ["`plugins` has 'missing', but no such package is installed", "no folder of that name"],
    "heuristics=[a=1,b]": [
        "cannot read 'heuristics=[a=1,b]': write key=[…], with quotes around an entry that contains =,"
    ],
    "cluster.workers=0": ["cluster.workers", "1 or more"],
}


@pytest.mark.parametrize("override", BAD)
def test_a_bad_override_is_named_with_the_choices_and_nothing_is_written(
    command: Command, tmp_path: Path, override: str
) -> None:
    status, out, err = command("+grid=greedy_vs_dp", override)
    assert status == 2
    assert out == ""
    assert err.startswith("orchard: ")
    assert "Traceback" not in err
    assert "HYDRA_FULL_ERROR" not in err
    assert [word for word in BAD[override] if word not in err] == []
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("number", "mend"),
    [
        (errno.EACCES, "make the folder writable"),
        (errno.EROFS, "make the folder writable"),
        (errno.ENOSPC, "free space or repair the folder"),
    ],
)
def test_the_message_about_a_failed_write_says_what_to_do(number: int, mend: str) -> None:
    error = OutputError.of(OSError(number, os.strerror(number), "outputs/x"), "outputs")
    assert str(error) == (
        f"cannot write to outputs/x: {os.strerror(number)}; {mend}, then type the same command again; finished work is "
        "kept"
    )


def test_a_key_of_a_sweep_is_given_once(command: Command) -> None:
    """Otherwise both runs would have the seed 3, and their summary the seeds 1 and 2."""
    status, out, err = command("+grid=greedy_vs_dp", "--multirun", "seed=1,2", "seed=3")
    assert (status, out) == (2, "")
    assert err == "orchard: 'seed=1,2' has several values, but 'seed' is given twice: give it once\n"


def test_an_output_that_is_a_link_to_nothing_is_named(command: Command, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("nowhere")
    status, _, err = command("+grid=greedy_vs_dp", "output=link/below")
    assert (status, err) == (
        2,
        f"orchard: `output` is link/below, but {tmp_path}/link is a link to a folder that does not exist: give a "
        "folder that you can write to\n",
    )


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["+grid=greedy_vs_dq"], ["'greedy_vs_dq'", "did you mean 'greedy_vs_dp'"]),
        (["+grid=../config"], ["'../config'", "greedy_vs_dp"]),
        (["grid=greedy_vs_dp"], ["+grid=greedy_vs_dp"]),
        (["++grid=greedy_vs_dp"], ["+grid=greedy_vs_dp"]),
        (["seed=3"], ["+grid=", "greedy_vs_dp"]),
        (["reprt"], ["there is no tool 'reprt', did you mean 'report'?"]),
        (["help"], ["cannot read 'help': write +grid=NAME or key=value; orchard --help lists the tools"]),
        (["source=sklearn/iris"], ["no grid is given: add +grid=NAME, where NAME is one of", "greedy_vs_dp"]),
        (["+grid=5"], ["no grid is called '5'", "greedy_vs_dp"]),
        (["+grid=[greedy_vs_dp]"], ["did you mean 'greedy_vs_dp'"]),
    ],
)
def test_a_grid_that_is_not_named_rightly(
    command: Command, tmp_path: Path, arguments: list[str], named: list[str]
) -> None:
    status, out, err = command(*arguments)
    assert (status, out) == (2, "")
    assert [word for word in [*named, "orchard: "] if word not in err] == []
    assert list(tmp_path.iterdir()) == []


def test_a_mistake_is_one_message_and_no_traceback_in_a_process_of_its_own(tmp_path: Path) -> None:
    done = orchard(*GRID, "tables.cuont=50", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.splitlines() == [
        "orchard: unknown key 'tables.cuont', did you mean 'tables.count'?",
        "keys under tables: groups, count, rows, attributes, values, decisions, value_probabilities, "
        "decision_probabilities, equal_rows",
    ]
    assert list(tmp_path.iterdir()) == []


def test_a_user_who_asks_hydra_for_tracebacks_gets_them(tmp_path: Path) -> None:
    done = orchard(*GRID, "tables.cuont=50", cwd=tmp_path, HYDRA_FULL_ERROR="1")
    assert "Traceback" in done.stderr


OVERRIDES = {
    "tables.groups=3": ("tables.groups", 3),
    "tables.count=7": ("tables.count", 7),
    "tables.rows=9": ("tables.rows", 9),
    "tables.attributes=4": ("tables.attributes", 4),
    "tables.values=2": ("tables.values", 2),
    "tables.decisions=5": ("tables.decisions", 5),
    "tables.value_probabilities=[0.2,0.3,0.5]": ("tables.value_probabilities", [0.2, 0.3, 0.5]),
    "tables.decision_probabilities=[0.2,0.3,0.5]": ("tables.decision_probabilities", [0.2, 0.3, 0.5]),
    "tables.equal_rows=refuse": ("tables.equal_rows", "refuse"),
    "heuristics=[w_sum/gini,max/rt]": ("heuristics", ["w_sum/gini", "max/rt"]),
    "seed=12": ("seed", 12),
    "output=elsewhere": ("output", "elsewhere"),
    "chunk=17": ("chunk", 17),
    "versions=any": ("versions", "any"),
    "dry_run=true": ("dry_run", True),
    "cluster.workers=2": ("cluster.workers", 2),
}


def test_every_key_can_be_overridden(command: Command) -> None:
    status, out, err = command("+grid=greedy_vs_dp", *OVERRIDES, "--cfg", "job")
    assert (status, err) == (0, "")
    result = OmegaConf.create(out)
    assert [(key, OmegaConf.select(result, key)) for key, _ in OVERRIDES.values()] == list(OVERRIDES.values())


@pytest.mark.parametrize(
    "arguments",
    [
        ["+grid=greedy_vs_dp", "seed=5", "--cfg", "job"],
        ["--cfg", "job", "+grid=greedy_vs_dp", "seed=5"],
        ["+grid=greedy_vs_dp", "-c", "job", "seed=5"],
        ["--cfg=job", "seed=5", "+grid=greedy_vs_dp"],
    ],
)
def test_flags_may_stand_anywhere(command: Command, tmp_path: Path, arguments: list[str]) -> None:
    status, out, _ = command(*arguments)
    config = OmegaConf.create(out)
    assert status == 0
    assert (config.seed, config.grid, config.tables.count, config.cluster.workers) == (5, "greedy_vs_dp", 10000, None)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "flags",
    [
        ["--experimental-rerun", "x.pickle"],
        ["--experimental-rerun=x.pickle"],
        ["--hydra-help"],
        ["--shell-completion", "install=bash"],
        ["--run"],
        ["--config-path", "their"],
        ["--config-name=their"],
        ["--info", "all"],
        ["--resolve"],
        ["--package", "_global_"],
        ["--multi"],
        ["-x"],
    ],
    ids=" ".join,
)
def test_flags_of_hydra_that_run_or_write_something_are_refused(
    command: Command, tmp_path: Path, flags: list[str]
) -> None:
    (tmp_path / "x.pickle").write_bytes(pickle.dumps(Marked(str(tmp_path / "owned"))))
    status, out, err = command(*flags, "+grid=greedy_vs_dp", "dry_run=true")
    assert (status, out) == (2, "")
    assert err.endswith(f"; there is no option {flags[0]}\n")
    assert "--cfg job, --config-dir FOLDER, --multirun, --help or --version" in err
    assert len(err.splitlines()) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["x.pickle"]


class Marked:
    """Makes a folder where it is unpickled."""

    def __init__(self, folder: str) -> None:
        self.folder = folder

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return os.mkdir, (self.folder,)


@pytest.mark.parametrize(
    ("flags", "named"),
    [
        (["--cfg", "hydra"], ["--cfg", "'hydra'", "job"]),
        (["--cfg"], ["--cfg", "expected one argument"]),
        (["--config-dir"], ["--config-dir", "expected one argument"]),
        (["--config-dir", "nowhere"], ["--config-dir", "no folder nowhere"]),
    ],
    ids=" ".join,
)
def test_a_flag_with_a_wrong_value_is_named(command: Command, flags: list[str], named: list[str]) -> None:
    status, out, err = command("+grid=greedy_vs_dp", *flags)
    assert (status, out) == (2, "")
    assert err.startswith("orchard: ")
    assert [word for word in named if word not in err] == []


def test_the_bare_command_lists_the_grids(command: Command, tmp_path: Path) -> None:
    status, out, err = command()
    assert (status, err) == (0, "")
    assert "greedy_vs_dp" in out
    assert "+grid=NAME" in out
    assert "16 greedy heuristics" in out
    assert list(tmp_path.iterdir()) == []


def test_help_is_ours(command: Command) -> None:
    status, out, _ = command("--help")
    assert status == 0
    assert "powered by Hydra" not in out
    assert "+grid=NAME" in out
    assert "this grid" not in out


def test_help_beside_a_grid_names_the_command_that_shows_its_keys(command: Command, mine: Path) -> None:
    words = ["+grid=tiny", "seed=2", "--config-dir", str(mine)]
    status, out, err = command(words[0], "--help", *words[1:])
    assert (status, err) == (0, "")
    shown = shlex.split(out.splitlines()[-1].partition(": ")[2])
    assert shown[-len(words) - 2 :] == [*words, "--cfg", "job"]
    status, out, _ = command(*words, "--cfg", "job")
    assert status == 0
    assert "count: 10\n" in out


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    folder = tmp_path / "my conf"
    (folder / "grid").mkdir(parents=True)
    (folder / "grid/tiny.yaml").write_text(
        "# @package _global_\n# Tiny tables of mine\ndefaults:\n  - greedy_vs_dp\n  - _self_\n"
        "grid: tiny\ntables: {rows: 6, attributes: 3, count: 10}\n"
    )
    return folder


def test_a_grid_of_the_users_own(mine: Path, tmp_path: Path) -> None:
    done = run_orchard("+grid=tiny", "cluster=threads", "tables.groups=2", "--config-dir", mine.name, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert run_folder(tmp_path / "outputs").parent.name == "grid=tiny"
    assert rows(tmp_path / "outputs").num_rows == 2 * 10 * 17
    shown = run_orchard("--table", "3", "--heuristic", "max/rt", cwd=tmp_path, module="pipeline.show")
    assert shown.returncode == 0, shown.stderr
    assert "the stored row has the same" in shown.stdout


def test_the_users_grids_are_listed_and_misspelt_ones_too(mine: Path, command: Command) -> None:
    assert "Tiny tables of mine" in command("--config-dir", str(mine))[1]
    status, _, err = command("--config-dir", str(mine), "+grid=tny")
    assert status == 2
    assert "did you mean 'tiny'" in err


def test_a_yaml_is_called_after_its_file(mine: Path, command: Command) -> None:
    (mine / "grid/small.yaml").write_text("defaults: [tiny, _self_]\nseed: 4\n")
    assert "seed: 4" in command("--config-dir", str(mine), "+grid=small", "--cfg", "job")[1]
    assert "grid: small" in command("--config-dir", str(mine), "+grid=small", "--cfg", "job")[1]


def test_a_yaml_of_another_ending_is_named(mine: Path, command: Command) -> None:
    (mine / "grid/tiny.yaml").rename(mine / "grid/tiny.yml")
    status, out, err = command("--config-dir", str(mine), "+grid=tiny")
    assert (status, out) == (2, "")
    assert f"{mine}/grid/tiny.yml is not read: rename the file to tiny.yaml" in err


def test_a_source_that_is_no_text_is_named(command: Command) -> None:
    status, out, err = command("+grid=compare_builders", "source=[[1]]", "dry_run=true")
    assert (status, out) == (2, "")
    assert err == (
        "orchard: `source` is [[1]]: expected the name of a data set, the path of a file, or a list of these\n"
    )


def test_a_configuration_is_shown_where_its_data_are_not(command: Command) -> None:
    status, out, err = command("+grid=compare_builders", "source=no/such_set", "--cfg", "job")
    assert (status, err) == (0, "")
    assert "source: no/such_set" in out


def test_it_runs_from_any_folder_and_leaves_only_outputs(finished_once: Path) -> None:
    assert [path.name for path in finished_once.iterdir()] == ["outputs"]
    assert sorted(path.name for path in (finished_once / "outputs").iterdir()) == ["results", "summaries"]
    allowed = {"run.json", "config.yaml", "sessions.jsonl", "lock", "log.txt", "progress.json", "environments"}
    assert {path.name for path in (run_folder(finished_once / "outputs") / "_run").iterdir()} <= allowed
    assert len(parts(finished_once / "outputs")) >= 1


def test_show_and_query_are_words_of_the_command_too(
    finished_once: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(finished_once)
    assert main(["query", "select count(*) as n from results", "--format", "csv"]) == 0
    assert capsys.readouterr().out == f"n\n{80 * 17}\n"
    assert main(["show", "--table", "41"]) == 2
    assert "expected 1 to 40" in capsys.readouterr().err


def test_garbage_is_collected_only_once_all_is_loaded(tmp_path: Path) -> None:
    """Showing a configuration does without; a run or a report, which may take long, must not."""
    program = (
        "import gc\nfrom pipeline.entry import main\n"
        "begun = []\ngc.callbacks.append(lambda phase, _: begun.append(phase))\n"
        "main()\nprint(gc.isenabled(), gc.get_freeze_count() > 0, bool(begun))\n"
    )

    def after(*words: str) -> str:
        return python(program, *words, cwd=tmp_path).splitlines()[-1]

    assert after("+grid=greedy_vs_dp", "--cfg", "job") == "False False False"
    assert after("status").startswith("True True ")
    assert after("+grid=catalogue", "source=[rule/corral]", "cluster=threads") == "True True True"


def test_garbage_is_collected_while_a_run_waits_for_workers(tmp_path: Path) -> None:
    program = (
        "import gc\nfrom pipeline.cluster.local import LocalThreads\nfrom pipeline.entry import main\n"
        "opened = LocalThreads.opened\n"
        "LocalThreads.opened = lambda *given: print('collected:', gc.isenabled()) or opened(*given)\n"
        "main()\n"
    )
    out = python(program, "+grid=catalogue", "source=[rule/corral]", "cluster=threads", cwd=tmp_path)
    assert "collected: True" in out.splitlines()
