"""Words groups: names, adjectives, a sentence for each fact and rule."""

from __future__ import annotations

from divlogic.benchmarks.logicnli.forms import FORMS, SymbolicRule
from divlogic.benchmarks.logicnli.grammar import Words, fact_words, load_grammar
from divlogic.benchmarks.logicnli.lexicon import Pool
from divlogic.benchmarks.logicnli.theories import Group, Item
from divlogic.draws import Draws


class GroupWords:
    """The words of a group; its items share all but the signs of some facts.

    Attributes:
        names: the persons' names.
        adjectives: the adjectives.
        rules: the sentence of each rule.
        closing: the sentence that says that there is nobody else; empty if the theory does not need it.
    """

    __slots__ = ("_facts", "_literals", "adjectives", "closing", "names", "rules")

    def __init__(self, names: list[str], adjectives: list[str], rules: list[str], closing: str) -> None:
        self.names, self.adjectives, self.rules, self.closing = names, adjectives, rules, closing
        self._literals: dict[int, Words] = {}
        self._facts: dict[int, str] = {}

    def literal(self, literal: int) -> Words:
        """Return a literal about a person in words."""
        found = self._literals.get(literal)
        if found is None:
            person, rest = divmod(literal, 2 * len(self.adjectives))
            found = Words(self.names[person], self.adjectives[rest >> 1], bool(rest & 1))
            self._literals[literal] = found
        return found

    def fact(self, literal: int) -> str:
        """Return the sentence of a fact or a statement."""
        found = self._facts.get(literal)
        if found is None:
            found = self._facts[literal] = fact_words(self.literal(literal))
        return found

    def sentences(self, group: Group, item: Item) -> list[str]:
        """Return the sentences of an item: facts, rules, closing."""
        sentences = [self.fact(literal) for _, literal in group.facts_of(item)]
        sentences += self.rules if item.rules is None else [self.rules[place] for place in item.rules]
        if self.closing:
            sentences.append(self.closing)
        return sentences


def word_group(group: Group, pool: Pool, draws: Draws) -> GroupWords:
    """Choose names, adjectives and patterns for a group."""
    grammar = load_grammar()
    names, adjectives = pool.people(draws, group.people), pool.adjectives(draws, group.width)
    # The parts of a literal (grammar.parts_of), by its number within a person's.
    described = [(sign, adjective) for adjective in adjectives for sign in ("", "not ")]
    span = len(described)
    rules = []
    for rule in group.rules:
        parts: list[str] = []
        for literal in rule.premise + rule.conclusion:
            parts.append(names[literal // span])
            parts += described[literal % span]
        rules.append(draws.pick(grammar.templates[rule.form]).filled(parts))
    return GroupWords(names, adjectives, rules, grammar.closing if group.closed else "")


def rule_words(
    rule: SymbolicRule, names: list[str], adjectives: list[str]
) -> tuple[list[Words], list[Words]]:
    """Return the literals of both sides in words; the name is empty where a side names nobody."""
    scope, span = FORMS[rule.form].scope, 2 * len(adjectives)

    def words(literal: int, named: bool) -> Words:
        person, rest = divmod(literal, span)
        return Words(names[person] if named else "", adjectives[rest >> 1], bool(rest & 1))

    return (
        [words(literal, scope == "named") for literal in rule.premise],
        [words(literal, scope != "all") for literal in rule.conclusion],
    )
