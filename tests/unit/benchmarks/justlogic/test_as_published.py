"""The construction as published has the distributions of the authors' release, not only its labels."""

from __future__ import annotations

from collections import Counter

import pytest
from tools.distributions import FACTS, PER_DEPTH, RARE, Comparison, justlogic_instances

from divlogic.benchmarks.justlogic.parameters import JustLogicParameters
from divlogic.benchmarks.justlogic.propositions import nesting
from divlogic.io.files import read_yaml
from tests.contract.graph import ROOT

RELEASED = read_yaml(FACTS)["justlogic"]


def as_published(**changes: object) -> JustLogicParameters:
    """Return the section of config/as_published.yaml, at the release's size."""
    section = read_yaml(ROOT / "config" / "as_published.yaml")["benchmarks"]["justlogic"]
    return JustLogicParameters.model_validate({**section, "per_depth": PER_DEPTH, **changes})


def p_value(statistic: str, drawn: Counter[object]) -> float:
    """Return the p-value of the test that the release's counts and these are of one distribution."""
    return Comparison("JustLogic", statistic, "", RELEASED[statistic], drawn, {}).p_value()


def test_arguments_as_published_have_the_releases_forms_nesting_and_premises() -> None:
    drawn = justlogic_instances(as_published())
    assert len(drawn) == 1050
    forms = Counter(step.form for _, one in drawn for step in one.steps)
    assert sum(forms.values()) == sum(RELEASED["forms"].values()) == 4200
    assert p_value("forms", Counter(forms)) > RARE
    nested = Counter(min(nesting(premise), 5) for _, one in drawn for premise in one.premises)
    assert p_value("nesting", Counter(nested)) > RARE
    for depth, released in RELEASED["premises"].items():
        own = [len(one.premises) for at, one in drawn if at == depth]
        assert sum(own) / len(own) == pytest.approx(released, abs=0.35)


def test_with_shallow_nesting_the_forms_are_others_which_the_test_notices() -> None:
    drawn = justlogic_instances(as_published(max_nesting=2))
    forms = Counter(step.form for _, one in drawn for step in one.steps)
    assert p_value("forms", Counter(forms)) < 1e-6
