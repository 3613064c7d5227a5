"""FOLIO: labels from the first-order formulas that its annotators wrote."""

from __future__ import annotations

from functools import lru_cache

from divlogic.benchmarks.verdict import Verdict, published_label
from divlogic.logic.fol import Atom, Binary, Negation, Quantified, Sentence, decide, free_variables, parse_fol
from divlogic.records import Record


def audit_folio(record: Record, *, seconds: float = 2.0) -> Verdict | None:
    """Derive the label from the formulas with Z3; ``None`` if the record carries none.

    A formula that does not parse, or uses a variable that no quantifier binds, leaves the label underived.
    """
    formulas = record.formulas or {}
    if not formulas.get("premises") or not formulas.get("conclusion"):
        return None
    published = published_label(record)
    sentences: list[Sentence] = []
    for number, text in enumerate([*formulas["premises"], formulas["conclusion"]], start=1):
        if not text.strip():
            continue
        where = "the conclusion" if number > len(formulas["premises"]) else f"premise {number}"
        try:
            sentence = _parsed(text)
        except ValueError as error:
            return Verdict(record.id, published, None, "not parsed", f"{where}: {error}")
        loose = free_variables(sentence)
        if loose:
            reason = f"{where}: no quantifier binds {', '.join(sorted(loose))}"
            return Verdict(record.id, published, None, "free variable", reason)
        sentences.append(sentence)
    derived = decide(sentences[:-1], sentences[-1], seconds=seconds)
    if derived in ("undecided", "contradictory premises"):
        reason = (
            f"Z3 did not decide within its limit of {seconds:g} s"
            if derived == "undecided"
            else "the formulas of the premises contradict each other"
        )
        return Verdict(record.id, published, None, derived, reason)
    if derived == published:
        return Verdict(record.id, published, derived)
    unknown = _symbols(sentences[-1]) - set().union(*map(_symbols, sentences[:-1]))
    if unknown:
        names = ", ".join(sorted(unknown))
        reason = f"the conclusion uses {names}, which no premise has (often a misspelling)"
        return Verdict(record.id, published, derived, "unlinked symbol", reason)
    return Verdict(record.id, published, derived, "label", f"the formulas give {derived}")


@lru_cache(maxsize=4096)
def _parsed(text: str) -> Sentence:
    return parse_fol(text)


def _symbols(sentence: Sentence) -> set[str]:
    """Return the predicates, with their number of places, and the names of things."""
    match sentence:
        case Atom(predicate, terms):
            return {f"{predicate}/{len(terms)}"}
        case Negation(operand):
            return _symbols(operand)
        case Binary(_, left, right):
            return _symbols(left) | _symbols(right)
        case Quantified(_, _, body):
            return _symbols(body)
