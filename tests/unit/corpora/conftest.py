"""A file server, and a mirror folder with a place for the corpus `pairs`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.unit.corpora.fetch_server import FileServer


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[FileServer]:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    server = FileServer()
    yield server
    server.close()


@pytest.fixture
def mirror(tmp_path: Path) -> Path:
    (tmp_path / "mirror" / "pairs").mkdir(parents=True)
    return tmp_path / "mirror"
