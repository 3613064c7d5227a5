"""Closed questions: what a prompt shows can be taken apart again, so that the baselines answer it like any model."""

from __future__ import annotations

import asyncio

import pytest
from inspect_ai.model import ChatMessageUser, GenerateConfig

from divlogic.models.answers import Letters, format_of
from divlogic.models.baseline_provider import BaselineAPI
from divlogic.models.closed_prompts import parse_closed_prompt, render
from divlogic.models.prompts import parse_prompt
from divlogic.models.styles import CLOSED as STYLES
from divlogic.models.styles import ROTATED
from divlogic.records import Record
from tests.unit.evaluation.samples import records

LABELS = ("True", "False", "Uncertain")
TEXTS = ("wugs carry stones", "daxes need leaves", "zups see", "no one sees", "all see")


def question(options: tuple[str, ...], number: int = 1) -> Record:
    return Record(f"q{number}", "toy", "test", "It rains.\nWugs sing.", f"Wugs sing {number}.", options, 0)


@pytest.mark.parametrize("options", [LABELS, TEXTS, TEXTS[:2], ("father", "aunt", "sister-in-law")])
@pytest.mark.parametrize("name", STYLES)
def test_a_rendered_question_is_read_back(options: tuple[str, ...], name: str) -> None:
    style, asked = STYLES[name], question(options)
    examples = [question(options, 2)] if style.has_examples else []
    parsed = parse_closed_prompt(render(asked, style, examples))
    assert parsed is not None
    assert (parsed.question, parsed.options, parsed.lettered) == (
        asked.question,
        options,
        isinstance(format_of(asked), Letters),
    )
    assert parsed.context == ("It rains. Wugs sing." if style.context else "")


def test_a_rotation_is_no_closed_question() -> None:
    from divlogic.models.prompts import render as render_rotation

    text = render_rotation(records(1)[0], ROTATED["zero_shot"], 0)
    assert parse_closed_prompt(text) is None and parse_prompt(text) is not None


@pytest.mark.parametrize("options", [LABELS, TEXTS])
@pytest.mark.parametrize("name", ["uniform", "position", "overlap"])
def test_a_baseline_answers_with_one_of_the_options(options: tuple[str, ...], name: str) -> None:
    text = render(question(options), STYLES["zero_shot"])
    said = asyncio.run(
        BaselineAPI(name).generate([ChatMessageUser(content=text)], [], "none", GenerateConfig(seed=1))
    ).completion
    assert format_of(question(options)).read(said, options) is not None
