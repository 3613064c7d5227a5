"""Shards that are not what the filter wrote stop the merge, by file and row, before anything is written."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from divlogic.errors import DivLogicError
from divlogic.io.files import write_jsonl, write_text
from divlogic.sentences.merging import merge

COUNTS = "corpus,role,outcome,sentences\ncaptions,premise,kept,2\n"


def group(identifier: str) -> dict[str, Any]:
    def sentence(text: str) -> dict[str, str]:
        return {
            "text": f"{text} of {identifier}",
            "negated": f"no {text} of {identifier}",
            "source": identifier,
        }

    return {
        "id": identifier,
        "corpus": "captions",
        "genre": None,
        "source": identifier,
        "premise": sentence("premise"),
        "entailed": [sentence("hypothesis")],
        "contradicted": [],
        "neutral": [],
    }


def merged(folder: Path, rows: list[Any], counts: str = COUNTS) -> set[str]:
    """Merge one shard; return the names of what was written."""
    write_jsonl(folder / "0.jsonl", rows)
    write_text(folder / "0.csv", counts)
    outs = [folder / "groups.jsonl", folder / "filter.csv", folder / "summary.json"]
    try:
        merge([folder / "0.jsonl"], [folder / "0.csv"], *outs)
    finally:
        written = {path.name for path in outs if path.exists()}
        assert written in (set(), {path.name for path in outs})
    return written


def test_a_whole_shard_is_merged(tmp_path: Path) -> None:
    assert len(merged(tmp_path, [group("a"), group("b")])) == 3


@pytest.mark.parametrize(
    "change",
    [
        *({name: value} for name in ("id", "corpus", "source") for value in (5, None)),
        *({name: value} for name in ("entailed", "contradicted", "neutral") for value in (5, "zzz", None)),
        *({"premise": value} for value in (5, "zzz", {}, {"text": "a", "negated": 5, "source": "b"})),
    ],
)
def test_a_row_that_is_no_group_is_named(tmp_path: Path, change: dict[str, Any]) -> None:
    with pytest.raises(DivLogicError, match=r"0\.jsonl, row 2: not a group of sentences"):
        merged(tmp_path, [group("a"), group("b") | change])


@pytest.mark.parametrize("name", sorted(group("a").keys() - {"genre"}))
def test_a_group_that_lacks_a_field_is_named(tmp_path: Path, name: str) -> None:
    row = group("b")
    del row[name]
    with pytest.raises(DivLogicError, match=rf"0\.jsonl, row 2: .*the field '{name}' is missing"):
        merged(tmp_path, [group("a"), row])
