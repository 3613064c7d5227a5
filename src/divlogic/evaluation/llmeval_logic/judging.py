"""Judges: the first decides what stays open; on one seeded sample all do, and their agreement is measured."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, fields
from itertools import combinations
from typing import Any

import numpy as np

from divlogic.draws import Draws
from divlogic.evaluation.llmeval_logic import questions
from divlogic.evaluation.llmeval_logic.scoring import AtomVerdict, read_formal
from divlogic.evaluation.parameters import LLMEvalLogicEvaluationParameters
from divlogic.intervals import percentile_interval
from divlogic.models.answers import read_verdicts
from divlogic.models.parameters import ModelParameters, SamplingParameters
from divlogic.models.requests import Request, Response, label_of

_VERDICTS = (
    "Reply with one JSON object that maps the number of each point to true (it holds) or false (it does not), and"
    " nothing else."
)


@dataclass(frozen=True, slots=True)
class JudgeQuestion(questions.OpenQuestion):
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


Ask = Callable[..., list[tuple[Request[Any], Response]]]
"""Asks a model: :func:`divlogic.models.asking.ask` with store, limits and seed."""


def judge_questions(
    tasks: Mapping[str, questions.Task],
    replies: Mapping[str, str],
    track: questions.Track,
    parameters: LLMEvalLogicEvaluationParameters,
) -> list[JudgeQuestion]:
    """Return a prompt for every reply of which something stays open, in the order of the items."""
    found = []
    for name, reply in sorted(replies.items()):
        with suppress(questions.UnreadableError):
            if track == "answer":
                found.append(_answer_judge(tasks[name], reply))
            else:
                found.append(_rubric_judge(tasks[name], reply, track, parameters))
    return [question for question in found if question.atoms]


def verdicts_of(
    asked: Sequence[JudgeQuestion], judge: ModelParameters, ask: Ask, sampling: SamplingParameters
) -> dict[str, list[AtomVerdict]]:
    """Return a judge's verdicts by item."""
    answers = ask([asked], model=judge, runs=1, sampling=sampling) if asked else []
    return {
        each.question.instance: each.question.verdicts(response.answer)
        for each, response in answers
    }


def sampled(
    asked: Sequence[JudgeQuestion],
    track: questions.Track,
    model: str,
    ask: Ask,
    parameters: LLMEvalLogicEvaluationParameters,
    seed: int,
) -> list[Judged]:
    """Ask every judge about the same sample of prompts; with fewer than two judges there is nothing to compare."""
    if len(parameters.judges) < 2:
        return []
    chosen = Draws(seed, len(asked)).shuffled(list(asked))[: parameters.judge_sample]
    found = {
        label_of(judge): verdicts_of(chosen, judge, ask, parameters.judge_sampling)
        for judge in parameters.judges
    }
    return [
        Judged(
            question.benchmark,
            track,
            model,
            judge,
            question.instance,
            each.atom,
            each.verdict == "pass",
        )
        for judge, verdicts in found.items()
        for question in chosen
        for each in verdicts.get(question.instance, ())
        if each.verdict != "open"
    ]


def agreement_rows(rows: Iterable[Judged], *, seed: int, resamples: int) -> list[dict[str, Any]]:
    """Return how judges agree, one row per benchmark, track and pair of judges; without judges no row.

    A row has the share of equal verdicts on the atoms that both judged, the share on which all judges agree, Cohen's
    kappa (``None``: undefined, as both verdicts are constant), its percentile bootstrap interval over items with all
    their atoms, and Landis and Koch's word.

    Args:
        rows: the verdicts.
        seed: of the bootstrap.
        resamples: number of bootstrap samples.
    """
    import pandas as pd

    given = pd.DataFrame(map(asdict, rows), columns=[each.name for each in fields(Judged)])
    table = []
    for (benchmark, track), part in given.groupby(["benchmark", "track"]):
        # Replies of two models to one item are one cluster, and their atoms are not the same.
        verdicts = part.pivot_table("passed", ["item", "model", "atom"], "judge", aggfunc="last")
        unanimous = (
            verdicts.dropna().nunique(axis="columns").eq(1).mean()
            if len(verdicts.dropna())
            else None
        )
        for first, second in combinations(verdicts, 2):
            both = verdicts[[first, second]].dropna().astype(int)
            pair = both.to_numpy().T
            kappa = _kappa(pair)
            items = list(both.index.get_level_values("item"))
            low, high = (None, None) if kappa is None else _interval(items, pair, seed, resamples)
            raw = float((pair[0] == pair[1]).mean()) if len(both) else 0.0
            names = {"benchmark": benchmark, "track": track, "first": first, "second": second}
            numbers = {"atoms": len(both), "raw": raw, "unanimous": unanimous, "kappa": kappa}
            table.append({**names, **numbers, "low": low, "high": high, "band": band(kappa)})
    return table


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
    of: Sequence[str], given: np.ndarray, seed: int, resamples: int
) -> tuple[float, float]:
    """Return the interval of kappa over items, each drawn with all its atoms; ``of`` names the item of each atom."""
    names, items = np.unique(of, return_inverse=True)
    atoms = [np.flatnonzero(items == place) for place in range(len(names))]

    def kappas(drawn: np.ndarray) -> np.ndarray:
        found = [_kappa(given[:, np.concatenate([atoms[item] for item in row])]) for row in drawn]
        return np.array([np.nan if kappa is None else kappa for kappa in found])

    return percentile_interval(kappas, len(names), seed=seed, resamples=resamples)


def _rubric_judge(
    task: questions.Task,
    reply: str,
    track: questions.Track,
    parameters: LLMEvalLogicEvaluationParameters,
) -> JudgeQuestion:
    """Return the prompt that asks for all atoms of a formalization that stay open."""
    assert task.item is not None
    found = read_formal(task.item, reply, track, order=parameters.order)
    still_open = {each.atom for each in found.verdicts if each.verdict == "open"}
    atoms = (
        [atom for atom in task.item.rubric.atoms if atom.id in still_open]
        if task.item.rubric
        else []
    )
    text = _worded(
        "judge_formalization",
        [atom.desc for atom in atoms],
        background=task.item.background.zh,
        question=task.item.question.zh,
        candidate=questions.stated(found.theory, ("symbols", "premises", "queries")),
    )
    return JudgeQuestion(task.benchmark, task.id, text, atoms=tuple(atom.id for atom in atoms))


def _answer_judge(task: questions.Task, reply: str) -> JudgeQuestion:
    """Return the prompt that asks whether free answers say what the references say."""
    free = [question for question in task.questions if not question.exact]
    given = questions.read_answers(reply, task)
    still_open = [one for one in free if not questions.same_text(given[one.id], one.answer)]
    worded = questions.TEXTS["judged_answer"].format
    points = [
        worded(question=one.text.zh, reference=one.answer, answer=given[one.id])
        for one in still_open
    ]
    text = _worded("judge_answers", points)
    return JudgeQuestion(task.benchmark, task.id, text, atoms=tuple(one.id for one in still_open))


def _worded(template: str, points: Sequence[str], **values: str) -> str:
    listed = "\n".join(f"{number}. {point}" for number, point in enumerate(points, start=1))
    text: str = questions.TEXTS[template].format(points=listed, form=_VERDICTS, **values)
    return text
