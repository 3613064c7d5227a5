"""Letters of options and the reading of answers, on the standard library alone: exports copy this file.

An answer is read in linear time, from its last part: the text behind the last ``</think>`` (nothing if the thinking
is not finished); in it the one ``<answer>``; else what follows the last ``\\boxed`` or "Answer:"; else the whole
text. That part must be an option, and not only contain one.
"""

from __future__ import annotations

import re
from functools import lru_cache
from string import ascii_uppercase

LETTERS = "ABCD"
OPTIONS = len(LETTERS)

_HALF_WIDTH = {0xFF01 + k: 0x21 + k for k in range(94)}
_THINK = re.compile(r"<(/?)think(?:ing)?>", re.IGNORECASE)
_TAG = re.compile(r"<(/?)answer>", re.IGNORECASE)

# No quantifier below gives back what it took: each text is gone over once.
_CUE = re.compile(
    r"\\boxed\{|(?:\b(?:answer|choice|option|label)\b|答案|选项|选择|标签)"
    r"[\s*_]*+(?:(?:(?:would|should|must|will)\s++be|is|are)(?!\w)|是|应?为)?+[\s*_\"'”]*+[:=\-–]?+",
    re.IGNORECASE,
)
_SAID = re.compile(r"(?:\b(?:is|are|be)|是|为|[:=\-–]|\\boxed\{)[\s*_\"'”]*+$", re.IGNORECASE)
"""The end of a cue that announces an answer, in place of the mere word."""

# What may stand between a cue and its letter, or around a letter: "**(B)**", "<C>", "\boxed{D}", "'A'".
_LETTER = re.compile(
    r"[\s*_`\"'“‘(\[<{$]*+(?:\\boxed\{)?+(?:\\(?:text|mathrm|mathbf)\{)?+(?:(?:option|choice)\s++|选项?\s*+)?+"
    r"[*_`\"'“‘(\[<{]*+(?P<letter>[A-Za-z])(?![A-Za-z0-9]|['’][A-Za-z])",
    re.IGNORECASE,
)
_LEADING = re.compile(
    # A letter on a line of its own counts unless the next line is one too: then options are listed.
    r"[*_`\"'”’)\]>}]*+(?:[.:,)、。]|\s*+$|[^\S\n]*+\n(?!\s*+[A-Z]\s*+(?:$|(?<=\n)))|\s++(?:or|and|because|since)\b)"
)
_MARKED = re.compile(
    r"\((?P<a>[A-Z])\)|\*\*(?P<b>[A-Z])[.)]?\*\*|\b(?:[oO]ption|[cC]hoice)\s++(?P<c>[A-Z])\b|选(?P<d>[A-Z])"
)
# A second letter straight after the first: the answer names two options, thus none.
_SECOND = re.compile(
    r"[*_`\"'”’)\]>}.\s]*+(?:/|,|、|&|\bor\b|\band\b|或|和)[\s*_`\"'“‘(\[<{]*+(?:option\s++)?+(?P<letter>[A-Z])"
    r"(?![A-Za-z0-9])",
    re.IGNORECASE,
)
_ARTICLE = re.compile(r"\s++[a-z]")
_REASON = re.compile(r"\s++(?:or|and|because|since|as)\b")
_WORD = re.compile(r"\s++\w")
_LABEL_END = re.compile(r"[.。!;；\n]|\s(?:because|since|as|for)\s|\s[(–]")
_MARKS = re.compile(r"[\W_]+")
_LATEX = re.compile(r"\\(?:boxed|text|mathrm|mathbf)\{")


def option_at(position: int, rotation: int, count: int = OPTIONS) -> int:
    """Return the index of the option that stands at ``position`` (0 = A) in ``rotation``, of ``count`` options."""
    return (position + rotation) % count


def position_of(option: int, rotation: int, count: int = OPTIONS) -> int:
    """Return where the option with index ``option`` stands in ``rotation``: the inverse of :func:`option_at`."""
    return (option - rotation) % count


def after_thinking(text: str) -> str:
    """Return the text behind the last ``</think>``; nothing if a ``<think>`` is not closed."""
    last = max(_THINK.finditer(text), key=re.Match.end, default=None)
    if last is None:
        return text
    return text[last.end() :] if last[1] else ""


@lru_cache(maxsize=4096)  # short answers come again
def parse_answer(text: str | None, count: int = OPTIONS) -> str | None:
    """Return the letter, of the first ``count``, that an answer names, or ``None`` if it names none or several.

    Read in this order: the one ``<answer>``; the last ``\\boxed{X}``, "answer is X" or "Answer: X" (a chain of thought
    concludes with it); a letter that opens the answer ("B", "B. The man ...", "(B)", "B" on a line of its own); the one
    letter that is marked as an option in running text. A lower-case letter counts only after a cue and where no word
    follows ("the answer is a matter of ..." names none).
    """
    text = after_thinking((text or "").translate(_HALF_WIDTH)).strip()
    letters = ascii_uppercase[:count]
    tagged = _tagged(text)
    if tagged is not None:
        text = tagged
        whole = _LETTER.match(text)
        if whole and not text[whole.end() :].strip("*_`\"'”’)]>}$. \n"):
            return _in(whole, letters)
    announced, explicit = False, None
    for cue in _CUE.finditer(text):
        match = _LETTER.match(text, cue.end())
        letter = match if match is not None and _is_letter(text, match) else None
        bare = letter is not None and letter["letter"].isupper() and cue[0].strip().casefold() == "answer"
        if bare or _SAID.search(cue[0]):
            announced, explicit = True, letter
    if announced:
        return _single(text, explicit, letters) if explicit else None
    leading = _LETTER.match(text)
    if leading and leading["letter"].isupper() and _LEADING.match(text, leading.end()):
        return _single(text, leading, letters)
    marked = {letter for match in _MARKED.finditer(text) for letter in match.groups() if letter}
    return marked.pop() if len(marked) == 1 and marked <= set(letters) else None


def option_named(text: str, options: tuple[str, ...]) -> str | None:
    """Return the option that an answer is; case, blanks and marks make no difference.

    Without a cue the whole text, its first or its last line must be the option; where these are two options it is none.
    """
    keys = {_MARKS.sub("", option.casefold()): option for option in options}
    if len(keys) < len(options) or "" in keys:
        keys = {option.casefold().strip(): option for option in options}

    def named(part: str) -> str | None:
        part = _LATEX.sub("", part).strip().casefold()
        return keys.get(_MARKS.sub("", part)) or keys.get(part)

    text = after_thinking(text.translate(_HALF_WIDTH)).strip()
    tagged = _tagged(text)
    if tagged is not None:
        return named(tagged)
    # The mere word "answer" announces none.
    if ends := [cue.end() for cue in _CUE.finditer(text) if _SAID.search(cue[0])]:
        rest = text[ends[-1] :].lstrip().removeprefix("**").lstrip()
        end = _LABEL_END.search(rest)
        return named(rest[: end.start()] if end else rest) or named(rest.partition("\n")[0])
    lines = text.splitlines()
    found = {label for part in (text, *lines[:1], *lines[-1:]) if (label := named(part))}
    return found.pop() if len(found) == 1 else None


def _tagged(text: str) -> str | None:
    """Return the content of the ``<answer>`` tags; empty if they differ, ``None`` without any."""
    contents, start = [], None
    for tag in _TAG.finditer(text):
        if not tag[1]:
            start = tag.end()
        elif start is not None:
            contents.append(text[start : tag.start()].strip())
            start = None
    if not contents:
        return None
    return contents[0] if len({content.casefold() for content in contents}) == 1 else ""


def _is_letter(text: str, match: re.Match[str]) -> bool:
    """Return whether the letter after a cue is an option rather than the article or the pronoun."""
    letter, end = match["letter"], match.end()
    if letter in "aiAI" and _ARTICLE.match(text, end):
        return bool(_REASON.match(text, end)) and letter.isupper()
    return letter.isupper() or not _WORD.match(text, end)


def _single(text: str, match: re.Match[str], letters: str) -> str | None:
    """Return the letter of a match, unless a second one follows or it is no option."""
    second = _SECOND.match(text, match.end())
    if second and second["letter"].upper() != match["letter"].upper():
        # An option of its own ("A, B"), and not the article ("B, a man ...").
        article = second["letter"] in "aA" and _ARTICLE.match(text, second.end())
        if second["letter"].upper() in letters and not article:
            return None
    return _in(match, letters)


def _in(match: re.Match[str], letters: str) -> str | None:
    letter = match["letter"].upper()
    return letter if letter in letters else None
