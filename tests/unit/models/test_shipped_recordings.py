"""Recorded answers that the repository ships: short rows that score as the recordings do, as the manifests say."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tools.recordings import ship

from divlogic.corpora.manifest import (
    Manifest,
    ManifestFile,
    problems,
    read_manifest,
    write_manifest,
)
from divlogic.io.files import file_sha256, read_lines
from divlogic.models.predictions import read_predictions
from divlogic.models.recordings.model_answers import STORE, UNREADABLE, part_of
from divlogic.models.recordings.reading import read_recordings, recordings_in
from divlogic.records import grouped

SHIPPED = Path(__file__).parents[3] / "data" / "recorded"
FOLDERS = sorted(SHIPPED.glob("recorded_*"))
ILOGICEVAL = """\
7 A B Answer: B. The kettle sings. True
7 D N I cannot say True
7 C C Answer: C True
7 B x x marks nothing False
"""
JUSTLOGIC = """\
id,question,label,predicted,full_completion
1,Does the kettle sing?,True,The statement is true.,long
2,Does the cat purr?,Uncertain,who knows,long
3,Does the dog bark?,False,,I give up
4,Does the fish sing?,False,,
"""


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_a_shipped_folder_holds_short_rows_of_letters_and_labels(folder: Path) -> None:
    manifest = read_manifest(folder)
    assert problems(folder, manifest, checksums=True) == []
    for file in manifest.files:
        rows = [line for _, line in read_lines(folder / file.name)]
        assert rows
        assert max(map(len, rows)) <= 80
        assert not [row for row in rows if len(row.split()) > 4]


def recorded(folder: Path, name: str, text: str, reader: str) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True)
    path.write_text(text, encoding="utf-8")
    file = ManifestFile(
        name, path.stat().st_size, file_sha256(path), None, reader, "whole", "by hand"
    )
    about = ("recorded", "Recorded", "1", "none", ("recorded",), "full", "by hand", "whole")
    write_manifest(folder, Manifest(*about, (file,)))
    return folder


@pytest.mark.parametrize(
    ("name", "text", "reader"),
    [
        ("0-shot-kettle.txt", ILOGICEVAL, "recorded:ilogiceval"),
        ("ci_results_justlogic.csv", JUSTLOGIC, "recorded:justlogic_prior"),
    ],
)
def test_what_is_shipped_reads_as_the_recording_does(
    tmp_path: Path, name: str, text: str, reader: str
) -> None:
    folder = recorded(tmp_path / "recorded", name, text, reader)
    shipped = ship(folder, tmp_path / "shipped")

    def read(place: Path) -> list[tuple[object, ...]]:
        predictions, _ = read_recordings(list(recordings_in([place], reader)))
        return [
            (p.instance, p.rotation, p.gold, p.predicted, p.asked, p.model) for p in predictions
        ]

    assert read(shipped) == read(folder)
    assert len(read(shipped)) == 4
    text = "".join(line for path in shipped.rglob("*.gz") for _, line in read_lines(path))
    assert not [word for word in ("kettle", "give up", "who knows") if word in text]


STORES = sorted(SHIPPED.glob(f"*/{STORE}"))
LETTERS = set("ABCDEFGHIJ")
LABELS = {"True", "False", "Uncertain", "entailment", "contradiction", "neutral"}
LABELS |= {"self_contradiction"}


def test_a_real_model_is_among_them() -> None:
    assert "smollm2-135m-bfloat16" in [path.parent.name for path in STORES]


@pytest.mark.parametrize("path", STORES, ids=lambda path: path.parent.name)
def test_recorded_answers_name_their_questions_and_hold_no_words(path: Path) -> None:
    parts = grouped(read_predictions(path), part_of)
    assert parts
    for part, rows in parts.items():
        assert all(len(row.question) == 16 for row in rows)
        assert len({(row.instance, row.rotation) for row in rows}) == len(rows)
        assert {row.answer for row in rows} <= LETTERS | LABELS | {UNREADABLE, ""}
        # All four rotations of an instance, or scores over rotations would be of another thing.
        if part.rotated:
            assert len(rows) == 4 * len({row.instance for row in rows})
        if part.prompt == "likelihood":
            assert all(max(row.logprobs.values()) <= 0 for row in rows if row.logprobs)


@pytest.mark.parametrize("path", STORES, ids=lambda path: path.parent.name)
def test_how_it_was_asked_is_told(path: Path) -> None:
    text = path.with_name("README.md").read_text(encoding="utf-8")
    assert "temperature 0" in text and re.search(r"\b[0-9a-f]{64}\b", text)
