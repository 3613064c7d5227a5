"""The last word on every label: the record's own formulas, put to Z3."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from divlogic.benchmarks.divlogiceval.realise import CONTRADICT
from divlogic.errors import DivLogicError
from divlogic.io.files import write_json
from divlogic.io.log import track
from divlogic.logic import Formula, parse
from divlogic.logic.smt import Z3Premises
from divlogic.records import Record, read_records


def write_report(records: Path, out: Path) -> dict[str, Any]:
    """Check every label of a file with Z3 and write how many were confirmed, at which level.

    Only what the file says is used (formulas in the papers' notation), none of the generator's own structures.

    Raises:
        DivLogicError: a label is not confirmed (the message names the first ten such records), a record has no
            formulas, or there is no record.
    """
    count = checked = 0
    found: list[str] = []
    levels: set[str] = set()
    for record in track(read_records(records), "labels confirmed by Z3"):
        count += 1
        levels.add(record.metadata.get("verification", "symbolic"))
        try:
            found += [f"{record.id}: {problem}" for problem in problems(record)]
        except (KeyError, TypeError, ValueError) as error:
            raise DivLogicError(
                f"{records}, record {record.id}: its formulas cannot be checked ({error});"
                " give a split of DivLogicEval."
            ) from error
        checked += len(record.options)
    if not count:
        raise DivLogicError(f"{records}: there is no record in it to confirm; make the file again.")
    if found:
        raise DivLogicError(f"{records}: Z3 does not confirm {len(found)} labels: {'; '.join(found[:10])}.")
    report = {
        "instances": count,
        "options": checked,
        "levels": sorted(levels),
        "disagreements": len(found),
    }
    write_json(out, report)
    return report


def problems(record: Record) -> list[str]:
    """Return what Z3 finds wrong with a record's label at each level; an empty list means confirmed.

    At the ``symbolic`` level the formulas are decided as they stand. At the ``nli`` level every sentence is a
    variable of its own under the axioms of the NLI corpus.
    """
    formulas = record.formulas or {}
    found = [
        f"symbolic: {problem}"
        for problem in label_problems(record, formulas, formulas["symbolic_options"], ())
    ]
    if record.metadata.get("verification") == "nli":
        worded = record.metadata["worded"]
        axioms = [parse(text) for text in worded["axioms"]]
        found += [f"nli: {problem}" for problem in label_problems(record, worded, worded["options"], axioms)]
    wrong = [index for index, text in enumerate(formulas["options"]) if text == CONTRADICT]
    if record.question_type != "3e1c" and record.answer in wrong:
        found.append("the right option is marked as a contradiction")
    return found


def label_problems(
    record: Record, formulas: Mapping[str, Any], options: Sequence[str], axioms: Sequence[Formula]
) -> Iterator[str]:
    """Yield in words where a record's label is not what the formulas say; nothing means that it is.

    Args:
        record: gives question type and answer.
        formulas: ``premises`` and, for a missing premise, ``conclusion``.
        options: the formula of each option.
        axioms: what holds besides the premises.
    """
    premises = Z3Premises([*axioms, *map(parse, formulas["premises"])])
    choices = [parse(text) for text in options]
    if not premises.satisfiable():
        yield "the context is contradictory"
    if record.question_type == "missing_premise":
        conclusion = parse(formulas["conclusion"])
        if premises.entail(conclusion):
            yield "the conclusion follows without the missing premise"
        follows = [premises.entail(conclusion, choice) for choice in choices]
    else:
        follows = [premises.entail(choice) for choice in choices]
    expected = [(index == record.answer) != (record.question_type == "3e1c") for index in range(len(choices))]
    for index, (is_so, should) in enumerate(zip(follows, expected, strict=True)):
        if is_so != should:
            yield f"option {'ABCD'[index]} {'follows' if is_so else 'does not follow'}"
