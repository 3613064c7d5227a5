"""Square quartets: all rules hold one way, and one of four rules in the middle runs against the other three.

Two *sources* X0, X1 and two *sinks* Y0, Y1 are the ends of the options; the options are the four implications from a
source to a sink. *Lanes* lead from the sources to two stops p0, p1, and from two stops q0, q1 to the sinks, in t rounds
of two rules each; a round runs straight or crossed. The *joint* has one rule for each pair of a p and a q, and exactly
one of the four runs the other way than the rest. So which option is the odd one depends on all rounds and on the joint:

    X0, X1  = t rounds =>  p0, p1  joint  q0, q1  = t rounds =>  Y0, Y1

Of a missing premise the middle is cut: the conclusion is M→N, the joint has a rule between each p and N and between M
and each q, and the options lead from a sink to a source.

Proof, assumptions and what was measured: docs/methods.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from divlogic.benchmarks.divlogiceval.propositions import IMPLICATION, Proposition, Quartet
from divlogic.draws import Draws

LANES = (0, 1)
CORNERS = tuple(product(LANES, LANES))
"""Pairs of a lane of the upper half and one of the lower: the options, and the rules of the joint."""

Level = tuple[int, int]
"""The two literals of a level, on two variables and of one sign; the lanes run through them."""


def variables_of(question_type: str, rounds: int) -> int:
    """Return the number of variables of a quartet."""
    return 4 * (rounds + 1) + (2 if question_type == "missing_premise" else 0)


def premises_needed_of(question_type: str, rounds: int) -> int:
    """Return the number of rules of the chain that an option needs, a missing premise included."""
    return 2 * rounds + (3 if question_type == "missing_premise" else 1)


@dataclass(frozen=True, slots=True)
class Plan:
    """What the four members of a square quartet share.

    A literal has its sign from its level: lanes of two signs would be told apart in single sentences.

    Attributes:
        upper: levels from the sources (X) to the stops p, ``rounds`` + 1 of them.
        lower: levels from the sinks (Y) to the stops q, against the direction of the rules.
        conclusion: the literals M and N of a missing premise.
        contraposed: wording of the rounds, upper half first; the same for both lanes.
        joint_turned: for each rule of the joint whether its variables are said in the other order.
        order: places of the sentences.
    """

    question_type: str
    upper: tuple[Level, ...]
    lower: tuple[Level, ...]
    conclusion: Level | None
    contraposed: tuple[bool, ...]
    joint_turned: tuple[bool, ...]
    order: tuple[int, ...]

    @property
    def rounds(self) -> int:
        """The number of rounds of each half (t)."""
        return len(self.upper) - 1

    @property
    def stages(self) -> tuple[tuple[int, ...], ...]:
        """The variables by stage: a chain passes one variable of each."""
        ends = [(literal,) for literal in self.conclusion or ()]
        return tuple(
            [tuple([literal >> 1 for literal in one]) for one in (*self.upper, *self.lower, *ends)]
        )


def draw_square(question_type: str, rounds: int, draws: Draws) -> Quartet:
    """Draw a quartet with so many rounds in each half."""
    plan = draw_plan(question_type, rounds, draws)
    options = [plan_option(plan, corner) for corner in CORNERS]
    conclusion = None
    if plan.conclusion is not None:
        conclusion = implication(*plan.conclusion, draws.chance(0.5))
    # The four options are worded alike, so that none stands out.
    options_contraposed = draws.chance(0.5)
    order = draws.shuffled(range(len(CORNERS)))
    passages = []
    for number in order:
        crossed, odd_corner = draw_signs(CORNERS[number], rounds, draws)
        passages.append(passage(plan, crossed, odd_corner))
    return Quartet(
        construction="square",
        depth=premises_needed_of(question_type, rounds),
        passages=tuple(passages),
        conclusion=conclusion,
        options=tuple([implication(*options[number], options_contraposed) for number in order]),
        stages=plan.stages,
    )


def draw_plan(question_type: str, rounds: int, draws: Draws) -> Plan:
    """Draw what the members share: names and signs, the wording of the rules and their order."""
    names = iter(draws.shuffled(range(variables_of(question_type, rounds))))
    upper = tuple([_draw_level(names, draws) for _ in range(rounds + 1)])
    lower = tuple([_draw_level(names, draws) for _ in range(rounds + 1)])
    conclusion = None
    if question_type == "missing_premise":
        conclusion = (2 * next(names) + draws.below(2), 2 * next(names) + draws.below(2))
    # Beside the rules of the lanes, two of each round, there are four of the joint.
    order = draws.shuffled(range(4 * rounds + len(CORNERS)))
    return Plan(
        question_type=question_type,
        upper=upper,
        lower=lower,
        conclusion=conclusion,
        contraposed=_draw_contraposed(rounds, draws),
        joint_turned=tuple([draws.chance(0.5) for _ in CORNERS]),
        order=tuple(order),
    )


def _draw_level(names: Iterator[int], draws: Draws) -> Level:
    sign = draws.below(2)
    return 2 * next(names) + sign, 2 * next(names) + sign


def _draw_contraposed(rounds: int, draws: Draws) -> tuple[bool, ...]:
    """Draw which rounds are contraposed, so that nobody gets through a passage who takes rules as they are said.

    From two rounds on, each half has rounds of both kinds; with one round the halves differ.
    """
    while True:
        contraposed = tuple([draws.chance(0.5) for _ in range(2 * rounds)])
        parts = (contraposed[:rounds], contraposed[rounds:]) if rounds > 1 else (contraposed,)
        if all(len(set(part)) == 2 for part in parts):
            return contraposed


def draw_signs(
    corner: tuple[int, int], rounds: int, draws: Draws
) -> tuple[tuple[bool, ...], tuple[int, int]]:
    """Draw which rounds are crossed, upper half first, and which rule of the joint is the odd one.

    The odd rule is uniform among the four; the crossings are uniform among those that lead from the option's ends to
    that rule.
    """
    odd_corner = (draws.below(2), draws.below(2))
    crossed: list[bool] = []
    for end, stop in zip(corner, odd_corner, strict=True):
        half = [draws.chance(0.5) for _ in range(rounds - 1)]
        half.append((sum(half) + end + stop) % 2 == 1)
        crossed += half
    return tuple(crossed), odd_corner


def passage(
    plan: Plan, crossed: Sequence[bool], odd_corner: tuple[int, int]
) -> tuple[Proposition, ...]:
    """Write the passage of one member."""
    rounds = plan.rounds
    sentences: list[Proposition] = []
    halves = ((plan.upper, 0, True), (plan.lower, rounds, False))
    for levels, first, downwards in halves:
        for number in range(rounds):
            contraposed = plan.contraposed[first + number]
            for lane in LANES:
                near = levels[number][lane]
                far = levels[number + 1][lane ^ crossed[first + number]]
                before, behind = (near, far) if downwards else (far, near)
                sentences.append(implication(before, behind, contraposed))
    for (left, right, forward), turned in zip(
        joint_rules(plan, odd_corner), plan.joint_turned, strict=True
    ):
        before, behind = (left, right) if forward else (right, left)
        # The order of the variables is the same in all members; so it tells no direction.
        sentences.append(implication(before, behind, contraposed=forward == turned))
    return tuple([sentences[place] for place in plan.order])


def joint_rules(plan: Plan, odd_corner: tuple[int, int]) -> list[tuple[int, int, bool]]:
    """Return the rules of the joint as (upper literal, lower literal, whether the rule runs from upper to lower)."""
    stops, starts = plan.upper[-1], plan.lower[-1]
    odd_stop, odd_start = odd_corner
    if plan.conclusion is not None:
        goal_before, goal_behind = plan.conclusion
        into_goal = [(stops[lane], goal_behind, lane == odd_stop) for lane in LANES]
        from_goal = [(goal_before, starts[lane], lane == odd_start) for lane in LANES]
        return [*into_goal, *from_goal]
    odd_runs_forward = plan.question_type == "3c1e"
    return [
        (stops[upper], starts[lower], ((upper, lower) == odd_corner) == odd_runs_forward)
        for upper, lower in CORNERS
    ]


def plan_option(plan: Plan, corner: tuple[int, int]) -> tuple[int, int]:
    """Return the literals of an option: from a source to a sink; of a missing premise from a sink to a source."""
    source, sink = plan.upper[0][corner[0]], plan.lower[0][corner[1]]
    return (sink, source) if plan.conclusion is not None else (source, sink)


def implication(before: int, behind: int, contraposed: bool) -> Proposition:
    """Write "before, then behind" or its contrapositive."""
    return (IMPLICATION, behind ^ 1, before ^ 1) if contraposed else (IMPLICATION, before, behind)
