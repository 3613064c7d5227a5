"""Scores: accuracy of answers by item and sub-question; of formalizations by execution, rubric and both."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from typing import Any

import numpy as np

from divlogic.benchmarks.llmeval_logic.alignment import Alignment, align
from divlogic.benchmarks.llmeval_logic.audit import rubric_of
from divlogic.benchmarks.llmeval_logic.schema import Item
from divlogic.evaluation.llmeval_logic.questions import Task, Track
from divlogic.evaluation.llmeval_logic.replies import (
    UnreadableError,
    read_answers,
    read_candidate,
    same_answer,
    same_text,
)
from divlogic.evaluation.llmeval_logic.rubrics import AtomVerdict, Order, verdicts
from divlogic.intervals import percentile_interval, wilson
from divlogic.logic.by_tables import MAX_PROPOSITIONS, TableDecider
from divlogic.logic.by_z3 import Z3Decider
from divlogic.logic.equivalence import compare
from divlogic.logic.smt import RLIMIT
from divlogic.logic.theory import Answer, Formalization, vocabulary


@dataclass(frozen=True, slots=True)
class Outcome:
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
    groups: dict[str, int] = field(default_factory=dict)
    missed: dict[str, int] = field(default_factory=dict)
    level: str = ""

    def to_json(self) -> dict[str, Any]:
        """Return the outcome as a JSON object."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A formalization that was read: in the reference's symbols, with what is said of it."""

    theory: Formalization
    alignment: Alignment
    verdicts: tuple[AtomVerdict, ...]
    z3: bool


def score_answers(task: Task, reply: str, *, judged: Mapping[str, bool] | None = None) -> dict[str, Any]:
    """Return the fields of an answer's outcome; free text counts where ``judged`` says that it is right,
    or where it is the reference's own.
    """
    ids = [question.id for question in task.questions]
    try:
        given = read_answers(reply, ids)
    except UnreadableError as error:
        return {"asked": len(ids), "problem": str(error)}
    right, complete = 0, True
    types: dict[str, list[int]] = {}
    for question in task.questions:
        passed = False
        if question.exact:
            passed = same_answer(given[question.id], question.answer)
        elif same_text(given[question.id], question.answer):
            passed = True
        elif judged is not None and question.id in judged:
            passed = judged[question.id]
        else:
            complete = False
        right += passed
        counts = types.setdefault(question.type, [0, 0])
        counts[0] += passed
        counts[1] += 1
    return {"asked": len(ids), "right": right, "judged": complete, "types": types}


def read_formal(
    item: Item, reply: str, track: Track, *, order: Order = "corrected", rlimit: int = RLIMIT
) -> Candidate:
    """Read a candidate formalization and hold it against the reference.

    Raises:
        UnreadableError: the reply is none.
    """
    fixed = track == "formalise_fixed"
    theory = read_candidate(reply, item.formalization if fixed else None)
    if fixed:
        alignment = Alignment({}, theory, compare(theory, item.formalization, rlimit=rlimit))
    else:
        alignment = align(theory, item.formalization, rlimit=rlimit)
    comparison = alignment.comparison
    found = verdicts(item, alignment.theory, comparison, fixed=fixed, order=order)
    if alignment.isomorphic:
        found = [AtomVerdict(each.atom, "open", "equivalent only against the glosses") for each in found]
    executed = not alignment.isomorphic and _executed(alignment.theory, item, rlimit)
    return Candidate(theory, alignment, tuple(found), executed)


def score_formalization(
    item: Item,
    reply: str,
    track: Track,
    *,
    order: Order = "corrected",
    judged: Mapping[str, AtomVerdict] | None = None,
    rlimit: int = RLIMIT,
) -> dict[str, Any]:
    """Return the fields of a formalization's outcome.

    Args:
        judged: a judge's verdicts on the open atoms; without them open atoms do not pass.
    """
    group = {atom.id: atom.group for atom in (item.rubric or rubric_of(item)).atoms}
    atoms = len(group)
    try:
        found = read_formal(item, reply, track, order=order, rlimit=rlimit)
    except UnreadableError as error:
        return {"atoms": atoms, "problem": str(error)}
    final = [
        (judged or {}).get(each.atom, each) if each.verdict == "open" else each for each in found.verdicts
    ]
    passed = sum(each.verdict == "pass" for each in final)
    unjudged = sum(each.verdict == "open" for each in final)
    return {
        "z3": found.z3,
        "rubric": passed == atoms,
        "atoms": atoms,
        "passed": passed,
        "open_atoms": unjudged,
        "judged": not unjudged,
        "groups": dict(sorted(Counter(group.values()).items())),
        "missed": dict(
            sorted(
                Counter(
                    f"{group[each.atom]}: {each.reason}" for each in final if each.verdict != "pass"
                ).items()
            )
        ),
        "level": "isomorphic" if found.alignment.isomorphic else found.alignment.comparison.level,
    }


METRICS: dict[str, tuple[str, ...]] = {
    "answer": ("item_accuracy", "sub_question_accuracy"),
    "formalise_free": ("z3", "rubric", "both", "rubric_atoms"),
    "formalise_fixed": ("z3", "rubric", "both", "rubric_atoms"),
}


def scores(outcomes: Iterable[Outcome], *, seed: int, resamples: int = 1000) -> list[dict[str, Any]]:
    """Return one row per benchmark, track, language, model and metric, in percent.

    A row has the mean over runs, the sample standard deviation between runs (empty for one run), and a 95 % percentile
    bootstrap interval that draws items with all their runs.
    """
    groups: dict[tuple[str, str, str, str], list[Outcome]] = defaultdict(list)
    for each in outcomes:
        groups[each.benchmark, each.track, each.language, each.model].append(each)
    rows = []
    for (benchmark, track, language, model), group in sorted(groups.items()):
        for metric in METRICS[track]:
            right, weight = _cells(group, metric)
            by_run = 100 * right.sum(axis=1) / np.maximum(weight.sum(axis=1), 1)
            if right.sum() in (0, weight.sum()):
                whole = wilson(float(right.any()), right.shape[1])
                low, high = 100 * whole.low, 100 * whole.high
            else:
                low, high = percentile_interval(
                    partial(_share, right, weight), right.shape[1], seed=seed, resamples=resamples
                )
            rows.append(
                {
                    "benchmark": benchmark,
                    "track": track,
                    "language": language,
                    "model": model,
                    "metric": metric,
                    "items": right.shape[1],
                    "runs": right.shape[0],
                    "score": float(by_run.mean()),
                    "sd": float(by_run.std(ddof=1)) if len(by_run) > 1 else None,
                    "low": low,
                    "high": high,
                    "unreadable": sum(bool(each.problem) for each in group),
                    "not_judged": sum(not each.judged and not each.problem for each in group),
                }
            )
    return rows


def _cells(group: Sequence[Outcome], metric: str) -> tuple[np.ndarray, np.ndarray]:
    """Return what is right and what it is out of; shape (runs, items)."""
    runs = {run: place for place, run in enumerate(sorted({each.run for each in group}))}
    items = {item: place for place, item in enumerate(sorted({each.item for each in group}))}
    right, weight = np.zeros((len(runs), len(items))), np.zeros((len(runs), len(items)))
    for each in group:
        cell = runs[each.run], items[each.item]
        match metric:
            case "item_accuracy":
                right[cell], weight[cell] = each.asked > 0 and each.right == each.asked, 1
            case "sub_question_accuracy":
                right[cell], weight[cell] = each.right, each.asked
            case "rubric_atoms":
                right[cell], weight[cell] = each.passed, each.atoms
            case "both":
                right[cell], weight[cell] = each.z3 and each.rubric, 1
            case _:
                right[cell], weight[cell] = getattr(each, metric), 1
    return right, weight


def _share(right: np.ndarray, weight: np.ndarray, drawn: np.ndarray) -> np.ndarray:
    """Return the percentages of what is right for drawn items; shapes (runs, items) and (resamples, items)."""
    held, totals = right.sum(axis=0)[drawn].sum(axis=1), weight.sum(axis=0)[drawn].sum(axis=1)
    return np.asarray(100 * held / np.maximum(totals, 1))


def _executed(theory: Formalization, item: Item, rlimit: int) -> bool:
    """Return whether a candidate answers every query as the reference; models are compared as sets."""
    small = len(vocabulary(theory.sentences()).propositions) <= MAX_PROPOSITIONS
    decider = TableDecider() if theory.propositional and small else Z3Decider(rlimit)
    answers = [verdict.answer for verdict in decider.decide(theory).verdicts]
    return len(answers) == len(item.answers) and all(map(_equal, answers, item.answers))


def _equal(given: Answer | None, gold: Answer) -> bool:
    if isinstance(given, tuple) and isinstance(gold, tuple):
        return set(map(frozenset, given)) == set(map(frozenset, gold))
    return given == gold
