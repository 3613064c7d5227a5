"""The sentence filter: which sentences are kept, in what form, and why the others are dropped (Appendix C)."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from divlogic.sentences import lexicon, source_checks
from divlogic.sentences.clause import Clause, analyse
from divlogic.sentences.lexicon import in_dictionary, lemma_of, lemmas_of
from divlogic.sentences.negation import check_countable, contradicts, negated, quantified
from divlogic.sentences.parameters import SentencesParameters
from divlogic.sentences.parsing import UNPARSED, LinkParser
from divlogic.sentences.phrases import is_modifier
from divlogic.sentences.repair import check_article, check_head, repaired
from divlogic.sentences.subject import introduced, resolved
from divlogic.sentences.tokens import (
    ADJECTIVES,
    NOUNS,
    Reader,
    Refused,
    Sentence,
    Token,
    run_start,
    text_of,
)

if TYPE_CHECKING:
    from divlogic.sentences.acceptability.judging import Judge

_PLAIN = re.compile(r"[\w '.,;:()?!&%$-]+")
_NOT_A_SENTENCE = re.compile(r"n\s*/\s*a|none|nothing|test|blah.*|\W*", re.IGNORECASE)
_INNER_STOP = re.compile(
    r"[.!?:](?<!\b[A-Z].)(?<!\bMr.)(?<!\bMrs.)(?<!\bMs.)(?<!\bDr.)(?<!\bSt.)\s"
)
_FINAL_COMMA = re.compile(r"\s*,\s*(?=[.!]*\s*$)")
_ADJECTIVE_COMMA = re.compile(
    r"\b(an?|the|his|her|one|two|three|four|some|several) ([a-z]+), ([a-z]+)(?= [a-z])",
    re.IGNORECASE,
)
_NEVER_AFTER_ARTICLE = lexicon.listed("never_after_article")
_OWNERS = frozenset({"his", "her", "its", "their", "my", "your", "our"})
_NEGATIVE_OPENINGS = frozenset({"not", "no", "nobody", "nothing"})
_IF = re.compile(r"\bif\b", re.IGNORECASE)


@dataclass(frozen=True)
class KeptSentence:
    """A sentence that passed: its tokens and those of its negation, in mid-sentence form."""

    tokens: Sentence
    negation: Sentence
    clause: Clause
    acceptability: float | None = None
    """how usual its words are, from 0 to 1; ``None``: not judged"""
    bare: bool = False
    """whether the corpus has its subject without the quantifier that was put before it"""

    @cached_property
    def text(self) -> str:
        return text_of(self.tokens)

    @property
    def negated(self) -> str:
        return text_of(self.negation)

    @property
    def positive(self) -> Sentence:
        """The tokens that ``clause`` analyses: of the two, those that open with no *no* or *not*."""
        return self.negation if self.tokens[0].lower in _NEGATIVE_OPENINGS else self.tokens


@dataclass(frozen=True)
class SentenceFilter:
    """Turns raw sentences into kept ones.

    A sentence is dropped with the first reason that applies; the reasons are the outcomes of
    results/sentences/filter.csv.
    """

    reader: Reader
    settings: SentencesParameters
    judge: Judge | None = None
    """how usual the words of a sentence are; ``None``: not judged"""
    parser: LinkParser | None = None
    """whether a sentence parses; ``None``: not asked"""

    def keep(self, text: str, premise: KeptSentence | None = None) -> KeptSentence:
        """Return the kept form of a sentence; a pronoun subject may be resolved against the kept premise.

        Raises:
            Refused: the sentence is dropped; ``reason`` names why.
        """
        text = self._surface(text)
        if self.settings.sensitive == "refuse" and source_checks.sensitive(text):
            raise Refused("sensitive")
        words = self.reader.words(text)
        while words and words[-1] in (".", "!", "..", "..."):
            words.pop()
        if len(words) < max(2, self.settings.min_tokens):
            raise Refused("too_short")
        if len(words) > self.settings.max_tokens:
            raise Refused("too_long")
        self._check_opening(words, premise is not None)
        tokens = self.reader.tag(words)
        if tokens[0].lower in lexicon.THIRD_PERSON:
            if premise is None or self.settings.pronoun_subjects == "drop":
                raise Refused("pronoun_subject")
            tokens = resolved(tokens, premise.tokens, premise.clause)
        else:
            tokens = with_inner_case(tokens)
        kept = self._kept(tokens, premise)
        if self.settings.source_faults == "refuse" and (fault := source_checks.problem(kept.text)):
            raise Refused(fault)
        if self.settings.sensitive == "refuse" and (refused := source_checks.outcome(kept.text)):
            raise Refused(refused)
        if self.judge is not None:
            acceptability, outcome = self.judge.acceptability(kept.tokens)
            if acceptability < (self.settings.min_acceptability or 0.0):
                raise Refused(outcome)
            kept = replace(kept, acceptability=acceptability)
        # Last, as it takes the longest.
        if self.parser is not None and not self.parser.parses(kept.text):
            raise Refused(UNPARSED)
        return kept

    def _surface(self, text: str) -> str:
        """Check the characters; return the text with single blanks, plain apostrophes and no final mark."""
        text = " ".join(text.replace("’", "'").split())
        if _NOT_A_SENTENCE.fullmatch(text.strip(". ")) or " " not in text:
            raise Refused("not_a_sentence")
        text = _without_idle_commas(text) if "," in text else text
        if any(mark in text for mark in self.settings.forbidden_marks):
            raise Refused("forbidden_mark")
        if _IF.search(text):
            raise Refused("if")
        if not _PLAIN.fullmatch(text) or "- " in text or "--" in text or "_" in text:
            raise Refused("markup")
        if _INNER_STOP.search(text):
            raise Refused("several_sentences")
        text = text.rstrip(".! ")
        # Half a quotation: a mark at the edge that no possessive explains.
        if text.isupper() or text[:1] == "'" or text[-1:] in "':":
            raise Refused("markup")
        return text

    def _check_opening(self, words: list[str], has_premise: bool) -> None:
        """Look at the first word before the sentence is tagged: tagging is what costs time."""
        first = words[0].lower()
        if first in lexicon.listed("interjections"):
            raise Refused("interjection")
        if first in lexicon.listed("conjunctions"):
            raise Refused("conjunction")
        if first in lexicon.PERSONAL and not (has_premise and first in lexicon.THIRD_PERSON):
            raise Refused("pronoun_subject")
        if first in _OWNERS:
            raise Refused("pronoun_owner" if len(words) > 2 else "pronoun_subject")
        if first in ("mine", "these", "those") and len(words) < 3:
            raise Refused("pronoun_subject")
        if first in lexicon.BE | lexicon.DO | lexicon.HAVE | lexicon.MODALS:
            raise Refused("starts_with_verb")

    def _kept(self, tokens: Sentence, premise: KeptSentence | None) -> KeptSentence:
        if tokens[0].tag in ("VB", "VBD", "VBP", "VBZ", "MD") or (
            tokens[0].tag in ("VBG", "VBN") and not is_modifier(tokens, 0)
        ):
            raise Refused("starts_with_verb")
        tokens = repaired(tokens)
        if premise is not None and self.settings.hypothesis_subjects == "indefinite":
            tokens = introduced(tokens, premise.tokens)
        if self.settings.negation == "wide_scope":
            written = quantified(tokens, stronger=premise is None)
            bare = written is not tokens and tokens[0].tag not in ("DT", "EX")
            return replace(self._checked(written), bare=bare)
        return self._checked(tokens)

    def _checked(self, tokens: Sentence) -> KeptSentence:
        # Modals whose negation is no contradiction (*may*), or negates the verb instead (*must*, *should*).
        modals = {token.lower for token in tokens if token.tag == "MD"} & lexicon.UNCERTAIN_MODALS
        if modals and self.settings.source_faults == "refuse":
            raise Refused("uncertain_modal")
        if tokens[0].lower in _NEGATIVE_OPENINGS:
            return self._with_negation(tokens)
        clause = analyse(tokens)
        _check_words(tokens, clause)
        if clause.existential:
            check_countable(tokens, clause)
        else:
            check_article(tokens[: clause.subject], clause.head)
            _check_participle(tokens, clause)
            if self.settings.source_faults == "refuse":
                check_head(tokens, clause)
            if clause.kind == "modal" and tokens[clause.finite].lower in modals - {"should"}:
                raise Refused("uncertain_modal")
        return self._with_negation(tokens)

    def _with_negation(self, tokens: Sentence) -> KeptSentence:
        negation = negated(tokens, self.settings.negation)
        try:
            back = negated(negation, self.settings.negation)
        except Refused as refusal:
            raise Refused("no_round_trip") from refusal
        if back != tokens and text_of(back) != text_of(tokens):
            raise Refused("no_round_trip")
        opens_negatively = tokens[0].lower in _NEGATIVE_OPENINGS
        clause = analyse(negation if opens_negatively else tokens)
        if opens_negatively:  # the words of other sentences were checked before
            _check_words(negation, clause)
        if self.settings.negation == "wide_scope" and not contradicts(tokens, negation, clause):
            raise Refused("contrary")
        return KeptSentence(tokens, negation, clause)


def _without_idle_commas(text: str) -> str:
    """Drop a comma that ends a clause, and one between two adjectives of a noun (*a tall, thin man*)."""
    text = _FINAL_COMMA.sub("", text)

    def joined(match: re.Match[str]) -> str:
        adjectives = all(
            "ADJ" in lemmas_of(word) and not word.endswith("ing") for word in match.group(2, 3)
        )
        return f"{match[1]} {match[2]} {match[3]}" if adjectives else match[0]

    return _ADJECTIVE_COMMA.sub(joined, text)


def with_inner_case(tokens: Sentence) -> Sentence:
    """Lower-case the first word unless it is a name, an acronym or *I*.

    Raises:
        Refused: it is unclear whether the first word is a name.
    """
    first = tokens[0]
    word = first.text
    if word.lower() in lexicon.FUNCTION_WORDS and word != "I":
        return (Token(word.lower(), first.tag), *tokens[1:])
    if not word[0].isupper() or word == "I" or (len(word) > 1 and not word[1:].islower()):
        return tokens
    lower = word.lower()
    inner = (Token(lower, _common_tag(lower, first.tag)), *tokens[1:])
    named = len(tokens) > 1 and tokens[1].tag in ("NNP", "NNPS", "POS")
    if in_dictionary(lower):
        if len(tokens) > 1 and tokens[1].text[0].isupper() and in_dictionary(tokens[1].lower):
            raise Refused("uncertain_name")
        if first.tag not in ("NNP", "NNPS"):
            return inner
        if not named and (
            lexicon.is_plural(lower) or lexicon.is_animate(lower) or lower in lexicon.COLOURS
        ):
            return inner
        # The second word, though tagged as a noun, may be the verb of a name.
        if (
            not named
            and tokens[1].tag in ("NN", "NNS")
            and lemma_of(tokens[1].lower, "VBZ") is None
        ):
            return inner
        raise Refused("uncertain_name")
    if lexicon.is_animate(lower) or (lexicon.is_known(lower) and first.tag not in ("NNP", "NNPS")):
        return inner
    return tokens


def _common_tag(word: str, tag: str) -> str:
    if tag == "NNPS" or (tag == "NNP" and lexicon.is_plural(word)):
        return "NNS"
    return "NN" if tag == "NNP" else tag


def _check_words(tokens: Sentence, clause: Clause) -> None:
    """Refuse misspelt and oddly capitalised words, and pronouns that have nothing to refer to."""
    for index, token in enumerate(tokens):
        word = token.text
        if index == clause.finite and not word.islower():
            raise Refused("odd_capital")
        if index and word[0].isupper() and _is_odd_capital(tokens, index):
            raise Refused("odd_capital")
        if word.islower() and token.tag not in ("POS",) and not lexicon.is_known(word):
            raise Refused("unknown_word")
        if index and (_is_garbled(tokens[index - 1], token) or _is_odd_plural(tokens, index)):
            raise Refused("garbled")
        if _lacks_article(tokens, index, clause):
            raise Refused("bare_object")
        if token.lower in lexicon.FIRST_SECOND_OWNERS:
            raise Refused("pronoun_owner")
        if (
            index >= clause.finite
            and token.lower in lexicon.OBJECT_PRONOUNS
            and token.tag != "PRP$"
        ):
            raise Refused("pronoun_object")


def _is_garbled(before: Token, token: Token) -> bool:
    """Return whether two words cannot stand side by side: *a the street*, *in in*, *an medical worker*."""
    article, word = before.lower, token.lower
    if article == word and word not in ("had", "that", "very"):
        return True
    if article in ("a", "an", "the", "every") and word in _NEVER_AFTER_ARTICLE:
        return True
    if article not in ("a", "an") or not word.isalpha() or not token.text.islower():
        return False
    return (article == "an") != lexicon.starts_with_vowel(word)


def _is_odd_plural(tokens: Sentence, index: int) -> bool:
    """Return whether *a* stands before a plural (*a basketballs*) that opens no compound (*a sports bar*)."""
    token = tokens[index]
    return (
        tokens[index - 1].lower in ("a", "an")
        and token.tag == "NNS"
        and token.lower not in lexicon.EITHER_NUMBER
        and not any(following.tag in NOUNS | {"POS"} for following in tokens[index + 1 : index + 2])
        and lexicon.is_plural(token.lower)
    )


def _lacks_article(tokens: Sentence, index: int, clause: Clause) -> bool:
    """Return whether a noun that needs an article has none after a verb or preposition (*riding bike in park*)."""
    if tokens[index].tag != "NN" or tokens[index].lower not in lexicon.NEED_ARTICLE:
        return False
    if index + 1 < len(tokens) and tokens[index + 1].tag in NOUNS | {"POS", "CC"}:
        return False
    start = run_start(tokens, index, NOUNS | ADJECTIVES)
    opener = tokens[start - 1] if start else None
    if opener is None or any(token.tag in ("NNS", "NNP", "NNPS") for token in tokens[start:index]):
        return False
    return start - 1 == clause.last or (
        opener.tag == "IN" and opener.lower not in ("by", "of", "as", "like", "per")
    )


def _is_odd_capital(tokens: Sentence, index: int) -> bool:
    """Return whether a capitalised common word (*a happy Woman*) stands outside a name."""
    word = tokens[index].lower
    neighbours = (*tokens[max(index - 1, 0) : index], *tokens[index + 1 : index + 2])
    if any(token.text[0].isupper() for token in neighbours):
        return False
    plural = tokens[index].tag in ("NNS", "NNPS") and lexicon.is_plural(word)
    return (
        plural
        or lexicon.is_animate(word)
        or word in lexicon.COLOURS
        or word in lexicon.FUNCTION_WORDS
    )


def _check_participle(tokens: Sentence, clause: Clause) -> None:
    """Refuse a past tense that may be a reduced relative clause (*a woman called by her friend*)."""
    finite, *rest = tokens[clause.finite :]
    if (
        clause.kind != "main"
        or finite.tag != "VBD"
        or lemma_of(finite.lower, "VBN") is None
        or not rest
    ):
        return
    definite = tokens[0].lower in ("the", "all") or tokens[0].tag in ("NNP", "NNPS")
    by_others = rest[0].lower == "by" or (rest[0].tag == "IN" and not definite)
    if by_others or finite.lower in lexicon.SAFE_PARTICIPLES:
        raise Refused("bare_participle")
