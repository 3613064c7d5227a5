"""Generated JustLogic: the label from the formulas of premises and query."""

from __future__ import annotations

from divlogic.benchmarks.verdict import Verdict, published_label
from divlogic.logic import negate, parse
from divlogic.logic.smt import Z3Premises
from divlogic.records import Record


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
