"""A panel of shallow solvers: what a reader answers who does not search the models.

- ``carried``: answers from the unchanged source: the seeds' own premises, no supposition.
- ``first_model``: takes the first model for the only one.
- ``one_step``: applies every premise once to the stated facts, and takes what is then open for free.
- ``words``: takes each statement for true or false by the words it shares with the text.
- ``propagation``: as ``one_step``, until nothing follows any more; not part of the gate.
- ``all_open``: reads no premise and takes everything for open; the floor of the others, not part of the gate.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from divlogic.benchmarks.llmeval_logic.hardener.item import SubQuestion, supposed
from divlogic.benchmarks.llmeval_logic.hardener.questions import answers_in
from divlogic.logic.deciding import Space
from divlogic.logic.grounding import grounded
from divlogic.logic.syntax import Negation, Sentence, variables
from divlogic.logic.theory import Premise, Symbol, target_name

GATE = ("carried", "first_model", "one_step", "words")
SOLVERS = (*GATE, "propagation", "all_open")


@dataclass(frozen=True, slots=True)
class PanelTask:
    """What a solver is shown: all valuations, the theory, the premises before hardening, the Chinese text."""

    space: Space
    symbols: tuple[Symbol, ...]
    premises: tuple[Premise, ...]
    source: tuple[Sentence, ...]
    text: str

    def under(self, question: SubQuestion) -> tuple[Sentence, ...]:
        """Return the premises under a sub-question's supposition."""
        return tuple(premise.formula for premise in supposed(self.premises, question))


def verdicts(task: PanelTask, questions: Sequence[SubQuestion]) -> dict[str, list[bool]]:
    """Return for each solver which sub-questions it answers right."""
    guess = _by_words(task)
    propagation = Propagation(task.space)
    carried = task.space.conjunction(task.source)
    found: dict[str, list[bool]] = {name: [] for name in SOLVERS}
    for question in questions:
        premises = task.under(question)
        true = task.space.conjunction(premises)
        valuations = {
            "carried": carried,
            "first_model": true & -true,
            "one_step": propagation.reached(premises, rounds=1),
            "words": guess,
            "propagation": propagation.reached(premises, rounds=len(task.space.atoms) + 1),
            "all_open": task.space.full,
        }
        given = answers_in(task.space, valuations.values(), question)
        for name, answer in zip(valuations, given, strict=True):
            found[name].append(answer == question.answer)
    return found


class Propagation:
    """Unit propagation over sets of valuations: what is not reached counts as open."""

    def __init__(self, space: Space) -> None:
        self.space = space
        tables = [space.table(atom) for atom in space.atoms]
        self._literals = {*tables, *(space.full & ~table for table in tables)}
        self.reached = cache(self._reach)
        self._part = cache(self._masks)

    def _reach(self, premises: tuple[Sentence, ...], rounds: int) -> int:
        """Return the valuations that agree with all literals reached from the stated facts in so many rounds."""
        parts = [self._part(premise) for premise in premises]
        known = self.space.full
        for table, _ in parts:
            if table in self._literals:
                known &= table
        for _ in range(rounds):
            new = known
            for table, masks in parts:
                left = known & table
                for mask in masks:
                    if not left & mask:
                        new &= ~mask
                    elif not left & ~mask:
                        new &= mask
            if new == known:
                break
            known = new
        return known

    def _masks(self, premise: Sentence) -> tuple[int, tuple[int, ...]]:
        """Return a premise's table and those of its atoms."""
        ground = grounded(premise, self.space.constants)
        names = () if isinstance(ground, bool) else variables(ground)
        masks = [self.space.table(atom) for atom in self.space.atoms if target_name(atom) in names]
        return self.space.table(premise), tuple(masks)


def _by_words(task: PanelTask) -> int:
    """Return the one valuation that shared words suggest: an atom is true where its gloss shares more with the text."""
    glosses = {symbol.name: symbol.gloss for symbol in task.symbols}
    shown = _pairs(task.text)
    guess = task.space.full
    for atom in task.space.atoms:
        terms = [glosses[term].zh for term in atom.terms]
        gloss = glosses[atom.predicate]
        said = [_pairs(text.format(*terms)) for text in (gloss.zh, gloss.zh_not)]
        positive, negative = (len(own & shown) / len(own) if own else 0.0 for own in said)
        literal: Sentence = atom if positive >= negative else Negation(atom)
        guess &= task.space.table(literal)
    return guess


def _pairs(text: str) -> set[str]:
    return {text[place : place + 2] for place in range(len(text) - 1)}
