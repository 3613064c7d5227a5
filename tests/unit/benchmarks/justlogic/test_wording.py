"""The templates say what they stand under, alone and with every phrase in every slot that admits it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from types import SimpleNamespace

import pytest

from divlogic.benchmarks.justlogic import realise
from divlogic.benchmarks.justlogic.check import GRAMMAR
from divlogic.benchmarks.justlogic.propositions import IF, NOT, OR, atom_names, to_formula
from divlogic.benchmarks.justlogic.realise import (
    EXPRESSIONS,
    ExpressionFrame,
    Wording,
    load_templates,
)
from divlogic.draws import Draws
from divlogic.logic import Formula, Implies, Not, Or, Var, equivalent
from divlogic.logic.syntax import And

TEMPLATES = load_templates()
FRAMES = [(kind, frame) for kind, frames in TEMPLATES.premises.items() for frame in frames]
MEANING = {
    "statement": lambda parts: parts[0],
    "negation": lambda parts: Not(parts[0]),
    "conditional": lambda parts: Implies(*parts),
    "disjunction": lambda parts: Or(*parts),
    "both": lambda parts: And(*parts),
    "but": lambda parts: And(parts[0], Not(parts[1])),
    "neither": lambda parts: And(Not(parts[0]), Not(parts[1])),
}
Worded = tuple[str, Formula]


def fill(frame: ExpressionFrame, texts: list[str]) -> str:
    """Put texts into a frame's slots."""
    pieces = [
        texts[part] + piece for part, piece in zip(frame.order, frame.pieces[1:], strict=True)
    ]
    return frame.pieces[0] + "".join(pieces)


def fillers(kind: str, first: str, second: str) -> Iterator[Worded]:
    """Yield everything that may stand in a slot: a plain clause and all phrases, over two atoms."""
    plain = [f"{{{first}}}", f"{{{second}}}"]
    atoms: list[Formula] = [Var(first), Var(second)]
    yield plain[0], atoms[0]
    for expression in (*EXPRESSIONS[1:], *realise.CONJUNCTIONS):
        for frame in TEMPLATES.phrases[expression, kind]:
            yield fill(frame, plain), MEANING[expression](atoms)


@pytest.mark.parametrize(
    ("expression", "frame"), FRAMES, ids=lambda value: getattr(value, "id", value)
)
def test_a_frame_says_its_expression_whatever_fills_its_slots(
    expression: str, frame: ExpressionFrame
) -> None:
    kinds = frame.kinds
    assert sorted(frame.order) == list(range(len(kinds)))
    assert len(kinds) == (1 if expression in ("statement", "negation") else 2)
    first = list(fillers(kinds[0], "A", "B"))
    second = list(fillers(kinds[1], "C", "D")) if len(kinds) > 1 else [("", Var("C"))]
    # One slot varies at a time, then both together along a diagonal: the rest adds nothing but time.
    combinations = [(x, second[0]) for x in first] + [(first[0], y) for y in second]
    longest = max(len(first), len(second))
    combinations += [
        (first[at % len(first)], second[(at * 7 + 3) % len(second)]) for at in range(longest)
    ]
    for x, y in combinations:
        text = fill(frame, [x[0], y[0]])
        assert equivalent(GRAMMAR.derive(text), MEANING[expression]([x[1], y[1]])), text


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_each_expression_has_twelve_frames_at_least_for_premises_and_queries(
    expression: str,
) -> None:
    assert len({frame.text for frame in TEMPLATES.premises[expression]}) >= 12
    assert len({frame.text for frame in TEMPLATES.queries[expression]}) >= 12


@pytest.mark.parametrize(
    "text", ["it is not true that {A} if {B}", "it is false that {A} or {B}", "{A} if {B} or {C}"]
)
def test_a_text_whose_scope_is_open_has_two_readings_and_is_refused(text: str) -> None:
    assert len(GRAMMAR.readings(text)) > 1
    with pytest.raises(ValueError, match="reads as"):
        GRAMMAR.derive(text)


def test_a_text_of_unknown_words_is_refused() -> None:
    with pytest.raises(ValueError, match="cannot read"):
        GRAMMAR.derive("perhaps {A}")


CLAUSES = [
    SimpleNamespace(text=f"wug {name} sings", negated=f"wug {name} doesn't sing")
    for name in "abcdef"
]


@pytest.mark.parametrize("verb_negation", [0.0, 1.0])
@pytest.mark.parametrize(
    "proposition",
    [0, 1, (IF, 1, 2), (OR, 1, 3), (NOT, (IF, 0, 3)), (IF, (NOT, (OR, 1, 2)), (IF, 5, 6)), (OR, (IF, 0, 3), 4),
     (OR, (NOT, (IF, 1, 2)), (NOT, (OR, 4, 7))), (NOT, (IF, (OR, 0, 3), 4))],
    ids=str,
)  # fmt: skip
def test_a_premise_reads_back_as_its_proposition(proposition: object, verb_negation: float) -> None:
    names = atom_names(6)
    for seed in range(60):
        wording = Wording(CLAUSES, TEMPLATES, Draws(seed), verb_negation)
        text = wording.premise(proposition)
        assert text[0].isupper() and text.endswith(".")
        slots = text.removesuffix(".")
        for number, clauses in enumerate(CLAUSES):
            for clause, slot in (
                (clauses.negated, f"{{n{number}}}"),
                (clauses.text, f"{{p{number}}}"),
            ):
                slots = slots.replace(clause, slot).replace(clause[0].upper() + clause[1:], slot)
        found = GRAMMAR.derive(slots)
        assert equivalent(_atoms(found), to_formula(proposition, names)), text
        assert ("doesn't" in text) <= (verb_negation > 0)
        assert not re.search(r"(not (true|the case)|false) that (if|either|it is|the)", text), text
        assert not re.search("“[^”‘]*“|‘[^’“]*‘", text), text


def _atoms(formula: Formula) -> Formula:
    """Turn the slots p0, n1, ... into literals over A, B, ..."""
    match formula:
        case Var(name):
            atom = Var(atom_names(6)[int(name[1:])])
            return Not(atom) if name[0] == "n" else atom
        case Not(operand):
            return Not(_atoms(operand))
    return replace(formula, left=_atoms(formula.left), right=_atoms(formula.right))
