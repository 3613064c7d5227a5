"""Settings of every test, and the two lanes: `make test` runs what is not marked slow, `make test-slow` the rest."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from divlogic.io.log import set_up

# The first example loads dictionaries and grammars; on a busy machine that takes seconds.
settings.register_profile("divlogic", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("divlogic")
set_up()

SHARED = {
    "tests/integration/test_workflow.py": "workflow",
    "tests/integration/test_corrupted_inputs.py": "workflow",
    "tests/integration/test_killed_runs.py": "workflow",
    "tests/integration/test_dvc.py": "recorded",
    "tests/integration/test_sharing.py": "recorded",
}
"""Files whose tests share a workspace that takes minutes to make; they run in one process."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the tests that share a workspace first: what takes longest must not begin last."""
    items.sort(key=lambda item: item.nodeid.partition("::")[0] not in SHARED)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Keep the tests of one file, or of files that share a workspace, in one process."""
    from xdist.scheduler import LoadFileScheduling

    class ByWorkspace(LoadFileScheduling):
        def _split_scope(self, nodeid: str) -> str:
            file: str = super()._split_scope(nodeid)
            return SHARED.get(file, file)

    return ByWorkspace(config, log)
