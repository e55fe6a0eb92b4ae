"""Catalogue YAMLs: what the shipped ones say, and what is wrong in one is named by file and key."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from pipeline.data.catalogue.built_in import BUILT_IN
from pipeline.data.catalogue.catalogue import Catalogue, catalogue, data_folder
from pipeline.data.catalogue.column_choice import ColumnChoice
from pipeline.data.catalogue.entry import ColumnKind
from pipeline.data.catalogue.entry_yaml import read_entry
from pipeline.data.catalogue.fetching import Fetcher
from pipeline.discovery import conf_folder
from pipeline.errors import ConfigError, DataError
from tests.pipeline.data.catalogue.catalogues import NOWHERE, shipped

DEEP = "100 nested lists and mappings"
GOOD = """\
title: Mine
about: For tests.
citation: none
files:
  all:
    path: mine/mine.csv
    addresses: [https://example.org/mine.csv]
columns:
  height: numeric
  sky: [sun, rain]
  play: class
"""
SHIPPED = sorted((conf_folder() / "catalogue").rglob("*.yaml"))
NAMES = shipped(None).names()


@pytest.fixture
def write(tmp_path: Path):
    def written(text: str, name: str = "own/mine") -> Path:
        path = tmp_path / f"{name}.yaml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    return written


def failure(path: Path, variant: str | None = None) -> str:
    with pytest.raises(ConfigError) as caught:
        read_entry(path, "own/mine", variant)
    return str(caught.value)


def test_there_are_94_files_and_a_name_for_every_table_and_target() -> None:
    assert len(SHIPPED) == 94
    assert len(NAMES) == 112
    assert {"uci/balloons/adult-stretch", "uci/solar-flare/data1-m", "uci/image-segmentation"} <= set(NAMES)
    assert {"uci/balloons", "uci/ozone"} & set(NAMES) == set()


@pytest.mark.parametrize("name", NAMES)
def test_a_shipped_entry_has_a_description_and_a_source(name: str) -> None:
    entry = shipped(None).entry(name)
    assert entry.name == name
    assert entry.title
    assert entry.about.endswith((".", "?"))
    assert entry.citation
    assert entry.fingerprints, "without a fingerprint a download is not checked"
    assert not entry.tried, "say so in the changelog when somebody has tried the addresses"
    for file in entry.files.values():
        assert file.addresses
        assert all(url.startswith("https://") for address in file.addresses for url in address.urls)
    names = [column.name for column in entry.layout.columns if column.kind is not ColumnKind.DROP]
    assert len(names) >= 3
    assert not any(name != name.strip() or "  " in name for name in names)


def test_reading_all_entries_takes_no_composing() -> None:
    entries = shipped(None)
    begun = time.process_time()
    for name in NAMES:
        entries.entry(name)
    assert time.process_time() - begun < 8  # under a second where nothing else runs; Hydra would compose for 16


def test_scalars_are_what_is_written(write) -> None:
    text = GOOD.replace("[sun, rain]", "[no, 0500, 1.0, ~, 1e3, 0x10, 12:30]").replace(
        ": class", ": class\nclasses: [y, n]"
    )
    sky, play = read_entry(write(text), "own/mine").layout.columns[1:]
    assert sky.labels == ("no", "0500", "1.0", "~", "1e3", "0x10", "12:30")
    assert play.labels == ("y", "n")


def test_ranges_are_written_once(write) -> None:
    text = GOOD.replace(
        "  height: numeric\n", "  pixel{9..11}: numeric\n  '{a..b}{1..2}': numeric\n  x{-2..-1}y: nominal\n"
    )
    names = [column.name for column in read_entry(write(text), "own/mine").layout.columns]
    assert names == ["pixel9", "pixel10", "pixel11", "a1", "a2", "b1", "b2", "x-2y", "x-1y", "sky", "play"]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("columns:", "colums:", "; unknown key 'colums', did you mean 'columns'?"),
        ("citation: none", "citation: none\nmising: '?'", "; unknown key 'mising', did you mean 'missing'?"),
        (
            "    path:",
            "    note: x\n    path:",
            ": expected an object with the keys path, addresses, where; unknown key 'note'",
        ),
        ("height: numeric", "height: number", ": columns.height is 'number': expected numeric, nominal, cl"),
        ("height: numeric", "height: {a: b}", ": columns.height is {'a': 'b'}: expected a list"),
        ("play: class", "play: nominal", ": expected exactly one column of kind class, not none"),
        ("height: numeric", "height: class", ": expected exactly one column of kind class, not height, play"),
        ("height: numeric", "sky1: drop\n  sky{1..2}: numeric", ": expected each name once, but 'sky1' is there twice"),
        ("height: numeric", "sky: numeric", ": cannot be read as YAML: the key 'sky' is given twice"),
        ("[sun, rain]", "[sun, sun]", ": columns.sky is ('sun', 'sun'): expected each value once"),
        ("[sun, rain]", "[sun, [rain]]", ": columns.sky[1] is ['rain']: expected a text"),
        ("  all:", "  whole:", ": files is ['whole']: expected the key `all`, or the keys `train` and `test`"),
        ("  all:", "  train:", ": files is ['train']: expected the key `all`, or the keys `train` and `test`"),
        ("mine/mine.csv", "../mine.csv", ": files.all.path is '../mine.csv': expected a path below the data folder"),
        ("mine/mine.csv", "/etc/passwd", ": files.all.path is '/etc/passwd': expected a path below the"),
        ("mine/mine.csv", "a\\\\b", ": expected a path below the data folder"),
        ("https://example.org", "file:///etc", ": files.all.addresses is 'file:///etc/mine.csv': expected https://…"),
        ("[https://example.org/mine.csv]", "here", ": files.all.addresses is 'here': expected a list"),
        ("[https://example.org/mine.csv]", "[{url: https://a, sha: b}]", "member; unknown key 'sha'"),
        ("citation: none", "citation: none\nfingerprint: abc", ": fingerprint is 'abc': expected 64 hex"),
        ("citation: none", "citation: none\ntried: yes", ": tried is 'yes': expected true or false"),
        ("citation: none", "citation: none\nheader: -1", ": header is '-1': expected a whole number of 0 or more"),
        ("citation: none", "citation: none\nheader: 1234567890123", ": header is '1234567890123': expected"),
        ("citation: none", "citation: none\nseparator: pipe", ": separator is 'pipe': expected one of comma, semico"),
        (
            "citation: none",
            "citation: none\nrecode: {wind: {a: b}}",
            ": recode is 'wind': expected the name of a declared column",
        ),
        (
            "    path:",
            "    where: {wind: a}\n    path:",
            ": files.all.where is {'wind': 'a'}: expected one declared column and its text",
        ),
        ("    path:", "    where: {sky: a, play: b}\n    path:", ": expected one declared column and"),
        ("    path:", "    where: {}\n    path:", ": files.all.where is {}: expected one declared column"),
        ("title: Mine", "title: [a]", ": title is ['a']: expected a text"),
        ("title: Mine", "title: 'Mine", ": cannot be read as YAML: "),
        ("title: Mine", "? [a]\n: b", ": cannot be read as YAML: while constructing a mapping"),
        ("citation: none\n", "", "; missing key 'citation'"),
        (GOOD, f"{GOOD}variants: {{x: y}}\n", ": variants.x is 'y': expected keys with values"),
        (GOOD, "- a\n", ": expected keys with values"),
        (GOOD, "", ": expected keys with values"),
        *((GOOD, f"a: {opening * 200_000}", DEEP) for opening in ("[", "{a: ")),
    ],
)
def test_what_is_wrong_is_named(old: str, new: str, expected: str, write) -> None:
    path = write(GOOD.replace(old, new, 1))
    message = failure(path)
    assert message.startswith(str(path))
    assert expected in message or (expected == DEEP and "exceeded maximum nesting depth" in message)  # libyaml's own


def test_yaml_can_build_nothing_but_text(write, tmp_path: Path) -> None:
    path = write(GOOD.replace("title: Mine", f"title: !!python/object/apply:os.mkdir ['{tmp_path}/owned']"))
    assert "python/object/apply:os.mkdir is not a tag of text" in failure(path)
    assert not (tmp_path / "owned").exists()


def test_a_bomb_of_aliases_is_refused_at_once(write) -> None:
    levels = ["&a0 [x, x]", *(f"&a{k} [*a{k - 1}, *a{k - 1}]" for k in range(1, 60))]
    begun = time.perf_counter()
    message = failure(write(GOOD.replace("title: Mine", f"title: [{', '.join(levels)}]")))
    assert "more than 250,000 entries once its aliases are expanded" in message
    assert len(message) < 1000
    assert time.perf_counter() - begun < 20


def test_a_file_that_is_no_entry_by_its_size_or_encoding(write, tmp_path: Path) -> None:
    assert "larger than 1 MiB" in failure(write("#" * (2**20 + 1)))
    (tmp_path / "latin.yaml").write_bytes("title: süß".encode("latin-1"))
    assert "latin.yaml: byte 9 is not UTF-8: save the file in UTF-8" in failure(tmp_path / "latin.yaml")
    assert "cannot be read: No such file" in failure(tmp_path / "none.yaml")


def test_a_file_without_addresses_can_only_be_in_the_local_folder(write, tmp_path: Path) -> None:
    path = write(GOOD.replace("    addresses: [https://example.org/mine.csv]\n", ""), "own/mine")
    ours = Catalogue([tmp_path], Fetcher(NOWHERE))
    with pytest.raises(DataError) as caught:
        ours.load("own/mine")
    assert f"cannot be downloaded: {path} gives no address of mine/mine.csv. You can set data.folder" in str(
        caught.value
    )
    assert "pipeline.fetch" not in str(caught.value)


def test_a_set_of_ones_own_without_a_fingerprint_is_remarked_upon(write, tmp_path: Path) -> None:
    write(GOOD)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/mine.csv").write_text("1,sun,yes\n1,rain,yes\n2,sun,no\n", encoding="utf-8")
    (remark,) = Catalogue([tmp_path], Fetcher(NOWHERE), tmp_path).load("own/mine").remarks
    assert remark.startswith(f"{tmp_path}/mine/mine.csv, line 3: class 'no' occurs once")


def test_variants_take_over_what_they_do_not_say(write) -> None:
    path = write(
        GOOD
        + "fingerprint: "
        + "a" * 64
        + "\nvariants:\n  wet:\n    about: Others.\n    columns: {sky: class, play: drop}\n"
    )
    entry = read_entry(path, "own/mine", "wet")
    assert (entry.name, entry.title, entry.about, entry.fingerprints) == ("own/mine/wet", "Mine", "Others.", ())
    assert [column.kind.value for column in entry.layout.columns] == ["numeric", "class", "drop"]
    assert failure(path, "dry") == f"{path}: no variant is called 'dry'; variants: own/mine/wet"


def test_a_set_that_is_only_variants_needs_the_name_of_one() -> None:
    with pytest.raises(
        ConfigError, match="'uci/ozone' stands for several data sets: give one of uci/ozone/one-hour, uci/ozone/ei"
    ):
        shipped(None).load("uci/ozone")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("uci/mushrom", "no data set is called 'uci/mushrom': did you mean uci/mushroom?"),
        ("mushroom", "did you mean uci/mushroom?"),
        ("sklearn/breast-cancer", "did you mean sklearn/breast_cancer"),
        ("sklearn/linnerud", "sklearn/ has sklearn/breast_cancer, sklearn/digits, sklearn/iris, sklearn/wdbc, sklearn"),
        ("uci/balloons/adult", "no variant is called 'adult'"),
        ("../conf/grid", "cannot be read"),
        ("uci/../uci/iris", "no data set is called"),
        ("uci//iris", "no data set is called"),
        ("uci/.hidden", "no data set is called"),
        ("uci/iris\0", "no data set is called"),
        ("", "no data set is called ''"),
        ("x" * 5000, "no data set is called"),
    ],
)
def test_an_unknown_name(name: str, expected: str) -> None:
    with pytest.raises((ConfigError, DataError)) as caught:
        catalogue(cache=NOWHERE, offline=True).load(name)
    assert expected in str(caught.value)


def test_own_folders_come_before_the_shipped(write, tmp_path: Path) -> None:
    write(GOOD, "catalogue/uci/iris")
    ours = catalogue(own=[tmp_path], cache=NOWHERE, offline=True)
    assert ours.entry("uci/iris").title == "Mine"
    assert ours.entry("uci/wine").title == "Wine"


def test_built_in_sets_come_first_and_have_fingerprints(write, tmp_path: Path) -> None:
    pytest.importorskip("sklearn")
    ours = Catalogue([tmp_path], Fetcher(NOWHERE, offline=True), built_in={"own/mine": BUILT_IN["sklearn/iris"]})
    write(GOOD)
    loaded = ours.load("own/mine")
    assert (loaded.whole.rows, loaded.whole.classes) == (150, ("setosa", "versicolor", "virginica"))
    assert ours.names() == ["own/mine"]
    with pytest.raises(
        ConfigError,
        match=r"target, drop cannot be given for 'uci/iris', whose .* describes: leave target, drop out",
    ):
        shipped(None).load("uci/iris", ColumnChoice("x", ("y",)))


@pytest.mark.parametrize(
    ("name", "classes", "different"), [("iris", [0, 1, 2], 3), ("wine", [0, 1, 2], 0), ("wdbc", [1, 0], 0)]
)
def test_scikit_learn_has_the_same_data_but_for_fishers_iris(
    name: str, classes: list[int], different: int, shared: Path
) -> None:
    """UCI's iris deviates from Fisher in three values, of rows 35 and 38; scikit-learn's does not."""
    pytest.importorskip("sklearn")
    ours = shipped(shared / "data").load(f"uci/{name}").whole
    theirs = catalogue(cache=NOWHERE).load(f"sklearn/{name}").whole
    assert [classes[code] for code in theirs.decisions] == ours.decisions.tolist()
    assert sum(int((a != b).sum()) for a, b in zip(ours.columns, theirs.columns, strict=True)) == different


def test_a_data_folder_is_configured_or_in_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ORCHARD_DATA", raising=False)
    assert data_folder(None) is None
    assert data_folder(tmp_path) == tmp_path
    monkeypatch.setenv("ORCHARD_DATA", str(tmp_path))
    assert data_folder(None) == tmp_path
    nowhere = str(tmp_path / "nowhere")
    with pytest.raises(ConfigError, match=rf"data\.folder is {nowhere}, which is not a folder"):
        data_folder(nowhere)
    monkeypatch.setenv("ORCHARD_DATA", nowhere)
    with pytest.raises(ConfigError, match=f"ORCHARD_DATA is {nowhere}, which is not a folder"):
        data_folder(None)


@pytest.mark.parametrize("name", sorted(set(BUILT_IN) & set(NAMES)))
def test_what_a_rule_gives_under_a_catalogued_name_is_that_data_set(name: str) -> None:
    ours = Catalogue([conf_folder() / "catalogue"], Fetcher(NOWHERE, offline=True), built_in=BUILT_IN)
    assert ours.load(name).fingerprint in shipped(None).entry(name).fingerprints
