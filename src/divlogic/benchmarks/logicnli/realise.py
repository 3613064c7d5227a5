"""Puts groups into words: records with formulas as the authors' release gives them, proofs and first-order notation."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from divlogic.benchmarks.logicnli import theories
from divlogic.benchmarks.logicnli.grammar import (
    NOT,
    closing_sentence,
    fact_words,
    parts_of,
    templates,
)
from divlogic.benchmarks.logicnli.parameters import LogicNLIParameters
from divlogic.benchmarks.logicnli.set_names import DRAWN_SETS, NAME, PROOF_SETS, kind_of, pool_of
from divlogic.draws import Draws
from divlogic.io.files import read_as, read_yaml
from divlogic.logic.horn import ALL, EXIST, SUBJECTS, Closure, Literal, Program
from divlogic.records import Record, content_hash

POOL_SIZE = 100
"""Names, and adjectives, of dev and of test, as in the paper's Table 2; train has the rest (382 and 379 there)."""

_ORDER = 20210917
"""Seed of the cut into pools: the same in every run, so that no test set meets a word that any run trains on."""


@dataclass(frozen=True, slots=True)
class Pool:
    """The words of one pool: first names, and adjectives by field, none of which is empty."""

    names: tuple[str, ...]
    fields: tuple[tuple[str, ...], ...]

    def words(self, draws: Draws, people: int, width: int) -> tuple[list[str], list[str]]:
        """Draw different names, and adjectives of different fields."""
        names = _some(draws, self.names, people)
        return names, [draws.pick(field) for field in _some(draws, self.fields, width)]


@lru_cache(maxsize=1)
def pools() -> dict[str, Pool]:
    """Return the pools ``train``, ``dev`` and ``test``."""
    content = read_yaml(Path(__file__).with_name("lexicon.yaml"))
    draws = Draws(_ORDER)
    names = draws.shuffled(content["names"])
    fields = [draws.shuffled(field) for field in content["adjectives"].values()]
    # Field by field in turn, so that each pool has words of each field.
    turns = [
        (number, field[turn])
        for turn in range(max(map(len, fields)))
        for number, field in enumerate(fields)
        if turn < len(field)
    ]
    found = {}
    bounds = {
        "train": (2 * POOL_SIZE, None),
        "dev": (0, POOL_SIZE),
        "test": (POOL_SIZE, 2 * POOL_SIZE),
    }
    for pool, (start, end) in bounds.items():
        words: list[list[str]] = [[] for _ in fields]
        for number, word in turns[start:end]:
            words[number].append(word)
        found[pool] = Pool(tuple(names[start:end]), tuple(tuple(field) for field in words))
    return found


def _some(draws: Draws, items: tuple, count: int) -> list:  # type: ignore[type-arg]
    """Draw different items."""
    found: dict[int, None] = {}
    while len(found) < count:
        found[draws.below(len(items))] = None
    return [items[number] for number in found]


_WORDING_STREAM = 1_000


def resources(inputs: Mapping[str, Path]) -> dict[str, Pool]:
    """Return the pools of names and adjectives; they come with the package, so that no input is needed."""
    return pools()


def realise(
    group: theories.Group, resources: Mapping[str, Pool], parameters: LogicNLIParameters, seed: int
) -> list[Record]:
    """Return the records of a group, and those of its proofs' statements if its set is one for traceability."""
    draws = Draws(seed, _WORDING_STREAM + DRAWN_SETS.index(group.set), group.index)
    worded = WordedGroup(group, resources[pool_of(group.set)], draws)
    return list(worded.records(parameters.preset, seed))


class WordedGroup:
    """A group with its names, adjectives and sentences; its items share all but the signs of some facts.

    ``closing`` says that there is nobody else; it is empty if the theory does not need it.
    """

    def __init__(self, group: theories.Group, pool: Pool, draws: Draws) -> None:
        self.group = group
        self._names, self._adjectives = pool.words(draws, group.people, group.width)
        # The parts of a literal (grammar.parts_of), by its number within a person's.
        described = [
            parts_of(Literal("", word, sign))[1:] for word in self._adjectives for sign in NOT
        ]
        span, forms = len(described), templates()
        self.sentences = []
        for rule in group.rules:
            parts: list[str] = []
            for literal in rule.premise + rule.conclusion:
                parts.append(self._names[literal // span])
                parts += described[literal % span]
            self.sentences.append(draws.pick(forms[rule.form]).filled(parts))
        self.closing = closing_sentence() if group.closed else ""
        self._literals: dict[int, tuple[Literal, str, str]] = {}

    @cached_property
    def _program(self) -> Program:
        return theories.program_of(self.group.rules, self.group.people, self.group.width)

    @cached_property
    def _rules(self) -> list[tuple[dict[str, Any], str]]:
        return list(map(self._rule, self.group.rules))

    def texts(self, item: theories.JudgedStatement) -> list[str]:
        """Return the sentences of an item: facts, rules, closing."""
        found = [self._literal(literal)[1] for _, literal in self.group.facts_of(item)]
        found += (
            self.sentences
            if item.rules is None
            else [self.sentences[place] for place in item.rules]
        )
        return [*found, self.closing] if self.closing else found

    def records(self, preset: str, seed: int) -> Iterator[Record]:
        """Yield the records of the items, and of their proofs' statements if the set is one for traceability.

        ``forms`` are the classes of the rules in the proofs of all items of a quartet, or of all rules of a random
        theory: those of its own proofs would tell what an item's label is.
        """
        group = self.group
        known: dict[tuple[Any, ...], _Premises] = {}
        solved: list[
            tuple[theories.JudgedStatement, _Premises, dict[str, list[dict[str, Any]] | None]]
        ] = []
        codes = set() if group.quartet else {rule.form for rule in group.rules}
        for item in group.items:
            key = (item.flipped, item.facts, item.rules)
            if key not in known:
                known[key] = self._premises_of(item)
            premises = known[key]
            proof = {
                side: self._proof(premises, goal) if premises.closure.holds(goal) else None
                for side, goal in (("statement", item.statement), ("opposite", item.statement ^ 1))
            }
            solved.append((item, premises, proof))
            if group.quartet:
                rules = premises.formulas["rules"]
                steps = [step for side in proof.values() for step in side or ()]
                codes |= {rules[step["rule"]]["class"] for step in steps if "rule" in step}
        forms = tuple([str(code) for code in sorted(codes)])
        for item, premises, proof in solved:
            literal, text, fol = self._literal(item.statement)
            people = premises.formulas["people"]
            record = Record(
                id=content_hash(seed, group.set, premises.context, text),
                benchmark=NAME,
                split=group.set,
                context=premises.context,
                question=text,
                options=theories.LABELS,
                answer=item.label,
                question_type=kind_of(group.set),
                depth=item.depth,
                forms=forms,
                formulas={
                    "facts": premises.formulas["facts"],
                    "rules": premises.formulas["rules"],
                    "statement": list(literal),
                    "people": people if literal.subject in people else [*people, literal.subject],
                    "proof": proof,
                    "fol": {"premises": premises.fol, "statement": fol},
                },
                sentences=premises.sentences,
                metadata=self._metadata(item, preset),
            )
            yield record
            if group.set in PROOF_SETS:
                yield from self._proof_records(record, item, premises.closure, seed)

    def _metadata(self, item: theories.JudgedStatement, preset: str) -> dict[str, Any]:
        """Return what is known of an item; nothing in it tells the label."""
        group = self.group
        name = f"{group.set}-{group.index}"
        metadata: dict[str, Any] = {"preset": preset, "group": name, "reading": group.reading}
        if group.quartet:
            metadata["quartet"] = name if item.facts is None else f"{name}-{item.noise}"
            metadata["noise"] = item.noise
        elif item.facts is None:
            metadata["theory"] = name
        if item.facts is not None:
            metadata["base"] = f"{name}-{item.base}"
        return metadata

    def _proof_records(
        self, record: Record, item: theories.JudgedStatement, closure: Closure, seed: int
    ) -> Iterator[Record]:
        """Yield the derived literals of an item's proofs, but for the goals, as positive statements.

        Of a quartet only those that its rules conclude in either sign: of others the sign alone would tell the label.
        """
        group = self.group
        seen = {item.statement >> 1}
        for goal in (item.statement, item.statement ^ 1):
            for step in closure.proof(goal) if closure.holds(goal) else ():
                atom = step.literal >> 1
                if step.clause < 0 or atom in seen or (group.quartet and atom not in group.asked):
                    continue
                seen.add(atom)
                sides = (2 * atom, 2 * atom + 1)
                literal, text, _ = self._literal(2 * atom)
                formulas = {**(record.formulas or {}), "statement": list(literal)}
                split = PROOF_SETS[record.split]
                yield replace(
                    record,
                    id=content_hash(seed, split, record.context, text),
                    split=split,
                    question=text,
                    answer=theories.LABEL_OF_STATE[
                        closure.holds(sides[0]), closure.holds(sides[1])
                    ],
                    depth=max(closure.rounds[side] for side in sides if closure.holds(side)),
                    forms=None,
                    formulas={
                        key: part for key, part in formulas.items() if key not in ("proof", "fol")
                    },
                    sentences=None,
                    metadata={key: record.metadata[key] for key in ("preset", "group")}
                    | {"proves": record.id},
                )

    def _premises_of(self, item: theories.JudgedStatement) -> _Premises:
        """Return what items with the same facts and rules share."""
        group = self.group
        facts = [literal for _, literal in group.facts_of(item)]
        rules = range(len(group.rules)) if item.rules is None else item.rules
        without: list[int] = []
        if item.rules is not None:
            kept = set(rules)
            without = [
                number
                for number, clause in enumerate(self._program.clauses)
                if clause[2] not in kept
            ]
        texts = self.texts(item)
        sentences: dict[str, Any] = {}
        for number, text in enumerate(texts):
            place = number - len(facts)
            what = {"fact": number} if place < 0 else {"rule": place} if place < len(rules) else {}
            sentences[str(number)] = {"text": text, **what}
        named = theories.named_people(facts, [group.rules[place] for place in rules], group.width)
        people = [self._names[person] for person in sorted(named)]
        literals = [self._literal(literal) for literal in facts]
        fol = [notation for *_, notation in literals] + [self._rules[place][1] for place in rules]
        if self.closing:
            fol.append("∀x (" + " ∨ ".join([f"x = {name}" for name in people]) + ")")
        formulas: dict[str, list[Any]] = {
            "facts": [list(literal) for literal, *_ in literals],
            "rules": [self._rules[place][0] for place in rules],
            "people": people,
        }
        return _Premises(
            closure=self._program.close(facts, without),
            fact_number={literal: number for number, literal in enumerate(facts)},
            rule_number={place: number for number, place in enumerate(rules)},
            context=" ".join(texts),
            sentences=sentences,
            formulas=formulas,
            fol=fol,
        )

    def _proof(self, premises: _Premises, goal: int) -> list[dict[str, Any]]:
        rows: list[dict[str, Any]] = []
        for literal, round_, clause, places in premises.closure.proof(goal):
            row = {"literal": list(self._literal(literal)[0]), "round": round_}
            if clause < 0:
                row["fact"] = premises.fact_number[literal]
            else:
                row["rule"] = premises.rule_number[premises.closure.program.clauses[clause][2]]
                row["premises"] = places
            rows.append(row)
        return rows

    def _literal(self, number: int) -> tuple[Literal, str, str]:
        """Return a literal about a person, its sentence, and its first-order notation."""
        found = self._literals.get(number)
        if found is None:
            literal = self._words(number)
            found = self._literals[number] = (literal, fact_words(literal), _literal_fol(literal))
        return found

    def _words(self, number: int) -> Literal:
        person, rest = divmod(number, 2 * len(self._adjectives))
        return Literal(self._names[person], self._adjectives[rest >> 1], "-" if rest & 1 else "+")

    def _rule(self, rule: theories.SymbolicRule) -> tuple[dict[str, Any], str]:
        """Return a rule in the form of the authors' release, and in first-order notation."""
        form = theories.FORMS[rule.form]
        row: dict[str, Any] = {}
        notation: list[str] = []
        sides = {"p": (rule.premise, form.premise), "q": (rule.conclusion, form.conclusion)}
        for (side, (numbers, shape)), subject in zip(
            sides.items(), SUBJECTS[form.scope], strict=True
        ):
            literals = [self._words(number) for number in numbers]
            if subject:
                literals = [literal._replace(subject=subject) for literal in literals]
            row[side] = {
                "fact": [list(one) for one in literals],
                "conj": "none" if shape == "one" else shape,
            }
            parts = [_literal_fol(one, "x" if subject else one.subject) for one in literals]
            if subject and form.scope == "everyone":
                parts = [f"(∀x {part})" for part in parts]
            sign = "∨" if shape == "or" else "∧"
            joined = parts[0] if len(parts) == 1 else f"({f' {sign} '.join(parts)})"
            notation.append(f"(∃x {joined})" if subject and form.scope == "exist" else joined)
        text = f"{notation[0]} {'↔' if form.equivalence else '→'} {notation[1]}"
        row |= {
            "type": "equ" if form.equivalence else "imp",
            "reasoning": form.name,
            "class": form.code,
        }
        return row, f"∀x ({text})" if form.scope == "all" else text


@dataclass(frozen=True, slots=True)
class _Premises:
    """The facts and rules of an item, closed, in words and in the notations of the record."""

    closure: Closure
    fact_number: dict[int, int]
    rule_number: dict[int, int]
    context: str
    sentences: dict[str, Any]
    formulas: dict[str, list[Any]]
    fol: list[str]


def _literal_fol(literal: Literal, term: str = "") -> str:
    adjective = literal.attribute.replace("-", "")
    atom = f"{adjective[0].upper()}{adjective[1:]}({term or literal.subject})"
    return f"¬{atom}" if literal.sign == "-" else atom


def worded(
    run: Any, drawn: Path, shard: int, inputs: Mapping[str, Path], counts: dict[str, Any]
) -> Iterator[Record]:
    """Yield the records of the groups of one shard, in their order; count by set what Tables 1, 2 and 5 count."""
    sets: dict[str, SetStatistics] = {}
    words = resources(inputs)
    for _, group in read_as(drawn, theories.Group.from_json, "a symbolic group"):
        for record in realise(group, words, run.benchmarks.logicnli, run.seed):
            sets.setdefault(record.split, SetStatistics()).add(record)
            yield record
    counts["sets"] = {name: one.to_json() for name, one in sets.items()}


_LISTED = 8
_SUMS = ("instances", "tokens")
_UNIONS = ("depths", "sizes", "subjects", "predicates", "symbols")
_TOKEN = re.compile(r"\w+(?:[-']\w+)*|[^\w\s]")


@dataclass
class SetStatistics:
    """Counts of one set.

    Attributes:
        tokens, longest: words and punctuation marks of context and statement, in all and of the longest record.
        subjects, predicates: names and adjectives.
        symbols: connectives and quantifiers that occur in the formulas.
    """

    instances: int = 0
    tokens: int = 0
    longest: int = 0
    depths: set[int] = field(default_factory=set)
    sizes: set[int] = field(default_factory=set)
    subjects: set[str] = field(default_factory=set)
    predicates: set[str] = field(default_factory=set)
    labels: Counter[str] = field(default_factory=Counter)
    symbols: set[str] = field(default_factory=set)
    _seen: Any = None
    _rules: Any = None

    def add(self, record: Record) -> None:
        """Count one record, which has formulas."""
        # A full stop is a token of its own, and sentences come again: each is counted once.
        sentences = record.context.split(". ")
        length = sum(map(_tokens, sentences)) + len(sentences) - 1 + _tokens(record.question)
        self.instances += 1
        self.tokens += length
        self.longest = max(self.longest, length)
        if record.depth is not None:
            self.depths.add(record.depth)
        if record.answer is not None:
            self.labels[record.options[record.answer]] += 1
        formulas: Mapping[str, Any] = record.formulas or {}
        self.subjects.update(formulas["people"])
        name, adjective, _ = formulas["statement"]
        self.subjects.add(name)
        self.predicates.add(adjective)
        if formulas["facts"] == self._seen:
            return  # another statement on the same theory
        self._seen = formulas["facts"]
        self.sizes.add(len(formulas["facts"]) + len(formulas["rules"]))
        self.predicates.update([fact[1] for fact in formulas["facts"]])
        if formulas["rules"] != self._rules:  # a quartet shares them
            self._rules = formulas["rules"]
            self._add_rules(self._rules)

    def _add_rules(self, rules: Iterable[dict[str, Any]]) -> None:
        # The fields are read where they stand: the half a million rules of a full run are not needed as objects.
        for row in rules:
            self.symbols.add("equivalent" if row["type"] == "equ" else "implies")
            for side in (row["p"], row["q"]):
                if side["conj"] in ("and", "or"):
                    self.symbols.add(side["conj"])
                for subject, attribute, sign in side["fact"]:
                    self.predicates.add(attribute)
                    if subject in (ALL, EXIST):
                        self.symbols.add("all" if subject == ALL else "exists")
                    if sign == "-":
                        self.symbols.add("not")

    def to_json(self) -> dict[str, Any]:
        """Return the counts as a JSON object, for :meth:`merge`."""
        unions = {name: sorted(getattr(self, name)) for name in _UNIONS}
        sums = {name: getattr(self, name) for name in (*_SUMS, "longest")}
        return {**sums, **unions, "labels": dict(sorted(self.labels.items()))}

    def merge(self, row: Mapping[str, Any]) -> None:
        """Add the counts of another part of the set."""
        for name in _SUMS:
            setattr(self, name, getattr(self, name) + row[name])
        self.longest = max(self.longest, row["longest"])
        for name in _UNIONS:
            getattr(self, name).update(row[name])
        self.labels.update(row["labels"])

    def row(self, source: str, name: str) -> dict[str, Any]:
        """Return the row of a set in the table of sets."""
        return {
            "source": source,
            "benchmark": name,
            "instances": self.instances,
            "average_length": self.tokens / self.instances if self.instances else None,
            "maximum_length": self.longest,
            "hops": _span(self.depths),
            "facts_and_rules": _span(self.sizes),
            "subjects": len(self.subjects),
            "predicates": len(self.predicates),
            "labels": _ratio([self.labels[label] for label in theories.LABELS]),
            "fols": len(self.symbols),
        }


@lru_cache(maxsize=1 << 14)
def _tokens(text: str) -> int:
    return len(_TOKEN.findall(text))


def symbols_of(statistics: Sequence[SetStatistics]) -> str:
    """Return the paper's signs of the connectives and quantifiers that occur in some set."""
    found = set().union(*(one.symbols for one in statistics))
    return " ".join(sign for name, sign in theories.SYMBOLS.items() if name in found)


def _span(numbers: set[int]) -> str | int | None:
    """Return numbers as the paper prints them, or their range where they are many."""
    ordered = sorted(numbers)
    if len(ordered) < 2:
        return ordered[0] if ordered else None
    return (
        "/ ".join(map(str, ordered))
        if len(ordered) <= _LISTED
        else f"{ordered[0]} to {ordered[-1]}"
    )


def _ratio(counts: Sequence[int]) -> str:
    """Return counts as the paper prints them: relative to the smallest that is not 0."""
    least = min((count for count in counts if count), default=1)
    parts = [f"{count / least:.2f}".rstrip("0").rstrip(".") for count in counts]
    return ":".join(parts if counts[-1] else parts[:-1])
