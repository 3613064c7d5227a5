"""A job starts without what only other jobs need: the workflow starts more than a hundred."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = {
    "asyncio",
    "httpx",
    "inspect_ai",
    "matplotlib",
    "nltk",
    "numpy",
    "pandas",
    "pyarrow",
    "scipy",
    "sklearn",
    "z3",
}
CODE = """
import sys
from click.testing import CliRunner
from divlogic.cli import cli
before = set(sys.modules)
result = CliRunner().invoke(cli, sys.argv[1:])
assert result.exit_code == 0, result.output
print(*(name for name in sys.modules if "." not in name and name not in before))
"""


@pytest.mark.parametrize(
    "phase",
    [
        "benchmarks",
        "contamination",
        "corpora",
        "diversity",
        "evaluation",
        "hardening",
        "paper",
        "prior_knowledge",
        "sentences",
    ],
)
def test_the_commands_of_a_phase_are_listed_without_heavy_libraries(phase: str) -> None:
    run = subprocess.run(
        [sys.executable, "-c", CODE, phase, "--help"], capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
    assert not HEAVY & set(run.stdout.split())
