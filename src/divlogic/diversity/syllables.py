"""Syllables of English words: a dictionary of irregular words, spelling rules for the rest."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

from divlogic.errors import DivLogicError

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
