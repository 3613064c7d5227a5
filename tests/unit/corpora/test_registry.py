"""The registry: what it must say of every corpus, and what it refuses."""

from __future__ import annotations

from pathlib import Path, PurePosixPath
from typing import Any

import pytest
import yaml

from divlogic.corpora.download import UnobtainableError, check
from divlogic.corpora.mirror import expected_of
from divlogic.corpora.registry import Corpus, load_registry, select
from divlogic.errors import DivLogicError
from divlogic.parameters import Parameters
from tests.support import cases, some

ROOT = Path(__file__).parents[3]
REGISTRY = load_registry(ROOT / "data" / "registry.yaml")
FULL = {name: corpus for name, corpus in REGISTRY.items() if corpus.files}
MINIMAL: dict[str, Any] = {
    "title": "Pairs",
    "version": "1",
    "licence": {"name": "CC0 1.0"},
    "citation": {"authors": "N. N.", "title": "Pairs", "venue": "here", "year": 2026},
    "roles": ["nli"],
    "files": [
        {
            "path": "pairs.jsonl",
            "urls": ["https://example.org/pairs.jsonl"],
            "bytes_between": [1, 9],
        }
    ],
}


def written(**changes: Any) -> Path:
    path = Path("registry.yaml")
    path.write_text(yaml.safe_dump({"corpora": {"pairs": {**MINIMAL, **changes}}}))
    return path


def test_every_corpus_that_a_full_run_fetches_is_registered() -> None:
    assert select(REGISTRY, list(Parameters().corpora.full))


def test_every_embedded_file_is_in_the_repository() -> None:
    for name, corpus in some(REGISTRY.items()):
        for file in corpus.embedded:
            assert (ROOT / "data" / "embedded" / name / file.path).is_file(), file.path


@pytest.mark.parametrize("name", FULL)
def test_every_repository_file_is_pinned_to_a_commit(name: str) -> None:
    for file in some(FULL[name].files):
        for url in file.urls:
            if url.startswith("https://raw.githubusercontent.com/") and "/nltk_data/" not in url:
                assert len(PurePosixPath(url).parts[4]) == 40, url


UNCHECKED = {
    f"{name}/{file.series or file.path}": file
    for name, corpus in FULL.items()
    for file in corpus.files
    if file.sha256 is None
}
"""Files whose checksum could not be had."""

LOGIN = b"<!DOCTYPE html><html><head><title>Sign in</title></head><body>" + b"Sign in. " * 100_000


@pytest.mark.parametrize("name", UNCHECKED)
@pytest.mark.parametrize(
    "content",
    [b"", LOGIN, b'{"message": "Not Found"}' + b" " * 10**6, b"\0" * 10**6],
    ids=["nothing", "login", "error", "zeros"],
)
def test_no_file_takes_what_a_server_says_instead(name: str, content: bytes) -> None:
    path = Path(Path(UNCHECKED[name].path).name)
    path.write_bytes(content)
    with pytest.raises(UnobtainableError):
        check(path, expected_of(UNCHECKED[name]), "http://example.org")


@pytest.mark.parametrize("name", FULL)
def test_every_file_has_a_checksum_or_limits_of_its_size(name: str) -> None:
    for file in some(FULL[name].files):
        assert file.sha256 or (file.bytes_between and file.bytes_between[1] <= 4 << 30), file.path


@pytest.mark.parametrize("role", ["nli", "generics", "wikipedia", "tagger"])
@pytest.mark.parametrize("source", ["embedded", "full"])
def test_both_kinds_of_run_have_a_corpus_for_every_role(role: str, source: str) -> None:
    assert any(role in corpus.roles and corpus.source == source for corpus in REGISTRY.values())


def test_licences_that_forbid_training_say_so() -> None:
    assert "no training" in (REGISTRY["llmeval_logic"].licence.notes or "")
    assert "do not train" in (REGISTRY["justlogic"].licence.notes or "")


def test_a_minimal_entry_is_accepted() -> None:
    assert isinstance(load_registry(written())["pairs"], Corpus)


@pytest.mark.parametrize(("changes", "why"), cases(__file__, "refused"))
def test_an_entry_that_does_not_hold_together_is_refused(changes: dict[str, Any], why: str) -> None:
    with pytest.raises(DivLogicError, match=why):
        load_registry(written(**changes))


@pytest.mark.parametrize(
    ("text", "why"), [("corpora: [", "not valid YAML"), (None, "no such registry")]
)
def test_what_is_no_registry_is_a_sentence(text: str | None, why: str) -> None:
    path = Path("registry.yaml")
    if text:
        path.write_text(text)
    with pytest.raises(DivLogicError, match=why):
        load_registry(path)


def test_a_misspelt_corpus_gets_the_nearest_name() -> None:
    with pytest.raises(DivLogicError, match="did you mean 'snli'"):
        select(REGISTRY, ["snl"])
