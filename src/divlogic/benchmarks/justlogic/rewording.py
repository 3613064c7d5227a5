"""Sentences that say the same, so that the form of a short argument does not show what follows from it.

Each form of argument has sentences of its own: a conditional here, a disjunction there. In a passage of a few
sentences this alone shows which statement is concluded. So each sentence that joins two parts is put as a disjunction
or as a conditional from either side, by chance.

Of one step, two of the seven forms mention every statement twice, in sentences that say one thing of two statements
each: reductio ad absurdum (*A or P; A or not P*) and disjunction elimination (*P or R; A or not P; A or not R*). What
they conclude stands on one side in both of its sentences, any other statement on both sides, and this is the only
difference: a statement that they leave open is asked for as well as one that they settle. Threes are made of those
whose passages agree sentence by sentence in connectives, mentions and negations. How often a statement is denied, and
whether it stands before an arrow or behind it, then goes with every label equally often; what follows comes from both
together, for both sentences, and this is the inference that is asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from divlogic.benchmarks.justlogic.arguments import Argument
from divlogic.benchmarks.justlogic.propositions import IF, OR, Proposition, atoms_of, negated
from divlogic.draws import Draws

DEEPEST = 2
"""Most steps of an argument whose premises are reworded; in longer passages single sentences show little."""


def reworded(argument: Argument, draws: Draws) -> Argument:
    """Put each premise that joins two parts as one of the sentences that say the same.

    Args:
        argument: an argument of any number of steps, no premise of which occurs twice.
        draws: the stream that decides.
    """
    new = {premise: _reworded(premise, draws) for premise in argument.premises}
    steps = [
        replace(step, premises=tuple([new.get(premise, premise) for premise in step.premises]))
        for step in argument.steps
    ]
    return replace(argument, premises=tuple(new.values()), steps=tuple(steps))


def _reworded(premise: Proposition, draws: Draws) -> Proposition:
    if type(premise) is int or premise[0] not in (IF, OR):
        return premise
    kind, left, right = premise
    first, second = (negated(left), right) if kind == IF else (left, right)
    if draws.chance(0.5):
        first, second = second, first
    return (OR, first, second) if draws.chance(0.5) else (IF, negated(first), second)


def open_atoms(premises: Sequence[Proposition], conclusion: Proposition) -> list[int]:
    """List, in order, the statements other than the conclusion that stand by themselves wherever they are mentioned.

    They do not show by their place that they are not what is concluded.

    Args:
        premises: those of an argument of one step.
        conclusion: a statement, which is left out.
    """
    nested, direct = set(atoms_of(conclusion)), set()
    for premise in premises:
        if type(premise) is int:
            nested.add(premise >> 1)
            continue
        for part in premise[1:]:
            if type(part) is int:
                direct.add(part >> 1)
            else:
                nested.update(atoms_of(part))
    return sorted(direct - nested)
