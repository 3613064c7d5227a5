"""Tables of the corpora, and the commands that print them."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from divlogic.cli import cli
from divlogic.corpora.manifest import read_manifest
from divlogic.corpora.status import render, status_rows, summarise
from divlogic.errors import DivLogicError
from divlogic.io.tables import read_table
from tests.support import csv_rows

REGISTRY = str(Path(__file__).parents[3] / "data" / "registry.yaml")
PLACE = Path("raw/embedded/generics")
TABLE = (
    "SOURCE\tTERM\tQUANTIFIER\tGENERIC SENTENCE\tSCORE\nDivLogic\tloom\t\tLooms weave cloth.\t0.9\n"
)


def corpora(words: str) -> Result:
    return CliRunner().invoke(cli, ["corpora", *words.split(), "--registry", REGISTRY])


@pytest.fixture
def raw() -> Path:
    """A raw folder with the embedded generics, placed by the command."""
    source = Path("embedded/generics")
    source.mkdir(parents=True)
    (source / "generics.tsv").write_text(TABLE)
    (source / "domains.yaml").write_text("tools: [loom]\n")
    result = corpora(f"place generics --params {{}} --embedded embedded --out {PLACE}")
    assert result.exit_code == 0, result.output
    return Path("raw")


def test_an_embedded_corpus_is_placed_with_its_manifest(raw: Path) -> None:
    manifest = read_manifest(PLACE)
    assert (manifest.source, manifest.part, manifest.rows) == ("embedded", "whole", 1)
    assert [file.name for file in manifest.files] == ["generics.tsv", "domains.yaml"]


def test_an_embedded_corpus_that_lacks_a_file_is_an_error() -> None:
    result = corpora("place generics --params {} --embedded . --out o")
    assert isinstance(result.exception, DivLogicError)
    assert "generics.tsv: the embedded corpus lacks this file" in str(result.exception)
    assert list(Path().iterdir()) == []


def test_list_names_every_corpus_with_its_licence() -> None:
    lines = {line.split()[0]: line for line in corpora("list").output.splitlines()}
    assert (
        "CC BY-SA 4.0" in lines["snli"]
        and "570,152" in lines["snli"]
        and "94.6 MB" in lines["snli"]
    )
    assert "gated" in lines["reclor"]
    assert "in the repository" in lines["captions"]


def test_list_is_also_json_and_csv() -> None:
    as_json = json.loads(corpora("list --format json").output)
    as_csv = csv.DictReader(io.StringIO(corpora("list --format csv").output))
    assert [row["name"] for row in as_json] == [row["name"] for row in as_csv]


def test_status_shows_what_is_here_and_names_what_is_not(raw: Path) -> None:
    output = corpora(f"status --raw {raw}").output
    (line,) = [line for line in output.splitlines() if line.startswith("generics")]
    assert "embedded" in line and line.endswith("whole")
    assert "not here: captions" in output


@pytest.mark.parametrize("checksums", [False, True])
def test_status_finds_a_missing_and_a_changed_file(raw: Path, checksums: bool) -> None:
    (PLACE / "domains.yaml").unlink()
    (PLACE / "generics.tsv").write_text(TABLE.replace("loom", "lomo"))
    (row,) = status_rows(raw, checksums=checksums)
    changed = "generics.tsv has another checksum; " if checksums else ""
    assert row["state"] == f"damaged: {changed}domains.yaml is missing"


def test_status_survives_a_broken_manifest(raw: Path) -> None:
    (PLACE / "MANIFEST.json").write_text("{}")
    (row,) = status_rows(raw)
    assert row["state"].startswith("damaged:")


def test_the_summary_has_one_row_for_every_folder(raw: Path) -> None:
    summarise((PLACE,), out=Path("corpora.csv"))
    (row,) = csv_rows(Path("corpora.csv"))
    assert row["corpus"] == "generics" and row["role"] == "generics" and row["rows"] == "1"
    assert row["sha256"] == read_manifest(PLACE).sha256
    (described,) = read_table(Path("corpora"))
    assert described["rows"] == 1 and {name: str(cell) for name, cell in described.items()} == row


def test_the_summary_of_a_folder_without_manifest_is_an_error() -> None:
    with pytest.raises(DivLogicError, match="divlogic corpora fetch"):
        summarise((Path(),), out=Path("corpora.csv"))


def test_numbers_stand_to_the_right() -> None:
    rows = [{"name": "a", "bytes": 1500}, {"name": "bb", "bytes": None}]
    assert render(rows, ("name", "bytes")) == ("corpus    size\na       1.5 kB\nbb           -\n")


def test_every_corpus_that_cannot_be_fetched_is_named_at_the_end() -> None:
    message = str(
        corpora("fetch reclor generics --params {} --out raw --downloads downloads").exception
    )
    assert "downloads/reclor/test.json" in message
    assert "generics: an embedded corpus" in message
