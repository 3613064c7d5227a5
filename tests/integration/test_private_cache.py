"""DVC unpickles what it remembers of files: nobody else may write where it does."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.integration.workspace import ROOT, run

pytestmark = pytest.mark.integration


def test_no_folder_that_dvc_makes_is_writable_for_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("DVC_SITE_CACHE_DIR", raising=False)
    run(tmp_path, "git", "init", "--quiet")
    for name in (".dvc/config", "tools/__init__.py", "tools/private_cache.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    (tmp_path / "dvc.yaml").write_text(
        "stages: {one: {cmd: 'true', deps: [tools]}}\n", encoding="utf-8"
    )
    command = "umask 022; python -m tools.private_cache && dvc status"
    for _ in range(2):  # the second run finds the folder named
        assert "modified:           tools" in run(tmp_path, "bash", "-c", command).stdout
    used = tmp_path / ".dvc/tmp/site/repo"
    assert list(used.glob("*/hashes"))
    assert {path.stat().st_mode & 0o777 for path in (used, used.parent)} == {0o700}
    made = [path for path in (tmp_path / ".dvc").rglob("*") if path.is_dir()]
    assert not [path for path in made if path.stat().st_mode & 0o022]


def test_a_run_names_the_folder_before_it_calls_dvc(workspace: Path) -> None:
    assert "site_cache_dir = " in (workspace / ".dvc/config.local").read_text(encoding="utf-8")
    assert (workspace / ".dvc/tmp/site").stat().st_mode & 0o777 == 0o700
