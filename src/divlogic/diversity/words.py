"""Sentences and word tokens: NLTK's, several times faster with the same tokens, and plain letters.

Sentences end as NLTK's Punkt finds, from a folder of its parameters, or by rules that need no data.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from pathlib import Path

from divlogic.errors import DivLogicError
from divlogic.io.imports import lean

SentenceSplitter = Callable[[str], list[str]]
"""Cuts a text into its sentences."""

_PUNKT_FILES = ("abbrev_types.txt", "collocations.tab", "ortho_context.tab", "sent_starters.txt")
_MARK = re.compile(r"[.?!]")
_END = re.compile(r"""[.!?…]+["'”’»)\]]*(?=\s+["'“‘«(\[]*[A-Z0-9])|\n\s*\n|\n""")
_ABBREVIATIONS = frozenset(
    re.findall(
        r"\S+",
        "mr mrs ms dr prof sr jr st mt rev gen col capt lt sgt gov sen rep hon vs etc al e.g i.e cf no nos fig eq vol"
        " pp ed eds ca approx dept inc ltd co corp jan feb mar apr jun jul aug sep sept oct nov dec",
    )
)


def punkt_splitter(folder: Path) -> SentenceSplitter:
    """Return NLTK's English Punkt splitter with the parameters of a folder, as :func:`find_punkt` finds them."""
    with lean("nltk"):
        from nltk.tokenize.punkt import PunktSentenceTokenizer

    tokenizer = PunktSentenceTokenizer(_punkt_parameters(find_punkt(folder)))
    # Whether a mark ends a sentence depends on the words around it only, and the same ones come again and again.
    tokenizer.text_contains_sentbreak = lru_cache(maxsize=1 << 17)(
        tokenizer.text_contains_sentbreak
    )
    punkt = tokenizer.tokenize

    def split(text: str) -> list[str]:
        # Punkt looks at final marks only; a text with none before its end is one sentence.
        if text and text == text.strip() and not _MARK.search(text, 0, len(text) - 1):
            return [text]
        sentences: list[str] = punkt(text)
        return sentences

    return split


def find_punkt(folder: Path) -> Path:
    """Return the folder with Punkt's English parameters at or below ``folder``, such as ``nltk_data``."""
    folder = Path(folder)
    for place in ("", "english", "punkt_tab/english", "tokenizers/punkt_tab/english"):
        candidate = folder / place
        if all((candidate / name).is_file() for name in _PUNKT_FILES):
            return candidate
    raise DivLogicError(
        f"{folder}: Punkt's English parameters (tokenizers/punkt_tab/english) are not there;"
        " fetch the corpus nltk_data or leave the folder out to split sentences by rules."
    )


def rule_splitter(text: str) -> list[str]:
    """Split at final marks that a capital or digit follows, and at line breaks; abbreviations do not end one."""
    sentences, start = [], 0
    for match in _END.finditer(text):
        if _is_abbreviation(text[start : match.start()], match.group()):
            continue
        sentences.append(text[start : match.end()])
        start = match.end()
    sentences.append(text[start:])
    return [sentence.strip() for sentence in sentences if sentence.strip()]


def _is_abbreviation(before: str, mark: str) -> bool:
    last = before.rpartition(" ")[2]
    word = re.search(r"([^\W\d_](?:[\w.]*\w)?)$", last) if mark == "." else None
    if word is None:
        return False
    return word[1].lower() in _ABBREVIATIONS or (
        len(word[1]) == 1 and word[1].isupper() and word[1] != "I"
    )


def _punkt_parameters(folder: Path):  # type: ignore[no-untyped-def]  # NLTK has no types
    """Read the four files; NLTK's own reader insists on its search path, which a given folder is not on."""
    with lean("nltk"):
        from nltk.tabdata import PunktDecoder
        from nltk.tokenize.punkt import PunktParameters

    def lines(name: str) -> list[str]:
        return [line for line in (folder / name).read_text(encoding="utf-8").split("\n") if line]

    decoder, parameters = PunktDecoder(), PunktParameters()
    parameters.abbrev_types = set(lines("abbrev_types.txt"))
    parameters.sent_starters = set(lines("sent_starters.txt"))
    parameters.collocations = set(decoder.tab2tups(lines("collocations.tab")))
    parameters.ortho_context = decoder.tab2intdict(lines("ortho_context.tab"))
    return parameters


_CACHE_LIMIT = (
    1 << 18
)  # distinct chunks remembered; bounds the memory of a run over any amount of text
_CLOSERS = frozenset("])}>\"'»”’")
_SIMPLE = r"(\(?)([A-Za-z0-9]+(?:-[A-Za-z0-9]+)*)('s)?(\)?)"  # what NLTK cuts nowhere but between these parts
_SIMPLE_INNER = re.compile(_SIMPLE + r"([,;:?!]?)")
_SIMPLE_FINAL = re.compile(_SIMPLE + r"([.,;:?!]?)")
_CONTRACTED = frozenset(
    ("cannot", "gimme", "gonna", "gotta", "lemme", "wanna")
)  # NLTK cuts these in two
_NOT_LETTERS = bytes(
    byte | 0x20 if 65 <= byte <= 90 else (byte if 97 <= byte <= 122 else 32) for byte in range(256)
)


_HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_HAS_HAN = re.compile(f"[{_HAN}]")
_CHARACTERS = re.compile(rf"[{_HAN}]|[^\W{_HAN}]+|[^\w\s]")


Tokenizer = Callable[[str], list[str]]
"""Turns a text into its tokens."""


def word_tokenizer(split_sentences: SentenceSplitter) -> Tokenizer:
    """Return what cuts a text into the tokens of ``nltk.word_tokenize``, sentence by sentence.

    NLTK runs some thirty regular expressions over each sentence. All but the rule for the final full stop
    look no further than the next blank, so each chunk between blanks is tokenized once and remembered.
    """
    with lean("nltk"):
        from nltk.tokenize import NLTKWordTokenizer

    tokenize: Tokenizer = NLTKWordTokenizer().tokenize

    @lru_cache(maxsize=_CACHE_LIMIT)
    def inner(chunk: str) -> list[str]:
        return _simple_tokens(_SIMPLE_INNER.fullmatch(chunk)) or tokenize(f"x {chunk} x")[1:-1]

    @lru_cache(maxsize=_CACHE_LIMIT)
    def final(chunk: str) -> list[str]:
        return _simple_tokens(_SIMPLE_FINAL.fullmatch(chunk)) or tokenize(f"x {chunk}")[1:]

    def cut(text: str) -> list[str]:
        tokens: list[str] = []
        for sentence in split_sentences(text):
            chunks = sentence.split()
            if len(chunks) < 2 or sentence.count(" ") != len(chunks) - 1 or sentence[0] in "'\"":
                # Other blanks than single spaces mean something to NLTK, and so does a quote at the very start.
                tokens += tokenize(sentence)
                continue
            last = chunks.pop()
            while chunks and not set(last.split(" ", 1)[0]) - _CLOSERS:
                last = f"{chunks.pop()} {last}"  # brackets and quotes may stand behind the final full stop
            for chunk in chunks:
                tokens += inner(chunk)
            tokens += final(last)
        return tokens

    return cut


def _simple_tokens(match: re.Match[str] | None) -> list[str]:
    """Return the tokens of a chunk that NLTK cuts between the groups of the match alone; none of any other."""
    if match is None or not _CONTRACTED.isdisjoint(match[2].lower().split("-")):
        return []
    return [part for part in match.groups() if part]


def by_script(words: Tokenizer) -> Tokenizer:
    """Return what cuts a text that holds Chinese into characters, and any other into words.

    Chinese is not segmented into words: a segmenter is a model of its own, and its dictionary would decide what counts
    as a word. Each Han character is a token, and so is each run of other letters or digits and each sign.
    """
    return lambda text: (
        words(text) if text.isascii() or not _HAS_HAN.search(text) else _CHARACTERS.findall(text)
    )


def countable(tokens: Iterable[str]) -> list[str]:
    """Return what type-token statistics count: :func:`alphabetic` tokens, and Han characters."""
    found = []
    for token in tokens:
        if token.isascii():
            if token.isalpha():
                found.append(token.lower())
        elif _HAS_HAN.fullmatch(token):
            found.append(token)
    return found


def letter_tokens(text: str) -> list[str]:
    """Return the runs of ASCII letters, lower-cased: no linguistics, but an order of magnitude faster."""
    return text.encode("utf-8", "replace").translate(_NOT_LETTERS).decode("ascii").split()


def alphabetic(tokens: Iterable[str]) -> list[str]:
    """Return the tokens that are all letters a-z once lower-cased (JustLogic's rule ``^[a-z]+$``)."""
    return [token for token in map(str.lower, tokens) if token.isascii() and token.isalpha()]
