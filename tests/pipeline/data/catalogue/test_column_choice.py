"""What a person says of the columns of a file of theirs: columns left out, types, and files that do not fit."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from algorithms.data.data_set import AttributeKind
from pipeline.configuration.settings import Data
from pipeline.data.catalogue.column_choice import ColumnChoice
from pipeline.data.catalogue.loading import load_file
from pipeline.data.sources import Source, sources_named
from pipeline.errors import ConfigError, DataError
from tests.pipeline.command_line import run_orchard

ROWS = "patient_id,zip,age,town,sick\np1,01234,30,Bonn,yes\np2,99999,41,Köln,no\np3,01234,7,Bonn,no\np4,5,1,Ulm,yes\n"
DATA = Data(None, None)


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    path = tmp_path / "mine.csv"
    path.write_text(ROWS, encoding="utf-8")
    return path


def refusal(path: Path, choice: ColumnChoice) -> str:
    with pytest.raises(DataError) as caught:
        load_file(path, choice)
    return str(caught.value)


def test_columns_are_left_out_and_types_kept_as_chosen(mine: Path) -> None:
    data = load_file(mine, ColumnChoice(drop=("patient_id",), types=(("zip", "nominal"),))).whole
    assert [(attribute.name, attribute.kind.value, attribute.labels) for attribute in data.attributes] == [
        ("zip", "nominal", ("5", "01234", "99999")),
        ("age", "numeric", ()),
        ("town", "nominal", ("Bonn", "Köln", "Ulm")),
    ]
    assert data.columns[0].tolist() == [1, 2, 1, 0]


def test_an_identifier_is_remarked_with_the_option_that_leaves_it_out(mine: Path) -> None:
    (remark,) = (remark for remark in load_file(mine).remarks if "different value in every row" in remark)
    assert remark.endswith(
        "columns with a different value in every row: patient_id, age. Leave out columns that are identifiers, as in "
        "'drop=[patient_id]'"
    )
    assert not [
        remark for remark in load_file(mine, ColumnChoice(drop=("patient_id",))).remarks if "patient_id" in remark
    ]


def test_a_value_beside_missing_ones_is_not_called_useless(tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    path.write_text("a,b,c,sick\nx,1,1,yes\n,1,2,no\nx,1,2,no\nx,1,1,yes\n", encoding="utf-8")
    assert load_file(path).remarks[1:] == (f"{path}: columns with at most one value, apart from missing values: a, b",)


@pytest.mark.parametrize(
    ("choice", "expected"),
    [
        (ColumnChoice(drop=("patientid",)), "`drop` has 'patientid', but there is no such column, did you mean 'pat"),
        (ColumnChoice(types=(("zap", "nominal"),)), "`types` has 'zap', but there is no such column, did you mean"),
        (ColumnChoice(drop=("sick",)), "`drop` has 'sick', which is the class (by default, the last column): le"),
        (ColumnChoice("town", drop=("town",)), "`drop` has 'town', which is the class: leave it out"),
        (ColumnChoice(types=(("sick", "numeric"),)), "`types` has 'sick', which is the class"),
        (ColumnChoice("sik"), "`target` is 'sik', but there is no such column, did you mean 'sick'? Col"),
        (ColumnChoice(drop=("patient_id", "zip", "age", "town")), "`drop` leaves no column beside the class 'sick'"),
    ],
)  # fmt: skip
def test_a_choice_that_does_not_fit_the_file(mine: Path, choice: ColumnChoice, expected: str) -> None:
    assert refusal(mine, choice).startswith(f"{mine}: {expected}")


def test_a_value_that_is_not_of_its_type_is_named_with_its_line(mine: Path) -> None:
    assert refusal(mine, ColumnChoice(types=(("town", "numeric"),))) == (
        f"{mine}, line 2, column 'town': 'Bonn' is not a number, but `types` says that the column is numeric: "
        "change the value; or leave an unknown value empty; or write 'types={town: nominal}'"
    )


@pytest.mark.parametrize("option", ["drop=[account]", "types={account: nominal}"])
def test_numbers_with_too_many_digits_name_options_that_help(tmp_path: Path, option: str) -> None:
    path = tmp_path / "mine.csv"
    path.write_text("account,x,play\n9007199254740993,1,yes\n9007199254740992,2,no\n", encoding="utf-8")
    assert option in refusal(path, ColumnChoice())
    kept = ColumnChoice(drop=("account",)) if "drop" in option else ColumnChoice(types=(("account", "nominal"),))
    assert load_file(path, kept).whole.rows == 2


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("\ufeffid,x,c\n1,2,a\n2,3,b\n", ["x"]),
        ('id,"x, in mm",c\n1,2,a\n2,3,b\n', ["x, in mm"]),
        ('"id";x;c\n1;"2";a\n2;"3";b\n', ["x"]),
        ("id\tx\tc\r\n1\t2\ta\r\n2\t3\tb\r\n", ["x"]),
        ("id,id,c\n1,2,a\n2,3,b\n", "line 1: two columns are called 'id': give each a name of its own"),
        ("id,x,c\n", "the file has a header, but no rows"),
    ],
)
def test_files_of_odd_forms_are_read_with_a_column_left_out(tmp_path: Path, content: str, expected: object) -> None:
    path = tmp_path / "mine.csv"
    path.write_bytes(content.encode())
    choice = ColumnChoice(drop=("id",))
    if isinstance(expected, str):
        assert expected in refusal(path, choice)
    else:
        assert [attribute.name for attribute in load_file(path, choice).whole.attributes] == expected


NAMES = st.lists(st.text("abcXYZ é,;:'\"[]{}=\\/_", min_size=1, max_size=6).map(str.strip), min_size=2, max_size=5)


@given(NAMES.filter(lambda names: all(names) and len(set(names)) == len(names)), st.data())
def test_dropping_columns_is_reading_a_file_without_them(
    tmp_path_factory: pytest.TempPathFactory, names: list[str], data: st.DataObject
) -> None:
    """The content of both is the same, whatever the names; and the identity of the source keeps the choice."""
    kept = data.draw(st.lists(st.sampled_from(names), unique=True, min_size=1))
    rows = data.draw(st.lists(st.lists(st.integers(0, 99), min_size=5, max_size=5), min_size=2, max_size=6))
    folder = tmp_path_factory.mktemp("files")

    def written(name: str, columns: list[str]) -> Path:
        quoted = ['"' + column.replace('"', '""') + '"' for column in columns]
        lines = [",".join([*quoted, '"the class"'])]
        lines += [",".join([*(str(row[names.index(column)]) for column in columns), "ab"[row[0] % 2]]) for row in rows]
        (folder / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
        return folder / name

    drop = tuple(name for name in names if name not in kept)
    whole, less = written("whole.csv", names), written("less.csv", [name for name in names if name in kept])
    assert load_file(whole, ColumnChoice(drop=drop)).content == load_file(less).content
    source = Source(str(whole), "all", ("0",), ColumnChoice(None, drop, ((kept[0], "nominal"),)))
    again = Source.from_identity(json.loads(json.dumps(source.identity())), source.location)
    assert again == source
    typed = load_file(whole, again.choice).whole
    assert next(attribute.kind for attribute in typed.attributes if attribute.name == kept[0]) is AttributeKind.NOMINAL
    assert {attribute.kind for attribute in typed.attributes if attribute.name != kept[0]} <= {AttributeKind.NUMERIC}


def test_the_identity_of_a_source_has_a_choice_only_where_one_is_made(mine: Path) -> None:
    (plain,) = sources_named(str(mine), None, DATA)
    assert list(plain.identity()) == ["name", "part", "fingerprints", "file"]
    (chosen,) = sources_named(str(mine), ColumnChoice("town", ("patient_id",)), DATA)
    assert chosen.identity() == {
        "name": str(mine), "part": "all", "fingerprints": list(chosen.fingerprints),
        "target": "town", "drop": ["patient_id"], "file": mine.name,
    }  # fmt: skip
    assert chosen.load().whole.classes == ("Bonn", "Köln", "Ulm")
    assert chosen.fingerprints != plain.fingerprints


@pytest.mark.parametrize("choice", [ColumnChoice(drop=("x",)), ColumnChoice(target="x")], ids=["drop", "target"])
def test_columns_cannot_be_chosen_where_no_file_is_of_ones_own(choice: ColumnChoice) -> None:
    with pytest.raises(ConfigError, match=r"`(drop|target)` applies only to files of your own, and `source` has none"):
        sources_named("sklearn/iris", choice, DATA)


BAD = [
    ("drop=[zip,zip]", "drop is ['zip', 'zip']: expected each entry once"),
    ("types=zip", "`types` is 'zip': expected columns with their types, such as {zip: nominal}"),
    ("types={zip: text}", "types of 'zip' is 'text': expected one of nominal, numeric"),
]


def test_a_run_and_its_trees_keep_the_choice(tmp_path: Path) -> None:
    """`show` rebuilds a tree from the record alone, with the columns that the run had."""
    lines = ["patient_id,zip,age,sick", *(f"p{k},{k % 3},{k},{'yes' if k % 3 else 'no'}" for k in range(30))]
    (tmp_path / "mine.csv").write_text("\n".join(lines), encoding="utf-8")
    run = ("+grid=compare_builders", "source=./mine.csv", "builders=[cart]", "protocol.folds=2", "cluster=threads")
    for option, expected in BAD:
        done = run_orchard(*run, option, cwd=tmp_path)
        assert done.returncode == 2
        assert expected in done.stderr
    done = run_orchard(*run, "drop=[patient_id]", "types={zip: nominal}", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    (record,) = tmp_path.glob("outputs/results/*/*/_run/run.json")
    notices = json.loads(record.read_text())["notices"]
    assert ["columns with a different value in every row: age" in notice for notice in notices] == [0, 1]
    assert all(notice in done.stderr for notice in notices)
    shown = run_orchard("--source", "./mine.csv", "--builder", "cart", cwd=tmp_path, module="pipeline.show")
    assert shown.returncode == 0, shown.stderr
    assert "zip = 0" in shown.stdout
    assert "patient_id" not in shown.stdout
