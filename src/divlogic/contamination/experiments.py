"""Training on pairs (Table 5) and on the test set itself, and what each does to a learner's scores."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np

from divlogic.benchmarks.divlogiceval.fresh import worded_records
from divlogic.contamination import guessing, learners, outcomes
from divlogic.contamination.parameters import ContaminationRun, LearnerParameters
from divlogic.evaluation.metrics import Answers, instance_scores
from divlogic.intervals import Floats
from divlogic.io.files import file_sha256
from divlogic.io.log import say
from divlogic.records import Record, read_records, spaced_over_types

_WITHOUT_EFFECT = {
    *(
        "learners",
        "resamples",
        "models",
        "guessed",
        "sampling",
        "limits",
        "learnability",
        "transfer",
    )
}
"""Parameters of the phase that decide nothing of what a learner is found to do."""

_GUESSED = ("leaked", "unseen")
"""Samples whose texts are to be completed: those of the test set."""

LETTERS, TEXTS = "learns letters by heart", "learns options by heart"
"""The learners that nothing can be more contaminated than; what they remember of a leaked instance."""

Samples = Mapping[str, Sequence[Record]]


def run_learner(
    *,
    name: Annotated[str, "--learner", "Name of a learner of the parameters."],
    pairs: Annotated[Path, "Pairs of natural language inference (jsonl.gz)."],
    test: Annotated[Path, "Test split of DivLogicEval (jsonl)."],
    groups: Annotated[Path, "Its shuffled sentence groups (jsonl)."],
    work: outcomes.Work = None,
    experiments: Annotated[
        tuple[Literal["pairs", "leak"], ...],
        "--experiment",
        "Only this one; repeatable. By default both.",
    ] = ("pairs", "leak"),
    out: Annotated[Path, "Outcomes (jsonl)."],
    params: ContaminationRun,
) -> None:
    """Train a learner on pairs and on leaked instances, and ask it before and after."""
    settings = params.contamination
    learner = settings.learner(name)
    # What takes a second is not kept; what belongs to other data or settings lies in another folder.
    folder = outcomes.work_folder(
        None if learner.kind == "bag_of_words" else work,
        learner.model_dump_json(),
        settings.model_dump_json(exclude=_WITHOUT_EFFECT),
        params.seed,
        *map(file_sha256, (pairs, test, groups)),
    )
    seeds = [params.seed + at for at in range(learner.seeds or settings.seeds)]

    def experiment(name: str) -> Experiment:
        def untrained(seed: int) -> learners.ChoiceLearner:
            return build(learner, seed, folder / f"{name}-{seed}" if folder else None)

        return Experiment(learner.name, untrained, seeds, settings.resamples, folder)

    records = list(read_records(test))
    found: list[outcomes.Outcome] = []
    if "pairs" in experiments:
        drawn = learners.draw_pairs(
            pairs, train=settings.train_pairs, test=settings.test_pairs, seed=params.seed
        )
        instances = spaced_over_types(records, settings.instances)
        found += experiment("pairs").train_on_pairs(drawn, instances, settings.passes)
    if "leak" in experiments:
        samples = _samples(params, records, groups)
        found += experiment("leak").leak(samples, settings.leak_passes)
        if learner.kind == "bag_of_words":
            seeds = [params.seed + at for at in range(settings.seeds)]
            for label, letters in ((LETTERS, True), (TEXTS, False)):
                by_heart = partial(learners.AnswerKey, letters=letters)
                control = Experiment(label, by_heart, seeds, settings.resamples, folder)
                found += control.leak(samples, 1)
    outcomes.write_outcomes(out, found)


def record(
    *,
    source: Annotated[Path, "--in", "Outcomes of `run` (jsonl)."],
    name: Annotated[str, "--learner", "Name of the learner that they are of."],
    test: Annotated[Path, "Test split of DivLogicEval (jsonl)."],
    out: Annotated[Path, "The recording (json), in data/recorded/contamination."],
    params: ContaminationRun,
) -> None:
    """Record outcomes for later runs, which show them without training: numbers, settings and versions."""
    found, settings = outcomes.read_outcomes(source), params.contamination
    outcomes.write_recording(
        out,
        found,
        params,
        settings.model_dump(mode="json", exclude={"learners"}),
        learner=settings.learner(name).model_dump(mode="json"),
        test_sha256=file_sha256(test),
    )
    say(f"{out}: {len(found):,} outcomes")


def build(parameters: LearnerParameters, seed: int, work: Path | None) -> learners.ChoiceLearner:
    """Make an untrained learner from a seed, with its checkpoint in the folder ``work``."""
    if parameters.kind == "bag_of_words":
        return learners.PairPerceptron(seed)
    from divlogic.contamination.networks import Causal, OptionEncoder
    from divlogic.networks.library import CAUSAL, ENCODER
    from divlogic.networks.training import Schedule

    schedule = Schedule(
        parameters.rate, parameters.batch, steps_kept=parameters.steps_kept, seed=seed
    )
    given: dict[str, Any] = {"longest": parameters.longest, "work": work}
    if parameters.kind == "encoder":
        return OptionEncoder(parameters.model or ENCODER, schedule, **given)
    given |= {"adaptation": parameters.adaptation, "rank": parameters.rank}
    return Causal(parameters.model or CAUSAL, schedule, **given)


@dataclass(frozen=True, slots=True)
class Experiment:
    """A learner that is asked at stages of its training, with several seeds.

    Attributes:
        label: how the learner is called.
        build: makes it from a seed.
        seeds: one training for each.
        resamples: of the bootstrap.
        folder: keeps what each stage of a seed found, for runs that are interrupted; ``None``: nothing is kept.
    """

    label: str
    build: Callable[[int], learners.ChoiceLearner]
    seeds: Sequence[int]
    resamples: int
    folder: Path | None

    def train_on_pairs(
        self, pairs: learners.Pairs, instances: Sequence[Record], passes: Sequence[int]
    ) -> Iterator[outcomes.Outcome]:
        """Train on pairs and ask pairs and instances at each stage: after each number of passes, which ascend."""
        stages = {"origin": 0, **{f"{count}x": count for count in passes}}

        def ask(learner: learners.ChoiceLearner) -> outcomes.Scores:
            rotated = scores_of(learner, instances)[
                :, [outcomes.SCORES.index(outcomes.ALL_ROTATIONS)]
            ]
            right = learners.right_answers(learner, pairs.test)[:, None]
            return {outcomes.NLI: right, outcomes.DIVLOGICEVAL: rotated}

        return self._at_stages("table5", pairs.train, stages, ("ACC",), ask)

    def leak(self, samples: Samples, passes: int) -> Iterator[outcomes.Outcome]:
        """Train on the sample ``leaked`` and ask every sample before and after; yield what it measures."""
        stages = dict(zip(outcomes.STAGES, (0, passes), strict=True))

        def ask(learner: Any) -> outcomes.Scores:
            found = {name: scores_of(learner, records) for name, records in samples.items()}
            for name in _GUESSED if hasattr(learner, "token_scores") else ():
                guessed = guessing.guess_scores(learner, samples[name], self.seeds[0])
                found[name] = np.hstack([found[name], guessed])
            return found

        measures = (*outcomes.SCORES, *guessing.MEASURES)
        return self._at_stages("leak", samples["leaked"], stages, measures, ask)

    def _at_stages(
        self,
        name: str,
        trained: Sequence[Record],
        stages: Mapping[str, int],
        measures: Sequence[str],
        ask: Callable[[learners.ChoiceLearner], outcomes.Scores],
    ) -> Iterator[outcomes.Outcome]:
        """Train a learner of each seed and yield what asking it measures after each stage's number of passes.

        ``ask`` returns by sample the scores of each instance, one column for each of the first measures.
        """
        found: dict[str, list[outcomes.Scores]] = {stage: [] for stage in stages}
        for seed in self.seeds:
            learner, done = self.build(seed), 0
            for stage, passes in stages.items():
                if passes > done:
                    learner.train(trained, passes - done)
                    done = passes
                asked = outcomes.remembered(
                    self.folder, f"{name}-{seed}-{stage}", partial(ask, learner)
                )
                found[stage].append(asked)
        drawn: dict[str, Any] = {"seed": self.seeds[0], "resamples": self.resamples}
        for sample, scores in asked.items():
            for column, measure in enumerate(measures[: scores.shape[1]]):
                runs = {
                    stage: [one[sample][:, column] for one in own] for stage, own in found.items()
                }
                unit = 1.0 if measure == guessing.MIN_K else 100.0
                yield from outcomes.summarise(self.label, sample, measure, runs, unit=unit, **drawn)


def scores_of(learner: learners.ChoiceLearner, records: Sequence[Record]) -> Floats:
    """Return accuracy over all rotations, ACC, CIR and PC of each record as fractions; shape (records, 4).

    The records have equally many options.
    """
    rotations = range(len(records[0].options))
    picks = np.array([learner.choose(records, rotation) for rotation in rotations], dtype=np.int8).T
    correct = picks == np.array([record.answer for record in records])[:, None]
    answers = Answers(
        tuple(record.id for record in records),
        tuple(record.question_type or "" for record in records),
        picks,
        correct,
    )
    return np.column_stack([correct.mean(axis=1), instance_scores(answers)])


def _samples(run: ContaminationRun, records: Sequence[Record], groups: Path) -> Samples:
    leaked, unseen = learners.of_distinct_quartets(records, run.contamination.leaked)
    settings = run.benchmarks.divlogiceval
    # Another seed: nobody can have been trained on what comes of it.
    fresh = worded_records(groups, settings.preset, settings, run.seed + 1, len(leaked), apart=True)
    return {"leaked": leaked, "unseen": unseen, "fresh": list(fresh)}
