"""Inspect logs of a model's run, so that ``inspect view`` shows each question and its answer."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from divlogic.io.files import atomic_path
from divlogic.models.parameters import ModelParameters, SamplingParameters
from divlogic.models.requests import ClosedQuestion, Request
from divlogic.models.store import Response

SCORER = "answer"


def write_inspect_logs(
    answers: Sequence[tuple[Request[ClosedQuestion], Response]],
    folder: Path,
    *,
    model: ModelParameters,
    sampling: SamplingParameters,
) -> list[Path]:
    """Write one log per benchmark and prompt style (``BENCHMARK-PROMPT.eval``); return their paths.

    A run is an epoch, a question a sample.

    Args:
        answers: what was asked, and answered.
        folder: where the logs go; earlier logs of the same benchmark and style are replaced.
        model, sampling: who was asked, and how.
    """
    from inspect_ai.log import (
        EvalConfig,
        EvalDataset,
        EvalLog,
        EvalMetric,
        EvalResults,
        EvalScore,
        EvalSpec,
        write_eval_log,
    )

    parts: dict[tuple[str, str], list[Any]] = defaultdict(list)
    for request, response in answers:
        parts[request.question.benchmark, request.question.prompt].append(_sample(request, response))
    paths = []
    for (benchmark, prompt), samples in parts.items():
        right = sum(bool(sample.scores[SCORER].value) for sample in samples if sample.scores)
        metrics = {"accuracy": EvalMetric(name="accuracy", value=right / len(samples))}
        log = EvalLog(
            status="success",
            eval=EvalSpec(
                created=datetime.now(UTC).isoformat(timespec="seconds"),
                task=f"{benchmark}-{prompt}",
                dataset=EvalDataset(name=benchmark, samples=len({sample.id for sample in samples})),
                model=model.name,
                config=EvalConfig(epochs=max(sample.epoch for sample in samples)),
                metadata={"prompt": prompt, "sampling": model.sampling_within(sampling)},
            ),
            results=EvalResults(
                total_samples=len(samples),
                completed_samples=len(samples),
                scores=[EvalScore(name=SCORER, scorer=SCORER, metrics=metrics)],
            ),
            samples=samples,
        )
        path = Path(folder) / f"{benchmark}-{prompt}.eval"
        with atomic_path(path) as temporary:
            # Inspect takes the format from the name.
            named = temporary.with_name(f"{temporary.name}.eval")
            try:
                write_eval_log(log, str(named), format="eval")
                named.replace(temporary)
            finally:
                named.unlink(missing_ok=True)
        paths.append(path)
    return paths


def _sample(request: Request[ClosedQuestion], response: Response) -> Any:
    from inspect_ai.log import EvalSample
    from inspect_ai.model import ChatMessageUser, ModelOutput, ModelUsage
    from inspect_ai.scorer import Score

    question = request.question
    rotation = question.rotation
    read = question.read(response.answer)
    output = ModelOutput.from_content(response.model, response.answer)
    tokens_in, tokens_out = response.input_tokens or 0, response.output_tokens or 0
    output.usage = ModelUsage(
        input_tokens=tokens_in, output_tokens=tokens_out, total_tokens=tokens_in + tokens_out
    )
    about: dict[str, Any] = {
        "benchmark": question.benchmark,
        "prompt": question.prompt,
        "instance": question.instance,
    }
    if rotation is not None:
        about |= {"rotation": rotation, "question_type": question.question_type}
    if response.logprobs:
        about["logprobs"] = response.logprobs
    return EvalSample(
        id=question.instance if rotation is None else f"{question.instance}/{rotation}",
        epoch=request.run + 1,
        input=question.input,
        target=question.gold,
        messages=[ChatMessageUser(content=question.input), output.message],
        output=output,
        scores={
            SCORER: Score(value=1 if read == question.gold else 0, answer=read, explanation=response.answer)
        },
        metadata=about,
    )
