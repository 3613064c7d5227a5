"""FOLIO: labels from the first-order formulas that its annotators wrote."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from divlogic.benchmarks.verdict import Verdict, judged
from divlogic.logic.parsing import parse_fol
from divlogic.logic.smt import z3_refuted
from divlogic.logic.syntax import Negation, Sentence, atoms_of
from divlogic.logic.theory import vocabulary
from divlogic.records import Record

_WORK_PER_SECOND = 2_500_000
"""Z3's resource units of a second, roughly: a limit in time would let the machine decide what is undecided."""

_PARSED = lru_cache(maxsize=4096)(parse_fol)


def audit_folio(record: Record, *, seconds: float = 2.0) -> Verdict | None:
    """Derive the label from the formulas with Z3; ``None`` if the record carries none.

    A formula that does not parse, or uses a variable that no quantifier binds, leaves the label underived.
    """
    formulas = record.formulas or {}
    if not formulas.get("premises") or not formulas.get("conclusion"):
        return None
    sentences: list[Sentence] = []
    for number, text in enumerate([*formulas["premises"], formulas["conclusion"]], start=1):
        if not text.strip():
            continue
        where = "the conclusion" if number > len(formulas["premises"]) else f"premise {number}"
        try:
            sentence = _PARSED(text)
        except ValueError as error:
            return judged(record, None, "not parsed", f"{where}: {error}")
        loose = [name for name in vocabulary([sentence]).constants if re.fullmatch(r"[u-z]", name)]
        if loose:
            return judged(
                record, None, "free variable", f"{where}: no quantifier binds {', '.join(loose)}"
            )
        sentences.append(sentence)
    derived = decide(sentences[:-1], sentences[-1], seconds=seconds)
    if derived == "undecided":
        return judged(record, None, derived, f"Z3 did not decide within its limit of {seconds:g} s")
    if derived == "contradictory premises":
        return judged(record, None, derived, "the formulas of the premises contradict each other")
    unknown = _symbols(sentences[-1:]) - _symbols(sentences[:-1])
    if unknown:
        names = ", ".join(sorted(unknown))
        reason = f"the conclusion uses {names}, which no premise has (often a misspelling)"
        return judged(record, derived, "unlinked symbol", reason)
    return judged(record, derived, "label", f"the formulas give {derived}")


def decide(premises: Sequence[Sentence], conclusion: Sentence, *, seconds: float = 2.0) -> str:
    """Return what the premises say of the conclusion.

    Args:
        seconds: limit of each of Z3's two checks, in seconds of a usual machine; counted in units of work.

    Returns:
        `True`, `False`, `Uncertain` (neither follows), `contradictory premises` (both follow), or `undecided`
        if Z3 does not settle it within the limit.
    """
    rlimit = min(max(1, int(seconds * _WORK_PER_SECOND)), 2**32 - 1)
    denied = Negation(conclusion)
    positive, negative = z3_refuted(premises, [denied, Negation(denied)], rlimit=rlimit)
    if positive and negative:
        return "contradictory premises"
    if positive or negative:
        return "True" if positive else "False"
    return "undecided" if positive is None or negative is None else "Uncertain"


def _symbols(sentences: Sequence[Sentence]) -> set[str]:
    """Return the predicates with their number of places."""
    return {
        f"{atom.predicate}/{len(atom.terms)}"
        for sentence in sentences
        for atom in atoms_of(sentence)
    }
