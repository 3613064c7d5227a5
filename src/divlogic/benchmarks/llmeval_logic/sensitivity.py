"""How many wrong formalizations each signal lets through, measured on mutants of the gold and without a model.

The paper's second finding is that execution and rubric are complementary: each accepts formalizations that the other
refuses. Here every gold loses one premise, or one premise is changed at one node. Of the mutants that are
not equivalent to it, the table counts those that give the same answers, those that entail every atom that the gold
entails, those that do both, and those that the equivalence check does not tell from the gold.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial, reduce
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from divlogic.benchmarks.llmeval_logic.rubric import aligned_checks
from divlogic.benchmarks.llmeval_logic.schema import Item
from divlogic.benchmarks.llmeval_logic.verify import read_any
from divlogic.errors import DivLogicError
from divlogic.io.log import say
from divlogic.io.tables import declared_tables
from divlogic.logic.deciding import Space, quick_decider
from divlogic.logic.equivalence import operands
from divlogic.logic.grounding import GroundDecider
from divlogic.logic.smt import OutOfResourcesError, Z3Session
from divlogic.logic.syntax import Atom, Binary, Negation, Quantified, Sentence
from divlogic.logic.theory import MOST_LISTED, Answer, Formalization

TABLES = declared_tables(Path(__file__).with_name("tables.yaml"))
SIGNALS = ("answer", "rubric", "both", "equivalence")

MAX_GROUND = 20
"""Largest number of propositions, or of ground atoms of a closed domain, whose valuations are listed."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """A changed theory.

    Attributes:
        place: number of the premise that changed.
        formula: what the premise says now; ``None``: it is dropped.
    """

    operator: str
    place: int
    formula: Sentence | None
    theory: Formalization


def mutants(theory: Formalization) -> Iterator[Mutant]:
    """Yield the mutants in the order of premises and nodes; of equal theories only the first."""
    seen = {tuple(premise.formula for premise in theory.premises)}
    for place, premise in enumerate(theory.premises):
        changes: list[tuple[str, Sentence | None]] = [
            ("drop", None),
            *sentence_mutants(premise.formula),
        ]
        for operator, formula in changes:
            premises = list(theory.premises)
            if formula is None:
                del premises[place]
            else:
                premises[place] = replace(premise, formula=formula, expression=None)
            key = tuple(each.formula for each in premises)
            if key not in seen:
                seen.add(key)
                yield Mutant(operator, place, formula, theory.with_premises(premises))


def sentence_mutants(sentence: Sentence) -> Iterator[tuple[str, Sentence]]:
    """Yield every sentence that differs at one node, with the operator's name; the node itself first.

    A chain of conjuncts or of disjuncts is one node.
    """
    match sentence:
        case Atom():
            yield "negate", Negation(sentence)
        case Negation(operand):
            yield "drop_negation", operand
            for name, changed in sentence_mutants(operand):
                # A double negation is a negation dropped.
                if not isinstance(changed, Negation) or isinstance(operand, Negation):
                    yield name, Negation(changed)
        case Binary(("∧" | "∨") as sign, _, _):
            parts = operands(sentence, sign)
            name, other = ("and_to_or", "∨") if sign == "∧" else ("or_to_and", "∧")
            yield name, reduce(partial(Binary, other), parts)
            for place, part in enumerate(parts):
                for name, changed in sentence_mutants(part):
                    yield (
                        name,
                        reduce(
                            partial(Binary, sign), [*parts[:place], changed, *parts[place + 1 :]]
                        ),
                    )
        case Binary(sign, left, right):
            if sign == "→":
                yield "converse", Binary("→", right, left)
                yield "implies_to_iff", Binary("↔", left, right)
                yield "implies_to_and", Binary("∧", left, right)
            elif sign == "↔":
                yield "iff_to_implies", Binary("→", left, right)
            for name, changed in sentence_mutants(left):
                yield name, Binary(sign, changed, right)
            for name, changed in sentence_mutants(right):
                yield name, Binary(sign, left, changed)
        case Quantified(sign, variable, body):
            name, other = ("forall_to_exists", "∃") if sign == "∀" else ("exists_to_forall", "∀")
            yield name, Quantified(other, variable, body)
            for name, changed in sentence_mutants(body):
                yield name, Quantified(sign, variable, changed)


Counts = Counter[str]
"""Of one operator: mutants, those that differ from the gold, and of these the ones that each signal lets through."""


def measure_sensitivity(source: Path, out: Path, processes: int = 1) -> dict[str, Any]:
    """Write the table of what each signal lets through, one row per mutation operator and one for all.

    Args:
        source: a folder of published layout, or a jsonl file of own items, whose rubrics are their premises.
        out: the table (csv); md, tex and json have the same name.
    """
    items, problems = read_any(source)
    for problem in problems:
        say(f"left out: {problem}")
    if not items:
        raise DivLogicError(
            f"{source}: holds no item; give a folder of published layout or a jsonl file."
        )
    rows = sensitivity(items, processes=processes)
    TABLES["sensitivity"].write(out.with_suffix(""), rows)
    total = rows[-1]
    shares = ", ".join(f"{signal} {total[f'{signal}_percent']:.1f} %" for signal in SIGNALS)
    say(
        f"{source}: of {total['not_equivalent']:,} mutants that are not equivalent, let through: {shares}."
    )
    return total


def sensitivity(items: Sequence[Item], *, processes: int = 1) -> list[dict[str, Any]]:
    """Return one row per operator, sorted by name, and a last one for ``all``."""
    if processes > 1:
        with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
            found = list(pool.map(item_counts, items, chunksize=4))
    else:
        found = list(map(item_counts, items))
    total: defaultdict[str, Counts] = defaultdict(Counter)
    for counts in found:
        for operator, each in counts.items():
            total[operator].update(each)
            total["all"].update(each)
    return [_row(name, total[name]) for name in (*sorted(total.keys() - {"all"}), "all")]


def item_counts(item: Item) -> dict[str, Counts]:
    """Return the counts of one item by operator."""
    gold = item.formalization
    space = _space(gold)
    checks = aligned_checks(item.criteria(), gold).values()
    stated = [each.sentences[0] for each in checks if each.sentences]
    denied = _holds(space, _axioms(space, gold), [Negation(claim) for claim in stated])
    claims = [claim for claim, possible in zip(stated, denied, strict=True) if not possible]
    first = gold.premises[0].formula
    true = Binary("→", first, first)
    found: defaultdict[str, Counts] = defaultdict(Counter)
    expected = _answers(space, gold)
    differing: list[Mutant] = []
    for mutant in mutants(gold):
        counts = found[mutant.operator]
        counts["mutants"] += 1
        axioms = _axioms(space, gold)
        del axioms[mutant.place]
        change = _change(gold.premises[mutant.place].formula, mutant.formula)
        if not any(_holds(space, axioms, [change])):
            continue
        counts["not_equivalent"] += 1
        answer = _answers(space, mutant.theory) == expected
        # Equivalent theories have the same answers; a search for models of those that have not would be in vain.
        if answer or gold.propositional:
            differing.append(mutant)
        axioms = _axioms(space, mutant.theory)
        rubric = not any(_holds(space, axioms, [Negation(claim) for claim in claims]))
        counts.update({"answer": answer, "rubric": rubric, "both": answer and rubric})
        if rubric:
            counts["rubric_contradictory"] += not any(_holds(space, axioms, [true]))
    for mutant, equivalent in zip(differing, called_equivalent(gold, differing), strict=True):
        found[mutant.operator]["equivalence"] += equivalent
    return found


def _space(gold: Formalization) -> Space | None:
    """Return all valuations of a propositional theory, or of a closed domain; ``None`` where Z3 decides.

    In a closed domain a predicate of constants is a proposition: Z3 would take a hundred times as long.
    """
    symbols = [symbol for symbol in gold.symbols if symbol.kind == "prop" or not gold.propositional]
    if gold.propositional or gold.domain == "closed":
        with suppress(ValueError):
            return Space(symbols, MAX_GROUND)
    return None


def _axioms(space: Space | None, theory: Formalization) -> list[Sentence]:
    """Return the premises, and what a closed domain adds to them where that is not in the valuations already."""
    return [premise.formula for premise in theory.premises] if space else list(theory.axioms())


def _answers(space: Space | None, theory: Formalization) -> list[Answer | None]:
    if space is None:
        return [verdict.answer for verdict in quick_decider(theory).decide(theory).verdicts]
    true = space.conjunction(_axioms(space, theory))
    return [space.asked(query, MOST_LISTED)(true) for query in theory.queries]


def _holds(
    space: Space | None, premises: Sequence[Sentence], goals: Sequence[Sentence]
) -> Iterator[bool]:
    """Yield, goal by goal, whether it is satisfiable under the premises; what is undecided counts as not."""
    if space:
        true = space.conjunction(premises)
        yield from (bool(true & space.table(goal)) for goal in goals)
        return
    with Z3Session(premises, goals) as session:
        for place in range(len(goals)):
            try:
                yield session.satisfiable(place)
            except OutOfResourcesError:
                yield False


def called_equivalent(gold: Formalization, candidates: Sequence[Mutant]) -> list[bool]:
    """Ask another decider than the one that found the differences which mutants are equivalent to the gold.

    A mutant differs if, under the premises that it keeps, the changed one and its original are not equivalent. Asked
    are Z3 for propositional theories and finite models for the others.
    """
    axioms = list(gold.axioms())
    changes = [_change(axioms[mutant.place], mutant.formula) for mutant in candidates]
    if not gold.propositional:
        found = []
        for mutant, change in zip(candidates, changes, strict=True):
            rest = tuple(each for place, each in enumerate(gold.premises) if place != mutant.place)
            differs, _ = GroundDecider().search(replace(gold, premises=rest), [change])
            found.append(not differs)
        return found
    kept = [
        [place for place in range(len(axioms)) if place != mutant.place] for mutant in candidates
    ]
    with Z3Session((), [*axioms, *changes]) as session:
        return [
            not session.satisfiable(*places, len(axioms) + number)
            for number, places in enumerate(kept)
        ]


def _change(original: Sentence, changed: Sentence | None) -> Sentence:
    """Return the sentence that holds where a premise and its mutant differ."""
    return Negation(original) if changed is None else Binary("⊕", original, changed)


def _row(name: str, counts: Counts) -> dict[str, Any]:
    differ = counts["not_equivalent"]
    percent = {
        f"{signal}_percent": 100 * counts[signal] / differ if differ else 0.0 for signal in SIGNALS
    }
    columns = TABLES["sensitivity"].names[1:]
    return {"operator": name, **{column: counts[column] for column in columns}, **percent}
