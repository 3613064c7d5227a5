"""The construction as published has the distributions of the authors' release, not only its labels."""

from __future__ import annotations

from collections import Counter

import pytest
from scipy.stats import chi2_contingency

from divlogic.benchmarks.justlogic.draw import Instance, draw, groups
from divlogic.benchmarks.justlogic.parameters import JustLogicParameters
from divlogic.benchmarks.justlogic.propositions import nesting
from divlogic.io.files import read_yaml
from tests.contract.graph import ROOT

# Counted on the release's validation split (1,050 arguments, 150 of each depth, commit 1cd9d71): steps by argument
# form, and premises by how deep conditionals and disjunctions are nested in them (5: five or more).
RELEASED_FORMS = {
    "reductio_ad_absurdum": 800,
    "disjunctive_syllogism": 752,
    "modus_tollens": 751,
    "modus_ponens": 746,
    "disjunction_elimination": 743,
    "hypothetical_syllogism": 301,
    "constructive_dilemma": 107,
}
RELEASED_NESTING = {0: 1120, 1: 2009, 2: 1807, 3: 807, 4: 279, 5: 78}
RELEASED_PREMISES = {1: 2.2, 2: 3.5, 3: 4.5, 4: 5.8, 5: 7.1, 6: 8.1, 7: 9.4}


def as_published(**changes: object) -> JustLogicParameters:
    """Return the section of config/as_published.yaml, at the release's size."""
    section = read_yaml(ROOT / "config" / "as_published.yaml")["benchmarks"]["justlogic"]
    return JustLogicParameters.model_validate({**section, "per_depth": 150, **changes})


def instances(parameters: JustLogicParameters) -> list[tuple[int, Instance]]:
    drawn = []
    for index in range(groups(parameters, "full")):
        three = draw(parameters, 1, index, "full")
        drawn += [(three.depth, one) for one in three.instances]
    assert len(drawn) == 1050
    return drawn


def differ(released: dict[object, int], drawn: Counter[object]) -> float:
    """Return the p-value of the chi-squared test that both counts are of one distribution."""
    assert set(drawn) <= set(released)
    table = [list(released.values()), [drawn[key] for key in released]]
    return float(chi2_contingency(table).pvalue)


def test_arguments_as_published_have_the_releases_forms_nesting_and_premises() -> None:
    drawn = instances(as_published())
    forms = Counter(step.form for _, one in drawn for step in one.steps)
    assert sum(forms.values()) == 4200
    assert differ(dict(RELEASED_FORMS), Counter(forms)) > 0.01
    nested = Counter(min(nesting(premise), 5) for _, one in drawn for premise in one.premises)
    assert differ(dict(RELEASED_NESTING), Counter(nested)) > 0.01
    for depth, released in RELEASED_PREMISES.items():
        own = [len(one.premises) for at, one in drawn if at == depth]
        assert sum(own) / len(own) == pytest.approx(released, abs=0.35)


def test_with_shallow_nesting_the_forms_are_others_which_the_test_notices() -> None:
    drawn = instances(as_published(max_nesting=2))
    forms = Counter(step.form for _, one in drawn for step in one.steps)
    assert differ(dict(RELEASED_FORMS), Counter(forms)) < 1e-6
