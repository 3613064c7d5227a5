"""A configuration of config/ plans a run, and what it alone reaches is made."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from divlogic.io.files import row_count
from tests.integration.workspace import ROOT, TINY, copy_tree, refused, run, set_params

pytestmark = [pytest.mark.integration, pytest.mark.slow]

NEEDS_AN_IMPORT = "transfer_deberta"
"""Its head names the files that a user imports first."""

FRESH = "data/interim/benchmarks/divlogiceval/fresh"
SNAKEMAKE = ("snakemake", "all", "--cores", "1")


def test_every_configuration_plans_a_run_or_says_which_file_it_lacks(tmp_path: Path) -> None:
    folder = copy_tree(tmp_path / "checkout")
    for path in sorted((ROOT / "config").glob("*.yaml")):
        planned = (*SNAKEMAKE, "--dry-run", "--configfile", f"config/{path.name}")
        if path.stem == NEEDS_AN_IMPORT:
            assert "data/imported/reclor_train.jsonl.gz" in refused(folder, *planned)
        else:
            run(folder, *planned)


def test_a_run_as_published_ends_at_its_smallest_size(tmp_path: Path) -> None:
    folder = copy_tree(tmp_path / "checkout")
    set_params(folder, TINY)
    # The sets of LogicNLI as published have their printed sizes; a thousandth of these is one theory of most sets.
    small = {"benchmarks": {"logicnli": {"as_published": {"share": 0.001}}}}
    (folder / "config/small.yaml").write_text(yaml.safe_dump(small), encoding="utf-8")
    run(folder, "divlogic", "config", "lay", "config/as_published.yaml", "config/small.yaml")
    run(folder, *SNAKEMAKE)
    for preset in ("as_published", "balanced"):
        assert (
            row_count(folder / FRESH / f"{preset}.jsonl.gz")
            == 3 * TINY["benchmarks"]["divlogiceval"]["fresh"]
        )
    assert (folder / "results/paper/scoreboard.csv").is_file()
