"""Sentence boundaries: NLTK's Punkt from a folder of its parameters, or rules that need no data."""

from __future__ import annotations

import re
from collections.abc import Callable
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
    """Return NLTK's English Punkt splitter, its parameters read from ``folder`` (never downloaded).

    Args:
        folder: ``punkt_tab/english``, or any folder above it such as ``nltk_data``.

    Raises:
        DivLogicError: the parameters are not there.
    """
    with lean("nltk"):
        from nltk.tokenize.punkt import PunktSentenceTokenizer

    tokenizer = PunktSentenceTokenizer(_punkt_parameters(find_punkt(folder)))
    # Whether a mark ends a sentence depends on the words around it only, and the same ones come again and again.
    tokenizer.text_contains_sentbreak = lru_cache(maxsize=1 << 17)(tokenizer.text_contains_sentbreak)
    punkt = tokenizer.tokenize

    def split(text: str) -> list[str]:
        # Punkt looks at final marks only; a text with none before its end is one sentence.
        if text and text == text.strip() and not _MARK.search(text, 0, len(text) - 1):
            return [text]
        sentences: list[str] = punkt(text)
        return sentences

    return split


def find_punkt(folder: Path) -> Path:
    """Return the folder with Punkt's English parameters at or below ``folder``.

    Raises:
        DivLogicError: there is none.
    """
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
    if mark != ".":
        return False
    word = re.search(r"([^\W\d_](?:[\w.]*\w)?)$", before)
    if word is None:
        return False
    return word[1].lower() in _ABBREVIATIONS or (len(word[1]) == 1 and word[1].isupper() and word[1] != "I")


def _punkt_parameters(folder: Path):  # type: ignore[no-untyped-def]  # NLTK has no types
    """Read the four files; NLTK's own reader insists on its search path, which a given folder is not on."""
    with lean("nltk"):
        from nltk.tokenize.punkt import PunktParameters

    def lines(name: str) -> list[str]:
        return [line for line in (folder / name).read_text(encoding="utf-8").split("\n") if line]

    parameters = PunktParameters()
    parameters.abbrev_types = set(lines("abbrev_types.txt"))
    parameters.sent_starters = set(lines("sent_starters.txt"))
    parameters.collocations = {tuple(line.split("\t")) for line in lines("collocations.tab")}
    for line in lines("ortho_context.tab"):
        word, flags = line.split("\t")
        parameters.ortho_context[word] = int(flags)
    return parameters
