"""Every rule on damaged inputs: told in a sentence, never a traceback, and no change is accepted without a word.

The damages: cut, flipped, empty, renamed columns, NaN, doubled rows, byte order mark, CRLF, another encoding; of what a
step wrote, with its note and without, and of what is kept in git; a file in the place of another, and one of another
run. A test run tries one of the 20 kinds on each file, and every commit begins with another;
`python -m tests.integration.sweep` tries all of them.
"""

from __future__ import annotations

import shutil
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from tests.contract.graph import snakemake_jobs
from tests.integration.corruption import KINDS, cases, outcome_of, problem_with
from tests.integration.workspace import ROOT

pytestmark = [pytest.mark.integration, pytest.mark.slow]

PARTS = 2
"""Tests that share the cases, for as many processes."""


def turn_of_the_commit() -> int:
    """Return the kind of damage that comes first: one for each commit; 0 outside a repository."""
    said = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=False)
    return int(said.stdout.strip() or "0", 16) % len(KINDS)


@pytest.mark.parametrize("part", range(PARTS))
def test_damaged_inputs_are_told_and_never_taken_for_whole_ones(
    workspace: Path, tmp_path: Path, part: int
) -> None:
    root = shutil.copytree(workspace, tmp_path / "damaged")
    chosen = cases(root, snakemake_jobs(root), turn_of_the_commit())
    assert len({case.job.rule for case in chosen}) > 50
    assert {case.damage for case in chosen} == {damage for damage, _ in KINDS}
    outcomes = [outcome_of(root, case) for case in chosen[part::PARTS]]
    table = Counter((outcome.case.noted, outcome.kind) for outcome in outcomes)
    print(f"\n{len(outcomes)} cases: {dict(table)}")
    assert [problem for one in outcomes if (problem := problem_with(one))] == []
    # A third or more at most turns; were notes not compared, next to none.
    assert table[True, "refused"] > len(outcomes) // 8
