"""A small corpus to fetch, and how it is fetched in tests."""

from __future__ import annotations

import hashlib
import io
import zipfile
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

from divlogic.corpora.download import Retries, download
from divlogic.corpora.obtain import fetch
from divlogic.corpora.registry import Corpus

ROWS = (
    b'{"gold_label": "neutral", "sentence1": "A dog barks.", "sentence2": "A dog barks at a cat."}\n'
    * 50
)
PART = ROWS[: len(ROWS) // 2]
MIRROR, RAW, DOWNLOADS = Path("mirror"), Path("raw/full"), Path("downloads")


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def zipped(members: dict[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return stream.getvalue()


def corpus(*files: dict[str, Any], **more: Any) -> Corpus:
    values = {
        "title": "Pairs",
        "version": "1",
        "licence": {"name": "CC0 1.0", "url": "http://localhost/licence"},
        "citation": {"authors": "N. N.", "title": "Pairs", "venue": "here", "year": 2026},
        "roles": ["nli"],
        "by_hand": "Ask N. N. for it",
        "files": list(files),
        **more,
    }
    return Corpus.model_validate(values)


def official(
    url: str = "http://127.0.0.1:9/none", content: bytes = ROWS, **more: Any
) -> dict[str, Any]:
    known = {"sha256": sha256(content), "bytes": len(content), "rows": 50, "reader": "nli"}
    return {"path": "pairs.jsonl", "urls": [url], **known, **more}


def mirrored(name: str, content: bytes) -> Path:
    """Put a file of the corpus into the mirror."""
    path = MIRROR / "pairs" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


def bring(entry: Corpus, folder: Path | str = "", **options: Any) -> Path:
    """Fetch a corpus into a folder, and by default from no mirror."""
    out = folder / RAW / "pairs"
    with patch("divlogic.corpora.obtain.download", partial(download, retries=Retries(attempts=1))):
        fetch("pairs", entry, out, downloads=folder / DOWNLOADS, **options)
    return out
