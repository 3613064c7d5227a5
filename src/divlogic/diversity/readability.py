"""Flesch–Kincaid grade and Flesch reading ease, as JustLogic's authors measured them and corrected.

Syllables are counted by a dictionary of irregular words, and by spelling rules for the rest.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from functools import lru_cache
from itertools import chain
from pathlib import Path

from divlogic.diversity.words import SentenceSplitter, rule_splitter
from divlogic.errors import DivLogicError
from divlogic.io.imports import lean

_WORD = re.compile(r"[^\W_]+(?:['’.,&-][^\W_]+)*")
_GROUP = re.compile(r"[aeiouy]+")

# A final e is silent after a consonant, but not in "table", "acre"; so is the e of -es and -ed where the
# consonant does not make it sound ("boxes", "wanted").
_SILENT_E = re.compile(r"(?<=[^aeiouy])e$(?<![^aeiouyrl]le)(?<![bcdfgkpt]re)")
_SILENT_ES = re.compile(r"(?<=[^aeiouysxzcg])es$(?<!ches)(?<!shes)(?<![^aeiouyrl]les)(?<![bcdfgkpt]res)")
_SILENT_ED = re.compile(r"(?<=[^aeiouytd])ed$(?<![bcdfgkpt]red)(?<![^aeiouyrl]led)")
_SYLLABIC_LED = re.compile(r"(?<=[^aeiouyrl])led$")
_SILENT_INNER = re.compile(
    r"(?<=[aeiouy][^aeiouy])e(?=(?:ly|ful|fully|less|ment|ments|ness|some|thing|where)$)"
)

# Two vowel letters that are two vowels: "li|on", "cre|ate", "ge|ology", "us|u|al", "play|ing", "re|al|ity".
_HIATUS = re.compile(
    r"(?<![tscgxl])ia(?!ge)|(?<=[ct])iate|(?<![tscglnx])io(?!n\b)|(?<![tscg])iu|(?<![aeiou])yi|[aeou]y(?=[aiou]|e(?!d?$|s$))|[aeou]ing|eo(?=[lmgrst])|eati"
    r"|(?<![gq])u(?:a(?!rd)|ou)|ii|[aeiou]ism|(?<=[^c])ie(?=t)|(?<=[rd])ie(?=nt|nc)|(?<=[bcdfghlmnprstv])oe(?=[tmv])"
    r"|(?<!ch)aos|(?<=[rln])eous|uity|eity|(?<=[dlnprstv])ier(?!c)|iest"
)


class SyllableCounter:
    """Counts syllables: first by dictionary, then by rules; remembers words it has met."""

    def __init__(self, dictionary: dict[str, int] | None = None) -> None:
        self.dictionary = irregular_words() if dictionary is None else dictionary
        self._count = lru_cache(maxsize=1 << 18)(self._syllables)

    def __call__(self, word: str) -> int:
        """Return the number of syllables of one word, at least 1; parts of a compound are added up."""
        return self._count(word)

    @staticmethod
    def words(text: str) -> list[str]:
        """Return the words of ``text``: letters and digits, joined by apostrophes, hyphens, inner stops."""
        return _WORD.findall(text)

    def _syllables(self, word: str) -> int:
        plain = word.replace("’", "'").lower()
        if plain in self.dictionary:
            return self.dictionary[plain]
        parts = re.split(r"[^\w']+", plain)
        if len(parts) > 1:
            return max(1, sum(self._count(part) for part in parts if part))
        stem = plain.removesuffix("'s").removesuffix("'")
        if stem != plain:
            return self._count(stem) + (
                plain.endswith("'s") and bool(re.search(r"(?:[sxz]e?|[cs]h|[cg]e)$", stem))
            )
        if plain.endswith("s") and plain[:-1] in self.dictionary and not re.search(r"[sxzcg]e?s$", plain):
            return self.dictionary[plain[:-1]]
        if word.isupper() and 1 < len(word) <= 5 and not _GROUP.search(plain):
            return sum(3 if letter == "w" else 1 for letter in plain)  # spelled out: "NFL"
        return by_spelling(plain)


def by_spelling(word: str) -> int:
    """Estimate the syllables of a lower-case word from its vowels alone; at least 1."""
    word = word.replace("'", "")
    word = word.replace("qu", "q")
    body = _SILENT_INNER.sub("", word)
    syllabic = len(_SYLLABIC_LED.findall(body)) if len(body) > 4 else 0
    for silent in (_SILENT_ES, _SILENT_ED, _SILENT_E):
        shorter = silent.sub("", body)
        if shorter != body:
            body = shorter
            break
    if syllabic:
        body = _SYLLABIC_LED.sub("le", body)
    count = len(_GROUP.findall(body)) + len(_HIATUS.findall(body))
    if re.search(r"(?:sm|thm)s?$", body):
        count += 1  # "prism", "rhythm": the m is a syllable
    return max(1, count)


@lru_cache(maxsize=1)
def irregular_words() -> dict[str, int]:
    """Return the syllables of words whose spelling misleads the rules (written for this project)."""
    import orjson

    counts: dict[str, int] = orjson.loads(Path(__file__).with_name("syllables.json").read_bytes())
    return counts


def pronouncing_dictionary(path: Path) -> dict[str, int]:
    """Read a pronouncing dictionary in the CMU layout (``WORD  P1 P2 ...``): syllables are the stressed phones.

    Of several pronunciations the first counts. Words that it does not have are left to :func:`irregular_words`.

    Raises:
        DivLogicError: the file is missing or holds no pronunciation.
    """
    from divlogic.io.files import read_lines

    counts: dict[str, int] = {}
    for _, line in read_lines(path, encoding="latin-1"):
        parts = line.split()
        if len(parts) < 2 or line.startswith(";;;"):
            continue
        vowels = sum(phone[-1].isdigit() and not phone.isdigit() for phone in parts[1:])
        word = re.sub(r"\(\d+\)$", "", parts[0]).lower()
        if vowels:
            counts.setdefault(word, vowels)
    if not counts:
        raise DivLogicError(f"{path}: no pronunciation found; expected lines such as 'LION  L AY1 AH0 N'.")
    return {**irregular_words(), **counts}


PUBLISHED_CHARACTERS = 10_000
"""How much of the joined contexts the published grades were computed on."""

_MINIMUM_WORDS = 100  # below this, py-readability-metrics refuses to score


# Words and syllables as py-readability-metrics 1.4.5 counts them, without its cost. That package tokenizes with NLTK's
# TweetTokenizer, drops tokens that are one common punctuation mark, and counts vowel pairs. The tokenizer's patterns
# never cross a blank, but for telephone numbers and spaced dots; so the text is cut at all other blanks and every piece
# is counted once.

_CACHE_LIMIT = 1 << 18
_PUNCTUATION = frozenset(".,/#!$%'^&*;:{}=-_`~()")  # what is no word; "?" and quotation marks are
_VOWELS = "aeiouy"
_PAIR = re.compile(f"[{_VOWELS}]{{1,2}}")
_SIMPLE = re.compile(r"([A-Za-z]+)[.,!?]?")  # a word that no pattern of the tokenizer cuts otherwise

# A blank is no cut where a telephone number or an ellipsis could go on behind it (";" and "&": entities of them).
_CUT = re.compile(r"(?<![0-9*\-.);\s])\s+|\s+(?![0-9(*\-.&\s])")


class TweetWords:
    """Counts (words, syllables) of texts; remembers every piece between blanks."""

    def __init__(self) -> None:
        with lean("nltk"):
            from nltk.tokenize import TweetTokenizer

        self._tokenize = TweetTokenizer().tokenize
        self._counted = lru_cache(maxsize=_CACHE_LIMIT)(self._count_piece)

    def count(self, text: str) -> tuple[int, int]:
        """Return the number of words and of syllables of ``text``."""
        pieces = list(map(self._counted, _CUT.split(text)))
        return sum(words for words, _ in pieces), sum(syllables for _, syllables in pieces)

    def _count_piece(self, piece: str) -> tuple[int, int]:
        simple = _SIMPLE.fullmatch(piece)
        words = (
            [simple[1], *("?" if piece.endswith("?") else "")]
            if simple
            else [t for t in self._tokenize(piece) if t not in _PUNCTUATION]
        )
        return len(words), sum(map(vowel_pairs, words))


def vowel_pairs(word: str) -> int:
    """Count syllables by vowels: short words have one; a silent final e(s) and an initial y are dropped.

    Vowels are taken in pairs from the left, so three in a row count twice. The count can be 0.
    """
    word = word.lower()
    if len(word) <= 3:
        return 1
    ending = 3 if word.endswith("es") else 2 if word.endswith("e") else 0
    if ending and word[-ending] not in "laeiouy":
        word = word[:-ending]
    return len(_PAIR.findall(word.removeprefix("y")))


@dataclass(frozen=True, slots=True)
class Counts:
    """What the formulas need: sentences, words, syllables."""

    sentences: int
    words: int
    syllables: int


@dataclass(frozen=True, slots=True)
class Readability:
    """Scores of a text; ``None`` where it is too short for one.

    Attributes:
        grade: Flesch–Kincaid grade (Kincaid et al. 1975).
        ease: Flesch reading ease (Flesch 1948).
        counts: what they were computed from.
    """

    grade: float | None
    ease: float | None
    counts: Counts

    def row(self) -> dict[str, float | int | None]:
        """Return the scores and the counts by the names of their columns."""
        return {"flesch_kincaid": self.grade, "flesch_ease": self.ease, **asdict(self.counts)}


def published_counts(text: str, split_sentences: SentenceSplitter, words: TweetWords) -> Counts:
    """Count as py-readability-metrics 1.4.5 does: its tokens, its syllable rule, Punkt's sentences."""
    number, syllables = words.count(text)
    return Counts(len(split_sentences(text)), number, syllables)


def readability_as_published(
    contexts: Iterable[str],
    split_sentences: SentenceSplitter,
    *,
    characters: int = PUBLISHED_CHARACTERS,
    words: TweetWords | None = None,
) -> Readability:
    """Score the first ``characters`` characters of the contexts joined with nothing.

    The slope of sentence length in the grade is 0.38 as in py-readability-metrics 1.4.5 (Kincaid: 0.39).
    Only as many contexts are read as are needed. No score below 100 words, as there.
    """
    text, length = [], 0
    for context in contexts:
        text.append(context)
        length += len(context)
        if length >= characters:
            break
    counts = published_counts("".join(text)[:characters], split_sentences, words or TweetWords())
    return _score(counts, slope=0.38, minimum=_MINIMUM_WORDS)


def readability_corrected(
    contexts: Iterable[str],
    count_syllables: SyllableCounter,
    *,
    split_sentences: SentenceSplitter = rule_splitter,
) -> Readability:
    """Score all of the contexts, each with its own sentence boundaries, syllables by dictionary.

    Memory does not grow with the text: counts add up over contexts. A sentence without a word does not count.
    """
    sentences = words = syllables = 0
    for sentence in chain.from_iterable(map(split_sentences, contexts)):
        if found := count_syllables.words(sentence):
            sentences += 1
            words += len(found)
            syllables += sum(map(count_syllables, found))
    return _score(Counts(sentences, words, syllables), slope=0.39, minimum=1)


def _score(counts: Counts, *, slope: float, minimum: int) -> Readability:
    if counts.words < minimum or not counts.sentences:
        return Readability(None, None, counts)
    length = counts.words / counts.sentences
    weight = counts.syllables / counts.words
    return Readability(
        slope * length + 11.8 * weight - 15.59, 206.835 - 1.015 * length - 84.6 * weight, counts
    )
