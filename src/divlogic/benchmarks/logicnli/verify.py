"""The last word on every item: its text read back, its label decided by Z3, from what the record states alone.

Twice: as a signed Horn program ("x is A" and "x is not A" are two propositions, and a literal follows exactly if the
theory with the literal false has no model), and, where the record claims it, in classical first-order logic.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache, reduce
from itertools import groupby
from pathlib import Path
from typing import Any

import orjson

from divlogic.benchmarks.logicnli.reading import read_fact, read_rule
from divlogic.errors import DivLogicError
from divlogic.io.files import write_json
from divlogic.io.log import track
from divlogic.logic.by_z3 import Z3Session
from divlogic.logic.chaining import ALL, EXIST, Literal, Rule, Side
from divlogic.logic.fol import Atom, Binary, Negation, Sentence, parse_fol
from divlogic.records import Record, read_records

_LABELS = {
    (True, False): "entailment",
    (False, True): "contradiction",
    (False, False): "neutral",
    (True, True): "self_contradiction",
}


def write_report(files: Sequence[Path], out: Path) -> dict[str, Any]:
    """Check every item of the files and write how many were confirmed: of the set ``test``, in all, and by set.

    Raises:
        DivLogicError: an item is not confirmed (the message names the first ten such items), a record has no
            formulas of this benchmark, or there is no record.
    """
    counts: dict[str, Counter[str]] = {}
    problems: list[str] = []
    for path in files:
        for _, group in groupby(track(read_records(path), "labels confirmed by Z3"), key=_group):
            records = list(group)
            try:
                problems += disagreements(records)
            except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
                raise DivLogicError(
                    f"{path}, record {records[0].id}: its formulas cannot be checked ({error}); give a set of"
                    " LogicNLI that this project has generated."
                ) from error
            for record in records:
                counts.setdefault(record.split, Counter()).update(
                    instances=1, first_order=int("classical" in record.metadata)
                )
    if not counts:
        raise DivLogicError(f"{files[0]}: there is no record in it to confirm; make the file again.")
    if problems:
        shown = "; ".join(problems[:10])
        raise DivLogicError(f"{files[0]}: {len(problems)} statements are not confirmed: {shown}.")
    total = sum(counts.values(), Counter())
    report = {
        "instances": counts.get("test", total)["instances"],
        "signed_horn": total["instances"],
        "first_order": total["first_order"],
        "disagreements": 0,
        "sets": {name: dict(sorted(found.items())) for name, found in counts.items()},
    }
    write_json(out, report)
    return report


def disagreements(records: Sequence[Record]) -> list[str]:
    """Return what is wrong with records that may share their rules; an empty list means confirmed."""
    problems = [f"{record.id}: {problem}" for record in records for problem in _text_problems(record)]
    shared: dict[bytes, list[Record]] = {}
    for record in records:
        formulas = record.formulas or {}
        shared.setdefault(orjson.dumps([formulas["rules"], formulas["people"]]), []).append(record)
    for group in shared.values():
        labels = zip(group, _signed_labels(group), strict=True)
        problems += [
            f"{record.id}: Z3 makes it {label}, by signed atoms"
            for record, label in labels
            if record.answer is None or label != record.options[record.answer]
        ]
        claimed = [record for record in group if "classical" in record.metadata]
        problems += [
            f"{record.id}: Z3 makes it {label} in classical logic"
            for record, label in zip(claimed, _classical_labels(claimed), strict=True)
            if label != record.metadata["classical"]
        ]
    return problems


def _group(record: Record) -> str:
    """Return what records of one theory have in common: set and number."""
    return record.id.rsplit("-", 1)[0] if "base" not in record.metadata else record.id.rsplit("-", 2)[0]


def _text_problems(record: Record) -> Iterator[str]:
    """Read every sentence back and compare it with its formula."""
    formulas, sentences = record.formulas or {}, record.sentences or {}
    facts, rules = [], []
    for sentence in sentences.values():
        if "fact" in sentence:
            facts.append((sentence["fact"], _fact(sentence["text"])))
        elif "rule" in sentence:
            rules.append((sentence["rule"], _rule(sentence["text"])))
    if sentences:
        if " ".join(sentence["text"] for sentence in sentences.values()) != record.context:
            yield "the context is not its sentences"
        if facts != list(enumerate(Literal(*fact) for fact in formulas["facts"])):
            yield "the text states other facts than the formulas"
        if [(number, _key(rule)) for number, rule in rules] != [
            (number, _key(_formula(rule))) for number, rule in enumerate(formulas["rules"])
        ]:
            yield "the text states other rules than the formulas"
    if _fact(record.question) != Literal(*formulas["statement"]):
        yield "the question does not state the statement"


def _key(rule: Rule) -> tuple[object, ...]:
    return rule.premise, rule.conclusion, rule.equivalence


@lru_cache(maxsize=20_000)
def _fact(text: str) -> Literal:
    return read_fact(text)


@lru_cache(maxsize=20_000)
def _rule(text: str) -> Rule:
    return read_rule(text)


@lru_cache(maxsize=20_000)
def _notation(text: str) -> Sentence:
    return parse_fol(text)


def _formula(rule: dict[str, Any]) -> Rule:
    premise, conclusion = [
        Side(tuple(Literal(*literal) for literal in rule[side]["fact"]), rule[side]["conj"]) for side in "pq"
    ]
    return Rule(rule["reasoning"], premise, conclusion, rule["type"] == "equ", rule["class"])


def _signed_labels(records: Sequence[Record]) -> Iterator[str]:
    """Decide the labels of records with the same rules by signed propositions."""
    formulas = records[0].formulas or {}
    premises = [
        sentence for rule in formulas["rules"] for sentence in _signed(_formula(rule), formulas["people"])
    ]
    theories = []
    for record in records:
        given = [_proposition(Literal(*fact)) for fact in (record.formulas or {})["facts"]]
        statement = Literal(*(record.formulas or {})["statement"])
        sides: list[Sentence] = [
            Negation(_proposition(literal)) for literal in (statement, statement.opposite())
        ]
        theories.append((given, sides))
    yield from map(_LABELS.__getitem__, _states(premises, theories))


def _classical_labels(records: Sequence[Record]) -> Iterator[str]:
    """Decide the labels of records with the same rules in first-order logic over an open domain."""
    if not records:
        return
    formulas = records[0].formulas or {}
    facts = len(formulas["facts"])
    premises = [_notation(text) for text in formulas["fol"]["premises"][facts:]]
    theories = []
    for record in records:
        notation = (record.formulas or {})["fol"]
        given = [_notation(text) for text in notation["premises"][:facts]]
        statement = _notation(notation["statement"])
        theories.append((given, [Negation(statement), statement]))
    for state in _states(premises, theories):
        yield "inconsistent" if state == (True, True) else _LABELS[state]


def _states(
    premises: Sequence[Sentence], theories: Sequence[tuple[list[Sentence], list[Sentence]]]
) -> Iterator[tuple[bool, bool]]:
    """Yield for each theory whether its facts and the premises refute each of two sentences."""
    common = [fact for fact in theories[0][0] if all(fact in given for given, _ in theories)]
    goals = [
        _all([*(fact for fact in given if fact not in common), side])
        for given, sides in theories
        for side in sides
    ]
    with Z3Session([*premises, *common], goals).held(goals) as session:
        for number in range(len(theories)):
            yield not session.satisfiable(2 * number), not session.satisfiable(2 * number + 1)


def _signed(rule: Rule, people: Sequence[str]) -> Iterator[Sentence]:
    """Yield a rule as implications between signed propositions of the named people."""
    quantified = rule.premise.literals[0].subject
    each = rule.conclusion.literals[0].subject == ALL
    for person in people if each else ("",):
        conclusion = _side(rule.conclusion, person)
        if each or quantified not in (ALL, EXIST):
            premise = _side(rule.premise, person)
        elif quantified == EXIST:
            premise = _any([_side(rule.premise, one) for one in people])
        else:
            every = [
                _all([_proposition(literal._replace(subject=one)) for one in people])
                for literal in rule.premise.literals
            ]
            premise = _any(every) if rule.premise.connective == "or" else _all(every)
        yield Binary("→", premise, conclusion)
        if rule.equivalence:
            yield Binary("→", conclusion, premise)


def _side(side: Side, person: str) -> Sentence:
    parts = [
        _proposition(literal._replace(subject=person) if literal.subject in (ALL, EXIST) else literal)
        for literal in side.literals
    ]
    return _any(parts) if side.connective == "or" else _all(parts)


def _proposition(literal: Literal) -> Sentence:
    return Atom(f"{literal.subject} {literal.sign}{literal.attribute}", ())


def _all(parts: Iterable[Sentence]) -> Sentence:
    return reduce(lambda left, right: Binary("∧", left, right), parts)


def _any(parts: Iterable[Sentence]) -> Sentence:
    return reduce(lambda left, right: Binary("∨", left, right), parts)
