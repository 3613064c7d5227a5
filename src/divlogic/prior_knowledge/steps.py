"""The steps of the phase as functions of files: every benchmark of a collection, every recorded answer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from operator import attrgetter
from pathlib import Path
from typing import Annotated

from divlogic.benchmarks.answers import answer_format, offer_baselines
from divlogic.benchmarks.collection.collect import collected_records, load_collection
from divlogic.benchmarks.spec import PRIOR_KNOWLEDGE_TABLE
from divlogic.config.command import ARGUMENT, FOLDER
from divlogic.errors import DivLogicError
from divlogic.io.log import say
from divlogic.models import asking
from divlogic.models.answer_keys import KeyOf, by_benchmark, keys_of_records
from divlogic.models.parameters import ModelParameters, model_named
from divlogic.models.predictions import Prediction, write_predictions
from divlogic.models.recordings import model_answers
from divlogic.models.requests import ClosedQuestion, Request, Response, read_responses
from divlogic.models.styles import CLOSED
from divlogic.prior_knowledge.parameters import PriorKnowledgeParameters, PriorKnowledgeRun
from divlogic.prior_knowledge.probe import probe
from divlogic.records import grouped, read_records


def probe_file(
    records: Annotated[tuple[Path, ...], ARGUMENT],
    out: Annotated[Path, "Answers of the classifier and of the majority (jsonl)."],
    params: PriorKnowledgeRun,
    benchmark: Annotated[
        str | None, "Name to give the benchmark; by default the records' own."
    ] = None,
) -> None:
    """Cross-validate a question-only classifier on RECORDS (all splits of one benchmark)."""
    read = [record for path in records for record in read_records(path)]
    answers = probe(read, params.prior_knowledge.probe, params.seed)
    write_predictions(out, (replace(one, benchmark=benchmark or one.benchmark) for one in answers))


def probe_collection(
    collection: Annotated[Path, "--in", FOLDER, "Folder of `divlogic benchmarks collect`."],
    out: Annotated[Path, "Predictions (jsonl)."],
    params: PriorKnowledgeRun,
    splits: Annotated[tuple[Path, ...], ARGUMENT] = (),
) -> None:
    """Run the probe on every benchmark of a collection; of generated ones on all their SPLITS."""
    further = grouped(chain.from_iterable(map(read_records, splits)), attrgetter("benchmark"))

    def answers() -> Iterator[Prediction]:
        for one in load_collection(collection, PRIOR_KNOWLEDGE_TABLE, views=True):
            if not one.available:
                continue
            records = further.get(one.benchmark) or list(collected_records(collection, one.stem))
            try:
                found = probe(records, params.prior_knowledge.probe, params.seed)
            except DivLogicError as error:
                say(f"{one.benchmark}: no probe ({error})")
                continue
            yield from (replace(answer, benchmark=one.benchmark) for answer in found)

    write_predictions(out, answers())


@dataclass(frozen=True)
class AskedCollection:
    """What is asked without context: the benchmarks of a collection."""

    collection: Annotated[Path, "--in", FOLDER, "Folder of `divlogic benchmarks collect`."]
    pools: Annotated[
        tuple[Path, ...],
        "--pool",
        "Training split of a generated benchmark, for solved examples; repeatable.",
    ] = ()

    def questions(
        self,
        prompts: Sequence[str],
        instances: int | None,
        seed: int,
        benchmarks: Sequence[str] | None = None,
        *,
        views: bool = False,
    ) -> Iterator[list[ClosedQuestion]]:
        """Yield the questions of each benchmark, under the name that it has in the collection.

        Args:
            prompts: names of prompt styles; those with solved examples are left out where there is no training part.
            instances: number of instances per benchmark, evenly spaced; ``None`` for all.
            seed: of the draw of examples.
            benchmarks: only these; ``None`` for all.
            views: whether benchmarks are asked that hold another one's texts in another form.
        """
        training = {next(iter(asking.askable(path))).benchmark: path for path in self.pools}
        for one in load_collection(self.collection, PRIOR_KNOWLEDGE_TABLE, views=views):
            source = self.collection / f"{one.stem}.jsonl.gz"
            if not one.available or (benchmarks is not None and one.benchmark not in benchmarks):
                continue
            if not any(shown.answer is not None for shown in read_records(source)):
                continue
            pool = training.get(one.benchmark)
            kept = [name for name in prompts if pool is not None or not CLOSED[name].has_examples]
            if len(kept) < len(prompts):
                say(
                    f"{one.benchmark}: no prompt with solved examples, it has no training part here"
                )
            if kept:
                questions = asking.read_questions(
                    source,
                    pool,
                    prompts=kept,
                    instances=instances,
                    seed=seed,
                    form_of=answer_format,
                )
                yield [replace(question, benchmark=one.benchmark) for question in questions]


@dataclass(frozen=True)
class AnsweredCollection:
    """What answers without context are compared with."""

    collection: Annotated[
        Path | None, "--in", FOLDER, "Folder of `divlogic benchmarks collect`."
    ] = None
    splits: Annotated[
        tuple[Path, ...], "--split", "Split of a generated benchmark; repeatable."
    ] = ()
    pools: Annotated[
        tuple[Path, ...], "--pool", "Training split, for prompts with solved examples; repeatable."
    ] = ()

    def key_of(self, seed: int) -> KeyOf:
        """Return the keys of all records; ``seed`` is that of the draw of examples."""
        files = by_benchmark(self.splits)
        entries = (
            load_collection(self.collection, PRIOR_KNOWLEDGE_TABLE, views=True)
            if self.collection
            else ()
        )
        for one in entries:
            if self.collection and one.available:
                files.setdefault(one.benchmark, []).append(self.collection / f"{one.stem}.jsonl.gz")
        return keys_of_records(files, self.pools, seed=seed, form_of=answer_format)


def ask_collection(
    asked: AskedCollection,
    given: asking.AskingOptions,
    out: Annotated[Path, "Predictions (jsonl)."],
    params: PriorKnowledgeRun,
) -> None:
    """Ask a model the questions of every benchmark of a collection, without their contexts.

    A model whose parameters name benchmarks is asked these only.
    """
    section = params.prior_knowledge
    model = given.model(section.models)
    prompts = prompts_of(model, section)
    questions = asked.questions(
        prompts, section.instances, params.seed, model.benchmarks, views=True
    )
    write_predictions(out, asking.predictions_of(_answers(questions, given, model, params), model))


@dataclass(frozen=True)
class AskedFile:
    """What is asked without context: the records of a file."""

    source: Annotated[Path, "--in", "Records (jsonl)."]
    pool: Annotated[Path | None, "Records of the training part, for solved examples."] = None

    def questions(self, model: ModelParameters, params: PriorKnowledgeRun) -> list[ClosedQuestion]:
        """Return the questions that the parameters put to a model."""
        section = params.prior_knowledge
        return asking.read_questions(
            self.source,
            self.pool,
            prompts=prompts_of(model, section),
            instances=section.instances,
            seed=params.seed,
            form_of=answer_format,
        )


def ask_file(asked: AskedFile, given: asking.AskingOptions, params: PriorKnowledgeRun) -> None:
    """Ask a model the questions to which the store has no answer yet."""
    model = given.model(params.prior_knowledge.models)
    _answers([asked.questions(model, params)], given, model, params)


def export_file(
    asked: AskedFile,
    store: Annotated[Path, "Response store."],
    out: Annotated[Path, "Predictions (jsonl)."],
    params: PriorKnowledgeRun,
    names: Annotated[
        tuple[str, ...], "--model", "Only these models; by default all of the parameters."
    ] = (),
    base_url: Annotated[
        str | None, "Address of the server; the answers do not depend on it."
    ] = None,
) -> None:
    """Write the stored answers to the questions, in a fixed order."""
    section = params.prior_knowledge
    responses = read_responses(store)

    def rows() -> Iterator[Prediction]:
        for model in [
            model_named(section.models, name, base_url) for name in names
        ] or section.models:
            questions = [asked.questions(model, params)]
            yield from asking.stored_predictions(
                questions, responses, model, model.runs or 1, section.sampling
            )

    write_predictions(out, rows())


def recorded_collection(
    asked: AskedCollection, given: model_answers.RecordedOptions, params: PriorKnowledgeRun
) -> None:
    """Write the recorded answers of models to a collection's questions; those to other versions are left out."""

    def questions(part: model_answers.RecordedPart) -> list[ClosedQuestion]:
        if part.rotated or part.prompt not in params.prior_knowledge.prompts:
            return []
        asked_of = asked.questions([part.prompt], None, params.seed, [part.benchmark])
        return list(chain.from_iterable(asked_of))

    model_answers.recorded(given, questions)


def prompts_of(model: ModelParameters, section: PriorKnowledgeParameters) -> list[str]:
    """Return the prompt styles in which a model is asked."""
    return section.prompts if model.prompts is None else model.prompts


def _answers(
    questions: Iterable[Sequence[ClosedQuestion]],
    given: asking.AskingOptions,
    model: ModelParameters,
    params: PriorKnowledgeRun,
) -> list[tuple[Request[ClosedQuestion], Response]]:
    offer_baselines()
    sampling, limits = params.prior_knowledge.sampling, given.limits(params.prior_knowledge.limits)
    return asking.ask(
        questions, given.store, model=model, sampling=sampling, limits=limits, seed=params.seed
    )
