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

ROOT = Path(__file__).parents[3]
REGISTRY = str(ROOT / "data" / "registry.yaml")
TABLE = "SOURCE\tTERM\tQUANTIFIER\tGENERIC SENTENCE\tSCORE\nDivLogic\tloom\t\tLooms weave cloth.\t0.9\n"


def corpora(*arguments: str) -> Result:
    return CliRunner().invoke(cli, ["corpora", *arguments])


@pytest.fixture
def raw(tmp_path: Path) -> Path:
    """A raw folder with the embedded generics, placed by the command."""
    source = tmp_path / "embedded" / "generics"
    source.mkdir(parents=True)
    (source / "generics.tsv").write_text(TABLE)
    (source / "domains.yaml").write_text("tools: [loom]\n")
    out = tmp_path / "raw" / "embedded" / "generics"
    options = ["--registry", REGISTRY, "--params", "{}", "--embedded", str(source.parent), "--out", str(out)]
    result = corpora("place", "generics", *options)
    assert result.exit_code == 0, result.output
    return tmp_path / "raw"


def test_an_embedded_corpus_is_placed_with_its_manifest(raw: Path) -> None:
    manifest = read_manifest(raw / "embedded" / "generics")
    assert (manifest.source, manifest.part, manifest.rows) == ("embedded", "whole", 1)
    assert [file.name for file in manifest.files] == ["generics.tsv", "domains.yaml"]


def test_an_embedded_corpus_that_lacks_a_file_is_an_error(tmp_path: Path) -> None:
    options = ["--params", "{}", "--embedded", str(tmp_path), "--out", str(tmp_path / "o")]
    result = corpora("place", "generics", "--registry", REGISTRY, *options)
    assert isinstance(result.exception, DivLogicError)
    assert "generics.tsv: the embedded corpus lacks this file" in str(result.exception)
    assert list(tmp_path.iterdir()) == []


def test_list_names_every_corpus_with_its_licence() -> None:
    result = corpora("list", "--registry", REGISTRY)
    lines = {line.split()[0]: line for line in result.output.splitlines()}
    assert "CC BY-SA 4.0" in lines["snli"] and "570,152" in lines["snli"] and "94.6 MB" in lines["snli"]
    assert "gated" in lines["reclor"]
    assert "in the repository" in lines["captions"]


def test_list_is_also_json_and_csv() -> None:
    as_json = json.loads(corpora("list", "--registry", REGISTRY, "--format", "json").output)
    as_csv = list(
        csv.DictReader(io.StringIO(corpora("list", "--registry", REGISTRY, "--format", "csv").output))
    )
    assert [row["name"] for row in as_json] == [row["name"] for row in as_csv]


def test_status_shows_what_is_here_and_names_what_is_not(raw: Path) -> None:
    output = corpora("status", "--registry", REGISTRY, "--raw", str(raw)).output
    (line,) = [line for line in output.splitlines() if line.startswith("generics")]
    assert "embedded" in line and line.endswith("whole")
    assert "not here: captions" in output


def test_status_finds_a_missing_and_a_changed_file(raw: Path) -> None:
    place = raw / "embedded" / "generics"
    (place / "domains.yaml").unlink()
    (place / "generics.tsv").write_text(TABLE.replace("loom", "lomo"))
    (row,) = status_rows(raw)
    assert row["state"] == "damaged: domains.yaml is missing"
    (row,) = status_rows(raw, checksums=True)
    assert "generics.tsv has another checksum" in row["state"]


def test_status_survives_a_broken_manifest(raw: Path) -> None:
    (raw / "embedded" / "generics" / "MANIFEST.json").write_text("{}")
    (row,) = status_rows(raw)
    assert row["state"].startswith("damaged:")


def test_the_summary_has_one_row_for_every_folder(raw: Path, tmp_path: Path) -> None:
    summarise((raw / "embedded" / "generics",), out=tmp_path / "corpora.csv")
    (row,) = csv_rows(tmp_path / "corpora.csv")
    assert row["corpus"] == "generics" and row["role"] == "generics" and row["rows"] == "1"
    assert row["sha256"] == read_manifest(raw / "embedded" / "generics").sha256
    (described,) = read_table(tmp_path / "corpora")
    assert described["rows"] == 1 and {name: str(cell) for name, cell in described.items()} == row


def test_the_summary_of_a_folder_without_manifest_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(DivLogicError, match="divlogic corpora fetch"):
        summarise((tmp_path,), out=tmp_path / "corpora.csv")


def test_numbers_stand_to_the_right() -> None:
    rows = [{"name": "a", "bytes": 1500}, {"name": "bb", "bytes": None}]
    assert render(rows, ("name", "bytes")) == ("corpus    size\na       1.5 kB\nbb           -\n")


def test_every_corpus_that_cannot_be_fetched_is_named_at_the_end(tmp_path: Path) -> None:
    options = ["--params", "{}", "--out", str(tmp_path / "raw"), "--downloads", str(tmp_path / "downloads")]
    result = corpora("fetch", "reclor", "generics", "--registry", REGISTRY, *options)
    message = str(result.exception)
    assert str(tmp_path / "downloads" / "reclor" / "test.json") in message
    assert "generics: an embedded corpus" in message
