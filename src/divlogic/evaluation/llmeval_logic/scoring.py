"""Scores: accuracy of answers by item and sub-question; of formalizations by execution, rubric and both; failures.

Rubric verdicts are deterministic first; a judge decides only what stays open. ``corrected`` is this project's order:
contradictions pass nothing (*vacuous*), an atom passes where the candidate entails it, constraints that the reference
does not know fail (*over-strong*, fixed symbols). ``as_published`` is the released order: a candidate equivalent to the
reference passes unseen, and with free symbols every atom on premises goes to the judge.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from operator import attrgetter
from pathlib import Path
from typing import Any, Literal

import numpy as np

from divlogic.benchmarks.llmeval_logic.alignment import Alignment, align
from divlogic.benchmarks.llmeval_logic.rubric import (
    RubricAtom,
    align_check,
    query_standing,
    standings,
)
from divlogic.benchmarks.llmeval_logic.schema import Item
from divlogic.evaluation.llmeval_logic import questions
from divlogic.evaluation.parameters import LLMEvalLogicEvaluationParameters
from divlogic.intervals import percentile_interval, wilson
from divlogic.io.tables import declared_tables
from divlogic.logic.deciding import open_premises, quick_decider
from divlogic.logic.equivalence import Comparison, compare
from divlogic.logic.syntax import Sentence
from divlogic.logic.theory import Answer, Formalization, vocabulary
from divlogic.records import grouped

Order = Literal["as_published", "corrected"]
TABLES = declared_tables(Path(__file__).with_name("tables.yaml"))
# With free and with given symbols a reply is often the same theory.
_decided = lru_cache(maxsize=500)(lambda theory: quick_decider(theory).decide(theory))


@dataclass(frozen=True, slots=True)
class AtomVerdict:
    """The verdict on one atom, and why."""

    atom: str
    verdict: Literal["pass", "fail", "open"]
    reason: str


Verdicts = Sequence[AtomVerdict]


def verdicts(
    item: Item,
    candidate: Formalization,
    comparison: Comparison,
    *,
    fixed: bool,
    order: Order = "corrected",
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
        return [
            AtomVerdict(atom.id, "pass", "equivalent to the reference") for atom in rubric.atoms
        ]
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
            verdict = _query_verdict(atom, item.formalization, candidate, comparison)
        elif not corrected:
            verdict = _published_verdict(atom, found[atom.id][0], fixed)
        elif vacuous:
            verdict = AtomVerdict(atom.id, "fail", vacuous)
        else:
            verdict = _premise_verdict(atom, found[atom.id][0], calibrated[atom.id][0])
            claims = (
                align_check(atom.z3_check, candidate).sentences if strong and atom.z3_check else ()
            )
            if verdict.verdict == "pass" and strong & _names(claims):
                verdict = AtomVerdict(atom.id, "fail", "over-strong")
        result.append(verdict)
    if strong and all(each.reason != "over-strong" for each in result):
        # The surplus constraint shares no symbol with an atom: it still may not pass.
        failed = partial(AtomVerdict, verdict="fail", reason="over-strong")
        return [failed(each.atom) if each.verdict == "pass" else each for each in result]
    return result


def _vacuous(candidate: Formalization, reference: Formalization) -> str:
    ours, theirs = (
        open_premises(theory.axioms()).satisfiable() for theory in (candidate, reference)
    )
    if ours == theirs:
        return ""
    return (
        "the reference's contradiction is lost"
        if ours
        else "vacuous: the premises contradict each other"
    )


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
    if (
        not fixed
        or atom.z3_check is None
        or first_order
        or standing not in ("entailed", "not_entailed")
    ):
        return AtomVerdict(atom.id, "open", "only the judge decides this atom as published")
    return _premise_verdict(atom, standing, "entailed")


def _query_verdict(
    atom: RubricAtom, reference: Formalization, candidate: Formalization, comparison: Comparison
) -> AtomVerdict:
    if not comparison.queries and len(candidate.queries) == len(reference.queries):
        return AtomVerdict(atom.id, "pass", "asks what the reference asks")
    # An enumeration of the candidate's holds the answer to each of the reference's queries.
    listed = [set(query.targets) for query in candidate.queries if query.type == "enumerate_models"]
    if all(
        q.targets and any(set(q.targets) <= targets for targets in listed)
        for q in reference.queries
    ):
        return AtomVerdict(
            atom.id, "pass", "the reference's queries can be answered from the candidate's"
        )
    if atom.z3_check is not None and query_standing(atom, candidate)[0] == "matches":
        return AtomVerdict(atom.id, "pass", "asks what the rubric names")
    return AtomVerdict(atom.id, "fail", "asks something else")


@dataclass(frozen=True, slots=True)
class ReplyOutcome:
    """What one reply is worth.

    Attributes:
        asked, right: sub-questions of the answer track.
        judged: whether everything was compared; what could not be judged counts as wrong.
        z3: whether the candidate, executed, answers as the reference.
        rubric: whether every atom passes.
        atoms, passed: rubric atoms.
        open_atoms: atoms that only a judge can decide.
        problem: why the reply is unreadable; empty otherwise.
        types: sub-questions by type, as [right, asked].
        strategies: the same by the strategy that made them, where one did.
        groups, missed: rubric atoms by group, and those that did not pass by ``group: reason``.
        level: how the candidate stands to the reference; ``isomorphic`` where that holds only against the glosses.
    """

    benchmark: str
    model: str
    track: str
    language: str
    run: int
    item: str
    asked: int = 0
    right: int = 0
    judged: bool = True
    z3: bool = False
    rubric: bool = False
    atoms: int = 0
    passed: int = 0
    open_atoms: int = 0
    problem: str = ""
    types: dict[str, list[int]] = field(default_factory=dict)
    strategies: dict[str, list[int]] = field(default_factory=dict)
    groups: dict[str, int] = field(default_factory=dict)
    missed: dict[str, int] = field(default_factory=dict)
    level: str = ""


@dataclass(frozen=True, slots=True)
class ScoredCandidate:
    """A formalization that was read: in the reference's symbols, with what is said of it."""

    theory: Formalization
    alignment: Alignment
    verdicts: tuple[AtomVerdict, ...]
    z3: bool


def score_answers(task: questions.Task, reply: str, *, judged: Verdicts = ()) -> dict[str, Any]:
    """Return the fields of an answer's outcome.

    Free text counts where a judge's verdict says that it is right, or where it is the reference's own.
    """
    try:
        given = questions.read_answers(reply, task)
    except questions.UnreadableError as error:
        return {"asked": len(task.questions), "problem": str(error)}
    decided = {each.atom: each.verdict == "pass" for each in judged if each.verdict != "open"}
    complete = True
    types: dict[str, list[int]] = {}
    strategies: dict[str, list[int]] = {}
    for question in task.questions:
        if question.exact:
            passed = question.asked.right(given[question.id])
        else:
            own = questions.same_text(given[question.id], question.answer)
            passed = own or decided.get(question.id, False)
            complete = complete and (own or question.id in decided)
        named = [strategies.setdefault(question.strategy, [0, 0])] if question.strategy else []
        for counts in (types.setdefault(question.type, [0, 0]), *named):
            counts[0] += passed
            counts[1] += 1
    right = sum(counts[0] for counts in types.values())
    return {
        "asked": len(task.questions),
        "right": right,
        "judged": complete,
        "types": types,
        "strategies": strategies,
    }


def read_formal(
    item: Item, reply: str, track: questions.Track, *, order: Order = "corrected"
) -> ScoredCandidate:
    """Read a candidate formalization and hold it against the reference.

    Raises:
        UnreadableError: the reply is none.
    """
    fixed = track == "formalise_fixed"
    reference = item.formalization
    theory = questions.read_candidate(reply, reference if fixed else None)
    alignment = Alignment(theory, compare(theory, reference)) if fixed else align(theory, reference)
    comparison = alignment.comparison
    found = verdicts(item, alignment.theory, comparison, fixed=fixed, order=order)
    if alignment.isomorphic:
        found = [
            AtomVerdict(each.atom, "open", "equivalent only against the glosses") for each in found
        ]
        return ScoredCandidate(theory, alignment, tuple(found), z3=False)
    answers = [verdict.answer for verdict in _decided(alignment.theory).verdicts]
    # The candidate, executed, answers every query as the reference.
    executed = len(answers) == len(item.answers) and all(map(_equal, answers, item.answers))
    return ScoredCandidate(theory, alignment, tuple(found), executed)


def score_formalization(
    item: Item,
    reply: str,
    track: questions.Track,
    *,
    order: Order = "corrected",
    judged: Verdicts = (),
) -> dict[str, Any]:
    """Return the fields of a formalization's outcome.

    Args:
        judged: a judge's verdicts on the open atoms; without them open atoms do not pass.
    """
    group = {atom.id: atom.group for atom in item.criteria().atoms}
    try:
        found = read_formal(item, reply, track, order=order)
    except questions.UnreadableError as error:
        return {"atoms": len(group), "problem": str(error)}
    decided = {each.atom: each for each in judged}
    final = [
        decided.get(each.atom, each) if each.verdict == "open" else each for each in found.verdicts
    ]
    passed = sum(each.verdict == "pass" for each in final)
    still_open = sum(each.verdict == "open" for each in final)
    missed = Counter(
        f"{group[each.atom]}: {each.reason}" for each in final if each.verdict != "pass"
    )
    return {
        "z3": found.z3,
        "rubric": passed == len(group),
        "atoms": len(group),
        "passed": passed,
        "open_atoms": still_open,
        "judged": not still_open,
        "groups": dict(sorted(Counter(group.values()).items())),
        "missed": dict(sorted(missed.items())),
        "level": "isomorphic" if found.alignment.isomorphic else found.alignment.comparison.level,
    }


def score(
    task: questions.Task,
    reply: str,
    track: questions.Track,
    parameters: LLMEvalLogicEvaluationParameters,
    model: str = "",
    run: int = 0,
    judged: Verdicts = (),
) -> ReplyOutcome:
    """Return the outcome of a reply in a track."""
    if track == "answer":
        fields = score_answers(task, reply, judged=judged)
    else:
        assert task.item is not None  # prompts leaves out what has no reference
        fields = score_formalization(task.item, reply, track, order=parameters.order, judged=judged)
    return ReplyOutcome(task.benchmark, model, track, parameters.language, run, task.id, **fields)


COUNTS: dict[str, Callable[[ReplyOutcome], tuple[float, float]]] = {
    "item_accuracy": lambda o: (o.asked > 0 and o.right == o.asked, 1),
    "sub_question_accuracy": lambda o: (o.right, o.asked),
    "z3": lambda o: (o.z3, 1),
    "rubric": lambda o: (o.rubric, 1),
    "both": lambda o: (o.z3 and o.rubric, 1),
    "rubric_atoms": lambda o: (o.passed, o.atoms),
    "replies_read": lambda o: (not o.problem, 1),
    "judged": lambda o: (not o.problem and o.judged, not o.problem),
}
"""Metric -> what of an outcome is right, and of how much."""

_FORMAL = ("z3", "rubric", "both", "rubric_atoms")
METRICS = {
    "answer": ("item_accuracy", "sub_question_accuracy"),
    "formalise_free": _FORMAL,
    "formalise_fixed": _FORMAL,
}
"""Metrics of the table of scores, by track."""


def scores(
    outcomes: Iterable[ReplyOutcome], *, seed: int, resamples: int = 1000
) -> list[dict[str, Any]]:
    """Return one row per benchmark, track, language, model and metric, in percent.

    A row has the mean over runs, the sample standard deviation between runs (empty for one run), and a 95 % percentile
    bootstrap interval that draws items with all their runs.
    """
    rows: list[dict[str, Any]] = []
    for keys, group in _grouped(outcomes):
        for metric in METRICS[keys["track"]]:
            right, weight = _cells(group, metric)
            by_run = 100 * right.sum(axis=1) / np.maximum(weight.sum(axis=1), 1)
            runs, items = right.shape
            if right.sum() in (0, weight.sum()):
                whole = wilson(float(right.any()), items)
                low, high = 100 * whole.low, 100 * whole.high
            else:
                share = partial(_share, right, weight)
                low, high = percentile_interval(share, items, seed=seed, resamples=resamples)
            deviation = float(by_run.std(ddof=1)) if runs > 1 else None
            unreadable = sum(bool(each.problem) for each in group)
            not_judged = sum(not each.judged and not each.problem for each in group)
            numbers = (
                items,
                runs,
                float(by_run.mean()),
                deviation,
                low,
                high,
                unreadable,
                not_judged,
            )
            rows.append(TABLES["scores"].row(*keys.values(), metric, *numbers))
    return rows


def errors(outcomes: Iterable[ReplyOutcome]) -> list[dict[str, Any]]:
    """Return one row per kind of failure of each model, benchmark and track; rows of the gold are left out."""
    rows: list[dict[str, Any]] = []
    for keys, group in _grouped(each for each in outcomes if each.model != "baseline/gold"):
        for kind, what, count, total in _failures(group):
            percent = 100 * count / total if total else None
            rows.append(
                keys | {"kind": kind, "what": what, "count": count, "of": total, "percent": percent}
            )
    return rows


def _failures(group: Sequence[ReplyOutcome]) -> list[tuple[str, str, int, int]]:
    """Return kind and name of each failure, how often there was one, and of how many."""
    read = [each for each in group if not each.problem]
    missed, atoms = Counter[str](), Counter[str]()
    wrong, asked = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for each in read:
        for of, counts in (("sub-question", each.types), ("strategy", each.strategies)):
            for kind, (right, number) in counts.items():
                wrong[of, kind] += number - right
                asked[of, kind] += number
        missed.update(each.missed)
        atoms.update(each.groups)
    levels = Counter(each.level for each in read if each.level)
    # A reason names places of its own reply behind the colon; what is before it recurs.
    unreadable = Counter(each.problem.split(":")[0] for each in group if each.problem)
    return [
        *((*kind, count, asked[kind]) for kind, count in sorted(wrong.items())),
        *(
            ("atom", name, count, atoms[name.split(": ")[0]])
            for name, count in sorted(missed.items())
        ),
        *(("level", name, count, len(read)) for name, count in sorted(levels.items())),
        *(("unreadable", name, count, len(group)) for name, count in sorted(unreadable.items())),
    ]


def _grouped(
    outcomes: Iterable[ReplyOutcome],
) -> Iterator[tuple[dict[str, str], list[ReplyOutcome]]]:
    """Yield benchmark, track, language and model with their outcomes, sorted."""
    names = ("benchmark", "track", "language", "model")
    for key, group in sorted(grouped(outcomes, attrgetter(*names)).items()):
        yield dict(zip(names, key, strict=True)), group


def _cells(group: Sequence[ReplyOutcome], metric: str) -> tuple[np.ndarray, np.ndarray]:
    """Return what is right and what it is out of; shape (runs, items)."""
    runs, items = sorted({each.run for each in group}), sorted({each.item for each in group})
    cells = np.zeros((2, len(runs), len(items)))
    for each in group:
        cells[:, runs.index(each.run), items.index(each.item)] = COUNTS[metric](each)
    return cells[0], cells[1]


def _share(right: np.ndarray, weight: np.ndarray, drawn: np.ndarray) -> np.ndarray:
    """Return the percentages of what is right for drawn items; shapes (runs, items) and (resamples, items)."""
    held, totals = right.sum(axis=0)[drawn].sum(axis=1), weight.sum(axis=0)[drawn].sum(axis=1)
    return np.asarray(100 * held / np.maximum(totals, 1))


def _equal(given: Answer | None, gold: Answer) -> bool:
    """Return whether an answer is that of the reference; models are compared as sets."""
    if isinstance(given, tuple) and isinstance(gold, tuple):
        return set(map(frozenset, given)) == set(map(frozenset, gold))
    return given == gold
