"""Models of the parameters: what their files are called, and the bounds that a run has by itself."""

from __future__ import annotations

from typing import Any

import pytest

from divlogic.cli import cli
from divlogic.errors import DivLogicError
from divlogic.models.parameters import (
    LimitParameters,
    ModelParameters,
    is_local,
    limits_for,
    slug_of,
)
from divlogic.parameters import validate
from tests.support import call, cases

LISTS: tuple[tuple[str, ...], ...] = (
    ("evaluation", "models"),
    ("evaluation", "llmeval_logic", "models"),
    ("evaluation", "llmeval_logic", "judges"),
    ("prior_knowledge", "models"),
    ("contamination", "models"),
)


def nested(place: tuple[str, ...], value: Any) -> dict[str, Any]:
    for key in reversed(place):
        value = {key: value}
    return dict(value)


@pytest.mark.parametrize("place", LISTS, ids=".".join)
@pytest.mark.parametrize(
    ("first", "second"),
    [("GPT 4", "GPT-4"), ("a/b", "a b"), ("Model", "model"), ("模型", "模組"), ("..x", "x")],
)
def test_two_labels_that_would_share_a_file_are_refused_by_both_names(
    place: tuple[str, ...], first: str, second: str
) -> None:
    models = [{"name": "openai/one", "label": first}, {"name": "openai/two", "label": second}]
    with pytest.raises(DivLogicError) as caught:
        validate(nested(place, models))
    assert f"'{first}'" in str(caught.value) and f"'{second}'" in str(caught.value)
    assert ".".join(place) in str(caught.value)


@pytest.mark.parametrize("place", LISTS, ids=".".join)
def test_two_models_of_one_name_are_refused(place: tuple[str, ...]) -> None:
    with pytest.raises(DivLogicError, match="two models are called 'openai/one'"):
        validate(nested(place, [{"name": "openai/one"}, {"name": "openai/one", "args": {"a": 1}}]))


def test_one_model_may_play_several_roles_and_two_may_not_share_a_store() -> None:
    one = {"name": "openai/one"}
    assert validate({"hardening": {"roles": {"decider": one, "review": one}}})
    roles = {"decider": one | {"label": "a b"}, "review": one | {"label": "a-b"}}
    with pytest.raises(DivLogicError, match="'a b' and 'a-b' would share"):
        validate({"hardening": {"roles": roles}})


@pytest.mark.parametrize("label", ["..", ".", "../../x", "模型", "a\u202eb", "x" * 100])
def test_a_label_never_leads_out_of_its_folder(label: str) -> None:
    slug = slug_of(ModelParameters(name="openai/one", label=label))
    assert slug and not slug.startswith(".") and "/" not in slug


@pytest.mark.parametrize("label", ["", "a\nb", "a\0b", "x" * 101])
def test_a_label_is_one_short_line(label: str) -> None:
    with pytest.raises(DivLogicError, match="label"):
        validate(nested(LISTS[0], [{"name": "openai/one", "label": label}]))


def test_a_long_value_is_cut_in_the_message() -> None:
    with pytest.raises(DivLogicError) as caught:
        validate({"corpus_source": "x" * 100_000})
    assert len(str(caught.value)) < 500


@pytest.mark.parametrize(("address", "local"), cases(__file__, "addresses"))
def test_an_address_of_this_machine_is_known(address: str, local: bool) -> None:
    assert is_local(address) is local


@pytest.mark.parametrize(("model", "given", "bounds"), cases(__file__, "bounds"))
def test_a_server_on_this_machine_gets_one_request_at_a_time_and_ten_minutes_unless_more_is_given(
    model: dict[str, Any], given: dict[str, Any], bounds: list[float]
) -> None:
    found = limits_for(ModelParameters.model_validate(model), LimitParameters(**given))
    assert [found.concurrency, found.timeout] == bounds


def test_the_address_of_the_environment_counts_for_compatible_models_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("DIVLOGIC_BASE_URL", "http://127.0.0.1:8080/v1")
    assert limits_for(ModelParameters(name="compatible/n"), LimitParameters()).concurrency == 1
    assert limits_for(ModelParameters(name="openai/gpt-4o"), LimitParameters()).concurrency == 16


@pytest.mark.parametrize(
    "command",
    [
        "run rotations.jsonl.gz --store store.sqlite",
        "ask justlogic --in a.jsonl --pool b.jsonl --store s.sqlite --out o.jsonl",
    ],
)
def test_the_command_line_overrides_the_limits_of_the_parameters(
    command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = []

    def keep(*_: object, limits: LimitParameters, **__: object) -> list[object]:
        seen.append((limits.concurrency, limits.timeout, limits.attempts))
        return []

    monkeypatch.setattr("divlogic.evaluation.asked.ask", keep)
    monkeypatch.setattr("divlogic.evaluation.asked.write_predictions", lambda *_: None)
    monkeypatch.setattr("divlogic.evaluation.asked.read_questions", lambda *_, **__: [])
    limits = {"evaluation": {"limits": {"attempts": 2}}}
    for flags in ("", "--concurrency 3 --timeout 7.5"):
        call(cli, f"evaluation {command} --model compatible/x {flags}", limits)
    assert seen == [(None, None, 2), (3, 7.5, 2)]


def test_a_model_may_name_tags_of_its_thoughts() -> None:
    from divlogic.models.answers import Letters
    from divlogic.models.parameters import SamplingParameters
    from divlogic.models.requests import ClosedQuestion, requests_of

    model = ModelParameters(name="compatible/m", thoughts=[("<ponder>", "</ponder>")])
    question = ClosedQuestion(
        benchmark="b",
        instance="i",
        input="Which one follows?",
        prompt="zero_shot",
        gold="B",
        form=Letters(4),
    )
    reply = "<ponder>Answer: A</ponder> B"
    (asked,) = requests_of([question], model, 1, SamplingParameters())
    (other,) = requests_of(
        [question], ModelParameters(name="compatible/m"), 1, SamplingParameters()
    )
    assert asked.question.read(reply) == "B"
    assert other.question.read(reply) == "A"
    # The tags are no part of what is asked: an answer that was stored without them is read again.
    assert asked.key == other.key
