"""The valuations of a closed theory as bit sets: a theory with a premise taken out or added is one conjunction away.

First-order theories over a closed domain are grounded first. The hardener searches here; what it accepts is decided
again by both deciders on the theory as it stands.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache, reduce
from itertools import product
from operator import and_

from divlogic.logic.grounding import grounded
from divlogic.logic.syntax import Atom, Negation, Sentence
from divlogic.logic.tables import projected, truth_space
from divlogic.logic.theory import Answer, Query, Symbol, answer_of, answer_of_models, goals_of, target_name

MAX_ATOMS = 18
"""Largest number of (ground) atoms whose valuations are listed."""


def ground_atoms(symbols: Iterable[Symbol]) -> tuple[Atom, ...]:
    """Return the propositions and the predicates of all constants, in the order of the symbols."""
    symbols = tuple(symbols)
    constants = [symbol.name for symbol in symbols if symbol.kind == "const"]
    return tuple(
        Atom(symbol.name, terms)
        for symbol in symbols
        if symbol.kind != "const"
        for terms in product(constants, repeat=symbol.arity)
    )


class Space:
    """All valuations of the ground atoms of closed theories over some symbols; more than ``most`` are a ValueError."""

    def __init__(self, symbols: Iterable[Symbol], most: int = MAX_ATOMS) -> None:
        symbols = tuple(symbols)
        self.constants = tuple(symbol.name for symbol in symbols if symbol.kind == "const")
        self.atoms = ground_atoms(symbols)
        if len(self.atoms) > most:
            raise ValueError(f"{len(self.atoms)} ground atoms are too many")
        self._space = truth_space(list(map(target_name, self.atoms)))
        self.table = cache(self._table)
        self._projected = cache(self._project)
        self.full = self._space.full

    def _table(self, sentence: Sentence) -> int:
        """Return the bit set of the valuations that make a sentence true."""
        if isinstance(sentence, Negation):
            return self.full & ~self.table(sentence.operand)
        ground = grounded(sentence, self.constants)
        if isinstance(ground, bool):
            return self.full if ground else 0
        return self._space.table(ground)

    def conjunction(self, sentences: Iterable[Sentence]) -> int:
        """Return the bit set of the valuations that make every sentence true."""
        return reduce(and_, map(self.table, sentences), self.full)

    def answer(self, query: Query, true: int, most: int) -> Answer | None:
        """Answer a query from a set of valuations; ``None`` if it has more than ``most`` projected models."""
        if query.formula is None:
            models = self.models(true, query.targets, most)
            if models is None:
                return None
            names = list(map(target_name, query.targets))
            return answer_of_models(query, tuple(tuple(names[n] for n in row) for row in models))
        goals = goals_of(query, self.constants)
        return answer_of(query, self.constants, [bool(true & self.table(goal)) for goal in goals])

    def models(self, true: int, targets: Sequence[Atom], most: int) -> tuple[tuple[int, ...], ...] | None:
        """Return the models projected to targets, each as the places of those that hold; ``None`` above ``most``."""
        return self._projected(true, tuple(targets), most)

    def _project(self, true: int, targets: tuple[Atom, ...], most: int) -> tuple[tuple[int, ...], ...] | None:
        return projected(true, [self._space.masks[target_name(target)] for target in targets], most)

    def case(self, targets: Sequence[Atom], held: Sequence[int]) -> int:
        """Return the bit set of the valuations in which just the targets at those places hold."""
        true = self.full
        for place, target in enumerate(targets):
            table = self.table(target)
            true &= table if place in held else ~table
        return true
