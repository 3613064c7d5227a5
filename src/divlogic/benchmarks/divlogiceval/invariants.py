"""What must be equal in a square quartet, so that counts of single sentences and of pairs of them tell no answer.

A sentence is described as it is worded, and relative to one option: the ends of the options have roles (the option's
own source and sink, the other source, the other sink) and signs relative to how the options have them; all other
variables are told apart within one description only. Counts of such descriptions that are the same for all four
options of an instance can rank none of them, whatever is made of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from divlogic.benchmarks.divlogiceval.propositions import IMPLICATION, Proposition, Quartet

LARGEST = 2
"""Largest number of sentences that are described together; it is less where there are fewer rounds."""

Role = tuple[str, int]
"""The role of an end of an option, and whether its literal is negated there."""

Description = tuple[object, ...]

_USES_AT_JOINT = 3
"""A stop has one rule of a lane and two of the joint."""


def told_by_an_instance(
    premises: Sequence[Proposition], options: Sequence[Proposition], conclusion: Proposition | None
) -> Iterator[str]:
    """Yield in words which counts of a square instance differ between its options; nothing means that none do."""
    if any(kind != IMPLICATION for kind, *_ in premises):
        # Only rules with one head or one tail can be said in one sentence: it names a stop of a lane.
        yield "a sentence says two rules"
    rounds = rounds_of(premises)
    names = {1: "single sentences", 2: "pairs of sentences"}
    for size in range(1, min(rounds, LARGEST) + 1):
        counts = [descriptions(premises, option, options, conclusion, size) for option in options]
        if any(own != counts[0] for own in counts):
            yield f"counts of {names[size]} differ between the options"


def told_by_members(
    passages: Sequence[Sequence[Proposition]], conclusion: Proposition | None
) -> Iterator[str]:
    """Yield in words what of the passages of a quartet differs that must not; nothing means that nothing does."""
    joints = {frozenset(joint_without_signs(passage, conclusion)) for passage in passages}
    if len(joints) > 1:
        yield "the joint without its signs differs between the members"


def told_by_a_quartet(quartet: Quartet) -> Iterator[str]:
    """Yield in words what a square quartet tells of its answers; nothing means that it tells nothing."""
    for passage in quartet.passages:
        yield from told_by_an_instance(passage, quartet.options, quartet.conclusion)
    yield from told_by_members(quartet.passages, quartet.conclusion)


def rounds_of(premises: Sequence[Proposition]) -> int:
    """Return the number of rounds in each half of a square passage, whose joint is four sentences."""
    return len(premises) // 4 - 1


def descriptions(
    premises: Sequence[Proposition],
    option: Proposition,
    options: Sequence[Proposition],
    conclusion: Proposition | None,
    size: int,
) -> Counter[Description]:
    """Count the descriptions of sets of ``size`` sentences relative to an option.

    Of two sentences only those are counted that share a variable: how many others there are follows from the counts of
    single sentences.
    """
    roles = _roles(option, options, conclusion)
    if size == 1:
        return Counter(_description([one], roles) for one in premises)
    found: Counter[Description] = Counter()
    for one, other in combinations(premises, size):
        if _variables([one]) & _variables([other]):
            # The order of the two sentences tells nothing: it is drawn.
            found[min(_description([one, other], roles), _description([other, one], roles))] += 1
    return found


def joint_without_signs(
    passage: Sequence[Proposition], conclusion: Proposition | None
) -> Iterator[tuple[int, ...]]:
    """Yield the sentences of the joint as they are worded, without signs.

    They name a variable of the conclusion; without a conclusion each of their variables stands in three sentences, as
    no variable of the lanes does.
    """
    uses = Counter(literal >> 1 for _, *literals in passage for literal in literals)
    ends = _variables([conclusion]) if conclusion else set()
    for kind, *literals in passage:
        variables = [literal >> 1 for literal in literals]
        is_joint = any(variable in ends for variable in variables)
        if conclusion is None:
            is_joint = all(uses[variable] == _USES_AT_JOINT for variable in variables)
        if is_joint:
            yield (kind, *variables)


def _roles(
    option: Proposition, options: Sequence[Proposition], conclusion: Proposition | None
) -> dict[int, Role]:
    """Return the roles of the variables that the options and the conclusion name, seen from an option."""
    roles: dict[int, Role] = {}
    for one in options:
        for place, literal in enumerate(one[1:]):
            own = literal == option[1 + place]
            roles[literal >> 1] = (f"{'own' if own else 'other'} {place}", literal & 1)
    for place, literal in enumerate(conclusion[1:] if conclusion else ()):
        roles[literal >> 1] = (f"conclusion {place}", literal & 1)
    return roles


def _description(sentences: Iterable[Proposition], roles: dict[int, Role]) -> Description:
    """Describe sentences as they are worded, with numbers for all variables that have no role."""
    numbers: dict[int, int] = {}
    rows = []
    for kind, *literals in sentences:
        row: list[object] = [kind]
        for literal in literals:
            variable, sign = divmod(literal, 2)
            if variable in roles:
                role, negated = roles[variable]
                row.append((role, sign ^ negated))
            else:
                number = numbers.setdefault(variable, len(numbers))
                row.append((f"inner {number}", sign))
        rows.append(tuple(row))
    return tuple(rows)


def _variables(sentences: Iterable[Proposition]) -> set[int]:
    return {literal >> 1 for _, *literals in sentences for literal in literals}
