"""Readers of k rounds of the benchmarks whose learners have none: each round applies every premise once.

A premise whose other atoms are known settles an atom; a reader says that a statement follows if its denial is refuted
within the rounds. What is not reached counts as open.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from divlogic.benchmarks.llmeval_logic.check import hard_item_of
from divlogic.benchmarks.llmeval_logic.hardener.draft import MAX_ATOMS
from divlogic.benchmarks.llmeval_logic.hardener.item import supposed
from divlogic.benchmarks.llmeval_logic.hardener.panel import Propagation
from divlogic.benchmarks.llmeval_logic.hardener.questions import answers_in
from divlogic.logic import Formula, TruthSpace, negate, parse, truth_space, variables
from divlogic.logic.deciding import Space
from divlogic.records import Record

Known = dict[str, bool]


def share_right(record: Record, rounds: int) -> float:
    """Return the probability that a reader answers a record rightly, who guesses among what is not ruled out.

    Of LLMEval-Logic it is the share of sub-questions.
    """
    formulas = record.formulas or {}
    if "query" in formulas:
        premises, query = [parse(text) for text in formulas["premises"]], parse(formulas["query"])
        refuted = [_refuted([*premises, one], rounds) for one in (negate(query), query)]
        said = refuted.index(True) if any(refuted) else 2
        return float(said == record.answer)
    return _of_options(record, rounds) if record.options else _of_questions(record, rounds)


def _of_options(record: Record, rounds: int) -> float:
    """DivLogicEval: an option must follow, must not follow (3e1c), or must complete the conclusion."""
    formulas = record.formulas or {}
    premises = [parse(text) for text in formulas["premises"]]
    conclusion = formulas["conclusion"] if record.question_type == "missing_premise" else None
    follows = []
    for option in map(parse, formulas["symbolic_options"]):
        denied = [negate(option)] if conclusion is None else [option, negate(parse(conclusion))]
        follows.append(_refuted([*premises, *denied], rounds))
    wanted = record.question_type != "3e1c"
    left = [place for place, found in enumerate(follows) if found == wanted] or range(len(follows))
    return (record.answer in left) / len(left)


def _of_questions(record: Record, rounds: int) -> float:
    item = hard_item_of(record)
    space = Space(item.theory.symbols, MAX_ATOMS)
    reader = Propagation(space)
    right = 0
    for question in item.questions:
        premises = tuple(premise.formula for premise in supposed(item.theory.premises, question))
        right += answers_in(space, [reader.reached(premises, rounds)], question) == [
            question.answer
        ]
    return right / len(item.questions)


def _refuted(sentences: Sequence[Formula], rounds: int) -> bool:
    """Return whether sentences contradict each other within so many rounds; what states a literal is known before."""
    spaces = [truth_space(variables(one)) for one in sentences]
    tables = [(space, space.table(one)) for space, one in zip(spaces, sentences, strict=True)]
    known: Known = {}
    for turn in range(rounds + 1):
        found: Known = {}
        for space, table in tables:
            if turn == 0 and len(space.masks) > 1:
                continue
            left = _left(space, table, known)
            if not left:
                return True
            for name, value in _settled(space, left):
                if found.setdefault(name, value) != value:
                    return True
        known |= found
    return False


def _left(space: TruthSpace, table: int, known: Known) -> int:
    for name, mask in space.masks.items():
        if name in known:
            table &= mask if known[name] else ~mask
    return table


def _settled(space: TruthSpace, left: int) -> Iterator[tuple[str, bool]]:
    for name, mask in space.masks.items():
        if not left & mask or not left & ~mask:
            yield name, bool(left & mask)
