"""Which sentence words which occurrence in a quartet, so that the wording tells no more than the formulas.

The four passages of a quartet hold the same variables in the same roles. Here each occurrence (a variable before an
arrow, behind one, as a fact, in an option) is given one sentence for all four passages at once, such that every label
holds in all four; then one of them is written. Which one that is has played no part, so the sentences of an option, and
those that it shares with the passage, go with each answer equally often.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from divlogic.benchmarks.divlogiceval.propositions import LITERAL, Proposition
from divlogic.draws import Draws

Key: TypeAlias = tuple[int, str, int]
"""An occurrence: the variable, its role, and its number among the variable's occurrences in that role."""

Position: TypeAlias = tuple[int, int]
"""A literal of a statement: number of the statement, number of the literal."""


@dataclass(frozen=True, slots=True)
class SharedStatements:
    """The statements of a quartet: four passages, then the conclusion if any, then the options.

    Attributes:
        statements: all of them.
        passages: the numbers of each passage's statements, the passage in which option i is right at place i.
        conclusion: number of the conclusion.
        first_option: number of the first option.
        positions: where each occurrence stands.
    """

    statements: tuple[Proposition, ...]
    passages: tuple[range, ...]
    conclusion: int | None
    first_option: int
    positions: dict[Key, tuple[Position, ...]]

    def own(self, answer: int) -> list[int]:
        """Return the numbers of the statements of one instance in the order of its text."""
        return [*self.passages[answer], *range(self.passages[-1].stop, len(self.statements))]

    def entailments(self, question_type: str) -> list[tuple[int, tuple[int, ...], int]]:
        """List what must follow from what: (right option, statement numbers of the premises, statement number)."""
        pairs: list[tuple[int, tuple[int, ...], int]] = []
        for answer, passage in enumerate(self.passages):
            if self.conclusion is not None:
                pairs.append((answer, (*passage, self.first_option + answer), self.conclusion))
                continue
            follow = [
                one for one in range(len(self.passages)) if (one == answer) == (question_type == "3c1e")
            ]
            pairs.extend((answer, tuple(passage), self.first_option + option) for option in follow)
        return pairs


def share_statements(
    passages: Sequence[Sequence[Proposition]],
    conclusion: Proposition | None,
    options: Sequence[Proposition],
) -> SharedStatements:
    """Number the statements of a quartet and find the occurrences that its passages share."""
    statements: list[Proposition] = []
    positions: dict[Key, list[Position]] = defaultdict(list)

    def add(group: Sequence[Proposition], asked: str) -> range:
        start = len(statements)
        seen: dict[tuple[int, str], int] = defaultdict(int)
        for statement in group:
            last = len(statement) - 2
            for place, literal in enumerate(statement[1:]):
                behind = "alone" if statement[0] == LITERAL else "behind"
                role = asked + (behind if place == last else "before")
                variable = literal >> 1
                positions[variable, role, seen[variable, role]].append((len(statements), place))
                seen[variable, role] += 1
            statements.append(statement)
        return range(start, len(statements))

    ranges = [add(passage, "") for passage in passages]
    number = None
    if conclusion is not None:
        number = add([conclusion], "conclusion ").start
    first = add(options, "option ").start
    shared = {key: tuple(found) for key, found in sorted(positions.items())}
    return SharedStatements(tuple(statements), tuple(ranges), number, first, shared)


def free_choices(shared: SharedStatements, sizes: dict[int, int], draws: Draws) -> list[list[int]]:
    """Word every occurrence by another sentence of its group, round and round (paper, Remarks on diversity)."""
    order = {variable: draws.shuffled(range(size)) for variable, size in sizes.items()}
    seen = dict.fromkeys(sizes, 0)
    choices = [[0] * (len(statement) - 1) for statement in shared.statements]
    for key in draws.shuffled(list(shared.positions)):
        variable = key[0]
        _set(choices, shared.positions[key], order[variable][seen[variable] % sizes[variable]])
        seen[variable] += 1
    return choices


def repair(
    shared: SharedStatements,
    choices: list[list[int]],
    sizes: dict[int, int],
    relevant: set[int],
    holds: Callable[[set[int]], bool],
    draws: Draws,
) -> None:
    """Change as few choices as needed for all entailments to hold.

    The occurrences that matter start from one sentence per variable, with which every entailment holds; then each in
    random order takes its free choice back, or another sentence, wherever that does no harm.

    Args:
        shared: the statements.
        choices: the free choices, changed in place.
        sizes: variable -> number of its sentences.
        relevant: numbers of the statements that an entailment needs.
        holds: tells whether the entailments hold that need one of the given statements.
        draws: the instance's stream.
    """
    base = {variable: draws.below(size) for variable, size in sizes.items()}
    wanted: list[tuple[Key, int]] = []
    for key, places in shared.positions.items():
        if any(statement in relevant for statement, _ in places):
            if sizes[key[0]] > 1:
                wanted.append((key, choices[places[0][0]][places[0][1]]))
            _set(choices, places, base[key[0]])
    for key, wish in draws.shuffled(wanted):
        places = shared.positions[key]
        touched = {statement for statement, _ in places}
        before = choices[places[0][0]][places[0][1]]
        for sentence in [wish, *[other for other in range(sizes[key[0]]) if other not in (wish, before)]]:
            if sentence == before:
                break
            _set(choices, places, sentence)
            if holds(touched):
                break
            _set(choices, places, before)


def lean_on_premise(
    shared: SharedStatements, choices: list[list[int]], place: Position, holds: Callable[[], bool]
) -> None:
    """Make room for a contradiction at a denied literal of an option.

    The contradiction entails the denial of the premise. So whatever holds with that denial at its place, where less is
    safe than more, holds with the contradiction. Where the free choices do not allow it, the variable is worded by its
    premise everywhere; at last, every variable is.
    """
    choices[place[0]][place[1]] = 0
    variable = shared.statements[place[0]][place[1] + 1] >> 1
    for only in (variable, None):
        if holds():
            return
        for key, places in shared.positions.items():
            if only in (None, key[0]):
                _set(choices, places, 0)


def _set(choices: list[list[int]], places: Sequence[Position], sentence: int) -> None:
    for statement, place in places:
        choices[statement][place] = sentence
