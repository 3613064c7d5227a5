"""Files are written into an empty folder."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run in a new folder."""
    monkeypatch.chdir(tmp_path)
