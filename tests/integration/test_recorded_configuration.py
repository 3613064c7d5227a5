"""A run with a configuration is recorded by DVC with the parameters that it had."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from tests.integration.workspace import copy_tree, run

pytestmark = [pytest.mark.integration, pytest.mark.slow]


def test_dvc_records_the_parameters_of_a_configuration_that_is_laid_over(tmp_path: Path) -> None:
    folder = copy_tree(tmp_path / "checkout")
    tiny = folder / "config/tiny.yaml"
    tiny.write_text("seed: 7\ncorpora: {missing_comparators: stop}\n", encoding="utf-8")
    run(folder, "git", "init", "--quiet")
    run(folder, "python", "-m", "tools.private_cache")
    run(folder, "git", "add", "--all")
    run(folder, "git", "commit", "--quiet", "--message", "A checkout")
    run(folder, "divlogic", "config", "lay", "config/tiny.yaml")
    run(folder, "dvc", "repro", "corpora")

    lock = yaml.safe_load((folder / "dvc.lock").read_text(encoding="utf-8"))
    recorded = lock["stages"]["corpora"]["params"]["params.yaml"]
    assert recorded["seed"] == 7
    assert recorded["corpora"]["missing_comparators"] == "stop"
    assert "up to date" in run(folder, "dvc", "status", "corpora").stdout
    # Back to the defaults, DVC says that the results are others'.
    run(folder, "git", "checkout", "params.yaml")
    assert "modified" in run(folder, "dvc", "status", "corpora").stdout
