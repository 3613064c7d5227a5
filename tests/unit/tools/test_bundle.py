"""The archive of a release: everything listed, the same bytes each time, one sentence where something is missing."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import orjson
import pytest
from tools import bundle

from divlogic.errors import DivLogicError
from divlogic.io.files import write_jsonl

METADATA = {
    "license": ["https://a"],
    "inLanguage": "en",
    "citeAs": "A",
    "description": "One.",
    "distribution": [
        {"@type": "cr:FileObject", "@id": "t.parquet", "contentUrl": "parquet/t.parquet"}
    ],
    "recordSet": [
        {"@id": "t", "field": [{"@id": "t/id", "source": {"fileObject": {"@id": "t.parquet"}}}]}
    ],
}


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("params.yaml", "dvc.lock", "LICENSE", "CHANGELOG.md"):
        (tmp_path / name).write_text(name)
    (tmp_path / "CITATION.cff").write_text("cff-version: 1.2.0\nversion: 0\n")
    for name in ("justlogic", "logicnli"):
        release = tmp_path / "data/benchmarks" / name / "release"
        release.mkdir(parents=True)
        (release / "croissant.json").write_bytes(orjson.dumps(METADATA))
        write_jsonl(release.parent / "test.jsonl", [{}])
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(
        bundle, "_build_wheel", lambda place: (place / "divlogic.whl").write_text("wheel")
    )
    return tmp_path


def test_a_release_is_the_same_bytes_each_time(checkout: Path) -> None:
    archives = []
    for _ in range(2):
        bundle.bundle(out=Path("out/divlogic-1"), published="2026-11-23")
        archives.append(Path("out/divlogic-1.tar.gz").read_bytes())
    assert archives[0] == archives[1]
    listed = Path("out/divlogic-1/SHA256SUMS").read_text()
    for name in (
        "verify.sh",
        "croissant.json",
        "records/logicnli/test.jsonl.gz",
        "justlogic/croissant.json",
    ):
        assert f"  {name}\n" in listed
    merged = orjson.loads(Path("out/divlogic-1/croissant.json").read_bytes())
    assert merged["datePublished"] == "2026-11-23"
    parquets = [one["contentUrl"] for one in merged["distribution"]]
    assert parquets == ["logicnli/parquet/t.parquet", "justlogic/parquet/t.parquet"]
    assert "date-released: 2026-11-23" in Path("out/divlogic-1/CITATION.cff").read_text()


def test_what_is_missing_is_named(checkout: Path) -> None:
    with pytest.raises(DivLogicError, match="as YYYY-MM-DD"):
        bundle.bundle(out=Path("out"), published="today")
    Path("dvc.lock").unlink()
    with pytest.raises(DivLogicError, match=r"dvc.lock: missing; run `make all`"):
        bundle.bundle(out=Path("out"), published="2026-11-23")


@pytest.mark.parametrize(
    ("module", "function", "named"),
    [(os, "fsync", "logicnli/croissant.json"), (Path, "write_bytes", "out/divlogic-1")],
)
def test_a_full_disk_is_a_sentence_and_leaves_nothing(
    checkout: Path, monkeypatch: pytest.MonkeyPatch, module: object, function: str, named: str
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    (checkout / "out").mkdir()
    monkeypatch.setattr(module, function, full)
    with pytest.raises(DivLogicError, match=f"{named}: the disk is full"):
        bundle.bundle(out=Path("out/divlogic-1"), published="2026-11-23")
    assert not list(Path("out").iterdir())
