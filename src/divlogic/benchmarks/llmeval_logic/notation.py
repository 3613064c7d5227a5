r"""The notation of the published files: LaTeX, ASCII and Unicode spellings of one language; glosses of its symbols.

Five connectives occur in 17 spellings: ``\neg \lnot ~``, ``\wedge \land &``, ``\vee \lor |``, ``\rightarrow \to
\Rightarrow ->``, ``\leftrightarrow \Leftrightarrow \iff <->``. Square brackets are brackets; rubrics write
``forall x.``. A quantifier governs the bracket that follows it or, without one, everything up to ``↔``.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from divlogic.io.files import read_yaml
from divlogic.logic.parsing import parse_tokens
from divlogic.logic.syntax import Atom, Binary, Negation, Quantified, Sentence

_SPELLINGS: dict[str, str] = read_yaml(Path(__file__).with_name("notation.yaml"))
_SIGN = {spelling: sign for sign, spellings in _SPELLINGS.items() for spelling in spellings.split()}
_SIGN["\\ "] = ""
_NAME = r"[^\W\d_]\w*(?:\{\w+\})?['’′]*|\d\w*"
_TOKEN = re.compile(
    _NAME + r"|\\[A-Za-z]+|<--?>|<==?>|--?>|==?>|==|!=|&&|\|\||/\\|\\.|\S", re.DOTALL
)
_WRAPPED = re.compile(
    r"\\(?:text|textit|textrm|mathrm|mathit|mathbf|mathsf|operatorname)\s*\{([^{}]*)\}"
)

_VARIABLE = re.compile(r"(?<![A-Za-z_\\])([u-z])(?![A-Za-z_])")
_GAP = re.compile(r"\.{2,}|…+|_{2,}")


class Tokens(NamedTuple):
    """A text cut into names and signs, each connective in one spelling.

    Attributes:
        text: the text, in NFKC.
        signs: the tokens; a name begins with a letter or a digit, no sign does.
        first: place of the first of them in the text's tokens.
    """

    text: str
    signs: list[str]
    first: int = 0

    def part(self, start: int, stop: int) -> Tokens:
        """Return the tokens from one place to before another."""
        return Tokens(self.text, self.signs[start:stop], self.first + start)

    def column(self, place: int) -> int:
        """Return the column of a token in the text, from 1; only errors need it."""
        found = [
            match for match in _TOKEN.finditer(self.text) if _SIGN.get(match[0], match[0]) != ""
        ]
        return found[self.first + place].start() + 1


def tokens_of(text: str) -> Tokens:
    """Cut a text into tokens; a ValueError says at which column a sign belongs to no formula."""
    text = _WRAPPED.sub(r"\1", unicodedata.normalize("NFKC", text)).replace(r"\_", "_")
    signs: list[str] = []
    for word in _TOKEN.findall(text):
        sign = _SIGN.get(word)
        if sign is None:
            if not word[0].isalnum():
                column = next(
                    match.start() + 1 for match in _TOKEN.finditer(text) if match[0] == word
                )
                raise ValueError(f"'{word}' at column {column} belongs to no formula")
            signs.append(word.replace("{", "").replace("}", "") if "{" in word else word)
        elif sign:
            signs.append(sign)
    return Tokens(text, signs)


def read_formula(text: str) -> Sentence:
    """Read a formula; a ValueError says at which column it is none."""
    return read_tokens(tokens_of(text))


def read_tokens(tokens: Tokens) -> Sentence:
    """Read tokens as one formula; a ValueError says at which column they are none."""
    return parse_tokens(tokens.signs, tokens.column, scope="bracket")


def split_arguments(tokens: Tokens) -> list[Tokens]:
    """Split tokens at the commas that stand in no bracket; empty parts are dropped."""
    parts: list[Tokens] = []
    depth = start = 0
    for place, sign in enumerate((*tokens.signs, ",")):
        if sign == "(":
            depth += 1
        elif sign == ")":
            depth -= 1
        elif sign == "," and (depth == 0 or place == len(tokens.signs)):
            if place > start:
                parts.append(tokens.part(start, place))
            start = place + 1
    return parts


def print_formula(sentence: Sentence) -> str:
    """Print a sentence canonically: one spelling, a bracket around every binary formula and quantified body."""
    match sentence:
        case Atom("=", (left, right)):
            return f"({left} = {right})"
        case Negation(Atom("=", (left, right))):
            return f"({left} ≠ {right})"
        case Atom(name, ()):
            return name
        case Atom(name, terms):
            return f"{name}({', '.join(terms)})"
        case Negation(operand):
            return f"¬{print_formula(operand)}"
        case Binary(sign, left, right):
            return f"({print_formula(left)} {sign} {print_formula(right)})"
        case Quantified(sign, variable, body):
            inner = print_formula(body)
            # Every other printed form than these begins with a bracket that closes at its end.
            closed = isinstance(body, Binary) or (isinstance(body, Atom) and body.predicate == "=")
            return f"{sign}{variable}{inner if closed or inner.startswith('(') else f'({inner})'}"


def templated(gloss: str, arity: int, variables: Sequence[str] = ()) -> str:
    """Return a predicate's gloss with ``{0}``, ``{1}`` where its terms go.

    Args:
        gloss: ``x嘲笑y``, ``是...的直系后代``, ``是抽象概念``.
        variables: the names of the terms, where the gloss's key has them (``P(x, y)``); else x, y, z in order.
    """
    if arity == 0 or "{0}" in gloss:
        return gloss
    names = list(variables) if len(variables) == arity else ["x", "y", "z", "u", "v", "w"][:arity]
    found = list(dict.fromkeys(_VARIABLE.findall(gloss)))
    if arity == 1 and len(found) == 1:
        names = found
    if any(name in found for name in names):
        places = {name: f"{{{place}}}" for place, name in enumerate(names)}
        return _VARIABLE.sub(lambda match: places.get(match[1], match[1]), gloss)
    gaps = len(_GAP.findall(gloss))
    first = arity - gaps
    numbers = iter(range(max(first, 0), arity + gaps))
    filled = _GAP.sub(lambda _: f"{{{next(numbers)}}}", gloss) if gaps else gloss
    if first <= 0:
        return filled
    return "{0}" + filled + "".join(f"{{{place}}}" for place in range(1, first))


@lru_cache(maxsize=10_000)
def folded(gloss: str) -> str:
    """Return the form in which glosses are compared: NFKC, lower case, no punctuation, no white space."""
    text = unicodedata.normalize("NFKC", gloss).casefold()
    return "".join(
        char for char in text if char in "{}" or unicodedata.category(char)[0] not in "PZSC"
    )


def similarity(left: str, right: str) -> float:
    """Return the Dice coefficient of the character bigrams of two folded glosses, 0 to 1."""
    first, second = _bigrams(folded(left)), _bigrams(folded(right))
    if not first or not second:
        return float(first == second)
    return 2 * len(first & second) / (len(first) + len(second))


def _bigrams(text: str) -> set[str]:
    return {text[place : place + 2] for place in range(len(text) - 1)} or (
        {text} if text else set()
    )
