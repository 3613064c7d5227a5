"""The light filter of generic statements: mid-sentence form, and a negation where it is certain.

Most arguments need no verb negation ("it is not true that" says the same), so a statement that the sentence filter
refuses only because it cannot negate it, or because it is more than one simple clause, is kept without one.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any

import click

from divlogic.benchmarks.justlogic.parameters import JustLogicRun, StatementParameters
from divlogic.config.option import FOLDER
from divlogic.corpora.tagger import load_tagger
from divlogic.errors import DivLogicError
from divlogic.io.files import read_jsonl, read_yaml, write_csv, write_jsonl
from divlogic.io.log import say, track
from divlogic.io.shards import divide
from divlogic.sentences import lexicon, source_checks
from divlogic.sentences.filtering import KeptSentence, SentenceFilter, with_inner_case
from divlogic.sentences.lexicon import lemmas_of
from divlogic.sentences.parameters import SentencesParameters
from divlogic.sentences.source_checks import group_id, refused
from divlogic.sentences.tokens import Reader, Refused, Sentence, Token, text_of

WORDS: dict[str, frozenset[str]] = {
    name: frozenset(words.split())
    for name, words in read_yaml(Path(__file__).with_name("words.yaml")).items()
}
COUNTED = ("outcome", "statements")
"""Columns of the counts."""
KEPT = ("kept", "kept_without_verb_negation")
"""Outcomes of statements that are kept: with a certain negation, and without."""
_PLAIN = re.compile(r"(?:[A-Za-z0-9 %.$-]|(?<=[A-Za-z])'(?=[A-Za-z]))+")
_WRONG_ARTICLE = re.compile(
    r"\ba (?:hono|honest|heir|hour)"
    r"|\ban (?:uni|use|usu|eu|one\b|once\b|[b-dfgj-np-tv-z][a-z])|\ba (?!one\b|once\b|eu|ewe)[aeio]",
    re.IGNORECASE,
)
_WRONG_PLURAL = re.compile(r"(?:x|sh|ch|ss)s\b|(?<!hu|ro|er|is|ha|to|ai)mans\b")
_TAUTOLOGY = re.compile(r"(?:an? |the )?(.+) (?:is|are) (?:an? |the )?\1", re.IGNORECASE)
_KIND_OF = re.compile(r"^(?:(?:an?|the|some) )?(?:(?:kinds?|types?|sorts?|form) of (?:an? )?)?")
_REPEATED = re.compile(r"\b(\w+) \1\b", re.IGNORECASE)
_LOOSE = re.compile(rf"\b(?:{'|'.join(sorted(WORDS['loose'])).replace('_', ' ')})(?!\w)")
_FINITE = frozenset(("VBZ", "VBP", "VBD", "MD"))
_JOINED = re.compile(r"\b(?:and|or|but|then|because|since)\b")
_PLURAL_COMPLEMENT = re.compile(r"\bis/VBZ(?: \S+/(?:JJ|NN|VBN|VBG))* \S+/NNS$")


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement in mid-sentence form; ``negated`` where the negation of its verb is certain.

    ``structured``: it was put together from an entry of a knowledge base, not taken from prose.
    """

    id: str
    term: str
    text: str
    negated: str | None
    source: str
    structured: bool = False


@dataclass(frozen=True)
class StatementFilter:
    """Turns raw generic statements into usable ones."""

    reader: Reader
    settings: StatementParameters

    def keep(self, row: dict[str, Any]) -> Statement:
        """Return the usable form of a row with ``term``, ``sentence``, ``score``, ``source``, or raise Refused."""
        if row["score"] is not None and row["score"] < self.settings.min_score:
            raise Refused("low_score")
        if group_id(row["sentence"]) in refused("sentences"):
            raise Refused("refused_sentence")
        text = " ".join(row["sentence"].replace("’", "'").split()).rstrip(".! ")
        words = [word.strip(".").lower() for word in text.replace("-", " ").split()]
        if source_checks.sensitive(text) or source_checks.sensitive(row["term"]):
            raise Refused("sensitive")
        if source_checks.judges_people(text):
            raise Refused("offensive")
        self._check_words(text, words)
        negation = None
        try:
            kept = self._filter.keep(text)
            tokens = kept.tokens
            if _is_certain(text, kept):
                negation = kept.negation
        except Refused as refusal:
            if refusal.reason not in WORDS["kept_without_negation"]:
                raise
        if negation is None:
            tokens = self._without_negation(text, row["term"])
        tokens = with_sure_case(tokens, row["term"])
        clause = text_of(with_proper_names(tokens))
        if negation is not None:
            first = tokens[:1] if negation[0].lower == tokens[0].lower else negation[:1]
            negation = with_proper_names((*first, *negation[1:]))
        identifier, term = hashlib.sha256(clause.encode()).hexdigest()[:12], row["term"].casefold()
        negated, source = text_of(negation) if negation else None, row["source"]
        return Statement(
            identifier, term, clause, negated, source, is_structured(source, row["score"])
        )

    @cached_property
    def _filter(self) -> SentenceFilter:
        settings = SentencesParameters(
            min_tokens=self.settings.min_tokens,
            max_tokens=self.settings.max_tokens,
            pronoun_subjects="drop",
            forbidden_marks=";(,?:",
            negation="as_published",
            sensitive="keep",  # :meth:`keep` has looked: what offends of people need not in a statement on nature
        )
        return SentenceFilter(self.reader, settings)

    def _check_words(self, text: str, words: list[str]) -> None:
        if not self.settings.min_tokens <= len(words) <= self.settings.max_tokens:
            raise Refused("length")
        if not _PLAIN.fullmatch(text) or "- " in text or "--" in text or "s" in words:
            raise Refused("markup")
        inside = set(words[1:]) - WORDS["allowed_inside"]
        if words[0] in WORDS["open_words"] or not WORDS["open_words"].isdisjoint(inside):
            raise Refused("open_word")
        if _LOOSE.search(text.lower()):
            raise Refused("loose")
        if _WRONG_ARTICLE.search(text):
            raise Refused("article")
        if _TAUTOLOGY.fullmatch(text) or is_analytic(words):
            raise Refused("analytic")
        if is_empty(words):
            raise Refused("says_nothing")
        if _WRONG_PLURAL.search(text) or _REPEATED.search(text):
            raise Refused("garbled")

    def _without_negation(self, text: str, term: str) -> Sentence:
        """Return the tokens of a statement that cannot be negated at its verb."""
        tokens = self.reader.tag(self.reader.words(text))
        if not WORDS["negative"].isdisjoint(token.lower for token in tokens):
            raise Refused("negative_word")
        if tokens[0].tag in WORDS["no_subject_first"]:
            raise Refused("opening")
        finite = [index for index, token in enumerate(tokens) if token.tag in _FINITE]
        if not finite:
            raise Refused("no_verb")
        # "P and Q" under a negation or before an "if" would be read in two ways.
        if any(token.lower == "and" for token in tokens[finite[0] : finite[-1]]):
            raise Refused("coordination")
        if _has_plural_complement(tokens):
            raise Refused("agreement")
        try:
            tokens = with_inner_case(tokens)
        except Refused:
            if not _is_common(tokens[0].text, term):
                raise
            tokens = (Token(tokens[0].lower, tokens[0].tag), *tokens[1:])
        named = {form for word in term.lower().split() for form in (word, word + "s")}
        for token in tokens:
            if (
                token.text.islower()
                and not lexicon.is_known(token.text)
                and token.text not in named
            ):
                raise Refused("unknown_word")
        return tokens


def is_structured(source: str, score: float | None) -> bool:
    """Return whether a statement comes from a knowledge base rather than from prose.

    GenericsKB names the base; where a copy of it has no column of sources, the score tells: only such entries have 1.0.
    """
    name = source.lower()
    return name.startswith(tuple(WORDS["structured_sources"])) or (
        name == "genericskb" and score == 1.0
    )


def is_analytic(words: Sequence[str]) -> bool:
    """Return whether a statement only dissects its subject: *a middle school is a school*, *arms races are races*."""
    be = next((i for i, word in enumerate(words) if word in ("is", "are")), None)
    if be is None or be == 0 or be + 1 == len(words):
        return False
    subject, complement = words[:be], _KIND_OF.sub("", " ".join(words[be + 1 :]), count=1).split()
    if not complement or len(complement) > len(subject):
        return False
    own = [lexicon.singular(word) for word in subject]
    return [lexicon.singular(word) for word in complement] == own[-len(complement) :]


def is_empty(words: Sequence[str]) -> bool:
    """Return whether a statement has no content: *capybara meat has quality*, *gaps are software*."""
    be = next((i for i, word in enumerate(words) if word in ("is", "are")), None)
    if be is not None and len(words) - be == 2 and be > 0:
        last = words[-1]
        nouns, others = "NOUN" in lemmas_of(last), set(lemmas_of(last)) - {"NOUN"}
        # *pagers are gear*: several of one kind are no mass; an adjective or a plural says something.
        mass = not lexicon.is_plural(last) if words[be] == "are" else last in WORDS["vague"]
        if nouns and not others and mass:
            return True
    if words[-1] in WORDS["vague"] and len(words) <= 5:
        before = words[-2] if len(words) > 1 else ""
        return "VERB" in lemmas_of(before) or before in ("a", "an", "of", "in", "have", "has")
    return False


def partition_statements(
    *,
    source: Annotated[Path, "--in", "Generic statements (jsonl.gz)."],
    shards: Annotated[int, click.IntRange(1), "Number of shards."],
    out: Annotated[Path, FOLDER, "Folder of one file (jsonl.gz) per shard; replaced."],
) -> None:
    """Divide generic statements by term: one file per shard of `statements`."""
    rows = track(read_jsonl(source), "generic statements")
    number = divide(source, ((shard_of(row["term"], shards), row) for _, row in rows), out, shards)
    say(f"justlogic: {number:,} generic statements for {shards:,} shards")


def shard_of(term: str, shards: int) -> int:
    """Return the shard that the statements on a term belong to: its hash says, so that the union does not depend on
    the number of shards."""
    return int.from_bytes(hashlib.sha256(term.casefold().encode()).digest()[:4], "big") % shards


def filter_statements(
    *,
    source: Annotated[Path, "--in", "Generic statements of this shard (jsonl.gz), or all."],
    tagger: Annotated[Path, FOLDER, "Folder of the tagger."],
    shard: Annotated[int, click.IntRange(0), "Number of this shard, from 0."],
    shards: Annotated[int, click.IntRange(1), "Number of shards."],
    out: Annotated[Path, "Usable statements of this shard (jsonl.gz)."],
    counts: Annotated[Path, "Outcomes of this shard's statements (csv)."],
    params: JustLogicRun,
) -> None:
    """Filter generic statements and negate them where that is certain."""
    filter_ = StatementFilter(Reader(load_tagger(tagger)), params.benchmarks.justlogic.statements)
    write_statements(source, filter_, shard, shards, out, counts)


def write_statements(
    source: Path, filter_: StatementFilter, shard: int, shards: int, out: Path, counts: Path
) -> Counter[str]:
    """Filter the statements of one shard and write them sorted by term and id; return the outcomes."""
    outcomes: Counter[str] = Counter()
    kept: dict[tuple[str, str], Statement] = {}
    row = None
    for _, row in track(read_jsonl(source), "generic statements"):
        if shard_of(row["term"], shards) != shard:
            continue
        try:
            statement = filter_.keep(row)
        except Refused as refusal:
            outcomes[refusal.reason] += 1
            continue
        known = (statement.term, statement.id) in kept
        outcomes["duplicate" if known else KEPT[0] if statement.negated else KEPT[1]] += 1
        kept.setdefault((statement.term, statement.id), statement)
    # Of few statements, one of several shards may hold none.
    if row is None and shards == 1:
        raise DivLogicError(f"{source}: the file is empty; run the step that makes it again.")
    write_jsonl(out, (kept[key] for key in sorted(kept)))
    write_csv(counts, COUNTED, sorted(outcomes.items()))
    return outcomes


def with_proper_names(tokens: Sentence) -> Sentence:
    """Give adjectives such as *American* their capital; *a high polish* is no adjective."""
    return tuple(
        Token(token.text.capitalize(), token.tag)
        if token.text in WORDS["proper"]
        and not (token.text in WORDS["common_too"] and token.tag != "JJ")
        else token
        for token in tokens
    )


def with_sure_case(tokens: Sentence, term: str) -> Sentence:
    """Write the first word small where term or tag says that it is no name; refuse it where that is unclear.

    GenericsKB writes many a term with a capital.
    """
    first = tokens[0]
    if (
        not first.text[:1].isupper()
        or not first.text[1:].islower()
        or first.lower in WORDS["proper"]
    ):
        return tokens
    if _is_common(first.text, term) or first.tag in ("NN", "NNS", "JJ"):
        return (Token(first.lower, first.tag), *tokens[1:])
    if len(tokens) > 1 and tokens[1].text[:1].isupper():
        return tokens
    raise Refused("uncertain_name")


def _is_certain(text: str, kept: KeptSentence) -> bool:
    """Return whether a verb negation of a generic statement can be relied on.

    The sentence filter was made for captions: it adds missing verbs, and where the tagger reads a present as a
    past tense, or a participle after *have* as a perfect, the negation would be wrong.
    """
    # "don't melt and run" denies both, or one; "isn't poor because it is small" denies the reason.
    if text_of(kept.tokens).lower() != text.lower() or _JOINED.search(text):
        return False
    words = [token.lower for token in kept.negation]
    head = words[kept.clause.head]
    for verb, word in pairwise(words):
        if word != "n't":
            continue
        if verb in ("did", "have", "has", "had", "was", "were"):
            return False
        if verb == "do":
            return lexicon.is_plural(head) or head in lexicon.PLURAL_NOUNS
        if verb == "does" and re.search(r"[^sui]s$", head):
            return False
    return not _has_plural_complement(kept.tokens)


def _has_plural_complement(tokens: Sentence) -> bool:
    """Return whether *is* comes before a plural noun."""
    return bool(
        _PLURAL_COMPLEMENT.search(" ".join(f"{token.lower}/{token.tag}" for token in tokens))
    )


def _is_common(word: str, term: str) -> bool:
    """Return whether the first word of a sentence is the lower-case term, or its plural, or the term's first word."""
    head = term.split()[0] if term.split() else ""
    lower = word.lower()
    if not head.islower() or lower in WORDS["proper"]:
        return False
    return lower == head or lower in (head + "s", head + "es", head.removesuffix("y") + "ies")
