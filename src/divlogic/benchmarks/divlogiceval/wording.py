"""Which sentence words which occurrence of a variable, so that every label and depth holds of the sentences.

A premise entails its hypotheses, but not the other way round. At the ``nli`` level every sentence is a variable of its
own, tied to the others by ``p → h`` (and ``¬(p ∧ c)`` for a contradiction c). The *rule of clause polarity* keeps what
follows: an occurrence that is positive in the clauses of its proposition is worded by the premise, a negative one by a
hypothesis; an option or conclusion that is to follow counts as what its denial says.

Proof: a derivation resolves some v, worded by the premise, with some ¬v, worded by a hypothesis; the tie p → h makes
the step valid between sentences. So what follows from the formulas follows from the sentences, by the same number of
them. Conversely one truth value for all sentences of a group satisfies the ties, so what does not follow from the
formulas does not follow from the sentences.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from divlogic.benchmarks.divlogiceval.draw import Contradiction, SymbolicInstance
from divlogic.benchmarks.divlogiceval.parameters import DivLogicEvalParameters
from divlogic.benchmarks.divlogiceval.propositions import CLAUSES, NEGATED, Proposition, as_said
from divlogic.benchmarks.divlogiceval.sizes import QUESTION_TYPES
from divlogic.draws import Draws

CONTRADICTION = -1
"""Choice of a sentence that contradicts the variable, in place of one that words it."""

AS_PUBLISHED = {"3c1e": 1.0, "3e1c": 0.0, "missing_premise": 1.0}
"""Probability of a contradiction where the parameters give none (paper, Figure 1)."""

Choices = list[list[int]]
"""For each statement and literal the sentence chosen: 0 the premise, 1 ... a hypothesis, or CONTRADICTION."""

_STREAM = 6


@dataclass(frozen=True, slots=True)
class ChosenWording:
    """How an instance is worded.

    Attributes:
        statements: premises, conclusion if any, options, each as it is said; an option worded by a contradiction is the
            proposition that :class:`Contradiction` names.
        free_holds: whether the label holds under the free wording of the paper.
    """

    statements: tuple[Proposition, ...]
    choices: Choices
    contradiction: Contradiction | None
    free_holds: bool


def choose_wording(
    instance: SymbolicInstance,
    sizes: Mapping[int, int],
    contradicted: frozenset[int],
    draws: Draws,
    parameters: DivLogicEvalParameters,
    plainest: Mapping[int, int] | None = None,
) -> ChosenWording:
    """Choose the sentences of an instance.

    Args:
        sizes: variable -> number of its sentences.
        contradicted: variables whose group has a contradiction.
        plainest: variable -> the sentence that words it if one does so throughout; default: the premise.
    """
    conclusion = () if instance.conclusion is None else (instance.conclusion,)
    statements = [as_said(one) for one in (*instance.premises, *conclusion, *instance.options)]
    first_option = len(statements) - len(instance.options)
    contradiction = _pick_contradiction(instance, contradicted, draws, parameters)
    if contradiction is not None:
        statements[first_option + contradiction.option] = contradiction.proposition
    free = _free_choices(statements, sizes, draws)
    free_holds = all(
        _follows([(statements[at], free[at]) for at in given], (statements[goal], free[goal]))
        for given, goal in _entailments(instance, first_option)
    )
    choices = free
    if parameters.verification == "nli":
        # The members of a quartet throw the same coins, so that a sentence is a function of sign and coin.
        coins = draws
        throughout: dict[int, int] = {}
        if instance.quartet is not None:
            coins = Draws(_STREAM, QUESTION_TYPES.index(instance.question_type), instance.quartet)
            if parameters.lexical_steps is not None:
                alike = _worded_alike(instance, sizes, parameters.lexical_steps, coins)
                throughout = {variable: (plainest or {}).get(variable, 0) for variable in alike}
        asserted = len(statements) if instance.conclusion is not None else first_option
        refuted = {len(instance.premises)} if instance.conclusion is not None else set()
        choices = [
            _by_polarity(
                statement,
                denied=at >= asserted or at in refuted,
                sizes=sizes,
                throughout=throughout,
                coins=coins,
            )
            for at, statement in enumerate(statements)
        ]
    if contradiction is not None:
        choices[first_option + contradiction.option][contradiction.slot] = CONTRADICTION
    return ChosenWording(tuple(statements), choices, contradiction, free_holds)


def _worded_alike(
    instance: SymbolicInstance, sizes: Mapping[int, int], most_steps: int, coins: Draws
) -> set[int]:
    """Choose the variables that one sentence words throughout, so that a key rests on few lexical steps.

    A lexical step leads from the premise of a variable to a hypothesis. What follows passes one variable of each stage;
    of 3e1c three options must follow, which pass all variables of a stage between them.

    Args:
        sizes: variable -> number of its sentences.
        most_steps: largest number of lexical steps.
    """
    stages = coins.shuffled(instance.stages)
    # Stages all of whose variables have hypotheses come first: with them there are as many steps as are allowed.
    stages.sort(key=lambda stage: min([sizes[variable] for variable in stage]) == 1)
    alike: set[int] = set()
    left = most_steps
    for stage in stages:
        steps = len(stage) if instance.question_type == "3e1c" else 1
        if steps <= left:
            left -= steps
        else:
            alike.update(stage)
    return alike


def _hypothesis(size: int, coin: float) -> int:
    """Return the hypothesis that a coin (0 to 1) chooses among the sentences of a variable; 0 if it has none."""
    hypotheses = size - 1
    return 1 + int(coin * hypotheses) if hypotheses else 0


def lexical_steps(instance: SymbolicInstance, wording: ChosenWording) -> int:
    """Count the variables on whose step from premise to hypothesis the key rests: it breaks if one does not hold."""
    first_option = len(wording.statements) - len(instance.options)
    worded = list(zip(wording.statements, wording.choices, strict=True))
    entailments = list(_entailments(instance, first_option))
    stepping = sorted(
        {
            literal >> 1
            for (_, *literals), row in worded
            for literal, choice in zip(literals, row, strict=True)
            if choice > 0
        }
    )

    def needed(variable: int) -> bool:
        return not all(
            _follows([worded[at] for at in given], worded[goal], without=variable)
            for given, goal in entailments
        )

    return sum(map(needed, stepping))


def _by_polarity(
    statement: Proposition,
    denied: bool,
    sizes: Mapping[int, int],
    throughout: Mapping[int, int],
    coins: Draws,
) -> list[int]:
    """Word each literal by the premise if it is positive in the clauses, by a hypothesis if it is negative.

    Variables that one sentence words ``throughout`` have that one.
    """
    row = []
    for literal, negated in zip(statement[1:], NEGATED[statement[0]], strict=True):
        coin = coins.uniform()
        variable = literal >> 1
        positive = (literal & 1) ^ negated ^ denied == 0
        if variable in throughout:
            row.append(throughout[variable])
        elif positive:
            row.append(0)
        else:
            row.append(_hypothesis(sizes[variable], coin))
    return row


def _pick_contradiction(
    instance: SymbolicInstance,
    contradicted: frozenset[int],
    draws: Draws,
    parameters: DivLogicEvalParameters,
) -> Contradiction | None:
    """Take the first contradiction for which there is a sentence, with the parameter's probability."""
    chances: Mapping[str, float] = parameters.contradictions or AS_PUBLISHED  # type: ignore[assignment]
    wanted = draws.chance(chances.get(instance.question_type, 0.0))
    for item in instance.contradictions if wanted else ():
        if item.proposition[item.slot + 1] >> 1 in contradicted:
            return item
    return None


def _entailments(instance: SymbolicInstance, first_option: int) -> Iterator[tuple[list[int], int]]:
    """Yield what must follow from what, as (statement numbers of the premises, statement number)."""
    premises = list(range(len(instance.premises)))
    if instance.conclusion is not None:
        yield [*premises, first_option + instance.answer], len(premises)
        return
    for option in range(len(instance.options)):
        if (option == instance.answer) == (instance.question_type == "3c1e"):
            yield premises, first_option + option


def _free_choices(
    statements: Sequence[Proposition], sizes: Mapping[int, int], draws: Draws
) -> Choices:
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


Worded = tuple[Proposition, Sequence[int]]
"""A proposition and the sentence of each of its literals."""


def _follows(given: Sequence[Worded], goal: Worded, without: int | None = None) -> bool:
    """Return whether worded propositions entail another one: whether they refute its denial (2-SAT).

    A literal over sentences is (literal, sentence); every proposition amounts to clauses of two of them. Of the
    variable ``without`` the premise does not entail the hypotheses.
    """
    edges: dict[tuple[int, int], set[tuple[int, int]]] = {}

    def imply(one: tuple[int, int], other: tuple[int, int]) -> None:
        edges.setdefault(one, set()).add(other)
        edges.setdefault((other[0] ^ 1, other[1]), set()).add((one[0] ^ 1, one[1]))

    for (kind, *literals), row in given:
        parts = _parts(literals, kind, row)
        for one, other in CLAUSES[kind]:
            imply((parts[one][0] ^ 1, parts[one][1]), parts[other])
    kind, *literals = goal[0]
    # The denial of p→q is p and ¬q.
    denied = [(literal ^ 1, sentence) for literal, sentence in _parts(literals, kind, goal[1])]
    for literal, sentence in [*edges, *denied]:
        if sentence > 0 and literal >> 1 != without:
            imply((literal & ~1, 0), (literal & ~1, sentence))
    reached = set(denied)
    stack = denied
    while stack:
        for following in edges.get(stack.pop(), ()):
            if following not in reached:
                reached.add(following)
                stack.append(following)
    return any((literal ^ 1, sentence) in reached for literal, sentence in reached)


def _parts(literals: Sequence[int], kind: int, sentences: Sequence[int]) -> list[tuple[int, int]]:
    """Return the literals of the clauses of a proposition, with their sentences."""
    placed = zip(literals, NEGATED[kind], sentences, strict=True)
    return [(literal ^ negated, sentence) for literal, negated, sentence in placed]
