"""Pronoun subjects of hypotheses are resolved where the premise leaves no doubt."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from .conftest import Keep

Reason = Callable[..., str]
HE = "He/PRP is/VBZ outside/RB today/NN"
THEY = "They/PRP are/VBP outside/RB today/NN"


@pytest.mark.parametrize(
    ("premise", "hypothesis", "text"),
    [
        ("A/DT man/NN in/IN a/DT red/JJ coat/NN is/VBZ singing/VBG", HE, "the man is outside today"),
        ("Two/CD young/JJ boys/NNS are/VBP singing/VBG", THEY, "the boys are outside today"),
        ("A/DT group/NN of/IN people/NNS are/VBP singing/VBG", THEY, "the people are outside today"),
        (
            "A/DT man/NN and/CC a/DT woman/NN are/VBP singing/VBG",
            THEY,
            "the man and the woman are outside today",
        ),
        ("Two/CD soccer/NN players/NNS are/VBP singing/VBG", THEY, "the soccer players are outside today"),
        ("A/DT brown/JJ dog/NN is/VBZ barking/VBG", "It/PRP is/VBZ very/RB loud/JJ", "the dog is very loud"),
    ],
)
def test_a_certain_pronoun_gives_way_to_the_noun(
    keep: Keep, premise: str, hypothesis: str, text: str
) -> None:
    assert keep(hypothesis, keep(premise)).text == text


@pytest.mark.parametrize(
    ("premise", "hypothesis"),
    [
        ("A/DT woman/NN is/VBZ singing/VBG outside/RB", HE),
        ("Two/CD men/NNS are/VBP singing/VBG outside/RB", HE),
        ("A/DT man/NN is/VBZ talking/VBG to/TO a/DT boy/NN", HE),
        ("A/DT man/NN is/VBZ singing/VBG outside/RB", THEY),
        ("Two/CD girls/NNS are/VBP feeding/VBG three/CD dogs/NNS", THEY),
        ("A/DT red/JJ car/NN is/VBZ parked/VBN outside/RB", "It/PRP is/VBZ raining/VBG hard/RB"),
        ("Someone/NN is/VBZ singing/VBG outside/RB", HE),
    ],
)
def test_an_uncertain_pronoun_drops_the_hypothesis(
    keep: Keep, reason: Reason, premise: str, hypothesis: str
) -> None:
    assert reason(hypothesis, keep(premise)) == "pronoun_subject"


def test_resolution_can_be_switched_off(keep: Keep, reason: Reason) -> None:
    premise = keep("A/DT man/NN is/VBZ singing/VBG outside/RB")
    assert reason(HE, premise, pronoun_subjects="drop") == "pronoun_subject"
    assert reason(HE, premise, pronoun_subjects="resolve") == "kept"
