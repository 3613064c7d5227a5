"""Passages as graphs over literals: what derives what in how many sentences, and what the signs left out show."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from divlogic.prior_knowledge.shortcuts.patterns import FORMS, Formulas, Literal, SymbolicClause

Numbers = NDArray[np.float64]
Links = NDArray[np.bool_]

STEPS = 4
"""Largest number of steps that are measured; a reader of r steps combines r + 1 sentences."""

_FAR = STEPS + 2
_SIGNS = tuple(product((0, 1), repeat=2))


class Graph:
    """The sentences of passages that have the same number of options each.

    A rule is one or two implications between literals, each with its contrapositive; a fact F is ¬F → F. An
    implication follows where its ends are connected, its antecedent is refuted or its consequent derived; a literal is
    derived where its denial leads to the denial of a fact, or to two opposite literals (2-satisfiability).

    Attributes:
        needed: least number of sentences from which each option follows (of a missing premise: from which the
            conclusion follows, with the option as one of them); shape (instances, options); `STEPS` + 2: more.
    """

    def __init__(self, instances: Sequence[Formulas]) -> None:
        names = sorted(
            {name for one in instances for clause in one.clauses for name, _ in clause.literals}
        )
        self._codes = {name: 2 * place for place, name in enumerate(names)}
        size, longest = len(names), max(len(one.premises) for one in instances)
        self._forms = np.zeros((len(instances), len(FORMS), 2 * size, 2 * size), dtype=np.float32)
        self._held = np.zeros((len(instances), longest, size), dtype=bool)
        self._facts = np.zeros((len(instances), size), dtype=bool)
        for at, one in enumerate(instances):
            for place, clause in enumerate(one.premises):
                form = FORMS.index(clause.kind)
                for first, last in self._edges(clause):
                    self._forms[at, form, first, last] += 1
                    self._forms[at, form, last ^ 1, first ^ 1] += first ^ 1 != last
                own = [self._codes[name] // 2 for name, _ in clause.literals]
                self._held[at, place, own] = True
                self._facts[at, own] |= form == 0
        direct: Links = self._forms.max(axis=1) > 0
        self._steps = _distances(direct)
        together = np.einsum(
            "nsv,nsw->nvw", self._held.astype(np.float32), self._held.astype(np.float32)
        )
        self._together = together * (1 - np.eye(size, dtype=np.float32))
        self._apart = _distances(self._together > 0)
        options = [[self._edges(option)[0] for option in one.options] for one in instances]
        self._options = np.array(options, dtype=np.int64)
        self._goal = instances[0].conclusion is not None
        pairs = self._read_pairs(instances)
        self._rows = np.arange(len(instances))[:, None]
        self._ends = [
            (pairs[:, :, pair, 0], pairs[:, :, pair, 1]) for pair in range(pairs.shape[2])
        ]
        self.needed = self._count_needed(instances)

    def _edges(self, clause: SymbolicClause) -> list[tuple[int, int]]:
        last = self._code(clause.behind)
        turned = clause.kind == "¬∧"
        return [(self._code(one) ^ turned, last) for one in clause.before] or [(last ^ 1, last)]

    def _code(self, literal: Literal) -> int:
        return self._codes[literal[0]] + literal[1]

    def _read_pairs(self, instances: Sequence[Formulas]) -> NDArray[np.int64]:
        """Return what must be connected: the ends of an option; of a missing premise its ends and the conclusion's.

        Shape (instances, options, pairs, 2).
        """
        if not self._goal:
            return self._options[:, :, None, :]
        goals = np.array([self._edges(one.conclusion)[0] for one in instances if one.conclusion])[
            :, None, :
        ]
        # An option that is the contrapositive of one with the conclusion's antecedent is turned.
        turned = self._options[..., 1] // 2 == goals[..., 0] // 2
        options = np.where(turned[..., None], self._options[..., ::-1] ^ 1, self._options)
        goals = np.broadcast_to(goals, options.shape)
        ends = ((options[..., 1], goals[..., 1]), (goals[..., 0], options[..., 0]))
        return np.stack([np.stack(pair, axis=-1) for pair in ends], axis=2)

    def _count_needed(self, instances: Sequence[Formulas]) -> NDArray[np.int64]:
        needed = np.zeros((len(instances), self._options.shape[1]), dtype=np.int64)
        rules: Links = self._forms[:, 1:].max(axis=1) > 0
        facts: Links = self._forms[:, 0] > 0
        wanted = [one.conclusion for one in instances]
        for option in range(needed.shape[1]):
            if not self._goal:
                wanted = [one.options[option] for one in instances]
                if not option:
                    steps, derived = _derived(rules, facts)
            else:
                more = [rules.copy(), facts.copy()]
                for at, one in enumerate(instances):
                    added = one.options[option]
                    for first, last in self._edges(added):
                        table = more[added.kind == "literal"]
                        table[at, first, last] = table[at, last ^ 1, first ^ 1] = True
                steps, derived = _derived(*more)
            for at, clause in enumerate(wanted):
                for first, last in self._edges(clause) if clause else ():
                    least = min(steps[at, first, last], derived[at, first ^ 1], derived[at, last])
                    needed[at, option] = max(needed[at, option], least)
        return needed

    def unsigned(self) -> Numbers:
        """Return what the passage shows of an option's variables without signs and forms.

        Their distance, common neighbours, degrees, numbers of shared sentences, places, and distances to a fact.
        """
        rows = self._rows
        places = np.where(self._held, np.arange(self._held.shape[1])[:, None], np.nan)
        with np.errstate(all="ignore"):
            first, last = np.fmin.reduce(places, axis=1), np.fmax.reduce(places, axis=1)
        near = self._together > 0
        degree, common = near.sum(axis=2), np.einsum("nvu,nuw->nvw", *2 * [near.astype(np.float32)])
        to_fact = np.where(self._facts[:, None, :], self._apart, _FAR).min(axis=2)
        to_fact[self._facts] = 0
        found: list[Any] = []
        for ends in self._ends:
            one, two = (end // 2 for end in ends)
            found += [table[rows, one, two] for table in (self._apart, common, self._together)]
            found += [
                table[rows, own] for own in (one, two) for table in (degree, first, last, to_fact)
            ]
            found.append(np.abs(first[rows, one] - first[rows, two]))
        return np.nan_to_num(np.stack(found, axis=2).astype(np.float64), nan=-1.0)

    def signed(self) -> Numbers:
        """Return how often an option's ends stand together in one sentence, by form and signs."""
        found: list[Any] = []
        for one, two in self._ends:
            for form in range(1, len(FORMS)):
                table = self._forms[:, form]
                found += [table[self._rows, one ^ own, two ^ other] for own, other in _SIGNS]
        return np.stack([*found, *self._levels(1)], axis=2).astype(np.float64)

    def derived(self, steps: int) -> Numbers:
        """Return what r steps show of an option: what is derived from up to r + 1 sentences, from both of its ends.

        Of a missing premise the option is one of these sentences.
        """
        return np.stack(self._levels(max(1, steps + 1 - self._goal)), axis=2).astype(np.float64)

    def _levels(self, most: int) -> list[Numbers]:
        """Return for both ends of each option, and both signs of these, what is derived at each level.

        The levels at which the one end derives the other; the numbers of literals at each level, and of those among
        them that stand in a sentence with the other end; the variables that both ends reach.
        """
        rows, found = self._rows, []
        adjacent = np.repeat(self._together > 0, 2, axis=2)
        for one, two in self._ends:
            fronts: list[list[Numbers]] = []
            for table, near, far in (
                (self._steps, one, two),
                (self._steps.transpose(0, 2, 1), two, one),
            ):
                fronts.append([])
                for sign in (0, 1):
                    reached = table[rows, near ^ sign]
                    fronts[-1].append(reached)
                    for level in range(1, most + 1):
                        own = reached == level
                        found += [own.sum(axis=2), (own & adjacent[rows, far // 2]).sum(axis=2)]
            for own, other in _SIGNS:
                found.append(np.minimum(self._steps[rows, one ^ own, two ^ other], most + 1))
            met = [
                (np.minimum(*front) <= most).reshape(*one.shape, -1, 2).any(axis=3)
                for front in fronts
            ]
            found.append((met[0] & met[1]).sum(axis=2))
        return found


def _derived(rules: Links, facts: Links) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the distances by rules, and from how many sentences each literal is derived."""
    steps = _distances(rules)
    literals = np.arange(rules.shape[1])
    # What leads to the denial of a fact, or from itself to its own denial, is refuted.
    refuted = np.where(facts.any(axis=2), 1, np.minimum(steps[:, literals, literals ^ 1], _FAR))
    least = np.minimum((steps + refuted[:, None, :]).min(axis=2), _FAR)
    return steps, least[:, literals ^ 1]


def _distances(direct: Links) -> NDArray[np.int64]:
    """Return the number of edges from each node to each other; 0 to itself, `STEPS` + 2 if there are more."""
    size = direct.shape[1]
    found = np.full(direct.shape, _FAR, dtype=np.int64)
    edges = direct.astype(np.float32)
    reached = np.eye(size, dtype=np.float32)[None].repeat(len(direct), axis=0)
    for length in range(1, _FAR):
        reached = np.minimum(reached @ edges, 1)
        found = np.minimum(found, np.where(reached > 0, length, _FAR))
    found[:, range(size), range(size)] = 0
    return found
