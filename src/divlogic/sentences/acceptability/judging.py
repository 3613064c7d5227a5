"""How acceptable a sentence is, judged by how people write in the corpora.

Hand-written lists of what may stand without an article or how a word is misspelt know only the slips that their writer
met. Most sentences of a large corpus are right, so a use that is rare compared with its alternative is rather a slip:

- articles: *in bed* is usual, *on ground* is not where *on the ground* is; *a machinery*, *another people*;
- plurals that stand before a noun: *sports car* is usual, *hijackers events* is not;
- *in*, *on* and *at* before a noun: *in the beach*;
- forms of verbs after *to* and auxiliaries: *are sleep*;
- capitals: *people with Cameras*, *an english cook*;
- spelling: a word that no dictionary knows, next to a frequent one of nearly the same letters (*Coporation*);
- words: a sentence that becomes many times as probable by another spelling or form of one word (*a football layer*), as
  Bryant and Briscoe (2018) correct texts with nothing but a language model.

Each of these gives a probability of the use as it stands, against its alternative. The acceptability of a sentence is
the smallest of them.

Names are in no dictionary, so that words that none knows cannot be refused as such; but *Coporation*, once, next to
*Corporation*, forty times, is rather a slip, and *Gauve*, thirteen times, next to *gave* a name.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import lru_cache

import numpy as np

from divlogic.io.tables import DIGITS
from divlogic.sentences import lexicon
from divlogic.sentences.acceptability import usage
from divlogic.sentences.acceptability.language import Language
from divlogic.sentences.lexicon import has_participle, in_dictionary, is_only_verb, lemmas_of
from divlogic.sentences.tokens import ADJECTIVES, NOUNS, Sentence, Token

ARTICLE, PLURAL, PLACE = "unusual_article", "unusual_plural", "unusual_preposition"
VERB, CAPITAL, WORD = "unusual_form", "unusual_capital", "unusual_word"
"""Outcomes of sentences that are refused, in filter.csv."""

KNOWN = 5
"""Occurrences from which a word may take the place of another one."""
_FREQUENT = 5.0
"""How many times as frequent a word must be that another is a misspelling of."""
_UNSURE = -5.0
"""Log-probability under which a word is compared with others: a more probable one gains too little."""
_SPELLING, _FORM = 0.2, 0.18
"""Share of a gain in log-probability that counts: of the many spellings and forms tried, one gains by chance."""
_AHEAD = 0.3
"""What the word after a verb's form can say for it, at most."""
_CASE = 2.0
"""Weight of the probability of a capital: names of bodies and titles have one that other words do not explain."""
_JOINING = lexicon.word_set("of for and in the de")
_ADVERBS = lexicon.word_set("outdoors indoors outside inside upstairs downstairs nearby home")
_PREDICATES = lexicon.listed("predicates")
_PLACES = frozenset({"in", "on", "at"})
_BEFORE_FORMS = lexicon.listed("before_forms")
_PREPOSITIONS = frozenset({"IN", "TO"})
_FINITE = frozenset({"VBZ", "VBP", "VBD", "MD"})
_AFTER_VERBS = NOUNS | ADJECTIVES | {"DT", "PRP$", "TO", "CD", "PRP"}
_SUFFIXES = ("", "e", "ing", "ed", "es", "s")

LEAST = 3
"""Occurrences from which a word may be what another one was meant to be."""
_SHORTEST = 5
_SLIPS = 0.06
"""Misspellings for each occurrence of a word, those counted that are weighed against one name alike: high, as a
misspelling that was met at all is met here."""
_OWN = 0.2
"""What a word that occurs nowhere else counts."""
_LIGATURES = ("ff", "fi", "fl", "ffi")
"""Letters that are lost where a text is taken from a printed page (*dierent*)."""


class Judge:
    """Judges sentences by a language."""

    def __init__(self, language: Language) -> None:
        self._language = language
        known = language.frequencies(KNOWN)
        self._frequency = {word: times for word, times in known.items() if word.isalpha()}
        self._near = _by_shortened_forms(word for word in self._frequency if len(word) >= 3)
        self._written = {
            word: times for word, times in language.written(LEAST).items() if word.isalpha()
        }
        self._near_written = _by_shortened_forms(
            word for word in self._written if len(word) >= _SHORTEST - 1
        )
        self._rival = lru_cache(maxsize=50_000)(self._find_rival)
        self._others = lru_cache(maxsize=50_000)(self._find_others)
        self._known_forms = lru_cache(maxsize=50_000)(
            lambda word: sorted((_forms(word) - {word}) & self._frequency.keys())
        )

    def acceptability(self, tokens: Sentence) -> tuple[float, str]:
        """Return how acceptable a sentence is, from 0 to 1, and the outcome that names what is least usual in it."""
        words = usage.words_of(tokens)
        return min(
            self._best(words),
            *self._articles(tokens, words),
            *self._determined_plurals(tokens, words),
            *self._plurals(tokens, words),
            *self._places(tokens, words),
            *self._doublets(tokens, words),
            *self._verbs(words),
            *self._second_verbs(tokens, words),
            *self._capitals(tokens),
            *((self.spelling(token, not at), WORD) for at, token in enumerate(tokens)),
            (1.0, WORD),
        )

    def _articles(self, tokens: Sentence, words: list[str]) -> Iterator[tuple[float, str]]:
        """Yield the probability of each article, or of its absence, before a singular."""
        used = self._language.used
        for head in usage.heads(tokens, words, "NN"):
            noun = words[head.at]
            if noun in _ADVERBS or (head.before in lexicon.BE and "ADJ" in lemmas_of(noun)):
                continue
            bare, determined = used("bare", noun), used("determined", noun)
            if head.article is None:
                bare = max(0.0, bare - 1)
                share = (bare + 0.2) / (bare + determined + 1)
                here = max(0.0, used("bare", noun, head.before) - 1)
                yield (
                    (here + 2 * share) / (here + used("determined", noun, head.before) + 2),
                    ARTICLE,
                )
            elif head.article in ("a", "an"):
                own = max(0.0, used("with_a", noun) - 1) + 0.5
                yield own / (own + bare), ARTICLE

    def _determined_plurals(
        self, tokens: Sentence, words: list[str]
    ) -> Iterator[tuple[float, str]]:
        """Yield the probability of each *a* or *another* before a plural."""
        used = self._language.used
        for head in usage.heads(tokens, words, "NNS"):
            noun = words[head.at]
            # At least half of its occurrences are plurals: *stands* is rather a verb.
            plural = used("plurals", noun) >= 0.5 * self._language.frequency(noun)
            if (
                head.article in usage.SINGULAR
                and not head.several
                and plural
                and noun not in _ADVERBS
            ):
                yield (
                    (max(0.0, used("plural_with_a", noun) - 1) + 0.5) / (used("plural", noun) + 1),
                    ARTICLE,
                )

    def _plurals(self, tokens: Sentence, words: list[str]) -> Iterator[tuple[float, str]]:
        """Yield for each plural that stands before a noun the probability that it does."""
        used = self._language.used
        for at in usage.modifiers(tokens):
            if words[at + 1] in _ADVERBS or words[at + 1] in _PREDICATES:
                continue
            before = max(0.0, used("modifying", words[at]) - 1)
            yield (before + 0.2) / (used("plurals", words[at]) + 0.5), PLURAL

    def _places(self, tokens: Sentence, words: list[str]) -> Iterator[tuple[float, str]]:
        """Yield for each *in*, *on* and *at* before a noun its probability among the three."""
        used = self._language.used
        for head in usage.heads(tokens, words, "NN"):
            if head.article is None or head.before not in _PLACES:
                continue
            own = max(0.0, used("determined", words[head.at], head.before) - 1) + 0.5
            rival = max(
                used("determined", words[head.at], other) for other in _PLACES - {head.before}
            )
            yield max(own / (own + rival), self._governed(tokens, words, head)), PLACE

    def _governed(self, tokens: Sentence, words: list[str], head: usage.Head) -> float:
        """Return how much a verb before a preposition asks for it (*looking at*); 0 where there is none."""
        at = next(index for index in range(head.at, -1, -1) if words[index] == head.before)
        if not at or not tokens[at - 1].tag.startswith("VB") or words[at - 1] in lexicon.BE:
            return 0.0
        counts = {place: self._language.follows(words[at - 1], place) for place in _PLACES}
        own = max(0.0, counts.pop(head.before) - 1)
        return own / (own + max(counts.values()) + 1)

    def _doublets(self, tokens: Sentence, words: list[str]) -> Iterator[tuple[float, str]]:
        """Yield for each two prepositions side by side how much rarer they are than by chance (*in on the side*)."""
        for at in range(len(tokens) - 1):
            if tokens[at].tag in _PREPOSITIONS and tokens[at + 1].tag in _PREPOSITIONS:
                pair = words[at], words[at + 1]
                own = max(0.0, self._language.follows(*pair) - 1) + 0.5
                yield own / (self._language.expected(*pair) + 0.5), PLACE

    def _second_verbs(self, tokens: Sentence, words: list[str]) -> Iterator[tuple[float, str]]:
        """Yield for each noun that is elsewhere a verb how often it is none (*is wearing white turns to the ball*)."""
        for at in range(2, len(tokens) - 1):
            if (
                tokens[at].tag == "NNS"
                and tokens[at - 1].tag in NOUNS | ADJECTIVES
                and tokens[at + 1].tag in _AFTER_VERBS
                and any(token.tag in _FINITE for token in tokens[:at])
            ):
                finite, times = (
                    self._language.used("finite", words[at]),
                    self._language.frequency(words[at]),
                )
                yield 0.5 * max(0.0, times - 1 - finite + 0.2) / max(times - 0.8, 0.2), VERB

    def _verbs(self, words: list[str]) -> Iterator[tuple[float, str]]:
        """Yield for each word after an auxiliary or *to* the probability of its form there."""
        follows = self._language.follows
        line = [*words, usage.END]
        for at in range(1, len(words)):
            before, word, after = line[at - 1 : at + 2]
            if before not in _BEFORE_FORMS:
                continue
            base = (
                is_only_verb(word) and word in lemmas_of(word)["VERB"] and not has_participle(word)
            )
            if base and before in lexicon.BE and follows(before, word) <= 1:
                yield 0.0, VERB  # *to be desecrate*
            if word not in self._frequency:
                continue
            left = max(0.0, follows(before, word) - 1) + 0.5
            right = max(0.0, follows(word, after) - 1) + 0.5
            for other in self._known_forms(word):
                here = left / (left + follows(before, other))
                yield max(here, _AHEAD * right / (right + follows(other, after))), VERB

    def _capitals(self, tokens: Sentence) -> Iterator[tuple[float, str]]:
        """Yield for each word the probability of its capital, or of its having none (*people with Cameras*)."""
        for at, token in enumerate(tokens):
            if len(token.text) < 4 or not token.text.isalpha():
                continue
            small, capital = (self._language.used(use, token.lower) for use in ("small", "capital"))
            if token.text.islower():
                small = max(0.0, small - 1) + 0.2
                yield _CASE * small / (small + capital), CAPITAL
            elif at and usage.is_capitalised(token) and not _is_in_name(tokens, at):
                capital = max(0.0, capital - 1) + 0.2
                yield _CASE * capital / (capital + small), CAPITAL

    def _best(self, words: list[str]) -> tuple[float, str]:
        """Return the probability of the words against the best sentence in which one of them is another."""
        line = [usage.START, usage.START, *words, usage.END]
        numbers = self._language.numbers(line)
        own = np.array([numbers[at : at + 3] for at in range(len(line) - 2)], dtype=np.int64)
        base = self._language.log_probabilities(own, own)
        runs: list[list[int]] = []
        tried: list[tuple[int, int, float]] = []
        for at in range(2, len(line) - 1):
            span = range(at - 2, min(at + 1, len(own)))
            if base[list(span)].min() >= _UNSURE:
                continue
            for other, weight in self._others(line[at]):
                changed = numbers.copy()
                changed[at] = self._language.ids[other]
                runs.extend(changed[begin : begin + 3] for begin in span)
                tried.append((span.start, span.stop, weight))
        if not tried:
            return 1.0, WORD
        values = self._language.log_probabilities(np.array(runs, dtype=np.int64), own)
        least, place = 0.0, 0
        for start, stop, weight in tried:
            size = stop - start
            least = max(
                least, weight * float(values[place : place + size].sum() - base[start:stop].sum())
            )
            place += size
        # Logarithms of arrays differ between machines in their last digits; what is kept must not.
        return round(math.exp(-least), DIGITS), WORD

    def _find_others(self, word: str) -> tuple[tuple[str, float], ...]:
        """Return the forms of a word and the words that it may be a misspelling of, with the weights of their gains."""
        if not word.isalpha() or len(word) < 3:
            return ()
        found = dict.fromkeys(self._known_forms(word), _FORM)
        own = self._language.frequency(word)
        for form in shortened(word):
            for other in self._near.get(form, ()):
                if _is_one_letter_off(word, other) and self._frequency[other] >= _FREQUENT * own:
                    found.setdefault(other, _SPELLING)
        return tuple(sorted(found.items()))

    def spelling(self, token: Token, opens: bool) -> float:
        """Return the probability that a word is meant as it is spelt, by how often it and similar ones occur.

        Where it opens a sentence, capitals were not counted.
        """
        word = token.lower
        if len(word) < _SHORTEST or not word.isalpha() or in_dictionary(word):
            return 1.0
        rival = self._rival(word)
        if not rival:
            return 1.0
        times = self._language.used("small", word) + self._language.used("capital", word)
        own = max(0.0, times - (not opens or token.text.islower())) + _OWN
        return own / (own + _SLIPS * rival)

    def _find_rival(self, word: str) -> float:
        """Return how often the most frequent word occurs that this one may be a misspelling of; 0: none.

        It is not its plural, and begins as it does.
        """
        found = {other for form in shortened(word) for other in self._near_written.get(form, ())}
        found.update(
            word[:at] + letters + word[at:] for at in range(1, len(word)) for letters in _LIGATURES
        )
        return max(
            (
                self._written.get(other, 0.0)
                for other in found
                if other[0] == word[0] and other.rstrip("s") != word.rstrip("s")
            ),
            default=0.0,
        )


def _is_in_name(tokens: Sentence, at: int) -> bool:
    """Return whether a capitalised word belongs to a longer name (*the Department of Finance*)."""
    first = at - 1
    while first > 0 and tokens[first].lower in _JOINING:
        first -= 1
    return any(other.text[0].isupper() for other in (tokens[first], *tokens[at + 1 : at + 2]))


def _is_one_letter_off(word: str, other: str) -> bool:
    """Return whether one letter is left out, added, changed, or two neighbours are swapped."""
    if word == other or abs(len(word) - len(other)) > 1:
        return False
    if len(word) == len(other):
        wrong = [at for at in range(len(word)) if word[at] != other[at]]
        if len(wrong) == 2:
            one, two = wrong
            return two == one + 1 and word[one] == other[two] and word[two] == other[one]
        return len(wrong) == 1
    short, long = sorted((word, other), key=len)
    return any(long[:at] + long[at + 1 :] == short for at in range(len(long)))


def _forms(word: str) -> set[str]:
    """Return what may be other forms of a word: with another ending."""
    stems = {word}
    for suffix in ("ing", "ed", "es", "s", "e"):
        if word.endswith(suffix) and len(word) - len(suffix) >= 2:
            stems.add(word.removesuffix(suffix))
    forms = {stem + suffix for stem in stems for suffix in _SUFFIXES}
    forms.update(stem + stem[-1] + "ing" for stem in stems)
    if word.endswith(("man", "men")):
        forms.add(word[:-2] + ("en" if word.endswith("man") else "an"))
    return {form for form in forms if len(form) >= 3}


def _by_shortened_forms(words: Iterable[str]) -> dict[str, list[str]]:
    """Return the words that each of their :func:`shortened` forms may stand for."""
    near: dict[str, list[str]] = defaultdict(list)
    for word in words:
        for form in shortened(word):
            near[form].append(word)
    return near


def shortened(word: str) -> set[str]:
    """Return a word and what remains of it without one of its letters."""
    return {word, *(word[:at] + word[at + 1 :] for at in range(len(word)))}
