"""A job starts without what only other jobs need: the workflow starts more than a hundred."""

from __future__ import annotations

import subprocess
import sys

CODE = """
import sys
from click.testing import CliRunner
from divlogic.cli import STEPS, cli
heavy = set("asyncio httpx inspect_ai matplotlib nltk numpy pandas pyarrow scipy sklearn z3".split())
before = set(sys.modules)
for words in ["--help"], *([phase, "--help"] for phase in ("benchmarks", *STEPS) if " " not in phase):
    result = CliRunner().invoke(cli, words)
    assert result.exit_code == 0, result.output
    assert not heavy & set(sys.modules) - before, (words, heavy & set(sys.modules))
print(*STEPS)
"""


def test_the_commands_of_a_phase_are_listed_without_heavy_libraries() -> None:
    run = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert {"sentences", "evaluation", "paper"} <= set(run.stdout.split())
