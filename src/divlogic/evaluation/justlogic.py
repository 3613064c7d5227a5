"""JustLogic's questions with their context: asking models, and the answers that its authors recorded."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from divlogic.benchmarks.answers import answer_format
from divlogic.benchmarks.baselines import offer_baselines
from divlogic.benchmarks.readers import read_benchmark
from divlogic.errors import DivLogicError
from divlogic.evaluation.parameters import EvaluationParameters
from divlogic.io.files import write_jsonl
from divlogic.io.log import say
from divlogic.models.asking import ClosedQuestion, ask, read_questions
from divlogic.models.baselines import files_read
from divlogic.models.parameters import ModelParameters
from divlogic.models.predictions import write_predictions
from divlogic.models.recordings.sources import recordings_in
from divlogic.models.styles import CLOSED
from divlogic.records import Record

BENCHMARK = "justlogic"
READER = "recorded:justlogic"
"""Reader, as the registry calls it, of answers that were given with the context."""


def is_asked(model: ModelParameters, parameters: EvaluationParameters) -> bool:
    """Tell whether a model answers JustLogic's questions: whether they and a prompt of theirs are the model's.

    Baselines that read files, as they are trained on another benchmark or told about it, are left out.
    """
    wanted = model.benchmarks is None or BENCHMARK in model.benchmarks
    offer_baselines()
    return wanted and not files_read(model.name) and bool(prompts_of(model, parameters))


def prompts_of(model: ModelParameters, parameters: EvaluationParameters) -> list[str]:
    """Return the prompt styles of JustLogic's questions that are put to a model."""
    own = model.prompts
    return [name for name in parameters.justlogic.prompts if own is None or name in own]


def ask_justlogic(
    source: Path,
    pool: Path,
    store: Path,
    out: Path,
    *,
    model: ModelParameters,
    parameters: EvaluationParameters,
    seed: int,
) -> int:
    """Ask a model JustLogic's questions that the store holds no answer to; write all its answers, return their number.

    Args:
        source: the questions.
        pool: training part, for prompts with solved examples.
        store: response store of the model.
        out: the answers, in the order of prompts and questions.
        model, parameters, seed: who is asked, and how.

    Raises:
        DivLogicError: there is nothing to ask, the model cannot be used, or answers are still missing at the end.
    """
    questions = justlogic_questions(
        source, pool, prompts_of(model, parameters), instances=parameters.justlogic.instances, seed=seed
    )
    # A number of JustLogic's own, evenly spaced, counts in place of the model's for every benchmark, its first ones.
    most = model.instances if parameters.justlogic.instances is None else None
    model = model.model_copy(update={"runs": model.runs or parameters.runs, "instances": most})
    sampling = parameters.justlogic.sampling
    predictions = ask(questions, store, model=model, sampling=sampling, limits=parameters.limits, seed=seed)
    return write_predictions(out, predictions)


def justlogic_questions(
    source: Path, pool: Path, prompts: Sequence[str], *, instances: int | None, seed: int
) -> list[ClosedQuestion]:
    """Return JustLogic's questions in some prompt styles, as they are put to models.

    Args:
        source: the questions.
        pool: training part, for prompts with solved examples.
        prompts: names of the styles.
        instances: number of questions, evenly spaced; ``None`` for all.
        seed: of the draw of examples.

    Raises:
        DivLogicError: there is nothing to ask, or nothing to draw examples from.
    """
    examples = pool if any(CLOSED[name].has_examples for name in prompts) else None
    return read_questions(
        source, examples, prompts=prompts, instances=instances, seed=seed, form_of=answer_format
    )


def write_recorded_questions(folders: Sequence[Path], out: Path) -> int:
    """Write the questions of JustLogic's recordings, which each file repeats; return their number.

    Raises:
        DivLogicError: a manifest is missing or a file does not have its form.
    """
    asked: dict[str, Record] = {}
    for recording in recordings_in(folders, READER):
        try:
            records = list(read_benchmark(Path(recording.file), "justlogic", on_problem=_passed_over))
        except DivLogicError as error:
            say(f"{error} Its questions are left out.")
            continue
        asked.update({record.id: record for record in records})
    return write_jsonl(out, (record.to_json() for record in asked.values()))


def _passed_over(*_: object) -> None:
    """Pass over an odd row: the recording's report counts it."""
