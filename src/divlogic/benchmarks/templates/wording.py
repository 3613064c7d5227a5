"""The frames of templates.yaml, ready for use: a formula and its clauses in, an English sentence out."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from divlogic.io.files import read_yaml
from divlogic.logic import And, Formula, Implies, Not, Or, Var

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

Build = Callable[[Sequence[str]], str]


@dataclass(frozen=True, slots=True)
class Frame:
    """One way of wording one shape of formula.

    Attributes:
        id: name, unique among the frames of its formula.
        formula: the shape that it words, with A, B, C for the slots.
        text: the English with ``{A}``, ``{B}``, ``{C}``.
        pieces: the fixed text around the slots, one more than there are slots.
        order: for each slot in order of appearance, its index in ``SLOTS[formula]``.
        denies: indices of the slots that the frame itself denies, which receive no negated clause.
        universal: whether the frame speaks of every case ("whenever ...", "it is never the case that ... without").
        phrase: puts clauses in; mid-sentence form.
        sentence: puts clauses in; capital and full stop.
    """

    id: str
    formula: str
    text: str
    pieces: tuple[str, ...]
    order: tuple[int, ...]
    denies: frozenset[int]
    universal: bool
    phrase: Build
    sentence: Build


@dataclass(frozen=True, slots=True)
class Templates:
    """All wordings.

    Attributes:
        frames: frames per shape.
        conclusions: introducers of conclusions.
        questions: questions per type.
    """

    frames: Mapping[str, tuple[Frame, ...]]
    conclusions: tuple[str, ...]
    questions: Mapping[str, tuple[str, ...]]
    _fitting: dict[tuple[str, tuple[bool, ...], bool], tuple[Frame, ...]] = field(default_factory=dict)

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
        heading = shape(formula)
        negated = tuple([type(literal) is Not for literal in _literals(formula)])
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
            raise ValueError(f"{frame.formula} takes {len(frame.order)} clauses, got {len(clauses)}")
        return frame


@functools.cache
def load_templates(denying: bool = True) -> Templates:
    """Return the templates of this package; without ``denying`` no frame denies a clause ("it is not the case ...")."""
    values = read_yaml(Path(__file__).with_name("templates.yaml"))
    frames: dict[str, tuple[Frame, ...]] = {LITERAL: (_frame(LITERAL, "clause", "{A}"),)}
    for formula, texts in values["formulas"].items():
        made = [_frame(formula, name, text) for name, text in texts.items()]
        frames[formula] = tuple(frame for frame in made if denying or not frame.denies)
    return Templates(
        frames,
        tuple(text.removesuffix("{S}") for text in values["conclusions"]),
        {kind: tuple(texts) for kind, texts in values["questions"].items()},
    )


def shape(formula: Formula) -> str:
    """Return the heading under which a formula's templates stand.

    Raises:
        ValueError: no template words a formula of this shape.
    """
    kind = type(formula)
    if kind is Implies:
        left, right = formula.left, formula.right  # type: ignore[union-attr]
        if _is_literal(right):
            if _is_literal(left):
                return IMPLICATION
            if type(left) is Or and _is_literal(left.left) and _is_literal(left.right):
                return OR
            if type(left) is Not and type(left.operand) is And:
                both = left.operand
                if _is_literal(both.left) and _is_literal(both.right):
                    return NOT_AND
    elif _is_literal(formula):
        return LITERAL
    raise ValueError(f"no template words {formula}")


def _literals(formula: Formula) -> list[Formula]:
    """Return the literals of a formula that has templates, from left to right."""
    match formula:
        case Implies(Or(first, second) | Not(And(first, second)), last):
            return [first, second, last]
        case Implies(first, last):
            return [first, last]
    return [formula]


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
    return Frame(
        str(name),
        formula,
        text,
        pieces,
        order,
        frozenset(denies),
        _UNIVERSAL.search(text) is not None,
        _builder(pieces, order),
        _sentence(pieces, order),
    )


def _sentence(pieces: tuple[str, ...], order: tuple[int, ...]) -> Build:
    """Compile a frame that opens with a capital and closes with a full stop."""
    build = _builder(pieces, order)

    def capitalised(clauses: Sequence[str]) -> str:
        text = build(clauses)
        return _stop(text[0].upper() + text[1:])

    return capitalised


def _builder(pieces: tuple[str, ...], order: tuple[int, ...]) -> Build:
    """Compile a frame to one concatenation: this runs about nine times per instance."""
    if len(order) == 1:
        (p, q), (i,) = pieces, order
        return lambda c: p + c[i] + q
    if len(order) == 2:
        (p, q, r), (i, j) = pieces, order
        return lambda c: f"{p}{c[i]}{q}{c[j]}{r}"
    (p, q, r, s), (i, j, k) = pieces, order
    return lambda c: f"{p}{c[i]}{q}{c[j]}{r}{c[k]}{s}"


def _stop(text: str) -> str:
    """Add the full stop, unless an abbreviation at the end brings its own."""
    return text if text.endswith(".") else text + "."
