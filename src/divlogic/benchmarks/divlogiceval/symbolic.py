"""Symbolic instances: a context, a question type and four options of which one is right (paper, Section 2.1)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from divlogic.benchmarks.divlogiceval.contexts import Context, draw_context
from divlogic.benchmarks.divlogiceval.propositions import (
    IMPLICATION,
    LITERAL,
    VARIABLE_NAMES,
    Proposition,
    is_proposition,
    proposition_variables,
    shape,
    table,
)
from divlogic.benchmarks.draws import Draws
from divlogic.config import DivLogicEvalParameters
from divlogic.errors import DivLogicError

QUESTION_TYPES = ("3c1e", "3e1c", "missing_premise")
_ATTEMPTS = 100_000
_DRAWS = 12


@dataclass(frozen=True, slots=True)
class Contradiction:
    """A way to word one option by an NLI contradiction.

    The option then words ``proposition``, which the context entails, but with a sentence that contradicts the
    variable at ``slot`` in that variable's place, so that it no longer follows.
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
        question_type: one of :data:`QUESTION_TYPES`.
        premises: propositions of the context in text order; for ``missing_premise`` without the missing one.
        conclusion: what follows once the missing premise is added, else ``None``.
        options: the four options.
        answer: index of the right option.
        contradictions: possible NLI contradictions, in the order in which to try them.
    """

    question_type: str
    premises: tuple[Proposition, ...]
    conclusion: Proposition | None
    options: tuple[Proposition, ...]
    answer: int
    contradictions: tuple[Contradiction, ...]

    @property
    def variables(self) -> tuple[int, ...]:
        """Every variable that needs sentences, in alphabetical order."""
        used = {
            variable
            for proposition in (
                *self.premises,
                *self.options,
                *((self.conclusion,) if self.conclusion else ()),
            )
            for variable in proposition_variables(proposition)
        }
        for contradiction in self.contradictions:
            used.update(proposition_variables(contradiction.proposition))
        return tuple(sorted(used))

    def to_json(self) -> dict[str, Any]:
        """Return the instance as a JSON object."""
        return {
            "question_type": self.question_type,
            "premises": self.premises,
            "conclusion": self.conclusion,
            "options": self.options,
            "answer": self.answer,
            "contradictions": [[item.option, item.proposition, item.slot] for item in self.contradictions],
        }

    @classmethod
    def from_json(cls, row: dict[str, Any]) -> SymbolicInstance:
        """Build an instance from what :meth:`to_json` gave.

        Raises:
            KeyError: a field is missing.
            TypeError: a field is of the wrong type.
            ValueError: a field holds no proposition, or the instance is not whole.
        """
        instance = cls(
            row["question_type"],
            tuple(map(tuple, row["premises"])),
            tuple(row["conclusion"]) if row["conclusion"] else None,
            tuple(map(tuple, row["options"])),
            row["answer"],
            tuple(
                Contradiction(option, tuple(proposition), slot)
                for option, proposition, slot in row["contradictions"]
            ),
        )
        instance._check()
        return instance

    def _check(self) -> None:
        """Refuse what no :meth:`to_json` gives."""
        propositions = [*self.premises, *self.options, *[item.proposition for item in self.contradictions]]
        if self.conclusion is not None:
            propositions.append(self.conclusion)
        for proposition in propositions:
            if not is_proposition(proposition):
                raise ValueError(f"{proposition} is no proposition")
        if self.question_type not in QUESTION_TYPES:
            raise ValueError(f"{self.question_type!r} is no question type")
        if (self.conclusion is not None) != (self.question_type == "missing_premise"):
            raise ValueError("only a missing premise goes with a conclusion")
        if len(self.options) != 4 or self.answer not in range(4):
            raise ValueError("there are not four options of which one is the answer")
        for item in self.contradictions:
            if item.option not in range(4) or item.slot not in range(len(item.proposition) - 1):
                raise ValueError("a contradiction stands at no option or literal")


def draw_instance(seed: int, index: int, parameters: DivLogicEvalParameters) -> SymbolicInstance:
    """Draw the instance with the given index; its type is ``QUESTION_TYPES[index % 3]``.

    Raises:
        DivLogicError: the parameters allow no such instance.
    """
    question_type = QUESTION_TYPES[index % 3]
    draws = Draws(seed, index)
    choose = {"3c1e": _three_not, "3e1c": _three_entailed, "missing_premise": _missing_premise}[question_type]
    for _ in range(_ATTEMPTS):
        context = draw_context(draws, parameters)
        if context is not None:
            instance = choose(context, draws, parameters)
            if instance is not None:
                return instance
    raise DivLogicError(
        f"params.yaml: no {question_type} instance came up in {_ATTEMPTS:,} contexts; the settings under"
        " benchmarks.divlogiceval (variables, n, rule_weights) are too narrow."
    )


def _three_not(context: Context, draws: Draws, parameters: DivLogicEvalParameters) -> SymbolicInstance | None:
    """3c1e: one option is entailed, three are not."""
    answer = draws.pick(context.entailed)
    pool = _others(context, answer, parameters)
    chosen = _inconspicuous(
        lambda: (answer, _distinct(draws.shuffled(pool), 3, taken=[answer])), context.propositions, parameters
    )
    if chosen is None:
        return None
    options, position = _arrange(draws, *chosen)
    slot = draws.pick([index for index in range(4) if index != position])
    contradictions = _contradictions(context, draws, parameters, options, slot)
    return SymbolicInstance("3c1e", context.propositions, None, options, position, contradictions)


def _three_entailed(
    context: Context, draws: Draws, parameters: DivLogicEvalParameters
) -> SymbolicInstance | None:
    """3e1c: three options are entailed, the right one is not."""
    if len(context.entailed) < 3:
        return None
    first = draws.pick(context.entailed)
    wanted = shape(first) if parameters.option_forms == "matched" else None
    alike = [option for option in context.entailed if wanted is None or shape(option) == wanted]
    others = _others(context, first, parameters)
    if len(alike) < 3 or not others:
        return None

    def draw() -> tuple[Proposition, list[Proposition] | None]:
        answer = draws.pick(others)
        return answer, _distinct([first, *draws.shuffled(alike)], 3, taken=[answer])

    chosen = _inconspicuous(draw, context.propositions, parameters)
    if chosen is None:
        return None
    options, position = _arrange(draws, *chosen)
    contradictions = _contradictions(context, draws, parameters, options, position)
    return SymbolicInstance("3e1c", context.propositions, None, options, position, contradictions)


def _missing_premise(
    context: Context, draws: Draws, parameters: DivLogicEvalParameters
) -> SymbolicInstance | None:
    """Missing premise: a necessary proposition is taken out of the context and becomes the right option."""
    conclusion = draws.pick(context.entailed)
    wrong = ~table(conclusion)
    necessary = []
    for index in range(len(context.propositions)):
        rest = _conjunction(context.propositions, skip=index)
        if rest & wrong:
            necessary.append((index, rest))
    if not necessary:
        return None
    index, rest = draws.pick(necessary)
    answer = context.propositions[index]
    if parameters.option_forms == "as_published" or answer[0] in (LITERAL, IMPLICATION):
        pool: Iterable[Proposition] = _others(context, answer, parameters)
    else:
        pool = _compounds(answer, context, draws)
    # No distractor may yield the conclusion as the missing premise does.
    fitting = [option for option in pool if rest & table(option) & wrong]
    premises = context.propositions[:index] + context.propositions[index + 1 :]
    chosen = _inconspicuous(
        lambda: (answer, _distinct(draws.shuffled(fitting), 3, taken=[answer, conclusion])),
        (*premises, conclusion),
        parameters,
    )
    if chosen is None:
        return None
    options, position = _arrange(draws, *chosen)
    slot = draws.pick([other for other in range(4) if other != position])
    contradictions = tuple(
        item
        for item in _contradictions(context, draws, parameters, options, slot)
        if rest & table(item.symbolic) & wrong and table(item.symbolic) != table(conclusion)
    )
    return SymbolicInstance("missing_premise", premises, conclusion, options, position, contradictions)


def _inconspicuous(
    draw: Callable[[], tuple[Proposition, list[Proposition] | None]],
    text: Sequence[Proposition],
    parameters: DivLogicEvalParameters,
) -> tuple[Proposition, list[Proposition]] | None:
    """Draw an answer and its three companions so that counting variables does not tell them apart.

    Left to chance, the odd option of 3e1c shares fewer variables with the other options in half of the instances,
    most of all before or behind the arrow, where they are worded alike; and a missing premise's variables are those
    that the passage mentions least. Of several draws the one is taken in which the answer is alone at the top or
    bottom of the fewest such counts.
    """
    mentions = _counts(text, proposition_variables)
    best = None
    fewest = 99
    for _ in range(1 if parameters.option_forms == "as_published" else _DRAWS):
        answer, others = draw()
        if others is None:
            continue
        options = (answer, *others)
        oddities = _stands_out(options, mentions, proposition_variables)
        for read in (proposition_variables, _places):
            if oddities < fewest:
                oddities += _stands_out(options, _counts(options, read), read)
        if oddities < fewest:
            best, fewest = (answer, others), oddities
            if not oddities:
                break
    return best


def _stands_out(
    options: Sequence[Proposition], counts: list[int], read: Callable[[Proposition], Sequence[int]]
) -> bool:
    """Say whether the first option is alone at the top or bottom when what ``read`` finds in each is counted."""
    own, *rest = [sum([counts[key] for key in read(option)]) for option in options]
    return own < min(rest) or own > max(rest)


def _counts(propositions: Iterable[Proposition], read: Callable[[Proposition], Sequence[int]]) -> list[int]:
    """Return how often each thing occurs that ``read`` finds in a proposition."""
    counts = [0] * (2 * len(VARIABLE_NAMES))
    for proposition in propositions:
        for key in read(proposition):
            counts[key] += 1
    return counts


@cache
def _places(proposition: Proposition) -> tuple[int, ...]:
    """Return each variable with its place, ``2v`` before the arrow and ``2v + 1`` behind it."""
    *before, last = proposition_variables(proposition)
    return (*[2 * variable for variable in before], 2 * last + 1)


def _others(context: Context, model: Proposition, parameters: DivLogicEvalParameters) -> list[Proposition]:
    """Return the candidates that do not follow and may stand beside ``model``.

    With ``option_forms: matched`` only those of its shape: drawn freely, an entailed option differs from the
    others in kind and negations often enough for a reader of the options alone to beat chance.
    """
    return context.others(shape(model) if parameters.option_forms == "matched" else None)


def _compounds(answer: Proposition, context: Context, draws: Draws) -> Iterable[Proposition]:
    """Yield propositions of the kind of a three-variable ``answer`` that the context does not entail."""
    variables = context.variables
    if len(variables) < 3:
        return
    for _ in range(40):
        first, second, third = draws.shuffled(variables)[:3]
        option = (answer[0], 2 * first, 2 * second, 2 * third)
        if context.table & ~table(option):
            yield option


def _distinct(
    pool: Iterable[Proposition], count: int, taken: Sequence[Proposition]
) -> list[Proposition] | None:
    """Take the first ``count`` propositions no two of which are equivalent, nor equivalent to a taken one.

    Equivalent options (``A→B`` beside ``¬B→¬A``) could never be the single right one, which would give them away.
    """
    seen = {table(proposition) for proposition in taken}
    chosen: list[Proposition] = []
    for proposition in pool:
        if table(proposition) not in seen:
            seen.add(table(proposition))
            chosen.append(proposition)
            if len(chosen) == count:
                return chosen
    return None


def _arrange(
    draws: Draws, answer: Proposition, others: Sequence[Proposition]
) -> tuple[tuple[Proposition, ...], int]:
    """Put the answer at a random place among the others."""
    options = draws.shuffled(others)
    position = draws.below(len(others) + 1)
    options.insert(position, answer)
    return tuple(options), position


def _contradictions(
    context: Context,
    draws: Draws,
    parameters: DivLogicEvalParameters,
    options: tuple[Proposition, ...],
    slot: int,
) -> tuple[Contradiction, ...]:
    """List entailed candidates that may stand at option ``slot``, one positive literal of them contradicted."""
    others = {table(option) for index, option in enumerate(options) if index != slot}
    wanted = shape(options[slot]) if parameters.option_forms == "matched" else None
    found: list[Contradiction] = []
    for proposition in context.entailed:
        if wanted is not None and shape(proposition) != wanted:
            continue
        for place, literal in enumerate(proposition[1:]):
            if literal & 1:
                continue
            item = Contradiction(slot, proposition, place)
            symbolic = table(item.symbolic)
            if context.table & ~symbolic and symbolic not in others and table(proposition) not in others:
                found.append(item)
    return tuple(draws.shuffled(found)[:4])


def _conjunction(propositions: Sequence[Proposition], skip: int) -> int:
    """Return the truth table of all propositions but one."""
    result = -1
    for index, proposition in enumerate(propositions):
        if index != skip:
            result &= table(proposition)
    return result
