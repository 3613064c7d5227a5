"""Sentences written with their tags, so that these tests do not depend on a tagger's mistakes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from divlogic.io.files import read_jsonl
from divlogic.sentences.filtering import KeptSentence, SentenceFilter
from divlogic.sentences.groups import Counts, write_filtered
from divlogic.sentences.merging import merge_sentences
from divlogic.sentences.negation import Scope, negated
from divlogic.sentences.parameters import SentencesParameters, SentencesRun
from divlogic.sentences.tokens import Reader, Refused, Sentence, Token, text_of

Keep = Callable[..., KeptSentence]


def sentence(tagged: str) -> Sentence:
    """Build a sentence from ``word/TAG`` items parted by blanks."""
    return tuple(Token(*item.rsplit("/", 1)) for item in tagged.split())


PUBLISHED = {"negation": "as_published", "hypothesis_subjects": "as_published"}
"""The paper's own way (Appendix C), which most tests of the filter are about."""


def filtered(source: Path, sentences: SentenceFilter) -> tuple[list[dict[str, Any]], Counts]:
    """Filter all pairs of a file; return the groups and the outcomes."""
    out = source.with_name("filtered.jsonl")
    _, counts = write_filtered(source, sentences, 0, 1, out, source.with_name("filtered.csv"))
    return [row for _, row in read_jsonl(out)], counts


def merge(
    shards: list[Path],
    counts: list[Path],
    out: Path,
    counts_out: Path,
    summary_out: Path,
    share: float = 1.0,
) -> None:
    """Merge shards; ``share`` is the largest one of groups from corpora of pairs."""
    params = SentencesRun(sentences=SentencesParameters(mnli_share=share))
    merge_sentences(
        (*shards, *counts), params=params, out=out, counts_out=counts_out, summary_out=summary_out
    )


def negate(tokens: Sentence, scope: Scope = "wide_scope") -> Sentence | None:
    """Return the negation of a tagged sentence, or ``None`` where it is not certain."""
    try:
        return negated(tokens, scope)
    except Refused:
        return None


def denied(tagged: str, scope: Scope = "wide_scope", times: int = 1) -> str | None:
    """Return the text of a tagged sentence that is denied so many times, or ``None`` where that is not certain."""
    tokens: Sentence | None = sentence(tagged)
    for _ in range(times):
        tokens = negate(tokens, scope) if tokens else None
    return text_of(tokens) if tokens else None


def outcome(step: Callable[..., Sentence], *given: object, **options: object) -> str:
    """Return the text that a step makes, or why it refuses to."""
    try:
        return text_of(step(*given, **options))
    except Refused as refusal:
        return refusal.reason


class ScriptedTagger:
    """Gives every word the tag that a test wrote beside it."""

    def __init__(self) -> None:
        self.tags: dict[str, str] = {}

    def learn(self, tagged: str) -> str:
        """Remember ``word/TAG`` items; return their words as plain text."""
        tokens = sentence(tagged)
        self.tags.update((token.text, token.tag) for token in tokens)
        return " ".join(token.text for token in tokens)

    def tag(self, words: list[str]) -> list[tuple[str, str]]:
        return [(word, self.tags.get(word, "NN" if word.isalpha() else ".")) for word in words]


@pytest.fixture
def tagger() -> ScriptedTagger:
    return ScriptedTagger()


@pytest.fixture
def keep(tagger: ScriptedTagger) -> Keep:
    """Filter a sentence written as ``word/TAG`` items (optionally against a premise), as published if not told."""

    def run(tagged: str, premise: KeptSentence | None = None, **settings: object) -> KeptSentence:
        sentences = SentenceFilter(Reader(tagger), SentencesParameters(**{**PUBLISHED, **settings}))  # type: ignore[arg-type]
        return sentences.keep(tagger.learn(tagged), premise)

    return run


@pytest.fixture
def reason(keep: Keep) -> Callable[..., str]:
    """Return why a sentence is dropped, or ``kept``."""

    def run(tagged: str, premise: KeptSentence | None = None, **settings: object) -> str:
        try:
            keep(tagged, premise, **settings)
        except Refused as refusal:
            return refusal.reason
        return "kept"

    return run
