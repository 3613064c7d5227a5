"""Continuous integration runs what it says: the lanes in their order, and no test is passed over in silence."""

from __future__ import annotations

import re

import pytest

from tests.conftest import needs, unknown
from tests.contract.graph import ROOT

SCRIPT = (ROOT / ".ci/run").read_text(encoding="utf-8")


def test_the_lanes_stand_in_their_order() -> None:
    lanes = re.findall(r"^ *make ([\w-]+)$", SCRIPT, re.MULTILINE)
    wanted = ["lint", "test", "all", "test-releases", "test-slow", "test-adapters"]
    assert [lane for lane in lanes if lane in wanted] == wanted
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert [lane for lane in lanes if f"\n{lane}:" not in makefile] == []
    assert "\nci:\n\t.ci/run\n" in makefile


def test_nothing_is_tried_again_but_what_is_marked() -> None:
    assert "--last-failed" not in SCRIPT and "rev-parse" not in SCRIPT


def test_each_need_is_one_of_a_test_and_says_what_becomes_of_it() -> None:
    files = [*(ROOT / "tests").rglob("*.py")]
    texts = "\n".join(path.read_text(encoding="utf-8") for path in files)
    known = needs()
    assert len(known) > 10
    assert [words for words in known if words not in texts and f"{words[1:-1]}" not in texts] == []
    assert {what.partition(" ")[0] for what in known.values()} == {"apt", "lane", "gap"}
    lanes = {what.partition(" ")[2] for what in known.values() if what.startswith("lane ")}
    assert [lane for lane in sorted(lanes) if lane not in SCRIPT] == []


def test_where_debian_cannot_be_reached_its_programs_are_a_known_gap(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("DIVLOGIC_CI", "without-debian")
    assert unknown(["Skipped: Chromium is not on PATH"]) == []
    assert unknown(["Skipped: because of tea"]) == ["Skipped: because of tea"]


def test_a_test_passed_over_for_want_of_what_is_installed_there_fails(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("DIVLOGIC_CI", "1")
    assert unknown(["Skipped: Chromium is not on PATH"]) == ["Skipped: Chromium is not on PATH"]
    assert unknown(["Skipped: because of tea"]) == ["Skipped: because of tea"]
    assert unknown(["Skipped: could not import 'torch': No module named 'torch'"]) == []
