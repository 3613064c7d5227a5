"""Operators that change a theory: the paper's strategies on theories, and four further ones.

Each takes a draft and draws, and returns the changed draft or ``None`` where it finds no place. Whether the result is
well-posed is for the gates. (LLMEval-Logic, Section 2.2: branching, valid distractors, explicit uncertainty, set-valued
outputs, counterfactual variants, alias variation; set-valued and counterfactual work on sub-questions.)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from divlogic.benchmarks.llmeval_logic.hardener.draft import Draft, draft_of
from divlogic.benchmarks.llmeval_logic.hardener.space import ground_atoms
from divlogic.benchmarks.llmeval_logic.hardener.wording import LANGUAGES
from divlogic.benchmarks.llmeval_logic.seeds import Seed
from divlogic.draws import Draws
from divlogic.logic.fol import Atom
from divlogic.logic.theory import Gloss, Premise, Symbol

Apply = Callable[[Draft, Draws], Draft | None]


@dataclass(frozen=True, slots=True)
class Operator:
    """A change of a theory.

    Attributes:
        strategy: the paper's word for it, or ``further``.
        weight: how often it is drawn.
        logic: the kind of seed that it can change; empty for both.
    """

    name: str
    strategy: str
    apply: Apply
    weight: float = 1.0
    logic: str = ""


def branching(draft: Draft, draws: Draws) -> Draft | None:
    """Replace a fact by two sources of which exactly one is right."""
    return _joined_fact(
        draft,
        draws,
        "xor",
        "有两种说法，一说{}，一说{}；其中恰有一种属实。",
        "There are two accounts: one says that {}, the other that {}; exactly one of them is true.",
    )


def uncertainty(draft: Draft, draws: Draws) -> Draft | None:
    """Weaken a fact to a disjunction."""
    return _joined_fact(
        draft,
        draws,
        "or",
        "目前只能确认：{}，或者{}，至少有一样属实，也可能两样都属实。",
        "All that is certain is that {} or {}, or both.",
    )


def _joined_fact(draft: Draft, draws: Draws, sign: str, zh: str, en: str) -> Draft | None:
    """Replace a fact by the fact and another literal, joined; the texts have places for both."""
    fact = _fact(draft, draws)
    other = _other_literal(draft, draws, fact)
    if fact is None or other is None:
        return None
    clauses = {
        language: [draft.wording.clause(part, language) for part in (fact.expression, other)]
        for language in LANGUAGES
    }
    text = Gloss(zh=zh.format(*clauses["zh"]), en=en.format(*clauses["en"]))
    return draft.replacing(fact, replace(draft.made([sign, fact.expression, other]), text=text))


def distractor(draft: Draft, draws: Draws) -> Draft | None:
    """Add premises on new propositions, or one that follows from another."""
    rules = [premise for premise in draft.premises if _plain_rule(premise.expression)]
    if rules and draws.chance(0.35):
        _, left, right = draws.pick(rules).expression
        return draft.adding(draft.made(["->", opposite(right), opposite(left)], "distractor"))
    if len(draft.spare) < 2:
        return None
    new = draws.shuffled(draft.spare)[: 3 if draws.chance(0.5) and len(draft.spare) > 2 else 2]
    wider = draft.with_symbols(new, core=False)
    names: list[Any] = [_signed(symbol.name, draws) for symbol in new]
    premises = [wider.made(["->", names[0], names[1]], "distractor")]
    if len(names) == 3:
        premises.append(wider.made(["or", opposite(names[1]), names[2]], "distractor"))
    if draws.chance(0.5):
        premises.append(wider.made(names[0], "distractor"))
    return wider.adding(*premises)


def alias(draft: Draft, draws: Draws) -> Draft | None:
    """Let some premises speak of a thing by a second name, which one premise introduces."""
    if draft.first_order or not draft.aliases:
        return None
    chosen = draws.pick(draft.aliases)
    named = {
        symbol.name: symbol
        for symbol in draft.symbols
        if chosen.zh[0] in symbol.gloss.zh and chosen.en[0] in symbol.gloss.en
    }
    places = [premise for premise in draft.premises if _names(premise.expression) & named.keys()]
    if not places:
        return None
    moved = draws.shuffled(places)[: 1 + draws.below(len(places))]
    second = {name: _renamed(symbol, chosen.zh, chosen.en, draft) for name, symbol in named.items()}
    used = {name for premise in moved for name in _names(premise.expression) & second.keys()}
    wider = draft.with_symbols((second[name] for name in sorted(used)), core=False)
    names = {name: second[name].name for name in used}
    for premise in moved:
        expression = renamed(premise.expression, names)
        wider = wider.replacing(premise, wider.made(expression, premise.role))
    same: list[Any] = [["<->", names[name], name] for name in sorted(names)]
    text = Gloss(zh=f"{chosen.zh[1]}就是{chosen.zh[0]}。", en=f"{_capital(chosen.en[1])} is {chosen.en[0]}.")
    return wider.adding(wider.made(same[0] if len(same) == 1 else ["and", *same], "fact", text))


def chain(draft: Draft, draws: Draws) -> Draft | None:
    """Lead a rule over a new proposition: from A to B becomes from A to N and from N to B."""
    rules = [premise for premise in draft.premises if _plain_rule(premise.expression)]
    if not rules or not draft.spare:
        return None
    rule, link = draws.pick(rules), draws.pick(draft.spare)
    wider = draft.with_symbols([link])
    middle = _signed(link.name, draws)
    _, left, right = rule.expression
    return wider.replacing(rule, wider.made(["->", left, middle]), wider.made(["->", middle, right]))


def polarity(draft: Draft, draws: Draws) -> Draft | None:
    """Negate one literal of a rule or a fact."""
    places = [
        (premise, path)
        for premise in draft.premises
        if premise.role in ("rule", "fact")
        for path in _literal_paths(premise.expression, ())
    ]
    if not places:
        return None
    premise, path = draws.pick(places)
    expression = _at(premise.expression, path, opposite)
    return draft.replacing(premise, draft.made(expression, premise.role))


def quantifier(draft: Draft, draws: Draws) -> Draft | None:
    """Swap a quantifier that stands in front: what holds of all becomes what holds of some, and back."""
    places = [
        premise
        for premise in draft.premises
        if isinstance(premise.expression, list) and premise.expression[0] in ("forall", "exists")
    ]
    if not places:
        return None
    premise = draws.pick(places)
    head, variable, body = premise.expression
    if head == "forall" and body[0] in ("forall", "exists"):
        return None
    swapped: list[Any] = ["exists" if head == "forall" else "forall", variable, body]
    if swapped[0] == "exists" and body[0] == "->":
        # "Some A is B", not "for some thing, if it is A it is B", which nobody says.
        swapped[2] = ["and", *body[1:]]
    return draft.replacing(premise, draft.made(swapped, premise.role))


def bridge(other: Seed) -> Apply:
    """Return the operator that joins a second theory by one rule from it to the first or back."""

    def apply(draft: Draft, draws: Draws) -> Draft | None:
        second = draft_of(other)
        if second.first_order or other.setting == draft.seeds[0].setting or len(draft.seeds) > 1:
            return None
        names = {symbol.name: f"{symbol.name}_2" for symbol in second.symbols}
        symbols = [replace(symbol, name=names[symbol.name]) for symbol in second.symbols]
        joined = replace(
            draft.with_symbols(symbols),
            seeds=(*draft.seeds, other),
            title=Gloss(zh=f"{draft.title.zh}与{second.title.zh}", en=f"{draft.title.en}; {second.title.en}"),
            background=Gloss(
                zh=f"{draft.background.zh}另一件事：{second.background.zh}两件事之间也有牵连。",
                en=f"{draft.background.en} Another matter: {second.background.en} The two matters are linked.",
            ),
        )
        for premise in second.premises:
            expression = renamed(premise.expression, names)
            joined = joined.adding(joined.made(expression, premise.role, premise.text))
        here: list[Any] = [_written(atom) for atom in ground_atoms(draft.symbols)]
        there: list[Any] = [symbol.name for symbol in symbols]
        ends = [draws.pick(here), draws.pick(there)]
        if draws.chance(0.5):
            ends.reverse()
        return joined.adding(joined.made(["->", *(_signed(end, draws) for end in ends)]))

    return apply


OPERATORS: tuple[Operator, ...] = (
    Operator("branching", "branching", branching, 1.5),
    Operator("uncertainty", "uncertainty", uncertainty, 1.5),
    Operator("distractor", "distractor", distractor, 1.5),
    Operator("alias", "alias", alias, 1.5, "pl"),
    Operator("chain", "further", chain, 1.0, "pl"),
    Operator("polarity", "further", polarity),
    Operator("quantifier", "further", quantifier, 1.5, "fol"),
)
"""All but ``bridge``, which needs a second seed."""


def opposite(value: Any) -> Any:
    """Return the negation of an expression; a double negation is removed."""
    return value[1] if isinstance(value, list) and value[0] == "not" else ["not", value]


def renamed(value: Any, names: dict[str, str]) -> Any:
    """Rename symbols in an expression."""
    if isinstance(value, str):
        return names.get(value, value)
    return [renamed(part, names) if isinstance(part, (list, str)) else part for part in value]


def is_literal(value: Any) -> bool:
    """Return whether an expression is a ground atom or the negation of one."""
    inner = value[1] if isinstance(value, list) and value[0] == "not" else value
    if isinstance(inner, str):
        return True
    return bool(inner) and all(isinstance(part, str) for part in inner) and inner[0] not in _HEADS


_HEADS = {
    "and",
    "or",
    "not",
    "xor",
    "->",
    "<->",
    "forall",
    "exists",
    "=",
    "!=",
    "exactly",
    "at_least",
    "at_most",
}


def _written(atom: Atom) -> Any:
    return [atom.predicate, *atom.terms] if atom.terms else atom.predicate


def _fact(draft: Draft, draws: Draws) -> Premise | None:
    facts = [p for p in draft.premises if p.role == "fact" and is_literal(p.expression)]
    return draws.pick(facts) if facts else None


def _other_literal(draft: Draft, draws: Draws, fact: Premise | None) -> Any:
    """Draw a literal over another core atom than the fact's."""
    if fact is None:
        return None
    core = [symbol for symbol in draft.symbols if symbol.name in draft.core or symbol.kind == "const"]
    own = (
        fact.expression[1]
        if isinstance(fact.expression, list) and fact.expression[0] == "not"
        else fact.expression
    )
    others = [_written(atom) for atom in ground_atoms(core)]
    # Predicates of one thing twice ("R(a, a)") read oddly.
    others = [
        other
        for other in others
        if other != own and (isinstance(other, str) or len(set(other[1:])) == len(other) - 1)
    ]
    return _signed(draws.pick(others), draws) if others else None


def _signed(atom: Any, draws: Draws) -> Any:
    return ["not", atom] if draws.chance(0.4) else atom


def _plain_rule(value: Any) -> bool:
    """Return whether an expression is an implication between propositional literals."""
    return isinstance(value, list) and value[0] == "->" and is_literal(value[1]) and is_literal(value[2])


def _literal_paths(value: Any, path: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Return the places of literals in an expression, outside of counts, equations and biconditionals."""
    if (
        isinstance(value, str)
        or value[0] not in _HEADS
        or (value[0] == "not" and not isinstance(value[1], list))
    ):
        return [path]
    if value[0] in ("not", "and", "or", "->"):
        if value[0] == "not" and value[1][0] not in _HEADS:
            return [path]
        return [
            inner for place, part in enumerate(value[1:], 1) for inner in _literal_paths(part, (*path, place))
        ]
    if value[0] in ("forall", "exists"):
        return _literal_paths(value[2], (*path, 2))
    return []


def _at(value: Any, path: Sequence[int], change: Callable[[Any], Any]) -> Any:
    if not path:
        return change(value)
    return [_at(part, path[1:], change) if place == path[0] else part for place, part in enumerate(value)]


def _names(value: Any) -> set[str]:
    """Return the propositions of a propositional expression."""
    if isinstance(value, str):
        return {value}
    return {name for part in value[1:] if isinstance(part, (str, list)) for name in _names(part)}


def _renamed(symbol: Symbol, zh: tuple[str, str], en: tuple[str, str], draft: Draft) -> Symbol:
    """Return the symbol under a second name, its glosses with that name."""
    gloss = symbol.gloss
    taken = {each.name for each in draft.symbols}
    name = f"{symbol.name}_b"
    while name in taken:
        name += "b"
    return replace(
        symbol,
        name=name,
        gloss=Gloss(
            gloss.zh.replace(*zh), gloss.zh_not.replace(*zh), gloss.en.replace(*en), gloss.en_not.replace(*en)
        ),
    )


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
