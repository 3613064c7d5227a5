"""Fresh instances of both presets are drawn whatever preset the run itself has."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from divlogic.benchmarks.divlogiceval.fresh import fresh_records, worded_records
from divlogic.benchmarks.divlogiceval.parameters import DivLogicEvalParameters, Preset
from divlogic.io.files import read_yaml
from tests.contract.graph import ROOT
from tests.support import write_groups

CONFIGURATIONS = sorted((ROOT / "config").glob("*.yaml"))
PRESETS: tuple[Preset, ...] = ("as_published", "balanced")


def section_of(path: Path) -> DivLogicEvalParameters:
    """Return the section of a configuration as it is laid over the defaults."""
    section = read_yaml(path).get("benchmarks", {}).get("divlogiceval", {})
    return DivLogicEvalParameters.model_validate(section)


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("path", CONFIGURATIONS, ids=lambda path: path.stem)
def test_every_configuration_draws_fresh_instances_of_both_presets(
    path: Path, preset: Preset
) -> None:
    """No configuration changes how another preset than its own draws: it equals the default's."""
    drawn = list(fresh_records(preset, section_of(path), seed=3, count=4))
    default = DivLogicEvalParameters(preset=preset)
    assert [record.metadata["preset"] for record in drawn] == [preset] * 12
    assert drawn == list(fresh_records(preset, default, seed=3, count=4))


def test_a_run_as_published_words_fresh_balanced_instances(tmp_path: Path) -> None:
    texts = [f"the {number}th man sings" for number in range(40)]
    groups = write_groups(tmp_path / "groups.jsonl", texts)
    run = section_of(ROOT / "config" / "as_published.yaml")
    worded = list(worded_records(groups, "balanced", run, seed=5, count=12))
    # A quartet of each type: every right option is right once.
    assert Counter(record.answer for record in worded) == dict.fromkeys(range(4), 3)


def test_another_preset_keeps_what_has_an_effect_with_it_and_drops_the_rest() -> None:
    parity = DivLogicEvalParameters(construction="parity", premises_needed={3: 1.0}, kappa=1)
    published = parity.of_preset("as_published")
    assert published == DivLogicEvalParameters(preset="as_published", premises_needed={3: 1.0})
    capped = DivLogicEvalParameters(preset="as_published", cap_probability=0.5, fresh=60)
    assert capped.of_preset("balanced") == DivLogicEvalParameters(fresh=60)
    assert capped.of_preset("as_published") is capped
