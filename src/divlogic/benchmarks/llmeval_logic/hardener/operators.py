"""Operators that change a theory: the paper's strategies on theories, and four further ones.

Each takes a draft and draws, and returns the changed draft or ``None`` where it finds no place. Whether the result is
well-posed is for the gates. What a premise says of the setting comes from the scenario: distractors, longer chains,
other versions of a rule, further conditions and links between scenarios are written by hand next to it, so that no
condition goes against the story. (LLMEval-Logic, Section 2.2: branching, valid distractors, explicit uncertainty,
set-valued outputs, counterfactual variants, alias variation; set-valued and counterfactual work on sub-questions.)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from divlogic.benchmarks.llmeval_logic.hardener.draft import Draft, draft_of
from divlogic.benchmarks.llmeval_logic.hardener.wording import both, capital, is_literal, said
from divlogic.benchmarks.llmeval_logic.seeds import Bridge, Seed
from divlogic.draws import Draws
from divlogic.logic.expressions import to_expression
from divlogic.logic.theory import Gloss, Premise, Symbol

Apply = Callable[[Draft, Draws], Draft | None]

_FOLLOWING = 0.6
"""Share of the distractors that follow from a rule, where there is one; the others are pairs of conditions on something
else, which a reader soon learns to pass over."""


@dataclass(frozen=True, slots=True)
class Operator:
    """A change of a theory.

    Attributes:
        strategy: the paper's word for it, or ``further``.
        logic: the kind of seed that it can change; empty for both.
    """

    name: str
    strategy: str
    apply: Apply
    weight: float = 1.0
    logic: str = ""


def _joined_fact(sign: str, template: str, draft: Draft, draws: Draws) -> Draft | None:
    """Replace a fact by the fact and another literal, joined."""
    facts = [each for each in draft.premises if each.role == "fact" and is_literal(each.expression)]
    fact = draws.pick(facts) if facts else None
    other = _other_literal(draft, draws, fact.expression) if fact else None
    if fact is None or other is None:
        return None
    parts = [fact.expression, other]
    text = both(
        lambda each: said(template, each, *(draft.wording.clause(part, each) for part in parts))
    )
    return draft.replacing(fact, draft.made([sign, *parts], "rule", text))


def distractor(draft: Draft, draws: Draws) -> Draft | None:
    """Add premises on new propositions, or one that follows from another."""
    stated = [
        premise.expression for premise in draft.premises if isinstance(premise.expression, list)
    ]
    rules = [each[1:] for each in stated if each[0] == "->" and all(map(is_literal, each[1:]))]
    if rules and draws.chance(_FOLLOWING):
        left, right = draws.pick(rules)
        return draft.adding(draft.made(["->", opposite(right), opposite(left)], "distractor"))
    seed = draft.seeds[0]
    if not seed.asides:
        return None
    aside = draws.pick(seed.asides)
    used = {name for stated in aside for name in _names(stated.formula)}
    wider = draft.with_symbols((symbol for symbol in seed.spare if symbol.name in used), core=False)
    return wider.adding(*(wider.made(each.formula, "distractor", each.text) for each in aside))


def alias(draft: Draft, draws: Draws) -> Draft | None:
    """Let some premises speak of a thing by a second name, which one premise introduces."""
    aliases = draft.seeds[0].aliases
    if draft.first_order or not aliases:
        return None
    chosen = draws.pick(aliases)
    held = [
        one
        for one in draft.symbols
        if chosen.zh[0] in one.gloss.zh and chosen.en[0] in one.gloss.en
    ]
    named = {symbol.name: symbol for symbol in held}
    capitals = (capital(chosen.en[0]), capital(chosen.en[1]))

    def reworded(premise: Premise) -> Gloss:
        en = premise.text.en.replace(*chosen.en).replace(*capitals)
        return Gloss(zh=premise.text.zh.replace(*chosen.zh), en=capital(en))

    places = [
        premise
        for premise in draft.premises
        if _names(premise.expression) & named.keys()
        and chosen.zh[0] in premise.text.zh
        and reworded(premise).en != premise.text.en
    ]
    if not places:
        return None
    moved = draws.shuffled(places)[: 1 + draws.below(len(places))]
    second = {name: _second(symbol, chosen.zh, chosen.en, draft) for name, symbol in named.items()}
    used = {name for premise in moved for name in _names(premise.expression) & second.keys()}
    wider = draft.with_symbols((second[name] for name in sorted(used)), core=False)
    names = {name: second[name].name for name in used}
    for premise in moved:
        expression = renamed(premise.expression, names)
        wider = wider.replacing(premise, wider.made(expression, premise.role, reworded(premise)))
    same: list[Any] = [["<->", names[name], name] for name in sorted(names)]
    text = Gloss(zh=f"{chosen.zh[1]}就是{chosen.zh[0]}。", en=f"{capitals[1]} is {chosen.en[0]}.")
    return wider.adding(wider.made(same[0] if len(same) == 1 else ["and", *same], "domain", text))


def _written_change(operator: str, draft: Draft, draws: Draws) -> Draft | None:
    """Apply a change that the scenario offers for this operator."""
    seed = draft.seeds[0]
    stated = {premise.id: premise.formula for premise in seed.item.formalization.premises}
    known = {symbol.name for symbol in draft.symbols}
    places: list[tuple[Any, Premise | None]] = []
    for change in seed.changes:
        if change.operator != operator or known & {symbol.name for symbol in change.symbols}:
            continue
        old = stated.get(change.replaces)
        same = [premise for premise in draft.premises if premise.formula == old]
        places += [(change, premise) for premise in same] if change.replaces else [(change, None)]
    if not places:
        return None
    change, replaced = draws.pick(places)
    wider = draft.with_symbols(change.symbols)
    new = [wider.made(each.formula, each.role, each.text) for each in change.premises]
    return wider.replacing(replaced, *new) if replaced else wider.adding(*new)


def bridge(link: Bridge, other: Seed) -> Apply:
    """Return the operator that joins a second theory by a premise that links the two."""

    def apply(draft: Draft, draws: Draws) -> Draft | None:
        second = draft_of(other)
        names = {symbol.name: f"{symbol.name}_2" for symbol in second.symbols}
        symbols = [replace(symbol, name=names[symbol.name]) for symbol in second.symbols]
        joined = replace(
            draft.with_symbols(symbols),
            seeds=(*draft.seeds, other),
            title=_joined("title of two", draft.title, second.title),
            background=_joined(
                "background of two", draft.background, link.background, second.background
            ),
        )
        for premise in second.premises:
            expression = renamed(premise.expression, names)
            joined = joined.adding(joined.made(expression, premise.role, premise.text))
        return joined.adding(joined.made(link.formula, "rule", link.text))

    return apply


def _joined(template: str, *texts: Gloss) -> Gloss:
    return both(
        lambda language: said(template, language, *(getattr(text, language) for text in texts))
    )


OPERATORS: tuple[Operator, ...] = (
    Operator("branching", "branching", partial(_joined_fact, "xor", "branching")),
    Operator("uncertainty", "uncertainty", partial(_joined_fact, "or", "uncertainty")),
    Operator("distractor", "distractor", distractor, 1.5),
    Operator("alias", "alias", alias, 1.5, "pl"),
    Operator("chain", "further", partial(_written_change, "chain"), 1.5, "pl"),
    Operator("variant", "further", partial(_written_change, "variant"), 1.5),
    Operator("condition", "further", partial(_written_change, "condition"), 1.5),
)
"""All but ``bridge``, which needs a second seed."""


def opposite(value: Any) -> Any:
    """Return the negation of an expression; a double negation is removed."""
    return value[1] if isinstance(value, list) and value[0] == "not" else ["not", value]


def renamed(value: Any, names: Mapping[str, str]) -> Any:
    """Rename symbols in an expression."""
    if isinstance(value, str):
        return names.get(value, value)
    return [renamed(part, names) if isinstance(part, (list, str)) else part for part in value]


def _other_literal(draft: Draft, draws: Draws, fact: Any) -> Any:
    """Draw a literal over another core atom than the fact's: one of its kind with the same sign, if there is any."""
    denied = isinstance(fact, list) and fact[0] == "not"
    own = fact[1] if denied else fact
    # What another fact settles is no open account.
    facts = [premise.expression for premise in draft.premises if premise.role == "fact"]
    settled = [
        own,
        *facts,
        *(fact[1] for fact in facts if isinstance(fact, list) and fact[0] == "not"),
    ]
    others = [other for other in map(to_expression, draft.core_atoms()) if other not in settled]
    gloss = {symbol.name: symbol.gloss.zh for symbol in draft.symbols}

    def ending(atom: Any) -> str:
        return str(atom[0]) if isinstance(atom, list) else gloss[atom][-3:]

    if alike := [other for other in others if ending(other) == ending(own)]:
        other = draws.pick(alike)
        return ["not", other] if denied else other
    return signed(draws.pick(others), draws) if others else None


def signed(atom: Any, draws: Draws) -> Any:
    """Return an atom or, less often, its negation."""
    return ["not", atom] if draws.chance(0.4) else atom


def _names(value: Any) -> set[str]:
    """Return the propositions of a propositional expression."""
    if isinstance(value, str):
        return {value}
    return {name for part in value[1:] if isinstance(part, (str, list)) for name in _names(part)}


def _second(symbol: Symbol, zh: tuple[str, str], en: tuple[str, str], draft: Draft) -> Symbol:
    """Return the symbol under a second name, its glosses with that name."""
    gloss = symbol.gloss
    name = f"{symbol.name}_b"
    while any(each.name == name for each in draft.symbols):
        name += "b"
    chinese = gloss.zh.replace(*zh), gloss.zh_not.replace(*zh)
    english = gloss.en.replace(*en), gloss.en_not.replace(*en)
    return replace(symbol, name=name, gloss=Gloss(*chinese, *english))
