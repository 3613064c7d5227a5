"""Candidate sub-questions of a draft: their answers, and the premises without which these would be others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from divlogic.benchmarks.llmeval_logic.hardener.draft import Draft
from divlogic.benchmarks.llmeval_logic.hardener.item import STATEMENTS, SubQuestion, labelled
from divlogic.benchmarks.llmeval_logic.hardener.operators import is_literal, opposite
from divlogic.benchmarks.llmeval_logic.hardener.space import Space, ground_atoms
from divlogic.benchmarks.llmeval_logic.hardener.wording import (
    Language,
    Wording,
    labels,
    numbered,
)
from divlogic.draws import Draws
from divlogic.logic.expressions import read_expression
from divlogic.logic.fol import Atom, Sentence
from divlogic.logic.theory import Answer, Gloss, Premise, Query, QueryType, Symbol, substituted, target_name

MOST_MODELS = 64
MOST_COUNTED = 20
MOST_LISTED = 8
"""Largest number of projected models of an item, of those that a reader is asked to count, and to list."""

_SHOWN_TARGETS = (3, 4, 5)
_VERDICTS: tuple[tuple[QueryType, str], ...] = (
    ("possible", "possible"),
    ("possible", "impossible"),
    ("necessary", "necessary"),
    ("necessary", "unnecessary"),
)
_MOST_TARGETS = 10
_STATEMENTS = 6


@dataclass(frozen=True, slots=True)
class Candidate:
    """A sub-question with what decides whether it is chosen.

    Attributes:
        covers: ids of the premises without which the answer is another.
        spread: its projected models; 0 where it has none.
    """

    question: SubQuestion
    covers: frozenset[str]
    spread: int = 0


class Pool:
    """The candidates of one draft.

    Args:
        draft: premises in the order in which they are shown.
        space: all valuations of its atoms.
    """

    def __init__(self, draft: Draft, space: Space, draws: Draws) -> None:
        self.draft, self.space, self.draws = draft, space, draws
        self.words: Wording = draft.wording
        self.symbols = {symbol.name: symbol for symbol in draft.symbols}
        self.tables = {premise.id: space.table(premise.formula) for premise in draft.premises}
        self._without: dict[tuple[tuple[str, ...], tuple[Premise, ...]], dict[str, int]] = {}
        self.true = self._truths((), ())[""]
        core = [symbol for symbol in draft.symbols if symbol.name in draft.core or symbol.kind == "const"]
        atoms = ground_atoms(core)
        # "R(a, a)" is mostly settled by the rules and reads oddly.
        self.core = [atom for atom in atoms if len(set(atom.terms)) == len(atom.terms)]

    def candidates(self) -> Iterator[Candidate]:
        """Yield questions about the theory itself, then about changed ones."""
        plain = list(self._plain())
        yield from (candidate for candidate in map(self._candidate, plain) if candidate)
        for question in self._counterfactual(plain):
            candidate = self._candidate(question)
            if candidate:
                yield candidate

    def answer(self, question: SubQuestion, without: str = "") -> Answer | None:
        """Return the answer from the valuations, also in a theory that lacks a premise; ``None`` if it has none."""
        return answer_in(self.space, self._truths(question.removed, question.added)[without], question)

    def _truths(self, removed: tuple[str, ...], added: tuple[Premise, ...]) -> dict[str, int]:
        """Return the valuations under a supposition, and of each theory that then lacks one more premise."""
        key = (removed, added)
        if key not in self._without:
            names = [name for name in self.tables if name not in removed]
            before = [self.space.conjunction(premise.formula for premise in added)]
            for name in names:
                before.append(before[-1] & self.tables[name])
            truths = dict.fromkeys(self.tables, before[-1])
            truths[""] = before[-1]
            after = self.space.full
            for place in reversed(range(len(names))):
                truths[names[place]] = before[place] & after
                after &= self.tables[names[place]]
            self._without[key] = truths
        return self._without[key]

    def _candidate(self, question: SubQuestion) -> Candidate | None:
        answer = self.answer(question)
        if answer is None or answer == question.baseline or _too_long(answer):
            return None
        if question.query is None and answer in ((), tuple((each.id,) for each in question.statements)):
            return None
        question = replace(question, answer=answer)
        truths = self._truths(question.removed, question.added)
        whole = truths[""]
        covers = frozenset(
            name for name in self.tables if truths[name] != whole and self.answer(question, name) != answer
        )
        spread = 0
        if question.strategy == "added" and question.query is not None and question.query.targets:
            models = self.space.models(self.true, question.query.targets, MOST_MODELS)
            spread = len(models) if models is not None else 0
        return Candidate(question, covers, spread)

    # Questions about the theory itself.

    def _plain(self) -> Iterator[SubQuestion]:
        for _ in range(2):
            for kind in STATEMENTS:
                yield self._set_valued(kind)
        for size in self.draws.shuffled(_SHOWN_TARGETS):
            targets = self.draws.shuffled(self.core)[:size]
            if len(targets) == size:
                yield from self._about_targets(sorted(targets, key=self.core.index))
        settled = [atom for atom in self.core if not self.true & self.space.table(atom)]
        settled += [atom for atom in self.core if not self.true & ~self.space.table(atom)]
        if len(settled) >= 3:
            targets = sorted(self.draws.shuffled(settled)[:4], key=self.core.index)
            yield from (each for each in self._about_targets(targets) if each.type != "count_models")
        if len(self.core) <= _MOST_TARGETS:
            yield self._question("count_models", Query("q", "count_models", None, tuple(self.core)))
        yield from self._objects()
        for kind, wanted in _VERDICTS:
            question = self._verdict(kind, wanted)
            if question is not None:
                yield question

    def _about_targets(self, targets: Sequence[Atom]) -> Iterator[SubQuestion]:
        models = self.space.models(self.true, targets, MOST_MODELS)
        if models is None:
            return
        if 2 <= len(models) <= MOST_LISTED:
            yield self._question("enumerate_models", Query("q", "enumerate_models", None, tuple(targets)))
        yield self._question("count_models", Query("q", "count_models", None, tuple(targets)))
        yield self._question("unique_solution", Query("q", "unique_solution", None, tuple(targets)))
        if models:
            given = tuple(target_name(targets[place]) for place in self.draws.pick(models))
            yield self._question(
                "has_alternative", Query("q", "has_alternative", None, tuple(targets), given=given)
            )

    def _objects(self) -> Iterator[SubQuestion]:
        constants = [symbol.name for symbol in self.draft.symbols if symbol.kind == "const"]
        for symbol in self.draft.symbols:
            if symbol.kind != "pred" or symbol.name not in self.draft.core:
                continue
            terms = ["x"] if symbol.arity == 1 else self.draws.shuffled(["x", self.draws.pick(constants)])
            expression: Any = [symbol.name, *terms]
            if self.draws.chance(0.3):
                expression = ["not", expression]
            known = {**self.symbols, "x": Symbol("x", "const")}
            query = Query(
                "q",
                "enumerate_objects",
                read_expression(expression, known),
                variable="x",
                expression=expression,
            )
            yield self._question("enumerate_objects", query)

    def _set_valued(self, kind: str) -> SubQuestion:
        statements: dict[str, Premise] = {}
        while len(statements) < _STATEMENTS:
            expression = self._compound(literal=0.5, conditional=kind == "statements_all")
            sentence = read_expression(expression, self.symbols)
            text = Gloss(zh=self.words.clause(expression, "zh"), en=self.words.clause(expression, "en"))
            statements.setdefault(text.zh, Premise("", sentence, text, "rule", expression))
        chosen = tuple(replace(each, id=str(place)) for place, each in enumerate(statements.values(), 1))
        text = self.words.both(lambda language: _statements_text(kind, chosen, language))
        return SubQuestion("", kind, "set_valued", text, None, chosen, (), (), ())

    def _verdict(self, kind: QueryType, wanted: str) -> SubQuestion | None:
        """Return a question whose answer is the one wanted, ``None`` if some draws find none."""
        for _ in range(8):
            expression = self._compound(conditional=kind == "necessary")
            query = Query("q", kind, read_expression(expression, self.symbols), expression=expression)
            bare = SubQuestion("", kind, "added", Gloss(), query, (), (), (), ())
            if self.answer(bare) == wanted:
                return self._question(kind, query)
        return None

    def _question(self, kind: str, query: Query) -> SubQuestion:
        text = self.words.both(lambda language: self._text(query, language))
        return SubQuestion("", kind, "added", text, replace(query, text=text), (), (), (), ())

    def _compound(self, literal: float = 0.4, *, conditional: bool) -> Any:
        """Draw a literal, or two joined.

        Whether "if A then B" is possible is a question that readers of the material conditional alone understand.
        """
        first = self._literal()
        second = self._literal()
        if self.draws.chance(literal) or _atom(first) == _atom(second):
            return first
        return [self.draws.pick(("and", "or", "->") if conditional else ("and", "or")), first, second]

    def _literal(self) -> Any:
        atom = self.draws.pick(self.core)
        written: Any = [atom.predicate, *atom.terms] if atom.terms else atom.predicate
        return ["not", written] if self.draws.chance(0.4) else written

    # Questions about a changed theory.

    def _counterfactual(self, plain: Sequence[SubQuestion]) -> Iterator[SubQuestion]:
        """Yield plain questions under a supposition that takes out a premise or turns a fact round."""
        premises = [premise for premise in self.draft.premises if premise.role in ("rule", "fact")]
        for premise in self.draws.shuffled(premises)[:3]:
            place = self.draft.premises.index(premise)
            added: tuple[Premise, ...] = ()
            if premise.role == "fact" and is_literal(premise.expression) and self.draws.chance(0.75):
                added = (self.draft.made(opposite(premise.expression), "fact", name=f"{premise.id}_not"),)
            lead = Gloss(zh=_supposition(place, added, "zh"), en=_supposition(place, added, "en"))
            for question in self.draws.shuffled(plain)[:5]:
                baseline = self.answer(question)
                if baseline is None or _repeats(question, added):
                    continue
                text = Gloss(zh=lead.zh + question.text.zh, en=lead.en + question.text.en)
                query = replace(question.query, text=text) if question.query else None
                yield replace(
                    question,
                    strategy="counterfactual",
                    text=text,
                    query=query,
                    removed=(premise.id,),
                    added=added,
                    baseline=baseline,
                )

    def _text(self, query: Query, language: Language) -> str:
        zh = language == "zh"
        if query.type in ("possible", "necessary"):
            clause = self.words.clause(query.expression, language)
            if query.type == "possible":
                return f"下面的说法有可能成立吗：{clause}？" if zh else f"Is it possible that {clause}?"
            return f"下面的说法一定成立吗：{clause}？" if zh else f"Does it follow that {clause}?"
        if query.type == "enumerate_objects":
            return self._objects_text(query, language)
        shown = numbered(
            [self.words.clause(_written(target), language) for target in query.targets], language
        )
        if query.type == "enumerate_models":
            if zh:
                return f"只看下列各项成立与否，可能出现哪些情形？每种情形写出其中成立的各项。{shown}。"
            return f"Of the following, which can hold together? For each possible case list those that hold. {shown}."
        if query.type == "count_models":
            if zh:
                return f"只看下列各项成立与否，一共有几种可能的情形？{shown}。"
            return f"Counting only which of the following hold, how many cases are possible? {shown}."
        if query.type == "unique_solution":
            if zh:
                return f"下列各项成立与否，是不是只有一种可能？{shown}。"
            return f"Is there just one possible case as to which of the following hold? {shown}."
        assert query.given is not None
        held = [place for place, target in enumerate(query.targets) if target_name(target) in query.given]
        named = labels(held, language)
        if zh:
            case = (
                "各项都成立"
                if len(held) == len(query.targets)
                else f"只有{named}成立"
                if held
                else "各项都不成立"
            )
            return f"就下列各项而言，除了“{case}”，还有没有别的可能情形？{shown}。"
        case = f"only {named} hold{'s' if len(held) == 1 else ''}" if held else "none of them holds"
        case = "all of them hold" if len(held) == len(query.targets) else case
        return f'As to which of the following hold, is any case possible other than "{case}"? {shown}.'

    def _objects_text(self, query: Query, language: Language) -> str:
        constants = [symbol for symbol in self.draft.symbols if symbol.kind == "const"]
        zh = language == "zh"
        shown = numbered([symbol.gloss.zh if zh else symbol.gloss.en for symbol in constants], language)
        noun = self.draft.things.zh if zh else self.draft.things.en
        this = Symbol("x", "const", gloss=Gloss(zh=f"该{noun}", en=f"that {noun}"))
        words = Wording({**self.symbols, "x": this}, self.draft.things)
        clause = words.clause(query.expression, language)
        if zh:
            return f"对下列哪些{noun}来说，“{clause}”有可能成立？{shown}。"
        return f'For which of the following can it be true that "{clause}"? {shown}.'


def answer_in(space: Space, true: int, question: SubQuestion) -> Answer | None:
    """Answer a sub-question from a set of valuations; ``None`` if it is empty or has too many projected models."""
    if not true:
        return None

    def holds(sentence: Sentence | None, kind: str) -> str:
        assert sentence is not None
        table = space.table(sentence)
        if kind == "necessary":
            return "necessary" if not true & ~table else "unnecessary"
        return "possible" if true & table else "impossible"

    query = question.query
    answers: list[Answer | None]
    if query is None:
        kind = "necessary" if question.type == "statements_all" else "possible"
        answers = [holds(statement.formula, kind) for statement in question.statements]
    elif query.type in ("possible", "necessary"):
        answers = [holds(query.formula, query.type)]
    elif query.type == "enumerate_objects":
        assert query.formula is not None
        able = [
            (name,)
            for name in space.constants
            if holds(substituted(query.formula, {query.variable: name}), "possible") == "possible"
        ]
        answers = [tuple(able)]
    else:
        models = space.models(true, query.targets, MOST_MODELS)
        if models is None:
            return None
        if query.type == "count_models":
            return len(models)
        answers = [_of_models(query, models)]
    return labelled(question, answers, space.constants)


def _too_long(answer: Answer) -> bool:
    """Return whether an answer is more than a reader can be asked to count or list."""
    return (isinstance(answer, int) and answer > MOST_COUNTED) or (
        isinstance(answer, tuple) and len(answer) > MOST_LISTED
    )


def _of_models(query: Query, models: tuple[tuple[int, ...], ...]) -> Answer:
    names = [target_name(target) for target in query.targets]
    named = tuple(tuple(names[place] for place in row) for row in models)
    match query.type:
        case "enumerate_models":
            return named
        case "count_models":
            return len(models)
        case "unique_solution":
            return "yes" if len(models) == 1 else "no"
        case _:
            given = frozenset(query.given or ())
            return "yes" if any(frozenset(model) != given for model in named) else "no"


def _statements_text(kind: str, statements: Sequence[Premise], language: Language) -> str:
    shown = numbered([getattr(each.text, language) for each in statements], language)
    asked = {
        "statements_all": ("一定成立", "must hold"),
        "statements_some": ("有可能成立（一定成立的也算）", "can hold (those that must hold included)"),
        "statements_none": ("不可能成立", "cannot hold"),
    }[kind][0 if language == "zh" else 1]
    if language == "zh":
        return f"下面{_number(len(statements))}个说法里，哪些{asked}？{shown}。"
    return f"Which of these {len(statements)} statements {asked}? {shown}."


def _number(count: int) -> str:
    return "零一两三四五六七八九"[count]


def _supposition(place: int, added: tuple[Premise, ...], language: Language) -> str:
    if language == "zh":
        if added:
            return f"假如条件（{place + 1}）改为“{added[0].text.zh.removesuffix('。')}”，其余条件不变。"
        return f"假如取消条件（{place + 1}），其余条件不变。"
    if added:
        return f'Suppose that condition ({place + 1}) read "{added[0].text.en}" and the others stayed. '
    return f"Suppose that condition ({place + 1}) were dropped and the others stayed. "


def _repeats(question: SubQuestion, added: tuple[Premise, ...]) -> bool:
    """Return whether a question asks for what its supposition says."""
    if question.query is None or question.query.formula is None:
        return False
    return any(_atom(question.query.expression) == _atom(premise.expression) for premise in added)


def _atom(literal: Any) -> Any:
    return literal[1] if isinstance(literal, list) and literal[0] == "not" else literal


def _written(atom: Atom) -> Any:
    return [atom.predicate, *atom.terms] if atom.terms else atom.predicate
