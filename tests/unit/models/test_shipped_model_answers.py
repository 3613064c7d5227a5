"""The answers of models that the repository ships: short rows, as the manifest says."""

from __future__ import annotations

import csv
import gzip
from pathlib import Path

import pytest

from divlogic.io.files import file_sha256
from divlogic.models.recordings.model_answers import MANIFEST, NO_ANSWER, UNREADABLE, read_manifest

SHIPPED = Path(__file__).parents[3] / "data" / "recorded"
FOLDERS = sorted(
    path.parent for path in SHIPPED.glob(f"*/{MANIFEST}") if not path.parent.name.startswith("recorded_")
)
LABELS = {
    "justlogic": {"True", "False", "Uncertain"},
    "logicnli": {"entailment", "contradiction", "neutral", "self_contradiction"},
}


def test_a_real_model_is_among_them() -> None:
    assert "smollm2-135m-bfloat16" in [folder.name for folder in FOLDERS]


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_the_tables_are_those_of_the_manifest(folder: Path) -> None:
    manifest = read_manifest(folder)
    assert {table.name for table in manifest.tables} == {path.name for path in folder.glob("*.csv.gz")}
    for table in manifest.tables:
        path = folder / table.name
        assert file_sha256(path) == table.sha256
        assert path.stat().st_size < 100_000
        with gzip.open(path, "rt", encoding="utf-8", newline="") as stream:
            rows = list(csv.DictReader(stream))
        assert len(rows) == table.rows
        assert len({(row["instance"], row["rotation"]) for row in rows}) == len(rows)
        if table.kind == "rotations":
            possible = set("ABCD")
        else:
            possible = LABELS.get(table.kind, set().union(*LABELS.values(), "ABCDEFGHIJ"))
        assert {row["predicted"] for row in rows} <= possible | {NO_ANSWER, UNREADABLE}
        # All four rotations of an instance, or scores over rotations would be of another thing.
        if table.kind == "rotations":
            assert len(rows) == 4 * len({row["instance"] for row in rows})
        if table.prompt == "likelihood":
            assert all(float(row[letter]) <= 0 for row in rows for letter in "ABCD")


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_how_it_was_asked_is_told(folder: Path) -> None:
    for about in read_manifest(folder).about.values():
        assert about["sampling"]["temperature"] == 0
        assert about["name"].startswith("local/") and len(about["file"].split()[0]) == 64
