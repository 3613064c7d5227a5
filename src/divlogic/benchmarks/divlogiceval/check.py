"""The last word on every label: the record's own formulas, put to Z3."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from pathlib import Path
from string import ascii_uppercase
from typing import Any

from divlogic.benchmarks.divlogiceval.invariants import told_by_an_instance, told_by_members
from divlogic.benchmarks.divlogiceval.propositions import Proposition, read_notation
from divlogic.benchmarks.divlogiceval.realise import CONTRADICT
from divlogic.benchmarks.verdict import Verdict, confirmed, of_each
from divlogic.io.files import write_json
from divlogic.logic import Formula, parse
from divlogic.logic.grounding import Fact, clauses_over, coded, numbers
from divlogic.logic.smt import Z3Clauses, z3_entails
from divlogic.records import Record

_SOLVER = Z3Clauses()


@lru_cache(maxsize=20_000)
def _clauses(formula: Formula | str, holds: bool) -> list[tuple[Fact, ...]]:
    """Return a formula, or its denial, as clauses; of a dozen variables there are some thousand in all."""
    return clauses_over(parse(formula) if isinstance(formula, str) else formula, (), holds)


def write_report(source: Path, out: Path) -> dict[str, Any]:
    """Check every label of a file with Z3 and write how many were confirmed, at which level.

    Of square quartets it is checked, too, that what their theorem says to be equal is equal.

    Only what the file says is used (formulas in the papers' notation), none of the generator's own structures.
    """
    instances, options, levels = 0, 0, set()
    quartets = _Quartets()

    def objections(record: Record) -> Iterator[str]:
        yield from problems(record)
        yield from quartets.problems(record)

    for record in chain.from_iterable(confirmed((source,), "DivLogicEval", of_each(objections))):
        instances += 1
        options += len(record.options)
        levels.add(record.metadata.get("verification", "symbolic"))
    report = {
        "instances": instances,
        "options": options,
        "levels": sorted(levels),
        "disagreements": 0,
    }
    write_json(out, report)
    return report


def problems(record: Record) -> list[str]:
    """Return what Z3 finds wrong with a record's label at each level; an empty list means confirmed.

    At the ``symbolic`` level the formulas are decided as they stand. At the ``nli`` level every sentence is a
    variable of its own under the axioms of the NLI corpus.
    """
    formulas = record.formulas or {}
    symbolic = label_problems(record, formulas, formulas["symbolic_options"], ())
    found = [f"symbolic: {problem}" for problem in symbolic]
    if record.metadata.get("construction") == "square":
        found += told_by_an_instance(*_stated(formulas))
    if record.metadata.get("verification") == "nli":
        worded = record.metadata["worded"]
        nli = label_problems(record, worded, worded["options"], worded["axioms"])
        found += [f"nli: {problem}" for problem in nli]
    wrong = [index for index, text in enumerate(formulas["options"]) if text == CONTRADICT]
    if record.question_type != "3e1c" and record.answer in wrong:
        found.append("the right option is marked as a contradiction")
    return found


class _Quartets:
    """The quartets of a file, whose members stand apart."""

    def __init__(self) -> None:
        self._first: dict[tuple[Any, int], list[Proposition]] = {}

    def problems(self, record: Record) -> Iterator[str]:
        """Yield what tells a record of a square quartet from the first member."""
        number = record.metadata.get("quartet")
        if number is None or record.metadata.get("construction") != "square":
            return
        premises, _, conclusion = _stated(record.formulas or {})
        first = self._first.setdefault((record.question_type, number), premises)
        yield from told_by_members([first, premises], conclusion)


def _stated(
    formulas: Mapping[str, Any],
) -> tuple[list[Proposition], list[Proposition], Proposition | None]:
    """Read premises, options and conclusion of a record."""
    premises = list(map(read_notation, formulas["premises"]))
    options = list(map(read_notation, formulas["symbolic_options"]))
    conclusion = formulas["conclusion"]
    return premises, options, read_notation(conclusion) if conclusion else None


def label_problems(
    record: Record,
    formulas: Mapping[str, Any],
    options: Sequence[str],
    axioms: Sequence[Formula | str],
) -> Iterator[str]:
    """Yield in words where a record's label is not what the formulas say; nothing means that it is.

    Args:
        formulas: ``premises`` and, for a missing premise, ``conclusion``.
        axioms: what holds besides the premises, as formulas or their texts.
    """
    missing = record.question_type == "missing_premise"
    number = numbers()
    asked = [number[place] for place in range(len(options))]
    denied = [number["conclusion"]] if missing else []
    stated = chain.from_iterable([_clauses(one, True) for one in (*axioms, *formulas["premises"])])
    clauses = coded(stated, number)
    # One solver holds all of it: what a question adds to the premises counts where its number is assumed.
    added = [(text, missing, place) for text, place in zip(options, asked, strict=True)]
    added += [(formulas["conclusion"], False, place) for place in denied]
    for text, holds, place in added:
        clauses += [(-place, *clause) for clause in coded(_clauses(text, holds), number)]
    with _SOLVER.held(clauses, len(number)):
        if not _SOLVER.satisfiable():
            yield "the context is contradictory"
        if denied and not _SOLVER.satisfiable(denied):
            yield "the conclusion follows without the missing premise"
        follows = [not _SOLVER.satisfiable([place, *denied]) for place in asked]
    expected = [
        (index == record.answer) != (record.question_type == "3e1c")
        for index in range(len(options))
    ]
    for index, (is_so, should) in enumerate(zip(follows, expected, strict=True)):
        if is_so != should:
            yield f"option {'ABCD'[index]} {'follows' if is_so else 'does not follow'}"


def audit_choices(record: Record) -> Verdict | None:
    """Decide with Z3 which option is the odd one out; ``None`` if the record has no formulas for its options."""
    formulas = record.formulas or {}
    options = formulas.get("symbolic_options") or formulas.get("options")
    if not options or not formulas.get("premises") or record.answer is None:
        return None
    published = ascii_uppercase[record.answer]
    try:
        premises = [parse(text) for text in formulas["premises"]]
        choices = [parse(text) for text in options]
        goal = parse(formulas["conclusion"]) if formulas.get("conclusion") else None
    except ValueError as error:
        return Verdict(record.id, published, None, "not parsed", str(error))
    asked = [(premises, one) if goal is None else ([*premises, one], goal) for one in choices]
    wanted = record.question_type != "3e1c"
    right = [index for index, question in enumerate(asked) if z3_entails(*question) == wanted]
    if len(right) != 1:
        return Verdict(record.id, published, None, "ambiguous", f"{len(right)} options are right")
    derived = ascii_uppercase[right[0]]
    finding = () if derived == published else ("label", "Z3 finds another option")
    return Verdict(record.id, published, derived, *finding)
