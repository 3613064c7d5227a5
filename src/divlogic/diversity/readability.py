"""Flesch–Kincaid grade and Flesch reading ease, as JustLogic's authors measured them and corrected.

Syllables are counted by a dictionary of irregular words, and by spelling rules for the rest.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from itertools import chain, islice
from pathlib import Path

from divlogic.diversity.words import SentenceSplitter, rule_splitter
from divlogic.errors import DivLogicError
from divlogic.io.files import read_json, read_lines
from divlogic.io.imports import lean

_WORD = re.compile(
    r"[^\W_]+(?:['’.,&-][^\W_]+)*"
)  # letters and digits, joined by apostrophes, hyphens, inner stops
_GROUP = re.compile(r"[aeiouy]+")

# A final e is silent after a consonant, but not in "table", "acre"; so is the e of -es and -ed where the
# consonant does not make it sound ("boxes", "wanted").
_SILENT_E = re.compile(r"(?<=[^aeiouy])e$(?<![^aeiouyrl]le)(?<![bcdfgkpt]re)")
_SILENT_ES = re.compile(
    r"(?<=[^aeiouysxzcg])es$(?<!ches)(?<!shes)(?<![^aeiouyrl]les)(?<![bcdfgkpt]res)"
)
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


def syllable_counter(dictionary: dict[str, int]) -> Callable[[str], int]:
    """Return what counts the syllables of a word, at least 1: by dictionary, then by rules; remembers words it has met.

    Parts of a compound are added up.
    """

    @lru_cache(maxsize=1 << 18)
    def count(word: str) -> int:
        plain = word.replace("’", "'").lower()
        if plain in dictionary:
            return dictionary[plain]
        parts = re.split(r"[^\w']+", plain)
        if len(parts) > 1:
            return max(1, sum(count(part) for part in parts if part))
        stem = plain.removesuffix("'s").removesuffix("'")
        if stem != plain:
            sounds = plain.endswith("'s") and bool(re.search(r"(?:[sxz]e?|[cs]h|[cg]e)$", stem))
            return count(stem) + sounds
        if (
            plain.endswith("s")
            and plain[:-1] in dictionary
            and not re.search(r"[sxzcg]e?s$", plain)
        ):
            return dictionary[plain[:-1]]
        if word.isupper() and 1 < len(word) <= 5 and not _GROUP.search(plain):
            return sum(3 if letter == "w" else 1 for letter in plain)  # spelled out: "NFL"
        return by_spelling(plain)

    return count


def by_spelling(word: str) -> int:
    """Estimate the syllables of a lower-case word from its vowels alone; at least 1."""
    body = _SILENT_INNER.sub("", word.replace("'", "").replace("qu", "q"))
    syllabic = len(body) > 4 and _SYLLABIC_LED.search(body)
    shorter = (silent.sub("", body) for silent in (_SILENT_ES, _SILENT_ED, _SILENT_E))
    body = next((one for one in shorter if one != body), body)
    if syllabic:
        body = _SYLLABIC_LED.sub("le", body)
    count = len(_GROUP.findall(body)) + len(_HIATUS.findall(body))
    if re.search(r"(?:sm|thm)s?$", body):
        count += 1  # "prism", "rhythm": the m is a syllable
    return max(1, count)


@lru_cache(maxsize=1)
def irregular_words() -> dict[str, int]:
    """Return the syllables of words whose spelling misleads the rules (written for this project)."""
    counts: dict[str, int] = read_json(Path(__file__).with_name("syllables.json"))
    return counts


def pronouncing_dictionary(path: Path) -> dict[str, int]:
    """Read a pronouncing dictionary in the CMU layout (``WORD  P1 P2 ...``): syllables are the stressed phones.

    Of several pronunciations the first counts. Words that it does not have are left to :func:`irregular_words`.
    """
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
        raise DivLogicError(
            f"{path}: no pronunciation found; expected lines such as 'LION  L AY1 AH0 N'."
        )
    return {**irregular_words(), **counts}


_MINIMUM_WORDS = 100  # below this, py-readability-metrics refuses to score


# Words and syllables as py-readability-metrics 1.4.5 counts them, without its cost. That package tokenizes with NLTK's
# TweetTokenizer, drops tokens that are one common punctuation mark, and counts vowel pairs. The tokenizer's patterns
# never cross a blank, but for telephone numbers and spaced dots; so the text is cut at all other blanks and every piece
# is counted once.

_CACHE_LIMIT = 1 << 18
_PUNCTUATION = frozenset(".,/#!$%'^&*;:{}=-_`~()")  # what is no word; "?" and quotation marks are
_VOWELS = "aeiouy"
_PAIR = re.compile(f"[{_VOWELS}]{{1,2}}")
_SIMPLE = re.compile(
    r"([A-Za-z]+)[.,!?]?"
)  # a word that no pattern of the tokenizer cuts otherwise

# A blank is no cut where a telephone number or an ellipsis could go on behind it (";" and "&": entities of them).
_CUT = re.compile(r"(?<![0-9*\-.);\s])\s+|\s+(?![0-9(*\-.&\s])")

TweetCounter = Callable[[str], tuple[int, int]]
"""Counts the words and the syllables of a text."""


def tweet_counter() -> TweetCounter:
    """Return what counts words and syllables of a text; it remembers every piece between blanks."""
    with lean("nltk"):
        from nltk.tokenize import TweetTokenizer

    tokenize = TweetTokenizer().tokenize

    @lru_cache(maxsize=_CACHE_LIMIT)
    def counted(piece: str) -> tuple[int, int]:
        if simple := _SIMPLE.fullmatch(piece):
            words = [simple[1], *("?" if piece.endswith("?") else "")]
        else:
            words = [token for token in tokenize(piece) if token not in _PUNCTUATION]
        return len(words), sum(map(vowel_pairs, words))

    def count(text: str) -> tuple[int, int]:
        pieces = list(map(counted, _CUT.split(text)))
        return sum(words for words, _ in pieces), sum(syllables for _, syllables in pieces)

    return count


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


Scores = dict[str, float | None]
"""``flesch_kincaid``, the grade (Kincaid et al. 1975), and ``flesch_ease`` (Flesch 1948), ``None`` of a text too short
for them; and the ``sentences``, ``words`` and ``syllables`` that they were computed from."""


def readability_as_published(
    contexts: Iterable[str],
    split_sentences: SentenceSplitter,
    count: TweetCounter,
    characters: int = 10_000,
) -> Scores:
    """Score the first ``characters`` characters of the contexts joined with nothing, as py-readability-metrics 1.4.5.

    The slope of sentence length in the grade is 0.38 as there (Kincaid: 0.39), and there is no score below 100 words.
    Only as many contexts are read as are needed.
    """
    scored = "".join(islice(chain.from_iterable(contexts), characters))
    return _scores(len(split_sentences(scored)), *count(scored), slope=0.38, minimum=_MINIMUM_WORDS)


def readability_corrected(contexts: Iterable[str], count_syllables: Callable[[str], int]) -> Scores:
    """Score all of the contexts, each with its own sentence boundaries, syllables by dictionary.

    Memory does not grow with the text: counts add up over contexts. A sentence without a word does not count.
    """
    sentences = words = syllables = 0
    for sentence in chain.from_iterable(map(rule_splitter, contexts)):
        if found := _WORD.findall(sentence):
            sentences += 1
            words += len(found)
            syllables += sum(map(count_syllables, found))
    return _scores(sentences, words, syllables, slope=0.39, minimum=1)


def _scores(sentences: int, words: int, syllables: int, *, slope: float, minimum: int) -> Scores:
    grade = ease = None
    if words >= minimum and sentences:
        length, weight = words / sentences, syllables / words
        grade, ease = (
            slope * length + 11.8 * weight - 15.59,
            206.835 - 1.015 * length - 84.6 * weight,
        )
    counts = {"sentences": sentences, "words": words, "syllables": syllables}
    return {"flesch_kincaid": grade, "flesch_ease": ease, **counts}
