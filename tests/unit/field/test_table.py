"""``divlogic field``: a row for every environment, whatever it does, and one line that shows a finding again."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from click.testing import CliRunner

from divlogic.cli import cli
from divlogic.errors import DivLogicError
from divlogic.field.commands import measure, show
from divlogic.field.table import COLUMNS, listed
from tests.contract.graph import ROOT

LIST = """\
- {package: "tests.unit.field.environments:tidy"}
- {package: "tests.unit.field.environments:raising", note: known}
- {package: "tests.unit.field.environments:calling"}
- {package: "tests.unit.field.environments:mistaken", labels: 60}
"""


@pytest.fixture(autouse=True)
def _in_the_checkout(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, str]]:
    folder = tmp_path_factory.mktemp("field")
    (folder / "list.yaml").write_text(LIST, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        measure(environments=folder / "list.yaml", items=50, out=folder / "table.csv", cpu=5)
    with (folder / "table.csv").open(encoding="utf-8", newline="") as stream:
        return {row["package"].partition(":")[2]: row for row in csv.DictReader(stream)}


def test_every_environment_has_a_row(rows: dict[str, dict[str, str]]) -> None:
    assert [*rows] == ["tidy", "raising", "calling", "mistaken"]
    assert all([*row] == [*COLUMNS] for row in rows.values())
    assert rows["raising"]["fault"] == "raises RuntimeError: the moon is full"
    assert rows["raising"]["items"] == "3" and rows["raising"]["note"] == "known"
    assert rows["calling"]["fault"] == "asks for the network (example.invalid)"


def test_items_that_two_seeds_share_are_counted(rows: dict[str, dict[str, str]]) -> None:
    """Item i of a seed is item i - 1 of the next, so that all but the first are shared."""
    assert rows["tidy"]["shared"] == "98.0"
    assert rows["tidy"]["again"] == "100.0"


def test_wrong_labels_are_counted_and_the_first_is_named(rows: dict[str, dict[str, str]]) -> None:
    row = rows["mistaken"]
    assert (row["checked"], row["wrong"], row["first_wrong"]) == ("60", "6", "9")
    assert float(row["wrong_low"]) < 10 < float(row["wrong_high"])


def test_one_line_shows_the_finding_again(capsys: pytest.CaptureFixture[str]) -> None:
    show("tests.unit.field.environments:mistaken", index=9)
    said = capsys.readouterr().out
    assert "Do some bakers" not in said and "label: No" in said
    assert "right (terms may be empty): yes" in said and "the label is wrong" in said
    show("tests.unit.field.environments:mistaken", index=8)
    assert "the label is right in a reading" in capsys.readouterr().out
    show("tests.unit.field.environments:tidy")
    assert "no check reads this text" in capsys.readouterr().out


def test_an_item_that_cannot_be_drawn_is_said() -> None:
    with pytest.raises(DivLogicError, match="it asks for the network"):
        show("tests.unit.field.environments:calling")


def test_what_is_misspelt_is_named(tmp_path: Path) -> None:
    with pytest.raises(DivLogicError, match="did you mean 'reasoning-gym/syllogism'"):
        measure(("reasoning-gym/sylogism",), out=tmp_path / "out.csv")
    with pytest.raises(DivLogicError, match="write PACKAGE=PATH"):
        measure(python=("reasoning-gym",), out=tmp_path / "out.csv")
    (tmp_path / "list.yaml").write_text("- {package: divlogic, title: x}", encoding="utf-8")
    with pytest.raises(DivLogicError, match=r"entry 1: .*'title'"):
        listed(tmp_path / "list.yaml")


def test_those_that_are_named_replace_their_rows_alone(tmp_path: Path) -> None:
    (tmp_path / "list.yaml").write_text(LIST, encoding="utf-8")
    out = tmp_path / "table.csv"
    given = {"environments": tmp_path / "list.yaml", "items": 3, "out": out}
    measure(**given)  # type: ignore[arg-type]
    before = out.read_text(encoding="utf-8").splitlines()
    measure(("tests.unit.field.environments:tidy",), seed=2, **given)  # type: ignore[arg-type]
    after = out.read_text(encoding="utf-8").splitlines()
    assert len(after) == len(before) == 5 and after[2:] == before[2:] and after[1] != before[1]


def test_the_list_that_is_shipped_begins_with_ours_and_has_two_dozen_environments() -> None:
    known = listed()
    assert known[0].package == "divlogic" and len(known) >= 24
    assert len({one.title for one in known}) == len(known)


def test_the_help_names_the_command() -> None:
    said = CliRunner().invoke(cli, ["field", "--help"]).output
    assert "measure" in said and "show" in said
