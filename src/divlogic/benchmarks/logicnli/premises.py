"""What a record says: facts, rules and statement, closed under forward chaining.

The English of this project's grammar is read as it stands; of other records (the authors' release) the formulas are.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple
from weakref import WeakKeyDictionary

from divlogic.benchmarks.logicnli.counts import RuleBook
from divlogic.benchmarks.logicnli.grammar import closing_sentence, formula_of, read_fact, read_rule
from divlogic.benchmarks.logicnli.set_names import NAME
from divlogic.benchmarks.logicnli.theories import label_named
from divlogic.errors import DivLogicError
from divlogic.logic import horn
from divlogic.records import Record

Rounds = tuple[int | None, int | None]
Facts = tuple[horn.Literal, ...]
Rules = tuple[horn.Rule, ...]


@dataclass(frozen=True)
class ParsedPremises:
    """Facts and rules, the statement, and who is named.

    Attributes:
        people: everyone whom `all` and `exist` range over.
        attributes: all that facts, rules and statement speak of.
        key: what tells the rules from others; the items of a quartet share it.
    """

    facts: Facts
    rules: Rules
    statement: horn.Literal
    people: frozenset[str]
    attributes: frozenset[str]
    key: Hashable
    _rounds: dict[object, Rounds] = field(default_factory=dict, compare=False, repr=False)

    def rounds(
        self, *, contrapose: bool = False, existential: horn.Existential = "sound"
    ) -> Rounds:
        """Return in which round the statement, and its opposite, are first derived; ``None`` for never.

        Args:
            contrapose: whether each rule is also used from "not q" to "not p".
            existential: how "someone is P and Q" is read.
        """
        how = contrapose, existential
        if how not in self._rounds:
            theory = self._theory(existential)
            rounds = theory.rounds(self.facts, contrapose)
            goal = theory.code(self.statement)
            sides = rounds[goal], rounds[goal ^ 1]
            first, second = [side if side < horn.UNREACHED else None for side in sides]
            self._rounds[how] = first, second
        return self._rounds[how]

    def label(self, existential: horn.Existential = "sound") -> str:
        """Return the label of the statement."""
        first, second = self.rounds(existential=existential)
        return label_named(first is not None, second is not None)

    def derivable(self) -> int:
        """Return the number of derivable literals."""
        theory = self._theory()
        return len(theory.program.close(map(theory.code, self.facts)).reached())

    def coded(self) -> CodedPremises:
        """Return the rules with their places, the facts and the statement, as integers."""
        theory = self._theory()
        book = _BOOKS.get(theory)
        if book is None:
            book = _BOOKS[theory] = RuleBook(theory.program, theory.span)
        return CodedPremises(book, list(map(theory.code, self.facts)), theory.code(self.statement))

    def _theory(self, existential: horn.Existential = "sound") -> horn.Theory:
        key = (self.key, self.people, self.attributes, existential)
        found = _CODED.get(key)
        if found is None:
            if len(_CODED) >= _REMEMBERED:
                _CODED.clear()
            made = horn.Theory(self.rules, self.people, self.attributes, existential=existential)
            found = _CODED[key] = made
        return found


class CodedPremises(NamedTuple):
    """Rules, facts and statement as integers."""

    book: RuleBook
    facts: list[int]
    statement: int


_CODED: dict[Hashable, horn.Theory] = {}
_BOOKS: WeakKeyDictionary[horn.Theory, RuleBook] = WeakKeyDictionary()
_REMEMBERED = 200


def read_premises(record: Record) -> ParsedPremises:
    """Read what a record says."""
    try:
        if record.benchmark == NAME:
            return _from_text(record.context, record.question)
        return from_formulas(record)
    except (KeyError, TypeError, ValueError) as error:
        raise DivLogicError(f"record {record.id} of {record.split}: {error}; {_REMEDY}") from error


_REMEDY = (
    "this learner reads the English of benchmarks.logicnli or, of other records, their formulas: give generated"
    " records, or a release with its *_logic.json next to *_language.json."
)


@lru_cache(maxsize=500)
def _from_text(context: str, question: str) -> ParsedPremises:
    facts, rules, people, attributes, key = parts_of_context(context)
    goal = read_fact(question)
    return ParsedPremises(
        facts, rules, goal, people | {goal.subject}, attributes | {goal.attribute}, key
    )


@lru_cache(maxsize=50)  # the statements of a proof have one context, and follow each other
def parts_of_context(
    context: str,
) -> tuple[Facts, Rules, frozenset[str], frozenset[str], tuple[str, ...]]:
    """Return facts, rules, people and attributes of a context, and the sentences of its rules, which tell it apart.

    Raises:
        ValueError: a sentence is not one of this project's grammar.
    """
    # No word of the grammar or the lexicon holds a full stop.
    read = [(sentence, _read(sentence)) for sentence in context.removesuffix(".").split(". ")]
    facts = tuple([found for _, found in read if isinstance(found, horn.Literal)])
    rules = tuple([found for _, found in read if isinstance(found, horn.Rule)])
    key = tuple([sentence for sentence, found in read if isinstance(found, horn.Rule)])
    return facts, rules, *_named(facts, rules), key


@lru_cache(maxsize=50_000)
def _read(sentence: str) -> horn.Literal | horn.Rule | None:
    """Return the fact or rule of a sentence without its full stop; ``None`` if it says that there is nobody else."""
    sentence = f"{sentence}."
    if sentence == closing_sentence():
        return None
    try:
        return read_fact(sentence)
    except ValueError:
        return read_rule(sentence)


def from_formulas(record: Record) -> ParsedPremises:
    """Read the formulas of a record; a ValueError if there are none, or a rule has no form that LogicNLI knows."""
    formulas = record.formulas
    if not formulas or "statement" not in formulas:
        raise ValueError("the record has no formulas")
    facts = tuple([horn.Literal(*fact) for fact in formulas["facts"]])
    rules = tuple([formula_of(rule, str(number)) for number, rule in enumerate(formulas["rules"])])
    goal = horn.Literal(*formulas["statement"])
    people, attributes = _named((*facts, goal), rules)
    found = ParsedPremises(facts, rules, goal, people.union(formulas["people"]), attributes, rules)
    found.rounds()
    return found


def _named(facts: Facts, rules: Rules) -> tuple[frozenset[str], frozenset[str]]:
    """Return the people and the attributes that facts and rules name."""
    stated = (*facts, *[literal for rule in rules for literal in rule.literals])
    people = frozenset([literal.subject for literal in stated]) - {horn.ALL, horn.EXIST}
    return people, frozenset([literal.attribute for literal in stated])
