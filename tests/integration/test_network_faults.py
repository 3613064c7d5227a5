"""The corpora of a full run come from a server that fails in ten ways: the run goes on, tries again, and ends equal."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.integration.workspace import copy_tree, digests, run, set_params
from tests.unit.corpora.fetch_server import FileServer

pytestmark = pytest.mark.slow

PAIR = '{"gold_label": "entailment", "sentence1": "A dog number %d barks.", "sentence2": "An animal barks."}\n'
PAIRS = "".join(PAIR % number for number in range(40)).encode()
STATEMENTS = (
    b"SOURCE\tTERM\tQUANTIFIER\tGENERIC SENTENCE\tSCORE\nmade\totter\t\tOtters swim.\t0.9\n"
)
PAGE = b"<!DOCTYPE html><html>Sign in to go on</html>"
ALWAYS = 99
"""More faults than a run has tries."""

FAULTS: dict[str, dict[str, Any]] = {
    "absent": {"faults": [404] * ALWAYS},
    "gone": {"faults": [410] * ALWAYS},
    "gated": {"faults": [403] * ALWAYS},
    "broken": {"faults": [500] * ALWAYS},
    "busy": {"faults": [503] * ALWAYS},
    "throttled": {"faults": [429] * ALWAYS},
    "cut": {"faults": [("cut", 0)] * ALWAYS},
    "late": {"faults": [408] * ALWAYS},
    "page": {"content": PAGE},
    "wrong": {"content": b"another file that has as many bytes"[:35]},
}
PASSING = {"broken", "busy", "throttled", "cut", "late", "page"}
CONTENT = b"a published file of thirty-five byt"
REQUIRED = {"pairs": ("nli", "nli", PAIRS), "statements": ("generics", "generics_tsv", STATEMENTS)}


def registered(url: str, content: bytes, role: str, reader: str | None = None) -> dict[str, Any]:
    """Return the entry of a corpus of one file."""
    sums = {"sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content), "rows": 40}
    file = {"path": "file.jsonl", "urls": [url], **sums, **({"reader": reader} if reader else {})}
    return {
        "title": "Made for a test",
        "version": "1",
        "licence": {"name": "CC0 1.0"},
        "citation": {"authors": "N. N.", "title": "Made", "venue": "here", "year": 2026},
        "roles": [role],
        "files": [file],
    }


@pytest.fixture
def server() -> Iterator[FileServer]:
    server = FileServer()
    yield server
    server.close()


def checkout(folder: Path, server: FileServer) -> Path:
    """Copy the repository, with a registry whose corpora are on the server."""
    copy_tree(folder)
    path = folder / "data/registry.yaml"
    known = yaml.safe_load(path.read_text(encoding="utf-8"))["corpora"]
    corpora = {name: entry for name, entry in known.items() if "embedded" in entry}
    for name, (role, reader, content) in REQUIRED.items():
        corpora[name] = registered(server.url(f"/{name}"), content, role, reader)
    for name in FAULTS:
        corpora[name] = registered(server.url(f"/{name}"), CONTENT, "comparator")
    path.write_text(yaml.safe_dump({"corpora": corpora}, sort_keys=False), encoding="utf-8")
    full = [*REQUIRED, *FAULTS]
    set_params(folder, {"corpus_source": "full", "corpora": {"full": full}})
    return folder


TARGETS = (
    *(f"data/raw/full/{name}" for name in FAULTS),
    *(f"data/interim/corpora/{role}.jsonl.gz" for role, *_ in REQUIRED.values()),
)


def snakemake(folder: Path, *options: str, check: bool = True) -> Any:
    rules = ("--snakefile", "workflow/rules/corpora.smk", "--cores", "16")
    return run(folder, "snakemake", *rules, *options, "--", *TARGETS, check=check)


def serve(server: FileServer, *, failing: bool) -> None:
    for name, (_, _, content) in REQUIRED.items():
        # The pairs come after two tries, the statements not at all.
        faults: list[int] = ([503] * 2 if name == "pairs" else [500] * ALWAYS) if failing else []
        server.put(f"/{name}", content, faults=faults)
    for name, fault in FAULTS.items():
        server.put(f"/{name}", **({"content": CONTENT} | (fault if failing else {})))


def test_a_run_that_the_network_fails_goes_on_and_ends_equal_to_an_undisturbed_one(
    server: FileServer, tmp_path: Path
) -> None:
    serve(server, failing=False)
    undisturbed = checkout(tmp_path / "undisturbed", server)
    snakemake(undisturbed)

    disturbed = checkout(tmp_path / "disturbed", server)
    serve(server, failing=True)
    failed = snakemake(disturbed, check=False)
    said = failed.stdout + failed.stderr
    assert failed.returncode != 0
    assert "statements: file.jsonl could not be obtained (not reached for now" in said
    # What does not need the statements was made all the same, each comparator has its reason.
    assert (disturbed / "data/interim/corpora/nli.jsonl.gz").is_file()
    assert not (disturbed / "data/interim/corpora/generics.jsonl.gz").exists()
    origins = {}
    for name in FAULTS:
        manifest = disturbed / "data/raw/full" / name / "MANIFEST.json"
        origins[name] = yaml.safe_load(manifest.read_text(encoding="utf-8"))["origin"]
    assert {name for name, origin in origins.items() if origin == "unreachable"} == PASSING
    assert origins["gated"] == "gated"
    assert origins["absent"] == origins["gone"] == "absent"
    assert origins["wrong"] == "wrong"

    serve(server, failing=False)
    planned = snakemake(disturbed, "--dry-run").stderr
    assert planned.count("rule place_corpus") == len(PASSING) + 1
    snakemake(disturbed)
    for name in PASSING:
        assert (disturbed / "data/raw/full" / name / "file.jsonl").read_bytes() == CONTENT
    assert digests(disturbed) == digests(undisturbed)
    # Nothing is left to try.
    assert "Nothing to be done" in snakemake(disturbed).stderr


def test_what_is_out_of_reach_is_said_before_the_first_job_and_not_tried_again_before_it_can_be(
    tmp_path: Path,
) -> None:
    server = FileServer()
    serve(server, failing=False)
    folder = checkout(tmp_path / "offline", server)
    server.close()
    said = snakemake(folder, check=False).stderr
    first_job = said.index("[ 1/")
    assert "statements is not here and cannot be reached" in said[:first_job]
    assert "no JustLogic" in said[:first_job]
    # The comparators stay as they are while the network is away.
    planned = snakemake(folder, "--dry-run").stderr
    assert "data/raw/full/busy" not in planned
    assert "data/raw/full/statements" in planned
