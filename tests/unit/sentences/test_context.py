"""Sentences that mean nothing without the text that they are from."""

from __future__ import annotations

import pytest

from divlogic.sentences.clause import analyse
from divlogic.sentences.subject import lacks_context
from divlogic.sentences.tokens import sentence

SLATE = "slate"


@pytest.mark.parametrize(
    "tagged",
    [
        "the/DT supposition/NN was/VBD n't/RB very/RB intelligent/JJ",
        "the/DT two/CD regimes/NNS are/VBP alike/JJ",
        "the/DT strong/JJ point/NN of/IN the/DT museum/NN is/VBZ the/DT catalogues/NNS",
        "the/DT largest/JJS firm/NN asked/VBD for/IN help/NN",
        "there/EX is/VBZ no/DT difference/NN between/IN the/DT two/CD types/NNS",
        "official/JJ records/NNS were/VBD n't/RB adequate/JJ",
        "Richardson/NNP was/VBD n't/RB influential/JJ for/IN very/RB long/RB",
        "the/DT hearing/NN was/VBD painful/JJ to/TO Mary/NNP",
        "Mr/NNP Levitt/NNP was/VBD childless/JJ",
        "Kasich/NNP lost/VBD his/PRP$ way/NN",
    ],
)
def test_what_only_its_text_explains_is_found(tagged: str) -> None:
    tokens = sentence(tagged)
    assert lacks_context(tokens, analyse(tokens), SLATE)


@pytest.mark.parametrize(
    "tagged",
    [
        "the/DT architect/NN of/IN most/JJS Gothic/JJ masterpieces/NNS is/VBZ known/JJ",
        "the/DT Gaiety/NNP Theatre/NNP is/VBZ decorated/VBN",
        "the/DT sky/NN is/VBZ blue/JJ",
        "the/DT book/NN on/IN a/DT table/NN is/VBZ old/JJ",
        "a/DT museum/NN houses/VBZ work/NN from/IN several/JJ painters/NNS",
        "a/DT painter/NN sold/VBD the/DT picture/NN",
        "managers/NNS need/VBP flexibility/NN",
        "there/EX are/VBP large/JJ rooms/NNS",
        "GAO/NNP is/VBZ a/DT federal/JJ office/NN",
    ],
)
def test_what_stands_alone_is_kept(tagged: str) -> None:
    tokens = sentence(tagged)
    assert not lacks_context(tokens, analyse(tokens), SLATE)


@pytest.mark.parametrize(
    ("genre", "lacking"), [("travel", False), ("government", False), ("fiction", True), (None, True)]
)
def test_a_name_by_itself_is_a_place_where_texts_name_places(genre: str | None, lacking: bool) -> None:
    tokens = sentence("Keswick/NNP repelled/VBD visitors/NNS")
    assert lacks_context(tokens, analyse(tokens), genre) is lacking
