"""Two premises that read alike once repaired are one sentence."""

from __future__ import annotations

from divlogic.io.files import read_json, read_jsonl, write_csv, write_jsonl
from tests.support import csv_rows

from .conftest import merge


def group(identifier, text):
    sentence = {"text": text, "negated": text.replace(" are ", " aren't "), "source": identifier}
    roles = {
        "entailed": [{**sentence, "text": f"people are near {identifier}"}],
        "contradicted": [],
        "neutral": [],
    }
    return {
        "id": identifier,
        "corpus": "captions",
        "genre": None,
        "source": identifier,
        "premise": sentence,
        **roles,
    }


def test_the_later_of_two_groups_with_one_premise_is_left_out_and_counted(tmp_path):
    shards = [tmp_path / "0.jsonl.gz", tmp_path / "1.jsonl.gz"]
    write_jsonl(shards[0], [group("00000000000a", "two boys are rowing")])
    write_jsonl(
        shards[1], [group("00000000000b", "Two boys are rowing"), group("00000000000c", "a girl is here")]
    )
    counts = [tmp_path / "0.csv", tmp_path / "1.csv"]
    header = ("corpus", "role", "outcome", "sentences")
    for path, kept in zip(counts, (1, 2), strict=True):
        write_csv(path, header, [["captions", role, "kept", kept] for role in ("premise", "entailed")])
    out = tmp_path / "groups.jsonl.gz"
    merge(shards, counts, out, tmp_path / "filter.csv", tmp_path / "summary.json")
    assert [row["id"] for _, row in read_jsonl(out)] == ["00000000000a", "00000000000c"]
    assert read_json(tmp_path / "summary.json")["groups"] == 2
    rows = csv_rows(tmp_path / "filter.csv")
    found = {(row["role"], row["outcome"]): int(row["sentences"]) for row in rows}
    assert found == {
        ("premise", "kept"): 2,
        ("premise", "repeated_premise"): 1,
        ("entailed", "kept"): 2,
        ("entailed", "premise_dropped"): 1,
    }
