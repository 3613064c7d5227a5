"""A file server, and a new folder for each test to work in."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from divlogic.corpora.registry import Corpus
from tests.unit.corpora.fetch_samples import ROWS, corpus, official
from tests.unit.corpora.fetch_server import FileServer


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[FileServer]:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    server = FileServer()
    yield server
    server.close()


@pytest.fixture
def entry(server: FileServer) -> Corpus:
    """A corpus of one file, which the server has."""
    return corpus(official(server.put("/pairs.jsonl", ROWS)))
