"""This project's own benchmarks: the right answer from the formulas."""

from __future__ import annotations

from divlogic.diversity.audit.verdict import Verdict, published_label
from divlogic.logic import negate, parse
from divlogic.logic.smt import Z3Premises
from divlogic.records import Record


def audit_choices(record: Record) -> Verdict | None:
    """Decide with Z3 which option is the odd one out; ``None`` if the record has no formulas for its options."""
    formulas = record.formulas or {}
    options = formulas.get("symbolic_options") or formulas.get("options")
    if not options or not formulas.get("premises") or record.answer is None:
        return None
    published = published_label(record)
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
    derived = "ABCDEFGH"[right[0]]
    return Verdict(
        record.id,
        published,
        derived,
        "" if derived == published else "label",
        "" if derived == published else "Z3 finds another option",
    )


def audit_arguments(record: Record) -> Verdict | None:
    """Decide with Z3 whether the premises entail, refute or leave open the query of a generated JustLogic item."""
    formulas = record.formulas or {}
    if record.answer is None or not formulas.get("premises") or not formulas.get("query"):
        return None
    published = published_label(record)
    try:
        premises = Z3Premises(parse(text) for text in formulas["premises"])
        query = parse(formulas["query"])
    except ValueError as error:
        return Verdict(record.id, published, None, "not parsed", str(error))
    if premises.entail(query):
        derived = "true"
    elif premises.entail(negate(query)):
        derived = "false"
    else:
        derived = "uncertain"
    if derived == published.lower():
        return Verdict(record.id, published, published)
    return Verdict(record.id, published, derived, "label", "Z3 finds another label")
