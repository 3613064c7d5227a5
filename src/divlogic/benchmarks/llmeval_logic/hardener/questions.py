"""Candidate sub-questions of a draft: their answers, what each gives away, and the premises that it needs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial
from typing import Any

from divlogic.benchmarks.llmeval_logic.hardener import wording
from divlogic.benchmarks.llmeval_logic.hardener.draft import Draft
from divlogic.benchmarks.llmeval_logic.hardener.item import STATEMENTS, SubQuestion, labelled, queries_of
from divlogic.benchmarks.llmeval_logic.hardener.operators import opposite, signed
from divlogic.draws import Draws
from divlogic.logic.deciding import Space
from divlogic.logic.expressions import read_expression, to_expression
from divlogic.logic.syntax import Atom, Binary, Sentence, atoms_of
from divlogic.logic.theory import Answer, Gloss, Premise, Query, QueryType, Symbol, goals_of, target_name

MOST_MODELS = 64
MOST_COUNTED = 20
MOST_LISTED = 8
"""Largest number of projected models of an item, of those that a reader is asked to count, and to list."""

YES_OR_NO = ("possible", "necessary", "unique_solution", "has_alternative")
"""Kinds whose answer may stay under a supposition: a premise that is dropped turns them one way only, one that is added
the other way, so that if they always turned the supposition would tell the answer."""

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
        certain: the valuations that the answer leaves.
        witnessed: sets of valuations of each of which the answer says that it holds a model.
        asked: the statements that are asked about, as sets of valuations with their complements.
    """

    question: SubQuestion
    covers: frozenset[str]
    spread: int
    certain: int
    witnessed: tuple[int, ...] = field(repr=False)
    asked: frozenset[int] = field(repr=False)

    def overlaps(self, other: Candidate, space: Space) -> bool:
        """Return whether two questions under one supposition ask for one fact, or one answers the other."""
        if _supposed(self.question) == _supposed(other.question) and self.asked & other.asked:
            return True
        return self.answers(other, space) or other.answers(self, space)

    def answers(self, other: Candidate, space: Space) -> bool:
        """Return whether who knows this question's answer need not think about the other one.

        What holds in every model of a theory holds in those of a narrower one; what holds in some model, in some model
        of a wider one.
        """
        mine, theirs = self.question, other.question
        (removed, added), (their_removed, their_added) = _supposed(mine), _supposed(theirs)
        narrower = their_removed <= removed and added <= their_added
        wider = removed <= their_removed and their_added <= added
        if not (narrower or wider):
            return False
        certain = self.certain if narrower else space.full
        seen = (certain, *(self.witnessed if wider else ()))
        if theirs.type in ("count_models", "unique_solution", "has_alternative"):
            assert theirs.query is not None
            targets = set(theirs.query.targets)
            if narrower and wider and mine.query is not None and targets <= set(mine.query.targets):
                if mine.type == "enumerate_models" or targets == set(mine.query.targets):
                    return True
                if mine.answer in (1, "yes") and mine.type in ("count_models", "unique_solution"):
                    return True
            if len(space.models(certain, theirs.query.targets, MOST_MODELS) or "..") == 1:
                return True
            if theirs.type != "has_alternative":
                return False
        return not certain & ~other.certain and all(
            any(not certain & each & ~wanted for each in seen) for wanted in other.witnessed
        )


def _supposed(question: SubQuestion) -> tuple[frozenset[str], frozenset[Sentence]]:
    return frozenset(question.removed), frozenset(premise.formula for premise in question.added)


class QuestionPool:
    """The candidates of one draft."""

    def __init__(self, draft: Draft, space: Space, draws: Draws) -> None:
        self.draft, self.space, self.draws = draft, space, draws
        self.words: wording.ChineseWording = draft.wording
        self.tables = {premise.id: space.table(premise.formula) for premise in draft.premises}
        self._truths = cache(self._without)
        self.true = self._truths((), ())[""]
        self.core = draft.core_atoms()

    def candidates(self) -> Iterator[Candidate]:
        """Yield questions about the theory itself, then about changed ones."""
        plain = list(self._plain())
        yield from filter(None, map(self._candidate, (*plain, *self._counterfactual(plain))))

    def answer(self, question: SubQuestion) -> Answer | None:
        """Return the answer from the valuations; ``None`` if it has none."""
        return answers_in(self.space, [self._truths(question.removed, question.added)[""]], question)[0]

    def _without(self, removed: tuple[str, ...], added: tuple[Premise, ...]) -> dict[str, int]:
        """Return the valuations under a supposition, and of each theory that then lacks one more premise."""
        names = [name for name in self.tables if name not in removed]
        before = [self.space.conjunction(premise.formula for premise in added)]
        for name in names:
            before.append(before[-1] & self.tables[name])
        truths = dict.fromkeys((*self.tables, ""), before[-1])
        after = self.space.full
        for place in reversed(range(len(names))):
            truths[names[place]] = before[place] & after
            after &= self.tables[names[place]]
        return truths

    def _candidate(self, question: SubQuestion) -> Candidate | None:
        answer = self.answer(question)
        if answer is None or _too_long(answer):
            return None
        if answer == question.baseline and question.type not in YES_OR_NO:
            return None
        if question.query is None and answer in ((), tuple((each.id,) for each in question.statements)):
            return None
        question = replace(question, answer=answer)
        truths = self._truths(question.removed, question.added)
        whole = truths[""]
        if any(self._vacuous(each.formula, whole) for each in queries_of(question)):
            return None
        changed = [name for name in self.tables if truths[name] != whole]
        others = answers_in(self.space, [truths[name] for name in changed], question)
        covers = frozenset(name for name, other in zip(changed, others, strict=True) if other != answer)
        spread = 0
        if question.strategy == "added" and question.query is not None and question.query.targets:
            models = self.space.models(self.true, question.query.targets, MOST_MODELS)
            spread = len(models) if models is not None else 0
        certain, witnessed = self.space.full, []
        for table in self._reported(question, whole):
            if whole & table:
                witnessed.append(table)
            else:
                certain &= ~table
        if question.type == "enumerate_models":
            certain = 0
            for table in witnessed:
                certain |= table
        formulas = [each.formula for each in queries_of(question) if each.formula and not each.variable]
        tables = list(map(self.space.table, formulas))
        asked = frozenset((*tables, *(self.space.full & ~table for table in tables)))
        return Candidate(question, covers, spread, certain, tuple(witnessed), asked)

    def _vacuous(self, formula: Sentence | None, true: int) -> bool:
        """Return whether "if A then B" holds because A never does: true for logicians alone."""
        if isinstance(formula, Binary) and formula.sign == "→":
            return not true & self.space.table(formula.left)
        return False

    def _reported(self, question: SubQuestion, true: int) -> Iterator[int]:
        """Yield the sets of valuations of which the answer says whether they hold a model."""
        space, query = self.space, question.query
        if query is not None and query.formula is None:
            if query.type == "enumerate_models":
                for row in space.models(true, query.targets, MOST_MODELS) or ():
                    yield space.case(query.targets, row)
            elif query.given is not None:
                yield space.full & ~space.case(query.targets, _places(query))
            return
        for verdict in queries_of(question):
            yield from map(space.table, goals_of(verdict, space.constants))

    # Questions about the theory itself.

    def _plain(self) -> Iterator[SubQuestion]:
        for _ in range(2):
            yield from filter(None, map(self._set_valued, STATEMENTS))
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
            yield self._question(Query("q", "count_models", None, tuple(self.core)))
        yield from self._objects()
        for _ in range(2):
            for kind, wanted in _VERDICTS:
                if question := self._verdict(kind, wanted):
                    yield question

    def _about_targets(self, targets: Sequence[Atom]) -> Iterator[SubQuestion]:
        models = self.space.models(self.true, targets, MOST_MODELS)
        if models is None:
            return
        if 2 <= len(models) <= MOST_LISTED:
            yield self._question(Query("q", "enumerate_models", None, tuple(targets)))
        yield self._question(Query("q", "count_models", None, tuple(targets)))
        yield self._question(Query("q", "unique_solution", None, tuple(targets)))
        if models:
            # Mostly a case that differs from a possible one in one place, so that what is named is no free model.
            row = set(self.draws.pick(models))
            if self.draws.chance(0.5):
                row ^= {self.draws.below(len(targets))}
            given = tuple(target_name(targets[place]) for place in sorted(row))
            yield self._question(Query("q", "has_alternative", None, tuple(targets), given=given))

    def _objects(self) -> Iterator[SubQuestion]:
        constants = [symbol.name for symbol in self.draft.symbols if symbol.kind == "const"]
        for symbol in self.draft.symbols:
            if symbol.kind != "pred" or symbol.name not in self.draft.core:
                continue
            terms = ["x"] if symbol.arity == 1 else self.draws.shuffled(["x", self.draws.pick(constants)])
            expression: Any = [symbol.name, *terms]
            if self.draws.chance(0.3):
                expression = ["not", expression]
            formula = read_expression(expression, {**self.words.symbols, "x": Symbol("x", "const")})
            query = Query("q", "enumerate_objects", formula, variable="x", expression=expression)
            yield self._question(query)

    def _set_valued(self, kind: str) -> SubQuestion | None:
        """Return a list of statements: none twice (also turned round or denied), none a condition or its denial."""
        statements: list[Premise] = []
        seen: set[int] = set()
        conditionals = 0
        for _ in range(8 * _STATEMENTS):
            may_be_conditional = kind == "statements_all" and not conditionals
            expression = self._compound(literal=0.5, conditional=may_be_conditional)
            sentence = read_expression(expression, self.words.symbols)
            table = self.space.table(sentence)
            if not self._fresh(table) or table in seen:
                continue
            seen |= {table, self.space.full & ~table}
            conditionals += expression[0] == "->"
            text = wording.both(partial(self.words.clause, expression))
            statements.append(Premise(str(len(statements) + 1), sentence, text, "rule", expression))
            if len(statements) == _STATEMENTS:
                break
        else:
            return None

        def text_in(language: wording.Language) -> str:
            shown = wording.numbered([getattr(each.text, language) for each in statements], language)
            return wording.said(kind, language, number=wording.number(_STATEMENTS, language), shown=shown)

        return SubQuestion("", kind, "set_valued", wording.both(text_in), statements=tuple(statements))

    def _fresh(self, table: int) -> bool:
        """Return whether a statement is neither a condition or its denial, nor true or false by itself."""
        denial = self.space.full & ~table
        return bool(table and denial) and all(each not in (table, denial) for each in self.tables.values())

    def _verdict(self, kind: QueryType, wanted: str) -> SubQuestion | None:
        """Return a question whose answer is the one wanted and no single condition's; ``None`` if draws find none."""
        for _ in range(12):
            expression = self._compound(conditional=kind == "necessary")
            sentence = read_expression(expression, self.words.symbols)
            query = Query("q", kind, sentence, expression=expression)
            bare = SubQuestion("", kind, "added", Gloss(), query)
            table = self.space.table(sentence)
            stated = self.tables.values()
            if self.answer(bare) == wanted and all(each & table and each & ~table for each in stated):
                return self._question(query)
        return None

    def _question(self, query: Query) -> SubQuestion:
        text = wording.both(partial(self._text, query))
        return SubQuestion("", query.type, "added", text, replace(query, text=text))

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
        return signed(to_expression(self.draws.pick(self.core)), self.draws)

    # Questions about a changed theory.

    def _counterfactual(self, plain: Sequence[SubQuestion]) -> Iterator[SubQuestion]:
        """Yield plain questions under suppositions: a premise dropped, a fact turned round, a further fact."""
        for removed, added in self._suppositions():
            kind = "added" if not removed else "turned" if added else "removed"
            lead = wording.both(partial(self._supposition, kind, removed, added))
            for question in self.draws.shuffled(plain)[:6]:
                baseline = self.answer(question)
                skewed = kind == "removed" and question.type in ("unique_solution", "has_alternative")
                if baseline is None or skewed or self._repeats(question, added):
                    continue
                text = Gloss(zh=lead.zh + question.text.zh, en=lead.en + question.text.en)
                yield replace(
                    question,
                    strategy="counterfactual",
                    text=text,
                    query=replace(question.query, text=text) if question.query else None,
                    removed=removed,
                    added=added,
                    baseline=baseline,
                )

    def _supposition(
        self, kind: str, removed: tuple[str, ...], added: tuple[Premise, ...], language: wording.Language
    ) -> str:
        place = next((n for n, each in enumerate(self.draft.premises, start=1) if each.id in removed), None)
        clause = "".join(getattr(each.text, language).rstrip("。.") for each in added)
        return wording.said(kind, language, place=place, clause=clause)

    def _repeats(self, question: SubQuestion, added: tuple[Premise, ...]) -> bool:
        """Return whether a question asks, as a whole or in one of its parts, for what its supposition says."""
        queries = [query for query in queries_of(question) if not query.variable]
        parts = [part for query in queries for part in query.targets or (query.formula,)]
        tables = [self.space.table(part) for part in parts if part is not None]
        supposed = [self.space.table(premise.formula) for premise in added]
        return any(not one & other or not one & ~other for one in supposed for other in tables)

    def _suppositions(self) -> Iterator[tuple[tuple[str, ...], tuple[Premise, ...]]]:
        # A law of a relation ("nobody stands before himself") holds by what the words mean: nobody can drop it.
        premises = [
            premise
            for premise in self.draft.premises
            if premise.role == "fact"
            or (premise.role == "rule" and any(len(atom.terms) != 2 for atom in atoms_of(premise.formula)))
        ]
        for premise in self.draws.shuffled(premises)[:3]:
            added: tuple[Premise, ...] = ()
            if premise.role == "fact" and wording.is_literal(premise.expression) and self.draws.chance(0.75):
                added = (self.draft.made(opposite(premise.expression), "fact", name=f"{premise.id}_not"),)
            yield (premise.id,), added
        for _ in range(2):
            further = self.draft.made(self._literal(), "fact", name="supposed")
            table = self.space.table(further.formula)
            if self.true & table and self.true & ~table:
                yield (), (further,)

    def _text(self, query: Query, language: wording.Language) -> str:
        values: dict[str, Any] = {}
        words = self.words
        if query.type == "enumerate_objects":
            constants = [symbol for symbol in self.draft.symbols if symbol.kind == "const"]
            values["noun"] = noun = getattr(self.draft.things, language)
            this = Symbol("x", "const", gloss=wording.both(lambda each: wording.said("that", each, noun)))
            words = wording.ChineseWording({**self.words.symbols, "x": this}, self.draft.things)
            shown = [getattr(symbol.gloss, language) for symbol in constants]
        else:
            shown = [words.clause(to_expression(target), language) for target in query.targets]
        if query.formula is not None:
            values["clause"] = words.clause(query.expression, language)
        if query.given is not None:
            values["case"] = wording.case_of(_places(query), len(query.targets), language)
        return wording.said(query.type, language, shown=wording.numbered(shown, language), **values)


def _places(query: Query) -> list[int]:
    """Return the places of the targets that hold in the model that is given."""
    return [place for place, each in enumerate(query.targets) if target_name(each) in (query.given or ())]


def answers_in(space: Space, truths: Iterable[int], question: SubQuestion) -> list[Answer | None]:
    """Answer a sub-question from sets of valuations; ``None`` if one is empty or has too many projected models."""
    asked = [space.asked(query, MOST_MODELS) for query in queries_of(question)]
    return [
        labelled(question, [answer(true) for answer in asked], space.constants) if true else None
        for true in truths
    ]


def _too_long(answer: Answer) -> bool:
    """Return whether an answer is more than a reader can be asked to count or list."""
    if isinstance(answer, tuple):
        return len(answer) > MOST_LISTED
    return isinstance(answer, int) and answer > MOST_COUNTED


def _atom(literal: Any) -> Any:
    return literal[1] if isinstance(literal, list) and literal[0] == "not" else literal
