"""The formal side of rubrics: reading a check in a formalization's symbols, and what the formalization says of it.

The gloss of a check's symbol names it, not its key: first-order checks use keys of their own, dotted quantifiers and
glosses by template (``x嘲笑y``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from divlogic.benchmarks.llmeval_logic.notation import folded, read_formula, similarity, templated
from divlogic.benchmarks.llmeval_logic.rubric import Check, Rubric
from divlogic.logic.deciding import Premises, open_premises
from divlogic.logic.equivalence import canonical, same_formula
from divlogic.logic.syntax import Atom, Negation, Sentence
from divlogic.logic.theory import Formalization, Query, Symbol, conjunction, substituted, vocabulary

Standing = Literal["entailed", "not_entailed", "unaligned", "unreadable", "undecided", "no_check"]
"""What a formalization says of a check: its formula follows or does not; a symbol has no counterpart; it cannot be
read; resources ran out; there is none."""


SIMILAR = 0.5
"""Least similarity of two glosses under one key that are taken for one symbol: more than half of their character pairs
in common. On the published items any value up to 0.8 gives the same audit; from 0.9 on one atom that leaves out a
character has no counterpart."""


@dataclass(frozen=True, slots=True)
class AlignedCheck:
    """A check's formulas in the symbols of a formalization; without them, ``problem`` says why.

    Attributes:
        sentences: the formula, or the targets of a query check.
    """

    sentences: tuple[Sentence, ...] = ()
    standing: Standing = "entailed"
    problem: str = ""


def align_check(check: Check, theory: Formalization) -> AlignedCheck:
    """Read a check in the symbols of a formalization."""
    texts = check.targets if check.mode == "query_equiv" else (check.formula,)
    try:
        sentences = [read_formula(text) for text in texts]
    except ValueError as error:
        return AlignedCheck((), "unreadable", str(error))
    used = vocabulary(sentences)
    glosses = {each.key.split("(")[0].strip(): each.nl for each in check.names}
    names: dict[str, str] = {}
    wanted = [("prop", name, 0) for name in used.propositions]
    wanted += [("pred", name, arity) for name, arity in used.predicates]
    wanted += [("const", name, 0) for name in used.constants]
    for kind, name, arity in wanted:
        symbol = _counterpart(kind, arity, name, glosses.get(name, ""), theory)
        if symbol is None and kind == "prop":
            # A query check may name a predicate alone: its target is the predicate of the query's variable.
            symbol = _counterpart("pred", 1, name, glosses.get(name, ""), theory)
        if symbol is None:
            if kind == "const" and check.mode == "query_equiv" and name not in theory.constants:
                continue  # the variable of a query about objects
            gloss = glosses.get(name)
            return AlignedCheck((), "unaligned", f"{name}: {gloss}" if gloss else f"{name} has no gloss")
        names[name] = symbol.name
    return AlignedCheck(tuple(substituted(sentence, names, names) for sentence in sentences))


def standings(rubric: Rubric, theory: Formalization) -> dict[str, tuple[Standing, str]]:
    """Return what a formalization says of each atom about premises, by atom id, with the problem if there is one."""
    atoms = [atom for atom in rubric.atoms if atom.group != "query_alignment"]
    aligned = {atom.id: align_check(atom.check, theory) for atom in atoms if atom.check}
    claims = [each.sentences[0] for each in aligned.values() if each.sentences]
    premises = open_premises(theory.axioms(), claims)
    found: dict[str, tuple[Standing, str]] = {}
    for atom in atoms:
        check = aligned.get(atom.id, AlignedCheck((), "no_check"))
        standing = check.standing
        if check.sentences:
            standing = _STANDINGS[premises.entails(check.sentences[0])]
        found[atom.id] = (standing, check.problem)
    return found


_STANDINGS: dict[bool | None, Standing] = {True: "entailed", False: "not_entailed", None: "undecided"}


def _counterpart(kind: str, arity: int, key: str, gloss: str, theory: Formalization) -> Symbol | None:
    """Return the symbol of the same gloss; else the one of the same key, if no other gloss is closer to the wanted."""
    wanted = templated(gloss, arity)
    fitting = [symbol for symbol in theory.symbols if (symbol.kind, symbol.arity) == (kind, arity)]
    if not folded(wanted):
        return None
    for symbol in fitting:
        if folded(symbol.gloss.zh) == folded(wanted):
            return symbol
    named = next((symbol for symbol in fitting if symbol.name == key), None)
    if named is None:
        return None
    closest = max(similarity(symbol.gloss.zh, wanted) for symbol in fitting)
    return named if similarity(named.gloss.zh, wanted) >= max(SIMILAR, closest) else None


def same_targets(query: Query, targets: Sequence[Sentence], premises: Premises) -> bool:
    """Return whether a query asks about the targets of a check, up to equivalence under premises."""
    if query.variable:
        if len(targets) != 1 or query.formula is None:
            return False
        return canonical(_of_objects(targets[0], query.variable)) == canonical(query.formula)
    wanted = query.targets if query.formula is None else (query.formula,)
    if query.formula is not None and len(targets) > 1:
        targets = [conjunction(list(targets))]
    rest = list(targets)
    for each in wanted:
        match = next((other for other in rest if same_formula(each, other, premises)), None)
        if match is None:
            return False
        rest.remove(match)
    return not rest


def _of_objects(target: Sentence, variable: str) -> Sentence:
    """Return a target as a formula about the variable: a predicate alone is meant of it."""
    match target:
        case Atom(name, ()):
            return Atom(name, (variable,))
        case Negation(operand):
            return Negation(_of_objects(operand, variable))
        case _:
            return target
