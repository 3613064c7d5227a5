"""Normalising: one form, a fixed order, every row that is left out counted."""

from __future__ import annotations

import gzip
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import orjson
import pytest
from hypothesis import given, settings, strategies as st

from divlogic.corpora.manifest import Manifest, ManifestFile, write_manifest
from divlogic.corpora.normalise import RowTally, normalise_corpora
from divlogic.errors import DivLogicError
from divlogic.io.files import file_sha256

OUT = Path("out.jsonl.gz")


def pair(premise: str, hypothesis: str, label: str = "neutral", **more: Any) -> dict[str, Any]:
    return {"gold_label": label, "sentence1": premise, "sentence2": hypothesis, **more}


def folder(name: str, files: dict[str, Any], reader: str = "nli", part: str = "whole") -> Path:
    """Write a corpus folder with its manifest."""
    place = Path("raw", name)
    place.mkdir(parents=True, exist_ok=True)
    entries = []
    for file, rows in files.items():
        content = (
            rows if isinstance(rows, bytes) else b"".join(orjson.dumps(row) + b"\n" for row in rows)
        )
        (place / file).write_bytes(gzip.compress(content) if file.endswith(".gz") else content)
        how = "nli_tokenised" if ".tok." in file else reader
        size, digest = (place / file).stat().st_size, file_sha256(place / file)
        entries.append(ManifestFile(file, size, digest, None, how, part, "mirror: x"))
    write_manifest(
        place, Manifest(name, name, "1", "CC0", ("nli",), "full", "mirror", part, tuple(entries))
    )
    return place


def run(role: Any, *folders: Path, **options: Any) -> tuple[list[dict[str, Any]], list[RowTally]]:
    tallies = normalise_corpora(folders, role=role, out=OUT, **options)
    return [orjson.loads(line) for line in gzip.decompress(OUT.read_bytes()).splitlines()], tallies


def snli(*rows: object, **options: Any) -> Path:
    """Write a corpus of one file."""
    return folder("snli", {"a.jsonl": list(rows)}, **options)


def test_rows_keep_the_order_of_corpora_files_and_rows():
    files = {"b.jsonl": [pair("P.", "1."), pair("P.", "2.")], "a.jsonl": [pair("P.", "3.")]}
    first, second = folder("snli", files), folder("xnli", {"c.jsonl": [pair("P.", "4.")]})
    rows, _ = run("nli", second, first)
    found = [(row["corpus"], row["hypothesis"]) for row in rows]
    assert found == [("xnli", "4."), ("snli", "1."), ("snli", "2."), ("snli", "3.")]


def test_a_row_has_the_agreed_fields_in_order():
    given_ids = {"captionID": "7#0", "pairID": "7#0r1n"}
    rows = [pair("A dog barks.", "It is loud.", **given_ids)]
    ((row,), _) = run("nli", snli(*rows))
    expected = {
        "corpus": "snli",
        "genre": "captions",
        "premise_id": "snli:7#0",
        "pair_id": "snli:7#0r1n",
    }
    expected |= {"label": "neutral", "premise": "A dog barks.", "hypothesis": "It is loud."}
    assert list(row.items()) == list(expected.items())


def test_rows_left_out_are_counted_by_reason():
    rows = [pair("P.", "H."), pair("P.", "H."), pair("P.", "K.", "-"), pair("P.", " ")]
    rows.append(pair("P.", "H.", "entailment"))
    kept, (tally,) = run("nli", snli(*rows))
    assert [row["label"] for row in kept] == ["neutral", "entailment"]
    assert dict(tally.counts) == {"kept": 2, "duplicate": 1, "without a gold label": 1, "empty": 1}


def identified(rows: str) -> list[dict[str, Any]]:
    """Return rows from ``premise hypothesis [promptID pairID]`` items parted by semicolons."""
    found = []
    for item in rows.split(";"):
        premise, hypothesis, *ids = item.split()
        found.append(
            pair(premise, hypothesis, **dict(zip(("promptID", "pairID"), ids, strict=False)))
        )
    return found


@pytest.mark.parametrize(
    ("file", "part", "rows", "premise_ids", "pair_ids"),
    [
        ("dev.jsonl.gz", "whole", "P 1; Q 2; P 3", "dev:1 dev:2 dev:1", "dev:1 dev:2 dev:3"),
        ("a.jsonl", "whole", "P 1 1 1e; P 2 2 2e", "1 2", "1e 2e"),
        *[
            (
                "a.jsonl",
                part,
                "P 1 8 8n; Q 2 8 8n; Q 3 8 8e; P 4 8 8c",
                "8 a:2 a:2 8",
                "8n a:2 8e 8c",
            )
            for part in ("whole", "3 of 9 rows")
        ],
    ],
    ids=[
        "the first row of a premise names it",
        "its own ids",
        "an id of two",
        "an id of two in a part",
    ],
)
def test_a_premise_has_one_id_and_an_id_one_premise(file, part, rows, premise_ids, pair_ids):
    kept, _ = run("nli", folder("multinli", {file: identified(rows)}, part=part))
    assert [row["premise_id"] for row in kept] == [
        f"multinli:{name}" for name in premise_ids.split()
    ]
    assert [row["pair_id"] for row in kept] == [f"multinli:{name}" for name in pair_ids.split()]


def test_overlapping_copies_count_once_and_the_raw_wording_wins() -> None:
    raw = [pair("He didn't (really) stop.", "He went on.", promptID="5", pairID="5e")]
    tokenised = [
        pair("He did n't ( really ) stop .", "He went on ."),
        pair("He did n't ( really ) stop .", "He stopped .", "contradiction"),
    ]
    place = folder("multinli", {"z.jsonl": raw, "a.tok.jsonl": tokenised}, part="3 of 9 rows")
    kept, (tally,) = run("nli", place)
    assert [(row["premise_id"], row["premise"], row["hypothesis"]) for row in kept] == [
        ("multinli:5", "He didn't (really) stop.", "He went on."),
        ("multinli:5", "He didn't (really) stop.", "He stopped."),
    ]
    assert tally.counts["duplicate"] == 1


def test_the_log_says_which_part_of_a_corpus_was_read(capsys):
    part = "1 of 10,000 rows (dev)"
    run("nli", snli(pair("P.", "H."), part=part))
    assert f"1 of 1 rows kept; the file is {part}" in capsys.readouterr().err


def test_a_malformed_row_stops_the_run_and_leaves_the_old_output() -> None:
    place = snli(pair("P.", "H."), {"gold_label": "neutral"})
    OUT.write_bytes(b"old")
    told = r"a\.jsonl, row 2: the column 'sentence1' is missing.*--skip-malformed"
    with pytest.raises(DivLogicError, match=told):
        run("nli", place)
    assert OUT.read_bytes() == b"old"


def test_malformed_rows_are_counted_and_named_where_they_are_skipped(
    capsys: pytest.CaptureFixture[str],
) -> None:
    bad: list[Any] = [{"gold_label": "neutral"}] * 30
    kept, (tally,) = run("nli", snli(pair("P.", "H."), *bad), skip_malformed=True)
    assert len(kept) == 1 and tally.counts["malformed"] == 30
    log = capsys.readouterr().err
    assert "row 2:" in log and "row 31:" not in log and "30 malformed" in log


@pytest.mark.parametrize(
    ("role", "label", "problem"),
    [
        ("nli", "-", "no usable row"),
        ("generics", "neutral", "nothing there can be read as 'generics'"),
    ],
)
def test_a_corpus_without_a_usable_row_or_of_another_role_is_an_error(role, label, problem):
    with pytest.raises(DivLogicError, match=problem):
        run(role, snli(pair("P.", "H.", label)))


def test_a_cut_file_is_found_before_it_is_read() -> None:
    place = snli(pair("P.", "H."))
    (place / "a.jsonl").write_bytes(b"{}")
    with pytest.raises(DivLogicError, match=r"a\.jsonl has 2 bytes instead of"):
        run("nli", place)


def test_generics_are_normalised_with_term_score_and_source():
    table = b"TERM\tGENERIC SENTENCE\tSCORE\nloom\tLooms weave cloth.\t0.9\nloom\tLooms weave cloth\t0.8\n"
    files = {"g.tsv": table + b"kiln\tKilns fire clay.\t\n"}
    rows, (tally,) = run("generics", folder("genericskb", files, "generics_tsv"))
    assert rows == [
        {"term": "loom", "sentence": "Looms weave cloth.", "score": 0.9, "source": "genericskb"},
        {"term": "kiln", "sentence": "Kilns fire clay.", "score": None, "source": "genericskb"},
    ]
    assert tally.counts["duplicate"] == 1


def test_articles_are_normalised_to_title_and_text() -> None:
    files = {"a.jsonl": [{"title": "Loom", "text": "It weaves."}, {"title": "Empty", "text": ""}]}
    rows, _ = run("wikipedia", folder("simple", files, "wikipedia_jsonl"))
    assert rows == [{"title": "Loom", "text": "It weaves."}]


def test_two_processes_write_the_same_bytes() -> None:
    rows = [pair(f"P {number % 7}.", f"H {number % 40}.") for number in range(200)]
    command = [
        sys.executable,
        "-m",
        "divlogic.cli",
        "corpora",
        "normalise",
        str(snli(*rows)),
        "--role",
        "nli",
    ]
    sums = set()
    for seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        subprocess.run([*command, "--out", OUT], check=True, capture_output=True, env=environment)
        sums.add(file_sha256(OUT))
    assert len(sums) == 1


TRIPLES = st.tuples(
    st.sampled_from("PQR"), st.sampled_from("abcd"), st.sampled_from(["neutral", "entailment"])
)


@settings(max_examples=30, deadline=None)
@given(st.lists(TRIPLES))
def test_no_pair_is_lost_and_none_occurs_twice(triples: list[tuple[str, str, str]]) -> None:
    triples = [("P", "a", "neutral"), *triples]
    rows, (tally,) = run("nli", snli(*[pair(*triple) for triple in triples]))
    kept = [(row["premise"], row["hypothesis"], row["label"]) for row in rows]
    assert kept == list(dict.fromkeys(triples))
    assert tally.counts.total() == len(triples)
    # One premise, one id.
    assert len({row["premise_id"] for row in rows}) == len({row["premise"] for row in rows})
