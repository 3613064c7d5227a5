"""No release tells its answers by ids, by the order of its rows or by its metadata."""

from __future__ import annotations

import re

import pytest

from divlogic.prior_knowledge.shortcuts.release import leaks_of
from tests.contract.graph import ROOT

FILES = sorted(ROOT.glob("data/benchmarks/*/release/**/*.parquet"))
KNOWN = {"logicnli": r".*", "divlogiceval": r"answers? of .*|.*mod \d+"}
"""Benchmark -> fields that still tell: quartets whose members are neighbours, or numbered in their order."""


@pytest.mark.skipif(not FILES, reason="there is no finished run here (make all)")
@pytest.mark.parametrize(
    "path", FILES, ids=lambda path: path.relative_to(ROOT / "data/benchmarks").as_posix()
)
def test_the_best_guess_without_the_texts_is_chance(path):
    known = re.compile(KNOWN.get(path.relative_to(ROOT / "data/benchmarks").parts[0], "-"))
    told = [
        leak for leak in leaks_of(path, 0) if leak.accuracy > leak.limit and not known.fullmatch(leak.field)
    ]
    assert not told
