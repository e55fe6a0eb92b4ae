"""D19: hostile YAMLs and overrides: nothing is executed, nothing written elsewhere, and the error names the key."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.pipeline.conftest import Command

HEAD = "# @package _global_\n# Mine\ndefaults: [greedy_vs_dp, _self_]\ngrid: mine\ntables: {count: 2, rows: 5}\n"
BOMB = "".join(
    f"a{level}: &a{level} [{','.join(['*a' + str(level - 1)] * 9) if level else 'x,x,x,x,x,x,x,x,x'}]\n"
    for level in range(12)
)
COMPARED = "defaults: [compare_builders, _self_]\n"
YAMLS = {
    "_target_: os.system\ncommand: touch owned\n": ["'_target_'"],
    "heuristics: {_target_: os.system, command: touch owned}\n": [
        "grid/mine.yaml: heuristics is {'_target_': 'os.system'"
    ],
    "cluster: {_target_: os.system, command: touch owned}\n": ["cluster._target_"],
    "output: ${oc.env:SECRET}\n": ["output", "cannot read the environment", "unless it is secret. Object stores"],
    "redo: env\noutput: ${oc.${redo}:SECRET}\n": [
        "output",
        "cannot read the environment",
        "unless it is secret. Object stores",
    ],
    "redo: !!python/object/apply:os.system ['touch owned']\n": ["mine.yaml", "python/object/apply:os.system", "line 6"],
    "redo: !!python/name:os.system\n": ["mine.yaml", "python/name:os.system"],
    "redo: !mine {a: 1}\n": ["mine.yaml", "!mine"],
    BOMB: ["mine.yaml", "10,000 entries"],
    "redo: &r [*r]\n": ["mine.yaml", "contains itself"],
    "redo: [\n": ["mine.yaml", "cannot be read as YAML"],
    "redo: " + "[" * 5000 + "\n": ["mine.yaml", "cannot be read as YAML"],
    "x: " + "a" * 2**20 + "\n": ["mine.yaml", "1 MiB"],
    "redo: ${redo}\n": ["redo"],
    "redo: ${nothing.there}\n": ["redo"],
    "hydra: {run: {dir: elsewhere}}\n": ["hydra.run.dir"],
    "hydra: {output_subdir: elsewhere}\n": ["hydra.output_subdir"],
    "hydra: {job: {chdir: true}}\n": ["hydra.job.chdir"],
    "hydra: {job: {env_set: {LD_PRELOAD: evil.so}}}\n": ["hydra.job.env_set"],
    "hydra: {callbacks: {x: {_target_: os.mkdir, path: owned}}}\n": ["hydra.callbacks"],
    "hydra: {job_logging: {handlers: {x: {'()': os.mkdir, path: owned}}}}\n": ["hydra.job_logging"],
    "hydra: {launcher: {_target_: os.mkdir, path: owned}}\n": ["hydra.launcher"],
    "hydra: {sweep: {dir: elsewhere}}\n": ["hydra.sweep.dir"],
    'output: "a\\0b"\n': ["output", "null bytes"],
    "output: " + "a" * 300 + "\n": ["output", "too long"],
    "grid: ../../elsewhere\n": ["grid is '../../elsewhere'"],
    'grid: "a\\nb"\n': ["grid is 'a\\nb'"],
    "grid: " + "g" * 300 + "\n": ["grid is 'ggg", "100"],
    "grid: ''\n": ["grid is ''"],
    "heuristics: ['; DROP TABLE results', '<script>']\n": ["heuristics", "; DROP TABLE results"],
}


@pytest.mark.parametrize("text", YAMLS, ids=lambda text: text[:40].replace("\n", " "))
def test_a_yaml_of_somebody_else_does_nothing_but_name_its_key(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    monkeypatch.setenv("SECRET", "hunter2")
    (tmp_path / "their/grid").mkdir(parents=True)
    (tmp_path / "their/grid/mine.yaml").write_text(
        HEAD.replace("grid: mine\n", "") + "grid: mine\n" * ("grid:" not in text) + text
    )
    flags = ["--multirun"] if "hydra" in text else []
    status, out, err = command("+grid=mine", "--config-dir", "their", *flags)
    assert (status, out) == (2, "")
    assert err.startswith("orchard: ")
    assert len(err) < 2000
    assert "Traceback" not in err
    assert "hunter2" not in err
    assert "\x00" not in err
    assert [word for word in YAMLS[text] if word not in err] == []
    assert [path.name for path in tmp_path.iterdir()] == ["their"]
    assert [path.name for path in (tmp_path / "their").rglob("*")] == ["grid", "mine.yaml"]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("# @package _global_\ndefaults: [mine]\n", "the `defaults` of a YAML file lead back to the same file"),
        (
            "# @package grid\ndefaults: [greedy_vs_dp, _self_]\nredo: null\n",
            "grid/mine.yaml: the YAML file of a grid belongs to the package _global_: leave the line `# @package …`",
        ),
        ("defaults: greedy_vs_dp\n", "mine.yaml: `defaults` has 'greedy_vs_dp': expected a file in each entry"),
        ("defaults: [greedy_vs_dp, 5]\n", "mine.yaml: `defaults` has 5: expected a file in each entry"),
        (
            "defaults: [greedy_vs_dp, {cluster: 5}]\n",
            "mine.yaml: `defaults` has {'cluster': 5}: expected a file in each entry",
        ),
        (
            "defaults: [greedy_vs_dp, {override /clustre: local}]\n",
            "grid/mine.yaml: `defaults` override clustre, but no earlier entry chooses a file for it",
        ),
        (
            "defaults: [greedy_vs_dp, {cluster: slurm}]\n",
            "the entry 'cluster: slurm' of `defaults` means grid/cluster/slurm.yaml, and there is "
            "no such file: write `- override /cluster: slurm`",
        ),
        (
            "defaults: [compare_builders, {/protocol: holdout}]\n",
            "`defaults` choose protocol twice: write `- override /protocol: NAME` for the second choice",
        ),
        (
            "defaults: [compare_builders, greedy_vs_dp]\n",
            "schema/greedy_vs_dp.yaml: `defaults` lists two grids whose keys do not fit together: list only one",
        ),
        (
            COMPARED + "protocol: 10\n",
            "grid/mine.yaml: protocol is 10: expected keys with values, such as protocol.method=…",
        ),
        (
            COMPARED + "protocol: holdout\n",
            "choose this value in the list of `defaults`, by `- override /protocol: holdout`",
        ),
        (COMPARED + "cluster: [slurm]\n", "grid/mine.yaml: cluster is ['slurm']: expected keys with values"),
        (COMPARED + "data: x\n", "grid/mine.yaml: data is 'x': expected keys with values, such as data.folder=…"),
        (COMPARED + "source: {a: 1}\n", "grid/mine.yaml: source is {'a': 1}: expected a list, written 'source=[…]'"),
        (COMPARED + "grid: [1]\n", "grid/mine.yaml: grid is [1]: expected text"),
        (COMPARED + "plugins: [mine]\n", "mine.yaml: `plugins` is ['mine'], but only the command line can permit code"),
        (
            "# @package _global_\ndefaults: [greedy_vs_dp, _self_]\ntables: {count: [10]}\n",
            "grid/mine.yaml: tables.count is [10]: expected a whole number",
        ),
        (
            "# @package _global_\ndefaults: [greedy_vs_dp, _self_]\nlimits:\n",
            "grid/mine.yaml: limits: expected keys with values, such as limits.seconds=…",
        ),
        ("# @package hydra\nrun: {dir: elsewhere}\n", "`hydra` is a key of Hydra"),
        ("# @package hydra.launcher\n_target_: os.mkdir\n", "`hydra.launcher` is a key of Hydra"),
        ("# @package a b\nseed: 1\n", "mine.yaml: cannot be read as YAML: Too many components in '@package a b'"),
        (
            "defaults: [greedy_vs_dp, override /hydra/launcher: joblib]\n",
            "`override /hydra/launcher` is a key of Hydra, and such keys cannot be set: leave the key out",
        ),
        ("defaults: [greedy_vs_dp, tiny@hydra: x]\n", "`tiny@hydra` is a key of Hydra"),
        ("defaults: [greedy_vs_dp, ../../secret]\n", "mine.yaml: `defaults` has '../../secret'"),
        ("defaults: [greedy_vs_dp, {/cluster: [../../secret]}]\n", "mine.yaml: `defaults` has '../../secret'"),
        ("seed: 1\nseed: 2\n", "mine.yaml: cannot be read as YAML: the key 'seed' is given twice at line 2"),
        ("limits:\n\tseconds: 1\n", "at line 2, column 1: indent by spaces, not by tabs"),
        ("- 1\n", "mine.yaml: expected keys with values"),
    ],
)
def test_a_grid_that_cannot_be_composed_is_a_line(command: Command, tmp_path: Path, text: str, why: str) -> None:
    """Such as one that would take in something of Hydra, or a file from elsewhere."""
    (tmp_path / "their/grid").mkdir(parents=True)
    (tmp_path / "their/grid/mine.yaml").write_text(text)
    (tmp_path / "secret.yaml").write_text("output: hunter2\n")
    status, out, err = command("+grid=mine", "--config-dir", "their")
    assert (status, out) == (2, "")
    assert len(err.splitlines()) == 1
    assert err.startswith("orchard: ")
    assert why in err
    assert "hunter2" not in err


def test_a_folder_with_the_name_of_a_key_is_named(command: Command, tmp_path: Path) -> None:
    (tmp_path / "their/builders").mkdir(parents=True)
    status, _, err = command("+grid=compare_builders", "--config-dir", "their", "builders=[c45]")
    assert (status, err.splitlines()) == (
        2,
        [
            f"orchard: {tmp_path}/their/builders has the name of the key `builders`, so builders=… would choose "
            "a file in it: rename the folder"
        ],
    )


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("workers: 1\n", "the kind of `cluster` is not known: choose cluster=local or"),
        (
            "workers: 1\n",
            "folder cluster, `defaults` begin with one of these kinds, as in `defaults: [local,",
        ),
        ("defaults: [thread, _self_]\n", "cluster/mine.yaml: no cluster is called 'thread', did you mean 'threads'?"),
        ("defaults: [/schema/cluster/local@_here_]\n", "no value for cluster.dashboard, cluster.workers"),
    ],
)
def test_a_cluster_that_cannot_be_composed_is_named(command: Command, tmp_path: Path, text: str, why: str) -> None:
    (tmp_path / "their/cluster").mkdir(parents=True)
    (tmp_path / "their/cluster/mine.yaml").write_text(text)
    status, _, err = command("+grid=greedy_vs_dp", "--config-dir", "their", "cluster=mine")
    assert status == 2
    assert why.lower() in err.lower()


def test_a_folder_of_any_name_is_searched(command: Command, tmp_path: Path) -> None:
    folder = tmp_path / 'it\'s [my] {conf}, \\ "x" = 1: é'
    (folder / "grid").mkdir(parents=True)
    (folder / "grid/mine.yaml").write_text(HEAD)
    status, out, err = command("+grid=mine", "--config-dir", folder.name, "--cfg", "job")
    assert (status, err) == (0, "")
    assert "count: 2" in out


OVERRIDES = {
    "hydra.run.dir=/etc": ["'hydra.run.dir'"],
    "hydra.output_subdir=x": ["'hydra.output_subdir'"],
    "+hydra.callbacks.x._target_=os.mkdir": ["'hydra.callbacks.x._target_'"],
    "hydra/launcher=joblib": ["'hydra/launcher'"],
    "~hydra.job_logging": ["'hydra.job_logging'"],
    "~tables.count": ["key 'tables.count' cannot be deleted: leave out ~tables.count"],
    "+hydra@hydra=x": ["'hydra'"],
    "+_target_=os.system": ["'_target_'"],
    "+tables._target_=os.system": ["'tables._target_'"],
    "output=${oc.env:SECRET}": ["output", "cannot read the environment", "unless it is secret. Object stores"],
    "heuristics=${oc.env:SECRET}": ["heuristics"],
    "+grid@x=../../x": ["x"],
    "+grid=grid/../../x": ["'grid/../../x'"],
    "+grid=/etc/passwd": ["'/etc/passwd'"],
    "cluster=../grid/greedy_vs_dp": ["'../grid/greedy_vs_dp'", "local"],
    "seed='1; touch owned'": ["seed", "'1; touch owned'"],
    "seed=$(touch owned)": ["seed"],
    "seed=`touch owned`": ["seed"],
    "heuristics=['a\nb']": ["heuristics"],
    'heuristics=["\'; DROP TABLE results; --"]': ["heuristics", "'; DROP TABLE results; --"],
    "heuristics=['\x1b[2Jwiped']": ["heuristics", "wiped"],
    "heuristics=[" + "a" * 300 + "]": ["heuristics"],
    "tables.count=" + "9" * 300: ["tables.count"],
    "output=" + "a" * 300: ["output", "too long"],
    "output='a\nb'/" + "a" * 300: ["output"],
    "a=b=c": ["a"],
    "=": ["="],
    "seed=1 2": ["seed"],
    "'seed'=1": ["seed"],
}


@pytest.mark.parametrize("override", OVERRIDES, ids=lambda override: ascii(override)[:40])
def test_an_override_of_any_kind_does_nothing_but_name_its_key(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, override: str
) -> None:
    monkeypatch.setenv("SECRET", "hunter2")
    grid = [] if override.startswith("+grid=") else ["+grid=greedy_vs_dp"]
    status, out, err = command(*grid, override)
    assert (status, out) == (2, "")
    assert err.startswith("orchard: ")
    assert "Traceback" not in err
    assert "hunter2" not in err
    assert "\x1b" not in err
    assert [word for word in OVERRIDES[override] if word not in err] == []
    assert list(tmp_path.iterdir()) == []
