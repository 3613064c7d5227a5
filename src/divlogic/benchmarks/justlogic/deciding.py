"""The verdict on an argument: what its premises say of the query, and whether every one of them is needed.

Up to 18 atoms everything is decided by truth tables held in big integers, beyond (arguments deeper than seven steps)
by Z3. Neither looks at how the argument was made.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from divlogic.benchmarks.justlogic.propositions import (
    Proposition,
    atom_names,
    negated,
    table,
    to_formula,
    valuations,
)

Label = Literal["true", "false", "uncertain"]

MOST_ATOMS_OF_A_TABLE = 18
"""With more atoms Z3 is faster than tables of 2**atoms bits."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What holds of premises, conclusion and query.

    Attributes:
        satisfiable: whether the premises can all be true.
        label: ``true`` if they entail the query, ``false`` if they contradict it, else ``uncertain``.
        concluded: whether they entail the conclusion.
        necessary: whether without any single one of them the conclusion no longer follows.
    """

    satisfiable: bool
    label: Label
    concluded: bool
    necessary: bool


def decide(
    premises: Sequence[Proposition], conclusion: Proposition, query: Proposition, atoms: int
) -> Verdict:
    """Decide an argument with ``atoms`` atoms."""
    if atoms > MOST_ATOMS_OF_A_TABLE:
        return _decide_by_z3(premises, conclusion, query, atoms)
    masks, full = valuations(atoms)
    tables = [table(premise, masks, full) for premise in premises]
    counter = full ^ table(conclusion, masks, full)
    # What the premises before each one leave of the valuations that refute the conclusion.
    before = counter
    lefts = []
    together = full
    for premise in tables:
        lefts.append(before)
        before &= premise
        together &= premise
    after = full
    necessary = True
    for left, premise in zip(reversed(lefts), reversed(tables), strict=True):
        necessary = necessary and left & after != 0
        after &= premise
    true = table(query, masks, full)
    label: Label = "true" if not together & ~true else "false" if not together & true else "uncertain"
    return Verdict(together != 0, label, before == 0, necessary)


def _decide_by_z3(
    premises: Sequence[Proposition], conclusion: Proposition, query: Proposition, atoms: int
) -> Verdict:
    """Decide with one solver: a switch per premise lets it be left out."""
    import z3

    from divlogic.logic.smt import to_z3

    names = atom_names(atoms)
    solver = z3.SolverFor("QF_FD")
    switches = [z3.Bool(f"premise{number}") for number in range(len(premises))]
    goals = {}
    for switch, premise in zip(switches, premises, strict=True):
        solver.add(z3.Implies(switch, to_z3(to_formula(premise, names))))
    for name, goal in (("not_c", negated(conclusion)), ("q", query), ("not_q", negated(query))):
        goals[name] = z3.Bool(name)
        solver.add(z3.Implies(goals[name], to_z3(to_formula(goal, names))))

    def possible(*assumed: object) -> bool:
        verdict = solver.check(*assumed)
        if verdict == z3.unknown:
            raise RuntimeError(f"Z3 could not decide: {solver.reason_unknown()}")
        return bool(verdict == z3.sat)

    entailed = not possible(*switches, goals["not_q"])
    label: Label = "true" if entailed else "false" if not possible(*switches, goals["q"]) else "uncertain"
    return Verdict(
        possible(*switches),
        label,
        not possible(*switches, goals["not_c"]),
        all(
            possible(*switches[:number], *switches[number + 1 :], goals["not_c"])
            for number in range(len(switches))
        ),
    )
