"""Small sets of LogicNLI."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import orjson
import pytest

from divlogic.benchmarks.logicnli.draw import plans
from divlogic.benchmarks.logicnli.parameters import LogicNLIParameters
from divlogic.benchmarks.logicnli.realise import realise, resources

SEED = 20_260_101
Rows = list[dict[str, Any]]
MakeRows = Callable[..., Rows]


def made_rows(
    name: str, groups: int, *, preset: str = "balanced", seed: int = SEED, **sections: Any
) -> Rows:
    """Return the rows of the first blocks of a set, as they stand in its file."""
    parameters = LogicNLIParameters.model_validate({"preset": preset, **sections})
    plan = next(plan for plan in plans(parameters, "full") if plan.name == name)
    return [
        orjson.loads(orjson.dumps(record.to_json()))
        for number in range(groups)
        for group in plan.block(number, seed)
        for record in realise(group, resources({}), parameters, seed)
    ]


@pytest.fixture(scope="session")
def test_rows() -> Rows:
    """Return 60 quartets of the test set, twelve per depth."""
    return made_rows("test", 60)
