"""Floors: a planted cue is found, a clean set has none, and what cannot be learnt is said."""

from __future__ import annotations

import pytest

from divlogic.field.drawing import Item, Job, draw
from divlogic.field.floors import SURE, floors, records_of, surety
from tests.unit.field.planted import cued


@pytest.mark.parametrize("strength", [0.7, 0.8, 0.95])
def test_a_planted_cue_is_found_and_named(strength: float) -> None:
    measured = floors(cued(seed=1, size=400, strength=strength), "planted")
    assert measured is not None and measured.found and measured.surest is not None
    # Who answers by the word alone is right as often as it was planted.
    assert measured.surest.low < strength + 0.03 and measured.surest.high > strength - 0.03
    assert measured.cues and "surely" in measured.cues[0].rule


def test_a_constant_answer_is_measured_with_its_interval() -> None:
    items = [
        Item(at, "", f"Number {at}?", None, "Yes" if at % 4 else "No", None) for at in range(80)
    ]
    measured = floors(items, "constant")
    assert measured is not None
    assert (measured.constant, measured.share, measured.answers) == ("yes", 0.75, 2)
    assert measured.low < 0.75 < measured.high and measured.guessing == 0.75


def test_open_answers_have_a_constant_alone() -> None:
    items = [Item(at, "", f"Add {at} and 1.", None, str(at + 1), None) for at in range(80)]
    measured = floors(items, "sums")
    assert measured is not None and not measured.probes and not measured.found
    assert measured.share == 1 / 80 and not records_of(items, "sums")


def test_items_without_answers_have_no_floor() -> None:
    assert floors([Item(0, "", "What follows?", None, None, None)], "open") is None


def test_a_group_that_a_callable_names_is_not_divided() -> None:
    """Twins of which each has another answer: a probe that remembers one would be wrong about the other."""
    items = [
        Item(at, f"Passage {at // 2} of the garden.", f"Is {at // 2} so?", ("yes", "no"),
             ("yes", "no")[at % 2], str(at // 2))
        for at in range(200)
    ]  # fmt: skip
    measured = floors(items, "twins")
    assert measured is not None and not measured.found
    assert all(probe.accuracy == 0.5 for probe in measured.probes)


def test_ours_have_no_floor_above_guessing() -> None:
    measured = floors(draw(Job("divlogic", "justlogic", size=200)).items, "justlogic")
    assert measured is not None and not measured.found


def false_alarms(seeds: range, size: int) -> list[str]:
    """Return which numbers of clean sets are called a find."""
    found = []
    for seed in seeds:
        measured = floors(cued(seed, size), "clean", seed)
        assert measured is not None
        found += [f"{seed} {one.probe}" for one in measured.probes if surety(one) > SURE]
        found += [f"{seed} {one.rule}" for one in measured.cues]
    return found


def test_clean_sets_raise_no_alarm() -> None:
    assert false_alarms(range(3), 200) == []


@pytest.mark.slow
def test_a_cue_of_seven_in_ten_is_found_on_every_seed() -> None:
    for seed in range(6):
        measured = floors(cued(seed, 400, 0.7), "planted", seed)
        assert measured is not None and measured.found


@pytest.mark.slow
def test_twenty_clean_sets_raise_no_alarm() -> None:
    assert false_alarms(range(20), 400) == []
