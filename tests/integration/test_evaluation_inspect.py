"""The Inspect tasks, run by Inspect itself."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from pathlib import Path

import click
import pytest
from inspect_ai import eval as inspect_eval
from inspect_ai.model import get_model

import divlogic.inspect_registry
from divlogic.errors import DivLogicError
from divlogic.evaluation import inspect_tasks
from divlogic.evaluation.inspect_tasks import divlogiceval
from divlogic.evaluation.metrics import answers_of, in_preset, score_all
from divlogic.io.files import write_jsonl
from divlogic.models import inspect_asking
from divlogic.models.parameters import LimitParameters
from divlogic.models.recordings.formats import Recording, predictions_in
from divlogic.models.tasks import metric_named
from tests.integration.fault_server import Handler, serving
from tests.integration.reply_cases import (
    FILTERED,
    NEWER_NAME,
    QUOTA,
    THOUGHTS_ALONE,
    always,
    reply,
    where,
)
from tests.unit.evaluation.samples import records

assert divlogic.inspect_registry  # registers the models, as Inspect's entry point does

pytestmark = pytest.mark.integration


@pytest.fixture()
def data(tmp_path: Path) -> dict[str, str]:
    for split in ("test", "unpolished"):
        write_jsonl(tmp_path / f"{split}.jsonl", (record.to_json() for record in records(9, split)))
    return {"data": str(tmp_path / "test.jsonl"), "pool": str(tmp_path / "unpolished.jsonl")}


def evaluated(folder: Path, task: object, model: str) -> object:
    (log,) = inspect_eval(task, model=model, log_dir=str(folder / "logs"), display="none")  # type: ignore[arg-type]
    assert log.status == "success", log.error
    return log


@pytest.mark.parametrize("model", ["baseline/overlap", "baseline/position"])
def test_inspect_reports_the_scores_that_the_replayed_log_gives(
    tmp_path: Path, data: dict[str, str], model: str
) -> None:
    log = evaluated(tmp_path, divlogiceval(shots=3, **data), model)
    answers = answers_of(predictions_in(Recording(str(log.location), "inspect"), pytest.fail))  # type: ignore[attr-defined]
    (series,) = answers
    assert series == ("divlogiceval", model, "three_shot", 0)
    acc, cir, pc = in_preset(score_all(answers, seed=1, resamples=100), "corrected")[:3]
    reported = {name: metric.value for name, metric in log.results.scores[0].metrics.items()}  # type: ignore[attr-defined]
    scores = {"accuracy_unrotated": acc, "circular": cir, "partial_circular": pc}
    ours = {name: score.estimate.value for name, score in scores.items()} | {
        "answers_read": acc.parse_rate
    }
    assert {name: reported[name] for name in ours} == pytest.approx(ours)
    assert math.isnan(metric_named("of no sample", len)([]))  # type: ignore[operator, arg-type]


@pytest.mark.parametrize(
    ("name", "samples"), [("divlogiceval", 16), ("justlogic", 4), ("logicnli", 4)]
)
def test_a_task_draws_a_fresh_set_of_a_level_outside_a_checkout(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, samples: int
) -> None:
    monkeypatch.chdir(tmp_path)
    task = getattr(inspect_tasks, name)
    seven, again, eight = [
        [str(sample.input) for sample in task(seed=seed, size=4, level=2).dataset]
        for seed in (7, 7, 8)
    ]
    assert len(seven) == samples
    assert seven == again
    assert not set(seven) & set(eight)


def test_another_file_is_no_inspect_log(tmp_path: Path) -> None:
    path = tmp_path / "log.json"
    path.write_text("{}", encoding="utf-8")
    with pytest.raises(DivLogicError, match="not a readable Inspect log"):
        list(predictions_in(Recording(str(path), "inspect"), pytest.fail))


def test_without_options_the_sampling_of_the_paper_is_sent(
    data: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving() as (address, handler):
        model = get_model("compatible/fake", base_url=address, memoize=False)
        evaluated(tmp_path, divlogiceval(**data), model)
    assert {(body["temperature"], body["max_tokens"]) for body in handler.bodies} == {(0.0, 64)}


def test_a_model_that_refuses_is_cut_and_says_nothing_is_scored_with_clustered_errors(
    data: dict[str, str], tmp_path: Path
) -> None:
    """Of 36 rotations the first met is refused as a 400, the next by its reason, one is cut, one has thoughts alone."""

    def mixed(handler: Handler, prompt: str, before: int) -> None:
        number = list(handler.asked).index(prompt)
        if "seed" in handler.bodies[-1]:
            handler.reply(400, b"seed is refused")
        elif number == 0:
            reply(400, FILTERED)(handler)
        elif number == 1:
            handler.say("Answer: A", finish_reason="content_filter")
        elif number == 2:
            handler.say("<think>A or", finish_reason="length")
        elif number == 3:
            reply(200, THOUGHTS_ALONE)(handler)

    with serving(mixed) as (address, handler):
        model = get_model("compatible/fake", base_url=address, memoize=False)
        log = evaluated(tmp_path, divlogiceval(**data), model)
        assert handler.asked.total() == 36 + 1
    metrics = {name: metric.value for name, metric in log.results.scores[0].metrics.items()}  # type: ignore[attr-defined]
    assert metrics["answers_refused"] == pytest.approx(2 / 36)
    assert metrics["answers_cut"] == metrics["answers_unanswered"] == pytest.approx(1 / 36)
    assert metrics["answers_read"] == pytest.approx(32 / 36)
    rights = [bool(sample.scores["rotation_scorer"].value) for sample in log.samples]  # type: ignore[attr-defined]
    assert metrics["accuracy"] == pytest.approx(sum(rights) / 36)
    # Deviations of nine instances, each with its four rotations.
    by_instance: dict[str, float] = {}
    for sample, right in zip(log.samples, rights, strict=True):  # type: ignore[attr-defined]
        name = sample.metadata["instance"]
        by_instance[name] = by_instance.get(name, 0.0) + right - sum(rights) / 36
    squares = sum(value**2 for value in by_instance.values())
    assert metrics["stderr"] == pytest.approx(math.sqrt(squares * 9 / 8) / 36)
    assert metrics["lower"] < metrics["accuracy"] < metrics["upper"]
    assert {"circular", "partial_circular", "accuracy_unrotated"} <= set(metrics)


@pytest.mark.parametrize(
    ("answer", "requests", "told"),
    [
        (reply(429, QUOTA), 1, "quota.*Add credit"),
        (reply(401, {"error": "no"}), 1, "auth.*Set the right key"),
        (reply(200, THOUGHTS_ALONE), 6, "thoughts and no answer"),
    ],
)
def test_what_no_question_would_escape_stops_inspect_at_once(
    data: dict[str, str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    answer: Callable[[Handler], None],
    requests: int,
    told: str,
) -> None:
    monkeypatch.setattr(inspect_asking, "LIMITS", LimitParameters(first_wait=0.01))
    with serving(always(answer)) as (address, handler):
        model = get_model("compatible/fake", base_url=address, memoize=False)
        (log,) = inspect_eval(
            divlogiceval(**data), model=model, log_dir=str(tmp_path), display="none"
        )
    assert log.status == "error" and log.error is not None
    assert re.search(told, log.error.message)
    assert handler.asked.total() == requests


def test_what_a_server_refuses_is_left_out_under_inspect_too(
    data: dict[str, str], tmp_path: Path
) -> None:
    with serving(where("max_tokens", reply(400, NEWER_NAME))) as (address, handler):
        model = get_model("compatible/fake", base_url=address, memoize=False)
        evaluated(tmp_path, divlogiceval(**data), model)
    assert handler.asked.total() == 37
    assert {body.get("max_completion_tokens") for body in handler.bodies[1:]} == {64}


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"data": "nowhere.jsonl"}, "nowhere.jsonl: there is no such file in .*DIVLOGIC_ROOT"),
        ({"shots": 7}, "no prompt with 7 shots"),
        ({"prompt": "likelihood"}, "scored by log-probabilities"),
    ],
)
def test_what_a_user_gets_wrong_is_shown_by_inspect_as_a_sentence(
    arguments: dict[str, object], sentence: str
) -> None:
    # Inspect's command line is made with click, which prints such an exception in one line.
    with pytest.raises(click.ClickException, match=sentence):
        divlogiceval(**arguments)


def test_a_model_without_an_address_is_shown_by_inspect_as_a_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("DIVLOGIC_BASE_URL", raising=False)
    with pytest.raises(click.ClickException, match="has no address"):
        get_model("compatible/fake", memoize=False)


def test_data_is_found_outside_the_checkout(
    data: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    monkeypatch.setenv("DIVLOGIC_ROOT", str(Path(data["data"]).parent))
    assert len(divlogiceval(data=Path(data["data"]).name).dataset) > 0
