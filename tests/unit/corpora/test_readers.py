"""The corpus readers, on files that the tests write."""

from __future__ import annotations

import gzip
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import pyarrow as arrow
import pyarrow.parquet as parquet
import pytest

from divlogic.corpora.manifest import ManifestFile
from divlogic.corpora.readers import detokenise, read_articles, read_generics, read_pairs
from divlogic.errors import DivLogicError

ROW = {
    "annotator_labels": ["neutral"],
    "captionID": "7.jpg#0",
    "gold_label": "neutral",
    "pairID": "7.jpg#0r1n",
    "sentence1": "A potter shapes a bowl.",
    "sentence2": "A potter shapes a bowl for a museum.",
}


def lines(*rows: Any) -> bytes:
    return b"".join(row if isinstance(row, bytes) else orjson.dumps(row) + b"\n" for row in rows)


def described(path: Path, reader: str, members: tuple[str, ...] = ()) -> ManifestFile:
    return ManifestFile(path.name, path.stat().st_size, "", None, reader, "whole", "embedded", members)


def stop(problem: str) -> None:
    raise DivLogicError(problem)


def pairs(path: Path, reader: str = "nli", members: tuple[str, ...] = (), malformed: Any = stop) -> list:
    return list(read_pairs(path, described(path, reader, members), malformed))


def loose(tmp_path: Path, content: bytes) -> Path:
    (tmp_path / "a.jsonl").write_bytes(content)
    return tmp_path / "a.jsonl"


def packed(tmp_path: Path, content: bytes) -> Path:
    (tmp_path / "a.jsonl.gz").write_bytes(gzip.compress(content))
    return tmp_path / "a.jsonl.gz"


def inside_zip(tmp_path: Path, content: bytes) -> Path:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("snli/a.jsonl", content)
        archive.writestr("__MACOSX/a.txt", "not read")
    return tmp_path / "a.zip"


FORMS = [loose, packed, inside_zip]


@pytest.mark.parametrize("form", FORMS)
def test_pairs_are_read_loose_gzipped_or_inside_the_zip(tmp_path: Path, form: Callable) -> None:
    (row,) = pairs(form(tmp_path, lines(ROW)))
    assert (row.label, row.premise, row.premise_id, row.pair_id) == (
        "neutral",
        "A potter shapes a bowl.",
        "7.jpg#0",
        "7.jpg#0r1n",
    )
    assert row.genre == "captions"


def test_members_of_a_zip_are_read_in_the_registered_order(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name in ("dev", "train", "test"):
            archive.writestr(f"{name}.jsonl", lines({**ROW, "pairID": name}))
    read = pairs(path, members=("train.jsonl", "dev.jsonl"))
    assert [row.pair_id for row in read] == ["train", "dev"]


def test_multinli_rows_bring_genre_and_prompt(tmp_path: Path) -> None:
    row = {key: value for key, value in ROW.items() if key != "captionID"}
    (read,) = pairs(loose(tmp_path, lines({**row, "genre": "travel", "promptID": 31})))
    assert (read.genre, read.premise_id) == ("travel", "31")


def test_other_languages_than_english_are_passed_over(tmp_path: Path) -> None:
    read = pairs(loose(tmp_path, lines({**ROW, "language": "de"}, {**ROW, "language": "en"})))
    assert [row.row for row in read] == [2]


def test_white_space_is_made_single(tmp_path: Path) -> None:
    (row,) = pairs(loose(tmp_path, lines({**ROW, "sentence1": " A  potter\nshapes a bowl. "})))
    assert row.premise == "A potter shapes a bowl."


@pytest.mark.parametrize("mark", [{"text_form": "ptb_tokenised"}, {}])
def test_tokenised_rows_are_put_together(tmp_path: Path, mark: dict[str, str]) -> None:
    path = loose(tmp_path, lines({**ROW, "sentence1": "She did n't stop , though .", **mark}))
    (row,) = pairs(path, "nli" if mark else "nli_tokenised")
    assert row.premise == "She didn't stop, though."


BAD_ROWS = {
    "not valid JSON": b'{"gold_label": \n',
    "a JSON list instead of an object": b"[1]\n",
    "the column 'sentence2' is missing": {key: ROW[key] for key in ("gold_label", "sentence1")},
    "the column 'sentence1' is not a string": {**ROW, "sentence1": 3},
    "the label is 'maybe'": {**ROW, "gold_label": "maybe"},
    "UTF-8": lines(ROW).replace(b"potter", b"pott\xe9r"),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("problem", BAD_ROWS)
def test_a_malformed_row_is_named_by_file_and_row(tmp_path: Path, form: Callable, problem: str) -> None:
    path = form(tmp_path, lines(ROW, BAD_ROWS[problem], ROW))
    with pytest.raises(DivLogicError, match=problem) as caught:
        pairs(path)
    assert str(path) in str(caught.value) and "row 2" in str(caught.value)
    seen: list[str] = []
    assert len(pairs(path, malformed=seen.append)) == 2
    assert len(seen) == 1


@pytest.mark.parametrize("content", [b"", b"\n  \n"])
@pytest.mark.parametrize("form", FORMS)
def test_an_empty_file_is_an_error(tmp_path: Path, form: Callable, content: bytes) -> None:
    with pytest.raises(DivLogicError, match="the file is empty"):
        pairs(form(tmp_path, content))


@pytest.mark.parametrize(
    ("form", "problem"), [(packed, "broken gzip data"), (inside_zip, "not a whole zip file")]
)
def test_broken_compression_is_a_sentence(tmp_path: Path, form: Callable, problem: str) -> None:
    path = form(tmp_path, lines(*[{**ROW, "pairID": str(n * 7919)} for n in range(500)]))
    path.write_bytes(path.read_bytes()[:-40])
    with pytest.raises(DivLogicError, match=problem):
        pairs(path)


def test_a_missing_member_is_named(tmp_path: Path) -> None:
    with pytest.raises(DivLogicError, match="no item named"):
        pairs(inside_zip(tmp_path, lines(ROW)), members=("dev.jsonl",))


# ---------------------------------------------------------------------------------------- generics

HEADER = "SOURCE\tTERM\tQUANTIFIER\tGENERIC SENTENCE\tSCORE\n"


def generics(tmp_path: Path, text: str | bytes, malformed: Any = stop) -> list:
    path = tmp_path / "g.tsv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return list(read_generics(path, described(path, "generics_tsv"), malformed))


def test_generic_statements_are_read_by_column_name(tmp_path: Path) -> None:
    (row,) = generics(tmp_path, HEADER + "WikiCommons\tloom\t\tLooms weave cloth.\t0.93\n")
    assert list(row.values()) == ["loom", "Looms weave cloth.", 0.93, "WikiCommons"]


def test_generic_statements_may_lack_source_and_quantifier(tmp_path: Path) -> None:
    (row,) = generics(tmp_path, "TERM\tGENERIC SENTENCE\tSCORE\nloom\tLooms weave cloth.\t\n")
    assert (row["score"], row["source"]) == (None, None)


def test_quotation_marks_in_a_statement_are_text(tmp_path: Path) -> None:
    (row,) = generics(tmp_path, HEADER + 'x\tloom\t\t"Loom" is a noun.\t1\n')
    assert row["sentence"] == '"Loom" is a noun.'


def test_a_missing_generics_column_is_named(tmp_path: Path) -> None:
    with pytest.raises(DivLogicError, match="the column 'GENERIC SENTENCE' is missing; found TERM, SCORE"):
        generics(tmp_path, "TERM\tSCORE\nloom\t1\n")


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (b"x\tloom\t\tLooms weave cloth.\n", "4 columns instead of 5"),
        (b"x\tloom\t\tLooms weave cloth.\thigh\n", "the score is 'high'"),
        (b"x\tloom\t\tLooms weave clot\xe9.\t1\n", "not valid UTF-8"),
    ],
)
def test_a_malformed_statement_is_named_by_row(tmp_path: Path, line: bytes, problem: str) -> None:
    with pytest.raises(DivLogicError, match=f"row 2: {problem}"):
        generics(tmp_path, HEADER.encode() + line)


# ---------------------------------------------------------------------------------------- prose


def articles(path: Path, reader: str) -> list[dict[str, str]]:
    return list(read_articles(path, described(path, reader), stop))


def test_wikiextractor_titles_do_not_stand_in_the_text(tmp_path: Path) -> None:
    path = loose(tmp_path, lines({"title": "Loom", "text": "Loom\n\nA loom weaves cloth.\n", "url": "u"}))
    assert articles(path, "wikipedia_jsonl") == [{"title": "Loom", "text": "A loom weaves cloth."}]


def test_plain_lines_are_untitled_prose(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("A loom weaves cloth.\n\n = Loom = \n")
    read = articles(tmp_path / "a.txt", "text_lines")
    assert read == [{"title": "", "text": "A loom weaves cloth."}, {"title": "", "text": "= Loom ="}]


def test_parquet_is_read_in_batches(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    texts = [f"Text {number}." for number in range(1500)]
    parquet.write_table(arrow.table({"id": texts, "title": texts, "text": texts}), path)
    assert [article["text"] for article in articles(path, "wikipedia_parquet")] == texts


@pytest.mark.parametrize("content", [b"", b"PAR1 not really", None])
def test_what_is_no_parquet_is_a_sentence(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "a.parquet"
    if content is None:  # damaged in its middle
        parquet.write_table(arrow.table({"text": [f"Text {n}, {n * n}." for n in range(5000)]}), path)
        content = path.read_bytes()[:2000] + bytes(50) + path.read_bytes()[2050:]
    path.write_bytes(content)
    with pytest.raises(DivLogicError, match="not a whole parquet file"):
        articles(path, "wikipedia_parquet")


def test_parquet_without_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    parquet.write_table(arrow.table({"title": ["Loom"]}), path)
    with pytest.raises(DivLogicError, match="the column 'text' is missing"):
        articles(path, "wikipedia_parquet")


def test_an_article_without_text_is_malformed(tmp_path: Path) -> None:
    with pytest.raises(DivLogicError, match="row 1: the field 'text'"):
        articles(loose(tmp_path, lines({"title": "Loom"})), "wikipedia_jsonl")


@pytest.mark.parametrize(
    ("tokens", "sentence"),
    [
        ("It is n't ( really ) the sailors ' boat .", "It isn't (really) the sailors' boat."),
        ("We 'll see , he 'd said : `` wait ! ''", "We'll see, he'd said: \"wait!\""),
        ("You can not pay $ 5 or 10 % .", "You cannot pay $5 or 10%."),
        ('She said " no " and " yes " twice .', 'She said "no" and "yes" twice.'),
        ("They 're gon na leave -LRB- soon -RRB- .", "They're gonna leave (soon)."),
        ("A plain sentence.", "A plain sentence."),
    ],
)
def test_treebank_tokens_become_ordinary_spelling(tokens: str, sentence: str) -> None:
    assert detokenise(tokens) == sentence
