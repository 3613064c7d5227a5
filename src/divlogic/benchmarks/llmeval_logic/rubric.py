"""Rubrics: what a formalization of an item must hold, atom by atom, and what a formalization says of each.

The gloss of a check's symbol names it, not its key: first-order checks use keys of their own, dotted quantifiers and
glosses by template (``x嘲笑y``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from divlogic.benchmarks.columns import located, read_typed
from divlogic.benchmarks.llmeval_logic.notation import folded, read_formula, similarity, templated
from divlogic.logic.deciding import Premises, open_premises
from divlogic.logic.equivalence import canonical, same_formulas
from divlogic.logic.syntax import Atom, Negation, Sentence
from divlogic.logic.theory import Formalization, Query, Symbol, conjunction, substituted, vocabulary

Group = Literal["logical_relation", "stated_constraint", "query_alignment"]
Mode = Literal["entails", "equiv", "literal_in_premise", "query_equiv"]
PREFIX: dict[Group, str] = {
    "logical_relation": "LR",
    "stated_constraint": "SC",
    "query_alignment": "QA",
}

Standing = Literal["entailed", "not_entailed", "unaligned", "unreadable", "undecided", "no_check"]
"""What a formalization says of a check: its formula follows or does not; a symbol has no counterpart; it cannot be
read; resources ran out; there is none."""

SIMILAR = 0.5
"""Least similarity of two glosses under one key that are taken for one symbol: more than half of their character pairs
in common. On the published items any value up to 0.8 gives the same audit; from 0.9 on one atom that leaves out a
character has no counterpart."""

_Text = Annotated[str, BeforeValidator(lambda value: str(value or ""))]
_Words = Annotated[str, Field(pattern=r"\S")]


@dataclass(frozen=True, slots=True)
class Named:
    """A symbol of a check: its key there, and the gloss that says what it is."""

    key: str
    nl: _Text = ""


@dataclass(frozen=True, slots=True)
class Check:
    """The formal side of an atom, in the published notation; the fields are those of ``z3_check``.

    Attributes:
        atoms: the symbols that it uses; the gloss, not the key, says which symbol of a formalization is meant.
        formula: of modes ``entails``, ``equiv`` and ``literal_in_premise``.
        query_type, target: of mode ``query_equiv``.
    """

    mode: Mode
    atoms: Annotated[tuple[Named, ...], BeforeValidator(lambda value: value or ())] = ()
    formula: str = ""
    query_type: str = ""
    target: Annotated[
        tuple[str, ...], BeforeValidator(lambda value: [value] if isinstance(value, str) else value)
    ] = ()

    def __post_init__(self) -> None:
        if self.mode == "query_equiv":
            if not self.query_type or not self.target:
                raise ValueError("query_equiv needs `query_type` and `target`")
        elif not self.formula.strip():
            raise ValueError(f"mode {self.mode} needs a formula")


@dataclass(frozen=True, slots=True)
class RubricAtom:
    """One criterion, in words and, where it has one, with its check."""

    id: _Words
    group: Group
    desc: _Words
    reason: _Text = ""
    z3_check: Check | None = None


@dataclass(frozen=True, slots=True)
class Rubric:
    """The criteria of one item."""

    item: str
    atoms: tuple[RubricAtom, ...]


def named_symbols(theory: Formalization, sentences: Sequence[Any]) -> tuple[Named, ...]:
    """Return the symbols that sentences use, with their glosses."""
    used = vocabulary(sentences)
    names = [*used.propositions, *(name for name, _ in used.predicates), *used.constants]
    declared = {symbol.name: symbol.gloss.zh or symbol.gloss.en for symbol in theory.symbols}
    return tuple(Named(name, declared[name]) for name in names if name in declared)


def read_rubric(value: Any) -> tuple[Rubric, list[str]]:
    """Read a rubric file's content; also return notes on what is odd but usable. A ValueError says what to correct."""
    if (
        not isinstance(value, Mapping)
        or "id" not in value
        or not isinstance(value.get("items"), list)
    ):
        raise ValueError("no object with `id` and a list `items`")
    notes: list[str] = []
    atoms: list[RubricAtom] = []
    for place, row in enumerate(value["items"], start=1):
        where = (
            f"atom {row['id']}"
            if isinstance(row, Mapping) and row.get("id")
            else f"atom number {place}"
        )
        with located(where):
            atom = read_typed(RubricAtom, row)
        if any(atom.id == other.id for other in atoms):
            raise ValueError(f"two atoms have the id {atom.id}; give each its own")
        if not atom.id.startswith(PREFIX[atom.group]):
            notes.append(f"{where}: its id does not fit the group {atom.group}")
        if atom.z3_check is None and "omitted" not in atom.reason:
            notes.append(f"{where}: has no z3_check and its reason does not say why")
        atoms.append(atom)
    queries = [atom.id for atom in atoms if atom.group == "query_alignment"]
    if len(queries) != 1:
        found = f"{len(queries)} ({', '.join(queries)})" if queries else "none"
        raise ValueError(f"has {found} query_alignment atoms and needs exactly one")
    return Rubric(str(value["id"]), tuple(atoms)), notes


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
    texts = check.target if check.mode == "query_equiv" else (check.formula,)
    try:
        sentences = [read_formula(text) for text in texts]
    except ValueError as error:
        return AlignedCheck((), "unreadable", str(error))
    used = vocabulary(sentences)
    glosses = {each.key.split("(")[0].strip(): each.nl for each in check.atoms}
    names: dict[str, str] = {}
    wanted = [("prop", name, 0) for name in used.propositions]
    wanted += [("pred", name, arity) for name, arity in used.predicates]
    wanted += [("const", name, 0) for name in used.constants]
    for kind, name, arity in wanted:
        gloss = glosses.get(name, "")
        symbol = _counterpart(kind, arity, name, gloss, theory)
        if symbol is None and kind == "prop":
            # A query check may name a predicate alone: its target is the predicate of the query's variable.
            symbol = _counterpart("pred", 1, name, gloss, theory)
        if symbol is None:
            if kind == "const" and check.mode == "query_equiv" and name not in theory.constants:
                continue  # the variable of a query about objects
            return AlignedCheck(
                (), "unaligned", f"{name}: {gloss}" if gloss else f"{name} has no gloss"
            )
        names[name] = symbol.name
    return AlignedCheck(tuple(substituted(sentence, names, names) for sentence in sentences))


def aligned_checks(rubric: Rubric, theory: Formalization) -> dict[str, AlignedCheck]:
    """Return the checks on premises in the symbols of a formalization, by atom id."""
    atoms = [atom for atom in rubric.atoms if atom.group != "query_alignment"]
    return {atom.id: align_check(atom.z3_check, theory) for atom in atoms if atom.z3_check}


def standings(rubric: Rubric, theory: Formalization) -> dict[str, tuple[Standing, str]]:
    """Return what a formalization says of each atom about premises, by atom id, with the problem if there is one."""
    atoms = [atom for atom in rubric.atoms if atom.group != "query_alignment"]
    aligned = aligned_checks(rubric, theory)
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


def query_standing(atom: RubricAtom, theory: Formalization) -> tuple[str, str]:
    """Return whether a query check fits one of a formalization's queries: ``matches`` or ``differs``.

    Without a check of its own the scorer compares the candidate's queries with the reference's.
    """
    if atom.z3_check is None:
        return "compared_with_queries", ""
    aligned = align_check(atom.z3_check, theory)
    if not aligned.sentences:
        return aligned.standing, aligned.problem
    premises = open_premises(theory.axioms(), [*theory.sentences(), *aligned.sentences])
    kind = atom.z3_check.query_type
    asked = [query for query in theory.queries if query.type == kind]
    if kind == "enumerate_models":  # the published files call a query about objects so too
        asked += [query for query in theory.queries if query.type == "enumerate_objects"]
    # Several targets of a verdict are several queries of one type.
    singles = [query for query in asked if query.formula is not None and not query.variable]

    def is_asked(targets: tuple[Sentence, ...], queries: Sequence[Query]) -> bool:
        return any(same_targets(query, targets, premises) for query in queries)

    matches = is_asked(aligned.sentences, asked) or all(
        is_asked((one,), singles) for one in aligned.sentences
    )
    return ("matches" if matches else "differs"), ""


_STANDINGS: dict[bool | None, Standing] = {
    True: "entailed",
    False: "not_entailed",
    None: "undecided",
}


def _counterpart(
    kind: str, arity: int, key: str, gloss: str, theory: Formalization
) -> Symbol | None:
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
    return same_formulas(wanted, targets, premises)


def _of_objects(target: Sentence, variable: str) -> Sentence:
    """Return a target as a formula about the variable: a predicate alone is meant of it."""
    match target:
        case Atom(name, ()):
            return Atom(name, (variable,))
        case Negation(operand):
            return Negation(_of_objects(operand, variable))
        case _:
            return target
