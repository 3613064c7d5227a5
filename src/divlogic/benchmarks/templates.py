"""Wording by the frames of templates.yaml: a formula and its clauses in, an English sentence out, and back again."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from divlogic.io.files import read_yaml
from divlogic.logic import Binary, Formula, Not, Var, filled, parse

LITERAL = "A"
IMPLICATION = "(A→B)"
OR = "((A∨B)→C)"
NOT_AND = "(¬(A∧B)→C)"

SLOTS: dict[str, str] = {LITERAL: "A", IMPLICATION: "AB", OR: "ABC", NOT_AND: "ABC"}
"""Slots of each shape, in the order in which a frame takes the clauses."""

_UNIVERSAL = re.compile(r"\b(?:whenever|never|in every case|in any situation|only when)\b")
"""Words by which a frame speaks of every case and not of the one at hand."""

_DENIAL = re.compile(r"\b(?:not|false|neither)\b")
"""Words by which a frame denies what stands before the arrow."""

_STOP = re.compile(r"\.(?= |$)")

Found = dict[int, list[tuple[int, Formula]]]
"""Position in a text -> (end, literal) of each known clause that begins there."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One way of wording one shape of formula.

    Attributes:
        id: name, unique among the frames of its formula.
        formula: the shape that it words, with A, B, C for the slots.
        pieces: the fixed text around the slots, one more than there are slots.
        order: for each slot in order of appearance, its index in ``SLOTS[formula]``.
        denies: indices of the slots that the frame itself denies, which receive no negated clause.
        universal: whether the frame speaks of every case ("whenever ...", "it is never the case that ... without").
    """

    id: str
    formula: str
    text: str
    pieces: tuple[str, ...]
    order: tuple[int, ...]
    denies: frozenset[int]
    universal: bool

    def phrase(self, clauses: Sequence[str]) -> str:
        """Put clauses in; mid-sentence form."""
        return self.text.format(**dict(zip(SLOTS[self.formula], clauses, strict=False)))

    def sentence(self, clauses: Sequence[str]) -> str:
        """Put clauses in; capital and full stop."""
        text = self.phrase(clauses)
        return _stop(text[0].upper() + text[1:])


@dataclass(frozen=True, slots=True)
class Templates:
    """All wordings."""

    frames: Mapping[str, tuple[Frame, ...]]
    conclusions: tuple[str, ...]
    questions: Mapping[str, tuple[str, ...]]
    _fitting: dict[tuple[str, tuple[bool, ...], bool], tuple[Frame, ...]] = field(
        default_factory=dict
    )

    def conclude(
        self,
        formula: Formula,
        clauses: Sequence[str],
        choice: int | float,
        introducer: int | float,
        *,
        universal: bool = True,
    ) -> str:
        """Word a formula as the conclusion of an argument ("Therefore, ..."); arguments as for :meth:`frame`."""
        phrase = self.frame(formula, clauses, choice, universal=universal).phrase(clauses)
        head = self.conclusions[_index(introducer, len(self.conclusions))]
        return _stop(head[0].upper() + head[1:] + phrase)

    def question(self, question_type: str, choice: int | float) -> str:
        """Return a question of the type ``3c1e``, ``3e1c`` or ``missing_premise``."""
        texts = self.questions[question_type]
        return texts[_index(choice, len(texts))]

    def question_type(self, question: str) -> str | None:
        """Say of which type a question is, or ``None`` if it is none of these."""
        return next((kind for kind, texts in self.questions.items() if question in texts), None)

    def frame(
        self,
        formula: Formula,
        clauses: Sequence[str],
        choice: int | float,
        *,
        universal: bool = True,
        unlike: Frame | None = None,
    ) -> Frame:
        """Choose the frame of a formula.

        Args:
            formula: a literal, ``(p→q)``, ``((p∨q)→r)`` or ``(¬(p∧q)→r)`` over literals.
            clauses: for each literal of the formula from left to right, a finite clause in mid-sentence form
                that says that literal (a negated literal comes with its negated clause).
            choice: which frame, as an index (taken modulo their number) or as a uniform draw from [0, 1).
            universal: whether the frame may speak of every case ("whenever ...").
            unlike: the frame that is not chosen; the next one is.

        Raises:
            ValueError: the formula has another shape, or the number of clauses does not fit it.
        """
        heading, literals = shape(formula)
        negated = tuple([type(literal) is Not for literal in literals])
        key = heading, negated, universal
        frames = self._fitting.get(key)
        if frames is None:
            denied = {at for at, one in enumerate(negated) if one}
            # What follows from a plain fact holds in that case and need not hold in every one.
            frames = self._fitting[key] = tuple(
                frame
                for frame in self.frames[heading]
                if denied.isdisjoint(frame.denies) and (universal or not frame.universal)
            )
        at = _index(choice, len(frames))
        frame = frames[at] if frames[at] is not unlike else frames[(at + 1) % len(frames)]
        if len(clauses) != len(frame.order):
            raise ValueError(
                f"{frame.formula} takes {len(frame.order)} clauses, got {len(clauses)}"
            )
        return frame


@functools.cache
def load_templates(denying: bool = True) -> Templates:
    """Return the templates of this package.

    Without ``denying`` no frame denies a clause ("it is not the case ..."), and no premise opens like a conclusion
    ("it follows that ... if ...").
    """
    values = read_yaml(Path(__file__).with_name("templates.yaml"))
    frames: dict[str, tuple[Frame, ...]] = {LITERAL: (_frame(LITERAL, "clause", "{A}"),)}
    for formula, texts in values["formulas"].items():
        made = [_frame(formula, name, text) for name, text in texts.items()]
        frames[formula] = tuple(
            f for f in made if denying or not (f.denies or f.text.startswith("it follows"))
        )
    return Templates(
        frames,
        tuple(text.removesuffix("{S}") for text in values["conclusions"]),
        {kind: tuple(texts) for kind, texts in values["questions"].items()},
    )


def shape(formula: Formula) -> tuple[str, list[Formula]]:
    """Return the heading under which a formula's templates stand, and its literals from left to right."""
    match formula:
        case Binary("→", Binary("∨", first, second), last):
            heading, literals = OR, [first, second, last]
        case Binary("→", Not(Binary("∧", first, second)), last):
            heading, literals = NOT_AND, [first, second, last]
        case Binary("→", first, last):
            heading, literals = IMPLICATION, [first, last]
        case _:
            heading, literals = LITERAL, [formula]
    if not all(map(_is_literal, literals)):
        raise ValueError(f"no template words {formula}")
    return heading, literals


def _is_literal(formula: Formula) -> bool:
    kind = type(formula)
    return kind is Var or (kind is Not and type(formula.operand) is Var)  # type: ignore[union-attr]


def _index(choice: int | float, count: int) -> int:
    return int(choice * count) if isinstance(choice, float) else int(choice) % count


def _frame(formula: str, name: str, text: str) -> Frame:
    parts = re.split(r"\{([A-Z])\}", text)
    pieces, slots = tuple(parts[0::2]), parts[1::2]
    order = tuple(SLOTS[formula].index(slot) for slot in slots)
    last = len(slots) - 1
    denies = set(range(last)) if _DENIAL.search(text) else set()
    if f"unless {{{SLOTS[formula][last]}}}" in text:
        denies.add(last)
    universal = _UNIVERSAL.search(text) is not None
    return Frame(str(name), formula, text, pieces, order, frozenset(denies), universal)


def _stop(text: str) -> str:
    """Add the full stop, unless an abbreviation at the end brings its own."""
    return text if text.endswith(".") else text + "."


@dataclass(frozen=True, slots=True)
class Reading:
    """One sentence taken apart: the frame, the literals in its slots (in slot order), the formula."""

    frame: Frame
    literals: tuple[Formula, ...]
    formula: Formula


Passage = tuple[list[Reading], Reading | None]
"""The statements of a context, and its conclusion if one is drawn."""


class FrameReader:
    """Reads sentences made from the same clauses, each with the literal it says; build it once per item."""

    def __init__(self, known_clauses: Mapping[str, str | Formula]) -> None:
        self.templates = load_templates()
        self._clauses = {
            clause: parse(literal) if isinstance(literal, str) else literal
            for clause, literal in known_clauses.items()
        }
        self._abbreviated = any(clause.endswith(".") for clause in self._clauses)

    def read(self, sentence: str) -> Reading:
        """Take a sentence apart; a ValueError if no frame with these clauses gives it, or two with other formulas."""
        found = self._body(sentence)
        if found is None:
            raise ValueError(
                f"'{sentence}': no template with the known clauses gives this sentence"
            )
        return found

    def read_sentences(self, text: str) -> Passage:
        """Take the sentences of a context apart: its statements, and its conclusion if one is drawn.

        A part of the text that is no sentence of the templates and the known clauses is a ValueError.
        """
        unread = [0]
        found = self._passage(text, 0, unread)
        if found is None:
            raise ValueError(f"'{text[max(unread) :]}': no sentence of the templates begins here")
        return found

    def _passage(self, text: str, start: int, unread: list[int]) -> Passage | None:
        # A full stop may belong to a clause ("at St. Ives"), so each one is tried as the end of the sentence.
        for stop in _STOP.finditer(text, start):
            sentence, last = text[start : stop.end()], stop.end() == len(text)
            if last and (conclusion := self._conclusion(sentence)):
                return [], conclusion
            reading = self._body(sentence)
            if reading and last:
                return [reading], None
            if reading:
                unread.append(stop.end() + 1)
                if rest := self._passage(text, stop.end() + 1, unread):
                    return [reading, *rest[0]], rest[1]
        return None

    def _conclusion(self, sentence: str) -> Reading | None:
        for introducer in self.templates.conclusions:
            head = introducer[0].upper() + introducer[1:]
            if sentence.startswith(head) and (
                found := self._body(sentence[len(head) :], capital=False)
            ):
                return found
        return None

    def _body(self, sentence: str, *, capital: bool = True) -> Reading | None:
        """Read a sentence with its full stop; a stop that ends a clause ("in the U.S.") is not doubled."""
        bodies = [sentence[:-1]] if sentence.endswith(".") else []
        if bodies and self._abbreviated:
            bodies.append(sentence)
        found = [
            reading
            for body in bodies
            if body
            for starts in (self._starts(body, capital),)
            for frame in _beginning(body[0].lower() + body[1:].partition(" ")[0])
            for reading in _fit(frame, body, starts, capital)
        ]
        if len({reading.formula for reading in found}) > 1:
            raise ValueError(
                f"'{sentence}': {' and '.join(sorted(r.frame.text for r in found))} both give this"
            )
        return found[0] if found else None

    def _starts(self, body: str, capital: bool) -> Found:
        """Find every place where a known clause stands."""
        starts: Found = {}
        for clause, literal in self._clauses.items():
            if capital and body.startswith(clause[0].upper() + clause[1:]):
                starts.setdefault(0, []).append((len(clause), literal))
            at = body.find(clause, 1 if capital else 0)
            while at >= 0:
                starts.setdefault(at, []).append((at + len(clause), literal))
                at = body.find(clause, at + 1)
        return starts


@functools.lru_cache(maxsize=1_000)
def _beginning(word: str) -> list[Frame]:
    """Return the frames, in their order, that begin with a word, or with a clause."""
    frames = [frame for own in load_templates().frames.values() for frame in own]
    return [frame for frame in frames if frame.pieces[0].partition(" ")[0] in ("", word)]


def _fit(frame: Frame, body: str, starts: Found, capital: bool) -> Iterator[Reading]:
    """Yield every way of laying a frame over a sentence without its full stop."""
    head = frame.pieces[0]
    if capital and head:
        head = head[0].upper() + head[1:]
    if not body.startswith(head) or not body.endswith(frame.pieces[-1]):
        return
    for found in _slots(frame, body, starts, len(head), 1):
        named = {
            SLOTS[frame.formula][slot]: literal
            for slot, literal in zip(frame.order, found, strict=True)
        }
        literals = tuple([named[slot] for slot in SLOTS[frame.formula]])
        yield Reading(frame, literals, filled(parse(frame.formula), named))


def _slots(
    frame: Frame, body: str, starts: Found, at: int, slot: int
) -> Iterator[tuple[Formula, ...]]:
    if slot == len(frame.pieces):
        if at == len(body):
            yield ()
        return
    for end, literal in starts.get(at, ()):
        piece = frame.pieces[slot]
        if body.startswith(piece, end):
            for rest in _slots(frame, body, starts, end + len(piece), slot + 1):
                yield (literal, *rest)
