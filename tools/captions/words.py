"""Words with their Penn Treebank tags: phrases, articles, plurals, and the text of a sequence of tokens."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

Token = tuple[str, str]
Phrase = tuple[Token, ...]

POSSESSIVE = "POSS"  # stands for his / her / its / their until the subject is known

CLOSED_CLASS: dict[str, str] = {
    **dict.fromkeys(
        ["a", "an", "the", "some", "every", "each", "another", "no", "this", "both", "any"], "DT"
    ),
    **dict.fromkeys(
        [
            "at",
            "in",
            "on",
            "under",
            "beside",
            "near",
            "along",
            "across",
            "inside",
            "outside",
            "through",
            "between",
            "behind",
            "above",
            "below",
            "by",
            "with",
            "for",
            "from",
            "of",
            "into",
            "onto",
            "over",
            "against",
            "around",
            "among",
            "during",
            "before",
            "after",
            "past",
            "towards",
            "underneath",
            "within",
            "beneath",
            "off",
            "without",
            "amid",
            "like",
            "as",
            "opposite",
            "than",
            "until",
            "since",
            "despite",
            "up",
            "down",
            "out",
            "about",
            "alongside",
            "atop",
            "upon",
            "beyond",
        ],
        "IN",
    ),
    "to": "TO",
    **dict.fromkeys(["and", "or", "but"], "CC"),
    **dict.fromkeys(["his", "her", "their", "its", POSSESSIVE], "PRP$"),
    **dict.fromkeys(
        [
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "twelve",
            "twenty",
            "thirty",
            "hundred",
        ],
        "CD",
    ),
    **dict.fromkeys(
        ["not", "together", "alone", "outdoors", "indoors", "overhead", "away", "only"], "RB"
    ),
    "there": "EX",
    "'s": "POS",
    ",": ",",
    ".": ".",
}

# Written with a vowel but spoken with a consonant, and the other way round.
_AN_EXCEPTIONS = ("hour", "honest", "heir", "x-ray")
_A_EXCEPTIONS = ("uni", "use", "usual", "european", "one", "ukulele", "once", "ewe", "eu")
_UN_WORDS = (
    "unin",
    "unim",
    "unid",
)  # "uninterested": here un- is the prefix, so the word takes "an"


def article(word: str) -> str:
    """The indefinite article, "a" or "an", that goes before `word` (by sound, not by spelling)."""
    lower = word.lower()
    if lower.startswith(_AN_EXCEPTIONS):
        return "an"
    if lower.startswith(_A_EXCEPTIONS) and not lower.startswith(_UN_WORDS):
        return "a"
    return "an" if lower[0] in "aeiou" else "a"


def plural(noun: str) -> str:
    """The regular plural of a noun phrase that ends in its head noun ("bus driver" -> "bus drivers")."""
    if re.search(r"(s|x|z|ch|sh)$", noun):
        return noun + "es"
    if noun.endswith(("scarf", "wolf", "leaf")):
        return noun[:-1] + "ves"
    if noun.endswith(("hero", "volcano")):
        return noun + "es"
    if re.search(r"[^aeiou]y$", noun):
        return noun[:-1] + "ies"
    return noun + "s"


def tag_phrase(text: str, tags: Mapping[str, str], lemmas: Iterable[str] = ()) -> Phrase:
    """Tag the words of a lexicon phrase: `word/TAG` as written, else closed class, else `tags`, else by ending.

    A known verb (`lemmas`) after "to" is an infinitive (VB).
    """
    tokens: list[Token] = []
    for raw in text.replace(",", " ,").split():
        word, slash, tag = raw.rpartition("/")
        if not slash:
            word, tag = raw, ""
        if not tag and word.endswith("'s"):
            tokens += [(word[:-2], _default_tag(word[:-2], tags)), ("'s", "POS")]
            continue
        if (
            not tag
            and tokens
            and tokens[-1][1] == "TO"
            and word in lemmas
            and word not in CLOSED_CLASS
        ):
            tag = "VB"
        tokens.append((word, tag or _default_tag(word, tags)))
    return tuple(tokens)


_GLUED = re.compile(r" (?=(?:[.,]|n't)(?: |$)|')")
"""The space before a full stop, a comma or a clitic that is a token."""


def join_tokens(tokens: Iterable[Token]) -> str:
    """The sentence as written: capital first letter, no space before punctuation or a clitic."""
    text = _GLUED.sub("", " ".join([word for word, _ in tokens]))
    return text[:1].upper() + text[1:]


def fix_articles(tokens: Iterable[Token]) -> list[Token]:
    """Make every indefinite article agree with the word after it."""
    fixed = list(tokens)
    for place in range(len(fixed) - 1):
        word, tag = fixed[place]
        if tag == "DT" and word in {"a", "an"}:
            fixed[place] = (article(fixed[place + 1][0]), tag)
    return fixed


def repeats_itself(tokens: Iterable[Token]) -> bool:
    """Whether a noun or adjective appears twice, as in "playing in the snow in the snow"."""
    content = [word.lower() for word, tag in tokens if tag.startswith(("NN", "JJ", "VBG"))]
    return len(content) != len(set(content))


def is_plural_noun_phrase(phrase: Iterable[Token]) -> bool:
    """Whether the head of a noun phrase (the last noun before a preposition, or any of two joined) is plural."""
    head = ""
    for _, tag in phrase:
        if tag == "CC":
            return True
        if tag in {"IN", "TO"} and head:
            break
        if tag.startswith("NN"):
            head = tag
    return head in {"NNS", "NNPS"}


def _default_tag(word: str, tags: Mapping[str, str]) -> str:
    if word in CLOSED_CLASS:
        return CLOSED_CLASS[word]
    if word in tags:
        return tags[word]
    if word[0].isdigit():
        return "CD"
    if word[0].isupper() and word not in {"T-shirt", "T-shirts"}:
        return "NNP"
    if re.search(r"-.*(ed|en|day|year|old)$", word):
        return "JJ"
    if word.endswith("ly"):
        return "RB"
    if word.endswith("s") and not re.search(r"(ss|us|is)$", word):
        return "NNS"
    return "NN"
