"""The light filter of generic statements."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from divlogic.benchmarks.justlogic import statements
from divlogic.benchmarks.justlogic.parameters import StatementParameters
from divlogic.benchmarks.justlogic.statements import (
    StatementFilter,
    partition_statements,
    write_statements,
)
from divlogic.benchmarks.justlogic.table import Row, Statements, clash, lemmas, merge_statements
from divlogic.errors import DivLogicError
from divlogic.io.files import read_jsonl, write_jsonl
from divlogic.sentences.clause import Refused
from divlogic.sentences.source_checks import group_id
from divlogic.sentences.tokens import Reader
from tests.support import cases

TAGS = {
    **dict.fromkeys(("otters", "stones", "whales", "leaves", "beetles", "boxs", "tools"), "NNS"),
    **dict.fromkeys(("otter", "stone", "octroi", "tax", "heat", "evening"), "NN"),
    **dict.fromkeys(("carry", "swim", "eat", "take"), "VBP"),
    **dict.fromkeys(("is", "carries", "resists"), "VBZ"),
    **dict.fromkeys(("that", "an", "a", "the", "some", "every"), "DT"),
    **dict.fromkeys(("american", "heavy"), "JJ"),
    "and": "CC",
    "because": "IN",
    "may": "MD",
    "in": "IN",
    "are": "VBP",
    "it": "PRP",
    "never": "RB",
}


class DictionaryTagger:
    """Tags from a list of words."""

    def tag(self, words: list[str]) -> list[tuple[str, str]]:
        return [
            (word, TAGS.get(word.lower(), "NNP" if word[0].isupper() else "NN")) for word in words
        ]


FILTER = StatementFilter(Reader(DictionaryTagger()), StatementParameters())


def row(sentence: str, term: str = "otter", score: float | None = 0.9) -> dict[str, object]:
    return {"term": term, "sentence": sentence, "score": score, "source": "x"}


@pytest.mark.parametrize(
    ("term", "text", "negated"),
    [
        ("otter", "otters carry heavy stones", "otters don't carry heavy stones"),
        ("otter", "otters may carry stones", None),
        ("octroi", "an octroi is a tax", None),  # a rare word, which is the term
        (
            "stone",
            "stones take a heavy polish",
            "stones don't take a heavy polish",
        ),  # also a nationality
    ],
)
def test_a_statement_gets_its_mid_sentence_form_and_a_negation_at_its_verb_or_none(
    term: str, text: str, negated: str | None
) -> None:
    kept = FILTER.keep(row(f"{text.capitalize()}.", term))
    assert (kept.text, kept.negated) == (text, negated)


def test_a_rare_word_is_unknown_if_it_is_not_the_term() -> None:
    with pytest.raises(Refused, match="unknown_word"):
        FILTER.keep(row("An octroi is a tax.", "tax"))


def test_adjectives_of_nationality_get_their_capital() -> None:
    kept = FILTER.keep(row("Heavy american otters carry stones.", "american otter"))
    assert kept.text == "heavy American otters carry stones"


@pytest.mark.parametrize(("sentence", "reason"), cases(__file__, "dropped"))
def test_a_statement_that_would_mislead_within_an_argument_is_dropped(
    sentence: str, reason: str
) -> None:
    with pytest.raises(Refused, match=reason):
        FILTER.keep(row(sentence))


def test_a_wrong_statement_or_one_of_low_score_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        statements, "refused", lambda what: frozenset({group_id("otters carry stones")})
    )
    with pytest.raises(Refused, match="refused_sentence"):
        FILTER.keep(row("Otters carry stones."))
    assert FILTER.keep(row("Otters carry heavy stones."))
    with pytest.raises(Refused, match="low_score"):
        replace(FILTER, settings=StatementParameters(min_score=0.95)).keep(
            row("Otters carry heavy stones.")
        )


SENTENCES = [
    row("Otters carry heavy stones."),
    row("Otters eat beetles in the evening."),
    row("Whales eat beetles in the evening.", "whale"),
    row("Beetles carry leaves in the evening.", "beetle"),
    row("Beetles carry leaves in the evening.", "beetle"),
    row("Whales swim or eat.", "whale"),
]


def test_the_table_does_not_depend_on_the_number_of_shards(tmp_path: Path) -> None:
    write_jsonl(tmp_path / "in.jsonl", SENTENCES)
    for shards in (1, 3):
        files = [tmp_path / f"{shards}-{shard}.jsonl.gz" for shard in range(shards)]
        total = Counter[str]()
        for shard, out in enumerate(files):
            total += write_statements(
                tmp_path / "in.jsonl", FILTER, shard, shards, out, tmp_path / "c.csv"
            )
        merge_statements(files, tmp_path / f"{shards}.jsonl", 1.0, total)
    assert (tmp_path / "1.jsonl").read_bytes() == (tmp_path / "3.jsonl").read_bytes()
    rows = [line for _, line in read_jsonl(tmp_path / "1.jsonl")]
    assert [line["term"] for line in rows] == ["beetle", "otter", "otter", "whale"]


@pytest.mark.parametrize("shards", [1, 3, 40])
def test_a_shard_reads_its_own_statements_and_writes_the_bytes_that_one_that_reads_all_writes(
    tmp_path: Path, shards: int
) -> None:
    write_jsonl(tmp_path / "in.jsonl", SENTENCES)
    partition_statements(source=tmp_path / "in.jsonl", shards=shards, out=tmp_path / "parts")
    read = []
    for shard in range(shards):
        part = tmp_path / "parts" / f"{shard}.jsonl.gz"
        read += [line for _, line in read_jsonl(part)]
        written = []
        for source in (tmp_path / "in.jsonl", part):
            write_statements(
                source, FILTER, shard, shards, tmp_path / "o.jsonl.gz", tmp_path / "c.csv"
            )
            written.append(
                ((tmp_path / "o.jsonl.gz").read_bytes(), (tmp_path / "c.csv").read_bytes())
            )
        assert written[0] == written[1]
    assert sorted(read, key=str) == sorted(SENTENCES, key=str)


def test_no_statements_are_told_when_they_are_divided(tmp_path: Path) -> None:
    write_jsonl(tmp_path / "in.jsonl", [])
    with pytest.raises(DivLogicError, match="the file is empty"):
        partition_statements(source=tmp_path / "in.jsonl", shards=2, out=tmp_path / "parts")
    assert not (tmp_path / "parts").exists()


def test_one_of_several_shards_may_hold_no_statement_and_an_only_one_may_not(
    tmp_path: Path,
) -> None:
    shard, out, counts = tmp_path / "0.jsonl", tmp_path / "o.jsonl", tmp_path / "c.csv"
    write_jsonl(shard, [])
    assert write_statements(shard, FILTER, 0, 2, out, counts).total() == 0
    with pytest.raises(DivLogicError, match=r"0\.jsonl: the file is empty"):
        write_statements(shard, FILTER, 0, 1, out, counts)


@pytest.mark.parametrize("name", ["statements.jsonl", "statements.jsonl.gz"])
def test_a_table_of_statements_gives_each_row_compressed_or_not(tmp_path: Path, name: str) -> None:
    table = tmp_path / name
    fields = ("id", "text", "negated", "source")
    write_jsonl(table, [dict.fromkeys(fields, "x") | {"term": f"lamp {at}"} for at in range(9)])
    statements = Statements(table)
    assert [statements.row(at).term for at in range(len(statements))] == [
        f"lamp {at}" for at in range(9)
    ]


def test_a_damaged_or_an_empty_table_of_statements_is_not_drawn_from(tmp_path: Path) -> None:
    table = tmp_path / "statements.jsonl.gz"
    write_jsonl(table, [])
    with pytest.raises(DivLogicError, match="the file is empty"):
        Statements(table)
    write_jsonl(table, [{"id": "a lamp"}] * 9)
    whole = table.read_bytes()
    table.write_bytes(whole[:-4])
    with pytest.raises(DivLogicError, match="damaged gzip data"):
        Statements(table)


def said(term: str, text: str) -> Row:
    return Row("x", term, text, None, "x", lemmas(text) | lemmas(term), lemmas(term))


@pytest.mark.parametrize(("first", "second", "alike"), cases(__file__, "alike"))
def test_statements_that_may_say_the_same_are_kept_apart(
    first: tuple[str, str], second: tuple[str, str], alike: bool
) -> None:
    assert clash(said(*first), said(*second), 0.5) is alike
    assert clash(said(*second), said(*first), 0.5) is alike
