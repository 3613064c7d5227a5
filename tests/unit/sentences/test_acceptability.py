"""What is rare in the corpora beside its alternative is refused; the counts do not depend on the shards."""

from __future__ import annotations

from pathlib import Path

import pytest

from divlogic.io.files import write_jsonl
from divlogic.sentences.acceptability.judging import Judge
from divlogic.sentences.acceptability.language import Language
from divlogic.sentences.acceptability.usage import add, count, read_usage, write_usage
from divlogic.sentences.filtering import SentenceFilter
from divlogic.sentences.groups import partition
from divlogic.sentences.parameters import SentencesParameters, least_acceptability
from divlogic.sentences.tokens import Reader
from tests.support import cases, nli_pair
from tests.unit.sentences.conftest import filtered

from .conftest import sentence

LINES = cases(__file__, "corpus")
"""Sentences of a small corpus with how many of their kind it holds."""


class FormTagger:
    """Gives every word the tag that it has in :data:`LINES`."""

    def __init__(self) -> None:
        self._tags = {token.text: token.tag for line, _ in LINES for token in sentence(line)}

    def tag(self, words: list[str]) -> list[tuple[str, str]]:
        return [(word, self._tags.get(word, "." if word == "." else "CD")) for word in words]


READER = Reader(FormTagger())


def rows() -> list[dict[str, object]]:
    texts = [(" ".join(token.text for token in sentence(line)), number) for line, number in LINES]
    # Each premise is another one: a number, which counts as one word.
    return [
        nli_pair(index, "neutral", f"some words were {index}", text, premise_id=f"{text} {index}")
        for text, number in texts
        for index in range(number)
    ]


@pytest.fixture(scope="module")
def pairs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("pairs") / "nli.jsonl.gz"
    write_jsonl(path, rows())
    return path


@pytest.fixture(scope="module")
def judge(pairs: Path) -> Judge:
    return Judge(Language(count(pairs, READER)))


@pytest.mark.parametrize(("tagged", "outcome"), cases(__file__, "rare"))
def test_what_is_rare_beside_its_alternative_is_told(
    judge: Judge, tagged: str, outcome: str
) -> None:
    acceptability, told = judge.acceptability(sentence(tagged))
    assert acceptability < 0.15
    assert told == outcome


@pytest.mark.parametrize("line", [line for line, number in LINES if number > 1])
def test_what_is_usual_is_acceptable(judge: Judge, line: str) -> None:
    assert judge.acceptability(sentence(line))[0] > 0.15


def test_a_slip_of_the_corpus_is_no_evidence_for_itself(judge: Judge) -> None:
    slip = next(line for line, number in LINES if number == 1)
    assert judge.acceptability(sentence(slip)) < (0.15, "unusual_article")


@pytest.mark.parametrize("word", cases(__file__, "names"))
def test_a_name_is_no_misspelling_of_another(judge: Judge, word: str) -> None:
    assert judge.spelling(sentence(f"{word}/NNP")[0], opens=False) > 0.15


def test_counts_do_not_depend_on_the_shards(tmp_path: Path, pairs: Path) -> None:
    whole = tmp_path / "whole.jsonl.gz"
    write_usage(whole, count(pairs, READER))
    partition(pairs, shards=3, out=tmp_path / "pairs")
    parts = []
    for shard in range(3):
        write_usage(
            tmp_path / f"{shard}.jsonl.gz", count(tmp_path / "pairs" / f"{shard}.jsonl.gz", READER)
        )
        parts.append(read_usage(tmp_path / f"{shard}.jsonl.gz"))
    summed = tmp_path / "summed.jsonl.gz"
    write_usage(summed, add(parts))
    assert summed.read_bytes() == whole.read_bytes()


def test_a_premise_counts_once_however_many_hypotheses_it_has(tmp_path: Path) -> None:
    row = rows()[0]
    write_jsonl(tmp_path / "one.jsonl", [row])
    write_jsonl(tmp_path / "two.jsonl", [row, row | {"hypothesis": "the goat sleeps"}])
    one, two = (Language(count(tmp_path / name, READER)) for name in ("one.jsonl", "two.jsonl"))
    assert one.frequency("words") == two.frequency("words") == 1
    assert (one.frequency("goat"), two.frequency("goat")) == (0, 1)


def test_refused_sentences_are_counted_under_their_outcome(tmp_path: Path, judge: Judge) -> None:
    row = rows()[0] | {"premise": "a goat walks on lawn", "hypothesis": "a goat walks in the barn"}
    write_jsonl(tmp_path / "nli.jsonl", [row])
    for least, kept in ((0.0, 1), (0.15, 0)):
        sentences = SentenceFilter(READER, SentencesParameters(min_acceptability=least), judge)
        groups, counts = filtered(tmp_path / "nli.jsonl", sentences)
        assert len(groups) == kept
        assert counts["captions", "premise", "unusual_article"] == 1 - kept


def test_full_runs_are_judged_unless_the_user_says_otherwise() -> None:
    assert least_acceptability(SentencesParameters(), "full") > 0
    assert least_acceptability(SentencesParameters(), "embedded") == 0
    assert least_acceptability(SentencesParameters(min_acceptability=0), "full") == 0
