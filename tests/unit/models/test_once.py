"""What asking costs: the key of each request is computed once, and a store is read once, in every step that asks."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from divlogic.benchmarks.answers import answer_format
from divlogic.benchmarks.cli import cli as benchmarks
from divlogic.benchmarks.polish.run import fragments
from divlogic.evaluation.asked import BaselineFiles, export, run
from divlogic.evaluation.parameters import EvaluationParameters, EvaluationRun
from divlogic.evaluation.rotations import rotate
from divlogic.io.files import write_jsonl
from divlogic.models import requests
from divlogic.models.asking import AskingOptions, ask, read_questions
from divlogic.models.parameters import LimitParameters, ModelParameters, SamplingParameters
from divlogic.models.predictions import read_predictions
from tests.support import call
from tests.unit.evaluation.samples import records
from tests.unit.hardening import scripted

UNIFORM = ModelParameters(name="baseline/uniform", runs=2)
PARAMETERS = EvaluationParameters(prompts=["zero_shot", "zero_shot_nolr"], models=[UNIFORM])
RUN = EvaluationRun(seed=1, evaluation=PARAMETERS)
COUNT = 3


@dataclass
class Counted:
    """How often each key was computed, each store read from its beginning, and each stored answer decoded."""

    keys: Counter[str] = field(default_factory=Counter)
    stores: Counter[str] = field(default_factory=Counter)
    answers: Counter[str] = field(default_factory=Counter)


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Callable[[], Counted]:
    """Return a function that starts counting from zero."""
    found = Counted()
    key_of = requests.request_key
    opened, decoded = requests.Responses.__init__, requests.Responses.__getitem__

    def counted_key(**asked: object) -> str:
        key = key_of(**asked)  # type: ignore[arg-type]
        found.keys[key] += 1
        return key

    def counted_opening(self: requests.Responses, connection: sqlite3.Connection) -> None:
        found.stores[connection.execute("PRAGMA database_list").fetchone()[2]] += 1
        opened(self, connection)

    def counted_decoding(self: requests.Responses, key: str) -> requests.Response:
        row = decoded(self, key)
        found.answers[key] += 1
        return row

    monkeypatch.setattr(requests, "request_key", counted_key)
    monkeypatch.setattr(requests.Responses, "__init__", counted_opening)
    monkeypatch.setattr(requests.Responses, "__getitem__", counted_decoding)

    def begin() -> Counted:
        for counts in (found.keys, found.stores, found.answers):
            counts.clear()
        return found

    return begin


def rotations(folder: Path) -> list[Path]:
    files = [folder / f"{prompt}.jsonl.gz" for prompt in PARAMETERS.prompts]
    write_jsonl(folder / "records.jsonl", [record.to_json() for record in records(COUNT)])
    for path, prompt in zip(files, PARAMETERS.prompts, strict=True):
        rotate(folder / "records.jsonl", prompt, path, RUN)
    return files


def by_rotations(folder: Path) -> int:
    given = AskingOptions("baseline/uniform", folder / "s.sqlite")
    run(tuple(rotations(folder)), given, BaselineFiles(), RUN, out=folder / "out.jsonl")
    return len(PARAMETERS.prompts) * COUNT * 4 * 2


def by_closed_questions(folder: Path) -> int:
    write_jsonl(folder / "records.jsonl", [record.to_json() for record in records(COUNT)])
    prompts = ["zero_shot", "chain_of_thought"]
    questions = read_questions(
        folder / "records.jsonl", None, prompts=prompts, instances=None, seed=1, form_of=answer_format
    )
    limits = LimitParameters()
    ask([questions], folder / "s.sqlite", model=UNIFORM, sampling=SamplingParameters(), limits=limits, seed=1)
    return len(prompts) * COUNT * 2


def by_polishing(folder: Path) -> int:
    source = folder / "test.jsonl"
    write_jsonl(source, [record.to_json() for record in records(COUNT)])
    polish = {"enabled": True, "model": "baseline/uniform", "trials": 2}
    files = f"--in {source} --store {folder}/s.sqlite --out {folder}/out.jsonl"
    call(benchmarks, f"divlogiceval polish {files}", {"benchmarks": {"divlogiceval": {"polish": polish}}})
    texts = {text for record in records(COUNT) for part in fragments(record) for text in part}
    return 2 * len(texts)


def by_hardening(folder: Path) -> int:
    scripted.made(folder, scripted.parameters("accept"))
    (path,) = (folder / "stores").glob("*.sqlite")
    connection = sqlite3.connect(path)
    return int(connection.execute("SELECT COUNT(*) FROM answers").fetchone()[0])


ASKERS = [by_rotations, by_closed_questions, by_polishing, by_hardening]


@pytest.mark.parametrize("asker", ASKERS, ids=lambda asker: asker.__name__)
def test_each_key_is_computed_once_and_the_store_is_read_once(
    tmp_path: Path, counted: Callable[[], Counted], asker: Callable[[Path], int]
) -> None:
    for _ in ("asked", "taken from the store"):
        found = counted()
        wanted = asker(tmp_path)
        # An answer that is looked for before it is asked is looked for under a larger limit of tokens, too.
        assert len(found.keys) in (wanted, 2 * wanted) and set(found.keys.values()) == {1}
        assert set(found.stores.values()) == {1}


@pytest.mark.parametrize("asker", [by_rotations, by_closed_questions], ids=lambda asker: asker.__name__)
def test_an_answer_in_the_store_is_decoded_for_the_counts_and_for_the_prediction_only(
    tmp_path: Path, counted: Callable[[], Counted], asker: Callable[[Path], int]
) -> None:
    asker(tmp_path)
    found = counted()
    assert len(found.answers) == 0 and asker(tmp_path) == len(found.answers)
    assert set(found.answers.values()) == {2}


def test_an_export_computes_each_key_once_and_decodes_each_answer_once(
    tmp_path: Path, counted: Callable[[], Counted]
) -> None:
    wanted = by_rotations(tmp_path)
    found = counted()
    files = [tmp_path / f"{prompt}.jsonl.gz" for prompt in PARAMETERS.prompts]
    export(tuple(files), tmp_path / "s.sqlite", tmp_path / "exported.jsonl", BaselineFiles(), RUN)
    assert len(list(read_predictions(tmp_path / "exported.jsonl"))) == wanted
    assert set(found.keys.values()) == set(found.answers.values()) == set(found.stores.values()) == {1}
