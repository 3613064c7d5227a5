"""Rubric verdicts: deterministic first, a judge only for what stays open.

``corrected`` is this project's order: contradictions pass nothing (*vacuous*), an atom passes where the candidate
entails it, constraints that the reference does not know fail (*over-strong*, fixed symbols). ``as_published`` is the
released order: a candidate equivalent to the reference passes unseen, and with free symbols every atom on premises goes
to the judge.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from divlogic.benchmarks.llmeval_logic.rubric import RubricAtom, align_check, query_standing, standings
from divlogic.benchmarks.llmeval_logic.schema import Item
from divlogic.logic.deciding import open_premises
from divlogic.logic.equivalence import Comparison
from divlogic.logic.syntax import Sentence
from divlogic.logic.theory import Formalization, vocabulary

Order = Literal["as_published", "corrected"]


@dataclass(frozen=True, slots=True)
class AtomVerdict:
    """The verdict on one atom, and why."""

    atom: str
    verdict: Literal["pass", "fail", "open"]
    reason: str


def verdicts(
    item: Item, candidate: Formalization, comparison: Comparison, *, fixed: bool, order: Order = "corrected"
) -> list[AtomVerdict]:
    """Return one verdict per rubric atom.

    Args:
        item: the reference and its rubric.
        candidate: the candidate in the reference's symbols (aligned, if they were free).
        comparison: how it stands to the reference.
        fixed: whether the symbols were given.
        order: which rules.
    """
    rubric = item.criteria()
    if comparison.equivalent and (fixed or order == "corrected"):
        return [AtomVerdict(atom.id, "pass", "equivalent to the reference") for atom in rubric.atoms]
    found = standings(rubric, candidate)
    calibrated = standings(rubric, item.formalization)
    corrected = order == "corrected"
    vacuous = _vacuous(candidate, item.formalization) if corrected else ""
    # The symbols of the premises that the reference does not entail.
    surplus = (premise.formula for premise in candidate.premises if premise.id in comparison.extra)
    strong = _names(surplus) if corrected and fixed else set()
    result = []
    for atom in rubric.atoms:
        if atom.group == "query_alignment":
            verdict = _query_verdict(atom, item, candidate, comparison)
        elif not corrected:
            verdict = _published_verdict(atom, found[atom.id][0], fixed)
        elif vacuous:
            verdict = AtomVerdict(atom.id, "fail", vacuous)
        else:
            verdict = _premise_verdict(atom, found[atom.id][0], calibrated[atom.id][0])
            claims = align_check(atom.z3_check, candidate).sentences if strong and atom.z3_check else ()
            if verdict.verdict == "pass" and strong & _names(claims):
                verdict = AtomVerdict(atom.id, "fail", "over-strong")
        result.append(verdict)
    if strong and all(each.reason != "over-strong" for each in result):
        # The surplus constraint shares no symbol with an atom: it still may not pass.
        return [
            AtomVerdict(each.atom, "fail", "over-strong") if each.verdict == "pass" else each
            for each in result
        ]
    return result


def _vacuous(candidate: Formalization, reference: Formalization) -> str:
    ours, theirs = (open_premises(theory.axioms()).satisfiable() for theory in (candidate, reference))
    if ours == theirs:
        return ""
    return "the reference's contradiction is lost" if ours else "vacuous: the premises contradict each other"


def _names(sentences: Iterable[Sentence]) -> set[str]:
    used = vocabulary(sentences)
    return {*used.propositions, *(name for name, _ in used.predicates), *used.constants}


_OPEN = {
    "not_entailed": "the reference fails this atom too",
    "unaligned": "a symbol has no counterpart",
    "unreadable": "the check cannot be read",
    "undecided": "undecided within the resource limit",
    "no_check": "no check",
}
"""Why an atom stays open, by its standing."""


def _premise_verdict(atom: RubricAtom, standing: str, gold: str) -> AtomVerdict:
    if standing == "entailed":
        return AtomVerdict(atom.id, "pass", "entailed")
    if standing == "not_entailed" and gold == "entailed":
        return AtomVerdict(atom.id, "fail", "not entailed")
    return AtomVerdict(atom.id, "open", _OPEN[standing])


def _published_verdict(atom: RubricAtom, standing: str, fixed: bool) -> AtomVerdict:
    formula = atom.z3_check.formula if atom.z3_check else ""
    # A bracket directly behind a name means a predicate.
    first_order = "forall" in formula or re.search(r"[^\W_]\(", formula) is not None
    if not fixed or atom.z3_check is None or first_order or standing not in ("entailed", "not_entailed"):
        return AtomVerdict(atom.id, "open", "only the judge decides this atom as published")
    passed = standing == "entailed"
    return AtomVerdict(atom.id, "pass" if passed else "fail", "entailed" if passed else "not entailed")


def _query_verdict(
    atom: RubricAtom, item: Item, candidate: Formalization, comparison: Comparison
) -> AtomVerdict:
    if not comparison.queries and len(candidate.queries) == len(item.formalization.queries):
        return AtomVerdict(atom.id, "pass", "asks what the reference asks")
    if _covered(item.formalization, candidate):
        return AtomVerdict(atom.id, "pass", "the reference's queries can be answered from the candidate's")
    if atom.z3_check is not None and query_standing(atom, candidate)[0] == "matches":
        return AtomVerdict(atom.id, "pass", "asks what the rubric names")
    return AtomVerdict(atom.id, "fail", "asks something else")


def _covered(reference: Formalization, candidate: Formalization) -> bool:
    """Return whether an enumeration of the candidate's holds the answer to each of the reference's queries."""
    listed = [set(query.targets) for query in candidate.queries if query.type == "enumerate_models"]
    return all(
        query.targets and any(set(query.targets) <= targets for targets in listed)
        for query in reference.queries
    )
