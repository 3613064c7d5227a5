"""Inspect: logs of runs, data found outside the checkout, errors shown as sentences."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from divlogic.errors import DivLogicError
from divlogic.io.files import atomic_path
from divlogic.models.parameters import ModelParameters, SamplingParameters
from divlogic.models.requests import ClosedQuestion, Request, Response
from divlogic.records import grouped

ROOT_VARIABLE = "DIVLOGIC_ROOT"
"""Environment variable with the folder that holds ``data/``, for ``inspect eval`` outside the checkout."""


class ShownError(click.ClickException, DivLogicError):
    """A :class:`DivLogicError` that Inspect's command line shows as one line instead of a traceback."""


@contextmanager
def shown_errors() -> Iterator[None]:
    """Turn each :class:`DivLogicError` into one that Inspect's command line shows as a sentence."""
    try:
        yield
    except ShownError:
        raise
    except DivLogicError as error:
        raise ShownError(str(error)) from error


def find_data(name: str, option: str) -> Path:
    """Return the path of a data file: as given, or below the folder that ``DIVLOGIC_ROOT`` names."""
    for path in (Path(name), Path(os.environ.get(ROOT_VARIABLE, ""), name)):
        if path.is_file():
            return path
    raise DivLogicError(
        f"{name}: there is no such file in {Path.cwd()}; generate the benchmark with `snakemake benchmarks`, name"
        f" another file with -T {option}=FILE, or set {ROOT_VARIABLE} to the folder that holds data/."
    )


def count_mock_tokens_offline() -> None:
    """Let Inspect's model without a provider (``mockllm/model``) work offline.

    It estimates its usage with a vocabulary that tiktoken downloads; without a network every sample would fail.
    """
    from inspect_ai.model import get_model

    async def estimate(self: Any, text: str) -> int:
        return max(1, len(text) // 4)

    # The method that Inspect names for providers with a tokenizer of their own.
    type(get_model("mockllm/model").api).count_text_tokens = estimate  # type: ignore[method-assign]


SCORER = "answer"


def write_inspect_logs(
    answers: Sequence[tuple[Request[ClosedQuestion], Response]],
    folder: Path,
    *,
    model: ModelParameters,
    sampling: SamplingParameters,
) -> list[Path]:
    """Write one log per benchmark and prompt style (``BENCHMARK-PROMPT.eval``); return their paths.

    A run is an epoch, a question a sample. Earlier logs of the same benchmark and style are replaced.
    """
    from inspect_ai import log as logs

    parts = grouped(answers, lambda row: (row[0].question.benchmark, row[0].question.prompt))
    paths = []
    for (benchmark, prompt), rows in parts.items():
        samples = [_sample(*row) for row in rows]
        right = sum(bool(sample.scores[SCORER].value) for sample in samples if sample.scores)
        metrics = {"accuracy": logs.EvalMetric(name="accuracy", value=right / len(samples))}
        log = logs.EvalLog(
            status="success",
            eval=logs.EvalSpec(
                created=datetime.now(UTC).isoformat(timespec="seconds"),
                task=f"{benchmark}-{prompt}",
                dataset=logs.EvalDataset(
                    name=benchmark, samples=len({sample.id for sample in samples})
                ),
                model=model.name,
                config=logs.EvalConfig(epochs=max(sample.epoch for sample in samples)),
                metadata={"prompt": prompt, "sampling": model.sampling_within(sampling)},
            ),
            results=logs.EvalResults(
                total_samples=len(samples),
                completed_samples=len(samples),
                scores=[logs.EvalScore(name=SCORER, scorer=SCORER, metrics=metrics)],
            ),
            samples=samples,
        )
        path = Path(folder) / f"{benchmark}-{prompt}.eval"
        with atomic_path(path) as temporary:
            # Inspect takes the format from the name.
            named = temporary.with_name(f"{temporary.name}.eval")
            try:
                logs.write_eval_log(log, str(named), format="eval")
                named.replace(temporary)
            finally:
                named.unlink(missing_ok=True)
        paths.append(path)
    return paths


def sample_of(question: ClosedQuestion) -> dict[str, Any]:
    """Return the fields of Inspect's sample of a question."""
    name, rotation = question.instance, question.rotation
    about: dict[str, Any] = {
        "benchmark": question.benchmark,
        "prompt": question.prompt,
        "instance": name,
        "cluster": cluster_of(question),
    }
    if rotation is not None:
        name = f"{name}/{rotation}"
        about |= {"rotation": rotation, "question_type": question.question_type}
    return {"id": name, "input": question.input, "target": question.gold, "metadata": about}


def cluster_of(question: ClosedQuestion) -> str:
    """Return what questions have in common that are no independent evidence: their group, else their instance."""
    for name in ("group", "quartet", "theory"):
        if question.metadata.get(name):
            return str(question.metadata[name])
    return question.instance


def _sample(request: Request[ClosedQuestion], response: Response) -> Any:
    from inspect_ai.log import EvalSample
    from inspect_ai.model import ChatMessageUser, ModelOutput, ModelUsage
    from inspect_ai.scorer import Score

    question = request.question
    read = request.read(response)
    # Inspect knows no word for a question that was asked in vain.
    stop: Any = response.stop_reason if response.is_final else "unknown"
    stop = "stop" if stop == "no_letter" else stop
    output = ModelOutput.from_content(response.model, response.answer, stop_reason=stop)
    read_in, written = response.input_tokens or 0, response.output_tokens or 0
    output.usage = ModelUsage(
        input_tokens=read_in, output_tokens=written, total_tokens=read_in + written
    )
    sample = sample_of(question)
    if response.logprobs:
        sample["metadata"]["logprobs"] = response.logprobs
    score = Score(value=1 if read == question.gold else 0, answer=read, explanation=response.answer)
    return EvalSample(
        **sample,
        epoch=request.run + 1,
        messages=[ChatMessageUser(content=question.input), output.message],
        output=output,
        scores={SCORER: score},
    )
