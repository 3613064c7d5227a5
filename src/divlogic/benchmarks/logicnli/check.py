"""The last word on every item: its text read back, its label decided by Z3, from what the record states alone.

Twice: as a signed Horn program ("x is A" and "x is not A" are two propositions, and a literal follows exactly if the
theory with the literal false has no model), and, where the record claims it, in classical first-order logic.

What follows is shown by refuting its denial; items that share their rules ask one solver.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache, partial, reduce
from itertools import chain, starmap
from pathlib import Path
from typing import Annotated, Any

import click
import orjson

from divlogic.benchmarks.logicnli.counts import differences
from divlogic.benchmarks.logicnli.grammar import formula_of, read_fact, read_rule
from divlogic.benchmarks.logicnli.premises import from_formulas
from divlogic.benchmarks.logicnli.set_names import SETS, group_of
from divlogic.benchmarks.logicnli.theories import LABELS, STATES, label_named
from divlogic.benchmarks.verdict import Verdict, confirmed, judged, published_label
from divlogic.config.command import ARGUMENT
from divlogic.io.files import read_json, write_json
from divlogic.io.shards import expanded
from divlogic.logic.grounding import Fact, clauses_over, coded, is_universal, numbers
from divlogic.logic.horn import ALL, EXIST, Literal, Rule
from divlogic.logic.parsing import parse_fol
from divlogic.logic.smt import Clause, Z3Clauses, Z3Session
from divlogic.logic.syntax import And, Atom, Binary, Negation, Quantified, Sentence
from divlogic.records import Record

INCONSISTENT = "inconsistent"
_STATES = dict(zip(LABELS, STATES, strict=True))

_LITERAL = re.compile(r"(¬?)([A-Za-z]+)\(([A-Za-z]+)\)")
"""Most of what a record notes; the whole grammar of formulas is read some times more slowly."""
_CLAUSES = Z3Clauses()
_SOMEONE = "x"
_rule_of = lru_cache(maxsize=20_000)(read_rule)
_fact_of = lru_cache(maxsize=20_000)(read_fact)


def confirm(
    records: Annotated[tuple[Path, ...], ARGUMENT],
    *,
    shard: Annotated[int, click.IntRange(0), "Which share of the theories, from 0."] = 0,
    shards: Annotated[int, click.IntRange(1), "Number of shares."] = 1,
    out: Annotated[Path, "Report (json)."],
) -> dict[str, Any]:
    """Read every text of the RECORDS back and confirm every label with Z3, twice where they claim it."""
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    groups = confirmed(
        records, "LogicNLI", disagreements, group=group_of, shard=shard, shards=shards
    )
    for record in chain.from_iterable(groups):
        counts[record.split].update(instances=1, first_order=int(_holds_classically(record)))
    return _write_counts(out, counts)


def write_report(source: Path, out: Path) -> dict[str, Any]:
    """Confirm every label of one file, and write how many were confirmed."""
    return confirm((source,), out=out)


def merge_reports(
    reports: Annotated[tuple[Path, ...], ARGUMENT, expanded],
    *,
    out: Annotated[Path, "Report (json)."],
) -> dict[str, Any]:
    """Put the REPORTS of `confirm` on all shares together."""
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for path in reports:
        for name, found in read_json(path)["sets"].items():
            counts[name].update(found)
    ordered = [name for name in dict.fromkeys((*SETS, *counts)) if name in counts]
    return _write_counts(out, {name: counts[name] for name in ordered})


def _write_counts(out: Path, counts: Mapping[str, Counter[str]]) -> dict[str, Any]:
    """Write how many items were confirmed: of the set ``test``, in all, and by set."""
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


def problems(record: Record) -> list[str]:
    """Return what is wrong with a record; an empty list means that Z3 confirms its label."""
    return disagreements([record])


def disagreements(records: Sequence[Record]) -> list[str]:
    """Return what is wrong with records that may share their rules; an empty list means confirmed."""
    found = []
    shared: dict[bytes, list[Record]] = {}
    for record in records:
        formulas = record.formulas or {}
        shared.setdefault(orjson.dumps([formulas["rules"], formulas["people"]]), []).append(record)
    for group in shared.values():
        rules = [_key(formula_of(rule)) for rule in (group[0].formulas or {})["rules"]]
        found += [
            f"{record.id}: {problem}"
            for record in group
            for problem in _text_problems(record, rules)
        ]
        found += [
            f"{record.id}: Z3 makes it {label}, by signed atoms"
            for record, label in zip(group, signed_labels(group), strict=True)
            if label != published_label(record)
        ]
        claimed = [record for record in group if _holds_classically(record)]
        found += [
            f"{record.id}: Z3 makes it {label} in classical logic"
            for record, label in zip(claimed, classical_labels(claimed), strict=True)
            if label != _classical(record)
        ]
    return [*found, *unequal_quartets(records)]


def unequal_quartets(records: Sequence[Record]) -> list[str]:
    """Return what a reader of fewer rounds than needed could tell the members of quartets by: nothing, if all is well.

    In each round the members derive equally many literals, by equally many rules, and equally many rules need what is
    new; and all that can be counted in fewer rounds than the depth, in either direction or both, is equal. Where the
    steps of proofs are asked (T), a level may be a literal or its opposite: there signs are told by no count of rules,
    but they differ.
    """
    found = []
    quartets: dict[str, list[Record]] = {}
    for record in records:
        if "quartet" in record.metadata:
            quartets.setdefault(record.metadata["quartet"], []).append(record)
    for name, members in quartets.items():
        coded = [from_formulas(member).coded() for member in members]
        derived = [one.book.derivations(one.facts) for one in coded]
        if any(one != derived[0] for one in derived):
            found.append(f"{name}: the members derive unequally much, round by round: {derived}")
        steps, signs = (members[0].depth or 1) - 1, members[0].question_type not in ("T", "d-T")
        counted = [
            one.book.both_ways(one.facts, steps, one.statement, signs=signs) for one in coded
        ]
        found += [f"{name}: the members differ in {what}" for what in differences(counted)]
    return found


def _holds_classically(record: Record) -> bool:
    """Return whether a record claims that its label holds in first-order logic as well."""
    return record.metadata.get("reading") == "both"


def _classical(record: Record) -> str:
    """Return the label that a record claims in first-order logic, where a paradox has no model."""
    claimed = published_label(record)
    return INCONSISTENT if _STATES.get(claimed) == (True, True) else claimed


def _text_problems(record: Record, stated: list[tuple[object, ...]]) -> Iterator[str]:
    """Read every sentence back and compare it with its formula; those of the rules are given."""
    formulas, sentences = record.formulas or {}, record.sentences or {}
    facts = [(one["fact"], _fact_of(one["text"])) for one in sentences.values() if "fact" in one]
    rules = [
        (one["rule"], _key(_rule_of(one["text"]))) for one in sentences.values() if "rule" in one
    ]
    if sentences:
        if " ".join([sentence["text"] for sentence in sentences.values()]) != record.context:
            yield "the context is not its sentences"
        if facts != [(number, tuple(fact)) for number, fact in enumerate(formulas["facts"])]:
            yield "the text states other facts than the formulas"
        if rules != list(enumerate(stated)):
            yield "the text states other rules than the formulas"
    if _fact_of(record.question) != tuple(formulas["statement"]):
        yield "the question does not state the statement"


def _key(rule: Rule) -> tuple[object, ...]:
    return rule.premise, rule.conclusion, rule.equivalence


def signed_labels(records: Sequence[Record]) -> list[str]:
    """Decide the labels of records with the same rules by signed propositions."""
    formulas = records[0].formulas or {}
    number = numbers()
    people = tuple(formulas["people"])
    rules = [_signed_clauses(formula_of(rule), people) for rule in formulas["rules"]]
    clauses = coded((clause for rule in rules for clause in rule), number)
    rows = []
    for record in records:
        own = record.formulas or {}
        statement = Literal(*own["statement"])
        literals = (statement, statement.opposite(), *starmap(Literal, own["facts"]))
        rows.append([number[sign + name, (who,)] for who, name, sign in literals])
    with _CLAUSES.held(clauses, len(number)):
        return [
            label_named(_follows(facts, one), _follows(facts, other)) for one, other, *facts in rows
        ]


def _follows(facts: list[int], goal: int) -> bool:
    return not _CLAUSES.satisfiable([*facts, -goal])


def classical_labels(records: Sequence[Record]) -> list[str]:
    """Decide the labels of records with the same rules in first-order logic over an open domain.

    A model over the people named is one of an open domain. Where there is none, the instances of the rules that speak
    of nobody else may refute by themselves; Z3 is asked with quantifiers where they do not.
    """
    if not records:
        return []
    formulas = records[0].formulas or {}
    people, count = tuple(formulas["people"]), len(formulas["facts"])
    rules = tuple(formulas["fol"]["premises"][count:])
    number = numbers()
    alone = number["there is nobody else"]
    clauses: list[Clause] = []
    for text in rules:
        found, universal = _over(text, people)
        clauses += [clause if universal else (*clause, -alone) for clause in coded(found, number)]
    denials: list[list[str]] = []
    assumed: list[list[int]] = []
    for record in records:
        notation = (record.formulas or {})["fol"]
        if tuple(notation["premises"][count:]) != rules:
            raise ValueError(
                f"the notation of {record.id} has other rules than that of {records[0].id}"
            )
        texts = [*notation["premises"][:count], notation["statement"]]
        *facts, (goal,) = coded(
            (clause for text in texts for clause in _over(text, people)[0]), number
        )
        literals = [literal for (literal,) in facts]
        denials += [[*texts[:-1], _denied(texts[-1])], texts]
        assumed += [[*literals, -goal], [*literals, goal]]
    with _CLAUSES.held(clauses, len(number)):
        refuted = [not _CLAUSES.satisfiable([*literals, alone]) for literals in assumed]
        places = [
            at
            for at, literals in enumerate(assumed)
            if refuted[at] and _CLAUSES.satisfiable(literals)
        ]
    goals = [reduce(And, map(_notation, denials[place])) for place in places]
    with Z3Session(map(_notation, rules) if goals else (), goals) as session:
        for goal, place in enumerate(places):
            refuted[place] = not session.satisfiable(goal)
    states = zip(refuted[::2], refuted[1::2], strict=True)
    return [INCONSISTENT if all(state) else label_named(*state) for state in states]


@lru_cache(maxsize=5_000)
def _signed_clauses(rule: Rule, people: tuple[str, ...]) -> list[tuple[Fact, ...]]:
    return clauses_over(_signed_sentence(rule), people)


def _signed_sentence(rule: Rule) -> Sentence:
    """Return a rule between signed atoms: "x is A" and "x is not A" are two predicates."""
    sides = (rule.premise, rule.conclusion)
    quantified, each = [side.literals[0].subject for side in sides]
    if rule.equivalence and each != ALL and quantified in (ALL, EXIST):
        raise ValueError(f"rule {rule.form} is an equivalence of a form that runs one way only")
    parts: list[list[Sentence]] = [list(map(_signed_atom, side.literals)) for side in sides]
    if each != ALL and quantified == ALL:
        parts[0] = [Quantified("∀", _SOMEONE, part) for part in parts[0]]
    signs = ["∨" if side.connective == "or" else "∧" for side in sides]
    premise, conclusion = (
        reduce(partial(Binary, sign), own) for sign, own in zip(signs, parts, strict=True)
    )
    if quantified == EXIST:
        premise = Quantified("∃", _SOMEONE, premise)
    whole = Binary("↔" if rule.equivalence else "→", premise, conclusion)
    return Quantified("∀", _SOMEONE, whole) if each == ALL else whole


def _signed_atom(literal: Literal) -> Atom:
    subject = _SOMEONE if literal.subject in (ALL, EXIST) else literal.subject
    return Atom(literal.sign + literal.attribute, (subject,))


@lru_cache(maxsize=5_000)
def _notation(text: str) -> Sentence:
    literal = _LITERAL.fullmatch(text)
    if literal is None:
        return parse_fol(text)
    atom = Atom(literal[2], (literal[3],))
    return Negation(atom) if literal[1] else atom


@lru_cache(maxsize=5_000)
def _over(text: str, people: tuple[str, ...]) -> tuple[list[tuple[Fact, ...]], bool]:
    """Return a sentence over the people named, and whether it says the same of them if there are other people."""
    sentence = _notation(text)
    return clauses_over(sentence, people), is_universal(sentence)


def _denied(text: str) -> str:
    return text[1:] if text.startswith("¬") and _LITERAL.fullmatch(text) else f"¬{text}"


def audit_logicnli(record: Record) -> Verdict | None:
    """Return the verdict on a statement, ``None`` if the record carries no symbolic theory."""
    if "statement" not in (record.formulas or {}):
        return None
    premises, published = from_formulas(record), published_label(record)
    derived = premises.label()
    if derived == published:
        return judged(record, derived)
    rules = [
        rule
        for rule in premises.rules
        if rule.premise.connective == "and" and rule.premise.literals[0].subject == EXIST
    ]
    if not rules or premises.label("released") != published:
        return judged(record, derived, "unexplained", "no reading of the rules gives the label")
    names = ", ".join(f"{rule.name} (class {rule.form})" for rule in rules)
    return judged(
        record,
        derived,
        "existential conjunction",
        f"rule {names}, 'someone is P and Q': the published label takes it to fire only if P and Q have the same sign,"
        " and then with either sign of Q in the facts",
    )
