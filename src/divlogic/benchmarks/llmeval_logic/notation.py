r"""The notation of the published files: LaTeX, ASCII and Unicode spellings of one language.

Five connectives occur in 17 spellings: ``\neg \lnot ~``, ``\wedge \land &``, ``\vee \lor |``, ``\rightarrow \to
\Rightarrow ->``, ``\leftrightarrow \Leftrightarrow \iff <->``. Square brackets are brackets; rubrics write
``forall x.``. A quantifier governs the bracket that follows it or, without one, everything up to ``↔``. FOLIO's
authors mean everything that follows; :func:`read_formula` reads either.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import Literal, NamedTuple

from divlogic.logic.fol import Atom, Binary, Negation, Quantified, Sentence

Scope = Literal["bracket", "rest"]
"""What a quantifier before a bracket governs: the bracket (LLMEval-Logic), or all that follows (FOLIO)."""

_SPELLINGS = {
    "¬": (r"\neg", r"\lnot", r"\sim", "~", "!", "¬", "not"),
    "∧": (r"\wedge", r"\land", "&&", "&", "∧", "and", "/\\"),
    "∨": (r"\vee", r"\lor", "||", "|", "∨", "or", "\\/"),
    "⊕": (r"\oplus", "⊕", "xor"),
    "→": (r"\rightarrow", r"\Rightarrow", r"\longrightarrow", r"\implies", r"\to", "->", "=>", "→", "⇒", "⟶"),
    "↔": (
        *(r"\leftrightarrow", r"\Leftrightarrow", r"\longleftrightarrow", r"\iff", r"\equiv"),
        *("<->", "<=>", "↔", "⇔", "⟷", "≡"),
    ),
    "∀": (r"\forall", "∀", "forall"),
    "∃": (r"\exists", "∃", "exists"),
    "≠": (r"\neq", r"\ne", "!=", "≠"),
    "=": ("==", "="),
    "(": (r"\{", "(", "[", "{", "【"),
    ")": (r"\}", ")", "]", "}", "】"),
    ",": (",", "、"),
    ".": (".", ":"),
    "": (
        r"\left",
        r"\right",
        r"\quad",
        r"\qquad",
        r"\,",
        r"\;",
        r"\!",
        r"\:",
        "\\ ",
        r"\text",
        r"\mathrm",
        r"\operatorname",
        "$",
    ),
}
_SIGN = {spelling: sign for sign, spellings in _SPELLINGS.items() for spelling in spellings}
_NAME = r"[^\W\d_]\w*(?:\{\w+\})?['’′]*|\d\w*"
_TOKEN = re.compile(rf"\s*(?:({_NAME})|(\\[A-Za-z]+|<->|<=>|->|=>|==|!=|&&|\|\||/\\|\\.|\S))", re.DOTALL)
_STRENGTH = {"∧": 4, "∨": 3, "⊕": 3, "→": 2, "↔": 1}
_VARIABLE = re.compile(r"[u-z]\d*['’′]*")


class Token(NamedTuple):
    """One sign or name, with its column in the text, from 1."""

    text: str
    column: int
    is_name: bool = False


def tokens_of(text: str) -> list[Token]:
    """Cut a text into tokens, each connective in one spelling.

    Raises:
        ValueError: a sign belongs to no formula; the message says at which column.
    """
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
    text = text.rstrip()
    found: list[Token] = []
    at = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        assert match is not None  # any sign matches
        name, sign = match.groups()
        if name and name not in _SIGN:
            found.append(
                Token(
                    name.replace("{", "").replace("}", "") if "{" in name else name, match.start(1) + 1, True
                )
            )
        else:
            read = _SIGN.get(name or sign)
            if read is None:
                column = match.start(2) + 1
                raise ValueError(
                    f"'{sign if len(sign) > 2 else sign[0]}' at column {column} belongs to no formula"
                )
            if read:
                found.append(Token(read, match.end() - len(name or sign) + 1))
        at = match.end()
    return found


def spelled(tokens: Sequence[Token]) -> str:
    """Print tokens in one spelling, with single spaces around binary connectives."""
    text = "".join(f" {each.text} " if each.text in _STRENGTH else each.text for each in tokens)
    return re.sub(r",\s*", ", ", re.sub(r"(?<=[∀∃])(\w+['’′]*)(?=\w)", r"\1 ", text)).strip()


def read_formula(text: str, *, scope: Scope = "bracket") -> Sentence:
    """Read a formula.

    Raises:
        ValueError: the text is no formula; the message says at which column.
    """
    return read_tokens(tokens_of(text), scope=scope)


def read_tokens(tokens: Sequence[Token], *, scope: Scope = "bracket") -> Sentence:
    """Read tokens as one formula.

    Raises:
        ValueError: they are none; the message says at which column.
    """
    parser = _Parser(list(tokens), scope)
    try:
        sentence = parser.formula(1)
    except RecursionError:
        raise ValueError("the formula is nested too deep") from None
    if parser.at < len(parser.tokens):
        parser.fail("an operator or the end")
    return sentence


def split_arguments(tokens: Sequence[Token]) -> list[list[Token]]:
    """Split tokens at the commas that stand in no bracket."""
    parts: list[list[Token]] = [[]]
    depth = 0
    for token in tokens:
        depth += (token.text == "(") - (token.text == ")")
        if token.text == "," and depth == 0:
            parts.append([])
        else:
            parts[-1].append(token)
    return [part for part in parts if part]


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
            bare = isinstance(body, (Quantified, Negation)) or (
                isinstance(body, Atom) and body.predicate != "="
            )
            return f"{sign}{variable}{f'({inner})' if bare and not inner.startswith('(') else inner}"


class _Parser:
    def __init__(self, tokens: list[Token], scope: Scope) -> None:
        self.tokens, self.scope, self.at = tokens, scope, 0

    def peek(self, ahead: int = 0) -> str:
        place = self.at + ahead
        return self.tokens[place].text if place < len(self.tokens) else ""

    def fail(self, expected: str) -> None:
        if self.at < len(self.tokens):
            token = self.tokens[self.at]
            raise ValueError(f"'{token.text}' at column {token.column} where {expected} belongs")
        raise ValueError(f"the formula ends where {expected} belongs")

    def take(self, sign: str) -> None:
        if self.peek() != sign:
            self.fail(f"'{sign}'")
        self.at += 1

    def name(self, what: str) -> str:
        if self.at >= len(self.tokens) or not self.tokens[self.at].is_name:
            self.fail(what)
        self.at += 1
        return self.tokens[self.at - 1].text

    def formula(self, least: int) -> Sentence:
        left = self.unary()
        while (sign := self.peek()) in _STRENGTH and _STRENGTH[sign] >= least:
            self.at += 1
            own = _STRENGTH[sign]
            left = Binary(sign, left, self.formula(own if sign == "→" else own + 1))
        return left

    def unary(self) -> Sentence:
        sign = self.peek()
        if sign == "¬":
            self.at += 1
            return Negation(self.unary())
        if sign in ("∀", "∃"):
            return self.quantified()
        if sign == "(":
            self.at += 1
            inner = self.formula(1)
            self.take(")")
            return inner
        return self.atom()

    def quantified(self) -> Sentence:
        sign = self.peek()
        self.at += 1
        variables = [self.name("a variable")]
        while True:
            step = 1 if self.peek() == "," else 0
            if not _VARIABLE.fullmatch(self.peek(step)) or self.peek(step + 1) in ("=", "≠"):
                break
            self.at += step
            variables.append(self.name("a variable"))
        if self.peek() in (".", ","):
            self.at += 1
        body = self.body()
        for variable in reversed(variables):
            body = Quantified(sign, variable, body)
        return body

    def body(self) -> Sentence:
        if self.scope == "rest":
            return self.formula(1)
        return self.unary() if self.peek() == "(" else self.formula(2)

    def atom(self) -> Sentence:
        name = self.name("a formula")
        terms: list[str] = []
        if self.peek() == "(":
            self.at += 1
            terms.append(self.name("a term"))
            while self.peek() == ",":
                self.at += 1
                terms.append(self.name("a term"))
            self.take(")")
        if not terms and self.peek() in ("=", "≠"):
            sign = self.peek()
            self.at += 1
            equal = Atom("=", (name, self.name("a term")))
            return equal if sign == "=" else Negation(equal)
        return Atom(name, tuple(terms))
