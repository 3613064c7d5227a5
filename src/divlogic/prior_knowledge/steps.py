"""The steps of the phase as functions of files: every benchmark of a collection, every recorded answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from divlogic.benchmarks.answers import answer_format
from divlogic.benchmarks.baselines import offer_baselines
from divlogic.benchmarks.collection.collect import collected_records, load_collection
from divlogic.benchmarks.spec import PRIOR_KNOWLEDGE_TABLE
from divlogic.errors import DivLogicError
from divlogic.io.log import say
from divlogic.models.asking import ClosedQuestion, ask, askable, read_questions, stored_predictions
from divlogic.models.parameters import ModelParameters
from divlogic.models.predictions import Prediction, write_predictions
from divlogic.models.store import ResponseStore
from divlogic.models.styles import CLOSED
from divlogic.prior_knowledge.parameters import PriorKnowledgeParameters
from divlogic.prior_knowledge.probe import probe
from divlogic.records import Record, read_records


def probe_collection(
    collection: Path, splits: Sequence[Path], out: Path, parameters: PriorKnowledgeParameters, seed: int
) -> int:
    """Cross-validate the question-only classifier on every benchmark that has enough answers; return the rows.

    Args:
        collection: folder that ``divlogic benchmarks collect`` wrote.
        splits: further splits of generated benchmarks, so that the probe learns from all of them.
        out: the answers.
        parameters: the classifier's settings.
        seed: of the folds.
    """
    further: dict[str, list[Record]] = {}
    for path in splits:
        for record in read_records(path):
            further.setdefault(record.benchmark, []).append(record)

    def answers() -> Iterator[Prediction]:
        for one in load_collection(collection, PRIOR_KNOWLEDGE_TABLE, views=True):
            if not one.available:
                continue
            own = further.get(one.benchmark)
            records = own if own is not None else list(collected_records(collection, one.stem))
            try:
                found = probe(records, parameters.probe, seed)
            except DivLogicError as error:
                say(f"{one.benchmark}: no probe ({error})")
                continue
            yield from (replace(answer, benchmark=one.benchmark) for answer in found)

    return write_predictions(out, answers())


def ask_file(
    source: Path,
    pool: Path | None,
    store: Path | ResponseStore,
    *,
    model: ModelParameters,
    parameters: PriorKnowledgeParameters,
    seed: int,
) -> list[Prediction]:
    """Ask one model the questions of a record file that the store holds no answer to; return all its answers.

    Raises:
        DivLogicError: there is nothing to ask, the model cannot be used, or answers are still missing at the end.
    """
    offer_baselines()
    questions = _questions(source, pool, model, parameters, seed)
    return ask(
        questions, store, model=model, sampling=parameters.sampling, limits=parameters.limits, seed=seed
    )


def answers_to_file(
    source: Path,
    pool: Path | None,
    store: Path,
    *,
    model: ModelParameters,
    parameters: PriorKnowledgeParameters,
    seed: int,
) -> Iterator[Prediction]:
    """Yield one model's stored answers to the questions of a record file, in the file's order."""
    questions = _questions(source, pool, model, parameters, seed)
    yield from stored_predictions(questions, store, model=model, sampling=parameters.sampling)


def ask_collection(
    collection: Path,
    store: Path,
    out: Path,
    *,
    pools: Sequence[Path] = (),
    model: ModelParameters,
    parameters: PriorKnowledgeParameters,
    seed: int,
) -> int:
    """Ask one model the questions of every benchmark with answers, without their contexts; return the rows.

    Answers are kept in the store the moment they arrive; what it holds is not asked again. A model whose parameters
    name benchmarks is asked these only.

    Args:
        collection: folder that ``divlogic benchmarks collect`` wrote.
        store: response store of the model.
        out: the answers.
        pools: training splits of generated benchmarks, that solved examples are drawn from.
        model, parameters, seed: what is asked, and how.
    """
    training = {next(iter(askable(path))).benchmark: path for path in pools}

    def answers(opened: ResponseStore) -> Iterator[Prediction]:
        for one in load_collection(collection, PRIOR_KNOWLEDGE_TABLE, views=True):
            source = collection / f"{one.stem}.jsonl.gz"
            wanted = model.benchmarks is None or one.benchmark in model.benchmarks
            if not (wanted and one.available and any(r.answer is not None for r in read_records(source))):
                continue
            pool = training.get(one.benchmark)
            prompts = parameters.prompts if model.prompts is None else model.prompts
            kept = [name for name in prompts if pool is not None or not CLOSED[name].has_examples]
            if kept != prompts:
                say(f"{one.benchmark}: no prompt with solved examples, it has no training part here")
            if not kept:
                continue
            asked = model.model_copy(update={"prompts": kept})
            for prediction in ask_file(source, pool, opened, model=asked, parameters=parameters, seed=seed):
                yield replace(prediction, benchmark=one.benchmark)

    with ResponseStore(store) as opened:
        return write_predictions(out, answers(opened))


def _questions(
    source: Path,
    pool: Path | None,
    model: ModelParameters,
    parameters: PriorKnowledgeParameters,
    seed: int,
) -> list[ClosedQuestion]:
    prompts = parameters.prompts if model.prompts is None else model.prompts
    return read_questions(
        source,
        pool,
        prompts=prompts,
        instances=parameters.instances,
        seed=seed,
        form_of=answer_format,
    )
