"""LogicNLI: labels by forward chaining from the symbolic theory."""

from __future__ import annotations

from typing import Any

from divlogic.benchmarks.verdict import Verdict
from divlogic.logic.chaining import ALL, EXIST, Literal, Rule, Side, forward_chain, verdict
from divlogic.records import Record

_EXISTENTIAL_AND = "existential conjunction"


class LogicNLIAudit:
    """Audits LogicNLI statements; the statements of one theory share its closure."""

    def __init__(self) -> None:
        self._theory: str | None = None
        self._sound = self._released = frozenset[Literal]()
        self._rules: list[Rule] = []

    def __call__(self, record: Record) -> Verdict | None:
        """Return the verdict on a statement, ``None`` if the record carries no symbolic theory."""
        formulas = record.formulas
        if not formulas or "statement" not in formulas:
            return None
        theory = record.metadata.get("theory", record.id)
        if theory != self._theory:
            self._theory = theory
            self._close(formulas)
        statement = Literal(*formulas["statement"])
        published = "" if record.answer is None else record.options[record.answer]
        derived = verdict(self._sound, statement)
        if derived == published:
            return Verdict(record.id, published, derived)
        if verdict(self._released, statement) == published:
            rules = [rule for rule in self._rules if _is_existential_and(rule)]
            named = ", ".join(f"{rule.name} (class {rule.form})" for rule in rules)
            return Verdict(
                record.id,
                published,
                derived,
                _EXISTENTIAL_AND,
                f"rule {named}, 'someone is P and Q': the published label takes it to fire only if P and Q have the"
                " same sign, and then whatever the sign of Q is in the facts",
            )
        return Verdict(
            record.id, published, derived, "unexplained", "no reading of the rules gives the label"
        )

    def _close(self, formulas: dict[str, Any]) -> None:
        self._rules = [_rule(str(number), rule) for number, rule in enumerate(formulas["rules"])]
        facts = [Literal(*fact) for fact in formulas["facts"]]
        people = {fact.subject for fact in facts} | set(formulas["people"])
        for rule in self._rules:
            for literal in rule.premise.literals + rule.conclusion.literals:
                people |= {literal.subject} - {ALL, EXIST}
        self._sound = forward_chain(facts, self._rules, people)
        if any(map(_is_existential_and, self._rules)):
            self._released = forward_chain(facts, self._rules, people, existential="released")
        else:
            self._released = self._sound


def _rule(name: str, rule: dict[str, Any]) -> Rule:
    return Rule(name, _side(rule["p"]), _side(rule["q"]), rule["type"] == "equ", rule.get("class"))


def _side(side: dict[str, Any]) -> Side:
    return Side(tuple(Literal(*literal) for literal in side["fact"]), side["conj"])


def _is_existential_and(rule: Rule) -> bool:
    return rule.premise.connective == "and" and rule.premise.literals[0].subject == EXIST
