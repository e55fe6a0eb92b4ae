"""Data sets that are not here are reported all at once."""

from __future__ import annotations

import pickle
import re
from pathlib import Path, PurePosixPath

import pytest

from pipeline.configuration.settings import Data
from pipeline.data.catalogue.entry import Entry, FileLayout, SetFile
from pipeline.data.catalogue.missing_files import MissingFiles, MissingFilesError, together
from pipeline.data.sources import SourceErrors, sources_named
from pipeline.errors import AbsentError, ConfigError, DataError
from tests.pipeline.command_line import run_orchard

DATA = Data(None, None)


def test_one_absent_set_keeps_its_own_message() -> None:
    errors = SourceErrors()
    with errors.collect("uci/zoo"):
        raise AbsentError("'uci/zoo' is missing: get it")
    with pytest.raises(DataError) as caught:
        errors.check()
    assert str(caught.value) == (
        "'uci/zoo' is missing: get it; or try `sklearn/iris`, which needs neither file nor network"
    )


def test_a_set_of_the_same_name_that_needs_no_file_is_offered() -> None:
    errors = SourceErrors()
    for name in ("uci/wine", "uci/zoo"):
        with errors.collect(name):
            raise AbsentError(f"'{name}' is missing")
    with pytest.raises(DataError) as caught:
        errors.check()
    assert str(caught.value) == (
        "2 data sets cannot be read (uci/wine, uci/zoo): do what each line says:\n"
        "- 'uci/wine' is missing\n- 'uci/zoo' is missing\n"
        "or try `sklearn/wine`, which needs neither file nor network"
    )


def missing(name: str, folder: Path | None, *failures: str) -> MissingFilesError:
    files = {"all": SetFile(PurePosixPath(f"{name}.data"), ())}
    entry = Entry(name, "", "", "", FileLayout(), files, (), tried=True, source=Path("x.yaml"))
    return MissingFilesError(MissingFiles(entry, folder, Path("c"), failures))


def test_sets_that_are_missing_for_the_same_reasons_have_one_text() -> None:
    refused, lost = "https://a.org/1: refused", "https://b.org/2: refused"
    texts = together([missing("a", None, refused), DataError("damaged"), missing("b", None, lost), missing("c", None)])
    assert texts == [
        "2 data sets are missing: no local folder is set, and they cannot be downloaded: refused. You can set "
        "data.folder, or the environment variable ORCHARD_DATA, to a folder with these files; or run the command below "
        "them on a machine with a network, and copy its cache to c\n"
        "  a  a.data\n  b  b.data\n  python -m pipeline.fetch a b",
        "damaged",
        "'c' is missing: no local folder is set, and it cannot be downloaded: x.yaml gives no address of c.data. You "
        "can set data.folder, or the environment variable ORCHARD_DATA, to a folder with c.data",
    ]
    full, elsewhere = missing("a", None, "/cache/a: cannot be written"), missing("b", Path("data"), refused)
    assert together([missing("d", None, refused), full, elsewhere]) == [
        str(error) for error in (missing("d", None, refused), full, elsewhere)
    ]
    assert str(elsewhere) == (
        "'b' is missing: data has no b.data, and it cannot be downloaded: https://a.org/1: refused. You can set "
        "data.folder, or the environment variable ORCHARD_DATA, to a folder with b.data; or run "
        "`python -m pipeline.fetch b` on a machine with a network, and copy its cache to c"
    )
    assert str(pickle.loads(pickle.dumps(elsewhere))) == str(elsewhere)


def test_other_errors_are_raised_at_once() -> None:
    errors = SourceErrors()
    with pytest.raises(DataError, match="damaged"), errors.collect("uci/zoo"):
        raise DataError("damaged")
    errors.check()


def test_all_unknown_names_are_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(DataError) as caught:
        sources_named(["uci/irsi", "sklearn/iris", "./mine.csv", "sklearn/wine:train"], None, DATA)
    first, *lines, last = str(caught.value).splitlines()
    assert first == "3 data sets cannot be read (uci/irsi, ./mine.csv, sklearn/wine:train): do what each line says:"
    assert lines[0].startswith("- no data set is called 'uci/irsi': did you mean uci/iris")
    assert lines[1].startswith(
        "- mine.csv: cannot be read: No such file or directory. Give an absolute path, or a path relative to "
    )
    assert lines[2].startswith("- source 'sklearn/wine:train': 'sklearn/wine' has no part 'train'")
    assert last == "or try `sklearn/iris`, which needs neither file nor network"
    with pytest.raises(ConfigError, match="no data set is called 'uci/irsi'"):
        sources_named(["uci/irsi", "sklearn/iris"], None, DATA)


def test_a_file_of_a_similar_name_is_suggested(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.csv").write_text("x,play\n1,yes\n2,no\n", encoding="utf-8")
    Path("min.csv").mkdir()
    Path("min\n.csv").touch()
    with pytest.raises(DataError, match=rf", did you mean '\./mine\.csv'\? Give .* relative to {tmp_path}$"):
        sources_named("mien.csv", None, DATA)
    with pytest.raises(DataError, match=rf", did you mean '{tmp_path}/mine\.csv'\? Give .* relative to {tmp_path}$"):
        sources_named(str(tmp_path / "mine"), None, DATA)
    for name in ("./other.csv", "absent/mine.csv"):
        with pytest.raises(DataError, match=rf"directory\. Give .* relative to {tmp_path}$"):
            sources_named(name, None, DATA)


def test_a_file_is_given_once_however_its_path_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.csv").write_text("x,play\n1,yes\n2,no\n", encoding="utf-8")
    with pytest.raises(ConfigError, match=r"'\./mine\.csv' and 'mine\.csv', whose names and rows are the same"):
        sources_named(["./mine.csv", "mine.csv"], None, DATA)
    with pytest.raises(ConfigError, match=r"`source` has 'mine\.csv' twice: give the data set once"):
        sources_named(["mine.csv", "mine.csv"], None, DATA)
    assert len(sources_named(["./mine.csv", "mine.csv:1"], None, DATA, draws=True)) == 2


def test_a_run_lists_all_sets_that_it_lacks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing answers at the addresses of the catalogue: they are behind a proxy that does not exist."""
    for variable in ("HTTPS_PROXY", "HTTP_PROXY", "https_proxy", "http_proxy"):
        monkeypatch.setenv(variable, "http://127.0.0.1:9")
    for variable in ("NO_PROXY", "no_proxy", "ORCHARD_DATA"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    names = ["uci/zoo", "uci/nursery", "uci/mushroom"]
    done = run_orchard("+grid=compare_builders", f"source=[{','.join(names)},sklearn/iris]", cwd=tmp_path)
    assert done.returncode == 2
    (line,) = (line for line in done.stderr.splitlines() if line.startswith("orchard: "))
    assert line.startswith("orchard: 3 data sets are missing: no local folder is set, and they cannot be downloaded: ")
    assert "You can set data.folder" in line  # by which `documents` notices that a grid lacks its input
    assert f"\n  python -m pipeline.fetch {' '.join(names)}\n" in done.stderr
    for name in names:
        folder = name.removeprefix("uci/")
        assert re.search(rf"^  {name} +{folder}/\S+$", done.stderr, re.MULTILINE)
    assert done.stderr.endswith("or try `sklearn/iris`, which needs neither file nor network\n")
