"""Every rule on damaged inputs: told in a sentence, never a traceback, and no change of what a step wrote is accepted.

The damages: cut, flipped, empty, renamed columns, NaN, doubled rows, byte order mark, CRLF, another encoding; of what a
step wrote, and of files without a note, as a user would bring them.
"""

from __future__ import annotations

import shutil
from collections import Counter

import pytest

from tests.contract.graph import snakemake_jobs
from tests.integration.corruption import CHANGES, PRODUCTS, cases, outcome_of

pytestmark = [pytest.mark.integration, pytest.mark.slow]


def test_damaged_inputs_are_told_and_never_taken_for_whole_ones(workspace, tmp_path):
    root = shutil.copytree(workspace, tmp_path / "damaged")
    chosen = cases(root, snakemake_jobs(root), files=3, damages=2)
    assert len({case.job.rule for case in chosen}) > 50
    assert {case.damage for case in chosen} == set(CHANGES)
    outcomes = [outcome_of(root, case) for case in chosen]
    table = Counter((outcome.case.noted, outcome.kind) for outcome in outcomes)
    print(f"\n{len(outcomes)} cases: {dict(table)}")
    assert [f"{one.case}: {one.said}" for one in outcomes if one.kind == "traceback"] == []
    taken = [one for one in outcomes if one.kind == "other" and one.case.noted]
    assert [str(one.case) for one in taken if one.case.file.startswith(PRODUCTS)] == []
    assert table[True, "refused"] > 50
