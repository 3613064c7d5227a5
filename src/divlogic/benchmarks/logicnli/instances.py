"""Turns worded groups into records: formulas as the release gives them, proofs, first-order notation, sentences."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from divlogic.benchmarks.logicnli.forms import FORMS, SymbolicRule, ground_rule, named_people
from divlogic.benchmarks.logicnli.grammar import Words
from divlogic.benchmarks.logicnli.lexicon import pools
from divlogic.benchmarks.logicnli.set_names import DRAWN_SETS, PROOF_SETS, kind_of, pool_of
from divlogic.benchmarks.logicnli.theories import LABEL_OF_STATE, LABELS, PARADOX, Group, Item
from divlogic.benchmarks.logicnli.wording import GroupWords, rule_words, word_group
from divlogic.draws import Draws
from divlogic.logic.chaining import ALL, EXIST
from divlogic.logic.horn import Closure, Program
from divlogic.records import Record

NAME = "logicnli_generated"
"""The ``benchmark`` of generated records."""

_WORDING_STREAM = 1_000


def group_records(group: Group, seed: int, preset: str) -> Iterator[Record]:
    """Yield the records of a group, and those of its proofs' statements if its set is one for traceability."""
    draws = Draws(seed, _WORDING_STREAM + DRAWN_SETS.index(group.set), group.index)
    words = word_group(group, pools()[pool_of(group.set)], draws)
    whole = _Whole(group, words, preset)
    for number, item in enumerate(group.items):
        record, closure = whole.record(number, item)
        yield record
        if group.set in PROOF_SETS:
            yield from whole.proof_records(record, item, closure)


@dataclass(frozen=True, slots=True)
class _Premises:
    """The facts and rules of an item, closed, in words and in the notations of the record."""

    closure: Closure
    fact_number: dict[int, int]
    rule_number: dict[int, int]
    rules: list[SymbolicRule]
    people: list[str]
    context: str
    sentences: dict[str, Any]
    facts_json: list[list[str]]
    rules_json: list[dict[str, Any]]
    fol: list[str]


class _Whole:
    """What the items of a group share."""

    def __init__(self, group: Group, words: GroupWords, preset: str) -> None:
        self.group, self.words, self.preset = group, words, preset
        size = 2 * group.people * group.width
        clauses = [
            ground_rule(rule, group.people, group.width, number) for number, rule in enumerate(group.rules)
        ]
        self.rules = [_rule_json(rule, words) for rule in group.rules]
        self.fol = [_rule_fol(rule, words) for rule in group.rules]
        self.program = Program([clause for found in clauses for clause in found], size)
        self._literals: dict[int, tuple[list[str], str]] = {}
        self._closed: tuple[tuple[Any, ...], _Premises] | None = None

    def record(self, number: int, item: Item) -> tuple[Record, Closure]:
        """Return the record of an item, and its least model."""
        premises = self._premises(item)
        closure, statement = premises.closure, item.statement
        proof = {
            side: self._proof(premises, goal) if closure.holds(goal) else None
            for side, goal in (("statement", statement), ("opposite", statement ^ 1))
        }
        steps = [step for side in proof.values() if side for step in side]
        used_facts = {step["fact"] for step in steps if "fact" in step}
        used_rules = {step["rule"] for step in steps if "rule" in step}
        people = premises.people
        person = self.words.literal(statement).name
        if person not in people:
            people = [*people, person]
        words, fol = self._literal(statement)
        record = Record(
            id=self._id(number, item),
            benchmark=NAME,
            split=self.group.set,
            context=premises.context,
            question=self.words.fact(statement),
            options=LABELS,
            answer=item.label,
            question_type=kind_of(self.group.set),
            depth=item.depth,
            forms=tuple([str(code) for code in sorted({premises.rules[rule].form for rule in used_rules})]),
            formulas={
                "facts": premises.facts_json,
                "rules": premises.rules_json,
                "statement": words,
                "people": people,
                "proof": proof,
                "fol": {"premises": premises.fol, "statement": fol},
            },
            sentences=premises.sentences,
            metadata=self._metadata(item, len(premises.facts_json), used_facts, used_rules, closure),
        )
        return record, closure

    def _premises(self, item: Item) -> _Premises:
        """Return what items with the same facts and rules share."""
        key = (item.flipped, item.facts, item.rules)
        if self._closed is None or self._closed[0] != key:
            self._closed = (key, self._new_premises(item))
        return self._closed[1]

    def _new_premises(self, item: Item) -> _Premises:
        group, words = self.group, self.words
        facts, rules = [literal for _, literal in group.facts_of(item)], group.rules_of(item)
        places = [place for place, _ in rules]
        kept = set(places)
        without = (
            [number for number, clause in enumerate(self.program.clauses) if clause[2] not in kept]
            if item.rules is not None
            else ()
        )
        texts = words.sentences(group, item)
        sentences: dict[str, Any] = {}
        for number, text in enumerate(texts):
            place = number - len(facts)
            if place < 0:
                sentences[str(number)] = {"text": text, "fact": number}
            elif place < len(places):
                sentences[str(number)] = {"text": text, "rule": place}
            else:
                sentences[str(number)] = {"text": text}
        named = named_people(facts, [rule for _, rule in rules], group.width)
        people = [words.names[person] for person in sorted(named)]
        literals = [self._literal(literal) for literal in facts]
        fol = [notation for _, notation in literals] + [self.fol[place] for place in places]
        if words.closing:
            fol.append("∀x (" + " ∨ ".join([f"x = {name}" for name in people]) + ")")
        return _Premises(
            closure=self.program.close(facts, without),
            fact_number={literal: number for number, literal in enumerate(facts)},
            rule_number={place: number for number, place in enumerate(places)},
            rules=[rule for _, rule in rules],
            people=people,
            context=" ".join(texts),
            sentences=sentences,
            facts_json=[json for json, _ in literals],
            rules_json=[self.rules[place] for place in places],
            fol=fol,
        )

    def _literal(self, literal: int) -> tuple[list[str], str]:
        """Return a literal as JSON and in first-order notation."""
        found = self._literals.get(literal)
        if found is None:
            words = self.words.literal(literal)
            found = self._literals[literal] = (_literal_json(words), _literal_fol(words))
        return found

    def proof_records(self, record: Record, item: Item, closure: Closure) -> Iterator[Record]:
        """Yield the derived literals of an item's proofs, but for the goals, as positive statements."""
        seen: set[int] = {item.statement >> 1}
        for goal in (item.statement, item.statement ^ 1):
            for step in closure.proof(goal) if closure.holds(goal) else ():
                atom = step.literal >> 1
                if step.clause < 0 or atom in seen:
                    continue
                seen.add(atom)
                literal = 2 * atom
                state = (closure.holds(literal), closure.holds(literal ^ 1))
                rounds = [
                    closure.rounds[side]
                    for side, holds in zip((literal, literal ^ 1), state, strict=True)
                    if holds
                ]
                formulas = dict(record.formulas or {})
                formulas["statement"] = self._literal(literal)[0]
                for key in ("proof", "fol"):
                    formulas.pop(key)
                yield Record(
                    id=f"{record.id}-p{len(seen) - 1}",
                    benchmark=record.benchmark,
                    split=PROOF_SETS[record.split],
                    context=record.context,
                    question=self.words.fact(literal),
                    options=LABELS,
                    answer=LABEL_OF_STATE[state],
                    question_type=record.question_type,
                    depth=max(rounds),
                    formulas=formulas,
                    metadata={"preset": self.preset, "proves": record.id},
                )

    def _id(self, number: int, item: Item) -> str:
        start = f"{self.group.set}-{self.group.index}"
        return f"{start}-{number}" if item.facts is None else f"{start}-{item.base}-{item.noise}"

    def _proof(self, premises: _Premises, goal: int) -> list[dict[str, Any]]:
        closure = premises.closure
        rows: list[dict[str, Any]] = []
        for literal, round_, clause, places in closure.proof(goal):
            row = {"literal": self._literal(literal)[0], "round": round_}
            if clause < 0:
                row["fact"] = premises.fact_number[literal]
            else:
                row["rule"] = premises.rule_number[closure.program.clauses[clause][2]]
                row["premises"] = places
            rows.append(row)
        return rows

    def _metadata(
        self, item: Item, facts: int, used_facts: set[int], used_rules: set[int], closure: Closure
    ) -> dict[str, Any]:
        group = self.group
        metadata: dict[str, Any] = {"preset": self.preset}
        if group.quartet:
            metadata["quartet"] = f"{group.set}-{group.index}"
            if item.facts is not None:
                metadata["quartet"] += f"-{item.noise}"
        elif item.facts is None:
            metadata["theory"] = f"{group.set}-{group.index}"
        metadata["state"] = [closure.holds(item.statement), closure.holds(item.statement ^ 1)]
        metadata["relevant"] = sorted(used_facts) + [facts + rule for rule in sorted(used_rules)]
        if item.facts is not None:
            metadata["base"] = f"{group.set}-{group.index}-{item.base}"
        if item.noise is not None:
            metadata["noise"] = item.noise
        if group.reading == "both":
            metadata["classical"] = "inconsistent" if item.label == PARADOX else LABELS[item.label]
        return metadata


def _literal_json(literal: Words) -> list[str]:
    return [literal.name, literal.adjective, "-" if literal.negative else "+"]


def _rule_json(rule: SymbolicRule, words: GroupWords) -> dict[str, Any]:
    form = FORMS[rule.form]
    premise, conclusion = rule_words(rule, words.names, words.adjectives)
    nobody = {"all": (ALL, ALL), "exist": (EXIST, ""), "everyone": (ALL, ""), "named": ("", "")}[form.scope]

    def side(literals: list[Words], subject: str, shape: str) -> dict[str, Any]:
        return {
            "fact": [_literal_json(literal._replace(name=subject or literal.name)) for literal in literals],
            "conj": "none" if shape == "one" else shape,
        }

    return {
        "p": side(premise, nobody[0], form.premise),
        "q": side(conclusion, nobody[1], form.conclusion),
        "type": "equ" if form.equivalence else "imp",
        "reasoning": form.name,
        "class": form.code,
    }


def _rule_fol(rule: SymbolicRule, words: GroupWords) -> str:
    form = FORMS[rule.form]
    premise, conclusion = rule_words(rule, words.names, words.adjectives)
    sign = "∨" if form.premise == "or" else "∧"
    arrow = "↔" if form.equivalence else "→"
    if form.scope == "everyone":
        left = _joined([f"(∀x {_literal_fol(literal, 'x')})" for literal in premise], sign)
    else:
        left = _joined([_literal_fol(literal, literal.name or "x") for literal in premise], sign)
    right = _joined([_literal_fol(literal, literal.name or "x") for literal in conclusion], "∧")
    if form.scope == "exist":
        left = f"(∃x {left})"
    return f"∀x ({left} {arrow} {right})" if form.scope == "all" else f"{left} {arrow} {right}"


def _literal_fol(literal: Words, term: str = "") -> str:
    atom = f"{literal.adjective[0].upper()}{literal.adjective[1:]}({term or literal.name})"
    return f"¬{atom}" if literal.negative else atom


def _joined(parts: list[str], sign: str) -> str:
    return parts[0] if len(parts) == 1 else f"({f' {sign} '.join(parts)})"
