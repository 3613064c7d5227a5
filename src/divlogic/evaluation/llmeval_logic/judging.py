"""Judges: the first decides what stays open; on one seeded sample all do, and their agreement is measured."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from divlogic.benchmarks.llmeval_logic.schema import formalization_row
from divlogic.draws import Draws
from divlogic.evaluation.llmeval_logic.questions import TEXTS, OpenQuestion, Task, Track
from divlogic.evaluation.llmeval_logic.replies import UnreadableError, read_answers, same_text
from divlogic.evaluation.llmeval_logic.rubrics import AtomVerdict
from divlogic.evaluation.llmeval_logic.scoring import read_formal
from divlogic.evaluation.parameters import LLMEvalLogicEvaluationParameters
from divlogic.intervals import percentile_interval
from divlogic.models.answers import read_verdicts
from divlogic.models.asking import ask
from divlogic.models.parameters import LimitParameters, ModelParameters, SamplingParameters
from divlogic.models.requests import label_of

_VERDICTS = (
    "Reply with one JSON object that maps the number of each point to true (it holds) or false (it does not), and"
    " nothing else."
)


@dataclass(frozen=True, slots=True)
class JudgeQuestion(OpenQuestion):
    """A prompt for a judge, and the atoms or sub-questions that it asks about."""

    atoms: tuple[str, ...] = ()

    def read(self, answer: str) -> str | None:
        """Return the reply if it decides every atom."""
        return None if read_verdicts(answer, len(self.atoms)) is None else answer

    def verdicts(self, answer: str) -> list[AtomVerdict]:
        """Return the judge's verdicts; every atom stays open where the reply cannot be read."""
        read = read_verdicts(answer, len(self.atoms))
        if read is None:
            reason = "the judge's reply lacks an atom or is no JSON"
            return [AtomVerdict(atom, "open", reason) for atom in self.atoms]
        return [
            AtomVerdict(atom, "pass" if passed else "fail", "judged")
            for atom, passed in zip(self.atoms, read, strict=True)
        ]


@dataclass(frozen=True, slots=True)
class Judged:
    """One judge's verdict on one rubric atom or sub-question of one reply."""

    benchmark: str
    track: str
    model: str
    judge: str
    item: str
    atom: str
    passed: bool


@dataclass(frozen=True)
class Asking:
    """How models are asked what the store lacks."""

    parameters: LLMEvalLogicEvaluationParameters
    store: Path
    limits: LimitParameters
    seed: int

    def replies(
        self, questions: Sequence[Any], model: ModelParameters, runs: int, sampling: SamplingParameters
    ) -> dict[tuple[str, int], str]:
        """Return a model's replies by instance and run.

        Raises:
            DivLogicError: the model cannot be used, or answers are still lacking.
        """
        answers = ask(
            [questions],
            self.store,
            model=model,
            runs=runs,
            sampling=sampling,
            limits=self.limits,
            seed=self.seed,
        )
        return {(request.question.instance, request.run): response.answer for request, response in answers}

    def verdicts(
        self, questions: Sequence[JudgeQuestion], judge: ModelParameters
    ) -> dict[str, list[AtomVerdict]]:
        """Return a judge's verdicts by item."""
        replies = self.replies(questions, judge, 1, self.parameters.judge_sampling)
        return {each.instance: each.verdicts(replies.get((each.instance, 0), "")) for each in questions}


def judge_questions(
    tasks: Mapping[str, Task],
    replies: Mapping[str, str],
    track: Track,
    parameters: LLMEvalLogicEvaluationParameters,
) -> list[JudgeQuestion]:
    """Return a prompt for every reply of which something stays open, in the order of the items."""
    found = []
    for name, reply in sorted(replies.items()):
        try:
            if track == "answer":
                found.append(_answer_judge(tasks[name], reply))
            else:
                found.append(_rubric_judge(tasks[name], reply, track, parameters))
        except UnreadableError:
            continue
    return [question for question in found if question.atoms]


def judged(questions: Sequence[JudgeQuestion], asking: Asking) -> dict[str, list[AtomVerdict]]:
    """Return the first judge's verdicts by item; empty without judges."""
    judges = asking.parameters.judges
    return asking.verdicts(questions, judges[0]) if judges and questions else {}


def sampled(questions: Sequence[JudgeQuestion], track: Track, model: str, asking: Asking) -> list[Judged]:
    """Ask every judge about the same sample of prompts; with fewer than two judges there is nothing to compare."""
    judges = asking.parameters.judges
    if len(judges) < 2 or not questions:
        return []
    draws = Draws(asking.seed, len(questions))
    chosen = draws.shuffled(list(questions))[: asking.parameters.judge_sample]
    found = {label_of(judge): asking.verdicts(chosen, judge) for judge in judges}
    return [
        Judged(question.benchmark, track, model, judge, question.instance, each.atom, each.verdict == "pass")
        for judge, verdicts in found.items()
        for question in chosen
        for each in verdicts[question.instance]
        if each.verdict != "open"
    ]


def agreement_rows(rows: Iterable[Judged], *, seed: int, resamples: int) -> list[dict[str, Any]]:
    """Return how judges agree, one row per benchmark, track and pair of judges; without judges no row."""
    groups: dict[tuple[str, str], dict[str, dict[tuple[str, str], bool]]] = defaultdict(
        lambda: defaultdict(dict)
    )
    for row in rows:
        # Replies of two models to one item are one cluster, and their atoms are not the same.
        groups[row.benchmark, row.track][row.judge][row.item, f"{row.model} {row.atom}"] = row.passed
    table = []
    for (benchmark, track), verdicts in sorted(groups.items()):
        shared = set.intersection(*(set(each) for each in verdicts.values()))
        same = sum(len({each[key] for each in verdicts.values()}) == 1 for key in shared)
        unanimous = same / len(shared) if shared else None
        table += [
            {"benchmark": benchmark, "track": track, "unanimous": unanimous, **pair}
            for pair in agreement(verdicts, seed=seed, resamples=resamples)
        ]
    return table


def agreement(
    verdicts: Mapping[str, Mapping[tuple[str, str], bool]], *, seed: int, resamples: int = 1000
) -> list[dict[str, Any]]:
    """Return the agreement of each pair of judges on the atoms that both judged, sorted by their names.

    A row has the share of equal verdicts, Cohen's kappa (``None``: undefined, as both verdicts are constant), its
    percentile bootstrap interval over items with all their atoms, and Landis and Koch's word.

    Args:
        verdicts: by judge, the verdict on each (item, atom).
        seed: of the bootstrap.
        resamples: number of bootstrap samples.
    """
    rows = []
    for first, second in combinations(sorted(verdicts), 2):
        keys = sorted(set(verdicts[first]) & set(verdicts[second]))
        given = np.array([[verdicts[name][key] for key in keys] for name in (first, second)], dtype=int)
        kappa = _kappa(given)
        low, high = (None, None) if kappa is None else _interval(keys, given, seed, resamples)
        raw = float(np.mean(given[0] == given[1])) if keys else 0.0
        names = {"first": first, "second": second, "atoms": len(keys)}
        rows.append(names | {"raw": raw, "kappa": kappa, "low": low, "high": high, "band": band(kappa)})
    return rows


def _kappa(given: np.ndarray) -> float | None:
    """Return Cohen's kappa; ``None`` where both verdicts are constant and equal (chance agreement is 1)."""
    from sklearn.metrics import cohen_kappa_score

    return None if len(np.unique(given)) < 2 else float(cohen_kappa_score(*given))


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
    names, items = np.unique([item for item, _ in keys], return_inverse=True)
    atoms = [np.flatnonzero(items == place) for place in range(len(names))]

    def kappas(drawn: np.ndarray) -> np.ndarray:
        found = [_kappa(given[:, np.concatenate([atoms[item] for item in row])]) for row in drawn]
        return np.array([np.nan if kappa is None else kappa for kappa in found])

    return percentile_interval(kappas, len(names), seed=seed, resamples=resamples)


def _rubric_judge(
    task: Task, reply: str, track: Track, parameters: LLMEvalLogicEvaluationParameters
) -> JudgeQuestion:
    """Return the prompt that asks for all atoms of a formalization that stay open."""
    assert task.item is not None
    found = read_formal(task.item, reply, track, order=parameters.order)
    still_open = {each.atom for each in found.verdicts if each.verdict == "open"}
    atoms = [atom for atom in task.item.rubric.atoms if atom.id in still_open] if task.item.rubric else []
    row = formalization_row(found.theory)
    text = _worded(
        "judge_formalization",
        [atom.desc for atom in atoms],
        background=task.item.background.zh,
        question=task.item.question.zh,
        candidate=json.dumps(
            {key: row[key] for key in ("symbols", "premises", "queries")}, ensure_ascii=False
        ),
    )
    return JudgeQuestion(task.benchmark, task.id, text, atoms=tuple(atom.id for atom in atoms))


def _answer_judge(task: Task, reply: str) -> JudgeQuestion:
    """Return the prompt that asks whether free answers say what the references say."""
    free = [question for question in task.questions if not question.exact]
    given = read_answers(reply, [question.id for question in free])
    still_open = [question for question in free if not same_text(given[question.id], question.answer)]
    points = [
        TEXTS["judged_answer"].format(
            question=question.text.zh, reference=question.answer, answer=given[question.id]
        )
        for question in still_open
    ]
    text = _worded("judge_answers", points)
    return JudgeQuestion(task.benchmark, task.id, text, atoms=tuple(question.id for question in still_open))


def _worded(template: str, points: Sequence[str], **values: str) -> str:
    listed = "\n".join(f"{number}. {point}" for number, point in enumerate(points, start=1))
    text: str = TEXTS[template].format(points=listed, form=_VERDICTS, **values)
    return text
