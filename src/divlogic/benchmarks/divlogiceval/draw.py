"""Symbolic instances: a context, a question type and four options of which one is right (paper, Section 2.1).

The presets differ in how options are drawn. ``as_published`` draws them from the entailment and the non-entailment
group of one context, as the paper says, and lets the four options alone give the answer away. ``balanced`` takes the
instances from quartets (:mod:`divlogic.benchmarks.divlogiceval.quartets`), of which it does not.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce
from operator import and_
from statistics import fmean
from typing import Any

from divlogic.benchmarks.divlogiceval.parameters import DivLogicEvalParameters
from divlogic.benchmarks.divlogiceval.propositions import (
    IMPLICATION,
    LITERAL,
    NOT_AND,
    OPTIONS,
    OR,
    Proposition,
    Quartet,
    candidates,
    consequences,
    full_table,
    table,
)
from divlogic.benchmarks.divlogiceval.quartets import draw_quartet
from divlogic.benchmarks.divlogiceval.sizes import QUARTET, QUESTION_TYPES
from divlogic.draws import Draws
from divlogic.errors import DivLogicError

_ATTEMPTS = 100_000
_ORDER_STREAM = 4
# Ten rounds of quartets: all of a preset's sizes occur, and drawing them takes some hundredths of a second.
_COUNTED = 10 * QUARTET


@dataclass(frozen=True, slots=True)
class Contradiction:
    """A way to word one option by an NLI contradiction.

    The option then words ``proposition``, but with a sentence that contradicts the variable at ``slot`` in that
    variable's place. The context entails the proposition, so that the option no longer follows.
    """

    option: int
    proposition: Proposition
    slot: int

    @property
    def symbolic(self) -> Proposition:
        """The proposition with the literal at the slot negated: what the contradiction amounts to symbolically."""
        literals = list(self.proposition)
        literals[self.slot + 1] ^= 1
        return tuple(literals)


@dataclass(frozen=True, slots=True)
class SymbolicInstance:
    """One instance before its variables become sentences.

    Attributes:
        premises: propositions of the context in text order; for ``missing_premise`` without the missing one.
        conclusion: what follows once the missing premise is added, else ``None``.
        contradictions: possible NLI contradictions, in the order in which to try them.
        depth: number of premises that the answer needs (:func:`premises_needed`).
        quartet: number of the quartet among those of its type; ``None``: it is drawn on its own.
        construction: ``square`` or ``parity``; empty: it is drawn on its own.
        stages: of a quartet its variables, in sets of which a chain passes one variable each at most.
    """

    question_type: str
    premises: tuple[Proposition, ...]
    conclusion: Proposition | None
    options: tuple[Proposition, ...]
    answer: int
    contradictions: tuple[Contradiction, ...]
    depth: int
    quartet: int | None = None
    construction: str = ""
    stages: tuple[tuple[int, ...], ...] = ()

    @property
    def variables(self) -> tuple[int, ...]:
        """Every variable that needs sentences, in alphabetical order."""
        conclusion = (self.conclusion,) if self.conclusion else ()
        possible = [item.proposition for item in self.contradictions]
        stated = (*self.premises, *self.options, *conclusion, *possible)
        return tuple(
            sorted({literal >> 1 for proposition in stated for literal in proposition[1:]})
        )

    @property
    def membership(self) -> dict[str, Any]:
        """What metadata say of the quartet, if the instance is of one."""
        if self.quartet is None:
            return {}
        return {"quartet": self.quartet, "construction": self.construction}


def draw_instance(seed: int, index: int, parameters: DivLogicEvalParameters) -> SymbolicInstance:
    """Draw the instance with the given index; its type is ``QUESTION_TYPES[index % 3]``.

    Of the preset ``balanced`` twelve consecutive instances, from a multiple of twelve on, are a quartet of each type.
    """
    question_type = QUESTION_TYPES[index % 3]
    if parameters.preset == "balanced":
        number, member = index // QUARTET, index % QUARTET // len(QUESTION_TYPES)
        of, answers = _quartet(question_type, seed, number, parameters.model_dump_json())
        answer = answers[member]
        return SymbolicInstance(
            question_type=question_type,
            premises=of.passages[answer],
            conclusion=of.conclusion,
            options=of.options,
            answer=answer,
            contradictions=(),
            depth=of.depth,
            quartet=number,
            construction=of.construction,
            stages=of.stages,
        )
    return _draw_alone(question_type, Draws(seed, index), parameters)


def groups_taken(instance: SymbolicInstance, place: int) -> int:
    """Return the number of sentence groups that are taken for the instance of a place: one for each variable.

    The members of a quartet share the groups that are taken for the first of them.
    """
    is_first = place % QUARTET < len(QUESTION_TYPES)
    if instance.quartet is not None and not is_first:
        return 0
    return len(instance.variables)


def groups_per_instance(parameters: DivLogicEvalParameters) -> float:
    """Return the mean number of sentence groups that are taken for an instance, counted on some that are drawn."""
    taken = [groups_taken(draw_instance(0, place, parameters), place) for place in range(_COUNTED)]
    return fmean(taken)


@lru_cache(maxsize=len(QUESTION_TYPES))
def _quartet(
    question_type: str, seed: int, number: int, parameters: str
) -> tuple[Quartet, list[int]]:
    """Draw a quartet and its members' answers once for all, as they follow one another; ``parameters`` are JSON."""
    read = DivLogicEvalParameters.model_validate_json(parameters)
    order = Draws(seed, _ORDER_STREAM, QUESTION_TYPES.index(question_type), number)
    return draw_quartet(question_type, seed, number, read), order.shuffled(range(OPTIONS))


def _draw_alone(
    question_type: str, draws: Draws, parameters: DivLogicEvalParameters
) -> SymbolicInstance:
    """Draw an instance as the paper says; a context that allows none is drawn again."""
    choose = _missing_premise if question_type == "missing_premise" else _three_alike
    wanted = None
    if parameters.premises_needed:
        depths = sorted(parameters.premises_needed)
        wanted = depths[draws.weighted([parameters.premises_needed[depth] for depth in depths])]
    for _ in range(_ATTEMPTS):
        context = draw_context(draws, parameters)
        if context is not None:
            instance = choose(question_type, context, draws)
            if instance is not None and wanted in (None, instance.depth):
                return instance
    raise DivLogicError(
        f"params.yaml: no {question_type} instance came up in {_ATTEMPTS:,} contexts; the settings under"
        " benchmarks.divlogiceval (variables, max_uses_per_variable, rule_weights, premises_needed) are too narrow."
    )


def _three_alike(question_type: str, context: Context, draws: Draws) -> SymbolicInstance | None:
    """3c1e: one option is entailed, three are not; 3e1c: three options are entailed, the right one is not."""
    entailed, others = context.entailed, context.others()
    if question_type == "3c1e":
        answer = draws.pick(entailed)
        pool: Sequence[Proposition] = others
    elif len(entailed) < 3 or not others:
        return None
    else:
        answer, pool = draws.pick(others), entailed
    alike = _distinct(draws.shuffled(pool), 3, [answer], context.universe)
    if alike is None:
        return None
    options, position = _arrange(draws, answer, alike)
    slot = position
    if question_type == "3c1e":
        slot = draws.pick([index for index in range(4) if index != position])
    contradictions = _contradictions(context, draws, options, slot)
    said = (question_type, context.propositions, None, options, position)
    return SymbolicInstance(*said, contradictions, premises_needed(*said, context.universe))


def _missing_premise(question_type: str, context: Context, draws: Draws) -> SymbolicInstance | None:
    """Missing premise: a necessary proposition is taken out of the context and becomes the right option."""
    conclusion = draws.pick(context.entailed)
    universe = context.universe
    wrong = ~table(conclusion, universe)
    necessary = []
    for index, answer in enumerate(context.propositions):
        premises = context.propositions[:index] + context.propositions[index + 1 :]
        rest = reduce(and_, [table(other, universe) for other in premises], -1)
        if rest & wrong:
            necessary.append((answer, premises, rest))
    if not necessary:
        return None
    answer, premises, rest = draws.pick(necessary)
    # No distractor may yield the conclusion as the missing premise does.
    fitting = [option for option in context.others() if rest & table(option, universe) & wrong]
    others = _distinct(draws.shuffled(fitting), 3, [answer, conclusion], universe)
    if others is None:
        return None
    options, position = _arrange(draws, answer, others)
    slot = draws.pick([other for other in range(4) if other != position])
    contradictions = tuple(
        item
        for item in _contradictions(context, draws, options, slot)
        if rest & table(item.symbolic, universe) & wrong
        and table(item.symbolic, universe) != table(conclusion, universe)
    )
    said = (question_type, premises, conclusion, options, position)
    return SymbolicInstance(*said, contradictions, premises_needed(*said, universe))


def _distinct(
    pool: Iterable[Proposition], count: int, taken: Sequence[Proposition], universe: int
) -> list[Proposition] | None:
    """Take the first ``count`` propositions no two of which are equivalent, nor equivalent to a taken one.

    Equivalent options (``A→B`` and ``¬B→¬A``) could never be the single right one, which would give them away.
    """
    seen = {table(proposition, universe) for proposition in taken}
    chosen: list[Proposition] = []
    for proposition in pool:
        if table(proposition, universe) not in seen:
            seen.add(table(proposition, universe))
            chosen.append(proposition)
            if len(chosen) == count:
                return chosen
    return None


def _arrange(
    draws: Draws, answer: Proposition, others: list[Proposition]
) -> tuple[tuple[Proposition, ...], int]:
    """Put the answer at a random place among the others."""
    options = draws.shuffled(others)
    position = draws.below(len(others) + 1)
    options.insert(position, answer)
    return tuple(options), position


def _contradictions(
    context: Context, draws: Draws, options: tuple[Proposition, ...], slot: int
) -> tuple[Contradiction, ...]:
    """List entailed candidates that may stand at option ``slot``, one positive literal of them contradicted."""
    universe = context.universe
    others = {table(option, universe) for index, option in enumerate(options) if index != slot}
    found: list[Contradiction] = []
    for proposition in context.entailed:
        for place, literal in enumerate(proposition[1:]):
            if literal & 1:
                continue
            item = Contradiction(slot, proposition, place)
            symbolic = table(item.symbolic, universe)
            if context.table & ~symbolic and others.isdisjoint(
                (symbolic, table(proposition, universe))
            ):
                found.append(item)
    return tuple(draws.shuffled(found)[:4])


def premises_needed(
    question_type: str,
    premises: Sequence[Proposition],
    conclusion: Proposition | None,
    options: Sequence[Proposition],
    answer: int,
    universe: int = 8,
) -> int:
    """Return the size of the smallest set of premises that an answer rests on.

    Of 3c1e these are the premises of the option that follows; of 3e1c those of the option that follows from the most;
    of a missing premise those that yield the conclusion, the missing one included.
    """
    if conclusion is not None:
        return _smallest((*premises, options[answer]), conclusion, universe)
    if question_type == "3c1e":
        return _smallest(premises, options[answer], universe)
    return max(
        _smallest(premises, option, universe) for at, option in enumerate(options) if at != answer
    )


def _smallest(premises: Sequence[Proposition], conclusion: Proposition, universe: int) -> int:
    """Return the number of premises in the smallest set that entails the conclusion, which must follow from all."""
    wrong = full_table(universe) & ~table(conclusion, universe)
    layer = {(-1, wrong)}
    tables = [table(premise, universe) for premise in premises]
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


@dataclass(frozen=True, slots=True)
class Context:
    """A satisfiable set of propositions, its option variables and the candidates that it entails.

    Attributes:
        variables: x', the variables used at least once and fewer than n times in the rules.
        entailed: candidates that follow, but from no single proposition (paper: entailment group e).
    """

    propositions: tuple[Proposition, ...]
    table: int
    variables: tuple[int, ...]
    entailed: tuple[Proposition, ...]
    universe: int

    def others(self) -> list[Proposition]:
        """Return the candidates that do not follow (paper: non-entailment group n)."""
        return [
            one for one, false in candidates(self.variables, self.universe) if self.table & false
        ]


def most_uses(parameters: DivLogicEvalParameters) -> int:
    """Return n of Algorithm 1: how many propositions may hold one variable."""
    return parameters.max_uses_per_variable or 3


def draw_context(draws: Draws, parameters: DivLogicEvalParameters) -> Context | None:
    """Draw one context.

    ``None`` if variables run out, it is contradictory, or it entails nothing that needs two propositions.
    """
    drawn = drawn_rules(draws, parameters)
    if drawn is None:
        return None
    rules, used = drawn
    most = most_uses(parameters)
    variables = tuple([variable for variable, count in enumerate(used) if 0 < count < most])
    universe = max(8, parameters.variables)
    propositions = _insert_literals(draws, parameters, rules, variables)
    whole = full_table(universe)
    for proposition in propositions:
        whole &= table(proposition, universe)
    # A contradictory context entails everything.
    if whole == 0:
        return None
    # Decided by truth table, not by names: the literal B alone already entails A→B.
    from_one = frozenset().union(*[consequences(one, universe) for one in propositions])
    held = [one for one, false in candidates(variables, universe) if not whole & false]
    entailed = tuple([one for one in held if one not in from_one])
    return Context(tuple(propositions), whole, variables, entailed, universe) if entailed else None


def selection_weights(used: list[int], parameters: DivLogicEvalParameters) -> list[float]:
    """Return the weight of each variable in the next draw, by its uses so far (Eq. 3, the two caps of Appendix B)."""
    most = max(used) + 1
    total = most * len(used) - sum(used)
    weights = [(most - count) / total for count in range(most_uses(parameters) - 1)]
    weights.append(parameters.cap_probability)
    return [weights[count] if count < len(weights) else 0.0 for count in used]


def drawn_rules(
    draws: Draws, parameters: DivLogicEvalParameters
) -> tuple[list[Proposition], list[int]] | None:
    """Run Algorithm 1: l propositions, l uniform on 2 ... n+1, and the count of each variable's uses.

    ``None`` if fewer than three variables may still be used: with few of them long contexts do not come about.
    """
    kinds = (IMPLICATION, NOT_AND, OR)
    kind_weights = [
        parameters.rule_weights.get(name, 0.0) for name in ("implication", "not_and", "or")
    ]
    used = [0] * parameters.variables
    rules: list[Proposition] = []
    for _ in range(2 + draws.below(most_uses(parameters))):
        weights = selection_weights(used, parameters)
        kind = kinds[draws.weighted(kind_weights)]
        # Three variables are sampled for any rule; the plain implication discards the last (Appendix B).
        chosen = draws.weighted_distinct(weights, 3)
        if len(chosen) < 3:
            return None
        if kind == IMPLICATION:
            del chosen[2:]
        for variable in chosen:
            used[variable] += 1
        rules.append((kind, *[2 * variable for variable in chosen]))
    return rules, used


def _insert_literals(
    draws: Draws,
    parameters: DivLogicEvalParameters,
    rules: list[Proposition],
    variables: tuple[int, ...],
) -> list[Proposition]:
    """Put 0 ... floor(|x'| / divisor) literals of distinct variables of x' at random places."""
    propositions = list(rules)
    most = int(len(variables) / parameters.literal_divisor)
    for variable in draws.shuffled(variables)[: draws.below(most + 1)]:
        negated = draws.chance(parameters.literal_negation)
        propositions.insert(draws.below(len(propositions) + 1), (LITERAL, 2 * variable + negated))
    return propositions
