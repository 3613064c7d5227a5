"""Sentences that mean nothing without the text that they are from."""

from __future__ import annotations

import pytest

from divlogic.sentences.clause import analyse
from divlogic.sentences.subject import lacks_context
from tests.support import cases

from .conftest import sentence

KESWICK = "Keswick/NNP repelled/VBD visitors/NNS"
"""A name by itself, which is a place where texts name places."""


@pytest.mark.parametrize(
    ("tagged", "genre", "lacking"),
    [
        *[(tagged, "slate", True) for tagged in cases(__file__, "lacking")],
        *[(tagged, "slate", False) for tagged in cases(__file__, "standing_alone")],
        *[
            (KESWICK, genre, genre in ("fiction", None))
            for genre in ("travel", "government", "fiction", None)
        ],
    ],
)
def test_what_only_its_text_explains_is_found(
    tagged: str, genre: str | None, lacking: bool
) -> None:
    tokens = sentence(tagged)
    assert lacks_context(tokens, analyse(tokens), genre) is lacking
