"""How many rows of a corpus a run will have: of its folder, of the mirror, else of the registry."""

from __future__ import annotations

from pathlib import Path

import pytest

from divlogic.corpora.manifest import ManifestFile, describe, write_manifest
from divlogic.corpora.mirror import rows_at_hand
from divlogic.corpora.registry import Corpus
from tests.unit.corpora.fetch_samples import MIRROR, corpus as entry, mirrored, official

SUM = "0" * 64


@pytest.fixture
def corpus() -> Corpus:
    parts = [
        {
            "mirror": f"pairs/{name}.gz",
            "path": f"{name}.gz",
            "of": "pairs.zip",
            "sha256": SUM,
            "part": "some",
        }
        | {"rows": rows}
        for name, rows in (("dev.jsonl", 30), ("train.jsonl", 5))
    ]
    return entry(official(path="pairs.zip", rows=1000, members=["in/train.jsonl"]), stand_ins=parts)


def rows(corpus: Corpus, mirror: str | None = "mirror") -> int | None:
    return rows_at_hand("pairs", corpus, Path("raw"), Path(mirror) if mirror else None)


def test_a_mirror_counts_with_the_parts_that_it_has(corpus: Corpus) -> None:
    mirrored("dev.jsonl.gz", b"")
    assert rows(corpus) == 30
    # The name of a member of the zip, but registered as a part.
    mirrored("train.jsonl.gz", b"")
    assert rows(corpus) == 35


@pytest.mark.parametrize("name", ["pairs.zip", "pairs.zip.gz", "train.jsonl", "in/train.jsonl.gz"])
def test_the_official_file_counts_whole(corpus: Corpus, name: str) -> None:
    mirrored(name, b"")
    assert rows(corpus) == 1000


def test_what_neither_folder_nor_mirror_has_will_be_downloaded(corpus: Corpus) -> None:
    MIRROR.mkdir()
    assert rows(corpus) == 1000
    assert rows(corpus, None) == 1000


def test_a_corpus_folder_counts_before_the_mirror(corpus: Corpus) -> None:
    mirrored("dev.jsonl.gz", b"")
    Path("raw").mkdir()
    file = ManifestFile("x.jsonl", 1, SUM, 7, "nli", "whole", "by hand")
    write_manifest(Path("raw"), describe("pairs", corpus, [file], []))
    assert rows(corpus) == 7
