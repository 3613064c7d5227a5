"""Facts about LogicNLI for its release and for the audit of labels."""

from __future__ import annotations

from pathlib import Path

from divlogic.benchmarks.logicnli.premises import from_formulas
from divlogic.benchmarks.spec import read_release
from divlogic.benchmarks.verdict import Verdict, published_label
from divlogic.logic.horn import EXIST
from divlogic.records import Record

RELEASE = read_release(Path(__file__).with_name("release.yaml"))


def audit_logicnli(record: Record) -> Verdict | None:
    """Return the verdict on a statement, ``None`` if the record carries no symbolic theory."""
    if "statement" not in (record.formulas or {}):
        return None
    premises, published = from_formulas(record), published_label(record)
    derived = premises.label()
    if derived == published:
        return Verdict(record.id, published, derived)
    rules = [
        rule
        for rule in premises.rules
        if rule.premise.connective == "and" and rule.premise.literals[0].subject == EXIST
    ]
    if not rules or premises.label("released") != published:
        return Verdict(
            record.id, published, derived, "unexplained", "no reading of the rules gives the label"
        )
    names = ", ".join(f"{rule.name} (class {rule.form})" for rule in rules)
    return Verdict(
        record.id,
        published,
        derived,
        "existential conjunction",
        f"rule {names}, 'someone is P and Q': the published label takes it to fire only if P and Q have the same sign,"
        " and then whatever the sign of Q is in the facts",
    )
