"""The lists of what reading found wrong in the corpora name it, and quote nothing."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from divlogic.sentences.source_checks import group_id, refused_pairs, refused_sentences


@pytest.mark.parametrize("listed", [refused_pairs, refused_sentences])
def test_a_list_holds_hashes_and_no_sentence(listed: Callable[[], frozenset[str]]) -> None:
    assert len(listed()) > 400
    assert all(re.fullmatch("[0-9a-f]{12}", each) for each in listed())


def test_a_sentence_has_one_name_however_it_is_set() -> None:
    assert group_id("A man -- isn't he?") == group_id("a MAN isn 't he .")
    assert group_id("A man is here.") != group_id("A man is there.")
    assert re.fullmatch("[0-9a-f]{12}", group_id("Ein Käfer läuft."))
