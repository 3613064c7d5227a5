"""Candidate sub-questions of a draft: their answers, what each gives away, and the premises that it needs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial
from typing import Any, Literal

from divlogic.benchmarks.llmeval_logic.hardener import wording
from divlogic.benchmarks.llmeval_logic.hardener.draft import Draft
from divlogic.benchmarks.llmeval_logic.hardener.item import (
    STATEMENTS,
    SubQuestion,
    form_of_supposition,
    labelled,
    queries_of,
)
from divlogic.benchmarks.llmeval_logic.hardener.operators import opposite, signed
from divlogic.draws import Draws
from divlogic.logic.deciding import Space
from divlogic.logic.expressions import read_expression, to_expression
from divlogic.logic.syntax import Atom, Binary, Sentence, atoms_of
from divlogic.logic.theory import (
    Answer,
    Gloss,
    Premise,
    Query,
    Symbol,
    goals_of,
    target_name,
)

MOST_MODELS = 64
MOST_COUNTED = 20
MOST_LISTED = 8
"""Largest number of projected models of an item, of those that a reader is asked to count, and to list."""

YES_OR_NO = ("possible", "necessary", "unique_solution", "has_alternative")
"""Kinds with two answers. Theirs may stay under a supposition: if it always turned, the supposition would tell it."""

_SHOWN_TARGETS = (3, 4, 5)
_VERDICTS: tuple[Literal["possible", "necessary"], ...] = ("possible", "necessary")
_MOST_TARGETS = 10
_STATEMENTS = 6
_DRAWN_STATEMENTS = 4 * _STATEMENTS
"""Number of statements of which those of a list are chosen: enough for most numbers that an answer may name."""

Supposition = tuple[tuple[str, ...], tuple[Premise, ...]]
"""Ids of the premises that are taken out, and the premises that are put in."""

_AS_STATED: Supposition = ((), ())


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
        self._drawn_numbers: dict[tuple[str, str], list[int]] = {}

    def candidates(self) -> Iterator[Candidate]:
        """Yield questions about the theory itself, then about changed ones."""
        plain = list(self._plain())
        yield from filter(None, map(self._candidate, (*plain, *self._counterfactual(plain))))

    def answer(self, question: SubQuestion) -> Answer | None:
        """Return the answer from the valuations; ``None`` if it has none."""
        return answers_in(
            self.space, [self._truths(question.removed, question.added)[""]], question
        )[0]

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
        if question.query is None and answer in (
            (),
            tuple((each.id,) for each in question.statements),
        ):
            return None
        question = replace(question, answer=answer)
        truths = self._truths(question.removed, question.added)
        whole = truths[""]
        if any(self._vacuous(each.formula, whole) for each in queries_of(question)):
            return None
        changed = [name for name in self.tables if truths[name] != whole]
        others = answers_in(self.space, [truths[name] for name in changed], question)
        covers = frozenset(
            name for name, other in zip(changed, others, strict=True) if other != answer
        )
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
        formulas = [
            each.formula for each in queries_of(question) if each.formula and not each.variable
        ]
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
            for kind in STATEMENTS:
                if listed := self._set_valued(kind, _AS_STATED):
                    yield listed
        for size in self.draws.shuffled(_SHOWN_TARGETS):
            targets = self.draws.shuffled(self.core)[:size]
            if len(targets) == size:
                yield from self._about_targets(sorted(targets, key=self.core.index))
        if len(self.core) <= _MOST_TARGETS:
            yield self._question(Query("q", "count_models", None, tuple(self.core)))
        yield from self._objects()
        for _ in range(3):
            yield from self._pairs(_AS_STATED)

    def _about_targets(self, targets: Sequence[Atom]) -> Iterator[SubQuestion]:
        models = self.space.models(self.true, targets, MOST_MODELS)
        if models is None:
            return
        if 2 <= len(models) <= MOST_LISTED:
            yield self._question(Query("q", "enumerate_models", None, tuple(targets)))
        yield self._question(Query("q", "count_models", None, tuple(targets)))

    def _objects(self) -> Iterator[SubQuestion]:
        constants = [symbol.name for symbol in self.draft.symbols if symbol.kind == "const"]
        for symbol in self.draft.symbols:
            if symbol.kind != "pred" or symbol.name not in self.draft.core:
                continue
            terms = (
                ["x"]
                if symbol.arity == 1
                else self.draws.shuffled(["x", self.draws.pick(constants)])
            )
            expression: Any = [symbol.name, *terms]
            if self.draws.chance(0.3):
                expression = ["not", expression]
            formula = read_expression(expression, {**self.words.symbols, "x": Symbol("x", "const")})
            query = Query("q", "enumerate_objects", formula, variable="x", expression=expression)
            yield self._question(query)

    def _set_valued(self, kind: str, supposition: Supposition) -> SubQuestion | None:
        """Return a list of statements: none twice (also turned round or denied), none a condition or its denial.

        How many of them the answer names is drawn evenly, once for all lists of a kind and form, so that neither tells
        it; where the statements drawn do not allow the number, the next one that was drawn is taken.
        """
        drawn = self._statements(kind, supposition)
        before = self._named(kind, drawn, _AS_STATED)
        after = self._named(kind, drawn, supposition)
        # Under a supposition the answer has to change, so statements of which it changes come first.
        drawn = sorted(drawn, key=lambda each: (each.id in before) == (each.id in after))
        named = [each for each in drawn if each.id in after]
        others = [each for each in drawn if each.id not in after]
        for number in self._numbers(kind, _form_of(supposition)):
            if number > len(named) or _STATEMENTS - number > len(others):
                continue
            chosen = self.draws.shuffled(named[:number] + others[: _STATEMENTS - number])
            return self._listed(kind, chosen)
        return None

    def _numbers(self, kind: str, form: str) -> list[int]:
        """Return how many statements an answer may name, in the order drawn for the kind and form."""
        if (kind, form) not in self._drawn_numbers:
            self._drawn_numbers[kind, form] = self.draws.shuffled(range(1, _STATEMENTS))
        return self._drawn_numbers[kind, form]

    def _statements(self, kind: str, supposition: Supposition) -> list[Premise]:
        """Draw different statements, of which a list is chosen."""
        statements: list[Premise] = []
        seen: set[int] = set()
        conditionals = 0
        for _ in range(8 * _STATEMENTS):
            may_be_conditional = kind == "statements_all" and not conditionals
            expression = self._compound(literal=0.5, conditional=may_be_conditional)
            sentence = read_expression(expression, self.words.symbols)
            table = self.space.table(sentence)
            if not self._fresh(table) or table in seen or self._said_by(table, supposition):
                continue
            seen |= {table, self.space.full & ~table}
            conditionals += expression[0] == "->"
            name = str(len(statements) + 1)
            statements.append(Premise(name, sentence, Gloss(), "rule", expression))
            if len(statements) == _DRAWN_STATEMENTS:
                break
        return statements

    def _named(
        self, kind: str, statements: Sequence[Premise], supposition: Supposition
    ) -> frozenset[str]:
        """Return the ids of the statements that the answer to a list of them names."""
        question = SubQuestion("", kind, "set_valued", Gloss(), statements=tuple(statements))
        true = self._truths(*supposition)[""]
        (answer,) = answers_in(self.space, [true], question)
        return frozenset(name for (name,) in answer) if isinstance(answer, tuple) else frozenset()

    def _listed(self, kind: str, chosen: Sequence[Premise]) -> SubQuestion:
        """Return the question about statements, which it numbers."""
        statements = [
            replace(
                each, id=str(place), text=wording.both(partial(self.words.clause, each.expression))
            )
            for place, each in enumerate(chosen, start=1)
        ]

        def text_in(language: wording.Language) -> str:
            shown = wording.numbered(
                [getattr(each.text, language) for each in statements], language
            )
            return wording.said(
                kind, language, number=wording.number(_STATEMENTS, language), shown=shown
            )

        return SubQuestion(
            "", kind, "set_valued", wording.both(text_in), statements=tuple(statements)
        )

    def _fresh(self, table: int) -> bool:
        """Return whether a statement is neither a condition or its denial, nor true or false by itself."""
        denial = self.space.full & ~table
        return bool(table and denial) and all(
            each not in (table, denial) for each in self.tables.values()
        )

    # Pairs of questions of yes or no that are alike but for the answer.

    def _pairs(self, supposition: Supposition) -> Iterator[SubQuestion]:
        """Yield for each kind of question of yes or no one with each answer, where the theory has them."""
        for kind in _VERDICTS:
            yield from self._verdict_pair(kind, supposition)
        for targets in self._target_pairs(supposition):
            for each in targets:
                yield self._question(Query("q", "unique_solution", None, each))
        for unique, several in self._target_pairs(supposition):
            (model,) = self._models(unique, supposition)
            yield self._has_alternative(unique, model)
            # One that differs from a possible case in one place, or a possible case of several.
            if self.draws.chance(0.5):
                yield self._has_alternative(unique, model ^ {self.draws.below(len(unique))})
            else:
                models = self._models(several, supposition)
                yield self._has_alternative(several, self.draws.pick(models))

    def _target_pairs(
        self, supposition: Supposition
    ) -> Iterator[tuple[tuple[Atom, ...], tuple[Atom, ...]]]:
        """Yield two equally long lists of atoms, or none: of the first there is one case, of the second several."""
        true = self._truths(*supposition)[""]
        tables = {
            atom: table
            for atom in self.core
            if not self._said_by(table := self.space.table(atom), supposition)
        }
        settled = [atom for atom, table in tables.items() if not true & table or not true & ~table]
        unsettled = [atom for atom in tables if atom not in settled]
        sizes = [size for size in _SHOWN_TARGETS if size <= len(settled)]
        if not true or not sizes or not unsettled:
            return
        size = self.draws.pick(sizes)
        some = self.draws.pick(unsettled)
        others = self.draws.shuffled([atom for atom in tables if atom != some])
        unique = self.draws.shuffled(settled)[:size]
        several = [some, *others[: size - 1]]
        if self._models(several, supposition):
            yield self._in_order(unique), self._in_order(several)

    def _in_order(self, targets: Sequence[Atom]) -> tuple[Atom, ...]:
        return tuple(sorted(targets, key=self.core.index))

    def _models(
        self, targets: Sequence[Atom], supposition: Supposition
    ) -> Sequence[frozenset[int]]:
        """Return the places of the targets that hold in each projected model; empty if there are too many."""
        true = self._truths(*supposition)[""]
        found = self.space.models(true, targets, MOST_MODELS) or ()
        return [frozenset(row) for row in found]

    def _has_alternative(self, targets: Sequence[Atom], row: frozenset[int]) -> SubQuestion:
        given = tuple(target_name(targets[place]) for place in sorted(row))
        return self._question(Query("q", "has_alternative", None, tuple(targets), given=given))

    def _verdict_pair(
        self, kind: Literal["possible", "necessary"], supposition: Supposition
    ) -> Iterator[SubQuestion]:
        """Yield two questions about statements of one shape with different answers, or none.

        No single condition settles a statement.
        """
        shape = self._shape(literal=0.4, conditional=kind == "necessary")
        found: dict[Any, SubQuestion] = {}
        for _ in range(24):
            expression = self._of_shape(shape)
            sentence = read_expression(expression, self.words.symbols)
            table = self.space.table(sentence)
            stated = self.tables.values()
            settled = any(not each & table or not each & ~table for each in stated)
            if settled or self._said_by(table, supposition):
                continue
            query = Query("q", kind, sentence, expression=expression)
            removed, added = supposition
            bare = SubQuestion("", kind, "added", Gloss(), query, removed=removed, added=added)
            answer = self.answer(bare)
            if answer is None or self._vacuous(sentence, self._truths(removed, added)[""]):
                continue
            found.setdefault(answer, self._question(query))
            if len(found) == 2:
                yield from found.values()
                return

    def _question(self, query: Query) -> SubQuestion:
        text = wording.both(partial(self._text, query))
        return SubQuestion("", query.type, "added", text, replace(query, text=text))

    def _compound(self, literal: float = 0.4, *, conditional: bool) -> Any:
        """Draw a literal, or two joined."""
        return self._of_shape(self._shape(literal, conditional=conditional))

    def _shape(self, literal: float, *, conditional: bool) -> str:
        """Draw the word that joins two literals; empty for a single one.

        Whether "if A then B" is possible is a question that readers of the material conditional alone understand.
        """
        if self.draws.chance(literal):
            return ""
        return self.draws.pick(("and", "or", "->") if conditional else ("and", "or"))

    def _of_shape(self, shape: str) -> Any:
        """Draw a literal, or two about different atoms, joined."""
        first = self._literal()
        if not shape:
            return first
        second = self._literal()
        # One atom makes no compound: of those few the first literal stands alone.
        return first if _atom(first) == _atom(second) else [shape, first, second]

    def _literal(self) -> Any:
        return signed(to_expression(self.draws.pick(self.core)), self.draws)

    # Questions about a changed theory.

    def _counterfactual(self, plain: Sequence[SubQuestion]) -> Iterator[SubQuestion]:
        """Yield questions under suppositions: a premise dropped, a fact turned round, a further fact.

        Lists of statements and questions of yes or no are drawn for each supposition, so that their answers do not lean
        to the side to which it turns those of the theory; other questions are those of the theory.
        """
        drawn_anew = (*STATEMENTS, *YES_OR_NO)
        carried = [each for each in plain if each.type not in drawn_anew]
        for supposition in self._suppositions():
            removed, added = supposition
            form = _form_of(supposition)
            lead = wording.both(partial(self._supposition, form, removed, added))
            questions = [
                each
                for each in self.draws.shuffled(carried)[:6]
                if not self._repeats(each, supposition)
            ]
            listed = self._set_valued(self.draws.pick(tuple(STATEMENTS)), supposition)
            if listed is not None:
                questions.append(listed)
            questions += self._pairs(supposition)
            for question in questions:
                baseline = self.answer(question)
                if baseline is None:
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
        self,
        kind: str,
        removed: tuple[str, ...],
        added: tuple[Premise, ...],
        language: wording.Language,
    ) -> str:
        place = next(
            (n for n, each in enumerate(self.draft.premises, start=1) if each.id in removed), None
        )
        clause = "".join(getattr(each.text, language).rstrip("。.") for each in added)
        return wording.said(kind, language, place=place, clause=clause)

    def _repeats(self, question: SubQuestion, supposition: Supposition) -> bool:
        """Return whether a question asks, as a whole or in one of its parts, for what its supposition says."""
        queries = [query for query in queries_of(question) if not query.variable]
        parts = [part for query in queries for part in query.targets or (query.formula,)]
        return any(
            self._said_by(self.space.table(part), supposition) for part in parts if part is not None
        )

    def _said_by(self, table: int, supposition: Supposition) -> bool:
        """Return whether a premise that is supposed settles a statement."""
        _, added = supposition
        supposed = [self.space.table(premise.formula) for premise in added]
        return any(not each & table or not each & ~table for each in supposed)

    def _suppositions(self) -> Iterator[Supposition]:
        # A law of a relation ("nobody stands before himself") holds by what the words mean: nobody can drop it.
        premises = [
            premise
            for premise in self.draft.premises
            if premise.role == "fact"
            or (
                premise.role == "rule"
                and any(len(atom.terms) != 2 for atom in atoms_of(premise.formula))
            )
        ]
        for premise in self.draws.shuffled(premises)[:3]:
            added: tuple[Premise, ...] = ()
            if (
                premise.role == "fact"
                and wording.is_literal(premise.expression)
                and self.draws.chance(0.75)
            ):
                added = (
                    self.draft.made(opposite(premise.expression), "fact", name=f"{premise.id}_not"),
                )
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
            this = Symbol(
                "x", "const", gloss=wording.both(lambda each: wording.said("that", each, noun))
            )
            words = wording.ChineseWording({**self.words.symbols, "x": this}, self.draft.things)
            shown = [getattr(symbol.gloss, language) for symbol in constants]
        else:
            shown = [words.clause(to_expression(target), language) for target in query.targets]
        if query.formula is not None:
            values["clause"] = words.clause(query.expression, language)
        if query.given is not None:
            values["case"] = wording.case_of(_places(query), len(query.targets), language)
        return wording.said(query.type, language, shown=wording.numbered(shown, language), **values)


def _form_of(supposition: Supposition) -> str:
    """Return what a supposition does, as :attr:`SubQuestion.form` says it."""
    return form_of_supposition(*supposition)


def _places(query: Query) -> list[int]:
    """Return the places of the targets that hold in the model that is given."""
    return [
        place
        for place, each in enumerate(query.targets)
        if target_name(each) in (query.given or ())
    ]


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
