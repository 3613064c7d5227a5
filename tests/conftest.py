"""Settings of every test, and the two lanes: `make test` runs what is not marked slow, `make test-slow` the rest."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from divlogic.io.log import set_up

# As in the workflow: threads of processes that share the cores wait for each other ten times as long as they work.
os.environ |= {f"{library}_NUM_THREADS": "1" for library in ("OPENBLAS", "OMP", "MKL")}

# The first example loads dictionaries and grammars; on a busy machine that takes seconds.
settings.register_profile("divlogic", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("divlogic")
set_up()

LONGEST = (
    "tests/integration/test_killed_runs.py",
    "tests/integration/test_dvc.py",
    "tests/integration/test_sharing.py",
    "tests/integration/test_corrupted_inputs.py",
    "tests/integration/test_recorded_models.py",
    "tests/integration/test_workflow.py",
)
"""Files with the longest tests, in the order in which they begin."""

TOGETHER = {"tests/integration/test_dvc.py": "recorded", "tests/integration/test_sharing.py": "recorded"}
"""Files whose tests share a repository; DVC lets one process at a time work in it."""

APART = {"tests/integration/test_corrupted_inputs.py", "tests/integration/test_workflow.py"}
"""Files whose slow tests need not run in one process; of the others the first runs the workflow on all cores."""


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Pass over files without a slow test where these alone are wanted: to import all takes a quarter of a minute."""
    if config.option.markexpr != "slow" or not collection_path.name.startswith("test_"):
        return None
    return True if "mark.slow" not in collection_path.read_text(encoding="utf-8") else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the longest tests first, and pass over those of a folder that is not there."""
    place = {file: number for number, file in enumerate(LONGEST)}
    for item in items:
        if item.get_closest_marker("mirror") and not os.environ.get("DIVLOGIC_MIRROR"):
            item.add_marker(pytest.mark.skip(reason="DIVLOGIC_MIRROR names no folder of corpora"))
    items.sort(key=lambda item: place.get(item.nodeid.partition("::")[0], len(LONGEST)))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Keep the tests of one file, or of files that share a repository, in one process; those of some files apart."""
    from xdist.scheduler import LoadFileScheduling

    class ByRoom(LoadFileScheduling):
        def _split_scope(self, nodeid: str) -> str:
            file: str = super()._split_scope(nodeid)
            apart = file in APART and config.option.markexpr == "slow"
            return nodeid if apart else TOGETHER.get(file, file)

    return ByRoom(config, log)
