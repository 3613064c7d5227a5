"""Contexts: Algorithm 1 of the paper, and the single literals that its examples hold besides the rules."""

from __future__ import annotations

from dataclasses import dataclass

from divlogic.benchmarks.divlogiceval.parameters import DivLogicEvalParameters
from divlogic.benchmarks.divlogiceval.propositions import (
    IMPLICATION,
    LITERAL,
    NOT_AND,
    OR,
    Proposition,
    candidates,
    consequences,
    full_table,
    table,
)
from divlogic.draws import Draws
from divlogic.errors import DivLogicError


@dataclass(frozen=True, slots=True)
class Context:
    """A satisfiable set of propositions, its option variables and the candidates that it entails.

    Attributes:
        propositions: in the order of the text.
        table: valuations that make all propositions true.
        variables: x', the variables used at least once and fewer than n times in the rules.
        entailed: candidates that follow, but from no single proposition (paper: entailment group e).
        universe: number of variables over which the tables are.
    """

    propositions: tuple[Proposition, ...]
    table: int
    variables: tuple[int, ...]
    entailed: tuple[Proposition, ...]
    universe: int

    def others(self) -> list[Proposition]:
        """Return the candidates that do not follow (paper: non-entailment group n)."""
        return [one for one, false in candidates(self.variables, self.universe) if self.table & false]


def most_uses(parameters: DivLogicEvalParameters) -> int:
    """Return n of Algorithm 1: how many propositions may hold one variable."""
    return parameters.max_uses_per_variable or 3


def universe_of(parameters: DivLogicEvalParameters) -> int:
    """Return the number of variables over which truth tables are made."""
    return max(8, parameters.variables)


def draw_context(draws: Draws, parameters: DivLogicEvalParameters) -> Context | None:
    """Draw one context; ``None`` if it is contradictory or entails nothing that needs two propositions."""
    rules, used = _draw_rules(draws, parameters)
    most = most_uses(parameters)
    variables = tuple([variable for variable, count in enumerate(used) if 0 < count < most])
    universe = universe_of(parameters)
    propositions = _insert_literals(draws, parameters, rules, variables)
    whole = full_table(universe)
    for proposition in propositions:
        whole &= table(proposition, universe)
    # A contradictory context entails everything.
    if whole == 0:
        return None
    # Decided by truth table, not by names: the literal B alone already entails A→B.
    from_one = frozenset().union(*[consequences(one, universe) for one in propositions])
    entailed = [
        candidate
        for candidate, false in candidates(variables, universe)
        if not whole & false and candidate not in from_one
    ]
    if not entailed:
        return None
    return Context(tuple(propositions), whole, variables, tuple(entailed), universe)


def selection_weights(used: list[int], parameters: DivLogicEvalParameters) -> list[float]:
    """Return the weight of each variable in the next draw (Eq. 3 and the two caps of Appendix B).

    Args:
        used: how often each variable occurs in the propositions so far (o).
        parameters: gives n and the weight of a variable that occurs n-1 times.
    """
    most = max(used) + 1
    total = most * len(used) - sum(used)
    weights = [(most - count) / total for count in range(most_uses(parameters) - 1)]
    weights.append(parameters.cap_probability)
    return [weights[count] if count < len(weights) else 0.0 for count in used]


def _draw_rules(draws: Draws, parameters: DivLogicEvalParameters) -> tuple[list[Proposition], list[int]]:
    """Run Algorithm 1: l propositions, l uniform on 2 ... n+1, and the count of each variable's uses."""
    kinds = (IMPLICATION, NOT_AND, OR)
    kind_weights = [parameters.rule_weights.get(name, 0.0) for name in ("implication", "not_and", "or")]
    used = [0] * parameters.variables
    rules: list[Proposition] = []
    for _ in range(2 + draws.below(most_uses(parameters))):
        weights = selection_weights(used, parameters)
        kind = kinds[draws.weighted(kind_weights)]
        # Three variables are sampled for any rule; the plain implication discards the last (Appendix B).
        chosen = draws.weighted_distinct(weights, 3)
        if len(chosen) < 3:
            raise DivLogicError(
                "params.yaml: benchmarks.divlogiceval: variables and max_uses_per_variable leave too few"
                f" variables for {most_uses(parameters) + 1} propositions;"
                " raise 'variables' or 'max_uses_per_variable'."
            )
        if kind == IMPLICATION:
            del chosen[2:]
        for variable in chosen:
            used[variable] += 1
        rules.append((kind, *[2 * variable for variable in chosen]))
    return rules, used


def _insert_literals(
    draws: Draws, parameters: DivLogicEvalParameters, rules: list[Proposition], variables: tuple[int, ...]
) -> list[Proposition]:
    """Put 0 ... floor(|x'| / divisor) literals of distinct variables of x' at random places."""
    propositions = list(rules)
    most = int(len(variables) / parameters.literal_divisor)
    for variable in draws.shuffled(variables)[: draws.below(most + 1)]:
        negated = draws.chance(parameters.literal_negation)
        propositions.insert(draws.below(len(propositions) + 1), (LITERAL, 2 * variable + negated))
    return propositions
