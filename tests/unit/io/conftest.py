"""Files are written into an empty folder, by what counts as a new process."""

from __future__ import annotations

from pathlib import Path

import pytest

from divlogic.io import notes


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run in a new folder, as a process that has read nothing."""
    monkeypatch.chdir(tmp_path)
    notes.begun()
