"""Sentence boundaries by rules, and Punkt from a folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from divlogic.diversity.sentence_split import punkt_splitter, rule_splitter
from divlogic.errors import DivLogicError
from tests.unit.diversity.texts import AWKWARD, PROSE


def punkt_folder(folder: Path) -> Path:
    """Write a tiny set of Punkt's parameters."""
    english = folder / "tokenizers" / "punkt_tab" / "english"
    english.mkdir(parents=True)
    (english / "abbrev_types.txt").write_text("dr\ne.g\nu.s\n", encoding="utf-8")
    (english / "collocations.tab").write_text("##number##\tstreet\n", encoding="utf-8")
    (english / "sent_starters.txt").write_text("the\nhe\n", encoding="utf-8")
    (english / "ortho_context.tab").write_text("the\t46\nhe\t46\nbrown\t42\n", encoding="utf-8")
    return folder


def test_a_full_stop_before_a_capital_ends_a_sentence() -> None:
    assert rule_splitter('It rained. "Stay," he said. 3 boats left! Why?') == [
        "It rained.",
        '"Stay," he said.',
        "3 boats left!",
        "Why?",
    ]


def test_abbreviations_and_initials_do_not_end_a_sentence() -> None:
    assert len(rule_splitter("Dr. J. Brown met Mrs. Hill. They spoke, e.g. Of tides.")) == 2


def test_a_line_break_ends_a_sentence() -> None:
    assert rule_splitter("All owls hoot\nUma is an owl") == ["All owls hoot", "Uma is an owl"]


@pytest.mark.parametrize("text", [PROSE, *AWKWARD, " Leading blank. Then more."])
def test_punkt_of_a_folder_splits_as_nltk_does(text: str, tmp_path: Path) -> None:
    from nltk.tokenize.punkt import PunktParameters, PunktSentenceTokenizer

    parameters = PunktParameters()
    parameters.abbrev_types = {"dr", "e.g", "u.s"}
    parameters.collocations = {("##number##", "street")}
    parameters.sent_starters = {"the", "he"}
    parameters.ortho_context.update({"the": 46, "he": 46, "brown": 42})
    assert punkt_splitter(punkt_folder(tmp_path))(text) == PunktSentenceTokenizer(parameters).tokenize(text)


def test_a_folder_without_punkt_is_told(tmp_path: Path) -> None:
    with pytest.raises(DivLogicError, match="Punkt's English parameters"):
        punkt_splitter(tmp_path)
