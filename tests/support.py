"""What the tests of several rooms do: run a command line, read a table or cases, write pairs, groups, a collection."""

from __future__ import annotations

import csv
import importlib.util
import json
import os
import shlex
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

import click
from click.testing import CliRunner

from divlogic.benchmarks.collection.collect import INDEX
from divlogic.io.files import read_yaml, write_json, write_jsonl

MIRROR = Path(os.environ.get("DIVLOGIC_MIRROR", ""))
"""A folder of real corpora; tests that are marked `mirror` run where there is one (conftest.py)."""


T = TypeVar("T")


def some(items: Iterable[T]) -> list[T]:
    """Return what a test loops over; a loop that asserts nothing because there is nothing to loop over fails."""
    found = list(items)
    assert found, "nothing to loop over"
    return found


def call(cli: click.Command, words: str, params: Mapping[str, Any] | None = None) -> str:
    """Run a command line, which must succeed, and return its output; what it raises comes through."""
    given = [*shlex.split(words), *([] if params is None else ["--params", json.dumps(params)])]
    result = CliRunner().invoke(cli, given, catch_exceptions=False, standalone_mode=False)
    assert result.exit_code == 0, result.output
    return result.output


def csv_rows(path: Path) -> list[dict[str, str]]:
    """Return the rows of a table."""
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def cases(module: str, table: str) -> list[Any]:
    """Return a table of cases of the YAML file beside a test module, which is given as ``__file__``."""
    rows: list[Any] = read_yaml(Path(module).with_suffix(".yaml"))[table]
    return rows


def module_at(path: Path) -> ModuleType:
    """Return the module that a file holds, which is part of no package."""
    spec = importlib.util.spec_from_file_location(f"of_a_test_{path.stem}", path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def nli_pair(
    number: int, label: str, premise: str, hypothesis: str, **changes: Any
) -> dict[str, Any]:
    """Return a row of the corpus of pairs."""
    corpus = changes.get("corpus", "captions")
    ids = {"premise_id": f"{corpus}:{premise}", "pair_id": f"{corpus}:{number}:{label}"}
    texts = {"premise": premise, "hypothesis": hypothesis}
    return {"corpus": corpus, "genre": corpus, **ids, "label": label, **texts, **changes}


def write_groups(path: Path, texts: Sequence[str], verb: str = "sings") -> Path:
    """Write a group of sentences for each text, which holds a verb that is negated with *does not*."""
    rows = [
        {
            "id": f"{at:012x}",
            "corpus": "captions",
            "source": f"captions:{at}",
            "premise": {
                "text": text,
                "negated": text.replace(verb, f"does not {verb.removesuffix('s')}"),
            },
            "entailed": [],
            "contradicted": [],
        }
        for at, text in enumerate(texts)
    ]
    write_jsonl(path, rows)
    return path


def write_notebook(path: Path, *sources: str) -> Path:
    """Write a notebook of code cells; not by nbformat, whose import takes seconds."""
    made = {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None}
    cells = [
        {**made, "id": f"cell-{place}", "source": source} for place, source in enumerate(sources)
    ]
    write_json(path, {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
    return path


def write_collection(folder: Path, benchmarks: Mapping[str, Sequence[Mapping[str, Any]]]) -> Path:
    """Write a collection: the rows of each benchmark, and what is known of them."""
    about = {
        "title": "",
        "part": "",
        "expected": None,
        "exact": True,
        "origin": "generated",
        "problems": "",
    }
    for name, rows in benchmarks.items():
        write_jsonl(folder / f"{name}.jsonl.gz", rows)
    index = [{"benchmark": name, "rows": len(rows), **about} for name, rows in benchmarks.items()]
    write_json(folder / INDEX, [row | {"tables": [], "sources": []} for row in index])
    return folder


def run_program(command: Sequence[object], folder: Path) -> str:
    """Run a program of another environment, which must succeed within ten minutes, and return what it prints."""
    given = list(map(str, command))
    done = subprocess.run(
        given, capture_output=True, text=True, timeout=600, cwd=folder, check=False
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout
