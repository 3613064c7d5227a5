"""Models of the parameters: what their files are called, and that no two share one."""

from __future__ import annotations

from typing import Any

import pytest

from divlogic.errors import DivLogicError
from divlogic.models.parameters import ModelParameters, slug_of
from divlogic.parameters import validate

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
    with pytest.raises(DivLogicError, match="'a b' and 'a-b' would share"):
        validate(
            {"hardening": {"roles": {"decider": {**one, "label": "a b"}, "review": {**one, "label": "a-b"}}}}
        )


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
