"""Closed questions: what a prompt shows can be taken apart again, so that the baselines answer it like any model."""

from __future__ import annotations

import asyncio

import pytest
from inspect_ai.model import ChatMessageUser, GenerateConfig

from divlogic.models.answers import Letters, format_of
from divlogic.models.prompts import parse_prompt, render_closed
from divlogic.models.provider import BaselineAPI
from divlogic.models.styles import CLOSED as STYLES
from divlogic.records import Record

LABELS = ("True", "False", "Uncertain")
TEXTS = ("wugs carry stones", "daxes need leaves", "zups see", "no one sees", "all see")


def question(options: tuple[str, ...], number: int = 1) -> Record:
    return Record(
        f"q{number}", "toy", "test", "It rains.\nWugs sing.", f"Wugs sing {number}.", options, 0
    )


@pytest.mark.parametrize("options", [LABELS, TEXTS, TEXTS[:2], ("father", "aunt", "sister-in-law")])
@pytest.mark.parametrize("name", STYLES)
def test_a_rendered_question_is_read_back(options: tuple[str, ...], name: str) -> None:
    style, asked = STYLES[name], question(options)
    examples = [question(options, 2)] if style.has_examples else []
    parsed = parse_prompt(render_closed(asked, style, examples))
    assert parsed is not None
    lettered = isinstance(format_of(asked), Letters)
    assert (parsed.question, parsed.options, parsed.lettered) == (asked.question, options, lettered)
    assert parsed.context == ("It rains. Wugs sing." if style.context else "")


@pytest.mark.parametrize("options", [LABELS, TEXTS])
@pytest.mark.parametrize("name", ["uniform", "position", "overlap"])
def test_a_baseline_answers_with_one_of_the_options(options: tuple[str, ...], name: str) -> None:
    text = render_closed(question(options), STYLES["zero_shot"])
    message, config = ChatMessageUser(content=text), GenerateConfig(seed=1)
    said = asyncio.run(BaselineAPI(name).generate([message], [], "none", config)).completion
    assert format_of(question(options)).read(said, options) is not None
