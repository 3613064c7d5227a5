"""The letters of the options: where an option stands in a rotation, and which letter an answer names."""

from __future__ import annotations

import re
from functools import lru_cache
from string import ascii_uppercase

LETTERS = "ABCD"
OPTIONS = len(LETTERS)

# What may stand between a cue and its letter, or around a letter: "**(B)**", "<C>", "\boxed{D}", "'A'".
_OPEN = r"[\s*_`\"'“‘(\[<{$]*(?:\\boxed\{)?(?:\\text\{)?(?:option\s+|choice\s+)?[*_`\"'“‘(\[<]*"
_CLOSE = r"(?![A-Za-z0-9])"

_EXPLICIT = re.compile(
    r"\b(?:answer|choice|option)\b[\s*_]*(?:(?:would|should|must|will)\s+be|is|are)?[\s*_]*[:：=\-–]?"
    + _OPEN
    + r"(?P<letter>[A-Za-z])"
    + _CLOSE
    + r"(?P<rest>.{0,24})",
    re.IGNORECASE | re.DOTALL,
)
_LEADING = re.compile(
    r"^"
    + _OPEN
    # A letter on a line of its own counts unless the next line is one too: then options are listed.
    + r"(?P<letter>[A-Z])(?P<rest>[*_`\"'”’)\]>}]*"
    + r"(?:[.:,)]|\s*$|[^\S\n]*\n(?!\s*[A-Z]\s*(?:\n|$))|\s+(?:or|and)\b).*)",
    re.DOTALL,
)
_MARKED = re.compile(
    r"\((?P<a>[A-Z])\)|\*\*(?P<b>[A-Z])[.)]?\*\*|\boption\s+(?P<c>[A-Z])\b|\\boxed\{(?P<d>[A-Z])\}"
)
# A second letter straight after the first: the answer names two options, thus none.
_SECOND = re.compile(
    r"^[*_`\"'”’)\]>}.\s]*(?:/|,|&|\bor\b|\band\b)[\s*_`\"'“‘(\[<{]*(?:option\s+)?(?P<letter>[A-Z])" + _CLOSE,
    re.IGNORECASE,
)


def option_at(position: int, rotation: int, count: int = OPTIONS) -> int:
    """Return the index of the option that stands at ``position`` (0 = A) in ``rotation``, of ``count`` options."""
    return (position + rotation) % count


def position_of(option: int, rotation: int, count: int = OPTIONS) -> int:
    """Return where the option with index ``option`` stands in ``rotation``: the inverse of :func:`option_at`."""
    return (option - rotation) % count


@lru_cache(maxsize=65536)
def parse_answer(text: str | None, count: int = OPTIONS) -> str | None:
    """Return the letter, of the first ``count``, that an answer names, or ``None`` if it names none or several.

    Read in this order: the last "answer is X" or "Answer: X" (a chain of thought concludes with it); a letter that
    opens the answer ("B", "B. The man ...", "(B)", "B" on a line of its own); the one letter that is marked as an
    option in running text. A lower-case letter counts only after a cue and where no word follows ("the answer is a
    matter of ..." names none).
    """
    if not text or not text.strip():
        return None
    text = text.strip()
    letters = ascii_uppercase[:count]
    explicit = [match for match in _EXPLICIT.finditer(text) if _is_letter(match)]
    if explicit:
        return _single(explicit[-1], letters)
    leading = _LEADING.match(text)
    if leading:
        return _single(leading, letters)
    marked = {letter for match in _MARKED.finditer(text) for letter in match.groups() if letter}
    return marked.pop() if len(marked) == 1 and marked <= set(letters) else None


def _is_letter(match: re.Match[str]) -> bool:
    """Return whether the letter after a cue is an option rather than the article or the pronoun."""
    letter, rest = match["letter"], match["rest"]
    if letter in "aiAI" and re.match(r"\s+[a-z]", rest):
        return bool(re.match(r"\s+(?:or|and|because|since|as)\b", rest)) and letter.isupper()
    return letter.isupper() or not re.match(r"\s+\w", rest)


def _single(match: re.Match[str], letters: str) -> str | None:
    """Return the letter of a match, unless a second one follows or it is no option."""
    letter = match["letter"].upper()
    second = _SECOND.match(match["rest"])
    if second and second["letter"].upper() != letter and _named_alone(match["rest"], second, letters):
        return None
    return letter if letter in letters else None


def _named_alone(rest: str, second: re.Match[str], letters: str) -> bool:
    """Return whether the second letter is an option of its own ("A, B") and not the article ("B, a man ...")."""
    if second["letter"].upper() not in letters:
        return False
    return not (second["letter"] in "aA" and re.match(r"\s+[a-z]", rest[second.end() :]))
