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
    return ManifestFile(
        path.name, path.stat().st_size, "", None, reader, "whole", "embedded", members
    )


def stop(problem: str) -> None:
    raise DivLogicError(problem)


def pairs(
    path: Path, reader: str = "nli", members: tuple[str, ...] = (), malformed: Any = stop
) -> list:
    return list(read_pairs(path, described(path, reader, members), malformed))


def loose(content: bytes) -> Path:
    Path("a.jsonl").write_bytes(content)
    return Path("a.jsonl")


def packed(content: bytes) -> Path:
    Path("a.jsonl.gz").write_bytes(gzip.compress(content))
    return Path("a.jsonl.gz")


def zipped(members: dict[str, bytes]) -> Path:
    with zipfile.ZipFile("a.zip", "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return Path("a.zip")


def inside_zip(content: bytes) -> Path:
    return zipped({"snli/a.jsonl": content, "__MACOSX/a.txt": b"not read"})


FORMS = [loose, packed, inside_zip]


@pytest.mark.parametrize("form", FORMS)
def test_pairs_are_read_loose_gzipped_or_inside_the_zip(form: Callable) -> None:
    (row,) = pairs(form(lines(ROW)))
    assert (row.label, row.premise, row.genre) == ("neutral", "A potter shapes a bowl.", "captions")
    assert (row.premise_id, row.pair_id) == ("7.jpg#0", "7.jpg#0r1n")


def test_members_of_a_zip_are_read_in_the_registered_order() -> None:
    path = zipped(
        {f"{name}.jsonl": lines({**ROW, "pairID": name}) for name in ("dev", "train", "test")}
    )
    read = pairs(path, members=("train.jsonl", "dev.jsonl"))
    assert [row.pair_id for row in read] == ["train", "dev"]


def test_other_languages_than_english_are_passed_over() -> None:
    read = pairs(loose(lines({**ROW, "language": "de"}, {**ROW, "language": "en"})))
    assert [row.row for row in read] == [2]


TOKENS, JOINED = "She did n't stop , though .", "She didn't stop, though."


@pytest.mark.parametrize(
    ("changes", "reader", "name", "value"),
    [
        ({"captionID": None, "promptID": 31}, "nli", "premise_id", "31"),
        ({"captionID": None, "genre": "travel"}, "nli", "genre", "travel"),
        ({"sentence1": " A  potter\nshapes a bowl. "}, "nli", "premise", "A potter shapes a bowl."),
        ({"sentence1": TOKENS, "text_form": "ptb_tokenised"}, "nli", "premise", JOINED),
        ({"sentence1": TOKENS}, "nli_tokenised", "premise", JOINED),
    ],
    ids=["a prompt of MultiNLI", "a genre", "white space", "marked as tokenised", "tokenised"],
)
def test_a_row_is_read_in_its_form(
    changes: dict[str, Any], reader: str, name: str, value: str
) -> None:
    row = {key: known for key, known in {**ROW, **changes}.items() if known is not None}
    (read,) = pairs(loose(lines(row)), reader)
    assert getattr(read, name) == value


BAD_ROWS = {
    "not valid JSON": b'{"gold_label": \n',
    "a JSON list instead of an object": b"[1]\n",
    "the column 'sentence2' is missing": {key: ROW[key] for key in ("gold_label", "sentence1")},
    "the column 'sentence1' is not a string": {**ROW, "sentence1": 3},
    "the label is 'maybe'": {**ROW, "gold_label": "maybe"},
    "UTF-8": lines(ROW).replace(b"potter", b"pott\xe9r"),
    "nested deeper than 100 levels": b'{"gold_label": ' + b"[" * 900 + b"]" * 900 + b"}\n",
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("problem", BAD_ROWS)
def test_a_malformed_row_is_named_by_file_and_row(form: Callable, problem: str) -> None:
    path = form(lines(ROW, BAD_ROWS[problem], ROW))
    with pytest.raises(DivLogicError, match=problem) as caught:
        pairs(path)
    assert str(path) in str(caught.value) and "row 2" in str(caught.value)
    seen: list[str] = []
    assert len(pairs(path, malformed=seen.append)) == 2
    assert len(seen) == 1


@pytest.mark.parametrize("form", FORMS)
def test_a_line_without_an_end_is_an_error(form: Callable) -> None:
    path = form(lines(ROW) + b" " * (65 << 20))
    with pytest.raises(DivLogicError, match="more than 64 MiB without the end of a line"):
        pairs(path)


@pytest.mark.parametrize("content", [b"", b"\n  \n"])
@pytest.mark.parametrize("form", FORMS)
def test_an_empty_file_is_an_error(form: Callable, content: bytes) -> None:
    with pytest.raises(DivLogicError, match="the file is empty"):
        pairs(form(content))


@pytest.mark.parametrize(
    ("form", "problem"), [(packed, "damaged gzip data"), (inside_zip, "not a whole zip file")]
)
def test_broken_compression_is_a_sentence(form: Callable, problem: str) -> None:
    path = form(lines(*[{**ROW, "pairID": str(n * 7919)} for n in range(500)]))
    path.write_bytes(path.read_bytes()[:-40])
    with pytest.raises(DivLogicError, match=problem):
        pairs(path)


def test_a_missing_member_is_named() -> None:
    with pytest.raises(DivLogicError, match="no item named"):
        pairs(inside_zip(lines(ROW)), members=("dev.jsonl",))


# ---------------------------------------------------------------------------------------- generics

HEADER = b"SOURCE\tTERM\tQUANTIFIER\tGENERIC SENTENCE\tSCORE\n"


def generics(text: bytes) -> list:
    path = Path("g.tsv")
    path.write_bytes(text)
    return list(read_generics(path, described(path, "generics_tsv"), stop))


@pytest.mark.parametrize(
    ("text", "read"),
    [
        (HEADER + b"x\tloom\t\tLooms weave.\t0.93\n", ["loom", "Looms weave.", 0.93, "x"]),
        (
            b"TERM\tGENERIC SENTENCE\tSCORE\nloom\tLooms weave.\t\n",
            ["loom", "Looms weave.", None, None],
        ),
        (HEADER + b'x\tloom\t\t"Loom" is a noun.\t1\n', ["loom", '"Loom" is a noun.', 1.0, "x"]),
    ],
    ids=["all columns", "neither source nor quantifier", "quotation marks"],
)
def test_generic_statements_are_read_by_column_name(text: bytes, read: list[object]) -> None:
    (row,) = generics(text)
    assert list(row.values()) == read


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (b"TERM\tSCORE\nloom\t1\n", "the column 'GENERIC SENTENCE' is missing; found TERM, SCORE"),
        (HEADER + b"x\tloom\t\tLooms weave cloth.\n", "row 2: 4 columns instead of 5"),
        (HEADER + b"x\tloom\t\tLooms weave cloth.\thigh\n", "row 2: the score is 'high'"),
        (HEADER + b"x\tloom\t\tLooms weave clot\xe9.\t1\n", "row 2: not valid UTF-8"),
    ],
)
def test_malformed_statements_are_named(text: bytes, problem: str) -> None:
    with pytest.raises(DivLogicError, match=problem):
        generics(text)


# ---------------------------------------------------------------------------------------- prose


def articles(path: Path, reader: str) -> list[dict[str, str]]:
    return list(read_articles(path, described(path, reader), stop))


def tabled(**columns: list[str]) -> Path:
    parquet.write_table(arrow.table(columns), "a.parquet")
    return Path("a.parquet")


def test_wikiextractor_titles_do_not_stand_in_the_text() -> None:
    path = loose(lines({"title": "Loom", "text": "Loom\n\nA loom weaves cloth.\n", "url": "u"}))
    assert articles(path, "wikipedia_jsonl") == [{"title": "Loom", "text": "A loom weaves cloth."}]


def test_plain_lines_are_untitled_prose() -> None:
    read = articles(loose(b"A loom weaves cloth.\n\n = Loom = \n"), "text_lines")
    assert read == [
        {"title": "", "text": "A loom weaves cloth."},
        {"title": "", "text": "= Loom ="},
    ]


def test_parquet_is_read_in_batches() -> None:
    texts = [f"Text {number}." for number in range(1500)]
    read = articles(tabled(id=texts, title=texts, text=texts), "wikipedia_parquet")
    assert [article["text"] for article in read] == texts


@pytest.mark.parametrize("content", [b"", b"PAR1 not really", None])
def test_what_is_no_parquet_is_a_sentence(content: bytes | None) -> None:
    path = tabled(text=[f"Text {n}, {n * n}." for n in range(5000)])
    whole = path.read_bytes()
    damaged_in_its_middle = whole[:2000] + bytes(50) + whole[2050:]
    path.write_bytes(damaged_in_its_middle if content is None else content)
    with pytest.raises(DivLogicError, match="not a whole parquet file"):
        articles(path, "wikipedia_parquet")


def test_articles_without_text_are_refused() -> None:
    with pytest.raises(DivLogicError, match="the column 'text' is missing"):
        articles(tabled(title=["Loom"]), "wikipedia_parquet")
    with pytest.raises(DivLogicError, match="row 1: the field 'text'"):
        articles(loose(lines({"title": "Loom"})), "wikipedia_jsonl")


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
