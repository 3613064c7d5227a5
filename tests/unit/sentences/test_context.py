"""Sentences that mean nothing without the text that they are from."""

from __future__ import annotations

import pytest

from divlogic.sentences.clause import analyse
from divlogic.sentences.subject import lacks_context
from tests.support import cases

from .conftest import sentence

SLATE = "slate"


@pytest.mark.parametrize("tagged", cases(__file__, "lacking"))
def test_what_only_its_text_explains_is_found(tagged: str) -> None:
    tokens = sentence(tagged)
    assert lacks_context(tokens, analyse(tokens), SLATE)


@pytest.mark.parametrize("tagged", cases(__file__, "standing_alone"))
def test_what_stands_alone_is_kept(tagged: str) -> None:
    tokens = sentence(tagged)
    assert not lacks_context(tokens, analyse(tokens), SLATE)


@pytest.mark.parametrize(
    ("genre", "lacking"), [("travel", False), ("government", False), ("fiction", True), (None, True)]
)
def test_a_name_by_itself_is_a_place_where_texts_name_places(genre: str | None, lacking: bool) -> None:
    tokens = sentence("Keswick/NNP repelled/VBD visitors/NNS")
    assert lacks_context(tokens, analyse(tokens), genre) is lacking
