"""Settings of every test, and the two lanes: `make test` runs what is not marked slow, `make test-slow` the rest."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from _pytest.runner import runtestprotocol
from hypothesis import HealthCheck, settings

from divlogic.io.log import set_up

ROOT = Path(__file__).resolve().parents[1]

# As in the workflow: threads of processes that share the cores wait for each other ten times as long as they work.
os.environ |= {f"{library}_NUM_THREADS": "1" for library in ("OPENBLAS", "OMP", "MKL")}

# The first example loads dictionaries and grammars; on a busy machine that takes seconds. Continuous integration draws
# the same examples each time, so that what passes here passes there; elsewhere each run draws others.
settings.register_profile(
    "divlogic",
    deadline=None,
    derandomize="DIVLOGIC_CI" in os.environ,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("divlogic")
set_up()

LONGEST = (
    "tests/integration/test_killed_runs.py",
    "tests/integration/test_dvc.py",
    "tests/integration/test_sharing.py",
    "tests/integration/test_recorded_models.py",
    "tests/integration/test_workflow.py",
)
"""Files with the longest tests, in the order in which they begin."""

TOGETHER = {
    "tests/integration/test_dvc.py": "recorded",
    "tests/integration/test_sharing.py": "recorded",
}
"""Files whose tests share a repository; DVC lets one process at a time work in it."""

APART = {"tests/integration/test_workflow.py"}
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


TRIES = 3
"""How often a test that may be late is tried."""


def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    """Try a test marked `late` again when it fails; each try but the first is counted in its reports."""
    if not item.get_closest_marker("late"):
        return None
    item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    for number in range(1, TRIES + 1):
        reports = runtestprotocol(item, nextitem=nextitem, log=False)
        if number == TRIES or not any(report.failed for report in reports):
            break
        item.user_properties.append(("tried again", item.nodeid))
        item._initrequest()  # type: ignore[attr-defined]  # fixtures of the test are made anew
    for report in reports:
        item.ihook.pytest_runtest_logreport(report=report)
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True


def needs() -> dict[str, str]:
    """Return what .ci/needs says of each reason for which tests are passed over."""
    lines = (ROOT / ".ci/needs").read_text(encoding="utf-8").splitlines()
    rows = [line.partition(" | ") for line in lines if line and not line.startswith("#")]
    return {words: what for words, _, what in rows}


def not_tested(reporter: Any) -> Counter[str]:
    """Return the reasons for which tests were passed over, with how many."""
    reasons = [report.longrepr for report in reporter.stats.get("skipped", ())]
    return Counter(str(found[2] if isinstance(found, tuple) else found) for found in reasons)


def unknown(reasons: Iterable[str]) -> list[str]:
    """Return the reasons that continuous integration does not accept: not named, or of what it has installed.

    Where the packages of Debian cannot be had (`DIVLOGIC_CI=without-debian`), what needs them is a known gap.
    """
    lacking = os.environ.get("DIVLOGIC_CI") == "without-debian"
    allowed = [words for words, what in needs().items() if lacking or not what.startswith("apt ")]
    return [reason for reason in reasons if not any(words in reason for words in allowed)]


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Say what was not tested, and which tests were tried again."""
    for reason, count in sorted(not_tested(terminalreporter).items()):
        terminalreporter.write_line(f"not tested: {count}, {reason.removeprefix('Skipped: ')}")
    reports = [one for kind in ("passed", "failed") for one in terminalreporter.stats.get(kind, ())]
    again = {
        one.nodeid: [name for name, _ in one.user_properties].count("tried again")
        for one in reports
        if one.when == "call"
    }
    for name, count in sorted(again.items()):
        if count:
            terminalreporter.write_line(f"tried {count + 1} times: {name}")


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail in continuous integration where a test was passed over for a reason that .ci/needs does not know."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if (
        "DIVLOGIC_CI" not in os.environ
        or reporter is None
        or hasattr(session.config, "workerinput")
    ):
        return
    found = unknown(not_tested(reporter))
    for reason in sorted(found):
        reporter.write_line(f"not tested, and no known gap (.ci/needs): {reason}", red=True)
    if found and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


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
