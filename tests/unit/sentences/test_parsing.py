"""Sentences that do not parse are refused last and counted; without the parser its user is told what to install."""

from __future__ import annotations

import ctypes
from pathlib import Path

import pytest

from divlogic.cli import group
from divlogic.errors import DivLogicError
from divlogic.io.files import write_jsonl
from divlogic.sentences import parsing
from divlogic.sentences.filtering import SentenceFilter
from divlogic.sentences.parameters import SentencesParameters
from divlogic.sentences.parsing import LinkParser
from divlogic.sentences.tokens import Reader
from tests.support import call, nli_pair

from .conftest import ScriptedTagger, filtered

cli = group("sentences")


class WithoutBarns:
    """Parses whatever names no barn, and remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def parses(self, text: str) -> bool:
        self.asked.append(text)
        return "barn" not in text


SETTINGS = SentencesParameters()


def parsed(
    tmp_path: Path, tagger: ScriptedTagger, premise: str, hypothesis: str
) -> tuple[int, dict, list[str]]:  # type: ignore[type-arg]
    row = nli_pair(1, "entailment", tagger.learn(premise), tagger.learn(hypothesis))
    write_jsonl(tmp_path / "nli.jsonl", [row])
    parser = WithoutBarns()
    groups, counts = filtered(
        tmp_path / "nli.jsonl", SentenceFilter(Reader(tagger), SETTINGS, parser=parser)
    )
    return sum(len(group["entailed"]) for group in groups) + len(groups), dict(counts), parser.asked


@pytest.mark.parametrize(
    ("premise", "hypothesis", "kept", "outcomes"),
    [
        ("lawn", "shed", 2, {("premise", "kept"): 1, ("entailed", "kept"): 1}),
        ("lawn", "barn", 1, {("premise", "kept"): 1, ("entailed", "unparsed"): 1}),
        ("barn", "lawn", 0, {("premise", "unparsed"): 1, ("entailed", "premise_dropped"): 1}),
    ],
)
def test_a_sentence_that_does_not_parse_is_counted(
    tmp_path: Path,
    tagger: ScriptedTagger,
    premise: str,
    hypothesis: str,
    kept: int,
    outcomes: dict[tuple[str, str], int],
) -> None:
    form = "a/DT goat/NN is/VBZ walking/VBG near/IN the/DT {}/NN"
    number, counts, _ = parsed(tmp_path, tagger, form.format(premise), form.format(hypothesis))
    assert number == kept
    assert counts == {("captions", *key): times for key, times in outcomes.items()}


def test_only_what_is_kept_otherwise_is_parsed_and_as_it_will_read(
    tmp_path: Path, tagger: ScriptedTagger
) -> None:
    """Parsing takes the longest, and a repaired sentence is another one."""
    *_, asked = parsed(
        tmp_path,
        tagger,
        "a/DT goat/NN walking/VBG near/IN the/DT lawn/NN",
        "blah/NN blah/NN blah/NN blah/NN",
    )
    assert asked == ["a goat is walking near the lawn"]


def test_without_the_library_its_user_is_told_how_to_install_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(name: str) -> ctypes.CDLL:
        raise OSError(f"{name}: cannot open shared object file")

    monkeypatch.setattr(ctypes, "CDLL", missing)
    parsing._library.cache_clear()
    write_jsonl(tmp_path / "nli.jsonl", [{}])
    files = f"--in {tmp_path}/nli.jsonl --tagger {tmp_path} --out {tmp_path}/out.jsonl.gz --counts {tmp_path}/c.csv"
    with pytest.raises(
        DivLogicError, match=r"(?s)apt-get install.*sentences\.max_link_cost to null"
    ):
        call(cli, f"filter {files} --shard 0 --shards 1", {"sentences": {"max_link_cost": 2}})
    parsing._library.cache_clear()


@pytest.fixture(scope="module")
def parser() -> LinkParser:
    parsing._library.cache_clear()
    try:
        return LinkParser(2)
    except DivLogicError:
        pytest.skip("needs link grammar (docs/phases/sentences.md)")


ENGLISH = [
    "a goat is walking near the lawn",
    "two cooks are peeling apples",
    "there are owls in the barn",
]
SLIPS = [
    "a shed is being painted buy three cooks",
    "the cook lost it's spoon",
    "a cook eats and apple",
]
SLIPS += ["a goat asleep on the lawn", ""]


@pytest.mark.parametrize("text", [*ENGLISH, *SLIPS])
def test_english_parses_and_slips_do_not(parser: LinkParser, text: str) -> None:
    assert parser.parses(text) is (text in ENGLISH)


def test_a_smaller_cost_is_stricter(parser: LinkParser) -> None:
    text = "a cook in red top and blue shorts is running"
    assert parser.parses(text)
    assert not LinkParser(0.3).parses(text)


def test_a_sentence_parses_or_not_whatever_was_parsed_before(parser: LinkParser) -> None:
    texts = [f"a {colour} goat and {number} cooks {verb} near the lawn" for colour in ("red", "white", "of")
             for number in ("two", "the") for verb in ("are walking", "walking", "sleep")]  # fmt: skip
    forwards = [parser.parses(text) for text in texts]
    assert forwards == [parser.parses(text) for text in reversed(texts)][::-1]
    assert forwards == [LinkParser(2).parses(text) for text in texts]
    assert len(set(forwards)) == 2
