"""Secrets stay out of what is recorded, printed, reported and raised; the job that Slurm is given has them."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from omegaconf import OmegaConf

from pipeline.cluster.slurm import SlurmJobs
from pipeline.command import command_again
from pipeline.configuration.composition import composed_of
from pipeline.configuration.settings import Slurm
from pipeline.discovery import conf_folder, grids
from pipeline.failures import failure_of
from pipeline.masking import MASK, key_with_mask, masked, masked_override, masked_values, masked_yaml
from pipeline.plain_text import note
from pipeline.plan import GridRun, run_id
from pipeline.record.provenance import begin
from pipeline.report.rendering import environment
from tests.pipeline.cluster.test_slurm import USUAL
from tests.pipeline.conftest import Command
from tests.pipeline.small_grids import grid as small_grid

TOKEN = "hunter2/Zq+8=="
HOLDERS = (
    "export AWS_SECRET_ACCESS_KEY={}",
    "HF_TOKEN={} python x.py",
    "DB_PASSWORD='{}'",
    'export MY_PASSWD="{}"; module load gcc',
    "MYSQL_PWD={}",
    "pip install --token {} x",
    "run --api-key={}",
    "curl -u me:{} https://example.org",
    "curl -H 'Authorization: Bearer {}'",
    '{{"private_key": "{}"}}',
    "{{'credentials': '{}'}}",
    "https://example.org/file?X-Amz-Signature={}&X-Amz-Date=1",
    "https://example.org/file?b=1&sig={}",
    "the token={} was refused",
)
SECRETS = st.text(st.characters(min_codepoint=33, max_codepoint=126, exclude_characters="'\"\\;&|*"), min_size=8)
PLAIN = (
    "module load gcc/12",
    "ssh://user@host:22/folder",
    "tls://127.0.0.1:8786",
    "http://host:80/a@b",
    "cluster.tls_key=/home/me/key.pem",
    "tables.count=1000",
    "w_sum/gini",
    "two_passes=3",
    "builders=[c45,{name: x, builder: cart, parameters: {max_depth: 2}}]",
)


@pytest.mark.parametrize("holder", HOLDERS)
@given(SECRETS)
def test_secrets_are_masked(holder: str, secret: str) -> None:
    secret = f"Zq9{secret}"
    result = masked(holder.format(secret))
    assert secret not in result
    assert MASK in result
    assert masked(result) == result
    assert key_with_mask({"key": [result]}) == "key.0"


@given(st.text(st.characters(min_codepoint=33, max_codepoint=126, exclude_characters="'\"\\/"), min_size=1))
def test_credentials_of_addresses_are_masked(secret: str) -> None:
    secret = f"Zq9{secret}"
    for address in (f"s3://me:{secret}@bucket/prefix", f"git+https://me:{secret}@example.org/x.git"):
        assert secret not in masked(address)
        assert masked(address).startswith(address.partition("me:")[0] + "me:***@")
    assert masked("https://ghp_abc@example.org/x") == "https://***@example.org/x"


def test_credentials_of_an_address_taken_for_a_path_are_masked() -> None:
    for address in ("https://me:hunter2@example.org/x", "https://hunter2@example.org/x"):
        assert "hunter2" not in masked(str(Path(address)))


@pytest.mark.parametrize("text", PLAIN)
def test_other_texts_are_not_masked(text: str) -> None:
    assert masked(text) == text
    assert masked_override(text) == text
    assert key_with_mask({"a": text, "b": "x***y"}) is None


@pytest.mark.parametrize("word", ["long", "a-", "-", "http://", "u:/x:", "-u ", "key=", "token", "--token", '"'])
def test_a_long_text_takes_linear_time(word: str) -> None:
    def seconds(length: int) -> float:
        begun = time.process_time()
        masked((word * length)[:length])
        return time.process_time() - begun

    seconds(100)
    short, long = max(seconds(8_000), seconds(8_000)), min(seconds(64_000), seconds(64_000))
    assert long < 24 * short  # 64 times where it is quadratic


@pytest.mark.parametrize(
    "key", ["token", "api_key", "apikey", "password", "passwd", "access_key", "MY_SECRET", "DB_PASS", "sig"]
)
def test_a_secret_key_hides_its_value_whole(key: str) -> None:
    nested = {"a": [{key: {"deep": TOKEN}}, {"b": 1}], key: TOKEN}
    hidden = masked_values(nested)
    assert hidden == {"a": [{key: MASK}, {"b": 1}], key: MASK}
    assert masked_override(f"+cluster.{key}={TOKEN}") == f"+cluster.{key}=***"
    assert masked_values({key: None}) == {key: None}


@pytest.mark.parametrize("grid", sorted(grids([conf_folder()])))
def test_shipped_configurations_hold_no_secret_and_are_kept_to_the_byte(grid: str) -> None:
    text = OmegaConf.to_yaml(composed_of(grid, ()), resolve=True)
    assert masked_yaml(text) is text


def test_the_command_to_type_again_masks_texts_of_lists_one_by_one() -> None:
    overrides = ["+grid=x", f"cluster.prologue=['export A_TOKEN={TOKEN}','module load gcc']", "seed=1"]
    again = command_again([], overrides)
    assert TOKEN not in again
    assert again.endswith("""+grid=x 'cluster.prologue=["export A_TOKEN=***", "module load gcc"]' seed=1""")


def test_a_run_records_no_secret_and_keeps_its_id(tmp_path: Path) -> None:
    grid = small_grid()
    run = GridRun(grid, "greedy_vs_dp", run_id(grid), tmp_path)
    configuration = yaml.safe_dump({"cluster": {"prologue": [f"export A_TOKEN={TOKEN}", "module load gcc"]}, "seed": 0})
    begin(run, configuration, f"orchard +grid=x output=s3://me:{TOKEN.replace('/', '')}@bucket A_TOKEN={TOKEN}")
    files = [file for file in tmp_path.rglob("*") if file.is_file()]
    assert len(files) == 2
    for file in files:
        assert "hunter2" not in file.read_text(encoding="utf-8")
    kept = yaml.safe_load((run.record_folder / "config.yaml").read_text(encoding="utf-8"))
    assert kept == {"cluster": {"prologue": ["export A_TOKEN=***", "module load gcc"]}, "seed": 0}
    assert json.loads((run.record_folder / "run.json").read_text(encoding="utf-8"))["identity"] == grid.identity()
    assert key_with_mask(kept) == "cluster.prologue.0"


def test_a_dry_run_masks_the_job_script_that_slurm_is_given_whole(command: Command) -> None:
    line = f"export A_TOKEN={TOKEN}"
    script = SlurmJobs(Slurm(**USUAL | {"prologue": [line]})).job_script()
    assert script is not None
    assert line in script.splitlines()
    status, out, err = command(
        *("+grid=greedy_vs_dp", "tables.groups=1", "tables.count=1", "cluster=slurm", "dry_run=true"),
        f"cluster.prologue=['{line}','module load gcc']",
    )
    assert status == 0, err
    assert "export A_TOKEN=***\nmodule load gcc" in out
    assert '"export A_TOKEN=***"' in out
    assert "hunter2" not in out + err


def test_an_error_masks_what_it_repeats(command: Command) -> None:
    status, out, err = command("+grid=greedy_vs_dp", "cluster=slurm", f"cluster.prologue=['export A_TOKEN={TOKEN}\t']")
    assert status == 2
    assert "cluster.prologue has 'export A_TOKEN=***" in err
    assert "hunter2" not in out + err


@pytest.mark.parametrize("override", ["cluster.prologue=['export A_TOKEN=***']", "output=s3://me:***@bucket"])
def test_a_recorded_command_does_not_run_with_a_mask_for_a_secret(
    override: str, command: Command, tmp_path: Path
) -> None:
    status, _, err = command("+grid=greedy_vs_dp", "cluster=slurm", override)
    assert status == 2
    assert "is ***, which stands for a secret that is not recorded: give the secret itself" in err
    assert list(tmp_path.iterdir()) == []


def test_notes_pages_and_lost_cells_mask(capsys: pytest.CaptureFixture[str]) -> None:
    message = f"cannot reach https://me:{TOKEN.replace('/', '')}@example.org: A_TOKEN={TOKEN}"
    note(message)
    assert "hunter2" not in capsys.readouterr().err
    page = environment().from_string("{{ text }}").render(text=message)
    assert page == "cannot reach https://me:***@example.org: A_TOKEN=***"
    assert failure_of(ValueError(message)).error == f"ValueError: {page}"
