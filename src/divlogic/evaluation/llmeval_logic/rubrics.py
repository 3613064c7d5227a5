"""Rubric verdicts: deterministic first, a judge only for what stays open; agreement of judges.

``corrected`` is this project's order: contradictions pass nothing (*vacuous*), an atom passes where the candidate
entails it, constraints that the reference does not know fail (*over-strong*, fixed symbols). ``as_published`` is the
released order: a candidate equivalent to the reference passes unseen, and with free symbols every atom on premises goes
to the judge.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from divlogic.benchmarks.llmeval_logic.audit import query_standing, rubric_of
from divlogic.benchmarks.llmeval_logic.rubric import RubricAtom
from divlogic.benchmarks.llmeval_logic.rubric_checks import align_check, standings
from divlogic.benchmarks.llmeval_logic.schema import Item, formalization_row
from divlogic.evaluation.llmeval_logic.questions import OpenQuestion
from divlogic.intervals import percentile_interval
from divlogic.logic.deciding import open_premises
from divlogic.logic.equivalence import Comparison
from divlogic.logic.theory import Formalization, vocabulary
from divlogic.models.answers import Rubric as RubricFormat

Outcome = Literal["pass", "fail", "open"]
Order = Literal["as_published", "corrected"]


@dataclass(frozen=True, slots=True)
class AtomVerdict:
    """The verdict on one atom, and why."""

    atom: str
    verdict: Outcome
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
    rubric = item.rubric or rubric_of(item)
    if comparison.equivalent and (fixed or order == "corrected"):
        return [AtomVerdict(atom.id, "pass", "equivalent to the reference") for atom in rubric.atoms]
    reference = item.formalization
    found = standings(rubric, candidate)
    calibrated = standings(rubric, reference)
    queries = {atom.id: _query_verdict(atom, item, candidate, comparison) for atom in rubric.atoms}
    if order == "as_published":
        return [
            queries[atom.id]
            if atom.group == "query_alignment"
            else _published_verdict(atom, found[atom.id][0], fixed)
            for atom in rubric.atoms
        ]
    vacuous = _vacuous(candidate, reference)
    strong = _over_strong(candidate, comparison) if fixed else frozenset[str]()
    result = []
    for atom in rubric.atoms:
        if atom.group == "query_alignment":
            result.append(queries[atom.id])
        elif vacuous:
            result.append(AtomVerdict(atom.id, "fail", vacuous))
        else:
            verdict = _premise_verdict(atom, found[atom.id][0], calibrated[atom.id][0])
            if strong and verdict.verdict == "pass" and _touches(atom, candidate, strong):
                verdict = AtomVerdict(atom.id, "fail", "over-strong")
            result.append(verdict)
    if strong and all(each.reason != "over-strong" for each in result):
        # The surplus constraint shares no symbol with an atom: it still may not pass.
        result = [
            AtomVerdict(each.atom, "fail", "over-strong") if each.verdict == "pass" else each
            for each in result
        ]
    return result


def judge_question(
    item: Item, candidate: Formalization, open_atoms: Sequence[RubricAtom], benchmark: str
) -> JudgeQuestion:
    """Return the prompt that asks a judge for all open atoms of an item."""
    shown = formalization_row(candidate)
    formal = json.dumps({key: shown[key] for key in ("symbols", "premises", "queries")}, ensure_ascii=False)
    points = RubricFormat(len(open_atoms))
    text = (
        "你是形式化评审。判断候选形式化是否满足下列每条标准，只看语义，不看写法。\n\n"
        f"背景：{item.background.zh}\n问题：{item.question.zh}\n候选形式化：{formal}\n\n"
        + "\n".join(points.listing([atom.desc for atom in open_atoms]))
        + f"\n\n{points.instruction()}"
    )
    return JudgeQuestion(OpenQuestion(benchmark, item.id, text), tuple(atom.id for atom in open_atoms))


@dataclass(frozen=True, slots=True)
class JudgeQuestion:
    """A prompt for a judge, and the atoms that it asks about; fits the runner's ``Question``."""

    question: OpenQuestion
    atoms: tuple[str, ...]
    likelihood: bool = False
    letters: tuple[str, ...] = ()

    @property
    def benchmark(self) -> str:
        return self.question.benchmark

    @property
    def instance(self) -> str:
        return self.question.instance

    @property
    def input(self) -> str:
        return self.question.input

    def read(self, answer: str) -> str | None:
        """Return the verdicts as canonical JSON; ``None`` for a reply that lacks an atom."""
        return RubricFormat(len(self.atoms)).read(answer)

    def verdicts(self, answer: str) -> list[AtomVerdict]:
        """Return the judge's verdicts; every atom stays open where the reply cannot be read."""
        read = self.read(answer)
        if read is None:
            return [
                AtomVerdict(atom, "open", "the judge's reply lacks an atom or is no JSON")
                for atom in self.atoms
            ]
        given = json.loads(read)
        return [
            AtomVerdict(atom, "pass" if given[str(number)] else "fail", "judged")
            for number, atom in enumerate(self.atoms, start=1)
        ]


@dataclass(frozen=True, slots=True)
class Agreement:
    """How two judges agree.

    Attributes:
        raw: share of equal verdicts.
        kappa, low, high: Cohen's kappa with its interval; ``None`` where both verdicts are constant (undefined).
        band: Landis and Koch's word.
    """

    first: str
    second: str
    atoms: int
    raw: float
    kappa: float | None
    low: float | None
    high: float | None
    band: str


def agreement(
    judged: Mapping[str, Mapping[tuple[str, str], bool]], *, seed: int, resamples: int = 1000
) -> list[Agreement]:
    """Return the agreement of each pair of judges on the atoms that both judged, sorted by their names.

    The interval is a percentile bootstrap that draws items with all their atoms.

    Args:
        judged: by judge, the verdict on each (item, atom).
        seed: of the bootstrap.
        resamples: number of bootstrap samples.
    """
    names = sorted(judged)
    rows = []
    for number, first in enumerate(names):
        for second in names[number + 1 :]:
            keys = sorted(set(judged[first]) & set(judged[second]))
            given = np.array([[judged[name][key] for key in keys] for name in (first, second)], dtype=int)
            kappa = _kappa(*given)
            low = high = None
            if kappa is not None:
                low, high = _interval(keys, given, seed, resamples)
            raw = float(np.mean(given[0] == given[1])) if keys else 0.0
            rows.append(Agreement(first, second, len(keys), raw, kappa, low, high, band(kappa)))
    return rows


def _kappa(first: np.ndarray, second: np.ndarray) -> float | None:
    """Return Cohen's kappa; ``None`` where both verdicts are constant and equal (chance agreement is 1)."""
    from sklearn.metrics import cohen_kappa_score

    if not len(first) or len(set(first) | set(second)) == 1:
        return None
    return float(cohen_kappa_score(first, second))


def band(kappa: float | None) -> str:
    """Return Landis and Koch's (1977) word for a kappa."""
    if kappa is None:
        return "undefined"
    if kappa < 0:
        return "poor"
    limits = ((0.2, "slight"), (0.4, "fair"), (0.6, "moderate"), (0.8, "substantial"))
    return next((word for limit, word in limits if kappa <= limit), "almost perfect")


def _interval(
    keys: Sequence[tuple[str, str]], given: np.ndarray, seed: int, resamples: int
) -> tuple[float, float]:
    """Return the interval of kappa over items, each drawn with all its atoms."""
    names = {name: place for place, name in enumerate(dict.fromkeys(item for item, _ in keys))}
    items = np.array([names[item] for item, _ in keys])
    atoms = [np.flatnonzero(items == place) for place in range(len(names))]

    def kappas(drawn: np.ndarray) -> np.ndarray:
        found = [_kappa(*given[:, np.concatenate([atoms[item] for item in row])]) for row in drawn]
        return np.array([np.nan if kappa is None else kappa for kappa in found])

    return percentile_interval(kappas, len(names), seed=seed, resamples=resamples)


def _vacuous(candidate: Formalization, reference: Formalization) -> str:
    held = [open_premises(theory.axioms()).satisfiable() for theory in (candidate, reference)]
    if held[0] == held[1]:
        return ""
    return (
        "vacuous: the premises contradict each other"
        if not held[0]
        else "the reference's contradiction is lost"
    )


def _over_strong(candidate: Formalization, comparison: Comparison) -> frozenset[str]:
    """Return the symbols of the premises that the reference does not entail."""
    surplus = [premise.formula for premise in candidate.premises if premise.id in comparison.extra]
    used = vocabulary(surplus)
    return frozenset((*used.propositions, *(name for name, _ in used.predicates), *used.constants))


def _touches(atom: RubricAtom, candidate: Formalization, names: frozenset[str]) -> bool:
    assert atom.check is not None
    used = vocabulary(align_check(atom.check, candidate).sentences)
    return bool(names & {*used.propositions, *(name for name, _ in used.predicates), *used.constants})


def _premise_verdict(atom: RubricAtom, standing: str, gold: str) -> AtomVerdict:
    if standing == "entailed":
        return AtomVerdict(atom.id, "pass", "entailed")
    if standing == "not_entailed" and gold == "entailed":
        return AtomVerdict(atom.id, "fail", "not entailed")
    reasons = {
        "not_entailed": "the reference fails this atom too",
        "unaligned": "a symbol has no counterpart",
        "unreadable": "the check cannot be read",
        "undecided": "undecided within the resource limit",
        "no_check": "no check",
    }
    return AtomVerdict(atom.id, "open", reasons[standing])


def _published_verdict(atom: RubricAtom, standing: str, fixed: bool) -> AtomVerdict:
    first_order = atom.check is not None and (
        "forall" in atom.check.formula or "(" in _terms(atom.check.formula)
    )
    if not fixed or atom.check is None or first_order or standing not in ("entailed", "not_entailed"):
        return AtomVerdict(atom.id, "open", "only the judge decides this atom as published")
    passed = standing == "entailed"
    return AtomVerdict(atom.id, "pass" if passed else "fail", "entailed" if passed else "not entailed")


def _terms(formula: str) -> str:
    """Return what follows each name directly: a bracket there means a predicate."""
    return "".join(formula[place] for place in range(1, len(formula)) if formula[place - 1].isalnum())


def _query_verdict(
    atom: RubricAtom, item: Item, candidate: Formalization, comparison: Comparison
) -> AtomVerdict:
    if atom.group != "query_alignment":
        return AtomVerdict(atom.id, "open", "")
    if not comparison.queries and len(candidate.queries) == len(item.formalization.queries):
        return AtomVerdict(atom.id, "pass", "asks what the reference asks")
    covered = _covered(item.formalization, candidate)
    if covered:
        return AtomVerdict(atom.id, "pass", "the reference's queries can be answered from the candidate's")
    if atom.check is not None and query_standing(atom, candidate)[0] == "matches":
        return AtomVerdict(atom.id, "pass", "asks what the rubric names")
    return AtomVerdict(atom.id, "fail", "asks something else")


def _covered(reference: Formalization, candidate: Formalization) -> bool:
    """Return whether an enumeration of the candidate's holds the answer to each of the reference's queries."""
    listed = [set(query.targets) for query in candidate.queries if query.type == "enumerate_models"]
    return all(
        query.targets and any(set(query.targets) <= targets for targets in listed)
        for query in reference.queries
    )
