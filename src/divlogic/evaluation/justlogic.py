"""JustLogic's questions with their context: asking models, and the answers that its authors recorded."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from divlogic.benchmarks.readers import read_benchmark
from divlogic.corpora.manifest import read_manifest
from divlogic.evaluation.parameters import EvaluationParameters
from divlogic.files import write_jsonl
from divlogic.models.asking import ask, read_questions, stored_answers
from divlogic.models.baseline_files import NEEDS
from divlogic.models.closed_answers import Answer, write_answers
from divlogic.models.closed_prompts import STYLES
from divlogic.models.label_recordings import read_justlogic, recorded_answers
from divlogic.models.parameters import ModelParameters
from divlogic.records import Record

BENCHMARK = "justlogic"
READER = "recorded:justlogic"
"""Reader, as the registry calls it, of answers that were given with the context."""

_NAME = re.compile(
    r"(?P<shots>\d)_shot_(?P<thought>cot_)?(?:w_depth_)?(?P<system>llama8B|llama70B|openai_o1_preview|openai_o1)"
    r"_results\.csv"
)
_SYSTEMS = {
    "llama8B": "Llama3-8B",
    "llama70B": "Llama3-70B",
    "openai_o1": "OpenAI o1",
    "openai_o1_preview": "OpenAI o1-preview",
}
"""The systems as JustLogic prints them."""

_SETTINGS = {"0": "zero_shot", "3": "three_shot", "6": "six_shot"}


def is_asked(model: ModelParameters, parameters: EvaluationParameters) -> bool:
    """Tell whether a model answers JustLogic's questions: whether they and a prompt of theirs are the model's.

    Baselines that read files, as they are trained on another benchmark or told about it, are left out.
    """
    wanted = model.benchmarks is None or BENCHMARK in model.benchmarks
    reads_files = model.name.removeprefix("baseline/") in NEEDS and model.name.startswith("baseline/")
    return wanted and not reads_files and bool(prompts_of(model, parameters))


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
        DivLogicError: there is nothing to ask, the model cannot be used, or answers are still lacking at the end.
    """
    prompts = prompts_of(model, parameters)
    examples = pool if any(STYLES[name].shots for name in prompts) else None
    questions = read_questions(
        source, examples, prompts=prompts, instances=parameters.justlogic.instances, seed=seed
    )
    model = model.model_copy(update={"runs": model.runs or parameters.runs})
    sampling = parameters.justlogic.sampling
    ask(questions, store, model=model, sampling=sampling, limits=parameters.limits, seed=seed)
    return write_answers(out, stored_answers(questions, store, model=model, sampling=sampling))


def write_recorded_labels(folders: Sequence[Path], out: Path, records: Path) -> int:
    """Write the answers with context that JustLogic's authors recorded, and the records answered; return the answers.

    Files are found by their reader in the folders' manifests; system and setting stand in the file name
    (``0_shot_llama8B_results.csv``). Each file repeats the questions, so that the records can be read from it.

    Raises:
        DivLogicError: a manifest is missing or a file does not have its form.
    """
    answered: dict[str, Record] = {}

    def answers() -> Iterator[Answer]:
        for folder in folders:
            for file in read_manifest(folder).files:
                found = _NAME.fullmatch(Path(file.name).name)
                if file.reader != READER or not found:
                    continue
                path = Path(folder, file.name)
                answered.update({record.id: record for record in read_benchmark(path, "justlogic")})
                yield from recorded_answers(
                    list(read_justlogic(path)),
                    benchmark=BENCHMARK,
                    system=_SYSTEMS[found["system"]],
                    prompt="chain_of_thought" if found["thought"] else _SETTINGS[found["shots"]],
                )

    count = write_answers(out, answers())
    write_jsonl(records, (record.to_json() for record in answered.values()))
    return count
