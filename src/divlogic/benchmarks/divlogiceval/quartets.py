"""Quartets: four instances with the same options, each of which is right once (preset ``balanced``).

The four share everything that can be seen without inference. Their passages are wirings of one skeleton, so each
variable stands as often before an arrow, behind an arrow, as a fact and as a denied fact; their options are the same,
in the same order; and the answer is A, B, C and D once each. Whoever decides from the options, from such counts or
from the words that an option shares with the passage gives all four the same answer, and is right exactly once.

No option is settled vacuously: where an implication follows, neither its consequent nor the denial of its antecedent
does; and it never follows from one proposition alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from divlogic.benchmarks.divlogiceval.conclusions import BATCHES, Found, find_conclusions
from divlogic.benchmarks.divlogiceval.matching import SIZE
from divlogic.benchmarks.divlogiceval.missing import BATCH, find_missing_premises
from divlogic.benchmarks.divlogiceval.parameters import DivLogicEvalParameters
from divlogic.benchmarks.divlogiceval.propositions import FULL, IMPLICATION, LITERAL, Proposition, table
from divlogic.benchmarks.divlogiceval.skeletons import Uniforms, draw_skeletons
from divlogic.draws import Draws
from divlogic.errors import DivLogicError

PER_BLOCK = 16
"""Quartets that are drawn from one stream."""

_MOST_BATCHES = 500
_STREAM = 3


@dataclass(frozen=True, slots=True)
class Member:
    """One instance of a quartet.

    Attributes:
        premises: the passage.
        conclusion: of a missing premise, else ``None``.
        options: the four options, in the order that all members share.
        answer: the right one.
        depth: number of premises that the answer needs.
        denials: the options that a sentence contradicting their first literal may word without a change of their
            label, in random order: implications with a denied antecedent, and missing facts that deny.
        passages: the passages of all members, that in which option i is right at place i.
    """

    premises: tuple[Proposition, ...]
    conclusion: Proposition | None
    options: tuple[Proposition, ...]
    answer: int
    depth: int
    denials: tuple[int, ...]
    passages: tuple[tuple[Proposition, ...], ...]


def draw_quartets(
    question_type: str, type_number: int, seed: int, block: int, parameters: DivLogicEvalParameters
) -> list[tuple[Member, ...]]:
    """Draw one block of quartets.

    Args:
        question_type: the type of all of them.
        type_number: its place among the types.
        seed: the run's seed.
        block: number of the block.
        parameters: how contexts are drawn.

    Raises:
        DivLogicError: the parameters allow no such quartet.
    """
    stream = Uniforms(seed, _STREAM, type_number, block)
    draws = Draws(seed, _STREAM, type_number, block)
    missing = question_type == "missing_premise"
    batch = BATCH if missing else BATCHES[question_type]
    wanted = draw_depth(draws, parameters)

    def fits(premises: tuple[Proposition, ...], conclusion: Proposition) -> bool:
        size = _smallest(premises, conclusion)
        return wanted is None or (size <= wanted if question_type == "3e1c" else size == wanted)

    quartets: list[tuple[Member, ...]] = []
    chosen = None if wanted is None else fits
    for _ in range(_MOST_BATCHES):
        skeletons = draw_skeletons(stream, batch, parameters)
        if missing:
            found = find_missing_premises(skeletons, stream, draws, chosen)
        else:
            found = find_conclusions(question_type, skeletons, draws, chosen)
        for one in found:
            quartet = _arranged(question_type, one, draws)
            if wanted is None or all(member.depth == wanted for member in quartet):
                quartets.append(quartet)
                wanted = draw_depth(draws, parameters)
                if len(quartets) == PER_BLOCK:
                    return quartets
    raise DivLogicError(
        f"params.yaml: {len(quartets)} of {PER_BLOCK} balanced {question_type} quartets came up in"
        f" {_MOST_BATCHES * batch:,} contexts; the settings under benchmarks.divlogiceval (variables,"
        " max_uses_per_variable, rule_weights, premises_needed) are too narrow."
    )


def draw_depth(draws: Draws, parameters: DivLogicEvalParameters) -> int | None:
    """Draw the number of premises that the next answer shall need; ``None``: any number."""
    if not parameters.premises_needed:
        return None
    depths = sorted(parameters.premises_needed)
    return depths[draws.weighted([parameters.premises_needed[depth] for depth in depths])]


def premises_needed(
    question_type: str,
    premises: Sequence[Proposition],
    conclusion: Proposition | None,
    options: Sequence[Proposition],
    answer: int,
) -> int:
    """Return the size of the smallest set of premises that an answer rests on.

    Of 3c1e these are the premises of the option that follows; of 3e1c those of the option that follows from the most;
    of a missing premise those that yield the conclusion, the missing one included.
    """
    if conclusion is not None:
        return _smallest((*premises, options[answer]), conclusion)
    if question_type == "3c1e":
        return _smallest(premises, options[answer])
    return max(_smallest(premises, option) for at, option in enumerate(options) if at != answer)


def _smallest(premises: Sequence[Proposition], conclusion: Proposition) -> int:
    """Return the number of premises in the smallest set that entails the conclusion, which must follow from all."""
    wrong = FULL & ~table(conclusion)
    layer = {(-1, wrong)}
    tables = [table(premise) for premise in premises]
    for size in range(1, len(tables) + 1):
        wider: set[tuple[int, int]] = set()
        for last, rest in layer:
            for at in range(last + 1, len(tables)):
                left = rest & tables[at]
                if not left:
                    return size
                wider.add((at, left))
        layer = wider
    raise ValueError("the conclusion does not follow")


def _arranged(question_type: str, found: Found, draws: Draws) -> tuple[Member, ...]:
    """Put a quartet together: options in one random order for all, members and premises in random order."""
    order = draws.shuffled(range(SIZE))
    options = tuple([found.options[at] for at in order])
    strong = LITERAL if found.conclusion else IMPLICATION
    denying = [option for option in options if option[0] == strong and option[1] & 1]
    passages = tuple([tuple(draws.shuffled(found.contexts[at])) for at in order])
    members = []
    for answer in draws.shuffled(range(SIZE)):
        depth = premises_needed(question_type, passages[answer], found.conclusion, options, answer)
        denials = tuple([place for place in draws.shuffled(range(SIZE)) if options[place] in denying])
        members.append(Member(passages[answer], found.conclusion, options, answer, depth, denials, passages))
    return tuple(members)
