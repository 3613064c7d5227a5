"""What is refused: insults, judgements of groups, violence, and by hashes what reading found wrong in the corpora."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Literal

import pytest

from divlogic.io.files import write_jsonl
from divlogic.sentences.filtering import SentenceFilter
from divlogic.sentences.parameters import SentencesParameters
from divlogic.sentences.source_checks import group_id, judges_people, offends, refused
from divlogic.sentences.tokens import Reader
from tests.support import cases, nli_pair

from .conftest import ScriptedTagger, filtered


@pytest.mark.parametrize(("text", "refused"), cases(__file__, "offends"))
def test_insults_groups_and_violence_offend_and_what_is_harmless_does_not(
    text: str, refused: bool
) -> None:
    assert offends(text) is refused


@pytest.mark.parametrize(("text", "refused"), cases(__file__, "judges_people"))
def test_judgements_of_people_are_no_generic_statements(text: str, refused: bool) -> None:
    assert judges_people(text) is refused


@pytest.mark.parametrize(
    ("genre", "sensitive", "kept", "refused"),
    [("captions", "refuse", 1, 0), ("nineeleven", "refuse", 0, 1), ("nineeleven", "keep", 1, 0)],
)
def test_a_genre_about_an_attack_is_refused_as_a_whole(
    tmp_path: Path, tagger: ScriptedTagger, genre: str, sensitive: str, kept: int, refused: int
) -> None:
    text = tagger.learn("a/DT goat/NN is/VBZ walking/VBG outdoors/RB")
    row = nli_pair(1, "entailment", text, text, corpus="multinli", genre=genre)
    write_jsonl(tmp_path / "nli.jsonl", [row])
    settings = SentencesParameters(sensitive=sensitive)  # type: ignore[arg-type]
    groups, counts = filtered(tmp_path / "nli.jsonl", SentenceFilter(Reader(tagger), settings))
    assert len(groups) == kept
    assert [counts["multinli", role, "offensive"] for role in ("premise", "entailed")] == [
        refused
    ] * 2


def test_an_offensive_sentence_is_dropped_unless_the_user_keeps_it(tagger: ScriptedTagger) -> None:
    text = tagger.learn("a/DT goat/NN is/VBZ stupid/JJ")
    kept = SentenceFilter(Reader(tagger), SentencesParameters(sensitive="keep", min_tokens=3)).keep(
        text
    )
    assert kept.text == text
    with pytest.raises(Exception, match="offensive"):
        SentenceFilter(Reader(tagger), SentencesParameters(min_tokens=3)).keep(text)


@pytest.mark.parametrize("what", ["pairs", "sentences"])
def test_a_list_holds_hashes_and_no_sentence(what: Literal["pairs", "sentences"]) -> None:
    assert len(refused(what)) > 400
    assert all(re.fullmatch("[0-9a-f]{12}", each) for each in refused(what))


def test_a_sentence_has_one_name_however_it_is_set() -> None:
    assert group_id("A man -- isn't he?") == group_id("a MAN isn 't he .")
    assert group_id("A man is here.") != group_id("A man is there.")
    assert re.fullmatch("[0-9a-f]{12}", group_id("Ein Käfer läuft."))
