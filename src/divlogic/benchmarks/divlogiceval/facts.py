"""What is said of DivLogicEval: columns, licence and summary of its release, and the audit of its labels."""

from __future__ import annotations

from pathlib import Path
from string import ascii_uppercase

from divlogic.benchmarks.spec import read_release
from divlogic.benchmarks.verdict import Verdict, published_letter
from divlogic.logic import parse
from divlogic.logic.smt import Z3Premises
from divlogic.records import Record

RELEASE = read_release(Path(__file__).with_name("release.yaml"))


def audit_choices(record: Record) -> Verdict | None:
    """Decide with Z3 which option is the odd one out; ``None`` if the record has no formulas for its options."""
    formulas = record.formulas or {}
    options = formulas.get("symbolic_options") or formulas.get("options")
    if not options or not formulas.get("premises") or record.answer is None:
        return None
    published = published_letter(record)
    try:
        premises = Z3Premises(parse(text) for text in formulas["premises"])
        choices = [parse(text) for text in options]
        goal = parse(formulas["conclusion"]) if formulas.get("conclusion") else None
    except ValueError as error:
        return Verdict(record.id, published, None, "not parsed", str(error))
    if goal is not None:
        follows = [premises.entail(goal, choice) for choice in choices]
    else:
        follows = [premises.entail(choice) for choice in choices]
    wanted = record.question_type != "3e1c"
    right = [index for index, one in enumerate(follows) if one == wanted]
    if len(right) != 1:
        reason = f"{len(right)} options are right"
        return Verdict(record.id, published, None, "ambiguous", reason)
    derived = ascii_uppercase[right[0]]
    return Verdict(
        record.id,
        published,
        derived,
        "" if derived == published else "label",
        "" if derived == published else "Z3 finds another option",
    )
