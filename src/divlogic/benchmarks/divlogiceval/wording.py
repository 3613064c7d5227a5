"""Which sentence words which occurrence of a variable, so that the label still holds (paper, Section 2.1).

A premise entails its hypotheses, but not the other way round. If one occurrence of a variable is worded by the
premise p and another by a hypothesis h, the formula's label may not follow from the sentences. At the ``nli`` level
every sentence is therefore a variable of its own, tied to the others by ``p → h`` (and ``¬(p ∧ c)`` for a
contradiction c), and the label is decided again.

Collapsing all sentences of a group into one variable (c into its negation) respects these ties. Hence what does not
follow symbolically does not follow from the sentences either, and only the entailments have to be checked here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import cast

from divlogic.benchmarks.divlogiceval.parameters import DivLogicEvalParameters
from divlogic.benchmarks.divlogiceval.propositions import FULL, Proposition, combine, table
from divlogic.benchmarks.divlogiceval.shared_wording import (
    free_choices,
    lean_on_premise,
    repair,
    share_statements,
)
from divlogic.benchmarks.divlogiceval.symbolic import Contradiction, SymbolicInstance
from divlogic.draws import Draws
from divlogic.logic import truth_space

CONTRADICTION = -1
"""Choice of a sentence that contradicts the variable, in place of one that words it."""

Choices = list[list[int]]
"""For each statement and literal the sentence chosen: 0 the premise, 1 ... a hypothesis, or CONTRADICTION."""

Check = Callable[[Choices], bool]
"""Tells whether an entailment holds of the sentences chosen."""


@dataclass(frozen=True, slots=True)
class Wording:
    """How an instance is worded.

    Attributes:
        statements: premises, conclusion if any, options; an option worded by a contradiction is the proposition that
            :class:`Contradiction` names.
        choices: the sentence of each literal of each statement.
        contradiction: the contradiction in use, if any.
        free_holds: whether the label held under the free wording of the paper.
        free: whether that free wording was kept.
    """

    statements: tuple[Proposition, ...]
    choices: Choices
    contradiction: Contradiction | None
    free_holds: bool
    free: bool


def choose_wording(
    instance: SymbolicInstance,
    sizes: dict[int, int],
    contradicted: frozenset[int],
    draws: Draws,
    parameters: DivLogicEvalParameters,
) -> Wording:
    """Choose the sentences of an instance.

    Args:
        instance: what to word.
        sizes: variable -> number of sentences that may word it (at least 1).
        contradicted: variables whose group has a contradiction.
        draws: the instance's stream.
        parameters: verification level, contradictions.
    """
    if instance.quartet is not None:
        return _choose_shared(instance, sizes, contradicted, draws, parameters)
    count = len(instance.premises)
    has_conclusion = instance.conclusion is not None
    statements = [*instance.premises, *((instance.conclusion,) if has_conclusion else ()), *instance.options]
    first_option = count + has_conclusion
    contradiction = _pick_contradiction(instance, contradicted, draws, parameters)
    if contradiction is not None:
        statements[first_option + contradiction.option] = contradiction.proposition

    entailments = _entailments(instance, count, first_option)

    choices = _free_choices(statements, sizes, draws)
    checks = [_check(statements, sizes, *entailment) for entailment in entailments]
    free_holds = all(check(choices) for check in checks)
    free = free_holds or parameters.verification == "symbolic"
    if not free:
        _repair(statements, choices, sizes, entailments, checks, draws)
    if contradiction is not None:
        choices[first_option + contradiction.option][contradiction.slot] = CONTRADICTION
    return Wording(tuple(statements), choices, contradiction, free_holds, free)


def _choose_shared(
    instance: SymbolicInstance,
    sizes: dict[int, int],
    contradicted: frozenset[int],
    draws: Draws,
    parameters: DivLogicEvalParameters,
) -> Wording:
    """Choose the sentences of an instance of a quartet: those with which all four labels hold."""
    shared = share_statements(instance.passages, instance.conclusion, instance.options)
    contradiction = _pick_contradiction(instance, contradicted, draws, parameters)
    choices = free_choices(shared, sizes, draws)
    pairs = shared.entailments(instance.question_type)
    needed = [(_needed(shared.statements, given, goal), goal) for _, given, goal in pairs]
    checks = [_check(shared.statements, sizes, *pair) for pair in needed]
    held = [check(choices) for check in checks]
    free_holds = all(
        one for one, (answer, _, _) in zip(held, pairs, strict=True) if answer == instance.answer
    )
    free = all(held) or parameters.verification == "symbolic"

    def holds(touched: set[int] | None = None) -> bool:
        return all(
            check(choices)
            for (given, goal), check in zip(needed, checks, strict=True)
            if touched is None or goal in touched or not touched.isdisjoint(given)
        )

    if not free:
        relevant = {index for given, goal in needed for index in (*given, goal)}
        repair(shared, choices, sizes, relevant, holds, draws)
    own = shared.own(instance.answer)
    statements = [shared.statements[index] for index in own]
    rows = [choices[index] for index in own]
    if contradiction is not None:
        place = (shared.first_option + contradiction.option, contradiction.slot)
        if parameters.verification == "nli":
            lean_on_premise(shared, choices, place, holds)
        statements[own.index(place[0])] = contradiction.proposition
        choices[place[0]][place[1]] = CONTRADICTION
    return Wording(tuple(statements), rows, contradiction, free_holds, free)


def _pick_contradiction(
    instance: SymbolicInstance, contradicted: frozenset[int], draws: Draws, parameters: DivLogicEvalParameters
) -> Contradiction | None:
    """Take the first contradiction for which there is a sentence, with the parameter's probability."""
    chances = cast("dict[str, float]", parameters.contradictions)
    wanted = draws.chance(chances.get(instance.question_type, 0.0))
    for item in instance.contradictions if wanted else ():
        if item.proposition[item.slot + 1] >> 1 in contradicted:
            return item
    return None


def _entailments(
    instance: SymbolicInstance, count: int, first_option: int
) -> list[tuple[tuple[int, ...], int]]:
    """List what must follow from what, as (statement numbers of the premises needed, statement number)."""
    premises = tuple(range(count))
    if instance.question_type == "missing_premise":
        pairs = [((*premises, first_option + instance.answer), count)]
    elif instance.question_type == "3c1e":
        pairs = [(premises, first_option + instance.answer)]
    else:
        pairs = [(premises, first_option + index) for index in range(4) if index != instance.answer]
    statements = [
        *instance.premises,
        *((instance.conclusion,) if instance.conclusion else ()),
        *instance.options,
    ]
    return [(_needed(statements, given, goal), goal) for given, goal in pairs]


def _needed(statements: Sequence[Proposition], given: Sequence[int], goal: int) -> tuple[int, ...]:
    """Drop the statements without which the goal still follows: the wording of these is of no consequence."""
    wrong = FULL & ~table(statements[goal])
    kept = list(given)
    for index in given:
        rest = wrong
        for other in kept:
            if other != index:
                rest &= table(statements[other])
        if rest == 0:
            kept.remove(index)
    return tuple(kept)


def _free_choices(statements: Sequence[Proposition], sizes: dict[int, int], draws: Draws) -> Choices:
    """Word every occurrence by another sentence of its group, round and round (paper, Remarks on diversity)."""
    order = {variable: draws.shuffled(range(size)) for variable, size in sizes.items()}
    seen = dict.fromkeys(sizes, 0)
    choices: Choices = []
    for statement in statements:
        row = []
        for literal in statement[1:]:
            variable = literal >> 1
            row.append(order[variable][seen[variable] % sizes[variable]])
            seen[variable] += 1
        choices.append(row)
    return choices


def _repair(
    statements: Sequence[Proposition],
    choices: Choices,
    sizes: dict[int, int],
    entailments: list[tuple[tuple[int, ...], int]],
    checks: list[Check],
    draws: Draws,
) -> None:
    """Change as few choices as needed for all entailments to hold.

    The occurrences that matter start from one sentence per variable, with which every entailment holds; then each
    in random order takes its free choice back, or another sentence, wherever that does no harm.
    """
    relevant = sorted({index for given, goal in entailments for index in (*given, goal)})
    base = {variable: draws.below(size) for variable, size in sizes.items()}
    wanted: list[tuple[int, int, int]] = []
    for index in relevant:
        for place, literal in enumerate(statements[index][1:]):
            wish = choices[index][place]
            choices[index][place] = base[literal >> 1]
            if sizes[literal >> 1] > 1:
                wanted.append((index, place, wish))
    for index, place, wish in draws.shuffled(wanted):
        before = choices[index][place]
        size = sizes[statements[index][place + 1] >> 1]
        affected = [
            check
            for (given, goal), check in zip(entailments, checks, strict=True)
            if index == goal or index in given
        ]
        for sentence in [wish, *[other for other in range(size) if other not in (wish, before)]]:
            if sentence == before:
                break
            choices[index][place] = sentence
            if all(check(choices) for check in affected):
                break
            choices[index][place] = before


def _check(
    statements: Sequence[Proposition], sizes: dict[int, int], given: Sequence[int], goal: int
) -> Check:
    """Return the function that tells whether the given statements entail the goal as the choices word them."""
    # Sorted by size, variables share their masks with all other instances of as many groups of these sizes.
    used = sorted(
        {literal >> 1 for index in (*given, goal) for literal in statements[index][1:]}, key=sizes.__getitem__
    )
    full, masks = _sentence_masks(tuple([sizes[variable] for variable in used]))
    positive = dict(zip(used, masks, strict=True))
    # For each literal its table by the sentence that words it: what varies from call to call is the sentence only.
    tables = {
        index: [
            [full ^ mask for mask in positive[literal >> 1]] if literal & 1 else positive[literal >> 1]
            for literal in statements[index][1:]
        ]
        for index in (*given, goal)
    }

    def worded(index: int, choices: Choices) -> int:
        literals = [options[choice] for options, choice in zip(tables[index], choices[index], strict=True)]
        return combine(statements[index][0], literals, full)

    def holds(choices: Choices) -> bool:
        rest = full & ~worded(goal, choices)
        for index in given:
            rest &= worded(index, choices)
            if not rest:
                return True
        return False

    return holds


@lru_cache(maxsize=256)
def _sentence_masks(sizes: tuple[int, ...]) -> tuple[int, tuple[tuple[int, ...], ...]]:
    """Return the valuations of independent groups of a premise and ``size - 1`` hypotheses, premise first.

    A group's states are: everything true, or the premise false and the hypotheses as they like.
    """
    names = [[f"{group}.{sentence}" for sentence in range(size)] for group, size in enumerate(sizes)]
    states = [
        [(True,) * size]
        + [
            (False, *[bool(number >> bit & 1) for bit in range(size - 1)])
            for number in range(2 ** (size - 1))
        ]
        for size in sizes
    ]
    space = truth_space(*names, states=states)
    return space.full, tuple(tuple(space.masks[name] for name in group) for group in names)
